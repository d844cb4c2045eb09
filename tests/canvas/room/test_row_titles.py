"""Names of rows on the floor plan: a click selects the row, a drag moves it, a double-click and F2 rename it."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from designer.canvas.pointer import pointer_at
from designer.canvas.room.floor_view import FloorView
from designer.drawing.room.floor_plan import PER_M
from designer.model import operations
from designer.model.entities import Rack
from designer.placement import floor
from designer.placement.row_order import ROW_KEY

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def rows(session):
    """The racks of two rows of three, by row."""
    made = []
    for row in range(2):
        made.append([])
        for column in range(3):
            edit = operations.add_rack(session.design, session.catalog.types["rack-42u"], 0, 0, f"rk{row}{column}")
            session.push(edit)
            made[-1].append(next(c.after.id for c in edit.changes if isinstance(c.after, Rack)))
            session.push(floor.place_racks(session.design, {made[-1][-1]: (column * 0.6, row * 2.4)}))
    session.undo_stack.clear()
    return made


@pytest.fixture
def plan(qtbot, session, rows):
    view = FloorView(session)
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    return view


def title(plan, rack_id) -> QPoint:
    return plan.on_widget(plan.subject.name_rect(ROW_KEY + rack_id, plan.sight)).center().toPoint()


def names(session):
    return [row.name for row in floor.rows(session.design)]


def test_a_click_on_a_title_selects_the_row_and_the_status_says_what_it_is(plan, session, rows):
    QTest.mouseClick(plan, LEFT, NO_KEYS, title(plan, rows[1][0]))
    assert session.selection == frozenset(rows[1])
    at = title(plan, rows[1][0])
    target = plan.target_at(pointer_at(plan.camera, plan.spot(QPointF(at))))
    assert plan.subject.sentence(target) == "Row B: 3 racks. Double-click to rename it"


def test_a_double_click_renames_the_row_in_place_and_tab_goes_on_to_the_next(plan, session, rows):
    QTest.mouseDClick(plan, LEFT, NO_KEYS, title(plan, rows[0][0]))
    editor = plan.name_editor
    assert editor.isVisible() and editor.text() == "A" and editor.accessibleName() == "Name of the row"
    QTest.keyClicks(editor, "North")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert names(session) == ["North", "B"] and editor.isVisible() and editor.text() == "B"
    QTest.keyClicks(editor, "South")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert names(session) == ["North", "South"] and not editor.isVisible()
    assert session.undo_stack.undoText() == "Rename row B to South"
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert names(session) == ["A", "B"]


def test_a_name_that_another_row_has_is_refused_where_it_is_typed(plan, session, rows):
    plan.write_in(*rows[0])
    QTest.keyClicks(plan.name_editor, "b")
    QTest.keyClick(plan.name_editor, Qt.Key.Key_Return)
    assert plan.name_editor.isVisible() and names(session) == ["A", "B"]
    assert "another row" in plan.notes.shown.text


def test_the_racks_of_a_whole_row_are_renamed_as_a_row_and_others_are_not(plan, session, rows):
    assert plan.write_in(*rows[1]) and plan.name_editor.text() == "B"
    plan.name_editor.close_unchanged()
    assert not plan.write_in(*rows[1][:2])
    assert not plan.write_in(rows[1][0])


def test_a_row_dragged_by_its_title_above_another_keeps_its_letter(plan, session, rows):
    start = title(plan, rows[1][0])
    up = QPoint(0, -round(4.8 * PER_M * plan.camera.scale))
    QTest.mousePress(plan, LEFT, NO_KEYS, start)
    for share in range(1, 5):
        QTest.mouseMove(plan, start + up * share / 4)
    QTest.mouseRelease(plan, LEFT, NO_KEYS, start + up)
    assert names(session) == ["B", "A"]
    assert [row.rack_ids for row in floor.rows(session.design)] == [tuple(rows[1]), tuple(rows[0])]
    assert session.undo_stack.count() == 1
    session.undo_stack.undo()
    assert names(session) == ["A", "B"]
    assert not any(rack.row for rack in session.design.racks.values())
