"""What `queues` prints. Loads the engine."""

from collections.abc import Iterator

from designer.cli.json_text import json_text
from designer.cli.main import say
from designer.model.design import Design
from designer.simulation.queues.analysis import queues_of_design
from designer.simulation.queues.records import Bottleneck, Queues
from designer.simulation.queues.request import QueueSettings
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.tables.table import ResultTable, facts
from designer.units import format_count, format_time

QUEUE = "link flows demand fair_rate_gbps stable_queue_bytes mean_queue_bytes peak_queue_bytes marked used"
PAUSES = "link xoff_bytes headroom_bytes pauses paused_s paused_ports ports peak_upstream_bytes lost_bytes"
TAILS = "link phase ideal_p99_s p99_s ideal_last_s last_s tail looked_at_s"
LIMITS = "link capacity_gbps feedback_s k_min_bytes k_max_bytes p_max phase_margin_deg"
SECTIONS = (("queue", QUEUE), ("pauses", PAUSES), ("ends of the flows", TAILS), ("limits and control loop", LIMITS))
CSV = tuple(column for column in Bottleneck.COLUMNS if column.title and column.key not in ("tail", "paused"))
CABLES = "port pauses paused_s sources_paused_s"
CABLES_SHOWN = 10


def run_queues(design: Design, scenario: Scenario, settings: QueueSettings, format_: str) -> None:
    """Print the queues of the scenario on the design."""
    found = queues_of_design(design, scenario, settings)
    if format_ == "json":
        say(json_text(as_json(found)))
    elif format_ == "csv":
        say(ResultTable(CSV, found.bottlenecks).csv().rstrip("\r\n"))
    else:
        say("\n\n".join(_sections(design.name, found)))


def _sections(name: str, found: Queues) -> Iterator[str]:
    rows = [
        ("traffic", found.scenario),
        ("DCQCN", f"{found.parameters}: {found.source}"),
        ("bottlenecks", _counted(found)),
    ]
    yield f"queues on {name}\n{facts(rows)}"
    for title, columns in SECTIONS:
        if found.bottlenecks:
            yield f"{title}\n{ResultTable.of(found.bottlenecks, columns).text()}"
    if found.bottlenecks and found.bottlenecks[0].paused:
        cables = found.bottlenecks[0].paused
        shown = ResultTable.of(cables[:CABLES_SHOWN], CABLES).text()
        more = f"\n  and {format_count(len(cables) - CABLES_SHOWN)} more" if len(cables) > CABLES_SHOWN else ""
        yield f"cables that the first bottleneck pauses\n{shown}{more}"
    if found.notes:
        yield "\n".join(found.notes)
    yield f"computed in {format_time(found.wall_s)}"


def _counted(found: Queues) -> str:
    if not found.n_bottlenecks:
        return "none: no link between switches, or to a server, has flows that want more than it carries"
    listed = len(found.bottlenecks)
    return f"{format_count(found.n_bottlenecks)}, the {format_count(listed)} most overloaded listed"
