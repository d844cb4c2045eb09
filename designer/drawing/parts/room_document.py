"""Floor plan and elevation as one page each, in units of their plane."""

from collections.abc import Collection
from dataclasses import replace

from designer.drawing.camera import Camera
from designer.drawing.geometry import Rect
from designer.drawing.parts.document import Document
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.floor import CORNER_PX, floor_parts
from designer.drawing.parts.primitives import Group, Ink
from designer.drawing.parts.primitives import Rect as Box
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import TITLE_GAP, elevation
from designer.drawing.room.floor_plan import FloorPlan, fixture_reach, floor_plan
from designer.drawing.theme import Theme
from designer.errors import ExportError
from designer.model.design import Design
from designer.units import format_counted
from designer.validation.findings import Finding, Severity

MARGIN = 40.0
TITLES = 30.0
"""Over a line of racks, for its title; beside an elevation, for the numbers of units."""
FOOT = 2 * CORNER_PX + 20.0
"""Under a floor plan, for the bar of its scale."""
LEAST_NAME = 5.0


def floor_document(
    design: Design, theme: Theme, ruler: Ruler, racks: Collection[str] | None = None, findings: Collection[Finding] = ()
) -> Document:
    """The floor plan around these racks, or all; `findings` mark theirs. Raises ExportError where it is empty."""
    plan = floor_plan(design)
    if racks is not None:
        plan = _only(plan, racks)
    built = [fixture_reach(one) for one in plan.fixtures] if racks is None else []
    bounds = _around([one.rect for one in plan.racks] + built)
    if bounds is None:
        raise ExportError("the design has no racks: there is nothing to draw")
    left, top, right, bottom = bounds
    area = left - MARGIN - TITLES, top - MARGIN, right - left + 2 * MARGIN + TITLES, bottom - top + MARGIN + FOOT
    wrong = frozenset(
        one
        for found in findings
        if found.code.startswith("RACK-") and found.severity is Severity.ERROR
        for one in found.subjects
        if one in design.racks or one in design.fixtures
    )
    sheet = Sheet(Camera(), area, theme, ruler, least_name=LEAST_NAME)
    parts = tuple(floor_parts(plan, design, sheet, Marked(wrong=wrong), on_paper=True))
    return _document(design, "floor plan", len(plan.racks), area, Group(parts, "floor", label="Floor plan"), theme)


def elevation_document(
    design: Design,
    theme: Theme,
    ruler: Ruler,
    racks: Collection[str] | None = None,
    findings: Collection[Finding] = (),
    *,
    rear: bool = False,
    room: tuple[float, float] = (0.0, 0.0),
) -> Document:
    """These racks or all, unit by unit; `findings` mark what stands where it cannot. Raises ExportError for no rack.

    The page is at least as wide and as high as `room`: pictures that have the same are drawn at one scale.
    """
    lines = elevation(design, rear=rear, racks=racks)
    frames = [frame for line in lines for frame in line.frames]
    bounds = _around([one.whole for one in frames])
    if bounds is None:
        raise ExportError("the design has no racks: there is nothing to draw")
    left, top, right, bottom = bounds
    top = min([top, *(line.top + TITLE_GAP for line in lines)])
    bottom = max([bottom, *(line.y for line in lines)])
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    area = left - MARGIN, top - MARGIN, max(width, room[0]), max(height, room[1])
    # As the window marks them: those that take the same unit, or one that their rack does not have.
    wrong = frozenset(one for found in findings if found.code == "RACK-001" for one in found.subjects[:2])
    sheet = Sheet(Camera(), area, theme, ruler, least_name=LEAST_NAME)
    parts = tuple(elevation_parts(lines, sheet, rear, Marked(wrong=wrong)))
    side = "rear" if rear else "front"
    count = sum(one.rack_id is not None for one in frames)
    return _document(design, f"racks, {side}", count, area, Group(parts, "racks", label="Racks"), theme)


def _document(design: Design, what: str, n_racks: int, area: Rect, drawn: Group, theme: Theme) -> Document:
    paper = Group((Box(*area, Ink(theme.background)),), "paper", label="Paper")
    return Document(f"{design.name}: {what}", format_counted(n_racks, "rack"), area, (paper, drawn))


def _only(plan: FloorPlan, racks: Collection[str]) -> FloorPlan:
    """The plan with these racks alone, and the rows and trays over them."""
    rows = tuple(
        replace(row, rack_ids=held) for row in plan.rows if (held := tuple(one for one in row.rack_ids if one in racks))
    )
    chosen = tuple(one for one in plan.racks if one.id in racks)
    strip = _around([one.rect for one in chosen if not one.on_floor])
    return replace(
        plan, racks=chosen, rows=rows, aisles=plan.aisles if len(rows) == len(plan.rows) else (), strip=strip
    )


def _around(rects: list[Rect]) -> Rect | None:
    if not rects:
        return None
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
