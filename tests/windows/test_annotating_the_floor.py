"""Dimensions, texts and zones on the floor plan by mouse and keys, and where annotations are offered."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from designer.canvas.formats import formats
from designer.drawing.parts.fixtures import dimension_text
from designer.exchange.graphs.floor_dxf import dxf_text
from designer.model.furnishing import add_fixture, measured
from tests.windows.floor_by_hand import ALT, LEFT, NO_KEYS, drag, furnish, px, shown_plan


@pytest.fixture
def plan(window, catalog):
    """The floor plan with two racks in one row, 3 m apart, and a wall below them."""
    furnish(window, catalog, 0, 3)
    window.session.push(add_fixture(window.session.design, "wall", (-1, 3, 5, 3.2)))
    return shown_plan(window)


def new(window):
    return [one for one in window.session.design.fixtures.values() if one.kind != "wall"]


def dimension(qtbot, window, plan, start, end, keys=NO_KEYS):
    window.actions_table.trigger("insert.dimension")
    assert window.views.current is plan and plan.tool == "room.dimension"
    assert window.actions_table["insert.dimension"].isChecked()
    drag(qtbot, plan, px(plan, *start), px(plan, *end), keys)
    return new(window)[-1]


def test_a_dimension_holds_on_to_the_edges_of_racks_and_measures_as_they_are_dragged(qtbot, window, plan):
    one = dimension(qtbot, window, plan, (-0.28, -0.55), (3.27, -0.5))
    design = window.session.design
    assert [tie.thing_id for tie in one.ties] == ["r1", "r2"]
    assert measured(design, one).length_m == pytest.approx(3.6)
    assert window.views.tool == "select" and window.session.selection == {one.id}
    assert window.session.undo_stack.undoText() == "Add Dimension"
    before = window.session.undo_stack.count()
    drag(qtbot, plan, px(plan, 3, 0.2), px(plan, 4, 0.2))
    assert window.session.undo_stack.count() == before + 1
    assert measured(design, design.fixtures[one.id]).length_m == pytest.approx(4.6, abs=0.11)
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    assert new(window) == []


def test_clearance_to_a_wall_is_measured_across_the_rows_and_alt_measures_directly(qtbot, window, plan):
    one = dimension(qtbot, window, plan, (0.1, 0.55), (0.4, 2.98))
    assert [tie.thing_id for tie in one.ties] == ["r1", "f1"]
    assert measured(window.session.design, one).length_m == pytest.approx(2.4)
    direct = dimension(qtbot, window, plan, (0.3, 0.6), (2.7, 2.4), ALT)
    assert measured(window.session.design, direct).length_m == pytest.approx(3.0, abs=0.06)


def test_a_dimension_is_dragged_off_its_racks_and_its_ends_elsewhere(qtbot, window, plan):
    one = dimension(qtbot, window, plan, (-0.28, -0.58), (3.28, -0.58))
    design = window.session.design
    drag(qtbot, plan, px(plan, 1.5, -0.6), px(plan, 1.5, -1.4))
    found = measured(design, design.fixtures[one.id])
    assert found.length_m == pytest.approx(3.6) and found.line[0][1] == pytest.approx(-1.4, abs=0.11)
    assert found.feet[0] == pytest.approx((-0.3, -0.6))
    grip = px(plan, *found.line[1])
    drag(qtbot, plan, grip, px(plan, 2.72, 0.1))
    assert measured(design, design.fixtures[one.id]).length_m == pytest.approx(3.0)
    qtbot.keyClick(plan, Qt.Key.Key_Delete)
    window.actions_table.trigger("edit.delete")
    assert new(window) == []


def test_dragged_with_its_racks_a_dimension_keeps_its_distance_from_them(qtbot, window, plan):
    one = dimension(qtbot, window, plan, (-0.28, -0.58), (3.28, -0.58))
    design = window.session.design
    window.session.select(["r1", "r2", one.id])
    drag(qtbot, plan, px(plan, 0, 0.2), px(plan, 0, 1.2))
    found = measured(design, design.fixtures[one.id])
    assert design.racks["r1"].y_m == pytest.approx(1.0, abs=0.06)
    assert found.line[0][1] == pytest.approx(design.racks["r1"].y_m - 0.6)


def test_a_click_with_the_tool_measures_nothing(qtbot, window, plan):
    window.actions_table.trigger("insert.dimension")
    qtbot.mouseClick(plan, LEFT, pos=px(plan, 0, -0.6))
    assert new(window) == []


@pytest.mark.parametrize("kind", ["text", "zone"])
def test_words_of_a_text_or_zone_are_written_as_soon_as_it_is_there(qtbot, window, plan, kind):
    window.actions_table.trigger(f"insert.{kind}")
    drag(qtbot, plan, px(plan, 1, 1), px(plan, 2, 1.4))
    editor = plan.name_editor
    assert editor.isVisible()
    editor.setText("Keep clear")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    (one,) = new(window)
    assert (one.kind, one.name) == (kind, "Keep clear")
    qtbot.mouseDClick(plan, LEFT, pos=px(plan, one.x_m - one.width_m / 2 + 0.1, one.y_m - one.depth_m / 2 + 0.1))
    assert editor.isVisible() and editor.text() == "Keep clear"


def test_within_a_zone_racks_and_the_floor_are_taken_and_not_the_zone(qtbot, window, plan):
    session = window.session
    session.push(add_fixture(session.design, "zone", (-2, -2, 5, 2), "Pod 1"))
    qtbot.mouseClick(plan, LEFT, pos=px(plan, 1.5, 1))
    assert session.selection == frozenset()
    qtbot.mouseClick(plan, LEFT, pos=px(plan, -2, 1))
    assert session.selection == {"f2"}


def test_all_kinds_are_offered_on_the_floor_plan_each_once(window, plan):
    for kind in ("text", "zone", "dimension", "note", "callout", "arrow", "line", "comment", "legend", "title-block"):
        assert window.actions_table[f"insert.{kind}"].isEnabled(), kind
    menu = next(one.menu() for one in window.menuBar().actions() if one.text().replace("&", "") == "Insert")
    listed = [one.text().replace("&", "") for one in menu.actions()]
    assert listed.index("Insert Text") < listed.index("Insert Dimension") < listed.index("Insert Wall")
    window.actions_table.trigger("view.canvas")
    window.actions_table.trigger("insert.dimension")
    assert window.views.tool == "annotate.dimension" and window.views.name == "canvas"


@pytest.mark.parametrize("view", ["elevation", "matrix"])
def test_where_no_annotation_can_be_they_are_off_and_none_goes_elsewhere(window, plan, view):
    window.actions_table.trigger(f"view.{view}")
    for kind in ("text", "zone", "dimension", "note", "callout", "arrow", "image"):
        action = window.actions_table[f"insert.{kind}"]
        assert not action.isEnabled() and "on the canvas" in action.toolTip(), kind
        window.actions_table.trigger(f"insert.{kind}")
    assert window.views.name == view and window.views.tool == "select"
    window.actions_table.trigger("view.canvas")
    assert window.actions_table["insert.note"].isEnabled()


def test_plans_sheets_and_cad_files_have_them(qtbot, window, plan, tmp_path):
    dimension(qtbot, window, plan, (-0.28, -0.55), (3.27, -0.5))
    design = window.session.design
    window.session.push(add_fixture(design, "text", (1, 1, 2, 1.2), "Keep clear"))
    window.session.push(add_fixture(design, "zone", (1, 1, 2, 2), "Pod 1"))
    for name, options in (("svg", {"view": "floor"}), ("drawings", {"sheets": "floor"}), ("dxf", {"units": "m"})):
        path = tmp_path / f"{name}.{'dxf' if name == 'dxf' else 'svg'}"
        next(row for row in formats() if row.name == name).write(design, path, options)
        drawn = path.read_text(encoding="utf-8")
        assert all(one in drawn for one in ("Keep clear", "Pod 1", "3.6 m")), name
    assert all(layer in dxf_text(design, 1.0) for layer in ("DIMENSIONS", "TEXTS", "ZONES"))


def test_a_dimension_with_words_states_them_before_the_length(qtbot, window, plan):
    one = dimension(qtbot, window, plan, (-0.28, -0.55), (3.27, -0.5))
    qtbot.mouseDClick(plan, LEFT, pos=px(plan, 1.5, -0.6))
    editor = plan.name_editor
    assert editor.isVisible() and editor.text() == ""
    editor.setText("Row length")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    named = window.session.design.fixtures[one.id]
    assert dimension_text(named, 3.6) == "Row length 3.6 m"


def test_the_hint_of_a_tool_is_seen_clear_of_what_lies_over_the_floor(window, plan):
    bar, foot = window.floor_bar, QWidget(plan)
    foot.setGeometry(20, plan.height() - 46, plan.width() - 40, 40)
    foot.show()
    plan.over.append(foot)
    bare = plan.grab().toImage()
    window.actions_table.trigger("insert.arrow")
    rows = rows_changed(bare, plan.grab().toImage())
    assert bar.height() + 4 < rows[0] < bar.height() + 20 and rows[-1] - rows[0] > 20
    plan._mouse_at = QPointF(200.0, rows[0] + 4.0)  # where it would cover what the mouse is on
    rows = rows_changed(bare, plan.grab().toImage())
    assert plan.height() / 2 < rows[0] and rows[-1] - rows[0] > 20 and foot.y() - 20 < rows[-1] < foot.y() - 4


def rows_changed(before, after):
    """The rows of pixels that differ, in those of the widget."""
    ratio, wide = before.devicePixelRatio(), before.width()
    one, other = (picture.convertToFormat(QImage.Format.Format_RGB32) for picture in (before, after))
    found = [y for y in range(one.height()) if one.copy(0, y, wide, 1) != other.copy(0, y, wide, 1)]
    return [y / ratio for y in found]


def test_the_status_bar_says_how_a_tool_is_used_in_the_view_in_front(window, plan):
    window.actions_table.trigger("insert.callout")
    assert window.status.hint.text().startswith("Drag from the rack or place ")
    window.actions_table.trigger("view.canvas")
    assert window.status.hint.text().startswith("Drag from the device, link or place "), "the same tool elsewhere"
    window.views.choose_tool("select")
    window.actions_table.trigger("insert.callout")
    assert window.views.current is window.views.canvas
    assert window.status.hint.text().startswith("Drag from the device, link or place ")
