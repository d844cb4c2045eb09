"""While a tool of the Insert menu is in hand, the status bar and the canvas say how it is used."""

import pytest
from PySide6.QtCore import Qt

from designer.canvas.pointer import pointer_at
from designer.model.annotation import KINDS


@pytest.fixture
def said(hand):
    messages = []
    hand.view.cursor_message.connect(messages.append)
    return messages


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_tool_says_what_to_do_next_until_it_is_left(hand, said, kind):
    blank = hand.view.grab().toImage()
    hand.view.set_tool(f"annotate.{kind.name}")
    assert kind.gesture and said[-1] == f"{kind.gesture}. Enter puts it down. Esc cancels."
    assert hand.view.grab().toImage() != blank, "also on the canvas"
    device = hand.add("nvidia-qm9700", 0.0, 0.0)
    hand.view.zoom_to_fit()
    hand.press(hand.middle(device))
    assert said[-1].startswith(kind.gesture), "whatever is under the mouse"
    hand.key(Qt.Key.Key_Escape)
    hand.view.set_tool("select")
    assert not said[-1].startswith(kind.gesture)


def test_esc_leaves_the_tool_before_the_selection(hand, qtbot):
    device = hand.add("nvidia-qm9700", 0.0, 0.0)
    hand.session.select([device])
    hand.view.set_tool("annotate.zone")
    with qtbot.waitSignal(hand.view.tool_left):
        hand.key(Qt.Key.Key_Escape)
    assert hand.session.selection == {device}


def test_the_pointer_fits_the_tool(hand):
    device = hand.add("nvidia-qm9700", 0.0, 0.0)
    hand.view.zoom_to_fit()
    shapes = {}
    for kind in ("text", "zone", "callout"):
        hand.view.set_tool(f"annotate.{kind}")
        shapes[kind] = hand.view.cursor().shape()
    assert shapes == {
        "text": Qt.CursorShape.IBeamCursor,
        "zone": Qt.CursorShape.CrossCursor,
        "callout": Qt.CursorShape.CrossCursor,
    }
    hand.view._hover(pointer_at(hand.view.camera, hand.middle(device).toPointF()))
    assert hand.view.cursor().shape() == Qt.CursorShape.PointingHandCursor
