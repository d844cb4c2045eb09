"""The line of selected links is led by hand: handles on it drag, bends in line vanish, a click and Del removes one."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.canvas import bending
from designer.canvas.hits import NOTHING
from designer.canvas.pointer import pointer_at
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.model import operations
from designer.model.bending import bend_links
from designer.model.colour_keys import RIGHT_ANGLES
from designer.session.selected import Selected
from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture
def two(hand, session):
    """Two switches, one down to the right of the other, with two links that are selected."""
    a, b = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("nvidia-qm9700", 300.0, 400.0)
    session.push(operations.connect_devices(session.design, a, b, 2))
    hand.view.zoom_to_fit()
    session.select(list(session.design.links))
    hand.view.grab()
    return a, b


def line(hand):
    fabric = hand.view.fabric
    return bending.held_line(fabric.seen, fabric.detail(hand.view.camera.scale), hand.session.selected)


def handle(hand, number=0, *, is_bend=False):
    """The pixel of a handle: of the bends, or of those in the middle of pieces."""
    found = [one for one in line(hand).handles(hand.view.camera.scale) if one.is_bend == is_bend]
    return hand.at(*found[number].at)


def bends(session):
    return [one.bends for one in session.design.links.values()]


ASIDE = QPoint(60, 0)


def pull(hand, by=ASIDE, number=0, *, is_bend=False, keys=Qt.KeyboardModifier.NoModifier):
    start = handle(hand, number, is_bend=is_bend)
    hand.drag(start, start + by, keys)


def test_a_bend_comes_into_line_with_the_devices_and_ends_around(hand, session, two):
    start, end_x = handle(hand), line(hand).points[-1][0]
    hand.drag(start, QPoint(hand.at(end_x, 0.0).x() + 3, start.y()))
    ((x, _),) = bends(session)[0]
    assert x == pytest.approx(end_x, abs=0.05)
    session.undo_stack.undo()
    session.drafting.choose(replace(session.drafting.now, to_neighbours=False))
    hand.drag(start, QPoint(hand.at(end_x, 0.0).x() + 3, start.y()))
    ((x, _),) = bends(session)[0]
    assert x > end_x + 1.0


def test_a_drag_from_a_handle_of_the_line_bends_it_as_one_step_to_undo(hand, session, two):
    before, steps = document.encode(session.design), session.undo_stack.count()
    pull(hand)
    (first,), (second,) = bends(session)
    assert first == second and first[0] > 75.0 + 20.0
    assert session.undo_stack.count() == steps + 1
    assert len(line(hand).points) == 3
    session.undo_stack.undo()
    assert document.encode(session.design) == before
    assert len(line(hand).points) == 2


def test_a_selected_line_bends_wherever_it_is_taken(hand, session, two):
    (x1, y1), (x2, y2) = line(hand).points
    spot = hand.at(x1 + 0.7 * (x2 - x1), y1 + 0.7 * (y2 - y1))
    hand.drag(spot, spot + ASIDE)
    ((x, y),) = bends(session)[0]
    assert y > 250.0 and x > x1 + 0.7 * (x2 - x1)


def test_handles_keep_off_the_label_in_the_middle_of_the_line(hand, session, two):
    (x1, y1), (x2, y2) = line(hand).points
    middle = hand.at((x1 + x2) / 2, (y1 + y2) / 2)
    assert all((hand.at(*one.at) - middle).manhattanLength() > 30 for one in line(hand).handles(hand.view.camera.scale))


def test_while_it_is_dragged_the_line_is_drawn_there_and_esc_puts_it_back(hand, session, two):
    start = handle(hand)
    hand.drag(start, start + QPoint(60, 0), let_go=False)
    assert len(line(hand).points) == 3 and bends(session) == [(), ()]
    hand.key(Qt.Key.Key_Escape)
    assert len(line(hand).points) == 2 and bends(session) == [(), ()]


def test_a_bend_is_dragged_on_and_each_piece_bends_again(hand, session, two):
    pull(hand)
    pull(hand, QPoint(0, 40), is_bend=True)
    assert len(bends(session)[0]) == 1
    pull(hand, QPoint(-50, 10), 0)
    assert len(bends(session)[0]) == 2
    pull(hand, QPoint(50, 10), 2)
    assert len(bends(session)[0]) == 3


def test_a_bend_that_comes_into_line_with_its_neighbours_is_removed(hand, session, two):
    pull(hand)
    pull(hand, QPoint(-59, 0), is_bend=True, keys=Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert bends(session) == [(), ()]


def test_a_bend_beside_a_device_comes_into_line_with_where_the_line_leaves_it_then(hand, session, two):
    start, aim = handle(hand), hand.at(300.0, 0.0)
    hand.drag(start, QPoint(aim.x(), aim.y() + 2))
    (from_x, from_y), (x, y), (to_x, _) = line(hand).points
    assert from_x > 50.0  # it leaves at the right, no more at the bottom
    assert y == pytest.approx(from_y, abs=0.05) and x == pytest.approx(to_x, abs=0.05)


def test_a_bend_comes_into_line_with_the_port_that_the_line_leaves_by_not_the_middle_of_the_device(hand, session, two):
    session.push(operations.connect_devices(session.design, two[0], hand.add("nvidia-qm9700", 700.0, 10.0), 6))
    session.select([*session.design.links][:2])
    start, ids = handle(hand), [*session.selection]
    session.push(bend_links(session.design, ids, [(300.0, 3.0)], two[0]))
    hand.view.grab()
    y0 = line(hand).points[0][1]
    session.undo_stack.undo()
    assert abs(y0) > 4.0
    hand.view.grab()
    hand.drag(start, QPoint(hand.at(230.0, 0.0).x(), hand.at(0.0, y0).y() + 2))
    assert line(hand).points[1][1] == pytest.approx(line(hand).points[0][1], abs=0.05)


def test_shift_keeps_a_bend_on_one_axis(hand, session, two):
    pull(hand)
    ((before_x, before_y),) = bends(session)[0]
    pull(hand, QPoint(60, 20), is_bend=True, keys=Qt.KeyboardModifier.ShiftModifier)
    ((x, y),) = bends(session)[0]
    assert x > before_x + 10.0 and y == pytest.approx(before_y)


def test_bends_snap_to_the_grid(hand, session, two):
    session.drafting.choose(replace(session.drafting.now, to_grid=True, to_neighbours=False, spacing=48))
    pull(hand, QPoint(63, 7))
    ((x, y),) = bends(session)[0]
    assert x % 48 == 0 and y % 48 == 0


def test_a_double_click_on_a_bend_removes_it_and_on_the_line_writes_a_label(hand, session, two):
    pull(hand)
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=handle(hand, is_bend=True))
    assert bends(session) == [(), ()]
    assert not hand.view.name_editor.isVisible()
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=handle(hand))
    assert hand.view.name_editor.isVisible()


def test_a_bend_that_was_let_go_or_clicked_is_held_until_something_else_is_pressed(hand, session, two):
    pull(hand)
    assert session.held_bend == bends(session)[0][0]
    hand.click(handle(hand))
    assert session.held_bend is None
    hand.click(handle(hand, is_bend=True))
    assert session.held_bend == bends(session)[0][0]
    assert session.selection == session.design.links.keys()
    hand.click(QPoint(5, 5))
    assert session.held_bend is None


def test_where_lines_are_orthogonal_a_piece_between_corners_moves_across(hand, session, two):
    session.push(operations.set_settings(session.design, link_lines=RIGHT_ANGLES))
    hand.view.grab()
    assert len(line(hand).points) == 4
    pull(hand, QPoint(15, 40), 1)
    way = line(hand).points
    assert len(way) == 4
    assert all(x1 == pytest.approx(x2) or y1 == pytest.approx(y2) for (x1, y1), (x2, y2) in pairwise(way))
    assert way[1][1] == pytest.approx(way[2][1]) and way[1][1] > 220.0


def test_a_line_that_others_run_along_has_no_handles(hand, session, two):
    session.push(operations.connect_devices(session.design, two[0], hand.add("nvidia-qm9700", -300.0, 400.0)))
    session.select(list(session.design.links))
    assert line(hand) is None
    session.select([*session.design.links][:1])
    assert line(hand).link_ids == tuple(session.design.links)[:2]


def test_a_line_on_a_comb_has_no_handles_until_it_is_drawn_by_itself(session, catalog):
    session.push(rail_optimized.build(session.design, rail_optimized.RailOptimizedParameters(servers=64), catalog))
    design, composition = session.design, Composition(session.design)
    link = next(one.id for one in design.links.values() if design.is_server(one.a.device_id))
    selected = Selected(design, frozenset((link,)))
    assert bending.held_line(composition, Detail(LinkDetail.TRUNKS), selected) is None
    assert bending.held_line(composition, Detail(LinkDetail.BUNDLES), selected).link_ids == (link,)


def test_handles_say_what_a_drag_does(hand, session, two):
    fabric = hand.view.fabric

    def sentence(spot):
        return fabric.sentence(fabric.target_at(pointer_at(hand.view.camera, spot.toPointF()), hand.view.sight))

    assert sentence(handle(hand)) == "Drag to bend the line of 2 links"
    pull(hand)
    assert "Drag to move the bend of 2 links" in sentence(handle(hand, is_bend=True))
    session.select(())
    assert fabric.target_at(pointer_at(hand.view.camera, QPoint(5, 5).toPointF()), hand.view.sight) == NOTHING
