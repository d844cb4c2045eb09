"""The front of a switch: its cages in the order of their numbers, and the ports in them, used, free or reserved.

No source states where on a front each cage sits. They are drawn column by column in as many rows as the height has room
for, each line card of a chassis in a row of its own; ports whose cages are not known stand without outlines.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from designer.drawing.bundles import Floats
from designer.drawing.geometry import Rect
from designer.drawing.level_of_detail import Detail
from designer.drawing.projection import Projection
from designer.model.design import Design
from designer.model.hardware.ports import Port
from designer.model.hardware.switches import SwitchType

ONE_ROW_UP_TO = 12
ROWS_MOST = 4
MANY = 256
"""Cages of a switch without cards; more stand in twice as many rows."""
PER_UNIT = 2
"""Rows of cages that one rack unit has room for."""
INSET, TOP, BOTTOM = 12.0, 28.5, 2.5
"""From the edges of a box to its front, canvas units, under what is written in a box that is seen near."""
TOP_BELOW_TEXT = 33.5
"""The same of a document, whose texts are as large as the box allows."""
GAP = 0.14
"""Of a cage's pitch, between it and the next."""
MARGIN = 0.16
"""Of a cage's width, on either side of its ports."""
NUMBER, FOOT = 0.4, 0.12
"""Of a cage's height, over its ports for its number and below them."""
SHAPE = 1.9
"""Width of a cage to its height, at most."""
MANAGEMENT_WIDTH = 5.0


@dataclass(frozen=True, slots=True)
class Faceplate:
    """Rectangles as left, top, width and height, (n, 4), canvas units."""

    cages: Floats
    used: Floats
    free: Floats
    reserved: Floats
    numbers: tuple[str, ...] = ()
    """Of the cages for links, the first ones of `cages`."""


class Drawing(Protocol):
    """What fronts need of the drawing that they are part of."""

    projection: Projection

    @property
    def design(self) -> Design:
        """The design that is drawn."""

    @property
    def boxes(self) -> Floats:
        """Left, top, width and height of each box."""


class _Layout(NamedTuple):
    """Ports of a kind of switch, and where they and their cages are from the corner of its box."""

    ports: tuple[Port, ...]
    names: tuple[str, ...]
    places: Floats
    cages: Floats
    numbers: tuple[str, ...]


class Fronts:
    """The fronts of a design's switches; those that are alike are laid out once."""

    def __init__(self, of: Drawing) -> None:
        self._of = of
        self._layouts: dict[tuple[str, int, tuple[float, float], float], _Layout] = {}

    def of_row(self, row: int, detail: Detail) -> Faceplate | None:
        """The front of the switch that a box is; None for a server, and where it stands for many devices."""
        projection = self._of.projection
        if not projection.is_single(row):
            return None
        top = TOP if detail.ports else TOP_BELOW_TEXT
        return self.faceplate(projection.device_ids[row], self._of.boxes[row], top)

    def faceplate(self, device_id: str, box: Floats, top: float = TOP) -> Faceplate | None:
        """The front of a switch whose box is that (left, top, width, height); None of a server."""
        design = self._of.design
        if not design.is_switch(device_id):
            return None
        layout = self._layout(device_id, box, top)
        used, reserved = design.used_ports(device_id), set(design.device(device_id).reserved_ports)
        kinds = np.array([0 if name in used else 2 if name in reserved else 1 for name in layout.names], np.int8)
        corner = np.array((box[0], box[1], 0.0, 0.0))
        places = layout.places + corner
        used, free, kept = (places[kinds == kind] for kind in range(3))
        return Faceplate(layout.cages + corner, used, free, kept, layout.numbers)

    def port_places(self, device_id: str, box: Floats) -> Mapping[str, Rect]:
        """Left, top, width and height of every port of a switch on its front, by name."""
        layout = self._layout(device_id, box, TOP)
        places = layout.places + np.array((box[0], box[1], 0.0, 0.0))
        return dict(zip(layout.names, places.tolist(), strict=True))

    def _layout(self, device_id: str, box: Floats, top: float) -> _Layout:
        design = self._of.design
        ports = design.ports(device_id)
        size = float(box[2]), float(box[3])
        key = design.device(device_id).type_id, id(ports), size, top
        found = self._layouts.get(key)
        if found is None or found.ports is not ports:
            found = self._layouts[key] = self._laid_out(device_id, ports, size, top)
        return found

    def _laid_out(self, device_id: str, ports: tuple[Port, ...], size: tuple[float, float], top: float) -> _Layout:
        type_, management = self._of.design.device_type(device_id), self._of.design.management_ports(device_id)
        assert isinstance(type_, SwitchType)
        slots = tuple({port.cage: port.slot for port in ports}.values())
        room = size[0] - 2 * INSET, size[1] - top - BOTTOM
        laid_out = _cages(slots, len(management), type_.rack_units, bool(type_.slots), room)
        cages = np.array(laid_out, np.float64).reshape(-1, 4) + np.array((INSET, top, 0.0, 0.0))
        every = (*ports, *management)
        number_of = {cage: number for number, cage in enumerate(dict.fromkeys(port.cage for port in every))}
        at = cages[[number_of[port.cage] for port in every]]
        lane = at[:, 2] * (1 - 2 * MARGIN) / np.array([port.ports_per_cage for port in every])
        across = at[:, 0] + at[:, 2] * MARGIN + (np.array([port.lane for port in every]) - 1) * lane
        places = (across + 0.1 * lane, at[:, 1] + at[:, 3] * NUMBER, 0.8 * lane, at[:, 3] * (1 - NUMBER - FOOT))
        known = all(port.form_factor for port in ports)
        names = tuple(port.name for port in every)
        placed = np.stack(places, axis=1)
        return (
            _Layout(ports, names, placed, cages, _numbers(ports))
            if known
            else _Layout(ports, names, placed, cages[:0], ())
        )


def _numbers(ports: tuple[Port, ...]) -> tuple[str, ...]:
    """The numbers of cages as in the names of their ports: "7" of 7/1 and 7/2, "13–14" of swp13 and swp14."""
    inside: dict[int, list[list[str]]] = {}
    for port in ports:
        inside.setdefault(port.cage, []).append(re.findall(r"\d+", port.name))
    return tuple(_number(found) for found in inside.values())


def _number(ports: list[list[str]]) -> str:
    """What the numbers in the names of a cage's ports have in common, the last of it; else the first and the last."""
    first, last = ports[0], ports[-1]
    if len(ports) == 1 or not first or not last:
        return first[-1] if first else ""
    shared = [one for one, other in zip(first, last, strict=False) if one == other]
    return shared[-1] if shared else f"{first[-1]}–{last[-1]}"


def _cages(
    slots: tuple[str, ...], n_management: int, units: float | None, is_chassis: bool, size: tuple[float, float]
) -> tuple[Rect, ...]:
    """Left, top, width and height of each cage in a front of that size; those for management at its right end."""
    width, height = size
    room = width - (MANAGEMENT_WIDTH if n_management else 0.0)
    if is_chassis:
        cards = list(dict.fromkeys(slots))
        counts = [slots.count(card) for card in cards]
        n_rows, n_columns = len(cards), max(counts, default=1)
        cells = [(row, column) for row, count in enumerate(counts) for column in range(count)]
    else:
        n_rows = front_rows(len(slots), units)
        n_columns = math.ceil(len(slots) / n_rows)
        cells = [(number % n_rows, number // n_rows) for number in range(len(slots))]
    found = _grid(cells, n_rows, n_columns, 0.0, room, height)
    column = [(row, 0) for row in range(n_management)]
    return (*found, *_grid(column, max(2, n_management), 1, room + 1.0, MANAGEMENT_WIDTH - 1.0, height))


def front_rows(n_cages: int, units: float | None) -> int:
    """How many rows the cages of a switch without line cards stand in; they are numbered column by column."""
    if n_cages <= ONE_ROW_UP_TO:
        return 1
    fitting = ROWS_MOST if units is None and n_cages > 40 else PER_UNIT * max(1, round(units or 1))
    return min(fitting, ROWS_MOST) * (2 if n_cages > MANY else 1)


def _grid(
    cells: list[tuple[int, int]], n_rows: int, n_columns: int, left: float, width: float, height: float
) -> list[Rect]:
    """Cages of (row, column), as large as fits, in the middle of the height."""
    if not cells:
        return []
    across, down = width / n_columns, height / n_rows
    across, down = min(across, down * SHAPE * 1.2), min(down, across * 1.2)
    top = (height - down * n_rows) / 2
    side, tall = across * (1 - GAP), down * (1 - GAP)
    return [(left + column * across, top + row * down + GAP / 2 * down, side, tall) for row, column in cells]
