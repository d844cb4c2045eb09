"""Uniform all-to-all over several planes, exactly, without writing out its flows: each plane carries one of its own.

Where all GPUs have NICs in the same planes, a flow is shared evenly over them, and each part goes from a NIC to the one
of the same number. Where the GPUs of a server have one NIC each and these are in different planes, as in rail-only
fabrics, a flow to a GPU of another plane first crosses the sender's scale-up domain, to the GPU in the receiver's
place. How routing.legs and routing.pairing send single flows says the same of each.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.sums import sums
from designer.routing.network import Network
from designer.routing.policies import SPRAYED
from designer.simulation.flows import uniform_levels
from designer.simulation.flows.uniform import between_switches, ending_together, in_domains, on_nics
from designer.simulation.flows.uniform_flow_classes import UniformPhaseResult
from designer.simulation.flows.uniform_hosts import Hosts, applies_to, hosts_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def run(network: Network, members: Ints, pair_bytes: float, capacity: Floats) -> UniformPhaseResult | None:
    """The course of one flow of `pair_bytes` from every member to every other under policy `spray`.

    `capacity` (n_arcs,) is in bytes/s. Time, bytes and latency are exact; where flows do not all end together, the rest
    is not known: see `UniformPhaseResult.known`. None where the planes are not alike in one of the two ways.
    """
    if uniform_levels.has_levels(network, members):
        return _over_levels(network, members, pair_bytes, capacity)
    if _all_alike(network, members):
        hosts, flows_on, latency_ns = _shared_out(network, members)
    elif _by_places(network, members):
        hosts, flows_on, latency_ns = _relayed(network, members)
    else:
        return None
    share = np.divide(capacity, flows_on, out=np.full(len(capacity), np.inf), where=flows_on > 0)
    least = float(share.min())
    together = ending_together(network, hosts, share, capacity) if network.ends.n_ways > 1 else None
    if together is None:
        return _ending_last(flows_on, latency_ns, members, pair_bytes, capacity)
    counts, rates, busiest = together
    peak = np.where(flows_on > 0, rates.min() / share, 0.0)
    peak[busiest] = 1.0
    return UniformPhaseResult(pair_bytes / least, latency_ns, flows_on, peak, counts, pair_bytes / rates, rates, 1)


def _over_levels(network: Network, members: Ints, pair_bytes: float, capacity: Floats) -> UniformPhaseResult:
    flows_on, latency_ns = uniform_levels.loads(network, members)
    share = np.divide(capacity, flows_on, out=np.full(len(capacity), np.inf), where=flows_on > 0)
    together = uniform_levels.ending_together(network, members, share)
    if together is None:
        return _ending_last(flows_on, latency_ns, members, pair_bytes, capacity)
    counts, rates, peak = together
    end_s = pair_bytes / float(rates.min())
    return UniformPhaseResult(end_s, latency_ns, flows_on, peak, counts, pair_bytes / rates, rates, 1)


def _ending_last(
    flows_on: Floats, latency_ns: float, members: Ints, pair_bytes: float, capacity: Floats
) -> UniformPhaseResult:
    """The course where only the end of the last flow is known, of those that take the most loaded arc."""
    share = np.divide(capacity, flows_on, out=np.full(len(capacity), np.inf), where=flows_on > 0)
    least = float(share.min())
    peak = np.where(flows_on > 0, least / share, 0.0)
    counts, rates = np.array([len(members) * (len(members) - 1)]), np.array([least])
    end_s = pair_bytes / least
    return UniformPhaseResult(end_s, latency_ns, flows_on, peak, counts, pair_bytes / rates, rates, 1, known=False)


def _all_alike(network: Network, members: Ints) -> bool:
    """All have several NICs, in the same planes, each on switches that reach those of its number."""
    ends = network.ends
    if ends.scale_up_planes and not np.isin(ends.plane[members], sorted(ends.scale_up_planes)).all():
        return False  # those of a domain use its links alone
    alike = ends.n_ways > 1 and len(np.unique(ends.kind[members])) == 1 and bool((ends.nic[members] >= 0).all())
    return alike and all(applies_to(network, members, nic) for nic in range(ends.n_ways))


def _shared_out(network: Network, members: Ints) -> tuple[Hosts, Floats, float]:
    """(hosts with the arcs of all their NICs, flows' worth by arc, longest latency in ns)."""
    ends = network.ends
    flows_on, longest_ns = np.zeros(network.graph.n_arcs), 0.0
    for nic in range(ends.n_ways):
        in_plane, latency_ns = _in_plane(network, hosts_of(network, members, nic))
        flows_on += in_plane / ends.n_ways
        longest_ns = max(longest_ns, latency_ns)
    hosts = hosts_of(network, members)
    inside, inside_ns = in_domains(network, hosts)
    n = len(hosts.members)
    hosts = replace(hosts, out=ends.out[hosts.members].reshape(n, -1), in_=ends.in_[hosts.members].reshape(n, -1))
    return hosts, flows_on + inside, max(longest_ns, inside_ns)


def _by_places(network: Network, members: Ints) -> bool:
    """They are all GPUs of like servers, and those in the same place of every server are in the same plane."""
    ends = network.ends
    if ends.n_ways > 1 or (ends.borrowed | ends.shares)[members].any() or (ends.to_domain[members] < 0).any():
        return False
    of_domain, counts = np.unique(ends.domain[members], return_counts=True)
    size = int(ends.domain_size[members[0]])
    if (counts != size).any() or (ends.domain_size[members] != size).any() or len(of_domain) < 2:
        return False
    plane, place = ends.plane[members, 0], members - ends.domain_first[members]
    plane_of_place = np.full(size, -1, dtype=plane.dtype)
    plane_of_place[place] = plane
    same = bool((plane_of_place[place] == plane).all())
    return same and all(applies_to(network, members[plane == one], 0) for one in np.unique(plane).tolist())


def _relayed(network: Network, members: Ints) -> tuple[Hosts, Floats, float]:
    """(hosts, flows by arc, longest latency in ns)."""
    ends, graph = network.ends, network.graph
    size = int(ends.domain_size[members[0]])
    plane, place = ends.plane[members, 0], members - ends.domain_first[members]
    hosts = hosts_of(network, members)
    flows_on, inside_ns = in_domains(network, hosts)
    longest_ns = 0.0
    for one in np.unique(plane).tolist():
        of_plane = plane == one
        places = np.unique(place[of_plane])
        in_plane, latency_ns = _in_plane(network, hosts_of(network, members[of_plane]))
        flows_on += in_plane
        longest_ns = max(longest_ns, latency_ns)
        relayed = float(size - len(places))
        if not relayed:
            continue
        for each in places.tolist():
            there = members[place == each]
            in_rail, latency_ns = _in_plane(network, hosts_of(network, there))
            flows_on += relayed * in_rail
            longest_ns = max(longest_ns, latency_ns + inside_ns)
            # To every other server each of the others of the domain sends one over the crossbar, to this GPU's NIC.
            others = float(len(there) - 1)
            flows_on += sums(ends.from_domain[there], np.full(len(there), relayed * others), graph.n_arcs)
            senders = members[~of_plane]
            flows_on += sums(ends.to_domain[senders], np.full(len(senders), others), graph.n_arcs)
    return hosts, flows_on, max(longest_ns, inside_ns)


def _in_plane(network: Network, hosts: Hosts) -> tuple[Floats, float]:
    """(flows by arc, longest latency in ns) from every host to all but its mates, over one NIC of each."""
    flows_on, latency_ns = between_switches(network, hosts, SPRAYED)
    return flows_on + on_nics(network, hosts), latency_ns
