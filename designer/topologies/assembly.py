"""Putting a generated fabric together as one edit: new ids, names nobody else has, a place beside what is there."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import PICKED, Device, End, Entity, Group, Link, Module, Placement, Rack
from designer.model.equipping import cold_side, height
from designer.model.hardware.modules import NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.placement.metrics import BOX_HEIGHT, SWITCH_WIDTH
from designer.placement.racks import fill

N = TypeVar("N", Device, Group, Rack)

ROOM_BESIDE = 240.0
"""Canvas units between a design and what is generated into it."""


class Assembly:
    """Collects the records of one generated fabric; `edit` hands them over as one edit.

    Devices get ascending ids in the order of their adding, so a generator adds its servers first, in rank order.
    """

    def __init__(self, design: Design, find: Callable[[str], HardwareType], *, beside: bool = True) -> None:
        self._design = design
        self._find = find
        """Finds a type by id: that of a line card that a chassis is delivered with."""
        self._beside = beside
        """The fabric is put beside what stands there, else just where its points say."""
        self._device_ids = _new_ids(design, "devices")
        self._types: dict[str, HardwareType] = {}
        self._groups: list[Group] = []
        self._devices: list[Device] = []
        self._modules: list[tuple[str, str, str, str]] = []
        self._filled: set[tuple[str, str]] = set()
        self._links: list[tuple[End, End, str, tuple[tuple[str, str], ...]]] = []
        self._racks: list[Rack] = []
        self._points: dict[str, tuple[float, float]] = {}
        self._mounts: dict[str, tuple[str, int]] = {}
        self._sides: dict[str, str] = {}
        self._group_ids = _new_ids(design, "groups")
        self._rack_ids = _new_ids(design, "racks")

    def add_type(self, type_: HardwareType) -> str:
        """The type's id; the type comes into the design where it is not there yet.

        Raises ParameterError where the design has another type of that id, which the fabric was not planned with.
        """
        there = self._design.types.get(type_.id)
        if there is None:
            self._types[type_.id] = type_
        elif there != type_:
            raise ParameterError(f"the design has figures of its own for {type_.model}: the plan does not fit them")
        return type_.id

    def add_group(self, name: str, kind: str) -> str:
        """The id of a new group; `kind` is Group.kind."""
        group = Group(next(self._group_ids), name, kind)
        self._groups.append(group)
        return group.id

    def add_device(self, name: str, type_: HardwareType, at: tuple[float, float], **fields: object) -> str:
        """The new device's id; a chassis gets its delivered line cards. `fields` are further fields of Device."""
        device = Device(next(self._device_ids), name, self.add_type(type_), **fields)  # type: ignore[arg-type]
        self._devices.append(device)
        self._points[device.id] = at
        if isinstance(type_, SwitchType | ServerType) and (side := cold_side(type_)):
            self._sides[device.id] = side
        for slot in type_.slots if isinstance(type_, SwitchType) else ():
            if slot.card_type_id:
                self._modules.append((device.id, slot.name, self.add_type(self._find(slot.card_type_id)), ""))
        return device.id

    def install(
        self, device_id: str, nics: Iterable[tuple[str, NicType]], nic_modes: Iterable[tuple[str, str]] = ()
    ) -> None:
        """The NICs in the slots of a server; `nic_modes` are by slot, of those not in their delivered mode.

        A NIC whose ports are for two networks is put in once, with the first of them.
        """
        modes = dict(nic_modes)
        for slot, nic in nics:
            if (device_id, slot) not in self._filled:
                self._filled.add((device_id, slot))
                self._modules.append((device_id, slot, self.add_type(nic), modes.get(slot, "")))

    def link(self, a: End, b: End, medium_id: str = "", fields: tuple[tuple[str, str], ...] = ()) -> None:
        """Join two ports; the link gets its id in `edit`. `fields` are Link.fields."""
        self._links.append((a, b, medium_id, fields))

    def mount(
        self,
        device_ids: Sequence[str],
        heights: Sequence[float],
        rack_type: RackType,
        names: Iterable[str],
        *,
        most: int | None = None,
        from_top: bool = False,
        free_units: int = 0,
        group_id: str | None = None,
    ) -> None:
        """Racks, named in turn, filled with the devices in order; see placement.racks.fill."""
        rack_ids: list[str] = []
        named = iter(names)
        places = fill(heights, rack_type.units, most, from_top, free_units)
        for device_id, place in zip(device_ids, places, strict=True):
            if place.rack == len(rack_ids):
                self._racks.append(Rack(next(self._rack_ids), next(named), self.add_type(rack_type), group_id))
                rack_ids.append(self._racks[-1].id)
            self._mounts[device_id] = (rack_ids[place.rack], place.unit)

    def rack_of(self, device_id: str) -> str | None:
        """The rack that a device added here stands in."""
        return self._mounts.get(device_id, (None, 0))[0]

    def mount_on_top(self, device_id: str, rack_id: str, units: int) -> bool:
        """Put a device into the highest free units of a rack, new or there already; whether it has room."""
        types = {one.id: one for one in self._racks}
        rack = self._design.racks.get(rack_id) or types[rack_id]
        rack_type = self._design.types.get(rack.type_id) or self._types[rack.type_id]
        top = rack_type.units if isinstance(rack_type, RackType) else 0
        taken = {unit for low, high in self._standing(rack_id) for unit in range(low, high)}
        for unit in range(top - units + 1, 0, -1):
            if taken.isdisjoint(range(unit, unit + units)):
                self._mounts[device_id] = (rack_id, unit)
                return True
        return False

    def _standing(self, rack_id: str) -> Iterator[tuple[int, int]]:
        """Units taken in a rack, from the first to before the last, by what stands there and what was added."""
        for device_id in self._design.mounted(rack_id):
            unit = self._design.placements[device_id].unit
            if unit is not None and device_id in self._design.devices:
                yield unit, unit + height(self._design.device_type(device_id))
        by_id = {device.id: device for device in self._devices}
        for device_id, (rack, unit) in self._mounts.items():
            if rack == rack_id:
                type_id = by_id[device_id].type_id
                type_ = self._types.get(type_id) or self._design.types[type_id]
                yield unit, unit + (height(type_) if isinstance(type_, SwitchType | ServerType) else 1)

    def edit(self, label: str) -> Edit:
        """Everything collected, in an order in which each record's references come before it."""
        module_ids = self._design.new_ids("modules", len(self._modules))
        link_ids = self._design.new_ids("links", len(self._links))
        entities: list[Entity] = [
            *self._types.values(),
            *renamed(self._groups, (group.name for group in self._design.groups.values())),
            *renamed(self._racks, (rack.name for rack in self._design.racks.values())),
            *renamed(self._devices, (device.name for device in self._design.devices.values())),
            *(Module(i, *module) for i, module in zip(module_ids, self._modules, strict=True)),
            *self._placements(),
            *(
                Link(i, a, b, medium, medium_source=PICKED if medium else "", fields=own)
                for i, (a, b, medium, own) in zip(link_ids, self._links, strict=True)
            ),
        ]
        return Edit(label, added(entities))

    def _placements(self) -> list[Placement]:
        dx, dy = self._shift()
        placed = []
        for device_id, (x, y) in self._points.items():
            rack_id, unit = self._mounts.get(device_id, (None, None))
            side = self._sides.get(device_id, "") if rack_id is not None else ""
            placed.append(Placement(device_id, x + dx, y + dy, rack_id, unit, side))
        return placed

    def _shift(self) -> tuple[float, float]:
        """Moves the fabric to the right of a design that has something on its canvas already."""
        there = self._design.placements.values()
        if not there or not self._points or not self._beside:
            return 0.0, 0.0
        right = max(placement.x for placement in there) + SWITCH_WIDTH / 2
        top = min(placement.y for placement in there) - BOX_HEIGHT / 2
        left = min(x for x, _ in self._points.values()) - SWITCH_WIDTH / 2
        highest = min(y for _, y in self._points.values()) - BOX_HEIGHT / 2
        return right + ROOM_BESIDE - left, top - highest


def padded(number: int, count: int, least: int = 2) -> str:
    """A number with as many digits as the count it belongs to, at least two: "07" of 32, "007" of 127."""
    return f"{number:0{max(least, len(str(count)))}d}"


def _new_ids(design: Design, table: str) -> Iterator[str]:
    """Ids that no entity of the table has, ascending and without end."""
    first = design.new_ids(table, 1)[0]
    return (f"{first[:1]}{number}" for number in itertools.count(int(first[1:])))


def renamed(records: list[N], taken: Iterable[str]) -> list[N]:
    """The records as they are, or all with the same number before their names where one of those is taken already."""
    names = set(taken)
    if not any(record.name in names for record in records):
        return records
    number = next(n for n in itertools.count(2) if not any(f"{n}-{record.name}" in names for record in records))
    return [replace(record, name=f"{number}-{record.name}") for record in records]
