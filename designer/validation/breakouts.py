"""Rules about port modes, cages and what is plugged into them."""

from collections.abc import Iterator
from dataclasses import replace

from designer.analysis.parts import OPTICAL, cable_ids, medium_of
from designer.analysis.survey import Run
from designer.model import matching
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End
from designer.model.hardware import MediumType, Port, SwitchType, module_word
from designer.model.matching import port_takes, shell_of
from designer.model.records import ordered
from designer.units import format_count, format_rate
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule


@rule(
    "PORT-004",
    Severity.ERROR,
    "Form factor or breakout mismatch",
    "The hardware must support the port mode, the cage and the cable.",
    remedy="Use a mode, cage or cable that both ends support.",
    fix="Clears modes that the device does not have; deletes a link or cable that the cage cannot take.",
)
def form_factor_or_breakout(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds modes a type does not offer, cages of mixed rate or media, and cables that do not fit their ports.

    Subjects are the device or module with the mode, the server with the cage, or the link and its devices.
    """
    for device in ordered(seen.design.devices):
        yield from _unknown_modes(seen, this, device)
        yield from _unknown_nic_modes(seen, this, device)
        yield from _unlike_lane_mates(seen, this, device)
    yield from _wrong_media(seen, this)


def _unknown_modes(seen: Inspection, this: Rule, device: Device) -> Iterator[Finding]:
    """The mode of a device, or of one of its cages, that its type does not have; cleared, nothing changes."""
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
    wrong = [(cage, mode) for cage, mode in device.cage_modes if mode not in modes or not 1 <= cage <= n_cages]
    if wrong:
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


def _unlike_lane_mates(seen: Inspection, this: Rule, device: Device) -> Iterator[Finding]:
    """Ports that share a cage run at one rate: a server's cage may be shared by NICs that do not."""
    if not seen.design.is_server(device.id):
        return
    cages: dict[int, list[Port]] = {}
    for port in seen.design.ports(device.id):
        cages.setdefault(port.cage, []).append(port)
    for cage, ports in cages.items():
        rates = list(dict.fromkeys(format_rate(port.rate_gbps) for port in ports))
        if len(rates) > 1:
            named = " and ".join(port.name for port in ports)
            yield this.finding(
                f"{device.name}: {named} share cage {cage} but run at {' and '.join(rates)}",
                (device.id,),
                value=" and ".join(rates),
                limit="one rate per cage",
            )


def _wrong_media(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Links whose ports no cable joins, cables that do not fit their ports, and cages asked to hold two kinds."""
    known: dict[object, bool] = {}
    in_cage: dict[tuple[str, int], dict[str, Run]] = {}
    unchosen = 0
    for run in seen.survey.runs:
        medium = medium_of(seen.survey, run)
        unchosen += medium is None
        if run.low_port is None or run.high_port is None:
            continue
        if not _joinable(run.low_port, run.high_port, known):
            yield _unjoinable(seen, this, run, run.low_port, run.high_port)
        if medium is not None:
            yield from _misfits(seen, this, run, medium, run.low_port, run.high_port)
            for end, port in ((run.low, run.low_port), (run.high, run.high_port)):
                mates = in_cage.setdefault((end.device_id, port.cage), {})
                if mates and medium.id not in mates:
                    yield _mixed_cage(seen, this, end, port, medium, next(iter(mates.values())), run)
                mates[medium.id] = run
    if unchosen:
        which = "1 link has" if unchosen == 1 else f"{format_count(unchosen)} links have"
        yield this.not_checked(f"{which} no cable or optic selected: form factors not compared")


def _joinable(low: Port, high: Port, known: dict[object, bool]) -> bool:
    """Some cable joins the shells of two ports; ports that differ in rate or protocol are PORT-003's and PORT-007's."""
    key = tuple((p.rate_gbps, p.form_factor, p.ports_per_cage, p.protocols) for p in (low, high))
    found = known.get(key)
    if found is None:
        alike = low.rate_gbps == high.rate_gbps and bool(set(low.protocols) & set(high.protocols))
        found = known[key] = not alike or matching.port_compatibility(low, high) is None
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


def _mixed_cage(seen: Inspection, this: Rule, end: End, port: Port, medium: MediumType, mate: Run, run: Run) -> Finding:
    other = medium_of(seen.survey, mate)
    names = f"{other.model if other else ''} and {medium.model}"
    return this.finding(
        f"{seen.name(end.device_id)} cage {port.cage} would hold {names} at once",
        (end.device_id, mate.link.id, run.link.id),
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
    fix="Removes the cable or optic from the link.",
)
def reach_of_media(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links longer than the reach of their cable or optic, one finding for each cable."""
    unknown = 0
    cable_of = cable_ids(seen.survey)
    stated: set[str] = set()
    for run in seen.survey.runs:
        medium, length_m = medium_of(seen.survey, run), run.link.length_m
        if medium is None or length_m is None or medium.max_length_m is None:
            unknown += 1
        elif length_m > medium.max_length_m and cable_of[run.link.id] not in stated:
            stated.add(cable_of[run.link.id])
            yield this.finding(
                f"{seen.link_name(run.link)}: {length_m:g} m of {medium.model}, limit {medium.max_length_m:g} m",
                (run.link.id, run.low.device_id, run.high.device_id),
                value=length_m,
                limit=medium.max_length_m,
            )
    if unknown:
        lacking = "1 link lacks" if unknown == 1 else f"{format_count(unknown)} links lack"
        which = "no link has" if unknown == len(seen.survey.runs) else lacking
        yield this.not_checked(f"{which} a length and a cable of known reach")
