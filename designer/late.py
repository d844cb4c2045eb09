"""Modules that load when something of them is first used: those of the engine take longer than a window to open."""

import importlib
from typing import Any


class Late:
    """A module of the program by its full name. `tests/architecture` counts it as imported."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)
