"""Paper: sizes by name, upright or across, and the frame that is left within the margins. Points are 1/72 inch."""

from dataclasses import dataclass

from designer.drawing.geometry import Rect
from designer.errors import ExportError

MM_PER_INCH = 25.4
POINTS_PER_MM = 72 / MM_PER_INCH
DEFAULT_MARGIN_MM = 8.0
LEAST_FRAME_MM = 120.0
"""A page with less between its margins has no room for a title block."""

LARGE_MM, LARGE_UNIT_PT = 500.0, 1.5
"""Paper whose short side is as long is large; everything on it is so much larger."""

SIZES_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "a1": (594.0, 841.0), "letter": (215.9, 279.4)}
"""Width and height of upright paper. Sources: ISO 216:2007, ANSI/ASME Y14.1."""

ORIENTATIONS = ("landscape", "portrait")


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper with its margins."""

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float = DEFAULT_MARGIN_MM

    @property
    def unit_pt(self) -> float:
        """The unit that pages are drawn in, in points: large sheets hang on a wall, and are read from farther off."""
        return LARGE_UNIT_PT if min(self.width_mm, self.height_mm) >= LARGE_MM else 1.0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in units."""
        per_mm = POINTS_PER_MM / self.unit_pt
        return self.width_mm * per_mm, self.height_mm * per_mm

    @property
    def frame(self) -> Rect:
        """Left, top, right and bottom of what is within the margins, in units."""
        (width, height), margin = self.size, self.margin_mm * POINTS_PER_MM / self.unit_pt
        return margin, margin, width - margin, height - margin


def shown_name(name: str) -> str:
    """A size of paper as people write it: "A4", "Letter"."""
    return name.upper() if name[0] in "aA" else name.title()


def paper_of(name: str = "a4", orientation: str = "landscape", margin_mm: float = DEFAULT_MARGIN_MM) -> Paper:
    """The paper of that name, whatever its case: "A4, landscape". Raises ExportError."""
    if name.lower() not in SIZES_MM:
        raise ExportError(f"there is no paper {name!r}: choose {', '.join(SIZES_MM)}")
    if orientation not in ORIENTATIONS:
        raise ExportError(f"there is no orientation {orientation!r}: choose {' or '.join(ORIENTATIONS)}")
    short_mm, long_mm = SIZES_MM[name.lower()]
    most_mm = (short_mm - LEAST_FRAME_MM) / 2
    if not 0 <= margin_mm <= most_mm:
        raise ExportError(f"a margin of {name} is 0 to {most_mm:g} mm, not {margin_mm:g} mm")
    width_mm, height_mm = (long_mm, short_mm) if orientation == "landscape" else (short_mm, long_mm)
    return Paper(f"{shown_name(name)}, {orientation}", width_mm, height_mm, margin_mm)
