"""The rule about cages that are used in part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link
from designer.model.hardware.ports import Port
from designer.model.matching import port_compatibility
from designer.units import format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope
from designer.validation.sources import CABLE_SHEETS

MOST_NAMED = 3


@rule(
    "PORT-009",
    Severity.INFO,
    "Twin-port cages half used",
    "A twin-port module serves two links. Two cages with one link each take two modules where one would do, and leave "
    "no cage free.",
    remedy="Move one of the links to the other port of a half-used cage.",
    fix="Moves links that have no cable yet to the free ports of the other half-used cages, where ports match.",
    example="Two links to one spine leave a leaf through port 1 of cage 5 and port 1 of cage 6, both with two ports.",
    source=f"{CABLE_SHEETS}: twin-port modules with two links each.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def cages_half_used(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds switches with two or more links between the same two devices in twin-port cages of their own.

    Links to other devices may need modules of their own. Subjects are the switch and the links that can move.
    """
    twins: dict[int, Mapping[str, Port]] = {}
    design = seen.design
    for device in seen.devices():
        ports = design.ports(device.id)  # one tuple for all switches alike
        if id(ports) not in twins:
            twins[id(ports)] = {port.name: port for port in ports if port.ports_per_cage == 2 and not port.slot}
        halves = _halves(seen, device, twins[id(ports)]) if twins[id(ports)] and design.is_switch(device.id) else {}
        for (far_id, _), links in sorted(halves.items()):
            if len(links) > 1:
                yield _found(seen, this, device, far_id, links, twins[id(ports)])


def _halves(
    seen: Inspection, device: Device, twins: Mapping[str, Port]
) -> dict[tuple[str, str], list[tuple[Link, End]]]:
    """Links alone in a twin-port cage, by the device they lead to and the cable they have."""
    design = seen.design
    used = design.used_ports(device.id)
    taken: dict[int, list[str]] = {}
    for name in dict.fromkeys((*used, *device.reserved_ports)):
        if name in twins:
            taken.setdefault(twins[name].cage, []).append(name)
    found: dict[tuple[str, str], list[tuple[Link, End]]] = {}
    for names in taken.values():
        ids = used.get(names[0], ())
        if len(names) == 1 and len(ids) == 1:
            link, end = design.links[ids[0]], End(device.id, names[0])
            far = seen.far_end(link, end).device_id
            if design.is_switch(far):
                found.setdefault((far, link.medium_id), []).append((link, end))
    return found


def _found(
    seen: Inspection,
    this: Rule,
    device: Device,
    far_id: str,
    links: Sequence[tuple[Link, End]],
    twins: Mapping[str, Port],
) -> Finding:
    cages = [str(twins[end.port].cage) for _, end in links]
    more = f" and {format_count(len(cages) - MOST_NAMED)} more" if len(cages) > MOST_NAMED else ""
    moved = links[1::2]
    return this.finding(
        f"{device.name}: {format_counted(len(links), 'cage')} with one of two ports used, all to {seen.name(far_id)}: "
        f"cages {', '.join(cages[:MOST_NAMED])}{more}",
        (device.id, *(link.id for link, _ in moved)),
        value=len(links),
        limit=len(links) % 2,
        fix=_shared(seen, device, links, twins),
    )


def _shared(
    seen: Inspection, device: Device, links: Sequence[tuple[Link, End]], twins: Mapping[str, Port]
) -> Edit | None:
    """Every second link moved to the cage of the one before; None where a port does not match, or a cable is chosen."""
    if any(link.medium_id for link, _ in links):
        return None
    changes = []
    free = {port.name for port in seen.free_ports(device.id)}
    for (_, kept), (link, end) in zip(links[::2], links[1::2], strict=False):
        cage = twins[kept.port].cage
        other = next((name for name, port in twins.items() if port.cage == cage and name in free), None)
        partner = seen.design.port(seen.far_end(link, end))
        if other is None or partner is None or port_compatibility(twins[other], partner) is not None:
            return None
        new = End(device.id, other)
        changes.append(Change(link, replace(link, a=new) if link.a == end else replace(link, b=new)))
    return Edit(f"Move {format_counted(len(changes), 'link')} of {device.name} into half-used cages", tuple(changes))
