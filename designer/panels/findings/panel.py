"""The findings: what validation objects to, worst first, with a way there and a fix where there is one."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from designer.analysis.outlook import connections
from designer.errors import sentence
from designer.model.shown_text import plain_text
from designer.panels.findings.detail import LEAST_WIDTH_PX as FINDING_LEAST_PX
from designer.panels.findings.detail import WIDTH_PX as FINDING_PX
from designer.panels.findings.detail import FindingDetail, Offer, best, own, second
from designer.panels.findings.findings_model import (
    CODE_COLUMN,
    COLUMNS,
    FIX_COLUMN,
    LOOKS,
    NEWS_COLUMN,
    SUBJECTS_COLUMN,
    WIDTHS,
    FindingRow,
    names_of,
    rows_of,
)
from designer.panels.findings.grouping import BY_NAME, GROUPINGS, NONE, GroupHead, Shown, grouped
from designer.panels.findings.table import Filter, FindingsTable
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import Combo
from designer.panels.widgets.labels import ElidedLabel, EmptyState
from designer.panels.widgets.row_table import ROW_ROLE
from designer.session.session import Session
from designer.units import format_counted

if TYPE_CHECKING:
    from designer.validation.findings import Finding

CELL_MARGIN = 12
LEAST_COLUMN_PX = 60
MOST_SHARE_BESIDE = 0.25
"""Of the width, for each of the other columns."""
LIST_ALONE_PX = 850
"""In a narrower panel the list has all of the room until a finding is chosen."""
LIST_FIRST_PX = 560
"""The list is that wide before the finding that is read in full is given more than it needs."""
CODES_FROM_PX, FIXES_FROM_PX, WIDE_PX = 300, 680, 1000
"""Narrower tables show no codes, no fix, or not where a finding is: what is next to them does."""
LEAST_WIDTH_PX, GAP_PX = 400, 6
MOST_NAMED = 40
"""Of the things a finding is about."""
ALWAYS_COUNTED = ("error", "warning", "info", "waived", "not checked")


class FindingsPanel(QWidget):
    """Table of findings and of what was not checked.

    `going` carries subjects, `counted` the numbers for the title, `rule_wanted` the code of a rule to explain.
    """

    going = Signal(object)
    counted = Signal(int, int)
    rule_wanted = Signal(str)
    waiver_wanted = Signal()
    fixes_wanted = Signal(str)
    preview_wanted = Signal()
    preview_other_wanted = Signal()
    previews_wanted = Signal(str)
    grouping_changed = Signal(str)
    row_changed = Signal()

    def __init__(self, session: Session, appearance: Appearance, grouped_by: str = NONE) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.grouping = BY_NAME.get(grouped_by, BY_NAME[NONE])
        self._closed: set[str] = set()
        """Titles of headings whose findings are not shown."""
        self.filter = Filter()
        self.table = FindingsTable(appearance, self.filter)
        self.model = self.table.shown
        self._rows: list[FindingRow] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter findings")
        self.search.setAccessibleName("Filter findings")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(240)
        self.search.setMinimumWidth(60)
        self.search.textChanged.connect(self._refilter)
        self.group_by = Combo()
        self.group_by.setAccessibleName("Group findings by")
        self.group_by.setToolTip(plain_text("Group findings by severity, rule, device, rack or network"))
        for one in GROUPINGS:
            self.group_by.addItem("No groups" if one.name == NONE else f"By {one.title.lower()}", one.name)
        self.group_by.setCurrentIndex(GROUPINGS.index(self.grouping))
        self.group_by.currentIndexChanged.connect(lambda number: self.group(GROUPINGS[number].name))
        self.toggles = {severity: self._make_toggle(severity) for severity in LOOKS}
        self.state = ElidedLabel("", "muted")
        self.waiting = QPushButton()
        self.waiting.setProperty("kind", "quiet")
        self.waiting.setToolTip(plain_text("Check everything, and show their findings now"))
        self.waiting.clicked.connect(session.workbench.validation.check_all)
        self.detail = FindingDetail()
        self.fix, self.fix_all, self.waive = self.detail.fix, self.detail.fix_all, self.detail.waive
        self.explain = self.detail.explain
        self._empty = EmptyState("", "")
        self._is_moved = False
        """Whether somebody has said how wide the list is."""
        self._fitted: object = None
        """What was listed when columns were last made as wide as it needs."""
        self._lay_out()
        self._connect()
        self._recolour()
        self.refresh()

    def _connect(self) -> None:
        session, table, detail = self._session, self.table, self.detail
        table.resized.connect(lambda: self._fit(is_first=True))
        table.chosen.connect(self._take)
        table.opening.connect(self._open_or_close)
        table.current_changed.connect(self._explain)
        table.current_changed.connect(self.row_changed)
        table.preview_wanted.connect(self.preview_wanted)
        detail.fix_wanted.connect(self.apply_fix)
        detail.other_wanted.connect(partial(self.apply_fix, second))
        detail.preview_wanted.connect(self.preview_wanted)
        detail.preview_other_wanted.connect(self.preview_other_wanted)
        detail.fixes_wanted.connect(lambda: self.fixes_wanted.emit(self._code))
        detail.previews_wanted.connect(lambda: self.previews_wanted.emit(self._code))
        detail.waiver_wanted.connect(self.waiver_wanted)
        detail.rule_wanted.connect(lambda: self.rule_wanted.emit(self._code))
        session.workbench.validation.state_changed.connect(self.refresh)
        session.workbench.validation.fixes.changed.connect(self._explain)
        session.reset.connect(self.refresh)
        session.selection_changed.connect(self._follow_selection)
        self._appearance.changed.connect(self._recolour)

    def _make_toggle(self, severity: str) -> QPushButton:
        toggle = QPushButton()
        toggle.setCheckable(True)
        toggle.setChecked(True)
        toggle.setProperty("kind", "quiet")
        toggle.setToolTip(plain_text(f"Show or hide {LOOKS[severity].title.lower()}"))
        toggle.toggled.connect(lambda shown: self._show_severity(severity, shown))
        return toggle

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        top = QHBoxLayout()
        top.setContentsMargins(8, 0, 8, 0)
        top.setSpacing(4)
        for toggle in self.toggles.values():
            top.addWidget(toggle)
        top.addWidget(self.state, 1)
        top.addWidget(self.group_by)
        top.addWidget(self.search)
        column.addLayout(top)
        column.addWidget(self.waiting, 0, Qt.AlignmentFlag.AlignLeft)
        body = self._body = QSplitter(Qt.Orientation.Horizontal)
        body.splitterMoved.connect(self._note_moved)
        body.setChildrenCollapsible(False)
        body.addWidget(self.table)
        body.addWidget(self.detail)
        body.setStretchFactor(0, 1)
        layers = QWidget()
        self._layers = QStackedLayout(layers)
        self._layers.addWidget(body)
        self._layers.addWidget(self._empty)
        column.addWidget(layers, 1)

    def minimumSizeHint(self) -> QSize:
        """Less than the strip would like: in a narrow panel it counts without words."""
        return QSize(LEAST_WIDTH_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the words of the strip where there is room for them."""
        super().resizeEvent(event)
        self._show_counts()
        self._share_room()

    def _share_room(self) -> None:
        """In a narrow panel the list has all of it, until there is a finding to be read in full."""
        is_narrow = self.width() < LIST_ALONE_PX
        self.detail.setHidden(is_narrow and self.current_row() is None)
        if not self._is_moved:
            beside = max(FINDING_LEAST_PX, min(FINDING_PX, self.width() - LIST_FIRST_PX))
            self._body.setSizes([self.width() - beside, beside])

    def _note_moved(self) -> None:
        self._is_moved = True

    def _show_counts(self) -> None:
        counts = Counter(row.severity for row in self._rows)
        is_known = self._session.workbench.validation.report is not None or not self._session.design.devices
        for severity, toggle in self.toggles.items():
            number = f"{counts[severity]}" if is_known else "…"
            toggle.setText(f"{number} {LOOKS[severity].noun(counts[severity])}")
            toggle.setVisible(counts[severity] > 0 or severity in ALWAYS_COUNTED)
        beside = sum(one.sizeHint().width() for one in (self.group_by, self.search))
        shown = (toggle for toggle in self.toggles.values() if not toggle.isHidden())
        if sum(toggle.sizeHint().width() + GAP_PX for toggle in shown) + beside > self.width():
            for toggle in self.toggles.values():
                toggle.setText(toggle.text().split()[0])

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the findings of the last check, with the same one current, or that a check is running.

        `counted` carries how many errors and warnings there are.
        """
        session = self._session
        kept, was_empty = self.current_row(), not self.model.rows
        validation = session.workbench.validation
        if validation.report is None or validation.report_now is not None or not self._rows:
            self._rows = rows_of(validation.report, session.design, validation.news)
            self._show_rows()
        rows = self._rows
        self.table.setColumnHidden(NEWS_COLUMN, not any(row.news for row in rows))
        counts = Counter(row.severity for row in rows)
        self._show_counts()
        if session.workbench.validation.error:
            self.state.set_text(sentence(session.workbench.validation.error))
        else:
            busy = bool(session.design.devices) and not validation.is_current
            words = "Checking the whole fabric …" if validation.is_followed else "Checking …"
            self.state.set_text(words if busy else "")
        self._count_waiting(len(session.workbench.validation.waiting))
        listed = self.grouping, len(self.model.rows), [(row.subjects, row.fix) for row in self._rows]
        if listed != self._fitted or was_empty:  # Qt asks a thousand cells how wide they are
            self._fitted = listed
            self._fit(is_first=was_empty)
        self._choose_layer()
        self._select_like(kept)
        self._explain()
        self.counted.emit(counts["error"], counts["warning"])

    def _count_waiting(self, count: int) -> None:
        whose = "its" if count == 1 else "their"
        about = format_counted(count, "device")
        self.waiting.setText(f"Findings about {about} under construction wait until {whose} first link: check all now")
        self.waiting.setVisible(count > 0)

    def _fit(self, *, is_first: bool) -> None:
        """Where, and the fix, take no more room than they need, and in a narrow panel no more than the finding.

        Unless they are shown for the first time they are only widened, for findings that need it.
        """
        width_px = self.table.viewport().width()
        self.table.setColumnHidden(CODE_COLUMN, width_px < CODES_FROM_PX)
        self.table.setColumnHidden(SUBJECTS_COLUMN, width_px < WIDE_PX or not any(row.subjects for row in self._rows))
        self.table.setColumnHidden(FIX_COLUMN, width_px < FIXES_FROM_PX or not any(row.fix for row in self._rows))
        for column in (SUBJECTS_COLUMN, FIX_COLUMN):
            needed, most = self.table.sizeHintForColumn(column) + CELL_MARGIN, WIDTHS[COLUMNS[column].key]
            share = round(width_px * MOST_SHARE_BESIDE)
            width = max(LEAST_COLUMN_PX, min(needed, most, share))
            if is_first or width > self.table.columnWidth(column):
                self.table.setColumnWidth(column, width)

    def _choose_layer(self) -> None:
        if not self._session.design.devices:
            self._empty.say("Nothing to check yet.", "Every edit is checked at once; problems are listed here.")
        elif self.model.rows:
            self._empty.say("The filter hides all findings.", "Clear it, or switch a severity back on.")
        elif self._session.workbench.validation.report is None:
            self._empty.say("No findings yet.", "The design is being checked.")
        elif self._session.workbench.validation.waiting:
            self._empty.say("No findings about what is connected.", "F7 checks what is under construction too.")
        else:
            self._empty.say("No findings.", "Every rule that applies to this design was checked and is satisfied.")
        self._layers.setCurrentIndex(0 if self.filter.rowCount() else 1)

    def _select_like(self, kept: Shown | None) -> None:
        if kept is None:
            return
        for number, row in enumerate(self.model.rows):
            if (_is_head(row), row.code, row.message) == (_is_head(kept), kept.code, kept.message):
                self.table.setCurrentIndex(self.filter.mapFromSource(self.model.index(number, 0)))
                return

    def _explain(self) -> None:
        row, validation = self.current_row(), self._session.workbench.validation
        code = self._code
        self.setProperty("rule", code)  # F1 leads to its page
        finding = row.finding if row is not None else None
        is_fixable = (isinstance(row, GroupHead) and bool(code)) or bool(row is not None and row.fix)
        n_alike = sum(one.code == code and bool(one.fix) for one in self._rows) if is_fixable else 0
        where = names_of(self._session.design, finding.subjects, MOST_NAMED) if finding is not None else ""
        is_current, holds = validation.is_current, validation.holds(code)
        where = f"Where: {where}" if where else ""
        if self.isVisible() or finding is None:
            validation.fixes.read(finding)
        found = validation.fixes.known
        fix = found[0].edit if found else finding.fix if finding is not None else None
        connected = sentence(connections(self._session.design, fix)) if fix is not None and holds else ""
        offers = [Offer(one.label, one.effect) for one in found] or [Offer(row.fix) for row in [row] if row and row.fix]
        if validation.fixes.is_trying:
            offers = [replace(one, effect="Checking what it changes …") for one in offers]
        self.detail.show_row(row, where, n_alike, offers, is_current=is_current, holds=holds, connected=connected)
        self._share_room()

    def _recolour(self) -> None:
        for severity, toggle in self.toggles.items():
            toggle.setIcon(self._appearance.icon(LOOKS[severity].icon, LOOKS[severity].colour))
        self.waiting.setIcon(self._appearance.icon("validate", "accent"))
        self.model.look_again()

    # -- choosing -------------------------------------------------------------------------------------------------

    def current_row(self) -> Shown | None:
        """The row that is current in the table: a finding, a rule not checked or a heading; None where none is."""
        row: Shown | None = self.table.current
        return row

    @property
    def _code(self) -> str:
        """The rule of the current row; "" where there is none."""
        row = self.current_row()
        return row.code if row is not None else ""

    def chosen_findings(self) -> "list[Finding]":
        """The findings of the selected rows, in the order of the table; of a heading all that are under it."""
        model = self.table.selectionModel()
        rows = [index.data(ROW_ROLE) for index in sorted(model.selectedRows(), key=lambda index: index.row())]
        under = [one for row in rows for one in (filter(self.filter.accepts, row.rows) if _is_head(row) else (row,))]
        return list({id(row): row.finding for row in under if row.finding is not None}.values())

    def current_finding(self) -> "Finding | None":
        """The finding that is current in the table; None where none is, or it is a rule not checked."""
        row = self.current_row()
        return row.finding if row is not None else None

    def show_finding(self, finding: "Finding") -> None:
        """Make a finding the current one, where it is listed."""
        for number, row in enumerate(self.model.rows):
            index = self.filter.mapFromSource(self.model.index(number, 0))
            if row.finding is finding and index.isValid():
                self.table.setCurrentIndex(index)
                return

    def _follow_selection(self) -> None:
        """Show the worst finding about what is selected alone, unless the one that is shown is about it too."""
        selection = self._session.selection
        about = self._session.workbench.validation.about(selection) if len(selection) == 1 else []
        current = self.current_finding()
        if about and not any(one is current for one in about):
            self.show_finding(about[0])

    def step(self, by: int) -> None:
        """Go to the next or previous finding, round and round, past headings and what is under closed ones."""
        count = self.filter.rowCount()
        current = self.table.currentIndex().row()
        row = current if current >= 0 else (-1 if by > 0 else count)
        for _ in range(count):
            row = (row + by) % count
            index = self.filter.index(row, 0)
            if self.table.head_at(index) is None:
                self.table.setCurrentIndex(index)
                self._take(self.table.current)
                return

    def group(self, name: str) -> None:
        """Group the findings in the way of that name; `grouping_changed` carries it."""
        if name == self.grouping.name or name not in BY_NAME:
            return
        kept = self.current_row()
        self.grouping = BY_NAME[name]
        self._closed.clear()
        self.group_by.setCurrentIndex(GROUPINGS.index(self.grouping))
        self._show_rows()
        self._select_like(kept)
        self._choose_layer()
        self.grouping_changed.emit(name)

    def _open_or_close(self, head: GroupHead) -> None:
        (self._closed.add if head.is_open else self._closed.discard)(head.title)
        at = self.table.verticalScrollBar().value()
        self._show_rows()
        self._select_like(head)
        self.table.verticalScrollBar().setValue(at)

    def _show_rows(self) -> None:
        shown = grouped(self._rows, self.grouping, self._session.design, self._closed)
        self.filter.note_heads(shown)
        self.model.show_rows(shown)

    def apply_fix(self, choose: Callable[[Sequence[Any]], Any] = best) -> None:
        """Push what fixes the current finding best, or what `choose` takes of it; undo takes it back."""
        finding = self.current_finding()
        if finding is None or finding.waiver is not None:
            return
        if not self._session.workbench.validation.holds(finding.code):
            self._session.message.emit(
                "The design has changed since the check: wait for the next check to finish, then apply the fix."
            )
            return
        self._session.workbench.validation.fixes.apply(finding, choose)

    def _take(self, row: Shown) -> None:
        """Apply the fix that was clicked, or go to what the finding is about."""
        if row.fix and self.table.currentIndex().column() == FIX_COLUMN:
            self.apply_fix(own)
        elif row.finding is not None and row.finding.subjects:
            self.going.emit(frozenset(row.finding.subjects))

    def _refilter(self, text: str) -> None:
        self.filter.show_words(text)
        self._choose_layer()

    def _show_severity(self, severity: str, shown: bool) -> None:
        self.filter.show_severity(severity, shown)
        self._choose_layer()


def _is_head(row: Shown) -> bool:
    return isinstance(row, GroupHead)
