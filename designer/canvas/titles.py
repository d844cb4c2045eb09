"""Titles of racks and groups: how much of them fits, where it stands, and the plate behind it."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from designer.canvas.glyphs import Fonts, fitted
from designer.drawing.bundles import Floats
from designer.drawing.geometry import Container, title_room
from designer.drawing.text import short_form
from designer.drawing.theme import Theme

TITLE_SIZE = 13.0
TITLE_PX = (11.0, 15.0)
LEAST_WIDTH_PX = 28.0
ABOVE_PX = 24.0
"""A group's title reaches no higher above its frame."""
NOTE_GAP = 10


@dataclass(frozen=True, slots=True)
class Title:
    """What is written in a view, in pixels. `plate` covers what is drawn beneath; a rack's title has none."""

    text: str
    note: str
    at: QPointF
    note_at: QPointF
    plate: QRectF | None
    font: QFont
    small: QFont


def title_of(
    container: Container, frames: Iterable[Container], boxes: Floats, rect: QRectF, scale: float, fonts: Fonts
) -> Title | None:
    """The title of a container seen as `rect`; None where there is no room. `boxes` as in title_room."""
    if rect.width() < LEAST_WIDTH_PX:
        return None
    size_px = min(TITLE_PX[1], max(TITLE_PX[0], TITLE_SIZE * scale))
    font, small = fonts.at(size_px, bold=True), fonts.at(size_px - 1.5)
    metrics, small_metrics = QFontMetricsF(font), QFontMetricsF(small)
    is_rack = container.kind == "rack"
    room = rect.width() - (16 if is_rack else 4)
    if not is_rack and metrics.horizontalAdvance(container.title) > room:
        room = title_room(container, frames, boxes, (metrics.height() + 4) / scale) * scale - 4
    text = fitted(container.title, metrics, room)
    if text != container.title:
        text = fitted(short_form(container.title), metrics, room) or text
    if not text:
        return None
    width, note_width = metrics.horizontalAdvance(text), small_metrics.horizontalAdvance(container.note)
    x = rect.left() + (8 if is_rack else 2)
    y = rect.top() + metrics.ascent() + 5 if is_rack else rect.top() - metrics.descent() - 3
    if is_rack and y + 4 > rect.top() + 26 * scale + 6:
        return None
    note = container.note if width + NOTE_GAP + note_width <= room else ""
    covered = width + (NOTE_GAP + note_width if note else 0)
    plate = None if is_rack else QRectF(x - 2, y - metrics.ascent() - 1, covered + 5, metrics.height() + 2)
    return Title(text, note, QPointF(x, y), QPointF(x + width + NOTE_GAP, y), plate, font, small)


def paint_title(painter: QPainter, title: Title, theme: Theme) -> None:
    if title.plate is not None:
        painter.fillRect(title.plate, QColor(theme.background))  # no link strikes a title through
    painter.setFont(title.font)
    painter.setPen(QColor(theme.text))
    painter.drawText(title.at, title.text)
    if title.note:
        painter.setFont(title.small)
        painter.setPen(QColor(theme.muted))
        painter.drawText(title.note_at, title.note)
