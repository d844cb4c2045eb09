"""Which global links join the groups of a dragonfly: arrangements of the literature, with any number of groups.

Every two groups are joined by a number of links that depends on their kinds alone (group_kinds). A group numbers its
links: those of the literature take each other group once, then once more and so on, in an order of their own:

relative    from the next group on: G + 1, G + 2, .., modulo the number of groups;
absolute    from the first group on, by number;
circulant   by distance, both ways in turn: G + 1, G - 1, G + 2, G - 2, ..

and switches take h links each, one switch after another. With fewer links than ports the last switches have none.
`even` numbers all links to the next group, then those to the one after, and switches take them in turn: no two of a
group differ by more than one link, and links of one pair of groups are on as many switches as there can be.

Source: E. Hastings et al., "Comparing Global Link Arrangements for Dragonfly Networks" (2015); the relative one with
g = a * h + 1 is that of the explicit flow sets of the peer results. The even one is nobody's: systems in service do not
publish theirs.
"""

from collections.abc import Iterator
from typing import Any

from designer.fields import kinds
from designer.fields.field import setting
from designer.topologies.blueprint import Wire
from designer.topologies.group_kinds import GroupKind, GroupPlan
from designer.units import format_count, format_counted

ARRANGEMENT_CHOICES = ("relative", "absolute", "circulant", "even")


def groups_parameter(most: str) -> Any:
    """The setting for the number of groups; `most` is the formula its help shows, as "a*h"."""
    return setting(
        None,
        title="Groups",
        help=f"Number of groups; if left out, {most} + 1, the most there can be, less those of other kinds.",
        kind=kinds.COUNT,
    )


def links_per_pair_parameter() -> Any:
    """The setting for the global links between each two groups; None for as many as the ports allow."""
    return setting(
        None,
        title="Links per pair",
        help="Global links between every two groups; if left out, as many as the ports allow.",
        kind=kinds.COUNT,
    )


def arrangement_parameter(holder: str) -> Any:
    """The setting for the arrangement of global links; `holder` is what holds them, as "router" or "spine"."""
    return setting(
        "relative",
        title="Arrangement",
        help=f"Which {holder} has the link to which group. relative: from the next group on, {holder} by {holder}; "
        f"absolute: by the group's number; circulant: by distance, both ways in turn; even: every {holder} has as many "
        "links as any other, or one more or less.",
        kind=kinds.CHOICE,
        choices=ARRANGEMENT_CHOICES,
    )


Place = tuple[int, int]
"""A switch of a group that holds global links, and which of its global links, both from 0."""


def global_wires(
    plan: GroupPlan, arrangement: str, low: int, high: int, first_ports: tuple[int, int]
) -> Iterator[Wire]:
    """The global links between groups of two kinds, from the given port of a switch on for each of the two."""
    one, another = plan.kinds[low], plan.kinds[high]
    for group, (switch, link), other, (far_switch, far_link) in global_links(plan, arrangement):
        # Groups are numbered kind by kind, so the lower group is of the lower kind.
        if group in one.numbers and other in another.numbers:
            yield (
                (group - one.first) * one.holders + switch,
                first_ports[0] + link,
                (other - another.first) * another.holders + far_switch,
                first_ports[1] + far_link,
            )


def global_links(plan: GroupPlan, arrangement: str) -> Iterator[tuple[int, Place, int, Place]]:
    """Links as (group, its place there, other group, its place there), each once, group by group."""
    kind_of = plan.kind_of()
    orders = [list(_in_order(plan, kind_of, arrangement, group)) for group in range(plan.n_groups)]
    places = [
        {link: _place(plan.kinds[kind_of[group]], arrangement, number) for number, link in enumerate(order)}
        for group, order in enumerate(orders)
    ]
    for group, order in enumerate(orders):
        for other, run in order:
            if group < other:
                yield group, places[group][other, run], other, places[other][group, run]


def idle_switches(plan: GroupPlan, arrangement: str, holder: str) -> str:
    """A sentence on switches without a global link where the even arrangement would give them one; "" for none."""
    for number, one in enumerate(plan.kinds):
        used = plan.used(number)
        holding, could = -(-used // one.h), min(one.holders, used)
        if arrangement != "even" and holding < could:
            return (
                f"Only {format_count(holding)} of the {format_counted(one.holders, holder)} of a group have global "
                f"links in the {arrangement} arrangement; in the even one {format_count(could)} have."
            )
    return ""


def _in_order(plan: GroupPlan, kind_of: list[int], arrangement: str, group: int) -> Iterator[tuple[int, int]]:
    """The links of a group in the order in which it numbers them, as (other group, which of the links to it)."""
    count, kind = plan.n_groups, kind_of[group]
    others = [other % count for other in range(group + 1, group + count)]
    if arrangement == "absolute":
        others.sort()
    elif arrangement == "circulant":
        others.sort(key=lambda other: _turn((other - group) % count, count))
    of_others = [(other, plan.per_pair[min(kind, kind_of[other]), max(kind, kind_of[other])]) for other in others]
    if arrangement == "even":
        yield from ((other, run) for other, n_links in of_others for run in range(n_links))
        return
    most = max((n_links for _, n_links in of_others), default=0)
    yield from ((other, run) for run in range(most) for other, n_links in of_others if run < n_links)


def _turn(ahead: int, count: int) -> int:
    """Its turn in +1, -1, +2, -2, .., of the group so many ahead."""
    return 2 * ahead - 1 if 2 * ahead <= count else 2 * (count - ahead)


def _place(kind: GroupKind, arrangement: str, number: int) -> Place:
    """Where a group has its link of that number."""
    if arrangement == "even":
        link, switch = divmod(number, kind.holders)
        return switch, link
    return divmod(number, kind.h)
