"""Copies go to the nearest place where they keep a gap to all that stands there."""

import itertools

import numpy as np
import pytest

from designer.canvas.free_places import free_shift
from designer.model import operations
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
