"""Texts and blocks that a tidied drawing would cover step out of it, in the same edit."""

from dataclasses import replace

import pytest

from designer.model import annotating, operations
from designer.model.edit import Change, Edit
from designer.placement.layouts.annotations import ROOM, _measured, _rects
from designer.placement.layouts.tidy import tidy
from designer.placement.metrics import BOX_HEIGHT, RACK_SIZE, usual_scale
from tests.placement.layouts.test_tidy import CATALOG, fabric


@pytest.fixture
def pod():
    """A fat-tree of 12 servers in one heap, around the origin."""
    design = fabric("fat-tree")
    places = [design.placements[one] for one in design.devices]
    heap = (Change(at, replace(at, x=at.x / 40 - 50, y=at.y / 40 - 25)) for at in places)
    design.apply(Edit("heap", tuple(heap)))
    return design


def written(design, kind, x, y, width=120.0, height=40.0, **values):
    half = width / 2, height / 2
    edit = annotating.annotate(design, kind, (x - half[0], y - half[1]), (x + half[0], y + half[1]), **values)
    design.apply(edit)
    return next(change.after.id for change in edit.changes if change.after.id in design.annotations)


def rect(design, one):
    note, at = design.annotations[one], design.placements[one]
    return at.x - abs(note.dx) / 2, at.y - abs(note.dy) / 2, at.x + abs(note.dx) / 2, at.y + abs(note.dy) / 2


def drawing(design):
    at = [design.placements[one] for one in design.devices]
    return (
        min(one.x for one in at),
        min(one.y for one in at) - BOX_HEIGHT / 2,
        max(one.x for one in at),
        max(one.y for one in at) + BOX_HEIGHT / 2,
    )


def meet(first, second):
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def test_texts_and_blocks_leave_the_drawing_on_the_side_they_were_on_and_lie_over_no_other(pod):
    above = written(pod, "text", 0.0, -80.0, text="Pod A")
    below = written(pod, "title-block", 20.0, 80.0, 400.0, 74.0)
    also_below = written(pod, "note", 40.0, 90.0, text="Order by May")
    far = written(pod, "text", 0.0, 9000.0, text="Far away")
    stays = pod.placements[far]
    edit = tidy(pod)
    pod.apply(edit)
    _, top, _, bottom = drawing(pod)
    assert rect(pod, above)[3] < top
    assert rect(pod, below)[1] > bottom and rect(pod, also_below)[1] > bottom
    assert not meet(rect(pod, below), rect(pod, also_below))
    assert pod.placements[far] == stays
    pod.apply(edit.inverted())
    assert pod.placements[above].y == -80.0, "the same step takes it back"


def test_what_stands_beside_the_drawing_leaves_it_sideways(pod):
    left, right = (written(pod, "text", x, 0.0, text="Beside") for x in (-150.0, 180.0))
    pod.apply(tidy(pod))
    assert rect(pod, left)[2] < drawing(pod)[0]
    assert rect(pod, right)[0] > drawing(pod)[2]


def test_what_is_locked_or_pinned_stays_and_so_do_lines(pod):
    device = next(iter(pod.devices))
    pinned = written(pod, "note", 0.0, -60.0, text="Keep", pinned_to=device)
    locked = written(pod, "text", 0.0, 60.0, text="Here")
    line = written(pod, "line", 0.0, 70.0)
    at = pod.placements[locked]
    pod.apply(Edit("lock", (Change(at, replace(at, locked=True)),)))
    before = [pod.placements[one] for one in (pinned, locked, line)]
    pod.apply(tidy(pod))
    assert [pod.placements[one] for one in (pinned, locked, line)] == before


def test_what_was_pinned_to_something_that_is_gone_counts_as_free(pod):
    text = written(pod, "note", 0.0, -80.0, text="Keep", pinned_to="d999")
    pod.apply(tidy(pod))
    assert rect(pod, text)[3] < drawing(pod)[1]


def test_texts_stay_where_nothing_else_moves(pod):
    pod.apply(tidy(pod))
    left, top, right, bottom = drawing(pod)
    text = written(pod, "text", (left + right) / 2, (top + bottom) / 2, text="Between rows")
    assert tidy(pod).changes == ()
    assert pod.placements[text].x == (left + right) / 2


def test_texts_leave_room_for_frames_that_grow_with_the_drawing(pod):
    zone = written(pod, "zone", 0.0, 0.0, 900.0, 900.0, text="All")
    text = written(pod, "text", 0.0, 500.0, text="Below the frame")
    pod.apply(tidy(pod))
    assert not meet(rect(pod, zone), rect(pod, text))


def test_texts_leave_room_for_racks_below_the_drawing(pod):
    pod.apply(operations.add_rack(pod, CATALOG.get("rack-42u"), 3000.0, 0.0))
    (rack,) = [one for one in pod.racks if one in pod.placements]
    text = written(pod, "text", 0.0, 60.0, text="Below")
    pod.apply(tidy(pod))
    assert rect(pod, text)[1] > pod.placements[rack].y + RACK_SIZE[1] / 2 + 20.0


@pytest.mark.parametrize("kind", ["title-block", "legend"])
def test_what_tells_about_the_drawing_grows_and_shrinks_with_it_and_what_is_written_by_hand_does_not(kind):
    design = fabric("fat-tree", servers=192)
    around = [design.placements[one] for one in design.devices]
    design.apply(Edit("heap", tuple(Change(at, replace(at, x=at.x / 40, y=at.y / 40)) for at in around)))
    block = written(design, kind, 0.0, 2000.0, 260.0, 110.0)
    text = written(design, "text", 0.0, 2500.0, text="Pod A")
    heap, before = usual_scale(drawing(design)), design.annotations[block]
    edit = tidy(design)
    design.apply(edit)
    after = design.annotations[block]
    growth = usual_scale(drawing(design)) / heap
    assert growth > 1.5
    assert after.size / before.size == pytest.approx(growth, rel=0.05)
    assert (after.dx / 260.0, after.dy / 110.0) == pytest.approx((after.size / before.size,) * 2, rel=0.01)
    assert not meet(rect(design, block), drawing(design))
    assert design.annotations[text].size == before.size
    design.apply(edit.inverted())
    assert design.annotations[block] == before
    design.apply(edit)
    assert design.annotations[block] not in [change.before for change in tidy(design).changes], "it is right now"
    places = [design.placements[one] for one in design.devices]
    design.apply(Edit("far", tuple(Change(at, replace(at, x=at.x * 3, y=at.y * 3)) for at in places)))
    design.apply(tidy(design))
    assert design.annotations[block].size < after.size / 2


def test_a_block_that_is_locked_keeps_its_size(pod):
    block = written(pod, "title-block", 0.0, 2000.0, 260.0, 110.0)
    at, before = pod.placements[block], pod.annotations[block]
    pod.apply(Edit("lock", (Change(at, replace(at, locked=True)),)))
    pod.apply(tidy(pod))
    assert pod.annotations[block] == before


def row(design, y):
    """The devices that stand at a height, from the left."""
    return sorted(
        (at for at in design.placements.values() if at.y == y and at.id in design.devices), key=lambda at: at.x
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_dimension_still_leads_from_one_box_to_the_other_beside_the_drawing(pod, sign):
    pod.apply(tidy(pod))
    lowest = row(pod, max(pod.placements[one].y for one in pod.devices))
    first, last = lowest[0], lowest[-2]
    note = written(pod, "dimension", 0.0, 0.0, 100.0, 1.0, text="Servers")
    top = min((pod.placements[one] for one in pod.devices), key=lambda one: one.y)
    written(pod, "zone", top.x, top.y, 400.0, 100.0)
    before = pod.annotations[note], pod.placements[note]
    drawn = replace(before[0], dx=sign * (last.x - first.x + 96.0), dy=0.0)
    at = replace(before[1], x=(first.x + last.x) / 2, y=first.y + 60.0)
    pod.apply(Edit("draw", (Change(before[0], drawn), Change(before[1], at))))
    far = {one.id: (2.0 * one.x + 40.0, one.y) for one in lowest}
    pod.apply(operations.move(pod, far))
    pod.apply(Edit("draw", (Change(drawn, replace(drawn, dx=2 * drawn.dx - sign * 96.0)),)))
    pod.apply(Edit("draw", (Change(at, replace(at, x=2 * at.x + 40.0)),)))
    edit = tidy(pod)
    pod.apply(edit)
    found, there = pod.annotations[note], pod.placements[note]
    left, right = pod.placements[first.id].x - 48.0, pod.placements[last.id].x + 48.0
    assert found.dx == pytest.approx(sign * (right - left), abs=0.3)
    assert there.x == pytest.approx((left + right) / 2, abs=0.3)
    assert there.y == pytest.approx(drawing(pod)[3] + ROOM + found.size, abs=0.2), "with room for its words"


def test_a_dimension_that_measures_no_row_keeps_its_length_and_leaves_the_drawing(pod):
    note = written(pod, "dimension", 10.0, 80.0, 3000.0, 1.0, text="Hall")
    before = pod.annotations[note]
    pod.apply(tidy(pod))
    assert pod.annotations[note] == before
    assert pod.placements[note].y > drawing(pod)[3] + before.size
    assert pod.placements[note].x == 10.0


def test_an_upright_dimension_follows_its_column(pod):
    pod.apply(tidy(pod))
    two = list(pod.devices)[:2]
    x = max(at.x for at in pod.placements.values()) + 500.0
    pod.apply(operations.move(pod, dict(zip(two, [(x, 0.0), (x, 400.0)], strict=True))))
    note = written(pod, "dimension", x + 20.0, 200.0, 1.0, 400.0, text="Two")
    drawn = pod.annotations[note]
    pod.apply(Edit("draw", (Change(drawn, replace(drawn, dx=0.0)),)))
    before, after = ({one: (x, y + by) for one, y in zip(two, (0.0, 400.0), strict=True)} for by in (0.0, 70.0))
    boxes = [_rects(pod, one) for one in (before, after)]
    found, at = _measured(pod.annotations[note], pod.placements[note], *boxes)
    assert (found.dy, at.y, at.x) == (400.0, 270.0, x + 20.0)


def test_a_dimension_follows_the_row_next_to_it_and_none_whose_boxes_leave_it(pod):
    two = {one: (x, y) for one, (x, y) in zip(pod.devices, [(0, 0), (400, 0), (0, 100), (400, 100)], strict=False)}
    note = written(pod, "dimension", 200.0, 160.0, 400.0, 1.0, text="Two")
    drawn, at = replace(pod.annotations[note], dy=0.0), pod.placements[note]
    before = _rects(pod, two)
    for row, length in ((0, 400.0), (1, 500.0)):
        after = before.copy()
        after[2 * row + 1, ::2] += 100.0
        assert _measured(drawn, at, before, after)[0].dx == length
    after[3, 1::2] += 5.0
    assert _measured(drawn, at, before, after)[0].dx == 400.0, "those of the other row"
    askew = before.copy()
    askew[1::2, 1::2] += 5.0
    assert _measured(drawn, at, askew, before + 100.0) == (drawn, at)
    turned = before.copy()
    turned[:, ::2] *= -1.0
    turned = turned[:, [2, 1, 0, 3]]
    assert _measured(drawn, at, before, turned) == (drawn, at)


def boxes(design):
    return {
        one: tuple(_rects(design, {one: (at.x, at.y)})[0])
        for one, at in design.placements.items()
        if one in design.devices
    }


@pytest.mark.parametrize("pin", ["device", "link"])
def test_what_is_pinned_goes_along_and_then_off_the_boxes_that_it_would_cover(pod, pin):
    pod.apply(tidy(pod))
    device = next(one.id for one in pod.switches() if one.role == "leaf")
    to = device if pin == "device" else pod.links_of(device)[0].id
    at = pod.placements[device]
    notes = [written(pod, "callout", at.x + 20.0, at.y - 10.0 * n, text=f"Spines {n}", pinned_to=to) for n in (1, 2)]
    heap = (Change(at, replace(at, x=at.x / 40, y=at.y / 40)) for at in map(pod.placements.get, pod.devices))
    pod.apply(annotating.with_pinned(pod, Edit("heap", tuple(heap))))
    before = {one: rect(pod, one) for one in notes}
    edit = annotating.with_pinned(pod, tidy(pod))
    pod.apply(edit)
    for one in notes:
        assert not any(meet(rect(pod, one), box) for box in boxes(pod).values())
    assert not meet(*(rect(pod, one) for one in notes))
    near = pod.placements[device]
    for one in notes:
        left, top, right, bottom = rect(pod, one)
        assert abs((left + right) / 2 - near.x) < 400 and abs((top + bottom) / 2 - near.y) < 400, (
            "near what it is about"
        )
    pod.apply(edit.inverted())
    assert {one: rect(pod, one) for one in notes} == before


def test_what_is_pinned_and_covers_nothing_keeps_its_way_from_its_device_and_so_does_what_is_locked(pod):
    pod.apply(tidy(pod))
    top = min(pod.devices, key=lambda one: pod.placements[one].y)
    at = pod.placements[top]
    clear = written(pod, "note", at.x, at.y - 160.0, text="Clear", pinned_to=top)
    locked = written(pod, "note", at.x, at.y + 10.0, text="Locked", pinned_to=top)
    place = pod.placements[locked]
    pod.apply(Edit("lock", (Change(place, replace(place, locked=True)),)))
    pod.apply(annotating.with_pinned(pod, operations.move(pod, {top: (at.x + 3000.0, at.y + 500.0)})))
    pod.apply(annotating.with_pinned(pod, tidy(pod)))
    now = pod.placements[top]
    for one, down in ((clear, -160.0), (locked, 10.0)):
        assert pod.placements[one].x - now.x == pytest.approx(0.0, abs=0.2)
        assert pod.placements[one].y - now.y == pytest.approx(down, abs=0.2)


@pytest.mark.parametrize("kind", ["title-block", "legend"])
def test_a_block_that_grows_with_the_drawing_stands_off_a_dimension_next_to_it(pod, kind):
    dimension = written(pod, "dimension", 0.0, 9000.0, 3000.0, 0.0, text="Hall")
    block = written(pod, kind, 0.0, 9045.0, 200.0, 60.0)
    assert not meet(rect(pod, block), rect(pod, dimension))
    at = pod.placements[dimension]
    pod.apply(tidy(pod))
    left, top, right, bottom = rect(pod, block)
    assert bottom - top > 60.0 and pod.placements[dimension] == at
    assert not meet((left - 19, top - 19, right + 19, bottom + 19), rect(pod, dimension))
