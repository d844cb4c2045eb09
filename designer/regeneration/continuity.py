"""What lasts when a fabric is generated again: names of racks and labelled devices, ports of links between switches."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link, Rack
from designer.regeneration.ground import Ground
from designer.regeneration.pristine import Fabric, Pristine

EQUIPMENT = ("type_id", "port_mode", "cage_modes")

_NUMBERED = re.compile(r"(.*?)([0-9]+)")


def as_it_stands(design: Design, base: Fabric) -> None:
    """Ports and rack numbers that an earlier regeneration kept count as generated, not as set by hand.

    A link that was moved by hand to other ports of the same two switches is kept on those in the same way.
    """
    links, racks = base.tables["links"], base.tables["racks"]
    for one, link in links.items():
        stands = design.links.get(one)
        if (
            stands is not None
            and (stands.a, stands.b) != (link.a, link.b)
            and _same_switches(design, base, link, stands)
        ):
            links[one] = replace(link, a=stands.a, b=stands.b)
    for one, rack in racks.items():
        stood = design.racks.get(one)
        if stood is not None and numbered_alike(stood.name, rack.name):
            racks[one] = replace(rack, name=stood.name)


def numbered_alike(name: str, other: str) -> bool:
    """Whether two names differ in the number at their end alone, if at all: "net-05" and "net-12"."""
    found, there = _NUMBERED.fullmatch(name), _NUMBERED.fullmatch(other)
    return found is not None and there is not None and found[1] == there[1]


def _same_switches(design: Design, base: Fabric, link: Link, stands: Link) -> bool:
    ends = ((link.a, stands.a), (link.b, stands.b))
    return all(
        was.device_id == now.device_id and (was == now or _as_generated(design, base, was.device_id))
        for was, now in ends
    )


def _as_generated(design: Design, base: Fabric, device_id: str) -> bool:
    """A switch of the type and modes it was generated with: its ports have the names they had."""
    stands, made = design.devices.get(device_id), base.tables["devices"].get(device_id)
    if stands is None or made is None or not design.is_switch(device_id):
        return False
    return all(getattr(stands, name) == getattr(made, name) for name in EQUIPMENT)


def rack_ids(base: Fabric, now: Pristine, device_ids: Sequence[str], fresh: Iterator[str]) -> list[str]:
    """The ids of the new racks: a rack is the old one that held the most of its devices, or else the like of it."""
    ids = dict(zip((one.id for one in now.tables["devices"]), device_ids, strict=True))
    shared: Counter[tuple[str, str]] = Counter()
    for place in now.placements.values():
        was = base.placements.get(ids.get(place.id, ""))
        if place.rack_id is not None and was is not None and was.rack_id is not None:
            shared[place.rack_id, was.rack_id] += 1
    found: dict[str, str] = {}
    given: set[str] = set()
    for (rack_id, was_id), _ in shared.most_common():
        if rack_id not in found and was_id not in given:
            found[rack_id] = was_id
            given.add(was_id)
    for rack, key in zip(now.tables["racks"], now.keys["racks"], strict=True):
        alike = base.id_of["racks"].get(key)
        if rack.id not in found and alike is not None and alike not in given:
            found[rack.id] = alike
            given.add(alike)
    return [found.get(rack.id) or next(fresh) for rack in now.tables["racks"]]


def link_ids(
    base: Fabric, now: Pristine, device_ids: Sequence[str], is_switch: Mapping[str, bool], fresh: Iterator[str]
) -> list[str]:
    """The ids of the new links: a link is an old one between the same two switches, or of the same port of a server."""
    ids = dict(zip((one.id for one in now.tables["devices"]), device_ids, strict=True))

    def side(device_id: str, port: str) -> Hashable:
        return device_id if is_switch[device_id] else (device_id, port)

    free: defaultdict[Hashable, list[str]] = defaultdict(list)
    for one, link in base.tables["links"].items():
        free[side(link.a.device_id, link.a.port), side(link.b.device_id, link.b.port)].append(one)
    for left in free.values():
        left.reverse()
    found = []
    for link in now.tables["links"]:
        between = free.get((side(ids[link.a.device_id], link.a.port), side(ids[link.b.device_id], link.b.port)))
        found.append(between.pop() if between else next(fresh))
    return found


def keep_rack_names(design: Design, base: Fabric, fabric: Fabric) -> None:
    """Racks that stay are called as they were; new ones are numbered on from the last."""
    stood, racks = base.tables["racks"], fabric.tables["racks"]
    last: Counter[str] = Counter()
    for rack in (*design.racks.values(), *stood.values()):
        numbered = _NUMBERED.fullmatch(rack.name)
        if numbered is not None:
            last[numbered[1]] = max(last[numbered[1]], int(numbered[2]))
    for one, rack in racks.items():
        racks[one] = replace(rack, name=stood[one].name if one in stood else _next_name(rack, last))


def keep_labelled_names(design: Design, base: Fabric, fabric: Fabric) -> None:
    """Devices whose name may be printed somewhere are called as they were; no new device gets such a name.

    Those are devices with a label on one of their links, and all once a revision has been handed over.
    """
    stood: dict[str, Device] = base.tables["devices"]
    devices: dict[str, Device] = fabric.tables["devices"]
    kept = {one: stood[one].name for one in _labelled(design) if one in stood and one in devices}
    taken = set(kept.values())
    last: Counter[str] = Counter()
    for name in (*taken, *(device.name for one, device in devices.items() if one not in kept)):
        if (numbered := _NUMBERED.fullmatch(name)) is not None:
            last[numbered[1]] = max(last[numbered[1]], int(numbered[2]))
    for one, device in devices.items():
        if one in kept:
            devices[one] = replace(device, name=kept[one])
        elif device.name in taken:
            devices[one] = replace(device, name=_next_name(device, last))


def is_any_labelled(design: Design) -> bool:
    """Whether any device of the design has a name that may be printed somewhere."""
    return bool(design.revisions) or any(link.label for link in design.links.values())


def _labelled(design: Design) -> Set[str]:
    if design.revisions:
        return design.devices.keys()
    return {end.device_id for link in design.links.values() if link.label for end in (link.a, link.b)}


def _next_name(one: Device | Rack, last: Counter[str]) -> str:
    numbered = _NUMBERED.fullmatch(one.name)
    if numbered is None:
        return one.name
    last[numbered[1]] += 1
    return f"{numbered[1]}{last[numbered[1]]:0{len(numbered[2])}d}"


def keep_ports(ground: Ground) -> None:
    """Links that stay are on the ports they were on; new ones take those of the new fabric that are left."""
    base, links, target = ground.base.tables["links"], ground.fabric.tables["links"], ground.target
    at: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for one, link in links.items():
        for name in ("a", "b"):
            end: End = getattr(link, name)
            if target.is_switch(end.device_id):
                at[end.device_id].append((one, name))
    moved: defaultdict[str, dict[str, End]] = defaultdict(dict)
    for device_id, ends in at.items():
        now = {end: getattr(links[end[0]], end[1]).port for end in ends}
        was = {end: getattr(base[end[0]], end[1]).port for end in ends if end[0] in base}
        reserved = set(target.device(device_id).reserved_ports)
        if device_id in ground.base.tables["devices"]:
            reserved -= set(ground.base.tables["devices"][device_id].reserved_ports)
        for (one, name), port in _kept_ports(target, device_id, reserved, now, was).items():
            moved[one][name] = End(device_id, port)
    changes = []
    for one, ends_of in moved.items():
        after = replace(links[one], **ends_of)
        changes.append(Change(links[one], after))
        links[one] = after
    target.apply(Edit("Keep ports", tuple(changes)))


def _kept_ports(
    target: Design,
    device_id: str,
    reserved: Set[str],
    now: Mapping[tuple[str, str], str],
    was: Mapping[tuple[str, str], str],
) -> dict[tuple[str, str], str]:
    """Other ports than the new fabric's for ends at a switch: the old one each, where it is a port of the same kind.

    `reserved` are ports that the new fabric keeps free and the old one did not.
    """
    if all(was.get(end, port) == port for end, port in now.items()):
        return {}
    ports = target.port_map(device_id)

    def kind(name: str) -> Hashable:
        port = ports.get(name)
        return None if port is None else (port.rate_gbps, port.form_factor, port.protocols, port.max_module_w)

    found: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for end, port in was.items():
        if port not in taken and port not in reserved and kind(port) is not None and kind(port) == kind(now[end]):
            found[end] = port
            taken.add(port)
    for end, port in now.items():
        if end not in found and port not in taken:
            found[end] = port
            taken.add(port)
    left: defaultdict[Hashable, list[str]] = defaultdict(list)
    for port in now.values():
        if port not in taken:
            left[kind(port)].append(port)
            taken.add(port)
    for end, port in now.items():
        if end not in found:
            free = left[kind(port)]
            found[end] = free.pop(0) if free else port
    return {end: port for end, port in found.items() if port != now[end]}
