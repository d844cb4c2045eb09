"""Pages as images, for previews: painted as they are printed. May be called in a worker."""

import math

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.pages import Page

PAPER = 0xFFFFFFFF


def page_image(page: Page, width_px: int, height_px: int, fonts: Fonts) -> QImage:
    """The whole page, as large as it can be within that many pixels."""
    _, _, width, height = page.area
    scale = max(1e-6, min(width_px / width, height_px / height))
    image = QImage(_at_least_1(width * scale), _at_least_1(height * scale), QImage.Format.Format_RGB32)
    image.fill(PAPER)
    painter = QPainter(image)
    try:
        paint_page(painter, page, scale, fonts)
    finally:
        painter.end()
    return image


def paint_page(painter: QPainter, page: Page, scale: float, fonts: Fonts) -> None:
    """Paint it at that many pixels a unit, its corner at the painter's origin."""
    left, top, _, _ = page.area
    painter.scale(scale, scale)
    painter.translate(-left, -top)
    paint(painter, page.layers(), fonts, scale=scale)


def size_within(page: Page, room: QSize) -> QSize:
    """Width and height of the image that `page_image` makes for that room."""
    _, _, width, height = page.area
    scale = min(room.width() / width, room.height() / height)
    return QSize(_at_least_1(width * scale), _at_least_1(height * scale))


def _at_least_1(pixels: float) -> int:
    return max(1, math.floor(pixels + 1e-6))
