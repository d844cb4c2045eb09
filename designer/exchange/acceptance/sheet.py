"""The facts of an acceptance sheet, from which its files are written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.exchange.issue import issue_stated
from designer.exchange.options import Progress, unheard
from designer.exchange.schedulers.hosts import Host, hosts
from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.simulation.acceptance.expected import ExpectedPart, ExpectedRow, expected_parts
from designer.simulation.acceptance.parts import MOST_PAIRS, PAIR, UNIT, Part, parts_of
from designer.simulation.curve import sizes_from
from designer.simulation.designs import graph_for
from designer.simulation.models import SimulationModel
from designer.simulation.scenario import Scenario


@dataclass(frozen=True, slots=True)
class PartRun:
    """A part with the hosts that it runs on. `gpus` are the GPUs used on each host, None where hosts differ."""

    expected: ExpectedPart
    hosts: tuple[Host, ...]
    gpus: tuple[int, ...] | None

    @property
    def part(self) -> Part:
        """The part."""
        return self.expected.part

    @property
    def file_name(self) -> str:
        """Its name in names of files: "unit-1"."""
        return self.part.name.replace(" ", "-")

    @property
    def is_whole_hosts(self) -> bool:
        """Whether it uses every GPU of its hosts."""
        return all(self.gpus == tuple(range(host.gpus)) for host in self.hosts)

    @property
    def judged(self) -> tuple[ExpectedRow, ...]:
        """The sizes at which a result is judged."""
        return tuple(row for row in self.expected.rows if row.is_judged)


@dataclass(frozen=True, slots=True)
class AcceptanceSheet:
    """What is expected of a design, part by part."""

    design_name: str
    scenario: Scenario
    sizes: tuple[int, ...]
    tolerance: float
    parts: tuple[PartRun, ...]
    model: SimulationModel
    notes: tuple[str, ...]
    issue: str = ""
    """Of which issue of the design it is: revision, date and digest."""

    @property
    def whole(self) -> PartRun:
        """The run of all GPUs."""
        return self.parts[0]


def acceptance_sheet(
    design: Design, scenario: Scenario, sizes: str, tolerance: float, progress: Progress = unheard
) -> AcceptanceSheet:
    """What every part of the design should measure of the scenario's collective.

    Raises ParameterError for sizes that cannot be read and for what is no collective, ExportError for host names, and
    what a simulation raises.
    """
    if scenario.collective is None:
        raise ParameterError("an acceptance sheet is for collectives: choose one")
    sizes_bytes = sizes_from(sizes)
    graph, scenario = graph_for(design, replace(scenario, size_bytes=sizes_bytes[-1]))
    parts = parts_of(design, graph, scenario)
    found = expected_parts(design, graph, scenario, parts, sizes_bytes, tolerance, progress)
    runs = tuple(_run(design, graph, one) for one in found)
    model = found[0].model
    issue = issue_stated(design).line
    return AcceptanceSheet(design.name, scenario, sizes_bytes, tolerance, runs, model, _notes(parts), issue)


def _notes(parts: Sequence[Part]) -> tuple[str, ...]:
    n_units, n_pairs = (sum(part.kind == kind for part in parts) for kind in (UNIT, PAIR))
    if n_pairs and n_pairs < n_units * (n_units - 1) // 2:
        return (f"Of more than {MOST_PAIRS} pairs of units, each unit is tested with the next one only.",)
    return ()


def _run(design: Design, graph: Graph, expected: ExpectedPart) -> PartRun:
    """The part on hosts of the design, as it is without what failed: ranks are numbered as in the graph."""
    by_place = {
        (host.device_id, host.first_gpu + gpu): (host, gpu) for host in hosts(design) for gpu in range(host.gpus)
    }
    used: dict[Host, list[int]] = {}
    for rank in expected.part.ranks:
        device_id = graph.device_ids[int(graph.device[rank])]
        host, gpu = by_place[device_id, int(graph.local[rank])]
        used.setdefault(host, []).append(gpu)
    sets = {tuple(gpus) for gpus in used.values()}
    return PartRun(expected, tuple(used), sets.pop() if len(sets) == 1 else None)
