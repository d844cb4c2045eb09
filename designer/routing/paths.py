"""What routing hands to the simulation: the arcs of every flow, each with the share of the flow it carries."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.graph.threads import in_threads
from designer.routing import kernels
from designer.routing.kernels import Choice
from designer.routing.legs import Legs
from designer.routing.network import Network
from designer.routing.transport_kernels import Mixed, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Flow x arc weights in compressed rows.

    Sprayed flows load many arcs in proportion. Of arcs that all flows use in the same proportion only one is in the
    rows; `stands_for` names it for each of them (and an arc itself otherwise), `bytes_on` has them all.
    """

    start: NDArray[np.int64]  # (n_flows + 1,)
    arcs: NDArray[np.int32]
    weights: NDArray[np.float64]
    latency_ns: NDArray[np.float64]  # (n_flows,) of the path; mean over the paths of a sprayed flow
    bytes_on: NDArray[np.float64]  # (n_arcs,)
    stands_for: NDArray[np.int32]  # (n_arcs,)

    @property
    def rows(self) -> Rows:
        """The rows, as kernels take them."""
        return Rows(self.start, self.arcs, self.weights)

    @property
    def n_flows(self) -> int:
        """How many flows have a row."""
        return len(self.latency_ns)


WORTH_A_THREAD = 500_000
# Entries of rows.
_NOTHING = np.zeros(0, dtype=np.uint64)
BY_DESTINATION = Choice(kernels.DESTINATION, _NOTHING, _NOTHING, _NOTHING, 64, False)
"""Hops are chosen by the number of the destination."""


def single_paths(network: Network, legs: Legs, size_bytes: NDArray[np.float64], choice: Choice) -> Paths:
    """Paths where each leg takes one way only."""
    leg_start, arcs = kernels.single_paths(network.fabric, network.switches.far, legs.arrays, choice)
    return of_single_ways(network, legs, size_bytes, leg_start, arcs)


def of_single_ways(
    network: Network,
    legs: Legs,
    size_bytes: NDArray[np.float64],
    leg_start: NDArray[np.int64],
    arcs: NDArray[np.int32],
) -> Paths:
    """Paths of legs that each take the arcs from `leg_start` (n_legs + 1,) on."""
    return of_legs(network, legs, size_bytes, Rows(leg_start, arcs, np.repeat(legs.share, np.diff(leg_start))))


def of_legs(network: Network, legs: Legs, size_bytes: NDArray[np.float64], rows: Rows) -> Paths:
    """Paths of legs that put these shares of their flows on these arcs."""
    graph, (leg_start, arcs, weights) = network.graph, rows
    flow = np.repeat(legs.flow, np.diff(leg_start))
    latency_ns = sums(flow, weights * graph.latency_ns[arcs], legs.n_flows)
    bytes_on = sums(arcs, weights * size_bytes[flow], graph.n_arcs)
    by_flow = Rows(leg_start[_first_legs(legs)], arcs, weights)
    if len(legs.flow) > legs.n_flows:  # legs of a flow meet where they share NICs or leafs
        by_flow = kernels.merged(by_flow, graph.n_arcs)
    return Paths(*by_flow, latency_ns, bytes_on, np.arange(graph.n_arcs, dtype=np.int32))


def _first_legs(legs: Legs) -> NDArray[np.int64]:
    """(n_flows + 1,) first leg of each flow."""
    return np.concatenate([[0], np.cumsum(np.bincount(legs.flow, minlength=legs.n_flows))]).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Commodities:
    """Legs between the same two leafs, which are split over the same ways in the same shares."""

    of_leg: NDArray[np.int64]  # (n_legs,) -1 where a leg crosses no link between switches
    from_leaf: NDArray[np.int32]
    to_leaf: NDArray[np.int32]

    @property
    def count(self) -> int:
        """How many pairs of leaf switches there are."""
        return len(self.to_leaf)


def commodities(network: Network, legs: Legs) -> Commodities:
    """The commodities of legs, sorted by the leaf they go to."""
    n_leafs = len(network.switches.leafs)
    crosses = (legs.from_leaf >= 0) & (legs.from_leaf != legs.to_leaf)
    pair = legs.to_leaf[crosses].astype(np.int64) * n_leafs + legs.from_leaf[crosses]
    pairs, number = np.unique(pair, return_inverse=True)
    of_leg = np.full(len(crosses), -1, dtype=np.int64)
    of_leg[crosses] = number
    n_leafs = max(n_leafs, 1)
    return Commodities(of_leg, (pairs % n_leafs).astype(np.int32), (pairs // n_leafs).astype(np.int32))


def sprayed_paths(network: Network, legs: Legs, size_bytes: NDArray[np.float64], *, thin: bool = True) -> Paths:
    """Paths where each leg is split over all shortest ways between its leafs.

    A bundle's first arc stands for all its arcs; with `thin`, one bundle also for all that are used in proportion.
    """
    switches = network.switches
    sets = commodities(network, legs)
    crosses = sets.of_leg >= 0
    moved = sums(sets.of_leg[crosses], (legs.share * size_bytes[legs.flow])[crosses], sets.count)
    bundles, goals, _ = network.fabric
    pairs = sets.from_leaf, sets.to_leaf
    bundle_bytes, marks, latency_ns = kernels.spray_loads(
        bundles, switches.latency_ns, goals, *pairs, moved, _marks_of(sets.count)
    )
    like = _alike(marks.T / switches.capacity_gbps[:, None]) if thin else np.arange(len(switches.head), dtype=np.int32)
    rows = kernels.spray_rows(bundles, goals, *pairs, like)
    return paths_over_rows(network, legs, size_bytes, sets, unmixed(rows), bundle_bytes, latency_ns, like)


def unmixed(rows: Rows) -> Mixed:
    """Commodities that all go by these rows."""
    return Mixed(rows, rows, np.zeros(len(rows.start) - 1))


def paths_over_rows(
    network: Network,
    legs: Legs,
    size_bytes: NDArray[np.float64],
    sets: Commodities,
    mixed: Mixed,
    bundle_bytes: NDArray[np.float64],
    latency_ns: NDArray[np.float64],
    like: NDArray[np.int32],
) -> Paths:
    """Paths from what one unit of each commodity puts on bundles, by both kinds of ways in its shares.

    `latency_ns` is by commodity, `like` (n_bundles,) the bundle that stands for each.
    """
    switches, graph = network.switches, network.graph
    first_arc = switches.arcs[switches.arc_start[:-1]]
    first_share = graph.capacity_gbps[first_arc] / switches.capacity_gbps
    by_leg = _assembled(legs, sets, mixed, first_arc, first_share)
    bytes_on = np.zeros(graph.n_arcs)
    n_parallel = np.diff(switches.arc_start)
    per_gbps = np.repeat(bundle_bytes / switches.capacity_gbps, n_parallel)
    bytes_on[switches.arcs] = per_gbps * graph.capacity_gbps[switches.arcs]
    crosses = sets.of_leg >= 0
    of_leg = sets.of_leg[crosses]
    flow_latency_ns = sums(legs.flow[crosses], legs.share[crosses] * latency_ns[of_leg], legs.n_flows)
    for side in (legs.out, legs.in_):
        used = side >= 0
        counts = used.sum(axis=1)
        share, flow = np.repeat(legs.share, counts), np.repeat(legs.flow, counts)
        bytes_on += sums(side[used], share * size_bytes[flow], graph.n_arcs)
        flow_latency_ns += sums(flow, share * graph.latency_ns[side[used]], legs.n_flows)
    stands_for = np.arange(graph.n_arcs, dtype=np.int32)
    stands_for[switches.arcs] = np.repeat(first_arc[like], n_parallel)
    by_flow = Rows(by_leg.start[_first_legs(legs)], by_leg.items, by_leg.weights)
    if len(legs.flow) > legs.n_flows:  # legs of a flow meet where they share NICs or leafs
        by_flow = kernels.merged(by_flow, graph.n_arcs)
    return Paths(*by_flow, flow_latency_ns, bytes_on, stands_for)


def _assembled(
    legs: Legs, sets: Commodities, mixed: Mixed, first_arc: NDArray[np.int32], first_share: NDArray[np.float64]
) -> Rows:
    """By leg: arcs out, the bundles of its commodity, arcs in."""
    n_entries, n_legs = len(mixed.direct.items) + len(mixed.detour.items), len(legs.flow)

    def lengths(first: int, last: int) -> NDArray[np.int64]:
        return kernels.mixed_lengths(mixed, first, last, len(first_arc))

    def piece(first: int, last: int) -> None:
        kernels.assemble(legs.arrays, (first, last), sets.of_leg, mixed, first_arc, first_share, found)

    used = in_threads(lengths, sets.count, max(1, sets.count * WORTH_A_THREAD // max(1, n_entries)))
    start = kernels.leg_starts(legs.arrays, sets.of_leg, np.concatenate(used))
    found = Rows(start, np.empty(start[-1], dtype=np.int32), np.empty(start[-1]))
    in_threads(piece, n_legs, max(1, n_legs * WORTH_A_THREAD // max(1, len(found.items))))
    return found


def _marks_of(count: int) -> NDArray[np.float64]:
    """(count, 2) fixed random numbers: a bundle's sum of these tells which commodities use it in which shares."""
    return np.random.default_rng(20240607).uniform(0.5, 1.5, (count, 2))


ALIKE = 1e-9


def _alike(marks: NDArray[np.float64]) -> NDArray[np.int32]:
    """(n_bundles,) the first bundle with the same pair of marks up to rounding."""
    like = np.arange(len(marks), dtype=np.int32)
    order = np.lexsort((np.arange(len(marks)), marks[:, 0]))
    ahead, behind = marks[order[1:]], marks[order[:-1]]
    differs = (np.abs(ahead - behind) > ALIKE * np.abs(ahead)).any(axis=1)
    runs = np.concatenate([[0], np.cumsum(differs)])
    if len(marks):
        lowest = np.full(int(runs[-1]) + 1, len(marks), dtype=np.int32)
        np.minimum.at(lowest, runs, order.astype(np.int32))
        like[order] = lowest[runs]
    return like
