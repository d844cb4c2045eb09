"""The logical ports of a switch in its modes, and those by which it is managed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.model.hardware.cages import CageGroup, PortMode
from designer.model.hardware.chassis import Cards
from designer.model.hardware.ports import MANAGEMENT, Port
from designer.model.hardware.switches import SwitchType


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
            yield _Section(group, type_.modes, mode_name, type_.protocols, group.slot)
        return
    held = dict(cards)
    for slot in type_.slots:
        card = held.get(slot.name)
        if card is not None:
            for group in card.cages:
                yield _Section(group, card.modes, card_modes.get(slot.name) or mode_name, card.protocols, slot.name)


def switch_ports(
    type_: SwitchType,
    mode_name: str = "",
    cage_modes: tuple[tuple[int, str], ...] = (),
    cards: Cards | None = None,
    card_modes: tuple[tuple[str, str], ...] = (),
) -> tuple[Port, ...]:
    """The logical ports of a switch in the named mode; `card_modes` override it by slot, `cage_modes` cage by cage.

    Of a chassis they are the ports of the given cards, slot by slot; of those it is delivered with where none are
    given. A mode that the type or card does not have counts as the delivered one (validation reports it).
    """
    overrides = dict(cage_modes)
    ports: list[Port] = []
    sockets: dict[str, int] = {}
    cage = 0
    for section in _sections(type_, mode_name, cards, dict(card_modes)):
        group, modes = section.group, {mode.name: mode for mode in section.modes}
        for _ in range(group.count):
            cage += 1
            mode = modes.get(overrides.get(cage, section.wanted), section.modes[0])
            socket = sockets[section.slot] = sockets.get(section.slot, 0) + 1
            for lane in range(1, mode.ports_per_cage + 1):
                name = mode.port_name.format(
                    cage=cage, lane=lane, lane0=lane - 1, port=len(ports) + 1, slot=section.slot, socket=socket
                )
                ports.append(
                    Port(
                        name,
                        mode.rate_gbps,
                        group.form_factor,
                        group.heat_sink,
                        cage,
                        lane,
                        mode.ports_per_cage,
                        mode.protocols or section.protocols,
                        slot=section.slot if type_.slots else "",
                        max_module_w=group.max_module_w,
                        type_id=type_.id,
                    )
                )
    return tuple(ports)


def management_ports(type_: SwitchType, n_cages: int) -> tuple[Port, ...]:
    """The ports by which a switch is managed, each counted as a cage of its own after the `n_cages` it has."""
    return tuple(
        Port(one.name, one.rate_gbps, one.form_factor, "", n_cages + number, 1, 1, ("ethernet",), MANAGEMENT)
        for number, one in enumerate(type_.management_ports, start=1)
    )
