"""Regions: what Valiant routing goes by on its way, dragonfly groups or, elsewhere, single leafs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.graph.distances import distances_to
from designer.routing.network import Network
from designer.routing.transport_kernels import Areas


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """`distance` is the least cost to any switch of a region, as SwitchGraph.distance has it for leafs."""

    of: NDArray[np.int32]  # (n_switches,) the region of a switch; -1 where it is in none
    distance: NDArray[np.int16]  # (n_regions, n_switches)
    are_groups: bool

    @property
    def arrays(self) -> Areas:
        """What kernels read of them."""
        return Areas(self.of, self.distance, np.empty((self.count, 0), dtype=np.int32))

    @property
    def count(self) -> int:
        """How many regions there are."""
        return len(self.distance)


def regions(network: Network) -> Regions:
    """The regions of a network, computed once for each graph."""
    found = network.graph.derived.get("regions")
    if found is None:
        found = network.graph.derived["regions"] = _regions(network)
    assert isinstance(found, Regions)
    return found


def _regions(network: Network) -> Regions:
    switches = network.switches
    group = network.graph.dragonfly_group[switches.first :]
    with_hosts = np.unique(group[switches.leafs])
    with_hosts = with_hosts[with_hosts >= 0]
    if not len(with_hosts):
        return Regions(switches.leaf_of, switches.distance, False)
    number = np.full(int(group.max()) + 2, -1, dtype=np.int32)  # the last one answers for group -1
    number[with_hosts] = np.arange(len(with_hosts))
    of = number[group]
    members = np.flatnonzero(of >= 0).astype(np.int32)
    members = members[np.argsort(of[members], kind="stable")]
    start = np.searchsorted(of[members], np.arange(len(with_hosts) + 1))
    distance = distances_to(switches.start, switches.head, switches.cost, switches.far, start, members)
    return Regions(of, distance, True)
