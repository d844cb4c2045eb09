"""The session's design as a picture: kept up with its edits, findings and loads, and painted."""

from dataclasses import replace

from PySide6.QtGui import QFont, QPainter

from designer.canvas import marks
from designer.canvas.backing import Backing
from designer.canvas.ghosts import Ghosts, paint_ghosts
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.job_legend import BETWEEN_LEGENDS_PX, paint_job_legend
from designer.canvas.job_marks import JobMarks
from designer.canvas.legend import MARGIN_PX, WIDTH_PX, paint_legend
from designer.canvas.painting import PicturePainter, paint_background
from designer.canvas.pause_marks import paint_pauses
from designer.canvas.sight import Sight
from designer.canvas.subject import Subject
from designer.drawing.composition import Composition
from designer.drawing.display_list import Legend
from designer.drawing.geometry import Rect
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, detail_at
from designer.drawing.overlay import Overlay, PauseReach, reach_of, worst_by_subject
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Severity


class FabricPicture(Subject):
    """What is drawn of the session; `Fabric` adds what a hand does to it."""

    name = "Canvas"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.composition = Composition(session.design, session.hidden_networks)
        self.backing = Backing()
        self._painter = PicturePainter(QFont())
        self._ghosts: Ghosts | None = None
        self._heat: Heat | None = None
        self._legend: Legend | None = None
        self._pauses: PauseReach | None = None
        self._worst: dict[str, Severity] = {}
        self._job_marks = JobMarks()
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.changed)
        session.layers_changed.connect(self._show_layers)
        session.badges_changed.connect(self.changed)
        session.workbench.validation.changed.connect(self._take_findings)
        session.workbench.heat_view.changed.connect(self._take_heat)
        session.failed_changed.connect(self.changed)
        session.workbench.placed_jobs.changed.connect(self.changed)
        session.workbench.flows_on_link.path_changed.connect(self.changed)

    # -- where things are -----------------------------------------------------------------------------------------

    def bounds(self) -> Rect | None:
        return self.composition.bounds

    def rect_of(self, entity_id: str) -> Rect | None:
        return self.composition.rect_of(entity_id)

    def detail(self, scale: float) -> Detail:
        """What is worth drawing at so many pixels for a canvas unit."""
        projection = self.composition.projection
        return detail_at(
            scale, len(projection.device_ids), len(self.composition.bundles.pairs), len(projection.link_ids)
        )

    def frame(self, sight: Sight) -> marks.Frame:
        """What marks over the picture need."""
        return marks.Frame(self.composition, sight.camera, self.detail(sight.camera.scale), sight.theme)

    # -- keeping up with the session ------------------------------------------------------------------------------

    def _follow(self, edit: Edit) -> None:
        self.ending.emit()
        if self.session.drawing is not None:
            self.composition = self.session.drawing
        else:
            self.composition.follow(edit)
        self.changed.emit()

    def _reset(self) -> None:
        self.ending.emit()
        self.composition = self.session.drawing or Composition(self.session.design, self.session.hidden_networks)
        self._heat, self._pauses, self._worst = None, None, {}
        self._job_marks = JobMarks()
        self.replaced.emit()

    def _show_layers(self) -> None:
        self.ending.emit()
        self.composition = Composition(self.session.design, self.session.hidden_networks)
        self.backing = Backing()
        self.changed.emit()

    def _take_findings(self) -> None:
        report = self.session.workbench.validation.report if self.session.workbench.validation.current else None
        if report is not None:
            self._worst = worst_by_subject(report.findings)
            self.changed.emit()

    def _take_heat(self) -> None:
        """The heat of the design as it stands; while it is computed anew the last one stays, and the legend says so."""
        heat = self.session.workbench.heat_view.heat
        if heat is not None:
            is_new, self._heat = heat is not self._heat, heat
            simulation = self.session.workbench.simulation
            result = simulation.current_result if self.session.workbench.heat_view.of_current else None
            self._pauses = reach_of(result.congestion, self.session.design) if result is not None else None
            if is_new and self.session.workbench.simulation.state == "current":
                self.changed_now.emit()  # now, before panels are filled with figures
                return
        elif self.session.workbench.simulation.state != "running":
            self._heat = self._pauses = None
        self.changed.emit()

    @property
    def legend_shown(self) -> bool:
        return self._heat is not None

    @property
    def heat(self) -> Heat | None:
        """The heat that is drawn."""
        return self._heat

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until told otherwise."""
        self._ghosts = ghosts
        self.changed.emit()

    @property
    def overlay(self) -> Overlay:
        """What is shown over the picture, for a diagram that shows the same."""
        session = self.session
        badges = self._worst if session.badges_shown else {}
        return Overlay(session.workbench.placed_jobs.marked, session.failed, badges, self._pauses)

    # -- painting -------------------------------------------------------------------------------------------------

    def set_font(self, font: QFont) -> None:
        self._painter = PicturePainter(QFont(font))
        self.backing = Backing()

    def paint(self, painter: QPainter, sight: Sight, hovered: Target, *, connectable: bool) -> bool:
        frame, heat, view = self.frame(sight), self._heat, sight.viewport
        picture = self.composition.picture(sight.theme, frame.detail, heat)
        self._legend = picture.legend
        content = (self.composition, self.composition.generation, sight.theme.name, frame.detail, id(heat))

        def draw(onto: QPainter, smooth: bool) -> None:
            paint_background(onto, sight.theme, view)
            self._painter.paint(onto, picture, view, smooth=smooth)

        again = self.backing.show(painter, view, sight.ratio, content, sight.moving, sight.theme.background, draw)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_states(painter, frame, sight.height)
        marks.paint_hover(painter, frame, hovered, connectable)
        if self.session.badges_shown:
            marks.paint_marks(painter, frame, self._worst, Fonts(sight.font), sight.rect)
        return again

    def _paint_states(self, painter: QPainter, frame: marks.Frame, height: float) -> None:
        """Jobs, failures, pauses, the selection, the path of a flow, and what an edit would bring."""
        session = self.session
        jobs = session.workbench.placed_jobs.servers_by_colour()
        self._job_marks.paint(painter, frame, jobs, session.design.revision, height)
        marks.paint_failed(painter, frame, session.failed)
        if self._pauses is not None:
            paint_pauses(painter, frame, self._pauses)
        marks.paint_selection(painter, frame, session.selection, self._heat is not None)
        lit = session.workbench.flows_on_link.lit
        if lit is not None:
            marks.paint_path(painter, frame, session.workbench.flows_on_link.path, (lit.source_id, lit.target_id))
        if self._ghosts is not None:
            paint_ghosts(painter, frame, self._ghosts)

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """The legends."""
        legend, foot = self._legend, sight.height - MARGIN_PX
        if legend is not None:
            if self.session.workbench.heat_view.heat is None:
                legend = replace(legend, note="computing …", busiest=None)
            paint_legend(painter, legend, sight.theme, sight.font, MARGIN_PX, foot)
        placed = self.session.workbench.placed_jobs
        if placed.marked:
            left = MARGIN_PX + (WIDTH_PX + BETWEEN_LEGENDS_PX if legend is not None else 0.0)
            room_px = sight.width - MARGIN_PX - left
            paint_job_legend(painter, placed.jobs, sight.theme, sight.font, left, foot, room_px)
