"""Port modes of some cages, and of many devices: which there are, and edits that set them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from designer.errors import NoFreePortError, UnknownEntityError
from designer.model.cage_runs import cages, cages_named, numbers_text
from designer.model.design import Design
from designer.model.edit import Change, Edit, joined
from designer.model.entities import Device
from designer.model.fitted import every_port, fitted_cages, reserving
from designer.model.hardware.device_ports import Cage
from designer.model.hardware.ports import MANAGEMENT, Port
from designer.model.hardware.switches import SwitchType
from designer.model.nic_modes import set_nic_mode
from designer.model.reseating import moved_links, reseated


def set_port_mode(design: Design, device_id: str, mode_name: str) -> Edit:
    """The switch in another mode of its ports; links stay in their cages where the mode has a lane for them.

    Of a chassis all cards go into it that have it; cages with modes of their own stay in theirs, with their links and
    no others.
    Raises UnknownEntityError for a mode the type lacks, NoFreePortError where there are fewer ports than links.
    """
    device, type_ = design.device(device_id), design.device_type(device_id)
    modes = [mode.name for mode in design.port_modes(device_id)]
    if mode_name not in modes or not isinstance(type_, SwitchType):
        raise UnknownEntityError(
            f"{device.name} ({type_.model}) has no port mode {mode_name!r}: it has {', '.join(modes) or 'none'}"
        )
    label = f"Set {device.name} to {mode_name}"
    own = [module for module in design.modules_of(device_id) if module.port_mode]
    own_cages = range(type_.n_mode_cages + 1, type_.n_cages + 1) if not type_.slots else range(0)
    kept = tuple(pair for pair in device.cage_modes if pair[0] in own_cages)
    if (device.port_mode or modes[0]) == mode_name and device.cage_modes == kept and not own:
        return Edit(label, ())
    after = replace(device, port_mode=mode_name, cage_modes=kept)
    if not type_.slots:
        return Edit(label, _with_links(design, after, range(1, type_.n_mode_cages + 1), mode_name))
    changes = [Change(module, replace(module, port_mode="")) for module in own]
    modules = [replace(module, port_mode="") for module in design.modules_of(device_id)]
    ports = every_port(after, type_, modules, design.types)
    kept_free = [name for name in device.reserved_ports if any(port.name == name for port in ports)]
    moved = reseated(design, device, f"mode {mode_name}", ports, True)
    return Edit(label, (Change(device, reserving(after, kept_free)), *changes, *moved))


def set_cage_modes(design: Design, device_id: str, numbers: Iterable[int], mode_name: str) -> Edit:
    """Some cages of a switch in a mode; the others stay in theirs, and their links where they are.

    A link stays in its cage where the mode has a lane for it, else takes a free port of the cages that change.
    Raises UnknownEntityError for a cage or mode that is not there, NoFreePortError where these cages have more links
    than ports then.
    """
    device, wanted = design.device(device_id), set(numbers)
    there = {cage.number: cage for cage in cages(design, device_id)}
    _require(design, device, there, wanted, mode_name)
    label = f"Set {cages_named(wanted)} of {device.name} to {mode_name}"
    if wanted == there.keys() and not any(cage.group.modes for cage in there.values()):
        return set_port_mode(design, device_id, mode_name)
    named = {number: mode_name if number in wanted else cage.mode.name for number, cage in there.items()}
    if all(cage.mode.name == named[number] for number, cage in there.items()):
        return Edit(label, ())
    type_, modules = design.device_type(device_id), design.modules_of(device_id)
    alike = {named[number] for number, cage in there.items() if not cage.group.modes} if not type_.slots else set[str]()
    after = replace(device, cage_modes=())
    if len(alike) == 1:
        after = replace(after, port_mode="" if alike == {there[1].modes[0].name} else next(iter(alike)))
    plain = fitted_cages(after, type_, modules, design.types)
    own = tuple((cage.number, named[cage.number]) for cage in plain if cage.mode.name != named[cage.number])
    after = replace(after, cage_modes=own)
    return Edit(label, _with_links(design, after, wanted, mode_name))


def _with_links(design: Design, after: Device, wanted: Collection[int], mode_name: str) -> tuple[Change, ...]:
    """The change to the device with some cages in another mode, and those that move its links and reservations."""
    device = design.device(after.id)
    ports = every_port(after, design.device_type(after.id), design.modules_of(after.id), design.types)
    seats = _seats(design, device, ports, wanted, mode_name)
    moved = moved_links(design, device.id, {name: seats.get(name, name) for name in design.used_ports(device.id)})
    return (Change(device, _reserving_moved(design, after, seats)), *moved)


def _require(
    design: Design, device: Device, there: Mapping[int, Cage], wanted: Collection[int], mode_name: str
) -> None:
    """Raises UnknownEntityError for cages that are not there, or that lack the mode."""
    if not there:
        raise UnknownEntityError(f"{device.name} has no cages whose mode can be set")
    unknown = [number for number in wanted if number not in there]
    if unknown or not wanted:
        raise UnknownEntityError(f"{device.name} has cages 1 to {len(there)}, not {numbers_text(unknown) or 'none'}")
    for number in sorted(wanted):
        names = [mode.name for mode in there[number].modes]
        if mode_name not in names:
            raise UnknownEntityError(
                f"cage {number} of {device.name} ({design.device_type(device.id).model}) has no port mode "
                f"{mode_name!r}: it has {', '.join(names)}"
            )


def _seats(
    design: Design, device: Device, ports: Sequence[Port], wanted: Collection[int], mode_name: str
) -> dict[str, str]:
    """New name by old of every port in use or reserved: its place in its cage, else the next free one of `wanted`.

    Links and reservations at ports that are not there keep their names, which no other link takes.
    """
    old, used = design.port_map(device.id), design.used_ports(device.id)
    at = {(port.cage, port.lane): port.name for port in ports}
    seats = {name: at[place] for name, port in old.items() if (place := (port.cage, port.lane)) in at}
    strays = {name for name in (*used, *device.reserved_ports) if name not in old}
    met = next((name for name in old if name in used and seats.get(name) in strays), None)
    if met is not None:
        raise NoFreePortError(
            f"{device.name} port {met} becomes {seats[met]}, which a link or reservation without a port names: "
            "remove that first"
        )
    kept = strays | {seats[name] for name in (*used, *device.reserved_ports) if name in seats}
    homeless = [name for name in old if name in used and name not in seats]
    free = [port.name for port in ports if port.cage in wanted and port.name not in kept]
    if len(homeless) > len(free):
        n_links = sum(port.cage in wanted for name, port in old.items() if name in used)
        raise NoFreePortError(
            f"{device.name} {cages_named(wanted)}: {n_links} ports are in use, mode {mode_name} has room for "
            f"{n_links - len(homeless) + len(free)}: remove {len(homeless) - len(free)} of their links first"
        )
    return {**seats, **dict(zip(homeless, free, strict=False))}


def _reserving_moved(design: Design, device: Device, seats: Mapping[str, str]) -> Device:
    """The device with its reservations on the ports that those became; none of ports that go."""
    there = design.port_map(device.id)
    kept = [name for name in device.reserved_ports if name in seats or name not in there]
    names = {name: seats.get(name, name) for name in kept}
    return replace(
        device,
        reserved_ports=tuple(names.values()),
        reserved_for=tuple((names[name], purpose) for name, purpose in device.reserved_for if name in names),
    )


def modes_of_all(design: Design, ids: Sequence[str]) -> tuple[str, ...]:
    """The names of the modes that all these devices have; of servers those of their NICs, where one type has several.

    Empty where there is nothing to choose.
    """
    found: list[tuple[str, ...]] = []
    for one in ids:
        if design.is_switch(one):
            found.append(tuple(mode.name for mode in design.port_modes(one)))
        else:
            found.append(next(iter(_nics_by_modes(design, one)), ()))
    alike = len(set(found)) == 1 and len(found[0]) > 1
    return found[0] if alike else ()


def all_in_mode(design: Design, ids: Iterable[str], mode: str, among: Collection[str] = ()) -> Edit:
    """These devices, or their NICs, in a mode; links stay where it has room for them. Raises DesignerError.

    With `among` given, cages of switches with links to any other device keep their mode: uplinks at 800G leave the
    cages that are split for servers as they are.
    """
    after, edits, nics = design.snapshot(), list[Edit](), list[str]()
    for one in ids:
        if design.is_switch(one):
            kept = _cages_linked_elsewhere(after, one, among) if among else set[int]()
            if kept:
                edits.append(_others_in_mode(after, one, kept, mode))
            else:
                edits.append(set_port_mode(after, one, mode))
            after.apply(edits[-1])
        else:
            nics += (nic for modes, held in _nics_by_modes(design, one).items() if mode in modes for nic in held)
    if nics:
        edits.append(set_nic_mode(after, nics, mode))
    return joined(f"Set ports to {mode}", edits)


def _others_in_mode(design: Design, device_id: str, kept: Collection[int], mode: str) -> Edit:
    """The cages of a switch that have the mode in it, but for those that are kept or have modes of their own."""
    there = [cage for cage in cages(design, device_id) if any(one.name == mode for one in cage.modes)]
    there = [cage for cage in there if not cage.group.modes]
    numbers = [cage.number for cage in there if cage.number not in kept]
    return set_cage_modes(design, device_id, numbers, mode) if numbers else Edit("", ())


def _cages_linked_elsewhere(design: Design, device_id: str, among: Collection[str]) -> set[int]:
    """The cages of a switch with links to devices that are none of these."""
    ports, found = design.port_map(device_id), set[int]()
    for link in design.links_of(device_id):
        own, other = (link.a, link.b) if link.a.device_id == device_id else (link.b, link.a)
        if other.device_id not in among and own.port in ports and ports[own.port].purpose != MANAGEMENT:
            found.add(ports[own.port].cage)
    return found


def _nics_by_modes(design: Design, server_id: str) -> dict[tuple[str, ...], list[str]]:
    """The NICs of a server that have several modes, by these; empty where they differ in them."""
    found: dict[tuple[str, ...], list[str]] = {}
    for module in design.modules_of(server_id):
        names = tuple(mode.name for mode in design.module_type(module.id).port_modes)
        if len(names) > 1:
            found.setdefault(names, []).append(module.id)
    return found if len(found) == 1 else {}
