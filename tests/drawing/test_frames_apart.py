"""Frames of groups that stand side by side do not touch, and each is around all that it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.frames_apart import APART, frames_apart
from designer.drawing.geometry import GROUP_PADDING, Container
from designer.drawing.parts.frames import frames
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import operations
from designer.model.design import Design


def frame(name, inside, level=0, kind="group"):
    left, top, right, bottom = inside
    pad = GROUP_PADDING + level * 30.0
    return Container(name, kind, name, "", (left - pad, top - pad, right + pad, bottom + pad), level)


@pytest.mark.parametrize(("dx", "dy"), [(124.0, 0.0), (0.0, 68.0), (-124.0, 0.0), (0.0, -68.0)])
def test_two_groups_a_gap_apart_have_frames_that_do_not_touch(dx, dy):
    one, other = frames_apart([frame("a", (0.0, 0.0, 100.0, 44.0)), frame("b", (dx, dy, dx + 100.0, dy + 44.0))])
    gaps = [high.rect[axis] - low.rect[axis + 2] for axis in (0, 1) for low, high in ((one, other), (other, one))]
    assert max(gaps) == APART
    untouched = sum(side in (-20.0, 120.0, 64.0) for side in one.rect)
    assert untouched == 3, "the other sides stay"


def test_frames_with_room_between_them_racks_and_levels_stay_as_they_are():
    far = [frame("a", (0.0, 0.0, 100.0, 44.0)), frame("b", (172.0, 0.0, 272.0, 44.0))]
    inner = frame("c", (10.0, 10.0, 90.0, 40.0), level=1)
    rack = frame("r", (101.0, 0.0, 150.0, 44.0), kind="rack")
    assert frames_apart([*far, inner, rack]) == [*far, inner, rack]


def test_groups_that_hold_things_among_each_other_overlap_as_before():
    mixed = [frame("a", (0.0, 0.0, 100.0, 44.0)), frame("b", (50.0, 10.0, 150.0, 54.0))]
    assert frames_apart(mixed) == mixed


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=12, unique=True))
def test_every_frame_is_around_what_it_holds(cells):
    insides = [(x * 124.0, y * 68.0, x * 124.0 + 100.0, y * 68.0 + 44.0) for x, y in cells]
    found = frames_apart([frame(str(number), inside) for number, inside in enumerate(insides)])
    for one, inside in zip(found, insides, strict=True):
        left, top, right, bottom = one.rect
        assert left < inside[0] and top < inside[1] and inside[2] < right and inside[3] < bottom
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            assert (
                one.rect[2] < other.rect[0]
                or other.rect[2] < one.rect[0]
                or one.rect[3] < other.rect[1]
                or other.rect[3] < one.rect[1]
            )


def test_what_is_in_no_group_is_cut_out_of_the_frame_that_it_stands_in(catalog):
    design = Design()
    spots = [(0.0, 0.0), (240.0, 0.0), (120.0, 0.0), (120.0, 300.0)]
    design.apply(operations.add_devices(design, catalog.get("dgx-h100"), spots, catalog_types=catalog.types))
    first, last, between, _ = design.devices
    design.apply(operations.group(design, [first, last], "SU 1"))
    composition = Composition(design)
    (frame,) = composition.containers
    left, top, right, bottom = composition.rect_of(between)
    assert frame.holes == ((left - 6.0, top - 6.0, right + 6.0, bottom + 6.0),)
    sheet = Sheet(Camera(1.0, -100.0, -100.0), (0.0, 0.0, 800.0, 600.0), LIGHT, EstimatedRuler())
    (drawn,) = frames([frame], sheet)
    assert [part.ink.colour for part in drawn.parts] == [LIGHT.group_fill, LIGHT.background]
