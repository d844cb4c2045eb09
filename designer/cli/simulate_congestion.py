"""Where congestion spreads, for people: hot ports, how far their pauses reach, the flows that suffer."""

from designer.simulation.explain.victims import Congestion
from designer.tables.table import ResultTable
from designer.units import format_count

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
    shown = found.hot_ports[:PORTS_SHOWN]
    more = found.n_hot_ports - len(shown)
    lines = [ResultTable.of(shown, "place flows wanted_gbps carries_gbps paused victims").text()]
    if more > 0:
        lines.append(f"  and {format_count(more)} more hot ports")
    reach = ", ".join(f"{format_count(n)} at {at}" for at, n in enumerate(found.reach, start=1))
    lines.append(f"  paused cables by distance from the hot port: {reach}")
    return "\n".join(lines)


def _victims(found: Congestion) -> str:
    shown = found.victims[:VICTIMS_SHOWN]
    return ResultTable.of(shown, "flow rate_unpaused_gbps rate_gbps held_on hot_port").text()
