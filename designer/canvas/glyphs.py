"""Fonts by size, and texts cut to the room they have."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF


class Fonts:
    """One family in the sizes asked for, in whole pixels."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._made: dict[tuple[int, bool], QFont] = {}

    def at(self, size_px: float, bold: bool = False) -> QFont:
        key = (max(1, round(size_px)), bold)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = QFont(self._font)
            found.setPixelSize(key[0])
            found.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
            found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return found


def fitted(text: str, metrics: QFontMetricsF, room_px: float) -> str:
    """The text, elided at its end to fit; "" where hardly a letter would."""
    if metrics.horizontalAdvance(text) <= room_px:
        return text
    short = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room_px)
    return short if len(short) > 2 else ""
