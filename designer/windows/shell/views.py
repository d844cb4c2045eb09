"""The views of the design in the middle of the window, one of them in front, and the welcome screen."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QStackedWidget

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
from designer.windows.shell import pane_layout
from designer.windows.shell.canvases import Canvases
from designer.windows.shell.matrix_bar import MatrixBar
from designer.windows.shell.minimap import Minimap
from designer.windows.shell.pane import Pane
from designer.windows.shell.pane_grid import LAYOUT, PaneGrid
from designer.windows.shell.pane_layout import SECOND, PaneLayout
from designer.windows.shell.welcome import WelcomeScreen
from designer.windows.shell.whereabouts import Whereabouts

View = CanvasView | FloorView | ElevationView | MatrixView


MINIMAP, SHOWN = "minimap", "shown"
CRUMBS, HIDDEN = "breadcrumbs", "hidden"
MOST_REVEALED = 200
"""Of a larger selection something is in sight anyway."""


class Views(QStackedWidget):
    """`switched` says that another is in front, `tool_chosen` that the mouse has another tool, `made` a new view.

    There may be two canvases; `canvas` is the one last at work. The second is made when it is first wanted.
    """

    switched = Signal()
    tool_chosen = Signal()
    made = Signal(object)

    def __init__(self, session: Session, appearance: Appearance, preferences: Preferences) -> None:
        super().__init__()
        self._session = session
        self._appearance = appearance
        self.tool = "select"
        self.welcome = WelcomeScreen(appearance, preferences)
        self.canvases = Canvases(session)
        first = self.canvases.first
        self.minimap = Minimap(first, preferences)
        self.floor = FloorView(session)
        self.elevation = ElevationView(session)
        self.matrix = MatrixView(session, first.fabric)
        self.matrix_bar = MatrixBar(self.matrix, preferences)
        self.named: dict[str, View] = {
            CANVAS: first,
            FLOOR: self.floor,
            ELEVATION: self.elevation,
            MATRIX: self.matrix,
        }
        self.all: tuple[View, ...] = tuple(self.named.values())
        self.bookmark = ""
        """The id of the bookmark that was opened last."""
        self.panes = {name: Pane(name, view, appearance) for name, view in self.named.items()}
        self.whereabouts = Whereabouts(session, self.panes.values(), first, self)
        self._preferences = preferences
        self.has_crumbs, self._has_bars = preferences.text(CRUMBS) != HIDDEN, True
        if SECOND in pane_layout.read(preferences.text(LAYOUT)).names:
            self._add_second()
        self.grid = PaneGrid(self.panes, preferences)
        self.pane = self.grid.layout_shown.names[0]
        """The name of the pane in front, as layouts have it."""
        for widget in (self.welcome, self.grid):
            self.addWidget(widget)
        self.minimap.setVisible(preferences.text(MINIMAP) == SHOWN and not self.minimap.is_in_panel)
        for name, pane in self.panes.items():
            if name != SECOND:
                self._connect_pane(name, pane)
        self.grid.arranged.connect(self._mark_panes)
        self.grid.arranged.connect(self.whereabouts.refresh)
        self.switched.connect(self.whereabouts.refresh)
        session.selection_changed.connect(self._reveal_elsewhere)
        self._mark_panes()
        for done in (first.annotated, self.floor.furnished):
            done.connect(lambda: self.choose_tool("select"))
        self._fit_later = later(self, 0, self.canvases.fit)
        appearance.changed.connect(self._show_theme)
        self._show_theme()

    @property
    def canvas(self) -> CanvasView:
        """The canvas; of two the one last at work."""
        return self.canvases.at_work

    @property
    def current(self) -> View:
        """The view of the design that commands are about: of several that are seen, the one last at work."""
        return self.named[self.pane]

    def show_canvas(self) -> None:
        """Bring the canvas to the front."""
        self.show_view(self.canvas)

    def show_view(self, view: View) -> None:
        """Bring one of the views of the design to the front: where it is seen, else in place of the current one.

        It has the keyboard where nothing had it, or what goes out of sight, which leaves it to the catalog's search.
        """
        held = self.window().focusWidget()
        left = self.welcome if self.on_welcome() else self.panes[self.pane]
        is_held = held is left or left.isAncestorOf(held) if held is not None else self.on_welcome()
        name = next(name for name, one in self.named.items() if one is view)
        if name not in self.layout_shown.names:
            self.grid.arrange(self.layout_shown.with_view(self.pane, name))
        self._activate(name)
        self.setCurrentWidget(self.grid)
        if is_held and not left.isVisible():
            self.current.setFocus(Qt.FocusReason.OtherFocusReason)
        self._mark_panes()
        self.switched.emit()

    @property
    def name(self) -> str:
        """What bookmarks and options call the view in front: a canvas is one, whichever of the two."""
        return CANVAS if self.pane == SECOND else self.pane

    def show_named(self, name: str) -> None:
        """Bring the view of that name to the front; of two canvases the one last at work."""
        self.show_view(self.canvas if name == CANVAS else self.named[name])

    def show_welcome(self) -> None:
        """Bring the welcome screen to the front, its lists up to date."""
        self.setCurrentWidget(self.welcome)
        self.switched.emit()
        self.welcome.refresh()
        self.welcome.setFocus()

    def on_welcome(self) -> bool:
        """Whether the welcome screen is in front."""
        return self.currentWidget() is self.welcome

    def show_bars(self, shown: bool) -> None:
        """Show the lines over the panes, as far as they are wanted, or none."""
        self._has_bars = shown
        self._mark_panes()

    def show_minimap(self, shown: bool) -> None:
        """Show the minimap on the canvas, or hide it, now and in later sessions."""
        self.minimap.setVisible(shown)
        self._preferences.set_text(MINIMAP, SHOWN if shown else "")

    # -- panes ----------------------------------------------------------------------------------------------------

    @property
    def layout_shown(self) -> PaneLayout:
        """Which views are seen, and where."""
        return self.grid.layout_shown

    def split(self, *, down: bool = False) -> None:
        """Show the next view that is not seen next to the current one, or below it."""
        layout, new = self.layout_shown, next(iter(self.layout_shown.missing), "")
        if new:
            made = layout.split_down(self.pane, new) if down else layout.split_right(self.pane, new)
            self._rearrange(made, new)

    def close_pane(self, name: str = "") -> None:
        """Close the pane of that view, or the current one; the last one stays."""
        name = name or self.pane
        left = self.layout_shown.without(name)
        self._rearrange(left, self.pane if self.pane in left.names else left.names[0])

    def show_layout(self, layout: PaneLayout, active: str = "") -> None:
        """Show just these views; the current one stays current where it is among them, and no other is asked for."""
        active = active or self.pane
        self._rearrange(layout, active if active in layout.names else layout.names[0])

    def show_crumbs(self, shown: bool) -> None:
        """Show where one is over the view, or leave that out, now and in later sessions."""
        self.has_crumbs = shown
        self._preferences.set_text(CRUMBS, "" if shown else HIDDEN)
        self._mark_panes()

    def go_inside(self, ids: Iterable[str]) -> None:
        """Select these and fill the current view with them; of none, show everything."""
        chosen = frozenset(ids)
        self._session.select(chosen)
        _show_layers_of(self._session, chosen)
        if chosen:
            self.current.zoom_onto(chosen)
        else:
            self.current.zoom_to_fit()

    def _rearrange(self, layout: PaneLayout, active: str) -> None:
        is_new = SECOND in layout.names and SECOND not in self.named
        if is_new:
            self._add_second()
        self.grid.arrange(layout)
        if is_new:
            self.canvases.look_alike()
        self.show_view(self.named[active])
        self.current.setFocus()

    def _add_second(self) -> None:
        """Have a second canvas from now on."""
        second = self.canvases.make_second()
        second.annotated.connect(lambda: self.choose_tool("select"))
        second.set_theme(self._appearance.theme)
        second.set_tool(self.tool)
        pane = Pane(SECOND, second, self._appearance)
        self.named[SECOND], self.panes[SECOND] = second, pane
        self.all = tuple(self.named.values())
        self._connect_pane(SECOND, pane)
        self.whereabouts.follow(pane, second)
        self.made.emit(second)

    def _activate(self, name: str) -> None:
        self.pane = name
        view = self.named[name]
        if isinstance(view, CanvasView):
            self.canvases.at_work = view
            self.whereabouts.look_at(view)

    def _connect_pane(self, name: str, pane: Pane) -> None:
        pane.view.installEventFilter(self)
        self.named[name].tool_left.connect(partial(self.choose_tool, "select"))
        pane.wanted.connect(lambda wanted: self._rearrange(self.layout_shown.with_view(name, wanted), wanted))
        pane.pressed.connect(partial(self._press, name))
        pane.crumbs.going.connect(partial(self._go_from, name))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The view that is clicked, or that gets the keyboard, is the current one."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            name = next((name for name, view in self.named.items() if view is watched), "")
            if name and name != self.pane and name in self.layout_shown.names:
                self._activate(name)
                self._mark_panes()
                self.switched.emit()
        return super().eventFilter(watched, event)

    def _mark_panes(self) -> None:
        names, has_other = self.layout_shown.names, self.grid.beside is not None
        is_alone = len(names) == 1 or not self._has_bars
        for name, pane in self.panes.items():
            pane.show_state(
                is_alone=is_alone,
                is_marked=name == self.pane and (has_other or not is_alone),
                has_bar=has_other or not is_alone or (self.has_crumbs and self._has_bars),
                may_split=bool(self.layout_shown.missing),
            )

    def _press(self, name: str, button: str) -> None:
        self.show_view(self.named[name])
        if button == "close":
            self.close_pane()
        else:
            self.split()

    def _go_from(self, name: str, ids: tuple[str, ...]) -> None:
        self.show_view(self.named[name])
        self.go_inside(ids)

    def _reveal_elsewhere(self) -> None:
        """What is selected in one pane comes into sight in the others, which keep their scale."""
        selection = self._session.selection
        if len(self.layout_shown.names) > 1 and 0 < len(selection) <= MOST_REVEALED:
            for name in self.layout_shown.names:
                if name != self.pane:
                    view = self.named[name]
                    view.reveal(selection if any(map(view.shows, selection)) else self._session.selected.lit)

    # -- going ----------------------------------------------------------------------------------------------------

    def show_whole(self) -> None:
        """Show all of a design that is new on the canvas, once that has its size; keys are for it from now on."""
        self.show_canvas()
        self.current.setFocus()  # or it goes from the welcome screen or the closed dialog to the catalog's search
        self._fit_later.start()

    def go_to(self, ids: frozenset[str], *, only_look: bool = False) -> None:
        """Select these and bring them into view; to `only_look`, show them on the canvas with nothing selected."""
        self._session.select(() if only_look else ids)
        _show_layers_of(self._session, ids)
        view = self.current
        if self._session.selected.is_on_floor:
            self.show_view(self.floor)
        elif only_look or isinstance(view, CanvasView) or not any(map(view.shows, self._session.selection)):
            self.show_canvas()
        self.current.zoom_to(ids if only_look else self._session.selection)

    def choose_tool(self, name: str) -> None:
        """Give the mouse a tool by name in every view; `tool_chosen` follows.

        The one in front has the last word on how it is used there.
        """
        self.tool = name
        for view in sorted(self.all, key=lambda view: view is self.current):
            view.set_tool(name)
        self.tool_chosen.emit()

    def _show_theme(self) -> None:
        for view in self.all:
            view.set_theme(self._appearance.theme)
        if self.minimap.isVisible():
            self.minimap.redraw()


def _show_layers_of(session: Session, ids: Iterable[str]) -> None:
    """Show the networks of these devices and links, where they are hidden."""
    design = session.design
    devices = (design.devices[one] for one in ids if one in design.devices and design.is_switch(one))
    links = (design.links[one] for one in ids if one in design.links)
    wanted = {network_of_switch(one) for one in devices} | {network_of_link(design, one) for one in links}
    session.hide_networks(session.hidden_networks - wanted)


def give_keyboard(views: Views) -> None:
    """Give the view in front the keyboard, as after a dialog, unless a list has it that goes on being used."""
    held = views.window().focusWidget()
    if views.isVisible() and not (isinstance(held, QAbstractItemView) and held.isVisible()):
        (views.welcome if views.on_welcome() else views.current).setFocus(Qt.FocusReason.OtherFocusReason)
