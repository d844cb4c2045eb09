"""References between records: an edit that would leave one to nothing, or to the wrong kind of thing, is refused."""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.errors import EditError
from designer.model.annotation import Annotation, AnnotationStyle
from designer.model.bookmark import Bookmark
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF, Device, Entity, Group, Link, Module, PlacedJob, Placement, Rack, Revision
from designer.model.fixture import Fixture
from designer.model.hardware.media import MediumType
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.port_records import PortRecords
from designer.model.waiver import Waiver

Tables = Mapping[str, Mapping[str, Any]]

NEVER_REFERRED_TO = frozenset(
    (Link, Module, Placement, PlacedJob, Revision, Bookmark, AnnotationStyle, Fixture, Waiver)
)


def check_references(design: PortRecords, tables: Tables, edit: Edit) -> None:
    """Raises EditError where the edit, which the tables of the design hold already, leaves a reference broken."""
    for change in edit.others:  # what is only moved refers to what was there
        _check_change(design, tables, change)
    if tables["jobs"]:
        _check_jobs(design, tables, edit)


def _check_change(design: PortRecords, tables: Tables, change: Change) -> None:
    before, after = change.before, change.after
    if after is not None:
        current: Entity | None = tables[TABLE_OF[type(after)]].get(after.id)
        if current is after:
            _check_present(design, tables, after)
    elif before is not None and type(before) not in NEVER_REFERRED_TO:
        _check_unreferenced(design, tables, before)


def _check_present(design: PortRecords, tables: Tables, entity: Entity) -> None:
    if isinstance(entity, Link):
        _check_link(tables, entity)
    elif isinstance(entity, Device):
        _need(tables, "types", entity.type_id, f"device {entity.name!r}", (SwitchType, ServerType))
        _need(tables, "groups", entity.group_id, f"device {entity.name!r}")
        for module in design.modules_of(entity.id):
            _check_module(tables, module)
    elif isinstance(entity, Module):
        _check_module(tables, entity)
    elif isinstance(entity, Rack):
        _need(tables, "types", entity.type_id, f"rack {entity.name!r}", (RackType,))
        _need(tables, "groups", entity.group_id, f"rack {entity.name!r}")
    elif isinstance(entity, Group):
        _need(tables, "groups", entity.parent_id, f"group {entity.name!r}")
        _check_no_cycle(tables, entity)
    elif isinstance(entity, Placement):
        one = entity.id
        if one not in tables["devices"] and one not in tables["racks"] and one not in tables["annotations"]:
            raise EditError(f"placement {entity.id!r} places neither a device nor a rack nor an annotation")
        _need(tables, "racks", entity.rack_id, f"placement of {entity.id!r}")


def _check_jobs(design: PortRecords, tables: Tables, edit: Edit) -> None:
    """Jobs run on servers of the design: those that the edit brings, and all where it takes servers away."""
    came = {change.subject.id for change in edit.changes if isinstance(change.subject, PlacedJob)}
    suspect = {change.subject.id for change in edit.changes if isinstance(change.subject, Device)}
    for job in tables["jobs"].values():
        for one in job.servers:
            if job.id in came or one.device_id in suspect:
                _need(tables, "devices", one.device_id, f"job {job.name!r}")
                if not design.is_server(one.device_id):
                    name = design.device(one.device_id).name
                    raise EditError(f"job {job.name!r} runs on {name!r}, which is no server")


def _check_module(tables: Tables, module: Module) -> None:
    """NICs are in servers, line cards in switches."""
    _need(tables, "devices", module.device_id, f"module {module.id!r}")
    _need(tables, "types", module.type_id, f"module {module.id!r}", (NicType, LineCardType))
    device = tables["devices"][module.device_id]
    of = tables["types"].get(device.type_id)
    if isinstance(tables["types"][module.type_id], NicType):
        if not isinstance(of, ServerType):
            raise EditError(f"module {module.id!r} is a NIC in {device.name!r}, which is no server")
    elif not isinstance(of, SwitchType):
        raise EditError(f"module {module.id!r} is a line card in {device.name!r}, which is no switch")


def _check_link(tables: Tables, link: Link) -> None:
    devices = tables["devices"]
    if link.a.device_id not in devices or link.b.device_id not in devices:
        _need(tables, "devices", link.a.device_id, f"link {link.id!r}")
        _need(tables, "devices", link.b.device_id, f"link {link.id!r}")
    if link.medium_id:
        _need(tables, "types", link.medium_id, f"link {link.id!r}", (MediumType,))


def _need(tables: Tables, table: str, entity_id: str | None, who: str, kinds: tuple[type, ...] | None = None) -> None:
    if entity_id is None:
        return
    found = tables[table].get(entity_id)
    if found is None:
        raise EditError(f"{who} refers to {table[:-1]} {entity_id!r}, which is not in the design")
    if kinds is not None and not isinstance(found, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise EditError(f"{who} refers to {entity_id!r}, which is a {type(found).__name__}, not a {wanted}")


def _check_no_cycle(tables: Tables, group: Group) -> None:
    seen = {group.id}
    parent = group.parent_id
    while parent is not None:
        if parent in seen:
            raise EditError(f"group {group.name!r} would contain itself")
        seen.add(parent)
        above = tables["groups"].get(parent)
        parent = above.parent_id if above is not None else None


def _check_unreferenced(design: PortRecords, tables: Tables, entity: Entity) -> None:
    table = TABLE_OF[type(entity)]
    if type(tables[table].get(entity.id)) is type(entity):
        return
    if isinstance(entity, Annotation):
        _check_unplaced(tables, entity)
    elif isinstance(entity, Device):
        if design.used_ports(entity.id) or design.modules_of(entity.id) or entity.id in tables["placements"]:
            raise EditError(f"device {entity.name!r} still has links, modules or a placement")
    elif isinstance(entity, Rack):
        if design.mounted(entity.id) or entity.id in tables["placements"]:
            raise EditError(f"rack {entity.name!r} still holds devices or a placement")
    elif isinstance(entity, Group):
        if design.members(entity.id):
            raise EditError(f"group {entity.name!r} still has members")
    elif table == "types":
        for user in _type_users(tables):
            if entity.id in (getattr(user, "type_id", ""), getattr(user, "medium_id", "")):
                raise EditError(f"type {entity.id!r} is still in use by {user.id!r}")


def _check_unplaced(tables: Tables, annotation: Annotation) -> None:
    if annotation.id in tables["placements"]:
        raise EditError(f"annotation {annotation.id!r} still has a placement")


def _type_users(tables: Tables) -> Iterator[Entity]:
    for name in ("devices", "modules", "racks", "links"):
        yield from tables[name].values()
