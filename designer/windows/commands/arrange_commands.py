"""Commands on selected devices: connect, align, distribute, group."""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from designer.model import operations
from designer.model.edit import Edit
from designer.model.entities import order_key
from designer.placement.metrics import box_size
from designer.windows.commands.actions import ActionRow
from designer.windows.commands.edit_commands import placed_selected

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

ARRANGE = "Arrange"
LINK = "Link"


def selected_devices(window: "MainWindow") -> list[str]:
    """Ids of the selected devices in design order."""
    return sorted(window.session.selected.devices, key=order_key)


def connect_pair(window: "MainWindow") -> None:
    """One more link between the two selected devices, on their next free matching ports."""
    session = window.session
    a, b = selected_devices(window)
    session.attempt(lambda: operations.connect_devices(session.design, a, b))


def split_in_tiers(window: "MainWindow") -> tuple[list[str], list[str]] | None:
    """The selected devices as (lower, upper): servers and switches, else by role, else by the widest vertical gap."""
    design = window.session.design
    ids = selected_devices(window)
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


def select_tool(window: "MainWindow") -> None:
    window.choose_tool("select")


def connect_tool(window: "MainWindow") -> None:
    window.choose_tool("connect")


def pan_tool(window: "MainWindow") -> None:
    window.choose_tool("pan")


def _aligning(edge: str) -> Callable[["MainWindow"], None]:
    def align(window: "MainWindow") -> None:
        session = window.session
        session.attempt(lambda: operations.align(session.design, _placed(window), edge, _sizes(window)))

    return align


def _distributing(axis: str) -> Callable[["MainWindow"], None]:
    def distribute(window: "MainWindow") -> None:
        session = window.session
        session.attempt(lambda: operations.distribute(session.design, _placed(window), axis, _sizes(window)))

    return distribute


def group(window: "MainWindow") -> None:
    session = window.session
    taken = {g.name for g in session.design.groups.values()}
    name = next(f"group-{number}" for number in range(1, len(taken) + 2) if f"group-{number}" not in taken)
    session.attempt(lambda: operations.group(session.design, _placed(window), name))


def ungroup(window: "MainWindow") -> None:
    session = window.session

    def make() -> Edit:
        group_id = _group_ids(window)[0]
        return operations.ungroup(session.design, group_id)

    session.attempt(make)


def _placed(window: "MainWindow") -> list[str]:
    return sorted(window.session.selected.placed, key=order_key)


def _sizes(window: "MainWindow") -> dict[str, tuple[float, float]]:
    design = window.session.design
    return {i: box_size(design.is_switch(i)) for i in _placed(window) if i in design.devices}


def _group_ids(window: "MainWindow") -> list[str]:
    """Groups that are selected, or that a selected device or rack belongs to."""
    chosen = window.session.selected
    return sorted(chosen.groups | chosen.groups_around, key=order_key)


def two_devices(window: "MainWindow") -> bool:
    return len(window.session.selected.devices) == 2


def several_devices(window: "MainWindow") -> bool:
    return len(window.session.selected.devices) >= 2


def several_placed(window: "MainWindow") -> bool:
    return len(window.session.selected.placed) >= 2


def three_placed(window: "MainWindow") -> bool:
    return len(window.session.selected.placed) >= 3


def grouped(window: "MainWindow") -> bool:
    return bool(window.session.selected.groups or window.session.selected.groups_around)


def _tool_is(name: str) -> Callable[["MainWindow"], bool]:
    return lambda window: window.tool == name


def _align_row(edge: str, text: str, keys: str) -> ActionRow:
    return ActionRow(f"align.{edge}", text, keys, f"align-{edge}", several_placed, _aligning(edge), ARRANGE)


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
    _align_row("left", "Align Left", "Alt+Shift+Left"),
    _align_row("centre-x", "Align Centres in a Column", "Alt+Shift+C"),
    _align_row("right", "Align Right", "Alt+Shift+Right"),
    _align_row("top", "Align Top", "Alt+Shift+Up"),
    _align_row("centre-y", "Align Centres in a Row", "Alt+Shift+M"),
    _align_row("bottom", "Align Bottom", "Alt+Shift+Down"),
    ActionRow(
        "distribute.x",
        "Distribute Horizontally",
        "Alt+Shift+H",
        "distribute-x",
        three_placed,
        _distributing("x"),
        ARRANGE,
    ),
    ActionRow(
        "distribute.y",
        "Distribute Vertically",
        "Alt+Shift+V",
        "distribute-y",
        three_placed,
        _distributing("y"),
        ARRANGE,
    ),
    ActionRow("arrange.group", "Group", "Ctrl+G", "group", placed_selected, group, ARRANGE),
    ActionRow("arrange.ungroup", "Ungroup", "Ctrl+Shift+G", "ungroup", grouped, ungroup, ARRANGE),
)
