"""From a design to the picture of it, in one call."""

from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, detail_of_document
from designer.drawing.theme import Theme, themed
from designer.model.design import Design


def build_picture(
    design: Design,
    theme: Theme | str = "light",
    heat: Heat | None = None,
    detail: Detail | None = None,
    hidden: frozenset[str] = frozenset(),
) -> Picture:
    """The picture of a design without the hidden networks; by default in the detail of a document to zoom in."""
    composition = Composition(design, hidden)
    if detail is None:
        return document_picture(composition, theme, heat)
    return composition.picture(themed(theme), detail, heat)


def document_picture(composition: Composition, theme: Theme | str = "light", heat: Heat | None = None) -> Picture:
    """The picture in the detail of a document to zoom in."""
    detail = detail_of_document(len(composition.projection.device_ids), len(composition.bundles.pairs))
    return composition.picture(themed(theme), detail, heat)
