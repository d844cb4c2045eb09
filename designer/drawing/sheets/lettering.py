"""Texts on paper: measured the same for every writer, made smaller before they are shortened."""

from functools import lru_cache

from designer.drawing.parts.primitives import Jump, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.text import elided, fitted_label, width_of

LEAST_SIZE = 6
"""Points: the smallest letters that are read from paper at arm's length."""

MOST_LENGTH = 400
"""Longer texts are cut there before they are measured."""

ROUNDING = 1e-6

RULER = EstimatedRuler()


@lru_cache(200_000)
def width(text: str, bold: bool = False) -> float:
    """Width of a line in letters of one point."""
    return width_of(text, 1, bold)


def size_for(text: str, room: float, most: int, bold: bool = False, least: int = LEAST_SIZE) -> int:
    """The largest size up to `most` that the text fits in, `least` where none does."""
    wide = width(text, bold)
    return most if wide * most <= room else max(least, min(most, int(room / wide)))


def fitted(text: str, room: float, size: int, bold: bool = False) -> str:
    """The text, or what is left of it where it is too wide even so: its number stays."""
    if width(text, bold) * size <= room:
        return text
    short = fitted_label(text[:MOST_LENGTH], lambda one: width(one, bold) * size, room)
    return short or elided(text[:MOST_LENGTH], room, size, bold)


@lru_cache(50_000)
def broken(text: str, room_of_one: float, bold: bool = False) -> tuple[str, ...]:
    """The text on as many lines as letters of one point need: between words, in long words where it must."""
    lines: list[str] = []
    line = ""
    room_of_one += ROUNDING  # a column may be as wide as its widest word, to the last digit
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer, bold) <= room_of_one:
            line = longer
            continue
        if line:
            lines.append(line)
        line = ""
        for letter in word:
            if line and width(line, bold) + width(letter, bold) > room_of_one:
                lines.append(line)
                line = ""
            line += letter
    return (*lines, line) if line or not lines else tuple(lines)


def label(
    text: str, x: float, y: float, room: float, size: int, colour: str, *, bold: bool = False, anchor: str = "start"
) -> Text:
    """A text at its baseline, as small as it must be to fit."""
    used = size_for(text, room, size, bold)
    return Text(x, y, fitted(text, room, used, bold), used, colour, bold, anchor)


def jump_of(line: Text, page: int | None) -> tuple[Jump, ...]:
    """What a line that begins at its place leads to; nothing without a page."""
    if page is None:
        return ()
    return (Jump(line.x, line.y - line.size, width(line.text, line.bold) * line.size, line.size * 1.3, page),)
