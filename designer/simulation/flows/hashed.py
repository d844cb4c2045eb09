"""All-to-all under `ecmp`: how many flows cross each arc, without a path written out."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.flows import hashed_kernels
from designer.simulation.flows.over_leafs import summed

MOST_HASHED = 40_000_000
"""Flows that are hashed one by one; of more, how many take each port is drawn for all flows of a leaf at once."""


def loads(
    network: Network,
    members: NDArray[np.int64],
    leaf: NDArray[np.int32],
    start: NDArray[np.int64],
    mates: NDArray[np.int64],
    longest: list[NDArray[np.float64]],
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> tuple[NDArray[np.float64], float]:
    """(flows by arc between switches, longest latency in ns) of one flow from each member to each that is no mate.

    Members are sorted by leaf; those of leaf k are start[k] to start[k + 1]. `mates` are padded with -1. Up to
    MOST_HASHED flows are hashed as `ecmp` hashes them; above, the loads have the distribution hashing gives them, and
    the latency is the longest of any way in use.
    """
    switches, graph = network.switches, network.graph
    crossbar = np.where(mates >= 0, mates, len(members)).min(axis=1)
    kernel = hashed_kernels.hashed_loads if is_exact(len(members)) else hashed_kernels.drawn_loads
    return summed(
        kernel,
        len(switches.leafs),
        switches.start,
        switches.head,
        switches.cost,
        switches.arc_start,
        switches.arcs,
        graph.latency_ns,
        switches.leafs,
        switches.distance,
        switches.only,
        start,
        leaf,
        crossbar,
        members,
        longest[0],
        longest[1],
        graph.n_arcs,
        np.uint64(seed % 2**64),
        progress=progress,
    )


def is_exact(n_members: int) -> bool:
    return n_members * (n_members - 1) <= MOST_HASHED
