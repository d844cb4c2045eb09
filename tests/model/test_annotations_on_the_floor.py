"""Annotations on the floor plan as records: made, refused, moved along, detached, copied, merged, redacted."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import DesignerError, EditError, ParameterError, UnknownEntityError
from designer.exchange.redacting import redacted
from designer.model import operations
from designer.model.annotating import (
    annotate,
    detach,
    is_led,
    move_on_floor,
    place_here,
    place_of,
    point_at,
    point_to,
    pointed_to,
    resize,
    stretch,
    with_pinned,
)
from designer.model.annotation import Annotation
from designer.model.annotation_limits import annotation_faults
from designer.model.design import Design
from designer.model.edit import Edit, added, joined
from designer.model.entities import Placement
from designer.model.fragments import centred_on_floor, copy_fragment, paste
from designer.model.merging.merging import merge
from designer.placement import floor

CATALOG = load()


@pytest.fixture
def room():
    """Two racks 3 m apart, a device that stands on the canvas, and a note pinned to the first rack."""
    design, types = Design(), CATALOG.types
    for name in ("one", "two"):
        design.apply(operations.add_rack(design, types["rack-42u"], 0, 0, name))
    design.apply(floor.place_racks(design, {"r1": (0, 0), "r2": (3, 0)}))
    switch = CATALOG.get("nvidia-qm9700")
    design.apply(operations.add_device(design, switch, 500, 0, catalog_types=types, role="leaf", name="leaf-1"))
    design.apply(annotate(design, "note", (100, 100), (300, 200), on_floor=True, pinned_to="r1", text="Near"))
    return design


def pushed(design, edit):
    design.apply(with_pinned(design, edit))


def test_one_on_the_floor_has_its_middle_in_meters_and_no_placement(room):
    (note,) = room.annotations.values()
    assert (note.x_m, note.y_m, note.dx, note.dy) == (2.0, 1.5, 200.0, 100.0)
    assert note.id not in room.placements
    assert place_of(room, note) == place_here(room, note) == Placement("a1", 200.0, 150.0)
    with pytest.raises(UnknownEntityError, match="no place"):
        place_here(room, Annotation("a9", "note"))


@pytest.mark.parametrize("kind", ["text", "zone", "dimension"])
def test_fixtures_are_no_annotations_there(room, kind):
    with pytest.raises(ParameterError, match="are fixtures"):
        annotate(room, kind, (0, 0), (10, 10), on_floor=True)


def test_half_a_place_and_one_far_away_are_refused(room):
    (note,) = room.annotations.values()
    assert [name for name, _ in annotation_faults(replace(note, y_m=None))] == ["x_m"]
    with pytest.raises(DesignerError):
        room.apply(move_on_floor(room, ["a1"], 2e5, 0))
    assert room.annotations["a1"] == note


def test_it_moves_along_with_its_rack_on_the_floor_and_with_nothing_else(room):
    pushed(room, floor.place_racks(room, {"r1": (1, 2), "r2": (5, 5)}))
    assert (room.annotations["a1"].x_m, room.annotations["a1"].y_m) == (3.0, 3.5)
    pushed(room, operations.move(room, {"r1": (900, 900)}))
    assert (room.annotations["a1"].x_m, room.annotations["a1"].y_m) == (3.0, 3.5), "the canvas is elsewhere"


def test_moved_with_its_rack_in_one_edit_it_moves_once(room):
    both = joined("Move", [floor.place_racks(room, {"r1": (1, 0)}), move_on_floor(room, ["a1"], 1, 0)])
    pushed(room, both)
    assert room.annotations["a1"].x_m == 3.0


def test_one_on_the_canvas_does_not_follow_a_rack_over_the_floor(room):
    (device,) = room.devices
    room.apply(annotate(room, "note", (0, 0), (100, 50), pinned_to=device))
    before = room.placements["a2"]
    pushed(room, floor.place_racks(room, {"r1": (1, 2)}))
    assert room.placements["a2"] == before
    pushed(room, operations.move(room, {device: (600, 0)}))
    assert room.placements["a2"].x == before.x + 100 and room.annotations["a1"].x_m == 3.0


def test_it_points_to_racks_and_those_of_the_canvas_to_devices_and_links(room):
    (device,) = room.devices
    with pytest.raises(EditError, match="can point to a rack or a place"):
        point_to(room, ["a1"], device)
    room.apply(annotate(room, "note", (0, 0), (100, 50)))
    with pytest.raises(EditError, match="a device, a link"):
        point_to(room, ["a2"], "r1")
    room.apply(point_to(room, ["a1"], "r2"))
    assert pointed_to(room, room.annotations["a1"]) == "two" and is_led(room, room.annotations["a1"])
    room.apply(detach(room, ["a1"]))
    assert pointed_to(room, room.annotations["a1"]) == "" and not is_led(room, room.annotations["a1"])
    room.apply(point_at(room, "a1", 500, 150))
    assert (room.annotations["a1"].tip_dx, room.annotations["a1"].tip_dy) == (300.0, 0.0)


def test_it_is_resized_and_stretched_in_one_change_each(room):
    edit = resize(room, "a1", (100, 100), (500, 300))
    assert len(edit.changes) == 1
    room.apply(edit)
    assert (room.annotations["a1"].x_m, room.annotations["a1"].y_m, room.annotations["a1"].dx) == (3.0, 2.0, 400.0)
    room.apply(annotate(room, "arrow", (100, 400), (300, 400), on_floor=True))
    edit = stretch(room, ["a1", "a2"], (100, 100, 500, 400), (100, 100, 300, 250))
    assert len(edit.changes) == 2
    room.apply(edit)
    assert (room.annotations["a1"].dx, room.annotations["a2"].dx) == (200.0, 100.0)
    assert (room.annotations["a2"].x_m, room.annotations["a2"].y_m) == (1.5, 2.5)


def test_one_of_the_canvas_is_not_moved_on_the_floor(room):
    room.apply(annotate(room, "note", (0, 0), (100, 50)))
    with pytest.raises(EditError, match="is on the canvas"):
        move_on_floor(room, ["a2"], 1, 0)
    assert not move_on_floor(room, ["a1"], 0, 0).changes


def test_a_copy_is_pinned_to_the_copy_of_its_rack_and_pasted_around_a_point(room):
    fragment = copy_fragment(room, ["r1", "a1"])
    room.apply(paste(room, centred_on_floor(fragment, (10, 10)), 0, 0))
    note = room.annotations["a2"]
    assert room.racks[note.pinned_to].name == "one-2" and note.pinned_to != "r1"
    rack = room.racks[note.pinned_to]
    assert (note.x_m - rack.x_m, note.y_m - rack.y_m) == pytest.approx((2.0, 1.5))
    alone = copy_fragment(room, ["a1"])
    room.apply(paste(room, alone, 0, 0))
    assert room.annotations["a3"].pinned_to == "" and room.annotations["a3"].x_m == pytest.approx(2.3)


def test_copies_over_the_floor_keep_their_distance(room):
    room.apply(floor.copy_to(room, (5.0, 1.0), ["r1", "a1"]))
    copy = room.annotations["a2"]
    assert (copy.x_m, copy.y_m) == (7.0, 2.5) and room.racks[copy.pinned_to].x_m == 5.0


def test_both_coordinates_of_a_place_are_merged_as_one(room):
    ours, theirs = room.snapshot(), room.snapshot()
    ours.apply(move_on_floor(ours, ["a1"], 1, 0))
    theirs.apply(move_on_floor(theirs, ["a1"], 0, 1))
    assert len(merge(room, ours, theirs).conflicts) == 1


def test_it_is_pinned_again_to_a_rack_that_a_merge_brings_back(room):
    ours, theirs = room.snapshot(), room.snapshot()
    ours.apply(operations.delete(ours, ["r1"]))
    theirs.apply(operations.rename(theirs, "r1", "renamed"))
    assert ours.annotations["a1"].pinned_to == ""
    made = merge(room, ours, theirs, prefer="theirs").made
    assert made.racks["r1"].name == "renamed" and made.annotations["a1"].pinned_to == "r1"


def test_redacted_it_stays_pinned_to_its_rack(room):
    design = room.snapshot()
    rack, note = design.racks["r1"], design.annotations["a1"]
    design.apply(
        Edit("", added([replace(rack, id="acme-7", name="seven"), replace(note, id="a2", pinned_to="acme-7")]))
    )
    copy = redacted(design, CATALOG.types)
    assert all(one.pinned_to in copy.racks and one.x_m == 2.0 for one in copy.annotations.values())
    assert "acme-7" not in copy.racks and len({one.pinned_to for one in copy.annotations.values()}) == 2
