"""Trays by name: which of them a cable lies in, as an installer reads it.

Trays drawn by hand have their names. Without any, a tray over a row has the row's letter, and those that lead from row
to row are X1, X2, ... along the rows.
"""

from dataclasses import dataclass

from designer.errors import EditError
from designer.model.design import Design
from designer.model.edit import Edit, joined
from designer.model.entities import Link
from designer.model.furnishing import add_tray
from designer.placement import floor
from designer.placement.floor import place_of
from designer.placement.tray_ways import TrayWays, drawn_trays, tray_points

IN_RACK = "in rack"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CrossTray:
    """A tray that leads from row to row, and where along the rows it is."""

    name: str
    x_m: float


def cross_trays(design: Design) -> tuple[CrossTray, ...]:
    """The cross trays that the settings place, from the left; none where trays are drawn by hand."""
    if drawn_trays(design):
        return ()
    places = sorted(set(design.settings.cross_trays_m))
    return tuple(CrossTray(f"X{number}", x_m) for number, x_m in enumerate(places, start=1))


def trays_over_rows(design: Design) -> Edit:
    """A tray over each row, and those that lead from row to row: to be changed by hand from there on.

    These are at the cross trays of the settings; where there are none, at both ends of the rows. Raises EditError.
    """
    rows = floor.rows(design)
    if not rows:
        raise EditError("no rack has a place on the floor: place racks first")
    half = design.settings.rack_width_m / 2
    ends = [(_x_m(design, row.rack_ids[0]) - half, _x_m(design, row.rack_ids[-1]) + half) for row in rows]
    left, right = min(low for low, _ in ends), max(high for _, high in ends)
    crossing = [(one.name, one.x_m) for one in cross_trays(design)] or [("X1", left), ("X2", right)]
    if len(rows) == 1:
        crossing = []
    made = design.snapshot()
    edits = []
    low, high = min([left, *(x for _, x in crossing)]), max([right, *(x for _, x in crossing)])
    wanted = [(row.name, ((low, row.y_m), (high, row.y_m))) for row in rows]
    wanted += [(name, ((x, rows[0].y_m), (x, rows[-1].y_m))) for name, x in crossing]
    for name, points in wanted:
        edits.append(add_tray(made, points, name))
        made.apply(edits[-1])
    return joined("Draw trays over rows", edits)


def _x_m(design: Design, rack_id: str) -> float:
    return design.racks[rack_id].x_m or 0.0


class TrayRoutes:
    """The trays that cables between racks lie in; each pair of racks is looked up once."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._row_of = {rack_id: row.name for row in floor.rows(design) for rack_id in row.rack_ids}
        self._crossing = {one.x_m: one.name for one in cross_trays(design)}
        self._ways = TrayWays(design)
        self._found: dict[tuple[str | None, str | None], str] = {}

    def of_link(self, link: Link) -> str:
        """ "A > X1 > C" from end a to end b; "in rack" within one, "unknown" where an end has no place."""
        a, b = (self._rack(end.device_id) for end in (link.a, link.b))
        if (a, b) not in self._found:
            self._found[a, b] = self._between(a, b)
        return self._found[a, b]

    def _rack(self, device_id: str) -> str | None:
        placement = self._design.placements.get(device_id)
        return None if placement is None else placement.rack_id

    def _between(self, a: str | None, b: str | None) -> str:
        if a is None or b is None:
            return UNKNOWN
        if a == b:
            return IN_RACK
        from_rack, to_rack = self._design.racks[a], self._design.racks[b]
        start, stop = place_of(from_rack), place_of(to_rack)
        if start is None or stop is None:
            return UNKNOWN
        if self._ways.are_drawn:
            way = self._ways.drawn_way(a, b)
            return " > ".join(way.trays) if way is not None else UNKNOWN
        from_row, to_row = self._row_of[a], self._row_of[b]
        if from_row == to_row:
            return from_row
        x_m = tray_points(self._design.settings, start, stop)[1][0]
        if x_m in self._crossing:
            return f"{from_row} > {self._crossing[x_m]} > {to_row}"
        return f"{from_row} > {to_row} over {to_rack.name}"
