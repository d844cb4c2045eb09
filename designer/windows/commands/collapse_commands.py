"""Commands that draw many devices as one box, and each for itself again."""

from collections.abc import Callable
from itertools import islice

from designer.model import collapsing
from designer.model.design import Design
from designer.model.edit import Edit
from designer.placement.layouts import closing
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.edit_commands import something_selected
from designer.windows.desk import Desk

VIEW = "View"
MOST_LOOKED_AT = 2000
"""Of a larger selection, to see whether there is anything to expand."""


def _on_selection(verb: Callable[[Design, list[str]], Edit]) -> Callable[[Desk], None]:
    """A command on what is selected; the boxes that it is drawn in then are selected, as by clicks on them."""

    def run(desk: Desk) -> None:
        session = desk.session
        if session.attempt(lambda: verb(session.design, sorted(session.selection))):
            session.select([*desk.views.canvas.fabric.boxed(session.selection)] or session.selection)

    return run


def _on_all(what: str, verb: Callable[[Design], Edit]) -> Callable[[Desk], None]:
    """A command on everything that is drawn, for which a worker looks at very many devices."""

    def run(desk: Desk) -> None:
        session = desk.session
        n_devices = len(session.design.devices)
        session.large_edits.attempt(f"{what} {format_counted(n_devices, 'device')}", n_devices, verb)

    return run


@needs("Nothing is collapsed.")
def some_collapsed(desk: Desk) -> bool:
    """Whether anything in the design is collapsed."""
    return bool(collapsing.collapsed_keys(desk.session.design))


def _is_collapsed(desk: Desk) -> bool:
    """Whether anything selected is collapsed, or drawn as part of such a box."""
    design, selection = desk.session.design, desk.session.selection
    if not selection or not some_collapsed(desk):
        return False
    return any(collapsing.is_expandable(design, one) for one in islice(selection, MOST_LOOKED_AT))


def _is_closed_from_afar(desk: Desk) -> bool:
    """Whether what is selected is one box on the canvas because it is far away."""
    canvas, selection = desk.views.canvas, desk.session.selection
    levels, is_known = canvas.fabric.levels, canvas.fabric.levels.of is canvas.fabric.composition
    return bool(selection) and is_known and levels.is_closed_at(selection, canvas.camera.scale)


@needs("Select something that is drawn as one box.")
def expandable(desk: Desk) -> bool:
    """Whether what is selected is drawn as one box, or as part of one that is collapsed."""
    return _is_collapsed(desk) or _is_closed_from_afar(desk)


def expand(desk: Desk) -> None:
    """Draw what was collapsed each for itself again; go near to what is a box because it is far away."""
    if _is_collapsed(desk):
        _on_selection(closing.expand)(desk)
    else:
        desk.views.show_canvas()
        desk.views.canvas.zoom_onto(desk.session.selection)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "view.collapse",
        "Collapse",
        "K",
        "collapse",
        something_selected,
        _on_selection(collapsing.collapse),
        VIEW,
        hint="Draw the selected group or rack as one box with its counts; devices collapse with what they are in",
    ),
    ActionRow(
        "view.expand",
        "Expand",
        "Shift+K",
        "expand",
        expandable,
        expand,
        VIEW,
        hint="Draw what is in the selected box again; double-clicking the box, or clicking its plus, does the same",
    ),
    ActionRow(
        "view.collapse_role",
        "Collapse This Role",
        "",
        "",
        something_selected,
        _on_selection(collapsing.collapse_role),
        VIEW,
        hint="Draw the devices of the same role in the same group as one box: all servers of a unit",
    ),
    ActionRow(
        "view.collapse_kind",
        "Collapse All of This Kind",
        "Alt+K",
        "",
        something_selected,
        _on_selection(collapsing.collapse_kind),
        VIEW,
        hint="Draw every pod, unit, group or rack like the selected one as a box",
    ),
    ActionRow(
        "view.collapse_all",
        "Collapse All",
        "",
        "",
        has_devices,
        _on_all("Collapsing", collapsing.collapse_all),
        VIEW,
        hint="Draw every group as a box, and what is in none by its role: the design at a glance",
    ),
    ActionRow(
        "view.expand_all",
        "Expand All",
        "Alt+Shift+K",
        "",
        some_collapsed,
        _on_all("Expanding", closing.expand_all),
        VIEW,
        hint="Draw every device for itself again",
    ),
    ActionRow(
        "view.close_up",
        "Close Up",
        "",
        "",
        some_collapsed,
        _on_all("Closing up", closing.close_up),
        VIEW,
        hint="Move everything nearer to collapsed boxes, row by row; expanding them makes room again",
    ),
)
