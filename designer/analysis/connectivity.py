"""Connectivity: which devices hang together, and which endpoints cannot reach the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

from designer.analysis.survey import Survey


@dataclass(frozen=True, slots=True)
class CutOff:
    """A server that does not reach all others over the fabric.

    `reached` counts the other servers it reaches; `missed` names one it does not; `linked` is False where the
    server has no fabric link at all.
    """

    device_id: str
    linked: bool
    reached: int
    missed: str


def components(surveyed: Survey) -> list[list[str]]:
    """Device ids of each connected component, over the network's links; devices without links stand alone."""
    devices = [device.id for device in (*surveyed.servers, *surveyed.switches)]
    return _joined(devices, ((run.low.device_id, run.high.device_id) for run in surveyed.own_runs))


def cut_off(surveyed: Survey) -> list[CutOff]:
    """Servers that have no link, or cannot reach the servers the best-joined one reaches, in design order.

    Servers do not forward: two of them reach each other through switches they share, or over a link of their own.
    """
    servers = [server.id for server in surveyed.servers]
    if len(servers) < 2:
        return []
    reach, islands = _reach(surveyed, servers)
    index = {server: number for number, server in enumerate(servers)}
    sizes = {server: mask.bit_count() for server, mask in reach.items()}
    best = max(servers, key=lambda server: (sizes[server], bool(islands[server]), -index[server]))
    found = []
    for server in servers:
        inside = reach[best] >> index[server] & 1
        if islands[server] and inside and sizes[server] == sizes[best]:
            continue
        # Name a server of the main part; one that the best-joined server reaches and this one does not.
        missing = reach[best] & ~reach[server]
        missed = servers[(missing & -missing).bit_length() - 1] if missing else best
        found.append(CutOff(server, bool(islands[server]), sizes[server] - 1, missed))
    return found


def _reach(surveyed: Survey, servers: list[str]) -> tuple[dict[str, int], dict[str, list[int]]]:
    """For each server the bit mask of the servers it reaches (itself included), and the islands it is linked to."""
    is_server = set(servers)
    runs = surveyed.fabric_runs
    switch_pairs = [
        (run.low.device_id, run.high.device_id)
        for run in runs
        if run.low.device_id not in is_server and run.high.device_id not in is_server
    ]
    parts = _joined([switch.id for switch in surveyed.switches], switch_pairs)
    island_of = {device_id: number for number, part in enumerate(parts) for device_id in part}
    n_islands = len(parts)
    islands: dict[str, dict[int, None]] = {server: {} for server in servers}
    for run in runs:
        low, high = run.low.device_id, run.high.device_id
        if low in is_server and high in is_server:
            islands[low][n_islands] = islands[high][n_islands] = None
            n_islands += 1
        elif low in is_server:
            islands[low][island_of[high]] = None
        elif high in is_server:
            islands[high][island_of[low]] = None
    index = {server: number for number, server in enumerate(servers)}
    members: dict[int, bytearray] = {}
    for server, touched in islands.items():
        for island in touched:
            bits = members.setdefault(island, bytearray(len(servers) // 8 + 1))
            bits[index[server] // 8] |= 1 << index[server] % 8
    masks = {island: int.from_bytes(bits, "little") for island, bits in members.items()}
    reach: dict[str, int] = {}
    by_islands: dict[tuple[int, ...], int] = {}
    for server, touched in islands.items():
        key = tuple(sorted(touched))
        if key not in by_islands:
            mask = 0
            for island in key:
                mask |= masks[island]
            by_islands[key] = mask
        reach[server] = by_islands[key] | 1 << index[server]
    return reach, {server: list(touched) for server, touched in islands.items()}


def _joined(members: list[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The members in groups that the pairs hold together, each group and all groups in member order."""
    # Loaded here: it would take a tenth of a second of every start of the window.
    import networkx

    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(members)
    graph.add_edges_from(pairs)
    place = {member: number for number, member in enumerate(members)}
    return [sorted(part, key=place.__getitem__) for part in networkx.connected_components(graph)]
