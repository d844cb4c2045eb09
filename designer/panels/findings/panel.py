"""The findings: what validation objects to, worst first, with a way there and a fix where there is one."""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from designer.errors import sentence
from designer.model.shown_text import in_menu, plain_text
from designer.panels.findings.findings_model import (
    COLUMNS,
    FIX_COLUMN,
    LOOKS,
    MESSAGE_COLUMN,
    NEWS_COLUMN,
    SUBJECTS_COLUMN,
    WIDTHS,
    FindingRow,
    MessageDelegate,
    look,
    rows_of,
    tip,
)
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel, EmptyState, label
from designer.panels.widgets.row_table import ROW_ROLE, RowTable, Sorted
from designer.session.session import Session
from designer.units import format_counted

if TYPE_CHECKING:
    from designer.validation.findings import Finding

CELL_MARGIN = 12
REASON_LINES = 2
FIX_MOST_PX = 220
"""Of the text on the button of a fix; its tooltip and the table have the whole."""
LEAST_COLUMN_PX = 60
MOST_SHARE_BESIDE = 0.25
"""Of the width, for each of the columns beside the finding."""


class _Filter(Sorted):
    """Rows of the chosen severities that contain all words."""

    def __init__(self) -> None:
        super().__init__()
        self._words: list[str] = []
        self._hidden: set[str] = set()

    def show_words(self, text: str) -> None:
        self._words = text.lower().split()
        self.invalidate()

    def show_severity(self, severity: str, shown: bool) -> None:
        (self._hidden.discard if shown else self._hidden.add)(severity)
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: object) -> bool:
        row = self.sourceModel().index(source_row, 0).data(ROW_ROLE)
        return row.severity not in self._hidden and all(word in row.haystack for word in self._words)


class FindingsPanel(QWidget):
    """Table of findings and of what was not checked.

    `going` carries subjects, `counted` the numbers for the title, `rule_wanted` the code of a rule to explain.
    """

    going = Signal(object)
    counted = Signal(int, int)
    rule_wanted = Signal(str)
    waiver_wanted = Signal()
    fixes_wanted = Signal(str)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.filter = _Filter()
        self.table = self._make_table()
        self.model = self.table.shown
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter findings")
        self.search.setAccessibleName("Filter findings")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(240)
        self.search.textChanged.connect(self._refilter)
        self.toggles = {severity: self._make_toggle(severity) for severity in LOOKS}
        self.state = ElidedLabel("", "muted")
        self.waiting = QPushButton()
        self.waiting.setProperty("kind", "quiet")
        self.waiting.setToolTip(plain_text("Show their findings now"))
        self.waiting.clicked.connect(session.workbench.validation.check_all)
        self.reason = label("", "muted", wrap=True)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.fix = QPushButton("Apply fix")
        self.fix.clicked.connect(self.apply_fix)
        self.fix_all = QPushButton()
        self.fix_all.clicked.connect(lambda: self.fixes_wanted.emit(str(self.property("rule"))))
        self.waive = QPushButton()
        self.waive.setProperty("kind", "quiet")
        self.waive.clicked.connect(self.waiver_wanted)
        self.explain = QPushButton()
        self.explain.setProperty("kind", "quiet")
        self.explain.clicked.connect(lambda: self.rule_wanted.emit(str(self.property("rule"))))
        self._empty = EmptyState("", "")
        self._lay_out()
        session.workbench.validation.state_changed.connect(self.refresh)
        session.reset.connect(self.refresh)
        appearance.changed.connect(self._recolour)
        self._recolour()
        self.refresh()

    def _make_table(self) -> RowTable:
        table = RowTable(
            "Findings",
            COLUMNS,
            stretch="message",
            widths=WIDTHS,
            tip=tip,
            look=partial(look, self._appearance),
            proxy=self.filter,
        )
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setItemDelegateForColumn(MESSAGE_COLUMN, MessageDelegate(table))
        table.header().moveSection(NEWS_COLUMN, 1)
        table.resized.connect(lambda: self._fit(is_first=True))
        table.chosen.connect(self._take)
        table.current_changed.connect(self._explain)
        return table

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
        top.addWidget(self.search)
        column.addLayout(top)
        column.addWidget(self.waiting, 0, Qt.AlignmentFlag.AlignLeft)
        body = QWidget()
        self._layers = QStackedLayout(body)
        self._layers.addWidget(self.table)
        self._layers.addWidget(self._empty)
        column.addWidget(body, 1)
        # Both keep their room while empty: rows that move between press and release of the mouse take no click.
        self.reason.setFixedHeight(REASON_LINES * self.reason.fontMetrics().lineSpacing())
        for kept in (self.reason, self.explain, self.fix):
            policy = kept.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            kept.setSizePolicy(policy)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(10, 0, 8, 6)
        bottom.setSpacing(8)
        bottom.addWidget(self.reason, 1)
        for button in (self.explain, self.waive, self.fix_all, self.fix):
            bottom.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(bottom)

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the findings of the last check, with the same one current, or that a check is running.

        `counted` carries how many errors and warnings there are.
        """
        session = self._session
        kept, was_empty = self.current_row(), not self.model.rows
        validation = session.workbench.validation
        if validation.report is None or validation.report_now is not None or not self.model.rows:
            self.model.show_rows(rows_of(validation.report, session.design, validation.news))
        rows = self.model.rows
        self.table.setColumnHidden(NEWS_COLUMN, not any(row.news for row in rows))
        self.table.setColumnHidden(SUBJECTS_COLUMN, not any(row.subjects for row in rows))
        self.table.setColumnHidden(FIX_COLUMN, not any(row.fix for row in rows))
        counts = Counter(row.severity for row in self.model.rows)
        for severity, toggle in self.toggles.items():
            toggle.setText(f"{counts[severity]} {LOOKS[severity].noun(counts[severity])}")
        for severity in ("waived", "fixed"):
            self.toggles[severity].setVisible(counts[severity] > 0)
        if session.workbench.validation.error:
            self.state.set_text(sentence(session.workbench.validation.error))
        else:
            busy = bool(session.design.devices) and not validation.is_current
            words = "Checking the whole fabric …" if validation.is_followed else "Checking …"
            self.state.set_text(words if busy else "")
        self._count_waiting(len(session.workbench.validation.waiting))
        self._fit(is_first=was_empty)
        self._choose_layer()
        self._select_like(kept)
        self._explain()
        self.counted.emit(counts["error"], counts["warning"])

    def _count_waiting(self, count: int) -> None:
        whose = "its" if count == 1 else "their"
        about = format_counted(count, "device")
        self.waiting.setText(f"Findings about {about} under construction wait until {whose} first link")
        self.waiting.setVisible(count > 0)

    def _fit(self, *, is_first: bool) -> None:
        """Where, and the fix, take no more room than they need, and in a narrow panel no more than the finding.

        Unless they are shown for the first time they are only widened, for findings that need it.
        """
        for column in (SUBJECTS_COLUMN, FIX_COLUMN):
            needed, most = self.table.sizeHintForColumn(column) + CELL_MARGIN, WIDTHS[COLUMNS[column].key]
            share = round(self.table.viewport().width() * MOST_SHARE_BESIDE)
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

    def _select_like(self, kept: FindingRow | None) -> None:
        if kept is None:
            return
        for number, row in enumerate(self.model.rows):
            if (row.code, row.message) == (kept.code, kept.message):
                self.table.setCurrentIndex(self.filter.mapFromSource(self.model.index(number, 0)))
                return

    def _explain(self) -> None:
        row = self.current_row()
        finding = row.finding if row is not None else None
        self.reason.setText((row.reason if row is not None else "") or "")
        self.reason.setVisible(bool(self.reason.text()))
        code = row.code if row is not None else ""
        self.setProperty("rule", code)
        self.explain.setVisible(bool(code))
        self.explain.setText(f"About {code}")
        fixable = row is not None and bool(row.fix)
        self.fix.setVisible(fixable)
        n_alike = sum(one.code == code and bool(one.fix) for one in self.model.rows) if fixable else 0
        self.fix_all.setVisible(n_alike > 1)
        self.fix_all.setText(f"Fix all {n_alike} of {code}")
        self.fix_all.setEnabled(self._session.workbench.validation.is_current)
        self.waive.setVisible(finding is not None)
        self.waive.setText("Withdraw Waiver" if row is not None and row.severity == "waived" else "Waive…")
        self.fix.setEnabled(fixable and self._session.workbench.validation.holds(code))
        if finding is not None and finding.fix is not None:
            whole = f"Fix: {finding.fix.label}"
            short = self.fix.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideMiddle, FIX_MOST_PX)
            self.fix.setText(in_menu(short))
            self.fix.setToolTip(plain_text(whole))

    def _recolour(self) -> None:
        for severity, toggle in self.toggles.items():
            toggle.setIcon(self._appearance.icon(LOOKS[severity].icon, LOOKS[severity].colour))
        self.model.look_again()

    # -- choosing -------------------------------------------------------------------------------------------------

    def current_row(self) -> FindingRow | None:
        """The row that is current in the table, a finding or a rule not checked; None where none is."""
        row: FindingRow | None = self.table.current
        return row

    def chosen_findings(self) -> "list[Finding]":
        """The findings of the selected rows, in the order of the table."""
        model = self.table.selectionModel()
        rows = [index.data(ROW_ROLE) for index in sorted(model.selectedRows(), key=lambda index: index.row())]
        return [row.finding for row in rows if row.finding is not None]

    def current_finding(self) -> "Finding | None":
        """The finding that is current in the table; None where none is, or it is a rule not checked."""
        row = self.current_row()
        return row.finding if row is not None else None

    def step(self, by: int) -> None:
        """Go to the next or previous finding, round and round."""
        count = self.filter.rowCount()
        if count:
            current = self.table.currentIndex().row()
            row = (current + by) % count if current >= 0 else (0 if by > 0 else count - 1)
            self.table.setCurrentIndex(self.filter.index(row, 0))
            self._take(self.table.current)

    def apply_fix(self) -> None:
        """Push the offered fix of the current finding; undo takes it back."""
        finding = self.current_finding()
        if finding is None or finding.fix is None or finding.waiver is not None:
            return
        if not self._session.workbench.validation.holds(finding.code):
            self._session.message.emit(
                "The design has changed since the check: wait for the next check to finish, then apply the fix."
            )
            return
        fix = finding.fix
        if self._session.attempt(lambda: fix):
            self._session.message.emit(f"Fixed {finding.code}: {fix.label}")

    def _take(self, row: FindingRow) -> None:
        """Apply the fix that was clicked, or go to what the finding is about."""
        if row.fix and self.table.currentIndex().column() == FIX_COLUMN:
            self.apply_fix()
        elif row.finding is not None and row.finding.subjects:
            self.going.emit(frozenset(row.finding.subjects))

    def _refilter(self, text: str) -> None:
        self.filter.show_words(text)
        self._choose_layer()

    def _show_severity(self, severity: str, shown: bool) -> None:
        self.filter.show_severity(severity, shown)
        self._choose_layer()
