"""Tables of results: rows under columns, sorted by a click on a heading, one row chosen at a time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTreeView

from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.widgets.cut_texts import INSET_PX, CutDelegate
from designer.panels.widgets.labels import enlarged
from designer.panels.widgets.rows import DETAIL_ROLE, fitting_height
from designer.session.timers import later
from designer.tables.columns import Column, Columns

headings = Late("designer.panels.widgets.sort_header")

Index = QModelIndex | QPersistentModelIndex
Tip = Callable[[Any, Column], str]
Look = Callable[[Any, Column, int], Any]

ORDERS = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEAST_LETTERS = 14
"""So many of a name can be read in the column that is stretched."""
MEASURED_ROWS = 120
"""Of so many rows, spread over all, cells are asked how wide they are."""
SORT_ROLE, ROW_ROLE = DETAIL_ROLE + 10, DETAIL_ROLE + 11
"""What rows are sorted by, and the row itself."""


class Rename(NamedTuple):
    """How texts of a column are changed in place: the column's key, the text to begin with, and who takes the new one.

    A row whose text is None cannot be changed.
    """

    key: str
    text: Callable[[Any], str | None]
    take: Callable[[Any, str], object]


class RowModel(QAbstractTableModel):
    """`rows` under `columns`. `tip` is what a tooltip says of a row, `look` what other roles have: colors, icons."""

    def __init__(self, columns: Columns, tip: Tip | None = None, look: Look | None = None) -> None:
        super().__init__()
        self.columns = columns
        self.rows: Sequence[Any] = ()
        self._tip, self._look = tip, look
        self.rename: Rename | None = None

    def show_rows(self, rows: Sequence[Any], columns: Columns | None = None) -> None:
        """Show other rows, under other columns where given; the same again changes nothing."""
        columns = self.columns if columns is None else columns
        if (rows is not self.rows and rows != self.rows) or columns != self.columns:
            self.beginResetModel()
            self.rows, self.columns = rows, columns
            self.endResetModel()

    def look_again(self) -> None:
        """Colors and icons are others now."""
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, tooltip or alignment of a column; None for rows, which have no heading."""
        if orientation == Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(column.tip)
        return RIGHT if role == Qt.ItemDataRole.TextAlignmentRole and column.right else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell by role: its text, what it sorts by, its row, alignment or tooltip; `look` answers all others."""
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown(column.of(row))
        if role == Qt.ItemDataRole.EditRole and self._may_rename(index):
            return self.rename.text(row) if self.rename is not None else None
        if role == SORT_ROLE:
            return column.order(row) if column.order is not None else column.of(row)
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.right else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(self._tip(row, column)) if self._tip is not None else None
        return self._look(row, column, role) if self._look is not None else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Which cells can be changed in place."""
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if self._may_rename(index) else Qt.ItemFlag(0))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Hand over what was typed."""
        if role != Qt.ItemDataRole.EditRole or self.rename is None or not self._may_rename(index):
            return False
        self.rename.take(self.rows[index.row()], str(value))
        return True

    def _may_rename(self, index: Index) -> bool:
        rename = self.rename
        if rename is None or not index.isValid() or self.columns[index.column()].key != rename.key:
            return False
        return rename.text(self.rows[index.row()]) is not None


class Sorted(QSortFilterProxyModel):
    """Rows by the values of a column, unknown ones first when it goes up; as they came where no heading is clicked."""

    def lessThan(self, left: Index, right: Index) -> bool:
        """Whether one value comes before the other: unknown ones first, a text beside a number as text."""
        a, b = left.data(SORT_ROLE), right.data(SORT_ROLE)
        if a is None or b is None:
            return a is None and b is not None
        return bool(a < b) if type(a) is type(b) or not isinstance(a, str) ^ isinstance(b, str) else str(a) < str(b)


class RowTable(QTreeView):
    """`chosen` carries the row that was clicked or entered.

    Columns are as wide as their cells, but those of `widths`, and those of `stretch`, by their keys, which share the
    room that is left, none with less than its heading and a name need: where all are too wide, the table scrolls.
    Figures are never cut.
    """

    chosen = Signal(object)
    current_changed = Signal()
    resized = Signal()

    def __init__(
        self,
        name: str,
        columns: Columns,
        *,
        stretch: str = "",
        widths: Mapping[str, int] | None = None,
        tip: Tip | None = None,
        look: Look | None = None,
        proxy: Sorted | None = None,
        rename: Rename | None = None,
    ) -> None:
        super().__init__()
        self._stretch, self._widths = stretch.split(), widths or {}
        self._sorted = (-1, 0)
        """The column that rows are sorted by, and how often its heading was clicked before."""
        self.shown = RowModel(columns, tip, look)
        self.shown.rename = rename
        self._fitted = later(self, 0, self._fit_stretch)
        self.proxy = Sorted() if proxy is None else proxy
        self.proxy.setSourceModel(self.shown)
        self.heading = headings.SortHeader(self)  # before the model: one that hears of resets after its view crashes Qt
        self.setHeader(self.heading)
        self.setModel(self.proxy)
        self.setAccessibleName(name)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setItemDelegate(CutDelegate(self))
        self.header().setStretchLastSection(False)
        self.header().setSectionsClickable(True)
        self.header().sectionClicked.connect(self._sort)
        self.header().sectionResized.connect(lambda *_sizes: self._fitted.start())
        self.clicked.connect(lambda index: self.chosen.emit(self.row_at(index)))
        self.selectionModel().currentRowChanged.connect(lambda *_: self.current_changed.emit())
        self._size_columns()

    @property
    def rows(self) -> Sequence[Any]:
        """All rows, in the order they were given."""
        return self.shown.rows

    @property
    def current(self) -> Any:
        """The chosen row; None while there is none."""
        index = self.currentIndex()
        return self.row_at(index) if index.isValid() else None

    def show_rows(self, rows: Sequence[Any], columns: Columns | None = None) -> None:
        """Show other rows, under other columns where given."""
        before = self.shown.columns
        self.shown.show_rows(rows, columns)
        if self.shown.columns != before:
            self._size_columns()
        else:
            self._fit_figures()

    def row_at(self, index: Index) -> Any:
        """The row that an index of the view stands in."""
        return self.shown.rows[self.proxy.mapToSource(index).row()]

    def index_of(self, number: int, column: int = 0) -> QModelIndex:
        """Where the row of that number among all rows is shown."""
        return self.proxy.mapFromSource(self.shown.index(number, column))

    def choose(self, number: int | None) -> None:
        """Make the row of that number the current one; None chooses none."""
        if number is None:
            self.setCurrentIndex(QModelIndex())
        else:
            self.setCurrentIndex(self.index_of(number))

    def rect_of(self, number: int) -> QRect:
        """Where the row is on the screen, by its first column."""
        return self.visualRect(self.index_of(number))

    def texts(self, number: int) -> list[str]:
        """The cells of a row as they are shown."""
        return [self.shown.index(number, column).data() for column in range(len(self.shown.columns))]

    def column(self, key: str) -> int:
        """Where the column of that key is."""
        return [column.key for column in self.shown.columns].index(key)

    def fit_height(self, most: int) -> None:
        """Be as high as the rows are, at most so many of them."""
        self.setFixedHeight(fitting_height(self, max(1, min(len(self.rows), most))))

    def _sort(self, section: int) -> None:
        """Up, down, and as the rows came, in turn, from the first row on; no column moves meanwhile."""
        column, done = self._sorted
        at = done + 1 if column == section else 0
        self._sorted = (section, at) if at < len(ORDERS) else (-1, 0)
        self.heading.mark(*self.sorted_by)
        self.put_in_order(*self.sorted_by)
        self.scrollToTop()

    @property
    def sorted_by(self) -> tuple[int, Qt.SortOrder]:
        """The column that rows are sorted by, -1 for none, and which way."""
        section, at = self._sorted
        return section, ORDERS[at]

    def put_in_order(self, section: int, order: Qt.SortOrder) -> None:
        """Sort by a column; -1 for the order in which rows came."""
        self.sortByColumn(section, order)

    def forget_order(self) -> None:
        """Rows are in the order in which they come, until a heading is clicked."""
        self._sorted = (-1, 0)
        self.heading.mark(*self.sorted_by)

    def wanted_px(self, number: int) -> int:
        """What a column needs for its heading, the first MEASURED_ROWS rows and as many spread over all others."""
        column, rows = self.shown.columns[number], self.shown.rows
        least: int = self.heading.sectionSizeFromContents(number).width()
        if not rows:
            return least
        step = -(-len(rows) // MEASURED_ROWS)
        measured = sorted({*range(min(len(rows), MEASURED_ROWS)), *range(0, len(rows), step)})
        advance = self.fontMetrics().horizontalAdvance
        widths = {at: advance(column.shown(column.of(rows[at]))) for at in measured}
        widest = max(measured, key=widths.__getitem__)
        hint = self.sizeHintForIndex(self.index_of(widest, number)).width()
        return max(least, hint, widths[widest] + INSET_PX)

    def _size_columns(self) -> None:
        header, mode = self.header(), QHeaderView.ResizeMode
        for number, column in enumerate(self.shown.columns):
            width = self._widths.get(column.key)
            if column.key in self._stretch:
                header.setSectionResizeMode(number, mode.Stretch)
            elif width is None:
                header.setSectionResizeMode(number, mode.ResizeToContents)
            else:
                header.setSectionResizeMode(number, mode.Interactive)
                header.resizeSection(number, max(enlarged(width), header.sectionSizeFromContents(number).width()))
        self._fit_figures()

    def _fit_figures(self) -> None:
        """Make columns of `widths` as wide as their figures: "100.…" says nothing."""
        for number, column in enumerate(self.shown.columns):
            if column.right and column.key in self._widths:
                wanted = self.wanted_px(number)
                if self.header().sectionSize(number) < wanted:
                    self.header().resizeSection(number, wanted)

    def _stretched(self) -> list[int]:
        """The columns that share the room that is left."""
        keys = enumerate(column.key for column in self.shown.columns)
        return [number for number, key in keys if key in self._stretch and not self.isColumnHidden(number)]

    def _least_px(self, number: int) -> int:
        """What a column that is stretched has at least: room for its heading and for a name."""
        letters = LEAST_LETTERS * self.fontMetrics().averageCharWidth()
        return max(self.header().sectionSizeFromContents(number).width(), letters)

    def least_width_px(self) -> int:
        """How wide all columns are together where those that are stretched have no more room than they need."""
        stretched = self._stretched()
        figures = (n for n in range(len(self.shown.columns)) if n not in stretched)
        return sum(map(self._least_px, stretched)) + sum(map(self.wanted_px, figures))

    def _fit_stretch(self) -> None:
        """Let the stretched columns share the room that is left while that is enough."""
        header, stretched = self.header(), self._stretched()
        others = sum(header.sectionSize(n) for n in range(header.count()) if n not in stretched)
        least = {number: self._least_px(number) for number in stretched}
        is_enough = self.viewport().width() - others >= len(least) * max(least.values(), default=0)
        mode = QHeaderView.ResizeMode.Stretch if is_enough else QHeaderView.ResizeMode.Interactive
        for number, px in least.items():
            if header.sectionResizeMode(number) != mode:
                header.setSectionResizeMode(number, mode)
            if not is_enough and header.sectionSize(number) < px:
                header.resizeSection(number, px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit `resized`."""
        super().resizeEvent(event)
        self._fit_stretch()
        self.resized.emit()

    def begin_rename(self) -> None:
        """Open the text of the current row that can be changed for typing."""
        rename, index = self.shown.rename, self.currentIndex()
        if rename is not None and index.isValid() and rename.text(self.row_at(index)) is not None:
            self.edit(index.siblingAtColumn(self.column(rename.key)))

    def event(self, event: QEvent) -> bool:
        """F2 renames the current row while the table has the keyboard, not what is selected in the design."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F2 and self.shown.rename:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current row on Enter; copy it, cells separated by tabs, on the keys of Copy."""
        if event.key() == Qt.Key.Key_F2 and self.shown.rename is not None:
            self.begin_rename()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.current)
        elif event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            number = self.proxy.mapToSource(self.currentIndex()).row()
            QGuiApplication.clipboard().setText("\t".join(self.texts(number)))
        else:
            super().keyPressEvent(event)
