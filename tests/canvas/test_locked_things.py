"""A drag of what is locked says so at the pointer, and how to unlock it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.model import operations
from designer.windows.commands.table import ACTIONS

FAR = QPoint(150, 60)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pair(hand):
    ids = [hand.add("dgx-h100", 300.0 * number, 0.0) for number in range(2)]
    hand.view.zoom_to_fit()
    hand.session.push(operations.lock(hand.design, ids[:1], locked=True))
    return ids


def drag(hand, one):
    at = hand.middle(one)
    hand.drag(at, at + FAR, let_go=False)
    note = hand.view.notes.shown
    QTest.mouseRelease(hand.view, LEFT, pos=at + FAR)
    return note


def test_a_locked_device_that_is_dragged_says_that_it_is_locked_and_what_unlocks_it(hand, pair):
    name, before = hand.design.device(pair[0]).name, dict(hand.design.placements)
    note = drag(hand, pair[0])
    row = next(row for row in ACTIONS if row.id == "arrange.lock")
    assert note.text == f"{name} is locked: Arrange > {row.text} ({row.shortcut}) unlocks it" and note.refused
    assert dict(hand.design.placements) == before
    assert drag(hand, pair[1]) is None, "nothing is said of one that moves"


def test_with_others_selected_these_move_and_the_locked_one_under_the_pointer_says_why_not(hand, pair):
    hand.session.select(pair)
    before = dict(hand.design.placements)
    assert "is locked" in drag(hand, pair[0]).text
    assert hand.design.placements[pair[0]] == before[pair[0]]
    assert hand.design.placements[pair[1]].x > before[pair[1]].x


def test_of_several_that_are_all_locked_the_things_are_counted(hand, pair):
    hand.session.push(operations.lock(hand.design, pair, locked=True))
    hand.session.select(pair)
    note = drag(hand, pair[0])
    assert note.text.startswith("2 selected things are locked: ") and note.text.endswith("unlocks them")
