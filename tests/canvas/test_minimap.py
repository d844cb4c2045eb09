"""The minimap: all of the drawing, the part that is seen, and a drag that goes elsewhere."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.drawing.theme import DARK
from designer.session.preferences import Preferences
from designer.windows.shell.minimap import MARGIN_PX, Minimap

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def minimap(hand, view, tmp_path):
    for number in range(12):
        hand.add("nvidia-qm9700", 400 * (number % 4), 300 * (number // 4))
    minimap = Minimap(view, Preferences(tmp_path / "window.ini"))
    minimap.show()
    view.zoom_to_fit()
    return minimap


def test_it_stands_in_the_corner_whatever_the_size_of_the_canvas(minimap, view):
    view.resize(760, 520)
    assert minimap.geometry().bottomRight() == QPoint(760 - MARGIN_PX - 1, 520 - MARGIN_PX - 1)


def test_a_drag_moves_what_the_canvas_shows(minimap, view):
    view.zoom_by(3.0)
    before = view.camera
    start = minimap.seen.center().toPoint()
    QTest.mousePress(minimap, LEFT, pos=start)
    QTest.mouseMove(minimap, start + QPoint(20, 10))
    assert view.camera.scale == before.scale
    assert view.camera.left > before.left
    assert view.camera.top > before.top
    QTest.mouseRelease(minimap, LEFT, pos=start + QPoint(20, 10))
    after = view.camera
    QTest.mouseMove(minimap, start)
    assert view.camera == after


def test_a_press_elsewhere_goes_there(minimap, view):
    view.zoom_by(4.0)
    QTest.mouseClick(minimap, LEFT, pos=QPoint(12, 40))
    assert abs(minimap.seen.center().x() - 12) < 1
    assert abs(minimap.seen.center().y() - 40) < 1


def test_its_picture_is_made_once_a_change_and_not_once_a_frame(minimap, view, hand, qtbot):
    first = minimap._image.cacheKey()
    view.zoom_by(2.0)
    minimap.redraw()
    assert minimap._image.cacheKey() == first
    hand.add("nvidia-qm9700", 2400, 0)
    qtbot.waitUntil(lambda: minimap._image.cacheKey() != first)
    second = minimap._image.cacheKey()
    view.set_theme(DARK)
    minimap.redraw()
    assert minimap._image.cacheKey() != second


def test_hidden_it_draws_nothing(minimap, hand):
    minimap.hide()
    before = minimap._image.cacheKey()
    hand.add("nvidia-qm9700", 2400, 0)
    assert not minimap._redraw.isActive()
    assert minimap._image.cacheKey() == before


def test_the_whole_is_in_it_however_wide_the_drawing_is(minimap, hand):
    hand.add("nvidia-qm9700", 400_000, 0)
    minimap.redraw()
    left, top, right, bottom = minimap._canvas.fabric.bounds()
    for x, y in ((left, top), (right, bottom)):
        assert minimap.rect().contains(QPoint(*map(int, minimap._camera.to_view(x, y))))


def test_a_minimap_that_a_hand_has_folded_is_folded_the_next_time(minimap, view, tmp_path):
    view.resize(1200, 800)
    assert not minimap.is_folded
    for is_folded in (True, False):
        minimap.fold()
        again = Minimap(view, Preferences(tmp_path / "window.ini"))
        assert again.is_folded is minimap.is_folded is is_folded
        view.over.remove(again)


@pytest.mark.parametrize(
    ("spot", "corner"),
    [((40, 40), "top-left"), ((900, 40), "top-right"), ((40, 650), "bottom-left"), ((900, 650), "bottom-right")],
)
def test_a_drag_of_its_mark_takes_it_to_the_nearest_corner_and_is_remembered(minimap, view, tmp_path, spot, corner):
    mark = QPoint(minimap.width() - 6, 6)
    QTest.mousePress(minimap, LEFT, pos=mark)
    QTest.mouseMove(minimap, minimap.mapFrom(view, QPoint(500, 350)))
    QTest.mouseMove(minimap, minimap.mapFrom(view, QPoint(*spot)))
    assert view.rect().contains(minimap.geometry()), "it stays on the canvas"
    QTest.mouseRelease(minimap, LEFT, pos=minimap.mapFrom(view, QPoint(*spot)))
    assert (minimap.place, minimap.is_folded) == (corner, False)
    margin = round(MARGIN_PX)
    rect, inside = minimap.geometry(), view.rect().adjusted(margin, margin, -margin, -margin)
    there = {"left": rect.left() == inside.left(), "right": rect.right() == inside.right()}
    there |= {"top": rect.top() == inside.top(), "bottom": rect.bottom() == inside.bottom()}
    assert all(there[side] for side in corner.split("-"))
    assert Minimap(view, Preferences(tmp_path / "window.ini")).place == corner


def test_a_click_on_its_mark_folds_it_and_moves_nothing(minimap):
    before = minimap.place
    QTest.mouseClick(minimap, LEFT, pos=QPoint(minimap.width() - 6, 6))
    assert minimap.is_folded and minimap.place == before


def test_a_place_that_nobody_knows_is_the_usual_corner(view, tmp_path):
    preferences = Preferences(tmp_path / "window.ini")
    preferences.set_text("minimap/place", "middle")
    assert Minimap(view, preferences).place == "bottom-right"
