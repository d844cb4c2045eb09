"""Which spines each leaf is linked to, or which cores each spine, and which its neighbors are."""

from dataclasses import dataclass, field

from designer.analysis.survey import Run, Survey
from designer.analysis.uplink_sets import usual_sets
from designer.graph.components import components
from designer.model.entities import order_key
from designer.model.hardware.ports import Port


@dataclass(slots=True)
class Uplinks:
    """The links from one leaf up. `spines` are all those of its block: the leafs that share spines, on and on.

    Of a spine likewise, with cores in the place of spines.
    """

    port: Port
    """A port one of them leaves through."""
    links: dict[str, int] = field(default_factory=dict)
    gbps: dict[str, float] = field(default_factory=dict)
    spines: tuple[str, ...] = ()

    @property
    def is_even(self) -> bool:
        """Whether as many links lead to each spine of the block."""
        return len(self.links) == len(self.spines) and len(set(self.links.values())) == 1


def uplinks(survey: Survey, of_tier: int = 1) -> dict[str, Uplinks]:
    """Uplinks of each leaf that has servers and spines, in design order; leafs without servers are left out.

    Of tier 2 those of each spine that has leafs and cores.
    """
    tier = survey.tier
    found: dict[str, Uplinks] = {}
    serving: set[str] = set()
    for run in survey.fabric_runs:
        tiers = tier.get(run.low.device_id), tier.get(run.high.device_id)
        if tiers == (of_tier - 1, of_tier):
            serving.add(run.high.device_id)
        elif tiers == (of_tier, of_tier + 1):
            _count(found, run)
    spines_of = _blocks(found)
    for leaf, up in found.items():
        up.spines = spines_of[leaf]
    return {leaf: found[leaf] for leaf in sorted(found, key=order_key) if leaf in serving}


def _count(found: dict[str, Uplinks], run: Run) -> None:
    assert run.low_port is not None
    up = found.setdefault(run.low.device_id, Uplinks(run.low_port))
    spine = run.high.device_id
    up.links[spine] = up.links.get(spine, 0) + 1
    up.gbps[spine] = up.gbps.get(spine, 0.0) + run.capacity_gbps


def _blocks(found: dict[str, Uplinks]) -> dict[str, tuple[str, ...]]:
    """For each leaf the spines of its block, in design order."""
    spines = (spine for up in found.values() for spine in up.links)
    pairs = ((leaf, spine) for leaf, up in found.items() for spine in up.links)
    block_of: dict[str, tuple[str, ...]] = {}
    for members in components((*found, *spines), pairs):
        leafs = [one for one in members if one in found]
        block = tuple(sorted((one for one in members if one not in found), key=order_key))
        block_of.update(dict.fromkeys(leafs, block))
    sets = usual_sets({leaf: frozenset(up.links) for leaf, up in found.items()})
    if len(sets.usual) > 1:  # a leaf that reaches into another block does not make one of the two
        block_of.update((leaf, tuple(sorted(own, key=order_key))) for leaf, own in sets.best.items())
    return block_of
