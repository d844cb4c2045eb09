"""Why a link is hot: the flows that cross it, one direction, and the lanes they could have taken instead.

Flows of a collective's steps are routed again and looked through. An all-to-all is not written out where its structure
tells enough: a link between switches is crossed only by flows between leafs on whose shortest ways it lies, a link of
a server only by that server's own flows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from designer.errors import UnknownEntityError
from designer.graph.arrays import SWITCH, Graph
from designer.graph.sums import sums
from designer.routing.network import Network
from designer.routing.policies import policy_named
from designer.simulation.engine import plan_of
from designer.simulation.explain.link_flows import crossing_flows
from designer.simulation.explain.link_leafs import LeafPairs
from designer.simulation.prepared import prepared
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Phase
from designer.simulation.traffic.ranks import participants
from designer.tables.columns import ARROW, Column, Columns, fine_percent, keys
from designer.units import format_carried, format_count

Progress = Callable[[float], None]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A flow over the link: `share` of it goes this way, which makes `bytes` over the whole run."""

    phase: str
    rank: int
    to_rank: int
    source: str
    target: str
    source_id: str
    target_id: str
    share: float
    bytes: float

    COLUMNS: ClassVar[Columns] = (
        Column("ranks", "Ranks", lambda flow: f"{flow.rank} -> {flow.to_rank}", is_json=False),
        Column("phase", "Phase"),
        Column("rank", "Rank"),
        Column("to_rank", "To rank"),
        Column("from", "From", "source"),
        ARROW,
        Column("to", "To", "target"),
        Column("share", "Goes here", text=fine_percent, right=True, sheet="share"),
        Column("bytes", "Bytes", text=format_carried, right=True),
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """All flows over the link from one server, or from the servers of one leaf, to another."""

    source: str
    target: str
    source_id: str
    target_id: str
    flows: int
    bytes: float

    COLUMNS: ClassVar[Columns] = (
        Column("from", "From", "source"),
        ARROW,
        Column("to", "To", "target"),
        Column("flows", "Flows", right=True),
        Column("bytes", "Bytes", text=format_carried, right=True),
    )


@dataclass(frozen=True, slots=True)
class Lane:
    """A port that the flows over the link could have left by as well, and what it carries in the whole run."""

    port: str
    target: str
    target_port: str
    link_id: str
    bytes: float
    utilization: float

    COLUMNS: ClassVar[Columns] = (
        Column("port", "Port"),
        ARROW,
        Column("to", "To", "target"),
        Column("to_port", "To port", "target_port"),
        Column("far_end", "To", lambda lane: f"{lane.target} {lane.target_port}", is_json=False),
        Column("bytes", "Bytes", text=format_carried, right=True),
        Column("utilization_peak", "Peak", "utilization", fine_percent, right=True, sheet="peak utilization"),
        Column("idle", value=lambda lane: "idle" if lane.is_idle else "", is_json=False),
    )

    @property
    def is_idle(self) -> bool:
        """Whether it carries nothing in the whole run."""
        return self.bytes <= 0


@dataclass(frozen=True, slots=True)
class FlowsOnLink:
    """What crosses a link in one direction. `flows` is how many do, in whole or in part; the lists hold the largest."""

    source: str
    port: str
    target: str
    target_port: str
    link_id: str
    routing: str
    utilization: float
    bytes: float
    flows: int
    crossings: tuple[Crossing, ...]
    pairs_of: str
    """"servers"; "leafs" where the flows are too many for that."""
    n_pairs: int
    pairs: tuple[Pair, ...]
    lanes: tuple[Lane, ...]
    """The other lanes; none where the flows had no choice."""
    given_bytes: float
    """The size that the run was given."""

    COLUMNS: ClassVar = keys(
        "from=source port to=target to_port=target_port utilization_peak=utilization bytes flows crossings pairs_of "
        "pairs_count=n_pairs pairs lanes story"
    )

    @property
    def name(self) -> str:
        """ "leaf-03 5 -> spine-02 3"."""
        return f"{self.source} {self.port} -> {self.target} {self.target_port}"

    def carried(self, carried_bytes: float) -> str:
        """Bytes in words, in units as the size was given in."""
        return format_carried(carried_bytes, given_bytes=self.given_bytes)

    @property
    def idle(self) -> tuple[Lane, ...]:
        """The other lanes that carry nothing in the whole run."""
        return tuple(lane for lane in self.lanes if lane.is_idle)

    @property
    def story(self) -> str:
        """What the choice of lanes has to do with the load, in a sentence; "" where they had none."""
        if not self.flows or not self.lanes:
            return ""
        n_lanes, n_idle = len(self.lanes) + 1, len(self.idle)
        who = "1 flow uses" if self.flows == 1 else f"{format_count(self.flows)} flows use"
        chosen_by = policy_named(self.routing).chosen_by
        if not chosen_by:
            return f"{who} this link, spread over {n_lanes} equal-cost links"
        chosen = f"{who} this link. {chosen_by} chose it from {n_lanes} equal-cost links"
        if n_idle:
            return f"{chosen}, and {'1 of them is' if n_idle == 1 else f'{n_idle} of them are'} idle"
        least = min(self.lanes, key=lambda lane: lane.bytes)
        if self.bytes > 0 and least.bytes < self.bytes:
            return f"{chosen}; the least used one carries {100 * least.bytes / self.bytes:.0f} % of this link's traffic"
        return f"{chosen}; none of the others carries less"


def arc_at(graph: Graph, name: str) -> int:
    """The arc that leaves by a port named "DEVICE:PORT". Raises UnknownEntityError where there is no link."""
    device_name, colon, port = name.rpartition(":")
    if not colon or device_name not in graph.device_names:
        raise UnknownEntityError(f"nothing is called {device_name or name!r}: write a link as NAME:PORT")
    own = graph.device[graph.source] == graph.device_names.index(device_name)
    for arc in np.flatnonzero(own & (graph.link >= 0)).tolist():
        if graph.port_name(arc) == port:
            return int(arc)
    raise UnknownEntityError(f"{device_name} has no link on a port {port!r}, or it has failed")


def arc_of(graph: Graph, link_id: str, *, back: bool) -> int | None:
    """The arc of a link from its end a to its end b, or back; None where the graph has no such link."""
    try:
        number = graph.link_ids.index(link_id)
    except ValueError:
        return None
    forth = np.flatnonzero(graph.link[::2] == number)
    return int(2 * forth[0] + back) if len(forth) else None


def flows_on_link(
    result: Result, scenario: Scenario, arc: int, top: int = 100, progress: Progress | None = None
) -> FlowsOnLink:
    """The flows of `scenario` that cross an arc of the graph its `result` is of.

    `progress` may raise Cancelled. Raises ParameterError for an all-to-all of more flows than a load-aware policy can
    be asked about where GPUs have several NICs.
    """
    report = progress if progress is not None else _ignore
    graph = result.graph
    net = prepared(graph, scenario)
    ranks = participants(net, scenario)
    plan = plan_of(net, scenario, ranks)
    found = _Collected(net, ranks, top)
    for number, phase in enumerate(plan.phases):

        def part(share: float, number: int = number) -> None:
            report((number + share) / len(plan.phases))

        for crossing in crossing_flows(net, scenario, phase, arc, top, part):
            if isinstance(crossing, LeafPairs):
                found.add_leafs(phase, crossing)
            else:
                found.add(phase, *crossing)
    back, link = arc ^ 1, int(graph.link[arc])
    return FlowsOnLink(
        source=graph.device_name(int(graph.source[arc])),
        port=graph.port_name(arc),
        target=graph.device_name(int(graph.target[arc])),
        target_port=graph.port_name(back),
        link_id=graph.link_ids[link],
        routing=scenario.routing,
        utilization=float(result.utilization_peak[arc]),
        bytes=found.bytes,
        flows=found.flows,
        crossings=found.crossings(),
        pairs_of=found.pairs_of,
        n_pairs=len(found.pair_keys),
        pairs=found.pairs(),
        lanes=_lanes(net, result, arc, found.leafs()),
        given_bytes=result.size_bytes,
    )


def _ignore(_share: float) -> None:
    pass


class _Collected:
    """Adds up crossings part by part, and keeps the largest."""

    def __init__(self, net: Network, ranks: Ints, top: int) -> None:
        graph = net.graph
        self._net, self._graph = net, graph
        self._top = top
        self._rank_of = np.full(graph.n_endpoints, -1, dtype=np.int64)
        self._rank_of[ranks] = np.arange(len(ranks))
        self._kept: list[tuple[float, int, int, float, str]] = []
        self.bytes, self.flows = 0.0, 0
        self.pair_keys = np.empty(0, dtype=np.int64)
        self._pair_flows = np.empty(0, dtype=np.int64)
        self._pair_bytes: Floats = np.empty(0)
        self._leafs: set[int] = set()
        self.pairs_of = "servers"

    def add(self, phase: Phase, src: Ints, dst: Ints, share: Floats, size_bytes: Floats) -> None:
        moved = (0 if phase.is_fill else phase.repeat) * share * size_bytes
        self.bytes += float(moved.sum())
        self.flows += len(src)
        order = np.lexsort((self._rank_of[dst], self._rank_of[src], -np.round(moved, 3)))[: self._top]
        self._kept += [
            (float(moved[at]), int(src[at]), int(dst[at]), float(share[at]), phase.name) for at in order.tolist()
        ]
        self._kept = sorted(self._kept, key=lambda kept: -kept[0])[: self._top]
        self._add_pairs(src, dst, np.ones(len(src), dtype=np.int64), moved)
        self._leafs |= set(np.unique(self._net.ends.leaf[dst]).tolist())

    def add_leafs(self, phase: Phase, pairs: LeafPairs) -> None:
        """Too many to tell them apart by server."""
        self.pairs_of = "leafs"
        moved = phase.repeat * pairs.share * pairs.count * pairs.pair_bytes
        self.bytes += float(moved.sum())
        self.flows += int(pairs.count.sum())
        each = phase.repeat * pairs.pair_bytes
        self._kept += [
            (share * each, src, dst, share, phase.name)
            for src, dst, share in zip(*(part.tolist() for part in pairs.listed), strict=True)
        ]
        self._kept = sorted(self._kept, key=lambda kept: -kept[0])[: self._top]
        self._add_pairs(pairs.from_leaf, pairs.to_leaf, pairs.count, moved)
        switches = self._net.switches
        self._leafs |= set(switches.leaf_of[np.unique(pairs.to_leaf) - switches.first].tolist())

    def _add_pairs(self, src: Ints, dst: Ints, count: Ints, moved: Floats) -> None:
        device = self._graph.device.astype(np.int64)
        keys = device[src] * len(self._graph.device_ids) + device[dst]
        self.pair_keys, where = np.unique(np.concatenate([self.pair_keys, keys]), return_inverse=True)
        n = len(self.pair_keys)
        self._pair_flows = sums(where, np.concatenate([self._pair_flows, count]) * 1.0, n).astype(np.int64)
        self._pair_bytes = sums(where, np.concatenate([self._pair_bytes, moved]), n)

    def crossings(self) -> tuple[Crossing, ...]:
        graph = self._graph
        return tuple(
            Crossing(
                name,
                int(self._rank_of[src]),
                int(self._rank_of[dst]),
                graph.vertex_name(src),
                graph.vertex_name(dst),
                graph.device_ids[graph.device[src]],
                graph.device_ids[graph.device[dst]],
                share,
                moved,
            )
            for moved, src, dst, share, name in self._kept
        )

    def pairs(self) -> tuple[Pair, ...]:
        graph, n_devices = self._graph, len(self._graph.device_ids)
        order = np.lexsort((self.pair_keys, -np.round(self._pair_bytes, 3)))[: self._top]
        found = []
        for at in order.tolist():
            a, b = divmod(int(self.pair_keys[at]), n_devices)
            found.append(
                Pair(
                    graph.device_names[a],
                    graph.device_names[b],
                    graph.device_ids[a],
                    graph.device_ids[b],
                    int(self._pair_flows[at]),
                    float(self._pair_bytes[at]),
                )
            )
        return tuple(found)

    def leafs(self) -> Ints:
        """Leafs that the flows go to."""
        return np.array(sorted(self._leafs - {-1}), dtype=np.int64)


def _lanes(net: Network, result: Result, arc: int, leafs: Ints) -> tuple[Lane, ...]:
    """The other arcs that are next hops of equal cost towards those of the leafs that the arc leads to."""
    graph, switches = net.graph, net.switches
    ends = graph.source[arc], graph.target[arc]
    if any(graph.kind[end] != SWITCH for end in ends) or not len(leafs):
        return ()
    tail, head = int(ends[0]) - switches.first, int(ends[1]) - switches.first
    bundles = np.arange(switches.start[tail], switches.start[tail + 1])
    distance = switches.distance[leafs].astype(np.int64)
    through_each = switches.cost[bundles][None, :] + distance[:, switches.head[bundles]]
    nearer: NDArray[np.bool_] = np.asarray(through_each == distance[:, tail][:, None])
    own = int(np.flatnonzero(switches.head[bundles] == head)[0])
    as_good = bundles[nearer[nearer[:, own]].any(axis=0)] if nearer[:, own].any() else bundles[own : own + 1]
    found = []
    for bundle in as_good.tolist():
        for other in switches.arcs[switches.arc_start[bundle] : switches.arc_start[bundle + 1]].tolist():
            if other != arc:
                link = int(graph.link[other])
                found.append(
                    Lane(
                        graph.port_name(other),
                        graph.device_name(int(graph.target[other])),
                        graph.port_name(other ^ 1),
                        graph.link_ids[link],
                        float(result.bytes[other]),
                        float(result.utilization_peak[other]),
                    )
                )
    return tuple(found)
