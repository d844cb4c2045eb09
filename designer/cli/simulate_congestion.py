"""Where congestion spreads, for people: hot ports, how far their pauses reach, the flows that suffer."""

from designer.cli.tables import table
from designer.simulation.explain.victims import Congestion
from designer.units import format_capacity, format_count

PORTS_SHOWN, VICTIMS_SHOWN = 6, 12


def congestion_sections(found: Congestion) -> list[str]:
    """The sections of a report; one sentence where nothing spreads."""
    where = f" (in phase {found.phase})"
    if not found.n_hot_ports:
        reason = "no full port slows flows that arrive over other cables"
        return [f"where congestion spreads{where}\n  nowhere: {reason}"]
    sections = [f"where congestion spreads{where}\n{_ports(found)}"]
    if found.victims:
        shown = min(VICTIMS_SHOWN, len(found.victims))
        heading = f"victims, slowed by a port they do not use ({shown} of {format_count(found.n_victims)} flows)"
        sections.append(f"{heading}\n{_victims(found)}")
    else:
        sections.append("victims, slowed by a port they do not use\n  none")
    return sections


def _ports(found: Congestion) -> str:
    rows = [
        (
            str(port.place),
            format_count(port.flows),
            format_capacity(port.wanted_gbps),
            format_capacity(port.carries_gbps),
            " + ".join(format_count(n) for n in port.paused),
            format_count(port.victims),
        )
        for port in found.hot_ports[:PORTS_SHOWN]
    ]
    headings = ("hot port", "flows", "would bring", "carries", "cables paused", "victims")
    text = table(rows, headings=headings, right=(1, 2, 3, 4, 5), indent="  ")
    more = found.n_hot_ports - len(rows)
    lines = [text]
    if more > 0:
        lines.append(f"  and {format_count(more)} more hot ports")
    reach = ", ".join(f"{format_count(n)} at {at}" for at, n in enumerate(found.reach, start=1))
    lines.append(f"  paused cables by distance from the hot port: {reach}")
    return "\n".join(lines)


def _victims(found: Congestion) -> str:
    rows = [
        (
            f"{victim.source} -> {victim.target}",
            format_capacity(victim.rate_unpaused_gbps),
            format_capacity(victim.rate_gbps),
            str(victim.pauses[0]),
            str(victim.hot_port),
        )
        for victim in found.victims[:VICTIMS_SHOWN]
    ]
    headings = ("flow", "without pauses", "now", "held on", "because of")
    return table(rows, headings=headings, right=(1, 2), indent="  ")
