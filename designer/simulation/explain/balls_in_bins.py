"""How uneven pieces are that each take one of several ports at random: the fullest port over the mean.

Of n balls in k bins the fullest has m at most with probability n!/k^n [x^n] (sum over j <= m of x^j/j!)^k. Above
MOST_EXACT balls, bins are treated as independent of each other, with a Poisson distribution of mean n/k each: what the
fullest has above the mean is the same in the limit, as the deviations of a multinomial from its mean are those of
independent Poisson numbers from theirs. Source: M. Raab and A. Steger, "Balls into Bins: A Simple and Tight Analysis"
(RANDOM 1998).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, pdtr

MOST_EXACT = 200
GRID = 4000
FAR = 12.0
"""Standard deviations from the mean where the distribution ends for all that is shown."""


@lru_cache(maxsize=4096)
def fullest_over_mean(n_balls: int, n_bins: int) -> float:
    """The mean, over all ways the balls may fall, of the balls in the fullest bin over those of a bin on average."""
    if n_balls < 1 or n_bins < 2:
        return 1.0
    mean = n_balls / n_bins
    return (_exact(n_balls, n_bins) if n_balls <= MOST_EXACT else _of_poisson(mean, n_bins)) / mean


def even_over_mean(n_balls: int, n_bins: int) -> float:
    """The same where balls go into the bins in turn."""
    return -(-n_balls // n_bins) * n_bins / n_balls if n_balls > 0 else 1.0


def _exact(n_balls: int, n_bins: int) -> float:
    weights = np.exp(-gammaln(np.arange(n_balls + 1) + 1.0))
    expected, whole = 0.0, np.exp(n_balls * np.log(n_bins) - gammaln(n_balls + 1.0))
    for most in range(n_balls):
        below = np.where(np.arange(n_balls + 1) <= most, weights, 0.0)
        at_most = _power(below, n_bins)[n_balls] / whole if most * n_bins >= n_balls else 0.0
        expected += 1.0 - at_most
        if at_most > 1.0 - 1e-12:
            break
    return expected


def _power(series: NDArray[np.float64], exponent: int) -> NDArray[np.float64]:
    """A power of a polynomial, as far as it has terms."""
    found = np.zeros(len(series))
    found[0] = 1.0
    while exponent:
        if exponent & 1:
            found = np.convolve(found, series)[: len(series)]
        series = np.convolve(series, series)[: len(series)]
        exponent >>= 1
    return found


def _of_poisson(mean: float, n_bins: int) -> float:
    high, low = np.ceil(mean + FAR * np.sqrt(mean) + FAR), max(0.0, np.floor(mean - FAR * np.sqrt(mean) - FAR))
    points = np.unique(np.floor(np.linspace(low, high, GRID)))
    above = 1.0 - pdtr(points, mean) ** n_bins
    # The chance that the fullest has more than m falls with m: between two points it is interpolated linearly.
    between = np.diff(points) * (above[:-1] + above[1:]) / 2
    return float(low + between.sum() + (above[0] + above[-1]) / 2) if len(points) == GRID else float(low + above.sum())
