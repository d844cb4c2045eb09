"""Boxes that are small on the screen are clicked and moved as large ones are; a line is pulled from their edge."""

import pytest
from PySide6.QtCore import QPoint, Qt

from designer.drawing.camera import Camera

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def pair(hand):
    """Two servers, 16 pixels high."""
    ids = hand.add("dgx-h100", 0.0, 0.0), hand.add("dgx-h100", 400.0, 0.0)
    hand.view.move_camera(Camera(0.3648, -400.0, -400.0))
    assert hand.view.box_px(ids[0]).height() == pytest.approx(16.0, abs=0.5)
    return ids


def test_the_middle_of_a_small_box_selects_and_moves_it(hand, session, pair):
    hand.click(hand.middle(pair[0]) + QPoint(0, 2))
    assert session.selection == {pair[0]}
    hand.drag(hand.middle(pair[0]) + QPoint(0, 3), hand.middle(pair[0]) + QPoint(0, 63))
    assert not session.design.links and session.design.placements[pair[0]].y > 100.0


def test_a_click_on_the_knob_of_a_device_selects_it_and_pulls_nothing(hand, session, pair):
    knobs = [QPoint(round(box.right()), round(box.center().y())) for box in map(hand.view.box_px, pair)]
    hand.click(knobs[0])
    assert session.selection == {pair[0]} and not hand.view.gesture.active
    hand.click(knobs[1], SHIFT)
    assert session.selection == set(pair)
    hand.click(knobs[1], SHIFT)
    assert session.selection == {pair[0]}
    assert not session.design.links and hand.view.notes.shown is None
