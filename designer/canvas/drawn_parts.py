"""Rectangles around the parts of a drawing, so that plates over a view can lie in what they leave free."""

from collections.abc import Iterator

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.geometry import Rect

MOST_PARTS = 20_000
"""With more, a drawing is taken as one: looking at them takes time, and they leave little free."""
PIECES = 12
"""A straight line counts as so many rectangles along it."""
TITLE_PX, LETTER_PX = 24.0, 7.5
"""Height of the title of a tier or a group, and about the width of a letter of it."""


def drawn_parts(composition: Composition, scale: float) -> Floats | None:
    """Left, top, right and bottom of boxes, frames, annotations, titles and pieces of links; None for very many.

    Titles have the size that they have at so many pixels for a unit of the canvas.
    """
    straight, bent = composition.anchors.bundles, composition.link_paths
    if PIECES * len(straight) + len(composition.boxes) > MOST_PARTS:
        return None
    boxes = composition.boxes
    frames = [*(one.rect for one in composition.containers), *(one.around for one in composition.notes.seen)]
    titles = list(_titles(composition, scale))
    found = [np.hstack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:])), np.array([*frames, *titles]).reshape(-1, 4)]
    lines = np.vstack((straight[~bent.bent], bent.xy))
    steps = np.linspace(0.0, 1.0, PIECES + 1)[:, None, None]
    points = lines[None, :, :2] * (1.0 - steps) + lines[None, :, 2:] * steps
    first, last = points[:-1].reshape(-1, 2), points[1:].reshape(-1, 2)
    found.append(np.hstack((np.minimum(first, last), np.maximum(first, last))))
    return np.vstack(found)


def _titles(composition: Composition, scale: float) -> Iterator[Rect]:
    """The strips that titles of tiers and of groups stand in, at the left above them, or below."""
    tall, letter = TITLE_PX / scale, LETTER_PX / scale
    for tier in composition.tier_titles:
        left, top, _, _ = tier.rect
        yield left, top - tall, left + letter * (len(tier.text) + len(tier.note)), top
    for frame in composition.containers:
        if frame.kind != "rack":
            left, top, _, bottom = frame.rect
            end = left + letter * (len(frame.title) + len(frame.note))
            yield (left, bottom, end, bottom + tall) if frame.is_titled_below else (left, top - tall, end, top)
