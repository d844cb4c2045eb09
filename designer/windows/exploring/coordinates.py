"""Parallel coordinates: an axis for each figure, a line for each candidate; low is good everywhere."""

from collections.abc import Sequence

from PySide6.QtGui import QColor

from designer.drawing.theme import CURVE_COLOURS
from designer.exploring.figures import Objective
from designer.exploring.results import DOMINATED, FRONT, Outcome
from designer.late import Late
from designer.panels.studies.plots import Plot
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import enlarged

pyqtgraph = Late("pyqtgraph")

FAINT = 45
MARGIN, SIDE = 0.08, 0.45
"""Air above and below the axes, and at both sides, where their captions stand."""
CAPTION_PX = 62


class Coordinates(Plot):
    """Each axis goes from the least to the most that any candidate has."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._outcomes: Sequence[Outcome] = ()
        self._objectives: Sequence[Objective] = ()
        self._chosen: frozenset[int] = frozenset()

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
        item.getAxis("bottom").setTicks([self._captions(shown)])
        item.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        item.getAxis("bottom").setHeight(enlarged(CAPTION_PX))
        item.setYRange(-MARGIN, 1 + MARGIN)
        item.setXRange(-SIDE, len(xs) - 1 + SIDE, padding=0)
        for x in xs:
            item.plot([x, x], [0, 1], pen=pyqtgraph.mkPen(self._appearance.colour("border"), width=1))
        ranked = sorted(shown, key=lambda row: (row[0].candidate.number in self._chosen, row[0].status == FRONT))
        families = sorted({one.candidate.family for one, _ in shown})
        for one, shares in ranked:
            colour = QColor(CURVE_COLOURS[families.index(one.candidate.family) % len(CURVE_COLOURS)])
            is_chosen = one.candidate.number in self._chosen
            colour.setAlpha(255 if is_chosen or (one.status == FRONT and not self._chosen) else FAINT)
            item.plot(xs, shares, pen=pyqtgraph.mkPen(colour, width=3 if is_chosen else 1), antialias=True)
        self.show_legend(
            [
                (pyqtgraph.mkPen(QColor(CURVE_COLOURS[number % len(CURVE_COLOURS)]), width=3), family)
                for number, family in enumerate(families)
            ]
        )

    def _captions(self, shown: Sequence[tuple[Outcome, list[float]]]) -> list[tuple[int, str]]:
        """The title of each axis with its least and most."""
        found = []
        for number, objective in enumerate(self._objectives):
            values = [value for one, _ in shown if (value := self._values(one)[number]) is not None]
            span = f"\n{objective.text(min(values))}\nto {objective.text(max(values))}" if values else ""
            found.append((number, f"{objective.title}{span}"))
        return found


def _share(value: float, least: float, most: float) -> float:
    return (value - least) / (most - least) if most > least else 0.0
