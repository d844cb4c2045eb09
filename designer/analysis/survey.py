"""A design read once for all analyses: tiers, roles, and every link seen from its lower end."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.analysis.tiers import role_names, tier_of
from designer.model.design import Design, ordered
from designer.model.entities import DRAGONFLY_GROUP, Device, End, Link, order_key
from designer.model.hardware import Port

UNKNOWN_TIER = 1_000
"""Sorts switches that no path joins to a server above all others."""


@dataclass(frozen=True, slots=True)
class Run:
    """A link from the end nearer to the servers (low) to the other (high).

    `capacity_gbps` is one direction, the slower port's rate; 0 where an end names a port that does not exist.
    `purpose` is the server port's ("fabric", "storage", ...); "fabric" between switches.
    """

    link: Link
    low: End
    high: End
    low_port: Port | None
    high_port: Port | None
    capacity_gbps: float
    purpose: str
    reserved: bool
    """Either end is a port kept free on purpose."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What the analyses read. Devices and runs stand in design order."""

    design: Design
    switches: tuple[Device, ...]
    servers: tuple[Device, ...]
    tier: dict[str, int]
    """Tier of each device by hops from the servers; a switch that no path joins to a server is left out."""
    role: dict[str, str]
    runs: tuple[Run, ...]

    def fabric_runs(self) -> Iterator[Run]:
        """The links that carry the compute fabric: both ports exist, no storage or management port."""
        return (run for run in self.runs if run.purpose == "fabric" and run.capacity_gbps > 0)


def link_kind(surveyed: Survey, run: Run) -> str:
    """What the field calls a link: by the roles at its ends, "server-leaf"; else "local", "global" or "torus".

    Between switches of dragonfly groups a link is local inside one and global between two; any other link between two
    routers is a torus's.
    """
    role, design = surveyed.role, surveyed.design
    low, high = run.low.device_id, run.high.device_id
    if role[low] != "server":
        groups = [design.groups.get(design.device(end).group_id or "") for end in (low, high)]
        if all(group is not None and group.kind == DRAGONFLY_GROUP for group in groups):
            return "local" if groups[0] == groups[1] else "global"
        if role[low] == role[high] == "router":
            return "torus"
    return f"{role[low]}-{role[high]}"


def survey(design: Design) -> Survey:
    """Everything the analyses need to know of a design, in one pass over its links."""
    tier = tier_of(design)
    switches, servers = tuple(design.switches()), tuple(design.servers())
    role = role_names(design, tier)
    runs = tuple(_run(design, link, tier) for link in ordered(design.links))
    return Survey(design, switches, servers, tier, role, runs)


def _run(design: Design, link: Link, tier: dict[str, int]) -> Run:
    low, high = link.a, link.b
    if _height(high, tier) < _height(low, tier):
        low, high = high, low
    low_port, high_port = design.port(low), design.port(high)
    capacity_gbps = min(low_port.rate_gbps, high_port.rate_gbps) if low_port and high_port else 0.0
    purposes = [port.purpose for port in (low_port, high_port) if port is not None and port.purpose != "fabric"]
    reserved = any(end.port in design.device(end.device_id).reserved_ports for end in (low, high))
    return Run(link, low, high, low_port, high_port, capacity_gbps, purposes[0] if purposes else "fabric", reserved)


def _height(end: End, tier: dict[str, int]) -> tuple[int, tuple[int, str]]:
    return tier.get(end.device_id, UNKNOWN_TIER), order_key(end.device_id)
