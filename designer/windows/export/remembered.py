"""What was exported last of each design, and how: kept with the program's preferences, not in the design."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from designer.session.preferences import Preferences

KEY = "export/by-file"
MOST_FILES = 50
"""Designs that are remembered; the one that was exported longest ago is forgotten first."""
UNSAVED = ""
"""Stands for every design without a file."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The format that was chosen last, and the options of each format as texts."""

    format: str = ""
    options: dict[str, dict[str, str]] = field(default_factory=dict)


def remembered(preferences: Preferences, path: Path | None) -> Remembered:
    """What is remembered of the design in that file; nothing where it cannot be read."""
    found = _read(preferences).get(_key(path), {})
    options = found.get("options")
    return Remembered(
        str(found.get("format", "")),
        {str(name): _texts(one) for name, one in options.items()} if isinstance(options, dict) else {},
    )


def remember(preferences: Preferences, path: Path | None, format_: str, texts: dict[str, str] | None) -> None:
    """Keep the format and its options for that file; None keeps no options of that format."""
    every = _read(preferences)
    options = {name: one for name, one in remembered(preferences, path).options.items() if name != format_}
    if texts is not None:
        options[format_] = texts
    every.pop(_key(path), None)
    every[_key(path)] = {"format": format_, "options": options}
    kept = dict(list(every.items())[-MOST_FILES:])
    preferences.set_text(KEY, json.dumps(kept))


def _key(path: Path | None) -> str:
    return UNSAVED if path is None else str(path.resolve())


def _read(preferences: Preferences) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(preferences.text(KEY) or "{}")
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(path): one for path, one in found.items() if isinstance(one, dict)}


def _texts(found: object) -> dict[str, str]:
    return {str(key): str(text) for key, text in found.items()} if isinstance(found, dict) else {}
