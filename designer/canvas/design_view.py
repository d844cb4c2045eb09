"""The session's design as drawn: kept up with its edits, findings and loads, and painted."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from designer.canvas import marks
from designer.canvas.backing import Backing
from designer.canvas.camera_view import CameraView
from designer.canvas.export import render_pdf, render_png
from designer.canvas.ghosts import Ghosts, paint_ghosts
from designer.canvas.glyphs import Fonts
from designer.canvas.job_legend import BETWEEN_LEGENDS_PX, paint_job_legend
from designer.canvas.job_marks import JobMarks
from designer.canvas.legend import MARGIN_PX, WIDTH_PX, paint_legend
from designer.canvas.painting import PicturePainter, paint_background
from designer.canvas.pause_marks import paint_pauses
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay, PauseReach, reach_of, worst_by_subject
from designer.drawing.theme import Theme
from designer.exchange.diagram_svg import write_svg
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Severity


class DesignView(CameraView):
    """A projection of the session. The view that is made of it adds gestures: `cancel_gesture`, `paint_over`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.backing = Backing()
        self._painter = PicturePainter(self.font())
        self._ghosts: Ghosts | None = None
        self._heat: Heat | None = None
        self._pauses: PauseReach | None = None
        self._worst: dict[str, Severity] = {}
        self._job_marks = JobMarks()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.update)
        session.layers_changed.connect(self._show_layers)
        session.badges_changed.connect(self.update)
        session.findings_changed.connect(self._take_findings)
        session.heat_view.changed.connect(self._take_heat)
        session.simulation.failed_changed.connect(self.update)
        session.placed_jobs.changed.connect(self.update)
        session.flows_on_link.path_changed.connect(self.update)

    def cancel_gesture(self) -> None:
        """What is drawn is about to change: end what is being done with it."""

    def paint_over(self, painter: QPainter, picture: Picture) -> None:
        """Paint what stands over the picture."""
        self.paint_states(painter)
        self.paint_badges(painter)
        self.paint_legend(painter, picture)

    # -- keeping up with the session ------------------------------------------------------------------------------

    def _follow(self, edit: Edit) -> None:
        self.cancel_gesture()
        if self.session.drawing is not None:
            self.composition = self.session.drawing
        else:
            self.composition.follow(edit)
        self.update()

    def _reset(self) -> None:
        self.cancel_gesture()
        self.composition = self.session.drawing or Composition(self.session.design, self.session.hidden_networks)
        self._heat, self._pauses, self._worst = None, None, {}
        self._job_marks = JobMarks()
        self.zoom_to_fit()

    def _show_layers(self) -> None:
        self.cancel_gesture()
        self.composition = Composition(self.session.design, self.session.hidden_networks)
        self.backing = Backing()
        self.update()

    def _take_findings(self) -> None:
        report = self.session.report if self.session.report_current else None
        if report is not None:
            self._worst = worst_by_subject(report.findings)
            self.update()

    def _take_heat(self) -> None:
        """The heat of the design as it stands; while it is computed anew the last one stays, and the legend says so."""
        heat = self.session.shown_heat
        if heat is not None:
            is_new, self._heat = heat is not self._heat, heat
            result = self.session.result if self.session.heat_view.of_current else None
            self._pauses = reach_of(result.congestion, self.session.design) if result is not None else None
            if is_new and self.session.simulation.state == "current":
                self.repaint()  # now, before panels are filled with figures
                return
        elif self.session.simulation.state != "running":
            self._heat = self._pauses = None
        self.update()

    @property
    def shows_legend(self) -> bool:
        return self._heat is not None

    @property
    def heat(self) -> Heat | None:
        """The heat that is drawn."""
        return self._heat

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until told otherwise."""
        self._ghosts = ghosts
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()

    @property
    def overlay(self) -> Overlay:
        """What is shown over the picture, for a diagram that shows the same."""
        session = self.session
        badges = self._worst if session.badges_shown else {}
        return Overlay(session.placed_jobs.marked, session.simulation.failed, badges, self._pauses)

    def render_svg(self, path: Path) -> None:
        """Write the whole design as it is shown as SVG. Raises ExportError or SaveError."""
        self._render(write_svg, path)

    def render_pdf(self, path: Path) -> None:
        """The same as one page of a PDF."""
        self._render(render_pdf, path)

    def render_png(self, path: Path) -> None:
        """The same as PNG."""
        self._render(render_png, path)

    def _render(self, write: Callable[..., None], path: Path) -> None:
        session = self.session
        write(
            session.design,
            path,
            theme=self.theme,
            heat=session.shown_heat,
            hidden=session.hidden_networks,
            overlay=self.overlay,
        )

    # -- painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        try:
            self._paint(painter)
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        detail, heat = self.detail, self._heat
        picture = self.composition.picture(self.theme, detail, heat)
        view = self.viewport
        content = (self.composition, self.composition.generation, self.theme.name, detail, id(heat))

        def draw(onto: QPainter, smooth: bool) -> None:
            paint_background(onto, self.theme, view)
            self._painter.paint(onto, picture, view, smooth=smooth)

        ratio = self.devicePixelRatioF()
        again = self.backing.show(painter, view, ratio, content, self._moving, self.theme.background, draw)
        if again and not self._rest.isActive():
            self._rest.start()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_over(painter, picture)

    def titled_at(self, spot: QPointF) -> str | None:
        """The group whose title is painted at that pixel."""
        return self._painter.titled_at(self.composition, self.camera, spot)

    def paint_states(self, painter: QPainter) -> None:
        """Jobs, failures, pauses, the selection, the path of a flow, and what an edit would bring."""
        frame, session = self.frame, self.session
        jobs = session.placed_jobs.servers_by_colour()
        self._job_marks.paint(painter, frame, jobs, session.design.revision, float(self.height()))
        marks.paint_failed(painter, frame, session.simulation.failed)
        if self._pauses is not None:
            paint_pauses(painter, frame, self._pauses)
        marks.paint_selection(painter, frame, session.selection, self._heat is not None)
        lit = session.flows_on_link.lit
        if lit is not None:
            marks.paint_path(painter, frame, session.flows_on_link.path, (lit.source_id, lit.target_id))
        if self._ghosts is not None:
            paint_ghosts(painter, frame, self._ghosts)

    def paint_badges(self, painter: QPainter) -> None:
        if self.session.badges_shown:
            marks.paint_marks(painter, self.frame, self._worst, Fonts(self.font()), QRectF(self.rect()))

    def paint_legend(self, painter: QPainter, picture: Picture) -> None:
        legend = picture.legend
        if legend is not None:
            if self.session.shown_heat is None:
                legend = replace(legend, note="computing …", busiest=None)
            paint_legend(painter, legend, self.theme, self.font(), MARGIN_PX, self.height() - MARGIN_PX)
        placed = self.session.placed_jobs
        if placed.marked:
            left = MARGIN_PX + (WIDTH_PX + BETWEEN_LEGENDS_PX if legend is not None else 0.0)
            room_px = self.width() - MARGIN_PX - left
            paint_job_legend(painter, placed.jobs, self.theme, self.font(), left, self.height() - MARGIN_PX, room_px)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._painter = PicturePainter(QFont(self.font()))
            self.backing = Backing()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = event.oldSize()
        if self.camera == self._whole:  # nobody has gone elsewhere since everything was shown
            self.zoom_to_fit()
        elif before.isValid():  # the middle stays in the middle
            size = event.size()
            shift = (size.width() - before.width()) / 2, (size.height() - before.height()) / 2
            self.camera = self.camera.moved(*shift)
        super().resizeEvent(event)
