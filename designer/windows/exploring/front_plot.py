"""Candidates as points: one figure against another, those of the Pareto front in color; a click chooses one.

Points that lie on each other are counted; they are all named under the pointer, and clicks choose one after the other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QBrush, QColor, QPainterPath

from designer.drawing.theme import CURVE_COLOURS
from designer.exploring.figures import Objective
from designer.exploring.results import DOMINATED, FRONT, Outcome
from designer.late import Late
from designer.panels.studies.plot_legend import Entry, Symbol
from designer.panels.studies.plots import Plot
from designer.panels.widgets.appearance import Appearance
from designer.regeneration.recipes import family_named
from designer.units import format_count
from designer.windows.exploring.coordinates import next_of

pyqtgraph = Late("pyqtgraph")

BEST_PX, OTHER_PX, CHOSEN_PX, RING_PX = 11, 7, 17, 12
FAINT, SOLID = 90, 190
"""Of points that are not on the front, and of those that are, out of 255: what lies under them shows through."""
SAME_PX = 9.0
"""Points that are no farther from each other are counted as one place."""
SYMBOLS = ("o", "s", "t", "d", "p", "h", "star", "+")
"""Of families, which colors alone do not distinguish."""


class FrontPlot(Plot):
    """`chosen` carries the outcome whose point is clicked."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._outcomes: Sequence[Outcome] = ()
        self._x: Objective | None = None
        self._y: Objective | None = None
        self._chosen: frozenset[int] = frozenset()
        self.points: Any = None

    def show_outcomes(
        self, outcomes: Sequence[Outcome], x: Objective, y: Objective, chosen: frozenset[int] = frozenset()
    ) -> None:
        """Show the candidates that were built and keep all limits, those of these numbers marked."""
        self._outcomes, self._x, self._y, self._chosen = outcomes, x, y, chosen
        self.draw()

    @property
    def shown(self) -> list[Outcome]:
        """The candidates that have a point."""
        return [one for one in self._outcomes if one.status in (FRONT, DOMINATED) and self._at(one) is not None]

    def recolour(self) -> None:
        """Take over the colors of the appearance."""
        super().recolour()
        if self.widget is not None and self._x is not None:
            self.draw()

    def draw(self) -> None:
        """Redraw all points."""
        if self._x is None or self._y is None:
            return
        if self.widget is None:
            self.make(self._x.label, self._y.label)
        self._titles = {"bottom": self._x.label, "left": self._y.label}
        super().recolour()
        item = self.widget.getPlotItem()
        item.clear()
        shown = self.shown
        for objective, side in ((self._x, "bottom"), (self._y, "left")):
            item.getAxis(side).enableAutoSIPrefix(False)
            item.getAxis(side).tickStrings = _ticks(objective)
        families = sorted({one.candidate.family for one in shown})
        colours = {one: QColor(CURVE_COLOURS[n % len(CURVE_COLOURS)]) for n, one in enumerate(families)}
        symbols = {one: SYMBOLS[n % len(SYMBOLS)] for n, one in enumerate(families)}
        self._line(item, [one for one in shown if one.status == FRONT])
        self.points = self._points(shown, colours, symbols)
        item.addItem(self.points)
        item.addItem(self._rings([one for one in shown if one.candidate.number in self._chosen]))
        for x, y, count in self.places(item.vb.width(), item.vb.height()):
            text = pyqtgraph.TextItem(format_count(count), self._appearance.colour("text"), anchor=(-0.35, 0.9))
            text.setPos(x, y)
            item.addItem(text)
        self.show_legend(tuple(self._entries(shown, colours, symbols)))

    def _entries(
        self, shown: Sequence[Outcome], colours: Mapping[str, QColor], symbols: Mapping[str, str]
    ) -> Iterator[Entry]:
        """What each symbol stands for, then what its size and its paleness say, and the ring."""
        for family in symbols:
            yield self._symbol(symbols[family], colours[family], is_best=True), family_named(family).title
        grey, first = self._appearance.colour("muted"), next(iter(symbols.values()), SYMBOLS[0])
        for is_best, name in ((True, "Large: best"), (False, "Small and pale: not best")):
            if any((one.status == FRONT) is is_best for one in shown):
                yield self._symbol(first, grey, is_best=is_best), name
        if any(one.candidate.number in self._chosen for one in shown):
            yield Symbol(_outline("o"), RING_PX, QBrush(), self._ring_pen), "Selected"

    def _symbol(self, symbol: str, colour: QColor, *, is_best: bool) -> Symbol:
        """What the points of a family look like."""
        fill = QColor(colour)
        fill.setAlpha(SOLID if is_best else FAINT)
        pen = pyqtgraph.mkPen(self._appearance.colour("base") if is_best else None, width=1)
        return Symbol(_outline(symbol), BEST_PX if is_best else OTHER_PX, pyqtgraph.mkBrush(fill), pen)

    @property
    def _ring_pen(self) -> Any:
        return pyqtgraph.mkPen(self._appearance.colour("text"), width=2)

    def places(self, width_px: float, height_px: float) -> list[tuple[float, float, int]]:
        """Where several points lie on each other on a plot of that size, and how many."""
        at = [place for one in self.shown if (place := self._at(one)) is not None]
        if not at:
            return []
        xs, ys = zip(*at, strict=True)
        step = [
            (max(values) - min(values) or 1.0) * SAME_PX / max(size, SAME_PX)
            for values, size in ((xs, width_px), (ys, height_px))
        ]
        found: list[tuple[float, float, int]] = []
        for x, y in sorted(at):
            for number, (other_x, other_y, count) in enumerate(found):
                if abs(x - other_x) <= step[0] and abs(y - other_y) <= step[1]:
                    found[number] = other_x, other_y, count + 1
                    break
            else:
                found.append((x, y, 1))
        return [one for one in found if one[2] > 1]

    def _at(self, outcome: Outcome) -> tuple[float, float] | None:
        if outcome.figures is None or self._x is None or self._y is None:
            return None
        x, y = self._x.of(outcome.figures), self._y.of(outcome.figures)
        return None if x is None or y is None else (x, y)

    def _line(self, item: Any, best: Sequence[Outcome]) -> None:
        """Steps along those of the front that nothing beats in these two figures."""
        corners: list[tuple[float, float]] = []
        lowest = float("inf")
        for x, y in sorted(at for one in best if (at := self._at(one)) is not None):
            if y < lowest:
                corners += [(x, lowest), (x, y)] if corners else [(x, y)]
                lowest = y
        if len(corners) > 1:
            pen = pyqtgraph.mkPen(self._appearance.colour("muted"), width=1)
            item.plot([x for x, _ in corners], [y for _, y in corners], pen=pen, antialias=True)

    def _points(self, outcomes: Sequence[Outcome], colours: Mapping[str, QColor], symbols: Mapping[str, str]) -> Any:
        """All points as one item, so that it knows which lie on each other; the best in front."""
        spots = []
        for one in sorted(outcomes, key=lambda one: one.status == FRONT):
            name = symbols[one.candidate.family]
            look = self._symbol(name, colours[one.candidate.family], is_best=one.status == FRONT)
            spots.append(
                {
                    "pos": self._at(one),
                    "size": look.size_px,
                    "symbol": name,
                    "brush": look.brush,
                    "pen": look.pen,
                    "data": one,
                }
            )
        points = pyqtgraph.ScatterPlotItem(spots, hoverable=True, tip=self._tip)
        points.setZValue(2)
        points.sigClicked.connect(self._clicked)
        return points

    def _tip(self, x: float, y: float, data: Outcome) -> str:
        """What is shown under the pointer: the candidate and its two figures."""
        axes = ((axis, value) for axis, value in ((self._x, x), (self._y, y)) if axis is not None)
        figures = ", ".join(f"{axis.title} {axis.figure(value)}" for axis, value in axes)
        return f"#{data.candidate.number} {data.candidate.title}\n{figures}"

    def _rings(self, outcomes: Sequence[Outcome]) -> Any:
        rings = pyqtgraph.ScatterPlotItem(
            pos=[at for one in outcomes if (at := self._at(one)) is not None],
            size=CHOSEN_PX,
            brush=None,
            pen=self._ring_pen,
        )
        rings.setZValue(1)  # under the points, which take clicks
        return rings

    def _clicked(self, _item: Any, points: Any, *_event: Any) -> None:
        """Choose the candidate of a point; of points that lie on each other the one after that which is chosen."""
        following = next_of([one.data() for one in points], self._chosen)
        if following is not None:
            self.chosen.emit(following)


def _outline(symbol: str) -> QPainterPath:
    """The outline of a symbol, one wide and high."""
    return QPainterPath(pyqtgraph.graphicsItems.ScatterPlotItem.Symbols[symbol])


def _ticks(objective: Objective) -> Callable[[Sequence[float], float, float], list[str]]:
    """What stands at values of an axis: no two look alike, nor like what would stand one step before them."""

    def texts(values: Sequence[float], _scale: float, spacing: float) -> list[str]:
        steps = sorted({round(value / spacing) + step for value in values for step in (-1, 0)})
        found = dict(zip(steps, objective.texts([step * spacing for step in steps]), strict=True))
        return [found[round(value / spacing)] for value in values]

    return texts
