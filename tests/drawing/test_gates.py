"""Links between the groups of a dragonfly lead through gates of their own, and meet no box."""

import itertools

import numpy as np
import pytest

from designer.drawing import gates
from designer.drawing.composition import Composition
from designer.drawing.gates import gated_groups, lines_to_gates
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.obstacles import Obstacles
from designer.drawing.theme import SERVER, THEMES
from designer.fields.field import fields_of
from designer.model import arranging, collapsing
from designer.model.edit import Change, Edit
from designer.model.entities import DRAGONFLY_GROUP, Placement
from designer.topologies.dragonfly import DragonflyParameters


def chords(composition):
    """The lines from gate to gate, each the longest of its bundle."""
    paths, numbers = composition.link_paths, composition.gated.numbers
    return paths.xy[paths.direct & np.isin(paths.bundles, numbers)]


def crossing(composition, xy):
    boxes = Obstacles(composition.centres, composition.projection.sizes)
    return int(boxes.crossed(xy, np.full((len(xy), 2), -1)).sum())


@pytest.mark.parametrize(("h", "groups"), [(1, 3), (2, 9), (4, 17)])
def test_every_link_between_groups_is_one_line_between_gates_of_its_own(h, groups, generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=h, groups=groups, links_per_pair=1))
    xy = chords(composition)
    assert len(xy) == groups * (groups - 1) // 2
    ends = {tuple(np.round(end, 3)) for end in np.vstack((xy[:, :2], xy[:, 2:])).tolist()}
    assert len(ends) == groups * (groups - 1)
    assert crossing(composition, composition.link_paths.xy) == 0


def test_no_two_links_of_a_group_beside_the_middle_cross(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=3, groups=4, links_per_pair=4))
    gated, ids, devices = composition.gated, composition.projection.device_ids, composition.design.devices
    groups = [{devices[ids[row]].group_id for row in pair} for pair in composition.bundles.pairs[gated.numbers]]
    assert len(groups) == 24
    for (one, a), (other, b) in itertools.combinations(zip(gated.via.tolist(), groups, strict=True), 2):
        assert not (a & b and cross(one, other))


def cross(one, other):
    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def test_links_of_the_group_at_the_top_pass_straight_before_their_own_routers(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    gated, boxes = composition.gated, composition.boxes
    pairs, via = composition.bundles.pairs[gated.numbers].reshape(-1), gated.via.reshape(-1, 2)
    at_top = boxes[pairs, 1] == boxes[pairs, 1].min()
    assert at_top.sum() == 8
    left, width = boxes[pairs[at_top]][:, 0], boxes[pairs[at_top]][:, 2]
    assert ((left < via[at_top, 0]) & (via[at_top, 0] < left + width)).all()


def test_a_link_whose_own_gates_lead_into_a_box_passes_those_of_its_groups(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    before = Composition(design)
    place, end = divmod(int(np.argmin(before.gated.via[:, :, 1].round(1) * 1e4 + before.gated.via[:, :, 0])), 2)
    number, chord = before.gated.numbers[place], before.gated.via[place]  # of the leftmost router of the highest group
    lone = next(one for one in design.devices if design.is_server(one))
    x, y = (chord[end] + 0.12 * (chord[1 - end] - chord[end])).tolist()
    design.apply(arranging.move(design, {lone: (x, y)}))
    after = Composition(design)
    (place,) = np.flatnonzero(after.gated.numbers == number)
    assert abs(after.gated.via[place, end, 0]) < 20.0 < abs(chord[end, 0])
    assert crossing(after, chords(after)) == 0


def test_narrower_groups_stand_with_their_end_at_the_middle_so_that_no_link_meets_a_box(generated):
    others = fields_of(DragonflyParameters)["other_groups"].read("management=1x7x0,test=1x7x0")
    composition = Composition(generated("dragonfly", p=16, a=7, h=11, groups=10, other_groups=others))
    ids, devices = composition.projection.device_ids, composition.design.devices
    group = [devices[one].group_id for one in ids]
    between = [
        number
        for number, (a, b) in enumerate(composition.bundles.pairs.tolist())
        if group[a] != group[b] and composition.design.is_switch(ids[a]) and composition.design.is_switch(ids[b])
    ]
    assert composition.gated.numbers.tolist() == between


def test_a_link_runs_from_its_router_through_two_gates_to_the_other(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    composition = Composition(design)
    projection = composition.projection
    row = next(
        row
        for row, (a, b) in enumerate(projection.ends.tolist())
        if design.devices[projection.device_ids[a]].group_id != design.devices[projection.device_ids[b]].group_id
    )
    path = composition.link_path(row)
    assert len(path) == 3
    assert (path[:-1, 2:] == path[1:, :2]).all()
    boxes = composition.boxes[projection.ends[row]]
    for end in (path[0, :2], path[-1, 2:]):
        inside = (boxes[:, :2] - 1 <= end) & (end <= boxes[:, :2] + boxes[:, 2:] + 1)
        assert inside.all(axis=1).any()


def test_collapsed_groups_keep_their_lines_which_begin_at_their_boxes(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    groups = [one for one in design.groups if design.groups[one].kind == DRAGONFLY_GROUP]
    design.apply(collapsing.collapse(design, groups))
    composition = Composition(design)
    assert len(composition.link_paths.xy) == 36
    assert crossing(composition, composition.lines(Detail(LinkDetail.BUNDLES)).xy) == 0


def test_groups_that_stand_in_a_row_have_no_gates(generated):
    design = generated("dragonfly", p=1, a=2, h=1)
    changes, groups = [], {}
    for number, (one, place) in enumerate(design.placements.items()):
        if one in design.devices:
            group = design.devices[one].group_id
            groups.setdefault(group, len(groups))
            changes.append(Change(place, Placement(one, groups[group] * 900.0 + number % 2 * 160, number % 4 * 90.0)))
    design.apply(Edit("In a row", tuple(changes)))
    assert Composition(design).gated is None


def test_titles_of_lower_groups_stand_below_them_where_no_link_runs(generated):
    containers = Composition(generated("dragonfly", p=2, a=4, h=2)).containers
    below = [one for one in containers if one.is_titled_below]
    assert 0 < len(below) < len(containers)
    assert min(one.rect[1] for one in below) > max(one.rect[1] for one in containers if one not in below)


def test_links_between_groups_keep_their_colour_where_no_other_link_is_drawn(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(collapsing.collapse(design, design.groups))
    picture = Composition(design).picture(THEMES["light"], Detail(LinkDetail.BUNDLES))
    (key,) = picture.coloured.keys
    assert [one.text for one in key.swatches] == ["Between groups"]
    assert picture.coloured.line_colours[int(picture.coloured.lines[0])]


def test_a_moved_group_takes_its_gate_along(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    composition = Composition(design)
    before = chords(composition)
    first = next(iter(design.groups))
    places = {one: design.placements[one] for one in design.members(first)}
    edit = arranging.move(design, {one: (place.x + 50.0, place.y - 100.0) for one, place in places.items()})
    design.apply(edit)
    composition.follow(edit)
    assert len(before) == len(chords(composition))
    assert np.count_nonzero((chords(composition) != before).any(axis=1)) == 8


@pytest.mark.parametrize(("p", "a", "h"), [(2, 4, 2), (1, 6, 1), (4, 8, 4)])
def test_the_frame_of_a_group_encloses_its_local_links(p, a, h, generated):
    composition = Composition(generated("dragonfly", p=p, a=a, h=h))
    frames = {one.id: one.rect for one in composition.containers if one.kind == DRAGONFLY_GROUP}
    devices, ids = composition.design.devices, composition.projection.device_ids
    paths, pairs = composition.link_paths, composition.bundles.pairs
    checked = 0
    for number in composition.arches.numbers.tolist():
        groups = {devices[ids[row]].group_id for row in pairs[number].tolist()}
        if len(groups) == 1:
            left, top, right, bottom = frames[groups.pop()]
            x, y = paths.xy[paths.bundles == number].reshape(-1, 2).T
            assert left < x.min() <= x.max() < right and top < y.min() <= y.max() < bottom
            checked += 1
    assert checked >= len(frames)


@pytest.mark.parametrize(("p", "a", "h"), [(2, 4, 2), (4, 8, 4)])
def test_the_frames_of_dragonfly_groups_do_not_overlap(p, a, h, generated):
    composition = Composition(generated("dragonfly", p=p, a=a, h=h))
    rects = np.array([one.rect for one in composition.containers if one.kind == DRAGONFLY_GROUP])
    low, high = rects[:, :2], rects[:, 2:]
    over = ((low[:, None] < high[None]) & (high[:, None] > low[None])).all(axis=2)
    assert over.sum() == len(rects)


def test_routers_have_lines_of_their_own_where_a_box_stands_in_the_one_of_their_group(generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    composition = Composition(design)
    bundles, projection = composition.bundles, composition.projection
    groups = gated_groups(composition.gated, projection, bundles)
    numbers, sizes = composition.gated.numbers, projection.sizes
    before = lines_to_gates(numbers, groups, bundles, composition.centres, sizes)
    in_way, centres = int(np.flatnonzero(projection.kinds == SERVER)[0]), composition.centres.copy()
    level = before.xy[before.xy[:, 1] == before.xy[:, 3]]
    centres[in_way] = level[0].reshape(2, 2).mean(axis=0)
    found = lines_to_gates(numbers, groups, bundles, centres, sizes)
    assert len(before.xy) == 72 and len(found.xy) == 68, "one group has four lines in place of eight"
    assert sorted(np.bincount(found.bundles)[numbers].tolist())[0] >= 2


def test_the_line_of_a_group_with_very_many_links_is_one_piece_on_either_side(generated, monkeypatch):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    groups = gated_groups(composition.gated, composition.projection, composition.bundles)
    given = composition.gated.numbers, groups, composition.bundles, composition.centres, composition.projection.sizes
    in_pieces = lines_to_gates(*given)
    monkeypatch.setattr(gates, "MOST_IN_PIECES", 1)
    found = lines_to_gates(*given)
    assert 36 + 9 <= len(found.xy) <= 36 + 18 < len(in_pieces.xy)
    level, level_before = (one.xy[one.xy[:, 1] == one.xy[:, 3]] for one in (found, in_pieces))
    assert np.abs(level[:, 2] - level[:, 0]).sum() == pytest.approx(
        np.abs(level_before[:, 2] - level_before[:, 0]).sum()
    )


def test_from_afar_every_router_keeps_a_stub_to_the_line_of_its_group_and_every_two_groups_have_one(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    lines = composition.lines(Detail(LinkDetail.REGIONS, region=44.0))
    gated, bundles, boxes = composition.gated, composition.bundles, composition.boxes
    between = np.isin(bundles.of_link, gated.numbers)
    ends = np.append(lines.starts[1:], len(lines.links))
    held = [set(lines.links[start:end].tolist()) for start, end in zip(lines.starts, ends, strict=True)]
    gathered = [(xy, links) for xy, links in zip(lines.xy, held, strict=True) if between[sorted(links)].any()]
    routers = np.unique(bundles.pairs[gated.numbers]).tolist()
    assert len(gathered) == 2 * len(routers) + 9 * 8 // 2
    for row in routers:
        own = set(np.flatnonzero(between & (composition.projection.ends == row).any(axis=1)).tolist())
        x, y, width, height = boxes[row].tolist()
        (line,) = [xy for xy, links in gathered if links == own and xy[0] == xy[2]]
        assert x + width / 2 < line[0] < x + width and line[1] in (y, y + height), "beside those of links in the group"
        assert abs(line[3] - line[1]) > 1.0
    counted = np.bincount(np.concatenate([sorted(links) for _, links in gathered]), minlength=len(between))
    assert (counted[between] >= 5).all() and not counted[~between].any()
    gates_of = gated_groups(gated, composition.projection, bundles).gates.round(3).tolist()
    along = [(xy.round(3).tolist(), links) for xy, links in gathered if xy[1] == xy[3]]
    for gate in gates_of:
        ending = [links for xy, links in along if xy[2:] == gate and xy[:2] not in gates_of]
        assert len(set[int]().union(*ending)) == 8, "all links of the group come to its gate"
