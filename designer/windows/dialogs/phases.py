"""Growth in phases: sizes, marks or a plan, the work that they take, as a table and a picture to hand over."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.billing.prices import NO_PRICES
from designer.analysis.billing.terms import NO_TERMS
from designer.analysis.growth import sizes_in
from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.parts.growth import GrowthPicture
from designer.errors import DesignerError, ParameterError, sentence
from designer.exchange.file_names import export_name, file_stem
from designer.fields.field import fields_of
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.field_form import FieldForm
from designer.panels.widgets.fields import form
from designer.panels.widgets.fitting import FormColumn
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import BusyBar
from designer.panels.widgets.row_table import RowTable
from designer.phases.handover import write_plan
from designer.phases.making import growing_of, has_marks, phases_of_marks, phases_of_sizes
from designer.phases.picture import growth_picture
from designer.phases.request import WorkTimes
from designer.phases.spec import read_plan
from designer.phases.steps import PhaseStep, phase_steps
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.tables.columns import pick
from designer.windows.desk import Desk
from designer.windows.dialogs.worker_dialog import record_in

LANE = "phases"
TYPED_MS = 500
WIDTH_PX, HEIGHT_PX, FORM_PX = 1080, 660, 270
SHOWN = "name gpus install dismount unplugged pull move remove kept capital work time"
PLANS = "Plans (*.yaml *.yml)"
FILES = "Page (*.html);;Workbook (*.xlsx);;Picture (*.svg);;JSON (*.json);;CSV (*.csv)"


class GrowthView(QWidget):
    """Draws the picture of a plan, in its own size."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._picture: GrowthPicture | None = None
        self.setAccessibleName("Picture of the phases")

    def show_picture(self, picture: GrowthPicture | None) -> None:
        """Show another plan, or none."""
        self._picture = picture
        page = picture.document(self._appearance.theme, Fonts(self.font())) if picture is not None else None
        self.setFixedSize(QSize(*map(round, page.area[2:])) if page is not None else QSize(10, 10))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture on the background of the theme."""
        del event
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), QColor(self._appearance.theme.background))
            if self._picture is not None:
                fonts = Fonts(self.font())
                paint(painter, self._picture.document(self._appearance.theme, fonts).layers, fonts)
        finally:
            painter.end()


class PhasesDialog(QDialog):
    """Stays open next to the window. What is typed takes effect after a moment; the plan is built in a worker."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._plan: Path | None = None
        self.steps: tuple[PhaseStep, ...] = ()
        self.setWindowTitle("Growth in Phases")
        self.caption = label("Sizes")
        self.sizes = QLineEdit()
        self.sizes.setAccessibleName("Sizes")
        self.sizes.setPlaceholderText("such as 64, 128")
        self.caption.setBuddy(self.sizes)
        self.choose = QPushButton("Open Plan…")
        self.choose.setToolTip("A YAML file with a family and its parameters in each phase")
        self.choose.clicked.connect(self._open)
        self.form = FieldForm(desk.catalog)
        rows = form()
        self.form.setLayout(rows)
        for field in fields_of(WorkTimes).values():
            self.form.add(field, rows)
        self.table = RowTable("Phases", pick(PhaseStep.COLUMNS, SHOWN), stretch="name", tip=lambda row, _: row.sentence)
        self.picture = GrowthView(desk.appearance)
        self.remark = label("", "muted", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self._busy = BusyBar()
        self._busy.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Close)
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.close)
        self._lay_out()
        self._later = later(self, TYPED_MS, self.compute)
        self.sizes.textEdited.connect(lambda _text: self._later.start())
        self.form.changed.connect(lambda *_changed: self._later.start())
        desk.session.costs.priced_anew.connect(self._follow)
        desk.session.settled.connect(self._follow)
        desk.session.reset.connect(self._start_over)
        desk.appearance.changed.connect(self._draw)
        self.resize(WIDTH_PX, HEIGHT_PX)
        self._start_over()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.caption)
        top.addWidget(self.sizes, 1)
        top.addWidget(self.choose)
        scroll = QScrollArea()
        scroll.setWidget(self.picture)
        upper, lower = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Vertical)
        upper.addWidget(scroll)
        upper.addWidget(FormColumn(self.form, FORM_PX))
        upper.setSizes([WIDTH_PX, 1])
        lower.addWidget(upper)
        lower.addWidget(self.table)
        lower.setSizes([440, 130])
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(10)
        column.addLayout(top)
        column.addWidget(lower, 1)
        for one in (self.remark, self.refusal, self._busy, self.buttons):
            column.addWidget(one)

    def _start_over(self) -> None:
        """Begin with the marks or the sizes of the design that is open."""
        self._plan = None
        design = self._desk.session.design
        try:
            grows, size = growing_of(design)
            self.caption.setText(f"Later numbers of {grows.noun}")
            self.sizes.setText(f"{2 * size}, {4 * size}")
        except ParameterError:
            self.sizes.clear()
        self._follow()

    def _follow(self, *_edit: object) -> None:
        if self.isVisible():
            self._later.start()

    def showEvent(self, event: object) -> None:
        """Build the plan when it is first seen, and after edits that were made meanwhile."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._later.start()

    def _open(self) -> None:
        path = self._desk.questions.open_path("Open Plan", self._desk.preferences.folder("plans"), PLANS)
        if path is not None:
            self._plan = path
            self._desk.preferences.set_folder("plans", path.parent)
            self.compute()

    def compute(self) -> None:
        """Build the phases in a worker, and show them."""
        self._later.stop()
        try:
            work = self._work(record_in(self.form, WorkTimes))
        except DesignerError as error:
            self._show((), str(error))
            return
        self._busy.show()
        self._desk.session.jobs.run(LANE, work, self._take)

    def _work(self, times: WorkTimes) -> Any:
        session, catalog, plan = self._desk.session, self._desk.catalog, self._plan
        design, prices, terms = session.snapshot(), session.costs.prices, session.costs.terms
        is_marked = plan is None and has_marks(design)
        self.sizes.setEnabled(plan is None and not is_marked)
        if plan is None and not is_marked:
            growing_of(design)  # what has neither is refused with what to do
        sizes = sizes_in(self.sizes.text()) if self.sizes.isEnabled() else ()

        def work(_progress: Progress) -> tuple[PhaseStep, ...]:
            stated = times
            if plan is not None:
                read = read_plan(plan, catalog)
                phases = read.phases
                stated = times if times != WorkTimes() else read.times
            else:
                phases = phases_of_marks(design) if is_marked else phases_of_sizes(design, sizes, catalog)
            return phase_steps(phases, catalog.types, prices or NO_PRICES, terms or NO_TERMS, stated)

        return work

    def _take(self, outcome: Outcome) -> None:
        self._busy.hide()
        if outcome.error is not None:
            self._show((), outcome.error)
        elif outcome.value is not None:
            self._show(outcome.value)

    def _show(self, steps: tuple[PhaseStep, ...], refusal: str = "") -> None:
        self.steps = steps
        self.table.show_rows(steps)
        self.remark.setText("\n".join(f"{step.name}: {step.sentence}" for step in steps[1:]))
        self.remark.setVisible(bool(steps[1:]))
        self.refusal.refuse(refusal)
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(bool(steps))
        self._draw()

    def _draw(self) -> None:
        self.picture.show_picture(growth_picture(self._title, self.steps) if self.steps else None)

    @property
    def _title(self) -> str:
        return self._desk.session.design.name if self._plan is None else self._plan.stem

    @property
    def _file_name(self) -> str:
        if self._plan is None:
            return export_name(self._desk.session.design, "phases", ".html")
        return f"{file_stem(self._plan.stem)}-phases.html"

    def _save(self) -> None:
        folder = self._desk.preferences.folder("exports")
        path = self._desk.questions.save_path("Save Plan", str(Path(folder) / self._file_name), FILES)
        if path is None:
            return
        write = partial(write_plan, self._title, self.steps)
        try:
            write(path if path.suffix else path.with_suffix(".html"))
        except (DesignerError, OSError) as error:
            self._desk.notice.complain(sentence(str(error)))
            return
        self._desk.notice.say(f"{path.name} saved: {len(self.steps)} phases.")
