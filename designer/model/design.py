"""A Design: tables of frozen records, changed by `apply` and by nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter, is_
from typing import Any

from designer.errors import EditError
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import ID_PREFIX, TABLE_OF, Entity
from designer.model.limit_checks import check_limits
from designer.model.port_records import PortRecords
from designer.model.references import check_references
from designer.model.settings import SETTINGS_ID, Settings


class Design(PortRecords):
    """Devices, modules, links, racks, groups, placements, jobs and the types they are of.

    The tables are read-only views; `apply(edit)` is the only way in, all or nothing. A design keeps its references
    whole (no link to a missing device) but not its budgets: two links on a port is a finding, not an error.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._shared_tables: set[str] = set()
        """Tables that snapshots may share."""
        self.revision = 0
        """Counts applied edits, undo included; results computed for an older revision are stale."""

    def new_ids(self, table: str, count: int) -> list[str]:
        """`count` ids that no entity of the table has, in ascending order."""
        prefix = ID_PREFIX[table]
        first = self._indexes.next_number.get(table, 1)
        return [f"{prefix}{number}" for number in range(first, first + count)]

    def snapshot(self) -> "Design":
        """An independent copy at the same revision, for a worker thread.

        Tables and entries of the indexes are shared until one of the two changes them, which it does on a copy of its
        own: a table that was asked for before stands as it was.
        """
        copy = Design.__new__(Design)
        copy._tables = dict(self._tables)
        copy._shared_tables, self._shared_tables = set(self._tables), set(self._tables)
        copy.revision = self.revision
        copy._indexes = self._indexes.snapshot()
        copy._ports_cache = dict(self._ports_cache)
        copy._port_maps = dict(self._port_maps)
        copy._ports_of, copy._port_map_of = {}, {}
        copy._type_counts = self._type_counts
        copy.file_stem = self.file_stem
        return copy

    def adopt(self, made: "Design") -> None:
        """Become a snapshot of this design to which an edit was applied elsewhere; the snapshot is not used after."""
        for name in _STATE:
            setattr(self, name, getattr(made, name))

    def arrange_tables(self, order: Mapping[str, Iterable[str]]) -> None:
        """Put the tables into the order of these ids, and count new ids as if nothing else had ever been there."""
        for name, ids in order.items():
            table = self._tables[name]
            self._tables[name] = {one: table[one] for one in ids}
        self._indexes.count_ids(self._tables)
        self._type_counts = None  # it stands in the order of the devices

    def apply(self, edit: Edit) -> None:
        """Perform an edit, or raise EditError with the design exactly as it was."""
        done: list[Change] = []
        try:
            if edit.others:
                self._change(edit.changes, done)
            else:
                self._move(edit.changes, done)
            check_references(self, self._tables, edit)
            check_limits(self, self._tables, edit)
        except BaseException:  # whatever goes wrong, half an edit must not stay
            for change in reversed(done):
                self._swap(change.after, change.before)
            raise
        self.revision += 1

    def holds(self, edit: Edit) -> bool:
        """Whether what an edit adds is there and what it removes is not, however it was changed since.

        Of an edit that does neither, whether what it changes is as it leaves it.
        """
        whole = [one for one in edit.changes if (one.before is None) != (one.after is None)]
        for change in whole or edit.changes:
            table = self._tables.get(TABLE_OF[type(change.subject)], {})
            now = table.get(change.subject.id)
            if (now is None) != (change.after is None) if whole else now != change.after:
                return False
        return True

    def _change(self, changes: Iterable[Change], done: list[Change]) -> None:
        for change in changes:
            if change.only_moves:
                self._move((change,), done)
            else:
                self._swap(change.before, change.after)
                done.append(change)

    def _move(self, changes: Sequence[Change], done: list[Change]) -> None:
        """Swap the records of what is only moved on the canvas: no index has it in another place after."""
        placements = self._own_table("placements")
        moved = {change.after.id: change.after for change in changes if change.after is not None}
        if len(moved) == len(changes) and all(map(is_, map(placements.get, moved), map(attrgetter("before"), changes))):
            placements.update(moved)  # at once: each change begins with the record that stands
            done += changes
            return
        for change in changes:
            before: Any = change.before
            after: Any = change.after
            current = placements.get(after.id)
            if current is not before and (before.id != after.id or current != before):
                self._swap(before, after)  # says what is wrong
            placements[after.id] = after
            done.append(change)

    def _own_table(self, name: str) -> dict[str, Any]:
        """A table, ready to be changed."""
        if name in self._shared_tables:
            self._shared_tables.remove(name)
            self._tables[name] = self._tables[name].copy()
        return self._tables[name]

    def _swap(self, before: Entity | None, after: Entity | None) -> None:
        entity = after if after is not None else before
        if entity is None:
            raise EditError("a change with neither a before nor an after does nothing")
        if before is not None and after is not None:
            if before.id != after.id:
                raise EditError(f"a change may not turn {before.id!r} into {after.id!r}")
            if type(before) is not type(after):
                raise EditError(f"a change may not turn {before.id!r} from one kind of thing into another")
        name = TABLE_OF[type(entity)]
        table = self._own_table(name)
        if name == "settings" and entity.id != SETTINGS_ID:
            raise EditError(f"a design has one set of settings, not {entity.id[:100]!r} too")
        if name in ("devices", "modules", "types"):
            self._forget_ports(before, after)
        current = table.get(entity.id)
        if current is not before and current != before:
            what = "already exists" if before is None else "is not as the edit expects it"
            raise EditError(f"{name[:-1]} {entity.id!r} {what}")
        if before is not None:
            self._indexes.follow(before, name, False)
        if after is not None:
            table[after.id] = after
            self._indexes.follow(after, name, True)
        elif name == "settings":
            table[SETTINGS_ID] = before
            self._indexes.follow(entity, name, True)
            raise EditError("the settings of a design cannot be removed")
        else:
            del table[entity.id]


_STATE = tuple(name for name in vars(Design()) if name != "file_stem")


def from_entities(entities: Iterable[Entity], settings: Settings | None = None) -> Design:
    """A new design that holds the given entities. Raises EditError naming the first dangling reference."""
    design = Design(settings)
    design.apply(Edit("Open", tuple(Change(None, entity) for entity in entities)))
    design.revision = 0
    return design


def from_entities_near(entities: Sequence[Entity], settings: Settings, near: Design) -> Design:
    """The same design as from_entities gives, for entities that are mostly those of another: the rest is checked.

    What is equal shares its records with the other design. Raises EditError as from_entities does.
    """
    edit, tables = _edit_to(entities, settings, near)
    if len(edit.changes) * 2 > len(entities):
        return from_entities(entities, settings)
    design = near.snapshot()
    try:
        design.apply(edit)
    except EditError:
        return from_entities(entities, settings)  # says what is wrong with the design, not with the edit
    design.arrange_tables(tables)
    design.revision, design.file_stem = 0, ""
    return design


def _edit_to(entities: Iterable[Entity], settings: Settings, near: Design) -> tuple[Edit, dict[str, dict[str, Entity]]]:
    """What makes the entities of a design, and the tables that they are in their order."""
    there = {name: getattr(near, name) for name in dict.fromkeys(TABLE_OF.values()) if name != "settings"}
    tables: dict[str, dict[str, Entity]] = {name: {} for name in there}
    new: list[Entity] = []
    old: list[Entity] = []
    changes: list[Change] = [] if near.settings == settings else [Change(near.settings, settings)]
    for entity in entities:
        name = TABLE_OF[type(entity)]
        before = there[name].get(entity.id)
        tables[name][entity.id] = entity
        if before is entity:
            continue
        if before is None:
            new.append(entity)
        elif type(before) is not type(entity):
            old.append(before)
            new.append(entity)
        elif before != entity:
            changes.append(Change(before, entity))
    for name, table in there.items():
        if table.keys() - tables[name].keys():
            old += (one for key, one in table.items() if key not in tables[name])
    return Edit("Open", (*removed(old), *changes, *added(new))), tables
