"""The logical ports of a device: of a switch and its line cards, and of a server and its NICs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from designer.model.hardware.modules import LineCardType, NicType, nic_port_count
from designer.model.hardware.ports import MANAGEMENT, CageGroup, Port, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType

Cards = tuple[tuple[str, LineCardType], ...]
"""Line cards by slot."""


def with_delivered_cards(type_: SwitchType, types: Mapping[str, HardwareType]) -> SwitchType:
    """A chassis with the cages and modes of the line cards it is delivered with; cards not among the types are none."""
    cages: list[CageGroup] = []
    modes: dict[str, PortMode] = {}
    for slot in type_.slots:
        card = types.get(slot.card_type_id)
        if isinstance(card, LineCardType):
            cages += [replace(group, slot=slot.name, card=card.model) for group in card.cages]
            modes = {mode.name: mode for mode in card.modes} | modes
    return replace(type_, cages=tuple(cages), modes=tuple(modes.values())) if type_.slots else type_


@dataclass(frozen=True, slots=True)
class _Section:
    """A group of cages, whose modes they are, and the mode wanted of them."""

    group: CageGroup
    modes: tuple[PortMode, ...]
    wanted: str
    protocols: tuple[str, ...]
    slot: str
    """Of the chassis, as the names of ports hold it."""


def _sections(
    type_: SwitchType, mode_name: str, cards: Cards | None, card_modes: Mapping[str, str]
) -> Iterator[_Section]:
    if cards is None or not type_.slots:
        for group in type_.cages:
            wanted = "" if group.modes else mode_name
            yield _Section(group, group.modes or type_.modes, wanted, type_.protocols, group.slot)
        return
    held = dict(cards)
    for slot in type_.slots:
        card = held.get(slot.name)
        if card is not None:
            for group in card.cages:
                yield _Section(group, card.modes, card_modes.get(slot.name) or mode_name, card.protocols, slot.name)


@dataclass(frozen=True, slots=True)
class Cage:
    """A cage of a switch: its number from 1, the modes it can be in, and the one that it is in."""

    number: int
    group: CageGroup
    modes: tuple[PortMode, ...]
    mode: PortMode
    protocols: tuple[str, ...]
    slot: str
    """Of the chassis, as the names of ports hold it."""


def switch_cages(
    type_: SwitchType,
    mode_name: str = "",
    cage_modes: tuple[tuple[int, str], ...] = (),
    cards: Cards | None = None,
    card_modes: tuple[tuple[str, str], ...] = (),
) -> Iterator[Cage]:
    """The cages of a switch in order, each in its mode: the one place that says in which mode a cage is.

    `card_modes` override the named mode by slot, `cage_modes` cage by cage. Cages with modes of their own are in that
    of `cage_modes` or as delivered. A mode that a cage does not have counts as the delivered one (validation reports
    it).
    """
    overrides, number = dict(cage_modes), 0
    for section in _sections(type_, mode_name, cards, dict(card_modes)):
        modes = {mode.name: mode for mode in section.modes}
        for _ in range(section.group.count):
            number += 1
            mode = modes.get(overrides.get(number, section.wanted), section.modes[0])
            yield Cage(number, section.group, section.modes, mode, section.protocols, section.slot)


def switch_ports(
    type_: SwitchType,
    mode_name: str = "",
    cage_modes: tuple[tuple[int, str], ...] = (),
    cards: Cards | None = None,
    card_modes: tuple[tuple[str, str], ...] = (),
) -> tuple[Port, ...]:
    """The logical ports of a switch, whose cages are in the modes of `switch_cages`.

    Of a chassis they are the ports of the given cards, slot by slot; of those it is delivered with where none are
    given.
    """
    ports: list[Port] = []
    sockets: dict[str, int] = {}
    for cage in switch_cages(type_, mode_name, cage_modes, cards, card_modes):
        group, mode = cage.group, cage.mode
        socket = sockets[cage.slot] = sockets.get(cage.slot, 0) + 1
        for lane in range(1, mode.ports_per_cage + 1):
            name = mode.port_name.format(
                cage=cage.number, lane=lane, lane0=lane - 1, port=len(ports) + 1, slot=cage.slot, socket=socket
            )
            ports.append(
                Port(
                    name,
                    mode.rate_gbps,
                    group.form_factor,
                    group.heat_sink,
                    cage.number,
                    lane,
                    mode.ports_per_cage,
                    mode.protocols or cage.protocols,
                    slot=cage.slot if type_.slots else "",
                    max_module_w=group.max_module_w,
                    type_id=type_.id,
                )
            )
    return tuple(ports)


def shared_name(type_: SwitchType) -> str:
    """A name that ports of two cages have, "" for none.

    With all cages that the modes of the type are for in any of these, and the others as delivered or all that have it
    in any of their own.
    """
    own_cages = range(type_.n_mode_cages + 1, type_.n_cages + 1)
    own_names = dict.fromkeys(mode.name for group in type_.own_groups for mode in group.modes)
    settings = [(), *(tuple((cage, name) for cage in own_cages) for name in own_names)]
    for mode, cage_modes in product(type_.modes, settings):
        seen: set[str] = set()
        for port in switch_ports(type_, mode.name, cage_modes):
            if port.name in seen:
                return port.name
            seen.add(port.name)
    return ""


def management_ports(type_: SwitchType, n_cages: int) -> tuple[Port, ...]:
    """The ports by which a switch is managed, each counted as a cage of its own after the `n_cages` it has."""
    return tuple(
        Port(one.name, one.rate_gbps, one.form_factor, "", n_cages + number, 1, 1, ("ethernet",), MANAGEMENT)
        for number, one in enumerate(type_.management_ports, start=1)
    )


def server_ports(
    type_: ServerType, installed: tuple[tuple[str, NicType], ...], nic_modes: tuple[tuple[str, str], ...] = ()
) -> tuple[Port, ...]:
    """The logical ports of a server whose slots hold the given NICs, in slot order; `nic_modes` are modes by slot.

    A NIC with one port lends the port its slot's name; with several, they are "slot/1", "slot/2", ... as the mode
    names them. Slots without a mode, and modes the NIC does not have, count as the delivered mode.
    """
    nics, chosen = dict(installed), dict(nic_modes)
    shared: dict[int, int] = {}
    for slot in type_.slots:
        if slot.cage is not None and slot.name in nics:
            nic = nics[slot.name]
            shared[slot.cage] = shared.get(slot.cage, 0) + nic_port_count(nic, chosen.get(slot.name, ""))
    ports: list[Port] = []
    seen: dict[int, int] = {}
    next_cage = max((slot.cage or 0 for slot in type_.slots), default=0)
    for slot in type_.slots:
        found = nics.get(slot.name)
        if found is None:
            continue
        mode = found.mode(chosen.get(slot.name, ""))
        n_ports = found.n_ports(mode)
        form_factor = slot.form_factor or (found.form_factors[0] if found.form_factors else "")
        for number in range(n_ports):
            own_cage, lane0 = divmod(number, mode.ports_per_cage)
            if slot.cage is None:
                next_cage += lane0 == 0
                cage, lane, width = next_cage, lane0 + 1, mode.ports_per_cage
            else:
                cage = slot.cage
                seen[cage] = seen.get(cage, 0) + 1
                lane = seen[cage] if slot.lane is None else slot.lane + number
                width = shared[cage]
            name = mode.port_name.format(
                cage=own_cage + 1, lane=lane0 + 1, lane0=lane0, port=number + 1, slot=slot.name, socket=own_cage + 1
            )
            ports.append(
                Port(
                    slot.name if n_ports == 1 else f"{slot.name}/{name}",
                    mode.rate_gbps,
                    form_factor,
                    slot.heat_sink or found.heat_sink,
                    cage,
                    lane,
                    width,
                    mode.protocols or found.protocols,
                    slot.purpose_of_port(number),
                    slot.gpu,
                    slot.name,
                    label=slot.label if n_ports == 1 or not slot.label else f"{slot.label} P{number + 1}",
                    type_id=found.id,
                )
            )
    return tuple(ports)
