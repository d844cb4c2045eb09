"""Pictures of direct networks: tori as bowed grids, and rings of groups for dragonflies.

A link between far ends of a row would be hidden behind the boxes between them. Rows are therefore bowed: the boxes
stand on a flat parabola, the long link is its chord, and every link can be seen.
"""

import itertools
import math
from collections.abc import Sequence

from designer.placement.metrics import BOX_HEIGHT, GAP, ROW_PITCH, SERVER_WIDTH, SWITCH_WIDTH

Point = tuple[float, float]

CELL_WIDTH = SWITCH_WIDTH + SERVER_WIDTH / 2 + 3 * GAP
CELL_HEIGHT = 2 * ROW_PITCH + 2 * GAP
CLEAR_X, CLEAR_Y = SWITCH_WIDTH / 2 + 10.0, BOX_HEIGHT / 2 + 12.0
"""How far the second box of a column or row stands out at least, to clear the chord between its ends."""
HOST_DX = SERVER_WIDTH / 2 + GAP
GROUP_GAP = 90.0
SCREEN_RATIO = 1.6


def torus_points(dims: Sequence[int]) -> tuple[list[Point], list[Point]]:
    """Centres of routers, first dimension fastest, and of the host of each, below it and to the right.

    The first dimension runs along x, the second along y; each further one lays such pictures out in rows, to and fro,
    so that neighbours stay neighbours.
    """
    points: list[Point] = [(0.0, 0.0)]
    width, height = CELL_WIDTH, CELL_HEIGHT
    for number, size in enumerate(dims):
        if number == 0:
            steps = [(place * width, -_bow(place, size, CLEAR_Y)) for place in range(size)]
        elif number == 1:
            steps = [(-_bow(place, size, CLEAR_X), place * height) for place in range(size)]
        else:
            steps = _to_and_fro(size, width, height)
        points = [(x + dx, y + dy) for dx, dy in steps for x, y in points]
        if number:
            width = max(x for x, _ in points) - min(x for x, _ in points) + CELL_WIDTH + GROUP_GAP
            height = max(y for _, y in points) - min(y for _, y in points) + CELL_HEIGHT + GROUP_GAP
        elif len(dims) > 1:
            height = CELL_HEIGHT
    routers = [(round(x, 1), round(y, 1)) for x, y in points]
    hosts = [(round(x + HOST_DX, 1), round(y + ROW_PITCH, 1)) for x, y in routers]
    return routers, hosts


def _bow(place: int, count: int, clearance: float) -> float:
    """How far a box of a row stands out, so that the second one already clears the chord between the ends."""
    return clearance * place * (count - 1 - place) / (count - 2) if count > 2 else 0.0


def _to_and_fro(count: int, width: float, height: float) -> list[Point]:
    """Places of pictures in rows of a screen's shape, each row leaning a little so that links do not lie on links."""
    columns = _columns(count, width, height)
    places = []
    for number in range(count):
        row, column = divmod(number, columns)
        column = columns - 1 - column if row % 2 else column
        lean_x, lean_y = row * 0.3 * CELL_WIDTH, column * 0.3 * CELL_HEIGHT
        places.append((column * width + lean_x, row * (height + 0.3 * CELL_HEIGHT * columns) + lean_y))
    return places


def _columns(count: int, width: float, height: float) -> int:
    """How many pictures a row has: near a screen's shape, no row half empty, and the last one beside the first."""

    def awkwardness(columns: int) -> float:
        n_rows = math.ceil(count / columns)
        shape = columns * width / (n_rows * height) / SCREEN_RATIO
        empty = (n_rows * columns - count) / count
        return max(shape, 1 / shape) * (1 + empty) * (1.25 if n_rows > 1 and n_rows % 2 else 1.0)

    return min(range(1, count + 1), key=awkwardness)


def below(router: Point, count: int, flip: bool = False) -> list[Point]:
    """Centres of hosts under a router (or above it), two a row so that their links fan out; one alone is centred."""
    x, y = router
    sign = -1 if flip else 1
    if count == 1:
        return [(x, round(y + sign * ROW_PITCH, 1))]
    half = (SERVER_WIDTH + GAP) / 2
    return [
        (round(x + (half if place % 2 else -half), 1), round(y + sign * (1.4 + place // 2) * ROW_PITCH, 1))
        for place in range(count)
    ]


def bowed_row(count: int, pitch: float) -> list[Point]:
    """Centres of a row that stands out upwards in its middle, around x = 0, its ends at y = 0."""
    if count == 1:
        return [(0.0, 0.0)]
    bow = max(BOX_HEIGHT, 0.11 * pitch * count) if count > 2 else 0.0
    span = (count - 1) * pitch
    return [
        (round(place * pitch - span / 2, 1), round(-bow * 4 * place * (count - 1 - place) / (count - 1) ** 2, 1))
        for place in range(count)
    ]


def ring(count: int, width: float, height: float) -> list[Point]:
    """Centres of `count` like rectangles on an ellipse wide as a screen, first at the top, clockwise, none touching."""
    if count == 1:
        return [(0.0, 0.0)]
    radius = max(width, height) / 2
    while True:
        points = _on_ellipse(count, radius * SCREEN_RATIO, radius)
        if _apart(points, width + GROUP_GAP, height + GROUP_GAP):
            return [(round(x, 1), round(y, 1)) for x, y in points]
        radius *= 1.04


def _on_ellipse(count: int, half_width: float, half_height: float) -> list[Point]:
    """Points at equal distances along the ellipse."""
    steps = 16 * count + 64
    angles = [2 * math.pi * step / steps for step in range(steps + 1)]
    outline = [(half_width * math.sin(a), -half_height * math.cos(a)) for a in angles]
    lengths = [0.0]
    for (x0, y0), (x1, y1) in itertools.pairwise(outline):
        lengths.append(lengths[-1] + math.hypot(x1 - x0, y1 - y0))
    found, at = [], 0
    for number in range(count):
        wanted = lengths[-1] * number / count
        while lengths[at + 1] < wanted:
            at += 1
        part = (wanted - lengths[at]) / (lengths[at + 1] - lengths[at])
        (x0, y0), (x1, y1) = outline[at], outline[at + 1]
        found.append((x0 + part * (x1 - x0), y0 + part * (y1 - y0)))
    return found


def _apart(points: Sequence[Point], width: float, height: float) -> bool:
    """Whether rectangles of that size around the points are disjoint; neighbours first, as those meet first."""
    count = len(points)
    for distance in range(1, count // 2 + 1):
        for number in range(count):
            (x0, y0), (x1, y1) = points[number], points[(number + distance) % count]
            if abs(x0 - x1) < width - 1e-9 and abs(y0 - y1) < height - 1e-9:
                return False
        if distance > 3 and count > 64:
            return True  # on a large ellipse only near neighbours can meet
    return True
