"""Which sets of spines the leafs of a block use: the usual ones, and leafs that reach into the spines of others."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

Uppers = frozenset[str]


@dataclass(frozen=True, slots=True)
class Sets:
    """The sets of switches above that are usual, and which of them each lower switch shares most with."""

    usual: tuple[Uppers, ...]
    """Those that two switches or more use and no other, the most used first; none shares a switch with another."""
    best: Mapping[str, Uppers]
    """For each lower switch that shares some with a usual set."""

    def strays(self, lower_id: str, uppers: Uppers) -> Uppers:
        """The switches above that a lower switch reaches though they are of another usual set than its own."""
        own = self.best.get(lower_id)
        if own is None:
            return frozenset()
        if uppers <= own:
            return frozenset()
        return frozenset().union(*(one & uppers for one in self.usual if one != own))


def usual_sets(above: Mapping[str, Uppers]) -> Sets:
    """The usual sets of switches above; none where two of them share a switch, as then no block has an end."""
    counts = Counter(above.values())
    usual = [one for one in sorted(counts, key=lambda one: (-counts[one], sorted(one))) if counts[one] > 1]
    if sum(map(len, usual)) > len(frozenset().union(*usual)):
        return Sets((), {})
    of_upper = {upper: one for one in usual for upper in one}
    best: dict[str, Uppers] = {}
    for lower, uppers in above.items():
        shared = Counter(of_upper[upper] for upper in uppers if upper in of_upper)
        if shared:
            best[lower] = max(shared, key=lambda one: (shared[one], counts[one], sorted(one)))
    return Sets(tuple(usual), best)
