"""A plot in the window's colors, drawn with pyqtgraph, which is imported when first needed; SVG and PNG of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QVBoxLayout, QWidget

from designer.late import Late
from designer.panels.studies.even_strokes import with_even_strokes
from designer.panels.studies.plot_legend import Entry, PlotLegend
from designer.panels.widgets.appearance import Appearance

pyqtgraph = Late("pyqtgraph")

PNG_SCALE = 2
PAPER = QSize(960, 560)
"""Size of a plot in a file, whatever it is on the screen."""

HEADING_PX = 34
"""Height of the line above a plot in a file that says what it is of."""
LEGEND_GAP_PX = 4.0


def still_plot() -> Any:
    """A PlotWidget that neither moves nor offers options."""
    widget = pyqtgraph.PlotWidget()
    widget.setMenuEnabled(False)
    widget.setMouseEnabled(False, False)
    widget.hideButtons()
    menu = widget.getPlotItem().ctrlMenu  # nobody sees it, and without a parent it would outlive the plot
    menu.setParent(widget, menu.windowFlags())
    return widget


class Plot(QWidget):
    """An empty plot with two axes. `widget` is None until `make` was called."""

    resized = Signal(int)
    """Carries the width of the plot, on the screen or for a file."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.widget: Any = None
        self.legend: PlotLegend | None = None
        self.heading = ""
        """What a file says above the plot; on the screen its surroundings say that."""
        self.note = ""
        """What follows the heading and is never cut off: what has failed."""
        self._titles: dict[str, str] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        appearance.changed.connect(self.recolour)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the legend out for the new width; `resized` carries that width in pixels."""
        super().resizeEvent(event)
        self._follow_size(self.size())

    def _follow_size(self, size: QSize) -> None:
        self._fit_legend(size)
        self.resized.emit(size.width())

    def make(self, bottom: str, left: str) -> Any:
        """The PlotWidget, made on the first call, with titles at its axes."""
        if self.widget is None:
            self.widget = still_plot()
            self.widget.setFrameShape(self.widget.Shape.NoFrame)
            self._column.addWidget(self.widget)
        self._titles = {"bottom": bottom, "left": left}
        self.recolour()
        return self.widget

    @property
    def text_colour(self) -> QColor:
        """The color of texts in the plot."""
        return self._appearance.colour("text")

    def show_legend(self, entries: Sequence[Entry]) -> None:
        """Tell the curves apart above the plot, where none of them runs."""
        item = self.widget.getPlotItem()
        if self.legend is None:
            self.legend = PlotLegend(item)
        self.legend.show_entries(entries, self.text_colour)
        self._fit_legend(self.size())

    def _fit_legend(self, size: QSize) -> None:
        """Give the legend its rows and the plot the rest, on a widget that is that large or will be at once."""
        if self.legend is None:
            return
        item = self.widget.getPlotItem()
        left = item.getAxis("left").width()
        height = self.legend.fit(size.width() - left - LEGEND_GAP_PX, size.height())
        self.legend.setPos(left, LEGEND_GAP_PX)
        item.layout.setContentsMargins(1, height + 2 * LEGEND_GAP_PX if height else 1, 1, 1)
        item.layout.activate()  # now: a file is painted in the same breath

    def recolour(self) -> None:
        """Take over the colors of the appearance."""
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
        self._follow_size(size)

    def _write(self, path: Path, size: QSize) -> None:
        if self.heading:
            size = size + QSize(0, HEADING_PX)
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
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), self._appearance.colour("base"))
        top = HEADING_PX if self.heading else 0
        if self.heading:
            font = self.font()
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(self.text_colour)
            line = QRectF(HEADING_PX / 2, 0, size.width() - HEADING_PX, HEADING_PX)
            metrics, note = QFontMetricsF(font), f"; {self.note}" if self.note else ""
            room = line.width() - metrics.horizontalAdvance(note)
            text = metrics.elidedText(self.heading, Qt.TextElideMode.ElideRight, room) + note
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        target = QRectF(0, top, size.width(), size.height() - top)
        source = QRectF(0, 0, target.width(), target.height())
        self.widget.scene().render(painter, target, source, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.end()
