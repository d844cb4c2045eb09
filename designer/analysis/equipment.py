"""Equipment: devices, what is installed in them, and racks, counted by type; what is delivered with something else."""

from collections import Counter
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Device, Module, Placement, Rack
from designer.model.hardware.modules import LineCardType, ModuleType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType
from designer.model.records import ordered

EquipmentType = DeviceType | ModuleType | RackType


@dataclass(frozen=True, slots=True)
class Equipment:
    """How many there are of a type. `included` of them are delivered with what they are in, and not ordered apart."""

    type: EquipmentType
    count: int
    included: int = 0

    @property
    def ordered_apart(self) -> int:
        """How many do not come with something else."""
        return self.count - self.included


def equipment(design: Design) -> tuple[Equipment, ...]:
    """Servers, switches, line cards, NICs and racks of a design, in this order and by id of the first of each type.

    A server comes with the NICs that it is delivered with, a rack-scale system with its rack; a chassis comes without
    line cards.
    """
    types: dict[str, EquipmentType] = {}
    counts: Counter[str] = Counter()
    included: Counter[str] = Counter()
    for device in (*design.servers(), *design.switches()):
        types[device.type_id] = design.device_type(device.id)
        counts[device.type_id] += 1
    delivered = {
        type_id: {slot.name: slot.nic_type_id or slot.network_nic_type_id for slot in type_.slots}
        for type_id, type_ in types.items()
        if isinstance(type_, ServerType)
    }
    for module in ordered(design.modules):
        types[module.type_id] = design.module_type(module.id)
        counts[module.type_id] += 1
        in_device = delivered.get(design.device(module.device_id).type_id, {})
        included[module.type_id] += in_device.get(module.slot) == module.type_id
    taken = _with_their_systems(design)
    for rack in ordered(design.racks):
        type_ = design.types[rack.type_id]
        if isinstance(type_, RackType):
            types[rack.type_id] = type_
            counts[rack.type_id] += 1
            included[rack.type_id] += rack.id in taken
    found = [Equipment(type_, counts[type_id], included[type_id]) for type_id, type_ in types.items()]
    return tuple(sorted(found, key=lambda one: _ORDER.index(type(one.type))))


_ORDER = (ServerType, SwitchType, LineCardType, NicType, RackType)


class RunningEquipment:
    """The same, kept up to date while a design is edited: types in the order in which they were met."""

    def __init__(self, design: Design) -> None:
        self._types: dict[str, EquipmentType] = {}
        self._counts: Counter[str] = Counter()
        self._included: Counter[str] = Counter()
        self._of: dict[str, tuple[str, bool]] = {}
        """Of each device, module and rack its type, and whether it comes with something else."""
        self._filled: dict[str, str] = {}
        """Racks by the rack-scale systems that stand in them, each alone."""
        for placement in design.placements.values():
            self._place(design, placement.id)
        for one in (*design.devices, *design.modules, *design.racks):
            self._count(design, one)

    @property
    def counted(self) -> tuple[Equipment, ...]:
        """What there is of each type."""
        found = [Equipment(self._types[one], n, self._included[one]) for one, n in self._counts.items() if n]
        return tuple(sorted(found, key=lambda one: _ORDER.index(type(one.type))))

    def follow(self, design: Design, edit: Edit) -> None:
        """Take in an edit that the design has, and that changes no type."""
        for change in edit.others:
            one = change.subject
            if isinstance(one, Placement):
                for rack_id in (self._filled.get(one.id), self._place(design, one.id)):
                    if rack_id is not None:
                        self._count(design, rack_id)
            elif isinstance(one, Device):
                self._count(design, one.id)
                if one.id in design.devices:
                    for module in design.modules_of(one.id):
                        self._count(design, module.id)
            elif isinstance(one, Module | Rack):
                self._count(design, one.id)

    def _place(self, design: Design, device_id: str) -> str | None:
        """The rack that a rack-scale system stands in; it has no other rack."""
        self._filled.pop(device_id, None)
        placement = design.placements.get(device_id)
        if placement is None or placement.rack_id is None or device_id not in design.devices:
            return None
        type_ = design.device_type(device_id)
        if isinstance(type_, ServerType) and type_.fills_rack:
            self._filled[device_id] = placement.rack_id
        return self._filled.get(device_id)

    def _count(self, design: Design, entity_id: str) -> None:
        known = self._of.pop(entity_id, None)
        if known is not None:
            self._counts[known[0]] -= 1
            self._included[known[0]] -= known[1]
        now = self._counted_as(design, entity_id)
        if now is not None:
            self._of[entity_id] = now
            self._types[now[0]] = design.types[now[0]]  # type: ignore[assignment]
            self._counts[now[0]] += 1
            self._included[now[0]] += now[1]

    def _counted_as(self, design: Design, entity_id: str) -> tuple[str, bool] | None:
        if entity_id in design.devices:
            return design.devices[entity_id].type_id, False
        if entity_id in design.modules:
            module = design.modules[entity_id]
            return module.type_id, _delivered(design.device_type(module.device_id), module.slot) == module.type_id
        rack = design.racks.get(entity_id)
        if rack is None or not isinstance(design.types.get(rack.type_id), RackType):
            return None
        return rack.type_id, entity_id in self._filled.values()


def _delivered(type_: DeviceType, slot: str) -> str:
    """The id of the NIC that a server is delivered with in a slot; "" for none."""
    if not isinstance(type_, ServerType):
        return ""
    return next((one.nic_type_id or one.network_nic_type_id for one in type_.slots if one.name == slot), "")


def _with_their_systems(design: Design) -> set[str]:
    """Racks that a rack-scale system is: they come with it."""
    found = set()
    for placement in design.placements.values():
        if placement.rack_id is not None and placement.id in design.devices:
            type_ = design.device_type(placement.id)
            if isinstance(type_, ServerType) and type_.fills_rack:
                found.add(placement.rack_id)
    return found
