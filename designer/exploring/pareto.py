"""Which of many are not worse than another in everything."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
"""(n_rows, n_objectives): less is better."""


def dominators(values: Values, margin: float = 0.0) -> list[int | None]:
    """For each row one of the front that beats it; None on the front.

    A row beats another that is larger by more than the margin in something and smaller by more in nothing. Rows are
    looked at from the least sum on, and none is beaten by one of a larger sum: so nothing leads in a circle, and small
    steps do not add up.
    """
    order = np.lexsort((*values.T[::-1], values.sum(axis=1)))
    found: list[int | None] = [None] * len(values)
    front: list[int] = []
    for number in map(int, order):
        kept = values[front]
        better = (kept <= values[number] + margin).all(axis=1) & (kept < values[number] - margin).any(axis=1)
        if better.any():
            found[number] = front[int(np.argmax(better))]
        else:
            front.append(number)
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
