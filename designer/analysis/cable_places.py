"""Where the ends of cables are, and the order in which people list them."""

import re

from designer.analysis.survey import Run, Survey
from designer.model.entities import Device, End, Group, Rack, order_key
from designer.model.naming import natural
from designer.model.port_labels import port_label
from designer.placement import floor

_NUMBERS = re.compile(r"[0-9]+")


def by_name(one: Device | Group | Rack) -> tuple[object, ...]:
    """Sort key for what people look up by name; of one name, what was made first comes first."""
    return natural(one.name), order_key(one.id)


def ends_in_order(first: str, second: str) -> tuple[str, str]:
    """Names of what a link joins, as people count: "Group 17", "Group 18", wherever they are drawn.

    Names that differ in more than their numbers stay as they are, such as a server and its leaf switch.
    """
    alike = _NUMBERS.sub("0", first) == _NUMBERS.sub("0", second)
    return (second, first) if alike and natural(second) < natural(first) else (first, second)


class Places:
    """Where the ends of links are: rack, unit, and how to say so on a label."""

    def __init__(self, surveyed: Survey) -> None:
        self._survey = surveyed
        self._design = surveyed.design
        self._row_of = {rack_id: row.name for row in floor.rows(self._design) for rack_id in row.rack_ids}
        self._port_order: dict[str, dict[str, int]] = {}
        self._device_keys: dict[str, tuple[object, ...]] = {}

    def rack_and_unit(self, device_id: str) -> tuple[str, int | None]:
        """The name of the device's rack and its lowest unit there; "" and None where it stands in none."""
        placement = self._design.placements.get(device_id)
        if placement is None or placement.rack_id is None:
            return "", None
        return self._design.racks[placement.rack_id].name, placement.unit

    def row(self, device_id: str) -> str:
        """The row on the floor plan that the device's rack stands in; "" where it has no place there."""
        placement = self._design.placements.get(device_id)
        return self._row_of.get(placement.rack_id or "", "") if placement is not None else ""

    def label(self, end: End) -> str:
        """ "A01-40:swp1s0": rack, unit and port as printed; the device's name where it does not stand in a rack."""
        rack, unit = self.rack_and_unit(end.device_id)
        place = f"{rack}-{unit:02d}" if rack and unit is not None else self._design.device(end.device_id).name
        return f"{place}:{port_label(self._design, end)}"

    def sort_key(self, end: End, run: Run) -> tuple[object, ...]:
        """What rows of a plan are sorted by: rack, device and port of one end, as people count."""
        return (*self._device_key(end.device_id), self._port_number(end), end.port, order_key(run.link.id))

    def _device_key(self, device_id: str) -> tuple[object, ...]:
        found = self._device_keys.get(device_id)
        if found is None:
            rack, unit = self.rack_and_unit(device_id)
            name = self._design.device(device_id).name
            found = self._device_keys[device_id] = (not rack, natural(rack), natural(name), unit or 0)
        return found

    def _port_number(self, end: End) -> int:
        order = self._port_order.get(end.device_id)
        if order is None:
            ports = self._design.ports(end.device_id)
            order = self._port_order[end.device_id] = {port.name: number for number, port in enumerate(ports)}
        return order.get(end.port, len(order))
