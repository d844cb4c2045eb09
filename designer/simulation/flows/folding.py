"""A fabric and its hosts folded: what can be exchanged is one, so that an all-to-all is added up once for all of it.

Switches without hosts can be exchanged where bundles of the same kind join them to the same switches. Servers tie leafs
together: leafs with hosts on the same crossbars are a block, and two blocks can be exchanged leaf by leaf where leafs
in the same place are joined to the same switches and servers are spread over the places alike. Each such exchange maps
the fabric with its hosts onto itself, and flows of an all-to-all onto flows. So what is the same for bundles and hosts
to begin with stays so: their loads are equal, and so is whatever colors are refined by.

A deleted link makes two switches, or a block, unlike the others, and all others stay as alike as they were.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.components import component_of
from designer.graph.switches import SwitchGraph
from designer.routing.hashes import mixed
from designer.routing.network import Network
from designer.routing.transport_kernels import Bundles, Fabric, Goals
from designer.simulation.flows.sprayed_kernels import Folds
from designer.simulation.flows.uniform_hosts import Hosts

Hashes = NDArray[np.uint64]
Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """The nodes that stand for switches that can be exchanged, joined by bundles that stand for bundles."""

    fabric: Fabric
    folds: Folds
    first_bundle: Longs  # (n_folded_bundles,) one of the bundles that each stands for
    orbit: Longs  # (n_bundles,) the same number for bundles that can be exchanged
    orbit_of_folded: Longs  # (n_folded_bundles,)
    like: Longs  # (n_hosts,) a host on a leaf that is a goal with which a host can be exchanged
    place: Longs  # (n_leafs,) the same number for leafs that can be exchanged

    @property
    def n_goals(self) -> int:
        """Number of leafs that flows are followed to."""
        return len(self.folds.goal_leaf)

    def means(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n_bundles,) what each bundle has, of what all have together that a folded one stands for."""
        sums, sizes = np.zeros((2, len(self.orbit)))
        size, bundles = self.folds.size, self.fabric.bundles
        tail = np.repeat(np.arange(len(size)), np.diff(bundles.start))
        np.add.at(sums, self.orbit_of_folded, values)
        np.add.at(sizes, self.orbit_of_folded, size[tail] * size[bundles.head])
        found: NDArray[np.float64] = (sums / np.maximum(sizes, 1.0))[self.orbit]
        return found

    def totals(self, values: Hashes) -> Hashes:
        """(n_bundles,) the sum of what is known of each bundle, by the folded ones that stand for it."""
        sums = np.zeros(len(self.orbit), dtype=np.uint64)
        np.add.at(sums, self.orbit_of_folded, values)
        found: Hashes = sums[self.orbit]
        return found

    def shows(self, by_bundle: NDArray[np.float64], *by_leaf: NDArray[np.float64]) -> bool:
        """Whether bundles that can be exchanged have equal values, and such leafs with hosts."""
        alike = (by_bundle == by_bundle[self.first_bundle][_first_places(self.orbit_of_folded, self.orbit)]).all()
        hosted = self.place >= 0
        first = _first_places(self.place[hosted], self.place[hosted])
        return bool(alike and all((one[hosted] == one[hosted][first]).all() for one in by_leaf))


def _first_places(among: Longs, wanted: Longs) -> Longs:
    """Where each number first stands among others."""
    numbers, first = np.unique(among, return_index=True)
    found: Longs = first[np.searchsorted(numbers, wanted)]
    return found


def folded(
    network: Network, hosts: Hosts, bundle_mark: Hashes | None = None, host_mark: Hashes | None = None
) -> Folded:
    """The folded network of hosts. Bundles, or hosts, with different marks are never exchanged, nor those that differ.

    Bundles differ in capacity and cost; latencies only where the marks tell them apart.
    """
    switches, n_hosts = network.switches, len(hosts.members)
    to_begin_with = np.zeros(n_hosts, dtype=np.uint64) if host_mark is None else host_mark
    rows = _rows(switches, bundle_mark)
    if switches.only.shape[1]:
        rows = mixed(np.arange(switches.n_switches, dtype=np.uint64))
    blocks = _blocks(network, hosts, rows, _apart(network, hosts, to_begin_with))
    on_leaf = np.zeros(switches.n_switches, dtype=bool)
    on_leaf[switches.leafs[blocks.leafs]] = True
    # A label for each node: switches without hosts by their rows, leafs by place, of the first block or another.
    label, whole = np.empty((2, switches.n_switches), dtype=np.int64)
    whole[switches.leafs[blocks.leafs]] = blocks.place
    label[switches.leafs[blocks.leafs]] = blocks.place * 2 + ~blocks.is_first
    _, others = np.unique(rows[~on_leaf], return_inverse=True)
    n_places = int(blocks.place.max(initial=-1)) + 1
    whole[~on_leaf], label[~on_leaf] = n_places + others, n_places * 2 + others
    return _assembled(network, hosts, blocks, label, whole)


def _rows(switches: SwitchGraph, bundle_mark: Hashes | None) -> Hashes:
    """(n_switches,) the same for switches that bundles of the same kind join to the same switches, both ways."""
    mark = mixed(switches.capacity_gbps.view(np.uint64) ^ mixed(switches.cost.astype(np.uint64)))
    if bundle_mark is not None:
        mark = mixed(mark ^ mixed(bundle_mark))
    found, tail = np.zeros(switches.n_switches, dtype=np.uint64), switches.tail
    there, back = np.arange(2 * switches.n_switches, dtype=np.uint64).reshape(2, -1)
    np.add.at(found, tail, mixed(mark ^ mixed(there)[switches.head]))
    np.add.at(found, switches.head, mixed(mark ^ mixed(back)[tail]))
    return mixed(found)


def _apart(network: Network, hosts: Hosts, host_mark: Hashes) -> Hashes:
    """Marks that set hosts apart from all others that have arcs together with others, as GPUs have that share a NIC."""
    used = np.bincount(hosts.out[hosts.out >= 0], minlength=network.graph.n_arcs)
    sharing = ((used[hosts.out] > 1) & (hosts.out >= 0)).any(axis=1)
    own = np.where(sharing, np.arange(1, len(host_mark) + 1), 0).astype(np.uint64)
    return mixed(host_mark ^ mixed(own))


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """Leafs with hosts: `place` is the same for leafs in the same place of blocks that can be exchanged."""

    leafs: Longs  # (n_hosted,) ascending
    number: Longs  # (n_hosted,) blocks that can be exchanged have one
    place: Longs  # (n_hosted,)
    is_first: NDArray[np.bool_]  # (n_hosted,) of the block that stands for the others
    like: Longs  # (n_hosts,)


def _blocks(network: Network, hosts: Hosts, rows: Hashes, host_mark: Hashes) -> _Blocks:
    switches, n_leafs, n_hosts = network.switches, len(network.switches.leafs), len(hosts.members)
    lead = np.where(hosts.mates >= 0, hosts.mates, n_hosts).min(axis=1)
    joined = np.unique(hosts.leaf.astype(np.int64) * n_leafs + hosts.leaf[lead])
    block = component_of(joined // n_leafs, joined % n_leafs, n_leafs)
    leafs = np.unique(hosts.leaf).astype(np.int64)
    row = rows[switches.leafs[leafs]]
    # Places of a block: by what its leafs are joined to, then by number.
    order = np.lexsort((leafs, row, block[leafs]))
    begins = np.searchsorted(block[leafs[order]], np.arange(n_leafs))
    place = np.zeros(n_leafs, dtype=np.int64)
    place[leafs[order]] = np.arange(len(leafs)) - begins[block[leafs[order]]]
    standing = mixed(host_mark ^ mixed(place[hosts.leaf].astype(np.uint64)))
    of_server, is_lead = np.zeros(n_hosts, dtype=np.uint64), lead == np.arange(n_hosts)
    np.add.at(of_server, lead, standing)
    of_server = mixed(of_server)
    signature = np.zeros(n_leafs, dtype=np.uint64)
    np.add.at(signature, block[leafs], mixed(row ^ mixed(~place[leafs].astype(np.uint64))))
    np.add.at(signature, block[hosts.leaf[is_lead]], of_server[is_lead])
    _single_out(switches, leafs, block, signature)
    _, first_block, number = np.unique(signature[block[leafs]], return_index=True, return_inverse=True)
    is_first = block[leafs] == block[leafs[first_block]][number]
    _, place_of = np.unique(number * n_leafs + place[leafs], return_inverse=True)
    number_of, first_of = np.full(n_leafs, -1, dtype=np.int64), np.zeros(n_leafs, dtype=bool)
    number_of[leafs], first_of[leafs] = number, is_first
    key = mixed(standing ^ mixed(of_server[lead] ^ mixed(number_of[hosts.leaf].astype(np.uint64))))
    shown = np.flatnonzero(first_of[hosts.leaf])
    keys, first_host = np.unique(key[shown], return_index=True)
    return _Blocks(leafs, number, place_of, is_first, shown[first_host][np.searchsorted(keys, key)])


def _single_out(switches: SwitchGraph, leafs: Longs, block: Longs, signature: Hashes) -> None:
    """Gives blocks with bundles between their leafs, or to blocks like them, signatures of their own."""
    of_switch = np.full(switches.n_switches, -1, dtype=np.int64)
    of_switch[switches.leafs[leafs]] = block[leafs]
    tail, head = of_switch[switches.tail], of_switch[switches.head]
    between = (tail >= 0) & (head >= 0)
    tail, head = tail[between], head[between]
    direct = np.unique(signature[tail[signature[tail] == signature[head]]])
    single = np.flatnonzero(np.isin(signature, direct))
    signature[single] = mixed(signature[single] ^ mixed(single.astype(np.uint64)))


def _assembled(network: Network, hosts: Hosts, blocks: _Blocks, label: Longs, whole: Longs) -> Folded:
    """The nodes by label; those that are the same in `whole` are of the same switches but for the first block's."""
    switches = network.switches
    _, first, node_of, size = np.unique(label, return_index=True, return_inverse=True, return_counts=True)
    by_first = np.argsort(first)  # nodes in the order of their first switches
    number = np.empty(len(first), dtype=np.int64)
    number[by_first] = np.arange(len(first))
    first, size, node_of = first[by_first], size[by_first], number[node_of]
    n_nodes, node_of_hosted = len(first), node_of[switches.leafs[blocks.leafs]]
    block_of, is_counted, leaf_of = np.full(n_nodes, -1), np.ones(n_nodes, dtype=np.int64), np.full(n_nodes, -1)
    block_of[node_of_hosted] = blocks.number
    is_counted[node_of_hosted] = blocks.is_first
    leaf_of[node_of_hosted[::-1]] = blocks.leafs[::-1]
    n_like = np.bincount(blocks.place)
    node = node_of[switches.leafs]
    place = np.full(len(switches.leafs), -1, dtype=np.int64)
    place[blocks.leafs] = blocks.place
    goal_leaf = blocks.leafs[blocks.is_first]
    folds = Folds(size, block_of, is_counted, leaf_of, node, goal_leaf, n_like[blocks.place[blocks.is_first]])
    fabric, first_bundle = _fabric(network, first, node_of, folds)
    tail, head = whole[switches.tail], whole[switches.head]
    _, orbit = np.unique(tail * (int(whole.max(initial=0)) + 1) + head, return_inverse=True)
    return Folded(fabric, folds, first_bundle, orbit, orbit[first_bundle], blocks.like, place)


def _fabric(network: Network, first: Longs, node_of: Longs, folds: Folds) -> tuple[Fabric, Longs]:
    """(the fabric of the nodes, one of the bundles that each of its bundles stands for): its bundles add up."""
    switches, n_nodes = network.switches, len(first)
    if n_nodes == switches.n_switches and len(folds.goal_leaf) == len(switches.leafs):
        return network.fabric, np.arange(len(switches.head))
    n_own = np.diff(switches.start)[first]
    shift = np.repeat(switches.start[first] - (np.cumsum(n_own) - n_own), n_own)
    bundle, tail = np.arange(len(shift)) + shift, np.repeat(np.arange(n_nodes), n_own)
    _, at, count = np.unique(tail * n_nodes + node_of[switches.head[bundle]], return_index=True, return_counts=True)
    in_order = np.argsort(at)
    at, count = at[in_order], count[in_order]
    bundle, tail = bundle[at], tail[at]
    goals = node_of[switches.leafs[folds.goal_leaf]].astype(np.int32)
    start = np.concatenate([[0], np.cumsum(np.bincount(tail, minlength=n_nodes))]).astype(np.int32)
    distance, behind = switches.distance[np.ix_(folds.goal_leaf, first)], np.empty((len(goals), 0))
    if switches.behind.shape[1]:
        behind = switches.behind[np.ix_(folds.goal_leaf, first)] * folds.size
    bundles = Bundles(
        start,
        node_of[switches.head[bundle]].astype(np.int32),
        switches.cost[bundle],
        switches.capacity_gbps[bundle] * count,
        behind,
    )
    only = switches.only[folds.goal_leaf]  # where there are such nothing is folded
    return Fabric(bundles, Goals(goals, distance, only), network.fabric.ports), bundle
