"""The canvas: the fabric on a stage, with the tool that connects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLineF, QPoint, QPointF, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from designer.canvas.fabric import Fabric
from designer.canvas.ghosts import Ghosts
from designer.canvas.previews import Preview
from designer.canvas.stage_view import StageView
from designer.canvas.text_editor import TextEditor
from designer.canvas.tools import annotate
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.select import SelectTool
from designer.drawing.camera import Camera
from designer.drawing.geometry import Rect, around
from designer.drawing.placed import Shift
from designer.late import Late
from designer.model.annotation import TITLE_BLOCK
from designer.placement.metrics import BOX_HEIGHT, SWITCH_WIDTH
from designer.session.session import Session

export = Late("designer.canvas.export")
free_places = Late("designer.canvas.free_places")
diagrams = Late("designer.exchange.diagram_svg")


class CanvasView(StageView):
    """The design as a fabric of boxes and lines."""

    annotated = Signal()
    """An annotation was put down: the tool has done its work."""
    ports_wanted = Signal(str, str, tuple, QPoint)
    """Which ports of two devices are linked; those given, unless "", are chosen; at a pixel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.fabric = Fabric(session)
        super().__init__(self.fabric, parent)
        pulling, connecting = (ConnectTool(self, self.fabric, self.choose_ports) for _ in range(2))
        self.add_tools(SelectTool(self, pulling), connecting)
        drawers = annotate.tools(self, self.fabric, self._annotated)
        self._drawers = {tool.name: tool for tool in drawers}
        self.add_tools(*drawers)
        self.text_editor = TextEditor(self)
        self._previews_places = False
        """Whether the preview shows things that come or move, not links alone."""
        self._before_preview: tuple[Camera, Camera] | None = None
        """What was seen before a preview, and what was made of it so that all of the preview is seen."""

    def _annotated(self, note_id: str) -> None:
        self.annotated.emit()
        design = self.session.design
        place, is_title_block = design.placements[note_id], design.annotations[note_id].kind == TITLE_BLOCK
        in_sight = self.camera.shows((place.x, place.y, place.x, place.y), *self.extent)
        if not in_sight or (is_title_block and self.shows_all):  # that goes below the drawing
            self.zoom_to_fit()
        self.text_editor.open(note_id, is_new=True)

    def choose_ports(self, a_id: str, b_id: str, ends: tuple[str, str] = ("", ""), at: QPointF | None = None) -> None:
        """Ask which ports of two devices are linked, at a pixel or else at the pointer or in the middle of the view.

        Of these ends those that are not "" are chosen at first.
        """
        spot = self.mapFromGlobal(QCursor.pos()) if at is None else at.toPoint()
        self.ports_wanted.emit(a_id, b_id, ends, spot if self.rect().contains(spot) else self.rect().center())

    def write_in(self, *ids: str) -> bool:
        """Put the cursor into the words of an annotation, or the name of a thing; False where it has none here."""
        return (len(ids) == 1 and self.text_editor.open(*ids)) or super().write_in(*ids)

    def annotate_around(self, kind: str, ids: Iterable[str]) -> bool:
        """Put an annotation of a kind around these; False where none of them is drawn."""
        rect = self._around(ids)
        if rect is not None:
            self._drawers[annotate.PREFIX + kind].enclose(rect)
        return rect is not None

    @property
    def _middle(self) -> tuple[float, float]:
        across, down = self.extent
        return self.camera.to_canvas(across / 2, down / 2)

    def free_spot(self, size: tuple[float, float] = (SWITCH_WIDTH, BOX_HEIGHT)) -> tuple[float, float]:
        """Where something new can stand: the middle of the view, or the nearest place to it that is free."""
        return self.fabric.free_spot(*self._middle, size, self.sight)

    def free_row(self, size: tuple[float, float], side: int) -> tuple[float, float]:
        """Where a row of new devices can stand: the middle of the view, or below it, or above it with side -1."""
        return self.fabric.free_row(*self._middle, size, side)

    def free_in_row(self, ids: Sequence[str], size: tuple[float, float]) -> tuple[float, float] | None:
        """Where something new can stand in the row of these; None where they are not drawn."""
        spot: tuple[float, float] | None = free_places.free_in_row(self.fabric.composition, ids, *size)
        return spot

    def step_beside(self, ids: Sequence[str]) -> tuple[float, float]:
        """How far a copy of these goes to stand clear of everything: to the right, below, left or above."""
        step: tuple[float, float] = free_places.step_beside(self.fabric.composition, ids)
        return step

    def free_places(self) -> Callable[[Rect], tuple[float, float]]:
        """What says how far a rectangle goes to cover nothing of what is drawn now."""
        drawn = self.fabric.composition
        return partial(free_places.free_place, free_places.obstacles(drawn), free_places.lines_between(drawn))

    def link_px(self, link_id: str) -> QLineF | None:
        """A link's line in pixels of the drawing, as it is drawn when every link has a line of its own."""
        return self.fabric.frame(self.sight).link(link_id)

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until another call ends it."""
        self.fabric.show_ghosts(ghosts)

    def show_moves(self, shifts: Mapping[str, Shift]) -> None:
        """Draw these off their places, as an edit would move them; {} puts all back."""
        self.fabric.show_moves(shifts)

    def show_preview(self, preview: Preview | None, foot_px: float = 0.0) -> None:
        """Draw what an edit would do, all of it in view above so many pixels of the widget; None for nothing."""
        self.show_ghosts(None if preview is None else preview.ghosts)
        self.show_moves({} if preview is None else preview.moves)
        rect, before = self._around_preview(preview) if preview is not None else None, self.camera
        if rect is not None:
            self.bring_in(rect, foot_px)
        if self.camera != before:
            first = before if self._before_preview is None else self._before_preview[0]
            self._before_preview = first, self.camera
        if preview is not None:
            self._previews_places = bool(preview.moves or preview.ghosts.boxes)

    def end_preview(self, *, goes_back: bool) -> None:
        """Draw what is there alone, seen as before the preview if wanted; a view that was moved by hand since stays.

        After a preview of nothing but links, between what is there, the view is always as before.
        """
        self.show_preview(None)
        before, self._before_preview = self._before_preview, None
        if (goes_back or not self._previews_places) and before is not None and self.camera == before[1]:
            self.move_camera(before[0])

    def _around_preview(self, preview: Preview) -> Rect | None:
        """Around all that would move, where it would be, all that would come, and then what is selected."""
        moved = [rect for one in preview.moves if (rect := self.fabric.rect_of(one)) is not None]
        new = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in preview.ghosts.boxes]
        selected = self.session.selection if moved or new or len(preview.ghosts.lines) else ()
        return around([*moved, *new, *(rect for one in selected if (rect := self.fabric.rect_of(one)) is not None)])

    def render_svg(self, path: Path) -> None:
        """Write the whole design as it is shown as SVG. Raises ExportError or SaveError."""
        self._render(diagrams.write_svg, path)

    def render_pdf(self, path: Path) -> None:
        """The same as one page of a PDF."""
        self._render(export.render_pdf, path)

    def render_png(self, path: Path) -> None:
        """The same as PNG."""
        self._render(export.render_png, path)

    def _render(self, write: Callable[..., None], path: Path) -> None:
        session = self.session
        write(
            session.design,
            path,
            theme=self.theme,
            heat=session.workbench.heat_view.heat,
            hidden=session.hidden_networks,
            overlay=self.fabric.overlay,
        )
