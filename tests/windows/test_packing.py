"""The hand-over from the window: packs, revisions, redacted copies, and designs that are only looked at."""

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices

from designer.canvas.formats import formats
from designer.errors import EditError
from designer.exchange.exporter import Exporter
from designer.exchange.revisions import RevisionOptions, record
from designer.model import operations
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.units import format_memory

pytestmark = pytest.mark.own_window

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"


@pytest.fixture
def pair(window):
    """Two switches and a cable."""
    session = window.session
    for x in (0, 300):
        switch = session.catalog.get("nvidia-qm9700")
        session.push(operations.add_device(session.design, switch, x, 0, catalog_types=session.catalog.types))
    session.push(operations.connect_devices(session.design, *session.design.devices, 1))
    return session.design


@pytest.fixture
def dialog(window, pair):
    window.actions_table.trigger("file.pack")
    dialog = window.dialogs["pack"]
    for key in ("drawings", "plan", "labels", "bill"):
        dialog.contents[key].setChecked(False)
    return dialog


def test_a_pack_is_written_and_its_revision_is_a_step_to_undo(window, dialog, pair, answers, tmp_path, qtbot):
    answers.on_save.append(tmp_path / "pod")
    dialog.form.set_text("revision", "A")
    dialog.form.set_text("date", "2026-11-22")
    dialog.do()
    assert dialog.bar.isVisible() and dialog.cancel.isVisible() and not dialog.pack.isEnabled()
    qtbot.waitUntil(lambda: dialog.pack.isEnabled(), timeout=60_000)
    assert answers.asked == ["Export Hand-over Package untitled-hand-over.zip"]
    assert "Wrote pod.zip: " in dialog.state.text() and "save the design to keep it" in dialog.state.text()
    names = zipfile.ZipFile(tmp_path / "pod.zip").namelist()
    assert "summary.html" in names and "untitled-labels.csv" in names and "untitled-labels.pdf" not in names
    assert [one.number for one in pair.revisions.values()] == ["A"]
    assert window.session.undo_stack.undoText() == "Record revision A"
    window.session.undo_stack.undo()
    assert not pair.revisions


def test_a_pack_compares_the_run_in_sight_with_those_that_were_pinned(window, dialog, answers, tmp_path, qtbot):
    session = window.session
    server = session.catalog.get("dgx-h100")
    for x in (0, 300):
        session.push(operations.add_device(session.design, server, x, 300, catalog_types=session.catalog.types))
    session.push(operations.connect_devices(session.design, "d3", "d1", 8))
    session.push(operations.connect_devices(session.design, "d4", "d1", 8))
    simulation, pins = session.workbench.simulation, session.workbench.pins
    simulation.scenario = Scenario(collective="all-to-all", size_bytes=2**20)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.current_result is not None, timeout=60_000)
    pins.pin()
    session.push(operations.connect_devices(session.design, "d1", "d2", 1))
    simulation.run()
    qtbot.waitUntil(lambda: simulation.current_result is not None, timeout=60_000)
    pins.pin()
    pinned = simulation.current_result
    simulation.run()
    qtbot.waitUntil(lambda: simulation.current_result not in (None, pinned), timeout=60_000)
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    qtbot.waitUntil(dialog.files.isVisible, timeout=60_000)
    page = zipfile.ZipFile(tmp_path / "pod.zip").read("summary.html").decode()
    assert page.count(">Pinned run 1<") == 1 and page.count("Pinned run 2") == 1
    assert ">Pinned run 2 is listed above: all-to-all, direct · spray, 1 MiB, 16 ranks, of this design" in page
    assert "2 servers, 2 switches, 17 links" in page and "2 servers, 2 switches, 18 links" in page


def test_a_written_pack_is_listed_with_sizes_purposes_and_what_is_missing(
    dialog, answers, tmp_path, qtbot, monkeypatch
):
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    qtbot.waitUntil(dialog.files.isVisible, timeout=60_000)
    rows = {row.name: dialog.files.texts(number) for number, row in enumerate(dialog.files.rows)}
    packed = zipfile.ZipFile(tmp_path / "pod.zip")
    assert rows["untitled-labels.csv"][1:] == [
        format_memory(packed.getinfo("untitled-labels.csv").file_size),
        "Cable labels for a label printer",
    ]
    assert rows["Drawings (PDF)"][1:] == ["not written", "Skipped: not selected"]
    assert rows["Change order (XLSX)"][1:] == ["not written", "Skipped: no earlier revision to compare with"]
    assert f"Folder: {tmp_path}" in dialog.state.text() and not dialog.choices.isVisible()
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog.open_folder.click()
    assert opened == [str(tmp_path)]
    dialog.again.click()
    assert dialog.choices.isVisible() and dialog.pack.isVisible() and not dialog.files.isVisible()


def test_what_could_not_be_made_comes_first(dialog, answers, tmp_path, qtbot, monkeypatch):
    def fail(*_given):
        raise EditError("the printer is out of ink")

    write = Exporter.write
    row = next(one for one in formats() if one.name == "svg")
    monkeypatch.setattr(Exporter, "write", lambda self, *given: fail() if self is row else write(self, *given))
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    qtbot.waitUntil(dialog.files.isVisible, timeout=60_000)
    rows = [dialog.files.texts(number) for number in range(len(dialog.files.rows))]
    failed = [row for row in rows if row[2].startswith("Failed: ")]
    assert ["untitled-diagram.svg", "not written", "Failed: the printer is out of ink"] in failed
    assert rows[: len(failed)] == failed
    assert f"{len(failed)} files could not be made: see the list." in dialog.state.text()


def test_a_pack_begins_with_the_price_list_of_the_window_and_says_nothing_of_the_last_one(window, dialog, tmp_path):
    assert dialog.form.read()[0]["prices"] == ""
    dialog.state.setText("Wrote pod.zip: 3 files.")
    dialog.close()
    window.desk.preferences.price_list = str(tmp_path / "prices.csv")
    window.actions_table.trigger("file.pack")
    assert dialog.form.read()[0]["prices"] == str(tmp_path / "prices.csv")
    assert not dialog.state.text()


def test_a_pack_has_the_cost_by_the_terms_of_the_window(window, dialog, answers, tmp_path, qtbot):
    dialog.terms.click()
    terms = window.dialogs["cost"]
    terms.form.set_text("energy_price", "0.31 EUR")
    terms.apply()
    for key in dialog.contents:
        dialog.contents[key].setChecked(False)
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    qtbot.waitUntil(lambda: dialog.state.text().startswith("Wrote pod.zip"), timeout=30_000)
    index = json.loads(zipfile.ZipFile(tmp_path / "pod.zip").read("index.json"))
    assert index["cost"]["energy_price"] == "0.31 EUR" and index["cost"]["rows"][0]["capital"] is None


def test_what_cannot_be_recorded_is_said_before_a_file_is_asked_for(window, dialog, pair, answers):
    window.session.push(record(pair, RevisionOptions(revision="A")))
    dialog.form.set_text("revision", "A")
    dialog.do()
    assert "already" in dialog.refusal.text() and not answers.asked
    dialog.form.set_text("revision", "B")
    dialog.form.set_text("date", "soon")
    dialog.do()
    assert "write it like 2026-11-22" in dialog.refusal.text() and not answers.asked


def test_a_cancelled_pack_leaves_nothing(window, dialog, answers, tmp_path, qtbot):
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    dialog.cancel.click()
    assert dialog.state.text() == "Cancelled: nothing was written."
    window.session.jobs.shut_down()
    assert not list(tmp_path.glob("*.zip"))


def test_a_folder_that_is_not_there_is_said(dialog, answers, tmp_path, qtbot):
    answers.on_save.append(tmp_path / "gone" / "pod.zip")
    dialog.do()
    qtbot.waitUntil(lambda: bool(dialog.refusal.text()), timeout=60_000)
    assert "pod.zip could not be saved: there is no folder" in dialog.refusal.text()


def test_recording_suggests_the_next_number_and_the_inspector_lists_revisions(window, pair):
    window.actions_table.trigger("file.record")
    dialog = window.dialogs["record"]
    dialog.form.set_text("date", "2026-11-22")
    dialog.form.set_text("note", "for review")
    dialog.do()
    assert not dialog.isVisible()
    assert window.notice.text.text() == "Revision 1 recorded with 1 link. Save the design to keep it."
    window.actions_table.trigger("file.record")
    assert dialog.form.read()[0]["revision"] == "2"
    dialog.form.set_text("date", "")
    dialog.do()
    window.session.select(())
    window.docks.inspector.refresh()
    assert window.docks.inspector.design_page.revisions.text() == "2\n1: 2026-11-22, for review"
    assert all(link.cable for link in pair.links.values())


def test_a_redacted_copy_is_another_file(window, pair, answers, tmp_path, qtbot):
    window.session.push(operations.rename(pair, "d1", "acme-core"))
    window.session.save(tmp_path / "own.fabric")
    answers.on_save += [tmp_path / "own.fabric", tmp_path / "copy"]
    window.actions_table.trigger("file.save_redacted")
    assert "is the design itself" in window.notice.text.text()
    window.actions_table.trigger("file.save_redacted")
    qtbot.waitUntil(lambda: "Saved copy.fabric" in window.notice.text.text(), timeout=30_000)
    assert "acme" not in (tmp_path / "copy.fabric").read_text()
    assert "acme-core" in (tmp_path / "own.fabric").read_text() and window.session.path == tmp_path / "own.fabric"


@pytest.fixture
def looked_at(window, pair, answers, tmp_path):
    """The pair, open as read-only."""
    path = tmp_path / "pair.fabric"
    window.session.save(path)
    answers.on_open.append(path)
    window.actions_table.trigger("file.open_read_only")
    return window


def test_a_design_that_is_only_looked_at_refuses_every_edit_in_words(looked_at):
    window = looked_at
    session = window.session
    before = document.encode(session.design)
    assert "(read-only)" in window.windowTitle()
    with pytest.raises(EditError, match=r"pair\.fabric is open as read-only: choose File > Save As"):
        session.push(operations.rename(session.design, "d1", "other"))
    session.select(["d1"])
    window.actions_table.trigger("edit.delete")
    assert "is open as read-only" in window.notice.text.text()
    assert document.encode(session.design) == before and not session.dirty
    for action in ("file.save", "file.record"):
        assert not window.actions_table.rows[action].enabled(window.desk)
    session.mark_as_failed(frozenset({"d1"}), "Fail")
    assert session.failed


def test_saving_under_another_name_makes_a_copy_to_work_on(looked_at, answers, tmp_path):
    session = looked_at.session
    answers.on_save.append(tmp_path / "mine.fabric")
    looked_at.actions_table.trigger("file.save_as")
    assert "(read-only)" not in looked_at.windowTitle()
    session.push(operations.rename(session.design, "d1", "other"))
    session.new()
    assert not session.is_read_only


def test_a_file_that_changes_on_disk_is_shown_again_and_stays_read_only(looked_at, qtbot):
    session = looked_at.session
    other = document.load(session.path)
    other.apply(operations.rename(other, "d1", "renamed"))
    document.save(other, session.path)
    session.disk.reload()
    qtbot.waitUntil(lambda: session.design.devices["d1"].name == "renamed", timeout=20_000)
    assert session.is_read_only


@pytest.mark.parametrize("is_current", [True, False])
def test_the_summary_shows_the_run_that_is_on_the_screen_while_it_is_current(
    window, answers, tmp_path, qtbot, is_current
):
    session = window.session
    session.replace(document.load(EXAMPLE), None)
    simulation = session.workbench.simulation
    simulation.scenario = Scenario(collective="all-gather", size_bytes=2**20)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    if not is_current:
        session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    window.actions_table.trigger("file.pack")
    dialog = window.dialogs["pack"]
    for box in dialog.contents.values():
        box.setChecked(False)
    answers.on_save.append(tmp_path / "pod.zip")
    dialog.do()
    qtbot.waitUntil(lambda: dialog.pack.isEnabled(), timeout=60_000)
    page = zipfile.ZipFile(tmp_path / "pod.zip").read("summary.html").decode()
    assert ("Selected simulation: all-gather, ring · spray, 1 MiB, 128 ranks" in page) is is_current
