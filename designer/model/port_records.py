"""The ports that the devices of a design have, as their types, modes and modules make them, and the links on them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from designer.model.entities import Device, End, Link, Module, order_key
from designer.model.fitted import fitted_ports
from designer.model.hardware.device_ports import Cards, management_ports
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.ports import MANAGEMENT, Port, PortMode
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.records import Records
from designer.model.settings import Settings

PortCount = tuple[int, int, int]
"""Ports of a device: used, all there are, reserved."""


class PortRecords(Records):
    """Records with their ports. Devices of the same type, mode and modules share one tuple of ports."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._ports_cache: dict[object, tuple[Port, ...]] = {}
        self._port_maps: dict[object, dict[str, Port]] = {}
        self._ports_of: dict[str, tuple[Port, ...]] = {}
        self._port_map_of: dict[str, dict[str, Port]] = {}
        """The same by device, until it or its modules change."""

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

    def ports(self, device_id: str) -> tuple[Port, ...]:
        """The logical ports of a device in port order, as its type, mode and NICs make them."""
        known = self._ports_of.get(device_id)
        if known is not None:
            return known
        key = self._port_key(device_id)
        found = self._ports_cache.get(key)
        if found is None:
            device, types = self.device(device_id), self._tables["types"]
            found = fitted_ports(device, types[device.type_id], self.modules_of(device_id), types)
            self._ports_cache[key] = found
        self._ports_of[device_id] = found
        return found

    def management_ports(self, device_id: str) -> tuple[Port, ...]:
        """The ports by which a switch is managed, none of which is in `ports`; () for a server."""
        type_ = self.device_type(device_id)
        if not isinstance(type_, SwitchType) or not type_.management_ports:
            return ()
        return management_ports(type_, self.cage_count(device_id))

    def port_map(self, device_id: str) -> Mapping[str, Port]:
        """Every port by name: `ports`, and those by which a switch is managed."""
        known = self._port_map_of.get(device_id)
        if known is not None:
            return known
        key = self._port_key(device_id)
        found = self._port_maps.get(key)
        if found is None:
            found = self._port_maps[key] = {port.name: port for port in self.ports(device_id)}
            for port in self.management_ports(device_id):
                found.setdefault(port.name, port)
        self._port_map_of[device_id] = found
        return found

    def port(self, end: End) -> Port | None:
        """The port at a link's end; None where the device has no port of that name."""
        return self.port_map(end.device_id).get(end.port)

    def links_at(self, end: End) -> tuple[str, ...]:
        """Ids of the links on a port: none when free, more than one only in a faulty design."""
        return self._indexes.links_at.get(end.device_id, {}).get(end.port, ())

    def links_of(self, device_id: str) -> list[Link]:
        """All links of a device in stable order, each once."""
        table = self._tables["links"]
        ids = {link_id for ids in self._indexes.links_at.get(device_id, {}).values() for link_id in ids}
        return [table[link_id] for link_id in sorted(ids, key=order_key)]

    def used_ports(self, device_id: str) -> Mapping[str, tuple[str, ...]]:
        """Names of the ports in use, each with its link ids."""
        return MappingProxyType(self._indexes.links_at.get(device_id, {}))

    def n_used_ports(self, device_id: str) -> int:
        """How many ports are in use, less those by which a switch is managed: to be read next to `ports`."""
        used = self._indexes.links_at.get(device_id, {})
        return len(used) - sum(port.name in used for port in self.management_ports(device_id))

    def port_counts(self, device_ids: Iterable[str]) -> list[PortCount]:
        """Of each device `n_used_ports`, the number of `ports`, and that of reserved ones: in one go for very many."""
        devices, types, links_at = self._tables["devices"], self._tables["types"], self._indexes.links_at
        managed = {one.id for one in types.values() if isinstance(one, SwitchType) and one.management_ports}
        ports_of, found = self._ports_of, list[PortCount]()
        for one in device_ids:
            device, ports = devices[one], ports_of.get(one)
            total = len(self.ports(one) if ports is None else ports)
            used = self.n_used_ports(one) if device.type_id in managed else len(links_at.get(one, ()))
            found.append((used, total, len(device.reserved_ports)))
        return found

    def n_free_ports(self, device_id: str) -> int:
        """How many of `ports`, whatever their purpose, are neither linked nor reserved: to be read next to `ports`."""
        taken = {*self._indexes.links_at.get(device_id, ()), *self.device(device_id).reserved_ports}
        return sum(port.name not in taken for port in self.ports(device_id))

    def free_ports(self, device_id: str, purpose: str = "fabric") -> list[Port]:
        """Ports without a link that are not reserved, in port order."""
        used = self._indexes.links_at.get(device_id, {})
        reserved = self.device(device_id).reserved_ports
        taken = {*used, *reserved}
        return [port for port in self.ports_for(device_id, purpose) if port.name not in taken]

    def ports_for(self, device_id: str, purpose: str) -> list[Port]:
        """The ports of a purpose, in port order."""
        every = self.ports(device_id)
        if purpose == MANAGEMENT:
            every = (*every, *self.management_ports(device_id))
        return [port for port in every if port.purpose == purpose]

    def end_name(self, end: End) -> str:
        """How a message names a port: "leaf-07 port 12"."""
        return f"{self.device(end.device_id).name} port {end.port}"

    def _forget_ports(self, *changed: object) -> None:
        """Looks up again the ports of devices that change, or whose modules do; of all where a type changes."""
        if any(isinstance(one, Device | HardwareType) for one in changed):
            self._type_counts = None
        for one in changed:
            if isinstance(one, Device | Module):
                device_id = one.id if isinstance(one, Device) else one.device_id
                self._ports_of.pop(device_id, None)
                self._port_map_of.pop(device_id, None)
            elif isinstance(one, HardwareType):
                for known in (self._ports_cache, self._port_maps, self._ports_of, self._port_map_of):
                    known.clear()

    def _port_key(self, device_id: str) -> object:
        device = self.device(device_id)
        modules = self._indexes.modules_of.get(device_id)
        if not modules:
            return (device.type_id, device.port_mode, device.cage_modes)
        table = self._tables["modules"]
        in_order = sorted(modules, key=order_key) if len(modules) > 1 else modules
        held = [table[one] for one in in_order]
        held_modules = tuple([(one.slot, one.type_id, one.port_mode) for one in held])
        return (device.type_id, device.port_mode, device.cage_modes, held_modules)
