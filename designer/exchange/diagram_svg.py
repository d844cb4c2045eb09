"""SVG diagrams: the design as one page, laid out for a size in pixels. Links keep their width at any zoom."""

from pathlib import Path

from designer.drawing.heat import Heat
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.document import SLIDE, Document, Size, document
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.theme import Theme
from designer.exchange.svg_writing import svg_text
from designer.model.design import Design
from designer.storage.saving import replace_file


def write_svg(
    design: Design,
    path: Path,
    *,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
    size: Size | None = SLIDE,
) -> None:
    """Write the design without the hidden networks, and what lies over it, as SVG in one step.

    Without a size everything is written out, in canvas units. Raises ExportError where there is nothing to draw, or
    SaveError.
    """
    write_document(document(design, theme, heat, hidden, overlay, EstimatedRuler(), size), path)


def write_document(page: Document, path: Path) -> None:
    """Write a document as SVG in one step. Raises SaveError."""
    replace_file(path, text_of(page).encode("utf-8"))


def svg_of(
    design: Design,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
    size: Size | None = SLIDE,
) -> str:
    """The text of the SVG; the same for the same design. Raises ExportError where there is nothing to draw.

    Without a size everything is written out, in canvas units.
    """
    return text_of(document(design, theme, heat, hidden, overlay, EstimatedRuler(), size))


def text_of(page: Document) -> str:
    """The text of a document as SVG."""
    return svg_text(page.area, page.title, page.description, page.layers)
