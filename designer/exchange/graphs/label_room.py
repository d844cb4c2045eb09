"""Room for turned labels among the lines that meet at a box: none covers a line but its own, nor another label."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Floats


class TurnedRect(NamedTuple):
    """A rectangle around its middle, turned clockwise by so many degrees."""

    x: float
    y: float
    width: float
    height: float
    turn: float


class LabelRoom:
    """Lines, (n, 4), and the rectangles that labels have taken there."""

    def __init__(self, lines: Sequence[tuple[float, float, float, float]], taken: Sequence[TurnedRect] = ()) -> None:
        self._lines = np.array(lines, np.float64).reshape(-1, 4)
        self._taken = list(taken)

    def take(self, rect: TurnedRect) -> None:
        """A label stands there from now on."""
        self._taken.append(rect)

    def is_free(self, rect: TurnedRect, own_line: int) -> bool:
        """Whether the rectangle covers no line but that one, by its place, and no label."""
        others = np.delete(self._lines, own_line, axis=0)
        if _are_covered(_within(others.reshape(-1, 2), rect).reshape(-1, 4), rect).any():
            return False
        return not any(_overlap(rect, other) for other in self._taken)


def _within(points: Floats, rect: TurnedRect) -> Floats:
    """Points, (n, 2), from the middle of a rectangle along its width and height."""
    turn = math.radians(rect.turn)
    across, down = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    found: Floats = (points - (rect.x, rect.y)) @ np.array([across, down]).T
    return found


def _are_covered(lines: Floats, rect: TurnedRect) -> Floats:
    """Which lines, as `_within` has their ends, run through the rectangle."""
    start, along = lines[:, :2], lines[:, 2:] - lines[:, :2]
    half = np.array([rect.width / 2, rect.height / 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (-half - start) / along, (half - start) / along
    still = along == 0  # a line along a side is in the strip of that side for all its length, or never
    is_inside = np.abs(start) < half
    enter = np.where(still, np.where(is_inside, -np.inf, np.inf), np.minimum(first, last)).max(axis=1)
    leave = np.where(still, np.where(is_inside, np.inf, -np.inf), np.maximum(first, last)).min(axis=1)
    found: Floats = np.maximum(enter, 0.0) < np.minimum(leave, 1.0)
    return found


def _overlap(one: TurnedRect, other: TurnedRect) -> bool:
    """Whether two rectangles share more than an edge: no side of either has all of the other beyond it."""
    return not any(_apart(_within(_corners(b), a), a) for a, b in ((one, other), (other, one)))


def _apart(corners: Floats, rect: TurnedRect) -> bool:
    half = np.array([rect.width / 2, rect.height / 2])
    return bool((corners.min(axis=0) >= half).any() or (corners.max(axis=0) <= -half).any())


def _corners(rect: TurnedRect) -> Floats:
    turn = math.radians(rect.turn)
    across = np.array((math.cos(turn), math.sin(turn))) * rect.width / 2
    down = np.array((-math.sin(turn), math.cos(turn))) * rect.height / 2
    middle = np.array((rect.x, rect.y))
    return np.array([middle + a * across + b * down for a in (-1, 1) for b in (-1, 1)])
