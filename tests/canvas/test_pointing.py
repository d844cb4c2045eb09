"""The tip of a selected callout is dragged onto devices, links and points, and off them."""

import math

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from designer.canvas.pointer import pointer_at
from designer.canvas.pointing import tip_at
from designer.drawing.parts.annotations import zone_titles
from designer.drawing.parts.links import counts
from designer.drawing.parts.primitives import Group, Rect
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.model.annotating import annotate, point_to, pointed_to
from designer.model.collapsing import collapse
from designer.model.transforming import lock
from designer.model.wiring import connect_devices

BOTH_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


@pytest.fixture
def two(hand):
    """Two linked switches, seen at full size."""
    ids = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("nvidia-qm9700", 0.0, 300.0)
    hand.session.push(connect_devices(hand.design, *ids, 2))
    hand.view.zoom_to_fit()
    hand.view.zoom_reset()
    return ids


def put(hand, kind="callout", **values):
    edit = annotate(hand.design, kind, (150.0, 100.0), (300.0, 140.0), **values)
    hand.session.push(edit)
    hand.session.select([edit.changes[0].after.id])
    hand.view.grab()
    return edit.changes[0].after.id


def drawn(hand, one):
    return next(note for note in hand.view.fabric.composition.notes.drawn if note.note.id == one)


def grip(hand, one) -> QPoint:
    return QPointF(*hand.view.camera.to_view(*tip_at(drawn(hand, one), hand.view.camera.scale))).toPoint()


def to(hand, one):
    return pointed_to(hand.design, hand.design.annotations[one])


@pytest.mark.parametrize("kind", ["callout", "note", "comment"])
def test_dropped_on_a_device_it_is_attached_and_dragged_away_it_is_not(hand, two, kind):
    one, steps = put(hand, kind), hand.session.undo_stack.count()
    hand.drag(grip(hand, one), hand.middle(two[0]))
    assert hand.design.annotations[one].pinned_to == two[0]
    assert hand.session.undo_stack.count() == steps + 1 and hand.session.selection == {one}
    hand.drag(grip(hand, one), hand.at(250.0, 250.0))
    assert to(hand, one) == "A point"
    assert drawn(hand, one).leader[1] == pytest.approx((250.0, 250.0), abs=1.0)
    hand.session.undo_stack.undo()
    assert hand.design.annotations[one].pinned_to == two[0]


def test_dropped_on_a_link_it_is_attached_to_that(hand, two):
    one = put(hand)
    hand.drag(grip(hand, one), hand.at(0.0, 180.0))
    assert hand.design.annotations[one].pinned_to in hand.design.links
    assert drawn(hand, one).leader[1] == pytest.approx((0.0, 150.0), abs=2.0), "on the line that is drawn for both"


def test_while_it_is_dragged_the_leader_leads_to_the_box_and_esc_puts_it_back(hand, two):
    one = put(hand)
    before = drawn(hand, one).leader
    hand.drag(grip(hand, one), hand.middle(two[0]), let_go=False)
    assert drawn(hand, one).pin == hand.view.fabric.rect_of(two[0])
    hand.key(Qt.Key.Key_Escape)
    assert drawn(hand, one).leader == before and to(hand, one) == "A point"


def test_with_control_and_alt_it_is_a_point_over_a_device_too(hand, two):
    one = put(hand)
    hand.drag(grip(hand, one), hand.middle(two[0]), BOTH_KEYS)
    assert not hand.design.annotations[one].pinned_to and hand.design.annotations[one].tip_dx is not None


def test_dropped_into_its_own_box_a_note_points_to_nothing(hand, two):
    one = put(hand, "note", pinned_to=two[0])
    hand.drag(grip(hand, one), hand.at(225.0, 120.0))
    assert to(hand, one) == "" and drawn(hand, one).leader is None


def test_a_locked_annotation_and_several_have_no_tip_to_take(hand, two):
    one, other = put(hand), put(hand, "note")
    hand.session.select([one, other])
    assert not tip_found(hand, one)
    hand.session.select([one])
    assert tip_found(hand, one)
    hand.session.push(lock(hand.design, [one], locked=True))
    assert not tip_found(hand, one)


def tip_found(hand, one):
    at = pointer_at(hand.view.camera, QPointF(grip(hand, one)))
    return hand.view.fabric.target_at(at, hand.view.sight).tip


def test_a_callout_drawn_over_bare_canvas_points_to_where_it_began(hand, two):
    hand.view.set_tool("annotate.callout")
    hand.drag(hand.at(200.0, 250.0), hand.at(300.0, 120.0))
    (note,) = hand.design.annotations.values()
    assert drawn(hand, note.id).leader[1] == pytest.approx((200.0, 250.0), abs=1.0)


def test_exports_show_the_leader_to_a_point_and_have_room_for_its_tip(hand, two):
    one = put(hand)
    plain = svg_of(hand.design)
    hand.session.push(annotate(hand.design, "note", (0.0, 0.0), (10.0, 10.0), tip=(0.0, 2000.0)))
    assert hand.view.fabric.composition.bounds[3] >= 2000.0
    hand.session.undo_stack.undo()
    hand.session.push(point_to(hand.design, [one], two[1]))
    assert svg_of(hand.design) != plain


def test_a_leader_leads_to_the_box_that_a_collapsed_device_is_in(hand, two):
    one = put(hand, pinned_to=two[0])
    hand.session.push(operations.group(hand.design, two, "pod"))
    (group,) = hand.design.groups
    (link, _) = hand.design.links
    hand.session.push(collapse(hand.design, [group]))
    composition = hand.view.fabric.composition
    box = composition.rect_of(group)
    assert box is not None and drawn(hand, one).pin == box
    hand.session.push(point_to(hand.design, [one], link))
    assert drawn(hand, one).pin == box


def plates(hand):
    """Left, top, right and bottom of the plates with counts, in pixels of the view."""
    fabric, sight = hand.view.fabric, hand.view.sight
    picture = fabric.composition.picture(sight.theme, fabric.detail(sight.camera.scale))
    rects = [one.parts[0] for one in counts(picture, sight.sheet(fabric._fonts)) if isinstance(one, Group)]
    return [(one.x, one.y, one.x + one.width, one.y + one.height) for one in rects]


@pytest.mark.parametrize("kind", ["callout", "note"])
def test_no_count_stands_under_the_tip_of_a_leader_or_under_a_note(hand, two, kind):
    (plate,) = plates(hand)
    middle = (plate[0] + plate[2]) / 2, (plate[1] + plate[3]) / 2
    x, y = hand.view.camera.to_canvas(*middle)
    if kind == "callout":
        hand.session.push(annotate(hand.design, "callout", (200.0, 100.0), (300.0, 140.0), tip=(x, y)))
    else:
        hand.session.push(annotate(hand.design, "note", (x - 60, y - 10), (x + 60, y + 10)))
    (plate,) = plates(hand)
    assert not (plate[1] <= middle[1] <= plate[3])


def test_the_tip_is_taken_clear_of_the_box_that_it_leads_to(hand, two):
    one = put(hand, pinned_to=two[0])
    (_, end), at = drawn(hand, one).leader, tip_at(drawn(hand, one), hand.view.camera.scale)
    assert math.dist(end, at) * hand.view.camera.scale == pytest.approx(8.0)


def test_a_click_on_the_title_of_a_zone_that_stands_outside_of_it_selects_it(hand):
    switch = hand.add("nvidia-qm9700", 0.0, 0.0)
    x, y, width, height = hand.view.fabric.composition.boxes[0].tolist()
    edit = annotate(hand.design, "zone", (x - 4.0, y - 4.0), (x + width + 4.0, y + height + 4.0), text="Phase 2")
    hand.session.push(edit)
    zone = edit.changes[0].after.id
    hand.view.zoom_to_fit()
    hand.view.zoom_reset()
    hand.view.grab()
    fabric = hand.view.fabric
    (plate,) = [
        part for part in zone_titles(fabric.painted, hand.view.sight.sheet(fabric._fonts)) if isinstance(part, Rect)
    ]
    spot = QPoint(round(plate.x + plate.width / 2), round(plate.y + plate.height / 2))
    _, top, _, height = hand.view.sight.sheet(fabric._fonts).seen(drawn(hand, zone).rect)
    assert not top - 3 <= spot.y() <= top + height + 3, "there is something to find"
    hand.click(spot)
    assert hand.session.selection == {zone}
    hand.click(hand.middle(switch))
    assert hand.session.selection == {switch}
