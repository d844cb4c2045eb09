"""Tiers outside groups have titles: how many switches of which type, and the links to what stands below."""

from dataclasses import replace

import numpy as np
import pytest

from designer.analysis.new_designs import new_design
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of, n_crossed
from designer.drawing.device_rates import DeviceRates
from designer.drawing.folding.levels import Levels
from designer.drawing.level_of_detail import detail_at
from designer.drawing.overlay import Overlay
from designer.drawing.parts.annotations import zone_titles
from designer.drawing.parts.frames import titles
from designer.drawing.parts.primitives import Rect, Text
from designer.drawing.parts.row_captions import RAISED_PX, placed_titles, tiers
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT, SPINE
from designer.drawing.tier_odds import odd_ones
from designer.drawing.tier_titles import _block
from designer.exchange.diagram_svg import svg_of
from designer.model import collapsing, operations
from designer.model.annotating import annotate
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies.presets import family_of, networks_of, preset_named, values_of


def said(composition):
    return [(one.text, one.note) for one in composition.tier_titles]


def drawn(composition, width=1500.0, height=900.0):
    camera = fitting(composition.bounds, width, height)
    sizes = len(composition.boxes), len(composition.bundles.pairs), len(composition.projection.link_ids)
    picture = composition.picture(LIGHT, detail_at(camera.scale, *sizes))
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())


def test_spines_over_units_say_their_type_and_the_links_down(example):
    composition = Composition(example("superpod-h100-4su"))
    model = composition.design.device_type(next(one.id for one in composition.design.switches())).model
    assert said(composition) == [("16 spines", f"{model} · 1,024 × 400G to 32 leaf switches")]


def test_what_is_collapsed_below_a_tier_is_counted_as_what_it_is(example):
    design = example("superpod-h100-4su")
    open_, units = said(Composition(design)), [one.id for one in design.groups.values() if one.kind != "fabric"]
    design.apply(collapsing.collapse(design, units[:2]))
    levels = Levels(Composition(design)).at(1.0)
    picture = levels.picture(LIGHT, detail_at(1.0, 10, 10, 10))
    assert [(one.text, one.note) for one in picture.tier_titles] == open_


def test_every_tier_without_groups_has_a_title_with_what_stands_below(generated):
    design = generated("pgft", children=(6, 4, 3), parents=(1, 3, 2), parallel=(1, 2, 1))
    for device in [one for one in design.devices.values() if one.group_id is not None]:
        design.apply(Edit("Ungroup", (Change(device, replace(device, group_id=None)),)))
    found = dict(said(Composition(design)))
    n_links = {
        name: sum(
            {design.devices[end.device_id].role for end in (link.a, link.b)} == set(roles)
            for link in design.links.values()
        )
        for name, roles in (("cores", ("core", "spine")), ("spines", ("spine", "leaf")))
    }
    assert any(text.endswith("cores") and f"{n_links['cores']} × 400G to" in note for text, note in found.items())
    assert any(text.endswith("spines") and f"{n_links['spines']} × 400G to" in note for text, note in found.items())
    assert any(
        text.endswith("leaf switches") and note.endswith("hosts") and "spine" not in note
        for text, note in found.items()
    )


def test_links_of_other_networks_are_not_counted_and_run_below_the_title(catalog):
    preset = preset_named("dgx-superpod-b200-4su-all-networks")
    values = {**values_of(preset), **networks_of(preset)}
    design = new_design(family_of(preset), values, catalog, "DGX SuperPOD", "none").design
    composition = Composition(design)
    (title,) = composition.tier_titles
    assert title.note.endswith("· 1,024 × 400G to 32 leaf switches")
    first = composition.rect_of(next(one.id for one in design.devices.values() if one.name == "spine-01"))
    assert title.rect[1] == composition.link_paths.xy[:, [1, 3]].min() < first[1]


def test_a_single_switch_has_no_title(generated):
    titled = said(Composition(generated("pgft", children=(4, 4), parents=(1, 1))))
    assert [text for text, _ in titled] == ["4 leaf switches"]


def test_planes_are_counted_and_switches_without_one_are_not(generated):
    design = generated(
        "rail-optimized",
        switch="nvidia-sn5600",
        server="dgx-h100",
        servers=32,
        planes=2,
        plane_by="nic",
        servers_per_su=32,
    )
    text, note = said(Composition(design))[0]
    assert text.endswith(" in 2 planes") and "leaf switches" in note
    spine = next(one for one in design.devices.values() if one.role == "spine")
    design.apply(Edit("Plane", (Change(spine, replace(spine, plane=None)),)))
    assert "planes" not in said(Composition(design))[0][0]


def test_switches_out_of_their_row_or_around_others_have_no_title(example):
    design = example("superpod-h100-4su")
    titled = said(Composition(design))
    one, other = (
        design.placements[next(device.id for device in design.devices.values() if device.name == name)]
        for name in ("spine-01", "spine-02")
    )
    apart = (Change(one, replace(one, y=one.y - 80.0)), Change(other, replace(other, y=other.y - 160.0)))
    move = Edit("Move", apart)
    design.apply(move)
    assert said(Composition(design)) == []
    design.apply(move.inverted())
    assert said(Composition(design)) == titled != []
    server = design.placements[next(iter(design.servers())).id]
    design.apply(Edit("Between", (Change(server, replace(server, x=one.x + 60.0, y=one.y)),)))
    assert said(Composition(design)) == []


def test_links_of_several_rates_are_counted_without_one(example):
    composition = Composition(example("superpod-h100-4su"))
    spine = composition.projection.kinds == SPINE
    row = int(np.flatnonzero(spine[composition.projection.ends].any(axis=1))[0])
    known = DeviceRates(composition.projection.n_own)
    known._known[:] = np.nan  # links are asked one by one
    composition.projection._rates = known
    composition.rates._known[row] = 200.0
    assert said(composition)[0][1].endswith(" · 1,024 links to 32 leaf switches")


def test_a_title_stands_above_its_row_and_covers_no_box(example):
    picture, sheet = drawn(Composition(example("superpod-h100-4su")))
    (placed,) = placed_titles(picture, sheet)
    boxes = sheet.boxes(picture.boxes)
    first = boxes[[picture.caption(row).name == "spine-01" for row in range(len(boxes))]][0]
    assert placed.x == pytest.approx(first[0]) and placed.y + placed.height <= first[1]
    plate, title, note = tiers(picture, sheet)
    assert isinstance(plate, Rect) and (title.text, note.text) == (placed.text, placed.note)
    assert isinstance(title, Text) and title.bold and note.x > title.x


def test_a_title_at_the_edge_of_a_view_is_without_its_note(example):
    picture, sheet = drawn(Composition(example("superpod-h100-4su")))
    (placed,) = placed_titles(picture, sheet)
    narrow = replace(sheet, area=(0.0, 0.0, placed.x + placed.width - 1.0, sheet.area[3]))
    assert [one.note for one in placed_titles(picture, narrow)] == [""]


def test_a_note_that_would_cover_a_box_is_left_out_and_then_the_title(example):
    composition = Composition(example("superpod-h100-4su"))
    picture, sheet = drawn(composition)
    (placed,) = placed_titles(picture, sheet)

    def with_box_at(x):
        left, top = sheet.camera.to_canvas(x, placed.y)
        return replace(picture, boxes=np.vstack((picture.boxes, (left, top, 1.0, 1.0))))

    (short,) = placed_titles(with_box_at(placed.x + placed.width - 2), sheet)
    assert short.text == placed.text and not short.note
    assert placed_titles(with_box_at(placed.x + 5), sheet) == []


def test_titles_of_groups_name_types_and_rails_where_there_is_room(example):
    composition = Composition(example("superpod-h100-4su"))

    def notes(width):
        picture, sheet = drawn(composition, width)
        found = titles(picture, sheet)
        return {part.text for part in found if isinstance(part, Text) and not part.bold}

    assert "32 servers (DGX H100), 8 leaf switches (QM9700), rails 1-8" in notes(2000.0)
    assert "32 servers, 8 switches, rails 1-8" in notes(1300.0)
    assert "32 servers, 8 switches" in notes(800.0)


def test_a_document_has_them_and_leaves_them_out_with_all_labels(example):
    design = example("superpod-h100-4su")
    assert ">16 spines<" in svg_of(design)
    assert ">16 spines<" not in svg_of(design, overlay=Overlay(labels=False))


def by_hand(catalog):
    """Two spines in the middle over four leaf switches, and eight servers below as wide."""
    design = Design()
    rows = (
        ("nvidia-qm9700", "spine", (400.0, 800.0), 0.0),
        ("nvidia-qm9700", "leaf", (0.0, 400.0, 800.0, 1200.0), 300.0),
    )
    rows += (("dgx-h100", "", tuple(number * 180.0 - 30.0 for number in range(8)), 600.0),)
    for type_id, role, places, y in rows:
        for x in places:
            type_ = catalog.get(type_id)
            design.apply(operations.add_device(design, type_, x, y, role=role, catalog_types=catalog.types))
    ids = list(design.devices)
    design.apply(operations.connect_evenly(design, ids[2:6], ids[:2], 4))
    design.apply(operations.connect_evenly(design, ids[6:], ids[2:6], 2))
    return design


@pytest.mark.parametrize("width", [700.0, 1500.0, 2500.0])
def test_no_title_covers_a_line_where_there_is_room_next_to_its_tier(catalog, width):
    composition = Composition(by_hand(catalog))
    left, top, right, bottom = composition.bounds
    camera = fitting((left - 600.0, top - 100.0, right + 600.0, bottom), width, 900.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    sheet = Sheet.of_view(Viewport(camera, width, 900.0), LIGHT, EstimatedRuler())
    placed = {one.text: one for one in placed_titles(picture, sheet)}
    assert set(placed) == {"2 spines", "4 leaf switches"}
    xy = sheet.camera.points_to_view(picture.lines.xy)
    for one in placed.values():
        middle = np.array([[one.x + one.width / 2, one.y + one.height / 2]])
        assert n_crossed(xy, middle, one.width, one.height).tolist() == [0], one.text
    boxes, leafs = sheet.boxes(picture.boxes), placed["4 leaf switches"]
    assert boxes[2, 1] < leafs.y + leafs.height / 2 < boxes[2, 1] + boxes[2, 3], "level with its boxes"


def test_between_rows_as_wide_as_the_sheet_the_ends_of_lines_are_seen_below_a_title(catalog):
    composition = Composition(by_hand(catalog))
    picture, sheet = drawn(composition)
    narrow = replace(sheet, area=(sheet.camera.to_view(-60.0, 0.0)[0], 0.0, 1320.0 * sheet.scale, 900.0))
    leafs = next(one for one in placed_titles(picture, narrow) if one.text == "4 leaf switches")
    assert leafs.y + leafs.height <= sheet.boxes(picture.boxes)[2, 1] - RAISED_PX


def test_a_title_stands_off_the_title_of_a_zone(catalog):
    design = by_hand(catalog)
    composition = Composition(design)
    picture, sheet = drawn(composition)
    before = placed_titles(picture, sheet)[0]
    (left, top), (right, low) = (
        sheet.camera.to_canvas(*at) for at in (before.place[:2], (before.x + 200.0, before.y + 90.0))
    )
    design.apply(annotate(design, "zone", (left - 4.0, top - 4.0), (right, low), text="Spines of hall 2", size=20.0))
    picture = Composition(design).picture(LIGHT, picture.detail)
    zones = [part for part in zone_titles(picture, sheet) if isinstance(part, Rect)]
    after = next((one for one in placed_titles(picture, sheet) if one.text == before.text), None)
    assert zones and (after is None or Taken(corners_of(np.array([part[:4] for part in zones]))).is_free(*after.place))


def test_a_server_with_fewer_links_is_named_with_those_it_has(example):
    design = example("superpod-h100-4su")
    server = design.servers()[5]
    link = next(one for one in design.links.values() if server.id in (one.a.device_id, one.b.device_id))
    design.apply(operations.delete(design, [link.id]))
    seen = Composition(design)
    number = next(n for n, texts in enumerate(seen.tier_words.texts) if "server" in texts[0])
    found = odd_ones(seen.projection, seen.bundles, seen.tier_words, number)
    assert found.lines == (f"{server.name}: 7 links",)
    assert len(found.link_ids) == 7 and found.device_ids == (server.id,)


def sides(composition, room=(600.0, 100.0, 600.0), *, on_screen=True):
    """On which sides of their tiers titles stand, in a view with so much free at the left, above and at the right."""
    left, top, right, bottom = composition.bounds
    camera = fitting((left - room[0], top - room[1], right + room[2], bottom), 1500.0, 900.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    sheet = replace(Sheet.of_view(Viewport(camera, 1500.0, 900.0), LIGHT, EstimatedRuler()), has_signs=on_screen)
    found, rects = set(), {one.text: sheet.seen(one.rect) for one in picture.tier_titles}
    for one in placed_titles(picture, sheet):
        x, y, width, _ = rects[one.text]
        found.add("above" if one.y + one.height <= y else "left" if one.x + one.width <= x else "right")
        assert one.x + one.width <= x or one.x >= x + width or one.y + one.height <= y
    return found


def test_all_titles_stand_on_one_side_of_their_tiers(catalog):
    assert sides(Composition(by_hand(catalog))) == {"left"}
    assert sides(Composition(by_hand(catalog)), (0.0, 100.0, 900.0)) == {"right"}
    assert sides(Composition(by_hand(catalog)), (0.0, 100.0, 0.0)) == {"above"}


def test_titles_stay_on_their_side_while_a_design_grows_and_are_chosen_anew_where_that_has_no_room(catalog):
    design = by_hand(catalog)
    uplinks = [
        one for one in design.links.values() if {one.a.device_id, one.b.device_id} & set(list(design.devices)[:2])
    ]
    cut = operations.delete(design, [one.id for one in uplinks])
    design.apply(cut)
    composition = Composition(design)
    assert sides(composition) == {"above"}  # where nothing is in the way
    design.apply(cut.inverted())
    composition.follow(cut.inverted())
    assert sides(Composition(design)) == {"left"}
    assert sides(composition) == {"above"}
    assert sides(composition, on_screen=False) == {"left"}  # documents of one design are alike


def test_titles_change_sides_where_their_own_has_no_room(catalog):
    composition = Composition(by_hand(catalog))
    assert sides(composition) == {"left"}
    assert sides(composition, (0.0, 100.0, 0.0)) == {"above"}
    assert sides(composition) == {"above"}


@pytest.mark.parametrize(
    ("places", "is_block"),
    [
        ([(0.0, 0.0), (200.0, 0.0), (0.0, 90.0), (200.0, 90.0)], True),
        ([(0.0, 0.0), (200.0, 0.0), (200.0, 90.0), (400.0, 90.0)], True),
        ([(0.0, 0.0), (200.0, 0.0), (400.0, 90.0), (600.0, 90.0)], False),
        ([(0.0, 0.0), (200.0, 0.0), (-400.0, 90.0), (-200.0, 90.0)], False),
        ([(0.0, 0.0), (200.0, 0.0), (400.0, 0.0), (-200.0, 90.0)], True),
    ],
    ids=["below", "staggered", "at the right", "at the left", "one of a row"],
)
def test_rows_of_a_tier_have_one_title_only_where_they_stand_below_each_other(places, is_block):
    boxes = np.array([(x, y, 120.0, 44.0) for x, y in places])
    assert (_block(boxes, np.arange(4)) is not None) == is_block
