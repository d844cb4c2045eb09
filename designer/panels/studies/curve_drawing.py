"""What a curve of bandwidth by size shows besides its line: how runs spread, and the figures of a point."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from designer.simulation.curve import Curve, Point
from designer.units import format_size, format_time

BAND = 0.14
"""How opaque the band is."""
RUNS = "median run; band: best to worst"


class Measured(Protocol):
    """What is shown of a point, as a plot draws it."""

    logarithmic: bool

    def of(self, point: Point) -> float:
        """The measure of a point."""

    def of_run(self, point: Point, time_s: float | None) -> float | None:
        """That of a run that takes so long; None where nobody measured it."""


def draw_band(item: Any, curve: Curve, measure: Measured, colour: QColor) -> Any:
    """The pen of the median run, drawn in a band from the best to the worst; None where nobody measured runs."""
    best = [measure.of(point) for point in curve.points]
    median = _known(measure.of_run(point, point.median_s) for point in curve.points)
    worst = _known(measure.of_run(point, point.worst_s) for point in curve.points)
    if not len(best) == len(median) == len(worst):
        return None
    if measure.logarithmic:
        best, median, worst = ([math.log10(y) if y > 0 else 0.0 for y in ys] for ys in (best, median, worst))
    xs = [math.log2(point.size_bytes) for point in curve.points]
    fill = QColor(colour)
    fill.setAlphaF(BAND * colour.alphaF())
    edges = [pyqtgraph.PlotDataItem(xs, ys) for ys in (best, worst)]
    item.addItem(pyqtgraph.FillBetweenItem(*edges, brush=fill))
    pen = pyqtgraph.mkPen(colour, width=1, style=Qt.PenStyle.DotLine)
    item.plot(xs, median, pen=pen, name=RUNS, antialias=True)
    return pen


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def figures_of(point: Point) -> str:
    """Time and bandwidths of a point; what a library chose there and why, and how runs spread."""
    return (
        f"{format_size(point.size_bytes)}: {format_time(point.time_s)}, algbw {point.algbw_gbytes_per_s:.4g} GB/s, "
        f"busbw {point.busbw_gbytes_per_s:.4g} GB/s{_choice_of(point)}"
    )


def _choice_of(point: Point) -> str:
    if point.algorithm is None:
        return ""
    runs = ""
    if point.median_s is not None and point.worst_s is not None:
        runs = f"\nOn machines in use: median {format_time(point.median_s)}, worst {format_time(point.worst_s)}"
    return f"{runs}\n{point.algorithm} {point.protocol} on {point.channels} channels: {point.reason}"


def tick_axes(item: Any, found: Sequence[Curve], measure: Measured, most_named: int, measured: Sequence[float]) -> None:
    """Sizes at powers of two with their names; from 0 up, or powers of ten."""
    sizes = [point.size_bytes for point in found[0].points]
    low, high = math.log2(min(sizes)), math.log2(max(sizes))
    step = max(1, math.ceil((high - low) / most_named))
    powers = [power for power in range(math.ceil(low), math.floor(high) + 1) if power % step == 0]
    named = [(float(power), format_size(2**power)) for power in powers]
    item.getAxis("bottom").setTicks([named])
    item.setXRange(low, max(high, low + 1), padding=0.02)
    values = [*(measure.of(point) for curve in found for point in curve.points), *measured]
    left = item.getAxis("left")
    if measure.logarithmic:
        bottom, top = (math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))) if values else (0, 1)
        left.setTicks([[(float(power), f"{10.0**power:,g}") for power in range(bottom, top + 1)]])
        item.setYRange(bottom, max(top, bottom + 1), padding=0.02)
    else:
        left.setTicks(None)
        item.setYRange(0, max([*values, 1e-9]) * 1.08, padding=0)
