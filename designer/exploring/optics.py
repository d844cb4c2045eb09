"""Which cables and optics a candidate may have, by the policy of its optics."""

from collections.abc import Mapping

from designer.catalog.catalog import Catalog
from designer.exploring.request import NO_AOC, NO_COPPER, PASSIVE, SIMPLEST, TRANSCEIVERS
from designer.model.hardware.media import MediumType
from designer.model.hardware.types import HardwareType

TRANSCEIVER = "transceiver"
_PASSIVE, _ACTIVE = ("DAC", "DAC splitter"), ("ACC", "ACC splitter", "AEC", "AEC splitter", "LACC", "LACC splitter")
_KINDS: Mapping[str, tuple[str, ...]] = {
    PASSIVE: (*_PASSIVE, TRANSCEIVER),
    NO_AOC: (*_PASSIVE, *_ACTIVE, TRANSCEIVER),
    NO_COPPER: ("AOC", "AOC splitter", TRANSCEIVER),
    TRANSCEIVERS: (TRANSCEIVER,),
}
"""The kinds of media that a policy allows, by its name; the simplest that reaches may be any."""


def allowed_types(catalog: Catalog, optics: str) -> Mapping[str, HardwareType]:
    """The catalog's types without the cables that the policy rules out."""
    if optics == SIMPLEST:
        return catalog.types
    kinds = _KINDS[optics]
    return {
        type_id: type_
        for type_id, type_ in catalog.types.items()
        if not isinstance(type_, MediumType) or type_.kind in kinds
    }


def most_links_of_a_cable(catalog: Catalog, optics: str) -> int:
    """How many links one cable joins at most, whatever the cages."""
    media = (type_ for type_ in allowed_types(catalog, optics).values() if isinstance(type_, MediumType))
    return max((one.links for one in media if one.kind != TRANSCEIVER), default=1)
