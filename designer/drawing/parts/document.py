"""A design as one page: its picture, what lies over it, and the legends beneath."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition, laid_over
from designer.drawing.display_list import Key, Legend, Picture
from designer.drawing.folding.levels import Levels
from designer.drawing.folding.stacks import stacks_of
from designer.drawing.geometry import Rect
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import detail_of_document
from designer.drawing.overlay import Overlay
from designer.drawing.parts.jobs import JobMarks
from designer.drawing.parts.legend import MARGIN_PX, WIDTH_PX
from designer.drawing.parts.lit import overlaid
from designer.drawing.parts.marks import badges
from designer.drawing.parts.paper import paper
from designer.drawing.parts.picture import (
    as_asked,
    heat_rect,
    jobs_rect,
    keys_rect,
    layers,
    legend_of_loads,
    legend_room,
    legends,
    states,
    strikes,
)
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.row_captions import everything_written, titles_of
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import Theme, themed
from designer.errors import ExportError
from designer.late import Late
from designer.model.design import Design
from designer.model.entities import PlacedJob
from designer.model.placed_jobs import servers_by_colour
from designer.model.records import ordered
from designer.units import format_count

headings = Late("designer.drawing.parts.heading")

MARGIN = 40.0
"""Around the drawing; of a wide one so much on the screen on which it is first seen."""
SCREEN_WIDTH = 1600.0
"""A wider drawing is first seen shrunk to about this; its legend and titles are the larger."""
LEAST_NAME = 8.0
"""Names get as small before they are elided."""
MOST_SCALE = 1.2
"""Pixels a canvas unit of a page of its own size."""
MOST_HEIGHT_PX = 16_384.0
"""A page of its own size is no larger."""
LEAST_WIDTH_PX = WIDTH_PX + 2 * MARGIN_PX
"""The legend fits beneath the smallest design."""
TITLE_ROOM_PX = 24.0
"""Over the topmost group or rack, for its title."""
CAPTION_ROOM_PX, HOT_ROOM_PX, SIDE_PX = 34.0, 60.0, 12.0
"""Below the lowest boxes that stand for many devices, for the line that explains them, or two rows of plates that name
hot links inside; and around these boxes."""
LEAST_NAME_PX = 5.0
"""Names are written as small before they are elided: a page or an image is read closer than a window."""


def document_picture(composition: Composition, theme: Theme | str = "light", heat: Heat | None = None) -> Picture:
    """The picture in the detail of a document to zoom in."""
    detail = detail_of_document(composition.bundles.n_ends, len(composition.bundles.pairs))
    return composition.picture(themed(theme), detail, heat)


@dataclass(frozen=True, slots=True)
class Document:
    """A page with `area` (left, top, width, height), and the layers on it, the paper first, to be written once."""

    title: str
    description: str
    area: Rect
    layers: tuple[Group, ...]
    unit_px: float | None = None
    """Pixels per unit of `area` that it is laid out for; None where it is drawn as large as there is room for."""
    least_letters: float = 0.0
    """Size of the smallest names in units of `area`, where all are written; 0 where only those that can be read are."""
    scale: float = 1.0
    """Units of `area` per canvas unit."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and most height in pixels that a picture is laid out for, with the detail that a window of them shows.

    What is wider than `window` is what a window of that width shows, only larger.
    """

    width: float
    height: float = MOST_HEIGHT_PX
    window: float = SCREEN_WIDTH
    most_scale: float = MOST_SCALE
    """Pixels a canvas unit at most."""
    least_width: float = 0.0
    """A narrower picture stands in the middle of so much."""


SLIDE = Size(SCREEN_WIDTH)
"""As wide as a window or a slide: of what nobody says how large it will be shown."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """What of a design is drawn, and where."""

    composition: Composition
    picture: Picture
    sheet: Sheet
    unit_px: float | None = None


def document(
    design: Design,
    theme: Theme | str,
    heat: Heat | None,
    hidden: frozenset[str],
    overlay: Overlay,
    ruler: Ruler,
    size: Size | None = SLIDE,
) -> Document:
    """The design without the hidden networks, and what lies over it. Raises ExportError where that is nothing.

    Of a size it is what can be read there; without one it is everything, in canvas units, to zoom in.
    """
    composition = Composition(design, hidden) if overlay.counts else laid_over(design, hidden)
    composition.notes.are_shown = overlay.annotations
    composition.colouring.choose(overlay.colours)
    composition.colouring.show_status(overlay.status)
    composition.colouring.failed = overlay.failed
    composition.colouring.show_marks(overlay.marks)
    composition.show_loads(heat)
    if composition.bounds is None:
        raise ExportError("the design is empty: there is nothing to draw")
    if size is None:
        laid_out = _in_full(composition, themed(theme), heat, overlay, ruler)
    else:
        laid_out = _as_seen(composition, themed(theme), heat, overlay, ruler, size)
    picture, sheet = laid_out.picture, laid_out.sheet
    heat_legend, jobs, shown = _keys(laid_out.composition, picture, overlay)
    sheet = replace(sheet, reserved=_legend_places(heat_legend, jobs, shown, sheet))
    laid_out = replace(laid_out, sheet=sheet)
    if picture.has_own_legend:
        has_cut_off = bool(laid_out.composition.cut_off_by(overlay.failed))
        picture = replace(picture, legend=legend_of_loads(picture, overlay.pauses, has_cut_off=has_cut_off))
    heading, area = headings.heading_of(design, sheet) if overlay.heading else (None, sheet.area)
    drawn = (
        Group(paper(replace(sheet, area=area)), "paper", label="Paper"),
        *((heading,) if heading is not None else ()),
        *layers(
            picture,
            sheet,
            has_titles=overlay.labels and not strikes(overlay),
            is_dimmed=bool(overlay.lit_ends),
        ),
        *_over(laid_out, heat, overlay),
        *legends(heat_legend, jobs, sheet, shown),
    )
    described = _description(composition, picture) if overlay.counts else "Two designs laid over each other"
    least_letters = LEAST_NAME if size is None and overlay.labels else 0.0
    return Document(design.name, described, area, drawn, laid_out.unit_px, least_letters, sheet.camera.scale)


def _legend_places(
    heat: Legend | None, jobs: Sequence[PlacedJob], shown: Sequence[Key], sheet: Sheet
) -> tuple[Rect, ...]:
    """Where the legends will be, which all texts keep clear of: left, top, width and height of each."""
    of_heat = None if heat is None else heat_rect(sheet)
    of_keys = keys_rect(shown, sheet, of_heat)
    found = of_heat, of_keys, jobs_rect(jobs, sheet, of_keys or of_heat)
    return tuple((left, top, right - left, bottom - top) for left, top, right, bottom in filter(None, found))


def _room_below(composition: Composition, heat: Heat | None) -> float:
    """So many pixels stay free below the lowest box for plates that name hot links inside; 0 where there are none."""
    stacks = stacks_of(composition.projection, heat)
    return HOT_ROOM_PX if stacks is not None and stacks.hot else 0.0


def _in_full(composition: Composition, theme: Theme, heat: Heat | None, overlay: Overlay, ruler: Ruler) -> _Layout:
    """Every name and count in canvas units; what keeps its size on a screen is the larger on a wide page."""
    picture = as_asked(document_picture(composition, theme, heat), overlay)
    left, top, right, bottom = _bounds(composition)
    zoom = max(1.0, (right - left) / (SCREEN_WIDTH - 2 * MARGIN))
    edge, margin = float(round(MARGIN * zoom)), MARGIN_PX * zoom
    below = max(edge, _room_below(composition, heat) * zoom)
    least, foot = _legend_room(composition, picture, overlay, ruler)
    foot *= zoom
    width = max(right - left + 2 * edge, (least * zoom + 2 * margin) if least else 0.0)
    height = bottom - top + edge + below + (foot + margin if foot else 0.0)
    area = (left + right - width) / 2, top - edge, width, height
    return _Layout(composition, picture, Sheet(Camera(), area, theme, ruler, zoom, LEAST_NAME))


def _as_seen(
    composition: Composition, theme: Theme, heat: Heat | None, overlay: Overlay, ruler: Ruler, size: Size
) -> _Layout:
    """What a window shows, in its pixels, with room for titles and for the line below boxes of many devices."""
    bounds = left, top, right, bottom = _bounds(composition)
    left, top, right, bottom = left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN
    wanted = max((right - left) * MOST_SCALE, LEAST_WIDTH_PX, size.least_width)
    width = min(size.width, size.window, wanted)
    scale = min(size.most_scale, width / (right - left))
    picture = as_asked(composition.picture(theme, composition.detail_at(scale), heat), overlay)
    least, foot = _legend_room(composition, picture, overlay, ruler)
    width, below = max(width, least + 2 * MARGIN_PX if least else 0.0), foot + MARGIN_PX if foot else 0.0
    most_height = size.height * width / size.width
    scale = min(size.most_scale, width / (right - left), (most_height - below) / (bottom - top))
    if composition.containers or composition.tier_titles:  # titles keep their size, however small the scale
        top = min(top, bounds[1] - TITLE_ROOM_PX / scale)
    if any(one.is_titled_below for one in composition.containers):
        bottom = max(bottom, bounds[3] + TITLE_ROOM_PX / scale)
    bottom = max(bottom, bounds[3] + _room_below(composition, heat) / scale)
    height = min(most_height, (bottom - top) * scale + below)
    camera = fitting((left, top, right, bottom), width, height - below, most=size.most_scale, margin=0.0)
    levels = Levels(composition, dict.fromkeys(overlay.opened))
    seen = levels.at(camera.scale) if composition.are_counted else composition
    if seen is not composition:
        around, side = seen.bounds or bounds, SIDE_PX / camera.scale  # links run past folded groups, lines stand below
        low = around[3] + max(CAPTION_ROOM_PX, _room_below(seen, heat)) / camera.scale
        sides = min(left, around[0] - side), min(top, around[1] - side), max(right, around[2] + side), max(bottom, low)
        height = min(most_height, width * (sides[3] - sides[1]) / (sides[2] - sides[0]) + below)
        camera = fitting(sides, width, height - below, most=size.most_scale, margin=0.0)
    picture = as_asked(seen.picture(theme, seen.detail_at(camera.scale), heat), overlay)
    least_name = max(1.0, LEAST_NAME_PX * width / size.width)
    return _Layout(
        seen, picture, Sheet.of_view(Viewport(camera, width, height), theme, ruler, least_name=least_name), 1.0
    )


def _bounds(composition: Composition) -> Rect:
    found = composition.bounds
    assert found is not None
    return found


def _keys(
    composition: Composition, picture: Picture, overlay: Overlay
) -> tuple[Legend | None, Sequence[PlacedJob], tuple[Key, ...]]:
    """What the legends are of: the heat, the jobs, and the classes."""
    if not overlay.legend:
        return None, (), ()
    has_cut_off = bool(composition.cut_off_by(overlay.failed))
    legend = None if picture.has_own_legend else legend_of_loads(picture, overlay.pauses, has_cut_off=has_cut_off)
    return legend, ordered(composition.design.jobs) if overlay.jobs else (), picture.keys


def _legend_room(composition: Composition, picture: Picture, overlay: Overlay, ruler: Ruler) -> tuple[float, float]:
    heat, jobs, shown = _keys(composition, picture, overlay)
    return legend_room(heat, shown, ruler, jobs=bool(jobs))


def _over(laid_out: _Layout, heat: Heat | None, overlay: Overlay) -> Iterator[Group]:
    """What lies over the picture."""
    composition, picture, sheet = laid_out.composition, laid_out.picture, laid_out.sheet
    if overlay.jobs and composition.design.jobs:
        servers = servers_by_colour(composition.design)
        feet = JobMarks().parts(composition, sheet, servers, picture.detail.names)
        yield Group(feet, "jobs", label="Jobs")
    yield from overlaid(composition, picture, heat, sheet, overlay)
    yield from states(composition, picture, sheet, overlay, has_titles=overlay.labels)
    yield Group(
        badges(
            composition,
            sheet,
            picture.detail,
            overlay.badges,
            titles=titles_of(picture, sheet),
            standing=lambda: everything_written(picture, sheet),
        ),
        "findings",
        label="Findings",
    )


def _description(composition: Composition, picture: Picture) -> str:
    design, drawn = composition.design, len(composition.projection.whole().device_ids)
    parts = [f"{_counted(drawn, 'device')}, {_counted(len(design.links), 'link')}"]
    if drawn < len(design.devices):
        parts.append(f"not drawn, having no place: {_counted(len(design.devices) - drawn, 'device')}")
    if picture.legend is not None:
        parts += [": ".join(part for part in (picture.legend.title, picture.legend.label) if part), picture.legend.note]
    return "; ".join(parts)


def _counted(count: int, word: str) -> str:
    return f"{format_count(count)} {word}{'' if count == 1 else 's'}"
