"""What both views of the room have in common: a camera over the session, the selection, one gesture at a time."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from designer.canvas.dropping import MIME_TYPE
from designer.canvas.export import save, write_pdf
from designer.canvas.glyphs import Fonts
from designer.canvas.pointer import START_DRAG_PX
from designer.drawing.camera import Camera, fitting
from designer.drawing.geometry import Rect
from designer.drawing.theme import LIGHT, Theme
from designer.errors import ExportError
from designer.model.edit import Edit
from designer.model.entities import Device, Rack
from designer.model.hardware import HardwareType
from designer.session.session import Session

WHEEL_STEP = 1.0015
STEP_ZOOM = 1.25
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Gesture:
    """A drag of the mouse. It moves pictures only, and may push one edit when it is let go."""

    def __init__(self, view: "RoomView", start: QPointF) -> None:
        self.view = view
        self.start = start
        self.at = start

    @property
    def begun(self) -> bool:
        """Whether the mouse has moved far enough for more than a click."""
        return (self.at - self.start).manhattanLength() >= START_DRAG_PX

    def move(self, at: QPointF, keys: Qt.KeyboardModifier) -> None:
        self.at = at

    def release(self) -> None:
        """The button went up."""

    def paint(self, painter: QPainter) -> None:
        """What the gesture shows, in pixels of the view."""


class Band(Gesture):
    """A rubber band: what it encloses becomes the selection, or comes to it with Shift."""

    def __init__(self, view: "RoomView", start: QPointF, adding: bool) -> None:
        super().__init__(view, start)
        self._kept = view.session.selection if adding else frozenset()

    @property
    def rect(self) -> QRectF:
        return QRectF(self.start, self.at).normalized()

    def release(self) -> None:
        found = self.view.inside(self.rect) if self.begun else []
        self.view.session.select((*self._kept, *found))

    def paint(self, painter: QPainter) -> None:
        if self.begun:
            accent = QColor(self.view.theme.accent)
            painter.setPen(QPen(accent, 1.0))
            accent.setAlpha(28)
            painter.setBrush(accent)
            painter.drawRect(self.rect)


class Pan(Gesture):
    """The picture follows the hand."""

    def move(self, at: QPointF, keys: Qt.KeyboardModifier) -> None:
        moved, self.at = at - self.at, at
        self.view.move_camera(self.view.camera.moved(moved.x(), moved.y()))


class RoomView(QWidget):
    """A projection of the session; all it keeps of its own is the camera and the gesture under way."""

    cursor_message = Signal(str)
    context_requested = Signal(QPoint, object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme: Theme = LIGHT
        self.camera = Camera()
        self.fonts = Fonts(self.font())
        self.gesture: Gesture | None = None
        self._stale = True
        self._unfitted = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 180)
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.update)
        session.workbench.validation.changed.connect(self.update)

    # -- what a view says of itself ---------------------------------------------------------------------------------

    def read(self) -> None:
        """Take in the design anew."""
        raise NotImplementedError

    def bounds(self) -> Rect | None:
        """Left, top, right, bottom of everything; None where there is nothing."""
        raise NotImplementedError

    def hit(self, x: float, y: float) -> str | None:
        """Id of what lies at a point of the plane."""
        raise NotImplementedError

    def rect_of(self, entity_id: str) -> Rect | None:
        """Where something is shown; None where it is not."""
        raise NotImplementedError

    def inside(self, rect: QRectF) -> list[str]:
        """Ids of what lies in a rectangle of pixels."""
        raise NotImplementedError

    def drag(self, hit: str, start: QPointF) -> Gesture | None:
        """The gesture that begins with a press on something."""
        raise NotImplementedError

    def sentence(self, hit: str) -> str:
        """What the status bar says of the thing under the mouse."""
        raise NotImplementedError

    def nudge(self, dx: int, dy: int) -> Edit | None:
        """The selection moved by one step with an arrow key. Raises DesignerError."""
        raise NotImplementedError

    def dropped(self, type_: HardwareType, x: float, y: float) -> Edit:
        """A type of the palette let go at a point of the plane. Raises DesignerError where that means nothing."""
        raise NotImplementedError

    def draw(self, painter: QPainter) -> None:
        """Everything but the gesture, in pixels of the view."""
        raise NotImplementedError

    # -- keeping up with the session --------------------------------------------------------------------------------

    def _follow(self, _edit: Edit) -> None:
        self.cancel()
        self._stale = True
        self.update()

    def _reset(self) -> None:
        self.cancel()
        self._stale = self._unfitted = True
        self.update()

    def up_to_date(self) -> None:
        """Read the design if it has changed; done when the view is next asked for anything."""
        if self._stale:
            self._stale = False
            self.read()

    def shows(self, entity_id: str) -> bool:
        """Whether something has a place in this view."""
        self.up_to_date()
        return self.rect_of(entity_id) is not None

    # -- what is seen -----------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    def move_camera(self, camera: Camera) -> None:
        self.camera = camera
        self.update()

    def zoom_to_fit(self) -> None:
        self.up_to_date()
        bounds = self.bounds()
        self._unfitted = False
        if bounds is not None:
            self.move_camera(fitting(bounds, self.width(), self.height()))

    def zoom_to(self, ids: Iterable[str]) -> None:
        """Bring these into view."""
        self.up_to_date()
        rects = [rect for one in ids if (rect := self.rect_of(one)) is not None]
        if rects:
            lefts, tops, rights, bottoms = zip(*rects, strict=True)
            rect = min(lefts), min(tops), max(rights), max(bottoms)
            self.move_camera(fitting(rect, self.width(), self.height(), max(1.0, self.camera.scale), 90.0))

    def zoom_onto(self, ids: Iterable[str]) -> None:
        """Fill the view with these."""
        self.zoom_to(ids)

    def zoom_in(self) -> None:
        self._zoom(STEP_ZOOM)

    def zoom_out(self) -> None:
        self._zoom(1 / STEP_ZOOM)

    def zoom_reset(self) -> None:
        self._zoom(1 / self.camera.scale)

    def _zoom(self, factor: float) -> None:
        self.move_camera(self.camera.zoomed(factor, self.width() / 2, self.height() / 2))

    def px(self, rect: Rect) -> QRectF:
        """A rectangle of the plane in pixels of the view."""
        left, top = self.camera.to_view(rect[0], rect[1])
        right, bottom = self.camera.to_view(rect[2], rect[3])
        return QRectF(left, top, right - left, bottom - top)

    def point_px(self, x: float, y: float) -> QPointF:
        return QPointF(*self.camera.to_view(x, y))

    def plane_at(self, spot: QPointF) -> tuple[float, float]:
        return self.camera.to_canvas(spot.x(), spot.y())

    def render_png(self, path: Path) -> None:
        """Write what is seen as PNG. Raises ExportError."""
        if self.bounds() is None:
            raise ExportError("the design has no racks: there is nothing to draw")
        image = QImage(self.size() * 2, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(2.0)
        painter = QPainter(image)
        try:
            self._paint(painter)
        finally:
            painter.end()
        save(image, path)

    def render_pdf(self, path: Path) -> None:
        """Write what is seen as one page of a PDF. Raises ExportError or SaveError."""
        if self.bounds() is None:
            raise ExportError("the design has no racks: there is nothing to draw")
        write_pdf(path, self.session.design.name, self.width(), self.height(), self._paint)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._unfitted and self.isVisible():
            self.zoom_to_fit()
        painter = QPainter(self)
        try:
            self._paint(painter)
            if self.gesture is not None:
                self.gesture.paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        self.up_to_date()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self.theme.background))
        if self.bounds() is None:
            painter.setPen(QColor(self.theme.muted))
            painter.setFont(self.fonts.at(14))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No racks yet: add one from the palette.")
            return
        self.draw(painter)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.fonts = Fonts(self.font())
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        before, after = event.oldSize(), event.size()
        if before.isValid():  # the middle stays in the middle
            shift = (after.width() - before.width()) / 2, (after.height() - before.height()) / 2
            self.camera = self.camera.moved(*shift)
        super().resizeEvent(event)

    # -- from the palette -------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME_TYPE):
            event.acceptProposedAction()
        else:
            event.ignore()  # files are for the window

    def dropEvent(self, event: QDropEvent) -> None:
        session = self.session
        type_ = session.catalog.types.get(bytes(event.mimeData().data(MIME_TYPE).data()).decode("utf-8", "replace"))
        if type_ is None:
            event.ignore()
            return
        event.acceptProposedAction()
        self.up_to_date()
        edits: list[Edit] = []

        def make() -> Edit:
            edits.append(self.dropped(type_, *self.plane_at(event.position())))
            return edits[0]

        if session.attempt(make):
            arrived = (change.after for change in edits[0].changes if change.before is None)
            session.select(one.id for one in arrived if isinstance(one, Device | Rack))
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    # -- mouse and keys ---------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = event.position()
        if self.gesture is not None:
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self.gesture = Pan(self, spot)
        elif event.button() == Qt.MouseButton.LeftButton:
            held = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
            self._press(spot, adding=bool(event.modifiers() & held))

    def _press(self, spot: QPointF, adding: bool) -> None:
        self.up_to_date()
        found = self.hit(*self.plane_at(spot))
        selection = self.session.selection
        if found is None:
            self.gesture = Band(self, spot, adding)
        elif adding:
            self.session.select(selection ^ {found})
        else:
            if found not in selection:
                self.session.select([found])
            self.gesture = self.drag(found, spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.gesture is not None:
            self.gesture.move(event.position(), event.modifiers())
            self.update()
            return
        self.up_to_date()
        found = self.hit(*self.plane_at(event.position()))
        self.cursor_message.emit(self.sentence(found) if found is not None else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gesture = self.gesture
        if gesture is None or event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        gesture.move(event.position(), event.modifiers())
        self.gesture = None
        if gesture.begun or isinstance(gesture, Band):
            gesture.release()
        elif event.button() == Qt.MouseButton.LeftButton:
            found = self.hit(*self.plane_at(event.position()))
            if found is not None:
                self.session.select([found])
        self.update()

    def cancel(self) -> None:
        """As if the gesture under way had not begun."""
        self.gesture = None
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.cursor_message.emit("")
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, spot = event.angleDelta(), event.position()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.move_camera(self.camera.moved(turned.y() or turned.x(), 0.0))
        else:
            self.move_camera(self.camera.zoomed(WHEEL_STEP ** (turned.y() or turned.x()), spot.x(), spot.y()))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.cancel()
        found = self.hit(*self.plane_at(QPointF(event.pos())))
        if found is None:
            self.session.select(())
        elif found not in self.session.selection:
            self.session.select([found])
        self.context_requested.emit(event.globalPos(), self.session.selection)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            if plain and event.key() in ARROWS and self.session.selection:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            if self.gesture is not None:
                self.cancel()
            else:
                self.session.select(())
        elif key in ARROWS and self.session.selection:
            self.up_to_date()
            self.session.attempt(lambda: self.nudge(*ARROWS[key]) or Edit("", ()))
        else:
            super().keyPressEvent(event)
