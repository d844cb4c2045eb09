"""The record of what ranks send to each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RANKS_MOST = 1024
"""More ranks are gathered."""
RANK, SERVER, UNIT = "rank", "server", "unit"


@dataclass(frozen=True, slots=True, eq=False)
class RankTraffic:
    """Bytes from each row to each column over the whole run; what a row sends within itself is on the diagonal."""

    each: str
    """What a row is: a "rank", or a "server" or "unit" with all of its ranks."""
    labels: tuple[str, ...]
    device_ids: tuple[tuple[str, ...], ...]
    """The servers of each row."""
    bytes: Floats  # (n, n)
    n_ranks: int
