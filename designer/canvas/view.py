"""The canvas: the fabric on a stage, with the tool that connects."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLineF, Signal
from PySide6.QtWidgets import QWidget

from designer.canvas.fabric import Fabric
from designer.canvas.free_places import free_place, lines_between, obstacles, step_beside
from designer.canvas.ghosts import Ghosts
from designer.canvas.stage_view import StageView
from designer.canvas.text_editor import TextEditor
from designer.canvas.tools import annotate
from designer.canvas.tools.connect import ConnectTool
from designer.canvas.tools.select import SelectTool
from designer.drawing.geometry import Rect
from designer.drawing.placed import Shift
from designer.late import Late
from designer.placement.metrics import BOX_HEIGHT, SWITCH_WIDTH
from designer.session.session import Session

export = Late("designer.canvas.export")
diagrams = Late("designer.exchange.diagram_svg")


class CanvasView(StageView):
    """The design as a fabric of boxes and lines."""

    annotated = Signal()
    """An annotation was put down: the tool has done its work."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.fabric = Fabric(session)
        super().__init__(self.fabric, parent)
        self.add_tools(SelectTool(self, ConnectTool(self, self.fabric)), ConnectTool(self, self.fabric))
        self.add_tools(*annotate.tools(self, self.fabric.point_snap, self.fabric.pinnable, self._annotated))
        self.text_editor = TextEditor(self)

    def _annotated(self, note_id: str) -> None:
        self.annotated.emit()
        self.text_editor.open(note_id)

    def write_in(self, entity_id: str) -> bool:
        """Put the cursor into the words of an annotation or the name of a thing; False where it has none here."""
        return self.text_editor.open(entity_id) or super().write_in(entity_id)

    def free_spot(self, size: tuple[float, float] = (SWITCH_WIDTH, BOX_HEIGHT)) -> tuple[float, float]:
        """Where something new can stand: the middle of the view, or the nearest place to it that is free."""
        return self.fabric.free_spot(*self.camera.to_canvas(self.width() / 2, self.height() / 2), size)

    def free_row(self, size: tuple[float, float], side: int) -> tuple[float, float]:
        """Where a row of new devices can stand: the middle of the view, or below it, or above it with side -1."""
        return self.fabric.free_row(*self.camera.to_canvas(self.width() / 2, self.height() / 2), size, side)

    def step_beside(self, ids: Sequence[str]) -> tuple[float, float]:
        """How far a copy of these goes to stand clear of everything: to the right, below, left or above."""
        return step_beside(self.fabric.composition, ids)

    def free_places(self) -> Callable[[Rect], tuple[float, float]]:
        """What says how far a rectangle goes to cover nothing of what is drawn now."""
        return partial(free_place, obstacles(self.fabric.composition), lines_between(self.fabric.composition))

    def link_px(self, link_id: str) -> QLineF | None:
        """A link's line in pixels of the view, as it is drawn when every link has a line of its own."""
        return self.fabric.frame(self.sight).link(link_id)

    def show_ghosts(self, ghosts: Ghosts | None) -> None:
        """Draw what an edit would bring over the picture, until another call ends it."""
        self.fabric.show_ghosts(ghosts)

    def show_moves(self, shifts: Mapping[str, Shift]) -> None:
        """Draw these off their places, as an edit would move them; {} puts all back."""
        self.fabric.show_moves(shifts)

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
