"""The records of a design by id, and which of them belong to which."""

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TypeVar

from designer.errors import UnknownEntityError
from designer.model.entities import Device, Entity, Module, in_order, order_key
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.record_tables import RecordTables
from designer.model.settings import Settings

T = TypeVar("T")


class Records(RecordTables):
    """Tables of devices, modules, links, racks, groups and the like, and what they say together."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._type_counts: Mapping[SwitchType | ServerType, int] | None = None
        """Remembered until a device or a type changes: views ask after every edit."""

    def entities(self) -> Iterator[Entity]:
        """Every entity, table by table, in stable id order."""
        for table in self._tables.values():
            yield from ordered(table)

    # -- questions ------------------------------------------------------------------------------------------------

    def device(self, device_id: str) -> Device:
        """The device of that id. Raises UnknownEntityError where there is none."""
        try:
            return self._tables["devices"][device_id]  # type: ignore[no-any-return]
        except KeyError:
            raise UnknownEntityError(f"there is no device with id {device_id!r}") from None

    def device_type(self, device_id: str) -> SwitchType | ServerType:
        """The switch or server type of a device. Raises UnknownEntityError where there is no such device."""
        type_: SwitchType | ServerType = self._tables["types"][self.device(device_id).type_id]
        return type_

    def is_switch(self, device_id: str) -> bool:
        """Whether the device is a switch. Raises UnknownEntityError where there is no such device."""
        return isinstance(self.device_type(device_id), SwitchType)

    def is_server(self, device_id: str) -> bool:
        """Whether the device is a server. Raises UnknownEntityError where there is no such device."""
        return isinstance(self.device_type(device_id), ServerType)

    def switches(self) -> list[Device]:
        """All switches in design order."""
        return self._of_types(SwitchType)

    def servers(self) -> list[Device]:
        """All servers in design order: the order in which ranks are counted."""
        return self._of_types(ServerType)

    def _of_types(self, kind: type[SwitchType] | type[ServerType]) -> list[Device]:
        chosen = {type_.id for type_ in self._tables["types"].values() if isinstance(type_, kind)}
        return [device for device in ordered(self._tables["devices"]) if device.type_id in chosen]

    def count_by_type(self) -> Mapping[SwitchType | ServerType, int]:
        """How many devices there are of each type."""
        if self._type_counts is None:
            counts = Counter(map(attrgetter("type_id"), self._tables["devices"].values()))
            types = self._tables["types"]
            self._type_counts = MappingProxyType({types[type_id]: count for type_id, count in counts.items()})
        return self._type_counts

    def find(self, name: str) -> Device:
        """The device of that name (or id). Raises UnknownEntityError naming it."""
        for device in self._tables["devices"].values():
            if device.name == name:
                return device  # type: ignore[no-any-return]
        if name in self._tables["devices"]:
            return self.device(name)
        raise UnknownEntityError(f"no device is called {name!r}")

    def nic_type(self, module_id: str) -> NicType:
        """The NIC type of a server's module. Raises KeyError for an id that no module has."""
        nic = self.module_type(module_id)
        assert isinstance(nic, NicType)  # as the slots of servers take them
        return nic

    def module_type(self, module_id: str) -> NicType | LineCardType:
        """The NIC or line card that a module is."""
        type_: NicType | LineCardType = self._tables["types"][self._tables["modules"][module_id].type_id]
        return type_

    def module_count(self, device_id: str) -> int:
        """How many NICs a server holds, or line cards a chassis."""
        return len(self._indexes.modules_of.get(device_id, ()))

    def modules_of(self, device_id: str) -> list[Module]:
        """NICs of a server, or line cards of a chassis, in stable order."""
        table = self._tables["modules"]
        held = self._indexes.modules_of.get(device_id, ())
        return [table[module_id] for module_id in (sorted(held, key=order_key) if len(held) > 1 else held)]

    def members(self, group_id: str) -> list[str]:
        """Ids of the devices, racks and groups that say they belong to a group, in stable order."""
        return sorted(self._indexes.members.get(group_id, ()), key=order_key)

    def mounted(self, rack_id: str) -> list[str]:
        """Ids of what stands in a rack, in stable order."""
        return sorted(self._indexes.mounted.get(rack_id, ()), key=order_key)


def ordered(table: Mapping[str, T]) -> list[T]:
    """The values of a table in stable id order: that of order_key, faster for many."""
    return [table[key] for key in in_order(table)]
