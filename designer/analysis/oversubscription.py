"""Oversubscription: capacity towards the servers against capacity away from them, one direction."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.analysis.survey import Survey, survey
from designer.model.design import Design


@dataclass(frozen=True, slots=True)
class Oversubscription:
    """One switch: what its links carry down and up. `ratio` is down to up; None without a link up."""

    device_id: str
    role: str
    down_gbps: float
    up_gbps: float
    down_links: int
    up_links: int

    @property
    def ratio(self) -> float | None:
        """Capacity down over capacity up; None for a switch without a link up."""
        return self.down_gbps / self.up_gbps if self.up_gbps else None


def leafs(design: Design) -> list[Oversubscription]:
    """Oversubscription of each leaf, in design order. Links on reserved ports do not count."""
    surveyed = survey(design)
    return [row for row in switches(surveyed) if surveyed.tier.get(row.device_id) == 1]


def switches(surveyed: Survey) -> list[Oversubscription]:
    """The same for every switch, in design order. Links in a tier do not count, nor do those of other networks.

    Of networks that share a switch all links count: they share its uplinks.
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
    return [
        Oversubscription(device_id, surveyed.role[device_id], down, up, int(n_down), int(n_up))
        for device_id, (down, up, n_down, n_up) in loads.items()
    ]


def by_tier(surveyed: Survey) -> dict[str, float]:
    """The worst ratio among the switches of each role, lowest tier first; a tier without uplinks is left out."""
    return dict(_worst(surveyed))


def _worst(surveyed: Survey) -> Iterator[tuple[str, float]]:
    ratios: dict[str, float] = {}
    rows = [row for row in switches(surveyed) if row.down_gbps and row.ratio is not None]
    for row in sorted(rows, key=lambda row: surveyed.tier[row.device_id]):
        ratios[row.role] = max(ratios.get(row.role, 0.0), row.ratio or 0.0)
    yield from ratios.items()
