"""The canvas: turns mouse and keys over the drawn design into gestures, and gestures into edits."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from designer.canvas import hits, marks
from designer.canvas.design_view import DesignView
from designer.canvas.drop_target import DropTarget
from designer.canvas.hits import KNOB_REACH_PX, NOTHING, Target
from designer.canvas.moving import movable, moved
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.pan import PanTool
from designer.canvas.tools.select import SelectTool
from designer.canvas.tools.tool import Pointer, Tool
from designer.canvas.tooltips import sentence_of, tooltip_of
from designer.drawing.display_list import Picture
from designer.session.session import Session
from designer.session.timers import later

NOTE_MS = 5000
WHEEL_STEP = 1.0015
NUDGE = 12.0
FINE_NUDGE = 1.0
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class CanvasView(DesignView):
    """The design under the hand; all it keeps of its own is the gesture under way and what is under the mouse."""

    cursor_message = Signal(str)
    context_requested = Signal(QPoint, object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        tools: tuple[Tool, ...] = (SelectTool(self), ConnectTool(self), PanTool(self))
        self._tools = {tool.name: tool for tool in tools}
        self._drops = DropTarget(self)
        self._tool = self._tools["select"]
        self._held: Tool | None = None
        """The tool of the gesture under way; the pan tool while Space or the middle button is held."""
        self._hovered: Target = NOTHING
        self._note: marks.CursorNote | None = None
        self._space = False
        self._fade = later(self, NOTE_MS, lambda: self.note(None))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAccessibleName("Canvas")
        self.setMinimumSize(240, 180)

    def cancel_gesture(self) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        self._hovered = NOTHING
        self.cursor_message.emit("")  # what it told may no longer be so

    def paint_over(self, painter: QPainter, picture: Picture) -> None:
        gesture = self.gesture
        self.paint_states(painter)
        if not gesture.active:
            marks.paint_hover(painter, self.frame, self._hovered, self._tool.name != "pan")
        self.paint_badges(painter)
        gesture.paint(painter)
        self._drops.paint(painter)
        self.paint_legend(painter, picture)
        if self._note is not None:
            marks.paint_note(painter, self._note, self.theme, self.font(), QRectF(self.rect()))

    # -- tools ----------------------------------------------------------------------------------------------------

    @property
    def tool(self) -> str:
        return self._tool.name

    @property
    def gesture(self) -> Tool:
        """The tool that the mouse drives now."""
        return self._held or self._tool

    def set_tool(self, name: str) -> None:
        """Use the tool of that name: select, connect or pan."""
        if self.gesture.active:
            self.gesture.cancel()
        self._tool = self._tools[name]
        self.note(None)
        self.show_cursor()
        self.update()

    def show_cursor(self) -> None:
        """The cursor of what a press would do."""
        shape = self._tools["pan"].cursor if self._space else self.gesture.cursor
        if self._tool.name == "select" and not self._space and self._hovered.end is not None:
            shape = Qt.CursorShape.CrossCursor
        self.setCursor(shape)

    def note(
        self, text: str | None, at: Pointer | None = None, *, refused: bool = False, lasting: bool = False
    ) -> None:
        """Show a line of text at the cursor, or none; a lasting one outlives the gesture for a while."""
        if text is None and self._fade.isActive() and at is None:
            return
        self._fade.stop()
        spot = at.spot if at is not None else QPointF()
        self._note = marks.CursorNote(text, spot, refused) if text else None
        if lasting:
            self._fade.start()
        self.update()

    def drop_note(self) -> None:
        """Take the note away at once."""
        self._fade.stop()
        self._note = None
        self.update()

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Devices and racks that a drag of these moves."""
        return movable(self.session.design, ids)

    # -- what is under the mouse ----------------------------------------------------------------------------------

    def target_at(self, at: Pointer) -> Target:
        titled = self.titled_at(at.spot)
        return hits.target_at(self.composition, self.detail, self.camera.scale, at.x, at.y, titled)

    def knob_at(self, at: Pointer) -> str | None:
        """The device under the cursor whose knob a press at this point takes hold of."""
        device_id = self._hovered.device_id
        box = self.box_px(device_id) if device_id is not None else None
        if box is None:
            return None
        reach_px = min(KNOB_REACH_PX, box.width() / 4)  # the middle of a small box stays for moving it
        reached = any((at.spot - knob).manhattanLength() <= reach_px for knob in marks.knobs(box))
        return device_id if reached else None

    def _hover(self, at: Pointer) -> None:
        found = self.target_at(at)
        if not found and self.knob_at(at) is not None:
            return  # on the outer half of a knob
        if found != self._hovered:
            self._hovered = found
            self.show_cursor()
            self.cursor_message.emit(sentence_of(self.session.design, found))
            self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            heat = self.session.shown_heat
            text = (
                ""
                if self.gesture.active
                else tooltip_of(
                    self.session.design,
                    self._hovered,
                    heat,
                    self.session.simulation.state,
                    self.session.placed_jobs.names_on(self._hovered.device_id),
                )
            )
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            spot = event.position()
            self.move_camera(self.camera.zoomed(1.0 + event.value(), spot.x(), spot.y()))
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _pointer(self, event: QMouseEvent | QDropEvent) -> Pointer:
        spot, keys = event.position(), event.modifiers()
        x, y = self.camera.to_canvas(spot.x(), spot.y())
        held = Qt.KeyboardModifier
        return Pointer(
            x,
            y,
            spot.x(),
            spot.y(),
            bool(keys & held.ShiftModifier),
            bool(keys & held.ControlModifier),
            bool(keys & held.AltModifier),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.drop_note()
        QToolTip.hideText()
        at = self._pointer(event)
        panning = event.button() == Qt.MouseButton.MiddleButton or (
            self._space and event.button() == Qt.MouseButton.LeftButton
        )
        if panning and not self.gesture.active:
            self._held = self._tools["pan"]
            self._held.press(at)
        elif event.button() == Qt.MouseButton.LeftButton and not self.gesture.active:
            self._hover(at)
            self._tool.press(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._pointer(event)
        if event.buttons() & (Qt.MouseButton.LeftButton | Qt.MouseButton.MiddleButton) and self.gesture.active:
            self.gesture.move(at)
        else:
            self._hover(at)
            self._tool.hover(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at, gesture = self._pointer(event), self.gesture
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton) and gesture.active:
            gesture.release(at)
            self._held = None
            self.show_cursor()
            self._hover(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self._pointer(event)
        found = self.target_at(at)
        if self._tool.name == "select" and found.device_id is not None and found.end is None:
            self.zoom_onto([found.device_id])
        else:
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = NOTHING
        self.cursor_message.emit("")
        self.update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        scrolled = event.pixelDelta()
        if event.phase() != Qt.ScrollPhase.NoScrollPhase and not scrolled.isNull() and not control:
            self.move_camera(self.camera.moved(scrolled.x(), scrolled.y()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            turned = event.angleDelta()
            self.move_camera(self.camera.moved(turned.y() or turned.x(), 0.0))
        else:
            spot, turned = event.position(), event.angleDelta()
            self.move_camera(self.camera.zoomed(WHEEL_STEP ** (turned.y() or turned.x()), spot.x(), spot.y()))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            boxes = [box for one in self.session.selection if (box := self.box_px(one)) is not None]
            spot = boxes[0].center().toPoint() if boxes else self.rect().center()
            self.context_requested.emit(self.mapToGlobal(spot), self.session.selection)
            return
        spot = event.pos()
        at = Pointer(*self.camera.to_canvas(spot.x(), spot.y()), spot.x(), spot.y())
        ids = self.target_at(at).ids
        if not ids:
            self.session.select(())
        elif not set(ids) <= self.session.selection:
            self.session.select(ids)
        self.context_requested.emit(event.globalPos(), self.session.selection)

    # -- keys -----------------------------------------------------------------------------------------------------

    def _wants(self, event: QKeyEvent) -> bool:
        """Keys that mean something here come here rather than to a shortcut of the window."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        return plain and (event.key() == Qt.Key.Key_Space or (event.key() in ARROWS and bool(self.session.selection)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self._escape()
        elif key == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self.show_cursor()
        elif key in ARROWS and self.movable(self.session.selection):
            self._nudge(*ARROWS[key], fine=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.show_cursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space = False
        self.show_cursor()
        super().focusOutEvent(event)

    def _escape(self) -> None:
        self.drop_note()
        if self.gesture.active:
            self.gesture.cancel()
            self._held = None
            self.show_cursor()
        else:
            self.session.select(())

    def _nudge(self, dx: int, dy: int, *, fine: bool) -> None:
        step = FINE_NUDGE if fine else NUDGE
        ids = self.movable(self.session.selection)
        self.session.attempt(lambda: moved(self.session.design, ids, dx * step, dy * step))

    # -- what is dragged in ---------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drops.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drops.move(event, self._pointer(event))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drops.drop(event, self._pointer(event))
