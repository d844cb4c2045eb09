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
from designer.routing.given import SPLIT
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, Paths, commodities, paths_over_rows, unmixed
from designer.routing.planes import plane_pick
from designer.routing.regions import regions
from designer.routing.transport_kernels import Mixed, Rows
from designer.routing.valiant_kernels import Parts

ROOM = 4_000_000
"""Entries of ways to regions that are remembered at a time: 48 MB."""
WORTH_A_THREAD = 1_000
SAMPLE, MARGIN = 16, 1.1
# Of very many commodities so many are looked at first, to see how long rows are.


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
    return paths_along(network, found, size_bytes, sets, unmixed(rows_of(network, sets)))


def detoured(
    _network: Network, _legs: Legs, _size_bytes: NDArray[np.float64], sets: Commodities
) -> NDArray[np.float64]:
    """(n_commodities,) ones: all goes by a third region, where there is one."""
    return np.ones(sets.count)


def rows_of(network: Network, sets: Commodities) -> Rows:
    """What one unit of each commodity puts on which bundles."""
    bundles, goals, _ = network.fabric
    areas = regions(network).arrays

    def found(of: slice, room: Parts) -> Rows:
        pairs = sets.from_leaf[of].copy(), sets.to_leaf[of].copy()
        return valiant_kernels.rows(bundles, goals, areas, *pairs, ROOM, room)

    length = 64.0
    if sets.count > WORTH_A_THREAD:
        sample = found(slice(None, None, sets.count // SAMPLE), _room(64 * SAMPLE))
        length = MARGIN * len(sample.items) / (len(sample.start) - 1)
    # One room for all: in large pages of memory, which those that kernels make for themselves do not come in.
    room = _room(int(length * sets.count) + 64)

    def piece(first: int, last: int) -> Rows:
        mine = slice(int(length * first), int(length * last) + (64 if last == sets.count else 0))
        return found(slice(first, last), Parts(room.items[mine], room.shares[mine]))

    return _joined(room, in_threads(piece, sets.count, WORTH_A_THREAD))


def _room(n_entries: int) -> Parts:
    return Parts(np.empty(n_entries, dtype=np.int32), np.empty(n_entries))


def _joined(room: Parts, parts: list[Rows]) -> Rows:
    """All rows, in that order: moved together where all had enough room."""
    start = np.concatenate([[0], *(np.diff(part.start) for part in parts)]).cumsum()
    if not all(np.may_share_memory(part.items, room.items) for part in parts):
        return Rows(
            start, np.concatenate([part.items for part in parts]), np.concatenate([part.weights for part in parts])
        )
    at = 0
    for part in parts:
        valiant_kernels.move(Parts(part.items, part.weights), room, at)
        at += len(part.items)
    return Rows(start, room.items[:at], room.shares[:at])


def paths_along(
    network: Network, found: Legs, size_bytes: NDArray[np.float64], sets: Commodities, mixed: Mixed
) -> Paths:
    """Paths over rows of bundles, with the loads and latencies that follow from them."""
    switches, share = network.switches, mixed.share
    crosses = sets.of_leg >= 0
    moved = sums(sets.of_leg[crosses], (found.share * size_bytes[found.flow])[crosses], sets.count)
    bundle_bytes, latency_ns = kernels.row_sums(mixed.direct, moved * (1.0 - share), switches.latency_ns)
    if share.any():
        more_bytes, detour_ns = kernels.row_sums(mixed.detour, moved * share, switches.latency_ns)
        bundle_bytes += more_bytes
        latency_ns += share * (detour_ns - latency_ns)
    like = np.arange(len(switches.head), dtype=np.int32)
    return paths_over_rows(network, found, size_bytes, sets, mixed, bundle_bytes, latency_ns, like)


def loads(network: Network, sent: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_bundles,) what crosses each bundle where `sent` (n_leafs, n_leafs) goes from leaf to leaf."""
    bundles, goals, _ = network.fabric
    return valiant_kernels.loads(bundles, goals, regions(network).arrays, sent)


def crossing(network: Network, bundle: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Twice (n_leafs, n_leafs): what of one unit between leafs crosses a bundle, by nearest ways and by Valiant's."""
    switches, (bundles, goals, _) = network.switches, network.fabric
    tail = int(np.searchsorted(switches.start, bundle, side="right")) - 1
    crossed, shares = crossing_kernels.direct_shares(bundles, goals, bundle, tail)
    direct = np.zeros((len(switches.leafs),) * 2)
    direct[:, crossed] = shares[:, switches.leafs].T
    areas = regions(network).arrays
    return direct, crossing_kernels.valiant_shares(bundles, switches.leafs, areas, bundle, tail, crossed, shares)
