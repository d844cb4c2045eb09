"""Compare sizes of a fabric: what each is made of, and which links stay, move and are added from one to the next."""

import itertools
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from designer.analysis.growth import Growing, Stage, growth, sizes_in, step_sentence, table
from designer.errors import DesignerError
from designer.panels.widgets.fitting import keep_on_screen, scroll_inside
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import BusyBar
from designer.panels.widgets.row_table import RowTable
from designer.session.jobs import Outcome, Progress
from designer.session.timers import later
from designer.topologies.families import Family
from designer.windows.desk import Desk

LANE = "generate-growth"
TYPED_MS = 400
WIDTH_PX, HEIGHT_PX = 1020, 340


class GrowthDialog(QDialog):
    """Sizes are typed, such as 1,2,4; the table follows."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk
        self._growing: Growing | None = None
        self._parameters: Any = None
        self._family: Family | None = None
        self.setWindowTitle("Compare Sizes")
        self.caption = label("Sizes")
        self.sizes = QLineEdit()
        self.sizes.setAccessibleName("Sizes")
        self.caption.setBuddy(self.sizes)
        self.table = RowTable("Sizes compared", Stage.COLUMNS)
        self.remarks = label("", wrap=True)
        self.refusal = label("", "error", wrap=True)
        self._busy = BusyBar()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        top = QHBoxLayout()
        top.addWidget(self.caption)
        top.addWidget(self.sizes, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(12)
        column.addLayout(top)
        column.addWidget(self.table, 1)
        for one in (self.remarks, self.refusal, self._busy, buttons):
            column.addWidget(one)
        self._later = later(self, TYPED_MS, self.compare)
        self.sizes.textEdited.connect(lambda _: self._later.start())
        self.resize(WIDTH_PX, HEIGHT_PX)
        scroll_inside(self)

    def show_of(self, family: Family, growing: Growing, parameters: Any) -> None:
        """Compare sizes of a fabric with these parameters: its own, twice and four times that."""
        self._family, self._growing, self._parameters = family, growing, parameters
        now = growing.size_of(parameters)
        self.caption.setText(f"Numbers of {growing.noun}")
        self.sizes.setText(", ".join(str(now * times) for times in (1, 2, 4)))
        self.show()
        keep_on_screen(self)
        self.raise_()
        self.compare()

    def compare(self) -> None:
        """Build the sizes in a worker, and show what becomes of their links."""
        self._later.stop()
        family, growing, parameters = self._family, self._growing, self._parameters
        if family is None or growing is None:
            return
        try:
            sizes = [(size, growing.at(parameters, size)) for size in sizes_in(self.sizes.text())]
        except DesignerError as error:
            self._show((), str(error))
            return
        catalog = self._desk.catalog

        def work(_progress: Progress) -> tuple[Stage, ...]:
            return growth(family, sizes, catalog)

        self._busy.show()
        self._desk.session.jobs.run(LANE, work, self._take)

    def _take(self, outcome: Outcome) -> None:
        self._busy.hide()
        if outcome.error is not None:
            self._show((), str(outcome.error))
        elif outcome.value is not None:
            self._show(outcome.value)

    def _show(self, stages: Sequence[Stage], refusal: str = "") -> None:
        noun = self._growing.noun if self._growing is not None else ""
        self.table.show_rows(stages, table(stages).columns if stages else None)
        self.remarks.setText("\n".join(step_sentence(*pair, noun) for pair in itertools.pairwise(stages)))
        self.refusal.refuse(refusal)
