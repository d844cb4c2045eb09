"""What a design looks up without walking through its tables: links at ports, modules, members, what is mounted."""

from collections.abc import Mapping
from typing import Any

from designer.model.entities import ID_PREFIX, Device, Entity, Group, Link, Module, Placement, Rack, order_key
from designer.model.waiver import Waiver

BELONGS_TO: dict[type, tuple[str, str]] = {
    Module: ("modules_of", "device_id"),
    Placement: ("mounted", "rack_id"),
    Device: ("members", "group_id"),
    Rack: ("members", "group_id"),
    Group: ("members", "parent_id"),
}
"""The index that lists records of a kind, and the field that says under which key."""


_INDEXES = ("links_at", "modules_of", "members", "mounted")
_TABLE_OF_PREFIX = {prefix: table for table, prefix in ID_PREFIX.items()}


class Indexes:
    """Follows the records of a design as they come and go."""

    def __init__(self) -> None:
        self.links_at: dict[str, dict[str, tuple[str, ...]]] = {}
        """Ids of links by device and port."""
        self.modules_of: dict[str, dict[str, None]] = {}
        self.members: dict[str, dict[str, None]] = {}
        self.mounted: dict[str, dict[str, None]] = {}
        self.next_number: dict[str, int] = {}
        """The least number by table that no id has had."""
        self._shared: set[str] = set()
        """Indexes that snapshots may share."""
        self._own: set[tuple[str, str]] | None = None
        """Entries of the others that no snapshot shares, by index and key; None where there never was a snapshot."""

    def snapshot(self) -> "Indexes":
        """An independent copy. What it holds is shared until one of the two changes it, on a copy of its own."""
        copy = Indexes()
        for index in _INDEXES:
            setattr(copy, index, getattr(self, index))
        copy.next_number = dict(self.next_number)
        copy._shared, self._shared = set(_INDEXES), set(_INDEXES)
        copy._own, self._own = set(), set()
        return copy

    def follow(self, entity: Entity, table: str, present: bool) -> None:
        """A record came into its table, or is about to go."""
        if isinstance(entity, Link):
            self._follow_link(entity, present)
        elif (place := BELONGS_TO.get(type(entity))) is not None:
            index, field = place
            key: str | None = getattr(entity, field)
            if key is not None:
                self._set_member(index, key, entity.id, present)
        if present:
            self._note_number(entity.id, table)
            if isinstance(entity, Waiver):
                self._note_named(entity)

    def count_ids(self, tables: Mapping[str, Mapping[str, Entity]]) -> None:
        """Count new ids from those that these records have."""
        self.next_number = {}
        for name, table in tables.items():
            for one in table:
                self._note_number(one, name)
        for waiver in tables["waivers"].values():
            if isinstance(waiver, Waiver):
                self._note_named(waiver)

    def _note_named(self, waiver: Waiver) -> None:
        """It must never come to be about something else."""
        for named in (*waiver.subjects, waiver.within):
            if named[:1] in _TABLE_OF_PREFIX:
                self._note_number(named, _TABLE_OF_PREFIX[named[:1]])

    def _follow_link(self, link: Link, present: bool) -> None:
        for end in (link.a, link.b):
            at = self._entry("links_at", end.device_id)
            others = at.get(end.port, ())
            if present and not others:  # as almost always: a port has one link
                at[end.port] = (link.id,)
                continue
            ids = tuple(i for i in others if i != link.id)
            if present:
                ids = tuple(sorted((*ids, link.id), key=order_key))
            if ids:
                at[end.port] = ids
            else:
                at.pop(end.port, None)
                if not at:
                    del self.links_at[end.device_id]

    def _note_number(self, entity_id: str, table: str) -> None:
        digits = entity_id[1:]
        if entity_id[:1] == ID_PREFIX.get(table) and len(digits) < 19 and digits.isascii() and digits.isdecimal():
            number = int(digits)
            if number >= self.next_number.get(table, 1):
                self.next_number[table] = number + 1

    def _entry(self, index: str, key: str) -> dict[str, Any]:
        """What an index has under a key, made where there is nothing, ready to be changed."""
        if index in self._shared:
            self._shared.remove(index)
            setattr(self, index, getattr(self, index).copy())
        entries: dict[str, dict[str, Any]] = getattr(self, index)
        entry = entries.get(key)
        if entry is None:
            entry = entries[key] = {}
        elif self._own is not None and (index, key) not in self._own:
            entry = entries[key] = entry.copy()
        if self._own is not None:
            self._own.add((index, key))
        return entry

    def _set_member(self, index: str, key: str, member: str, present: bool) -> None:
        members = self._entry(index, key)
        if present:
            members[member] = None
            return
        del members[member]
        if not members:
            del getattr(self, index)[key]
