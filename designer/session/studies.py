"""Runs bandwidth by size over the design in a worker, for several algorithms and routings."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QObject, Signal

from designer.errors import Cancelled, DesignerError
from designer.session.commands import is_simulated
from designer.session.jobs import Jobs, Outcome, Progress

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.model.edit import Edit
    from designer.session.session import Session
    from designer.simulation.curve import Curve
    from designer.simulation.scenario import Scenario

LANE = "curves"

State = Literal["idle", "running", "current", "stale", "failed"]


class Curves(NamedTuple):
    """The curves that could be computed, and a sentence for each that could not."""

    found: "tuple[Curve, ...]" = ()
    refused: tuple[str, ...] = ()


class CurveJob(QObject):
    """The latest curves, and whether they are of the design as it stands."""

    state_changed = Signal()
    progressed = Signal(float)

    def __init__(self, session: "Session", jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self.state: State = "idle"
        self.curves = Curves()
        self.error: str | None = None
        self.was_cut_off = False
        """Whether a change ended the latest computation before it was done."""
        self._of: tuple[object, ...] | None = None
        """What the curves belong to: an undo that leads back there makes them current again."""
        session.changed.connect(self._follow)
        session.reset.connect(self._forget)
        session.simulation.failed_changed.connect(self._outdate)
        jobs.lane(LANE).progressed.connect(self.progressed)

    def run(self, scenarios: "list[Scenario]", sizes_bytes: tuple[int, ...]) -> None:
        """Compute a curve for each scenario on the design as it stands, without what is taken as broken."""
        design, failed = self._session.snapshot(), self._session.simulation.failed
        self.was_cut_off = False
        self._set("running")
        self._jobs.run(LANE, lambda progress: _curves(design, failed, scenarios, sizes_bytes, progress), self._take)

    def cancel(self) -> None:
        self._jobs.cancel(LANE)
        if self.state == "running":
            self._set("stale" if self.curves.found else "idle")

    def _take(self, outcome: Outcome) -> None:
        self.error = outcome.error
        if outcome.error is None:
            self.curves = outcome.value
            self.error = self.curves.refused[0] if self.curves.refused and not self.curves.found else None
            self._of = self._asked()
        self._set("failed" if self.error is not None else "current")

    def _follow(self, edit: "Edit") -> None:
        if is_simulated(edit):
            self._outdate()

    def _asked(self) -> tuple[object, ...]:
        return self._session.fabric_state, self._session.simulation.failed

    def _outdate(self) -> None:
        if self.state == "idle":
            return
        self._jobs.cancel(LANE)
        is_current = self._of == self._asked()
        self.was_cut_off = not is_current and (self.was_cut_off or self.state == "running")
        self._set("idle" if not self.curves.found else "current" if is_current else "stale")

    def _forget(self) -> None:
        self._jobs.cancel(LANE)
        self.curves, self.error = Curves(), None
        self.was_cut_off = False
        self._set("idle")

    def _set(self, state: State) -> None:
        self.state = state
        self.state_changed.emit()


def _curves(
    design: "Design", failed: frozenset[str], scenarios: "list[Scenario]", sizes_bytes: tuple[int, ...],
    progress: Progress,
) -> Curves:  # fmt: skip
    from designer.graph.arrays import build
    from designer.simulation.curve import curve

    graph = build(design, failed=failed, network=scenarios[0].network)
    found, refused = [], []
    for number, scenario in enumerate(scenarios):

        def part(share: float, number: int = number) -> None:
            progress((number + share) / len(scenarios))

        try:
            found.append(curve(graph, scenario, sizes_bytes, part))
        except Cancelled:
            raise
        except DesignerError as error:
            refused.append(f"{scenario.algorithm_used}, {scenario.routing}: {error}")
    return Curves(tuple(found), tuple(refused))
