"""What can fail in a network of a design: links, optics, switches, NICs, servers, racks, planes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import Device, Link
from designer.model.networks import COMPUTE, PURPOSE_OF, WORDS, networks_of, networks_of_switch, serves
from designer.model.records import ordered


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can fail: what a report calls it, and the ids of what fails with it."""

    name: str
    ids: frozenset[str]
    parts: tuple[str, ...] = ()
    """The names of all that fail together; empty for one by itself."""
    role: str = ""
    """Of a switch, such as "leaf"; "" of everything else."""


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """What of a design is in one of its networks: links, switches, and servers and NICs that these lead to."""

    design: Design
    network: str
    links: tuple[Link, ...]
    devices: frozenset[str] | None
    """None where there is no other network to tell from."""

    def has(self, device_id: str) -> bool:
        return self.devices is None or device_id in self.devices

    def switches(self) -> list[Device]:
        return [device for device in self.design.switches() if self.has(device.id)]


def _within(design: Design, network: str) -> _Within:
    if networks_of(design) == [network]:
        return _Within(design, network, tuple(ordered(design.links)), None)
    links = tuple(link for link in ordered(design.links) if serves(design, link, network))
    linked = {end.device_id for link in design.links.values() for end in (link.a, link.b)}
    met = {end.device_id for link in links for end in (link.a, link.b)}
    switches = {device.id for device in design.switches() if network in networks_of_switch(device)}
    servers = {device.id for device in design.servers() if device.id in met or device.id not in linked}
    return _Within(design, network, links, frozenset(switches | servers))


def candidates(design: Design, kind: str, network: str = COMPUTE) -> list[Candidate]:
    """Everything of a kind in a network of the design, in its order. Raises ParameterError for a kind there is not."""
    if kind not in _FOUND_BY:
        raise ParameterError(f"there is nothing called {kind!r} to fail; there is {', '.join(KINDS)}")
    return list(_FOUND_BY[kind](_within(design, network)))


def at_least(number: int, design: Design, kind: str, network: str = COMPUTE) -> list[Candidate]:
    """Everything of a kind. Raises ParameterError where there are fewer than this number: nothing could be tried."""
    found = candidates(design, kind, network)
    where = "this design" if networks_of(design) == [network] else f"the {WORDS[network]} of this design"
    if not found:
        raise ParameterError(f"there are no {_PLURALS[kind]} in {where}, so none can fail")
    if len(found) < number:
        raise ParameterError(f"{where} has only {found[0].name} of its kind: no two {_PLURALS[kind]} can fail")
    return found


def _links(within: _Within) -> Iterable[Candidate]:
    names = {device.id: device.name for device in within.design.devices.values()}
    for link in within.links:
        name = f"{names[link.a.device_id]} {link.a.port} - {names[link.b.device_id]} {link.b.port}"
        yield Candidate(name, frozenset([link.id]))


def _optics(within: _Within) -> Iterable[Candidate]:
    """What is plugged into each cage, with all links through it: two where an optic carries two."""
    design = within.design
    through: dict[str, dict[int, set[str]]] = {}
    for link in within.links:
        for end in (link.a, link.b):
            port = design.port_map(end.device_id).get(end.port)
            if port is not None:
                through.setdefault(end.device_id, {}).setdefault(port.cage, set()).add(link.id)
    for device in ordered(design.devices):
        for cage, links in sorted(through.get(device.id, {}).items()):
            yield Candidate(f"{device.name} cage {cage}", frozenset(links))


def _switches(within: _Within) -> Iterable[Candidate]:
    return (Candidate(device.name, frozenset([device.id]), role=device.role or "") for device in within.switches())


def _servers(within: _Within) -> Iterable[Candidate]:
    servers = within.design.servers()
    return (Candidate(device.name, frozenset([device.id])) for device in servers if within.has(device.id))


def _nics(within: _Within) -> Iterable[Candidate]:
    design, purpose = within.design, PURPOSE_OF[within.network]
    for module in ordered(design.modules):
        if design.is_switch(module.device_id):
            continue  # a line card is no NIC
        ports = (port for port in design.ports(module.device_id) if port.slot == module.slot)
        if within.devices is None or any(port.purpose == purpose for port in ports):
            yield Candidate(f"{design.device(module.device_id).name} {module.slot}", frozenset([module.id]))


def _racks(within: _Within) -> Iterable[Candidate]:
    """Racks that hold anything of the network, with all they hold."""
    design = within.design
    held: dict[str, set[str]] = {}
    for placement in design.placements.values():
        if placement.rack_id is not None:
            held.setdefault(placement.rack_id, set()).add(placement.id)
    for rack in ordered(design.racks):
        if any(within.has(device_id) for device_id in held.get(rack.id, ())):
            yield Candidate(rack.name, frozenset(held[rack.id]))


def _planes(within: _Within) -> Iterable[Candidate]:
    planes: dict[int, set[str]] = {}
    for device in within.switches():
        if device.plane is not None:
            planes.setdefault(device.plane, set()).add(device.id)
    return (Candidate(f"plane {plane}", frozenset(ids)) for plane, ids in sorted(planes.items()))


_FOUND_BY: Mapping[str, Callable[[_Within], Iterable[Candidate]]] = {
    "link": _links,
    "optic": _optics,
    "switch": _switches,
    "nic": _nics,
    "server": _servers,
    "rack": _racks,
    "plane": _planes,
}

_PLURALS = {
    "link": "links",
    "optic": "optics",
    "switch": "switches",
    "nic": "NICs",
    "server": "servers",
    "rack": "racks with devices",
    "plane": "planes",
}

KINDS = tuple(_FOUND_BY)
