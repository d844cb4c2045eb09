"""How many links are how busy: a histogram, drawn with pyqtgraph, which is imported when first needed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.drawing.display_list import (
    CONGESTED_CLASS,
    FULL_AT_TIMES_CLASS,
    FULL_BY_DESIGN,
    class_of,
    colour_of_class,
)
from designer.drawing.heat import CONGESTED, FULL_AT_TIMES, SATURATED, Heat
from designer.late import Late
from designer.panels.studies.plots import still_plot
from designer.panels.widgets.appearance import Appearance
from designer.session.session import Session
from designer.units import format_count

pyqtgraph = Late("pyqtgraph")

BINS = 20
HEIGHT_PX = 150
EDGE = 0.06
"""Of the width, so that the number at the end has room."""
MOST_STEPS = 4
"""Between the counts at an axis."""
BESIDE_TICKS_PX = 14
"""Around the title of an axis and its ticks."""


def counted(loads: NDArray[np.float64]) -> list[int]:
    """Number of links in each of BINS equal bins from 0 to 100 %; above counts as 100 %."""
    bins = np.minimum((np.clip(loads, 0.0, 1.0) * BINS).astype(np.int64), BINS - 1)
    counts: list[int] = np.bincount(bins, minlength=BINS).tolist()
    return counts


def classed(drawn: NDArray[np.float64]) -> list[tuple[int, int, int]]:
    """(bin, class of color, number of links) of each piece of a bar, from loads as `Heat.drawn` has them.

    Saturated links are pieces of the last bar, in the colors that the drawing gives them.
    """
    full, congested, at_times = drawn >= SATURATED, drawn >= CONGESTED, drawn == FULL_AT_TIMES
    below = counted(drawn[~full & ~at_times])
    pieces = [(number, class_of((number + 0.5) / BINS), count) for number, count in enumerate(below)]
    saturated = ((FULL_AT_TIMES_CLASS, at_times), (FULL_BY_DESIGN, full & ~congested), (CONGESTED_CLASS, congested))
    return [*pieces, *((BINS - 1, colour, int(np.count_nonzero(of))) for colour, of in saturated)]


def count_ticks(most: int) -> list[int]:
    """Counts to write at an axis: none, the most there is, and round ones between that do not touch it."""
    step = next(one * 10**power for power in range(16) for one in (1, 2, 5) if one * 10**power * MOST_STEPS >= most)
    return [*range(0, most - step // 2, step), most]


class LoadHistogram(QWidget):
    """Utilization of every link in its busier direction: the peak, or the mean where only that is known."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._plot: Any = None
        self._bars: Any = None
        self.counts: list[int] = []
        self.pieces: list[tuple[int, int, int]] = []
        """As `classed` gives them."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setFixedHeight(HEIGHT_PX)
        session.workbench.simulation.state_changed.connect(self.refresh)
        appearance.changed.connect(self._recolour)
        latest = session.workbench.simulation.value
        if latest is not None:
            self._show(latest.heat)

    def refresh(self) -> None:
        """Count the links again by their current load; as before where no load is known."""
        heat = self._session.workbench.simulation.heat
        if heat is not None:
            self._show(heat)

    def _show(self, heat: Heat) -> None:
        self.counts = counted(heat.loads.busier)
        self.pieces = classed(heat.drawn.busier)
        if self._plot is None:
            self._make_plot()
        self._plot.setLabel("bottom", f"{'mean' if heat.measure == 'mean' else 'peak'} utilization, %")
        self._recolour()

    def _make_plot(self) -> None:
        self._plot = still_plot()
        self._plot.setLabel("left", "links")
        self._plot.getAxis("bottom").setTicks([[(percent, str(percent)) for percent in range(0, 101, 20)]])
        self._plot.setXRange(0, 100, padding=EDGE)
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=100 / BINS * 0.86)
        self._plot.addItem(self._bars)
        self._column.addWidget(self._plot)

    def _recolour(self) -> None:
        if self._plot is None:
            return
        self._plot.setBackground(self._appearance.colour("base"))
        for side in ("bottom", "left"):
            axis = self._plot.getAxis(side)
            axis.setPen(self._appearance.colour("border"))
            axis.setTextPen(self._appearance.colour("muted"))
        middles, heights, floors, stacked = [], [], [], [0] * BINS
        for number, _, count in self.pieces:  # one piece stands on the other
            middles.append((number + 0.5) * 100 / BINS)
            heights.append(count)
            floors.append(stacked[number])
            stacked[number] += count
        brushes = [QColor(colour_of_class(colour, self._appearance.theme)) for _, colour, _ in self.pieces]
        self._bars.setOpts(x=middles, y0=floors, height=heights, brushes=brushes, pen=None)
        most = max([1, *stacked])
        ticks, axis = count_ticks(most), self._plot.getAxis("left")
        axis.setTicks([[(tick, format_count(tick)) for tick in ticks]])
        widest = max(self.fontMetrics().horizontalAdvance(format_count(tick)) for tick in ticks)
        axis.setWidth(widest + self.fontMetrics().height() + BESIDE_TICKS_PX)  # its title stands beside all numbers
        self._plot.setYRange(0, most * 1.08, padding=0)
