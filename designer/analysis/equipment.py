"""Equipment: devices, what is installed in them, and racks, counted by type; what is delivered with something else."""

from collections import Counter
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.hardware import DeviceType, LineCardType, ModuleType, NicType, RackType, ServerType, SwitchType
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


def _with_their_systems(design: Design) -> set[str]:
    """Racks that a rack-scale system is: they come with it."""
    found = set()
    for placement in design.placements.values():
        if placement.rack_id is not None and placement.id in design.devices:
            type_ = design.device_type(placement.id)
            if isinstance(type_, ServerType) and type_.fills_rack:
                found.add(placement.rack_id)
    return found
