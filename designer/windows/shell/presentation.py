"""The drawing alone on the whole screen, for an audience; afterwards all is where it was."""

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontInfo, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QMainWindow, QToolBar

from designer.canvas.camera_view import CameraView
from designer.canvas.stage_view import StageView
from designer.drawing.camera import Camera
from designer.model.edit import Edit
from designer.model.settings import UNTITLED, Settings
from designer.panels.widgets.labels import label
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.shell.views import Views

STATE_VERSION = 1
SETTLE_MS = 250
"""After that a window has its size back, and docks keep the sizes they are given."""
USUAL_SCREEN_PX = 1280.0, 800.0
MOST_LARGER = 2.0
"""So many times as large as at the desk is what is drawn on a large screen."""


class TitleStrip(QFrame):
    """The name of the design over the drawing, with the project and customer of its title block."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setProperty("surface", "pane-bar")
        self.name, self.details = label("", "heading"), label("", "muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 8, 16, 8)
        line.setSpacing(16)
        line.addWidget(self.name)
        line.addWidget(self.details, 1)
        self.hide()

    def show_title(self, letters: QFont) -> None:
        """Show what the design and its title block say now; nothing of a design without a name."""
        settings = self._session.design.settings
        details = [one for one in (settings.project, settings.customer) if one]
        heading = QFont(letters)
        heading.setBold(True)
        for shown, font, text in (
            (self.name, heading, self._session.design.name),
            (self.details, letters, " · ".join(details)),
        ):
            shown.setStyleSheet(f"font-size: {QFontInfo(font).pixelSize()}px")  # over that of the program
            shown.setText(text)
        self.setVisible(bool(details) or self._session.design.name != UNTITLED)


class Presentation(QObject):
    """Of the window of one design."""

    left = Signal()
    """Esc, with no gesture under way, asks for the end."""

    def __init__(self, window: QMainWindow, views: Views, session: Session) -> None:
        super().__init__(window)
        self._window, self._views, self._session = window, views, session
        self._had_badges = session.badges_shown
        self._layout = QByteArray()
        self._was_full = False
        self._size = QSize()
        self._moved: dict[CameraView, Camera] = {}
        """Where views were that showed all, but not as large as it fits: they are fitted meanwhile."""
        self._again = later(window, SETTLE_MS, self._lay_out)
        self.title = TitleStrip(session)
        session.changed.connect(self._follow)
        self.is_on = False

    def begin(self) -> None:
        """Hide panels, bars, menus, dots and the badges of findings, and fill the screen with larger letters.

        What links would carry with a change that is not made is not shown any more.
        """
        if self.is_on:
            return
        window, top = self._window, self._window.window()
        self._again.stop()
        self._layout, self._size = window.saveState(STATE_VERSION), window.size()
        self.is_on, self._was_full = True, top.isFullScreen()
        for part in (*window.findChildren(QDockWidget), *window.findChildren(QToolBar)):
            part.hide()
        self._show_bars(shown=False)
        self._had_badges = self._session.badges_shown
        self._session.show_badges(False)
        self._session.drafting.hide_grid(True)
        letters = self._letters()
        for view in self._camera_views():
            view.subject.session.workbench.heat_view.end_preview()  # an audience sees loads of what is drawn
            self._fit(view)
            view.setFont(letters)
            view.installEventFilter(self)
        self.title.show_title(letters)
        self._views.current.setFocus()
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
        self._session.show_badges(self._had_badges)
        self._session.drafting.hide_grid(False)
        for view in self._camera_views():
            view.removeEventFilter(self)
            view.setFont(QFont())
        self.title.hide()
        self._show_bars(shown=True)
        self._window.restoreState(self._layout, STATE_VERSION)
        self._again.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc ends a presentation; the gesture under way first, where there is one."""
        is_escape = (
            isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape
        )
        if self.is_on and is_escape and isinstance(watched, StageView) and not watched.gesture.active:
            self.left.emit()
            return True
        return super().eventFilter(watched, event)

    def _fit(self, view: CameraView) -> None:
        """Fit what is all in sight, though it is not fitted."""
        bounds = view.subject.bounds()
        if view.isVisible() and not view.shows_all and bounds and view.camera.shows(bounds, *view.extent):
            self._moved[view] = view.camera
            view.zoom_to_fit(when_seen=True)

    def _letters(self) -> QFont:
        """The letters of the program, larger on a larger screen: drawings grow with them."""
        screen, font = self._window.screen().size(), QFont(self._window.font())
        larger = min(screen.width() / USUAL_SCREEN_PX[0], screen.height() / USUAL_SCREEN_PX[1], MOST_LARGER)
        font.setPixelSize(round(QFontInfo(font).pixelSize() * max(1.0, larger)))
        return font

    def _camera_views(self) -> list[CameraView]:
        """All views of the window, that of a design beside among them."""
        return self._views.findChildren(CameraView)

    def _follow(self, edit: Edit) -> None:
        if self.is_on and Settings in edit.kinds:
            self.title.show_title(self._letters())

    def _lay_out(self) -> None:
        """Once more: the window manager may have given the window its size only now."""
        if self._window.size() == self._size:
            self._window.restoreState(self._layout, STATE_VERSION)
        for view, camera in self._moved.items():
            if view.shows_all:  # nobody has moved it meanwhile
                view.move_camera(camera)
        self._moved.clear()

    def _show_bars(self, *, shown: bool) -> None:
        self._window.menuBar().setVisible(shown)
        self._window.statusBar().setVisible(shown)
        self._views.show_bars(shown)
