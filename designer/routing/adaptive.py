"""Policy `adaptive`: minimal paths where they are cool, Valiant's where that lowers the worst utilization.

UGAL as a fluid: each pair of leafs splits its flows between spraying over minimal paths and Valiant routing. The splits
are chosen together, by load: the largest utilization a link would have is pressed down to within a percent or so of the
least there is (five where more than ten thousand pairs go over hundreds of links each), and then every pair goes back
to minimal paths as far as that costs nothing.
Source: A. Singh, "Load-Balanced Routing in Interconnection Networks" (2005), ch. 5 (UGAL).
"""

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing import kernels, valiant
from designer.routing.given import SPLIT
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, Paths, commodities, unmixed
from designer.routing.planes import plane_pick
from designer.routing.splits import splits
from designer.routing.transport_kernels import Mixed, Rows


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints; channel and seed count only where messages pick a plane."""
    found = legs(network, src, dst, plane_pick(network, channel, seed, SPLIT))
    sets = commodities(network, found)
    return valiant.paths_along(network, found, size_bytes, sets, _split(network, found, size_bytes, sets))


def detoured(network: Network, found: Legs, size_bytes: NDArray[np.float64], sets: Commodities) -> NDArray[np.float64]:
    """(n_commodities,) what of each leaves its minimal ways, chosen for all of them together."""
    return _split(network, found, size_bytes, sets).share


def mixed(network: Network, sets: Commodities, share: NDArray[np.float64]) -> Mixed:
    """What one unit of each commodity puts on which bundles, where a share of it takes Valiant's ways."""
    direct = minimal_rows(network, sets)
    return Mixed(direct, valiant.rows_of(network, sets) if share.any() else direct, share)


def _split(network: Network, found: Legs, size_bytes: NDArray[np.float64], sets: Commodities) -> Mixed:
    """What one unit of each commodity puts on which bundles, with the share of it that takes Valiant's ways."""
    switches, crosses = network.switches, sets.of_leg >= 0
    moved = sums(sets.of_leg[crosses], (found.share * size_bytes[found.flow])[crosses], sets.count)
    # What senders and receivers need for their own links anyway: paths cooler than that hold nobody back.
    own = np.zeros(network.graph.n_arcs)
    for side in (found.out, found.in_):
        used = side >= 0
        own += sums(side[used], np.repeat(found.share * size_bytes[found.flow], used.sum(axis=1)), len(own))
    cool = float((own / network.graph.capacity_gbps).max(initial=0.0))
    direct = minimal_rows(network, sets)
    load, _ = kernels.row_sums(direct, moved, switches.latency_ns)
    if (load <= cool * switches.capacity_gbps).all():
        return unmixed(direct)
    detour = valiant.rows_of(network, sets)
    return Mixed(direct, detour, splits(direct, detour, moved, switches.capacity_gbps, cool))


def minimal_rows(network: Network, sets: Commodities) -> Rows:
    """What spraying over minimal paths puts on which bundles."""
    like = np.arange(len(network.switches.head), dtype=np.int32)
    bundles, goals, _ = network.fabric
    return kernels.spray_rows(bundles, goals, sets.from_leaf, sets.to_leaf, like)
