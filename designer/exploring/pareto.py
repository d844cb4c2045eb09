"""Which of many are not worse than another in everything."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
"""(n_rows, n_objectives): less is better."""


def dominators(values: Values) -> list[int | None]:
    """For each row the first that is at most as large in everything and smaller in something; None on the front."""
    found: list[int | None] = []
    for row in values:
        better = (values <= row).all(axis=1) & (values < row).any(axis=1)
        found.append(int(np.argmax(better)) if better.any() else None)
    return found


def beaten_by(values: Values, bound: Sequence[float], margins: Sequence[float]) -> int | None:
    """The first row that nothing at or above the bound is better than by more than a margin in any figure.

    Without margins it is at most as large as the bound in everything and smaller in something.
    """
    if not len(values):
        return None
    least, margin = np.asarray(bound, dtype=np.float64), np.asarray(margins, dtype=np.float64)
    beaten = (values <= least + margin).all(axis=1) & ((values < least).any(axis=1) | bool(margin.any()))
    return int(np.argmax(beaten)) if beaten.any() else None
