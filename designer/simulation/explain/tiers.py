"""Loads tier by tier: each kind of link and direction by itself, servers first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.analysis.survey import UNKNOWN_TIER, link_kind, survey
from designer.model.design import Design
from designer.simulation.result import Result
from designer.tables.columns import Column, Columns, percent, pick
from designer.units import FULL_LOAD, HOT_LOAD, format_carried

FULL = FULL_LOAD
"""From here on a link counts as saturated: rounding of a simulated 100 % stays inside."""
ALL, MEANS_ONLY = "title count most average busy saturated carried", "title count average carried"
BETWEEN_ALIKE = {
    "local": "local, in a group",
    "global": "global, between groups",
    "torus": "torus",
    "optical": "optical, between cubes",
}
"""Kinds of links whose two directions are one tier."""


@dataclass(frozen=True, slots=True, eq=False)
class TierLoad:
    """All links of a tier in one direction (in both, between devices of one kind). Utilizations are shares."""

    title: str
    bytes: float
    peak: NDArray[np.float64]  # (n,) highest utilization of each
    mean: NDArray[np.float64]  # (n,) over the whole run
    given_bytes: float
    """The size that the run was given."""
    are_peaks_known: bool = True

    COLUMNS: ClassVar[Columns] = (
        Column("title"),
        Column("count", "Links", right=True),
        Column("most", "Peak", text=percent, right=True, sheet="peak utilization"),
        Column("average", "Mean", text=percent, right=True, sheet="mean utilization"),
        Column("busy", "Over 80 %", text=percent, right=True, sheet="share over 80 %"),
        Column("saturated", "Saturated", right=True),
        Column("carried", "Bytes", right=True),
    )

    @property
    def known(self) -> NDArray[np.float64]:
        """The utilization of each link: its peak, or the mean where that is all that is known."""
        return self.peak if self.are_peaks_known else self.mean

    @property
    def columns(self) -> Columns:
        """For people: what is of peaks is left out where only means are known."""
        return pick(self.COLUMNS, ALL if self.are_peaks_known else MEANS_ONLY)

    @property
    def carried(self) -> str:
        """Its bytes in words, in units as the size was given in."""
        return format_carried(self.bytes, given_bytes=self.given_bytes)

    @property
    def count(self) -> int:
        """Number of links, each direction counted by itself."""
        return len(self.peak)

    @property
    def most(self) -> float:
        """Highest peak utilization of any link, as a share; 0 without links."""
        return float(self.peak.max(initial=0.0))

    @property
    def average(self) -> float:
        """Mean over the tier of the utilization over the whole run."""
        return float(self.mean.mean()) if len(self.mean) else 0.0

    @property
    def busy(self) -> float:
        """Share of the tier that is over 80 % at its peak."""
        return float(np.count_nonzero(self.peak > HOT_LOAD)) / max(1, self.count)

    @property
    def saturated(self) -> int:
        """Number of links whose peak utilization is at least FULL."""
        return int(np.count_nonzero(self.peak >= FULL))


def tier_loads(design: Design, result: Result) -> list[TierLoad]:
    """The tiers of a result, which must be of this design; links that failed are in none."""
    graph, surveyed = result.graph, survey(design)
    forth = np.flatnonzero(graph.link[::2] >= 0) * 2
    arc_of = dict(zip((graph.link_ids[link] for link in graph.link[forth]), forth.tolist(), strict=True))
    members: dict[str, list[int]] = {}
    for run in sorted(surveyed.runs, key=lambda run: surveyed.tier.get(run.low.device_id, UNKNOWN_TIER)):
        arc = arc_of.get(run.link.id)
        if arc is None:
            continue
        up = arc if run.low == run.link.a else arc ^ 1
        low, high = surveyed.role[run.low.device_id], surveyed.role[run.high.device_id]
        kind = link_kind(surveyed, run)
        if kind in BETWEEN_ALIKE or low == high:
            members.setdefault(BETWEEN_ALIKE.get(kind, f"{low} to {high}"), []).extend((up, up ^ 1))
        else:
            members.setdefault(f"{low} to {high}", []).append(up)
            members.setdefault(f"{high} to {low}", []).append(up ^ 1)
    return [_load(result, title, arcs) for title, arcs in members.items()]


def _load(result: Result, title: str, arcs: Sequence[int]) -> TierLoad:
    at = np.array(arcs, dtype=np.int64)
    peak, mean = result.utilization_peak[at], result.utilization_mean[at]
    moved = float(result.bytes[at].sum())
    return TierLoad(title, moved, peak, mean, result.size_bytes, result.are_peaks_known)
