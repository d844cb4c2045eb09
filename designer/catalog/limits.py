"""What a hardware type may hold at most: far above anything that is built, low enough that no file can do harm."""

import dataclasses
import re
import string
from collections.abc import Iterable, Iterator

from designer.model.hardware import HardwareType, NicType, PortMode, ServerType, SwitchType
from designer.model.naming import control_fault

PORTS_MOST = 100_000
NIC_PORTS_MOST = 1024
GPUS_MOST = 4096
SLOTS_MOST = 1024
TEXT_LONGEST = 10_000

MOST: dict[str, float] = {
    "count": PORTS_MOST, "ports_per_cage": 1024, "gpus": GPUS_MOST, "gpu": GPUS_MOST - 1, "ports": NIC_PORTS_MOST,
    "trays": GPUS_MOST, "units": 1000, "fibres": 1_000_000, "links": 1_000_000, "cage": 1_000_000,
    "rate_gbps": 1e7, "link_gbps": 1e7,
    "gbytes_per_s_per_gpu": 1e7, "gbytes_per_s_per_pair": 1e7,
}  # fmt: skip
"""By field; other figures may be as large as `FIGURE_MOST`."""
FIGURE_MOST = 1e12
UNLIKELY_ABOVE: dict[str, tuple[str, float, str]] = {
    "rack_units": ("height", 100, "U"), "units": ("height", 100, "U"), "weight_kg": ("weight", 10_000, "kg"),
    "power_typical_w": ("typical power", 1e6, "W"), "power_max_w": ("power", 1e6, "W"),
    "depth_mm": ("depth", 10_000, "mm"),
}  # fmt: skip
"""By field: its word, what the largest racks and machines stay below, and the unit."""
LONGEST = {"id": 200, "port_name": 100}

_WHOLE_FROM_ONE = frozenset({"count", "ports_per_cage", "ports", "units", "links", "gpus", "cage", "trays"})
_ABOVE_ZERO = frozenset({
    "rate_gbps", "gbytes_per_s_per_gpu", "gbytes_per_s_per_pair", "rack_units", "link_gbps", "max_length_m",
})  # fmt: skip
_TEMPLATE_FIELDS = {"cage", "lane", "lane0", "port", "slot", "socket"}
_TEMPLATE_WIDTH = re.compile(r"(0?[1-9][0-9]?d?)?")

Fault = tuple[str, str]
"""A field, as "cages[0].count", and what is wrong with it."""


def type_faults(type_: HardwareType) -> Iterator[Fault]:
    """Why a type could not be worked with: far too large, ports of one name, slots of one name."""
    if isinstance(type_, SwitchType):
        yield from _switch_faults(type_)
    elif isinstance(type_, ServerType):
        yield from _server_faults(type_)
    elif isinstance(type_, NicType) and type_.modes:
        yield from _nic_faults(type_)


def _switch_faults(type_: SwitchType) -> Iterator[Fault]:
    if not type_.modes:
        yield "modes", "a switch needs at least one port mode"
    yield from _repeated("modes", (mode.name for mode in type_.modes))
    n_cages = sum(group.count for group in type_.cages)
    yield from _mode_faults(type_.modes, n_cages, PORTS_MOST, type_.protocols)


def _nic_faults(type_: NicType) -> Iterator[Fault]:
    delivered = type_.modes[0]
    yield from _repeated("modes", (mode.name for mode in type_.modes))
    if type_.rate_gbps != delivered.rate_gbps or type_.ports % delivered.ports_per_cage:
        stated = f"{type_.ports} x {type_.rate_gbps:g} Gb/s are stated for the delivered mode"
        yield "modes[0]", f"{delivered.name} is {delivered.ports_per_cage} x {delivered.rate_gbps:g} Gb/s; {stated}"
    yield from _mode_faults(type_.modes, type_.n_cages, NIC_PORTS_MOST, type_.protocols)


def _mode_faults(
    modes: tuple[PortMode, ...], n_cages: int, most: int, protocols: tuple[str, ...]
) -> Iterator[Fault]:
    for index, mode in enumerate(modes):
        n_ports = n_cages * mode.ports_per_cage
        if n_ports > most:
            yield "modes", f"{mode.name} makes {n_ports:,} ports, the most is {most:,}"
        fault = _template_fault(mode, n_cages)
        if fault:
            yield f"modes[{index}].port_name", f"{mode.port_name!r} {fault}"
        for protocol in mode.protocols:
            if protocol not in protocols:
                yield f"modes[{index}].protocols", f"{protocol!r} is none of the protocols of the type"


def _template_fault(mode: PortMode, n_cages: int) -> str:
    """Why a template of port names does not do, "" where it is text with plain fields that tell the ports apart."""
    try:
        parts = list(string.Formatter().parse(mode.port_name))
    except ValueError:
        return "has an unmatched brace"
    used = set()
    for _, field, width, conversion in parts:
        if field is None:
            continue
        is_wide = width and field == "slot"  # a slot is text: "3", "FPC0"
        if field not in _TEMPLATE_FIELDS or conversion or is_wide or not _TEMPLATE_WIDTH.fullmatch(width or ""):
            return "may hold {cage}, {lane}, {lane0}, {port}, {slot} and {socket}, nothing else"
        used.add(field)
    names_lanes = mode.ports_per_cage == 1 or used & {"lane", "lane0", "port"}
    names_cages = n_cages <= 1 or used & {"cage", "port"} or used >= {"slot", "socket"}
    return "" if names_lanes and names_cages else "gives several ports one name"


def _server_faults(type_: ServerType) -> Iterator[Fault]:
    if len(type_.slots) > SLOTS_MOST:
        yield "slots", f"{len(type_.slots):,} slots, the most is {SLOTS_MOST:,}"
    yield from _repeated("slots", (slot.name for slot in type_.slots))
    for index, slot in enumerate(type_.slots):
        if slot.gpu is not None and slot.gpu >= type_.gpus:
            yield f"slots[{index}].gpu", f"{slot.gpu} is not one of {type_.gpus} GPUs counted from 0"


def unlikely_figures(type_: HardwareType) -> Iterator[Fault]:
    """Figures of a type that no hardware has, or that contradict each other: what a slip of the keyboard leaves."""
    for field, (word, most, unit) in UNLIKELY_ABOVE.items():
        value = getattr(type_, field, None)
        if value is not None and value > most:
            yield field, f"a {word} of {value:,.12g} {unit} is more than any hardware has: {most:,g} {unit} at most"
    typical, most_w = getattr(type_, "power_typical_w", None), getattr(type_, "power_max_w", None)
    if typical is not None and most_w is not None and typical > most_w:
        yield "power_typical_w", f"a typical power of {typical:,.12g} W is above the {most_w:,.12g} W it draws at most"
    if isinstance(type_, SwitchType) and type_.capacity_tbps is not None:
        n_cages = sum(group.count for group in type_.cages)
        ports_tbps = max(n_cages * mode.ports_per_cage * mode.rate_gbps for mode in type_.modes) / 1000
        # Some state both directions together; more than that is a slip.
        if not ports_tbps / 2 <= type_.capacity_tbps <= ports_tbps * 2:
            told = f"a capacity of {type_.capacity_tbps:,.12g} Tb/s does not go with its ports"
            yield "capacity_tbps", f"{told}, {ports_tbps:,.12g} Tb/s together"


def _repeated(field: str, names: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            yield f"{field}[{index}].name", f"{name!r} is used twice"
        seen.add(name)


def value_faults(value: object, place: str = "") -> Iterator[Fault]:
    """Figures that cannot be true and texts that cannot be shown, in a type and the records in it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from value_faults(getattr(value, field.name), f"{place}.{field.name}" if place else field.name)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from value_faults(item, f"{place}[{index}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if not _is_possible(value, _name(place)):
            yield place, f"{value} is not possible"
    elif isinstance(value, str):
        longest = LONGEST.get(_name(place), TEXT_LONGEST)
        if len(value) > longest:
            yield place, f"{len(value):,} characters, the most is {longest:,}"
        elif not place.startswith("notes") and (fault := control_fault(value)):
            yield place, fault


def _is_possible(value: float, name: str) -> bool:
    least = 1 if name in _WHOLE_FROM_ONE else 0
    return least <= value <= MOST.get(name, FIGURE_MOST) and not (name in _ABOVE_ZERO and value == 0)


def _name(place: str) -> str:
    return place.rsplit(".", 1)[-1].split("[")[0]
