"""What reports measure a design by: two collectives among all its GPUs, and its worst failure under the first."""

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from designer.errors import DesignerError
from designer.model.design import Design
from designer.simulation.designs import graph_for
from designer.simulation.failures.worst import Worst, tried_failures
from designer.simulation.scenario import Scenario
from designer.units import format_count

REPORTED_TRAFFIC = tuple(Scenario(collective=one, size_bytes=2.0**30) for one in ("all-reduce", "all-to-all"))
"""Among all GPUs of a design. Failures are of the first."""
UNKNOWN = Worst()
MOST_FAILED = 20_000
"""Links of a design of which the worst failure is looked for."""


class _Failing(NamedTuple):
    """The traffic that runs while something fails."""

    name: str
    run: Scenario


@dataclass(frozen=True, slots=True)
class FabricFailures:
    """Failures of a switch, or of a cable or optic between switches, one at a time.

    GPUs that are cut off and a longer time of the others are unlike: the first ends a job, the second slows it down.
    """

    worst: Worst
    """The one that costs the most throughput; where none was looked for, its text says why."""
    severing: Worst = UNKNOWN
    """The one that cuts off the most GPUs; its number is None where that is not known of every failure."""
    slowing: Worst = UNKNOWN
    """The one that makes the others take the longest; None likewise."""


def fabric_failures(design: Design) -> FabricFailures:
    """The worst of them, by throughput, GPUs and time."""
    if len(design.links) > MOST_FAILED:
        text = f"not looked for in a design of more than {format_count(MOST_FAILED)} links"
        return FabricFailures(Worst(text=text))
    try:
        graph, traffic = graph_for(design, REPORTED_TRAFFIC[0])
        found = tried_failures(design, graph, [_Failing(traffic.title, traffic)])
        return _worst_of([one for is_at_server, one in found if not is_at_server])
    except DesignerError as error:
        return FabricFailures(Worst(text=str(error)))


def _worst_of(found: list[Worst]) -> FabricFailures:
    worst = reduce(Worst.or_worse, found, Worst())
    if not found or any(one.cut_off is None for one in found):
        return FabricFailures(worst)
    severing = max(found, key=lambda one: one.cut_off or 0)
    return FabricFailures(worst, severing, max(found, key=lambda one: one.slowdown or 0.0))
