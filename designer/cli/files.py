"""Designs in, files out: how every command reads and where it refuses to write."""

from pathlib import Path

from designer.cli.main import os_sentence
from designer.errors import DesignerError, ExportError, FileFormatError
from designer.late import Late
from designer.model.design import Design
from designer.storage.shared import SharedRows

document = Late("designer.storage.document")


def open_design(path: Path, shared: SharedRows | None = None) -> Design:
    """The design in a file. Raises FileFormatError with one sentence, whatever is wrong with the file.

    Designs that are read one after another with `shared` take over what they have in common.
    """
    try:
        # "." and ".." have no name to put into a message.
        design: Design = document.load(path if path.name.strip(".") else path.resolve(), shared=shared)
        return design
    except DesignerError:
        raise
    except OSError as error:
        raise FileFormatError(f"{path}: {error.strerror or os_sentence(error)}") from error


def save_design(design: Design, path: Path) -> None:
    """Write a design to a file. Raises ExportError where the system refuses that."""
    try:
        document.save(design, path)
    except DesignerError:
        raise
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror or os_sentence(error)}") from error


def check_output(path: Path, force: bool) -> None:
    """Raises ExportError where the output cannot go there, or exists and may not be replaced."""
    if path.is_dir():
        raise ExportError(f"{path} is a folder: name a file in it")
    if path.exists() and not force:
        raise ExportError(f"{path} exists already: add --force to replace it")
    if not path.parent.is_dir():
        raise ExportError(f"{path} cannot be written: there is no folder {path.parent}")
