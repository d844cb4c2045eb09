"""Titles of groups leave links whole: titles stand below or beside their frames where links run above."""

from dataclasses import replace

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.frame_titles import ROOM_BELOW, titled_off_links
from designer.drawing.geometry import Container
from designer.drawing.level_of_detail import detail_at
from designer.drawing.obstacles import inside
from designer.drawing.parts import frames
from designer.drawing.parts.frames import title_corners, title_place, titled, titled_at, titles
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.model import arranging, bending, operations
from designer.model.annotating import annotate
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement.layouts.tidy import tidy

NO_BOXES, UP, DOWN = np.empty((0, 4)), (50.0, 50.0, 150.0, -300.0), (50.0, 50.0, 150.0, 300.0)


@pytest.mark.parametrize("width", [700.0, 1200.0, 2400.0])
def test_no_title_of_a_scalable_unit_lies_on_a_link(generated, width):
    composition = Composition(generated("rail-optimized", servers=64, server="dgx-h100", oversubscription=2.0))
    camera = fitting(composition.bounds, width, 0.6 * width)
    picture = composition.picture(LIGHT, detail_at(camera.scale, 84, 84, 84))
    sheet = Sheet.of_view(Viewport(camera, width, 0.6 * width), LIGHT, EstimatedRuler())
    corners, lines = title_corners(picture, sheet), composition.lines(picture.detail).xy
    lines = np.hstack([camera.points_to_view(lines[:, at : at + 2]) for at in (0, 2)])
    assert len(corners) == 2
    for x, y, across, down in corners:
        low, high = np.array([[x, y]]), np.array([[x + across, y + down]])
        assert not inside(lines, np.repeat(low, len(lines), 0), np.repeat(high, len(lines), 0)).any()


def frame(name, left, top, *, width=200.0, height=100.0, kind="scalable-unit"):
    return Container(name, kind, name, "", (left, top, left + width, top + height))


def below(frames, lines, boxes=NO_BOXES):
    found = titled_off_links(frames, np.array(lines, float).reshape(-1, 4), np.array(boxes, float))
    return {one.id for one in found if one.is_titled_below}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], set()),
        ([UP], {"a", "b"}),
        ([DOWN], set()),
        ([UP, DOWN], set()),
        ([UP, (0.0, 110.0, 900.0, 400.0)], set()),
        ([(50.0, 50.0, 150.0, 20.0)], set()),
    ],
    ids=["none", "up", "down", "both", "through the strip below", "inside"],
)
def test_titles_of_a_row_stand_below_where_links_run_above_only(lines, expected):
    assert below([frame("a", 0.0, 0.0), frame("b", 300.0, 0.0)], lines) == expected


@pytest.mark.parametrize("away", [ROOM_BELOW - 1, ROOM_BELOW + 1])
def test_they_stay_above_where_something_is_close_below(away):
    is_free = away > ROOM_BELOW
    a = frame("a", 0.0, 0.0)
    assert below([a], [UP], [(50.0, 100.0 + away, 40.0, 20.0)]) == ({"a"} if is_free else set())
    assert below([a, frame("under", 50.0, 100.0 + away)], [UP]) == ({"a"} if is_free else set())
    around = frame("around", -40.0, -40.0, width=280.0, height=140.0 + away)
    assert ("a" in below([a, around], [UP])) == is_free


def test_titles_of_racks_stay_inside():
    assert below([frame("a", 0.0, 0.0, kind="rack")], [UP]) == set()


def seen(composition, width, height):
    camera = fitting(composition.bounds, width, height)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())


@pytest.mark.parametrize("width", [760.0, 900.0, 1400.0])
def test_titles_of_close_groups_with_links_between_them_stand_beside_their_frames(example, width):
    composition = Composition(example("faults"))
    picture, sheet = seen(composition, width, 0.6 * width)
    said = [one.text for one in titles(picture, sheet) if isinstance(one, Text) and one.bold]
    assert {f"Trial group {number}" for number in range(1, 5)} <= set(said)
    lines = composition.lines(picture.detail).xy
    lines = np.hstack([sheet.camera.points_to_view(lines[:, at : at + 2]) for at in (0, 2)])
    frames = titled(picture, sheet)
    assert sum(one.titled_beside < 0 for one in frames) == 3, "on the outer side"
    for x, y, across, down in title_corners(picture, sheet).tolist():
        low, high = np.array([[x, y]]), np.array([[x + across, y + down]])
        assert not inside(lines, low, high).any()
        boxes = sheet.boxes(picture.boxes)
        over = (boxes[:, :2] < high) & (boxes[:, :2] + boxes[:, 2:] > low)
        assert not over.all(axis=1).any()
        for left, top, wide, high_ in (sheet.seen(one.rect) for one in frames):
            assert x >= left + wide or x + across <= left or y >= top + high_ or y + down <= top + 1.0
        assert titled_at(picture, sheet, x + 5, y + down / 2) is not None
    trial = next(one for one in frames if one.titled_beside)
    left, top, wide, _ = title_place(trial, frames, picture.boxes, sheet)
    assert left + wide < sheet.seen(trial.rect)[0] and titled_at(picture, sheet, left + 5, top + 5) == trial.id


def test_a_title_beside_its_group_stays_there_while_the_view_is_moved(example):
    composition = Composition(example("faults"))
    picture, sheet = seen(composition, 900.0, 560.0)
    frames = titled(picture, sheet)
    moved = Sheet.of_view(Viewport(sheet.camera.moved(-200.0, 30.0), 900.0, 560.0), LIGHT, EstimatedRuler())
    again = composition.picture(LIGHT, picture.detail)
    assert titled(again, moved) is frames
    ids = {one.id for one in frames if one.titled_beside}
    composition.shift(dict.fromkeys(composition.design.devices, (400.0, 0.0)))
    shifted = composition.picture(LIGHT, picture.detail)
    assert titled(shifted, sheet) is not frames
    assert {one.id for one in titled(shifted, sheet) if one.titled_beside} == ids


def upside_down(design):
    """Every group with its routers at the side away from the middle, as it may have been laid out before."""
    for group in design.groups.values():
        places = [design.placements[one] for one in design.members(group.id) if one in design.placements]
        ends = min((one.y for one in places), default=0.0), max((one.y for one in places), default=0.0)
        turned = (Change(one, replace(one, y=sum(ends) - one.y)) for one in places)
        design.apply(Edit("Turn", tuple(turned)))
    return design


@pytest.mark.parametrize("layout", [None, "rows", "upside down"])
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_title_of_a_dragonfly_lies_on_a_link_wherever_its_groups_stand(generated, layout, zoom):
    design = generated("dragonfly", p=2, a=4, h=2)
    if layout == "rows":
        design.apply(tidy(design, [], layout))
    elif layout is not None:
        upside_down(design)
    composition = Composition(design)
    picture, sheet = seen(composition, 900.0 * zoom, 560.0 * zoom)
    lines = composition.lines(picture.detail).xy
    lines = np.hstack([sheet.camera.points_to_view(lines[:, at : at + 2]) for at in (0, 2)])
    corners = title_corners(picture, sheet)
    assert len(corners) == 9
    for x, y, across, down in corners.tolist():
        assert not inside(lines, np.array([[x, y]]), np.array([[x + across, y + down]])).any()


def test_titles_stay_above_where_they_have_no_room_beside_either(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    picture, sheet = seen(composition, 900.0, 560.0)
    assert not any(one.titled_beside for one in titled(picture, sheet))
    assert titled(picture, sheet) == picture.containers


@pytest.mark.parametrize("limit", ["MOST_AROUND", "MOST_COMPARED"])
def test_titles_of_more_frames_than_are_compared_stay_where_they_are(example, monkeypatch, limit):
    composition = Composition(example("faults"))
    camera = fitting(composition.bounds, 1200.0, 720.0)
    picture = composition.picture(LIGHT, detail_at(camera.scale, 84, 84, 84))
    sheet = Sheet.of_view(Viewport(camera, 1200.0, 720.0), LIGHT, EstimatedRuler())
    assert titled(picture, sheet) != picture.containers
    monkeypatch.setattr(frames, limit, 1)
    picture.lines.title_sides.clear()
    assert titled(picture, sheet) == picture.containers


@pytest.fixture
def crossed():
    """A unit, and a link that is led close round its frame, where a title would stand on each side."""
    design, catalog = Design(), load()
    for x, y in ((0.0, 0.0), (700.0, 0.0), (0.0, 400.0), (700.0, 400.0), (-600.0, -300.0), (1300.0, -300.0)):
        type_ = catalog.types["nvidia-qm9700"]
        design.apply(operations.add_device(design, type_, x, y, catalog_types=catalog.types))
    *own, first, last = design.devices
    design.apply(arranging.group(design, own, "SU 1", "scalable unit"))
    design.apply(operations.connect_devices(design, first, last))
    (frame,) = Composition(design).containers
    (left, top, right, bottom), (link,) = frame.rect, design.links
    corners = ((right + 20.0, top - 10.0), (right + 20.0, bottom + 10.0), (left - 20.0, bottom + 10.0))
    bends = ((-600.0, top - 10.0), *corners, (left - 20.0, top - 10.0), (left + 60.0, top - 10.0), (1300.0, top - 10.0))
    design.apply(bending.bend_links(design, [link], bends, first))
    return design


def on_links(picture, sheet):
    """How many lines lie below the plates of titles."""
    lines = np.hstack([sheet.camera.points_to_view(picture.lines.xy[:, at : at + 2]) for at in (0, 2)])
    found = 0
    for x, y, across, down in title_corners(picture, sheet).tolist():
        found += int(inside(lines, np.array([[x, y]]), np.array([[x + across, y + down]])).sum())
    return found


@pytest.mark.parametrize("width", [700.0, 1000.0, 1600.0, 2400.0])
def test_a_title_with_lines_on_every_side_of_its_frame_stands_a_little_off_or_within(crossed, width):
    composition = Composition(crossed)
    picture, sheet = seen(composition, width, 0.6 * width)
    assert len(title_corners(picture, sheet)) == 1
    assert on_links(picture, sheet) == 0
    shifted = [one for one in titled(picture, sheet) if one.title_shift != (0.0, 0.0)]
    assert shifted
    for one in shifted:
        x, y, _, down = title_place(one, titled(picture, sheet), picture.boxes, sheet)
        assert titled_at(picture, sheet, x + 3, y + down / 2) == one.id, "it is to be clicked there"


def test_a_title_stands_off_its_frame_where_no_annotation_is(crossed):
    composition = Composition(crossed)
    picture, sheet = seen(composition, 1000.0, 600.0)
    one = next(one for one in titled(picture, sheet) if one.title_shift != (0.0, 0.0))
    x, y, across, down = title_place(one, titled(picture, sheet), picture.boxes, sheet)
    ends = [sheet.camera.to_canvas(*at) for at in ((x, y), (x + across, y + down))]
    crossed.apply(annotate(crossed, "note", *ends, text="Here"))
    again = Composition(crossed)
    picture = again.picture(LIGHT, picture.detail)
    other = next(two for two in titled(picture, sheet) if two.id == one.id)
    assert (other.title_shift, other.is_titled_below, other.titled_beside) != (
        one.title_shift,
        one.is_titled_below,
        one.titled_beside,
    )
    assert on_links(picture, sheet) == 0


def test_no_title_stands_farther_out_of_the_drawing_than_one_at_a_frame_does(crossed):
    composition = Composition(crossed)
    picture, sheet = seen(composition, 1000.0, 600.0)
    room = frames._Room(picture, sheet, {})
    x, top, width, height = sheet.seen(picture.bounds)
    off = frames.ABOVE_PX
    for y, expected in ((top - off, True), (top - off - 1, False), (top + height + off - 15, True)):
        assert room._is_in_sight((x + width / 2, y, 40.0, 15.0)) is expected
    assert not room._is_in_sight((x, top + height + off - 14, 40.0, 15.0))
