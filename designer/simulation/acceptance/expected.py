"""What each part of a fabric should measure, size by size, and how far a good one may fall below that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from designer.graph.arrays import Graph
from designer.model.design import Design
from designer.simulation.acceptance.parts import Part
from designer.simulation.curve import Curve, Point, curve
from designer.simulation.models import SimulationModel
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns
from designer.units import format_change, format_count, format_size

TELLING_TIMES_LATENCY = 10.0
"""From this many times the latency on bandwidth decides a time, and a measurement tells something of cables."""

NEAR_THE_MOST = 0.7

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """A part at a size. `least` is what is accepted."""

    part: str
    size_bytes: int
    time_us: float
    busbw_gbytes_per_s: float
    least_gbytes_per_s: float
    is_judged: bool
    """Whether bandwidth decides at this size; others are stated for comparison."""
    median_gbytes_per_s: float | None = None
    """Of several runs on a machine that others use too, like the worst; None where nobody measured how runs spread."""
    worst_gbytes_per_s: float | None = None

    COLUMNS: ClassVar[Columns] = (
        Column("part", "Part"),
        Column("size_bytes", "Size", text=format_size, right=True, sheet="size (B)"),
        Column("time_us", "Time", text="{:,.1f}".format, unit="us", right=True),
        Column("busbw_gbytes_per_s", "Expected busbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("least_gbytes_per_s", "Accepted from", text="{:.2f}".format, unit="GB/s", right=True),
        Column("median_gbytes_per_s", "Median run", text="{:.2f}".format, unit="GB/s", right=True, may_lack=True),
        Column("worst_gbytes_per_s", "Worst run", text="{:.2f}".format, unit="GB/s", right=True, may_lack=True),
        Column("is_judged", "Judged", text=lambda judged: "yes" if judged else "no"),
    )


@dataclass(frozen=True, slots=True)
class ExpectedPart:
    """What a part should measure."""

    part: Part
    rows: tuple[ExpectedRow, ...]
    latency_s: float
    model: SimulationModel

    COLUMNS: ClassVar[Columns] = (
        Column("title", "Part", "part.title"),
        Column("ranks", "Ranks", lambda one: len(one.part.ranks), format_count, right=True),
        Column("busbw", "Expected busbw", "best.busbw_gbytes_per_s", "{:.1f}".format, unit="GB/s", right=True),
        Column("least", "Accepted from", "best.least_gbytes_per_s", "{:.1f}".format, unit="GB/s", right=True),
    )

    @property
    def best(self) -> ExpectedRow:
        """The row of the largest size."""
        return self.rows[-1]


def expected_part(
    design: Design,
    graph: Graph,
    scenario: Scenario,
    part: Part,
    sizes_bytes: Sequence[int],
    tolerance: float,
    progress: Progress,
) -> ExpectedPart:
    """What the part should measure at each size; from `tolerance` below it on, a result is not accepted."""
    found = forecast(design, graph, replace(scenario, ranks=part.ranks), sizes_bytes, progress)
    rows = tuple(
        ExpectedRow(
            part.name,
            round(point.size_bytes),
            point.time_us,
            point.busbw_gbytes_per_s,
            (1 - tolerance) * point.busbw_gbytes_per_s,
            is_judged(found, point),
            _of_run(point, point.median_s),
            _of_run(point, point.worst_s),
        )
        for point in found.points
    )
    return ExpectedPart(part, rows, found.latency_s, found.model)


def expected_parts(
    design: Design,
    graph: Graph,
    scenario: Scenario,
    parts: Sequence[Part],
    sizes_bytes: Sequence[int],
    tolerance: float,
    progress: Progress,
) -> tuple[ExpectedPart, ...]:
    """What every part should measure. `progress` may raise Cancelled."""
    found = []
    for number, part in enumerate(parts):
        progress(number / len(parts))
        found.append(expected_part(design, graph, scenario, part, sizes_bytes, tolerance, _ignore))
    progress(1.0)
    return tuple(found)


def forecast(
    design: Design, graph: Graph, scenario: Scenario, sizes_bytes: Sequence[float], progress: Progress
) -> Curve:
    """The curve that measurements are compared with, under the scenario's model."""
    return curve(graph, scenario, sizes_bytes, progress, design)


def _ignore(_share: float) -> None:
    pass


def _of_run(point: Point, time_s: float | None) -> float | None:
    """The busbw of a run that takes so long where the point's takes its own time."""
    return None if time_s is None else point.busbw_gbytes_per_s * point.time_s / time_s


def is_judged(of: Curve, point: Point) -> bool:
    """Whether bandwidth decides at a point, so that it says something of cables.

    A library's curve has start-up and protocols in its times: there the bandwidth itself says how much of them is left.
    """
    if of.scenario.is_calibrated:
        most = max(one.busbw_gbytes_per_s for one in of.points)
        return point.is_telling and point.busbw_gbytes_per_s >= NEAR_THE_MOST * most
    return point.is_telling and point.time_s >= TELLING_TIMES_LATENCY * of.latency_s


def share_text(ratio: float) -> str:
    """ "−12.5 %": how far a measurement is from what was predicted."""
    return format_change(ratio - 1)
