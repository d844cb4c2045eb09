"""The ports that a file names, found on the ports of a type: by name, by what is printed there, by number, in order."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from designer.model.hardware.device_ports import management_ports, server_ports, switch_ports
from designer.model.hardware.modules import NicType
from designer.model.hardware.ports import NVLINK, Port, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.naming import natural

Wanted = tuple[tuple[str, float | None], ...]
"""Ports as a file names them, each with the rate of its link where that is known."""

NAMES, NUMBERS, ORDER = "by name", "by number", "in order"
_DIGITS = re.compile(r"\d{1,6}")
_ADAPTER = re.compile(r"mlx[45]_(\d{1,4})(?:\D.*)?", re.IGNORECASE)
_RAIL = re.compile(r"rail[-_ ]?(\d{1,4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fit:
    """How the ports that a file names stand on a device of a type."""

    names: Mapping[str, str]
    """The port of the device by what the file calls it; without those that found none."""
    how: str
    """NAMES, NUMBERS or ORDER: the weakest that was needed."""
    port_mode: str = ""
    cage_modes: tuple[tuple[int, str], ...] = ()
    nics: tuple[tuple[str, str, str], ...] = ()
    """Slot, type and mode of each NIC of a server."""
    rates_gbps: Mapping[str, float] | None = None
    """Of the ports found, by what the file calls them."""


def names_of(type_: SwitchType | ServerType, types: Mapping[str, HardwareType]) -> frozenset[str]:
    """Every name that a port of a type can have in any mode, and what is printed at it, without regard to case."""
    if isinstance(type_, SwitchType):
        return _names_of_switch(type_)
    nics = (types.get(slot.nic_type_id or slot.network_nic_type_id) for slot in type_.slots)
    return _names_of_server(type_, tuple(nic if isinstance(nic, NicType) else None for nic in nics))


@lru_cache(maxsize=1024)
def _ports_by_mode(type_: SwitchType) -> Mapping[str, tuple[Port, ...]]:
    return {mode.name: switch_ports(type_, mode.name) for mode in type_.modes}


@lru_cache(maxsize=1024)
def _names_of_switch(type_: SwitchType) -> frozenset[str]:
    ports = [*management_ports(type_, 0), *(port for ports in _ports_by_mode(type_).values() for port in ports)]
    return frozenset(port.name.casefold() for port in ports)


@lru_cache(maxsize=1024)
def _names_of_server(type_: ServerType, nics: tuple[NicType | None, ...]) -> frozenset[str]:
    found: set[str] = set()
    for slot, nic in zip(type_.slots, nics, strict=True):
        for mode in nic.port_modes if nic is not None else ():
            assert nic is not None, "only a NIC has modes"
            for port in server_ports(type_, ((slot.name, nic),), ((slot.name, mode.name),)):
                found |= {port.name.casefold(), port.label.casefold()}
    return frozenset(found)


def fit_switch(type_: SwitchType, wanted: Wanted) -> Fit:
    """The ports on a switch; its modes are chosen so that they have the names and rates that the file states."""
    by_mode = _ports_by_mode(type_)
    managing = {port.name: port for port in management_ports(type_, type_.n_cages)}
    fabric = tuple(one for one in wanted if one[0] not in managing)
    base = _best_mode(type_.modes, by_mode, fabric)
    cage_modes = _cage_modes(type_.modes, by_mode, base, fabric) if base else ()
    ports = (switch_ports(type_, base, cage_modes) if cage_modes else by_mode[base]) if base else ()
    known = {port.name: port for port in ports} | managing
    names, how = _placed([name for name, _ in wanted], known, ports)
    rates = {found: known[name].rate_gbps for found, name in names.items()}
    delivered = type_.modes[0].name if type_.modes else ""
    return Fit(names, how, "" if base == delivered else base, cage_modes, (), rates)


def _best_mode(modes: Sequence[PortMode], by_mode: Mapping[str, Sequence[Port]], wanted: Wanted) -> str:
    """The mode that has most of the names at their rates, then most of the rates, then room; the delivered one else."""
    if not modes:
        return ""
    rates = Counter(rate for _, rate in wanted if rate is not None)

    def score(mode: PortMode) -> tuple[int, int, bool]:
        there = {port.name.casefold(): port.rate_gbps for port in by_mode[mode.name]}
        fitting = sum(name.casefold() in there and rate in (None, there[name.casefold()]) for name, rate in wanted)
        return fitting, rates[mode.rate_gbps], len(by_mode[mode.name]) >= len(wanted)

    return max(modes, key=score).name


def _cage_modes(
    modes: Sequence[PortMode], by_mode: Mapping[str, Sequence[Port]], base: str, wanted: Wanted
) -> tuple[tuple[int, str], ...]:
    """The cages whose names or rates another mode has, and that mode."""
    of_cage: dict[int, dict[str, float | None]] = defaultdict(dict)
    cage_of = {port.name: port.cage for ports in by_mode.values() for port in ports}
    for name, rate in wanted:
        if name in cage_of:
            of_cage[cage_of[name]][name] = rate
    held: dict[tuple[int, str], dict[str, float]] = defaultdict(dict)
    for mode in modes:
        for port in by_mode[mode.name]:
            held[port.cage, mode.name][port.name] = port.rate_gbps
    found = []
    ordered = sorted(modes, key=lambda mode: mode.name != base)
    for cage, names in sorted(of_cage.items()):
        with_names = [mode for mode in ordered if names.keys() <= held[cage, mode.name].keys()]
        at_rate = [
            mode
            for mode in with_names
            if all(rate in (None, held[cage, mode.name][name]) for name, rate in names.items())
        ]
        best = next(iter(at_rate or with_names), None)
        if best is not None and best.name != base:
            found.append((cage, best.name))
    return tuple(found)


def fit_server(type_: ServerType, wanted: Wanted, types: Mapping[str, HardwareType]) -> Fit:
    """The ports on a server with its delivered NICs, and with those of other networks as far as they are needed."""
    rates = dict(wanted)
    nics: dict[str, tuple[NicType, str]] = {}
    others: list[tuple[str, NicType]] = []
    for slot in type_.slots:
        delivered, nic = types.get(slot.nic_type_id), types.get(slot.network_nic_type_id)
        if isinstance(delivered, NicType):
            nics[slot.name] = delivered, _nic_mode(type_, slot.name, delivered, rates)
        elif isinstance(nic, NicType):
            mode = _nic_mode(type_, slot.name, nic, rates)
            if any(_is_called(port, rates) for port in server_ports(type_, ((slot.name, nic),), ((slot.name, mode),))):
                nics[slot.name] = nic, mode
            else:
                others.append((slot.name, nic))
    fit = _fit_nics(type_, wanted, nics)
    for slot_name, nic in others:
        if len(fit.names) == len(wanted):
            break
        nics[slot_name] = nic, ""
        fit = _fit_nics(type_, wanted, nics)
    return fit


def _fit_nics(type_: ServerType, wanted: Wanted, nics: Mapping[str, tuple[NicType, str]]) -> Fit:
    """The ports on a server that holds these NICs, each in its mode."""
    inside = tuple((slot.name, *nics[slot.name]) for slot in type_.slots if slot.name in nics)
    ports = server_ports(
        type_, tuple((slot, nic) for slot, nic, _ in inside), tuple((slot, mode) for slot, _, mode in inside)
    )
    known = {port.name: port for port in ports}
    names, how = _placed([name for name, _ in wanted], known, ports)
    rates = {found: known[name].rate_gbps for found, name in names.items()}
    return Fit(names, how, nics=tuple((slot, nic.id, mode) for slot, nic, mode in inside), rates_gbps=rates)


def _nic_mode(type_: ServerType, slot: str, nic: NicType, rates: Mapping[str, float | None]) -> str:
    """The mode of a NIC that has the names and rates that the file states; "" for the delivered one."""

    def score(mode: PortMode) -> int:
        ports = server_ports(type_, ((slot, nic),), ((slot, mode.name),))
        return sum(
            1 + (rates[one] == port.rate_gbps) for port in ports for one in (port.name, port.label) if one in rates
        )

    best = max(nic.port_modes, key=score)
    return "" if best == nic.port_modes[0] else best.name


def _is_called(port: Port, wanted: Mapping[str, float | None]) -> bool:
    return port.name in wanted or (bool(port.label) and port.label in wanted)


def _placed(wanted: Sequence[str], known: Mapping[str, Port], ports: Sequence[Port]) -> tuple[dict[str, str], str]:
    """Each wanted name with the port that it is, and the weakest way by which one was found."""
    exact = {port.label: name for name, port in known.items() if port.label}
    exact |= {name: name for name in known}
    folded = {name.casefold(): own for name, own in exact.items()}
    found: dict[str, str] = {}
    taken: set[str] = set()
    rest: list[str] = []
    for name in wanted:
        own = exact.get(name) or folded.get(name.casefold())
        if own is None or own in taken:
            rest.append(name)
        else:
            found[name] = own
            taken.add(own)
    if not rest:
        return found, NAMES
    numbered = _numbered(rest, ports, taken)
    if numbered is not None:
        return found | numbered, NUMBERS
    free = (port.name for port in sorted(ports, key=lambda port: port.purpose != "fabric") if port.name not in taken)
    in_order = zip(sorted(rest, key=natural), free, strict=False)
    return found | dict(in_order), ORDER


def _numbered(names: Sequence[str], ports: Sequence[Port], taken: Iterable[str]) -> dict[str, str] | None:
    """The names by the numbers in them; None where these are none that the ports have, or two are one."""
    fabric = [port.name for port in ports if port.purpose == "fabric" and port.protocols != (NVLINK,)]
    cages: dict[int, list[str]] = defaultdict(list)
    for port in ports:
        cages[port.cage].append(port.name)
    every = [port.name for port in ports]
    used, found = set(taken), dict[str, str]()
    zero = any(tuple(map(int, _DIGITS.findall(name)))[-1:] == (0,) for name in names)
    for name in names:
        own = _by_number(name, every, fabric, cages, zero=zero)
        if own is None or own in used:
            return None
        used.add(own)
        found[name] = own
    return found


def _by_number(
    name: str, every: Sequence[str], fabric: Sequence[str], cages: Mapping[int, Sequence[str]], *, zero: bool
) -> str | None:
    for pattern, places, first in ((_ADAPTER, every, 0), (_RAIL, fabric, 1)):
        if match := pattern.fullmatch(name):
            place = int(match[1]) - first
            return places[place] if 0 <= place < len(places) else None
    numbers = tuple(map(int, _DIGITS.findall(name)))
    if len(numbers) == 1:
        place = numbers[0] - (0 if zero else 1)
        return every[place] if 0 <= place < len(every) else None
    if len(numbers) >= 2:
        lanes, lane = cages.get(numbers[-2], ()), numbers[-1] - (0 if zero else 1)
        return lanes[lane] if 0 <= lane < len(lanes) else None
    return None
