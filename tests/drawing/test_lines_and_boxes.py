"""Every link is drawn once, from the edge of one box to the edge of the other, whatever the detail."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.bundles import bundled
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.frame_titles import title_room
from designer.drawing.geometry import Container, anchors
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.lines import combed_of
from designer.drawing.parts.frames import title_of
from designer.drawing.parts.marks import badges
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT, SERVER
from designer.drawing.trunks import comb_of, families, hanging
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import fat_tree, networks
from designer.topologies.network_parameters import NetworkParameters
from designer.validation.findings import Severity

EDGE = 1e-6


def on_edge(x, y, box):
    """Whether the point lies on the edge of a box given as left, top, width, height."""
    left, top, width, height = box
    across = min(abs(x - left), abs(x - left - width)) < EDGE and top - EDGE <= y <= top + height + EDGE
    along = min(abs(y - top), abs(y - top - height)) < EDGE and left - EDGE <= x <= left + width + EDGE
    return across or along


def touches_box(line, box):
    return any(on_edge(x, y, box) for x, y in line.reshape(2, 2))


def meet(one, other):
    """Whether two lines, each straight up or across, share a point."""
    spans = [(min(a, b), max(a, b)) for line in (one, other) for a, b in ((line[0], line[2]), (line[1], line[3]))]
    (left, right), (top, bottom), (other_left, other_right), (other_top, other_bottom) = spans
    across = left <= other_right + EDGE and other_left <= right + EDGE
    return across and top <= other_bottom + EDGE and other_top <= bottom + EDGE


def lines_of_links(lines):
    """Numbers of the lines that stand for each link."""
    found = {}
    for number, run in enumerate(np.split(lines.links, lines.starts[1:])):
        for link in run.tolist():
            found.setdefault(link, []).append(number)
    return found


def test_links_of_a_side_stand_in_the_order_of_their_partners_whatever_their_ids():
    x = np.array([0.0, 300.0, -500.0, 100.0, -200.0, 700.0])
    centres = np.stack((x, np.where(np.arange(len(x)) == 0, 0.0, 600.0)), axis=1)
    ends = np.array([(0, one) for one in range(1, len(x))], np.int32)
    lines = anchors(centres, np.full((len(x), 2), (120.0, 44.0)), bundled(ends)).links
    assert np.argsort(lines[:, 0]).tolist() == np.argsort(x[1:]).tolist()
    assert np.unique(np.diff(np.sort(lines[:, 0])).round(6)).size == 1


def test_the_boxes_stand_where_the_design_places_them(design):
    composition = Composition(design)
    assert sorted(composition.projection.device_ids) == sorted(design.devices)
    for row, device_id in enumerate(composition.projection.device_ids):
        x, y, width, height = composition.boxes[row]
        place = design.placements[device_id]
        assert (x + width / 2, y + height / 2) == pytest.approx((place.x, place.y))
        assert (composition.projection.kinds[row] == SERVER) == design.is_server(device_id)


def test_a_bundle_counts_the_links_between_two_devices(design):
    composition = Composition(design)
    ids = composition.projection.device_ids
    drawn = {
        frozenset((ids[low], ids[high])): count
        for (low, high), count in zip(composition.bundles.pairs, composition.bundles.counts, strict=True)
    }
    assert drawn == Counter(frozenset((link.a.device_id, link.b.device_id)) for link in design.links.values())
    for bundle, count in enumerate(composition.bundles.counts):
        ranks = composition.bundles.rank[composition.bundles.of_link == bundle]
        assert sorted(ranks) == list(range(count))


def test_every_link_ends_on_the_edges_of_its_two_boxes(design):
    composition = Composition(design)
    for row, link_id in enumerate(composition.projection.link_ids):
        link = design.links[link_id]
        low, high = sorted(composition.projection.row_of[end.device_id] for end in (link.a, link.b))
        x1, y1, x2, y2 = composition.anchors.links[row]
        assert on_edge(x1, y1, composition.boxes[low]), link
        assert on_edge(x2, y2, composition.boxes[high]), link


def test_no_two_links_end_at_the_same_point_of_a_box(design):
    composition = Composition(design)
    points = Counter()
    for (row_a, row_b), line in zip(composition.projection.ends, composition.anchors.links, strict=True):
        low, high = min(row_a, row_b), max(row_a, row_b)
        points[low, *np.round(line[:2], 6)] += 1
        points[high, *np.round(line[2:], 6)] += 1
    assert set(points.values()) == {1}


@pytest.mark.parametrize("links", [LinkDetail.SINGLES, LinkDetail.BUNDLES])
def test_a_straight_line_stands_for_a_bundle_or_a_link_and_a_course_round_boxes_is_two_to_five_lines(design, links):
    composition = Composition(design)
    lines = composition.lines(Detail(links))
    n_straight = len(composition.projection.link_ids) if links is LinkDetail.SINGLES else len(composition.bundles.pairs)
    bent = 0
    for numbers in lines_of_links(lines).values():
        assert len(numbers) in (1, 2, 3, 5)
        assert sum(lines.direct[number] for number in numbers) == 1
        bent += len(numbers) > 1
    assert len(lines_of_links(lines)) == len(design.links)
    assert lines.direct.sum() <= n_straight
    assert bent or len(lines.xy) == n_straight


@pytest.mark.parametrize("detail", [LinkDetail.SINGLES, LinkDetail.BUNDLES, LinkDetail.TRUNKS])
@pytest.mark.parametrize(
    "parameters", [{"switch": "generic-switch-32x400g", "server": "generic-host", "servers": 128}, {"servers": 16}]
)
def test_no_link_of_a_server_runs_behind_another_server(parameters, detail, catalog):
    design = Design()
    design.apply(fat_tree.build(design, fat_tree.FatTreeParameters(**parameters), catalog))
    composition = Composition(design)
    lines = composition.lines(Detail(detail))
    is_server = composition.projection.kinds == SERVER
    left, top, width, height = (composition.boxes[is_server] + [1, 1, -2, -2]).T
    xy = lines.xy[lines.of_server]
    assert len(xy)
    for share in np.linspace(0.0, 1.0, 41):
        x, y = (xy[:, :2] + share * (xy[:, 2:] - xy[:, :2])).T[:, :, None]
        assert not np.any((x > left) & (x < left + width) & (y > top) & (y < top + height))


def folded(catalog):
    """A fat-tree whose servers stand in several rows, so that links go down lanes beside their columns."""
    design = Design()
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-32x400g", server="generic-host", servers=128)
    design.apply(fat_tree.build(design, parameters, catalog))
    return design


def test_near_enough_every_link_in_a_lane_leads_from_its_own_port_to_its_own_port(catalog):
    composition = Composition(folded(catalog))
    lines = composition.lines(Detail(LinkDetail.SINGLES))
    laned = 0
    for link, numbers in lines_of_links(lines).items():
        own = composition.anchors.links[link]
        ends = np.array([lines.xy[numbers[0]][:2], lines.xy[numbers[-1]][2:]]).ravel()
        np.testing.assert_allclose(ends, own)
        np.testing.assert_allclose(composition.link_path(link), lines.xy[numbers])
        laned += len(numbers) > 1
    assert laned > 60


def test_lanes_beside_a_column_do_not_lie_on_each_other(catalog):
    lines = Composition(folded(catalog)).lines(Detail(LinkDetail.BUNDLES))
    down = lines.xy[(lines.xy[:, 0] == lines.xy[:, 2]) & lines.of_server]
    assert len(down) == len(set(down[:, 0].tolist())) > 60


def families_of(composition):
    projection, bundles = composition.projection, composition.bundles
    return families(projection, bundles, hanging(projection, bundles))


def moved(design, names, dx, dy):
    places = [design.placements[design.find(name).id] for name in names]
    return Edit("", tuple(Change(one, replace(one, x=one.x + dx, y=one.y + dy)) for one in places))


def are_combs_as_if_drawn_anew(composition, edits):
    """Whether after each of these edits the lines are those of a new drawing."""
    design = composition.design
    for links in (LinkDetail.CROWDS, LinkDetail.TRUNKS):
        composition.lines(Detail(links))
    for edit in edits:
        design.apply(edit)
        composition.follow(edit)
        for links in (LinkDetail.CROWDS, LinkDetail.TRUNKS):
            now, anew = composition.lines(Detail(links)), Composition(design).lines(Detail(links))
            assert now.xy.tolist() == anew.xy.tolist()
            assert now.links.tolist() == anew.links.tolist()


def test_combs_follow_servers_that_are_moved(example):
    composition = Composition(example("superpod-h100-4su").snapshot())
    ways = ((0.0, 5.0), (40.0, 0.0), (0.0, -2000.0), (0.0, 2000.0))  # the third leads above its leafs
    are_combs_as_if_drawn_anew(composition, (moved(composition.design, ["gpu-001"], *way) for way in ways))


def test_combs_follow_leafs_that_come_to_stand_below_their_servers(example):
    composition = Composition(example("superpod-h100-4su").snapshot())
    leafs = [f"leaf-su1-r{number}" for number in (1, 2, 3)]
    are_combs_as_if_drawn_anew(composition, (moved(composition.design, leafs, 0.0, dy) for dy in (4000.0, -4000.0)))


def test_combs_follow_links_that_lead_to_the_leaf_of_another_unit(example):
    design = example("superpod-h100-4su").snapshot()
    one, other = (design.links_of(design.find(name).id)[0] for name in ("gpu-001", "gpu-040"))
    swapped = Edit("", (Change(one, replace(one, b=other.b)), Change(other, replace(other, b=one.b))))
    assert {design.is_server(link.a.device_id) for link in (one, other)} == {True}
    are_combs_as_if_drawn_anew(Composition(design), (swapped, swapped.inverted()))


def test_a_comb_touches_the_server_and_the_leaf_of_each_of_its_links_exactly_once(example):
    composition = Composition(example("superpod-h100-4su"))
    projection = composition.projection
    lines = composition.lines(Detail(LinkDetail.TRUNKS))
    found = lines_of_links(lines)
    assert len(found) == 2040
    combed = 0
    for link, numbers in found.items():
        rows = projection.ends[link]
        if not (projection.kinds[rows] == SERVER).any():
            assert len(numbers) == 1
            continue
        combed += 1
        for row in rows:
            box = composition.boxes[row]
            assert sum(touches_box(lines.xy[number], box) for number in numbers) == 1
    assert combed == 1016


def test_the_lines_of_a_link_in_a_comb_lead_from_its_server_to_its_leaf(example):
    composition = Composition(example("superpod-h100-4su"))
    lines = composition.lines(Detail(LinkDetail.TRUNKS))
    combed = [(link, run) for link, run in lines_of_links(lines).items() if len(run) > 1]
    assert len(combed) == 1016
    for link, numbers in combed[::7]:
        server, leaf = sorted(composition.projection.ends[link], key=lambda row: composition.projection.kinds[row])
        waiting = [lines.xy[number] for number in numbers]
        reached = [line for line in waiting if touches_box(line, composition.boxes[server])]
        for line in reached:
            waiting = [other for other in waiting if other is not line]
            reached += [other for other in waiting if meet(line, other) and not any(other is one for one in reached)]
        assert any(touches_box(line, composition.boxes[leaf]) for line in reached)


@pytest.mark.parametrize(("per_unit", "is_crowd"), [(8, False), (11, False), (12, True), (32, True)])
def test_from_near_only_servers_whose_lines_could_not_be_told_apart_hang_on_a_comb(generate, per_unit, is_crowd):
    design = generate("rail-optimized", servers=2 * per_unit, servers_per_su=per_unit)
    composition = Composition(design)
    lines = composition.lines(Detail(LinkDetail.CROWDS))
    n_bars = int((lines.of_server & ~lines.direct).sum())
    assert (n_bars > 0) == is_crowd
    apart = composition.lines(Detail(LinkDetail.BUNDLES))
    assert (len(lines.xy) == len(apart.xy)) == (not is_crowd)
    assert sorted(lines_of_links(lines)) == sorted(lines_of_links(apart)), "every link is drawn"


def test_from_near_the_few_servers_of_each_leaf_are_drawn_link_by_link(generate):
    composition = Composition(generate("fat-tree", servers=128, switch="nvidia-qm9700"))
    lines = composition.lines(Detail(LinkDetail.CROWDS))
    assert composition.lines(Detail(LinkDetail.BUNDLES)).xy.tolist() == lines.xy.tolist()


def test_a_comb_of_a_superpod_is_a_few_lines_and_all_of_them_run_straight_up_or_across(example):
    composition = Composition(example("superpod-h100-4su"))
    lines = composition.lines(Detail(LinkDetail.TRUNKS))
    comb = lines.xy[lines.of_server]
    assert len(comb) < 400 < 1016
    assert np.all((comb[:, 0] == comb[:, 2]) | (comb[:, 1] == comb[:, 3]))


def test_servers_hang_on_combs_though_another_network_stands_below_them(catalog):
    design = Design()
    parameters = fat_tree.FatTreeParameters(servers=16, tiers="1", nics_per_server=2)
    design.apply(fat_tree.build(design, parameters, catalog))
    before = [family.leafs for family in families_of(Composition(design))]
    design.apply(networks.build(design, NetworkParameters(oob_switch="generic-switch-48x1g"), catalog))
    composition = Composition(design)
    found = families_of(composition)
    assert before and [len(family.leafs) for family in found] == [len(leafs) for leafs in before]


def test_a_title_runs_on_beyond_its_group_as_far_as_nothing_stands_there():
    small = Container("g1", "network", "Out-of-band management", "", (0.0, 100.0, 90.0, 200.0))
    alone = title_room(small, [small], np.empty((0, 4)), 20.0)
    assert alone > 300.0
    beside = Container("g2", "network", "Storage", "", (150.0, 100.0, 300.0, 200.0))
    assert 90.0 < title_room(small, [small, beside], np.empty((0, 4)), 20.0) < 150.0
    box_above = np.array([[100.0, 70.0, 96.0, 44.0]])
    assert title_room(small, [small, beside], box_above, 20.0) == pytest.approx(92.0)
    around = Container("g3", "pod", "Pod", "", (-20.0, 60.0, 110.0, 220.0))
    assert title_room(small, [around, small], np.empty((0, 4)), 20.0) == pytest.approx(102.0)
    touching = Container("g4", "network", "Storage", "", (94.0, 100.0, 300.0, 200.0))
    assert title_room(small, [small, touching], np.empty((0, 4)), 20.0) == 90.0


def test_a_title_below_its_group_runs_on_as_far_as_nothing_stands_there():
    small = Container("g1", "network", "Out-of-band management", "", (0.0, 100.0, 90.0, 200.0), is_titled_below=True)
    box_above, box_below = np.array([[100.0, 70.0, 96.0, 44.0]]), np.array([[100.0, 210.0, 96.0, 44.0]])
    assert title_room(small, [small], box_above, 20.0) > 300.0
    assert title_room(small, [small], box_below, 20.0) == pytest.approx(92.0)
    under = Container("g2", "network", "Storage", "", (150.0, 230.0, 300.0, 300.0))
    assert title_room(small, [small, under], np.empty((0, 4)), 20.0) < 150.0
    assert title_room(small, [small, replace(under, is_titled_below=True)], np.empty((0, 4)), 20.0) > 300.0


@pytest.mark.parametrize(("width", "text"), [(400.0, "Rack 8"), (45.0, "8")], ids=["room", "edge"])
def test_a_title_that_runs_on_ends_where_the_picture_does(width, text):
    small = Container("g1", "group", "Rack 8", "", (0.0, 60.0, 40.0, 100.0))
    sheet = Sheet(Camera(1.0, 0.0, 0.0), (0.0, 0.0, width, 200.0), LIGHT, EstimatedRuler())
    shown = title_of(small, [small], np.empty((0, 4)), sheet)
    assert [part.text for part in shown if isinstance(part, Text)] == [text]


def test_no_bundle_is_in_two_combs(design):
    composition = Composition(design)
    seen = Counter()
    for family in families_of(composition):
        comb, numbers = comb_of(family, composition.centres.tolist(), composition.projection.sizes.tolist())
        assert {one for run in comb.bundles for one in run} == set(numbers)
        seen.update(numbers)
    assert not seen or max(seen.values()) == 1


def test_links_by_region_stand_for_every_link_that_leaves_its_square(design):
    composition = Composition(design)
    side = 400.0
    lines = composition.lines(Detail(LinkDetail.REGIONS, region=side))
    squares = np.floor(composition.centres / side)
    ends = composition.projection.ends
    leaving = np.flatnonzero((squares[ends[:, 0]] != squares[ends[:, 1]]).any(axis=1))
    bundles, elsewhere = composition.bundles, composition.gatherer.lines(Detail(LinkDetail.REGIONS, region=side))
    gathered = np.flatnonzero(combed_of(bundles, elsewhere)[bundles.of_link]).tolist()
    assert set(leaving.tolist()) <= set(lines.links.tolist()) <= {*leaving.tolist(), *gathered}


def test_a_line_is_as_hot_as_its_worst_link_in_either_direction(design):
    composition = Composition(design)
    loads = np.random.default_rng(7).random((len(design.links), 2))
    lines = composition.lines(Detail(LinkDetail.TRUNKS))
    forth, back = lines.utilization(loads)
    for number, run in enumerate(np.split(np.arange(len(lines.links)), lines.starts[1:])):
        along = [loads[lines.links[one], int(lines.flipped[one])] for one in run]
        against = [loads[lines.links[one], 1 - int(lines.flipped[one])] for one in run]
        assert (forth[number], back[number]) == (max(along), max(against))


def test_the_direction_of_a_line_is_that_from_its_first_box_to_its_second(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    loads = np.zeros((len(design.links), 2))
    leaf = next(row for row, one in enumerate(composition.projection.device_ids) if design.devices[one].role == "leaf")
    for row, link_id in enumerate(composition.projection.link_ids):
        starts_at_leaf = design.links[link_id].a.device_id == composition.projection.device_ids[leaf]
        ends_at_leaf = design.links[link_id].b.device_id == composition.projection.device_ids[leaf]
        loads[row] = float(starts_at_leaf), float(ends_at_leaf)
    lines = composition.lines(Detail(LinkDetail.BUNDLES))
    forth, back = lines.utilization(loads)
    box = composition.boxes[leaf]
    hot = 0
    for line, ahead, behind in zip(lines.xy[lines.direct], forth[lines.direct], back[lines.direct], strict=True):
        assert bool(ahead) == on_edge(*line[:2], box)
        assert bool(behind) == on_edge(*line[2:], box)
        hot += bool(ahead) + bool(behind)
    assert hot == 6


def test_everything_drawn_lies_within_the_bounds(design):
    composition = Composition(design)
    left, top, right, bottom = composition.bounds
    for links in (LinkDetail.SINGLES, LinkDetail.BUNDLES, LinkDetail.TRUNKS):
        xy = composition.lines(Detail(links)).xy.reshape(-1, 2)
        # A bow rises above its boxes, and a trunk stands just beside its column: the margin of a drawing holds both.
        assert xy[:, 1].min() >= top - 75
        assert left - 20 <= xy[:, 0].min() < xy[:, 0].max() <= right + 20
        assert xy[:, 1].max() <= bottom + EDGE
    for container in composition.containers:
        x1, y1, x2, y2 = container.rect
        assert left <= x1 < x2 <= right
        assert top <= y1 < y2 <= bottom


def test_a_group_and_a_rack_enclose_what_is_in_them(catalog):
    design = Design()
    design.apply(operations.add_rack(design, catalog.get("rack-48u"), 0, 0, "row-a"))
    rack_id = next(iter(design.racks))
    for number in range(3):
        type_ = catalog.get("nvidia-qm9700")
        design.apply(operations.add_device(design, type_, 0, 60 * number, catalog_types=catalog.types))
    devices = list(design.devices)
    for unit, device_id in enumerate(devices[:2]):
        design.apply(operations.mount(design, device_id, rack_id, 1 + unit))
    design.apply(operations.group(design, [rack_id, devices[2]], "pod"))
    composition = Composition(design)
    group, rack = composition.containers
    assert (group.kind, group.title) == (design.groups[group.id].kind, "pod")
    assert (rack.kind, rack.title, rack.note) == ("rack", "row-a", "2 in 48 U")
    for row, device_id in enumerate(composition.projection.device_ids):
        x, y, width, height = composition.boxes[row]
        for frame in (group, rack) if device_id in devices[:2] else (group,):
            left, top, right, bottom = frame.rect
            assert left < x < x + width < right
            assert top < y < y + height < bottom
    assert group.rect[0] < rack.rect[0]
    assert rack.rect[2] < group.rect[2]


def test_every_port_of_a_box_has_a_handle_and_a_used_one_stands_where_its_link_ends(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    for row, device_id in enumerate(composition.projection.device_ids):
        handles = composition.ports(row)
        assert [handle.name for handle in handles] == [port.name for port in design.ports(device_id)]
        used = design.used_ports(device_id)
        x, y, width, height = composition.boxes[row]
        for handle in handles:
            assert (handle.link_id is not None) == (handle.name in used)
            if handle.link_id is not None:
                assert on_edge(handle.x, handle.y, composition.boxes[row])
            else:
                assert x < handle.x < x + width
                assert y < handle.y < y + height


def test_the_strokes_of_a_picture_hold_every_line_once(design):
    composition = Composition(design)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES))
    drawn = np.concatenate([stroke.xy for stroke in picture.strokes()])
    assert sorted(map(tuple, drawn.tolist())) == sorted(map(tuple, picture.lines.xy.tolist()))


@pytest.mark.parametrize("scale", [0.35, 0.4, 0.5])
def test_a_badge_at_a_small_box_lies_clear_of_its_name(example, scale):
    composition = Composition(example("fat-tree-16-2to1"))
    leaf = next(one for one in composition.design.switches() if one.role == "leaf")
    left, top, right, bottom = composition.bounds
    area = (0.0, 0.0, (right - left) * scale, (bottom - top) * scale)
    sheet = Sheet(Camera(scale, left, top), area, LIGHT, EstimatedRuler())
    detail = Detail(LinkDetail.BUNDLES, names=True)
    (badge,) = badges(composition, sheet, detail, {leaf.id: Severity.ERROR})
    x, y, width, height = sheet.boxes(composition.boxes[[composition.projection.row_of[leaf.id]]])[0].tolist()
    assert x - 1 <= badge.at[0] - 6.5 and badge.at[0] < x + width / 2, "at the left, and not on the box before"
    assert badge.at[1] + 6.5 <= y + 0.3 * height, "above the letters"


def test_from_afar_a_dot_in_the_middle_of_its_box_marks_a_device_with_findings(example):
    composition = Composition(example("faults"))
    left, top, right, bottom = composition.bounds
    sheet = Sheet(Camera(0.1, left, top), (0.0, 0.0, right - left, bottom - top), LIGHT, EstimatedRuler())
    server, switch = composition.design.servers()[0], composition.design.switches()[0]
    worst = {server.id: Severity.WARNING, switch.id: Severity.ERROR}
    dots = list(badges(composition, sheet, Detail(LinkDetail.REGIONS), worst))
    assert [(dot.title, dot.parts[0].ink.colour) for dot in dots] == [
        ("warning", LIGHT.warning),
        ("error", LIGHT.error),
    ]
    many = dict.fromkeys((*composition.design.devices, *composition.design.links), Severity.ERROR)
    assert len(many) > 200 and not list(badges(composition, sheet, Detail(LinkDetail.REGIONS), many))
    for dot, one in zip(dots, (server, switch), strict=True):
        x, y, width, height = sheet.boxes(composition.boxes[[composition.projection.row_of[one.id]]])[0].tolist()
        assert dot.at == pytest.approx((x + width / 2, y + height / 2))


def test_of_more_badges_than_are_painted_errors_have_theirs_first_and_lie_on_top(example):
    composition = Composition(example("fat-tree-16-2to1"))
    left, top, right, bottom = composition.bounds
    sheet = Sheet(Camera(1.0, left, top), (0.0, 0.0, right - left, bottom - top), LIGHT, EstimatedRuler())
    ids = list(composition.design.devices)
    worst = dict.fromkeys(ids, Severity.WARNING) | dict.fromkeys(ids[-3:], Severity.ERROR)
    found = [one.title for one in badges(composition, sheet, Detail(LinkDetail.BUNDLES), worst, 5)]
    assert found == ["warning"] * 2 + ["error"] * 3
    assert len(list(badges(composition, sheet, Detail(LinkDetail.BUNDLES), worst))) == len(ids)
    assert [one.title for one in badges(composition, sheet, Detail(LinkDetail.BUNDLES), worst, 2)] == ["error"] * 2
