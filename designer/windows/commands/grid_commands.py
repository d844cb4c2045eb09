"""Commands about what the canvas helps with: its grid, what drags come into line with, and the minimap."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from designer.session.drafting import SPACINGS, written
from designer.windows.commands.actions import ActionRow
from designer.windows.desk import Desk
from designer.windows.shell.minimap import CORNERS, PANEL

GRID, MINIMAP_POSITION = "Grid and Snapping", "Minimap Position"
SETTING = "canvas/drafting"


def _choose(desk: Desk, **values: Any) -> None:
    choice = desk.session.drafting
    choice.choose(replace(choice.now, **values))
    desk.preferences.set_text(SETTING, written(choice.now))


def _toggle(name: str) -> Callable[[Desk], None]:
    return lambda desk: _choose(desk, **{name: not getattr(desk.session.drafting.now, name)})


def _is_on(name: str) -> Callable[[Desk], bool]:
    return lambda desk: bool(getattr(desk.session.drafting.now, name))


def _space(spacing: int) -> Callable[[Desk], None]:
    return lambda desk: _choose(desk, spacing=spacing)


def _spacing_is(spacing: int) -> Callable[[Desk], bool]:
    return lambda desk: desk.session.drafting.now.spacing == spacing


def _switch(action_id: str, text: str, keys: str, name: str, hint: str = "") -> ActionRow:
    return ActionRow(action_id, text, keys, "", run=_toggle(name), menu=GRID, checked=_is_on(name), hint=hint)


def toggle_minimap(desk: Desk) -> None:
    """Show the minimap in its corner of the canvas or in its panel, or hide it."""
    minimap = desk.views.minimap
    if minimap.is_in_panel:
        desk.docks.toggle("minimap")
    elif minimap.parentWidget() is not desk.views.canvas:  # another tab has put it into a corner meanwhile
        _put_minimap(minimap.place)(desk)
    else:
        desk.views.show_minimap(minimap.isHidden())


def _minimap_shown(desk: Desk) -> bool:
    minimap = desk.views.minimap
    return desk.docks.shown("minimap") if minimap.is_in_panel else not minimap.isHidden()


def _put_minimap(place: str) -> Callable[[Desk], None]:
    def put(desk: Desk) -> None:
        if place == PANEL:
            desk.docks.show("minimap")
        else:
            desk.docks.give_back_minimap(place)
            desk.views.show_minimap(True)

    return put


def _minimap_is(place: str) -> Callable[[Desk], bool]:
    return lambda desk: _minimap_shown(desk) and desk.views.minimap.place == place


def _place(place: str, text: str, hint: str) -> ActionRow:
    action_id, run = f"minimap.{place}", _put_minimap(place)
    return ActionRow(action_id, text, "", "", run=run, menu=MINIMAP_POSITION, checked=_minimap_is(place), hint=hint)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "view.minimap",
        "Minimap",
        "M",
        "",
        run=toggle_minimap,
        menu="View",
        checked=_minimap_shown,
        hint="All of the drawing in a corner of the canvas or in a panel: drag there to go elsewhere",
    ),
    *(
        _place(name, f"Minimap at {title}", "Show the minimap in that corner of the canvas")
        for name, (title, *_) in CORNERS.items()
    ),
    _place(PANEL, "Minimap in a Panel", "Show the minimap next to the drawing, as large as you make it"),
    _switch("grid.show", "Show Grid", "Ctrl+'", "grid_shown"),
    _switch("grid.snap", "Snap to Grid", "Ctrl+Shift+'", "to_grid", "Drags end on the grid, shown or not"),
    _switch("grid.neighbours", "Snap to Neighbors", "", "to_neighbours", "Drags come into line with devices in view"),
    *(
        ActionRow(
            f"grid.spacing_{spacing}",
            f"Grid Spacing {spacing}",
            "",
            "",
            run=_space(spacing),
            menu=GRID,
            checked=_spacing_is(spacing),
            hint="In units of the canvas; a switch is 120 wide and 44 high",
        )
        for spacing in SPACINGS
    ),
)
