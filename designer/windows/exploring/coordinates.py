"""Parallel coordinates: an axis for each figure, a line for each candidate; low is good everywhere.

Values stand beside each axis, and lines have points on the axes that name their candidate and choose it.
"""

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
from designer.panels.widgets.labels import enlarged
from designer.regeneration.recipes import family_named

pyqtgraph = Late("pyqtgraph")

FAINT = 45
MARGIN, SIDE = 0.1, 0.45
"""Air above and below the axes, and at both sides, where their captions stand."""
CAPTION_PX = 40
PLATE = 200
STEPS, TICK = (0.0, 0.25, 0.5, 0.75, 1.0), 0.012
"""Where values stand on an axis, and half the width of the mark there, in terms of the gap to the next axis."""
POINT_PX = 6
LESS = "less is better"


class Coordinates(Plot):
    """Each axis goes from the least to the most that any candidate has. `chosen` carries the outcome clicked."""

    chosen = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._outcomes: Sequence[Outcome] = ()
        self._objectives: Sequence[Objective] = ()
        self._chosen: frozenset[int] = frozenset()
        self.points: Any = None

    def show_outcomes(
        self, outcomes: Sequence[Outcome], objectives: Sequence[Objective], chosen: frozenset[int] = frozenset()
    ) -> None:
        """Show the candidates that were built and keep all limits, those of these numbers in front."""
        self._outcomes = [one for one in outcomes if one.status in (FRONT, DOMINATED) and one.figures is not None]
        self._objectives, self._chosen = objectives, chosen
        self.draw()

    @property
    def shown(self) -> list[tuple[Outcome, list[float]]]:
        """The candidates with their places on the axes, 0 for the least and 1 for the most."""
        rows = [(one, self._values(one)) for one in self._outcomes]
        known = [(one, values) for one, values in rows if None not in values]
        if not known:
            return []
        columns = list(zip(*(values for _, values in known), strict=True))
        ranges = [(min(column), max(column)) for column in columns]
        return [
            (one, [_share(value, *span) for value, span in zip(values, ranges, strict=True)]) for one, values in known
        ]

    def _values(self, outcome: Outcome) -> list[float]:
        assert outcome.figures is not None
        return [objective.of(outcome.figures) for objective in self._objectives]  # type: ignore[misc]

    def recolour(self) -> None:
        """Take over the colors of the appearance."""
        super().recolour()
        if self.widget is not None and self._objectives:
            self.draw()

    def draw(self) -> None:
        """Redraw all lines, the chosen ones last."""
        if self.widget is None:
            self.make("", "")
        self._titles = {}
        super().recolour()
        item = self.widget.getPlotItem()
        item.clear()
        shown, xs = self.shown, list(range(len(self._objectives)))
        for side in ("left", "bottom"):
            item.getAxis(side).setStyle(showValues=side == "bottom")
        captions = [(x, f"{one.label}\n{LESS}") for x, one in enumerate(self._objectives)]
        item.getAxis("bottom").setTicks([captions])
        item.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        item.getAxis("bottom").setHeight(enlarged(CAPTION_PX))
        item.setYRange(-MARGIN, 1 + MARGIN)
        item.setXRange(-SIDE, len(xs) - 1 + SIDE, padding=0)
        line = pyqtgraph.mkPen(self._appearance.colour("muted"), width=1)
        for x in xs:
            item.plot([x, x], [0, 1], pen=line)
        ranked = sorted(shown, key=lambda row: (row[0].candidate.number in self._chosen, row[0].status == FRONT))
        families = sorted({one.candidate.family for one, _ in shown})
        for one, shares in ranked:
            colour = QColor(CURVE_COLOURS[families.index(one.candidate.family) % len(CURVE_COLOURS)])
            is_chosen = one.candidate.number in self._chosen
            colour.setAlpha(255 if is_chosen or (one.status == FRONT and not self._chosen) else FAINT)
            item.plot(xs, shares, pen=pyqtgraph.mkPen(colour, width=3 if is_chosen else 1), antialias=True)
        self.points = self._points(ranked, families)
        item.addItem(self.points)
        for x, share, text in self.values(shown):
            item.plot([x - TICK, x + TICK], [share, share], pen=line)
            label = pyqtgraph.TextItem(text, self._appearance.colour("text"), anchor=(-0.1, 0.5))
            label.fill = pyqtgraph.mkBrush(self._plate)
            label.setZValue(3)
            label.setPos(x + TICK, share)
            item.addItem(label)
        self.show_legend(
            [
                (
                    pyqtgraph.mkPen(QColor(CURVE_COLOURS[number % len(CURVE_COLOURS)]), width=3),
                    family_named(family).title,
                )
                for number, family in enumerate(families)
            ]
        )

    @property
    def _plate(self) -> QColor:
        """What lies under values, so that lines do not run through them."""
        found = QColor(self._appearance.colour("base"))
        found.setAlpha(PLATE)
        return found

    def values(self, shown: Sequence[tuple[Outcome, list[float]]]) -> list[tuple[int, float, str]]:
        """What stands beside each axis: its number, the place on it and the value; one where all are the same."""
        found = []
        for number, objective in enumerate(self._objectives):
            known = [value for one, _ in shown if (value := self._values(one)[number]) is not None]
            if not known:
                continue
            least, most = min(known), max(known)
            steps: Sequence[float] = STEPS if most > least else STEPS[:1]
            texts = [objective.text(least + step * (most - least)) for step in steps]
            if len(set(texts)) < len(texts):  # values between the ends look alike
                steps, texts = (steps[0], steps[-1]), [texts[0], texts[-1]]
            found += [(number, step, text) for step, text in zip(steps, texts, strict=True)]
        return found

    def _points(self, ranked: Sequence[tuple[Outcome, list[float]]], families: Sequence[str]) -> Any:
        """A point where a line meets an axis."""
        spots = []
        for one, shares in ranked:
            fill = QColor(CURVE_COLOURS[families.index(one.candidate.family) % len(CURVE_COLOURS)])
            fill.setAlpha(255 if one.status == FRONT else FAINT)
            brush = pyqtgraph.mkBrush(fill)
            spots += [
                {"pos": place, "size": POINT_PX, "brush": brush, "pen": None, "data": one}
                for place in enumerate(shares)
            ]
        points = pyqtgraph.ScatterPlotItem(spots, hoverable=True, tip=self._tip)
        points.setZValue(2)
        points.sigClicked.connect(self._clicked)
        return points

    def _tip(self, x: float, y: float, data: Outcome) -> str:
        """What is shown under the pointer: the candidate and its figure on that axis."""
        del y
        objective = self._objectives[round(x)]
        value = self._values(data)[round(x)]
        return f"#{data.candidate.number} {data.candidate.title}\n{objective.title} {objective.figure(value)}"

    def _clicked(self, _item: Any, points: Any, *_event: Any) -> None:
        """Choose the candidate of a point; of points that lie on each other the one after that which is chosen."""
        following = next_of([one.data() for one in points], self._chosen)
        if following is not None:
            self.chosen.emit(following)


def next_of(found: Sequence[Outcome], chosen: frozenset[int]) -> Outcome | None:
    """The outcome that follows the first of those that are chosen, in turn."""
    if not found:
        return None
    at = next((number for number, one in enumerate(found) if one.candidate.number in chosen), -1)
    return found[(at + 1) % len(found)]


def _share(value: float, least: float, most: float) -> float:
    return (value - least) / (most - least) if most > least else 0.0
