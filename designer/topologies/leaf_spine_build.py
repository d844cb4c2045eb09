"""Two tiers, built: a plan becomes one edit."""

from collections.abc import Callable, Sequence

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware import switch_ports
from designer.placement.tiers import arrange
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import TypeSource
from designer.topologies.leaf_spine import LeafSpinePlan, rack_rows, reserved_ports


def built(
    design: Design, plan: LeafSpinePlan, find: TypeSource, label: str, leaf_name: Callable[[int, int], str]
) -> Edit:
    """The edit that adds the planned fabric to a design. `leaf_name(unit, place)` names a leaf, both from 0."""
    assembly = Assembly(design)
    layout = arrange(plan.n_spines, plan.n_units, (plan.leafs_per_unit, plan.servers_per_unit))
    groups: list[str | None] = [None] * plan.n_units
    if plan.scalable_units:
        groups = [assembly.add_group(f"SU {unit + 1}", "scalable unit") for unit in range(plan.n_units)]
    server_ids = _add_servers(assembly, plan, groups, [block[1] for block in layout.blocks])
    leaf_ids = _add_leafs(assembly, plan, groups, [block[0] for block in layout.blocks], leaf_name)
    spine_mode = plan.kit.spine_mode.name if plan.kit.spine_mode != plan.kit.spine_type.modes[0] else ""
    spine_ids = [
        assembly.add_device(
            f"spine-{padded(spine + 1, plan.n_spines)}", plan.kit.spine_type, point, role="spine", port_mode=spine_mode
        )
        for spine, point in enumerate(layout.top)
    ]
    _link_servers(assembly, plan, server_ids, leaf_ids)
    _link_spines(assembly, plan, leaf_ids, spine_ids)
    _mount(assembly, plan, find, (server_ids, leaf_ids, spine_ids), groups)
    return assembly.edit(label)


def _add_servers(
    assembly: Assembly,
    plan: LeafSpinePlan,
    groups: Sequence[str | None],
    points: Sequence[Sequence[tuple[float, float]]],
) -> list[str]:
    kit = plan.kit.server
    word = "gpu" if kit.type_.gpus > 1 else "host"
    server_ids = []
    for server in range(plan.n_servers):
        unit, place = divmod(server, plan.servers_per_unit)
        server_id = assembly.add_device(
            f"{word}-{padded(server + 1, plan.n_servers)}",
            kit.type_,
            points[unit][place],
            group_id=groups[unit],
            unit=unit + 1 if plan.scalable_units else None,
        )
        assembly.install(server_id, kit.nics)
        server_ids.append(server_id)
    return server_ids


def _add_leafs(
    assembly: Assembly,
    plan: LeafSpinePlan,
    groups: Sequence[str | None],
    points: Sequence[Sequence[tuple[float, float]]],
    leaf_name: Callable[[int, int], str],
) -> list[str]:
    budget = plan.kit.leaf
    reserved = reserved_ports(plan)
    down_names, _ = budget.port_names(plan.n_uplinks)
    leaf_ids = []
    for leaf in range(plan.n_leafs):
        unit, place = divmod(leaf, plan.leafs_per_unit)
        leaf_ids.append(
            assembly.add_device(
                leaf_name(unit, place),
                budget.type_,
                points[unit][place],
                role="leaf",
                group_id=groups[unit],
                port_mode=budget.down_mode.name if budget.down_mode != budget.type_.modes[0] else "",
                cage_modes=budget.cage_modes(plan.n_uplinks),
                reserved_ports=tuple(down_names[port] for port in reserved.get(leaf, ())),
                rail=place + 1 if plan.scalable_units else None,
                unit=unit + 1 if plan.scalable_units else None,
            )
        )
    return leaf_ids


def _link_servers(
    assembly: Assembly, plan: LeafSpinePlan, server_ids: Sequence[str], leaf_ids: Sequence[str]
) -> None:
    down_names, _ = plan.kit.leaf.port_names(plan.n_uplinks)
    for server, server_id in enumerate(server_ids):
        unit, place = divmod(server, plan.servers_per_unit)
        first_leaf = unit * plan.leafs_per_unit
        for nic_port, (leaf, port) in zip(plan.kit.server.ports, plan.sockets[place], strict=True):
            assembly.link(End(server_id, nic_port.name), End(leaf_ids[first_leaf + leaf], down_names[port]))


def _link_spines(
    assembly: Assembly, plan: LeafSpinePlan, leaf_ids: Sequence[str], spine_ids: Sequence[str]
) -> None:
    """Every leaf gets the same number of parallel links to every spine."""
    if not spine_ids:
        return
    _, up_names = plan.kit.leaf.port_names(plan.n_uplinks)
    spine_names = [port.name for port in switch_ports(plan.kit.spine_type, plan.kit.spine_mode.name)]
    n_parallel = plan.n_uplinks // plan.n_spines
    for leaf, leaf_id in enumerate(leaf_ids):
        for up, name in enumerate(up_names):
            spine, lane = divmod(up, n_parallel)
            assembly.link(End(leaf_id, name), End(spine_ids[spine], spine_names[leaf * n_parallel + lane]))


def _mount(
    assembly: Assembly,
    plan: LeafSpinePlan,
    find: TypeSource,
    ids: tuple[Sequence[str], Sequence[str], Sequence[str]],
    groups: Sequence[str | None],
) -> None:
    rows = rack_rows(plan, find)
    names = {}
    for of_servers, word in ((True, "rack"), (False, "net")):
        n_racks = sum(row.n_racks for row in rows if row.of_servers is of_servers)
        names[of_servers] = iter([f"{word}-{padded(number + 1, n_racks)}" for number in range(n_racks)])
    server_ids, leaf_ids, spine_ids = ids
    for row in rows:
        places = ((server_ids, row.servers), (leaf_ids, row.leafs), (spine_ids, row.spines))
        assembly.mount(
            [of_kind[index] for of_kind, indexes in places for index in indexes],
            row.heights,
            row.rack,
            names[row.of_servers],
            most=row.most,
            from_top=not row.of_servers,
            group_id=groups[row.unit] if row.unit is not None else None,
        )
