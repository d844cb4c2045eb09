"""Power: sums of what the catalog knows, and the names of what it does not."""

from dataclasses import dataclass

from designer.analysis.survey import Survey
from designer.model.hardware import DeviceType, ModuleType, ServerType
from designer.model.records import ordered


@dataclass(frozen=True, slots=True)
class Power:
    """Sums over devices; None when nothing is known. The ids name the types left out of a sum."""

    typical_w: float | None
    max_w: float | None
    unknown_typical: tuple[str, ...]
    unknown_max: tuple[str, ...]


def power(surveyed: Survey) -> Power:
    """Draw of all switches and servers, of line cards, and of NICs that did not come with their server.

    A server's figure includes the NICs it is stated with; a chassis's is that of the chassis without cards. Optics are
    not added.
    """
    counted = _counted(surveyed)
    typical = {id_: (type_.power_typical_w, count) for id_, (type_, count) in counted.items()}
    peak = {id_: (type_.power_max_w, count) for id_, (type_, count) in counted.items()}
    return Power(_sum(typical), _sum(peak), _unknown(typical), _unknown(peak))


def _counted(surveyed: Survey) -> dict[str, tuple[DeviceType | ModuleType, int]]:
    design = surveyed.design
    types: list[DeviceType | ModuleType] = [
        design.device_type(device.id) for device in (*design.switches(), *surveyed.servers)
    ]
    delivered = {
        type_.id: {slot.name: slot.nic_type_id or slot.network_nic_type_id for slot in type_.slots}
        for type_ in types
        if isinstance(type_, ServerType)
    }
    for module in ordered(design.modules):
        server_type_id = design.device(module.device_id).type_id
        if delivered.get(server_type_id, {}).get(module.slot) != module.type_id:
            types.append(design.module_type(module.id))
    counted: dict[str, tuple[DeviceType | ModuleType, int]] = {}
    for type_ in types:
        counted[type_.id] = type_, counted.get(type_.id, (type_, 0))[1] + 1
    return counted


def _sum(figures: dict[str, tuple[float | None, int]]) -> float | None:
    known = [watts * count for watts, count in figures.values() if watts is not None]
    return sum(known) if known else None


def _unknown(figures: dict[str, tuple[float | None, int]]) -> tuple[str, ...]:
    return tuple(sorted(type_id for type_id, (watts, _) in figures.items() if watts is None))
