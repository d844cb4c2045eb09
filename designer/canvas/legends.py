"""The legends over the canvas: of heat and jobs at the foot, of colors in a corner; where they are, and how large.

They fold to their titles: as a hand has left them, else where the view has little room. Until a hand has put it
somewhere, the legend of colors stands where it covers the fewest boxes and titles; that of heat leaves the foot for a
corner where it covers none.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from PySide6.QtGui import QPainter

from designer.canvas.framing import PartsAt, fitted, is_cramped
from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.canvas.pointer import START_DRAG_PX, Pointer
from designer.canvas.sight import Sight
from designer.canvas.subject import Plate
from designer.drawing.bundles import Floats
from designer.drawing.camera import MOST_FIT_SCALE, fit_margin, fitting
from designer.drawing.display_list import Key, Legend
from designer.drawing.geometry import Rect
from designer.drawing.parts.keys import keys, plates, size_of
from designer.drawing.parts.legend import MARGIN_PX, size_of_legend
from designer.drawing.parts.picture import heat_rect, jobs_rect, legends
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.model.entities import PlacedJob
from designer.session.document import Document

CORNERS = (1, 0), (1, 1), (0, 0), (0, 1)
"""Right and bottom; the first of those that are equally free is taken."""
HEAT_CORNERS = (0, 1), (1, 1), (0, 0), (1, 0)
"""The same for the legend of heat."""
CLICK_PX = 3.0
"""A press that moved no farther was a click."""
LITTLE_SMALLER = 0.9
"""So much smaller everything may be, fitted next to open legends."""
LEAST_ROOMS = 4
"""A view so many times as high as the legend of the heat keeps room for it before there is a run."""


TitlesOn = Callable[[Sheet], Floats]
"""Where titles stand on a sheet: left, top, width and height. Asked for when a legend looks for its place."""


def no_titles(_sheet: Sheet) -> Floats:
    """None, of a drawing that is not drawn yet."""
    return np.empty((0, 4))


class HeatPlate:
    """Whether it is folded is the document's, once a hand has folded or opened it.

    A run brings it, and the drawing stays where it is: it stands in the first corner where it lies over neither boxes
    nor titles, and folds where there is none.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shift = 0.0
        self._is_due, self._is_in_way = True, False
        self.corner = HEAT_CORNERS[0]
        """Where it stands: (right, bottom)."""

    def is_folded(self, sight: Sight) -> bool:
        """Whether only its title shows."""
        chosen = self._document.is_heat_key_folded
        return self._is_in_way or is_cramped(sight.width, sight.height) if chosen is None else chosen

    def look_again(self) -> None:
        """See whether it covers boxes where it stands."""
        self._is_due = True

    def make_room(self) -> None:
        """Everything is fitted beside it at the foot."""
        self._is_due, self._is_in_way = True, False
        self.corner = HEAT_CORNERS[0]

    def give_way(self) -> None:
        """Fold where all is fitted, unless a hand has opened it."""
        self._is_due, self._is_in_way = False, True

    def settle(
        self, boxes: Floats, sight: Sight, fonts: Fonts, titles: TitlesOn = no_titles, taken: Iterable[Rect] = ()
    ) -> None:
        """Find the corner where it lies over no box (left, top, width, height on the canvas), title or taken part."""
        if not self._is_due or sight.moving:
            return
        self._is_due, sheet = False, sight.sheet(fonts)
        others = np.array([(x, y, end - x, low - y) for x, y, end, low in taken]).reshape(-1, 4)
        places = np.vstack((sheet.boxes(boxes), titles(sheet), others))
        for is_in_way, corner in product((False, True), HEAT_CORNERS):
            self._is_in_way, self.corner = is_in_way, corner
            left, top, right, bottom = self.rect(sheet, sight)
            if not _covered(places, left, top, right - left, bottom - top):
                return
        self.corner = HEAT_CORNERS[0]

    def rect(self, sheet: Sheet, sight: Sight) -> Rect:
        """Where it stands: left, top, right and bottom on the sheet."""
        return heat_rect(self.sheet_for(sheet, sight), folded=self.is_folded(sight))

    def sheet_for(self, sheet: Sheet, sight: Sight) -> Sheet:
        """The sheet with the area at whose left foot the legend is drawn, so that it stands in its corner."""
        left, top, width, height = sheet.area
        across, down = (one * sheet.zoom + 2 * MARGIN_PX * sheet.zoom for one in self.size(sight))
        right, low = self.corner
        return replace(sheet, area=(left + (width - across) * right, top, width, height if low else down))

    def size(self, sight: Sight) -> tuple[float, float]:
        """Width and height."""
        return size_of_legend(folded=self.is_folded(sight))

    def holds(self, at: Pointer, place: Rect) -> bool:
        """Whether the mouse is on it where it stands."""
        return place[0] <= at.x_px <= place[2] and place[1] <= at.y_px <= place[3]

    def move(self, dx: float, dy: float) -> None:
        """It stays where it is: the pointer has moved so many pixels."""
        self._shift = abs(dx) + abs(dy)

    def drop(self, sight: Sight) -> None:
        """A click folds or opens it."""
        if self._shift < START_DRAG_PX:
            self._document.is_heat_key_folded = not self.is_folded(sight)
        self._shift = 0.0


class KeyPlate:
    """Where the legend stands; the corner is the document's, so that it stays while designs come and go.

    Until a hand has folded or opened it, it folds where it would lie over boxes in every corner: other colors bring it,
    and the drawing stays where it is.
    """

    def __init__(self, document: Document, heat: HeatPlate) -> None:
        self._document, self._heat = document, heat
        self._keys: tuple[Key, ...] = ()
        self._size = (0.0, 0.0)
        self._shift = (0.0, 0.0)
        self._freest: tuple[int, int] | None = None
        self._is_due = self._is_in_way = False
        """Whether to see if it still covers nothing where it stands, and whether it would, were it open."""

    def show(self, shown: tuple[Key, ...]) -> bool:
        """Show these from now on; whether they tell about other things."""
        are_others = [one.title for one in shown] != [one.title for one in self._keys]
        self._is_due = self._is_due or are_others
        self._keys = shown
        return are_others

    def look_again(self) -> None:
        """Other things are seen now: see whether it covers some of them where it stands."""
        self._is_due = True

    def is_folded(self, sight: Sight) -> bool:
        """Whether only titles show: as a hand has left it, else where it is in the way or the view has little room."""
        chosen = self._document.is_key_folded
        return self._is_in_way or is_cramped(sight.width, sight.height) if chosen is None else chosen

    def make_room(self) -> None:
        """Everything is fitted beside it."""
        self._is_due, self._is_in_way = True, False

    def give_way(self) -> None:
        """Fold where all is fitted, unless a hand has opened it."""
        self._is_due, self._is_in_way = False, True

    def settle(self, boxes: Floats, sight: Sight, fonts: Fonts, titles: TitlesOn = no_titles) -> None:
        """Find the corner where the legend covers the fewest boxes (left, top, width, height on the canvas) and titles.

        It stays where it stands while it covers none there, and while the view moves; where it covers some in every
        corner, it folds.
        """
        if not self._keys or (self._freest is not None and (sight.moving or not self._is_due)):
            return
        self._is_due, sheet = False, sight.sheet(fonts)
        places = np.vstack((sheet.boxes(boxes), titles(sheet)))
        for is_in_way in (False, True):
            self._is_in_way = is_in_way
            size = self._size_in(sight, fonts)
            covered = {corner: _covered(places, *self._spot(corner, size, sight), *size) for corner in CORNERS}
            if self._freest is None or covered[self._freest]:
                self._freest = min(CORNERS, key=covered.__getitem__)
            if not covered[self.corner]:
                return

    def rect(self, sight: Sight, ruler: Ruler) -> Rect | None:
        """Where it stands in the view: left, top, right and bottom; None where there is nothing to tell."""
        if not self._keys:
            return None
        size = self._size_in(sight, ruler)
        left, top = self._place(size, sight)
        return left, top, left + size[0], top + size[1]

    def _size_in(self, sight: Sight, ruler: Ruler) -> tuple[float, float]:
        return size_of(plates(self._keys, ruler, folded=self.is_folded(sight)))

    @property
    def corner(self) -> tuple[int, int]:
        """Where it stands: (right, bottom)."""
        return self._document.key_corner or self._freest or CORNERS[0]

    def parts(self, sight: Sight, ruler: Ruler) -> Iterator[Group]:
        """The legend in a view; nothing where there is nothing to tell."""
        if self._keys:
            folded = self.is_folded(sight)
            placed = plates(self._keys, ruler, folded=folded)
            at = self._place(size_of(placed), sight)
            yield Group(keys(placed, sight.theme, ruler, folded=folded), "colors", label="Colors", at=at)

    def holds(self, at: Pointer, sight: Sight, ruler: Ruler) -> bool:
        """Whether the mouse is on it."""
        place = self.rect(sight, ruler)
        if place is None:
            return False
        self._size = place[2] - place[0], place[3] - place[1]
        return place[0] <= at.x_px <= place[2] and place[1] <= at.y_px <= place[3]

    def move(self, dx: float, dy: float) -> None:
        """Take it along with the mouse, by so many pixels in all."""
        self._shift = dx, dy

    def drop(self, sight: Sight) -> None:
        """Let it go: it goes to the nearest corner; a click, that moved nothing, folds or opens it where it stands."""
        (dx, dy), (across, down) = self._shift, self._size
        left, top = self._place(self._size, sight)
        self._shift = 0.0, 0.0
        if abs(dx) + abs(dy) > CLICK_PX:
            right, low = left + across / 2 > sight.width / 2, top + down / 2 > sight.height / 2
            self._document.key_corner = int(right), int(low)
        else:
            self._document.key_corner = self.corner
            self._document.is_key_folded = not self.is_folded(sight)

    def _place(self, size: tuple[float, float], sight: Sight) -> tuple[float, float]:
        """Its left top corner; next to that of heat it stands above or below it."""
        left, top = self._spot(self.corner, size, sight)
        return left + self._shift[0], top + self._shift[1]

    def _spot(self, corner: tuple[int, int], size: tuple[float, float], sight: Sight) -> tuple[float, float]:
        """The left top corner of the legend in a corner of the view, above or below what covers that."""
        right, low = corner
        beyond = self._heat.size(sight)[1] + 2 * MARGIN_PX if corner == self._heat.corner else MARGIN_PX
        left = sight.width - size[0] - MARGIN_PX if right else MARGIN_PX
        top = sight.height - size[1] - beyond if low else beyond
        for x, y, end, bottom in sight.covered:
            if x < left + size[0] and left < end and y < top + size[1] and top < bottom:
                top = y - MARGIN_PX - size[1] if low else bottom + MARGIN_PX
        return left, max(MARGIN_PX, top)


class Legends:
    """Knows where each stands in a view, for painting, for the mouse, and for what is to be clear of them."""

    def __init__(self, document: Document) -> None:
        self.heat_plate = HeatPlate(document)
        self.key_plate = KeyPlate(document, self.heat_plate)
        self.has_heat = False
        self.jobs: tuple[PlacedJob, ...] = ()

    def paint(self, painter: QPainter, legend: Legend | None, sight: Sight, fonts: Fonts) -> None:
        """Paint them all; `legend` is that of the heat."""
        folded, foot = self.heat_plate.is_folded(sight), self._foot(sight, fonts)
        if legend is None or self.heat_plate.corner == HEAT_CORNERS[0]:
            paint(painter, legends(legend, self.jobs, foot, folded=folded), fonts)
        else:
            at = self.heat_plate.sheet_for(sight.sheet(fonts), sight)
            paint(painter, legends(legend, (), at, folded=folded), fonts)
            paint(painter, legends(None, self.jobs, foot), fonts)
        paint(painter, self.key_plate.parts(sight, fonts), fonts)

    def taken(self, sight: Sight, fonts: Fonts, *, soon: bool = False) -> tuple[Rect, ...]:
        """Where something lies over the view; `soon` also where a run brings a legend, if the view is high enough."""
        heat = self._heat_rect(sight, fonts)
        is_kept = self.has_heat or (soon and sight.height >= LEAST_ROOMS * (sight.height - heat[1]))
        jobs, key = self._jobs_rect(sight, fonts), self.key_plate.rect(sight, fonts)
        return (*sight.covered, *(one for one in (heat if is_kept else None, jobs, key) if one is not None))

    def settle_heat(self, boxes: Floats, sight: Sight, fonts: Fonts, titles: TitlesOn) -> None:
        """Look for a corner for the legend of heat, where it lies over nothing, the other legends among it."""
        others = self._jobs_rect(sight, fonts), self.key_plate.rect(sight, fonts)
        taken = (*sight.covered, *(one for one in others if one is not None))
        self.heat_plate.settle(boxes, sight, fonts, titles, taken)

    def settle(
        self, bounds: Rect, boxes_at: Callable[[float], Floats], parts_at: PartsAt, sight: Sight, fonts: Fonts
    ) -> None:
        """Look for the freest corner for the legend of colors in a view of everything.

        Where the drawing would be much smaller for the sake of open legends, they fold, as far as no hand opened them.
        """
        key = self.key_plate.rect(sight, fonts)
        others = tuple(one for one in self.taken(sight, fonts, soon=True) if one != key)
        seen = replace(sight, camera=fitted(bounds, sight.width, sight.height, others), moving=False)
        self.key_plate.look_again()
        self.key_plate.settle(boxes_at(seen.camera.scale), seen, fonts)
        self.make_room()
        whole = fitting(bounds, sight.width, sight.height, MOST_FIT_SCALE, fit_margin(sight.width, sight.height)).scale
        for plate in (self.key_plate, self.heat_plate):
            before = self._fitted_scale(bounds, parts_at, sight, fonts)
            if before >= LITTLE_SMALLER * whole:
                break
            plate.give_way()
            if self._fitted_scale(bounds, parts_at, sight, fonts) <= before:
                plate.make_room()

    def _fitted_scale(self, bounds: Rect, parts_at: PartsAt, sight: Sight, fonts: Fonts) -> float:
        """How large everything is next to the legends as they are."""
        return fitted(bounds, sight.width, sight.height, self.taken(sight, fonts), parts_at).scale

    def make_room(self) -> None:
        """Everything is fitted beside the open legends."""
        self.heat_plate.make_room()
        self.key_plate.make_room()

    def at(self, at: Pointer, sight: Sight, fonts: Fonts) -> Plate | None:
        """The one under the mouse that a hand moves or folds."""
        if self.key_plate.holds(at, sight, fonts):
            return self.key_plate
        return self.heat_plate if self.has_heat and self.heat_plate.holds(at, self._heat_rect(sight, fonts)) else None

    def _heat_rect(self, sight: Sight, fonts: Fonts) -> Rect:
        return self.heat_plate.rect(sight.sheet(fonts), sight)

    def _jobs_rect(self, sight: Sight, fonts: Fonts) -> Rect | None:
        is_beside = self.has_heat and self.heat_plate.corner == HEAT_CORNERS[0]
        return jobs_rect(self.jobs, self._foot(sight, fonts), self._heat_rect(sight, fonts) if is_beside else None)

    def _foot(self, sight: Sight, fonts: Fonts) -> Sheet:
        """The sheet for the legends at the foot, as far as nothing else stands there."""
        foot = heat_rect(sight.sheet(fonts), folded=self.heat_plate.is_folded(sight))[1]
        width = min((one[0] for one in sight.covered if one[3] > foot), default=sight.width)
        return replace(sight.sheet(fonts), area=(0.0, 0.0, width, sight.height))


def _covered(places: Floats, left: float, top: float, width: float, height: float) -> int:
    """How many of these boxes a rectangle lies over."""
    x, y, across, down = places.T
    over = (x < left + width) & (x + across > left) & (y < top + height) & (y + down > top)
    return int(np.count_nonzero(over))
