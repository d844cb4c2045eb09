"""A search for the best fabric, in a worker: what has been found so far, and the whole once it is done.

What is found is kept in the user's folder, so that a search that was cancelled, or whose window was closed, goes on
where it was when it is begun again.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.exploring.candidates import counted
from designer.exploring.evaluation import design_of
from designer.exploring.request import Candidate, Exploration
from designer.exploring.results import Found, Outcome
from designer.exploring.search import explore
from designer.model.design import Design
from designer.paths import user_state_dir
from designer.session.jobs import Jobs
from designer.session.jobs import Outcome as Done
from designer.session.jobs import Progress as Report
from designer.storage import document
from designer.workers.progress import Progress
from designer.workers.store import Store
from designer.workers.where import Where

LANE, DESIGN_LANE = "explore", "explore-design"
KEPT = "searches.sqlite"


def kept_results() -> Path:
    """The file that results are kept in."""
    return user_state_dir() / KEPT


class SearchJob(QObject):
    """`found` is the search that was done, `outcomes` all that is known of one that runs or was cancelled."""

    changed = Signal()
    progressed = Signal()

    def __init__(self, owner: QObject, jobs: Jobs) -> None:
        super().__init__(owner)
        self._jobs = jobs
        self.running = False
        self.found: Found | None = None
        self.error = ""
        self.outdated = ""
        """Why results of earlier searches are not taken, as a sentence; "" where they are."""
        self.progress: Progress | None = None
        self._heard: list[Outcome] = []
        self.search: Exploration | None = None
        """The search that runs, or ran last."""
        jobs.lane(LANE).progressed.connect(lambda _share: self.progressed.emit())

    @property
    def outcomes(self) -> Sequence[Outcome]:
        """Every candidate of the whole search, else those that are known so far."""
        return self.found.outcomes if self.found is not None else tuple(self._heard)

    def run(self, search: Exploration, where: Where) -> None:
        """Search in a worker, in place of what it is at."""
        self.search = search
        self.found, self.error, self.outdated, self.progress, self.running = None, "", "", None, True
        heard: list[Outcome] = []
        self._heard = heard

        def work(report: Report) -> Found:
            def hear(progress: Progress, new: Sequence[Outcome]) -> None:
                heard.extend(new)
                self.progress = progress
                report(progress.share)

            path = kept_results()
            path.parent.mkdir(parents=True, exist_ok=True)
            with Store(path) as store:
                self.outdated = store.outdated
                return explore(search, where, store, hear)

        self._jobs.run(LANE, work, self._take)
        self.changed.emit()

    def cancel(self) -> None:
        """Stop: what is known so far stays, and the next search of the same goes on from there."""
        if self.running:
            self._jobs.cancel(LANE)
            self.running = False
            self.changed.emit()

    def design(
        self, candidates: Sequence[Candidate], catalog: Catalog, then: Callable[[Sequence[Design], str], None]
    ) -> None:
        """Make the designs of candidates of the search that ran in a worker; `then` gets them, or none and why."""
        search = self.search
        if search is None:
            return

        def work(report: Report) -> Sequence[Design]:
            made = []
            for number, one in enumerate(candidates):
                report(number / len(candidates))
                made.append(design_of(counted(one, catalog), search, catalog))
            return made

        self._jobs.run(DESIGN_LANE, work, lambda done: then(done.value or (), done.error or ""))

    def _take(self, done: Done) -> None:
        self.running = False
        self.error = done.error or ""
        if done.value is not None:
            self.found = done.value
        self.changed.emit()


def write_design(design: Design, path: Path) -> None:
    """Write a design for a comparison. Raises DesignerError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        document.save(design, path)
    except OSError as error:
        raise DesignerError(f"{path} cannot be written: {error.strerror}") from error
