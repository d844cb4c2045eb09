"""Scale-up fabrics as designs of their own: GPUs of compute trays joined by switch trays, or each to each.

A group is a set of trays under common switches: a rack, or a server with switch chips of its own. The links of every
GPU are shared out over all switch chips of its group, so that a group of one stage is complete bipartite. Chips of the
same number of all groups form a sub-plane: they are joined by switches of a second level, or directly, each to each.

Port order: on a switch, chip by chip; on a chip the downlinks by tray, GPU and link, then the uplinks by second-level
switch, or across by group, parallel links side by side. On a switch of the second level by group.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.media import MediumType
from designer.model.hardware.ports import PortMode
from designer.model.hardware.switches import SwitchType
from designer.placement.metrics import COLUMN_PITCH
from designer.placement.tiers import Point, arrange
from designer.topologies.assembly import padded
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, Mount, Section, Stack, Wire, assemble, tally
from designer.topologies.equipment import TypeSource, types_of
from designer.topologies.racking import assumed_heights, mounted_units, rack_for
from designer.topologies.scale_up_plan import Plan, Rails, ScaleUpParameters, links_per_peer, planned
from designer.topologies.scale_up_rails import rail_layers, rail_links
from designer.topologies.sizing import Counts, require_countable
from designer.units import format_count, format_counted

CARTRIDGE = "nvlink-cartridge"
CARTRIDGE_FORM = "NVLink-cartridge"
"""Form factor of ports that are joined by a backplane of copper, which is part of the rack."""
SERVERS, LEAFS, SPINES = 0, 1, 2
ALONE = {
    "leaf": "leaf",
    "spine": "spine",
    "down": "server-leaf",
    "up": "leaf-spine",
    "across": "leaf-leaf",
    "prefix": "leaf-",
    "above": "spine-",
}
BESIDE_RAILS = {
    "leaf": "scale-up leaf",
    "spine": "scale-up spine",
    "down": "server-scale-up",
    "up": "scale-up leaf-spine",
    "across": "scale-up leaf-leaf",
    "prefix": "scale-up-",
    "above": "scale-up-spine-",
}
"""Roles of scale-up switches, kinds of their links, how names begin: their own where NICs have a network too."""
BELOW_TRAYS = 130.0
ACROSS_GAP = 220.0
"""Between the switches of two groups that are joined directly, on the canvas."""


def build(design: Design, parameters: ScaleUpParameters, catalog: Catalog) -> Edit:
    """The edit that adds the fabric to a design. Raises ParameterError for what cannot be built."""
    find = types_of(design, catalog)
    return assemble(design, _blueprint(parameters, find), find)


def counts(parameters: ScaleUpParameters, catalog: Catalog) -> Counts:
    """What `build` would add to an empty design."""
    return tally(_blueprint(parameters, catalog.get))


def _blueprint(parameters: ScaleUpParameters, find: TypeSource) -> Blueprint:
    plan = planned(parameters, find)
    n, g = parameters, parameters.groups
    in_groups = g > 1
    names = ALONE if plan.rails is None else BESIDE_RAILS
    if plan.leaf is None:
        return _mesh(plan)
    n_down = plan.n_servers * len(plan.by_gpu) * plan.links_per_gpu
    n_up = g * n.n_chips * plan.uplinks
    n_across = g * (g - 1) // 2 * n.n_chips * (n.cross_links or 0)
    require_countable(plan.n_servers + plan.n_leafs + plan.n_spines, n_down + n_up + n_across)

    def group_of(per_group: int) -> Callable[[int], int] | None:
        return (lambda number: number // per_group) if in_groups else None

    def leaf_name(number: int) -> str:
        group, place = divmod(number, n.switches)
        return f"{names['prefix']}{_group_word(group, g)}{padded(place + 1, n.switches)}"

    def spine_name(number: int) -> str:
        per_plane = n.upper_switches or 1
        plane, place = divmod(number, per_plane)
        return f"{names['above']}p{padded(plane + 1, n.n_chips)}-{padded(place + 1, per_plane)}"

    servers = replace(_server_layer(plan), group=group_of(n.servers))
    leafs = Layer(
        plan.n_leafs,
        plan.leaf,
        _ports(plan.leaf, plan.leaf_mode),
        leaf_name,
        role=names["leaf"],
        fields=_mode_fields(plan.leaf, plan.leaf_mode),
        own=lambda: ({"plane": number % n.switches + 1} for number in range(plan.n_leafs)),
        group=group_of(n.switches),
    )
    layers = [servers, leafs]
    links = [Links(names["down"], n_down, SERVERS, LEAFS, partial(_down_wires, plan), _cartridge(plan, find))]
    if plan.spine is not None:
        per_plane = n.upper_switches or 1
        layers.append(
            Layer(
                plan.n_spines,
                plan.spine,
                _ports(plan.spine, plan.spine_mode),
                spine_name,
                role=names["spine"],
                fields=_mode_fields(plan.spine, plan.spine_mode),
                own=lambda: ({"plane": spine // per_plane // n.chips + 1} for spine in range(plan.n_spines)),
            )
        )
        links.append(Links(names["up"], n_up, LEAFS, SPINES, partial(_up_wires, plan)))
    elif n.cross_links:
        links.append(Links(names["across"], n_across, LEAFS, LEAFS, partial(_cross_wires, plan)))
    if plan.rails is not None:
        links += rail_links(plan, plan.rails, SERVERS, len(layers))
        layers += rail_layers(plan, plan.rails, group_of)
    blueprint = Blueprint(
        _label(plan),
        tuple(layers),
        tuple(links),
        lambda: _points(plan),
        Groups(g, "group") if in_groups else None,
        remark=_remark(plan),
    )
    return _racked(blueprint, plan, find)


def sized(parameters: ScaleUpParameters, gpus: int) -> str:
    """ "72 GPUs", "4 × 72 GPUs": of a fabric with so many GPUs, by its domains."""
    groups = parameters.groups
    each = format_counted(gpus // max(1, groups), "GPU")
    return f"{format_count(groups)} × {each}" if groups > 1 else each


def _label(plan: Plan) -> str:
    gpus = format_counted(plan.n_servers * len(plan.by_gpu), "GPU")
    return f"Generate scale-up fabric of {gpus}"


def _remark(plan: Plan) -> str:
    """What the counts do not show: chips with more links of a GPU than others, groups that nothing joins."""
    parameters, said = plan.parameters, []
    if parameters.chips > 1:
        said.append(f"Switch chips: {format_count(plan.n_leafs * parameters.chips)}.")
    if plan.links_per_gpu % parameters.n_chips:
        few = plan.links_per_gpu // parameters.n_chips
        said.append(
            f"{format_count(plan.links_per_gpu)} links of a GPU spread unevenly over "
            f"{format_counted(parameters.n_chips, 'switch chip')}: {few + 1} to some, {few} to the others."
        )
    if parameters.groups > 1 and not (plan.uplinks or plan.across or plan.rails):
        said.append("Nothing joins the groups: each is a domain of its own.")
    return " ".join(said)


def _group_word(group: int, groups: int) -> str:
    return f"g{padded(group + 1, groups)}-" if groups > 1 else ""


def _server_layer(plan: Plan) -> Layer:
    kit, n = plan.kit, plan.n_servers
    return Layer(n, kit.type_, kit.port_names, lambda number: f"gpu-{padded(number + 1, n)}", kit=kit)


def _ports(type_: SwitchType, mode: PortMode | None) -> Callable[[], list[str]]:
    name = mode.name if mode is not None else ""
    return lambda: [port.name for port in switch_ports(type_, name)]


def _mode_fields(type_: SwitchType, mode: PortMode | None) -> Mapping[str, object]:
    return {"port_mode": mode.name} if mode is not None and mode.name != type_.modes[0].name else {}


def _cartridge(plan: Plan, find: TypeSource) -> MediumType | None:
    """The backplane that joins trays and switches of a rack; None where cables do."""
    links = [plan.kit.ports[number] for ports in plan.by_gpu for number in ports]
    in_cartridge = all(port.form_factor == CARTRIDGE_FORM for port in links)
    assert plan.leaf is not None
    if not in_cartridge or any(cages.form_factor != CARTRIDGE_FORM for cages in plan.leaf.cages):
        return None
    found = find(CARTRIDGE)
    return found if isinstance(found, MediumType) else None


def _down_wires(plan: Plan) -> Iterator[Wire]:
    """Links of GPUs to the chips of their group, tray by tray."""
    n = plan.parameters
    chips = [plan.chip_of(link) for link in range(plan.links_per_gpu)]
    for group in range(n.groups):
        taken = [0] * n.n_chips
        for tray in range(n.servers):
            for ports in plan.by_gpu:
                for port, chip in zip(ports, chips, strict=True):
                    switch, place = divmod(chip, n.chips)
                    at = place * plan.ports_per_chip + taken[chip]
                    taken[chip] += 1
                    yield group * n.servers + tray, port, group * n.switches + switch, at


def _up_wires(plan: Plan) -> Iterator[Wire]:
    """Links of chips to the second-level switches of their sub-plane, parallel ones side by side."""
    n = plan.parameters
    per_plane = n.upper_switches or 1
    lanes = plan.uplinks // per_plane
    for group in range(n.groups):
        for chip in range(n.n_chips):
            switch, place = divmod(chip, n.chips)
            first = place * plan.ports_per_chip + plan.down(chip)
            for upper in range(per_plane):
                for lane in range(lanes):
                    low = group * n.switches + switch, first + upper * lanes + lane
                    yield *low, chip * per_plane + upper, group * lanes + lane


def _cross_wires(plan: Plan) -> Iterator[Wire]:
    """Links between the chips of the same number of every two groups."""
    n = plan.parameters
    lanes = n.cross_links or 0
    for chip in range(n.n_chips):
        switch, place = divmod(chip, n.chips)
        first = place * plan.ports_per_chip + plan.down(chip)
        for a in range(n.groups):
            for b in range(a + 1, n.groups):
                for lane in range(lanes):
                    here, there = first + (b - 1) * lanes + lane, first + a * lanes + lane
                    yield a * n.switches + switch, here, b * n.switches + switch, there


def _mesh(plan: Plan) -> Blueprint:
    """Devices of one GPU each, every two of them joined."""
    n, lanes = plan.parameters.servers, links_per_peer(plan)

    def wires() -> Iterator[Wire]:
        ports = plan.by_gpu[0]
        for a in range(n):
            for b in range(a + 1, n):
                for lane in range(lanes):
                    yield a, ports[(b - 1) * lanes + lane], b, ports[a * lanes + lane]

    n_links = n * (n - 1) // 2 * lanes
    require_countable(n, n_links)
    idle = plan.links_per_gpu - lanes * (n - 1)
    remark = f"{format_counted(idle, 'link')} of every GPU stay free." if idle else ""
    return Blueprint(
        f"Generate full mesh of {format_count(n)} GPUs",
        (_server_layer(plan),),
        (Links("server-server", n_links, SERVERS, SERVERS, wires),),
        lambda: [_circle(n)],
        remark=remark,
    )


def _circle(count: int) -> list[Point]:
    """Centres around a circle on which neighbors are a column apart."""
    radius = max(1.0, count * COLUMN_PITCH / math.tau) * 1.3
    turns = [math.tau * number / count - math.pi / 2 for number in range(count)]
    return [(round(radius * math.cos(turn), 1), round(radius * math.sin(turn), 1)) for turn in turns]


def _points(plan: Plan) -> list[list[Point]]:
    """Centres of trays, switches and second-level switches: groups side by side under the second level."""
    n = plan.parameters
    if plan.rails is not None:
        return _points_between(plan, plan.rails)
    if n.groups == 2 and plan.across:
        return _facing_points(plan)
    layout = arrange(plan.n_spines, n.groups, (n.switches, n.servers))
    trays = [point for block in layout.blocks for point in block[-1]]
    leafs = [point for block in layout.blocks for point in block[-2]]
    return [trays, leafs, list(layout.top)] if plan.spine is not None else [trays, leafs]


def _facing_points(plan: Plan) -> list[list[Point]]:
    """Centres of trays and switches of two groups one over the other: switches that are joined face each other."""
    leafs, trays = arrange(0, 1, (plan.parameters.switches, plan.parameters.servers)).blocks[0]
    half = ACROSS_GAP / 2

    def both(points: tuple[Point, ...]) -> list[Point]:
        return [(x, -y - half) for x, y in points] + [(x, y + half) for x, y in points]

    return [both(trays), both(leafs)]


def _points_between(plan: Plan, rails: Rails) -> list[list[Point]]:
    """Centres layer by layer: trays between the leaf switches above and the scale-up switches below."""
    n, n_rails = plan.parameters, len(rails.ports)
    layout = arrange(rails.n_spines, n.groups, (max(n_rails, n.switches), n.servers))
    trays = [point for block in layout.blocks for point in block[-1]]
    bottom = max(y for _, y in trays) + BELOW_TRAYS
    leafs: list[Point] = []
    switches: list[Point] = []
    for block in layout.blocks:
        middle, y = sum(x for x, _ in block[-1]) / len(block[-1]), block[-2][0][1]
        wide = max(x for x, _ in block[-1]) - min(x for x, _ in block[-1])
        leafs += _row(n_rails, middle, y, wide)
        switches += _row(n.switches, middle, bottom, wide)
    whole = max(x for x, _ in trays) - min(x for x, _ in trays)
    upper = _row(plan.n_spines, 0.0, bottom + ACROSS_GAP, whole)
    scale_up = [trays, switches, upper] if plan.spine is not None else [trays, switches]
    return [*scale_up, leafs, *([list(layout.top)] if rails.n_spines else [])]


def _row(count: int, middle: float, y: float, wide: float) -> list[Point]:
    """Centres side by side, spread over a width where there is room."""
    pitch = max(COLUMN_PITCH, wide / max(1, count))
    return [(round(middle + (number - (count - 1) / 2) * pitch, 1), round(y, 1)) for number in range(count)]


def _racked(blueprint: Blueprint, plan: Plan, find: TypeSource) -> Blueprint:
    """With a rack for each group, switches in the middle of its trays, and racks of their own for the second level."""
    n = plan.parameters
    if n.racks == "none":
        return blueprint
    trays, switches = (mounted_units(blueprint.layers[layer].type_) for layer in (SERVERS, LEAFS))
    stacks: tuple[Stack, ...] = ()
    mounts: tuple[Mount, ...] = ()
    if trays is not None and switches is not None:
        below = n.servers // 2
        sections = (
            Section(SERVERS, 0, below, n.servers, trays),
            Section(LEAFS, 0, n.switches, n.switches, switches),
            Section(SERVERS, below, n.servers - below, n.servers, trays),
        )
        rack = rack_for(find, 1, n.servers * trays + n.switches * switches)
        stacks = (Stack(n.groups, rack, sections),)
    if plan.spine is not None and (units := mounted_units(plan.spine)) is not None:
        mounts = (Mount(SPINES, rack_for(find, units, 1), units, "net", None, True),)
    if plan.rails is not None and (units := mounted_units(plan.rails.switch)) is not None:
        rack = rack_for(find, units, 1)
        first = len(blueprint.layers) - (2 if plan.rails.n_spines else 1)
        mounts += tuple(Mount(layer, rack, units, "net", None, True) for layer in range(first, len(blueprint.layers)))
    remark = " ".join(filter(None, (blueprint.remark, assumed_heights(layer.type_ for layer in blueprint.layers))))
    return replace(blueprint, stacks=stacks, mounts=mounts, remark=remark)
