"""The table of findings: rows, under headings where these are grouped, that keys and clicks open and close."""

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from designer.panels.findings.findings_model import (
    COLUMNS,
    LOOKS,
    MESSAGE_COLUMN,
    NEWS_COLUMN,
    WIDTHS,
    FindingRow,
    MessageDelegate,
    look,
    tip,
)
from designer.panels.findings.grouping import GroupHead, Shown
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.row_table import ROW_ROLE, Look, RowTable, Sorted, Tip

Index = QModelIndex | QPersistentModelIndex
ARROW_PX = 3.5
TITLE_PX = 30
"""From the left edge to the title of a heading."""
GAP_PX = 14


class Filter(Sorted):
    """Rows of the chosen severities that contain all words, and the headings over them."""

    def __init__(self) -> None:
        super().__init__()
        self._words: list[str] = []
        self._hidden: set[str] = set()
        self._head_of: dict[int, GroupHead] = {}

    def show_words(self, text: str) -> None:
        """Show what contains all of these words."""
        self._words = text.lower().split()
        self.invalidate()

    def show_severity(self, severity: str, shown: bool) -> None:
        """Show findings of a severity, or hide them."""
        (self._hidden.discard if shown else self._hidden.add)(severity)
        self.invalidate()

    def note_heads(self, rows: list[Shown]) -> None:
        """Learn which heading each row stands under, before the rows are shown."""
        head: GroupHead | None = None
        self._head_of = {}
        for number, row in enumerate(rows):
            head = row if isinstance(row, GroupHead) else head
            if head is not None:
                self._head_of[number] = head

    def accepts(self, row: FindingRow) -> bool:
        """Whether the filter lets a finding through."""
        return row.severity not in self._hidden and all(word in row.haystack for word in self._words)

    def filterAcceptsRow(self, source_row: int, source_parent: object) -> bool:
        """Headings with a row that is let through, and the rows of those that are open."""
        row: Shown = self.sourceModel().index(source_row, 0).data(ROW_ROLE)
        if isinstance(row, GroupHead):
            return any(map(self.accepts, row.rows))
        head = self._head_of.get(source_row)
        return (head is None or head.is_open) and self.accepts(row)

    def lessThan(self, left: Index, right: Index) -> bool:
        """Rows are sorted under their headings, which stay where they are."""
        if not self._head_of:
            return super().lessThan(left, right)
        a, b = self._place(left), self._place(right)
        if a == b:
            return super().lessThan(left, right)
        return (a < b) != (self.sortOrder() == Qt.SortOrder.DescendingOrder)

    def _place(self, index: Index) -> tuple[int, bool]:
        return self._head_of[index.row()].number, not isinstance(index.data(ROW_ROLE), GroupHead)


class FindingsTable(RowTable):
    """`opening` carries a heading to open or close; `preview_wanted` and `leaving` follow their keys."""

    opening = Signal(object)
    preview_wanted = Signal()

    def __init__(self, appearance: Appearance, proxy: Filter) -> None:
        def looked(row: Shown, column: Any, role: int) -> Any:
            return look(appearance, row, column, role) if isinstance(row, FindingRow) else None

        def said(row: Shown, column: Any) -> str:
            return tip(row, column) if isinstance(row, FindingRow) else f"{row.title}: {row.summary}"

        tips: Tip = said
        looks: Look = looked
        super().__init__("Findings", COLUMNS, stretch="message", widths=WIDTHS, tip=tips, look=looks, proxy=proxy)
        self._appearance = appearance
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegateForColumn(MESSAGE_COLUMN, MessageDelegate(self))
        self.header().moveSection(NEWS_COLUMN, 1)

    def head_at(self, index: Index) -> GroupHead | None:
        """The heading in that row; None where a finding is."""
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row if isinstance(row, GroupHead) else None

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        """A heading runs across all columns."""
        head = self.head_at(index)
        if head is None:
            super().drawRow(painter, options, index)
            return
        rect: QRect = options.rect
        chosen = self.selectionModel().isRowSelected(index.row(), QModelIndex())
        colour = self._appearance.colour
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, colour("accent_soft" if chosen else "hover"))
        middle = rect.center().y() + 0.5
        x = rect.left() + 13.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("muted"))
        painter.drawPolygon(_arrow(x, middle, is_open=head.is_open))
        font = QFont(self.font())
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QPen(colour("text")))
        room = rect.adjusted(TITLE_PX, 0, -8, 0)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        summary_px = self.fontMetrics().horizontalAdvance(head.summary) + GAP_PX
        metrics = painter.fontMetrics()
        title = metrics.elidedText(head.title, Qt.TextElideMode.ElideRight, max(60, room.width() - summary_px))
        painter.drawText(room, flags, title)
        painter.setFont(self.font())
        painter.setPen(QPen(colour(LOOKS[head.severity].colour)))
        after = metrics.horizontalAdvance(title) + GAP_PX
        painter.drawText(room.adjusted(after, 0, 0, 0), flags, head.summary)
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the arrow of a heading opens or closes it."""
        head = self.head_at(self.indexAt(event.position().toPoint()))
        if head is not None and event.position().x() < TITLE_PX and event.button() == Qt.MouseButton.LeftButton:
            self.opening.emit(head)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click on a heading opens or closes it."""
        head = self.head_at(self.indexAt(event.position().toPoint()))
        if head is None:
            super().mouseDoubleClickEvent(event)
        elif event.position().x() >= TITLE_PX:
            self.opening.emit(head)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right and Enter close and open headings; Left on a finding goes to its heading; Space previews."""
        key, head = event.key(), self.head_at(self.currentIndex())
        if head is not None and (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
            or (key == Qt.Key.Key_Left and head.is_open)
            or (key == Qt.Key.Key_Right and not head.is_open)
        ):
            self.opening.emit(head)
        elif key == Qt.Key.Key_Left and head is None and self._go_to_head():
            return
        elif key == Qt.Key.Key_Space and head is None and self.current is not None:
            self.preview_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _go_to_head(self) -> bool:
        for row in range(self.currentIndex().row() - 1, -1, -1):
            index = self.proxy.index(row, 0)
            if self.head_at(index) is not None:
                self.setCurrentIndex(index)
                return True
        return False


def _arrow(x: float, y: float, *, is_open: bool) -> QPolygonF:
    r = ARROW_PX
    if is_open:
        return QPolygonF([QPointF(x - r, y - r / 2), QPointF(x + r, y - r / 2), QPointF(x, y + r)])
    return QPolygonF([QPointF(x - r / 2, y - r), QPointF(x - r / 2, y + r), QPointF(x + r, y)])
