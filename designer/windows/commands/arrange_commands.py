"""Commands on selected devices: connect, align, distribute, group."""

import itertools
from collections.abc import Callable

from designer.late import Late
from designer.model import operations
from designer.model.bookmark import CANVAS, FLOOR
from designer.model.edit import Edit
from designer.model.entities import order_key
from designer.model.networks import OUT_OF_BAND, network_of_switch
from designer.placement.floor import place_of
from designer.placement.metrics import box_size
from designer.placement.rack_stacks import off_canvas, on_canvas, size_on_canvas
from designer.placement.row_order import ROW_KEY
from designer.session.selected import with_inside
from designer.session.session import Session
from designer.windows.commands.actions import ActionRow, needs
from designer.windows.commands.edit_commands import arranged_selected
from designer.windows.desk import Desk

floor_arranging = Late("designer.placement.floor_arranging")
offers = Late("designer.session.offers")

ARRANGE = "Arrange"
LINK = "Link"


def selected_devices(session: Session) -> list[str]:
    """Ids of the selected devices in design order."""
    return sorted(session.selected.devices, key=order_key)


def connect_pair(desk: Desk) -> None:
    """One more link between the two selected devices, on their next free matching ports."""
    session = desk.session
    a, b = selected_devices(session)
    refusal = operations.connectable(session.design, a, b)
    if refusal is None:
        session.attempt(lambda: operations.connect_devices(session.design, a, b))
    elif why := offers.offer_link(session, refusal, a, b):
        session.message.emit(why)


def choose_ports(desk: Desk) -> None:
    """Ask which ports of the two selected devices a link takes, on the canvas."""
    a, b = selected_devices(desk.session)
    desk.views.show_view(desk.views.canvas)
    desk.views.canvas.choose_ports(a, b)


def split_in_tiers(session: Session) -> tuple[list[str], list[str]] | None:
    """The selected devices as (lower, upper): servers and switches, else by role, else by the widest vertical gap.

    Switches of the out-of-band network are above all others, which they manage.
    """
    design = session.design
    ids = selected_devices(session)
    managing = [i for i in ids if design.is_switch(i) and network_of_switch(design.device(i)) == OUT_OF_BAND]
    if managing and len(managing) < len(ids):
        return [i for i in ids if i not in managing], managing
    servers = [i for i in ids if design.is_server(i)]
    if servers and len(servers) < len(ids):
        return servers, [i for i in ids if i not in servers]
    roles = {design.device(i).role for i in ids}
    if len(roles) == 2 and "" not in roles:
        first = min(
            roles, key=lambda role: ("leaf", "spine", "core").index(role) if role in ("leaf", "spine", "core") else 9
        )
        return [i for i in ids if design.device(i).role == first], [i for i in ids if design.device(i).role != first]
    placed = sorted((i for i in ids if i in design.placements), key=lambda i: design.placements[i].y)
    gaps = [
        (design.placements[low].y - design.placements[high].y, number)
        for number, (high, low) in enumerate(itertools.pairwise(placed), start=1)
    ]
    widest = max(gaps, default=(0.0, 0))
    if widest[0] <= 0:
        return None
    upper, lower = placed[: widest[1]], placed[widest[1] :]
    return sorted(lower, key=order_key), sorted(upper, key=order_key)


def select_tool(desk: Desk) -> None:
    """Give the mouse the Select tool, in every view."""
    desk.views.choose_tool("select")


def connect_tool(desk: Desk) -> None:
    """Give the mouse the Connect tool, in the views that have it."""
    desk.views.choose_tool("connect")


def pan_tool(desk: Desk) -> None:
    """Give the mouse the Pan tool, in every view."""
    desk.views.choose_tool("pan")


def _aligning(edge: str) -> Callable[[Desk], None]:
    def align(desk: Desk) -> None:
        session = desk.session
        if _floor_in_front(desk):
            session.attempt(lambda: floor_arranging.align_racks(session.design, _on_floor(desk), edge))
        else:
            session.attempt(lambda: operations.align(session.design, _placed(desk), edge, _sizes(desk)))

    return align


def _distributing(axis: str) -> Callable[[Desk], None]:
    def distribute(desk: Desk) -> None:
        session = desk.session
        if _floor_in_front(desk):
            session.attempt(lambda: floor_arranging.distribute_racks(session.design, _on_floor(desk), axis))
        else:
            session.attempt(lambda: operations.distribute(session.design, _placed(desk), axis, _sizes(desk)))

    return distribute


def group(desk: Desk) -> None:
    """Put the selected devices, racks and groups into a new group under the first free name, such as group-1.

    It is selected then, with the cursor in its name.
    """
    session = desk.session
    taken = {g.name for g in session.design.groups.values()}
    name = next(f"group-{number}" for number in range(1, len(taken) + 2) if f"group-{number}" not in taken)
    members = _outermost(desk)
    if session.attempt(lambda: operations.group(session.design, members, name)):
        made = next(one.id for one in session.design.groups.values() if one.name == name)
        session.select([made])
        desk.views.current.write_in(made)


def add_to_group(desk: Desk) -> None:
    """Put what is selected into the one group that is selected with it."""
    session = desk.session
    (group_id,) = session.selected.groups
    session.attempt(lambda: operations.add_to_group(session.design, _placed(desk), group_id))


def ungroup(desk: Desk) -> None:
    """Dissolve one group: of those selected or around the selection, the first in design order."""
    session = desk.session

    def make() -> Edit:
        group_id = _group_ids(desk)[0]
        return operations.ungroup(session.design, group_id)

    session.attempt(make)


def draw_racks(desk: Desk) -> None:
    """Draw the selected racks on the canvas, in free ground, with what is in them; the canvas shows them."""
    session, canvas = desk.session, desk.views.canvas

    def make() -> Edit:
        ids, design = _undrawn(desk), session.design
        return on_canvas(design, ids, canvas.free_spot(size_on_canvas(design, ids)))

    if session.attempt(make):
        desk.views.show_canvas()
        canvas.reveal(session.selected.racks)


def remove_racks(desk: Desk) -> None:
    """Take the selected racks off the canvas; they stay in the room, and their devices where they are."""
    session = desk.session
    session.attempt(lambda: off_canvas(session.design, sorted(session.selected.racks, key=order_key)))


def _undrawn(desk: Desk) -> list[str]:
    """The selected racks that are not drawn on the canvas."""
    return sorted(desk.session.selected.racks - desk.session.design.placements.keys(), key=order_key)


def _floor_in_front(desk: Desk) -> bool:
    return desk.views.name == FLOOR


def racks_in_front(desk: Desk) -> list[str]:
    """The selected racks that stand on the floor, where the floor plan is in front; else []."""
    return _on_floor(desk) if _floor_in_front(desk) else []


def _on_floor(desk: Desk) -> list[str]:
    """The selected racks that stand on the floor."""
    return floor_racks(desk.session)


def floor_racks(session: Session) -> list[str]:
    """The selected racks that stand on the floor."""
    racks = session.design.racks
    return sorted((one for one in session.selected.racks if place_of(racks[one]) is not None), key=order_key)


def _n_standing(desk: Desk) -> int:
    """How many things an arrangement is about: racks on the floor where that is in front, else what is placed."""
    return len(_on_floor(desk) if _floor_in_front(desk) else desk.session.selected.placed)


def _placed(desk: Desk) -> list[str]:
    return sorted(desk.session.selected.placed, key=order_key)


def _outermost(desk: Desk) -> list[str]:
    """The selected groups, devices and racks that are in no selected group."""
    groups, design = desk.session.selected.groups, desk.session.design
    inside = with_inside(groups, design) - groups if groups else frozenset[str]()
    inside |= {one for group in groups for one in design.members(group)}
    return sorted((groups | desk.session.selected.placed | desk.session.selected.racks) - inside, key=order_key)


def _sizes(desk: Desk) -> dict[str, tuple[float, float]]:
    design = desk.session.design
    return {i: box_size(design.is_switch(i)) for i in _placed(desk) if i in design.devices}


def _group_ids(desk: Desk) -> list[str]:
    """Groups that are selected, or that a selected device or rack belongs to."""
    chosen = desk.session.selected
    return sorted(chosen.groups | chosen.groups_around, key=order_key)


@needs("Select two devices.")
def two_devices(desk: Desk) -> bool:
    """Whether exactly two devices are selected."""
    return len(desk.session.selected.devices) == 2


@needs("Select two devices or more.")
def several_devices(desk: Desk) -> bool:
    """Whether at least two devices are selected."""
    return len(desk.session.selected.devices) >= 2


@needs("Select two devices or racks or more.", (CANVAS,))
def several_placed(desk: Desk) -> bool:
    """Whether at least two of the selected devices and racks stand on the canvas."""
    return len(desk.session.selected.placed) >= 2


@needs("Select two devices or racks or more.", (CANVAS, FLOOR))
def can_align(desk: Desk) -> bool:
    """Whether two or more are selected that stand where the view in front shows them: on the canvas or the floor."""
    return _n_standing(desk) >= 2


@needs("Select three devices or racks or more.", (CANVAS, FLOOR))
def _can_distribute(desk: Desk) -> bool:
    """Whether three or more are selected that stand where the view in front shows them: on the canvas or the floor."""
    return _n_standing(desk) >= 3


@needs("Select a rack that is not drawn on the canvas.")
def _can_draw_racks(desk: Desk) -> bool:
    """Whether a selected rack is not drawn on the canvas."""
    return bool(_undrawn(desk))


@needs("Select a rack that is drawn on the canvas.")
def _can_remove_racks(desk: Desk) -> bool:
    """Whether a selected rack is drawn on the canvas."""
    return bool(desk.session.selected.racks & desk.session.design.placements.keys())


@needs("Select one group, and devices or racks that are to come into it.")
def _can_add_to_group(desk: Desk) -> bool:
    """Whether one group is selected, and devices or racks."""
    return len(desk.session.selected.groups) == 1 and bool(desk.session.selected.placed)


@needs("Select a group, or something in a group.")
def grouped(desk: Desk) -> bool:
    """Whether a group is selected, or a device or rack that belongs to one."""
    return bool(desk.session.selected.groups or desk.session.selected.groups_around)


@needs("Select a device, rack or group.")
def _can_group(desk: Desk) -> bool:
    """Whether something is selected that can be in a group, wherever it stands."""
    return bool(desk.session.selected.racks) or arranged_selected(desk)


def _tool_is(name: str) -> Callable[[Desk], bool]:
    return lambda desk: desk.views.tool == name


def _align_row(edge: str, text: str, keys: str) -> ActionRow:
    return ActionRow(f"align.{edge}", text, keys, f"align-{edge}", can_align, _aligning(edge), ARRANGE)


@needs("Select a rack that stands on the floor.")
def has_row(desk: Desk) -> bool:
    """Whether a selected rack stands in a row of the floor plan."""
    return bool(floor_racks(desk.session))


def rename_row(desk: Desk) -> None:
    """Put the cursor into the name of the row that the first of the selected racks on the floor stands in."""
    rack_id = floor_racks(desk.session)[0]
    desk.views.show_view(desk.views.floor)
    desk.views.floor.write_in(ROW_KEY + rack_id)


ROWS: tuple[ActionRow, ...] = (
    ActionRow("tool.select", "Select Tool", "V", "select", run=select_tool, menu="Tools", checked=_tool_is("select")),
    ActionRow(
        "tool.connect",
        "Connect Tool",
        "C",
        "connect",
        run=connect_tool,
        menu="Tools",
        checked=_tool_is("connect"),
        hint="Drag from device to device, or from port to port",
    ),
    ActionRow("tool.pan", "Pan Tool", "H", "pan", run=pan_tool, menu="Tools", checked=_tool_is("pan")),
    ActionRow(
        "link.connect",
        "Connect Selected",
        "L",
        "link",
        two_devices,
        connect_pair,
        LINK,
        hint="Add a link between two selected devices, on the next free ports that match",
    ),
    ActionRow(
        "link.choose_ports",
        "Connect…",
        "Shift+L",
        "link",
        two_devices,
        choose_ports,
        LINK,
        hint="Add a link between two selected devices, on ports that you choose from lists of both",
    ),
    _align_row("left", "Align Left", "Alt+Shift+Left"),
    _align_row("centre-x", "Align Centers in a Column", "Alt+Shift+C"),
    _align_row("right", "Align Right", "Alt+Shift+Right"),
    _align_row("top", "Align Top", "Alt+Shift+Up"),
    _align_row("centre-y", "Align Centers in a Row", "Alt+Shift+M"),
    _align_row("bottom", "Align Bottom", "Alt+Shift+Down"),
    ActionRow(
        "distribute.x",
        "Distribute Horizontally",
        "Alt+Shift+H",
        "distribute-x",
        _can_distribute,
        _distributing("x"),
        ARRANGE,
    ),
    ActionRow(
        "distribute.y",
        "Distribute Vertically",
        "Alt+Shift+V",
        "distribute-y",
        _can_distribute,
        _distributing("y"),
        ARRANGE,
    ),
    ActionRow("arrange.group", "Group", "Ctrl+G", "group", _can_group, group, ARRANGE),
    ActionRow(
        "arrange.add_to_group",
        "Add to Group",
        "",
        "",
        _can_add_to_group,
        add_to_group,
        ARRANGE,
        hint="Put the selected devices and racks into the group that is selected with them",
    ),
    ActionRow(
        "room.rename_row",
        "Rename Row",
        "",
        "",
        has_row,
        rename_row,
        "Room",
        hint="Name the row of the selected rack, on the floor plan; without a name it has its letter from the top",
    ),
    ActionRow(
        "room.on_canvas",
        "Draw on Canvas",
        "",
        "",
        _can_draw_racks,
        draw_racks,
        "Room",
        hint="Draw the selected racks as boxes on the canvas, with what is in them stacked inside",
    ),
    ActionRow(
        "room.off_canvas",
        "Remove from Canvas",
        "",
        "",
        _can_remove_racks,
        remove_racks,
        "Room",
        hint="Draw the selected racks in the room alone; their devices stay where they are on the canvas",
    ),
    ActionRow("arrange.ungroup", "Ungroup", "Ctrl+Shift+G", "ungroup", grouped, ungroup, ARRANGE),
)
