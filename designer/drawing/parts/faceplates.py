"""The front of a switch: outlines of its cages, and in them its ports, filled where a link is."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera
from designer.drawing.faceplates import Faceplate
from designer.drawing.parts.primitives import Ink, Part, Pen, Rects
from designer.drawing.theme import BoxColours, Theme

LEAST_OUTLINE_PX = 3.0
"""A cage that is drawn lower than this has no outline of its own."""
HAIR = 0.12
"""Of the height of a port, its outline; at most a pixel."""


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
