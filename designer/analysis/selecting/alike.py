"""Selecting what is the same as what is selected: of one type, role, rack, rail, network or unit."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.entities import Device, Link, Module, Rack
from designer.model.networks import network_of_link, network_of_switch

Key = Callable[[Design, Any], object]


@dataclass(frozen=True, slots=True)
class Alike:
    """A fact that things may share. A thing whose key is None or "" has none."""

    name: str
    title: str
    keys: dict[type, Key]
    """How the fact is read, by the kinds of records that may have it."""


def _network(design: Design, device: Device) -> object:
    return network_of_switch(device) if design.is_switch(device.id) else None


def _rack(design: Design, device: Device) -> object:
    place = design.placements.get(device.id)
    return place.rack_id if place is not None else None


ALIKE: tuple[Alike, ...] = (
    Alike(
        "type",
        "Type",
        {
            Device: lambda _design, one: one.type_id,
            Rack: lambda _design, one: one.type_id,
            Module: lambda _design, one: one.type_id,
            Link: lambda _design, one: one.medium_id,
        },
    ),
    Alike("role", "Role", {Device: lambda design, one: one.role or ("" if design.is_switch(one.id) else "server")}),
    Alike("rack", "Rack", {Device: _rack}),
    Alike("rail", "Rail", {Device: lambda _design, one: one.rail}),
    Alike("network", "Network", {Device: _network, Link: network_of_link}),
    Alike("unit", "Scalable Unit", {Device: lambda _design, one: one.unit}),
)
"""Every fact, in the order of the menu."""

BY_NAME = {one.name: one for one in ALIKE}


def alike(design: Design, ids: Iterable[str], name: str) -> frozenset[str]:
    """What has a fact in common with these things, they among it. Raises ParameterError where none of them has it."""
    row = BY_NAME[name]
    wanted: dict[type, set[object]] = {}
    for entity_id in ids:
        entity = design.entity(entity_id)
        key = row.keys.get(type(entity))
        if key is not None and (value := key(design, entity)) not in (None, ""):
            wanted.setdefault(type(entity), set()).add(value)
    if not wanted:
        raise ParameterError(f"nothing that is selected has a {row.title.lower()}")
    tables: dict[type, Mapping[str, Any]] = {
        Device: design.devices,
        Rack: design.racks,
        Module: design.modules,
        Link: design.links,
    }
    return frozenset(
        one.id
        for kind, values in wanted.items()
        for one in tables[kind].values()
        if row.keys[kind](design, one) in values
    )
