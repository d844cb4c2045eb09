"""What a candidate takes at least, by its counts alone: enough to leave out what cannot win before it is built."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from designer.analysis.billing.items import Item
from designer.analysis.power import power_w
from designer.catalog.catalog import Catalog
from designer.errors import DesignerError
from designer.exploring.candidates import Counted
from designer.exploring.optics import most_links_of_a_cable
from designer.exploring.request import Exploration
from designer.model.hardware import HardwareType, ServerType, SwitchType
from designer.simulation.scenario import Scenario
from designer.topologies.equipment import ServerKit, server_kits
from designer.topologies.parameters import LeafSpineParameters
from designer.units import BYTES_PER_S_PER_GBPS

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
    power_w: float
    cables: float
    gpus: int
    racks: int

    def of(self, name: str) -> float:
        """That of an objective by its name."""
        return {"time": self.time_s, "cost": self.cost, "power": self.power_w, "cables": self.cables}.get(
            name, -self.gpus if name == "gpus" else 0.0
        )


def bounds(counted: Counted, search: Exploration, catalog: Catalog) -> Bounds:
    """The bounds of a candidate.

    Time: every byte that leaves a server passes its NICs. Cost: servers and switches with a price. Power: servers and
    switches whose power is known.
    """
    counts = counted.counts
    parts = _parts(counted, catalog)
    n_links = sum(counts.links.values())
    return Bounds(
        _time_s(counted, search, catalog),
        sum(count * _price(type_, search) for type_, count in parts),
        sum(count * (power_w(type_)[1] or 0.0) for type_, count in parts),
        math.ceil(n_links / _links_of_a_cable(counted, parts, catalog)),
        counts.endpoints,
        counts.racks,
    )


def _parts(counted: Counted, catalog: Catalog) -> list[tuple[HardwareType, int]]:
    """Servers and switches with their numbers, as far as the parameters name them."""
    found: list[tuple[HardwareType, int]] = []
    stated = counted.parameters
    server = _type(getattr(stated, "server", ""), catalog)
    if isinstance(server, ServerType):
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


def _price(type_: HardwareType, search: Exploration) -> float:
    """What one costs by the price list; 0 where it has no price in the currency of the search."""
    item = Item("", 1, part_number=getattr(type_, "part_number", ""), model=type_.model, type_id=type_.id)
    found = search.prices.of(item)
    if found is None or found[1].currency != search.currency:
        return 0.0
    return float(found[1].amount * (1 - (found[1].discount or 0))) * ROUNDED


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
