"""Compare With: a colleague's design and what was built, colored on every view, listed, and in figures."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStyleOptionViewItem

from designer.analysis import comparing
from designer.analysis.new_designs import new_design
from designer.canvas import comparison_layer
from designer.drawing.camera import Camera
from designer.drawing.parts.primitives import Group
from designer.exchange.comparison import report
from designer.exchange.exporters import EXPORTERS
from designer.model import collapsing, operations, removing
from designer.model.edit import Change, Edit
from designer.panels.comparison import _shared
from designer.regeneration.recipes import family_named
from designer.storage import document
from designer.windows.files.exporting import WRITING
from designer.windows.shell.docks import PLACES

EXAMPLE = Path(__file__).parents[2] / "examples" / "fat-tree-16-2to1.fabric"


@pytest.fixture(scope="module")
def plan():
    return document.load(EXAMPLE)


@pytest.fixture(scope="module")
def colleague(plan, tmp_path_factory):
    """A server less, a switch renamed, a switch more, and two cables in each other's port."""
    design = plan.snapshot()
    servers = design.servers()
    one, other = (design.links_of(server.id)[0] for server in servers[:2])
    pairs = ((one, replace(one, b=other.b)), (other, replace(other, b=one.b)))
    design.apply(Edit("swap", tuple(Change(*pair) for pair in pairs)))
    design.apply(removing.delete(design, [servers[-1].id]))
    spine = design.switches()[-1]
    design.apply(operations.rename(design, spine.id, "top"))
    design.apply(operations.add_device(design, design.device_type(spine.id), 900, -300, catalog_types={}, name="new"))
    path = tmp_path_factory.mktemp("colleague") / "theirs.fabric"
    document.save(design, path)
    return path


@pytest.fixture(scope="module")
def built(plan, tmp_path_factory):
    """The cable plan without its first cable."""
    path = tmp_path_factory.mktemp("built") / "built.csv"
    EXPORTERS.named("cable-plan").write(plan, path)
    head, _first, *rest = path.read_text(encoding="utf-8").splitlines(True)
    path.write_text("".join((head, *rest)), encoding="utf-8")
    return path


def compared(window, qtbot, answers, path):
    job = window.session.workbench.comparison
    answers.on_open = [path]
    window.actions_table.trigger("file.compare")
    qtbot.waitUntil(lambda: job.figures is not None, timeout=60_000)
    return job


@pytest.fixture
def opened(window):
    window.session.open(EXAMPLE)
    window.views.show_canvas()
    return window


def classes(composition):
    coloured = composition.colouring
    return coloured._device_classes()


def test_a_colleagues_changes_are_listed_colored_and_in_figures(opened, qtbot, answers, colleague):
    job, panel = compared(opened, qtbot, answers, colleague), opened.docks.comparison
    assert opened.docks.shown("comparison") and panel.summary.whole_text.startswith(
        "From Fat-tree of 16 servers at 2:1 (fat-tree-16-2to1) to Fat-tree of 16 servers at 2:1 (theirs): "
    )
    named = {one.title for one in job.found.marked.marks.classes}
    assert {f"Added in {job.found.names[1]}", f"Removed from {job.found.names[0]}"} <= named
    assert panel.tabs.tabText(1) == f"Parts ({len(panel.parts.rows)})"
    changes = {row.change for row in panel.list.rows}
    assert changes >= {"added", "removed", "renamed", "miswired"}
    assert {row.name: row.change for row in panel.figures.rows}["Servers"] == -1
    assert panel.parts.rows and panel.parts_title.text().startswith("Parts")
    fabric = opened.views.canvas.fabric
    picture = fabric.composition.picture(opened.appearance.theme, fabric.detail(1.0), None)
    assert [key.title for key in picture.keys] == ["Devices by difference", "Links by difference"]
    spine = opened.session.design.switches()[-1].id
    assert picture.coloured.boxes[fabric.composition.projection.row_of[spine]] == 1
    assert job.found.places[spine] == 1


@pytest.mark.own_window
def test_of_alternatives_the_figures_come_first_and_the_list_is_folded(opened, qtbot, answers, plan, tmp_path):
    other = plan.snapshot()
    other.apply(removing.delete(other, list(other.links)[::2]))
    other.apply(operations.add_device(other, other.device_type(other.switches()[0].id), 9, 9, catalog_types={}))
    links = list(other.links.values())
    pairs = zip(links, [*links[9:], *links[:9]], strict=True)
    other.apply(Edit("turn", tuple(Change(one, replace(one, b=next_.b)) for one, next_ in pairs)))
    other.apply(Edit("name", (Change(other.settings, replace(other.settings, name="Other")),)))
    document.save(other, tmp_path / "other.fabric")
    job, panel = compared(opened, qtbot, answers, tmp_path / "other.fabric"), opened.docks.comparison
    assert panel.note.whole_text.startswith("Compared as alternatives") and panel.summary.isHidden()
    assert not panel.list.isVisible() and panel.search.isHidden() and panel._sides.indexOf(panel._both) == 0
    assert [one.title for one in panel.figures.shown.columns] == ["Figure", plan.name, "Other", "Difference"]
    assert panel.unfold.text() == f"Differences ({len(job.found.rows):,})"
    panel.unfold.click()
    assert job.found.alternatives in panel.about.text() and job.found.summary in panel.about.text()
    assert (
        panel.list.isVisible()
        and panel.about.isVisible()
        and {panel.list.texts(n)[0] for n in range(len(panel.list.rows))}
        == {
            f"only in {plan.name}",
            "only in Other",
            "differs",
        }
    )


@pytest.fixture
def alternative(plan, tmp_path):
    """The same servers with half of the links elsewhere, and a long name."""
    other = plan.snapshot()
    links = list(other.links.values())
    pairs = zip(links, [*links[9:], *links[:9]], strict=True)
    other.apply(Edit("turn", tuple(Change(one, replace(one, b=next_.b)) for one, next_ in pairs)))
    name = "Fat-tree of 16 servers without oversubscription, with more spines"
    other.apply(Edit("name", (Change(other.settings, replace(other.settings, name=name)),)))
    document.save(other, tmp_path / "alternative.fabric")
    return tmp_path / "alternative.fabric"


def figures_seen(window):
    """How many figures are whole in sight."""
    dock, table = window.docks._docks["comparison"].widget(), window.docks.comparison.figures
    within = dock.viewport().rect()
    rects = [table.visualRect(table.index_of(number)) for number in range(len(table.rows))]
    feet = [table.viewport().mapTo(dock.viewport(), one.bottomLeft()) for one in rects if not one.isEmpty()]
    shown = [one for one in feet if within.contains(one.x(), one.y())]
    return sum(table.viewport().rect().contains(table.viewport().mapFrom(dock.viewport(), one)) for one in shown)


def test_figures_are_in_sight_again_after_the_window_was_small(opened, qtbot, answers, alternative):
    opened.resize(1600, 1000)
    compared(opened, qtbot, answers, alternative)
    qtbot.waitUntil(lambda: figures_seen(opened) >= 9)
    opened.resize(1100, 700)
    qtbot.waitUntil(lambda: figures_seen(opened) >= 9)
    opened.resize(1600, 1000)
    qtbot.waitUntil(lambda: opened.docks._docks["comparison"].height() >= PLACES["comparison"][2] - 40)
    assert figures_seen(opened) >= 9


def test_figures_that_differ_come_first_and_those_that_are_the_same_are_quiet(opened, qtbot, answers, colleague):
    job, table = compared(opened, qtbot, answers, colleague), opened.docks.comparison.figures
    same = [row.is_same for row in table.rows]
    assert same == sorted(same) and {*same} == {False, True}
    names = [row.name for row in job.figures.rows]
    assert {row.name for row in table.rows} == {*names}
    assert names.index("Oversubscription") < names.index("Power, maximum") < names.index("Servers")
    role, muted = Qt.ItemDataRole.ForegroundRole, opened.appearance.theme.muted
    looks = [table.shown.index(number, 0).data(role) for number in range(len(same))]
    assert [look is not None and look.name() == QColor(muted).name() for look in looks] == same


@pytest.mark.parametrize(("size", "rows"), [((1600, 1000), 9), ((1100, 700), 9)])
def test_figures_of_alternatives_are_in_sight_at_once(opened, qtbot, answers, alternative, size, rows):
    opened.resize(*size)
    job, panel = compared(opened, qtbot, answers, alternative), opened.docks.comparison
    assert job.found.alternatives
    qtbot.waitUntil(lambda: figures_seen(opened) >= rows)
    table = panel.figures
    header = table.header()
    assert sum(header.sectionSize(number) for number in range(4)) <= table.viewport().width()
    assert panel.tabs.isVisible() and panel.buttons["Close"].isVisible()


@pytest.mark.own_window
def test_long_names_of_alternatives_are_cut_before_a_side_is_left_out(opened, qtbot, answers, alternative):
    opened.resize(1600, 1000)
    compared(opened, qtbot, answers, alternative)
    panel = opened.docks.comparison
    panel.unfold.setChecked(False)  # as another test may have left it
    panel.unfold.click()
    panel._sides.setSizes([480, panel.width() - 480])
    table, header = panel.figures, panel.figures.header()
    qtbot.waitUntil(lambda: table.viewport().width() < 500)
    qtbot.waitUntil(lambda: sum(header.sectionSize(n) for n in range(4)) <= table.viewport().width())
    assert not table.isColumnHidden(table.column("before"))


@pytest.mark.own_window
def test_how_alternatives_were_compared_is_read_whole_over_the_list(opened, qtbot, answers, alternative):
    opened.resize(1100, 700)
    compared(opened, qtbot, answers, alternative)
    panel = opened.docks.comparison
    panel.unfold.click()
    text = panel.about
    qtbot.waitUntil(lambda: text.height() >= text.heightForWidth(text.width()))
    assert panel.list.viewport().height() > 2 * text.fontMetrics().height()


def test_figures_are_before_after_and_change_with_the_ports_of_switches(opened, qtbot, answers, colleague):
    opened.resize(1440, 900)
    compared(opened, qtbot, answers, colleague)
    table = opened.docks.comparison.figures
    header = table.header()
    assert [one.title for one in table.shown.columns] == ["Figure", "Before", "After", "Change"]
    for number in range(4):
        assert not table.isColumnHidden(number)
        assert header.sectionViewportPosition(number) + header.sectionSize(number) <= table.viewport().width()
    design, rows = opened.session.design, {row.name: row for row in table.rows}
    switches = design.switches()
    assert rows["Switch ports used"].before == sum(design.n_used_ports(one.id) for one in switches)
    assert rows["Switch ports free"].before == sum(len(design.free_ports(one.id)) for one in switches) > 0


def test_changes_are_whole_words_and_in_sight_in_a_narrow_window(opened, qtbot, answers, colleague):
    opened.resize(1100, 700)
    compared(opened, qtbot, answers, colleague)
    panel = opened.docks.comparison
    table, header = panel.figures, panel.figures.header()
    after = table.column("after")
    assert header.sectionViewportPosition(after) + header.sectionSize(after) <= table.viewport().width()
    change = table.column("change")
    assert header.sectionViewportPosition(change) + header.sectionSize(change) <= table.viewport().width()
    for number, row in enumerate(panel.list.rows):
        option, index = QStyleOptionViewItem(), panel.list.index_of(number)
        panel.list.initViewItemOption(option)
        option.rect = panel.list.visualRect(index)
        panel.list.itemDelegate().initStyleOption(option, index)
        assert option.text == row.change


@pytest.mark.parametrize("width", [1500, 1250])
def test_both_sides_of_a_difference_are_in_sight_and_none_is_cut_without_need(opened, qtbot, answers, colleague, width):
    opened.resize(width, 900)
    compared(opened, qtbot, answers, colleague)
    table = opened.docks.comparison.list
    header, after = table.header(), table.column("after")
    assert header.sectionViewportPosition(after) + header.sectionSize(after) <= table.viewport().width()
    what = table.column("what")
    assert header.sectionSize(what) >= table.sizeHintForColumn(what)


@pytest.mark.parametrize(
    ("room", "wanted", "widths"),
    [(300, [50, 60, 70], [50, 60, 70]), (300, [200, 60, 300], [120, 60, 120]), (90, [200, 60, 300], [30, 30, 30])],
)
def test_columns_share_a_room_by_what_they_need(room, wanted, widths):
    assert _shared(room, wanted) == widths


def test_what_was_before_is_left_out_where_there_is_no_room_for_it(opened, qtbot, answers, colleague):
    opened.resize(1440, 900)
    compared(opened, qtbot, answers, colleague)
    panel = opened.docks.comparison
    table, header = panel.figures, panel.figures.header()
    panel._sides.setSizes([panel.width(), 0])
    qtbot.waitUntil(lambda: table.isColumnHidden(table.column("before")))
    for key in ("after", "change"):
        number = table.column(key)
        assert header.sectionViewportPosition(number) + header.sectionSize(number) <= table.viewport().width()
    panel._sides.setSizes([0, panel.width()])
    qtbot.waitUntil(lambda: not table.isColumnHidden(table.column("before")))


def test_what_only_the_other_design_has_is_drawn_dashed(opened, qtbot, answers, colleague):
    compared(opened, qtbot, answers, colleague)
    layer = opened.views.canvas.fabric._comparison
    opened.views.canvas.grab()
    boxes = [box for one in layer._layers for box in one.shown.boxes]
    assert len(boxes) == 1 and boxes[0][:2] == (900, -300)
    assert sum(len(one.shown.ends) for one in layer._layers) == 2, "where the two cables lead there"


@pytest.fixture
def two_more(plan, tmp_path):
    """The same design with two more switches in a row far to the left."""
    theirs = plan.snapshot()
    type_ = theirs.device_type(theirs.switches()[-1].id)
    for number, x in enumerate((-3600, -3300)):
        theirs.apply(operations.add_device(theirs, type_, x, -300, catalog_types={}, name=f"more-{number}"))
    document.save(theirs, tmp_path / "theirs.fabric")
    return tmp_path / "theirs.fabric"


def in_view(canvas, rect):
    return canvas.camera.shows(rect, *canvas.extent)


def test_a_comparison_begins_with_both_designs_in_view_and_fitting_keeps_them_there(opened, qtbot, answers, two_more):
    canvas = opened.views.canvas
    theirs, own = (-3650, -310, -3250, -290), canvas.fabric.bounds()
    canvas.zoom_by(4.0)
    job = compared(opened, qtbot, answers, two_more)
    qtbot.waitUntil(lambda: in_view(canvas, theirs) and in_view(canvas, own))
    canvas.zoom_by(4.0)
    opened.actions_table.trigger("view.zoom_fit")
    assert in_view(canvas, theirs) and in_view(canvas, own)
    job.end()
    qtbot.waitUntil(lambda: not in_view(canvas, theirs))
    assert in_view(canvas, own)


def test_a_view_moved_while_a_comparison_is_made_stays_there(opened, qtbot, answers, two_more):
    canvas, job = opened.views.canvas, opened.session.workbench.comparison
    answers.on_open = [two_more]
    opened.actions_table.trigger("file.compare")
    canvas.zoom_by(4.0)
    camera = canvas.camera
    qtbot.waitUntil(lambda: job.figures is not None, timeout=60_000)
    canvas.grab()
    assert canvas.camera.scale == camera.scale and not in_view(canvas, (-3650, -310, -3250, -290))


@pytest.mark.parametrize(
    ("scale", "names"), [(0.1, ["0", "1"]), (0.4, ["more-0", "more-1"]), (1.0, ["more-0", "more-1"])]
)
def test_what_only_the_other_design_has_is_named_in_its_boxes_or_next_to_them(
    opened, qtbot, answers, two_more, monkeypatch, scale, names
):
    written = list[str]()
    paint = comparison_layer.paint

    def heard(painter, parts, fonts):
        shown = list(parts)
        written[:] = [text.text for one in shown for text in (one.parts if isinstance(one, Group) else (one,))]
        paint(painter, shown, fonts)

    monkeypatch.setattr(comparison_layer, "paint", heard)
    compared(opened, qtbot, answers, two_more)
    canvas = opened.views.canvas
    canvas.move_camera(Camera(scale, -3450 - canvas.extent[0] / 2 / scale, -300 - canvas.extent[1] / 2 / scale))
    canvas.grab()
    assert written == names


def test_a_click_goes_to_what_differs(opened, qtbot, answers, colleague):
    compared(opened, qtbot, answers, colleague)
    panel = opened.docks.comparison
    renamed = next(row for row in panel.list.rows if row.change == "renamed")
    with qtbot.waitSignal(panel.going) as gone:
        panel.list.chosen.emit(renamed)
    assert gone.args == [(renamed.id,)] and opened.session.selection == {renamed.id}


def test_differences_are_filtered_by_words(opened, qtbot, answers, colleague):
    compared(opened, qtbot, answers, colleague)
    panel = opened.docks.comparison
    every = len(panel.list.rows)
    panel.search.setText("miswired link")
    assert 0 < len(panel.list.rows) < every and {row.change for row in panel.list.rows} == {"miswired"}
    panel.search.clear()
    assert len(panel.list.rows) == every


def test_an_edit_is_followed_and_esc_ends_the_comparison(opened, qtbot, answers, colleague):
    opened.session.select(opened.session.design.devices)
    job, panel, session = compared(opened, qtbot, answers, colleague), opened.docks.comparison, opened.session
    assert session.selection == set(), "what is selected looks like what was changed"
    spine = session.design.switches()[-1].id
    session.push(operations.rename(session.design, spine, "top"))
    qtbot.waitUntil(lambda: "renamed" not in {row.change for row in panel.list.rows}, timeout=20_000)
    assert opened.views.canvas.fabric.heat is None
    panel.setFocus()
    qtbot.keyClick(panel, "\x1b")
    assert job.path is None and job.found is None and not panel.list.isVisible()
    assert not opened.docks.shown("comparison")
    fabric = opened.views.canvas.fabric
    assert fabric.composition.picture(opened.appearance.theme, fabric.detail(1.0), None).coloured.boxes is None


def test_esc_on_the_drawing_clears_the_selection_and_then_ends_the_comparison(opened, qtbot, answers, colleague):
    job = compared(opened, qtbot, answers, colleague)
    canvas = opened.views.canvas
    opened.session.select([opened.session.design.switches()[0].id])
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not opened.session.selection and job.found is not None
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert job.found is None and canvas.fabric.composition.colouring.marks is None
    assert not opened.docks.shown("comparison")


def test_a_run_says_that_loads_are_not_drawn_and_ends_the_comparison_if_asked(opened, qtbot, answers, colleague):
    job = compared(opened, qtbot, answers, colleague)
    opened.actions_table.trigger("simulate.run")
    assert opened.notice.isVisible() and "not loads" in opened.notice.text.text()
    simulation = opened.session.workbench.simulation
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    assert opened.views.canvas.fabric.heat is None
    qtbot.mouseClick(opened.notice._do, Qt.MouseButton.LeftButton)
    assert job.found is None and opened.views.canvas.fabric.heat is not None and opened.notice.isHidden()


def test_that_loads_are_not_drawn_is_said_only_while_the_comparison_goes_on(opened, qtbot, answers, colleague):
    panel, notice = opened.docks.comparison, opened.notice
    job = compared(opened, qtbot, answers, colleague)
    opened.actions_table.trigger("simulate.run")
    notice.look()
    assert notice.isVisible()
    panel.buttons["Close"].click()
    assert not job.is_on and notice.isHidden()
    notice.complain("Something else")
    compared(opened, qtbot, answers, colleague)
    job.end()
    assert notice.isVisible(), "what is about something else stays"


def swapped(qtbot, panel, job):
    before = job.found
    qtbot.mouseClick(panel.buttons["Swap"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: job.found is not before and not job.running, timeout=20_000)


def test_before_and_after_are_swapped_in_list_colors_figures_and_page(opened, qtbot, answers, colleague, tmp_path):
    job, panel = compared(opened, qtbot, answers, colleague), opened.docks.comparison
    names, rows, figures = job.found.names, list(panel.list.rows), list(panel.figures.rows)
    swapped(qtbot, panel, job)
    theirs = document.load(colleague)
    found = comparing.compare(theirs, opened.session.design)
    assert job.found.names == names[::-1] and panel.summary.whole_text.startswith(f"From {names[1]} to {names[0]}: ")
    assert job.found.found.counts == found.counts and job.found.summary == found.summary
    listed = sorted((row.kind, row.name, row.change, row.what, row.before, row.after) for row in panel.list.rows)
    assert listed == sorted((r.kind, r.name, r.change, r.what, r.before, r.after) for r in found.differences)
    assert job.figures is not None, "nothing is simulated once more"
    assert [(r.before, r.after) for r in panel.figures.rows] == [(r.after, r.before) for r in figures]
    assert all(one.change for one in panel.parts.rows)
    classes = job.found.marked.marks.classes
    added = next(row.id for row in job.found.rows if row.change == "added" and row.kind == "device")
    assert added in opened.session.design.devices
    assert classes[job.found.marked.marks.of[added]].title == f"Added in {names[0]}"
    answers.on_save = [tmp_path / "out.html"]
    panel.buttons["Page…"].click()
    qtbot.waitUntil((tmp_path / "out.html").exists, timeout=20_000)
    qtbot.waitUntil(lambda: not opened.session.jobs.busy(WRITING), timeout=20_000)
    assert f"Comparison of {names[1]} and {names[0]}" in (tmp_path / "out.html").read_text(encoding="utf-8")
    swapped(qtbot, panel, job)
    assert job.found.names == names and list(panel.list.rows) == rows


def test_a_swapped_comparison_stays_so_after_an_edit_and_the_next_file_begins_anew(opened, qtbot, answers, colleague):
    job, panel, session = compared(opened, qtbot, answers, colleague), opened.docks.comparison, opened.session
    names = job.found.names
    swapped(qtbot, panel, job)
    spine = session.design.switches()[-1].id
    session.push(operations.rename(session.design, spine, "top"))
    qtbot.waitUntil(lambda: "renamed" not in {row.change for row in panel.list.rows}, timeout=20_000)
    assert job.found.names == names[::-1]
    assert compared(opened, qtbot, answers, colleague).found.names == names


def test_the_design_of_the_older_file_comes_before_and_the_panel_says_why(opened, qtbot, answers, colleague, tmp_path):
    older = tmp_path / "older.fabric"
    older.write_bytes(colleague.read_bytes())
    os.utime(older, (1e9, 1e9))
    job, panel = compared(opened, qtbot, answers, older), opened.docks.comparison
    assert job.found.is_swapped
    assert panel.note.whole_text.startswith(
        "Before: older.fabric, after: this design, by when their files were written"
    )
    swapped(qtbot, panel, job)
    assert not job.found.is_swapped and panel.note.whole_text.startswith("Before: this design, after: older.fabric")


def test_a_design_with_unsaved_changes_comes_after_its_own_file(opened, qtbot, answers, tmp_path):
    path = tmp_path / "mine.fabric"
    path.write_bytes(EXAMPLE.read_bytes())
    opened.session.open(path)
    opened.session.push(operations.rename(opened.session.design, opened.session.design.switches()[-1].id, "top"))
    assert compared(opened, qtbot, answers, path).found.is_swapped


def test_of_what_was_built_or_generated_neither_side_can_be_swapped(opened, qtbot, answers, built):
    job, panel = compared(opened, qtbot, answers, built), opened.docks.comparison
    assert not panel.buttons["Swap"].isVisible()
    opened.actions_table.trigger("file.by_hand")
    qtbot.waitUntil(lambda: job.found is not None and job.found.source.is_generated, timeout=60_000)
    assert not panel.buttons["Swap"].isVisible()
    job.swap()
    assert not job.is_swapped


def test_what_was_built_can_be_taken_over_as_one_step(opened, qtbot, answers, built):
    job, session = compared(opened, qtbot, answers, built), opened.session
    assert [row.kind for row in opened.docks.comparison.list.rows] == ["missing"]
    before = len(session.design.links)
    opened.actions_table.trigger("file.take_over_built")
    assert len(session.design.links) == before - 1 and session.undo_stack.undoText() == "Take over as built"
    qtbot.waitUntil(lambda: job.found is not None and not job.found.rows and not job.running, timeout=20_000)
    session.undo_stack.undo()
    assert len(session.design.links) == before


def test_page_and_workbook_are_saved_where_the_user_says(opened, qtbot, answers, colleague, tmp_path):
    compared(opened, qtbot, answers, colleague)
    for name, file in (("Page…", "out.html"), ("Workbook…", "out.xlsx")):
        answers.on_save = [tmp_path / file]
        opened.docks.comparison.buttons[name].click()
        qtbot.waitUntil((tmp_path / file).exists, timeout=20_000)
        qtbot.waitUntil(lambda: not opened.session.jobs.busy(WRITING), timeout=20_000)


def test_the_page_is_written_by_a_worker(opened, qtbot, answers, colleague, tmp_path, monkeypatch):
    compared(opened, qtbot, answers, colleague)
    threads, page_of = [], report.page_of
    monkeypatch.setattr(report, "page_of", lambda one: (threads.append(threading.current_thread()), page_of(one))[1])
    answers.on_save = [tmp_path / "out.html"]
    opened.docks.comparison.buttons["Page…"].click()
    qtbot.waitUntil((tmp_path / "out.html").exists, timeout=20_000)
    assert threads and threads[0] is not threading.main_thread()


def test_a_file_that_is_neither_is_refused_in_a_sentence(opened, qtbot, answers, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("look for the cables")
    job = opened.session.workbench.comparison
    answers.on_open = [path]
    opened.actions_table.trigger("file.compare")
    qtbot.waitUntil(lambda: job.error is not None, timeout=20_000)
    assert "notes.txt" in opened.docks.comparison.state.text() and job.found is None


def test_another_design_on_the_canvas_ends_the_comparison(opened, qtbot, answers, colleague):
    job = compared(opened, qtbot, answers, colleague)
    opened.session.new()
    assert job.path is None and opened.views.canvas.fabric.composition.colouring._marks is None


def test_a_comparison_can_be_stopped(opened, qtbot, colleague):
    job, panel = opened.session.workbench.comparison, opened.docks.comparison
    opened.docks.show("comparison")
    job.compare(colleague)
    assert panel.stop.isVisible() and panel.progress.isVisible()
    panel.stop.click()
    assert job.path is None and not job.running and panel.choose.isVisible()


def test_a_unit_that_only_the_other_design_has_is_a_box_that_fitting_brings_into_view(
    window, qtbot, answers, catalog, tmp_path
):
    ours, theirs = (
        new_design(family_named("rail-optimized"), {"servers": n, "servers_per_su": 8}, catalog, "Pod", "none").design
        for n in (16, 24)
    )
    ours.apply(collapsing.collapse_all(ours))
    document.save(theirs, tmp_path / "theirs.fabric")
    window.session.replace(ours, None)
    window.views.show_canvas()
    job, fabric = window.session.workbench.comparison, window.views.canvas.fabric
    answers.on_open = [tmp_path / "theirs.fabric"]
    window.actions_table.trigger("file.compare")
    qtbot.waitUntil(lambda: job.found is not None, timeout=60_000)
    window.views.canvas.grab()
    drawn, seen = fabric.composition.bounds, fabric.bounds()
    assert seen[2] > drawn[2] and seen[:2] == drawn[:2]
    job.end()
    assert fabric.bounds() == drawn


def test_what_was_changed_by_hand_is_listed_from_the_inspector_and_follows_edits(opened, qtbot):
    session, job = opened.session, opened.session.workbench.comparison
    server = next(iter(session.design.servers()))
    session.push(operations.rename(session.design, server.id, "vip-server"))
    errors = list[str | None]()
    job.changed.connect(lambda: errors.append(job.error))
    opened.docks.inspector.design_page.by_hand.click()
    qtbot.waitUntil(lambda: job.found is not None and not job.running, timeout=60_000)
    assert set(errors) == {None}, "no file is looked for"
    assert [(row.change, row.before, row.after) for row in job.found.rows] == [("renamed", server.name, "vip-server")]
    panel = opened.docks.comparison
    assert f"{session.design.name}, changed since it was generated: 1 device renamed" in panel.summary.text()
    assert [one.title for one in job.found.marked.marks.classes if "dded" in one.title] == ["Added"]
    with qtbot.waitSignal(panel.going) as going:
        panel._go(job.found.rows[0])
    assert list(going.args[0]) == [server.id]
    session.push(operations.rename(session.design, server.id, server.name))
    qtbot.waitUntil(lambda: job.found is not None and not job.found.rows, timeout=60_000)
    job.end()
