"""The session's design as a picture: kept up with its edits, findings and loads, and painted."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QPainter

from designer.canvas import marks
from designer.canvas.backing import Backing, Same
from designer.canvas.comparison_layer import ComparisonLayer
from designer.canvas.ghost_layer import GhostLayer
from designer.canvas.ghosts import Ghosts
from designer.canvas.glyphs import Fonts
from designer.canvas.hits import Target
from designer.canvas.legends import Legends
from designer.canvas.link_ends import link_ends, paint_ends
from designer.canvas.painting import paint
from designer.canvas.pointer import Pointer
from designer.canvas.pointing import led, paint_tip
from designer.canvas.resizing import gripped, paint_grips
from designer.canvas.sight import Sight
from designer.canvas.spotlight import Spotlight
from designer.canvas.subject import Plate, Subject
from designer.drawing.camera import Viewport
from designer.drawing.colour_by import Status
from designer.drawing.composition import Composition
from designer.drawing.display_list import Legend, Picture
from designer.drawing.folding.levels import Levels
from designer.drawing.geometry import Rect, around
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail
from designer.drawing.lit import are_coloured
from designer.drawing.overlay import Overlay, PauseReach, reach_of, worst_by_subject
from designer.drawing.parts.jobs import JobMarks
from designer.drawing.parts.lit import brought_out
from designer.drawing.parts.marks import MOST_MARKS, badges
from designer.drawing.parts.paper import paper
from designer.drawing.parts.picture import layers, legend_of_loads, over_links, places_of_titles, states
from designer.drawing.parts.primitives import Part
from designer.drawing.parts.row_captions import everything_written, titles_of
from designer.drawing.parts.sheet import Sheet
from designer.drawing.placed import Shift
from designer.late import Late
from designer.model.edit import Edit
from designer.session.session import Session
from designer.validation.findings import Severity

bending = Late("designer.canvas.bending")
parts = Late("designer.canvas.drawn_parts")


class FabricPicture(Subject):
    """What is drawn of the session; `Fabric` adds what a hand does to it."""

    name = "Canvas"

    heat_legend_changed = Signal()
    """The legend of the heat appeared or disappeared."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # with a comparison, all of it counts as one: that lies all over it
        self.parts_at = lambda scale: (
            None if self._comparison.boxes_in(seen := self.seen_at(scale)) else parts.drawn_parts(seen, scale)
        )
        self.bounds_at = lambda scale: around(
            one
            for one in (
                self.bounds(),
                self.seen_at(scale).bounds if self.levels.opened else None,
                *(self._comparison.boxes_in(self.seen_at(scale)) if self._comparison.is_shown else ()),
            )
            if one
        )

        def close_at(scale: float) -> None:
            self.levels.close_at(scale)  # of the drawing that there is by then

        self.close_at = close_at
        self.composition = session.drawn = Composition(session.design, session.hidden_networks)
        self.levels = Levels(self.composition)
        self.seen = self.composition
        """The drawing as it was last seen."""
        self.backing = Backing()
        self._chosen_links = Backing(has_paper=False)
        self._fonts = Fonts(QFont())
        self.ghosts = GhostLayer()
        self._heat: Heat | None = None
        self._had_legend = False
        self._is_fitted = False
        """Whether all was fitted since it was painted last, beside legends that may have been of another design."""
        self.has_heat_legend = True
        """Else another view with the same colors has it."""
        self._legend: Legend | None = None
        self.painted: Picture | None = None
        """What was painted last."""
        self.noted: tuple[Viewport, Picture] | None = None
        """What notes between tiers were last written of, and how it was seen."""
        self._pauses: PauseReach | None = None
        self._worst: dict[str, Severity] = {}
        self._legends = Legends(session)
        self.key_plate = self._legends.key_plate
        self._chosen = marks.Chosen()
        self._scale = 1.0
        """Pixels of a canvas unit where it was painted last."""
        self._job_marks = JobMarks()
        self._spotlight = Spotlight(session, self, self.changed.emit)
        self._comparison = ComparisonLayer(session.workbench.comparison)
        self._was_compared = False
        session.changed.connect(self._follow)
        session.reset.connect(self._reset)
        session.selection_changed.connect(self.changed)
        session.annotations_shown_changed.connect(self._show_notes)
        session.layers_changed.connect(self._show_layers)
        session.badges_changed.connect(self.changed)
        session.path_changed.connect(self._show_notes)  # title blocks bear the name of the file
        session.drafting.changed.connect(self.changed)
        session.workbench.validation.state_changed.connect(self._take_findings)
        session.workbench.heat_view.changed.connect(self._take_heat)
        session.workbench.heat_view.changed.connect(self._make_room)
        session.failed_changed.connect(self._show_status)
        session.workbench.placed_jobs.changed.connect(self.changed)
        session.workbench.flows_on_link.path_changed.connect(self.changed)
        session.workbench.paths.changed.connect(self.changed)
        session.workbench.paths.chosen_changed.connect(self.changed)
        session.workbench.comparison.changed.connect(self._compare)
        self._take_findings()  # what is known already, of a design that is open when another canvas of it is made
        self._take_heat()
        self._had_legend = self.legend_shown
        if self._comparison.marks is not None:
            self._compare()

    # -- where things are -----------------------------------------------------------------------------------------

    def bounds(self) -> Rect | None:
        """Left, top, right and bottom of all that is drawn, in canvas units; None in an empty design."""
        bounds = self.composition.bounds
        return None if bounds is None else around((bounds, *self._comparison.boxes_in(self.seen)))

    def rect_of(self, entity_id: str) -> Rect | None:
        """Left, top, right and bottom of a device, rack, group or link as drawn; None where it is not."""
        return self.composition.rect_of(entity_id)

    def seen_at(self, scale: float) -> Composition:
        """The drawing at so many pixels for a canvas unit: from afar, groups too small to see into are boxes."""
        if self.levels.of is not self.composition:
            self.levels = Levels(self.composition, self.levels.opened)
        self.seen = self.composition
        """The drawing as it was last seen."""
        self.seen = self.levels.at(scale)
        return self.seen

    def detail(self, scale: float) -> Detail:
        """What is worth drawing at so many pixels for a canvas unit."""
        return self.seen_at(scale).detail_at(scale)

    def frame(self, sight: Sight) -> marks.Frame:
        """What marks over the picture need."""
        scale = sight.camera.scale
        return marks.Frame(self.seen_at(scale), sight.camera, self.detail(scale), sight.theme)

    # -- keeping up with the session ------------------------------------------------------------------------------

    def _follow(self, edit: Edit) -> None:
        self.ending.emit()
        if self.session.drawing is not None:
            self._take(self.session.drawing)
        else:
            self.composition.follow(edit)
        self.changed.emit()
        self._make_room()

    def _reset(self) -> None:
        self.ending.emit()
        drawing = self.session.drawing or Composition(self.session.design, self.session.hidden_networks)
        self._take(drawing, is_same=False)
        self.levels = Levels(drawing)
        self._heat, self._pauses, self._worst = None, None, {}
        self._job_marks = JobMarks()
        self.replaced.emit()

    def _show_layers(self) -> None:
        self.ending.emit()
        self._take(Composition(self.session.design, self.session.hidden_networks))
        self.backing = Backing()
        self._chosen_links = Backing(has_paper=False)
        self.changed.emit()

    def _take(self, drawing: Composition, *, is_same: bool = True) -> None:
        """Show another drawing, of the same design in the colors that the last one had."""
        if is_same:
            drawing.kept = self.composition.kept
        self.composition = self.session.drawn = drawing
        drawing.notes.are_shown = self.session.annotations_shown
        if is_same:
            drawing.show_loads(self.heat)
            drawing.colouring.show_marks(self._comparison.marks)
            drawing.colouring.show_status(Status(self._worst, self.session.failed))
            drawing.colouring.failed = self.session.failed

    def _take_findings(self) -> None:
        validation = self.session.workbench.validation
        if (report := validation.report_now) is not None:
            self._worst = worst_by_subject(report.open, validation.waiting)
            self._show_status()

    def _compare(self) -> None:
        """Color what differs from another file, or what the design colors by again."""
        self.composition.colouring.show_marks(self._comparison.marks)
        self.composition.show_loads(self.heat)
        self.composition.generation += 1
        self.changed.emit()
        self._make_room()
        was_compared, self._was_compared = self._was_compared, self._comparison.is_shown
        if self._was_compared != was_compared:
            self.legends_changed.emit()  # all is fitted again, with what only the other side has or without it

    def _show_notes(self) -> None:
        self.composition.notes.are_shown = self.session.annotations_shown
        self.composition.generation += 1
        self.changed.emit()
        self._make_room()

    def _show_status(self) -> None:
        """Color by what has findings and what is marked as failed, count the links left, and paint again."""
        colouring, failed = self.composition.colouring, self.session.failed
        colouring.show_status(Status(self._worst, failed))
        if colouring.needs_findings or colouring.failed != failed:
            self.composition.generation += 1
        colouring.failed = failed
        self.changed.emit()

    def _take_heat(self) -> None:
        """The heat of the design as it stands; while it is recomputed the last one stays, and the legend says so."""
        heat = self.session.workbench.heat_view.heat
        if heat is not None:
            is_new, self._heat = heat is not self._heat, heat
            self.composition.show_loads(self.heat)
            simulation = self.session.workbench.simulation
            result = simulation.current_result if self.session.workbench.heat_view.of_current else None
            self._pauses = reach_of(result.congestion, self.session.design) if result is not None else None
            if is_new and self.session.workbench.simulation.state == "current":
                self.changed_now.emit()  # now, before panels are filled with figures
                return
        elif self.session.workbench.simulation.state != "running":
            self._heat = self._pauses = None
            self.composition.show_loads(None)
        self.changed.emit()

    def _make_room(self) -> None:
        """The legend of the heat appeared or disappeared: the drawing stays where it is, and that keeps off boxes."""
        if self.legend_shown != self._had_legend:
            self._had_legend = self.legend_shown
            self._legends.heat_plate.look_again()
            self.heat_legend_changed.emit()

    @property
    def legend_shown(self) -> bool:
        """Whether links show loads, and so a legend of their colors over the drawing.

        Not where another view shows it, or a legend on the drawing does.
        """
        return self.heat is not None and self.has_heat_legend and not self.composition.notes.has_legend

    @property
    def heat(self) -> Heat | None:
        """The heat that is drawn: none while differences from another file have the colors."""
        return self._heat if self._comparison.marks is None else None

    def show_moves(self, shifts: Mapping[str, Shift]) -> None:
        """Draw these off their places, as an edit would move them; {} puts all back."""
        self.composition.shift(shifts)
        self.changed.emit()

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until another call ends it."""
        self.ghosts.show(ghosts)
        self.changed.emit()

    def rest_on(self, target: Target | None) -> bool:
        """Dim all but a device with its links, on which the mouse rests."""
        return self._spotlight.rest_on(target)

    def leave(self) -> bool:
        """End paths, or the path of a flow."""
        return self._spotlight.leave()

    @property
    def overlay(self) -> Overlay:
        """What is shown over the picture, for a diagram that shows the same."""
        session = self.session
        badges = self._worst if session.badges_shown else {}
        status = Status(self._worst, session.failed)
        return Overlay(
            session.workbench.placed_jobs.marked,
            session.failed,
            badges,
            self._pauses,
            status=status,
            annotations=session.annotations_shown,
            marks=self._comparison.marks,
        )

    # -- painting -------------------------------------------------------------------------------------------------

    def set_font(self, font: QFont) -> None:
        """Write in this font and draw everything again."""
        self._fonts = Fonts(QFont(font))
        self.backing = Backing()
        self._chosen_links = Backing(has_paper=False)

    def paint(self, painter: QPainter, sight: Sight, hovered: Target, *, connectable: bool) -> bool:
        """Paint the fabric from its backing picture, then the states, hovering marks and badges over it.

        True where the picture should be painted again, finer, when things rest.
        """
        self._scale = sight.camera.scale
        frame, heat, view = self.frame(sight), self.heat, sight.viewport
        seen = frame.composition
        self.painted = picture = seen.picture(sight.theme, frame.detail, heat)
        has_cut_off = bool(seen.cut_off_by(self.session.failed))
        self._legend = legend_of_loads(picture, self._pauses, has_cut_off=has_cut_off)
        if self._legend is not None and self.session.workbench.heat_view.heat is None:
            self._legend = replace(self._legend, note="computing …", brief_notes=(), busiest=None)
        if picture.has_own_legend:
            self.painted = picture = replace(picture, legend=self._legend)
        is_fitted, self._is_fitted = self._is_fitted, False
        if self.key_plate.show(picture.keys) and is_fitted:
            self.legends_changed.emit()  # not for a run or other colors, which move nothing
        titles_on = partial(places_of_titles, picture)
        if picture.keys:
            self.key_plate.settle(picture.boxes, sight, self._fonts, titles_on)
        drafting = self.session.drafting.now
        grid_step = float(drafting.spacing) if self.session.drafting.grid_shown else None
        self._legends.has_heat = self.legend_shown
        if self.legend_shown:
            self._legends.settle_heat(picture.boxes, sight, self._fonts, titles_on)
        plate = self._legends.heat_plate.is_folded(sight), self._legends.heat_plate.corner
        drawn = self._legend if picture.has_own_legend else None
        content = (seen, seen.generation, sight.theme.name, frame.detail, Same(heat), grid_step, plate, drawn)

        over = self._legends.taken(sight, self._fonts)
        legends = tuple((left, top, right - left, bottom - top) for left, top, right, bottom in over)
        sheet = replace(sight.sheet(self._fonts), reserved=legends)  # one for all: else texts find two places

        def draw(smooth: bool) -> Iterator[Part]:
            drawn_on = sheet if smooth else replace(sheet, smooth=False)
            yield from paper(drawn_on, grid_step)
            yield from layers(picture, drawn_on)
            self.noted = view, picture

        shade, fonts = sight.theme.background, self._fonts
        again = self.backing.show(painter, view, sight.ratio, content, sight.moving, shade, fonts, draw)
        servers = self.session.workbench.placed_jobs.servers_by_colour()
        feet = self._job_marks.parts(frame.composition, sheet, servers, frame.detail.names)
        paint(painter, feet, self._fonts)
        self._spotlight.paint(painter, frame.composition, picture, heat, sheet, self._fonts)
        again |= self._paint_states(painter, frame, picture, sheet, sight)
        marks.paint_hover(painter, frame, hovered, connectable)
        held = gripped(frame.composition, self.session.selection)
        paint_grips(painter, held, sight)
        paint_tip(painter, led(held), sight)
        if connectable:
            paint_ends(painter, link_ends(frame.composition, frame.detail, self.session.selected), sight)
            if self.session.selected.are_links:
                line = bending.held_line(frame.composition, frame.detail, self.session.selected)
                bending.paint_handles(painter, line, self.session.held_bend, sight)
        clear = 1.0 if self._spotlight.lit(frame.composition) is None else 1.0 - self._spotlight.strength
        if self.session.badges_shown and self.ghosts.shown is None:
            titles = titles_of(picture, sheet) if self._worst else ()
            standing = partial(everything_written, picture, sheet) if self._worst else None
            kept = self._spotlight.device_id
            its_own = {one: severity for one, severity in self._worst.items() if one == kept}
            for worst, opacity in ((self._worst, clear), (its_own, 1.0 if clear < 1.0 else 0.0)):
                if worst and opacity > 0.0:
                    painter.setOpacity(opacity)
                    found = badges(frame.composition, sheet, frame.detail, worst, MOST_MARKS, titles, standing)
                    paint(painter, found, self._fonts)
            painter.setOpacity(1.0)
        return again

    @property
    def is_at_work(self) -> bool:
        """Whether a finer picture is begun and should be continued at once."""
        return self.backing.is_at_work or self._chosen_links.is_at_work

    def _paint_states(
        self, painter: QPainter, frame: marks.Frame, picture: Picture, sheet: Sheet, sight: Sight
    ) -> bool:
        """Failures, pauses, the selection, and what an edit would bring; whether they should be painted again."""
        session, detail = self.session, frame.detail
        over = Overlay(failed=session.failed, pauses=self._pauses)
        paint(painter, states(frame.composition, picture, sheet, over), self._fonts)
        marks.paint_absent(painter, frame, self.heat.absent if self.heat is not None else ())
        is_lit = self._spotlight.lit(frame.composition) is not None
        coloured = is_lit or are_coloured(picture)
        selection, again, are_many = self._chosen.among(session.selected, frame.composition), False, False
        content = (frame.composition, frame.composition.generation, sight.theme.name, detail, Same(selection), coloured)

        def draw(smooth: bool) -> Iterator[Part]:
            return marks.chosen_links(frame, sheet, selection, coloured, smooth=smooth)

        def paint_many_links() -> None:
            nonlocal again, are_many
            are_many = True
            kept, paper, fonts = self._chosen_links, sight.theme.background, self._fonts
            again = kept.show(painter, sight.viewport, sight.ratio, content, sight.moving, paper, fonts, draw)

        bright = None if is_lit else self._chosen.links_of_devices(frame.composition, picture, selection)
        if bright is not None:
            paint(painter, brought_out(bright, sheet), self._fonts)
        marks.paint_selection(painter, frame, sheet, selection, coloured, paint_many_links)
        if not are_many:
            self._chosen_links.leave()
            are_over = bright is not None or frame.composition.chosen(selection)[1] is not None
            if are_over and not (is_lit or sight.moving):
                paint(painter, over_links(picture, sheet), self._fonts)  # no chosen link strikes its own label through
        if self._comparison.paint(painter, frame, sight.viewport, self._fonts):
            paint(painter, over_links(picture, sheet), self._fonts)  # counts and titles stay legible under what comes
            self._comparison.paint_texts(painter, frame, self._fonts, picture, sheet)
        self.ghosts.paint(painter, frame, sight.viewport)
        return again

    def paint_over(self, painter: QPainter, sight: Sight) -> None:
        """The legends."""
        legend = self._legend if self.legend_shown else None
        placed = self.session.workbench.placed_jobs
        self._legends.has_heat, self._legends.jobs = self.legend_shown, tuple(placed.jobs) if placed.marked else ()
        self._legends.paint(painter, legend, sight, self._fonts)

    def taken_px(self, sight: Sight, *, soon: bool = False) -> tuple[Rect, ...]:
        """What lies over the drawing; `soon` with the room of the legend of a run, where the view is high enough."""
        placed = self.session.workbench.placed_jobs
        self._legends.has_heat, self._legends.jobs = self.legend_shown, tuple(placed.jobs) if placed.marked else ()
        if soon:  # all is fitted again, beside the open legends
            self._is_fitted = True
            self._legends.make_room()
        if soon and (bounds := self.bounds()) is not None:
            self._legends.settle(bounds, lambda scale: self.seen_at(scale).boxes, self.parts_at, sight, self._fonts)
        return self._legends.taken(sight, self._fonts, soon=soon)

    def plate_at(self, at: Pointer, sight: Sight) -> Plate | None:
        """The legend that the mouse is on."""
        return self._legends.at(at, sight, self._fonts)
