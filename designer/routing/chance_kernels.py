"""Numbers drawn by chance, compiled. The generator is numba's own: seed it in the kernel that draws."""

import numpy as np

from designer.graph.compiled import compiled

SURE_OF_NORMAL = 30.0
# Where a binomial has at least this variance, a rounded normal is drawn for it.


@compiled
def binomial(n: float, chance: float) -> float:
    """How many of so many pieces choose a port that each chooses with this probability."""
    variance = n * chance * (1.0 - chance)
    if variance < SURE_OF_NORMAL:
        return float(np.random.binomial(int(n), chance))
    return min(n, max(0.0, float(np.round(np.random.normal(n * chance, np.sqrt(variance))))))
