"""Collapsed groups, racks and roles in the drawing: one box, one bundle per far end, the worst of what is inside."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts

from designer.canvas import hits
from designer.catalog.catalog import load
from designer.drawing.bundles import NO_HEAT
from designer.drawing.camera import Camera
from designer.drawing.colour_by import ColourClass, Marks
from designer.drawing.colouring import Choice
from designer.drawing.composition import Composition
from designer.drawing.folding import folds
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.stacks import busier_as_drawn, far_ends, inner_loads, loads_as_drawn
from designer.drawing.heat import Heat
from designer.drawing.legend_keys import keys_on
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.lit import lit_around, lit_picture
from designer.drawing.overlay import Overlay
from designer.drawing.palette import PLAIN
from designer.drawing.parts.document import document_picture
from designer.drawing.parts.marks import badges, failed
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.errors import ParameterError
from designer.exchange.diagram_svg import svg_of
from designer.exchange.exporters_diagram import with_boxes
from designer.model import collapsing, operations
from designer.model.annotating import annotate
from designer.model.colour_keys import DEVICE_KEYS
from designer.model.design import Design
from designer.topologies.families import FAMILIES
from designer.validation.findings import Severity


@pytest.fixture
def tree(generated):
    return generated("k-ary-fat-tree", k=4)


@pytest.fixture(scope="module")
def large():
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    design = Design()
    design.apply(row.build(design, row.parameters(k=16), load()))
    return design


def pods(design):
    return [one.id for one in design.groups.values() if one.kind == "pod"]


def test_every_link_is_in_a_bundle_or_inside_a_box_and_bundles_carry_the_counts(tree):
    composition = Composition(tree)
    n_links = len(composition.projection.link_ids)
    tree.apply(edit := collapsing.collapse_all(tree))
    composition.follow(edit)
    folded = composition.projection
    assert isinstance(folded, FoldedProjection)
    assert len(folded.device_ids) == 5  # four pods and the cores
    assert composition.bundles.counts.tolist() == [4, 4, 4, 4]
    assert len(folded.link_ids) + len(folded.inner_links) == n_links
    cores = folded.box_of(next(one.id for one in tree.devices.values() if one.role == "core"))
    assert sorted(count for _, count in far_ends(composition, cores)) == [4, 4, 4, 4]


def test_a_box_says_its_devices_and_the_ports_of_its_switches_without_those_of_nics(tree):
    pod = pods(tree)[0]
    switches = [one for one in tree.members(pod) if one in tree.devices and tree.is_switch(one)]
    used, ports = sum(map(tree.n_used_ports, switches)), sum(len(tree.ports(one)) for one in switches)
    tree.apply(collapsing.collapse(tree, [pod]))
    svg = svg_of(tree)
    assert "4 hosts, 2 leaf switches, 2 spines" in svg
    assert (used, f"{used} of {ports} switch ports used" in svg) == (16, True)


def test_a_box_of_servers_alone_counts_the_ports_of_their_nics(tree):
    servers = [one.id for one in tree.servers()]
    tree.apply(collapsing.collapse_role(tree, servers[:1]))
    assert "4 of 4 NIC ports used" in svg_of(tree)


def test_the_drawing_follows_edits_as_if_it_were_made_anew(tree):
    composition = Composition(tree)
    edits = [collapsing.collapse(tree, pods(tree)[:1])]
    for make in (
        lambda: edits[0],
        lambda: collapsing.collapse_kind(tree, [next(d.id for d in tree.devices.values() if d.role == "core")]),
        lambda: operations.delete(tree, [next(iter(tree.links))]),
        lambda: operations.move(tree, {tree.members(pods(tree)[0])[0]: (-900.0, 40.0)}),
        lambda: operations.delete(tree, [tree.members(pods(tree)[0])[0]]),
        lambda: operations.rename(tree, pods(tree)[0], "North"),
        lambda: collapsing.expand_all(tree),
    ):
        edit = make()
        tree.apply(edit)
        composition.follow(edit)
        fresh = Composition(tree)
        assert composition.projection.device_ids == fresh.projection.device_ids
        assert np.array_equal(composition.boxes, fresh.boxes)
        assert np.array_equal(composition.bundles.counts, fresh.bundles.counts)
        assert composition.containers == fresh.containers
    assert not isinstance(composition.projection, FoldedProjection)


def test_the_worst_load_inside_and_on_the_way_out_are_both_shown(tree):
    pod = pods(tree)[0]
    inside = {one for one in tree.members(pod) if one in tree.devices}
    within = next(x for x in tree.links.values() if {x.a.device_id, x.b.device_id} <= inside)
    out = next(x for x in tree.links.values() if len({x.a.device_id, x.b.device_id} & inside) == 1)
    heat = Heat(0, dict.fromkeys(tree.links, (0.1, 0.1)) | {within.id: (0.2, 0.9), out.id: (0.7, 0.2)})
    tree.apply(collapsing.collapse_all(tree))
    composition = Composition(tree)
    folded = composition.projection
    assert inner_loads(folded, heat.drawn).max() == pytest.approx(0.9)
    assert loads_as_drawn(folded, heat.drawn).max() == pytest.approx(0.7)
    assert busier_as_drawn(folded, heat.drawn).max() == pytest.approx(0.7)
    cool = Heat(0, dict.fromkeys(tree.links, (0.1, 0.0)))
    assert inner_loads(folded, cool.drawn).max() == pytest.approx(0.1)
    assert inner_loads(folded, None).max() == NO_HEAT
    assert "inside up to 90 %" in svg_of(tree, heat=heat)
    at_times = Heat(0, {**heat.utilization, within.id: (1.0, 0.2)}, congested={within.id: (-0.5, 0.0)})
    assert "inside up to 100 %" in svg_of(tree, heat=at_times)


def test_findings_and_failures_inside_show_once_at_the_box(tree):
    pod = pods(tree)[0]
    members = [one for one in tree.members(pod) if one in tree.devices]
    link = next(x.id for x in tree.links.values() if {x.a.device_id, x.b.device_id} <= set(members))
    tree.apply(collapsing.collapse(tree, [pod]))
    worst = {members[0]: Severity.WARNING, members[1]: Severity.WARNING, link: Severity.ERROR}
    svg = svg_of(tree, overlay=Overlay(failed=frozenset({*members[:2], link}), badges=worst))
    assert svg.count("<title>error</title>") == 1
    assert "<title>warning</title>" not in svg
    assert "3 failed" in svg


def test_a_box_says_how_many_of_which_devices_have_failed_and_is_not_crossed_out(tree):
    pod = pods(tree)[0]
    members = [one for one in tree.members(pod) if one in tree.devices]
    spines = [one for one in members if tree.devices[one].role == "spine"]
    tree.apply(collapsing.collapse(tree, [pod]))
    composition = Composition(tree)
    row = composition.projection.box_of(pod)
    assert f"1 of {len(spines)} spines failed" in svg_of(tree, overlay=Overlay(failed=frozenset(spines[:1])))
    small = 10.0 / composition.boxes[row, 3]
    sheet = Sheet(Camera(small, 0.0, 0.0), (-1e4, -1e4, 2e4, 2e4), LIGHT, EstimatedRuler())
    x, y, width, height = sheet.boxes(composition.boxes[row : row + 1])[0].tolist()
    middle = pytest.approx((x + width / 2, y + height / 2))
    for ids, is_whole in ((spines[:1], False), (members, True)):
        *_, cross = failed(composition, sheet, ids)
        (x1, y1, x2, y2), _ = cross.xy.tolist()
        assert (((x1 + x2) / 2, (y1 + y2) / 2) == middle) == is_whole
    *_, cross = failed(composition, replace(sheet, zoom=100.0, camera=Camera(100.0 * small, 0.0, 0.0)), spines[:1])
    assert cross.pen.width > 10.0, "in a document it is as thick as on a screen"


def test_dragging_a_box_moves_it_with_all_its_devices(tree):
    pod = pods(tree)[0]
    tree.apply(collapsing.collapse(tree, [pod]))
    composition = Composition(tree)
    row = composition.projection.box_of(pod)
    before = composition.boxes.copy()
    composition.shift(dict.fromkeys(tree.members(pod), (50.0, -20.0)))
    assert composition.boxes[row, :2].tolist() == pytest.approx((before[row, :2] + (50.0, -20.0)).tolist())
    others = np.arange(len(before)) != row
    assert np.array_equal(composition.boxes[others], before[others])


@pytest.mark.parametrize("gap", [30.0, 7.0, 6.0, 5.0, 3.0, 1.0, 0.0])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_plates_of_a_box_end_before_the_next_box_of_its_row_or_column(tree, gap, axis):
    tree.apply(collapsing.collapse(tree, pods(tree)))
    composition = Composition(tree)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES))
    rows = sorted(composition.projection.box_of(pod) for pod in pods(tree))
    boxes = picture.boxes.copy()
    boxes[rows, axis] = [(boxes[rows[0], 2 + axis] + gap) * place for place in range(len(rows))]
    boxes[rows, 1 - axis] = 0.0
    picture = replace(picture, boxes=boxes)
    left, top = boxes[:, :2].min(axis=0).tolist()
    sheet = Sheet(Camera(1.0, left, top), (0.0, 0.0, 1e5, 1e5), LIGHT, EstimatedRuler())
    ends = []
    for group in stacks(picture, sheet):
        plates = [part for part in getattr(group, "parts", ()) if isinstance(part, Rect) and part.width > 40]
        if plates:
            far = max((one.x + one.width, one.y + one.height)[axis] for one in plates)
            ends.append((group.at[axis], group.at[axis] + far, len(plates)))
    ends.sort()
    pairs = [(end, following) for (_, end, _), (following, _, _) in pairwise(ends)]
    assert pairs and all(end + max(gap / 2, min(gap, 3.5)) <= following for end, following in pairs)
    assert [count for _, _, count in ends] == [3 if gap >= 6 else 1] * len(ends)


def test_a_click_on_a_box_is_its_group_and_on_a_role_all_its_devices(tree):
    tree.apply(collapsing.collapse_all(tree))
    composition = Composition(tree)
    pod, detail = pods(tree)[0], document_picture(composition).detail
    x, y = composition.centres[composition.projection.box_of(pod)].tolist()
    assert hits.target_at(composition, detail, 1.0, x, y).ids == (pod,)
    cores = {one.id for one in tree.devices.values() if one.role == "core"}
    x, y = composition.centres[composition.projection.box_of(min(cores))].tolist()
    assert set(hits.target_at(composition, detail, 1.0, x, y).ids) == cores
    assert set(hits.devices_within(composition, x - 1, y - 1, x + 1, y + 1)) == cores


def test_from_afar_groups_are_boxes_and_open_when_one_comes_near(large):
    composition = Composition(large)
    levels = Levels(composition)
    far, near = levels.at(0.02), levels.at(0.5)
    assert near is composition
    assert len(far.projection.device_ids) == 17  # sixteen pods and the cores, for 1,344 devices
    assert set(far.bundles.counts.tolist()) == {64}
    assert not any(fold.by_hand for fold in far.projection.folds)
    assert levels.at(0.02) is far
    sizes = [len(levels.at(scale).projection.device_ids) for scale in (0.01, 0.05, 0.1, 0.2, 0.6)]
    assert sizes == sorted(sizes)


def test_small_designs_and_designs_without_groups_stay_as_they_are(generated):
    for design in (generated("k-ary-fat-tree", k=4), generated("torus", dims=(8, 8, 8))):
        composition = Composition(design)
        assert Levels(composition).at(0.02) is composition


def test_from_afar_the_tiers_of_a_large_fabric_without_groups_are_one_box_each(generated, monkeypatch):
    composition = Composition(generated("fat-tree", servers=256))
    assert not composition.projection.groups
    assert Levels(composition).at(0.02) is composition, "its 2,048 lines between switches show their pattern"
    monkeypatch.setattr(folds, "MOST_LINES_OPEN", 2_000)
    far = Levels(composition).at(0.02)
    roles = sorted(fold.key.role for fold in far.projection.folds)
    assert roles == ["leaf", "server", "spine"]
    boxes = far.boxes[np.argsort(far.boxes[:, 1])]
    assert (boxes[:, 3] >= 0.02 * boxes[:, 2].max()).all()  # the leaf switches too, close as they are to the servers
    assert (boxes[1:, 1] >= (boxes[:, 1] + boxes[:, 3])[:-1]).all()


def test_a_wide_low_group_is_one_box_from_afar(generated):
    composition = Composition(generated("dragonfly", p=16, a=32, h=1, groups=2))
    far = Levels(composition).at(1 / 16)
    left, _, right, _ = composition.containers[0].rect
    assert (right - left) / 16 > 500  # pixels
    assert [fold.kind for fold in far.projection.folds] == ["dragonfly group"] * 2


def test_boxes_around_a_middle_are_equally_high(generated):
    composition = Composition(generated("dragonfly", p=4, a=8, h=4, groups=33))
    far = Levels(composition).at(0.02)
    grown = far.boxes[far.projection.n_own :]
    assert len(grown) == 33
    assert np.ptp(grown[:, 3]) < 1.0
    top, bottom = (
        edges[list(composition.projection.groups[0].rows)] for edges in folds.edges_of(composition.projection)[1::2]
    )
    assert grown[0, 3] >= bottom.max() - top.min()


def test_what_was_seen_from_afar_is_forgotten_with_the_next_edit(large):
    design = large.snapshot()
    composition = Composition(design)
    levels = Levels(composition)
    before = levels.at(0.02)
    device = next(one.id for one in design.devices.values() if one.role == "leaf")
    design.apply(edit := operations.delete(design, [design.links_of(device)[0].id]))
    composition.follow(edit)
    after = levels.at(0.02)
    assert after is not before
    links = [len(one.projection.inner_links) + len(one.projection.link_ids) for one in (before, after)]
    assert links[1] == links[0] - 1


def test_a_long_row_as_one_box_grows_high_enough_to_be_read_but_into_no_other(large):
    design = large.snapshot()
    design.apply(collapsing.collapse_all(design))
    boxes = Composition(design).boxes
    cores = boxes[-1]
    assert cores[3] > 0.01 * cores[2]
    assert (boxes[:-1, 1] > cores[1] + cores[3]).all()


def test_no_box_bears_a_mark_where_nothing_is_wrong(tree):
    tree.apply(collapsing.collapse_all(tree))
    composition = Composition(tree)
    sheet = Sheet(Camera(0.05), (-1e5, -1e5, 2e5, 2e5), LIGHT, EstimatedRuler())
    detail = document_picture(composition).detail
    assert not list(badges(composition, sheet, detail, {}))
    assert not list(failed(composition, sheet, ()))
    pod = pods(tree)[0]
    member = tree.members(pod)[0]
    assert len(list(badges(composition, sheet, detail, {member: Severity.WARNING}))) == 1


def test_an_export_draws_what_is_saved_all_boxes_or_none(tree):
    tree.apply(collapsing.collapse(tree, pods(tree)[:1]))
    boxes = {word: svg_of(with_boxes(tree, word)).count("ports used") for word in ("saved", "none")}
    assert with_boxes(tree, "saved") is tree
    assert [len(Composition(with_boxes(tree, word)).projection.device_ids) for word in ("none", "saved", "all")] == [
        36,
        29,
        5,
    ]
    assert boxes["saved"] > 0
    assert tree.groups[pods(tree)[0]].is_collapsed


def test_a_device_beside_a_box_bears_its_own_badge_once(tree):
    tree.apply(collapsing.collapse(tree, pods(tree)[:1]))
    core = next(one.id for one in tree.devices.values() if one.role == "core")
    worst = {core: Severity.ERROR}
    assert svg_of(tree, overlay=Overlay(badges=worst)).count("<title>error</title>") == 1


def test_chosen_colors_are_those_of_single_devices_and_of_the_right_links(tree):
    edit = collapsing.collapse(tree, pods(tree)[:1])
    choice = Choice("role", "tier")
    opened = Composition(tree)
    opened.colouring.choose(choice)
    before = document_picture(opened)
    tree.apply(edit)
    closed = Composition(tree)
    closed.colouring.choose(choice)
    after = document_picture(closed)
    rows = [opened.projection.row_of[one] for one in closed.projection.device_ids[: closed.projection.n_own]]
    assert after.coloured.boxes[: closed.projection.n_own].tolist() == before.coloured.boxes[rows].tolist()
    assert set(after.coloured.boxes[closed.projection.n_own :].tolist()) == {-1}
    assert len(after.coloured.lines) == len(after.lines.starts)


@pytest.mark.parametrize("is_collapsed", [False, True])
def test_what_is_lit_keeps_the_chosen_colors_of_its_boxes(tree, is_collapsed):
    if is_collapsed:
        tree.apply(collapsing.collapse(tree, pods(tree)[:1]))
    composition = Composition(tree)
    composition.colouring.choose(Choice("role", "tier"))
    picture = document_picture(composition)
    core = next(one.id for one in tree.devices.values() if one.role == "core")
    lit = lit_picture(composition, picture, None, lit_around(composition, core))
    rows = [composition.projection.row_of[one] for one in lit.device_ids]
    assert lit.coloured.boxes.tolist() == picture.coloured.boxes[rows].tolist()
    sheet = Sheet(Camera(0.3), (-1e5, -1e5, 2e5, 2e5), LIGHT, EstimatedRuler())
    drawn = set(texts(layers(replace(lit, containers=()), sheet)))
    assert ("Pod 1" in drawn) == is_collapsed


def test_what_stands_below_the_name_is_set_smaller_before_any_of_it_is_left_out(example):
    design = example("superpod-h100-4su")
    design.apply(collapsing.collapse_all(design))
    composition = Composition(design)
    picture = document_picture(composition, LIGHT)
    left, top, right, bottom = composition.bounds
    ruler = EstimatedRuler()
    for scale, is_whole in ((1.0, True), (0.15, True), (0.1, False)):
        sheet = Sheet(
            Camera(scale, left, top), (0.0, 0.0, (right - left) * scale, (bottom - top) * scale), LIGHT, ruler
        )
        said = [one for layer in layers(picture, sheet) if layer.id == "collapsed" for one in texts([layer])]
        assert ("32 servers, 8 leaf switches" in said) == is_whole, (scale, said)


def test_a_device_that_joins_a_collapsed_role_is_in_its_box_at_once(catalog):
    design = Design()
    for number in range(3):
        place = {"x": 200.0 * number, "y": 0.0}
        edit = operations.add_device(design, catalog.get("nvidia-qm9700"), **place, catalog_types=catalog.types)
        design.apply(edit)
    design.apply(collapsing.collapse_role(design, list(design.devices)))
    design.apply(operations.delete(design, list(design.devices)[:2]))
    composition = Composition(design)
    assert composition.projection is composition.base, "one device is no role to collapse"
    design.apply(
        edit := operations.add_device(design, catalog.get("nvidia-qm9700"), 0, 300, catalog_types=catalog.types)
    )
    composition.follow(edit)
    assert composition.projection.device_ids == Composition(design).projection.device_ids == ["/switch"]


MARKED = (ColourClass("The same", PLAIN), ColourClass("Changed", 0), ColourClass("Removed", 4))


def marked(tree, **of):
    """Classes of the boxes of the pods when these are marked, and the picture."""
    tree.apply(collapsing.collapse_all(tree))
    composition = Composition(tree)
    composition.colouring.show_marks(Marks("Difference", MARKED, of))
    drawn = document_picture(composition)
    row_of = composition.projection.row_of
    return [int(drawn.coloured.stacks[row_of[one]]) for one in pods(tree)], drawn


def test_a_collapsed_box_has_the_color_of_the_worst_that_is_marked_inside(tree):
    first, second, *_ = pods(tree)
    inside = [one for one in tree.devices.values() if one.group_id in tree.groups and _top(tree, one) == first]
    one, other = inside[:2]
    link = next(
        link
        for link in tree.links.values()
        if {_top(tree, tree.devices[end.device_id]) for end in (link.a, link.b)} == {second}
    )
    of = {one.id: 1, other.id: 2, link.id: 1}
    classes, drawn = marked(tree, **of)
    assert classes == [2, 1, -1, -1]
    removed = drawn.coloured.box_colours[2]
    svg = svg_of(tree, overlay=Overlay(marks=Marks("Difference", MARKED, of)))
    assert removed.fill in svg and removed.stripe in svg


def test_a_collapsed_group_that_is_marked_itself_has_its_color_and_without_marks_none_has_one(tree):
    first = pods(tree)[0]
    classes, drawn = marked(tree, **{first: 1})
    assert classes == [1, -1, -1, -1]
    assert [one.text for one in drawn.coloured.keys[0].swatches] == ["The same", "Changed"]
    composition = Composition(tree)
    assert document_picture(composition).coloured.stacks is None


def _top(design, device):
    """The pod that a device is in."""
    group = design.groups.get(device.group_id)
    while group is not None and group.kind != "pod":
        group = design.groups.get(group.parent_id)
    return group.id if group is not None else None


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_legend_on_the_drawing_shows_whatever_is_collapsed(family):
    design = Design()
    design.apply(family.build(design, family.parameters(), load()))
    design.apply(annotate(design, "legend", (0.0, -900.0), (400.0, -600.0)))
    n_collapsed = 0
    for make in (
        lambda: collapsing.collapse(design, list(design.groups)),
        lambda: collapsing.collapse_role(design, list(design.devices)),
        lambda: collapsing.collapse_all(design),
    ):
        try:
            edit = make()
        except ParameterError:  # a family without groups, or with one device of each role
            continue
        n_collapsed += 1
        design.apply(edit)
        composition = Composition(design)
        for devices in DEVICE_KEYS:
            composition.colouring.choose(Choice(devices.name, ""))
            assert all(key.swatches for key in keys_on(composition.picture(LIGHT, Detail(LinkDetail.BUNDLES))))
        design.apply(edit.inverted())
    assert n_collapsed


def test_a_legend_shows_the_kinds_of_collapsed_roles_and_none_of_collapsed_groups(tree):
    def kinds():
        keys = keys_on(Composition(tree).picture(LIGHT, Detail(LinkDetail.BUNDLES)))
        return [one.text for key in keys if key.title == "Devices by kind" for one in key.swatches]

    assert kinds() == ["Host", "Leaf", "Spine", "Core"]
    tree.apply(collapsing.collapse(tree, pods(tree)))
    assert kinds() == ["Core"]
    tree.apply(collapsing.collapse_role(tree, [one.id for one in tree.devices.values() if one.role == "core"]))
    assert kinds() == ["Core"]


def test_the_key_of_colors_explains_devices_with_a_box_of_their_own_alone(tree):
    first = pods(tree)[0]
    keys = {}
    for opened in (True, False):
        tree.apply(collapsing.collapse_all(tree))
        if opened:
            tree.apply(collapsing.expand(tree, [first]))
        composition = Composition(tree)
        composition.colouring.choose(Choice(devices="unit"))
        keys[opened] = document_picture(composition, LIGHT, Heat(0, dict.fromkeys(tree.links, (0.1, 0.1)))).keys
    assert [[one.text for one in key.swatches] for key in keys[True]] == [["Unit 1"]]
    assert keys[False] == ()
