"""The diagram as SVG, as its options have it."""

from pathlib import Path

from designer.drawing.pages import DocumentPage
from designer.drawing.parts.ruler import EstimatedRuler
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.diagram_svg import write_document
from designer.exchange.exporters_diagram import drawing_of
from designer.model.design import Design


def write_svg(design: Design, path: Path, options: DiagramOptions) -> None:
    """Raises ExportError for an option there is not, before anything is computed."""
    write_document(drawing_of(design, options)(EstimatedRuler()), path)


def svg_page(design: Design, options: DiagramOptions) -> DocumentPage:
    """The page of the SVG, to be shown. Raises what `write_svg` raises."""
    return DocumentPage.of(drawing_of(design, options)(EstimatedRuler()))
