"""Runs the chosen scenario over the design in a worker; with `live` on, again after each edit."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.known_graph import KnownGraph
from designer.simulation.scenario import MEMORY_LIMIT_BYTES

if TYPE_CHECKING:
    from designer.drawing.heat import Heat
    from designer.graph.arrays import Graph
    from designer.graph.edited import Base
    from designer.model.design import Design
    from designer.simulation.engine import Result
    from designer.simulation.explain.compare_runs import RunComparison
    from designer.simulation.scenario import Scenario

DEBOUNCE_MS = 8
"""A run waits so long for another edit; the first after a while starts at once."""
BRIEF_MS = 250
"""While a run takes no longer, what shows the last result is left as it is, rather than emptied for a blink."""
LANE, HEALTHY_LANE = "simulation", "healthy"

State = Literal["idle", "running", "current", "stale", "failed"]


class _Computed(NamedTuple):
    result: "Result"
    heat: "Heat"
    scenario: "Scenario"
    """As it was run: of the ranks that are left where a failure cuts some off."""
    healthy: "Graph"
    """The graph of the design without failures."""
    compare_runs: "RunComparison | None"


class _Kept(NamedTuple):
    """What the latest result belongs to, and what comes back with it when an undo leads there."""

    asked: tuple[Any, ...]
    heat: "Heat"
    wall_s: float
    compare_runs: "RunComparison | None"


class SimulationJob(QObject):
    """The scenario, the latest result, and whether it is of the design as it stands.

    `heat` and `current_result` are None unless they belong to the design, scenario and failures as they are now;
    `result` keeps the last result so that a panel may show it marked as stale.
    """

    state_changed = Signal()
    scenario_changed = Signal()
    progressed = Signal(float)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document)
        self._document = document
        self._jobs = jobs
        self._scenario: Scenario | None = None
        self._live = False
        self.memory_limit_bytes = MEMORY_LIMIT_BYTES
        self.state: State = "idle"
        self.error: str | None = None
        self.result: Result | None = None
        self.result_scenario: Scenario | None = None
        """What the result is of; None where it was worked out elsewhere."""
        self.heat: Heat | None = None
        self.wall_s = 0.0
        self.compare_runs: RunComparison | None = None
        """What the latest result changed against the one before it of the same scenario."""
        self._healthy: tuple[tuple[Any, ...], Result] | None = None
        self.was_cut_off = False
        """Whether an edit ended the latest computation before it was done."""
        self._kept: _Kept | None = None
        self._known = KnownGraph()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self._start)
        self._requested: tuple[Any, ...] = ()
        """What the run under way is of."""
        self._began_s = 0.0
        self._long = QTimer(self)
        self._long.setSingleShot(True)
        self._long.setInterval(BRIEF_MS)
        self._long.timeout.connect(self.state_changed)
        jobs.lane(LANE).progressed.connect(self.progressed)

    # -- what is asked --------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> "Scenario":
        if self._scenario is None:
            from designer.simulation.scenario import Scenario

            self._scenario = Scenario(collective="all-reduce")
        return replace(self._scenario, memory_limit_bytes=self.memory_limit_bytes)

    @scenario.setter
    def scenario(self, scenario: "Scenario") -> None:
        if scenario != self._scenario:
            self._scenario = scenario
            self.scenario_changed.emit()
            self._outdate()

    @property
    def live(self) -> bool:
        return self._live

    @live.setter
    def live(self, live: bool) -> None:
        if live != self._live:
            self._live = live
            self.state_changed.emit()
            if live and self.state != "current" and self._document.design.links:
                self.run()

    @property
    def current_result(self) -> "Result | None":
        return self.result if self.state == "current" else None

    @property
    def healthy(self) -> "Result | None":
        """The latest result with nothing broken, where it is of this scenario on the fabric as it stands."""
        known = self._healthy
        return known[1] if known is not None and known[0] == self._asked()[:2] else None

    @property
    def is_brief(self) -> bool:
        """Whether a run is under way that has not taken long yet, and a result will take the place of the last."""
        return self.state == "running" and self._long.isActive() and self.result is not None

    # -- what happens ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Compute the scenario on the design as it stands; a computation under way is replaced."""
        self._request(at_once=False)

    def _request(self, *, at_once: bool) -> None:
        """Run soon; `at_once` without waiting for another edit, unless one came just now."""
        self._jobs.cancel(LANE)
        self._requested = self._asked()
        self.was_cut_off = False
        is_burst = self._timer.isActive() or (time.monotonic() - self._began_s) * 1e3 < DEBOUNCE_MS
        if at_once and not is_burst:
            self._start()  # the worker is at it while the views follow the edit
        else:
            self._timer.start()
        if self.state != "running":
            self._long.start()
        self._set("running", heat=None)

    def show(self, result: "Result", label: str) -> None:
        """Show a result that was worked out elsewhere on the design as it stands, until something changes."""
        from designer.drawing.heat import Heat

        self.stop()
        self.result, self.result_scenario, self.error, self.compare_runs = result, None, None, None
        congested = result.congested_links()
        self._keep(Heat(self._document.design.revision, result.link_utilization(), label, congested=congested))

    def find_healthy(self) -> None:
        """Compute the scenario with nothing broken beside the result that is there, where that is not known."""
        if self.healthy is not None:
            return
        asked, design, scenario, base = self._asked()[:2], self._document.snapshot(), self.scenario, self._known.base()

        def take(outcome: Outcome) -> None:
            if outcome.error is not None:
                self._document.message.emit(outcome.error)
            elif asked == self._asked()[:2]:
                self._healthy = asked, outcome.value
                self.state_changed.emit()

        self._jobs.run(HEALTHY_LANE, lambda progress: _healthy_result(design, scenario, base, progress), take)

    def cancel(self) -> None:
        """Stop computing; Live is switched off, or the next edit would start again."""
        self.stop()
        self._live = False
        if self.state != "running":
            self.state_changed.emit()
        elif not self._bring_back():
            self._set("stale" if self.result is not None else "idle", heat=None)

    def stop(self) -> None:
        self._timer.stop()
        self._jobs.cancel(LANE)

    def follow(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        self._known.follow(edit)
        if not is_simulated(edit):
            if self.heat is not None:
                self.heat = replace(self.heat, revision=self._document.design.revision)
            return
        self._outdate()

    def follow_failures(self) -> None:
        """Other things are marked as failed."""
        self._outdate()

    def forget(self) -> None:
        """Another design was opened."""
        self.stop()
        self.result, self.error = None, None
        self._kept = self._healthy = None
        self._known.forget()
        self.was_cut_off = False
        self._set("idle", heat=None)
        if self._live and self._document.design.links:
            self.run()

    def _outdate(self) -> None:
        if self._bring_back() or (self.state == "running" and self._requested == self._asked()):
            return
        if self._live and self._document.design.links:
            self._request(at_once=True)
        elif self.state in ("current", "running", "failed"):
            self.stop()
            self.was_cut_off = self.state == "running"
            self._set("stale" if self.result is not None else "idle", heat=None)

    def _asked(self) -> tuple[Any, ...]:
        return self._document.fabric_state, self.scenario, self._document.failed

    def _keep(self, heat: "Heat") -> None:
        self._kept = _Kept(self._asked(), heat, self.wall_s, self.compare_runs)
        self._set("current", heat=heat)

    def _bring_back(self) -> bool:
        """Make the latest result current again, where it is of just what stands there now."""
        kept = self._kept
        if kept is None or kept.asked != self._asked():
            return False
        self.stop()
        self.error, self.wall_s, self.compare_runs = None, kept.wall_s, kept.compare_runs
        self._set("current", heat=replace(kept.heat, revision=self._document.design.revision))
        return True

    def _start(self) -> None:
        self._began_s = time.monotonic()
        design, scenario, failed, base = (
            self._document.snapshot(),
            self.scenario,
            self._document.failed,
            self._known.base(),
        )
        before = self._before()
        self._jobs.run(LANE, lambda progress: _simulate(design, scenario, failed, base, before, progress), self._take)

    def _before(self) -> "Result | None":
        """The latest result, where it is of this scenario on another state of the fabric."""
        kept = self._kept
        if kept is None or kept.asked == self._asked() or kept.asked[1] != self.scenario:
            return None
        return self.result

    def _take(self, outcome: Outcome) -> None:
        self.wall_s = outcome.wall_s
        if outcome.error is not None:
            self.error = outcome.error
            self._set("failed", heat=None)
            return
        computed: _Computed = outcome.value
        self._known.keep(computed.healthy, computed.scenario.network)
        self.error = None
        if computed.compare_runs is not None or self._kept is None or self._kept.asked != self._asked():
            self.compare_runs = computed.compare_runs
        self.result, self.result_scenario = computed.result, computed.scenario
        if not self._document.failed:
            self._healthy = self._asked()[:2], computed.result
        self._keep(replace(computed.heat, revision=self._document.design.revision))

    def _set(self, state: State, *, heat: "Heat | None") -> None:
        self.state = state
        self.heat = heat
        if state != "running":
            self._long.stop()
        self.state_changed.emit()


def _healthy_result(design: "Design", scenario: "Scenario", base: "Base | None", progress: Progress) -> "Result":
    from designer.graph.edited import up_to_date
    from designer.simulation.engine import simulate

    return simulate(up_to_date(base, design, scenario.network), scenario, progress)


def _simulate(
    design: "Design",
    scenario: "Scenario",
    failed: frozenset[str],
    base: "Base | None",
    before: "Result | None",
    progress: Progress,
) -> _Computed:
    from designer.drawing.heat import Heat
    from designer.graph.edited import up_to_date
    from designer.simulation.engine import simulate
    from designer.simulation.explain.compare_runs import compare_runs
    from designer.simulation.failures.survivors import with_failures

    title, lost = scenario.summary, 0
    healthy = graph = up_to_date(base, design, scenario.network)
    if failed:
        graph, scenario, lost = with_failures(design, failed, scenario, healthy)
    result = simulate(graph, scenario, progress)
    if lost:
        result.model["ranks_lost"] = lost
    is_hatched = result.congestion is not None and result.congestion.pauses
    label = f"{title} · hatched: paused" if is_hatched else title
    # Peaks that are not known are not shown as if they were.
    measure = "peak" if result.are_peaks_known else "mean"
    heat = Heat(design.revision, result.link_utilization(), label, measure, congested=result.congested_links())
    heat.draw_up()
    return _Computed(result, heat, scenario, healthy, compare_runs(before, result) if before is not None else None)
