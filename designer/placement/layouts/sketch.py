"""What is to be laid out, as arrays: boxes, who is joined to whom, and how far each switch is above the servers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from designer.late import Late
from designer.model.design import Design
from designer.model.entities import Device, in_order, order_key
from designer.model.hardware.servers import ServerType
from designer.model.networks import COMPUTE, NETWORKS, network_of_switch

csgraph = Late("scipy.sparse.csgraph")
sparse = Late("scipy.sparse")

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

RANKS = {"leaf": 1, "router": 1, "spine": 2, "core": 3}
DIRECT_SHARE = 0.75
"""With more links between switches of one level than this share of those switches, they make a direct network."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Devices by row, in the order of their ids."""

    ids: tuple[str, ...]
    servers: Flags  # (n,)
    pairs: Ints  # (k, 2) rows that any links join, the lower first, each once
    networks: Ints  # (n,) place in NETWORKS of switches; 0 of servers
    ranks: Ints  # (n,) of switches by role; 0 where it says nothing
    groups: Ints  # (n,) number of the innermost group; -1 outside all
    parents: Ints  # (n_groups,) number of the group around each; -1 of outermost ones
    at: Floats  # (n, 2) where they stand

    def part(self, own: Ints) -> "Sketch":
        """These rows alone, with the links between them."""
        place = np.full(len(self.ids), -1, np.int64)
        place[own] = np.arange(len(own))
        pairs = place[self.pairs]
        return Sketch(
            tuple(self.ids[row] for row in own.tolist()),
            self.servers[own],
            pairs[(pairs >= 0).all(axis=1)],
            self.networks[own],
            self.ranks[own],
            self.groups[own],
            self.parents,
            self.at[own],
        )


@dataclass(frozen=True, slots=True)
class Joins:
    """Which devices the links of a design join, as something has them that read it already."""

    ids: Sequence[str]
    ends: NDArray[np.int32]  # (n_links, 2) places in `ids`


def sketch_of(design: Design, ids: Sequence[str], joins: Joins | None = None) -> Sketch:
    """The placed devices among the ids, and the links between them.

    With the `joins` of all placed devices, the links need not be read again.
    """
    known, placements = design.devices, design.placements
    chosen = [one for one in ids if one in known and one in placements]
    chosen = _in_order_of(joins, chosen) if joins is not None else in_order(chosen)
    devices = [*map(known.__getitem__, chosen)]
    sort, sorts = _sorts(devices)
    of_servers = {type_.id for type_ in design.types.values() if isinstance(type_, ServerType)}
    is_server = np.array([one.type_id in of_servers for one in sorts], np.bool_)
    network = np.array([NETWORKS.index(network_of_switch(one)) for one in sorts], np.int64)
    rank = np.array([RANKS.get(one.role.lower(), 0) for one in sorts], np.int64)
    groups, parents = _groups(design)
    of_group = _numbers(map(groups.get, map(attrgetter("group_id"), devices), repeat(-1)), len(devices))
    places = [*map(placements.__getitem__, chosen)]
    at = np.stack([np.fromiter(map(attrgetter(axis), places), float, len(places)) for axis in "xy"], axis=1)
    return Sketch(
        tuple(chosen),
        is_server[sort],
        _pairs(*(_ends(design, chosen) if joins is None else _ends_among(joins, chosen)), len(chosen)),
        np.where(is_server, 0, network)[sort],
        rank[sort],
        of_group,
        parents,
        at,
    )


def _groups(design: Design) -> tuple[dict[str | None, int], Ints]:
    """The number of each group, those within a group after it and before any other, and the number of that around."""
    within: dict[str | None, list[str]] = {}
    for one, group in design.groups.items():
        within.setdefault(group.parent_id, []).append(one)
    numbers, parents = dict[str | None, int](), list[int]()
    waiting = sorted(within.get(None, ()), key=order_key, reverse=True)
    while waiting:
        one = waiting.pop()
        numbers[one] = len(parents)
        parents.append(numbers.get(design.groups[one].parent_id, -1))
        waiting += sorted(within.get(one, ()), key=order_key, reverse=True)
    return numbers, np.array(parents, np.int64)


def _in_order_of(joins: Joins, chosen: list[str]) -> list[str]:
    """The chosen ids in stable order, without sorting where they are those that the joins have in order."""
    if len(chosen) == len(joins.ids) and set(chosen).issuperset(joins.ids):
        return [*joins.ids]
    return in_order(chosen)


def _sorts(devices: Sequence[Device]) -> tuple[Ints, list[Device]]:
    """The number of each device's sort, by type, role and network, and one device of each sort."""
    keys = [*map(attrgetter("type_id", "role", "network"), devices)]
    of_sort = dict(zip(keys, devices, strict=True))
    number = {key: place for place, key in enumerate(of_sort)}
    return _numbers(map(number.__getitem__, keys), len(keys)), list(of_sort.values())


def _numbers(found: Iterable[int], count: int) -> Ints:
    return np.fromiter(found, np.int64, count)


def _rows(chosen: Sequence[str]) -> dict[str, int]:
    return dict(zip(chosen, range(len(chosen)), strict=True))


def _ends(design: Design, chosen: Sequence[str]) -> tuple[Ints, Ints]:
    """The rows that the links of a design join; -1 where they have none."""
    get, links = _rows(chosen).get, design.links.values()
    ends = [get(one.a.device_id, -1) for one in links], [get(one.b.device_id, -1) for one in links]
    a, b = np.array(ends, np.int64)
    return a, b


def _ends_among(joins: Joins, chosen: Sequence[str]) -> tuple[Ints, Ints]:
    """The same, of what these joins say."""
    a, b = joins.ends.T.astype(np.int64)
    if joins.ids != chosen:
        place = _numbers(map(_rows(chosen).get, joins.ids, repeat(-1)), len(joins.ids))
        a, b = place[a], place[b]
    return a, b


def _pairs(a: Ints, b: Ints, count: int) -> Ints:
    keys = distinct((np.minimum(a, b) * count + np.maximum(a, b))[(a >= 0) & (b >= 0)])
    low, high = np.divmod(keys, max(count, 1))
    pairs: Ints = np.stack((low, high), axis=1)[low != high]
    return pairs


def distinct(numbers: Ints) -> Ints:
    """The numbers ascending, each once: as np.unique, which takes six times as long over so many."""
    found: Ints = np.sort(numbers)
    once: Ints = found[np.concatenate((np.ones(min(len(found), 1), np.bool_), found[1:] != found[:-1]))]
    return once


def levels_of(sketch: Sketch) -> Ints:
    """Levels by row: 0 servers, from 1 the switches above them; below 0 those of the other networks; 99 unreached."""
    levels = np.full(len(sketch.ids), 99, np.int64)
    levels[sketch.servers] = 0
    one, other = both_ways(sketch)
    for network in range(len(NETWORKS)):
        own = ~sketch.servers & (sketch.networks == network)
        if not own.any():
            continue
        sign = 1 if network == NETWORKS.index(COMPUTE) else -1
        inside = own[other] & (own | sketch.servers)[one]
        below, above = one[inside], other[inside]
        reached, level = sketch.servers.copy(), 0
        if not sketch.servers[below].any():  # no servers: by what the switches are called
            level = int(sketch.ranks[own & (sketch.ranks > 0)].min(initial=99))
            reached = own & (sketch.ranks == level)
            levels[reached] = sign * level if level < 99 else 99
        while True:
            found = above[reached[below] & (levels[above] == 99)]
            if not len(found):
                break
            level += 1
            reached = np.zeros_like(reached)
            reached[found] = True
            levels[found] = sign * level
    return levels


def both_ways(sketch: Sketch) -> tuple[Ints, Ints]:
    """The rows that are joined, from either one to the other; as two arrays, which take a third of the time of one."""
    a, b = np.ascontiguousarray(sketch.pairs.T)
    return np.concatenate((a, b)), np.concatenate((b, a))


def is_direct(sketch: Sketch, levels: Ints) -> bool:
    """Whether switches of one level are joined to each other, as those of a torus or the spines of a dragonfly+."""
    if not (levels == 1).any():
        return bool(len(sketch.pairs)) and not sketch.servers.any() and not sketch.ranks.any()
    of_pairs = levels[sketch.pairs]
    inner = of_pairs[(of_pairs[:, 0] == of_pairs[:, 1]) & (of_pairs[:, 0] > 0), 0]
    return any(
        np.count_nonzero(inner == level) > DIRECT_SHARE * np.count_nonzero(levels == level)
        for level in np.unique(inner).tolist()
    )


def parts_of(count: int, pairs: Ints) -> Ints:
    """The connected part that each row is in, numbered by the first row of each."""
    ones = np.ones(len(pairs), np.int8)
    matrix = sparse.coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    n_parts, labels = csgraph.connected_components(matrix, directed=False)
    first = first_places(labels, n_parts)
    place = np.empty(n_parts, np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    numbers: Ints = place[labels]
    return numbers


def first_places(numbers: Ints, count: int) -> Ints:
    """Where each number below `count`, all of which there are, comes first."""
    first = np.empty(count, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # of several the last written stays
    return first
