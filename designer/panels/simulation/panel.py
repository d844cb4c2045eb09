"""The simulation panel: choose a scenario, run it, read time, bandwidth, hot links and why."""

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from designer.model.shown_text import plain_text
from designer.panels.simulation.advice import Advice
from designer.panels.simulation.heat_choice import HeatChoice
from designer.panels.simulation.heat_legend import HeatLegend
from designer.panels.simulation.hot_links import HotLinks
from designer.panels.simulation.simulation_controls import SimulationControls
from designer.panels.simulation.simulation_summary import Assumptions, SimulationSummary
from designer.panels.simulation.victims import Victims
from designer.panels.studies.histogram import LoadHistogram
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import EmptyState, label, rule
from designer.panels.widgets.sections import Section
from designer.panels.widgets.wrapping import Wrapping
from designer.session.session import Session

STUDIES = (
    ("study.curve", "By size", "Bandwidth from 8 B to 8 GiB, as nccl-tests prints it"),
    ("study.timeline", "Phases", "The phases as a timeline; the playhead colors the links"),
    ("study.tiers", "By tier", "How full the links of each tier are"),
    ("study.runs", "Runs", "Pinned runs side by side"),
)
"""What leads from a result to its studies: the action, and what its button says."""


class SimulationPanel(QWidget):
    """Shows the session's simulation. `going` carries a link to go to; `run_wanted` asks for a run.

    `edit_made` carries the message about an edit of the design.
    """

    going = Signal(object)
    run_wanted = Signal()
    edit_made = Signal(str)
    saving = Signal(str, str, object)
    study_wanted = Signal(str)
    """Carries the id of the action that opens a study."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self.controls = SimulationControls(session, appearance)
        self.controls.run_wanted.connect(self.run_wanted)
        self.controls.tables_wanted.connect(lambda: self.study_wanted.emit("simulate.tables"))
        self.controls.constants_wanted.connect(lambda: self.study_wanted.emit("simulate.constants"))
        self.summary = SimulationSummary(session)
        self.summary.going.connect(self.going)
        self.summary.compare_wanted.connect(lambda: self.study_wanted.emit("failures.sweep"))
        self.advice = Advice(session)
        self.advice.made.connect(self.edit_made)
        self.legend = HeatLegend(session, appearance)
        self.heat_choice = HeatChoice(session)
        self.heat_choice.pin_wanted.connect(session.workbench.pins.pin)
        self.victims = Victims(session)
        self.victims.going.connect(self.going)
        self.hot_links = HotLinks(session, appearance)
        self.hot_links.going.connect(self.going)
        self.hot_links.why_wanted.connect(lambda: self.study_wanted.emit("simulate.why"))
        self.hot_links.saving.connect(self.saving)
        self.histogram = LoadHistogram(session, appearance)
        self.assumptions = Assumptions(session)
        self._empty = EmptyState(
            "No result yet.",
            "Run a collective over the fabric: links are colored by load, the hottest are listed with the reason. "
            "Live repeats the run after each edit.",
        )
        self._results = QWidget()
        results = QVBoxLayout(self._results)
        results.setContentsMargins(0, 0, 0, 0)
        results.setSpacing(8)
        results.addLayout(self._make_study_buttons())
        results.addWidget(self.summary)
        results.addWidget(self.advice)
        results.addWidget(self.legend)
        results.addWidget(self.victims)
        results.addWidget(label("Hot links", "section"))
        results.addWidget(self.hot_links)
        results.addWidget(Section("Link utilization", self.histogram, appearance, is_open=True))
        results.addWidget(Section("Assumptions", self.assumptions, appearance, is_open=False))
        results.addStretch(1)
        page = QWidget()
        page.setProperty("surface", "base")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.controls)
        column.addWidget(rule())
        column.addWidget(self.heat_choice)
        column.addWidget(self._empty)
        column.addWidget(self._results, 1)
        column.addStretch(1)  # below the first words, while there are no results to take the room
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        # Once it is laid out, where it was folded away.
        self.controls.refused.connect(
            lambda field: QTimer.singleShot(0, scroll, partial(scroll.ensureWidgetVisible, field))
        )
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        session.workbench.simulation.shown_changed.connect(self.refresh)
        session.workbench.heat_view.changed.connect(self._follow_heat)
        session.workbench.pins.changed.connect(self._follow_heat)
        self.refresh()

    def _make_study_buttons(self) -> Wrapping:
        row = Wrapping(6)
        self.study_buttons: dict[str, QPushButton] = {}
        for action_id, text, tip in STUDIES:
            button = self.study_buttons[action_id] = QPushButton(text)
            button.setToolTip(plain_text(tip))
            button.setProperty("kind", "small")
            button.clicked.connect(lambda _checked=False, action_id=action_id: self.study_wanted.emit(action_id))
            row.addWidget(button)
        return row

    def _follow_heat(self) -> None:
        """While a short run is under way, what is shown stays."""
        if not self._session.workbench.simulation.is_brief:
            self.refresh()

    def refresh(self) -> None:
        """Numbers are shown only with a result; a stale one is greyed and said to be stale."""
        simulation = self._session.workbench.simulation
        known = simulation.result is not None and simulation.state != "failed"
        self._empty.setVisible(not known)
        self._results.setVisible(known)
        self.legend.setVisible(simulation.state == "current")
        self.heat_choice.setVisible(
            known or bool(self._session.workbench.pins.runs) or self._session.workbench.heat_view.shows_jobs
        )
