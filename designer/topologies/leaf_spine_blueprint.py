"""Leafs, spines and cores as a blueprint: a plan's devices, links, places and racks."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.ports import PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement.metrics import COLUMN_PITCH, ROW_PITCH
from designer.placement.tiers import Point, arrange
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Wire
from designer.topologies.equipment import TypeSource
from designer.topologies.leaf_spine_plan import LeafSpinePlan
from designer.topologies.racking import racked
from designer.topologies.reserved_ports import reserved_ports
from designer.topologies.upper_tiers import UpperTiers

CORE_GAP_SHARE = 0.08
"""Room between the rows of cores and spines as a share of their width."""

SERVERS, LEAFS, SPINES, CORES = range(4)
"""Numbers of the layers."""


def blueprint_of(plan: LeafSpinePlan, find: TypeSource, label: str, leaf_name: Callable[[int, int], str]) -> Blueprint:
    """The blueprint of a planned fabric. `leaf_name(unit, place)` names a leaf, both from 0."""
    layers = (_servers(plan), _leafs(plan, leaf_name), *_spines_and_cores(plan))
    # A scalable unit's servers and leafs each start a new rack.
    together = {SERVERS: plan.servers_per_unit, LEAFS: plan.leafs_per_unit} if plan.scalable_units else {}
    blueprint = Blueprint(
        label,
        layers,
        tuple(_links(plan)),
        partial(_pod_points if _has_pods(plan) else _unit_points, plan),
        groups=_groups(plan),
        remark=plan.remark,
        smaller="build one plane alone (only plane)" if plan.n_planes > 1 else "",
        planes=plan.n_planes,
        fan_outs=plan.fan_outs,
    )
    per_rack = {SERVERS: plan.servers_per_row} if plan.servers_per_row else {}
    return racked(blueprint, find, plan.racks, together, per_rack)


def _has_pods(plan: LeafSpinePlan) -> bool:
    """Pods with servers of their own, shown as groups: those of a three-tier fat-tree."""
    return plan.n_cores > 0 and not plan.scalable_units


def _units_per_pod(plan: LeafSpinePlan) -> int:
    assert plan.upper is not None
    return plan.upper.leafs_per_pod // plan.leafs_per_plane


def _groups(plan: LeafSpinePlan) -> Groups | None:
    if plan.scalable_units:
        return Groups(plan.n_units, "scalable unit", plan.unit_word)
    return Groups(plan.upper.pods, "pod", "Pod") if plan.upper is not None and _has_pods(plan) else None


def _group_of(plan: LeafSpinePlan, per_unit: int) -> Callable[[int], int] | None:
    """The group of each device of a layer with so many a unit."""
    if plan.scalable_units:
        return lambda number: number // per_unit
    per_pod = _units_per_pod(plan) * per_unit if _has_pods(plan) else 0
    return (lambda number: number // per_pod) if per_pod else None


# -- devices -----------------------------------------------------------------------------------------------------------


def _servers(plan: LeafSpinePlan) -> Layer:
    kit, count = plan.kit.server, plan.n_servers
    word = "gpu" if kit.type_.gpus > 1 else "host"
    return Layer(
        count,
        kit.type_,
        kit.port_names,
        lambda number: f"{word}-{padded(number + 1, count)}",
        kit=kit,
        group=_group_of(plan, plan.servers_per_unit),
    )


def _leafs(plan: LeafSpinePlan, leaf_name: Callable[[int, int], str]) -> Layer:
    budget = plan.kit.leaf
    return Layer(
        plan.n_leafs,
        budget.type_,
        lambda: list(chain(*budget.port_names(plan.n_uplinks))),
        lambda leaf: leaf_name(*divmod(leaf, plan.leafs_per_unit)),
        role="leaf",
        fields={"port_mode": _mode(budget.type_, budget.down_mode), "cage_modes": budget.cage_modes(plan.n_uplinks)},
        own=partial(_own_of_leafs, plan),
        group=_group_of(plan, plan.leafs_per_unit),
    )


def _own_of_leafs(plan: LeafSpinePlan) -> Iterator[dict[str, object]]:
    names, _ = plan.kit.leaf.port_names(plan.n_uplinks)
    reserved = reserved_ports(plan)
    for leaf in range(plan.n_leafs):
        place = leaf % plan.leafs_per_unit
        yield {
            "reserved_ports": tuple(names[port] for port in reserved.get(leaf, ())),
            "rail": plan.rail_of(place) + 1 if plan.scalable_units else None,
            "plane": _plane(plan, plan.plane_of(place)),
        }


def _spines_and_cores(plan: LeafSpinePlan) -> Iterator[Layer]:
    """Spines plane by plane, pod by pod; cores plane by plane."""
    kit, upper = plan.kit, plan.upper
    if upper is None:
        return
    per_pod, pods = upper.spines_per_pod, upper.pods
    group = (lambda spine: spine // per_pod % pods) if _has_pods(plan) else None
    yield _switches(
        "spine", upper.n_spines, kit.spine_type, kit.spine_mode, partial(_own_of_spines, plan, upper), group
    )
    if plan.n_cores:
        yield _switches("core", plan.n_cores, kit.core_type, kit.core_mode, partial(_own_of_cores, plan, upper))


def _own_of_spines(plan: LeafSpinePlan, upper: UpperTiers) -> Iterator[dict[str, object]]:
    per_plane = upper.pods * upper.spines_per_pod
    per_rail = per_plane // plan.n_rails if upper.n_cores and plan.pods_by_rail else None
    for spine in range(upper.n_spines):
        plane, in_plane = divmod(spine, per_plane)
        yield {"rail": in_plane // per_rail + 1 if per_rail else None, "plane": _plane(plan, plane)}


def _own_of_cores(plan: LeafSpinePlan, upper: UpperTiers) -> Iterator[dict[str, object]]:
    return ({"plane": _plane(plan, core // upper.cores_per_plane)} for core in range(plan.n_cores))


def _plane(plan: LeafSpinePlan, plane: int) -> int | None:
    """Device.plane, from 1; None where there is one plane alone."""
    return plan.first_plane + plane + 1 if plan.n_planes > 1 or plan.whole is not None else None


def _switches(
    role: str,
    count: int,
    type_: SwitchType,
    mode: PortMode,
    own: Callable[[], Iterator[dict[str, object]]],
    group: Callable[[int], int] | None = None,
) -> Layer:
    return Layer(
        count,
        type_,
        lambda: [port.name for port in switch_ports(type_, mode.name)],
        lambda number: f"{role}-{padded(number + 1, count)}",
        role=role,
        fields={"port_mode": _mode(type_, mode)},
        own=own,
        group=group,
    )


def _mode(type_: SwitchType, mode: PortMode) -> str:
    """Device.port_mode: "" for the first of the type."""
    return mode.name if mode != type_.modes[0] else ""


# -- links -------------------------------------------------------------------------------------------------------------


def _links(plan: LeafSpinePlan) -> Iterator[Links]:
    first_up, counts = plan.kit.leaf.ports_down(plan.n_uplinks), plan.n_links
    yield Links("server-leaf", counts["server-leaf"], SERVERS, LEAFS, partial(_server_wires, plan))
    upper = plan.upper
    if upper is None:
        yield Links("leaf-leaf", counts["leaf-leaf"], LEAFS, LEAFS, partial(_pair_wires, plan.n_uplinks, first_up))
        return
    yield Links("leaf-spine", counts["leaf-spine"], LEAFS, SPINES, partial(_leaf_wires, plan, upper, first_up))
    if plan.n_cores:
        yield Links("spine-core", counts["spine-core"], SPINES, CORES, partial(_core_wires, upper))


def _server_wires(plan: LeafSpinePlan) -> Iterator[Wire]:
    ports = plan.server_ports
    for server in range(plan.n_servers):
        unit, place = divmod(server, plan.servers_per_unit)
        first_leaf = unit * plan.leafs_per_unit
        for port, (leaf, leaf_port) in zip(ports, plan.sockets[place], strict=True):
            yield server, port, first_leaf + leaf, leaf_port


def _pair_wires(n_links: int, first: int) -> Iterator[Wire]:
    """The two leafs are joined."""
    for port in range(first, first + n_links):
        yield 0, port, 1, port


def _leaf_wires(plan: LeafSpinePlan, upper: UpperTiers, first_up: int) -> Iterator[Wire]:
    """Every leaf is linked to every spine of its pod."""
    for leaf in range(plan.n_leafs):
        unit, place = divmod(leaf, plan.leafs_per_unit)
        pod, number = plan.pod_of(unit, place)
        first = (plan.plane_of(place) * upper.pods + pod) * upper.spines_per_pod
        for port, (spine, spine_port) in enumerate(upper.leaf_links(number), start=first_up):
            yield leaf, port, first + spine, spine_port


def _core_wires(upper: UpperTiers) -> Iterator[Wire]:
    """Every spine gets as many parallel links to every core of its group, or one more to some of them."""
    first_up = upper.spine_downlinks
    for spine in range(upper.n_spines):
        row, place = divmod(spine, upper.spines_per_pod)
        plane, pod = divmod(row, upper.pods)
        cores = upper.cores_of(plane, place)
        for port, (core, core_port) in enumerate(upper.core_links(pod, place), start=first_up):
            yield spine, port, cores[core], core_port


# -- where things stand ------------------------------------------------------------------------------------------------


def _unit_points(plan: LeafSpinePlan) -> list[list[Point]]:
    """Units side by side under one row of all spines; cores, where there are any, in a row above those.

    The leafs of a small pod, a single unit, stand over the servers that there are, not over all they have ports for.
    Where a rail has several leafs in a unit, those of one rack stand together over the servers of that rack.
    """
    per_unit = plan.servers_per_unit if plan.scalable_units else min(plan.servers_per_unit, plan.n_servers)
    rows = plan.leaf_rows
    layout = arrange(plan.n_spines, plan.n_units, (plan.leafs_per_unit, per_unit), len(rows))
    servers = [layout.blocks[n // per_unit][1][n % per_unit] for n in range(plan.n_servers)]
    spots = {leaf: spot for spot, leaf in enumerate(chain(*rows))}
    leafs = [block[0][spots[leaf]] for block in layout.blocks for leaf in range(plan.leafs_per_unit)]
    spines = list(layout.top)
    return [servers, leafs, *[row for row in (spines, _above(spines, plan.n_cores)) if row]]


def _pod_points(plan: LeafSpinePlan) -> list[list[Point]]:
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
    return [servers, leafs, spines, list(layout.top)]


def _above(row: Sequence[Point], count: int) -> list[Point]:
    """Centres of `count` boxes in one row above a tier."""
    if not count:
        return []
    left, right = min(x for x, _ in row), max(x for x, _ in row)
    pitch = max(COLUMN_PITCH, min(2 * COLUMN_PITCH, (right - left) / count))
    y = min(y for _, y in row) - ROW_PITCH - max(160.0, CORE_GAP_SHARE * (right - left))
    first_x = (left + right) / 2 - (count - 1) * pitch / 2
    return [(round(first_x + number * pitch, 1), round(y, 1)) for number in range(count)]
