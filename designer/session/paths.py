"""Finds the paths between two places in a worker, again after each edit, failure and run; one of them may be chosen."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs, Progress
from designer.session.simulation import SimulationJob
from designer.simulation.paths.place import Place
from designer.simulation.paths.rows import PathsBetween

Places = tuple[Place, Place]

engine = Late("designer.session.engine")

LANE = "paths"
SOON_MS = 30


class PathsJob(QObject):
    """`found` are the paths between `asked`, those before while others are looked for; None without any.

    `chosen` are the links of the hop or path that is brought out most.
    """

    changed = Signal()
    chosen_changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._simulation = document, simulation
        self.asked: Places | None = None
        self.chosen: frozenset[str] = frozenset()
        self._paths: Computation[object, PathsBetween] = Computation(self, jobs, LANE, self._of)
        self._paths.state_changed.connect(self.changed)
        document.settled.connect(self._follow)
        document.failed_changed.connect(self._follow)
        document.reset.connect(self.end)
        simulation.scenario_changed.connect(self._follow)
        simulation.state_changed.connect(self._follow)

    def _of(self) -> object:
        document, simulation = self._document, self._simulation
        return self.asked, document.fabric_state, document.failed, simulation.scenario, simulation.current_result

    @property
    def found(self) -> PathsBetween | None:
        """The paths; those of the design before the last edit while it is followed."""
        return self._paths.value if self.asked is not None and self._paths.error is None else None

    @property
    def error(self) -> str | None:
        """Why there are none, in a sentence."""
        return self._paths.error

    @property
    def running(self) -> bool:
        """Whether paths are looked for."""
        return self._paths.state == "running"

    def show(self, places: Places) -> None:
        """Look for the paths from the first place to the second, and keep them up with the design."""
        if places != self.asked:
            self.asked, self.chosen = places, frozenset()
            self._paths.forget()
            self._look(0)

    def choose(self, links: frozenset[str]) -> None:
        """Bring out these links among those of the paths."""
        if links != self.chosen:
            self.chosen = links
            self.chosen_changed.emit()

    def end(self) -> None:
        """Show no paths any more."""
        if self.asked is not None:
            self.asked, self.chosen = None, frozenset()
            self._paths.forget()

    def _follow(self) -> None:
        if self.asked is None:
            return
        if any(place.device_id not in self._document.design.devices for place in self.asked):
            self.end()
        elif self._simulation.state != "running" and not self._paths.is_of_now:
            self._look(SOON_MS)

    def _look(self, delay_ms: int) -> None:
        def prepare() -> Callable[[Progress], PathsBetween]:
            places = self.asked
            design, failed, simulation = self._document.snapshot(), self._document.failed, self._simulation
            scenario, base, run = simulation.scenario, simulation.base(), None
            if simulation.current_result is not None and simulation.result_scenario is not None:
                run = simulation.value
            return lambda progress: engine.paths(design, scenario, failed, base, run, places, progress)

        self._paths.ask(prepare, delay_ms)
