"""From what is drawn to the picture of it in a document."""

from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import detail_of_document
from designer.drawing.theme import Theme, themed


def document_picture(composition: Composition, theme: Theme | str = "light", heat: Heat | None = None) -> Picture:
    """The picture in the detail of a document to zoom in."""
    detail = detail_of_document(composition.bundles.n_ends, len(composition.bundles.pairs))
    return composition.picture(themed(theme), detail, heat)
