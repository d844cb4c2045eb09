"""Preparing a hand-over in one edit: places, lengths and media, what they add up to, and what stays open and why."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.records import ordered
from designer.model.settings import Settings
from designer.placement import floor
from designer.placement.cable_lengths import Routes, route_cables
from designer.placement.media import pick_media
from designer.placement.preparation import (
    ALL,
    STEPS_OF,
    Steps,
    chosen_by_program,
    open_points,
    prepare,
    prepared_edit,
)
from designer.regeneration import recipes
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate

CATALOG = load()


@pytest.fixture
def pod():
    made = Design()
    parameters = RailOptimizedParameters(servers=24, servers_per_su=8, reserve_leaf_ports=2)
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    return made


def together(design, name, other):
    """Stands the first device in the rack of the other."""
    rack_id = design.placements[design.find(other).id].rack_id
    design.apply(operations.mount(design, design.find(name).id, rack_id, 1))
    return rack_id


def test_all_three_steps_leave_nothing_open_and_undo_as_one(pod):
    before = list(pod.entities())
    made = prepare(pod, CATALOG.types)
    pod.apply(made.edit)
    assert made.n_placed == len(pod.racks) and all(floor.place_of(rack) for rack in pod.racks.values())
    assert made.n_changed == len(pod.links)
    assert {link.length_source for link in pod.links.values()} == {"routed"}
    assert all(link.medium_id in pod.types for link in pod.links.values())
    assert open_points(pod, CATALOG.types) == ()
    assert not prepare(pod, CATALOG.types).edit, "what is prepared stays as it is"
    pod.apply(made.edit.inverted())
    assert list(pod.entities()) == before


def test_copper_stays_in_its_rack_and_optics_lead_from_rack_to_rack(pod):
    rack_id = together(pod, "spine-01", "leaf-su1-r1")
    pod.apply(prepare(pod, CATALOG.types).edit)
    for link in pod.links.values():
        racks = {pod.placements[end.device_id].rack_id for end in (link.a, link.b)}
        switches = pod.is_switch(link.a.device_id) and pod.is_switch(link.b.device_id)
        kind = pod.types[link.medium_id].kind
        assert (kind == "transceiver") is (racks != {rack_id} or not switches)


def test_totals_count_each_piece_once(pod):
    together(pod, "spine-01", "leaf-su1-r1")
    made = prepare(pod, CATALOG.types)
    pod.apply(made.edit)
    copper = [link for link in pod.links.values() if pod.types[link.medium_id].kind != "transceiver"]
    fibres = [link for link in pod.links.values() if pod.types[link.medium_id].kind == "transceiver"]
    assert copper and fibres
    assert made.totals.n_cables == len(fibres) + len(copper) // 2
    lengths = [link.length_m for link in pod.links.values()]
    assert (made.totals.shortest_m, made.totals.longest_m) == (min(lengths), max(lengths))
    assert made.totals.length_m == pytest.approx(
        sum(link.length_m for link in fibres) + sum(link.length_m for link in copper) / 2
    )
    assert sum(count for _, count in made.totals.by_model) == len(pod.links)
    assert made.totals.sentence.startswith(f"{made.totals.n_cables:,} cables routed: ")


@pytest.mark.parametrize(
    ("steps", "placed", "routed", "chosen"),
    [
        (Steps(True, False, False), True, False, False),
        (Steps(True, True, False), True, True, False),
        (Steps(False, True, True), False, False, False),
        (STEPS_OF["lengths"], True, True, False),
        (STEPS_OF["none"], False, False, False),
    ],
)
def test_each_step_can_be_left_out(pod, steps, placed, routed, chosen):
    # Without racks on the floor, only what stays in one rack has a route, and here nothing does.
    pod.apply(prepare(pod, CATALOG.types, steps).edit)
    assert all(floor.place_of(rack) is not None for rack in pod.racks.values()) is placed
    across = [link for link in pod.links.values() if pod.is_server(link.a.device_id)]
    assert all(link.length_m is not None for link in across) is routed
    assert any(link.medium_id for link in across) is chosen


def test_what_is_set_by_hand_stays_and_what_the_program_chose_follows(pod):
    away = pod.placements[pod.find("spine-01").id]
    together(pod, "spine-01", "leaf-su1-r1")
    pod.apply(prepare(pod, CATALOG.types).edit)
    near = [link for link in ordered(pod.links) if pod.types[link.medium_id].kind != "transceiver"]
    by_hand, rest = [link.id for link in near[:2]], [link.id for link in near[2:]]
    pod.apply(operations.set_cable(pod, by_hand, CATALOG.get("tr-800-2fr4"), 44.0))
    pod.apply(operations.mount(pod, away.id, away.rack_id, away.unit))
    made = prepare(pod, CATALOG.types)
    pod.apply(made.edit)
    assert made.n_placed == 0
    assert {(pod.links[one].length_m, pod.links[one].medium_id) for one in by_hand} == {(44.0, "tr-800-2fr4")}
    assert len(rest) > 4
    assert {pod.links[one].medium_id for one in rest} == {"tr-800-2sr4"}
    assert all(pod.links[one].length_m > 3 for one in rest)


def test_links_keep_all_that_is_not_of_the_cable(pod):
    own = {"label": "A1", "colour": "blue", "notes": "spare", "tags": ("spare",), "fields": (("Owner", "network"),)}
    own |= {"line_colour": "#d55e00", "line_width": 3.0, "line_style": "dashed", "style_id": "s1"}
    pod.apply(Edit("Mark", tuple(Change(one, replace(one, **own)) for one in pod.links.values())))
    before = dict(pod.links)
    pod.apply(prepare(pod, CATALOG.types).edit)
    of_cable = ("medium_id", "medium_source", "length_m", "length_source")
    for link in pod.links.values():
        assert replace(link, **{name: getattr(before[link.id], name) for name in of_cable}) == before[link.id]
        assert link.medium_id and link.length_m


def test_new_racks_stand_in_rows_below_those_that_stand(pod):
    first, *_ = pod.racks
    pod.apply(floor.place_racks(pod, {first: (100.0, 50.0)}))
    pod.apply(prepare(pod, CATALOG.types).edit)
    assert floor.place_of(pod.racks[first]) == (100.0, 50.0)
    others = [floor.place_of(rack) for rack in pod.racks.values() if rack.id != first]
    assert min(y for _, y in others) == pytest.approx(50.0 + pod.settings.rack_depth_m + pod.settings.aisle_m)
    assert min(x for x, _ in others) == 100.0
    assert floor.overlaps(pod) == []


def test_links_that_stay_open_are_counted_by_reason(pod):
    lonely = next(server for server in pod.servers())
    pod.apply(operations.mount(pod, lonely.id, None))
    pod.apply(prepare(pod, CATALOG.types).edit)
    points = open_points(pod, CATALOG.types)
    assert points[0].sentence == f"8 links without a length: {lonely.name} stands in no rack"
    # A cage of a leaf switch holds the lanes of two servers: its module is that of the neighbor, of known length.
    assert all(link.medium_id for link in pod.links.values())


def test_links_of_unknown_length_get_no_cable(loose):
    loose.apply(prepare(loose, CATALOG.types).edit)
    points = open_points(loose, CATALOG.types)
    count = len(loose.links)
    assert points[-1].sentence == f"{count} links without a cable: their lengths are not known"


def test_what_no_cable_joins_or_reaches_is_said_with_the_cages_and_the_reach(pod):
    link = next(link for link in ordered(pod.links) if pod.is_server(link.a.device_id))
    pod.apply(prepare(pod, {}).edit)
    (point,) = open_points(pod, {})
    assert point.what == "without a cable" and point.reason.startswith("the catalog has no cable for ")
    pod.apply(operations.set_cable(pod, [link.id], None, 90_000.0))
    reasons = [point.reason for point in open_points(pod, CATALOG.types)]
    assert any(reason.endswith("none selected yet; MMA4Z00-NS would do") for reason in reasons)
    far = next(reason for reason in reasons if "reaches" in reason)
    assert "reaches 90000 m; the longest reaches" in far
    assert "OSFP 2x400G" in far


def test_a_fabric_is_generated_racked_routed_and_cabled_by_one_edit():
    design = Design()
    family, parameters = recipes.family_named("rail-optimized"), RailOptimizedParameters(servers=16, servers_per_su=8)
    made = recipes.generated_and_prepared(design, family, parameters, CATALOG, "auto")
    design.apply(made.edit)
    twin = Design()
    twin.apply(recipes.generated(twin, family, parameters, CATALOG))
    twin.apply(prepare(twin, CATALOG.types).edit)
    assert {e.id: e for e in design.entities()} == {e.id: e for e in twin.entities()}
    assert made.n_placed == len(design.racks) and made.n_changed == len(design.links)
    # A second one comes beside the first, whose racks stay where they are.
    places = {rack.id: floor.place_of(rack) for rack in design.racks.values()}
    design.apply(recipes.generated_and_prepared(design, family, parameters, CATALOG, "auto").edit)
    assert all(floor.place_of(design.racks[one]) == place for one, place in places.items())
    assert len(design.racks) == 2 * len(places) and floor.overlaps(design) == []
    assert all(link.length_m for link in design.links.values())


def test_a_fabric_without_racks_gets_no_cables():
    design = Design()
    parameters = RailOptimizedParameters(servers=4, racks="none")
    edit = rail_optimized.build(design, parameters, CATALOG)
    assert prepared_edit(design, edit, CATALOG.types, ALL).edit is edit


@settings(max_examples=25, deadline=None)
@given(
    places=st.lists(st.tuples(st.floats(-40, 40), st.floats(-40, 40)), min_size=3, max_size=3),
    trays=st.lists(st.floats(-30, 30), max_size=2),
    slack_m=st.floats(0, 3),
)
def test_lengths_of_many_links_are_those_of_each_one(places, trays, slack_m):
    design = Design(Settings(cross_trays_m=tuple(trays), cable_slack_m=slack_m))
    parameters = RailOptimizedParameters(servers=6, servers_per_su=4, rails=2)
    design.apply(rail_optimized.build(design, parameters, CATALOG))
    racks = list(design.racks)
    design.apply(floor.place_racks(design, dict(zip(racks, places, strict=False))))
    design.apply(operations.mount(design, design.servers()[-1].id, None))
    links = ordered(design.links)
    ways = [Routes(design).route(link) for link in links]
    for length_m, way in zip(Routes(design).lengths_m(links).tolist(), ways, strict=True):
        assert (way is None and length_m != length_m) or way.length_m == length_m


@pytest.fixture
def loose():
    """Four servers and their switches without racks: nothing can be routed."""
    made = Design()
    parameters = RailOptimizedParameters(servers=4, racks="none")
    made.apply(rail_optimized.build(made, parameters, CATALOG))
    return made


def set_default_length(design, length_m):
    settings = design.settings
    design.apply(Edit("Default", (Change(settings, replace(settings, default_cable_length_m=length_m)),)))


def test_a_cable_is_chosen_by_the_length_known_where_another_link_of_the_cage_has_none(loose):
    link = ordered(loose.links)[0]
    assert not pick_media(loose, CATALOG.types, [link.id]), "no length, no choice"
    loose.apply(Edit("Type 30 m", (Change(link, replace(link, length_m=30.0, length_source="typed")),)))
    loose.apply(pick_media(loose, CATALOG.types, [link.id], chosen_too=True))
    chosen = [one for one in ordered(loose.links) if one.medium_id]
    assert link.id in {one.id for one in chosen}
    assert len(chosen) == 4, "links that share cages, one after another, take modules of one kind"
    assert all(loose.types[one.medium_id].max_length_m >= 30 for one in chosen)


def test_selecting_cables_and_preparing_agree_on_links_with_the_default_length(loose):
    set_default_length(loose, 20.0)
    prepared, selected = loose.snapshot(), loose.snapshot()
    made = prepare(prepared, CATALOG.types)
    prepared.apply(made.edit)
    selected.apply(pick_media(selected, CATALOG.types))
    assert selected.links == prepared.links
    assert all(link.medium_id and link.length_m == 20.0 for link in selected.links.values())
    assert not pick_media(selected, CATALOG.types)


def test_totals_say_which_lengths_are_routed_typed_and_by_the_rule(pod, loose):
    assert "(" not in prepare(pod, CATALOG.types).totals.sentence
    set_default_length(loose, 20.0)
    link = ordered(loose.links)[0]
    loose.apply(Edit("Type 30 m", (Change(link, replace(link, length_m=30.0, length_source="typed")),)))
    totals = prepare(loose, CATALOG.types).totals
    count = len(loose.links)
    assert totals.by_source == (("typed", 1), ("rule", count - 1))
    assert totals.sentence == (
        f"{count} cables: {20 * count + 10:,} m, shortest 20 m, longest 30 m "
        f"(1 with a typed length, {count - 1} with the default length)"
    )


def test_uplinks_that_a_fix_adds_are_routed_and_cabled_like_those_beside_them(pod):
    pod.apply(prepare(pod, CATALOG.types).edit)
    leaf, spine = pod.find("leaf-su1-r1").id, pod.find("spine-01").id
    lost = [link for link in pod.links_of(leaf) if spine in (link.a.device_id, link.b.device_id)]
    pod.apply(operations.delete(pod, [link.id for link in lost[:2]]))
    fixes = [found.fix for found in validate(pod).findings if found.code == "OVER-001"]
    pod.apply(fixes[0])
    back = [link for link in pod.links.values() if not link.medium_id or link.length_m is None]
    assert back == []
    new = [change.after for change in fixes[0].changes]
    assert {one.length_source for one in new} == {"routed"}
    assert {one.medium_id for one in new} == {one.medium_id for one in lost}
    assert not route_cables(pod)
    assert open_points(pod, CATALOG.types) == ()
    assert not {"MEDIA-001", "PORT-004"} & {gap.code for gap in validate(pod).not_checked}


def test_links_that_a_fix_adds_to_a_design_without_cables_have_none(pod):
    leaf = pod.find("leaf-su1-r1").id
    uplinks = [one for one in pod.links_of(leaf) if pod.is_switch(one.a.device_id) and pod.is_switch(one.b.device_id)]
    pod.apply(operations.delete(pod, [uplinks[0].id]))
    fix = next(found.fix for found in validate(pod).findings if found.code == "OVER-001")
    assert {(one.after.medium_id, one.after.length_m) for one in fix.changes} == {("", None)}


def test_a_cable_set_by_hand_on_one_link_of_a_cage_is_not_taken_for_the_programs_choice(loose):
    link = next(one for one in ordered(loose.links) if loose.is_switch(one.a.device_id))
    loose.apply(operations.set_cable(loose, [link.id], CATALOG.get("dac-ndr-twin"), 1.5))
    assert chosen_by_program(loose, CATALOG.types) == frozenset()


def test_a_cable_chosen_for_a_cage_with_a_link_of_unknown_length_follows_the_length_found_later(loose):
    first = ordered(loose.links)[0]
    loose.apply(Edit("Type 30 m", (Change(first, replace(first, length_m=30.0, length_source="typed")),)))
    loose.apply(pick_media(loose, CATALOG.types))
    given = {one.id for one in loose.links.values() if one.medium_id}
    assert chosen_by_program(loose, CATALOG.types) == given
    set_default_length(loose, 90.0)
    loose.apply(prepare(loose, CATALOG.types).edit)
    assert all(loose.types[loose.links[one].medium_id].max_length_m >= 90 for one in given)


def test_the_design_says_who_chose_a_medium_and_only_what_the_program_chose_follows_a_new_length(pod):
    pod.apply(prepare(pod, CATALOG.types).edit)
    assert {link.medium_source for link in pod.links.values()} == {"picked"}
    uplinks = [one for one in ordered(pod.links) if pod.is_switch(one.a.device_id)]
    kept, *_ = uplinks
    medium = pod.types[kept.medium_id]
    pod.apply(operations.set_cable(pod, [kept.id]))
    assert pod.links[kept.id].medium_source == ""
    pod.apply(operations.set_cable(pod, [kept.id], medium))
    assert pod.links[kept.id].medium_source == "typed", "by a person, though it is what the program would choose"
    assert kept.id not in chosen_by_program(pod, CATALOG.types)
    pod.apply(operations.set_cable(pod, [kept.id], medium, 400.0))
    assert pod.links[kept.id].medium_source == "typed"
    for link in uplinks[1:]:
        pod.apply(Edit("Longer", (Change(link, replace(link, length_m=400.0, length_source="typed")),)))
    pod.apply(prepare(pod, CATALOG.types).edit)
    assert pod.links[kept.id].medium_id == medium.id
    assert any(pod.links[one.id].medium_id != medium.id for one in uplinks[1:])


def test_old_files_do_not_say_who_chose_and_the_programs_choice_is_recognized(pod):
    pod.apply(prepare(pod, CATALOG.types).edit)
    silent = [Change(link, replace(link, medium_source="")) for link in pod.links.values()]
    pod.apply(Edit("As older files", tuple(silent)))
    assert chosen_by_program(pod, CATALOG.types) == pod.links.keys()
