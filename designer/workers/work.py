"""What is done to every piece of work, and the process that does it."""

import hashlib
import pickle  # of our own records, on the way to our own processes
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Work:
    """A function of what every process prepares once, and of a piece. All of it can be sent to another process."""

    each: Callable[[Any, Any], Any]
    prepare: Callable[..., Any]
    given: tuple[Any, ...] = ()
    """What `prepare` is called with."""

    def packed(self) -> tuple[str, bytes]:
        """(what it is known by in a process that has prepared it, the work as bytes)."""
        data = pickle.dumps(self)
        return hashlib.sha256(data).hexdigest(), data


_ready: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""What this process does to a piece and has prepared for it, by the digest of the work: the latest, for it is large."""
_preparing = threading.Lock()


def do(digest: str, data: bytes, pieces: Sequence[Any]) -> list[Any]:
    """The results of a chunk of pieces, in the process that is called upon."""
    with _preparing:
        if digest not in _ready:
            work: Work = pickle.loads(data)  # noqa: S301  (from the process that started this one, or its cluster)
            _ready.clear()
            _ready[digest] = work.each, work.prepare(*work.given)
        each, ready = _ready[digest]
    return [each(ready, piece) for piece in pieces]
