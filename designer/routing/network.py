"""A graph made ready for routing: switches, attachments, and what fat-tree forwarding needs of the tiers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import Graph
from designer.graph.switches import SwitchGraph, switch_graph
from designer.routing.attachment import Attachment, attachment
from designer.routing.given import Switching
from designer.routing.tables.forwarding import Forwarding
from designer.routing.transport_kernels import Bundles, Fabric, Goals, Ports

LARGEST_DIVISOR = 2**40
SWITCHING = Switching()


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """`divisor` is w_1 * .. * w_l of a switch of level l: what D-mod-K divides a destination by before the modulo."""

    graph: Graph
    switches: SwitchGraph
    ends: Attachment
    divisor: NDArray[np.int64]  # (n_switches,)
    forwarding: Forwarding | None = None
    """What policy `tables` goes by."""
    switching: Switching = SWITCHING

    @property
    def fabric(self) -> Fabric:
        """The switches as kernels take them."""
        of = self.switches
        return Fabric(
            Bundles(of.start, of.head, of.cost, of.capacity_gbps, of.behind),
            Goals(of.leafs, of.distance, of.only),
            Ports(of.arc_start, of.arcs, self.divisor),
        )


def network(graph: Graph) -> Network:
    """The network of a graph, computed once for each graph."""
    switches = switch_graph(graph)
    # Without the graph itself: large arrays that hold each other in a cycle would wait for the garbage collector.
    found = graph.derived.get("network")
    if found is None:
        found = graph.derived["network"] = attachment(graph, switches), _divisors(switches)
    ends, divisor = found
    return Network(graph, switches, ends, divisor)


def _divisors(switches: SwitchGraph) -> NDArray[np.int64]:
    """By switch: the product over the tiers below it of the number of switches each one has above it.

    A switch's tier is its distance from the nearest leaf. Tiers of a parallel generalized fat-tree are even, so this is
    D-mod-K's divisor there; elsewhere the widest switch of a tier counts, which keeps the choice spread.
    """
    if not len(switches.leafs):
        return np.ones(switches.n_switches, dtype=np.int64)
    tier = switches.tier
    tail = switches.tail
    parents = np.bincount(tail[tier[switches.head] == tier[tail] + 1], minlength=switches.n_switches)
    divisor = np.ones(switches.n_switches, dtype=np.int64)
    product = 1
    for level in range(int(tier[tier < np.iinfo(np.int16).max].max()) + 1):
        divisor[tier == level] = product
        product = min(product * max(1, int(parents[tier == level].max(initial=1))), LARGEST_DIVISOR)
    return divisor
