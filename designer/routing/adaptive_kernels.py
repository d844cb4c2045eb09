"""How much of each commodity leaves its minimal paths: the inner loops, compiled.

Rows are (start, bundles, weights) of one unit of each commodity, `direct` along minimal paths, `detour` Valiant's.
"""

from typing import Any

import numpy as np

from designer.graph.compiled import compiled

CLOSE = 1.005
# The best found may be so much above the bound.
NEGLIGIBLE = 1e-30
# What a bundle may add to a sum of uses to a power, that of the worst being 1, without being counted.


@compiled
def _worst(load: Any, capacity: Any) -> float:
    worst = 0.0
    for bundle in range(len(load)):
        worst = max(worst, load[bundle] / capacity[bundle])
    return worst


@compiled
def _add(load: Any, start: Any, bundles: Any, weights: Any, commodity: int, amount: float) -> None:
    for entry in range(start[commodity], start[commodity + 1]):
        load[bundles[entry]] += amount * weights[entry]


@compiled
def splits(
    a_start: Any, a_bundles: Any, a_weights: Any, b_start: Any, b_bundles: Any, b_weights: Any, moved: Any,
    capacity: Any, rounds: int, slack: float, cool: float,
) -> Any:  # fmt: skip
    """(n_commodities,) share of each commodity on its detour.

    Frank-Wolfe on the sum over bundles of utilization to a power that grows with the rounds, which tends to the least
    largest utilization; each round ends with an exact search along its line. Of all rounds, all direct and all detoured
    the best is kept; then shares go back to direct paths while no bundle exceeds `slack` times the worst, or `cool`.
    Done early once the best is close to a bound that no split can go below: at any prices, what all commodities pay on
    their cheaper ways over what all bundles would earn when full (linear programming duality).
    """
    n_commodities, n_bundles = len(moved), len(capacity)
    share, best = np.zeros(n_commodities), np.zeros(n_commodities)
    load, aim = np.zeros(n_bundles), np.zeros(n_bundles)
    price = np.empty(n_bundles)
    used, change = np.empty(n_bundles), np.empty(n_bundles)
    target = np.empty(n_commodities)
    for commodity in range(n_commodities):
        _add(load, a_start, a_bundles, a_weights, commodity, moved[commodity])
        _add(aim, b_start, b_bundles, b_weights, commodity, moved[commodity])
    least = _worst(load, capacity)
    if _worst(aim, capacity) < least:
        least = _worst(aim, capacity)
        best[:] = 1.0
    for number in range(rounds):
        worst = _worst(load, capacity)
        if worst == 0.0:
            break
        power = 4 + 60 * number // rounds
        for bundle in range(n_bundles):
            price[bundle] = _power(load[bundle] / (capacity[bundle] * worst), power) / capacity[bundle]
        aim[:] = 0.0
        dearest, cheapest = 0.0, 0.0
        for bundle in range(n_bundles):
            dearest += price[bundle] * capacity[bundle]
        for commodity in range(n_commodities):
            here, there = 0.0, 0.0
            for entry in range(a_start[commodity], a_start[commodity + 1]):
                here += a_weights[entry] * price[a_bundles[entry]]
            for entry in range(b_start[commodity], b_start[commodity + 1]):
                there += b_weights[entry] * price[b_bundles[entry]]
            target[commodity] = 1.0 if there < here else 0.0
            cheapest += moved[commodity] * min(here, there)
            if target[commodity] > 0.5:
                _add(aim, b_start, b_bundles, b_weights, commodity, moved[commodity])
            else:
                _add(aim, a_start, a_bundles, a_weights, commodity, moved[commodity])
        if least <= max(cool, cheapest / dearest * CLOSE):
            break
        step = _line_search(load, aim, capacity, power, used, change)
        if step <= 1e-9:
            if number > 3 * rounds // 4:
                break
            continue
        for bundle in range(n_bundles):
            load[bundle] += step * (aim[bundle] - load[bundle])
        for commodity in range(n_commodities):
            share[commodity] += step * (target[commodity] - share[commodity])
        worst = _worst(load, capacity)
        if worst < least:
            least = worst
            best[:] = share
    load[:] = 0.0
    for commodity in range(n_commodities):
        _add(load, a_start, a_bundles, a_weights, commodity, (1.0 - best[commodity]) * moved[commodity])
        _add(load, b_start, b_bundles, b_weights, commodity, best[commodity] * moved[commodity])
    _back_to_direct(
        a_start, a_bundles, a_weights, b_start, b_bundles, b_weights, moved, capacity, load, best,
        max(least * slack, cool),
    )
    return best


@compiled
def _line_search(load: Any, aim: Any, capacity: Any, power: int, used: Any, change: Any) -> float:
    """The step from `load` towards `aim`, 0 to 1, with the least sum of uses to the power, by golden section.

    Uses count relative to the worst of `load`; those too small to matter to the sum are left out. `used` and `change`
    are scratch by bundle.
    """
    scale = _worst(load, capacity)
    floor = NEGLIGIBLE ** (1.0 / power)
    n_used = 0
    for bundle in range(len(load)):
        per = 1.0 / (capacity[bundle] * scale)
        now, then = load[bundle] * per, aim[bundle] * per
        if max(now, then) > floor:
            used[n_used], change[n_used] = now, then - now
            n_used += 1
    low, high = 0.0, 1.0
    ratio = 0.6180339887498949
    x1, x2 = high - ratio * (high - low), low + ratio * (high - low)
    y1, y2 = _value(used, change, n_used, power, x1), _value(used, change, n_used, power, x2)
    for _ in range(24):
        if y1 <= y2:
            high, x2, y2 = x2, x1, y1
            x1 = high - ratio * (high - low)
            y1 = _value(used, change, n_used, power, x1)
        else:
            low, x1, y1 = x1, x2, y2
            x2 = low + ratio * (high - low)
            y2 = _value(used, change, n_used, power, x2)
    step = (low + high) / 2
    is_better = _value(used, change, n_used, power, step) < _value(used, change, n_used, power, 0.0)
    return step if is_better else 0.0


@compiled
def _value(used: Any, change: Any, n_used: int, power: int, step: float) -> float:
    total = 0.0
    for place in range(n_used):
        total += _power(max(0.0, used[place] + step * change[place]), power)
    return total


@compiled
def _power(base: float, exponent: int) -> float:
    """By squaring: much faster than the power of floats."""
    found = 1.0
    while exponent > 0:
        if exponent & 1:
            found *= base
        base *= base
        exponent >>= 1
    return found


@compiled
def _back_to_direct(
    a_start: Any, a_bundles: Any, a_weights: Any, b_start: Any, b_bundles: Any, b_weights: Any, moved: Any,
    capacity: Any, load: Any, share: Any, limit: float,
) -> None:  # fmt: skip
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
    a_start: Any, a_bundles: Any, a_weights: Any, b_start: Any, b_bundles: Any, b_weights: Any, share: Any,
    n_bundles: int,
) -> tuple[Any, Any, Any]:  # fmt: skip
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
