"""The members of a uniform all-to-all, sorted by leaf."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.flows.uniform_kernels import HostArrays


@dataclass(frozen=True, slots=True, eq=False)
class Hosts:
    """The members as the kernels want them: sorted by leaf."""

    members: NDArray[np.int64]
    leaf: NDArray[np.int32]
    start: NDArray[np.int64]
    index: NDArray[np.int64]
    mates: NDArray[np.int64]
    out: NDArray[np.int32]
    in_: NDArray[np.int32]

    def arrays(self, network: Network) -> HostArrays:
        """What kernels read of them."""
        longest = np.zeros((2, len(network.switches.leafs)))
        for side, by_leaf in zip((self.out, self.in_), longest, strict=True):
            latency_ns = np.where(side >= 0, network.graph.latency_ns[side], 0.0).sum(axis=1)
            np.maximum.at(by_leaf, self.leaf, latency_ns)
        return HostArrays(self.start, self.leaf, self.index, self.mates, longest[0], longest[1])


def applies(network: Network, members: NDArray[np.int64]) -> bool:
    """Whether the all-to-all of these members can be done so: one NIC each, on switches that all reach each other."""
    return network.ends.n_ways == 1 and applies_to(network, members, 0)


def applies_to(network: Network, members: NDArray[np.int64], nic: int) -> bool:
    """The same of one of their NICs, counted from 0, whatever others they have."""
    ends, switches = network.ends, network.switches
    joined_pairwise = (ends.domain[members] >= 0) & (ends.to_domain[members] < 0)
    if joined_pairwise.any() or (ends.leaf[members, nic] < 0).any():
        return False
    leafs = np.unique(ends.leaf[members, nic])
    if (switches.distance[leafs[0], switches.leafs[leafs]] < 0).any():
        return False
    # A NIC that GPUs share without a crossbar between them would be passed through, not left by.
    alone = ends.domain[members] < 0
    nics, counts = np.unique(ends.nic[members, nic], return_counts=True)
    return not (alone & (counts[np.searchsorted(nics, ends.nic[members, nic])] > 1)).any()


def hosts_of(network: Network, members: NDArray[np.int64], nic: int = 0) -> Hosts:
    """The members sorted by leaf, with where each leaf begins among them, their mates, and the arcs over one NIC."""
    ends = network.ends
    members = members[np.lexsort((ends.index[members, nic], ends.leaf[members, nic]))]
    leaf = ends.leaf[members, nic]
    start = np.searchsorted(leaf, np.arange(len(network.switches.leafs) + 1))
    out, in_ = ends.out[members, nic], ends.in_[members, nic]
    return Hosts(members, leaf, start, ends.index[members, nic], _mates(network, members), out, in_)


def _mates(network: Network, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n_hosts, largest domain): hosts on the same crossbar, oneself first, padded with -1."""
    domain = network.ends.domain[members].astype(np.int64)
    return mates_of(np.where(domain < 0, network.graph.n_vertices + np.arange(len(members)), domain))


def mates_of(domain: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same of hosts whose domain is given by a number that is theirs alone."""
    n = len(domain)
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


def mate_pairs(hosts: Hosts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every host with every other on its crossbar."""
    host, place = np.nonzero(hosts.mates[:, 1:] >= 0)
    return host, hosts.mates[host, place + 1]
