"""Rails from servers that stand there: NIC i of every server on leaf i, on leafs at hand or new ones."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace

from designer.errors import ParameterError, PortInUseError
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, End, Link, Placement
from designer.model.equipping import delivered, missing_types
from designer.model.free_ports import FreePorts
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import NVLINK, Port, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.naming import Names

LEAF_PITCH = 144.0
ROW_STEP = 68.0
LEAF_RISE = 204.0
"""Canvas units between new leafs, between rows, and from the servers up to the leafs."""

Nics = tuple[tuple[Port, ...], ...]
"""Fabric ports of a server, NIC by NIC."""


def make_rails(
    design: Design,
    server_ids: Sequence[str],
    leaf_ids: Sequence[str] = (),
    leaf_type: SwitchType | None = None,
    *,
    catalog_types: Mapping[str, HardwareType] | None = None,
    servers_per_leaf: int | None = None,
    in_runs: bool = False,
) -> Edit:
    """NIC i of every server joined to leaf i, or to leaf i modulo their number where NICs are a multiple of the leafs.

    With `in_runs` NICs that follow each other share a leaf: 1 and 2, not 1 and 5. With a leaf for each port of each
    NIC, port k of NIC i goes to leaf i of plane k. Leafs are taken by rail, else from left to right. Without any,
    leafs of `leaf_type` are added above the servers: one a rail, and as many such sets as the servers need where a
    leaf takes `servers_per_leaf` of them, or as many as it has ports for.
    NICs already on their leaf stay. Raises ParameterError, PortError for what cannot be wired so.
    """
    servers = list(dict.fromkeys(server_ids))
    nics = _alike(design, servers)
    label = f"Make rails of {len(servers)} server{'s' if len(servers) > 1 else ''}"
    if leaf_ids:
        leafs = _in_rail_order(design, list(dict.fromkeys(leaf_ids)))
        return Edit(label, tuple(_wired(design, servers, leafs, nics, in_runs)))
    if leaf_type is None:
        raise ParameterError("select the leaf switches as well, or the type of leaf switch to add")
    if not leaf_type.cages:
        raise ParameterError(f"a {leaf_type.model} is delivered without line cards: it has no ports")
    drawn = design.snapshot()
    changes: list[Change] = []
    for members in _sets(design, servers, nics, leaf_type, servers_per_leaf):
        new = _new_leafs(drawn, members, leaf_type, nics, catalog_types or {})
        drawn.apply(Edit(label, new))
        leafs = [change.after.id for change in new if isinstance(change.after, Device)]
        wired = _wired(drawn, members, leafs, nics)
        drawn.apply(Edit(label, wired))
        changes += [*new, *wired]
    return Edit(label, tuple(changes))


def _alike(design: Design, servers: Sequence[str]) -> Nics:
    """The NICs that all the servers have. Raises ParameterError naming the first that differs."""
    if not servers:
        raise ParameterError("choose the servers to make rails from")
    first = _nics(design, servers[0])
    for server_id in servers:
        name, nics = design.device(server_id).name, _nics(design, server_id)
        if not nics:
            raise ParameterError(f"{name} has no fabric NIC: install one first")
        if [len(nic) for nic in nics] != [len(nic) for nic in first]:
            raise ParameterError(
                f"{name} has {len(nics)} NICs with {sum(map(len, nics))} ports, {design.device(servers[0]).name} "
                f"{len(first)} with {sum(map(len, first))}: rails need servers that are alike"
            )
    return first


def _nics(design: Design, server_id: str) -> Nics:
    name = design.device(server_id).name
    if not design.is_server(server_id):
        raise ParameterError(f"{name} is a switch: rails are made from servers")
    found: dict[str, list[Port]] = {}
    for port in design.ports(server_id):
        if port.purpose == "fabric" and port.protocols != (NVLINK,):
            found.setdefault(port.slot, []).append(port)
    return tuple(map(tuple, found.values()))


def _in_rail_order(design: Design, leafs: list[str]) -> list[str]:
    """By rail, plane by plane, where all have rails of their own, else from left to right."""
    places = [(design.device(one).plane or 0, design.device(one).rail) for one in leafs]
    if all(rail is not None for _, rail in places) and len(set(places)) == len(leafs):
        return [one for _, one in sorted(zip(places, leafs, strict=True))]
    spots = {one: (p.x, p.y) if (p := design.placements.get(one)) else (0.0, 0.0) for one in leafs}
    return sorted(leafs, key=lambda one: (*spots[one], leafs.index(one)))


def _wired(
    design: Design, servers: Sequence[str], leafs: Sequence[str], nics: Nics, in_runs: bool = False
) -> tuple[Change, ...]:
    """Rails of leafs that have none yet, and the links that are missing, server by server."""
    leaf_of, n_rails = _leafs_of_ports(len(leafs), nics, in_runs)
    wanted: list[tuple[str, Port, str]] = []
    for server_id in servers:
        ports = [port for nic in _nics(design, server_id) for port in nic]
        for port, leaf in zip(ports, leaf_of, strict=True):
            if not _already(design, End(server_id, port.name), leafs[leaf]):
                wanted.append((server_id, port, leafs[leaf]))
    budget = FreePorts(design)
    for leaf_id in leafs:
        needing = list(dict.fromkeys(server for server, _, leaf in wanted if leaf == leaf_id))
        if needing:
            budget.require(leaf_id, needing, sum(leaf == leaf_id for _, _, leaf in wanted))
    free = {leaf_id: deque(design.free_ports(leaf_id)) for leaf_id in leafs}
    ids = design.new_ids("links", len(wanted))
    links = [
        Link(link_id, End(server_id, port.name), End(leaf_id, _taken(design, free[leaf_id], leaf_id, server_id, port)))
        for link_id, (server_id, port, leaf_id) in zip(ids, wanted, strict=True)
    ]
    step = len(nics) // n_rails if in_runs else 1
    return (*_rail_numbers(design, leafs, n_rails, step), *added(links))


def _leafs_of_ports(n_leafs: int, nics: Nics, in_runs: bool) -> tuple[list[int], int]:
    """The leaf of each port of a server, NIC by NIC, and how many rails there are."""
    n_nics, n_planes = len(nics), len(nics[0])
    if n_nics % n_leafs == 0 and in_runs:
        return [number // (n_nics // n_leafs) for number, nic in enumerate(nics) for _ in nic], n_leafs
    if n_nics % n_leafs == 0:
        return [number % n_leafs for number, nic in enumerate(nics) for _ in nic], n_leafs
    if n_planes > 1 and n_leafs == n_nics * n_planes and all(len(nic) == n_planes for nic in nics):
        return [plane * n_nics + number for number in range(n_nics) for plane in range(n_planes)], n_nics
    even = " or ".join(str(number) for number in range(2, n_nics) if n_nics % number == 0)
    raise ParameterError(
        f"{n_nics} NICs per server do not spread evenly over {n_leafs} leaf switches: choose {n_nics} leaf switches, "
        f"one per rail{f', or {even} that several NICs share' if even else ''}"
    )


def sharing_rails(
    design: Design, server_ids: Sequence[str], leaf_ids: Sequence[str], *, in_runs: bool = False
) -> dict[str, list[int]]:
    """The rails of each leaf that carries several, as `make_rails` would wire it; {} where each has one.

    Raises ParameterError where rails cannot be made so.
    """
    servers = list(dict.fromkeys(server_ids))
    leafs, nics = _in_rail_order(design, list(dict.fromkeys(leaf_ids))), _alike(design, servers)
    if not leafs:
        return {}
    of_ports, _ = _leafs_of_ports(len(leafs), nics, in_runs)
    of_nics = [number for number, nic in enumerate(nics, start=1) for _ in nic]
    rails: dict[str, set[int]] = {}
    for leaf, rail in zip(of_ports, of_nics, strict=True):
        rails.setdefault(leafs[leaf], set()).add(rail)
    return {leaf: sorted(held) for leaf, held in rails.items() if len(held) > 1}


def _already(design: Design, end: End, leaf_id: str) -> bool:
    """The port is on its leaf. Raises PortInUseError where it is on something else."""
    for link_id in design.links_at(end):
        link = design.links[link_id]
        other = link.b if link.a == end else link.a
        if other.device_id == leaf_id:
            return True
        raise PortInUseError(
            f"{design.end_name(end)} is linked to {design.end_name(other)}, and its rail to "
            f"{design.device(leaf_id).name}: remove that link first"
        )
    return False


def _taken(design: Design, free: deque[Port], leaf_id: str, server_id: str, port: Port) -> str:
    """The leaf's next free port that the NIC's port can be joined to."""
    for number, candidate in enumerate(free):
        if matching.port_compatibility(candidate, port) is None:
            del free[number]
            return candidate.name
    reason = matching.explain(design, server_id, port, leaf_id, free[0]) if free else None
    raise ParameterError(reason or f"{design.device(leaf_id).name} has no free port left for all of these servers")


def _rail_numbers(design: Design, leafs: Sequence[str], n_rails: int, step: int) -> list[Change]:
    """The first rail of each leaf, `step` from that of one to that of the next, and its plane where there are more."""
    planes = len(leafs) // n_rails
    changes = []
    for number, leaf_id in enumerate(leafs):
        leaf = design.device(leaf_id)
        rail = leaf.rail if leaf.rail is not None else number % n_rails * step + 1
        plane = leaf.plane if leaf.plane is not None or planes == 1 else number // n_rails + 1
        after = replace(leaf, rail=rail, plane=plane, role=leaf.role or "leaf")
        if after != leaf:
            changes.append(Change(leaf, after))
    return changes


# -- leafs that are added ----------------------------------------------------------------------------------------------


def _sets(
    design: Design, servers: Sequence[str], nics: Nics, leaf_type: SwitchType, servers_per_leaf: int | None
) -> list[list[str]]:
    """The servers in runs of one size, each with leafs of its own."""
    per_leaf = max(map(len, nics))
    most = leaf_type.n_ports(_joining_mode(leaf_type, nics)) // per_leaf
    if servers_per_leaf is not None and not 1 <= servers_per_leaf <= most:
        raise ParameterError(f"a {leaf_type.model} takes 1 to {most} of these servers, not {servers_per_leaf}")
    if not most:
        name = design.device(servers[0]).name
        raise ParameterError(f"a {leaf_type.model} has too few ports for one NIC of {name}")
    n_sets = -(-len(servers) // (servers_per_leaf or most))
    size = -(-len(servers) // n_sets)
    return [list(servers[first : first + size]) for first in range(0, len(servers), size)]


def _joining_mode(leaf_type: SwitchType, nics: Nics) -> PortMode:
    """The first mode of the switch whose ports the servers' NICs join. Raises ParameterError."""
    reasons = []
    for mode in leaf_type.modes:
        port = switch_ports(replace(leaf_type, cages=(replace(leaf_type.cages[0], count=1),)), mode.name)[0]
        reasons.append(matching.port_compatibility(port, nics[0][0], leaf_type.model, "the servers' NICs"))
        if reasons[-1] is None:
            return mode
    why = reasons[0] or f"no cable joins a {leaf_type.model} and these servers"
    way_out = "choose another type of leaf switch, or install other NICs in the servers"
    raise ParameterError(f"{why}{'; ' if ': ' in why else ': '}{way_out}")


def _new_leafs(
    design: Design, servers: Sequence[str], leaf_type: SwitchType, nics: Nics, catalog_types: Mapping[str, HardwareType]
) -> tuple[Change, ...]:
    """One leaf a rail in a row above the servers, in the group that all of these are in."""
    mode = _joining_mode(leaf_type, nics)
    groups = {design.device(one).group_id for one in servers}
    group_id = groups.pop() if len(groups) == 1 else None
    names = Names(device.name for device in design.devices.values())
    types = missing_types(design, leaf_type, catalog_types)
    leafs = [
        Device(
            device_id,
            names.first("leaf"),
            leaf_type.id,
            role="leaf",
            group_id=group_id,
            port_mode=mode.name if mode != leaf_type.modes[0] else "",
            rail=rail,
        )
        for rail, device_id in enumerate(design.new_ids("devices", len(nics)), start=1)
    ]
    spots = _row_above(design, servers, len(leafs))
    placements = [Placement(leaf.id, x, y) for leaf, (x, y) in zip(leafs, spots, strict=True)]
    return added([*types, *leafs, *delivered(design, {leaf.id: leaf_type for leaf in leafs}), *placements])


def _row_above(design: Design, servers: Sequence[str], count: int) -> list[tuple[float, float]]:
    """Centres of a row over the servers' middle, in the lowest row where nothing stands."""
    places = [design.placements[one] for one in servers if one in design.placements]
    middle = (min(p.x for p in places) + max(p.x for p in places)) / 2 if places else 0.0
    y = min((p.y for p in places), default=0.0) - LEAF_RISE
    left = middle - (count - 1) * LEAF_PITCH / 2
    right = left + (count - 1) * LEAF_PITCH
    there = [p for p in design.placements.values() if left - LEAF_PITCH < p.x < right + LEAF_PITCH]
    while any(abs(p.y - y) < ROW_STEP for p in there):
        y -= ROW_STEP
    return [(round(left + number * LEAF_PITCH, 1), round(y, 1)) for number in range(count)]
