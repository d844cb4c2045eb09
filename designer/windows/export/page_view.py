"""One page, as large as the room for it or larger."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollArea

from designer.panels.widgets.labels import label

MARGIN_PX = 14
ZOOMS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
EDGE = QColor(128, 128, 128, 120)
MOST_PX = 8_000
"""Side of an image."""


class PageView(QScrollArea):
    """Shows the image of a page; `resized` says that one of another size is wanted, which `wanted_size` is."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.zoom = 1.0
        self._image = label()
        self._image.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWidget(self._image)
        self.setWidgetResizable(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("surface", "desk")
        self._image.setProperty("surface", "desk")
        self.setAccessibleName("Page")
        self._shown: QImage | None = None

    @property
    def wanted_size(self) -> QSize:
        """The room that an image may take, in pixels of the screen."""
        ratio, room = self.devicePixelRatioF(), self.maximumViewportSize()
        width, height = (max(40, side - 2 * MARGIN_PX) * self.zoom * ratio for side in (room.width(), room.height()))
        return QSize(min(MOST_PX, round(width)), min(MOST_PX, round(height)))

    def show_image(self, image: QImage | None) -> None:
        """Show the image of a page; None shows an empty desk."""
        self._shown = image
        if image is None:
            self._image.setPixmap(QPixmap())
            return
        self._image.setPixmap(framed(image, self.devicePixelRatioF()))

    @property
    def shown(self) -> QImage | None:
        """The image that is shown."""
        return self._shown

    def zoom_by(self, steps: int) -> None:
        """Larger or smaller by so many steps."""
        at = ZOOMS.index(self.zoom) + steps
        zoom = ZOOMS[max(0, min(len(ZOOMS) - 1, at))]
        if zoom != self.zoom:
            self.zoom = zoom
            self.resized.emit()

    def fit(self) -> None:
        """The whole page again."""
        if self.zoom != 1.0:
            self.zoom = 1.0
            self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl held; scroll otherwise."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for an image of the new size."""
        super().resizeEvent(event)
        self.resized.emit()


def framed(image: QImage, ratio: float) -> QPixmap:
    """The image with the edge of its paper, for a screen with so many pixels a point."""
    pixmap = QPixmap.fromImage(image)
    painter = QPainter(pixmap)
    painter.setPen(EDGE)
    painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
