"""Tables of results in panels: sorted by their values, unknown ones apart, a row copied as text."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor

from designer.model.shown_text import plain_text
from designer.panels.widgets.row_table import RowTable
from designer.tables.columns import Column, percent

COLUMNS = (
    Column("name", "Link"),
    Column("load", "Load", text=percent, right=True, tip="Its <peak>", empty="–"),
    Column("size", "Size", text="{} B".format, right=True, order=lambda row: -row.size),
)


@dataclass(frozen=True)
class Row:
    name: str
    load: float | None
    size: int


ROWS = (Row("b", 0.09, 30), Row("a", 0.5, 4), Row("c", None, 100))


@pytest.fixture
def table(qtbot):
    table = RowTable(
        "Links",
        COLUMNS,
        stretch="name",
        tip=lambda row, column: f"{row.name} {column.key}",
        look=lambda row, _, role: (
            QColor("red") if role == Qt.ItemDataRole.ForegroundRole and row.load is None else None
        ),
    )
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show_rows(ROWS)
    table.show()
    return table


def names(table):
    return [table.proxy.index(row, 0).data() for row in range(table.proxy.rowCount())]


def sort(table, key, order=Qt.SortOrder.AscendingOrder):
    table.sortByColumn(table.column(key), order)
    return names(table)


def test_rows_stand_as_given_until_a_heading_is_clicked_then_by_value_not_by_text(table):
    assert names(table) == ["b", "a", "c"]
    assert sort(table, "load") == ["c", "b", "a"], "9 % before 50 %, what is not known first"
    assert sort(table, "load", Qt.SortOrder.DescendingOrder) == ["a", "b", "c"]
    assert sort(table, "size") == ["c", "b", "a"], "by what the column says its order is"
    assert sort(table, "name") == ["a", "b", "c"]


def test_clicks_on_a_heading_sort_up_then_down_then_as_given(table, qtbot):
    header = table.header()
    at = QPoint(header.sectionViewportPosition(1) + 5, header.height() // 2)
    orders = []
    for _ in range(4):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        orders.append(("".join(names(table)), header.isSortIndicatorShown()))
    assert orders == [("cba", True), ("abc", True), ("bac", False), ("cba", True)]


def test_cells_headings_tips_and_colours_are_those_of_the_columns(table):
    assert table.texts(0) == ["b", "9.0 %", "30 B"] and table.texts(2)[1] == "–"
    heading = table.shown.headerData
    assert [heading(at, Qt.Orientation.Horizontal) for at in range(3)] == ["Link", "Load", "Size"]
    assert (
        heading(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == plain_text("Its <peak>") != "Its <peak>"
    )
    right = [table.index_of(0, at).data(Qt.ItemDataRole.TextAlignmentRole) is not None for at in range(3)]
    assert right == [False, True, True]
    assert table.index_of(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "a load"
    assert [table.index_of(row).data(Qt.ItemDataRole.ForegroundRole) is None for row in (0, 2)] == [True, False]


def test_a_clicked_row_is_told_whatever_the_order(table, qtbot):
    sort(table, "name")
    with qtbot.waitSignal(table.chosen) as caught:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.rect_of(1).center())
    assert caught.args == [ROWS[1]] and table.current is ROWS[1]
    table.choose(2)
    with qtbot.waitSignal(table.chosen) as caught:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert caught.args == [ROWS[2]]
    table.choose(None)
    assert table.current is None


def test_the_current_row_is_copied_as_text(table, qtbot, qapp):
    table.choose(0)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == "b\t9.0 %\t30 B"


def test_the_same_rows_again_leave_the_choice_alone_and_other_columns_are_shown(table):
    table.choose(1)
    table.show_rows(tuple(ROWS))
    assert table.current is ROWS[1]
    table.show_rows(ROWS, COLUMNS[:2])
    assert table.texts(0) == ["b", "9.0 %"] and table.column("load") == 1
