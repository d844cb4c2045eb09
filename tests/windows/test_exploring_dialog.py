"""The dialog of a search in the real window: it finds what the command line finds, and opens candidates as designs."""

import pytest

from designer.exploring.results import FRONT
from designer.exploring.search import explore
from designer.exploring.spec_text import search_in
from designer.session.exploring import KEPT
from designer.storage import document
from designer.windows.exploring import dialog as dialogs
from designer.workers.store import Store
from designer.workers.where import HERE

SPEC = """
name: few
gpus: 64
workloads: [{collective: all-reduce, size: 256MiB}]
families:
  - {family: rail-optimized, server: dgx-h100, servers_per_su: [4, 8], oversubscription: [1, 2], spines: [1, 4]}
"""


@pytest.fixture
def dialog(window, monkeypatch, tmp_path):
    monkeypatch.setattr("designer.session.exploring.user_state_dir", lambda: tmp_path)
    monkeypatch.setattr(dialogs, "user_state_dir", lambda: tmp_path)
    monkeypatch.setattr(dialogs, "where_of", lambda: HERE)
    window.actions_table.trigger("simulate.explore")
    dialog = window.dialogs["explore"]
    dialog.text.setPlainText(SPEC)
    dialog.read()
    return dialog


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder in which the search is kept, so that it is built once for all tests that only look at it."""
    folder = tmp_path_factory.mktemp("kept")
    with Store(folder / KEPT) as store:
        explore(search_in(SPEC, "few", folder), HERE, store)
    return folder


@pytest.fixture
def searched(dialog, qtbot, kept, tmp_path):
    (tmp_path / KEPT).write_bytes((kept / KEPT).read_bytes())
    dialog.run_button.click()
    assert dialog.run_button.text() == "Cancel"
    qtbot.waitUntil(lambda: dialog.job.found is not None, timeout=60_000)
    return dialog


def test_it_finds_what_the_command_line_finds_and_shows_every_candidate(searched, tmp_path):
    with Store(tmp_path / KEPT) as store:
        found = explore(search_in(SPEC, "few", tmp_path), HERE, store)
    assert searched.job.found.outcomes == found.outcomes and searched.job.found.n_built == 0
    assert [row.candidate.number for row in searched.best.rows] == [one.candidate.number for one in found.front]
    assert len(searched.built.rows) + len(searched.fallen.rows) >= len(found.outcomes)
    assert searched.summary.text() == f"few: {found.summary}"
    assert len(searched.front.shown) == len(searched.built.rows)
    searched.pictures.setCurrentWidget(searched.coordinates)
    lines = searched.coordinates.shown
    assert len(lines) == len(searched.built.rows)
    assert all(0 <= share <= 1 for _, shares in lines for share in shares)


def test_a_point_chooses_its_row_and_opens_as_a_design(searched, window, qtbot):
    outcome = next(one for one in searched.front.shown if one.status == FRONT)
    searched.front.chosen.emit(outcome)
    assert searched.chosen == (outcome,) and searched.open_design.isEnabled()
    assert not searched.compare_design.isEnabled()
    searched.open_design.click()
    qtbot.waitUntil(lambda: len(window.session.design.servers()) == 8, timeout=20_000)
    assert len(window.session.design.switches()) == outcome.figures.switches and window.session.dirty


def test_two_candidates_open_compared_with_each_other(searched, window, qtbot, tmp_path):
    searched.lists.setCurrentWidget(searched.built)
    searched.built.selectAll()
    assert not searched.compare_design.isEnabled()
    model = searched.built.selectionModel()
    flags = model.SelectionFlag.Select | model.SelectionFlag.Rows
    model.clearSelection()
    for number in (0, 1):
        model.select(searched.built.index_of(number), flags)
    one, other = searched.chosen
    searched.compare_design.click()
    comparison = window.session.workbench.comparison
    qtbot.waitUntil(lambda: comparison.found is not None, timeout=30_000)
    assert comparison.path.name == f"candidate-{other.candidate.number}.fabric"
    assert len(document.load(comparison.path).switches()) == other.figures.switches
    assert len(window.session.design.switches()) == one.figures.switches


def test_a_search_that_is_cancelled_keeps_what_it_found(dialog, qtbot):
    dialog.run_button.click()
    qtbot.waitUntil(lambda: dialog.job.progress is not None and dialog.job.progress.done >= 2, timeout=60_000)
    dialog.run_button.click()
    assert not dialog.job.running and dialog.run_button.text() == "Search"
    assert dialog.summary.text().startswith("Cancelled with ") and dialog.outcomes
    dialog.run_button.click()
    qtbot.waitUntil(lambda: dialog.job.found is not None, timeout=60_000)
    buildable = len(dialog.built.rows)
    assert dialog.job.found.n_built < buildable


def test_a_mistake_in_the_text_is_named_while_it_is_typed(dialog, qtbot):
    dialog.text.setPlainText(SPEC.replace("gpus: 64", "gpus: few"))
    qtbot.waitUntil(lambda: dialog.fault.text() != "")
    assert dialog.fault.text() == "Search, line 3, gpus: 'few' is not a whole number."
    assert not dialog.run_button.isEnabled()
    dialog.text.setPlainText(SPEC)
    qtbot.waitUntil(lambda: dialog.run_button.isEnabled())
    assert not dialog.fault.isVisible()


def test_a_search_is_read_from_a_file_and_written_to_one(dialog, answers, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(SPEC.replace("few", "mine"), encoding="utf-8")
    dialog.open_file(path)
    assert dialog.search.name == "mine"
    dialog.open_file(tmp_path / "none.yaml")
    assert dialog.fault.text() == "none.yaml cannot be read as text."
