"""Rules about single ports and links: do the ports exist, are they free, do they run alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from designer.analysis.survey import Run
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.fitted import every_port
from designer.model.hardware.ports import MANAGEMENT, Port
from designer.model.hardware.switches import SwitchType
from designer.model.matching import port_compatibility
from designer.model.nic_modes import mode_meeting
from designer.units import format_count, format_counted, format_rate
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope
from designer.validation.sources import DATA_SHEETS, IEEE_802_3, INFINIBAND, SUPERPOD


@rule(
    "PORT-001",
    Severity.ERROR,
    "No such port",
    "A cable needs a port that exists on the device.",
    remedy="Connect the link to a port that the device has.",
    fix="Moves the end to a free port, or deletes the link where none is free; reserves only ports that exist.",
    example="A link that ends at port 40/1 of a switch with 32 cages.",
    hides=("MEDIA-008", "OVER-001", "OVER-002", "SPREAD-001"),
    source=f"{DATA_SHEETS}: cages, and the ports of each mode.",
    scope=Scope.LINK,
    reads=CABLING,
)
def no_such_port(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links that end at a port the device does not have, and devices that reserve such a port."""
    design = seen.design
    for run in seen.runs():
        for end, port in ((run.low, run.low_port), (run.high, run.high_port)):
            if port is None:
                yield this.finding(
                    f"{seen.name(end.device_id)} has no port {end.port}; "
                    f"its link to {design.end_name(seen.far_end(run.link, end))} ends nowhere",
                    (end.device_id, run.link.id),
                    value=end.port,
                    limit=_port_span(seen, end.device_id),
                    fix=seen.move_or_delete(run.link, end),
                )
    for device in seen.devices():
        missing = [name for name in device.reserved_ports if name not in design.port_map(device.id)]
        if missing:
            kept = tuple(name for name in device.reserved_ports if name not in missing)
            change = Change(device, replace(device, reserved_ports=kept))
            yield this.finding(
                f"{device.name} reserves port {', '.join(missing)}, which it does not have",
                (device.id,),
                value=", ".join(missing),
                limit=_port_span(seen, device.id),
                fix=Edit(f"Reserve only real ports on {device.name}", (change,)),
                aspect="reserved",
            )


@rule(
    "PORT-002",
    Severity.ERROR,
    "Port used twice",
    "A port holds one cable.",
    remedy="Move one of the links to a free port, or delete it where the ports of the device run out.",
    fix="Moves the latest link that can be moved to a free port, or deletes one of two that join the same ports.",
    example="Two NICs are linked to port 5/1 of one leaf.",
    hides=("OVER-001", "OVER-002", "SPREAD-001", "TIER-001", "TORUS-001"),
    source=f"{IEEE_802_3}, and {INFINIBAND}: a link joins two ports.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def port_used_twice(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds ports that more than one link ends at; subjects are the device and those links."""
    design = seen.design
    for device in seen.devices():
        for port_name, ids in design.used_ports(device.id).items():
            if len(ids) < 2 or len(link_ids := tuple(dict.fromkeys(ids))) < 2:
                continue
            end = End(device.id, port_name)
            links = [design.links[link_id] for link_id in link_ids]
            partners = " and ".join(design.end_name(seen.far_end(link, end)) for link in links)
            yield this.finding(
                f"{design.end_name(end)}: {len(links)} links, to {partners}; limit 1",
                (device.id, *link_ids),
                value=len(links),
                limit=1,
                fix=_parted(seen, links, end),
            )


def _parted(seen: Inspection, links: Sequence[Link], end: End) -> Edit | None:
    """The last link that can be moved at a free port; else, of two that join the same ports, the last deleted.

    None where neither is: which of two devices loses its link is for somebody to say.
    """
    for link in reversed(links):
        moved = seen.move_end(link, end)
        if moved is not None:
            return moved
    return seen.delete_link(links[-1]) if len({frozenset((link.a, link.b)) for link in links}) == 1 else None


@rule(
    "PORT-003",
    Severity.ERROR,
    "Speed mismatch",
    "Both ports of a link must run at the same speed.",
    remedy="Use ports of the same speed, or set a breakout mode that gives both ends the same speed.",
    fix="Sets a port mode that both ends have, or moves the link to a free port that matches; none where neither can.",
    example="A NIC port at 400G, linked to a cage that is split to 200G.",
    hides=("MEDIA-008", "OVER-001", "OVER-002", "SPREAD-001"),
    source=f"{IEEE_802_3}, and {INFINIBAND}: both ends of a link run at one rate.",
    scope=Scope.LINK,
    reads=CABLING,
)
def speed_mismatch(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links whose two ports run at different rates."""
    for run in seen.runs():
        low, high, link = run.low_port, run.high_port, run.link
        if low is None or high is None or low.rate_gbps == high.rate_gbps:
            continue
        yield this.finding(
            f"{seen.design.end_name(run.low)} runs at {format_rate(low.rate_gbps)}, "
            f"{seen.design.end_name(run.high)} at {format_rate(high.rate_gbps)}",
            (link.id, run.low.device_id, run.high.device_id),
            value=format_rate(high.rate_gbps),
            limit=format_rate(low.rate_gbps),
            fix=_set_nic_mode(seen, run.low, high)
            or _set_either_cage_mode(seen, run, low, high)
            or seen.move_end(link, run.high)
            or seen.move_end(link, run.low),
        )


@rule(
    "PORT-005",
    Severity.ERROR,
    "Ports exceeded",
    "A device cannot hold more cables than it has ports.",
    remedy="Remove links, or use a device with more ports.",
    example="Nine links on a server with eight ports.",
    source=f"{DATA_SHEETS}: cages, and the ports of each mode.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def ports_exceeded(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds devices with more links than ports; ports for management, and links in them, do not count."""
    design, counts = seen.design, dict[int, int]()
    for device in seen.devices():
        ports = design.port_map(device.id)  # one for all devices alike
        if id(ports) not in counts:
            counts[id(ports)] = sum(port.purpose != MANAGEMENT for port in ports.values())
        n_ports = counts[id(ports)]
        if sum(map(len, design.used_ports(device.id).values())) <= n_ports:
            continue
        links = design.links_of(device.id)
        ends = (end for link in links for end in {link.a, link.b} if end.device_id == device.id)
        n_links = sum(end.port not in ports or ports[end.port].purpose != MANAGEMENT for end in ends)
        if n_links > n_ports:
            yield this.finding(
                f"{device.name}: {n_links} links, {n_ports} ports", (device.id,), value=n_links, limit=n_ports
            )


@rule(
    "PORT-006",
    Severity.WARNING,
    "Reserved port in use",
    "The port is reserved for something that is not drawn here.",
    remedy="Move the link to another port, or release the reservation.",
    fix="Moves the end to a free port.",
    example="A link on a leaf port that is reserved for the fabric manager.",
    source=f"{SUPERPOD}: leaf ports are kept free for the fabric manager. Which ones is for the design to say.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def reserved_port_in_use(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links on a reserved port, one finding for each."""
    design = seen.design
    for device in seen.devices():
        for port_name in device.reserved_ports:
            end = End(device.id, port_name)
            for link_id in dict.fromkeys(design.links_at(end)):
                link = design.links[link_id]
                yield this.finding(
                    f"{design.end_name(end)} is reserved but linked to {design.end_name(seen.far_end(link, end))}",
                    (device.id, link.id),
                    value=port_name,
                    fix=seen.move_end(link, end),
                )


@rule(
    "PORT-007",
    Severity.ERROR,
    "Protocol mismatch",
    "InfiniBand and Ethernet ports cannot be connected to each other.",
    remedy="Connect the port to one with the same protocol, or set the protocol of a NIC that supports both.",
    fix="Sets the mode of the NIC, or deletes the link between two switches that have others.",
    example="An Ethernet switch that is linked to an InfiniBand spine.",
    source=f"{IEEE_802_3}, and {INFINIBAND}: link layers of their own.",
    scope=Scope.LINK,
    reads=CABLING,
)
def protocol_mismatch(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links whose two ports have no protocol in common."""
    for run in seen.runs():
        low, high = run.low_port, run.high_port
        if low is None or high is None or set(low.protocols) & set(high.protocols):
            continue
        spoken = "/".join(low.protocols), "/".join(high.protocols)
        yield this.finding(
            f"{seen.design.end_name(run.low)} speaks {spoken[0]}, {seen.design.end_name(run.high)} {spoken[1]}",
            (run.link.id, run.low.device_id, run.high.device_id),
            value=spoken[1],
            limit=spoken[0],
            fix=_set_nic_mode(seen, run.low, high) or _delete_spare(seen, run.link),
        )


@rule(
    "LINK-001",
    Severity.ERROR,
    "Link from a device to itself",
    "A link joins two devices.",
    remedy="Delete the link and connect the port to another device.",
    fix="Deletes the link.",
    example="A link from port 1/1 of leaf-1 to its own port 1/2.",
    hides=("TIER-001",),
    source="IEEE 802.1Q, bridged networks: frames circle in such a loop unless a protocol blocks one of the two ports.",
    scope=Scope.LINK,
    reads=CABLING,
)
def link_to_itself(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links with both ends on one device."""
    for run in seen.runs():
        if run.low.device_id == run.high.device_id:
            yield this.finding(
                f"{seen.name(run.low.device_id)} is linked to itself, port {run.link.a.port} to port {run.link.b.port}",
                (run.link.id, run.low.device_id),
                fix=seen.delete_link(run.link),
            )


def _port_span(seen: Inspection, device_id: str) -> str:
    """ "1/1 to 32/2", or "no ports"."""
    ports = seen.design.ports(device_id)
    return f"{ports[0].name} to {ports[-1].name}" if ports else "no ports"


def _set_nic_mode(seen: Inspection, end: End, partner: Port) -> Edit | None:
    """Set the NIC behind a port to the mode that meets the partner: only where its other links are like this one."""
    design = seen.design
    found = mode_meeting(design, end, partner)
    if found is None:
        return None
    module, mode = found
    own = [port for port in design.ports(end.device_id) if port.slot == module.slot]
    links = [design.links[one] for port in own for one in design.links_at(End(end.device_id, port.name))]
    far = [design.port(link.b if link.a.device_id == end.device_id else link.a) for link in links]
    if len(links) > design.nic_type(module.id).n_ports(mode) or any(
        port is None or (port.rate_gbps, port.protocols) != (partner.rate_gbps, partner.protocols) for port in far
    ):
        return None
    return operations.set_nic_mode(design, [module.id], mode.name)


def _delete_spare(seen: Inspection, link: Link) -> Edit | None:
    """Delete a link between two switches that have other links; None where a NIC or a switch would be left without."""
    ends = (link.a.device_id, link.b.device_id)
    is_spare = all(seen.design.is_switch(one) and len(seen.design.links_of(one)) > 1 for one in ends)
    return seen.delete_link(link) if is_spare else None


def _set_either_cage_mode(seen: Inspection, run: Run, low: Port, high: Port) -> Edit | None:
    """The cage of either end at the rate of the other: first of the end whose cage has a mode of its own."""
    sides = ((run.high, high, low.rate_gbps), (run.low, low, high.rate_gbps))
    modes_of = {end.device_id: dict(seen.design.device(end.device_id).cage_modes) for end, _, _ in sides}
    in_order = sorted(sides, key=lambda side: side[1].cage not in modes_of[side[0].device_id])
    fixes = (_set_cage_mode(seen, run.link, end, rate_gbps) for end, _, rate_gbps in in_order)
    return next((fix for fix in fixes if fix is not None), None)


def _set_cage_mode(seen: Inspection, link: Link, end: End, rate_gbps: float) -> Edit | None:
    """Set the port mode of the link's cage to a rate: only where every other link of the switch has a port for it."""
    design = seen.design
    device, type_, port = design.device(end.device_id), design.device_type(end.device_id), design.port(end)
    if not isinstance(type_, SwitchType) or port is None:
        return None
    own = type_.modes_of(port.cage)
    if type_.slots:
        own = next((card.modes for slot, card in design.cards_of(device.id) if slot == port.slot), ())
    for mode in own:
        if mode.rate_gbps != rate_gbps:
            continue
        cage_modes = tuple(sorted({**dict(device.cage_modes), port.cage: mode.name}.items()))
        split = replace(device, cage_modes=cage_modes)
        by_name = {p.name: p for p in every_port(split, type_, design.modules_of(device.id), design.types)}
        name = _port_in_cage(by_name, port)
        if name is not None and _others_keep_ports(seen, link, end, by_name, name):
            moved_end = End(device.id, name)
            moved = replace(link, b=moved_end) if link.b == end else replace(link, a=moved_end)
            changes = [Change(device, split), *([Change(link, moved)] if moved != link else [])]
            return Edit(f"Set cage {port.cage} of {device.name} to {mode.name}", tuple(changes))
    return None


def _port_in_cage(by_name: Mapping[str, Port], port: Port) -> str | None:
    """The name that a port has in its cage in another mode: its own, else that of the first port there."""
    same = by_name.get(port.name)
    if same is not None and same.cage == port.cage:
        return port.name
    return next((name for name, one in by_name.items() if one.cage == port.cage), None)


def _others_keep_ports(seen: Inspection, link: Link, end: End, by_name: Mapping[str, Port], taken: str) -> bool:
    """Whether every other link of a device, and what it reserves, has its port where its ports are to be `by_name`.

    A link in the same cage, or at a port that there is not, may get another port of that name which its partner joins.
    """
    design = seen.design
    before = design.port_map(end.device_id)
    cage = before[end.port].cage
    for name, ids in design.used_ports(end.device_id).items():
        if name == end.port and ids == (link.id,):
            continue
        port = by_name.get(name)
        if port is None or name == taken:
            return False
        if name in before and before[name].cage != cage:
            if port != before[name]:
                return False
            continue
        near = End(end.device_id, name)
        partners = (design.port(seen.far_end(design.links[one], near)) for one in ids)
        if port.cage != cage or any(one is None or port_compatibility(port, one) is not None for one in partners):
            return False
    return all(by_name.get(name) == before.get(name) for name in design.device(end.device_id).reserved_ports)


@rule(
    "PORT-008",
    Severity.WARNING,
    "Too few spare ports",
    "A switch without spare ports has no room for a broken port or the next server.",
    remedy="Move links to another switch, choose a switch with more ports, or change the policy of the design.",
    policy=("spare_ports",),
    example="A switch with 62 of 64 ports in use, where the policy wants four spare ones.",
    source="The policy of the design.",
    scope=Scope.DEVICE,
    reads=CABLING,
)
def too_few_spare_ports(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds switches with links that keep fewer ports free than the policy asks for; reserved ones count as free."""
    design, least = seen.design, seen.design.policy.spare_ports
    if not least:
        return
    for switch in seen.devices():
        if not design.is_switch(switch.id):
            continue
        used = design.used_ports(switch.id)
        spare = sum(port.name not in used for port in design.ports_for(switch.id, "fabric"))
        if used and spare < least:
            yield this.finding(
                f"{switch.name} has {format_counted(spare, 'spare port')}, fewer than {format_count(least)}",
                (switch.id,),
                value=spare,
                limit=least,
            )
