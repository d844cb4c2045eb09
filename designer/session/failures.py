"""Runs failure sweeps over the design in a worker: each of a kind in turn, pairs, or many at random."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from designer.session.commands import is_simulated
from designer.session.jobs import Jobs, Outcome, Progress

if TYPE_CHECKING:
    from designer.model.design import Design
    from designer.model.edit import Edit
    from designer.session.session import Session
    from designer.simulation.failures import Sweep
    from designer.simulation.scenario import Scenario

LANE = "failures"

State = Literal["idle", "running", "current", "stale", "failed"]


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """What to fail: `way` is "single", "pairs" or "monte-carlo"; `kind` for the first two, the rest for the last."""

    way: str = "single"
    kind: str = "link"
    rates: tuple[tuple[str, float], ...] = ()
    samples: int = 200
    seed: int = 0


class SweepJob(QObject):
    """The latest sweep, and whether it is of the design and the scenario as they stand, `is_current`.

    `request` and `title` say what it is a sweep of. What was taken as broken when it began, `base`, is broken in all
    its runs. While another is computed the sweep before it stays.
    """

    state_changed = Signal()
    progressed = Signal(float)

    def __init__(self, session: "Session", jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._jobs = jobs
        self.state: State = "idle"
        self.error: str | None = None
        self.sweep: Sweep | None = None
        self.is_current = False
        self.request = SweepRequest()
        self.base: frozenset[str] = frozenset()
        self.title = ""
        self.wall_s = 0.0
        self.was_cut_off = False
        """Whether a change ended the latest computation before it was done."""
        self._of: tuple[object, ...] | None = None
        """What the sweep belongs to: an undo that leads back there makes it current again."""
        session.changed.connect(self._follow)
        session.reset.connect(self._forget)
        session.simulation.scenario_changed.connect(self._outdate)
        jobs.lane(LANE).progressed.connect(self.progressed)

    def run(self, request: SweepRequest) -> None:
        """Sweep the scenario of the simulation over the design as it stands."""
        simulation = self._session.simulation
        design, scenario, failed = self._session.snapshot(), simulation.scenario, simulation.failed
        self.was_cut_off = False
        self._set("running")
        self._jobs.run(
            LANE, lambda progress: _swept(design, scenario, failed, request, progress),
            lambda outcome: self._take(outcome, request, failed, scenario.title),
        )  # fmt: skip

    def cancel(self) -> None:
        self._jobs.cancel(LANE)
        if self.state == "running":
            self._set("idle" if self.sweep is None else "current" if self.is_current else "stale")

    def _take(self, outcome: Outcome, request: SweepRequest, failed: frozenset[str], title: str) -> None:
        self.error = outcome.error
        if outcome.error is None:
            self.sweep, self.is_current, self.wall_s = outcome.value, True, outcome.wall_s
            self.request, self.base, self.title = request, failed, title
            self._of = self._asked()
        self._set("failed" if self.error is not None else "current")

    def _follow(self, edit: "Edit") -> None:
        if is_simulated(edit):
            self._outdate()

    def _asked(self) -> tuple[object, ...]:
        return self._session.fabric_state, self._session.simulation.scenario

    def _outdate(self) -> None:
        self.is_current = self.sweep is not None and self._of == self._asked()
        if self.state != "idle":
            self._jobs.cancel(LANE)
            self.was_cut_off = not self.is_current and (self.was_cut_off or self.state == "running")
            self._set("idle" if self.sweep is None else "current" if self.is_current else "stale")

    def _forget(self) -> None:
        self._jobs.cancel(LANE)
        self.sweep, self.error, self.is_current = None, None, False
        self.was_cut_off = False
        self._set("idle")

    def _set(self, state: State) -> None:
        self.state = state
        self.state_changed.emit()


def _swept(
    design: "Design", scenario: "Scenario", failed: frozenset[str], request: SweepRequest, progress: Progress
) -> "Sweep":
    from dataclasses import replace

    from designer.simulation import failures

    scenario = replace(scenario, failed=tuple(sorted(failed)))
    if request.way == "monte-carlo":
        return failures.monte_carlo(design, scenario, dict(request.rates), request.samples, request.seed, progress)
    run = failures.single if request.way == "single" else failures.pairs
    return run(design, scenario, request.kind, progress)
