"""Trays drawn by hand as a network: where they meet, where racks reach them, and the shortest ways along them."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.late import Late
from designer.model.fixture import Fixture
from designer.model.furnishing import title_of
from designer.placement.floor import Point

sparse = Late("scipy.sparse")
csgraph = Late("scipy.sparse.csgraph")

JOIN_M = 0.15
"""A tray that ends this near to another joins it: half the width of one, as they are drawn at first."""
SOURCES_MOST = 256
"""Racks whose ways to all others are kept."""
_TINY = 1e-9

Floats = NDArray[np.float64]
Cut = tuple[float, int]
"""Where along a piece of a tray it is cut, 0 to 1, and the node there."""


@dataclass(frozen=True, slots=True)
class Way:
    """From the middle of one rack to that of another: its corners, its length and the trays it lies in."""

    points: tuple[Point, ...]
    length_m: float
    trays: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Access:
    """Where a rack reaches the trays: the node, and how far it is from the middle of the rack, along the axes."""

    place: Point
    node: int
    away_m: float


class TrayNetwork:
    """Trays joined where they cross or meet; each rack reaches the tray that is nearest to it."""

    def __init__(self, trays: Sequence[Fixture], places: Mapping[str, Point]) -> None:
        pieces = [(a, b, tray) for tray in trays for a, b in itertools.pairwise(tray.points_m)]
        self._pieces: Floats = np.array([(*a, *b) for a, b, _ in pieces], np.float64).reshape(-1, 4)
        self._names = [title_of(tray) for _, _, tray in pieces]
        self._nodes: dict[tuple[float, float], int] = {}
        self._cuts: list[list[Cut]] = [[(0.0, self._node(*a)), (1.0, self._node(*b))] for a, b, _ in pieces]
        self._edges: dict[tuple[int, int], tuple[float, str]] = {}
        self._cross()
        self._join()
        self._accesses = {rack_id: self._access(place) for rack_id, place in places.items()} if pieces else {}
        self._lay()
        self._points = list(self._nodes)
        self._matrix = self._weights()
        self._found: dict[int, tuple[Floats, NDArray[np.int64]]] = {}

    def length_m(self, a: str, b: str) -> float | None:
        """How long the route between two racks is; None where none leads there."""
        start, stop = self._accesses.get(a), self._accesses.get(b)
        if start is None or stop is None:
            return None
        # From the lower node, so that there and back are the same.
        along = float(self._from(min(start.node, stop.node))[0][max(start.node, stop.node)])
        return None if math.isinf(along) else start.away_m + stop.away_m + along

    def way(self, a: str, b: str) -> Way | None:
        """The shortest way between two racks; None where none leads there."""
        length_m = self.length_m(a, b)
        if length_m is None:
            return None
        start, stop = self._accesses[a], self._accesses[b]
        nodes = self._along(start.node, stop.node)
        corners = [self._points[node] for node in nodes]
        points = (*_elbow(start.place, corners[0]), *corners[1:-1], *reversed(_elbow(stop.place, corners[-1])))
        names = [self._edges[min(pair), max(pair)][1] for pair in itertools.pairwise(nodes)]
        if not names:
            names = [self._name_at(start.node)]
        return Way(_straightened(points), length_m, tuple(name for name, _ in itertools.groupby(names)))

    def pieces(self, a: str, b: str) -> tuple[tuple[tuple[int, int], str], ...]:
        """The pieces of tray that the route between two racks leads through, each with the tray's name; () without one.

        A piece leads from one place where trays meet or racks reach them to the next, wherever a way comes from.
        """
        if self.length_m(a, b) is None:
            return ()
        nodes = self._along(self._accesses[a].node, self._accesses[b].node)
        edges = [(min(pair), max(pair)) for pair in itertools.pairwise(nodes)]
        return tuple((edge, self._edges[edge][1]) for edge in edges)

    # -- building -------------------------------------------------------------------------------------------------

    def _node(self, x: float, y: float) -> int:
        return self._nodes.setdefault((round(x, 3) + 0.0, round(y, 3) + 0.0), len(self._nodes))

    def _cross(self) -> None:
        """Cuts pieces where they cross."""
        ax, ay, bx, by = self._pieces.T
        dx, dy = bx - ax, by - ay
        for one in range(len(self._pieces) - 1):
            rest = slice(one + 1, None)
            across = dx[one] * dy[rest] - dy[one] * dx[rest]
            apart_x, apart_y = ax[rest] - ax[one], ay[rest] - ay[one]
            with np.errstate(divide="ignore", invalid="ignore"):
                mine = (apart_x * dy[rest] - apart_y * dx[rest]) / across
                theirs = (apart_x * dy[one] - apart_y * dx[one]) / across
                meets = (np.abs(across) > _TINY) & (mine >= 0) & (mine <= 1) & (theirs >= 0) & (theirs <= 1)
            for hit in np.flatnonzero(meets).tolist():
                node = self._node(ax[one] + mine[hit] * dx[one], ay[one] + mine[hit] * dy[one])
                self._cuts[one].append((float(mine[hit]), node))
                self._cuts[one + 1 + hit].append((float(theirs[hit]), node))

    def _join(self) -> None:
        """Joins ends of pieces to the pieces that they touch or nearly touch."""
        for one, (ax, ay, bx, by) in enumerate(self._pieces.tolist()):
            for x, y in ((ax, ay), (bx, by)):
                shares, apart = self._nearest(x, y)
                for other in np.flatnonzero(apart <= JOIN_M).tolist():
                    if other != one:
                        node = self._cut(other, float(shares[other]))
                        self._edge(self._node(x, y), node, float(apart[other]), self._names[one])

    def _nearest(self, x: float, y: float) -> tuple[Floats, Floats]:
        """(n_pieces,) where along each piece a point is nearest to it, 0 to 1, and how far that is, in meters."""
        ax, ay, bx, by = self._pieces.T
        dx, dy = bx - ax, by - ay
        shares = np.clip(((x - ax) * dx + (y - ay) * dy) / np.maximum(dx * dx + dy * dy, _TINY), 0.0, 1.0)
        return shares, np.hypot(ax + shares * dx - x, ay + shares * dy - y)

    def _cut(self, piece: int, share: float) -> int:
        """The node there, where the piece is cut from now on."""
        node = self._node(*self._spot(piece, share))
        self._cuts[piece].append((share, node))
        return node

    def _access(self, place: Point) -> _Access:
        shares, apart = self._nearest(*place)
        piece = int(np.argmin(np.round(apart, 6)))  # the first of those that are as near
        node = self._cut(piece, float(shares[piece]))
        x, y = self._spot(piece, float(shares[piece]))
        return _Access(place, node, abs(x - place[0]) + abs(y - place[1]))

    def _spot(self, piece: int, share: float) -> Point:
        ax, ay, bx, by = self._pieces[piece].tolist()
        return ax + share * (bx - ax), ay + share * (by - ay)

    def _lay(self) -> None:
        """The edges between the cuts of each piece."""
        for piece, cuts in enumerate(self._cuts):
            ax, ay, bx, by = self._pieces[piece].tolist()
            length_m = math.hypot(bx - ax, by - ay)
            for (first, u), (second, v) in itertools.pairwise(sorted(set(cuts))):
                self._edge(u, v, (second - first) * length_m, self._names[piece])

    def _edge(self, u: int, v: int, length_m: float, name: str) -> None:
        if u != v:
            pair = min(u, v), max(u, v)
            self._edges[pair] = min(self._edges.get(pair, (math.inf, "")), (length_m, name))

    def _weights(self) -> object:
        ends = np.array(list(self._edges), np.int64).reshape(-1, 2)
        lengths = np.array([max(length_m, _TINY) for length_m, _ in self._edges.values()], np.float64)
        n = max(len(self._nodes), 1)
        return sparse.csr_matrix((lengths, (ends[:, 0], ends[:, 1])), shape=(n, n))

    # -- asking ---------------------------------------------------------------------------------------------------

    def _from(self, node: int) -> tuple[Floats, NDArray[np.int64]]:
        """(n_nodes,) how far every node is, and the one before it on the route there."""
        found = self._found.get(node)
        if found is None:
            if len(self._found) >= SOURCES_MOST:
                self._found.pop(next(iter(self._found)))
            found = csgraph.dijkstra(self._matrix, directed=False, indices=node, return_predecessors=True)
            self._found[node] = found
        return found

    def _along(self, start: int, stop: int) -> list[int]:
        low, high = min(start, stop), max(start, stop)
        before, nodes = self._from(low)[1], [high]
        while nodes[-1] != low:
            nodes.append(int(before[nodes[-1]]))
        return nodes if nodes[0] == start else nodes[::-1]

    def _name_at(self, node: int) -> str:
        """The tray of a node, the first of several."""
        held = (piece for piece, cuts in enumerate(self._cuts) if any(one == node for _, one in cuts))
        return self._names[next(held)]


def _elbow(place: Point, access: Point) -> tuple[Point, ...]:
    """From a rack to its tray along the axes."""
    return (place, access) if place[0] == access[0] or place[1] == access[1] else (place, (place[0], access[1]), access)


def _straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """The corners without repetitions, and without those on a straight line."""
    kept: list[Point] = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        if len(kept) > 1 and _is_between(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def _is_between(a: Point, b: Point, c: Point) -> bool:
    turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return abs(turn) < 1e-6 and ahead > 0
