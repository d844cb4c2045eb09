"""Pictures of direct networks: tori as grids of rows and columns, dragonflies as two rows of groups face to face.

Every link stands in a row, in a column, or runs across the free middle. Links past other boxes of their row or column
are drawn beside it, in the room that these layouts leave there.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from designer.placement.metrics import GAP, ROW_PITCH, SERVER_WIDTH, SWITCH_WIDTH

Point = tuple[float, float]

HOST_DX = SWITCH_WIDTH / 2 + SERVER_WIDTH / 2 - 16.0
"""A host stands below its router and so far to the right that links along the column pass it."""
CELL_WIDTH = HOST_DX + (SERVER_WIDTH + SWITCH_WIDTH) / 2 + 2.5 * GAP
CELL_HEIGHT = 2 * ROW_PITCH + 2 * GAP
TRACK = 3.0
"""Room for one link beside a row or column."""
TRACKS_CLEAR = 30.0
GROUP_GAP = 90.0
SCREEN_RATIO = 1.6
MIDDLE_SHARE = 0.28
LEAST_MIDDLE = 320.0
"""Between two rows of groups that face each other: a share of their width, at least so much."""


def torus_points(dims: Sequence[int]) -> tuple[list[Point], list[Point]]:
    """Centres of routers, first dimension fastest, and of the host of each, below it and to the right.

    The first dimension runs along x, the second along y; each further one lays such pictures out in rows, to and fro,
    so that neighbours stay neighbours. A network of one dimension is laid out to and fro itself.
    """
    cells, gaps = np.zeros((1, 2), np.int64), np.zeros((1, 2))
    width, height = CELL_WIDTH, CELL_HEIGHT
    for number, size in enumerate(dims):
        if number > 1 or len(dims) == 1:
            steps = np.array(_to_and_fro(size, width, height))
        else:
            steps = np.zeros((size, 2), np.int64)
            steps[:, number] = np.arange(size)
        extent = cells.max(axis=0) + 1
        between = gaps.max(axis=0) + (GROUP_GAP if number > 1 else 0.0)
        cells = (steps[:, None] * extent + cells).reshape(-1, 2)
        gaps = (steps[:, None] * between + gaps).reshape(-1, 2)
        width, height = (cells.max(axis=0) + 1) * (CELL_WIDTH, CELL_HEIGHT) + gaps.max(axis=0) + GROUP_GAP
    beside_rows, beside_columns = (_most_tracks(cells, dims, axis) for axis in (0, 1))
    pitch = (
        max(CELL_WIDTH, CELL_WIDTH - 2.5 * GAP + TRACKS_CLEAR + TRACK * beside_columns),
        max(CELL_HEIGHT, 2 * ROW_PITCH - GAP + TRACKS_CLEAR + TRACK * beside_rows),
    )
    routers = [(round(x, 1), round(y, 1)) for x, y in (cells * pitch + gaps).tolist()]
    hosts = [(round(x + HOST_DX, 1), round(y + ROW_PITCH, 1)) for x, y in routers]
    return routers, hosts


def _most_tracks(cells: "np.ndarray[tuple[int, int], np.dtype[np.int64]]", dims: Sequence[int], axis: int) -> int:
    """How many links lie over each other at most beside a row (axis 0) or a column (axis 1)."""
    along, across = cells[:, axis], cells[:, 1 - axis]
    change = np.zeros((int(across.max()) + 1, int(along.max()) + 2), np.int32)
    stride = 1
    nodes = np.arange(len(cells))
    for size in dims:
        place = nodes // stride % size
        following = nodes + np.where(place < size - 1, stride, -place * stride)
        low, high = np.minimum(along, along[following]), np.maximum(along, along[following])
        past = (across == across[following]) & (high - low > 1)
        np.add.at(change, (across[past], low[past]), 1)
        np.add.at(change, (across[past], high[past]), -1)
        stride *= size
    return int(change.cumsum(axis=1).max())


def _to_and_fro(count: int, width: float, height: float) -> list[tuple[int, int]]:
    """Column and row of each of so many pictures: the first row to the right, the next one back."""
    columns = _columns(count, width, height)
    places = (divmod(number, columns) for number in range(count))
    return [(columns - 1 - column if row % 2 else column, row) for row, column in places]


def _columns(count: int, width: float, height: float) -> int:
    """How many pictures a row has: near a screen's shape, every row full, and the last one in the first one's column.

    Else all stand in one row or in one column.
    """

    def awkwardness(columns: int) -> float:
        shape = columns * width / (count // columns * height) / SCREEN_RATIO
        return max(shape, 1 / shape)

    closing = (n for n in range(2, count) if count % n == 0 and count // n % 2 == 0)
    return min((count, 1, *closing), key=awkwardness)


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


def facing_rows(count: int, width: float, tracks: int) -> Iterator[tuple[float, float, bool]]:
    """Where like groups stand in two rows around a free middle, clockwise: x, the y of the side that faces the middle,
    and whether it is in the upper row. One group alone is below.

    `tracks` is how many links between groups of one row, or inside a group, lie over each other at most.
    """
    n_upper = math.ceil(count / 2) if count > 1 else 0
    pitch = width + GROUP_GAP
    middle = max(LEAST_MIDDLE, MIDDLE_SHARE * max(n_upper, count - n_upper) * pitch, 2.4 * (tracks * TRACK + GAP))
    for number in range(count):
        if number < n_upper:
            yield (number - (n_upper - 1) / 2) * pitch, -middle / 2, True
        else:
            n_lower = count - n_upper
            yield ((n_lower - 1) / 2 - (number - n_upper)) * pitch, middle / 2, False


def row(count: int, pitch: float) -> list[float]:
    """The x of so many centres around 0."""
    return [(place - (count - 1) / 2) * pitch for place in range(count)]


def tracks_of(groups: int, links_per_pair: int, routers: int) -> int:
    """How many links lie over each other at most beside a row of so many groups whose routers are all joined."""
    return math.ceil(groups**2 / 4) * links_per_pair + math.ceil(routers**2 / 4)
