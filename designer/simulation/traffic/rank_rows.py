"""The record of what ranks send to each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    gpus: tuple[int, ...] = ()
    """Of rows that are ranks, the GPU of its server that each is, from 0."""

    def taken(self, rows: Sequence[int]) -> "RankTraffic":
        """The same with rows and columns in that order."""
        bytes_ = self.bytes[np.ix_(rows, rows)]
        labels, ids = tuple(self.labels[row] for row in rows), tuple(self.device_ids[row] for row in rows)
        gpus = tuple(self.gpus[row] for row in rows) if self.gpus else ()
        return replace(self, labels=labels, device_ids=ids, bytes=bytes_, gpus=gpus)
