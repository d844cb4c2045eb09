"""Rings inside servers whose GPUs are joined pairwise: each channel over neighbors of its own.

On such a mesh a ring that goes from GPU i to GPU i + 1 in every channel loads one link of each GPU and leaves the
others idle. Channels here share no link, one direction: they follow disjoint Hamiltonian cycles of the complete graph
where all ranks are in one server, disjoint Hamiltonian paths where the rings go on to other servers.
Sources: W. Walecki (1892), in B. Alspach, "The wonderful Walecki construction" (2008); T. W. Tillson, "A Hamiltonian
decomposition of K*2m, 2m >= 8" (1980).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network

OF_EIGHT = (
    (0, 5, 6, 3, 7, 2, 1, 4),
    (0, 4, 2, 3, 5, 7, 1, 6),
    (0, 3, 2, 7, 5, 4, 6, 1),
    (0, 7, 6, 2, 4, 1, 5, 3),
    (0, 6, 7, 4, 3, 1, 2, 5),
    (0, 2, 6, 5, 1, 3, 4, 7),
    (0, 1, 7, 3, 6, 4, 5, 2),
)
"""Seven cycles over all 56 links of 8 GPUs, each link in one direction once: one more than Walecki's, as Tillson."""

Ranks = NDArray[np.int64]


@lru_cache(maxsize=64)
def disjoint_cycles(size: int) -> tuple[tuple[int, ...], ...]:
    """Directed Hamiltonian cycles of the complete graph that share no directed edge.

    All n - 1 there can be for odd n, for 2 and for 8; n - 2 for other even n (for 4 and 6 no more exist).
    """
    if size <= 2:
        return (tuple(range(size)),)
    if size == 8:
        return OF_EIGHT
    modulus = size - 1
    there = [(modulus, *((place + turn) % modulus for place in _zigzag(modulus))) for turn in range((size - 1) // 2)]
    return tuple(cycle for one in there for cycle in (one, (one[0], *one[:0:-1])))


def path_from(size: int, start: int) -> tuple[int, ...]:
    """A Hamiltonian path of the complete graph on an even number of places; no two starts share a directed edge.

    It ends half of all places away from where it starts.
    """
    return tuple((start + step) % size for step in _zigzag(size))


def _zigzag(modulus: int) -> tuple[int, ...]:
    """0, 1, -1, 2, -2, ... modulo: neighbors differ by 1, -2, 3, -4, ..., each once."""
    return tuple(((step + 1) // 2 if step % 2 else -(step // 2)) % modulus for step in range(modulus))


def is_mesh(network: Network, servers: list[Ranks]) -> bool:
    """Whether the ranks of every server, as many in each and more than one, are joined pairwise."""
    if len(servers[0]) < 2 or any(len(server) != len(servers[0]) for server in servers):
        return False
    table, ends = np.stack(servers), network.ends
    domain = ends.domain[table]
    return bool(((domain >= 0) & (ends.to_domain[table] < 0) & (domain == domain[:, :1])).all())


def is_cabled_mesh(network: Network, ranks: Ranks) -> bool:
    """Whether every rank has a NIC cabled to one of each other rank: a mesh whose links are drawn."""
    ends = network.ends
    if len(ranks) < 2 or len(ranks) > ends.n_ways + 1:
        return False
    owner = np.full(network.graph.n_vertices + 1, -1, dtype=np.int64)  # one more, for NIC -1: none
    owner[ends.nic[ranks]] = ranks[:, np.newaxis]
    owner[-1] = -1
    peers = owner[ends.facing[ranks]]
    return all(set(ranks.tolist()) <= {rank, *row} for rank, row in zip(ranks.tolist(), peers.tolist(), strict=True))


def mesh_rings(servers: list[Ranks], n_channels: int) -> list[Ranks]:
    """The ranks in the order of each channel's ring, links inside servers shared by as few channels as can be."""
    size = len(servers[0])
    cycles = disjoint_cycles(size)
    if len(servers) == 1:
        return [servers[0][list(cycles[channel % len(cycles)])] for channel in range(n_channels)]
    return [_through_servers(servers, channel, size, cycles) for channel in range(n_channels)]


def line_in_server(server: Ranks, lane: int) -> Ranks:
    """The ranks of one server from place `lane` on, for trees: links shared by as few lanes as can be."""
    size = len(server)
    return server[list(path_from(size, lane % size))] if size % 2 == 0 else np.roll(server, -(lane % size))


def _through_servers(servers: list[Ranks], channel: int, size: int, cycles: tuple[tuple[int, ...], ...]) -> Ranks:
    """A ring that enters the next server on the rail by which it leaves one."""
    parts, enter = [], channel % size
    for server in servers:
        if size % 2 == 0:
            path = path_from(size, enter)
        else:
            cycle = cycles[channel % len(cycles)]
            at = cycle.index(enter)
            path = cycle[at:] + cycle[:at]
        parts.append(server[list(path)])
        enter = path[-1]
    return np.concatenate(parts)
