"""Verbs that join devices: port to port, device to device, many to many evenly; and the cables they do it with."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from designer.errors import (
    DesignerError,
    ParameterError,
    PortError,
    PortInUseError,
    PortMismatchError,
    UnknownEntityError,
)
from designer.model import matching
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import TYPED, End, Link
from designer.model.free_ports import FreePorts
from designer.model.hardware.media import MediumType
from designer.model.hardware.types import HardwareType
from designer.model.settings import CABLE_LONGEST_M
from designer.units import format_count, format_counted

LINK_COUNT_LIMIT = 1_000_000
"""More links than this in one edit is a slip of the finger."""


class UnevenSpreadError(ParameterError):
    """The ports of a device do not divide over its partners; `links_per_pair` fits with ports left (0: none)."""

    links_per_pair = 0


def connect(design: Design, a: End, b: End, medium_id: str = "", length_m: float | None = None) -> Edit:
    """A link between two free ports that match; a reserved port may be used, as it is named on purpose.

    Raises PortError, PortInUseError or PortMismatchError naming the port.
    """
    if a.device_id == b.device_id:
        raise PortError(f"{design.device(a.device_id).name} cannot be linked to itself")
    for end in (a, b):
        check_free(design, end)
    reason = matching.why_not(design, a, b)
    if reason is not None:
        raise PortMismatchError(reason)
    if medium_id and not isinstance(design.types.get(medium_id), MediumType):
        raise UnknownEntityError(f"the design has no cable type {medium_id!r}")
    if length_m is not None:
        length_m = checked_length_m(length_m)
    source = "" if length_m is None else TYPED
    chosen_by = TYPED if medium_id else ""
    link = Link(design.new_ids("links", 1)[0], a, b, medium_id, length_m, source, medium_source=chosen_by)
    return Edit(f"Connect {_names(design, a.device_id, b.device_id)}", added([link]))


def connect_devices(design: Design, a_id: str, b_id: str, count: int = 1) -> Edit:
    """`count` links over the next free matching ports, in port order, or none.

    A server meets a switch of rail r with the NIC of GPU r first, and one of another network with one NIC after the
    other, over cages that have no link between the two. Raises NoFreePortError, PortMismatchError.
    """
    ends = _spread(design, FreePorts(design), [a_id], [b_id], count)
    return Edit(f"Connect {_names(design, a_id, b_id)}", added(_links(design, ends)))


def connectable(design: Design, a_id: str, b_id: str) -> str | None:
    """Why `connect_devices` would refuse, or None: cheap enough to ask at every move of the mouse."""
    try:
        _spread(design, FreePorts(design), [a_id], [b_id], 1)
    except DesignerError as error:
        return str(error)
    return None


def connect_evenly(
    design: Design, a_ids: Iterable[str], b_ids: Iterable[str], links_per_pair: int | None = None
) -> Edit:
    """The same number of links from every a to every b, all or none.

    None: as many as the free ports allow; refused where the ports of an a would not divide over the b's.
    Raises NoFreePortError, PortMismatchError, or UnevenSpreadError with the number that would fit.
    """
    a_list, b_list = list(dict.fromkeys(a_ids)), list(dict.fromkeys(b_ids))
    free = FreePorts(design)
    if links_per_pair is None:
        links_per_pair = _even_share(design, free, a_list, b_list)
    ends = _spread(design, free, a_list, b_list, links_per_pair)
    return Edit(f"Connect {len(a_list)} to {len(b_list)} evenly", added(_links(design, ends)))


def complete_evenly(
    design: Design, a_ids: Iterable[str], b_ids: Iterable[str], links_per_pair: int | None = None
) -> Edit:
    """As many links between every a and every b in all, those that are there counted: only what lacks is added.

    None: as many in all as the free ports allow. A pair that has more keeps them. Raises as `connect_evenly`, and
    ParameterError where no pair lacks any.
    """
    a_list, b_list = list(dict.fromkeys(a_ids)), list(dict.fromkeys(b_ids))
    _check_sides(design, a_list, b_list)
    _check_count(links_per_pair or 1, a_list, b_list)
    between = links_between(design, [*a_list, *b_list])
    there = {(a_id, b_id): between.get(frozenset((a_id, b_id)), 0) for a_id in a_list for b_id in b_list}
    if len(set(there.values())) == 1:  # every pair lacks as many
        n_there = next(iter(there.values()))
        if links_per_pair is None or links_per_pair > n_there:
            more = None if links_per_pair is None else links_per_pair - n_there
            return connect_evenly(design, a_list, b_list, more)
    free = FreePorts(design)
    if links_per_pair is None:
        links_per_pair = _most_in_all(free, a_list, b_list, there)
    lacking = {pair: max(0, links_per_pair - n_there) for pair, n_there in there.items()}
    if not any(lacking.values()):
        n_least = min(there.values())
        has = format_counted(n_least, "link")
        raise ParameterError(f"every pair has {has} or more already: ask for {n_least + 1} or more to add any")
    ends = _spread_pairs(free, a_list, b_list, lacking)
    return Edit(f"Connect {len(a_list)} to {len(b_list)} evenly", added(_links(design, ends)))


def set_cable(
    design: Design, link_ids: Iterable[str], medium: MediumType | None = None, length_m: float | None = None
) -> Edit:
    """The links over this kind of cable with this length; None takes the cable, or the length, off again."""
    if length_m is not None:
        length_m = checked_length_m(length_m)
    ids = list(dict.fromkeys(link_ids))
    changes: list[Change] = []
    for link_id in ids:
        if link_id not in design.links:
            raise UnknownEntityError(f"there is no link with id {link_id!r}")
        link = design.links[link_id]
        source = "" if length_m is None else TYPED
        medium_id = medium.id if medium else ""
        chosen_by = link.medium_source if medium_id == link.medium_id else (TYPED if medium_id else "")
        after = replace(link, medium_id=medium_id, medium_source=chosen_by, length_m=length_m, length_source=source)
        if after != link:
            changes.append(Change(link, after))
    types: list[HardwareType] = [medium] if medium and medium.id not in design.types and changes else []
    return Edit(f"Cable {len(ids)} link{'s' if len(ids) != 1 else ''}", (*added(types), *changes))


def links_between(design: Design, device_ids: Sequence[str]) -> dict[frozenset[str], int]:
    """How many links join each two of the devices; pairs without any are left out."""
    inside = set(device_ids)
    counts: dict[frozenset[str], int] = {}
    for one in inside:
        for link in design.links_of(one):
            pair = frozenset((link.a.device_id, link.b.device_id))
            if link.a.device_id == one and pair <= inside:
                counts[pair] = counts.get(pair, 0) + 1
    return counts


def checked_length_m(length_m: float) -> float:
    """The length of a cable. Raises ParameterError for one that no cable has."""
    if not (math.isfinite(length_m) and 0 <= length_m <= CABLE_LONGEST_M):
        raise ParameterError(f"a cable is between 0 and {CABLE_LONGEST_M:,.0f} m long, not {length_m:g} m")
    return float(length_m)


def check_free(design: Design, end: End) -> None:
    """Raises PortError where the port does not exist, PortInUseError where it carries a link."""
    if design.port(end) is None:
        ports = design.ports(end.device_id)
        has = f"its {len(ports)} ports run from {ports[0].name} to {ports[-1].name}" if ports else "it has no ports"
        raise PortError(f"{design.device(end.device_id).name} has no port {end.port!r}: {has}")
    for link_id in design.links_at(end):
        link = design.links[link_id]
        other = link.b if link.a == end else link.a
        raise PortInUseError(f"{design.end_name(end)}: already linked to {design.end_name(other)}")


def _spread(
    design: Design, free: FreePorts, a_ids: Sequence[str], b_ids: Sequence[str], links_per_pair: int
) -> list[tuple[End, End]]:
    _check_sides(design, a_ids, b_ids)
    if links_per_pair < 1:
        raise ParameterError(f"{links_per_pair} links make no connection: ask for 1 or more")
    _check_count(links_per_pair, a_ids, b_ids)
    return _spread_pairs(free, a_ids, b_ids, dict.fromkeys(itertools.product(a_ids, b_ids), links_per_pair))


def _spread_pairs(
    free: FreePorts, a_ids: Sequence[str], b_ids: Sequence[str], wanted: dict[tuple[str, str], int]
) -> list[tuple[End, End]]:
    """Free ports for so many links of each pair. Raises where a device has too few."""
    for a_id in a_ids:
        if needed := sum(wanted[a_id, b_id] for b_id in b_ids):
            free.require(a_id, b_ids, needed)
    for b_id in b_ids:
        if needed := sum(wanted[a_id, b_id] for a_id in a_ids):
            free.require(b_id, a_ids, needed)
    return [free.take_pair(a_id, b_id) for a_id in a_ids for b_id in b_ids for _ in range(wanted[a_id, b_id])]


def _most_in_all(free: FreePorts, a_ids: Sequence[str], b_ids: Sequence[str], there: dict[tuple[str, str], int]) -> int:
    """The most links of each pair in all that free ports allow; at least one more than the pair with the fewest has."""
    sides = [(free.count(a_id, b_ids), [there[a_id, b_id] for b_id in b_ids]) for a_id in a_ids]
    sides += [(free.count(b_id, a_ids), [there[a_id, b_id] for a_id in a_ids]) for b_id in b_ids]

    def fits(in_all: int) -> bool:
        return all(sum(max(0, in_all - one) for one in ones) <= n_free for n_free, ones in sides)

    in_all = min(there.values()) + 1
    while fits(in_all + 1):
        in_all += 1
    return in_all


def _even_share(design: Design, free: FreePorts, a_ids: Sequence[str], b_ids: Sequence[str]) -> int:
    """Links per pair that the free ports allow, at least 1. Raises where the ports of an a do not divide."""
    _check_sides(design, a_ids, b_ids)
    tightest = min(a_ids, key=lambda a_id: free.count(a_id, b_ids))
    uplinks = free.count(tightest, b_ids)
    share, left_over = divmod(uplinks, len(b_ids))
    most = min(free.count(b_id, a_ids) for b_id in b_ids) // len(a_ids)
    if uplinks == 0 or most == 0:
        return 1  # the budget check that follows names the device without ports
    if share <= most and left_over:
        word = "uplink" if all(map(design.is_switch, b_ids)) else "port"
        many = f"{uplinks} {word}s do" if uplinks > 1 else f"1 {word} does"
        way = f"ask for {format_counted(share, 'link')} per pair, which leaves {left_over} free"
        if not share:
            way = f"choose at most {format_count(uplinks)} of them"
        error = UnevenSpreadError(
            f"{design.device(tightest).name}: {many} not spread evenly over {_counted(design, b_ids)}: {way}"
        )
        error.links_per_pair = share
        raise error
    return min(share, most)


def _check_count(links_per_pair: int, a_ids: Sequence[str], b_ids: Sequence[str]) -> None:
    if links_per_pair * len(a_ids) * len(b_ids) > LINK_COUNT_LIMIT:
        raise ParameterError(f"more than {LINK_COUNT_LIMIT:,} links at once: connect fewer devices")


def _check_sides(design: Design, a_ids: Sequence[str], b_ids: Sequence[str]) -> None:
    if not a_ids or not b_ids:
        raise ParameterError("choose at least one device on each side to connect")
    on_both = set(a_ids) & set(b_ids)
    for device_id in a_ids:
        if device_id in on_both:
            name = design.device(device_id).name
            raise PortError(
                f"{name} cannot be linked to itself" if len(a_ids) == len(b_ids) == 1 else f"{name} is on both sides"
            )


def _links(design: Design, ends: Sequence[tuple[End, End]]) -> list[Link]:
    ids = design.new_ids("links", len(ends))
    return [Link(link_id, a, b) for link_id, (a, b) in zip(ids, ends, strict=True)]


def _names(design: Design, a_id: str, b_id: str) -> str:
    return f"{design.device(a_id).name} to {design.device(b_id).name}"


def _counted(design: Design, ids: Sequence[str]) -> str:
    """ "3 spines", "1 leaf", "4 switches": what the devices are together."""
    roles = {design.device(device_id).role for device_id in ids}
    role = roles.pop() if len(roles) == 1 else ""
    if role:
        return format_counted(len(ids), role)
    words = {"switch" if design.is_switch(device_id) else "server" for device_id in ids}
    word = words.pop() if len(words) == 1 else "device"
    plural = "es" if word == "switch" else "s"
    return f"{len(ids)} {word}{plural if len(ids) > 1 else ''}"
