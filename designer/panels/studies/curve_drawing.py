"""What a curve of bandwidth by size shows besides its line: how runs spread, and the figures of a point."""

import math
from typing import TYPE_CHECKING, Any, Protocol

import pyqtgraph
from PySide6.QtGui import QColor

from designer.units import format_size, format_time

if TYPE_CHECKING:
    from designer.simulation.curve import Curve, Point

BAND = 0.14
"""How opaque the band is."""


class Measured(Protocol):
    """What is shown of a point, as a plot draws it."""

    logarithmic: bool

    def of(self, point: "Point") -> float:
        """The measure of a point."""

    def of_worst(self, point: "Point") -> float | None:
        """That of the worst run; None where nobody measured it."""


def draw_band(item: Any, curve: "Curve", measure: Measured, colour: QColor) -> None:
    """From the best run to the worst on machines in use, where that was measured."""
    best = [measure.of(point) for point in curve.points]
    runs = [measure.of_worst(point) for point in curve.points]
    worst = [y for y in runs if y is not None]
    if len(worst) != len(best):
        return
    if measure.logarithmic:
        best, worst = ([math.log10(y) if y > 0 else 0.0 for y in ys] for ys in (best, worst))
    xs = [math.log2(point.size_bytes) for point in curve.points]
    fill = QColor(colour)
    fill.setAlphaF(BAND * colour.alphaF())
    edges = [pyqtgraph.PlotDataItem(xs, ys) for ys in (best, worst)]
    item.addItem(pyqtgraph.FillBetweenItem(*edges, brush=fill))


def figures_of(point: "Point") -> str:
    """Time and bandwidths of a point; what a library chose there and why, and how runs spread."""
    return (
        f"{format_size(point.size_bytes)}: {format_time(point.time_s)}, algbw {point.algbw_gbytes_per_s:.4g} GB/s, "
        f"busbw {point.busbw_gbytes_per_s:.4g} GB/s{_choice_of(point)}"
    )


def _choice_of(point: "Point") -> str:
    if point.algorithm is None:
        return ""
    runs = ""
    if point.median_s is not None and point.worst_s is not None:
        runs = f"\nOn machines in use: median {format_time(point.median_s)}, worst {format_time(point.worst_s)}"
    return f"{runs}\n{point.algorithm} {point.protocol} on {point.channels} channels: {point.reason}"
