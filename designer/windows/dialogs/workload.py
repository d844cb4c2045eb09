"""A dialog of what a workload does on the fabric: figures, where the time goes, collectives, formulas, heat."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
)

from designer.errors import DesignerError
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.edit import Edit
from designer.model.shown_text import plain_text
from designer.panels.widgets.fitting import FormColumn
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar, keep_place
from designer.panels.widgets.row_table import RowTable
from designer.panels.widgets.wrapping import Wrapping, figure
from designer.session.commands import is_simulated
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.simulation.communication import Communication, Formula, Part
from designer.simulation.result import Result
from designer.tables.columns import Column, Columns, keys, pick
from designer.windows.desk import Desk
from designer.windows.dialogs.model_form import Missing, ModelForm
from designer.windows.dialogs.time_bar import TimeBar

LATER_MS = 250
MOST_ROWS = 6
FORM_PX = 356
"""Wide enough for most fonts; where it is not, as wide as the fields need."""
FIGURES_APART_PX = 20
WORDS, WORD_PX, MOST_OF_WIDTH = ("name", "symbols"), 120, 0.25


class _Asked(NamedTuple):
    revision: int
    failed: frozenset[str]


class Shown(NamedTuple):
    """What the dialog shows of a workload."""

    texts: Mapping[str, str]
    parts: tuple[tuple[Part, ...], ...]
    """For each bar."""
    communications: tuple[Communication, ...]
    formulas: tuple[Formula, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


class WorkloadDialog(QDialog):
    """Stays open next to the window; works the workload out as one types and as the design changes.

    Subclasses say how it is calculated, and what is shown of it.
    """

    title = ""
    lane = ""
    figure_tips: ClassVar[Mapping[str, str]] = {}
    """The figures, each with what its tip says."""
    bar_titles: ClassVar[tuple[str, ...]] = ("",)
    collectives_title = ""
    letters: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the letters of the formulas stand for."""

    def __init__(self, desk: Desk, form: ModelForm) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._session = desk.session
        self._asked: _Asked | None = None
        self.found: Any = None
        """What the form and the design come to; None while it is calculated, or where it cannot be."""
        self.setWindowTitle(self.title)
        self.form = form
        self.form.changed.connect(self._later_on)
        self.figures = {name: label("–", "value") for name in self.figure_tips}
        self.bars = [TimeBar(desk.appearance) for _ in self.bar_titles]
        self.collectives = RowTable(self.collectives_title, (), stretch="title", tip=_why)
        widths = dict.fromkeys(WORDS, WORD_PX)
        self.formulas = RowTable("Formulas", FORMULA, stretch="numbers", widths=widths, tip=_formula_tip)
        self.warnings = label("", "error", wrap=True)
        self.notes = label("", "muted", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self.missing = label("", "muted", wrap=True)
        self.heat_button = QPushButton("Show Heat")
        self.heat_button.setToolTip("Color the canvas by the chosen collective, all its groups at once")
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
        session.jobs.lane(self.lane).progressed.connect(self.progress.show_share)
        self.resize(1320, 860)
        self._clear()

    def work(self, graph: Graph, asked: Any, progress: Progress) -> Any:
        """What the workload comes to; called in a worker."""
        raise NotImplementedError

    def shown(self, found: Any) -> Shown:
        """What is shown of it."""
        raise NotImplementedError

    def heat_buttons(self) -> tuple[QPushButton, ...]:
        """What stands above the collectives, to color the canvas."""
        return (self.heat_button,)

    def _lay_out(self) -> None:
        row = Wrapping(FIGURES_APART_PX)
        for name, value in self.figures.items():
            row.addWidget(figure(value, label(name, "muted")))
        for name, tip in self.figure_tips.items():
            self.figures[name].setToolTip(plain_text(tip))
        titles = QHBoxLayout()
        titles.addWidget(label(self.collectives_title, "section"), 1)
        for button in self.heat_buttons():
            titles.addWidget(button)
        card = QFrame()
        card.setProperty("surface", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(14, 12, 14, 12)
        inside.setSpacing(8)
        inside.addLayout(row)
        inside.addWidget(self.warnings)
        for title, time_bar in zip(self.bar_titles, self.bars, strict=True):
            if title:
                inside.addWidget(label(title, "section"))
            inside.addWidget(time_bar)
        inside.addWidget(self.refusal)
        inside.addWidget(self.missing)
        inside.addLayout(titles)
        inside.addWidget(self.collectives)
        inside.addWidget(label("Formulas", "section"))
        inside.addWidget(self.formulas, 1)
        inside.addWidget(
            label("; ".join(f"{letter}: {meaning}" for letter, meaning in self.letters), "muted", wrap=True)
        )
        inside.addWidget(self.notes)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addWidget(FormColumn(self.form, FORM_PX))
        body.addWidget(card, 1)
        bottom = QHBoxLayout()
        bottom.addWidget(self.progress, 1)
        bottom.addWidget(self.cancel_button)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        bottom.addWidget(close)
        for widget in (self.progress, self.cancel_button):
            keep_place(widget)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 14)
        whole.setSpacing(12)
        whole.addLayout(body, 1)
        whole.addLayout(bottom)

    # -- working it out -----------------------------------------------------------------------------------------------

    def showEvent(self, event: object) -> None:
        """Compute it in a moment, for the design as it is now."""
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
        """What is shown is out of date; calculate it again once nothing changes for a moment."""
        self.found = None
        self._offer_heat(False)
        if self.isVisible():
            self._later.start()

    def compute(self) -> None:
        """Work it out in a worker."""
        self._later.stop()
        session = self._session
        session.jobs.cancel(self.lane)
        try:
            asked = self.form.request()
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
        work = self.work
        session.jobs.run(self.lane, lambda progress: work(build(design, failed=failed), asked, progress), self._take)

    def cancel(self) -> None:
        """Stop computing, or waiting to."""
        self._later.stop()
        self._session.jobs.cancel(self.lane)
        self._show_busy(False)

    def _take(self, outcome: Outcome) -> None:
        self._show_busy(False)
        if outcome.error is not None:
            self._refuse(outcome.error)
            return
        self.refusal.hide()
        self.missing.hide()
        self.found = outcome.value
        self._show(outcome.value)

    # -- showing ------------------------------------------------------------------------------------------------------

    def _show_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)

    def _refuse(self, text: str) -> None:
        self._clear()
        self.refusal.refuse(text)

    def _clear(self) -> None:
        self._show_busy(False)
        self.found = None
        for value in self.figures.values():
            value.setText("–")
        for bar in self.bars:
            bar.show_parts(())
        self.collectives.show_rows(())
        self.formulas.show_rows(())
        for stated in (self.warnings, self.notes, self.refusal, self.missing):
            stated.hide()
        self._offer_heat(False)

    def _offer_heat(self, there: bool) -> None:
        for button in self.heat_buttons():
            button.setEnabled(there)

    def _show(self, found: Any) -> None:
        shown = self.shown(found)
        for name, text in shown.texts.items():
            self.figures[name].setText(text)
        for bar, parts in zip(self.bars, shown.parts, strict=True):
            bar.show_parts(parts)
        sent = shown.communications
        self.collectives.show_rows(sent, _columns(sent))
        if sent:
            first = max(range(len(sent)), key=lambda at: (sent[at].crosses_fabric, sent[at].exposed_s))
            self.collectives.choose(first)
        self.collectives.fit_height(MOST_ROWS)
        self._offer_heat(bool(sent))
        self.formulas.show_rows(shown.formulas)
        for column in map(self.formulas.column, WORDS):  # these give way before the numbers do
            room = round(MOST_OF_WIDTH * self.formulas.viewport().width())
            self.formulas.setColumnWidth(column, min(self.formulas.sizeHintForColumn(column), room))
        self.notes.setText(". ".join(filter(None, shown.notes)) + ".")
        self.notes.show()
        self.warnings.setText(". ".join(filter(None, shown.warnings)) + ".")
        self.warnings.setVisible(any(shown.warnings))

    # -- heat ---------------------------------------------------------------------------------------------------------

    def show_heat(self) -> None:
        """Color the canvas by the chosen collective."""
        one = self.collectives.current
        if one is not None:
            self.colour(one.result, one.title)

    def colour(self, result: Result, title: str) -> None:
        """Color the canvas by a result, if it is still one of the design as it stands."""
        session = self._session
        if self.found is None:
            return
        if self._asked != _Asked(session.design.revision, session.failed):
            self.compute()  # groups or racks were moved meanwhile
            return
        session.workbench.simulation.show(result, title)
        self._desk.views.show_canvas()


def _columns(sent: Sequence[Communication]) -> Columns:
    """Those of a command line, with a heading over the collectives and a sign for times."""
    names = "title method shape size_bytes count time_s total_s exposed_s"
    title, method, shape, *rest = pick(sent[0].COLUMNS, names) if sent else keys("title method shape")
    return (
        replace(title, title="Collective"),
        method,
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
