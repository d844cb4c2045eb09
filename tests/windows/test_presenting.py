"""For an audience: the drawing alone, heat that can be hidden, the hottest links at once, legends off the drawing."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QDockWidget, QToolBar

from designer.drawing.counts import Taken, corners_of
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized
from designer.windows.shell.docks import PLACES

pytestmark = pytest.mark.own_window

PATIENCE_MS = 60_000


@pytest.fixture
def pod(window, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=64)
    window.session.push(rail_optimized.build(window.session.design, parameters, catalog))
    window.resize(1300, 800)
    window.show()
    return window.session.design


@pytest.fixture
def run(window, pod, qtbot):
    simulation = window.session.workbench.simulation
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    return simulation


def shown(window):
    parts = (*window.findChildren(QToolBar), window.menuBar(), window.statusBar())
    return [part.isVisible() for part in parts] + [window.docks.shown(name) for name in PLACES]


def sizes_of(window):
    docks = window.findChildren(QDockWidget)
    return {dock.objectName(): dock.size() for dock in docks if window.docks.shown(dock.objectName())}


def test_the_drawing_is_shown_alone_and_all_comes_back(window, pod, qtbot):
    window.docks.show("outline")
    qtbot.wait(10)
    before, sizes = shown(window), sizes_of(window)
    window.actions_table.trigger("view.presentation")
    assert window.isFullScreen()
    assert not any(shown(window))
    assert not window.views.panes["canvas"].bar.isVisible()
    window.actions_table.trigger("view.presentation")
    assert not window.isFullScreen()
    assert shown(window) == before
    assert sizes_of(window) == sizes


def test_another_view_in_a_presentation_brings_no_bars_back(window, pod):
    window.actions_table.trigger("view.presentation")
    window.views.show_view(window.views.matrix)
    assert not any(shown(window))
    window.actions_table.trigger("view.presentation")
    assert window.toolbar.isVisible()


def test_heat_is_hidden_and_shown_again(window, run):
    canvas, actions = window.views.canvas, window.actions_table
    assert canvas.fabric.heat is not None and actions["heat.shown"].isChecked()
    actions.trigger("heat.shown")
    canvas.grab()
    actions.refresh()
    assert canvas.fabric.heat is None and not actions["heat.shown"].isChecked()
    assert run.heat is not None, "the run itself stays"
    actions.trigger("heat.shown")
    assert canvas.fabric.heat is not None


def test_colors_chosen_for_links_show_in_place_of_the_heat(window, run):
    window.actions_table.trigger("color.devices.rail")
    assert window.views.canvas.fabric.heat is not None, "devices have their colors with heat, too"
    window.actions_table.trigger("color.links.rail")
    assert window.views.canvas.fabric.heat is None
    assert "Shift+H" in window.notice.text.text()
    assert run.current_result is not None, "the run itself stays"


def test_heat_covers_a_color_that_links_get_and_a_note_says_how_to_hide_it(window, pod, run):
    window.session.select(list(pod.links)[:2])
    window.actions_table.trigger("look.color")
    next(choice for choice in window.picker._choices if choice.text == "Red").run()
    assert window.views.canvas.fabric.heat is not None and "Shift+H" in window.notice.text.text()


@pytest.mark.parametrize("command", ["heat.mean", "simulate.run"])
def test_what_asks_for_loads_shows_them_again(window, run, command, qtbot):
    window.actions_table.trigger("heat.shown")
    window.actions_table.trigger(command)
    qtbot.waitUntil(lambda: run.state == "current" and window.views.canvas.fabric.heat is not None, timeout=PATIENCE_MS)


def test_the_hottest_links_are_selected(window, run):
    window.actions_table.trigger("heat.hottest")
    loads, chosen = run.heat.utilization, window.session.selection
    worst = max(max(pair) for pair in loads.values())
    assert chosen and all(max(loads[one]) == pytest.approx(worst) for one in chosen)
    assert "with the highest load" in window.notice.text.text()


def test_zoom_to_fit_keeps_clear_of_the_legend_of_colors(window, pod):
    canvas = window.views.canvas
    window.actions_table.trigger("color.devices.rail")
    canvas.grab()
    canvas.zoom_to_fit()
    canvas.grab()
    left, top, right, foot = canvas.fabric.key_plate.rect(canvas.sight, canvas.fabric._fonts)
    boxes = canvas.sight.sheet(canvas.fabric._fonts).boxes(canvas.fabric.seen.boxes)
    x, y, across, down = boxes.T
    assert not ((x < right) & (x + across > left) & (y < foot) & (y + down > top)).any()


def test_the_legend_appears_in_the_corner_where_it_covers_the_fewest_boxes(window, pod):
    canvas = window.views.canvas
    canvas.move_camera(canvas.camera.moved(canvas.width() / 2, 0.0))  # boxes stand at the right
    canvas.move_camera(canvas.camera.zoomed(2.0, canvas.width(), canvas.height() / 2))
    window.actions_table.trigger("color.devices.rail")
    canvas.grab()
    assert canvas.fabric.key_plate.corner[0] == 0
    window.session.key_corner = (1, 0)
    assert canvas.fabric.key_plate.corner == (1, 0), "where a hand has put it"


def test_the_fitted_drawing_stays_in_a_run_and_the_legend_of_the_heat_covers_no_box(window, pod, qtbot):
    canvas, simulation = window.views.canvas, window.session.workbench.simulation
    height = canvas.height()
    window.docks.give_room("findings", 420)
    qtbot.waitUntil(lambda: canvas.height() < height)
    canvas.zoom_to_fit()
    canvas._come_to_rest()
    canvas.grab()
    before = canvas.camera
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current" and canvas.fabric.legend_shown, timeout=PATIENCE_MS)
    canvas.grab()
    assert canvas.camera == before
    places = canvas.sight.sheet(canvas.fabric._fonts).boxes(canvas.fabric.seen.boxes)
    boxes = Taken(corners_of(places))
    for left, top, right, foot in canvas.fabric.taken_px(canvas.sight):
        assert boxes.is_free(left, top, right - left, foot - top)


def test_findings_have_no_badges_in_a_presentation(window, pod):
    for shown_before in (True, False):
        window.session.show_badges(shown_before)
        window.actions_table.trigger("view.presentation")
        assert not window.session.badges_shown
        window.actions_table.trigger("view.presentation")
        assert window.session.badges_shown is shown_before


def test_esc_ends_a_presentation_and_a_gesture_first(window, pod, qtbot):
    canvas, device = window.views.canvas, window.session.design.switches()[0].id
    window.session.select([device])
    window.actions_table.trigger("view.presentation")
    canvas.set_tool("pan")
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.presentation.is_on, "the drag alone ends"
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.presentation.is_on and window.toolbar.isVisible() and window.notice.isHidden()
    assert window.session.selection == {device}
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.presentation.is_on, "Esc does not begin one"


def test_the_name_stands_over_a_presentation_with_project_and_customer_of_the_title_block(window, pod):
    title = window.presentation.title
    window.actions_table.trigger("view.presentation")
    assert title.isHidden(), "a design without a name"
    settings = window.session.design.settings
    named = replace(settings, name="Pod")
    window.session.push(Edit("Name", (Change(settings, named),)))
    assert title.isVisible() and (title.name.text(), title.details.text()) == ("Pod", "")
    settings = window.session.design.settings
    changed = replace(settings, name="Pod", project="Helios", customer="Nordwind")
    window.session.push(Edit("Title block", (Change(settings, changed),)))
    assert title.isVisible() and (title.name.text(), title.details.text()) == ("Pod", "Helios · Nordwind")
    window.actions_table.trigger("view.presentation")
    assert title.isHidden()


def test_no_dots_are_drawn_in_a_presentation(window, pod):
    drafting = window.session.drafting
    assert drafting.grid_shown
    window.actions_table.trigger("view.presentation")
    assert not drafting.grid_shown and drafting.now.grid_shown, "what is chosen stays"
    window.actions_table.trigger("view.presentation")
    assert drafting.grid_shown


@pytest.mark.parametrize("zoom", [1.0, 0.6, 3.0])
def test_a_drawing_that_is_all_in_sight_is_fitted_in_a_presentation_and_comes_back(window, pod, qtbot, zoom):
    canvas = window.views.canvas
    canvas.zoom_to_fit()
    canvas.grab()
    if zoom != 1.0:
        canvas.zoom_by(zoom)
    before = canvas.camera
    window.actions_table.trigger("view.presentation")
    canvas.grab()
    assert canvas.shows_all == (zoom <= 1.0)
    window.actions_table.trigger("view.presentation")
    qtbot.waitUntil(lambda: canvas.camera.scale == pytest.approx(before.scale, rel=0.02), timeout=5000)
    assert canvas.shows_all == (zoom == 1.0)


def test_letters_are_larger_on_a_large_screen(window, pod, monkeypatch):
    canvas = window.views.canvas
    usual = canvas.font()
    monkeypatch.setattr("designer.windows.shell.presentation.USUAL_SCREEN_PX", (1.0, 1.0))
    window.actions_table.trigger("view.presentation")
    assert canvas.font().pixelSize() == 2 * QFontInfo(usual).pixelSize()
    window.actions_table.trigger("view.presentation")
    assert canvas.font() == usual
