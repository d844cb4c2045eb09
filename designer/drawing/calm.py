"""How much of their colors and widths links keep where there are many of them."""

from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect
from designer.drawing.lines import Lines

CALM_FROM = 60
CALMEST_FROM = 700
CALMEST, CALMEST_COLOURED = 0.45, 0.8
"""A picture of many links draws each this much closer to the background; those of classes keep more of their colors.

With heat, links that carry next to nothing are thinner instead."""
THIN_FROM, THINNEST_FROM = 0.12, 2.0
"""Lines of classes that cover such a share of the drawing, counted as often as they do, are thinner and paler."""
THINNEST, PALEST = 0.4, 0.55
"""Shares of width and color that are left at last."""


def calm(count: int) -> float:
    """How much of its color a link keeps in a picture of so many."""
    share = (count - CALM_FROM) / (CALMEST_FROM - CALM_FROM)
    return 1 - (1 - CALMEST) * min(1.0, max(0.0, share))


class Left(NamedTuple):
    """Shares of color and width that lines of classes keep."""

    colour: float
    width: float


KEPT = Left(1.0, 1.0)
"""Nothing is taken away."""


def classes_left(count: int, cover: float) -> Left:
    """What lines of classes keep in a picture of so many, that cover it so many times."""
    thin = float(np.log(max(cover, THIN_FROM) / THIN_FROM) / np.log(THINNEST_FROM / THIN_FROM))
    thin = min(1.0, thin)
    return Left(max(calm(count), CALMEST_COLOURED) * (1 - (1 - PALEST) * thin), 1 - (1 - THINNEST) * thin)


MOST_HEAT_COVER, LEAST_HEAT_PX = 0.45, 0.45
"""How many times hot lines may cover the area that they cross, else they are one block; the least width for that."""

LEAST_SIDE = 0.2
"""Of the longer side of that area, for its shorter one: lines behind each other in a row cover nothing."""


def heat_width(xy: Floats) -> float:
    """How wide these hot lines, (n, 4), may be at most so as not to cover the area that they cross."""
    if len(xy) < CALM_FROM:
        return np.inf
    corners = xy.reshape(-1, 2)
    width, height = (corners.max(axis=0) - corners.min(axis=0)).tolist()
    longer = max(width, height)
    width, height = max(width, LEAST_SIDE * longer), max(height, LEAST_SIDE * longer)
    length = float(np.hypot(*(xy[:, 2:] - xy[:, :2]).T).sum())
    return float(MOST_HEAT_COVER * width * height / max(length, 1e-9))


def covered(lines: Lines, bounds: Rect | None, scale: float) -> float:
    """How many times lines between switches, each a pixel wide, would cover the drawing at so many pixels per unit."""
    if bounds is None:
        return 0.0
    left, top, right, bottom = bounds
    return lines.length / max((right - left) * (bottom - top) * scale, 1e-9)
