"""The dialog of a search in the real window: it finds what the command line finds, and opens candidates as designs."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen

from designer.exploring.figures import CABLES, COST, GPUS, LOSS, POWER, TIME, objectives_of
from designer.exploring.results import DOMINATED, FRONT
from designer.exploring.search import explore
from designer.exploring.spec_text import search_in
from designer.panels.studies.plot_legend import PlotLegend, Symbol
from designer.regeneration import recipes
from designer.session.exploring import KEPT
from designer.storage import document
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.windows.exploring import dialog as dialogs
from designer.windows.exploring.front_plot import _ticks
from designer.workers.progress import Progress
from designer.workers.store import Store
from designer.workers.where import HERE

pytestmark = pytest.mark.own_window

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
    dialog.spec.text.setPlainText(SPEC)
    dialog.spec.read()
    return dialog


def test_a_search_starts_from_the_open_design_and_undo_brings_the_text_back(dialog, window, catalog):
    session, spec = window.session, dialog.spec
    spec.own_button.click()
    assert "has no GPUs" in spec.fault.text() and spec.text.toPlainText() == SPEC
    parameters = RailOptimizedParameters(servers=8, servers_per_su=4, oversubscription=2)
    session.push(recipes.generated(session.design, recipes.family_named("rail-optimized"), parameters, catalog))
    spec.own_button.click()
    assert spec.search is not None and spec.search.gpus == (64, 64) and not spec.fault.text()
    assert "oversubscription: [2, 1, 3]" in spec.text.toPlainText()
    spec.text.undo()
    assert spec.text.toPlainText() == SPEC


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
    assert "worse by more than 1 % in nothing" in searched.lists.tabToolTip(0)
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


class Spot:
    def __init__(self, outcome):
        self._outcome = outcome

    def data(self):
        return self._outcome


def test_points_on_each_other_are_counted_named_and_chosen_in_turn(searched):
    front, rows = searched.front, searched.built.rows
    ((_, _, count),) = front.places(8.0, 8.0)  # on so small a plot all are one place
    assert count == len(rows)
    assert len(front.places(1e9, 1e9)) > 1
    spots = [Spot(one) for one in rows]
    for one in (rows[0], rows[1], rows[2]):
        front._clicked(None, spots)
        assert searched.chosen == (one,)
    searched.coordinates._chosen = frozenset([rows[0].candidate.number])
    searched.coordinates._clicked(None, spots)
    assert searched.chosen == (rows[1],)
    tips = front.points.opts["tip"]
    assert tips(320.0, 0.005, rows[0]).startswith(f"#{rows[0].candidate.number} {rows[0].candidate.title}\n")
    rings = [one for one in front.widget.getPlotItem().items if one.zValue() == 1]
    assert rings
    assert all(one.zValue() < front.points.zValue() for one in rings)


def test_axes_of_parallel_coordinates_have_values_from_end_to_end(searched):
    searched.pictures.setCurrentWidget(searched.coordinates)
    coordinates = searched.coordinates
    values = coordinates.values(coordinates.shown)
    for number, objective in enumerate(searched.job.found.objectives):
        known = [objective.of(one.figures) for one in searched.built.rows]
        texts = {share: text for axis, share, text in values if axis == number}
        assert texts[0.0] == objective.text(min(known))
        if min(known) < max(known):
            assert texts[1.0] == objective.text(max(known))
            assert len(set(texts.values())) == len(texts) >= 2
        else:
            assert len(texts) == 1
    tip = coordinates.points.opts["tip"](0.0, 0.5, searched.built.rows[0])
    assert tip.startswith(f"#{searched.built.rows[0].candidate.number} {searched.built.rows[0].candidate.title}\n")


def test_candidates_are_named_by_what_differs_with_all_parameters_in_the_tip(searched):
    titles = [row.candidate.title for row in searched.built.rows]
    assert len(set(titles)) == len(titles) and all(one.startswith("Rail-optimized, ") for one in titles)
    assert not any("DGX" in one for one in titles)
    index = searched.built.index_of(0, searched.built.column("title"))
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "server dgx-h100" in tip and "servers per su" in tip


def test_a_running_search_says_how_far_it_is_until_there_are_points(dialog, monkeypatch):
    dialog.job.running, dialog.job.search = True, dialog.spec.search
    dialog._draw()
    assert not dialog.waiting.isHidden() and dialog.front.isHidden()
    assert dialog.waiting.text() == "Counting candidates …"
    dialog.job.progress = Progress(0, 560, 0, 1.0)
    dialog._draw()
    assert dialog.waiting.text() == "0 of 560 candidates computed; points follow as they come."
    dialog.job.progress = Progress(12, 560, 0, 1.0)
    dialog._draw()
    assert dialog.waiting.text() == "12 of 560 candidates computed; none keeps all limits so far."
    dialog.job.running = False


def test_axes_of_a_running_search_are_figures_that_all_have_so_far(searched):
    outcomes = searched.outcomes
    best = next(one for one in outcomes if one.figures is not None and one.status == FRONT)
    assert best.figures.money.power_w is not None
    searched.job.found, searched.job._heard = None, [best]
    searched._show_results()
    titles = [searched.across.itemText(number) for number in range(searched.across.count())]
    assert "Power" in titles and "Cables" in titles
    searched.up.setCurrentIndex(titles.index("Cables"))
    unknown = replace(best, figures=replace(best.figures, money=replace(best.figures.money, power_w=None)))
    searched.job._heard = [best, unknown]
    searched._show_results()
    assert "Power" not in [searched.across.itemText(number) for number in range(searched.across.count())]
    assert searched.up.currentText() == "Cables" and len(searched.front.shown) == 2


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
    dialog.spec.text.setPlainText(SPEC.replace("gpus: 64", "gpus: few"))
    qtbot.waitUntil(lambda: dialog.spec.fault.text() != "")
    assert dialog.spec.fault.text() == "Search, line 3, gpus: 'few' is not a whole number."
    assert not dialog.run_button.isEnabled()
    dialog.spec.text.setPlainText(SPEC)
    qtbot.waitUntil(lambda: dialog.run_button.isEnabled())
    assert not dialog.spec.fault.isVisible()


def test_a_search_is_read_from_a_file_and_written_to_one(dialog, answers, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(SPEC.replace("few", "mine"), encoding="utf-8")
    dialog.spec.open_file(path)
    assert dialog.spec.search.name == "mine"
    dialog.spec.open_file(tmp_path / "none.yaml")
    assert dialog.spec.fault.text() == "none.yaml cannot be read as text."


def headings(table):
    return [column.title for column in table.shown.columns]


def test_columns_come_in_the_order_in_which_they_decide_and_costs_state_their_currency(dialog, tmp_path):
    decisive = ["#", "Candidate", "Mean time", "Worst failure", "Power, at least", "Cables"]
    assert headings(dialog.best)[: len(decisive)] == headings(dialog.built)[: len(decisive)] == decisive
    (tmp_path / "prices.csv").write_text("part number,price,currency,date\nDGX H100,300000,EUR,2026-11-01\n")
    path = tmp_path / "priced.yaml"
    path.write_text(f"{SPEC}prices: prices.csv\n", encoding="utf-8")
    dialog.spec.open_file(path)
    assert dialog.spec.fault.text() == ""
    dialog._show_results()
    assert headings(dialog.best)[1:4] == ["Candidate", "Cost, EUR", "Mean time"]
    assert [one.label for one in objectives_of(dialog.spec.search)][:2] == ["Mean time", "Cost, EUR"]


def test_the_axis_of_costs_states_its_currency(searched):
    cost = replace(COST, unit="EUR")
    searched.front.show_outcomes(searched.outcomes, TIME, cost)
    assert searched.front.widget.getAxis("left").labelText == "Cost, EUR"
    assert cost.figure(1234567.0) == "1,234,567 EUR" and TIME.figure(1.0) == TIME.text(1.0)
    assert [one.label for one in objectives_of(searched.spec.search)][:2] == ["Mean time", "Power"]


@pytest.mark.parametrize(
    ("objective", "values", "spacing", "texts"),
    [
        (TIME, (0.0054042, 0.0054044, 0.0054046), 2e-7, ["5.4042 ms", "5.4044 ms", "5.4046 ms"]),
        (TIME, (0.0054042,), 2e-7, ["5.4042 ms"]),
        (TIME, (0.002, 0.004), 0.002, ["2 ms", "4 ms"]),
        (CABLES, (10.0, 10.5, 11.0), 0.5, ["10", "", "11"]),
        (CABLES, (10.5, 11.5), 0.5, ["", ""]),
        (GPUS, (-65.0, -64.5, -64.0), 0.5, ["65", "", "64"]),
        (POWER, (40_000.0, 40_020.0, 40_040.0), 20.0, ["40.00 kW", "40.02 kW", "40.04 kW"]),
        (LOSS, (0.1000002, 0.1000004), 2e-7, ["10.00002 %", "10.00004 %"]),
    ],
)
def test_no_two_ticks_of_an_axis_look_alike(objective, values, spacing, texts):
    assert _ticks(objective)(values, 1.0, spacing) == texts


def test_the_plot_says_what_its_symbols_sizes_and_rings_mean(searched):
    front = searched.front
    entries = {name: symbol for symbol, name in front.legend._entries}
    assert list(entries) == ["Rail-optimized", "Large: best", "Small and pale: not best"]
    best, other = entries["Large: best"], entries["Small and pale: not best"]
    spots = {spot.data().status: spot for spot in front.points.points()}
    assert (best.size_px, other.size_px) == (spots[FRONT].size(), spots[DOMINATED].size())
    assert best.brush.color().alpha() == spots[FRONT].brush().color().alpha()
    assert other.brush.color().alpha() == spots[DOMINATED].brush().color().alpha() < best.brush.color().alpha()
    assert entries["Rail-optimized"].brush.color() == spots[FRONT].brush().color()
    searched.choose(front.shown[0])
    assert [name for _, name in front.legend._entries][-1] == "Selected"


def test_symbols_of_a_legend_are_painted_in_their_color(qapp):
    box, picture = QPainterPath(), QImage(60, 20, QImage.Format.Format_RGB32)
    box.addRect(-0.5, -0.5, 1.0, 1.0)
    legend = PlotLegend(None)
    red = QColor("#ff0000")
    legend.show_entries([(Symbol(box, 10.0, QBrush(red), QPen(Qt.PenStyle.NoPen)), "x")], QColor("black"))
    legend.fit(60.0, 100.0)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    legend.paint(painter, None)
    painter.end()
    reds = [(x, y) for x in range(60) for y in range(20) if picture.pixelColor(x, y) == red]
    assert 80 <= len(reds) <= 110 and all(7 <= x <= 17 for x, _ in reds)
