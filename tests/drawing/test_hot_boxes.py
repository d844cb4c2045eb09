"""Hot links inside boxes that stand for many devices leap to the eye: outlined, named, and never covered."""

import re
from dataclasses import replace

import numpy as np
import pytest
from drawn_texts import texts
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.folding import hot_inside as of_boxes
from designer.drawing.folding.hot_inside import _counted, _first_in, hot_inside
from designer.drawing.folding.stacks import Stack
from designer.drawing.heat import Heat, are_hot, hottest
from designer.drawing.hot_spots import between_boxes
from designer.drawing.overlay import NO_OVERLAY
from designer.drawing.parts import document as of_documents
from designer.drawing.parts.document import SLIDE, Size, document, document_picture
from designer.drawing.parts.hot_boxes import LARGE_SIZE, OUTLINE_PX, THIN_PX, beacons, hot_boxes
from designer.drawing.parts.legend import WIDTH_PX
from designer.drawing.parts.primitives import Group, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stack_words import words_of
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import collapsing

SAID_INSIDE = re.compile(r"inside up to ([^<]*)<")


@pytest.fixture
def tree(generated):
    design = generated("k-ary-fat-tree", k=4)
    design.apply(collapsing.collapse_all(design))
    return design


def inner_links(design, pod):
    """The links of a pod's servers, from the server to the switch."""
    inside = set(design.members(pod.id))
    return [one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= inside]


def heat_of(design, loads, demands, measure="peak"):
    idle = dict.fromkeys(design.links, (0.0, 0.0))
    return Heat(0, idle | loads, congested=demands, measure=measure)


def sheet_of(composition, scale=0.5):
    left, top, right, bottom = composition.bounds
    area = (0.0, 0.0, (right - left) * scale + 600, (bottom - top) * scale + 200)
    return Sheet(Camera(scale, left - 300 / scale, top - 100 / scale), area, LIGHT, EstimatedRuler())


def pods(design):
    return [one for one in design.groups.values() if one.kind == "pod"]


def test_a_box_names_the_most_wanted_link_inside_as_its_traffic_goes(tree):
    first, second, third = inner_links(tree, pods(tree)[1])[:3]
    loads = {first.id: (0.2, 1.0), second.id: (1.0, 0.0), third.id: (0.9, 0.9)}
    heat = heat_of(tree, loads, {first.id: (0.0, 8191.0)})
    composition = Composition(tree)
    [found] = hot_inside(composition.projection, heat)
    name = tree.devices[first.b.device_id].name + " → " + tree.devices[first.a.device_id].name
    assert (found.n_hot, found.n_congested, found.demand, found.name) == (2, 1, 8191.0, name), (
        "full by design is not hot"
    )
    assert composition.projection.title_at(found.row) == pods(tree)[1].name
    drawn = list(hot_boxes(document_picture(composition, LIGHT, heat), sheet_of(composition)))
    assert list(texts(drawn)) == [f"{name}: demand 8,191×"]
    (outline,) = [one for one in drawn if isinstance(one, Rect)]
    assert outline.pen.width == OUTLINE_PX
    box = sheet_of(composition).boxes(composition.boxes)[found.row].tolist()
    assert [outline.x, outline.y, outline.width, outline.height] == box, "half of it leaves the gap to the next box"
    assert f"{name}: demand 8,191×" in svg_of(tree, heat=heat)


def test_boxes_without_hot_links_and_heat_of_bytes_have_no_outline(tree):
    link = inner_links(tree, pods(tree)[0])[0]
    composition = Composition(tree)
    for loads, demands, measure in (
        ({link.id: (0.7, 0.0)}, {}, "peak"),
        ({link.id: (1.0, 0.0)}, {}, "peak"),
        ({link.id: (1.0, 0.0)}, {link.id: (2.0, 0.0)}, "bytes"),
    ):
        heat = heat_of(tree, loads, demands, measure)
        assert not list(hot_boxes(document_picture(composition, LIGHT, heat), sheet_of(composition)))
    assert not list(hot_boxes(document_picture(composition, LIGHT), sheet_of(composition)))


def test_plates_cover_neither_boxes_nor_each_other_and_the_most_wanted_come_first(tree):
    loads, demands = {}, {}
    for number, pod in enumerate(pods(tree)):
        link = inner_links(tree, pod)[0]
        loads[link.id], demands[link.id] = (1.0, 0.0), (2.0 + number, 0.0)
    heat = heat_of(tree, loads, demands)
    composition = Composition(tree)
    found = hot_inside(composition.projection, heat)
    assert [one.demand for one in found] == [5.0, 4.0, 3.0, 2.0], "the most wanted first"
    sheet = sheet_of(composition, 0.2)
    drawn = list(hot_boxes(document_picture(composition, LIGHT, heat), sheet))
    assert sum(isinstance(one, Rect) for one in drawn) == 4
    plates = [
        (one.at[0], one.at[1], one.parts[0].width, one.parts[0].height) for one in drawn if isinstance(one, Group)
    ]
    assert plates
    rects = [*plates, *(tuple(one) for one in sheet.boxes(composition.boxes).tolist())]
    for number, (x, y, width, height) in enumerate(plates):
        assert sheet.contains(x, y)
        assert sheet.contains(x + width, y + height)
        for left, top, wide, high in rects[:number] + rects[number + 1 :]:
            assert x >= left + wide or left >= x + width or y >= top + high or top >= y + height


@pytest.mark.parametrize("first_demand", [2.0, 4.0])
def test_of_very_many_boxes_one_plate_speaks_for_all_and_low_boxes_have_thin_outlines(generated, first_demand):
    """It names the worst where one is: of those alike, other lists would name others."""
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(collapsing.collapse_all(design))
    groups = [one for one in design.groups.values() if one.kind != "fabric"]
    links = [inner_links(design, group)[0] for group in groups]
    demands = {link.id: (2.0 + 1e-12 * number, 0.0) for number, link in enumerate(links)}
    demands[links[0].id] = first_demand, 0.0
    heat = heat_of(design, {link.id: (1.0, 0.0) for link in links}, demands)
    composition = Composition(design)
    low = 6.0 / composition.boxes[:, 3].min()
    sheet = sheet_of(composition, low)
    drawn = list(hot_boxes(document_picture(composition, LIGHT, heat), sheet))
    first = links[0]
    name = " → ".join(design.devices[end.device_id].name for end in (first.a, first.b))
    named = f"{name}: demand 4.0×; congested links in {len(groups) - 1} more boxes"
    alike = f"Congested links inside {len(groups)} boxes, demand 2.0×"
    assert list(texts(drawn)) == [named if first_demand > 2.0 else alike]
    if first_demand == 2.0:
        [plate] = (one for one in drawn if isinstance(one, Group))
        boxes = sheet.boxes(composition.boxes)
        assert plate.at[1] > (boxes[:, 1] + boxes[:, 3]).max(), "below all of them, not across"
    outlines = [one for one in drawn if isinstance(one, Rect)]
    assert len(outlines) == len(groups) > 6
    assert max(one.pen.width for one in outlines) < OUTLINE_PX


def test_every_box_with_hot_links_is_outlined_and_counted_however_many_there_are(generated):
    design = generated("dragonfly", p=1, a=8, h=10)
    design.apply(collapsing.collapse_all(design))
    groups = [one for one in design.groups.values() if one.kind != "fabric"]
    heat = heat_of(design, {inner_links(design, group)[0].id: (0.85, 0.0) for group in groups}, {})
    composition = Composition(design)
    picture = document_picture(composition, LIGHT, heat)
    drawn = list(hot_boxes(picture, sheet_of(composition)))
    assert len(groups) == 81
    assert sum(isinstance(one, Rect) for one in drawn) == len(groups)
    assert list(texts(drawn)) == [f"Hot links inside {len(groups)} boxes, 85 %"]


def test_only_boxes_with_congested_links_stand_out_where_there_are_any(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(collapsing.collapse_all(design))
    groups = [one for one in design.groups.values() if one.kind != "fabric"]
    links = [inner_links(design, group)[:2] for group in groups]
    loads = {link.id: (0.97, 0.0) for pair in links for link in pair} | {link.id: (1.0, 0.0) for link in links[-2]}
    heat = heat_of(design, loads, {link.id: (1.1, 0.0) for link in links[-2]})
    composition = Composition(design)
    drawn = list(hot_boxes(document_picture(composition, LIGHT, heat), sheet_of(composition)))
    [said] = texts(drawn)
    assert said.endswith(": 2 congested links inside, demand 1.1×"), "the others are hot alone"
    widths = [one.pen.width for one in drawn if isinstance(one, Rect)]
    assert widths == [THIN_PX] * (len(groups) - 1) + [OUTLINE_PX], "the widest last, over its neighbors"


def test_of_equal_boxes_the_one_with_the_first_link_is_named(generated):
    design = generated("dragonfly", p=1, a=8, h=4)
    design.apply(collapsing.collapse_all(design))
    groups = [one for one in design.groups.values() if one.kind != "fabric"]
    inside = [inner_links(design, group)[0] for group in groups]
    first = min(inside, key=list(design.links.values()).index)
    heat = heat_of(design, {one.id: (1.0, 0.0) for one in inside}, {one.id: (2.0, 0.0) for one in inside})
    found = hot_inside(Composition(design).projection, heat)
    ends = (design.devices[end.device_id].name for end in (first.a, first.b))
    assert found[0].name == " → ".join(ends)


def test_a_short_bundle_between_large_boxes_has_a_beacon(generated):
    design = generated("k-ary-fat-tree", k=4)
    pod = pods(design)[0]
    inside = [one for one in design.members(pod.id) if one in design.devices]
    for role in ("leaf", ""):
        ids = [one for one in inside if design.devices[one].role == role]
        design.apply(collapsing.collapse_role(design, ids))
    link = next(one for one in inner_links(design, pod) if design.devices[one.a.device_id].role == "")
    heat = heat_of(design, {link.id: (0.0, 1.0)}, {link.id: (0.0, 8.0)})
    composition = Composition(design)
    picture = document_picture(composition, LIGHT, heat)
    x1, y1, x2, y2 = picture.hot.ends[0].tolist()
    middle = composition.centres[composition.projection.ends[picture.hot.rows[0]]].reshape(4)
    seen, whole = np.hypot(x2 - x1, y2 - y1), np.hypot(*(middle[2:] - middle[:2]))
    assert 0 < seen < whole
    scale = 0.9 * 12.0 / seen  # the bundle is shorter than can be seen, its middles are far apart
    assert whole * scale > 12.0
    sheet = sheet_of(composition, scale)
    ((ends, demand),) = (said.split(": ") for said in texts(beacons(picture, sheet)))
    assert demand == "demand 8.0×"
    assert set(ends.split(" – ")) == {design.devices[one.device_id].name for one in (link.a, link.b)}

    (_, (plate, text)) = (part.parts for part in beacons(picture, sheet))
    assert plate.x > 0 and text.size == LARGE_SIZE
    at = sheet.camera.to_view((x1 + x2) / 2, (y1 + y2) / 2)
    narrow = replace(sheet, area=(at[0] - 500.0, at[1] - 500.0, 500.0 + plate.width, 1000.0))
    (_, (plate, _)) = (part.parts for part in beacons(picture, narrow))
    assert plate.x + plate.width < 0, "left of the mark where the sheet ends"


def test_what_shows_between_boxes_is_a_point_where_they_touch():
    xy = np.array([[0.0, 0.0, 0.0, 100.0], [0.0, 0.0, 100.0, 0.0], [5.0, 5.0, 5.0, 5.0], [0.0, 0.0, 10.0, 0.0]])
    sizes = np.array([[[20.0, 20.0], [20.0, 40.0]], [[0.0, 0.0], [20.0, 20.0]], [[4.0, 4.0]] * 2, [[30.0, 30.0]] * 2])
    assert between_boxes(xy, sizes).tolist() == [
        [0.0, 10.0, 0.0, 80.0],
        [0.0, 0.0, 90.0, 0.0],
        [5.0, 5.0, 5.0, 5.0],
        [5.0, 0.0, 5.0, 0.0],
    ]


def test_a_box_with_room_below_its_name_says_all_devices(generated):
    design = generated("k-ary-fat-tree", k=8)
    design.apply(collapsing.collapse_all(design))
    composition = Composition(design)
    row = composition.projection.box_of(pods(design)[0].id)
    _, _, width, height = composition.boxes[row].tolist()
    scale = 62.0 / height
    assert width * scale < 200
    said = list(texts(stacks(document_picture(composition, LIGHT), sheet_of(composition, scale))))
    assert {"16 hosts", "4 leaf switches", "4 spines"} <= set(said)
    assert not any("…" in one for one in said)


@given(
    st.lists(
        st.tuples(st.sampled_from((-1, 3, 4, 5, 6)), st.sampled_from((0.0, 1.0, 8.0)), st.sampled_from((0.9, 2.0))),
        min_size=1,
    ),
    st.sampled_from((1, 4096)),
)
def test_the_link_a_box_names_is_the_one_that_sorting_all_puts_first(links, n_read):
    boxes, demands, drawn = (np.array(one) for one in zip(*links, strict=True))
    order = np.lexsort((np.arange(len(boxes)), -drawn, -demands, boxes))
    order = order[are_hot(drawn)[order] & (boxes[order] >= 0)]
    found, first, times = np.unique(boxes[order], return_index=True, return_counts=True)
    rows = hottest(drawn, demands)
    counts = _counted(boxes[rows], 9)
    assert counts[found].tolist() == times.tolist() and counts.sum() == times.sum()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_boxes, "FIRST_READ", n_read)
        lead = _first_in(boxes[rows], found, 9)
    assert rows[lead].tolist() == order[first].tolist()


def test_a_plate_keeps_clear_of_what_lies_over_the_drawing(tree):
    link = inner_links(tree, pods(tree)[1])[0]
    heat = heat_of(tree, {link.id: (1.0, 0.0)}, {link.id: (8.0, 0.0)})
    composition = Composition(tree)
    picture, sheet = document_picture(composition, LIGHT, heat), sheet_of(composition)
    (plate,) = [one for one in hot_boxes(picture, sheet) if isinstance(one, Group)]
    x, y = plate.at
    legend = (x - 5.0, y - 5.0, 25.0, 10.0)
    moved = [one for one in hot_boxes(picture, replace(sheet, reserved=(legend,))) if isinstance(one, Group)]
    assert all(one.at[1] >= y + 5.0 or one.at[1] + one.parts[0].height <= y - 5.0 for one in moved)
    everything = replace(sheet, reserved=((0.0, 0.0, 1e6, 1e6),))
    assert not any(isinstance(one, Group) for one in hot_boxes(picture, everything))


def test_the_load_inside_a_box_is_said_in_full_in_fewer_words_where_it_is_narrow():
    sheet = Sheet(Camera(1.0), (0.0, 0.0, 1e4, 1e4), LIGHT, EstimatedRuler())
    stack, said = Stack("Pod 1", "", -1, 1.0, "100 %"), {}
    for width in range(60, 400):
        words = words_of(stack, stack.name, lambda: "", sheet, (width, 60.0), 12)
        said[", ".join(words.lines) or words.beside] = width
    assert [*said] == ["100 %", "up to 100 %", "inside up to 100 %"]


@pytest.fixture
def hot_units(example):
    """A design of four closed units with a hot link in each, and its heat."""
    design = example("superpod-h100-4su")
    inside = [inner_links(design, one)[0].id for one in design.groups.values() if one.kind == "scalable unit"]
    design.apply(collapsing.collapse_all(design))
    return design, heat_of(design, dict.fromkeys(inside, (0.9, 0.0)), {})


def plates_and_legend(hot_units, size):
    """The places of the plates of boxes in a document, and the left, top and right of its legend of heat."""
    made = document(hot_units[0], LIGHT, hot_units[1], frozenset(), NO_OVERLAY, EstimatedRuler(), size)
    groups = {one.id: one for one in made.layers}
    parts = list(groups["hottest"].parts)
    plates, boxes = ([one for one in parts if isinstance(one, kind)] for kind in (Group, Rect))
    legend, places = groups["legend"], [(*one.at, one.parts[0].width, one.parts[0].height) for one in plates]
    assert len(places) == 4
    return places, max(one.y + one.height for one in boxes), (*legend.at, legend.at[0] + WIDTH_PX * legend.zoom)


SIZES = pytest.mark.parametrize("size", [SLIDE, Size(1000.0, 700.0), None])


@SIZES
def test_a_document_has_room_below_boxes_for_plates_of_hot_links_inside(hot_units, size):
    places, foot, legend = plates_and_legend(hot_units, size)
    assert all(top > foot and top + height <= legend[1] for _, top, _, height in places)


@SIZES
def test_no_legend_of_a_document_covers_a_plate_where_there_is_no_such_room(hot_units, size, monkeypatch):
    monkeypatch.setattr(of_documents, "HOT_ROOM_PX", -40.0)
    monkeypatch.setattr(of_documents, "CAPTION_ROOM_PX", -40.0)
    monkeypatch.setattr(of_documents, "MARGIN", 0.0)
    places, _, (start, above, end) = plates_and_legend(hot_units, size)
    assert all(top + height <= above or x >= end or x + width <= start for x, top, width, height in places)


@pytest.mark.parametrize(
    ("demands", "why"),
    [((0.0, 0.0), "full by design"), ((8.0, 0.0), "congested"), ((-0.5, 0.0), "full at times"), (None, "")],
)
def test_a_box_says_why_the_busiest_link_inside_is_full(tree, demands, why):
    first = inner_links(tree, pods(tree)[0])[0]
    heat = heat_of(tree, {first.id: (1.0, 0.0)}, None if demands is None else {first.id: demands})
    assert {one for one in SAID_INSIDE.findall(svg_of(tree, heat=heat)) if "100" in one} == {
        f"100 % ({why})" if why else "100 %"
    }


def test_why_it_is_full_is_left_out_where_a_box_is_narrow():
    sheet = Sheet(Camera(1.0), (0.0, 0.0, 1e4, 1e4), LIGHT, EstimatedRuler())
    stack = Stack("Pod 1", "", -1, 1.0, "100 %", "", "full by design")
    said = {width: words_of(stack, stack.name, lambda: "", sheet, (width, 60.0), 12) for width in (125, 300)}
    assert [", ".join(one.lines) or one.beside for one in said.values()] == [
        "inside up to 100 %",
        "inside up to 100 % (full by design)",
    ]
