"""All-to-all under `ecmp`: how many flows cross each arc, without a path written out."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from designer.routing.ecmp import seed_of
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
    each = [_of_queue_pair(network, hosts, seed, number, progress) for number in range(network.queue_pairs)]
    return np.sum([flows_on for flows_on, _ in each], axis=0) / len(each), max(longest for _, longest in each)


def _of_queue_pair(
    network: Network, hosts: Hosts, seed: int, number: int, progress: Callable[[float], None] | None
) -> tuple[NDArray[np.float64], float]:
    n_hosts, n_all = len(hosts.members), network.queue_pairs

    def part(share: float) -> None:
        if progress is not None:
            progress((number + share) / n_all)

    return summed(
        hashed_kernels.hashed_loads if is_exact(n_hosts) else hashed_kernels.drawn_loads,
        len(network.switches.leafs),
        network.fabric,
        network.graph.latency_ns,
        hosts.arrays(network),
        np.where(hosts.mates >= 0, hosts.mates, n_hosts).min(axis=1),
        hosts.members,
        np.uint64(seed_of(seed, number) % 2**64),
        progress=part if progress is not None else None,
    )


def is_exact(n_members: int) -> bool:
    """Whether the flows between that many members are few enough to hash one by one."""
    return n_members * (n_members - 1) <= MOST_HASHED
