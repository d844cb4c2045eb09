"""All-to-all under `ecmp`, or in pieces: how many flows cross each arc, without a path written out."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.routing import pieces_kernels
from designer.routing.ecmp import seed_of
from designer.routing.network import Network
from designer.simulation.flows import hashed_kernels
from designer.simulation.flows.hashed_kernels import Sent
from designer.simulation.flows.over_leafs import summed
from designer.simulation.flows.uniform_hosts import Hosts

MOST_HASHED = 40_000_000
"""Flows that are hashed one by one; of more, how many take each port is drawn for all flows of a leaf at once."""


def loads(
    network: Network,
    hosts: Hosts,
    seed: int,
    progress: Callable[[float], None] | None = None,
    n_pieces: float | None = None,
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc between switches, longest latency in ns) of one flow from each host to each that is no mate.

    Up to MOST_HASHED flows are hashed as `ecmp` hashes them; above, the loads have the distribution hashing gives them,
    and the latency is the longest of any way in use. With `n_pieces` each flow goes in so many, which are not hashed
    but placed: as many on each port as the port choice would.
    """
    if n_pieces is not None:
        choice = network.switching.choice_number
        pieces_on, longest = _summed(
            hashed_kernels.drawn_loads, network, hosts, _sent(network, hosts, seed, n_pieces, choice), progress
        )
        return pieces_on / n_pieces, longest
    each = [_of_queue_pair(network, hosts, seed, number, progress) for number in range(network.switching.queue_pairs)]
    return np.sum([flows_on for flows_on, _ in each], axis=0) / len(each), max(longest for _, longest in each)


def _of_queue_pair(
    network: Network, hosts: Hosts, seed: int, number: int, progress: Callable[[float], None] | None
) -> tuple[NDArray[np.float64], float]:
    n_all = network.switching.queue_pairs

    def part(share: float) -> None:
        if progress is not None:
            progress((number + share) / n_all)

    return _summed(
        hashed_kernels.hashed_loads if is_exact(len(hosts.members)) else hashed_kernels.drawn_loads,
        network,
        hosts,
        _sent(network, hosts, seed_of(seed, number), 1.0, pieces_kernels.RANDOM),
        part if progress is not None else None,
    )


def _sent(network: Network, hosts: Hosts, seed: int, n_pieces: float, choice: int) -> Sent:
    crossbar = np.where(hosts.mates >= 0, hosts.mates, len(hosts.members)).min(axis=1)
    return Sent(crossbar, hosts.members, np.uint64(seed % 2**64), n_pieces, choice)


def _summed(
    kernel: Callable[..., Any],
    network: Network,
    hosts: Hosts,
    sent: Sent,
    progress: Callable[[float], None] | None,
) -> tuple[NDArray[np.float64], float]:
    graph, arrays = network.graph, hosts.arrays(network)
    given = network.fabric, graph.latency_ns, arrays, sent, graph.capacity_gbps
    return summed(kernel, len(network.switches.leafs), *given, progress=progress)


def is_exact(n_members: int) -> bool:
    """Whether the flows between that many members are few enough to hash one by one."""
    return n_members * (n_members - 1) <= MOST_HASHED
