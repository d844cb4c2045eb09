"""What the summary of a pack begins with: what its runs came to, compared with those that were pinned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from designer.analysis.billing.bill import Bill
from designer.analysis.oversubscription import by_tier
from designer.analysis.survey import survey
from designer.analysis.tiers import counted_devices
from designer.exchange.comparison.figure_rows import PartRow, RunOfDesign, part_columns
from designer.exchange.comparison.figures import part_rows
from designer.exchange.comparison.two_pictures import loads_apart
from designer.exchange.pack import html
from designer.exchange.pack.runs import Runs
from designer.model.design import Design
from designer.simulation.result import Result
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable
from designer.units import format_bandwidth, format_change, format_counted, format_ratio, format_time

NOW, PINNED = "This design", "Pinned run"


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """Runs that were pinned, and the bill of the design of the first that is compared with."""

    runs: tuple[RunOfDesign, ...] = ()
    bills: tuple[Bill, ...] = ()
    are_drawn: bool = True
    """Whether pictures may show their designs, with the names in them."""
    same: tuple[RunOfDesign, ...] = ()
    """Those that are runs of the page, of the same design: compared with nothing."""


NONE_KEPT = KeptRuns()


@dataclass(frozen=True, slots=True)
class _Row:
    """A run as the table states it; `baseline` is the one it is compared with."""

    name: str
    design: Design
    result: Result
    baseline: Result | None = field(default=None)

    @property
    def fabric(self) -> str:
        """ "64 servers, 24 switches, 1,024 links, oversubscription 2:1"."""
        design = self.design
        stated = [*counted_devices(design), format_counted(len(design.links), "link")]
        ratio = max(by_tier(survey(design)).values(), default=None)
        return ", ".join(stated if ratio is None else [*stated, f"oversubscription {format_ratio(ratio)}"])

    @property
    def change(self) -> float | None:
        """By how much it takes longer, as a share; None of the baseline itself."""
        before, now = self.baseline, self.result
        return None if before is None or before is now or not before.time_s else now.time_s / before.time_s - 1

    @property
    def bottleneck(self) -> str:
        """What sets the pace, in a sentence."""
        return html.arrows(self.result.bottlenecks[0].why) if self.result.bottlenecks else ""


def _what(result: Result) -> tuple[str, float]:
    """The collective or pattern, and the size: runs that differ in the rest can be compared."""
    return result.model.traffic.partition(",")[0], result.size_bytes


RUNS: Columns = (
    Column("run", "Run", "result.run_text"),
    Column("time", "Time", "result.time_s", format_time, right=True),
    Column("busbw", "Bus bandwidth", "result.busbw_gbytes_per_s", format_bandwidth, right=True, empty="–"),
    Column("bottleneck", "Bottleneck"),
)
PINNED_RUNS: Columns = (Column("name", ""), Column("fabric", "Fabric"), *RUNS)
COMPARED: Columns = (
    Column("name", ""),
    Column("fabric", "Fabric"),
    *RUNS[:3],
    Column("change", "Change of time", text=format_change, right=True, empty="–"),
)


def result_sections(design: Design, runs: Runs, kept: KeptRuns, bill: Bill) -> Iterator[str]:
    """The runs in a table with the worst failure below, then what was pinned with what has been added since."""
    yield html.heading("Results")
    rows = [_Row(NOW, design, run.result) for run in runs.shown if run.result is not None]
    if rows:
        yield html.result_table(ResultTable(RUNS, rows))
    for run in runs.shown:
        if run.result is None:
            yield html.paragraph(f"{run.text}: not simulated: {run.refusal}")
    worst = runs.failures.worst
    if worst.loss is not None:
        yield html.paragraph(f"Worst single failure: {worst.text}.")
    several = len(kept.runs) > 1
    numbered = [(one.number or place, one) for place, one in enumerate(kept.runs, start=1)]
    named = [(f"{PINNED} {number}" if several or one.number else PINNED, one) for number, one in numbered]
    same = [(name, one) for name, one in named if any(one is other for other in kept.same)]
    for name, one in same:
        yield html.paragraph(f"{name} is listed above: {one.result.run_text}, of this design as it stands.")
    named = [pair for pair in named if pair not in same]
    others = [_Row(name, one.design, one.result) for name, one in named if not compared_runs((one,), runs)]
    if others:
        yield html.subheading("Pinned runs of other traffic")
        yield html.result_table(ResultTable(PINNED_RUNS, others))
    if len(others) < len(named):
        yield html.subheading("Compared with pinned runs")
        yield html.result_table(ResultTable(COMPARED, list(_compared(design, runs, named))))
        if kept.are_drawn:
            yield from _load_pictures(design, runs, named)
        yield from _parts_since(kept.bills[0], bill)


def _load_pictures(design: Design, runs: Runs, kept: Sequence[tuple[str, RunOfDesign]]) -> Iterator[str]:
    """Of each traffic the loads of the first pinned run, then those of the design."""
    number = 0
    for run in runs.shown:
        alike = [one for one in kept if run.result is not None and _what(one[1].result) == _what(run.result)]
        if run.result is not None and alike:
            number += 1
            yield from loads_apart(alike[0], (NOW, RunOfDesign(run.result, design)), f"pinned{number}-")


def same_runs(design: Design, kept: Sequence[RunOfDesign], runs: Runs) -> tuple[RunOfDesign, ...]:
    """The pinned runs that are one of the design itself: of the same devices and links, with the same outcome."""
    known = {_outcome(run.result) for run in runs.shown if run.result is not None}
    return tuple(one for one in kept if _outcome(one.result) in known and _is_same_fabric(one.design, design))


def _outcome(result: Result) -> tuple[object, ...]:
    return result.run_text, result.model.failed, f"{result.time_s:.9g}"


def _is_same_fabric(one: Design, other: Design) -> bool:
    return (one.devices, one.modules, one.links, one.types) == (other.devices, other.modules, other.links, other.types)


def compared_runs(kept: Sequence[RunOfDesign], runs: Runs) -> tuple[RunOfDesign, ...]:
    """The pinned runs of the same traffic and size as one of the design."""
    known = {_what(run.result) for run in runs.shown if run.result is not None}
    return tuple(one for one in kept if _what(one.result) in known)


def _compared(design: Design, runs: Runs, kept: Sequence[tuple[str, RunOfDesign]]) -> Iterator[_Row]:
    """Of each traffic the pinned runs, then that of the design."""
    for run in runs.shown:
        now = run.result
        alike = [(name, one) for name, one in kept if now is not None and _what(one.result) == _what(now)]
        if now is not None and alike:
            baseline = alike[0][1].result
            yield from (_Row(name, one.design, one.result, baseline) for name, one in alike)
            yield _Row(NOW, design, now, baseline)


def _parts_since(before: Bill, after: Bill) -> Iterator[str]:
    """What the design needs more or less of than that of the first pinned run, with the cost where that is known."""
    parts: list[PartRow] = list(part_rows(before, after))
    if not parts:
        yield html.paragraph("Both need the same parts.")
        return
    yield html.paragraph("Change in parts from the design of the first pinned run:")
    yield html.result_table(ResultTable(part_columns(parts), parts))
    if not after.totals:
        yield html.paragraph("No price list is stated: what the change costs is not known.", "muted")
