"""The course of one bottleneck over time: queue with its thresholds, rates of flows, paused ports."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from designer.drawing.theme import CURVE_COLOURS
from designer.late import Late
from designer.panels.studies.plots import Plot
from designer.panels.widgets.appearance import Appearance
from designer.simulation.queues.records import Bottleneck, format_bytes
from designer.units import BYTES_PER_S_PER_GBPS

pyqtgraph = Late("pyqtgraph")

Floats = NDArray[np.float64]
LEAST_BYTES = 1e3
"""Where the axis of queues begins: a packet."""
MS = 1e3
WIDE_PX = 62
"""Of the axes at the left, so that the plots stand below each other."""
TICKS = 0.6
"""Of the axes of time, as a share of what pyqtgraph takes for enough: numbers of two digits stand clear of others."""
QUEUE, STABLE, LIMITS = CURVE_COLOURS[0], CURVE_COLOURS[2], (CURVE_COLOURS[4], CURVE_COLOURS[1], CURVE_COLOURS[3])


class CoursePlot(Plot):
    """A plot over milliseconds that is drawn again when another bottleneck or another theme is shown."""

    title = ""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self.row: Bottleneck | None = None
        self.until_s: float | None = None

    def show_row(self, row: Bottleneck | None, until_s: float | None = None) -> None:
        """Show the course of a bottleneck, or none; from its beginning to a time, or all of it."""
        self.row, self.until_s = row, until_s
        if row is not None or self.widget is not None:
            self.draw()

    def recolour(self) -> None:
        """Take over the colors of the appearance."""
        super().recolour()
        if self.widget is not None and self.row is not None:
            self.draw()

    def draw(self) -> None:
        """Draw the curves again."""
        if self.widget is None:
            made = self.make("ms", self.title)
            made.getAxis("left").setWidth(WIDE_PX)
            for side in ("bottom", "left"):
                made.getAxis(side).enableAutoSIPrefix(False)
            made.getAxis("bottom").setTickDensity(TICKS)
        item = self.widget.getPlotItem()
        item.clear()
        row = self.row
        if row is None or row.course is None:
            self.show_legend(())
            return
        end_s = row.course.end_s if self.until_s is None else min(self.until_s, row.course.end_s)
        self.widget.setXRange(0, MS * end_s, padding=0.01)
        self.show_legend(self._curves(item, row, row.course.times_s * MS))

    def _curves(self, item: Any, row: Bottleneck, times_ms: Floats) -> Sequence[tuple[Any, str]]:
        """Draw what the plot shows; the entries of the legend."""
        raise NotImplementedError

    def _line(self, item: Any, times_ms: Floats, values: Floats, colour: str, *, faint: bool = False) -> Any:
        shade = QColor(colour)
        shade.setAlpha(110 if faint else 255)
        pen = pyqtgraph.mkPen(shade, width=1 if faint else 2)
        item.plot(times_ms, values, pen=pen, antialias=True)
        return pyqtgraph.mkPen(QColor(colour), width=3)

    def _level(self, item: Any, value: float, colour: str, *, dotted: bool = False) -> Any:
        style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.DashLine
        pen = pyqtgraph.mkPen(QColor(colour), width=1.5, style=style)
        item.addItem(pyqtgraph.InfiniteLine(value, angle=0, pen=pen))
        return pen


class QueuePlot(CoursePlot):
    """The queue, each decade of it as high as the others, with Kmin, Kmax, Xoff and where it would come to rest."""

    title = "queue"

    def _curves(self, item: Any, row: Bottleneck, times_ms: Floats) -> Sequence[tuple[Any, str]]:
        assert row.course is not None, "a row without a course is not drawn"
        trace, n = row.course.trace, row.course.n
        entries = [(self._line(item, times_ms, _decades(trace.queue_high[:n]), QUEUE), "Queue")]
        self._line(item, times_ms, _decades(trace.queue_low[:n]), QUEUE, faint=True)
        levels = [(row.k_min_bytes, "Kmin"), (row.k_max_bytes, "Kmax")]
        levels += [(row.xoff_bytes, "Xoff of a port")] if row.xoff_bytes is not None else []
        for (size_bytes, name), colour in zip(levels, LIMITS, strict=False):
            text = f"{name} {format_bytes(size_bytes)}"
            entries.append((self._level(item, math.log10(size_bytes), colour), text))
        if row.stable_queue_bytes is not None:
            at = math.log10(row.stable_queue_bytes)
            text = f"Stable {format_bytes(row.stable_queue_bytes)}"
            entries.append((self._level(item, at, STABLE, dotted=True), text))
        least, most = math.log10(LEAST_BYTES), math.log10(max(row.peak_queue_bytes, row.k_max_bytes))
        marks = [(float(power), format_bytes(10.0**power)) for power in range(int(least), math.ceil(most) + 1)]
        item.getAxis("left").setTicks([marks])
        self.widget.setYRange(least, math.ceil(most * 2) / 2, padding=0.02)
        return entries


class RatePlot(CoursePlot):
    """The fastest and the slowest of the flows that still send, and their fair share."""

    title = "Gb/s per flow"

    def _curves(self, item: Any, row: Bottleneck, times_ms: Floats) -> Sequence[tuple[Any, str]]:
        assert row.course is not None, "a row without a course is not drawn"
        trace, n = row.course.trace, row.course.n
        sending = np.isfinite(trace.rate_low[:n])
        entries = []
        for rates, colour, name in (
            (trace.rate_high, CURVE_COLOURS[1], "Fastest"),
            (trace.rate_low, CURVE_COLOURS[0], "Slowest"),
        ):
            values = rates[:n][sending] / BYTES_PER_S_PER_GBPS
            entries.append((self._line(item, times_ms[sending], values, colour), name))
        entries.append((self._level(item, row.fair_rate_gbps, CURVE_COLOURS[2]), "Fair share"))
        self.widget.setYRange(0, 2.5 * row.fair_rate_gbps, padding=0)
        return entries


class PausePlot(CoursePlot):
    """How many of the ports before the bottleneck are paused."""

    title = "paused ports"

    def _curves(self, item: Any, row: Bottleneck, times_ms: Floats) -> Sequence[tuple[Any, str]]:
        assert row.course is not None, "a row without a course is not drawn"
        trace, n = row.course.trace, row.course.n
        self._line(item, times_ms, trace.paused[:n], CURVE_COLOURS[3])
        self.widget.setYRange(0, max(1, row.ports), padding=0.02)
        return ()


def _decades(queue: Floats) -> Floats:
    found: Floats = np.log10(np.maximum(queue, LEAST_BYTES))
    return found
