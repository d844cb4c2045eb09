"""Canvas, floor plan and rack elevation answer the same hand: wheel, trackpad, pinch, Space, double click, Esc."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.canvas.view import CanvasView
from designer.model import operations
from designer.model.entities import Device, Rack
from designer.placement import floor

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
NO_PHASE, SCROLLING = Qt.ScrollPhase.NoScrollPhase, Qt.ScrollPhase.ScrollUpdate
SPOT, STILL = QPointF(300, 200), QPoint()
VIEWS = (CanvasView, FloorView, ElevationView)


@pytest.fixture
def racks(session):
    """Two racks on the floor with a switch in each."""
    types, made = session.catalog.types, []
    for number in range(2):
        session.push(operations.add_rack(session.design, types["rack-42u"], number * 400.0, 0.0))
        made.append(list(session.design.racks)[-1])
    session.push(floor.place_racks(session.design, {one: (3.0 * n, 0.0) for n, one in enumerate(made)}))
    for number, rack in enumerate(made):
        edit = operations.add_device(
            session.design,
            types["nvidia-qm9700"],
            number * 400.0,
            0.0,
            catalog_types=types,
            rack_id=rack,
            unit=20,
        )
        session.push(edit)
    return made


@pytest.fixture(params=VIEWS, ids=lambda kind: kind.__name__)
def view(request, qtbot, session, racks):
    view = request.param(session)
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    session.undo_stack.clear()
    return view


def things(view) -> list[str]:
    """What the view lets one select: devices, and racks on the floor."""
    kind = Rack if isinstance(view, FloorView) else Device
    design = view.session.design
    return list(design.racks if kind is Rack else design.devices)


def middle(view, entity_id) -> QPoint:
    return view.box_px(entity_id).center().toPoint()


def wheel(view, *, pixels=STILL, angle=STILL, keys=NO_KEYS, phase=NO_PHASE) -> None:
    at = QPointF(view.mapToGlobal(SPOT.toPoint()))
    event = QWheelEvent(SPOT, at, pixels, angle, Qt.MouseButton.NoButton, keys, phase, False)
    QApplication.sendEvent(view, event)
    assert event.isAccepted()


def drag(view, start, end, button=LEFT, *, let_go=True) -> None:
    QTest.mouseMove(view, start)
    QTest.mousePress(view, button, NO_KEYS, start)
    for share in range(1, 5):
        QTest.mouseMove(view, start + (end - start) * share / 4)
    if let_go:
        QTest.mouseRelease(view, button, NO_KEYS, end)


def test_the_wheel_zooms_about_the_cursor_and_with_shift_moves_sideways(view):
    scale, before = view.camera.scale, view.camera.to_canvas(SPOT.x(), SPOT.y())
    wheel(view, angle=QPoint(0, 240))
    assert view.camera.scale > scale
    assert view.camera.to_canvas(SPOT.x(), SPOT.y()) == pytest.approx(before)
    camera = view.camera
    wheel(view, angle=QPoint(0, 120), keys=SHIFT)
    assert view.camera == camera.moved(120.0, 0.0)


def test_two_fingers_on_a_trackpad_move_the_picture_and_with_control_zoom(view):
    before = view.camera
    wheel(view, pixels=QPoint(14, -30), angle=QPoint(28, -60), phase=SCROLLING)
    assert view.camera == before.moved(14.0, -30.0)
    wheel(view, pixels=QPoint(0, 30), angle=QPoint(0, 60), keys=CONTROL, phase=SCROLLING)
    assert view.camera.scale > before.scale


def test_a_pinch_zooms_about_the_fingers(view):
    before, device = view.camera, QPointingDevice.primaryPointingDevice()
    at = QPointF(view.mapToGlobal(SPOT.toPoint()))
    kind = Qt.NativeGestureType.ZoomNativeGesture
    QApplication.sendEvent(view, QNativeGestureEvent(kind, device, 2, SPOT, SPOT, at, 0.25, QPointF()))
    assert view.camera == before.zoomed(1.25, SPOT.x(), SPOT.y())


def test_the_middle_button_and_space_move_the_picture_and_select_nothing(view):
    before = view.camera
    drag(view, QPoint(100, 100), QPoint(160, 130), MIDDLE)
    assert (view.camera.left, view.camera.top) == pytest.approx(
        (before.left - 60 / before.scale, before.top - 30 / before.scale)
    )
    QTest.keyPress(view, Qt.Key.Key_Space)
    assert view.cursor().shape() is Qt.CursorShape.OpenHandCursor
    drag(view, QPoint(160, 130), QPoint(100, 100))
    QTest.keyRelease(view, Qt.Key.Key_Space)
    assert view.cursor().shape() is Qt.CursorShape.ArrowCursor
    assert (view.camera.left, view.camera.top) == pytest.approx((before.left, before.top))
    assert not view.session.selection and not view.session.undo_stack.count()


def test_the_pan_tool_drags_the_picture_and_a_tool_that_a_view_lacks_selects(view):
    before, one = view.camera, things(view)[0]
    view.set_tool("pan")
    drag(view, middle(view, one), middle(view, one) + QPoint(40, 30))
    assert view.camera.left == pytest.approx(before.moved(40.0, 30.0).left) and not view.session.selection
    before = view.camera
    QTest.mouseDClick(view, LEFT, NO_KEYS, middle(view, one))
    assert view.camera == before
    view.set_tool("connect")
    assert view.tool == ("connect" if isinstance(view, CanvasView) else "select")


def test_a_double_click_fills_the_view_with_what_it_is_on(view):
    one, before = things(view)[0], view.camera.scale
    QTest.mouseDClick(view, LEFT, NO_KEYS, middle(view, one))
    box = view.box_px(one)
    assert view.camera.scale > before
    assert (box.center() - QPointF(500, 350)).manhattanLength() < 2.0


def test_a_double_click_beside_everything_goes_nowhere(view):
    before = view.camera
    QTest.mouseDClick(view, LEFT, NO_KEYS, QPoint(4, 4))
    assert view.camera == before


def test_a_band_selects_while_it_grows_and_esc_brings_the_selection_back(view):
    one, other = things(view)
    view.session.select([other])
    top, bottom = view.box_px(one).topLeft().toPoint(), view.box_px(one).bottomRight().toPoint()
    drag(view, top - QPoint(40, 60), bottom + QPoint(3, 3), let_go=False)
    assert one in view.session.selection and other not in view.session.selection
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.session.selection == {other}
    assert not view.gesture.active


def test_esc_takes_a_drag_back_and_then_the_selection(view):
    one = things(view)[0]
    where = view.box_px(one)
    drag(view, middle(view, one), middle(view, one) + QPoint(40, 60), let_go=False)
    assert view.gesture.active
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.gesture.active and view.box_px(one) == where
    QTest.mouseRelease(view, LEFT, NO_KEYS, middle(view, one) + QPoint(40, 60))
    assert not view.session.undo_stack.count() and view.session.selection == {one}
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.session.selection


def test_an_edit_ends_what_is_being_dragged(view, session):
    one = things(view)[0]
    drag(view, middle(view, one), middle(view, one) + QPoint(40, 60), let_go=False)
    session.push(operations.rename(session.design, one, "another name"))
    assert not view.gesture.active
    QTest.mouseRelease(view, LEFT, NO_KEYS, middle(view, one) + QPoint(40, 60))
    assert session.undo_stack.count() == 1


def test_the_menu_key_opens_the_menu_at_what_is_selected(view, qtbot):
    one = things(view)[1]
    view.session.select([one])
    with qtbot.waitSignal(view.context_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), view.mapToGlobal(QPoint(5, 5)))
        QApplication.sendEvent(view, event)
    assert asked.args == [view.mapToGlobal(middle(view, one)), {one}]


def test_a_view_that_shows_everything_still_does_when_its_size_changes(view):
    for size in ((600, 500), (1000, 700)):
        view.resize(*size)
        left, top, right, bottom = view.subject.bounds()
        seen = view.sight.seen()
        assert seen[0] <= left and seen[1] <= top and right <= seen[2] and bottom <= seen[3]


def test_going_to_what_is_seen_well_moves_nothing(view):
    view.zoom_onto([things(view)[0]])
    before = view.camera
    view.zoom_to([things(view)[0]])
    assert view.camera == before


def test_going_to_what_is_seen_too_small_brings_it_nearer(view):
    view.zoom_by(0.2 / view.camera.scale)
    view.zoom_to([things(view)[0]])
    assert view.subject.readable_scale <= view.camera.scale <= 1.0


def test_another_design_is_shown_whole_once_the_view_is_seen(view, session, qtbot):
    view.hide()
    session.new()
    types = session.catalog.types
    session.push(operations.add_rack(session.design, types["rack-42u"], 90_000.0, 0.0))
    (rack,) = session.design.racks
    session.push(floor.place_racks(session.design, {rack: (900.0, 0.0)}))
    view.show()
    qtbot.waitUntil(lambda: view.rect().contains(middle(view, rack)))


def test_leaving_the_view_takes_the_sentence_away(view, qtbot):
    with qtbot.waitSignal(view.cursor_message) as stated:
        QTest.mouseMove(view, middle(view, things(view)[0]))
    assert stated.args[0]
    with qtbot.waitSignal(view.cursor_message) as stated:
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert stated.args == [""]
