"""Devices in the same units of a rack stand side by side, each outlined and named, and nothing covers another."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.elevation import elevation_parts
from designer.drawing.parts.primitives import Group, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import WIDTH, elevation
from designer.drawing.theme import DARK, LIGHT
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Rack

CATALOG = load()


def rack_of(*units, type_id="dgx-h100"):
    """A rack with servers of eight units from these units on, named gpu-1, gpu-2 and so on."""
    design = Design()
    design.apply(edit := operations.add_rack(design, CATALOG.get("rack-48u"), 0, 0, "rack"))
    rack_id = next(one.after.id for one in edit.changes if isinstance(one.after, Rack))
    for number, unit in enumerate(units, start=1):
        edit = operations.add_device(
            design, CATALOG.get(type_id), 0, 0, catalog_types=CATALOG.types, name=f"gpu-{number}"
        )
        design.apply(edit)
        device_id = next(one.after.id for one in edit.changes if isinstance(one.after, Device))
        place = design.placements[device_id]
        design.apply(Edit("put", (Change(place, replace(place, rack_id=rack_id, unit=unit)),)))
    return design


def boxes_of(design):
    return {one.name: one for line in elevation(design) for frame in line.frames for one in frame.boxes}


def width(box):
    return box.rect[2] - box.rect[0]


def test_devices_alone_in_their_units_have_the_whole_width():
    assert {width(one) for one in boxes_of(rack_of(1, 9, 17)).values()} == {WIDTH}
    assert not any(one.shares_with for one in boxes_of(rack_of(1, 9, 17)).values())


@pytest.mark.parametrize(
    ("units", "columns", "shared"),
    [
        ((1, 1), {"gpu-1": 0, "gpu-2": 1}, {"gpu-1": ("gpu-2",), "gpu-2": ("gpu-1",)}),
        ((1, 8), {"gpu-1": 0, "gpu-2": 1}, {"gpu-1": ("gpu-2",), "gpu-2": ("gpu-1",)}),
        (
            (1, 5, 10),
            {"gpu-1": 0, "gpu-2": 1, "gpu-3": 0},
            {"gpu-1": ("gpu-2",), "gpu-2": ("gpu-1", "gpu-3"), "gpu-3": ("gpu-2",)},
        ),
    ],
)
def test_devices_that_share_units_stand_in_columns_side_by_side(units, columns, shared):
    found = boxes_of(rack_of(*units))
    assert {width(one) for one in found.values()} == {WIDTH / 2}
    left = min(one.rect[0] for one in found.values())
    assert {name: round((one.rect[0] - left) / (WIDTH / 2)) for name, one in found.items()} == columns
    assert {name: one.shares_with for name, one in found.items()} == shared


def test_what_stands_above_or_below_them_keeps_the_whole_width():
    found = boxes_of(rack_of(1, 9, 9, 17))
    assert [width(found[f"gpu-{one}"]) for one in (1, 2, 3, 4)] == [WIDTH, WIDTH / 2, WIDTH / 2, WIDTH]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_they_are_outlined_as_errors_and_say_with_whom_they_share(theme):
    sheet = Sheet.of_view(Viewport(Camera(1.0, -100, -100), 40_000, 30_000), theme, EstimatedRuler())
    (rack,) = (one for one in elevation_parts(elevation(rack_of(1, 1, 20)), sheet) if isinstance(one, Group))
    devices = {one.title.split("\n")[0]: one for one in rack.parts if isinstance(one, Group)}
    assert "Same units as gpu-2 (RACK-001)" in devices["gpu-1"].title.split("\n")
    assert "Same units" not in devices["gpu-3"].title
    borders = {name: next(one.pen for one in group.parts if isinstance(one, Rect)) for name, group in devices.items()}
    assert borders["gpu-1"].colour == borders["gpu-2"].colour == theme.error != borders["gpu-3"].colour
