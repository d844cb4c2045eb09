"""A Design: tables of frozen records, changed by `apply` and by nothing else."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from designer.errors import EditError, UnknownEntityError
from designer.model.edit import Change, Edit
from designer.model.entities import (
    ID_PREFIX,
    SETTINGS_ID,
    TABLE_OF,
    UNTITLED,
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
    order_key,
)
from designer.model.fitted import fitted_ports
from designer.model.hardware import (
    Cards,
    HardwareType,
    LineCardType,
    NicType,
    Port,
    PortMode,
    ServerType,
    SwitchType,
)
from designer.model.limit_checks import check_limits
from designer.model.references import check_references

T = TypeVar("T")


class Design:
    """Devices, modules, links, racks, groups, placements, jobs and the types they are of.

    The tables are read-only views; `apply(edit)` is the only way in, all or nothing. A design keeps its references
    whole (no link to a missing device) but not its budgets: two links on a port is a finding, not an error.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._tables: dict[str, dict[str, Any]] = {name: {} for name in dict.fromkeys(TABLE_OF.values())}
        self._tables["settings"][SETTINGS_ID] = settings or Settings()
        self.revision = 0
        """Counts applied edits, undo included; results computed for an older revision are stale."""
        self._links_at: dict[str, dict[str, tuple[str, ...]]] = {}
        self._modules_of: dict[str, dict[str, None]] = {}
        self._members: dict[str, dict[str, None]] = {}
        self._mounted: dict[str, dict[str, None]] = {}
        self._ports_cache: dict[object, tuple[Port, ...]] = {}
        self._port_maps: dict[object, dict[str, Port]] = {}
        self._next_number: dict[str, int] = {}
        self._own: set[tuple[str, str]] | None = None
        """Entries of the indexes that no snapshot shares, by index and key; None where there never was a snapshot."""
        self.file_stem = ""
        """What its file is called, without the suffix; "" while it has none. No part of the design: see `name`."""

    # -- tables ---------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        settings: Settings = self._tables["settings"][SETTINGS_ID]
        return settings

    @property
    def name(self) -> str:
        """The name it was given; until it is given one, that of its file."""
        given = self.settings.name
        return self.file_stem if given == UNTITLED and self.file_stem else given

    @property
    def types(self) -> Mapping[str, HardwareType]:
        return MappingProxyType(self._tables["types"])

    @property
    def devices(self) -> Mapping[str, Device]:
        return MappingProxyType(self._tables["devices"])

    @property
    def modules(self) -> Mapping[str, Module]:
        return MappingProxyType(self._tables["modules"])

    @property
    def links(self) -> Mapping[str, Link]:
        return MappingProxyType(self._tables["links"])

    @property
    def racks(self) -> Mapping[str, Rack]:
        return MappingProxyType(self._tables["racks"])

    @property
    def groups(self) -> Mapping[str, Group]:
        return MappingProxyType(self._tables["groups"])

    @property
    def placements(self) -> Mapping[str, Placement]:
        return MappingProxyType(self._tables["placements"])

    @property
    def jobs(self) -> Mapping[str, PlacedJob]:
        return MappingProxyType(self._tables["jobs"])

    def entities(self) -> Iterator[Entity]:
        """Every entity, table by table, in stable id order."""
        for table in self._tables.values():
            yield from ordered(table)

    def entity(self, entity_id: str) -> Entity | None:
        """What has that id: device, link, module, rack, group, job or type (placements share their subject's id)."""
        for name in ("devices", "links", "modules", "racks", "groups", "jobs", "types", "settings"):
            found: Entity | None = self._tables[name].get(entity_id)
            if found is not None:
                return found
        return None

    # -- questions ------------------------------------------------------------------------------------------------

    def device(self, device_id: str) -> Device:
        try:
            return self._tables["devices"][device_id]  # type: ignore[no-any-return]
        except KeyError:
            raise UnknownEntityError(f"there is no device with id {device_id!r}") from None

    def device_type(self, device_id: str) -> SwitchType | ServerType:
        type_: SwitchType | ServerType = self._tables["types"][self.device(device_id).type_id]
        return type_

    def is_switch(self, device_id: str) -> bool:
        return isinstance(self.device_type(device_id), SwitchType)

    def is_server(self, device_id: str) -> bool:
        return isinstance(self.device_type(device_id), ServerType)

    def switches(self) -> list[Device]:
        """All switches in design order."""
        return [device for device in ordered(self._tables["devices"]) if self.is_switch(device.id)]

    def servers(self) -> list[Device]:
        """All servers in design order: the order in which ranks are counted."""
        return [device for device in ordered(self._tables["devices"]) if self.is_server(device.id)]

    def count_by_type(self) -> dict[SwitchType | ServerType, int]:
        """How many devices there are of each type."""
        counts = Counter(device.type_id for device in self._tables["devices"].values())
        return {self._tables["types"][type_id]: count for type_id, count in counts.items()}

    def module_count(self, device_id: str) -> int:
        """How many NICs a server holds, or line cards a chassis."""
        return len(self._modules_of.get(device_id, ()))

    def nic_type(self, module_id: str) -> NicType:
        nic: NicType = self._tables["types"][self._tables["modules"][module_id].type_id]
        return nic

    def module_type(self, module_id: str) -> NicType | LineCardType:
        """The NIC or line card that a module is."""
        type_: NicType | LineCardType = self._tables["types"][self._tables["modules"][module_id].type_id]
        return type_

    def module_mode(self, module_id: str) -> PortMode:
        """The mode a module runs in: its own, else that of its chassis where it has that, else the delivered one."""
        module: Module = self._tables["modules"][module_id]
        type_ = self.module_type(module_id)
        if module.port_mode or isinstance(type_, NicType):
            return type_.mode(module.port_mode)
        return type_.mode(self.device(module.device_id).port_mode)

    def port_modes(self, device_id: str) -> tuple[PortMode, ...]:
        """The modes a switch has: those of its type, or of a chassis those of the cards it holds; none of a server."""
        type_ = self.device_type(device_id)
        if not isinstance(type_, SwitchType) or not type_.slots:
            return type_.modes if isinstance(type_, SwitchType) else ()
        return tuple({mode.name: mode for _, card in self.cards_of(device_id) for mode in card.modes}.values())

    def cage_count(self, device_id: str) -> int:
        """Cages of a switch, or of the cards that a chassis holds; 0 of a server."""
        type_ = self.device_type(device_id)
        if not isinstance(type_, SwitchType):
            return 0
        return sum(card.n_cages for _, card in self.cards_of(device_id)) if type_.slots else type_.n_cages

    def cards_of(self, device_id: str) -> Cards:
        """The line cards of a chassis, by slot."""
        types = self._tables["types"]
        held = ((module.slot, types[module.type_id]) for module in self.modules_of(device_id))
        return tuple((slot, card) for slot, card in held if isinstance(card, LineCardType))

    def modules_of(self, device_id: str) -> list[Module]:
        """NICs of a server, or line cards of a chassis, in stable order."""
        table = self._tables["modules"]
        return [table[module_id] for module_id in sorted(self._modules_of.get(device_id, ()), key=order_key)]

    def ports(self, device_id: str) -> tuple[Port, ...]:
        """The logical ports of a device in port order, as its type, mode and NICs make them."""
        key = self._port_key(device_id)
        found = self._ports_cache.get(key)
        if found is None:
            device, types = self.device(device_id), self._tables["types"]
            found = fitted_ports(device, types[device.type_id], self.modules_of(device_id), types)
            self._ports_cache[key] = found
        return found

    def port_map(self, device_id: str) -> Mapping[str, Port]:
        """The same ports by name."""
        key = self._port_key(device_id)
        found = self._port_maps.get(key)
        if found is None:
            found = self._port_maps[key] = {port.name: port for port in self.ports(device_id)}
        return found

    def port(self, end: End) -> Port | None:
        """The port at a link's end; None where the device has no port of that name."""
        return self.port_map(end.device_id).get(end.port)

    def links_at(self, end: End) -> tuple[str, ...]:
        """Ids of the links on a port: none when free, more than one only in a faulty design."""
        return self._links_at.get(end.device_id, {}).get(end.port, ())

    def links_of(self, device_id: str) -> list[Link]:
        """All links of a device in stable order, each once."""
        table = self._tables["links"]
        ids = {link_id for ids in self._links_at.get(device_id, {}).values() for link_id in ids}
        return [table[link_id] for link_id in sorted(ids, key=order_key)]

    def used_ports(self, device_id: str) -> Mapping[str, tuple[str, ...]]:
        """Names of the ports in use, each with its link ids."""
        return MappingProxyType(self._links_at.get(device_id, {}))

    def free_ports(self, device_id: str, purpose: str = "fabric") -> list[Port]:
        """Ports without a link that are not reserved, in port order."""
        used = self._links_at.get(device_id, {})
        reserved = self.device(device_id).reserved_ports
        taken = {*used, *reserved}
        return [port for port in self.ports(device_id) if port.name not in taken and port.purpose == purpose]

    def members(self, group_id: str) -> list[str]:
        """Ids of the devices, racks and groups that say they belong to a group, in stable order."""
        return sorted(self._members.get(group_id, ()), key=order_key)

    def mounted(self, rack_id: str) -> list[str]:
        """Ids of what stands in a rack, in stable order."""
        return sorted(self._mounted.get(rack_id, ()), key=order_key)

    def find(self, name: str) -> Device:
        """The device of that name (or id). Raises UnknownEntityError naming it."""
        for device in self._tables["devices"].values():
            if device.name == name:
                return device  # type: ignore[no-any-return]
        if name in self._tables["devices"]:
            return self.device(name)
        raise UnknownEntityError(f"no device is called {name!r}")

    def end_name(self, end: End) -> str:
        """How a message names a port: "leaf-07 port 12"."""
        return f"{self.device(end.device_id).name} port {end.port}"

    def new_ids(self, table: str, count: int) -> list[str]:
        """`count` ids that no entity of the table has, in ascending order."""
        prefix = ID_PREFIX[table]
        first = self._next_number.get(table, 1)
        return [f"{prefix}{number}" for number in range(first, first + count)]

    def snapshot(self) -> "Design":
        """An independent copy at the same revision, for a worker thread: records are shared, tables are not.

        Entries of the indexes are shared until one of the two changes them, which it does on a copy of its own.
        """
        copy = Design.__new__(Design)
        copy._tables = {name: dict(table) for name, table in self._tables.items()}
        copy.revision = self.revision
        copy._links_at = dict(self._links_at)
        copy._modules_of = dict(self._modules_of)
        copy._members = dict(self._members)
        copy._mounted = dict(self._mounted)
        copy._own, self._own = set(), set()
        copy._ports_cache = dict(self._ports_cache)
        copy._port_maps = dict(self._port_maps)
        copy._next_number = dict(self._next_number)
        copy.file_stem = self.file_stem
        return copy

    def adopt(self, made: "Design") -> None:
        """Become a snapshot of this design to which an edit was applied elsewhere; the snapshot is not used after."""
        for name in _STATE:
            setattr(self, name, getattr(made, name))

    # -- the only way in ------------------------------------------------------------------------------------------

    def apply(self, edit: Edit) -> None:
        """Perform an edit, or raise EditError with the design exactly as it was."""
        done: list[Change] = []
        try:
            for change in edit.changes:
                self._swap(change.before, change.after)
                done.append(change)
            check_references(self, self._tables, edit)
            check_limits(self, self._tables, edit)
        except BaseException:  # whatever goes wrong, half an edit must not stay
            for change in reversed(done):
                self._swap(change.after, change.before)
            raise
        self.revision += 1

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
        table = self._tables[name]
        if name == "settings" and entity.id != SETTINGS_ID:
            raise EditError(f"a design has one set of settings, not {entity.id[:100]!r} too")
        current = table.get(entity.id)
        if current is not before and current != before:
            what = "already exists" if before is None else "is not as the edit expects it"
            raise EditError(f"{name[:-1]} {entity.id!r} {what}")
        if before is not None:
            self._index(before, name, False)
        if after is not None:
            table[after.id] = after
            self._index(after, name, True)
        elif name == "settings":
            table[SETTINGS_ID] = before
            self._index(entity, name, True)
            raise EditError("the settings of a design cannot be removed")
        else:
            del table[entity.id]

    def _index(self, entity: Entity, table: str, present: bool) -> None:
        if isinstance(entity, Link):
            for end in (entity.a, entity.b):
                at = self._entry("_links_at", end.device_id)
                others = at.get(end.port, ())
                if present and not others:  # as almost always: a port has one link
                    at[end.port] = (entity.id,)
                    continue
                ids = tuple(i for i in others if i != entity.id)
                if present:
                    ids = tuple(sorted((*ids, entity.id), key=order_key))
                if ids:
                    at[end.port] = ids
                else:
                    at.pop(end.port, None)
                    if not at:
                        del self._links_at[end.device_id]
        elif isinstance(entity, Module):
            self._set_member("_modules_of", entity.device_id, entity.id, present)
        elif isinstance(entity, Placement):
            if entity.rack_id is not None:
                self._set_member("_mounted", entity.rack_id, entity.id, present)
        elif isinstance(entity, Device | Rack):
            if entity.group_id is not None:
                self._set_member("_members", entity.group_id, entity.id, present)
        elif isinstance(entity, Group):
            if entity.parent_id is not None:
                self._set_member("_members", entity.parent_id, entity.id, present)
        elif table == "types":
            self._ports_cache.clear()
            self._port_maps.clear()
        prefix = ID_PREFIX.get(table)
        digits = entity.id[1:]
        if present and entity.id[:1] == prefix and len(digits) < 19 and digits.isascii() and digits.isdecimal():
            number = int(digits)
            if number >= self._next_number.get(table, 1):
                self._next_number[table] = number + 1

    def _entry(self, index: str, key: str) -> dict[str, Any]:
        """What an index has under a key, made where there is nothing, ready to be changed."""
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

    def _port_key(self, device_id: str) -> object:
        device = self.device(device_id)
        modules = self._modules_of.get(device_id)
        if not modules:
            return (device.type_id, device.port_mode, device.cage_modes)
        table = self._tables["modules"]
        held = (table[m] for m in sorted(modules, key=order_key))
        held_modules = tuple((m.slot, m.type_id, m.port_mode) for m in held)
        return (device.type_id, device.port_mode, device.cage_modes, held_modules)


_STATE = tuple(name for name in vars(Design()) if name != "file_stem")


def ordered(table: Mapping[str, T]) -> list[T]:
    """The values of a table in stable id order: that of order_key, faster for many."""
    return [table[key] for key in sorted(sorted(table), key=len)]


def from_entities(entities: Iterable[Entity], settings: Settings | None = None) -> Design:
    """A new design that holds the given entities. Raises EditError naming the first dangling reference."""
    design = Design(settings)
    design.apply(Edit("Open", tuple(Change(None, entity) for entity in entities)))
    design.revision = 0
    return design
