"""Measurements laid over predictions: residuals by size, and how far each part falls short."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from designer.graph.arrays import Graph
from designer.measurements.records import Measurement
from designer.model.design import Design
from designer.simulation.acceptance.expected import Progress, forecast, is_judged, share_text
from designer.simulation.acceptance.parts import Part
from designer.simulation.curve import Curve
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns
from designer.units import format_size

WIDEST = 64
"""Sizes this many times smaller than the largest one that was measured say little more about bandwidth."""


@dataclass(frozen=True, slots=True)
class MeasuredPart:
    """A measurement and the part of the design that it is of."""

    part: Part
    measurement: Measurement


@dataclass(frozen=True, slots=True)
class ResidualRow:
    """A size of a measurement next to its prediction. `ratio` is measured over predicted busbw."""

    part: str
    source: str
    size_bytes: int
    measured_us: float
    predicted_us: float
    measured_gbytes_per_s: float
    predicted_gbytes_per_s: float
    ratio: float
    is_judged: bool

    COLUMNS: ClassVar[Columns] = (
        Column("part", "Part"),
        Column("source", "Measurement", is_json=True),
        Column("size_bytes", "Size", text=format_size, right=True, sheet="size (B)"),
        Column("measured_us", "Measured time", text="{:,.2f}".format, unit="us", right=True),
        Column("predicted_us", "Predicted time", text="{:,.2f}".format, unit="us", right=True),
        Column("measured_gbytes_per_s", "Measured busbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("predicted_gbytes_per_s", "Predicted busbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("ratio", "Residual", text=share_text, right=True, sheet="measured over predicted"),
        Column("is_judged", "Judged", text=lambda judged: "yes" if judged else "no"),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """A part with its residuals. `log_ratio` is the mean of ln(measured over predicted) where bandwidth decides."""

    part: Part
    title: str
    rows: tuple[ResidualRow, ...]
    log_ratio: float | None
    spread: float
    """Standard deviation of ln(ratio) over the sizes that are judged."""
    n_judged: int
    largest_bytes: int

    COLUMNS: ClassVar[Columns] = (
        Column("part", "Part", "part.title"),
        Column("measurement", "Measurement", "title"),
        Column("ratio", "Residual", text=share_text, right=True, empty="too small to judge"),
        Column("worst", "Worst size", "worst_text", is_json=False),
        Column("n_judged", "Sizes judged", right=True),
    )

    @property
    def worst_text(self) -> str:
        """ "1 GiB: -51.1 %", of the sizes that are judged; "" without any."""
        judged = [row for row in self.rows if row.is_judged]
        worst = min(judged, key=lambda row: row.ratio) if judged else None
        return f"{format_size(worst.size_bytes)}: {share_text(worst.ratio)}" if worst is not None else ""

    def is_accepted(self, tolerance: float) -> bool | None:
        """Whether no judged size is more than this share below its prediction; None where no size is judged."""
        judged = [row.ratio for row in self.rows if row.is_judged]
        return min(judged) >= 1 - tolerance if judged else None

    @property
    def ratio(self) -> float | None:
        """Measured over predicted busbw, over the sizes that are judged; None where none is."""
        return None if self.log_ratio is None else math.exp(self.log_ratio)


def residuals(measurement: Measurement, part: str, predicted: Curve) -> tuple[ResidualRow, ...]:
    """The rows of a measurement next to the curve; both are of the same ranks, and the curve has the sizes."""
    by_size = {round(point.size_bytes): point for point in predicted.points}
    found = []
    for row in measurement.for_ranks(predicted.ranks).rows:
        point = by_size.get(row.size_bytes or 0)
        busbw = row.busbw_gbytes_per_s
        if point is None or row.size_bytes is None or not point.busbw_gbytes_per_s or not row.time_us:
            continue
        # Rates of few digits ("0.02") are taken from the time where that has more.
        ratio = point.time_us / row.time_us if busbw is None or busbw < 1 else busbw / point.busbw_gbytes_per_s
        found.append(
            ResidualRow(
                part,
                measurement.id,
                row.size_bytes,
                row.time_us,
                point.time_us,
                point.busbw_gbytes_per_s * ratio,
                point.busbw_gbytes_per_s,
                ratio,
                is_judged(predicted, point),
            )
        )
    return _without_small(found)


def _without_small(rows: Sequence[ResidualRow]) -> tuple[ResidualRow, ...]:
    """Sizes far below the largest are not judged: what starts a collective is still a part of their time."""
    largest = max((row.size_bytes for row in rows), default=0)
    return tuple(
        row if not row.is_judged or row.size_bytes * WIDEST >= largest else replace(row, is_judged=False)
        for row in rows
    )


def sizes_of(measurement: Measurement, n_ranks: int) -> list[int]:
    """The sizes that it has a time of."""
    rows = measurement.for_ranks(n_ranks).rows
    return sorted({row.size_bytes for row in rows if row.size_bytes and row.time_us})


def evidence_of(design: Design, graph: Graph, scenario: Scenario, tested: MeasuredPart, progress: Progress) -> Evidence:
    """The measurement against what the scenario's model predicts for the part."""
    part, measurement = tested.part, tested.measurement
    sizes = sizes_of(measurement, len(part.ranks))
    rows: tuple[ResidualRow, ...] = ()
    if sizes:
        predicted = forecast(design, graph, scenario, sizes, progress)
        rows = residuals(measurement, part.name, predicted)
    logs = [math.log(row.ratio) for row in rows if row.is_judged]
    return Evidence(
        part,
        measurement.title,
        rows,
        math.fsum(logs) / len(logs) if logs else None,
        float(np.std(logs, ddof=1)) if len(logs) > 1 else 0.0,
        len(logs),
        max((row.size_bytes for row in rows if row.is_judged), default=0),
    )
