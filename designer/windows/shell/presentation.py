"""The drawing alone on the whole screen, for an audience; afterwards all is where it was."""

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar

from designer.session.document import Document
from designer.session.timers import later
from designer.windows.shell.views import Views

STATE_VERSION = 1
SETTLE_MS = 250
"""After that a window has its size back, and docks keep the sizes they are given."""


class Presentation:
    """Of the window of one design."""

    def __init__(self, window: QMainWindow, views: Views, document: Document) -> None:
        self._window, self._views, self._document = window, views, document
        self._had_badges = document.badges_shown
        self._layout = QByteArray()
        self._was_full = False
        self._size = QSize()
        self._again = later(window, SETTLE_MS, self._lay_out)
        self.is_on = False

    def begin(self) -> None:
        """Hide panels, bars, menus and the badges of findings, and fill the screen."""
        if self.is_on:
            return
        window, top = self._window, self._window.window()
        self._again.stop()
        self._layout, self._size = window.saveState(STATE_VERSION), window.size()
        self.is_on, self._was_full = True, top.isFullScreen()
        for part in (*window.findChildren(QDockWidget), *window.findChildren(QToolBar)):
            part.hide()
        self._show_bars(shown=False)
        self._had_badges = self._document.badges_shown
        self._document.show_badges(False)
        if not self._was_full:
            top.setWindowState(top.windowState() | Qt.WindowState.WindowFullScreen)

    def end(self) -> None:
        """Show all again that was shown, as large as it was."""
        if self.is_on:
            top = self._window.window()
            if not self._was_full:
                top.setWindowState(top.windowState() & ~Qt.WindowState.WindowFullScreen)
            self.pause()

    def pause(self) -> None:
        """Show all again, on a screen that stays full: another design is presented next."""
        self.is_on = False
        self._document.show_badges(self._had_badges)
        self._show_bars(shown=True)
        self._window.restoreState(self._layout, STATE_VERSION)
        self._again.start()

    def _lay_out(self) -> None:
        """Once more: the window manager may have given the window its size only now."""
        if self._window.size() == self._size:
            self._window.restoreState(self._layout, STATE_VERSION)

    def _show_bars(self, *, shown: bool) -> None:
        self._window.menuBar().setVisible(shown)
        self._window.statusBar().setVisible(shown)
        self._views.show_bars(shown)
