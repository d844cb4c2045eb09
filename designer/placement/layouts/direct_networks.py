"""Layouts of direct networks: grid, circle, sheets of a torus, oblique cube, and by springs where none of them fits.

A router and its servers are a cell: the servers stand below their router, or above it in the upper half of a circle.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.errors import ParameterError
from designer.late import Late
from designer.placement.direct import CELL_WIDTH, HOST_DX, below, cube_points, torus_points
from designer.placement.layouts.sketch import Floats, Ints, Sketch
from designer.placement.metrics import COLUMN_PITCH, GAP, ROW_PITCH, SERVER_WIDTH

networkx = Late("networkx")

SCREEN_RATIO = 1.6
MOST_BY_STRESS, MOST_BY_SPRINGS = 30, 500
"""Routers that are laid out by shortest paths, and by springs; more stand in a grid."""
ROOMY = 1.5
"""Rows and columns of a layout by springs, in terms of those that its cells would fill."""
WIDER = 1.25
"""A circle is so much wider than high."""

Coordinates = tuple[tuple[int, ...], Ints]
"""Sizes of the dimensions, and the number of each router in a lattice of them, the first dimension fastest."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Routers by row of the sketch, with their servers."""

    sketch: Sketch
    routers: Ints
    servers: Mapping[int, Sequence[int]]
    """By row of the router."""
    pairs: Ints  # (k, 2) places in `routers`

    @property
    def most(self) -> int:
        """Most servers of a router."""
        return max((len(its) for its in self.servers.values()), default=0)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height that a router with its servers takes, with room to the next."""
        width = COLUMN_PITCH if self.most <= 1 else 2 * (SERVER_WIDTH + GAP)
        rows = 1 if self.most == 1 else 0.4 + math.ceil(self.most / 2) if self.most else 0.0
        return width + 2 * GAP, (1 + rows) * ROW_PITCH + 2 * GAP

    def centres(self, at: Floats, flipped: Sequence[bool] | None = None) -> Floats:
        """Centres of all boxes with the routers at these places."""
        found = np.zeros((len(self.sketch.ids), 2))
        found[self.routers] = at
        for place, router in enumerate(self.routers.tolist()):
            x, y = at[place].tolist()
            its = self.servers.get(router, ())
            for server, point in zip(its, below((x, y), len(its), bool(flipped and flipped[place])), strict=False):
                found[server] = point
        return found


def cells_of(sketch: Sketch) -> Cells:
    """Every switch with the servers that are linked to it first; servers without a switch go with none."""
    is_server = sketch.servers
    mixed = is_server[sketch.pairs].sum(axis=1) == 1
    home: dict[int, int] = {}
    for a, b in sketch.pairs[mixed].tolist():
        server, switch = (a, b) if is_server[a] else (b, a)
        home.setdefault(server, switch)
    servers: dict[int, list[int]] = {}
    routers = np.flatnonzero(~is_server)
    lone = [one for one in np.flatnonzero(is_server).tolist() if one not in home]
    for server, switch in home.items():
        servers.setdefault(switch, []).append(server)
    routers = np.concatenate((routers, np.array(lone, np.int64)))  # servers that are joined to servers stand alone
    place = np.full(len(sketch.ids), -1, np.int64)
    place[routers] = np.arange(len(routers))
    between = place[sketch.pairs]
    return Cells(sketch, routers, servers, between[(between >= 0).all(axis=1)])


def grid(cells: Cells) -> Floats:
    """Routers row by row, in the order of groups and ids, in a picture of a screen's shape."""
    width, height = cells.size
    count = len(cells.routers)
    columns = max(1, round(math.sqrt(count * height / width * SCREEN_RATIO)))
    order = np.lexsort((cells.routers, cells.sketch.groups[cells.routers]))
    at = np.empty((count, 2))
    place = np.arange(count)
    at[order] = np.stack((place % columns * width, place // columns * height), axis=1)
    return cells.centres(at)


def circle(cells: Cells) -> Floats:
    """Routers on a circle: along the ring they make, else in the order of their ids; servers outside."""
    ring = ring_of(cells)
    order = ring if ring is not None else np.argsort(cells.routers).tolist()
    radius = math.hypot(*cells.size) / (2 * math.sin(math.pi / max(len(order), 2))) if len(order) > 1 else 0.0
    at = np.zeros((len(order), 2))
    for number, one in enumerate(order):
        angle = 2 * math.pi * (number / len(order) - 0.25)
        at[one] = WIDER * radius * math.cos(angle), radius * math.sin(angle)
    return cells.centres(at, (at[:, 1] < -1e-6).tolist())


def ring_of(cells: Cells) -> list[int] | None:
    """The routers in the order of the one ring they all make; None where they make none."""
    count = len(cells.routers)
    if count < 3 or len(cells.pairs) != count or set(np.bincount(cells.pairs.ravel(), minlength=count).tolist()) != {2}:
        return None
    others: dict[int, list[int]] = {}
    for a, b in cells.pairs.tolist():
        others.setdefault(a, []).append(b)
        others.setdefault(b, []).append(a)
    walk, before = [0], -1
    while len(walk) <= count:
        following = next(one for one in others[walk[-1]] if one != before)
        if following == 0:
            break
        before = walk[-1]
        walk.append(following)
    return walk if len(walk) == count else None


def springs(cells: Cells) -> Floats:
    """Routers by the lengths of their shortest paths, or by springs where there are more; in squares."""
    count = len(cells.routers)
    if count > MOST_BY_SPRINGS or not len(cells.pairs):
        return grid(cells)
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(cells.pairs.tolist())
    if count <= MOST_BY_STRESS:
        found = networkx.kamada_kawai_layout(graph, pos=networkx.circular_layout(graph))
    else:
        found = networkx.spring_layout(graph, seed=1, iterations=40)
    at = np.array([found[one] for one in range(count)])
    return cells.centres(_on_squares(at, *cells.size))


def _on_squares(at: Floats, width: float, height: float) -> Floats:
    """The places in rows and columns of cells, each in the nearest free square: links run between the columns."""
    at = (at - at.min(axis=0)) / max(float(np.ptp(at, axis=0).max()), 1e-9)
    side = ROOMY * math.sqrt(len(at))
    squares = at * (side * math.sqrt(SCREEN_RATIO * height / width), side * math.sqrt(width / height / SCREEN_RATIO))
    taken: set[tuple[int, int]] = set()
    placed = np.empty_like(at)
    for one in np.lexsort((at[:, 0], at[:, 1])).tolist():
        column, row = np.rint(squares[one]).astype(int).tolist()
        free = next(spot for spot in _spiral(column, row) if spot not in taken)
        taken.add(free)
        placed[one] = free[0] * width, free[1] * height
    return placed


def _spiral(column: int, row: int) -> Iterator[tuple[int, int]]:
    """Squares of a grid, ever further from one."""
    yield column, row
    for reach in itertools.count(1):
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1) if abs(dx) == reach else (-reach, reach):
                yield column + dx, row + dy


def sheets(cells: Cells, lattice: Coordinates) -> Floats:
    """The first two dimensions of a torus as rows and columns, each further one as sheets side by side.

    Where groups are cubes of it, as in TPU pods, each cube is drawn so, and the cubes are as its nodes.
    """
    dims, numbers = lattice
    cubes = _cubes(cells, lattice)
    if cubes is None:
        routers, hosts = torus_points(dims)
    else:
        cube, numbers = cubes
        routers, hosts = cube_points(cube, [size // own for size, own in zip(dims, cube, strict=True)])
    at = np.array(routers)[numbers]
    found = cells.centres(at)
    if cells.most == 1:
        for place, router in enumerate(cells.routers.tolist()):
            for server in cells.servers.get(router, ()):
                found[server] = hosts[int(numbers[place])]
    return found


def _cubes(cells: Cells, lattice: Coordinates) -> Coordinates | None:
    """The sizes of the groups of a torus that is cut into cubes of one size, and each router's number, cube by cube."""
    (dims, numbers), of = lattice, cells.sketch.groups[cells.routers]
    _, group, count = np.unique(of, return_inverse=True, return_counts=True)
    if of.min() < 0 or len(count) < 2 or len(set(count.tolist())) > 1:
        return None
    at = np.stack(np.unravel_index(numbers, dims[::-1])[::-1], axis=1)
    low, high = np.full((len(count), len(dims)), max(dims)), np.zeros((len(count), len(dims)), np.int64)
    np.minimum.at(low, group.reshape(-1), at)
    np.maximum.at(high, group.reshape(-1), at)
    size = high[0] - low[0] + 1
    if (high - low + 1 != size).any() or (low % size).any() or size.prod() != count[0]:
        return None
    own = tuple(size.tolist())
    counts = [whole // part for whole, part in zip(dims, own, strict=True)]
    inside = np.ravel_multi_index(tuple((at % size).T[::-1]), own[::-1])
    return own, np.ravel_multi_index(tuple((at // size).T[::-1]), counts[::-1]) * size.prod() + inside


def cube(cells: Cells, lattice: Coordinates) -> Floats:
    """A torus of three dimensions drawn obliquely: each layer further right and up. Raises ParameterError."""
    dims, numbers = lattice
    if len(dims) != 3:
        raise ParameterError(f"an oblique cube takes a torus of three dimensions, not of {len(dims)}")
    width, height = cells.size
    step = max(width, CELL_WIDTH)
    x, y, z = numbers % dims[0], numbers // dims[0] % dims[1], numbers // (dims[0] * dims[1])
    rise = height * 0.6
    at = np.stack(
        (x * (dims[2] * step + GAP) + z * step, y * (height + (dims[2] - 1) * rise) - z * rise), axis=1
    ).astype(float)
    found = cells.centres(at)
    if cells.most == 1:
        for place, router in enumerate(cells.routers.tolist()):
            for server in cells.servers.get(router, ()):
                found[server] = at[place] + (HOST_DX, ROW_PITCH)
    return found
