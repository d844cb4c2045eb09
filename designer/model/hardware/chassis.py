"""A chassis with the line cards in its slots."""

from collections.abc import Mapping
from dataclasses import replace

from designer.model.hardware.cages import CageGroup, PortMode
from designer.model.hardware.modules import LineCardType
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
