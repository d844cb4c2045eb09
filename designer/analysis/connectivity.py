"""Connectivity: which devices hang together, and which endpoints cannot reach the rest."""

from collections import Counter
from dataclasses import dataclass
from operator import attrgetter

from designer.analysis.survey import Survey
from designer.graph import components as search
from designer.model.entities import order_key
from designer.model.hardware.ports import NVLINK


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
    devices = [device.id for device in (*surveyed.hosts, *surveyed.switches)]
    return search.components(devices, ((run.low.device_id, run.high.device_id) for run in surveyed.own_runs))


def cut_off(surveyed: Survey) -> list[CutOff]:
    """Hosts that have no link, or cannot reach the servers the best-joined one reaches, in design order.

    Servers do not forward: two of them reach each other through switches they share, or over a link of their own.
    """
    servers = [server.id for server in surveyed.hosts]
    if len(servers) < 2:
        return []
    reach, islands = _reach(surveyed, servers)
    index = {server: number for number, server in enumerate(servers)}
    counts = {id(mask): mask.bit_count() for mask in {id(mask): mask for mask in reach.values()}.values()}
    sizes = {server: counts[id(mask)] for server, mask in reach.items()}
    best = max(servers, key=lambda server: (sizes[server], bool(islands[server]), -index[server]))
    found = []
    for server in servers:
        inside = reach[server] is reach[best] or reach[best] >> index[server] & 1
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
    parts = _switch_parts(surveyed)
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
        reach[server] = by_islands[key] or 1 << index[server]  # one mask for all on the same islands: it has them all
    return reach, {server: list(touched) for server, touched in islands.items()}


def _switch_parts(surveyed: Survey) -> list[list[str]]:
    """Ids of the switches that links between switches hold together."""
    servers = {server.id for server in surveyed.hosts}
    pairs = [
        (run.low.device_id, run.high.device_id)
        for run in surveyed.fabric_runs
        if run.low.device_id not in servers and run.high.device_id not in servers
    ]
    return search.components([switch.id for switch in surveyed.switches], pairs)


@dataclass(frozen=True, slots=True)
class Piece:
    """Switches that links between switches hold together, and the servers on them. Ids in design order.

    `ways` has for each server what it is linked here by: the GPUs whose NICs are, by number, or the slots of NICs that
    belong to no single GPU.
    """

    leafs: tuple[str, ...]
    ways: dict[str, frozenset[int | str]]


def bridged(surveyed: Survey) -> list[Piece]:
    """The pieces of the fabric that servers alone hold together: two or more, or none.

    Switches of scale-up domains count for none: these domains are apart by design.
    """
    parts = _switch_parts(surveyed)
    if len(parts) < 2:
        return []
    servers = {server.id for server in surveyed.hosts}
    part_of = {device_id: number for number, part in enumerate(parts) for device_id in part}
    leafs: list[dict[str, None]] = [{} for _ in parts]
    ways: list[dict[str, set[int | str]]] = [{} for _ in parts]
    for run in surveyed.fabric_runs:
        for near, port, far in (
            (run.low, run.low_port, run.high),
            (run.high, run.high_port, run.low),
        ):
            if near.device_id not in servers or port is None or port.protocols == (NVLINK,):
                continue
            if far.device_id in part_of:
                number = part_of[far.device_id]
                leafs[number][far.device_id] = None
                ways[number].setdefault(near.device_id, set()).add(port.slot if port.gpu is None else port.gpu)
    found = [
        Piece(tuple(sorted(own, key=order_key)), {server: frozenset(by) for server, by in used.items()})
        for own, used in zip(leafs, ways, strict=True)
        if used
    ]
    touched = Counter(server for piece in found for server in piece.ways)
    joined = [piece for piece in found if any(touched[server] > 1 for server in piece.ways)]
    return joined if len(joined) > 1 else []


def is_by_design(surveyed: Survey, pieces: list[Piece]) -> bool:
    """Whether pieces are rails or planes, each by itself: none of their switches has to reach those of another.

    So it is where all leafs state rails, or planes, or rails within planes, that no other piece has; where each piece
    serves one and the same GPU of every server; and where every GPU that is linked at all is linked to every piece.
    """
    design = surveyed.design
    for stated in (attrgetter("rail"), attrgetter("plane"), attrgetter("rail", "plane")):
        labels = [{stated(design.device(leaf)) for leaf in piece.leafs} for piece in pieces]
        every = set().union(*labels)
        is_stated = all(None not in (label if isinstance(label, tuple) else (label,)) for label in every)
        if is_stated and len(every) == sum(len(own) for own in labels):
            return True
    used = [set().union(*piece.ways.values()) for piece in pieces]
    if all(len(own) == 1 for own in used):
        return True
    servers = {server for piece in pieces for server in piece.ways}
    return all(len({piece.ways.get(server) for piece in pieces}) == 1 for server in servers)
