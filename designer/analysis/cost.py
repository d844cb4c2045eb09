"""Cost: list prices added up, and which types have none. No price is ever guessed."""

from collections import Counter
from dataclasses import dataclass

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
    """Devices, line cards, NICs that a server is not delivered with, priced racks, and chosen cables of a design.

    A server's price is taken to include the NICs it is delivered with, a chassis's no line cards. Racks without a price
    and links without a cable count for nothing.
    """
    counts: Counter[str] = Counter(device.type_id for device in design.devices.values())
    for module in design.modules.values():
        server = design.device_type(module.device_id)
        delivered = {slot.name: slot.nic_type_id or slot.network_nic_type_id for slot in getattr(server, "slots", ())}
        if delivered.get(module.slot) != module.type_id:
            counts[module.type_id] += 1
    cables: Counter[str] = Counter(link.medium_id for link in design.links.values() if link.medium_id)
    known, unpriced = 0.0, []
    for type_id, count in counts.items():
        price = getattr(design.types[type_id], "price_usd", None)
        if price is None:
            unpriced.append((type_id, count))
        else:
            known += price * count
    for type_id, links in cables.items():
        medium = design.types.get(type_id)
        price = getattr(medium, "price_usd", None)
        pieces = -(-links // max(1, getattr(medium, "links", 1)))
        if price is None:
            unpriced.append((type_id, pieces))
        else:
            known += price * pieces
    return Cost(known, tuple(sorted(unpriced)))
