"""Jobs together: jobs placed on servers, a row for each with its time alone and together with the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.errors import DesignerError, sentence
from designer.model.entities import PlacedJob
from designer.model.shown_text import plain_text
from designer.panels.studies.job_form import JobForm, swatch
from designer.panels.studies.study_parts import FoldingBar, RunColumn, copy, csv_writer, reported
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import EmptyState, label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.simulation.jobs.design_jobs import title_of
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable
from designer.units import format_bandwidth, format_size, format_time

if TYPE_CHECKING:
    from designer.simulation.jobs.job_result import JobOutcome

FORM_WIDTH = 256
LEAST_TABLE_PX = 90
SLOW = 1.005
OF_JOB, WORDS = ("name", "servers", "traffic", "size_bytes"), ("name", "traffic")
WORDS_MOST_PX = 160
SAME_GPUS = "JOB-002"
NOTES_MOST = 3
"""More are in the tooltip: the table needs the room."""


class JobsStudy(QWidget):
    """`saving` is as in the other studies; `add_wanted` asks for a job on the selection, `open_wanted` for a file."""

    saving = Signal(str, str, object)
    add_wanted = Signal()
    open_wanted = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._jobs = session.workbench.placed_jobs
        self._appearance = appearance
        self.form = JobForm(session)
        self._left = RunColumn(appearance, "Run together", FORM_WIDTH)
        self.run, self.state = self._left.run, self._left.state
        self._left.run_wanted.connect(self._jobs.run)
        self._left.cancel_wanted.connect(self._jobs.cancel)
        self.table = RowTable("Jobs", self._columns(), tip=_tip, look=self._look)
        self.table.current_changed.connect(self._follow_keys)
        self.table.chosen.connect(lambda _row: self._select_servers())
        self.table.verticalScrollBar().rangeChanged.connect(self._keep_in_sight)
        self.why = label("", "muted", wrap=True)
        self.same_gpus = label("", "warning", wrap=True)
        self.notes = label("", "muted", wrap=True)
        for text in (self.same_gpus, self.why, self.notes):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            text.setContentsMargins(10, 2, 10, 4)
        self.marks = QCheckBox("Mark servers")
        self.marks.setToolTip("Color the servers on the canvas by job")
        self.marks.toggled.connect(lambda on: setattr(self._jobs, "marked", on))
        self.buttons: dict[str, QPushButton] = {}
        self.files = QPushButton("Jobs file")
        menu = QMenu(self.files)
        # Children of the study, made here: what becomes of the menu does not reach them.
        self.open_file, self.save_file = QAction("Open…", self), QAction("Save…", self)
        self.open_file.triggered.connect(self.open_wanted)
        self.open_file.setToolTip("Add the jobs of a file to the design, replacing jobs of the same names")
        self.save_file.triggered.connect(self.save_jobs)
        self.save_file.setToolTip("Save the jobs with their ranks, to use on other designs with simulate --jobs")
        menu.addActions([self.open_file, self.save_file])
        menu.setToolTipsVisible(True)
        self.files.setMenu(menu)
        self.empty = EmptyState(
            "No jobs yet.",
            "Select servers, racks or groups on the canvas, then Add from selection; or open a jobs file. Jobs run at "
            "the same time and share links; each is compared with itself alone on the fabric. They are saved with the "
            "design.",
        )
        self._lay_out()
        self._jobs.changed.connect(self.refresh)
        session.workbench.validation.state_changed.connect(self._show_same_gpus)
        self._jobs.state_changed.connect(self.refresh)
        self._jobs.progressed.connect(self._left.progress.show_share)
        appearance.changed.connect(self.refresh)
        self._show_same_gpus()
        self.refresh()

    def _lay_out(self) -> None:
        self._left.options.addWidget(self.form)
        self._left.options.addStretch(1)
        halves = QHBoxLayout(), QHBoxLayout()
        rows: tuple[tuple[str, str, Callable[[], object]], ...] = (
            ("Add from selection", "A job on the servers selected on the canvas", self.add_wanted.emit),
            ("Remove", "Remove the selected job", self._remove),
            ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
            ("CSV…", "Save the table", self._save),
        )
        for name, tip, act in rows:
            button = self.buttons[name] = QPushButton(name)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(act)
            halves[name in ("Copy", "CSV…")].addWidget(button)
        halves[0].addSpacing(10)
        halves[0].addWidget(self.marks)
        halves[1].addWidget(self.files)
        right = QWidget()
        right.setProperty("surface", "base")
        right_column = QVBoxLayout(right)
        right_column.setContentsMargins(0, 0, 0, 0)
        right_column.setSpacing(0)
        right_column.addWidget(FoldingBar(*halves))
        # As with the options at the left: what is said below it takes its room from the table.
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.table.setMinimumHeight(LEAST_TABLE_PX)
        right_column.addWidget(self.table, 1)
        right_column.addWidget(self.empty, 1)
        right_column.addWidget(self.same_gpus)
        right_column.addWidget(self.why)
        right_column.addWidget(self.notes)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._left)
        across.addWidget(right, 1)

    # -- showing --------------------------------------------------------------------------------------------------

    @property
    def current(self) -> PlacedJob | None:
        """The job whose row is chosen."""
        row = self.table.current
        return self._session.design.jobs.get(row.job.id) if row is not None else None

    def choose(self, job_id: str) -> None:
        """Make the row of that job the chosen one."""
        for number, row in enumerate(self.table.rows):
            if row.job.id == job_id:
                self.table.choose(number)

    def refresh(self) -> None:
        """Show the design's jobs and what is known of them."""
        jobs = self._jobs.jobs
        number = self._row_to_choose([job.id for job in jobs])
        with QSignalBlocker(self.table):
            self.table.show_rows([_Row(job, self._outcome(job)) for job in jobs])
            self.table.shown.look_again()
            if jobs:
                self.table.choose(number)
        header = self.table.header()
        for column in map(self.table.column, WORDS):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            wanted = header.sectionSize(column)
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, min(wanted, WORDS_MOST_PX))
        self.table.setVisible(bool(jobs))
        self.empty.setVisible(not jobs)
        for name in ("Remove", "Copy", "CSV…"):
            self.buttons[name].setEnabled(bool(jobs))
        self.save_file.setEnabled(bool(jobs))
        with QSignalBlocker(self.marks):
            self.marks.setChecked(self._jobs.marked)
        self._show_current()
        self._refresh_state()

    def _row_to_choose(self, ids: list[str]) -> int:
        """That of the job that came, where one did; else that of the chosen job, or where it was."""
        shown = [row.job.id for row in self.table.rows]
        came = [row for row, one in enumerate(ids) if one not in shown]
        if shown and len(came) == 1:
            return came[0]
        current = self.table.current
        chosen = current.job.id if current is not None else ""
        place = shown.index(chosen) if chosen in shown else 0
        return ids.index(chosen) if chosen in ids else min(place, max(len(ids) - 1, 0))

    def _columns(self) -> Columns:
        return (
            Column("name", "Job", "job.name"),
            Column("servers", "Servers", lambda row: len(self._jobs.servers_of(row.job)), right=True),
            Column("traffic", "Traffic", lambda row: title_of(row.job)),
            Column("size_bytes", "Size", "job.size_bytes", format_size, "B", right=True),
            _known("alone_s", "Alone", format_time, "s", value=lambda outcome: outcome.alone.time_s),
            _known("time_s", "Together", format_time, "s"),
            _known("slowdown", "Slowdown", "{:.2f} ×".format, tip="Time with the other jobs divided by time alone"),
            _known("busbw_gbytes_per_s", "busbw", format_bandwidth, "GB/s"),
            replace(_known("meets", "Shares links with", lambda names: ", ".join(names) or "nobody"), right=False),
        )

    def _look(self, row: "_Row", column: Column, role: int) -> object:
        if role == Qt.ItemDataRole.DecorationRole and column.key == "name":
            return swatch(row.job.colour)
        if role != Qt.ItemDataRole.ForegroundRole or row.outcome is None or column.key in OF_JOB:
            return None
        if self._jobs.state != "current":
            return QColor(self._appearance.colour("muted"))
        is_slow = column.key == "slowdown" and row.outcome.slowdown > SLOW
        return QColor(self._appearance.colour("warning")) if is_slow else None

    def _outcome(self, job: PlacedJob) -> "JobOutcome | None":
        result = self._jobs.result
        found = [] if result is None else [one for one in result.jobs if one.job.name == job.name]
        return found[0] if found else None

    def _show_current(self) -> None:
        job = self.current
        self.form.show_job(job)
        outcome = self._outcome(job) if job is not None else None
        reasons = outcome.bottlenecks if outcome is not None and self._jobs.state == "current" else ()
        why = reasons[0].why.replace("->", "→").replace("b/s", "b/\u2060s") if reasons else ""  # rates are not broken
        by_flow = f". {sentence(outcome.by_flow)}" if outcome is not None and outcome.by_flow else ""
        self.why.setText(f"Bottleneck of {job.name}: {why}{by_flow}" if reasons and job is not None else "")
        self.why.setVisible(bool(reasons))

    def _refresh_state(self) -> None:
        state = self._jobs.state
        self._left.show_state(state == "running", reported(self._jobs, ""), error=state == "failed")
        self.run.setEnabled(state == "running" or bool(self._jobs.jobs))
        result = self._jobs.result if state == "current" else None
        note_of = result.model.notes[len(result.on_same_gpus) :] if result is not None else []
        notes = [sentence(str(note)) for note in note_of]
        more = [f"And {len(notes) - NOTES_MOST} more."] if len(notes) > NOTES_MOST else []
        self.notes.setText(" ".join(notes[:NOTES_MOST] + more))
        self.notes.setToolTip(plain_text("\n".join(notes) if more else ""))
        self.notes.setVisible(bool(notes))

    def _show_same_gpus(self) -> None:
        """Which jobs share GPUs, as the findings of the design as it stands have it."""
        if not self._session.workbench.validation.is_current:
            return  # the findings of now are on their way
        found = (
            self._session.workbench.validation.report.findings
            if self._session.workbench.validation.report is not None
            else ()
        )
        reported = [finding.message for finding in found if finding.code == SAME_GPUS]
        more = [f"and {len(reported) - NOTES_MOST} more"] if len(reported) > NOTES_MOST else []
        self.same_gpus.setText(sentence("; ".join(reported[:NOTES_MOST] + more)) if reported else "")
        self.same_gpus.setToolTip(plain_text("\n".join(reported) if more else ""))
        self.same_gpus.setVisible(bool(reported))

    # -- doing ----------------------------------------------------------------------------------------------------

    def _remove(self) -> None:
        job = self.current
        if job is not None:
            self._jobs.remove(job)

    def _keep_in_sight(self) -> None:
        """The chosen row, when rows come or the table gets another height."""
        if self.table.current is not None:
            self.table.scrollTo(self.table.currentIndex())

    def _follow_keys(self) -> None:
        self._show_current()
        if self.table.hasFocus():
            self._select_servers()

    def _select_servers(self) -> None:
        job = self.current
        if job is not None:
            self._session.select(self._jobs.servers_of(job))

    # -- handing over ---------------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """The rows with plain numbers."""
        return ResultTable(self._columns(), [_Row(job, self._outcome(job)) for job in self._jobs.jobs])

    def _save(self) -> None:
        self.saving.emit("Jobs as CSV", ".csv", csv_writer(self.results()))

    def save_jobs(self) -> None:
        """Offer the jobs with their ranks as a YAML file by `saving`; what is refused is a message of the session."""
        try:
            text = self._jobs.file_text()
        except DesignerError as error:
            self._session.message.emit(str(error))
            return
        self.saving.emit("Jobs as YAML", ".yaml", lambda path: Path(path).write_text(text, "utf-8"))


@dataclass(frozen=True, slots=True)
class _Row:
    """A job of the design, and what came of it where that is known."""

    job: PlacedJob
    outcome: "JobOutcome | None"


def _known(
    key: str,
    title: str,
    text: Callable[[Any], str],
    unit: str = "",
    *,
    value: Callable[[Any], Any] | None = None,
    tip: str = "",
) -> Column:
    """A column of what came of a job; empty before it has run."""
    of = attrgetter(key) if value is None else value

    def known(row: _Row) -> Any:
        return None if row.outcome is None else of(row.outcome)

    return Column(key, title, known, text, unit, right=True, tip=tip)


def _tip(row: _Row, column: Column) -> str:
    return str(column.of(row)) if column.key in WORDS else ""
