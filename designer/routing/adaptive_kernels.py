"""How much of each commodity leaves its minimal paths: the inner loops, compiled.

Rows are (start, bundles, weights) of one unit of each commodity, `direct` along minimal paths, `detour` Valiant's.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

NEGLIGIBLE = 1e-15
# What a bundle may add to a sum of uses to a power, that of the worst being 1, without being counted.
NOTHING = 1e-100
# Powers below are 0: nobody minds them, and numbers near the smallest there are take long to multiply.


@compiled
def worst_use(load: Any, capacity: Any) -> float:
    worst = 0.0
    for bundle in range(len(load)):
        worst = max(worst, load[bundle] / capacity[bundle])
    return worst


@compiled
def _add(load: Any, start: Any, bundles: Any, weights: Any, commodity: int, amount: float) -> None:
    for entry in range(start[commodity], start[commodity + 1]):
        load[bundles[entry]] += amount * weights[entry]


@compiled
def loads(start: Any, bundles: Any, weights: Any, moved: Any, share: Any, n_bundles: int) -> Any:
    """(n_bundles,) what the rows put on bundles where a share of each commodity takes its row."""
    load = np.zeros(n_bundles)
    for commodity in range(len(moved)):
        _add(load, start, bundles, weights, commodity, moved[commodity] * share[commodity])
    return load


@compiled
def prices(load: Any, capacity: Any, worst: float, power: int, price: Any, bend: Any) -> float:
    """Sets the first and, up to a factor, second derivative of the sum of uses to the power by the load on a bundle.

    Returns what all bundles would earn when full.
    """
    dearest = 0.0
    for bundle in range(len(load)):
        use = load[bundle] / (capacity[bundle] * worst)
        price[bundle] = _power(use, power - 1) / capacity[bundle]
        bend[bundle] = _power(use, power - 2) / capacity[bundle] ** 2
        dearest += price[bundle] * capacity[bundle]
    return dearest


@compiled
def newton(
    first: int,
    last: int,
    a_start: Any,
    a_bundles: Any,
    a_weights: Any,
    b_start: Any,
    b_bundles: Any,
    b_weights: Any,
    moved: Any,
    price: Any,
    bend: Any,
    share: Any,
    stride: float,
    move: Any,
    change: Any,
) -> float:
    """Sets how far the shares of some commodities would `move`, and what that would `change` on each bundle.

    Returns what these pay on their cheaper ways.
    """
    cheapest = 0.0
    change[:] = 0.0
    for commodity in range(first, last):
        here, there, curvature = 0.0, 0.0, 0.0
        for entry in range(a_start[commodity], a_start[commodity + 1]):
            here += a_weights[entry] * price[a_bundles[entry]]
            curvature += a_weights[entry] ** 2 * bend[a_bundles[entry]]
        for entry in range(b_start[commodity], b_start[commodity + 1]):
            there += b_weights[entry] * price[b_bundles[entry]]
            curvature += b_weights[entry] ** 2 * bend[b_bundles[entry]]
        cheapest += moved[commodity] * min(here, there)
        wanted = share[commodity]
        if moved[commodity] > 0.0 and curvature > 0.0:
            wanted -= stride * (there - here) / (moved[commodity] * curvature)
        move[commodity] = min(1.0, max(0.0, wanted)) - share[commodity]
        if move[commodity] != 0.0:
            _add(change, b_start, b_bundles, b_weights, commodity, moved[commodity] * move[commodity])
            _add(change, a_start, a_bundles, a_weights, commodity, -moved[commodity] * move[commodity])
    return cheapest


@compiled
def line_search(load: Any, change: Any, capacity: Any, power: int, used: Any, rise: Any) -> tuple[float, float]:
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
def _slope(used: Any, rise: Any, n_used: int, power: int, step: float) -> float:
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
def back_to_direct(
    a_start: Any,
    a_bundles: Any,
    a_weights: Any,
    b_start: Any,
    b_bundles: Any,
    b_weights: Any,
    moved: Any,
    capacity: Any,
    load: Any,
    share: Any,
    limit: float,
) -> None:
    """Takes back what of each share may go direct while no bundle's utilization passes the limit."""
    change = np.zeros(len(capacity))
    for commodity in range(len(moved)):
        if share[commodity] <= 0.0 or moved[commodity] <= 0.0:
            continue
        _add(change, a_start, a_bundles, a_weights, commodity, moved[commodity])
        _add(change, b_start, b_bundles, b_weights, commodity, -moved[commodity])
        back = share[commodity]
        for entry in range(a_start[commodity], a_start[commodity + 1]):
            bundle = a_bundles[entry]
            if change[bundle] > 0.0:
                back = min(back, max(0.0, limit * capacity[bundle] - load[bundle]) / change[bundle])
        for which in range(2):
            start, bundles = (a_start, a_bundles) if which == 0 else (b_start, b_bundles)
            for entry in range(start[commodity], start[commodity + 1]):
                bundle = bundles[entry]
                load[bundle] += back * change[bundle]
                change[bundle] = 0.0
        share[commodity] -= back


@compiled
def blend(
    a_start: Any,
    a_bundles: Any,
    a_weights: Any,
    b_start: Any,
    b_bundles: Any,
    b_weights: Any,
    share: Any,
    n_bundles: int,
) -> tuple[Any, Any, Any]:
    """(row_start, bundles, weights): both ways of each commodity in its shares, each bundle once."""
    n_commodities = len(share)
    row_start = np.zeros(n_commodities + 1, dtype=np.int64)
    most = len(a_bundles) + len(b_bundles)
    bundles, weights = np.empty(most, dtype=np.int32), np.empty(most)
    place = np.full(n_bundles, -1, dtype=np.int64)
    at = 0
    for commodity in range(n_commodities):
        first = at
        for which in range(2):
            part = 1.0 - share[commodity] if which == 0 else share[commodity]
            if part <= 0.0:
                continue
            start, of, weight = (a_start, a_bundles, a_weights) if which == 0 else (b_start, b_bundles, b_weights)
            for entry in range(start[commodity], start[commodity + 1]):
                bundle = of[entry]
                if place[bundle] < first:
                    place[bundle] = at
                    bundles[at], weights[at] = bundle, 0.0
                    at += 1
                weights[place[bundle]] += part * weight[entry]
        for entry in range(first, at):
            place[bundles[entry]] = -1
        row_start[commodity + 1] = at
    return row_start, bundles[:at].copy(), weights[:at].copy()
