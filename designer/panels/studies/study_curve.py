"""Bandwidth by size: algorithms and routings to tick, their curves over each other, and the table of nccl-tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from designer.drawing.theme import CURVE_COLOURS
from designer.errors import DesignerError, ParameterError, sentence
from designer.fields.field import fields_of
from designer.late import Late
from designer.model.shown_text import plain_text
from designer.panels.studies.plots import Plot
from designer.panels.studies.study_parts import ButtonBar, RunColumn, Ticks, copy, csv_writer, reported
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.fields import ChoiceField, TextField, add_row, form
from designer.panels.widgets.labels import ElidedLabel, EmptyState, label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.simulation import catalogue
from designer.simulation.scenario import Scenario
from designer.tables.columns import Column, pick
from designer.tables.table import ResultTable
from designer.units import format_counted, format_size

if TYPE_CHECKING:
    from designer.simulation.curve import Curve, Point

pyqtgraph = Late("pyqtgraph")
simulated = Late("designer.simulation.curve")
measured_points = Late("designer.panels.studies.measured_points")

drawing = Late("designer.panels.studies.curve_drawing")

USUAL_SIZES = "8:8GiB"
FAINT = 0.35
IMPORT_TIP = "Lay logs of nccl-tests, rccl-tests, OSU benchmarks or perftest over the curves, or drop one on the window"
LINE_WIDTH = 2
NAMED_SIZE_PX = 62
"""Room for the name of a size below the plot."""
LEAST_PLOT_WIDTH = 220


@dataclass(frozen=True, slots=True)
class Measure:
    """What the plot and the table show of a point."""

    name: str
    title: str
    field: str
    factor: float
    logarithmic: bool = False

    def of(self, point: "Point") -> float:
        """The measure of a point, in the unit of its title."""
        return float(getattr(point, self.field)) * self.factor

    def of_run(self, point: "Point", time_s: float | None) -> float | None:
        """The measure of a run that takes so long at a point; None where nobody measured how runs differ."""
        if time_s is None:
            return None
        slower = time_s / point.time_s
        return self.of(point) * (slower if self.field == "time_s" else 1 / slower)


MEASURES = (
    Measure("busbw", "busbw, GB/s", "busbw_gbytes_per_s", 1.0),
    Measure("algbw", "algbw, GB/s", "algbw_gbytes_per_s", 1.0),
    Measure("time", "time, µs", "time_s", 1e6, logarithmic=True),
)
LINE_STYLES = {
    "spray": Qt.PenStyle.SolidLine,
    "weighted-spray": Qt.PenStyle.DashDotLine,
    "destination": Qt.PenStyle.DashLine,
    "ecmp": Qt.PenStyle.DotLine,
    "dimension-order": Qt.PenStyle.DashDotLine,
    "valiant": Qt.PenStyle.DashDotDotLine,
    "adaptive": Qt.PenStyle.SolidLine,
}
"""Colors tell algorithms apart, lines routings; adaptive is drawn thinner."""


class CurveStudy(QWidget):
    """`saving` carries the title, the file's suffix and what writes it."""

    saving = Signal(str, str, object)
    logs_wanted = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._job = session.workbench.curves
        self._appearance = appearance
        self._collective = session.workbench.simulation.collective
        self._measure = MEASURES[0]
        self._model = ""
        self.sizes_text = USUAL_SIZES
        self.collective = ChoiceField("Collective", self._choose_collective)
        self.sizes = TextField("Sizes", self._set_sizes, USUAL_SIZES)
        self.sizes.setToolTip("From and to, and the factor between if not 2: 8:8GiB, 1M:1G:4")
        self.measure = ChoiceField("Measure", self._choose_measure)
        self.algorithms = Ticks("Algorithms", self._refresh_state)
        self.routings = Ticks("Routings", self._refresh_state)
        self.routings.offer([(row.name, row.title, row.explanation) for row in catalogue.ROUTINGS])
        self.models = Ticks("Models", self._refresh_state)
        self.models.offer([(row.name, row.title, row.explanation) for row in catalogue.MODELS])
        self._left = RunColumn(appearance)
        self.run, self.state = self._left.run, self._left.state
        self._left.run_wanted.connect(self._run)
        self._left.cancel_wanted.connect(self._job.cancel)
        self.plot = Plot(appearance)
        self.plot.resized.connect(self._tick)
        self.table = RowTable("Bandwidth by size", (), tip=self._tip, look=self._look)
        self.logs = label("", "muted", wrap=True)
        self.import_logs = QPushButton("Import Measurements…")
        self.import_logs.setToolTip(plain_text(IMPORT_TIP))
        self.import_logs.clicked.connect(lambda _checked=False: self.logs_wanted.emit())
        self.forget_logs = QPushButton("Remove Measurements")
        self.forget_logs.clicked.connect(lambda: self.show_measured(()))
        self.empty = EmptyState(
            "No curve yet.",
            "Select algorithms and routings, then Run: time and bandwidth from 8 B to 8 GiB, as nccl-tests prints "
            "them. "
            "Ranks, order, efficiency and what is marked as failed are those of the Simulation panel.",
        )
        self._lay_out()
        self._job.state_changed.connect(self.refresh)
        self._job.progressed.connect(self._left.progress.show_share)
        session.workbench.simulation.scenario_changed.connect(self._follow_scenario)
        appearance.changed.connect(self.refresh)
        self._choose_collective(self._collective)
        self._follow_scenario()
        self.routings.tick([fields_of(Scenario)["routing"].default])
        self.refresh()

    def _lay_out(self) -> None:
        rows = form()
        add_row(rows, "Collective", self.collective)
        add_row(rows, "Sizes", self.sizes)
        column = self._left.options
        column.addLayout(rows)
        for ticks in (self.models, self.algorithms, self.routings):
            column.addWidget(label(ticks.accessibleName(), "section"))
            column.addWidget(ticks)
        column.addWidget(label("Measured", "section"))
        column.addWidget(self.logs)
        column.addWidget(self.forget_logs)
        column.addWidget(self.import_logs)
        column.addStretch(1)
        self._results = self._make_results()
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._left)
        across.addWidget(self._results, 1)
        across.addWidget(self.empty, 1)

    def _make_results(self) -> QWidget:
        self.failed = ElidedLabel("", "warning")
        bar = ButtonBar(
            [self.measure, self.failed],
            (
                ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
                ("CSV…", "Save all curves as a table", self._save_table),
                ("SVG…", "Save the plot as a drawing", lambda: self._save_plot(".svg")),
                ("PNG…", "Save the plot as a picture", lambda: self._save_plot(".png")),
            ),
        )
        self.buttons = bar.buttons
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(self.plot)
        halves.addWidget(self.table)
        self.plot.setMinimumWidth(LEAST_PLOT_WIDTH)
        halves.setStretchFactor(0, 1)
        halves.setSizes([340, 280])
        halves.setChildrenCollapsible(False)
        results = QWidget()
        results.setProperty("surface", "base")
        column = QVBoxLayout(results)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(halves, 1)
        return results

    # -- choosing -------------------------------------------------------------------------------------------------

    def _follow_scenario(self) -> None:
        scenario = self._session.workbench.simulation.scenario
        if scenario.model != self._model:
            self._model = scenario.model
            self.models.tick([scenario.model])
        if scenario.collective is not None:
            self._choose_collective(scenario.collective)

    def _choose_collective(self, name: str) -> None:
        row = catalogue.collective(name)
        if row is None:
            return
        is_other, self._collective = name != self._collective, name
        self.collective.show_choices([(row.name, row.title) for row in catalogue.COLLECTIVES], name)
        reported = {row.name: row for row in catalogue.ALGORITHMS}
        self.algorithms.offer([(name, reported[name].title, reported[name].explanation) for name in row.algorithms])
        if is_other or not self.algorithms.ticked:
            self.algorithms.tick(row.algorithms[:1])  # what fits one collective is slow in another
        self._refresh_state()

    def _choose_measure(self, name: str) -> None:
        self._measure = next(measure for measure in MEASURES if measure.name == name)
        self._show_curves()

    def _set_sizes(self, text: str) -> str | None:
        try:
            simulated.sizes_from(text or USUAL_SIZES)
        except ParameterError as error:
            return str(error)
        self.sizes_text = text or USUAL_SIZES
        return None

    def _run(self) -> None:
        if not self.sizes.finish():
            return
        try:
            wanted = [one for name in self.models.ticked for one in self._wanted(name)]
        except DesignerError as error:
            self._session.message.emit(str(error))
            return
        self._job.run(wanted, simulated.sizes_from(self.sizes_text))

    def _wanted(self, model: str) -> list[Scenario]:
        """The scenarios of a model: under a library's the algorithms are the library's own choice."""
        base = replace(self._base(), model=model)
        algorithms = None if base.is_calibrated else self.algorithms.ticked
        wanted: list[Scenario] = simulated.variants(base, algorithms, self.routings.ticked)
        return wanted

    def show_measured(self, logs: Sequence[Path]) -> None:
        """Lay these logs over the curves of what is ticked; none takes them away."""
        self._job.logs = tuple(logs)
        self._show_logs()
        self._run()

    def _show_logs(self) -> None:
        names = ", ".join(path.name for path in self._job.logs)
        self.logs.setText(names)
        self.logs.setVisible(bool(names))
        self.forget_logs.setVisible(bool(names))

    def _base(self) -> Scenario:
        scenario = self._session.workbench.simulation.scenario
        reduces = scenario.in_network_reduction and self._collective == "all-reduce"
        return replace(
            scenario, collective=self._collective, traffic=None, algorithm=None, in_network_reduction=reduces
        )

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the curves of the session and what state they are in."""
        self.sizes.show_value(self.sizes_text)
        self.measure.show_choices([(measure.name, measure.title) for measure in MEASURES], self._measure.name)
        found = self._job.found
        self._show_logs()
        self._results.setVisible(bool(found))
        self.empty.setVisible(not found)
        self._show_curves()
        self._refresh_state()

    def _refresh_state(self) -> None:
        state = self._job.state
        short, whole = self._reservations()
        tip = whole if state == "current" else ""
        self._left.show_state(state == "running", reported(self._job, short), error=state == "failed", whole=tip)
        self.run.setEnabled(state == "running" or self._is_complete())

    def _is_complete(self) -> bool:
        """Whether there is something to run: algorithms only matter to the ideal model."""
        models = self.models.ticked
        has_algorithms = bool(self.algorithms.ticked) or catalogue.IDEAL not in models
        return bool(models and has_algorithms and self.routings.ticked)

    def _reservations(self) -> tuple[str, str]:
        """What the latencies of the curves are worth, and which curves are missing: in short, and curve by curve."""
        curves = self._job
        doubted = [curve for curve in curves.found if not curve.is_latency_known]
        worth = list(dict.fromkeys(curve.latency_note for curve in doubted))
        short = worth if len(worth) < 2 else [f"latencies are in part assumed: {doubted[0].assumed}"]
        if any(curve.start_note for curve in curves.found):
            short = [*short, "faint: too short to be meaningful without a collective's start-up time"]
        short += dict.fromkeys(one.model.unstated_note for one in curves.found if one.model.unstated_note)
        missing = ["left out: " + "; ".join(curves.refused)] if curves.refused else []
        each = [f"{_title(curve, curves.found)}: {curve.latency_note}" for curve in doubted]
        each += [f"{_title(curve, curves.found)}: {curve.start_note}" for curve in curves.found if curve.start_note]
        return " ".join(map(sentence, (*short, *missing))), "\n".join((*each, *curves.refused))

    def _show_curves(self) -> None:
        found = self._job.found
        if found:
            self._draw(found)
            self._fill(found)

    def _draw(self, found: "Sequence[Curve]") -> None:
        measure = self._measure
        widget = self.plot.make("size of the buffer", measure.title)
        self.plot.heading, self.plot.note = _heading(found[0], self._session.design.name), found[0].failed_text
        self.failed.set_text(found[0].failed_text, f"{len(found[0].model.failed)} failed")
        item = widget.getPlotItem()
        item.clear()
        drawn = [_drawn(curve, measure) for curve in found]
        colours, entries, runs = _colours(found), [], None
        for curve, (xs, ys) in zip(found, drawn, strict=True):
            thin = curve.scenario.routing == "adaptive"
            colour = QColor(colours[curve.algorithm_title])
            if self._job.state != "current":
                colour.setAlphaF(0.35)
            style = LINE_STYLES.get(curve.scenario.routing, Qt.PenStyle.DashDotDotLine)
            pen = pyqtgraph.mkPen(colour, width=1 if thin else LINE_WIDTH, style=style)
            first = next((at for at, point in enumerate(curve.points) if point.is_telling), len(xs))
            if first:
                faint = QColor(colour)
                faint.setAlphaF(FAINT * colour.alphaF())
                item.plot(xs[: first + 1], ys[: first + 1], pen=pyqtgraph.mkPen(pen, color=faint), antialias=True)
            runs = drawing.draw_band(item, curve, measure, colour) or runs
            item.plot(xs[first:], ys[first:], pen=pen, name=_title(curve, found), antialias=True)
            entries.append((pen, _title(curve, found)))
        if runs is not None:
            entries.append((runs, drawing.RUNS))
        if self._job.overlaid:
            colour = QColor(self.plot.text_colour)
            over = self._job.overlaid
            entries += measured_points.draw(item, over, measure.name, colour, is_log=measure.logarithmic)
        self.plot.show_legend(entries)
        self._tick(self.plot.width())

    def _tick(self, width: int) -> None:
        found, widget = self._job.found, self.plot.widget
        if found and widget is not None:
            over = self._job.overlaid
            measured = measured_points.values_in(over, self._measure.name) if over else []
            drawing.tick_axes(widget.getPlotItem(), found, self._measure, max(2, width // NAMED_SIZE_PX), measured)

    def _fill(self, found: "Sequence[Curve]") -> None:
        rows = [
            _Points(found[0].points[at].size_bytes, tuple(one.points[at] for one in found))
            for at in range(len(found[0].points))
        ]
        columns = [Column("size_bytes", "Size", text=format_size, right=True)]
        for number, curve in enumerate(found):
            columns.append(Column(str(number), _title(curve, found), partial(self._value, number), _figure, right=True))
        if self._job.overlaid:
            titles = [_title(curve, found) for curve in found]
            columns += measured_points.columns(self._job.overlaid, self._measure.name, titles, _figure)
        self.table.show_rows(rows, tuple(columns))

    def _value(self, number: int, row: "_Points") -> float:
        return self._measure.of(row.of_curves[number])

    def _tip(self, row: "_Points", column: Column) -> str:
        return drawing.figures_of(row.of_curves[int(column.key)]) if column.key.isdecimal() else ""

    def _look(self, row: "_Points", column: Column, role: int) -> object:
        if role != Qt.ItemDataRole.ForegroundRole or not column.key.isdecimal():
            return None
        return None if row.of_curves[int(column.key)].is_telling else self._appearance.colour("muted")

    # -- handing over ---------------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """Every point of every curve, in nccl-tests' columns."""
        rows = [_OnCurve(curve, point) for curve in self._job.found for point in curve.points]
        if not rows:
            return ResultTable((), ())
        names = "collective algorithm routing ranks"
        of_curve = pick(rows[0].curve.COLUMNS, f"{names} failed" if rows[0].curve.failed_text else names)
        of_point = pick(rows[0].point.COLUMNS, "size_bytes count time_us algbw_gbytes_per_s busbw_gbytes_per_s")
        columns = (*(one.within("curve") for one in of_curve), *(one.within("point") for one in of_point))
        return ResultTable(columns, rows)

    def _save_table(self) -> None:
        self.saving.emit("Bandwidth by size as CSV", ".csv", csv_writer(self.results()))

    def _save_plot(self, suffix: str) -> None:
        self.saving.emit(f"Bandwidth by size as {suffix[1:].upper()}", suffix, self.plot.save)


@dataclass(frozen=True, slots=True)
class _Points:
    """A size, and the point of every curve at it."""

    size_bytes: float
    of_curves: "tuple[Point, ...]"


@dataclass(frozen=True, slots=True)
class _OnCurve:
    curve: "Curve"
    point: "Point"


def _colours(found: "Sequence[Curve]") -> dict[str, str]:
    algorithms = list(dict.fromkeys(curve.algorithm_title for curve in found))
    return {name: CURVE_COLOURS[number % len(CURVE_COLOURS)] for number, name in enumerate(algorithms)}


def _heading(curve: "Curve", name: str) -> str:
    """ "All-reduce, 512 ranks, Rail-optimized, 64 servers": what the plot in a file is of."""
    row = catalogue.collective(curve.scenario.collective or "")
    return ", ".join(filter(None, (row.title if row is not None else "", format_counted(curve.ranks, "rank"), name)))


def _title(curve: "Curve", found: "Sequence[Curve]") -> str:
    """What tells it from the other curves."""
    scenario = curve.scenario
    several_algorithms = len({other.algorithm_title for other in found}) > 1
    several_routings = len({other.scenario.routing for other in found}) > 1
    if several_algorithms and not several_routings:
        return curve.algorithm_title
    return scenario.routing if several_routings and not several_algorithms else curve.title


def _drawn(curve: "Curve", measure: Measure) -> tuple[list[float], list[float]]:
    """Its points as the axes have them: sizes, and times, as logarithms."""
    ys = [measure.of(point) for point in curve.points]
    if measure.logarithmic:
        ys = [math.log10(y) if y > 0 else 0.0 for y in ys]
    return [math.log2(point.size_bytes) for point in curve.points], ys


def _figure(value: float) -> str:
    """Three or four digits, never an exponent."""
    return f"{value:,.{0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3}f}"
