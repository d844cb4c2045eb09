"""Everything comes nearer to what is collapsed, in its order, and makes room again for what is expanded."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.errors import ParameterError
from designer.model import collapsing
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Group, Placement, Rack
from designer.model.hardware.racks import RackType
from designer.placement.layouts import closing
from designer.placement.metrics import box_size
from designer.topologies.families import FAMILIES

CATALOG = load()


def fabric(family="rail-optimized", **parameters):
    row = next(row for row in FAMILIES if row.name == family)
    design = Design()
    design.apply(row.build(design, row.parameters(**parameters), CATALOG))
    return design


@pytest.fixture(scope="module")
def four_units():
    return fabric(servers=128)


def overlapping(composition):
    """Pairs of boxes that are drawn over each other."""
    low, high = composition.boxes[:, :2], composition.boxes[:, :2] + composition.boxes[:, 2:]
    over = (low[:, None] < high[None] - 1).all(axis=2)
    return int((over & over.T).sum() - len(low)) // 2


def size_of(composition):
    left, top, right, bottom = composition.bounds
    return right - left, bottom - top


def units(design):
    return [group.id for group in design.groups.values() if group.kind == "scalable unit"]


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("rail-optimized", {"servers": 128}),
        ("k-ary-fat-tree", {"k": 8}),
        ("dragonfly-plus", {"leafs": 4, "spines": 4, "p": 4, "h": 2}),
        ("dragonfly", {"p": 4, "a": 8, "h": 4}),
    ],
)
def test_a_collapsed_fabric_takes_less_room_and_no_box_lies_over_another(family, parameters):
    design = fabric(family, **parameters)
    design.apply(collapsing.collapse_all(design))
    before = size_of(Composition(design))
    design.apply(closing.close_up(design))
    after = Composition(design)
    assert size_of(after)[0] < 0.75 * before[0]
    assert overlapping(after) == 0
    with pytest.raises(ParameterError, match="as close as it can be"):
        closing.close_up(design)


def test_rows_and_the_order_in_them_stay(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse(design, units(design)))
    before, after = Composition(design), None
    design.apply(closing.close_up(design))
    after = Composition(design)
    assert (
        np.argsort(before.centres[:, 0], kind="stable").tolist()
        == np.argsort(after.centres[:, 0], kind="stable").tolist()
    )
    assert len(set(after.centres[:, 1].round())) == len(set(before.centres[:, 1].round()))
    spines = [
        x for x, name in zip(after.centres[:, 0], after.projection.device_ids, strict=True) if name in design.devices
    ]
    assert all(b - a >= 143 for a, b in pairwise(sorted(spines)))


def test_a_single_collapsed_unit_leaves_open_ones_as_they_are(four_units):
    design = four_units.snapshot()
    first, *others = units(design)
    design.apply(collapsing.collapse(design, [first]))
    stood = dict(design.placements)
    design.apply(closing.close_up(design))
    for unit in others:
        moved = {
            (round(design.placements[one].x - stood[one].x, 1), round(design.placements[one].y - stood[one].y, 1))
            for one in design.members(unit)
            if one in stood
        }
        assert len(moved) == 1
    assert overlapping(Composition(design)) == 0


def test_expanding_makes_room_again(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse(design, units(design)))
    design.apply(closing.close_up(design))
    for unit in units(design):
        design.apply(closing.expand(design, [unit]))
        assert overlapping(Composition(design)) == 0
    assert collapsing.collapsed_keys(design) == []


@pytest.mark.parametrize("first", [0, 2, 3])
def test_a_pod_of_several_tiers_opens_among_others_that_stay_beside_it_in_their_order(first):
    design = fabric("fat-tree", switch="nvidia-qm9700", server="dgx-h100", servers=512)
    pods = [group.id for group in design.groups.values() if group.kind == "pod"]
    cores = [device.id for device in design.devices.values() if device.role == "core"]
    design.apply(collapsing.collapse_all(design))
    design.apply(closing.close_up(design))
    for pod in (pods[first], pods[1]):
        design.apply(closing.expand(design, [pod]))
        composition = Composition(design)
        assert overlapping(composition) == 0
        rects = [composition.rect_of(one) for one in pods]
        assert all(left[2] <= right[0] for left, right in pairwise(rects))
        assert composition.rect_of(cores[0])[3] <= min(top for _, top, _, _ in rects)


@pytest.mark.parametrize(
    ("family", "parameters", "pairs"), [("dragonfly", {"p": 2, "a": 4, "h": 2}, 36), ("slim-fly", {"q": 5}, 10)]
)
def test_groups_of_routers_stay_around_their_middle_closed_and_open_again(family, parameters, pairs):
    design = fabric(family, **parameters)
    design.apply(collapsing.collapse_all(design))
    for verb in (closing.close_up, lambda one: closing.expand(one, [next(iter(one.groups))]), closing.expand_all):
        design.apply(verb(design))
        composition = Composition(design)
        assert len(composition.gated.numbers) >= pairs
        assert overlapping(composition) == 0


def test_expanding_everything_makes_room_for_all(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse_all(design))
    design.apply(closing.close_up(design))
    design.apply(closing.expand_all(design))
    assert overlapping(Composition(design)) == 0


def test_expanding_moves_nothing_where_there_is_room(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse_all(design))
    edit = closing.expand_all(design)
    assert not any(change.subject.id in design.placements for change in edit.changes)


def by_hand(places, members):
    """Servers at these places, those numbered in a group."""
    design = Design()
    type_ = CATALOG.types["dgx-h100"]
    devices = [
        Device(f"s{number}", f"gpu-{number:02}", type_.id, group_id="g" if number in members else None)
        for number in range(len(places))
    ]
    stands = [Placement(one.id, float(x), float(y)) for one, (x, y) in zip(devices, places, strict=True)]
    design.apply(Edit("Draw", tuple(Change(None, one) for one in (type_, Group("g", "Group"), *devices, *stands))))
    return design


@given(
    cells=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=14, unique=True),
    pitch=st.tuples(st.integers(96, 160), st.integers(44, 120)),
    data=st.data(),
)
def test_whatever_a_group_is_drawn_as_it_is_drawn_so_after_collapsing_and_expanding_it(cells, pitch, data):
    members = data.draw(st.sets(st.integers(0, len(cells) - 1), min_size=1))
    design = by_hand([(x * pitch[0], y * pitch[1]) for x, y in cells], members)
    stood = dict(design.placements)
    for collapse in (lambda one: collapsing.collapse(one, ["g"]), collapsing.collapse_all):
        design.apply(collapse(design))
        design.apply(closing.expand_all(design))
        assert dict(design.placements) == stood


def test_what_is_put_where_a_collapsed_group_opens_moves_away():
    design = by_hand([(0, 0), (200, 0), (400, 0), (600, 0), (0, 400)], {0, 1, 2, 3})
    design.apply(collapsing.collapse(design, ["g"]))
    place = design.placements["s4"]
    design.apply(Edit("Move", (Change(place, replace(place, x=0.0, y=20.0)),)))
    design.apply(closing.expand(design, ["g"]))
    assert overlapping(Composition(design)) == 0 and design.placements["s4"].x < -90


def test_undo_of_either_puts_all_back(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse_all(design))
    for verb in (closing.close_up, closing.expand_all):
        stood = dict(design.placements)
        edit = verb(design)
        design.apply(edit)
        assert dict(design.placements) != stood
        design.apply(edit.inverted())
        assert dict(design.placements) == stood
        design.apply(edit)


def test_what_is_locked_stays(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse_all(design))
    one = next(iter(design.placements))
    place = design.placements[one]
    design.apply(Edit("Lock", (Change(place, replace(place, locked=True)),)))
    design.apply(closing.close_up(design))
    assert (design.placements[one].x, design.placements[one].y) == (place.x, place.y)


def test_without_anything_collapsed_it_says_what_to_do(four_units):
    with pytest.raises(ParameterError, match="nothing is collapsed"):
        closing.close_up(four_units)


def test_empty_racks_of_a_group_move_as_one(four_units):
    design = four_units.snapshot()
    type_ = next(one for one in CATALOG.types.values() if isinstance(one, RackType))
    racks = [Rack(f"rack{number}", f"r{number}", type_.id, "spare") for number in range(2)]
    places = [Placement(one.id, 300.0 * number, 5000.0) for number, one in enumerate(racks)]
    added = [] if type_.id in design.types else [type_]
    design.apply(Edit("Add", tuple(Change(None, one) for one in (*added, Group("spare", "Spare"), *racks, *places))))
    design.apply(collapsing.collapse(design, units(design)))
    block = next(block for block in closing.blocks_of(design) if block.key.id == "spare")
    assert block.ids == ("rack0", "rack1") and block.full[2] - block.full[0] > 300.0
    design.apply(closing.expand_all(design))


def test_a_block_is_around_all_that_it_holds(four_units):
    design = four_units.snapshot()
    design.apply(collapsing.collapse_role(design, [one.id for one in design.switches()]))
    blocks = closing.blocks_of(design)
    assert sorted(one for block in blocks for one in block.ids) == sorted(design.placements)
    for block in blocks:
        held = [design.placements[one] for one in block.ids]
        widths = [box_size(design.is_switch(one))[0] for one in block.ids]
        frame = 0.0 if block.key.role or block.key.id in design.devices else closing.FRAME
        assert block.full[0] == min(one.x - width / 2 for one, width in zip(held, widths, strict=True)) - frame
        assert block.full[2] == max(one.x + width / 2 for one, width in zip(held, widths, strict=True)) + frame
