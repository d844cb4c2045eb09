"""The files that were open when the window was closed last, and whether the next start opens them."""

import json
from collections.abc import Iterable
from pathlib import Path

from designer.session.preferences import Preferences

OPEN, AT_START, YES = "open-files", "reopen-at-start", "yes"


def left_open(preferences: Preferences) -> list[Path]:
    """The files in the order of their tabs, those that are still there."""
    try:
        listed = json.loads(preferences.text(OPEN) or "[]")
    except ValueError:
        return []
    names = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    return [path for path in map(Path, names) if _is_file(path)]


def keep_open(preferences: Preferences, paths: Iterable[Path]) -> None:
    """Remember these."""
    preferences.set_text(OPEN, json.dumps([str(path.resolve()) for path in paths]))


def reopens(preferences: Preferences) -> bool:
    """Whether the program opens at start what was open last."""
    return preferences.text(AT_START) == YES


def set_reopens(preferences: Preferences, on: bool) -> None:
    """Open at start what was open last, or not."""
    preferences.set_text(AT_START, YES if on else "")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
