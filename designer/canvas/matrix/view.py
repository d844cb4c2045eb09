"""The matrix on a stage, and as a file."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from designer.canvas.fabric_picture import FabricPicture
from designer.canvas.matrix.subject import MatrixSubject
from designer.canvas.stage_view import StageView
from designer.drawing.parts.document import Document
from designer.drawing.parts.ruler import Ruler
from designer.errors import ExportError
from designer.late import Late
from designer.session.session import Session

export = Late("designer.canvas.export")
document = Late("designer.drawing.matrix.document")


class MatrixView(StageView):
    """The design as a matrix, with the heat of the canvas."""

    def __init__(self, session: Session, fabric: FabricPicture, parent: QWidget | None = None) -> None:
        self.cells = MatrixSubject(session, fabric)
        super().__init__(self.cells, parent)

    def render_png(self, path: Path) -> None:
        """Write the matrix as PNG. Raises ExportError or SaveError."""
        export.draw_png(self._page, path, export.DEFAULT_WIDTH_PX)

    def render_pdf(self, path: Path) -> None:
        """Write the matrix as one page of a PDF. Raises ExportError or SaveError."""
        export.draw_pdf(self._page, path)

    def _page(self, ruler: Ruler) -> Document:
        shown = self.cells.shaded(self.theme)
        if shown is None:
            raise ExportError("the design has no rows and columns of a matrix: there is nothing to draw")
        made: Document = document.matrix_document(self.session.design.name, shown, ruler)
        return made
