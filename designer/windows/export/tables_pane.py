"""Tables to look at: the first rows of each, one sheet at a time."""

from operator import itemgetter

from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QListWidget, QTreeView, QVBoxLayout, QWidget

from designer.exchange.previews import PreviewTable
from designer.model.shown_text import visible_line
from designer.panels.widgets.labels import ElidedLabel
from designer.panels.widgets.row_table import RowModel
from designer.tables.columns import Column, Columns

LIST_WIDTH = 150
MEASURED_ROWS, MOST_MEASURED = 60, 200
MOST_WIDTH, AIR_PX = 320, 20


class TablesPane(QWidget):
    """One table, or the sheets of a workbook in a list."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: tuple[PreviewTable, ...] = ()
        self._note = ""
        self.list = QListWidget()
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName("Sheets")
        self.list.currentRowChanged.connect(self._show)
        self.rows = RowModel(())
        self.table = QTreeView()
        self.table.setModel(self.rows)
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        self.table.setAccessibleName("Rows")
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.caption = ElidedLabel("", "muted")
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(self.table, 1)
        right.addWidget(self.caption)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.list)
        row.addLayout(right, 1)

    def show_tables(self, tables: tuple[PreviewTable, ...], note: str) -> None:
        """Show these, at the sheet that was looked at before; `note` says what else there is to know."""
        item = self.list.currentItem()
        before = item.text() if item is not None else ""
        self._tables, self._note = tables, note
        titles = [visible_line(one.title) for one in tables]
        self.list.blockSignals(True)  # one signal at the end
        self.list.clear()
        self.list.addItems(titles)
        self.list.blockSignals(False)
        self.list.setVisible(len(tables) > 1)
        self.list.setCurrentRow(titles.index(before) if before in titles else 0)

    def _show(self, number: int) -> None:
        if 0 <= number < len(self._tables):
            shown = self._tables[number]
            width = max((len(row) for row in (shown.headings, *shown.rows)), default=0)
            headings = shown.headings + ("",) * (width - len(shown.headings))
            rows = [row + ("",) * (width - len(row)) for row in shown.rows]
            self.rows.show_rows(rows, columns_of(headings))
            self._size_columns(headings, rows)
            self.caption.set_text(f"{shown.summary} · {self._note}" if self._note else shown.summary)

    def _size_columns(self, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
        """As wide as their first cells. Qt would ask for every cell again with each column."""
        metrics = self.table.fontMetrics()
        for number, heading in enumerate(headings):
            longest = max((row[number] for row in rows[:MEASURED_ROWS]), key=len, default="")
            width = max(map(metrics.horizontalAdvance, (heading, longest[:MOST_MEASURED])))
            self.table.header().resizeSection(number, min(MOST_WIDTH, width + AIR_PX))


def columns_of(headings: tuple[str, ...]) -> Columns:
    """Columns of rows that are tuples of texts."""
    return tuple(Column(str(number), heading, itemgetter(number)) for number, heading in enumerate(headings))
