"""Uniform all-to-all over two levels, exactly, without writing out its flows: drawn scale-up domains and a fabric.

GPUs of one domain send to each other over its links alone, evenly over those of the same number; to GPUs of other
domains over their NICs in the fabric, evenly too. The two share no link, so each is counted by itself. How
routing.pairing pairs the NICs of single flows says the same of each.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.routing.policies import SPRAYED
from designer.simulation.flows.uniform import between_switches, on_nics
from designer.simulation.flows.uniform_hosts import applies_to, hosts_of, mates_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SAME = 1e-9
Flags = NDArray[np.bool_]


def has_levels(network: Network, members: Ints) -> bool:
    """Whether all members have the same links in domains of one stage, and the same NICs in one fabric.

    A domain of one stage has every link of a number on one switch: nothing passes between its switches.
    """
    ends = network.ends
    if not ends.scale_up_planes or (ends.drawn[members] < 0).any() or (ends.domain[members] >= 0).any():
        return False
    if (ends.nic[members] < 0).any() or (ends.borrowed | ends.shares)[members].any():
        return False
    inside = _inside(network, members)
    if (inside != inside[0]).any() or not inside[0].any() or inside[0].all():
        return False
    if (ends.number[members] != ends.number[members[0]]).any() or len(np.unique(ends.drawn[members])) < 2:
        return False
    outside = np.flatnonzero(~inside[0])
    if (ends.plane[members][:, outside] != ends.plane[members[0], outside]).any():
        return False
    return _is_of_one_stage(network, members, inside[0]) and all(
        applies_to(network, members, one) for one in outside.tolist()
    )


def _inside(network: Network, members: Ints) -> Flags:
    """(n_members, n_ways) whether a NIC is a link of a domain."""
    return np.isin(network.ends.plane[members], sorted(network.ends.scale_up_planes))


def _is_of_one_stage(network: Network, members: Ints, inside: Flags) -> bool:
    """Whether the GPUs of each domain have the links of one number on one switch."""
    ends = network.ends
    _, first, of = np.unique(ends.drawn[members], return_index=True, return_inverse=True)
    leaf = ends.leaf[members][:, inside]
    return bool((leaf >= 0).all() and (leaf == leaf[first[of]]).all())


def loads(network: Network, members: Ints) -> tuple[Floats, float]:
    """(flows' worth by arc, longest latency in ns) of one flow from every member to every other."""
    inside = _inside(network, members)[0]
    flows_on, longest_ns = _in_domains(network, members, np.flatnonzero(inside))
    outside = np.flatnonzero(~inside).tolist()
    for way in outside:
        hosts = hosts_of(network, members, way)
        hosts = replace(hosts, mates=mates_of(network.ends.drawn[hosts.members]))
        in_fabric, latency_ns = between_switches(network, hosts, SPRAYED)
        flows_on += (in_fabric + on_nics(network, hosts)) / len(outside)
        longest_ns = max(longest_ns, latency_ns)
    return flows_on, longest_ns


def ending_together(network: Network, members: Ints, share: Floats) -> tuple[NDArray[np.int64], Floats, Floats] | None:
    """(counts, rates, peaks by arc) where flows inside each domain end together, and all others do.

    So they do where the links of a domain are all as loaded as each other, and where every flow between domains leaves,
    or every one arrives, over an arc with the least share of the fabric. `share` (n_arcs,) is what a flow has there.
    """
    ends, inside = network.ends, _inside(network, members)[0]
    padded = np.append(share, np.inf)
    sides = [padded[side[members]].min(axis=2) for side in (ends.out, ends.in_)]  # (n_members, n_ways)
    near = np.concatenate([side[:, inside] for side in sides], axis=1)
    _, of, size = np.unique(ends.drawn[members], return_inverse=True, return_counts=True)
    rate = np.full(len(size), np.inf)
    np.minimum.at(rate, of, near.min(axis=1))
    if (near > rate[of][:, None] * (1 + SAME)).any():
        return None
    used = [side[members][:, inside] for side in (ends.out, ends.in_)]
    links = np.unique(np.concatenate([one[one >= 0] for one in used]))
    elsewhere = share.copy()
    elsewhere[links] = np.inf
    least = float(elsewhere.min())
    if not any((side[:, ~inside] <= least * (1 + SAME)).all() for side in sides):
        return None
    peak = np.where(np.isfinite(share), least / share, 0.0)
    peak[links] = np.where(np.isfinite(share[links]), 1.0, 0.0)
    rates = np.unique(rate[size > 1])
    within = [int((size * (size - 1))[rate == one].sum()) for one in rates]
    n = len(members)
    return np.array([n * (n - 1) - sum(within), *within]), np.array([least, *rates]), peak


def _in_domains(network: Network, members: Ints, ways: Ints) -> tuple[Floats, float]:
    """The same inside the domains: each GPU sends to all others of its domain over each of its links."""
    ends, graph = network.ends, network.graph
    _, of, size = np.unique(ends.drawn[members], return_inverse=True, return_counts=True)
    flows = (size[of] - 1) / len(ways)
    flows_on, longest_ns = np.zeros(graph.n_arcs + 1), 0.0
    latency = np.append(graph.latency_ns, 0.0)
    for way in ways.tolist():
        ends_ns = []
        for side in (ends.out[members, way], ends.in_[members, way]):
            np.add.at(flows_on, side, np.where(side >= 0, flows[:, None], 0.0))
            ends_ns.append(latency[side].sum(axis=1))
        longest_ns = max(longest_ns, _longest(of, ends_ns[0], ends_ns[1], size))
    return flows_on[:-1], longest_ns


def _longest(of: Ints, out_ns: Floats, in_ns: Floats, size: Ints) -> float:
    """The longest way from one GPU of a domain to another one."""
    found = 0.0
    order = np.argsort(of, kind="stable")
    for part in np.split(order, np.cumsum(size)[:-1]):
        if len(part) < 2:
            continue
        best = np.argsort(-in_ns[part], kind="stable")[:2]
        # The last leg of the one with the longest is that of all others; its own partner is the second.
        last = np.full(len(part), in_ns[part[best[0]]])
        last[best[0]] = in_ns[part[best[1]]]
        found = max(found, float((out_ns[part] + last).max()))
    return found
