"""Policy `destination`: one out-port per switch and destination, as InfiniBand's linear forwarding tables.

Of the k equal-cost neighbors of a switch, in port order, destination d takes number (d // divisor) mod k, and of the
parallel links to that neighbor number (d // divisor // k) mod their count. d counts the NICs' leaf ports, subtree by
subtree and leaf by leaf in port order; the divisor is the product of the numbers of parents on the tiers below. On a
parallel generalized fat-tree this is D-mod-K. Source: E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for
Shift Permutations on Real Life Fat Trees" (2010).
"""

import numpy as np
from numpy.typing import NDArray

from designer.routing.given import BY_RECEIVER
from designer.routing.legs import legs
from designer.routing.network import Network
from designer.routing.paths import BY_DESTINATION, Paths, single_paths
from designer.routing.planes import plane_pick


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints. GPUs with several NICs use them by channel and destination in turn."""
    found = legs(network, src, dst, plane_pick(network, channel, seed, BY_RECEIVER))
    return single_paths(network, found, size_bytes, BY_DESTINATION)
