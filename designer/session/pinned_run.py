"""A run that is kept for comparison."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from designer.drawing.heat import Heat
from designer.model.design import Design
from designer.model.shown_text import visible_line
from designer.simulation.scenario import Scenario
from designer.units import format_load

if TYPE_CHECKING:
    from designer.simulation.result import Result

LONGEST_NAME = 120


def run_name(text: str) -> str:
    """The name of a run that somebody typed, on one line and not too long."""
    return visible_line(" ".join(text.split()))[:LONGEST_NAME]


@dataclass(frozen=True, slots=True, eq=False)
class PinnedRun:
    """A result as it was, of the design at `revision` with `broken` things taken out."""

    number: int
    scenario: Scenario
    revision: int
    broken: int
    heat: Heat = field(repr=False)
    result: "Result" = field(repr=False)
    design: Design | None = field(repr=False, default=None)
    """The design as it was; None of the current result, which is of the design as it is."""
    failed: frozenset[str] = field(repr=False, default=frozenset())
    """Ids of what was marked as failed."""
    own_name: str = ""
    """What somebody called it; "" where nobody did."""

    @property
    def of_earlier(self) -> str:
        """Of which design it is where that was changed since, as "of revision B, changed since"."""
        revisions = () if self.design is None else sorted(self.design.revisions.values(), key=lambda one: one.id)
        return f"of revision {revisions[-1].number}, changed since" if revisions else "of an earlier design"

    @property
    def name(self) -> str:
        """What it is called, else what was run: "all-reduce, ring, ecmp"."""
        return self.own_name or f"{self.scenario.title}, {self.scenario.routing_text}"

    @property
    def hottest(self) -> str:
        """ "leaf-03 12 -> spine-01 4, 100 %"; "" where no link carries anything."""
        reasons = [one for one in self.result.bottlenecks if one.link_id is not None]
        if reasons:  # what sets the pace, as the panel names it
            first = reasons[0]
            ends = f"{first.source} {first.port} -> {first.target} {first.target_port}"
            return f"{ends}, {format_load(first.utilization)}"
        rows = self.result.links(1)
        if not rows or rows[0].utilization_peak <= 0:
            return ""
        row = rows[0]
        link = f"{row.source} {row.source_port} -> {row.target} {row.target_port}"
        return f"{link}, {format_load(row.utilization_peak)}"

    def is_alike(self, other: "PinnedRun") -> bool:
        """Whether both are of one collective or pattern: sizes, algorithms and fabrics may differ."""
        mine, theirs = self.scenario, other.scenario
        return (mine.collective, mine.traffic) == (theirs.collective, theirs.traffic)

    def longer_than(self, other: "PinnedRun") -> float | None:
        """By how much its time exceeds another's, as a share of that; None where none can be stated."""
        if not self.is_alike(other):
            return None
        return self.result.time_s / other.result.time_s - 1 if other.result.time_s > 0 else None
