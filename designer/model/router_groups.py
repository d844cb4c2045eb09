"""Groups of routers made by hand, as a dragonfly has them: full inside, joined by global links."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from designer.errors import NoFreePortError, ParameterError, UnknownEntityError
from designer.model import arranging
from designer.model.design import Design
from designer.model.edit import Change, Edit, added
from designer.model.entities import DRAGONFLY_GROUP, Device, End, Link
from designer.model.free_ports import FreePorts
from designer.model.wiring import links_between

Pairs = list[tuple[str, str]]


def make_router_group(
    design: Design, router_ids: Sequence[str], links_per_pair: int = 1, name: str | None = None
) -> Edit:
    """Every two of the routers joined by `links_per_pair` links, counting those there, and all in one group.

    Servers whose links all lead to these routers come into the group with them; a group that holds just these routers
    is kept. Raises ParameterError, NoFreePortError, PortMismatchError.
    """
    routers = list(dict.fromkeys(router_ids))
    if len(routers) < 2:
        raise ParameterError("choose two or more routers to make a group of")
    for one in routers:
        if not design.is_switch(one):
            raise ParameterError(f"{design.device(one).name} is a server: a group is made of routers")
    if links_per_pair < 1:
        raise ParameterError(f"{links_per_pair} links make no group: enter 1 or more per pair")
    there = links_between(design, routers)
    missing = [
        (a, b)
        for a, b in itertools.combinations(routers, 2)
        for _ in range(links_per_pair - there.get(frozenset((a, b)), 0))
    ]
    links = _joined(design, missing)
    gathered = _gathered(design, routers, name)
    return Edit(f"Make {len(routers)} routers per group", (*gathered, *added(links)))


def join_groups(design: Design, group_ids: Sequence[str], links_per_pair: int = 1) -> Edit:
    """Every two of the groups joined by `links_per_pair` further global links.

    Each link starts at the router of its group that has the fewest global links so far, so that they differ by one at
    most while ports allow. Where some switches of a group have no servers (the spines of a dragonfly+), these carry
    the links. Raises ParameterError, NoFreePortError, PortMismatchError.
    """
    groups = list(dict.fromkeys(group_ids))
    if len(groups) < 2:
        raise ParameterError("choose two or more groups to join")
    if links_per_pair < 1:
        raise ParameterError(f"{links_per_pair} links make no connection: enter 1 or more per pair")
    routers = {group_id: global_routers(design, group_id) for group_id in groups}
    home = {router: group_id for group_id, found in routers.items() for router in found}
    if len(home) < sum(map(len, routers.values())):
        raise ParameterError("one of these groups lies in another: choose groups side by side")
    load = {router: _global_links(design, router, group_id) for router, group_id in home.items()}
    free = {router: len(design.free_ports(router)) for router in home}
    wanted: Pairs = []
    for _ in range(links_per_pair):
        for a, b in _round_robin(groups):
            ends = []
            for group_id, other in ((a, b), (b, a)):
                able = [router for router in routers[group_id] if free[router]]
                if not able:
                    raise NoFreePortError(
                        f"{design.groups[group_id].name} has no free port left for a link to "
                        f"{design.groups[other].name}"
                    )
                ends.append(min(able, key=lambda router: (load[router], routers[home[router]].index(router))))
                load[ends[-1]] += 1
                free[ends[-1]] -= 1
            wanted.append((ends[0], ends[1]))
    links = _joined(design, wanted)
    kinds = [
        Change(group, replace(group, kind=DRAGONFLY_GROUP))
        for group in (design.groups[one] for one in groups)
        if group.kind == "group"
    ]
    return Edit(f"Join {len(groups)} groups", (*kinds, *added(links)))


def most_links_per_pair(design: Design, group_ids: Sequence[str]) -> int:
    """How many links between each two groups their free ports allow."""
    groups = list(dict.fromkeys(group_ids))
    if len(groups) < 2:
        return 0
    free = [sum(len(design.free_ports(one)) for one in global_routers(design, group_id)) for group_id in groups]
    return min(free) // (len(groups) - 1)


def global_routers(design: Design, group_id: str) -> list[str]:
    """Switches that carry a group's global links: those without servers where there are both, else all.

    Raises ParameterError for a group without switches.
    """
    switches = [one for one in _devices_in(design, group_id) if design.is_switch(one)]
    if not switches:
        raise ParameterError(f"{design.groups[group_id].name} has no switch in it: there is nothing to join")
    bare = [one for one in switches if not any(map(design.is_server, _neighbours(design, one)))]
    return bare if bare and len(bare) < len(switches) else switches


def _devices_in(design: Design, group_id: str) -> list[str]:
    if group_id not in design.groups:
        raise UnknownEntityError(f"there is no group with id {group_id!r}")
    found: list[str] = []
    for member in design.members(group_id):
        if member in design.groups:
            found += _devices_in(design, member)
        elif member in design.devices:
            found.append(member)
    return found


def _neighbours(design: Design, device_id: str) -> list[str]:
    ends = ((link.a.device_id, link.b.device_id) for link in design.links_of(device_id))
    return [b if a == device_id else a for a, b in ends]


def _global_links(design: Design, router: str, group_id: str) -> int:
    """Links of a router to switches outside its group."""
    inside = set(_devices_in(design, group_id))
    return sum(design.is_switch(one) and one not in inside for one in _neighbours(design, router))


def _round_robin(groups: Sequence[str]) -> Pairs:
    """Every two of the groups once, so ordered that each group has its turn before any has its second."""
    # The circle method of tournaments; None stands out.
    ring: list[str | None] = [*groups, *([None] if len(groups) % 2 else [])]
    pairs: Pairs = []
    for _ in range(len(ring) - 1):
        for a, b in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
            if a is not None and b is not None:
                pairs.append((a, b))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return pairs


def _joined(design: Design, pairs: Pairs) -> list[Link]:
    budget = FreePorts(design)
    partners: dict[str, list[str]] = {}
    for a, b in pairs:
        partners.setdefault(a, []).append(b)
        partners.setdefault(b, []).append(a)
    for one, others in partners.items():
        budget.require(one, others, len(others))
    ends: list[tuple[End, End]] = [budget.take_pair(a, b) for a, b in pairs]
    ids = design.new_ids("links", len(ends))
    return [Link(link_id, a, b) for link_id, (a, b) in zip(ids, ends, strict=True)]


def _gathered(design: Design, routers: Sequence[str], name: str | None) -> tuple[Change, ...]:
    """The changes that make one group of the routers and the servers on them."""
    inside = set(routers)
    homes = {design.device(one).group_id for one in routers}
    home = homes.pop() if len(homes) == 1 else None
    if home is not None and {one for one in _devices_in(design, home) if design.is_switch(one)} == inside:
        group = design.groups[home]
        kept = replace(group, kind=DRAGONFLY_GROUP, name=name or group.name)
        named = tuple(Change(one, routed) for one in map(design.device, routers) if (routed := _routed(one)) != one)
        return named if kept == group else (*named, Change(group, kept))
    hosts = dict.fromkeys(
        one
        for router in routers
        for one in _neighbours(design, router)
        if design.is_server(one) and set(_neighbours(design, one)) <= inside
    )
    taken = {group.name for group in design.groups.values()}
    free = next(f"Group {number}" for number in itertools.count(1) if f"Group {number}" not in taken)
    edit = arranging.group(design, [*routers, *hosts], name or free, DRAGONFLY_GROUP)
    return tuple(
        Change(change.before, _routed(change.after))
        if isinstance(change.after, Device) and change.after.id in inside
        else change
        for change in edit.changes
    )


def _routed(device: Device) -> Device:
    return device if device.role else replace(device, role="router")
