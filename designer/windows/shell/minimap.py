"""The minimap: all of the drawing in a corner of the canvas, with the part that is seen; a drag goes elsewhere.

A click on its title folds it to that, or opens it, and is remembered; until then it is folded where the canvas has
little room.
"""

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHideEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QWidget

from designer.canvas.batches import draw_lines, draw_rects
from designer.canvas.framing import is_cramped
from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.canvas.sight import seen_rect
from designer.canvas.view import CanvasView
from designer.drawing.camera import MOST_FIT_SCALE, Camera
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.geometry import Rect
from designer.drawing.parts.keys import FOLD_ROOM, TITLE_LINE, TITLE_SIZE, fold_mark
from designer.drawing.parts.legend import MARGIN_PX, WIDTH_PX
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.ruler import baseline
from designer.drawing.theme import KINDS
from designer.session.preferences import Preferences
from designer.session.timers import later

SIZE = QSize(220, 140)
TITLE = "Minimap"
LEFT, FOLDED, OPEN = "minimap/left", "folded", "open"
"""How a hand has left it, among the preferences."""
MARK_PX = round(TITLE_LINE)
"""Side of the corner that folds it, or height of the title that opens it."""
INSET_PX, CORNER_PX = 6.0, 6.0
MOST_LINES = 3000
"""With more bundles than this, boxes alone say where things are."""
LEAST_BOX_PX = 1.2
REDRAW_MS = 250
"""After the last change; the last picture stands meanwhile."""


class Minimap(QWidget):
    """Lies over the right bottom corner of a canvas. Its picture is made once a change, not once a frame."""

    def __init__(self, canvas: CanvasView, preferences: Preferences) -> None:
        super().__init__(canvas)
        self._canvas, self._preferences = canvas, preferences
        self._image = QImage()
        self._shown: tuple[object, ...] = ()
        self._camera = Camera()
        self._held: QPointF | None = None
        """From the middle of the part that is seen to where the mouse took hold of it."""
        self._redraw = later(self, REDRAW_MS, self.redraw)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(TITLE)
        self.hide()
        canvas.installEventFilter(self)
        canvas.over.append(self)
        canvas.camera_changed.connect(self.update)
        canvas.fabric.changed.connect(self._look)
        canvas.fabric.replaced.connect(self._look)

    @property
    def is_folded(self) -> bool:
        """Whether only its title shows: as a hand has left it last, else where the canvas has little room."""
        left = self._preferences.text(LEFT)
        return left == FOLDED if left in (FOLDED, OPEN) else is_cramped(*self._canvas.extent)

    def fold(self) -> None:
        """Fold it to its title, or open it, now and in later sessions."""
        self._preferences.set_text(LEFT, OPEN if self.is_folded else FOLDED)
        self._stand()
        self.redraw()
        self._canvas.subject.legends_changed.emit()

    @property
    def seen(self) -> QRectF:
        """The part of the drawing that the canvas shows, in pixels of the minimap."""
        canvas = self._canvas
        return seen_rect(self._camera, canvas.camera.seen(*canvas.extent))

    # -- keeping up -----------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner of the canvas."""
        if watched is self._canvas and event.type() == QEvent.Type.Resize:
            self._stand()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the design as it is now."""
        super().showEvent(event)
        self._stand()
        self.redraw()
        self._canvas.subject.legends_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Draw nothing while nobody sees it."""
        self._redraw.stop()
        self._canvas.subject.legends_changed.emit()
        super().hideEvent(event)

    def _stand(self) -> None:
        """In the right bottom corner; in the one above where the legend of the heat leaves it no room."""
        margin, canvas = round(MARGIN_PX), self._canvas
        self.setFixedSize(self._title_size() if self.is_folded else SIZE)
        self.setToolTip("Open the minimap" if self.is_folded else "")
        is_narrow = canvas.width() < self.width() + (WIDTH_PX + 3 * MARGIN_PX) * canvas.enlargement
        low = canvas.height() - self.height() - margin
        self.move(canvas.width() - self.width() - margin, margin if is_narrow else low)

    def _title_size(self) -> QSize:
        width = Fonts(self.font()).width(TITLE, TITLE_SIZE, True)
        return QSize(round(width + FOLD_ROOM + 2 * INSET_PX), MARK_PX)

    def _look(self) -> None:
        if self.isVisible() and self._shown != self._content():
            self._redraw.start()

    def _content(self) -> tuple[object, ...]:
        composition = self._canvas.fabric.composition
        return composition, composition.generation, self._canvas.theme.name, self.devicePixelRatioF()

    def redraw(self) -> None:
        """Redraw the whole, where it changed."""
        if self.is_folded or self._shown == self._content():
            return
        self._shown, composition = self._content(), self._canvas.fabric.composition
        ratio = self.devicePixelRatioF()
        self._image = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
        self._image.setDevicePixelRatio(ratio)
        self._image.fill(QColor(self._canvas.theme.plate))
        bounds = composition.bounds
        if bounds is not None:
            self._camera = _whole(bounds)
            painter = QPainter(self._image)
            try:
                self._draw(painter, Levels(composition).at(self._camera.scale))
            finally:
                painter.end()
        self.update()

    def _draw(self, painter: QPainter, composition: Composition) -> None:
        theme, camera = self._canvas.theme, self._camera
        painter.setBrush(QColor(theme.group_fill))
        painter.setPen(QPen(QColor(theme.group_border)))
        for one in composition.containers:
            painter.drawRect(seen_rect(camera, one.rect))
        if len(composition.bundles.pairs) <= MOST_LINES:
            painter.setPen(QPen(QColor(theme.server_link), 0.5))
            draw_lines(painter, camera.points_to_view(composition.anchors.bundles))
        boxes = composition.boxes
        places = camera.points_to_view(boxes)
        places[:, 2:] = (boxes[:, 2:] * camera.scale).clip(LEAST_BOX_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        for kind in range(len(KINDS) + 1):
            painter.setBrush(QColor(theme.boxes[kind].stripe if kind < len(KINDS) else theme.muted))
            draw_rects(painter, places[composition.projection.kinds == kind])

    # -- painting and going elsewhere -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, and the part that is seen brought out."""
        del event
        theme, painter = self._canvas.theme, QPainter(self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        fonts, middle = Fonts(self.font()), MARK_PX / 2
        mark = fold_mark(self.width() - middle, middle, theme, folded=self.is_folded)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.is_folded)
            if self.is_folded:
                painter.setPen(QPen(QColor(theme.plate_border)))
                painter.setBrush(QColor(theme.plate))
                painter.drawRoundedRect(frame, CORNER_PX, CORNER_PX)
                line = baseline(fonts, middle, TITLE_SIZE)
                paint(painter, (Text(INSET_PX, line, TITLE, TITLE_SIZE, theme.text, True), mark), fonts)
                return
            painter.drawImage(0, 0, self._image)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.plate_border)))
            painter.drawRect(frame)
            colour = QColor(theme.accent)
            painter.setPen(QPen(colour, 1.5))
            colour.setAlphaF(0.12)
            painter.setBrush(colour)
            painter.drawRect(self.seen.intersected(frame.adjusted(1, 1, -1, -1)))
            paint(painter, (mark,), fonts)
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there; within the part that is seen, take hold of it; fold it in the corner, open it by its title."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        corner = QRectF(self.width() - MARK_PX, 0.0, MARK_PX, MARK_PX)
        if self.is_folded or corner.contains(event.position()):
            self.fold()
            return
        seen, spot = self.seen, event.position()
        self._held = spot - seen.center() if seen.contains(spot) else QPointF()
        self._go(spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the mouse."""
        if self._held is not None:
            self._go(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        del event
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As a press: the canvas beneath hears nothing of it."""
        self.mousePressEvent(event)

    def _go(self, spot: QPointF) -> None:
        middle = spot - (self._held or QPointF())
        x, y = self._camera.to_canvas(middle.x(), middle.y())
        canvas, scale = self._canvas, self._canvas.camera.scale
        across, down = canvas.extent
        canvas.move_camera(Camera(scale, x - across / scale / 2, y - down / scale / 2))


def _whole(bounds: Rect) -> Camera:
    """The camera that shows all of it in the minimap, smaller than any view shows a drawing where it must be."""
    left, top, right, bottom = bounds
    width, height = SIZE.width() - 2 * INSET_PX, SIZE.height() - 2 * INSET_PX
    scale = min(MOST_FIT_SCALE, width / max(right - left, 1.0), height / max(bottom - top, 1.0))
    x, y = (left + right) / 2, (top + bottom) / 2
    return Camera(scale, x - SIZE.width() / scale / 2, y - SIZE.height() / scale / 2)
