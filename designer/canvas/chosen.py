"""What a canvas shows as selected: the selection, with what is inside of what it does not draw itself."""

from designer.drawing.composition import Composition
from designer.session.selected import Selected, with_inside


class Chosen:
    """Remembers the last answer: a selection is painted many times, and may be of everything."""

    def __init__(self) -> None:
        self._last: tuple[Selected, Composition, frozenset[str]] | None = None

    def among(self, selected: Selected, composition: Composition) -> frozenset[str]:
        """The selection, with the devices of selected groups and racks that have no frame and no box."""
        if self._last is None or self._last[0] is not selected or self._last[1] is not composition:
            framed, box_of = {one.id for one in composition.containers}, composition.projection.box_of
            around = (selected.groups | selected.racks) - framed
            hidden = frozenset(one for one in around if box_of(one) is None)
            chosen = selected.selection | with_inside(hidden, selected.design) if hidden else selected.selection
            self._last = selected, composition, chosen
        return self._last[2]
