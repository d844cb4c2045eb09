"""The diagram as SVG, as its options have it."""

from pathlib import Path

from designer.drawing.pages import DocumentPage
from designer.drawing.parts.document import document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.exchange import diagram_svg
from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.exporters_diagram import heat_of, hidden_of, overlay_of, theme_of
from designer.model.design import Design


def write_svg(design: Design, path: Path, options: DiagramOptions) -> None:
    """Raises ExportError for an option there is not, before anything is computed."""
    theme, hidden, overlay = theme_of(options), hidden_of(options), overlay_of(design, options)
    heat = heat_of(design, options)
    diagram_svg.write_svg(design, path, theme=theme, heat=heat, hidden=hidden, overlay=overlay)


def svg_page(design: Design, options: DiagramOptions) -> DocumentPage:
    """The page of the SVG, to be shown. Raises what `write_svg` raises."""
    theme, hidden, overlay = theme_of(options), hidden_of(options), overlay_of(design, options)
    heat = heat_of(design, options)
    return DocumentPage.of(document(design, theme, heat, hidden, overlay, EstimatedRuler()))
