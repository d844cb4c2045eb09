"""How much of each commodity leaves its minimal paths: the inner loops, compiled."""

from typing import NamedTuple

import numpy as np

from designer.graph.compiled import compiled, compiled_borrowing
from designer.routing.transport_kernels import Floats, Rows

NEGLIGIBLE = 1e-15
# What a bundle may add to a sum of uses to a power, that of the worst being 1, without being counted.
NOTHING = 1e-100
# Powers below are 0: nobody minds them, and numbers near the smallest there are take long to multiply.


class Ways(NamedTuple):
    """What one unit of each commodity puts on bundles: along minimal paths, and by Valiant's."""

    direct: Rows
    detour: Rows
    moved: Floats  # (n_commodities,) bytes


@compiled
def worst_use(load: Floats, capacity: Floats) -> float:
    """The highest utilization of any bundle; loads and capacities in one unit."""
    worst = 0.0
    for bundle in range(len(load)):
        worst = max(worst, load[bundle] / capacity[bundle])
    return worst


@compiled_borrowing
def _add(load: Floats, rows: Rows, commodity: int, amount: float) -> None:
    start, items, weights = rows
    for entry in range(start[commodity], start[commodity + 1]):
        load[items[entry]] += amount * weights[entry]


@compiled
def loads(rows: Rows, moved: Floats, share: Floats, n_bundles: int) -> Floats:
    """(n_bundles,) what the rows put on bundles where a share of each commodity takes its row."""
    load = np.zeros(n_bundles)
    for commodity in range(len(moved)):
        _add(load, rows, commodity, moved[commodity] * share[commodity])
    return load


@compiled
def prices(load: Floats, capacity: Floats, worst: float, power: int, price: Floats) -> float:
    """Sets the first and, up to a factor, second derivative of the sum of uses to the power by the load on a bundle.

    They stand side by side in `price` (n_bundles, 2), as they are read. Returns what all bundles would earn when full.
    """
    dearest = 0.0
    for bundle in range(len(load)):
        use = load[bundle] / (capacity[bundle] * worst)
        price[bundle, 0] = _power(use, power - 1) / capacity[bundle]
        price[bundle, 1] = _power(use, power - 2) / capacity[bundle] ** 2
        dearest += price[bundle, 0] * capacity[bundle]
    return dearest


@compiled
def newton(
    piece: tuple[int, int],
    ways: Ways,
    price: Floats,
    share: Floats,
    stride: float,
    move: Floats,
    change: Floats,
) -> float:
    """Sets how far the shares of commodities, from one up to another, `move`, and what that will `change` on bundles.

    Returns what these pay on their cheaper ways.
    """
    direct, detour, moved = ways
    (a_start, a_bundles, a_weights), (b_start, b_bundles, b_weights) = direct, detour
    cheapest = 0.0
    change[:] = 0.0
    for commodity in range(piece[0], piece[1]):
        here, there, curvature = 0.0, 0.0, 0.0
        for entry in range(a_start[commodity], a_start[commodity + 1]):
            here += a_weights[entry] * price[a_bundles[entry], 0]
            curvature += a_weights[entry] ** 2 * price[a_bundles[entry], 1]
        for entry in range(b_start[commodity], b_start[commodity + 1]):
            there += b_weights[entry] * price[b_bundles[entry], 0]
            curvature += b_weights[entry] ** 2 * price[b_bundles[entry], 1]
        cheapest += moved[commodity] * min(here, there)
        wanted = share[commodity]
        if moved[commodity] > 0.0 and curvature > 0.0:
            wanted -= stride * (there - here) / (moved[commodity] * curvature)
        move[commodity] = min(1.0, max(0.0, wanted)) - share[commodity]
        if move[commodity] != 0.0:
            _add(change, detour, commodity, moved[commodity] * move[commodity])
            _add(change, direct, commodity, -moved[commodity] * move[commodity])
    return cheapest


@compiled
def line_search(
    load: Floats, change: Floats, capacity: Floats, power: int, used: Floats, rise: Floats
) -> tuple[float, float]:
    """(step, gain): the step along `change`, 0 to 1, with the least norm of the uses, and by what share it is less.

    By halving where the slope changes sign.

    Uses count relative to the worst of `load`; those too small to matter to the sum are left out. `used` and `rise`
    are scratch by bundle.
    """
    scale = worst_use(load, capacity)
    floor = NEGLIGIBLE ** (1.0 / power)
    n_used = 0
    for bundle in range(len(load)):
        per = 1.0 / (capacity[bundle] * scale)
        now, more = load[bundle] * per, change[bundle] * per
        if max(now, now + more) > floor:
            used[n_used], rise[n_used] = now, more
            n_used += 1
    low, high = 0.0, 1.0
    if _slope(used, rise, n_used, power, 1.0) <= 0.0:
        low = 1.0
    for _ in range(12):
        if high - low < 1e-3:
            break
        middle = (low + high) / 2
        if _slope(used, rise, n_used, power, middle) <= 0.0:
            low = middle
        else:
            high = middle
    before, after = 0.0, 0.0
    for place in range(n_used):
        before += _power(used[place], power)
        after += _power(max(0.0, used[place] + low * rise[place]), power)
    return low, 1.0 - (after / before) ** (1.0 / power)


@compiled
def _slope(used: Floats, rise: Floats, n_used: int, power: int, step: float) -> float:
    total = 0.0
    for place in range(n_used):
        if rise[place] != 0.0:
            total += rise[place] * _power(max(0.0, used[place] + step * rise[place]), power - 1)
    return total


@compiled
def _power(base: float, exponent: int) -> float:
    """By squaring: much faster than the power of floats."""
    found = 1.0
    while exponent > 0:
        if base < NOTHING:
            return 0.0
        if exponent & 1:
            found *= base
        base *= base
        exponent >>= 1
    return found


@compiled
def back_to_direct(ways: Ways, capacity: Floats, load: Floats, share: Floats, limit: float) -> None:
    """Takes back what of each share may go direct while no bundle's utilization passes the limit."""
    direct, detour, moved = ways
    change = np.zeros(len(capacity))
    for commodity in range(len(moved)):
        if share[commodity] <= 0.0 or moved[commodity] <= 0.0:
            continue
        _add(change, direct, commodity, moved[commodity])
        _add(change, detour, commodity, -moved[commodity])
        back = share[commodity]
        start, items = direct.start, direct.items
        for entry in range(start[commodity], start[commodity + 1]):
            bundle = items[entry]
            if change[bundle] > 0.0:
                back = min(back, max(0.0, limit * capacity[bundle] - load[bundle]) / change[bundle])
        for rows in (direct, detour):
            start, items = rows.start, rows.items
            for entry in range(start[commodity], start[commodity + 1]):
                bundle = items[entry]
                load[bundle] += back * change[bundle]
                change[bundle] = 0.0
        share[commodity] -= back
