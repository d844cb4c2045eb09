"""Where letters are larger than usual, the drawing with its captions is enlarged, and hands meet it there."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QWheelEvent

from designer.canvas.framing import LEAST_SEEN_PX, enlargement
from designer.drawing.text import USUAL_LETTERS_PX


@pytest.fixture
def large(hand, view):
    """A view of letters twice as large as usual, and a switch in it."""
    font = view.font()
    font.setPixelSize(2 * USUAL_LETTERS_PX)
    view.setFont(font)
    switch = hand.add("nvidia-qm9700", 100.0, 40.0)
    hand.add("dgx-h100", 100.0, 200.0)
    view.zoom_to_fit()
    return switch


def test_a_view_keeps_its_size_for_usual_letters_and_room_for_the_drawing_in_a_small_one():
    assert enlargement(USUAL_LETTERS_PX, 1600, 1000) == enlargement(USUAL_LETTERS_PX / 2, 1600, 1000) == 1.0
    assert enlargement(2 * USUAL_LETTERS_PX, 1600, 1000) == 2.0
    assert enlargement(2 * USUAL_LETTERS_PX, 1.5 * LEAST_SEEN_PX[0], 1000) == 1.5
    assert enlargement(2 * USUAL_LETTERS_PX, 1600, 1.25 * LEAST_SEEN_PX[1]) == 1.25
    assert enlargement(2 * USUAL_LETTERS_PX, 100, 100) == 1.0


def test_all_of_the_drawing_is_in_view_and_a_click_meets_what_is_drawn_there(hand, view, large):
    assert view.enlargement == 2.0
    assert view.extent == (view.width() / 2, view.height() / 2)
    box = view.box_px(large)
    assert QRectF(view.rect()).contains(box)
    assert box.center().toPoint() == (QPointF(*view.camera.to_view(100.0, 40.0)) * 2).toPoint()
    hand.click(box.center().toPoint())
    assert hand.session.selection == {large}
    hand.drag(box.center().toPoint(), box.center().toPoint() + QPoint(0, -40))
    assert hand.design.placements[large].y < 40.0 - 30.0 / 2 / view.camera.scale


def test_the_picture_fills_the_widget_with_letters_of_that_size(hand, view, large):
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert image.size() == view.size() * view.devicePixelRatioF()
    box = view.box_px(large)
    at = QPointF(box.left() + 3.0, box.center().y()) * view.devicePixelRatioF()
    beside = QPointF(box.left() - 20.0, box.center().y()) * view.devicePixelRatioF()
    assert image.pixel(at.toPoint()) != image.pixel(beside.toPoint())


def test_the_wheel_keeps_what_is_under_the_mouse_and_a_new_size_moves_nothing(view, large):
    at = QPointF(300.0, 200.0)
    before = view.camera.to_canvas(*view.spot(at).toTuple())
    none = Qt.MouseButton.NoButton
    keys, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    view.wheelEvent(QWheelEvent(at, at, QPoint(), QPoint(0, 120), none, keys, phase, False))
    assert view.camera.to_canvas(*view.spot(at).toTuple()) == pytest.approx(before)
    view.resize(QSize(1200, 640))
    assert view.camera.to_canvas(*view.spot(at).toTuple()) == pytest.approx(before)


def test_a_name_is_edited_where_it_is_drawn_and_what_lies_over_the_view_is_kept_clear(view, large):
    view.session.select([large])
    assert view.write_in(large)
    editor = view.name_editor.geometry()
    assert editor.intersects(view.box_px(large).toRect().adjusted(0, -60, 0, 60))
    view.over.append(view.name_editor)
    assert view.sight.covered == (
        (editor.left() / 2, editor.top() / 2, (editor.right() + 1) / 2, (editor.bottom() + 1) / 2),
    )
