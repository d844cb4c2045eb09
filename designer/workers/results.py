"""The results of many pieces of work, as they come in, wherever they are done."""

import queue
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from designer.late import Late
from designer.workers.where import Where
from designer.workers.work import Work

cluster = Late("designer.workers.cluster")

LOOK_UP_S = 0.1
"""How long to wait for a result before asking whether the work is still wanted."""
CHUNKS_EACH = 4
"""Pieces go to workers in so many chunks for each, so that all end at about the same time."""
CHUNK_MOST = 16

Look = Callable[[], None]
"""Called while results are waited for; what it raises ends the work."""


class Pool(Protocol):
    """Processes that do chunks of pieces."""

    n_workers: int

    def submit(self, pieces: Sequence[Any], done: Callable[[Any], None]) -> None:
        """Have a chunk done; `done` is called with a function that returns its results or raises what went wrong."""


class Crew:
    """Whoever does a work: this process, or others, which are started for the first pieces and stay for all others."""

    def __init__(self, work: Work, where: Where) -> None:
        self._work, self._where = work, where
        self._stack = ExitStack()
        self._pool: Pool | None = None
        self._ready: list[Any] = []

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()

    def results(self, pieces: Sequence[Any], look: Look) -> Iterator[tuple[int, Any]]:
        """(number of the piece, its result) as they come in, in whatever order; a result hangs on the piece alone.

        `look` is called about ten times a second, and before each piece where this process does the work. Raises what
        it raises, and what a piece raises. Raises ParameterError for a cluster that cannot be reached.
        """
        if not self._where.is_here:
            if self._pool is None:
                self._pool = self._stack.enter_context(cluster.pool(self._work, self._where))
            yield from _spread(self._pool, pieces, look)
            return
        if not self._ready:
            self._ready.append(self._work.prepare(*self._work.given))
        for number, piece in enumerate(pieces):
            look()
            yield number, self._work.each(self._ready[0], piece)


def results(work: Work, pieces: Sequence[Any], where: Where, look: Look) -> Generator[tuple[int, Any], None, None]:
    """The same by a crew of its own, which ends when all is done or anything was raised."""
    with Crew(work, where) as crew:
        yield from crew.results(pieces, look)


def _spread(pool: Pool, pieces: Sequence[Any], look: Look) -> Iterator[tuple[int, Any]]:
    n_pieces = len(pieces)
    step = max(1, min(CHUNK_MOST, n_pieces // (CHUNKS_EACH * pool.n_workers)))
    found: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def heard(first: int) -> Callable[[Any], None]:
        return lambda take: found.put((first, take))

    for first in range(0, n_pieces, step):
        pool.submit(pieces[first : first + step], heard(first))
    n_left = n_pieces
    while n_left:
        look()
        try:
            first, take = found.get(timeout=LOOK_UP_S)
        except queue.Empty:
            continue
        for number, result in enumerate(take(), first):
            n_left -= 1
            yield number, result
