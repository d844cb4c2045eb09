"""A sheet with what came of the measurements: which fall short, and what would explain it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.errors import ParameterError
from designer.exchange.acceptance.matching import matched
from designer.exchange.acceptance.options import AcceptanceOptions
from designer.exchange.acceptance.sheet import AcceptanceSheet, acceptance_sheet
from designer.exchange.options import Progress, unheard
from designer.measurements.reading import read_measurements
from designer.model.design import Design
from designer.simulation.acceptance.explain import Diagnosis, diagnose
from designer.simulation.designs import graph_for
from designer.simulation.scenario import Scenario

SHEET_SHARE = 0.2
"""Of the work."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A sheet, and what came of the measurements."""

    sheet: AcceptanceSheet
    diagnosis: Diagnosis | None
    notes: tuple[str, ...]

    @property
    def falls_short(self) -> bool:
        """Whether a measurement is below what is accepted."""
        if self.diagnosis is None:
            return False
        return any(one.is_accepted(self.sheet.tolerance) is False for one in self.diagnosis.evidence)


def judged(
    design: Design,
    scenario: Scenario,
    options: AcceptanceOptions,
    logs: Sequence[Path],
    progress: Progress = unheard,
) -> Judged:
    """The sheet, compared with the logs. Raises FileFormatError, OSError and ParameterError for logs of no use."""
    measurements = [one for path in logs for one in read_measurements(path)]
    sheet = acceptance_sheet(
        design, scenario, options.sizes, options.tolerance, lambda share: progress(SHEET_SHARE * share)
    )
    if not measurements:
        return Judged(sheet, None, ())
    graph, of_graph = graph_for(design, sheet.scenario)
    found = matched(design, [run.part for run in sheet.parts], measurements, options.collective)
    if not found.tests:
        raise ParameterError("; ".join(found.notes))
    diagnosis = diagnose(
        design,
        graph,
        of_graph,
        found.tests,
        sheet.tolerance,
        lambda share: progress(SHEET_SHARE + (1 - SHEET_SHARE) * share),
    )
    return Judged(sheet, diagnosis, found.notes)
