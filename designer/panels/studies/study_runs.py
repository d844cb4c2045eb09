"""Runs side by side: the current one and those that were pinned, each compared with one of them."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.panels.studies.study_parts import ButtonBar, copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import ElidedLabel, EmptyState
from designer.panels.widgets.row_table import Rename, RowTable
from designer.session.pinned_run import PinnedRun
from designer.session.session import Session
from designer.tables.columns import Column, Columns, pick
from designer.tables.table import ResultTable
from designer.units import (
    format_bandwidth,
    format_change,
    format_count,
    format_counted,
    format_size,
    format_time,
)

NOW = "now"


class RunsStudy(QWidget):
    """Click a pinned run to see its heat again. `saving` carries a title, the file's suffix and what writes it."""

    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        del appearance
        self._session = session
        self._pins = session.workbench.pins
        self.note = ElidedLabel("", "muted")
        self.bar = ButtonBar(
            [self.note],
            (
                ("Pin", "Keep the current result for comparison", self._pins.pin),
                ("Set as Baseline", "Compare all runs with the selected one", self._set_baseline),
                ("Rename", "Give the selected run another name (F2, or a double click on its name)", self._rename),
                ("Unpin", "Remove the selected run", self._unpin),
                ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
                ("CSV…", "Save the table", self._save),
            ),
        )
        self.table = RowTable(
            "Runs",
            self._columns("name size_bytes ranks broken time_s algbw busbw against hottest"),
            tip=_tip,
            rename=Rename("name", lambda run: run.name if run.number else None, self._pins.rename),
        )
        self.table.chosen.connect(self._show)
        self.table.current_changed.connect(self._refresh_buttons)
        self.empty = EmptyState(
            "No run yet.",
            "Run a simulation and pin its result; change the design, the routing or the algorithm, run again, and "
            "read the difference here. Click a pinned run to see its loads on the links again.",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)
        column.addWidget(self.empty, 1)
        self._pins.changed.connect(self.refresh)
        session.workbench.simulation.state_changed.connect(self.refresh)
        session.workbench.heat_view.changed.connect(self._refresh_note)
        self.refresh()

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the current run first, then the pinned ones as they were pinned; nothing while nobody looks."""
        if not self.isVisible():
            return
        self._pins.restore()
        runs = self._runs()
        chosen: PinnedRun | None = self.table.current  # one that was renamed is another object now
        self.table.setVisible(bool(runs))
        self.empty.setVisible(not runs)
        self.table.show_rows(runs)
        self.table.shown.look_again()  # what they are compared with may be another
        for number, run in enumerate(runs):
            if chosen is not None and run.number == chosen.number > 0:
                self.table.choose(number)
        self._refresh_note()
        self._refresh_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the runs up to date, which are not kept so while hidden."""
        super().showEvent(event)
        self.refresh()

    def _runs(self) -> list[PinnedRun]:
        current = None if self._pins.current_is_pinned else self._pins.current
        return [*([current] if current is not None else []), *self._pins.runs]

    def _columns(self, names: str) -> Columns:
        return pick(
            (
                Column("number", "Run", lambda run: run.number or NOW),
                Column("name", "Run", lambda run: f"{self._mark(run)}{run.name}"),
                Column("label", "Name", "own_name"),
                Column("traffic", "Traffic", "scenario.title"),
                Column("routing", "Routing", "scenario.routing"),
                Column("size_bytes", "Size", "result.size_bytes", format_size, unit="B", right=True),
                Column("ranks", "Ranks", "result.ranks", right=True),
                Column("broken", "Failed", text=lambda count: format_count(count) if count else "", right=True),
                Column("time_s", "Time", "result.time_s", format_time, unit="s", right=True),
                Column("algbw", "algbw", "result.algbw_gbytes_per_s", format_bandwidth, "GB/s", right=True, empty="–"),
                Column("busbw", "busbw", "result.busbw_gbytes_per_s", format_bandwidth, "GB/s", right=True, empty="–"),
                Column("against", "Against", self._against_text, right=True, order=self._against),
                Column("longer", "Time against baseline", self._against),
                Column("hottest", "Hottest link", text=lambda name: name.replace("->", "→")),
            ),
            names,
        )

    def _mark(self, run: PinnedRun) -> str:
        """ "Now: ", "2: " or, of a design that has changed, "2, of revision B, changed since: "."""
        if not run.number:
            return "Now: "
        earlier = self._session.workbench.heat_view.is_earlier(run)
        return f"{run.number}, {run.of_earlier}: " if earlier else f"{run.number}: "

    def _against(self, run: PinnedRun) -> float | None:
        """By how much the run takes longer than the baseline, as a share; None where there is none."""
        return run.longer_than(self._pins.baseline) if self._pins.baseline is not None else None

    def _against_text(self, run: PinnedRun) -> str:
        more = self._against(run)
        if run is self._pins.baseline:
            return "baseline"
        if self._pins.baseline is not None and not run.is_alike(self._pins.baseline):
            return "other traffic"
        return "" if more is None else format_change(more)

    def _refresh_note(self) -> None:
        shown = self._session.workbench.heat_view.pinned
        assumed = next((run.result.assumed_note for run in self._runs() if run.result.assumed_note), "")
        showing = "" if shown is None else f"The links show run {shown.number}."
        waiting, left_out = self._pins.n_waiting, self._pins.n_left_out
        awaited = f"Computing {format_counted(waiting, 'pinned run')} again…" if waiting else ""
        lost = f"{format_counted(left_out, 'pinned run')} cannot be shown again." if left_out else ""
        self.note.set_text(" ".join(filter(None, (awaited, lost, showing, assumed))))

    def _refresh_buttons(self) -> None:
        chosen = self._chosen()
        self.bar.buttons["Pin"].setEnabled(self._pins.current is not None and not self._pins.current_is_pinned)
        for name in ("Unpin", "Rename"):
            self.bar.buttons[name].setEnabled(chosen is not None)
        self.bar.buttons["Set as Baseline"].setEnabled(chosen is not None and chosen is not self._pins.baseline)
        for name in ("Copy", "CSV…"):
            self.bar.buttons[name].setEnabled(bool(self._runs()))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _chosen(self) -> PinnedRun | None:
        return next((run for run in self._pins.runs if run is self.table.current), None)

    def _show(self, row: PinnedRun) -> None:
        run = next((run for run in self._pins.runs if run is row), None)
        self._session.workbench.heat_view.show_pinned(run)

    def _set_baseline(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._pins.set_baseline(chosen)

    def _rename(self) -> None:
        if self._chosen() is not None:
            self.table.setFocus()
            self.table.begin_rename()

    def _unpin(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._pins.unpin(chosen)

    # -- handing over ---------------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """The runs as a table to copy or save, with numbers in base units."""
        names = "number label traffic routing size_bytes ranks broken time_s algbw busbw longer hottest"
        return ResultTable(self._columns(names), self._runs())

    def _save(self) -> None:
        self.saving.emit("Runs as CSV", ".csv", csv_writer(self.results()))


def _tip(run: PinnedRun, column: Column) -> str:
    if column.key != "name":
        return ""
    return "Click to see its loads on the links" if run.number else "The current result"
