"""What a list of broken things takes out of a design."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from designer.errors import UnknownEntityError
from designer.model.design import Design
from designer.model.entities import End


@dataclass(frozen=True, slots=True)
class Broken:
    """Ids of devices and links that fail."""

    devices: frozenset[str]
    links: frozenset[str]
    names: tuple[str, ...] = ()
    """What failed, as people name it."""


def broken(design: Design, failed: frozenset[str]) -> Broken:
    """Ids of what `failed` names: devices by id or name, links and modules by id, ports (or slots) as "NAME:PORT".

    Raises UnknownEntityError naming what is not in the design.
    """
    names = {device.name: device.id for device in design.devices.values()}
    devices: set[str] = set()
    links: set[str] = set()
    for name in sorted(failed):
        if name in names:
            devices.add(names[name])
        elif name in design.devices:
            devices.add(name)
        elif name in design.links:
            links.add(name)
        elif name in design.modules:
            module = design.modules[name]
            links.update(_links_of_slot(design, module.device_id, module.slot))
        else:
            links.update(_links_at_named_port(design, names, name))
    called = (failed_name(design, one) for one in failed)
    return Broken(frozenset(devices), frozenset(links), tuple(sorted(called)))


def present(design: Design, failed: Iterable[str]) -> frozenset[str]:
    """Ids of devices, links and modules among these that are in the design: an edit may have removed others."""
    tables = design.devices, design.links, design.modules
    return frozenset(one for one in failed if any(one in table for table in tables))


def dead_links(design: Design, failed: frozenset[str]) -> frozenset[str]:
    """Ids of the links that fail, and of those of devices that fail; of what is in the design."""
    dead = broken(design, present(design, failed))
    return dead.links.union(*({link.id for link in design.links_of(one)} for one in dead.devices))


def failed_name(design: Design, failed: str) -> str:
    """ "leaf-su2-r3", "Link leaf-1 1 to spine-2 3", "gpu-01 rail1": what is marked as failed."""
    if failed in design.devices:
        return design.device(failed).name
    if failed in design.links:
        link = design.links[failed]
        return f"Link {design.end_name(link.a)} to {design.end_name(link.b)}"
    if failed in design.modules:
        module = design.modules[failed]
        return f"{design.device(module.device_id).name} {module.slot}"
    return failed


def covered(design: Design, chosen: Collection[str]) -> frozenset[str]:
    """What chosen ids break: devices, links and NICs themselves, racks and groups with all the devices they hold."""
    found = {one for one in chosen if one in design.devices or one in design.links or one in design.modules}
    for one in chosen:
        if one in design.racks:
            found |= in_rack(design, one)
        elif one in design.groups:
            found |= {device.id for device in design.devices.values() if _is_in(design, device.group_id, one)}
    return frozenset(found)


def in_rack(design: Design, rack_id: str) -> set[str]:
    """Ids of the devices in a rack."""
    return {one for one in design.mounted(rack_id) if one in design.devices}


def _is_in(design: Design, group_id: str | None, wanted: str) -> bool:
    while group_id is not None and group_id != wanted:
        group_id = design.groups[group_id].parent_id
    return group_id is not None


def _links_at_named_port(design: Design, names: dict[str, str], name: str) -> list[str]:
    device_name, colon, port = name.rpartition(":")
    device_id = names.get(device_name, device_name)
    if not colon or device_id not in design.devices:
        raise UnknownEntityError(f"nothing in the design is called {name!r}, so it cannot fail")
    if port in design.port_map(device_id):
        return list(design.links_at(End(device_id, port)))
    if any(p.slot == port for p in design.ports(device_id)):
        return _links_of_slot(design, device_id, port)
    raise UnknownEntityError(f"{design.device(device_id).name} has no port {port!r}")


def _links_of_slot(design: Design, device_id: str, slot: str) -> list[str]:
    ports = [port.name for port in design.ports(device_id) if port.slot == slot]
    return [link_id for port in ports for link_id in design.links_at(End(device_id, port))]
