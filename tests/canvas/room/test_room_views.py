"""The views of the room over a real session: what they show, and what a hand does in them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame

from designer.canvas.dropping import MIME_TYPE
from designer.canvas.hits import Target
from designer.canvas.pointer import pointer_at
from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.drawing.room.floor_plan import PER_M, floor_plan
from designer.drawing.theme import DARK, LIGHT
from designer.errors import ExportError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Rack
from designer.placement import floor
from designer.placement.mounting import move_mounted, turn_mounted
from designer.placement.rack_contents import standing_in
from designer.storage import document

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Room:
    """Two racks on the floor and one that is not, a server and a switch in the first."""

    def __init__(self, session):
        self.session = session
        self.one, self.two, self.waiting = (self.rack(name) for name in ("one", "two", "waiting"))
        session.push(floor.place_racks(session.design, {self.one: (0, 0), self.two: (3, 0)}))
        self.server = self.device("dgx-h100", "gpu-01", self.one, 1)
        self.leaf = self.device("nvidia-qm9700", "leaf-01", self.one, 40)
        session.undo_stack.clear()

    @property
    def design(self):
        return self.session.design

    def rack(self, name):
        edit = operations.add_rack(self.design, self.session.catalog.types["rack-42u"], 0, 0, name)
        self.session.push(edit)
        return next(c.after.id for c in edit.changes if isinstance(c.after, Rack))

    def device(self, type_id, name, rack_id=None, unit=None):
        types = self.session.catalog.types
        edit = operations.add_device(
            self.design, types[type_id], 0, 0, catalog_types=types, name=name, rack_id=rack_id, unit=unit
        )
        self.session.push(edit)
        return next(c.after.id for c in edit.changes if isinstance(c.after, Device))

    def berth(self, device_id):
        place = self.design.placements[device_id]
        return place.rack_id, place.unit


def shown(qtbot, view):
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    return view


@pytest.fixture
def room(session):
    return Room(session)


@pytest.fixture
def plan(qtbot, room):
    return shown(qtbot, FloorView(room.session))


@pytest.fixture
def racks(qtbot, room):
    return shown(qtbot, ElevationView(room.session))


def middle(view, entity_id) -> QPoint:
    return view.box_px(entity_id).center().toPoint()


def drag(view, start, end, keys=NO_KEYS, let_go=True):
    QTest.mousePress(view, LEFT, keys, start)
    for share in range(1, 5):
        QTest.mouseMove(view, start + (end - start) * share / 4)
    if let_go:
        QTest.mouseRelease(view, LEFT, keys, end)


def metres(view, x_m, y_m) -> QPoint:
    return view.sight.point_px(x_m * PER_M, y_m * PER_M).toPoint()


# -- the floor plan -------------------------------------------------------------------------------------------------


def test_a_rack_dragged_over_the_floor_is_moved_by_one_edit(plan, room):
    drag(plan, middle(plan, room.two), metres(plan, 3, 4))
    at = floor.place_of(room.design.racks[room.two])
    assert at == pytest.approx((3, 4), abs=0.06)
    assert at[0] == pytest.approx(round(at[0] / 0.05) * 0.05), "in steps of 5 cm"
    assert room.session.undo_stack.count() == 1
    assert room.session.undo_stack.undoText() == "Place two"
    room.session.undo_stack.undo()
    assert floor.place_of(room.design.racks[room.two]) == (3, 0)


def test_beside_another_rack_a_dragged_one_snaps_into_its_row(plan, room):
    drag(plan, middle(plan, room.two), metres(plan, 0.68, 0.1))
    assert floor.place_of(room.design.racks[room.two]) == (0.6, 0)
    assert floor.overlaps(room.design) == []


def test_alt_lets_a_dragged_rack_stand_anywhere_and_shift_keeps_it_on_one_axis(plan, room):
    scale = plan.camera.scale * PER_M
    start = middle(plan, room.two)
    drag(plan, start, start + QPoint(-round(2.32 * scale), round(0.11 * scale)), ALT)
    at = floor.place_of(room.design.racks[room.two])
    assert at == pytest.approx((3 - round(2.32 * scale) / scale, round(0.11 * scale) / scale), abs=1e-3)
    start = middle(plan, room.two)
    drag(plan, start, start + QPoint(round(0.5 * scale), round(2 * scale)), SHIFT)
    x_m, y_m = floor.place_of(room.design.racks[room.two])
    assert x_m == pytest.approx(at[0], abs=0.026) and y_m > 1.5


def test_a_rack_that_waits_is_dragged_to_its_place(plan, room):
    assert floor.place_of(room.design.racks[room.waiting]) is None
    drag(plan, middle(plan, room.waiting), metres(plan, 1.5, 2.4))
    assert floor.place_of(room.design.racks[room.waiting]) == pytest.approx((1.5, 2.4), abs=0.06)


def test_esc_and_a_mere_click_edit_nothing(plan, room):
    before = document.encode(room.design)
    drag(plan, middle(plan, room.two), metres(plan, 1, 1), let_go=False)
    assert plan.gesture.active
    QTest.keyClick(plan, Qt.Key.Key_Escape)
    assert not plan.gesture.active
    QTest.mouseRelease(plan, LEFT, NO_KEYS, metres(plan, 1, 1))
    QTest.mouseClick(plan, LEFT, NO_KEYS, middle(plan, room.one))
    assert document.encode(room.design) == before
    assert room.session.undo_stack.count() == 0
    assert room.session.selection == {room.one}


def test_several_selected_racks_move_together(plan, room):
    room.session.select([room.one, room.two])
    drag(plan, middle(plan, room.one), metres(plan, 0, 3))
    one, two = (floor.place_of(room.design.racks[rack]) for rack in (room.one, room.two))
    assert one[1] == pytest.approx(3, abs=0.06)
    assert (two[0] - one[0], two[1] - one[1]) == pytest.approx((3, 0))
    assert room.session.undo_stack.count() == 1


def test_a_band_selects_the_racks_it_encloses(plan, room):
    drag(plan, metres(plan, -0.7, -1.0), metres(plan, 3.6, 1.0))
    assert room.session.selection == {room.one, room.two}


def test_arrow_keys_move_selected_racks_a_step_and_with_shift_a_small_one(plan, room):
    room.session.select([room.two])
    plan.setFocus()
    QTest.keyClick(plan, Qt.Key.Key_Right)
    assert floor.place_of(room.design.racks[room.two]) == (3.1, 0)
    QTest.keyClick(plan, Qt.Key.Key_Down, SHIFT)
    assert floor.place_of(room.design.racks[room.two]) == (3.1, 0.01)


def test_the_plan_follows_edits_and_undo_and_is_what_a_new_one_would_show(plan, room):
    room.session.push(floor.auto_place(room.design))
    assert plan.subject.drawn == floor_plan(room.design)
    room.session.undo_stack.undo()
    assert plan.subject.drawn == floor_plan(room.design)
    assert plan.subject.sentence(Target(container_id=room.one)) == "one: 9 of 42 U taken, 11.92 kW"
    room.session.push(floor.set_power_budget(room.design, [room.one], 20_000.0))
    assert plan.subject.sentence(Target(container_id=room.one)).endswith("11.92 kW, budget 20 kW")


def test_another_document_takes_the_place_of_the_first(plan, room, qtbot):
    room.session.new()
    assert plan.subject.bounds() is None
    plan.repaint()
    with pytest.raises(ExportError, match="no racks"):
        plan.render_png(None)


# -- the elevation --------------------------------------------------------------------------------------------------


def unit_px(view, rack_id, unit) -> QPoint:
    frame = next(frame for frame in view.racks.frames if frame.rack_id == rack_id)
    return view.sight.px(frame.rect_of_units(unit, 1)).center().toPoint()


def test_a_switch_dragged_to_another_unit_is_mounted_there_by_one_edit(racks, room):
    drag(racks, middle(racks, room.leaf), unit_px(racks, room.one, 20))
    assert room.berth(room.leaf) == (room.one, 20)
    assert room.session.undo_stack.undoText() == "Mount leaf-01"
    room.session.undo_stack.undo()
    assert room.berth(room.leaf) == (room.one, 40)


def test_a_server_dragged_to_another_rack_keeps_where_the_hand_holds_it(racks, room):
    drag(racks, unit_px(racks, room.one, 3), unit_px(racks, room.two, 13))
    assert room.berth(room.server) == (room.two, 11)
    assert [one.device_id for one in standing_in(room.design, room.two)] == [room.server]


def test_where_units_are_taken_it_is_refused_with_the_reason_and_nothing_changes(racks, room, qtbot):
    reported = []
    room.session.message.connect(reported.append)
    drag(racks, middle(racks, room.leaf), unit_px(racks, room.one, 4), let_go=False)
    assert racks.notes.shown.text == "one unit 4 is taken by gpu-01" and racks.notes.shown.refused
    QTest.mouseRelease(racks, LEFT, NO_KEYS, unit_px(racks, room.one, 4))
    assert reported == ["one unit 4 is taken by gpu-01"]
    assert room.berth(room.leaf) == (room.one, 40)
    assert room.session.undo_stack.count() == 0


def test_a_drag_beyond_the_top_stays_within_the_rack(racks, room):
    drag(racks, unit_px(racks, room.one, 1), unit_px(racks, room.two, 42))
    assert room.berth(room.server) == (room.two, 35)


def test_devices_of_a_rack_move_together_each_into_the_place_another_leaves(racks, room):
    second = room.device("nvidia-qm9700", "leaf-02", room.one, 39)
    room.session.undo_stack.clear()
    room.session.select([room.leaf, second])
    drag(racks, middle(racks, room.leaf), unit_px(racks, room.one, 39))
    assert (room.berth(room.leaf), room.berth(second)) == ((room.one, 39), (room.one, 38))
    assert room.session.undo_stack.count() == 1


def test_what_stands_in_no_rack_is_on_the_shelf_and_is_dragged_into_one_and_out(racks, room):
    spare = room.device("nvidia-qm9700", "spare")
    racks.zoom_to_fit()
    drag(racks, middle(racks, spare), unit_px(racks, room.two, 5))
    assert room.berth(spare) == (room.two, 5)
    room.device("nvidia-qm9700", "another")
    racks.zoom_to_fit()
    shelf = next(frame for frame in racks.racks.frames if frame.rack_id is None)
    drag(racks, middle(racks, spare), racks.sight.px(shelf.rect).center().toPoint())
    assert room.berth(spare) == (None, None)


def test_esc_ends_a_drag_without_an_edit(racks, room):
    drag(racks, middle(racks, room.leaf), unit_px(racks, room.two, 8), let_go=False)
    QTest.keyClick(racks, Qt.Key.Key_Escape)
    QTest.mouseRelease(racks, LEFT, NO_KEYS, unit_px(racks, room.two, 8))
    assert room.berth(room.leaf) == (room.one, 40)
    assert room.session.undo_stack.count() == 0


def test_arrow_keys_move_a_device_a_unit(racks, room):
    room.session.select([room.leaf])
    racks.setFocus()
    QTest.keyClick(racks, Qt.Key.Key_Up)
    assert room.berth(room.leaf) == (room.one, 41)
    QTest.keyClick(racks, Qt.Key.Key_Down)
    assert room.berth(room.leaf) == (room.one, 40)
    steps = room.session.undo_stack.count()
    QTest.keyClick(racks, Qt.Key.Key_Right)
    assert room.session.undo_stack.count() == steps


def test_the_rear_shows_the_row_from_its_other_end_and_ports_that_look_there(racks, room):
    front = [frame.title for frame in racks.racks.drawn[0].frames]
    assert front == ["one", "two"]
    room.session.push(turn_mounted(room.design, [room.leaf]))
    assert {box.name: box.faces for frame in racks.racks.frames for box in frame.boxes} == {
        "gpu-01": True,
        "leaf-01": False,
    }
    racks.show_rear(True)
    assert [frame.title for frame in racks.racks.drawn[0].frames] == ["two", "one"]
    assert {box.name: box.faces for frame in racks.racks.frames for box in frame.boxes} == {
        "gpu-01": False,
        "leaf-01": True,
    }


def test_a_row_whose_fronts_look_up_on_the_plan_is_seen_from_there(racks, room):
    room.session.push(floor.turn_racks(room.design, [room.one, room.two]))
    assert [frame.title for frame in racks.racks.drawn[0].frames] == ["two", "one"]
    assert [frame.title for frame in racks.racks.drawn[1].frames] == ["waiting"]
    racks.show_rear(True)
    assert [frame.title for frame in racks.racks.drawn[0].frames] == ["one", "two"]


def test_a_rack_over_its_budget_is_told_in_its_heading(racks, room):
    room.session.push(floor.set_power_budget(room.design, [room.one], 10_000))
    frame = next(frame for frame in racks.racks.frames if frame.rack_id == room.one)
    assert (frame.note, frame.over_budget) == ("9/42 U, 11.9/10 kW", True)


def test_a_draw_that_is_not_known_is_not_shown_as_nothing_of_a_budget(racks, room):
    type_ = room.design.device_type(room.server)
    room.session.push(floor.set_power_budget(room.design, [room.two], 10_000))
    frame = next(frame for frame in racks.racks.frames if frame.rack_id == room.two)
    assert frame.note == "0/42 U, 0/10 kW"
    room.session.push(Edit("forget", (Change(type_, replace(type_, power_max_w=None)),)))
    room.session.push(floor.set_power_budget(room.design, [room.one], 10_000))
    frame = next(frame for frame in racks.racks.frames if frame.rack_id == room.one)
    assert frame.note.startswith("9/42 U, ")
    assert frame.note.endswith(" of 10 kW")


def test_two_devices_may_trade_places(room):
    second = room.device("nvidia-qm9700", "leaf-02", room.one, 30)
    room.session.push(move_mounted(room.design, {room.leaf: (room.one, 30), second: (room.one, 40)}))
    assert (room.berth(room.leaf), room.berth(second)) == ((room.one, 30), (room.one, 40))


def drop(view, type_id, at):
    """Drag a type over a view and let it go; returns the note shown before."""
    data = QMimeData()
    data.setData(MIME_TYPE, type_id.encode())
    actions, no_keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at, actions, data, LEFT, no_keys)
    view.dragEnterEvent(entering)
    assert entering.isAccepted()
    over = QDragMoveEvent(at, actions, data, LEFT, no_keys)
    view.dragMoveEvent(over)
    note = view.notes.shown
    assert over.isAccepted() is not note.refused
    view.dropEvent(QDropEvent(QPointF(at), actions, data, LEFT, no_keys))
    return note


def refused(view, type_id, at):
    """Why a type cannot be dropped there; the design stays as it is."""
    before = document.encode(view.session.design)
    note = drop(view, type_id, at)
    assert note.refused and view.notes.shown == note and document.encode(view.session.design) == before
    return note.text


def test_a_rack_dropped_on_the_floor_stands_there(plan, room):
    drop(plan, "rack-48u", metres(plan, 1.5, 1))
    (new,) = room.session.selection
    assert floor.place_of(room.design.racks[new]) == pytest.approx((1.5, 1), abs=0.06)
    assert refused(plan, "nvidia-qm9700", metres(plan, 1.5, 1)) == (
        "QM9700 belongs in a rack: drop it in the rack elevation"
    )


def test_a_rack_of_an_id_that_the_design_uses_for_a_switch_is_refused_at_the_cursor(plan, room):
    taken = replace(room.session.catalog.types["nvidia-qm9700"], id="rack-48u")
    room.session.push(Edit("Add a type", (Change(None, taken),)))
    reason = refused(plan, "rack-48u", metres(plan, 1.5, 1))
    assert reason == "the design holds 'rack-48u' as something other than a rack"


def test_a_switch_dropped_on_a_rack_is_mounted_where_it_is_let_go(racks, room):
    drop(racks, "nvidia-qm9700", unit_px(racks, room.two, 17))
    (new,) = room.session.selection
    assert room.berth(new) == (room.two, 17)
    drop(racks, "dgx-h100", unit_px(racks, room.two, 42))
    (new,) = room.session.selection
    assert room.berth(new) == (room.two, 35)
    assert refused(racks, "nvidia-qm9700", unit_px(racks, room.two, 17)) == "two unit 17 is taken by switch-01"


def test_a_refused_device_is_outlined_in_the_unit_it_was_held_over(racks, room):
    at = pointer_at(racks.camera, QPointF(unit_px(racks, room.one, 40)))
    landing = racks.racks.landing(room.session.catalog.types["nvidia-qm9700"], at, racks.sight)
    frame = next(frame for frame in racks.racks.frames if frame.rack_id == room.one)
    assert (landing.edit, landing.rects) == (None, (frame.rect_of_units(40, 1),))


@pytest.mark.parametrize("view_type", [FloorView, ElevationView])
def test_each_theme_paints_other_colours_and_every_rack_is_seen(qtbot, room, view_type, tmp_path):
    view = shown(qtbot, view_type(room.session))
    backgrounds = set()
    for theme in (LIGHT, DARK):
        view.set_theme(theme)
        path = tmp_path / f"{theme.name}.png"
        view.render_png(path)
        view.render_pdf(path.with_suffix(".pdf"))
        assert path.with_suffix(".pdf").read_bytes().startswith(b"%PDF-")
        image = QImage(str(path))
        backgrounds.add(image.pixelColor(2, 2).name())
        for rack in (room.one, room.two, room.waiting):
            spot = view.box_px(rack).center().toPoint() * 2
            assert image.pixelColor(spot).name() != theme.background
    assert backgrounds == {LIGHT.background, DARK.background}


def test_the_bar_over_the_floor_plan_lies_over_no_rack_that_is_fitted(plan):
    plan.resize(460, 330)
    bar = QFrame(plan)
    bar.setGeometry(0, 0, 460, 36)
    bar.show()
    plan.over.append(bar)
    plan.zoom_to_fit()
    assert min(plan.sight.px(rack.rect).top() for rack in plan.floor.drawn.racks) > 36


def test_each_of_two_devices_in_the_same_units_is_hit_where_it_is_drawn(qtbot, session):
    room = Room(session)
    other = room.device("dgx-h100", "gpu-02", room.one, 9)
    place = room.design.placements[other]
    session.push(Edit("overlap", (Change(place, replace(place, unit=1)),)))
    view = shown(qtbot, ElevationView(session))
    for one in (room.server, other):
        left, top, right, bottom = view.subject.rect_of(one)
        for x in (left + 1, (left + right) / 2, right - 1):
            at = view.camera.to_view(x, (top + bottom) / 2)
            target = view.subject.target_at(pointer_at(view.camera, QPointF(*at)), view.sight)
            assert target.device_id == one
