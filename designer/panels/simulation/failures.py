"""The failures: what would break most, one thing at a time, in pairs or at random; click one to mark it as failed."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from designer.errors import DesignerError, sentence
from designer.model.shown_text import plain_text
from designer.panels.simulation.failures_compared import Compared
from designer.panels.simulation.failures_controls import FailuresControls
from designer.panels.simulation.failures_model import COLUMNS, EXPORTED, WIDTHS, summary, tip_of
from designer.panels.studies.study_parts import copy, csv_writer, reported
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.cut_texts import LinesDelegate
from designer.panels.widgets.labels import EmptyState, enlarged, label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.tables.table import ResultTable
from designer.units import format_time

NARROW_PX = 340
"""In less, the buttons stand below the summary."""
HOTTEST_PX = 180


class FailuresPanel(QWidget):
    """`going` carries what failed; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._job = session.workbench.failures
        self.controls = FailuresControls(appearance)
        self.table = RowTable("Failures", COLUMNS, stretch="note_or_hottest", widths=WIDTHS, tip=tip_of)
        self.table.setItemDelegateForColumn(0, LinesDelegate(self.table))
        self.table.chosen.connect(self.take)
        self.table.resized.connect(self._fit)
        self.summary = label("", wrap=True)
        self.summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.compared = Compared(session, appearance)
        self.compared.going.connect(self.going)
        self.compared.shown.connect(self._make_room)
        self.empty = EmptyState(
            "Which failure hurts most?",
            "Choose what fails, then Run: the scenario of the Simulation panel is computed with each one failed in "
            "turn, with every pair failed, or with many failed at random. The worst come first; click one to mark it "
            "as failed.",
        )
        self.buttons: dict[str, QPushButton] = {}
        self._lay_out()
        self._make_room(not self.compared.isHidden())
        self.controls.run_wanted.connect(self.run)
        self.controls.cancel_wanted.connect(self._job.cancel)
        self._job.state_changed.connect(self.refresh)
        self._job.progressed.connect(self.controls.progress.show_share)
        self.refresh()

    def _lay_out(self) -> None:
        self._bar = bar = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        bar.setContentsMargins(10, 8, 8, 4)
        bar.addWidget(self.summary, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        bar.addLayout(buttons)
        for name, tip, act in (
            ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
            ("CSV…", "Save the table", self._save),
        ):
            button = self.buttons[name] = QPushButton(name)
            button.setToolTip(plain_text(tip))
            button.clicked.connect(act)
            buttons.addWidget(button)
        middle = QWidget()
        middle.setProperty("surface", "base")
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.table, 1)
        self._results = QWidget()
        halves = QHBoxLayout(self._results)
        halves.setContentsMargins(0, 0, 0, 0)
        halves.setSpacing(0)
        halves.addWidget(middle, 1)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.controls)
        across.addWidget(self._results, 1)
        across.addWidget(self.empty, 1)
        across.addWidget(self.compared)

    # -- doing it -----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Start the sweep that the form asks for."""
        try:
            request = self.controls.request()
        except DesignerError as error:
            self.controls.show_state(False, sentence(str(error)), error=True)
            return
        self._job.run(request)

    def take(self, outcome: Any) -> None:
        """Go to what the row says has failed, and take it as failed."""
        simulation = self._session.workbench.simulation
        failed = self._job.base | outcome.failed.ids
        self._session.mark_as_failed(failed, f"Fail {outcome.failed.name}", is_look=True)
        if outcome.failed.ids:
            self.going.emit(outcome.failed.ids)
        if simulation.state != "running":
            simulation.run()

    def results(self) -> ResultTable:
        """Every outcome, for a spreadsheet."""
        return ResultTable.of(self._job.sweep.outcomes if self._job.sweep is not None else (), EXPORTED)

    def _save(self) -> None:
        self.saving.emit("Failures as CSV", ".csv", csv_writer(self.results()))

    def _make_room(self, is_compared: bool) -> None:
        """Beside the comparison, which tells the time and hot links itself, the table leaves them out."""
        for key in ("time_s", "note_or_hottest", "peak"):
            self.table.setColumnHidden(self.table.column(key), is_compared)
        self._show_summary()
        self._fit()

    def _fit(self) -> None:
        """What has failed has the room it needs before the hottest link; two that fail together are on two lines."""
        table = self.table
        is_narrow = table.width() < NARROW_PX
        self._bar.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)
        together = any(outcome.failed.parts for outcome in table.rows)
        table.setUniformRowHeights(not together)
        header, failed = table.header(), table.column("failed")
        is_compared = table.isColumnHidden(table.column("note_or_hottest"))
        header.setSectionResizeMode(
            failed, QHeaderView.ResizeMode.Stretch if is_compared else QHeaderView.ResizeMode.Interactive
        )
        if not is_compared:
            others = (n for n, column in enumerate(table.shown.columns) if column.key in WIDTHS and n != failed)
            fixed = sum(map(table.columnWidth, others))
            free = max(0, table.viewport().width() - fixed)
            wanted = table.sizeHintForColumn(failed) + 8
            table.setColumnWidth(failed, max(min(wanted, free - enlarged(HOTTEST_PX)), free // 3))

    # -- showing ------------------------------------------------------------------------------------------------------

    def _show_summary(self) -> None:
        job = self._job
        if job.sweep is not None:
            # Beside the comparison there is no room for what the Simulation panel says as well.
            beside = not self.compared.isHidden()
            self.summary.setText(summary(job.sweep) if beside else f"{job.title}: {summary(job.sweep)}")
            self.summary.setToolTip(plain_text(job.sweep.assumed_note))

    def refresh(self) -> None:
        """Show the sweep of the session and what state it is in."""
        job, sweep = self._job, self._job.sweep
        self.empty.setVisible(sweep is None)  # first, so that the table has all of the room when it is laid out
        self._results.setVisible(sweep is not None)
        if sweep is not None:
            self.table.show_rows(sweep.outcomes)
            self._show_summary()
            self.table.setEnabled(job.is_current and job.state != "running")
            self._fit()
        text = reported(job, f"Computed in {format_time(job.wall_s)}. Click a row to mark it as failed.")
        self.controls.show_state(job.state == "running", text, error=job.state == "failed")
