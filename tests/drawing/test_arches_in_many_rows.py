"""Links of routers that are all joined run beside their row, also in as many groups as the largest systems have."""

import numpy as np

from designer.drawing.arches import arches
from designer.drawing.bundles import Bundles

GROUPS, ROUTERS = 175, 32


def test_links_within_the_groups_of_a_large_dragonfly_run_round_the_routers_between_their_ends():
    low, high = np.triu_indices(ROUTERS, 1)
    pairs = np.concatenate([np.stack((low, high), axis=1) + ROUTERS * group for group in range(GROUPS)])
    bundles = Bundles(pairs, np.arange(len(pairs)), np.zeros(len(pairs), np.bool_))
    at = np.arange(GROUPS * ROUTERS)
    centres = np.stack((200.0 * (at % ROUTERS), 600.0 * (at // ROUTERS)), axis=1)
    sizes = np.tile((120.0, 40.0), (len(at), 1))
    found = arches(bundles, centres, sizes, np.zeros(len(pairs), np.bool_))
    assert found is not None
    assert len(found.numbers) == len(pairs) - GROUPS * (ROUTERS - 1)  # neighbors are joined straight
    y1, y2 = found.lines(np.concatenate((centres[pairs[:, 0]], centres[pairs[:, 1]]), axis=1)[found.numbers])[
        :, 1, 1::2
    ].T
    assert (y1 == y2).all() and (np.abs(y1 - centres[pairs[found.numbers, 0], 1]) > sizes[0, 1] / 2).all()
