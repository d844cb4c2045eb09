"""Finds the flows over a link of the current result in a worker; of questions asked in turn the last one counts."""

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from designer.session.document import Document
from designer.session.jobs import Jobs, Outcome, Progress
from designer.session.simulation import SimulationJob

if TYPE_CHECKING:
    from designer.simulation.explain.flows_on_link import FlowsOnLink
    from designer.simulation.result import Result
    from designer.simulation.scenario import Scenario

LANE, PATH_LANE = "through", "flow path"
TOP = 200


class Asked(NamedTuple):
    """A link, and whether its flows from end b to end a are meant."""

    link_id: str
    back: bool


class FlowEnds(NamedTuple):
    """A flow, or all flows from one server to another: ids of the two, and the two ranks or None."""

    source_id: str
    target_id: str
    ranks: tuple[int, int] | None


class FlowsOnLinkJob(QObject):
    """`found` belongs to `asked` and to the current result; None while computing or where there is an `error`.

    `path` are the links of the flow that is `lit`, for the canvas; empty without one.
    """

    changed = Signal()
    path_changed = Signal()

    def __init__(self, document: Document, simulation: SimulationJob, jobs: Jobs) -> None:
        super().__init__(document)
        self._document, self._simulation = document, simulation
        self._jobs = jobs
        self._result: Result | None = None
        self.asked: Asked | None = None
        self.found: FlowsOnLink | None = None
        self.error: str | None = None
        self.lit: FlowEnds | None = None
        self.path: frozenset[str] = frozenset()
        document.selection_changed.connect(self._follow_selection)
        simulation.state_changed.connect(self._follow)

    @property
    def running(self) -> bool:
        return self._jobs.busy(LANE)

    def ask(self, asked: Asked) -> None:
        """Look for the flows over a link; what is known already is not computed again."""
        result = self._simulation.current_result
        if result is None or (asked == self.asked and result is self._result):
            return
        self.light(None)
        self.asked, self._result, self.found, self.error = asked, result, None, None
        scenario = self._simulation.result_scenario
        if scenario is None:
            self.error = "Flows over a link can be listed only for a run of the Simulation panel."
            self.changed.emit()
            return
        self._jobs.run(LANE, lambda progress: _flows_on_link(result, scenario, asked, progress), self._take)
        self.changed.emit()

    def light(self, ends: FlowEnds | None) -> None:
        """Find the links that these flows over the link take; None puts them out."""
        if ends == self.lit:
            return
        self._jobs.cancel(PATH_LANE)
        self.lit, self.path = ends, frozenset()
        result, asked, scenario = self._result, self.asked, self._simulation.result_scenario
        if ends is not None and result is not None and asked is not None and scenario is not None:
            self._jobs.run(PATH_LANE, lambda _progress: _path(result, scenario, asked, ends), self._take_path)
        self.path_changed.emit()

    def _take_path(self, outcome: Outcome) -> None:
        self.path = outcome.value or frozenset()
        self.path_changed.emit()

    def _follow_selection(self) -> None:
        if self.asked is not None and self._document.selection != frozenset((self.asked.link_id,)):
            self.light(None)

    def _follow(self) -> None:
        if self._simulation.current_result is not self._result:
            self.light(None)
            self._jobs.cancel(LANE)
            self._result, self.asked, self.found, self.error = None, None, None, None
            self.changed.emit()

    def _take(self, outcome: Outcome) -> None:
        self.found, self.error = outcome.value, outcome.error
        self.changed.emit()


def _flows_on_link(result: "Result", scenario: "Scenario", asked: Asked, progress: Progress) -> "FlowsOnLink | None":
    from designer.simulation.explain.flows_on_link import arc_of, flows_on_link

    arc = arc_of(result.graph, asked.link_id, back=asked.back)
    return None if arc is None else flows_on_link(result, scenario, arc, TOP, progress)


def _path(result: "Result", scenario: "Scenario", asked: Asked, ends: FlowEnds) -> frozenset[str]:
    from designer.simulation.explain.flow_path import links_of_flow
    from designer.simulation.explain.flows_on_link import arc_of

    arc = arc_of(result.graph, asked.link_id, back=asked.back)
    if arc is None:
        return frozenset()
    return links_of_flow(result, scenario, arc, ends.source_id, ends.target_id, ends.ranks)
