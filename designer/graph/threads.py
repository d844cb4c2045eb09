"""Kernels that take a range of leafs, run over all leafs on all processors at once."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

LEAFS_WORTH_A_THREAD = 64


def threads_for(n_leafs: int) -> int:
    """How many threads are worth starting."""
    return min(os.cpu_count() or 1, max(1, n_leafs // LEAFS_WORTH_A_THREAD))


def in_threads(piece: Callable[[int, int], T], n_leafs: int) -> list[T]:
    """What `piece(first_leaf, last_leaf)` gives for ranges that cover all leafs, each in a thread of its own."""
    parts = threads_for(n_leafs)
    bounds = [n_leafs * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [piece(0, n_leafs)]
    with ThreadPoolExecutor(parts) as pool:
        return list(pool.map(piece, bounds[:-1], bounds[1:]))
