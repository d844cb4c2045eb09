"""The ports of a device at a glance: one small square a port, colored by use; click a used one to see its link."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from designer.model.shown_text import plain_text
from designer.panels.widgets.appearance import Appearance

CELL = 13
GAP = 3


@dataclass(frozen=True, slots=True)
class PortCell:
    """One port as the map shows it. `use` is "used", "free", "reserved", "other" (not a fabric port) or "twice"."""

    name: str
    use: str
    tooltip: str
    link_ids: tuple[str, ...] = ()


class PortMap(QWidget):
    """A wrapped grid of ports in port order."""

    link_clicked = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._cells: list[PortCell] = []
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Port map")
        appearance.changed.connect(self.update)

    def show_cells(self, cells: list[PortCell]) -> None:
        """Show these ports, as high as their rows need."""
        self._cells = cells
        self._fit_height()
        self.update()

    # -- geometry -------------------------------------------------------------------------------------------------

    def _per_row(self) -> int:
        fitting = max(1, (self.width() + GAP) // (CELL + GAP))
        for nice in (32, 16, 8, 4, 2, 1):
            if nice <= fitting:
                return nice
        return 1

    def _rect(self, number: int) -> QRect:
        per_row = self._per_row()
        row, column = divmod(number, per_row)
        return QRect(column * (CELL + GAP), row * (CELL + GAP), CELL, CELL)

    def _fit_height(self) -> None:
        rows = -(-len(self._cells) // self._per_row())
        self.setFixedHeight(max(0, rows * (CELL + GAP) - GAP))

    def sizeHint(self) -> QSize:
        """Sixteen ports wide, as high as it is."""
        return QSize(16 * (CELL + GAP), self.height())

    def minimumSizeHint(self) -> QSize:
        """Eight ports wide and one high."""
        return QSize(8 * (CELL + GAP), CELL)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the ports again, with as many rows as they need."""
        super().resizeEvent(event)
        self._fit_height()

    def _cell_at(self, x: int, y: int) -> PortCell | None:
        for number, cell in enumerate(self._cells):
            if self._rect(number).adjusted(-1, -1, GAP, GAP).contains(x, y):
                return cell
        return None

    # -- painting and mouse ---------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a square for each port, colored by use: used, used twice, free, reserved or other."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._appearance.colour
        looks = {
            "used": (QBrush(colour("accent")), QPen(colour("accent"))),
            "twice": (QBrush(colour("error")), QPen(colour("error"))),
            "free": (QBrush(colour("base")), QPen(colour("muted"))),
            "reserved": (QBrush(colour("muted"), Qt.BrushStyle.BDiagPattern), QPen(colour("muted"))),
            "other": (QBrush(colour("hover")), QPen(colour("border"))),
        }
        for number, cell in enumerate(self._cells):
            brush, pen = looks[cell.use]
            painter.setBrush(brush)
            painter.setPen(pen)
            painter.drawRoundedRect(self._rect(number).adjusted(1, 1, -1, -1), 2, 2)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the port under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self._cell_at(event.x(), event.y())
            if cell is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_text(cell.tooltip), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at ports that have a link, which a click shows."""
        cell = self._cell_at(round(event.position().x()), round(event.position().y()))
        over_link = cell is not None and bool(cell.link_ids)
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_link else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit `link_clicked` with the first link of the port clicked."""
        cell = self._cell_at(round(event.position().x()), round(event.position().y()))
        if cell is not None and cell.link_ids:
            self.link_clicked.emit(cell.link_ids[0])
