"""Choices in a list: ticked, put in order, and read as the names that files and the command line use."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QCheckBox

from designer.fields import kinds
from designer.fields.field import Field, Word
from designer.panels.widgets.field_form import MOST_TICKS, editor_of
from designer.panels.widgets.tick_list import TickList

NAMES = tuple(f"column-{number}" for number in range(MOST_TICKS + 1))


def field(names):
    choices = tuple(Word(name, name.upper()) for name in names)
    return Field(title="Columns", help="Columns.", kind=kinds.NAMES, default=(), choices=choices, name="columns")


@pytest.fixture
def heard():
    return []


@pytest.fixture
def ticks(qtbot, heard):
    made = TickList(field(NAMES), lambda: heard.append(1))
    qtbot.addWidget(made)
    return made


def test_all_in_their_order_are_the_default(ticks, heard):
    assert ticks.names == () and ticks.count() == len(NAMES)
    ticks.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert ticks.names == (NAMES[0], *NAMES[2:]) and len(heard) == 1
    ticks.item(1).setCheckState(Qt.CheckState.Checked)
    assert ticks.names == ()


def test_the_order_of_the_list_is_the_order_of_the_names(ticks, heard):
    last = ticks.count() - 1
    assert ticks.model().moveRow(QModelIndex(), last, QModelIndex(), 0)
    assert ticks.names == (NAMES[last], *NAMES[:last]) and heard


def test_names_are_shown_first_in_their_order_and_the_others_after_them(ticks, heard):
    ticks.show_names((NAMES[4], NAMES[1], "gone"))
    assert ticks.names == (NAMES[4], NAMES[1]) and heard == []
    assert [ticks.item(row).text() for row in range(3)] == [NAMES[one].upper() for one in (4, 1, 0)]
    ticks.show_names(())
    assert ticks.names == ()


@pytest.mark.parametrize(("count", "is_list"), [(MOST_TICKS, False), (MOST_TICKS + 1, True)])
def test_a_few_choices_are_boxes_and_many_are_a_list(qtbot, count, is_list):
    editor = editor_of(field(NAMES[:count]), None, lambda: None)
    qtbot.addWidget(editor.widget)
    assert isinstance(editor.widget, TickList) is is_list
    assert len(editor.widget.findChildren(QCheckBox)) == (0 if is_list else count)
    editor.show(NAMES[1:3])
    assert editor.read() == NAMES[1:3]
    editor.show(())
    assert editor.read() == ()
