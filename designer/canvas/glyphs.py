"""Fonts by size, and how wide their texts are."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

MOST_WIDTHS = 50_000
"""Widths remembered; with more, all are forgotten."""


class Fonts:
    """One family in the sizes asked for, in whole pixels: the ruler of all that QPainter draws."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._made: dict[tuple[int, bool], QFont] = {}
        self._metrics: dict[tuple[int, bool], QFontMetricsF] = {}
        self._widths: dict[tuple[str, int, bool], float] = {}

    def at(self, size_px: float, bold: bool = False) -> QFont:
        """The font of that height, rounded to whole pixels, made once."""
        key = (max(1, round(size_px)), bold)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = QFont(self._font)
            found.setPixelSize(key[0])
            found.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return found

    def metrics(self, size_px: int, bold: bool = False) -> QFontMetricsF:
        """Measures of the font of that height, kept for the next time."""
        key = (size_px, bold)
        found = self._metrics.get(key)
        if found is None:
            found = self._metrics[key] = QFontMetricsF(self.at(size_px, bold))
        return found

    def width(self, text: str, size: int, bold: bool = False) -> float:
        """Width of a text in pixels, kept for the next time."""
        key = (text, size, bold)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) >= MOST_WIDTHS:
                self._widths.clear()
            found = self._widths[key] = self.metrics(size, bold).horizontalAdvance(text)
        return found

    def ascent(self, size: int, bold: bool = False) -> float:
        """Height above the baseline, in pixels."""
        return self.metrics(size, bold).ascent()

    def descent(self, size: int, bold: bool = False) -> float:
        """Depth below the baseline, in pixels."""
        return self.metrics(size, bold).descent()

    def cut(self, text: str, room: float, size: int, bold: bool = False) -> str:
        """The text, elided at its end to fit; "" where hardly a letter would."""
        if self.width(text, size, bold) <= room:
            return text
        short = self.metrics(size, bold).elidedText(text, Qt.TextElideMode.ElideRight, room)
        return short if len(short) > 2 else ""
