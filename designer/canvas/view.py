"""The canvas: shows the session's design, turns mouse and keys into gestures, and gestures into edits."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from designer.canvas import hits, marks
from designer.canvas.backing import Backing
from designer.canvas.camera_view import CameraView
from designer.canvas.drop_target import DropTarget
from designer.canvas.export import render_png
from designer.canvas.ghosts import Ghosts, paint_ghosts
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import KNOB_REACH_PX, NOTHING, Target
from designer.canvas.job_marks import JobMarks
from designer.canvas.legend import MARGIN_PX, paint_legend
from designer.canvas.moving import movable, moved
from designer.canvas.painting import PicturePainter, paint_background
from designer.canvas.pause_marks import PauseReach, paint_pauses, reach_of
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.pan import PanTool
from designer.canvas.tools.select import SelectTool
from designer.canvas.tools.tool import Pointer, Tool
from designer.canvas.tooltips import sentence_of, tooltip_of
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.theme import Theme
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Severity

NOTE_MS = 5000
WHEEL_STEP = 1.0015
NUDGE = 12.0
FINE_NUDGE = 1.0
ARROWS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


class CanvasView(CameraView):
    """A projection of the session; all it keeps of its own is the camera and the gesture under way."""

    cursor_message = Signal(str)
    context_requested = Signal(QPoint, object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.backing = Backing()
        self._painter = PicturePainter(self.font())
        tools: tuple[Tool, ...] = (SelectTool(self), ConnectTool(self), PanTool(self))
        self._tools = {tool.name: tool for tool in tools}
        self._drops = DropTarget(self)
        self._tool = self._tools["select"]
        self._held: Tool | None = None
        """The tool of the gesture under way; the pan tool while Space or the middle button is held."""
        self._hovered: Target = NOTHING
        self._note: marks.CursorNote | None = None
        self._ghosts: Ghosts | None = None
        self._heat: Heat | None = None
        self._pauses: PauseReach | None = None
        self._worst: dict[str, Severity] = {}
        self._job_marks = JobMarks()
        self._space = False
        self._fade = self._timer(NOTE_MS, lambda: self.note(None))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Canvas")
        self.setMinimumSize(240, 180)
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.update)
        session.layers_changed.connect(self._show_layers)
        session.findings_changed.connect(self._take_findings)
        session.heat_view.changed.connect(self._take_heat)
        session.simulation.failed_changed.connect(self.update)
        session.placed_jobs.changed.connect(self.update)

    # -- keeping up with the session ------------------------------------------------------------------------------

    def _follow(self, edit: Edit) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        if self.session.drawing is not None:
            self.composition = self.session.drawing
        else:
            self.composition.follow(edit)
        self._hovered = NOTHING
        self.cursor_message.emit("")  # what it told may no longer be so
        self.update()

    def _reset(self) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        self.composition = self.session.drawing or Composition(self.session.design, self.session.hidden_networks)
        self._hovered, self._heat, self._pauses, self._worst = NOTHING, None, None, {}
        self.cursor_message.emit("")
        self.zoom_to_fit()

    def _show_layers(self) -> None:
        if self.gesture.active:
            self.gesture.cancel()
        self.composition = Composition(self.session.design, self.session.hidden_networks)
        self._hovered = NOTHING
        self.backing = Backing()
        self.update()

    def _take_findings(self) -> None:
        report = self.session.report if self.session.report_current else None
        if report is not None:
            self._worst = marks.worst_by_subject(report.findings)
            self.update()

    def _take_heat(self) -> None:
        """The heat of the design as it stands; while it is computed anew the last one stays, and the legend says so."""
        heat = self.session.shown_heat
        if heat is not None:
            is_new, self._heat = heat is not self._heat, heat
            result = self.session.result if self.session.heat_view.of_current else None
            self._pauses = reach_of(result.congestion, self.session.design) if result is not None else None
            if is_new and self.session.simulation.state == "current":
                self.repaint()  # now, before panels are filled with figures
                return
        elif self.session.simulation.state != "running":
            self._heat = self._pauses = None
        self.update()

    @property
    def heat(self) -> Heat | None:
        """The heat that is drawn."""
        return self._heat

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    def render_png(self, path: Path) -> None:
        """Write the whole design as PNG in the colours shown. Raises ExportError."""
        session = self.session
        render_png(
            session.design, path, theme=self.theme, heat=session.shown_heat, hidden=session.hidden_networks
        )

    # -- painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        detail, heat = self.detail, self._heat
        picture = self.composition.picture(self.theme, detail, heat)
        view = self.viewport
        content = (self.composition, self.composition.generation, self.theme.name, detail, id(heat))

        def draw(onto: QPainter, smooth: bool) -> None:
            paint_background(onto, self.theme, view)
            self._painter.paint(onto, picture, view, smooth=smooth)

        ratio = self.devicePixelRatioF()
        again = self.backing.show(painter, view, ratio, content, self._moving, self.theme.background, draw)
        if again and not self._rest.isActive():
            self._rest.start()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_over(painter, picture)

    def _paint_over(self, painter: QPainter, picture: Picture) -> None:
        frame, font, area = self.frame, self.font(), QRectF(self.rect())
        jobs = self.session.placed_jobs.servers_by_colour()
        self._job_marks.paint(painter, frame, jobs, self.session.design.revision, area.height())
        marks.paint_failed(painter, frame, self.session.simulation.failed)
        if self._pauses is not None:
            paint_pauses(painter, frame, self._pauses)
        marks.paint_selection(painter, frame, self.session.selection, self._heat is not None)
        if self._ghosts is not None:
            paint_ghosts(painter, frame, self._ghosts)
        gesture = self.gesture
        if not gesture.active:
            marks.paint_hover(painter, frame, self._hovered, self._tool.name != "pan")
        marks.paint_marks(painter, frame, self._worst, Fonts(font), area)
        gesture.paint(painter)
        self._drops.paint(painter)
        if picture.legend is not None:
            legend = picture.legend
            if self.session.shown_heat is None:
                legend = replace(legend, note="computing again …", busiest=None)
            paint_legend(painter, legend, self.theme, font, MARGIN_PX, self.height() - MARGIN_PX)
        if self._note is not None:
            marks.paint_note(painter, self._note, self.theme, font, area)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._painter = PicturePainter(QFont(self.font()))
            self.backing = Backing()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = event.oldSize()
        if self.camera == self._whole:  # nobody has gone elsewhere since everything was shown
            self.zoom_to_fit()
        elif before.isValid():  # the middle stays in the middle
            size = event.size()
            shift = (size.width() - before.width()) / 2, (size.height() - before.height()) / 2
            self.camera = self.camera.moved(*shift)
        super().resizeEvent(event)

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

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until told otherwise."""
        self._ghosts = ghosts
        self.update()

    def movable(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Devices and racks that a drag of these moves."""
        return movable(self.session.design, ids)

    # -- what is under the mouse ----------------------------------------------------------------------------------

    def target_at(self, at: Pointer) -> Target:
        return hits.target_at(self.composition, self.detail, self.camera.scale, at.x, at.y)

    def knob_at(self, at: Pointer) -> str | None:
        """The device under the cursor whose knob a press at this point takes hold of."""
        device_id = self._hovered.device_id
        box = self.box_px(device_id) if device_id is not None else None
        if box is None:
            return None
        reached = any((at.spot - knob).manhattanLength() <= KNOB_REACH_PX for knob in marks.knobs(box))
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
            text = "" if self.gesture.active else tooltip_of(
                self.session.design, self._hovered, heat, self.session.simulation.state,
                self.session.placed_jobs.names_on(self._hovered.device_id),
            )  # fmt: skip
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
            x, y, spot.x(), spot.y(),
            bool(keys & held.ShiftModifier), bool(keys & held.ControlModifier), bool(keys & held.AltModifier),
        )  # fmt: skip

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
