"""All-to-all under `ecmp`: how many flows cross each arc, without a path written out."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.flows import hashed_kernels
from designer.simulation.flows.over_leafs import summed
from designer.simulation.flows.uniform_hosts import Hosts

MOST_HASHED = 40_000_000
"""Flows that are hashed one by one; of more, how many take each port is drawn for all flows of a leaf at once."""


def loads(
    network: Network, hosts: Hosts, seed: int, progress: Callable[[float], None] | None = None
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc between switches, longest latency in ns) of one flow from each host to each that is no mate.

    Up to MOST_HASHED flows are hashed as `ecmp` hashes them; above, the loads have the distribution hashing gives them,
    and the latency is the longest of any way in use.
    """
    n_hosts = len(hosts.members)
    return summed(
        hashed_kernels.hashed_loads if is_exact(n_hosts) else hashed_kernels.drawn_loads,
        len(network.switches.leafs),
        network.fabric,
        network.graph.latency_ns,
        hosts.arrays(network),
        np.where(hosts.mates >= 0, hosts.mates, n_hosts).min(axis=1),
        hosts.members,
        np.uint64(seed % 2**64),
        progress=progress,
    )


def is_exact(n_members: int) -> bool:
    """Whether the flows between that many members are few enough to hash one by one."""
    return n_members * (n_members - 1) <= MOST_HASHED
