"""The ways of cables between racks: along the trays drawn by hand where there are any, else over the rows.

Without drawn trays, trays run over every row; from row to row they lead where the settings say, or anywhere.
"""

import itertools

from designer.model.design import Design
from designer.model.fixture import TRAY, Fixture
from designer.model.records import ordered
from designer.model.settings import Settings
from designer.placement.floor import SAME_ROW_M, Point, place_of
from designer.placement.tray_network import TrayNetwork, Way


def drawn_trays(design: Design) -> tuple[Fixture, ...]:
    """The trays that were drawn by hand; cables lie in these alone where there are any."""
    return tuple(one for one in ordered(design.fixtures) if one.kind == TRAY)


class TrayWays:
    """The ways between the racks of one revision of a design; trays are joined once, when first asked for."""

    def __init__(self, design: Design) -> None:
        self._design, self._settings = design, design.settings
        self._trays = drawn_trays(design)
        self._network: TrayNetwork | None = None

    @property
    def are_drawn(self) -> bool:
        """Whether trays were drawn by hand."""
        return bool(self._trays)

    def length_m(self, a: str, b: str) -> float | None:
        """Meters along the trays between two racks; None where one has no place, or no tray leads there."""
        start, stop = self._ends(a, b)
        if start is None or stop is None:
            return None
        return self._joined().length_m(a, b) if self._trays else tray_m(self._settings, start, stop)

    def points(self, a: str, b: str) -> tuple[Point, ...] | None:
        """The corners of the route between two racks, their middles included; None as for its length."""
        start, stop = self._ends(a, b)
        if start is None or stop is None:
            return None
        if not self._trays:
            return tray_points(self._settings, start, stop)
        way = self.drawn_way(a, b)
        return way.points if way is not None else None

    def drawn_way(self, a: str, b: str) -> Way | None:
        """The way along drawn trays; None where there is none."""
        return self._joined().way(a, b) if self._trays else None

    def pieces(self, a: str, b: str) -> tuple[tuple[tuple[int, int], str], ...]:
        """The pieces of drawn trays that the route between two racks leads through; () where none are drawn."""
        start, stop = self._ends(a, b)
        return self._joined().pieces(a, b) if self._trays and start is not None and stop is not None else ()

    def _ends(self, a: str, b: str) -> tuple[Point | None, Point | None]:
        racks = self._design.racks
        return place_of(racks[a]), place_of(racks[b])

    def _joined(self) -> TrayNetwork:
        if self._network is None:
            places = {one.id: at for one in ordered(self._design.racks) if (at := place_of(one)) is not None}
            self._network = TrayNetwork(self._trays, places)
        return self._network


def tray_m(settings: Settings, a: Point, b: Point) -> float:
    """Meters along trays over rows between two places."""
    points = tray_points(settings, a, b)
    return sum(abs(x - u) + abs(y - v) for (x, y), (u, v) in itertools.pairwise(points))


def tray_points(settings: Settings, a: Point, b: Point) -> tuple[Point, ...]:
    """The corners of the route along trays over rows from one place to another, both included."""
    if abs(a[1] - b[1]) < SAME_ROW_M or not settings.cross_trays_m:
        return a, (b[0], a[1]), b
    x = min(settings.cross_trays_m, key=lambda one: (abs(a[0] - one) + abs(one - b[0]), one))
    return a, (x, a[1]), (x, b[1]), b
