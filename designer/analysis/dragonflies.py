"""Dragonflies as they are drawn: groups, the links between their switches, and those from group to group."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.analysis.adjacency import Adjacency
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP, order_key


@dataclass(frozen=True, slots=True, eq=False)
class Dragonfly:
    """The dragonfly groups of one fabric that have switches. Switches are numbered group by group, in design order."""

    groups: tuple[str, ...]
    switches: tuple[str, ...]
    group: NDArray[np.int64]  # (n_switches,) the number of its group
    role: NDArray[np.int64]  # (n_switches,) the same number for switches of one role
    hosts: NDArray[np.int64]  # (n_switches,) links to servers
    hosts_gbps: NDArray[np.float64]  # (n_switches,)
    local: NDArray[np.bool_]  # (n_pairs,) both switches are in one group
    tail: NDArray[np.int64]  # (n_pairs,) pairs of switches with links between them
    head: NDArray[np.int64]  # (n_pairs,)
    links: NDArray[np.int64]  # (n_pairs,) how many
    gbps: NDArray[np.float64]  # (n_pairs,)
    pair: NDArray[np.int64]  # (n_pairs,) its index in the adjacency

    def members(self, group: int) -> list[int]:
        """Numbers of the switches of a group."""
        found: list[int] = np.flatnonzero(self.group == group).tolist()
        return found

    @property
    def between(self) -> NDArray[np.int64]:
        """(n_groups, n_groups) how many links join every two groups."""
        n_groups = len(self.groups)
        found = np.zeros((n_groups, n_groups), dtype=np.int64)
        far = ~self.local
        np.add.at(found, (self.group[self.tail[far]], self.group[self.head[far]]), self.links[far])
        return found + found.T

    @property
    def global_links(self) -> NDArray[np.int64]:
        """(n_switches,) global links of each switch."""
        return self._per_switch(~self.local, self.links)

    @property
    def neighbors(self) -> NDArray[np.int64]:
        """(n_switches,) how many switches of its own group each is linked to."""
        return self._per_switch(self.local, np.ones(len(self.links), dtype=np.int64))

    @property
    def kind(self) -> NDArray[np.int64]:
        """(n_groups,) the same number for groups with as many switches of each role and as many links to servers."""
        keys = [
            (*np.bincount(self.role[own], minlength=int(self.role.max()) + 1), int(self.hosts[own].sum()))
            for own in (self.group == number for number in range(len(self.groups)))
        ]
        numbers: dict[tuple[int, ...], int] = {}
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)

    def _per_switch(self, pairs: NDArray[np.bool_], weights: NDArray[np.int64]) -> NDArray[np.int64]:
        n_switches = len(self.switches)
        ends = np.concatenate([self.tail[pairs], self.head[pairs]])
        counted = np.bincount(ends, np.tile(weights[pairs], 2), minlength=n_switches)
        return counted.astype(np.int64)


def dragonflies(design: Design, near: Adjacency) -> list[Dragonfly]:
    """The dragonflies of the network that has these pairs, those of each fabric for themselves."""
    fabrics: dict[str | None, list[str]] = {}
    switches: dict[str, list[str]] = {}
    for one in near.ids[near.n_servers :]:
        group = design.groups.get(design.devices[one].group_id or "")
        if group is not None and group.kind == DRAGONFLY_GROUP:
            switches.setdefault(group.id, []).append(one)
    for group_id in sorted(switches, key=order_key):
        fabrics.setdefault(design.groups[group_id].parent_id, []).append(group_id)
    return [_dragonfly(design, near, groups, switches) for groups in fabrics.values()]


def _dragonfly(design: Design, near: Adjacency, groups: list[str], switches: dict[str, list[str]]) -> Dragonfly:
    ids = tuple(one for group in groups for one in switches[group])
    own = np.full(near.n_devices, -1, dtype=np.int64)
    own[[near.number[one] for one in ids]] = np.arange(len(ids))
    group = np.repeat(np.arange(len(groups)), [len(switches[one]) for one in groups])
    roles: dict[str, int] = {}
    role = np.array([roles.setdefault(design.devices[one].role.lower(), len(roles)) for one in ids], dtype=np.int64)
    inside = np.flatnonzero((own[near.low] >= 0) & (own[near.high] >= 0))
    below = np.flatnonzero((near.low < near.n_servers) & (own[near.high] >= 0))
    at = own[near.high[below]]
    tail, head = own[near.low[inside]], own[near.high[inside]]
    return Dragonfly(
        tuple(groups),
        ids,
        group,
        role,
        np.bincount(at, near.n_links[below], minlength=len(ids)).astype(np.int64),
        np.bincount(at, near.gbps[below], minlength=len(ids)).astype(np.float64),
        group[tail] == group[head],
        tail,
        head,
        near.n_links[inside],
        near.gbps[inside],
        inside,
    )
