"""Cost: list prices added up, and which types have none. No price is ever guessed."""

from collections import Counter
from dataclasses import dataclass

from designer.analysis.billing.items import items
from designer.analysis.billing.kinds import RACK
from designer.analysis.optical_parts import optical_parts
from designer.analysis.parts import link_parts
from designer.analysis.survey import Survey, survey
from designer.model.design import Design


@dataclass(frozen=True, slots=True)
class Cost:
    """`known_usd` is what the priced parts cost together; `unpriced` are ids of types without a price, with counts."""

    known_usd: float
    unpriced: tuple[tuple[str, int], ...]

    @property
    def total_usd(self) -> float | None:
        """The whole, where everything has a price; else None."""
        return None if self.unpriced else self.known_usd


def cost(design: Design) -> Cost:
    """What the items of the bill cost by the prices that the design's own types state.

    A server's price is taken to include the NICs it is delivered with, a chassis's no line cards. Racks without a price
    and links without a cable count for nothing.
    """
    return cost_of(survey(design))


def cost_of(surveyed: Survey) -> Cost:
    """The same of a design that was surveyed."""
    known, unpriced = 0.0, Counter[str]()
    optical = optical_parts(surveyed.design.types.values())
    for item in items(surveyed, link_parts(surveyed), optical):
        if item.price_usd is not None:
            known += item.price_usd * item.ordered_apart
        elif item.type_id and item.kind != RACK and item.ordered_apart:
            unpriced[item.type_id] += item.ordered_apart
    return Cost(known, tuple(sorted(unpriced.items())))
