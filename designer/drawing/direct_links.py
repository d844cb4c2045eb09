"""Links of direct networks by class: the dimension of a torus or HyperX, and local or global in a dragonfly."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.model.entities import ROUTER_GROUPS

MOST_DIMENSIONS = 8
LEAST_ALIKE = 0.9
"""Such a share of a lattice's links joins ports of one dimension; few may be added or missing, as after edits."""
WITHIN_A_GROUP, BETWEEN_GROUPS = "Within a group", "Between groups"
ALL_TO_ALL = ", all to all"
"""After the title of links within groups whose routers are all joined to each other: from afar these are one bus."""

Codes = NDArray[np.int16]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DirectLinks:
    """The class of each link by row; those of servers, and all others, are in the last one, which has no title."""

    codes: Codes
    titles: tuple[str, ...]
    onward: Flags | None = None
    """Of a torus, whether the link's a is at the port onward, so that b is the next router along the dimension."""


def direct_links(projection: Projection) -> DirectLinks | None:
    """The classes of the links between routers; None where there is no torus, HyperX or group of routers."""
    design = projection.design
    devices = list(map(design.devices.__getitem__, projection.device_ids))
    routers = np.array([one.role == "router" for one in devices], np.bool_)
    grouped = {one.id for one in design.groups.values() if one.kind in ROUTER_GROUPS}
    if grouped:
        numbers = {one: place for place, one in enumerate(grouped)}
        groups = np.array([numbers.get(one.group_id or "", -1) for one in devices], np.int64)
        switches = (projection.kinds != SERVER) & (groups >= 0)
        return _grouped(projection, groups, switches)
    return (torus_links(projection, routers) or _lattice(projection, routers)) if routers.any() else None


def _grouped(projection: Projection, groups: NDArray[np.int64], switches: Flags) -> DirectLinks:
    between = switches[projection.ends].all(axis=1)
    of_ends = groups[projection.ends]
    codes = np.where(between, np.where(of_ends[:, 0] == of_ends[:, 1], 0, 1), 2)
    within = WITHIN_A_GROUP + ALL_TO_ALL * _are_full(groups[switches], projection.ends[codes == 0])
    return DirectLinks(codes.astype(np.int16), (within, BETWEEN_GROUPS))


def _are_full(groups: NDArray[np.int64], ends: NDArray[np.int32]) -> bool:
    """Whether all switches of these groups, at least three of some, are joined to all others of their own."""
    sizes = np.bincount(groups)
    pairs = np.unique(np.sort(ends, axis=1), axis=0)
    return bool(sizes.max(initial=0) > 2 and len(pairs) == (sizes * (sizes - 1) // 2).sum())


def torus_links(projection: Projection, routers: Flags) -> DirectLinks | None:
    """By their ports, in pairs onward and back along one dimension after another; None where one link is no such."""
    found, onward = np.full(len(projection.link_ids), -1, np.int16), np.zeros(len(projection.link_ids), np.bool_)
    for row, low, high in _between_ports(projection, routers):
        if low < 0 or high < 0 or low // 2 != high // 2 or low % 2 == high % 2 or low // 2 >= MOST_DIMENSIONS:
            return None
        found[row], onward[row] = low // 2, low % 2 == 0
    count = int(found.max(initial=-1)) + 1
    if not count:
        return None
    found[found < 0] = count
    return DirectLinks(found, tuple(f"Dimension {number + 1}" for number in range(count)), onward)


def _lattice(projection: Projection, routers: Flags) -> DirectLinks | None:
    """The links of a HyperX by their ports, dimension after dimension; None where they make no lattice.

    The routers of a line are all joined to each other, those of two lines of one router are not: where the far end of a
    port is not joined to that of the port before, the ports of the next dimension begin.
    """
    links = list(_between_ports(projection, routers))
    far: dict[int, dict[int, int]] = {}
    for row, low, high in links:
        a, b = projection.ends[row].tolist()
        far.setdefault(a, {})[low] = b
        far.setdefault(b, {})[high] = a
    joined = {router: set(others.values()) for router, others in far.items()}
    used, begun = Counter[int](), Counter[int]()
    for others in far.values():
        ports = sorted(others)
        used.update(ports)
        begun.update(
            port
            for before, port in pairwise(ports)
            if others[port] != others[before] and others[port] not in joined[others[before]]
        )
    dimension, of_port = 0, dict[int, int]()
    for port in sorted(used):
        dimension += 2 * begun[port] > used[port]
        of_port[port] = dimension
    if not 1 <= dimension < MOST_DIMENSIONS:
        return None
    found = np.full(len(projection.link_ids), dimension + 1, np.int16)
    alike = [(row, of_port[low]) for row, low, high in links if of_port[low] == of_port[high]]
    if len(alike) < LEAST_ALIKE * len(links):
        return None
    for row, number in alike:
        found[row] = number
    return DirectLinks(found, tuple(f"Dimension {number + 1}" for number in range(dimension + 1)))


def _between_ports(projection: Projection, routers: Flags) -> Iterator[tuple[int, int, int]]:
    """Row of each link between routers, with the places of its ports among those of the routers; -1 of a port unknown.

    In the order of the link's own ends, as `Projection.ends` has them.
    """
    design, known = projection.design, dict[str, dict[str, int]]()
    for row in np.flatnonzero(routers[projection.ends].all(axis=1)).tolist():
        link, places = design.links[projection.link_ids[row]], list[int]()
        for end in (link.a, link.b):
            if end.device_id not in known:
                known[end.device_id] = {port.name: index for index, port in enumerate(design.ports(end.device_id))}
            places.append(known[end.device_id].get(end.port, -1))
        yield row, places[0], places[1]
