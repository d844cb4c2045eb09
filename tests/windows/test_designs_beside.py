"""Two open designs side by side in one window."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
import shiboken6
from disposal import dispose_of_window
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent

from designer.canvas.look_view import LookView
from designer.drawing.camera import Camera
from designer.drawing.heat import Heat
from designer.exchange.comparison.against_files import compare_with
from designer.exchange.comparison.compared import Source
from designer.exchange.comparison.marking import marks_of_other
from designer.model import operations, removing
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.storage import document
from designer.windows.commands.document_commands import open_all
from designer.windows.files import large_files, reopening
from designer.windows.shell.beside_pane import run_texts
from designer.windows.shell.main_window import MainWindow
from designer.windows.shell.side_by_side import moved_alike
from designer.windows.shell.tab_window import TabWindow

NAMES = ("fat-tree-16-2to1", "fewer-spines", "superpod-h100-4su")
CORNER = QPoint(40, 60)


@pytest.fixture
def make_tabs(qtbot, qapp, catalog, icons, tmp_path, answers) -> Iterator[Callable[[], TabWindow]]:
    made = []

    def make() -> TabWindow:
        preferences, appearance = Preferences(tmp_path / "window.ini"), Appearance(qapp, "light", icons)

        def window_of(tabs):
            return MainWindow(Session(catalog), preferences, appearance, answers, tabs)

        window = TabWindow(window_of, preferences, lambda _made: None)
        made.append((window, preferences))
        window.resize(1600, 950)
        window.show()
        qtbot.waitExposed(window)
        window.current.views.show_canvas()
        with qtbot.waitActive(window):
            window.activateWindow()
        return window

    yield make
    for window, preferences in made:
        dispose_of_window(window, *window.sessions)
        shiboken6.delete(preferences)


@pytest.fixture
def files(tmp_path) -> list[Path]:
    """Two fat-trees, one with a spine and a server less, and a large design."""
    first, second, third = (tmp_path / f"{name}.fabric" for name in NAMES)
    copy(f"examples/{first.name}", first)
    copy(f"examples/{third.name}", third)
    design = document.load(first)
    design.apply(removing.delete(design, [design.find("spine-01").id, design.servers()[-1].id]))
    document.save(design, second)
    return [first, second, third]


@pytest.fixture
def pair(make_tabs, files, qtbot) -> TabWindow:
    """The first two open, the second one current, and the first one beside it."""
    tabs = make_tabs()
    opened(qtbot, tabs, files[:2])
    trigger(tabs, "view.beside")
    return tabs


def opened(qtbot, tabs, paths):
    """Open files, and wait for what a worker reads."""
    open_all(tabs.current.desk, paths)
    qtbot.waitUntil(lambda: {one.session.path for one in tabs.windows} >= set(paths), timeout=20_000)


def trigger(tabs, action_id):
    tabs.current.actions_table.trigger(action_id)


def pane(tabs):
    return tabs.current.views.grid.beside


def name_of(session):
    return session.path.stem


def is_enabled(tabs, action_id):
    tabs.current.actions_table.refresh()
    return tabs.current.actions_table[action_id].isEnabled()


def wheel(view, spot, turned=240):
    at, keys, buttons = QPointF(spot), Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    view.wheelEvent(QWheelEvent(at, view.mapToGlobal(at), QPoint(), QPoint(0, turned), buttons, keys, phase, False))


def drag(qtbot, view, dx, dy, start=CORNER):
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.5, 1.0):
        qtbot.mouseMove(view, start + QPoint(round(dx * share), round(dy * share)))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(dx, dy))


def seen_at(view, entity_id):
    rect = view.box_px(entity_id)
    return view.mapToGlobal(rect.center()).x(), view.mapToGlobal(rect.center()).y()


def test_another_open_design_stands_next_to_the_current_one_under_its_name(pair, qtbot):
    shown, own = pane(pair), pair.current.views.canvas
    assert name_of(shown.session) == NAMES[0] and name_of(pair.current.session) == NAMES[1]
    assert shown.isVisible() and own.isVisible() and shown.name.text() == "fat-tree-16-2to1.fabric"
    assert abs(shown.width() - pair.current.views.panes["canvas"].width()) < 40
    assert shown.mapToGlobal(QPoint()).x() > own.mapToGlobal(QPoint()).x()
    assert pair.current.views.panes["canvas"].bar.isVisible(), "its name is over the current one"
    assert pair.current.views.panes["canvas"].bar.property("mark") == "active"
    assert set(shown.view.fabric.composition.design.devices) == set(shown.session.design.devices)
    camera = own.camera
    wheel(shown.view, shown.view.rect().center())
    assert own.camera == camera, "each has its own zoom"
    trigger(pair, "view.beside")
    assert pane(pair) is None and pair.beside.shown(pair.current.session) is None
    assert pair.current.views.panes["canvas"].bar.property("mark") == ""


def test_with_one_design_open_the_command_says_what_it_needs(make_tabs, files, qtbot):
    tabs = make_tabs()
    opened(qtbot, tabs, files[:1])
    assert not is_enabled(tabs, "view.beside") and not is_enabled(tabs, "view.move_together")
    assert "Open a second design first." in tabs.current.actions_table["view.beside"].toolTip()


def test_of_several_designs_the_picker_asks_which(make_tabs, files, qtbot):
    tabs = make_tabs()
    opened(qtbot, tabs, files)
    qtbot.keyClick(tabs.current, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    picker = tabs.current.picker
    assert picker.isVisible() and picker.list.count() == 2
    qtbot.keyClicks(picker.line, "fewer")
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert name_of(pane(tabs).session) == NAMES[1]
    menu = pane(tabs).designs_menu()
    assert [one.isChecked() for one in menu.actions()] == [False, True]
    menu.actions()[0].trigger()
    assert name_of(pane(tabs).session) == NAMES[0]


def test_a_click_makes_the_other_one_current_selects_what_it_was_on_and_moves_nothing(pair, qtbot):
    first, second = pair.windows
    shown = pane(pair).view
    wheel(shown, QPoint(200, 200), 120)
    drag(qtbot, shown, 30, 20)
    wheel(pair.current.views.canvas, QPoint(300, 300), 120)
    device = next(iter(first.session.design.devices))
    other = next(iter(second.session.design.devices))
    before = seen_at(shown, device), seen_at(second.views.canvas, other)
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=shown.box_px(device).center().toPoint())
    assert pair.current is first and first.session.selection == {device}
    assert first.views.canvas.hasFocus() and not second.session.selection
    after = seen_at(first.views.canvas, device), seen_at(pane(pair).view, other)
    for was, now in zip(before, after, strict=True):
        assert now == pytest.approx(was, abs=3)
    assert pane(pair).mapToGlobal(QPoint()).x() < first.views.canvas.mapToGlobal(QPoint()).x(), "the sides stay"
    qtbot.mouseClick(pane(pair).view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert pair.current is second


def test_a_drag_in_the_other_one_moves_the_picture_and_edits_nothing(pair, qtbot):
    shown = pane(pair).view
    camera = shown.camera
    drag(qtbot, shown, 60, 0)
    assert shown.camera.left == pytest.approx(camera.left - 60 / camera.scale) and pair.current is pair.windows[1]
    first = pair.windows[0].session
    device = shown.box_px(next(iter(first.design.devices))).center().toPoint()
    drag(qtbot, shown, 30, 40, device)
    device = shown.box_px(next(iter(first.design.devices))).center().toPoint()
    menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, device, shown.mapToGlobal(device))
    QCoreApplication.sendEvent(shown, menu)
    assert not shown.acceptDrops() and not first.dirty and not first.selection, "nothing is edited from here"
    assert pair.current.views.canvas.hasFocus()


def test_both_move_together_where_that_is_wanted(pair, qtbot):
    shown, own = pane(pair).view, pair.current.views.canvas
    qtbot.mouseClick(pane(pair).together, Qt.MouseButton.LeftButton)
    assert pair.beside.moves_together
    before = shown.camera
    wheel(own, own.rect().center())
    drag(qtbot, shown, 50, 10)
    assert shown.camera.scale / before.scale == pytest.approx(1.0015**240)
    own.zoom_to_fit()
    qtbot.waitUntil(lambda: own.shows_all and shown.shows_all)
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert pane(pair).together.isChecked(), "from either side"
    trigger(pair, "view.move_together")
    assert not pane(pair).together.isChecked()
    before = pane(pair).view.camera
    wheel(pair.current.views.canvas, QPoint(100, 100))
    assert pane(pair).view.camera == before


def test_what_moves_alike_keeps_pixels_of_both_over_each_other():
    before, now, other = (
        Camera(1.0, 10, 20),
        Camera(1.0, 10, 20).zoomed(1.7, 200, 90).moved(13, -8),
        Camera(0.3, -5, 40),
    )
    moved = moved_alike(other, before, now)
    for pixel in ((0.0, 0.0), (320.0, 200.0)):
        one = now.to_view(*before.to_canvas(*pixel))
        assert moved.to_view(*other.to_canvas(*pixel)) == pytest.approx(one)


def test_edits_and_runs_of_the_other_one_are_seen_at_once_with_one_legend(pair, qtbot):
    first, second = pair.windows
    shown = pane(pair).view
    for window in (second, first):
        window.actions_table.trigger("simulate.run")
        simulation = window.session.workbench.simulation
        qtbot.waitUntil(lambda simulation=simulation: simulation.state == "current", timeout=30_000)
    qtbot.waitUntil(lambda: shown.fabric.heat is not None and not shown.fabric.legend_shown)
    assert second.views.canvas.fabric.legend_shown
    heat = first.session.workbench.heat_view.heat
    assert heat.outcome[0] in pane(pair).outcome.whole_text
    for window in pair.windows:
        window.session.workbench.heat_view.show_measure("bytes")
    full = {one.session.workbench.heat_view.own_heat.full_bytes for one in pair.windows}
    qtbot.waitUntil(lambda: {one.session.workbench.heat_view.heat.full_bytes for one in pair.windows} == {max(full)})
    assert len(full) == 2
    first.session.workbench.heat_view.show_measure("peak")
    qtbot.waitUntil(lambda: shown.fabric.legend_shown)
    assert second.session.workbench.heat_view.heat is second.session.workbench.heat_view.own_heat
    first.session.workbench.heat_view.show_measure("bytes")
    qtbot.waitUntil(lambda: not shown.fabric.legend_shown)
    second.actions_table.trigger("view.matrix")
    qtbot.waitUntil(lambda: shown.fabric.legend_shown)
    trigger(pair, "view.beside")
    assert {one.session.workbench.heat_view.heat.full_bytes for one in pair.windows} == full


def test_a_run_from_before_is_seen_in_a_pane_that_is_made_later(make_tabs, files, qtbot):
    tabs = make_tabs()
    opened(qtbot, tabs, files[:1])
    trigger(tabs, "simulate.run")
    simulation = tabs.current.session.workbench.simulation
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=30_000)
    opened(qtbot, tabs, files[1:2])
    trigger(tabs, "view.beside")
    assert pane(tabs).view.fabric.heat is not None
    tabs.step(1)
    trigger(tabs, "view.second_canvas")
    assert tabs.current.views.canvases.second.fabric.heat is not None


def test_runs_of_different_traffic_are_said_to_be_so_over_both_panes(pair, qtbot):
    first, second = pair.windows
    outcomes = pane(pair).outcome, second.views.panes["canvas"].outcome
    for window, traffic in ((second, "all-to-all"), (first, "all-reduce")):
        simulation = window.session.workbench.simulation
        simulation.scenario = replace(simulation.scenario, collective=traffic, algorithm=None)
        window.actions_table.trigger("simulate.run")
        qtbot.waitUntil(lambda simulation=simulation: simulation.state == "current", timeout=30_000)
    qtbot.waitUntil(lambda: all("Different traffic: all-" in one.whole_text for one in outcomes))
    assert outcomes[1].isVisible()
    first.session.workbench.simulation.scenario = second.session.workbench.simulation.scenario
    first.actions_table.trigger("simulate.run")
    qtbot.waitUntil(lambda: all("all-to-all" in one.whole_text for one in outcomes), timeout=30_000)
    assert not any("Different" in one.whole_text for one in outcomes)
    trigger(pair, "view.beside")
    assert outcomes[1].isHidden()


def test_the_longest_text_that_fits_is_over_a_pane():
    heat = Heat(1, {}, "all-to-all", outcome=("57 ms, 138 GB/s; failed: spine-01", "57 ms, 138 GB/s; 1 failed"))
    assert run_texts(heat, None) == tuple(f"{one} · all-to-all" for one in (*heat.outcome, "57 ms"))
    assert run_texts(heat, Heat(1, {}, "all-to-all")) == run_texts(heat, None)
    assert run_texts(heat, Heat(1, {}, "ring"))[-2:] == tuple(
        f"Different traffic: all-to-all{end}" for end in (" · 57 ms", "")
    )
    assert run_texts(None, heat) == ("",)


def test_closing_a_tab_closes_its_pane_and_a_third_tab_has_none(pair, files, qtbot):
    opened(qtbot, pair, files[2:])
    assert pane(pair) is None and pair.beside.shown(pair.current.session) is None and is_enabled(pair, "view.beside")
    pair.step(1)
    assert pane(pair) is not None
    trigger(pair, "file.close")
    assert all(one.views.grid.beside is None for one in pair.windows) and pair.beside.pair is None


def test_a_tab_that_is_used_again_after_closing_follows_its_own_design(pair, files, qtbot):
    first, look = pair.windows[0], pane(pair).view
    own = first.views.canvas.fabric
    assert first.session.drawn is own.composition, "the look at it leaves it alone"
    first.session.hide_networks({"storage"})
    assert first.session.drawn is look.fabric.composition
    trigger(pair, "view.beside")
    assert first.session.drawn is own.composition
    trigger(pair, "view.beside")
    pair.bar.setCurrentIndex(0)
    trigger(pair, "file.close")
    qtbot.waitUntil(lambda: not shiboken6.isValid(look))
    opened(qtbot, pair, files[2:])
    assert pair.current is first and pane(pair) is None
    assert first.session.drawn is first.views.canvas.fabric.composition
    trigger(pair, "view.beside")
    assert pane(pair).isVisible()


def test_the_next_session_shows_the_same_two(pair, make_tabs, files):
    trigger(pair, "view.move_together")
    assert pair.close()
    tabs = make_tabs()
    assert pane(tabs) is None
    trigger(tabs, "file.reopen")
    tabs.bar.setCurrentIndex(0)
    assert name_of(pane(tabs).session) == NAMES[1] and name_of(tabs.beside.pair.left.session) == NAMES[1]
    files[0].unlink()
    assert reopening.left_beside(tabs.current.preferences) is None, "one is missing"
    trigger(tabs, "view.beside")
    assert tabs.close()
    assert reopening.left_beside(tabs.current.preferences) is None


def test_of_large_files_both_are_shown_once_they_are_open(pair, make_tabs, qtbot, monkeypatch):
    assert pair.close()
    monkeypatch.setattr(large_files, "LARGE_BYTES", 0)
    tabs = make_tabs()
    trigger(tabs, "file.reopen")
    qtbot.waitUntil(lambda: tabs.beside.pair is not None, timeout=20_000)
    assert isinstance(pane(tabs).view, LookView)


def compared(qtbot, tabs, answers, path):
    job = tabs.current.session.workbench.comparison
    answers.on_open = [path]
    trigger(tabs, "file.compare")
    qtbot.waitUntil(lambda: job.found is not None and not job.running, timeout=30_000)
    return job


def test_a_comparison_is_seen_in_both_designs_before_at_the_left(make_tabs, files, qtbot, answers):
    tabs = make_tabs()
    opened(qtbot, tabs, files[:1])
    first = tabs.current
    assert not is_enabled(tabs, "file.compare_beside")
    job = compared(qtbot, tabs, answers, files[1])
    panel = first.docks.comparison
    qtbot.mouseClick(panel.buttons["Side by Side"], Qt.MouseButton.LeftButton)
    assert tabs.current is first and tabs.count == 2 and tabs.beside.moves_together
    assert tabs.beside.pair.left.session is first.session
    shown = pane(tabs).view
    qtbot.waitUntil(lambda: shown.camera == first.views.canvas.camera, timeout=5000)
    marks = shown.fabric.composition.colouring.marks
    assert marks.classes == job.found.marked.marks.classes
    wheel(first.views.canvas, QPoint(90, 90))
    assert shown.camera.scale == pytest.approx(first.views.canvas.camera.scale)
    panel.buttons["Swap"].click()
    qtbot.waitUntil(lambda: job.found.is_swapped and not job.running, timeout=30_000)
    trigger(tabs, "file.compare_beside")
    assert tabs.current is first and tabs.beside.pair.right.session is first.session
    qtbot.waitUntil(lambda: pane(tabs).view.fabric.composition.colouring.marks is not None)
    compared(qtbot, tabs, answers, Path(copy(files[1], files[1].with_name("third.fabric"))))
    qtbot.waitUntil(lambda: pane(tabs).view.fabric.composition.colouring.marks is None)  # of another file
    compared(qtbot, tabs, answers, files[1])
    qtbot.waitUntil(lambda: pane(tabs).view.fabric.composition.colouring.marks is not None)
    job.end()
    qtbot.waitUntil(lambda: pane(tabs).view.fabric.composition.colouring.marks is None)


@pytest.fixture
def alike(make_tabs, files, qtbot, answers) -> TabWindow:
    """Two versions of a design, compared side by side: both show the same part."""
    tabs = make_tabs()
    opened(qtbot, tabs, files[:1])
    compared(qtbot, tabs, answers, files[1])
    trigger(tabs, "file.compare_beside")
    qtbot.waitUntil(lambda: tabs.beside.pair is not None and tabs.beside.pair._alike is not None, timeout=5000)
    return tabs


def is_fitted(canvas):
    """Whether all is as large as after Zoom to Fit."""
    canvas.grab()
    scale = canvas.camera.scale
    canvas.zoom_to_fit()
    return scale == pytest.approx(canvas.camera.scale)


def test_both_designs_of_a_comparison_are_fitted_again_when_the_other_pane_closes(alike, qtbot):
    first, second = alike.windows
    width, scale = first.views.canvas.width(), first.views.canvas.camera.scale
    second.views.canvas.move_camera(Camera())
    second.views.canvas.zoom_to_fit()  # as once its file is open
    second.views.canvas.stay()
    qtbot.mouseClick(pane(alike).close_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: first.views.canvas.width() > 1.5 * width)
    assert is_fitted(first.views.canvas) and first.views.canvas.camera.scale > 1.2 * scale
    alike.step(1)
    second.views.canvas.grab()
    assert alike.current is second and second.views.canvas.shows_all, "the tab that was not seen, too"


def test_both_designs_of_a_comparison_stay_fitted_in_a_pane_of_another_size(alike, qtbot):
    first, shown = alike.current.views.canvas, pane(alike).view
    before = first.camera.scale
    alike.resize(1000, 950)
    qtbot.waitUntil(lambda: first.camera.scale < before and shown.camera == first.camera, timeout=5000)
    assert is_fitted(first)


def test_what_a_hand_has_moved_in_a_comparison_stays_so_large_when_the_other_pane_closes(alike):
    first = alike.current.views.canvas
    wheel(first, QPoint(90, 90))
    before = first.camera.scale
    alike.resize(1200, 950)
    pane(alike).close_button.click()
    first.grab()
    assert first.camera.scale == before and not is_fitted(first)


def test_a_design_does_not_stand_next_to_itself(make_tabs, files, qtbot, answers):
    tabs = make_tabs()
    opened(qtbot, tabs, files[:1])
    compared(qtbot, tabs, answers, files[0])
    trigger(tabs, "file.compare_beside")
    assert tabs.beside.pair is None and tabs.count == 1


def test_colors_of_the_other_design_are_by_its_own_ids(files):
    ours, theirs = (document.load(path) for path in files[:2])
    leaf = next(one for one in theirs.switches() if one.name.startswith("leaf"))
    theirs.apply(operations.rename(theirs, leaf.id, "top"))
    marks = marks_of_other(compare_with(theirs, Source("ours", ours)))
    titles = {name: marks.classes[marks.of[ours.find(name).id]].title for name in ("spine-01", leaf.name)}
    assert titles["spine-01"].startswith("Added in") and titles[leaf.name].startswith("Changed")
    assert all(ours.entity(one) is not None for one in marks.of)


def test_a_presentation_shows_both_with_their_names(pair):
    trigger(pair, "view.presentation")
    assert pane(pair).isVisible() and pane(pair).bar.isVisible()
    assert pair.current.views.panes["canvas"].bar.isVisible()
    trigger(pair, "view.presentation")
    assert pane(pair).isVisible()
