"""Pictures of direct networks: lattices as grids of rows and columns, others as two rows face to face.

Every link stands in a row, in a column, or runs across the free middle. Links past other boxes of their row or column
are drawn beside it, in the room that these layouts leave there.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from designer.placement.metrics import BOX_HEIGHT, COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH, SWITCH_WIDTH

Point = tuple[float, float]
Pairs = NDArray[np.int64]  # (n, 2)

HOST_DX = SWITCH_WIDTH / 2 + SERVER_WIDTH / 2 - 16.0
"""A host stands below its router and so far to the right that links along the column pass it."""
CELL_WIDTH = HOST_DX + (SERVER_WIDTH + SWITCH_WIDTH) / 2 + 2.5 * GAP
CELL_HEIGHT = 2 * ROW_PITCH + 2 * GAP
TRACK = 3.0
"""Room for one link beside a row or column."""
TRACKS_CLEAR = 30.0
LONG = 4.9
"""So many steps of the first dimension: a ring of five still closes by an arch, and of six by stubs."""
GROUP_GAP = 90.0
CUBE_GAP = 170.0
"""Between two cubes: frames, a title, and the names of far ends."""
SCREEN_RATIO = 1.6
MIDDLE_SHARE = 0.28
LEAST_MIDDLE = 320.0
"""Between two rows of groups that face each other: a share of their width, at least so much."""


def torus_points(dims: Sequence[int]) -> tuple[list[Point], list[Point]]:
    """Centres of routers, first dimension fastest, and of the host of each, below it and to the right.

    The first dimension runs along x, the second along y; each further one lays such pictures out in rows. Those whose
    links would be long, which are drawn as stubs, are in reading order; smaller ones run to and fro, so that neighbors
    stay neighbors. A network of one dimension is laid out to and fro itself.
    """
    cells, gaps = _torus_cells(dims, CELL_WIDTH, CELL_HEIGHT)
    steps_along = _steps(dims)
    beside_rows, beside_columns = (_most_tracks(cells, steps_along, axis) for axis in (0, 1))
    pitch = (
        max(CELL_WIDTH, CELL_WIDTH - 2.5 * GAP + TRACKS_CLEAR + TRACK * beside_columns),
        max(CELL_HEIGHT, 2 * ROW_PITCH - GAP + TRACKS_CLEAR + TRACK * beside_rows),
    )
    routers = [(round(x, 1), round(y, 1)) for x, y in (cells * pitch + gaps).tolist()]
    hosts = [(round(x + HOST_DX, 1), round(y + ROW_PITCH, 1)) for x, y in routers]
    return routers, hosts


def _torus_cells(
    dims: Sequence[int], cell_width: float, cell_height: float, *, is_stubbed: bool = False
) -> tuple[Pairs, NDArray[np.float64]]:
    """Column and row of each node, and what is left free before it, (n, 2); all links may be drawn as stubs."""
    cells, gaps = np.zeros((1, 2), np.int64), np.zeros((1, 2))
    width, height = cell_width, cell_height
    for number, size in enumerate(dims):
        if number > 1 or len(dims) == 1:
            is_long = number > 1 and max(cells.max(axis=0) + 1) > LONG
            steps = np.array(_in_rows(size, width, height, is_to_and_fro=not (is_long or is_stubbed)))
        else:
            steps = np.zeros((size, 2), np.int64)
            steps[:, number] = np.arange(size)
        extent = cells.max(axis=0) + 1
        apart = max(GROUP_GAP, title_room(extent[0] * cell_width) + GAP) if number > 1 else 0.0
        between = gaps.max(axis=0) + apart
        cells = (steps[:, None] * extent + cells).reshape(-1, 2)
        gaps = (steps[:, None] * between + gaps).reshape(-1, 2)
        width, height = (cells.max(axis=0) + 1) * (cell_width, cell_height) + gaps.max(axis=0) + GROUP_GAP
    return cells, gaps


def cube_points(cube: Sequence[int], counts: Sequence[int]) -> tuple[list[Point], list[Point]]:
    """Centres of routers and hosts, cube by cube: every cube as a torus is drawn, and cubes as nodes of one are."""
    block, hosts = (np.array(points) for points in torus_points(cube))
    every = np.concatenate((block, hosts))
    width, height = (every.max(axis=0) - every.min(axis=0) + (SWITCH_WIDTH + CUBE_GAP, BOX_HEIGHT + CUBE_GAP)).tolist()
    cells, gaps = _torus_cells(counts, width, height, is_stubbed=True)
    at = cells * (width, height) + gaps
    routers, below_them = (
        [(round(x, 1), round(y, 1)) for x, y in (at[:, None] + points).reshape(-1, 2).tolist()]
        for points in (block, hosts)
    )
    return routers, below_them


def title_room(width: float) -> float:
    """How high the title below a layer of a torus of that width may be: it is read from where the layer is small."""
    return max(70.0, 0.09 * width)


def _steps(dims: Sequence[int]) -> Pairs:
    """Every node of a torus with the next one along each dimension."""
    stride, found = 1, []
    nodes = np.arange(math.prod(dims))
    for size in dims:
        place = nodes // stride % size
        found.append(np.stack((nodes, nodes + np.where(place < size - 1, stride, -place * stride)), axis=1))
        stride *= size
    return np.concatenate(found)


def _most_tracks(cells: Pairs, pairs: Pairs, axis: int) -> int:
    """How many links of these pairs lie over each other at most beside a row (axis 0) or a column (axis 1)."""
    along, across = cells[:, axis], cells[:, 1 - axis]
    change = np.zeros((int(across.max()) + 1, int(along.max()) + 2), np.int32)
    a, b = pairs.T
    low, high = np.minimum(along[a], along[b]), np.maximum(along[a], along[b])
    past = (across[a] == across[b]) & (high - low > 1)
    np.add.at(change, (across[a][past], low[past]), 1)
    np.add.at(change, (across[a][past], high[past]), -1)
    return int(change.cumsum(axis=1).max())


def _in_rows(count: int, width: float, height: float, *, is_to_and_fro: bool) -> list[tuple[int, int]]:
    """Column and row of each of so many pictures: all rows to the right, or every second one back."""
    columns = _columns(count, width, height)
    places = (divmod(number, columns) for number in range(count))
    return [(columns - 1 - column if is_to_and_fro and row % 2 else column, row) for row, column in places]


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


def depth_below(count: int) -> float:
    """How far the hosts under a router reach below its centre line, with so many of them."""
    rows = (1.0 if count == 1 else 1.4 + (count - 1) // 2) if count else 0.0
    return rows * ROW_PITCH


def row_pitch(n_hosts: int) -> float:
    """How far apart routers stand in a row, each with so many hosts below it."""
    return COLUMN_PITCH if n_hosts <= 1 else 2 * (SERVER_WIDTH + GAP) + GAP


def row(count: int, pitch: float) -> list[float]:
    """The x of so many centres around 0."""
    return [(place - (count - 1) / 2) * pitch for place in range(count)]


FEW_HOSTS = 4
"""So many hosts of a router stand in one column; more in several."""
FEW_TRACKS_ROOM = 240.0
ROUNDS = 12
"""Of improving a row by the other one."""


def lattice_points(dims: Sequence[int], n_hosts: int, pairs: Pairs) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and of routers, first dimension fastest, where routers of a line are joined to each other.

    Dimensions run along x and y in turn, so that every link lies in a row or in a column; `pairs` are those joined.
    A router's hosts stand below it and to the right.
    """
    nodes = np.arange(math.prod(dims))
    cells, gaps = np.zeros((len(nodes), 2), np.int64), np.zeros((len(nodes), 2))
    extent, gap, stride = [1, 1], [0.0, 0.0], 1
    for number, size in enumerate(dims):
        axis, place = number % 2, nodes // stride % size
        between = gap[axis] + (GROUP_GAP if number > 1 else 0.0)
        cells[:, axis] += place * extent[axis]
        gaps[:, axis] += place * between
        extent[axis], gap[axis], stride = extent[axis] * size, between, stride * size
    beside_rows, beside_columns = (_most_tracks(cells, pairs, axis) for axis in (0, 1))
    columns = math.ceil(n_hosts / FEW_HOSTS) if n_hosts <= FEW_HOSTS**2 else math.ceil(math.sqrt(n_hosts))
    rows = math.ceil(n_hosts / columns)
    width, height = CELL_WIDTH + (columns - 1) * (SERVER_WIDTH + GAP), (1 + rows) * ROW_PITCH
    pitch = (
        max(width, width - 2.5 * GAP + TRACKS_CLEAR + _room(beside_columns)),
        max(height + 2 * GAP, height - GAP + TRACKS_CLEAR + _room(beside_rows)),
    )
    routers = [(round(x, 1), round(y, 1)) for x, y in (cells * pitch + gaps).tolist()]
    hosts = [
        (round(x + HOST_DX + place // rows * (SERVER_WIDTH + GAP), 1), round(y + (1 + place % rows) * ROW_PITCH, 1))
        for x, y in routers
        for place in range(n_hosts)
    ]
    return hosts, routers


def _room(tracks: int) -> float:
    """For so many links beside a row: few of them stand well apart."""
    return max(TRACK * tracks, min(FEW_TRACKS_ROOM, 3 * TRACK * tracks))


def two_rows(
    upper: Sequence[int], lower: Sequence[int], block: int, n_hosts: int, pairs: Pairs
) -> tuple[list[Point], list[Point]]:
    """Centres of hosts and of routers in two rows that face each other, in blocks of so many with a gap between them.

    Links between the rows cross the free middle; those within a row are drawn beside it, in the middle too. Hosts are
    on the outer sides.
    """
    pitch = row_pitch(n_hosts)
    cells = np.zeros((len(upper) + len(lower), 2), np.int64)
    for y, members in enumerate((upper, lower)):
        cells[list(members)] = [(x, y) for x in range(len(members))]
    middle = max(
        LEAST_MIDDLE,
        MIDDLE_SHARE * max(len(upper), len(lower)) * pitch,
        2.4 * (_most_tracks(cells, pairs, 0) * TRACK + GAP),
    )
    routers: list[Point] = [(0.0, 0.0)] * len(cells)
    hosts: list[list[Point]] = [[]] * len(cells)
    for members, is_upper in ((upper, True), (lower, False)):
        blocks = max(1, math.ceil(len(members) / block))
        at = (-1 if is_upper else 1) * (middle + BOX_HEIGHT) / 2
        for place, (router, x) in enumerate(zip(members, row(len(members), pitch), strict=True)):
            gap = (place // block - (blocks - 1) / 2) * GROUP_GAP
            routers[router] = (round(x + gap, 1), round(at, 1))
            hosts[router] = below(routers[router], n_hosts, flip=is_upper)
    return [host for its in hosts for host in its], routers


def crossing_rows(count: int, pairs: Pairs) -> tuple[list[int], list[int]]:
    """Vertices for two rows, so that many of the links run from one row to the other and cross each other little.

    A graph that has two sides has them in the two rows. Counts and halves alone decide, so that every computer draws
    the same.
    """
    others: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs.tolist():
        others[a].append(b)
        others[b].append(a)
    side = _sides(others)
    for _ in range(ROUNDS):
        moved = 0
        for one, its in enumerate(others):
            if 2 * sum(side[other] == side[one] for other in its) > len(its):
                side[one] = not side[one]
                moved += 1
        if not moved:
            break
    rows = [[one for one in range(count) if side[one] is lower] for lower in (False, True)]
    for turn in range(ROUNDS):
        fixed, sorted_row = rows[turn % 2], rows[1 - turn % 2]
        at = {one: 2 * place - len(fixed) + 1 for place, one in enumerate(fixed)}
        pull = {one: _middle([at[other] for other in others[one] if other in at]) for one in sorted_row}
        sorted_row.sort(key=lambda one: (pull[one], one))
    return rows[0], rows[1]


def _sides(others: Sequence[Sequence[int]]) -> list[bool]:
    """Every vertex on the other side than the one it was first reached from."""
    side: list[bool | None] = [None] * len(others)
    for start in range(len(others)):
        if side[start] is None:
            side[start] = False
            reached = [start]
            for one in reached:
                for other in others[one]:
                    if side[other] is None:
                        side[other] = not side[one]
                        reached.append(other)
    return [bool(one) for one in side]


def _middle(places: Sequence[int]) -> float:
    return sum(places) / len(places) if places else 0.0
