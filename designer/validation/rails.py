"""Rules about rails and planes: every unit has its leafs, servers are on those of their unit, planes stay apart."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from designer.analysis.survey import Run
from designer.model.entities import Device
from designer.units import format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.joining import Moves
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, ROOM, Scope
from designer.validation.sources import HPN, SUPERPOD_RAILS
from designer.validation.subjects import NAMED, listed


@rule(
    "RAIL-002",
    Severity.ERROR,
    "Unit without a leaf for a rail",
    "The NICs of that rail have no leaf switch in their unit, so its GPUs do not share one as those of other units do.",
    remedy="Add a leaf switch for the rail to the unit, or state which leaf switch serves it.",
    example="Unit 1 has leafs for rails 1 to 8, unit 2 for rails 1 to 7; all servers have eight NICs.",
    source=SUPERPOD_RAILS,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def unit_without_leaf(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds units whose servers have a NIC for a rail that has a leaf in half of the units or more but none in theirs.

    A leaf that states no unit serves all units. Subjects are the other leafs of the unit.
    """
    leafs = _leafs_by_unit(seen)
    units = {server.unit for server in seen.survey.servers if server.unit is not None} & set(leafs)
    everywhere = {leaf.rail for leaf in seen.survey.switches if leaf.rail is not None and leaf.unit is None}
    counts = Counter(rail for unit in units for rail in leafs[unit])
    usual = [rail for rail in sorted(counts) if 2 * counts[rail] >= len(units)]
    wanted = _rails_of_units(seen) if len(units) > 1 else {}
    for unit in sorted(units):
        missing = [rail for rail in usual if rail in wanted.get(unit, ()) and rail not in leafs[unit]]
        missing = [rail for rail in missing if rail not in everywhere]
        if missing:
            yield this.finding(
                f"Unit {unit} has no leaf switch for {'rail' if len(missing) == 1 else 'rails'} "
                f"{listed([str(rail) for rail in missing])}, which {format_counted(counts[missing[0]], 'other unit')} "
                f"{'have' if counts[missing[0]] > 1 else 'has'}",
                tuple(leaf.id for rail in sorted(leafs[unit]) for leaf in leafs[unit][rail]),
                value=len(usual) - len(missing),
                limit=len(usual),
                aspect=f"unit {unit}",
            )


@rule(
    "RAIL-003",
    Severity.WARNING,
    "Server on the leaf of another unit",
    "Traffic between this server and its unit on that rail climbs to the spines.",
    remedy="Connect the NIC to the leaf switch of its rail in the server's own unit.",
    fix="Moves the links to the leaf switch of the rail in the server's unit, where ports are free.",
    example="A server of unit 1 has its third NIC on the leaf for rail 3 of unit 2.",
    source=SUPERPOD_RAILS,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM),
)
def leaf_of_another_unit(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers with links to a rail's leaf of another unit while their own unit has a leaf for that rail.

    One finding for each server. Subjects are the server and those leafs.
    """
    leafs = _leafs_by_unit(seen)
    if len(leafs) < 2:
        return
    design = seen.design
    of_leaf = {leaf.id: leaf for own in leafs.values() for same in own.values() for leaf in same}
    away: dict[str, list[Run]] = {}
    for run in seen.survey.fabric_runs:
        leaf = of_leaf.get(run.high.device_id)
        if leaf is None or leaf.unit == (unit := design.devices[run.low.device_id].unit) or unit is None:
            continue
        if design.is_server(run.low.device_id) and leaf.rail in leafs.get(unit, ()):
            away.setdefault(run.low.device_id, []).append(run)
    for server_id, runs in away.items():
        server = design.devices[server_id]
        others = dict.fromkeys(run.high.device_id for run in runs)
        names = listed([seen.name(one) for one in others])
        moves = Moves(seen)
        moved = [_move_home(moves, run, leafs[server.unit or 0][of_leaf[run.high.device_id].rail or 0]) for run in runs]
        label = f"Move {format_counted(len(moves), 'link')} of {server.name} to the leaf switches of its unit"
        yield this.finding(
            f"{server.name} of unit {server.unit} is linked to {names} of unit {of_leaf[next(iter(others))].unit}",
            (server_id, *others),
            value=len(runs),
            limit=0,
            fix=moves.edit(label) if all(moved) else None,
        )


def _move_home(moves: Moves, run: Run, leafs: Sequence[Device]) -> bool:
    """Move the upper end of a link to one of the leafs."""
    return any(moves.move(run.link.id, run.high.device_id, leaf.id) for leaf in leafs)


@rule(
    "RAIL-004",
    Severity.INFO,
    "Rails in another order than GPUs",
    "All servers agree, so that the rails are sound; people and scripts still expect GPU n on rail n.",
    remedy="Number the rails of the leaf switches after the GPUs, or keep the order and note it.",
    example="In every server the NIC of GPU 0 is on rail 2 and that of GPU 1 on rail 1.",
    source=SUPERPOD_RAILS,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def rails_in_another_order(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds types of servers whose GPUs are each on one rail of their own, in all servers the same, but not GPU n on n.

    Subjects are the first servers of the type.
    """
    design = seen.design
    rails = {switch.id: switch.rail for switch in seen.survey.switches if switch.rail is not None}
    found: dict[str, dict[int, set[int]]] = {}
    servers: dict[str, dict[str, None]] = {}
    for run in seen.survey.fabric_runs if rails else ():
        rail, port = rails.get(run.high.device_id), run.low_port
        if rail is not None and port is not None and port.gpu is not None and design.is_server(run.low.device_id):
            type_id = design.devices[run.low.device_id].type_id
            found.setdefault(type_id, {}).setdefault(port.gpu + 1, set()).add(rail)
            servers.setdefault(type_id, {})[run.low.device_id] = None
    for type_id, on in found.items():
        order = [next(iter(on[gpu])) for gpu in sorted(on) if len(on[gpu]) == 1]
        if len(order) < len(on) or len(set(order)) < len(order) or set(order) != set(on) or order == sorted(on):
            continue
        gpu = next(gpu for gpu, rail in zip(sorted(on), order, strict=True) if gpu != rail)
        yield this.finding(
            f"{design.types[type_id].model}: GPU {gpu - 1} is on rail {next(iter(on[gpu]))} in "
            f"{seen.servers(len(servers[type_id]))}; GPUs 0 to {len(order) - 1} are on rails "
            f"{', '.join(map(str, order))}",
            tuple(servers[type_id])[:NAMED],
            value=", ".join(map(str, order)),
            limit=", ".join(map(str, sorted(on))),
            aspect=type_id,
        )


@rule(
    "PLANE-001",
    Severity.ERROR,
    "Link between two planes",
    "Planes are apart so that a fault in one does not reach another. Over such a link loops, congestion and faults do.",
    remedy="Delete the link, or connect it to a switch of the same plane.",
    example="A leaf of plane 1 has an uplink to a spine of plane 2.",
    source=f"{HPN}: its two planes are kept apart.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def planes_joined(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links between switches that state different planes, one finding for each pair of switches.

    Where no switch stands above the leafs, a link between two leafs is how their planes are meant to meet. Subjects
    are the two switches and the links.
    """
    devices, near = seen.design.devices, seen.adjacency
    planes = [devices[one].plane for one in near.ids]
    if len({plane for plane in planes if plane is not None}) < 2:
        return
    number = np.array([-1 if plane is None else plane for plane in planes])
    low_plane, high_plane = number[near.low], number[near.high]
    own = near.of_switches
    climbing = np.unique(near.tier[near.low[own]][near.tier[near.low[own]] < near.tier[near.high[own]]])
    level = (near.tier[near.low] == near.tier[near.high]) & ~np.isin(near.tier[near.low], climbing)
    for pair in np.flatnonzero((low_plane >= 0) & (high_plane >= 0) & (low_plane != high_plane) & ~level).tolist():
        low, high = int(near.low[pair]), int(near.high[pair])
        links = [seen.survey.fabric_runs[run].link.id for run in near.runs(pair)]
        names = seen.name(near.ids[low]), seen.name(near.ids[high])
        yield this.finding(
            f"{names[0]} of plane {planes[low]} is linked to {names[1]} of plane {planes[high]}",
            (near.ids[low], near.ids[high], *links),
            value=len(links),
            limit=0,
        )


@rule(
    "PLANE-002",
    Severity.ERROR,
    "Server missing in a plane",
    "The server has no bandwidth in that plane, and is cut off when the planes it has fail.",
    remedy="Connect a NIC port of the server to a leaf switch of the plane.",
    example="Servers have a port in plane 1 and one in plane 2; both ports of one server are in plane 1.",
    source=f"{HPN}: each NIC has a port in every plane.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def server_missing_in_plane(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds servers with links in some planes but in none of another, where most servers of the type are in it.

    One finding for the servers that lack the same planes. Subjects are the servers.
    """
    devices, near = seen.design.devices, seen.adjacency
    planes = [devices[one].plane for one in near.ids]
    if len({plane for plane in planes if plane is not None}) < 2:
        return
    have: dict[int, set[int]] = {}
    for low, high in zip(near.low[near.of_servers].tolist(), near.high[near.of_servers].tolist(), strict=True):
        plane = planes[high]
        if plane is not None:
            have.setdefault(low, set()).add(plane)
    sizes = Counter(devices[near.ids[one]].type_id for one in have)
    counts = Counter((devices[near.ids[one]].type_id, plane) for one, own in have.items() for plane in own)
    lacking: dict[tuple[int, ...], list[int]] = {}
    for one, own in have.items():
        type_id = devices[near.ids[one]].type_id
        usual = {plane for (of, plane), count in counts.items() if of == type_id and 2 * count > sizes[type_id]}
        if missing := tuple(sorted(usual - own)):
            lacking.setdefault(missing, []).append(one)
    for missing, servers in lacking.items():
        words = f"{'plane' if len(missing) == 1 else 'planes'} {listed([str(plane) for plane in missing])}"
        names = listed([seen.name(near.ids[one]) for one in servers])
        have_no = "has no link" if len(servers) == 1 else "have no link"
        yield this.finding(
            f"{names} {have_no} in {words}; other servers have one",
            tuple(near.ids[one] for one in servers),
            value=0,
            limit=1,
            aspect=words,
        )


def _leafs_by_unit(seen: Inspection) -> dict[int, dict[int, list[Device]]]:
    """Leafs that state unit and rail, by both."""
    found: dict[int, dict[int, list[Device]]] = {}
    for switch in seen.survey.switches:
        if switch.unit is not None and switch.rail is not None and seen.survey.tier.get(switch.id) == 1:
            found.setdefault(switch.unit, {}).setdefault(switch.rail, []).append(switch)
    return found


def _rails_of_units(seen: Inspection) -> dict[int, set[int]]:
    """For each unit the rails that its servers have a NIC for: where the NIC slots of servers of the type lead."""
    design = seen.design
    rails = {switch.id: switch.rail for switch in seen.survey.switches if switch.rail is not None}
    of_slot: dict[tuple[str, str], set[int]] = {}
    for run in seen.survey.fabric_runs:
        rail = rails.get(run.high.device_id)
        if rail is not None and run.low_port is not None and design.is_server(run.low.device_id):
            type_id = design.devices[run.low.device_id].type_id
            of_slot.setdefault((type_id, run.low_port.slot), set()).add(rail)
    found: dict[int, set[int]] = {}
    for server in seen.survey.servers:
        if server.unit is not None:
            own = found.setdefault(server.unit, set())
            for slot in {module.slot for module in design.modules_of(server.id)}:
                own |= of_slot.get((server.type_id, slot), set())
    return found
