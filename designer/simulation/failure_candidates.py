"""What can fail in a design: links, optics, switches, NICs, servers, racks, planes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from designer.errors import ParameterError
from designer.model.design import Design, ordered


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can fail: what a report calls it, and the ids of what is gone with it."""

    name: str
    ids: frozenset[str]
    parts: tuple[str, ...] = ()
    """The names of all that fail together; empty for one by itself."""


def candidates(design: Design, kind: str) -> list[Candidate]:
    """Everything of a kind in the design, in its order. Raises ParameterError for a kind there is not."""
    if kind not in _FOUND_BY:
        raise ParameterError(f"there is nothing called {kind!r} to fail; there is {', '.join(KINDS)}")
    return list(_FOUND_BY[kind](design))


def at_least(number: int, design: Design, kind: str) -> list[Candidate]:
    """Everything of a kind. Raises ParameterError where there are fewer than this number: nothing could be tried."""
    found = candidates(design, kind)
    if not found:
        raise ParameterError(f"there are no {_PLURALS[kind]} in this design, so none can fail")
    if len(found) < number:
        raise ParameterError(f"this design has only {found[0].name} of its kind: no two {_PLURALS[kind]} can fail")
    return found


def _links(design: Design) -> Iterable[Candidate]:
    names = {device.id: device.name for device in design.devices.values()}
    for link in ordered(design.links):
        name = f"{names[link.a.device_id]} {link.a.port} - {names[link.b.device_id]} {link.b.port}"
        yield Candidate(name, frozenset([link.id]))


def _optics(design: Design) -> Iterable[Candidate]:
    """What is plugged into each cage, with all links through it: two where an optic carries two."""
    through: dict[tuple[str, int], set[str]] = {}
    for link in ordered(design.links):
        for end in (link.a, link.b):
            port = design.port_map(end.device_id).get(end.port)
            if port is not None:
                through.setdefault((end.device_id, port.cage), set()).add(link.id)
    for device in ordered(design.devices):
        for cage in sorted(cage for device_id, cage in through if device_id == device.id):
            yield Candidate(f"{device.name} cage {cage}", frozenset(through[device.id, cage]))


def _switches(design: Design) -> Iterable[Candidate]:
    return (Candidate(device.name, frozenset([device.id])) for device in design.switches())


def _servers(design: Design) -> Iterable[Candidate]:
    return (Candidate(device.name, frozenset([device.id])) for device in design.servers())


def _nics(design: Design) -> Iterable[Candidate]:
    for module in ordered(design.modules):
        yield Candidate(f"{design.device(module.device_id).name} {module.slot}", frozenset([module.id]))


def _racks(design: Design) -> Iterable[Candidate]:
    held: dict[str, set[str]] = {}
    for placement in design.placements.values():
        if placement.rack_id is not None:
            held.setdefault(placement.rack_id, set()).add(placement.id)
    return (Candidate(rack.name, frozenset(held[rack.id])) for rack in ordered(design.racks) if rack.id in held)


def _planes(design: Design) -> Iterable[Candidate]:
    planes: dict[int, set[str]] = {}
    for device in design.switches():
        if device.plane is not None:
            planes.setdefault(device.plane, set()).add(device.id)
    return (Candidate(f"plane {plane}", frozenset(ids)) for plane, ids in sorted(planes.items()))


_FOUND_BY: Mapping[str, Callable[[Design], Iterable[Candidate]]] = {
    "link": _links, "optic": _optics, "switch": _switches, "nic": _nics, "server": _servers, "rack": _racks,
    "plane": _planes,
}  # fmt: skip

_PLURALS = {
    "link": "links", "optic": "optics", "switch": "switches", "nic": "NICs", "server": "servers",
    "rack": "racks with devices", "plane": "planes",
}  # fmt: skip

KINDS = tuple(_FOUND_BY)
