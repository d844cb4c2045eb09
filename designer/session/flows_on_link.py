"""Finds the flows over a link of the current result in a worker; of questions asked in turn the last one counts."""

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from designer.late import Late
from designer.session.computation import Computation
from designer.session.document import Document
from designer.session.jobs import Jobs
from designer.session.simulation import SimulationJob

if TYPE_CHECKING:
    from designer.simulation.explain.flows_on_link import FlowsOnLink
    from designer.simulation.result import Result

engine = Late("designer.session.engine")

LANE, PATH_LANE = "through", "flow path"
NO_PATH: frozenset[str] = frozenset()
ELSEWHERE = "Flows over a link can be listed only for a run of the Simulation panel."


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
        self._result: Result | None = None
        self.asked: Asked | None = None
        self.lit: FlowEnds | None = None
        self._flows: Computation[Asked | None, FlowsOnLink] = Computation(self, jobs, LANE, lambda: self.asked)
        self._path: Computation[FlowEnds | None, frozenset[str]] = Computation(self, jobs, PATH_LANE, lambda: self.lit)
        self._flows.state_changed.connect(self.changed)
        self._path.state_changed.connect(self.path_changed)
        document.selection_changed.connect(self._follow_selection)
        simulation.state_changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """Whether flows are looked for."""
        return self._flows.state == "running"

    @property
    def found(self) -> "FlowsOnLink | None":
        """The flows over the link."""
        return self._flows.value if self._flows.is_current else None

    @property
    def error(self) -> str | None:
        """Why there are none."""
        is_elsewhere = self.asked is not None and self._simulation.result_scenario is None
        return ELSEWHERE if is_elsewhere else self._flows.error

    @property
    def path(self) -> frozenset[str]:
        """The links that the flows take."""
        return self._path.value or NO_PATH if self._path.is_current else NO_PATH

    def ask(self, asked: Asked) -> None:
        """Look for the flows over a link; what is known already is not computed again."""
        result, scenario = self._simulation.current_result, self._simulation.result_scenario
        if result is None or (asked == self.asked and result is self._result):
            return
        self.light(None)
        self.asked, self._result = asked, result
        self._flows.forget()
        if scenario is not None:
            self._flows.ask(lambda: lambda progress: engine.flows_on_link(result, scenario, asked, progress))

    def light(self, ends: FlowEnds | None) -> None:
        """Find the links that these flows over the link take; None puts them out."""
        if ends == self.lit:
            return
        self.lit = ends
        self._path.forget()
        result, asked, scenario = self._result, self.asked, self._simulation.result_scenario
        if ends is not None and result is not None and asked is not None and scenario is not None:
            self._path.ask(lambda: lambda _progress: engine.path(result, scenario, asked, ends))

    def _follow_selection(self) -> None:
        if self.asked is not None and self._document.selection != frozenset((self.asked.link_id,)):
            self.light(None)

    def _follow(self) -> None:
        if self._simulation.current_result is not self._result:
            self.light(None)
            self._result, self.asked = None, None
            self._flows.forget()
