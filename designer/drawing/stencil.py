"""What of a drawing stays where boxes are only moved, so that a worker need not read the whole design again."""

from dataclasses import dataclass

from designer.drawing.bundles import Bundles
from designer.drawing.composition import Composition
from designer.drawing.projection import Projection
from designer.model.design import Design
from designer.placement.layouts.sketch import Joins


@dataclass(frozen=True, slots=True)
class Stencil:
    """Boxes and links of a drawing as they were when it was taken. It serves once."""

    base: Projection
    bundles: Bundles | None
    """Its links by pairs of boxes; None where they are not known, or something is collapsed."""

    @property
    def hidden(self) -> frozenset[str]:
        """The networks that it leaves out."""
        return self.base.hidden

    def drawing(self, design: Design) -> Composition:
        """The drawing of a design that differs from the one it was taken of in places on the canvas alone."""
        self.base.move_to(design)
        found = Composition(design, base=self.base)
        if self.bundles is not None and found.projection is found.base:
            found.bundles = self.bundles
        return found


def stencil_of(drawing: Composition | None) -> Stencil | None:
    """What a worker may start from, whatever becomes of the drawing meanwhile; None without one."""
    if drawing is None:
        return None
    is_whole = drawing.projection is drawing.base
    return Stencil(drawing.base.copied(), drawing.__dict__.get("bundles") if is_whole else None)


def joins_of(drawing: Composition | None) -> Joins | None:
    """Which devices links join, as a drawing of all networks has it; None without one."""
    if drawing is None or drawing.base.hidden:
        return None
    return Joins([*drawing.base.device_ids], drawing.base.ends)
