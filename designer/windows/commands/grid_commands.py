"""Commands about the grid of the canvas, and what drags come into line with."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from designer.session.drafting import SPACINGS, written
from designer.windows.commands.actions import ActionRow
from designer.windows.desk import Desk

GRID = "Grid and Snapping"
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


ROWS: tuple[ActionRow, ...] = (
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
