"""Which flows of an all-to-all cross a link between switches, found leaf by leaf.

Where no hash is involved, hosts of a leaf send alike: sprayed flows by the pair of leafs, flows in forwarding tables
by leaf and destination. So one flow stands for many, and only what crosses is written out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import SWITCH
from designer.graph.sums import sums
from designer.late import Late
from designer.routing import valiant
from designer.routing.network import Network
from designer.routing.policies import DETOURED, MIXED, SPRAYED, Policy
from designer.routing.tables import following
from designer.simulation.flows import uniform

sparse = Late("scipy.sparse")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_WRITTEN_OUT = 1_000_000
"""Crossing flows that are listed by pairs of servers; more only by pairs of leafs."""


@dataclass(frozen=True, slots=True, eq=False)
class LeafPairs:
    """Flows between hosts of two leafs: how many, the share of each that crosses, and a few of them one by one."""

    from_leaf: Ints  # vertices
    to_leaf: Ints
    count: Ints
    share: Floats
    pair_bytes: float
    listed: tuple[Ints, Ints, Floats]
    """Sources, destinations and shares of some, those with the largest shares."""


def applies(net: Network, members: Ints, arc: int, policy: Policy) -> bool:
    """Whether flows of these members' all-to-all over an arc can be found so."""
    between = all(net.graph.kind[end] == SWITCH for end in (net.graph.source[arc], net.graph.target[arc]))
    alike = policy.leaf_by_leaf and not net.switches.only.shape[1]
    return between and alike and uniform.applies(net, members)


def leafs_across(net: Network, arc: int) -> NDArray[np.bool_]:
    """(n_leafs, n_leafs) from which leaf to which a shortest way crosses an arc between switches."""
    switches, graph = net.switches, net.graph
    tail, head = int(graph.source[arc]) - switches.first, int(graph.target[arc]) - switches.first
    bundles = np.arange(switches.start[tail], switches.start[tail + 1])
    cost = int(switches.cost[bundles[switches.head[bundles] == head][0]])
    # Links lead both ways, so the way from a leaf is as long as the way to it.
    to_tail, to_head = (switches.distance[:, switch].astype(np.int32) for switch in (tail, head))
    whole = switches.distance[:, switches.leafs].T
    across = to_tail[:, None] + (cost + to_head)[None, :]
    from_there, to_there = to_tail >= 0, to_head >= 0
    crosses: NDArray[np.bool_] = np.outer(from_there, to_there) & (across == whole)
    return crosses


class Hosts:
    """The members of an all-to-all, sorted by leaf."""

    def __init__(self, net: Network, members: Ints) -> None:
        leaf = net.ends.leaf[members, 0].astype(np.int64)
        order = np.argsort(leaf, kind="stable")
        self.net, self.members, self.leaf = net, members[order], leaf[order]
        n_leafs = len(net.switches.leafs)
        self.start = np.searchsorted(self.leaf, np.arange(n_leafs + 1))
        self.count = np.diff(self.start)
        self.domain = net.ends.domain[self.members].astype(np.int64)

    def senders(self, leafs: Ints, to_domain: Ints) -> Ints:
        """A host of each leaf that is not in the given domain; -1 where all are."""
        first, last = self.start[leafs], self.start[leafs + 1] - 1
        found = np.full(len(leafs), -1, dtype=np.int64)
        for at in (last, first):
            fits = (self.count[leafs] > 0) & ((to_domain < 0) | (self.domain[at] != to_domain))
            found[fits] = self.members[at[fits]]
        return found

    def same_domain(self) -> Ints:
        """(n_leafs, n_leafs) pairs of hosts that share a domain: they send to each other inside it."""
        inside = self.domain >= 0
        shape = len(self.count), int(self.domain.max(initial=0)) + 1
        table = sparse.coo_array(
            (np.ones(int(inside.sum())), (self.leaf[inside], self.domain[inside])), shape=shape
        ).tocsr()
        product = (table @ table.T).toarray()
        pairs: Ints = np.asarray(product).astype(np.int64)
        return pairs

    def all_of(self, leafs: Ints, targets: Ints) -> tuple[Ints, Ints, Ints]:
        """Every host of leafs[i] with targets[i], but those that share its domain: (sources, targets, i)."""
        counts = self.count[leafs]
        row = np.repeat(np.arange(len(leafs)), counts)
        at = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + self.start[leafs][row]
        src, dst = self.members[at], targets[row]
        domain = self.net.ends.domain
        apart = (src != dst) & ((domain[src] < 0) | (domain[src] != domain[dst]))
        return src[apart], dst[apart], row[apart]


def candidates(net: Network, hosts: Hosts, arc: int, policy: Policy) -> tuple[Ints, Ints]:
    """(leafs, destinations): one destination on each leaf that may be meant for spray, every one for tables."""
    if net.forwarding is not None:
        return _sent_over(net, hosts, arc)
    leafs, others = np.nonzero(leafs_across(net, arc))
    kept = (hosts.count[leafs] > 0) & (hosts.count[others] > 0)
    leafs, others = leafs[kept], others[kept]
    if policy.evenly:
        return leafs.astype(np.int64), hosts.members[hosts.start[others]]
    counts = hosts.count[others]
    row = np.repeat(np.arange(len(leafs)), counts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + hosts.start[others][row]
    return leafs[row].astype(np.int64), hosts.members[at]


def _sent_over(net: Network, hosts: Hosts, arc: int) -> tuple[Ints, Ints]:
    """All leafs with the destinations that the forwarding table of the arc's switch sends over it."""
    next_arc, tail = following.forwarding_of(net).next_arc, int(net.graph.source[arc]) - net.switches.first
    meant = hosts.members[next_arc[tail, net.ends.index[hosts.members, 0]] == arc]
    leafs = np.flatnonzero(hosts.count)
    return np.repeat(leafs, len(meant)), np.tile(meant, len(leafs))


def split_candidates(
    net: Network, hosts: Hosts, arc: int, policy: Policy, capacity: Floats
) -> tuple[Ints, Ints, Floats]:
    """(leafs, destinations, shares) where flows take detours: one destination on each leaf that is sent to."""
    switches, graph = net.switches, net.graph
    tail, head = int(graph.source[arc]) - switches.first, int(graph.target[arc]) - switches.first
    bundles = np.arange(switches.start[tail], switches.start[tail + 1])
    bundle = int(bundles[switches.head[bundles] == head][0])
    direct, detour = valiant.crossing(net, bundle)
    share = detour
    if policy.by_load:
        part = detoured_share(net, hosts.members, capacity)
        share = (1 - part) * direct + part * detour
    share = share * (graph.capacity_gbps[arc] / switches.capacity_gbps[bundle])
    share[hosts.count == 0, :] = share[:, hosts.count == 0] = 0.0
    leafs, others = np.nonzero(share)
    return leafs.astype(np.int64), hosts.members[hosts.start[others]], share[leafs, others]


def detoured_share(net: Network, members: Ints, capacity: Floats) -> float:
    """The share of an all-to-all that takes detours where loads choose it: one for all, read off the loads it makes."""
    mixed, direct, detour = (
        uniform.run(net, members, 1.0, way, capacity, brief=True).flows_on for way in (MIXED, SPRAYED, DETOURED)
    )
    at = int(np.argmax(np.abs(detour - direct)))
    return float((mixed[at] - direct[at]) / (detour[at] - direct[at])) if detour[at] != direct[at] else 0.0


def spread_out(hosts: Hosts, leafs: Ints, targets: Ints, share: Floats, pair_bytes: float, top: int) -> LeafPairs:
    """Pairs of leafs, each by one destination, as the flows they stand for; `top` of these are listed."""
    net = hosts.net
    others = net.ends.leaf[targets, 0].astype(np.int64)
    count = hosts.count[leafs] * hosts.count[others] - hosts.same_domain()[leafs, others]
    kept = count > 0
    leafs, others, share, count = leafs[kept], others[kept], share[kept], count[kept]
    order = np.lexsort((others, leafs, -np.round(share, 12)))
    enough = int(np.searchsorted(np.cumsum(count[order]), top)) + 1
    listed = written_out(hosts, leafs[order[:enough]], others[order[:enough]], share[order[:enough]])
    vertices = net.switches.first + net.switches.leafs.astype(np.int64)
    some = listed[0][:top], listed[1][:top], listed[2][:top]
    return LeafPairs(vertices[leafs], vertices[others], count, share, pair_bytes, some)


def written_out(hosts: Hosts, leafs: Ints, others: Ints, share: Floats) -> tuple[Ints, Ints, Floats]:
    """All flows from hosts of leafs[i] to hosts of others[i], with share[i] each."""
    counts = hosts.count[others]
    row = np.repeat(np.arange(len(others)), counts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + hosts.start[others][row]
    src, dst, of = hosts.all_of(leafs[row], hosts.members[at])
    return src, dst, share[row][of]


def total(hosts: Hosts, leafs: Ints, targets: Ints) -> int:
    """How many flows pairs of leafs, each by one destination, stand for at most."""
    others = hosts.net.ends.leaf[targets, 0]
    return int(sums(np.zeros(len(leafs), dtype=np.int64), hosts.count[leafs] * hosts.count[others] * 1.0, 1)[0])
