"""The links of a device are lit once the mouse rests on it, little by little, and never while something is done."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.canvas.resting import LEAVE_MS, REST_MS
from designer.canvas.spotlight import FADE_MS
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.annotation import NOTE

PATIENCE_MS = 5_000
LONG_MS = REST_MS + FADE_MS + 150


@pytest.fixture
def three(hand):
    """Two leaf switches under a spine, linked to it."""
    spine = hand.add("nvidia-qm9700", 0.0, -150.0)
    leafs = [hand.add("nvidia-qm9700", x, 150.0) for x in (-250.0, 250.0)]
    for leaf in leafs:
        hand.session.push(operations.connect_devices(hand.design, leaf, spine))
    return spine, *leafs


@pytest.fixture
def lit(hand):
    fabric = hand.view.fabric
    return lambda: fabric._spotlight.lit(fabric.composition)


@pytest.fixture
def strength(hand):
    return lambda: hand.view.fabric._spotlight.strength


def is_of(found, hand, device_id):
    return found is not None and found.links == {link.id for link in hand.design.links_of(device_id)}


def test_a_mouse_that_keeps_moving_over_a_device_lights_nothing(hand, three, lit, qtbot):
    middle = hand.middle(three[0])
    for step in range(2 * REST_MS // 50):
        QTest.mouseMove(hand.view, middle + QPoint(8 * (step % 2), 0))
        qtbot.wait(50)
        assert lit() is None
    qtbot.waitUntil(lambda: lit() is not None, timeout=PATIENCE_MS)


def test_all_else_is_dimmed_little_by_little_and_comes_back_so(hand, three, lit, strength, qtbot):
    seen = []
    hand.view.fabric.changed.connect(lambda: seen.append(strength()))
    QTest.mouseMove(hand.view, hand.middle(three[0]))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    assert any(0.0 < one < 1.0 for one in seen) and seen == sorted(seen)
    seen.clear()
    QTest.mouseMove(hand.view, hand.at(0, 20))
    assert strength() == 1.0
    qtbot.waitUntil(lambda: lit() is None, timeout=PATIENCE_MS)
    assert any(0.0 < one < 1.0 for one in seen) and seen == sorted(seen, reverse=True)


def test_from_a_lit_device_the_next_is_lit_at_once_also_across_a_gap(hand, three, lit, strength, qtbot):
    spine, left, right = three
    QTest.mouseMove(hand.view, hand.middle(left))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    QTest.mouseMove(hand.view, hand.middle(right))
    assert is_of(lit(), hand, right) and strength() == 1.0
    QTest.mouseMove(hand.view, hand.at(0, 20))
    qtbot.wait(LEAVE_MS // 3)
    QTest.mouseMove(hand.view, hand.middle(spine))
    assert is_of(lit(), hand, spine) and strength() == 1.0
    qtbot.wait(2 * LEAVE_MS)
    assert strength() == 1.0


def test_what_was_pressed_is_not_lit_before_the_mouse_has_left_it(hand, three, lit, strength, qtbot):
    spine, left, _ = three
    hand.click(hand.middle(spine))
    QTest.mouseMove(hand.view, hand.middle(spine) + QPoint(9, 3))
    qtbot.wait(LONG_MS)
    assert lit() is None
    QTest.mouseMove(hand.view, hand.middle(left))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    hand.press(hand.middle(left))
    assert lit() is None and strength() == 0.0


def test_nothing_is_lit_during_a_drag_or_marquee_or_with_a_tool(hand, three, lit, qtbot):
    _, left, right = three
    hand.drag(hand.at(0, 40), hand.middle(right), let_go=False)
    qtbot.wait(LONG_MS)
    assert lit() is None, "a marquee"
    hand.key(Qt.Key.Key_Escape)
    hand.view.set_tool("connect")
    QTest.mouseMove(hand.view, hand.middle(left))
    qtbot.wait(LONG_MS)
    assert lit() is None, "the Connect tool"


def test_what_is_lit_ends_with_another_tool_and_with_an_edit(hand, three, lit, strength, qtbot):
    spine, left, _ = three
    QTest.mouseMove(hand.view, hand.middle(spine))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    hand.view.set_tool("pan")
    assert lit() is None
    hand.view.set_tool("select")
    QTest.mouseMove(hand.view, hand.middle(left))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    hand.session.push(operations.connect_devices(hand.design, left, spine))
    assert lit() is None


def test_zooming_begins_the_rest_anew(hand, three, lit, qtbot):
    QTest.mouseMove(hand.view, hand.middle(three[0]))
    hand.view.zoom_in()
    qtbot.wait(LONG_MS)
    assert lit() is None


def test_nothing_is_lit_while_space_is_held_to_pan(hand, three, lit, qtbot):
    QTest.keyPress(hand.view, Qt.Key.Key_Space)
    QTest.mouseMove(hand.view, hand.middle(three[0]))
    qtbot.wait(LONG_MS)
    assert lit() is None
    QTest.keyRelease(hand.view, Qt.Key.Key_Space)
    QTest.mouseMove(hand.view, hand.middle(three[1]))
    qtbot.waitUntil(lambda: lit() is not None, timeout=PATIENCE_MS)


def test_nothing_is_lit_by_a_mouse_that_moves_without_its_button_before_a_drag_has_ended(hand, three, lit, qtbot):
    _, left, right = three
    hand.drag(hand.middle(left), hand.middle(left) + QPoint(30, 30), let_go=False)
    assert hand.view.gesture.active
    spot, none = QPointF(hand.middle(right)), Qt.MouseButton.NoButton
    QApplication.sendEvent(
        hand.view,
        QMouseEvent(QEvent.Type.MouseMove, spot, hand.view.mapToGlobal(spot), none, none, Qt.KeyboardModifier(0)),
    )
    assert hand.view.hovered.device_id == right
    qtbot.wait(LONG_MS)
    assert lit() is None


def test_a_note_keeps_its_colors_while_all_else_is_dimmed(hand, three, strength, qtbot):
    hand.session.push(annotate(hand.design, NOTE, (-60.0, 40.0), (60.0, 120.0), text="", fill="#2f6f4f"))
    spot = hand.at(0.0, 80.0)

    def colour():
        image, ratio = hand.view.grab().toImage(), hand.view.devicePixelRatioF()
        return image.pixelColor(round(spot.x() * ratio), round(spot.y() * ratio)).name()

    assert colour() == "#2f6f4f"
    QTest.mouseMove(hand.view, hand.middle(three[1]))
    qtbot.waitUntil(lambda: strength() == 1.0, timeout=PATIENCE_MS)
    assert colour() == "#2f6f4f"
