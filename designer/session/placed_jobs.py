"""Jobs placed on servers of the design, run together in a worker, each compared with itself alone.

They belong to the session, not to the design's file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError, ParameterError
from designer.model.edit import Edit
from designer.session.commands import is_simulated
from designer.session.jobs import Jobs, Outcome, Progress

if TYPE_CHECKING:
    from designer.drawing.heat import Heat
    from designer.model.design import Design
    from designer.session.session import Session
    from designer.simulation.job_result import JobsResult
    from designer.simulation.jobs import Job
    from designer.simulation.scenario import Scenario

LANE = "placed-jobs"
MOST_JOBS = 24

State = Literal["idle", "running", "current", "stale", "failed"]


@dataclass(frozen=True, slots=True)
class PlacedJob:
    """A job on servers; what belongs to the fabric (routing, efficiency, ...) is the simulation panel's at each run.

    `colour` is a number of drawing.job_colours.
    """

    name: str
    servers: tuple[str, ...]
    scenario: "Scenario"
    colour: int
    start_s: float = 0.0
    loop: bool = True


class _Computed(NamedTuple):
    result: "JobsResult"
    heat: "Heat"


class PlacedJobs(QObject):
    """The jobs, whether the canvas marks their servers, and the latest result of running them together."""

    changed = Signal()
    """Jobs came, went or were changed, or their marks were switched."""
    state_changed = Signal()
    progressed = Signal(float)

    def __init__(self, session: "Session", jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._lanes = jobs
        self._marked = True
        self._fabric: tuple[Any, ...] = ()
        """What the last run took from the simulation panel."""
        self.jobs: tuple[PlacedJob, ...] = ()
        self.state: State = "idle"
        self.result: JobsResult | None = None
        self.error: str | None = None
        self.was_cut_off = False
        """Whether a change ended the latest computation before it was done."""
        self._of: tuple[Any, ...] = ()
        """What the result belongs to: an undo that leads back there makes it current again."""
        session.changed.connect(self._follow)
        session.reset.connect(self._forget)
        session.simulation.failed_changed.connect(self._outdate)
        session.simulation.scenario_changed.connect(self._follow_scenario)
        jobs.lane(LANE).progressed.connect(self.progressed)

    # -- the jobs -------------------------------------------------------------------------------------------------

    def add(self, servers: Iterable[str]) -> PlacedJob | None:
        """A job on these servers that sends what the simulation panel shows; None where there are too many jobs."""
        if len(self.jobs) >= MOST_JOBS:
            self._session.message.emit(f"At most {MOST_JOBS} jobs run at once: remove one first")
            return None
        taken = {job.name for job in self.jobs}
        number = next(n for n in range(1, len(self.jobs) + 2) if f"job {n}" not in taken)
        colours = [job.colour for job in self.jobs]
        colour = min(range(MOST_JOBS), key=lambda c: (colours.count(c), c))
        scenario = replace(self._session.simulation.scenario, ranks=None)
        job = PlacedJob(f"job {number}", tuple(servers), scenario, colour)
        self._set_jobs((*self.jobs, job))
        return job

    def change(self, job: PlacedJob, **values: Any) -> str | None:
        """Make a job have these values; the sentence of its refusal, or None."""
        from designer.simulation.jobs import Job

        changed = replace(job, **values)
        try:
            Job(changed.name, changed.scenario, changed.start_s, changed.loop)
        except DesignerError as error:
            return str(error)
        if any(other is not job and other.name == changed.name for other in self.jobs):
            return f"another job is called {changed.name}"
        if changed != job:
            self._set_jobs(tuple(changed if one is job else one for one in self.jobs))
        return None

    def remove(self, job: PlacedJob) -> None:
        self._set_jobs(tuple(one for one in self.jobs if one is not job))

    def _set_jobs(self, jobs: tuple[PlacedJob, ...]) -> None:
        self.jobs = jobs
        self.changed.emit()
        self._outdate()

    @property
    def marked(self) -> bool:
        """Whether the canvas marks which servers belong to which job."""
        return self._marked

    @marked.setter
    def marked(self, marked: bool) -> None:
        if marked != self._marked:
            self._marked = marked
            self.changed.emit()

    def servers_by_colour(self) -> Mapping[int, tuple[str, ...]]:
        """For the canvas: the servers of each job by its colour; nothing while they are not to be marked."""
        return {job.colour: job.servers for job in self.jobs} if self._marked else {}

    def names_on(self, device_id: str | None) -> list[str]:
        """The jobs that run on a server."""
        return [job.name for job in self.jobs if device_id in job.servers]

    # -- running them ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the jobs together on the design as it stands, without what is taken as broken."""
        design, failed = self._session.snapshot(), self._session.simulation.failed
        jobs, fabric = self.jobs, self._session.simulation.scenario
        self._fabric = _fabric_of(fabric)
        self.was_cut_off = False
        self._set("running")
        self._lanes.run(LANE, lambda progress: _run(design, failed, jobs, fabric, progress), self._take)

    def cancel(self) -> None:
        self._lanes.cancel(LANE)
        if self.state == "running":
            self._set("stale" if self.result is not None else "idle")

    def _take(self, outcome: Outcome) -> None:
        self.error = outcome.error
        if outcome.error is None:
            computed: _Computed = outcome.value
            self.result, self._of = computed.result, self._asked()
            heat = replace(computed.heat, revision=self._session.design.revision)
            self._session.heat_view.show_jobs(heat)
        self._set("failed" if outcome.error is not None else "current")

    def _follow(self, edit: Edit) -> None:
        gone = {change.before.id for change in edit.changes if change.before is not None and change.after is None}
        if any(gone.intersection(job.servers) for job in self.jobs):
            self.changed.emit()
        if is_simulated(edit):
            self._outdate()

    def _follow_scenario(self) -> None:
        if self.state == "stale" or _fabric_of(self._session.simulation.scenario) != self._fabric:
            self._outdate()

    def _outdate(self) -> None:
        self._session.heat_view.show_jobs(None)
        if self.state == "idle":
            return
        self._lanes.cancel(LANE)
        is_current = self._of == self._asked()
        self.was_cut_off = not is_current and (self.was_cut_off or self.state == "running")
        self._set("idle" if self.result is None else "current" if is_current else "stale")

    def _asked(self) -> tuple[Any, ...]:
        simulation = self._session.simulation
        return self._session.fabric_state, simulation.failed, self.jobs, _fabric_of(simulation.scenario)

    def _forget(self) -> None:
        self._lanes.cancel(LANE)
        self.jobs, self.result, self.error = (), None, None
        self._session.heat_view.show_jobs(None)
        self.changed.emit()
        self.was_cut_off = False
        self._set("idle")

    def _set(self, state: State) -> None:
        self.state = state
        self.state_changed.emit()


def _fabric_of(scenario: "Scenario") -> tuple[Any, ...]:
    from designer.simulation.jobs import COMMON

    return tuple(getattr(scenario, name) for name in COMMON)


def _run(
    design: "Design", failed: frozenset[str], placed: tuple[PlacedJob, ...], fabric: "Scenario", progress: Progress
) -> _Computed:
    from designer.drawing.heat import Heat
    from designer.graph.arrays import build
    from designer.simulation.interference import simulate_jobs

    graph = build(design, failed=failed, network=fabric.network)
    result = simulate_jobs(graph, jobs_on(design, failed, placed, fabric), progress)
    names = ", ".join(job.name for job in placed)
    return _Computed(result, Heat(design.revision, result.link_utilization(), f"together: {names}"))


def jobs_on(
    design: "Design", failed: frozenset[str], placed: tuple[PlacedJob, ...], fabric: "Scenario"
) -> "list[Job]":
    """The jobs as the simulation takes them: ranks from servers, the fabric's own values from a scenario."""
    from designer.graph.endpoints import ranks_of_servers
    from designer.simulation.jobs import COMMON, Job

    common = {name: getattr(fabric, name) for name in COMMON}
    jobs = []
    for job in placed:
        ranks = ranks_of_servers(design, frozenset(job.servers), failed)
        if len(ranks) < 2:
            raise ParameterError(f"{job.name} has fewer than two GPUs: its servers are gone, failed, or too few")
        jobs.append(Job(job.name, replace(job.scenario, ranks=ranks, **common), job.start_s, job.loop))
    return jobs
