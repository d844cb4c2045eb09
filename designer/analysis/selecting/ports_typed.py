"""Ports by what is typed: "leaf-03 port 17", "leaf-03/17", "leaf-03 17/2", or what the chassis prints at one."""

import re
from collections.abc import Iterator

from designer.analysis.selecting.fuzzy import score
from designer.model.design import Design
from designer.model.entities import Device, End
from designer.model.hardware.ports import Port
from designer.model.port_labels import both_names, reserved_text
from designer.model.records import ordered

DEVICES_MOST = 8
"""Devices whose names are alike; a list of the ports of more would name none that is meant."""
_PORT = re.compile(r"(?:\s*[/:]\s*|\s+)(?:port\s*)?(.*)")
_SPLIT = re.compile(r"(.+?)\s+port\b\s*(.*)")


def ports_typed(design: Design, text: str, most: int) -> list[End]:
    """The ports that a text names by a device and a port, the best first; all of the device where no port follows.

    The whole number of a port comes before those that begin with it: 1 finds 1, 1/1 and 1/2 before 10. A device is
    named as it is or, where the word port follows, by a few letters as in a search.
    """
    typed = " ".join(text.casefold().split())
    found: list[End] = []
    for device, port in _devices(design, typed):
        names = [*design.ports(device.id), *design.management_ports(device.id)]
        ranked = [(rank, number) for number, one in enumerate(names) if (rank := _rank(one, port)) is not None]
        found += (End(device.id, names[number].name) for _, number in sorted(ranked))
    return found[:most]


def port_text(design: Design, end: End) -> str:
    """ "leaf-03 port 17", and in parentheses what the chassis prints there, where that is something else."""
    port = design.port(end)
    named = end.port if port is None else both_names(port)
    return f"{design.device(end.device_id).name} port {named}"


def port_use(design: Design, end: End) -> str:
    """ "to spine-02 port 7", "free", or what the port is reserved for."""
    others = [link.b if link.a == end else link.a for one in design.links_at(end) for link in (design.links[one],)]
    if others:
        return f"to {', '.join(map(design.end_name, others))}"
    return reserved_text(design.device(end.device_id), end.port) or "free"


def _devices(design: Design, typed: str) -> Iterator[tuple[Device, str]]:
    """The devices that the text begins with, each with what is typed after it."""
    devices = ordered(design.devices)
    begun = [
        (one, found[1])
        for one in devices
        if typed.startswith(name := one.name.casefold()) and (found := _PORT.fullmatch(typed[len(name) :]))
    ]
    if begun:
        yield from begun
        return
    split = _SPLIT.fullmatch(typed)
    if split is not None:
        scored = [(points, one) for one in devices if (points := score(split[1], one.name)) is not None]
        scored.sort(key=lambda pair: pair[0], reverse=True)
        yield from ((one, split[2]) for _, one in scored[:DEVICES_MOST])


def _rank(port: Port, typed: str) -> int | None:
    """0 for the port of that name, 1 for one of that cage, 2 for one that begins so; None for another."""
    ranks = []
    for name in filter(None, (port.name.casefold(), port.label.casefold())):
        if name == typed:
            return 0
        if name.startswith(typed):
            ranks.append(1 if typed and not name[len(typed)].isalnum() else 2)
    return min(ranks, default=None)
