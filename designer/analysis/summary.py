"""The summary of a design: everything `info` prints and the window shows at a glance."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from designer.analysis import oversubscription, power
from designer.analysis.bisection import Bisection, bisection_bandwidth
from designer.analysis.connectivity import components
from designer.analysis.cost import cost_of
from designer.analysis.diameter import diameter_hops
from designer.analysis.network_shape import NetworkShape
from designer.analysis.parts import Parts, link_parts
from designer.analysis.survey import UNKNOWN_TIER, Survey, link_kind, survey
from designer.model.design import Design
from designer.model.entities import Allocation, Device, PlacedJob
from designer.model.hardware.modules import LineCardType, NicType
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, NETWORKS, network_of_switch, networks_of
from designer.model.records import ordered
from designer.tables.columns import Column, Columns, keys, record

MOST_SEARCHED = 1000
"""Switches of a network whose diameter is looked for at a glance."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers about a design. None stands for what is not known or not defined, never for zero."""

    name: str
    servers: int
    endpoints: int
    nics: int
    switches: dict[str, int]
    """By role, lowest tier first."""
    racks: int
    links: dict[str, int]
    """By what the field calls them (survey.link_kind), "server-leaf" first."""
    parts: Parts
    """With links that have no cable selected as if built with optics."""
    parts_to_order: Parts
    """With each of these as one cable: as the bill counts."""
    oversubscription: dict[str, float]
    """Worst ratio of capacity down to up in each tier that has uplinks."""
    diameter_hops: int | None
    bisection: Bisection | None
    power: power.Power
    cost_usd: float | None
    components: int
    line_cards: dict[str, int]
    """How many there are of each type of line card, by its id."""
    networks: dict[str, "NetworkSummary"]
    """The networks other than compute that are there; all figures above but parts, power and cost are of compute."""
    jobs: tuple["JobSummary", ...]
    bookmarks: tuple[str, ...]
    """Names of views of the design."""

    COLUMNS: ClassVar[Columns] = (
        Column("name"),
        Column("counts", value=lambda summary: record(summary, keys("servers endpoints nics switches racks"))),
        *keys("links parts parts_to_order"),
        Column("oversubscription", value=lambda one: {role: round(n, 6) for role, n in one.oversubscription.items()}),
        Column("diameter_hops"),
        Column("bisection_gbps", value=lambda summary: _bisection(summary.bisection)),
        *keys("power_w=power.whole_max_w power cost_usd components line_cards? networks? jobs? bookmarks?"),
    )
    """As in the JSON of `info`; `power_w` is the sum of the largest draws, null where one is not known."""


@dataclass(frozen=True, slots=True)
class JobSummary:
    """A job of the design, as it was drawn: `algorithm` is "" where the collective's own is taken."""

    name: str
    servers: int
    endpoints: int
    collective: str
    traffic: str
    algorithm: str
    size_bytes: float


@dataclass(frozen=True, slots=True)
class NetworkSummary:
    """Numbers about one network."""

    servers: int
    """Servers with a link in it."""
    switches: dict[str, int]
    links: dict[str, int]
    oversubscription: dict[str, float]
    shared: dict[str, int] = field(default_factory=dict)
    """Switches of other networks that carry it, by the network whose they are; they are counted there."""


def network_shapes(design: Design) -> tuple[NetworkShape, ...]:
    """The shape of each network that has switches, compute first: of a summary what is known in little time."""
    found = []
    for network in dict.fromkeys((COMPUTE, *networks_of(design))):
        surveyed = survey(design, network)
        if surveyed.switches:
            tiers = {surveyed.tier[one.id] for one in surveyed.switches if one.id in surveyed.tier}
            ratios = oversubscription.by_tier(surveyed)
            found.append(_shape(surveyed, len(tiers), ratios))
    return tuple(found)


def _shape(surveyed: Survey, n_tiers: int, ratios: dict[str, float]) -> NetworkShape:
    switches = _switch_counts(surveyed, surveyed.switches)
    sharing = {network_of_switch(one) for one in surveyed.switches} - {surveyed.network}
    shared_with = tuple(one for one in NETWORKS if one in sharing)
    servers = {one.id for one in surveyed.servers}
    is_direct = n_tiers == 1 and any(run.low.device_id not in servers for run in surveyed.own_runs)
    links = Counter((link_kind(surveyed, run), run.capacity_gbps) for run in surveyed.own_runs) if is_direct else {}
    few = is_direct and len(surveyed.switches) <= MOST_SEARCHED
    return NetworkShape(
        surveyed.network,
        _linked_servers(surveyed),
        n_tiers,
        switches,
        ratios,
        shared_with,
        tuple((kind, gbps, count) for (kind, gbps), count in links.items() if gbps),
        diameter_hops(surveyed) if few else None,
    )


def summarize(design: Design) -> Summary:
    """All of it, for a design of any size, faulty ones included."""
    surveyed = survey(design)
    found = link_parts(surveyed)
    to_order = found.counts(selected_only=True)
    return Summary(
        name=design.name,
        servers=len(surveyed.servers),
        endpoints=sum(_gpus(design, server.id) for server in surveyed.servers),
        nics=_fabric_nics(design),
        switches=_switch_counts(surveyed, _own_switches(surveyed)),
        racks=len(design.racks),
        links=_link_counts(surveyed),
        parts=found.counts(),
        parts_to_order=to_order,
        oversubscription=oversubscription.by_tier(surveyed),
        diameter_hops=diameter_hops(surveyed),
        bisection=bisection_bandwidth(surveyed) if len(surveyed.linked_hosts) > 1 else None,
        power=replace(power.power(surveyed), n_transceivers=to_order.transceivers),
        cost_usd=cost_of(surveyed).total_usd if design.devices else None,
        components=len(components(surveyed)),
        line_cards=_line_cards(design),
        networks={one: network_summary(design, one) for one in networks_of(design) if one != COMPUTE},
        jobs=tuple(_job(design, job) for job in ordered(design.jobs)),
        bookmarks=tuple(one.name for one in ordered(design.bookmarks)),
    )


def _job(design: Design, job: PlacedJob) -> JobSummary:
    placed = job.servers or tuple(Allocation(server.id) for server in design.servers())
    return JobSummary(
        job.name,
        len({one.device_id for one in placed}),
        sum(len(one.gpus) or _gpus(design, one.device_id) for one in placed),
        job.collective,
        job.traffic,
        job.algorithm,
        job.size_bytes,
    )


def network_summary(design: Design, network: str) -> NetworkSummary:
    """What one network is built of."""
    surveyed = survey(design, network)
    return NetworkSummary(
        _linked_servers(surveyed),
        _switch_counts(surveyed, _own_switches(surveyed)),
        _link_counts(surveyed),
        oversubscription.by_tier(surveyed),
        dict(Counter(one for one in map(network_of_switch, surveyed.switches) if one != network)),
    )


def _linked_servers(surveyed: Survey) -> int:
    servers = {server.id for server in surveyed.servers}
    return len(servers & {end.device_id for run in surveyed.own_runs for end in (run.low, run.high)})


def _gpus(design: Design, server_id: str) -> int:
    type_ = design.device_type(server_id)
    return type_.gpus if isinstance(type_, ServerType) else 0


def _fabric_nics(design: Design) -> int:
    """NICs of the compute network: those in slots that are not for another one."""
    elsewhere = {
        type_.id: {slot.name for slot in type_.slots if slot.purpose != "fabric"}
        for type_ in design.types.values()
        if isinstance(type_, ServerType)
    }
    servers = (one for one in design.modules.values() if isinstance(design.types[one.type_id], NicType))
    return sum(one.slot not in elsewhere[design.device(one.device_id).type_id] for one in servers)


def _line_cards(design: Design) -> dict[str, int]:
    types = [one.type_id for one in ordered(design.modules)]
    return dict(Counter(one for one in types if isinstance(design.types[one], LineCardType)))


def _own_switches(surveyed: Survey) -> list[Device]:
    """Switches of the network, without those of others that carry it."""
    return [one for one in surveyed.switches if network_of_switch(one) == surveyed.network]


def _switch_counts(surveyed: Survey, switches: Sequence[Device]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for switch in sorted(switches, key=lambda switch: surveyed.tier.get(switch.id, UNKNOWN_TIER)):
        role = surveyed.role[switch.id]
        counts[role] = counts.get(role, 0) + 1
    return counts


def _link_counts(surveyed: Survey) -> dict[str, int]:
    tier = surveyed.tier
    counts: dict[str, int] = {}
    runs = [one for one in (*surveyed.own_runs, *surveyed.managing_runs) if one.network == surveyed.network]
    for run in sorted(runs, key=lambda run: tier.get(run.low.device_id, UNKNOWN_TIER)):
        kind = link_kind(surveyed, run)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _bisection(found: Bisection | None) -> dict[str, Any]:
    return {"value": found.gbps if found is not None else None, "exact": found is not None and found.exact}
