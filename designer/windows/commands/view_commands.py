"""Commands about what is seen: zoom, panels, theme, command palette."""

from collections.abc import Callable

from PySide6.QtCore import Qt

from designer.model.networks import NETWORKS, TITLES
from designer.panels.table_titles import TABS
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.edit_commands import something_selected
from designer.windows.desk import Desk
from designer.windows.shell.pane_layout import ALL_FOUR, SECOND, PaneLayout

VIEW = "View"


def zoom_in(desk: Desk) -> None:
    """Zoom the view in front in by one step."""
    desk.views.current.zoom_in()


def zoom_out(desk: Desk) -> None:
    """Zoom the view in front out by one step."""
    desk.views.current.zoom_out()


def zoom_reset(desk: Desk) -> None:
    """Show the view in front at its actual size."""
    desk.views.current.zoom_reset()


def zoom_fit(desk: Desk) -> None:
    """Show everything in the view in front."""
    desk.views.current.zoom_to_fit()


def zoom_selection(desk: Desk) -> None:
    """Bring the selection into the view in front, as large as fits."""
    desk.views.current.zoom_onto(desk.session.selection)


def focus_canvas(desk: Desk) -> None:
    """Show the canvas and give it the keyboard."""
    desk.views.show_canvas()
    desk.views.canvas.setFocus()


def show_floor(desk: Desk) -> None:
    """Show the floor plan and give it the keyboard."""
    desk.views.show_view(desk.views.floor)
    desk.views.floor.setFocus()


def show_elevation(desk: Desk) -> None:
    """Show the rack elevation and give it the keyboard."""
    desk.views.show_view(desk.views.elevation)
    desk.views.elevation.setFocus()


def show_matrix(desk: Desk) -> None:
    """Show the design as a matrix and give it the keyboard."""
    desk.views.show_view(desk.views.matrix)
    desk.views.matrix.setFocus()


def _seen(name: str) -> Callable[[Desk], bool]:
    return lambda desk: not desk.views.on_welcome() and desk.views.current is getattr(desk.views, name)


def command_palette(desk: Desk) -> None:
    """Show the command palette."""
    desk.show_commands()


def full_screen(desk: Desk) -> None:
    """Let the window fill the screen, or give it its size back."""
    window = desk.window.window()
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)  # maximized before, so after


def present(desk: Desk) -> None:
    """Show the drawing alone on the whole screen, or all that was there before."""
    presentation = desk.presentation
    if presentation.is_on:
        presentation.end()
        desk.notice.hide()
    else:
        presentation.begin()
        desk.notice.say("Esc or F11 ends the presentation")
    if desk.tabs is not None:
        desk.tabs.show_bar(not presentation.is_on)


def is_presenting(desk: Desk) -> bool:
    """Whether the drawing alone is shown."""
    return desk.presentation.is_on


@needs("Open or begin a design first.")
def _on_design(desk: Desk) -> bool:
    return not desk.views.on_welcome()


def is_full_screen(desk: Desk) -> bool:
    """Whether the window fills the screen."""
    return desk.window.window().isFullScreen()


def _panel(name: str) -> Callable[[Desk], None]:
    return lambda desk: desk.docks.toggle(name)


def _panel_shown(name: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.docks.shown(name)


def _theme(name: str) -> Callable[[Desk], None]:
    def choose(desk: Desk) -> None:
        desk.preferences.theme = name

    return choose


def _theme_is(name: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.preferences.theme == name


def _goto(name: str) -> Callable[[Desk], None]:
    return lambda desk: desk.docks.focus(name)


def _panel_rows(name: str, text: str, number: int | str) -> tuple[ActionRow, ActionRow]:
    return (
        ActionRow(f"goto.{name}", f"Go to {text}", f"Alt+{number}", "", run=_goto(name), menu="Panels"),
        ActionRow(
            f"panel.{name}",
            f"Show {text}",
            f"Ctrl+Alt+{number}",
            "",
            run=_panel(name),
            menu="Panels",
            checked=_panel_shown(name),
        ),
    )


def _table(title: str) -> Callable[[Desk], None]:
    def show(desk: Desk) -> None:
        desk.docks.show("tables")
        desk.docks.tables.show_table(title)

    return show


def _layer(network: str) -> Callable[[Desk], None]:
    def toggle(desk: Desk) -> None:
        desk.session.hide_networks(desk.session.hidden_networks ^ {network})

    return toggle


def _layer_shown(network: str) -> Callable[[Desk], bool]:
    return lambda desk: network not in desk.session.hidden_networks


def badges_shown(desk: Desk) -> bool:
    """Whether devices and links with findings carry badges."""
    return desk.session.badges_shown


def toggle_badges(desk: Desk) -> None:
    """Show badges at devices and links with findings, or hide them."""
    desk.session.show_badges(not desk.session.badges_shown)


def split_right(desk: Desk) -> None:
    """Show another view to the right of the current one."""
    desk.views.split()


def split_down(desk: Desk) -> None:
    """Show another view below the current one."""
    desk.views.split(down=True)


def close_pane(desk: Desk) -> None:
    """Close the pane of the current view."""
    desk.views.close_pane()


def all_views(desk: Desk) -> None:
    """Show canvas, matrix, floor plan and rack elevation at once."""
    desk.views.show_layout(ALL_FOUR)


def one_view(desk: Desk) -> None:
    """Show the current view alone."""
    desk.views.show_layout(PaneLayout(((desk.views.pane,),)))


def second_canvas(desk: Desk) -> None:
    """Show the canvas a second time, to the right, with a camera of its own; or go there."""
    views = desk.views
    if SECOND in views.layout_shown.names:
        views.show_view(views.named[SECOND])
    else:
        views.show_layout(views.layout_shown.split_right(views.pane, SECOND), SECOND)


@needs("Open a design first; with all four views open, there is none to add.")
def may_split(desk: Desk) -> bool:
    """Whether there is a view that is not seen."""
    return not desk.views.on_welcome() and bool(desk.views.layout_shown.missing)


@needs("Only one view is open.")
def is_split(desk: Desk) -> bool:
    """Whether several views are seen."""
    return not desk.views.on_welcome() and len(desk.views.layout_shown.names) > 1


def toggle_crumbs(desk: Desk) -> None:
    """Show where in the design one is over the view, or leave that out."""
    desk.views.show_crumbs(not desk.views.has_crumbs)


def _crumbs_shown(desk: Desk) -> bool:
    return desk.views.has_crumbs


def go_up(desk: Desk) -> None:
    """Select what contains the selection, or what is looked at, and fill the view with it."""
    above = desk.views.whereabouts.above(desk.views.name)
    if above is None:
        desk.notice.say("Nothing contains the design itself: select something in it first")
        return
    desk.views.go_inside(above)


def all_layers(desk: Desk) -> None:
    """Show the switches of all networks again."""
    desk.session.hide_networks(())


@needs("All networks are shown.")
def _some_hidden(desk: Desk) -> bool:
    return bool(desk.session.hidden_networks)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "view.command_palette",
        "Command Palette…",
        "Ctrl+K; Ctrl+Shift+P",
        "command",
        run=command_palette,
        menu=VIEW,
        hint="Find any command by typing part of its name",
    ),
    ActionRow("view.zoom_in", "Zoom In", "Ctrl++; Ctrl+=", "zoom-in", run=zoom_in, menu=VIEW),
    ActionRow("view.zoom_out", "Zoom Out", "Ctrl+-", "zoom-out", run=zoom_out, menu=VIEW),
    ActionRow("view.zoom_reset", "Actual Size", "Ctrl+0", "zoom-reset", run=zoom_reset, menu=VIEW),
    ActionRow("view.zoom_fit", "Zoom to Fit", "F", "zoom-fit", has_devices, zoom_fit, VIEW),
    ActionRow(
        "view.zoom_selection",
        "Zoom to Selection",
        "Shift+F",
        "zoom-selection",
        something_selected,
        zoom_selection,
        VIEW,
    ),
    ActionRow("view.canvas", "Canvas", "Alt+0", "link", run=focus_canvas, menu=VIEW, checked=_seen("canvas")),
    ActionRow(
        "view.floor",
        "Floor Plan",
        "Alt+8",
        "floor",
        run=show_floor,
        menu=VIEW,
        checked=_seen("floor"),
        hint="Racks in meters, rows, aisles and trays: drag racks to their places",
    ),
    ActionRow(
        "view.elevation",
        "Rack Elevation",
        "Alt+9",
        "rack",
        run=show_elevation,
        menu=VIEW,
        checked=_seen("elevation"),
        hint="Racks unit by unit, from the front or rear: drag devices between them",
    ),
    ActionRow(
        "view.matrix",
        "Matrix",
        "Ctrl+M",
        "matrix",
        run=show_matrix,
        menu=VIEW,
        checked=_seen("matrix"),
        hint="Leaf switches by spines, groups by groups and the like: load, links and findings in cells",
    ),
    ActionRow(
        "view.split_right",
        "Split Right",
        "Ctrl+\\",
        "split-right",
        may_split,
        split_right,
        VIEW,
        hint="Show another view to the right: canvas, matrix, floor plan and elevation share one selection",
    ),
    ActionRow("view.split_down", "Split Down", "Ctrl+Shift+\\", "", may_split, split_down, VIEW),
    ActionRow(
        "view.second_canvas",
        "Second Canvas",
        "Ctrl+Alt+\\",
        "",
        has_devices,
        second_canvas,
        VIEW,
        hint="The canvas once more, next to the first: an overview and a part of it from near, or two parts",
    ),
    ActionRow("view.close_pane", "Close Pane", "Ctrl+Shift+W", "", is_split, close_pane, VIEW),
    ActionRow("view.all_views", "All Four Views", "Ctrl+Alt+0", "", may_split, all_views, VIEW),
    ActionRow("view.one_view", "This View Alone", "Ctrl+Shift+0", "", is_split, one_view, VIEW),
    ActionRow(
        "view.up",
        "Go Up One Level",
        "Shift+Return",
        "",
        has_devices,
        go_up,
        VIEW,
        hint="From a device to its rack or group, from there to what is around it, and at last to the whole design",
    ),
    ActionRow(
        "view.breadcrumbs",
        "Breadcrumbs",
        "",
        "",
        run=toggle_crumbs,
        menu=VIEW,
        checked=_crumbs_shown,
        hint="Over the view, say where in the design the selection is; a click on a step goes there",
    ),
    *_panel_rows("palette", "Palette", 1),
    *_panel_rows("outline", "Outline", "O"),
    *_panel_rows("inspector", "Inspector", 2),
    *_panel_rows("simulation", "Simulation", 3),
    *_panel_rows("findings", "Findings", 4),
    *_panel_rows("studies", "Studies", 5),
    *_panel_rows("failures", "Failures", 6),
    *_panel_rows("paths", "Path List", 7),
    *_panel_rows("comparison", "Comparison", "Y"),
    *_panel_rows("tables", "Tables", "L"),
    *(
        ActionRow(
            f"tables.{title.lower()}",
            f"{title} in a Table",
            "",
            "",
            run=_table(title),
            menu="Panels",
            hint=f"List all {title.lower()} of the design: sorted, filtered by an expression, copied and saved",
        )
        for title in TABS
    ),
    *(
        ActionRow(
            f"layer.{network}",
            f"{TITLES[network]} Network",
            "",
            "",
            run=_layer(network),
            menu="Layers",
            checked=_layer_shown(network),
            hint="Show or hide the switches of this network and what is connected to them",
        )
        for network in NETWORKS
    ),
    ActionRow("layer.all", "Show All Networks", "", "", _some_hidden, all_layers, "Layers"),
    ActionRow(
        "layer.badges",
        "Finding Badges",
        "",
        "",
        run=toggle_badges,
        menu="Layers",
        checked=badges_shown,
        hint="Mark devices and links that have errors or warnings, on screen and in diagrams",
    ),
    ActionRow("theme.system", "System Theme", "", "", run=_theme("system"), menu="Theme", checked=_theme_is("system")),
    ActionRow("theme.light", "Light Theme", "", "", run=_theme("light"), menu="Theme", checked=_theme_is("light")),
    ActionRow("theme.dark", "Dark Theme", "", "", run=_theme("dark"), menu="Theme", checked=_theme_is("dark")),
    ActionRow(
        "view.presentation",
        "Presentation",
        "F11",
        "",
        _on_design,
        present,
        VIEW,
        checked=is_presenting,
        hint="Show the drawing alone on the whole screen; Esc, or the same again, brings everything back",
    ),
    ActionRow("view.full_screen", "Full Screen", "Shift+F11", "", run=full_screen, menu=VIEW, checked=is_full_screen),
)
