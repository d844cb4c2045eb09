"""Paints the inside of an opened server."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from designer.canvas.batches import draw_lines
from designer.canvas.glyphs import Fonts, fitted
from designer.drawing.camera import Camera
from designer.drawing.display_list import Picture, mixed
from designer.drawing.internals import Internals, Part
from designer.drawing.text import short_form
from designer.drawing.theme import LEAF, SPINE

TITLE_PX = (8.0, 14.0)
LEAST_TITLE_PX = 18.0
NOTE_ROOM_PX = 26.0


def paint_internals(
    painter: QPainter, picture: Picture, row: int, inside: Internals, camera: Camera, fonts: Fonts
) -> None:
    """Boxes of GPUs, NICs and the scale-up domain over the server's box, and the lines between them."""
    theme = picture.theme
    colours = {
        "gpu": theme.boxes[LEAF],
        "nic": picture.boxes_colours(row),
        "empty slot": picture.boxes_colours(row),
        "scale-up": theme.boxes[SPINE],
    }
    for lines, colour, width in (
        (inside.pcie, colours["nic"].stripe, 1.2),
        (inside.scale_up, colours["scale-up"].stripe, 2.0),
    ):
        if lines:
            painter.setPen(QPen(QColor(mixed(colour, theme.background, 0.8)), width))
            draw_lines(painter, camera.points_to_view(np.array(lines, float)))
    for part in inside.parts:
        (x, y), (right, bottom) = camera.to_view(*part.rect[:2]), camera.to_view(*part.rect[2:])
        rect = QRectF(x, y, right - x, bottom - y)
        box = colours[part.kind]
        empty = part.kind == "empty slot"
        painter.setPen(QPen(QColor(box.stripe), 1.0, Qt.PenStyle.DashLine if empty else Qt.PenStyle.SolidLine))
        painter.setBrush(Qt.BrushStyle.NoBrush if empty else QColor(box.fill))
        painter.drawRoundedRect(rect, 3, 3)
        _paint_words(painter, picture, part, rect, fonts)


def _paint_words(painter: QPainter, picture: Picture, part: Part, rect: QRectF, fonts: Fonts) -> None:
    if rect.height() < LEAST_TITLE_PX * 0.6 or rect.width() < LEAST_TITLE_PX:
        return
    wanted = min(rect.height() * 0.34, 1.7 * rect.width() / max(4, len(part.title)))
    size = min(TITLE_PX[1], max(TITLE_PX[0], wanted))
    room = rect.width() - 4
    size = max(TITLE_PX[0], size * min(1.0, room / max(1.0, _width(fonts.at(size), part.title))))
    font = fonts.at(size)
    title = part.title if _width(font, part.title) <= room else short_form(part.title)
    two_lines = bool(part.note) and rect.height() >= NOTE_ROOM_PX
    painter.setFont(font)
    painter.setPen(QColor(picture.theme.text))
    upper = rect.adjusted(2, 1, -2, -rect.height() / 2 if two_lines else 0)
    painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, fitted(title, QFontMetricsF(font), room))
    if two_lines:
        small = fonts.at(size - 1.5)
        painter.setFont(small)
        painter.setPen(QColor(picture.theme.muted))
        lower = rect.adjusted(2, rect.height() / 2, -2, -1)
        painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, fitted(part.note, QFontMetricsF(small), room))


def _width(font: QFont, text: str) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)
