"""Types under their vendors in the inspector, found by typing a part of them."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent

from designer.panels.widgets.search_field import SearchField

SECTIONS = (("NVIDIA", (("qm", "QM9700  ·  64 × 400G"), ("sn", "SN5600  ·  64 × 800G"))), ("Arista", (("a", "7060"),)))


@pytest.fixture
def field(qtbot):
    taken = []
    made = SearchField("Type", taken.append)
    made.taken = taken
    qtbot.addWidget(made)
    made.show_sections(SECTIONS, "qm")
    made.show()
    return made


def test_choices_stand_under_headings_that_cannot_be_chosen(field):
    assert [field.itemText(row) for row in range(field.count())] == [
        "NVIDIA",
        "QM9700  ·  64 × 400G",
        "SN5600  ·  64 × 800G",
        "Arista",
        "7060",
    ]
    flags = [bool(field.model().item(row).flags() & Qt.ItemFlag.ItemIsEnabled) for row in range(field.count())]
    assert flags == [False, True, True, False, True]
    assert field.currentText() == "QM9700  ·  64 × 400G" and field.value == "qm"


def test_what_is_typed_finds_a_choice_by_a_part_of_it(field, qtbot):
    field.lineEdit().selectAll()
    qtbot.keyClicks(field.lineEdit(), "800g")
    completer = field.completer()
    assert [completer.completionModel().index(row, 0).data() for row in range(completer.completionCount())] == [
        "SN5600  ·  64 × 800G"
    ]
    completer.popup().setCurrentIndex(completer.completionModel().index(0, 0))
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Return)
    assert field.taken == ["sn"]


def test_what_is_no_choice_is_put_back(field, qtbot):
    field.lineEdit().selectAll()
    qtbot.keyClicks(field.lineEdit(), "nothing like that")
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    field.clearFocus()
    field.focusOutEvent(QFocusEvent(QEvent.Type.FocusOut))
    assert field.taken == [] and field.currentText() == "QM9700  ·  64 × 400G"


@pytest.mark.parametrize("typed", ["SN5600", "sn56", "7060"])
def test_enter_chooses_what_was_typed_where_it_names_one_choice(field, qtbot, typed):
    field.lineEdit().selectAll()
    qtbot.keyClicks(field.lineEdit(), typed)
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert field.taken == ["a" if typed == "7060" else "sn"]
    assert not field.lineEdit().property("refused")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("zzz", "No type fits “zzz”: type a part of a name or figure, or choose from the list."),
        ("00G", "2 types fit “00G”: type more of the name, or choose from the list."),
        ("", "No type fits “”: type a part of a name or figure, or choose from the list."),
    ],
)
def test_enter_says_why_it_chooses_nothing_and_shows_the_choice_again(field, qtbot, typed, reason):
    said = []
    field.refused.connect(said.append)
    field.lineEdit().selectAll()
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Backspace)
    qtbot.keyClicks(field.lineEdit(), typed)
    qtbot.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert field.taken == []
    assert field.lineEdit().property("refused") and said == [reason]
    assert field.currentText() == "QM9700  ·  64 × 400G" == field.lineEdit().selectedText()
    qtbot.keyClicks(field.lineEdit(), "S")
    assert not field.lineEdit().property("refused")


def test_a_choice_that_is_refused_shows_what_is(qtbot):
    made = SearchField("Type", lambda _value: made.show_sections(SECTIONS, "qm"))
    qtbot.addWidget(made)
    made.show_sections(SECTIONS, "qm")
    made.show()
    made.lineEdit().selectAll()
    qtbot.keyClicks(made.lineEdit(), "800g")
    completer = made.completer()
    completer.popup().setCurrentIndex(completer.completionModel().index(0, 0))
    qtbot.keyClick(completer.popup(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: made.currentText() == "QM9700  ·  64 × 400G")


def test_a_click_selects_all_so_that_what_is_typed_takes_its_place(field, qtbot):
    field.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    field.lineEdit().setCursorPosition(3)
    qtbot.waitUntil(lambda: field.lineEdit().selectedText() == "QM9700  ·  64 × 400G")
    field.lineEdit().deselect()
    field.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.PopupFocusReason))
    qtbot.keyClicks(field.lineEdit(), "sn56")
    assert field.lineEdit().text() != "sn56", "a popup that closes leaves what is being typed"


def test_the_keyboard_is_free_after_a_choice_and_after_esc_and_not_after_what_is_refused(field, qtbot):
    line, freed = field.lineEdit(), []
    field.entered.connect(lambda: freed.append(field.currentText()))
    line.selectAll()
    qtbot.keyClicks(line, "zzz")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert not freed
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert freed == ["QM9700  ·  64 × 400G"]
    line.selectAll()
    qtbot.keyClicks(line, "sn5600")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert len(freed) == 2 and field.taken == ["sn"]
    line.selectAll()
    qtbot.keyClicks(line, "7060")
    popup = field.completer().popup()
    popup.setCurrentIndex(field.completer().completionModel().index(0, 0))
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(freed) == 3)
    field.showPopup()
    field.hidePopup()
    qtbot.waitUntil(lambda: len(freed) == 4)
