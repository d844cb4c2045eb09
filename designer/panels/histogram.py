"""How many links are how busy: a histogram, drawn with pyqtgraph, which is imported when first needed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.drawing.heat import colour_of
from designer.panels.appearance import Appearance
from designer.session.session import Session

BINS = 20
HEIGHT_PX = 150


def counted(loads: NDArray[np.float64]) -> list[int]:
    """Number of links in each of BINS equal bins from 0 to 100 %; above counts as 100 %."""
    bins = np.minimum((np.clip(loads, 0.0, 1.0) * BINS).astype(np.int64), BINS - 1)
    counts: list[int] = np.bincount(bins, minlength=BINS).tolist()
    return counts


class LoadHistogram(QWidget):
    """Peak utilization of every link in its busier direction."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self._plot: Any = None
        self._bars: Any = None
        self.counts: list[int] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setFixedHeight(HEIGHT_PX)
        session.heat_changed.connect(self.refresh)
        appearance.changed.connect(self._recolour)

    def refresh(self) -> None:
        heat = self._session.heat
        if heat is None:
            return
        self.counts = counted(heat.loads.busier)
        if self._plot is None:
            self._make_plot()
        self._recolour()

    def _make_plot(self) -> None:
        import pyqtgraph

        self._plot = pyqtgraph.PlotWidget()
        self._plot.setMenuEnabled(False)
        self._plot.setMouseEnabled(False, False)
        self._plot.hideButtons()
        self._plot.setLabel("bottom", "peak utilization, %")
        self._plot.setLabel("left", "links")
        self._plot.getAxis("left").setWidth(48)
        self._plot.setXRange(0, 100, padding=0.01)
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
        middles = [(number + 0.5) * 100 / BINS for number in range(BINS)]
        brushes = [QColor(*colour_of((number + 0.5) / BINS)) for number in range(BINS)]
        self._bars.setOpts(x=middles, height=self.counts, brushes=brushes, pen=None)
        self._plot.setYRange(0, max([1, *self.counts]) * 1.08, padding=0)
