"""Where generated devices stand: apart, in tiers, in a picture of a screen's shape; and in racks."""

from collections import Counter
from itertools import pairwise

import pytest

from designer.catalog.catalog import Catalog
from designer.model.design import Design
from designer.model.entities import Placement
from designer.placement.metrics import GAP, box_size
from designer.placement.racks import Mounted, fill
from designer.placement.tiers import arrange
from designer.topologies import (
    dragonfly,
    dragonfly_plus,
    fat_tree,
    free_graph,
    hyperx,
    jellyfish,
    pgft,
    rail_optimized,
    slim_fly,
    torus,
)
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.free_graph import GraphParameters
from designer.topologies.hyperx import HyperXParameters
from designer.topologies.jellyfish import JellyfishParameters
from designer.topologies.pgft import PgftParameters
from designer.topologies.presets import family_of, parameters_of, preset_named
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.slim_fly import SlimFlyParameters
from designer.topologies.torus import TorusParameters

CASES = {
    "one server": (fat_tree, FatTreeParameters(servers=1)),
    "four scalable units": (rail_optimized, RailOptimizedParameters(servers=127, servers_per_su=32)),
    "eight scalable units": (rail_optimized, RailOptimizedParameters(servers=256)),
    "rail-only": (rail_optimized, RailOptimizedParameters(servers=64, rail_only=True)),
    "16 servers": (fat_tree, FatTreeParameters(servers=16, switch="generic-switch-48x400g", oversubscription=2.0)),
    "256 servers": (fat_tree, FatTreeParameters(servers=256)),
    "2,048 hosts": (fat_tree, FatTreeParameters(servers=2048, server="generic-host")),
    "64 hosts": (pgft, PgftParameters((8, 8), (1, 4))),
    "three levels": (pgft, PgftParameters((4, 4, 4), (1, 4, 4))),
    "five levels": (pgft, PgftParameters((2, 2, 2, 2, 2), (1, 2, 2, 2, 2))),
    "a star": (pgft, PgftParameters((7,), (1,))),
    "three tiers": (fat_tree, FatTreeParameters(servers=128, switch="generic-switch-8x400g", server="generic-host")),
    "spines by rail": (rail_optimized, RailOptimizedParameters(servers=512, server="dgx-b200")),
    "two planes": (rail_optimized, RailOptimizedParameters(servers=64, planes=2)),
    "a small torus": (torus, TorusParameters((4, 4))),
    "a large torus": (torus, TorusParameters((16, 16))),
    "a cube": (torus, TorusParameters((4, 4, 4))),
    "four dimensions": (torus, TorusParameters((3, 3, 3, 3))),
    "a ring": (torus, TorusParameters((24,))),
    "a dragonfly": (dragonfly, DragonflyParameters(2, 4, 2)),
    "two groups": (dragonfly, DragonflyParameters(4, 8, 2, groups=2)),
    "33 groups": (dragonfly, DragonflyParameters(1, 8, 4)),
    "a dragonfly+": (dragonfly_plus, DragonflyPlusParameters(4, 4, 4, 4)),
    "a HyperX": (hyperx, HyperXParameters()),
    "a complete graph": (hyperx, HyperXParameters((9,), p=3)),
    "a HyperX of four dimensions": (hyperx, HyperXParameters((3, 4, 2, 3), (1, 2, 1, 1), p=7)),
    "a Slim Fly": (slim_fly, SlimFlyParameters()),
    "a Slim Fly of 128": (slim_fly, SlimFlyParameters(8)),
    "a Jellyfish": (jellyfish, JellyfishParameters()),
    "a graph": (free_graph, GraphParameters()),
    "a star of routers": (free_graph, GraphParameters(graph="star", arguments="9", p=1)),
}


def built(case: str, catalog: Catalog) -> Design:
    family, parameters = CASES[case]
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def boxes(design: Design) -> list[tuple[float, float, float, float]]:
    found = []
    for placement in design.placements.values():
        width, height = box_size(design.is_switch(placement.id))
        left, top = placement.x - width / 2, placement.y - height / 2
        found.append((left, top, left + width, top + height))
    return found


def too_close(found: list[tuple[float, float, float, float]]) -> list[tuple[int, int]]:
    """Pairs of boxes nearer than GAP, by a sweep from left to right."""
    order = sorted(range(len(found)), key=lambda i: found[i][0])
    active: list[int] = []
    pairs = []
    for i in order:
        left, top, _, bottom = found[i]
        active = [j for j in active if found[j][2] + GAP > left + 1e-6]
        pairs += [(i, j) for j in active if found[j][1] < bottom + GAP - 1e-6 and top < found[j][3] + GAP - 1e-6]
        active.append(i)
    return pairs


@pytest.mark.parametrize("case", CASES)
def test_no_two_boxes_come_nearer_than_the_gap(case, catalog):
    family, parameters = CASES[case]
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    assert len(design.placements) == len(design.devices)
    assert too_close(boxes(design)) == []


def test_boxes_that_overlap_would_be_noticed():
    assert too_close([(0, 0, 10, 10), (30, 0, 40, 10), (200, 0, 210, 10)]) == [(1, 0)]


@pytest.mark.parametrize("case", ["four scalable units", "256 servers", "16 servers", "64 hosts", "a cube"])
def test_the_picture_is_no_strip(case, catalog):
    design = built(case, catalog)
    found = boxes(design)
    width = max(box[2] for box in found) - min(box[0] for box in found)
    height = max(box[3] for box in found) - min(box[1] for box in found)
    assert 1.1 < width / height < 4


TIERED = {name for name, (family, _) in CASES.items() if family in (fat_tree, rail_optimized, pgft)}


@pytest.mark.parametrize("case", sorted(TIERED))
def test_every_tier_of_switches_stands_in_one_row_and_servers_below_all_of_them(case, catalog):
    design = built(case, catalog)
    heights: dict[str, set[float]] = {}
    for placement in design.placements.values():
        heights.setdefault(design.device(placement.id).role, set()).add(placement.y)
    servers = heights.pop("")
    assert all(len(rows) == 1 for rows in heights.values()), heights
    order = [min(heights[role]) for role in ("core", "spine", "leaf") if role in heights]
    assert order == sorted(order)
    assert min(servers) > max(order)


@pytest.mark.parametrize("case", ["16 servers", "256 servers", "2,048 hosts", "64 hosts", "three tiers"])
def test_servers_stand_below_their_own_leaf_switch(case, catalog):
    design = built(case, catalog)
    spans: dict[str, list[float]] = {}
    for link in design.links.values():
        server, leaf = sorted((link.a.device_id, link.b.device_id), key=design.is_switch)
        if not design.is_switch(server):
            spans.setdefault(leaf, []).append(design.placements[server].x)
    assert len(spans) > 1
    for leaf, xs in spans.items():
        assert min(xs) <= design.placements[leaf].x <= max(xs)
    ordered = sorted((min(xs), max(xs)) for xs in spans.values())
    assert all(left[1] < right[0] for left, right in pairwise(ordered))


def test_nvl72_racks_stand_below_all_leaf_switches(catalog):
    design = Design()
    parameters = FatTreeParameters(servers=8, server="gb200-nvl72", switch="nvidia-qm9700")
    design.apply(fat_tree.build(design, parameters, catalog))
    leafs = {design.placements[one.id].y for one in design.devices.values() if one.role == "leaf"}
    servers = [place.y for place in design.placements.values() if design.is_server(place.id)]
    assert len(leafs) == 1
    assert min(servers) > max(leafs)


@pytest.mark.parametrize(
    ("preset", "racks", "in_each"), [("dgx-superpod-gb200-1su", 8, 1), ("dgx-superpod-gb200-1su-fabric", 8, 18)]
)
def test_compute_trays_of_the_gb200_presets_stand_in_their_racks(preset, racks, in_each, catalog):
    chosen, design = preset_named(preset), Design()
    design.apply(family_of(chosen).build(design, parameters_of(chosen), catalog))
    places = [design.placements[one.id] for one in design.servers()]
    held = Counter(place.rack_id for place in places)
    assert set(held) <= set(design.racks) and sorted(held.values()) == [in_each] * racks


def test_servers_of_a_row_of_leafs_that_do_not_fit_in_a_rack_stand_four_a_rack(catalog):
    parameters = RailOptimizedParameters(server="dgx-h100", servers=32, servers_per_su=32, leafs_per_rail=2)
    design = Design()
    design.apply(rail_optimized.build(design, parameters, catalog))
    held = Counter(design.placements[one.id].rack_id for one in design.servers())
    assert set(held.values()) == {4}


def test_spines_stand_over_the_middle_of_the_leaf_switches(catalog):
    design = built("four scalable units", catalog)
    rows: dict[str, list[Placement]] = {}
    for placement in design.placements.values():
        rows.setdefault(design.device(placement.id).role, []).append(placement)
    spine_middle = sum(p.x for p in rows["spine"]) / len(rows["spine"])
    leaf_middle = sum(p.x for p in rows["leaf"]) / len(rows["leaf"])
    assert spine_middle == pytest.approx(leaf_middle, abs=1)


@pytest.mark.parametrize("case", ["a dragonfly", "33 groups", "two groups", "a dragonfly+"])
def test_groups_stand_around_a_middle_with_their_hosts_on_the_outer_side(case, catalog):
    design = built(case, catalog)
    ys: dict[str, dict[bool, list[float]]] = {}
    for place in design.placements.values():
        group = ys.setdefault(design.device(place.id).group_id, {True: [], False: []})
        group[design.is_switch(place.id)].append(abs(place.y))
    for group in ys.values():
        assert max(group[True]) < min(group[False])
    assert len({max(group[True]) for group in ys.values()}) >= len(ys) // 4


def test_a_scalable_unit_is_a_compact_field(catalog):
    family, parameters = CASES["four scalable units"]
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    spans = []
    for unit in (1, 2, 3, 4):
        xs = [design.placements[device.id].x for device in design.devices.values() if device.unit == unit]
        spans.append((min(xs), max(xs)))
    assert all(a[1] < b[0] for a, b in pairwise(spans))


def test_blocks_without_a_top_start_at_the_top():
    layout = arrange(0, 1, (3, 5))
    assert layout.top == ()
    assert min(y for tier in layout.blocks[0] for _, y in tier) == 22


def test_racks_fill_from_the_bottom_up_to_the_most_allowed():
    assert fill([8] * 6, 42, most=4) == [
        Mounted(0, 1),
        Mounted(0, 9),
        Mounted(0, 17),
        Mounted(0, 25),
        Mounted(1, 1),
        Mounted(1, 9),
    ]


def test_racks_fill_no_further_than_their_units():
    assert [place.rack for place in fill([10] * 5, 42)] == [0, 0, 0, 0, 1]
    assert [place.rack for place in fill([10] * 5, 35)] == [0, 0, 0, 1, 1]


def test_switches_are_mounted_from_the_top():
    assert fill([1, 2, 1], 42, from_top=True) == [Mounted(0, 42), Mounted(0, 40), Mounted(0, 39)]


@pytest.mark.parametrize(
    ("count", "shares"),
    [(38, [38]), (39, [20, 19]), (42, [21, 21]), (77, [26, 26, 25]), (128, [32] * 4), (130, [33, 33, 33, 31])],
)
def test_switches_leave_units_free_and_are_spread_evenly_over_the_racks_they_need(count, shares):
    places = fill([1] * count, 42, from_top=True, free_units=4)
    assert list(Counter(place.rack for place in places).values()) == shares
    assert {place.unit for place in places} == set(range(43 - max(shares), 43))


def test_next_to_chassis_one_unit_stays_free():
    assert [place.rack for place in fill([20, 20, 20], 42, free_units=4)] == [0, 0, 1]
    assert [place.rack for place in fill([14] * 4, 42, free_units=4)] == [0, 0, 1, 1]
    assert [place.rack for place in fill([42, 42], 42, free_units=4)] == [0, 1], "one that fills a rack is in one"
    assert fill([], 42, free_units=4) == []


def test_switches_of_several_heights_take_no_more_racks_for_being_spread():
    assert [place.rack for place in fill([1, 1, 1, 1, 4, 4, 4], 14, free_units=4)] == [0, 0, 0, 0, 0, 1, 1]
    assert [place.rack for place in fill([4, 4, 1, 1, 1, 1], 14, free_units=4)] == [0, 0, 0, 1, 1, 1]


def test_half_units_take_whole_ones():
    assert fill([1.5, 1.5], 42) == [Mounted(0, 1), Mounted(0, 3)]


def test_nothing_fills_no_rack():
    assert fill([], 42) == []


def test_servers_of_a_rack_stand_under_their_own_leaf_switches_and_no_others(catalog):
    design = Design()
    parameters = RailOptimizedParameters(
        server="gb200-compute-tray", servers=70, servers_per_su=36, leafs_per_rail=2, switch="nvidia-qm9700"
    )
    design.apply(rail_optimized.build(design, parameters, catalog))
    racks = {}
    for server in design.servers():
        ends = (end.device_id for link in design.links_of(server.id) for end in (link.a, link.b))
        leafs = frozenset(one for one in ends if one != server.id)
        racks.setdefault(leafs, []).append(design.placements[server.id].x)
    assert [len(servers) for servers in racks.values()] == [18, 18, 18, 16]
    assert all(len(leafs) == 4 for leafs in racks)
    spans = [
        (min(over), max(over))
        for leafs, servers in racks.items()
        for over in [[*servers, *(design.placements[one].x for one in leafs)]]
    ]
    assert all(right < left for (_, right), (left, _) in pairwise(spans))
    names = {one.id: one.name for one in design.switches()}
    row = sorted(next(iter(racks)), key=lambda one: design.placements[one].x)
    assert [names[one] for one in row] == [f"leaf-su1-r{rail}-1" for rail in range(1, 5)]
