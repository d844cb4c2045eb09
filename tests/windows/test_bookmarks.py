"""Bookmarks in the window: by keys and by the list in the outline."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from designer.analysis.new_designs import new_design
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.model import operations
from designer.panels.widgets.rows import DETAIL_ROLE
from designer.regeneration.recipes import family_named
from designer.simulation.scenario import Scenario
from designer.storage import document


@pytest.fixture
def pod(window):
    window.session.replace(document.load("examples/superpod-h100-4su.fabric"), None)
    return window


def add(window, qtbot, name):
    window.actions_table.trigger("bookmark.add")
    qtbot.keyClicks(window.picker.line, name)
    qtbot.keyClick(window.picker.line, Qt.Key.Key_Return)


def group(window, name):
    return next(one.id for one in window.session.design.groups.values() if one.name == name)


def seen(view):
    return view.camera.seen(view.width(), view.height())


def test_a_bookmark_by_keys_shows_the_same_part_again(pod, qtbot):
    views, canvas = pod.views, pod.views.canvas
    canvas.zoom_onto([group(pod, "SU 2")])
    kept = seen(canvas)
    add(pod, qtbot, "SU two")
    assert [one.name for one in pod.session.design.bookmarks.values()] == ["SU two"]
    assert pod.session.dirty
    canvas.zoom_to_fit()
    pod.actions_table.trigger("view.floor")
    pod.actions_table.trigger("bookmark.go")
    qtbot.keyClick(pod.picker.line, Qt.Key.Key_Return)
    assert views.current is canvas
    assert seen(canvas) == pytest.approx(kept, abs=0.02)


def test_going_to_a_bookmark_with_other_colors_leaves_nothing_to_save(pod, qtbot, tmp_path):
    pod.actions_table.trigger("color.devices.rail")
    add(pod, qtbot, "Rails")
    pod.actions_table.trigger("color.devices.kind")
    pod.session.save(tmp_path / "pod.fabric")
    pod.actions_table.trigger("bookmark.next")
    assert pod.session.design.settings.color_devices_by == "rail"
    assert not pod.session.dirty and not pod.isWindowModified()
    pod.actions_table.trigger("color.devices.role")
    assert pod.session.dirty and pod.isWindowModified()


def boxes(canvas):
    """The titles of all that is drawn as a box of many."""
    projection = canvas.fabric.seen_at(canvas.camera.scale).projection
    rows = range(projection.n_own, len(projection.device_ids)) if isinstance(projection, FoldedProjection) else ()
    return [projection.title_at(row) for row in rows]


def test_which_boxes_are_open_comes_back_also_from_the_file(window, qtbot, catalog):
    family = family_named("rail-optimized")
    made = new_design(family, {"servers": 256, "servers_per_su": 32, "oversubscription": 2}, catalog, "", "none")
    window.session.replace(made.design, None)
    pod, canvas = window, window.views.canvas
    canvas.zoom_to_fit()
    closed = boxes(canvas)
    add(pod, qtbot, "closed")
    spines = [one.id for one in pod.session.design.switches() if one.role == "spine"]
    assert "16 spines" in closed
    canvas.zoom_onto(spines)
    opened, kept = boxes(canvas), seen(canvas)
    assert opened != closed
    add(pod, qtbot, "open")
    pod.actions_table.trigger("bookmark.previous")
    assert boxes(canvas) == closed and not canvas.fabric.levels.opened
    pod.actions_table.trigger("bookmark.next")
    assert (boxes(canvas), seen(canvas)) == (opened, pytest.approx(kept, abs=0.02))
    again = document.decode(document.encode(pod.session.design))
    pod.session.replace(again, None)
    assert not canvas.fabric.levels.opened
    pod.actions_table.trigger("bookmark.previous")
    assert boxes(canvas) == closed
    pod.actions_table.trigger("bookmark.next")
    assert boxes(canvas) == opened


def test_networks_matrix_and_the_rear_come_back(pod, qtbot):
    views, session = pod.views, pod.session
    views.show_named("matrix")
    views.matrix.cells.choose("spine", "leaf")
    session.hide_networks({"storage"})
    add(pod, qtbot, "turned")
    views.show_named("elevation")
    views.elevation.show_rear(True)
    add(pod, qtbot, "rear")
    views.elevation.show_rear(False)
    session.hide_networks(())
    views.matrix.cells.choose("leaf", "spine")
    pod.actions_table.trigger("bookmark.next")
    assert (views.name, views.matrix.cells.chosen, session.hidden_networks) == (
        "matrix",
        ("spine", "leaf"),
        {"storage"},
    )
    pod.actions_table.trigger("bookmark.next")
    assert views.name == "elevation"
    assert views.elevation.rear
    pod.actions_table.trigger("bookmark.previous")
    assert views.name == "matrix"


def test_what_was_all_of_it_is_all_of_it_in_a_window_of_another_size(pod, qtbot):
    canvas = pod.views.canvas
    canvas.zoom_to_fit()
    add(pod, qtbot, "whole")
    assert pod.session.design.bookmarks["b1"].seen == ()
    pod.resize(1300, 800)
    canvas.zoom_onto([group(pod, "SU 1")])
    pod.actions_table.trigger("bookmark.next")
    assert canvas.shows_all


def test_going_collapses_as_kept_and_undo_opens_again(pod, qtbot):
    session, su = pod.session, group(pod, "SU 1")
    session.select([su])
    pod.actions_table.trigger("view.collapse")
    add(pod, qtbot, "closed")
    pod.actions_table.trigger("view.expand_all")
    pod.actions_table.trigger("bookmark.next")
    assert session.design.groups[su].is_collapsed
    assert session.undo_stack.undoText() == "Go to closed"
    session.undo_stack.undo()
    assert not session.design.groups[su].is_collapsed


def test_a_name_that_is_there_updates_that_bookmark(pod, qtbot):
    add(pod, qtbot, "here")
    pod.views.show_named("floor")
    add(pod, qtbot, "here")
    (one,) = pod.session.design.bookmarks.values()
    assert one.view == "floor"


def test_a_bookmark_does_not_make_results_stale(pod, qtbot):
    state = pod.session.fabric_state
    add(pod, qtbot, "here")
    assert pod.session.fabric_state == state


def test_the_list_goes_renames_and_deletes_by_mouse_and_keys(pod, qtbot):
    add(pod, qtbot, "one")
    pod.views.show_named("floor")
    pod.docks.show("outline")
    marks = pod.docks.outline.bookmarks
    rect = marks.list.visualItemRect(marks.list.item(0))
    qtbot.mouseClick(marks.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert pod.views.name == "canvas"
    marks.list.setFocus()
    qtbot.keyClick(marks.list, Qt.Key.Key_F2)
    editor = marks.list.findChild(QLineEdit)
    editor.setText("two")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pod.session.design.bookmarks["b1"].name == "two")
    pod.views.show_named("elevation")
    menu = marks.menu_at(rect.center())
    next(action for action in menu.actions() if action.text() == "Update with This View").trigger()
    assert pod.session.design.bookmarks["b1"].view == "elevation"
    assert marks.menu_at(QPoint(5, 5000)) is None
    marks.list.setFocus()
    qtbot.keyClick(marks.list, Qt.Key.Key_Delete)
    assert not pod.session.design.bookmarks
    assert marks.list.isHidden()
    pod.session.undo_stack.undo()
    assert marks.list.count() == 1


def test_a_name_that_is_taken_is_refused_and_the_list_shows_the_old_one(pod, qtbot):
    add(pod, qtbot, "one")
    add(pod, qtbot, "two")
    marks = pod.docks.outline.bookmarks
    marks.list.item(1).setText("one")
    assert marks.list.item(1).text() == "two"
    assert "already" in pod.notice.text.text()


def test_a_read_only_design_is_gone_through_without_edits(pod, qtbot):
    add(pod, qtbot, "whole")
    pod.views.show_named("floor")
    pod.session.is_read_only = True
    pod.actions_table.trigger("bookmark.next")
    assert pod.views.name == "canvas"


def test_the_one_before_a_bookmark_that_was_just_added_is_the_one_before(pod, qtbot):
    for name in ("first", "second", "third"):
        add(pod, qtbot, name)
    pod.actions_table.trigger("bookmark.previous")
    assert "second" in pod.notice.text.text()


def test_a_bookmark_keeps_its_run_and_says_that_it_computes(pod, qtbot):
    session, simulation = pod.session, pod.session.workbench.simulation
    marks = pod.docks.outline.bookmarks
    simulation.scenario = Scenario(collective="all-reduce")
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    add(pod, qtbot, "busy")
    assert "with the run of all-reduce" in pod.notice.text.text()
    assert marks.list.item(0).data(DETAIL_ROLE) == "Canvas, all-reduce"
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    with qtbot.waitSignal(session.workbench.bookmarked.finished, timeout=60_000):
        pod.actions_table.trigger("bookmark.next")
        assert pod.notice.text.text().startswith("busy: computing all-reduce")
        assert marks.list.item(0).data(DETAIL_ROLE) == "computing…"
    assert marks.list.item(0).data(DETAIL_ROLE) == "Canvas, all-reduce"
    assert pod.notice.text.text().startswith("busy: all-reduce") and "ms" in pod.notice.text.text()
