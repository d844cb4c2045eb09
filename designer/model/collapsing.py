"""Verbs that collapse groups, racks and the devices of a role to one box in the drawing, and expand them again.

What is collapsed is part of the design: whoever opens the file sees the same picture. Nothing else changes by it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from designer.errors import ParameterError
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import FABRIC, STORAGE_ROLE, Device, Group, Rack, order_key
from designer.model.hardware.servers import ServerType
from designer.model.hardware.types import HardwareType
from designer.model.settings import SETTINGS_ID, Settings

RACK = "rack"
LEAST_OF_ROLE = 2
"""Fewer devices of a role are no smaller as one box."""


@dataclass(frozen=True, slots=True, order=True)
class BoxKey:
    """What one box of the drawing stands for: a group or rack, or the devices of a role directly in a group.

    `id` is that of the group or rack; "" with a role stands for the devices in no group.
    """

    id: str
    role: str = ""

    def __str__(self) -> str:
        return f"{self.id}/{self.role}" if self.role else self.id


def role_of(design: Design, device_id: str) -> str:
    """A device's role in lower case, "server" or "switch" where it has none of its own."""
    if design.is_server(device_id):
        return "server"
    return design.devices[device_id].role.lower() or "switch"


def is_storage_server(device: Device, type_: HardwareType) -> bool:
    """Whether a server is for storage: by its type, or by its role alone."""
    return isinstance(type_, ServerType) and (type_.is_storage or STORAGE_ROLE in device.role.lower())


def home_of(design: Design, device_id: str) -> BoxKey:
    """The innermost thing that a device collapses into: its rack on the canvas, its group, else its role."""
    placement = design.placements.get(device_id)
    rack_id = placement.rack_id if placement is not None else None
    if rack_id is not None and rack_id in design.placements:
        return BoxKey(rack_id)
    group_id = design.devices[device_id].group_id
    if group_id is not None and design.groups[group_id].kind != FABRIC:
        return BoxKey(group_id)
    return role_key(design, device_id)


def role_key(design: Design, device_id: str) -> BoxKey:
    """The devices of the same role that are directly in the same group."""
    return BoxKey(design.devices[device_id].group_id or "", role_of(design, device_id))


def is_collapsed(design: Design, key: BoxKey) -> bool:
    """Whether the drawing shows that as one box, or would if nothing around it were collapsed."""
    if key.role:
        return key.role in _roles(design, key.id)
    group, rack = design.groups.get(key.id), design.racks.get(key.id)
    return bool((group or rack) and (group or rack).is_collapsed)  # type: ignore[union-attr]


def collapsed_keys(design: Design) -> list[BoxKey]:
    """Everything that is collapsed, in stable order: groups, then racks, then roles."""
    groups = sorted(design.groups, key=order_key)
    keys = [BoxKey(one) for one in groups if design.groups[one].is_collapsed]
    keys += [BoxKey(one) for one in sorted(design.racks, key=order_key) if design.racks[one].is_collapsed]
    return keys + [BoxKey(one, role) for one in ("", *groups) for role in sorted(_roles(design, one))]


def holders(design: Design, device_id: str) -> Iterator[BoxKey]:
    """All that a device would be drawn in if it were collapsed, outermost first: groups, its rack, its role."""
    device, placement = design.devices[device_id], design.placements.get(device_id)
    rack_id = placement.rack_id if placement is not None else None
    above = [device.group_id]
    if rack_id is not None:
        above.append(design.racks[rack_id].group_id)
    for start in above:
        chain: list[BoxKey] = []
        group_id = start
        while group_id is not None:
            chain.append(BoxKey(group_id))
            group_id = design.groups[group_id].parent_id
        yield from reversed(chain)
    if rack_id is not None and rack_id in design.placements:
        yield BoxKey(rack_id)
    yield role_key(design, device_id)


def box_of(design: Design, device_id: str) -> BoxKey | None:
    """The box that hides a device: the outermost that is collapsed; None where the device is drawn itself."""
    return next((key for key in holders(design, device_id) if is_collapsed(design, key)), None)


def name_of(design: Design, key: BoxKey) -> str:
    """What a message calls it: the name of the group or rack, "leaf of SU 1", or "spine"."""
    entity = design.groups.get(key.id) or design.racks.get(key.id)
    if not key.role:
        return entity.name if entity is not None else key.id
    inside = isinstance(entity, Group) and entity.kind != FABRIC
    return f"{key.role} of {entity.name}" if inside and entity is not None else key.role


# -- edits ----------------------------------------------------------------------------------------------------------


def collapse(design: Design, ids: Iterable[str]) -> Edit:
    """Groups and racks as one box each; devices with the rack or group they are in, else with all of their role.

    Raises ParameterError where nothing among them can be collapsed any further.
    """
    return _set(design, _chosen(design, ids), "Collapse", wanted=True)


def collapse_role(design: Design, ids: Iterable[str]) -> Edit:
    """The devices of the roles of those chosen as one box a role, in each group that these are in."""
    keys = [role_key(design, one) for one in ids if one in design.devices]
    return _set(design, _large_enough(design, keys), "Collapse", wanted=True)


def collapse_kind(design: Design, ids: Iterable[str]) -> Edit:
    """Everything of the kinds of those chosen: all pods for a pod, all racks for a rack, all leafs for a leaf.

    A device that is in no rack or group stands for its role, wherever it is; others for the kind of what they are in.
    """
    keys: list[BoxKey] = []
    for key in _chosen(design, ids):
        if key.role:
            keys += sorted(one for one in _by_role(design) if one.role == key.role)
        elif key.id in design.racks:
            keys += [BoxKey(one) for one in design.racks if one in design.placements]
        else:
            kind = design.groups[key.id].kind
            keys += [BoxKey(one.id) for one in design.groups.values() if one.kind == kind]
    return _set(design, _large_enough(design, keys), "Collapse", wanted=True)


def collapse_all(design: Design) -> Edit:
    """Every outermost group as one box, and what is in none by its racks or roles: the design at a glance."""
    keys: dict[BoxKey, None] = {}
    placements, seen = design.placements, set[tuple[str | None, str | None, str, str]]()
    for device_id, device in design.devices.items():
        placement = placements.get(device_id)
        if placement is None:
            continue
        alike = device.group_id, placement.rack_id, device.type_id, device.role
        if alike not in seen:  # those alike are in the same box
            seen.add(alike)
            drawn = (key for key in holders(design, device_id) if _is_drawn(design, key))
            keys.setdefault(next(drawn, None) or role_key(design, device_id))
    return _set(design, _large_enough(design, keys), "Collapse", wanted=True)


def expand(design: Design, ids: Iterable[str]) -> Edit:
    """Groups and racks with what is in them again; of a device the box that hides it.

    Raises ParameterError where nothing among them is collapsed.
    """
    found = (_box_to_open(design, one) for one in ids)
    return _set(design, [key for key in found if key is not None], "Expand", wanted=False)


def is_expandable(design: Design, entity_id: str) -> bool:
    """Whether `expand` opens a box for it."""
    return _box_to_open(design, entity_id) is not None


def _box_to_open(design: Design, entity_id: str) -> BoxKey | None:
    if entity_id in design.devices:
        return box_of(design, entity_id)
    key = BoxKey(entity_id)
    return key if is_collapsed(design, key) else None


def expand_all(design: Design) -> Edit:
    """Everything with what is in it again. Raises ParameterError where nothing is collapsed."""
    return _set(design, collapsed_keys(design), "Expand", wanted=False)


def collapse_exactly(design: Design, keys: Iterable[BoxKey]) -> Edit:
    """These as one box each and nothing else; an empty edit where it is so already."""
    wanted, now = frozenset(keys), collapsed_keys(design)
    opened = _changes(design, (key for key in now if key not in wanted), {}, wanted=False)
    after = _changes(design, sorted(wanted.difference(now)), opened, wanted=True)
    return Edit("Collapse", tuple(Change(_entity(design, one), record) for one, record in after.items()))


def _is_drawn(design: Design, key: BoxKey) -> bool:
    """Whether the drawing frames it: not the group around a whole fabric."""
    group = design.groups.get(key.id)
    return not key.role and not (group is not None and group.kind == FABRIC)


def _chosen(design: Design, ids: Iterable[str]) -> list[BoxKey]:
    keys: dict[BoxKey, None] = {}
    for one in ids:
        if one in design.groups or (one in design.racks and one in design.placements):
            keys.setdefault(BoxKey(one))
        elif one in design.devices:
            keys.setdefault(home_of(design, one))
    return _large_enough(design, keys)


def _large_enough(design: Design, keys: Iterable[BoxKey]) -> list[BoxKey]:
    """Those that are worth a box: groups and racks, and roles with two devices or more."""
    keys = list(dict.fromkeys(keys))
    counts = _by_role(design) if any(key.role for key in keys) else {}
    return [key for key in keys if not key.role or counts.get(key, 0) >= LEAST_OF_ROLE]


def _by_role(design: Design) -> Counter[BoxKey]:
    """How many devices there are of each role, group by group."""
    counts = Counter[BoxKey]()
    alike: dict[tuple[str, str, str | None], list[str]] = {}
    for device_id, device in design.devices.items():
        alike.setdefault((device.type_id, device.role, device.group_id), []).append(device_id)
    for device_ids in alike.values():
        counts[role_key(design, device_ids[0])] += len(device_ids)
    return counts


def _set(design: Design, keys: Iterable[BoxKey], verb: str, *, wanted: bool) -> Edit:
    changing = [key for key in dict.fromkeys(keys) if is_collapsed(design, key) != wanted]
    if not changing:
        raise ParameterError(
            "nothing here to collapse: select a group, a rack, or devices that are in one"
            if wanted
            else "nothing here is collapsed"
        )
    now = _changes(design, changing, {}, wanted=wanted)
    what = name_of(design, changing[0]) if len(changing) == 1 else f"{len(changing):,} boxes"
    return Edit(f"{verb} {what}", tuple(Change(_entity(design, one), after) for one, after in now.items()))


def _changes(
    design: Design, keys: Iterable[BoxKey], now: dict[str, Settings | Group | Rack], *, wanted: bool
) -> dict[str, Settings | Group | Rack]:
    """`now`, with the records of these as they are once these are collapsed, or expanded; none is so already."""
    for key in keys:
        entity_id = key.id or SETTINGS_ID
        before = now.get(entity_id) or _entity(design, entity_id)
        if not key.role and not isinstance(before, Settings):
            now[entity_id] = replace(before, is_collapsed=wanted)
        elif not isinstance(before, Rack):
            roles = {*before.collapsed_roles} ^ {key.role}
            now[entity_id] = replace(before, collapsed_roles=tuple(sorted(roles)))
    return now


def _entity(design: Design, entity_id: str) -> Settings | Group | Rack:
    if entity_id == SETTINGS_ID:
        return design.settings
    return design.groups[entity_id] if entity_id in design.groups else design.racks[entity_id]


def _roles(design: Design, group_id: str) -> tuple[str, ...]:
    group = design.groups.get(group_id)
    if group is not None:
        return group.collapsed_roles
    return design.settings.collapsed_roles if not group_id else ()
