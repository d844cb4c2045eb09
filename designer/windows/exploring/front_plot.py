"""Candidates as points: one figure against another, those of the Pareto front in color; a click chooses one."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor

from designer.drawing.theme import CURVE_COLOURS
from designer.exploring.figures import Objective
from designer.exploring.results import DOMINATED, FRONT, Outcome
from designer.late import Late
from designer.panels.studies.plots import Plot
from designer.panels.widgets.appearance import Appearance

pyqtgraph = Late("pyqtgraph")

BEST_PX, OTHER_PX, CHOSEN_PX = 11, 7, 17
FAINT = 90
"""Of points that are not on the front, out of 255."""
SYMBOLS = ("o", "s", "t", "d", "p", "h", "star", "+")
"""Of families, which colors alone do not tell apart."""


class FrontPlot(Plot):
    """`chosen` carries the outcome whose point is clicked."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._outcomes: Sequence[Outcome] = ()
        self._x: Objective | None = None
        self._y: Objective | None = None
        self._chosen: frozenset[int] = frozenset()

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
            self.make(self._x.title.lower(), self._y.title.lower())
        self._titles = {"bottom": self._x.title, "left": self._y.title}
        super().recolour()
        item = self.widget.getPlotItem()
        item.clear()
        shown = self.shown
        for objective, side in ((self._x, "bottom"), (self._y, "left")):
            item.getAxis(side).enableAutoSIPrefix(False)
            item.getAxis(side).tickStrings = _ticks(objective)
        families = sorted({one.candidate.family for one in shown})
        self._line(item, [one for one in shown if one.status == FRONT])
        entries = []
        for number, family in enumerate(families):
            colour = QColor(CURVE_COLOURS[number % len(CURVE_COLOURS)])
            for status in (DOMINATED, FRONT):
                of = [one for one in shown if one.candidate.family == family and one.status == status]
                item.addItem(self._points(of, colour, SYMBOLS[number % len(SYMBOLS)], best=status == FRONT))
            entries.append((pyqtgraph.mkPen(colour, width=4), family))
        marked = [one for one in shown if one.candidate.number in self._chosen]
        item.addItem(self._rings(marked))
        self.show_legend(entries)

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

    def _points(self, outcomes: Sequence[Outcome], colour: QColor, symbol: str, *, best: bool) -> Any:
        fill = QColor(colour)
        fill.setAlpha(255 if best else FAINT)
        places = [self._at(one) for one in outcomes]
        points = pyqtgraph.ScatterPlotItem(
            pos=[at for at in places if at is not None],
            size=BEST_PX if best else OTHER_PX,
            symbol=symbol,
            brush=pyqtgraph.mkBrush(fill),
            pen=pyqtgraph.mkPen(self._appearance.colour("base") if best else None, width=1),
            data=list(outcomes),
        )
        points.setZValue(2 if best else 1)
        points.sigClicked.connect(self._clicked)
        return points

    def _rings(self, outcomes: Sequence[Outcome]) -> Any:
        rings = pyqtgraph.ScatterPlotItem(
            pos=[at for one in outcomes if (at := self._at(one)) is not None],
            size=CHOSEN_PX,
            brush=None,
            pen=pyqtgraph.mkPen(self._appearance.colour("text"), width=2),
        )
        rings.setZValue(3)
        return rings

    def _clicked(self, _item: Any, points: Any, *_event: Any) -> None:
        if len(points):
            self.chosen.emit(points[0].data())


def _ticks(objective: Objective) -> Any:
    return lambda values, _scale, _spacing: [objective.text(value) for value in values]
