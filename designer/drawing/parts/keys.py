"""What the colors of devices and links mean: plates with swatches and names, that fold to their titles."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from designer.drawing.display_list import CONGESTED_CLASS, Key, LegendKey, Swatch, colour_of_class
from designer.drawing.parts.paper import plate
from designer.drawing.parts.primitives import Circle, Group, Ink, Lines, Part, Path, Pen, Rect, Text, dashes
from designer.drawing.parts.ruler import EstimatedRuler, Ruler, baseline
from designer.drawing.parts.words import wrapped
from designer.drawing.theme import Theme

TITLE_SIZE, SIZE = 11, 10
INSET, LINE, TITLE_LINE, SWATCH = 12.0, 16.0, 24.0, 14.0
AFTER_SWATCH, BETWEEN = 7.0, 10.0
MOST_TEXT, MOST_TITLE, LEAST_WIDTH = 280.0, 300.0, 132.0
SAID_LINE, MOST_SAID = 13.0, 3
"""From line to line of what a key says below its title, and in how many lines the longest form of a text may be."""
_APART, HELD = re.compile(r"(?<=[,;:·]) "), "\N{NO-BREAK SPACE}"
MOST_SWATCHES = 16
"""More are counted."""
FOLD_ROOM = 16.0
MARK_PX = 5.0
"""Reach of the mark of what is beyond the scale."""
SIGN, BAR_WIDTH = 4.0, 1.5
HATCH_PX, TICK_PX, HATCH_ALPHA, LEAST_GAP_PX = 9.0, 1.6, 0.75, 3.0
"""Ticks across paused cables, and what is between those of the nearest to a hot port."""
LINE_WIDTH = 2.5


class Plate(NamedTuple):
    """A key with its place: left, top, width and height from the left top of all."""

    key: Key
    left: float
    top: float
    width: float
    height: float


def plates(keys: Sequence[Key], ruler: Ruler, *, across: bool = False, folded: bool = False) -> tuple[Plate, ...]:
    """The places of the keys, beneath each other in one width, or beside each other."""
    widths = [_width(key, ruler, folded=folded) for key in keys]
    found: list[Plate] = []
    left = top = 0.0
    for key, width in zip(keys, widths, strict=True):
        said = len(_said(key, width, ruler)) * SAID_LINE
        height = TITLE_LINE + (0.0 if folded else said + _lines(key) * LINE + INSET / 2)
        found.append(Plate(key, left, top, width if across else max(widths), height))
        left, top = (left + width + BETWEEN, 0.0) if across else (0.0, top + height + BETWEEN / 2)
    return tuple(found)


def size_of(placed: Sequence[Plate]) -> tuple[float, float]:
    """Width and height of all; 0 without any."""
    right = max((one.left + one.width for one in placed), default=0.0)
    return right, max((one.top + one.height for one in placed), default=0.0)


def height_in(keys: Sequence[Key], width: float) -> float:
    """How high the keys are, beneath each other, where they are that wide; by estimated fonts, the same for all."""
    across, down = size_of(plates(keys, EstimatedRuler()))
    return down * width / across if across else 0.0


def keys(placed: Sequence[Plate], theme: Theme, ruler: Ruler, *, folded: bool | None = None) -> Iterator[Part]:
    """The plates; with a mark that folds or opens each where `folded` says whether they are."""
    for one in placed:
        yield Group(tuple(_plate(one, theme, ruler, folded)), at=(one.left, one.top))


def _width(key: Key, ruler: Ruler, *, folded: bool) -> float:
    texts = [] if folded else [ruler.width(text, SIZE) + SWATCH + AFTER_SWATCH for text in _texts(key, ruler)]
    title = ruler.width(key.title, TITLE_SIZE, True) + FOLD_ROOM
    return max(LEAST_WIDTH, min(MOST_TITLE, title), *texts) + 2 * INSET


def _texts(key: Key, ruler: Ruler) -> list[str]:
    shown = key.swatches[:MOST_SWATCHES]
    texts = [ruler.cut(one.text, MOST_TEXT, SIZE) for one in shown]
    left = len(key.swatches) - len(shown)
    return [*texts, f"and {left} more"] if left else texts


def _said(key: Key, width: float, ruler: Ruler) -> list[str]:
    """What it says below its title, in lines: of each text the longest form that takes few of them."""
    found: list[str] = []
    for forms in key.said:
        broken = [_broken(form, width - 2 * INSET, ruler) for form in forms if form]
        found += next((lines for lines in broken if len(lines) <= MOST_SAID), broken[-1])
    return found


def _broken(text: str, width: float, ruler: Ruler) -> list[str]:
    """The lines of a text in that width, broken behind commas and dots where its parts fit: no unit leaves its number.

    A part that does not fit is broken between words.
    """
    parts = (part if ruler.width(part, SIZE) > width else part.replace(" ", HELD) for part in _APART.split(text))
    return [line.replace(HELD, " ") for line in wrapped(" ".join(parts), width, SIZE, ruler)]


def _lines(key: Key) -> int:
    return min(len(key.swatches), MOST_SWATCHES + 1)


def _plate(one: Plate, theme: Theme, ruler: Ruler, folded: bool | None) -> Iterator[Part]:
    yield plate(one.width, one.height, theme)
    line = baseline(ruler, TITLE_LINE / 2, TITLE_SIZE)
    room = one.width - 2 * INSET - FOLD_ROOM
    yield Text(INSET, line, ruler.cut(one.key.title, room, TITLE_SIZE, True), TITLE_SIZE, theme.text, True)
    if folded is not None:
        yield fold_mark(one.width - INSET - 4, TITLE_LINE / 2, theme, folded=folded)
    if folded:
        return
    said = _said(one.key, one.width, ruler)
    for number, text in enumerate(said):
        y = baseline(ruler, TITLE_LINE + (number + 0.5) * SAID_LINE - 2, SIZE)
        yield Text(INSET, y, ruler.cut(text, one.width - 2 * INSET, SIZE), SIZE, theme.muted)
    for number, text in enumerate(_texts(one.key, ruler)):
        middle = TITLE_LINE + len(said) * SAID_LINE + (number + 0.5) * LINE - 2
        if number < MOST_SWATCHES:
            yield from _swatch(one.key.swatches[number], middle, theme, is_line=one.key.is_of_links)
        yield Text(INSET + SWATCH + AFTER_SWATCH, baseline(ruler, middle, SIZE), text, SIZE, theme.text)


def _swatch(swatch: Swatch, middle: float, theme: Theme, *, is_line: bool) -> Iterator[Part]:
    colour = swatch.colour
    if swatch.sample is not None:
        yield from sample(swatch.sample, INSET, middle, SWATCH, theme)
    elif is_line:
        dash = dashes(swatch.line, 1.0)
        yield Lines(np.array([[INSET, middle, INSET + SWATCH, middle]]), Pen(colour, LINE_WIDTH, dash=dash))
    else:
        outline = Pen(theme.rack_border)  # else a shade near that of the plate is not seen
        yield Rect(INSET + 1, middle - 5, SWATCH - 2, 10.0, Ink(colour), outline, 2.0)


def sample(key: LegendKey, x: float, y: float, length: float, theme: Theme) -> Iterator[Part]:
    """A line as links of that class are drawn, so long from there, or the sign that stands for it, in its middle."""
    if key.marked:
        yield Group((diamond(theme),), at=(x + length / 2, y))
    elif key.barred:
        yield barred_circle(x + length / 2, y, SIGN, theme)
    else:
        ends = np.array([[x, y, x + length, y]])
        yield Lines(ends, Pen(key.colour_in(theme), max(1.0, key.width), square=True))
        if key.hatched:
            yield Lines(ends, hatching(theme, LEAST_GAP_PX))


def diamond(theme: Theme) -> Path:
    """The mark of what is beyond the scale, round 0, 0."""
    corners = ((0.0, -MARK_PX), (MARK_PX, 0.0), (0.0, MARK_PX), (-MARK_PX, 0.0))
    ink = Ink(colour_of_class(CONGESTED_CLASS, theme))
    return Path(corners, ink, Pen(theme.background, 1.0), closed=True)


def barred_circle(x: float, y: float, radius: float, theme: Theme) -> Part:
    """The sign of what a failure cuts off."""
    reach = 0.7 * radius
    bar = Lines(np.array([[x - reach, y + reach, x + reach, y - reach]]), Pen(theme.text, BAR_WIDTH))
    return Group((Circle(x, y, radius, Ink(theme.background), Pen(theme.text, BAR_WIDTH)), bar), title="Cut off")


def hatching(theme: Theme, gap: float) -> Pen:
    """Ticks across the line that it draws, with such gaps between them."""
    return Pen(theme.text, HATCH_PX, HATCH_ALPHA, (TICK_PX, gap), fixed=True)


def fold_mark(x: float, y: float, theme: Theme, *, folded: bool) -> Part:
    """What says that a plate opens, or that it folds."""
    corners = ((-2, -4), (3, 0), (-2, 4)) if folded else ((-4, -2), (4, -2), (0, 3))
    return Path(tuple((x + dx, y + dy) for dx, dy in corners), Ink(theme.muted), closed=True)
