"""The best mapping of a job: its servers and rank order searched by runs, a bound, and one edit that takes it."""

from typing import Any, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from designer.analysis.tiers import server_word
from designer.errors import DesignerError, ParameterError, sentence
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.model.entities import PlacedJob
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import ChoiceField, add_row, form
from designer.panels.widgets.labels import enlarged, label
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.simulation.jobs.job import COMMON
from designer.simulation.mapping.design_jobs import job_to_map, mapped
from designer.simulation.mapping.records import Mapping, Tried
from designer.simulation.mapping.request import MappingSearch
from designer.simulation.mapping.walks import Searched, search_design
from designer.tables.columns import pick
from designer.units import format_counted, format_time
from designer.windows.desk import Desk
from designer.windows.dialogs.worker_dialog import WorkerDialog, record_in
from designer.workers.where import Where

LANE = "mapping"
PROCESSORS = Where()
COLUMNS = pick(Tried.COLUMNS, "title servers blocks time_s busbw_gbytes_per_s over_bound")
FORM_PX = 300
NOT_YET = "Search runs the job on many mappings, each on the whole fabric, and lists the best of each kind."


class _Asked(NamedTuple):
    design: Design
    job: PlacedJob
    failed: frozenset[str]
    fabric: dict[str, Any]
    """Settings that all jobs share."""
    search: MappingSearch


class MappingDialog(WorkerDialog):
    """Stays open next to the window. `mapping` is the latest answer, until the design changes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Best Mapping of a Job", LANE, "Search")
        self._asked: _Asked | None = None
        self._answer: Searched | None = None
        self.job = ChoiceField("Job", lambda _id: self._forget())
        self.form = FieldForm()
        self.table = RowTable("Mappings", COLUMNS, stretch="title")
        self.table.current_changed.connect(self._offer)
        self.conclusion = label(NOT_YET, "muted", wrap=True)
        self.before = label("", "muted", wrap=True)
        self.take_button = QPushButton("Use This Mapping")
        self.heat_button = QPushButton("Show Heat")
        self.run_button.clicked.connect(self.search)
        self.take_button.clicked.connect(self.take)
        self.take_button.setToolTip("Give the job the servers and the rank order of the selected row")
        self.heat_button.clicked.connect(self.show_heat)
        self.heat_button.setToolTip("Color the canvas by the run of the best mapping")
        self._lay_out()
        self._follow_design(self._refresh)
        self.resize(1020, 460)
        self._refresh()

    @property
    def mapping(self) -> Mapping | None:
        """What was found last; None while it is searched, or where the design has changed since."""
        return self._answer.mapping if self._answer is not None else None

    def _lay_out(self) -> None:
        left, rows = QWidget(), form()
        left.setFixedWidth(enlarged(FORM_PX))
        add_row(rows, "Job", self.job)
        for field in fields_of(MappingSearch).values():
            self.form.add(field, rows)
        self.form.setLayout(rows)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        column.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(8)
        for widget in (self.table, self.conclusion, self.before, self.refusal):
            right.addWidget(widget, 1 if widget is self.table else 0)
        self._put_together(left, right, self.run_button, self.heat_button, self.take_button)
        self.setWindowFlag(Qt.WindowType.Dialog)

    # -- searching ----------------------------------------------------------------------------------------------------

    def choose(self, job_id: str) -> None:
        """Search for this job."""
        self._show_jobs(job_id)
        self._forget()

    def search(self) -> None:
        """Search in a worker, or stop searching."""
        self._begin_or_stop(self._ask, _searched, self._take_in)

    def _ask(self) -> _Asked:
        session = self._session
        search = record_in(self.form, MappingSearch)
        placed = session.design.jobs.get(self.job.value)
        if placed is None:
            raise ParameterError("add a job first, with Job from Selection")
        fabric = {name: getattr(session.workbench.simulation.scenario, name) for name in COMMON}
        self._asked = _Asked(session.snapshot(), placed, session.failed, fabric, search)
        return self._asked

    def _take_in(self, outcome: Outcome) -> None:
        if not self._has_come(outcome):
            return
        answer: Searched = outcome.value
        self._answer, mapping = answer, answer.mapping
        self.table.show_rows(mapping.tried)
        self.table.choose(mapping.tried.index(mapping.best))
        bound = f" Bound {format_time(mapping.bound_s)}." if mapping.bound_s else ""
        choice = format_counted(mapping.free_servers, server_word(self._session.design))
        self.conclusion.setText(
            f"{sentence(mapping.conclusion)}{bound} {format_counted(mapping.runs, 'run')}, {choice} to choose from; "
            "alone on the fabric, without what other jobs send."
        )
        before = [sentence(said) for said in mapping.earlier]
        if mapping.empty_s is not None:
            before.append(
                f"On an empty fabric {format_time(mapping.empty_s)}: {mapping.slowdown:.3g} times that after them."
            )
        self.before.setText(" ".join(before))
        self.before.setVisible(bool(before))
        self._offer()

    # -- showing ------------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """The design is another: its jobs are offered, and what was found holds no more."""
        self._show_jobs(self.job.value)
        self._stop()
        self._forget()

    def _show_jobs(self, chosen: str) -> None:
        jobs = self._session.workbench.placed_jobs.jobs
        ids = [job.id for job in jobs]
        if jobs:
            self.job.show_choices([(job.id, job.name) for job in jobs], chosen if chosen in ids else ids[0])
        else:
            self.job.show_choices([("", "none yet")], "")
        self.run_button.setEnabled(bool(jobs))

    def _forget(self) -> None:
        self._answer = None
        self.table.show_rows(())
        self.conclusion.setText(NOT_YET)
        for text in (self.before, self.refusal):
            text.hide()
        self.progress.hide()
        self._offer()

    def _offer(self) -> None:
        is_there = self._answer is not None
        self.take_button.setEnabled(is_there and self.table.current is not None)
        self.heat_button.setEnabled(is_there)

    # -- taking -------------------------------------------------------------------------------------------------------

    def take(self) -> None:
        """Give the job the selected mapping: one step to undo."""
        row, answer, asked = self.table.current, self._answer, self._asked
        if row is None or answer is None or asked is None:
            return
        try:
            edit = mapped(self._session.design, answer.graph, asked.job.name, answer.job.scenario, row.ranks)
            self._session.push(edit)
        except DesignerError as error:
            self._refuse(str(error))
            return
        self._desk.notice.say(
            f"{asked.job.name} runs on {format_counted(row.servers, server_word(self._session.design))}: {row.title}"
        )

    def show_heat(self) -> None:
        """Color the canvas by the run of the best mapping."""
        if self._answer is not None:
            answer = self._answer
            self._session.workbench.simulation.show(answer.result, f"{answer.job.name}, best mapping")
            self._desk.views.show_canvas()


def _searched(asked: _Asked, progress: Progress) -> Searched:
    settings = asked.fabric | {"failed": tuple(sorted(asked.failed))}
    job = job_to_map(asked.design, asked.job, settings, asked.search)
    return search_design(asked.design, job, asked.search, progress, PROCESSORS)
