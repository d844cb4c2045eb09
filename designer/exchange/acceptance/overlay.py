"""Measurements of a collective laid over what a scenario predicts, size by size."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from designer.errors import ParameterError
from designer.exchange.acceptance.matching import matched
from designer.graph.arrays import Graph
from designer.measurements.records import Measurement, Spread
from designer.model.design import Design
from designer.simulation.acceptance.evidence import Evidence, ResidualRow, evidence_of
from designer.simulation.acceptance.explain import scenario_of
from designer.simulation.acceptance.parts import parts_of
from designer.simulation.catalogue import model_title
from designer.simulation.scenario import Scenario
from designer.tables.columns import Columns, keys


@dataclass(frozen=True, slots=True)
class Overlaid:
    """What was measured of a scenario's collective next to its prediction."""

    scenario: Scenario
    evidence: tuple[Evidence, ...]
    spreads: tuple[tuple[Spread, ...], ...]
    """By evidence: sizes that ran several times."""
    notes: tuple[str, ...]

    COLUMNS: ClassVar[Columns] = keys("title algorithm routing rows notes")

    @property
    def title(self) -> str:
        """The model that predicts."""
        return model_title(self.scenario.model)

    @property
    def algorithm(self) -> str:
        """The algorithm that was predicted."""
        return self.scenario.algorithm_used

    @property
    def routing(self) -> str:
        """The routing that was predicted."""
        return self.scenario.routing_text

    @property
    def rows(self) -> tuple[ResidualRow, ...]:
        """All rows of all measurements."""
        return tuple(row for one in self.evidence for row in one.rows)


def overlaid(design: Design, graph: Graph, scenario: Scenario, measurements: Sequence[Measurement]) -> Overlaid:
    """The measurements of the scenario's collective over its prediction, each on the ranks that it ran on.

    Raises ParameterError where none is of the collective on GPUs of the design.
    """
    parts = parts_of(design, graph, scenario)
    found = matched(design, parts, measurements, scenario.collective or "")
    tests = [one for one in found.tests if one.measurement.collective == scenario.collective]
    others = [one for one in found.tests if one.measurement.collective != scenario.collective]
    notes = [*found.notes, *(f"{one.measurement.id} is of {one.measurement.collective}" for one in others)]
    if not tests:
        raise ParameterError(f"no measurement of {scenario.collective} on GPUs of the design: {'; '.join(notes)}")
    evidence = tuple(evidence_of(design, graph, scenario_of(scenario, one), one, _ignore) for one in tests)
    return Overlaid(scenario, evidence, tuple(one.measurement.spread for one in tests), tuple(notes))


def _ignore(_share: float) -> None:
    pass
