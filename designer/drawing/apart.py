"""Links with a way of their own, which leave their boxes on given sides: by gates of groups, and as stubs."""

from dataclasses import dataclass

import numpy as np

from designer.drawing.bundles import Flags, Floats, Ints

GATED, STUBBED = 3, 2
"""Pieces of a link by two gates, and of one that is only begun at either end."""


@dataclass(frozen=True)
class Apart:
    """Bundles by their numbers, each from the pair's lower row to its higher."""

    numbers: Ints  # (m,)
    sides: Ints  # (m, 2) of the boxes, as in arches
    slopes: Floats  # (m, 2) place on its side, as in anchors
    via: Floats  # (m, 2, 2) where its line leads from either box; of stubs in terms of where it begins
    pieces: int
    pinned: Flags | None = None  # (m, 2) ends that are where the line leads, on the edge of the box

    def lines(self, ends: Floats) -> tuple[Floats, Ints, Flags]:
        """The lines between these ends, (m, 4); the place of its bundle in `numbers`, and whether it is direct."""
        at = ends.reshape(-1, 2, 2)
        if self.pieces == STUBBED:
            points = np.stack((at[:, 0], at[:, 0] + self.via[:, 0], at[:, 1] + self.via[:, 1], at[:, 1]), axis=1)
            xy, direct = np.concatenate((points[:, ::2], points[:, 1::2]), axis=2), np.array([True, False])
        else:
            if self.pinned is not None:
                at = np.where(self.pinned[:, :, None], self.via, at)
            points = np.stack((at[:, 0], self.via[:, 0], self.via[:, 1], at[:, 1]), axis=1)
            xy, direct = np.concatenate((points[:, :-1], points[:, 1:]), axis=2), np.array([False, True, False])
        xy = xy.reshape(-1, 4)
        kept = (xy[:, :2] != xy[:, 2:]).any(axis=1)
        of = np.repeat(np.arange(len(self.numbers)), self.pieces)
        return xy[kept], of[kept], np.tile(direct, len(self.numbers))[kept]

    def taken(self, chosen: Flags) -> "Apart":
        """The same for some of the bundles."""
        pinned = None if self.pinned is None else self.pinned[chosen]
        return Apart(
            self.numbers[chosen], self.sides[chosen], self.slopes[chosen], self.via[chosen], self.pieces, pinned
        )
