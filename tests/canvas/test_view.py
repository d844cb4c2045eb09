"""What the canvas shows: it follows the session, zooms where it is asked to, paints no more than it must."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest

from designer.canvas.camera_view import zoom_to_added
from designer.canvas.dropping import MIME_TYPE
from designer.canvas.hits import Box, Target
from designer.canvas.pointer import pointer_at
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.parts.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX
from designer.drawing.theme import DARK, LIGHT
from designer.errors import ExportError
from designer.model import collapsing, operations
from designer.model.several import ONE, Wanted
from designer.simulation.scenario import Scenario
from designer.windows.files.examples import example_files


@pytest.fixture
def linked(hand, session):
    leaf, server = hand.add("nvidia-qm9700", 0.0, -150.0), hand.add("dgx-h100", 0.0, 150.0)
    session.push(operations.connect_devices(session.design, server, leaf))
    hand.view.zoom_to_fit()
    return leaf, server


def image_of(view) -> QImage:
    view._come_to_rest()
    return view.grab().toImage()


def drop(view, type_id, at):
    data = QMimeData()
    data.setData(MIME_TYPE, type_id.encode())
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, copy, data, left, none)
    view.dragEnterEvent(enter)
    over = QDragMoveEvent(at, copy, data, left, none)
    view.dragMoveEvent(over)
    note = view.notes.shown
    view.dropEvent(QDropEvent(QPointF(at), copy, data, left, none))
    return over.isAccepted(), note


def test_a_picture_that_followed_edits_is_the_one_drawn_afresh(hand, session, linked):
    leaf, _ = linked
    other = hand.add("dgx-h100", 200.0, 150.0)
    session.push(operations.connect_devices(session.design, other, leaf, 2))
    session.push(operations.rename(session.design, leaf, "leaf-07"))
    session.push(operations.move(session.design, {leaf: (30.0, -100.0)}))
    session.undo_stack.undo()
    followed = image_of(hand.view)
    hand.view.fabric.composition = Composition(session.design)
    assert image_of(hand.view) == followed


def test_what_is_dropped_stays_where_it_was_let_go_when_a_bar_comes_with_it(hand, session, linked):
    view = hand.view
    view.zoom_to_fit()
    scale, there = view.camera.scale, set(session.design.devices)
    drop(view, "nvidia-qm9700", QPoint(60, 60))
    (device,) = set(session.design.devices) - there
    middle = view.box_px(device).center()
    view.resize(view.width(), view.height() - 40)
    view.fabric.legends_changed.emit()
    assert view.camera.scale == scale
    assert view.box_px(device).center().x() == middle.x()
    assert abs(view.box_px(device).center().y() - middle.y()) <= 20
    view.zoom_to_fit()
    assert view.shows_all


def test_another_design_takes_the_place_of_the_first(hand, session, linked):
    session.open(next(path for path in example_files() if path.stem == "fat-tree-16-2to1"))
    assert hand.view.fabric.composition.design is session.design
    left, top, right, bottom = hand.view.sight.seen()
    bounds = hand.view.fabric.composition.bounds
    assert left < bounds[0] and top < bounds[1] and right > bounds[2] and bottom > bounds[3]
    session.new()
    assert hand.view.fabric.composition.bounds is None


def test_hovering_and_selecting_do_not_paint_the_picture_again(hand, session, linked, qtbot):
    image_of(hand.view)
    painted = hand.view.fabric.backing.painted
    QTest.mouseMove(hand.view, hand.middle(linked[0]))
    session.select([linked[1]])
    hand.view.grab()
    assert hand.view.fabric.backing.painted == painted
    session.push(operations.rename(session.design, linked[0], "leaf-09"))
    hand.view.grab()
    assert hand.view.fabric.backing.painted == painted + 1


def test_a_large_picture_is_gone_on_with_until_it_is_done(hand, session, linked, qtbot, monkeypatch):
    hand.view.grab()
    kept = hand.view.fabric.backing
    monkeypatch.setattr("designer.canvas.backing.SLICE_S", 0.0)
    kept._smooth_s = 1.0  # as of a very large fabric
    session.push(operations.rename(session.design, linked[0], "leaf-09"))
    hand.view.grab()
    assert not kept._smooth and not hand.view.fabric.is_at_work
    hand.view._come_to_rest()
    hand.view.grab()
    assert hand.view.fabric.is_at_work
    qtbot.waitUntil(lambda: kept._smooth)
    assert not hand.view.fabric.is_at_work


def test_chosen_links_that_are_half_painted_end_with_the_choice(hand, session, linked, monkeypatch):
    monkeypatch.setattr("designer.canvas.marks.MOST_LINKS_AT_ONCE", 0)
    monkeypatch.setattr("designer.canvas.backing.SLICE_S", 0.0)
    session.select(list(session.design.links))
    hand.view.grab()
    kept = hand.view.fabric._chosen_links
    kept._smooth_s = kept._quick_s = 1.0
    hand.view.move_camera(hand.view.camera.moved(5.0, 3.0))
    hand.view._come_to_rest()
    hand.view.grab()
    assert kept.is_at_work
    session.select([])
    hand.view.grab()
    assert not kept.is_at_work


def test_heat_colours_the_links_and_a_stale_one_goes(hand, session, linked, qtbot):
    plain = image_of(hand.view)
    session.workbench.simulation.scenario = Scenario(traffic="shift:1")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=90_000)
    heated = image_of(hand.view)
    assert heated != plain
    session.push(operations.connect_devices(session.design, *linked))
    assert session.workbench.simulation.heat is None
    assert hand.view.fabric.heat is None


def test_while_a_live_run_computes_the_legend_says_so(hand, session, linked, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="shift:1")
    session.workbench.simulation.live = True
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=90_000)
    current = image_of(hand.view)
    session.push(operations.connect_devices(session.design, *linked))
    assert session.workbench.simulation.heat is None
    assert isinstance(hand.view.fabric.heat, Heat)
    assert image_of(hand.view) != current
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=90_000)
    assert hand.view.fabric.heat is session.workbench.simulation.heat


def test_the_wheel_zooms_about_the_cursor(hand, linked):
    spot = QPointF(300, 200)
    before = hand.view.camera.to_canvas(spot.x(), spot.y())
    scale = hand.view.camera.scale
    none = Qt.KeyboardModifier.NoModifier
    turn = QWheelEvent(
        spot, spot, QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, none, Qt.ScrollPhase.NoScrollPhase, False
    )
    hand.view.wheelEvent(turn)
    assert hand.view.camera.scale > scale
    assert hand.view.camera.to_canvas(spot.x(), spot.y()) == pytest.approx(before)


def test_the_middle_button_and_space_pan_with_any_tool(hand, linked):
    before = hand.view.camera
    QTest.mousePress(hand.view, Qt.MouseButton.MiddleButton, pos=QPoint(100, 100))
    QTest.mouseMove(hand.view, QPoint(160, 130))
    QTest.mouseRelease(hand.view, Qt.MouseButton.MiddleButton, pos=QPoint(160, 130))
    assert hand.view.camera.left == pytest.approx(before.left - 60 / before.scale)
    QTest.keyPress(hand.view, Qt.Key.Key_Space)
    hand.drag(QPoint(160, 130), QPoint(100, 100))
    QTest.keyRelease(hand.view, Qt.Key.Key_Space)
    assert hand.view.camera.left == pytest.approx(before.left)
    assert hand.view.tool == "select"


def test_going_to_something_brings_it_into_view_at_a_readable_size(hand, session, linked):
    far = hand.add("nvidia-qm9700", 90_000.0, 40_000.0)
    hand.view.zoom_to([far])
    box = hand.view.box_px(far)
    assert hand.view.rect().contains(box.toRect())
    assert box.height() > 20
    camera = hand.view.camera
    hand.view.zoom_to([far])
    assert hand.view.camera == camera


def test_what_is_added_out_of_sight_is_shown_with_all_the_rest_where_that_can_be_read(hand, linked):
    """Else alone: a device far away does not make everything a speck."""
    view = hand.view

    def seen(device):
        return view.rect().contains(view.box_px(device).toRect())

    above = hand.add("nvidia-qm9700", 0.0, -400.0)
    assert not seen(above)
    zoom_to_added(view, [above])
    assert all(map(seen, (*linked, above)))
    assert view.shows_all
    camera = view.camera
    zoom_to_added(view, [above])
    assert view.camera == camera
    far = hand.add("nvidia-qm9700", 9_000.0, 0.0)
    zoom_to_added(view, [far])
    assert seen(far) and not seen(above)
    near = Camera(6.0, 0.0, -150.0)
    view.session.push(operations.delete(view.session.design, [far]))
    view.move_camera(near)
    zoom_to_added(view, [above])
    assert seen(above) and not seen(linked[1])


def test_what_is_added_in_sight_leaves_the_scale_unless_it_is_a_speck(hand, linked):
    view = hand.view
    for scale, stays in ((0.3, True), (0.05, False)):
        view.move_camera(Camera(scale, -600.0, -400.0))
        zoom_to_added(view, linked)
        assert (view.camera.scale == scale) == stays, scale


@pytest.mark.parametrize("size", [(900, 600), (420, 600)], ids=["wide", "narrow"])
def test_what_one_goes_to_is_clear_of_the_legend(hand, session, linked, size):
    hand.view.resize(*size)
    heat_view = session.workbench.heat_view
    heat_view.show_jobs(Heat(session.design.revision, dict.fromkeys(session.design.links, (0.5, 0.5))))
    assert hand.view.fabric.legend_shown
    session.is_heat_key_folded = False
    device = linked[0]
    left, _, _, bottom = hand.view.fabric.composition.rect_of(device)
    legend = QRectF(MARGIN_PX, hand.view.height() - MARGIN_PX - HEIGHT_PX, WIDTH_PX, HEIGHT_PX)
    hand.view.move_camera(Camera(1.0, left - 60, bottom - hand.view.height() + 60))
    assert legend.intersects(hand.view.box_px(device))
    hand.view.zoom_to([device])
    assert not legend.intersects(hand.view.box_px(device))
    assert hand.view.rect().contains(hand.view.box_px(device).toRect())
    camera = hand.view.camera
    hand.view.zoom_to([device])
    assert hand.view.camera == camera


def test_a_switch_dropped_on_the_canvas_stands_there_selected(hand, session):
    accepted, note = drop(hand.view, "nvidia-qm9700", QPoint(400, 300))
    assert accepted and not note.refused
    (device,) = session.design.devices
    assert session.selection == {device}
    assert hand.middle(device) == QPoint(400, 300)


def test_as_many_are_dropped_as_were_typed_in_a_row_and_all_of_them_are_selected(hand, session):
    session.placing.ask(Wanted(8, "gpu-1"))
    accepted, note = drop(hand.view, "dgx-h100", QPoint(500, 300))
    assert accepted and note.text == "8 × DGX H100, from gpu-1"
    assert session.selection == set(session.design.devices)
    assert [one.name for one in session.design.devices.values()] == [f"gpu-{number}" for number in range(1, 9)]
    boxes = [hand.view.box_px(one) for one in session.design.devices]
    assert len({box.top() for box in boxes}) == 1
    assert all(a.right() < b.left() for a, b in pairwise(boxes))
    assert (boxes[0].left() + boxes[-1].right()) / 2 == pytest.approx(500, abs=1)
    assert session.placing.wanted == ONE
    session.undo_stack.undo()
    assert not session.design.devices


@pytest.fixture
def pod(hand, session):
    """A leaf switch above two servers, as a group; returns its id and theirs."""
    inside = [hand.add("nvidia-qm9700", 0.0, -150.0), hand.add("dgx-h100", 0.0, 0.0), hand.add("dgx-h100", 0.0, 150.0)]
    session.push(operations.group(session.design, inside, "Pod 1"))
    hand.view.zoom_to_fit()
    (group_id,) = session.design.groups
    return group_id, inside


def test_what_is_dropped_in_the_frame_of_a_group_belongs_to_it(hand, session, pod):
    group_id, inside = pod
    session.placing.ask(Wanted(2))
    accepted, note = drop(hand.view, "dgx-h100", hand.at(0.0, 75.0))
    assert accepted and note.text == "2 × DGX H100 in Pod 1"
    new = set(session.design.devices) - {*inside}
    assert {session.design.device(one).group_id for one in new} == {group_id}
    session.undo_stack.undo()
    assert set(session.design.devices) == {*inside}
    _, note = drop(hand.view, "dgx-h100", hand.at(600.0, 0.0))
    (outside,) = set(session.design.devices) - {*inside}
    assert note.text == "DGX H100" and session.design.device(outside).group_id is None
    session.placing.ask(Wanted(1))
    drop(hand.view, "rack-42u", hand.at(0.0, 0.0))
    assert [one.group_id for one in session.design.racks.values()] == [None]


def test_what_is_dropped_on_the_box_of_a_collapsed_group_goes_in_it_beside_what_it_hides(hand, session, pod):
    group_id, inside = pod
    session.push(collapsing.collapse(session.design, [group_id]))
    hand.view.zoom_to_fit()
    _, note = drop(hand.view, "dgx-h100", hand.middle(group_id))
    assert note.text == "DGX H100 in Pod 1"
    (new,) = set(session.design.devices) - {*inside}
    assert session.design.device(new).group_id == group_id
    session.push(collapsing.expand(session.design, [group_id]))
    boxes = [hand.view.box_px(one) for one in (*inside, new)]
    assert not any(a.intersects(b) for number, a in enumerate(boxes) for b in boxes[:number])


def test_a_number_typed_during_a_drag_changes_the_boxes_that_are_shown(hand, session):
    data = QMimeData()
    data.setData(MIME_TYPE, b"nvidia-qm9700")
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    over = QDragMoveEvent(QPoint(500, 300), copy, data, left, none)
    hand.view.dragMoveEvent(over)
    one = hand.view.grab().toImage()
    session.placing.ask(Wanted(3))
    assert hand.view.notes.shown.text == "3 × QM9700"
    assert hand.view.grab().toImage() != one
    hand.view.dragLeaveEvent(None)
    session.placing.ask(Wanted(4))
    assert hand.view.notes.shown is None


def test_several_are_mounted_in_a_rack_where_they_fit_and_refused_where_not(hand, session):
    rack = hand.add_rack(0.0, 0.0)
    hand.view.zoom_to_fit()
    session.placing.ask(Wanted(3, "leaf-1"))
    accepted, note = drop(hand.view, "nvidia-qm9700", hand.middle(rack))
    assert accepted and note.text == "3 × QM9700, from leaf-1 in rack-01, units 1 to 3"
    devices = list(session.design.devices.values())
    assert [(one.name, one.role) for one in devices] == [(f"leaf-{number}", "leaf") for number in (1, 2, 3)]
    assert {session.design.placements[one.id].rack_id for one in devices} == {rack}
    session.placing.ask(Wanted(60))
    accepted, note = drop(hand.view, "nvidia-qm9700", hand.middle(rack))
    assert note.refused and "free units" in note.text
    assert len(session.design.devices) == 3


def test_racks_come_in_a_row_too(hand, session):
    session.placing.ask(Wanted(4))
    drop(hand.view, "rack-42u", QPoint(500, 300))
    assert [rack.name for rack in session.design.racks.values()] == ["rack-01", "rack-02", "rack-03", "rack-04"]
    assert session.selection == set(session.design.racks)
    session.undo_stack.undo()
    assert not session.design.racks


def test_a_nic_dropped_beside_a_server_is_refused_and_on_one_with_a_free_slot_installed(hand, session):
    server = hand.add("generic-host", 0.0, 0.0)
    session.push(operations.remove_modules(session.design, [m.id for m in session.design.modules_of(server)]))
    accepted, note = drop(hand.view, "generic-nic", QPoint(20, 20))
    assert not accepted and note.refused and "onto a server" in note.text
    accepted, _ = drop(hand.view, "generic-nic", hand.middle(server))
    assert accepted
    assert len(session.design.modules_of(server)) == 1


def test_new_devices_find_a_free_spot_each(hand):
    for _ in range(12):
        hand.add("nvidia-qm9700", *hand.view.free_spot())
    boxes = [hand.view.box_px(one) for one in hand.design.devices]
    assert not any(a.intersects(b) for number, a in enumerate(boxes) for b in boxes[:number])


def test_a_tooltip_tells_what_is_under_the_cursor_and_escapes_names(hand, session, linked, monkeypatch, qtbot):
    session.push(operations.rename(session.design, linked[0], "<b>leaf</b>"))
    reported: list[str] = []
    monkeypatch.setattr("designer.canvas.stage_view.QToolTip.showText", lambda at, text, widget: reported.append(text))
    spot = hand.middle(linked[0])
    QTest.mouseMove(hand.view, spot)
    qtbot.waitUntil(lambda: bool(hand.view.hovered))  # the display moves the pointer when it comes to it
    hand.view.event(QHelpEvent(QEvent.Type.ToolTip, spot, hand.view.mapToGlobal(spot)))
    assert "&lt;b&gt;leaf" in reported[0] and "QM9700" in reported[0] and "1 used, 63 free" in reported[0]


def test_what_was_under_the_cursor_is_forgotten_when_the_view_moves_but_not_at_the_wheel(hand, linked, qtbot):
    messages: list[str] = []
    hand.view.cursor_message.connect(messages.append)
    spot = hand.middle(linked[0])
    hand.view._hover(pointer_at(hand.view.camera, spot.toPointF()))
    assert hand.view.hovered and messages[-1]
    turn = QPoint(0, 120)
    none, no_keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    at, there = spot.toPointF(), hand.view.mapToGlobal(spot).toPointF()
    hand.view.wheelEvent(QWheelEvent(at, there, QPoint(), turn, none, no_keys, Qt.ScrollPhase.NoScrollPhase, False))
    assert hand.view.hovered
    hand.view.zoom_to_fit()
    assert not hand.view.hovered and messages[-1] == ""
    hand.view._hover(pointer_at(hand.view.camera, hand.middle(linked[0]).toPointF()))
    hand.view.hide()
    assert not hand.view.hovered


def test_a_box_under_the_wheel_is_forgotten_for_it_may_have_opened(hand, linked):
    messages: list[str] = []
    hand.view.cursor_message.connect(messages.append)
    spot = hand.middle(linked[0])
    hand.view.hovered = Target(box=Box((linked[0],), "Group 2", by_hand=False))
    none, no_keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    at, there, turn = spot.toPointF(), hand.view.mapToGlobal(spot).toPointF(), QPoint(0, 120)
    hand.view.wheelEvent(QWheelEvent(at, there, QPoint(), turn, none, no_keys, Qt.ScrollPhase.NoScrollPhase, False))
    assert hand.view.hovered.box is None and messages == [""]


def test_the_status_line_names_what_is_under_the_cursor(hand, session, linked, qtbot):
    with qtbot.waitSignal(hand.view.cursor_message) as stated:
        QTest.mouseMove(hand.view, hand.middle(linked[1]))
    assert stated.args[0] == f"{session.design.device(linked[1]).name}: DGX H100, 1 of 8 ports used"


def test_a_right_click_selects_what_it_is_on_and_asks_for_a_menu(hand, session, linked, qtbot):
    from PySide6.QtGui import QContextMenuEvent

    spot = hand.middle(linked[1])
    with qtbot.waitSignal(hand.view.context_requested) as asked:
        hand.view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, hand.view.mapToGlobal(spot)))
    assert asked.args[1] == session.selection == {linked[1]}


def test_light_and_dark_differ_and_a_png_is_written_in_the_colours_shown(hand, linked, tmp_path):
    hand.view.set_theme(LIGHT)
    light = image_of(hand.view)
    hand.view.set_theme(DARK)
    assert image_of(hand.view) != light
    hand.view.render_png(tmp_path / "dark.png")
    image = QImage(str(tmp_path / "dark.png"))
    assert image.width() == 2400
    assert image.pixelColor(0, 0).name() == DARK.background


def test_an_empty_design_has_no_picture_to_write(hand, tmp_path):
    with pytest.raises(ExportError, match="empty"):
        hand.view.render_png(tmp_path / "nothing.png")


def test_findings_and_failures_are_marked(hand, session, linked, qtbot):
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    lone = hand.add("dgx-h100", 250.0, 150.0)
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=60_000)
    assert lone not in hand.view.fabric._worst  # it has just been drawn
    session.workbench.validation.check_all()
    qtbot.waitUntil(lambda: lone in hand.view.fabric._worst, timeout=60_000)
    marked = image_of(hand.view)
    session.set_failed(frozenset([linked[0]]))
    assert image_of(hand.view) != marked


def test_the_tooltip_of_a_device_says_that_a_failure_cuts_it_off(hand, session):
    leaf = hand.add("nvidia-qm9700", 0.0, -150.0)
    servers = [hand.add("dgx-h100", x, 150.0) for x in (-200.0, 0.0, 200.0)]
    for server in servers:
        session.push(operations.connect_devices(hand.design, server, leaf))
    (link,) = (one.id for one in hand.design.links.values() if servers[0] in (one.a.device_id, one.b.device_id))
    session.set_failed(frozenset([link]))
    says = ["Cut off" in hand.view.fabric.tooltip(Target(device_id=one)) for one in (*servers, leaf)]
    assert says == [True, False, False, False]


def test_every_zoom_of_every_example_is_painted_without_a_complaint(hand, session):
    for path in example_files():
        session.open(path)
        for scale in (0.02, 0.1, 0.3, 0.6, 0.9, 1.3, 1.7, 2.6, 6.0, 12.0):
            hand.view.zoom_to_fit()
            hand.view.zoom_by(scale / hand.view.camera.scale)
            assert not image_of(hand.view).isNull()


def test_servers_dropped_onto_a_rack_stand_one_above_the_other_as_they_are_mounted(hand, session):
    rack = hand.add_rack(0.0, 0.0)
    hand.view.zoom_to_fit()
    for _ in range(4):
        accepted, note = drop(hand.view, "dgx-h100", hand.at(0.0, 0.0))
        assert accepted
        hand.view.zoom_to_fit()
    assert note.text == "DGX H100 in rack-01, unit 25"
    places = sorted((session.design.placements[one] for one in session.design.mounted(rack)), key=lambda one: one.unit)
    assert [one.unit for one in places] == [1, 9, 17, 25]
    assert {one.x for one in places} == {0.0}
    heights = [one.y for one in places]
    assert all(lower - upper > 44.0 for lower, upper in pairwise(heights))
    left, top, right, bottom = hand.view.fabric.composition.rect_of(rack)
    assert all(left < one.x < right and top < one.y < bottom for one in places)
    session.undo_stack.undo()
    assert len(session.design.mounted(rack)) == 3


def test_what_was_arranged_by_hand_in_a_rack_stays_when_something_joins_it(hand, session):
    hand.add_rack(0.0, 0.0)
    hand.view.zoom_to_fit()
    for _ in range(2):
        drop(hand.view, "dgx-h100", hand.at(0.0, 0.0))
    first, second = session.design.servers()
    session.push(operations.move(session.design, {first.id: (-60.0, 0.0), second.id: (60.0, 0.0)}))
    hand.view.zoom_to_fit()
    drop(hand.view, "dgx-h100", hand.at(0.0, -40.0))
    places = {one: (place.x, place.y) for one, place in session.design.placements.items()}
    assert (places[first.id], places[second.id]) == ((-60.0, 0.0), (60.0, 0.0))
    assert places[session.design.servers()[2].id][1] > 44.0


def test_where_painting_fails_the_view_is_empty_and_is_painted_whole_again(hand, session, linked, qtbot, monkeypatch):
    view, paint = hand.view, hand.view.subject.paint
    before = view.grab().toImage()
    background = QColor(view.sight.theme.background)

    def fails(painter, *args, **keywords):
        paint(painter, *args, **keywords)
        painter.translate(200.0, 200.0)
        painter.setClipRect(0, 0, 10, 10)
        painter.setOpacity(0.5)
        raise RuntimeError("cannot be drawn")

    monkeypatch.setattr(view.subject, "paint", fails)
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    with qtbot.captureExceptions(), pytest.raises(RuntimeError, match="cannot be drawn"):
        view.render(image)
    assert all(image.pixelColor(x, y) == background for x in range(0, 1000, 20) for y in range(0, 700, 10))
    monkeypatch.undo()
    assert view.grab().toImage() == before
