"""Hot links that no line shows: boxes with some inside are outlined and name the hottest, short ones have a beacon."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.counts import Taken
from designer.drawing.display_list import (
    BEACON_PX,
    BEACON_WIDTH,
    CONGESTED_CLASS,
    Beacon,
    Picture,
    class_of,
    colour_of_class,
)
from designer.drawing.folding.hot_inside import HotInside
from designer.drawing.heat import CONGESTED, percent
from designer.drawing.hot_spots import LIKE, demand_text
from designer.drawing.parts.keys import diamond
from designer.drawing.parts.primitives import Group, Ink, Part, Path, Pen, Rect, Text
from designer.drawing.parts.row_captions import HOT_BOXES, taken_before
from designer.drawing.parts.ruler import baseline, line_height, whole
from designer.drawing.parts.sheet import Sheet
from designer.model.shown_text import visible_line
from designer.units import format_count

OUTLINE_PX, RADIUS = 3.0, 6.0
THIN_PX = 1.5
"""Around boxes whose links are hot and not congested, where others have congested ones."""
TEXT_PX = 12.0
MARK_ROOM_PX = 16.0
MARK_ZOOM = 1.5
MOST_PLATES = 6
GAP_PX = 5.0
MOST_BEACON_TEXTS, BEACON_SIZE, LABEL_ROOM_PX = 8, 10, (170.0, 20.0)
MOST_LARGE, LARGE_PX, LARGE_SIZE = 3, 22.0, 12
"""So few beacons in a picture are larger, with larger letters."""


def hot_boxes(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """An outline round each, and plates at those with the most wanted links, where they cover neither box nor plate.

    Of very many one plate speaks for all: it names the worst, or stands below all of them where they are alike. Where
    some have congested links, only these have wide outlines and plates.
    """
    if picture.stacks is None or not picture.stacks.hot:
        return
    places = sheet.boxes(picture.boxes)
    outlines: list[Part] = []
    plates: list[Part] = []
    taken = taken_before(HOT_BOXES, picture, sheet)
    hot = picture.stacks.hot
    n_congested = sum(one.n_congested > 0 for one in hot)
    named = n_congested or len(hot)
    more = named - 1 if named > MOST_PLATES else 0
    most = 1 if more else MOST_PLATES
    are_alike = more > 0 and _worst(hot[MOST_PLATES]) >= LIKE * _worst(hot[0])
    all_of_them = _around(places[[inside.row for inside in hot]])
    for inside in hot:
        box = places[inside.row]
        if not sheet.touches(*box.tolist()):
            continue
        colour = colour_of_class(min(class_of(inside.load), CONGESTED_CLASS), picture.theme)
        is_foremost = bool(inside.n_congested) or not n_congested
        x, y, width, height = box.tolist()
        width_px = min((OUTLINE_PX if is_foremost else THIN_PX) * sheet.zoom, max(1.0, height / 5))
        radius = min(RADIUS * sheet.zoom, height / 4)
        outlines.append(Rect(x, y, width, height, pen=Pen(colour, width_px), radius=radius))
        if sheet.smooth and is_foremost and len(plates) < most:
            for text in _said(inside, more, are_alike=are_alike):
                at = _free_place(all_of_them if are_alike else box, text, sheet, taken)
                if at is not None:
                    taken.take(*at)
                    plates.append(_plate(at, text, colour, inside.load >= CONGESTED, sheet))
                    break
    yield from reversed(outlines)  # the foremost on top, where boxes touch
    yield from plates


def _worst(inside: HotInside) -> float:
    """What boxes are alike by: the demand, or the load of those without congested links."""
    return inside.demand if inside.n_congested else min(1.0, inside.load)


def _around(boxes: Floats) -> Floats:
    """Left, top, width and height of what is around boxes."""
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    found: Floats = np.concatenate((low, high - low))
    return found


def _said(inside: HotInside, more: int, *, are_alike: bool = False) -> tuple[str, ...]:
    """What a plate may say, the longest first; one that speaks for `more` boxes says so.

    None of those that are alike is named: another list would name another one.
    """
    load = demand_text(inside.demand) or percent(min(1.0, inside.load))
    count, kind = (inside.n_congested, "congested") if inside.n_congested else (inside.n_hot, "hot")
    others = f"{format_count(count)} {kind} links inside, " if count > 1 else ""
    brief = f"{format_count(count)} {kind}, "
    if are_alike:
        return (f"{kind.capitalize()} links inside {format_count(more + 1)} boxes, {load}",)
    if more:
        boxes = f"{kind} links in {format_count(more)} more boxes"
        return (f"{visible_line(inside.name)}: {others}{load}; {boxes}",)
    return f"{visible_line(inside.name)}: {others}{load}", f"{brief}{load}"


def _free_place(box: Floats, text: str, sheet: Sheet, taken: Taken) -> tuple[float, float, float, float] | None:
    """Left, top, width and height, below the box, a line lower or above it; None where it would cover anything."""
    zoom, size = sheet.zoom, whole(TEXT_PX * sheet.zoom)
    width = sheet.ruler.width(text, size, True) + (MARK_ROOM_PX + 8) * zoom
    height = line_height(sheet.ruler, size, True) + 4 * zoom
    left, _, across, _ = sheet.area
    x, top, wide, high = box.tolist()
    middle = x + wide / 2 - width / 2
    x = max(left + GAP_PX, min(middle, left + across - width - GAP_PX))
    foot = top + high + 2 * GAP_PX * zoom
    for y in (foot, foot + height, top - height - 2 * GAP_PX * zoom):
        is_inside = sheet.contains(x, y) and sheet.contains(x + width, y + height)
        if is_inside and taken.is_free(x, y, width, height):
            return x, y, width, height
    return None


def _plate(at: tuple[float, float, float, float], text: str, colour: str, is_congested: bool, sheet: Sheet) -> Part:
    x, y, width, height = at
    zoom, size = sheet.zoom, whole(TEXT_PX * sheet.zoom)
    left = (MARK_ROOM_PX if is_congested else MARK_ROOM_PX / 2) * zoom + 4 * zoom
    parts: list[Part] = [
        Rect(0.0, 0.0, width, height, Ink(sheet.theme.plate), Pen(colour, 1.5 * zoom), 3.0 * zoom),
        Text(left, baseline(sheet.ruler, height / 2, size, True), text, size, sheet.theme.text, True),
    ]
    if is_congested:
        mark = diamond(sheet.theme)
        parts.append(Group((mark,), at=(MARK_ROOM_PX / 2 * zoom + 2 * zoom, height / 2), zoom=MARK_ZOOM * zoom))
    return Group(parts, at=(x, y))


def leave_to_beacons(picture: Picture, sheet: Sheet, marked: dict[int, Any], texts: dict[int, str]) -> None:
    """Drop from few marked lines, and from the texts of lines, those with a link that a beacon marks and names."""
    lines, links = picture.lines, [one.row for one in picture.beacons(sheet.scale / sheet.zoom)]
    for row in list(marked) if len(marked) <= MOST_BEACON_TEXTS else ():
        if np.isin(lines.links[lines.starts[row] :][: lines.counts[row]], links).any():
            del marked[row]
            texts.pop(row, None)


def beacons(picture: Picture, sheet: Sheet) -> Iterator[Part]:
    """Diamonds round hot links that are too short to be seen; of the hottest, how hot they are."""
    found, zoom, theme = picture.beacons(sheet.scale / sheet.zoom), sheet.zoom, picture.theme
    few = len(found) <= MOST_LARGE  # all there is to find in a picture of thousands of links
    size, reach = (LARGE_SIZE, LARGE_PX / 2) if few else (BEACON_SIZE, BEACON_PX / 2)
    colour = colour_of_class(CONGESTED_CLASS, theme)
    pen = Pen(colour, BEACON_WIDTH, square=True)
    around = ((0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0))
    taken: list[tuple[float, float]] = []
    for beacon in found:
        at = sheet.camera.to_view(beacon.x, beacon.y)
        yield Group((Path(around, None, pen, closed=True),), at=at, zoom=zoom)
        if not sheet.smooth or len(taken) >= MOST_BEACON_TEXTS:
            continue
        said = _said_at(picture, beacon)
        width, height = sheet.ruler.width(said, size, True) + 8, line_height(sheet.ruler, size) + 2
        across, down = max(LABEL_ROOM_PX[0], width + 2 * reach) * zoom, LABEL_ROOM_PX[1] * zoom
        if all(abs(at[0] - x) > across or abs(at[1] - y) > down for x, y in taken):
            taken.append(at)
            beyond = at[0] + (reach + 4 + width) * zoom > sheet.area[0] + sheet.area[2]
            left = -(reach + 4 + width) if beyond else reach + 4
            text = Text(left + 4, baseline(sheet.ruler, 0.0, size, True), said, size, theme.text, True)
            plate = Rect(left, -height / 2, width, height, Ink(theme.plate), Pen(colour, 1.0), 3.0)
            yield Group((plate, text), at=at, zoom=zoom)


def _said_at(picture: Picture, beacon: Beacon) -> str:
    """The ends of a single hot link, or how many are there, and what is wanted: "leaf-01 – gpu-001: demand 8.0×"."""
    demand = demand_text(beacon.demand)
    ends = picture.hot.ends_text(np.array([beacon.row])) if picture.hot is not None and beacon.n_hot == 1 else ""
    return f"{ends}: {demand or 'hot'}" if ends else ", ".join(filter(None, (f"{beacon.n_hot} hot", demand)))
