"""Merge a colleague's changes: what comes in, and where both changed the same, the three versions to choose from."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from designer.analysis.comparing import Difference
from designer.analysis.merge_report import ConflictRow, RenumberedRow
from designer.errors import DesignerError, sentence
from designer.model.merging.versions import OURS, THEIRS, Side
from designer.model.shown_text import plain_text
from designer.panels.widgets.labels import label
from designer.panels.widgets.progress import ShareBar
from designer.panels.widgets.row_table import RowTable
from designer.session.merging import Merging
from designer.session.prepared import Prepared
from designer.session.timers import later
from designer.tables.columns import Column, pick
from designer.units import format_count, format_counted
from designer.windows.desk import Desk
from designer.windows.dialogs.conflict_views import ConflictViews
from designer.windows.dialogs.miniature import Miniature
from designer.windows.files.saving import FABRIC_FILTER

FOLLOW_MS = 400
CONFLICT_COLUMNS = pick(ConflictRow.COLUMNS, "kind name conflict what ours theirs choice")


LAST_SAVED_TIP = (
    "Right where your colleague started from this file as it is on disk: what it has and your colleague's design has "
    "not counts as removed by your colleague"
)
NOTHING_SINCE = "Your design has no changes since it was saved: what your colleague's has not would count as removed"


class MergeDialog(QDialog):
    """Stays open next to the window. What it shows is what the button does, as one step to undo."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk, self._session = desk, desk.session
        self.merging = Merging(desk.session)
        self._place = ""
        """Of the conflict that is shown."""
        self._is_new = False
        """Whether other files were chosen since something was shown."""
        self.setWindowTitle("Merge a Colleague's Changes")
        self.theirs_name, self.base_name = label(), label()
        self.choose_theirs = QPushButton("Choose…")
        self.choose_base = QPushButton("Choose…")
        self.last_saved = QPushButton("Use Last Saved")
        self.common_revision = QPushButton("Use Common Revision")
        self.summary = label("", wrap=True)
        self.tabs = QTabWidget()
        widths = {"ours": 225, "theirs": 225, "conflict": 135}
        self.conflicts = RowTable("Conflicts", CONFLICT_COLUMNS, stretch="name", widths=widths, tip=_tip)
        self.views = ConflictViews(desk.appearance)
        self.ours_for_all = QPushButton("Take Ours for All")
        self.theirs_for_all = QPushButton("Take Theirs for All")
        self.incoming = RowTable("Changes coming in", Difference.COLUMNS, stretch="name", tip=_tip)
        self.picture = Miniature(desk.appearance)
        self.renumbered = RowTable("Renumbered", RenumberedRow.COLUMNS, stretch="name", tip=_tip)
        self.findings = label("", wrap=True)
        self.bar = ShareBar()
        self.cancel_button = QPushButton("Cancel")
        self.buttons = QDialogButtonBox()
        self.accept_button = self.buttons.addButton("Merge", QDialogButtonBox.ButtonRole.AcceptRole)
        self.accept_button.setProperty("kind", "primary")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self._later = later(self, FOLLOW_MS, self.merging.start)
        self._lay_out()
        self._connect()
        self.resize(1040, 680)
        self._show()

    def _lay_out(self) -> None:
        files = QGridLayout()
        files.setHorizontalSpacing(12)
        rows: tuple[tuple[str, QWidget, tuple[QPushButton, ...]], ...] = (
            ("Colleague's design", self.theirs_name, (self.choose_theirs,)),
            ("Common base", self.base_name, (self.choose_base, self.last_saved, self.common_revision)),
        )
        for row, (title, name, buttons) in enumerate(rows):
            files.addWidget(label(title), row, 0)
            files.addWidget(name, row, 1)
            for place, button in enumerate(buttons, 2):
                files.addWidget(button, row, place)
        files.setColumnStretch(1, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.conflicts)
        splitter.addWidget(self.views)
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 3)
        for_all = QHBoxLayout()
        for_all.addStretch(1)
        for_all.addWidget(self.ours_for_all)
        for_all.addWidget(self.theirs_for_all)
        first = QWidget()
        inside = QVBoxLayout(first)
        inside.addWidget(splitter, 1)
        inside.addLayout(for_all)
        coming = QSplitter()
        coming.addWidget(self.incoming)
        coming.addWidget(self.picture)
        coming.setSizes([420, 560])
        self.tabs.addTab(first, "Conflicts")
        self.tabs.addTab(coming, "Changes Coming In")
        self.tabs.addTab(self.renumbered, "Renumbered")
        progress = QHBoxLayout()
        progress.addWidget(self.bar, 1)
        progress.addWidget(self.cancel_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(10)
        column.addLayout(files)
        column.addWidget(self.summary)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.findings)
        column.addLayout(progress)
        column.addWidget(self.buttons)

    def _connect(self) -> None:
        merging = self.merging
        self.choose_theirs.clicked.connect(self._ask_theirs)
        self.choose_base.clicked.connect(self._ask_base)
        self.last_saved.clicked.connect(lambda: self._use(None, merging.theirs, saved=True))
        self.common_revision.clicked.connect(lambda: self._use(None, merging.theirs))
        self.conflicts.current_changed.connect(self._show_conflict)
        self.views.taken.connect(self._take)
        self.ours_for_all.clicked.connect(lambda: merging.choose_all(OURS))
        self.theirs_for_all.clicked.connect(lambda: merging.choose_all(THEIRS))
        self.cancel_button.clicked.connect(self._cancel)
        self.buttons.accepted.connect(self.merge)
        self.buttons.rejected.connect(self.close)
        merging.began.connect(self._begin)
        merging.progressed.connect(self.bar.show_share)
        merging.done.connect(self._show)
        merging.checked.connect(self._show_findings)
        self._session.changed.connect(self._follow)
        self._session.reset.connect(self._forget)
        self._desk.appearance.changed.connect(self._show)

    # -- files ------------------------------------------------------------------------------------------------------

    def _ask_theirs(self) -> None:
        path = self._ask("The colleague's design")
        if path is not None:
            self._use(self.merging.base, path, saved=self.merging.wants_saved)

    def _ask_base(self) -> None:
        path = self._ask("The design that both grew from")
        if path is not None:
            self._use(path, self.merging.theirs)

    def _use(self, base: Path | None, theirs: Path | None, *, saved: bool = False) -> None:
        self._is_new = True
        self.merging.choose_files(base, theirs, saved=saved)

    def _ask(self, title: str) -> Path | None:
        return self._desk.questions.open_path(title, self._desk.preferences.folder("designs"), FABRIC_FILTER)

    def _follow(self) -> None:
        """The design changed: what is shown holds no more."""
        if self.isVisible() and self.merging.theirs is not None:
            self.merging.cancel()
            self.accept_button.setEnabled(False)
            self._later.start()

    def _forget(self) -> None:
        """Another design is open."""
        self.merging.choose_files(None, None)

    def showEvent(self, event: object) -> None:
        """Show what there is: the design may have changed while the dialog was closed."""
        super().showEvent(event)  # type: ignore[arg-type]
        merged = self.merging.merged
        if merged is None or merged.merge.versions.ours.revision != self._session.design.revision:
            self.merging.start()

    def hideEvent(self, event: object) -> None:
        """Give up what is being computed."""
        self._later.stop()
        self.merging.cancel()
        super().hideEvent(event)  # type: ignore[arg-type]

    # -- what there is ----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.bar.show_share(0.0)
        self._show_busy(busy=True)
        self._show_files()
        self.summary.setText("Reading and merging the designs …")
        self.accept_button.setEnabled(False)

    def _cancel(self) -> None:
        self.merging.cancel()
        self._show_busy(busy=False)
        self.summary.setText("Cancelled: nothing was merged. Choose a file to begin again.")

    def _show_busy(self, *, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.cancel_button.setVisible(busy)

    def _show(self) -> None:
        self._show_busy(busy=False)
        self._show_files()
        merged = self.merging.merged
        report = merged.report if merged is not None else None
        self.summary.setText(self._sentence())
        self.summary.setProperty("kind", "error" if self.merging.refusal else "")
        self.summary.style().polish(self.summary)
        self.conflicts.show_rows(report.conflicts if report is not None else ())
        self.incoming.show_rows(report.incoming if report is not None else ())
        self.renumbered.show_rows(report.renumbered if report is not None else ())
        n_open = len(report.open) if report is not None else 0
        titles = (
            ("Conflicts", f"{format_count(n_open)} of {format_count(len(self.conflicts.rows))} open"),
            ("Changes Coming In", format_count(len(self.incoming.rows))),
            ("Renumbered", format_count(len(self.renumbered.rows))),
        )
        for number, (title, count) in enumerate(titles):
            has_rows = (self.conflicts, self.incoming, self.renumbered)[number].rows
            self.tabs.setTabText(number, f"{title} ({count})" if has_rows else title)
        for button in (self.ours_for_all, self.theirs_for_all):
            button.setEnabled(bool(self.conflicts.rows))
        self._show_findings()
        if merged is None:
            self.picture.show_nothing("Choose the colleague's design to see what comes in.")
        elif not report or not report.incoming:
            self.picture.show_nothing("Nothing comes in.")
        else:
            self.picture.show_composition(merged.drawing, has_legend=True)
        self._choose_conflict()
        if merged is not None and self._is_new:
            self._is_new = False
            self.tabs.setCurrentIndex(0 if merged.report.conflicts else 1)
        self.accept_button.setEnabled(merged is not None and not n_open and bool(merged.merge.edit))
        self.accept_button.setToolTip("Choose a side for every conflict first" if n_open else "")

    def _show_files(self) -> None:
        merging = self.merging
        self.theirs_name.setText(merging.theirs.name if merging.theirs is not None else "No file chosen")
        own, has_revisions = self._session.path, bool(self._session.design.revisions)
        if merging.base is not None:
            text = merging.base.name
        elif merging.wants_saved and own is not None:
            text = f"{own.name} as it was last saved"
        elif merging.revision:
            text = f"{merging.revision[:1].upper()}{merging.revision[1:]}, which both designs recorded"
        elif has_revisions and not merging.no_revision:
            text = "The latest revision that both designs recorded"
        else:
            text = "None is known: every difference is a conflict"
        self.base_name.setText(text)
        self.base_name.setToolTip(plain_text(sentence(merging.no_revision)) if merging.no_revision else "")
        self.last_saved.setVisible(own is not None and not merging.wants_saved)
        self.last_saved.setEnabled(not self._session.undo_stack.isClean())
        self.last_saved.setToolTip(plain_text(LAST_SAVED_TIP if self.last_saved.isEnabled() else NOTHING_SINCE))
        self.common_revision.setText("Use Common Revision" if has_revisions else "Use No Base")
        self.common_revision.setVisible(merging.base is not None or merging.wants_saved)

    def _sentence(self) -> str:
        merging = self.merging
        if merging.refusal:
            return sentence(merging.refusal)
        if merging.theirs is None:
            return "Choose the file that your colleague sent."
        merged = merging.merged
        if merged is None:
            return ""
        text = sentence(merged.report.summary)
        versions = merged.merge.versions
        if not versions.has_base and merging.no_revision:
            text += f" {sentence(merging.no_revision)} Without it, each difference is a conflict for you to decide."
        elif not versions.changed[OURS]:
            text += f" Your design is as in the {'revision' if merging.revision else 'file'} that both grew from: the "
            text += "colleague's takes its place, and what it does not have is removed."
        return text[0].upper() + text[1:]

    def _show_findings(self) -> None:
        new = self.merging.findings
        self.findings.setVisible(bool(new))
        if new:
            shown = "; ".join(f"{one.code} {one.message}" for one in new[:2])
            more = f"; and {format_count(len(new) - 2)} more" if len(new) > 2 else ""
            many = format_counted(len(new), "finding")
            self.findings.setText(f"{many} that neither side has: {shown}{more}.")

    # -- conflicts --------------------------------------------------------------------------------------------------

    def _choose_conflict(self) -> None:
        """The conflict that was shown before, else the first open one."""
        rows = self.conflicts.rows
        number = next((at for at, row in enumerate(rows) if row.place == self._place), None)
        if number is None:
            number = next((at for at, row in enumerate(rows) if not row.decided), 0 if rows else None)
        self.conflicts.choose(number)
        self._show_conflict()

    def _show_conflict(self) -> None:
        row: ConflictRow | None = self.conflicts.current
        merged = self.merging.merged
        if row is None or merged is None:
            self.views.show_nothing("No conflicts." if merged is not None else "")
            return
        self._place = row.place
        conflict = next(one for one in merged.merge.conflicts if one.place == row.place)
        self.views.show_conflict(merged.merge.versions, conflict, row)

    def _take(self, side: Side) -> None:
        """Settle the conflict that is shown, and go on to the next open one."""
        place, rows = self._place, self.conflicts.rows
        at = next((number for number, row in enumerate(rows) if row.place == place), 0)
        later_first = (*rows[at + 1 :], *rows[:at])
        self._place = next((row.place for row in later_first if not row.decided), place)
        self.merging.choose(place, side)

    # -- doing it ---------------------------------------------------------------------------------------------------

    def merge(self) -> None:
        """Apply the merge as one step to undo."""
        merged = self.merging.merged
        if merged is not None and merged.merge.versions.ours.revision == self._session.design.revision:
            self.merging.apply(self._push)

    def _push(self, ready: Prepared) -> None:
        merged = self.merging.merged
        if merged is None:
            return
        self.merging.merged = None  # the change that comes now is the merge itself
        try:
            self._session.push_prepared(ready)
        except DesignerError as error:
            self.merging.refusal = str(error)
            self._show()
            return
        self._later.stop()
        self.merging.choose_files(None, None)
        self._desk.notice.say(f"Merged: {merged.report.summary}")
        self.close()


def _tip(row: object, column: Column) -> str:
    """The whole text of a cell."""
    return column.shown(column.of(row))
