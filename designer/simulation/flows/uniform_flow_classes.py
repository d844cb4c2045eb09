"""Flows of a uniform all-to-all sorted into kinds by color refinement, and the kinds solved in place of the flows.

Arcs are of one kind when flows of the same kinds cross them, flows when they cross arcs of the same kinds: max-min
rates are equal within a kind.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing.hashes import mixed
from designer.routing.legs import legs
from designer.routing.network import Network
from designer.routing.paths import BY_DESTINATION, Paths, single_paths, sprayed_paths
from designer.routing.policies import Uniform
from designer.simulation.flows import fluid
from designer.simulation.flows.fluid import Progress
from designer.simulation.flows.over_leafs import in_threads
from designer.simulation.flows.surveys import SprayedSurveyor, Survey, Surveyor, TableSurveyor, prices
from designer.simulation.flows.uniform_hosts import Hosts, mate_pairs

FEW_KINDS, MOST_KINDS = 4_000, 200_000
PART_LOOKED_AT = 8
MOST_ROUNDS = 40


@dataclass(frozen=True, slots=True, eq=False)
class UniformPhaseResult:
    """What became of an all-to-all, flows in kinds: `finish_s` and `first_rate` (bytes/s) of each kind, its `counts`.

    `known` is False where there were too many kinds to tell them apart: then only `end_s`, the bytes and the least
    rate are exact, and `peak` is a lower bound.
    """

    end_s: float
    latency_ns: float
    flows_on: NDArray[np.float64]  # (n_arcs,) flows, in whole flows' worth
    peak: NDArray[np.float64]  # (n_arcs,)
    counts: NDArray[np.int64]
    finish_s: NDArray[np.float64]
    first_rate: NDArray[np.float64]
    n_solves: int
    known: bool = True


def by_kinds(
    network: Network,
    hosts: Hosts,
    pair_bytes: float,
    way: Uniform,
    capacity: NDArray[np.float64],
    flows_on: NDArray[np.float64],
    tolerance: float,
    progress: Progress | None,
) -> UniformPhaseResult | None:
    """The phase result of an all-to-all, its flows solved as kinds; None where there are too many kinds.

    `capacity` (n_arcs,) is in bytes/s; `flows_on` (n_arcs,) counts the flows on each arc. The latency is left at 0 for
    the caller to fill in. `progress` may raise Cancelled.
    """
    sprays = way.sprays
    unit = _units(network, capacity, sprays)
    # Arcs of unlike loads would part in the first round anyway.
    loads = np.round(flows_on, 6) + 0.0
    colour = mixed(unit.view(np.uint64) ^ mixed(loads.view(np.uint64)))
    surveyor = SprayedSurveyor(network, hosts, colour) if sprays else TableSurveyor(network, hosts)
    settled = _settled(network, hosts, surveyor, colour, progress)
    kinds = _flow_kinds(network, hosts, surveyor, *settled) if settled is not None else None
    if settled is None or kinds is None:
        return None
    colour, (counts, src, dst) = settled[0], kinds
    colours, kind_of_arc, n_like = np.unique(colour, return_inverse=True, return_counts=True)
    first_like = np.zeros(len(colours), dtype=np.int64)
    first_like[kind_of_arc[::-1]] = np.arange(len(colour))[::-1]
    paths = _paths(network, src, dst, sprays)
    row = np.repeat(np.arange(len(counts)), np.diff(paths.start))
    # Each flow of a kind puts this much on arcs of a color, and these share it evenly.
    weights = paths.weights * unit[paths.arcs] / np.where(np.isfinite(capacity[paths.arcs]), capacity[paths.arcs], 1.0)
    weights[~np.isfinite(capacity[paths.arcs])] = paths.weights[~np.isfinite(capacity[paths.arcs])]
    cell, of_entry = np.unique(row * len(colours) + kind_of_arc[paths.arcs], return_inverse=True)
    rows, columns = cell // len(colours), cell % len(colours)
    weight = sums(of_entry, weights, len(cell)) * counts[rows] / n_like[columns]
    start = np.searchsorted(rows, np.arange(len(counts) + 1))
    phase_result = fluid.run(
        start,
        columns.astype(np.int32),
        weight,
        unit[first_like],
        np.full(len(counts), pair_bytes),
        tolerance=tolerance,
        progress=progress,
    )
    peak = phase_result.peak[kind_of_arc]
    if sprays:
        switches = network.switches
        peak[switches.arcs] = np.repeat(peak[switches.arcs[switches.arc_start[:-1]]], np.diff(switches.arc_start))
    return UniformPhaseResult(
        float(phase_result.finish_s.max()),
        0.0,
        flows_on,
        peak,
        counts,
        phase_result.finish_s,
        phase_result.first_rate,
        phase_result.n_solves,
    )


def _paths(network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], sprays: bool) -> Paths:
    nothing = np.zeros(len(src))
    found = legs(network, src, dst, None)
    if sprays:
        return sprayed_paths(network, found, nothing, thin=False)
    return single_paths(network, found, nothing, BY_DESTINATION)


def _units(network: Network, capacity: NDArray[np.float64], sprays: bool) -> NDArray[np.float64]:
    """(n_arcs,) what counts as one place with a capacity: an arc, or for spray a bundle, by its first arc."""
    if not sprays:
        return capacity
    switches, unit = network.switches, capacity.copy()
    unit[switches.arcs] = 0.0
    starts = switches.arc_start[:-1]
    if len(starts):
        unit[switches.arcs[starts]] = np.add.reduceat(capacity[switches.arcs], starts)
    return unit


def _settled(
    network: Network, hosts: Hosts, surveyor: Surveyor, colour: NDArray[np.uint64], progress: Progress | None
) -> tuple[NDArray[np.uint64], list[Survey] | None] | None:
    """((n_arcs,) colors that one more round of refinement would not split, what the last round saw of them).

    None where there are too many kinds.
    """
    ends = network.ends
    n_colours = len(np.unique(colour))
    mate_a, mate_b = mate_pairs(hosts)
    to_mate, from_mate = ends.to_domain[hosts.members[mate_a]], ends.from_domain[hosts.members[mate_b]]
    for round_ in range(MOST_ROUNDS):
        if _too_many(hosts, surveyor, colour):
            return None
        surveys = in_threads(surveyor.looks(colour, most=surveyor.few_kinds, sees=True), surveyor.n_goals)
        seen_by, sent_by, taken_by = surveyor.seen(surveys, len(colour))
        for side, amount in ((hosts.out, sent_by), (hosts.in_, taken_by)):
            used = side >= 0
            np.add.at(seen_by, side[used], np.repeat(amount, used.sum(axis=1)))
        inside = mixed(mixed(colour[to_mate]) + mixed(colour[from_mate]))
        np.add.at(seen_by, to_mate, inside)
        np.add.at(seen_by, from_mate, inside)
        before, colour = colour, mixed(colour ^ mixed(seen_by))
        now = len(np.unique(colour))
        if progress is not None:
            progress(0.3 + 0.5 * (round_ + 1) / MOST_ROUNDS)
        if now == n_colours:
            return before, surveys if surveyor.few_kinds else None
        n_colours = now
    return colour, None


def _too_many(hosts: Hosts, surveyor: Surveyor, colour: NDArray[np.uint64]) -> bool:
    """Whether flows to a part of the leafs are of too many kinds already; refining makes them more."""
    n_pairs = 1
    for price in prices(hosts, colour):
        n_pairs *= len(np.unique(price))
    if n_pairs <= MOST_KINDS:
        return False
    most = MOST_KINDS + _never_sent(hosts)
    return surveyor.looks(colour, most=most)(0, surveyor.n_goals // PART_LOOKED_AT + 1).n_kinds > most


def _never_sent(hosts: Hosts) -> int:
    """At most so many kinds that a sorter counts are of no flow: those inside a server do not cross the fabric."""
    return int(np.count_nonzero(hosts.mates >= 0))


def _flow_kinds(
    network: Network, hosts: Hosts, surveyor: Surveyor, colour: NDArray[np.uint64], surveys: list[Survey] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """(counts, sources, destinations): each kind of flow by one of its own. None where there are too many.

    `surveys` are of these colors, with up to the surveyor's few kinds each, where they are at hand.
    """
    ends, found = network.ends, surveys
    for most in (FEW_KINDS, MOST_KINDS + _never_sent(hosts)):  # a table for few takes no time to make
        if found is None:
            found = in_threads(surveyor.looks(colour, most=most), surveyor.n_goals)
        if all(part.n_kinds <= most for part in found):
            break
        found = None
    if found is None:
        return None
    keys, counts, src, dst = (np.concatenate(parts) for parts in zip(*(part.kinds for part in found), strict=True))
    _, first, of = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) > MOST_KINDS:
        return None
    counts, src, dst = sums(of, counts.astype(np.float64), len(first)).astype(np.int64), src[first], dst[first]
    src, dst = hosts.members[src], hosts.members[dst]
    mate_a, mate_b = mate_pairs(hosts)
    if len(mate_a):
        a, b = hosts.members[mate_a], hosts.members[mate_b]
        key = mixed(colour[ends.to_domain[a]]) + mixed(colour[ends.from_domain[b]])
        _, first, inside = np.unique(key, return_index=True, return_counts=True)
        counts = np.concatenate([counts, inside])
        src, dst = np.concatenate([src, a[first]]), np.concatenate([dst, b[first]])
    return counts, src, dst
