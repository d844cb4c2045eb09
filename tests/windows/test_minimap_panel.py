"""The minimap in a panel next to the drawing, and back in a corner of the canvas."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.own_window


@pytest.fixture
def minimap(window, add):
    add("nvidia-qm9700")
    window.show()
    window.actions_table.trigger("view.minimap")
    return window.views.minimap


def dock(window):
    return window.docks._docks["minimap"]


def checked(window):
    window.actions_table.refresh()
    names = ("top-left", "top-right", "bottom-left", "bottom-right", "panel")
    return [name for name in names if window.actions_table[f"minimap.{name}"].isChecked()]


def test_in_a_panel_it_fills_the_panel_and_no_longer_covers_the_canvas(window, minimap, qtbot):
    canvas = window.views.canvas
    assert dock(window).isHidden() and minimap in canvas.over and checked(window) == ["bottom-right"]
    window.actions_table.trigger("minimap.panel")
    qtbot.waitUntil(lambda: minimap.isVisible() and dock(window).isAncestorOf(minimap))
    assert minimap not in canvas.over and checked(window) == ["panel"]
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() - 5, 5))
    assert not minimap.is_folded, "a panel has nothing to fold"
    minimap.resize(300, 240)
    assert minimap._image.size() == minimap.size() * minimap.devicePixelRatioF()
    middle = minimap.seen.center()
    assert minimap.rect().contains(middle.toPoint())


def test_m_hides_and_shows_its_panel(window, minimap):
    window.actions_table.trigger("minimap.panel")
    window.actions_table.trigger("view.minimap")
    assert dock(window).isHidden() and not checked(window)
    window.actions_table.trigger("view.minimap")
    assert not dock(window).isHidden() and minimap.isVisible()


def test_from_the_panel_it_goes_back_to_a_corner_as_large_as_before(window, minimap):
    size = minimap.size()
    window.actions_table.trigger("minimap.panel")
    window.actions_table.trigger("minimap.top-left")
    canvas = window.views.canvas
    assert minimap.parentWidget() is canvas and minimap.isVisible() and minimap in canvas.over
    assert minimap.size() == size and dock(window).isHidden() and checked(window) == ["top-left"]
    window.actions_table.trigger("minimap.panel")
    assert dock(window).isAncestorOf(minimap) and minimap.isVisible()


def test_a_hidden_minimap_is_shown_where_it_is_put(window, minimap):
    window.actions_table.trigger("view.minimap")
    assert not minimap.isVisible()
    window.actions_table.trigger("minimap.bottom-left")
    assert minimap.isVisible() and minimap.place == "bottom-left"


def test_its_menu_lists_the_places_and_marks_the_one_it_is_in(window, minimap):
    minimap.menu_wanted.emit(QPoint(10, 10))
    menu = QApplication.activePopupWidget()
    texts = [one.text().replace("&", "") for one in menu.actions() if not one.isSeparator()]
    assert texts[0] == "Minimap at Top Left" and texts[-2:] == ["Minimap in a Panel", "Minimap"]
    assert [text for text, one in zip(texts, menu.actions(), strict=False) if one.isChecked()] == [texts[3]]
    menu.close()


def test_folded_or_hidden_on_the_canvas_it_is_open_in_the_panel(window, minimap):
    minimap.fold()
    window.actions_table.trigger("view.minimap")
    assert minimap.isHidden()
    window.actions_table.trigger("minimap.panel")
    assert minimap.isVisible() and not minimap.is_folded
    window.actions_table.trigger("minimap.top-right")
    assert minimap.is_folded, "as it was left there"


def test_a_layout_that_shows_the_panel_takes_the_minimap_in(window, minimap, qtbot):
    dock(window).show()
    qtbot.waitUntil(lambda: minimap.isVisible() and dock(window).isAncestorOf(minimap))
    assert minimap.is_in_panel
