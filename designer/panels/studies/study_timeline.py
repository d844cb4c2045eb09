"""The timeline of phases: a bar each, as long as it takes; the playhead colors the links by the phase under it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from designer.drawing.display_list import class_of, colour_of_class
from designer.drawing.heat import CONGESTED, SATURATED
from designer.panels.studies.study_parts import ButtonBar, copy, csv_writer
from designer.panels.widgets.appearance import Appearance
from designer.panels.widgets.labels import EmptyState, label
from designer.panels.widgets.row_table import RowTable
from designer.session.session import Session
from designer.tables.columns import Column, percent
from designer.tables.table import ResultTable
from designer.units import format_count, format_time

if TYPE_CHECKING:
    from designer.simulation.result import PhaseTime, Result

STEP_MS = 700
COLUMNS = (
    Column("start_s", "Begins at", "phase.start_s", lambda s: format_time(s) if s else "0", unit="s", right=True),
    Column("link", "Busiest link", text=percent, right=True),
    Column(
        "inside", "In servers", text=percent, right=True, tip="The busiest path in a scale-up domain, such as NVLink"
    ),
)
LEAST_BAR_PX = 5.0
BAR_HEIGHT_PX = 34
MARGIN_PX = 12


class PhaseBars(QWidget):
    """Bars in a row. `chosen` carries the number of the phase under the playhead while it is dragged."""

    chosen = Signal(int)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._phases: tuple[PhaseTime, ...] = ()
        self._loads: list[float] = []
        self._edges: list[float] = [0.0]
        self.playhead: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Timeline of phases")
        self.setToolTip("Drag the playhead, or press Left and Right: the links are colored by the phase under it")
        appearance.changed.connect(self.update)

    def show_phases(self, phases: "tuple[PhaseTime, ...]", loads: list[float], playhead: int | None) -> None:
        """Show the phases, each in the color of its load as pictures show it; `playhead` None for the whole run."""
        self._phases, self._loads, self.playhead = phases, loads, playhead
        self._lay_out()
        self.update()

    def sizeHint(self) -> QSize:
        """400 pixels wide, with room for bars, axis and one line of times."""
        return QSize(400, BAR_HEIGHT_PX + 30 + self.fontMetrics().height())

    def _lay_out(self) -> None:
        """Left edges of the bars and the right one of the last: by time, but each wide enough to be hit."""
        room = max(1.0, self.width() - 2 * MARGIN_PX)
        totals = [phase.repeat * phase.time_s for phase in self._phases]
        least = min(LEAST_BAR_PX, room / max(1, len(totals)))
        spare, whole = room - least * len(totals), sum(totals)
        self._edges = [float(MARGIN_PX)]
        for total in totals:
            self._edges.append(self._edges[-1] + least + (spare * total / whole if whole > 0 else spare / len(totals)))

    def resizeEvent(self, event: object) -> None:
        """Lay the bars out for the new width."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._lay_out()

    def phase_at(self, x: float) -> int | None:
        """The phase under a place; the first or last beyond them."""
        if not self._phases:
            return None
        return next((n for n, edge in enumerate(self._edges[1:]) if x < edge), len(self._phases) - 1)

    # -- painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a bar for each phase in the color of its load, the time axis and the playhead."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._appearance.colour("base"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 14.0
        for number, (phase, load) in enumerate(zip(self._phases, self._loads, strict=True)):
            left, right = self._edges[number], self._edges[number + 1]
            bar = QRectF(left, top, max(1.0, right - left - 1), BAR_HEIGHT_PX)
            drawn = QColor(colour_of_class(class_of(load), self._appearance.theme))
            colour = drawn if load > 0 else self._appearance.colour("border")
            is_bright = self.playhead in (None, number)
            painter.fillRect(bar, colour if is_bright else _faded(colour))
            self._paint_name(painter, bar, phase, "on_accent" if is_bright and load > 0 else "text")
        self._paint_axis(painter, top + BAR_HEIGHT_PX + 4)
        if self.playhead is not None and self.playhead < len(self._phases):
            x = (self._edges[self.playhead] + self._edges[self.playhead + 1]) / 2
            ink = self._appearance.colour("text")
            painter.setPen(QPen(ink, 2))
            painter.drawLine(QPointF(x, 4), QPointF(x, top + BAR_HEIGHT_PX + 3))
            painter.setBrush(ink)
            painter.drawPolygon([QPointF(x - 5, 2), QPointF(x + 5, 2), QPointF(x, 10)])
        painter.end()

    def _paint_name(self, painter: QPainter, bar: QRectF, phase: "PhaseTime", ink: str) -> None:
        metrics = QFontMetricsF(self.font())
        inside = bar.adjusted(6, 0, -6, 0)
        if inside.width() < metrics.horizontalAdvance("MMM"):
            return
        times = f" × {format_count(phase.repeat)}" if phase.repeat > 1 else ""
        text = metrics.elidedText(f"{phase.name}{times}", Qt.TextElideMode.ElideRight, inside.width())
        painter.setPen(self._appearance.colour(ink))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_axis(self, painter: QPainter, top: float) -> None:
        """When phases begin and the last ends, where there is room to say it."""
        if not self._phases:
            return
        metrics = QFontMetricsF(self.font())
        painter.setPen(self._appearance.colour("muted"))
        last = self._phases[-1]
        starts = [phase.start_s for phase in self._phases] + [last.start_s + last.repeat * last.time_s]
        end_text = format_time(starts[-1])
        end_left = self._edges[-1] - metrics.horizontalAdvance(end_text)
        painter.drawText(QPointF(end_left, top + metrics.ascent()), end_text)
        free = 0.0
        for edge, start_s in zip(self._edges, starts[:-1], strict=False):
            text = format_time(start_s) if start_s else "0"
            width = metrics.horizontalAdvance(text)
            if edge >= free and edge + width + 8 < end_left:
                painter.drawText(QPointF(edge, top + metrics.ascent()), text)
                free = edge + width + 10

    # -- choosing -------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the playhead on the phase under the mouse."""
        self._choose(self.phase_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the playhead with the mouse while the left button is held."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(self.phase_at(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the playhead with Left, Right, Home and End."""
        at = self.playhead if self.playhead is not None else -1
        last = len(self._phases) - 1
        steps = {
            Qt.Key.Key_Right: min(at + 1, last),
            Qt.Key.Key_Left: max(at - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.key() in steps and self._phases:
            self._choose(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _choose(self, number: int | None) -> None:
        if number is not None and number != self.playhead:
            self.chosen.emit(number)


class TimelineStudy(QWidget):
    """`saving` carries a title, the file's suffix and what writes it."""

    saving = Signal(str, str, object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session = session
        self._view = session.workbench.heat_view
        self._appearance = appearance
        self._result: Result | None = None
        self._rows: list[_Row] = []
        self.note = label("", "muted")
        self.bar = ButtonBar(
            [self.note],
            (
                ("Play", "Play the phases on the canvas one after the other", self.play),
                ("Whole run", "Color the links by the whole run again", lambda: self._show_phase(None)),
                ("Copy", "Copy the table, for a spreadsheet", lambda: copy(self.results())),
                ("CSV…", "Save the table", self._save),
            ),
        )
        self.bars = PhaseBars(appearance)
        self.bars.chosen.connect(self._show_phase)
        self.table = RowTable("Phases", ())
        self.table.chosen.connect(lambda row: self._show_phase(self._rows.index(row)))
        self._results = QWidget()
        results = QVBoxLayout(self._results)
        results.setContentsMargins(0, 0, 0, 0)
        results.setSpacing(0)
        for part in (self.bar, self.bars):
            results.addWidget(part)
        results.addWidget(self.table, 1)
        self.empty = EmptyState("", "")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._results)
        column.addWidget(self.empty)
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)
        session.workbench.simulation.shown_changed.connect(self.refresh)
        self._view.changed.connect(self._show_playhead)
        appearance.changed.connect(self._show_playhead)
        self.refresh()

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the phases of the current result."""
        result = self._session.workbench.simulation.current_result
        known = result is not None and bool(result.phase_peaks)
        self._results.setVisible(known)
        self.empty.setVisible(not known)
        if result is None or not known:
            self._result = None
            self._timer.stop()
            self._say_why_empty(result)
            return
        if result is not self._result:
            self._result = result
            links = result.graph.link >= 0
            self._rows = [
                _Row(
                    phase,
                    float(peaks[links].max(initial=0.0)),
                    float(peaks[~links].max(initial=0.0)),
                    is_congested=bool((congested & (peaks >= SATURATED)).any()),
                )
                for phase, peaks, congested in zip(
                    result.phases, result.phase_peaks, result.phase_congested, strict=True
                )
            ]
            self.table.show_rows(self._rows, self.results().columns)
        self._show_playhead()

    def _say_why_empty(self, result: "Result | None") -> None:
        if result is None:
            self.empty.say(
                "No current result.",
                "Run a collective: its phases are shown here as bars. Drag the playhead over them to color the links "
                "by one phase alone.",
            )
        else:
            self.empty.say("The phases of this run are not kept.", "There are too many of them to keep in memory.")

    def _show_playhead(self) -> None:
        if self._result is None:
            return
        number = self._view.phase
        self.bars.show_phases(self._result.phases, [row.drawn for row in self._rows], number)
        self.bar.buttons["Play"].setText("Stop" if self._timer.isActive() else "Play")
        self.bar.buttons["Play"].setIcon(self._appearance.icon("stop" if self._timer.isActive() else "play"))
        self.bar.buttons["Play"].setEnabled(len(self._result.phases) > 1)
        self.bar.buttons["Whole run"].setEnabled(number is not None)
        count = len(self._result.phases)
        many = "1 phase" if count == 1 else f"{format_count(count)} phases"
        self.note.setText(f"{many}. The links show " + ("the whole run." if number is None else f"phase {number + 1}."))
        self.table.choose(number)

    # -- playing --------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Go through the phases once, from the first or from the playhead; again to stop."""
        if self._timer.isActive():
            self._timer.stop()
            self._show_playhead()
            return
        if self._result is None:
            return
        last = len(self._result.phases) - 1
        if self._view.phase is None or self._view.phase == last:
            self._view.show_phase(0)
        self._timer.start()
        self._show_playhead()

    def _step(self) -> None:
        last = len(self._result.phases) - 1 if self._result is not None else -1
        at = self._view.phase
        if at is None or at >= last:
            self._timer.stop()
            self._show_playhead()
        else:
            self._view.show_phase(at + 1)

    def _show_phase(self, number: int | None) -> None:
        self._timer.stop()
        self._view.show_phase(number)
        self._show_playhead()

    # -- handing over ---------------------------------------------------------------------------------------------

    def results(self) -> ResultTable:
        """The phases as a table to copy or save; empty where there is no result."""
        rows = self._rows if self._result is not None else []
        own = rows[0].phase.COLUMNS if rows else ()
        return ResultTable((*(column.within("phase") for column in own), *COLUMNS), rows)

    def _save(self) -> None:
        self.saving.emit("Phases as CSV", ".csv", csv_writer(self.results()))


@dataclass(frozen=True, slots=True)
class _Row:
    """A phase and its peak utilization, on links and inside scale-up domains."""

    phase: "PhaseTime"
    link: float
    inside: float
    is_congested: bool
    """Whether flows wait at a saturated one."""

    @property
    def drawn(self) -> float:
        """The greater of both, as pictures show it."""
        return CONGESTED if self.is_congested else min(1.0, max(self.link, self.inside))


def _faded(colour: QColor) -> QColor:
    faded = QColor(colour)
    faded.setAlphaF(0.35)
    return faded
