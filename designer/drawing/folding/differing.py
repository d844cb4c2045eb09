"""How many devices in a box that stands for many are added, removed or changed, where two designs are compared."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from designer.drawing.colour_by import Marks
from designer.drawing.folding.folded_projection import FoldedProjection
from designer.drawing.palette import colour_in
from designer.drawing.projection import Projection
from designer.drawing.theme import Theme
from designer.units import format_count

ADDED, REMOVED, CHANGED = SIGNS = "+", "\N{MINUS SIGN}", "~"
"""Before the number of devices, in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class Differences(Marks):
    """Marks of a comparison, with what boxes for many say of them."""

    signs: Mapping[int, str] = field(default_factory=dict)
    """By class, what stands before the number of its devices."""
    outside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By id of devices that the design does not have: the keys of the boxes that they would be in, outermost first."""


def differing_texts(projection: Projection, marks: Marks | None, theme: Theme) -> dict[int, tuple[str, str]]:
    """What is written at boxes for many of the devices in them that differ, by row, and in which color.

    As "+16 −2 ~3": added, also where only the other design has them; removed; changed. The color is that of the class
    that counts most.
    """
    if not isinstance(marks, Differences) or not isinstance(projection, FoldedProjection):
        return {}
    counts = dict[int, Counter[int]]()
    for one, code in marks.of.items():
        row = _row_of(projection, marks, one) if code in marks.signs else None
        if row is not None and row >= projection.n_own:
            counts.setdefault(row, Counter())[code] += 1
    found = dict[int, tuple[str, str]]()
    for row, of_class in sorted(counts.items()):
        by_sign = Counter[str]()
        for code, count in of_class.items():
            by_sign[marks.signs[code]] += count
        text = " ".join(f"{sign}{format_count(by_sign[sign])}" for sign in SIGNS if by_sign[sign])
        found[row] = text, colour_in(marks.classes[max(of_class)].colour, theme, theme.text)
    return found


def _row_of(projection: FoldedProjection, marks: Differences, device_id: str) -> int | None:
    """The box that a device is in, or would be; None where that is not drawn, and of what is no device."""
    before = projection.base.row_of.get(device_id)
    if before is not None:
        return int(projection.row_now[before])
    keys = marks.outside.get(device_id, ())
    return next((row for key in keys if (row := projection.row_of.get(key)) is not None), None)
