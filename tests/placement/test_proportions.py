"""Distances in generated pictures, each recomputed from where the boxes stand."""

import math
from itertools import pairwise

import pytest

from designer.placement.direct import below, depth_below, row, torus_points
from designer.placement.metrics import BOX_HEIGHT, GAP, ROW_PITCH, SERVER_WIDTH, SWITCH_WIDTH
from designer.placement.tiers import arrange


def test_between_a_host_and_the_next_router_of_a_torus_two_and_a_half_gaps_are_free():
    routers, hosts = torus_points((3, 3))
    (x, y), (next_x, next_y), above = routers[0], routers[1], routers[3]
    host_x, host_y = hosts[0]
    assert (next_x - SWITCH_WIDTH / 2) - (host_x + SERVER_WIDTH / 2) == pytest.approx(2.5 * GAP)
    assert (host_x - SERVER_WIDTH / 2) - (x + SWITCH_WIDTH / 2) < 0 < host_x - SERVER_WIDTH / 2 - x
    assert (y, host_y - y) == (next_y, ROW_PITCH)
    assert above[0] == x and above[1] - host_y - BOX_HEIGHT >= GAP


@pytest.mark.parametrize("dims", [(4, 4, 4), (4, 4, 8), (2,) * 5, (3,) * 4, (2, 2, 16, 2), (2,) * 8], ids=str)
def test_beside_rows_and_columns_there_is_room_for_the_links_that_pass_other_routers(dims):
    """30 units free, and 3 more for each of the most links that lie over each other there."""
    routers, _ = torus_points(dims)
    count = math.prod(dims)
    links = []
    for node in range(count):
        stride = 1
        for size in dims:
            place = node // stride % size
            links.append((node, node + (stride if place < size - 1 else -place * stride)))
            stride *= size
    across_a_column = SWITCH_WIDTH / 2 + SERVER_WIDTH / 2 - 16 + (SERVER_WIDTH + SWITCH_WIDTH) / 2
    for axis, boxes, free in ((0, 2 * ROW_PITCH - GAP, 3 * GAP), (1, across_a_column, 2.5 * GAP)):
        other = 1 - axis
        lines = sorted({point[other] for point in routers})
        most = 0
        for line in lines:
            along = sorted({point[axis] for point in routers if point[other] == line})
            rank = {at: number for number, at in enumerate(along)}
            passing = [
                sorted((rank[routers[a][axis]], rank[routers[b][axis]]))
                for a, b in links
                if routers[a][other] == line == routers[b][other]
            ]
            passing = [(low, high) for low, high in passing if high - low > 1]
            for at in range(len(along)):
                most = max(most, sum(low <= at < high for low, high in passing))
        pitch = min(b - a for a, b in pairwise(lines))
        assert pitch - boxes == pytest.approx(max(free, 30 + 3 * most), abs=0.2)


@pytest.mark.parametrize("size", [7, 12, 24, 36, 60, 100])
def test_a_ring_is_laid_out_to_and_fro_in_the_shape_nearest_to_a_screens(size):
    routers, _ = torus_points((size,))
    xs, ys = sorted({x for x, _ in routers}), sorted({y for _, y in routers})
    cell = SWITCH_WIDTH / 2 + SERVER_WIDTH / 2 - 16 + (SERVER_WIDTH + SWITCH_WIDTH) / 2 + 2.5 * GAP
    cell_ratio = cell / (2 * ROW_PITCH + 2 * GAP)
    shapes = [(columns, size // columns) for columns in range(1, size + 1) if size % columns == 0]
    closed = [(c, r) for c, r in shapes if r % 2 == 0 or 1 in (c, r)]  # the last one stands in the first one's column
    best = min(closed, key=lambda shape: abs(math.log(shape[0] / shape[1] * cell_ratio / 1.6)))
    assert (len(xs), len(ys)) == best


@pytest.mark.parametrize(("flip", "sign"), [(False, 1), (True, -1)])
def test_one_host_stands_a_row_below_its_router_and_more_stand_two_a_row(flip, sign):
    assert below((10.0, 20.0), 1, flip) == [(10.0, 20.0 + sign * ROW_PITCH)]
    pair = (SERVER_WIDTH + GAP) / 2
    assert below((0.0, 0.0), 3, flip) == [
        (-pair, pytest.approx(sign * 1.4 * ROW_PITCH, abs=0.1)),
        (pair, pytest.approx(sign * 1.4 * ROW_PITCH, abs=0.1)),
        (-pair, pytest.approx(sign * 2.4 * ROW_PITCH, abs=0.1)),
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 16])
def test_the_depth_of_a_group_is_that_of_its_last_host(count):
    assert depth_below(count) == pytest.approx(max((y for _, y in below((0.0, 0.0), count)), default=0.0), abs=0.1)


@pytest.mark.parametrize(("count", "places"), [(1, [0.0]), (2, [-75.0, 75.0]), (3, [-150.0, 0.0, 150.0])])
def test_the_routers_of_a_group_stand_evenly_about_its_middle(count, places):
    """Groups of one row are a whole group apart: one that stood off its middle would come nearer to its neighbor."""
    assert row(count, 150.0) == places


def rows_of(layout):
    """The y of every tier from the top, each the tier's first row."""
    return [layout.top[0][1], *(tier[0][1] for tier in layout.blocks[0])]


def test_height_that_a_screen_has_to_spare_goes_under_the_top_tier():
    """A wide picture of few rows gets the shape of a screen, 16 to 9, as long as the gap is a quarter of its width."""
    layout = arrange(4, 1, (2, 8, 96))
    points = [*layout.top, *(point for block in layout.blocks for tier in block for point in tier)]
    leafs = [x for block in layout.blocks for x, _ in block[-1]]
    width = max(leafs) - min(leafs) + SERVER_WIDTH
    height = max(y for _, y in points) - min(y for _, y in points) + BOX_HEIGHT
    gap = rows_of(layout)[1] - rows_of(layout)[0] - BOX_HEIGHT
    assert 0.11 * width < gap < 0.25 * width
    assert height / width == pytest.approx(900 / 1600, rel=0.02)


@pytest.mark.parametrize(
    ("leafs", "gap"),
    [(2, 96.0), (16, pytest.approx(0.12 * (16 * (SWITCH_WIDTH + GAP) - GAP), rel=0.15)), (128, 900.0)],
)
def test_tiers_of_switches_stand_further_apart_the_wider_their_block_is(leafs, gap):
    layout = arrange(2, 1, (leafs, leafs, leafs))
    rows = rows_of(layout)
    assert rows[2] - rows[1] - BOX_HEIGHT == gap
