"""Groups around a free middle: apart from each other, each before all lines between others, in a screen's shape."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.placement.around import APART, around, mouth_of

SIZES = st.tuples(st.floats(150, 4000), st.floats(60, 1500))


def rectangles(spots, width, depth):
    """Left, top, right, bottom of each group, with the mouth before it."""
    mouth = mouth_of(width)
    for x, y, is_upper in spots:
        yield x - width / 2, y - depth if is_upper else y - mouth, x + width / 2, y + mouth if is_upper else y + depth


def nearest(rectangle):
    left, top, right, bottom = rectangle
    return min(max(0.0, left), right), min(max(0.0, top), bottom)


@given(st.integers(2, 80), SIZES)
def test_groups_stand_apart_with_room_for_their_titles(count, size):
    spots = around(count, *size)
    assert len(spots) == count
    for one, other in combinations(rectangles(spots, *size), 2):
        beside = max(one[0] - other[2], other[0] - one[2])
        over = max(one[1] - other[3], other[1] - one[3])
        assert max(beside, over) > APART - 1


@given(st.integers(3, 60), SIZES)
def test_a_line_between_two_groups_meets_no_third(count, size):
    boxes = list(rectangles(around(count, *size), *size))
    gates = [nearest(box) for box in boxes]
    for (x1, y1), (x2, y2) in combinations(gates, 2):
        for left, top, right, bottom in boxes:
            corners = [(x, y) for x in (left + 1, right - 1) for y in (top + 1, bottom - 1)]
            sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in corners]
            if min(sides) < 0 < max(sides):  # on its way, but beyond one of its ends
                assert (
                    right - 1 <= min(x1, x2)
                    or left + 1 >= max(x1, x2)
                    or bottom - 1 <= min(y1, y2)
                    or (top + 1 >= max(y1, y2))
                )


@pytest.mark.parametrize("count", [9, 33, 74])
def test_many_groups_fill_a_screen(count):
    boxes = list(rectangles(around(count, 960.0, 160.0), 960.0, 160.0))
    width = max(box[2] for box in boxes) - min(box[0] for box in boxes)
    height = max(box[3] for box in boxes) - min(box[1] for box in boxes)
    assert 1.2 < width / height < 1.9


@pytest.mark.parametrize("count", range(2, 12))
def test_left_and_right_are_alike_and_numbers_run_clockwise_from_the_top(count):
    spots = around(count, 960.0, 160.0)
    assert sorted((round(-x), y) for x, y, _ in spots) == sorted((round(x), y) for x, y, _ in spots)
    right = [y for x, y, _ in spots if x > 0]
    assert right == sorted(right)
    assert all(x >= 0 for x, *_ in spots[: len(right)])
    assert spots[0][2]


def test_one_group_alone_stands_as_usual_with_its_servers_below():
    assert around(1, 960.0, 160.0) == [(0.0, 0.0, False)]
    assert around(0, 960.0, 160.0) == []
