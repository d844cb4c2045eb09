"""A design as its recipes give it: what it would be without the edits made by hand since."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Entity, Group, Link, Module, Rack
from designer.model.networks import COMPUTE, network_of_switch
from designer.model.removing import delete
from designer.placement.preparation import cabled_like_neighbours
from designer.regeneration.pristine import Fabric
from designer.regeneration.recipes import parameters_of
from designer.regeneration.regenerate import generated_base

BY_HAND: Mapping[type, tuple[str, ...]] = {
    Group: ("name", "parent_id"),
    Rack: ("name",),
    Device: (
        "name", "type_id", "role", "group_id", "port_mode", "cage_modes", "reserved_ports", "rail", "plane", "unit",
        "tags", "fields",
    ),
    Module: ("device_id", "slot", "type_id"),
    Link: ("a", "b", "tags", "fields"),
}  # fmt: skip
"""What counts as changed by hand of a record that stands; lengths, media, numbers and places come of other commands."""


def as_generated(design: Design, catalog: Catalog) -> Design:
    """The design with its generated fabrics as their recipes give them, and nothing else in their network.

    Ids are those of the design; links that are missing in it get the length and the cable of their neighbors. Raises
    ParameterError where nothing in it was generated, or where this program would not have made what stands.
    """
    groups = [one for one in design.groups.values() if one.recipe is not None]
    if not groups:
        raise ParameterError("Nothing in this design was generated: there is nothing to compare it with")
    bases = [generated_base(design, one, parameters_of(one), catalog) for one in groups]
    made = design.snapshot()
    made.apply(delete(made, _by_hand(design, bases)))
    missing, changes = list[Entity](), list[Change]()
    for base, types in bases:
        made.apply(Edit("Types", added(one for one in types if one.id not in made.types)))
        for table in ("groups", "racks", "devices", "modules", "links"):
            for one in base.tables[table].values():
                stands = getattr(made, table).get(one.id)
                if stands is None:
                    missing.append(one)
                    if table in ("racks", "devices") and one.id in base.placements:
                        missing.append(base.placements[one.id])
                else:
                    changes.append(Change(stands, _as_made(one, stands)))
    made.apply(Edit("As generated", (*added(missing), *(one for one in changes if one.before != one.after))))
    laid = [one for one in missing if isinstance(one, Link)]
    cables = zip(laid, cabled_like_neighbours(made, laid), strict=True)
    made.apply(Edit("Cables as of their neighbors", tuple(Change(*pair) for pair in cables if pair[0] != pair[1])))
    return made


def _as_made(base: Any, stands: Any) -> Any:
    return replace(stands, **{name: getattr(base, name) for name in BY_HAND[type(base)]})


def _by_hand(design: Design, bases: list[tuple[Fabric, Any]]) -> list[str]:
    """The devices, NICs and links of the compute network that no recipe gives; those of other networks stay."""
    own = {one for base, _ in bases for table in base.tables.values() for one in table}
    others = {one.id for one in design.switches() if network_of_switch(one) != COMPUTE}
    devices = [
        one.id
        for one in design.devices.values()
        if one.id not in own | others and not _is_of_others(design, one.id, others)
    ]
    gone = {*devices}
    links = [
        link.id
        for link in design.links.values()
        if link.id not in own and gone.isdisjoint(ends := {link.a.device_id, link.b.device_id}) and not ends & others
    ]
    modules = [one.id for one in design.modules.values() if one.id not in own and one.device_id not in gone | others]
    return [*devices, *links, *modules]


def _is_of_others(design: Design, device_id: str, others: set[str]) -> bool:
    """Whether a device is linked, and to switches of other networks alone."""
    links = design.links_of(device_id)
    return bool(links) and all({one.a.device_id, one.b.device_id} & others for one in links)
