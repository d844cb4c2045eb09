"""One gesture, one edit: selecting, moving, connecting, nudging; Esc takes a gesture back."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.canvas.hits import target_at
from designer.canvas.pointer import Pointer
from designer.model import operations
from designer.storage import document

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def place(hand, one):
    placement = hand.design.placements[one]
    return placement.x, placement.y


@pytest.fixture
def row(hand):
    """Three switches side by side, nothing selected, nothing to undo but adding them."""
    return [hand.add("nvidia-qm9700", x, 0.0) for x in (-250.0, 0.0, 250.0)]


@pytest.fixture
def pair(hand):
    return hand.add("nvidia-qm9700", 0.0, -150.0), hand.add("dgx-h100", 0.0, 150.0)


def test_a_click_selects_one_and_a_click_on_bare_canvas_none(hand, session, row):
    hand.click(hand.middle(row[0]))
    assert session.selection == {row[0]}
    hand.click(hand.middle(row[1]))
    assert session.selection == {row[1]}
    hand.click(hand.at(0, 200))
    assert session.selection == frozenset()


@pytest.mark.parametrize("keys", [SHIFT, CONTROL])
def test_a_click_with_a_key_adds_and_takes_away(hand, session, row, keys):
    hand.click(hand.middle(row[0]))
    hand.click(hand.middle(row[1]), keys)
    assert session.selection == {row[0], row[1]}
    hand.click(hand.middle(row[0]), keys)
    assert session.selection == {row[1]}


def test_a_click_on_one_of_several_selected_leaves_it_alone_selected(hand, session, row):
    session.select(row)
    hand.click(hand.middle(row[2]))
    assert session.selection == {row[2]}


def test_a_rubber_band_selects_what_it_touches_and_shift_adds(hand, session, row):
    hand.drag(hand.at(-350, -80), hand.at(-100, 80))
    assert session.selection == {row[0]}
    hand.drag(hand.at(150, -80), hand.at(330, 80), SHIFT)
    assert session.selection == {row[0], row[2]}
    hand.drag(hand.at(-350, 120), hand.at(330, 180))
    assert session.selection == frozenset()


def test_escape_takes_a_rubber_band_back(hand, session, row):
    session.select([row[1]])
    hand.drag(hand.at(-350, -80), hand.at(350, 80), SHIFT, let_go=False)
    assert session.selection == set(row)
    hand.key(Qt.Key.Key_Escape)
    assert session.selection == {row[1]}


def test_a_drag_moves_all_selected_in_one_undo_step(hand, session, row):
    session.select(row[:2])
    steps = session.undo_stack.count()
    before = [place(hand, one) for one in row]
    hand.drag(hand.middle(row[0]), hand.middle(row[0]) + QPoint(61, 173))
    moved = [place(hand, one) for one in row]
    scale = hand.view.camera.scale
    for (x0, y0), (x1, y1) in zip(before[:2], moved[:2], strict=True):
        assert (x1 - x0, y1 - y0) == pytest.approx((61 / scale, 173 / scale))
    assert moved[2] == before[2]
    assert session.undo_stack.count() == steps + 1
    session.undo_stack.undo()
    assert [place(hand, one) for one in row] == before


def test_while_a_box_is_dragged_the_design_stays_and_escape_puts_it_back(hand, session, row):
    before = document.encode(session.design)
    drawn = hand.view.box_px(row[0])
    hand.drag(hand.middle(row[0]), hand.middle(row[0]) + QPoint(40, 120), let_go=False)
    assert document.encode(session.design) == before
    assert hand.view.box_px(row[0]).top() > drawn.top() + 100
    hand.key(Qt.Key.Key_Escape)
    assert hand.view.box_px(row[0]) == drawn
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=hand.middle(row[0]))
    assert document.encode(session.design) == before


def test_a_dragged_box_snaps_into_line_with_its_neighbours(hand, row):
    third = hand.add("nvidia-qm9700", 3.0, 200.0)
    start = hand.middle(third)
    hand.drag(start, start + QPoint(1, 30))
    assert place(hand, third)[0] == 0.0


def test_shift_keeps_a_drag_on_one_axis(hand, row):
    start = hand.middle(row[0])
    hand.click(start)
    hand.press(start)
    for keys_at in (start + QPoint(20, 5), start + QPoint(90, 30)):
        QTest.mouseMove(hand.view, keys_at)
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, SHIFT, start + QPoint(90, 30))
    assert place(hand, row[0])[1] == 0.0
    assert place(hand, row[0])[0] > -250.0


def test_arrow_keys_nudge_and_shift_makes_the_step_fine(hand, session, row):
    session.select([row[0]])
    hand.key(Qt.Key.Key_Right)
    hand.key(Qt.Key.Key_Down)
    assert place(hand, row[0]) == (-238.0, 12.0)
    hand.key(Qt.Key.Key_Left, SHIFT)
    assert place(hand, row[0]) == (-239.0, 12.0)


def test_the_connect_tool_joins_the_next_free_ports_in_one_step(hand, session, pair):
    leaf, server = pair
    hand.view.set_tool("connect")
    steps = session.undo_stack.count()
    hand.drag(hand.middle(server), hand.middle(leaf))
    hand.drag(hand.middle(server), hand.middle(leaf))
    assert len(session.design.links) == 2
    assert len(session.design.used_ports(server)) == len(session.design.used_ports(leaf)) == 2
    assert session.undo_stack.count() == steps + 2
    session.undo_stack.undo()
    assert len(session.design.links) == 1


def test_a_line_pulled_from_a_knob_connects_with_the_select_tool(hand, session, pair):
    leaf, server = pair
    box = hand.view.box_px(server)
    hand.drag(QPoint(round(box.center().x()), round(box.top())), hand.middle(leaf))
    (link,) = session.design.links.values()
    assert {link.a.device_id, link.b.device_id} == {leaf, server}
    assert place(hand, server) == (0.0, 150.0)


def test_a_small_box_has_knobs_at_its_sides_and_is_moved_by_its_middle(hand, session, pair):
    leaf, server = pair
    while hand.view.box_px(server).width() > 32:
        hand.view.zoom_out()
    box = hand.view.box_px(server)
    assert box.width() >= 12 and box.height() < 16
    hand.drag(QPoint(int(box.right()) - 2, round(box.center().y())), hand.middle(leaf))
    assert len(session.design.links) == 1
    before = place(hand, server)
    hand.drag(hand.middle(server), hand.middle(server) + QPoint(40, 30))
    assert place(hand, server) != before
    assert len(session.design.links) == 1


def test_zoomed_in_a_drag_from_port_to_port_joins_just_these(hand, session, pair):
    leaf, server = pair
    session.push(hand_move(hand, server, 0.0, -60.0))
    hand.view.zoom_to_fit()
    while hand.view.camera.scale < 1.6:
        hand.view.zoom_in()
    rows = hand.view.fabric.composition.projection.row_of
    server_port = hand.view.fabric.composition.ports(rows[server])[3]
    leaf_port = hand.view.fabric.composition.ports(rows[leaf])[10]
    hand.drag(hand.at(server_port.x, server_port.y), hand.at(leaf_port.x, leaf_port.y))
    (link,) = session.design.links.values()
    assert {link.a.port, link.b.port} == {server_port.name, leaf_port.name}


def hand_move(hand, one, x, y):
    from designer.model import operations

    return operations.move(hand.design, {one: (x, y)})


def test_a_spent_port_budget_is_refused_at_the_cursor_with_the_reason(hand, session, pair):
    leaf, server = pair
    hand.view.set_tool("connect")
    for _ in range(8):
        hand.drag(hand.middle(server), hand.middle(leaf))
    assert len(session.design.links) == 8
    hand.drag(hand.middle(server), hand.middle(leaf), let_go=False)
    note = hand.view.notes.shown
    assert note.refused
    assert session.design.device(server).name in note.text
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=hand.middle(leaf))
    assert len(session.design.links) == 8


def test_several_selected_servers_are_connected_together(hand, session):
    leaf = hand.add("nvidia-qm9700", 0.0, -150.0)
    servers = [hand.add("dgx-h100", x, 150.0) for x in (-200.0, 0.0, 200.0)]
    session.select(servers)
    hand.view.set_tool("connect")
    steps = session.undo_stack.count()
    hand.drag(hand.middle(servers[1]), hand.middle(leaf))
    assert [len(session.design.used_ports(one)) for one in servers] == [1, 1, 1]
    assert session.undo_stack.count() == steps + 1


def test_escape_during_a_connection_leaves_nothing_behind(hand, session, pair):
    leaf, server = pair
    hand.view.set_tool("connect")
    hand.drag(hand.middle(server), hand.middle(leaf), let_go=False)
    hand.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=hand.middle(leaf))
    assert not session.design.links
    assert hand.view.notes.shown is None


def test_an_undo_in_the_middle_of_a_drag_ends_it(hand, session, row):
    hand.drag(hand.middle(row[0]), hand.middle(row[0]) + QPoint(0, 90), let_go=False)
    assert hand.view.gesture.active
    session.undo_stack.undo()
    assert not hand.view.gesture.active
    assert row[2] not in session.design.devices


def test_a_device_let_go_on_a_rack_is_mounted_and_leaves_it_again(hand, session):
    rack, device = hand.add_rack(-150.0, 0.0), hand.add("nvidia-qm9700", 250.0, 0.0)
    hand.view.zoom_to_fit()
    hand.drag(hand.middle(device), hand.at(-150.0, 10.0))
    assert session.design.placements[device].rack_id == rack
    assert session.design.placements[device].unit == 1
    hand.drag(hand.middle(device), hand.at(250.0, 0.0))
    assert session.design.placements[device].rack_id is None


def test_a_dragged_rack_takes_along_what_is_mounted_in_it(hand, session):
    rack, device = hand.add_rack(-100.0, 0.0), hand.add("nvidia-qm9700", 250.0, 0.0)
    hand.view.zoom_to_fit()
    hand.drag(hand.middle(device), hand.at(-100.0, 10.0))
    before = place(hand, rack), place(hand, device)
    frame = hand.view.fabric.composition.rect_of(rack)
    corner = hand.at(frame[0] + 4, frame[3] - 4)
    hand.drag(corner, corner + QPoint(70, 40))
    scale = hand.view.camera.scale
    for (x0, y0), one in zip(before, (rack, device), strict=True):
        assert place(hand, one) == pytest.approx((x0 + 70 / scale, y0 + 40 / scale))


def test_a_link_is_selected_by_a_click_on_its_line(hand, session, pair):
    leaf, server = pair
    hand.view.set_tool("connect")
    hand.drag(hand.middle(server), hand.middle(leaf))
    hand.view.set_tool("select")
    (link,) = session.design.links
    hand.click(hand.view.link_px(link).center().toPoint())
    assert session.selection == {link}


def test_a_drag_of_selected_links_of_several_lines_keeps_them_and_says_which_line_can_be_bent(hand, session, pair):
    leaf, server = pair
    session.push(operations.connect_devices(session.design, server, leaf))
    first = next(iter(session.design.links))
    session.push(operations.connect_devices(session.design, server, hand.add("nvidia-qm9700", 300.0, -150.0)))
    both = set(session.design.links)
    session.select(both)
    hand.drag(hand.view.link_px(first).center().toPoint(), hand.at(-300, 200), let_go=False)
    assert session.selection == both
    assert "Select a single line to bend it" in hand.view.notes.shown.text
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=hand.at(-300, 200))
    assert session.selection == both and hand.view.notes.shown is None
    assert not any(link.bends for link in session.design.links.values())


def test_a_drag_that_begins_on_a_link_is_a_rubber_band(hand, session, pair):
    leaf, server = pair
    other = hand.add("nvidia-qm9700", 300.0, -150.0)
    session.push(operations.connect_devices(session.design, server, leaf))
    (link,) = session.design.links
    line = hand.view.link_px(link)
    session.select([other])
    hand.press(line.center().toPoint() + QPoint(3, 0))
    assert session.selection == {other}, "nothing is selected before it is a click"
    QTest.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=line.center().toPoint() + QPoint(3, 0))
    assert session.selection == {link}
    session.select([])
    steps = session.undo_stack.count()
    hand.drag(line.center().toPoint(), hand.at(-300, 200), let_go=False)
    assert session.selection == {server}
    hand.key(Qt.Key.Key_Escape)
    assert session.selection == frozenset()
    hand.drag(line.center().toPoint(), hand.at(400, -200), SHIFT)
    assert session.selection == {leaf, other}
    assert session.undo_stack.count() == steps


@pytest.mark.parametrize("keys", [SHIFT, CONTROL])
def test_a_click_on_a_link_with_a_key_adds_and_takes_away(hand, session, pair, keys):
    leaf, server = pair
    session.push(operations.connect_devices(session.design, server, leaf))
    (link,) = session.design.links
    session.select([leaf])
    hand.click(hand.view.link_px(link).center().toPoint(), keys)
    assert session.selection == {leaf, link}
    hand.click(hand.view.link_px(link).center().toPoint(), keys)
    assert session.selection == {leaf}


def test_a_click_on_a_groups_title_selects_the_group_not_a_link_beneath_it(hand, session):
    switch, server = hand.add("nvidia-qm9700", 0.0, -150.0), hand.add("dgx-h100", 0.0, 150.0)
    session.push(operations.connect_devices(session.design, switch, server))
    session.push(operations.group(session.design, [server], "A group of a name that is long"))
    (group,) = session.design.groups
    for x, y in ((0.0, 215.0), (-200.0, 150.0), (200.0, 150.0)):
        hand.add("dgx-h100", x, y)  # close below and on both sides, so that the title stays above
    view = hand.view
    left, top, *_ = next(frame.rect for frame in view.fabric.composition.containers if frame.id == group)
    corner = hand.at(left, top)
    spots = [corner + QPoint(right, -8) for right in range(4, 160, 3)]
    places = [view.camera.to_canvas(spot.x(), spot.y()) for spot in spots]

    beneath = [
        target_at(view.fabric.composition, view.fabric.detail(view.camera.scale), view.camera.scale, *place)
        for place in places
    ]
    found = [view.target_at(Pointer(*place, spot.x(), spot.y())) for place, spot in zip(places, spots, strict=True)]

    on_link = next(number for number, one in enumerate(beneath) if one.link_ids)
    assert found[on_link].container_id == group and not found[on_link].link_ids
    hand.click(spots[on_link])
    assert session.selection == {group}


def test_alt_click_takes_the_links_of_a_line_one_by_one(hand, session, pair):
    leaf, server = pair
    session.push(operations.connect_devices(session.design, server, leaf, 5))
    view = hand.view
    view.move_camera(view.camera.zoomed(0.9 / view.camera.scale, view.width() / 2, view.height() / 2))
    x1, y1, x2, y2 = view.fabric.composition.anchors.bundles[0].tolist()
    middle = hand.at((x1 + x2) / 2, (y1 + y2) / 2)
    hand.click(middle)
    assert session.selection == set(session.design.links)
    taken = []
    for _ in range(6):
        hand.click(middle, ALT)
        taken.append(session.selection)
    assert [len(one) for one in taken] == [1] * 6
    assert len(set(taken)) == 5
    assert taken[5] == taken[0]


def test_a_double_click_opens_a_device_but_one_on_a_port_stays(hand, pair):
    view, server = hand.view, pair[1]
    view.zoom_onto([server])
    view.zoom_by(1.7 / view.camera.scale)
    port = view.fabric.composition.ports(view.fabric.composition.projection.row_of[server])[3]
    before = view.camera
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=hand.at(port.x, port.y))
    assert view.camera == before
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=hand.middle(server))
    assert view.camera.scale > before.scale


def test_while_a_gesture_is_under_way_nothing_is_marked_as_hovered(hand, pair):
    plain = hand.view.grab().toImage()
    QTest.mouseMove(hand.view, hand.middle(pair[0]))
    assert hand.view.grab().toImage() != plain
    QTest.mousePress(hand.view, Qt.MouseButton.MiddleButton, pos=hand.middle(pair[0]))
    assert hand.view.grab().toImage() == plain


def test_a_line_to_a_server_says_that_alt_chooses_among_its_nics(hand, pair):
    switch, server = pair
    hand.view.set_tool("connect")
    hand.drag(hand.middle(switch), hand.middle(server), let_go=False)
    assert "Hold Alt to choose the ports: compute or storage" in hand.view.notes.shown.text
    hand.key(Qt.Key.Key_Escape)
