"""Rows of lists: painted with a quiet figure at the right, chosen by click or Enter."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

ID_ROLE = int(Qt.ItemDataRole.UserRole)
DETAIL_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ROW_HEIGHT = 26


class DetailDelegate(QStyledItemDelegate):
    """Draws DETAIL_ROLE right-aligned in the quiet colour; the text gives way when both do not fit."""

    def __init__(self, parent: QWidget | None = None, height: int = ROW_HEIGHT) -> None:
        super().__init__(parent)
        self._height = height

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """At least as high as the list asks for, with room for one line of text."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(self._height, option.fontMetrics.height() + 8))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the text, and its detail quietly at the right; the text gives way first."""
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        detail = str(index.data(DETAIL_ROLE) or "")
        style = own.widget.style() if own.widget is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, own, own.widget).adjusted(2, 0, -8, 0)
        width = min(own.fontMetrics.horizontalAdvance(detail) + 4, room.width() * 2 // 3) if detail else 0
        text = own.text
        own.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        painter.save()
        painter.setFont(own.font)
        left = QRect(room.left(), room.top(), room.width() - width - (12 if width else 0), room.height())
        painter.setPen(own.palette.color(QPalette.ColorRole.Text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            left,
            middle | Qt.AlignmentFlag.AlignLeft,
            own.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, left.width()),
        )
        if width:
            right = QRect(room.right() - width + 1, room.top(), width, room.height())
            painter.setPen(own.palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(
                right,
                middle | Qt.AlignmentFlag.AlignRight,
                own.fontMetrics.elidedText(detail, Qt.TextElideMode.ElideRight, width),
            )
        painter.restore()


def fitting_height(tree: QTreeView, rows: int) -> int:
    """The height at which a list with a header shows just so many rows."""
    row = tree.sizeHintForRow(0)
    return tree.header().sizeHint().height() + rows * (row if row > 0 else ROW_HEIGHT) + 2 * tree.frameWidth() + 2


def sections(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """The top rows of a tree."""
    return [item for row in range(tree.topLevelItemCount()) if (item := tree.topLevelItem(row)) is not None]


def rows_under(section: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    """The items right below a section, in their order."""
    return [item for row in range(section.childCount()) if (item := section.child(row)) is not None]


def all_rows(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """Every row of a tree, from the top down."""
    found: list[QTreeWidgetItem] = []
    left = sections(tree)[::-1]
    while left:
        found.append(left.pop())
        left += rows_under(found[-1])[::-1]
    return found
