"""The elevation names its racks at every size that has room for letters, once each and clear of the titles of rows."""

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.elevation import elevation_parts
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import elevation
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.model.design import Design
from designer.topologies import rail_optimized


@pytest.fixture(scope="module")
def racks():
    """Some 35 racks in rows."""
    design = Design()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=127), load()))
    return elevation(design)


def texts(parts):
    for one in parts:
        if isinstance(one, Group):
            yield from texts(one.parts)
        elif isinstance(one, Text):
            yield one


def sheet_at(scale):
    return Sheet.of_view(Viewport(Camera(scale, -100, -100), 40_000, 30_000), LIGHT, EstimatedRuler())


def frames_of(lines):
    return [frame for line in lines for frame in line.frames if frame.rack_id is not None]


@pytest.mark.parametrize("scale", [0.07, 0.08, 0.12, 0.2, 0.24, 0.3, 0.5, 1.0])
def test_every_rack_is_named_once_at_every_size_that_has_room(racks, scale):
    written = [one.text for one in texts(elevation_parts(racks, sheet_at(scale)))]
    names = [frame.title for frame in frames_of(racks)]
    assert len(names) > 30
    assert [written.count(name) for name in names] == [1] * len(names)


def test_racks_too_narrow_for_letters_have_none(racks):
    names = {frame.title for frame in frames_of(racks)}
    assert not names & {one.text for one in texts(elevation_parts(racks, sheet_at(0.03)))}


@pytest.mark.parametrize("scale", [0.07, 0.08, 0.12, 0.2])
def test_names_keep_to_their_racks_and_titles_of_rows_to_the_gap_above(racks, scale):
    sheet = sheet_at(scale)
    rects = {frame.title: sheet.seen(frame.rect) for frame in frames_of(racks)}
    for one in texts(elevation_parts(racks, sheet)):
        if one.text in rects:
            x, y, width, height = rects[one.text]
            assert sheet.ruler.width(one.text, one.size, True) <= height and one.size <= width
            assert x <= one.x <= x + width and y <= one.y <= y + height
    for line in racks:
        title = next(one for one in texts(elevation_parts((line,), sheet)) if one.text.startswith(line.title))
        top = title.y - sheet.ruler.ascent(title.size, True)
        above = [sheet.seen(frame.rect) for other in racks if other.y < line.y for frame in other.frames]
        assert all(y + height <= top + 2 for _, y, _, height in above)
        assert all(title.y <= sheet.seen(frame.rect)[1] for frame in line.frames)


def test_no_two_racks_of_different_kinds_are_cut_to_one_number():
    design = Design()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=127), load()))
    kinds = {rack.name.split("-")[0] for rack in design.racks.values()}
    assert kinds == {"rack", "net"}
    lines, plan = elevation(design), floor_plan(design)
    for scale in np.geomspace(0.03, 0.5, 25).tolist():
        for parts in (elevation_parts(lines, sheet_at(scale)), floor_parts(plan, design, sheet_at(scale))):
            written = [one.text for one in texts(parts) if one.turn]
            assert not [one for one in written if one.isdigit()]


@pytest.mark.parametrize("scale", [0.25, 0.28, 0.32, 0.4])
def test_a_device_of_several_units_has_its_name_as_soon_as_its_box_has_room_for_small_letters(racks, scale):
    boxes = [box for frame in frames_of(racks) for box in frame.boxes]
    wide, high = (np.array([sheet_at(scale).seen(box.rect)[2:] for box in boxes])).T
    large = {box.name for box, w, h in zip(boxes, wide, high, strict=True) if w >= 48.0 and h >= 30.0}
    assert large <= {one.text for one in texts(elevation_parts(racks, sheet_at(scale)))}
    assert large or scale < 0.28
