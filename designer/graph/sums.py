"""Sums of floats by index."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def sums(index: NDArray[Any], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """(size,) at each place the sum of the values with that index."""
    found: Any = np.bincount(index, values, size)
    return found.astype(np.float64, copy=False)  # type: ignore[no-any-return]
