"""Commands about what is seen: zoom, panels, theme, command palette."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from designer.model.networks import NETWORKS, TITLES, network_of_link, network_of_switch
from designer.windows.commands.actions import ActionRow
from designer.windows.commands.document_commands import has_devices
from designer.windows.commands.edit_commands import something_selected

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

VIEW = "View"


def zoom_in(window: "MainWindow") -> None:
    window.view.zoom_in()


def zoom_out(window: "MainWindow") -> None:
    window.view.zoom_out()


def zoom_reset(window: "MainWindow") -> None:
    window.view.zoom_reset()


def zoom_fit(window: "MainWindow") -> None:
    window.view.zoom_to_fit()


def zoom_selection(window: "MainWindow") -> None:
    window.view.zoom_onto(window.session.selection)


def focus_canvas(window: "MainWindow") -> None:
    window.show_canvas()
    window.canvas.setFocus()


def show_floor(window: "MainWindow") -> None:
    window.show_view(window.floor)
    window.floor.setFocus()


def show_elevation(window: "MainWindow") -> None:
    window.show_view(window.elevation)
    window.elevation.setFocus()


def _seen(name: str) -> Callable[["MainWindow"], bool]:
    return lambda window: not window.on_welcome() and window.view is getattr(window, name)


def command_palette(window: "MainWindow") -> None:
    window.show_command_palette()


def full_screen(window: "MainWindow") -> None:
    if window.isFullScreen():
        window.showNormal()
    else:
        window.showFullScreen()


def is_full_screen(window: "MainWindow") -> bool:
    return window.isFullScreen()


def _panel(name: str) -> Callable[["MainWindow"], None]:
    return lambda window: window.toggle_panel(name)


def _panel_shown(name: str) -> Callable[["MainWindow"], bool]:
    return lambda window: window.panel_shown(name)


def _theme(name: str) -> Callable[["MainWindow"], None]:
    def choose(window: "MainWindow") -> None:
        window.preferences.theme = name

    return choose


def _theme_is(name: str) -> Callable[["MainWindow"], bool]:
    return lambda window: window.preferences.theme == name


def _goto(name: str) -> Callable[["MainWindow"], None]:
    return lambda window: window.focus_panel(name)


def _panel_rows(name: str, text: str, number: int) -> tuple[ActionRow, ActionRow]:
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


def _layer(network: str) -> Callable[["MainWindow"], None]:
    def toggle(window: "MainWindow") -> None:
        window.session.hide_networks(window.session.hidden_networks ^ {network})

    return toggle


def _layer_shown(network: str) -> Callable[["MainWindow"], bool]:
    return lambda window: network not in window.session.hidden_networks


def badges_shown(window: "MainWindow") -> bool:
    return window.session.badges_shown


def toggle_badges(window: "MainWindow") -> None:
    window.session.show_badges(not window.session.badges_shown)


def all_layers(window: "MainWindow") -> None:
    window.session.hide_networks(())


def _some_hidden(window: "MainWindow") -> bool:
    return bool(window.session.hidden_networks)


def show_layers_of(window: "MainWindow", ids: Iterable[str]) -> None:
    """Show the networks of these devices and links, where they are hidden."""
    design, session = window.session.design, window.session
    wanted = {network_of_switch(design.devices[one]) for one in ids if one in design.devices and design.is_switch(one)}
    wanted |= {network_of_link(design, design.links[one]) for one in ids if one in design.links}
    session.hide_networks(session.hidden_networks - wanted)


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
        hint="Racks in metres, rows, aisles and trays: drag racks to their places",
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
    *_panel_rows("palette", "Palette", 1),
    *_panel_rows("inspector", "Inspector", 2),
    *_panel_rows("simulation", "Simulation", 3),
    *_panel_rows("findings", "Findings", 4),
    *_panel_rows("studies", "Studies", 5),
    *_panel_rows("failures", "Failures", 6),
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
    ActionRow("view.full_screen", "Full Screen", "F11", "", run=full_screen, menu=VIEW, checked=is_full_screen),
)
