"""Single faults of a drawn fabric that could explain a slow measurement, and the fabric with one of them.

Links that carry the same share of every measurement are one candidate: no measurement tells them apart. Those that no
measurement loads are none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import NIC, SWITCH, Graph, without
from designer.graph.failures import Broken
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation import catalogue
from designer.simulation.acceptance.parts import rail_of_ranks
from designer.simulation.scenario import Scenario

HASHES = 3
"""Hashes of flows that are tried: which flows collide is chance."""
HALF = 0.5
DEAD = 0.0

MASS: Mapping[str, float] = {
    "link-half": 0.20,
    "link-dead": 0.15,
    "nic": 0.10,
    "rail-half": 0.10,
    "rail-all": 0.05,
    "switch": 0.05,
    "hashing": 0.10,
    "algorithm": 0.05,
    "uniform": 0.10,
    "nothing": 0.10,
}
"""How likely each kind of fault is before anything was measured, all of the kind together: an assumption, and shown."""

KIND_TITLES: Mapping[str, str] = {
    "link-half": "Link at half rate",
    "link-dead": "Link dead",
    "nic": "NIC dead",
    "rail-half": "Part of a rail's cables at half rate",
    "rail-all": "All of a rail's cables at half rate",
    "switch": "Switch dead",
    "hashing": "Hash collisions",
    "algorithm": "Another algorithm",
    "uniform": "Everything slower alike",
    "nothing": "Nothing of this kind",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that could be wrong. `share` is what is left of the rate of its links; 0 for none.

    `algorithm` and `routing` stand for a run that did not do what was asked. `mass` is its part of MASS.
    """

    kind: str
    title: str
    mass: float
    links: tuple[int, ...] = ()
    share: float = DEAD
    devices: tuple[str, ...] = ()
    algorithm: str = ""
    routing: str = ""
    seed: int = 0
    alike: tuple[str, ...] = ()
    """Titles of others that no measurement tells from it."""


def degraded(graph: Graph, fault: Fault) -> Graph:
    """The graph with the links and devices of a fault at what is left of their rate."""
    if fault.devices or (fault.links and fault.share == DEAD):
        links = frozenset(graph.link_ids[link] for link in fault.links)
        failed = Broken(frozenset(fault.devices), links)
        return without(graph, failed, frozenset((*fault.devices, *links)))
    if not fault.links:
        return graph
    hit = np.isin(graph.link, np.array(fault.links)) & (graph.link >= 0)
    return replace(
        graph, capacity_gbps=np.where(hit, graph.capacity_gbps * fault.share, graph.capacity_gbps), derived={}
    )


def changed(scenario: Scenario, fault: Fault) -> Scenario:
    """The scenario as it ran with the fault."""
    if fault.algorithm:
        scenario = replace(scenario, algorithm=fault.algorithm, dims=None)
    return replace(scenario, routing=fault.routing, seed=fault.seed) if fault.routing else scenario


class Faults:
    """Candidates for a graph and the loads that measurements put on its links."""

    def __init__(self, design: Design, graph: Graph, scenario: Scenario, loads: NDArray[np.float64]) -> None:
        """`loads` is (n_measurements, n_links): what a link carries, as a share of the measurement's busiest one."""
        self._design = design
        self._graph = graph
        self._scenario = scenario
        self._loads = loads
        self._arc_of = _first_arcs(graph)

    def all(self) -> list[Fault]:
        """Every candidate, in the order of the design."""
        return [
            *self._links(),
            *self._nics(),
            *self._rails(),
            *self._switches(),
            *self._hashing(),
            *self._algorithms(),
        ]

    def title_of(self, link: int) -> str:
        """ "gpu-03 rail1 to leaf-01 port 3/1"."""
        graph, arc = self._graph, int(self._arc_of[link])
        ends = (arc, arc ^ 1)
        named = (f"{graph.device_name(int(graph.source[one]))} {graph.port_name(one)}" for one in ends)
        return " to ".join(named)

    def _groups(self) -> dict[tuple[float, ...], list[int]]:
        """Links by what they carry in each measurement; of those that carry something."""
        found: dict[tuple[float, ...], list[int]] = {}
        for link in np.flatnonzero(self._loads.max(axis=0, initial=0.0) > 0).tolist():
            graph, arc = self._graph, int(self._arc_of[link])
            kinds = sorted((int(graph.kind[graph.source[arc]]), int(graph.kind[graph.target[arc]])))
            key = (*np.round(self._loads[:, link], 2).tolist(), float(kinds[0]), float(graph.capacity_gbps[arc]))
            found.setdefault(key, []).append(link)
        return found

    def _links(self) -> Iterator[Fault]:
        n_links = max(1, len(self._graph.link_ids))
        for links in self._groups().values():
            titles = tuple(self.title_of(link) for link in links)
            for kind, share, words in (("link-half", HALF, "at half rate"), ("link-dead", DEAD, "dead")):
                mass = MASS[kind] * len(links) / n_links
                alike = tuple(f"{title}: {words}" for title in titles[1:])
                yield Fault(kind, f"{titles[0]}: {words}", mass, (links[0],), share, alike=alike)

    def _nics(self) -> Iterator[Fault]:
        """NICs of several ports; with a single one a dead NIC is a dead link."""
        graph, design = self._graph, self._design
        link_at: dict[tuple[str, str], int] = {}
        for link, arc in enumerate(self._arc_of.tolist()):
            for one in (arc, arc ^ 1):
                if graph.kind[graph.source[one]] == NIC:
                    device_id = graph.device_ids[int(graph.device[graph.source[one]])]
                    link_at[device_id, graph.port_name(one)] = link
        slots: dict[tuple[str, str], list[int]] = {}
        for (device_id, port), link in link_at.items():
            slot = design.port_map(device_id)[port].slot
            if slot and self._loads[:, link].max(initial=0.0) > 0:
                slots.setdefault((device_id, slot), []).append(link)
        groups: dict[tuple[float, ...], list[tuple[str, str]]] = {}
        for key, links in slots.items():
            if len(links) > 1:
                groups.setdefault(tuple(np.round(self._loads[:, links].sum(axis=1), 2).tolist()), []).append(key)
        for members in groups.values():
            titles = tuple(f"{design.device(device_id).name} {slot}: NIC dead" for device_id, slot in members)
            mass = MASS["nic"] * len(members) / len(slots)
            yield Fault("nic", titles[0], mass, tuple(sorted(slots[members[0]])), alike=titles[1:])

    def rail_links(self) -> dict[int, list[int]]:
        """By rail the links from its GPUs' NICs to their leaf switches, in the order of the ranks."""
        graph, ends = self._graph, network(self._graph).ends
        ranks = range(graph.n_endpoints)
        found: dict[int, list[int]] = {}
        for rank, rail in zip(ranks, rail_of_ranks(self._design, graph, ranks), strict=True):
            arc = int(ends.out[rank, 0, -1])
            if rail is not None and arc >= 0 and graph.link[arc] >= 0:
                links = found.setdefault(rail, [])
                if int(graph.link[arc]) not in links[-8:]:  # GPUs that share a NIC follow one another
                    links.append(int(graph.link[arc]))
        return {rail: found[rail] for rail in sorted(found)}

    def _rails(self) -> Iterator[Fault]:
        by_rail = {rail: links for rail, links in self.rail_links().items() if len(links) > 2}
        for rail, links in by_rail.items():
            half = tuple(links[::2])
            share = MASS["rail-half"] / len(by_rail)
            title = f"Rail {rail}: half of its cables at half rate"
            yield Fault("rail-half", title, share, half, HALF)
            title = f"Rail {rail}: all {len(links)} cables at half rate"
            yield Fault("rail-all", title, MASS["rail-all"] / len(by_rail), tuple(links), HALF)

    def some_of_rail(self, rail: int, links: Sequence[int], n_groups: int, n_rails: int) -> Fault:
        """These cables of a rail at half rate, those that only slow runs load; some of them, where groups are few."""
        named = ", ".join(self.title_of(link).partition(" to ")[0] for link in links[:3])
        more = f" and {len(links) - 3} more" if len(links) > 3 else ""
        count = f"{len(links)}" if 2 * n_groups >= len(links) else f"some of {len(links)}"
        title = f"Rail {rail}: {count} cables at half rate ({named}{more})"
        return Fault("rail-half", title, MASS["rail-half"] / n_rails / 2, tuple(links), HALF)

    def _switches(self) -> Iterator[Fault]:
        graph, design = self._graph, self._design
        switches = list(graph.vertices_of(SWITCH))
        loaded: dict[tuple[float, ...], list[int]] = {}
        for vertex in switches:
            arcs = graph.out_arcs[graph.out_start[vertex] : graph.out_start[vertex + 1]]
            links = graph.link[arcs]
            total = self._loads[:, links[links >= 0]].sum(axis=1)
            if total.max(initial=0.0) > 0:
                loaded.setdefault(tuple(np.round(total, 1).tolist()), []).append(vertex)
        for members in loaded.values():
            titles = tuple(f"{graph.device_name(vertex)}: switch dead" for vertex in members)
            device_id = graph.device_ids[int(graph.device[members[0]])]
            if design.is_switch(device_id):
                mass = MASS["switch"] * len(members) / len(switches)
                yield Fault("switch", titles[0], mass, devices=(device_id,), alike=titles[1:])

    def _hashing(self) -> Iterator[Fault]:
        if self._scenario.routing != "ecmp":
            for seed in range(HASHES):
                title = f"Flows hashed onto paths (ECMP) collide, as with seed {seed}"
                yield Fault("hashing", title, MASS["hashing"] / HASHES, routing="ecmp", seed=seed)

    def _algorithms(self) -> Iterator[Fault]:
        row = catalogue.collective(self._scenario.collective or "")
        others = [one for one in row.algorithms if one != self._scenario.algorithm_used] if row is not None else []
        for name in others:
            title = f"The library ran {name}, not {self._scenario.algorithm_used}"
            yield Fault("algorithm", title, MASS["algorithm"] / len(others), algorithm=name)


def _first_arcs(graph: Graph) -> NDArray[np.int64]:
    """(n_links,) the arc from end a of each link; 0 for one that is not in the graph."""
    found = np.zeros(len(graph.link_ids), dtype=np.int64)
    arcs = np.flatnonzero(graph.link >= 0)[::-1]
    found[graph.link[arcs]] = arcs & ~1
    return found
