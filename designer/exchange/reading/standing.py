"""Where found devices stand: on the canvas as their file has them or as their links suggest, and in racks."""

import contextlib
import itertools
import math
from collections.abc import Callable, Mapping, Sequence

from designer.errors import ParameterError
from designer.exchange.reading.found import FoundNode, Spot, Unread
from designer.model.design import Design, from_entities
from designer.model.entities import Entity, Placement
from designer.model.equipping import WHOLE_RACK_UNITS, height
from designer.model.hardware.racks import RackType
from designer.model.hardware.types import DeviceType, HardwareType
from designer.model.naming import natural
from designer.placement.layouts.tidy import tidy
from designer.placement.metrics import COLUMN_PITCH, ROW_PITCH
from designer.topologies.assembly import ROOM_BESIDE
from designer.units import shortened

Points = Mapping[str, tuple[float, float]]
MOST_STRETCHED = 1000.0
FARTHEST_DRAWN = 1e6
MOST_RACK_UNITS = 200


def drawn_points(nodes: Sequence[FoundNode]) -> dict[str, tuple[float, float]]:
    """Places by name, as the file has them, stretched until no boxes overlap; none where half of them lack one."""
    points = {
        node.name: (node.x, node.y)
        for node in nodes
        if node.x is not None and node.y is not None and _is_near(node.x) and _is_near(node.y)
    }
    if len(points) * 2 <= len(nodes) or len(set(points.values())) < len(points):
        return {}
    stretch = _stretch(sorted(points.values(), key=lambda at: (at[1], at[0])))
    found = {name: (x * stretch, y * stretch) for name, (x, y) in points.items()}
    left, low = min(x for x, _ in found.values()), max(y for _, y in found.values())
    others = [node.name for node in nodes if node.name not in found]
    for number, name in enumerate(others):  # those without a place stand in rows below
        row, column = divmod(number, 32)
        found[name] = left + column * COLUMN_PITCH, low + (row + 2) * ROW_PITCH
    return found


def _is_near(value: float) -> bool:
    return math.isfinite(value) and abs(value) <= FARTHEST_DRAWN


def _stretch(points: Sequence[tuple[float, float]]) -> float:
    """How far apart places have to be drawn so that next ones do not overlap."""
    most = 1.0
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        across, down = abs(bx - ax), abs(by - ay)
        needed = min(COLUMN_PITCH / across if across else math.inf, ROW_PITCH / down if down else math.inf)
        if needed < MOST_STRETCHED:
            most = max(most, needed)
    return most


def arranged(entities: Sequence[Entity], progress: Callable[[float], None]) -> dict[str, tuple[float, float]]:
    """Places by id of the devices among the entities, laid out as their links suggest."""
    scratch = from_entities(entities)
    with contextlib.suppress(ParameterError):  # a single device needs no layout
        scratch.apply(tidy(scratch, progress=progress))
    return {one.id: (one.x, one.y) for one in scratch.placements.values()}


def beside(design: Design, points: Points) -> dict[str, tuple[float, float]]:
    """The points moved to the right of what the design has on its canvas."""
    there = design.placements.values()
    if not there or not points:
        return dict(points)
    right, top = max(one.x for one in there), min(one.y for one in there)
    dx = right + COLUMN_PITCH + ROOM_BESIDE - min(x for x, _ in points.values())
    dy = top - min(y for _, y in points.values())
    return {name: (x + dx, y + dy) for name, (x, y) in points.items()}


class Racks:
    """The racks that a file names, and the units that its devices take in them."""

    def __init__(self, nodes: Sequence[FoundNode], types: Mapping[str, DeviceType], file: str) -> None:
        self._file = file
        self.unread: list[Unread] = []
        self.names = sorted({node.rack for node in nodes if node.rack}, key=natural)
        self.units: dict[str, int | None] = {}
        """The lowest unit of each device that stands in a rack, by name; None where it is open."""
        self._most = WHOLE_RACK_UNITS
        taken: dict[str, dict[int, str]] = {}
        for node in nodes:
            if node.rack:
                self.units[node.name] = self._unit(node, height(types[node.name]), taken.setdefault(node.rack, {}))

    def _unit(self, node: FoundNode, units: int, taken: dict[int, str]) -> int | None:
        if node.unit is None:
            return None
        span = range(node.unit, node.unit + units)
        other = next((taken[one] for one in span if one in taken), None)
        if other is not None or span[0] < 1 or span[-1] > MOST_RACK_UNITS:
            why = (
                f"unit {node.unit} of {shortened(node.rack)} is taken by {shortened(other)}"
                if other
                else (f"{shortened(node.rack)} has no unit {span[-1]}")
            )
            meant = f"it takes {units} U as its type says" if units > 1 else "the unit is left open"
            self.unread.append(Unread(node.spot or Spot(self._file), f"{shortened(node.name)}: {why}", meant))
            return None
        taken.update(dict.fromkeys(span, node.name))
        self._most = max(self._most, span[-1])
        return node.unit

    def type_of(self, types: Mapping[str, HardwareType]) -> RackType:
        """The lowest generic rack that holds all of them."""
        for type_id in ("rack-42u", "rack-48u"):
            found = types.get(type_id)
            if isinstance(found, RackType) and found.units >= self._most:
                return found
        return RackType(f"rack-{self._most}u", "Generic", f"{self._most}U rack", self._most)


def placements(
    points: Points, racks: Mapping[str, tuple[str, int | None]], sides: Mapping[str, str]
) -> list[Placement]:
    """Where each device stands, by id: on the canvas, and in its rack."""
    made = []
    for device_id, (x, y) in points.items():
        rack_id, unit = racks.get(device_id, (None, None))
        made.append(Placement(device_id, round(x, 1), round(y, 1), rack_id, unit, sides.get(device_id, "")))
    return made
