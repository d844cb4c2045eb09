"""Which link of one design is which of another: by both ends, then by id or one end; or by the devices it joins."""

from collections import defaultdict

from designer.analysis.counterparts.pairs import Pairs
from designer.model.design import Design
from designer.model.entities import End, Link, in_order

_Key = tuple[tuple[str, str], ...]


def match_links(before: Design, after: Design, devices: Pairs, *, related: bool) -> Pairs:
    """Pairs of links: those between the same ports, then those with an id in common, then those at one same port."""
    pairs = Pairs()
    left = _match_ports(before, after, devices, pairs)
    if related:
        for one in left:
            if one in after.links and _has_moved(before.links[one], after.links[one], devices):
                pairs.join(one, one)
    _match_ends(before, after, devices, pairs)
    return pairs


def match_links_by_devices(before: Design, after: Design, devices: Pairs) -> Pairs:
    """Pairs of links of designs that were made apart: between the same ports, then between the same devices in order.

    What joins other devices is another link, whatever its id and its ports.
    """
    pairs = Pairs()
    left = _match_ports(before, after, devices, pairs)
    there: dict[frozenset[str], list[str]] = defaultdict(list)
    for other in reversed(in_order(list(pairs.left_after(after.links)))):
        link = after.links[other]
        there[frozenset((link.a.device_id, link.b.device_id))].append(other)
    for one in left:
        known = _known_ends(before.links[one], devices)
        same = there.get(frozenset(end.device_id for end in known)) if len(known) == 2 else None
        if same:
            pairs.join(one, same.pop())
    return pairs


def _match_ports(before: Design, after: Design, devices: Pairs, pairs: Pairs) -> list[str]:
    """Join links between the same ports; the ids of the earlier design that are left, in order."""
    there: dict[_Key, list[str]] = defaultdict(list)
    for other, link in after.links.items():
        there[_ends(link.a, link.b)].append(other)
    left = list[str]()
    for one in in_order(before.links):
        was = before.links[one]
        known = _known_ends(was, devices)
        same = there.get(_ends(*known)) if len(known) == 2 else None
        if same is None:
            left.append(one)
            continue
        partner = one if one in same else next((other for other in same if other not in pairs.earlier), "")
        if not (partner and pairs.join(one, partner)):
            left.append(one)
    return left


def _has_moved(was: Link, now: Link, devices: Pairs) -> bool:
    """Whether it is the same cable: at a port where it was, or between the same devices."""
    known = _known_ends(was, devices)
    between = {end.device_id for end in known} == {now.a.device_id, now.b.device_id}
    return between or now.a in known or now.b in known


def _match_ends(before: Design, after: Design, devices: Pairs, pairs: Pairs) -> None:
    """Join links whose one end is where it was."""
    at: dict[End, list[str]] = defaultdict(list)
    for other in in_order(list(pairs.left_after(after.links))):
        link = after.links[other]
        at[link.a].append(other)
        at[link.b].append(other)
    for one in in_order(list(pairs.left_before(before.links))):
        for end in _known_ends(before.links[one], devices):
            if any(pairs.join(one, other) for other in at.get(end, ()) if other not in pairs.earlier):
                break


def _known_ends(link: Link, devices: Pairs) -> list[End]:
    """The ends as the later design has them, without those at devices that are not there."""
    ends = ((devices.later.get(end.device_id), end.port) for end in (link.a, link.b))
    return [End(device_id, port) for device_id, port in ends if device_id is not None]


def _ends(a: End, b: End) -> _Key:
    one, other = (a.device_id, a.port), (b.device_id, b.port)
    return (one, other) if one <= other else (other, one)
