"""What is written once about the links between two tiers, or of groups around a middle, on a plate off their lines."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from designer.drawing.bundles import Flags, Floats
from designer.drawing.counts import CountPlaces, Taken, corners_of
from designer.drawing.geometry import Container
from designer.drawing.geometry import Rect as Corners
from designer.drawing.heat import brief_percent
from designer.drawing.hot_spots import LEAST_DEMAND, HotLinks, spot_text
from designer.drawing.parts.primitives import Group, Ink, Part, Pen, Point, Rect, Text
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.drawing.tier_titles import TierNote
from designer.model.entities import ROUTER_GROUPS

SIZE_PX, AIR_PX = 11.0, 4.0
LEAST_GAP = 2.5
"""So many times as high as its note is a gap between two tiers that has room for it."""
MOST_OF_GAP = 0.2
"""Of the width of a gap, what a note that covers lines may take: else it would lie over much of what there is."""
MOST_COVERED = 5
"""Of the few lines of an overview a note may cover so many in any view."""
MOST_OVER = 10
"""How many half lines over the lower edge of the upper row a note is tried."""
ACROSS, DOWN = (
    (0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92, 0.425, 0.575, 0.275, 0.725, 0.14, 0.86, 0.0, 1.0),
    (0.5, 0.3, 0.7),
)
"""Places in a gap, the best first."""
AT_ENDS = 0.2, 0.1, 0.8, 0.9
"""How far down in a gap a note is tried at its ends, and some of its width outside, where lines lead away from them."""
NEAR_MIDDLE = 3
"""So many of them are in the middle of groups around one."""


NO_FRAMES = np.empty((0, 4))


class PlacedNote(NamedTuple):
    """A note on its plate, and left, top, width and height of that."""

    part: Part
    place: tuple[float, float, float, float]


class Surroundings(NamedTuple):
    """What notes keep off, and where the drawing ends."""

    foreign: Flags
    """Lines that no note covers."""
    foot: float
    """Below everything."""
    frames: Floats = NO_FRAMES
    """Of groups of routers, (n, 4) as left, top, right, bottom: a note about all groups stands in none."""


class _Plate(NamedTuple):
    """The size of a plate, and the air around it."""

    width: float
    height: float
    air: float


def frames_of_groups(containers: Iterable[Container], sheet: Sheet) -> Floats:
    """The frames of groups of routers on a sheet, as Surroundings has them."""
    found = [sheet.seen(one.rect) for one in containers if one.kind in ROUTER_GROUPS]
    return corners_of(np.array(found).reshape(-1, 4))


def tier_note(note: TierNote, places: CountPlaces, around: Surroundings, sheet: Sheet) -> PlacedNote | None:
    """A plate off all lines: in the gap, at its ends, or over its upper row; None where it has no room.

    If need be it has no names of tiers. In a gap that is large for it, it may cover lines, but for the foreign ones. Of
    groups around a middle it is below the foot of everything where their links leave it no room.
    """
    brief = [] if note.is_around else [text.partition(": ")[2] for text in note.texts[:1] if ": " in text]
    ways = (*((text, True) for text in (*note.texts, *brief)), *((text, False) for text in note.texts))
    plates = (_note_plate(note, text, places, around, sheet, clear=clear) for text, clear in ways)
    return next((plate for plate in plates if plate is not None), None)


def heated(note: TierNote, of: Flags, hot: HotLinks, loads: Floats) -> TierNote:
    """The note with how many of its links are hot, and the worst load, where any is; `of` says which links are its."""
    n_hot, demand = int(np.count_nonzero(hot.hot[of])), float(hot.demands[of].max(initial=0.0))
    if not n_hot:
        return note
    words = spot_text(n_hot, int(np.count_nonzero(of)), demand)
    if demand < LEAST_DEMAND:
        words += f", up to {brief_percent(min(1.0, float(loads[of].max())))}"
    said, _, _ = note.texts[0].partition(": ")
    return replace(note, texts=(f"{note.texts[0]}; {words}", f"{said}: {words}", words))


def _note_plate(
    note: TierNote, text: str, places: CountPlaces, around: Surroundings, sheet: Sheet, *, clear: bool
) -> PlacedNote | None:
    size, air = whole(SIZE_PX * sheet.zoom), AIR_PX * sheet.zoom
    plate = _Plate(sheet.ruler.width(text, size) + 2 * air, line_height(sheet.ruler, size) + air, air)
    gap = (*sheet.camera.to_view(note.left, note.top), *sheet.camera.to_view(note.right, note.bottom))
    seen = _seen(gap, sheet)
    if seen is None:
        return None
    middle = _around(seen, plate, places, around) if note.is_around else None
    if not note.is_around:
        middle = _between(gap, seen, plate, places, None if clear else around.foreign)
    if middle is None:
        return None
    theme, (width, height, _) = sheet.theme, plate
    shown = Rect(-width / 2, -height / 2, width, height, Ink(theme.plate), Pen(theme.plate_border), 3.0 * sheet.zoom)
    words = Text(0.0, baseline(sheet.ruler, 0.0, size), text, size, theme.muted, anchor="middle")
    return PlacedNote(Group((shown, words), at=middle), (middle[0] - width / 2, middle[1] - height / 2, width, height))


def _between(gap: Corners, seen: Corners, plate: _Plate, places: CountPlaces, foreign: Flags | None) -> Point | None:
    """The middle of the plate for a gap between two tiers, of which that much is in sight.

    Off all lines; or with the `foreign` ones, off those alone.
    """
    width, height, _ = plate
    inside = list(_inside(seen, plate, ACROSS))
    if foreign is not None:
        is_small = width <= MOST_OF_GAP * (seen[2] - seen[0])
        most = None if is_small else MOST_COVERED
        return places.place_in(np.array(inside), width, height, foreign, most=most) if inside else None
    band = np.array([((gap[0] + gap[2]) / 2, gap[1] - 3.5 * height)])  # from two to five times its height over the row
    is_topmost = not places.n_crossed(
        band, gap[2] - gap[0], 3 * height
    ).any()  # else it would seem to be of links above
    corners = [
        (x + width * out * side, y)
        for out in (0.0, 0.25, 0.5, 0.75)
        for side, share in ((-1, 0.0), (1, 1.0))
        for x, y in _inside(seen, plate, (share,), AT_ENDS)
    ]
    spots = np.array([*inside, *corners, *_beside(gap, plate, over=is_topmost)])
    return places.place_in(spots, width, height, clear=True)


def _around(seen: Corners, plate: _Plate, places: CountPlaces, around: Surroundings) -> Point | None:
    """The middle of the plate for groups around a middle: there, or below everything, as it is about no two rows."""
    width, height, air = plate
    inside = np.array(list(_inside(seen, plate, ACROSS[:NEAR_MIDDLE]))).reshape(-1, 2)
    inside = inside[~Taken(around.frames).are_covered(inside, width, height)]
    middle = places.place_in(inside, width, height, clear=True) if len(inside) else None
    if middle is None:
        (left, _, right, _), row = seen, around.foot + height / 2 + 2 * air
        spots = [(left + width / 2 + max(0.0, right - left - width) * share, row) for share in ACROSS]
        spots += [(x, y + height + air) for x, y in spots]
        middle = places.place_in(np.array(spots), width, height)
    return middle


def _inside(
    seen: Corners, plate: _Plate, across: tuple[float, ...], downs: tuple[float, ...] = DOWN
) -> Iterator[Point]:
    """Places in what is in sight of a gap; none where it is too small."""
    (left, top, right, bottom), (width, height, _) = seen, plate
    if bottom - top >= LEAST_GAP * height and right - left >= width:
        for down in downs:
            yield from (
                (left + width / 2 + (right - left - width) * share, top + (bottom - top) * down) for share in across
            )


def _beside(gap: Corners, plate: _Plate, *, over: bool) -> Iterator[Point]:
    """Places at both ends of a gap, and close `over` its upper row, at the end of that first."""
    (left, top, right, bottom), (width, height, air) = gap, plate
    for x in (left - air - width / 2, right + air + width / 2):
        yield from ((x, top + (bottom - top) * down) for down in DOWN)
    for lines in range(2, MOST_OVER if over else 2):
        y = top - lines * height / 2
        yield from ((x, y) for x in (right - width / 2, (left + right) / 2, left + width / 2))


def _seen(gap: Corners, sheet: Sheet) -> Corners | None:
    """What of a gap is on the sheet."""
    left, top, width, height = sheet.area
    seen = max(gap[0], left), max(gap[1], top), min(gap[2], left + width), min(gap[3], top + height)
    return seen if seen[0] < seen[2] and seen[1] < seen[3] else None
