"""Over which of its NICs a GPU with several sends a message: over all of them, or over one, by turns or by a hash.

A message is a flow. One that goes over one NIC takes a plane that is whole at both ends, so that what a plane carried
that has failed is spread over the others: see `pairing`.
"""

import numpy as np
from numpy.typing import NDArray

from designer.routing.given import BY_RECEIVER, BY_ROUTING, HASH, SPLIT
from designer.routing.hashes import salts
from designer.routing.legs import Pick
from designer.routing.network import Network


def plane_pick(network: Network, channel: NDArray[np.int64], seed: int, usual: str) -> Pick | None:
    """By what flows of these channels pick a pair of NICs; None where each is split over all of them.

    `usual` is what the routing does where nothing else is set.
    """
    planes = network.switching.planes
    planes = usual if planes == BY_ROUTING else planes
    if planes == SPLIT:
        return None
    if planes == HASH:
        return lambda src, dst: (salts(src, dst, channel, seed) >> np.uint64(1)).astype(np.int64)
    if planes == BY_RECEIVER:
        return lambda _src, dst: channel + dst
    return lambda src, dst: channel + src + dst
