"""Kernels over ranges, on all processors at once."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_threads(piece: Callable[[int, int], T], count: int, worth_a_thread: int) -> list[T]:
    """What `piece(first, last)` gives for ranges that cover `count` things in order, each in a thread of its own.

    No range is smaller than `worth_a_thread`, unless there is only one.
    """
    parts = min(os.cpu_count() or 1, max(1, count // worth_a_thread))
    bounds = [count * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [piece(0, count)]
    with ThreadPoolExecutor(parts) as pool:
        return list(pool.map(piece, bounds[:-1], bounds[1:]))
