"""Boxes that stand off the rows of their tiers, as a device that was moved by hand out of a layout."""

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints
from designer.drawing.projection import Projection
from designer.model.networks import IN_BAND, OUT_OF_BAND

LEAST_IN_ROW = 3
"""So many boxes in a line are a row; of three or fewer, all but one. Pairs are in line on either side of a ring."""
IN_LINE = 1.0
"""Canvas units between middles in one line."""


def tier_numbers(projection: Projection) -> Ints:
    """A number for each box: that of its tier, which is its kind in its group. Boxes of many are tiers of their own."""
    devices, numbers = projection.design.devices, dict[tuple[int, str | None], int]()
    own = projection.device_ids[: projection.n_own]
    found = [
        numbers.setdefault((kind, devices[one].group_id), len(numbers))
        for kind, one in zip(projection.kinds.tolist(), own, strict=False)
    ]
    n_more = len(projection.device_ids) - len(found)
    return np.concatenate((np.array(found, np.int64), np.arange(n_more, dtype=np.int64) + len(numbers)))


def switches_of_management(projection: Projection) -> Flags:
    """The boxes that are switches of a management network."""
    devices = projection.design.devices
    found = np.zeros(len(projection.device_ids), np.bool_)
    own = projection.device_ids[: projection.n_own]
    found[: len(own)] = [devices[one].network in (IN_BAND, OUT_OF_BAND) for one in own]
    return found


def standing_off(tiers: Ints, centres: Floats) -> Flags:
    """Which boxes are in line with no other of their tier, where most of it stands in rows or columns.

    What stands on the grid of those rows and columns was laid out there.
    """
    if not len(tiers):
        return np.zeros(0, np.bool_)
    size = np.bincount(tiers)[tiers]
    in_row, alone = np.zeros(len(tiers), np.bool_), np.ones(len(tiers), np.bool_)
    for axis in (0, 1):
        places = np.stack((tiers, np.round(centres[:, axis] / IN_LINE).astype(np.int64)), axis=1)
        _, line = np.unique(places, axis=0, return_inverse=True)
        in_line = np.bincount(line.reshape(-1))[line.reshape(-1)]
        in_row |= in_line >= np.clip(size - 1, 2, LEAST_IN_ROW)
        alone &= in_line == 1
    standing = np.bincount(tiers, in_row)[tiers]
    off: Flags = alone & (2 * standing > size)
    for tier in np.unique(tiers[off]).tolist():
        rows = np.flatnonzero(off & (tiers == tier))
        off[rows] = ~_on_grid(centres[rows], centres[in_row & (tiers == tier)])
    return off


def _on_grid(centres: Floats, in_rows: Floats) -> Flags:
    """Which of these are steps of the grid away from what stands in rows, across and down."""
    found = np.ones(len(centres), np.bool_)
    for axis in (0, 1):
        places = np.unique(np.round(in_rows[:, axis] / IN_LINE)) * IN_LINE
        step = np.diff(places).min(initial=np.inf)
        away = centres[:, axis] - places[0]
        found &= np.abs(away - np.round(away / step) * step) <= IN_LINE if step < np.inf else np.abs(away) <= IN_LINE
    return found
