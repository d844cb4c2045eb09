"""The real main window on the real catalog; only its questions (files, unsaved changes) are answered by the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from disposal import dispose_of_window
from PySide6.QtCore import QByteArray, QPoint
from PySide6.QtTest import QTest
from shiboken6 import delete

from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.windows.commands.adding import add_type
from designer.windows.dialogs.questions import Answer, ChangedAnswer, GapsAnswer, Questions
from designer.windows.shell.main_window import LAYOUT_VERSION, MainWindow

SIZE = (1600, 1000)
MAY_CHANGE = ("export/", "folders/", "recent/")
"""Settings that a test may leave changed, as they are read when they are needed; they are put back."""


class Answers(Questions):
    """Answers given beforehand; a question nobody expected fails the test."""

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    def forget(self) -> None:
        """Take back all answers given beforehand, and what was asked."""
        self.on_unsaved: list[Answer] = []
        self.on_changed: list[ChangedAnswer] = []
        self.on_gaps: list[GapsAnswer] = []
        self.on_discard: list[bool] = []
        self.reasons: list[str] = []
        self.on_open: list[Path | None] = []
        self.on_save: list[Path | None] = []
        self.asked: list[str] = []

    def unsaved(self, name: str) -> Answer:
        self.asked.append(f"unsaved {name}")
        return self.on_unsaved.pop(0)

    def several_unsaved(self, designs: list[str]) -> Answer:
        self.asked.append(f"unsaved {designs}")
        return self.on_unsaved.pop(0)

    def discards(self, name: str) -> bool:
        self.asked.append(f"discard {name}")
        return self.on_discard.pop(0)

    def changed_on_disk(self, name: str) -> ChangedAnswer:
        self.asked.append(f"changed {name}")
        return self.on_changed.pop(0)

    def plan_gaps(self, title: str, headline: str, reasons: list[str], *, may_prepare: bool) -> GapsAnswer:
        self.asked.append(headline if may_prepare else f"{headline}, prepared")
        self.reasons = reasons
        return self.on_gaps.pop(0) if self.on_gaps else "export"

    def open_path(self, title: str, folder: str, file_filter: str) -> Path | None:
        self.asked.append(title)
        return self.on_open.pop(0)

    def open_folder(self, title: str, folder: str) -> Path | None:
        self.asked.append(title)
        return self.on_open.pop(0)

    def save_path(self, title: str, suggestion: str, file_filter: str) -> Path | None:
        self.asked.append(f"{title} {Path(suggestion).name}")
        return self.on_save.pop(0)


@pytest.fixture
def answers(request) -> Answers:
    """Those of the window that the test has."""
    if "window" not in request.fixturenames or request.node.get_closest_marker("own_window"):
        return Answers()
    answers = request.getfixturevalue("_window_and_docks")[0].desk.questions
    answers.forget()
    return answers


@pytest.fixture
def make_window(qtbot, qapp, catalog, icons, tmp_path) -> Iterator[Callable[..., MainWindow]]:
    made: list[MainWindow] = []

    def make(questions: Questions | None = None, settings: str = "window.ini") -> MainWindow:
        preferences = Preferences(tmp_path / settings)
        window = MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), questions or Answers())
        window.resize(*SIZE)
        made.append(window)
        return window

    yield make
    for window in made:
        dispose_of_window(window, window.session)


@pytest.fixture(scope="module")
def _window_and_docks(
    request, qapp, catalog, icons, tmp_path_factory
) -> Iterator[tuple[MainWindow, QByteArray] | None]:
    if request.node.get_closest_marker("own_window"):
        yield None  # as each test of the file has its own
        return
    preferences = Preferences(tmp_path_factory.mktemp("window") / "window.ini")
    window = MainWindow(Session(catalog), preferences, Appearance(qapp, "light", icons), Answers())
    window.resize(*SIZE)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.views.show_canvas()
    yield window, window.saveState(LAYOUT_VERSION)
    dispose_of_window(window, window.session)


@pytest.fixture
def emptied_window(_window_and_docks, qtbot) -> Iterator[MainWindow]:
    """One window for all tests of a file, emptied after each as a tab is that is used again.

    Making one takes longer than most tests do. A test that changes settings, grid, layers or what is folded, or needs
    them as they are at first, is marked `own_window`, and so is a file of such tests.
    """
    window, docks = _window_and_docks
    settings = window.preferences._settings
    before = {key: settings.value(key) for key in settings.allKeys()}
    window.activateWindow()
    qtbot.waitActive(window)
    yield window
    QTest.mouseMove(window, QPoint(1, 1))  # off what the next test moves it onto
    window.session.undo_stack.setClean()
    window.empty()
    window.session.jobs.end_threads()  # before dialogs go that wait for an outcome
    for dialog in window.dialogs._made.values():
        delete(dialog)
    window.dialogs._made.clear()
    window.views.choose_tool("select")
    window.views.show_canvas()
    window.restoreState(docks, LAYOUT_VERSION)
    window.notice.hide()
    window.resize(*SIZE)
    window.session.show_badges(True)
    window.session.jobs.end_threads()
    changed = {key for key in settings.allKeys() if settings.value(key) != before.get(key)}
    for key in changed:
        settings.setValue(key, before[key]) if key in before else settings.remove(key)
    window.preferences.recent_files_changed.emit()
    window.preferences.recent_types_changed.emit()
    lasting = {key for key in changed if not key.startswith(MAY_CHANGE)}
    assert not lasting, f"a test that sets {lasting} is to be marked own_window"


@pytest.fixture
def own_window(make_window, answers, qtbot) -> MainWindow:
    window = make_window(answers)
    window.show()
    qtbot.waitExposed(window)
    window.views.show_canvas()
    with qtbot.waitActive(window):
        window.activateWindow()
    return window


@pytest.fixture
def window(request, _window_and_docks) -> Iterator[MainWindow]:
    """The emptied window, but one of its own for a test marked `own_window`: the other may work meanwhile."""
    has_own = request.node.get_closest_marker("own_window")
    yield request.getfixturevalue("own_window" if has_own else "emptied_window")
    if _window_and_docks is not None:
        _window_and_docks[0].session.jobs.end_threads()


@pytest.fixture
def add(window) -> Callable[[str], str]:
    """Add one of a type at the centre of the view; returns its id."""

    def added(type_id: str) -> str:
        before = set(window.session.design.devices) | set(window.session.design.racks)
        add_type(window.desk, type_id)
        (new,) = (set(window.session.design.devices) | set(window.session.design.racks)) - before
        return new

    return added
