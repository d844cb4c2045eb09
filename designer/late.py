"""Modules that load when something of them is first used: the engine takes longer to load than a window to open."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any


class StartUp:
    """The time for which any thread has been loading or compiling what later runs find ready."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work, self._since_s, self._past_s = 0, 0.0, 0.0

    @property
    def total_s(self) -> float:
        """So far, what goes on now included."""
        with self._lock:
            return self._past_s + (time.perf_counter() - self._since_s if self._at_work else 0.0)

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Count the time until the end; what several threads do at once is counted once."""
        with self._lock:
            if not self._at_work:
                self._since_s = time.perf_counter()
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                if not self._at_work:
                    self._past_s += time.perf_counter() - self._since_s


START_UP = StartUp()
"""Of this process."""


def load(place: str) -> Any:
    """What stands at "package.module:name"."""
    return resolve_name(place)


class Late:
    """A module by its full name, used like an imported one. Tests count it as imported, and look its names up."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if self._name in sys.modules:
            return load(f"{self._name}:{name}")
        with START_UP.going_on():
            return load(f"{self._name}:{name}")
