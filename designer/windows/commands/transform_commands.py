"""Commands that lay out, rotate and mirror: tidy with a preview, swap, rotate, mirror, spacing, arrays, lock."""

from collections.abc import Callable
from functools import partial

from designer.canvas.moving import LOCK_KEYS
from designer.drawing.stencil import joins_of
from designer.late import Late
from designer.model import operations
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Rack, order_key
from designer.model.furnishing import turn_fixtures
from designer.placement.layouts.tidy import AUTOMATIC, LAYOUT_WORDS, tidy
from designer.placement.metrics import COLUMN_PITCH, GAP, GROUP_GAP, ROW_PITCH, box_size
from designer.session.prepared import LARGE_EDIT
from designer.session.session import Session
from designer.units import format_counted
from designer.windows.commands.actions import ActionRow, has_devices, needs
from designer.windows.commands.arrange_commands import can_align, floor_racks, racks_in_front, several_placed
from designer.windows.commands.edit_commands import arranged_selected
from designer.windows.desk import Desk
from designer.windows.shell.construction_bar import Choices, Construction, Option

bending = Late("designer.model.bending")
arrays = Late("designer.placement.arrays")
floor_arranging = Late("designer.placement.floor_arranging")
free_places = Late("designer.canvas.free_places")

ARRANGE = "Arrange"
QUARTER_DEG = 90.0
CELL = (COLUMN_PITCH, ROW_PITCH)


def _placed(session: Session) -> list[str]:
    return sorted(session.selected.placed, key=order_key)


def _sizes(session: Session) -> dict[str, tuple[float, float]]:
    design = session.design
    return {one: box_size(design.is_switch(one)) for one in _placed(session) if one in design.devices}


# -- with a preview ----------------------------------------------------------------------------------------------------


def _to_tidy(session: Session) -> list[str]:
    """What is selected, groups before what is in them; nothing for everything."""
    selected = session.selected
    return sorted(selected.groups, key=order_key) or _placed(session)


def _tidied(session: Session, choices: Choices) -> Edit:
    return tidy(session.design, _to_tidy(session), choices["layout"])


def _tidy_note(session: Session, choices: Choices) -> str:
    """Whether lines lose their bends: those that lead to what moves."""
    if not any(link.bends for link in session.design.links.values()):
        return ""
    note: str = bending.removal_note(_tidied(session, choices))
    return note


def _spaced(session: Session, choices: Choices) -> Edit:
    design, ids, sizes = session.design, _placed(session), _sizes(session)
    return operations.set_spacing(design, ids, choices["axis"], float(choices["gap"]), sizes)


TIDY = Construction(
    "arrange.tidy",
    "Tidy",
    _tidied,
    (
        Option(
            "layout",
            "Layout",
            "choice",
            choices=tuple((word.name, word.title) for word in LAYOUT_WORDS),
            hint="Automatic takes what suits the links",
        ),
    ),
    _tidy_note,
    needs_selection=False,
    nothing="Nothing moves: the layout is already tidy.",
)
SPACING = Construction(
    "arrange.spacing",
    "Set Spacing",
    _spaced,
    (
        Option("axis", "Direction", "choice", choices=(("x", "Horizontal"), ("y", "Vertical"))),
        Option("gap", "Gap", "count", int(GAP), hint="From edge to edge; a device is 120 wide and 44 high"),
    ),
    nothing="Nothing moves: the gaps are already this wide.",
)


def _spaced_racks(session: Session, choices: Choices) -> Edit:
    edit: Edit = floor_arranging.space_racks(session.design, floor_racks(session), choices["axis"], choices["gap"])
    return edit


def _array_of_racks(session: Session, choices: Choices) -> Edit:
    columns, rows = choices["columns"] or 0, choices["rows"] or 0
    gaps_m, name = (choices["gap_x"], choices["gap_y"]), choices["name"]
    ids = floor_racks(session)
    edit: Edit = floor_arranging.array_of_racks(session.design, ids, columns, rows, gaps_m, name)
    return edit


def _rack_array_note(session: Session, choices: Choices) -> str:
    """ "Named B01 to B08."; "" where no name is given."""
    names = arrays.names_of(_array_of_racks(session, choices), Rack) if choices["name"].strip() else None
    return "" if names is None else f"Named {names[0]} to {names[1]}."


RACK_SPACING = Construction(
    "arrange.spacing",
    "Set Spacing",
    _spaced_racks,
    (
        Option("axis", "Direction", "choice", choices=(("x", "Horizontal"), ("y", "Vertical"))),
        Option("gap", "Gap, m", "length", 0.0, hint="From edge to edge, in meters; 0 for racks side by side"),
    ),
    nothing="Nothing moves: the gaps are already this wide.",
    view=FLOOR,
)


def _array(session: Session, choices: Choices) -> Edit:
    ids = sorted(session.selection, key=order_key)
    given = {key: choices[key] or 0 for key in ("columns", "rows", "gap_x", "gap_y")}
    aside = {} if session.drawn is None else {"aside": partial(free_places.aside_of_copies, session.drawn, ids)}
    edit: Edit = arrays.array(session.design, ids, **given, name=choices["name"], **aside)
    return edit


def _array_note(session: Session, choices: Choices) -> str:
    """ "Named gpu-a01 to gpu-a08."; "" where no name is given."""
    if not choices["name"].strip():
        return ""
    names = arrays.names_of(_array(session, choices))
    return "" if names is None else f"Named {names[0]} to {names[1]}."


def _gap(name: str, title: str, between: str, line: str, axis: int) -> Option:
    """The choice of a gap; at first the one that devices next to the selection have, across (axis 0) or down (1)."""
    hint = f"{between}, in units of the canvas; at first that of the {line} the selection is in"

    def usual(session: Session) -> int:
        if session.selected.groups:
            return round(GROUP_GAP)
        gap: float = arrays.usual_gap(session.design, session.selected.placed, axis)
        return round(gap)

    return Option(name, title, "count", round(GAP), hint=hint, at_first=usual)


ARRAY = Construction(
    "arrange.array",
    "Array",
    _array,
    (
        Option("columns", "Columns", "count", 4),
        Option("rows", "Rows", "count", 1),
        _gap("gap_x", "Gap across", "Between columns", "row", 0),
        _gap("gap_y", "Gap down", "Between rows", "column", 1),
        Option(
            "name",
            "Name of the first",
            "name",
            hint="Of the first device that is selected, such as gpu-a01; the others and all copies count up. Leave "
            "empty to keep its name",
        ),
    ),
    _array_note,
    selects_new=True,
)
RACK_ARRAY = Construction(
    "arrange.array",
    "Array",
    _array_of_racks,
    (
        Option("columns", "Columns", "count", 4),
        Option("rows", "Rows", "count", 1),
        Option("gap_x", "Gap across, m", "length", 0.0, hint="Between columns, from edge to edge, in meters"),
        Option(
            "gap_y",
            "Gap down, m",
            "length",
            1.2,
            hint="Between rows, from edge to edge, in meters; at first the aisle of Room Dimensions",
            at_first=lambda session: f"{session.design.settings.aisle_m:g}",
        ),
        Option(
            "name",
            "Name of the first",
            "name",
            hint="Of the first rack that is selected, such as B01; the others and all copies count up. Leave empty to "
            "keep its name",
        ),
    ),
    _rack_array_note,
    selects_new=True,
    view=FLOOR,
)


def _tidy(desk: Desk) -> None:
    """Show the preview of Tidy; with very many devices do it at once, with progress, as nobody follows a preview."""
    session = desk.session
    ids = _to_tidy(session)
    count = len(ids) or len(session.design.devices)
    if count < LARGE_EDIT:
        desk.construction.open(TIDY)
        return

    joins = joins_of(session.drawn)

    def make(design: Design) -> Edit:
        return tidy(design, ids, AUTOMATIC, joins=joins)

    def show(edit: Edit) -> None:
        if not ids:
            desk.views.canvas.zoom_to_fit()
        if stated := bending.removal_note(edit):
            desk.notice.say_of_edit(stated)

    session.large_edits.attempt(f"Tidying {format_counted(count, 'device')}", count, make, show)


def _open_spacing(desk: Desk) -> None:
    desk.construction.open(RACK_SPACING if racks_in_front(desk) else SPACING)


# -- at once -----------------------------------------------------------------------------------------------------------


def _doing(make: Callable[[Session, list[str]], Edit]) -> Callable[[Desk], None]:
    def run(desk: Desk) -> None:
        session = desk.session
        session.attempt(lambda: make(session, _placed(session)))

    return run


_swap = _doing(lambda session, ids: operations.swap_places(session.design, ids))


def _rotating(*, clockwise: bool) -> Callable[[Desk], None]:
    """Turns what stands on the canvas, or the fixtures of the room where the floor plan is in front."""

    def run(desk: Desk) -> None:
        session = desk.session

        def make() -> Edit:
            if desk.views.name == FLOOR:
                degrees = QUARTER_DEG if clockwise else -QUARTER_DEG
                return turn_fixtures(session.design, session.selected.fixtures, degrees)
            return operations.rotate(session.design, _placed(session), clockwise=clockwise, cell=CELL)

        session.attempt(make)

    return run


_right, _left = _rotating(clockwise=True), _rotating(clockwise=False)
_mirror_x = _doing(lambda session, ids: operations.mirror(session.design, ids, "x"))
_mirror_y = _doing(lambda session, ids: operations.mirror(session.design, ids, "y"))


def _lock(desk: Desk) -> None:
    """Lock or unlock the selection; of a group, what is in it. Racks on the floor, where the floor plan is in front."""
    session, racks = desk.session, racks_in_front(desk)
    if racks:
        session.attempt(lambda: floor_arranging.lock_racks(session.design, racks, locked=not _is_locked(desk)))
        return
    ids = sorted(session.selected.arranged, key=order_key)
    session.attempt(lambda: operations.lock(session.design, ids, locked=not _is_locked(desk)))


def _is_locked(desk: Desk) -> bool:
    """Whether all that is selected is locked, on the floor where that is in front."""
    design, racks = desk.session.design, racks_in_front(desk)
    if racks:
        return all(design.racks[one].is_locked for one in racks)
    ids = desk.session.selected.arranged
    return bool(ids) and all(design.placements[one].locked for one in ids)


@needs("Select two devices or racks or more, or on the floor plan walls and the like.", (CANVAS, FLOOR))
def _can_rotate(desk: Desk) -> bool:
    """Whether several things on the canvas are selected, or fixtures where the floor plan is in front."""
    return bool(desk.session.selected.fixtures) if desk.views.name == FLOOR else several_placed(desk)


@needs("Select a device, rack or group.", (CANVAS, FLOOR))
def _can_lock(desk: Desk) -> bool:
    """Whether something is selected that has a place to keep: on the canvas, or racks on the floor in front."""
    return bool(racks_in_front(desk)) if desk.views.name == FLOOR else arranged_selected(desk)


@needs("Select two things on the canvas.", (CANVAS,))
def _two_placed(desk: Desk) -> bool:
    return len(desk.session.selected.placed) == 2


@needs("The design has no devices yet.", (CANVAS,))
def _can_tidy(desk: Desk) -> bool:
    """Whether there is something to lay out."""
    return has_devices(desk)


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "arrange.tidy",
        "Tidy…",
        "Ctrl+Shift+T",
        "",
        _can_tidy,
        _tidy,
        ARRANGE,
        hint="Lay out the selection, or everything, by its links: tiers in rows, rings, tori, groups; with a preview",
    ),
    ActionRow(
        "arrange.swap",
        "Swap Places",
        "Alt+Shift+S",
        "",
        _two_placed,
        _swap,
        ARRANGE,
        hint="Put each of two selected things where the other stands",
    ),
    ActionRow("arrange.rotate_right", "Rotate 90° Right", "Alt+Shift+R", "", _can_rotate, _right, ARRANGE),
    ActionRow("arrange.rotate_left", "Rotate 90° Left", "Alt+Shift+L", "", _can_rotate, _left, ARRANGE),
    ActionRow("arrange.mirror_x", "Mirror Horizontally", "Alt+Shift+X", "", several_placed, _mirror_x, ARRANGE),
    ActionRow("arrange.mirror_y", "Mirror Vertically", "Alt+Shift+Y", "", several_placed, _mirror_y, ARRANGE),
    ActionRow(
        "arrange.spacing",
        "Set Spacing…",
        "Alt+Shift+G",
        "",
        can_align,
        _open_spacing,
        ARRANGE,
        hint="Set the distance from edge to edge between columns or rows of the selection",
    ),
    ActionRow(
        "arrange.lock",
        "Lock Place",
        LOCK_KEYS,
        "",
        _can_lock,
        _lock,
        ARRANGE,
        checked=_is_locked,
        hint="Keep the selected things, and all in selected groups, where they are when you drag, align or tidy",
    ),
)
