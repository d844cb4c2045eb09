"""Groups around a free middle: their nearest points lie on an ellipse, so no line between two of them meets a third."""

import math

from designer.placement.metrics import GAP

SCREEN_RATIO = 1.6
APART = 150.0
"""Between two groups: the title of one stands there, also where the drawing is a third of its size."""
ROUNDS = 60
"""Of halving: a thousandth of a unit in any picture."""
LEAST_REACH = 160.0

MOUTH_SHARE, MOST_MOUTH = 0.12, 220.0

Spot = tuple[float, float, bool]
"""Middle of a group, y of its side that faces the middle, and whether it stands in the upper half."""


def around(count: int, width: float, depth: float) -> list[Spot]:
    """Where so many groups of a width and depth stand, clockwise from the top, in a picture of about a screen's shape.

    An odd group stands at the top, in the middle; two that are left over stand at the top and at the bottom. One alone
    is in the lower half.
    """
    mouth = mouth_of(width)
    height = depth + mouth
    if count < 2:
        return [(0.0, 0.0, False)] * count
    n_top, n_bottom = (1, 0) if count % 2 else (1, 1) if count % 4 == 2 else (0, 0)
    n_side = (count - n_top - n_bottom) // 2
    n_upper = n_side // 2
    reach = _least_reach((n_upper, n_top), (n_side - n_upper, n_bottom), width, height)
    upper, lower = (
        _quarter(number, middle, reach, width, height)
        for number, middle in ((n_upper, n_top), (n_side - n_upper, n_bottom))
    )
    right = [(x, -y, True) for x, y in upper] + [(x, y, False) for x, y in reversed(lower)]
    left = [(-x, y, is_upper) for x, y, is_upper in reversed(right)]
    top, bottom = [(0.0, -reach, True)] * n_top, [(0.0, reach, False)] * n_bottom
    return [
        (round(x, 1), round(y - mouth if is_upper else y + mouth, 1), is_upper)
        for x, y, is_upper in (*top, *right, *bottom, *left)
    ]


def inward(x: float, width: float, own: float) -> float:
    """The middle of a narrower group in a place for one of that width at x: its end towards the middle stays there."""
    return x if abs(x) < width / 2 else round(math.copysign(abs(x) - (width - own) / 2, x), 1)


def _axes(reach: float, width: float, height: float) -> tuple[float, float]:
    """Half of the width and of the height of the ellipse."""
    wide = SCREEN_RATIO * (reach + height) - width
    return min(max(wide, 0.75 * reach), 3 * reach), reach


def _least_reach(upper: tuple[int, int], lower: tuple[int, int], width: float, height: float) -> float:
    """Half of the height of the least ellipse with room for both quarters."""
    low = high = LEAST_REACH
    while not all(_has_room(*quarter, high, width, height) for quarter in (upper, lower)):
        low, high = high, 2 * high
    for _ in range(ROUNDS if high > LEAST_REACH else 0):
        middle = (low + high) / 2
        if all(_has_room(*quarter, middle, width, height) for quarter in (upper, lower)):
            high = middle
        else:
            low = middle
    return high


def _has_room(count: int, middle: int, reach: float, width: float, height: float) -> bool:
    return len(_quarter(count, middle, reach, width, height)) == count


def _quarter(count: int, middle: int, reach: float, width: float, height: float) -> list[tuple[float, float]]:
    """Middles and facing sides of up to so many groups right of the upper middle, mirrored where they are below."""
    found: list[tuple[float, float]] = []
    angle = _first(middle, *_axes(reach, width, height), width, height)
    across, along = _axes(reach, width, height)
    while len(found) < count and along * math.cos(angle) >= APART / 2:
        x, y = across * math.sin(angle), along * math.cos(angle)
        found.append((x + width / 2, y))
        beside = math.asin(min(1.0, (x + width + APART) / across))
        under = math.acos(min(1.0, max(0.0, (y - height - APART) / along))) if y >= height + APART else math.pi / 2
        angle = min(beside if x + width + APART <= across else math.pi / 2, under)
        if angle >= math.pi / 2:
            break
    return found


def _first(middle: int, across: float, along: float, width: float, height: float) -> float:
    """The angle from the vertical where a quarter begins: beside the group in the middle, or below it."""
    if not middle:
        return math.asin(min(1.0, APART / 2 / across))
    beside = (width / 2 + APART) / across
    under = (along - height - APART) / along
    return min(math.asin(beside) if beside <= 1 else math.pi / 2, math.acos(under) if under >= 0 else math.pi / 2)


def mouth_of(width: float) -> float:
    """How far before a group of that width its links to other groups come together."""
    return min(max(MOUTH_SHARE * width, 2 * GAP), MOST_MOUTH)
