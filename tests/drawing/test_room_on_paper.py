"""Floor plan and elevation are made of the same parts as every drawing: they can be written as SVG too."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from designer.drawing.camera import Camera
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.fixtures import fixture_parts
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.paper import paper
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.room_document import floor_document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import elevation
from designer.drawing.room.floor_plan import PER_M, fixture_reach, floor_plan
from designer.drawing.theme import LIGHT
from designer.exchange.svg_writing import svg_text
from designer.model import operations
from designer.model.fixture_shape import corners_m
from designer.model.furnishing import add_fixture, add_tray, change_fixtures
from designer.placement import floor
from designer.placement.aisles import turn_rows
from designer.storage import document
from designer.validation.engine import validate

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"
SVG = "{http://www.w3.org/2000/svg}"
EVERYTHING = (-10_000.0, -10_000.0, 60_000.0, 60_000.0)


@pytest.fixture(scope="module")
def design():
    loaded = document.load(EXAMPLE)
    racks = list(loaded.racks)
    loaded.apply(floor.place_racks(loaded, {one: (0.6 * number, 0.0) for number, one in enumerate(racks[:-1])}))
    loaded.apply(floor.place_racks(loaded, {racks[-1]: None}))
    return loaded


def sheet():
    return Sheet(Camera(), EVERYTHING, LIGHT, EstimatedRuler())


def drawn(parts):
    return ET.fromstring(svg_text(EVERYTHING, "room", "a room", parts))


def words(root):
    return [one.text for one in root.iter(f"{SVG}text")]


def test_dots_of_the_paper_stay_dots_in_a_document_of_thousands_of_boxes():
    for zoom, size in ((1.0, 1.5), (2.0, 3.0), (30.0, 3.0)):
        _, dots = paper(Sheet(Camera(), EVERYTHING, LIGHT, EstimatedRuler(), zoom), 24.0)
        assert dots.side == size


def test_the_floor_plan_on_paper_names_every_rack_along_its_depth(design):
    plan = floor_plan(design)
    root = drawn(floor_parts(plan, design, sheet(), Marked(wrong=frozenset({plan.racks[0].id}))))
    turned = [one for one in root.iter(f"{SVG}text") if (one.get("transform") or "").startswith("rotate(-90 ")]
    assert {rack.name for rack in design.racks.values()} <= {one.text for one in turned}
    assert [one for one in words(root) if one.startswith("Not placed on the floor yet")]
    assert len([one for one in root.iter(f"{SVG}rect") if one.get("stroke") == LIGHT.error]) == 1
    assert len([one for one in root.iter(f"{SVG}rect") if one.get("stroke-dasharray") == "4 2"]) == 1


@pytest.mark.parametrize("rear", [False, True])
def test_the_elevation_on_paper_names_every_rack_and_device_and_hatches_backs(design, rear):
    lines = elevation(design, rear=rear)
    root = drawn(elevation_parts(lines, sheet(), rear))
    boxes = [box for line in lines for frame in line.frames for box in frame.boxes]
    assert {box.name for box in boxes} | {rack.name for rack in design.racks.values()} <= set(words(root))
    hatched = [one for one in root.iter(f"{SVG}rect") if (one.get("fill") or "").startswith("url(#hatch-")]
    assert len(hatched) == len([box for box in boxes if not box.faces])
    assert hatched or not rear
    patterns = [one.get("id") for one in root.iter(f"{SVG}pattern")]
    assert sorted({one.get("fill")[5:-1] for one in hatched}) == patterns


def test_of_a_model_that_has_no_room_less_than_half_is_not_drawn(design):
    for length in range(1, 24):
        named = design.snapshot()
        switch = next(iter(named.switches()))
        named.apply(operations.rename(named, switch.id, "n" * length + "-01"))
        shown = {one for one in words(drawn(elevation_parts(elevation(named), sheet(), False))) if one.startswith("Q")}
        assert all(one == "QM9700" or len(one.rstrip("…")) >= 3 for one in shown), (length, shown)


def test_fixtures_are_drawn_with_their_names_and_what_is_wrong_is_marked(design):
    room = design.snapshot()
    for kind in ("wall", "door", "column", "cooling"):
        room.apply(add_fixture(room, kind, (0.0, -3.0, 2.4, -2.0)))
    room.apply(add_tray(room, [(-1, 0), (30, 0), (30, 4)]))
    plan = floor_plan(room)
    assert plan.bounds[1] < floor_plan(design).bounds[1] and plan.bounds[3] >= 400
    root = drawn(floor_parts(plan, room, sheet(), Marked(wrong=frozenset({"f3"}))))
    assert {"wall-1", "door-1", "column-1", "cooling-1", "tray-1"} <= {one.text for one in root.iter(f"{SVG}title")}
    assert "cooling-1" in words(root) and "wall-1" not in words(root)
    marked = [one for one in root.iter(f"{SVG}rect") if one.get("stroke") == LIGHT.error]
    assert [one.get("stroke-dasharray") is None for one in marked] == [True, False], "the unit, and its outline on top"
    # Parts far off the sheet are left out.
    aside = Sheet(Camera(), (5000.0, 5000.0, 100.0, 100.0), LIGHT, EstimatedRuler())
    assert "wall-1" not in {one.text for one in drawn(floor_parts(plan, room, aside)).iter(f"{SVG}title")}


def test_the_page_of_a_floor_reaches_to_its_walls(design):
    room = design.snapshot()
    room.apply(add_fixture(room, "wall", (-9.0, -8.0, 40.0, -7.8)))
    page = floor_document(room, LIGHT, EstimatedRuler()).area
    assert page[0] < -900 and page[1] < -800 and page[0] + page[2] > 4000


def test_drawn_trays_take_the_place_of_those_over_rows_and_ways_follow_them(design):
    room = design.snapshot()
    link = next(
        one.id
        for one in room.links.values()
        if len({room.placements[end.device_id].rack_id for end in (one.a, one.b)}) == 2
    )
    ends = [floor_plan(room).ways.points(*_racks(room, link)), None]
    dashes = [one for one in drawn(floor_parts(floor_plan(room), room, sheet())).iter() if _is_dashed(one)]
    assert len(dashes) == 1
    room.apply(add_tray(room, [(-1, 2), (40, 2)]))
    ends[1] = floor_plan(room).ways.points(*_racks(room, link))
    assert not [one for one in drawn(floor_parts(floor_plan(room), room, sheet())).iter() if _is_dashed(one)]
    assert ends[0][0] == ends[1][0] and {y for _, y in ends[1][1:-1]} == {2}
    accents = [one for one in drawn(floor_parts(floor_plan(room), room, sheet(), links=[link])).iter() if _is_way(one)]
    assert len(accents) == 1


def _racks(room, link):
    ends = room.links[link].a, room.links[link].b
    return [room.placements[end.device_id].rack_id for end in ends]


def _is_dashed(one):
    return one.get("stroke") == LIGHT.link and one.get("stroke-dasharray") == "6 3"


def _is_way(one):
    return one.get("stroke") == LIGHT.accent and one.get("stroke-width") == "3"


def test_aisles_are_tinted_and_told_in_words_and_a_mixed_one_is_slanted(design):
    room = design.snapshot()
    room.apply(floor.auto_place(room))
    second = floor.rows(room)[1]
    plain = drawn(floor_parts(floor_plan(room), room, sheet()))
    assert words(plain).count("Cold aisle, 1.2 m") >= 1 and "Hot aisle, 1.2 m" in words(plain)
    assert {LIGHT.cold, LIGHT.hot} <= {one.get("fill") for one in plain.iter(f"{SVG}rect")}
    room.apply(turn_rows(room, second.rack_ids[:1]))
    mixed = drawn(floor_parts(floor_plan(room), room, sheet()))
    assert "Fronts face backs, 1.2 m" in words(mixed)
    assert LIGHT.cold in {one.get("stroke") for one in mixed.iter()}
    assert LIGHT.cold not in {one.get("stroke") for one in plain.iter()}
    # What only warns is not marked as wrong.
    found = [one for one in validate(room).findings if one.code == "RACK-005"]
    page = floor_document(room, LIGHT, EstimatedRuler(), findings=found)
    assert found and LIGHT.error not in {one.get("stroke") for one in drawn(page.layers).iter()}


def test_a_page_reaches_to_where_doors_swing(design):
    room = design.snapshot()
    room.apply(add_fixture(room, "door", (-3, -5, 1, -4.8)))
    room.apply(add_fixture(room, "door", (30, -1, 30.2, 2)))
    left, top, width, height = floor_document(room, LIGHT, EstimatedRuler()).area
    assert top < -900 and left + width > 3320 and height > 0


@pytest.mark.parametrize(
    ("degrees", "turn"), [(0, 0), (30, 30), (90, 270), (180, 0), (200, 20), (270, 270), (300, 300)]
)
def test_a_turned_fixture_is_drawn_as_it_stands_with_a_name_that_reads_from_below(design, degrees, turn):
    room = design.snapshot()
    room.apply(add_fixture(room, "cooling", (-6.0, -6.0, -2.0, -4.0), "CRAC"))
    room.apply(change_fixtures(room, ["f1"], turn_deg=float(degrees)))
    parts = list(fixture_parts(floor_plan(room).fixtures, sheet(), Marked(frozenset(), frozenset())))
    (group,) = parts
    drawn_parts = list(group.parts)
    (name,) = (one for one in drawn_parts if isinstance(one, Text))
    assert name.turn % 360 == turn
    area = drawn_parts[0]
    if degrees:
        expected = [(x * PER_M, y * PER_M) for x, y in corners_m(room.fixtures["f1"])]
        assert [(pytest.approx(x), pytest.approx(y)) for x, y in area.points] == expected and area.closed


def test_a_turned_door_takes_room_where_it_swings(design):
    room = design.snapshot()
    room.apply(add_fixture(room, "door", (30, -1, 32, -0.8)))
    level = fixture_reach(room.fixtures["f1"])
    room.apply(change_fixtures(room, ["f1"], turn_deg=180.0))
    upside_down = fixture_reach(room.fixtures["f1"])
    assert (level[1], level[3]) == pytest.approx((-300, -80)) and (upside_down[1], upside_down[3]) == pytest.approx(
        (-100, 120)
    )
