"""Where the names of ports stand at the ends of links, and how small so that neighbors stay apart."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from designer.exchange.graphs.drawn import Box, Drawn, Edge, Point
from designer.exchange.graphs.label_room import LabelRoom, TurnedRect

MOST, LEAST = 7.0, 1.0
"""Sizes of letters, canvas units."""
READABLE = 4.0
"""Smaller letters say nothing next to names of devices: the data of the link has its ports."""
ROOM = 22.0
"""How far from a box level names of crowded ports may stand, row by row."""
SHALLOWEST = 0.35
"""A link that leaves its side at a flatter angle, as a sine, has its names as if it were this steep."""
LETTER, LINE = 0.6, 1.1
"""Width of a letter and height of a line in terms of the size of letters."""
INKED = 0.8
"""Height of what letters take up, in terms of their size."""
GAP = 2.0
TOP, BOTTOM, LEFT, RIGHT = "top", "bottom", "left", "right"
NORMAL = {TOP: (0.0, -1.0), BOTTOM: (0.0, 1.0), LEFT: (-1.0, 0.0), RIGHT: (1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class PortLabel:
    """A name at the end of a link; `x`, `y` are its middle, `turn` the degrees that it is turned clockwise."""

    text: str
    x: float
    y: float
    size: float
    width: float
    """Along the letters."""
    turn: float


@dataclass(frozen=True, slots=True)
class _End:
    text: str
    point: Point
    toward: Point
    owner: tuple[int, bool]
    width: float
    """Of the line."""


def port_labels(
    made: Drawn, edges: Iterable[tuple[Edge, str, str]], *, can_turn: bool
) -> list[tuple[PortLabel, PortLabel]]:
    """The labels of these edges at their two ends: along the links where letters can turn, else level in rows."""
    found: dict[tuple[int, bool], PortLabel] = {}
    chosen = list(edges)
    for (_, side), here in _sides(made, chosen).items():
        for end, label in zip(here, (_turned if can_turn else _level)(side, here), strict=True):
            found[end.owner] = label
    return [(found[number, False], found[number, True]) for number in range(len(chosen))]


def labels_apart(
    made: Drawn, edges: Iterable[tuple[Edge, str, str]], titles: Sequence[TurnedRect] = ()
) -> list[tuple[PortLabel | None, PortLabel | None]]:
    """The labels along these edges at their two ends that cover no line and no label at their box; None for others.

    They keep clear of titles, too. One that would not is set on the other side of its line, then small.
    """
    found: dict[tuple[int, bool], PortLabel] = {}
    chosen = list(edges)
    by_box: dict[int, list[tuple[str, list[_End]]]] = {}
    for (row, side), here in _sides(made, chosen).items():
        by_box.setdefault(row, []).append((side, here))
    for row, sides in by_box.items():
        ends = [end for _, here in sides for end in here]
        room = LabelRoom([*((*end.point, *end.toward) for end in ends), *_borders(made.boxes[row])], titles)
        numbers = {end.owner: number for number, end in enumerate(ends)}
        for side, here in sides:
            pitch = _pitch(side, here)
            for end in here:
                kept = next((one for one in _tried(side, end, pitch) if room.is_free(one[1], numbers[end.owner])), None)
                if kept is not None:
                    found[end.owner], rect = kept
                    room.take(rect)
    return [(found.get((number, False)), found.get((number, True))) for number in range(len(chosen))]


def _tried(side: str, end: _End, pitch: float) -> Iterator[tuple[PortLabel, TurnedRect]]:
    """Places for a name on either side of its line, and what its letters take of the room between lines."""
    _, away = _direction(side, end)
    largest = min(MOST, (pitch * away - end.width) / LINE)
    for size in sorted({max(READABLE, largest), READABLE}, reverse=True):
        for near in (False, True):
            label = _along(side, end, size, is_near=near, width=end.width)
            yield label, TurnedRect(label.x, label.y, label.width, INKED * size + end.width, label.turn)


def _borders(box: Box) -> Iterator[tuple[float, float, float, float]]:
    left, right = box.x - box.width / 2, box.x + box.width / 2
    top, bottom = box.y - box.height / 2, box.y + box.height / 2
    yield from ((left, top, right, top), (left, bottom, right, bottom))
    yield from ((left, top, left, bottom), (right, top, right, bottom))


def _sides(made: Drawn, chosen: list[tuple[Edge, str, str]]) -> dict[tuple[int, str], list[_End]]:
    """The ends of these edges by box and by its side."""
    sides: dict[tuple[int, str], list[_End]] = {}
    for number, (edge, a_text, z_text) in enumerate(chosen):
        ends = (edge.a, a_text, edge.points[:2]), (edge.z, z_text, edge.points[:-3:-1])
        for is_z, (row, text, (point, toward)) in enumerate(ends):
            end = _End(text, point, toward, (number, bool(is_z)), edge.width)
            sides.setdefault((row, _side(made.boxes[row], point)), []).append(end)
    return sides


def _side(box: Box, point: Point) -> str:
    """The side of the box that the point is on, or nearest to."""
    gaps = {
        TOP: abs(point[1] - (box.y - box.height / 2)),
        BOTTOM: abs(point[1] - (box.y + box.height / 2)),
        LEFT: abs(point[0] - (box.x - box.width / 2)),
        RIGHT: abs(point[0] - (box.x + box.width / 2)),
    }
    return min(gaps, key=lambda one: gaps[one])


def _pitch(side: str, ends: list[_End]) -> float:
    """The least distance of two links along a side."""
    across = sorted({round(one.point[0 if side in (TOP, BOTTOM) else 1], 3) for one in ends})
    return min((b - a for a, b in pairwise(across)), default=math.inf)


def _direction(side: str, end: _End) -> tuple[Point, float]:
    """Where the link goes, as a vector of length 1; and the part of it that leads away from the side."""
    x, y = end.toward[0] - end.point[0], end.toward[1] - end.point[1]
    length = math.hypot(x, y)
    if not length:
        return NORMAL[side], 1.0
    x, y = x / length, y / length
    return (x, y), max(SHALLOWEST, x * NORMAL[side][0] + y * NORMAL[side][1])


def _turned(side: str, ends: list[_End]) -> Iterator[PortLabel]:
    """Along their links, on that side of each line that is away from the box."""
    pitch = _pitch(side, ends)
    for one in ends:
        _, away = _direction(side, one)
        yield _along(side, one, max(LEAST, min(MOST, pitch * away / LINE)))


def _along(side: str, end: _End, size: float, *, is_near: bool = False, width: float = 0.0) -> PortLabel:
    """A name along its link of that width, on the side of it that is away from the box, or the one `is_near` it."""
    (x, y), _ = _direction(side, end)
    length = LETTER * size * len(end.text)
    turn = math.degrees(math.atan2(y, x))
    turn -= 180 if turn > 90 else -180 if turn <= -90 else 0
    off_x, off_y = math.sin(math.radians(turn)), -math.cos(math.radians(turn))
    faces_box = off_x * NORMAL[side][0] + off_y * NORMAL[side][1] < 0
    reach, aside = GAP + length / 2, (LINE * size + width) / 2 * (-1 if faces_box is not is_near else 1)
    middle = end.point[0] + x * reach + off_x * aside, end.point[1] + y * reach + off_y * aside
    return PortLabel(end.text, *middle, size, length, turn)


def _level(side: str, ends: list[_End]) -> Iterator[PortLabel]:
    """In rows further and further from the box, so that those next to each other are apart."""
    pitch, longest = _pitch(side, ends), max(1, *(len(one.text) for one in ends))
    is_level = side in (TOP, BOTTOM)
    size = min(MOST, math.sqrt(pitch * ROOM / (LINE * LETTER * longest)) if is_level else pitch / LINE)
    size = max(LEAST, size)
    n_rows = math.ceil(LETTER * longest * size / pitch) if is_level and math.isfinite(pitch) else 1
    order = sorted(range(len(ends)), key=lambda number: ends[number].point)
    row_of = {number: place % n_rows for place, number in enumerate(order)}
    for number, one in enumerate(ends):
        (x, y), away = _direction(side, one)
        width = LETTER * size * len(one.text)
        reach = (GAP + (row_of[number] + 0.5) * LINE * size if is_level else GAP + width / 2) / away
        yield PortLabel(one.text, one.point[0] + x * reach, one.point[1] + y * reach, size, width, 0.0)
