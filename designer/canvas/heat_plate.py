"""The legend of the heat on a screen: a click folds it to its title or opens it, and it folds itself where it must."""

from designer.canvas.framing import is_cramped
from designer.canvas.pointer import START_DRAG_PX, Pointer
from designer.canvas.sight import Sight
from designer.drawing.geometry import Rect
from designer.session.document import Document


class HeatPlate:
    """Whether it is folded is the document's, once a hand has folded or opened it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shift = 0.0

    def is_folded(self, sight: Sight) -> bool:
        """Whether only its title shows."""
        chosen = self._document.is_heat_key_folded
        return is_cramped(sight.width, sight.height) if chosen is None else chosen

    def holds(self, at: Pointer, place: Rect) -> bool:
        """Whether the mouse is on it where it stands."""
        return place[0] <= at.x_px <= place[2] and place[1] <= at.y_px <= place[3]

    def move(self, dx: float, dy: float) -> None:
        """It stays where it is: the hand has gone so many pixels."""
        self._shift = abs(dx) + abs(dy)

    def drop(self, sight: Sight) -> None:
        """A click folds or opens it."""
        if self._shift < START_DRAG_PX:
            self._document.is_heat_key_folded = not self.is_folded(sight)
        self._shift = 0.0
