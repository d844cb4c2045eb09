"""A drawing as the canvas shows it where all of it is seen: links of servers on combs, names in a size to read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.display_list import Picture
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.names_beside import named_beside
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.text import width_of
from designer.exchange.graphs.drawn import Box, Drawn, Point

NAME_SIZE = 11.0
LINE = 1.3
"""Height of a line of letters, in terms of their size."""
AIR = 6.0
"""What a name leaves free of the width of its box."""
ONE_LINE_FROM = 1.25
"""Zoom from where on a box has its name alone, the larger; its data have the model."""
RIGHT, ABOVE, BELOW = "right", "top", "bottom"


@dataclass(frozen=True, slots=True)
class Name:
    """How the name of a box is written: the side that it stands on, "" within, and the size of its letters."""

    side: str
    size: float
    has_model: bool = False
    """Whether the model stands in a line below."""


def routed(made: Drawn, zoom: float) -> Drawn:
    """The drawing with its links along the combs of servers that the canvas draws when it is that much smaller."""
    composition = made.composition
    detail = composition.detail_at(1 / zoom)
    if detail.links not in (LinkDetail.TRUNKS, LinkDetail.REGIONS):
        return made
    ways = _combed(composition)
    rows = {link_id: row for row, link_id in enumerate(composition.projection.link_ids)}
    of_link = composition.bundles.of_link
    edges = list(made.edges)
    for number, edge in enumerate(edges):
        way = ways.get(int(of_link[rows[edge.id]]))
        if way is not None:
            points = way if edge.a <= edge.z else tuple(reversed(way))
            edges[number] = replace(edge, points=points, is_combed=True)
    return replace(made, edges=tuple(edges))


def _combed(composition: Composition) -> dict[int, tuple[Point, ...]]:
    """The way of each bundle that runs along a comb, by its number, from the box of its lower row."""
    boxes, pairs = composition.boxes, composition.bundles.pairs
    found: dict[int, tuple[Point, ...]] = {}
    are_folded = composition.projection.n_own < len(boxes)
    for lines in composition.gatherer.lines(Detail(LinkDetail.TRUNKS)):
        if not (lines.of_servers or are_folded):  # between boxes for many also along the ring of groups
            continue
        pieces: dict[int, list[tuple[float, float, float, float]]] = {}
        of_line = np.repeat(np.arange(len(lines.xy)), lines.counts)
        for number, line in zip(lines.bundles.tolist(), of_line.tolist(), strict=True):
            x1, y1, x2, y2 = lines.xy[line].tolist()
            pieces.setdefault(number, []).append((x1, y1, x2, y2))
        for number, of in pieces.items():
            way = _chained(of)
            if way:
                found[number] = _from_box(way, boxes[pairs[number]])
    return found


def _chained(pieces: Iterable[tuple[float, float, float, float]]) -> tuple[Point, ...]:
    """The corners of a way of which these are the pieces in any order; none where they are no single way."""
    at: dict[Point, list[Point]] = {}
    for x1, y1, x2, y2 in pieces:
        one, other = (round(x1, 2), round(y1, 2)), (round(x2, 2), round(y2, 2))
        if one != other:
            at.setdefault(one, []).append(other)
            at.setdefault(other, []).append(one)
    tips = [one for one, next_to in at.items() if len(next_to) == 1]
    if len(tips) != 2 or any(len(next_to) > 2 for next_to in at.values()):
        return ()
    way, before = [tips[0]], None
    while (step := next((one for one in at[way[-1]] if one != before), None)) is not None:
        before = way[-1]
        way.append(step)
    return _corners(way) if len(way) == len(at) else ()


def _corners(way: Sequence[Point]) -> tuple[Point, ...]:
    """The way without points along a level or upright line."""
    kept = [way[0]]
    for (before, here), (_, after) in zip(pairwise(way), pairwise(way[1:]), strict=False):
        if not any(before[axis] == here[axis] == after[axis] for axis in (0, 1)):
            kept.append(here)
    return (*kept, way[-1])


def _from_box(way: tuple[Point, ...], boxes: Floats) -> tuple[Point, ...]:
    """The way from the first of two boxes (left, top, width, height) to the second."""
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    near, far = (float(np.hypot(*(np.array(way[0]) - one))) for one in middles)
    return way if near <= far else tuple(reversed(way))


def names_of(made: Drawn, zoom: float, area: Rect) -> list[Name]:
    """How the name of each box is written in a drawing of that area: beside it where a row has room, else within."""
    within = _within(made.boxes, zoom)
    if zoom < ONE_LINE_FROM:
        return within
    for row, text in named_beside(*at_fit(made, zoom, area)):
        box = made.boxes[row]
        if text.text == box.name and text.size > within[row].size:
            side = RIGHT if text.x > box.x + box.width / 2 else ABOVE if text.y < box.y else BELOW
            within[row] = Name(side, float(text.size))
    return within


def at_fit(made: Drawn, zoom: float, area: Rect) -> tuple[Picture, Sheet]:
    """What the canvas shows where all of it is seen, on a sheet of canvas units."""
    composition = made.composition
    picture = composition.picture(made.theme, composition.detail_at(1 / zoom))
    return picture, Sheet(Camera(), area, made.theme, EstimatedRuler(), zoom)


def _within(boxes: Sequence[Box], zoom: float) -> list[Name]:
    """Names within boxes, of one size for all boxes of a role and width."""
    if zoom < ONE_LINE_FROM:
        return [Name("", NAME_SIZE, True) for _ in boxes]
    rooms: dict[tuple[str, str, float], float] = {}
    for box in boxes:
        room = min((box.width - AIR) / (width_of(box.name, 1.0) or 1.0), (box.height - AIR) / LINE, NAME_SIZE * zoom)
        key = box.kind, box.role, box.width
        rooms[key] = min(room, rooms.get(key, room))
    sizes = [float(int(rooms[box.kind, box.role, box.width])) for box in boxes]
    return [Name("", max(NAME_SIZE, size), size <= NAME_SIZE) for size in sizes]
