"""From device to device by keys: along links where one leads that way, else to the nearest."""

import numpy as np

from designer.drawing.bundles import Flags, Floats
from designer.drawing.composition import Composition

ASIDE = 2.0
"""How much farther something counts for each unit that it lies aside of the way."""


def neighbour(composition: Composition, device_id: str, dx: int, dy: int) -> str | None:
    """The device to go to from one in a direction: of those it is linked to, else of all; None where none is there."""
    projection = composition.projection
    row = projection.row_of.get(device_id)
    if row is None:
        return None
    ends = {end.device_id for link in composition.design.links_of(device_id) for end in (link.a, link.b)}
    linked = np.zeros(len(projection.device_ids), bool)
    linked[[found for one in ends if (found := projection.row_of.get(one)) is not None]] = True
    away = composition.centres - composition.centres[row]
    for among in (linked, ~linked):
        found = _nearest(away, among, dx, dy)
        if found is not None:
            return projection.device_ids[found]
    return None


def nearest_to_middle(composition: Composition) -> str | None:
    """The device nearest to the middle of the drawing; None in an empty design."""
    centres = composition.centres
    if not len(centres):
        return None
    apart = np.abs(centres - (centres.min(axis=0) + centres.max(axis=0)) / 2).sum(axis=1)
    return composition.projection.device_ids[int(apart.argmin())]


def _nearest(away: Floats, among: Flags, dx: int, dy: int) -> int | None:
    """The nearest of those that lie more in the direction than aside of it."""
    ahead = away[:, 0] * dx + away[:, 1] * dy
    aside = np.abs(away[:, 0] * dy) + np.abs(away[:, 1] * dx)
    rows = np.flatnonzero(among & (ahead > 0) & (aside <= ahead))
    if not len(rows):
        return None
    return int(rows[np.argmin(ahead[rows] + ASIDE * aside[rows])])
