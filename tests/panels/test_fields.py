"""Text typed into a panel is taken or refused in place, with a sentence."""

import pytest
from PySide6.QtCore import Qt

from designer.errors import ParameterError
from designer.panels.widgets.fields import ChoiceField, TextField
from designer.simulation.traffic.texts import parse_ranks
from designer.units import parse_length, parse_ratio


def test_enter_hands_over_the_text_once(qtbot):
    taken = []
    field = TextField("Name", lambda text: taken.append(text))
    qtbot.addWidget(field)
    field.show()
    field.show_value("leaf-1")
    field.line.selectAll()
    qtbot.keyClicks(field.line, "leaf-2")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert taken == ["leaf-2"]


def test_a_refused_text_stays_with_its_reason_and_escape_brings_the_old_one_back(qtbot):
    field = TextField("Name", lambda text: "That is taken.")
    qtbot.addWidget(field)
    field.show()
    field.show_value("leaf-1")
    field.line.setText("leaf-2")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.refusal.isVisible()
    assert field.refusal.text() == "That is taken."
    qtbot.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.line.text() == "leaf-1"
    assert not field.refusal.isVisible()


def test_a_choice_field_calls_back_for_the_user_alone(qtbot):
    chosen = []
    field = ChoiceField("Role", chosen.append)
    qtbot.addWidget(field)
    field.show_choices([("", "not set"), ("leaf", "leaf")], "leaf")
    assert chosen == []
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert chosen == [""]
    field.show_choices([("", "not set"), ("leaf", "leaf")], "torus")
    assert field.value == "torus"


@pytest.mark.parametrize(
    ("text", "ratio"), [("1:1", 1.0), ("2:1", 2.0), ("3:2", 1.5), ("2", 2.0), (" 1.07 : 1 ", 1.07)]
)
def test_a_ratio_is_read_as_people_write_it(text, ratio):
    assert parse_ratio(text) == pytest.approx(ratio)


@pytest.mark.parametrize("text", ["", "two", "1:0", "0", "-1", "nan", "inf", "1:2:3", "1:x"])
def test_what_is_no_ratio_is_refused_with_a_sentence(text):
    with pytest.raises(ParameterError, match=r"is not a ratio|a ratio should be above 0"):
        parse_ratio(text)


@pytest.mark.parametrize(("text", "length"), [("30", 30.0), ("2.5 m", 2.5), ("7M", 7.0)])
def test_a_length_is_read_in_metres(text, length):
    assert parse_length(text) == length


@pytest.mark.parametrize("text", ["", "far", "-3", "0", "nan", "1e999"])
def test_what_is_no_length_is_refused_with_a_sentence(text):
    with pytest.raises(ParameterError, match=r"is not a length|a length should be above 0"):
        parse_length(text)


@pytest.mark.parametrize(
    ("text", "ranks"), [("", None), ("all", None), ("64", 64), ("0-3, 8", (0, 1, 2, 3, 8)), ("5,1", (5, 1))]
)
def test_ranks_are_all_a_count_or_a_list(text, ranks):
    assert parse_ranks(text) == ranks


@pytest.mark.parametrize("text", ["some", "3-1", "1,,2", "-4", "0-99999999999", "1.5"])
def test_what_are_no_ranks_is_refused_with_a_sentence(text):
    with pytest.raises(ParameterError):
        parse_ranks(text)
