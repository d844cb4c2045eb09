"""The legend of the heat: a scale with numbers, on a plate with its left top corner at 0, 0."""

from collections.abc import Iterator, Sequence

import numpy as np

from designer.drawing.display_list import Legend, LegendKey
from designer.drawing.heat import BUCKETS, bucket_colours, hex_of
from designer.drawing.parts.keys import FOLD_ROOM, TITLE_LINE, fold_mark, sample
from designer.drawing.parts.paper import plate
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler, baseline
from designer.drawing.theme import Theme

WIDTH_PX, HEIGHT_PX = 268.0, 122.0
MARGIN_PX = 14.0
INSET_PX = 12.0
TITLE_SIZE, SIZE = 11, 10
MOST_TEXT_LINES, LINE_PX = 3, 14.0
KEYS_TOP_PX, KEY_LENGTH_PX, KEY_GAP_PX = 111.0, 16.0, 14.0
MOST_KEY_ROWS, KEY_ROW_PX, KEYS_RAISED_PX, BAR_RAISED_PX = 2, 12.5, 10.0, 4.0
"""A second row of keys moves the first and the scale up, on a plate of the same size."""
BAR_LEFT, BAR_TOP, BAR_WIDTH, BAR_HEIGHT = 16.0, 72.0, 226.0, 9.0
FOLDED_BAR_PX, FOLDED_GAP_PX = (36.0, 64.0), 5.0
"""How short and how long the bar of a folded legend may be, and what is free to both sides of it."""


def size_of_legend(*, folded: bool | None) -> tuple[float, float]:
    """Width and height of the plate."""
    return WIDTH_PX, TITLE_LINE if folded else HEIGHT_PX


def legend(shown: Legend, theme: Theme, ruler: Ruler, *, folded: bool | None = None) -> Iterator[Part]:
    """A plate with title, scale and numbers; with a mark that folds or opens it where `folded` says whether it is."""
    yield plate(*size_of_legend(folded=folded), theme)
    room = WIDTH_PX - 2 * INSET_PX - (0.0 if folded is None else FOLD_ROOM)
    if folded is not None:
        yield fold_mark(WIDTH_PX - INSET_PX - 4, TITLE_LINE / 2, theme, folded=folded)
    if folded:
        yield from _in_a_line(shown, theme, ruler, room)
        return
    yield Text(INSET_PX, 18.0, ruler.cut(shown.title, room, TITLE_SIZE, True), TITLE_SIZE, theme.text, True)
    rows = _key_rows(shown.keys, ruler)
    more = max(0, len(rows) - 1)
    room = WIDTH_PX - 2 * INSET_PX  # below the title, all of it
    forms = ((shown.label,), shown.outcome, (shown.note, *shown.brief_notes))
    lines = [part for part in (_fitting(of, ruler, room) for of in forms) if part]
    first = 33.0 + LINE_PX * (MOST_TEXT_LINES - len(lines)) / 2  # of fewer, in the middle between title and scale
    for number, line in enumerate(lines):
        yield Text(INSET_PX, first - more + (LINE_PX - more) * number, ruler.cut(line, room, SIZE), SIZE, theme.muted)
    yield from _scale(shown, theme, ruler, BAR_TOP - BAR_RAISED_PX * more)
    for number, row in enumerate(rows):
        yield from _keys(row, KEYS_TOP_PX - KEYS_RAISED_PX * more + KEY_ROW_PX * number, theme, ruler)


def _in_a_line(shown: Legend, theme: Theme, ruler: Ruler, room: float) -> Iterator[Part]:
    """The title, as far as the comma, and the scale between its first and its last number."""
    first, last = shown.stops[0].text, shown.stops[-1].text
    foot, right = baseline(ruler, TITLE_LINE / 2, SIZE), INSET_PX + room
    title = shown.title.split(",")[0]
    taken = ruler.width(title, TITLE_SIZE, True) + sum(ruler.width(one, SIZE) for one in (first, last))
    length = max(FOLDED_BAR_PX[0], min(FOLDED_BAR_PX[1], room - taken - 4 * FOLDED_GAP_PX))
    bar_left = right - ruler.width(last, SIZE) - FOLDED_GAP_PX - length
    left = bar_left - FOLDED_GAP_PX - ruler.width(first, SIZE)
    title = ruler.cut(title, left - FOLDED_GAP_PX - INSET_PX, TITLE_SIZE, True)
    yield Text(INSET_PX, baseline(ruler, TITLE_LINE / 2, TITLE_SIZE), title, TITLE_SIZE, theme.text, True)
    yield Text(left, foot, first, SIZE, theme.muted)
    yield from _bar(theme, bar_left, (TITLE_LINE - BAR_HEIGHT) / 2, length)
    yield Text(right - ruler.width(last, SIZE), foot, last, SIZE, theme.muted)


def _fitting(forms: Sequence[str], ruler: Ruler, room: float) -> str:
    """The first form of a text that fits, else the last, which is the shortest; "" of none."""
    return next((one for one in forms if ruler.width(one, SIZE) <= room), "".join(forms[-1:]))


def _scale(shown: Legend, theme: Theme, ruler: Ruler, top: float) -> Iterator[Part]:
    yield from _bar(theme, BAR_LEFT, top, BAR_WIDTH)
    yield from _stops(shown, theme, ruler, top)


def _bar(theme: Theme, left: float, top: float, length: float) -> Iterator[Part]:
    edges = [round(left + number * length / BUCKETS) for number in range(BUCKETS + 1)]
    for number, colour in enumerate(bucket_colours(theme)):
        width = edges[number + 1] - edges[number]
        yield Rect(edges[number], top, width, BAR_HEIGHT, Ink(hex_of(colour)), crisp=True)


def _stops(shown: Legend, theme: Theme, ruler: Ruler, top: float) -> Iterator[Part]:
    foot = top + BAR_HEIGHT
    for stop in shown.stops:
        x, width = BAR_LEFT + stop.utilization * BAR_WIDTH, ruler.width(stop.text, SIZE)
        middle = min(x, WIDTH_PX - 8 - width / 2)  # a long one keeps to the plate
        colour, length = (theme.text, 5) if stop.mark else (theme.muted, 3)
        tick = Lines(np.array([[x, foot, x, foot + length]]), Pen(colour, square=True))
        line = foot + 5 + ruler.ascent(SIZE)
        yield Group((tick, Text(middle, line, stop.text, SIZE, colour, anchor="middle")), title=stop.mark)
    if shown.busiest is not None:
        x, tip = BAR_LEFT + min(1.0, shown.busiest) * BAR_WIDTH, top - 1
        yield Path(((x, tip), (x - 3.5, tip - 5), (x + 3.5, tip - 5)), Ink(theme.text), closed=True)


def _key_rows(keys: Sequence[LegendKey], ruler: Ruler) -> list[list[LegendKey]]:
    """The keys row by row; of more than two rows the first key is left out, and so on."""
    rows: list[list[LegendKey]] = []
    end = WIDTH_PX
    for key in keys:
        width = _key_width(key, ruler)
        if end + KEY_GAP_PX + width > WIDTH_PX - INSET_PX:
            rows.append([])
            end = INSET_PX - KEY_GAP_PX
        rows[-1].append(key)
        end += KEY_GAP_PX + width
    # What is idle goes without saying before what is full does.
    return rows if len(rows) <= MOST_KEY_ROWS else _key_rows(keys[1:], ruler)


def _key_width(key: LegendKey, ruler: Ruler) -> float:
    return KEY_LENGTH_PX + 4 + ruler.width(key.text, SIZE)


def _keys(row: Sequence[LegendKey], y: float, theme: Theme, ruler: Ruler) -> Iterator[Part]:
    x = INSET_PX
    for key in row:
        yield from sample(key, x, y, KEY_LENGTH_PX, theme)
        yield Text(x + KEY_LENGTH_PX + 4, y + 3.5, key.text, SIZE, theme.muted)
        x += _key_width(key, ruler) + KEY_GAP_PX
