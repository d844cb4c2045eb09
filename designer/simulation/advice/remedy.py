"""A change that may help: another scenario, an edit of the design, or a failure repaired; and what a run of it gave."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Link
from designer.simulation.advice.limit import no_gain
from designer.simulation.advice.order import helpful
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, Columns, keys
from designer.units import format_counted, format_time, format_times

LEAST_GAIN = 0.01
"""What gains less is not offered."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """`make_edit` makes the edit of the design as it stands; None where it stays as it is.

    It raises DesignerError where the edit cannot be made.
    """

    kind: str
    """ "routing", "setting", "order", "algorithm", "receivers", "repair", "uplinks", "nics", "cable", "width"
    or "oversubscription".
    """
    title: str
    """ "Spray instead of ECMP"."""
    scenario: Scenario
    failed: frozenset[str]
    make_edit: Callable[[Design], Edit] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A remedy that was run, or why it was not; `edit` is that of the design it was run on."""

    remedy: Remedy
    before: Result
    result: Result | None = None
    edit: Edit | None = None
    refused: str = ""

    COLUMNS: ClassVar[Columns] = (
        Column("title", "What would help", "remedy.title"),
        Column("times", "Time", right=True, is_json=False),
        Column("gain_text", "Gain", right=True, order=lambda trial: trial.gain, is_json=False),
        Column("adds", "Adds", is_json=False),
        *keys("kind=remedy.kind time_s gain sentence links_added links_removed switches_added"),
    )

    @property
    def time_s(self) -> float | None:
        """Of the run with the change."""
        return None if self.result is None else self.result.time_s

    @property
    def gain(self) -> float | None:
        """The share of the time that the change saves; None where it was not run, or is of another number of ranks."""
        if self.result is None or self.result.ranks != self.before.ranks or self.before.time_s <= 0:
            return None
        return 1 - self.result.time_s / self.before.time_s

    @property
    def helps(self) -> bool:
        """Whether it gains more than LEAST_GAIN."""
        return self.gain is not None and self.gain > LEAST_GAIN

    @property
    def times(self) -> str:
        """ "22.7 → 21.44 ms"."""
        return format_times(self.before.time_s, self.time_s or 0.0)

    @property
    def both_times(self) -> str:
        """ "22.7 ms now, 21.44 ms with this": of the run that is shown, and of one with the change."""
        return f"{format_time(self.before.time_s)} now, {format_time(self.time_s or 0.0)} with this"

    @property
    def gain_text(self) -> str:
        """ "6 %", "1.4 %"; "" where there is none."""
        if self.gain is None:
            return ""
        return f"{100 * self.gain:.{0 if self.gain >= 0.0195 else 1}f} %"

    @property
    def sentence(self) -> str:
        """ "Spray instead of ECMP: 22.7 → 21.44 ms, 6 %"; of an edit with what it adds."""
        said = f"{self.remedy.title}: {self.times}, {self.gain_text}"
        return f"{said}; adds {self.adds}" if self.adds else said

    @property
    def adds(self) -> str:
        """ "4 switches, 256 links": what its edit adds more than it removes, the price of the gain; "" for nothing."""
        links = self.links_added - self.links_removed
        counted = ((self.switches_added, "switch"), (links, "link"))
        return ", ".join(format_counted(count, word) for count, word in counted if count > 0)

    @property
    def switches_added(self) -> int:
        """Devices that its edit adds more than it removes: no change that is tried adds a server."""
        changes = [one for one in self.edit.changes if isinstance(one.subject, Device)] if self.edit is not None else []
        return sum((one.before is None) - (one.after is None) for one in changes)

    @property
    def links_added(self) -> int:
        """Links that its edit adds, or moves to other ports."""
        return self._links(lambda change: change.after is not None)

    @property
    def links_removed(self) -> int:
        """Links that its edit removes, or moves to other ports."""
        return self._links(lambda change: change.before is not None)

    def _links(self, counts: Callable[[Change], bool]) -> int:
        changes = self.edit.changes if self.edit is not None else ()
        return sum(isinstance(change.subject, Link) and counts(change) for change in changes)


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """What was tried, in the order in which it was; `waiting` was not, for lack of time."""

    before: Result
    trials: tuple[Trial, ...] = ()
    waiting: tuple[Remedy, ...] = ()

    COLUMNS: ClassVar[Columns] = (
        Column("time_s", value="before.time_s"),
        *keys("summary rows=helpful"),
        Column(
            "tried", value=lambda advice: [trial.remedy.title for trial in advice.trials if trial.result is not None]
        ),
        Column(
            "refused",
            value=lambda advice: [
                {"title": trial.remedy.title, "why": trial.refused} for trial in advice.trials if trial.refused
            ],
        ),
        Column("not_tried", value=lambda advice: [remedy.title for remedy in advice.waiting]),
    )

    @property
    def helpful(self) -> tuple[Trial, ...]:
        """Those that help, the largest gain first."""
        return helpful(self.trials)

    @property
    def summary(self) -> str:
        """ "3 of 12 changes that were tried would help"; without any, that nothing would, and why."""
        ran = [trial for trial in self.trials if trial.result is not None]
        left = len(self.waiting)
        if self.helpful:
            said = f"{len(self.helpful)} of {len(ran)} changes that were tried would help"
        elif ran:
            said = no_gain(self.before, len(ran), left)
        else:
            said = "There was nothing to try"
        return f"{said}; {left} more {'was' if left == 1 else 'were'} not tried for lack of time" if left else said
