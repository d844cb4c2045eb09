"""The elevation names racks and rows in room of their own, above what they name, wherever letters have room there."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.elevation import elevation_parts
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import GAP, HEADER, NAMED_PX, UNIT, WIDTH, elevation, spacing_of
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.placement import floor
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


FIT = 0.16
"""As a window of usual size shows all of these racks."""


@pytest.mark.parametrize("scale", [FIT, 0.2, 0.24, 0.3, 0.5, 1.0])
def test_every_rack_is_named_once_from_where_all_of_them_are_shown(racks, scale):
    written = [one.text for one in texts(elevation_parts(racks, sheet_at(scale)))]
    names = [frame.title for frame in frames_of(racks)]
    assert len(names) > 30
    assert [written.count(name) for name in names] == [1] * len(names)


def test_racks_too_narrow_for_letters_have_none(racks):
    names = {frame.title for frame in frames_of(racks)}
    assert not names & {one.text for one in texts(elevation_parts(racks, sheet_at(0.03)))}


def placed(servers):
    """A fabric with its racks on the floor."""
    design, types = Design(), load()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=servers), types))
    design.apply(floor.auto_place(design))
    return design


@pytest.mark.parametrize("servers", [127, 1000])
def test_no_word_from_afar_lies_over_a_rack_or_over_another_word(servers):
    lines = elevation(placed(servers))
    frames = frames_of(lines)
    for scale in np.geomspace(0.02, 0.3, 12).tolist():
        sheet = sheet_at(scale)
        taken = [sheet.seen(frame.rect) for frame in frames]
        for one in texts(elevation_parts(tuple(named(line) for line in lines), sheet)):
            wide = sheet.ruler.width(one.text, one.size, True)
            top, foot = one.y - sheet.ruler.ascent(one.size, True) + 1, one.y + sheet.ruler.descent(one.size, True) - 1
            met = [at for at in taken if _meet((one.x, top, wide, foot - top), at)]
            assert not met, (scale, one.text)
            taken.append((one.x, top, wide, foot - top))


@pytest.mark.parametrize("units", [24, 42, 48])
def test_room_for_names_is_only_kept_where_racks_are_wide_enough_for_names(units):
    for per_row, columns, n_lines in itertools.product((1, 2, 8, 60), (1, 2, 3), range(1, 30)):
        made = spacing_of(per_row * (WIDTH + GAP), units * UNIT, columns, n_lines)
        assert made.header == HEADER or made.scale * WIDTH >= NAMED_PX


def named(line):
    """A line whose racks are empty, so that all its texts are names and titles."""
    return replace(line, frames=tuple(replace(frame, boxes=()) for frame in line.frames))


def _meet(one, other):
    (x, y, width, height), (left, top, wide, high) = one, other
    return x < left + wide and left < x + width and y < top + high and top < y + height


@pytest.mark.parametrize("servers", [127, 1000, 3000])
def test_titles_of_all_rows_and_of_what_is_in_no_rack_show_where_a_window_shows_all_racks(servers):
    design = placed(servers)
    loose = [place for one, place in design.placements.items() if design.is_switch(one)]
    design.apply(Edit("Take out", tuple(Change(one, replace(one, rack_id=None, unit=None)) for one in loose)))
    lines = elevation(design)
    width = max(frame.rect[2] for line in lines for frame in line.frames)
    height = max(line.y for line in lines)
    written = [one.text for one in texts(elevation_parts(lines, sheet_at(min(900 / width, 520 / height))))]
    assert all(any(one.startswith(line.title) for one in written) for line in lines)


def test_no_two_racks_of_different_kinds_are_cut_to_one_number():
    design = Design()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=127), load()))
    kinds = {rack.name.split("-")[0] for rack in design.racks.values()}
    assert kinds == {"rack", "net"}
    lines, plan = elevation(design), floor_plan(design)
    for scale in np.geomspace(0.03, 0.5, 25).tolist():
        for parts in (elevation_parts(lines, sheet_at(scale)), floor_parts(plan, design, sheet_at(scale))):
            numbers = [one.text for one in texts(parts) if one.turn and one.text.isdigit()]
            assert len(numbers) in (0, 32), "the racks of servers alone, which are the most"
            assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("scale", [0.25, 0.28, 0.32, 0.4])
def test_a_device_of_several_units_has_its_name_as_soon_as_its_box_has_room_for_small_letters(racks, scale):
    boxes = [box for frame in frames_of(racks) for box in frame.boxes]
    wide, high = (np.array([sheet_at(scale).seen(box.rect)[2:] for box in boxes])).T
    large = {box.name for box, w, h in zip(boxes, wide, high, strict=True) if w >= 48.0 and h >= 30.0}
    assert large <= {one.text for one in texts(elevation_parts(racks, sheet_at(scale)))}
    assert large or scale < 0.28


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        (0.3, ["su1-r1 to", "su1-r8"]),
        (0.34, ["leaf-su1-r1 to", "leaf-su1-r8"]),
        (0.4, [f"leaf-su1-r{rail}" for rail in range(1, 9)]),
        (0.56, [f"leaf-su1-r{rail}" for rail in range(1, 9)]),
    ],
)
def test_devices_too_low_for_their_names_are_named_together_from_the_first_to_the_last(racks, scale, said):
    frame = next(one for one in frames_of(racks) if one.boxes[0].name.startswith("leaf-su1"))
    parts = list(elevation_parts((replace(racks[0], frames=(frame,)),), sheet_at(scale)))
    names = [
        one.text for one in texts(parts) if one.text.startswith("leaf") or one.text in said or "QM9700" in one.text
    ]
    assert sorted(set(names)) == sorted(said)
    x, top, width, height = sheet_at(scale).seen(frame.rect)
    at = [one for one in texts(parts) if one.text in said]
    assert all(x < one.x and one.x + EstimatedRuler().width(one.text, one.size) < x + width for one in at)
    assert all(top < one.y < top + 8.5 * height / frame.units for one in at), "over these devices alone"


NOT_ON_DEVICES = ("Racks (front)", "net-01", "8/42 U, 13.76 kW", "8/42 U, 13.8 kW")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (tuple(f"mgmt-{number}" for number in range(8, 0, -1)), ["mgmt-8 to mgmt-1"]),
        (tuple(f"{'ab'[number % 2]}-{number}" for number in range(8)), ["8 × QM9700"]),
        (tuple(f"a-{number + number // 3}" for number in range(8)), ["8 × QM9700"]),
        (("mgmt-2", "mgmt-1", "mgmt-0"), ["mgmt-2", "mgmt-1", "mgmt-0"]),
        (("north", "south"), ["north", "south"]),
        (("alone",), ["alone"]),
    ],
)
def test_only_names_numbered_one_by_one_are_said_from_the_first_to_the_last(racks, names, said):
    frame = next(one for one in frames_of(racks) if len(one.boxes) >= 3 and one.boxes[0].model == "QM9700")
    from_above = sorted(frame.boxes, key=lambda one: one.rect[1])
    frame = replace(frame, boxes=tuple(replace(box, name=name) for box, name in zip(from_above, names)))  # noqa: B905
    parts = elevation_parts((replace(racks[0], frames=(frame,)),), sheet_at(0.34))
    on_devices = [one.text for one in texts(parts) if not one.text.isdecimal() and one.text not in NOT_ON_DEVICES]
    assert " ".join(on_devices) == " ".join(said)


def test_devices_with_a_free_unit_between_them_are_not_named_together(racks):
    frame = next(one for one in frames_of(racks) if len(one.boxes) >= 3 and one.boxes[0].model == "QM9700")
    apart = sorted(frame.boxes, key=lambda one: one.rect[1])[::2][:2]
    parts = elevation_parts((replace(racks[0], frames=(replace(frame, boxes=tuple(apart)),)),), sheet_at(0.3))
    assert not [one.text for one in texts(parts) if "×" in one.text or " to " in one.text]


@pytest.mark.parametrize(("count", "said"), [(2, ["a1", "a2"]), (3, ["a1 to a3"])])
def test_names_of_several_devices_stand_over_these_alone(racks, count, said):
    frame = next(one for one in frames_of(racks) if len(one.boxes) >= 3 and one.boxes[0].model == "QM9700")
    few = sorted(frame.boxes, key=lambda one: one.rect[1])[:count]
    few = [replace(box, name=f"a{number}") for number, box in enumerate(few, 1)]
    parts = elevation_parts((replace(racks[0], frames=(replace(frame, boxes=tuple(few)),)),), sheet_at(0.22))
    assert [one.text for one in texts(parts) if one.text.startswith("a")] == said


def stacked(racks, *models, first_unit=42, apart=1):
    """A rack of devices of these models, from the top down, each so many units below the one before."""
    frame = next(one for one in frames_of(racks) if len(one.boxes) >= 8 and one.boxes[0].model == "QM9700")
    box = frame.boxes[0]
    placed = tuple(
        replace(
            box,
            id=f"d{number}",
            name=f"{model.lower()}-{number}",
            model=model,
            rect=frame.rect_of_units(first_unit - number * apart, 1),
        )
        for number, model in enumerate(models)
    )
    return replace(frame, boxes=placed), {one.name: one for one in placed}


def named_in(racks, frame, boxes, scale):
    """The names that are written of these devices, each with where it is in units from the middle of its own."""
    sheet, ruler = sheet_at(scale), EstimatedRuler()
    parts = elevation_parts((replace(racks[0], frames=(frame,)),), sheet)
    found = {}
    for one in texts(parts):
        if one.text in boxes:
            _, y, _, height = sheet.seen(boxes[one.text].rect)
            middle = one.y - (ruler.ascent(one.size) - ruler.descent(one.size)) / 2
            found[one.text] = (middle - y - height / 2) / (UNIT * scale)
    return found


@pytest.mark.parametrize("scale", [0.2, 0.25, 0.3, 0.36, 0.4, 0.5, 0.6, 1.0])
def test_a_single_low_device_has_its_name_wherever_letters_do_not_hide_its_rack(racks, scale):
    frame, boxes = stacked(racks, "A", "B", "C", apart=4)
    assert named_in(racks, frame, boxes, scale).keys() == boxes.keys()
    assert not named_in(racks, frame, boxes, 0.16)


def test_two_low_devices_of_two_models_are_both_named_and_their_names_do_not_touch(racks):
    frame, boxes = stacked(racks, "A", "B")
    for scale in (0.25, 0.3, 0.36):
        named = named_in(racks, frame, boxes, scale)
        assert named.keys() == boxes.keys()
        (upper, lower) = named.values()
        assert -0.5 <= upper <= 0.0 <= lower <= 0.5
        assert (1 + lower - upper) * UNIT * scale >= 7.0 - 1e-6, "as far apart as small letters are high"


@pytest.mark.parametrize(("scale", "every"), [(0.42, 1), (0.35, 2), (0.25, 2), (0.19, 3)])
def test_in_a_stack_of_many_models_every_second_device_is_named_or_every_third_from_the_top(racks, scale, every):
    frame, boxes = stacked(racks, *"ABABABABAB")
    named = named_in(racks, frame, boxes, scale)
    assert list(named) == list(boxes)[::every]
    assert all(abs(off) < 1e-6 for off in named.values()), "each on its own device"


def test_names_of_low_devices_are_cut_to_their_numbers_before_they_are_left_out(racks):
    frame, _ = stacked(racks, "A-VERY-LONG-KIND-OF-SWITCH-", "B", apart=3)
    parts = elevation_parts((replace(racks[0], frames=(frame,)),), sheet_at(0.3))
    written = [one.text for one in texts(parts)]
    assert "b-1" in written and any(one.endswith("0") and "…" in one for one in written)


def test_no_line_of_a_box_runs_through_a_name_that_is_as_high_as_the_box(racks):
    frame, boxes = stacked(racks, *"ABAB")
    for scale in (0.4, 0.45, 0.5):
        sheet = sheet_at(scale)
        parts = list(elevation_parts((replace(racks[0], frames=(frame,)),), sheet))
        for box in boxes.values():
            group = next(one for one in flat(parts) if isinstance(one, Group) and one.title.startswith(box.name))
            drawn = list(group.parts)
            name = next(one for one in drawn if isinstance(one, Text) and one.text == box.name)
            under = [one for one in drawn[: drawn.index(name)] if isinstance(one, Rect) and one.pen is None]
            _, y, _, height = sheet.seen(box.rect)
            plate = under[-1]
            assert plate.x < name.x and plate.x + plate.width > name.x + sheet.ruler.width(name.text, name.size, True)
            assert y - 1e-6 <= plate.y and plate.y + plate.height <= y + height + 1e-6, "and covers no other device"


def flat(parts):
    for one in parts:
        yield one
        if isinstance(one, Group):
            yield from flat(one.parts)


@pytest.mark.parametrize(("scale", "model"), [(0.55, ""), (0.7, "QM9700"), (1.0, "QM9700")])
def test_a_model_beside_a_name_is_written_in_full_or_not_at_all(racks, scale, model):
    frame = next(one for one in frames_of(racks) if one.boxes[0].name.startswith("leaf-su1"))
    parts = elevation_parts((replace(racks[0], frames=(frame,)),), sheet_at(scale))
    assert {one.text for one in texts(parts) if "Q" in one.text} == ({model} if model else set())
