"""The results of many pieces of work, as they come in, wherever they are done."""

import queue
from collections.abc import Callable, Generator, Sequence
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


def results(work: Work, pieces: Sequence[Any], where: Where, look: Look) -> Generator[tuple[int, Any], None, None]:
    """(number of the piece, its result) as they come in, in whatever order; the results hang on the piece alone.

    `look` is called about ten times a second, and before each piece where this process does the work. Raises what it
    raises, and what a piece raises; processes started here have ended then. Raises ParameterError for a cluster that
    cannot be reached.
    """
    if where.is_here:
        ready = work.prepare(*work.given)
        for number, piece in enumerate(pieces):
            look()
            yield number, work.each(ready, piece)
        return
    with ExitStack() as stack:
        yield from _spread(stack.enter_context(cluster.pool(work, where)), len(pieces), pieces, look)


def _spread(pool: Pool, n_pieces: int, pieces: Sequence[Any], look: Look) -> Generator[tuple[int, Any], None, None]:
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
