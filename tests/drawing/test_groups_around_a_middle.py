"""The links between groups that stand around a middle: what joins each two is said once, and many are thin and pale."""

import re

import numpy as np
import pytest
from test_texts_on_links import fitted, plates_of

from designer.drawing.calm import CALMEST_COLOURED, PALEST, THINNEST, calm, classes_left, covered
from designer.drawing.composition import Composition
from designer.drawing.display_list import COLOURED_WIDTH
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.theme import DARK, LIGHT, mixed
from designer.model import collapsing, operations

BUNDLES = Detail(LinkDetail.BUNDLES)
BETWEEN_GROUPS = re.compile("^Group to group|groups, all to all")


def notes(design):
    return [one for one in plates_of(*fitted(design))[1] if BETWEEN_GROUPS.search(one)]


def global_links(design):
    of = {one.id: one.group_id for one in design.devices.values()}
    return [one for one in design.links.values() if of[one.a.device_id] != of[one.b.device_id]]


@pytest.mark.parametrize(
    ("family", "parameters", "said"),
    [
        ("dragonfly", {"p": 2, "a": 4, "h": 2}, "9 groups, all to all: 1 × 400G per pair"),
        ("dragonfly", {"p": 2, "a": 8, "h": 4, "groups": 9}, "9 groups, all to all: 4 × 400G per pair"),
        ("dragonfly", {"p": 4, "a": 8, "h": 4}, "33 groups, all to all: 1 × 400G per pair"),
        ("slim-fly", {"q": 5}, "5 groups, all to all: 10 × 400G per pair"),
        ("slim-fly", {"q": 17}, "17 groups, all to all: 34 × 400G per pair"),
        ("dragonfly-plus", {"leafs": 4, "spines": 4, "p": 4, "h": 4}, "17 groups, all to all: 1 × 400G per pair"),
    ],
)
def test_what_joins_each_two_groups_is_said_once(family, parameters, said, generated):
    assert notes(generated(family, **parameters)) == [said]


def test_collapsed_groups_say_it_as_open_ones_do(generated):
    design = generated("dragonfly", p=2, a=8, h=4, groups=9)
    design.apply(collapsing.collapse(design, [*design.groups][:4]))
    assert notes(design) == ["9 groups, all to all: 4 × 400G per pair"]


def test_pairs_of_groups_that_differ_or_are_not_linked_are_counted(generated):
    design = generated("dragonfly", p=2, a=8, h=4, groups=9)
    first, *_ = found = global_links(design)
    of = {one.id: one.group_id for one in design.devices.values()}
    pair = {of[first.a.device_id], of[first.b.device_id]}
    design.apply(operations.delete(design, [first.id]))
    assert notes(design) == ["9 groups, all to all: 4 × 400G per pair (1 pair differs)"]
    same = [one.id for one in found[1:] if {of[one.a.device_id], of[one.b.device_id]} == pair]
    design.apply(operations.delete(design, same))
    assert notes(design) == ["9 groups, all to all: 4 × 400G per pair (1 pair without links)"]


def test_groups_that_are_joined_unlike_or_of_which_there_are_few_have_no_such_note(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(operations.delete(design, [one.id for one in global_links(design)[::2]]))
    assert notes(design) == ["Group to group: 1 × 400G per linked pair"]
    design = generated("dragonfly", p=2, a=8, h=4, groups=9)
    design.apply(operations.delete(design, [one.id for one in global_links(design)[:70]]))
    assert notes(design) == []
    assert notes(generated("dragonfly", p=2, a=4, h=2, groups=2)) == []


def test_the_note_covers_none_of_the_lines(generated):
    picture, sheet = fitted(generated("dragonfly", p=4, a=8, h=4))
    plates, texts = plates_of(picture, sheet)
    left, top, right, bottom = plates[[bool(BETWEEN_GROUPS.search(one)) for one in texts].index(True)]
    xy = sheet.camera.points_to_view(picture.lines.xy)
    along = xy[:, None, :2] + (xy[:, None, 2:] - xy[:, None, :2]) * np.linspace(0, 1, 400)[None, :, None]
    inside = (along > (left, top)).all(axis=2) & (along < (right, bottom)).all(axis=2)
    assert not inside.any()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_that_would_cover_the_drawing_are_thin_and_pale(theme, generated):
    few, many = (generated("dragonfly", p=1, a=a, h=h) for a, h in ((4, 2), (14, 7)))
    many.apply(operations.delete(many, [one.id for one in global_links(many)[::9]]))  # all joined, they have a ring
    for design in (few, many):
        design.apply(collapsing.collapse(design, design.groups))
    plain, thin = (Composition(design).picture(theme, BUNDLES) for design in (few, many))
    scales = [1000.0 / (one.bounds[2] - one.bounds[0]) for one in (plain, thin)]
    (usual,), (pale,) = (
        [one for one in picture.strokes(scale) if len(one.xy)]
        for picture, scale in zip((plain, thin), scales, strict=True)
    )
    assert pale.width < usual.width / 2
    orange = thin.coloured.line_colours[int(thin.coloured.lines[0])]
    assert pale.colour == mixed(orange, theme.background, CALMEST_COLOURED * PALEST)
    (near,) = thin.strokes(100 * scales[1])
    assert (near.width, near.colour) == (COLOURED_WIDTH, mixed(orange, theme.background, CALMEST_COLOURED))


def test_many_short_links_keep_their_colors(generated):
    picture = Composition(generated("torus", dims=(8, 8, 8))).picture(LIGHT, BUNDLES)
    left, _, right, _ = picture.bounds
    assert len(picture.lines.xy) > 1000
    assert classes_left(2000, covered(picture.lines, picture.bounds, 1500.0 / (right - left))).width > 0.95
    assert classes_left(2000, 0.0) == (CALMEST_COLOURED, 1.0)
    assert classes_left(1, 100.0) == (pytest.approx(PALEST), THINNEST)
    assert calm(1) == 1.0
    assert covered(picture.lines, None, 1.0) == 0.0


def test_from_afar_a_large_slim_fly_is_a_box_for_each_group_and_a_ring_for_all_links(generated):
    picture, _ = fitted(generated("slim-fly", q=17))
    assert len(picture.boxes) == 17
    assert len(picture.lines.xy) == 2 * 17
    assert (picture.lines.counts[:17] == 16 * 34).all()
    near, _ = fitted(generated("slim-fly", q=17), 60.0)
    assert len(near.boxes) > 578
