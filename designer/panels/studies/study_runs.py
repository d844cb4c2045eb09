"""Runs side by side: the current one and those that were pinned, each compared with one of them."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.exchange.plain_table import PlainTable
from designer.panels.studies.study_parts import ButtonBar, FigureTable, copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import EmptyState, label
from designer.panels.widgets.rows import ID_ROLE
from designer.session.pinned_run import PinnedRun
from designer.session.session import Session
from designer.units import format_count, format_size, format_time

COLUMNS = ("Run", "Size", "Ranks", "Broken", "Time", "algbw, GB/s", "busbw, GB/s", "Against", "Hottest link")
NOW = "now"


class RunsStudy(QWidget):
    """Click a pinned run to see its heat again. `saving` carries a title, the file's suffix and what writes it."""

    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        del appearance
        self._session = session
        self._pins = session.workbench.pins
        self.note = label("", "muted")
        self.bar = ButtonBar(
            [self.note],
            (
                ("Pin", "Keep the current result for comparison", self._pins.pin),
                ("Compare with", "Compare all runs with the selected one", self._compare),
                ("Unpin", "Remove the selected run", self._unpin),
                ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.plain_table())),
                ("CSV…", "Save the table", self._save),
            ),
        )
        self.table = FigureTable("Runs", COLUMNS)
        self.table.chosen.connect(self._show)
        self.table.currentItemChanged.connect(lambda *_: self._refresh_buttons())
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
        runs = self._runs()
        chosen = self._chosen()
        self.table.setVisible(bool(runs))
        self.empty.setVisible(not runs)
        ids = [str(run.number) if run.number else NOW for run in runs]
        self.table.show_rows(COLUMNS, [self._texts(run) for run in runs], ids=ids, left=(0, 8))
        for row, run in enumerate(runs):
            item = self.table.topLevelItem(row)
            if item is not None:
                item.setToolTip(0, "The current result" if not run.number else "Click to see its loads on the links")
                if chosen is not None and run.number == chosen.number:
                    self.table.setCurrentItem(item)
        self._refresh_note()
        self._refresh_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _runs(self) -> list[PinnedRun]:
        current = None if self._pins.current_is_pinned else self._pins.current
        return [*([current] if current is not None else []), *self._pins.runs]

    def _texts(self, run: PinnedRun) -> list[str]:
        result = run.result
        return [
            f"{self._mark(run)}{run.name}",
            format_size(result.size_bytes),
            format_count(result.ranks),
            str(run.broken) if run.broken else "",
            format_time(result.time_s),
            _figure(result.algbw_gbytes_per_s),
            _figure(result.busbw_gbytes_per_s),
            self._against(run),
            run.hottest.replace("->", "→"),
        ]

    def _mark(self, run: PinnedRun) -> str:
        """ "Now: ", "2: " or, of a design that has changed, "2, earlier design: "."""
        if not run.number:
            return "Now: "
        earlier = run.revision != self._session.design.revision
        return f"{run.number}, earlier design: " if earlier else f"{run.number}: "

    def _against(self, run: PinnedRun) -> str:
        baseline = self._pins.baseline
        if baseline is None:
            return ""
        if run is baseline:
            return "baseline"
        more = run.longer_than(baseline)
        return "" if more is None else f"{100 * more:+.1f} %"

    def _refresh_note(self) -> None:
        shown = self._session.workbench.heat_view.pinned
        assumed = next((run.result.assumed_note for run in self._runs() if run.result.assumed_note), "")
        showing = "" if shown is None else f"The links show run {shown.number}."
        self.note.setText(" ".join(filter(None, (assumed, showing))))

    def _refresh_buttons(self) -> None:
        chosen = self._chosen()
        self.bar.buttons["Pin"].setEnabled(self._pins.current is not None and not self._pins.current_is_pinned)
        self.bar.buttons["Unpin"].setEnabled(chosen is not None)
        self.bar.buttons["Compare with"].setEnabled(chosen is not None and chosen is not self._pins.baseline)
        for name in ("Copy", "CSV…"):
            self.bar.buttons[name].setEnabled(bool(self._runs()))

    # -- choosing -------------------------------------------------------------------------------------------------

    def _chosen(self) -> PinnedRun | None:
        item = self.table.currentItem()
        number = None if item is None else item.data(0, ID_ROLE)
        return next((run for run in self._pins.runs if str(run.number) == number), None)

    def _show(self, number: str) -> None:
        run = next((run for run in self._pins.runs if str(run.number) == number), None)
        self._session.workbench.heat_view.show_pinned(run)

    def _compare(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._pins.compare_with(chosen)

    def _unpin(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._pins.unpin(chosen)

    # -- handing over ---------------------------------------------------------------------------------------------

    def plain_table(self) -> PlainTable:
        headings = [
            "run",
            "traffic",
            "routing",
            "size (B)",
            "ranks",
            "broken",
            "time (s)",
            "algbw (GB/s)",
            "busbw (GB/s)",
            "time against baseline",
            "hottest link",
        ]
        rows = [
            [
                run.number or NOW,
                run.scenario.title,
                run.scenario.routing,
                run.result.size_bytes,
                run.result.ranks,
                run.broken,
                run.result.time_s,
                run.result.algbw_gbytes_per_s,
                run.result.busbw_gbytes_per_s,
                run.longer_than(self._pins.baseline) if self._pins.baseline is not None else None,
                run.hottest,
            ]
            for run in self._runs()
        ]
        return PlainTable(headings, rows)

    def _save(self) -> None:
        self.saving.emit("Runs as CSV", ".csv", csv_writer(self.plain_table()))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.4g}"
