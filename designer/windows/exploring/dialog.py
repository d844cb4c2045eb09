"""Explore: state a search, watch its Pareto front grow, open candidates as designs, and see why others fell out."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.billing.terms import NO_TERMS
from designer.errors import DesignerError, sentence
from designer.exploring.figures import Objective
from designer.exploring.request import Exploration
from designer.exploring.results import DOMINATED, FRONT, Outcome
from designer.exploring.spec_text import NO_BASIS, Basis, search_in
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
from designer.windows.exploring.so_far import objectives_now, waiting_text
from designer.windows.exploring.starting import EXAMPLE, where_of
from designer.windows.files.places import in_its_place

FILTER = "Searches (*.yaml *.yml *.json);;All files (*)"
SPEC_PX, TYPED_MS, DRAWN_MS = 340, 300, 400
OPERATION = "total_cost"
BEST = pick(
    Outcome.COLUMNS,
    f"number title gpus time_s times cost {OPERATION} power_w cables loss worst_workload cut_off slowdown server_loss "
    "switches racks",
)
FAILURE = ("loss", "worst_workload", "cut_off", "slowdown", "server_loss")
"""Columns about the worst failure: their tip is what fails, what runs then, and what that costs."""
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
        self.search: Exploration | None = None
        self._folder = Path()
        self._make_spec()
        self._make_results()
        self._lay_out()
        self._typed = later(self, TYPED_MS, self.read)
        self._drawn = later(self, DRAWN_MS, self._show_results)
        self.text.textChanged.connect(self._typed.start)
        self.job.changed.connect(self._follow)
        self.job.progressed.connect(self._show_progress)
        desk.session.costs.priced_anew.connect(self.read)
        self.resize(WIDE_PX, HIGH_PX)
        self.text.setPlainText(EXAMPLE)
        self.read()
        self._follow()

    @property
    def _desk(self) -> Desk:
        """That of the design that is seen."""
        return self._maker.desk_seen

    # -- parts --------------------------------------------------------------------------------------------------------

    def _make_spec(self) -> None:
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Search")
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.fault = label("", "error", wrap=True)
        self.stated = label("", "muted", wrap=True)
        self.basis = label("", "muted", wrap=True)
        self.terms_button = QPushButton("Prices and Terms…")
        self.terms_button.setToolTip("Price lists, rates, energy price, PUE and years of a search that states none")
        self.terms_button.clicked.connect(lambda: self._desk.dialogs.show("cost"))
        self.open_button = QPushButton("Open…")
        self.open_button.setToolTip("Read a search from a YAML file; its price list stands next to it")
        self.open_button.clicked.connect(self.choose_file)
        self.save_button = QPushButton("Save…")
        self.save_button.clicked.connect(self.save_file)

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
        self.best = RowTable("Best candidates", BEST, stretch="racks", widths=WIDTHS, tip=_why)
        self.built = RowTable("Candidates that keep all limits", BEST, stretch="racks", widths=WIDTHS, tip=_why)
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
        left = QWidget()
        spec = QVBoxLayout(left)
        spec.setContentsMargins(0, 0, 0, 0)
        files = QHBoxLayout()
        files.addWidget(label("Search", "section"), 1)
        files.addWidget(self.open_button)
        files.addWidget(self.save_button)
        spec.addLayout(files)
        spec.addWidget(self.text, 1)
        spec.addWidget(self.fault)
        costs = QHBoxLayout()
        costs.addWidget(self.basis, 1)
        costs.addWidget(self.terms_button)
        spec.addLayout(costs)
        spec.addWidget(self.stated)
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
        whole.addWidget(left)
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

    def choose_file(self) -> None:
        """Ask for a file and show the search in it."""
        path = self._desk.questions.open_path("Open a search", self._desk.preferences.folder("searches"), FILTER)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Show the search in a file; what it names stands next to it."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            self.show_fault(f"{path.name} cannot be read as text")
            return
        self._desk.preferences.set_folder("searches", path.resolve().parent)
        self._folder = path.resolve().parent
        self.text.setPlainText(text)
        self.read()

    def save_file(self) -> None:
        """Ask for a file and write the search into it."""
        path = self._desk.questions.save_path("Save the search", "search.yaml", FILTER)
        if path is None:
            return
        try:
            path.write_text(self.text.toPlainText(), encoding="utf-8")
        except OSError as error:
            self.show_fault(f"{path.name} cannot be written: {error.strerror}")

    def read(self) -> None:
        """Read what is typed; a mistake is shown, and where it is."""
        self._typed.stop()
        try:
            self.search = search_in(self.text.toPlainText(), "search", self._folder, _standing_basis(self._desk))
        except DesignerError as error:
            self.search = None
            self.show_fault(str(error))
            return
        self.show_fault("")

    def show_fault(self, text: str) -> None:
        """Say why there is nothing to search; "" where there is."""
        self.fault.refuse(text)
        self.stated.setText("" if text else where_of().sentence)
        self.basis.setText(sentence(self.search.basis) if self.search is not None else "")
        self.run_button.setEnabled(self.job.running or self.search is not None)

    def run_or_cancel(self) -> None:
        """Begin the search, or cancel it: what was found stays, and the next run goes on from there."""
        if self.job.running:
            self.job.cancel()
            return
        self.read()
        if self.search is not None:
            self.job.run(self.search, where_of())

    def _follow(self) -> None:
        self.run_button.setText("Cancel" if self.job.running else "Search")
        self.run_button.setEnabled(self.job.running or self.search is not None)
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
        _hide_unstated((self.best, self.built), found.search if found is not None else self.search)
        self.best.show_rows(best)
        self.built.show_rows(feasible)
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
        names = [one.title for one in objectives]
        if names == [self.across.itemText(number) for number in range(self.across.count())]:
            return
        for box, at in ((self.across, 1), (self.up, 0)):
            before = box.currentText()
            box.blockSignals(True)
            box.clear()
            for one in objectives:
                box.addItem(one.title, one)
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
            desk.views.show_canvas()
            desk.views.fit_later()
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
        self.windowHandle().setTransientParent(None)  # type: ignore[arg-type]
        super().showEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Read the search again when its window becomes active: another tab may have other prices and terms."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.read()

    def closeEvent(self, event: object) -> None:
        """Cancel what runs; what was found is kept."""
        self.job.cancel()
        super().closeEvent(event)  # type: ignore[arg-type]


def _why(row: Outcome, column: Column) -> str:
    if column.key in FAILURE:
        return sentence(row.failure)
    return row.why if column.key == "why" else "\n".join(filter(None, (row.candidate.full_text, row.why)))


def _standing_basis(desk: Desk) -> Basis:
    """The price lists and terms of this window, for a search that states none."""
    costs = desk.session.costs
    return Basis(costs.prices, costs.terms or NO_TERMS) if costs.prices is not None else NO_BASIS


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


def _hide_unstated(tables: Sequence[RowTable], search: Exploration | None) -> None:
    """A column that the search says nothing about would be empty."""
    at = [column.key for column in BEST].index(OPERATION)
    for table in tables:
        table.setColumnHidden(at, search is None or not search.has_operation)
