"""Cables: the way they take, how their length says where it comes from, and the kind that reaches."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.errors import UnknownEntityError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.settings import Settings
from designer.placement import cable_lengths, floor
from designer.placement.cable_lengths import UNIT_HEIGHT_M, Routes, route, route_cables
from designer.placement.media import choices, known_lengths_m, pick_media
from designer.placement.tray_ways import tray_m
from designer.validation.engine import validate

metres = st.floats(-50, 50)
points = st.tuples(metres, metres)


@pytest.fixture
def pair(room):
    """A leaf and a spine in two racks of one row, 12 m apart, joined by both links of a cage."""
    near, far = room.rack("near", (0, 0)), room.rack("far", (12, 0))
    leaf = room.stand("nvidia-qm9700", near, 40, role="leaf")
    spine = room.stand("nvidia-qm9700", far, 10, role="spine")
    room.links = room.join(leaf, spine, 2)
    room.leaf, room.spine = leaf, spine
    return room


def test_a_cable_goes_up_to_the_tray_along_it_and_down_with_slack(pair):
    way = route(pair.design, pair.design.links[pair.links[0]])
    settings = pair.design.settings
    assert way.tray_m == 12
    assert way.rise_m == pytest.approx(2 * settings.tray_height_m - (39.5 + 9.5) * UNIT_HEIGHT_M)
    assert way.slack_m == settings.cable_slack_m
    whole = way.rise_m + way.tray_m + way.slack_m
    assert whole <= way.length_m < whole + 0.1 + 1e-9
    assert way.length_m == round(way.length_m, 1)


def test_within_a_rack_a_cable_goes_straight_from_unit_to_unit(room):
    rack = room.rack("one")
    leaf, spine = room.stand("nvidia-qm9700", rack, 40), room.stand("nvidia-qm9700", rack, 20)
    (link,) = room.join(leaf, spine)
    way = route(room.design, room.design.links[link])
    assert (way.rise_m, way.tray_m) == (pytest.approx(20 * UNIT_HEIGHT_M), 0)


def test_cross_trays_make_the_way_as_long_as_they_are_far():
    free = Settings()
    assert tray_m(free, (0, 0), (2, 4.8)) == pytest.approx(6.8)
    at_the_end = Settings(cross_trays_m=(10.0, -30.0))
    assert tray_m(at_the_end, (0, 0), (2, 4.8)) == pytest.approx(10 + 4.8 + 8)
    assert tray_m(at_the_end, (0, 0), (2, 0)) == pytest.approx(2), "a row has its own tray"


@given(a=points, b=points, trays=st.lists(metres, max_size=4))
def test_a_way_is_as_long_from_either_end_and_never_shorter_than_straight(a, b, trays):
    settings = Settings(cross_trays_m=tuple(trays))
    there, back = tray_m(settings, a, b), tray_m(settings, b, a)
    assert there == pytest.approx(back)
    assert there >= ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 - 1e-6


def test_routed_lengths_say_so_typed_ones_stay_and_the_rest_follows_the_rule(pair):
    design, (first, second) = pair.design, pair.links
    design.apply(operations.set_cable(design, [second], None, 30))
    other = pair.stand("nvidia-qm9700", pair.rack("nowhere"), 1)
    (third,) = pair.join(pair.leaf, other)
    design.apply(route_cables(design))
    assert (design.links[first].length_m, design.links[first].length_source) == (16.3, "routed")
    assert (design.links[second].length_m, design.links[second].length_source) == (30, "typed")
    assert (design.links[third].length_m, design.links[third].length_source) == (None, "")
    design.apply(operations.set_settings(design, default_cable_length_m=7))
    design.apply(route_cables(design))
    assert (design.links[third].length_m, design.links[third].length_source) == (7, "rule")
    design.apply(route_cables(design, [second], typed_too=True))
    assert (design.links[second].length_m, design.links[second].length_source) == (16.3, "routed")
    assert not route_cables(design)
    with pytest.raises(UnknownEntityError, match="there is no link with id 'l99'"):
        route_cables(design, ["l99"])


@pytest.mark.parametrize(
    ("apart_m", "medium_id"),
    [
        (0.6, "acc-ndr-twin"),
        (20, "tr-800-2sr4"),
        (45, "tr-800-2sr4"),
        (70, "tr-800-2dr4-100"),
        (300, "tr-800-2dr4-500"),
    ],
)
def test_the_medium_is_the_plainest_that_reaches(pair, catalog, apart_m, medium_id):
    design = pair.design
    far = design.placements[pair.spine].rack_id
    design.apply(floor.place_racks(design, {far: (apart_m, 0)}))
    design.apply(operations.mount(design, pair.spine, far, 40))
    design.apply(route_cables(design))
    design.apply(pick_media(design, catalog.types))
    assert {design.links[one].medium_id for one in pair.links} == {medium_id}
    assert not validate(design).errors


def test_undo_calls_both_what_the_commands_are_called(pair, catalog):
    measured = route_cables(pair.design)
    assert measured.label == "Calculate 2 cable lengths"
    assert route_cables(pair.design, pair.links[:1]).label == "Calculate 1 cable length"
    pair.design.apply(measured)
    assert pick_media(pair.design, catalog.types).label == "Select 2 cables"


def test_two_switches_in_one_rack_take_copper(room, catalog):
    rack = room.rack("one")
    links = room.join(room.stand("nvidia-qm9700", rack, 40), room.stand("nvidia-qm9700", rack, 38), 2)
    room.do(route_cables(room.design))
    room.do(pick_media(room.design, catalog.types))
    assert {room.design.links[one].medium_id for one in links} == {"dac-ndr-twin"}
    assert room.design.links[links[0]].length_m == 1.1


def test_a_cable_chosen_by_hand_stays_and_an_unknown_length_leaves_the_choice_open(pair, catalog):
    design = pair.design
    lone = type(pair)(catalog)
    lone.join(lone.stand("nvidia-qm9700", None, None), lone.stand("nvidia-qm9700", None, None))
    assert not pick_media(lone.design, catalog.types), "no length, no choice"
    design.apply(operations.set_cable(design, pair.links, catalog.get("tr-800-2fr4"), 20))
    assert not pick_media(design, catalog.types)
    design.apply(pick_media(design, catalog.types, chosen_too=True))
    assert {design.links[one].medium_id for one in pair.links} == {"tr-800-2sr4"}


def test_every_cable_of_a_superpod_gets_its_length_and_medium_and_nothing_is_found_wrong(superpod, catalog):
    superpod.apply(floor.auto_place(superpod))
    superpod.apply(route_cables(superpod))
    superpod.apply(pick_media(superpod, catalog.types))
    assert {link.length_source for link in superpod.links.values()} == {"routed"}
    near = [link for link in superpod.links.values() if link.medium_id != "tr-800-2sr4"]
    assert {link.medium_id for link in near} == {"acc-ndr-twin"}, "active copper where spines stand beside leafs"
    assert all(link.length_m <= 5 for link in near)
    assert not any(superpod.is_server(link.a.device_id) for link in near), "a server's cage goes to two leafs"
    assert max(link.length_m for link in superpod.links.values()) < 30
    assert validate(superpod).findings == ()


def test_a_cable_of_exactly_a_stock_length_is_taken_and_of_a_centimetre_more_is_not(room, catalog):
    rack = room.rack("one")
    links = room.join(room.stand("nvidia-qm9700", rack, 40), room.stand("nvidia-qm9700", rack, 38), 2)
    longest = max(catalog.get("dac-ndr-twin").lengths_m)
    for length_m, taken in ((longest, True), (longest + 0.01, False)):
        room.do(operations.set_cable(room.design, links, None, length_m))
        room.do(pick_media(room.design, catalog.types, chosen_too=True))
        assert ({room.design.links[one].medium_id for one in links} == {"dac-ndr-twin"}) is taken


def test_a_cable_as_long_as_its_kind_reaches_is_taken_and_a_longer_one_is_not(room, catalog):
    rack = room.rack("one")
    links = room.join(room.stand("nvidia-qm9700", rack, 40), room.stand("nvidia-qm9700", rack, 38), 2)
    made_to_measure = replace(catalog.get("dac-ndr-twin"), lengths_m=(), max_length_m=2.5)
    types = {made_to_measure.id: made_to_measure}
    for length_m, taken in ((2.51, False), (2.5, True)):
        room.do(operations.set_cable(room.design, links, None, length_m))
        room.do(pick_media(room.design, types))
        assert ({room.design.links[one].medium_id for one in links} == {"dac-ndr-twin"}) is taken


def test_a_cable_made_for_another_protocol_is_not_taken(room, catalog):
    rack = room.rack("one")
    links = room.join(room.stand("nvidia-qm9700", rack, 40), room.stand("nvidia-qm9700", rack, 38), 2)
    room.do(operations.set_cable(room.design, links, None, 1.0))
    twin = catalog.get("dac-ndr-twin")
    for protocols, taken in ((("ethernet",), False), (("ethernet", "infiniband"), True)):
        room.do(pick_media(room.design, {twin.id: replace(twin, protocols=protocols)}))
        assert ({room.design.links[one].medium_id for one in links} == {twin.id}) is taken


@pytest.mark.parametrize(
    ("racks", "is_copper"), [((1, 1), True), ((1, 2), False), ((1, None), True), ((None, 1), True), ((None,) * 2, True)]
)
def test_copper_that_may_not_leave_a_rack_is_kept_off_links_between_two_racks_alone(room, catalog, racks, is_copper):
    by_number = {1: room.rack("one"), 2: room.rack("two"), None: None}
    ends = [
        room.stand("nvidia-qm9700", by_number[number], unit if number else None)
        for number, unit in zip(racks, (40, 38), strict=True)
    ]
    room.do(operations.set_cable(room.design, room.join(*ends, 2), None, 1.0))
    links = list(room.design.links.values())
    made = choices(room.design, links, known_lengths_m(links), catalog.types, copper_between_racks=False)
    assert [made.of_link(number).kind == "DAC" for number in range(2)] == [is_copper] * 2


def test_what_keeps_a_link_from_a_route_is_named(room):
    near, far = room.rack("near", (0, 0)), room.rack("far")
    leaf, spine = room.stand("nvidia-qm9700", near, 40), room.stand("nvidia-qm9700", far, 10)
    loose = room.stand("nvidia-qm9700", None, None)
    mate = room.stand("nvidia-qm9700", near, 30)
    between, out, inside = (room.design.links[room.join(leaf, other)[0]] for other in (spine, loose, mate))
    name = room.design.device(loose).name
    routes = Routes(room.design)
    assert routes.why_none(between) == ("far", cable_lengths.NO_PLACE)
    assert routes.why_none(out) == (name, cable_lengths.NO_RACK)
    assert routes.why_none(inside) is None
    before = room.design.placements[spine]
    room.do(Edit("Take out of its unit", (Change(before, replace(before, unit=None)),)))
    assert Routes(room.design).why_none(between) == (room.design.device(spine).name, cable_lengths.NO_UNIT)
    room.do(Edit("Put back", (Change(room.design.placements[spine], before),)))
    room.do(floor.place_racks(room.design, {far: (3, 0)}))
    assert Routes(room.design).why_none(between) is None
