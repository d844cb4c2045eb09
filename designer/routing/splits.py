"""How much of each commodity leaves its minimal paths, so that the largest utilization of a bundle is the least.

Newton steps of all commodities at once, each by its own slope and curvature, projected to 0 to 1, on the sum over
bundles of utilization to a power that grows with the rounds, which tends to the least largest utilization; each round
ends with a search along its line. The first line is that of one share for all. The best of all rounds is kept; then
shares go back to direct paths while that costs nothing. Done early once the best is close to a bound that no split can
go below: at any prices, what all commodities pay on their cheaper ways over what all bundles would earn when full
(linear programming duality).
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from designer.routing import adaptive_kernels as kernels
from designer.routing.transport_kernels import Rows

Floats = NDArray[np.float64]

MOST_ROUNDS, FEWEST_ROUNDS, ENTRIES_READ = 200, 20, 150_000_000
"""Rounds of looking for the splits: 200, fewer where these would read more entries of rows, but 20 at least."""
SLACK = 1.005
"""How much above the least utilization found a bundle may be, for the sake of shorter ways."""
CLOSE = 1.005
# The best found may be so much above the bound.
FIRST_POWER, LAST_POWER = 8, 512
POOR = 0.001
# Where a round makes the norm of the uses, the sum's root, less by a smaller share, the power doubles; by powers above
# the first the less there is to win.
MOST_PIECES, WORTH_A_PIECE = 8, 500_000
# Commodities are cut into pieces for threads, of so many entries or more: the same pieces on every computer.


def splits(direct: Rows, detour: Rows, moved: Floats, capacity: Floats, cool: float, slack: float = SLACK) -> Floats:
    """(n_commodities,) the share of each commodity that goes by its detour; nothing leaves for bundles below `cool`."""
    everything = np.ones(len(moved))
    load = kernels.loads(direct, moved, everything, len(capacity))
    away = kernels.loads(detour, moved, everything, len(capacity))
    least, all_away = kernels.worst_use(load, capacity), kernels.worst_use(away, capacity)
    best, ways = np.zeros(len(moved)), kernels.Ways(direct, detour, moved)
    if all_away < least:
        least, best = all_away, everything
    if least > 0.0:
        with _Pieces(ways) as pieces:
            least, best = _searched(pieces, load, away - load, capacity, cool, least, best)
    load = kernels.loads(direct, moved, 1.0 - best, len(capacity))
    load += kernels.loads(detour, moved, best, len(capacity))
    kernels.back_to_direct(ways, capacity, load, best, max(least * slack, cool))
    return best


def _searched(
    pieces: "_Pieces", load: Floats, change: Floats, capacity: Floats, cool: float, least: float, best: Floats
) -> tuple[float, Floats]:
    """(least worst use found, its shares), from `load` and no detours on along `change`, that of all detours."""
    n_bundles = len(capacity)
    share, move = np.zeros(len(best)), np.ones(len(best))
    price, (used, rise) = np.empty((n_bundles, 2)), np.empty((2, n_bundles))
    power, stride = FIRST_POWER, 1.0
    for number in range(pieces.rounds):
        step, gain = kernels.line_search(load, change, capacity, power, used, rise)
        load, share = np.maximum(0.0, load + step * change), share + step * move
        worst = kernels.worst_use(load, capacity)
        if worst < least:
            least, best = worst, share
        stride *= 2.0 if step > 0.8 else 0.5 if step < 0.3 else 1.0
        if number == pieces.rounds - 1:
            break
        if gain < POOR * FIRST_POWER / power:
            power = min(2 * power, LAST_POWER)
        dearest = kernels.prices(load, capacity, worst, power, price)
        cheapest, move, change = pieces.newton(price, share, stride * worst / (power - 1))
        if least <= max(cool, cheapest / dearest * CLOSE):
            break
    return least, best


class _Pieces:
    """Commodities in pieces, a thread for each where there are processors for it."""

    def __init__(self, ways: kernels.Ways) -> None:
        self._ways = ways
        entries, n_commodities = len(ways.direct.items) + len(ways.detour.items), len(ways.moved)
        self.rounds = min(MOST_ROUNDS, max(FEWEST_ROUNDS, ENTRIES_READ // max(entries, 1)))
        count = min(MOST_PIECES, max(1, entries // WORTH_A_PIECE))
        self._bounds = [n_commodities * piece // count for piece in range(count + 1)]
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1) if count > 1 else None

    def __enter__(self) -> "_Pieces":
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def newton(self, price: Floats, share: Floats, stride: float) -> tuple[float, Floats, Floats]:
        """(what all pay on their cheaper ways, how far the shares would move, what that would change on bundles)."""
        move, changes = np.empty(len(share)), np.empty((len(self._bounds) - 1, len(price)))

        def piece(number: int) -> float:
            bounds = self._bounds[number], self._bounds[number + 1]
            return kernels.newton(bounds, self._ways, price, share, stride, move, changes[number])

        paid = (self._pool.map if self._pool is not None else map)(piece, range(len(changes)))
        return sum(paid), move, changes.sum(axis=0)
