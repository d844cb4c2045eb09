"""Explore: state a search, watch its Pareto front grow, open candidates as designs, and see why others fell out."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from designer.errors import DesignerError, sentence
from designer.exploring.figures import Objective
from designer.exploring.results import DECIDING, DOMINATED, FAILURE, FRONT, Outcome, columns_for
from designer.model.design import Design
from designer.model.shown_text import plain_text
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar, keep_place
from designer.panels.widgets.row_table import RowTable
from designer.paths import user_state_dir
from designer.session.exploring import SearchJob, write_design
from designer.session.timers import later
from designer.tables.columns import Column, pick
from designer.units import format_count
from designer.windows.desk import Desk
from designer.windows.exploring.coordinates import Coordinates
from designer.windows.exploring.front_plot import FrontPlot
from designer.windows.exploring.search_pane import SearchPane
from designer.windows.exploring.so_far import objectives_now, waiting_text
from designer.windows.exploring.starting import where_of
from designer.windows.files.places import in_its_place

SPEC_PX, DRAWN_MS = 340, 400
NO_WINDOW: Any = None
"""For setTransientParent, which takes none, though its annotation in PySide asks for a window."""
BEST = f"number title {DECIDING} times {FAILURE}"
OF_FAILURE = {"loss", *FAILURE.split()}
"""Columns whose tip is what fails, what runs then, and what that costs."""
FALLEN = pick(Outcome.COLUMNS, "number status title why")
WIDTHS = {"title": 330, "times": 250}
WIDE_PX, HIGH_PX = 1360, 880

Then = Callable[[Sequence[Design]], None]


class ExploreDialog(QDialog):
    """A window of its own, one for all tabs. The search is text on the left; results follow on the right."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window.window(), Qt.WindowType.Window)
        self._maker = desk
        self.setWindowTitle("Explore")
        self.job = SearchJob(self, desk.session.jobs)
        self.spec = SearchPane(lambda: self._desk)
        self._make_results()
        self._lay_out()
        self._drawn = later(self, DRAWN_MS, self._show_results)
        self.spec.changed.connect(self._follow_search)
        self.job.changed.connect(self._follow)
        self.job.progressed.connect(self._show_progress)
        desk.session.costs.priced_anew.connect(self.spec.read)
        self.resize(WIDE_PX, HIGH_PX)
        self._follow()

    @property
    def _desk(self) -> Desk:
        """That of the design that is seen."""
        return self._maker.desk_seen

    # -- parts --------------------------------------------------------------------------------------------------------

    def _make_results(self) -> None:
        self.summary = label("", wrap=True)
        self.notes = label("", "muted", wrap=True)
        self.front = FrontPlot(self._desk.appearance)
        self.front.chosen.connect(self.choose)
        self.coordinates = Coordinates(self._desk.appearance)
        self.coordinates.chosen.connect(self.choose)
        self.waiting = label("", "muted")
        self.across, self.up = Combo(), Combo()
        for box, name in ((self.across, "Across"), (self.up, "Up")):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _: self._draw())
        columns = columns_for(None, BEST)
        self.best, self.built = (
            RowTable(name, columns, stretch="server_loss", widths=WIDTHS, tip=_why)
            for name in ("Best candidates", "Candidates that keep all limits")
        )
        self.fallen = RowTable("Why others fell out", FALLEN, stretch="why", widths={"title": 330}, tip=_why)
        for table in self.tables:
            table.setTextElideMode(Qt.TextElideMode.ElideRight)
            table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
            table.doubleClicked.connect(lambda _: self.open_chosen())
            table.selectionModel().selectionChanged.connect(lambda *_: self._follow_choice())
        self.progress = ShareBar()
        self.progress_text = label("", "muted")
        self.run_button = QPushButton("Search")
        self.run_button.setDefault(True)
        self.run_button.clicked.connect(self.run_or_cancel)
        self.open_design = QPushButton("Open Design")
        self.open_design.setToolTip("Open the chosen candidate as a design, in a tab of its own")
        self.open_design.clicked.connect(self.open_chosen)
        self.compare_design = QPushButton("Compare Two")
        self.compare_design.setToolTip("Open the first of two chosen candidates, compared with the second")
        self.compare_design.clicked.connect(self.compare_chosen)

    @property
    def tables(self) -> tuple[RowTable, ...]:
        """Best, built, fallen out."""
        return self.best, self.built, self.fallen

    def _lay_out(self) -> None:
        axes = QHBoxLayout()
        axes.addWidget(label("Across", "muted"))
        axes.addWidget(self.across)
        axes.addWidget(label("Up", "muted"))
        axes.addWidget(self.up)
        axes.addStretch(1)
        plotted = QWidget()
        plot = QVBoxLayout(plotted)
        plot.setContentsMargins(6, 6, 6, 6)
        plot.addLayout(axes)
        plot.addWidget(self.front, 1)
        plot.addWidget(self.waiting, 0, Qt.AlignmentFlag.AlignCenter)
        self.pictures = QTabWidget()
        self.pictures.addTab(plotted, "Pareto Front")
        self.pictures.addTab(self.coordinates, "Parallel Coordinates")
        self.pictures.currentChanged.connect(lambda _: self._draw())
        self.lists = QTabWidget()
        for table, name in zip(self.tables, ("Best", "All Built", "Fell Out"), strict=True):
            self.lists.addTab(table, name)
        self.lists.currentChanged.connect(lambda _: self._follow_choice())
        results = QSplitter(Qt.Orientation.Vertical)
        results.addWidget(self.pictures)
        results.addWidget(self.lists)
        results.setChildrenCollapsible(False)
        results.setSizes([HIGH_PX * 3 // 5, HIGH_PX * 2 // 5])
        right = QWidget()
        shown = QVBoxLayout(right)
        shown.setContentsMargins(0, 0, 0, 0)
        shown.addWidget(self.summary)
        shown.addWidget(results, 1)
        shown.addWidget(self.notes)
        whole = QSplitter()
        whole.addWidget(self.spec)
        whole.addWidget(right)
        whole.setStretchFactor(1, 1)
        whole.setSizes([SPEC_PX, WIDE_PX - SPEC_PX])
        whole.setChildrenCollapsible(False)
        bottom = QHBoxLayout()
        keep_place(self.progress)
        bottom.addWidget(self.run_button)
        bottom.addWidget(self.progress, 1)
        bottom.addWidget(self.progress_text)
        bottom.addWidget(self.compare_design)
        bottom.addWidget(self.open_design)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        bottom.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(12)
        column.addWidget(whole, 1)
        column.addLayout(bottom)

    # -- the search ---------------------------------------------------------------------------------------------------

    def run_or_cancel(self) -> None:
        """Begin the search, or cancel it: what was found stays, and the next run goes on from there."""
        if self.job.running:
            self.job.cancel()
            return
        self.spec.read()
        if self.spec.search is not None:
            self.job.run(self.spec.search, where_of())

    def _follow_search(self) -> None:
        self.run_button.setEnabled(self.job.running or self.spec.search is not None)

    def _follow(self) -> None:
        self.run_button.setText("Cancel" if self.job.running else "Search")
        self._follow_search()
        self.progress.setVisible(self.job.running)
        if not self.job.running:
            self.progress_text.setText("")
        self._show_results()

    def _show_progress(self) -> None:
        progress = self.job.progress
        if progress is not None and self.job.running:
            self.progress.show_share(progress.share if progress.total else 0.0)
            self.progress_text.setText(progress.text if progress.total else "Counting …")
            if not self._drawn.isActive():
                self._drawn.start()

    # -- results ------------------------------------------------------------------------------------------------------

    @property
    def outcomes(self) -> Sequence[Outcome]:
        """What is known of candidates."""
        return self.job.outcomes

    def _show_results(self) -> None:
        self._drawn.stop()
        outcomes, found = self.outcomes, self.job.found
        self._fill_axes(objectives_now(self.job))
        best = found.front if found is not None else ()
        feasible = tuple(one for one in outcomes if one.status in (FRONT, DOMINATED))
        others = tuple(one for one in outcomes if one not in feasible) if found is None else found.fallen
        columns = columns_for(found.search if found is not None else self.spec.search, BEST)
        self.best.show_rows(best, columns)
        self.built.show_rows(feasible, columns)
        self.fallen.show_rows(others)
        for place, rows in enumerate((best, feasible, others)):
            name = ("Best", "All Built", "Fell Out")[place]
            self.lists.setTabText(place, f"{name} ({format_count(len(rows))})" if outcomes else name)
        self.lists.setTabToolTip(0, plain_text(sentence(found.rule)) if found is not None else "")
        self.summary.setText(_headline(self.job))
        notes = found.all_notes if found is not None else ()
        self.notes.setText("\n".join([*notes, *([sentence(self.job.outdated)] if self.job.outdated else [])]))
        self.notes.setVisible(bool(self.notes.text()))
        self._draw()
        self._follow_choice()

    def _fill_axes(self, objectives: Sequence[Objective]) -> None:
        names = [one.label for one in objectives]
        if names == [self.across.itemText(number) for number in range(self.across.count())]:
            return
        for box, at in ((self.across, 1), (self.up, 0)):
            before = box.currentText()
            box.blockSignals(True)
            box.clear()
            for one in objectives:
                box.addItem(one.label, one)
            box.setCurrentIndex(names.index(before) if before in names else min(at, len(names) - 1))
            box.blockSignals(False)

    def _draw(self) -> None:
        has_points = any(one.status in (FRONT, DOMINATED) for one in self.outcomes)
        self.waiting.setText("" if has_points else waiting_text(self.job))
        self.waiting.setVisible(not has_points)
        self.front.setVisible(has_points)
        if self.across.count() == 0 or not has_points:
            return
        chosen = frozenset(one.candidate.number for one in self.chosen)
        if self.pictures.currentWidget() is self.coordinates:
            self.coordinates.show_outcomes(self.outcomes, objectives_now(self.job), chosen)
        else:
            self.front.show_outcomes(self.outcomes, self.across.currentData(), self.up.currentData(), chosen)

    # -- candidates ---------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[Outcome, ...]:
        """The candidates that are chosen in the list that is seen."""
        table = self.tables[self.lists.currentIndex()]
        return tuple(table.row_at(index) for index in table.selectionModel().selectedRows())

    def choose(self, outcome: Outcome) -> None:
        """Choose a candidate in its list."""
        table = self.best if outcome in self.best.rows else self.built
        self.lists.setCurrentWidget(table)
        table.choose(list(table.rows).index(outcome))
        table.scrollTo(table.currentIndex())

    def _follow_choice(self) -> None:
        self.open_design.setEnabled(len(self.chosen) == 1)
        self.compare_design.setEnabled(len(self.chosen) == 2)
        self._draw()

    def open_chosen(self) -> None:
        """Open the chosen candidate as a design."""
        if len(self.chosen) == 1:
            self._make(self._open)

    def compare_chosen(self) -> None:
        """Open the first of two, compared with the second."""
        if len(self.chosen) == 2:
            self._make(self._compare)

    def _make(self, then: Then) -> None:
        candidates = [one.candidate for one in self.chosen]
        self.progress_text.setText("Building …")
        self.job.design(candidates, self._desk.catalog, partial(self._made, then))

    def _made(self, then: Then, designs: Sequence[Design], fault: str) -> None:
        self.progress_text.setText("")
        if fault:
            self._desk.notice.complain(sentence(fault))
            return
        then(designs)

    def _open(self, designs: Sequence[Design], compared: Path | None = None) -> None:
        def begin(desk: Desk) -> None:
            desk.session.replace(designs[0], None, unsaved=True)
            desk.views.show_whole()
            desk.notice.say(f"Opened {designs[0].settings.name}.")
            if compared is not None:
                desk.docks.show("comparison")
                desk.session.workbench.comparison.compare(compared)
            desk.window.window().raise_()
            desk.window.window().activateWindow()

        in_its_place(self._desk, begin)

    def _compare(self, designs: Sequence[Design]) -> None:
        number = self.chosen[1].candidate.number
        path = user_state_dir() / f"candidate-{number}.fabric"
        try:
            write_design(designs[1], path)
        except (DesignerError, OSError) as error:
            self._desk.notice.complain(sentence(str(error)))
            return
        self._open(designs, path)

    def showEvent(self, event: QShowEvent) -> None:
        """Be no child of the window of the designs, above which it would stay, whichever of them is at work."""
        self.windowHandle().setTransientParent(NO_WINDOW)
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Read the search again when its window becomes active: another tab may have other prices and terms."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.spec.read()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel what runs; what was found is kept."""
        self.job.cancel()
        super().closeEvent(event)


def _why(row: Outcome, column: Column) -> str:
    if column.key in OF_FAILURE:
        return sentence(row.failure)
    return row.why if column.key == "why" else "\n".join(filter(None, (row.candidate.full_text, row.why)))


def _headline(job: SearchJob) -> str:
    if job.error:
        return sentence(job.error)
    if job.found is not None:
        return f"{job.found.search.name}: {job.found.summary}"
    if job.running:
        return "Searching: every candidate is built, checked, priced and simulated."
    if job.outcomes:
        return f"Cancelled with {format_count(len(job.outcomes))} candidates known. Search goes on from there."
    return "State GPUs, workloads, families and limits, then press Search. The guide (F1) explains each field."
