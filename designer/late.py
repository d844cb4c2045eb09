"""Modules that load when something of them is first used: the engine takes longer to load than a window to open."""

from pkgutil import resolve_name
from typing import Any


def load(place: str) -> Any:
    """What stands at "package.module:name"."""
    return resolve_name(place)


class Late:
    """A module by its full name, used like an imported one. Tests count it as imported, and look its names up."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return load(f"{self._name}:{name}")
