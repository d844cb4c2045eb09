"""Annotations come into line with what is around while they are drawn, as boxes do while they are dragged."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

BOTH_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


@pytest.fixture
def switch(hand):
    """A switch at the origin, seen at full size; its edges on the canvas."""
    device_id = hand.add("nvidia-qm9700", 0.0, 0.0)
    hand.view.zoom_to_fit()
    hand.view.zoom_reset()
    return hand.view.fabric.rect_of(device_id)


def drawn(hand, kind, start, end, keys=Qt.KeyboardModifier.NoModifier):
    """The box that a drag draws, and the guides that were shown: left, top, right, bottom."""
    hand.view.set_tool(f"annotate.{kind}")
    hand.drag(hand.at(*start), hand.at(*end), keys)
    (note,) = hand.design.annotations.values()
    at = hand.design.placements[note.id]
    return tuple(
        round(value, 6) for value in (at.x - note.dx / 2, at.y - note.dy / 2, at.x + note.dx / 2, at.y + note.dy / 2)
    )


def test_both_corners_of_a_zone_come_into_line_with_a_device(hand, switch):
    left, _top, right, bottom = switch
    found = drawn(hand, "zone", (left + 3, bottom + 60), (right - 4, bottom + 160))
    assert (found[0], found[2]) == (round(left, 6), round(right, 6))
    assert found[1] == pytest.approx(bottom + 60, abs=1) and found[3] == pytest.approx(bottom + 160, abs=1)


def test_with_control_and_alt_or_snapping_off_they_stay_at_the_mouse(hand, session, switch):
    left, _top, right, bottom = switch
    spots = (left + 3, bottom + 60), (right - 4, bottom + 160)
    found = drawn(hand, "zone", *spots, BOTH_KEYS)
    assert found[0] == pytest.approx(left + 3, abs=1) != left
    session.undo_stack.undo()
    session.drafting.choose(replace(session.drafting.now, to_neighbours=False))
    found = drawn(hand, "zone", *spots)
    assert found[2] == pytest.approx(right - 4, abs=1) and found[2] != right


def test_an_end_keeps_to_the_grid_where_drags_do(hand, session, switch):
    session.drafting.choose(replace(session.drafting.now, to_neighbours=False, to_grid=True, spacing=48))
    assert drawn(hand, "arrow", (150, 100), (250, 200)) == (144.0, 96.0, 240.0, 192.0)


def test_with_shift_a_line_in_line_stays_straight(hand, switch):
    _left, top, right, bottom = switch
    middle = (top + bottom) / 2
    shift = Qt.KeyboardModifier.ShiftModifier
    found = drawn(hand, "line", (right + 40, middle + 3), (right + 140, middle + 30), shift)
    assert found[1] == found[3] == round(middle, 6)


def test_guides_show_what_is_in_line_until_it_is_let_go(hand, switch):
    left, _top, _right, bottom = switch
    hand.view.set_tool("annotate.zone")
    hand.drag(hand.at(left + 90, bottom + 60), hand.at(left + 3, bottom + 160), let_go=False)
    tool = hand.view.gesture
    assert [guide[0] for guide in tool._shifts[1].guides] == [left]
    with_guide = hand.view.grab().toImage()
    tool._shifts = tool._shifts[0], replace(tool._shifts[1], guides=())
    assert hand.view.grab().toImage() != with_guide
    hand.key(Qt.Key.Key_Escape)


def test_a_pinned_note_hangs_where_its_leader_leads(hand, switch):
    left, top, right, bottom = switch
    device_at = hand.at((left + right) / 2, (top + bottom) / 2)
    hand.view.set_tool("annotate.note")
    hand.drag(device_at, hand.at(left + 3, bottom + 200))
    (note,) = hand.design.annotations.values()
    assert note.pinned_to and hand.design.placements[note.id].x == pytest.approx(left + 3, abs=1)
    assert hand.design.placements[note.id].x != left
