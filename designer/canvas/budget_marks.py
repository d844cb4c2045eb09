"""Budgets while something is dragged: what all in sight have left for it, with a veil where it is too little."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from designer.canvas.cursor_notes import CursorNotes
from designer.canvas.glyphs import Fonts
from designer.canvas.sight import Sight
from designer.model.budgets import Budget

MOST = 600
"""More devices than this in sight are too small to be read."""
LEAST_WIDTH_PX, LEAST_HEIGHT_PX = 30.0, 10.0
LETTER_PX = 10
VEIL = 0.66
OVERHANG_PX = 2.0
"""By how much a budget may be wider than its box on either side."""


@contextmanager
def budgets_around(
    painter: QPainter,
    sight: Sight,
    notes: CursorNotes,
    takers: Iterable[tuple[str, QRectF]],
    budget_of: Callable[[str], Budget | None],
    name_of: Callable[[str], QRectF | None],
) -> Iterator[None]:
    """Veils over what cannot take it, then what the gesture shows, then figures at the foot of all, below their names.

    Nothing covers a figure: neither the gesture nor the note at the cursor. Without any where very many are in sight.
    """
    shown = list(takers)
    if len(shown) > MOST:
        yield
        return
    found = [(one, rect, budget) for one, rect in shown if (budget := budget_of(one)) is not None]
    veil = QColor(sight.theme.background)
    veil.setAlphaF(VEIL)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(veil)
    for _, rect, budget in found:
        if not budget.fits:
            painter.drawRect(rect.adjusted(-1, -1, 1, 1))
    yield
    font = Fonts(sight.font).at(LETTER_PX)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    plates = []
    for one, rect, budget in found:
        text = _text_for(rect, budget, metrics)
        if text:
            foot = _foot(rect, text, metrics, name_of(one))
            plates.append(_paint_figure(painter, sight, foot, text, fits=budget.fits))
    notes.keep_clear_of(plates)


def _text_for(rect: QRectF, budget: Budget, metrics: QFontMetricsF) -> str:
    """All of it, or less of it, or nothing, by the room there is."""
    if rect.width() < LEAST_WIDTH_PX or rect.height() < LEAST_HEIGHT_PX:
        return ""
    of, left = f"{budget.free} of {budget.total}", f"{budget.free} {budget.unit or 'free'}"
    shorter = (of, left, str(budget.free)) if budget.total else ()  # its veil says it
    room = rect.width() + 2 * OVERHANG_PX - 8
    return next((text for text in (budget.text, *shorter) if metrics.horizontalAdvance(text) <= room), "")


def _foot(rect: QRectF, text: str, metrics: QFontMetricsF, name: QRectF | None) -> QRectF:
    """Where a figure stands: across the lower edge of its box, or lower where it would cover the name."""
    plate = QRectF(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height() + 2)
    plate.moveCenter(QPointF(rect.center().x(), rect.bottom()))
    if name is not None and plate.top() < name.bottom():
        plate.moveTop(name.bottom())
    return plate


def _paint_figure(painter: QPainter, sight: Sight, plate: QRectF, text: str, *, fits: bool) -> QRectF:
    theme = sight.theme
    painter.setPen(QPen(QColor(theme.accent if fits else theme.plate_border), 1.0))
    painter.setBrush(QColor(theme.plate))
    painter.drawRoundedRect(plate, 3, 3)
    painter.setPen(QColor(theme.text if fits else theme.muted))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
    return plate
