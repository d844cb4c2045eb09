"""Bringing a fabric in: the command, and files of other programs that are dropped on the window."""

from pathlib import Path
from typing import Protocol, runtime_checkable

from designer.late import Late
from designer.windows.commands.actions import ActionRow
from designer.windows.desk import Desk

importers = Late("designer.exchange.importers")

FOLDER = "imports"


@runtime_checkable
class Importing(Protocol):
    """The dialog that imports."""

    def show_file(self, path: Path) -> None:
        """Read a file and say what is in it."""


def choose_and_import(desk: Desk) -> None:
    """Ask for a file and show what is in it, before anything is imported."""
    path = desk.questions.open_path("Import", desk.preferences.folder(FOLDER), _filter())
    if path is not None:
        import_file(desk, path)


def import_file(desk: Desk, path: Path) -> None:
    """Show what is in a file or folder of another program."""
    desk.preferences.set_folder(FOLDER, path.resolve().parent)
    desk.dialogs.show("import")
    dialog = desk.dialogs["import"]
    assert isinstance(dialog, Importing), "it is the dialog of that name"
    dialog.show_file(path)


def is_importable(path: Path) -> bool:
    """Whether a file may be of a format that is imported, by its name alone; any folder may."""
    return path.is_dir() or path.name.lower().endswith(_suffixes())


def _suffixes() -> tuple[str, ...]:
    found = (suffix for one in importers.IMPORTERS for suffix in one.suffixes)
    return tuple(dict.fromkeys(suffix for suffix in found if suffix != "/"))


def _filter() -> str:
    known = " ".join(f"*{suffix}" for suffix in _suffixes())
    return f"Files of other programs ({known});;All files (*)"


ROWS: tuple[ActionRow, ...] = (
    ActionRow(
        "file.import",
        "Import…",
        "",
        "import",
        run=choose_and_import,
        menu="File",
        hint="Make a fabric of a list of cables, a drawing or what a tool has discovered; you see first what is in it",
    ),
)
