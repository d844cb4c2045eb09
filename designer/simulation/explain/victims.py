"""What spreading congestion does, in names and figures: hot ports, the cables they pause, the flows that suffer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.graph.arrays import NIC, Graph
from designer.simulation.flows.spreading import Spreading
from designer.simulation.payload_rate import payload_text
from designer.simulation.phase_results import PhaseResult
from designer.simulation.traffic.phases import Phase
from designer.tables.columns import Column, Columns, keys
from designer.units import BYTES_PER_S_PER_GBPS, format_capacity, format_count

MOST_VICTIMS, MOST_PORTS = 1000, 100


@dataclass(frozen=True, slots=True)
class Place:
    """One direction of a cable, or an arc inside a server, where there are no ports and `link_id` is None."""

    source: str
    port: str
    target: str
    target_port: str
    link_id: str | None

    def __str__(self) -> str:
        return f"{self.source} {self.port}".rstrip() + " -> " + f"{self.target} {self.target_port}".rstrip()


@dataclass(frozen=True, slots=True)
class HotPort:
    """A full arc from which pauses spread: the demand on it, how far pauses reach, and the affected servers."""

    place: Place
    flows: int
    wanted_gbps: float
    carries_gbps: float
    carries_text: str
    """The same with the reason where that is not the line rate."""
    paused: tuple[int, ...]  # cables paused at distance 1, 2, ...
    victims: int

    COLUMNS: ClassVar[Columns] = (
        Column("place", "Hot port", text=str, is_json=False),
        *keys("from=place.source port=place.port to=place.target"),
        Column("flows", "Flows", right=True),
        Column("wanted_gbps", "Would bring", text=format_capacity, right=True),
        Column("carries_gbps", "Capacity", text=format_capacity, right=True),
        Column("paused", "Cables paused", text=lambda paused: " + ".join(map(format_count, paused)), right=True),
        Column("victims", "Victims", right=True),
    )


@dataclass(frozen=True, slots=True)
class Victim:
    """A flow slowed by a hot port that it does not use; `pauses` lead from the cable it shares to that port.

    `rate_unpaused_gbps` is what it gets among all the same flows where nothing is paused.
    """

    source: str
    target: str
    rate_unpaused_gbps: float
    rate_gbps: float
    pauses: tuple[Place, ...]

    COLUMNS: ClassVar[Columns] = (
        Column("flow", "Flow", lambda victim: f"{victim.source} -> {victim.target}", is_json=False),
        *keys("from=source to=target"),
        Column("rate_unpaused_gbps", "Without pauses", text=format_capacity, right=True),
        Column("rate_gbps", "Now", text=format_capacity, right=True),
        Column("held_on", "Held on", lambda victim: str(victim.pauses[0]), is_json=False),
        Column("hot_port", "Because of", lambda victim: str(victim.hot_port)),
        Column("pauses", value=lambda victim: map(str, victim.pauses)),
    )

    @property
    def hot_port(self) -> Place:
        """The hot port that slows the flow, where the chain of pauses ends."""
        return self.pauses[-1]


@dataclass(frozen=True, slots=True)
class Pause:
    """A cable that pauses reached, one direction; no flow on it is faster than `rate_gbps`."""

    place: Place
    distance: int
    rate_gbps: float
    hot_port: Place

    COLUMNS: ClassVar[Columns] = (
        *keys("from=place.source from_port=place.port to=place.target to_port=place.target_port distance rate_gbps"),
        Column("hot_port", value=lambda pause: str(pause.hot_port)),
    )


@dataclass(frozen=True, slots=True)
class Congestion:
    """How congestion spread at the start of a phase. The worst come first; the lists end after so many rows."""

    phase: str
    n_slowed: int
    """Flows slowed, victims and flows of hot ports alike."""
    n_victims: int
    n_hot_ports: int
    reach: tuple[int, ...]  # cables paused at distance 1, 2, ...
    hot_ports: tuple[HotPort, ...]
    victims: tuple[Victim, ...]
    pauses: tuple[Pause, ...]

    COLUMNS: ClassVar = keys(
        "phase slowed_flows=n_slowed victim_flows=n_victims hot_port_count=n_hot_ports reach hot_ports victims pauses"
    )


def congestion(graph: Graph, phase: str, found: Spreading) -> Congestion:
    """Hot ports by how many cables they pause, victims by what they lose, pauses by distance."""
    named = PlaceNames(graph)
    victims = np.flatnonzero(found.is_victim)
    kept = found.rate[victims] / found.unpaused[victims]
    paused = np.flatnonzero((found.distance > 0) & (graph.link >= 0))
    hot = found.hot_ports
    affected = np.bincount(found.limit[victims], minlength=graph.n_arcs)
    return Congestion(
        phase=phase,
        n_slowed=int(np.count_nonzero(found.rate < found.unpaused * (1 - 1e-6))),
        n_victims=len(victims),
        n_hot_ports=len(hot),
        reach=_by_distance(found.distance[paused]),
        hot_ports=tuple(
            HotPort(
                named.place(arc),
                int(found.flows_on[arc]),
                float(found.wanted[arc]) / BYTES_PER_S_PER_GBPS,
                float(found.carried[arc]) / BYTES_PER_S_PER_GBPS,
                payload_text(graph, arc, float(found.carried[arc])),
                _by_distance(found.distance[paused[found.hot[paused] == arc]]),
                int(affected[arc]),
            )
            for arc in hot[:MOST_PORTS].tolist()
        ),
        victims=tuple(
            Victim(
                graph.vertex_name(int(found.sent.src[flow])),
                graph.vertex_name(int(found.sent.dst[flow])),
                float(found.unpaused[flow]) / BYTES_PER_S_PER_GBPS,
                float(found.rate[flow]) / BYTES_PER_S_PER_GBPS,
                tuple(named.place(arc) for arc in found.pauses_from(int(found.held_at[flow]))),
            )
            for flow in victims[np.lexsort((victims, np.round(kept, 9)))][:MOST_VICTIMS].tolist()
        ),
        pauses=tuple(
            Pause(
                named.place(arc),
                int(found.distance[arc]),
                float(found.pace[arc]) / BYTES_PER_S_PER_GBPS,
                named.place(int(found.hot[arc])),
            )
            for arc in paused[np.lexsort((paused, found.distance[paused]))].tolist()
        ),
    )


def congested(graph: Graph, phases: Sequence[Phase], phase_results: Sequence[PhaseResult]) -> Congestion | None:
    """The congestion of the phase with the most pauses, for all its repeats the longest; None where it is not asked."""
    asked = [
        (phase, phase_result)
        for phase, phase_result in zip(phases, phase_results, strict=True)
        if phase_result.spreading is not None
    ]
    if not asked:
        return None
    lasting = [
        (bool((phase_result.spreading.distance > 0).any()), phase.repeat * phase_result.time_s)
        for phase, phase_result in asked
        if phase_result.spreading is not None
    ]
    phase, phase_result = asked[max(range(len(asked)), key=lasting.__getitem__)]
    assert phase_result.spreading is not None
    return congestion(graph, phase.name, phase_result.spreading)


def _by_distance(distances: NDArray[np.int32]) -> tuple[int, ...]:
    return tuple(np.bincount(distances)[1:].tolist()) if len(distances) else ()


class PlaceNames:
    """Arcs of a graph as places, each made once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[int, Place] = {}

    def place(self, arc: int) -> Place:
        """The place of an arc."""
        found = self._known.get(arc)
        if found is None:
            graph, link = self._graph, int(self._graph.link[arc])
            source, target = self._vertex(int(graph.source[arc])), self._vertex(int(graph.target[arc]))
            back = graph.port_name(arc ^ 1) if link >= 0 else ""
            link_id = graph.link_ids[link] if link >= 0 else None
            found = self._known[arc] = Place(source, graph.port_name(arc), target, back, link_id)
        return found

    def _vertex(self, vertex: int) -> str:
        graph = self._graph
        return graph.device_name(vertex) if graph.kind[vertex] == NIC else graph.vertex_name(vertex)
