"""Several designs open in one window, each in a tab."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from disposal import dispose_of_window
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget

from designer.model import operations
from designer.model.design import Design
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.storage import document, recovery
from designer.topologies.families import FAMILIES
from designer.windows.application import keep_unsaved_work
from designer.windows.commands.adding import add_type
from designer.windows.commands.document_commands import open_all
from designer.windows.files import large_files, reopening
from designer.windows.files.recovery import LANE
from designer.windows.shell.main_window import MainWindow
from designer.windows.shell.tab_window import TabWindow

pytestmark = pytest.mark.own_window


@pytest.fixture
def tabs(qtbot, qapp, catalog, icons, tmp_path, answers) -> Iterator[TabWindow]:
    preferences, appearance = Preferences(tmp_path / "window.ini"), Appearance(qapp, "light", icons)

    def make(of):
        return MainWindow(Session(catalog), preferences, appearance, answers, of)

    window = TabWindow(make, preferences, lambda made: keep_unsaved_work(made, tmp_path / "kept"))
    keep_unsaved_work(window.current, tmp_path / "kept")
    window.resize(1500, 950)
    window.show()
    qtbot.waitExposed(window)
    window.current.views.show_canvas()
    with qtbot.waitActive(window):
        window.activateWindow()
    yield window
    dispose_of_window(window, *window.sessions)
    shiboken6.delete(preferences)


@pytest.fixture
def pods(tmp_path, catalog) -> Callable[[str], Path]:
    """Files with one switch each."""

    def write(name: str) -> Path:
        design = Design()
        made = operations.add_device(design, catalog.types["nvidia-qm9700"], 0.0, 0.0, catalog_types=catalog.types)
        design.apply(made)
        document.save(design, tmp_path / f"{name}.fabric")
        return tmp_path / f"{name}.fabric"

    return write


def names(tabs):
    return [tabs.bar.tabText(index) for index in range(tabs.bar.count())]


def trigger(tabs, action_id):
    tabs.current.actions_table.trigger(action_id)


def test_files_open_in_tabs_and_the_empty_first_one_is_used(tabs, pods):
    assert tabs.bar.isHidden()
    open_all(tabs.current.desk, [pods("a"), pods("b"), pods("c")])
    assert names(tabs) == ["a.fabric", "b.fabric", "c.fabric"]
    assert tabs.bar.isVisible()
    assert tabs.windowTitle().startswith("c.fabric")
    assert [window.isVisible() for window in tabs.windows] == [False, False, True]


@pytest.mark.parametrize("from_welcome", [False, True])
def test_what_is_opened_has_the_keyboard_wherever_it_was(tabs, pods, from_welcome):
    if from_welcome:
        tabs.current.views.show_welcome()
    else:
        tabs.current.docks.simulation.controls.run.setFocus()
    open_all(tabs.current.desk, [pods("a")])
    assert tabs.current.views.canvas.hasFocus()


def test_keys_go_from_tab_to_tab_and_around(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    seen = []
    for _ in range(3):
        qtbot.keyClick(tabs.current.views.canvas, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        seen.append(tabs.current.session.name)
        assert tabs.current.views.canvas.hasFocus()
    assert seen == ["a.fabric", "b.fabric", "a.fabric"]
    trigger(tabs, "tab.previous")
    assert tabs.current.session.name == "b.fabric"


def test_every_tab_has_its_own_undo_selection_and_unsaved_mark(tabs, pods):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    one, other = tabs.windows
    add_type(other.desk, "nvidia-qm9700")
    assert names(tabs) == ["a.fabric", "b.fabric •"]
    assert tabs.isWindowModified()
    tabs.step(1)
    assert not tabs.isWindowModified()
    assert not one.session.undo_stack.canUndo()
    tabs.step(1)
    trigger(tabs, "edit.undo")
    assert names(tabs) == ["a.fabric", "b.fabric"]
    assert not tabs.isWindowModified()


def test_a_file_that_is_open_is_shown_and_not_opened_twice(tabs, pods):
    a, b = pods("a"), pods("b")
    open_all(tabs.current.desk, [a, b])
    open_all(tabs.current.desk, [a])
    assert names(tabs) == ["a.fabric", "b.fabric"]
    assert tabs.current.session.path == a


def test_a_new_design_comes_in_a_tab_and_nothing_is_asked(tabs, pods, answers):
    open_all(tabs.current.desk, [pods("a")])
    add_type(tabs.current.desk, "nvidia-qm9700")
    trigger(tabs, "file.new")
    assert names(tabs) == ["a.fabric •", "Untitled"]
    trigger(tabs, "file.new")
    assert tabs.count == 2
    assert answers.asked == []


@pytest.mark.parametrize("servers", ["4", "1024"])
def test_a_fabric_in_a_new_design_comes_in_a_tab_and_nothing_is_asked(tabs, answers, qtbot, servers):
    first = tabs.current
    add_type(first.desk, "nvidia-qm9700")
    trigger(tabs, "file.generate")
    dialog = first.dialogs["generate"]
    dialog.list.setCurrentRow([family.name for family in FAMILIES].index("fat-tree"))
    dialog.form.set_text("servers", servers)
    dialog.from_scratch.setChecked(True)
    dialog.build()
    qtbot.waitUntil(lambda: tabs.count == 2, timeout=60_000)
    assert answers.asked == [] and not dialog.isVisible()
    made = tabs.current.session
    assert len(made.design.servers()) == int(servers) and len(first.session.design.devices) == 1
    assert made.undo_stack.count() == 1 and made.dirty
    made.undo_stack.undo()
    assert not made.design.devices
    tabs.bar.setCurrentIndex(0)
    assert not dialog.isVisible()


def test_a_fabric_in_a_new_design_takes_the_place_of_an_empty_one(tabs, qtbot):
    trigger(tabs, "file.generate")
    dialog = tabs.current.dialogs["generate"]
    dialog.list.setCurrentRow([family.name for family in FAMILIES].index("fat-tree"))
    dialog.form.set_text("servers", "4")
    dialog.from_scratch.setChecked(True)
    dialog.build()
    qtbot.waitUntil(lambda: len(tabs.current.session.design.servers()) == 4, timeout=60_000)
    assert tabs.count == 1


def test_a_file_that_is_refused_leaves_no_tab_and_says_why_where_one_was(tabs, pods, tmp_path):
    open_all(tabs.current.desk, [pods("a")])
    (tmp_path / "bad.fabric").write_text("nonsense")
    open_all(tabs.current.desk, [tmp_path / "bad.fabric"])
    assert names(tabs) == ["a.fabric"]
    assert tabs.notice.isVisible()
    assert "bad.fabric" in tabs.notice.text.text()


def test_closing_a_tab_asks_about_its_changes_and_the_last_becomes_the_welcome_screen(tabs, pods, answers, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    add_type(tabs.current.desk, "nvidia-qm9700")
    answers.on_unsaved += ["cancel", "discard"]
    close = Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(tabs.current.views.canvas, *close)
    assert tabs.count == 2
    qtbot.keyClick(tabs.current.views.canvas, *close)
    assert names(tabs) == ["a.fabric"]
    assert tabs.bar.isHidden()
    assert tabs.windowTitle().startswith("a.fabric")
    assert tabs.current.views.canvas.hasFocus()
    qtbot.keyClick(tabs.current.views.canvas, *close)
    assert tabs.current.views.on_welcome()
    assert tabs.current.session.path is None
    assert answers.asked == ["unsaved b.fabric"] * 2


def test_a_closed_tab_is_used_again_without_anything_of_the_design_before(tabs, pods):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    closed = tabs.current
    closed.session.select(closed.session.design.devices)
    trigger(tabs, "file.close")
    trigger(tabs, "file.new")
    assert tabs.current is closed
    assert not closed.session.design.devices
    assert not closed.session.selection
    assert not closed.session.undo_stack.canUndo()


def test_the_mouse_closes_with_the_middle_button_the_cross_and_the_menu(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods(name) for name in "abcde"])
    qtbot.mouseClick(tabs.bar, Qt.MouseButton.MiddleButton, pos=tabs.bar.tabRect(1).center())
    assert names(tabs) == ["a.fabric", "c.fabric", "d.fabric", "e.fabric"]
    button = tabs.bar.tabButton(2, tabs.bar.ButtonPosition.RightSide)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert names(tabs) == ["a.fabric", "c.fabric", "e.fabric"]
    menu = tabs.menu_at(tabs.bar.tabRect(1).center())
    next(action for action in menu.actions() if action.text() == "Close Others").trigger()
    assert names(tabs) == ["c.fabric"]
    assert tabs.current.session.name == "c.fabric"


def test_a_tab_that_is_dragged_elsewhere_stays_that_of_its_design(tabs, pods):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    tabs.bar.moveTab(1, 0)
    assert names(tabs) == ["b.fabric", "a.fabric"]
    assert [window.session.name for window in tabs.windows] == ["b.fabric", "a.fabric"]
    assert tabs.current.session.name == "b.fabric"
    tabs.bar.setCurrentIndex(1)
    assert tabs.current.isVisible()
    assert tabs.windowTitle().startswith("a.fabric")


def test_the_window_closes_when_all_may_be_left_and_else_keeps_them_all(tabs, pods, answers):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    for window in tabs.windows:
        add_type(window.desk, "nvidia-qm9700")
    answers.on_unsaved += ["cancel"]
    trigger(tabs, "file.quit")
    assert tabs.isVisible()
    assert names(tabs) == ["a.fabric •", "b.fabric •"]
    folder = tabs.windows[0].session.path.parent
    assert answers.asked == [f"unsaved {[f'{name}.fabric: 2 devices, {folder}' for name in 'ab']}"]
    answers.on_unsaved += ["save"]
    trigger(tabs, "file.quit")
    assert not tabs.isVisible()
    assert [len(document.load(window.session.path).devices) for window in tabs.windows] == [2, 2]


def test_the_changes_of_all_designs_are_discarded_by_one_answer(tabs, pods, answers):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    for window in tabs.windows:
        add_type(window.desk, "nvidia-qm9700")
    answers.on_unsaved += ["discard"]
    trigger(tabs, "file.quit")
    assert not tabs.isVisible()
    assert [len(document.load(window.session.path).devices) for window in tabs.windows] == [1, 1]


def test_a_file_dialog_that_is_left_while_all_are_saved_keeps_the_window_open(tabs, answers):
    for _ in range(2):
        trigger(tabs, "file.new")
        add_type(tabs.current.desk, "nvidia-qm9700")
    answers.on_unsaved += ["save"]
    answers.on_save += [None]
    trigger(tabs, "file.quit")
    assert tabs.isVisible() and tabs.count == 2
    assert answers.asked[-1].endswith("untitled.fabric")


def test_designs_without_files_have_names_of_their_own(tabs, tmp_path, answers):
    for _ in range(3):
        trigger(tabs, "file.new")
        add_type(tabs.current.desk, "nvidia-qm9700")
    assert names(tabs) == ["Untitled •", "Untitled 2 •", "Untitled 3 •"]
    assert tabs.windowTitle().startswith("Untitled 3")
    session = tabs.windows[1].session
    session.push(operations.set_settings(session.design, name="Pod"))
    assert names(tabs) == ["Untitled •", "Pod •", "Untitled 3 •"], "others keep the names that they have"
    tabs.bar.setCurrentIndex(1)
    assert tabs.windowTitle().startswith("Pod")
    session = tabs.windows[2].session
    session.push(operations.set_settings(session.design, name="Pod"))
    assert names(tabs) == ["Untitled •", "Pod •", "Pod 2 •"]
    answers.on_save += [tmp_path / "pod.fabric"]
    tabs.bar.setCurrentIndex(2)
    trigger(tabs, "file.save")
    assert answers.asked[-1].endswith("pod-2.fabric")
    assert names(tabs)[2] == "pod.fabric"


def test_a_tab_that_is_used_again_is_numbered_anew(tabs, answers, tmp_path):
    for _ in range(2):
        trigger(tabs, "file.new")
        add_type(tabs.current.desk, "nvidia-qm9700")
    answers.on_unsaved += ["discard"]
    trigger(tabs, "file.close")
    answers.on_save += [tmp_path / "pod.fabric"]
    trigger(tabs, "file.save")
    trigger(tabs, "file.new")
    assert names(tabs) == ["pod.fabric", "Untitled"]


def test_dropped_files_open_in_tabs(tabs, pods, qtbot):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(pods(name))) for name in "ab"])
    where, action, buttons = QPointF(300, 300), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    tabs.current.dropEvent(QDropEvent(where, action, mime, buttons, Qt.KeyboardModifier.NoModifier))
    qtbot.waitUntil(lambda: names(tabs) == ["a.fabric", "b.fabric"])


def test_a_large_file_that_is_still_read_keeps_its_tab(tabs, pods, qtbot, monkeypatch):
    monkeypatch.setattr(large_files, "LARGE_BYTES", 0)
    a, b = pods("a"), pods("b")
    open_all(tabs.current.desk, [a, b])
    qtbot.waitUntil(lambda: names(tabs) == ["a.fabric", "b.fabric"])


def test_panels_are_where_they_were_in_the_tab_before(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    new = tabs.current.findChild(QDockWidget, "inspector")
    qtbot.waitUntil(lambda: new.width() == 370)
    tabs.current.docks.show("studies")
    trigger(tabs, "panel.palette")
    tabs.step(1)
    assert tabs.current.docks.shown("studies")
    assert not tabs.current.docks.shown("palette")
    inspector = tabs.current.findChild(QDockWidget, "inspector")
    assert inspector.width() == 370


def test_dialogs_of_a_tab_are_away_while_another_is_seen(tabs, pods):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    trigger(tabs, "edit.settings")
    dialog = tabs.current.dialogs["settings"]
    tabs.step(1)
    assert not dialog.isVisible()
    tabs.step(1)
    assert dialog.isVisible()
    dialog.close()


def test_unsaved_work_of_every_tab_is_kept_and_gone_once_it_may_be(tabs, pods, tmp_path):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    for window in tabs.windows:
        add_type(window.desk, "nvidia-qm9700")
        window.session.autosave.keep_at_once()
    kept = [one for one in (tmp_path / "kept").iterdir() if one.suffix == ".fabric-recovery" or "lock" not in one.name]
    assert len({one.name.split(".")[0] for one in kept}) == 2


def test_what_was_open_is_listed_for_the_next_start_in_the_order_of_its_tabs(tabs, pods):
    paths = [pods("one"), pods("two")]
    open_all(tabs.current.desk, paths)
    preferences = tabs.current.preferences
    assert tabs.close()
    assert reopening.left_open(preferences) == paths
    paths[0].unlink()
    assert reopening.left_open(preferences) == paths[1:], "a file that is missing is left out"
    assert not reopening.reopens(preferences), "only where Settings ask for it, or the command"


def test_the_command_reopens_what_was_open_last(tabs, pods):
    paths = [pods("one"), pods("two")]
    reopening.keep_open(tabs.current.preferences, paths)
    tabs.current.actions_table.trigger("file.reopen")
    assert [window.session.path for window in tabs.windows] == paths


def test_installing_into_several_servers_says_how_many(tabs, catalog):
    window = tabs.current
    for place in range(3):
        server = catalog.types["dgx-h100"]
        window.session.push(
            operations.add_device(window.session.design, server, 200.0 * place, 0.0, catalog_types=catalog.types)
        )
    window.session.select(window.session.design.devices)
    add_type(window.desk, "connectx-7-ndr-2p")
    assert "3 × " in window.notice.text.text() and "installed in 3 servers" in window.notice.text.text()


def test_a_window_that_was_maximized_opens_a_file_at_start(tabs, qtbot, qapp, catalog, icons, tmp_path, pods, answers):
    open_all(tabs.current.desk, [pods("a")])
    tabs.showMaximized()
    qtbot.waitUntil(tabs.isMaximized)
    tabs.close()

    preferences = Preferences(tmp_path / "window.ini")
    later = TabWindow(
        lambda of: MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), answers, of),
        preferences,
        lambda made: None,
    )
    assert later.isMaximized() and not later.current.isMaximized()  # else Qt crashes on the next lines
    later.show()
    later.current.views.show_canvas()
    open_all(later.current.desk, [pods("a")])
    qtbot.waitExposed(later)
    assert later.current.docks.inspector.width() > 0 and names(later) == ["a.fabric"]
    dispose_of_window(later, *later.sessions)


def test_long_names_keep_what_tells_tabs_apart(tabs, pods):
    names = [f"the large fabric of the second hall of data in the north, part {n}" for n in (1, 2)]
    open_all(tabs.current.desk, [pods(name) for name in names])
    shown = [tabs.bar.tabText(index) for index in range(tabs.bar.count())][-2:]
    assert all("…" in one and one.endswith(f"{n}.fabric") for n, one in enumerate(shown, 1))
    tips = [tabs.bar.tabToolTip(index) for index in range(tabs.bar.count())][-2:]
    assert [one.endswith(f"{name}.fabric") for one, name in zip(tips, names, strict=True)] == [True, True]


def test_one_explore_window_serves_all_tabs_and_stays_as_it_is(tabs, pods, qtbot):
    first = tabs.current
    trigger(tabs, "simulate.explore")
    explore = first.dialogs["explore"]
    assert explore.windowHandle().transientParent() is None
    open_all(first.desk, [pods("a")])
    open_all(tabs.current.desk, [pods("b")])
    assert tabs.count == 2 and explore.isVisible()
    explore.spec.text.setPlainText("name: kept")
    trigger(tabs, "simulate.explore")
    assert tabs.current.dialogs["explore"] is explore and explore.spec.text.toPlainText() == "name: kept"
    assert explore._desk is tabs.current.desk is not first.desk
    for index in (0, 1):
        tabs.bar.setCurrentIndex(index)
        assert explore.isVisible() and explore._desk is tabs.windows[index].desk
    tabs.bar.setCurrentIndex(0)
    tabs.close_tab()
    assert tabs.count == 1 and explore.isVisible() and explore._desk is tabs.current.desk
    tabs.close()
    assert not explore.isVisible()


def test_a_dialog_that_is_shown_again_with_its_tab_takes_no_focus(tabs, pods):
    trigger(tabs, "file.generate")
    dialog = tabs.current.dialogs["generate"]
    shown = []
    dialog.installEventFilter(watch := Watched(shown))
    tabs.add(lambda desk: None)
    assert not dialog.isVisible()
    tabs.bar.setCurrentIndex(0)
    assert dialog.isVisible() and shown == [True]
    assert not dialog.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    dialog.removeEventFilter(watch)


class Watched(QObject):
    """Notes whether a widget that is shown takes no focus."""

    def __init__(self, shown):
        super().__init__()
        self._shown = shown

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show:
            self._shown.append(watched.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating))
        return False


def leave_work_on(tabs, path, folder):
    """What a killed window with one more switch in this file would leave."""
    design, types = document.load(path), tabs.current.session.catalog.types
    design.apply(operations.add_device(design, types["nvidia-qm9700"], 0.0, 200.0, catalog_types=types))
    folder.mkdir(exist_ok=True)
    recovery.keep(design, path.name, path, recovery.new_file(folder))


def offered(tabs, qtbot):
    """The bar of the tab that is seen, which has looked for unsaved work."""
    bar, jobs = tabs.current.recovery, tabs.current.session.jobs
    qtbot.waitUntil(lambda: not jobs.busy(LANE))
    bar.look()
    qtbot.waitUntil(lambda: bool(bar.offers))
    return bar


def test_restoring_work_on_a_file_that_is_open_goes_into_its_tab(tabs, pods, tmp_path, answers, qtbot):
    first, second = pods("first"), pods("second")
    open_all(tabs.current.desk, [first, second])
    leave_work_on(tabs, first, tmp_path / "kept")
    offered(tabs, qtbot).restore()  # in the tab of the second
    qtbot.waitUntil(lambda: tabs.current.session.dirty)
    assert names(tabs) == ["first.fabric •", "second.fabric"] and tabs.bar.currentIndex() == 0
    assert len(tabs.current.session.design.devices) == 2 and not answers.asked


def test_what_is_unsaved_in_that_tab_is_asked_about_first(tabs, pods, tmp_path, answers, qtbot):
    first = pods("first")
    open_all(tabs.current.desk, [first])
    add_type(tabs.current.desk, "dgx-h100")
    leave_work_on(tabs, first, tmp_path / "kept")
    bar = offered(tabs, qtbot)
    answers.on_unsaved.append("cancel")
    bar.restore()
    qtbot.wait(20)
    assert answers.asked == ["unsaved first.fabric"] and names(tabs) == ["first.fabric •"] and bar.offers
    assert len(tabs.current.session.design.servers()) == 1


def test_the_panel_of_a_comparison_is_in_sight_again_where_another_tab_has_closed_its_own(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    for index in range(2):
        tabs.bar.setCurrentIndex(index)
        job = tabs.current.session.workbench.comparison
        tabs.current.docks.show("comparison")
        job.compare(pods("c"))
        qtbot.waitUntil(lambda job=job: job.found is not None, timeout=20_000)
    job.end()
    assert not tabs.current.docks.shown("comparison")
    tabs.bar.setCurrentIndex(0)
    assert tabs.current.session.workbench.comparison.found is not None
    assert tabs.current.docks.shown("comparison")


@pytest.fixture
def behind(tabs, pods):
    """Two designs, the second of them behind the welcome screen."""
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    trigger(tabs, "view.floor")
    trigger(tabs, "file.welcome")
    assert tabs.current.views.on_welcome()
    return tabs


def test_esc_brings_the_design_back_from_behind_the_welcome_screen(behind, qtbot):
    qtbot.keyClick(behind.current.views.welcome, Qt.Key.Key_Escape)
    views = behind.current.views
    assert not views.on_welcome() and views.current is views.floor, "as it was"


def test_a_click_on_the_tab_in_front_brings_its_design_back(behind, qtbot):
    at = behind.bar.tabRect(behind.bar.currentIndex()).center()
    qtbot.mouseClick(behind.bar, Qt.MouseButton.LeftButton, pos=at)
    assert not behind.current.views.on_welcome() and behind.current.session.name == "b.fabric"


def test_the_design_in_the_list_of_recent_files_comes_back(behind, qtbot):
    recent = behind.current.views.welcome.recent
    qtbot.mouseClick(recent.viewport(), Qt.MouseButton.LeftButton, pos=recent.visualItemRect(recent.item(0)).center())
    assert not behind.current.views.on_welcome() and behind.count == 2


@pytest.mark.parametrize("action_id", ["edit.select_all", "check.now", "view.zoom_fit", "tables.devices"])
def test_commands_about_the_design_bring_it_back(behind, action_id):
    trigger(behind, action_id)
    assert not behind.current.views.on_welcome()


@pytest.mark.parametrize("action_id", ["theme.light", "file.save", "file.welcome"])
def test_commands_about_no_view_leave_the_welcome_screen(behind, action_id):
    trigger(behind, action_id)
    assert behind.current.views.on_welcome()


def test_where_nothing_is_open_the_welcome_screen_stays(tabs, qtbot):
    trigger(tabs, "file.welcome")
    qtbot.keyClick(tabs.current.views.welcome, Qt.Key.Key_Escape)
    trigger(tabs, "edit.select_all")
    assert tabs.current.views.on_welcome()


def test_tabs_stand_below_the_menus_and_the_toolbar_of_the_design_that_is_seen(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b")])
    bar = tabs.bar
    for _ in range(2):
        window = tabs.current
        qtbot.waitUntil(lambda window=window: bar.isVisible() and window.isAncestorOf(bar))
        top = bar.mapTo(window, bar.rect().topLeft()).y()
        below = window.toolbar.mapTo(window, window.toolbar.rect().bottomLeft()).y()
        assert (
            top > below and bar.mapTo(window, bar.rect().bottomLeft()).y() < window.views.mapTo(window, bar.pos()).y()
        )
        tabs.step(1)


def test_a_tab_in_the_background_can_be_dragged_and_its_design_is_shown_at_the_drop(tabs, pods, qtbot):
    open_all(tabs.current.desk, [pods("a"), pods("b"), pods("c")])
    bar, last = tabs.bar, tabs.current
    start, end = bar.tabRect(0).center(), bar.tabRect(1).center() + bar.tabRect(1).topLeft() / 4
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.7, 1.0):
        at = QPointF(start + (end - start) * share)
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            at,
            QPointF(bar.mapToGlobal(at.toPoint())),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(bar, move)
    assert last.isVisible() and last.isAncestorOf(bar)
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=end)
    assert names(tabs) == ["b.fabric", "a.fabric", "c.fabric"]
    assert [window.session.name for window in tabs.windows] == names(tabs)
    assert tabs.current.session.name == "a.fabric" and tabs.current.isVisible() and tabs.current.isAncestorOf(bar)


def make_a_preset(tabs):
    trigger(tabs, "file.generate")
    dialog = tabs.current.dialogs["generate"]
    dialog.sides.setCurrentIndex(1)
    dialog.published.list.setCurrentRow([one.id for one in dialog.published.presets].index("juniper-qpp-400g-4srv"))
    QTest.mouseClick(dialog.generate, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("place", ["welcome", "list of the palette", "search of the palette"])
def test_keys_are_for_the_canvas_once_a_published_design_is_made(tabs, qtbot, place):
    """F fits all, and is no letter for the search of the palette."""
    first = tabs.current
    if place == "welcome":
        first.views.show_welcome()
    else:
        (first.docks.palette.search if "search" in place else first.docks.palette.tree).setFocus()
    make_a_preset(tabs)
    qtbot.waitUntil(lambda: len(tabs.current.session.design.servers()) > 3, timeout=60_000)
    tabs.activateWindow()
    qtbot.waitUntil(tabs.isActiveWindow)
    canvas = tabs.current.views.canvas
    qtbot.waitUntil(lambda: canvas.shows_all)
    canvas.zoom_by(4.0)
    assert not canvas.shows_all
    QTest.keyClick(tabs.windowHandle(), Qt.Key.Key_F)
    assert canvas.shows_all and not tabs.current.docks.palette.search.text()
    assert canvas.hasFocus()


def test_a_window_that_was_just_opened_has_its_keys_for_the_canvas(make_window, qtbot):
    """Not for the search of the palette, which Qt would choose: a large file may still be being read."""
    window = make_window()
    window.show()
    window.views.show_canvas()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.views.canvas.hasFocus()


def test_the_keys_of_the_welcome_screen_are_for_the_canvas_that_takes_its_place(tabs, qtbot):
    window = tabs.current
    window.views.show_welcome()
    window.views.welcome.examples.setFocus()
    window.views.show_canvas()
    assert window.views.canvas.hasFocus()
    window.views.show_welcome()
    window.docks.palette.search.setFocus()
    window.views.show_canvas()
    assert window.docks.palette.search.hasFocus(), "where somebody types"
