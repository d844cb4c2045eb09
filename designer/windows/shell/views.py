"""The views of the design in the middle of the window, one of them in front, and the welcome screen."""

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from designer.canvas.matrix.view import MatrixView
from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.canvas.view import CanvasView
from designer.model.bookmark import CANVAS, ELEVATION, FLOOR, MATRIX
from designer.model.networks import network_of_link, network_of_switch
from designer.panels.widgets.appearance import Appearance
from designer.session.preferences import Preferences
from designer.session.session import Session
from designer.session.timers import later
from designer.windows.shell.matrix_bar import MatrixBar
from designer.windows.shell.minimap import Minimap
from designer.windows.shell.welcome import WelcomeScreen

View = CanvasView | FloorView | ElevationView | MatrixView


MINIMAP, SHOWN = "minimap", "shown"


class Views(QStackedWidget):
    """`switched` says that another is in front, `tool_chosen` that the mouse has another tool."""

    switched = Signal()
    tool_chosen = Signal()

    def __init__(self, session: Session, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.tool = "select"
        self.welcome = WelcomeScreen(appearance, preferences)
        self.canvas = CanvasView(session)
        self.minimap = Minimap(self.canvas)
        self.floor = FloorView(session)
        self.elevation = ElevationView(session)
        self.matrix = MatrixView(session, self.canvas.fabric)
        self.matrix_bar = MatrixBar(self.matrix)
        self.named: dict[str, View] = {
            CANVAS: self.canvas,
            FLOOR: self.floor,
            ELEVATION: self.elevation,
            MATRIX: self.matrix,
        }
        self.all: tuple[View, ...] = tuple(self.named.values())
        self.bookmark = ""
        """The id of the bookmark that was gone to last."""
        for widget in (self.welcome, *self.all):
            self.addWidget(widget)
        self.minimap.setVisible(preferences.text(MINIMAP) == SHOWN)
        self._preferences = preferences
        self.canvas.annotated.connect(lambda: self.choose_tool("select"))
        self._fit_later = later(self, 0, self.canvas.zoom_to_fit)
        appearance.changed.connect(self._show_theme)
        self._show_theme()

    @property
    def current(self) -> View:
        """The view of the design that is seen; the canvas behind the welcome screen."""
        seen = self.currentWidget()
        return seen if isinstance(seen, FloorView | ElevationView | MatrixView) else self.canvas

    def show_canvas(self) -> None:
        """Bring the canvas to the front."""
        self.show_view(self.canvas)

    def show_view(self, view: View) -> None:
        """Bring one of the views of the design to the front."""
        self.setCurrentWidget(view)
        self.switched.emit()

    @property
    def name(self) -> str:
        """What bookmarks and options call the view in front."""
        return next(name for name, view in self.named.items() if view is self.current)

    def show_named(self, name: str) -> None:
        """Bring the view of that name to the front."""
        self.show_view(self.named[name])

    def show_welcome(self) -> None:
        """Bring the welcome screen to the front, its lists up to date."""
        self.setCurrentWidget(self.welcome)
        self.switched.emit()
        self.welcome.refresh()
        self.welcome.setFocus()

    def on_welcome(self) -> bool:
        """Whether the welcome screen is in front."""
        return self.currentWidget() is self.welcome

    def show_minimap(self, shown: bool) -> None:
        """Show the minimap on the canvas, or hide it, now and in later sessions."""
        self.minimap.setVisible(shown)
        self._preferences.set_text(MINIMAP, SHOWN if shown else "")

    def fit_later(self) -> None:
        """Zoom to fit once the canvas has its size."""
        self._fit_later.start()

    def go_to(self, ids: frozenset[str]) -> None:
        """Select these and bring them into view."""
        self._session.select(ids)
        self._show_layers_of(ids)
        view = self.current
        if isinstance(view, CanvasView) or not any(map(view.shows, self._session.selection)):
            self.show_canvas()
        self.current.zoom_to(self._session.selection)

    def choose_tool(self, name: str) -> None:
        """Give the mouse a tool by name in every view; `tool_chosen` follows."""
        self.tool = name
        for view in self.all:
            view.set_tool(name)
        self.tool_chosen.emit()

    def _show_layers_of(self, ids: Iterable[str]) -> None:
        """Show the networks of these devices and links, where they are hidden."""
        session, design = self._session, self._session.design
        devices = (design.devices[one] for one in ids if one in design.devices and design.is_switch(one))
        links = (design.links[one] for one in ids if one in design.links)
        wanted = {network_of_switch(one) for one in devices} | {network_of_link(design, one) for one in links}
        session.hide_networks(session.hidden_networks - wanted)

    def _show_theme(self) -> None:
        for view in self.all:
            view.set_theme(self._appearance.theme)
        if self.minimap.isVisible():
            self.minimap.redraw()
