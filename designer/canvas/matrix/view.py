"""The matrix on a stage, and as a file."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from designer.canvas.export import DEFAULT_WIDTH_PX, draw_pdf, draw_png
from designer.canvas.fabric_picture import FabricPicture
from designer.canvas.matrix.subject import MatrixSubject
from designer.canvas.stage_view import StageView
from designer.drawing.matrix.document import matrix_document
from designer.drawing.parts.document import Document
from designer.drawing.parts.ruler import Ruler
from designer.errors import ExportError
from designer.session.session import Session


class MatrixView(StageView):
    """The design as a matrix, with the heat of the canvas."""

    def __init__(self, session: Session, fabric: FabricPicture, parent: QWidget | None = None) -> None:
        self.cells = MatrixSubject(session, fabric)
        super().__init__(self.cells, parent)

    def render_png(self, path: Path) -> None:
        """Write the matrix as PNG. Raises ExportError or SaveError."""
        draw_png(self._page, path, DEFAULT_WIDTH_PX)

    def render_pdf(self, path: Path) -> None:
        """Write the matrix as one page of a PDF. Raises ExportError or SaveError."""
        draw_pdf(self._page, path)

    def _page(self, ruler: Ruler) -> Document:
        shown = self.cells.shaded(self.theme)
        if shown is None:
            raise ExportError("the design has no rows and columns of a matrix: there is nothing to draw")
        return matrix_document(self.session.design.name, shown, ruler)
