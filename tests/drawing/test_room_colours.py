"""Racks and what stands in them have the colors that devices have on the canvas, and the key explains them."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from designer.drawing.camera import Camera
from designer.drawing.colouring import Choice, Colouring
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.floor import LEAST_PIECE_PX, PIECE_FILL, floor_parts
from designer.drawing.parts.primitives import Group, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.projection import Projection
from designer.drawing.room.elevation import elevation
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import DARK, LIGHT, mixed
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import drawing_of
from designer.exchange.svg_writing import svg_text
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.colour_keys import DEVICE_KEYS
from designer.model.edit import Change, Edit
from designer.model.looks import colour_devices
from designer.model.removing import delete
from designer.placement import floor
from designer.storage import document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"
EVERYTHING = (-10_000.0, -10_000.0, 60_000.0, 60_000.0)


@pytest.fixture
def design():
    loaded = document.load(EXAMPLE)
    loaded.apply(floor.place_racks(loaded, {one: (0.6 * number, 0.0) for number, one in enumerate(loaded.racks)}))
    return loaded


def sheet(theme=LIGHT):
    return Sheet(Camera(), EVERYTHING, theme, EstimatedRuler())


def classes_of(design, key, theme=LIGHT):
    colouring = Colouring(Projection(design))
    colouring.choose(Choice(key))
    return colouring.of_devices(theme, design.placements)


def rects(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from rects(part.parts)
        elif isinstance(part, Rect):
            yield part


def drawn_as(parts, title):
    """The colors of the rectangles in the group of that title."""
    for part in parts:
        if isinstance(part, Group):
            if part.title.split("\n")[0] == title:
                return list(rects(part.parts))
            if found := drawn_as(part.parts, title):
                return found
    return []


def rack_of(design, name):
    return next(one for one in design.racks.values() if one.name == name)


def tagged(design, tags):
    """With these tags, by the ids of devices."""
    changes = (Change(design.device(one), replace(design.device(one), tags=(tag,))) for one, tag in tags.items())
    design.apply(Edit("Tag", tuple(changes)))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("key", [one.name for one in DEVICE_KEYS if one.name != "kind"])
def test_a_device_has_one_color_on_the_canvas_and_in_its_rack(design, key, theme):
    composition = Composition(design)
    composition.colouring.choose(Choice(key))
    coloured = composition.picture(theme, Detail(LinkDetail.SINGLES)).coloured
    canvas = {
        device_id: coloured.box_colours[coloured.boxes[row]]
        for row, device_id in enumerate(composition.projection.device_ids)
    }
    classes = classes_of(design, key, theme)
    parts = list(elevation_parts(elevation(design), sheet(theme), marked=Marked(classes=classes)))
    for device in list(design.devices.values())[::12]:
        face, stripe, *_ = drawn_as(parts, device.name)
        assert face.ink.colour == canvas[device.id].fill
        assert stripe.ink.colour == canvas[device.id].stripe
    assert [one for one in coloured.keys if not one.is_of_links] == list(classes.keys)


def test_without_a_choice_kinds_have_the_colors_and_there_is_no_key(design):
    assert classes_of(design, "kind") is None


def test_a_color_of_its_own_lies_over_the_kinds_in_the_room_too(design):
    one = next(iter(design.devices))
    design.apply(colour_devices(design, [one], "#c0362c"))
    classes = classes_of(design, "kind")
    assert classes.look(one).stripe == "#c0362c"
    other = next(each for each in design.devices if each != one)
    assert classes.look(other) is None
    assert Marked(classes=classes).colours(other, 2, LIGHT) == LIGHT.boxes[2]
    assert [each.colour for key in classes.keys for each in key.swatches] == ["#c0362c"]


def test_a_rack_of_one_class_has_its_color_and_one_of_several_a_piece_for_each_by_share(design):
    rack, other = rack_of(design, "rack-01"), rack_of(design, "rack-02")
    first, *rest = design.mounted(rack.id)
    tagged(design, {first: "blue"} | dict.fromkeys([*rest, *design.mounted(other.id)], "green"))
    assert len(rest) == 3
    classes = classes_of(design, "tag")
    plan = floor_plan(design)

    def drawn(name):
        return drawn_as(list(floor_parts(plan, design, sheet(), Marked(classes=classes))), name)

    blue, green = (classes.look(one) for one in (first, rest[0]))
    whole, front, *_ = drawn("rack-02")
    assert (whole.ink.colour, front.ink.colour) == (mixed(green.stripe, LIGHT.background, PIECE_FILL), green.stripe)
    pieces = drawn("rack-01")
    assert [one.ink.colour for one in pieces[1:4:2]] == [blue.stripe, green.stripe]
    room = whole.width - 2 * LEAST_PIECE_PX
    widths = [LEAST_PIECE_PX + share * room for share in (0.25, 0.75)]
    assert [one.width for one in pieces[:4]] == pytest.approx([widths[0]] * 2 + [widths[1]] * 2)
    assert pieces[2].x == pytest.approx(pieces[0].x + widths[0])
    assert pieces[4].ink is None, "one outline around both"


def test_of_many_devices_the_only_one_with_an_error_shows_in_its_rack(design):
    rack = rack_of(design, "net-05")
    held = design.mounted(rack.id)
    tagged(design, {held[0]: "odd"})
    parts = floor_parts(floor_plan(design), design, sheet(), Marked(classes=classes_of(design, "tag")))
    assert drawn_as(list(parts), "net-05")[0].width >= LEAST_PIECE_PX


def test_an_empty_rack_and_what_differs_in_a_comparison_look_as_ever(design):
    rack, classes = rack_of(design, "rack-01"), classes_of(design, "role")

    def drawn(marked):
        return drawn_as(list(floor_parts(floor_plan(design), design, sheet(), marked)), "rack-01")

    tints = {rack.id: "#102030"}
    assert drawn(Marked(tints=tints, classes=classes)) == drawn(Marked(tints=tints)) != drawn(Marked(classes=classes))
    design.apply(delete(design, design.mounted(rack.id)))
    assert drawn(Marked(classes=classes_of(design, "role"))) == drawn(Marked())


def written(page):
    return svg_text(page.area, page.title, page.description, page.layers)


def svg_of(design, **options):
    return written(drawing_of(design, DiagramOptions(**options))(EstimatedRuler()))


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_exports_of_the_room_have_the_colors_that_the_design_or_the_options_say_and_their_key(design, view):
    assert "Devices by" not in svg_of(design, view=view)
    by_role = svg_of(design, view=view, color_devices_by="role")
    assert "Devices by tier and role" in by_role and ">Spine<" in by_role
    design.apply(operations.set_settings(design, color_devices_by="role"))
    assert svg_of(design, view=view) == by_role
    look = classes_of(design, "role").look(next(iter(design.devices)))
    assert look.stripe in by_role
    without = svg_of(design, view=view, legend=False)
    assert look.stripe in without and "Devices by" not in without
    servers = svg_of(design, view=view, racks=("rack-01",))
    assert ">Server<" in servers and ">Spine<" not in servers, "of what is drawn alone"


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_the_key_of_an_export_stands_below_the_racks_within_the_page(design, view):
    page = drawing_of(design, DiagramOptions(view=view, color_devices_by="role"))(EstimatedRuler())
    bare = drawing_of(design, DiagramOptions(view=view))(EstimatedRuler())
    key = next(one for one in page.layers if one.id == "colors")
    (left, top, width, height), before = page.area, bare.area
    assert before[:3] == page.area[:3] and before[1] + before[3] - 0.1 <= key.at[1] < top + height
    root = ET.fromstring(written(page))
    assert root is not None and left < key.at[0] < left + width


def test_a_legend_put_on_the_floor_explains_the_same_in_place_of_the_one_below(design):
    options = DiagramOptions(view="floor", color_devices_by="role")
    below = svg_of(design, view="floor", color_devices_by="role")
    design.apply(annotate(design, "legend", (0, 300), (400, 320), on_floor=True))
    page = drawing_of(design, options)(EstimatedRuler())
    assert all(one.id != "colors" for one in page.layers)
    drawn = written(page)
    assert "Devices by tier and role" in below and "Devices by tier and role" in drawn and ">Spine<" in drawn
    by_kind = svg_of(design, view="floor")
    assert "Racks by kind of devices" in by_kind and ">Server<" in by_kind


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_exports_by_status_show_what_is_marked_as_failed(design, view):
    plain = svg_of(design, view=view, color_devices_by="status")
    failed = svg_of(design, view=view, color_devices_by="status", fail=("spine-01",))
    assert "Failed" not in plain and ">Failed<" in failed
