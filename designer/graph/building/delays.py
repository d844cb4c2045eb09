"""Propagation delays of links."""

from collections.abc import Callable

from designer.graph.class_figures import CABLE, Unknown
from designer.model.design import Design
from designer.model.entities import Link
from designer.model.hardware.media import TWINAX_KINDS, MediumType

FIBRE_NS_PER_M = 5.0
COPPER_NS_PER_M = 4.5
# Cable makers' data sheets: at most 4.5 ns/m in DACs, 5 ns/m in fiber.
UNKNOWN_LENGTH = Unknown("length of a link", CABLE)


def delays(design: Design) -> Callable[[Link], tuple[float, bool]]:
    """A function from a link to (its propagation delay, whether its length is known); else that of its class.

    Of a link inside a node it is none.
    """
    rule_m = design.settings.default_cable_length_m
    media = [type_ for type_ in design.types.values() if isinstance(type_, MediumType)]
    ns_per_m = {
        type_.id: FIBRE_NS_PER_M if type_.fibre or type_.kind not in TWINAX_KINDS else COPPER_NS_PER_M
        for type_ in media
    }
    inside = {type_.id for type_ in media if type_.is_built_in and type_.comes_with == "node"}

    def delay_ns(link: Link) -> tuple[float, bool]:
        if link.medium_id in inside:
            return 0.0, True
        length_m = link.length_m if link.length_m is not None else rule_m
        used_m = CABLE.value if length_m is None else length_m
        return used_m * ns_per_m.get(link.medium_id, FIBRE_NS_PER_M), length_m is not None

    return delay_ns
