"""What does not change between two frames is not calculated again; no clock is asked."""

from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QImage, QPainter

from designer.canvas.backing import LATE_S, Backing
from designer.canvas.batches import FARTHEST_PX, clipped
from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing import trunks
from designer.drawing.bundles import NO_HEAT
from designer.drawing.camera import Camera, Viewport
from designer.drawing.captions import UNCOUNTED
from designer.drawing.composition import LEVELS_KEPT, Composition
from designer.drawing.counts import CountPlaces, Taken
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.stacks import hottest_as_drawn
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import NEAR_SCALES, Detail, LinkDetail, detail_at
from designer.drawing.lines import Lines
from designer.drawing.link_rates import COUNTED, SILENT, LinkLabels, LinkRates
from designer.drawing.obstacles import inside
from designer.drawing.parts import frames
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.links import links
from designer.drawing.parts.primitives import Group, Path
from designer.drawing.parts.row_captions import placed_titles
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import LINES_REACH_PX
from designer.drawing.projected_rows import LOOKED_UP
from designer.drawing.theme import LIGHT
from designer.graph.link_loads import LinkLoads, busier
from designer.model import operations

DETAIL = Detail(LinkDetail.BUNDLES)
LEVELS_SEEN = 6


@pytest.fixture
def composition(example):
    return Composition(example("superpod-h100-4su"))


def heat_of(composition, seed):
    ids = tuple(composition.projection.link_ids)
    return Heat(0, LinkLoads(ids, np.random.default_rng(seed).random((len(ids), 2))))


def sheet(scale=0.1, left=-3000.0, top=-3000.0):
    return Sheet.of_view(Viewport(Camera(scale, left, top), 900.0, 700.0), LIGHT, EstimatedRuler())


def test_other_loads_leave_lines_boxes_and_places_as_they_are(composition):
    first = composition.picture(LIGHT, DETAIL, heat_of(composition, 1))
    list(links(first, sheet()))
    seen = dict(first.lines.views)
    second = composition.picture(LIGHT, DETAIL, heat_of(composition, 2))
    list(links(second, sheet()))
    assert second.lines is first.lines and second.boxes is first.boxes
    assert second.containers is first.containers and second.bounds is first.bounds
    assert [id(rows) for rows in second.lines.views.values()] == [id(rows) for rows in seen.values()]
    assert second.loads is not first.loads


def test_other_loads_leave_the_boxes_that_show_and_their_ids_as_they_are(composition):
    first, second = (composition.picture(LIGHT, DETAIL, heat_of(composition, seed)) for seed in (1, 2))
    assert second.device_ids is first.device_ids
    list(boxes(first, sheet()))
    (seen,) = first.box_views.values()
    list(boxes(second, sheet()))
    assert next(iter(second.box_views.values())) is seen


def test_where_boxes_are_seen_follows_the_camera_and_the_boxes(composition):
    picture = composition.picture(LIGHT, DETAIL)
    half = replace(picture, boxes=picture.boxes[::2], kinds=picture.kinds[::2], device_ids=picture.device_ids[::2])
    for place in (sheet(0.1), sheet(0.4, -500.0, 900.0)):
        for one in (picture, half, picture):
            drawn = sum(len(part.parts) if isinstance(part, Group) else len(part.xywh) for part in counted(one, place))
            assert drawn == np.count_nonzero(place.boxes_on(place.boxes(one.boxes)))


def counted(picture, place):
    """The boxes, each group of them as a list."""
    return [
        part._replace(parts=list(part.parts)) if isinstance(part, Group) else part for part in boxes(picture, place)
    ]


def test_hot_links_are_sorted_once_for_all_drawings_of_the_same_links(composition):
    heat = heat_of(composition, 1)
    heat.draw_up()
    assert {"hottest", "hottest_alike"} <= vars(heat).keys(), "by the worker"
    assert hottest_as_drawn(composition.projection, heat) is heat.hottest


def test_another_frame_of_the_same_loads_takes_them_over(composition):
    heat = heat_of(composition, 1)
    first, second = (composition.picture(LIGHT, DETAIL, heat) for _ in range(2))
    assert second.loads is first.loads
    assert all(one is other for one, other in zip(first.loads_of(), second.loads_of(), strict=True))
    assert second.hot is first.hot and second.hot_lines is first.hot_lines


def test_where_lines_are_seen_follows_the_camera(composition):
    picture = composition.picture(LIGHT, DETAIL, heat_of(composition, 1))
    for place in (sheet(0.4, -500.0, 900.0), sheet(0.9, -500.0, 900.0)):
        list(links(picture, place))
        (rows,) = picture.lines.views.values()
        assert rows.tolist() == picture.lines.through(place.around(LINES_REACH_PX)).tolist()
        assert 0 < len(rows) < len(picture.lines.xy)


def straight(*lines):
    n = len(lines)
    flags = np.zeros(n, np.bool_)
    return Lines(np.array(lines, np.float64).reshape(-1, 4), np.arange(n), np.arange(n), flags, flags, flags)


def touches(x1, y1, x2, y2, across, down):
    """Whether some part of a line is inside, in whole numbers: the parts within both pairs of edges share a point."""
    enters, leaves = Fraction(0), Fraction(1)
    for start, end, (low, high) in ((x1, x2, across), (y1, y2, down)):
        if start == end:
            if not low <= start <= high:
                return False
            continue
        first, last = sorted((Fraction(low - start, end - start), Fraction(high - start, end - start)))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters <= leaves


COORDINATES = st.integers(-40, 40)


@given(st.lists(st.tuples(COORDINATES, COORDINATES, COORDINATES, COORDINATES), max_size=12))
def test_the_lines_that_touch_a_rectangle_are_all_drawn_and_no_others(ends):
    found = straight(*ends).through((-10.0, -5.0, 20.0, 15.0))
    assert found.tolist() == [row for row, line in enumerate(ends) if touches(*line, (-10, 20), (-5, 15))]


def test_lines_that_only_pass_a_corner_of_what_is_seen_leave_the_picture_as_it_is(composition, qapp):
    """With every line drawn, seen or not, the pixels are the same."""
    picture = composition.picture(LIGHT, DETAIL, heat_of(composition, 1))
    seen, every = (QImage(900, 700, QImage.Format.Format_RGB32) for _ in range(2))
    place = sheet(0.9, -500.0, 900.0)
    few = picture.lines.through(place.around(LINES_REACH_PX))
    for image, rows in ((seen, few), (every, np.arange(len(picture.lines.xy)))):
        image.fill(0xFFFFFF)
        picture.lines.views.clear()
        picture.lines.views[place.camera, place.area] = rows
        painter = QPainter(image)
        paint(painter, links(picture, place), Fonts(QFont()))
        painter.end()
    assert len(few) < len(picture.lines.xy) and seen == every


def test_a_line_bears_the_worst_of_its_links_in_either_direction(composition):
    heat, lines = heat_of(composition, 3), composition.lines(DETAIL)
    loads = composition.loads(heat)
    forth, back = lines.utilization(loads)
    ends = np.append(lines.starts, len(lines.links))
    for row in range(0, len(lines.starts), 97):
        held = range(ends[row], ends[row + 1])
        pairs = [loads[lines.links[one]][:: -1 if lines.flipped[one] else 1] for one in held]
        assert (forth[row], back[row]) == tuple(np.max(pairs, axis=0))
    some = np.arange(0, len(lines.starts), 3)
    np.testing.assert_array_equal((forth[some], back[some]), lines.utilization(loads, some))
    assert [len(one) for one in lines.utilization(loads, some[:0])] == [0, 0]


def test_of_lines_out_of_sight_no_loads_are_worked_out(composition):
    picture = composition.picture(LIGHT, DETAIL, heat_of(composition, 1))
    place = sheet(0.9, -500.0, 900.0)
    list(links(picture, place))
    ((_, rows, (forth, _)),) = picture.lines._utilized
    assert rows is picture.lines.views[place.camera, place.area]
    assert len(forth) == len(rows) < len(picture.lines.xy)


@pytest.mark.parametrize("scale", [0.02, 1.0])
def test_many_chosen_devices_and_links_are_found_as_each_alone_is(composition, scale):
    seen = Levels(composition).at(scale)
    design, projection = composition.design, seen.projection
    ids = frozenset([*list(design.devices)[::2], *list(design.links)[::3], *design.racks, *design.groups])
    assert len(ids) > LOOKED_UP
    rows, flags = seen.chosen(ids)
    assert rows.tolist() == sorted({row for one in ids if (row := projection.box_of(one)) is not None})
    assert flags.tolist() == [one in ids for one in projection.link_ids]


def test_the_busier_direction_is_the_greater_of_both():
    values = np.array([[0.2, 0.4], [0.9, 0.1], [NO_HEAT, NO_HEAT]])
    assert busier(values).tolist() == [0.4, 0.9, NO_HEAT]


def test_lines_are_cut_where_they_leave_what_can_be_drawn():
    far = 3 * FARTHEST_PX
    near = [[0.0, 0.0, 10.0, 20.0], [-5.0, 7.0, -5.0, 7.0]]
    through, outside = [[-far, 0.0, far, 0.0], [0.0, -far, 100.0, far]], [[far, far, far, 2 * far]]
    assert clipped(np.array(near)).tolist() == near
    found = clipped(np.array([near[0], through[0], outside[0], near[1], through[1]]))
    assert len(found) == 4 and np.abs(found).max() <= FARTHEST_PX + 1e-6
    assert found[[0, 2]].tolist() == near
    assert found[1].tolist() == [-FARTHEST_PX, 0.0, FARTHEST_PX, 0.0]


def test_a_picture_that_takes_long_is_drawn_quickly_first_when_it_changes(qapp):
    backing, image, drawn = Backing(), QImage(40, 30, QImage.Format.Format_RGB32), []
    view = Viewport(Camera(), 40.0, 30.0)

    def draw(smooth):
        drawn.append(smooth)
        return ()

    def show(content):
        painter = QPainter(image)
        try:
            return backing.show(painter, view, 1.0, content, False, "#ffffff", Fonts(QFont()), draw)
        finally:
            painter.end()

    assert [show("a"), show("b")] == [False, False] and drawn == [True, True]
    backing._smooth_s = 2 * LATE_S  # as of a very large fabric
    assert show("c") and drawn[-1] is False
    assert not show("c") and drawn[-1] is True, "at rest with all care"
    assert len(drawn) == 4


def test_lines_drawn_up_beforehand_are_those_of_the_frames_from_near(example):
    composition = Composition(example("superpod-h100-4su"))
    composition.draw_up(NEAR_SCALES)
    drawn_up = dict(composition._lines)
    projection = composition.projection
    counts_ = len(projection.device_ids), len(composition.bundles.pairs), len(projection.link_ids)
    for scale in (0.17, 0.24, 0.4, 0.84, 0.9, 2.3):
        lines = composition.lines(detail_at(scale, *counts_))
        assert any(lines is one for one in drawn_up.values())
    far = [detail_at(scale, 70_000, 200_000, 200_000) for scale in (0.161, 0.24, 0.26, 0.272, 0.28, 0.84, 0.86, 9.0)]
    drawn = {(one.links, one.region) for one in (detail_at(scale, 70_000, 200_000, 200_000) for scale in NEAR_SCALES)}
    assert {(one.links, one.region) for one in far} == drawn


def test_lines_not_asked_for_longest_are_forgotten_first(composition):
    first = composition.lines(DETAIL)
    for number in range(2 * LEVELS_KEPT):
        composition.lines(Detail(LinkDetail.REGIONS, region=100.0 + number))
        assert composition.lines(DETAIL) is first
    assert len(composition._lines) == LEVELS_KEPT


def test_among_many_lines_that_pass_the_view_none_has_arrows(composition, monkeypatch):
    detail = Detail(LinkDetail.BUNDLES, both_ways=True)
    picture = composition.picture(LIGHT, detail, heat_of(composition, 1))
    place = sheet(1.5, -500.0, 400.0)
    near, through = (len(find(place.around(0.0))) for find in (picture.lines.near, picture.lines.through))
    assert near > through > 0
    for most, has_arrows in ((near, True), (near - 1, False)):
        monkeypatch.setattr("designer.drawing.parts.links.MOST_ARROWS", most)
        assert any(isinstance(part, Path) for part in links(picture, place)) == has_arrows


def test_labels_of_lines_are_not_asked_for_again(composition, monkeypatch):
    asked = []
    texts = LinkLabels.texts
    monkeypatch.setattr(LinkLabels, "texts", lambda self, rows: asked.append(len(rows)) or texts(self, rows))
    lines, labels = composition.lines(DETAIL), composition.link_labels
    rows = np.flatnonzero(lines.direct)
    first = labels.amounts(lines, rows)
    assert len(asked) == len(rows) and set(first.tolist()) == {SILENT, COUNTED}
    assert (labels.amounts(lines, rows) == first).all() and len(asked) == len(rows)
    single = Lines(
        lines.xy[:1], lines.starts[:1], lines.links[:1], lines.flipped[:1], lines.of_server[:1], first[:1] > 0
    )
    labels.amounts(single, np.array([0]))  # a part of the links of the first line: asked for by itself
    assert len(asked) == len(rows) + (lines.counts[0] > 1)


def test_what_tiers_say_is_kept_while_boxes_are_dragged(composition, monkeypatch):
    titles, notes, counted = composition.tier_titles, composition.tier_notes, []
    text = LinkRates.text
    monkeypatch.setattr(LinkRates, "text", lambda self, *of: counted.append(1) or text(self, *of))
    spine = next(one.id for one in composition.design.devices.values() if one.role == "spine")
    composition.shift({spine: (0.0, -50.0)})
    assert composition.tier_titles != titles and composition.tier_notes is not notes
    assert [one.note for one in composition.tier_titles] == [one.note for one in titles] and not counted
    leaf = next(one.id for one in composition.design.devices.values() if one.role == "leaf")
    composition.shift({leaf: (0.0, -1e6)})  # a leaf above the spines is none of those below
    assert titles[0].note.endswith("1,024 × 400G to 32 leaf switches")
    assert composition.tier_titles[0].note.endswith("992 × 400G to 31 leaf switches")


@pytest.mark.parametrize("seed", range(5))
def test_lines_under_a_text_are_counted_height_by_height_as_one_by_one(seed):
    random = np.random.default_rng(seed)
    lines = random.integers(0, 12, (200, 4)) * 10.0  # upright, level and slanted ones, and some that end at an edge
    spots = random.integers(0, 12, (30, 2)) * 10.0
    found = CountPlaces(lines, Taken(np.empty((0, 4))), (0.0, 0.0, 120.0, 120.0)).n_crossed(spots, 20.0, 10.0)
    half = np.array([[10.0, 5.0]])
    assert found.tolist() == [np.count_nonzero(inside(lines, spot - half, spot + half)) for spot in spots[:, None]]


def test_titles_of_tiers_are_placed_once_a_sheet(composition):
    picture, paper = composition.picture(LIGHT, DETAIL), sheet()
    assert placed_titles(picture, paper) is placed_titles(picture, paper)
    assert placed_titles(picture, paper) is not placed_titles(picture, sheet())


def test_titles_of_groups_are_placed_once_a_sheet(composition, monkeypatch):
    picture, placed, place = composition.picture(LIGHT, DETAIL), [], frames.title_of
    sides = frames.titled(picture, sheet())
    monkeypatch.setattr(frames, "title_of", lambda one, *of: placed.append(one.id) or place(one, *of))
    paper = sheet()
    first = list(frames.titles(picture, paper))
    assert len(frames.title_corners(picture, paper)) and len(placed) == len(set(placed)) > 0
    assert frames.titled(picture, sheet()) is sides, "their sides are found once a scale"
    assert list(frames.titles(picture, sheet(0.05))) != first and len(placed) > len(set(placed))


TRUNKS = Detail(LinkDetail.TRUNKS)


def lines_of(lines):
    return [getattr(lines, one.name).tolist() for one in fields(lines)]


def test_a_drag_makes_the_combs_of_the_boxes_that_move_alone(composition, monkeypatch):
    made, comb_of = [], trunks.comb_of
    monkeypatch.setattr(trunks, "comb_of", lambda family, *of: made.append(family.leafs) or comb_of(family, *of))
    at_rest = lines_of(composition.lines(TRUNKS))
    every = list(made)
    leaf = composition.projection.device_ids[every[0][1]]
    for shift in ((0.0, 40.0), (7.0, 9.0)):
        made.clear()
        composition.shift({leaf: shift})
        dragged = lines_of(composition.lines(TRUNKS))
        assert made == every[:1] and dragged != at_rest
        other = Composition(composition.design)
        other.shift({leaf: shift})
        assert lines_of(other.lines(TRUNKS)) == dragged
    made.clear()
    composition.shift({})
    assert lines_of(composition.lines(TRUNKS)) == at_rest and made == every[:1]


@pytest.mark.parametrize("role", ["leaf", "server"])
def test_combs_follow_boxes_that_an_edit_moves(composition, role):
    composition.lines(TRUNKS)
    design = composition.design
    one = next(one.id for one in design.devices.values() if (one.role or "server") == role)
    edit = operations.move(design, {one: (design.placements[one].x, -4000.0)})  # a server above its leaf switches
    design.apply(edit)
    composition.follow(edit)
    assert lines_of(composition.lines(TRUNKS)) == lines_of(Composition(design).lines(TRUNKS))


def test_combs_follow_links_that_an_edit_takes_away(composition):
    composition.lines(TRUNKS)
    design = composition.design
    server = next(one for one in design.devices if design.is_server(one))
    edit = operations.delete(design, [one.id for one in design.links_of(server)])
    design.apply(edit)
    composition.follow(edit)
    assert lines_of(composition.lines(TRUNKS)) == lines_of(Composition(design).lines(TRUNKS))


def test_an_edit_has_the_ports_of_what_it_touches_counted_again_and_nothing_else(composition):
    base, design = composition.base, composition.design
    every = np.arange(len(base.device_ids))
    before, roles = base.port_counts(every), base.roles
    link = next(iter(design.links.values()))
    design.apply(edit := operations.delete(design, [link.id]))
    composition.follow(edit)
    ends = {base.row_of[end.device_id] for end in (link.a, link.b)}
    assert set(np.flatnonzero(base._port_counts._known[:, 0] == UNCOUNTED).tolist()) == ends
    assert base.port_counts(every) == (before[0] - 2, *before[1:])
    assert base.roles is roles


def test_a_worker_takes_the_counted_ports_along_and_changes_none_of_them(composition):
    base = composition.base
    before = base.port_counts(np.arange(len(base.device_ids)))
    taken = base.copied()
    taken._port_counts.forget(0)
    assert (base._port_counts._known != UNCOUNTED).all()
    assert taken.port_counts(np.arange(len(base.device_ids))) == before


def test_going_near_and_back_makes_nothing_anew_of_what_is_seen_from_afar(generated):
    composition = Composition(generated("k-ary-fat-tree", k=16))
    levels = Levels(composition)
    far = levels.at(0.01)
    assert far is not composition
    for number in range(2 * LEVELS_SEEN):
        assert levels.at(0.3 * 2 ** (number / 2)) is composition
    assert levels.at(0.01) is far


def test_of_drawings_seen_from_afar_those_last_seen_are_kept(generated, monkeypatch):
    tree = generated("k-ary-fat-tree", k=16)
    tree.apply(operations.move(tree, {tree.servers()[0].id: (0.0, 100_000.0)}))  # its pod is a box from afar alone
    monkeypatch.setattr("designer.drawing.folding.levels.LEVELS_KEPT", 1)
    levels = Levels(Composition(tree))
    near, far = levels.at(0.01), levels.at(0.0005)
    assert len({levels.at(1.0), near, far}) == 3
    assert levels.at(0.0005) is far
    assert levels.at(0.01) is not near
    assert levels.at(0.0005) is not far
