"""SVG diagrams: the design as one page. One canvas unit is one user unit; links keep their width at any zoom."""

from pathlib import Path

from designer.drawing.heat import Heat
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.document import Document, document
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
) -> None:
    """Write the design without the hidden networks, and what lies over it, as SVG in one step.

    Raises ExportError where there is nothing to draw, or SaveError.
    """
    write_document(document(design, theme, heat, hidden, overlay, EstimatedRuler()), path)


def write_document(page: Document, path: Path) -> None:
    """Write a document as SVG in one step. Raises SaveError."""
    replace_file(path, text_of(page).encode("utf-8"))


def svg_of(
    design: Design,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    hidden: frozenset[str] = frozenset(),
    overlay: Overlay = NO_OVERLAY,
) -> str:
    """The text of the SVG; the same for the same design. Raises ExportError where there is nothing to draw."""
    return text_of(document(design, theme, heat, hidden, overlay, EstimatedRuler()))


def text_of(page: Document) -> str:
    """The text of a document as SVG."""
    return svg_text(page.area, page.title, page.description, page.layers)
