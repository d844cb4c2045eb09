"""The files that are dropped on a window: designs, or a file of another program."""

from pathlib import Path

from PySide6.QtGui import QDropEvent

from designer.late import Late
from designer.windows.commands.import_commands import is_importable
from designer.windows.files.saving import SUFFIX

reading = Late("designer.measurements.reading")

LOGS = (".log", ".out", ".txt", ".json")
"""What logs of benchmarks are called, and files of other programs too; those of other names come by the menu."""


def designs(event: QDropEvent) -> list[Path]:
    """The local files that are being dropped, where all of them are .fabric files."""
    paths = _local_files(event)
    return paths if all(path.suffix == SUFFIX for path in paths) else []


def other_file(event: QDropEvent) -> Path | None:
    """The file or folder of another program that is being dropped; None where it is none, or several."""
    paths = _local_files(event)
    is_one = len(paths) == 1 and paths[0].suffix != SUFFIX
    return paths[0] if is_one and is_importable(paths[0]) else None


def measurements(event: QDropEvent) -> Path | None:
    """The log of a benchmark that is being dropped, by what its beginning says; None where it is none, or several."""
    paths = _local_files(event)
    is_one = len(paths) == 1 and paths[0].suffix.lower() in LOGS
    return paths[0] if is_one and reading.looks_measured(paths[0]) else None


def _local_files(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
