"""Handles of ports: used ones where their link leaves the box, free ones on the front of a switch or in a tray."""

import math
from collections import Counter
from dataclasses import dataclass

from designer.drawing.bundles import Floats
from designer.drawing.faceplates import Fronts
from designer.drawing.projection import Projection

TRAY_INSET = (12.0, 10.0)
"""From the box's left and right edge to the tray."""
TRAY_BOTTOM = 6.0
MOST_PITCH = 9.0
ROW_HEIGHT = 4.2
ONE_ROW_UP_TO = 12
HANDLE = 0.62
"""Size of a handle as a share of its pitch."""
MOST_HANDLE = 4.0
LEAST_HANDLE = 0.8
TOP, BOTTOM, LEFT, RIGHT = range(4)


@dataclass(frozen=True, slots=True)
class PortHandle:
    """A port as drawn: its centre, its side length, and the link on it."""

    name: str
    x: float
    y: float
    size: float
    link_id: str | None
    reserved: bool


def port_handles(projection: Projection, fronts: Fronts, boxes: Floats, lines: Floats, row: int) -> list[PortHandle]:
    """Handles of all ports of a box, in port order; a port with several links (a fault) has its first one's place.

    `boxes` are left, top, width, height by device row, `lines` those of geometry.Anchors by link row.
    """
    design = projection.design
    device_id = projection.device_ids[row]
    ports = design.ports(device_id)
    reserved = set(design.device(device_id).reserved_ports)
    used = design.used_ports(device_id)
    free = [port.name for port in ports if port.name not in used]
    at = _free_places(projection, fronts, boxes, row, free)
    ends = {name: _end(projection, boxes, lines, row, links[0]) for name, links in used.items()}
    sizes = dict(zip(ends, _sizes(list(ends.values()), boxes[row].tolist()), strict=True))
    handles = []
    for port in ports:
        if port.name in at:
            handles.append(PortHandle(port.name, *at[port.name], None, port.name in reserved))
        else:
            name, link_id = port.name, used[port.name][0]
            handles.append(PortHandle(name, *ends[name], sizes[name], link_id, name in reserved))
    return handles


def _free_places(
    projection: Projection, fronts: Fronts, boxes: Floats, row: int, free: list[str]
) -> dict[str, tuple[float, float, float]]:
    """Centre and size of each free port: where its cage is on the front of a switch, else in a tray."""
    device_id = projection.device_ids[row]
    if not projection.design.is_switch(device_id):
        return dict(zip(free, _tray(boxes[row], len(free)), strict=True))
    places = fronts.port_places(device_id, boxes[row])
    found = ((name, places[name]) for name in free)
    return {name: (x + wide / 2, y + tall / 2, min(MOST_HANDLE, wide, tall)) for name, (x, y, wide, tall) in found}


def _tray(box: Floats, count: int) -> list[tuple[float, float, float]]:
    """Centres and sizes of handles, row by row, the last row at the bottom of the box."""
    if not count:
        return []
    left, top, width, height = box.tolist()
    room = width - sum(TRAY_INSET)
    n_rows = _tray_rows(count)
    per_row = math.ceil(count / n_rows)
    pitch = min(MOST_PITCH, room / per_row)
    size = min(MOST_HANDLE, HANDLE * pitch, ROW_HEIGHT * 0.8)
    bottom = top + height - TRAY_BOTTOM
    return [
        (
            left + TRAY_INSET[0] + (index % per_row + 0.5) * pitch,
            bottom - (n_rows - 1 - index // per_row) * ROW_HEIGHT,
            size,
        )
        for index in range(count)
    ]


def tray_height(count: int) -> float:
    """Room at the bottom of a box that so many free ports take."""
    return TRAY_BOTTOM + (_tray_rows(count) - 1) * ROW_HEIGHT + MOST_HANDLE / 2 if count else 0.0


def _tray_rows(count: int) -> int:
    return 1 if count <= ONE_ROW_UP_TO else 2 if count <= 80 else 3


def _end(projection: Projection, boxes: Floats, lines: Floats, row: int, link_id: str) -> tuple[float, float]:
    """Where the link touches this box; in its middle where the other end stands nowhere."""
    design, device_id = projection.design, projection.device_ids[row]
    left, top, width, height = boxes[row].tolist()
    link_row = projection.link_row(link_id)
    if link_row is None:
        return left + width / 2, top + height / 2
    link = design.links[link_id]
    other = link.b if link.a.device_id == device_id else link.a
    line = lines[link_row].tolist()
    far = projection.box_of(other.device_id)
    x, y = line[:2] if far is None or row <= far else line[2:]
    return x, y


def _sizes(ends: list[tuple[float, float]], box: list[float]) -> list[float]:
    """Sizes of handles that fit between their neighbors on the edge of the box that they are on."""
    left, top, width, height = box
    edges = [_edge(x - left, y - top, width, height) for x, y in ends]
    n_on = Counter(edges)
    pitches = ((width if edge in (TOP, BOTTOM) else height) / n_on[edge] for edge in edges)
    return [min(MOST_HANDLE, max(LEAST_HANDLE, HANDLE * pitch)) for pitch in pitches]


def _edge(x: float, y: float, width: float, height: float) -> int:
    """The edge of a box that a point is nearest to."""
    return min((abs(y), TOP), (abs(height - y), BOTTOM), (abs(x), LEFT), (abs(width - x), RIGHT))[1]
