"""A plot in the window's colours, drawn with pyqtgraph, which is imported when first needed; SVG and PNG of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QBuffer, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.panels.appearance import Appearance
from designer.panels.even_strokes import with_even_strokes

CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""M. Okabe, K. Ito, "Color Universal Design" (2008): told apart by any eyes, on white and on black."""
PNG_SCALE = 2
PAPER = QSize(960, 560)
"""Size of a plot in a file, whatever it is on the screen."""

LEGEND_PLATE, SAMPLES = 0.85, 64
LEGEND_WIDTH, LEGEND_ROW, LEGEND_MOST = 0.45, 0.1, 0.9
"""Of the plot, about: how wide a legend is, how high each of its rows and all of them."""

Curve = tuple[ArrayLike, ArrayLike]
"""Where it is from left to right, and how high."""
Corner = tuple[int, int]
"""Pixels from the left and the top, negative ones from the right and the bottom."""


def freest_corner(curves: Sequence[Curve], preferred: Corner) -> Corner:
    """The corner of a plot of these curves where a legend of them hides least of them; the preferred one if it may."""
    drawn = [(np.asarray(xs, dtype=np.float64), np.asarray(ys, dtype=np.float64)) for xs, ys in curves]
    drawn = [(xs, ys) for xs, ys in drawn if len(xs)]
    if not drawn:
        return preferred
    places = [np.linspace(xs[0], xs[-1], SAMPLES) for xs, _ in drawn]
    heights = [np.interp(place, xs, ys) for place, (xs, ys) in zip(places, drawn, strict=True)]
    across, up = (_shares(np.concatenate(parts)) for parts in (places, heights))
    high = min(LEGEND_MOST, LEGEND_ROW * (1 + len(curves)))
    x, y = preferred

    def hidden(corner: Corner) -> int:
        within_x = across < LEGEND_WIDTH if corner[0] > 0 else across > 1 - LEGEND_WIDTH
        within_y = up > 1 - high if corner[1] > 0 else up < high
        return int(np.count_nonzero(within_x & within_y))

    return min(((x, y), (x, -y), (-x, y), (-x, -y)), key=hidden)


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 0 for the least to 1 for the most."""
    found: NDArray[np.float64] = (values - values.min()) / (float(np.ptp(values)) or 1.0)
    return found


class Plot(QWidget):
    """An empty plot with two axes. `widget` is None until `make` was called."""

    resized = Signal(int)
    """Carries the width of the plot, on the screen or for a file."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.widget: Any = None
        self._titles: dict[str, str] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        appearance.changed.connect(self.recolour)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit(self.width())

    def make(self, bottom: str, left: str) -> Any:
        """The PlotWidget, made on the first call, with titles at its axes."""
        if self.widget is None:
            import pyqtgraph

            self.widget = pyqtgraph.PlotWidget()
            self.widget.setMenuEnabled(False)
            self.widget.setMouseEnabled(False, False)
            self.widget.hideButtons()
            self.widget.setFrameShape(self.widget.Shape.NoFrame)
            self._column.addWidget(self.widget)
        self._titles = {"bottom": bottom, "left": left}
        self.recolour()
        return self.widget

    @property
    def text_colour(self) -> QColor:
        return self._appearance.colour("text")

    def make_legend(self, curves: Sequence[Curve], preferred: Corner) -> None:
        """A legend in the corner where fewest points of the curves are, on a plate that lets none strike it through."""
        item = self.widget.getPlotItem()
        if item.legend is not None:
            item.legend.scene().removeItem(item.legend)
            item.legend = None
        plate = QColor(self._appearance.colour("base"))
        plate.setAlphaF(LEGEND_PLATE)
        offset = freest_corner(curves, preferred)
        item.addLegend(offset=offset, labelTextColor=self.text_colour, brush=plate, pen=None)

    def recolour(self) -> None:
        """Take over the colours of the appearance."""
        if self.widget is None:
            return
        self.widget.setBackground(self._appearance.colour("base"))
        for side, title in self._titles.items():
            axis = self.widget.getAxis(side)
            axis.setPen(self._appearance.colour("border"))
            axis.setTextPen(self._appearance.colour("muted"))
            axis.setLabel(title, color=self._appearance.colour("muted").name())

    def save(self, path: Path) -> None:
        """Write what is seen, as SVG or PNG by the file's suffix. Raises OSError where it cannot be written."""
        if self.widget is None:
            raise OSError("there is nothing to draw yet")
        shown, size = self.widget.size(), PAPER
        self._resize(size)
        try:
            self._write(path, size)
        finally:
            self._resize(shown)

    def _resize(self, size: QSize) -> None:
        self.widget.resize(size)
        self.resized.emit(size.width())

    def _write(self, path: Path, size: QSize) -> None:
        if path.suffix.lower() == ".svg":
            written, drawing = QBuffer(), QSvgGenerator()
            drawing.setOutputDevice(written)
            drawing.setSize(size)
            # pyqtgraph records its axes at the screen's resolution; at another they would come out at another scale.
            drawing.setResolution(self.widget.logicalDpiX())
            drawing.setViewBox(QRectF(0, 0, size.width(), size.height()))
            self._paint(QPainter(drawing), size)
            path.write_bytes(with_even_strokes(bytes(written.data().data())))
            return
        image = QImage(size * PNG_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(PNG_SCALE)
        image.fill(self._appearance.colour("base"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint(painter, size)
        if not image.save(str(path)):
            raise OSError(f"{path} cannot be written")

    def _paint(self, painter: QPainter, size: QSize) -> None:
        target = QRectF(0, 0, size.width(), size.height())
        painter.fillRect(target, self._appearance.colour("base"))
        self.widget.scene().render(painter, target, target, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.end()
