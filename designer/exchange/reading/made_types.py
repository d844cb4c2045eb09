"""Types made of what a file says, where the catalog has none: ports of the names and rates that are there."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from designer.catalog import generic
from designer.exchange.reading.port_fitting import Wanted
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.model.limits import SLOTS_MOST
from designer.model.naming import natural
from designer.model.networks import COMPUTE, PURPOSE_OF

_NUMBERED = re.compile(r"([^\d{}]*)(?P<cage>[1-9]\d{0,3})(?:([^\d{}]+)(?P<lane>\d{1,2}))?")
MOST_CAGES = 4096


@dataclass(frozen=True, slots=True)
class Made:
    """A type, and the types of its NICs."""

    type_: SwitchType | ServerType
    nics: tuple[NicType, ...] = ()

    @property
    def types(self) -> tuple[HardwareType, ...]:
        """All of them."""
        return (self.type_, *self.nics)


def made_switch(model: str, nodes: Iterable[Wanted], assumed_gbps: float) -> Made:
    """A switch with the ports that the nodes name; named by number where their names follow no rule."""
    rates: dict[str, float] = {}
    for wanted in nodes:
        for name, rate in wanted:
            if name not in rates or rate is not None:
                rates[name] = rate or rates.get(name) or assumed_gbps
    modes = _modes(rates)
    cages = max((cage for cage, _ in modes), default=0)
    if not modes or cages > MOST_CAGES:
        usual = Counter(rates.values()).most_common(1)[0][0] if rates else assumed_gbps
        return Made(generic.generic_switch(max(len(rates), 1), usual))
    made = tuple(mode for _, mode in modes)
    shape = f"{cages} x {'/'.join(mode.name for mode in made)}"
    return Made(
        SwitchType(
            id=_id("switch", model, shape, "".join(mode.port_name for mode in made)),
            vendor="",
            model=model or f"Switch {cages} x {made[0].rate_gbps * made[0].ports_per_cage:.10g}G",
            protocols=generic.PROTOCOLS,
            cages=(CageGroup(cages, ""),),
            modes=made,
            notes=("Made of the ports that an imported file names.",),
        )
    )


def _modes(rates: Mapping[str, float]) -> list[tuple[int, PortMode]]:
    """Modes whose names of ports are those of the file, with the highest cage of each; none where there is no rule."""
    of: dict[tuple[str, str, bool, float], list[tuple[int, int]]] = defaultdict(list)
    for name, rate in rates.items():
        found = _NUMBERED.fullmatch(name)
        if found is None:
            return []
        lane = found["lane"]
        of[found[1], found[3] or "", lane is not None, rate].append((int(found["cage"]), int(lane or 0)))
    if len({(prefix, between) for prefix, between, is_split, _ in of if is_split}) > 1:
        return []
    if len({prefix for prefix, *_ in of}) > 1:
        return []
    lowest = min((lane for key, places in of.items() if key[2] for _, lane in places), default=0)
    modes: list[tuple[int, PortMode]] = []
    for (prefix, between, is_split, rate), places in sorted(of.items(), key=lambda one: (one[0][2], -one[0][3])):
        per_cage = _lanes(max(lane for _, lane in places) - min(lowest, 1) + 1) if is_split else 1
        template = f"{prefix}{{cage}}" + (f"{between}{{lane0}}" if lowest == 0 else f"{between}{{lane}}") * is_split
        mode = PortMode(f"{per_cage} x {rate:.10g}G", per_cage, rate, template)
        modes.append((max(cage for cage, _ in places), mode))
    names = [mode.name for _, mode in modes]
    return modes if len(set(names)) == len(names) and len(modes) <= 8 else []


def _lanes(count: int) -> int:
    return next(one for one in (1, 2, 4, 8, 16, 32, 64, 128) if one >= count)


def made_server(model: str, nodes: Iterable[Wanted], networks: Mapping[str, str], assumed_gbps: float) -> Made:
    """A server with a slot for each port that the nodes name; `networks` are what these are for, by name."""
    rates: dict[str, float] = {}
    most = 1
    for wanted in nodes:
        most = max(most, len(wanted))
        for name, rate in wanted:
            if name not in rates or rate is not None:
                rates[name] = rate or rates.get(name) or assumed_gbps
    usual = Counter(rates.values()).most_common(1)[0][0] if rates else assumed_gbps
    if len(rates) > min(SLOTS_MOST, max(4 * most, 16)) or not rates:  # each node has names of its own: numbers do
        host, nic = generic.generic_host(usual, min(most, generic.MOST_NICS))
        return Made(host, (nic,))
    nics = {rate: generic.generic_nic(rate) for rate in sorted(set(rates.values()))}
    slots = tuple(
        Slot(
            name,
            gpu=0 if networks.get(name, COMPUTE) == COMPUTE else None,
            purpose=PURPOSE_OF[networks.get(name) or COMPUTE],
            nic_type_id=nics[rates[name]].id,
        )
        for name in sorted(rates, key=natural)
    )
    shape = _shape(rates.values())
    words = ";".join(f"{slot.name}={slot.purpose}={slot.nic_type_id}" for slot in slots)
    host = ServerType(
        id=_id("host", model, shape, words),
        vendor="",
        model=model or f"Host {shape}",
        gpus=1,
        slots=slots,
        notes=("Made of the ports that an imported file names.",),
    )
    return Made(host, tuple(nics.values()))


def _shape(rates: Iterable[float]) -> str:
    """ "8 x 400G and 2 x 100G"."""
    counted = sorted(Counter(rates).items(), reverse=True)
    return " and ".join(f"{count} x {rate:.10g}G" for rate, count in counted)


def _id(word: str, model: str, shape: str, words: str) -> str:
    """An id that the same ports get every time."""
    digest = hashlib.sha256(f"{model}|{shape}|{words}".encode()).hexdigest()[:8]
    stem = re.sub(r"[^a-z0-9]+", "-", (model or shape).casefold()).strip("-")[:60]
    return f"imported-{word}-{stem}-{digest}" if stem else f"imported-{word}-{digest}"


def signatures(nodes: Sequence[Wanted]) -> list[Wanted]:
    """The different ones, in order."""
    return list(dict.fromkeys(nodes))
