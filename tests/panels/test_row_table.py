"""Tables of results in panels: sorted by their values, unknown ones apart, a row copied as text."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStyleOptionViewItem

from designer.model.shown_text import plain_text
from designer.panels.widgets.long_table import LongTable
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
        orders.append(("".join(names(table)), *header.marked))
    up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
    assert orders == [("cba", 1, up), ("abc", 1, down), ("bac", -1, up), ("cba", 1, up)]


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


def test_figures_are_never_cut_whatever_width_their_column_was_given(qtbot):
    table = RowTable("Links", COLUMNS, widths={"load": 10}, stretch="name")
    qtbot.addWidget(table)
    table.show_rows(ROWS)
    header = table.header()
    assert header.sectionSize(1) >= max(table.sizeHintForColumn(1), header.sectionSizeFromContents(1).width())
    before = header.sectionSize(1)
    table.show_rows([Row("d", 123456.0, 1)])
    assert header.sectionSize(1) >= table.sizeHintForColumn(1) > before


MANY = [Row(f"gpu-{number:03d}", 0.5, number) for number in range(300)] + [
    Row(f"leaf-switch-su1-r{number}", 0.5, number) for number in range(20)
]


@pytest.fixture
def long(qtbot):
    table = LongTable("Devices", ())
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    table.show_rows(MANY, COLUMNS)
    return table


def test_a_column_of_a_long_table_fits_names_that_come_into_sight_later(long):
    long.scrollToBottom()
    assert long.columnWidth(0) >= long.sizeHintForColumn(0)
    assert shown_text(long, 310) == "leaf-switch-su1-r10"


def test_a_very_long_name_is_cut_with_an_ellipsis_and_leaves_the_other_columns_in_sight(long):
    long.show_rows([Row("x" * 300 + "-leaf-01", 0.5, 1), *MANY])
    assert long.columnWidth(0) < 500
    assert "…" in shown_text(long, 0)


def test_sorting_moves_no_column_shows_the_first_rows_and_keeps_the_selection(long, qtbot):
    header = long.header()
    widths = [header.sectionSize(number) for number in range(3)]
    long.select_numbers([305])
    at = QPoint(header.sectionViewportPosition(2) + 5, header.height() // 2)
    for _ in range(2):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert [header.sectionSize(number) for number in range(3)] == widths
        assert long.verticalScrollBar().value() == 0
        assert long.selected_rows() == [MANY[305]]
    assert names(long)[-1] == "gpu-299", "downwards, by what the column says its order is"


def test_the_mark_of_a_sorted_column_covers_no_heading(table, qtbot):
    before = picture_of(table)
    header = table.header()
    qtbot.mouseClick(
        header.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPoint(header.sectionViewportPosition(1) + 5, header.height() // 2),
    )
    after = picture_of(table)
    text = QRect(0, 7, header.width(), header.height() - 9)
    assert before.copy(text) == after.copy(text) and before != after


def picture_of(table):
    table.header().viewport().update()
    return table.header().viewport().grab().toImage()


def shown_text(table, number):
    """A cell of the first column as it is painted."""
    index, option = table.index_of(number), QStyleOptionViewItem()
    table.initViewItemOption(option)
    option.rect = table.visualRect(index)
    table.itemDelegate().initStyleOption(option, index)
    return option.text


def test_a_long_cell_among_the_first_rows_counts_for_the_width_of_its_column_in_a_long_table(table):
    rows = [Row("x", 0.1, 1) for _ in range(1000)]
    table.show_rows(rows)
    before = table.wanted_px(0)
    rows[1] = Row("the drawing number of a design", 0.1, 1)  # not one of those that stand for all the others
    table.show_rows(rows)
    assert table.wanted_px(0) > 2 * before
