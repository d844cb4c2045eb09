"""Whether two designs are alternatives that were made apart, or versions of one."""

from designer.analysis.counterparts.pairs import Pairs
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.tables.columns import whole_percent
from designer.units import format_count

LEAST_ALIKE = 0.75
"""Share of what the smaller design has: where less of it is in the other, the two are alternatives."""
FEW = 4
"""So many devices or links are changed by hand in the smallest design, too: whatever their share, it is a version."""
SAME = "Links between the same devices count as the same, whatever their ports, cable numbers and lengths."
"""How links of alternatives are compared."""


def why_alternatives(before: Design, after: Design, devices: Pairs, links: Pairs, by_devices: Pairs) -> str:
    """By which rule two designs are alternatives, as sentences; "" of versions of one design.

    Designs that recorded a revision in common are versions; of others the devices, of the same type, and the links,
    between the same ports, decide; then the links between switches that `links`, pairs by port and id, lead to other
    devices, while `by_devices` finds them between the same ones. A design that only grew is a version.
    """
    if _revisions(before) & _revisions(after):
        return ""
    n_devices = sum(before.devices[one].type_id == after.devices[other].type_id for one, other in devices.later.items())
    n_links = sum(_ends(before.links[one], devices) == _own(after.links[other]) for one, other in links.later.items())
    for what, alike, smaller in (
        ("devices are of the same type", n_devices, min(len(before.devices), len(after.devices))),
        ("links join the same ports", n_links, min(len(before.links), len(after.links))),
    ):
        if smaller - alike > max((1 - LEAST_ALIKE) * smaller, FEW):
            return (
                f"Compared as alternatives: the designs have no revision in common, and only {format_count(alike)} of "
                f"{format_count(smaller)} {what} in both, less than {whole_percent(LEAST_ALIKE)}. {SAME}"
            )
    between = [one for one in before.links.values() if _joins_switches(before, one)]
    strayed = sum(one.id in by_devices.later and _leads_elsewhere(one, after, devices, links) for one in between)
    smaller = min(len(between), sum(_joins_switches(after, one) for one in after.links.values()))
    if strayed > max((1 - LEAST_ALIKE) * smaller, FEW):
        return (
            f"Compared as alternatives: the designs have no revision in common, and {format_count(strayed)} of "
            f"{format_count(smaller)} links between switches join the same switches in both through other ports, more "
            f"than {whole_percent(1 - LEAST_ALIKE)}. {SAME}"
        )
    return ""


def _revisions(design: Design) -> set[str]:
    return {one.digest for one in design.revisions.values() if one.digest}


def _joins_switches(design: Design, link: Link) -> bool:
    return design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id)


def _leads_elsewhere(link: Link, after: Design, devices: Pairs, links: Pairs) -> bool:
    """Whether it has no counterpart by port and id, or one between other devices."""
    other = links.later.get(link.id)
    if other is None:
        return True
    there = after.links[other]
    now = {there.a.device_id, there.b.device_id}
    return {devices.later.get(end.device_id) for end in (link.a, link.b)} != now


def _own(link: Link) -> frozenset[End]:
    return frozenset((link.a, link.b))


def _ends(link: Link, devices: Pairs) -> frozenset[End]:
    """Both ends as the later design has them."""
    return frozenset(End(devices.later.get(end.device_id, ""), end.port) for end in (link.a, link.b))
