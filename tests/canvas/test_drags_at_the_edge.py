"""A drag that is held at the edge of a view moves the picture until it is let go, in every view."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.model import operations
from designer.placement import floor

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def room(hand, catalog):
    """Two linked devices far apart on the canvas, and a rack on the floor with a server in it."""
    ids = [hand.add("nvidia-qm9700", 700.0 * number, 300.0 * number) for number in range(2)]
    hand.session.push(operations.add_rack(hand.design, catalog.get("rack-42u"), 350.0, 600.0))
    (rack,) = hand.design.racks
    hand.session.push(floor.place_racks(hand.design, {rack: (0.0, 0.0)}))
    server = hand.add("dgx-h100", 350.0, 600.0)
    hand.session.push(operations.mount(hand.design, server, rack))
    hand.view.zoom_to_fit()
    return [*ids, rack, server]


def hold(view, start, end):
    QTest.mouseMove(view, start)
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, (start + end) / 2)
    QTest.mouseMove(view, end)


def let_go(view, end):
    QTest.mouseRelease(view, LEFT, pos=end)


def edges(view):
    """A point at each edge, with the direction in which the picture moves there."""
    across, down = view.width() // 2, view.height() // 2
    return [
        (QPoint(2, down), (1, 0)),
        (QPoint(view.width() - 3, down), (-1, 0)),
        (QPoint(across, 2), (0, 1)),
        (QPoint(across, view.height() - 3), (0, -1)),
    ]


def seen(view):
    return view.camera.to_view(0.0, 0.0)


def sign(value):
    return (value > 0.5) - (value < -0.5)


def went(view, before):
    now = seen(view)
    return sign(now[0] - before[0]), sign(now[1] - before[1])


def test_where_fit_leaves_boxes_a_drag_moves_nothing(hand, room, qtbot):
    view, box = hand.view, hand.view.box_px(room[0])
    corner, before = box.topLeft().toPoint() - QPoint(6, 6), seen(hand.view)
    assert min(corner.x(), corner.y()) < 32, "as near to an edge as Fit leaves a box"
    hold(view, box.bottomRight().toPoint() + QPoint(60, 60), corner)
    qtbot.wait(100)
    assert seen(view) == before
    let_go(view, corner)


@pytest.mark.parametrize("edge", range(4))
@pytest.mark.parametrize("kind", ["canvas", "floor", "elevation"])
def test_what_is_dragged_to_an_edge_moves_the_picture_and_comes_to_where_the_hand_is(hand, room, qtbot, kind, edge):
    view, one = hand.view, room[0]
    if kind != "canvas":
        view, one = (FloorView, room[2]) if kind == "floor" else (ElevationView, room[3])
        view = view(hand.session)
        qtbot.addWidget(view)
        view.resize(600, 500)
        view.show()
        qtbot.waitExposed(view)
        view.zoom_to_fit()
    end, direction = edges(view)[edge]
    before = seen(view)
    hold(view, view.box_px(one).center().toPoint(), end)
    qtbot.waitUntil(lambda: went(view, before) == direction)
    let_go(view, end)
    after = view.camera
    QTest.qWait(60)
    assert view.camera == after, "it stops when let go"
    if kind == "canvas":
        at = hand.design.placements[one]
        x, y = view.camera.to_canvas(end.x(), end.y())
        assert (at.x, at.y) == pytest.approx((x, y), abs=30)


def test_a_rubber_band_stays_where_it_began_and_selects_what_comes_in(hand, room, qtbot):
    view, (one, other) = hand.view, room[:2]
    view.move_camera(view.camera.moved(view.width() - hand.middle(other).x() + 80.0, 0.0))
    start, end = view.box_px(one).topLeft().toPoint() - QPoint(20, 20), QPoint(view.width() - 3, view.height() - 40)
    assert not view.rect().contains(view.box_px(other).center().toPoint())
    began_at = view.camera.to_canvas(start.x(), start.y())
    hold(view, start, end)
    qtbot.waitUntil(lambda: other in hand.session.selection)
    assert {one, other} <= hand.session.selection
    assert view.gesture._band.left() == pytest.approx(view.camera.to_view(*began_at)[0]), "drawn from there too"
    let_go(view, end)


def test_a_link_that_is_pulled_to_the_edge_reaches_what_was_out_of_sight(hand, room, qtbot):
    view, one = hand.view, room[0]
    view.set_tool("connect")
    before, end = seen(view), QPoint(view.width() - 3, view.height() // 2)
    hold(view, view.box_px(one).center().toPoint(), end)
    qtbot.waitUntil(lambda: seen(view)[0] < before[0] - 50)
    view.gesture.cancel()
    let_go(view, end)


def test_the_nearer_the_edge_the_faster_and_one_pressed_there_stays(hand, room, qtbot):
    view, one = hand.view, room[0]
    end = QPoint(view.width() - 3, view.height() // 2)
    before = seen(view)
    hold(view, end - QPoint(2, 100), end - QPoint(2, 60))
    QTest.qWait(60)
    let_go(view, end - QPoint(2, 60))
    assert seen(view) == before

    steps = []
    for distance in (10, 3):
        view.zoom_to_fit()
        at = QPoint(view.width() - distance, view.height() // 2)
        moves = []
        view.moved.connect(lambda moves=moves: moves.append(seen(view)[0]))
        hold(view, view.box_px(one).center().toPoint(), at)
        qtbot.waitUntil(lambda moves=moves: len(moves) >= 2)
        view.gesture.cancel()
        let_go(view, at)
        steps.append(moves[0] - moves[1])
    assert 0 < steps[0] < steps[1]


def test_the_pan_tool_is_not_carried_away(hand, room):
    view = hand.view
    view.set_tool("pan")
    hold(view, view.rect().center(), QPoint(2, 300))
    before = seen(view)
    QTest.qWait(60)
    assert seen(view) == before
    let_go(view, QPoint(2, 300))
