"""Devices, racks, links, NICs and fixtures as rows of tables, with tags and fields of the user's own."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.analysis.cable_numbers import cable_name
from designer.analysis.tiers import listed_roles
from designer.model.design import Design
from designer.model.entities import End, Link, Rack
from designer.model.fixture import DIMENSION, Fixture
from designer.model.furnishing import settled, title_of
from designer.model.networks import network_of_link, network_of_switch
from designer.model.records import ordered
from designer.model.tagging import Tagged, field_of
from designer.tables.columns import Column, Columns, record
from designer.tables.table import ResultTable

Row = Mapping[str, Any]

_OWN: Columns = (Column("tags", "Tags", lambda row: row["tags"], text=", ".join),)


def _fact(key: str) -> Callable[[Row], Any]:
    return lambda row: row[key]


def _field(name: str) -> Callable[[Row], str]:
    return lambda row: field_of(row["thing"], name)


def _figure(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _columns(*columns: tuple[str, str] | tuple[str, str, str]) -> Columns:
    """Columns of rows that are mappings: key, title, and the unit of figures, "-" for none."""
    made = []
    for key, title, *unit in columns:
        made.append(
            Column(
                key,
                title,
                _fact(key),
                text=_figure,
                unit=unit[0].strip("-") if unit else "",
                right=bool(unit),
            )
        )
    return (*made, *_OWN)


DEVICE_COLUMNS = _columns(
    ("name", "Name"),
    ("kind", "Kind"),
    ("role", "Role"),
    ("vendor", "Vendor"),
    ("type", "Type"),
    ("network", "Network"),
    ("unit", "Scalable unit", "-"),
    ("rail", "Rail", "-"),
    ("plane", "Plane", "-"),
    ("group", "Group"),
    ("rack", "Rack"),
    ("height_u", "Rack unit", "U"),
    ("ports", "Ports", "-"),
    ("used", "Used", "-"),
    ("free", "Free", "-"),
)
RACK_COLUMNS = _columns(("name", "Name"), ("type", "Type"), ("group", "Group"), ("devices", "Devices", "-"))
GROUP_COLUMNS = _columns(("name", "Name"), ("kind", "Kind"), ("group", "Group"), ("members", "Members", "-"))
LINK_COLUMNS = _columns(
    ("cable", "Cable"),
    ("from", "From"),
    ("from_port", "Port"),
    ("to", "To"),
    ("to_port", "Far port"),
    ("network", "Network"),
    ("speed_gbps", "Speed", "Gb/s"),
    ("medium", "Medium"),
    ("length_m", "Length", "m"),
    ("color", "Color"),
    ("label", "Label"),
    ("notes", "Notes"),
)
FIXTURE_COLUMNS = _columns(
    ("name", "Name"),
    ("kind", "Kind"),
    ("x_m", "X", "m"),
    ("y_m", "Y", "m"),
    ("width_m", "Width", "m"),
    ("depth_m", "Depth", "m"),
    ("turn_deg", "Turned", "°"),
    ("length_m", "Length", "m"),
    ("corners", "Corners"),
)
MODULE_COLUMNS = _columns(("device", "Device"), ("slot", "Slot"), ("type", "Type"), ("mode", "Port mode"))


@dataclass(frozen=True, slots=True)
class Listing:
    """The tables of a selection, those with rows, by what they list."""

    tables: Mapping[str, ResultTable]

    def as_json(self) -> dict[str, list[dict[str, Any]]]:
        """Each table as a list of objects; fields of the user's own stand under "fields"."""
        return {
            title: [{**record(row, table.columns), "fields": dict(row["fields"])} for row in table.rows]
            for title, table in self.tables.items()
        }


def listing(design: Design, ids: Iterable[str]) -> Listing:
    """What these things are, a table for each kind, in design order; each field of the user's own is a column."""
    wanted = frozenset(ids)
    kinds: tuple[tuple[str, Mapping[str, Any], Columns, Callable[[Design, Sequence[Any]], list[Row]]], ...] = (
        ("devices", design.devices, DEVICE_COLUMNS, _devices),
        ("racks", design.racks, RACK_COLUMNS, _racks),
        ("groups", design.groups, GROUP_COLUMNS, _groups),
        ("links", design.links, LINK_COLUMNS, _links),
        ("modules", design.modules, MODULE_COLUMNS, _modules),
        ("fixtures", design.fixtures, FIXTURE_COLUMNS, _fixtures),
    )
    tables = {}
    for title, table, columns, rows_of in kinds:
        chosen = [one for one in ordered(table) if one.id in wanted]
        if chosen:
            own = _own_columns(chosen)
            tables[title] = ResultTable((*columns, *own), rows_of(design, chosen))
    return Listing(tables)


def _own_columns(things: Sequence[Tagged]) -> Columns:
    """A column for each field of the user's own; JSON has them under "fields"."""
    names = {name.casefold(): name for one in reversed(things) for name, _ in reversed(one.fields)}
    return tuple(
        Column(f"field {name}", name, _field(name), sheet=name, is_json=False) for name in reversed(names.values())
    )


def _row(thing: Tagged, **facts: Any) -> Row:
    return {**facts, "tags": thing.tags, "fields": thing.fields, "thing": thing}


def _group_name(design: Design, group_id: str | None) -> str:
    return design.groups[group_id].name if group_id is not None else ""


def _devices(design: Design, devices: Sequence[Any]) -> list[Row]:
    roles = listed_roles(design)
    rows = []
    for one in devices:
        type_, place = design.device_type(one.id), design.placements.get(one.id)
        rack_id = place.rack_id if place is not None else None
        is_switch = design.is_switch(one.id)
        rows.append(
            _row(
                one,
                name=one.name,
                kind="switch" if is_switch else "server",
                role=roles[one.id],
                vendor=type_.vendor,
                type=type_.model,
                network=network_of_switch(one) if is_switch else "",
                unit=one.unit,
                rail=one.rail,
                plane=one.plane,
                group=_group_name(design, one.group_id),
                rack=design.racks[rack_id].name if rack_id is not None else "",
                height_u=place.unit if place is not None and rack_id is not None else None,
                ports=len(design.ports(one.id)),
                used=design.n_used_ports(one.id),
                free=design.n_free_ports(one.id),
            )
        )
    return rows


def _racks(design: Design, racks: Sequence[Rack]) -> list[Row]:
    return [
        _row(
            one,
            name=one.name,
            type=getattr(design.types[one.type_id], "model", one.type_id),
            group=_group_name(design, one.group_id),
            devices=len(design.mounted(one.id)),
        )
        for one in racks
    ]


def _groups(design: Design, groups: Sequence[Any]) -> list[Row]:
    return [
        _row(
            one,
            name=one.name,
            kind=one.kind,
            group=_group_name(design, one.parent_id),
            members=len(design.members(one.id)),
        )
        for one in groups
    ]


def _links(design: Design, links: Sequence[Link]) -> list[Row]:
    def rate(end: End) -> float | None:
        port = design.port(end)
        return port.rate_gbps if port is not None else None

    rows = []
    for one in links:
        medium = design.types.get(one.medium_id)
        rows.append(
            _row(
                one,
                cable=cable_name(one.cable),
                **{"from": design.device(one.a.device_id).name, "from_port": one.a.port},
                to=design.device(one.b.device_id).name,
                to_port=one.b.port,
                network=network_of_link(design, one),
                speed_gbps=min((found for found in (rate(one.a), rate(one.b)) if found is not None), default=None),
                medium=medium.model if medium is not None else "",
                length_m=one.length_m,
                color=one.colour,
                label=one.label,
                notes=one.notes,
            )
        )
    return rows


def _fixtures(design: Design, fixtures: Sequence[Fixture]) -> list[Row]:
    """Trays and dimensions have corners and a length, all others a middle and a depth."""
    rows = []
    for one in (settled(design, one) for one in fixtures):
        is_line = bool(one.points_m)
        middle = {"x_m": None, "y_m": None, "depth_m": None, "turn_deg": None}
        rows.append(
            _row(
                one,
                name=title_of(one),
                kind=one.kind,
                width_m=one.width_m if one.kind != DIMENSION else None,
                **(middle if is_line else {name: getattr(one, name) for name in middle}),
                length_m=round(sum(itertools.starmap(math.dist, itertools.pairwise(one.points_m))), 4)
                if is_line
                else None,
                corners=" ".join(f"{x:g},{y:g}" for x, y in one.points_m),
            )
        )
    return rows


def _modules(design: Design, modules: Sequence[Any]) -> list[Row]:
    return [
        _row(
            one,
            device=design.device(one.device_id).name,
            slot=one.slot,
            type=design.module_type(one.id).model,
            mode=one.port_mode,
        )
        for one in modules
    ]
