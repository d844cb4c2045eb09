"""The rule about cycles of buffers, in which lossless traffic can block for ever."""

from collections.abc import Iterator

import numpy as np

from designer.analysis.buffer_cycles import is_up_and_down, shortest_cycle
from designer.analysis.tiers import ROUTER
from designer.units import format_counted
from designer.validation.findings import Finding, NotChecked, Severity
from designer.validation.inspection import Inspection
from designer.validation.rule import Rule, rule
from designer.validation.scope import CABLING, Scope

MOST_NAMED = 6


@rule(
    "DEADLOCK-001",
    Severity.WARNING,
    "Cycle of buffers",
    "Lossless traffic on shortest paths can fill these buffers in turn, until each waits for the next and none moves.",
    remedy="Connect the leafs that have no switch above in common to the same ones, or route up and down only.",
    example="Four leafs and four spines in a ring: each leaf has uplinks to two spines, each spine serves two leafs.",
    source="W. Dally, C. Seitz, “Deadlock-Free Message Routing in Multiprocessor Interconnection Networks” (1987).",
    scope=Scope.NETWORK,
    reads=CABLING,
)
def cycle_of_buffers(seen: Inspection, this: Rule) -> Iterator[Finding | NotChecked]:
    """Finds the shortest cycle of channels that wait for each other when traffic takes all shortest paths.

    Links of routers (of tori, dragonflies and the like) are left out: their routing has virtual channels for that.
    Subjects are the switches around the cycle.
    """
    near = seen.adjacency
    routers = np.array([seen.survey.role[one] == ROUTER for one in near.ids], dtype=bool)
    pairs = near.of_switches
    pairs = pairs[~routers[near.low[pairs]] & ~routers[near.high[pairs]]]
    if is_up_and_down(near, pairs):
        return
    cycle = shortest_cycle(near, pairs)
    if cycle is None:
        yield this.not_checked("too many switches whose paths do not only climb and descend")
    elif cycle:
        ids = [near.ids[one] for one in cycle]
        names = [seen.name(one) for one in ids]
        shown = [*names[:MOST_NAMED], "..."] if len(names) > MOST_NAMED else names
        yield this.finding(
            f"Shortest paths form a cycle of {format_counted(len(ids), 'buffer')}: {' to '.join([*shown, names[0]])}",
            tuple(dict.fromkeys(ids)),
            value=len(ids),
            limit=0,
        )
