"""A layout that sets its parts side by side, and goes on in another row where there is no more room."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QVBoxLayout, QWidget

from designer.panels.widgets.labels import label


class Wrapping(QLayout):
    """Asks for the width of its widest part alone, and for as many rows as the width there is makes of it."""

    def __init__(self, across_px: int = 8, down_px: int = 6) -> None:
        super().__init__()
        self._across, self._down = across_px, down_px
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Add a part at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many parts there are."""
        return len(self._items)

    def itemAt(self, number: int) -> QLayoutItem | None:
        """The part of that number; None where there is none."""
        return self._items[number] if 0 <= number < len(self._items) else None

    def takeAt(self, number: int) -> QLayoutItem | None:
        """The part of that number, which is no longer one; None where there is none."""
        return self._items.pop(number) if 0 <= number < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Its height depends on its width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of its rows in that width."""
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        """Give every part its place."""
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def sizeHint(self) -> QSize:
        """All in one row."""
        sizes = [one.sizeHint() for one in self._items if not one.isEmpty()]
        across = sum(one.width() for one in sizes) + self._across * max(0, len(sizes) - 1)
        return QSize(across, max((one.height() for one in sizes), default=0))

    def minimumSize(self) -> QSize:
        """The widest part, and the highest."""
        least = QSize()
        for one in self._items:
            least = least.expandedTo(one.minimumSize())
        return least

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        x, y, tall = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if tall and x + size.width() > rect.right() + 1:
                x, y, tall = rect.x(), y + tall + self._down, 0
            if moves:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, tall = x + size.width() + self._across, max(tall, size.height())
        return y + tall - rect.y()


def figure(*lines: QWidget) -> QWidget:
    """A figure with its name and unit below each other, as one part."""
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for line in lines:
        column.addWidget(line)
    return whole


def show_counts(row: Wrapping, counts: Sequence[tuple[str, str]]) -> None:
    """Put names and counts into a row in place of what is there: each count over its name."""
    while (item := row.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
    for name, count in counts:
        row.addWidget(figure(label(count, "value"), label(name, "muted")))
