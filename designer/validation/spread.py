"""Rules about how traffic spreads: as many paths between all leafs, parallel links alike, enough bisection."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.analysis import oversubscription
from designer.analysis.bisection import bisection_bandwidth, thinnest_half
from designer.model.networks import COMPUTE
from designer.tables.columns import whole_percent
from designer.units import format_capacity, format_count, format_counted, format_rate
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.oversubscribed import LEAF
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope
from designer.validation.sources import DALLY, ECMP, WCMP
from designer.validation.subjects import listed
from designer.validation.uplinks import uplinks

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class _Like:
    """What leafs have in common that should have as many paths: their spines, and the capacity of their servers."""

    spines: tuple[str, ...]
    down_gbps: float


@rule(
    "SPREAD-002",
    Severity.WARNING,
    "Different numbers of paths between leafs",
    "Traffic to a leaf with fewer links from every spine waits there, while as many servers on other leafs have more.",
    remedy="Give all leafs of the block with as many servers the same number of uplinks.",
    example="Leafs with 8 servers each; one has one link to each of four spines, the others have two.",
    source=f"{WCMP}: unequal capacities towards the leafs of a tree.",
    scope=Scope.BLOCK,
    reads=CABLING,
)
def unlike_paths(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leafs with fewer shortest paths to the leafs of their block than others with the same servers below.

    Leafs whose uplinks are uneven, or above the limit of oversubscription, are left to SPREAD-001 and OVER-001.
    Subjects are the leafs; one finding for leafs alike.
    """
    limit = seen.design.policy.leaf_oversubscription
    rows = {row.device_id: row for row in seen.of_network(oversubscription.switches)}
    alike: dict[_Like, dict[int, list[str]]] = {}
    for leaf, up in seen.of_network(uplinks, COMPUTE, LEAF).items():
        row = rows[leaf]
        if not up.is_even or row.ratio is None or row.ratio > limit + TOLERANCE:
            continue
        n_links = sum(up.links.values())
        alike.setdefault(_Like(up.spines, row.down_gbps), {}).setdefault(n_links, []).append(leaf)
    for like, by_links in alike.items():
        counts = {n_links: len(leafs) for n_links, leafs in by_links.items()}
        usual = max(counts, key=lambda n_links: (counts[n_links], n_links))
        n_spines = len(like.spines)
        for n_links in sorted(one for one in by_links if one < usual):
            leafs = by_links[n_links]
            yield this.finding(
                f"{listed([seen.name(one) for one in leafs])}: {format_count(n_links * usual // n_spines)} shortest "
                f"paths to each other leaf of the block; {format_counted(counts[usual], 'leaf')} like "
                f"{'it' if len(leafs) == 1 else 'them'} {'have' if counts[usual] > 1 else 'has'} "
                f"{format_count(usual * usual // n_spines)}",
                tuple(leafs),
                value=n_links,
                limit=usual,
                aspect=f"{n_links} of {usual}",
            )


@rule(
    "SPREAD-003",
    Severity.WARNING,
    "Parallel links of different rates",
    "ECMP spreads flows evenly over parallel links, so that the slower link is full while the others are not.",
    remedy="Run all links between the two switches at one rate.",
    example="A leaf has four links to a spine, three at 400G and one at 200G.",
    source=ECMP,
    scope=Scope.NETWORK,
    reads=CABLING,
)
def unlike_parallel_links(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds switches joined by links of different rates; one finding for pairs with the same rates.

    Subjects are the slower links.
    """
    near, runs = seen.adjacency, seen.survey.fabric_runs
    if not len(near.run):
        return
    gbps = np.fromiter((run.capacity_gbps for run in runs), np.float64, len(runs))[near.run]
    least, most = np.minimum.reduceat(gbps, near.start[:-1]), np.maximum.reduceat(gbps, near.start[:-1])
    unlike = np.flatnonzero((least < most) & (near.low >= near.n_servers))
    alike: dict[tuple[float, float], list[int]] = {}
    for pair in unlike.tolist():
        alike.setdefault((float(least[pair]), float(most[pair])), []).append(pair)
    for (slow, fast), pairs in alike.items():
        names = [seen.pair_name(near.ids[int(near.low[pair])], near.ids[int(near.high[pair])]) for pair in pairs]
        own = [run for pair in pairs for run in near.runs(pair) if runs[run].capacity_gbps < fast]
        yield this.finding(
            f"{listed(names)}: parallel links at {format_rate(slow)} and {format_rate(fast)}",
            tuple(runs[run].link.id for run in own),
            value=slow,
            limit=fast,
            aspect=f"{slow:g} and {fast:g}",
        )


@rule(
    "BISECT-001",
    Severity.WARNING,
    "Bisection below the limit",
    "In an all-to-all half of the traffic crosses from one half of the servers to the other.",
    remedy="Add links or switches between the halves, or change the limit in the policy of the design.",
    policy=("bisection_share",),
    example="Leafs with twice as much capacity down as up, where the policy asks for full bisection.",
    source=f"{DALLY}, ch. 3.",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def bisection_below_limit(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds a fabric whose bisection is a smaller share of what half of the servers send than the policy asks for.

    Subjects are the servers of one half of the thinnest split that was found.
    """
    limit, near = seen.design.policy.bisection_share, seen.adjacency
    if limit is None:
        return
    half_gbps = float(near.gbps[near.of_servers].sum()) / 2
    if len(seen.survey.linked_hosts) < 2 or not half_gbps:
        yield this.not_checked("needs at least two servers with links")
        return
    bisection = bisection_bandwidth(seen.survey)
    share = bisection.gbps / half_gbps
    if share >= limit - TOLERANCE:
        return
    _, half = thinnest_half(seen.survey)
    yield this.finding(
        f"{'' if bisection.exact else 'At most '}{format_capacity(bisection.gbps)} between two halves of the servers, "
        f"{whole_percent(share)} of the {format_capacity(half_gbps)} that one half sends; "
        f"limit {whole_percent(limit)}. One half is {listed([seen.name(one) for one in half])}",
        half,
        value=round(share, 6),
        limit=limit,
    )
