"""The files that were open when the window was closed last, and whether the next start opens them."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from designer.session.preferences import Preferences

OPEN, BESIDE, AT_START, YES = "open-files", "files-side-by-side", "reopen-at-start", "yes"


def left_open(preferences: Preferences) -> list[Path]:
    """The files in the order of their tabs, those that are still there."""
    return [path for path in _paths(preferences, OPEN) if _is_file(path)]


def keep_open(preferences: Preferences, paths: Iterable[Path]) -> None:
    """Remember these."""
    preferences.set_text(OPEN, json.dumps([str(path.resolve()) for path in paths]))


def left_beside(preferences: Preferences) -> tuple[Path, Path] | None:
    """The files at the left and right that were side by side; None where none were, or one is missing."""
    paths = list(filter(_is_file, _paths(preferences, BESIDE)))
    return (paths[0], paths[1]) if len(paths) == 2 else None


def keep_beside(preferences: Preferences, paths: Sequence[Path]) -> None:
    """Remember these two, or none."""
    preferences.set_text(BESIDE, json.dumps([str(path.resolve()) for path in paths]))


def _paths(preferences: Preferences, name: str) -> list[Path]:
    try:
        listed = json.loads(preferences.text(name) or "[]")
    except ValueError:
        return []
    return [Path(one) for one in listed if isinstance(one, str)] if isinstance(listed, list) else []


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
