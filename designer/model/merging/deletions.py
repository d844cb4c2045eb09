"""What one side deleted and the other one changed or newly uses: a conflict for each set of things that go together."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from designer.model.annotation import Annotation
from designer.model.entities import Device, Group, PlacedJob, Placement, Rack
from designer.model.merging.conflicts import DELETED, Conflict
from designer.model.merging.references import Key, homes, kinds_of
from designer.model.merging.resolution import Resolution
from designer.model.merging.units import differing, is_changed, with_unit
from designer.model.merging.versions import SIDES, Side, key_order, other

_REFERRING = frozenset(("a", "device_id", "group_id", "parent_id", "rack_id", "servers", "pinned_to", "style_id"))
"""First fields of the units that refer to other records."""


def settle_deletions(merge: Resolution) -> None:
    """Decide what becomes of the deleted things that somebody still needs; none is left that is needed and missing."""
    for side in SIDES:
        _Deletions(merge, side).settle()
    _bring_kinds(merge)
    _drop_dangling(merge)


class _Deletions:
    """What one side, `by`, deleted of what the other side, `keeper`, has."""

    def __init__(self, merge: Resolution, by: Side) -> None:
        self._merge, self._by, self._keeper = merge, by, other(by)
        self._versions = merge.versions
        self._deleted = merge.versions.deleted(by)
        self._parent: dict[Key, Key] = {}
        self._touching: dict[Key, list[Key]] = {}
        """What the other side did, by one of the deleted things that it needs."""
        self._restored: dict[Key, None] = {}

    def settle(self) -> None:
        if not self._deleted:
            return
        self._find()
        clusters: dict[Key, list[Key]] = {}
        for key in sorted(self._parent, key=key_order):
            clusters.setdefault(self._root(key), []).append(key)
        for cluster in clusters.values():
            self._decide(cluster)
        if self._restored:
            self._restore_belongings()
            self._take_back()

    def _find(self) -> None:
        versions, keeper = self._versions, self._keeper
        for key in versions.changed[keeper]:
            record = versions.of(keeper, key)
            if record is None:
                continue
            if key in self._deleted:
                if is_changed(versions.before(key), record):
                    self._join(key, [key, *self._closure(key)])
            else:
                standing = self._merge.merged(key)
                if standing is not None:
                    wanted = (*versions.needed(keeper, standing), *homes(standing))
                    needed = [one for one in wanted if one in self._deleted]
                    if needed:
                        self._join(key, [*needed, *(up for one in needed for up in self._closure(one))])

    def _closure(self, key: Key) -> Iterator[Key]:
        """The deleted things that a deleted one needs."""
        record = self._versions.of(self._keeper, key)
        for one in (*self._versions.needed(self._keeper, record), *homes(record)):
            if one in self._deleted and one != key:
                yield one
                yield from self._closure(one)

    def _join(self, key: Key, needed: Iterable[Key]) -> None:
        first, *rest = needed
        self._parent.setdefault(first, first)
        self._touching.setdefault(first, []).append(key)
        for one in rest:
            self._parent.setdefault(one, one)
            self._parent[self._root(one)] = self._root(first)

    def _root(self, key: Key) -> Key:
        while self._parent[key] != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key

    def _decide(self, cluster: list[Key]) -> None:
        merge = self._merge
        touching = dict.fromkeys(one for key in cluster for one in self._touching.get(key, ()))
        keys = tuple(dict.fromkeys([_principal(cluster), *cluster, *touching]))
        table, one = keys[0]
        taken = merge.decide(Conflict(f"{table}/{one}/deleted", DELETED, keys, self._by, False, "", self._by))
        if taken == self._by:
            for key in cluster:
                merge.put(key, None)
            for key in touching:
                if key not in self._deleted:
                    self._do_without(key, frozenset(cluster))
            return
        # A link or module whose place the other side has given to something else cannot come back into it.
        kept = [key for key in cluster if key[0] not in ("links", "modules") or not merge.is_forced(key, self._by)]
        for key in kept:
            merge.put(key, self._versions.of(self._keeper, key))
        self._restored |= dict.fromkeys(kept)

    def _do_without(self, key: Key, missing: frozenset[Key]) -> None:
        """What the other side did, as far as it goes without the things that stay deleted."""
        merge = self._merge
        record, mine = merge.merged(key), self._versions.of(self._by, key)
        if record is None:
            return
        if mine is not None and type(mine) is type(record):
            for unit in list(differing(record, mine)):
                if unit.fields[0] in _REFERRING:
                    record = with_unit(record, unit, mine)
        if not missing.isdisjoint(self._versions.needed(self._keeper, record)):
            merge.put(key, None)
            return
        merge.put(key, _homeless(merge, record, missing))

    def _restore_belongings(self) -> None:
        """With a device come back its NICs, its place and its links to what is there."""
        merge, versions = self._merge, self._versions
        design = versions.design(self._keeper)
        for table, one in list(self._restored):
            belongings = [("placements", one)]
            if table == "devices":
                belongings += [("modules", module.id) for module in design.modules_of(one)]
                belongings += [("links", link.id) for link in design.links_of(one)]
            for key in belongings:
                record = versions.of(self._keeper, key)
                if key in self._deleted and record is not None and merge.merged(key) is None:
                    needed = versions.needed(self._keeper, record)
                    if all(merge.merged(need) is not None for need in needed):
                        merge.put(key, record)
                        self._restored[key] = None

    def _take_back(self) -> None:
        """What followed from deleting them on the side that did so: members, mounted devices and servers of jobs."""
        merge, versions = self._merge, self._versions
        for key in versions.changed[self._by]:
            record, before, kept = merge.merged(key), versions.before(key), versions.of(self._keeper, key)
            if record is None or before is None or kept is None or type(record) is not type(kept):
                continue
            lost = [*homes(before), *_pinned(before)]
            if not any(one in self._restored for one in lost):
                continue
            for unit in list(differing(record, kept)):
                if unit.fields[0] in _REFERRING and unit.of(kept) == unit.of(before):
                    record = with_unit(record, unit, kept)
            merge.put(key, record)


def _principal(cluster: list[Key]) -> Key:
    """What a person would name first: a device before its links, its rack and its group."""
    order = ("devices", "racks", "groups")
    return min(cluster, key=lambda key: (order.index(key[0]) if key[0] in order else len(order), key_order(key)))


def _pinned(record: Any) -> Iterator[Key]:
    if isinstance(record, Annotation) and record.pinned_to:
        yield "devices", record.pinned_to
        yield "links", record.pinned_to
        yield "racks", record.pinned_to


def _homeless(merge: Resolution, record: Any, missing: frozenset[Key]) -> Any:
    """The record where its group, rack or server is missing; None for a job without a server."""
    lost = [one for one in homes(record) if one in missing]
    if not lost:
        return record
    if isinstance(record, Placement):
        return replace(record, rack_id=None, unit=None, side="")
    if isinstance(record, PlacedJob):
        servers = tuple(one for one in record.servers if ("devices", one.device_id) not in missing)
        return replace(record, servers=servers) if servers else None
    outer = _outer(merge, lost[0], missing)
    if isinstance(record, Group):
        return replace(record, parent_id=outer)
    if isinstance(record, Device | Rack):
        return replace(record, group_id=outer)
    raise TypeError(f"{type(record).__name__} is in nothing")


def _outer(merge: Resolution, group: Key, missing: frozenset[Key]) -> str | None:
    """The nearest group around a missing one that is there."""
    seen = set[Key]()
    while group not in seen:
        seen.add(group)
        record = merge.any_version(group)
        if not isinstance(record, Group) or record.parent_id is None:
            return None
        group = ("groups", record.parent_id)
        if group not in missing and merge.merged(group) is not None:
            return record.parent_id
    return None


def _bring_kinds(merge: Resolution) -> None:
    """A type or style that somebody uses stays, whoever deleted it: nothing is lost by that."""
    for key in merge.touched():
        record = merge.merged(key)
        if record is None:
            continue
        for kind in kinds_of(record):
            if merge.merged(kind) is None and (found := merge.any_version(kind)) is not None:
                merge.put(kind, found)


def _drop_dangling(merge: Resolution) -> None:
    """What depends on something that was left out goes with it."""
    while True:
        found = False
        for key in merge.touched():
            record = merge.merged(key)
            if record is None:
                continue
            missing = frozenset(one for one in merge.needed(record) if merge.merged(one) is None)
            lost = frozenset(one for one in homes(record) if merge.merged(one) is None)
            if missing or lost:
                merge.put(key, None if missing else _homeless(merge, record, lost))
                found = True
        if not found:
            return
