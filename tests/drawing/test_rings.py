"""Many groups around a middle that are all joined have one ring before them, not a line for each two."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from drawn_texts import texts
from test_groups_around_a_middle import global_links
from test_texts_on_links import fitted

from designer.drawing import rings
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.pair_notes import of_groups
from designer.drawing.parts.picture import layers
from designer.model import arranging, collapsing, operations

AFAR, NEAR, NEARER = Detail(LinkDetail.REGIONS, region=44.0), Detail(LinkDetail.TRUNKS), Detail(LinkDetail.BUNDLES)
SHAPES = [
    ("dragonfly", {"p": 1, "a": 4, "h": 4}, 17),
    ("dragonfly-plus", {"leafs": 4, "spines": 4, "p": 4, "h": 4}, 17),
]
MANY = {"p": 1, "a": 8, "h": 7}
"""57 groups: more than the ring has pieces."""


def collapsed(generated, family="dragonfly", **parameters):
    design = generated(family, **parameters)
    design.apply(collapsing.collapse(design, design.groups))
    return design


def ring(composition, detail=NEAR):
    found = composition.gatherer.ring(detail)
    return None if found is None else found.lines


def held(one):
    return np.split(one.bundles, np.cumsum(one.counts)[:-1])


@pytest.mark.parametrize(("family", "parameters", "n_groups"), SHAPES)
@pytest.mark.parametrize("detail", [AFAR, NEAR, NEARER], ids=["afar", "near", "nearer"])
def test_each_group_has_a_stub_and_each_piece_stands_for_the_links_that_pass_it(
    family, parameters, n_groups, detail, generated
):
    composition = Composition(collapsed(generated, family, **parameters))
    found, pairs = ring(composition, detail), composition.bundles.pairs
    assert len(composition.lines(detail).xy) == len(found.xy) == 2 * n_groups
    stubs, pieces = held(found)[:n_groups], held(found)[n_groups:]
    for row, numbers in enumerate(stubs):
        assert sorted(numbers) == np.flatnonzero((pairs == row).any(axis=1)).tolist()
    assert {len(numbers) for numbers in pieces} == {n_groups * (n_groups - 1) // 8 + 2}  # as long ways as short ones
    assert sorted(found.combed) == list(range(len(pairs)))
    low, high = composition.boxes[:, :2].min(axis=0), (composition.boxes[:, :2] + composition.boxes[:, 2:]).max(axis=0)
    assert (found.xy[:, :2] >= low).all() and (found.xy[:, 2:] <= high).all()


def test_of_very_many_groups_a_piece_is_before_several_and_their_stubs_end_on_it(generated):
    composition = Composition(collapsed(generated, **MANY))
    found, pairs = ring(composition), composition.bundles.pairs
    assert len(found.xy) == 57 + rings.MOST_PIECES
    feet, pieces = found.xy[:57, 2:], found.xy[57:]
    assert pieces[:, 2:] == pytest.approx(np.roll(pieces[:, :2], -1, axis=0))
    begin, end = pieces[:, :2], pieces[:, 2:]
    by_foot = np.linalg.norm(feet[:, None] - begin, axis=2) + np.linalg.norm(end - feet[:, None], axis=2)
    assert np.isclose(by_foot, np.linalg.norm(end - begin, axis=1)).any(axis=1).all()
    passed = np.bincount(np.concatenate(held(found)[57:]), minlength=len(pairs))
    assert passed.min() == 1 and passed.max() <= rings.MOST_PIECES / 2 + 1


def test_a_hot_link_shows_on_both_stubs_and_on_one_way_between_them(generated):
    composition = Composition(collapsed(generated, p=1, a=4, h=4))
    lines, link = composition.lines(NEAR), 40
    loads = np.full((len(composition.projection.link_ids), 2), 0.1)
    loads[link] = 0.9
    hot = np.flatnonzero(lines.utilization(loads)[0] > 0.5).tolist()
    stubs, pieces = [one for one in hot if one < 17], [one for one in hot if one >= 17]
    assert stubs == sorted(composition.projection.ends[link].tolist())
    assert 1 <= len(pieces) <= 8
    ends = np.concatenate((lines.xy[pieces, :2], lines.xy[pieces, 2:])).round(3)
    corners, times = np.unique(ends, axis=0, return_counts=True)
    outer = {tuple(one) for one in corners[times == 1].tolist()}
    assert outer == {tuple(one) for one in lines.xy[stubs, 2:].round(3).tolist()}


def test_up_to_twelve_groups_keep_a_line_for_each_two(generated):
    composition = Composition(collapsed(generated, p=1, a=4, h=3, groups=12))
    assert ring(composition) is None
    assert len(composition.lines(NEAR).xy) == 66


def test_open_groups_have_the_ring_from_afar_and_their_own_lines_from_near(generated):
    composition = Composition(generated("dragonfly", p=1, a=4, h=4))
    found = ring(composition)
    assert len(found.xy) == 2 * 17 * 4 + 2 * 17  # and a stub from each router, and a piece of the line to its gate
    assert ring(composition, NEARER) is None
    near = composition.lines(NEARER)
    between = composition.bundles.of_link[near.links[near.starts]]
    assert np.isin(composition.gated.numbers, between).all()


def test_open_groups_with_very_many_links_have_the_ring_from_near_too(generated):
    """Hundreds of lines before each group are one bar, which covers its routers."""
    composition = Composition(generated("dragonfly", p=1, a=13, h=8, groups=14))
    assert composition.gated.numbers.size == 13 * 8 * 14 // 2, "104 of each group"
    found = ring(composition, NEARER)
    assert found is not None and found.xy.tolist() == ring(composition).xy.tolist()
    near = composition.lines(NEARER)
    between = composition.bundles.of_link[near.links[near.starts]][near.counts == 1]
    assert not np.isin(composition.gated.numbers, between).any(), "none has a line of its own"


def test_a_link_that_is_missing_changes_no_ring_and_many_end_it(generated):
    design = collapsed(generated, p=1, a=4, h=4)
    between = [one.id for one in global_links(design)]
    design.apply(operations.delete(design, between[:1]))
    assert ring(Composition(design)) is not None
    design.apply(operations.delete(design, between[1:30]))
    assert ring(Composition(design)) is None


def test_no_ring_runs_through_a_box(generated):
    design = collapsed(generated, p=1, a=4, h=4)
    composition = Composition(design)
    x, y = ring(composition).xy[-1, :2] - composition.centres[0]
    places = {one: design.placements[one] for one in design.members(next(iter(design.groups)))}
    design.apply(arranging.move(design, {one: (place.x + x, place.y + y) for one, place in places.items()}))
    assert ring(Composition(design)) is None


def test_kinds_of_groups_that_are_joined_by_other_numbers_of_links_are_named():
    names = [*(f"compute group {number}" for number in range(1, 12)), "storage group 12", "storage group 13"]
    pairs = np.array(list(combinations(range(13), 2)))
    counts = np.full(len(pairs), 2)
    assert of_groups(names, pairs, counts, "200G") == ("13 groups, all to all: 2 × 200G per pair", "2 × 200G per pair")
    counts[-1] = 22
    said, _ = of_groups(names, pairs, counts, "200G")
    assert said == "13 groups, all to all: 2 × 200G per pair, storage to storage 22"
    counts[(pairs >= 11).sum(axis=1) == 1] = 4
    said, _ = of_groups(names, pairs, counts, "200G")
    assert said.endswith("2 × 200G per pair, compute to storage 4, storage to storage 22")
    counts[0] = 3  # two kinds are not joined alike
    assert of_groups(names, pairs, counts, "200G") == ()
    counts[1:] = 2
    said, _ = of_groups(names, pairs, counts, "200G")
    assert said == "13 groups, all to all: 2 × 200G per pair (1 pair differs)"


@pytest.mark.parametrize(
    ("n_groups", "others", "said"),
    [
        (17, (), set()),
        (
            14,
            (("storage", (2, 4, 1)), ("service", (1, 4, 1))),
            {"14 compute groups (1 to 14)", "2 storage groups (15 to 16)"},
        ),
        (9, (("storage", (8, 4, 1)),), {"9 compute groups (1 to 9)", "8 storage groups (10 to 17)"}),
    ],
    ids=["alike", "of three kinds", "of two kinds"],
)
def test_inside_the_ring_it_says_how_many_groups_of_each_kind_are_before_it(n_groups, others, said, generated):
    design = collapsed(generated, p=1, a=4, h=4, groups=n_groups, other_groups=others)
    picture, sheet = fitted(design)
    assert {one for one in texts(layers(picture, sheet)) if "groups (" in one} == said
    assert [bus.text for bus in picture.buses if "groups" not in bus.text] == ["service group 17"] * (len(others) > 1)
    x, y = Composition(design).gatherer.ring(NEAR).lines.xy[-14:].reshape(-1, 2).T
    for bus in picture.buses:
        left, top, right, bottom = bus.line
        quarter = (right - left) / 4  # its text is on the middle half of its line
        assert x.min() < left + quarter < right - quarter < x.max() and y.min() < top == bottom < y.max()
        assert abs(top - (y.min() + y.max()) / 2) > 0.07 * np.ptp(y), "off the note in the middle"


@pytest.mark.parametrize(("height", "step"), [(9.0, 1), (6.0, 1), (3.5, 2)])
def test_low_boxes_bear_their_numbers_and_lower_ones_every_second(height, step, generated):
    design = collapsed(generated, **MANY)
    picture, sheet = fitted(design)
    picture, sheet = fitted(design, height / sheet.boxes(picture.boxes)[0, 3])
    numbers = {str(number) for number in range(1, 58)}
    assert {*texts(layers(picture, sheet))} & numbers == {str(number) for number in range(step, 58, step)}
    bare = replace(picture, detail=replace(picture.detail, names=False, counts=False))
    assert not {*texts(layers(bare, sheet))} & numbers
