"""The verbs: each returns the Edit that would do it, or raises a DesignerError that says why not.

This is the one door to them all; the rooms behind it are equipping, port_modes, nic_modes, wiring, rewiring, rails,
rings, router_groups, several, arranging, transforming, grouping, fragments, placed_jobs, tagging and removing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from designer.errors import EditError, ParameterError, UnknownEntityError
from designer.fields.field import fields_of
from designer.fields.kinds import NAMES
from designer.model.arranging import align, distribute, group, move, ungroup
from designer.model.bookmark import Bookmark
from designer.model.bookmarking import (
    add_bookmark,
    delete_bookmark,
    look_edit,
    rename_bookmark,
    update_bookmark,
)
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import Device, Group, Link, PlacedJob, Rack
from designer.model.equipping import add_device, add_rack, install_module, mount, set_type, swap_module
from designer.model.fixture import Fixture
from designer.model.fragments import Fragment, copy_fragment, duplicate, paste
from designer.model.furnishing import change_fixtures
from designer.model.grouping import add_to_group, set_group_kind
from designer.model.limits import NOTES_LONGEST
from designer.model.matching import port_compatibility
from designer.model.naming import checked_name
from designer.model.networks import NETWORKS, TITLES, network_of_switch
from designer.model.nic_modes import set_nic_mode
from designer.model.placed_jobs import add_job, change_job
from designer.model.port_modes import set_cage_modes, set_port_mode
from designer.model.rails import make_rails
from designer.model.removing import delete, remove_modules
from designer.model.rewiring import reconnect, spread_links
from designer.model.rings import close_ring
from designer.model.router_groups import join_groups, make_router_group
from designer.model.settings import Settings
from designer.model.several import add_devices, install_modules
from designer.model.tagging import add_tags, remove_tags, set_field, set_tags
from designer.model.transforming import lock, mirror, rotate, set_spacing, swap_places
from designer.model.wiring import (
    complete_evenly,
    connect,
    connect_devices,
    connect_evenly,
    connectable,
    set_cable,
)

__all__ = [
    "Fragment",
    "add_bookmark",
    "add_device",
    "add_devices",
    "add_job",
    "add_rack",
    "add_tags",
    "add_to_group",
    "align",
    "change_job",
    "close_ring",
    "complete_evenly",
    "connect",
    "connect_devices",
    "connect_evenly",
    "connectable",
    "copy_fragment",
    "delete",
    "delete_bookmark",
    "distribute",
    "duplicate",
    "group",
    "install_module",
    "install_modules",
    "join_groups",
    "lock",
    "look_edit",
    "make_rails",
    "make_router_group",
    "mirror",
    "mount",
    "move",
    "paste",
    "port_compatibility",
    "reconnect",
    "remove_modules",
    "remove_tags",
    "rename",
    "rename_bookmark",
    "rotate",
    "set_cable",
    "set_cage_modes",
    "set_field",
    "set_group_kind",
    "set_network",
    "set_nic_mode",
    "set_port_mode",
    "set_settings",
    "set_spacing",
    "set_tags",
    "set_type",
    "share_switches",
    "spread_links",
    "swap_module",
    "swap_places",
    "ungroup",
    "update_bookmark",
]


def rename(design: Design, entity_id: str, name: str) -> Edit:
    """A device, rack, group, job, fixture or the design itself under another name; a link under another label, or none.

    Two things may share a name: validation tells; not two jobs. Raises EditError for a name no label could show.
    """
    found = design.entity(entity_id)
    after: Device | Rack | Group | Settings | Link
    if isinstance(found, Device | Rack | Group | Settings):
        after = replace(found, name=checked_name(name))
        label = f"Rename {found.name} to {after.name}"
    elif isinstance(found, Link):
        after = replace(found, label=checked_name(name, "a label") if name.strip() else "")
        label = "Label link"
    elif isinstance(found, PlacedJob):
        return change_job(design, entity_id, name=name)
    elif isinstance(found, Bookmark):
        return rename_bookmark(design, entity_id, name)
    elif isinstance(found, Fixture):
        return change_fixtures(design, [entity_id], name=checked_name(name))
    elif found is None:
        raise UnknownEntityError(f"nothing in the design has the id {entity_id!r}")
    else:
        raise EditError(f"{entity_id!r} has no name of its own")
    return Edit(label, () if after == found else (Change(found, after),))


def set_network(design: Design, switch_ids: Iterable[str], network: str) -> Edit:
    """The switches in another network of the cluster; their links stay. Raises ParameterError, EditError."""
    if network not in NETWORKS:
        raise ParameterError(f"there is no network {network!r}: choose {', '.join(NETWORKS)}")
    ids = list(dict.fromkeys(switch_ids))
    if not ids:
        raise ParameterError("select the switches to put into a network first")
    changes: list[Change] = []
    for switch_id in ids:
        switch = design.device(switch_id)
        if not design.is_switch(switch_id):
            raise EditError(f"{switch.name} is a server: its ports say which networks it is in")
        if network_of_switch(switch) != network:
            others = tuple(one for one in switch.carries if one != network)
            changes.append(Change(switch, replace(switch, network=network, carries=others)))
    names = design.device(ids[0]).name if len(ids) == 1 else f"{len(ids)} switches"
    return Edit(f"Put {names} in the {TITLES[network].lower()} network", tuple(changes))


def share_switches(design: Design, switch_ids: Iterable[str], networks: Sequence[str]) -> Edit:
    """The switches carrying these networks besides their own; none for their own alone.

    Raises ParameterError for what is no network, EditError for servers.
    """
    for network in networks:
        if network not in NETWORKS:
            raise ParameterError(f"there is no network {network!r}: choose {', '.join(NETWORKS)}")
    ids, changes = list(dict.fromkeys(switch_ids)), []
    for switch_id in ids:
        switch = design.device(switch_id)
        if not design.is_switch(switch_id):
            raise EditError(f"{switch.name} is a server: its ports say which networks it is in")
        carried = tuple(one for one in NETWORKS if one in networks and one != network_of_switch(switch))
        if carried != switch.carries:
            changes.append(Change(switch, replace(switch, carries=carried)))
    names = design.device(ids[0]).name if len(ids) == 1 else f"{len(ids)} switches"
    what = " and ".join(TITLES[one].lower() for one in networks)
    return Edit(f"Carry {what} on {names}" if networks else f"Carry one network on {names}", tuple(changes))


def set_settings(design: Design, **values: Any) -> Edit:
    """The design's settings with these fields changed. Raises ParameterError naming the field that cannot be."""
    known = {field.name for field in fields(Settings)} - {"id", "policy"}
    for field, value in values.items():
        if field not in known:
            raise ParameterError(f"a design has no setting {field!r}: it has {', '.join(sorted(known))}")
        values[field] = _checked_setting(field, value)
    after = replace(design.settings, **values)
    changes = () if after == design.settings else (Change(design.settings, after),)
    return Edit("Change settings", changes)


def _checked_setting(field: str, value: Any) -> Any:
    if field == "name":
        return checked_name(value)
    described = fields_of(Settings).get(field)
    if described is not None:
        described.require(tuple(value) if described.kind.has_parts else value)
        if described.kind is NAMES:
            return tuple(value)
        if described.kind.has_parts:
            return tuple(sorted({float(one) for one in value}))
        if isinstance(value, str):
            return value.strip()
        return None if value is None else float(value)
    if len(str(value)) > NOTES_LONGEST:
        raise ParameterError(f"notes can have {NOTES_LONGEST:,} characters at most")
    return str(value)
