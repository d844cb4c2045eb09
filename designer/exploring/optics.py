"""Which cables and optics a candidate may have, by the policy of its optics."""

from collections.abc import Mapping

from designer.catalog.catalog import Catalog
from designer.exploring.request import NO_COPPER, SIMPLEST
from designer.model.hardware import HardwareType, MediumType

TRANSCEIVER = "transceiver"
_FIBRE_KINDS = ("AOC", "AOC splitter", TRANSCEIVER)


def allowed_types(catalog: Catalog, optics: str) -> Mapping[str, HardwareType]:
    """The catalog's types without the cables that the policy rules out."""
    if optics == SIMPLEST:
        return catalog.types
    return {
        type_id: type_
        for type_id, type_ in catalog.types.items()
        if not isinstance(type_, MediumType) or _is_allowed(type_, optics)
    }


def most_links_of_a_cable(catalog: Catalog, optics: str) -> int:
    """How many links one cable joins at most, whatever the cages."""
    media = (type_ for type_ in allowed_types(catalog, optics).values() if isinstance(type_, MediumType))
    return max((one.links for one in media if one.kind != TRANSCEIVER), default=1)


def _is_allowed(medium: MediumType, optics: str) -> bool:
    return medium.kind in _FIBRE_KINDS if optics == NO_COPPER else medium.kind == TRANSCEIVER
