"""What of a drawing stays where boxes are only moved, so that a worker need not read the whole design again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.drawing.composition import Composition
from designer.drawing.projection import Projection
from designer.model.design import Design
from designer.placement.layouts.sketch import Joins

WITHOUT_PLACES = ("bundles", "_joined", "tier_words")
"""What a drawing calculates from devices and links alone, so that it holds wherever boxes are moved to."""


@dataclass(frozen=True, slots=True)
class Stencil:
    """Boxes and links of a drawing as they were when it was taken. It serves once."""

    base: Projection
    known: Mapping[str, Any]
    """What it knows of boxes and links that holds wherever they stand; nothing where something is collapsed."""

    @property
    def hidden(self) -> frozenset[str]:
        """The networks that it leaves out."""
        return self.base.hidden

    def drawing(self, design: Design) -> Composition:
        """The drawing of a design that differs from the one it was taken of in places on the canvas alone."""
        self.base.move_to(design)
        found = Composition(design, base=self.base)
        if found.projection is found.base:
            found.__dict__.update(self.known)
        return found


def stencil_of(drawing: Composition | None) -> Stencil | None:
    """What a worker may start from, whatever becomes of the drawing meanwhile; None without one."""
    if drawing is None:
        return None
    is_whole = drawing.projection is drawing.base
    known = {name: value for name, value in drawing.__dict__.items() if name in WITHOUT_PLACES and is_whole}
    return Stencil(drawing.base.copied(), known)


def joins_of(drawing: Composition | None) -> Joins | None:
    """Which devices links join, as a drawing of all networks has it; None without one."""
    if drawing is None or drawing.base.hidden:
        return None
    return Joins([*drawing.base.device_ids], drawing.base.ends)
