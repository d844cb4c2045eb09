"""Acceptance: what each part of the fabric should measure, logs compared with it, and what explains a shortfall."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from designer.errors import sentence
from designer.exchange.acceptance import files
from designer.exchange.acceptance.calibration import Calibration, CalibrationRow, calibrated
from designer.exchange.acceptance.judged import Judged, judged
from designer.exchange.acceptance.options import AcceptanceOptions
from designer.fields.field import fields_of
from designer.measurements.reading import read_measurements
from designer.model.design import Design
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import form
from designer.panels.widgets.labels import enlarged, label
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.simulation.acceptance.evidence import Evidence
from designer.simulation.acceptance.expected import ExpectedPart
from designer.simulation.acceptance.explain import Explanation
from designer.simulation.libraries.writing import constants_text
from designer.simulation.scenario import Scenario
from designer.storage.saving import replace_file
from designer.tables.columns import Column, percent, pick
from designer.units import format_counted
from designer.windows.desk import Desk
from designer.windows.dialogs.worker_dialog import WorkerDialog, record_in

LANE = "acceptance"
FORM_PX = 290
LOG_FILTER = "Measurements (*.log *.txt *.out *.json);;All files (*)"
EXPLAINED = pick(Explanation.COLUMNS, "probability residual_sigma bias title n_alike")
NOT_YET = "Compare computes what each part should measure; with logs, what they measured instead and what explains it."


class _Asked(NamedTuple):
    design: Design
    scenario: Scenario
    options: AcceptanceOptions
    logs: tuple[Path, ...]


USE = "To go by these constants, choose the file with Simulate > Constants of the Model."


class AcceptanceDialog(WorkerDialog):
    """Stays open next to the window. `found` is the latest answer, until the design changes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, "Acceptance", LANE, "Compare")
        self.found: Judged | None = None
        self.logs: tuple[Path, ...] = ()
        self.form = FieldForm()
        self.form.changed.connect(self._forget)
        self.names = label("", "muted", wrap=True)
        self.parts = RowTable("Parts", ExpectedPart.COLUMNS, stretch="title")
        self.causes = RowTable("Explanations", EXPLAINED, stretch="title", tip=lambda row, _column: str(row.title))
        self.causes.chosen.connect(self._go_to)
        self.conclusion = label(NOT_YET, "muted", wrap=True)
        self.alike = label("", "muted", wrap=True)
        self.add_button, self.clear_button = QPushButton("Add Log…"), QPushButton("Remove Logs")
        self.write_button = QPushButton("Write Sheet…")
        self.run_button.setDefault(True)
        self.calibrate_button = QPushButton("Calibrate…")
        self.calibrate_button.setToolTip(
            "Fit the constants of NCCL's or RCCL's model to the logs and write them into a file"
        )
        self.calibrate_button.clicked.connect(self.choose_calibration)
        self.write_button.setToolTip("Write the page, the JSON, scripts and host lists into a folder")
        self.add_button.clicked.connect(self.choose_log)
        self.clear_button.clicked.connect(lambda: self.show_logs(()))
        self.run_button.clicked.connect(self.compare)
        self.write_button.clicked.connect(self.choose_folder)
        self._lay_out()
        self._follow_design(self._forget)
        self.resize(980, 560)
        self._forget()

    def _lay_out(self) -> None:
        left, rows = QWidget(), form()
        left.setFixedWidth(enlarged(FORM_PX))
        for field in fields_of(AcceptanceOptions).values():
            self.form.add(field, rows)
        self.form.setLayout(rows)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.form)
        column.addWidget(label("Logs", "section"))
        for widget in (self.names, self.add_button, self.clear_button, self.calibrate_button):
            column.addWidget(widget)
        column.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.parts, 3)
        right.addWidget(self.conclusion)
        right.addWidget(self.causes, 2)
        right.addWidget(self.alike)
        right.addWidget(self.refusal)
        self._put_together(left, right, self.run_button, self.write_button)
        self.setWindowFlag(Qt.WindowType.Dialog)

    # -- asking -------------------------------------------------------------------------------------------------------

    def choose_log(self) -> None:
        """Ask for a log and add it."""
        folder = self._desk.preferences.folder("measurements")
        path = self._desk.questions.open_path("Add Log", folder, LOG_FILTER)
        if path is not None:
            self._desk.preferences.set_folder("measurements", path.resolve().parent)
            self.show_logs((*self.logs, path))

    def show_logs(self, logs: tuple[Path, ...]) -> None:
        """Compare with these logs from now on."""
        self.logs = tuple(dict.fromkeys(logs))
        self._forget()

    def compare(self) -> None:
        """Compute in a worker, or stop computing."""
        self._begin_or_stop(self._asked, _judged, self._take_in)

    def _asked(self) -> _Asked:
        options = record_in(self.form, AcceptanceOptions)
        now = self._session.workbench.simulation.scenario
        failed = tuple(sorted(self._session.failed))
        scenario = replace(
            now,
            collective=options.collective,
            traffic=None,
            algorithm=None,
            dims=None,
            model=options.model,
            size_bytes=1.0,
            ranks=None,
            order="design",
            in_network_reduction=False,
            failed=failed,
        )
        return _Asked(self._session.snapshot(), scenario, options, self.logs)

    # -- showing ------------------------------------------------------------------------------------------------------

    def _take_in(self, outcome: Outcome) -> None:
        if not self._has_come(outcome):
            return
        found: Judged = outcome.value
        self.found = found
        if found.diagnosis is None:
            self.parts.show_rows([run.expected for run in found.sheet.parts], ExpectedPart.COLUMNS)
            self.conclusion.setText(sentence(files.summary(found.sheet)))
        else:
            self.parts.show_rows(found.diagnosis.evidence, (*_MEASURED, _verdict(found.sheet.tolerance)))
            self._show_causes(found)
        self.write_button.setEnabled(True)

    def _show_causes(self, found: Judged) -> None:
        diagnosis = found.diagnosis
        assert diagnosis is not None, "it was compared with logs"
        verdicts = [one.is_accepted(found.sheet.tolerance) for one in diagnosis.evidence]
        short = f"{verdicts.count(False)} of {format_counted(len(verdicts), 'measurement')} fall short"
        notes = "".join(f" {sentence(note)}" for note in found.notes)
        self.conclusion.setText(
            f"{short}; runs scatter by {percent(diagnosis.noise)}. Single faults that would explain it:{notes}"
        )
        self.causes.show_rows(diagnosis.explanations)
        self.causes.show()
        best = diagnosis.best
        self.alike.setText(best.alike_sentence)
        self.alike.setVisible(bool(best.alike))

    def _go_to(self, row: object) -> None:
        """Select what an explanation is about."""
        if isinstance(row, Explanation) and row.ids:
            self._desk.views.go_to(frozenset(row.ids))

    def _forget(self) -> None:
        self._stop()
        self.found = None
        self.parts.show_rows(())
        self.causes.show_rows(())
        self.conclusion.setText(NOT_YET)
        self.names.setText(", ".join(path.name for path in self.logs) or "none yet")
        self.clear_button.setEnabled(bool(self.logs))
        self.calibrate_button.setEnabled(bool(self.logs))
        self.write_button.setEnabled(False)
        for widget in (self.causes, self.alike, self.refusal):
            widget.hide()

    # -- calibrating --------------------------------------------------------------------------------------------------

    def choose_calibration(self) -> None:
        """Ask for a file and fit constants to the logs."""
        folder = Path(self._desk.preferences.folder("measurements")) / "constants.yaml"
        path = self._desk.questions.save_path("Calibrate", str(folder), "Constants (*.yaml)")
        if path is not None:
            self.calibrate(path)

    def calibrate(self, path: Path) -> None:
        """Fit constants to the logs in a worker, write them into a file and show what is left."""
        self._ask_and_begin(
            self._asked, lambda asked, progress: _calibrated(asked, path, progress), self._take_calibration
        )

    def _take_calibration(self, outcome: Outcome) -> None:
        if not self._has_come(outcome):
            return
        found: Calibration = outcome.value
        self.parts.show_rows(found.rows, CalibrationRow.COLUMNS)
        notes = "".join(f" {sentence(note)}" for note in found.notes)
        self.conclusion.setText(f"Time measured over predicted: {sentence(found.summary)} {USE}{notes}")

    # -- writing ------------------------------------------------------------------------------------------------------

    def choose_folder(self) -> None:
        """Ask for a folder and write the sheet into it."""
        folder = self._desk.questions.open_folder("Write Sheet", self._desk.preferences.folder("exports"))
        if folder is not None:
            self.write(folder)

    def write(self, folder: Path) -> None:
        """Write the sheet into a folder."""
        if self.found is None:
            return
        try:
            files.write_folder(folder, files.files_of(self.found.sheet, self.found.diagnosis))
        except OSError as error:
            self.refusal.setText(sentence(f"{folder} cannot be written: {error.strerror or error}"))
            self.refusal.show()
            return
        self._desk.notice.say(f"The acceptance sheet is in {folder}: open {files.PAGE} there.")


_MEASURED = pick(Evidence.COLUMNS, "part measurement ratio worst n_judged")


def _verdict(tolerance: float) -> Column:
    """Whether a measurement is accepted, in words."""
    texts = {None: "too small to judge", True: "accepted", False: "falls short"}
    return Column("verdict", "Result", lambda one: texts[one.is_accepted(tolerance)])


def _calibrated(asked: _Asked, path: Path, progress: Progress) -> Calibration:
    measurements = [one for log in asked.logs for one in read_measurements(log)]
    found = calibrated(asked.design, asked.scenario, measurements, progress)
    replace_file(path, constants_text(found.constants).encode())
    return found


def _judged(asked: _Asked, progress: Progress) -> Judged:
    return judged(asked.design, asked.scenario, asked.options, asked.logs, progress)
