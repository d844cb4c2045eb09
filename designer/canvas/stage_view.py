"""Mouse and keys over a subject become gestures, and gestures become edits."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
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
    QPainter,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from designer.canvas.camera_view import CameraView
from designer.canvas.cursor_notes import CursorNotes
from designer.canvas.drop_target import DropTarget
from designer.canvas.hits import NOTHING, Target
from designer.canvas.marks import paint_hint
from designer.canvas.name_editor import ENTER, NameEditor
from designer.canvas.pointer import Pointer, pointer_at
from designer.canvas.resting import Resting
from designer.canvas.sight import Sight
from designer.canvas.space_key import SpaceKey
from designer.canvas.stage import open_on
from designer.canvas.subject import Subject
from designer.canvas.tools.pan import EdgePan, PanTool
from designer.canvas.tools.plate import PlateTool
from designer.canvas.tools.select import SelectTool
from designer.canvas.tools.tool import Tool
from designer.drawing.camera import fitting
from designer.model.edit import Edit

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


EDGE = 0.2
"""Share of the view at its left and top that headings may cover."""


class StageView(CameraView):
    """A subject under the hand; all it keeps of its own is the gesture under way and what is under the mouse."""

    cursor_message = Signal(str)
    context_requested = Signal(QPoint, object)
    rename_wanted = Signal()
    """Of what is selected, which has no name to be written over here."""
    tool_left = Signal()
    """Esc with nothing left to cancel or clear: back to the Select tool."""

    def __init__(self, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(subject, parent)
        self.notes = CursorNotes(self)
        self.hovered: Target = NOTHING
        self._resting = Resting(self, subject)
        self._tools: dict[str, Tool] = {}
        self.add_tools(SelectTool(self), PanTool(self), PlateTool(self))
        self._drops = DropTarget(self)
        self._tool = self._tools["select"]
        self._held: Tool | None = None
        """The tool of the gesture under way; the pan tool while Space or the middle button is held."""
        self._edges = EdgePan(self, self, lambda: self.gesture)
        self._mouse_at: QPointF | None = None
        self._space = SpaceKey(self)
        self._space.changed.connect(self.show_cursor)
        self.name_editor = NameEditor(self, self.notes)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        subject.ending.connect(self._end_gesture)
        self.camera_changed.connect(self._resting.pause)
        self.camera_changed.connect(self._show_elsewhere)

    def _end_gesture(self) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        self.hovered = NOTHING
        self._resting.stop()
        self.cursor_message.emit(self._tool.hint)  # what was said may no longer be so

    def _show_elsewhere(self) -> None:
        """Forget what was under the mouse, where something else came there; at the wheel it stays under it.

        But a box may have opened.
        """
        stays = self.is_wheel_turned and self.hovered.box is None
        if self.hovered and not (self.gesture.active or stays):
            self.hovered = NOTHING
            self.show_cursor()
            self.cursor_message.emit(self._tool.hint)

    def paint(self, painter: QPainter, sight: Sight) -> None:
        """Paint the subject, then the gesture or drop under way, legends and the note at the cursor."""
        gesture = self.gesture
        hovered = NOTHING if gesture.active else self.hovered
        self.paint_subject(painter, sight, hovered, connectable=self._tool.shows_knobs)
        gesture.paint(painter, sight)
        self._drops.paint(painter, sight)
        self.subject.paint_over(painter, sight)
        if self._tool.hint and not gesture.active:
            over = sight.covered
            paint_hint(painter, self._tool.hint, sight.theme, sight.font, sight.rect, self._mouse_at, over)
        self.notes.paint(painter, sight)

    # -- tools ----------------------------------------------------------------------------------------------------

    def add_tools(self, *tools: Tool) -> None:
        """Offer these, instead of those of the same name."""
        self._tools |= {tool.name: tool for tool in tools}
        self._tool = self._tools["select"]

    @property
    def tool(self) -> str:
        """The name of the tool in use."""
        return self._tool.name

    @property
    def gesture(self) -> Tool:
        """The tool that the mouse drives now."""
        return self._held or self._tool

    def set_tool(self, name: str) -> None:
        """Use the tool of that name: select, connect or pan; the select tool where there is none of that name."""
        if self.gesture.active:
            self.gesture.cancel()
        self._resting.stop()
        had_hint, self._tool = self._tool.hint, self._tools.get(name, self._tools["select"])
        self.notes.show(None)
        if had_hint or self._tool.hint:
            self.cursor_message.emit(self._tool.hint)
        self.show_cursor()
        self.update()

    def show_cursor(self) -> None:
        """The cursor of what a press would do."""
        self.setCursor((self._tools["pan"] if self._space.held else self.gesture).cursor)

    # -- what is under the mouse ----------------------------------------------------------------------------------

    def target_at(self, at: Pointer) -> Target:
        """What is under the mouse."""
        return NOTHING if self.subject.plate_at(at, self.sight) else self.subject.target_at(at, self.sight)

    def pointer_spot(self) -> tuple[float, float] | None:
        """The canvas point under the mouse; None while it is elsewhere."""
        return None if self._mouse_at is None else self.camera.to_canvas(self._mouse_at.x(), self._mouse_at.y())

    def _hover(self, at: Pointer) -> None:
        found = self.target_at(at)
        if self._tool.name == "select" and not self.gesture.active and not self._space.held:
            self._resting.over(found, at)
        if not found and self.subject.handle_at(at, self.sight, found, self.hovered) is not None:
            return  # on the outer half of a knob
        if found != self.hovered:
            self.hovered = found
            self.show_cursor()
            self.cursor_message.emit(self._tool.hint or self.subject.sentence(found))
            self.update()

    def event(self, event: QEvent) -> bool:
        """Show tooltips of the subject, and take Space and arrow keys before shortcuts do."""
        if event.type() == QEvent.Type.Hide:  # another view comes to the front
            self._mouse_at, self.hovered = None, NOTHING
            self._resting.leave()
        elif event.type() == QEvent.Type.Show and self._tool.hint:
            self.cursor_message.emit(self._tool.hint)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = "" if self.gesture.active else self.subject.tooltip(self.hovered)
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        if isinstance(event, QKeyEvent) and (self._space.take(event) or self._is_own(event)):
            event.accept()
            return True
        return super().event(event)

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _pointer(self, event: QMouseEvent | QDropEvent) -> Pointer:
        return pointer_at(self.camera, self.spot(event.position()), event.modifiers())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a gesture: of the tool in use, or panning with the middle button or while Space is held."""
        at = self._pointer(event)
        self._edges.press(at)
        self._resting.press(self.target_at(at))
        self.notes.drop()
        QToolTip.hideText()
        is_left = event.button() == Qt.MouseButton.LeftButton
        panning = event.button() == Qt.MouseButton.MiddleButton or (self._space.held and is_left)
        if panning and not self.gesture.active:
            self._held = self._tools["pan"]
            self._held.press(at)
        elif is_left and self.subject.plate_at(at, self.sight) is not None and not self.gesture.active:
            self._held = self._tools["plate"]
            self._held.press(at)
        elif is_left and not self.gesture.active:
            self._hover(at)
            self._tool.press(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the gesture; without one, show what is under the mouse."""
        self._space.mouse_over()
        self._mouse_at = self.spot(event.position())
        at = self._pointer(event)
        if event.buttons() & (Qt.MouseButton.LeftButton | Qt.MouseButton.MiddleButton) and self.gesture.active:
            self.gesture.move(at)
            self._edges.move(at)
        else:
            self._hover(at)
            self._tool.hover(at)
            if self._tool.hint:
                self.update()  # the hint stays off what is under the mouse

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture, which may push one edit."""
        self._edges.stop()
        at, gesture = self._pointer(event), self.gesture
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton) and gesture.active:
            gesture.release(at)
            self._held = None
            self.show_cursor()
            self._hover(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename where a name is, expand or zoom in on what the Select tool opens; else it is one more press."""
        at = self._pointer(event)
        found = self.target_at(at)  # nothing on a legend
        named, opened = self.subject.named_at(found, at, self.sight), self.subject.opened_by(found)
        if self._tool.has_opened:
            return  # at the sign of a box, by the first of two clicks
        if self._tool.name == "select" and named:
            if not self.write_in(*named):
                self.rename_wanted.emit()
        elif self._tool.name == "select" and opened:
            open_on(self, found)
        else:
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Forget what was under the mouse."""
        self._space.mouse_gone()
        if QApplication.activePopupWidget() is None:  # a menu that opens here is about this place
            self._mouse_at = None
        self._resting.leave()
        self.hovered = NOTHING
        self.cursor_message.emit(self._tool.hint)
        self.update()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Cancel the gesture and emit `context_requested` for what is under the mouse, which is selected first.

        From the keyboard it is the menu of the selection, at what is selected or in the middle of the view.
        """
        if self.gesture.active:
            self.gesture.cancel()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            boxes = [box for one in self.session.selection if (box := self.box_px(one)) is not None]
            spot = boxes[0].center().toPoint() if boxes else self.rect().center()
            self.context_requested.emit(self.mapToGlobal(spot), self.session.selection)
            return
        ids = self.target_at(pointer_at(self.camera, self.spot(QPointF(event.pos())))).ids
        if not ids:
            self.session.select(())
        elif not set(ids) <= self.session.selection:
            self.session.select(ids)
        self.context_requested.emit(event.globalPos(), self.session.selection)

    def write_in(self, *ids: str) -> bool:
        """Put the cursor into the name of something, or the label of links; False where it has none here."""
        return self.name_editor.open(*ids)

    # -- keys -----------------------------------------------------------------------------------------------------

    def _is_own(self, event: QKeyEvent) -> bool:
        """Whether a key comes here, rather than to a shortcut of the window.

        An arrow, to move or with Alt to walk; a letter, while what the tool puts down is still to come.
        """
        if event.type() != QEvent.Type.ShortcutOverride:
            return False
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if event.key() in ARROWS:
            alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
            return alt or (plain and (self.subject.walks or bool(self.session.selection)))
        return plain and self._tool.ignores_letters and event.text().isalpha()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels, deselects, leaves the tool or ends a comparison; Enter puts down or renames; arrow keys move."""
        key, chosen = Qt.Key(event.key()), self.session.selection
        mouse = None if self._mouse_at is None else pointer_at(self.camera, self._mouse_at)
        if key == Qt.Key.Key_Escape:
            self._escape()
        elif self._tool.ignores_letters and event.text().isalpha():
            event.accept()  # nor does the window say why a command cannot be used
        elif key in ENTER and (self._tool.enter(mouse) or (chosen and self.write_in(*chosen))):
            event.accept()
        elif key in ARROWS and (self.subject.walks or event.modifiers() == Qt.KeyboardModifier.AltModifier):
            self._walk(*ARROWS[key])
        elif key in ARROWS and self.subject.movable(chosen):
            fine, step = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier), ARROWS[key]
            self.session.attempt(lambda: self.subject.nudged(*step, fine=fine) or Edit("", ()))
        else:
            super().keyPressEvent(event)

    def _walk(self, dx: int, dy: int) -> None:
        """Go to the next place of a subject, and bring it into view."""
        rect = self.subject.step(dx, dy)
        if rect is None:
            return
        left, top, right, bottom = self.camera.seen(*self.extent)
        across, down = (right - left) * EDGE, (bottom - top) * EDGE
        bottom -= self.subject.covered_px(self.sight)[3] / self.camera.scale
        if not (left + across <= rect[0] and rect[2] <= right and top + down <= rect[1] and rect[3] <= bottom):
            self.move_camera(fitting(rect, *self.extent, self.camera.scale, 0.0))
        self.cursor_message.emit(self._tool.hint or self.subject.sentence(NOTHING))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let go of Space, whose release goes elsewhere now."""
        self._space.release()
        super().focusOutEvent(event)

    def _escape(self) -> None:
        self.notes.drop()
        if self.gesture.active:
            self.gesture.escape()
            self._held = None
            self.show_cursor()
        elif self.subject.leave() or self.session.workbench.heat_view.end_preview():
            return
        elif self._tool.hint and not self._tool.uses_selection:
            self.tool_left.emit()
        elif self.session.selection:
            self.session.select(())
        elif self.tool != "select":
            self.tool_left.emit()
        else:
            self.session.workbench.comparison.end()

    # -- what is dragged in ---------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept what is dragged in from the palette."""
        self._resting.stop()
        self._drops.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Say what letting go here would add."""
        self._drops.move(event, self._pointer(event))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget what was dragged over the view."""
        self._drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what is let go here, where it stays, and take the keyboard if it was added."""
        if self._drops.drop(event, self._pointer(event)):
            self.stay()
            self.setFocus(Qt.FocusReason.MouseFocusReason)
