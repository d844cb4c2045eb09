"""What a failure changes: time, bandwidth, and which links are hot now that were not."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from designer.errors import sentence
from designer.simulation.explain.reasons import each_once, more_alike
from designer.simulation.failures.affected_servers import NOBODY, AffectedServers, affected_servers
from designer.simulation.result import Result
from designer.tables.columns import Column, Columns, percent
from designer.units import FULL_LOAD, HOT_LOAD, format_count

HOT, FULL = HOT_LOAD, FULL_LOAD
"""From here on a link counts as hot, and as saturated: peak utilization of its busier direction."""


@dataclass(frozen=True, slots=True)
class NewlyHot:
    """A link in the direction that is hot now, with its peak utilization before and after."""

    link_id: str
    name: str
    before: float
    after: float

    COLUMNS: ClassVar[Columns] = (
        Column("link", "Hot or saturated now", "name"),
        Column("before", "Before", text=percent, right=True),
        Column("after", "Now", text=percent, right=True),
    )


@dataclass(frozen=True, slots=True)
class FailureImpact:
    """A scenario before and after a failure.

    `slowdown` is the time after over that before; None where ranks are lost, for fewer ranks have less to do.
    """

    before: Result
    after: Result
    slowdown: float | None
    lost_ranks: int
    hot_links: tuple[int, int]
    """How many links are hot in some direction, before and after."""
    full_links: tuple[int, int]
    newly_hot: tuple[NewlyHot, ...]
    """The links that are hot now and were not, or saturated now and were not; those that rose most first."""
    affected_servers: AffectedServers = NOBODY

    @property
    def columns(self) -> Columns:
        """Of the links that are hot now."""
        return NewlyHot.COLUMNS

    @property
    def loss(self) -> str:
        """Why nothing is said about speed where ranks are lost, as a sentence; else empty."""
        if not self.lost_ranks:
            return ""
        are = "is" if self.lost_ranks == 1 else "are"
        return (
            f"{format_count(self.lost_ranks)} of {format_count(self.before.ranks)} ranks {are} lost. Time and busbw "
            f"are those of the {format_count(self.after.ranks)} left, which have less to do: no slowdown is given."
        )

    @property
    def assumed_note(self) -> str:
        """That the times compared hang on assumed latencies; "" where they do not."""
        return self.after.assumed_note or self.before.assumed_note

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the time after the failure has to know of the fabric then, in sentences."""
        return tuple(sentence(one) for one in self.after.notices)

    @property
    def none_hotter(self) -> str:
        """What is said where no link is hot or saturated that was not."""
        return f"No {'other ' if self.full_links[0] else ''}link became hot or saturated."

    @property
    def held_back(self) -> str:
        """What holds the run back now, and how much else does just so; empty where nothing does."""
        for first, more in each_once(self.after.bottlenecks):
            return f"{first.why}{more_alike(more)}"
        return ""

    @property
    def busbw_change(self) -> float | None:
        """The change of busbw as a share of what it was; None where the scenario has none or ranks are lost."""
        if self.lost_ranks:
            return None
        before, after = self.before.busbw_gbytes_per_s, self.after.busbw_gbytes_per_s
        return after / before - 1 if before and after is not None else None


def failure_impact(before: Result, after: Result) -> FailureImpact:
    """Compare a run with the one after something failed; links of the design keep their ids."""
    graph = after.graph
    was = before.link_utilization()
    found = []
    hot = np.flatnonzero((graph.link >= 0) & (after.utilization_peak >= HOT))
    for arc in hot.tolist():
        link_id = graph.link_ids[graph.link[arc]]
        earlier = was.get(link_id, (0.0, 0.0))[arc & 1]
        now = float(after.utilization_peak[arc])
        if earlier < HOT or (earlier < FULL <= now):
            tail, head = graph.device_name(int(graph.source[arc])), graph.device_name(int(graph.target[arc]))
            name = f"{tail} {graph.port_name(arc)} to {head}"
            found.append(NewlyHot(link_id, name, earlier, now))
    found.sort(key=lambda one: one.before - one.after)
    lost = max(0, before.ranks - after.ranks)
    slowdown = None if lost else after.time_s / before.time_s if before.time_s > 0 else 1.0
    peaks = was.busier, after.link_utilization().busier
    hot_links, full_links = (
        (int(np.count_nonzero(peaks[0] >= limit)), int(np.count_nonzero(peaks[1] >= limit))) for limit in (HOT, FULL)
    )
    return FailureImpact(
        before, after, slowdown, lost, hot_links, full_links, tuple(found), affected_servers(before, after)
    )
