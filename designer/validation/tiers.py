"""Rules about the tiers of a tree: links lead to the next tier, leafs have uplinks, blocks keep to their spines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.adjacency import Adjacency
from designer.analysis.tiers import ROUTER
from designer.analysis.uplink_sets import Uppers, usual_sets
from designer.graph.components import components
from designer.model.edit import Edit
from designer.model.entities import DRAGONFLY_GROUP, order_key
from designer.model.networks import COMPUTE, NETWORKS, networks_of_switch
from designer.units import format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.joining import Moves, joined
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, GROUPS, ROOM, Scope
from designer.validation.sources import AL_FARES, TAGGER
from designer.validation.subjects import in_network, listed
from designer.validation.uplinks import uplinks

LEAF, SPINE = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """The pairs of a network's devices that make a tree, by number; routers and dragonfly groups make none."""

    network: str
    near: Adjacency
    low_tier: NDArray[np.int16]  # (n_pairs,) tiers of the lower ends; -1 where the pair is not of a tree
    high_tier: NDArray[np.int16]  # (n_pairs,)

    def pairs(self, low: int, high: int) -> NDArray[np.int64]:
        """Indexes of the pairs that lead from one tier to another."""
        found: NDArray[np.int64] = np.flatnonzero((self.low_tier == low) & (self.high_tier == high))
        return found

    def sets_above(self, tier: int) -> dict[str, Uppers]:
        """For each switch of a tier that has uplinks, the switches they lead to."""
        found: dict[int, list[int]] = {}
        own = self.pairs(tier, tier + 1)
        for low, high in zip(self.near.low[own].tolist(), self.near.high[own].tolist(), strict=True):
            found.setdefault(low, []).append(high)
        ids = self.near.ids
        return {ids[low]: frozenset(ids[high] for high in found[low]) for low in sorted(found)}


@rule(
    "TIER-002",
    Severity.WARNING,
    "Link past the tiers",
    "In a tree, traffic climbs tier by tier. A link that skips a tier, or joins two switches of one tier, is used by "
    "few routes, and lossless traffic over it can form a cycle that blocks.",
    remedy="Connect the lower device to a switch of the next tier.",
    example="Two leafs with uplinks to spines, and a link between the two leafs.",
    source=f"{TAGGER}: routes that go up and then down are free of cycles; one that bounces back up may close one.",
    scope=Scope.NETWORK,
    reads=(*CABLING, GROUPS),
)
def link_past_tiers(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds links between switches of one tier that has another above, and links that skip a tier of the network.

    In a storage or management network two switches with a neighbor below in common may be peers (MLAG). One finding
    for links between the same two tiers. Subjects are the links.
    """
    for tree in _trees(seen):
        near = tree.near
        there = set(np.unique(near.tier[near.n_servers :]).tolist())
        known = (tree.low_tier >= 0) & (tree.high_tier >= 0)
        for low, high in sorted(set(zip(tree.low_tier[known].tolist(), tree.high_tier[known].tolist(), strict=True))):
            if low == high:
                is_wrong = low > 0 and len(tree.pairs(low, low + 1)) > 0
            else:
                is_wrong = any(tier in there for tier in range(low + 1, high))
            pairs = [pair for pair in tree.pairs(low, high).tolist() if low < high or not _peers(tree, pair)]
            if is_wrong and pairs:
                yield _past(seen, this, tree, pairs, low == high)


def _past(seen: Inspection, this: Rule, tree: _Tree, pairs: Sequence[int], is_level: bool) -> Finding:
    near, runs = tree.near, seen.survey_of(tree.network).fabric_runs
    roles = [seen.survey.role[near.ids[int(ends[pairs[0]])]] for ends in (near.low, near.high)]
    links = [runs[one].link for pair in pairs for one in near.runs(pair)]
    names = [seen.pair_name(near.ids[int(near.low[pair])], near.ids[int(near.high[pair])]) for pair in pairs]
    verb = "joins" if len(links) == 1 else "join"
    what = f"two {roles[0]} switches" if is_level else f"a {roles[0]} to a {roles[1]} past the tier between"
    return this.finding(
        f"{format_counted(len(links), 'link')}{in_network(tree.network)} {verb} {what}: {listed(names)}",
        tuple(link.id for link in links),
        value=len(links),
        limit=0,
        aspect=f"{tree.network} {roles[0]} {roles[1]}",
    )


@rule(
    "TIER-003",
    Severity.ERROR,
    "Leaf without uplinks",
    "The servers on this leaf reach no server on another leaf over it.",
    remedy="Connect the leaf to the spines in the same way as its neighbors.",
    fix="Adds as many uplinks as a leaf of its unit, group or part has, to the same spines, where ports are free.",
    example="Four leafs with servers; three have uplinks and one has none.",
    hides=("OVER-001", "OVER-002"),
    source=f"{AL_FARES}: every leaf has links to the switches above.",
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def leaf_without_uplinks(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leafs with servers and no link to another switch while most leafs with servers have one to a spine."""
    for tree in _trees(seen):
        near = tree.near
        serving = np.unique(near.high[tree.pairs(0, LEAF)])
        climbing = np.unique(near.low[tree.pairs(LEAF, SPINE)])
        level = tree.pairs(LEAF, LEAF)  # switches joined to each other may be no tree, such as a ring
        bare = np.setdiff1d(serving, [*climbing, *near.low[level], *near.high[level]]).tolist()
        with_both = np.intersect1d(serving, climbing).tolist()
        if len(bare) >= len(with_both):
            continue
        part_of = _parts(tree) if bare else {}
        for leaf in bare:
            yield this.finding(
                f"{seen.name(near.ids[leaf])}{in_network(tree.network)} has servers but no uplink; "
                f"{format_counted(len(with_both), 'other leaf switch')} {'have' if len(with_both) > 1 else 'has'} some",
                (near.ids[leaf],),
                value=0,
                limit=1,
                fix=_like_neighbor(
                    seen, tree, leaf, _alike(seen, tree, leaf, {one: part_of[one] for one in (leaf, *with_both)})
                ),
                aspect="" if tree.network == COMPUTE else tree.network,
            )


def _like_neighbor(seen: Inspection, tree: _Tree, leaf: int, alike: Sequence[int]) -> Edit | None:
    """The uplinks of one of the leafs alike: of the unit, with the most, the nearest; None where none has even ones."""
    near, devices = tree.near, seen.design.devices
    own, known = devices[near.ids[leaf]], seen.of_network(uplinks, tree.network, LEAF)
    even = {one: up.links for one in alike if (up := known.get(near.ids[one])) is not None and up.is_even}
    if not even:
        return None
    neighbor = min(
        even,
        key=lambda one: (devices[near.ids[one]].unit != own.unit, -sum(even[one].values()), abs(one - leaf), one),
    )
    spines = [spine for spine in sorted(even[neighbor], key=order_key) for _ in range(even[neighbor][spine])]
    label = f"Add {format_counted(len(spines), 'uplink')} to {own.name}"
    return joined(seen, label, [(own.id, spine) for spine in spines])


def _alike(seen: Inspection, tree: _Tree, leaf: int, part_of: Mapping[int, int]) -> list[int]:
    """The leafs of its type and plane whose uplinks a leaf should have: of its unit, its group, or its part.

    Where none is, all of its type and plane, as long as all leafs are in one part: of several it may belong to any.
    `part_of` numbers the part of the network that it and each leaf with uplinks is in.
    """
    devices = {one: seen.design.devices[tree.near.ids[one]] for one in part_of}
    own, others = devices.pop(leaf), [one for one in part_of if one != leaf]
    alike = [one for one in others if (devices[one].type_id, devices[one].plane) == (own.type_id, own.plane)]
    close = [
        one
        for one in alike
        if part_of[one] == part_of[leaf]
        or own.unit == devices[one].unit is not None
        or own.group_id == devices[one].group_id is not None
    ]
    return close or (alike if len({part_of[one] for one in others}) == 1 else [])


def _parts(tree: _Tree) -> dict[int, int]:
    """For each device the number of the part of the network that it is in, by links of whatever kind."""
    near = tree.near
    pairs = zip(near.low.tolist(), near.high.tolist(), strict=True)
    return {one: number for number, part in enumerate(components(range(len(near.ids)), pairs)) for one in part}


@rule(
    "TIER-004",
    Severity.WARNING,
    "Leaf reaches the spines of another block",
    "The leafs of a block share their spines, so that all pairs of them have the same paths. A link into another block "
    "carries traffic of this leaf alone, and is missing at home.",
    remedy="Move the uplink to a spine of the leaf's own block.",
    fix="Moves the uplinks to the leaf's own spines with the fewest links from it, where ports are free.",
    example="Pods 1 and 2 have spines of their own; one of the uplinks of a leaf in pod 1 leads to a spine of pod 2.",
    source=f"{AL_FARES}: the leafs of a pod share its switches above.",
    scope=Scope.BLOCK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def leaf_in_two_blocks(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds leafs with links to spines that leafs of another block share, and spines with links to such cores.

    Subjects are the switch and the switches above that are not of its block.
    """
    for tree in _trees(seen):
        for tier in (LEAF, SPINE):
            above = tree.sets_above(tier)
            sets = usual_sets(above)
            for lower, uppers in above.items() if len(sets.usual) > 1 else ():
                strays = _in_order(tree, sets.strays(lower, uppers))
                if strays:
                    yield this.finding(
                        f"{seen.name(lower)} is linked to {listed([seen.name(one) for one in strays])} of another "
                        f"block; its own are {listed([seen.name(one) for one in _in_order(tree, sets.best[lower])])}",
                        (lower, *strays),
                        value=len(strays),
                        limit=0,
                        fix=_home(seen, tree, lower, strays, _in_order(tree, sets.best[lower])),
                        aspect="" if tree.network == COMPUTE else tree.network,
                    )


def _home(seen: Inspection, tree: _Tree, lower: str, strays: Sequence[str], own: Sequence[str]) -> Edit | None:
    """The links to strays moved to the switch's own spines, those with the fewest of its links first."""
    near, runs, moves = tree.near, seen.survey_of(tree.network).fabric_runs, Moves(seen)
    pairs = {near.ids[int(near.high[i])]: i for i in np.flatnonzero(near.low == near.number[lower]).tolist()}
    counts = {one: int(near.n_links[pairs[one]]) if one in pairs else 0 for one in own}
    for stray in strays:
        for run in near.runs(pairs[stray]):
            to = next(
                (one for one in sorted(own, key=counts.__getitem__) if moves.move(runs[run].link.id, stray, one)), None
            )
            if to is None:
                return None
            counts[to] += 1
    return moves.edit(f"Move {format_counted(len(moves), 'uplink')} of {seen.name(lower)} to its own block")


@rule(
    "TIER-005",
    Severity.INFO,
    "Tier that joins nothing",
    "The highest tier is there to join what is below it. Over a single leaf switch, or a single pod whose leaf "
    "switches reach each other over its own spines, it adds cost and no path that is needed. Where the design is a "
    "part of a larger fabric, it joins that part to the rest, which is not drawn.",
    remedy="Delete the switches of that tier, or connect further leaf switches or pods to them. Waive it for a part "
    "of a larger fabric.",
    example="Three tiers with one pod: the cores have links to the spines of that pod alone.",
    source=f"{AL_FARES}: the core switches join the pods.",
    scope=Scope.NETWORK,
    reads=(*CABLING, GROUPS),
)
def tier_without_purpose(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds highest tiers below which all switches are joined by links between tiers without them.

    Switches that have servers, ports kept free or another network too are there for those. Subjects are the switches.
    """
    for tree in _trees(seen):
        near = tree.near
        climbing = np.flatnonzero((tree.low_tier >= LEAF) & (tree.high_tier > tree.low_tier))
        pairs = list(zip(near.low[climbing].tolist(), near.high[climbing].tolist(), strict=True))
        serving = frozenset(near.high[near.of_servers].tolist())
        for part in components(sorted({end for pair in pairs for end in pair}), pairs):
            top = max(int(near.tier[one]) for one in part)
            upper = [one for one in part if near.tier[one] == top]
            lower = [one for one in part if near.tier[one] < top]
            inner = frozenset(lower)
            if any(one in serving or _is_kept(seen, near.ids[one]) for one in upper):
                continue
            if len(components(lower, (pair for pair in pairs if inner.issuperset(pair)))) > 1:
                continue
            ids = tuple(near.ids[one] for one in upper)
            counted, has = _counted(seen, ids), "has" if len(ids) == 1 else "have"
            if len(lower) == 1:
                why = f"a single switch below, {seen.name(near.ids[lower[0]])}, and {_join(ids)} nothing"
            else:
                leafs = [near.ids[one] for one in lower if near.tier[one] == min(near.tier[lower])]
                why = f"a single pod below, whose {_counted(seen, leafs)} reach each other without {_them(ids)}"
            yield this.finding(
                f"{counted}{in_network(tree.network)} {has} {why}: {listed([seen.name(one) for one in ids])}",
                ids,
                value=1,
                limit=2,
                aspect="" if tree.network == COMPUTE else tree.network,
            )


def _is_kept(seen: Inspection, switch: str) -> bool:
    """Whether a switch is there for more than the links that are drawn."""
    device = seen.design.devices[switch]
    return bool(device.reserved_ports) or len(networks_of_switch(device)) > 1


def _counted(seen: Inspection, ids: Sequence[str]) -> str:
    roles = {seen.survey.role.get(one, seen.design.devices[one].role) or "switch" for one in ids}
    return format_counted(len(ids), roles.pop() if len(roles) == 1 else "switch")


def _join(ids: Sequence[str]) -> str:
    return "joins" if len(ids) == 1 else "join"


def _them(ids: Sequence[str]) -> str:
    return "it" if len(ids) == 1 else "them"


def _in_order(tree: _Tree, ids: Uppers) -> list[str]:
    return sorted(ids, key=tree.near.number.__getitem__)


def _trees(seen: Inspection) -> Iterator[_Tree]:
    """Each network with switches, and what of it is a tree."""
    design = seen.design
    there = {one for switch in design.switches() for one in networks_of_switch(switch)}
    grouped = {group.id for group in design.groups.values() if group.kind == DRAGONFLY_GROUP}
    for network in NETWORKS:
        if network not in there:
            continue
        near = seen.adjacency_of(network)
        switches = [design.devices[one] for one in near.ids[near.n_servers :]]
        flat = [one.role.lower() == ROUTER or one.group_id in grouped for one in switches]
        tier = near.tier.copy()
        tier[near.n_servers :][np.array(flat, dtype=bool)] = -1
        low, high = tier[near.low], tier[near.high]
        out = (low < 0) | (high < 0)
        low[out] = high[out] = -1
        yield _Tree(network, near, low, high)


def _peers(tree: _Tree, pair: int) -> bool:
    """Whether two switches of a network other than compute have a neighbor below in common."""
    if tree.network == COMPUTE:
        return False
    near = tree.near
    below = [set(near.low[near.high == end].tolist()) for end in (int(near.low[pair]), int(near.high[pair]))]
    return bool(below[0] & below[1])
