"""Failures that are the same but for names, so that one of each sort is enough.

Two devices are interchangeable where swapping them, all else left in place, gives the same fabric: spines with the same
links to the same leafs and, in traffic that is the same for all ranks, servers on the same leafs. A swap changes no
time, so links that it carries into each other fail alike. That holds for `spray`, which looks at no port numbers.
"""

from collections import defaultdict
from collections.abc import Hashable

import numpy as np

from designer.graph.arrays import NIC, SWITCH, Graph
from designer.routing.policies import policy_named
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario


class Likeness:
    """Which failures of links and devices are alike on a healthy fabric with that result."""

    def __init__(self, graph: Graph, result: Result, scenario: Scenario) -> None:
        self._graph = graph
        self._ends: dict[str, tuple[int, ...]] = {}
        self._of: list[int] = []
        self._like: dict[str, Hashable] = {}
        if policy_named(scenario.routing).evenly:
            same_for_all = scenario.ranks is None and (
                scenario.traffic == "all-to-all" or (scenario.collective and scenario.algorithm_used == "direct")
            )
            self._of = _interchangeable(graph, servers_too=bool(same_for_all))
            self._fill(result)

    def key(self, ids: frozenset[str]) -> Hashable:
        """Equal for failures that are alike: one device or link, or links that all have a device in common."""
        found = self._canonical(ids)
        return ids if found is None else found[0]

    def image(self, arc_ends: tuple[str, str], reported: frozenset[str], wanted: frozenset[str]) -> int | None:
        """The arc that is to the failure of `wanted` what a link between these devices is to that of `reported`.

        None where there is none left.
        """
        one, other = self._canonical(reported), self._canonical(wanted)
        if one is None or other is None:
            return None
        goes_to = {a: b for a, b in zip(one[1], other[1], strict=True) if a != b}
        comes_from = {b: a for a, b in goes_to.items()}

        def carried(device: int) -> int:
            if device in goes_to:
                return goes_to[device]
            while device in comes_from:  # what is pushed out takes the place that was left
                device = comes_from[device]
            return device

        graph = self._graph
        tail, head = (carried(graph.device_names.index(name)) for name in arc_ends)
        between = (graph.device[graph.source] == tail) & (graph.device[graph.target] == head) & (graph.link >= 0)
        left = [arc for arc in np.flatnonzero(between).tolist() if graph.link_ids[graph.link[arc]] not in wanted]
        return left[0] if left else None

    def _canonical(self, ids: frozenset[str]) -> tuple[Hashable, tuple[int, ...]] | None:
        """(what is equal for all failures alike, the devices in an order in which they correspond)."""
        if len(ids) == 1:
            (one,) = ids
            return (self._like[one], self._ends[one]) if one in self._like else None
        if not ids or any(len(self._ends.get(one, ())) != 2 or one not in self._like for one in ids):
            return None
        common = set.intersection(*(set(self._ends[one]) for one in ids))
        if not common:
            return None
        middle = min(common)
        lanes: dict[int, list[str]] = defaultdict(list)
        for one in ids:
            a, b = self._ends[one]
            lanes[b if a == middle else a].append(repr(self._like[one]))
        ranked = sorted((tuple(sorted(keys)), device) for device, keys in lanes.items())
        return (self._of[middle], tuple(keys for keys, _ in ranked)), (middle, *(device for _, device in ranked))

    def _fill(self, result: Result) -> None:
        graph, of = self._graph, self._of
        device, place = graph.device, np.where(graph.kind == NIC, graph.local, 0)
        for arc in np.flatnonzero((graph.link >= 0) & (np.arange(graph.n_arcs) % 2 == 0)).tolist():
            a, b = int(graph.source[arc]), int(graph.target[arc])
            link_id = graph.link_ids[graph.link[arc]]
            self._ends[link_id] = (int(device[a]), int(device[b]))
            between_switches = graph.kind[a] == graph.kind[b] == SWITCH
            if between_switches and result.bytes[arc] == 0 and result.bytes[arc + 1] == 0:
                self._like[link_id] = "unused"
                continue
            self._like[link_id] = (
                of[device[a]],
                int(place[a]),
                of[device[b]],
                int(place[b]),
                float(graph.capacity_gbps[arc]),
                float(graph.latency_ns[arc]),
                float(graph.latency_ns[arc + 1]),
            )
        for number, device_id in enumerate(graph.device_ids):
            self._ends[device_id] = (number,)
            self._like[device_id] = ("device", of[number])


def _interchangeable(graph: Graph, *, servers_too: bool) -> list[int]:
    """By device: the first device it can be swapped with, or itself."""
    arcs: dict[int, list[Hashable]] = defaultdict(list)
    has_nics = set(graph.device[graph.target[graph.kind[graph.source] == NIC]].tolist())
    source, target = graph.device[graph.source].tolist(), graph.device[graph.target].tolist()
    kind, local, group = graph.kind.tolist(), graph.local.tolist(), graph.dragonfly_group.tolist()
    tails, heads, links = graph.source.tolist(), graph.target.tolist(), graph.link.tolist()
    capacity, latency = graph.capacity_gbps.tolist(), graph.latency_ns.tolist()
    for arc in range(graph.n_arcs):
        tail, head, there = tails[arc], heads[arc], target[arc]
        if links[arc] < 0:  # inside: the other end moves along
            facing: Hashable = (kind[head], local[head])
        else:
            facing = (there, local[head] if kind[head] == NIC else 0)
        arcs[source[arc]].append(
            (
                kind[tail],
                local[tail] if kind[tail] != SWITCH else 0,
                facing,
                capacity[arc],
                latency[arc],
                latency[arc ^ 1],
            )
        )
    first: dict[Hashable, int] = {}
    vertex_of = {device: vertex for vertex, device in enumerate(graph.device.tolist())}
    found = list(range(len(graph.device_ids)))
    for device, vertex in vertex_of.items():
        is_switch = kind[vertex] == SWITCH
        if (is_switch and device in has_nics) or not (is_switch or servers_too):
            continue
        signature = (is_switch, group[vertex], tuple(sorted(arcs[device], key=repr)))
        found[device] = first.setdefault(signature, device)
    return found
