"""Dragging with Control or Alt: a copy goes along, with its links, and stands where it is let go."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.canvas.pointer import pointer_at
from designer.model import operations
from designer.model.several import labelled
from designer.storage import document

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
DOWN = QPoint(0, 130)


@pytest.fixture
def pair(hand, session):
    leaf, server = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("dgx-h100", 200.0, 0.0)
    session.push(operations.connect_devices(session.design, server, leaf))
    hand.view.zoom_to_fit()
    hand.view.zoom_reset()
    session.select([leaf, server])
    return leaf, server


def places(hand, ids):
    return [(hand.design.placements[one].x, hand.design.placements[one].y) for one in ids]


@pytest.mark.parametrize("keys", [CONTROL, ALT], ids=["control", "alt"])
def test_a_copy_of_the_selection_with_its_links_stands_where_it_is_let_go(hand, session, pair, keys):
    before = document.encode(session.design)
    start = hand.middle(pair[0])
    hand.drag(start, start + DOWN, keys)
    copies = sorted(session.selection)
    assert len(copies) == 2 and not session.selection & set(pair)
    assert places(hand, pair) == [(0.0, 0.0), (200.0, 0.0)]
    assert places(hand, copies) == [(0.0, 130.0), (200.0, 130.0)]
    assert sorted(len(session.design.links_of(one)) for one in (*pair, *copies)) == [1, 1, 1, 1]
    session.undo_stack.undo()
    assert document.encode(session.design) == before


def test_labels_that_the_copy_cannot_have_are_mentioned(hand, session, pair):
    said = []
    session.message.connect(said.append)
    session.push(labelled(session.design, list(session.design.links), "Rail 8 spare"))
    start = hand.middle(pair[0])
    hand.drag(start, start + DOWN, CONTROL)
    assert said == ["1 cable label is left empty in the copy: no two cables may have the same."]


def test_the_key_held_when_it_is_let_go_decides_and_the_picture_shows_it(hand, session, pair):
    start = hand.middle(pair[0])
    hand.press(start, CONTROL)
    for share in range(1, 7):
        QTest.mouseMove(hand.view, start + DOWN * share / 6)
    assert hand.view.box_px(pair[0]).center().toPoint() == start + DOWN  # QTest moves without keys: nothing is copied
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + DOWN)
    assert len(session.design.devices) == 2
    assert places(hand, pair)[0] == (0.0, 130.0)


def test_copies_come_into_line_with_their_originals(hand, session, pair):
    start = hand.middle(pair[0])
    hand.press(start)
    for share in range(1, 7):  # the keys of a move are sent along, as a window system does
        hand.view.gesture.move(pointer_at(hand.view.camera, (start + QPoint(4, 130) * share / 6).toPointF(), CONTROL))
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, CONTROL, start + QPoint(4, 130))
    assert places(hand, sorted(session.selection)) == [(0.0, 130.0), (200.0, 130.0)]


def test_esc_copies_nothing(hand, session, pair):
    start = hand.middle(pair[0])
    hand.drag(start, start + DOWN, CONTROL, let_go=False)
    hand.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, CONTROL, start + DOWN)
    assert len(session.design.devices) == 2


def test_a_copy_let_go_on_a_rack_is_mounted_there(hand, session, pair):
    rack = hand.add_rack(0.0, 300.0)
    session.select([pair[0]])
    hand.view.zoom_to_fit()
    hand.drag(hand.middle(pair[0]), hand.middle(rack), CONTROL)
    (copy,) = session.selection
    assert session.design.placements[copy].rack_id == rack
    assert session.design.placements[pair[0]].rack_id is None


def test_a_rack_is_copied_with_what_stands_in_it(hand, session, pair):
    rack = hand.add_rack(0.0, 300.0)
    session.push(operations.mount(session.design, pair[0], rack))
    hand.view.zoom_to_fit()
    title = hand.view.box_px(rack).topLeft().toPoint() + QPoint(20, 8)
    hand.drag(title, title + QPoint(300, 0), CONTROL)
    assert len(session.design.racks) == 2
    (copied,) = (one for one in session.design.racks if one != rack)
    assert len(session.design.mounted(copied)) == 1


def test_the_next_duplicate_repeats_the_step_of_the_drag(hand, session, pair):
    start = hand.middle(pair[0])
    hand.drag(start, start + DOWN, CONTROL)
    assert session.copies.step(session.design, session.selection) == pytest.approx((0.0, 130.0))
    assert session.copies.step(session.design, frozenset(pair)) is None


def test_a_control_click_still_takes_out_of_the_selection(hand, session, pair):
    hand.click(hand.middle(pair[0]), CONTROL)
    assert session.selection == {pair[1]}
    assert len(session.design.devices) == 2


def test_a_group_dragged_by_its_title_with_control_is_copied_as_a_group(hand, session, pair):
    session.push(operations.group(session.design, pair, "SU 1"))
    (group,) = session.design.groups
    session.select([group])
    hand.view.zoom_to_fit()
    left, top, *_ = next(one.rect for one in hand.view.fabric.composition.containers if one.id == group)
    title = hand.at(left + 10.0, top) - QPoint(0, 6)
    hand.drag(title, title + DOWN * 2, CONTROL)
    assert [one.name for one in session.design.groups.values()] == ["SU 1", "SU 2"]
    assert {session.design.groups[one].name for one in session.selection} == {"SU 2"}
    assert len(session.design.members(group)) == 2 and len(session.design.links) == 2
