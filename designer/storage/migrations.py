"""Steps from one version of the format to the next. A step never changes once it has been released."""

from collections.abc import Callable
from typing import Any

from designer.errors import FileFormatError

VERSION = 8
"""The version this program writes."""


def additive(document: dict[str, Any]) -> dict[str, Any]:
    """A step that only brings fields which may be left out: what was written before reads as it stands."""
    return document


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: additive,  # room dimensions, places of racks on the floor, recipes of generated groups
    2: additive,  # networks of switches, NICs of servers for them
    3: additive,  # jobs
    4: additive,  # modes of NICs and what each speaks, trays, line cards, uses of a NIC's ports, part numbers of cables
    5: additive,  # slots of switches, line cards as modules, part numbers of switches
    6: additive,  # who chose a medium, cable numbers, colours and notes, the title block, purposes of ports, revisions
    7: additive,  # tags and fields of the user's own, colors, locks, layouts, annotations, bookmarks, fixtures
}
"""MIGRATIONS[n] takes a document of version n to version n + 1."""


def reads_as_it_stands(version: int) -> bool:
    """No step from that version on has anything to change."""
    return all(MIGRATIONS.get(step) is additive for step in range(version, VERSION))


def migrated(document: dict[str, Any]) -> dict[str, Any]:
    """The document brought to VERSION, one step at a time; the one given stays as it is.

    Raises FileFormatError where a step is missing or does not understand what it finds.
    """
    version = document["version"]
    while version < VERSION:
        step = MIGRATIONS.get(version)
        if step is None:
            raise FileFormatError(f"format {version} is older than this program can read")
        try:
            document = {**step(dict(document)), "version": version + 1}
        except (LookupError, TypeError, ValueError, AttributeError):
            raise FileFormatError(f"does not hold what a file of format {version} holds") from None
        version += 1
    return document
