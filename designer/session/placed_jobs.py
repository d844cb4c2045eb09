"""The design's jobs, run together in a worker, each compared with itself alone."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from designer.analysis.tiers import server_word
from designer.drawing.heat import Heat
from designer.errors import DesignerError
from designer.late import Late
from designer.model import operations
from designer.model.edit import Edit
from designer.model.entities import Device, PlacedJob
from designer.model.placed_jobs import servers_by_colour, servers_of, whole
from designer.model.records import ordered
from designer.session.computation import StudyJob
from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs
from designer.session.simulation import SimulationJob
from designer.simulation.jobs.design_jobs import SENT, jobs_of, scenario_of, sent, with_jobs
from designer.simulation.jobs.job import COMMON, check_jobs
from designer.simulation.jobs.job_text import fields_in, job_from, jobs_document
from designer.units import format_counted

if TYPE_CHECKING:
    from designer.session.engine import JobsRun
    from designer.simulation.jobs.job_result import JobsResult

engine = Late("designer.session.engine")

LANE = "placed-jobs"
SHOWN_MOST = 3


class PlacedJobs(StudyJob[tuple[object, ...], "JobsRun"]):
    """The jobs of the design, whether the canvas marks their servers, and the latest result of running them together.

    What belongs to the fabric (routing, efficiency, ...) is the simulation panel's at each run. Whatever changes a job
    is an edit of the design; of those only a color leaves the result as it is.
    """

    changed = Signal()
    """Jobs came, went or were changed, or their marks were switched."""

    def __init__(self, document: Document, simulation: SimulationJob, heat_view: HeatView, jobs: Jobs) -> None:
        super().__init__(document, jobs, LANE, self._run_of)
        self._simulation, self._heat_view = simulation, heat_view
        self._marked = True
        self._hidden: Heat | None = None
        """What the links showed until the result went out of date."""
        self._on: tuple[int, dict[str, frozenset[str]]] = (-1, {})
        self._marks: tuple[tuple[int, bool], dict[str, tuple[str, ...]]] = ((-1, True), {})
        document.failed_changed.connect(self.follow)
        simulation.scenario_changed.connect(self.follow)
        simulation.state_changed.connect(self._follow_simulation)

    # -- the jobs -------------------------------------------------------------------------------------------------

    @property
    def jobs(self) -> tuple[PlacedJob, ...]:
        """Those of the design, in the order in which they were made."""
        return tuple(ordered(self._document.design.jobs))

    def add(self, servers: Iterable[str]) -> PlacedJob | None:
        """A job on these servers that sends what the simulation panel shows; None where it is refused, with a message.

        All GPUs of the servers take part, in the order of the design.
        """
        design = self._document.design
        values = {**sent(self._simulation.scenario), "servers": whole(servers)}
        if not self._document.attempt(lambda: operations.add_job(design, **values)):
            return None
        return self.jobs[-1]

    def change(self, job: PlacedJob, **values: Any) -> str | None:
        """Make a job have these values; the sentence of its refusal, or None."""
        try:
            if not values.keys().isdisjoint(SENT):
                scenario_of(replace(job, **values))
            self._document.push(operations.change_job(self._document.design, job.id, **values))
        except DesignerError as error:
            return str(error).removeprefix(f"job {job.name}: ").removeprefix(f"{job.name}: ")
        return None

    def remove(self, job: PlacedJob) -> None:
        """Delete a job from the design, a step to undo."""
        self._document.attempt(lambda: operations.delete(self._document.design, [job.id]))

    def servers_of(self, job: PlacedJob) -> tuple[str, ...]:
        """The servers that a job runs on, each once."""
        return servers_of(self._document.design, job)

    def gpus_of(self, job: PlacedJob) -> int:
        """How many GPUs it runs on, those on broken servers left out."""
        design, failed = self._document.design, self._document.failed
        placed = [one for one in job.servers or whole(self.servers_of(job)) if one.device_id not in failed]
        return sum(len(one.gpus) or getattr(design.device_type(one.device_id), "gpus", 0) for one in placed)

    @property
    def marked(self) -> bool:
        """Whether the canvas marks which servers belong to which job."""
        return self._marked

    @marked.setter
    def marked(self, marked: bool) -> None:
        if marked != self._marked:
            self._marked = marked
            self.changed.emit()

    def file_text(self) -> str:
        """The jobs as a file for `simulate --jobs`, with their ranks as the fabric stands. Raises ParameterError."""
        return jobs_document(jobs_of(self._document.design, self._fabric(), self._document.failed))

    def take_file(self, path: Path) -> int:
        """Take the jobs of such a file into the design, in place of those of the same names; how many. DesignerError.

        Nothing is said for jobs there: each says what it sends and its size itself.
        """
        fabric = self._fabric() | {"congestion": "none"}
        jobs = [job_from(fields, number, fabric) for number, fields in enumerate(fields_in(path), start=1)]
        check_jobs(jobs)
        self._document.push(with_jobs(self._document.design, jobs, path.name))
        return len(jobs)

    def servers_by_colour(self) -> Mapping[str, tuple[str, ...]]:
        """For the canvas: the servers of jobs by their color; nothing while they are not to be marked."""
        key = self._document.design.revision, self._marked
        if self._marks[0] != key:
            self._marks = key, servers_by_colour(self._document.design) if self._marked else {}
        return self._marks[1]

    def names_on(self, device_id: str | None) -> list[str]:
        """The jobs that run on a server."""
        revision = self._document.design.revision
        if self._on[0] != revision:
            self._on = revision, {job.id: frozenset(self.servers_of(job)) for job in self.jobs}
        return [job.name for job in self.jobs if device_id in self._on[1][job.id]]

    # -- running them ---------------------------------------------------------------------------------------------

    @property
    def result(self) -> "JobsResult | None":
        """The latest, whatever it is of."""
        return self.value.result if self.value is not None else None

    def run(self) -> None:
        """Run the jobs together on the design as it stands, without what is marked as failed."""
        design, failed, fabric = self._document.snapshot(), self._document.failed, self._fabric()
        self.ask(lambda: lambda progress: engine.run_jobs(design, failed, fabric, progress))

    def _keep(self, value: "JobsRun") -> None:
        super()._keep(value)
        self._hidden = replace(value.heat, revision=self._document.design.revision)
        self._heat_view.show_jobs(self._hidden)

    def _fabric(self) -> dict[str, Any]:
        """The values that are the same for all jobs."""
        return {name: getattr(self._simulation.scenario, name) for name in COMMON}

    def _run_of(self) -> tuple[object, ...]:
        """What a run of the jobs now would be of."""
        jobs = tuple(replace(job, colour="") for job in self.jobs)
        fabric = tuple(self._fabric().values()) if jobs else ()
        return self._document.fabric_state, self._document.failed, jobs, fabric

    def follow_edit(self, edit: Edit) -> None:
        """The design changed by `edit`."""
        if PlacedJob in edit.kinds:
            self.changed.emit()
            self.follow()
            if not self._document.is_replaying:
                self._tell(edit)
        else:
            super().follow_edit(edit)

    def _tell(self, edit: Edit) -> None:
        """Say what became of jobs whose servers went."""
        if not any(isinstance(change.before, Device) and change.after is None for change in edit.changes):
            return
        reported, word = [], server_word(self._document.design)
        for change in edit.changes:
            if isinstance(change.before, PlacedJob):
                left = self.servers_of(change.after) if isinstance(change.after, PlacedJob) else ()
                are = "is" if len(left) == 1 else "are"
                count = f"{format_counted(len(left), word)} {are}" if left else f"no {word} is"
                reported.append(f"{count} left to {change.before.name}{'' if left else ', which was deleted'}")
        rest = f"; {len(reported) - SHOWN_MOST} more jobs lost {word}s" if len(reported) > SHOWN_MOST else ""
        self._document.message.emit("; ".join(reported[:SHOWN_MOST]) + rest)

    def follow(self) -> None:
        """Show the heat of the jobs as long as it is of what stands there now."""
        if self.state == "running" and self._asked == self._key():
            return
        if not self.is_current:
            if not self._heat_view.shows_jobs and self.state == "current":
                self._hidden = None
            self._heat_view.show_jobs(None)
        elif self.state != "current" and self._hidden is not None:
            self._heat_view.show_jobs(self._hidden)
        super().follow()

    def _follow_simulation(self) -> None:
        """A run of the simulation shows its own heat; an undo does not take that away."""
        if self._simulation.state == "running":
            self._hidden = None

    def forget(self) -> None:
        """Another design was opened."""
        self._hidden = None
        self._on, self._marks = (-1, {}), ((-1, True), {})  # revisions of one design say nothing of another
        self._heat_view.show_jobs(None)
        self.changed.emit()
        super().forget()
