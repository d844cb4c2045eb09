"""Oversubscription: capacity towards the servers against capacity away from them, one direction."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.analysis.survey import Survey, survey
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.entities import Link, order_key
from designer.model.networks import COMPUTE, NETWORKS, networks_of_switch
from designer.units import format_ratio, some_of

MOST_RATIOS = 3


@dataclass(frozen=True, slots=True)
class Oversubscription:
    """One switch: what its links carry down and up. `ratio` is down to up.

    Of a leaf without uplinks, in networks other than compute, it is what its links carry of servers that other leafs
    are linked to it for, to what its links to these carry; None where there is neither.
    """

    device_id: str
    role: str
    down_gbps: float
    up_gbps: float
    down_links: int
    up_links: int
    across_gbps: float = 0.0
    """Of a leaf without uplinks, to other leafs that not all of its servers are linked to themselves."""
    crossing_gbps: float = 0.0
    """Down to those servers."""

    @property
    def ratio(self) -> float | None:
        """Capacity down over capacity up, or across; None for a switch without either."""
        if self.up_gbps:
            return self.down_gbps / self.up_gbps
        return self.crossing_gbps / self.across_gbps if self.across_gbps else None


def leafs(design: Design) -> list[Oversubscription]:
    """Oversubscription of each leaf, in design order. Links on reserved ports do not count."""
    surveyed = survey(design)
    return [row for row in switches(surveyed) if surveyed.tier.get(row.device_id) == 1]


def switches(surveyed: Survey) -> list[Oversubscription]:
    """The same for every switch, in design order. Links in a tier do not count, nor do those of other networks.

    Of networks that share a switch all links count: they share its uplinks. A storage or management network may have no
    spines: then its leafs are joined to each other, and what crosses those links counts.
    """
    loads = {switch.id: [0.0, 0.0, 0, 0] for switch in surveyed.switches}
    tier = surveyed.tier
    for run in (*surveyed.fabric_runs, *surveyed.sharing_runs):
        low_tier, high_tier = tier.get(run.low.device_id), tier.get(run.high.device_id)
        if run.reserved or low_tier is None or high_tier is None or low_tier == high_tier:
            continue
        for device_id, side in ((run.high.device_id, 0), (run.low.device_id, 1)):
            load = loads.get(device_id)
            if load is not None:
                load[side] += run.capacity_gbps
                load[side + 2] += 1
    rows = [
        Oversubscription(device_id, surveyed.role[device_id], down, up, int(n_down), int(n_up))
        for device_id, (down, up, n_down, n_up) in loads.items()
    ]
    return rows if surveyed.network == COMPUTE else _with_crossings(surveyed, rows)


def _with_crossings(surveyed: Survey, rows: list[Oversubscription]) -> list[Oversubscription]:
    """The rows with what crosses from leaf to leaf, of leafs without uplinks that are joined to others."""
    topmost = {row.device_id for row in rows if not row.up_links and surveyed.tier.get(row.device_id) == 1}
    across: dict[str, dict[str, float]] = {}
    servers: dict[str, dict[str, float]] = {row.device_id: {} for row in rows}
    for run in (*surveyed.fabric_runs, *surveyed.sharing_runs):
        low, high = run.low.device_id, run.high.device_id
        if run.reserved or high not in servers:
            continue
        if surveyed.tier.get(low) == 0:
            servers[high][low] = servers[high].get(low, 0.0) + run.capacity_gbps
        elif surveyed.tier.get(low) == surveyed.tier.get(high) == 1:
            for one, other in ((low, high), (high, low)):
                to = across.setdefault(one, {})
                to[other] = to.get(other, 0.0) + run.capacity_gbps
    return [
        _crossed(row, across[row.device_id], servers) if row.device_id in topmost and row.device_id in across else row
        for row in rows
    ]


def _crossed(row: Oversubscription, across: dict[str, float], servers: dict[str, dict[str, float]]) -> Oversubscription:
    """The row with what its servers share to reach those that are on other leafs only."""
    own = servers[row.device_id]
    needed = {other: own.keys() - servers.get(other, {}).keys() for other in across}
    crossing = set[str]().union(*needed.values())
    return replace(
        row,
        across_gbps=sum(gbps for other, gbps in across.items() if needed[other]),
        crossing_gbps=sum(own[one] for one in crossing),
    )


def ratios_after(design: Design, edit: Edit) -> str:
    """What the links between switches that an edit adds bring: "18:1 at sts-1 and sts-2"; "" where it adds none.

    Of the switches that they lead to, those with one ratio together; the largest ratios first.
    """
    after = design.snapshot()
    after.apply(edit)
    new = (one.after for one in edit.changes if one.before is None and isinstance(one.after, Link))
    pairs = [(link.a.device_id, link.b.device_id) for link in new]
    joined = {one for pair in pairs if all(map(after.is_switch, pair)) for one in pair}
    carried = {network for one in joined for network in networks_of_switch(after.device(one))}
    at: dict[float, dict[str, None]] = {}
    for network in NETWORKS:
        for row in switches(survey(after, network)) if network in carried else ():
            if row.device_id in joined and row.ratio:
                at.setdefault(row.ratio, {})[row.device_id] = None
    stated = [
        f"{format_ratio(ratio)} at {some_of([after.device(one).name for one in sorted(at[ratio], key=order_key)])}"
        for ratio in sorted(at, reverse=True)
    ]
    return "; ".join(stated[:MOST_RATIOS])


def by_tier(surveyed: Survey) -> dict[str, float]:
    """The worst ratio among the switches of each role, lowest tier first; a tier without uplinks is left out."""
    return dict(_worst(surveyed))


def _worst(surveyed: Survey) -> Iterator[tuple[str, float]]:
    ratios: dict[str, float] = {}
    rows = [row for row in switches(surveyed) if row.down_gbps and row.ratio is not None]
    for row in sorted(rows, key=lambda row: surveyed.tier[row.device_id]):
        ratios[row.role] = max(ratios.get(row.role, 0.0), row.ratio or 0.0)
    yield from ratios.items()
