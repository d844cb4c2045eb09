"""Curves over sizes: axes, lines, bands, points and a legend, as one picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.drawing.parts.document import Document
from designer.drawing.parts.primitives import Circle, Group, Ink, Lines, Part, Path, Pen, Rect, Text
from designer.drawing.parts.ruler import Ruler
from designer.drawing.theme import CURVE_COLOURS, Theme
from designer.units import format_size

WIDTH, HEIGHT = 860.0, 400.0
LEFT, TOP, RIGHT, BOTTOM = 64.0, 16.0, 20.0, 84.0
TEXT_SIZE = 12
LEGEND_GAP, SAMPLE = 26.0, 22.0
MOST_NAMED = 9
DOT = 4.0


@dataclass(frozen=True, slots=True)
class Series:
    """A curve over sizes in bytes: a line, or points; `least` is the lower edge of a band below it."""

    title: str
    sizes_bytes: tuple[float, ...]
    values: tuple[float, ...]
    least: tuple[float, ...] = ()
    is_dots: bool = False
    is_dashed: bool = False
    of: str = ""
    """The title of the series whose color it has; it stands in the legend with that one."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of several series under one title, with the unit of their values."""

    title: str
    unit: str
    series: tuple[Series, ...]

    def document(self, theme: Theme, ruler: Ruler) -> Document:
        """The chart as a page of its own."""
        layers = (
            Group((Rect(0, 0, WIDTH, HEIGHT, Ink(theme.background)),), "paper", label="Paper"),
            Group(tuple(self._axes(theme)), "axes", label="Axes"),
            Group(tuple(self._curves()), "curves", label="Curves"),
            Group(tuple(self._legend(theme, ruler)), "legend", label="Legend"),
        )
        titles = ", ".join(one.title for one in self.series)
        return Document(self.title, f"{self.unit} by size: {titles}", (0.0, 0.0, WIDTH, HEIGHT), layers)

    def _colour(self, one: Series) -> str:
        """Curves have the colors in turn."""
        titles = [other.title for other in self.series if not other.of]
        return CURVE_COLOURS[titles.index(one.of or one.title) % len(CURVE_COLOURS)]

    @property
    def _span(self) -> tuple[float, float]:
        """The least and the largest size, as powers of two."""
        sizes = [size for one in self.series for size in one.sizes_bytes] or [1.0]
        low, high = math.log2(min(sizes)), math.log2(max(sizes))
        return low, max(high, low + 1)

    @property
    def _top(self) -> float:
        """A round number above every value."""
        most = max((value for one in self.series for value in one.values), default=1.0) or 1.0
        step = _round_step(most)
        return step * math.ceil(most * 1.02 / step)

    def _x(self, size_bytes: float) -> float:
        low, high = self._span
        return LEFT + (math.log2(size_bytes) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def _y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / self._top * (HEIGHT - BOTTOM - TOP)

    def _axes(self, theme: Theme) -> Iterator[Part]:
        step, bottom = _round_step(self._top), HEIGHT - BOTTOM
        marks = [step * n for n in range(round(self._top / step) + 1)]
        lines = np.array([(LEFT, self._y(mark), WIDTH - RIGHT, self._y(mark)) for mark in marks])
        yield Lines(lines, Pen(theme.grid))
        for mark in marks:
            yield Text(LEFT - 8, self._y(mark) + 4, f"{mark:g}", TEXT_SIZE, theme.muted, anchor="end")
        low, high = self._span
        every = max(1, math.ceil((high - low) / MOST_NAMED))
        for power in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1, every):
            x = self._x(2.0**power)
            yield Text(x, bottom + 18, format_size(2**power), TEXT_SIZE, theme.muted, anchor="middle")
        yield Text(LEFT, bottom + 38, f"{self.unit} by size of the buffer", TEXT_SIZE, theme.muted)

    def _curves(self) -> Iterator[Part]:
        for one in self.series:
            colour = self._colour(one)
            points = [(self._x(size), self._y(value)) for size, value in zip(one.sizes_bytes, one.values, strict=True)]
            if one.least:
                edge = [(self._x(size), self._y(value)) for size, value in zip(one.sizes_bytes, one.least, strict=True)]
                yield Path((*points, *reversed(edge)), Ink(colour, 0.14), closed=True)
            if one.is_dots:
                yield from (Circle(x, y, DOT, Ink(colour)) for x, y in points)
            else:
                yield Path(tuple(points), pen=Pen(colour, 2.0, dash=(6.0, 4.0) if one.is_dashed else ()))

    def _legend(self, theme: Theme, ruler: Ruler) -> Iterator[Part]:
        x, y = LEFT, HEIGHT - 24.0
        for one in (one for one in self.series if not one.of):
            colour = self._colour(one)
            width = ruler.width(one.title, TEXT_SIZE)
            if x > LEFT and x + SAMPLE + 6 + width > WIDTH - RIGHT:
                x, y = LEFT, y + 18.0
            if one.is_dots:
                yield Circle(x + SAMPLE / 2, y - 4, DOT, Ink(colour))
            else:
                pen = Pen(colour, 2.0, dash=(6.0, 4.0) if one.is_dashed else ())
                yield Path(((x, y - 4), (x + SAMPLE, y - 4)), pen=pen)
            yield Text(x + SAMPLE + 6, y, one.title, TEXT_SIZE, theme.text)
            x += SAMPLE + 6 + width + LEGEND_GAP


def _round_step(most: float) -> float:
    """1, 2 or 5 times a power of ten, such that four to ten of them make up a number."""
    power = 10.0 ** math.floor(math.log10(most / 4))
    return next(power * n for n in (1, 2, 5, 10) if most / (power * n) <= 8)
