"""Policy `valiant`: every flow goes by a third group of a dragonfly, or a third leaf elsewhere, each equally likely.

As a fluid: a flow is split evenly over all third groups, and goes by nearest ways to the group (to whichever of its
switches is nearest) and from there to its destination. Flows within a group go the nearest way, as do flows where there
is no third one. Source: L. Valiant, "A Scheme for Fast Parallel Communication" (1982); on dragonflies J. Kim et al.
(2008), "Technology-Driven, Highly-Scalable Dragonfly Topology".
"""

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.graph.threads import in_threads
from designer.routing import crossing_kernels, kernels, valiant_kernels
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, Paths, commodities, paths_over_rows
from designer.routing.regions import regions

Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]

ROOM = 4_000_000
"""Entries of ways to regions that are remembered at a time: 48 MB."""
WORTH_A_THREAD = 1_000


def route(
    network: Network,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    size_bytes: NDArray[np.float64],
    channel: NDArray[np.int64],
    seed: int,
) -> Paths:
    """Paths of flows between endpoints; nothing here depends on channel or seed."""
    del channel, seed
    found = legs(network, src, dst, None)
    sets = commodities(network, found)
    return paths_along(network, found, size_bytes, sets, rows_of(network, sets))


def rows_of(network: Network, sets: Commodities) -> Rows:
    """(row_start, bundles, weights): what one unit of each commodity puts on which bundles."""
    switches, by = network.switches, regions(network)

    def piece(first: int, last: int) -> Rows:
        found: Rows = valiant_kernels.rows(
            switches.start,
            switches.head,
            switches.cost,
            switches.capacity_gbps,
            switches.leafs,
            switches.distance,
            by.of,
            by.distance,
            sets.from_leaf[first:last],
            sets.to_leaf[first:last],
            ROOM,
        )
        return found

    parts = in_threads(piece, sets.count, WORTH_A_THREAD)
    if len(parts) == 1:
        return parts[0]
    sizes, bundles, weights = zip(*((np.diff(start), *entries) for start, *entries in parts), strict=True)
    row_start = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return row_start, np.concatenate(bundles), np.concatenate(weights)


def paths_along(network: Network, found: Legs, size_bytes: NDArray[np.float64], sets: Commodities, rows: Rows) -> Paths:
    """Paths over rows of bundles, with the loads and latencies that follow from them."""
    switches = network.switches
    row_start, bundles, weights = rows
    crosses = sets.of_leg >= 0
    moved = sums(sets.of_leg[crosses], (found.share * size_bytes[found.flow])[crosses], sets.count)
    bundle_bytes, latency_ns = kernels.row_sums(row_start, bundles, weights, moved, switches.latency_ns)
    like = np.arange(len(switches.head), dtype=np.int32)
    return paths_over_rows(network, found, size_bytes, sets, rows, bundle_bytes, latency_ns, like)


def loads(network: Network, sent: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_bundles,) what crosses each bundle where `sent` (n_leafs, n_leafs) goes from leaf to leaf."""
    switches, by = network.switches, regions(network)
    found: NDArray[np.float64] = valiant_kernels.loads(
        switches.start,
        switches.head,
        switches.cost,
        switches.capacity_gbps,
        switches.leafs,
        switches.distance,
        by.of,
        by.distance,
        sent,
    )
    return found


def crossing(network: Network, bundle: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Twice (n_leafs, n_leafs): what of one unit between leafs crosses a bundle, by nearest ways and by Valiant's."""
    switches, by = network.switches, regions(network)
    shape = switches.start, switches.head, switches.cost, switches.capacity_gbps, switches.leafs
    tail = int(np.searchsorted(switches.start, bundle, side="right")) - 1
    goals, shares = crossing_kernels.direct_shares(*shape, switches.distance, bundle, tail)
    direct = np.zeros((len(switches.leafs),) * 2)
    direct[:, goals] = shares[:, switches.leafs].T
    return direct, crossing_kernels.valiant_shares(*shape, by.of, by.distance, bundle, tail, goals, shares)
