"""Sheets for one place: every cable end in a rack, and every port of a switch with what is at its far end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

from designer.analysis.cable_places import by_name
from designer.exchange.cable_plan import CableRow
from designer.model.design import Design
from designer.model.entities import Device
from designer.model.hardware.ports import Port
from designer.model.naming import natural
from designer.tables.cells import Cell
from designer.tables.columns import Column, Columns

_NEAR = ("a_u", "a_device", "a_port", "a_cage", "a_lane", "a_optic_model", "a_optic_pn")
_LINK = ("cable_id", "network")
_FAR = ("z_rack", "z_u", "z_device", "z_port")
_CABLE = (
    "medium",
    "cable_model",
    "cable_pn",
    "length_m",
    "order_length_m",
    "slack_m",
    "trays",
    "color",
    "label_a",
    "notes",
)
_TURNED = {"label_a": "label_b"}

_LINK_COLUMNS: Columns = (Column("cable_id", "Cable"), Column("network", "Network"))
_FAR_COLUMNS: Columns = (
    Column("far_rack", "Far rack"),
    Column("far_u", "Far unit", unit="U", right=True),
    Column("far_device", "Far device"),
    Column("far_port", "Far port"),
)
_CABLE_COLUMNS: Columns = (
    Column("medium", "Medium"),
    Column("cable_model", "Model"),
    Column("cable_pn", "Part number"),
    Column("length_m", "Length", unit="m", right=True),
    Column("order_length_m", "Order length", unit="m", right=True),
    Column("slack_m", "Total slack", unit="m", right=True),
    Column("trays", "Trays"),
    Column("color", "Color"),
    Column("label", "Label"),
    Column("notes", "Notes"),
)
_PORT_COLUMNS: Columns = (
    Column("port", "Port"),
    Column("cage", "Cage", right=True),
    Column("lane", "Lane", right=True),
)
_OPTICS: Columns = (Column("optic_model", "Transceiver"), Column("optic_pn", "Transceiver part number"))

RACK_COLUMNS: Columns = (
    Column("u", "Unit", unit="U", right=True),
    Column("device", "Device"),
    *_PORT_COLUMNS,
    *_OPTICS,
    *_LINK_COLUMNS,
    *_FAR_COLUMNS,
    *_CABLE_COLUMNS,
)
SWITCH_COLUMNS: Columns = (
    *_PORT_COLUMNS,
    Column("status", "Status"),
    *_OPTICS,
    *_LINK_COLUMNS,
    *_FAR_COLUMNS,
    *_CABLE_COLUMNS,
)

USED, FREE, RESERVED = "used", "free", "reserved"


def _turned(name: str) -> str:
    """What a row seen from its Z end has in place of a field."""
    if name in _TURNED:
        return _TURNED[name]
    return f"{'z' if name[0] == 'a' else 'a'}{name[1:]}" if name[:2] in ("a_", "z_") else name


_names = (*_NEAR, *_LINK, *_FAR, *_CABLE)
_from_a, _from_z = attrgetter(*_names), attrgetter(*map(_turned, _names))
_without_place = itemgetter(*range(2, 5))
_after_optic = itemgetter(*range(5, len(_names)))


@dataclass(frozen=True, slots=True)
class PlaceSheet:
    """A sheet's name and its rows."""

    title: str
    rows: list[tuple[Cell, ...]]


class PortSheets:
    """The rows of a plan by the devices that they end at."""

    def __init__(self, design: Design, rows: Sequence[CableRow]) -> None:
        self._design = design
        self._at: dict[str, dict[str, list[tuple[Cell, ...]]]] = {}
        for row in rows:
            self._at.setdefault(row.a_id, {}).setdefault(row.a_port_id, []).append(_from_a(row))
            self._at.setdefault(row.z_id, {}).setdefault(row.z_port_id, []).append(_from_z(row))

    def racks(self) -> list[PlaceSheet]:
        """A sheet for each rack that a cable ends in, by name: its cable ends by device and port."""
        found = []
        for rack in sorted(self._design.racks.values(), key=by_name):
            mounted = [self._design.devices[one] for one in self._design.mounted(rack.id) if one in self._at]
            mounted.sort(key=by_name)
            rows = [row for device in mounted for row in self._ends_of(device)]
            if rows:
                found.append(PlaceSheet(rack.name, rows))
        return found

    def switches(self) -> list[PlaceSheet]:
        """A sheet for each switch with a cable, by rack and name: all of its ports in order, the free ones too."""
        wanted = [switch for switch in self._design.switches() if switch.id in self._at]
        return [PlaceSheet(one.name, self._port_map(one)) for one in sorted(wanted, key=self._switch_key)]

    def _switch_key(self, device: Device) -> tuple[object, ...]:
        placement = self._design.placements.get(device.id)
        rack = self._design.racks.get(placement.rack_id or "") if placement is not None else None
        return (rack is None, natural(rack.name) if rack is not None else (), *by_name(device))

    def _ends_of(self, device: Device) -> list[tuple[Cell, ...]]:
        """Its cable ends in port order; those at ports it does not have last."""
        at = self._at[device.id]
        names = dict.fromkeys([*(port.name for port in self._design.ports(device.id)), *sorted(at, key=natural)])
        return [row for name in names for row in at.get(name, ())]

    def _port_map(self, switch: Device) -> list[tuple[Cell, ...]]:
        at, rows = self._at[switch.id], []
        ports: Mapping[str, Port] = self._design.port_map(switch.id)
        reserved, purposes = frozenset(switch.reserved_ports), dict(switch.reserved_for)
        for name, port in ports.items():
            held = at.get(name, ())
            rows += [(*_without_place(row), USED, *_after_optic(row)) for row in held]
            if not held:
                lane = port.lane if port.ports_per_cage > 1 else None
                is_kept = name in reserved or name in purposes
                purpose = f"{RESERVED}: {purposes[name]}" if purposes.get(name) else RESERVED
                rows.append((port.label or name, port.cage, lane, purpose if is_kept else FREE, *_BLANK))
        for name in sorted(at.keys() - ports.keys(), key=natural):
            rows += [(*_without_place(row), USED, *_after_optic(row)) for row in at[name]]
        return rows


_BLANK = (None,) * (len(SWITCH_COLUMNS) - 4)
