"""The points that each link of a drawing runs through, as the canvas bends it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from designer.drawing.composition import Composition
from designer.drawing.parts.primitives import Point

MEETS = 0.01
"""Ends of two lines nearer than this are one point."""


def ways_of(composition: Composition) -> list[tuple[Point, ...]]:
    """The points that each link runs through, by row, from the box of the lower row to that of the higher.

    Links that the canvas draws as two stubs are straight.
    """
    bundled, anchors, paths = composition.bundles, composition.anchors, composition.link_paths
    found: list[tuple[Point, ...]] = [((ax, ay), (zx, zy)) for ax, ay, zx, zy in anchors.links.tolist()]
    plain = np.flatnonzero(paths.bent & ~paths.laned)
    lines_of: Mapping[int, list[list[float]]] = {}
    if len(plain):
        lines_of = _by_number(paths.bundles.tolist(), paths.xy.tolist())
    laned = np.flatnonzero(paths.laned[bundled.of_link])
    xy, of, _ = paths.of_links(laned, bundled, anchors)
    laned_lines = _by_number(laned[of].tolist(), xy.tolist())
    of_link = bundled.of_link.tolist()
    middles = anchors.bundles.tolist()
    for row in np.flatnonzero(paths.bent[bundled.of_link]).tolist():
        number = of_link[row]
        chain = _chained(laned_lines.get(row) or lines_of.get(number, []))
        if len(chain) > 2:  # a detour leaves the box elsewhere; of other bends each link has its own ends
            own = row in laned_lines or _meet(chain[0], middles[number][:2])
            found[row] = (found[row][0], *chain[1:-1], found[row][1]) if own else chain
    return found


def _by_number(numbers: list[int], lines: list[list[float]]) -> dict[int, list[list[float]]]:
    found: dict[int, list[list[float]]] = {}
    for number, line in zip(numbers, lines, strict=True):
        found.setdefault(number, []).append(line)
    return found


def _chained(lines: list[list[float]]) -> tuple[Point, ...]:
    """The points of lines of which each begins where the one before it ends; none of others."""
    if any(not _meet(one[2:], other[:2]) for one, other in pairwise(lines)):
        return ()
    return (*((one[0], one[1]) for one in lines), (lines[-1][2], lines[-1][3])) if lines else ()


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    return abs(one[0] - other[0]) <= MEETS and abs(one[1] - other[1]) <= MEETS
