"""Collisions of static hashing: how many flows each equal-cost port of a switch was given, and which got none."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import SWITCH, Graph
from designer.routing.ecmp import one_queue_pair, seed_of
from designer.routing.hashes import mixed
from designer.routing.network import Network
from designer.routing.policies import policy_named
from designer.simulation.engine import plan_of
from designer.simulation.phase_results import written_out
from designer.simulation.prepared import prepared
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Flows, Phase
from designer.simulation.traffic.ranks import participants
from designer.tables.columns import Column, Columns, keys

Progress = Callable[[float], None]
Ints = NDArray[np.int64]

MOST_FLOWS, MOST_AT_ONCE = 4_000_000, 500_000
MOST_GROUPS = 20


@dataclass(frozen=True, slots=True)
class LaneLoad:
    """A port of a group and the flows it was given."""

    port: str
    target: str
    target_port: str
    link_id: str
    flows: int

    COLUMNS: ClassVar = keys("port to=target to_port=target_port flows")


@dataclass(frozen=True, slots=True)
class Group:
    """Ports of a switch between which flows had the choice; `lanes` those with the most flows first."""

    switch: str
    flows: int
    lanes: tuple[LaneLoad, ...]

    COLUMNS: ClassVar[Columns] = (
        *keys("switch flows"),
        Column("lanes", value=lambda group: len(group.lanes)),
        *keys("even most idle ports=lanes story"),
    )

    @property
    def even(self) -> float:
        """Flows on each port, were they spread evenly."""
        return self.flows / len(self.lanes)

    @property
    def most(self) -> int:
        """Flows on the fullest port."""
        return self.lanes[0].flows

    @property
    def idle(self) -> int:
        """Ports that were given none."""
        return sum(lane.flows == 0 for lane in self.lanes)

    @property
    def collides(self) -> bool:
        """Whether some port was given more flows than it needed to."""
        return self.most > math.ceil(self.even)

    @property
    def story(self) -> str:
        """ "leaf-03: port 5 carries 3 flows, evenly spread it would be 1; 2 of the 4 ports are idle"."""
        few = f"{self.even:.3g}"
        flows = "1 flow" if self.most == 1 else f"{self.most:,} flows"
        idle = f"; {self.idle:,} of the {len(self.lanes):,} ports {'is' if self.idle == 1 else 'are'} idle"
        return (
            f"{self.switch}: port {self.lanes[0].port} carries {flows}, evenly spread it would be {few}"
            f"{idle if self.idle else ''}"
        )


@dataclass(frozen=True, slots=True)
class Collisions:
    """A phase's hashing. `groups` are those with the most flows on one port above the even share, worst first."""

    phase: str
    flows: int
    choices: int
    """How often a flow was hashed where there was more than one port."""
    n_groups: int
    n_colliding: int
    """Groups where flows share a port while another one is idle."""
    worst_factor: float
    """The most flows on a port over the even share, of at least one flow, in any group."""
    groups: tuple[Group, ...]

    COLUMNS: ClassVar = keys(
        "phase flows choices groups=n_groups groups_with_idle_ports_beside_shared=n_colliding worst_factor worst=groups"
    )


def hash_collisions(result: Result, scenario: Scenario) -> tuple[Collisions, ...]:
    """`collisions` where the policy hashes; nothing for forwarding tables, which are not chance."""
    return collisions(result, scenario) if policy_named(scenario.routing).by_hash else ()


def collisions(result: Result, scenario: Scenario, progress: Progress | None = None) -> tuple[Collisions, ...]:
    """What hashing did to the flows of each phase of a scenario that `result` is of.

    Nothing for policies that do not put a whole flow on one port, and for phases of more than MOST_FLOWS flows.
    `progress` may raise Cancelled.
    """
    policy = policy_named(scenario.routing)
    if not policy.chosen_by:
        return ()
    net = prepared(result.graph, scenario)
    plan = plan_of(net, scenario, participants(net, scenario))
    choosing = _Choices(net)
    found = []
    for number, phase in enumerate(plan.phases):
        if len(phase.traffic) <= MOST_FLOWS:
            found.append(_of_phase(net, phase, scenario, choosing))
        if progress is not None:
            progress((number + 1) / len(plan.phases))
    return tuple(found)


class _Choices:
    """By switch and leaf: which group of equal-cost ports leads there. Made leaf by leaf, as asked for."""

    def __init__(self, net: Network) -> None:
        switches = net.switches
        self._switches = switches
        self._tail = switches.tail
        self._label = mixed(np.arange(1, len(switches.head) + 1, dtype=np.uint64))
        self._n_ports = np.diff(switches.arc_start)
        self._known: dict[int, tuple[NDArray[np.uint64], Ints]] = {}

    def of_leaf(self, leaf: int) -> tuple[NDArray[np.uint64], Ints]:
        """(a number for the group, how many ports it has), both by switch."""
        found = self._known.get(leaf)
        if found is None:
            leads = self.leading(leaf)
            key = np.zeros(self._switches.n_switches, dtype=np.uint64)
            n_ports = np.zeros(self._switches.n_switches, dtype=np.int64)
            np.add.at(key, self._tail[leads], self._label[leads])
            np.add.at(n_ports, self._tail[leads], self._n_ports[leads])
            found = self._known[leaf] = key, n_ports
        return found

    def leading(self, leaf: int) -> NDArray[np.bool_]:
        """(n_bundles,) which bundles are next hops towards a leaf."""
        switches = self._switches
        if switches.only.shape[1]:
            ways: NDArray[np.bool_] = np.zeros(len(switches.head), dtype=bool)
            chosen = switches.only[leaf]
            ways[chosen[chosen >= 0]] = True
            return ways
        row = switches.distance[leaf]
        nearer: NDArray[np.bool_] = row[switches.head] == row[self._tail] - switches.cost
        nearer &= row[switches.head] >= 0
        return nearer

    def ports(self, switch: int, leaf: int) -> NDArray[np.int32]:
        """The arcs of the group of a switch towards a leaf."""
        switches = self._switches
        bundles = np.flatnonzero(self.leading(leaf) & (self._tail == switch))
        return np.concatenate([switches.arcs[switches.arc_start[b] : switches.arc_start[b + 1]] for b in bundles])


def _of_phase(net: Network, phase: Phase, scenario: Scenario, choosing: _Choices) -> Collisions:
    """Counts flows by (switch, group, arc)."""
    columns = [_hops(net, sent, scenario, choosing) for sent in _in_parts(phase.traffic)]
    switch, key, leaf, arc = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((arc, key, switch))
    switch, key, leaf, arc = switch[order], key[order], leaf[order], arc[order]
    is_new = np.ones(len(switch) + 1, dtype=bool)
    is_new[1:-1] = (switch[1:] != switch[:-1]) | (key[1:] != key[:-1])
    bounds = np.flatnonzero(is_new)
    groups, n_colliding, worst = [], 0, 1.0
    for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        ports = choosing.ports(int(switch[first]), int(leaf[first]))
        taken, counts = np.unique(arc[first:last], return_counts=True)
        most, even = int(counts.max()), (last - first) / len(ports)
        n_colliding += most > 1 and len(taken) < len(ports)
        worst = max(worst, most / max(even, 1.0))
        groups.append((most / max(even, 1.0), most, first, last, ports))
    groups.sort(key=lambda group: (-group[0], -group[1], group[2]))
    return Collisions(
        phase=phase.name,
        flows=len(phase.traffic),
        choices=len(arc),
        n_groups=len(groups),
        n_colliding=n_colliding,
        worst_factor=worst,
        groups=tuple(_named(net.graph, arc[first:last], ports) for _, _, first, last, ports in groups[:MOST_GROUPS]),
    )


def _in_parts(traffic: Flows | AllPairs) -> list[Flows]:
    if isinstance(traffic, Flows):
        return [traffic]
    n = len(traffic.members)
    step = max(1, MOST_AT_ONCE // n)
    return [written_out(traffic, first, min(n, first + step)) for first in range(0, n, step)]


def _hops(
    net: Network, sent: Flows, scenario: Scenario, choosing: _Choices
) -> tuple[Ints, NDArray[np.uint64], Ints, Ints]:
    """(switch, group, leaf, arc taken) of every hop between switches where there was a choice."""
    graph, switches = net.graph, net.switches
    route = policy_named(scenario.routing).route
    if net.switching.queue_pairs > 1:
        alone = one_queue_pair(net)
        seeds = [seed_of(scenario.seed, number) for number in range(net.switching.queue_pairs)]
        hops = [_hops(alone, sent, replace(scenario, seed=seed), choosing) for seed in seeds]
        switch, key, leaf, arc = (np.concatenate(column) for column in zip(*hops, strict=True))
        return switch, key, leaf, arc
    paths = route(net, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)
    flow = np.repeat(np.arange(paths.n_flows), np.diff(paths.start))
    from_switch = graph.kind[graph.source[paths.arcs]] == SWITCH
    last = np.full(paths.n_flows, -1, dtype=np.int64)
    last[flow[from_switch]] = graph.source[paths.arcs[from_switch]]  # rows are in the order of the way
    hop = from_switch & (graph.kind[graph.target[paths.arcs]] == SWITCH)
    arc = paths.arcs[hop].astype(np.int64)
    switch = graph.source[arc].astype(np.int64) - switches.first
    leaf = switches.leaf_of[last[flow[hop]] - switches.first].astype(np.int64)
    key, n_ports = np.zeros(len(arc), dtype=np.uint64), np.zeros(len(arc), dtype=np.int64)
    order = np.argsort(leaf, kind="stable")
    for mine in np.split(order, np.flatnonzero(np.diff(leaf[order])) + 1) if len(order) else []:
        keys, ports = choosing.of_leaf(int(leaf[mine[0]]))
        key[mine], n_ports[mine] = keys[switch[mine]], ports[switch[mine]]
    chose = n_ports > 1
    return switch[chose], key[chose], leaf[chose], arc[chose]


def _named(graph: Graph, taken: Ints, ports: NDArray[np.int32]) -> Group:
    counts = {arc: int(np.count_nonzero(taken == arc)) for arc in ports.tolist()}
    lanes = tuple(
        LaneLoad(
            graph.port_name(arc),
            graph.device_name(int(graph.target[arc])),
            graph.port_name(arc ^ 1),
            graph.link_ids[int(graph.link[arc])],
            counts[arc],
        )
        for arc in sorted(counts, key=lambda arc: (-counts[arc], arc))
    )
    return Group(graph.device_name(int(graph.source[ports[0]])), len(taken), lanes)
