"""What a candidate takes at least, by its counts alone: enough to leave out what cannot win before it is built."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from designer.analysis.billing.amounts import Amounts
from designer.analysis.billing.items import Item
from designer.analysis.billing.terms import MAXIMUM
from designer.analysis.power import power_w
from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.exploring.candidates import Counted
from designer.exploring.optics import most_links_of_a_cable
from designer.exploring.request import Exploration
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.hardware.types import HardwareType
from designer.simulation.scenario import Scenario
from designer.topologies.equipment import ServerKit, server_kits
from designer.topologies.parameters import LeafSpineParameters
from designer.units import BYTES_PER_S_PER_GBPS, energy_kwh

GENERIC_HOST = "generic-host"
ROLE_FIELDS = {
    "leaf": ("switch",),
    "spine": ("spine_switch", "switch"),
    "core": ("core_switch", "spine_switch", "switch"),
}
"""Which parameters name the switches of a role, the first that is set."""
ROUNDED = 1 - 1e-9
"""The bill rounds to cents: what one costs times their number may be a hair more."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Least figures that a candidate can have; 0 where the counts say nothing."""

    time_s: float
    cost: float
    total_cost: float
    """0 where the terms do not say what operation costs."""
    power_w: float
    cables: float
    gpus: int
    racks: int

    def of(self, name: str) -> float:
        """That of an objective by its name."""
        stated = {
            "time": self.time_s,
            "cost": self.cost,
            "total_cost": self.total_cost,
            "power": self.power_w,
            "cables": self.cables,
            "gpus": -self.gpus,
        }
        return stated.get(name, 0.0)


def bounds(counted: Counted, search: Exploration, catalog: Catalog) -> Bounds:
    """The bounds of a candidate.

    Time: every byte that leaves a server passes its NICs. Cost: servers and switches with a price. Power: servers and
    switches whose power is known.
    """
    counts = counted.counts
    parts = _parts(counted, catalog)
    n_links = sum(counts.links.values())
    price_of = _price_of(search)
    cost = sum(count * price_of(type_) for type_, count in parts)
    drawn = 1 if search.terms.draw == MAXIMUM else 0
    drawn_w = sum(count * (power_w(type_)[drawn] or 0.0) for type_, count in parts)
    return Bounds(
        _time_s(counted, search, catalog),
        cost,
        cost + _operation(search, drawn_w) if search.has_operation else 0.0,
        drawn_w,
        math.ceil(n_links / _links_of_a_cable(counted, parts, catalog)),
        counts.endpoints,
        counts.racks,
    )


def _parts(counted: Counted, catalog: Catalog) -> list[tuple[HardwareType, int]]:
    """Servers and switches with their numbers, as far as the parameters name them."""
    found: list[tuple[HardwareType, int]] = []
    stated = counted.parameters
    server = _type(getattr(stated, "server", ""), catalog)
    if isinstance(server, ServerType) and not getattr(stated, "kind_servers", ()):
        found.append((server, counted.counts.servers))
    if isinstance(stated, LeafSpineParameters):
        for role, count in counted.counts.switches.items():
            names = (getattr(stated, field, "") for field in ROLE_FIELDS.get(role, ()))
            type_ = _type(next(filter(None, names), ""), catalog)
            if isinstance(type_, SwitchType):
                found.append((type_, count))
    return found


def _links_of_a_cable(counted: Counted, parts: Sequence[tuple[HardwareType, int]], catalog: Catalog) -> int:
    """How many links one cable joins at most: as many as the widest cage at either of its ends has."""
    most = most_links_of_a_cable(catalog, counted.candidate.optics)
    if not isinstance(counted.parameters, LeafSpineParameters) or counted.parameters.server == GENERIC_HOST:
        return most
    cages = [mode.ports_per_cage for type_, _ in parts if isinstance(type_, SwitchType) for mode in type_.modes]
    cages += [port.ports_per_cage for kit in _kits(counted.parameters, catalog) for port in kit.ports]
    return min(most, max(cages, default=most))


def _type(type_id: str, catalog: Catalog) -> HardwareType | None:
    try:
        return catalog.get(type_id) if type_id else None
    except DesignerError:
        return None


def _price_of(search: Exploration) -> Callable[[HardwareType], float]:
    """What one of a type costs by the price lists and terms; 0 where it has no price in the currency of the search."""
    prices = search.terms.discounted(search.prices)

    def price(type_: HardwareType) -> float:
        item = Item("", 1, part_number=getattr(type_, "part_number", ""), model=type_.model, type_id=type_.id)
        found = prices.of(item)
        if found is None:
            return 0.0
        net = found[1].amount * (1 - (found[1].discount or 0))
        return _in_currency(Amounts(((found[1].currency, net),)), search) * ROUNDED

    return price


def _operation(search: Exploration, drawn_w: float) -> float:
    """What the energy of so much power costs with cooling over the years of the terms."""
    terms = search.terms
    if terms.energy_price is None or terms.pue is None:
        return 0.0
    kwh = energy_kwh(drawn_w * terms.load, terms.years)
    paid = terms.energy_price.amount * Decimal(repr(kwh * terms.pue))
    return _in_currency(Amounts(((terms.energy_price.currency, paid),)), search) * ROUNDED


def _in_currency(amounts: Amounts, search: Exploration) -> float:
    found = search.terms.converted(amounts)
    return float(dict(found.sums).get(search.currency, 0)) if found is not None else 0.0


def _time_s(counted: Counted, search: Exploration, catalog: Catalog) -> float:
    """The mean over the workloads of the time that their bytes take out of a server's NICs at line rate."""
    rate = _server_rate(counted, catalog)
    if rate <= 0:
        return 0.0
    n_servers, gpus = counted.counts.servers, counted.counts.endpoints
    total = sum(one.weight for one in search.workloads)
    times = (one.weight * _sent_bytes(one.run, n_servers, gpus) / rate for one in search.workloads)
    return sum(times) / total


def _server_rate(counted: Counted, catalog: Catalog) -> float:
    """Bytes per second out of a server, at most; 0 where the family does not say."""
    stated = counted.parameters
    if not isinstance(stated, LeafSpineParameters) or stated.server == GENERIC_HOST:
        return 0.0
    rates = (sum(port.rate_gbps for port in kit.ports) for kit in _kits(stated, catalog))
    return max(rates, default=0.0) * BYTES_PER_S_PER_GBPS


def _kits(stated: LeafSpineParameters, catalog: Catalog) -> list[ServerKit]:
    """A server in each way its NICs can run; none where it cannot be built."""
    try:
        return server_kits(catalog.get, stated.server, stated.nics_per_server, stated.nic_rate_gbps, stated.nic_mode)
    except DesignerError:
        return []


def _sent_bytes(run: object, n_servers: int, gpus: int) -> float:
    """Bytes that leave a server at least, of a collective of all GPUs; 0 for whatever is not known to need more."""
    if not isinstance(run, Scenario) or run.ranks is not None or n_servers < 2:
        return 0.0
    away = (n_servers - 1) / n_servers
    each = {
        "all-reduce": 1.0 if run.in_network_reduction or run.is_calibrated else 2.0 * away,
        "all-gather": away,
        "reduce-scatter": away,
        "all-to-all": away * gpus / n_servers,
    }
    return each.get(run.collective or "", 0.0) * run.size_bytes
