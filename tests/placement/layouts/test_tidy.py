"""Tidy lays out what was drawn by hand: tiers, rings, tori, groups; nothing overlaps and no link runs through a box."""

import itertools
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.obstacles import Obstacles
from designer.drawing.stencil import joins_of
from designer.errors import DesignerError, ParameterError
from designer.model import arranging, operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement.layouts.sketch import distinct, sketch_of
from designer.placement.layouts.tidy import LAYOUTS, tidy
from designer.placement.metrics import BOX_HEIGHT, GAP
from designer.topologies import networks
from designer.topologies.families import FAMILIES
from designer.topologies.network_parameters import NetworkParameters

CATALOG = load()
FABRICS = {
    "fat-tree": {"servers": 12},
    "rail-optimized": {"servers": 64},
    "pgft": {"children": (8, 8), "parents": (2, 4)},
    "k-ary-fat-tree": {"k": 6},
    "torus": {"dims": (4, 4, 4)},
    "dragonfly": {"p": 2, "a": 4, "h": 2},
    "dragonfly-plus": {"leafs": 4, "spines": 4, "p": 4, "h": 4},
    "hyperx": {"dims": (4, 4), "p": 4},
    "scale-up": {"servers": 2, "switches": 3, "groups": 3, "upper_switches": 2},
    "slim-fly": {"q": 3, "p": 1},
    "jellyfish": {"switches": 20, "degree": 5, "p": 2},
    "graph": {"graph": "petersen", "arguments": "", "p": 3},
}


def fabric(name, seed=1, **parameters):
    """A fabric whose boxes were thrown about."""
    family = next(row for row in FAMILIES if row.name == name)
    design = Design()
    design.apply(family.build(design, family.parameters(**parameters or FABRICS[name]), CATALOG))
    thrown = random.Random(seed)
    design.apply(
        operations.move(design, {one: (thrown.uniform(0, 4000), thrown.uniform(0, 2000)) for one in design.devices})
    )
    return design


def rows_of(design):
    """How many heights devices of each role stand at."""
    found = {(device.role, design.placements[device.id].y) for device in design.devices.values()}
    return Counter(role for role, _ in found)


def assert_clean(design):
    composition = Composition(design)
    low, high = composition.boxes[:, :2], composition.boxes[:, :2] + composition.boxes[:, 2:]
    over = ((low[:, None] < high[None] - 1) & (high[:, None] > low[None] + 1)).all(axis=2)
    assert int(over.sum()) == len(low), "boxes lie over each other"
    xy = composition.lines(Detail(LinkDetail.BUNDLES)).xy
    crossed = Obstacles(composition.centres, composition.projection.sizes).crossed(xy, np.full((len(xy), 2), -1))
    assert not crossed.any()


@pytest.mark.parametrize("name", FABRICS)
def test_what_is_thrown_about_is_laid_out_without_overlap_or_hidden_links(name):
    design = fabric(name)
    edit = tidy(design)
    design.apply(edit)
    assert_clean(design)
    design.apply(edit.inverted())
    assert design.placements == fabric(name).placements


@pytest.mark.parametrize("layout", [row.name for row in LAYOUTS])
def test_a_torus_takes_every_layout(layout):
    design = fabric("torus", dims=(3, 3, 3))
    design.apply(tidy(design, (), layout))
    assert_clean(design)


def test_the_same_input_is_laid_out_the_same_wherever_the_boxes_stood():
    first, second = fabric("jellyfish", seed=1), fabric("jellyfish", seed=2)
    for design in (first, second):
        design.apply(tidy(design))
    shapes = []
    for design in (first, second):
        at = np.array([(place.x, place.y) for place in design.placements.values()])
        shapes.append((at - at.min(axis=0)).round(0))
    assert np.abs(shapes[0] - shapes[1]).max() <= 1


def test_tiers_become_rows_with_the_servers_lowest_and_below_their_own_leaf_switch():
    design = fabric("fat-tree")
    design.apply(tidy(design))
    assert set(rows_of(design).values()) == {1}
    heights = {device.role: design.placements[device.id].y for device in design.devices.values()}
    assert heights["spine"] < heights["leaf"] < heights[""]


def test_the_switches_of_other_networks_stand_below_the_servers():
    design = fabric("rail-optimized", servers=16)
    chosen = NetworkParameters(storage_switch="nvidia-qm9700", oob_switch="generic-switch-48x1g")
    design.apply(networks.build(design, chosen, CATALOG))
    design.apply(tidy(design))
    lowest = max(place.y for one, place in design.placements.items() if design.is_server(one))
    others = [design.placements[one.id].y for one in design.switches() if one.network not in ("", "compute")]
    assert others
    assert min(others) > lowest
    assert_clean(design)


def test_a_ring_becomes_a_circle_in_its_own_order():
    design = fabric("torus", dims=(9,))
    design.apply(tidy(design))
    routers = [one for one in design.devices if design.is_switch(one)]
    at = np.array([(design.placements[one].x, design.placements[one].y) for one in routers])
    steps = np.hypot(*(at - np.roll(at, 1, axis=0)).T)
    assert steps.max() < 1.5 * steps.min()


def test_a_torus_is_recognized_by_its_ports_without_names():
    design = fabric("torus", dims=(4, 3))
    design.apply(tidy(design))
    rows = {design.placements[one].y for one in design.devices if design.is_switch(one)}
    columns = {design.placements[one].x for one in design.devices if design.is_switch(one)}
    assert (len(columns), len(rows)) == (4, 3)


def test_what_is_no_torus_refuses_its_layouts_with_a_way_out():
    design = fabric("fat-tree")
    for layout in ("sheets", "cube"):
        with pytest.raises(ParameterError, match="choose another layout"):
            tidy(design, (), layout)
    with pytest.raises(ParameterError, match="is no layout: choose rows, folded"):
        tidy(design, (), "heap")


def test_the_groups_of_a_dragonfly_stand_round_a_circle_each_in_its_own_place():
    design = fabric("dragonfly")
    design.apply(tidy(design))
    spans = {}
    for device in design.devices.values():
        spans.setdefault(device.group_id, []).append((design.placements[device.id].x, design.placements[device.id].y))
    boxes = [(*np.min(at, axis=0), *np.max(at, axis=0)) for at in spans.values()]
    for number, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[:number]:
            assert left > other_right or other_left > right or top > other_bottom or other_top > bottom


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("dragonfly", {"p": 1, "a": 2, "h": 1}),  # its routers make one ring
        ("dragonfly", {"p": 8, "a": 4, "h": 2}),
        ("dragonfly-plus", {"leafs": 2, "spines": 2, "p": 2, "h": 1, "groups": 3}),  # its spines have few links
    ],
)
def test_groups_of_routers_stand_round_a_middle_with_a_line_for_each_link_of_them(family, parameters):
    design = Design()
    row = next(row for row in FAMILIES if row.name == family)
    design.apply(row.build(design, row.parameters(**parameters), CATALOG))
    before = Composition(design)
    design.apply(operations.move(design, {one: (50.0 * number, 0.0) for number, one in enumerate(design.devices)}))
    design.apply(tidy(design))
    assert_clean(design)
    assert Composition(design).gated.numbers.tolist() == before.gated.numbers.tolist()


def test_groups_of_routers_keep_their_circle_beside_other_networks_which_stand_below():
    design = fabric("dragonfly", p=8, a=4, h=2, server="dgx-h100")
    design.apply(networks.build(design, NetworkParameters(oob_switch="generic-switch-48x1g"), CATALOG))
    design.apply(tidy(design))
    others = [design.placements[one.id].y for one in design.switches() if one.network == "oob"]
    inside = [design.placements[one.id].y for one in design.devices.values() if one.network != "oob"]
    assert others
    assert min(others) > max(inside)
    assert len(Composition(design).gated.numbers) == 36


def test_the_cubes_of_a_torus_stay_whole_as_they_were_generated():
    parameters, family = {"dims": (8, 4, 4), "cube": (4, 2, 2)}, next(row for row in FAMILIES if row.name == "torus")
    design, before = fabric("torus", **parameters), Design()
    before.apply(family.build(before, family.parameters(**parameters), CATALOG))
    design.apply(tidy(design))
    ids = [one for one in before.devices if before.devices[one].group_id or before.is_server(one)]
    old, new = ([(of.placements[one].x, of.placements[one].y) for one in ids] for of in (before, design))
    assert np.ptp(np.subtract(new, old), axis=0).max() < 1.0


def test_frames_of_groups_whose_devices_have_no_links_stand_apart():
    design = Design()
    for number in range(12):
        type_ = CATALOG.types["nvidia-qm9700" if number % 3 else "dgx-h100"]
        design.apply(operations.add_device(design, type_, 10.0 * number, 0.0, catalog_types=CATALOG.types))
    ids = list(design.devices)
    for first, name in ((0, "A"), (1, "B"), (2, "C")):
        design.apply(operations.group(design, ids[first:9:3], name))
    design.apply(tidy(design))
    assert_clean(design)
    frames = sorted(one.rect for one in Composition(design).containers)
    assert len(frames) == 3
    assert all(right < left for (_, _, right, _), (left, _, _, _) in itertools.pairwise(frames))
    outside = [design.placements[one].x for one in ids[9:]]
    assert min(outside) > frames[-1][2], "those in no group stand last"


def test_locked_devices_stay_and_a_selection_keeps_its_middle():
    design = fabric("fat-tree")
    ids = sorted(design.devices)
    design.apply(operations.lock(design, ids[:2], locked=True))
    before = dict(design.placements)
    edit = tidy(design, ids)
    assert not {change.subject.id for change in edit.changes} & set(ids[:2])
    design.apply(edit)
    free = [one for one in ids if one not in ids[:2]]
    for axis in ("x", "y"):
        middles = [
            min(getattr(places[one], axis) for one in free) + max(getattr(places[one], axis) for one in free)
            for places in (before, design.placements)
        ]
        assert middles[0] == pytest.approx(middles[1], abs=1)


def test_a_group_keeps_the_layout_it_was_given_and_its_others_stay():
    design = fabric("rail-optimized", servers=40)
    group = next(one for one in design.groups.values() if one.kind == "scalable unit")
    inside = {one.id for one in design.devices.values() if one.group_id == group.id}
    edit = tidy(design, [group.id], "grid")
    design.apply(edit)
    assert design.groups[group.id].layout == "grid"
    assert {change.subject.id for change in edit.changes} <= inside | {group.id}


def test_devices_in_a_rack_on_the_canvas_move_with_it():
    design = Design()
    for x in (0.0, 900.0, 50.0):
        design.apply(operations.add_device(design, CATALOG.get("nvidia-qm9700"), x, 10.0, catalog_types=CATALOG.types))
    design.apply(operations.add_rack(design, CATALOG.get("rack-42u"), 300.0, 0.0))
    rack, (mounted, *_) = next(iter(design.racks)), list(design.devices)
    design.apply(operations.mount(design, mounted, rack))
    at, of_rack = design.placements[mounted], design.placements[rack]
    offset = at.x - of_rack.x, at.y - of_rack.y
    design.apply(tidy(design))
    at, of_rack = design.placements[mounted], design.placements[rack]
    assert (at.x - of_rack.x, at.y - of_rack.y) == pytest.approx(offset)


def test_there_must_be_something_to_tidy():
    with pytest.raises(ParameterError, match="at least two devices"):
        tidy(Design())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_any_drawing_by_hand_comes_out_clean(seed):
    rng = random.Random(seed)
    design = Design()
    kinds = [CATALOG.get("nvidia-qm9700"), CATALOG.get("generic-switch-32x400g")]
    for _ in range(rng.randint(2, 14)):
        at = rng.uniform(0, 900), rng.uniform(0, 600)
        design.apply(operations.add_device(design, rng.choice(kinds), *at, catalog_types=CATALOG.types))
    ids = list(design.devices)
    for _ in range(rng.randint(0, 20)):
        a, b = rng.sample(ids, 2)
        with suppress(DesignerError):  # ports that do not fit each other
            design.apply(operations.connect_devices(design, a, b))
    design.apply(tidy(design))
    assert_clean(design)


@pytest.mark.parametrize(("leafs", "gap"), [(1, 96.0), (4, 144.0), (8, 192.0)])
def test_servers_stand_farther_below_where_more_lines_run_to_several_leaf_switches(leafs, gap):
    design, made = Design(), []
    for place, type_id in enumerate(["nvidia-qm9700"] * leafs + ["dgx-h100"] * 8):
        type_ = CATALOG.get(type_id)
        edit = operations.add_device(design, type_, 50.0 * place, 31.0 * place, catalog_types=CATALOG.types)
        design.apply(edit)
        made.append(next(c.after.id for c in edit.changes if c.after.id in design.devices))
    design.apply(operations.connect_evenly(design, made[leafs:], made[:leafs], 1))
    design.apply(tidy(design, layout="rows"))
    leaf, server = (design.placements[one].y for one in (made[0], made[-1]))
    assert server - leaf - BOX_HEIGHT == pytest.approx(gap)


@given(st.lists(st.integers(-3, 3)))
def test_distinct_numbers_are_those_of_numpy(numbers):
    values = np.array(numbers, np.int64)
    assert distinct(values).tolist() == np.unique(values).tolist()


@pytest.mark.parametrize("name", ["rail-optimized", "torus", "dragonfly"])
@pytest.mark.parametrize("of_all", [True, False])
def test_what_a_drawing_knows_of_links_lays_out_the_same(name, of_all):
    design = fabric(name)
    ids = [] if of_all else [*design.devices][::2]
    assert tidy(design, ids, joins=joins_of(Composition(design))) == tidy(design, ids)


def test_a_drawing_that_hides_networks_does_not_know_all_links():
    design = fabric("fat-tree")
    assert joins_of(Composition(design, frozenset({"storage"}))) is None
    assert joins_of(None) is None


@pytest.mark.parametrize("mixed", [False, True])
def test_frames_of_groups_that_share_leaf_switches_stand_apart(mixed):
    design = Design()

    def add(type_id, role, count, y):
        type_ = CATALOG.get(type_id)
        for number in range(count):
            edit = operations.add_device(design, type_, 150.0 * number, y, role=role, catalog_types=CATALOG.types)
            design.apply(edit)
        return list(design.devices)[-count:]

    leafs, servers = add("nvidia-qm9700", "leaf", 4, 0.0), add("dgx-h100", "", 16, 300.0)
    design.apply(operations.connect_evenly(design, servers, leafs, 2))
    for own in (servers[::2], servers[1::2]) if mixed else (servers[:8], servers[8:]):
        design.apply(arranging.group(design, own, "unit"))
    design.apply(tidy(design))
    first, second = sorted(one.rect for one in Composition(design).containers if one.kind != "rack")
    assert second[0] - first[2] >= GAP and first[1] == second[1]
    for row in (leafs, servers):
        middles = [design.placements[one].x for one in row]
        assert sum(middles) / len(middles) == pytest.approx((first[0] + second[2]) / 2, abs=1.0)


def units(n_units, *, storage=2, oob=1, servers=8, outer=False, linked=True):
    """Units of servers on two leaf switches, with storage and management switches of their own; spines above all."""
    design = Design()

    def add(type_id, count, **values):
        for _ in range(count):
            types = CATALOG.types
            design.apply(operations.add_device(design, types[type_id], 0.0, 0.0, catalog_types=types, **values))
        return list(design.devices)[-count:]

    def with_network(ids, network):
        devices = [design.devices[one] for one in ids]
        design.apply(Edit("network", tuple(Change(one, replace(one, network=network)) for one in devices)))

    spines = add("nvidia-qm9700", 2, role="spine")
    with_network(add("nvidia-qm9700", 1, role="hall"), "storage")
    for number in range(n_units):
        leafs, own = add("nvidia-qm9700", 2, role="leaf"), add("dgx-h100", servers)
        stores, managers = add("nvidia-qm9700", storage, role="tor"), add("generic-switch-48x1g", oob, role="tor")
        design.apply(operations.connect_evenly(design, own, leafs, 1))
        design.apply(operations.connect_evenly(design, leafs, spines, 1))
        for server, one in zip(itertools.cycle(own), stores if linked else (), strict=False):
            design.apply(operations.connect_devices(design, server, one))
        with_network(stores, "storage")
        with_network(managers, "oob")
        members = [*leafs, *own, *stores, *managers]
        if outer:
            edits = [arranging.group(design, [*leafs, *own], "Compute")]
            design.apply(edits[0])
            edits.append(arranging.group(design, [*stores, *managers], "Services"))
            design.apply(edits[1])
            members = [edit.changes[0].subject.id for edit in edits]
        design.apply(arranging.group(design, members, f"SU {number + 1}", "scalable unit"))
    thrown = random.Random(n_units)
    design.apply(
        operations.move(design, {one: (thrown.uniform(0, 4000), thrown.uniform(0, 2000)) for one in design.devices})
    )
    return design


def frames_of(design):
    return sorted(one.rect for one in Composition(design).containers if one.kind == "scalable unit")


@pytest.mark.parametrize("layout", ["", "rows", "folded"])
@pytest.mark.parametrize(
    "how",
    [{}, {"storage": 5, "oob": 4}, {"storage": 9, "servers": 4}, {"outer": True}, {"linked": False}],
    ids=["few", "many", "more than servers", "within groups", "without links"],
)
def test_units_keep_their_own_storage_and_management_switches(layout, how):
    design = units(3, **how)
    design.apply(tidy(design, layout=layout))
    assert_clean(design)
    frames = frames_of(design)
    assert len(frames) == 3
    assert all(right < left for (_, _, right, _), (left, _, _, _) in itertools.pairwise(frames)), "no two overlap"
    for group in design.groups.values():
        if group.kind != "scalable unit":
            continue
        held = {group.id, *(one.id for one in design.groups.values() if one.parent_id == group.id)}
        devices = [one for one in design.devices.values() if one.group_id in held]
        servers = [design.placements[one].y for one in design.devices if design.is_server(one)]
        others = [design.placements[one.id].y for one in devices if one.network in ("storage", "oob")]
        assert min(others) > max(servers), "below the servers"
    assert not tidy(design, layout=layout).changes, "done again, nothing moves"


def test_switches_of_no_unit_stand_below_all_units():
    design = units(2)
    hall = next(one for one in design.devices.values() if one.role == "hall")
    design.apply(Edit("compute", (Change(hall, replace(hall, network="")),)))
    servers = [one for one in design.devices if design.is_server(one)]
    for one in (servers[0], servers[-1]):
        design.apply(operations.connect_devices(design, one, hall.id))
    design.apply(Edit("storage", (Change(design.devices[hall.id], hall),)))
    design.apply(tidy(design))
    assert design.placements[hall.id].y > max(bottom for *_, bottom in frames_of(design))


def test_units_with_switches_of_other_networks_leave_room_for_the_links_of_these_between_them():
    design = units(2)
    design.apply(tidy(design))
    first, second = frames_of(design)
    assert second[0] - first[2] >= 2 * GAP


def test_groups_within_others_stand_with_them():
    design = units(3, outer=True)
    sketch = sketch_of(design, [*design.devices])
    assert sketch.parents.tolist() == [-1, 0, 0, -1, 3, 3, -1, 6, 6]


def test_a_ring_stays_a_circle_beside_a_router_of_its_group_without_links():
    shapes = []
    for count in (7, 8):
        design = Design()
        for number in range(count):
            type_ = CATALOG.types["generic-switch-48x1g"]
            design.apply(operations.add_device(design, type_, 10.0 * number, 0.0, catalog_types=CATALOG.types))
        ids = list(design.devices)
        for one, other in zip(ids[:7], [*ids[1:7], ids[0]], strict=True):
            design.apply(operations.connect_devices(design, one, other))
        design.apply(arranging.group(design, ids, "Ring"))
        design.apply(tidy(design))
        assert_clean(design)
        at = np.array([(design.placements[one].x, design.placements[one].y) for one in ids[:7]])
        shapes.append(at - at[0])
    assert np.abs(shapes[0] - shapes[1]).max() < 0.3
