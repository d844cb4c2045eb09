"""Load by tier: how full each kind of link is in either direction, as figures, a sorted curve or a histogram."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from designer.drawing.theme import CURVE_COLOURS
from designer.late import Late
from designer.panels.studies.plots import Plot
from designer.panels.studies.study_parts import ButtonBar, copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField
from designer.panels.widgets.labels import EmptyState
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.tables.columns import Column, Columns
from designer.tables.table import ResultTable

if TYPE_CHECKING:
    from designer.simulation.explain.tiers import TierLoad

pyqtgraph = Late("pyqtgraph")

VIEWS = (("sorted", "Sorted, busiest first"), ("histogram", "Histogram"))
TITLE = Column("title", "Tier")
BINS = 20
MOST_POINTS = 500


class TierStudy(QWidget):
    """`saving` carries a title, the file's suffix and what writes it."""

    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._job = session.workbench.tiers
        self._view = "sorted"
        self.view = ChoiceField("Plot", self._choose)
        self.view.setMinimumContentsLength(20)
        self.bar = ButtonBar(
            [self.view],
            (
                ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
                ("CSV…", "Save the table", lambda: self._save("Load by tier as CSV", ".csv")),
                ("SVG…", "Save the plot as a drawing", lambda: self._save("Load by tier as SVG", ".svg")),
                ("PNG…", "Save the plot as a picture", lambda: self._save("Load by tier as PNG", ".png")),
            ),
        )
        self.table = RowTable("Load by tier", ())
        self.plot = Plot(appearance)
        self.plot.setMinimumWidth(220)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(self.table)
        halves.addWidget(self.plot)
        halves.setChildrenCollapsible(False)
        halves.setSizes([460, 340])
        self._results = QWidget()
        results = QVBoxLayout(self._results)
        results.setContentsMargins(0, 0, 0, 0)
        results.setSpacing(0)
        results.addWidget(self.bar)
        results.addWidget(halves, 1)
        self.empty = EmptyState(
            "No current result.",
            "Run a simulation: every tier is listed with its links, how full they are, and "
            "how many are over 80 % or saturated.",
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._results)
        column.addWidget(self.empty)
        self._job.state_changed.connect(self.refresh)
        session.workbench.simulation.state_changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the tiers up to date, which are not kept so while hidden."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the tiers of the current result; they are calculated once somebody looks."""
        if self.isVisible():
            self._job.want()
        tiers = self._job.tiers
        self._results.setVisible(tiers is not None)
        self.empty.setVisible(tiers is None)
        self.view.show_choices(VIEWS, self._view)
        if tiers is not None:
            self.table.show_rows(tiers, _titled(tiers))
            self._draw(tiers)

    def _choose(self, view: str) -> None:
        self._view = view
        self.refresh()

    def _draw(self, tiers: "list[TierLoad]") -> None:
        is_sorted = self._view == "sorted"
        utilization = "peak utilization, %" if all(tier.are_peaks_known for tier in tiers) else "mean utilization, %"
        widget = self.plot.make(
            "links of the tier, busiest first, %" if is_sorted else utilization,
            utilization if is_sorted else "links, one direction",
        )
        item = widget.getPlotItem()
        item.clear()
        drawn = [sorted_curve(tier) if is_sorted else histogram(tier) for tier in tiers]
        highest, entries = 1.0, []
        for number, (tier, (xs, ys)) in enumerate(zip(tiers, drawn, strict=True)):
            # Both directions of a tier are often alike: the second is dashed, so that the first shows beneath it.
            pen = pyqtgraph.mkPen(
                CURVE_COLOURS[number % len(CURVE_COLOURS)],
                width=2,
                style=Qt.PenStyle.DashLine if number % 2 else Qt.PenStyle.SolidLine,
            )
            highest = max(highest, float(ys.max(initial=0.0)))
            item.plot(xs, ys, pen=pen, name=tier.title, stepMode=None if is_sorted else "center")
            entries.append((pen, tier.title))
        self.plot.show_legend(entries)
        item.setXRange(-2, 106, padding=0)  # room for the whole label of 100
        item.getAxis("bottom").setTicks([[(value, str(value)) for value in range(0, 101, 20)]])
        item.setYRange(0, 105 if is_sorted else highest * 1.08, padding=0)

    # -- handing over ---------------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """The tiers as a table to copy or save; empty where no load is known."""
        tiers = self._job.tiers or []
        return ResultTable(_titled(tiers, Column("bytes", "Bytes")), tiers)

    def _save(self, title: str, suffix: str) -> None:
        self.saving.emit(title, suffix, csv_writer(self.results()) if suffix == ".csv" else self.plot.save)


def sorted_curve(tier: "TierLoad") -> "tuple[np.ndarray, np.ndarray]":
    """(share of the tier's links in %, utilization in %), busiest first; at most MOST_POINTS of them."""
    ys = np.sort(tier.known)[::-1] * 100
    at = np.unique(np.linspace(0, len(ys) - 1, min(len(ys), MOST_POINTS)).astype(int))
    return (at + 0.5) * 100 / max(1, len(ys)), ys[at]


def histogram(tier: "TierLoad") -> "tuple[np.ndarray, np.ndarray]":
    """(edges of BINS bins in %, links in each); above 100 % counts as 100 %."""
    counts, edges = np.histogram(np.minimum(tier.known, 1.0) * 100, bins=BINS, range=(0, 100))
    return edges, counts


def _titled(tiers: "Sequence[TierLoad]", moved: Column | None = None) -> Columns:
    """The columns, with a heading over the tiers, as a terminal has none; `moved` in the place of bytes in words."""
    columns = tiers[0].columns if tiers else ()
    heads = {"title": TITLE} | ({"carried": moved} if moved is not None else {})
    return tuple(heads.get(column.key, column) for column in columns)
