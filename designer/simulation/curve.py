"""Bandwidth by size, as nccl-tests measures it: one collective over buffers from small to large.

Rates do not depend on sizes: buffers twice as large keep every flow busy twice as long, and latencies stay. So each
phase is solved once, and the last arrival at any size is the greatest of "sending time x factor + latency".
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import Graph
from designer.graph.class_figures import figures_text
from designer.late import Late
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation import catalogue
from designer.simulation.engine import model_of, plan_of
from designer.simulation.models import SimulationModel
from designer.simulation.payload_rate import payload_rate
from designer.simulation.phase_results import PhaseResult, phase_result_of
from designer.simulation.scenario import Scenario
from designer.simulation.start_up import is_telling, start_note_by_size
from designer.simulation.traffic.phases import Phase
from designer.simulation.traffic.ranks import participants
from designer.tables.columns import Column, Columns, keys
from designer.units import (
    BYTES_PER_S_PER_GBYTES_PER_S,
    SECONDS_PER_US,
    format_counted,
    format_size,
    format_time,
    parse_size,
    some_of,
)

libraries = Late("designer.simulation.libraries.runs")
results = Late("designer.simulation.libraries.results")

USUAL_SIZES = "8:8GiB"
MOST_SIZES = 1_000
FLOAT_BYTES = 4
"""What nccl-tests counts as an element by default."""
PER_RANK = ("all-gather", "reduce-scatter", "all-to-all")
"""Collectives of which nccl-tests prints as the count the elements of one rank's part (it also rounds that down to
16 bytes, which is not done here)."""


def _us(name: str) -> Callable[["Point"], float | None]:
    """What takes a time of a point in microseconds."""

    def taken(point: "Point") -> float | None:
        value: float | None = getattr(point, name)
        return None if value is None else value / SECONDS_PER_US

    return taken


@dataclass(frozen=True, slots=True)
class Point:
    """A line of nccl-tests: `count` is in elements of 4 bytes."""

    size_bytes: float
    count: int
    time_s: float
    algbw_gbytes_per_s: float
    busbw_gbytes_per_s: float
    algorithm: str | None = None
    """As a library chooses it, like what follows; None under the ideal model."""
    protocol: str | None = None
    channels: int | None = None
    library_estimate_us: float | None = None
    reason: str | None = None
    median_s: float | None = None
    """Of several runs on a machine in use, where `time_s` is that of the best, a quiet one; None where not measured."""
    worst_s: float | None = None

    COLUMNS: ClassVar[Columns] = (
        Column("size_bytes", "Size", text="{:.0f}".format, unit="B", right=True),
        Column("count", "Count", text=str, unit="elements", right=True, sheet="count"),
        Column("time_s"),
        Column("time_us", "Time", text="{:.2f}".format, unit="us", right=True, is_json=False),
        Column("algbw_gbytes_per_s", "algbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("busbw_gbytes_per_s", "busbw", text="{:.2f}".format, unit="GB/s", right=True),
        Column("algorithm", "Algorithm", unit="chosen", may_lack=True),
        Column("protocol", "Protocol", unit="chosen", may_lack=True),
        Column("channels", "Channels", unit="used", right=True, may_lack=True),
        Column("library_estimate_us", "Library", text="{:.2f}".format, unit="us", right=True, may_lack=True),
        *keys("median_s? worst_s?"),
        Column("median_us", "Median", _us("median_s"), text="{:.2f}".format, unit="us", right=True, is_json=False),
        Column("worst_us", "Worst", _us("worst_s"), text="{:.2f}".format, unit="us", right=True, is_json=False),
        Column("reason", "Reason", unit="estimates of the library", may_lack=True),
    )

    @property
    def time_us(self) -> float:
        """Time of the collective in microseconds."""
        return self.time_s / SECONDS_PER_US

    @property
    def is_telling(self) -> bool:
        """Whether it takes long enough that the start of a collective hardly matters, where that is not counted."""
        return self.algorithm is not None or is_telling(self.time_s)


@dataclass(frozen=True, slots=True)
class Curve:
    """A collective over several sizes. `latency_s` is what is left of its time when the buffer vanishes."""

    scenario: Scenario
    ranks: int
    latency_s: float
    points: tuple[Point, ...]
    model: SimulationModel
    assumed: str = ""
    """The figures assumed where no source states a latency: "NIC 600 ns, cable 10 m"."""

    COLUMNS: ClassVar[Columns] = (
        Column("collective", "Collective", "scenario.collective"),
        Column("algorithm", "Algorithm", "algorithm_title"),
        Column("routing", "Routing", "scenario.routing"),
        Column("ranks", "Ranks"),
        Column("failed", "Failed", lambda curve: ", ".join(curve.model.failed), is_json=False),
        *keys("latency_s latency_told=latency_note points model"),
    )

    @property
    def title(self) -> str:
        """ "ring, ecmp": what tells it from other curves of its collective."""
        return f"{self.algorithm_title}, {self.scenario.routing}"

    @property
    def algorithm_title(self) -> str:
        """ "ring" under the ideal model, "NCCL" or "NCCL, ring" under a library's."""
        scenario = self.scenario
        if not scenario.is_calibrated:
            return scenario.algorithm_used
        title = catalogue.model_title(scenario.model)
        return f"{title}, {scenario.algorithm}" if scenario.algorithm else title

    @property
    def is_latency_known(self) -> bool:
        """Whether no part of it is left out, or assumed because no source states it."""
        return self.scenario.is_calibrated or (self.scenario.latency and self.model.assumed_latencies is None)

    @property
    def failed_text(self) -> str:
        """ "failed: spine-01", what the fabric is without; "" where it is whole."""
        failed = self.model.failed
        return f"failed: {some_of(failed)}" if failed else ""

    @property
    def latency_note(self) -> str:
        """The latency, and what small sizes are worth with it."""
        if self.scenario.is_calibrated:
            return f"least time {format_time(self.latency_s)}"
        if not self.scenario.latency:
            return "latency left out: small sizes mean nothing"
        assumed = "" if self.is_latency_known else f", in part assumed: {self.assumed}"
        return f"latency {format_time(self.latency_s)}{assumed}"

    @property
    def start_note(self) -> str:
        """Up to which size the times are too short to be stated without the start of a collective; "" where none is."""
        short = [point.size_bytes for point in self.points if not point.is_telling]
        if not short:
            return ""
        return start_note_by_size(max(short))


def elements(collective_name: str, ranks: int, size_bytes: float) -> int:
    """The count that nccl-tests prints at a size, of one rank's part where that is what it prints."""
    return int(size_bytes / (FLOAT_BYTES * (ranks if collective_name in PER_RANK else 1)))


def _with_elements(name: str, ranks: int, sizes_bytes: Sequence[float]) -> list[float]:
    """The sizes at which there is something to send. Raises ParameterError where there is none."""
    found = [one for one in sizes_bytes if elements(name, ranks, one)]
    if not found:
        least = FLOAT_BYTES * (ranks if name in PER_RANK else 1)
        raise ParameterError(
            f"{name} among {format_counted(ranks, 'rank')} has a whole element of each from {format_size(least)} on: "
            "choose larger sizes"
        )
    return found


def sizes_from(text: str) -> tuple[int, ...]:
    """Bytes from "8:8GiB", each twice the one before; "1M:1G:4" goes in steps of 4. Raises ParameterError."""
    parts = text.split(":")
    if len(parts) not in (2, 3):
        raise ParameterError(f"{text!r} are no sizes: write FROM:TO or FROM:TO:FACTOR, like {USUAL_SIZES}")
    low, high = parse_size(parts[0]), parse_size(parts[1])
    try:
        factor = float(parts[2]) if len(parts) == 3 else 2.0
    except ValueError:
        factor = 0.0
    if not (math.isfinite(factor) and factor > 1):
        raise ParameterError(f"{parts[2]!r} is no factor from size to size: write a number above 1")
    if high < low:
        raise ParameterError(f"the sizes {text!r} end below where they begin")
    n_sizes = int(math.log(high / low) / math.log(factor) + 1e-9) + 1
    if n_sizes > MOST_SIZES:
        raise ParameterError(f"{text!r} are {n_sizes:,} sizes: at most {MOST_SIZES:,} are computed")
    return tuple(dict.fromkeys(round(low * factor**step) for step in range(n_sizes)))


def variants(
    scenario: Scenario, algorithms: Sequence[str] | None = None, routings: Sequence[str] | None = None
) -> list[Scenario]:
    """The scenario under every algorithm and routing, algorithm by algorithm; None keeps its own."""
    own = scenario.algorithm if scenario.is_calibrated else scenario.algorithm_used
    wanted = algorithms if algorithms else [own]
    return [
        replace(scenario, algorithm=algorithm, routing=routing)
        for algorithm in wanted
        for routing in routings or [scenario.routing]
    ]


def curves(
    graph: Graph,
    scenarios: Sequence[Scenario],
    sizes_bytes: Sequence[float],
    progress: Callable[[float], None] | None = None,
    design: Design | None = None,
) -> list[Curve]:
    """A curve for each scenario; its own size does not matter. `progress` may raise Cancelled. Errors as `simulate`.

    `design` is what the graph is of: the models of libraries ask it which GPUs and NICs there are.
    """
    found = []
    for number, scenario in enumerate(scenarios):

        def part(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(scenarios))

        found.append(curve(graph, scenario, sizes_bytes, part, design))
    return found


def curve(
    graph: Graph,
    scenario: Scenario,
    sizes_bytes: Sequence[float],
    progress: Callable[[float], None],
    design: Design | None = None,
) -> Curve:
    """Time and bandwidth of a collective at each size, each exactly what `simulate` finds for that size alone.

    Sizes of less than one element per rank are left out: nccl-tests has nothing to send there, and no bandwidth.
    """
    row = catalogue.collective(scenario.collective or "")
    if row is None:
        raise ParameterError(f"bandwidth by size is for collectives; {scenario.traffic} is a pattern of flows")
    if not sizes_bytes:
        raise ParameterError("bandwidth by size needs at least one size")
    if scenario.is_calibrated:
        return _of_library(graph, scenario, sizes_bytes, progress, design)
    base = replace(scenario, size_bytes=max(sizes_bytes))  # the largest has every phase that a smaller one has
    progress(0.0)
    net, carried = network(graph), payload_rate(graph, scenario.efficiency)
    ranks = participants(net, base)
    plan = plan_of(net, base, ranks)
    phase_results = []
    for number, phase in enumerate(plan.phases):

        def part(share: float, number: int = number) -> None:
            progress((number + share) / len(plan.phases))

        phase_results.append(phase_result_of(net, phase, base, carried.capacity, part))
    growing = [_Growing.of(phase, phase_result) for phase, phase_result in zip(plan.phases, phase_results, strict=True)]
    factor = row.busbw_factor(len(ranks))
    points = []
    for size_bytes in _with_elements(row.name, len(ranks), sizes_bytes):
        time_s = math.fsum(phase.time_s(base.size_bytes, size_bytes) for phase in growing)
        algbw = size_bytes / time_s / BYTES_PER_S_PER_GBYTES_PER_S if time_s > 0 else 0.0
        points.append(Point(size_bytes, elements(row.name, len(ranks), size_bytes), time_s, algbw, algbw * factor))
    model = model_of(graph, base, plan, phase_results, carried)
    latency_s = math.fsum(phase.repeat * phase.latency_s.max() for phase in growing)
    return Curve(scenario, len(ranks), latency_s, tuple(points), model, figures_text(graph.unknown))


def _of_library(
    graph: Graph,
    scenario: Scenario,
    sizes_bytes: Sequence[float],
    progress: Callable[[float], None],
    design: Design | None,
) -> Curve:
    """The curve as a library chooses and runs the collective at each size."""
    if design is None:
        raise ParameterError(f"the model {scenario.model} needs the design that the graph is of")
    progress(0.0)
    found = libraries.predict_on(design, graph, scenario, sizes_bytes, libraries.setup_of(scenario), progress)
    name, ranks = scenario.collective or "", found.machine.ranks
    wanted = frozenset(_with_elements(name, ranks, sizes_bytes))
    points = tuple(
        Point(
            one.size_bytes,
            elements(name, ranks, one.size_bytes),
            one.time_us * SECONDS_PER_US,
            one.algbw_gbs,
            one.busbw_gbs,
            one.algorithm,
            one.protocol,
            one.channels,
            one.library_estimate_us,
            one.reason,
            one.median_us * SECONDS_PER_US if one.median_us is not None else None,
            one.worst_us * SECONDS_PER_US if one.worst_us is not None else None,
        )
        for one in found.rows
        if one.size_bytes in wanted
    )
    largest = replace(scenario, size_bytes=max(sizes_bytes))
    model = results.simulate_with_library(design, graph, largest, progress).model
    least_s = min(point.time_s for point in points)
    return Curve(scenario, ranks, least_s, points, model, figures_text(graph.unknown))


@dataclass(frozen=True, slots=True, eq=False)
class _Growing:
    """A phase as its buffer grows: only ends that may be the last at some size."""

    repeat: int
    sent_s: NDArray[np.float64]
    latency_s: NDArray[np.float64]
    flow_bytes: Callable[[float], float] | None

    @classmethod
    def of(cls, phase: Phase, phase_result: PhaseResult) -> "_Growing":
        order = np.lexsort((-phase_result.latency_s, -phase_result.sent_s))
        sent_s, latency_s = phase_result.sent_s[order], phase_result.latency_s[order]
        # An end that is earlier than another and has no longer way is never the last.
        before = np.maximum.accumulate(np.concatenate([[-1.0], latency_s[:-1]]))
        matters = latency_s > before
        return cls(phase.repeat, sent_s[matters], latency_s[matters], phase.flow_bytes)

    def time_s(self, base_bytes: float, size_bytes: float) -> float:
        """All repeats, with a buffer of `size_bytes`, where the course is of one of `base_bytes`."""
        of = self.flow_bytes
        factor = size_bytes / base_bytes if of is None else of(size_bytes) / of(base_bytes)
        return self.repeat * float((self.sent_s * factor + self.latency_s).max())
