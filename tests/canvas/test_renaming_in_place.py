"""Renaming on the card: opened by key, command or double click, and carried on from device to device by Tab."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.drawing.camera import Camera
from designer.drawing.geometry import middle_seen, reading_order
from designer.model import operations
from designer.model.colour_keys import OWN_LABEL
from designer.model.looks import label_links

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def row(hand, qtbot):
    """Three switches in a row above a server, drawn out of order."""
    right = hand.add("nvidia-qm9700", 300.0, 2.0)
    left, middle = hand.add("nvidia-qm9700", 0.0, 0.0), hand.add("nvidia-qm9700", 150.0, -3.0)
    server = hand.add("dgx-h100", 150.0, 150.0)
    hand.view.zoom_to_fit()
    hand.view.activateWindow()
    qtbot.waitActive(hand.view)  # else a click elsewhere takes no keyboard from a line
    hand.view.setFocus()
    return left, middle, right, server


def names(hand, ids):
    return [hand.design.device(one).name for one in ids]


def type_name(hand, text):
    QTest.keyClicks(hand.view.name_editor, text)


def press(hand, key, keys=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(hand.view.name_editor, key, keys)


def test_enter_opens_the_name_over_the_card_and_enter_takes_it_and_gives_the_keyboard_back(hand, session, row):
    session.select([row[0]])
    hand.key(Qt.Key.Key_Return)
    editor = hand.view.name_editor
    assert editor.isVisible() and editor.selectedText() == "switch-02"
    assert editor.geometry().intersects(hand.view.box_px(row[0]).toRect())
    type_name(hand, "leaf-1")
    press(hand, Qt.Key.Key_Return)
    assert names(hand, row[:1]) == ["leaf-1"]
    assert not editor.isVisible() and hand.view.window().focusWidget() is hand.view
    session.undo_stack.undo()
    assert names(hand, row[:1]) == ["switch-02"]


def test_tab_goes_on_in_reading_order_and_offers_the_next_name_to_the_same_type(hand, session, row):
    hand.view.name_editor.open(row[0])
    type_name(hand, "leaf-1")
    press(hand, Qt.Key.Key_Tab)
    assert hand.view.name_editor.entity_id == row[1]
    assert hand.view.name_editor.selectedText() == "leaf-2"
    assert session.selection == {row[1]}
    press(hand, Qt.Key.Key_Tab)
    press(hand, Qt.Key.Key_Tab)
    assert names(hand, row) == ["leaf-1", "leaf-2", "leaf-3", "server-01"]
    assert hand.view.name_editor.text() == "server-01"  # of another type: nothing is offered
    press(hand, Qt.Key.Key_Backtab, SHIFT)
    assert hand.view.name_editor.entity_id == row[2]
    assert hand.view.name_editor.text() == "leaf-3"
    press(hand, Qt.Key.Key_Tab)
    press(hand, Qt.Key.Key_Tab)  # the last one: the editor closes
    assert not hand.view.name_editor.isVisible()
    assert names(hand, row) == ["leaf-1", "leaf-2", "leaf-3", "server-01"]


def test_going_back_after_typing_offers_nothing(hand, row):
    hand.view.name_editor.open(row[1])
    type_name(hand, "leaf-7")
    press(hand, Qt.Key.Key_Backtab, SHIFT)
    assert (hand.view.name_editor.entity_id, hand.view.name_editor.text()) == (row[0], "switch-02")


def test_tabbing_over_names_without_typing_changes_none(hand, session, row):
    before = session.design.revision
    hand.view.name_editor.open(row[0])
    for _ in range(4):
        press(hand, Qt.Key.Key_Tab)
    assert session.design.revision == before


def test_an_offered_name_passes_over_those_taken(hand, session, row):
    session.push(operations.rename(session.design, row[2], "leaf-2"))
    hand.view.name_editor.open(row[0])
    type_name(hand, "leaf-1")
    press(hand, Qt.Key.Key_Tab)
    assert hand.view.name_editor.text() == "leaf-3"
    press(hand, Qt.Key.Key_Tab)
    assert hand.view.name_editor.text() == "leaf-4"


def test_esc_leaves_the_name_and_the_selection(hand, session, row):
    hand.view.name_editor.open(row[0])
    type_name(hand, "leaf-1")
    press(hand, Qt.Key.Key_Escape)
    assert names(hand, row[:1]) == ["switch-02"]
    assert session.selection == {row[0]} and hand.view.window().focusWidget() is hand.view


def test_a_name_that_cannot_be_stays_open_and_says_why_and_is_given_up_elsewhere(hand, session, row):
    hand.view.name_editor.open(row[0])
    hand.view.name_editor.setText("  ")
    press(hand, Qt.Key.Key_Return)
    assert hand.view.name_editor.isVisible() and "cannot be empty" in hand.view.notes.shown.text
    hand.click(QPoint(5, 5))
    assert not hand.view.name_editor.isVisible()
    assert names(hand, row[:1]) == ["switch-02"]


def test_a_click_elsewhere_takes_the_name(hand, session, row):
    hand.view.name_editor.open(row[0])
    type_name(hand, "leaf-1")
    hand.click(QPoint(5, 5))
    assert names(hand, row[:1]) == ["leaf-1"]
    assert not hand.view.name_editor.isVisible()


def test_letters_of_shortcuts_go_into_the_name(hand, row):
    hand.view.name_editor.open(row[0])
    type_name(hand, "vchl")
    assert hand.view.name_editor.text() == "vchl"


def test_a_double_click_on_the_name_renames_and_beside_it_zooms(hand, row):
    hand.view.zoom_reset()
    box = hand.view.box_px(row[0])
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=QPoint(round(box.left()) + 30, round(box.top()) + 12))
    assert hand.view.name_editor.entity_id == row[0]
    press(hand, Qt.Key.Key_Escape)
    scale = hand.view.camera.scale
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=QPoint(round(box.left()) + 30, round(box.bottom()) - 8))
    assert not hand.view.name_editor.isVisible()
    assert hand.view.camera.scale > scale


def test_the_editor_follows_the_picture_and_goes_with_what_is_deleted(hand, session, row):
    editor = hand.view.name_editor
    editor.open(row[0])
    at = editor.pos()
    hand.view.move_camera(hand.view.camera.moved(40, 25))
    assert editor.pos() == at + QPoint(40, 25)
    session.push(operations.delete(session.design, [row[0]]))
    assert not editor.isVisible()


def test_what_is_far_away_is_brought_near_before_it_is_renamed(hand, row):
    hand.view.move_camera(hand.view.camera.moved(5000, 0))
    assert hand.view.name_editor.open(row[1])
    assert hand.view.rect().contains(hand.view.name_editor.geometry())


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_the_view_goes_back_to_where_it_was_once_a_far_name_is_written_or_left(hand, row, key):
    view = hand.view
    view.move_camera(Camera(0.02, 300.0, 200.0))
    before = view.camera
    view.name_editor.open(row[0])
    assert view.camera.scale > 10 * before.scale
    press(hand, Qt.Key.Key_Tab)
    view.move_camera(view.camera.moved(5000, 0))  # the next is far off again
    press(hand, Qt.Key.Key_Tab)
    assert view.name_editor.entity_id == row[2] and view.rect().contains(view.name_editor.geometry())
    off = view.camera
    press(hand, key)
    assert view.camera not in (before, off), "back to where the user had moved it"
    view.move_camera(before)
    view.name_editor.open(row[0])
    press(hand, Qt.Key.Key_Tab)
    press(hand, key)
    assert view.camera == before and not view.name_editor.isVisible()


def test_the_view_stays_where_the_user_moved_it_while_a_name_was_written(hand, row):
    view = hand.view
    view.move_camera(Camera(0.02, 300.0, 200.0))
    view.name_editor.open(row[0])
    view.zoom_by(1.5)
    moved = view.camera
    press(hand, Qt.Key.Key_Return)
    assert view.camera == moved


def test_a_click_elsewhere_leaves_the_view_where_the_click_was(hand, row):
    view = hand.view
    view.move_camera(Camera(0.02, 300.0, 200.0))
    view.name_editor.open(row[0])
    near = view.camera
    view.setFocus()
    assert not view.name_editor.isVisible() and view.camera == near
    view.name_editor.open(row[0])
    press(hand, Qt.Key.Key_Return)
    assert view.camera == near, "what was seen before the last name is not gone back to"


def test_racks_and_groups_are_renamed_at_their_titles(hand, session, row):
    racks = [hand.add_rack(0.0, 400.0), hand.add_rack(300.0, 400.0)]
    hand.view.zoom_to_fit()
    hand.view.name_editor.open(racks[0])
    type_name(hand, "A1")
    press(hand, Qt.Key.Key_Tab)
    assert hand.view.name_editor.text() == "A2"
    press(hand, Qt.Key.Key_Return)
    assert [rack.name for rack in session.design.racks.values()] == ["A1", "A2"]
    session.push(operations.group(session.design, row[:2], "group-1"))
    (group,) = session.design.groups
    hand.view.name_editor.open(group)
    type_name(hand, "pod-1")
    press(hand, Qt.Key.Key_Return)
    assert session.design.groups[group].name == "pod-1"


def labels(session):
    return [one.label for one in session.design.links.values()]


def double_click_line(hand, session, *ids):
    """Where the middle of what is seen of their line is, with the first click that selects them."""
    at = hand.view.subject.label_rect(ids, hand.view.sight).center().toPoint()
    hand.click(at)
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, SHIFT & ~SHIFT, at)
    assert session.selection == set(ids)


def test_a_double_click_on_a_line_writes_the_label_of_its_link(hand, session, row):
    session.push(operations.connect_devices(session.design, row[0], row[3]))
    (link,) = session.design.links
    double_click_line(hand, session, link)
    editor = hand.view.name_editor
    assert editor.isVisible() and editor.accessibleName() == "Label" and not editor.text()
    type_name(hand, "C-17")
    press(hand, Qt.Key.Key_Tab)  # a line has no next one
    assert labels(session) == ["C-17"] and not editor.isVisible()
    assert session.undo_stack.undoText() == "Label link"
    hand.key(Qt.Key.Key_Return)
    assert editor.selectedText() == "C-17"
    editor.clear()
    press(hand, Qt.Key.Key_Return)
    assert labels(session) == [""]


def test_the_links_of_one_line_are_labelled_counting_on_in_one_step(hand, session, row):
    session.push(operations.connect_devices(session.design, row[0], row[3], 3))
    links = tuple(session.design.links)
    double_click_line(hand, session, *links)
    type_name(hand, "up-07")
    press(hand, Qt.Key.Key_Return)
    assert labels(session) == ["up-07", "up-08", "up-09"]
    assert hand.view.name_editor.open(*links) and hand.view.name_editor.text() == "up-07"
    press(hand, Qt.Key.Key_Escape)
    session.undo_stack.undo()
    assert labels(session) == ["", "", ""]


def test_what_is_written_on_a_line_is_shown_even_where_labels_were_not(hand, session, row):
    session.push(operations.connect_devices(session.design, row[0], row[3]))
    session.push(label_links(session.design, ()))
    hand.view.name_editor.open(*session.design.links)
    type_name(hand, "C-17")
    press(hand, Qt.Key.Key_Return)
    assert session.design.settings.link_labels == (OWN_LABEL,)


def test_links_of_several_lines_and_what_is_not_there_have_no_label_on_the_canvas(hand, session, row):
    for one in row[:2]:
        session.push(operations.connect_devices(session.design, one, row[3]))
    assert not hand.view.name_editor.open(*session.design.links)
    assert not hand.view.name_editor.open(row[0], next(iter(session.design.links)))
    assert not hand.view.name_editor.open("nothing") and not hand.view.name_editor.open()


def test_the_label_is_written_where_the_line_is_seen(hand, session, row):
    session.push(operations.connect_devices(session.design, row[0], row[3]))
    near = Camera(8.0, -120.0, -62.0)  # little more than where it leaves the switch, in the corner
    hand.view.move_camera(near)
    assert hand.view.name_editor.open(*session.design.links)
    assert hand.view.camera == near and hand.view.rect().contains(hand.view.name_editor.geometry())


def test_reading_order_is_row_by_row_whatever_order_boxes_are_drawn_in():
    boxes = np.array([(200, 103, 100, 40), (0, 0, 100, 40), (0, 100, 100, 40), (200, -10, 100, 40)], float)
    assert reading_order(boxes) == [1, 3, 2, 0]
    assert reading_order(boxes[:0]) == []


def test_the_middle_of_what_is_seen_is_that_of_the_longest_piece_in_the_view():
    lines = np.array([(-100, 50, 300, 50), (20, -100, 20, 60), (500, 0, 500, 900)], float)
    assert middle_seen(lines, (0, 0, 100, 100)) == (50, 50)
    assert middle_seen(lines[1:], (0, 0, 100, 100)) == (20, 30)
    assert middle_seen(lines[2:], (0, 0, 100, 100)) == (500, 450), "of what is not seen, the middle of all of it"
    assert middle_seen(np.array([(0, 0, 0, 0)], float), (0, 0, 100, 100)) == (0, 0)
