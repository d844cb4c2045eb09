"""Floor plan and elevation as one page each, in units of their plane."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from designer.drawing.camera import Camera
from designer.drawing.colouring import Colouring, DeviceColours
from designer.drawing.display_list import Key
from designer.drawing.geometry import Rect
from designer.drawing.parts.document import SCREEN_WIDTH, Document
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.fixtures import CORNER_PX
from designer.drawing.parts.floor import floor_parts, row_names_room
from designer.drawing.parts.legend import MARGIN_PX
from designer.drawing.parts.picture import legend_room, legends
from designer.drawing.parts.primitives import Group, Ink
from designer.drawing.parts.primitives import Rect as Box
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import TITLE_GAP, elevation
from designer.drawing.room.floor_plan import FloorPlan, fixture_reach, floor_plan
from designer.drawing.theme import Theme
from designer.errors import ExportError
from designer.model.annotation import LEGEND
from designer.model.design import Design
from designer.units import format_counted
from designer.validation.findings import Finding, Severity

MARGIN = 40.0
TITLES = 30.0
"""Over a line of racks, for its title; beside an elevation, for the numbers of units."""
FOOT = 2 * CORNER_PX + 20.0
"""Under a floor plan, for the bar of its scale."""
LEAST_NAME = 5.0


class Coloured(NamedTuple):
    """What the devices of a room are colored by, explained below them where there `has_legend`."""

    colouring: Colouring | None = None
    """None where they have the colors of their kinds."""
    has_legend: bool = True

    def of_devices(self, theme: Theme, among: Iterable[str]) -> DeviceColours | None:
        """The colors of the devices, with a key of those that are drawn."""
        return None if self.colouring is None else self.colouring.of_devices(theme, among)

    def keys(self, found: DeviceColours | None) -> tuple[Key, ...]:
        """What is explained."""
        return found.keys if self.has_legend and found is not None else ()


AS_KINDS = Coloured()


def floor_document(
    design: Design,
    theme: Theme,
    ruler: Ruler,
    racks: Collection[str] | None = None,
    findings: Collection[Finding] = (),
    *,
    coloured: Coloured = AS_KINDS,
    annotations: bool = True,
) -> Document:
    """The floor plan around these racks, or all; `findings` mark theirs. Raises ExportError where it is empty.

    Racks have the colors of the devices in them. Trays that nobody drew look as in the window.
    """
    plan = floor_plan(design)
    if racks is not None:
        plan = _only(plan, racks)
    if not annotations:
        plan = replace(plan, notes=())
    built = [fixture_reach(one) for one in plan.fixtures] if racks is None else []
    built += [one.around for one in plan.notes] if racks is None else []
    bounds = _around([one.rect for one in plan.racks] + built)
    if bounds is None:
        raise ExportError("the design has no racks: there is nothing to draw")
    left, top, right, bottom = bounds
    titles = max(TITLES, row_names_room(plan, ruler))
    area = left - MARGIN - titles, top - MARGIN, right - left + 2 * MARGIN + titles, bottom - top + MARGIN + FOOT
    wrong = frozenset(
        one
        for found in findings
        if found.code.startswith("RACK-") and found.severity is Severity.ERROR
        for one in found.subjects
        if one in design.racks or one in design.fixtures
    )
    sheet = Sheet(Camera(), area, theme, ruler, least_name=LEAST_NAME)
    held = [one for rack in plan.racks for one in design.mounted(rack.id)]
    classes = coloured.of_devices(theme, held)
    marked = Marked(wrong=wrong, classes=classes)
    parts = tuple(floor_parts(plan, design, sheet, marked, on_paper=True))
    keys = () if any(one.note.kind == LEGEND for one in plan.notes) else coloured.keys(classes)
    drawn = _with_keys(Group(parts, "floor", label="Floor plan"), keys, sheet)
    return _document(design, "floor plan", len(plan.racks), drawn, theme)


def elevation_document(
    design: Design,
    theme: Theme,
    ruler: Ruler,
    racks: Collection[str] | None = None,
    findings: Collection[Finding] = (),
    *,
    rear: bool = False,
    room: tuple[float, float] = (0.0, 0.0),
    coloured: Coloured = AS_KINDS,
) -> Document:
    """These racks or all, unit by unit; `findings` mark what stands where it cannot. Raises ExportError for no rack.

    The page without a legend is at least as wide and as high as `room`: pictures that have the same are drawn at one
    scale.
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
    held = [box.id for frame in frames for box in frame.boxes]
    classes = coloured.of_devices(theme, held)
    parts = tuple(elevation_parts(lines, sheet, rear, Marked(wrong=wrong, classes=classes)))
    side = "rear" if rear else "front"
    count = sum(one.rack_id is not None for one in frames)
    drawn = _with_keys(Group(parts, "racks", label="Racks"), coloured.keys(classes), sheet)
    return _document(design, f"racks, {side}", count, drawn, theme)


def _with_keys(drawn: Group, shown: tuple[Key, ...], sheet: Sheet) -> tuple[Rect, tuple[Group, ...]]:
    """The page and its layers: with a legend below, the larger on a wide page."""
    left, top, width, height = sheet.area
    if not shown:
        return sheet.area, (drawn,)
    zoom = max(1.0, width / SCREEN_WIDTH)
    least, foot = (one * zoom for one in legend_room(None, shown, sheet.ruler, jobs=False))
    area = left, top, max(width, least + MARGIN_PX * 2 * zoom), height + foot + MARGIN_PX * zoom
    return area, (drawn, *legends(None, (), replace(sheet, area=area, zoom=zoom), shown))


def _document(design: Design, what: str, n_racks: int, drawn: tuple[Rect, tuple[Group, ...]], theme: Theme) -> Document:
    area, layers = drawn
    paper = Group((Box(*area, Ink(theme.background)),), "paper", label="Paper")
    return Document(f"{design.name}: {what}", format_counted(n_racks, "rack"), area, (paper, *layers))


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
