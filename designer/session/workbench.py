"""What is calculated about the open document: its findings, its simulation, and the studies that build on them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from designer.catalog.catalog import Catalog
from designer.model.edit import Edit
from designer.session.advice import AdviceJob
from designer.session.bookmarked_runs import BookmarkedRuns
from designer.session.comparison import ComparisonJob
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.failures import SweepJob
from designer.session.flows_on_link import FlowsOnLinkJob
from designer.session.heat_view import HeatView
from designer.session.jobs import Jobs
from designer.session.paths import PathsJob
from designer.session.pins import PinnedRuns
from designer.session.placed_jobs import PlacedJobs
from designer.session.shapes import ShapesJob
from designer.session.simulation import SimulationJob
from designer.session.studies import CurveJob
from designer.session.tiers import TierJob
from designer.session.validation import ValidationJob

PACKING = "pack"


class Workbench(QObject):
    """Computes about a document in workers. Findings wait for the heat of an edit, where that is under way."""

    def __init__(self, document: Document, jobs: Jobs, catalog: Callable[[], Catalog]) -> None:
        super().__init__(document)
        self.simulation = SimulationJob(document, jobs)
        self.validation = ValidationJob(document, jobs)
        document.settled.connect(self._follow)
        document.reset.connect(self._start_over)
        self.heat_view = HeatView(document, self.simulation)  # hears of a result before any panel
        self.simulation.state_changed.connect(self._after_heat)
        self.pins = PinnedRuns(document, self.simulation, self.heat_view, jobs)
        self.bookmarked = BookmarkedRuns(document, self.simulation, self.heat_view)
        self.curves = CurveJob(document, jobs)
        self.flows_on_link = FlowsOnLinkJob(document, self.simulation, jobs)
        self.paths = PathsJob(document, self.simulation, jobs)
        self.placed_jobs = PlacedJobs(document, self.simulation, self.heat_view, jobs)
        self.failures = SweepJob(document, self.simulation, jobs)
        self.advice = AdviceJob(document, self.simulation, self.heat_view, jobs, catalog)
        self.tiers = TierJob(document, self.simulation, jobs)
        self.shapes = ShapesJob(document, jobs)
        self.comparison = ComparisonJob(document, jobs)
        self.packing: Computation[int, Any] = Computation(document, jobs, PACKING, lambda: document.design.revision)
        """The pack of the hand-over that was made last, by whoever asks for one."""
        document.failed_changed.connect(self.simulation.follow_failures)
        if document.design.revision or len(document.design.devices):
            self._check()

    def _follow(self, edit: Edit) -> None:
        self.simulation.follow_edit(edit)
        self._check(edit)

    def _start_over(self) -> None:
        """Another design was opened."""
        self.simulation.forget()
        self.validation.forget()
        self.packing.forget()
        self._check()

    def rerun_after_failures(self, wanted: bool) -> None:
        """Repeat quick runs when something fails or is repaired from now on, or no more."""
        self.simulation.reruns_after_failures = wanted

    def stop(self) -> None:
        """Compute nothing more."""
        self.validation.stop()
        self.simulation.stop()
        self.packing.stop()
        self.shapes.stop()

    def _check(self, edit: Edit | None = None) -> None:
        self.validation.schedule(behind_heat=self.simulation.state == "running", edit=edit)

    def _after_heat(self) -> None:
        if self.simulation.state != "running":
            self.validation.heat_is_there()
