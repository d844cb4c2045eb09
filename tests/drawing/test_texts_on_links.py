"""Counts and notes of links lie on their lines, off boxes, off titles and off each other, in every family."""

import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.counts import CountPlaces, Taken, n_crossed
from designer.drawing.folding.levels import Levels
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import detail_at
from designer.drawing.obstacles import inside
from designer.drawing.parts.frames import title_corners
from designer.drawing.parts.links import counts
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import corners_with_plates, stacks
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import annotating, arranging, collapsing, operations
from designer.model.annotation import CALLOUT, ZONE
from designer.model.design import Design
from designer.model.edit import Change, Edit

WIDTH, HEIGHT = 1200.0, 800.0
FABRICS = {
    "one unit": ("fat-tree", {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 32}),
    "three tiers": ("fat-tree", {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 512}),
    "SuperPOD": ("rail-optimized", {"servers": 127}),
    "32 units": ("rail-optimized", {"servers": 1024}),
    "PGFT": ("pgft", {"children": (8, 8), "parents": (2, 4)}),
    "k = 4": ("k-ary-fat-tree", {"k": 4}),
    "k = 8": ("k-ary-fat-tree", {"k": 8}),
    "k = 16": ("k-ary-fat-tree", {"k": 16}),
    "torus": ("torus", {"dims": (4, 4, 4)}),
    "dragonfly": ("dragonfly", {"p": 2, "a": 4, "h": 2}),
    "large dragonfly": ("dragonfly", {"p": 4, "a": 8, "h": 4}),
    "dragonfly+": ("dragonfly-plus", {"leafs": 4, "spines": 4, "p": 4, "h": 4}),
    "HyperX": ("hyperx", {"dims": (4, 4), "p": 4}),
    "NVL72": ("scale-up", {"servers": 9, "groups": 4, "upper_switches": 4}),
    "Slim Fly": ("slim-fly", {"q": 5, "p": 3}),
    "Jellyfish": ("jellyfish", {"switches": 30, "degree": 6, "p": 4}),
    "graph": ("graph", {"graph": "grid", "arguments": "8,8", "p": 2}),
}


def fitted(design, magnified=1.0, heat=None):
    """The picture that fits a sheet, or its middle so many times as large; with the sheet."""
    whole = Composition(design)
    left, top, right, bottom = whole.bounds
    scale = magnified * min(2.0, 0.92 * WIDTH / (right - left), 0.92 * HEIGHT / (bottom - top))
    seen = Levels(whole).at(scale)
    of = seen.projection
    detail = detail_at(scale, len(of.device_ids), len(seen.bundles.pairs), len(of.link_ids))
    camera = Camera(scale, (left + right - WIDTH / scale) / 2, (top + bottom - HEIGHT / scale) / 2)
    sheet = Sheet(camera, (0.0, 0.0, WIDTH, HEIGHT), LIGHT, EstimatedRuler())
    return seen.picture(LIGHT, detail, heat), sheet


def plates_of(picture, sheet):
    """Left, top, right and bottom of each plate of a text on a link, and the texts."""
    places, texts = [], []
    for part in counts(picture, sheet):
        assert isinstance(part, Group)
        for one in part.parts:
            if isinstance(one, Rect):
                x, y = part.at[0] + one.x, part.at[1] + one.y
                places.append((x, y, x + one.width, y + one.height))
            elif isinstance(one, Text):
                texts.append(one.text)
    return np.array(places).reshape(-1, 4), texts


def over(one, other):
    """Which rectangles of one list lie over which of the other."""
    return ((one[:, None, :2] < other[None, :, 2:] - 0.1) & (one[:, None, 2:] > other[None, :, :2] + 0.1)).all(axis=2)


def check(picture, sheet):
    plates, texts = plates_of(picture, sheet)
    boxes, titles = sheet.boxes(picture.boxes), title_corners(picture, sheet)
    for others in (boxes, titles):
        assert not over(plates, others + np.pad(others[:, :2], ((0, 0), (2, 0)))).any()
    assert over(plates, plates).sum() == len(plates)
    return plates, texts


@pytest.mark.parametrize("magnified", [1.0, 2.0, 6.0])
@pytest.mark.parametrize("name", FABRICS)
def test_no_text_of_a_link_lies_over_a_box_a_title_or_another_one(name, magnified, generated):
    family, parameters = FABRICS[name]
    check(*fitted(generated(family, **parameters), magnified))


@pytest.mark.parametrize("name", FABRICS)
def test_nor_where_groups_are_collapsed(name, generated):
    family, parameters = FABRICS[name]
    design = generated(family, **parameters)
    groups = [one.id for one in design.groups.values() if one.kind != "fabric"]
    for chosen in (groups[:1], groups):
        if chosen:
            design.apply(collapsing.collapse(design, chosen))
            check(*fitted(design))


def pod(catalog, columns):
    """Two spines, four leafs and, in a group, eight servers, by hand."""
    design = Design()

    def add(type_id, role, count, pitch, y, per_row):
        ids = []
        for number in range(count):
            x, down = number % per_row * pitch, y + 60 * (number // per_row)
            type_ = catalog.get(type_id)
            design.apply(operations.add_device(design, type_, x, down, role=role, catalog_types=catalog.types))
            ids.append(list(design.devices)[-1])
        return ids

    spines, leafs = add("nvidia-qm9700", "spine", 2, 400, 0, 2), add("nvidia-qm9700", "leaf", 4, 300, 200, 4)
    servers = add("dgx-h100", "", 8, 150, 400, columns)
    design.apply(operations.connect_evenly(design, leafs, spines, 4))
    design.apply(operations.connect_evenly(design, servers, leafs, 2))
    design.apply(arranging.group(design, servers, "servers"))
    return design


@pytest.mark.parametrize("columns", [8, 4, 2])
def test_nor_in_a_pod_by_hand_before_and_after_its_servers_are_collapsed(columns, catalog):
    design = pod(catalog, columns)
    _, texts = check(*fitted(design))
    assert [one for one in texts if one.endswith(BRIEF)] == [BRIEF if columns == 8 else SERVERS]
    assert "2 × 400G" not in texts
    design.apply(collapsing.collapse(design, list(design.groups)))
    _, texts = check(*fitted(design))
    assert texts.count("16 × 400G") == 4


def test_counts_cover_no_other_line_where_they_are_written_once_for_a_tier_otherwise(example):
    design = example("superpod-h100-4su")
    picture, sheet = fitted(design)
    _, texts = plates_of(picture, sheet)
    assert texts == ["Leaf to spine: 2 × 400G per pair"], "servers are too near to their leaf switches for a note"
    units = [one.id for one in design.groups.values() if one.kind != "fabric"]
    design.apply(collapsing.collapse(design, units))
    _, texts = plates_of(*fitted(design))
    assert texts == ["SU to spine: 16 × 400G per pair"]


def test_a_note_stands_between_its_two_rows_where_there_is_room(catalog):
    picture, sheet = fitted(pod(catalog, 8))
    plates, texts = check(picture, sheet)
    middle = {row: sheet.boxes(picture.boxes)[row, 1] for row in range(14)}  # spines, leafs, servers
    server = plates[texts.index(BRIEF)]  # without the names of the tiers it stands off all lines
    assert middle[2] < server[1] < server[3] < middle[6]


BRIEF = "8 × 400G per server"
SERVERS, STORAGE_NOTE = "Server to leaf: 8 × 400G per server", "Storage: 2 × 400G per server"


def with_storage(catalog, x, y):
    """The pod, with a switch that all servers have storage links to, at a place."""
    design = pod(catalog, 8)
    servers = [one.id for one in design.servers()]
    for one in servers:
        for slot in ("storage1", "storage2"):
            design.apply(operations.install_module(design, one, catalog.get("connectx-7-ndr-2p"), slot))
    type_ = catalog.get("nvidia-qm9700")
    design.apply(operations.add_device(design, type_, x, y, role="storage", catalog_types=catalog.types))
    switch = list(design.devices)[-1]
    design.apply(operations.connect_evenly(design, servers, [switch], 2))
    return design


def test_links_of_another_network_are_summed_up_once_and_no_note_stands_on_them(catalog):
    picture, sheet = fitted(with_storage(catalog, 1900.0, 200.0))
    plates, texts = check(picture, sheet)
    assert [one for one in texts if "400G" in one].count(STORAGE_NOTE) == 1
    assert BRIEF in texts, "shorter, as it stands at the end of its gap"
    assert not [one for one in texts if one in ("2 × 400G", "×2")]
    tiers, lines = picture.tiers(), picture.lines
    of = tiers.of_link[lines.links[lines.starts]]
    storage = next(number for number, one in enumerate(tiers.notes) if one is not None and STORAGE_NOTE in one.texts)
    xy = sheet.camera.points_to_view(lines.xy)
    for place, text in zip(plates, texts, strict=True):
        foreign = xy[(of == storage) != (text == STORAGE_NOTE)]
        crossed = inside(foreign, np.tile(place[:2], (len(foreign), 1)), np.tile(place[2:], (len(foreign), 1)))
        assert not crossed.any(), text


@pytest.mark.parametrize("kind", [ZONE, CALLOUT])
def test_a_note_stands_off_leaders_and_borders_of_zones(catalog, kind):
    design = pod(catalog, 8)
    picture, sheet = fitted(design)
    plates, texts = plates_of(picture, sheet)
    before = plates[texts.index(BRIEF)]
    x, y = sheet.camera.to_canvas((before[0] + before[2]) / 2, (before[1] + before[3]) / 2)
    if kind == ZONE:
        edit = annotating.annotate(design, ZONE, (x, y), (x + 600.0, y + 60.0))
    else:
        edit = annotating.annotate(design, CALLOUT, (x, y - 900.0), (x + 90.0, y - 800.0), tip=(x - 20.0, y + 90.0))
    design.apply(edit)
    picture = Composition(design).picture(LIGHT, picture.detail)
    plates, texts = plates_of(picture, sheet)
    assert BRIEF not in texts or not over(plates[[texts.index(BRIEF)]], before[None]).any()


def test_counts_of_one_picture_are_all_long_or_all_short(catalog):
    design = with_storage(catalog, 1900.0, 200.0)
    for magnified in (0.4, 1.0, 2.0):
        picture, sheet = fitted(design, magnified)
        _, texts = plates_of(replace(picture, tiers=lambda: None), sheet)
        counted = [one for one in texts if one.startswith("×") or one[0].isdigit()]
        assert len({one.startswith("×") for one in counted}) <= 1


def test_links_between_boxes_of_many_are_counted_once_where_these_are_of_two_kinds(generated):
    design = generated("rail-optimized", servers=96, servers_per_su=2)
    units = [one.id for one in design.groups.values() if one.kind == "scalable unit"]
    design.apply(collapsing.collapse(design, units))
    design.apply(collapsing.collapse_kind(design, [one.id for one in design.devices.values() if one.role == "spine"]))
    _, texts = check(*fitted(design))
    assert len(units) == 48 and texts == ["Spine to core: 64 × 400G per pair", "SU to spine: 16 × 400G per SU"]


def test_pods_say_once_how_many_links_each_has_to_the_cores(generated):
    design = generated("k-ary-fat-tree", k=16)
    design.apply(collapsing.collapse(design, [one.id for one in design.groups.values() if one.kind == "pod"]))
    design.apply(collapsing.collapse_kind(design, [one.id for one in design.devices.values() if one.role == "core"]))
    _, texts = check(*fitted(design))
    assert texts == ["Pod to core: 64 × 400G per pod"]


def test_near_by_counts_that_are_clear_of_other_lines_stand_on_each_line(catalog):
    design = pod(catalog, 8)
    design.apply(collapsing.collapse(design, list(design.groups)))
    picture, sheet = fitted(design)
    plates, texts = plates_of(picture, sheet)
    xy = sheet.camera.points_to_view(picture.lines.xy)
    for place, text in zip(plates, texts, strict=True):
        if text == "16 × 400G":
            assert np.count_nonzero(inside(xy, place[None, :2], place[None, 2:])) == 1


def test_a_note_counts_the_few_pairs_that_differ_and_tiers_with_unlike_links_have_none(example):
    design = example("superpod-h100-4su")
    spine = next(one for one in design.switches() if one.role == "spine")
    links = [one.id for one in design.links.values() if spine.id in (one.a.device_id, one.b.device_id)]
    ends = {design.devices[end.device_id] for end in (design.links[links[0]].a, design.links[links[0]].b)}
    leaf, spine_name = sorted(one.name for one in ends)
    design.apply(operations.delete(design, links[:1]))
    _, texts = plates_of(*fitted(design))
    assert f"Leaf to spine: 2 × 400G per pair ({leaf} – {spine_name}: 1)" in texts, "the only one has its name"
    of_pair = {tuple(sorted((one.a.device_id, one.b.device_id))): one.id for one in design.links.values()}
    leafs = {one.id for one in design.switches() if one.role == "leaf"}
    between = [link for pair, link in of_pair.items() if not any(map(design.is_server, pair)) and leafs & {*pair}]
    design.apply(operations.delete(design, between[:80]))
    _, texts = plates_of(*fitted(design))
    assert texts == []


def test_with_heat_texts_of_hot_links_keep_clear_of_titles_too(example):
    design = example("superpod-h100-4su")
    some = list(design.links)[1020:1026]
    heat = Heat(0, dict.fromkeys(some, (0.2, 1.0)), congested=dict.fromkeys(some, (0.0, 3.0)))
    picture, sheet = fitted(design, heat=heat)
    plates, _ = check(picture, sheet)
    assert len(plates) > 2


def test_counts_of_single_lines_keep_clear_of_titles(catalog):
    picture, sheet = fitted(pod(catalog, 8))
    _, texts = check(replace(picture, tiers=lambda: None), sheet)
    assert texts.count("2 × 400G") >= 8


@pytest.mark.parametrize("magnified", [1.0, 1.5])
def test_counts_that_all_say_the_same_cover_no_other_line_and_no_plate_behind_a_box(magnified, generated):
    design = generated("torus", dims=(16, 16, 16), cube=(4, 4, 4))
    picture, sheet = fitted(design, magnified)
    assert picture.stacks is not None and picture.detail.counts
    plates, texts = check(picture, sheet)
    assert set(texts) == ({"16 × 400G"} if magnified > 1.0 else set())
    assert not over(plates, corners_with_plates(picture, sheet)).any()
    lines = sheet.camera.points_to_view(picture.lines.xy)
    for left, top, right, bottom in plates.tolist():
        middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
        assert n_crossed(lines, middle, right - left, bottom - top).tolist() == [1], "its own alone"


def test_a_count_stands_on_no_plate_behind_a_box(generated):
    picture, sheet = fitted(generated("torus", dims=(8, 8, 8), cube=(4, 4, 4)))
    plates, _ = check(picture, sheet)
    assert len(plates)
    assert not over(plates, corners_with_plates(picture, sheet)).any()


def test_a_note_stands_where_the_fewest_lines_run_and_a_place_can_be_given_back():
    lines = np.array([[x, 0.0, x, 100.0] for x in np.linspace(80.0, 120.0, 9)])
    places = CountPlaces(lines, Taken(np.empty((0, 4))), (0.0, 0.0, 300.0, 100.0))
    spots = np.array([[100.0, 50.0], [200.0, 50.0]])
    assert places.place_in(spots, 40.0, 10.0) == (200.0, 50.0)
    assert places.place_in(spots, 40.0, 10.0) == (100.0, 50.0)
    assert places.place_in(spots, 40.0, 10.0) is None
    places.give_back(1)
    assert places.place_in(spots, 40.0, 10.0) == (100.0, 50.0)
    assert places.place_on(lines[1], 12.0, 8.0, clear=True) is None
    assert places.place_on(lines[0], 8.0, 8.0, clear=True) is not None


def test_places_that_one_count_leaves_again_are_free_for_the_note(example):
    design = example("superpod-h100-4su")
    design.apply(collapsing.collapse(design, [one.id for one in design.groups.values() if one.kind != "fabric"][:2]))
    picture, sheet = fitted(design)
    alone, tiers = replace(picture, detail=replace(picture.detail, counts=False)), picture.tiers()
    assert plates_of(picture, sheet)[0].tolist() == plates_of(alone, sheet)[0].tolist()
    assert len(tiers.notes) == 3


@pytest.mark.parametrize(("width", "step"), [(1200, 1), (900, 2), (600, 2)])
def test_rows_of_narrow_boxes_have_all_numbers_or_every_so_many(width, step, generated, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "WIDTH", float(width))
    picture, sheet = fitted(generated("rail-optimized", servers=512, servers_per_su=8))
    places = {}
    for group in stacks(picture, sheet):
        for text in (one for one in group.parts if isinstance(one, Text)):
            if text.text.isdecimal():
                half = sheet.ruler.width(text.text, text.size, True) / 2
                places[int(text.text)] = (group.at[0] + text.x - half, group.at[0] + text.x + half)
    assert sorted(places) == list(range(step, 65, step))
    inner = sorted(places.values())
    assert all(one[1] < other[0] for one, other in pairwise(inner))


def test_a_note_names_the_only_server_with_fewer_links(example):
    design = example("superpod-h100-4su")
    server = next(iter(design.servers()))
    (link, *_) = design.links_of(server.id)
    design.apply(operations.delete(design, [link.id]))
    composition = Composition(design)
    texts = [text for note in composition.tier_words.texts for text in note]
    assert f"Server to leaf: 8 × 400G per server ({server.name}: 7)" in texts
    assert "Server to leaf: 8 × 400G per server (1 server differs)" in texts, "where the name has no room"


def test_a_note_counts_the_few_pairs_without_links_and_does_not_speak_for_all_where_many_lack_them(example):
    design = example("superpod-h100-4su")
    spines = [one.id for one in design.switches() if one.role == "spine"]
    pairs = {}
    for one in design.links.values():
        if one.a.device_id in spines or one.b.device_id in spines:
            pairs.setdefault(frozenset((one.a.device_id, one.b.device_id)), []).append(one.id)
    of_pair = list(pairs.values())
    design.apply(operations.delete(design, of_pair[0]))
    assert "Leaf to spine: 2 × 400G per pair (1 pair without links)" in plates_of(*fitted(design))[1]
    design.apply(operations.delete(design, of_pair[1][:1]))
    said = "Leaf to spine: 2 × 400G per pair (leaf-su1-r1 – spine-02: 1, 1 pair without links)"
    assert said in plates_of(*fitted(design))[1]
    design.apply(operations.delete(design, [*of_pair[1][1:], *(link for pair in of_pair[2:512:5] for link in pair)]))
    assert "Leaf to spine: 2 × 400G per linked pair" in plates_of(*fitted(design))[1]


def test_a_note_counts_the_pairs_of_a_switch_that_no_link_leads_to(example):
    design = example("superpod-h100-4su")
    spine = next(one.id for one in design.switches() if one.role == "spine")
    links = [one.id for one in design.links.values() if spine in (one.a.device_id, one.b.device_id)]
    design.apply(operations.delete(design, links))
    assert "Leaf to spine: 2 × 400G per pair (32 pairs without links)" in plates_of(*fitted(design))[1]


def test_a_switch_that_no_link_leads_to_is_of_no_pod(generated):
    design = generated("pgft", children=(8, 4, 2), parents=(1, 2, 2))
    leaf = next(one.id for one in design.switches() if one.role == "leaf")
    links = [one.id for one in design.links.values() if leaf in (one.a.device_id, one.b.device_id)]
    design.apply(operations.delete(design, links))
    assert not [one for one in plates_of(*fitted(design))[1] if "without" in one or "linked pair" in one]


def test_pairs_of_different_pods_lack_no_links(generated):
    texts = plates_of(*fitted(generated("pgft", children=(8, 4, 2), parents=(1, 2, 2))))[1]
    assert not [one for one in texts if "without" in one or "linked pair" in one]


def test_one_group_with_links_to_several_leaf_switches_has_as_many_per_pair(catalog):
    design, made = Design(), dict[str, list[str]]()
    for type_id, count, y in (("nvidia-qm9700", 4, 0.0), ("dgx-h100", 8, 400.0)):
        for number in range(count):
            type_ = catalog.get(type_id)
            edit = operations.add_device(design, type_, 300.0 * number, y, catalog_types=catalog.types)
            design.apply(edit)
            made.setdefault(type_id, []).append(next(c.after.id for c in edit.changes if c.after.id in design.devices))
    leafs, servers = made.values()
    design.apply(operations.make_rails(design, servers, leafs))
    design.apply(operations.group(design, servers, "SU 1"))
    design.apply(collapsing.collapse(design, [*design.groups]))
    texts = [text for note in Composition(design).tier_words.texts for text in note]
    assert texts[0] == "Group to leaf: 16 × 400G per pair"


def test_a_label_too_long_for_its_line_stands_across_it_or_on_another_piece_of_its_way(generated):
    design = generated("rail-optimized", servers=32, server="dgx-h100", switch="nvidia-qm9700", racks="none")
    names = {one.name: one.id for one in design.devices.values()}
    ends = {names["gpu-09"], names["leaf-su1-r3"]}
    link = next(one for one in design.links.values() if {one.a.device_id, one.b.device_id} == ends)
    design.apply(Edit("Label", (Change(link, replace(link, label="Rail 3 spare port")),)))
    for how in ("automatic", "straight", "orthogonal"):
        design.apply(operations.set_settings(design, link_lines=how))
        assert svg_of(design).count("Rail 3 spare port") == 1, how
