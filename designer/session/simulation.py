"""Runs the chosen scenario over the design in a worker; with `live` on, again after each edit."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from designer.drawing.heat import Heat
from designer.late import Late
from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.computation import Computation, State
from designer.session.document import Document
from designer.session.jobs import Jobs, Progress, Work
from designer.session.known_graph import KnownGraph
from designer.session.timers import later
from designer.simulation.scenario import MEMORY_LIMIT_BYTES, Scenario

if TYPE_CHECKING:
    from designer.graph.building.edited import Base
    from designer.session.engine import Run
    from designer.simulation.explain.compare_runs import RunComparison
    from designer.simulation.result import Result

engine = Late("designer.session.engine")

DEBOUNCE_MS = 8
"""A run waits so long for another edit; the first after a while starts at once."""
BRIEF_MS = 250
"""While a run takes no longer, what shows the last result is left as it is, rather than emptied for a blink."""
RERUN_S = 2.0
"""A run that took longer, loading and compiling not counted, is not repeated by itself after failures."""
FIRST_COLLECTIVE = "all-reduce"
LANE, HEALTHY_LANE = "simulation", "healthy"


Asked = tuple[int, Scenario, frozenset[str]]
"""What a run is of: the fabric, the scenario, and what is marked as failed."""


class SimulationJob(Computation[Asked, "Run"]):
    """The scenario, the latest run, and whether it is of the design as it stands.

    `heat` and `current_result` are None unless they belong to the design, scenario and failures as they are now;
    `result` keeps the last result so that a panel may show it marked as stale.
    """

    scenario_changed = Signal()
    shown_changed = Signal()
    """As `state_changed`, but not while `is_brief`."""

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, lambda: (document.fabric_state, self.scenario, document.failed))
        self._document = document
        self._scenario = Scenario(collective=FIRST_COLLECTIVE)
        self.collective = FIRST_COLLECTIVE
        """Of the latest scenario that has one."""
        self._live = False
        self.unfinished = ""
        """The name of a pattern that was chosen instead and cannot run before its parameter is there; or ""."""
        self.reruns_after_failures = False
        """Whether a run that took no longer than RERUN_S is repeated when something fails or is repaired."""
        self.memory_limit_bytes = MEMORY_LIMIT_BYTES
        self.heat: Heat | None = None
        self._healthy: Computation[tuple[int, Scenario], Result] = Computation(
            self, jobs, HEALTHY_LANE, lambda: (document.fabric_state, self.scenario)
        )
        self._healthy.state_changed.connect(self._after_healthy)
        self._known = KnownGraph()
        self._began_s = 0.0
        self._long = later(self, BRIEF_MS, self.state_changed.emit)
        self.state_changed.connect(lambda: None if self.is_brief else self.shown_changed.emit())

    # -- what is asked --------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        """What the next run simulates."""
        return replace(self._scenario, memory_limit_bytes=self.memory_limit_bytes)

    @scenario.setter
    def scenario(self, scenario: Scenario) -> None:
        if scenario != self._scenario:
            self._scenario = scenario
            self.collective = scenario.collective or self.collective
            self.scenario_changed.emit()
            self.follow()

    @property
    def live(self) -> bool:
        """Whether it runs again after each edit."""
        return self._live

    @live.setter
    def live(self, live: bool) -> None:
        if live != self._live:
            self._live = live
            self.state_changed.emit()
            if live and self.state != "current" and self._document.design.links:
                self.run()

    @property
    def result(self) -> "Result | None":
        """The latest, whatever it is of."""
        return self.value.result if self.value is not None else None

    @property
    def current_result(self) -> "Result | None":
        """The same where it is of what stands there now."""
        return self.result if self.state == "current" else None

    @property
    def result_scenario(self) -> Scenario | None:
        """What the result is of; None where it was calculated elsewhere."""
        return self.value.scenario if self.value is not None else None

    @property
    def compare_runs(self) -> "RunComparison | None":
        """What the latest result changed against the one before it of the same scenario."""
        return self.value.comparison if self.value is not None else None

    @property
    def healthy(self) -> "Result | None":
        """The latest result with nothing broken, where it is of this scenario on the fabric as it stands."""
        return self._healthy.value if self._healthy.is_current else None

    def base(self) -> "Base | None":
        """What a worker may start from to have the graph of the design as it stands."""
        return self._known.base()

    @property
    def differs_in_failures(self) -> bool:
        """Whether the latest result is of what stands there now but for what is marked as failed."""
        of, now = self._of, self._key()
        return self.result_scenario is not None and of is not None and of[:2] == now[:2] and of[2] != now[2]

    @property
    def outdated_heat(self) -> Heat | None:
        """The loads before something failed or was repaired, while there are none of what stands there now."""
        if self.value is None or self.state not in ("stale", "running") or not self.differs_in_failures:
            return None
        return replace(self.value.heat, revision=self._document.design.revision)

    @property
    def is_brief(self) -> bool:
        """Whether a run is under way that has not taken long yet, and a result will take the place of the last."""
        return self.state == "running" and self._long.isActive() and self.result is not None

    # -- what happens ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Compute the scenario on the design as it stands; a computation under way is replaced."""
        self._request(at_once=False)

    def show(self, result: "Result", label: str) -> None:
        """Show a result that was calculated elsewhere on the design as it stands, until something changes."""
        heat = engine.heat_of_run(self._document.design.revision, result, label)
        self.put(engine.Run(result, heat, None, None, None))
        self._set("current")

    @property
    def asked(self) -> Asked:
        """What a run now would be of."""
        return self._key()

    def show_again(self, run: "Run") -> None:
        """Show a run that was computed of just what stands there now."""
        self.put(run)
        self._set("current")

    def find_healthy(self) -> None:
        """Compute the scenario with nothing broken, next to the result that is there, where that is not known."""
        if self.healthy is None:
            design, scenario, base = self._document.snapshot(), self.scenario, self.base()
            self._healthy.ask(lambda: lambda progress: engine.run_healthy(design, scenario, base, progress))

    def cancel(self) -> None:
        """Stop computing; Live is switched off, or the next edit would start again."""
        self._live = False
        if self.state == "running":
            super().cancel()
        else:
            self.state_changed.emit()

    def follow_edit(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        self._known.follow(edit)
        if is_simulated(edit):
            self.follow()
        elif self.heat is not None:
            self.heat = replace(self.heat, revision=self._document.design.revision)

    def follow_failures(self) -> None:
        """Other things are marked as failed: run again where that is quick, or with Live on."""
        is_quick = self.own_s <= RERUN_S and self.differs_in_failures
        if self.reruns_after_failures and is_quick and not self.is_of_now:
            self._request(at_once=True)
        else:
            self.follow()

    def follow(self) -> None:
        """The fabric, the scenario or what is marked as failed may be another: run again with Live on."""
        is_due = self._live and bool(self._document.design.links) and not self.is_current
        if not is_due:
            super().follow()
        elif self.state != "running" or self._asked != self._key():
            self._request(at_once=True)

    def forget(self) -> None:
        """Another design was opened."""
        self._known.forget()
        self._healthy.forget()
        super().forget()
        if self._live and self._document.design.links:
            self.run()

    def _request(self, *, at_once: bool) -> None:
        """Run soon; `at_once` without waiting for another edit, unless one came just now."""
        is_burst = self.is_waiting or (time.monotonic() - self._began_s) * 1e3 < DEBOUNCE_MS
        if self.state != "running":
            self._long.start()
        self.ask(self._begin, 0 if at_once and not is_burst else DEBOUNCE_MS)

    def _begin(self) -> Work:
        self._began_s = time.monotonic()
        design, failed, scenario = self._document.snapshot(), self._document.failed, self.scenario
        base, before, comparison = self.base(), self._before(), None
        had_failed = self._of[2] if self.differs_in_failures and self._of is not None else None
        if self.value is not None and self._of == self._key():
            comparison = self.value.comparison

        def work(progress: Progress) -> "Run":
            run: Run = engine.run_scenario(design, scenario, failed, base, before, progress, had_failed)
            return run if comparison is None else run._replace(comparison=comparison)

        return work

    def _before(self) -> "Result | None":
        """The latest result, where it is of this scenario on another state of the fabric."""
        of, key = self._of, self._key()
        return self.result if of is not None and of != key and of[1] == key[1] else None

    def _keep(self, value: "Run") -> None:
        super()._keep(value)
        if value.healthy is not None and value.scenario is not None:
            self._known.keep(value.healthy, value.scenario.network)
            if self._of is not None and not self._of[2]:
                self._healthy.put(value.result)

    def _after_healthy(self) -> None:
        if self._healthy.state == "failed":
            self._document.message.emit(self._healthy.error or "")
        elif self._healthy.is_current:
            self.state_changed.emit()

    def _set(self, state: State) -> None:
        run = self.value if state == "current" else None
        self.heat = replace(run.heat, revision=self._document.design.revision) if run is not None else None
        if state != "running":
            self._long.stop()
        super()._set(state)
