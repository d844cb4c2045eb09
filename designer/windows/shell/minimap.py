"""The minimap: all of the drawing in a corner of the canvas, or in a panel, with the part that is seen.

A drag goes elsewhere. A click on its title folds it to that, or opens it; a drag of its title, or of the mark that
folds it, takes it to another corner. Both are remembered; until then it is folded where the canvas has little room.
"""

from typing import Self

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHideEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

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
PLACE = "minimap/place"
"""Where it is, among the preferences: a corner of CORNERS, or PANEL."""
CORNERS = {
    "top-left": ("Top Left", 0, 0),
    "top-right": ("Top Right", 1, 0),
    "bottom-left": ("Bottom Left", 0, 1),
    "bottom-right": ("Bottom Right", 1, 1),
}
"""Each with its title, and whether it is at the right and at the bottom."""
USUAL, PANEL = "bottom-right", "panel"
LEAST_IN_PANEL = QSize(120, 80)
MARK_PX = round(TITLE_LINE)
"""Side of the corner that folds it, or height of the title that opens it."""
INSET_PX, CORNER_PX = 6.0, 6.0
MOST_LINES = 3000
"""With more bundles than this, boxes alone say where things are."""
LEAST_BOX_PX = 1.2
REDRAW_MS = 250
"""After the last change; the last picture stands meanwhile."""


class Minimap(QWidget):
    """Lies over a corner of a canvas, or in a dock. Its picture is made once a change, not once a frame."""

    placed = Signal()
    """It is in another corner now, or in the panel."""
    menu_wanted = Signal(QPoint)
    """The menu of where it can be, at a point of the screen."""

    def __init__(self, canvas: CanvasView, preferences: Preferences) -> None:
        super().__init__(canvas)
        self._canvas, self._preferences = canvas, preferences
        self._image = QImage()
        self._shown: tuple[object, ...] = ()
        self._camera = Camera()
        self._held: QPointF | None = None
        """From the middle of the part that is seen to where the mouse took hold of it."""
        self._pressed: QPoint | None = None
        """Where its title or mark was pressed."""
        self._carried: QPoint | None = None
        """The same, once it is carried."""
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
    def place(self) -> str:
        """The corner of the canvas that it was put into last, or PANEL."""
        place = self._preferences.text(PLACE)
        return place if place in CORNERS or place == PANEL else USUAL

    @property
    def is_in_panel(self) -> bool:
        """Whether it is in a dock, as the panel that it can be."""
        return self.place == PANEL

    def stand_in(self, corner: str) -> None:
        """Stand in a corner of the canvas, now and in later sessions."""
        self._preferences.set_text(PLACE, corner)
        if self.parentWidget() is not self._canvas:
            self.setParent(self._canvas)
        if self not in self._canvas.over:
            self._canvas.over.append(self)
        self._stand()
        self.show()
        self.raise_()
        self.redraw()
        self._tell()

    def go_into_panel(self) -> Self:
        """Leave the canvas for the dock that takes it, now and in later sessions."""
        self._preferences.set_text(PLACE, PANEL)
        if self in self._canvas.over:
            self._canvas.over.remove(self)
        self.setMinimumSize(LEAST_IN_PANEL)
        self.setMaximumSize(QSize(*2 * (16_777_215,)))
        self.setToolTip("")
        self._tell()
        return self

    def _tell(self) -> None:
        self._canvas.subject.legends_changed.emit()
        self.placed.emit()

    @property
    def is_folded(self) -> bool:
        """Whether only its title shows: as a hand has left it last, else where the canvas has little room."""
        if self.is_in_panel:
            return False
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
        """In its corner; in the one above where the legend of the heat leaves it no room. In a panel Qt places it."""
        if self.is_in_panel:
            return
        margin, canvas = round(MARGIN_PX), self._canvas
        _, is_right, is_low = CORNERS[self.place]
        self.setFixedSize(self._title_size() if self.is_folded else SIZE)
        self.setToolTip("Open the minimap" if self.is_folded else "")
        is_narrow = canvas.width() < self.width() + (WIDTH_PX + 3 * MARGIN_PX) * canvas.enlargement
        low = canvas.height() - self.height() - margin
        right = canvas.width() - self.width() - margin
        self.move(right if is_right else margin, low if is_low and not is_narrow else margin)

    def _title_size(self) -> QSize:
        width = Fonts(self.font()).width(TITLE, TITLE_SIZE, True)
        return QSize(round(width + FOLD_ROOM + 2 * INSET_PX), MARK_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a panel, draw the whole as large as that is."""
        super().resizeEvent(event)
        if self.isVisible():
            self.redraw()

    def _look(self) -> None:
        if self.isVisible() and self._shown != self._content():
            self._redraw.start()

    def _content(self) -> tuple[object, ...]:
        composition = self._canvas.fabric.composition
        size = self.size().toTuple()
        return composition, composition.generation, self._canvas.theme.name, self.devicePixelRatioF(), size

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
            self._camera = _whole(bounds, self.size())
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
            if not self.is_in_panel:
                paint(painter, (mark,), fonts)
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there; within the part that is seen, take hold of it; by its title or its mark, of the whole."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        corner = QRectF(self.width() - MARK_PX, 0.0, MARK_PX, MARK_PX)
        if self.is_folded or (corner.contains(event.position()) and not self.is_in_panel):
            self._pressed = event.position().toPoint()
            return
        seen, spot = self.seen, event.position()
        self._held = spot - seen.center() if seen.contains(spot) else QPointF()
        self._go(spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the mouse, within the canvas."""
        if self._pressed is not None:
            spot = event.position().toPoint()
            far = (spot - self._pressed).manhattanLength() >= QApplication.startDragDistance()
            if far or self._carried is not None:
                self._carried = self._pressed
                at = self.mapToParent(spot) - self._pressed
                most = self._canvas.rect().bottomRight() - self.rect().bottomRight()
                self.move(max(0, min(at.x(), most.x())), max(0, min(at.y(), most.y())))
        elif self._held is not None:
            self._go(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go: of the whole in the nearest corner. Pressed without a drag, fold or open it."""
        del event
        pressed, carried = self._pressed, self._carried
        self._held = self._pressed = self._carried = None
        if carried is not None:
            self.stand_in(self._nearest_corner())
        elif pressed is not None:
            self.fold()

    def _nearest_corner(self) -> str:
        middle, canvas = self.geometry().center(), self._canvas.rect().center()
        at = int(middle.x() > canvas.x()), int(middle.y() > canvas.y())
        return next(name for name, (_, *corner) in CORNERS.items() if tuple(corner) == at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of where it can be."""
        self.menu_wanted.emit(event.globalPos())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As a press: the canvas beneath hears nothing of it."""
        self.mousePressEvent(event)

    def _go(self, spot: QPointF) -> None:
        middle = spot - (self._held or QPointF())
        x, y = self._camera.to_canvas(middle.x(), middle.y())
        canvas, scale = self._canvas, self._canvas.camera.scale
        across, down = canvas.extent
        canvas.move_camera(Camera(scale, x - across / scale / 2, y - down / scale / 2))


def _whole(bounds: Rect, size: QSize) -> Camera:
    """The camera that shows all of it in the minimap, smaller than any view shows a drawing where it must be."""
    left, top, right, bottom = bounds
    width, height = (max(1.0, one - 2 * INSET_PX) for one in (size.width(), size.height()))
    scale = min(MOST_FIT_SCALE, width / max(right - left, 1.0), height / max(bottom - top, 1.0))
    x, y = (left + right) / 2, (top + bottom) / 2
    return Camera(scale, x - size.width() / scale / 2, y - size.height() / scale / 2)
