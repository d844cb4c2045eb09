"""Uniform all-to-all, exactly, without writing out its flows.

All flows are of one size, so the last one ends when the most loaded arc, relative to its capacity, has carried all its
bytes: on every arc the fair share of a running flow is at least what it was at the start, and the least share at the
start is that arc's. When each flow leaves or arrives over such an arc all end together. Otherwise arcs and flows are
sorted into kinds by colour refinement (arcs are of one kind when flows of the same kinds cross them, flows when they
cross arcs of the same kinds): max-min rates are equal within a kind, so the kinds are solved in place of the flows.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing import valiant
from designer.routing.ecmp import mixed
from designer.routing.legs import legs
from designer.routing.network import Network
from designer.routing.paths import Paths, single_paths, sprayed_paths
from designer.simulation import fluid, hashed, uniform_kernels
from designer.simulation.fluid import Progress
from designer.simulation.over_leafs import in_threads, summed

FEW_KINDS, MOST_KINDS = 4_000, 200_000
MOST_ROUNDS = 40
SAME = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class UniformCourse:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Hosts:
    """The members as the kernels want them: sorted by leaf."""

    members: NDArray[np.int64]
    leaf: NDArray[np.int32]
    start: NDArray[np.int64]
    index: NDArray[np.int64]
    mates: NDArray[np.int64]
    out: NDArray[np.int32]
    in_: NDArray[np.int32]


def applies(network: Network, members: NDArray[np.int64]) -> bool:
    """Whether the all-to-all of these members can be done so: one NIC each, on switches that all reach each other."""
    ends, switches = network.ends, network.switches
    joined_pairwise = (ends.domain[members] >= 0) & (ends.to_domain[members] < 0)
    if ends.n_ways > 1 or joined_pairwise.any() or (ends.leaf[members, 0] < 0).any():
        return False
    leafs = np.unique(ends.leaf[members, 0])
    if (switches.distance[leafs[0], switches.leafs[leafs]] < 0).any():
        return False
    # A NIC that GPUs share without a crossbar between them would be passed through, not left by.
    alone = ends.domain[members] < 0
    nics, counts = np.unique(ends.nic[members, 0], return_counts=True)
    return not (alone & (counts[np.searchsorted(nics, ends.nic[members, 0])] > 1)).any()


def run(
    network: Network, members: NDArray[np.int64], pair_bytes: float, routing: str, capacity: NDArray[np.float64],
    *, tolerance: float = fluid.EXACT, progress: Progress | None = None, brief: bool = False,
) -> UniformCourse:  # fmt: skip
    """The course of one flow of `pair_bytes` from every member to every other; `capacity` (n_arcs,) in bytes/s.

    With `brief` kinds of flows are not told apart: see `UniformCourse.known`.
    """
    hosts = _hosts(network, members)
    flows_on, latency_ns = _loads(network, hosts, routing)
    if progress is not None:
        progress(0.3)
    share = np.divide(capacity, flows_on, out=np.full(len(capacity), np.inf), where=flows_on > 0)
    least = float(share.min())
    at_once = _ending_together(network, hosts, share, capacity)
    if at_once is not None:
        counts, rates, busiest = at_once
        peak = np.where(flows_on > 0, rates.min() / share, 0.0)
        peak[busiest] = 1.0
        return UniformCourse(
            pair_bytes / least, latency_ns, flows_on, peak, counts, pair_bytes / rates, rates, n_solves=1
        )
    as_one = brief or routing in ("valiant", "adaptive")
    kinds = None if as_one else _by_kinds(network, hosts, pair_bytes, routing, capacity, flows_on, tolerance, progress)
    if kinds is None:
        n = len(members) * (len(members) - 1)
        peak = np.where(flows_on > 0, least / share, 0.0)
        only = np.array([least])
        kinds = UniformCourse(
            pair_bytes / least, latency_ns, flows_on, peak, np.array([n]), pair_bytes / only, only, 1, known=False
        )
    return replace(kinds, latency_ns=latency_ns)


def _hosts(network: Network, members: NDArray[np.int64]) -> _Hosts:
    ends = network.ends
    members = members[np.lexsort((ends.index[members, 0], ends.leaf[members, 0]))]
    leaf = ends.leaf[members, 0]
    start = np.searchsorted(leaf, np.arange(len(network.switches.leafs) + 1))
    out, in_ = ends.out[members, 0], ends.in_[members, 0]
    return _Hosts(members, leaf, start, ends.index[members, 0], _mates(network, members), out, in_)


def _mates(network: Network, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n_hosts, largest domain): hosts on the same crossbar, oneself first, padded with -1."""
    n, domain = len(members), network.ends.domain[members].astype(np.int64)
    domain = np.where(domain < 0, network.graph.n_vertices + np.arange(n), domain)
    order = np.argsort(domain, kind="stable")
    _, first, counts = np.unique(domain[order], return_index=True, return_counts=True)
    group = np.repeat(np.arange(len(first)), counts)
    width = int(counts.max())
    table = np.full((len(first), width), -1, dtype=np.int64)
    table[group, np.arange(n) - first[group]] = order
    mates = np.empty((n, width), dtype=np.int64)
    mates[order] = table[group]
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n) - first[group]
    mates[np.arange(n), place] = mates[:, 0]
    mates[:, 0] = np.arange(n)
    return mates


def _mate_pairs(hosts: _Hosts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every host with every other on its crossbar."""
    host, place = np.nonzero(hosts.mates[:, 1:] >= 0)
    return host, hosts.mates[host, place + 1]


def hashed_loads(
    network: Network, members: NDArray[np.int64], seed: int, progress: Progress | None = None
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc, longest latency in ns) of one flow from every member to every other under `ecmp`.

    Where `applies` says so; of very many flows the loads are drawn, see simulation.hashed.
    """
    return _loads(network, _hosts(network, members), "ecmp", seed, progress)


def _loads(
    network: Network, hosts: _Hosts, routing: str, seed: int = 0, progress: Progress | None = None
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc, longest latency of a path in ns)."""
    switches, graph, ends = network.switches, network.graph, network.ends
    n_leafs = len(switches.leafs)
    n_mates = (hosts.mates >= 0).sum(axis=1)
    longest = []
    for side in (hosts.out, hosts.in_):
        latency = np.where(side >= 0, graph.latency_ns[side], 0.0).sum(axis=1)
        by_leaf = np.zeros(n_leafs)
        np.maximum.at(by_leaf, hosts.leaf, latency)
        longest.append(by_leaf)
    if routing in ("valiant", "adaptive"):
        flows_on, latency_ns = _split_loads(network, hosts, routing, longest)
    elif routing == "ecmp":
        flows_on, latency_ns = hashed.loads(
            network, hosts.members, hosts.leaf, hosts.start, hosts.mates, longest, seed, progress
        )
    elif routing == "spray":
        on_bundle, latency_ns = summed(
            uniform_kernels.spray_loads, n_leafs, switches.start, switches.head, switches.cost, switches.capacity_gbps,
            switches.latency_ns, switches.leafs, switches.distance, switches.only, hosts.start, hosts.leaf, hosts.mates,
            longest[0], longest[1],
        )  # fmt: skip
        flows_on = np.zeros(graph.n_arcs)
        per_gbps = np.repeat(on_bundle / switches.capacity_gbps, np.diff(switches.arc_start))
        flows_on[switches.arcs] = per_gbps * graph.capacity_gbps[switches.arcs]
    else:
        flows_on, latency_ns = summed(
            uniform_kernels.destination_loads, n_leafs, switches.start, switches.head, switches.cost,
            switches.capacity_gbps, switches.arc_start, switches.arcs, graph.latency_ns, switches.leafs,
            switches.distance, switches.only, network.divisor, hosts.start, hosts.leaf, hosts.index, hosts.mates,
            longest[0], longest[1], graph.n_arcs,
        )  # fmt: skip
    away = (len(hosts.members) - n_mates).astype(np.float64)
    for side in (hosts.out, hosts.in_):
        used = side >= 0
        flows_on += sums(side[used], np.repeat(away, used.sum(axis=1)), graph.n_arcs)
    within = hosts.members[n_mates > 1]
    for arcs in (ends.to_domain[within], ends.from_domain[within]):
        flows_on += sums(arcs, (n_mates[n_mates > 1] - 1).astype(np.float64), graph.n_arcs)
    if len(within):
        inside_ns = graph.latency_ns[ends.to_domain[within]].max() + graph.latency_ns[ends.from_domain[within]].max()
        latency_ns = max(latency_ns, float(inside_ns))
    return flows_on, latency_ns


def _split_loads(
    network: Network, hosts: _Hosts, routing: str, longest: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc, longest latency) of Valiant's way, or of the one mixture with the minimal that is least loaded.

    The latency is that of two minimal ways end to end, the longest there can be.
    """
    switches, graph = network.switches, network.graph
    shape = switches.start, switches.head, switches.cost, switches.capacity_gbps
    minimal, latency_ns = summed(
        uniform_kernels.spray_loads, len(switches.leafs), *shape, switches.latency_ns, switches.leafs,
        switches.distance, switches.only, hosts.start, hosts.leaf, hosts.mates, longest[0], longest[1],
    )  # fmt: skip
    n_hosts = np.diff(hosts.start).astype(np.float64)
    sent = np.outer(n_hosts, n_hosts)
    host, place = np.nonzero(hosts.mates >= 0)
    np.subtract.at(sent, (hosts.leaf[host], hosts.leaf[hosts.mates[host, place]]), 1.0)
    on_bundle = valiant.loads(network, sent)
    if routing == "adaptive":
        share = _least_loaded_share(minimal / switches.capacity_gbps, on_bundle / switches.capacity_gbps)
        on_bundle = (1 - share) * minimal + share * on_bundle
        latency_ns *= 1 + (share > 0)
    else:
        latency_ns *= 2
    flows_on = np.zeros(graph.n_arcs)
    per_gbps = np.repeat(on_bundle / switches.capacity_gbps, np.diff(switches.arc_start))
    flows_on[switches.arcs] = per_gbps * graph.capacity_gbps[switches.arcs]
    return flows_on, latency_ns


def _least_loaded_share(direct: NDArray[np.float64], detour: NDArray[np.float64]) -> float:
    """The share of detours with the least worst use of a bundle, a convex function; the lower one where many do."""
    low, high = 0.0, 1.0
    for _ in range(60):
        third = (high - low) / 3
        a, b = low + third, high - third
        use_a = float(((1 - a) * direct + a * detour).max(initial=0.0))
        use_b = float(((1 - b) * direct + b * detour).max(initial=0.0))
        if use_a <= use_b * (1 + 1e-12):
            high = b
        else:
            low = a
    return 0.0 if low < 1e-9 else (low + high) / 2


def _ending_together(
    network: Network, hosts: _Hosts, share: NDArray[np.float64], capacity: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]] | None:
    """(counts, rates, full arcs inside servers) where all flows between servers run at one rate from start to end.

    So they do when every one of them leaves, or every one arrives, over an arc with the least share of all; and flows
    inside a server do for themselves when its GPUs are all alike and lend no NIC.
    """
    ends = network.ends
    if ends.borrowed[hosts.members].any():
        return None
    n_mates = (hosts.mates >= 0).sum(axis=1)
    n_away = len(hosts.members) - n_mates
    counts, rates, full = [], [], []
    if n_away.any():
        onto_fabric = np.concatenate([hosts.out[hosts.out >= 0], hosts.in_[hosts.in_ >= 0]])
        on_switches = share[network.switches.arcs].min(initial=np.inf)
        least = min(float(share[onto_fabric].min()), float(on_switches))
        padded = np.append(share, np.inf)
        narrow_out, narrow_in = padded[hosts.out].min(axis=1), padded[hosts.in_].min(axis=1)
        limit = least * (1 + SAME)
        if not ((narrow_out <= limit).all() or (narrow_in <= limit).all()):
            return None
        counts.append(int(n_away.sum()))
        rates.append(least)
    within = n_mates > 1
    if within.any():
        gpus = hosts.members[within]
        arcs_out, arcs_in = ends.to_domain[gpus], ends.from_domain[gpus]
        if not (capacity[arcs_out] == capacity[arcs_in]).all():
            return None
        rate = capacity[arcs_out] / (n_mates[within] - 1)
        for value in np.unique(rate):
            counts.append(int((n_mates[within] - 1)[rate == value].sum()))
            rates.append(float(value))
        full.extend([arcs_out, arcs_in])
    return np.array(counts), np.array(rates), np.concatenate(full) if full else np.empty(0, dtype=np.int64)


def _by_kinds(
    network: Network, hosts: _Hosts, pair_bytes: float, routing: str, capacity: NDArray[np.float64],
    flows_on: NDArray[np.float64], tolerance: float, progress: Progress | None,
) -> UniformCourse | None:  # fmt: skip
    sprays = routing == "spray"
    unit = _units(network, capacity, sprays)
    colour = _settled_colours(network, hosts, unit, flows_on, sprays, progress)
    kinds = _flow_kinds(network, hosts, colour, sprays)
    if kinds is None:
        return None
    counts, src, dst = kinds
    colours, kind_of_arc, n_like = np.unique(colour, return_inverse=True, return_counts=True)
    first_like = np.zeros(len(colours), dtype=np.int64)
    first_like[kind_of_arc[::-1]] = np.arange(len(colour))[::-1]
    paths = _paths(network, src, dst, routing)
    row = np.repeat(np.arange(len(counts)), np.diff(paths.start))
    # Each flow of a kind puts this much on arcs of a colour, and these share it evenly.
    weights = paths.weights * unit[paths.arcs] / np.where(np.isfinite(capacity[paths.arcs]), capacity[paths.arcs], 1.0)
    weights[~np.isfinite(capacity[paths.arcs])] = paths.weights[~np.isfinite(capacity[paths.arcs])]
    cell, of_entry = np.unique(row * len(colours) + kind_of_arc[paths.arcs], return_inverse=True)
    rows, columns = cell // len(colours), cell % len(colours)
    weight = sums(of_entry, weights, len(cell)) * counts[rows] / n_like[columns]
    start = np.searchsorted(rows, np.arange(len(counts) + 1))
    course = fluid.run(
        start, columns.astype(np.int32), weight, unit[first_like], np.full(len(counts), pair_bytes),
        tolerance=tolerance, progress=progress,
    )  # fmt: skip
    peak = course.peak[kind_of_arc]
    if sprays:
        switches = network.switches
        peak[switches.arcs] = np.repeat(peak[switches.arcs[switches.arc_start[:-1]]], np.diff(switches.arc_start))
    return UniformCourse(
        float(course.finish_s.max()), 0.0, flows_on, peak, counts, course.finish_s, course.first_rate, course.n_solves
    )


def _paths(network: Network, src: NDArray[np.int64], dst: NDArray[np.int64], routing: str) -> Paths:
    nothing = np.zeros(len(src))
    found = legs(network, src, dst, None)
    if routing == "spray":
        return sprayed_paths(network, found, nothing, thin=False)
    return single_paths(network, found, nothing, 0, np.zeros(len(found.flow), dtype=np.uint64))


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


def _settled_colours(
    network: Network, hosts: _Hosts, unit: NDArray[np.float64], flows_on: NDArray[np.float64], sprays: bool,
    progress: Progress | None,
) -> NDArray[np.uint64]:  # fmt: skip
    """(n_arcs,) colours that one more round of refinement would not split."""
    ends = network.ends
    # Arcs of unlike loads would part in the first round anyway.
    loads = np.round(flows_on, 6) + 0.0
    colour = mixed(unit.view(np.uint64) ^ mixed(loads.view(np.uint64)))
    n_colours = len(np.unique(colour))
    mate_a, mate_b = _mate_pairs(hosts)
    to_mate, from_mate = ends.to_domain[hosts.members[mate_a]], ends.from_domain[hosts.members[mate_b]]
    for round_ in range(MOST_ROUNDS):
        classes = _classes(hosts, colour)
        seen_by, sent_by, taken_by = _seen(network, hosts, classes, colour, sprays)
        for side, amount in ((hosts.out, sent_by), (hosts.in_, taken_by)):
            used = side >= 0
            np.add.at(seen_by, side[used], np.repeat(amount, used.sum(axis=1)))
        inside = mixed(mixed(colour[to_mate]) + mixed(colour[from_mate]))
        np.add.at(seen_by, to_mate, inside)
        np.add.at(seen_by, from_mate, inside)
        colour = mixed(colour ^ mixed(seen_by))
        now = len(np.unique(colour))
        if progress is not None:
            progress(0.3 + 0.5 * (round_ + 1) / MOST_ROUNDS)
        if now == n_colours:
            break
        n_colours = now
    return colour


def _seen(
    network: Network, hosts: _Hosts, classes: "_Classes", colour: NDArray[np.uint64], sprays: bool
) -> list[NDArray[np.uint64]]:
    """What fabric arcs (n_arcs,) see of the flows, and what hosts (n_hosts,) send and take."""
    switches = network.switches
    tint = _tint(network, colour, sprays)

    def piece(first_leaf: int, last_leaf: int) -> list[NDArray[np.uint64]]:
        seen = [np.zeros(n, dtype=np.uint64) for n in (len(tint), len(hosts.leaf), len(hosts.leaf))]
        uniform_kernels.refine(
            first_leaf, last_leaf, sprays, switches.start, switches.head, switches.cost, switches.capacity_gbps,
            switches.arc_start, switches.arcs, switches.leafs, switches.distance, switches.only, network.divisor,
            hosts.start, hosts.leaf, hosts.index, hosts.mates, classes.of, classes.leaf, classes.size,
            classes.price_out, classes.price_in, tint, *seen,
        )  # fmt: skip
        return seen

    seen_by, *by_host = (np.sum(parts, axis=0) for parts in zip(*in_threads(piece, len(switches.leafs)), strict=True))
    if sprays:
        on_arcs = np.zeros(len(colour), dtype=np.uint64)
        on_arcs[switches.arcs[switches.arc_start[:-1]]] = seen_by
        seen_by = on_arcs
    return [seen_by, *by_host]


def _tint(network: Network, colour: NDArray[np.uint64], sprays: bool) -> NDArray[np.uint64]:
    """What stands for the colours in sums along a path: of each arc, or for spray of each bundle by its first arc."""
    switches = network.switches
    return mixed(colour[switches.arcs[switches.arc_start[:-1]]] if sprays else colour)


@dataclass(frozen=True, slots=True, eq=False)
class _Classes:
    """Hosts that set out alike: of one leaf, over arcs of the same colours."""

    of: NDArray[np.int64]
    leaf: NDArray[np.int32]
    size: NDArray[np.int64]
    start: NDArray[np.int64]
    hosts: NDArray[np.int64]
    price_out: NDArray[np.uint64]
    price_in: NDArray[np.uint64]


def _classes(hosts: _Hosts, colour: NDArray[np.uint64]) -> _Classes:
    price_out, price_in = (
        np.where(side >= 0, mixed(colour[side]), np.uint64(0)).sum(axis=1, dtype=np.uint64)
        for side in (hosts.out, hosts.in_)
    )
    key = mixed(price_out ^ mixed(hosts.leaf.astype(np.uint64)))
    _, first, of, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    members = np.argsort(of, kind="stable")
    start = np.concatenate([[0], np.cumsum(size)])
    return _Classes(of, hosts.leaf[first], size, start, members, price_out[first], price_in)


def _flow_kinds(
    network: Network, hosts: _Hosts, colour: NDArray[np.uint64], sprays: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] | None:
    """(counts, sources, destinations): each kind of flow by one of its own. None where there are too many."""
    switches, ends = network.switches, network.ends
    classes = _classes(hosts, colour)
    most, tint = FEW_KINDS, _tint(network, colour, sprays)

    def piece(first_leaf: int, last_leaf: int) -> tuple[int, Any, Any, Any, Any]:
        return uniform_kernels.flow_classes(
            first_leaf, last_leaf, sprays, switches.start, switches.head, switches.cost, switches.capacity_gbps,
            switches.arc_start, switches.arcs, switches.leafs, switches.distance, switches.only, network.divisor,
            hosts.start, hosts.leaf, hosts.index, hosts.mates, classes.of, classes.leaf, classes.size, classes.start,
            classes.hosts, classes.price_out, classes.price_in, tint, most,
        )  # fmt: skip

    for most in (FEW_KINDS, MOST_KINDS):  # few are found in a table that takes no time to make
        found = in_threads(piece, len(switches.leafs))
        if all(part[0] <= most for part in found):
            break
    if any(part[0] > MOST_KINDS for part in found):
        return None
    keys, counts, src, dst = (np.concatenate(parts) for parts in list(zip(*found, strict=True))[1:])
    _, first, of = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) > MOST_KINDS:
        return None
    counts, src, dst = sums(of, counts.astype(np.float64), len(first)).astype(np.int64), src[first], dst[first]
    src, dst = hosts.members[src], hosts.members[dst]
    mate_a, mate_b = _mate_pairs(hosts)
    if len(mate_a):
        a, b = hosts.members[mate_a], hosts.members[mate_b]
        key = mixed(colour[ends.to_domain[a]]) + mixed(colour[ends.from_domain[b]])
        _, first, inside = np.unique(key, return_index=True, return_counts=True)
        counts = np.concatenate([counts, inside])
        src, dst = np.concatenate([src, a[first]]), np.concatenate([dst, b[first]])
    return counts, src, dst
