"""A design under other ids: every record, and everything that refers to it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from designer.model.annotation import Annotation
from designer.model.bookmark import Bookmark
from designer.model.design import Design, from_entities
from designer.model.entities import (
    TABLE_OF,
    Device,
    End,
    Entity,
    Group,
    Link,
    Module,
    PlacedJob,
    Placement,
    Rack,
    Settings,
)
from designer.model.waiver import Waiver

Ids = Mapping[str, Mapping[str, str]]
"""New ids by table and old id; what is not named keeps its own."""
_POINTED_AT = ("devices", "links", "modules", "racks", "groups", "annotations", "fixtures", "jobs")


def renumbered(design: Design, ids: Ids) -> Design:
    """The design with these new ids, which no two records of a table may share.

    Recipes name records by their old ids and are left out. Raises EditError where two records come to have one id.
    """
    wanted = _Renumbering(design, ids)
    records = (wanted.made(one) for one in design.entities() if not isinstance(one, Settings))
    made = from_entities(records, design.settings)
    made.file_stem = design.file_stem
    return made


class _Renumbering:
    def __init__(self, design: Design, ids: Ids) -> None:
        self._design, self._ids = design, ids
        self._devices = ids.get("devices", {})
        self._makers: Mapping[type, Callable[[Any, str], Entity]] = {
            Device: self._device,
            Rack: self._rack,
            Group: self._group,
            Module: self._module,
            Link: self._link,
            Placement: self._placement,
            PlacedJob: self._job,
            Annotation: self._annotation,
            Bookmark: self._bookmark,
            Waiver: self._waiver,
        }

    def made(self, entity: Entity) -> Entity:
        """The record under its new id, with what it refers to."""
        new = self._of(TABLE_OF[type(entity)], entity.id)
        maker = self._makers.get(type(entity))
        if maker is not None:
            return maker(entity, new)
        return entity if new == entity.id else replace(entity, id=new)

    def _of(self, table: str, one: str) -> str:
        return self._ids.get(table, {}).get(one, one)

    def _anywhere(self, one: str) -> str:
        """The new id of whatever has the id."""
        for table in _POINTED_AT:
            if one in self._design._tables[table]:
                return self._of(table, one)
        return one

    def _home(self, one: str | None) -> str | None:
        return None if one is None else self._of("groups", one)

    def _device(self, one: Device, new: str) -> Device:
        home = self._home(one.group_id)
        return one if new == one.id and home == one.group_id else replace(one, id=new, group_id=home)

    def _rack(self, one: Rack, new: str) -> Rack:
        return replace(one, id=new, group_id=self._home(one.group_id))

    def _group(self, one: Group, new: str) -> Group:
        return replace(one, id=new, parent_id=self._home(one.parent_id), recipe=None)

    def _module(self, one: Module, new: str) -> Module:
        device = self._devices.get(one.device_id, one.device_id)
        return one if new == one.id and device == one.device_id else replace(one, id=new, device_id=device)

    def _link(self, one: Link, new: str) -> Link:
        a, b = self._end(one.a), self._end(one.b)
        return one if new == one.id and a is one.a and b is one.b else replace(one, id=new, a=a, b=b)

    def _end(self, end: End) -> End:
        device = self._devices.get(end.device_id, end.device_id)
        return end if device == end.device_id else End(device, end.port)

    def _placement(self, one: Placement, _new: str) -> Placement:
        rack = None if one.rack_id is None else self._of("racks", one.rack_id)
        new = self._anywhere(one.id)
        return one if new == one.id and rack == one.rack_id else replace(one, id=new, rack_id=rack)

    def _job(self, one: PlacedJob, new: str) -> PlacedJob:
        servers = tuple(replace(at, device_id=self._of("devices", at.device_id)) for at in one.servers)
        return replace(one, id=new, servers=servers)

    def _annotation(self, one: Annotation, new: str) -> Annotation:
        style = self._of("annotation_styles", one.style_id)
        return replace(one, id=new, pinned_to=self._anywhere(one.pinned_to), style_id=style)

    def _bookmark(self, one: Bookmark, new: str) -> Bookmark:
        collapsed = tuple("/".join((self._anywhere(head), *rest)) for head, *rest in map(_parts, one.collapsed))
        return replace(one, id=new, collapsed=collapsed, failed=tuple(map(self._anywhere, one.failed)))

    def _waiver(self, one: Waiver, new: str) -> Waiver:
        within = self._anywhere(one.within) if one.within else ""
        return replace(one, id=new, subjects=tuple(map(self._anywhere, one.subjects)), within=within)


def _parts(text: str) -> list[str]:
    return text.split("/", 1)
