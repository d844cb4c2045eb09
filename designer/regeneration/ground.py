"""What a replay stands on: the design as it is, the one that is to be, and what was generated then and now."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from designer.errors import DesignerError
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import Device, Entity, Group, Link, Placement, Rack
from designer.model.hardware.types import HardwareType
from designer.model.placed_jobs import without_servers
from designer.regeneration.clearing import clear_of_others
from designer.regeneration.pristine import Fabric
from designer.units import format_count


@dataclass(frozen=True, slots=True)
class Conflict:
    """A hand edit that no longer applies: the sentence that says so, and the ids it speaks of."""

    sentence: str
    subjects: tuple[str, ...]


@dataclass(slots=True)
class Ground:
    """`before` is not changed; `target` begins as its copy and becomes what the regeneration leads to."""

    before: Design
    group_id: str
    base: Fabric
    """As the old recipe makes it."""
    fabric: Fabric
    """As the new parameters make it; what both have has one id."""
    target: Design = field(init=False)
    conflicts: list[Conflict] = field(default_factory=list)
    retyped: set[str] = field(default_factory=set)
    """Devices whose type or port mode was changed by hand: their links moved with it."""

    reseated: list[str] = field(default_factory=list)
    """Switches of other networks that stand elsewhere in their rack, where the new fabric takes their place."""
    media_by_program: frozenset[str] = frozenset()
    """Links whose medium the program chose, and nobody by hand."""

    def __post_init__(self) -> None:
        self.target = self.before.snapshot()

    def ours(self, table: str) -> dict[str, Any]:
        """What stands of the generated records of a table, by id."""
        standing: Mapping[str, Any] = getattr(self.before, table)
        return {one: standing[one] for one in self.base.tables[table] if one in standing}

    def conflict(self, sentence: str, *subjects: str) -> None:
        """Note that a hand edit could not be replayed; `subjects` are ids."""
        self.conflicts.append(Conflict(sentence, subjects))

    def attempt(self, what: str, changes: tuple[Change, ...], *subjects: str) -> bool:
        """Make the changes in the target, or note as a conflict why they cannot be."""
        try:
            self.target.apply(Edit(what, changes))
        except DesignerError as error:
            self.conflict(f"{what}: {error}", *subjects)
            return False
        return True


def put_in_place(ground: Ground, types: tuple[HardwareType, ...]) -> None:
    """The new fabric in place of the old one, in the target; what was added to it by hand comes off for the moment."""
    before, fabric = ground.before, ground.fabric
    ours = {table: ground.ours(table) for table in fabric.tables}
    changes: list[Change] = list(added(one for one in types if one.id not in before.types))
    changes += [Change(link, None) for link in attached_links(ground)]
    changes += [Change(module, None) for module in attached_modules(ground)]
    for table, records in fabric.tables.items():
        changes += [Change(record, records.get(one)) for one, record in ours[table].items()]
        changes += [Change(None, record) for one, record in records.items() if one not in ours[table]]
    changes += _placements(ground, set(ours["devices"]))
    changes += _left_behind(ground)
    changes += _jobs(ground, frozenset(one for one in ours["devices"] if one not in fabric.tables["devices"]))
    ground.target.apply(Edit("Put the new fabric in place", tuple(changes)))


def keep_clear(ground: Ground) -> None:
    """Devices that were moved by hand do not end up on boxes of the new layout."""
    laid_out, now = ground.fabric.placements, ground.target.placements
    moved = [
        one
        for one, place in laid_out.items()
        if one in now
        and one in ground.before.devices
        and not now[one].locked
        and (now[one].x, now[one].y) != (place.x, place.y)
    ]
    cleared = clear_of_others(ground.before, ground.target, moved)
    changes = tuple(Change(now[one], place) for one, place in cleared.items())
    if changes:
        ground.target.apply(Edit("Keep moved devices clear of others", changes))


def attached_links(ground: Ground) -> list[Link]:
    """Links that were drawn by hand to devices of the fabric."""
    own = ground.base.tables["links"]
    devices = ground.base.tables["devices"]
    return [
        link
        for link in ground.before.links.values()
        if link.id not in own and (link.a.device_id in devices or link.b.device_id in devices)
    ]


def attached_modules(ground: Ground) -> list[Any]:
    """NICs that were put into servers of the fabric by hand."""
    own, devices = ground.base.tables["modules"], ground.base.tables["devices"]
    return [one for one in ground.before.modules.values() if one.id not in own and one.device_id in devices]


def _placements(ground: Ground, ours: set[str]) -> list[Change]:
    """Devices where the new layout has them, moved on as they were moved by hand; locked ones where they stand."""
    stood, base, changes = ground.before.placements, ground.base.placements, []
    for one in ours:
        if one in stood and one not in ground.fabric.placements:
            changes.append(Change(stood[one], None))
    for one, laid_out in ground.fabric.placements.items():
        place, before = laid_out, stood.get(one) if one in ours else None
        if one in ours and before is None:
            continue
        if before is not None and before.locked:
            place = replace(place, x=before.x, y=before.y, locked=True)
        elif before is not None and one in base:
            x, y = before.x + (place.x - base[one].x), before.y + (place.y - base[one].y)
            place = (
                replace(place, x=round(x, 6), y=round(y, 6))
                if (x, y) != (before.x, before.y)
                else replace(place, x=before.x, y=before.y)
            )
        changes.append(Change(before, place))
    for one in ground.ours("racks"):
        if one in stood and one not in ground.fabric.tables["racks"]:
            changes.append(Change(stood[one], None))
    return changes


def _left_behind(ground: Ground) -> list[Change]:
    """What lay by hand in groups or stood in racks that go: into the fabric's group, out of the rack."""
    before, base, fabric = ground.before, ground.base.tables, ground.fabric.tables
    changes: list[Change] = []
    for group_id in ground.ours("groups"):
        if group_id in fabric["groups"]:
            continue
        for one in before.members(group_id):
            member = before.entity(one)
            if isinstance(member, Group) and one not in base["groups"]:
                changes.append(Change(member, replace(member, parent_id=ground.group_id)))
            elif isinstance(member, Device | Rack) and one not in base["devices"] and one not in base["racks"]:
                changes.append(Change(member, replace(member, group_id=ground.group_id)))
    for rack_id, rack in ground.ours("racks").items():
        if rack_id in fabric["racks"]:
            continue
        for one in before.mounted(rack_id):
            if one not in base["devices"]:
                stood: Placement = before.placements[one]
                changes.append(Change(stood, replace(stood, rack_id=None, unit=None, side="")))
                name = before.device(one).name
                ground.conflict(f"{name} stood in {rack.name}, which the new fabric does not have", one)
    return changes


def _jobs(ground: Ground, gone: frozenset[str]) -> list[Change]:
    """Jobs without the servers that go."""
    changes: list[Change] = []
    for job, rest in without_servers(ground.before, gone):
        changes.append(Change(job, rest))
        number = len({one.device_id for one in job.servers}.intersection(gone))
        servers = "a server that is" if number == 1 else f"{format_count(number)} servers that are"
        after = "" if rest is not None else ", and goes with them"
        ground.conflict(f"{job.name} ran on {servers} not part of the new fabric{after}", job.id)
    return changes


def difference(before: Design, after: Design, label: str) -> Edit:
    """The edit that leads from one design to another with the same settings."""
    changes: list[Change] = []
    for table in ("types", "groups", "racks", "devices", "modules", "placements", "links", "jobs"):
        old: Mapping[str, Entity] = getattr(before, table)
        new: Mapping[str, Entity] = getattr(after, table)
        changes += [Change(record, None) for one, record in old.items() if one not in new]
        for one, record in new.items():
            stood = old.get(one)
            if stood is not record and stood != record:
                changes.append(Change(stood, record))
    return Edit(label, tuple(changes))
