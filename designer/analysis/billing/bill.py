"""The bill of materials of a design: its items with spares and prices, the totals, and what is not known."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.analysis.billing.items import items
from designer.analysis.billing.lines import Priced, priced
from designer.analysis.billing.prices import NO_PRICES, PriceList
from designer.analysis.billing.spares import SparesPolicy
from designer.analysis.optical_parts import parts_known
from designer.analysis.parts import Parts, link_parts
from designer.analysis.power import power
from designer.analysis.preliminary import preliminary
from designer.analysis.survey import Survey, survey
from designer.model.design import Design
from designer.model.hardware.types import HardwareType
from designer.model.networks import NETWORKS


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill(Priced):
    """What a design is bought as. `counts` are of all networks, `networks` of each that has links.

    They count what the lines order: a link without a selected cable is one cable, without fibers and transceivers.
    """

    counts: Parts
    networks: Mapping[str, Parts]
    preliminary: str = ""
    """Why it is not for purchase, as a sentence; "" where it is."""
    policy: SparesPolicy = ()


def bill_of(
    design: Design,
    types: Mapping[str, HardwareType],
    prices: PriceList = NO_PRICES,
    policy: SparesPolicy = (),
) -> Bill:
    """The bill of a design of any size. `types` are those that fibers and modules are found among."""
    return bill(survey(design), types, prices, policy)


def bill(
    surveyed: Survey, types: Mapping[str, HardwareType], prices: PriceList = NO_PRICES, policy: SparesPolicy = ()
) -> Bill:
    """The same of a design that was surveyed."""
    found = link_parts(surveyed)
    optical = parts_known(surveyed.design, types)
    made = priced(items(surveyed, found, optical), power(surveyed), prices, policy)
    return Bill(
        lines=made.lines,
        power=made.power,
        price_list=made.price_list,
        price_dates=made.price_dates,
        unused_prices=made.unused_prices,
        counts=found.counts(selected_only=True),
        networks={
            one: found.counts(one, selected_only=True)
            for one in NETWORKS
            if any(piece.network == one for piece in found.pieces)
        },
        preliminary=preliminary(surveyed.design, optical),
        policy=policy,
    )
