"""A floor plan under the mouse in tests: racks in one row, and points, drags and clicks in meters."""

from PySide6.QtCore import QPoint, Qt

from designer.canvas.room.floor_view import FloorView
from designer.drawing.room.floor_plan import PER_M
from designer.model import operations
from designer.placement import floor

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
NO_KEYS = Qt.KeyboardModifier.NoModifier


def furnish(window, catalog, *xs_m: float) -> None:
    """Racks of one row at these places along it, "one", "two" and so on."""
    session = window.session
    for name in ("one", "two", "three")[: len(xs_m)]:
        session.push(operations.add_rack(session.design, catalog.types["rack-42u"], 0, 0, name))
    places = zip(session.design.racks, xs_m, strict=True)
    session.push(floor.place_racks(session.design, {one: (x_m, 0) for one, x_m in places}))


def shown_plan(window) -> FloorView:
    """The floor plan in front, all of it seen."""
    window.resize(1100, 700)
    window.show()
    window.actions_table.trigger("view.floor")
    window.views.floor.zoom_to_fit()
    return window.views.floor


def px(view, x_m: float, y_m: float) -> QPoint:
    """A point of the floor in pixels of the view."""
    return view.sight.point_px(x_m * PER_M, y_m * PER_M).toPoint()


def drag(qtbot, view, start: QPoint, end: QPoint, keys=NO_KEYS) -> None:
    """From one pixel to another."""
    qtbot.mousePress(view, LEFT, keys, pos=start)
    qtbot.mouseMove(view, (start + end) / 2)
    qtbot.mouseMove(view, end)
    qtbot.mouseRelease(view, LEFT, keys, pos=end)


def click(qtbot, view, *points) -> None:
    """At each of these points of the floor."""
    for x_m, y_m in points:
        qtbot.mouseMove(view, px(view, x_m, y_m))
        qtbot.mousePress(view, LEFT, pos=px(view, x_m, y_m))
        qtbot.mouseRelease(view, LEFT, pos=px(view, x_m, y_m))
