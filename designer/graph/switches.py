"""The switches of a graph by themselves: bundles of parallel links, and hop counts towards the leafs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import NIC, SWITCH, Graph
from designer.graph.distances import distances_to
from designer.graph.sums import sums
from designer.graph.threads import in_threads


@dataclass(frozen=True, slots=True, eq=False)
class SwitchGraph:
    """Switches numbered from 0 (vertex `first`), joined by bundles: all links from one switch to another.

    A leaf, here, is a switch with a NIC on it, whatever its role. Bundles of a switch are in the order of their first
    port, links of a bundle in port order.
    """

    first: int
    start: NDArray[np.int32]  # (n_switches + 1,) bundles by switch
    head: NDArray[np.int32]  # (n_bundles,) the switch a bundle leads to
    capacity_gbps: NDArray[np.float64]  # (n_bundles,)
    latency_ns: NDArray[np.float64]  # (n_bundles,) mean of its links, weighted by capacity
    arc_start: NDArray[np.int32]  # (n_bundles + 1,) arcs by bundle
    arcs: NDArray[np.int32]
    leafs: NDArray[np.int32]  # (n_leafs,) switches with NICs, ascending
    leaf_of: NDArray[np.int32]  # (n_switches,) index into leafs, or -1
    cost: NDArray[np.int16]  # (n_bundles,) what a hop over it adds to a distance: 1, or `far` between dragonfly groups
    far: int
    """FAR where there are dragonfly groups, so that a way with fewer global hops is always the nearer; else 0."""
    distance: NDArray[np.int16]  # (n_leafs, n_switches) least cost to the leaf; -1 where there is no way
    only: NDArray[np.int32]  # (n_leafs, n_switches or 0)
    """The one bundle that leads towards the leaf, where a policy leaves no choice; else without columns."""
    behind: NDArray[np.float64]  # (n_leafs, n_switches or 0)
    """What can go on from the switch to the leaf, in Gb/s, where a policy splits flows by it; else without columns."""

    @property
    def n_switches(self) -> int:
        """Number of switches."""
        return len(self.start) - 1

    @property
    def tail(self) -> NDArray[np.int64]:
        """(n_bundles,) the switch a bundle leads from."""
        return np.repeat(np.arange(self.n_switches), np.diff(self.start))

    @property
    def tier(self) -> NDArray[np.int16]:
        """(n_switches,) the distance of each switch from the nearest leaf; the largest of all where none is reached."""
        hops = np.where(self.distance < 0, np.iinfo(np.int16).max, self.distance)
        found: NDArray[np.int16] = hops.min(axis=0, initial=np.iinfo(np.int16).max)
        return found


FAR = 1024
LEAFS_WORTH_A_THREAD = 64


def switch_graph(graph: Graph) -> SwitchGraph:
    """The switches of a graph, computed once for each graph. Distances from every leaf.

    Between dragonfly groups a hop counts FAR: minimal is fewest global hops, and of those ways the fewest local ones.
    """
    found = graph.derived.get("switches")
    if found is None:
        found = graph.derived["switches"] = _switch_graph(graph)
    assert isinstance(found, SwitchGraph)
    return found


def _switch_graph(graph: Graph) -> SwitchGraph:
    switches = graph.vertices_of(SWITCH)
    first, n_switches = switches.start, len(switches)
    between = np.flatnonzero((graph.source >= first) & (graph.target >= first)).astype(np.int32)
    source, target = graph.source[between] - first, graph.target[between] - first
    by_pair = np.lexsort((graph.port_order[between], target, source))
    source, target, arcs = source[by_pair], target[by_pair], between[by_pair]
    is_new = np.ones(len(arcs), dtype=bool)
    is_new[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    begins = np.flatnonzero(is_new)
    sizes = np.diff(np.append(begins, len(arcs)))
    # Now bundles in the order of their first port.
    order = np.lexsort((graph.port_order[arcs[begins]], source[begins])) if len(begins) else begins
    begins, sizes = begins[order], sizes[order]
    arc_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    arcs = arcs[np.repeat(begins - arc_start[:-1], sizes) + np.arange(len(arcs))]
    tails = graph.source[arcs[arc_start[:-1]]] - first
    start = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n_switches))]).astype(np.int32)
    head = (graph.target[arcs[arc_start[:-1]]] - first).astype(np.int32)
    bundle = np.repeat(np.arange(len(sizes)), sizes)
    n_bundles = len(sizes)
    capacity_gbps = sums(bundle, graph.capacity_gbps[arcs], n_bundles)
    weighted = sums(bundle, graph.capacity_gbps[arcs] * graph.latency_ns[arcs], n_bundles)
    on_leaf = (graph.target >= first) & (graph.kind[graph.source] == NIC)
    leafs = np.unique(graph.target[on_leaf] - first).astype(np.int32)
    leaf_of = np.full(n_switches, -1, dtype=np.int32)
    leaf_of[leafs] = np.arange(len(leafs), dtype=np.int32)
    group = graph.dragonfly_group[first:]
    is_global = (group[tails] != group[head]) & (group[tails] >= 0) & (group[head] >= 0)
    far = FAR if is_global.any() else 0
    cost = np.where(is_global, FAR, 1).astype(np.int16)
    return SwitchGraph(
        first,
        start,
        head,
        capacity_gbps,
        weighted / capacity_gbps,
        arc_start,
        arcs,
        leafs,
        leaf_of,
        cost,
        far,
        _to_leafs(start, head, cost, far, leafs),
        np.empty((len(leafs), 0), dtype=np.int32),
        np.empty((len(leafs), 0)),
    )


def _to_leafs(
    start: NDArray[np.int32], head: NDArray[np.int32], cost: NDArray[np.int16], far: int, leafs: NDArray[np.int32]
) -> NDArray[np.int16]:
    """(n_leafs, n_switches) see `SwitchGraph.distance`."""

    def piece(first: int, last: int) -> NDArray[np.int16]:
        return distances_to(start, head, cost, far, np.arange(last - first + 1), leafs[first:last])

    return np.concatenate(in_threads(piece, len(leafs), LEAFS_WORTH_A_THREAD))
