"""Rules about port modes, cages and what is plugged into them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from designer.analysis.parts import OPTICAL, cable_ids, medium_of
from designer.analysis.survey import Run
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import module_word
from designer.model.hardware.ports import Port
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import DeviceType
from designer.model.matching import port_takes, shell_of
from designer.model.records import ordered
from designer.units import format_count, format_rate
from designer.validation.findings import Finding, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Counts, Rule, Stated, rule
from designer.validation.scope import CABLING, Scope, Tally
from designer.validation.sources import CABLE_SHEETS, DATA_SHEETS, OSFP

WITHOUT_CABLE, REACH_KNOWN, REACH_UNKNOWN = Tally("no cable"), Tally("reach known"), Tally("reach unknown")


def _without_cable(counts: Counts) -> Iterator[str]:
    count = counts[WITHOUT_CABLE.key]
    if count:
        which = "1 link has" if count == 1 else f"{format_count(count)} links have"
        yield f"{which} no cable or optic selected: form factors not compared"


def _without_reach(counts: Counts) -> Iterator[str]:
    unknown = counts[REACH_UNKNOWN.key]
    if unknown:
        lacking = "1 link lacks" if unknown == 1 else f"{format_count(unknown)} links lack"
        which = lacking if counts[REACH_KNOWN.key] else "no link has"
        yield f"{which} a length and a cable of known reach"


@rule(
    "PORT-004",
    Severity.ERROR,
    "Form factor or breakout mismatch",
    "The hardware must support the port mode, the cage and the cable.",
    remedy="Use a mode, cage or cable that both ends support.",
    fix="Clears modes that the device does not have; deletes a link or cable that the cage cannot take.",
    example="A cage in mode 32x800G, which its switch does not have.",
    source=f"{DATA_SHEETS}: modes and cages. {OSFP}: what goes into a cage.",
    scope=Scope.CAGE,
    reads=CABLING,
    unchecked=_without_cable,
)
def form_factor_or_breakout(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds modes a type does not offer, cages of mixed rate or media, and cables that do not fit their ports.

    Subjects are the device or module with the mode, the server with the cage, or the link and its devices.
    """
    shared: dict[int, list[tuple[int, list[Port]]]] = {}
    for device in seen.devices():
        yield from _unknown_modes(seen, this, device)
        yield from _unknown_nic_modes(seen, this, device)
        ports = seen.design.ports(device.id)  # one tuple for all devices alike
        if id(ports) not in shared:
            shared[id(ports)] = _unlike_lane_mates(ports)
        if shared[id(ports)] and seen.design.is_server(device.id):
            yield from _unlike_rates(this, device, shared[id(ports)])
        yield from _mixed_cages(seen, this, device)
    yield from _wrong_media(seen, this)


def _unknown_modes(seen: Inspection, this: Rule, device: Device) -> Iterator[Finding]:
    """The mode of a device, or of one of its cages, that its type does not have; cleared, nothing changes."""
    if not device.port_mode and not device.cage_modes:
        return
    type_ = seen.design.device_type(device.id)
    there = seen.design.port_modes(device.id) or (type_.modes if isinstance(type_, SwitchType) else ())
    modes = {mode.name for mode in there}
    offered = ", ".join(mode.name for mode in there) or "no modes"
    if device.port_mode and device.port_mode not in modes:
        yield this.finding(
            f"{device.name}: {type_.model} has no port mode {device.port_mode}, only {offered}",
            (device.id,),
            value=device.port_mode,
            limit=offered,
            fix=Edit(f"Clear the port mode of {device.name}", (Change(device, replace(device, port_mode="")),)),
            aspect="port mode",
        )
    n_cages = seen.design.cage_count(device.id)
    own = {mode.name for group in type_.own_groups for mode in group.modes} if isinstance(type_, SwitchType) else set()
    wrong = [
        (cage, mode)
        for cage, mode in device.cage_modes
        if not 1 <= cage <= n_cages or mode not in (_names_of_cage(type_, cage) if own else modes)
    ]
    if wrong:
        offered = ", ".join(dict.fromkeys((*(mode.name for mode in there), *sorted(own)))) or offered
        named = ", ".join(f"cage {cage} in {mode}" for cage, mode in wrong)
        kept = tuple(pair for pair in device.cage_modes if pair not in wrong)
        yield this.finding(
            f"{device.name}: {named} cannot be used; {type_.model} has {n_cages} cages and {offered}",
            (device.id,),
            value=named,
            limit=offered,
            fix=Edit(f"Clear these cage modes of {device.name}", (Change(device, replace(device, cage_modes=kept)),)),
            aspect="cage modes",
        )


def _names_of_cage(type_: DeviceType, cage: int) -> set[str]:
    return {mode.name for mode in type_.modes_of(cage)} if isinstance(type_, SwitchType) else set()


def _unknown_nic_modes(seen: Inspection, this: Rule, device: Device) -> Iterator[Finding]:
    for module in seen.design.modules_of(device.id):
        nic = seen.design.module_type(module.id)
        offered = ", ".join(mode.name for mode in nic.port_modes)
        if module.port_mode and all(mode.name != module.port_mode for mode in nic.port_modes):
            yield this.finding(
                f"{device.name} slot {module.slot}: {nic.model} has no mode {module.port_mode}, only {offered}",
                (device.id, module.id),
                value=module.port_mode,
                limit=offered,
                fix=Edit(
                    f"Clear the mode of the {module_word(nic)} in slot {module.slot} of {device.name}",
                    (Change(module, replace(module, port_mode="")),),
                ),
            )


def _unlike_lane_mates(ports: Iterable[Port]) -> list[tuple[int, list[Port]]]:
    """Cages that several ports share which run at different rates, with these ports."""
    cages: dict[int, list[Port]] = {}
    for port in ports:
        cages.setdefault(port.cage, []).append(port)
    return [(cage, own) for cage, own in cages.items() if len({port.rate_gbps for port in own}) > 1]


def _unlike_rates(this: Rule, device: Device, cages: Iterable[tuple[int, Sequence[Port]]]) -> Iterator[Finding]:
    """Ports that share a cage run at one rate: a server's cage may be shared by NICs that do not."""
    for cage, ports in cages:
        rates = list(dict.fromkeys(format_rate(port.rate_gbps) for port in ports))
        named = " and ".join(port.name for port in ports)
        yield this.finding(
            f"{device.name}: {named} share cage {cage} but run at {' and '.join(rates)}",
            (device.id,),
            value=" and ".join(rates),
            limit="one rate per cage",
        )


def _mixed_cages(seen: Inspection, this: Rule, device: Device) -> Iterator[Finding]:
    """Cages of a device that are asked to hold two kinds of cable or optic."""
    design = seen.design
    links = design.links
    if len({links[one].medium_id for ids in design.used_ports(device.id).values() for one in ids}) < 2:
        return
    ports = design.port_map(device.id)
    in_cage: dict[int, dict[str, tuple[Link, MediumType]]] = {}
    for link in design.links_of(device.id):
        medium, run = medium_of(design, link), seen.run_of(link)
        if medium is None or run.low_port is None or run.high_port is None:
            continue
        for end in (run.low, run.high):
            if end.device_id == device.id:
                cage = ports[end.port].cage
                mates = in_cage.setdefault(cage, {})
                if mates and medium.id not in mates:
                    yield _mixed_cage(this, device, cage, next(iter(mates.values())), (link, medium))
                mates[medium.id] = link, medium


def _wrong_media(seen: Inspection, this: Rule) -> Iterator[Finding | Tally]:
    """Links whose ports no cable joins, and cables that do not fit their ports."""
    known: dict[object, bool] = {}
    types = seen.design.types
    for run in seen.runs():
        medium = types.get(run.link.medium_id)
        if medium is None:
            yield WITHOUT_CABLE
        if run.low_port is None or run.high_port is None:
            continue
        if not _joinable(run.low_port, run.high_port, known):
            yield _unjoinable(seen, this, run, run.low_port, run.high_port)
        if isinstance(medium, MediumType):
            yield from _misfits(seen, this, run, medium, run.low_port, run.high_port)


def _joinable(low: Port, high: Port, known: dict[object, bool]) -> bool:
    """Some cable joins the shells of two ports; ports that differ in rate or protocol are PORT-003's and PORT-007's."""
    pair = id(low), id(high)  # devices of one type and mode share their ports
    if pair in known:
        return known[pair]
    key = tuple((p.rate_gbps, p.form_factor, p.ports_per_cage, p.protocols) for p in (low, high))
    found = known.get(key)
    if found is None:
        alike = low.rate_gbps == high.rate_gbps and bool(set(low.protocols) & set(high.protocols))
        found = known[key] = not alike or matching.port_compatibility(low, high) is None
    known[pair] = found
    return found


def _unjoinable(seen: Inspection, this: Rule, run: Run, low: Port, high: Port) -> Finding:
    return this.finding(
        matching.why_not(seen.design, run.low, run.high) or "no cable joins the two ports",
        (run.link.id, run.low.device_id, run.high.device_id),
        value=shell_of(high),
        limit=shell_of(low),
        fix=seen.delete_link(run.link),
    )


def _misfits(seen: Inspection, this: Rule, run: Run, medium: MediumType, low: Port, high: Port) -> Iterator[Finding]:
    misfit = _misfit(medium, low, high)
    if misfit:
        bare = Change(run.link, replace(run.link, medium_id="", medium_source=""))
        yield this.finding(
            f"{seen.link_name(run.link)}: {medium.model} {misfit}",
            (run.link.id, run.low.device_id, run.high.device_id),
            value=medium.model,
            fix=Edit(f"Remove {medium.model} from the link", (bare,)),
        )


def _mixed_cage(
    this: Rule, device: Device, cage: int, mate: tuple[Link, MediumType], one: tuple[Link, MediumType]
) -> Finding:
    return this.finding(
        f"{device.name} cage {cage} would hold {mate[1].model} and {one[1].model} at once",
        (device.id, mate[0].id, one[0].id),
        value=2,
        limit=1,
        reason="A cage holds one module or cable end; its lanes share it.",
    )


def _misfit(medium: MediumType, low: Port, high: Port) -> str:
    """Why a cable or optic does not fit the two ports; "" where it does or nothing is known."""
    if medium.link_gbps is not None:
        for port in (low, high):
            if port.rate_gbps > medium.link_gbps:
                rates = format_rate(medium.link_gbps), format_rate(port.rate_gbps)
                return f"carries {rates[0]} per link, {port.name} runs at {rates[1]}"
    if medium.protocols and not set(medium.protocols) & set(low.protocols) & set(high.protocols):
        return f"is made for {' and '.join(medium.protocols)} only"
    if medium.kind in OPTICAL:
        # An optic is named for one end; the other end's module may be of another form.
        if medium.ends and not any(port_takes(port, shell) for shell in medium.ends for port in (low, high)):
            return f"is made for {' or '.join(medium.ends)}, the ports are {shell_of(low)} and {shell_of(high)}"
        return ""
    if len(medium.ends) == 2:
        first, second = medium.ends
        straight = port_takes(low, first) and port_takes(high, second)
        if not straight and not (port_takes(high, first) and port_takes(low, second)):
            return f"joins {first} to {second}, the ports are {shell_of(low)} and {shell_of(high)}"
    return ""


@rule(
    "MEDIA-001",
    Severity.ERROR,
    "Cable longer than its reach",
    "A link does not come up over a cable longer than its reach.",
    remedy="Select a cable or optic with a longer reach, or place the racks closer together.",
    fix="Selects the simplest cable that joins the cages and reaches.",
    example="5 m of a copper cable that reaches 3 m.",
    source=f"{CABLE_SHEETS}: longest reach.",
    scope=Scope.LINK,
    reads=CABLING,
    unchecked=_without_reach,
)
def reach_of_media(seen: Inspection, this: Rule) -> Iterator[Stated]:
    """Finds links longer than the reach of their cable or optic, one finding for each cable."""
    for run in seen.runs():
        medium, length_m = medium_of(seen.design, run.link), run.link.length_m
        if medium is None or length_m is None or medium.max_length_m is None:
            yield REACH_UNKNOWN
            continue
        yield REACH_KNOWN
        if length_m > medium.max_length_m and _is_first_too_long(seen, run, medium):
            yield this.finding(
                f"{seen.link_name(run.link)}: {length_m:g} m of {medium.model}, limit {medium.max_length_m:g} m",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=length_m,
                limit=medium.max_length_m,
                fix=seen.recabling.chosen([run.link]),
            )


def _is_first_too_long(seen: Inspection, run: Run, medium: MediumType) -> bool:
    """Whether no link before it in the same cable is too long: the cable is one finding."""
    if medium.links < 2:
        return True
    design, own = seen.design, run.link.id
    near = {link.id: link for end in (run.low, run.high) for link in _in_cage_of(design, end)}
    cable_of = cable_ids([seen.run_of(one) for one in ordered(near)], design.types)
    most_m = medium.max_length_m or math.inf
    long = (one.id for one in ordered(near) if cable_of[one.id] == cable_of[own] and (one.length_m or 0) > most_m)
    return next(long, own) == own


def _in_cage_of(design: Design, end: End) -> list[Link]:
    """The links that leave through the same cage as the one at an end."""
    ports = design.port_map(end.device_id)
    cage = _cage(ports, end.port)
    used = design.used_ports(end.device_id).items()
    return [design.links[one] for name, ids in used if _cage(ports, name) == cage for one in ids]


def _cage(ports: Mapping[str, Port], name: str) -> int:
    return ports[name].cage if name in ports else 0
