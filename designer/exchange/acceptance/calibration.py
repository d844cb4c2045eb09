"""A set of constants of one's own: fitted to logs that were measured on a design, next to the delivered ones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from designer.errors import DesignerError, ParameterError
from designer.exchange.acceptance.matching import matched
from designer.exchange.options import Progress, unheard
from designer.graph.arrays import Graph
from designer.measurements.records import Measurement
from designer.model.design import Design
from designer.simulation.acceptance.evidence import MeasuredPart
from designer.simulation.acceptance.expected import share_text
from designer.simulation.acceptance.explain import scenario_of
from designer.simulation.acceptance.parts import parts_of
from designer.simulation.designs import graph_for
from designer.simulation.libraries.execution import Fitted, Measured, measured
from designer.simulation.libraries.fitting import FEWEST_RECORDS, LARGE_BYTES, Sample, errors, fitted
from designer.simulation.libraries.runs import Setup, prepare
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns, percent
from designer.units import format_count, format_counted, format_size

_PLAIN = re.compile(r"[^\w.-]+")
"""What is not of a plain word: names of strangers go into a file of constants, whose words mean something."""
OUTLIER = "outlier only"
"""What the notes of a record say that is a failure of the machine: it is never fitted."""


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """A size of a measurement: its time over the predicted one, with the delivered constants and with the fitted."""

    source: str
    collective: str
    size_bytes: int
    measured_us: float
    before: float
    after: float

    COLUMNS: ClassVar[Columns] = (
        Column("source", "Measurement"),
        Column("collective", "Collective"),
        Column("size_bytes", "Size", text=format_size, right=True, sheet="size (B)"),
        Column("measured_us", "Measured time", text="{:,.2f}".format, unit="us", right=True),
        Column(
            "before", "Delivered constants", text=share_text, right=True, sheet="measured over predicted, delivered"
        ),
        Column("after", "Fitted", text=share_text, right=True, sheet="measured over predicted, fitted"),
    )


@dataclass(frozen=True, slots=True)
class Calibration:
    """The fitted constants over the delivered ones, and how far off both are."""

    constants: Measured
    rows: tuple[CalibrationRow, ...]
    fitted: tuple[tuple[str, str, float, float], ...]
    """Place, name, delivered and fitted value of each constant that changed."""
    notes: tuple[str, ...]

    def median(self, *, is_large: bool, is_fitted: bool) -> float | None:
        """The median error of times from 64 MiB on, or below; None without such sizes."""
        ratios = [
            abs((row.after if is_fitted else row.before) - 1)
            for row in self.rows
            if (row.size_bytes >= LARGE_BYTES) is is_large
        ]
        return float(np.median(ratios)) if ratios else None

    @property
    def summary(self) -> str:
        """ "from 64 MiB on 12.1 % off before, 2.3 % now; below 30.5 % and 9.4 %"."""
        texts = []
        for is_large, where in ((True, f"from {format_size(LARGE_BYTES)} on"), (False, "below")):
            before = self.median(is_large=is_large, is_fitted=False)
            after = self.median(is_large=is_large, is_fitted=True)
            if before is not None and after is not None:
                texts.append(f"{where} {percent(before)} off with the delivered constants, {percent(after)} fitted")
        return "; ".join(texts)


def calibrated(
    design: Design, scenario: Scenario, measurements: Sequence[Measurement], progress: Progress = unheard
) -> Calibration:
    """Constants of the scenario's library fitted to measurements on the design, by least squares over their times.

    What fewer than two measurements depend on keeps its delivered value. Raises ParameterError where fewer than two
    can be used, and for the ideal model.
    """
    if not scenario.is_calibrated:
        raise ParameterError("the ideal model has no constants to fit: choose nccl or rccl")
    graph, scenario = graph_for(design, scenario)
    samples, tests, notes = _samples(design, graph, scenario, measurements, progress)
    if len(samples) < FEWEST_RECORDS:
        raise ParameterError("; ".join((_too_few(samples), *notes)))
    delivered = measured(scenario.model)
    dates = sorted(one.measurement.date for one in tests if one.measurement.date)
    found = fitted(
        samples, scenario.model, dates[-1] if dates else delivered.date, f"measured on {_PLAIN.sub(' ', design.name)}"
    )
    own = replace(
        found,
        inside=_over(delivered.inside, found.inside),
        between=_over(delivered.between, found.between),
        launch_us=delivered.launch_us,
    )
    rows = _rows(samples, tests, delivered, own)
    return Calibration(own, rows, tuple(_changes(delivered, found)), tuple(notes))


def _too_few(samples: Sequence[Sample]) -> str:
    """What calibration needs, what there is of it, and the way out."""
    n_sizes = sum(len(one.times_us) for one in samples)
    together = ", which count together" if n_sizes > 1 else ""
    found = f"this is one run of {format_counted(n_sizes, 'size')}{together}" if samples else "none can be used"
    return (
        f"calibration needs logs of at least {format_count(FEWEST_RECORDS)} runs, because no constant is fitted to a "
        f"single one; {found}: add a second run, best on another part of the design or of another collective"
    )


def _samples(
    design: Design, graph: Graph, scenario: Scenario, measurements: Sequence[Measurement], progress: Progress
) -> tuple[list[Sample], list[MeasuredPart], list[str]]:
    """The measurements made ready, those that can be, and a sentence for each of the others."""
    found = matched(design, parts_of(design, graph, scenario), measurements, scenario.collective or "")
    samples, tests, notes = [], [], list(found.notes)
    for number, tested in enumerate(found.tests):
        progress(0.8 * number / len(found.tests))
        measurement = tested.measurement.for_ranks(len(tested.part.ranks))
        if OUTLIER in measurement.notes:
            notes.append(f"{measurement.id} is left out: its notes say {OUTLIER}")
            continue
        timed = [(float(row.size_bytes), row.time_us) for row in measurement.rows if row.size_bytes and row.time_us]
        try:
            run = prepare(design, graph, scenario_of(scenario, tested), Setup(model=scenario.model))
        except DesignerError as error:
            notes.append(f"{measurement.id} is left out: {error}")
            continue
        terms = tuple(run.terms(size_bytes) for size_bytes, _ in timed)
        name = f"{number + 1}-{_PLAIN.sub('-', measurement.id)}"
        samples.append(Sample(name, design.name, terms, tuple(time_us for _, time_us in timed)))
        tests.append(tested)
    return samples, tests, notes


def _over(delivered: Mapping[str, Fitted], own: Mapping[str, Fitted]) -> dict[str, Fitted]:
    """The delivered constants with those that were fitted in their place."""
    found = dict(delivered)
    for place, one in own.items():
        before = delivered.get(place)
        values = {**(before.values if before is not None else {}), **one.values}
        found[place] = Fitted(values=dict(sorted(values.items())), records=one.records)
    return {place: found[place] for place in sorted(found)}


def _rows(
    samples: Sequence[Sample], tests: Sequence[MeasuredPart], delivered: Measured, own: Measured
) -> tuple[CalibrationRow, ...]:
    before, after = errors(samples, delivered), errors(samples, own)
    found = []
    for sample, tested in zip(samples, tests, strict=True):
        for (size, was_us, took_us), (_, now_us, _) in zip(
            before[sample.record].tolist(), after[sample.record].tolist(), strict=True
        ):
            found.append(
                CalibrationRow(
                    tested.measurement.id,
                    tested.measurement.collective,
                    round(size),
                    took_us,
                    took_us / was_us,
                    took_us / now_us,
                )
            )
    return tuple(found)


def _changes(delivered: Measured, own: Measured) -> list[tuple[str, str, float, float]]:
    found = []
    for prefix, room in (("in:", own.inside), ("to:", own.between)):
        for place, one in room.items():
            for name, value in one.values.items():
                found.append((place, name, delivered.value((prefix + place, name)), value))
    return found
