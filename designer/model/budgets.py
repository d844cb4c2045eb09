"""What is left of things for what is being dragged: ports for a line, slots for a module, rack units for a device."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.model.design import Design
from designer.model.equipping import empty_units, height, slot_mismatch, units_of
from designer.model.free_ports import FreePorts
from designer.model.hardware.modules import ModuleType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.matching import port_compatibility
from designer.units import format_rate

PORTS, SLOTS, UNITS = "", "slots", "U"


@dataclass(frozen=True, slots=True)
class Budget:
    """So many of so many are free; `fits` where that is enough for all that is dragged."""

    free: int
    total: int
    unit: str
    """PORTS, SLOTS or UNITS."""
    fits: bool
    rate_gbps: float | None = None
    """Of the ports, where all that match have one."""

    @property
    def text(self) -> str:
        """ "12 of 64 at 400G", "2 of 8 slots", "30 of 42 U", "no match"."""
        if not self.total:
            return "no match"
        unit = f" {self.unit}" if self.unit else ""
        rate = f" at {format_rate(self.rate_gbps)}" if self.rate_gbps is not None else ""
        return f"{self.free} of {self.total}{unit}{rate}"


class PortBudgets:
    """What devices have left for a line that is drawn from some devices, or from one port of one of them.

    Of a design that does not change meanwhile; like ports are compared once.
    """

    def __init__(self, design: Design, source_ids: Sequence[str], port: str = "") -> None:
        self._design, self._sources = design, tuple(source_ids)
        self._port = design.port_map(self._sources[0]).get(port) if port and self._sources else None
        self._free = FreePorts(design)
        self._known: dict[str, Budget] = {}

    def of(self, device_id: str) -> Budget | None:
        """The free ports of a device that the line could end at; None of one that it comes from, and of a rack."""
        if device_id in self._sources or device_id not in self._design.devices or not self._sources:
            return None
        found = self._known.get(device_id)
        if found is None:
            found = self._known[device_id] = self._counted(device_id)
        return found

    def _counted(self, device_id: str) -> Budget:
        design, port = self._design, self._port
        if port is None:
            ports = self._free.matching(device_id, self._sources)
        else:
            ports = [one for one in design.ports(device_id) if port_compatibility(port, one) is None]
        taken = {*design.used_ports(device_id), *design.device(device_id).reserved_ports}
        free = sum(one.name not in taken for one in ports)
        rates = {one.rate_gbps for one in ports}
        rate_gbps = rates.pop() if len(rates) == 1 else None
        return Budget(free, len(ports), PORTS, free >= len(self._sources), rate_gbps)


def slot_budget(design: Design, device_id: str, module_type: ModuleType, count: int = 1) -> Budget:
    """The slots of a device that take the module, and how many of them are free for `count` of it."""
    taken = {module.slot for module in design.modules_of(device_id)}
    fitting = [slot for slot in design.device_type(device_id).slots if slot_mismatch(slot, module_type) is None]
    free = sum(slot.name not in taken for slot in fitting)
    return Budget(free, len(fitting), SLOTS, free >= count)


def unit_budget(design: Design, rack_id: str, type_: SwitchType | ServerType, count: int = 1) -> Budget:
    """The free units of a rack; they are enough where so many devices of the type can stand in them."""
    units, top, free = height(type_), units_of(design, rack_id), empty_units(design, rack_id)
    places, run = 0, 0
    for unit in range(1, top + 1):
        run = run + 1 if unit in free else 0
        if run == units:
            places, run = places + 1, 0
    return Budget(len(free), top, UNITS, places >= count)
