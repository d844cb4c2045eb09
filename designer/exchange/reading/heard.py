"""Who hears of the reading of a file while it goes on, and may call it off: readers themselves know nobody."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Heard = Callable[[int], None]
"""Takes how many things were read so far; may raise Cancelled."""

EACH = 2048
"""Things between two calls."""

_heard: ContextVar[Heard | None] = ContextVar("heard", default=None)


@contextmanager
def hearing(heard: Heard) -> Iterator[None]:
    """While this lasts, readers of this thread report every couple of thousand things that they read."""
    token = _heard.set(heard)
    try:
        yield
    finally:
        _heard.reset(token)


def report(count: int) -> None:
    """Let whoever hears know how many things were read. Raises Cancelled where that ends it."""
    heard = _heard.get()
    if heard is not None:
        heard(count)
