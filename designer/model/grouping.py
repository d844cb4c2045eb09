"""Verbs for groups that are there: more comes into one, and what kind of group it is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.errors import ParameterError, UnknownEntityError
from designer.model.arranging import emptied_groups, member_of, parent_of, with_parent
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import GROUP_KINDS, UNIT_KINDS, Device, Group
from designer.units import format_counted


def add_to_group(design: Design, ids: Iterable[str], group_id: str) -> Edit:
    """The devices, racks and groups in a group that is there; groups left without members go.

    Raises ParameterError for a group that would lie in itself, and where there is nothing to add.
    """
    group = _group(design, group_id)
    around = set(_around(design, group_id))
    members = [member_of(design, one) for one in dict.fromkeys(ids)]
    coming = [one for one in members if one.id != group_id and parent_of(one) != group_id]
    for one in coming:
        if one.id in around:
            raise ParameterError(f"{group.name} lies in {one.name}: ungroup {one.name}, or choose another group")
    if not coming:
        raise ParameterError(f"select what to add to {group.name}, and {group.name} itself")
    gone = emptied_groups(design, [one.id for one in coming], kept=group_id)
    what = coming[0].name if len(coming) == 1 else format_counted(len(coming), "thing")
    changes = [Change(one, with_parent(one, group_id)) for one in coming]
    return Edit(f"Add {what} to {group.name}", (*changes, *(Change(one, None) for one in gone)))


def set_group_kind(design: Design, group_id: str, kind: str) -> Edit:
    """The group as one of GROUP_KINDS. A scalable unit or pod numbers its devices, where none has a number.

    That is the number that its name ends in, or the next one that no other device has. Raises ParameterError.
    """
    group = _group(design, group_id)
    if kind not in (*GROUP_KINDS, group.kind):
        raise ParameterError(f"there is no group of kind {kind!r}: choose {', '.join(GROUP_KINDS)}")
    if kind == group.kind:
        return Edit(f"Make {group.name} a {kind}", ())
    changes = [Change(group, replace(group, kind=kind))]
    devices = list(_devices(design, group_id)) if kind in UNIT_KINDS else []
    if all(one.unit is None for one in devices):
        number = _free_unit(design, group.name)
        changes += [Change(one, replace(one, unit=number)) for one in devices]
    return Edit(f"Make {group.name} a {kind}", tuple(changes))


def _free_unit(design: Design, name: str) -> int:
    taken = {one.unit for one in design.devices.values()}
    stated = re.search(r"([0-9]{1,6})$", name)
    number = max(1, int(stated[1])) if stated is not None else 1
    while number in taken:
        number += 1
    return number


def _group(design: Design, group_id: str) -> Group:
    found = design.groups.get(group_id)
    if found is None:
        raise UnknownEntityError(f"there is no group with id {group_id!r}")
    return found


def _around(design: Design, group_id: str) -> Iterator[str]:
    """The groups that the group lies in, from inside out."""
    above = design.groups[group_id].parent_id
    while above is not None:
        yield above
        above = design.groups[above].parent_id


def _devices(design: Design, group_id: str) -> Iterator[Device]:
    """The devices in a group at any depth, and in its racks."""
    for one in design.members(group_id):
        if one in design.groups:
            yield from _devices(design, one)
        elif one in design.devices:
            yield design.devices[one]
