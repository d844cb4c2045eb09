"""The export dialog in the real window: formats, options, preview, writing, printing, and what is remembered."""

import csv
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QCheckBox

from designer.canvas import page_image
from designer.canvas.formats import formats
from designer.cli.main import DONE, run
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.drawing_options import DrawingOptions
from designer.exchange.exporters import EXPORTERS
from designer.exchange.options import keyed
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.storage import document
from designer.windows.export import dialog as export_dialog
from designer.windows.export import page_images
from designer.windows.export.as_shown import as_shown
from designer.windows.export.options_pane import OptionsPane
from designer.windows.export.printing import lay_out, place_on
from designer.windows.export.remembered import MOST_FILES, remember, remembered
from designer.windows.files.exporting import WRITING

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "fat-tree-16-2to1.fabric"
NEED_MORE = {
    "change-order": "option since",
    "astra-sim": '"Count tiers as one switch" (flatten=yes) writes it as one',
    "dxf": "the design has no racks",
}
"""Formats that write nothing of this design as their options are at first, and what they say then."""
LANES = (export_dialog.LANE, page_images.LANE, WRITING)


@pytest.fixture
def fabric(window, tmp_path, monkeypatch):
    """The window on a file of its own; nothing waits for the user to stop typing."""
    for name in ("PREVIEW_MS", "EDIT_MS"):
        monkeypatch.setattr(export_dialog, name, 1)
    path = tmp_path / "pod.fabric"
    path.write_bytes(EXAMPLE.read_bytes())
    window.session.open(path)
    return window.session.design


@pytest.fixture
def show(window, qtbot):
    """The dialog on a format, once nothing of it is under way."""

    def shown(name: str = ""):
        window.actions_table.trigger("file.export")
        found = window.dialogs["export"]
        if name:
            found.choose(name)
        settle(found)
        return found

    def settle(found):
        jobs, pane = window.session.jobs, found.preview.pages
        timers = (found._later, pane._resize_later)
        qtbot.waitUntil(
            lambda: not any(timer.isActive() for timer in timers) and not any(map(jobs.busy, LANES)), timeout=30_000
        )

    shown.settle = settle
    return shown


def rows_of(dialog):
    return dialog.preview.tables.rows.rows


def test_every_format_is_listed_once_and_found_by_a_few_letters(window, fabric, show):
    dialog = show()
    assert sorted(dialog.formats.names) == sorted(one.name for one in formats())
    dialog.formats.search.setText("xlsx")
    assert dialog.formats.names and set(dialog.formats.names) < {one.name for one in formats()}
    assert dialog.exporter.name in dialog.formats.names, "what is chosen is in the list"
    dialog.formats.search.setText("no such thing")
    assert dialog.formats.names == [] and not dialog.formats.tree.isVisible()
    dialog.formats.search.clear()
    assert len(dialog.formats.names) == len(list(formats()))


def test_each_format_has_a_form_of_its_options_and_a_preview(window, fabric, show):
    for exporter in formats():
        dialog = show(exporter.name)
        shown = {field.name for field in keyed(exporter.options).values() if field.is_shown}
        assert set(dialog.options.form.editors) == shown
        assert dialog.exporter.name == exporter.name and dialog.options.record() is not None
        has_preview = dialog.preview.current is not dialog.preview.message
        assert has_preview or exporter.name in NEED_MORE, dialog.preview.message.texts
        assert has_preview or NEED_MORE[exporter.name].lower() in dialog.preview.message.texts[1].lower()


def test_the_preview_follows_the_options(window, fabric, show):
    dialog = show("cable-plan")
    assert len(rows_of(dialog)) == len(fabric.links)
    dialog.options.form.editors["both_ways"].setChecked(True)
    show.settle(dialog)
    assert f"{2 * len(fabric.links)} rows" in dialog.preview.tables.caption.whole_text


def test_what_cannot_be_written_as_its_options_are_cannot_be_exported_until_they_change(window, fabric, show):
    dialog = show("astra-sim")
    assert dialog.preview.message.isVisible() and not dialog.export.isEnabled()
    dialog._show_work("Writing …")
    dialog._show_work("")
    assert not dialog.export.isEnabled()
    dialog.choose("cable-plan")
    show.settle(dialog)
    assert dialog.export.isEnabled()


def test_the_preview_follows_the_design(window, fabric, show):
    dialog = show("cable-plan")
    window.session.push(operations.delete(fabric, [next(iter(fabric.links))]))
    show.settle(dialog)
    assert len(rows_of(dialog)) == len(fabric.links)


def test_pages_are_painted_in_a_worker(window, fabric, show, monkeypatch):
    threads = []
    paint = page_image.paint_page
    monkeypatch.setattr(
        page_image, "paint_page", lambda *args: (threads.append(threading.current_thread()), paint(*args))
    )
    dialog = show("pdf")
    image = dialog.preview.pages.page.shown
    (page,) = dialog.preview.pages.pages
    assert image.width() / image.height() == pytest.approx(page.width_mm / page.height_mm, rel=0.02)
    assert threads and threading.main_thread() not in threads
    dialog.preview.pages.page.zoom_by(1)
    show.settle(dialog)
    assert dialog.preview.pages.page.shown.width() == pytest.approx(1.5 * image.width(), rel=0.02)
    dialog.preview.pages.page.fit()
    show.settle(dialog)
    assert dialog.preview.pages.page.shown.size() == image.size()


def test_an_option_that_makes_no_sense_is_said_and_nothing_can_be_written(window, fabric, show):
    dialog = show("png")
    dialog.options.form.editors["width"].setText("9")
    show.settle(dialog)
    assert "64 to 16,384" in dialog.options.refusal.text() and not dialog.export.isEnabled()
    dialog.options.form.editors["width"].setText("640")
    show.settle(dialog)
    assert not dialog.options.refusal.isVisible() and dialog.export.isEnabled()


def test_the_file_is_written_as_the_options_have_it_under_a_name_that_says_what_it_is(
    window, fabric, answers, show, tmp_path
):
    dialog, path = show("cable-plan"), tmp_path / "plan.csv"
    dialog.options.form.editors["both_ways"].setChecked(True)
    answers.on_save.append(path)
    dialog.write()
    show.settle(dialog)
    assert answers.asked[-1] == "Cable plan as CSV pod-cable-plan.csv"
    with path.open(newline="", encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == 1 + 2 * len(fabric.links)
    assert dialog.file_name.whole_text == "Wrote plan.csv." and not dialog.cancel.isVisible()


def test_what_a_written_file_says_is_said_with_its_name(window, fabric, answers, show, tmp_path):
    dialog, path = show("hostnames"), tmp_path / "hosts.txt"
    answers.on_save.append(path)
    dialog.write()
    show.settle(dialog)
    assert path.read_text().startswith("gpu-01 slots=8\n")
    assert dialog.file_name.whole_text == "Wrote hosts.txt: 16 hosts, 128 ranks."


def test_the_first_file_is_offered_beside_the_design(window, fabric, answers, monkeypatch, show, tmp_path):
    dialog, offered = show("cable-plan"), []
    monkeypatch.setattr(answers, "save_path", lambda title, suggestion, filter: offered.append(suggestion))
    dialog.write()
    assert offered == [str(tmp_path / "pod-cable-plan.csv")]


def test_what_cannot_be_written_is_said(window, fabric, answers, show, tmp_path):
    dialog = show("cable-plan")
    answers.on_save.append(tmp_path / "missing" / "plan.csv")
    dialog.write()
    show.settle(dialog)
    assert "there is no folder" in dialog.file_name.whole_text and dialog.export.isEnabled()


def test_an_export_that_is_cancelled_writes_nothing(window, fabric, answers, show, tmp_path):
    dialog, path = show("cable-plan"), tmp_path / "plan.csv"
    answers.on_save.append(path)
    dialog.write()
    assert dialog.cancel.isVisible() and not dialog.export.isEnabled()
    dialog.cancel.click()
    assert dialog.export.isEnabled() and "nothing was written" in dialog.file_name.whole_text
    window.session.jobs.lane(WRITING).shut_down()
    assert not path.exists()


def test_options_are_remembered_for_each_file(window, fabric, answers, show, tmp_path):
    dialog = show("cable-plan")
    dialog.options.form.editors["both_ways"].setChecked(True)
    before = document.encode(fabric)
    other = tmp_path / "other.fabric"
    other.write_bytes(EXAMPLE.read_bytes())
    window.session.open(other)
    dialog = show("cable-plan")
    assert not dialog.options.record().both_ways
    window.session.open(tmp_path / "pod.fabric")
    show.settle(dialog)
    assert dialog.exporter.name == "cable-plan" and dialog.options.record().both_ways
    assert document.encode(window.session.design) == before, "the design knows nothing of it"
    assert remembered(window.preferences, tmp_path / "pod.fabric").options == {"cable-plan": {"both-ways": "yes"}}
    dialog.close()
    assert remembered(window.preferences, other).format == "cable-plan"
    assert remembered(window.preferences, other).options == {}, "only what the user has set"


@pytest.mark.parametrize("text", ["no json", "[]", '{"x": 1}', '{"": {"format": 7, "options": {"svg": 3}}}'])
def test_what_is_remembered_badly_counts_as_nothing(window, text):
    window.preferences.set_text("export/by-file", text)
    found = remembered(window.preferences, None)
    assert all(one == {} for one in found.options.values())


def test_an_option_that_no_longer_fits_is_left_at_its_default(window, fabric, show):
    dialog = show("png")
    dialog.options.show_texts({"width": "many", "theme": "dark", "gone": "x", "view": "moon"})
    assert dialog.options.record() == type(dialog.options.record())(theme="dark")


def test_the_designs_exported_longest_ago_are_forgotten(window, tmp_path):
    paths = [tmp_path / f"{number}.fabric" for number in range(MOST_FILES + 2)]
    for path in paths:
        remember(window.preferences, path, "svg", {"theme": "dark"})
    kept = [path for path in paths if remembered(window.preferences, path).format]
    assert kept == paths[2:]


def test_heat_that_options_cannot_say_is_left_out(window, fabric, qtbot):
    simulation = window.session.workbench.simulation
    simulation.scenario = replace(simulation.scenario, ranks=8)
    window.actions_table.trigger("simulate.run")
    qtbot.waitUntil(lambda: window.session.workbench.heat_view.heat is not None, timeout=60_000)
    assert "heat" not in as_shown(window.desk, DiagramOptions)
    assert "heat" not in as_shown(window.desk, DrawingOptions)


def test_open_points_are_shown_before_anything_is_written(window, fabric, show):
    links = list(fabric.links.values())[:3]
    changes = (Change(one, replace(one, length_m=None, length_source="")) for one in links)
    window.session.push(Edit("forget lengths", tuple(changes)))
    dialog = show("cable-plan")
    assert "lack what ordering needs" in dialog.options.headline.text() and dialog.options.prepare.isVisible()
    assert "no length" in dialog.options.reasons.text()
    assert not show("svg").options.headline.isVisible()


@pytest.mark.own_window
def test_a_diagram_begins_as_the_window_shows_it(window, fabric, show, qtbot):
    session = window.session
    session.hide_networks(frozenset({"storage"}))
    link = fabric.links_of(fabric.find("leaf-02").id)[0]
    session.mark_as_failed(frozenset({fabric.find("spine-01").id, link.id}), "Mark")
    window.actions_table.trigger("simulate.run")
    qtbot.waitUntil(lambda: session.workbench.heat_view.heat is not None, timeout=60_000)
    record = show("svg").options.record()
    assert record.networks == ("compute", "in-band", "north-south", "oob") and set(record.fail) == {
        "spine-01",
        f"{fabric.device(link.a.device_id).name}:{link.a.port}",
    }
    assert record.heat.startswith("all-reduce") and record.size == session.workbench.simulation.scenario.size_bytes
    dialog = show("svg")
    dialog.options.form.show_value("networks", ("compute",))
    dialog.options.as_shown.click()
    assert dialog.options.record() == record


def test_the_view_in_front_is_what_is_drawn_at_first(window, fabric, show):
    views = window.desk.views
    for view, name in ((views.floor, "floor"), (views.elevation, "elevation"), (views.canvas, "canvas")):
        views.show_view(view)
        found = as_shown(window.desk, DiagramOptions)
        assert (found["view"], found["side"]) == (name, "front")
    views.elevation.show_rear(True)
    assert as_shown(window.desk, DiagramOptions)["side"] == "rear"


def test_only_what_is_selected_is_drawn(window, fabric, show):
    dialog = show("svg")
    window.session.select(frozenset())
    dialog.options.selection.click()
    assert "Select devices" in dialog.options.refusal.text()
    window.session.select(frozenset({fabric.find("leaf-02").id, fabric.find("gpu-05").id, *list(fabric.links)[:1]}))
    dialog.options.selection.click()
    show.settle(dialog)
    assert set(dialog.options.record().only) == {"leaf-02", "gpu-05"} and not dialog.options.refusal.isVisible()
    (page,) = dialog.preview.pages.pages
    assert page.document.description.startswith("2 devices")
    assert not show("drawings").options.selection.isVisible()


def test_the_command_for_a_terminal_writes_the_same_file(window, fabric, show, tmp_path, monkeypatch):
    dialog = show("svg")
    dialog.options.show_values({"theme": "dark", "networks": ("compute",)})
    dialog.copy_command()
    words = QGuiApplication.clipboard().text().split()
    assert words[:2] == ["fabric-designer", "export"] and {"theme=dark", "networks=compute"} <= set(words)
    monkeypatch.chdir(tmp_path)
    assert run(words[1:]) == DONE
    assert (tmp_path / "pod-diagram.svg").is_file()


def test_a_large_design_is_looked_at_when_asked(window, fabric, show, monkeypatch):
    monkeypatch.setattr(export_dialog, "HEAVY_RECORDS", 10)
    dialog = show("cable-plan")
    assert dialog.preview.current is dialog.preview.message and dialog.look.isVisible()
    dialog.look.click()
    show.settle(dialog)
    assert len(rows_of(dialog)) == len(fabric.links)


@pytest.fixture
def printing(window, fabric, show, qtbot, tmp_path):
    """Print the pages of the drawings into a file; returns how many, and what the dialog says in the end."""

    def printed(first=0, last=0, stop_at=1.0):
        dialog = show("drawings")
        window.actions_table.trigger("file.print")
        show.settle(dialog)
        assert dialog.exporter.name == "drawings" and dialog.print.isEnabled()
        printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / "pages.pdf"))
        printer.setFromTo(first, last)
        dialog.printing.progressed.connect(lambda share: dialog.cancel.click() if share > stop_at else None)
        dialog.printing.print_on(printer, dialog.preview.pages.pages)
        assert dialog.cancel.isVisible() and not dialog.export.isEnabled() and not dialog.print.isEnabled()
        qtbot.waitUntil(lambda: not dialog.printing.is_busy, timeout=20_000)
        assert dialog.export.isEnabled() and dialog.print.isEnabled() and not dialog.cancel.isVisible()
        count = (tmp_path / "pages.pdf").read_bytes().count(b"/Type /Page\n")
        return count, dialog.file_name.whole_text, len(dialog.preview.pages.pages)

    return printed


def test_the_pages_of_the_range_are_printed(printing):
    count, stated, n_pages = printing(2, 4)
    assert (count, stated) == (3, "Printed 3 pages.") and n_pages > 4


def test_printing_stops_after_the_page_that_is_printed(printing):
    count, stated, n_pages = printing(stop_at=0.0)
    assert (count, stated) == (1, f"Printed 1 of {n_pages} pages.")


def test_a_dialog_that_is_closed_prints_no_more(window, fabric, show, tmp_path):
    dialog = show("drawings")
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "pages.pdf"))
    dialog.printing.print_on(printer, dialog.preview.pages.pages)
    dialog.close()
    assert not dialog.printing.is_busy and dialog.file_name.whole_text.startswith("Printed 0 of ")


def test_a_page_keeps_its_size_on_its_paper_and_is_fitted_to_other_paper(window, fabric, show, tmp_path):
    dialog = show("drawings")
    page = dialog.preview.pages.pages[0]
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "page.pdf"))
    for paper, wanted in ((QPageSize.PageSizeId.A4, 1.0), (QPageSize.PageSizeId.A5, (148 - 10) / 210)):
        lay_out(printer, page)
        printer.setPageSize(QPageSize(paper))
        scale, left, top = place_on(printer, page)
        dots = page.width_mm / 25.4 * printer.resolution()
        assert scale * page.area[2] == pytest.approx(wanted * dots, rel=0.01)
        assert (left >= 0 and top >= 0) and printer.pageLayout().orientation() == QPageLayout.Orientation.Landscape


def test_a_dialog_that_is_closed_computes_nothing(window, fabric, show):
    dialog = show("cable-plan")
    dialog.close()
    window.session.push(operations.delete(fabric, [next(iter(fabric.links))]))
    assert not dialog._later.isActive()


def test_the_sheet_of_changes_is_offered_once_an_earlier_issue_is_named(show, fabric):
    dialog = show("drawings")
    boxes = {box.text(): box for box in dialog.options.form.editors["sheets"].findChildren(QCheckBox)}
    box = boxes["Changes (fill in Changes since)"]
    assert not box.isEnabled() and not box.isChecked()
    assert dialog.options.form.parameters().sheets == ()
    dialog.options.form.show_value("since", "1")
    assert box.text() == "Changes" and box.isEnabled() and box.isChecked()
    assert dialog.options.form.parameters().sheets == ()
    box.setChecked(False)
    assert "changes" not in dialog.options.form.parameters().sheets
    dialog.options.form.show_value("since", "")
    assert not box.isEnabled() and dialog.options.form.parameters().sheets == ()
    dialog.options.form.show_value("since", "1")
    assert not box.isChecked(), "as it was left"


@pytest.mark.parametrize("name", ["drawio", "graphml"])
def test_no_tick_of_the_options_is_cut(qtbot, catalog, name):
    pane = OptionsPane(EXPORTERS.named(name), catalog)
    qtbot.addWidget(pane)
    pane.resize(pane.width(), 900)
    pane.show()
    qtbot.waitExposed(pane)
    boxes = [one for one in pane.findChildren(QCheckBox) if one.text()]
    assert all(one.width() >= one.sizeHint().width() for one in boxes)
