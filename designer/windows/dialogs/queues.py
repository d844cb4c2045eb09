"""Queues of lossless Ethernet: the bottlenecks of the chosen traffic in a list, each with its course over time."""

from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from designer.errors import sentence
from designer.model.design import Design
from designer.model.shown_text import plain_text
from designer.panels.widgets.field_form import ParameterForm
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.fitting import FormColumn
from designer.panels.widgets.labels import enlarged, label
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.simulation.queues.analysis import queues_of_design
from designer.simulation.queues.crossings import infiniband_only
from designer.simulation.queues.records import Bottleneck, Queues
from designer.simulation.queues.request import QueueSettings
from designer.simulation.scenario import Scenario
from designer.tables.columns import exact_percent, pick
from designer.units import format_count, format_counted, format_time
from designer.windows.desk import Desk
from designer.windows.dialogs.queue_plots import PausePlot, QueuePlot, RatePlot
from designer.windows.dialogs.worker_dialog import WorkerDialog, record_in

LANE = "queues"
COLUMNS = pick(
    Bottleneck.COLUMNS,
    "link flows demand stable_queue_bytes peak_queue_bytes marked paused_s last_s tail",
)
FORM_PX, PLOT_PX = 270, 110
TABLE_ROWS = 5
NOT_YET = "Compute follows the chosen traffic at each link whose flows want more than it carries."
SPANS = (("", "whole run", None), ("1ms", "the first 1 ms", 1e-3), ("5ms", "the first 5 ms", 5e-3))
"""How much of the course the plots show."""


class _Asked(NamedTuple):
    design: Design
    scenario: Scenario
    settings: QueueSettings


class QueuesDialog(WorkerDialog):
    """Stays open next to the window. `found` is the latest answer, until design, traffic or settings change."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Queues", LANE, "Compute")
        self.found: Queues | None = None
        self.traffic = label("", wrap=True)
        self.form = ParameterForm(QueueSettings, desk.catalog)
        self.form.changed.connect(self._forget)
        self.table = RowTable("Bottlenecks", COLUMNS, stretch="link")
        self.table.current_changed.connect(self._show_course)
        self.table.setMinimumHeight(110)
        self.conclusion = label(NOT_YET, "muted", wrap=True)
        self.notes = label("", "muted", wrap=True)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.span = ChoiceField("Time shown", lambda _id: self._show_course())
        self.span.show_choices([(name, title) for name, title, _until_s in SPANS], "")
        self.queue, self.rates = QueuePlot(desk.appearance), RatePlot(desk.appearance)
        self.pauses = PausePlot(desk.appearance)
        self.run_button.setDefault(True)
        self.run_button.clicked.connect(self.compute)
        self._lay_out()
        self._follow_design(self._forget)
        self._session.workbench.simulation.scenario_changed.connect(self._forget)
        self.resize(1060, 660)
        self._forget()

    @property
    def row(self) -> Bottleneck | None:
        """The bottleneck whose course is shown."""
        found: Bottleneck | None = self.table.current
        return found

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 8, 0)
        column.addWidget(label("Traffic", "section"))
        column.addWidget(self.traffic)
        column.addWidget(self.form)
        column.addStretch(1)
        shown = QHBoxLayout()
        shown.addWidget(self.conclusion, 1)
        shown.addWidget(label("Show"))
        shown.addWidget(self.span)
        plots, small = QHBoxLayout(), QVBoxLayout()
        for plot in (self.rates, self.pauses):
            plot.setMinimumHeight(enlarged(PLOT_PX))
        plots.addWidget(self.queue, 3)
        small.addWidget(self.rates, 3)
        small.addWidget(self.pauses, 2)
        plots.addLayout(small, 2)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.table, 2)
        right.addLayout(shown)
        right.addLayout(plots, 5)
        right.addWidget(self.notes)
        right.addWidget(self.refusal)
        self._put_together(FormColumn(left, FORM_PX), right, self.run_button, between=12, above=10)

    # -- computing ----------------------------------------------------------------------------------------------------

    def compute(self) -> None:
        """Compute in a worker, or stop computing."""
        self._begin_or_stop(self._asked, _computed, self._take_in)

    def _asked(self) -> _Asked:
        settings = record_in(self.form, QueueSettings)
        now = self._session.workbench.simulation.scenario
        scenario = replace(now, failed=tuple(sorted(self._session.failed)))
        return _Asked(self._session.snapshot(), scenario, settings)

    def _take_in(self, outcome: Outcome) -> None:
        if not self._has_come(outcome):
            return
        found: Queues = outcome.value
        self.found = found
        self.table.show_rows(found.bottlenecks)
        listed = [sentence(note) for note in found.notes]
        self.notes.setText(" ".join(listed[2:]) if listed else "")
        self.notes.setToolTip(plain_text("\n".join(listed)))
        self.notes.setVisible(bool(listed[2:]))
        if not found.bottlenecks:
            self.conclusion.setText(
                "No bottleneck: no link of a switch has flows that want more than it carries. Choose traffic that "
                "meets, such as an incast, in the Simulation panel."
            )
            return
        self.table.choose(0)

    def _forget(self) -> None:
        """What was found holds no more."""
        self._stop()
        self.found = None
        self.traffic.setText(sentence(self._session.workbench.simulation.scenario.summary))
        self.table.show_rows(())
        self.notes.hide()
        self.refusal.hide()
        self._show_course()
        self._offer()

    def _offer(self) -> None:
        """Compute only where a link may have such queues; else say why none has, before anybody asks."""
        why = infiniband_only(self._session.design)
        self.run_button.setEnabled(not why)
        self.conclusion.setText(why or NOT_YET)

    # -- showing ------------------------------------------------------------------------------------------------------

    def _show_course(self) -> None:
        row = self.row if self.found is not None else None
        until_s = next(until_s for name, _title, until_s in SPANS if name == self.span.value)
        for plot in (self.queue, self.rates, self.pauses):
            plot.show_row(row, until_s)
        if row is None or self.found is None:
            return
        self.conclusion.setText(_conclusion(self.found, row))
        if row.link_id in self._session.design.links:
            self._session.select(frozenset({row.link_id}))


def _computed(asked: _Asked, progress: Progress) -> Queues:
    return queues_of_design(*asked, progress)


def _conclusion(found: Queues, row: Bottleneck) -> str:
    """What the course of a bottleneck comes to, in a sentence or two."""
    paused = f"{row.paused_ports} of {format_counted(row.ports, 'port')} paused, at most {format_time(row.paused_s)}"
    if row.last_s is None:
        tail = f"not all flows arrived within {format_time(row.looked_at_s)}"
    else:
        tail = f"the last flow ends after {format_time(row.last_s)}, ideal {format_time(row.ideal_last_s)}"
    rest = "swing" if row.phase_margin_deg < 0 else "settle"
    others = f" {format_count(found.n_bottlenecks)} bottlenecks." if found.n_bottlenecks > 1 else ""
    used = exact_percent(round(row.used, 3))
    return (
        f"{sentence(paused).removesuffix('.')}; {tail}; the link sends {used} of the time. "
        f"With flows that last, the queue would {rest} (phase margin {row.phase_margin_deg:.0f}°).{others}"
    )
