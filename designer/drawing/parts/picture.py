"""A picture as layers, in the order in which they lie over each other: the same on a screen and in every document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from designer.drawing import job_names
from designer.drawing.bundles import Floats
from designer.drawing.composition import Composition
from designer.drawing.display_list import Key, Legend, Picture, Swatch
from designer.drawing.geometry import Rect
from designer.drawing.overlay import Overlay, PauseReach
from designer.drawing.parts.annotations import annotations, zone_titles
from designer.drawing.parts.boxes import boxes
from designer.drawing.parts.frames import frames, title_corners, titles
from designer.drawing.parts.hot_boxes import beacons, hot_boxes
from designer.drawing.parts.jobs import job_legend, job_line
from designer.drawing.parts.keys import keys, plates, size_of
from designer.drawing.parts.legend import HEIGHT_PX, MARGIN_PX, WIDTH_PX, legend, size_of_legend
from designer.drawing.parts.links import counts, links
from designer.drawing.parts.marks import failed, pauses
from designer.drawing.parts.primitives import Group
from designer.drawing.parts.row_captions import failed_plates, tiers, titles_of
from designer.drawing.parts.ruler import Ruler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.parts.tori import far_ends, layers_of_torus
from designer.late import Late
from designer.model.entities import PlacedJob
from designer.model.shown_text import visible_line
from designer.units import format_counted

beside = Late("designer.drawing.parts.names_beside")
buses = Late("designer.drawing.parts.buses")

BETWEEN_LEGENDS_PX = 10.0


def layers(picture: Picture, sheet: Sheet, *, has_titles: bool = True, is_dimmed: bool = False) -> Iterator[Group]:
    """Everything but paper and legend; without what lies over it.

    Where paths are to dim it, without the annotations that keep their colors: these come with the paths.
    """
    yield Group(frames(picture.containers, sheet), "containers", label="Groups and racks")
    yield Group(annotations(picture, sheet, behind=True, is_dimmed=is_dimmed), "zones", label="Zones")
    yield Group(links(picture, sheet), "links", label="Links")
    yield from over_links(picture, sheet, has_titles=has_titles, has_zones=not is_dimmed)
    yield Group(boxes(picture, sheet), "boxes", label="Devices")
    if has_titles:
        yield _in_boxes(picture, sheet)
    if picture.stacks is not None:
        yield Group(stacks(picture, sheet), "collapsed", label="Collapsed")
    hottest = chain(hot_boxes(picture, sheet), beacons(picture, sheet))  # they look for places when all texts have one
    yield Group(hottest, "hottest", label="Hot links from afar")
    if not is_dimmed:
        yield Group(annotations(picture, sheet, behind=False), "annotations", label="Annotations")


def over_links(picture: Picture, sheet: Sheet, *, has_titles: bool = True, has_zones: bool = True) -> Iterator[Group]:
    """The texts on plates that cover links: titles, and what is written on lines."""
    if has_zones and any(one.is_behind for one in picture.notes):
        yield Group(zone_titles(picture, sheet), "zone-titles", label="Titles of zones")
    if has_titles:
        yield from _titles(picture, sheet)
    yield Group(counts(picture, sheet), "counts", label="Link counts")
    if picture.buses:
        yield Group(buses.bus_texts(picture, sheet), "buses", label="Full meshes")


def _titles(picture: Picture, sheet: Sheet) -> Iterator[Group]:
    yield Group(titles(picture, sheet), "titles", label="Titles")
    yield Group(tiers(picture, sheet), "tiers", label="Tiers")
    yield Group(layers_of_torus(picture, sheet), "layers", label="Layers")
    yield Group(far_ends(picture, sheet), "far-ends", label="Far ends of links")
    yield Group(beside.names_beside(picture, sheet), "names", label="Names of small boxes")


def _in_boxes(picture: Picture, sheet: Sheet) -> Group:
    return Group(beside.names_within(picture, sheet), "names-in-boxes", label="Names in small boxes")


def places_of_titles(picture: Picture, sheet: Sheet) -> Floats:
    """Left, top, width and height of the titles of groups and tiers, and of the lines below rows, (n, 4)."""
    return np.vstack((np.array(titles_of(picture, sheet), np.float64).reshape(-1, 4), title_corners(picture, sheet)))


def as_asked(picture: Picture, overlay: Overlay) -> Picture:
    """The picture of a document, with the fronts of switches, and without names, models and counts, where asked.

    Titles are drawn by `layers` all the same; a key says which paths are lit.
    """
    detail = replace(picture.detail, faceplates=picture.detail.faceplates or overlay.faceplates)
    coloured = replace(picture.coloured, keys=(*picture.coloured.keys, *_paths_key(picture, overlay)))
    picture = replace(picture, detail=detail, coloured=coloured)
    if overlay.labels:
        return picture
    return replace(picture, detail=replace(detail, names=False, models=False, counts=False), tiers=lambda: None)


def _paths_key(picture: Picture, overlay: Overlay) -> Iterator[Key]:
    """From where to where the lit paths lead, and over how many links."""
    rows = [picture.device_ids.index(one) for one in overlay.lit_ends if one in picture.device_ids]
    if rows:
        names = overlay.lit_names or tuple(picture.caption(row).name for row in rows)
        ends = " – ".join(map(visible_line, names))
        swatch = Swatch(picture.theme.accent, f"{ends}: {format_counted(len(overlay.lit_links), 'link')}")
        yield Key("Paths", (swatch,), is_of_links=True)


def states(
    composition: Composition, picture: Picture, sheet: Sheet, overlay: Overlay, *, has_titles: bool = True
) -> Iterator[Group]:
    """What is marked as failed, how far pauses reach, and the titles that neither may strike through.

    A text is in a document once: `layers` has no titles there if `strikes`.
    """
    plates = failed_plates(picture, sheet)
    yield Group(failed(composition, sheet, overlay.failed, plates), "broken", label="Failed")
    if overlay.pauses is not None:
        yield Group(pauses(composition, sheet, picture.detail, overlay.pauses), "paused", label="Paused")
    if has_titles and strikes(overlay):
        yield from _titles(picture, sheet)
        yield _in_boxes(picture, sheet)


def strikes(overlay: Overlay) -> bool:
    """Whether `states` draws lines over those of links."""
    return overlay.pauses is not None or bool(overlay.failed)


def legend_of_loads(picture: Picture, pauses: PauseReach | None, *, has_cut_off: bool = False) -> Legend | None:
    """What the colors of loads mean, the ticks of paused cables, and the sign of what is cut off, where some are."""
    found = picture.legend
    if found is not None and pauses is not None:
        found = found.with_pauses()
    return found.with_cut_off() if found is not None and has_cut_off else found


def legend_room(heat: Legend | None, shown: Sequence[Key], ruler: Ruler, *, jobs: bool) -> tuple[float, float]:
    """The least width of what `legends` draws, and its height, at zoom 1; 0 where that is nothing."""
    width, height = size_of(plates(shown, ruler, across=True))
    if heat is not None:
        return WIDTH_PX + (BETWEEN_LEGENDS_PX + width if width else 0.0), max(HEIGHT_PX, height)
    return width, max(height, job_names.HEIGHT if jobs else 0.0)


def heat_rect(sheet: Sheet, *, folded: bool | None = None) -> Rect:
    """Where `legends` draws that of the heat: left, top, right and bottom on the sheet."""
    left, top, _, height = sheet.area
    (across, down), margin = size_of_legend(folded=folded), MARGIN_PX * sheet.zoom
    x, bottom = left + margin, top + height - margin
    return x, bottom - down * sheet.zoom, x + across * sheet.zoom, bottom


def keys_rect(shown: Sequence[Key], sheet: Sheet, heat: Rect | None) -> Rect | None:
    """Where `legends` draws those of classes, next to the legend of the heat; None without any."""
    if not shown:
        return None
    left, top, _, height = sheet.area
    across, down = size_of(plates(shown, sheet.ruler, across=True))
    margin = MARGIN_PX * sheet.zoom
    x = left + margin if heat is None else heat[2] + BETWEEN_LEGENDS_PX * sheet.zoom
    bottom = top + height - margin
    return x, bottom - down * sheet.zoom, x + across * sheet.zoom, bottom


def jobs_rect(jobs: Iterable[PlacedJob], sheet: Sheet, heat: Rect | None) -> Rect | None:
    """Where `legends` draws the names of jobs, next to the legend of the heat; None without any."""
    left, top, width, height = sheet.area
    margin = MARGIN_PX * sheet.zoom
    x = left + margin if heat is None else heat[2] + BETWEEN_LEGENDS_PX * sheet.zoom
    line = job_line(jobs, sheet.ruler, (left + width - margin - x) / sheet.zoom)
    bottom = top + height - margin
    wide, high = line.width * sheet.zoom, job_names.HEIGHT * sheet.zoom
    return (x, bottom - high, x + wide, bottom) if line.entries else None


def legends(
    heat: Legend | None,
    jobs: Iterable[PlacedJob],
    sheet: Sheet,
    shown: Sequence[Key] = (),
    *,
    folded: bool | None = None,
) -> Iterator[Group]:
    """What the colors of the heat mean, and right of it those of classes and jobs, at the left bottom of the sheet.

    `folded` says whether that of the heat, which a click folds, is so; without heat, whether those of classes are.
    """
    left, top, width, height = sheet.area
    zoom, margin = sheet.zoom, MARGIN_PX * sheet.zoom
    x, bottom = left + margin, top + height - margin
    if heat is not None:
        at = heat_rect(sheet, folded=folded)[:2]
        parts = legend(heat, sheet.theme, sheet.ruler, folded=folded)
        yield Group(parts, "legend", label="Legend", at=at, zoom=zoom)
        x += (WIDTH_PX + BETWEEN_LEGENDS_PX) * zoom
    if shown:
        placed = plates(shown, sheet.ruler, across=True, folded=heat is None and folded is True)
        across, down = size_of(placed)
        parts = keys(placed, sheet.theme, sheet.ruler, folded=None if heat is not None else folded)
        yield Group(parts, "colors", label="Colors", at=(x, bottom - down * zoom), zoom=zoom)
        x += (across + BETWEEN_LEGENDS_PX) * zoom
    names = job_legend(jobs, sheet.theme, sheet.ruler, (left + width - margin - x) / zoom)
    at = x, bottom - job_names.HEIGHT * zoom
    yield Group(names, "job-names", label="Names of jobs", at=at, zoom=zoom)
