"""Verbs about waivers: findings are accepted with a reason, and acceptance is withdrawn."""

from collections.abc import Iterable
from dataclasses import replace

from designer.errors import ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Edit, added, removed
from designer.model.policy_limits import waiver_faults
from designer.model.waiver import Waiver
from designer.units import format_counted


def add_waivers(design: Design, waivers: Iterable[Waiver]) -> Edit:
    """The design with these waivers, under ids of its own. Raises ParameterError naming the field that cannot be."""
    given = list(waivers)
    for one in given:
        for field, fault in waiver_faults(one):
            raise ParameterError(f"{field}: {fault}")
        if one.within and one.within not in design.groups and one.within not in design.racks:
            raise UnknownEntityError(f"there is no group or rack with id {one.within!r}")
    ids = design.new_ids("waivers", len(given))
    made = [replace(one, id=id_) for one, id_ in zip(given, ids, strict=True)]
    codes = ", ".join(dict.fromkeys(one.code for one in made))
    return Edit(f"Waive {codes}", added(made))


def withdraw(design: Design, ids: Iterable[str]) -> Edit:
    """The design without these waivers. Raises UnknownEntityError."""
    found = []
    for one in dict.fromkeys(ids):
        waiver = design.waivers.get(one)
        if waiver is None:
            raise UnknownEntityError(f"there is no waiver with id {one!r}")
        found.append(waiver)
    return Edit(f"Withdraw {format_counted(len(found), 'waiver')}", removed(found))
