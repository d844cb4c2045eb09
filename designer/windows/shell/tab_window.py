"""One window with a tab for each open design: every tab has its own session, panels and views.

The tabs stand over the views of the design that is seen, below its menus and its toolbar.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from designer.drawing.text import fitted_name
from designer.model.settings import Settings
from designer.model.shown_text import plain_text, visible_line
from designer.panels.widgets.fitting import fitting
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.units import format_counted
from designer.windows.commands.access_keys import literal
from designer.windows.desk import Desk, Tabs
from designer.windows.files import reopening, saving
from designer.windows.files.places import back_to_design
from designer.windows.shell.design_beside import DesignBeside
from designer.windows.shell.main_window import LAYOUT_VERSION, MainWindow
from designer.windows.shell.notice import Notice

UNSAVED = " •"
LONGEST_PX = 240
SIZE = QSize(1440, 900)


class DesignTabs(QTabBar):
    """The tabs; a design is `wanted` once the mouse lets go of its tab: until then it may be dragged elsewhere."""

    wanted = Signal(int)
    close_wanted = Signal(int)
    """By a click with the middle button."""

    def __init__(self) -> None:
        super().__init__()
        self._is_held = False
        self.setObjectName("design-tabs")
        self.setDocumentMode(True)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Open designs")
        self.currentChanged.connect(lambda index: None if self._is_held else self.wanted.emit(index))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a tab: the bar goes to another window only afterwards."""
        self._is_held = event.button() == Qt.MouseButton.LeftButton
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the tab; a click with the middle button closes it."""
        super().mouseReleaseEvent(event)
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_wanted.emit(index)
        elif self._is_held:
            self._is_held = False
            self.wanted.emit(self.currentIndex())


class TabWindow(QWidget):
    """Makes the window of a design where one is opened. A closed one is kept, empty, for the next design."""

    def __init__(
        self, make: Callable[[Tabs], MainWindow], preferences: Preferences, begun: Callable[[MainWindow], None]
    ) -> None:
        super().__init__()
        self._make, self._preferences, self._begun = make, preferences, begun
        self.windows: list[MainWindow] = []
        """In the order of the tabs."""
        self._spare: list[MainWindow] = []
        self.shared_dialogs: dict[str, QDialog] = {}
        self.beside = DesignBeside(self.windows, partial(_bring, self), preferences)
        self._numbered: dict[Session, str] = {}
        """The names that designs without files have their numbers for."""
        self._shown: MainWindow | None = None
        self._has_bar = True
        self.setObjectName("tab-window")
        self.bar = DesignTabs()
        self.bar.hide()
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        self.bar.wanted.connect(self._follow_bar)
        self.bar.close_wanted.connect(lambda index: self._close(self.windows[index]))
        self.bar.tabBarClicked.connect(lambda index: index >= 0 and back_to_design(self.windows[index].desk))
        self.bar.tabMoved.connect(self._move)
        self.bar.customContextMenuRequested.connect(lambda at: _pop_up(self.menu_at(at), self.bar.mapToGlobal(at)))
        geometry = preferences.blob("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(self.sizeHint())
        self._stack.resize(self.size())  # before there is a window: docks that were squeezed once stay so
        self._add()
        self.current.appearance.changed.connect(self._recolour)

    def sizeHint(self) -> QSize:
        """As large as the window of one design, or as the screen has room for."""
        return fitting(self, SIZE)

    @property
    def current(self) -> MainWindow:
        """The window of the design that is seen."""
        return self.windows[self.bar.currentIndex()]

    @property
    def desk(self) -> Desk:
        """The desk of the design that is seen."""
        return self.current.desk

    @property
    def notice(self) -> Notice:
        """Where the tab that is seen says things."""
        return self.current.notice

    @property
    def sessions(self) -> Iterator[Session]:
        """Every session, those of closed tabs included."""
        return (window.session for window in (*self.windows, *self._spare))

    # -- what desks ask for ---------------------------------------------------------------------------------------

    def take_in(self, window: QMainWindow) -> None:
        """Put the window of a design among the others."""
        self._stack.addWidget(window)

    @property
    def count(self) -> int:
        """How many designs are open."""
        return len(self.windows)

    def add(self, begin: Callable[[Desk], object]) -> None:
        """Do it on the desk of a new tab, which comes to the front; where that returns False, it goes again."""
        is_new = not self._spare
        window = self._add()
        is_refused = begin(window.desk) is False
        window.actions_table.refresh()
        if is_new:
            self._begun(window)
        if is_refused:
            why = window.notice.text.text()
            window.notice.hide()
            self._leave(window)
            self.desk.notice.complain(why)

    def show_file(self, path: Path) -> bool:
        """Bring the tab to the front that has this file open; False where none has."""
        wanted = os.path.realpath(path)
        for index, window in enumerate(self.windows):
            own = window.session.path
            if own is not None and os.path.realpath(own) == wanted:
                self.bar.setCurrentIndex(index)
                back_to_design(window.desk)
                return True
        return False

    def step(self, by: int) -> None:
        """Bring the next tab to the front, or the one before; after the last comes the first."""
        self.bar.setCurrentIndex((self.bar.currentIndex() + by) % self.count)

    def close_tab(self) -> None:
        """Close the tab that is seen, after asking what to do with unsaved changes."""
        self._close(self.current)

    def show_bar(self, shown: bool) -> None:
        """Show the tabs, where there are several, or hide them."""
        self._has_bar = shown
        self.bar.setVisible(shown and self.count > 1)

    def close_others(self) -> None:
        """Close all tabs but the one that is seen, as far as their unsaved changes may be left."""
        kept = self.current
        for window in [one for one in self.windows if one is not kept]:
            self._close(window)
        _bring(self, kept)

    # -- tabs -----------------------------------------------------------------------------------------------------

    def _add(self) -> MainWindow:
        window = self._spare.pop() if self._spare else self._new_window()
        self.windows.append(window)
        index = self.bar.addTab("")
        self.bar.setTabButton(index, QTabBar.ButtonPosition.RightSide, self._close_button(window))
        self.bar.setCurrentIndex(index)
        self._recolour()
        self._name(window, renumber=True)
        self._follow_bar(self.bar.currentIndex())
        self.show_bar(self._has_bar)
        return window

    def _new_window(self) -> MainWindow:
        window = self._make(self)
        session = window.session
        for signal in (session.dirty_changed, session.path_changed, session.reset):
            signal.connect(lambda *_changed, window=window: self._name(window))
        session.changed.connect(lambda edit, window=window: self._name(window) if Settings in edit.kinds else None)
        return window

    def _close_button(self, window: MainWindow) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "quiet")
        button.setIconSize(QSize(12, 12))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip("Close (Ctrl+W)")
        button.setAccessibleName("Close tab")
        button.clicked.connect(lambda: self._close(window))
        return button

    def _recolour(self) -> None:
        for index in range(self.bar.count()):
            button = self.bar.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if isinstance(button, QToolButton):
                button.setIcon(self.current.appearance.icon("close", "muted"))

    def _follow_bar(self, index: int) -> None:
        if not 0 <= index < self.count or self.windows[index] is self._shown:
            return
        before, window = self._shown, self.windows[index]
        is_presenting = before is not None and before.desk.presentation.is_on
        if before is not None and is_presenting:
            before.desk.presentation.pause()
        self._shown = window
        is_laid_out = before is not None and before.isVisible() and before.size() == self._stack.size()
        docks = before.saveState(LAYOUT_VERSION) if before is not None and is_laid_out else None
        if before is not None:
            before.dialogs.put_away()
        self._stack.setCurrentWidget(window)
        window.over_views.insertWidget(0, self.bar)
        self.show_bar(self._has_bar)
        if before is not None and docks is not None and not before.views.on_welcome():
            window.take_docks(docks)
        else:
            window.lay_out_docks()
        if is_presenting:
            window.desk.presentation.begin()
        window.dialogs.bring_back()
        window.views.current.setFocus()
        self.beside.switch(before, window)
        self._show_title()
        window.actions_table.refresh()
        window.session.disk.look()

    def _move(self, came_from: int, to: int) -> None:
        self.windows.insert(to, self.windows.pop(came_from))

    def _close(self, window: MainWindow) -> None:
        """Close a tab; the last one becomes the welcome screen."""
        _bring(self, window)
        saving.leave_document(window.desk, lambda: self._leave(window))

    def _leave(self, window: MainWindow) -> None:
        self.beside.leave(window.session)
        window.empty()
        if self.count == 1:
            window.views.show_welcome()
            return
        index = self.windows.index(window)
        self.windows.remove(window)
        self._spare.append(window)
        self.bar.removeTab(index)
        self._follow_bar(self.bar.currentIndex())
        self.show_bar(self._has_bar)
        self.current.actions_table.refresh()

    def menu_at(self, at: QPoint) -> QMenu | None:
        """The menu of the tab at a point of the bar; None where there is none."""
        index = self.bar.tabAt(at)
        if index < 0:
            return None
        self.bar.setCurrentIndex(index)
        menu = QMenu(self)
        menu.addAction("Close").triggered.connect(self.close_tab)
        menu.addAction("Close Others").triggered.connect(self.close_others)
        return menu

    # -- names ----------------------------------------------------------------------------------------------------

    def _name(self, window: MainWindow, *, renumber: bool = False) -> None:
        if window not in self.windows:
            return
        index, session = self.windows.index(window), window.session
        _number_alike(window.session, self.windows, self._numbered, renumber=renumber)
        name = visible_line(session.name)
        metrics = self.fontMetrics()
        fit = fitted_name(name, metrics.horizontalAdvance, LONGEST_PX) or name
        shown = metrics.elidedText(fit, Qt.TextElideMode.ElideRight, LONGEST_PX)
        self.bar.setTabText(index, literal(shown + (UNSAVED if session.dirty else "")))
        where = str(session.path) if session.path is not None else f"{name}, not saved to a file yet"
        self.bar.setTabToolTip(index, plain_text(where))
        self._show_title()
        self.beside.look()

    def _show_title(self) -> None:
        if self._shown is not None:
            self.setWindowModified(self._shown.isWindowModified())
            self.setWindowTitle(self._shown.windowTitle())

    # -- the window -----------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Give the docks of the first tab their sizes, once there is room for them."""
        super().showEvent(event)
        self.current.lay_out_docks()

    def changeEvent(self, event: QEvent) -> None:
        """See whether the file that is seen has changed on disk when the window becomes active."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._shown is not None:
            self._shown.session.disk.look()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close all tabs, unless the user cancels for the sake of unsaved changes: then all stay open."""
        for window in self.windows:
            window.desk.presentation.end()
        if not self._may_leave():
            event.ignore()
            return
        paths = [window.session.path for window in self.windows if not window.views.on_welcome()]
        self._preferences.set_blob("geometry", self.saveGeometry())
        self.beside.keep()
        self.beside.end()
        reopening.keep_open(self._preferences, [path for path in paths if path is not None])
        self.hide()
        for dialog in self.shared_dialogs.values():
            dialog.close()
        for window in (*self._spare, *(one for one in self.windows if one is not self._shown)):
            window.shut(keeps_layout=False)
        if self._shown is not None:
            self._shown.shut(keeps_layout=True)
        event.accept()

    def _may_leave(self) -> bool:
        """Whether all designs are saved, or their changes may be lost; one question names all that are not."""
        unsaved = [window for window in self.windows if window.session.dirty]
        if len(unsaved) > 1:
            answer = self.current.desk.questions.several_unsaved([_described(window.session) for window in unsaved])
            if answer != "save":
                return answer == "discard"
        for window in unsaved:
            _bring(self, window)
            if not (saving.save(window.desk, at_once=True) if len(unsaved) > 1 else _may_leave(window)):
                return False
        return True


def _bring(tabs: TabWindow, window: MainWindow) -> None:
    """Bring the tab of that window to the front."""
    tabs.bar.setCurrentIndex(tabs.windows.index(window))


def _pop_up(menu: QMenu | None, at: QPoint) -> None:
    if menu is not None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)


def _described(session: Session) -> str:
    """ "Untitled 2: 12 devices, not saved to a file yet"."""
    size = format_counted(len(session.design.devices), "device")
    return f"{session.name}: {size}, {'not saved to a file yet' if session.path is None else session.path.parent}"


def _may_leave(window: MainWindow) -> bool:
    """Whether the design is saved, or its changes may be lost."""
    leaving: list[bool] = []
    saving.leave_document(window.desk, lambda: leaving.append(True))
    return bool(leaving)


def _number_alike(session: Session, windows: list[MainWindow], numbered: dict[Session, str], *, renumber: bool) -> None:
    """Number a design without a file, if another has its name; it keeps a number that it has, unless `renumber`."""
    taken = {one.session.name for one in windows if one.session is not session}
    before, own = session.name, session.design.name
    is_same = numbered.get(session) == own and not renumber
    if session.path is not None or (is_same and before not in taken):
        return
    numbered[session], session.number = own, 1
    while session.name in taken:
        session.number += 1
    if session.name != before:
        session.path_changed.emit()
