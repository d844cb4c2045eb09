"""The legends over the canvas: of heat and jobs at the foot, of colors in a corner; where they are, and how large."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtGui import QPainter

from designer.canvas.framing import fitted
from designer.canvas.glyphs import Fonts
from designer.canvas.heat_plate import HeatPlate
from designer.canvas.key_plate import KeyPlate
from designer.canvas.painting import paint
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.canvas.subject import Plate
from designer.drawing.bundles import Floats
from designer.drawing.display_list import Legend
from designer.drawing.geometry import Rect
from designer.drawing.parts.picture import heat_rect, jobs_rect, legends
from designer.drawing.parts.sheet import Sheet
from designer.model.entities import PlacedJob
from designer.session.document import Document

LEAST_ROOMS = 4
"""A view so many times as high as the legend of the heat keeps room for it before there is a run."""


class Legends:
    """Knows where each stands in a view, for painting, for the mouse, and for what is to be clear of them."""

    def __init__(self, document: Document) -> None:
        self.heat_plate = HeatPlate(document)
        self.key_plate = KeyPlate(document, self.heat_plate)
        self.has_heat = False
        self.jobs: tuple[PlacedJob, ...] = ()

    def paint(self, painter: QPainter, legend: Legend | None, sight: Sight, fonts: Fonts) -> None:
        """Paint them all; `legend` is that of the heat."""
        folded = self.heat_plate.is_folded(sight)
        paint(painter, legends(legend, self.jobs, self._foot(sight, fonts), folded=folded), fonts)
        paint(painter, self.key_plate.parts(sight, fonts), fonts)

    def taken(self, sight: Sight, fonts: Fonts, *, soon: bool = False) -> tuple[Rect, ...]:
        """Where something lies over the view; `soon` also where a run brings a legend, if the view is high enough."""
        heat = self._heat_rect(sight, fonts)
        is_kept = self.has_heat or (soon and sight.height >= LEAST_ROOMS * (sight.height - heat[1]))
        jobs = jobs_rect(self.jobs, self._foot(sight, fonts), heat if self.has_heat else None)
        key = self.key_plate.rect(sight, fonts)
        return (*sight.covered, *(one for one in (heat if is_kept else None, jobs, key) if one is not None))

    def settle(self, bounds: Rect, boxes_at: Callable[[float], Floats], sight: Sight, fonts: Fonts) -> None:
        """Look for the freest corner for the legend of colors in a view of everything."""
        key = self.key_plate.rect(sight, fonts)
        others = tuple(one for one in self.taken(sight, fonts, soon=True) if one != key)
        seen = replace(sight, camera=fitted(bounds, sight.width, sight.height, others))
        self.key_plate.look_again()
        self.key_plate.settle(seen.sheet(fonts).boxes(boxes_at(seen.camera.scale)), seen, fonts)

    def at(self, at: Pointer, sight: Sight, fonts: Fonts) -> Plate | None:
        """The one under the mouse that a hand moves or folds."""
        if self.key_plate.holds(at, sight, fonts):
            return self.key_plate
        return self.heat_plate if self.has_heat and self.heat_plate.holds(at, self._heat_rect(sight, fonts)) else None

    def _heat_rect(self, sight: Sight, fonts: Fonts) -> Rect:
        return heat_rect(sight.sheet(fonts), folded=self.heat_plate.is_folded(sight))

    def _foot(self, sight: Sight, fonts: Fonts) -> Sheet:
        """The sheet for the legends at the foot, as far as nothing else stands there."""
        foot = self._heat_rect(sight, fonts)[1]
        width = min((one[0] for one in sight.covered if one[3] > foot), default=sight.width)
        return replace(sight.sheet(fonts), area=(0.0, 0.0, width, sight.height))
