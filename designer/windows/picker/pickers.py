"""What the quick picker offers: commands, named things, and the example designs."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from designer.model.records import ordered
from designer.paths import resources_dir
from designer.windows.commands import job_commands
from designer.windows.commands.access_keys import plain
from designer.windows.picker.quick_picker import Choice

if TYPE_CHECKING:
    from designer.windows.shell.main_window import MainWindow

FOLDER_MOST = 36
"""Letters; more would leave no room for the name."""
NOT_OFFERED = ("view.command_palette",)


def commands(window: "MainWindow") -> list[Choice]:
    """Every action; those that cannot be done now come last and are dimmed. Examples and recent files follow."""
    rows = window.actions_table.rows
    choices = [_command(window, action_id) for action_id in rows if action_id not in NOT_OFFERED]
    choices.sort(key=lambda choice: not choice.enabled)
    examples = example_files()
    recent = [path for path in window.preferences.recent_files if path not in examples]
    choices += [_opening(window, path, _end_of(short_folder(path.parent))) for path in recent]
    choices += [_opening(window, path, "Example") for path in examples]
    return choices


def _command(window: "MainWindow", action_id: str) -> Choice:
    row, action = window.actions_table.rows[action_id], window.actions_table[action_id]
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    icon = window.appearance.icon(row.icon or "chevron-right", "text" if row.icon else "muted")
    also = f"{row.menu} {row.hint}"
    return Choice(
        plain(action.text()),
        keys or row.menu,
        partial(window.actions_table.trigger, action_id),
        icon,
        action.isEnabled(),
        also,
        row.text,  # Undo and Redo tell an edit as well, which is not what a search for a command means
    )


def _opening(window: "MainWindow", path: Path, detail: str) -> Choice:
    icon = window.appearance.icon("open", "muted")
    return Choice(f"Open {path.name}", detail, partial(window.open_listed, path), icon, also=f"{detail} {path.parent}")


def named_things(window: "MainWindow") -> list[Choice]:
    """Devices, racks, groups and jobs by name; picking one selects it, or its servers, and brings it into view."""
    design, icon = window.session.design, window.appearance.icon

    def going(entity_id: str) -> Choice:
        entity = design.entity(entity_id)
        name = str(getattr(entity, "name", entity_id))
        if entity_id in design.devices:
            what, drawn = design.device_type(entity_id).model, "switch" if design.is_switch(entity_id) else "server"
        else:
            what, drawn = ("rack", "rack") if entity_id in design.racks else ("group", "group")
        return Choice(name, what, lambda: window.go_to(frozenset((entity_id,))), icon(drawn, "muted"))

    tables = (ordered(design.devices), ordered(design.racks), ordered(design.groups))
    jobs = [
        Choice(job.name, "job", partial(job_commands.go_to, window, job.id), icon("play", "muted"))
        for job in ordered(design.jobs)
    ]
    return [*(going(entity.id) for table in tables for entity in table), *jobs]


def _end_of(folder: str) -> str:
    return folder if len(folder) <= FOLDER_MOST else f"…{folder[1 - FOLDER_MOST :]}"


def example_files() -> list[Path]:
    """The example designs beside the program's resources, in name order."""
    for folder in (resources_dir() / "examples", resources_dir().parent / "examples"):
        if folder.is_dir():
            return sorted(path.resolve() for path in folder.glob("*.fabric"))
    return []


def short_folder(folder: Path) -> str:
    """A folder as lists show it: ~/pods."""
    home = Path.home()
    return str("~" / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
