"""The legend of the heat: a scale with numbers, on a plate with its left top corner at 0, 0."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.display_list import Legend
from designer.drawing.heat import BUCKETS, bucket_colours, hex_of
from designer.drawing.parts.keys import FOLD_ROOM, TITLE_LINE, fold_mark
from designer.drawing.parts.links import diamond
from designer.drawing.parts.paper import plate
from designer.drawing.parts.primitives import Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler, baseline
from designer.drawing.theme import Theme

WIDTH_PX, HEIGHT_PX = 268.0, 108.0
MARGIN_PX = 14.0
INSET_PX = 12.0
TITLE_SIZE, SIZE = 11, 10
KEYS_TOP_PX, KEY_LENGTH_PX, KEY_GAP_PX = 97.0, 16.0, 14.0
BAR_LEFT, BAR_TOP, BAR_WIDTH, BAR_HEIGHT = 16.0, 58.0, 226.0, 9.0


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
        title, foot = ruler.cut(shown.title, room, TITLE_SIZE, True), baseline(ruler, TITLE_LINE / 2, TITLE_SIZE)
        yield Text(INSET_PX, foot, title, TITLE_SIZE, theme.text, True)
        return
    yield Text(INSET_PX, 18.0, ruler.cut(shown.title, room, TITLE_SIZE, True), TITLE_SIZE, theme.text, True)
    for number, line in enumerate(part for part in (shown.label, shown.note) if part):
        yield Text(INSET_PX, 33.0 + 14.0 * number, ruler.cut(line, room, SIZE), SIZE, theme.muted)
    edges = [round(BAR_LEFT + number * BAR_WIDTH / BUCKETS) for number in range(BUCKETS + 1)]
    for number, colour in enumerate(bucket_colours(theme)):
        width = edges[number + 1] - edges[number]
        yield Rect(edges[number], BAR_TOP, width, BAR_HEIGHT, Ink(hex_of(colour)), crisp=True)
    yield from _stops(shown, theme, ruler)
    yield from _keys(shown, theme, ruler)


def _stops(shown: Legend, theme: Theme, ruler: Ruler) -> Iterator[Part]:
    foot = BAR_TOP + BAR_HEIGHT
    for stop in shown.stops:
        x, width = BAR_LEFT + stop.utilization * BAR_WIDTH, ruler.width(stop.text, SIZE)
        middle = min(x, WIDTH_PX - 8 - width / 2)  # a long one keeps to the plate
        colour, length = (theme.text, 5) if stop.mark else (theme.muted, 3)
        tick = Lines(np.array([[x, foot, x, foot + length]]), Pen(colour, square=True))
        line = foot + 5 + ruler.ascent(SIZE)
        yield Group((tick, Text(middle, line, stop.text, SIZE, colour, anchor="middle")), title=stop.mark)
    if shown.busiest is not None:
        x, tip = BAR_LEFT + min(1.0, shown.busiest) * BAR_WIDTH, BAR_TOP - 1
        yield Path(((x, tip), (x - 3.5, tip - 5), (x + 3.5, tip - 5)), Ink(theme.text), closed=True)


def _keys(shown: Legend, theme: Theme, ruler: Ruler) -> Iterator[Part]:
    x, y = INSET_PX, KEYS_TOP_PX
    widths = [KEY_LENGTH_PX + 4 + ruler.width(key.text, SIZE) + KEY_GAP_PX for key in shown.keys]
    keys = shown.keys
    while sum(widths[-len(keys) :]) - KEY_GAP_PX > WIDTH_PX - INSET_PX - x and len(keys) > 1:
        keys = keys[1:]  # what is idle goes without saying before what is full does
    for key in keys:
        if key.marked:
            yield Group((diamond(theme),), at=(x + KEY_LENGTH_PX / 2, y))
        else:
            pen = Pen(key.colour_in(theme), max(1.0, key.width), square=True)
            yield Lines(np.array([[x, y, x + KEY_LENGTH_PX, y]]), pen)
        x += KEY_LENGTH_PX + 4
        yield Text(x, y + 3.5, key.text, SIZE, theme.muted)
        x += ruler.width(key.text, SIZE) + KEY_GAP_PX
