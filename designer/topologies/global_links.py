"""Which global links join the groups of a dragonfly: arrangements of the literature, with any number of groups.

A group has n = a * h global links, numbered router by router: link l is on router l // h. With g groups each of the
other g - 1 gets the same number of them, floor(n / (g - 1)) unless fewer are asked for; what is left stays free.
Of each run of g - 1 links, link l of group G leads

relative   to group (G + l + 1) mod g, where it is link g - 2 - l of the run;
absolute   to group l, or l + 1 from G on, where it is link G, or G - 1 after the group itself.

Source: E. Hastings et al., "Comparing Global Link Arrangements for Dragonfly Networks" (2015); the relative one with
g = a * h + 1 is that of the explicit flow sets of the peer results.
"""

from collections.abc import Iterator
from typing import Any

from designer.errors import ParameterError
from designer.fields import kinds
from designer.fields.field import setting
from designer.topologies.blueprint import Wire
from designer.units import format_count

ARRANGEMENT_CHOICES = ("relative", "absolute")


def groups_parameter(most: str) -> Any:
    """The setting for the number of groups; `most` is the formula its help shows, as "a*h"."""
    return setting(
        None,
        title="Groups",
        help=f"Number of groups; if left out, {most} + 1, the most there can be.",
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
        help=f"Which {holder} holds the link to which group: relative to its own group, or by the group's number.",
        kind=kinds.CHOICE,
        choices=ARRANGEMENT_CHOICES,
    )


def links_per_pair(ports: int, groups: int, wanted: int | None) -> int:
    """Links between each two groups of `ports` global ports each; all that spread evenly where not said.

    Raises ParameterError where the ports do not suffice.
    """
    if groups == 1:
        return 0
    most = ports // (groups - 1)
    if most == 0:
        raise ParameterError(
            f"{format_count(groups)} groups need {format_count(groups - 1)} global links each; "
            f"a group has {format_count(ports)}: {format_count(ports + 1)} groups at most"
        )
    if wanted is not None and wanted > most:
        raise ParameterError(
            f"{format_count(wanted)} links per pair of {format_count(groups)} groups need "
            f"{format_count(wanted * (groups - 1))} global links each; a group has {format_count(ports)}"
        )
    return most if wanted is None else wanted


def global_links(groups: int, per_pair: int, arrangement: str) -> Iterator[tuple[int, int, int, int]]:
    """Links as (group, its link, other group, its link there), each once, group by group."""
    for group in range(groups):
        for run in range(per_pair):
            first = run * (groups - 1)
            for link in range(groups - 1):
                if arrangement == "relative":
                    other, back = (group + link + 1) % groups, groups - 2 - link
                else:
                    other = link if link < group else link + 1
                    back = group if group < other else group - 1
                if group < other:
                    yield group, first + link, other, first + back


def global_wires(
    groups: int, per_pair: int, arrangement: str, per_group: int, per_switch: int, first_port: int
) -> Iterator[Wire]:
    """The global links of groups of `per_group` switches, each with `per_switch` of them from port `first_port` on."""
    for group, link, other, back in global_links(groups, per_pair, arrangement):
        yield (
            group * per_group + link // per_switch,
            first_port + link % per_switch,
            other * per_group + back // per_switch,
            first_port + back % per_switch,
        )
