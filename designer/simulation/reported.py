"""What reports measure a design by: two collectives among all its GPUs, and its worst failure under the first."""

from typing import NamedTuple

from designer.errors import DesignerError
from designer.model.design import Design
from designer.simulation.designs import graph_for
from designer.simulation.failures.worst import Worst, worst_failures
from designer.simulation.scenario import Scenario
from designer.units import format_count

REPORTED_TRAFFIC = tuple(Scenario(collective=one, size_bytes=2.0**30) for one in ("all-reduce", "all-to-all"))
"""Among all GPUs of a design. Failures are of the first."""
MOST_FAILED = 20_000
"""Links of a design of which the worst failure is looked for."""


class _Failing(NamedTuple):
    """The traffic that runs while something fails."""

    name: str
    run: Scenario


def worst_failure(design: Design) -> Worst:
    """The single failure of a switch, or of a cable or optic between switches, that costs the most throughput.

    Where none is looked for, its text says why.
    """
    if len(design.links) > MOST_FAILED:
        return Worst(text=f"not looked for in a design of more than {format_count(MOST_FAILED)} links")
    try:
        graph, traffic = graph_for(design, REPORTED_TRAFFIC[0])
        return worst_failures(design, graph, [_Failing(traffic.title, traffic)])[0]
    except DesignerError as error:
        return Worst(text=str(error))
