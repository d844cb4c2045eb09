"""Tables on paper: columns as wide as what they hold, texts broken over lines rather than cut, rows over pages."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import accumulate
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.drawing.geometry import Rect as Area
from designer.drawing.parts.primitives import Ink, Jump, Lines, Part, Pen, Rect, Text
from designer.drawing.sheets.lettering import LEAST_SIZE, broken, label, width
from designer.drawing.theme import Theme

MOST_SIZE = 8
GAP = 4.4
"""Between the texts of two columns."""
BETWEEN = 10.0
"""Between two tables side by side."""
LEADING = 1.35
LEAST_COLUMN = 24.0
MOST_MEASURED = 200
LEAST_READ = 6
"""Letters get as small to spare pages; smaller ones only where a row has no room otherwise."""
LEAST_ROWS = 4
MOST_BESIDE = 3
"""Tables side by side that columns are made narrower for."""
FIRST_PAGE = re.compile("[0-9]{1,9}")
"""Of several pages, as "33, 34" or "33–40"."""
Row = tuple[str, ...]
"""A text a column; one text alone is a heading among the rows."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and the widest it gets in letters of one point."""

    heading: str
    wide: float
    right: bool = False
    """Numbers stand at its right edge."""
    leads: bool = False
    """Its texts are numbers of pages, which they lead to; so does the whole row where it has one such column."""
    widest: tuple[str, ...] = ()
    """The widest texts that it holds, which say how many lines they need where they have too little room."""

    def lines_in(self, room: float) -> int:
        """How many lines the texts need in a room, in letters of one point."""
        if self.wide <= room:
            return 1
        return max((len(broken(one, room)) for one in self.widest), default=ceil(1.5 * self.wide / room))


def column(heading: str, values: Iterable[str], right: bool = False, leads: bool = False) -> Column:
    """A column that may hold these values."""
    widest = nlargest(MOST_MEASURED, dict.fromkeys(values), key=width)
    return Column(heading, width(widest[0]) if widest else 0.0, right, leads, tuple(widest))


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns in a room: the size of letters, widths in points, and how many lines a row takes."""

    columns: tuple[Column, ...]
    size: int
    widths: tuple[float, ...]
    lines: int
    captioned: bool = False
    """Whether each table has a line over its headings."""
    is_narrowed: bool = False
    """Whether some texts are wider than their columns: their rows, and headings, have more lines than others."""

    @property
    def row_height(self) -> float:
        """From one row to the next."""
        return self.height_of(self.lines)

    def height_of(self, lines: int) -> float:
        """Height of a row of that many lines."""
        return lines * self.size * LEADING + 1.0

    @property
    def head_lines(self) -> int:
        """How many lines the headings take."""
        return self._most_lines((one.heading for one in self.columns), True) if self.is_narrowed else 1

    @property
    def heading_height(self) -> float:
        """Height of the headings."""
        return self.head_lines * self.size * LEADING + 3.0

    @property
    def header_height(self) -> float:
        """Height of the headings, and of what stands over them."""
        return self.heading_height + (self.size * LEADING + 3.0 if self.captioned else 0.0)

    def lines_of(self, row: Row) -> int:
        """How many lines a row takes."""
        if not self.is_narrowed or len(row) < len(self.columns):
            return self.lines
        return self._most_lines(row, False)

    def _most_lines(self, texts: Iterable[str], bold: bool) -> int:
        return max(
            1 if width(text, bold) * self.size <= room else len(broken(text, room / self.size, bold))
            for text, room in zip(texts, self.widths, strict=True)
        )

    @property
    def width(self) -> float:
        """Of all columns with the gaps between."""
        return sum(self.widths) + GAP * len(self.widths)

    def rows_in(self, height: float) -> int:
        """How many rows have room under the headings, one at least."""
        return max(1, int((height - self.header_height) / self.row_height))


def layout(columns: Sequence[Column], room: float, most: int = MOST_SIZE, least: int = LEAST_SIZE) -> Layout:
    """The columns in the largest letters that they fit the room in.

    Where the smallest are too large, the widest columns break their texts over several lines.
    """
    natural = [max(one.wide, width(one.heading, True)) for one in columns]
    for size in range(most, least - 1, -1):
        if sum(natural) * size + GAP * len(columns) <= room:
            return Layout(tuple(columns), size, tuple(one * size for one in natural), 1)
    widths = [one * least for one in natural]
    for limit in np.linspace(max(widths), LEAST_COLUMN, 60).tolist():
        held = [min(one, limit) for one in widths]
        if sum(held) + GAP * len(columns) <= room:
            break
    lines = max(one.lines_in(room / least) for one, room in zip(columns, held, strict=True))
    return Layout(tuple(columns), least, tuple(held), lines)


class Slot(NamedTuple):
    """Rows from `start` to before `stop` with their headings, from a left top corner on."""

    x: float
    y: float
    start: int
    stop: int


class Spread(NamedTuple):
    """A table over pages: its layout, and where its rows stand on each."""

    shown: Layout
    pages: list[list[Slot]]


def spread(
    columns: Sequence[Column],
    n_rows: int,
    first: Area | None,
    room: Area,
    *,
    captioned: bool = False,
    heads: Collection[int] = (),
    rows: Sequence[Row] = (),
) -> Spread:
    """The table on the first page's room and then on as many whole pages as it takes; on none without rows.

    The largest letters that need no more pages than smaller ones do. Tables stand side by side where there is room.
    Where the `rows` themselves are given, columns get narrower if that makes room for one more table side by side and
    saves pages: the few texts that are too wide then are broken between words. `heads` are rows that are headings: none
    stands last in a table.
    """
    best: Spread | None = None
    narrow = min(one[2] - one[0] for one in (first, room) if one is not None)
    for most in range(MOST_SIZE, LEAST_READ - 1, -1):
        shown = replace(layout(columns, narrow, most), captioned=captioned)
        tried = [shown]
        if rows and shown.lines == 1 and (best is None or len(best.pages) > 1):
            tried += _narrowed(shown, rows, narrow, room[2] - room[0])
        for one in tried:
            pages = _slots(one, n_rows, first, room, heads, rows)
            if best is None or len(pages) < len(best.pages):
                best = Spread(one, pages)
        if shown.size < most:  # the room is too narrow for larger ones anyway
            break
    assert best is not None
    return best


def _slots(
    shown: Layout, n_rows: int, first: Area | None, room: Area, heads: Collection[int], rows: Sequence[Row]
) -> list[list[Slot]]:
    pages: list[list[Slot]] = []
    start = 0
    heights = [shown.height_of(shown.lines_of(row)) for row in rows] if shown.is_narrowed else []
    feet = list(accumulate(heights, initial=0.0))
    while start < n_rows:
        left, top, right, bottom = first if first is not None and not pages else room
        many = shown.rows_in(bottom - top)
        page = []
        for number in range(max(1, int((right - left + BETWEEN) / (shown.width + BETWEEN)))):
            if heights:
                low = feet[min(start, n_rows)] + bottom - top - shown.header_height
                many = max(1, bisect_right(feet, low) - 1 - start)
            stop = min(n_rows, start + many)
            if stop < n_rows and stop - 1 > start and stop - 1 in heads:
                stop -= 1
            if stop > start:
                page.append(Slot(left + number * (shown.width + BETWEEN), top, start, stop))
            start = stop
        pages.append(page)
    return pages


def _narrowed(shown: Layout, rows: Sequence[Row], narrow: float, room: float) -> Iterator[Layout]:
    """The columns made narrower for one table more, and for two more, side by side, as far as words allow it."""
    full = [row for row in rows if len(row) == len(shown.columns)]
    if not full:
        return
    wide = np.array([[width(text) for text in row] for row in full]) * shown.size  # (n_full, n_columns)
    heads = [width(one.heading, True) * shown.size for one in shown.columns]
    words = [
        max(
            max((width(word, True) for word in one.heading.split(" ")), default=0.0),
            max((width(word) for text in dict.fromkeys(texts) for word in text.split(" ")), default=0.0),
        )
        * shown.size
        for one, texts in zip(shown.columns, zip(*full, strict=True), strict=True)
    ]
    beside = int((room + BETWEEN) / (shown.width + BETWEEN))
    for number in range(beside + 1, MOST_BESIDE + 1):
        most = min(narrow, (room + BETWEEN) / number - BETWEEN) - GAP * len(shown.columns)
        widths = _fewest_broken(wide, list(shown.widths), heads, words, most)
        if widths is not None:
            yield replace(shown, widths=widths, is_narrowed=True)


def _fewest_broken(
    wide: NDArray[np.float64], widths: list[float], heads: list[float], words: list[float], most: float
) -> tuple[float, ...] | None:
    """Widths that are together no more than `most`, with few rows broken over lines; None where words are too wide.

    `wide` are the widths of texts, (n_rows, n_columns). Step by step that column gets narrower which breaks the fewest
    rows for what it yields.
    """
    if sum(words) > most:
        return None
    is_broken = np.zeros(len(wide), dtype=bool)
    while sum(widths) > most:
        best: tuple[float, int, float] | None = None
        for place, (now, head, least) in enumerate(zip(widths, heads, words, strict=True)):
            texts = wide[:, place]
            lower = texts[texts < now - 1e-9]
            next_ = max(least, head if head < now - 1e-9 else 0.0, float(lower.max()) if len(lower) else 0.0)
            if next_ >= now - 1e-9:
                continue
            cost = (int(np.count_nonzero((texts > next_ + 1e-9) & ~is_broken)) + 0.5) / (now - next_)
            if best is None or cost < best[0]:
                best = cost, place, next_
        if best is None:
            return None
        _, place, widths[place] = best
        is_broken |= wide[:, place] > widths[place] + 1e-9
    return tuple(widths)


def opens(columns: Sequence[Column], room: Area) -> bool:
    """Whether a table is worth beginning in a room: for letters that are easily read, and some rows high."""
    left, top, right, bottom = room
    shown = layout(columns, right - left)
    is_read = shown.size >= LEAST_READ and shown.lines == 1
    return is_read and bottom - top >= shown.header_height + LEAST_ROWS * shown.row_height


def table_parts(
    shown: Layout, rows: Iterable[Row], x: float, y: float, theme: Theme, caption: str = ""
) -> Iterator[Part]:
    """Caption, headings and rows from a left top corner on."""
    wide, size = shown.width, shown.size
    top = y + shown.header_height
    if caption:
        yield label(caption, x + GAP / 2, y + size * 1.1 + 1.0, wide - GAP, size, theme.text, bold=True)
    head = shown.heading_height
    yield Rect(x, top - head, wide, head, Ink(theme.group_fill))
    texts: list[Part] = []
    edges: list[float] = []
    left = x + GAP / 2
    for one, room in zip(shown.columns, shown.widths, strict=True):
        edges.append(left + room if one.right else left)
        anchor = "end" if one.right else "start"
        pieces = broken(one.heading, room / size, True) if shown.is_narrowed else (one.heading,)
        texts += [
            Text(
                edges[-1],
                top - head + size * 1.1 + 1.0 + number * size * LEADING,
                piece,
                size,
                theme.muted,
                True,
                anchor,
            )
            for number, piece in enumerate(pieces)
        ]
        left += room + GAP
    rules = [(x, top, x + wide, top)]
    for row in rows:
        line = top + size * 1.05
        if len(row) == 1 < len(edges):
            texts.append(label(row[0], edges[0], line, wide - GAP, size, theme.text, bold=True))
        else:
            for one, room, edge, text in zip(shown.columns, shown.widths, edges, row, strict=True):
                if text:
                    texts += _cell(text, one.right, edge, line, room, shown, theme)
            texts += _jumps(shown, row, x, top)
        top += shown.height_of(shown.lines_of(row))
        rules.append((x, top, x + wide, top))
    yield Lines(np.array(rules), Pen(theme.group_border, 0.4))
    yield from texts


def _jumps(shown: Layout, row: Row, x: float, top: float) -> list[Jump]:
    """Where a row leads to: all of it where it names one page, else each page from its own place."""
    leading = [place for place, one in enumerate(shown.columns) if one.leads]
    height = shown.height_of(shown.lines_of(row))
    if len(leading) == 1:
        page = FIRST_PAGE.match(row[leading[0]]) if len(row) > leading[0] else None
        return [Jump(x, top, shown.width, height, int(page[0]))] if page is not None else []
    edges = [x + GAP * place + sum(shown.widths[:place]) for place in range(len(shown.widths) + 1)]
    return [
        Jump(edges[one], top, edges[one + 1] - edges[one], height, int(row[one]))
        for one in leading
        if row[one].isdecimal()
    ]


def _cell(text: str, right: bool, edge: float, line: float, room: float, shown: Layout, theme: Theme) -> list[Part]:
    size, anchor = shown.size, "end" if right else "start"
    if (shown.lines == 1 and not shown.is_narrowed) or width(text) * size <= room:
        return [Text(edge, line, text, size, theme.text, False, anchor)]
    pieces = broken(text, room / size)
    if not shown.is_narrowed:
        pieces = pieces[: shown.lines]
    return [
        Text(edge, line + number * size * LEADING, one, size, theme.text, False, anchor)
        for number, one in enumerate(pieces)
    ]
