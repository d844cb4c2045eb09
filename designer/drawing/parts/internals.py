"""What is inside an opened server: boxes of its GPUs, NICs and scale-up domain, and the lines between them."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.camera import Camera
from designer.drawing.internals import Internals
from designer.drawing.internals import Part as Inner
from designer.drawing.parts.primitives import Ink, Lines, Part, Pen, Rect, Text
from designer.drawing.parts.ruler import baseline, clamped, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.text import short_form
from designer.drawing.theme import LEAF, SPINE, BoxColours, mixed

TITLE_PX = (8.0, 14.0)
LEAST_TITLE_PX = 18.0
NOTE_ROOM_PX = 26.0
LINE_SHARE = 0.8
"""Of a line's color that is left of it."""
DASHES = (4.0, 2.0)


def internals(inside: Internals, camera: Camera, sheet: Sheet, own: BoxColours) -> Iterator[Part]:
    """The parts of a server with the colors `own`, `camera` on its box."""
    theme = sheet.theme
    colours = {"gpu": theme.boxes[LEAF], "nic": own, "empty slot": own, "scale-up": theme.boxes[SPINE]}
    for lines, colour, width in ((inside.pcie, own.stripe, 1.2), (inside.scale_up, colours["scale-up"].stripe, 2.0)):
        if lines:
            pen = Pen(mixed(colour, theme.background, LINE_SHARE), width, square=True)
            yield Lines(camera.points_to_view(np.array(lines, float)), pen)
    for part in inside.parts:
        (x, y), (right, bottom) = camera.to_view(*part.rect[:2]), camera.to_view(*part.rect[2:])
        box, is_empty = colours[part.kind], part.kind == "empty slot"
        pen = Pen(box.stripe, dash=DASHES if is_empty else ())
        rect = Rect(x, y, right - x, bottom - y, None if is_empty else Ink(box.fill), pen, 3.0)
        yield rect
        yield from _words(part, rect, sheet)


def _words(part: Inner, rect: Rect, sheet: Sheet) -> Iterator[Part]:
    if rect.height < LEAST_TITLE_PX * 0.6 or rect.width < LEAST_TITLE_PX:
        return
    ruler, room = sheet.ruler, rect.width - 4
    asked = clamped(min(rect.height * 0.34, 1.7 * rect.width / max(4, len(part.title))), TITLE_PX)
    asked = max(TITLE_PX[0], asked * min(1.0, room / max(1.0, ruler.width(part.title, whole(asked)))))
    size, small = whole(asked), whole(asked - 1.5)
    title = part.title if ruler.width(part.title, size) <= room else short_form(part.title)
    has_note = bool(part.note) and rect.height >= NOTE_ROOM_PX
    x, upper = rect.x + rect.width / 2, rect.height / 2 if has_note else rect.height
    line = baseline(ruler, rect.y + (1 + upper) / 2, size)
    yield Text(x, line, ruler.cut(title, room, size), size, sheet.theme.text, anchor="middle")
    if has_note:
        line = baseline(ruler, rect.y + (rect.height * 1.5 - 1) / 2, small)
        yield Text(x, line, ruler.cut(part.note, room, small), small, sheet.theme.muted, anchor="middle")
