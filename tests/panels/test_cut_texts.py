"""A link in a narrow column: what tells it from its neighbors stays."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QStyleOptionViewItem, QToolTip

from designer.panels.widgets.cut_texts import cut, fitted, fitted_end, fitted_way, written
from designer.panels.widgets.row_table import RowTable
from designer.tables.columns import Column

ENDS = ("gpu-001", "rail1", "leaf-su1-r1", "1/1")


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (31, "gpu-001 rail1 → leaf-su1-r1 1/1"),
        (30, "gpu-001 rail1 → lea…su1-r1 1/1"),
        (29, "gpu-001 rail1 → …su1-r1 1/1"),
        (25, "…001 rail1 → …su1-r1 1/1"),
        (21, "…001 → …su1-r1"),
        (1, "…001 → …su1-r1"),
    ],
)
def test_names_are_elided_and_ports_are_not(room, text):
    assert fitted(ENDS, len, room) == text
    assert written(ENDS) == "gpu-001 rail1 → leaf-su1-r1 1/1"


def test_links_of_one_switch_stay_apart_however_narrow():
    links = [(f"server-{n:02d}", "rail1", "switch-03", f"{n}/1") for n in range(1, 33)]
    assert len({fitted(ends, len, 10) for ends in links}) == len(links)


def test_long_names_lose_their_first_words_before_a_port_is_cut():
    ends = ("pod1-srv-01", "rail1", "pod1-leaf-01", "1/1")
    assert fitted(ends, len, 34) == "pod1-srv-01 rail1 → …leaf-01 1/1"
    assert fitted(ends, len, 30) == "…srv-01 rail1 → …leaf-01 1/1"


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (33, "leaf-su1-r3 21/1, 21/2 and 2 more"),
        (32, "leaf-su1-r3 21/1 +3"),
        (19, "leaf-su1-r3 21/1 +3"),
        (18, "lea…su1-r3 21/1 +3"),
        (15, "…su1-r3 21/1 +3"),
        (1, "…su1-r3 21/1 +3"),
    ],
)
def test_an_end_keeps_its_port_however_narrow(room, text):
    assert fitted_end("leaf-su1-r3", ("21/1, 21/2 and 2 more", "21/1 +3"), len, room) == text


def test_an_end_with_one_port_or_none_keeps_what_distinguishes_it():
    assert fitted_end("leaf-0001", ("swp33s0",), len, 15) == "…0001 swp33s0"
    assert fitted_end("pod1-leaf-01", ("1/1",), len, 13) == "pod1…f-01 1/1"
    assert fitted_end("pod1-leaf-01", ("1/1",), len, 11) == "…leaf-01 1/1"
    assert fitted_end("spine-01", ("",), len, 6) == "spi…01"


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        (38, ["leaf-su1-r1 → spine-03 → leaf-su4-r1"]),
        (36, ["leaf-su1-r1 → spine-03 → leaf-su4-r1"]),
        (35, ["leaf-su1-r1 → spine-03 →", "leaf-su4-r1"]),
        (30, ["leaf-su1-r1 → spine-03 →", "leaf-su4-r1"]),
        (24, ["leaf-su1-r1 → spine-03 →", "leaf-su4-r1"]),
        (22, ["leaf-su1-r1 →", "spine-03 → leaf-su4-r1"]),
        (21, ["lea…su1-r1 →", "spine-03 → lea…su4-r1"]),
        (18, ["…su1-r1 →", "spine-03 → …su4-r1"]),
        (1, ["…su1-r1 →", "…03 →", "…su4-r1"]),
    ],
)
def test_a_way_is_written_whole_in_two_lines_and_keeps_all_its_switches_where_it_is_narrow(room, lines):
    assert fitted_way(("leaf-su1-r1", "spine-03", "leaf-su4-r1"), len, room) == lines


def test_names_of_links_in_reports_stay_apart_and_other_names_are_as_they_are():
    names = [f"gpu-00{n} port rail{rail} to leaf-su1-r{rail} port 1/{n}" for n in range(1, 5) for rail in range(1, 9)]
    assert [cut(one, len, 50) for one in names] == names
    assert cut(names[0], len, 31) == "gpu-001 rail1 → leaf-su1-r1 1/1"
    assert len({cut(one, len, 10) for one in names}) == len(names)
    assert cut("leaf-su1-r1 of a long name", len, 5) == "leaf-su1-r1 of a long name"


def test_other_names_keep_what_tells_them_apart_and_sentences_their_first_words():
    assert cut("gb200-rack1-tray01", len, 18) == "gb200-rack1-tray01"
    names = [f"storage-server-{n:02d}" for n in range(1, 20)]
    assert [cut(one, len, 10) for one in names] == [f"storage…{n:02d}" for n in range(1, 20)]
    assert cut("One link of each pair is full", len, 17) == "One link of each…"
    assert cut("leaf-su1-r3 8/1, 8/2 and 2 more", len, 16) == "leaf-su1-r3…"
    assert cut("leaf-su1-r3 8/1, 8/2 and 2 more", len, 11) == "lea…su1-r3…"
    assert cut("leaf-su1-r3 8/1, 8/2 and 2 more", len, 10) == "…su1-r3…"
    assert cut("QM9700", len, 2) == "QM9700"  # the view cuts it at its end


@pytest.fixture
def table(qtbot):
    columns = (Column("name", "Name", value="name"), Column("size", "Size", value="size"))
    found = RowTable("Racks", columns, widths={"name": 60}, tip=lambda row, _column: f"{row.size} units")
    qtbot.addWidget(found)
    found.show_rows([SimpleNamespace(name=f"data-hall-rack-{n:02d}", size=48) for n in (1, 12)])
    return found


def tip_of(table, column, monkeypatch):
    """What the tooltip over a cell of the first row says."""
    said = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_more: said.append(text))
    index = table.model().index(0, column)
    option = QStyleOptionViewItem()
    table.initViewItemOption(option)
    option.rect = table.visualRect(index)
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(0, 0), QPoint(0, 0))
    table.itemDelegateForIndex(index).helpEvent(event, table, option, index)
    return said


def test_cells_of_every_table_are_cut_so_and_their_tooltips_say_all(table, monkeypatch):
    table.show()
    delegate = table.itemDelegate()
    shown = []
    for row in range(2):
        option = QStyleOptionViewItem()
        table.initViewItemOption(option)
        option.rect = table.visualRect(table.model().index(row, 0))
        delegate.initStyleOption(option, table.model().index(row, 0))
        assert option.fontMetrics.horizontalAdvance(option.text) <= option.rect.width()
        shown.append(option.text)
    assert [one[-3:] for one in shown] == ["…01", "…12"]
    assert tip_of(table, 0, monkeypatch) == ["data-hall-rack-01\n48 units"]
    assert tip_of(table, 1, monkeypatch) == []  # whole as it is: what else there is to say, as ever
