"""Which ports a cable can join, and the sentence that says why not."""

from dataclasses import dataclass, replace

from designer.model.design import Design
from designer.model.entities import End
from designer.model.hardware.ports import MANAGEMENT, NVLINK, Port, PortMode
from designer.model.hardware.switches import SwitchType
from designer.units import format_rate


@dataclass(frozen=True, slots=True)
class Shell:
    """What a form factor carries: electrical lanes, and the fastest a lane of it runs."""

    lanes: int
    lane_gbps: float


SHELLS: dict[str, Shell] = {
    "SFP+": Shell(1, 10),
    "SFP28": Shell(1, 25),
    "SFP56": Shell(1, 50),
    "SFP112": Shell(1, 100),
    "QSFP+": Shell(4, 10),
    "QSFP28": Shell(4, 25),
    "QSFP56": Shell(4, 50),
    "QSFP112": Shell(4, 100),
    "QSFP-DD": Shell(8, 50),
    "QSFP-DD800": Shell(8, 100),
    "OSFP": Shell(8, 200),  # one word for 400G, 800G and 1.6T shells: the rates of the cage say how fast a lane is
}
"""The shells of the published form factors (SFF-8402, SFF-8665, QSFP-DD MSA, OSFP MSA); others are not judged."""

GEARED_GBPS, GEARED_LANE_GBPS = 400.0, 100.0
GEARED_TO = frozenset(("QSFP112", "OSFP"))
"""Optics of 400G in QSFP-DD gear its eight lanes of 50G to four of 100G, and meet those of these shells: DR4 and FR4.

The catalog lists them, for Ethernet alone; no copper joins such ports.
"""

LANE_RATES_GBPS = (10.0, 25.0, 50.0, 100.0, 200.0)


def port_compatibility(a: Port, b: Port, a_name: str = "", b_name: str = "") -> str | None:
    """Why no cable joins the two ports, as one sentence; None where one does.

    Rates are equal, a protocol is common, and both shells run the link over lanes of one speed: a splitter or a pair
    of transceivers then joins different shells, or optics that gear the lanes of one. Fins never matter: each cage
    takes its own module.
    """
    a_name, b_name = a_name or f"port {a.name}", b_name or f"port {b.name}"
    if a.rate_gbps != b.rate_gbps:
        return f"{a_name} runs at {format_rate(a.rate_gbps)}, {b_name} at {format_rate(b.rate_gbps)}"
    if not set(a.protocols) & set(b.protocols):
        return f"{a_name} speaks {protocol_words(a.protocols)}, {b_name} {protocol_words(b.protocols)}"
    a_lanes, b_lanes = lane_rates_gbps(a), lane_rates_gbps(b)
    if a_lanes and b_lanes and not set(a_lanes) & set(b_lanes) and not are_geared(a, b):
        fast, slow = ((a_name, a), (b_name, b)) if min(a_lanes) > max(b_lanes) else ((b_name, b), (a_name, a))
        return (
            f"{fast[0]} needs lanes of {format_rate(lane_rates_gbps(fast[1])[0])} ({fast[1].form_factor}), "
            f"{slow[0]} has lanes of {format_rate(lane_rates_gbps(slow[1])[-1])} at most ({slow[1].form_factor}): "
            "no cable connects them, nor do optics in the catalog"
        )
    return None


def are_geared(a: Port, b: Port) -> bool:
    """Whether optics alone join the two ports, as their cages run the link over lanes of different speeds."""
    return _is_geared_to(a, b) or _is_geared_to(b, a)


def _is_geared_to(one: Port, other: Port) -> bool:
    is_whole = one.form_factor == "QSFP-DD" and one.ports_per_cage == 1 and one.rate_gbps == GEARED_GBPS
    if not is_whole or other.rate_gbps != GEARED_GBPS or other.form_factor not in GEARED_TO:
        return False
    return GEARED_LANE_GBPS in lane_rates_gbps(other) and "ethernet" in set(one.protocols) & set(other.protocols)


def why_not(design: Design, a: End, b: End) -> str | None:
    """Why the ports at two ends cannot be joined, with names and what to do about it; None where they can.

    Both ports must exist.
    """
    port_a, port_b = design.port_map(a.device_id)[a.port], design.port_map(b.device_id)[b.port]
    return explain(design, a.device_id, port_a, b.device_id, port_b)


def explain(design: Design, a_id: str, port_a: Port, b_id: str, port_b: Port) -> str | None:
    """As `why_not`, of ports at hand."""
    a_name, b_name = design.end_name(End(a_id, port_a.name)), design.end_name(End(b_id, port_b.name))
    reason = port_compatibility(port_a, port_b, a_name, b_name)
    if reason is None:
        return None
    way_out = _way_out(design, ((a_id, port_a, port_b), (b_id, port_b, port_a)))
    return f"{reason}{'; ' if ': ' in reason else ': '}{way_out}"


def shell_of(port: Port) -> str:
    """ "OSFP finned"; "" where the type states no form factor."""
    return f"{port.form_factor} {port.heat_sink}".strip()


def port_takes(port: Port, shell: str) -> bool:
    """A shell such as "OSFP finned" goes into a port; a form factor or heat sink nobody states excludes nothing."""
    form_factor, _, heat_sink = shell.partition(" ")
    unlike_form = port.form_factor and port.form_factor != form_factor
    unlike_sink = port.heat_sink and heat_sink and port.heat_sink != heat_sink
    return not unlike_form and not unlike_sink


def lane_rates_gbps(port: Port) -> tuple[float, ...]:
    """Speeds a lane of the port may run at, ascending; () where the form factor or the split is not known."""
    shell = SHELLS.get(port.form_factor)
    if shell is None or port.ports_per_cage < 1:
        return ()
    lanes = shell.lanes // port.ports_per_cage
    return tuple(rate for rate in LANE_RATES_GBPS if rate <= shell.lane_gbps and rate <= port.rate_gbps <= rate * lanes)


def _way_out(design: Design, sides: tuple[tuple[str, Port, Port], ...]) -> str:
    """What makes two ports fit: a mode of a switch or NIC where that is enough, else other hardware.

    A device without links goes before one that has some, as a mode splits the cages of all its ports.
    """
    words = {device_id: "NIC" if design.is_server(device_id) else "switch" for device_id, _, _ in sides}
    for device_id, port, partner in sorted(sides, key=lambda side: bool(design.links_of(side[0]))):
        if _has_mode_for(_modes(design, device_id, port), port, partner):
            own, other = words[device_id], next((words[one] for one, _, _ in sides if one != device_id), "switch")
            which = f"the {own}" if "NIC" in words.values() else design.device(device_id).name
            rate = format_rate(partner.rate_gbps)
            return f"set {which} to {'an' if rate.startswith('8') else 'a'} {rate} mode or select another {other}"
    return f"select another {' or another '.join(sorted(set(words.values())))}"


def _modes(design: Design, device_id: str, port: Port) -> tuple[PortMode, ...]:
    """The modes of the switch, or of the NIC or line card, that a port belongs to."""
    type_ = design.device_type(device_id)
    if isinstance(type_, SwitchType) and (not type_.slots or port.purpose == MANAGEMENT):
        return type_.modes_of(port.cage) if port.purpose != MANAGEMENT else ()
    return next((design.module_type(one.id).modes for one in design.modules_of(device_id) if one.slot == port.slot), ())


def _has_mode_for(modes: tuple[PortMode, ...], port: Port, partner: Port) -> bool:
    return any(
        port_compatibility(
            replace(
                port, rate_gbps=m.rate_gbps, ports_per_cage=m.ports_per_cage, protocols=m.protocols or port.protocols
            ),
            partner,
        )
        is None
        for m in modes
    )


def protocol_words(protocols: tuple[str, ...]) -> str:
    """ "InfiniBand and Ethernet"."""
    return " and ".join(_PROTOCOL_NAMES.get(name, name) for name in protocols) or "no protocol"


_PROTOCOL_NAMES = {"infiniband": "InfiniBand", "ethernet": "Ethernet", NVLINK: "NVLink"}
