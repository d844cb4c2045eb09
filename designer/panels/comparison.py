"""The comparison with another file: every difference to click, and the figures of both sides next to each other."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from designer.drawing.palette import PLAIN, colour_in
from designer.errors import sentence
from designer.exchange.comparison.compared import Compared, ids_of, row_class, titled
from designer.exchange.comparison.figure_rows import FigureRow, PartRow
from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fitting import Said
from designer.panels.widgets.labels import ElidedLabel, EmptyState, enlarged, label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.row_table import RowTable
from designer.panels.widgets.wrapping import Wrapping
from designer.session.session import Session
from designer.tables.columns import Column, Columns, pick
from designer.units import format_count

reports = Late("designer.exchange.comparison.report")
against_files = Late("designer.exchange.comparison.against_files")

LIST_SHARE = 0.62
"""Of the width, where the figures have room enough in the rest: else they have half."""
FIGURES_PX = 400
"""What figures need with both sides and the change."""
LEAST_PX, FIGURES_LEAST_PX = 240, 310
SIDES = ("before", "after")
"""Columns that share what the others of the list leave, so that both sides are in sight."""
NAME_SHARE = 0.52
"""Of what these columns and the name have together, the most that the name takes before them."""
EXPLAINED_PX = 60
SIDE_LEAST_PX = 56
SIDE_WIDTHS = dict.fromkeys(SIDES, SIDE_LEAST_PX)
NAME_PX = 96
"""What names of figures have at least where a column of what was before is shown next to them."""
COMPUTING = "Computing the figures of both sides …"
PARTS = "part before after change"
COSTS = pick(PartRow.COLUMNS, "unit_price cost_before cost_after cost_change")
CHANGE = Column("change", "Change", value="brief_change", right=True)
FIGURES = (*pick(FigureRow.COLUMNS, "name before after"), CHANGE)
WIDTHS = {"name": 150, "what": 90, "before": 120, "after": 120, "planned": 150, "found": 150}


class ComparisonPanel(QWidget):
    """`going` carries what a row is about; `saving` a title, a suffix and what writes the file."""

    going = Signal(object)
    saving = Signal(str, str, object)
    file_wanted = Signal()
    beside_wanted = Signal()
    taking_over = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session, self._appearance, self._job = session, appearance, session.workbench.comparison
        self.state = label("", wrap=True)
        """While there is nothing to list: how far it is, or why there is nothing."""
        self.summary = ElidedLabel()
        self.note = ElidedLabel("", "muted")
        self.about = label("", "muted", wrap=True)
        """What differs between alternatives and how they were compared, over the list of their differences."""
        self.progress = ShareBar()
        self.progress.setMaximumWidth(160)
        self.unfold = _button("Differences", "", self._fold)
        self.unfold.setCheckable(True)
        """Of alternatives, whose figures come first."""
        self.stop = _button("Stop", "Stop comparing", self._job.cancel)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter differences")
        self.search.setAccessibleName("Filter differences")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(200)
        self.search.textChanged.connect(self._show_rows)
        self.list = RowTable("Differences", (), widths=WIDTHS, stretch="note", tip=_tip, look=self._look)
        self.list.chosen.connect(self._go)
        self.list.resized.connect(self._fit_list)
        self.figures = RowTable(
            "Figures of both sides",
            FIGURES,
            widths=SIDE_WIDTHS,
            stretch="name",
            tip=_figure_tip,
            look=self._figure_look,
        )
        self.figures.resized.connect(self._fit)
        columns = pick(PartRow.COLUMNS, PARTS)
        self.parts = RowTable("Parts of both sides", columns, widths=SIDE_WIDTHS, stretch="part", tip=_part_tip)
        for table in (self.list, self.figures, self.parts):  # names of alternatives differ at their ends, too
            table.header().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.empty = EmptyState(
            "What did a colleague change? What was built?",
            "File > Compare With… takes another design, the output of ibnetdiscover or lldpctl, or a list of cables: "
            "what differs has colors on the canvas, in the racks and on the floor, and is listed here.",
        )
        self.choose = _button("Compare With…", "Choose the file to compare with", self.file_wanted.emit)
        self.buttons: dict[str, QPushButton] = {}
        self._lay_out()
        self._job.changed.connect(self.refresh)
        self._job.progressed.connect(self.progress.show_share)
        appearance.changed.connect(self.list.shown.look_again)
        appearance.changed.connect(self.figures.shown.look_again)
        self.refresh()

    def _lay_out(self) -> None:
        self.tabs = QTabBar()
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self._bar = QHBoxLayout()
        self._bar.addWidget(self.note, 1)
        asked = QWidget()
        bar = Wrapping()
        asked.setLayout(bar)
        self._bar.addWidget(asked)
        for one in (self.progress, self.stop, self.unfold, self.search):
            bar.addWidget(one)
        for name, tip, act in (
            ("Side by Side", "Open the other design next to this one, before at the left", self.beside_wanted.emit),
            ("Swap", "Have what is before come after: in the list, the colors and the figures", self._job.swap),
            ("Again", "Compare once more, with the file as it is now", self._again),
            (
                "Take Over",
                "Have the cables of the design as they were built, as one step to undo",
                self.taking_over.emit,
            ),
            (
                "Page…",
                "Save a page with the drawing in these colors, the figures and every difference",
                self._save_page,
            ),
            ("Workbook…", "Save the figures, every difference and the parts as a workbook", self._save_book),
            ("Close", "Show no comparison any more (Esc)", self._job.end),
        ):
            button = self.buttons[name] = _button(name, tip, act)
            bar.addWidget(button)
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        self._sides.hide()  # until there is something in it, and with that the shares of both sides
        self._both = QWidget()
        self._figures_column = QVBoxLayout(self._both)
        self._figures_column.setContentsMargins(0, 0, 0, 0)
        self._figures_column.setSpacing(0)
        pages = QStackedWidget()
        self._figures_column.addWidget(self.tabs)
        self._figures_column.addWidget(pages, 1)
        self.tabs.addTab("Figures")
        pages.addWidget(self.figures)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        self.parts_title = label("Parts that differ in number", "muted", wrap=True)
        column.addWidget(self.parts_title)
        column.addWidget(self.parts, 1)
        column.addStretch(0)
        self.tabs.addTab("Parts")
        pages.addWidget(page)
        self.tabs.currentChanged.connect(pages.setCurrentIndex)
        self._listed = QWidget()
        column = QVBoxLayout(self._listed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._explained = Said(self.about)
        self._explained.setMaximumHeight(enlarged(EXPLAINED_PX))  # the list below it needs the room
        column.addWidget(self._explained)
        column.addWidget(self.list, 1)
        for side, least in ((self._listed, LEAST_PX), (self._both, FIGURES_LEAST_PX)):
            side.setMinimumWidth(least)
            self._sides.addWidget(side)
        self._shown = QWidget()
        inner = QVBoxLayout(self._shown)
        inner.setContentsMargins(10, 8, 8, 4)
        inner.setSpacing(4)
        inner.addWidget(self.summary)
        inner.addLayout(self._bar)
        inner.addWidget(self._sides, 1)
        inner.addWidget(self.state, 1)
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing = QWidget()
        teaching = QVBoxLayout(self._nothing)
        teaching.setContentsMargins(0, 0, 0, 8)
        teaching.addWidget(self.empty, 1)
        teaching.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignHCenter)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._shown, 1)
        outer.addWidget(self._nothing, 1)

    # -- doing it -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends the comparison."""
        if event.key() == Qt.Key.Key_Escape and self._job.path is not None:
            self._job.end()
        else:
            super().keyPressEvent(event)

    def _again(self) -> None:
        self._job.read_again()

    def _go(self, row: Any) -> None:
        found = self._job.found
        ids = ids_of(self._session.design, found, row) if found is not None else ()
        if ids:
            self.going.emit(ids)

    def _save_page(self) -> None:
        self._save("page", ".html", lambda report, path: path.write_text(reports.page_of(report), "utf-8"))

    def _save_book(self) -> None:
        self._save("workbook", ".xlsx", reports.write_report_book)

    def _save(self, kind: str, suffix: str, write: Callable[[Any, Path], object]) -> None:
        found, figures = self._job.found, self._job.figures
        if found is None or figures is None:
            return
        design = self._session.snapshot()

        def write_to(path: Path) -> None:
            write(against_files.report_of(design, found, figures), path)

        self.saving.emit(f"Comparison as {kind}", suffix, write_to)

    # -- showing ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the comparison of the session, how far it is, or how to ask for one."""
        job, found = self._job, self._job.found
        self._shown.setVisible(job.path is not None)
        self._nothing.setVisible(job.path is None)
        if job.path is None:
            return
        self.progress.setVisible(job.running)
        self.stop.setVisible(job.running)
        if found is not None and self._sides.isHidden():
            width = self._shown.width()
            figures = max(round(width * (1 - LIST_SHARE)), min(width // 2, enlarged(FIGURES_PX)))
            self._sides.setSizes([width - figures, figures])
        self._sides.setVisible(found is not None)
        self._put_in_order(found)
        self.state.setVisible(found is None)
        self.state.setText(sentence(job.error) if job.error is not None else f"Comparing with {job.path.name} …")
        self._say(job.path.name, found)
        for name in ("Side by Side", "Swap"):
            self.buttons[name].setVisible(found is not None and found.can_swap)
        self.buttons["Swap"].setEnabled(not job.running)
        self.buttons["Take Over"].setVisible(found is not None and found.is_as_built)
        self.buttons["Take Over"].setEnabled(found is not None and bool(found.rows) and not job.is_stale)
        for name in ("Page…", "Workbook…"):
            self.buttons[name].setEnabled(job.figures is not None)
        self.buttons["Again"].setEnabled(not job.running)
        if found is not None:
            self._show_rows()
            self._show_figures()

    def _say(self, name: str, found: Compared | None) -> None:
        """What is compared, how, and what differs: a line each; of alternatives, over the list of differences."""
        apart = found is not None and bool(found.alternatives)
        self.summary.setVisible(found is not None and not apart)
        self._explained.setVisible(apart)
        if found is None:
            self.note.set_text("")
            return
        headline, job = _headline(found), self._job
        self.summary.set_text(headline, found.summary)
        self.about.setText("\n".join((found.summary, *found.notes)))
        self.unfold.setText(f"Differences ({format_count(len(found.rows))})")
        self.unfold.setToolTip(plain_text(f"List what differs thing by thing, and by which rule. {headline}"))
        now = ["Of the design before the last edit: Again compares once more."] if job.is_stale else []
        now += [COMPUTING] if job.computes_figures else []
        notes = [*now, _order_text(name, found), *found.notes]
        text = "; ".join(one.removesuffix(".") for one in notes if one)
        short = ("Computing …",) if job.computes_figures and not job.is_stale else ()
        self.note.set_text(text, *((now[0] if now else "Compared as alternatives", *short, "") if apart else ()))

    def _put_in_order(self, found: Compared | None) -> None:
        """Of alternatives the figures first, with their tabs in the bar, and the list where it is asked for."""
        apart = found is not None and bool(found.alternatives)
        at = 0 if apart else 1
        if self._sides.indexOf(self._both) != at:
            self._sides.insertWidget(at, self._both)
        (self._bar if apart else self._figures_column).insertWidget(0, self.tabs)
        self.tabs.setVisible(found is not None)
        self._listed.setVisible(not apart or self.unfold.isChecked())
        self.unfold.setVisible(apart)
        self.search.setVisible(found is not None and not self._listed.isHidden())

    def _fold(self) -> None:
        self._put_in_order(self._job.found)

    def _show_rows(self, _text: str = "") -> None:
        found = self._job.found
        if found is None:
            return
        words = self.search.text().casefold().split()
        rows = [row for row in found.rows if _matches(row, found.columns, words)] if words else found.rows
        self.list.show_rows(rows, found.columns)
        self._fit_list()

    def _fit_list(self) -> None:
        """Give the name what it needs up to its share, and the sides a fair share of the room that is left."""
        keys = [column.key for column in self.list.shown.columns]
        if "after" not in keys:
            return
        header, name, what = self.list.header(), keys.index("name"), keys.index("what")
        numbers = [keys.index(key) for key in SIDES]
        header.resizeSection(what, self.list.wanted_px(what))  # whatever part of the list is in sight
        taken = sum(header.sectionSize(number) for number in range(len(keys)) if number not in (name, *numbers))
        room = self.list.viewport().width() - taken
        least = enlarged(SIDE_LEAST_PX)
        own = max(min(self.list.wanted_px(name), round(NAME_SHARE * room), room - len(numbers) * least), least)
        header.resizeSection(name, own)
        wanted = [max(self.list.wanted_px(one), least) for one in numbers]
        for number, width in zip(numbers, _shared(room - own, wanted), strict=True):
            header.resizeSection(number, max(width, least))

    def _show_figures(self) -> None:
        figures = self._job.figures
        self.figures.show_rows(figures.differing_first if figures is not None else (), self._titled(FIGURES))
        parts = figures.parts if figures is not None else ()
        self.parts.show_rows(parts, self._part_columns(parts))
        self.parts.setVisible(bool(parts))
        self._fit()
        self.tabs.setTabText(1, f"Parts ({format_count(len(parts))})" if parts else "Parts")
        self.parts_title.setText(
            COMPUTING if figures is None else "Parts that differ in number" if parts else "Both need the same parts."
        )

    def _part_columns(self, parts: Sequence[PartRow]) -> Columns:
        """Quantities, and costs where there are prices; the tooltip has the rest."""
        names = f"{PARTS} cost_change" if any(one.currency for one in parts) else PARTS
        return self._titled(pick(PartRow.COLUMNS, names))

    def _titled(self, columns: Columns) -> Columns:
        found = self._job.found
        return titled(columns, found.names if found is not None and found.alternatives else None)

    def _fit(self) -> None:
        """Cut the names of both sides where there is no room for them, and then leave out what was before."""
        for table in (self.figures, self.parts):
            header, sides = table.header(), [table.column(key) for key in SIDES]
            least = {one: max(table.sizeHintForColumn(one), enlarged(SIDE_LEAST_PX)) for one in sides}
            rest = [one for one in range(1, header.count()) if one not in sides]
            others = sum(max(table.sizeHintForColumn(n), header.sectionSizeFromContents(n).width()) for n in rest)
            room = self.figures.viewport().width() - enlarged(NAME_PX) - others
            is_narrow = sum(least.values()) > room
            table.setColumnHidden(sides[0], is_narrow)
            shown = sides[1:] if is_narrow else sides
            wanted = [max(least[one], header.sectionSizeFromContents(one).width()) for one in shown]
            for one, width in zip(shown, _shared(max(room, 0), wanted), strict=True):
                header.resizeSection(one, max(width, least[one]))

    def _look(self, row: Any, column: Column, role: int) -> Any:
        """The color of a difference on the drawing."""
        found = self._job.found
        if role != Qt.ItemDataRole.DecorationRole or found is None or column.key not in ("change", "fault"):
            return None
        colour = found.marked.marks.classes[row_class(found, row)].colour
        return None if colour == PLAIN else QColor(colour_in(colour, self._appearance.theme, ""))

    def _figure_look(self, row: FigureRow, _column: Column, role: int) -> Any:
        """Figures that are the same are quiet."""
        if role != Qt.ItemDataRole.ForegroundRole or not row.is_same:
            return None
        return QColor(self._appearance.theme.muted)


def _headline(found: Compared) -> str:
    """What is compared with what, and what differs."""
    first, second = found.names
    if found.source.is_generated:
        return f"{second}, changed since it was generated: {found.summary}"
    between = f"{first} as planned, {second} as built" if found.is_as_built else f"From {first} to {second}"
    return f"{between}: {found.summary}"


def _order_text(name: str, found: Compared) -> str:
    """Which side is before and by what that is known, with the name of the other file; "" where that is plain."""
    if not found.can_swap or found.alternatives:
        return ""
    first, second = (name, "this design") if found.is_swapped else ("this design", name)
    return f"Before: {first}, after: {second}{f', {found.order}' if found.order else ''}"


def _shared(room: int, wanted: Sequence[int]) -> list[int]:
    """Widths that fit into a room: those that want less than their share have what they want, others the rest."""
    widths, left = list(wanted), room
    for rest, number in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        widths[number] = min(wanted[number], left // (len(wanted) - rest))
        left -= widths[number]
    return widths


def _button(name: str, tip: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(name)
    button.setToolTip(plain_text(tip))
    button.clicked.connect(act)
    return button


def _matches(row: Any, columns: tuple[Column, ...], words: list[str]) -> bool:
    text = " ".join(column.shown(column.of(row)) for column in columns).casefold()
    return all(word in text for word in words)


def _tip(row: Any, column: Column) -> str:
    value = column.of(row)
    return f"{value}\nClick to go there" if value else "Click to go there"


def _figure_tip(row: FigureRow, _column: Column) -> str:
    return "\n".join(filter(None, (f"{row.name}: {row.change_text}" if row.change_text else row.name, row.note)))


def _part_tip(row: PartRow, _column: Column) -> str:
    costs = [f"{column.title}: {column.shown(column.of(row))} {row.currency}" for column in COSTS if row.currency]
    return "\n".join((f"{row.kind}: {row.part}", *costs))
