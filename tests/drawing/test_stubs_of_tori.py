"""Long links of tori are stubs that name their far ends, and layers have titles; short rings keep their arches."""

import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.arches import arches
from designer.drawing.bundles import Bundles
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken, corners_of
from designer.drawing.geometry import anchors
from designer.drawing.level_of_detail import Detail, LinkDetail, detail_at
from designer.drawing.parts.document import Size
from designer.drawing.parts.primitives import Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.tori import far_ends
from designer.drawing.theme import SERVER, THEMES
from designer.drawing.tori import short_name
from designer.exchange.diagram_svg import svg_of
from designer.model import arranging
from designer.model.edit import Change, Edit
from designer.model.removing import delete

SVG = "{http://www.w3.org/2000/svg}"


def named(composition):
    """The device at each stub, by the place where the stub begins, and the one that it names."""
    ends, stubs = composition.far_ends, composition.stubs
    rows = composition.bundles.pairs[stubs.numbers].reshape(-1)
    ids = composition.projection.device_ids
    names = composition.design.devices
    return {(names[ids[a]].name, names[ids[b]].name) for a, b in zip(rows.tolist(), ends.names.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("dims", "count"), [((5, 5), 0), ((6, 4), 4), ((8, 8), 16), ((4, 4, 4), 0), ((6, 6, 3), 36 + 108), ((4, 4, 3), 48)]
)
def test_rings_of_six_and_more_close_by_stubs(dims, count, generated):
    composition = Composition(generated("torus", dims=dims))
    assert (0 if composition.stubs is None else len(composition.stubs.numbers)) == count


def test_a_mesh_has_no_ring_to_close(generated):
    assert Composition(generated("torus", dims=(8, 8), mesh=True)).stubs is None


def test_each_stub_names_its_far_end_and_leads_out_of_the_row_or_column(generated):
    composition = Composition(generated("torus", dims=(8, 6)))
    pairs = named(composition)
    assert ("router-0-2", "router-7-2") in pairs and ("router-7-2", "router-0-2") in pairs
    assert ("router-3-0", "router-3-5") in pairs and ("router-3-5", "router-3-0") in pairs
    assert len(pairs) == 2 * (6 + 8)
    paths, boxes = composition.link_paths, composition.boxes
    outer = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    found = paths.xy[np.isin(paths.bundles, composition.stubs.numbers)].reshape(-1, 2)
    assert found[:, 0].min() < outer[0][0] and found[:, 1].min() < outer[0][1]
    assert composition.bounds[0] <= found[:, 0].min()


def test_links_from_layer_to_layer_are_stubs_where_one_of_them_is_long(generated):
    composition = Composition(generated("torus", dims=(6, 6, 3)))
    codes = composition.torus.codes[
        np.isin(composition.bundles.of_link[composition.torus.rows], composition.stubs.numbers)
    ]
    assert np.bincount(codes).tolist() == [18, 18, 108]


@pytest.mark.parametrize(
    ("dims", "titles"),
    [
        ((4, 4), [""]),
        ((2, 2, 3), ["Layer 0", "Layer 1", "Layer 2"]),
        ((2, 2, 2, 2), ["Layer 0-0", "Layer 0-1", "Layer 1-0", "Layer 1-1"]),
    ],
)
def test_every_layer_has_its_title_below_it(dims, titles, generated):
    design = generated("torus", dims=dims)
    composition = Composition(design)
    assert sorted(one.text for one in composition.layer_titles) == titles
    for one in filter(lambda one: one.text, composition.layer_titles):
        digits = one.text.removeprefix("Layer ")
        own = [
            row
            for row, device in enumerate(composition.projection.device_ids)
            if design.devices[device].name.endswith(f"-{digits}")
        ]
        rects = composition.boxes[own]
        assert one.x == rects[:, 0].min()
        assert one.y >= (rects[:, 1] + rects[:, 3]).max()


def test_layers_are_in_reading_order_where_their_links_are_stubs_else_to_and_fro(generated):
    def order(dims):
        titles = Composition(generated("torus", dims=dims)).layer_titles
        return [one.text[-1] for one in sorted(titles, key=lambda one: (one.y, one.x))]

    assert order((8, 8, 8)) == list("01234567")
    assert order((4, 4, 8)) == list("01237654")  # the last one next to the first, as lines join them


@pytest.mark.parametrize("dims", [(8, 8, 8), (24, 24)])
def test_from_where_routers_have_no_names_their_coordinates_stand_along_each_layer(dims, generated):
    design = generated("torus", dims=dims)
    root = ET.fromstring(svg_of(design, size=Size(1200.0)))
    n_layers, side = (8, 8) if len(dims) == 3 else (1, 24)
    numbers = [one for one in root.iter(f"{SVG}text") if (one.text or "").isdigit()]
    assert Counter(int(one.text) for one in numbers) == dict.fromkeys(range(side), 2 * n_layers)
    above = sorted((one for one in numbers if one.get("text-anchor") == "middle"), key=lambda one: float(one.get("x")))
    assert [int(one.text) for one in above[:n_layers]][:1] == [0] and int(above[-1].text) == side - 1
    named = ET.fromstring(svg_of(design, size=None))
    assert not [one for one in named.iter(f"{SVG}text") if (one.text or "").isdigit()]


def test_routers_whose_names_are_no_coordinates_or_that_were_moved_have_no_numbers_along_them(generated):
    design = generated("torus", dims=(8, 8, 8))
    (first,) = (one for one in design.devices.values() if one.name == "router-3-2-1")
    renamed = design.snapshot()
    renamed.apply(Edit("Rename", (Change(first, replace(first, name="main router")),)))
    place = design.placements[first.id]
    moved = design.snapshot()
    moved.apply(Edit("Move", (Change(place, replace(place, x=place.x + 30)),)))
    for one in (renamed, moved):
        axes = {title.text: bool(title.columns) for title in Composition(one).layer_titles}
        assert not axes.pop("Layer 1") and len(axes) == 7 and all(axes.values())


def test_an_oblique_cube_has_no_titles_as_its_layers_overlap(generated, catalog):
    design = generated("torus", dims=(3, 3, 3))
    middle = {one: (place.x / 10, place.y / 10) for one, place in design.placements.items()}
    design.apply(arranging.move(design, middle))
    assert Composition(design).layer_titles == ()


def test_stubs_and_titles_follow_edits(generated):
    design = generated("torus", dims=(8, 8))
    composition = Composition(design)
    assert composition.stubs is not None
    (number,) = composition.stubs.numbers[:1].tolist()
    edit = delete(
        design, [composition.projection.link_ids[int(composition.bundles.order[composition.bundles.starts[number]])]]
    )
    design.apply(edit)
    composition.follow(edit)
    assert len(composition.stubs.numbers) == 15
    renamed = Edit("Role", tuple(Change(one, replace(one, role="leaf")) for one in design.devices.values() if one.role))
    design.apply(renamed)
    composition.follow(renamed)
    assert composition.stubs is None


@pytest.mark.parametrize(("name", "short"), [("router-0-12", "0-12"), ("tpu 3", "3"), ("edge", "edge")])
def test_names_of_far_ends_are_coordinates(name, short):
    assert short_name(name) == short


def test_documents_name_far_ends_and_layers(generated):
    drawn = svg_of(generated("torus", dims=(6, 2, 2)))
    assert drawn.count(">5-1-0<") == 1 and drawn.count(">0-1-0<") == 1
    assert ">Layer 0<" in drawn and ">Layer 1<" in drawn


@pytest.mark.parametrize(("scale", "least"), [(0.1, 0), (0.5, 7), (2.0, 18)])
def test_names_of_far_ends_can_be_read_wherever_names_of_devices_are_drawn(scale, least, generated):
    composition = Composition(generated("torus", dims=(8, 8)))
    left, top = composition.bounds[:2]
    sheet = Sheet(Camera(scale, left, top), (0.0, 0.0, 1e5, 1e5), THEMES["light"], EstimatedRuler())
    picture = composition.picture(THEMES["light"], detail_at(scale, 128, 192, 192))
    sizes = {part.size for part in far_ends(picture, sheet) if isinstance(part, Text)}
    assert sizes == ({least} if least else set())


# -- cubes and circuit switches ----------------------------------------------------------------------------------------


def test_links_through_circuit_switches_are_stubs_that_name_the_switch(generated):
    composition = Composition(generated("torus", dims=(4, 4), cube=(2, 2)))
    assert len(composition.stubs.numbers) == 16  # of 32 links those between cubes, however near
    circuits = composition.far_ends.circuits
    assert sorted(set(circuits)) == ["ocs-1-01", "ocs-1-02", "ocs-2-01", "ocs-2-02"]
    drawn = svg_of(composition.design, "light")
    assert drawn.count(">ocs-1-01<") == circuits.count("ocs-1-01") == 8


def test_names_of_circuit_switches_lie_in_the_picture_and_beside_titles(generated):
    composition = Composition(generated("torus", dims=(4, 4, 4), cube=(2, 2, 2)))
    left, top, right, bottom = composition.bounds
    corners = composition.far_ends.corners
    assert (corners >= (left, top)).all() and (corners <= (right, bottom)).all()
    assert corners[:, 1].min() < composition.boxes[:, 1].min() - 30
    cubes = [one for one in composition.containers if one.kind == "cube"]
    assert len(cubes) == 8 and all(one.is_titled_below for one in cubes)
    assert composition.layer_titles == ()


def test_two_lines_of_a_slanting_stub_stand_away_from_the_row(generated):
    composition = Composition(generated("torus", dims=(2, 2, 4), cube=(2, 2, 2)))
    ends = composition.far_ends
    slanting = (ends.across != 0) & (ends.lean != 0)
    assert slanting.any()
    assert (ends.lean[slanting & (ends.across > 0)] == -1).all()
    assert (ends.lean[slanting & (ends.across < 0)] == 1).all()


def test_another_switch_of_a_link_is_drawn_at_once(generated):
    composition = Composition(generated("torus", dims=(4, 4), cube=(2, 2)))
    assert "ocs-9" not in composition.far_ends.circuits
    link = next(one for one in composition.design.links.values() if one.fields)
    edit = Edit("Move", (Change(link, replace(link, fields=(("ocs", "ocs-9"),))),))
    composition.design.apply(edit)
    composition.follow(edit)
    assert list(composition.far_ends.circuits).count("ocs-9") == 2


def test_a_part_of_a_torus_without_links_of_one_dimension_is_drawn(generated):
    design = generated("torus", dims=(4, 4))
    whole = [one for one in design.links.values() if design.is_switch(one.a.device_id)]
    for link in whole[:4]:  # of both dimensions
        part = design.snapshot()
        gone = [one for one in part.devices if one not in (link.a.device_id, link.b.device_id)]
        part.apply(delete(part, gone))
        assert len(part.links) == 1
        assert Composition(part).stubs is None


@pytest.mark.parametrize("dims", [(4, 4), (8, 8), (4, 4, 4), (6, 6, 3), (8, 8, 8)])
@pytest.mark.parametrize("links", [LinkDetail.BUNDLES, LinkDetail.SINGLES])
def test_no_link_between_routers_of_a_row_or_column_slants(dims, links, generated):
    composition = Composition(generated("torus", dims=dims))
    lines = composition.lines(Detail(links))
    stubs = [] if composition.stubs is None else composition.stubs.numbers
    first = lines.links[lines.starts]
    between = ~lines.of_server & ~np.isin(composition.bundles.of_link[first], stubs)
    x1, y1, x2, y2 = lines.xy[between].T
    assert len(x1) > 20
    assert np.all((np.abs(x1 - x2) < 1e-6) | (np.abs(y1 - y2) < 1e-6))


def test_links_on_one_side_of_a_box_stay_apart_and_in_order_where_some_run_straight(generated):
    composition = Composition(generated("hyperx"))
    sides = {}
    for (low, high), xy in zip(composition.bundles.pairs.tolist(), composition.anchors.bundles.tolist(), strict=True):
        for row, (x, y) in ((low, xy[:2]), (high, xy[2:])):
            left, top, _, height = composition.boxes[row].tolist()
            for side, is_on, at in (("l", x == left, y), ("t", y == top, x), ("b", abs(y - top - height) < 1e-6, x)):
                if is_on:
                    sides.setdefault((row, side), []).append(at)
    assert min(np.diff(sorted(places)).min() for places in sides.values() if len(places) > 1) >= 1.0


def test_a_router_stands_straight_over_another_though_servers_hang_beside_the_link(generated):
    composition = Composition(generated("hyperx"))
    names = [composition.projection.title_at(row) for row in range(len(composition.boxes))]
    pair = sorted((names.index("router-0-0"), names.index("router-0-1")))
    (number,) = np.flatnonzero((composition.bundles.pairs == pair).all(axis=1)).tolist()
    x1, _, x2, _ = composition.anchors.bundles[number]
    assert x1 == pytest.approx(x2)


@pytest.mark.parametrize(
    "parameters",
    [
        {"dims": (4, 4), "p": 4},
        {"dims": (8, 8), "p": 4},
        {"dims": (4, 4), "widths": (1, 2), "p": 4},
        {"dims": (4, 3, 3), "p": 3},
    ],
    ids=str,
)
def test_a_column_of_routers_is_joined_straight_between_links_that_leave_for_arches_and_for_hosts(
    parameters, generated
):
    composition = Composition(generated("hyperx", **parameters))
    (low, high), arched = composition.bundles.pairs.T, composition.arches.numbers
    over = np.abs(composition.centres[low, 0] - composition.centres[high, 0]) < 1e-6
    over &= (composition.projection.kinds[low] != SERVER) & (composition.projection.kinds[high] != SERVER)
    over[arched] = False
    x1, _, x2, _ = composition.anchors.links[over[composition.bundles.of_link]].T
    assert len(x1) >= 12
    assert x1 == pytest.approx(x2)
    sides = {}
    for bundle, xy in zip(composition.bundles.of_link.tolist(), composition.anchors.links.tolist(), strict=True):
        for row, (x, y) in zip(composition.bundles.pairs[bundle].tolist(), (xy[:2], xy[2:]), strict=True):
            sides.setdefault((row, y), []).append(x)
    routers = [places for (row, _), places in sides.items() if composition.projection.kinds[row] != SERVER]
    assert min(np.diff(sorted(places)).min() for places in routers if len(places) > 1) >= 4.0


def column_of_two(*pairs):
    """Links of box 0 over 1, two more boxes on either side of 1 in its row, and hosts left (6-9) and right (10-13)."""
    row = [(0.0, 500.0), *((x, 500.0) for x in (-300.0, -600.0, 300.0, 600.0))]
    hosts = [(x, 100.0 + 80 * step) for x in (-150.0, 150.0) for step in range(4)]
    centres = np.array([(0.0, 0.0), *row, *hosts, (0.0, 560.0)])  # below the row, so that arches run above it
    sizes = np.array([*((120.0, 40.0) for _ in range(6)), *((80.0, 40.0) for _ in hosts), (1400.0, 40.0)])
    bundles = Bundles(np.array([(0, 1), *pairs]), np.arange(len(pairs) + 1), np.zeros(len(pairs) + 1, np.bool_))
    past = arches(bundles, centres, sizes, np.zeros(len(pairs) + 1, np.bool_))
    return anchors(centres, sizes, bundles, past).bundles.tolist()


@pytest.mark.parametrize(("first", "own"), [(6, 0), (10, 1)], ids=["left", "right"])
def test_arches_on_one_side_of_a_straight_link_spread_over_the_room_of_the_hosts_on_its_other_box(first, own):
    (x1, _, x2, _), *hosts, left, right = column_of_two(*((0, first + step) for step in range(4)), (1, 3), (1, 5))
    assert x1 == pytest.approx(x2)
    assert (left, right)[own][0] == pytest.approx(np.mean([host[0] for host in hosts]))
    assert left[0] < x2 < right[0]


def test_a_slanting_link_stays_as_it_is_where_no_arch_ends():
    hosts = [*((0, host) for host in (6, 7, 8)), *((1, host) for host in (11, 12, 13))]
    assert column_of_two(*hosts, (2, 5))[0] == column_of_two(*hosts)[0]
    (x1, _, x2, _), *_ = column_of_two(*hosts)
    assert x1 - x2 > 20.0


def test_a_link_that_would_miss_the_smaller_of_its_boxes_is_not_made_straight():
    pairs = np.array([[0, other] for other in range(1, 10)])
    centres = np.array([[0.0, 0.0], [0.0, 200.0], *([700.0 + 90 * step, 200.0] for step in range(8))])
    sizes = np.array([[1000.0, 40.0], *([80.0, 40.0] for _ in range(9))])
    bundles = Bundles(pairs, np.arange(9), np.zeros(9, np.bool_))
    assert abs(anchors(centres, sizes, bundles).links[0, 2]) <= 40.0


@pytest.mark.parametrize(
    ("side", "scale", "are_switches_named"),
    [(2, 0.16, False), (2, 0.3, False), (4, 0.3, False), (4, 0.45, False), (4, 1.0, True), (4, 2.0, True)],
)
def test_names_of_far_ends_cover_no_box_and_no_other_name(side, scale, are_switches_named, generated):
    composition = Composition(generated("torus", dims=(2 * side,) * 3, cube=(side,) * 3))
    left, top = composition.bounds[:2]
    sheet = Sheet(Camera(scale, left, top), (0.0, 0.0, 900.0, 900.0), THEMES["light"], EstimatedRuler())
    picture = composition.picture(THEMES["light"], Detail(LinkDetail.BUNDLES, names=True))
    parts = far_ends(picture, sheet)
    rects = [one for one in parts if isinstance(one, Rect)]
    plates = np.array([(one.x + 1, one.y, one.x + one.width - 1, one.y + one.height) for one in rects])
    names = [one.text for one in parts if isinstance(one, Text)]
    assert len(plates) > 10 and any(one.startswith("ocs-") for one in names) == are_switches_named
    if not are_switches_named:  # their letters have the room that is kept for them else
        boxes = corners_of(sheet.boxes(picture.boxes))
        for number, (x, y, right, bottom) in enumerate(plates.tolist()):
            others = Taken(np.vstack((boxes, np.delete(plates, number, axis=0))))
            assert others.is_free(x, y, right - x, bottom - y)
