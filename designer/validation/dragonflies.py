"""Rules about dragonflies: groups joined to each other, joined inside, with global links shared evenly."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from designer.analysis.dragonflies import Dragonfly
from designer.analysis.tiers import switch_word
from designer.model.edit import Edit
from designer.model.entities import order_key
from designer.tables.columns import whole_percent
from designer.units import format_count, format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.joining import Moves, joined
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, GROUPS, ROOM, Scope
from designer.validation.subjects import listed

KIM = (
    "J. Kim, W. Dally, S. Scott, D. Abts, “Technology-Driven, Highly-Scalable Dragonfly Topology” (2008): a = 2p = 2h."
)
TOLERANCE = 0.05
"""Share by which p or h may differ from the balance, as of hosts on some ports only."""


@rule(
    "DFLY-001",
    Severity.ERROR,
    "Dragonfly groups without a global link between them",
    "Minimal routes cross one global link. Between such groups every packet takes a detour through a third group.",
    remedy="Connect a router of one group to a router of the other.",
    fix="Adds a link between the routers with the fewest global links, where ports are free.",
    example="Groups 1, 2 and 3; the only links between groups lead from 1 to 2 and from 2 to 3.",
    hides=("DFLY-003", "DFLY-004"),
    source=KIM,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def groups_not_joined(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds dragonfly groups that no link joins to every other group of the fabric, one finding for each group.

    Two groups are listed under the one that lacks more links. Subjects are that group and those it lacks.
    """
    for dragonfly in _with_groups(seen):
        missing = np.triu(dragonfly.between == 0, 1)
        lacking = missing | missing.T
        while lacking.any():
            group = int(np.argmax(lacking.sum(axis=1)))
            others = np.flatnonzero(lacking[group]).tolist()
            lacking[group] = lacking[:, group] = False
            names = [_group(seen, dragonfly, one) for one in (group, *others)]
            yield this.finding(
                f"{names[0]} has no global link to {listed(names[1:])}",
                tuple(dragonfly.groups[one] for one in (group, *others)),
                value=len(dragonfly.groups) - 1 - len(others),
                limit=len(dragonfly.groups) - 1,
                fix=_join_groups(seen, dragonfly, [(group, other) for other in others]),
            )


@rule(
    "DFLY-002",
    Severity.ERROR,
    "Dragonfly group not fully joined inside",
    "A minimal route takes at most one local hop at each end; a missing local link makes it longer or cuts it off.",
    remedy="Connect the routers of the group in the same way as those of the other groups.",
    fix="Adds the missing local links, where ports are free.",
    example="Four routers in a group; router 1 is linked to 2 and 3 but not to 4.",
    source=KIM,
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def group_not_joined_inside(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds dragonfly groups with a switch that is linked to fewer switches of its group than most of its like are.

    Like switches have the same role, in groups of the same size. Subjects are the group and those switches.
    """
    for dragonfly in seen.dragonflies:
        neighbors, sizes = dragonfly.neighbors, np.bincount(dragonfly.group)
        if sizes.max() < 2:
            continue
        usual = _usual(dragonfly, neighbors, sizes)
        short = neighbors < usual
        for group in np.unique(dragonfly.group[short]).tolist():
            own = [one for one in dragonfly.members(group) if short[one]]
            word = switch_word(seen.design, (dragonfly.switches[one] for one in own))
            least = min(own, key=lambda one: (neighbors[one] - usual[one], one))
            pairs = _missing_inside(dragonfly, group, own, usual)
            others = [b if a == least else a for a, b in pairs if least in (a, b)]
            not_to = f", not to {listed([seen.name(dragonfly.switches[one]) for one in others])}"
            yield this.finding(
                f"{_group(seen, dragonfly, group)}: {seen.name(dragonfly.switches[least])} is linked to "
                f"{format_count(int(neighbors[least]))} of {format_counted(int(usual[least]), word)} of the group"
                f"{not_to if others else ''}",
                (dragonfly.groups[group], *(dragonfly.switches[one] for one in own)),
                value=int(neighbors[least]),
                limit=int(usual[least]),
                fix=_join_inside(seen, dragonfly, group, pairs),
            )


@rule(
    "DFLY-003",
    Severity.WARNING,
    "Global links unevenly shared",
    "The routers and pairs of groups with the fewest global links limit the traffic between groups, "
    "while links elsewhere stay idle.",
    remedy="Generate the dragonfly with the even arrangement, or move global links to the routers with the fewest.",
    fix="Moves global links to the routers of the group with the fewest, or adds the missing ones between two groups.",
    example="Of 16 routers in a group, 9 have eight global links each, one has one, and six have none.",
    source=f"E. Hastings et al., “Comparing Global Link Arrangements for Dragonfly Networks” (2015); {KIM}",
    scope=Scope.NETWORK,
    reads=(*CABLING, *ROOM, GROUPS),
)
def global_links_uneven(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds pairs of groups with fewer global links than others of their kind, and groups whose like switches differ.

    A difference of one link is what does not divide; between pairs it counts where it is half or more. Subjects are
    the groups; one finding for pairs of two kinds, and one for all groups with the same spread.
    """
    for dragonfly in _with_groups(seen):
        yield from _uneven_pairs(seen, this, dragonfly)
        yield from _uneven_switches(seen, this, dragonfly)


@rule(
    "DFLY-004",
    Severity.INFO,
    "Dragonfly out of balance",
    "With a = 2p = 2h, host, local and global links are used alike under uniform traffic; else one kind limits it.",
    remedy="Choose a = 2p = 2h where uniform traffic matters, or accept that the smaller share limits it.",
    example="4 hosts and 2 global links per router: traffic between groups gets half of what the hosts send.",
    source=KIM,
    scope=Scope.NETWORK,
    reads=(*CABLING, GROUPS),
)
def out_of_balance(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds dragonflies of fully joined routers whose a, p and h are not balanced, one finding for each.

    p and h are the means of the groups that most are like, in units of a local link.
    """
    for dragonfly in _with_groups(seen):
        kinds = Counter(dragonfly.kind.tolist())
        kind = max(kinds, key=lambda one: (kinds[one], -one))
        own = np.isin(dragonfly.group, np.flatnonzero(dragonfly.kind == kind))
        a = int(own.sum()) // kinds[kind]
        local = dragonfly.local & own[dragonfly.tail]
        full = bool((dragonfly.neighbors[own] == a - 1).all()) and bool((dragonfly.links[local] == 1).all())
        if len(np.unique(dragonfly.role[own])) > 1 or a < 2 or not full:
            continue  # a lattice, or leafs and spines: the balance of the paper is that of fully joined routers
        rate_gbps = float(np.median(dragonfly.gbps[local]))
        p = float(dragonfly.hosts_gbps[own].mean()) / rate_gbps
        h = float(dragonfly.global_links[own].mean())
        if all(abs(2 * one - a) <= TOLERANCE * a for one in (p or h, h)):
            continue  # routers without hosts so far are judged by their links
        every = format_counted(len(dragonfly.groups), "group")
        alike = every if len(kinds) == 1 else f"{kinds[kind]} of {every}, those that are alike"
        yield this.finding(
            f"{alike}: a = {a}, p = {_mean(p)}, h = {_mean(h)}; balanced is a = 2p = 2h. {_effect(a, p, h)}",
            dragonfly.groups,
            value=f"a = {a}, p = {p:.3g}, h = {h:.3g}",
            limit="a = 2p = 2h",
        )


def _mean(share: float) -> str:
    """A mean of all switches, which says so where it is no whole number: "4", "4.56 on average"."""
    return f"{share:.3g}" if math.isclose(share, round(share)) else f"{share:.3g} on average"


def _effect(a: int, p: float, h: float) -> str:
    """What limits uniform traffic."""
    if p > h * (1 + TOLERANCE) and h > 0:
        return f"Global links carry {whole_percent(h / p)} of what the hosts send."
    if 2 * max(p, h) > a * (1 + TOLERANCE):
        return "Local links fill before global ones."
    return "Hosts fill before local or global links."


def _with_groups(seen: Inspection) -> list[Dragonfly]:
    """The dragonflies of two groups or more."""
    return [one for one in seen.dragonflies if len(one.groups) > 1]


def _usual(dragonfly: Dragonfly, neighbors: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n_switches,) how many switches of its group most of its like are linked to; the more of two that are as many."""
    usual = np.zeros(len(neighbors), dtype=np.int64)
    size = sizes[dragonfly.group]
    for key in {(int(a), int(b)) for a, b in zip(size, dragonfly.role, strict=True)}:
        alike = (size == key[0]) & (dragonfly.role == key[1])
        counts = np.bincount(neighbors[alike])
        usual[alike] = len(counts) - 1 - int(np.argmax(counts[::-1]))
    return usual


def _missing_inside(
    dragonfly: Dragonfly, group: int, short: Sequence[int], usual: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Pairs of switches of a group without a link, at least one of them short of links; () in a lattice.

    All pairs count where all are to be joined; of leafs and spines those of one with the other.
    """
    own = dragonfly.members(group)
    of_role = np.bincount(dragonfly.role[own], minlength=int(dragonfly.role.max()) + 1)
    joined_pairs = {
        (min(a, b), max(a, b))
        for a, b, local in zip(dragonfly.tail.tolist(), dragonfly.head.tolist(), dragonfly.local.tolist(), strict=True)
        if local and dragonfly.group[a] == group
    }
    others = {
        one: len(own) - 1 if of_role.max() == len(own) else len(own) - of_role[dragonfly.role[one]] for one in own
    }
    if any(usual[one] != others[one] for one in short):
        return []
    whole = of_role.max() == len(own)
    return [
        (a, b)
        for a, b in combinations(own, 2)
        if (a, b) not in joined_pairs and (whole or dragonfly.role[a] != dragonfly.role[b])
    ]


def _join_inside(seen: Inspection, dragonfly: Dragonfly, group: int, pairs: Sequence[tuple[int, int]]) -> Edit | None:
    """Links between the pairs that lack one; None where ports run out."""
    label = f"Add {format_counted(len(pairs), 'local link')} in {_group(seen, dragonfly, group)}"
    return joined(seen, label, [(dragonfly.switches[a], dragonfly.switches[b]) for a, b in pairs])


def _join_groups(seen: Inspection, dragonfly: Dragonfly, pairs: Sequence[tuple[int, int]]) -> Edit | None:
    """A link for each pair of groups, between the switches with the fewest global links that have free ports."""
    load = dragonfly.global_links
    free = {one: len(seen.free_ports(dragonfly.switches[one])) for pair in pairs for one in _holders(dragonfly, *pair)}
    wanted: list[tuple[str, str]] = []
    for pair in pairs:
        ends = []
        for group in pair:
            able = [one for one in _holders(dragonfly, group) if free[one] > 0]
            if not able:
                return None
            chosen = min(able, key=lambda one: (load[one], one))
            load[chosen] += 1
            free[chosen] -= 1
            ends.append(dragonfly.switches[chosen])
        wanted.append((ends[0], ends[1]))
    first, second = pairs[0]
    where = f"{_group(seen, dragonfly, first)} and {_group(seen, dragonfly, second)}"
    n_more = len(pairs) - 1
    label = f"Join {where}" if not n_more else f"Add {format_counted(len(pairs), 'global link')}"
    return joined(seen, label, wanted)


def _holders(dragonfly: Dragonfly, *groups: int) -> list[int]:
    """Switches that hold the global links of groups: those of roles that do, else those without servers, else all."""
    holding = np.unique(dragonfly.role[dragonfly.global_links > 0])
    found: list[int] = []
    for group in groups:
        own = dragonfly.members(group)
        of_role = [one for one in own if dragonfly.role[one] in holding]
        bare = [one for one in own if not dragonfly.hosts[one]]
        found += of_role or bare or own
    return found


def _uneven_pairs(seen: Inspection, this: Rule, dragonfly: Dragonfly) -> Iterator[Finding]:
    between, kind = dragonfly.between, dragonfly.kind
    low, high = np.nonzero(np.triu(between, 1))
    counts = between[low, high]
    kinds = np.sort(np.stack([kind[low], kind[high]]), axis=0)
    for one, other in sorted({(int(a), int(b)) for a, b in kinds.T}):
        own = np.flatnonzero((kinds[0] == one) & (kinds[1] == other))
        least, most = int(counts[own].min()), int(counts[own].max())
        if most - least <= 1 and 2 * least > most:
            continue
        thin = own[counts[own] == least].tolist()
        pairs = [(int(low[number]), int(high[number])) for number in thin]
        names = [_group(seen, dragonfly, group) for group in pairs[0]]
        more = f" and {format_counted(len(pairs) - 1, 'more pair')}" if len(pairs) > 1 else ""
        n_missing = [pair for pair in pairs for _ in range(most - least)]
        yield this.finding(
            f"{format_count(least)} to {format_count(most)} global links per pair of groups, fewest between "
            f"{names[0]} and {names[1]}{more}",
            tuple(dict.fromkeys(dragonfly.groups[group] for pair in pairs for group in pair)),
            value=least,
            limit=most,
            fix=_join_groups(seen, dragonfly, n_missing),
            aspect="pairs",
        )


def _uneven_switches(seen: Inspection, this: Rule, dragonfly: Dragonfly) -> Iterator[Finding]:
    links = dragonfly.global_links
    holding = set(np.unique(dragonfly.role[links > 0]).tolist())
    alike: dict[tuple[int, int, int, int], list[tuple[int, list[int]]]] = {}
    for group in range(len(dragonfly.groups)):
        for role in sorted(holding):
            own = [one for one in dragonfly.members(group) if dragonfly.role[one] == role]
            counts = links[own]
            if len(own) < 2 or counts.max() - counts.min() <= 1:
                continue
            spread = (int(counts.min()), int(counts.max()), int((counts == counts.min()).sum()), len(own))
            alike.setdefault(spread, []).append((group, own))
    for (least, most, n_least, n_switches), groups in alike.items():
        first = _group(seen, dragonfly, groups[0][0])
        where = first if len(groups) == 1 else f"{first} and {format_counted(len(groups) - 1, 'more group')}"
        word = switch_word(seen.design, (dragonfly.switches[one] for one in groups[0][1]))
        few = f"{format_count(n_least)} of {format_counted(n_switches, word)}"
        yield this.finding(
            f"{where}: {format_count(least)} to {format_count(most)} global links per {word}; {few} "
            f"{'has' if n_least == 1 else 'have'} {format_count(least) if least else 'none'}",
            tuple(dragonfly.groups[group] for group, _ in groups),
            value=most - least,
            limit=1,
            fix=_spread(seen, dragonfly, groups, where),
            aspect="switches",
        )


def _spread(seen: Inspection, dragonfly: Dragonfly, groups: Sequence[tuple[int, list[int]]], where: str) -> Edit | None:
    """Ends of global links moved inside their groups until no two switches differ by more than one; None without ports.

    Of a crowded switch the last link goes, to the switch with the fewest.
    """
    moves = Moves(seen)
    held = _held(seen, dragonfly)
    for _, own in groups:
        while True:
            most = max(own, key=lambda one: (len(held[one]), -one))
            least = min(own, key=lambda one: (len(held[one]), one))
            if len(held[most]) - len(held[least]) <= 1:
                break
            link_id = held[most].pop()
            if not moves.move(link_id, dragonfly.switches[most], dragonfly.switches[least]):
                return None
            held[least].insert(0, link_id)
    return moves.edit(f"Spread global links evenly in {where}: move {format_counted(len(moves), 'link')}")


def _held(seen: Inspection, dragonfly: Dragonfly) -> list[list[str]]:
    """For each switch the ids of its global links, in design order."""
    near, runs = seen.adjacency, seen.survey.fabric_runs
    found: list[list[str]] = [[] for _ in dragonfly.switches]
    for at in np.flatnonzero(~dragonfly.local).tolist():
        ids = [runs[one].link.id for one in near.runs(int(dragonfly.pair[at]))]
        found[dragonfly.tail[at]] += ids
        found[dragonfly.head[at]] += ids
    for ids in found:
        ids.sort(key=order_key)
    return found


def _group(seen: Inspection, dragonfly: Dragonfly, group: int) -> str:
    return seen.design.groups[dragonfly.groups[group]].name
