"""Trays drawn by hand: cables lie in them alone, on the shortest way, and say in which."""

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.errors import EditError
from designer.model.edit import Change, Edit
from designer.model.fixture import Fixture
from designer.model.furnishing import add_tray, reshape_tray
from designer.placement import cable_lengths, floor, preparation
from designer.placement.cable_lengths import Routes, route, route_cables
from designer.placement.tray_network import TrayNetwork
from designer.placement.trays import TrayRoutes, cross_trays, trays_over_rows


def tray(number, *points, name=""):
    return Fixture(f"f{number}", "tray", name or f"t{number}", points_m=points)


PLACES = {"a": (0.0, 0.0), "b": (10.0, 0.0), "c": (10.0, 5.0), "d": (0.0, 5.0)}


def test_a_way_leads_up_to_the_tray_along_it_round_its_corner_and_down():
    network = TrayNetwork([tray(1, (-1.0, 1.0), (12.0, 1.0), (12.0, 6.0))], PLACES)
    way = network.way("a", "b")
    assert way.points == ((0, 0), (0, 1), (10, 1), (10, 0))
    assert way.length_m == pytest.approx(12) and way.trays == ("t1",)
    assert network.way("b", "a").points == way.points[::-1]
    # The middle of c is as near to neither end of the tray, but to its upright piece.
    assert network.way("a", "c").points == ((0, 0), (0, 1), (12, 1), (12, 5), (10, 5))


def test_trays_that_cross_or_touch_or_nearly_touch_are_one_network():
    row, other = tray(1, (-1.0, 0.0), (11.0, 0.0)), tray(2, (-1.0, 5.0), (11.0, 5.0))
    for cross in (((4.0, -2.0), (4.0, 7.0)), ((4.0, 0.0), (4.0, 5.0)), ((4.0, 0.14), (4.0, 4.9))):
        way = TrayNetwork([row, other, tray(3, *cross)], PLACES).way("a", "c")
        assert way.trays == ("t1", "t3", "t2") and way.length_m == pytest.approx(15, abs=0.05)
    apart = TrayNetwork([row, other, tray(3, (4.0, 0.2), (4.0, 5.0))], PLACES)
    assert apart.way("a", "c") is None and apart.length_m("a", "b") == pytest.approx(10)


def test_of_two_ways_the_shorter_is_taken_and_pieces_over_each_other_are_one():
    row, other = tray(1, (-1.0, 0.0), (6.0, 0.0)), tray(2, (-1.0, 5.0), (11.0, 5.0))
    more = [tray(3, (3.0, 0.0), (11.0, 0.0)), tray(4, (8.0, 0.0), (8.0, 5.0)), tray(5, (-1.0, 0.0), (-1.0, 5.0))]
    network = TrayNetwork([row, other, *more], PLACES)
    assert network.length_m("a", "c") == pytest.approx(15)
    assert network.length_m("a", "d") == pytest.approx(7)
    assert network.way("a", "b").points == ((0, 0), (10, 0))


def test_racks_that_reach_a_tray_in_one_spot_have_a_way_too():
    network = TrayNetwork([tray(1, (5.0, 0.0), (6.0, 0.0))], {"a": (0.0, 1.0), "b": (0.0, -1.0)})
    way = network.way("a", "b")
    assert way.length_m == pytest.approx(12) and way.trays == ("t1",)
    assert way.points == ((0, 1), (0, 0), (5, 0), (0, 0), (0, -1))


metres = st.integers(-40, 40).map(lambda value: value / 4)
corners = st.lists(st.tuples(metres, metres), min_size=2, max_size=5, unique=True).map(tuple)


@settings(max_examples=40, deadline=None)
@given(
    trays=st.lists(corners, min_size=1, max_size=5), places=st.lists(st.tuples(metres, metres), min_size=2, max_size=4)
)
def test_a_way_is_as_long_as_its_corners_are_apart_and_the_same_back(trays, places):
    racks = {f"r{number}": place for number, place in enumerate(places)}
    network = TrayNetwork([tray(number, *points) for number, points in enumerate(trays)], racks)
    for a, b in itertools.combinations(racks, 2):
        way, back = network.way(a, b), network.way(b, a)
        assert (way is None) == (back is None)
        if way is None:
            continue
        assert way.length_m == back.length_m == network.length_m(a, b)
        assert way.points[0] == racks[a] and way.points[-1] == racks[b]
        drawn = sum(math.dist(*pair) for pair in itertools.pairwise(way.points))
        assert way.length_m == pytest.approx(drawn, abs=0.05)
        assert way.length_m >= math.dist(racks[a], racks[b]) - 0.05
        assert set(way.trays) <= {f"t{number}" for number in range(len(trays))}


@pytest.fixture
def pair(room):
    """A leaf and a spine in racks 12 m apart in one row."""
    near, far = room.rack("near", (0, 0)), room.rack("far", (12, 0))
    leaf = room.stand("nvidia-qm9700", near, 40, role="leaf")
    spine = room.stand("nvidia-qm9700", far, 10, role="spine")
    (room.link,) = room.join(leaf, spine, 1)
    return room


def test_cables_follow_drawn_trays_and_lists_name_them(pair):
    design = pair.design
    before = route(design, design.links[pair.link]).tray_m
    assert (before, TrayRoutes(design).of_link(design.links[pair.link])) == (12, "A")
    design.apply(add_tray(design, [(0, 0), (0, 3), (12, 3), (12, 0)], "ladder"))
    assert route(design, design.links[pair.link]).tray_m == pytest.approx(18)
    assert TrayRoutes(design).of_link(design.links[pair.link]) == "ladder"
    design.apply(route_cables(design))
    assert design.links[pair.link].length_m == pytest.approx(22.3)
    assert Routes(design).lengths_m([design.links[pair.link]]).tolist() == [design.links[pair.link].length_m]


def test_racks_on_trays_that_do_not_meet_have_no_route_and_it_says_so(pair, catalog):
    design = pair.design
    design.apply(add_tray(design, [(-1, 0), (1, 0)]))
    design.apply(add_tray(design, [(11, 0), (13, 0)]))
    link = design.links[pair.link]
    assert route(design, link) is None and TrayRoutes(design).of_link(link) == "unknown"
    assert Routes(design).why_none(link) == ("near", cable_lengths.NO_TRAY)
    (point,) = (one for one in preparation.open_points(design, catalog.types) if one.what == preparation.NO_LENGTH)
    assert point.reason == "near is on no tray that leads to the other end"
    assert point.remedy == preparation.DRAW_TRAY
    design.apply(reshape_tray(design, "f2", [(1, 0), (13, 0)]))
    assert route(design, link).tray_m == pytest.approx(12)


def test_trays_over_rows_make_the_same_ways_as_the_rows_did(pair):
    design = pair.design
    other = pair.stand("nvidia-qm9700", pair.rack("below", (12, 5)), 10)
    (link,) = pair.join(pair.design.links[pair.link].a.device_id, other, 1)
    before = [route(design, design.links[one]).tray_m for one in (pair.link, link)]
    edit = trays_over_rows(design)
    design.apply(edit)
    assert [one.name for one in design.fixtures.values()] == ["A", "B", "X1", "X2"]
    assert [route(design, design.links[one]).tray_m for one in (pair.link, link)] == pytest.approx([12, 17.6])
    assert before == pytest.approx([12, 17]) and TrayRoutes(design).of_link(design.links[link]) in (
        "A > X1 > B",
        "A > X2 > B",
    )
    design.apply(edit.inverted())
    assert not design.fixtures
    empty = design.snapshot()
    empty.apply(floor.place_racks(empty, dict.fromkeys(empty.racks)))
    with pytest.raises(EditError, match="place racks first"):
        trays_over_rows(empty)


def test_cross_trays_of_the_settings_count_only_without_drawn_ones(pair):
    design = pair.design
    design.apply(Edit("", (Change(design.settings, replace(design.settings, cross_trays_m=(4.0,))),)))
    assert [one.name for one in cross_trays(design)] == ["X1"]
    design.apply(add_tray(design, [(0, 0), (12, 0)]))
    assert not cross_trays(design)
