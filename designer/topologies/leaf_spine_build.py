"""Leafs, spines and cores, built: a plan becomes one edit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware import switch_ports
from designer.placement.metrics import COLUMN_PITCH, ROW_PITCH
from designer.placement.tiers import Point, arrange
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import TypeSource
from designer.topologies.leaf_spine import LeafSpinePlan, reserved_ports
from designer.topologies.leaf_spine_contents import rack_rows

CORE_GAP_SHARE = 0.08
"""Room between the rows of cores and spines as a share of their width."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Centres of all boxes, each kind in the order of its numbers."""

    servers: list[Point]
    leafs: list[Point]
    spines: list[Point]
    cores: list[Point]


def built(
    design: Design, plan: LeafSpinePlan, find: TypeSource, label: str, leaf_name: Callable[[int, int], str]
) -> Edit:
    """The edit that adds the planned fabric to a design. `leaf_name(unit, place)` names a leaf, both from 0."""
    assembly = Assembly(design, find)
    places = _pod_places(plan) if _has_pods(plan) else _unit_places(plan)
    groups: list[str | None] = [None] * plan.n_units
    if plan.scalable_units:
        groups = [assembly.add_group(f"SU {unit + 1}", "scalable unit") for unit in range(plan.n_units)]
    pods = _add_pods(assembly, plan, groups) if _has_pods(plan) else None
    server_ids = _add_servers(assembly, plan, groups, places.servers)
    leaf_ids = _add_leafs(assembly, plan, groups, places.leafs, leaf_name)
    spine_ids = _add_spines(assembly, plan, places.spines, pods)
    core_ids = _add_cores(assembly, plan, places.cores)
    _link_servers(assembly, plan, server_ids, leaf_ids)
    _link_leafs(assembly, plan, leaf_ids, spine_ids)
    _link_cores(assembly, plan, spine_ids, core_ids)
    _mount(assembly, plan, find, (server_ids, leaf_ids, spine_ids, core_ids), groups)
    return assembly.edit(label)


# -- where things stand ------------------------------------------------------------------------------------------------


def _has_pods(plan: LeafSpinePlan) -> bool:
    """Pods with servers of their own, shown as groups: those of a three-tier fat-tree."""
    return plan.n_cores > 0 and not plan.scalable_units


def _units_per_pod(plan: LeafSpinePlan) -> int:
    assert plan.upper is not None
    return plan.upper.leafs_per_pod // plan.leafs_per_plane


def _unit_places(plan: LeafSpinePlan) -> _Places:
    """Units side by side under one row of all spines; cores, where there are any, in a row above those."""
    layout = arrange(plan.n_spines, plan.n_units, (plan.leafs_per_unit, plan.servers_per_unit))
    servers = [layout.blocks[n // plan.servers_per_unit][1][n % plan.servers_per_unit] for n in range(plan.n_servers)]
    leafs = [point for block in layout.blocks for point in block[0]]
    return _Places(servers, leafs, list(layout.top), _above(layout.top, plan.n_cores))


def _pod_places(plan: LeafSpinePlan) -> _Places:
    """Pods side by side, each with its spines over its leafs over its servers; the cores above all."""
    assert plan.upper is not None
    units = _units_per_pod(plan)
    leafs_per_pod, servers_per_pod = units * plan.leafs_per_unit, units * plan.servers_per_unit
    spines_per_pod = plan.n_planes * plan.upper.spines_per_pod
    layout = arrange(plan.n_cores, plan.upper.pods, (spines_per_pod, leafs_per_pod, servers_per_pod), units)
    spines = [
        layout.blocks[pod][0][plane * plan.upper.spines_per_pod + place]
        for plane in range(plan.n_planes)
        for pod in range(plan.upper.pods)
        for place in range(plan.upper.spines_per_pod)
    ]
    leafs = [layout.blocks[n // leafs_per_pod][1][n % leafs_per_pod] for n in range(plan.n_leafs)]
    servers = [layout.blocks[n // servers_per_pod][2][n % servers_per_pod] for n in range(plan.n_servers)]
    return _Places(servers, leafs, spines, list(layout.top))


def _above(row: Sequence[Point], count: int) -> list[Point]:
    """Centres of `count` boxes in one row above a tier."""
    if not count:
        return []
    left, right = min(x for x, _ in row), max(x for x, _ in row)
    pitch = max(COLUMN_PITCH, min(2 * COLUMN_PITCH, (right - left) / count))
    y = min(y for _, y in row) - ROW_PITCH - max(160.0, CORE_GAP_SHARE * (right - left))
    first_x = (left + right) / 2 - (count - 1) * pitch / 2
    return [(round(first_x + number * pitch, 1), round(y, 1)) for number in range(count)]


# -- devices -----------------------------------------------------------------------------------------------------------


def _add_pods(assembly: Assembly, plan: LeafSpinePlan, groups: list[str | None]) -> list[str]:
    """Groups of a fat-tree's pods; `groups` then says the one of each unit."""
    assert plan.upper is not None
    pods = [assembly.add_group(f"Pod {pod + 1}", "pod") for pod in range(plan.upper.pods)]
    for unit in range(plan.n_units):
        groups[unit] = pods[unit // _units_per_pod(plan)]
    return pods


def _unit_number(plan: LeafSpinePlan, unit: int) -> int | None:
    if plan.scalable_units:
        return unit + 1
    return unit // _units_per_pod(plan) + 1 if _has_pods(plan) else None


def _add_servers(
    assembly: Assembly, plan: LeafSpinePlan, groups: Sequence[str | None], points: Sequence[Point]
) -> list[str]:
    kit = plan.kit.server
    word = "gpu" if kit.type_.gpus > 1 else "host"
    server_ids = []
    for server in range(plan.n_servers):
        unit = server // plan.servers_per_unit
        server_id = assembly.add_device(
            f"{word}-{padded(server + 1, plan.n_servers)}",
            kit.type_,
            points[server],
            group_id=groups[unit],
            unit=_unit_number(plan, unit),
        )
        assembly.install(server_id, kit.nics, kit.nic_modes)
        server_ids.append(server_id)
    return server_ids


def _add_leafs(
    assembly: Assembly,
    plan: LeafSpinePlan,
    groups: Sequence[str | None],
    points: Sequence[Point],
    leaf_name: Callable[[int, int], str],
) -> list[str]:
    budget = plan.kit.leaf
    reserved = reserved_ports(plan)
    down_names, _ = budget.port_names(plan.n_uplinks)
    cage_modes = budget.cage_modes(plan.n_uplinks)
    leaf_ids = []
    for leaf in range(plan.n_leafs):
        unit, place = divmod(leaf, plan.leafs_per_unit)
        leaf_ids.append(
            assembly.add_device(
                leaf_name(unit, place),
                budget.type_,
                points[leaf],
                role="leaf",
                group_id=groups[unit],
                port_mode=budget.down_mode.name if budget.down_mode != budget.type_.modes[0] else "",
                cage_modes=cage_modes,
                reserved_ports=tuple(down_names[port] for port in reserved.get(leaf, ())),
                rail=place % plan.leafs_per_plane + 1 if plan.scalable_units else None,
                plane=plan.plane_of(place) + 1 if plan.n_planes > 1 else None,
                unit=_unit_number(plan, unit),
            )
        )
    return leaf_ids


def _add_spines(
    assembly: Assembly, plan: LeafSpinePlan, points: Sequence[Point], pods: Sequence[str] | None
) -> list[str]:
    """Spines plane by plane, pod by pod."""
    upper = plan.upper
    if upper is None:
        return []
    mode = plan.kit.spine_mode.name if plan.kit.spine_mode != plan.kit.spine_type.modes[0] else ""
    pods_per_rail = upper.pods // plan.leafs_per_plane if upper.n_cores and plan.pods_by_rail else 0
    ids = []
    for spine in range(upper.n_spines):
        plane, in_plane = divmod(spine, upper.pods * upper.spines_per_pod)
        pod = in_plane // upper.spines_per_pod
        ids.append(
            assembly.add_device(
                f"spine-{padded(spine + 1, upper.n_spines)}",
                plan.kit.spine_type,
                points[spine],
                role="spine",
                port_mode=mode,
                group_id=pods[pod] if pods else None,
                rail=pod // pods_per_rail + 1 if pods_per_rail else None,
                plane=plane + 1 if plan.n_planes > 1 else None,
                unit=pod + 1 if pods else None,
            )
        )
    return ids


def _add_cores(assembly: Assembly, plan: LeafSpinePlan, points: Sequence[Point]) -> list[str]:
    if plan.upper is None:
        return []
    mode = plan.kit.core_mode.name if plan.kit.core_mode != plan.kit.core_type.modes[0] else ""
    return [
        assembly.add_device(
            f"core-{padded(core + 1, plan.n_cores)}",
            plan.kit.core_type,
            point,
            role="core",
            port_mode=mode,
            plane=core // plan.upper.cores_per_plane + 1 if plan.n_planes > 1 else None,
        )
        for core, point in enumerate(points)
    ]


# -- links -------------------------------------------------------------------------------------------------------------


def _link_servers(assembly: Assembly, plan: LeafSpinePlan, server_ids: Sequence[str], leaf_ids: Sequence[str]) -> None:
    down_names, _ = plan.kit.leaf.port_names(plan.n_uplinks)
    for server, server_id in enumerate(server_ids):
        unit, place = divmod(server, plan.servers_per_unit)
        first_leaf = unit * plan.leafs_per_unit
        for nic_port, (leaf, port) in zip(plan.kit.server.ports, plan.sockets[place], strict=True):
            assembly.link(End(server_id, nic_port.name), End(leaf_ids[first_leaf + leaf], down_names[port]))


def _link_leafs(assembly: Assembly, plan: LeafSpinePlan, leaf_ids: Sequence[str], spine_ids: Sequence[str]) -> None:
    """Every leaf is linked to every spine of its pod; or the two leafs are joined."""
    _, up_names = plan.kit.leaf.port_names(plan.n_uplinks)
    upper = plan.upper
    if upper is None:
        for name in up_names:
            assembly.link(End(leaf_ids[0], name), End(leaf_ids[1], name))
        return
    spine_names = [port.name for port in switch_ports(plan.kit.spine_type, plan.kit.spine_mode.name)]
    for leaf, leaf_id in enumerate(leaf_ids):
        unit, place = divmod(leaf, plan.leafs_per_unit)
        pod, number = plan.pod_of(unit, place)
        first = (plan.plane_of(place) * upper.pods + pod) * upper.spines_per_pod
        for name, (spine, port) in zip(up_names, upper.leaf_links(number), strict=True):
            assembly.link(End(leaf_id, name), End(spine_ids[first + spine], spine_names[port]))


def _link_cores(assembly: Assembly, plan: LeafSpinePlan, spine_ids: Sequence[str], core_ids: Sequence[str]) -> None:
    """Every spine gets the same number of parallel links to every core of its group."""
    upper = plan.upper
    if upper is None or not core_ids:
        return
    spine_names = [port.name for port in switch_ports(plan.kit.spine_type, plan.kit.spine_mode.name)]
    core_names = [port.name for port in switch_ports(plan.kit.core_type, plan.kit.core_mode.name)]
    first_up = upper.leafs_per_pod * upper.leaf_lanes
    for spine, spine_id in enumerate(spine_ids):
        row, place = divmod(spine, upper.spines_per_pod)
        plane, pod = divmod(row, upper.pods)
        cores = upper.cores_of(plane, place)
        for up in range(upper.spine_uplinks):
            core, lane = divmod(up, upper.spine_lanes)
            port = core_names[upper.core_port(pod, place, lane)]
            assembly.link(End(spine_id, spine_names[first_up + up]), End(core_ids[cores[core]], port))


def _mount(
    assembly: Assembly,
    plan: LeafSpinePlan,
    find: TypeSource,
    ids: tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]],
    groups: Sequence[str | None],
) -> None:
    rows = rack_rows(plan, find)
    names = {}
    for of_servers, word in ((True, "rack"), (False, "net")):
        n_racks = sum(row.n_racks for row in rows if row.of_servers is of_servers)
        names[of_servers] = iter([f"{word}-{padded(number + 1, n_racks)}" for number in range(n_racks)])
    server_ids, leaf_ids, spine_ids, core_ids = ids
    for row in rows:
        places = ((server_ids, row.servers), (leaf_ids, row.leafs), (spine_ids, row.spines), (core_ids, row.cores))
        assembly.mount(
            [of_kind[index] for of_kind, indexes in places for index in indexes],
            row.units,
            row.rack,
            names[row.of_servers],
            most=row.most,
            from_top=not row.of_servers,
            group_id=groups[row.unit] if row.unit is not None else None,
        )
