"""How wide and high texts are in what they will be drawn with, and how they are cut to their room."""

import math
from typing import Protocol

from designer.drawing.text import elided, short_form, width_of


class Ruler(Protocol):
    """Measures lines of text in sizes of whole units. Each writer has one for its fonts."""

    def width(self, text: str, size: int, bold: bool = False) -> float:
        """From the first letter to the end of the last."""

    def ascent(self, size: int, bold: bool = False) -> float:
        """From the baseline to the top of the highest letter."""

    def descent(self, size: int, bold: bool = False) -> float:
        """From the baseline to the foot of the lowest letter."""

    def cut(self, text: str, room: float, size: int, bold: bool = False) -> str:
        """The text, elided at its end to fit; "" where hardly a letter would."""


class EstimatedRuler:
    """Measures where no font can be asked; texts fit in every renderer."""

    ASCENT, DESCENT = 0.93, 0.24

    def width(self, text: str, size: int, bold: bool = False) -> float:
        """From the first letter to the end of the last, rather too wide than too narrow."""
        return width_of(text, size, bold)

    def ascent(self, size: int, bold: bool = False) -> float:
        """From the baseline to the top of the highest letter: a fixed share of the size."""
        del bold
        return self.ASCENT * size

    def descent(self, size: int, bold: bool = False) -> float:
        """From the baseline to the foot of the lowest letter: a fixed share of the size."""
        del bold
        return self.DESCENT * size

    def cut(self, text: str, room: float, size: int, bold: bool = False) -> str:
        """The text, elided at its end to fit by the estimated width; "" where not even two letters would."""
        return elided(text, room, size, bold)


def whole(size: float) -> int:
    """The size in whole units that a text of that size is set in."""
    return max(1, round(size))


def clamped(value: float, limits: tuple[float, float]) -> float:
    """The value, or the limit (least, most) that it is beyond."""
    return min(limits[1], max(limits[0], value))


def line_height(ruler: Ruler, size: int, bold: bool = False) -> float:
    """From the top of the highest letter to the foot of the lowest."""
    return ruler.ascent(size, bold) + ruler.descent(size, bold)


def baseline(ruler: Ruler, middle: float, size: int, bold: bool = False) -> float:
    """The baseline of a text whose line has its middle there."""
    return middle + (ruler.ascent(size, bold) - ruler.descent(size, bold)) / 2


def cut_to_number(ruler: Ruler, text: str, room: float, size: int, bold: bool = False) -> str:
    """The text where it fits; its number, as "12" of "Group 12", where that does; else the text elided."""
    cut = ruler.cut(text, room, size, bold)
    return cut if cut == text else ruler.cut(short_form(text), room, size, bold) or cut


def size_to_fit(ruler: Ruler, text: str, room: float, asked: float, least: float, bold: bool = False) -> int:
    """The size asked for, or a smaller one that the text fits in; not smaller than the least."""
    width = ruler.width(text, whole(asked), bold)
    return whole(asked if width <= room else max(least, math.floor(whole(asked) * room / width)))
