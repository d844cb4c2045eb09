"""What was built, read from a file of whatever tool looked: the format is known by the file's name and contents."""

from collections.abc import Iterator
from pathlib import Path

from designer.exchange.importer import Importer
from designer.exchange.importers import IMPORTERS
from designer.exchange.reading.found import FoundNetwork, ImportFailure

HEAD_BYTES = 8192
DESIGN_SUFFIX, DESIGN_MARK = ".fabric", b'"fabric-design"'


def formats() -> tuple[Importer, ...]:
    """The formats that give a network, by which a design can be compared with what was built."""
    return tuple(one for one in IMPORTERS if one.found is not None)


def is_found_network(path: Path) -> bool:
    """Whether a file is of another tool and no design. Raises OSError."""
    if path.suffix.lower() == DESIGN_SUFFIX:
        return False
    return path.is_dir() or DESIGN_MARK not in _head(path)


def read_found(path: Path, format_name: str = "") -> FoundNetwork:
    """The network in a file, by the named format or by whichever reads it.

    Raises DesignerError, ImportFailure where no format does, or OSError.
    """
    if format_name:
        return _named(path, format_name)
    failures = list[ImportFailure]()
    for one in _candidates(path):
        assert one.found is not None
        try:
            found = one.found(path)
        except ImportFailure as failure:
            failures.append(failure)
        else:
            if found.links:
                return found
    names = ", ".join(one.name for one in formats())
    if len(failures) == 1:
        raise failures[0]
    raise ImportFailure(f"{path.name} is neither a design nor a list of cables that can be read ({names})")


def _named(path: Path, format_name: str) -> FoundNetwork:
    for one in formats():
        if one.name == format_name and one.found is not None:
            return one.found(path)
    names = ", ".join(one.name for one in formats())
    raise ImportFailure(f"there is no format {format_name!r} of networks; there is {names}")


def _candidates(path: Path) -> Iterator[Importer]:
    """The formats that suit name and contents; where none does, those that suit the contents, then all."""
    head = b"" if path.is_dir() else _head(path)
    every = formats()
    suited = [one for one in every if one.suits(path.name, head)]
    known = [one for one in every if one.looks is not None and one.looks(path.name, head)]
    yield from dict.fromkeys((*suited, *known)) or every


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
