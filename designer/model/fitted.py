"""The ports of a device with the modules it holds, or as they would be with others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from designer.model.entities import Device, Module
from designer.model.hardware.device_ports import Cage, Cards, management_ports, server_ports, switch_cages, switch_ports
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.ports import Port
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType, HardwareType

Types = Mapping[str, HardwareType]


def reserving(device: Device, names: Sequence[str]) -> Device:
    """The device with these ports reserved: those that were before keep what they are reserved for."""
    purposes = tuple((name, purpose) for name, purpose in device.reserved_for if name in names)
    return replace(device, reserved_ports=tuple(names), reserved_for=purposes)


def fitted_ports(device: Device, type_: DeviceType, modules: Sequence[Module], types: Types) -> tuple[Port, ...]:
    """The logical ports of a device that holds these modules, in port order."""
    modes = tuple((module.slot, module.port_mode) for module in modules if module.port_mode)
    if isinstance(type_, SwitchType):
        return switch_ports(type_, device.port_mode, device.cage_modes, _cards(modules, types), modes)
    held = [(module.slot, types[module.type_id]) for module in modules]
    return server_ports(type_, tuple((slot, nic) for slot, nic in held if isinstance(nic, NicType)), modes)


def fitted_cages(device: Device, type_: DeviceType, modules: Sequence[Module], types: Types) -> tuple[Cage, ...]:
    """The cages of a switch that holds these modules, in order, each in its mode; none of a server."""
    if not isinstance(type_, SwitchType):
        return ()
    modes = tuple((module.slot, module.port_mode) for module in modules if module.port_mode)
    return tuple(switch_cages(type_, device.port_mode, device.cage_modes, _cards(modules, types), modes))


def every_port(device: Device, type_: DeviceType, modules: Sequence[Module], types: Types) -> tuple[Port, ...]:
    """The same, and after them the ports by which a switch is managed."""
    ports = fitted_ports(device, type_, modules, types)
    if not isinstance(type_, SwitchType) or not type_.management_ports:
        return ports
    n_cages = len(_cages(type_, modules, types)) if type_.slots else type_.n_cages
    return (*ports, *management_ports(type_, n_cages))


def refitted(
    device: Device, type_: DeviceType, before: Sequence[Module], after: Sequence[Module], types: Types
) -> Device:
    """The device once it holds other modules: modes of cages go with their card, and ports that go are not reserved.

    A card of another type in a slot has cages of its own, in its own mode.
    """
    if device.cage_modes and isinstance(type_, SwitchType) and type_.slots:
        now = dict(enumerate(_cages(type_, before, types), start=1))
        then = {place: cage for cage, place in enumerate(_cages(type_, after, types), start=1)}
        moved = ((then.get(now.get(cage)), mode) for cage, mode in device.cage_modes)  # type: ignore[arg-type]
        changed = replace(device, cage_modes=tuple(sorted((cage, mode) for cage, mode in moved if cage is not None)))
    else:
        changed = device
    if not device.reserved_ports:
        return changed
    there = {port.name for port in fitted_ports(changed, type_, after, types)}
    gone = {port.name for port in fitted_ports(device, type_, before, types)} - there
    return reserving(changed, [name for name in device.reserved_ports if name not in gone])


def _cards(modules: Iterable[Module], types: Types) -> Cards:
    held = ((module.slot, types[module.type_id]) for module in modules)
    return tuple((slot, card) for slot, card in held if isinstance(card, LineCardType))


def _cages(type_: SwitchType, modules: Iterable[Module], types: Types) -> list[tuple[str, str, int]]:
    """(slot, type of its card, socket) of every cage, in cage order."""
    held = {module.slot: types[module.type_id] for module in modules}
    cards = ((slot.name, held.get(slot.name)) for slot in type_.slots)
    return [
        (slot, card.id, socket)
        for slot, card in cards
        if isinstance(card, LineCardType)
        for socket in range(card.n_cages)
    ]
