"""Runs that bookmarks keep: what of the run in sight is kept, and how it is shown again."""

from typing import Any

from PySide6.QtCore import QObject, Signal

from designer.errors import DesignerError
from designer.model.bookmark import Bookmark
from designer.session.document import Document
from designer.session.heat_view import HeatView
from designer.session.simulation import Asked, SimulationJob
from designer.simulation import scenario_text
from designer.units import format_counted, format_time

REMEMBERED = 4
"""Runs that are shown again without computing them; a talk has some steps, and a run of a large fabric is large."""


class BookmarkedRuns(QObject):
    """A run is the same one where fabric, scenario and what is marked as failed are; any other is computed again."""

    changed = Signal()
    """Another bookmark waits for its run, or none does any more."""
    finished = Signal(str)
    """Carries a sentence on what became of the run of a bookmark."""

    def __init__(self, document: Document, simulation: SimulationJob, heat_view: HeatView) -> None:
        super().__init__(document)
        self._document, self._simulation, self._heat_view = document, simulation, heat_view
        self._runs: dict[Asked, Any] = {}
        self._waiting: Bookmark | None = None
        self._asked: Asked | None = None
        simulation.state_changed.connect(self._follow)
        document.reset.connect(self._start_over)

    @property
    def waiting(self) -> str:
        """The id of the bookmark whose run is being computed; "" for none."""
        return self._waiting.id if self._waiting is not None else ""

    def kept(self) -> dict[str, Any]:
        """What a bookmark says of the run in sight; nothing where none is, or where it is not of what stands there."""
        scenario = self._simulation.result_scenario
        if not self._heat_view.of_current or self._heat_view.is_hidden or scenario is None:
            return {}
        run = scenario_text.written(scenario)
        if not run:
            return {}
        self._remember()
        return {"run": run, "failed": tuple(sorted(self._document.failed))}

    def show(self, one: Bookmark) -> str:
        """Show the run of a bookmark again, or begin to compute it; a sentence on what happens, "" where nothing."""
        if not one.run:
            return ""
        try:
            scenario = scenario_text.read(one.run)
        except DesignerError as error:
            return f"The run of {one.name} cannot be shown: {error}"
        design, simulation = self._document.design, self._simulation
        failed = frozenset(one_id for one_id in one.failed if one_id in design.devices or one_id in design.links)
        self._remember()
        self._document.mark_as_failed(failed, f"Go to {one.name}", is_look=True)
        simulation.scenario = scenario
        self._heat_view.show_measure(self._heat_view.measure)
        asked = simulation.asked
        lost = len(one.failed) - len(failed)
        left = f"; {format_counted(lost, 'thing')} that had failed then, no longer in the design" if lost else ""
        if simulation.current_result is not None:
            return f"{one.name}: {self._said()}{left}"
        run = self._runs.get(asked)
        if run is not None:
            simulation.show_again(run)
            return f"{one.name}: {self._said()}{left}"
        self._waiting, self._asked = one, asked
        simulation.run()
        self.changed.emit()
        return f"{one.name}: computing {scenario.summary}…{left}"

    def _said(self) -> str:
        result, scenario = self._simulation.current_result, self._simulation.result_scenario
        if result is None or scenario is None:
            return "no result"
        return f"{scenario.summary}: {format_time(result.time_s)}"

    def _remember(self) -> None:
        """Keep the run in sight, and forget the one that was shown least lately where there are too many."""
        run, simulation = self._simulation.value, self._simulation
        if run is None or simulation.current_result is None or run.scenario is None:
            return
        self._runs.pop(simulation.asked, None)
        self._runs[simulation.asked] = run
        while len(self._runs) > REMEMBERED:
            del self._runs[next(iter(self._runs))]

    def _follow(self) -> None:
        one, simulation = self._waiting, self._simulation
        if one is None or simulation.state == "running":
            return
        self._waiting = None
        if simulation.asked == self._asked and simulation.state == "current":
            self._remember()
            self.finished.emit(f"{one.name}: {self._said()}")
        elif simulation.state == "failed":
            self.finished.emit(f"The run of {one.name} failed: {simulation.error}")
        self.changed.emit()

    def _start_over(self, *_: object) -> None:
        self._runs.clear()
        self._waiting = self._asked = None
