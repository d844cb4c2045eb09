"""Notes, callouts, comments, arrows, lines, images, legends and title blocks on the floor plan, by mouse and keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from designer.analysis.comparing import compare
from designer.canvas.formats import formats
from designer.canvas.glyphs import Fonts
from designer.canvas.resizing import grips
from designer.drawing.parts.primitives import Rect
from designer.drawing.room.floor_plan import PER_M
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import is_titled
from designer.exchange.graphs.floor_dxf import dxf_text, summary
from designer.model import operations
from designer.model.annotating import annotate, change_annotations, place_of, pointed_to
from designer.model.annotation import KINDS
from designer.model.fixture import MARKINGS
from designer.placement import floor
from designer.storage import document
from tests.windows.floor_by_hand import ALT, CONTROL, LEFT, drag, furnish, px, shown_plan

HERE = sorted({word.name for word in KINDS} - {word.name for word in MARKINGS} - {"image"})
"""Kinds that are annotations on the floor plan too."""


@pytest.fixture
def window(emptied_window):
    return emptied_window


@pytest.fixture
def plan(window, catalog):
    """The floor plan with two racks in one row, 6 m apart."""
    furnish(window, catalog, 0, 6)
    return shown_plan(window)


def only(window):
    (one,) = window.session.design.annotations.values()
    return one


def drawn(qtbot, window, plan, kind, start=(1, 1), end=(3, 2)):
    """One of a kind, dragged with its tool, its words left as they are."""
    window.actions_table.trigger(f"insert.{kind}")
    assert window.views.current is plan and plan.tool == f"annotate.{kind}"
    assert window.actions_table[f"insert.{kind}"].isChecked()
    drag(qtbot, plan, px(plan, *start), px(plan, *end))
    plan.text_editor.accept()
    return list(window.session.design.annotations.values())[-1]


def write(qtbot, plan, words):
    assert plan.text_editor.isVisible()
    plan.text_editor.setPlainText(words)
    qtbot.keyClick(plan.text_editor, Qt.Key.Key_Escape)


@pytest.mark.parametrize("kind", HERE)
def test_each_kind_is_drawn_on_the_floor_and_nowhere_else(qtbot, window, plan, kind):
    one = drawn(qtbot, window, plan, kind)
    design, session = window.session.design, window.session
    assert one.kind == kind and one.is_on_floor and one.id not in design.placements
    assert session.selection == {one.id} and window.views.tool == "select"
    assert session.undo_stack.undoText().startswith("Add")
    assert plan.shows(one.id) and not window.views.canvas.shows(one.id)
    left, top, right, bottom = plan.floor.rect_of(one.id)
    if kind != "callout":  # its text hangs where its leader ends
        assert (left, top, right) == pytest.approx((100, 100, 300), abs=6) and bottom >= 194
    session.undo_stack.undo()
    assert not design.annotations
    session.undo_stack.redo()
    assert only(window) == one


def test_what_is_drawn_is_kept_in_the_file(qtbot, window, plan, tmp_path):
    for kind in HERE:
        drawn(qtbot, window, plan, kind)
    path = tmp_path / "room.fabric"
    document.save(window.session.design, path)
    assert document.load(path).annotations == window.session.design.annotations


def test_a_comment_has_author_date_and_state(qtbot, window, plan):
    one = drawn(qtbot, window, plan, "comment")
    assert one.date and not one.resolved
    window.actions_table.trigger("insert.resolve")
    assert only(window).resolved


def test_an_image_is_put_down_in_its_own_shape_and_stored(qtbot, window, plan, tmp_path):
    path = tmp_path / "logo.png"
    QImage(40, 20, QImage.Format.Format_RGB32).save(str(path))
    window.desk.questions.on_open.append(path)
    window.actions_table.trigger("insert.image")
    drag(qtbot, plan, px(plan, 1, 1), px(plan, 3, 3))
    one = only(window)
    assert one.image and one.is_on_floor and one.dx == pytest.approx(2 * one.dy)


def test_a_note_drawn_from_a_rack_belongs_to_it_and_moves_along(qtbot, window, plan):
    design = window.session.design
    note = drawn(qtbot, window, plan, "note", (0, 0.2), (2, 2))
    assert note.pinned_to == "r1" and pointed_to(design, note) == "one"
    (seen,) = plan.floor.drawn.notes
    assert seen.pin == plan.floor.rect_of("r1") and seen.leader is not None
    before = note.x_m, note.y_m
    drag(qtbot, plan, px(plan, 0, 0.2), px(plan, 1, 1.2))
    rack, after = design.racks["r1"], only(window)
    assert (rack.x_m, rack.y_m) != (0, 0)
    assert (after.x_m - rack.x_m, after.y_m - rack.y_m) == pytest.approx(before)
    window.session.undo_stack.undo()
    assert (only(window).x_m, only(window).y_m) == before


def test_racks_that_swap_places_by_a_command_take_their_notes_along(qtbot, window, plan):
    session = window.session
    note = drawn(qtbot, window, plan, "note", (0, 0.2), (2, 2))
    session.push(floor.place_racks(session.design, {"r1": (0, 4)}))
    assert only(window).y_m == pytest.approx(note.y_m + 4)
    session.push(floor.place_racks(session.design, {"r1": None}))
    assert only(window).y_m == pytest.approx(note.y_m + 4), "off the floor it has nowhere to go along to"


def test_a_callout_goes_on_pointing_where_its_rack_stood(qtbot, window, plan):
    design = window.session.design
    callout = drawn(qtbot, window, plan, "callout", (6, 0.2), (4, 2))
    window.session.push(operations.delete(design, ["r2"]))
    left = only(window)
    at = place_of(design, left)
    assert callout.pinned_to == "r2" and left.pinned_to == ""
    assert (at.x + left.tip_dx, at.y + left.tip_dy) == pytest.approx((600, 0), abs=0.1)


def test_a_tip_is_dragged_to_a_rack_to_a_point_and_away(qtbot, window, plan):
    note = drawn(qtbot, window, plan, "note")
    design = window.session.design
    plan.setFocus()
    rect = plan.floor.rect_of(note.id)
    pulled = plan.sight.point_px((rect[0] + rect[2]) / 2, rect[3]).toPoint()
    pulled.setY(pulled.y() + 18)
    drag(qtbot, plan, pulled, px(plan, 6, 0))
    assert only(window).pinned_to == "r2"
    assert plan.floor.drawn.notes[0].pin == plan.floor.rect_of("r2")
    window.actions_table.trigger("insert.detach")
    assert only(window).pinned_to == "" and plan.floor.drawn.notes[0].leader is None
    window.session.select([note.id, "r1"])
    window.actions_table.trigger("insert.attach")
    assert only(window).pinned_to == "r1" and design is window.session.design
    assert window.session.undo_stack.undoText() == "Attach note"


def test_with_alt_it_is_drawn_anywhere_and_pinned_to_nothing(qtbot, window, plan):
    window.actions_table.trigger("insert.callout")
    start, end = px(plan, 0.03, 0.23), px(plan, 2.13, 2.17)
    qtbot.mousePress(plan, LEFT, ALT, pos=start)
    qtbot.mouseRelease(plan, LEFT, ALT, pos=end)
    assert only(window).pinned_to == ""
    window.actions_table.trigger("insert.line")
    qtbot.mousePress(plan, LEFT, ALT, pos=start)
    qtbot.mouseRelease(plan, LEFT, ALT, pos=end)
    line = plan.floor.drawn.notes[-1]
    assert line.start == pytest.approx(plan.camera.to_canvas(start.x(), start.y()), abs=0.1)
    drag(qtbot, plan, start, end)
    line = drawn(qtbot, window, plan, "line", (0.03, 1.23), (2.13, 2.17))
    assert (line.x_m - line.dx / 200, line.y_m - line.dy / 200) == pytest.approx((0.0, 1.2)), "on the grid"


def test_enter_puts_it_where_it_covers_no_rack_and_a_title_block_below_the_plan(qtbot, window, plan):
    session = window.session
    session.push(floor.place_racks(session.design, {"r1": (2.7, 0), "r2": (3.3, 0)}))
    plan.zoom_to_fit()
    for kind in ("note", "title-block"):
        window.actions_table.trigger(f"insert.{kind}")
        qtbot.keyClick(plan, Qt.Key.Key_Return)
        plan.text_editor.accept()
    note, block = (one.rect for one in plan.floor.drawn.notes)
    racks = [rack.rect for rack in plan.floor.drawn.racks]
    assert all(note[2] <= x or right <= note[0] or note[3] <= y or low <= note[1] for x, y, right, low in racks)
    assert block[1] > max(rack[3] for rack in racks)


def test_with_other_things_selected_it_is_outlined_and_alone_it_has_grips(qtbot, window, plan):
    one = drawn(qtbot, window, plan, "note")

    def outlines():
        parts = plan.floor.parts(plan.sight.sheet(Fonts(plan.font())))
        return [part for part in parts if isinstance(part, Rect) and part.pen is not None and part.pen.dash]

    assert len(plan.floor.notes.held) == 1 and not outlines()
    window.session.select([one.id, "r1"])
    assert not plan.floor.notes.held and len(outlines()) == 1


def test_words_are_written_as_soon_as_it_is_there_and_again_by_a_double_click(qtbot, window, plan):
    window.actions_table.trigger("insert.note")
    drag(qtbot, plan, px(plan, 1, 1), px(plan, 3, 2))
    write(qtbot, plan, "Keep\nclear")
    assert only(window).text == "Keep\nclear" and window.session.undo_stack.count() == 4
    qtbot.mouseDClick(plan, LEFT, pos=px(plan, 2, 1.5))
    write(qtbot, plan, "Aisle")
    assert only(window).text == "Aisle"


def test_it_is_dragged_resized_nudged_copied_and_deleted(qtbot, window, plan):
    session, design = window.session, window.session.design
    one = drawn(qtbot, window, plan, "arrow")
    drag(qtbot, plan, px(plan, 2, 1.5), px(plan, 2, 2.5))
    moved = only(window)
    assert (moved.x_m, moved.y_m) == pytest.approx((one.x_m, one.y_m + 1), abs=0.11)
    assert session.undo_stack.undoText() == "Move arrow"
    end = grips(plan.floor.notes.held)[1]
    drag(qtbot, plan, plan.sight.point_px(*end).toPoint(), px(plan, 4, 2.3))
    resized = plan.floor.drawn.notes[0]
    assert resized.end == pytest.approx((400, 230), abs=6) and resized.start == pytest.approx((100, 200), abs=6)
    at = only(window).x_m
    qtbot.keyClick(plan, Qt.Key.Key_Right)
    assert only(window).x_m == pytest.approx(at + 0.1)
    here = plan.sight.point_px(*plan.floor.drawn.notes[0].end).toPoint()
    drag(qtbot, plan, here - (here - px(plan, 1.1, 2)) / 2, px(plan, 3, 3), CONTROL)
    assert len(design.annotations) == 2 and not design.placements.keys() & design.annotations.keys()
    window.actions_table.trigger("edit.delete")
    assert len(design.annotations) == 1


def test_a_copy_lies_beside_what_it_was_copied_from(qtbot, window, plan):
    session = window.session
    one = drawn(qtbot, window, plan, "note")
    session.select([one.id])
    window.actions_table.trigger("edit.duplicate")
    window.actions_table.trigger("edit.copy")
    window.actions_table.trigger("edit.paste_in_place")
    places = {(note.x_m, note.y_m) for note in session.design.annotations.values()}
    assert len(places) == 3 and all(note.is_on_floor for note in session.design.annotations.values())


def test_a_band_and_select_all_take_them_with_the_racks(qtbot, window, plan):
    one = drawn(qtbot, window, plan, "line")
    window.session.select([])
    drag(qtbot, plan, px(plan, 0.8, 0.8), px(plan, 3.4, 2.4))
    assert window.session.selection == {one.id}
    window.actions_table.trigger("edit.select_all")
    assert window.session.selection == {"r1", "r2", one.id}
    drag(qtbot, plan, px(plan, 0, 0.2), px(plan, 0, 1.2))
    assert only(window).y_m == pytest.approx(one.y_m + window.session.design.racks["r1"].y_m)
    window.actions_table.trigger("view.canvas")
    window.actions_table.trigger("edit.select_all")
    assert one.id not in window.session.selection


def test_racks_lie_over_what_is_sent_to_the_back(qtbot, window, plan):
    session = window.session
    one = drawn(qtbot, window, plan, "comment", (-0.5, 0.8), (1.5, 2))
    session.push(floor.place_racks(session.design, {"r1": (0.5, 1.4)}))
    spot = px(plan, 0.5, 1.4)
    qtbot.mouseClick(plan, LEFT, pos=spot)
    assert session.selection == {one.id}
    window.actions_table.trigger("arrange.to_back")
    session.select([])
    qtbot.mouseClick(plan, LEFT, pos=spot)
    assert session.selection == {"r1"}
    qtbot.mouseClick(plan, LEFT, pos=px(plan, -0.3, 1.0))
    assert session.selection == {one.id}


def test_with_annotations_left_out_none_is_drawn_or_taken(qtbot, window, plan):
    drawn(qtbot, window, plan, "note")
    window.actions_table.trigger("layer.annotations")
    assert not plan.floor.drawn.notes and not window.session.selection
    qtbot.mouseClick(plan, LEFT, pos=px(plan, 2, 1.5))
    assert not window.session.selection
    window.actions_table.trigger("layer.annotations")
    assert len(plan.floor.drawn.notes) == 1


def test_the_inspector_states_its_place_in_meters_and_moves_it(qtbot, window, plan):
    one = drawn(qtbot, window, plan, "note")
    window.docks.inspector.refresh()
    page = window.docks.inspector.annotation_page
    assert page.position.x_field.line.text() == f"{one.x_m:g}"
    page.position._move(0, "4.5")
    assert only(window).x_m == 4.5
    assert page._rows.labelForField(page.size_fields).text() == "Size, m"
    assert page.size_fields.width_field.line.text() == f"{abs(one.dx) / PER_M:.2f}".rstrip("0").rstrip(".")
    page.size_fields._resize(0, "2.5")
    assert only(window).dx == 250 and only(window).x_m == pytest.approx(4.5 + (250 - abs(one.dx)) / 2 / PER_M)


def test_found_by_its_words_it_is_shown_on_the_floor_plan(qtbot, window, plan):
    one = drawn(qtbot, window, plan, "note")
    window.session.select([])
    window.actions_table.trigger("view.canvas")
    window.views.go_to(frozenset((one.id,)))
    assert window.views.current is plan and window.session.selection == {one.id}


def noted(window):
    """The design with a note, a comment and a callout of some words, an arrow, a legend and a title block."""
    session = window.session
    for kind in HERE:
        values = {"text": f"words of {kind}"} if kind in ("note", "comment", "callout") else {}
        session.push(annotate(session.design, kind, (100, 100), (300, 200), on_floor=True, **values))
    return session.design


def test_plans_sheets_and_cad_files_have_them(window, plan, tmp_path):
    design = noted(window)
    words = ["words of note", "words of comment", "words of callout", "Design"]
    for name, options in (("svg", {"view": "floor"}), ("drawings", {"sheets": "floor"}), ("dxf", {"units": "m"})):
        path = tmp_path / f"{name}.{'dxf' if name == 'dxf' else 'svg'}"
        next(row for row in formats() if row.name == name).write(design, path, options)
        drawn = path.read_text(encoding="utf-8")
        assert all(one in drawn for one in words), name
    assert "ANNOTATIONS" in dxf_text(design, 1.0)
    assert summary(design) == f"2 racks, 0 fixtures and {len(HERE)} annotations drawn"


def test_pages_of_drawings_have_no_title_block_but_their_own(window, plan, tmp_path):
    drawings, session = next(row for row in formats() if row.name == "drawings"), window.session
    pages = []
    for kind in ("title-block", "comment"):
        drawings.write(session.design, tmp_path / "out.svg", {"sheets": "floor"})
        pages.append((tmp_path / "out.svg").read_text(encoding="utf-8").count("<text"))
        session.push(annotate(session.design, kind, (100, 100), (300, 200), on_floor=True, text="word"))
    drawings.write(session.design, tmp_path / "out.svg", {"sheets": "floor"})
    pages.append((tmp_path / "out.svg").read_text(encoding="utf-8").count("<text"))
    assert pages[0] == pages[1] < pages[2]


def test_left_out_by_an_option_or_on_the_canvas_they_are_not_exported(window, plan, tmp_path):
    design = noted(window)
    svg = next(row for row in formats() if row.name == "svg")
    for options in ({"view": "floor", "annotations": "no"}, {"view": "canvas"}):
        svg.write(design, tmp_path / "out.svg", options)
        assert "words of note" not in (tmp_path / "out.svg").read_text(encoding="utf-8")


def test_a_title_block_on_the_floor_names_no_drawing_of_the_canvas(window, plan):
    design = noted(window)
    window.session.push(operations.set_settings(design, name="Hall 2"))
    assert not is_titled(design, DiagramOptions())
    window.session.push(annotate(design, "title-block", (0, 0), (100, 50)))
    assert is_titled(design, DiagramOptions())


def test_a_note_far_out_is_in_the_page(window, plan, tmp_path):
    session = window.session
    session.push(annotate(session.design, "note", (2000, 100), (2200, 200), on_floor=True, text="Dock"))
    assert plan.floor.bounds()[2] >= 2200
    svg = next(row for row in formats() if row.name == "svg")
    svg.write(session.design, tmp_path / "out.svg", {"view": "floor"})
    assert ">Dock<" in (tmp_path / "out.svg").read_text(encoding="utf-8")


def test_a_legend_explains_the_racks_and_is_taken_as_high_as_it_is(qtbot, window, plan):
    session = window.session
    session.push(annotate(session.design, "legend", (100, 100), (400, 110), on_floor=True))
    plan.repaint()
    left, top, right, bottom = plan.floor.rect_of("a1")
    assert (left, top, right) == (100, 100, 400) and bottom > 150
    qtbot.mouseClick(plan, LEFT, pos=px(plan, 2, (bottom - 10) / PER_M))
    assert session.selection == {"a1"}


def test_what_moved_on_the_floor_is_a_difference_unless_its_rack_took_it_along(window, plan):
    session = window.session
    session.push(annotate(session.design, "note", (100, 100), (300, 200), on_floor=True, pinned_to="r1", text="Near"))
    session.push(annotate(session.design, "note", (100, 300), (300, 400), on_floor=True, text="Free"))
    before = session.design.snapshot()
    session.push(floor.place_racks(session.design, {"r1": (0, 1)}))
    session.push(change_annotations(session.design, ["a2"], text="Freed"))
    found = compare(before, session.design, are_versions=True).differences
    assert [(one.kind, one.change, one.what) for one in found if one.kind == "annotation"] == [
        ("annotation", "changed", "text")
    ]
    session.select(["a2"])
    session.attempt(lambda: plan.floor.nudged(1, 0, fine=False))
    found = compare(before, session.design, are_versions=True).differences
    moved = [one for one in found if one.change == "moved" and one.kind == "annotation"]
    assert [(one.before, one.after) for one in moved] == [("2, 3.5 m", "2.1, 3.5 m")]
