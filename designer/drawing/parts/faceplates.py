"""The front of a switch: outlines of its cages, and in them its ports, filled where a link is."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera
from designer.drawing.faceplates import NUMBER, Faceplate
from designer.drawing.parts.primitives import Ink, Part, Pen, Rects, Text
from designer.drawing.parts.ruler import Ruler
from designer.drawing.theme import BoxColours, Theme

LEAST_OUTLINE_PX = 3.0
"""A cage that is drawn lower than this has no outline of its own."""
HAIR = 0.12
"""Of the height of a port, its outline; at most a pixel."""


NUMBER_PX = 7.0, 11.0
"""The least and most letters of the number of a cage, over its ports."""
FIGURE = 0.76
"""Height of a figure in terms of its letters."""
AIRY = 0.72
"""Of the room over the ports of a cage, what a number takes at most."""
OFF_PORTS_PX = 0.5
"""How much nearer a number is to the edge of its cage than to the outlines of the ports."""


def cage_numbers(front: Faceplate, camera: Camera, theme: Theme, ruler: Ruler) -> Iterator[Part]:
    """The numbers of cages that have room for them, all in letters alike; none where one has no room."""
    if not front.numbers or not len(front.cages):
        return
    cages = _seen(front.cages[: len(front.numbers)], camera)
    room = float(cages[0, 3]) * NUMBER
    size = int(min(NUMBER_PX[1], AIRY * room / FIGURE))
    widest = max((ruler.width(one, size) for one in front.numbers), default=0.0) if size >= NUMBER_PX[0] else 0.0
    if size < NUMBER_PX[0] or widest > cages[0, 2]:
        return
    for (left, top, width, _), number in zip(cages.tolist(), front.numbers, strict=True):
        line = top + (room + FIGURE * size) / 2 - OFF_PORTS_PX
        yield Text(left + width / 2, line, number, size, theme.muted, anchor="middle")


def faceplate_parts(front: Faceplate, camera: Camera, colours: BoxColours, theme: Theme) -> Iterator[Part]:
    """Cages, and their ports: filled where a link is, hollow where free, faint where reserved."""
    if len(front.cages) and front.cages[0, 3] * camera.scale >= LEAST_OUTLINE_PX:
        yield Rects(_seen(front.cages, camera), Ink(theme.background), Pen(colours.border, _hair(front.cages, camera)))
    if len(front.free):
        pen = Pen(colours.stripe, _hair(front.free, camera))
        yield Rects(_seen(front.free, camera), Ink(theme.background), pen)
    if len(front.reserved):
        yield Rects(_seen(front.reserved, camera), None, Pen(colours.border, _hair(front.reserved, camera)))
    if len(front.used):
        yield Rects(_seen(front.used, camera), Ink(colours.stripe))


def _hair(places: Floats, camera: Camera) -> float:
    return float(min(1.0, max(0.05, HAIR * places[0, 3] * camera.scale)))


def _seen(places: Floats, camera: Camera) -> Floats:
    """The rectangles in the units of the sheet."""
    return np.asarray((places - np.array((camera.left, camera.top, 0.0, 0.0))) * camera.scale)
