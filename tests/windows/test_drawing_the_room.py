"""Walls, columns and trays drawn on the floor plan by mouse and keys: then selected, moved, resized, named, found."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QToolButton

from designer.analysis.outline import FIXTURES, ROOM, Outline
from designer.analysis.trail import trail
from designer.canvas.hits import Target
from designer.canvas.pointer import pointer_at
from designer.canvas.room.floor_grips import turn_handle
from designer.model.fixture_shape import corners_m, rect_m
from designer.model.furnishing import add_fixture, add_tray, change_fixtures, move_fixtures
from designer.placement import floor
from designer.session.commands import is_simulated
from tests.windows.floor_by_hand import ALT, LEFT, SHIFT, click, drag, furnish, px, shown_plan


@pytest.fixture
def plan(window, catalog):
    """The floor plan with two racks in one row, 6 m apart."""
    furnish(window, catalog, 0, 6)
    return shown_plan(window)


def only(window):
    (one,) = window.session.design.fixtures.values()
    return one


def draw(window, kind):
    window.actions_table.trigger("view.canvas")
    window.actions_table.trigger(f"insert.{kind}")
    assert window.views.current is window.views.floor and window.views.tool == f"room.{kind}"
    assert window.actions_table[f"insert.{kind}"].isChecked()


def test_a_wall_is_dragged_in_line_with_the_grid_and_undone(window, plan, qtbot):
    draw(window, "wall")
    drag(qtbot, plan, px(plan, 1.02, -1.01), px(plan, 4.97, -1.1))
    assert window.views.tool == "select", "the tool has done its work"
    assert rect_m(only(window)) == pytest.approx((0.9, -1.1, 5.1, -0.9))
    assert window.session.selection == {only(window).id}
    window.actions_table.trigger("edit.undo")
    assert not window.session.design.fixtures


def test_esc_draws_no_column_and_a_click_draws_one_of_the_usual_size(window, plan, qtbot):
    draw(window, "column")
    qtbot.mousePress(plan, LEFT, pos=px(plan, 3, 1))
    qtbot.mouseMove(plan, px(plan, 4, 2))
    qtbot.keyClick(plan, Qt.Key.Key_Escape)
    qtbot.mouseRelease(plan, LEFT, pos=px(plan, 4, 2))
    assert not window.session.design.fixtures
    draw(window, "column")
    click(qtbot, plan, (3, 1))
    assert rect_m(only(window)) == pytest.approx((2.7, 0.7, 3.3, 1.3))


@pytest.mark.parametrize("ending", ["double click", "esc"])
def test_a_tray_is_clicked_corner_by_corner_in_line_with_rows(window, plan, qtbot, ending):
    draw(window, "tray")
    # The row of the racks is at 0 m; the second corner comes in line with the first.
    click(qtbot, plan, (-0.5, 0.03), (3.51, -0.04), (3.52, 1.3))
    assert not window.session.design.fixtures
    if ending == "esc":
        qtbot.keyClick(plan, Qt.Key.Key_Escape)
    else:
        click(qtbot, plan, (3.52, 1.3))
    assert only(window).points_m == ((-0.5, 0), (3.5, 0), (3.5, 1.3))
    assert window.views.tool == "select"


def test_a_tray_of_one_corner_is_none_and_undo_while_drawing_draws_nothing(window, plan, qtbot):
    draw(window, "tray")
    click(qtbot, plan, (1, 1))
    qtbot.keyClick(plan, Qt.Key.Key_Escape)
    assert not window.session.design.fixtures
    click(qtbot, plan, (1, 1), (3, 1))
    window.actions_table.trigger("edit.undo")
    assert not window.session.design.fixtures and not plan.gesture.active


def test_with_shift_a_tray_is_level_or_upright_and_with_alt_it_is_anywhere(window, plan, qtbot):
    draw(window, "tray")
    click(qtbot, plan, (1, 1))
    for keys, at in ((SHIFT, (3, 1.7)), (ALT, (3.333, 1.777))):
        qtbot.mousePress(plan, LEFT, keys, pos=px(plan, *at))
        qtbot.mouseRelease(plan, LEFT, keys, pos=px(plan, *at))
    qtbot.keyClick(plan, Qt.Key.Key_Escape)
    first, second, third = only(window).points_m
    assert (first, second) == ((1, 1), (3, 1))
    assert third == pytest.approx((3.333, 1.777), abs=0.02) and third[0] != 3.3


@pytest.fixture
def furnished(window, plan):
    session = window.session
    session.push(add_fixture(session.design, "column", (2, -0.5, 3, 0.5)))
    session.push(add_tray(session.design, [(1, 1.5), (4, 1.5), (4, 2.5)]))
    plan.zoom_to_fit()
    return session.design


def test_fixtures_are_moved_alone_and_with_racks(window, plan, furnished, qtbot):
    drag(qtbot, plan, px(plan, 2.3, 0.2), px(plan, 3.3, -0.3))
    assert rect_m(furnished.fixtures["f1"]) == pytest.approx((3, -1, 4, 0))
    drag(qtbot, plan, px(plan, 2, 1.5), px(plan, 2, 1.9))
    assert furnished.fixtures["f2"].points_m == ((1, 1.9), (4, 1.9), (4, 2.9))
    window.session.select({"r1", "f1"})
    drag(qtbot, plan, px(plan, 0, 0), px(plan, 0, 1))
    assert floor.place_of(furnished.racks["r1"]) == (0, 1) and furnished.fixtures["f1"].y_m == 0.5
    qtbot.keyClick(plan, Qt.Key.Key_Right)
    assert floor.place_of(furnished.racks["r1"]) == (0.1, 1) and furnished.fixtures["f1"].x_m == 3.6


def test_a_rack_dragged_into_a_column_is_marked_until_it_is_out_of_it(plan, furnished):
    def pointer(x_m):
        return pointer_at(plan.camera, QPointF(px(plan, x_m, 0)))

    held = plan.floor.drag(Target(container_id="r1"), pointer(0))
    for x_m, is_blocked in ((2.0, True), (4.5, False), (5.8, True)):
        held.move(pointer(x_m), plan.sight)
        held.move(replace(pointer(x_m), alt=True), plan.sight)
        assert held.blocked(list(held.places().values())) == [is_blocked]


def test_corners_of_a_fixture_and_of_a_tray_are_dragged(window, plan, furnished, qtbot):
    window.session.select({"f1"})
    drag(qtbot, plan, px(plan, 3, 0.5), px(plan, 3.5, 0.8))
    assert rect_m(furnished.fixtures["f1"]) == pytest.approx((2, -0.5, 3.5, 0.8))
    drag(qtbot, plan, px(plan, 2, -0.5), px(plan, 5, 3))
    left, top, right, bottom = rect_m(furnished.fixtures["f1"])
    assert (right, bottom) == pytest.approx((3.5, 0.8)) and right - left == pytest.approx(0.05) == bottom - top
    window.session.select({"f2"})
    drag(qtbot, plan, px(plan, 4, 2.5), px(plan, 5, 2.52))
    assert furnished.fixtures["f2"].points_m == ((1, 1.5), (4, 1.5), (5, 2.5))
    assert window.session.undo_stack.count() == 8


def test_fixtures_are_banded_copied_deleted_and_kept_off_the_canvas(window, plan, furnished, qtbot):
    drag(qtbot, plan, px(plan, 0.8, -0.9), px(plan, 4.5, 2.9))
    assert window.session.selection == {"f1", "f2"}
    window.actions_table.trigger("edit.duplicate")
    assert len(furnished.fixtures) == 4 and window.session.selection == {"f3", "f4"}
    window.actions_table.trigger("edit.copy")
    window.actions_table.trigger("edit.delete")
    assert len(furnished.fixtures) == 2
    window.actions_table.trigger("edit.paste")
    assert len(furnished.fixtures) == 4
    window.actions_table.trigger("edit.select_all")
    assert window.session.selection == {*furnished.racks, *furnished.fixtures}
    window.actions_table.trigger("view.canvas")
    window.views.go_to(frozenset({"f1"}))
    assert window.views.current is plan


def test_the_inspector_names_and_measures_a_fixture_and_sets_many(window, plan, furnished, qtbot):
    page = window.docks.inspector.fixture_page
    window.session.select({"f1"})
    window.docks.inspector.refresh()
    assert page.heading.text() == "Column" and page.fields["width_m"].line.text() == "1"
    for name, text in (("name", "B4"), ("x_m", "-2"), ("depth_m", "0.4 m")):
        line = page.fields[name].line
        line.setText(text)
        qtbot.keyClick(line, Qt.Key.Key_Return)
    found = furnished.fixtures["f1"]
    assert (found.name, found.x_m, found.depth_m, found.width_m) == ("B4", -2, 0.4, 1)
    window.session.select({"f2"})
    window.docks.inspector.refresh()
    assert page.heading.text() == "Cable Tray" and page.about.text().startswith("4 m long, 3 corners.")
    assert not page.fields["x_m"].isVisibleTo(page)
    window.session.select({"f1", "f2"})
    window.docks.inspector.refresh()
    assert page.heading.text() == "2 fixtures" and page.fields["width_m"].line.placeholderText() == "Mixed"
    assert page.fields["width_m"].line.text() == ""


def test_the_status_bar_measures_what_is_under_the_mouse(window, plan, furnished, qtbot):
    for at, text in (((2.2, 0.3), "column-1: column, 1 m x 1 m"), ((2, 1.5), "tray-1: cable tray, 4 m")):
        with qtbot.waitSignal(plan.cursor_message) as said:
            qtbot.mouseMove(plan, px(plan, *at))
        assert said.args == [text]


def test_fixtures_are_in_the_outline_of_the_room_and_named_over_the_plan(furnished):
    (room,) = (one for one in Outline(furnished).roots() if one.key == (ROOM,))
    (branch,) = (one for one in Outline(furnished).children(room) if one.key == (FIXTURES,))
    assert (branch.title, branch.detail, branch.ids) == ("Walls, trays and the like", "2 fixtures", ("f1", "f2"))
    found = Outline(furnished).children(branch)
    assert [(one.title, one.detail, one.ids) for one in found] == [
        ("column-1", "Column", ("f1",)),
        ("tray-1", "Cable Tray", ("f2",)),
    ]
    assert Outline(furnished).path_to("f2") == [(ROOM,), (FIXTURES,), ("f2",)]
    assert [one.ids for one in Outline(furnished).search("TRAY")] == [("f2",)]
    assert trail(furnished, ["f2"], in_room=True)[-1].title == "tray-1"


def test_what_stands_on_the_floor_leaves_results_of_a_simulation_current(furnished):
    assert not is_simulated(add_fixture(furnished, "wall", (0, 0, 1, 1)))
    assert not is_simulated(move_fixtures(furnished, ["f1", "f2"], 1, 1))


def test_the_bar_over_the_floor_offers_every_tool_and_fits(window, plan):
    bar = window.floor_bar
    buttons = [one for one in bar.findChildren(QToolButton) if not one.isHidden()]
    assert [one.text() for one in buttons] == [
        *("Wall", "Door", "Column", "Cooling Unit", "Cable Tray", "Text", "Zone", "Dimension")
    ]
    assert bar.geometry().topLeft() == QPoint(0, 0) and bar.width() == plan.width()
    assert all(one.width() >= one.sizeHint().width() and one.geometry().right() <= bar.width() for one in buttons)


def test_a_fixture_is_turned_by_its_handle_in_steps_and_with_alt_by_any_angle(window, plan, furnished, qtbot):
    window.session.select(["f1"])
    handle = turn_handle(furnished.fixtures["f1"], plan.sight.camera.scale)
    drag(qtbot, plan, px(plan, *handle), px(plan, 4.0, 0.05))
    assert furnished.fixtures["f1"].turn_deg == 90
    assert window.session.undo_stack.undoText() == "Turn column-1"
    handle = turn_handle(furnished.fixtures["f1"], plan.sight.camera.scale)
    drag(qtbot, plan, px(plan, *handle), px(plan, 4.0, 0.3), ALT)
    assert 95 < furnished.fixtures["f1"].turn_deg < 115 and furnished.fixtures["f1"].turn_deg % 15


def test_a_corner_of_a_turned_fixture_leaves_the_opposite_one_where_it_is(window, plan, furnished, qtbot):
    window.session.push(change_fixtures(furnished, ["f1"], turn_deg=30.0))
    window.session.select(["f1"])
    before = corners_m(furnished.fixtures["f1"])
    out = tuple(2 * held - still for held, still in zip(before[2], before[0], strict=True))
    drag(qtbot, plan, px(plan, *before[2]), px(plan, *out), ALT)
    after = furnished.fixtures["f1"]
    assert corners_m(after)[0] == pytest.approx(before[0], abs=0.001)
    assert (after.width_m, after.depth_m, after.turn_deg) == pytest.approx((2, 2, 30), abs=0.05)


def test_rotating_turns_the_selected_fixtures_and_the_inspector_any(window, plan, furnished, qtbot):
    window.session.select(["f1"])
    window.actions_table.trigger("arrange.rotate_right")
    assert furnished.fixtures["f1"].turn_deg == 90
    window.actions_table.trigger("arrange.rotate_left")
    assert furnished.fixtures["f1"].turn_deg == 0
    window.docks.inspector.refresh()
    line = window.docks.inspector.fixture_page.fields["turn_deg"].line
    line.setText("-45")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert furnished.fixtures["f1"].turn_deg == 315
    assert "turned by 315°" in plan.floor.sentence(Target(fixture_id="f1"))


def test_a_turned_fixture_is_taken_where_it_is_drawn(window, plan, furnished):
    window.session.push(change_fixtures(furnished, ["f1"], turn_deg=45.0))

    def under(x_m, y_m):
        at = pointer_at(plan.sight.camera, QPointF(px(plan, x_m, y_m)))
        return plan.floor.target_at(at, plan.sight).fixture_id

    assert under(2.5, -0.6) == "f1" and under(2.05, -0.45) is None
