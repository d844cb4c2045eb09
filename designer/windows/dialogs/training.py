"""A training step on the fabric: where its time goes, tokens per second, days, and the formulas with their numbers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStyle,
    QVBoxLayout,
)

from designer.errors import DesignerError, sentence
from designer.graph.arrays import build
from designer.model.design import Design
from designer.model.edit import Edit
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.row_table import RowTable
from designer.session.commands import is_simulated
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.simulation.training.formulas import LETTERS
from designer.simulation.training.records import Communication, Formula, Step
from designer.simulation.training.request import Training
from designer.simulation.training.step import train_step
from designer.tables.columns import Column, Columns, keys, pick
from designer.units import format_count, format_memory, format_time
from designer.windows.desk import Desk
from designer.windows.dialogs.time_bar import TimeBar
from designer.windows.dialogs.training_form import Missing, TrainingForm

LANE = "training"
LATER_MS = 250
MOST_ROWS = 6
FORM_PX = 330
"""Wide enough for most fonts; where it is not, as wide as the fields need."""
WORDS, WORD_PX, MOST_OF_WIDTH = ("name", "symbols"), 120, 0.25
FIGURES = ("Step", "Tokens per second", "MFU", "Training", "Waiting", "State per GPU")


class _Asked(NamedTuple):
    revision: int
    failed: frozenset[str]


class TrainingDialog(QDialog):
    """Stays open beside the window; works out the step as one types and as the design changes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._session = desk.session
        self._asked: _Asked | None = None
        self.step: Step | None = None
        """The step of what the form and the design say; None while it is worked out, or where it cannot be."""
        self.setWindowTitle("Training Step")
        self.form = TrainingForm(desk.appearance)
        self.form.changed.connect(self._later_on)
        self.figures = {name: label("–", "value") for name in FIGURES}
        self.bar = TimeBar(desk.appearance)
        self.collectives = RowTable("Collectives of a step", (), stretch="title", tip=_why)
        widths = dict.fromkeys(WORDS, WORD_PX)
        self.formulas = RowTable("Formulas", FORMULA, stretch="numbers", widths=widths, tip=_formula_tip)
        self.warnings = label("", "error", wrap=True)
        self.notes = label("", "muted", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.missing = label("", "muted", wrap=True)
        self.heat_button = QPushButton("Show Heat")
        self.heat_button.setToolTip("Colour the canvas by the chosen collective, all its groups at once")
        self.heat_button.clicked.connect(self.show_heat)
        self.progress = ShareBar()
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.cancel)
        self._later = later(self, LATER_MS, self.compute)
        self._lay_out()
        session = self._session
        session.changed.connect(self._follow)
        session.reset.connect(self._later_on)
        session.failed_changed.connect(self._later_on)
        session.jobs.lane(LANE).progressed.connect(self.progress.show_share)
        room = self.screen().availableSize()
        self.resize(min(1320, room.width() - 40), min(860, room.height() - 80))
        self._clear()

    def _lay_out(self) -> None:
        form_place = QScrollArea()
        form_place.setFrameShape(QFrame.Shape.NoFrame)
        form_place.setWidgetResizable(True)
        form_place.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        form_place.setWidget(self.form)
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, form_place)
        form_place.setFixedWidth(max(FORM_PX, self.form.minimumSizeHint().width() + bar))
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(2)
        for column, (name, figure) in enumerate(self.figures.items()):
            grid.addWidget(figure, 0, column)
            grid.addWidget(label(name, "muted"), 1, column)
        self.figures["MFU"].setToolTip("Model-FLOPs utilization: the model's FLOPs over the peak of all its GPUs")
        self.figures["Waiting"].setToolTip(
            "Share of the step spent waiting for communication, not counting the pipeline bubble"
        )
        self.figures["State per GPU"].setToolTip(
            "Weights, gradients, optimizer (mixed precision, Adam); no activations"
        )
        titles = QHBoxLayout()
        titles.addWidget(label("Collectives, all groups of a kind at once", "section"), 1)
        titles.addWidget(self.heat_button)
        card = QFrame()
        card.setProperty("surface", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(14, 12, 14, 12)
        inside.setSpacing(8)
        inside.addLayout(grid)
        inside.addWidget(self.warnings)
        inside.addWidget(self.bar)
        inside.addWidget(self.refusal)
        inside.addWidget(self.missing)
        inside.addLayout(titles)
        inside.addWidget(self.collectives)
        inside.addWidget(label("Formulas", "section"))
        inside.addWidget(self.formulas, 1)
        inside.addWidget(label("; ".join(f"{letter}: {meaning}" for letter, meaning in LETTERS), "muted", wrap=True))
        inside.addWidget(self.notes)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(form_place)
        body.addWidget(card, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.progress, 1)
        bottom.addWidget(self.cancel_button)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        bottom.addWidget(close)
        for widget in (self.progress, self.cancel_button):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 14)
        whole.setSpacing(12)
        whole.addLayout(body, 1)
        whole.addLayout(bottom)

    # -- working it out -----------------------------------------------------------------------------------------------

    def showEvent(self, event: object) -> None:
        """Compute the step in a moment, for the design as it is now."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._later.start()

    def hideEvent(self, event: object) -> None:
        """Cancel what is being computed."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self.cancel()

    def _follow(self, edit: Edit) -> None:
        if is_simulated(edit):
            self._later_on()

    def _later_on(self) -> None:
        """What is shown holds no more; work it out anew once nothing changes for a moment."""
        self.step = None
        self.heat_button.setEnabled(False)
        if self.isVisible():
            self._later.start()

    def compute(self) -> None:
        """Work out the step in a worker."""
        self._later.stop()
        session = self._session
        session.jobs.cancel(LANE)
        try:
            training = self.form.training()
        except Missing as missing:
            self._clear()
            self.missing.setText(f"{missing}.")
            self.missing.show()
            return
        except DesignerError as error:
            self._refuse(str(error))
            return
        design, failed = session.snapshot(), session.failed
        self._asked = _Asked(design.revision, failed)
        self._show_busy(True)
        session.jobs.run(LANE, lambda progress: _worked_out(design, failed, training, progress), self._take)

    def cancel(self) -> None:
        """Stop computing the step, or waiting to."""
        self._later.stop()
        self._session.jobs.cancel(LANE)
        self._show_busy(False)

    def _take(self, outcome: Outcome) -> None:
        self._show_busy(False)
        if outcome.error is not None:
            self._refuse(outcome.error)
            return
        self.refusal.hide()
        self.missing.hide()
        self.step = outcome.value
        self._show(outcome.value)

    # -- showing ------------------------------------------------------------------------------------------------------

    def _show_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)

    def _refuse(self, text: str) -> None:
        self._clear()
        self.refusal.setText(sentence(text))
        self.refusal.show()

    def _clear(self) -> None:
        self._show_busy(False)
        self.step = None
        for figure in self.figures.values():
            figure.setText("–")
        self.bar.show_parts(())
        self.collectives.show_rows(())
        self.formulas.show_rows(())
        for stated in (self.warnings, self.notes, self.refusal, self.missing):
            stated.hide()
        self.heat_button.setEnabled(False)

    def _show(self, step: Step) -> None:
        texts = {
            "Step": format_time(step.step_s),
            "Tokens per second": f"{step.tokens_per_s:,.0f}",
            "MFU": f"{100 * step.mfu:.1f} %",
            "Training": "–" if step.days is None else f"{step.days:.3g} days",
            "Waiting": f"{100 * step.exposed_s / step.step_s:.1f} %",
            "State per GPU": format_memory(step.state_bytes),
        }
        for name, text in texts.items():
            self.figures[name].setText(text)
        self.bar.show_parts(step.parts)
        sent = step.communications
        self.collectives.show_rows(sent, _columns(sent))
        if sent:
            first = max(range(len(sent)), key=lambda at: (sent[at].crosses_fabric, sent[at].exposed_s))
            self.collectives.choose(first)
        self.collectives.fit_height(MOST_ROWS)
        self.heat_button.setEnabled(bool(step.communications))
        self.formulas.show_rows(step.formulas)
        for column in map(self.formulas.column, WORDS):  # these give way before the numbers do
            room = round(MOST_OF_WIDTH * self.formulas.viewport().width())
            self.formulas.setColumnWidth(column, min(self.formulas.sizeHintForColumn(column), room))
        degrees = step.degrees
        used = (
            f"Tensor {degrees.tensor} × pipeline {degrees.pipeline} × data {degrees.data} = "
            f"{format_count(degrees.ranks)} GPUs"
        )
        memory = f"Memory of a GPU {step.memory_check}" if step.fits_memory is None else ""
        self.notes.setText(". ".join(filter(None, (used, *step.notes, memory))) + ".")
        self.notes.show()
        wrong = f"State of {format_memory(step.state_bytes)} {step.memory_check}" if step.fits_memory is False else ""
        self.warnings.setText(". ".join(filter(None, (step.idle, wrong))) + ".")
        self.warnings.setVisible(bool(step.idle or wrong))

    # -- heat ---------------------------------------------------------------------------------------------------------

    def show_heat(self) -> None:
        """Colour the canvas by the chosen collective."""
        one, step, session = self.collectives.current, self.step, self._session
        if one is None or step is None:
            return
        if self._asked != _Asked(session.design.revision, session.failed):
            self.compute()  # groups or racks were moved meanwhile
            return
        session.workbench.simulation.show(one.result, one.title)
        self._desk.views.show_canvas()


def _worked_out(design: Design, failed: frozenset[str], training: Training, progress: Progress) -> Step:
    return train_step(build(design, failed=failed), training, progress)


def _columns(sent: Sequence[Communication]) -> Columns:
    """Those of a command line, with a heading over the collectives and a sign for times."""
    names = "title shape size_bytes count time_s total_s exposed_s"
    title, shape, *rest = pick(sent[0].COLUMNS, names) if sent else keys("title shape")
    return (
        replace(title, title="Collective"),
        replace(shape, title="Groups × ranks", text=_with_signs),
        *rest,
    )


def _why(one: Communication, _column: Column) -> str:
    return one.bottleneck or ""


def _with_signs(text: str) -> str:
    return text.replace(" x ", " × ")


def _formula_tip(formula: Formula, _column: Column) -> str:
    symbols, numbers = _with_signs(formula.symbols), _with_signs(formula.numbers)
    return f"{formula.name} = {symbols}\n= {numbers} = {formula.value}"


FORMULA = (
    Column("name", "Figure"),
    Column("symbols", "Formula", text=_with_signs),
    Column("numbers", "With its numbers", text=_with_signs),
    Column("value", "Value", right=True),
)
