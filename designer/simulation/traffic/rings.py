"""Rings through all ranks, one for each channel, as NCCL builds them."""

import numpy as np
from numpy.typing import NDArray

from designer.routing.network import Network
from designer.simulation.traffic.mesh_rings import disjoint_cycles, is_cabled_mesh, is_mesh, mesh_rings
from designer.simulation.traffic.phases import Flows, Pipelines, flows


def servers_of(network: Network, ranks: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The ranks server by server, servers and GPUs in order of first appearance.

    Servers whose GPUs are in one scale-up domain, with its switches drawn, count as one.
    """
    drawn = network.ends.drawn[ranks]
    unit = np.where(drawn >= 0, drawn, network.graph.n_vertices + network.graph.device[ranks])
    _, first, server = np.unique(unit, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    order = np.argsort(place[server], kind="stable")
    return np.split(ranks[order], np.cumsum(np.bincount(place[server]))[:-1])


def ring_flows(
    network: Network, ranks: NDArray[np.int64], step_bytes: float, channels: int | None
) -> tuple[Flows, int]:
    """What every rank passes on in one step of `step_bytes`, and the number of channels it is spread over.

    By default there are as many channels as a server has NICs among its ranks. Channel c enters a server at one GPU and
    leaves it at that GPU's neighbor, in the next server the other way round: so it stays on one rail from server to
    server, and every NIC sends for one channel and receives for one. Inside servers whose GPUs are joined pairwise each
    channel has links of its own.
    """
    n_channels = channels or usual_channels(network, ranks)
    rings = ring_orders(network, ranks, n_channels)
    src = np.concatenate(rings)
    dst = np.concatenate([np.roll(ring, -1) for ring in rings])
    channel = np.repeat(np.arange(n_channels), len(ranks))
    return flows(src, dst, step_bytes / n_channels, channel), n_channels


def ring_pipelines(sent: Flows, rounds: int) -> Pipelines:
    """Every channel's ring by itself: its latency is the sum of its own hops', `rounds` times."""
    return Pipelines(sent.channel, rounds)


def ring_orders(network: Network, ranks: NDArray[np.int64], n_channels: int) -> list[NDArray[np.int64]]:
    """The ranks in the order of each channel's ring."""
    servers = servers_of(network, ranks)
    linked = linked_places(network, servers) if len(servers) > 1 else None
    if linked is None and is_mesh(network, servers):
        return mesh_rings(servers, n_channels)
    if linked is None and is_cabled_mesh(network, ranks):
        return mesh_rings([ranks], n_channels)
    if linked is not None:
        return [_ring_among(servers, linked, channel) for channel in range(n_channels)]
    return [_ring(servers, channel) for channel in range(n_channels)]


def linked_places(network: Network, servers: list[NDArray[np.int64]]) -> list[int] | None:
    """The places of the GPUs that have a linked NIC of their own, where they are the same few in every server.

    None where all GPUs have one, fewer than two do, or servers differ.
    """
    size = len(servers[0])
    if any(len(server) != size for server in servers):
        return None
    own = network.ends.n_own[np.stack(servers)] > 0
    places: list[int] = np.flatnonzero(own[0]).tolist()
    return places if (own == own[0]).all() and 1 < len(places) < size else None


def _ring_among(servers: list[NDArray[np.int64]], linked: list[int], channel: int) -> NDArray[np.int64]:
    """A ring that leaves each server at a GPU with a NIC and enters the next one on the same rail."""
    parts = []
    for at, server in enumerate(servers):
        enter, leave = linked[(channel + at) % len(linked)], linked[(channel + at + 1) % len(linked)]
        between = [(enter + step) % len(server) for step in range(1, len(server))]
        parts.append(server[[enter, *(gpu for gpu in between if gpu != leave), leave]])
    return np.concatenate(parts)


def usual_channels(network: Network, ranks: NDArray[np.int64]) -> int:
    """The largest number of NICs that the ranks of one server leave by; inside one mesh, the rings that fit it."""
    servers = servers_of(network, ranks)
    if len(servers) == 1 and is_mesh(network, servers):
        return len(disjoint_cycles(len(ranks)))
    ends = network.ends
    if ends.scale_up_planes:
        return _channels_of_domains(network, servers)
    nics = np.unique(ends.nic[ranks])
    nics = nics[nics >= 0]
    return max(1, int(np.bincount(network.graph.device[nics]).max(initial=1)))


def _channels_of_domains(network: Network, domains: list[NDArray[np.int64]]) -> int:
    """The largest number of NICs out of a domain; where its links are all there is, those of one GPU."""
    ends, most, links = network.ends, 1, 1
    scale_up = sorted(ends.scale_up_planes)
    for domain in domains:
        inside = np.isin(ends.plane[domain], scale_up)
        outside = ends.nic[domain][~inside]
        most = max(most, len(np.unique(outside[outside >= 0])))
        links = max(links, int(inside.sum(axis=1).max(initial=0)))
    return most if len(domains) > 1 else links


def _ring(servers: list[NDArray[np.int64]], channel: int) -> NDArray[np.int64]:
    size = len(servers[0])
    if all(len(server) == size for server in servers):
        table = np.stack(servers)
        ring = np.empty_like(table)
        for parity in (0, 1):
            ring[parity::2] = table[parity::2, _order(size, channel, parity)]
        return ring.reshape(-1)
    return np.concatenate([server[_order(len(server), channel, at % 2)] for at, server in enumerate(servers)])


def _order(size: int, channel: int, parity: int) -> list[int]:
    """The GPUs of a server in a ring: in at the first, out at the last."""
    enter = channel % size
    leave = enter ^ 1 if size % 2 == 0 else (enter + 1) % size
    if parity and size % 2 == 0:
        enter, leave = leave, enter
    between = [(enter + step) % size for step in range(1, size)]
    return [enter, *(gpu for gpu in between if gpu != leave), leave] if size > 1 else [enter]
