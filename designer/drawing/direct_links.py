"""Links of direct networks by class: the dimension of a torus, and local or global in a dragonfly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.drawing.projection import Projection
from designer.drawing.theme import SERVER
from designer.model.entities import DRAGONFLY_GROUP

MOST_DIMENSIONS = 8
WITHIN_A_GROUP, BETWEEN_GROUPS = "Within a group", "Between groups"

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
    """The classes of the links between routers; None where there is no torus and no dragonfly."""
    design = projection.design
    devices = list(map(design.devices.__getitem__, projection.device_ids))
    routers = np.array([one.role == "router" for one in devices], np.bool_)
    grouped = {one.id for one in design.groups.values() if one.kind == DRAGONFLY_GROUP}
    if grouped:
        numbers = {one: place for place, one in enumerate(grouped)}
        groups = np.array([numbers.get(one.group_id or "", -1) for one in devices], np.int64)
        switches = (projection.kinds != SERVER) & (groups >= 0)
        return _dragonfly(projection, groups, switches)
    return torus_links(projection, routers) if routers.any() else None


def _dragonfly(projection: Projection, groups: NDArray[np.int64], switches: Flags) -> DirectLinks:
    between = switches[projection.ends].all(axis=1)
    of_ends = groups[projection.ends]
    codes = np.where(between, np.where(of_ends[:, 0] == of_ends[:, 1], 0, 1), 2)
    return DirectLinks(codes.astype(np.int16), (WITHIN_A_GROUP, BETWEEN_GROUPS))


def torus_links(projection: Projection, routers: Flags) -> DirectLinks | None:
    """By their ports, in pairs onward and back along one dimension after another; None where one link is no such."""
    design = projection.design
    known: dict[str, dict[str, int]] = {}
    rows = np.flatnonzero(routers[projection.ends].all(axis=1)).tolist()
    found, onward = np.full(len(projection.link_ids), -1, np.int16), np.zeros(len(projection.link_ids), np.bool_)
    for row in rows:
        link = design.links[projection.link_ids[row]]
        places = []
        for end in (link.a, link.b):
            if end.device_id not in known:
                known[end.device_id] = {port.name: index for index, port in enumerate(design.ports(end.device_id))}
            places.append(known[end.device_id].get(end.port, -1))
        low, high = places
        if low < 0 or high < 0 or low // 2 != high // 2 or low % 2 == high % 2 or low // 2 >= MOST_DIMENSIONS:
            return None
        found[row], onward[row] = low // 2, low % 2 == 0
    count = int(found.max(initial=-1)) + 1
    if not count:
        return None
    found[found < 0] = count
    return DirectLinks(found, tuple(f"Dimension {number + 1}" for number in range(count)), onward)
