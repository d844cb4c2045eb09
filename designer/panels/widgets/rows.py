"""Rows of lists: painted with a quiet figure at the right, chosen by click or Enter."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
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
DETAIL_GAP = 12
LEAST_DETAIL = 40
"""Pixels; less of a detail says nothing."""
LEAST_LETTERS_OF_LINE = 24
"""A list that is narrower has such a detail below the name."""
LEAST_NAME_LETTERS = 7
"""So much is left of a name that is cut for the sake of a detail that has to be seen."""
ROUNDING = 2
"""Pixels by which letters may be wider than their metrics say in whole pixels."""
FIGURES = 20
"""Characters up to which a detail is figures, which say something else when they are cut."""


def detail_width(room: int, text: str, detail: str, metrics: QFontMetrics) -> int:
    """How wide a detail is painted next to a text that is whole; 0 where it has no room, cut only where it is long."""
    left_over = room - metrics.horizontalAdvance(text) - ROUNDING - DETAIL_GAP
    wanted = metrics.horizontalAdvance(detail) + 4 if detail else 0
    may_cut = len(detail) > FIGURES and left_over >= LEAST_DETAIL
    return wanted if wanted <= left_over else left_over if may_cut else 0


def kept_detail(room: int, detail: str, metrics: QFontMetrics) -> tuple[str, int]:
    """A detail that has to be seen, and how wide it is painted: closer where that leaves too little of the text."""
    most = max(0, room - LEAST_NAME_LETTERS * metrics.averageCharWidth() - DETAIL_GAP)
    shown, wanted = detail, 0
    for shown in (detail, detail.replace(" × ", "×"), detail.replace(" ", "")):
        wanted = metrics.horizontalAdvance(shown) + 4 if shown else 0
        if wanted <= most:
            break
    return shown, min(wanted, most)


class DetailDelegate(QStyledItemDelegate):
    """Draws DETAIL_ROLE right-aligned in the quiet color; it gives way to the text, figures wholly.

    Where it `keeps_detail` the text gives way, cut in its middle, as models of a series differ at their ends. In a list
    too narrow for both the detail stands below the text.
    """

    def __init__(self, parent: QWidget | None = None, height: int = ROW_HEIGHT, *, keeps_detail: bool = False) -> None:
        super().__init__(parent)
        self._height, self._keeps_detail = height, keeps_detail

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """At least as high as the list asks for, with room for one line of text."""
        hint, line = super().sizeHint(option, index), option.fontMetrics.height()
        lines = 2 if index.data(DETAIL_ROLE) and self._is_stacked(option) else 1
        return QSize(hint.width(), max(self._height, lines * line + 8))

    def _is_stacked(self, option: QStyleOptionViewItem) -> bool:
        """Whether the list has no room for text and detail next to each other."""
        view = option.widget
        if not self._keeps_detail or not isinstance(view, QAbstractItemView):
            return False
        return view.viewport().width() < LEAST_LETTERS_OF_LINE * option.fontMetrics.averageCharWidth()

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the text, and its detail quietly at the right where there is room for it."""
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        detail = str(index.data(DETAIL_ROLE) or "")
        style = own.widget.style() if own.widget is not None else QApplication.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, own, own.widget).adjusted(2, 0, -8, 0)
        text = own.text
        width = detail_width(room.width(), text, detail, own.fontMetrics)
        is_stacked = bool(detail) and self._is_stacked(own)
        if self._keeps_detail and not is_stacked:
            detail, width = kept_detail(room.width(), detail, own.fontMetrics)
        cut = Qt.TextElideMode.ElideMiddle if self._keeps_detail and detail else Qt.TextElideMode.ElideRight
        own.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        painter.save()
        painter.setFont(own.font)
        if is_stacked:
            _paint_stacked(painter, own, room, text, detail)
            painter.restore()
            return
        left = QRect(room.left(), room.top(), room.width() - width - (DETAIL_GAP if width else 0), room.height())
        painter.setPen(own.palette.color(QPalette.ColorRole.Text))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            left,
            middle | Qt.AlignmentFlag.AlignLeft,
            own.fontMetrics.elidedText(text, cut, left.width()),
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


def _paint_stacked(painter: QPainter, option: QStyleOptionViewItem, room: QRect, text: str, detail: str) -> None:
    """The text, and its detail below it."""
    high = option.fontMetrics.height()
    top = room.center().y() - high + 1
    cut = Qt.TextElideMode.ElideMiddle
    forms = (detail, detail.replace(" × ", "×"), detail.replace(" ", ""))
    fits = (one for one in forms if option.fontMetrics.horizontalAdvance(one) <= room.width())
    shown = (text, QPalette.ColorRole.Text), (next(fits, forms[-1]), QPalette.ColorRole.PlaceholderText)
    for number, (words, role) in enumerate(shown):
        painter.setPen(option.palette.color(role))
        line = QRect(room.left(), top + number * high, room.width(), high)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, option.fontMetrics.elidedText(words, cut, room.width()))


class CardDelegate(QStyledItemDelegate):
    """Draws a row as a picture with the text and, wrapped below it, DETAIL_ROLE beside it.

    The text is never cut: what tells titles apart often stands at their end.
    """

    MARGIN = 6

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as the picture or the texts, with a margin."""
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        picture, view = own.decorationSize, own.widget
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else own.rect.width()
        room = QRect(0, 0, width - picture.width() - 4 * self.MARGIN, 1 << 15)
        font = QFont(own.font)
        font.setBold(True)
        wrapped = int(Qt.TextFlag.TextWordWrap)
        lines = QFontMetrics(font).boundingRect(room, wrapped, own.text).height() + 2
        lines += own.fontMetrics.boundingRect(room, wrapped, str(index.data(DETAIL_ROLE) or "")).height()
        return QSize(picture.width(), max(picture.height(), lines) + 2 * self.MARGIN)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint the picture, the text and its detail."""
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        text, icon = own.text, QIcon(own.icon)  # a copy: the option's own is emptied
        own.text, own.icon = "", QIcon()
        style = own.widget.style() if own.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, own, painter, own.widget)
        area = option.rect.adjusted(self.MARGIN, self.MARGIN, -self.MARGIN, -self.MARGIN)
        painter.save()
        picture = QRect(area.topLeft(), option.decorationSize)
        icon.paint(painter, picture, Qt.AlignmentFlag.AlignCenter)
        painter.setPen(own.palette.color(QPalette.ColorRole.Mid))
        painter.drawRect(picture.adjusted(0, 0, -1, -1))
        font = own.font
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(own.palette.color(QPalette.ColorRole.Text))
        room = area.adjusted(picture.width() + 2 * self.MARGIN, 0, 0, 0)
        top = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        wrapped = top | Qt.TextFlag.TextWordWrap
        taken = painter.boundingRect(room, wrapped, text)
        painter.drawText(room, wrapped, text)
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(own.palette.color(QPalette.ColorRole.PlaceholderText))
        below = room.adjusted(0, taken.height() + 2, 0, 0)
        painter.drawText(below, wrapped, str(index.data(DETAIL_ROLE) or ""))
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
