"""Rules about oversubscription of spines, and of leafs in the storage and management networks."""

from collections import Counter
from collections.abc import Callable, Iterator

from designer.analysis import oversubscription
from designer.analysis.oversubscription import Oversubscription
from designer.model.edit import Edit
from designer.model.networks import COMPUTE, IN_BAND, NORTH_SOUTH, OUT_OF_BAND, STORAGE, WORDS
from designer.units import format_capacity, format_count, format_counted, format_ratio
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope
from designer.validation.sources import AL_FARES, OF_POLICY

TOLERANCE = 1e-9
LEAF, SPINE = 1, 2
"""Tiers by hops from the servers."""


@rule(
    "OVER-002",
    Severity.ERROR,
    "Spine oversubscribed",
    "Above the limit, traffic between pods waits for capacity to the core switches.",
    remedy="Add links to the core switches, or change the limit in the policy of the design.",
    policy=("spine_oversubscription",),
    example="A spine with 32 links of 400G to leafs and 16 to cores: 2:1, where the limit is 1:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def spine_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds spine switches whose capacity down over capacity up is above the limit of the policy."""
    yield from over(seen, this, COMPUTE, SPINE, seen.design.policy.spine_oversubscription)


@rule(
    "OVER-003",
    Severity.ERROR,
    "Storage leaf oversubscribed",
    "Above the limit, checkpoints and data sets arrive late.",
    remedy="Add uplinks or, without spines, links between leaf switches; or change the limit of the policy.",
    policy=("storage_oversubscription",),
    example="A storage leaf with 16 links of 200G down and 4 links of 400G up: 2:1, where the limit is 1:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def storage_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches of the storage network whose capacity down over capacity up is above its limit."""
    yield from over(seen, this, STORAGE, LEAF, seen.design.policy.storage_oversubscription)


@rule(
    "OVER-004",
    Severity.WARNING,
    "In-band leaf oversubscribed",
    "Above the limit, provisioning many servers at once takes longer than planned.",
    remedy="Add uplinks or, without spines, links between leaf switches; or change the limit of the policy.",
    policy=("in_band_oversubscription",),
    example="An in-band leaf with 48 links of 25G down and 2 links of 100G up: 6:1, where the limit is 4:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def in_band_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches of the in-band network whose capacity down over capacity up is above its limit."""
    yield from over(seen, this, IN_BAND, LEAF, seen.design.policy.in_band_oversubscription)


@rule(
    "OVER-005",
    Severity.WARNING,
    "Out-of-band leaf oversubscribed",
    "Above the limit, firmware and consoles of many servers at once are slow.",
    remedy="Add uplinks or, without spines, links between leaf switches; or change the limit of the policy.",
    policy=("oob_oversubscription",),
    example="An out-of-band leaf with 48 links of 1G down and 1 link of 10G up: 4.8:1, where the limit is 4:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def oob_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches of the out-of-band network whose capacity down over capacity up is above its limit."""
    yield from over(seen, this, OUT_OF_BAND, LEAF, seen.design.policy.oob_oversubscription)


@rule(
    "OVER-006",
    Severity.WARNING,
    "North-south leaf oversubscribed",
    "Above the limit, users and other sites wait for the servers.",
    remedy="Add uplinks or, without spines, links between leaf switches; or change the limit of the policy.",
    policy=("north_south_oversubscription",),
    example="A north-south leaf with 16 links of 400G down and 8 up: 2:1, where the limit is 1:1.",
    source=f"{AL_FARES}: oversubscription of a tier. {OF_POLICY}",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def north_south_oversubscribed(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leaf switches of the north-south network whose capacity down over capacity up is above its limit."""
    yield from over(seen, this, NORTH_SOUTH, LEAF, seen.design.policy.north_south_oversubscription)


def _crowding(seen: Inspection, row: Oversubscription, limit: float) -> str:
    """ "; loaner-1 has 8 links to it, most servers 1" where the limit would hold without that server; else ""."""
    design = seen.design
    ends = (end for link in design.links_of(row.device_id) for end in (link.a, link.b))
    links = Counter(end.device_id for end in ends if design.is_server(end.device_id))
    usual, n_usual = Counter(links.values()).most_common(1)[0] if links else (0, 0)
    gbps = row.down_gbps / max(1, links.total())
    more = {one: count for one, count in links.items() if count > usual}
    without_gbps = row.down_gbps - gbps * sum(more.values())
    if not more or n_usual <= len(more) or without_gbps > limit * row.up_gbps * (1 + TOLERANCE):
        return ""
    first, most = max(more.items(), key=lambda one: one[1])
    word = seen.server_word
    others = f" and {format_counted(len(more) - 1, f'more {word}')}" if len(more) > 1 else ""
    return f"; {seen.name(first)} has {format_counted(most, 'link')} to it{others}, most {word}s {format_count(usual)}"


def over(
    seen: Inspection,
    this: Rule,
    network: str,
    tier: int,
    limit: float | None,
    fix: Callable[[Oversubscription], Edit | None] = lambda _row: None,
) -> Iterator[Finding | NotChecked]:
    """Switches of a tier of a network above a limit; of None, no limit, how much stays without a check."""
    surveyed = seen.survey_of(network)
    if limit is None:
        rows = seen.of_network(oversubscription.switches, network)
        ratios = [row.ratio for row in rows if surveyed.tier.get(row.device_id) == tier and row.ratio is not None]
        if max(ratios, default=0.0) > 1.0 + TOLERANCE:
            yield this.not_checked(
                f"the policy has no limit for the oversubscription of the {WORDS[network]}, "
                f"which is up to {format_ratio(max(ratios))}"
            )
        return
    for row in seen.of_network(oversubscription.switches, network):
        if surveyed.tier.get(row.device_id) == tier and row.ratio is not None and row.ratio > limit + TOLERANCE:
            if row.up_gbps:
                paths = f"{format_capacity(row.down_gbps)} down, {format_capacity(row.up_gbps)} up"
            else:
                paths = (
                    f"{format_capacity(row.crossing_gbps)} down, "
                    f"{format_capacity(row.across_gbps)} to other leaf switches and no uplink"
                )
            yield this.finding(
                f"{seen.name(row.device_id)}: {paths}: {format_ratio(row.ratio)}, limit {format_ratio(limit)}"
                f"{_crowding(seen, row, limit) if tier == LEAF and row.up_gbps else ''}",
                (row.device_id,),
                value=row.ratio,
                limit=limit,
                fix=fix(row),
            )
