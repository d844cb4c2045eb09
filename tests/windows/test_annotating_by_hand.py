"""Annotations by mouse and keys: pick a tool, drag, type; then selected, resized, found, hidden and exported."""

import base64
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage

from designer.canvas.export import render_pdf, render_png
from designer.drawing.camera import Camera
from designer.drawing.overlay import Overlay
from designer.drawing.parts.words import ROW_SHARE
from designer.exchange.diagram_svg import svg_of
from designer.model import images, operations
from designer.model.annotating import annotate, annotate_image
from designer.topologies import rail_optimized

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pod(window, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=4)
    window.session.push(rail_optimized.build(window.session.design, parameters, catalog))
    window.resize(1100, 700)
    window.show()
    window.views.canvas.zoom_to_fit()
    return window.session.design


def drag(qtbot, canvas, start, end):
    qtbot.mousePress(canvas, LEFT, pos=start)
    qtbot.mouseMove(canvas, (start + end) / 2)
    qtbot.mouseMove(canvas, end)
    qtbot.mouseRelease(canvas, LEFT, pos=end)


def only(design):
    (note,) = design.annotations.values()
    return note


def middle(canvas, one):
    return canvas.box_px(one).center().toPoint()


def test_a_text_is_drawn_typed_and_undone(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("insert.text")
    drag(qtbot, canvas, QPoint(40, 30), QPoint(240, 70))
    assert window.views.tool == "select", "the tool has done its work"
    qtbot.keyClicks(canvas.text_editor, "<b>Pod A</b>")
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Return)
    qtbot.keyClicks(canvas.text_editor, "draft")
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    note = only(pod)
    assert note.text == "<b>Pod A</b>\ndraft"
    assert window.session.selection == {note.id}
    assert canvas.box_px(note.id).toRect().adjusted(-2, -2, 2, 2).contains(QPoint(140, 50))
    before = window.session.undo_stack.count()
    assert window.session.undo_stack.undoText() == "Add text"
    window.actions_table.trigger("edit.undo")
    assert not pod.annotations, "with its words, in one step"
    window.actions_table.trigger("edit.redo")
    assert only(pod) == note and window.session.undo_stack.count() == before


@pytest.mark.parametrize(
    ("kind", "by", "size"),
    [
        ("note", QPoint(200, 3), (200, 84)),
        ("note", QPoint(-3, -200), (150, 200)),
        ("note", QPoint(9, 9), (150, 84)),
        ("text", QPoint(300, 4), (300, 24)),
        ("zone", QPoint(30, 30), (30, 30)),
        ("title-block", QPoint(0, 0), (260, 110)),
        ("arrow", QPoint(5, 5), (120, 0)),
        ("arrow", QPoint(0, 40), (0, 40)),
    ],
)
def test_a_side_that_was_hardly_drawn_has_its_usual_length(window, pod, qtbot, kind, by, size):
    canvas, start = window.views.canvas, QPoint(400, 300)
    window.session.drafting.choose(replace(window.session.drafting.now, to_neighbours=False))
    canvas.move_camera(Camera(1.0, -5000.0, -5000.0))
    window.actions_table.trigger(f"insert.{kind}")
    drag(qtbot, canvas, start, start + by)
    note = only(pod)
    assert (abs(note.dx), abs(note.dy)) == size
    corner, place = canvas.camera.to_canvas(400.0, 300.0), pod.placements[note.id]
    assert abs(place.x - corner[0]) == size[0] / 2 and abs(place.y - corner[1]) == size[1] / 2
    assert (place.x >= corner[0], place.y >= corner[1]) == (by.x() >= 0, by.y() >= 0)


@pytest.mark.parametrize("kind", ["note", "zone", "callout", "legend", "title-block", "arrow"])
def test_what_a_click_puts_down_is_alike_wherever_it_can_be_read_and_suits_the_drawing(window, pod, qtbot, kind):
    canvas, made = window.views.canvas, []
    canvas.fabric.session.push(operations.move(pod, {pod.servers()[0].id: (4000.0, 0.0)}))
    for scale in (0.4, 1.0, 3.0):
        canvas.move_camera(Camera(scale, -5000.0, -5000.0))
        window.actions_table.trigger(f"insert.{kind}")
        qtbot.mouseClick(canvas, LEFT, pos=QPoint(200, 200))
        canvas.text_editor.close_unchanged()
        made.append(replace(list(pod.annotations.values())[-1], id="", tip_dx=None, tip_dy=None))
    first = made[0]
    assert all(replace(one, dx=first.dx, dy=first.dy) == first for one in made)
    assert [(one.dx, one.dy) for one in made] == [pytest.approx((first.dx, first.dy))] * 3
    left, _, right, _ = canvas.fabric.composition.fabric_bounds
    assert first.size == round(13.0 * 0.75 * (right - left) / 1000.0) > 30


def test_letters_can_be_read_at_the_zoom_at_which_they_are_drawn(window, pod, qtbot):
    canvas = window.views.canvas
    for scale in (0.1, 0.3):
        canvas.move_camera(Camera(scale, -5000.0, -5000.0))
        window.actions_table.trigger("insert.text")
        drag(qtbot, canvas, QPoint(40, 30), QPoint(240, 70))
        qtbot.keyClicks(canvas.text_editor, "Pod A")
        qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
        note = list(pod.annotations.values())[-1]
        assert 10.5 <= note.size * scale < 20 and abs(note.dy) * scale == pytest.approx(40.0)


def test_from_afar_too_a_note_takes_a_line_of_its_letters(window, pod, qtbot):
    canvas = window.views.canvas
    canvas.move_camera(Camera(0.25, -5000.0, -5000.0))
    window.actions_table.trigger("insert.note")
    drag(qtbot, canvas, QPoint(100, 100), QPoint(300, 115))
    assert abs(only(pod).dy) == pytest.approx(84 * 11.0 / (13.0 * 0.25))


@pytest.mark.parametrize("kind", ["title-block", "note", "callout", "arrow", "legend"])
def test_enter_puts_an_annotation_down_in_free_ground_of_the_view(window, pod, qtbot, kind):
    canvas = window.views.canvas
    window.actions_table.trigger(f"insert.{kind}")
    canvas._mouse_at = None
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    note = only(pod)
    assert window.views.tool == "select" and window.session.selection == {note.id}
    (drawn,) = canvas.fabric.composition.notes.drawn
    left, top, right, bottom = drawn.rect
    seen = canvas.sight.seen()
    assert seen[0] <= left and right <= seen[2] and seen[1] <= top < seen[3]
    for x, y, width, height in canvas.fabric.composition.boxes.tolist():
        assert x >= right or x + width <= left or y >= bottom or y + height <= top
    assert note.pinned_to == ""


@pytest.mark.own_window
def test_a_title_block_goes_below_the_right_end_of_the_drawing_and_its_fields_are_in_the_inspector(window, pod, qtbot):
    canvas, panel = window.views.canvas, window.docks.inspector
    _, _, right, bottom = canvas.fabric.composition.bounds
    for mouse in (None, QPointF(500.0, 60.0)):
        window.session.push(operations.delete(pod, list(pod.annotations)))
        canvas._mouse_at = mouse
        window.actions_table.trigger("insert.title-block")
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
        note = list(pod.annotations)[-1]
        rect = canvas.fabric.rect_of(note)
        assert rect[2] == pytest.approx(right) and rect[1] > bottom, mouse
        assert canvas.camera.shows(rect, canvas.width(), canvas.height())
    window.session.select([note])
    panel.refresh()
    page = panel.annotation_page
    assert not page.title_block.isHidden() and "filled in here" in page.about.text()
    page.title_fields["customer"].line.setText("ACME")
    assert page.title_fields["customer"].finish() and pod.settings.customer == "ACME"
    window.docks.show("simulation")
    qtbot.mouseDClick(canvas, LEFT, pos=canvas.box_px(note).center().toPoint())
    qtbot.waitUntil(page.title_fields["project"].line.hasFocus)
    window.session.push(annotate(pod, "zone", (0.0, -900.0), (150.0, -800.0)))
    window.session.select([list(pod.annotations)[-1]])
    panel.refresh()
    assert page.title_block.isHidden()


def test_a_title_block_stands_to_the_right_of_a_high_drawing_which_is_seen_as_large_as_before(window, pod, qtbot):
    canvas = window.views.canvas
    places = pod.placements
    high = {one: (places[one].x / 8, number * 160.0) for number, one in enumerate(pod.devices)}
    window.session.push(operations.move(pod, high))
    canvas.zoom_to_fit()
    _, _, right, bottom = canvas.fabric.composition.bounds
    before = canvas.camera.scale
    window.actions_table.trigger("insert.title-block")
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    canvas.zoom_to_fit()
    rect = canvas.fabric.rect_of(list(pod.annotations)[-1])
    assert rect[0] > right and rect[3] <= bottom + 1 and canvas.camera.shows(rect, canvas.width(), canvas.height())
    assert canvas.camera.scale >= 0.95 * before


def test_a_title_block_that_is_put_down_is_as_high_as_its_rows_at_its_size_of_letters(window, pod, qtbot):
    canvas = window.views.canvas
    values = dict.fromkeys(("project", "customer", "site", "author", "drawing_number"), "Acme")
    window.session.push(operations.set_settings(pod, **values))
    canvas._mouse_at = None
    window.actions_table.trigger("insert.title-block")
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    block = list(pod.annotations.values())[-1]
    assert block.dy == pytest.approx(8 * block.size / ROW_SHARE)
    assert canvas.fabric.rect_of(block.id)[1] > canvas.fabric.composition.fabric_bounds[3]


def test_enter_puts_it_down_at_the_pointer_where_that_is_over_the_canvas(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("insert.note")
    qtbot.mouseMove(canvas, QPoint(70, 60))
    canvas._mouse_at = QPointF(70.0, 60.0)
    qtbot.keyClick(canvas, Qt.Key.Key_Enter)
    left, top, _, _ = canvas.fabric.composition.rect_of(only(pod).id)
    x, y = canvas.camera.to_canvas(70.0, 60.0)
    near = 10.0 / canvas.camera.scale  # it may come into line with what is around
    assert abs(left - x) <= near and abs(top - y) <= near


def test_the_inspector_of_a_legend_says_what_it_explains_and_moves_and_sizes_it(window, pod):
    session, panel = window.session, window.docks.inspector
    session.push(annotate(pod, "legend", (0.0, 0.0), (200.0, 60.0)))
    note = only(pod)
    session.select([note.id])
    panel.refresh()
    page = panel.annotation_page
    assert "Explains: Devices by kind" in page.about.text() and "Color Devices By" in page.about.text()
    assert page.position.x_field.line.text() == "100" and page.size_fields.width_field.line.text() == "200"
    assert page.size_fields.height_field.isHidden(), "it is as high as its keys"
    assert page.size_fields._resize(0, "300") is None
    assert only(pod).dx == 300.0 and pod.placements[note.id].x == 150.0
    assert page.size_fields._resize(0, "wide").startswith("Width must be above 0")
    assert page.size_fields._resize(1, "-3").startswith("Height must be above 0")
    assert page.position._move(1, "500") is None and pod.placements[note.id].y == 500.0


def test_esc_leaves_the_tool_while_the_keyboard_is_in_a_field(window, pod, qtbot):
    window.docks.show("tables")
    field = window.docks.tables.filter
    window.actions_table.trigger("insert.note")
    assert window.views.tool != "select"
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert window.views.tool == "select"


def test_words_written_after_something_else_are_a_step_of_their_own(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("insert.note")
    drag(qtbot, canvas, QPoint(40, 30), QPoint(240, 90))
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    note = only(pod)
    assert canvas.text_editor.open(note.id)
    qtbot.keyClicks(canvas.text_editor, "draft")
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    assert only(pod).text == "draft"
    window.actions_table.trigger("edit.undo")
    assert only(pod) == note


def test_a_note_with_words_is_not_made_smaller_than_its_letters(window, pod, qtbot):
    canvas = window.views.canvas
    window.session.drafting.choose(replace(window.session.drafting.now, to_neighbours=False))
    canvas.move_camera(Camera(1.0, -5000.0, -5000.0))
    window.actions_table.trigger("insert.note")
    drag(qtbot, canvas, QPoint(40, 30), QPoint(240, 130))
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    drag(qtbot, canvas, QPoint(240, 130), QPoint(42, 31))
    assert (only(pod).dx, only(pod).dy) == (26.0, 26.0)


def test_a_text_that_stays_empty_goes_away(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("insert.text")
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(60, 40))
    assert len(pod.annotations) == 1
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    assert not pod.annotations
    stack = window.session.undo_stack
    assert stack.count() == stack.index() == 1, "nothing of it is left to undo"


def test_a_note_from_a_device_is_pinned_and_moves_along(window, pod, qtbot):
    canvas, server = window.views.canvas, pod.servers()[0]
    window.actions_table.trigger("insert.note")
    drag(qtbot, canvas, middle(canvas, server.id), QPoint(90, 60))
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    note = only(pod)
    assert note.pinned_to == server.id
    before = pod.placements[note.id]
    drag(qtbot, canvas, middle(canvas, server.id), middle(canvas, server.id) + QPoint(40, 30))
    assert pod.placements[note.id].x > before.x and pod.placements[note.id].y > before.y


def test_escape_draws_nothing(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("insert.zone")
    qtbot.mousePress(canvas, LEFT, pos=QPoint(40, 30))
    qtbot.mouseMove(canvas, QPoint(200, 200))
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT, pos=QPoint(200, 200))
    assert not pod.annotations


@pytest.mark.own_window
def test_a_zone_is_taken_by_its_border_and_resized_by_a_corner(window, pod, qtbot):
    canvas, session = window.views.canvas, window.session
    session.push(annotate(pod, "zone", canvas.camera.to_canvas(60, 60), canvas.camera.to_canvas(260, 200)))
    note = only(pod)
    canvas.grab()
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(60, 130))
    assert session.selection == {note.id}
    width = note.dx
    drag(qtbot, canvas, QPoint(260, 200), QPoint(310, 230))
    assert only(pod).dx > width
    near = 8  # a corner may come into line with what is around
    assert canvas.box_px(note.id).toRect().adjusted(-near, -near, near, near).contains(QPoint(309, 229))


def test_the_inspector_changes_what_is_selected(window, pod):
    session, panel = window.session, window.docks.inspector
    session.push(annotate(pod, "comment", (0.0, 0.0), (150.0, 80.0), text="Who pays?", author="Kim"))
    note = only(pod)
    session.select([note.id])
    panel.refresh()
    page = panel.annotation_page
    assert page.words.toPlainText() == "Who pays?"
    assert page._change(line_style="dashed") is None
    assert only(pod).line_style == "dashed"
    assert page._change(colour="red") is not None
    window.actions_table.trigger("insert.resolve")
    assert only(pod).resolved


def test_a_color_is_typed_in_any_case_or_by_name_or_picked_from_those_that_devices_have(window, pod):
    edit = annotate(pod, "note", (0.0, -900.0), (150.0, -800.0))
    window.session.push(edit)
    (note,) = pod.annotations
    window.session.select([note])
    window.docks.inspector.refresh()
    field = window.docks.inspector.annotation_page.fields["colour"]
    for typed, colour in (("#C8321E", "#c8321e"), ("Teal", "#09a383"), ("grey", "#7d8690"), ("", "")):
        field.line.setText(typed)
        assert field.finish() and pod.annotations[note].colour == colour
    field.line.setText("mauve")
    assert not field.finish()
    assert field.refusal.text().startswith("Color: 'mauve' is no color: write it as #rrggbb")
    assert [one.text() for one in field.choices][:3] == ["Blue", "Orange", "Teal"]
    field.choices[0].trigger()
    assert pod.annotations[note].colour == "#2e6e99" and field.refusal.isHidden()
    field.choices[-1].trigger()
    assert pod.annotations[note].colour == ""
    fill = window.docks.inspector.annotation_page.fields["fill"]
    fill.line.setText("None")
    assert fill.finish() and pod.annotations[note].fill == "none"


def test_it_is_found_by_its_words_and_hidden_as_a_layer(window, pod):
    session = window.session
    session.push(annotate(pod, "text", (0.0, -300.0), (200.0, -260.0), text="Ask the network team"))
    note = only(pod)
    window.actions_table.trigger("edit.find")
    found = next(choice for choice in window.picker._choices if choice.text == "Ask the network team")
    found.run()
    assert session.selection == {note.id}
    window.actions_table.trigger("layer.annotations")
    assert not session.selection
    assert (
        window.views.canvas.fabric.composition.picture(
            window.views.canvas.theme, window.views.canvas.fabric.detail(1.0)
        ).notes
        == ()
    )


def png_of(tmp_path, colour):
    image = QImage(20, 10, QImage.Format.Format_RGB32)
    image.fill(colour)
    path = tmp_path / "logo.png"
    image.save(str(path))
    return path


def test_an_image_is_inserted_from_a_file_and_kept_in_the_design(window, pod, tmp_path, qtbot):
    path, canvas = png_of(tmp_path, Qt.GlobalColor.red), window.views.canvas
    window.desk.questions.on_open.append(path)
    window.actions_table.trigger("insert.image")
    assert not pod.annotations and window.views.tool == "annotate.image", "it goes where the mouse puts it"
    drag(qtbot, canvas, QPoint(30, 30), QPoint(230, 90))
    assert base64.b64decode(only(pod).image) == path.read_bytes()
    path.write_bytes(b"<svg onload='alert(1)'/>")
    window.desk.questions.on_open.append(path)
    window.actions_table.trigger("insert.image")
    assert "logo.png: the picture must be a PNG or JPEG file" in window.notice.text.text()
    assert len(pod.annotations) == 1 and window.views.tool == "select"
    size = canvas.box_px(only(pod).id)
    assert size.width() == pytest.approx(2 * size.height()) and size.height() == pytest.approx(60, abs=8)


@pytest.mark.own_window
def test_a_click_puts_an_image_down_as_large_as_other_annotations_over_the_links(window, pod, tmp_path, qtbot):
    canvas = window.views.canvas
    canvas.move_camera(Camera(0.05, -4000.0, -3000.0))
    window.desk.questions.on_open.append(png_of(tmp_path, Qt.GlobalColor.red))
    window.actions_table.trigger("insert.image")
    qtbot.mouseClick(canvas, LEFT, pos=QPoint(60, 60))
    size = canvas.box_px(only(pod).id)
    far = max(canvas.fabric.note_scale * canvas.camera.scale, 11.0 / 13.0)
    assert (size.width(), size.height()) == pytest.approx((160 * far, 80 * far)) and abs(size.left() - 60) <= 2
    assert not canvas.fabric.composition.notes.seen[0].is_behind


def test_letters_run_no_commands_while_an_annotation_is_still_to_be_placed(window, pod, qtbot):
    canvas = window.views.canvas
    window.session.select(list(pod.devices))
    window.actions_table.trigger("insert.note")
    assert window.focusWidget() is canvas
    qtbot.keyClicks(canvas, "xkVC")
    assert window.views.tool == "annotate.note" and window.session.undo_stack.count() == 1
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.keyClick(canvas, Qt.Key.Key_C)
    assert window.views.tool == "connect"
    window.actions_table.trigger("insert.wall")
    qtbot.keyClick(window.views.floor, Qt.Key.Key_C)
    assert window.views.tool == "room.wall" and window.focusWidget() is window.views.floor


def test_a_zone_goes_around_what_is_selected_at_once(window, pod, qtbot):
    canvas, servers = window.views.canvas, [one for one in pod.devices if pod.is_server(one)]
    window.session.select(servers)
    boxes = [canvas.box_px(one) for one in servers]
    window.actions_table.trigger("insert.zone")
    qtbot.keyClicks(canvas.text_editor, "SU 1")
    qtbot.keyClick(canvas.text_editor, Qt.Key.Key_Escape)
    zone = only(pod)
    assert (zone.kind, zone.text) == ("zone", "SU 1") and window.views.tool == "select"
    place = canvas.box_px(zone.id)
    room = min(box.top() for box in boxes) - place.top()
    assert all(place.contains(box) for box in boxes) and room > min(box.left() for box in boxes) - place.left() > 0
    window.session.select(list(pod.links)[:1])
    window.actions_table.trigger("insert.zone")
    assert window.views.tool == "annotate.zone" and len(pod.annotations) == 1, "around a link it is drawn"


def test_exports_show_annotations_as_the_canvas_does(window, pod, tmp_path):
    session = window.session
    session.push(annotate(pod, "text", (0.0, -300.0), (400.0, -260.0), text="<script>x</script> & more"))
    picture = images.checked_picture(png_of(tmp_path, Qt.GlobalColor.red).read_bytes())
    session.push(annotate_image(pod, picture, 0.0, -500.0, 300.0))
    text = svg_of(pod)
    assert "&lt;script&gt;x&lt;/script&gt; &amp; more" in text and "<script>" not in text
    assert 'href="data:image/png;base64,' in text
    without = svg_of(pod, overlay=Overlay(annotations=False))
    assert "script" not in without and "data:image" not in without
    render_png(pod, tmp_path / "pod.png", width=1200)
    drawn = QImage(str(tmp_path / "pod.png"))
    reds = [drawn.pixelColor(x, y).name() for x in range(0, 1200, 10) for y in range(0, drawn.height(), 10)]
    assert "#ff0000" in reds
    render_pdf(pod, tmp_path / "pod.pdf")
    assert (tmp_path / "pod.pdf").read_bytes().startswith(b"%PDF")


def two_zones(window, pod):
    """Two zones beside each other in view: 60..160 and 300..400 across, 60..120 down."""
    canvas, ids = window.views.canvas, []
    for left, top in ((60, 60), (300, 60)):
        start, end = canvas.camera.to_canvas(left, top), canvas.camera.to_canvas(left + 100, top + 60)
        edit = annotate(pod, "note", start, end)
        window.session.push(edit)
        ids.append(edit.changes[0].after.id)
    canvas.grab()
    return ids


@pytest.mark.own_window
def test_several_are_resized_by_a_corner_of_the_frame_around_them(window, pod, qtbot):
    canvas, ids = window.views.canvas, two_zones(window, pod)
    window.session.select(ids)
    steps = window.session.undo_stack.count()
    drag(qtbot, canvas, QPoint(400, 120), QPoint(570, 150))
    assert window.session.undo_stack.count() == steps + 1
    first, second = (canvas.box_px(one).toRect() for one in ids)
    assert abs(first.left() - 60) <= 1 and abs(first.width() - 150) <= 2 and abs(second.right() - 570) <= 2
    assert abs(first.height() - second.height()) <= 1


@pytest.mark.own_window
def test_a_corner_of_the_frame_over_bare_canvas_is_taken_too(window, pod, qtbot):
    canvas, (first, second) = window.views.canvas, two_zones(window, pod)
    place = pod.placements[second]
    window.session.push(operations.move(pod, {second: (place.x, place.y - 20.0)}))
    window.session.select([first, second])
    canvas.grab()
    corner = QPoint(round(canvas.box_px(second).right()), round(canvas.box_px(first).bottom()))
    qtbot.mouseMove(canvas, corner)
    drag(qtbot, canvas, corner, corner + QPoint(60, 40))
    assert window.session.selection == {first, second}
    assert canvas.box_px(first).width() > 105 and canvas.box_px(second).width() > 105


@pytest.mark.own_window
def test_a_corner_comes_into_line_with_what_stays(window, pod, qtbot):
    canvas, (first, second) = window.views.canvas, two_zones(window, pod)
    window.session.select([first])
    drag(qtbot, canvas, QPoint(160, 120), QPoint(299, 118))
    left, right = canvas.box_px(second).left(), canvas.box_px(first).right()
    assert right == pytest.approx(left, abs=1e-6)


def test_an_annotation_is_dragged_into_line_with_another(window, pod, qtbot):
    canvas, (first, second) = window.views.canvas, two_zones(window, pod)
    window.session.select([])
    drag(qtbot, canvas, QPoint(350, 90), QPoint(373, 92))
    assert pod.placements[second].y == pytest.approx(pod.placements[first].y)
    assert pod.placements[second].x != pytest.approx(pod.placements[first].x)


def test_locked_annotations_have_no_grips(window, pod, qtbot):
    canvas, (first, _) = window.views.canvas, two_zones(window, pod)
    window.session.select([first])
    window.actions_table.trigger("arrange.lock")
    drag(qtbot, canvas, QPoint(160, 120), QPoint(200, 160))
    assert canvas.box_px(first).width() == pytest.approx(100, abs=1)


def test_the_inspector_and_the_menu_make_and_apply_styles(window, pod):
    session, panel = window.session, window.docks.inspector
    page = panel.annotation_page
    first, second = two_zones(window, pod)

    def select(*ids):
        session.select(ids)
        panel.refresh()

    select(first)
    page._change(colour="#d55e00")
    page._choose_style("+")
    panel.refresh()
    (style,) = pod.annotation_styles.values()
    assert (page.style_choice.value, page.style_name.line.text()) == (style.id, "Style 1")
    assert page._rename_style("Warning") is None
    select(second)
    assert page.style_choice.value == ""
    window.actions_table.trigger("style.apply")
    next(choice for choice in window.picker._choices if choice.text == "Warning").run()
    assert pod.annotations[second].style_id == style.id
    window.actions_table.trigger("style.select")
    assert session.selection == {first, second}
    panel.refresh()
    page._change(bold=True)
    assert pod.annotation_styles[style.id].bold
    select(second)
    page._choose_style("")
    select(first, second)
    assert page.style_choice.currentText() == "Mixed"
    select(first)
    window.actions_table.trigger("style.delete")
    assert not pod.annotation_styles and pod.annotations[first].bold


def test_a_new_style_asks_for_its_name(window, pod):
    first, _ = two_zones(window, pod)
    window.session.select([first])
    window.actions_table.trigger("style.new")
    window.picker.line.setText("Customer note")
    window.picker._shown[0].run()
    assert [one.name for one in pod.annotation_styles.values()] == ["Customer note"]
    window.actions_table.trigger("style.rename")
    window.picker.line.setText("  ")
    assert "Type a name" in window.picker.note.text()


@pytest.mark.own_window
def test_select_all_selects_annotations_that_are_shown(window, pod):
    design = window.session.design
    window.session.push(annotate(design, "zone", (0, 0), (400, 200), text="Servers"))
    note = only(design)
    window.actions_table.trigger("edit.select_all")
    assert {note.id, *design.devices, *design.links} <= window.session.selection
    window.session.show_annotations(False)
    window.actions_table.trigger("edit.select_all")
    assert note.id not in window.session.selection and design.devices.keys() <= window.session.selection


def test_a_duplicate_selects_the_copies_of_annotations_too(window, pod):
    design = window.session.design
    window.session.push(annotate(design, "text", (0, 0), (400, 200), text="Pod 1"))
    note, device = only(design), next(iter(design.devices))
    window.session.select([note.id, device])
    window.actions_table.trigger("edit.duplicate")
    (copied,) = design.annotations.keys() - {note.id}
    assert copied in window.session.selection and len(window.session.selection) == 2


def test_the_inspector_names_what_a_callout_points_to_and_clears_it(window, pod):
    session, panel, server = window.session, window.docks.inspector, pod.servers()[0]
    session.push(annotate(pod, "callout", (0.0, -300.0), (150.0, -260.0), pinned_to=server.id))
    note = only(pod)
    session.select([note.id])
    panel.refresh()
    row = panel.annotation_page.points_to
    assert row.name.whole_text == server.name and row.clear.isEnabled()
    row.clear.click()
    panel.refresh()
    assert not only(pod).pinned_to
    assert row.name.whole_text == "A point" and not row.clear.isEnabled()
    session.undo_stack.undo()
    assert only(pod).pinned_to == server.id


def test_leaders_are_attached_and_detached_by_commands(window, pod):
    session, actions, server = window.session, window.actions_table, pod.servers()[0]
    session.push(annotate(pod, "note", (0.0, -300.0), (150.0, -260.0)))
    note = only(pod)
    session.select([note.id])
    actions.refresh()
    assert not actions["insert.attach"].isEnabled() and not actions["insert.detach"].isEnabled()
    session.select([note.id, server.id])
    actions.refresh()
    actions.trigger("insert.attach")
    assert only(pod).pinned_to == server.id
    actions.refresh()
    actions.trigger("insert.detach")
    assert not only(pod).pinned_to


def test_what_is_in_a_zone_is_seen_while_its_title_is_written(window, pod, qtbot):
    canvas = window.views.canvas
    start, end = canvas.camera.to_canvas(60, 60), canvas.camera.to_canvas(560, 360)
    window.session.push(annotate(pod, "zone", start, end, text="Pod A"))
    assert canvas.text_editor.open(only(pod).id)
    editor = canvas.text_editor
    assert editor.width() < 250 and editor.height() < 80
    low = editor.height()
    editor.setPlainText("Pod A\nwith all servers\nof the first phase,\nand the second phase")
    assert editor.height() > low, "it grows with the text"
    editor.close_unchanged()
