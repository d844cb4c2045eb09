"""The legend of colours on a screen: it stands in a corner, moves under the hand, and folds to its titles.

Until a hand has put it somewhere, it stands where it covers the fewest boxes.
"""

from collections.abc import Iterator

import numpy as np

from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.drawing.bundles import Floats
from designer.drawing.display_list import Key
from designer.drawing.parts.keys import keys, plates, size_of
from designer.drawing.parts.legend import HEIGHT_PX, MARGIN_PX
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.session.document import Document

CORNERS = (1, 0), (1, 1), (0, 0), (0, 1)
"""Right and bottom; the first of those that are equally free is taken."""
CLICK_PX = 3.0
"""A press that moved no farther was a click."""


class KeyPlate:
    """Where the legend stands; the corner is the document's, so that it stays while designs come and go."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._keys: tuple[Key, ...] = ()
        self._size = (0.0, 0.0)
        self._shift = (0.0, 0.0)
        self._freest: tuple[int, int] | None = None

    def show(self, shown: tuple[Key, ...]) -> bool:
        """Show these from now on; whether they tell about other things."""
        are_others = [one.title for one in shown] != [one.title for one in self._keys]
        if are_others:
            self._freest = None
        self._keys = shown
        return are_others

    def look_again(self) -> None:
        """Other things are seen now: find the freest corner again."""
        self._freest = None

    def settle(self, places: Floats, sheet: Sheet) -> None:
        """Find the corner where the legend covers the fewest boxes (left, top, width, height on the sheet)."""
        if self._keys and self._freest is None:
            size = size_of(plates(self._keys, sheet.ruler, folded=self._document.is_key_folded))
            spots = [self._spot(corner, size, sheet.area[2], sheet.area[3]) for corner in CORNERS]
            self._freest = CORNERS[int(np.argmin([_covered(places, *spot, *size) for spot in spots]))]

    def size(self, ruler: Ruler) -> tuple[float, float]:
        """Width and height; 0 where there is nothing to tell."""
        return size_of(plates(self._keys, ruler, folded=self._document.is_key_folded))

    @property
    def corner(self) -> tuple[int, int]:
        """Where it stands: (right, bottom)."""
        return self._document.key_corner or self._freest or CORNERS[0]

    def parts(self, sheet: Sheet) -> Iterator[Group]:
        """The legend on a sheet; nothing where there is nothing to tell."""
        if self._keys:
            folded = self._document.is_key_folded
            placed = plates(self._keys, sheet.ruler, folded=folded)
            at = self._place(size_of(placed), sheet.area[2], sheet.area[3])
            yield Group(keys(placed, sheet.theme, sheet.ruler, folded=folded), "colors", label="Colors", at=at)

    def holds(self, at: Pointer, sight: Sight, ruler: Ruler) -> bool:
        """Whether the mouse is on it."""
        if not self._keys:
            return False
        size = size_of(plates(self._keys, ruler, folded=self._document.is_key_folded))
        left, top = self._place(size, sight.viewport.width, sight.viewport.height)
        self._size = size
        return left <= at.x_px <= left + size[0] and top <= at.y_px <= top + size[1]

    def move(self, dx: float, dy: float) -> None:
        """Take it along with the mouse, by so many pixels in all."""
        self._shift = dx, dy

    def drop(self, width: float, height: float) -> None:
        """Let it go: it goes to the nearest corner; a click, that moved nothing, folds or opens it."""
        (dx, dy), size = self._shift, self._size
        left, top = self._place(size, width, height)
        self._shift = 0.0, 0.0
        if abs(dx) + abs(dy) > CLICK_PX:
            self._document.key_corner = int(left + size[0] / 2 > width / 2), int(top + size[1] / 2 > height / 2)
        else:
            self.fold()

    def fold(self) -> None:
        """Fold it to its titles, or open it."""
        self._document.is_key_folded = not self._document.is_key_folded

    def cancel(self) -> None:
        """Put it back."""
        self._shift = 0.0, 0.0

    def _place(self, size: tuple[float, float], width: float, height: float) -> tuple[float, float]:
        """Its left top corner; at the left bottom it stands above the other legends."""
        left, top = self._spot(self.corner, size, width, height)
        return left + self._shift[0], top + self._shift[1]

    @staticmethod
    def _spot(corner: tuple[int, int], size: tuple[float, float], width: float, height: float) -> tuple[float, float]:
        right, low = corner
        foot = HEIGHT_PX + 2 * MARGIN_PX if low and not right else MARGIN_PX
        left = width - size[0] - MARGIN_PX if right else MARGIN_PX
        top = height - size[1] - foot if low else MARGIN_PX
        return left, max(MARGIN_PX, top)


def _covered(places: Floats, left: float, top: float, width: float, height: float) -> int:
    """How many of these boxes a rectangle lies over."""
    x, y, across, down = places.T
    over = (x < left + width) & (x + across > left) & (y < top + height) & (y + down > top)
    return int(np.count_nonzero(over))
