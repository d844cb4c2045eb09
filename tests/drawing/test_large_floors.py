"""Names on floor plans of hundreds of racks: thinned from afar, alike in size, rows titled wherever one looks."""

from dataclasses import replace
from itertools import pairwise

import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.floor import floor_parts, row_titles
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import DARK, LIGHT
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.placement import floor

ROWS, IN_ROW, PITCH_M = 12, 50, 2.4


@pytest.fixture(scope="module")
def hall():
    """600 racks in 12 rows; the tenth of each row is a network rack."""
    design = Design()
    design.apply(operations.add_rack(design, load().types["rack-42u"], 0, 0, "rack-001"))
    (first,) = design.racks.values()
    numbers = range(2, ROWS * IN_ROW + 1)
    names = (f"net-{one // IN_ROW + 1:02d}" if one % IN_ROW == 10 else f"rack-{one:03d}" for one in numbers)
    ids = design.new_ids("racks", len(numbers))
    design.apply(Edit("Add", added([replace(first, id=id, name=name) for id, name in zip(ids, names, strict=True)])))
    places = {one: (n % IN_ROW * 0.6, n // IN_ROW * PITCH_M) for n, one in enumerate(design.racks)}
    design.apply(floor.place_racks(design, places))
    return design


def sheet_at(scale, left=-2000.0, theme=LIGHT):
    return Sheet.of_view(Viewport(Camera(scale, left, -500.0), 4000, 2000), theme, EstimatedRuler())


def flat(parts):
    for one in parts:
        if isinstance(one, Group):
            yield from flat(one.parts)
        else:
            yield one


def texts(design, sheet):
    return [one for one in flat(floor_parts(floor_plan(design), design, sheet)) if isinstance(one, Text)]


def names_of_racks(design, sheet):
    return [one for one in texts(design, sheet) if one.text.removeprefix("rack-").removeprefix("net-").isdigit()]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(("scale", "step"), [(0.15, 5), (0.1, 5), (0.08, 5)])
def test_where_names_would_cover_each_other_every_nth_of_a_row_is_written(hall, theme, scale, step):
    sheet = sheet_at(scale, theme=theme)
    found = names_of_racks(hall, sheet)
    assert len(found) == ROWS * IN_ROW / step
    rows = {}
    for one in found:
        rows.setdefault(round(one.y), []).append((one.x, one.x + sheet.ruler.width(one.text, one.size, one.bold)))
    assert len(rows) == ROWS
    for spans in rows.values():
        assert all(end < start for (_, end), (start, _) in pairwise(sorted(spans)))
        assert max(end for _, end in spans) <= sheet.camera.to_view(IN_ROW * 60.0 - 30.0, 0)[0] + 1


def test_longer_names_are_further_apart(hall):
    design = hall.snapshot()
    design.apply(
        Edit(
            "Rename",
            tuple(Change(one, replace(one, name=f"{one.name}-x-hall")) for one in list(design.racks.values())[::2]),
        )
    )
    found = texts(design, sheet_at(0.08))
    assert sum(one.text.endswith("hall") for one in found) == 3 * ROWS  # the first, 21st and 41st


def test_a_name_that_has_no_room_between_those_of_its_row_is_cut(hall):
    design = hall.snapshot()
    design.apply(operations.rename(design, next(iter(design.racks)), "network-77"))
    at = sheet_at(0.08).camera.to_view(-30, 0)[0] + 2
    written = [one.text for one in texts(design, sheet_at(0.08)) if one.x == pytest.approx(at)]
    assert written[0] == "ne…" and written[1] == "051"


def test_no_name_reaches_beyond_the_end_of_its_row(hall):
    design = hall.snapshot()
    design.apply(operations.delete(design, list(design.racks)[IN_ROW - 3 : IN_ROW]))
    sheet = sheet_at(0.08)
    assert len(names_of_racks(design, sheet)) == len(names_of_racks(hall, sheet)) - 1, "two racks have no room for one"


def test_near_every_rack_has_its_name_and_from_very_far_none_has(hall):
    assert len(names_of_racks(hall, sheet_at(0.3))) == ROWS * IN_ROW
    assert not names_of_racks(hall, sheet_at(0.05)), "letters are higher than racks are deep"


def test_names_of_most_racks_are_of_one_size(hall):
    for scale in (0.2, 0.24, 0.28, 0.35):
        assert len({one.size for one in names_of_racks(hall, sheet_at(scale))}) == 1


def test_a_name_much_longer_than_others_makes_only_itself_small(hall):
    design = hall.snapshot()
    one = next(iter(design.racks))
    design.apply(operations.rename(design, one, "meet-me-room-carrier-1"))
    sizes = {text.text: text.size for text in texts(design, sheet_at(0.5))}
    assert sizes["rack-002"] == max(sizes[name] for name in ("rack-003", "rack-100"))
    assert sizes["rack-002"] > min(sizes.values())
    assert len({text.size for text in names_of_racks(design, sheet_at(0.5))}) == 1


@pytest.mark.parametrize("scale", [0.3, 0.05, 0.03, 0.01])
def test_names_of_rows_cover_none_of_each_other(hall, scale):
    sheet = sheet_at(scale)
    titles = [text for _, text in row_titles(floor_plan(hall), hall, sheet)]
    assert (len(titles) == ROWS) == (PITCH_M * 100 * scale >= line_height(sheet.ruler, titles[0].size, True))
    apart = [after.y - before.y for before, after in pairwise(titles)]
    assert titles[0].text == "A" and all(one >= line_height(sheet.ruler, titles[0].size, True) - 1 for one in apart)


def test_rows_that_begin_beyond_the_left_edge_are_named_at_it_once(hall):
    sheet = sheet_at(0.5, left=800.0)
    plan = floor_plan(hall)
    titles = {row.name for row in plan.rows}
    drawn = [one for one in flat(floor_parts(plan, hall, sheet)) if isinstance(one, Text) and one.text in titles]
    assert sorted(one.text for one in drawn) == sorted(titles)
    assert {one.x for one in drawn} == {4.0} and {one.anchor for one in drawn} == {"start"}
    plates = [one for one in flat(floor_parts(plan, hall, sheet)) if isinstance(one, Rect) and one.x == 0.0]
    assert all(any(one.y < text.y <= one.y + one.height for one in plates) for text in drawn)


def test_rows_that_end_before_the_left_edge_have_no_name(hall):
    sheet = sheet_at(0.5, left=IN_ROW * 60.0 + 100.0)
    titles = {row.name for row in floor_plan(hall).rows}
    assert not [one for one in texts(hall, sheet) if one.text in titles and one.x >= 0]
