"""What was measured, over predicted curves: dots, bars for the spread of repeated runs, columns of residuals."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from designer.exchange.acceptance.overlay import Overlaid
from designer.late import Late
from designer.measurements.records import Spread, rate_gbytes_per_s
from designer.panels.studies.plot_legend import Entry
from designer.simulation.acceptance.evidence import Evidence, ResidualRow
from designer.simulation.acceptance.expected import share_text
from designer.tables.columns import Column

pyqtgraph = Late("pyqtgraph")

SYMBOLS = ("o", "s", "t", "d", "+", "x")
"""By measurement, in turn."""
SYMBOL_PX = 7
BAND_PX = 5
BAND_ALPHA = 90
MOST_COLUMNS = 4
"""Measurements that have columns in the table; all are in the plot."""


def value_of(row: ResidualRow, measure: str) -> float:
    """The busbw, algbw or time that was measured."""
    if measure == "time":
        return row.measured_us
    return row.measured_gbytes_per_s if measure == "busbw" else rate_gbytes_per_s(row.size_bytes, row.measured_us)


def values_in(overlaid: Sequence[Overlaid], measure: str) -> list[float]:
    """All that was measured: the plot has to reach so far."""
    return [value_of(row, measure) for row in overlaid[0].rows] if overlaid else []


def draw(item: Any, overlaid: Sequence[Overlaid], measure: str, colour: QColor, *, is_log: bool) -> list[Entry]:
    """Draw the measurements; returns their entries in the legend."""
    if not overlaid:
        return []
    entries: list[Entry] = []
    for number, (evidence, spreads) in enumerate(zip(overlaid[0].evidence, overlaid[0].spreads, strict=True)):
        xs = [math.log2(row.size_bytes) for row in evidence.rows]
        ys = [_height(value_of(row, measure), is_log) for row in evidence.rows]
        _draw_bands(item, spreads, measure, colour, is_log)
        symbol, title = SYMBOLS[number % len(SYMBOLS)], title_of(evidence)
        brush = pyqtgraph.mkBrush(colour)
        item.plot(xs, ys, pen=None, symbol=symbol, symbolSize=SYMBOL_PX, symbolBrush=brush, symbolPen=None, name=title)
        entries.append((pyqtgraph.mkPen(colour, width=SYMBOL_PX - 2, style=Qt.PenStyle.DotLine), title))
    return entries


def _draw_bands(item: Any, spreads: Sequence[Spread], measure: str, colour: QColor, is_log: bool) -> None:
    """From the best to the worst of repeated runs, as a bar at each size."""
    faint = QColor(colour)
    faint.setAlpha(BAND_ALPHA)
    for spread in spreads:
        runs = _runs(spread, measure)
        if len(runs) > 1:
            x = math.log2(spread.size_bytes)
            ys = [_height(min(runs), is_log), _height(max(runs), is_log)]
            item.plot([x, x], ys, pen=pyqtgraph.mkPen(faint, width=BAND_PX))


def _runs(spread: Spread, measure: str) -> Sequence[float]:
    if measure == "busbw":
        return spread.busbw_gbytes_per_s
    if measure == "time":
        return spread.times_us
    return [rate_gbytes_per_s(spread.size_bytes, time_us) for time_us in spread.times_us]


def _height(value: float, is_log: bool) -> float:
    if not is_log:
        return value
    return math.log10(value) if value > 0 else 0.0


def title_of(evidence: Evidence) -> str:
    """ "measured: Unit 1"."""
    return f"measured: {evidence.part.title}"


def columns(overlaid: Sequence[Overlaid], measure: str, titles: Sequence[str], text: Any) -> list[Column]:
    """What was measured at each size, and how far that is from each curve. Rows have a size_bytes."""
    found: list[Column] = []
    for number, evidence in enumerate(overlaid[0].evidence[:MOST_COLUMNS] if overlaid else ()):
        named = title_of(evidence).capitalize() if len(overlaid[0].evidence) > 1 else "Measured"
        found.append(_column(f"measured-{number}", named, _by_size(evidence), measure, text))
        for place, one in enumerate(overlaid):
            title = "Residual" if len(overlaid) == 1 else f"Residual, {titles[place]}"
            rows = _by_size(one.evidence[number])
            found.append(_column(f"residual-{number}-{place}", title, rows, "", share_text))
    return found


def _column(key: str, title: str, rows: dict[float, ResidualRow], measure: str, text: Any) -> Column:
    def value(row: Any) -> float | None:
        found = rows.get(row.size_bytes)
        return None if found is None else value_of(found, measure) if measure else found.ratio

    return Column(key, title, value, text, right=True)


def _by_size(evidence: Evidence) -> dict[float, ResidualRow]:
    return {float(row.size_bytes): row for row in evidence.rows}
