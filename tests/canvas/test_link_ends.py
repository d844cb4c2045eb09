"""The end of a selected link is dragged to another device or port; a click there goes on to what lies below."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from designer.canvas.link_ends import EndDrag, link_ends
from designer.model import operations
from designer.storage import document


@pytest.fixture
def three(hand, session):
    """Two leaf switches above a server that is linked to the first."""
    leafs = [hand.add("nvidia-qm9700", x, 0.0) for x in (0.0, 300.0)]
    server = hand.add("dgx-h100", 0.0, 200.0)
    session.push(operations.connect_devices(session.design, server, leafs[0]))
    hand.view.zoom_to_fit()
    session.select(list(session.design.links))
    hand.view.grab()
    return server, *leafs


def end_of(hand, device_id):
    """The pixel of the handle of the selected links at a device."""
    fabric = hand.view.fabric
    detail = fabric.detail(hand.view.camera.scale)
    ends = {one.device_id: one.at for one in link_ends(fabric.composition, detail, hand.session.selected)}
    return hand.at(*ends[device_id])


def test_the_end_of_a_selected_link_is_led_to_another_device(hand, session, three):
    server, leaf, other = three
    before = document.encode(session.design)
    hand.drag(end_of(hand, leaf), hand.middle(other))
    (link,) = session.design.links.values()
    assert (link.a.device_id, link.b.device_id) == (server, other)
    assert session.selection == {link.id}
    session.undo_stack.undo()
    assert document.encode(session.design) == before


def test_the_lower_end_is_led_as_well(hand, session, three):
    server, leaf, _ = three
    second = hand.add("dgx-h100", 300.0, 200.0)
    hand.drag(end_of(hand, server), hand.middle(second))
    (link,) = session.design.links.values()
    assert (link.a.device_id, link.b.device_id) == (second, leaf)


def test_all_links_of_a_line_are_led_together(hand, session, three):
    server, leaf, other = three
    session.push(operations.connect_devices(session.design, server, leaf, 7))
    session.select(list(session.design.links))
    hand.drag(end_of(hand, leaf), hand.middle(other))
    assert len(session.design.links_of(other)) == 8 and not session.design.links_of(leaf)


def test_where_it_cannot_lead_the_reason_is_shown_and_nothing_changes(hand, session, three):
    _, leaf, _ = three
    slow = hand.add("nvidia-sn2201", 300.0, 200.0)
    hand.drag(end_of(hand, leaf), hand.middle(slow), let_go=False)
    note = hand.view.notes.shown
    assert note is not None and note.refused
    messages = []
    session.message.connect(messages.append)
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, hand.middle(slow))
    assert messages and len(session.design.links_of(leaf)) == 1


def test_let_go_on_nothing_or_dropped_with_esc_it_stays(hand, session, three):
    _, leaf, other = three
    start = end_of(hand, leaf)
    hand.drag(start, start + QPoint(60, 90))
    hand.drag(start, hand.middle(other), let_go=False)
    hand.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, hand.middle(other))
    assert len(session.design.links_of(leaf)) == 1


def test_the_links_of_several_lines_are_led_together_from_the_device_that_they_share(hand, session, three):
    server, leaf, other = three
    second = hand.add("dgx-h100", -300.0, 200.0)
    session.push(operations.connect_devices(session.design, second, leaf, 2))
    session.select(list(session.design.links))
    fabric = hand.view.fabric
    ends = link_ends(fabric.composition, fabric.detail(hand.view.camera.scale), session.selected)
    assert [one.device_id for one in ends] == [leaf, leaf] and len(ends[0].link_ids) == 3
    hand.drag(end_of(hand, leaf), hand.middle(other))
    assert not session.design.links_of(leaf) and len(session.design.links_of(other)) == 3
    assert len(session.design.links_of(second)) == 2 and len(session.design.links_of(server)) == 1


def test_all_lines_that_are_led_are_shown_while_they_are_dragged(hand, session, three):
    leaf = three[1]
    second = hand.add("dgx-h100", -300.0, 200.0)
    session.push(operations.connect_devices(session.design, second, leaf, 2))
    session.select(list(session.design.links))
    fabric = hand.view.fabric
    detail = fabric.detail(hand.view.camera.scale)
    end = next(one for one in link_ends(fabric.composition, detail, session.selected) if one.device_id == leaf)
    drag = EndDrag(fabric.composition, end, detail)
    lines = []

    class Noting(QPainter):
        def drawLine(self, start, to):
            lines.append((start, to))
            super().drawLine(start, to)

    image = QImage(hand.view.size(), QImage.Format.Format_RGB32)
    painter = Noting(image)
    drag.paint(painter, hand.view.sight)
    painter.end()
    assert len({(start.x(), start.y()) for start, _ in lines}) == 2, "from both servers"
    assert len({(to.x(), to.y()) for _, to in lines}) == 1


def test_lines_that_share_no_device_and_devices_have_no_ends_to_lead(hand, session, three):
    _, leaf, other = three
    fabric = hand.view.fabric
    detail = fabric.detail(hand.view.camera.scale)
    second = hand.add("dgx-h100", 600.0, 200.0)
    session.push(operations.connect_devices(session.design, second, other))
    session.select(list(session.design.links))
    assert not link_ends(fabric.composition, detail, session.selected)
    session.select([leaf, next(iter(session.design.links))])
    assert not link_ends(fabric.composition, detail, session.selected)


def test_a_line_that_is_drawn_may_end_where_the_end_of_a_selected_link_is(hand, session, three):
    _, leaf, _ = three
    second = hand.add("dgx-h100", 0.0, 400.0)
    hand.view.zoom_to_fit()
    hand.view.set_tool("connect")
    hand.drag(hand.middle(second), end_of(hand, leaf))
    assert len(session.design.links_of(second)) == 1
