"""Steps from one version of the format to the next. A step never changes once it has been released."""

from collections.abc import Callable
from typing import Any

from designer.errors import FileFormatError

VERSION = 8
"""The version this program writes."""


def additive(document: dict[str, Any]) -> dict[str, Any]:
    """A step that only brings fields which may be left out: what was written before reads as it stands."""
    return document


def _limit_to_policy(settings: dict[str, Any]) -> dict[str, Any]:
    """The limit of oversubscription is one of the policy's."""
    if "oversubscription_limit" not in settings:
        return settings
    limit = settings["oversubscription_limit"]
    others = {name: value for name, value in settings.items() if name != "oversubscription_limit"}
    return others if limit == 1 else {**others, "policy": {"leaf_oversubscription": limit}}


OF_SETTINGS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {7: _limit_to_policy}
"""Steps that change the settings and leave the tables as they stand, by the version they are from."""


def limit_to_policy(document: dict[str, Any]) -> dict[str, Any]:
    """The same step for a whole document."""
    return {**document, "settings": _limit_to_policy(document.get("settings", {}))}


MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: additive,  # room dimensions, places of racks on the floor, recipes of generated groups
    2: additive,  # networks of switches, NICs of servers for them
    3: additive,  # jobs
    4: additive,  # modes of NICs and what each speaks, trays, line cards, uses of a NIC's ports, part numbers of cables
    5: additive,  # slots of switches, line cards as modules, part numbers of switches
    6: additive,  # who chose a medium, cable numbers, colors and notes, the title block, purposes of ports, revisions
    7: limit_to_policy,  # tags and fields of the user's own, colors, locks, layouts, annotations, bookmarks, fixtures
}
"""MIGRATIONS[n] takes a document of version n to version n + 1."""


def tables_read_as_they_stand(version: int) -> bool:
    """No step from that version on changes anything but settings."""
    return all(step in OF_SETTINGS or MIGRATIONS.get(step) is additive for step in range(version, VERSION))


def migrated_settings(settings: dict[str, Any], version: int) -> dict[str, Any]:
    """The settings of a document of that version as they are now. Raises FileFormatError."""
    for step in range(version, VERSION):
        if step in OF_SETTINGS:
            try:
                settings = OF_SETTINGS[step](settings)
            except (LookupError, TypeError, ValueError, AttributeError):
                raise FileFormatError(f"does not hold what a file of format {step} holds") from None
    return settings


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
