"""Kernels that take a range of leafs, run over all leafs on all processors at once."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from designer.graph import threads

T = TypeVar("T")

LEAFS_WORTH_A_THREAD = 64
PARTS_TOLD = 64
# Into how many parts the leafs are cut where the progress is reported.


def in_threads(piece: Callable[[int, int], T], n_leafs: int) -> list[T]:
    """What `piece(first_leaf, last_leaf)` gives for ranges that cover all leafs, each in a thread of its own."""
    return threads.in_threads(piece, n_leafs, LEAFS_WORTH_A_THREAD)


def summed(
    kernel: Callable[..., Any], n_leafs: int, *arguments: Any, progress: Callable[[float], None] | None = None
) -> tuple[NDArray[np.float64], float]:
    """(loads, longest latency) of `kernel(first_leaf, last_leaf, *arguments)`, over all leafs.

    `progress` is called with the share done and may raise Cancelled. The same input gives the same output.
    """
    n_threads = min(os.cpu_count() or 1, max(1, n_leafs // LEAFS_WORTH_A_THREAD))
    parts = n_threads if progress is None else min(n_leafs, PARTS_TOLD)
    bounds = [n_leafs * part // parts for part in range(parts + 1)]
    if parts == 1:
        only: tuple[NDArray[np.float64], float] = kernel(0, n_leafs, *arguments)
        return only
    pool = ThreadPoolExecutor(n_threads)
    try:
        total, longest = None, 0.0
        done = pool.map(lambda low, high: kernel(low, high, *arguments), bounds[:-1], bounds[1:])
        for number, (loads, latency_ns) in enumerate(done):  # added up in order
            total = loads if total is None else np.add(total, loads, out=total)
            longest = max(longest, latency_ns)
            if progress is not None:
                progress((number + 1) / parts)
        assert total is not None
        return total, longest
    finally:
        pool.shutdown(cancel_futures=True)
