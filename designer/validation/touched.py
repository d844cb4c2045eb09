"""What an edit touches: the devices, links, racks and groups that rules of local scope look at again."""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, fields
from functools import cached_property

from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF, Device, End, Entity, Group, Link, Module, Placement, Rack
from designer.model.fixture import TRAY, Fixture
from designer.model.settings import Settings
from designer.validation.scope import READABLE

OF_THE_DEVICE_ALONE = frozenset(("name", "group_id", "tags", "fields", "colour"))
"""Fields of a device that say nothing of its ports, nor how its links are read."""
OF_THE_RACK_ALONE = frozenset(
    ("name", "group_id", "power_budget_w", "max_weight_kg", "feeds_w", "tags", "fields", "is_collapsed", "is_locked")
)
"""Fields of a rack that say nothing of where its cables lead."""


@dataclass(slots=True)
class Touched:
    """Ids of parts of a design, also of those that an edit removed, and the tables that it changed."""

    tables: set[str] = field(default_factory=set)
    devices: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)
    racks: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    """What was only moved on the canvas, which no rule reads: a fix may be about where it stood."""
    is_everything: bool = False
    """Whether the edit changes what all is checked by: settings, types, trays."""

    @property
    def parts(self) -> set[str]:
        """All of them."""
        return self.devices | self.links | self.racks | self.groups


def touched_by(design: Design, edit: Edit) -> Touched:
    """What an edit touches of the design, to which it was applied."""
    return _Reader(design).read(edit)


class _Reader:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._touched = Touched()

    def read(self, edit: Edit) -> Touched:
        touched = self._touched
        touched.moved.update([place.id for change in edit.moves if (place := change.after) is not None])
        for change in edit.others:
            table = TABLE_OF[type(change.subject)]
            if table not in READABLE:
                continue
            touched.tables.add(table)
            if _is_of_everything(change):
                touched.is_everything = True
                return touched
            for entity in (change.before, change.after):
                if entity is not None:
                    self._note(entity, change)
        for device_id in touched.devices:
            placement = self._design.placements.get(device_id)
            if placement is not None and placement.rack_id is not None:
                touched.racks.add(placement.rack_id)
        return touched

    def _note(self, entity: Entity, change: Change) -> None:
        touched = self._touched
        if isinstance(entity, Link):
            touched.links.add(entity.id)
            for end in (entity.a, entity.b):
                touched.devices.add(end.device_id)
                touched.links |= self._in_cage(end)
        elif isinstance(entity, Module):
            self._ports_of(entity.device_id)
        elif isinstance(entity, Device):
            touched.devices.add(entity.id)
            touched.groups |= _real(entity.group_id)
            if _differs(change, OF_THE_DEVICE_ALONE):
                self._ports_of(entity.id)
        elif isinstance(entity, Placement):
            touched.racks |= _real(entity.rack_id)
            touched.devices.add(entity.id)
            touched.links |= self._links_of(entity.id)
        elif isinstance(entity, Rack):
            touched.racks.add(entity.id)
            touched.groups |= _real(entity.group_id)
            if _differs(change, OF_THE_RACK_ALONE):
                for device_id in self._design.mounted(entity.id):
                    touched.links |= self._links_of(device_id)
        elif isinstance(entity, Group):
            touched.groups |= {entity.id} | _real(entity.parent_id)

    def _ports_of(self, device_id: str) -> None:
        """The ports of a device may be others now: so may those its links lead to, and what shares cables with them."""
        touched = self._touched
        touched.devices.add(device_id)
        for link_id in self._links_of(device_id):
            link = self._design.links[link_id]
            touched.links.add(link_id)
            for end in (link.a, link.b):
                touched.devices.add(end.device_id)
                touched.links |= self._in_cage(end)

    def _links_of(self, device_id: str) -> set[str]:
        return {one for ids in self._design.used_ports(device_id).values() for one in ids}

    def _in_cage(self, end: End) -> set[str]:
        """The links on the cage of a port; those on ports that do not exist count as on one."""
        if end.device_id not in self._design.devices:
            return set()
        ports = self._design.port_map(end.device_id)
        port, used = ports.get(end.port), self._design.used_ports(end.device_id)
        if port is not None and port.ports_per_cage == 1:
            return set(used.get(end.port, ()))
        cage = port.cage if port is not None else 0
        return {one for name, ids in used.items() if (ports[name].cage if name in ports else 0) == cage for one in ids}


def _is_of_everything(change: Change) -> bool:
    subject, is_changed = change.subject, change.before is not None and change.after is not None
    if isinstance(subject, Settings):
        return True
    if isinstance(subject, Fixture):
        return any(isinstance(one, Fixture) and one.kind == TRAY for one in (change.before, change.after))
    # Nothing is of a type that comes or goes but what comes or goes with it.
    return TABLE_OF[type(subject)] == "types" and is_changed


def _differs(change: Change, aside: Set[str]) -> bool:
    """Whether something comes, goes, or changes in other fields than these."""
    before, after = change.before, change.after
    if before is None or after is None:
        return True
    names = (field.name for field in fields(after) if field.name not in aside)
    return any(getattr(before, name) != getattr(after, name) for name in names)


def _real(one: str | None) -> set[str]:
    return set() if one is None else {one}


class Near:
    """Whether a part is next to what an edit touches: what is found there stays, but its words or its fix may not."""

    def __init__(self, design: Design, touched: Touched) -> None:
        self._design, self._touched = design, touched

    @cached_property
    def _devices(self) -> set[str]:
        found = set(self._touched.devices)
        for rack_id in self._touched.racks:
            found.update(self._design.mounted(rack_id))
        for device_id in self._touched.devices:
            found.update(self._across(device_id))
        return found

    def _across(self, device_id: str) -> Iterator[str]:
        links = self._design.links
        for ids in self._design.used_ports(device_id).values():
            for one in ids:
                yield links[one].a.device_id
                yield links[one].b.device_id

    def __contains__(self, part: str) -> bool:
        link = self._design.links.get(part)
        if link is None:
            return part in self._devices
        return link.a.device_id in self._devices or link.b.device_id in self._devices
