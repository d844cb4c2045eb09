"""Types that a person chose for found nodes: NAME=TYPE from the command line, or a list of them in a file."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from designer.errors import ParameterError
from designer.exchange.reading.texts import read_text

MOST_CHOICES = 100_000


def choice_of(text: str) -> tuple[str, str]:
    """Name and type of "leaf-*=nvidia-sn5600". Raises ParameterError."""
    name, equals, type_id = text.rpartition("=")
    if not equals or not name.strip() or not type_id.strip():
        raise ParameterError(f"{text!r} should look like NAME=TYPE, such as leaf-*=nvidia-sn5600")
    return name.strip(), type_id.strip()


def choices_of(texts: Iterable[str], path: Path | None = None) -> dict[str, str]:
    """All choices; those of the texts come before those of the file. Raises ParameterError or OSError."""
    chosen = dict(_listed(path)) if path is not None else {}
    return chosen | dict(map(choice_of, texts))


def _listed(path: Path) -> list[tuple[str, str]]:
    """The choices in a file: NAME=TYPE or NAME,TYPE, one a line; lines that start with # are passed over."""
    found: list[tuple[str, str]] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cells = next(csv.reader(io.StringIO(line)))
        except (csv.Error, StopIteration):
            cells = [line]
        try:
            found.append((cells[0].strip(), cells[1].strip()) if len(cells) == 2 and all(cells) else choice_of(line))
        except ParameterError as error:
            raise ParameterError(f"{path.name}, line {number}: {error}") from None
        if len(found) > MOST_CHOICES:
            raise ParameterError(
                f"{path.name} has more than {MOST_CHOICES:,} lines: name rows of the table, not devices"
            )
    return found
