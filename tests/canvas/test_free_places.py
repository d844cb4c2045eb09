"""Copies go to the nearest place where they keep a gap to all that stands there."""

import itertools

import numpy as np
import pytest

from designer.canvas.free_places import aside_of_copies, free_in_row, free_shift, free_spot, shift_in_view
from designer.model import arranging, operations
from designer.model.annotating import annotate
from designer.placement.metrics import GAP


def is_free(taken, rect, air=GAP - 1e-3):
    left, top, right, bottom = rect
    clear = (taken[:, 0] - air >= right) | (taken[:, 2] + air <= left)
    return bool((clear | (taken[:, 1] - air >= bottom) | (taken[:, 3] + air <= top)).all())


def moved(rect, dx, dy):
    return rect[0] + dx, rect[1] + dy, rect[2] + dx, rect[3] + dy


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_free_place_is_found(seed):
    chance = np.random.default_rng(seed)
    corners, sizes = chance.uniform(-400, 400, (30, 2)), chance.uniform(20, 160, (30, 2))
    taken = np.hstack((corners, corners + sizes))
    rect = (-60.0, -22.0, 60.0, 22.0)
    found = free_shift(taken, rect)
    assert is_free(taken, moved(rect, *found))
    acrosses = [0.0, *(taken[:, 0] - GAP - rect[2]), *(taken[:, 2] + GAP - rect[0])]
    downs = [0.0, *(taken[:, 1] - GAP - rect[3]), *(taken[:, 3] + GAP - rect[1])]
    ways = [abs(dx) + abs(dy) for dx, dy in itertools.product(acrosses, downs) if is_free(taken, moved(rect, dx, dy))]
    assert abs(found[0]) + abs(found[1]) == pytest.approx(min(ways), abs=1e-3)


def test_what_is_free_stays_where_it_is():
    assert free_shift(np.empty((0, 4)), (0.0, 0.0, 10.0, 10.0)) == (0.0, 0.0)
    assert free_shift(np.array([[10.0 + GAP, 0.0, 90.0, 10.0]]), (0.0, 0.0, 10.0, 10.0)) == (0.0, 0.0)


def test_a_duplicate_of_what_is_closely_surrounded_covers_nothing(hand, session):
    ids = [hand.add("nvidia-qm9700", 150.0 * column, 80.0 * row) for column in range(10) for row in range(10)]
    dx, dy = hand.view.step_beside([ids[44]])
    session.push(operations.duplicate(session.design, [ids[44]], dx, dy))
    boxes = hand.view.fabric.composition.boxes
    others = np.hstack((boxes[:-1, :2], boxes[:-1, :2] + boxes[:-1, 2:]))
    left, top, width, height = boxes[-1].tolist()
    assert is_free(others, (left, top, left + width, top + height))


def test_a_duplicate_does_not_stand_in_the_frame_of_a_rack(hand):
    device, rack = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add_rack(200.0, 0.0)
    dx, dy = hand.view.step_beside([device])
    left, top, right, bottom = hand.view.fabric.composition.rect_of(rack)
    assert not (left < dx + 60 and dx - 60 < right and top < dy + 22 and dy - 22 < bottom)


def test_a_duplicate_stands_to_the_right_past_other_groups_and_zones_before_it_stands_below(hand, session):
    ids = [hand.add("dgx-h100", 120.0 * column, 0.0) for column in range(4)]
    for names in (ids[:2], ids[2:]):
        session.push(arranging.group(session.design, names, "unit"))
    session.push(annotate(session.design, "zone", (420.0, -200.0), (560.0, 200.0), text="Storage"))
    zone = hand.view.fabric.composition.notes.drawn[0].rect
    unit = session.design.devices[ids[0]].group_id
    dx, dy = hand.view.step_beside([unit])
    left = hand.view.fabric.composition.rect_of(unit)[0]
    assert dy == 0.0 and left + dx == pytest.approx(zone[2] + GAP, abs=0.01)


def test_a_duplicate_of_a_member_stands_where_the_frame_of_its_group_grows_over_nothing_else(hand, session):
    ids = [hand.add("dgx-h100", 120.0 * column, 80.0 * row) for row in range(2) for column in range(4)]
    others = [hand.add("dgx-h100", 480.0, 0.0), hand.add("nvidia-qm9700", 200.0, 220.0)]
    session.push(arranging.group(session.design, ids, "unit"))
    for member in (ids[0], ids[3], ids[5]):
        before = session.design.snapshot()
        step = hand.view.step_beside([member])
        session.push(operations.duplicate(session.design, [member], *step))
        drawn = hand.view.fabric.composition
        (frame,) = [one.rect for one in drawn.containers]
        for other in others:
            left, top, right, bottom = drawn.rect_of(other)
            assert right <= frame[0] or left >= frame[2] or bottom <= frame[1] or top >= frame[3], (member, step)
        assert len(session.design.devices) == len(before.devices) + 1


def test_a_duplicate_of_a_member_stands_beside_it_where_every_place_has_its_group_grow_over_others(hand, session):
    member = hand.add("dgx-h100", 0.0, 0.0)
    session.push(arranging.group(session.design, [member], "unit"))
    for x, y in ((130.0, 50.0), (-130.0, 50.0), (-130.0, -50.0), (130.0, -50.0)):
        for far in (1, 2, 3, 4):
            hand.add("dgx-h100", x * far, y)
            hand.add("dgx-h100", x, y * far * 1.3)
    assert hand.view.step_beside([member]) != (0.0, 0.0)


def test_a_new_device_covers_no_link_frame_or_annotation_in_sight(hand, session):
    ids = [hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("nvidia-qm9700", 400.0, 0.0)]
    ids += [hand.add("dgx-h100", 120.0 * column, 300.0) for column in range(4)]
    session.push(operations.connect_evenly(session.design, ids[2:], ids[:2]))
    session.push(arranging.group(session.design, ids[2:], "unit"))
    session.push(annotate(session.design, "note", (100.0, 360.0), (300.0, 460.0), text="Keep free"))
    drawn, seen = hand.view.fabric.composition, (-200.0, -200.0, 700.0, 600.0)
    plate = (300.0, 350.0, 700.0, 600.0)
    x, y = free_spot(drawn, 200.0, 150.0, (96.0, 44.0), seen, [plate])
    rect = (x - 48.0, y - 22.0, x + 48.0, y + 22.0)
    assert seen[0] <= rect[0] and rect[2] <= seen[2] and seen[1] <= rect[1] and rect[3] <= seen[3]
    taken = [one.rect for one in drawn.containers] + [one.rect for one in drawn.notes.seen] + [plate]
    lines = drawn.anchors.bundles
    spans = np.hstack((np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])))
    assert is_free(np.vstack((np.array(taken), spans)), rect, air=0.0)


def test_a_new_device_stands_beyond_what_is_seen_where_that_is_full(hand):
    ids = [hand.add("nvidia-qm9700", 140.0 * column, 60.0 * row) for column in range(6) for row in range(6)]
    drawn = hand.view.fabric.composition
    x, y = free_spot(drawn, 300.0, 150.0, (96.0, 44.0), (200.0, 100.0, 400.0, 200.0))
    boxes = np.array([drawn.rect_of(one) for one in ids])
    assert is_free(boxes, (x - 48.0, y - 22.0, x + 48.0, y + 22.0))


def test_a_row_goes_on_right_of_the_frame_that_its_devices_are_in(hand, session):
    ids = [hand.add("dgx-h100", 120.0 * column, 0.0) for column in range(3)]
    session.push(arranging.group(session.design, ids, "unit"))
    drawn = hand.view.fabric.composition
    x, _ = free_in_row(drawn, ids, 96.0, 44.0)
    assert x - 48.0 == drawn.rect_of(session.design.devices[ids[0]].group_id)[2] + GAP


def test_copies_of_an_array_go_right_of_what_is_there_as_one(hand):
    ids = [hand.add("dgx-h100", 120.0 * column, 0.0) for column in range(3)]
    drawn = hand.view.fabric.composition
    width = 96.0
    places = [(120.0 * n - width / 2, -22.0, 120.0 * n + width / 2, 22.0) for n in (1, 2)]
    assert aside_of_copies(drawn, ids[:1], places) == pytest.approx(240.0, abs=0.01)
    assert aside_of_copies(drawn, ids[2:], [(280.0, -22.0, 376.0, 22.0)]) == pytest.approx(8.0 + GAP, abs=0.01)
    assert aside_of_copies(drawn, ids[2:], [(192.0 + 120.0, -22.0, 408.0, 22.0)]) == 0.0
    assert aside_of_copies(drawn, ["none"], places) == 0.0


def test_a_new_annotation_stands_off_everything_in_view_as_near_as_there_is_room(hand):
    ids = [hand.add("nvidia-qm9700", 150.0 * column, 0.0) for column in range(3)]
    drawn, (left, top, right, bottom) = hand.view.fabric.composition, (60.0, -40.0, 240.0, 40.0)
    seen = -300.0, -300.0, 600.0, 300.0
    dx, dy = shift_in_view(drawn, (left, top, right, bottom), seen, ())
    boxes = [drawn.rect_of(one) for one in ids]
    found = moved((left, top, right, bottom), dx, dy)
    assert (dx, dy) != (0.0, 0.0) and is_free(np.array(boxes), found, air=0.0)
    assert seen[0] <= found[0] and found[2] <= seen[2] and seen[1] <= found[1] and found[3] <= seen[3]
    assert abs(dx) + abs(dy) < 200.0
    plate = (-300.0, -300.0, 600.0, 0.0)
    below = moved((left, top, right, bottom), *shift_in_view(drawn, (left, top, right, bottom), seen, [plate]))
    assert below[1] >= 0.0
    assert shift_in_view(drawn, (left, 100.0, right, 180.0), seen, ()) == (0.0, 0.0)
    assert shift_in_view(drawn, (left, top, right, bottom), seen, [seen]) == (0.0, 0.0), "nowhere: it stays"


def test_a_new_annotation_stands_off_leaders(hand, session):
    hand.add("nvidia-qm9700", 0.0, 0.0)
    session.push(annotate(session.design, "callout", (400.0, 300.0), (500.0, 340.0), tip=(150.0, 100.0)))
    rect, seen = (220.0, 140.0, 300.0, 180.0), (-600.0, -600.0, 900.0, 900.0)
    assert shift_in_view(hand.view.fabric.composition, rect, seen, ()) != (0.0, 0.0)
