"""Uniform all-to-all, exactly, without writing out its flows.

All flows are of one size, so the last one ends when the most loaded arc, relative to its capacity, has carried all its
bytes: on every arc the fair share of a running flow is at least what it was at the start, and the least share at the
start is that arc's. When each flow leaves or arrives over such an arc all end together; otherwise see uniform_kinds.
"""

from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError
from designer.graph.sums import sums
from designer.routing import valiant
from designer.routing.hashes import mixed
from designer.routing.network import Network
from designer.routing.policies import Uniform
from designer.routing.tables import following
from designer.simulation.flows import fluid, hashed, sprayed_kernels, uniform_kernels
from designer.simulation.flows.fluid import Progress
from designer.simulation.flows.folding import folded
from designer.simulation.flows.over_leafs import in_threads, summed
from designer.simulation.flows.table_kernels import table_loads
from designer.simulation.flows.uniform_flow_classes import UniformPhaseResult, by_kinds
from designer.simulation.flows.uniform_hosts import Hosts, applies, hosts_of

__all__ = ["UniformPhaseResult", "applies", "hashed_loads", "run"]

SAME = 1e-9


def run(
    network: Network,
    members: NDArray[np.int64],
    pair_bytes: float,
    way: Uniform,
    capacity: NDArray[np.float64],
    *,
    tolerance: float = fluid.EXACT,
    progress: Progress | None = None,
    brief: bool = False,
) -> UniformPhaseResult:
    """The course of one flow of `pair_bytes` from every member to every other; `capacity` (n_arcs,) in bytes/s.

    With `brief` kinds of flows are not distinguished: see `UniformPhaseResult.known`.
    """
    hosts = hosts_of(network, members)
    flows_on, latency_ns = _with_ends(network, hosts, *between_switches(network, hosts, way))
    if progress is not None:
        progress(0.3)
    share = np.divide(capacity, flows_on, out=np.full(len(capacity), np.inf), where=flows_on > 0)
    least = float(share.min())
    at_once = ending_together(network, hosts, share, capacity)
    if at_once is not None:
        counts, rates, busiest = at_once
        peak = np.where(flows_on > 0, rates.min() / share, 0.0)
        peak[busiest] = 1.0
        return UniformPhaseResult(
            pair_bytes / least, latency_ns, flows_on, peak, counts, pair_bytes / rates, rates, n_solves=1
        )
    as_one = brief or way.detours or way.given
    kinds = None if as_one else by_kinds(network, hosts, pair_bytes, way, capacity, flows_on, tolerance, progress)
    if kinds is None:
        n = len(members) * (len(members) - 1)
        peak = np.where(flows_on > 0, least / share, 0.0)
        only = np.array([least])
        kinds = UniformPhaseResult(
            pair_bytes / least, latency_ns, flows_on, peak, np.array([n]), pair_bytes / only, only, 1, known=False
        )
    return replace(kinds, latency_ns=latency_ns)


def hashed_loads(
    network: Network,
    members: NDArray[np.int64],
    seed: int,
    progress: Progress | None = None,
    n_pieces: float | None = None,
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc, longest latency in ns) of one flow from every member to every other under `ecmp`.

    Where `applies` says so; of very many flows, and of flows in pieces, the loads are drawn, see simulation.hashed.
    """
    hosts = hosts_of(network, members)
    return _with_ends(network, hosts, *hashed.loads(network, hosts, seed, progress, n_pieces))


def between_switches(network: Network, hosts: Hosts, way: Uniform) -> tuple[NDArray[np.float64], float]:
    """(flows by arc, longest latency of a path in ns), without the arcs of GPUs and NICs."""
    if way.given:
        return by_tables(network, hosts)
    if way.detours:
        return _on_arcs(network, *_split_loads(network, hosts, by_load=way.by_load))
    if way.sprays:
        return _on_arcs(network, *_sprayed(network, hosts))
    return summed(
        uniform_kernels.destination_loads,
        len(network.switches.leafs),
        network.fabric,
        network.graph.latency_ns,
        hosts.arrays(network),
    )


def by_tables(network: Network, hosts: Hosts) -> tuple[NDArray[np.float64], float]:
    """(flows by arc between switches, longest latency) under forwarding tables. GraphError where one is stuck."""
    forwarding, leafs = following.forwarding_of(network), network.switches.leafs
    lasts = hosts.in_[np.arange(len(hosts.members)), (hosts.in_ >= 0).argmax(axis=1)]
    loads, longest = summed(
        table_loads,
        len(leafs),
        following.arrays_of(forwarding),
        leafs,
        network.graph.latency_ns,
        hosts.arrays(network),
        lasts,
    )
    if np.isinf(longest):
        _refuse_stuck(network, hosts)
    return loads, longest


def _refuse_stuck(network: Network, hosts: Hosts) -> NoReturn:
    """Raises the GraphError of the first flow that does not arrive."""
    members = np.sort(hosts.members)
    for src in members:
        dst = members[members != src]
        none = np.zeros(len(dst))
        following.route(network, np.full(len(dst), src), dst, none, none.astype(np.int64), 0)
    raise GraphError("a flow does not arrive under these forwarding tables")  # pragma: no cover


def _on_arcs(network: Network, on_bundle: NDArray[np.float64], latency_ns: float) -> tuple[NDArray[np.float64], float]:
    """What bundles carry, shared over their arcs by capacity."""
    switches, capacity_gbps = network.switches, network.graph.capacity_gbps
    flows_on = np.zeros(network.graph.n_arcs)
    per_gbps = np.repeat(on_bundle / switches.capacity_gbps, np.diff(switches.arc_start))
    flows_on[switches.arcs] = per_gbps * capacity_gbps[switches.arcs]
    return flows_on, latency_ns


def _with_ends(
    network: Network, hosts: Hosts, flows_on: NDArray[np.float64], latency_ns: float
) -> tuple[NDArray[np.float64], float]:
    """The same with the arcs of GPUs and NICs."""
    flows_on += on_nics(network, hosts)
    inside, inside_ns = in_domains(network, hosts)
    return flows_on + inside, max(latency_ns, inside_ns)


def on_nics(network: Network, hosts: Hosts) -> NDArray[np.float64]:
    """(n_arcs,) flows to hosts that are no mates, on the arcs between GPUs and switches."""
    away = (len(hosts.members) - (hosts.mates >= 0).sum(axis=1)).astype(np.float64)
    flows_on = np.zeros(network.graph.n_arcs)
    for side in (hosts.out, hosts.in_):
        used = side >= 0
        flows_on += sums(side[used], np.repeat(away, used.sum(axis=1)), network.graph.n_arcs)
    return flows_on


def in_domains(network: Network, hosts: Hosts) -> tuple[NDArray[np.float64], float]:
    """((n_arcs,) flows between mates, their longest latency in ns; 0 where there are none)."""
    graph, ends = network.graph, network.ends
    flows_on = np.zeros(graph.n_arcs)
    n_mates = (hosts.mates >= 0).sum(axis=1)
    within = hosts.members[n_mates > 1]
    for arcs in (ends.to_domain[within], ends.from_domain[within]):
        flows_on += sums(arcs, (n_mates[n_mates > 1] - 1).astype(np.float64), graph.n_arcs)
    if not len(within):
        return flows_on, 0.0
    inside_ns = graph.latency_ns[ends.to_domain[within]].max() + graph.latency_ns[ends.from_domain[within]].max()
    return flows_on, float(inside_ns)


def _sprayed(network: Network, hosts: Hosts) -> tuple[NDArray[np.float64], float]:
    """(flows by bundle, longest latency) where all flows are sprayed over minimal ways."""
    latency_ns, arrays, of = network.switches.latency_ns, hosts.arrays(network), folded(network, hosts)
    # Loads are the same whatever cables are long, latencies are not.
    is_shown = of.shows(latency_ns, arrays.longest_out, arrays.longest_in)
    shown_ns = latency_ns[of.first_bundle] if is_shown else np.zeros(len(of.first_bundle))
    loads, longest_ns = summed(sprayed_kernels.spray_loads, of.n_goals, of.fabric, shown_ns, arrays, of.folds)
    return of.means(loads), longest_ns if is_shown else sprayed_latency_ns(network, hosts)


def sprayed_latency_ns(network: Network, hosts: Hosts) -> float:
    """The longest latency of sprayed flows in ns where what can be exchanged for loads has latencies of its own."""
    latency_ns, arrays = network.switches.latency_ns, hosts.arrays(network)
    mark = np.zeros(len(hosts.members), dtype=np.uint64)
    for by_leaf in (arrays.longest_out, arrays.longest_in):
        mark = mixed(mark ^ by_leaf[hosts.leaf].view(np.uint64))
    of = folded(network, hosts, latency_ns.view(np.uint64), mark)

    def piece(first: int, last: int) -> float:
        found: float = sprayed_kernels.spray_latency(
            first, last, of.fabric, latency_ns[of.first_bundle], arrays, of.folds
        )
        return found

    return max(in_threads(piece, of.n_goals))


def _split_loads(network: Network, hosts: Hosts, *, by_load: bool) -> tuple[NDArray[np.float64], float]:
    """(flows by bundle, longest latency) of Valiant's way, or of the one mixture with the minimal that is least loaded.

    The latency is that of two minimal ways end to end, the longest there can be.
    """
    switches = network.switches
    minimal, latency_ns = _sprayed(network, hosts)
    n_hosts = np.diff(hosts.start).astype(np.float64)
    sent = np.outer(n_hosts, n_hosts)
    host, place = np.nonzero(hosts.mates >= 0)
    np.subtract.at(sent, (hosts.leaf[host], hosts.leaf[hosts.mates[host, place]]), 1.0)
    on_bundle = valiant.loads(network, sent)
    if by_load:
        share = _least_loaded_share(minimal / switches.capacity_gbps, on_bundle / switches.capacity_gbps)
        on_bundle = (1 - share) * minimal + share * on_bundle
        latency_ns *= 1 + (share > 0)
    else:
        latency_ns *= 2
    return on_bundle, latency_ns


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


def ending_together(
    network: Network, hosts: Hosts, share: NDArray[np.float64], capacity: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]] | None:
    """(counts, rates, full arcs inside servers) where all flows between servers run at one rate from start to end.

    So they do when every one of them leaves, or every one arrives, over an arc with the least share of all; and flows
    inside a server do for themselves when its GPUs are all alike and lend no NIC.
    """
    ends = network.ends
    if (ends.borrowed | ends.shares)[hosts.members].any():
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
