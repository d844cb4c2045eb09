"""What is selected on the floor plan, or wrong, is seen even where a rack stands in a column."""

import pathlib
from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.camera import Camera
from designer.drawing.parts import floor
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.fixtures import fixture_parts
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.primitives import Group, Part, Path, Rect, Text
from designer.drawing.parts.room_document import floor_document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import COLUMN, ZONE, Fixture
from designer.model.furnishing import add_fixture, add_tray
from designer.storage import document

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def design():
    """Racks on the floor, the first of them in a column."""
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    rack = next(one for one in made.racks.values() if one.name == "rack-01")
    assert rack.x_m is not None and rack.y_m is not None
    made.apply(Edit("Column", (Change(None, Fixture("f1", COLUMN, x_m=rack.x_m, y_m=rack.y_m)),)))
    return made


def drawn(design: Design, marked: Marked) -> list[Part]:
    sheet = Sheet(Camera(1.0), (-9e4, -9e4, 2e5, 2e5), LIGHT, EstimatedRuler())
    return list(floor_parts(floor_plan(design), design, sheet, marked))


def outlines(parts: list[Part]) -> list[tuple[int, str]]:
    """Places among the parts, and colors, of dashed outlines."""
    return [
        (number, one.pen.colour)
        for number, one in enumerate(parts)
        if isinstance(one, Rect) and one.ink is None and one.pen is not None and one.pen.dash
    ]


@pytest.mark.parametrize(
    ("marked", "colour"),
    [
        (Marked(wrong={"f1"}), LIGHT.error),
        (Marked(selected={"f1"}), LIGHT.accent),
        (Marked(selected={"f1"}, wrong={"f1"}), LIGHT.accent),
    ],
)
def test_a_marked_column_has_an_outline_over_the_rack_in_it(design, marked, colour):
    parts = drawn(design, marked)
    ((place, found),) = outlines(parts)
    racks = [number for number, one in enumerate(parts) if isinstance(one, Group) and one.title.startswith("rack")]
    assert found == colour and place > max(racks)


def test_a_column_without_a_mark_has_none(design):
    assert outlines(drawn(design, Marked())) == []


def test_a_rack_that_is_wrong_and_selected_shows_both(design):
    rack = next(one for one in design.racks.values() if one.name == "rack-01")

    def colours(marked: Marked) -> list[str]:
        (group,) = (one for one in drawn(design, marked) if isinstance(one, Group) and one.title == "rack-01")
        return [one.pen.colour for one in group.parts if isinstance(one, Rect) and one.pen is not None]

    assert colours(Marked(wrong={rack.id})) == [LIGHT.error]
    assert colours(Marked(selected={rack.id})) == [LIGHT.accent]
    assert colours(Marked(selected={rack.id}, wrong={rack.id})) == [LIGHT.accent, LIGHT.error]


def texts_and_bands(
    design: Design, scale: float, *, least: float = 5.0
) -> tuple[list[Text], list[tuple[float, float]]]:
    """Names of racks as they are on paper, and how far down the bands of trays along rows reach from and to."""
    area = -9e4, -9e4, 2e5, 2e5
    sheet = Sheet(Camera(scale), area, LIGHT, EstimatedRuler(), least_name=least)
    parts = list(floor_parts(floor_plan(design), design, sheet, on_paper=True, crossed=()))
    names = [text for one in parts if isinstance(one, Group) for text in one.parts if isinstance(text, Text)]
    bands = [
        (way.points[0][1] - way.pen.width / 2, way.points[0][1] + way.pen.width / 2)
        for way in parts
        if isinstance(way, Path) and way.pen is not None and len({round(y, 3) for _, y in way.points}) == 1
    ]
    return names, bands


def reach(text: Text) -> tuple[float, float]:
    """From where to where a name that is turned by a right angle reaches down."""
    half = EstimatedRuler().width(text.text, text.size, text.bold) / 2
    return text.y - half, text.y + half


def test_on_paper_no_tray_runs_through_a_name_of_a_rack_where_that_has_room_behind_it(design):
    design = design.snapshot()
    design.apply(Edit("Remove", (Change(design.fixtures["f1"], None),)))
    names, bands = texts_and_bands(design, 1.0)
    assert bands and len(names) == 2 * len(design.racks)  # with units
    for low, high in map(reach, names):
        assert all(high <= top + 0.01 or low >= bottom - 0.01 for top, bottom in bands)


def test_a_picture_of_the_floor_has_trays_that_nobody_drew_as_the_window_has_them(design):
    page = floor_document(design, LIGHT, EstimatedRuler())
    parts = [part for layer in page.layers for part in layer.parts]
    paths = [number for number, part in enumerate(parts) if isinstance(part, Path) and part.pen is not None]
    assert [parts[one] for one in paths] and {parts[one].pen.dash for one in paths} == {floor.TRAY_DASH}
    racks = [number for number, part in enumerate(parts) if isinstance(part, Group) and part.title in names_of(design)]
    assert len(racks) == len(design.racks) and max(paths) < min(racks), "racks stand over them"
    laid = design.snapshot()
    laid.apply(add_tray(laid, [(0.0, 0.0), (9.0, 0.0)]))
    parts = [part for layer in floor_document(laid, LIGHT, EstimatedRuler()).layers for part in layer.parts]
    titles = [part.title for part in parts if isinstance(part, Group)]
    assert titles.count("tray-1") == 1
    assert titles.index("tray-1") > max(map(titles.index, names_of(design))), "a drawn one hangs over racks"


def names_of(design: Design) -> set[str]:
    return {one.name for one in design.racks.values()}


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize(
    ("rect", "lines"),
    [
        ((4.0, 1.5), ["Staging area"]),
        ((0.7, 1.5), ["Staging area"]),
        ((0.48, 1.5), ["Staging", "area"]),
        ((0.48, 0.14), ["Sta…"]),
        ((0.3, 1.5), ["Sta…"]),
        ((4.0, 0.05), []),
    ],
)
def test_the_title_of_a_zone_is_smaller_or_in_lines_before_it_is_cut_and_as_large_as_names_of_racks(rect, lines, scale):
    room = Design()
    room.apply(add_fixture(room, ZONE, (0.0, 0.0, *rect), "Staging area"))
    sheet = Sheet(Camera(scale), (-9e4, -9e4, 2e5, 2e5), LIGHT, EstimatedRuler(), least_name=6 * scale)
    (zone,) = fixture_parts(room.fixtures.values(), sheet, Marked())
    assert isinstance(zone, Group)
    words = [part for part in zone.parts if isinstance(part, Text)]
    said = [f"{one.text[:3]}…" if one.text.endswith("…") else one.text for one in words]
    assert said == lines
    assert all(6 * scale <= one.size <= 13 for one in words)


def test_names_too_long_for_the_depth_behind_the_trays_stand_level_across_their_racks(design):
    design = design.snapshot()
    design.apply(Edit("Remove", (Change(design.fixtures["f1"], None),)))
    ruler, plan = EstimatedRuler(), floor_plan(design)
    scale = next(one for one in np.arange(1.0, 0.0, -0.01) if floor._off_trays(plan, sheet_at(one)) == floor.LEVEL)
    names, bands = texts_and_bands(design, scale)
    assert bands and len(names) == 2 * len(design.racks) and {one.turn for one in names} == {0.0}
    for one in names:
        low, high = one.y - ruler.ascent(one.size, one.bold) * 0.8, one.y
        assert all(high <= top + 0.01 or low >= bottom - 0.01 for top, bottom in bands)
        (rack,) = (
            box for box in plan.racks if box.rect[0] * scale < one.x < box.rect[2] * scale and inside(box, one, scale)
        )
        assert ruler.width(one.text, one.size, one.bold) <= (rack.rect[2] - rack.rect[0]) * scale


def test_names_stand_on_the_tray_of_a_rack_too_shallow_for_two_lines_beside_it(design):
    design = design.snapshot()
    shallow = replace(design.settings, rack_depth_m=0.5)
    design.apply(Edit("Shallow racks", (Change(design.settings, shallow), Change(design.fixtures["f1"], None))))
    plan = floor_plan(design)
    assert floor._off_trays(plan, sheet_at(1.0)) == ""


def inside(box, text, scale):
    return box.rect[1] * scale <= text.y <= box.rect[3] * scale


def sheet_at(scale: float) -> Sheet:
    return Sheet(Camera(scale), (-9e4, -9e4, 2e5, 2e5), LIGHT, EstimatedRuler(), least_name=5.0)


def test_names_stand_on_the_side_of_the_tray_over_which_no_cables_cross(design):
    design = design.snapshot()
    design.apply(Edit("Remove", (Change(design.fixtures["f1"], None),)))
    plan = floor_plan(design)
    rack = plan.racks[0]
    x, middle = (rack.rect[0] + rack.rect[2]) / 200, (rack.rect[1] + rack.rect[3]) / 200
    for crossed in ((x, middle, middle + 3.0), (x, middle - 3.0, middle)):
        parts = floor_parts(plan, design, sheet_at(1.0), on_paper=True, crossed=[crossed])
        (group,) = (one for one in parts if isinstance(one, Group) and one.title.startswith(rack.name))
        (name,) = (one for one in group.parts if isinstance(one, Text) and one.text == rack.name)
        assert (name.y < 100 * middle) is (crossed[2] > middle + 1.0), "on the other side of the tray"


def test_where_one_name_has_no_room_behind_the_trays_all_stand_in_the_middle_of_their_racks(design):
    design = design.snapshot()
    rack = next(iter(design.racks.values()))
    longer = Change(rack, replace(rack, name="Rack of the eastern hall 1"))
    design.apply(Edit("Rename", (longer, Change(design.fixtures["f1"], None))))
    names, _ = texts_and_bands(design, 1.0)
    middles = {round((rack.rect[1] + rack.rect[3]) / 2, 1) for rack in floor_plan(design).racks}
    assert names and {round(one.y, 1) for one in names} <= middles
