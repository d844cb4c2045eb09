"""A fabric described once, then counted or built: layers of like devices, and the links between them.

A family turns its parameters into a `Blueprint`. `tally` reads what it amounts to, fast enough to follow typing;
`assemble` makes it the edit that adds the fabric to a design. What is large is a function, called by `assemble` alone:
names of devices and ports, places on the canvas, and which port every link is on.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from designer.errors import DesignerError, ParameterError
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import End
from designer.model.hardware.device_ports import switch_ports
from designer.model.hardware.media import MediumType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.placement.racks import fill
from designer.topologies.assembly import Assembly, padded
from designer.topologies.equipment import ServerKit, TypeSource
from designer.topologies.sizing import Counts, PortCount, holding_fault

Point = tuple[float, float]

CageModes = tuple[tuple[int, str], ...]

Wire = tuple[int, int, int, int]
"""A device of the lower layer, its port, a device of the higher layer, its port; all numbers from 0."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Devices that are alike, numbered from 0."""

    count: int
    type_: SwitchType | ServerType
    ports: Callable[[], Sequence[str]]
    """Names of the ports, in the order that wires number them in."""
    name: Callable[[int], str]
    role: str = ""
    """Of switches; "" for servers."""
    kit: ServerKit | None = None
    """What is in each, of servers."""
    fields: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Further fields of Device, the same for all."""
    own: Callable[[], Iterable[Mapping[str, object]]] | None = None
    """Further fields of each device, in their order; None for none."""
    group: Callable[[int], int] | None = None
    """The group that a device is in, and its Device.unit from 1, by its number in `Blueprint.groups`; None for none."""


@dataclass(frozen=True, slots=True)
class Links:
    """All links of one kind between two layers, or within one."""

    kind: str
    """As counts call it: "server-leaf", "local"."""
    count: int
    low: int
    high: int
    """Numbers of the layers."""
    wires: Callable[[], Iterable[Wire]]
    medium: MediumType | None = None
    """What they all are made of where that is part of the hardware, as a backplane of cables is; None where it is the
    designer's to choose."""
    own_fields: Callable[[Wire], tuple[tuple[str, str], ...]] | None = None
    """Link.fields of each; None for none."""
    rate_gbps: float = 0.0
    """Where the devices have ports of several rates; 0 for the first that both have."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups that are alike, named "Group 1", "Group 2", ... or by another word."""

    count: int
    kind: str
    word: str = "Group"
    names: tuple[str, ...] = ()
    """What they are called, where that is not the word and a number."""


@dataclass(frozen=True, slots=True)
class Mount:
    """All devices of a layer in racks of their own, filled in order."""

    layer: int
    rack: RackType
    units: int
    """Those kept for each device."""
    word: str
    """Racks are named after it: "rack-01", "net-01"; those of all mounts with the word are numbered together."""
    most: int | None = None
    """Devices in one rack at most; None for no other limit than its height."""
    from_top: bool = False
    together: int | None = None
    """So many devices start a new rack, which is in their group; None where all stand in one row of racks."""
    free_units: int = 0
    """Units kept free in each rack, over which the devices are spread evenly; see placement.racks.fill."""

    def rows(self, layers: Sequence[Layer]) -> list[range]:
        """Devices that fill racks one after another, by their numbers in the layer."""
        count = layers[self.layer].count
        step = self.together or max(count, 1)
        return [range(first, min(first + step, count)) for first in range(0, count, step)]

    def n_racks(self, layers: Sequence[Layer]) -> int:
        """How many racks the devices of the layer fill; 0 for a layer without devices."""
        sizes = Counter(map(len, self.rows(layers)))
        return sum(
            n_rows * (1 + fill((self.units,) * size, self.rack.units, self.most, free_units=self.free_units)[-1].rack)
            for size, n_rows in sizes.items()
        )


@dataclass(frozen=True, slots=True)
class Section:
    """Devices of a layer one over the other in a stack: `count`, from number `first`, of `each` that a stack has."""

    layer: int
    first: int
    count: int
    each: int
    units: int
    """Those kept for each device."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Racks that devices of several layers share: each stack has the next of every section, bottom up.

    One taller than a rack goes on in another.
    """

    count: int
    rack: RackType
    sections: tuple[Section, ...]
    word: str = "rack"
    """Racks are named after it, as those of mounts are."""

    @property
    def heights(self) -> tuple[int, ...]:
        """Units of the devices of one stack, bottom up."""
        return tuple(one.units for one in self.sections for _ in range(one.count))

    def n_racks(self, layers: Sequence[Layer]) -> int:
        """How many racks all stacks fill."""
        del layers
        return self.count * (1 + fill(self.heights, self.rack.units)[-1].rack)

    def places(self, number: int) -> list[tuple[int, int]]:
        """(layer, device) of what stands in a stack, bottom up."""
        return [
            (one.layer, number * one.each + one.first + device) for one in self.sections for device in range(one.count)
        ]


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A whole fabric. Servers are the first layer, in rank order."""

    label: str
    """Of the edit, as the Undo menu shows it."""
    layers: tuple[Layer, ...]
    links: tuple[Links, ...]
    points: Callable[[], Sequence[Sequence[Point]]]
    """Centres of the boxes, layer by layer."""
    groups: Groups | None = None
    mounts: tuple[Mount, ...] = ()
    stacks: tuple[Stack, ...] = ()
    remark: str = ""
    """Counts.remark."""
    smaller: str = ""
    """What to do where no design holds it: "build one plane"; "" where there is no such way."""
    planes: int = 1
    """Counts.planes."""
    fan_outs: int = 0
    """Counts.fan_outs."""

    @property
    def racking(self) -> tuple[Mount | Stack, ...]:
        """Everything that stands in racks."""
        return (*self.mounts, *self.stacks)


def tally(blueprint: Blueprint) -> Counts:
    """What `assemble` would add to an empty design, were it large enough."""
    servers = [(layer.count, layer.kit) for layer in blueprint.layers if layer.kit is not None]
    switches: Counter[str] = Counter()
    for layer in blueprint.layers:
        if layer.kit is None:
            switches[layer.role] += layer.count
    links: Counter[str] = Counter()
    for one in blueprint.links:
        if one.count:
            links[one.kind] += one.count
    return Counts(
        servers=sum(count for count, _ in servers),
        endpoints=sum(count * kit.type_.gpus for count, kit in servers),
        switches=dict(switches),
        links=dict(links),
        racks=sum(one.n_racks(blueprint.layers) for one in blueprint.racking),
        nics=sum(count * len(kit.nics) for count, kit in servers),
        remark=blueprint.remark,
        too_large=_too_large(blueprint),
        ports=tuple(_port_counts(blueprint)),
        planes=blueprint.planes,
        line_cards=sum(layer.count * _line_cards(layer) for layer in blueprint.layers),
        fan_outs=blueprint.fan_outs,
    )


def _line_cards(layer: Layer) -> int:
    type_ = layer.type_
    return sum(bool(slot.card_type_id) for slot in type_.slots) if isinstance(type_, SwitchType) else 0


def _port_counts(blueprint: Blueprint) -> Iterator[PortCount]:
    rates = [_ports_by_rate(layer) for layer in blueprint.layers]
    linked: Counter[tuple[int, float]] = Counter()
    for links in blueprint.links:
        ends = (links.low, links.high)
        common = [rate for rate in rates[links.low] if rate in rates[links.high]]
        # Where both ends have ports of several rates, the first are for links between switches.
        rate_gbps = links.rate_gbps or (common[0] if common else 0.0)
        for end in ends:
            linked[end, rate_gbps] += links.count
    for number, layer in enumerate(blueprint.layers):
        if layer.kit is None and layer.count:
            for rate_gbps, ports in sorted(rates[number].items()):
                yield PortCount(layer.role, rate_gbps, layer.count * ports, linked[number, rate_gbps])


def _ports_by_rate(layer: Layer) -> Counter[float]:
    """How many ports one device of the layer has at each rate, in the order of its ports."""
    if layer.kit is not None:
        return Counter(port.rate_gbps for port in layer.kit.ports)
    assert isinstance(layer.type_, SwitchType)
    mode, cage_modes = layer.fields.get("port_mode", ""), layer.fields.get("cage_modes", ())
    return Counter(port.rate_gbps for port in switch_ports(layer.type_, cast(str, mode), cast(CageModes, cage_modes)))


def assemble(design: Design, blueprint: Blueprint, find: TypeSource) -> Edit:
    """The edit that adds the fabric to a design; `find` finds the line cards of chassis.

    Raises ParameterError for more than a design holds.
    """
    if fault := _too_large(blueprint):
        raise ParameterError(fault)
    assembly = Assembly(design, find)
    group_ids = _groups(assembly, blueprint.groups) if blueprint.groups is not None else []
    device_ids = [
        _devices(assembly, layer, points, group_ids)
        for layer, points in zip(blueprint.layers, blueprint.points(), strict=True)
    ]
    for links in blueprint.links:
        made = _link(assembly, blueprint, links, device_ids)
        if made != links.count:
            raise DesignerError(f"{links.kind} links: {links.count} were announced, {made} were made")
    names = _rack_names(blueprint)
    for stack in blueprint.stacks:
        _stack(assembly, blueprint, stack, names[stack.word], device_ids, group_ids)
    for mount in blueprint.mounts:
        _mount(assembly, blueprint, mount, names[mount.word], device_ids[mount.layer], group_ids)
    return assembly.edit(blueprint.label)


def _too_large(blueprint: Blueprint) -> str:
    n_devices, n_links = sum(one.count for one in blueprint.layers), sum(one.count for one in blueprint.links)
    fault = holding_fault(n_devices, n_links)
    return f"{fault}; {blueprint.smaller}" if fault and blueprint.smaller else fault


def _groups(assembly: Assembly, groups: Groups) -> list[str]:
    names = groups.names or [f"{groups.word} {number + 1}" for number in range(groups.count)]
    return [assembly.add_group(name, groups.kind) for name in names]


def _devices(assembly: Assembly, layer: Layer, points: Sequence[Point], group_ids: Sequence[str]) -> list[str]:
    """Ids of the layer's devices."""
    fields = {"role": layer.role, **layer.fields}
    ids = []
    own = layer.own() if layer.own is not None else ({},) * layer.count
    for number, point, of_device in zip(range(layer.count), points, own, strict=True):
        if layer.group is not None:
            group = layer.group(number)
            fields["group_id"], fields["unit"] = group_ids[group], group + 1
        device_id = assembly.add_device(layer.name(number), layer.type_, point, **fields, **of_device)
        if layer.kit is not None:
            assembly.install(device_id, layer.kit.nics, layer.kit.nic_modes)
        ids.append(device_id)
    return ids


def _link(assembly: Assembly, blueprint: Blueprint, links: Links, device_ids: Sequence[Sequence[str]]) -> int:
    """How many links were made."""
    low_ids, high_ids = device_ids[links.low], device_ids[links.high]
    low_ports, high_ports = blueprint.layers[links.low].ports(), blueprint.layers[links.high].ports()
    made, join, own_fields = 0, assembly.link, links.own_fields
    medium_id = assembly.add_type(links.medium) if links.medium is not None else ""
    for wire in links.wires():
        low, low_port, high, high_port = wire
        ends = End(low_ids[low], low_ports[low_port]), End(high_ids[high], high_ports[high_port])
        if own_fields is None:
            join(*ends, medium_id)
        else:
            join(*ends, medium_id, own_fields(wire))
        made += 1
    return made


def _rack_names(blueprint: Blueprint) -> dict[str, Iterator[str]]:
    """The names of all racks, in order, by the word of their mounts."""
    counts: Counter[str] = Counter()
    for one in blueprint.racking:
        counts[one.word] += one.n_racks(blueprint.layers)
    return {
        word: iter([f"{word}-{padded(number + 1, count)}" for number in range(count)]) for word, count in counts.items()
    }


def _stack(
    assembly: Assembly,
    blueprint: Blueprint,
    stack: Stack,
    names: Iterator[str],
    device_ids: Sequence[Sequence[str]],
    group_ids: Sequence[str],
) -> None:
    for number in range(stack.count):
        places = stack.places(number)
        layer, device = places[0]
        group = blueprint.layers[layer].group
        assembly.mount(
            [device_ids[layer][device] for layer, device in places],
            stack.heights,
            stack.rack,
            names,
            group_id=group_ids[group(device)] if group is not None else None,
        )


def _mount(
    assembly: Assembly,
    blueprint: Blueprint,
    mount: Mount,
    names: Iterator[str],
    device_ids: Sequence[str],
    group_ids: Sequence[str],
) -> None:
    group = blueprint.layers[mount.layer].group if mount.together is not None else None
    for row in mount.rows(blueprint.layers):
        assembly.mount(
            [device_ids[number] for number in row],
            (mount.units,) * len(row),
            mount.rack,
            names,
            most=mount.most,
            from_top=mount.from_top,
            free_units=mount.free_units,
            group_id=group_ids[group(row[0])] if group is not None else None,
        )
