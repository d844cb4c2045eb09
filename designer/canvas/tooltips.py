"""What the tooltip says of a device, a link, a bundle or a port."""

from collections.abc import Sequence

from designer.analysis.cable_places import ends_in_order
from designer.analysis.tiers import ROLE_OF_TIER, counted_devices
from designer.canvas.hits import Target
from designer.drawing.heat import Heat
from designer.late import Late
from designer.model.annotating import title_of
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, TITLES, networks_of_switch
from designer.model.port_labels import reserved_text
from designer.model.shown_text import escaped
from designer.units import all_of, format_count, format_counted, format_rate
from designer.validation.findings import Finding

link_rails = Late("designer.model.link_rails")

Row = tuple[str, str]
MOST_FINDINGS = 3
CUT_OFF = "Cut off: what is marked as failed leaves it no link to the fabric."


def tooltip_of(
    design: Design,
    target: Target,
    heat: Heat | None,
    heat_state: str,
    jobs: Sequence[str] = (),
    findings: Sequence[Finding] = (),
    *,
    is_cut_off: bool = False,
    n_of_bus: int = 0,
) -> str:
    """Rich text, with everything from the design escaped; "" where there is nothing to say.

    `heat_state` is the simulation's state: loads are shown only when they are of the design as it stands. `jobs` are
    the names of those on a device, `findings` what is found wrong with it; `is_cut_off` says that it reaches the fabric
    no more, `n_of_bus` how many links the bus has that some links are a piece of.
    """
    severed = f'<p style="margin: 4px 0 0 0">{CUT_OFF}</p>' if is_cut_off else ""
    return _facts(design, target, heat, heat_state, jobs, n_of_bus) + severed + _found(findings)


def _found(findings: Sequence[Finding]) -> str:
    """The first findings, and how many more there are."""
    lines = [f"{one.severity.value.capitalize()}: {one.message}" for one in findings[:MOST_FINDINGS]]
    if len(findings) > MOST_FINDINGS:
        lines.append(f"and {format_count(len(findings) - MOST_FINDINGS)} more")
    return "".join(f'<p style="margin: 4px 0 0 0">{escaped(line)}</p>' for line in lines)


def _facts(
    design: Design, target: Target, heat: Heat | None, heat_state: str, jobs: Sequence[str], n_of_bus: int
) -> str:
    if target.end is not None:
        return _port(design, target.end, heat, heat_state)
    if target.device_id is not None:
        return _device(design, target.device_id, jobs)
    if len(target.link_ids) == 1:
        return _link(design, design.links[target.link_ids[0]], heat, heat_state)
    if target.link_ids:
        return _bundle(design, [design.links[one] for one in target.link_ids], heat, heat_state, n_of_bus)
    return _container(design, target.container_id)


def sentence_of(design: Design, target: Target) -> str:
    """One line about what is under the cursor, for the status bar; "" on bare canvas."""
    if target.end is not None:
        links = design.links_at(target.end)
        if not links:
            return f"{design.end_name(target.end)}: free"
        link = design.links[links[0]]
        return f"{design.end_name(target.end)}: linked to {design.end_name(link.b if link.a == target.end else link.a)}"
    if target.device_id is not None:
        used, total = design.n_used_ports(target.device_id), len(design.ports(target.device_id))
        model = design.device_type(target.device_id).model
        return f"{design.device(target.device_id).name}: {model}, {used} of {total} ports used"
    if len(target.link_ids) == 1:
        link = design.links[target.link_ids[0]]
        return f"{design.end_name(link.a)} to {design.end_name(link.b)}"
    if target.note_id is not None:
        return title_of(design.annotations[target.note_id])
    return f"{len(target.link_ids):,} links: Alt+click takes one of them" if target.link_ids else ""


def _device(design: Design, device_id: str, jobs: Sequence[str]) -> str:
    device, type_ = design.device(device_id), design.device_type(device_id)
    used, total = design.n_used_ports(device_id), len(design.ports(device_id))
    reserved = sum(1 for port in device.reserved_ports if not design.links_at(End(device_id, port)))
    free = total - used - reserved
    rates = sorted({port.rate_gbps for port in design.ports(device_id)})
    rows: list[Row] = [("Type", f"{type_.vendor} {type_.model}")]
    where = [] if device.unit is None else [f"unit {device.unit}"]
    (rails,) = link_rails.rails_of(design, [device_id])
    where += [f"{'rails' if len(rails) > 1 else 'rail'} {all_of([*map(str, rails)])}"] if rails else []
    role = device.role or (ROLE_OF_TIER[0] if isinstance(type_, ServerType) else "")
    if role or where:
        rows.append(("Role" if role else "Part of", ", ".join([role, *where] if role else where)))
    if not isinstance(type_, ServerType) and networks_of_switch(device) != (COMPUTE,):
        rows.append(("Network", ", ".join(TITLES[one] for one in networks_of_switch(device))))
    ports = f"{used} used, {free} free" + (f", {reserved} reserved" if reserved else "")
    rows.append(("Ports", f"{ports} of {total}" + (f" × {format_rate(rates[0])}" if len(rates) == 1 else "")))
    if type_.slots:
        which = "NIC slots" if isinstance(type_, ServerType) else "Slots for line cards"
        rows.append((which, f"{len(design.modules_of(device_id))} of {len(type_.slots)} taken"))
    if jobs:
        rows.append(("Jobs", ", ".join(jobs)))
    placement = design.placements.get(device_id)
    if placement is not None and placement.rack_id is not None and placement.rack_id in design.racks:
        unit = f", unit {placement.unit}" if placement.unit is not None else ""
        rows.append(("Rack", f"{design.racks[placement.rack_id].name}{unit}"))
    elif design.racks:
        rows.append(("Rack", "none"))
    return table(device.name, rows)


def _port(design: Design, end: End, heat: Heat | None, heat_state: str) -> str:
    port = design.port(end)
    links = design.links_at(end)
    if links:
        return _link(design, design.links[links[0]], heat, heat_state)
    rows: list[Row] = []
    if port is not None:
        rows.append(("Rate", f"{format_rate(port.rate_gbps)} {port.form_factor}".strip()))
        if port.label:
            rows.append(("Printed", port.label))
    reserved = reserved_text(design.device(end.device_id), end.port)
    rows.append(("Free", reserved or "drag to another port to connect"))
    return table(design.end_name(end), rows)


def _link(design: Design, link: Link, heat: Heat | None, heat_state: str) -> str:
    rows: list[Row] = [("", design.end_name(link.b))]
    port = design.port(link.a) or design.port(link.b)
    if port is not None:
        rows.append(("Rate", format_rate(port.rate_gbps)))
    if link.medium_id and link.medium_id in design.types:
        rows.append(("Cable", design.types[link.medium_id].model))
    if link.length_m is not None:
        rows.append(("Length", f"{link.length_m:g} m"))
    if link.label:
        rows.append(("Label", link.label))
    a, b = design.device(link.a.device_id).name, design.device(link.b.device_id).name
    if heat is not None and link.id in heat.utilization:
        forth, back = heat.utilization[link.id]
        rows += [(f"{a} → {b}", heat.described(forth)), (f"{b} → {a}", heat.described(back)), *_past(heat)]
    else:
        rows += _no_load(heat, heat_state)
    return table(design.end_name(link.a), rows)


def _bundle(design: Design, links: list[Link], heat: Heat | None, heat_state: str, n_of_bus: int) -> str:
    pairs = {frozenset((link.a.device_id, link.b.device_id)) for link in links}
    if len(pairs) > 1:
        devices = {end.device_id for link in links for end in (link.a, link.b)}
        rows: list[Row] = [("Joins", ", ".join(counted_devices(design, devices)))]
        loads = _worst(links, heat)
        if heat is None or loads is None:
            rows += _no_load(heat, heat_state)
        else:
            rows += [("Busiest", heat.described(max(loads))), *_past(heat)]
        whole = f" of {n_of_bus:,}" if n_of_bus > len(links) else ""
        return table(f"{len(links):,}{whole} links{' of this bus' if whole else ''}", rows)
    first = links[0]
    a_id, b_id = first.a.device_id, first.b.device_id
    a, b = design.device(a_id).name, design.device(b_id).name
    rates = [port.rate_gbps for link in links if (port := design.port(link.a)) is not None]
    rows = [("Rate", f"{len(links)} × {format_rate(rates[0])}")] if len(set(rates)) == 1 else []
    if heat is None:
        rows += _no_load(heat, heat_state)
    else:
        loads = _worst(links, heat)
        if loads is None:
            rows += _no_load(heat, heat_state)
        else:
            ways = zip((f"{a} → {b}, busiest", f"{b} → {a}, busiest"), loads, strict=True)
            rows += [(way, heat.described(load)) for way, load in ways]
            rows += _past(heat)
    return table(" – ".join(ends_in_order(a, b)), rows)


def _worst(links: list[Link], heat: Heat | None) -> tuple[float, float] | None:
    """The worst load each way, as the first link counts its ends."""
    if heat is None:
        return None
    a_id = links[0].a.device_id
    known = [(link, heat.utilization[link.id]) for link in links if link.id in heat.utilization]
    ways = [load if link.a.device_id == a_id else (load[1], load[0]) for link, load in known]
    return (max(one for one, _ in ways), max(two for _, two in ways)) if ways else None


def _past(heat: Heat) -> list[Row]:
    return [("", heat.age)] if heat.age else []


def _no_load(heat: Heat | None, heat_state: str) -> list[Row]:
    if heat is not None:
        return [("Load", "no traffic in this simulation")]
    words = {"running": "being computed", "stale": "out of date: run the simulation again"}
    return [("Load", words[heat_state])] if heat_state in words else []


def _container(design: Design, container_id: str | None) -> str:
    if container_id is None:
        return ""
    rack, group = design.racks.get(container_id), design.groups.get(container_id)
    if rack is not None:
        model = design.types[rack.type_id].model
        return table(rack.name, [("Type", model), ("Holds", format_counted(len(design.mounted(rack.id)), "device"))])
    return table(group.name, [("Kind", group.kind)]) if group is not None else ""


def table(title: str, rows: list[Row]) -> str:
    """Rich text of a title and rows of a name and a value, all escaped."""
    lines = "".join(
        f"<tr><td>{escaped(name)}&nbsp;&nbsp;</td><td>{escaped(value)}</td></tr>"
        if name
        else f"<tr><td colspan=2>{escaped(value)}</td></tr>"
        for name, value in rows
    )
    return f"<b>{escaped(title)}</b><table>{lines}</table>"
