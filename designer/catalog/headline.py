"""The one figure that says most about a hardware type, for lists that have room for one, and what it is found by."""

from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.ports import STORAGE_PURPOSE
from designer.model.hardware.racks import RackType
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.units import format_counted, format_rate


def headline(type_: HardwareType) -> str:
    """The one figure a row shows beside the model: "64 x 400G", "8 GPUs, 8 x 400G"."""
    if isinstance(type_, SwitchType | LineCardType):
        if not type_.modes:
            return f"{len(type_.slots)} slots" if isinstance(type_, SwitchType) else "no ports"
        return " + ".join(f"{count} × {format_rate(rate_gbps)}" for count, rate_gbps in delivered_ports(type_))
    if isinstance(type_, ServerType):
        if type_.is_storage:
            return format_counted(sum(STORAGE_PURPOSE in slot.purposes for slot in type_.slots), "storage NIC")
        if type_.is_host:
            return format_counted(len(type_.slots), "host port")
        return format_counted(type_.gpus, "GPU") if type_.gpus else "no GPU"
    if isinstance(type_, NicType):
        return " or ".join(f"{type_.n_ports(mode)} × {format_rate(mode.rate_gbps)}" for mode in type_.port_modes)
    if isinstance(type_, RackType):
        return f"{type_.units} U"
    return type_.kind


def delivered_ports(type_: SwitchType | LineCardType) -> tuple[tuple[int, float], ...]:
    """How many ports there are as delivered and their rate in Gb/s: of the type, then of cages with their own modes."""
    groups = type_.own_groups if isinstance(type_, SwitchType) else ()
    own = ((group.count * group.modes[0].ports_per_cage, group.modes[0].rate_gbps) for group in groups)
    return (type_.n_ports(type_.modes[0]), type_.modes[0].rate_gbps), *own


def search_text(type_: HardwareType) -> str:
    """What a search finds a type by, in small letters: vendor, kind, model, id, the figures of its modes, protocols."""
    protocols, shown = " ".join(getattr(type_, "protocols", ())), headline(type_)
    kind = _KIND_WORDS.get(type(type_), "")
    facts = f"{type_.vendor} {kind} {type_.model} {type_.id} {shown} {shown.replace(' × ', 'x')} {protocols}"
    return f"{facts} {_rates(type_)}".lower()


def _rates(type_: HardwareType) -> str:
    """The rates that ports of a switch or line card can have, the delivered one first."""
    modes = list(type_.modes) if isinstance(type_, SwitchType | LineCardType) else []
    modes += [mode for group in getattr(type_, "own_groups", ()) for mode in group.modes]
    return " ".join(dict.fromkeys(format_rate(mode.rate_gbps) for mode in modes))


_KIND_WORDS: dict[type, str] = {
    SwitchType: "switch switches",
    ServerType: "server servers",
    NicType: "NIC NICs",
    LineCardType: "line card line cards",
    RackType: "rack racks",
}
"""The words of the headings that types stand under."""
