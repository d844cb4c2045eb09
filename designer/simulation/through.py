"""Why a link is hot: the flows that cross it, one direction, and the lanes they could have taken instead.

Flows of a collective's steps are routed again and looked through. An all-to-all is not written out where its structure
tells enough: a link between switches is crossed only by flows between leafs on whose shortest ways it lies, a link of
a server only by that server's own flows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError, UnknownEntityError
from designer.graph.arrays import SWITCH, Graph
from designer.graph.sums import sums
from designer.routing.network import Network, network
from designer.routing.policies import POLICIES
from designer.simulation import uniform
from designer.simulation.courses import MOST_WIDE
from designer.simulation.engine import plan_of
from designer.simulation.phases import Flows, Phase, flows
from designer.simulation.ranks import participants
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.units import format_count

Progress = Callable[[float], None]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_AT_ONCE = 500_000
# Flows routed in one go.
NEGLIGIBLE = 1e-12
HASHED = ("ecmp", "destination")
"""Policies that put a whole flow on one lane, whatever the others carry."""


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

    def row(self) -> dict[str, Any]:
        return {
            "phase": self.phase, "rank": self.rank, "to_rank": self.to_rank, "from": self.source, "to": self.target,
            "share": self.share, "bytes": self.bytes,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class PairOfServers:
    """All flows over the link from one server to another."""

    source: str
    target: str
    source_id: str
    target_id: str
    flows: int
    bytes: float

    def row(self) -> dict[str, Any]:
        return {"from": self.source, "to": self.target, "flows": self.flows, "bytes": self.bytes}


@dataclass(frozen=True, slots=True)
class Lane:
    """A port that the flows over the link could have left by as well, and what it carries in the whole run."""

    port: str
    target: str
    target_port: str
    link_id: str
    bytes: float
    utilization: float

    @property
    def is_idle(self) -> bool:
        return self.bytes <= 0

    def row(self) -> dict[str, Any]:
        return {
            "port": self.port, "to": self.target, "to_port": self.target_port, "bytes": self.bytes,
            "utilization_peak": self.utilization,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Through:
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
    n_pairs: int
    pairs: tuple[PairOfServers, ...]
    lanes: tuple[Lane, ...]
    """The other lanes; none where the flows had no choice."""

    @property
    def name(self) -> str:
        """"leaf-03 5 -> spine-02 3"."""
        return f"{self.source} {self.port} -> {self.target} {self.target_port}"

    @property
    def idle(self) -> tuple[Lane, ...]:
        return tuple(lane for lane in self.lanes if lane.is_idle)

    @property
    def story(self) -> str:
        """What the choice of lanes has to do with the load, in a sentence; "" where they had none."""
        if not self.flows or not self.lanes:
            return ""
        n_lanes, n_idle = len(self.lanes) + 1, len(self.idle)
        who = "1 flow crosses" if self.flows == 1 else f"{format_count(self.flows)} flows cross"
        if self.routing not in HASHED:
            return f"{who} here, spread over {n_lanes} lanes of equal cost"
        how = "hashed" if self.routing == "ecmp" else "assigned by destination"
        if n_idle:
            idle = "1 is idle" if n_idle == 1 else f"{n_idle} are idle"
            return f"{who} here, {how} onto this lane; of the {n_lanes} lanes of equal cost, {idle} meanwhile"
        least = min(self.lanes, key=lambda lane: lane.bytes)
        if self.bytes > 0 and least.bytes < self.bytes:
            ratio = f"{100 * least.bytes / self.bytes:.0f} %"
            return f"{who} here, {how} onto this lane; of the {n_lanes} of equal cost, the least used carries {ratio}"
        return f"{who} here, {how} onto this lane; none of the {n_lanes} of equal cost carries less"

    def as_dict(self) -> dict[str, Any]:
        return {
            "from": self.source, "port": self.port, "to": self.target, "to_port": self.target_port,
            "utilization_peak": self.utilization, "bytes": self.bytes, "flows": self.flows,
            "crossings": [crossing.row() for crossing in self.crossings], "server_pairs": self.n_pairs,
            "pairs": [pair.row() for pair in self.pairs], "lanes": [lane.row() for lane in self.lanes],
            "story": self.story,
        }  # fmt: skip


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


def through(
    result: Result, scenario: Scenario, arc: int, top: int = 100, progress: Progress | None = None
) -> Through:
    """The flows of `scenario` that cross an arc of the graph its `result` is of.

    `progress` may raise Cancelled. Raises ParameterError for an all-to-all of more flows than a load-aware policy can
    be asked about.
    """
    report = progress if progress is not None else _ignore
    graph = result.graph
    net = POLICIES[scenario.routing].prepared(network(graph))
    ranks = participants(net, scenario)
    plan = plan_of(net, scenario, ranks)
    found = _Collected(graph, ranks, top)
    for number, phase in enumerate(plan.phases):

        def part(share: float, number: int = number) -> None:
            report((number + share) / len(plan.phases))

        for src, dst, share, size_bytes in _crossing(net, scenario, phase, arc, part):
            found.add(phase, src, dst, share, size_bytes)
    back, link = arc ^ 1, int(graph.link[arc])
    return Through(
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
        n_pairs=len(found.pair_keys),
        pairs=found.pairs(),
        lanes=_lanes(net, result, arc, found.leafs(net)),
    )


def _ignore(_share: float) -> None:
    pass


Part = tuple[Ints, Ints, Floats, Floats]
"""Sources, destinations, the share of each flow over the arc, its size."""


def _crossing(net: Network, scenario: Scenario, phase: Phase, arc: int, progress: Progress) -> Iterator[Part]:
    policy, traffic = POLICIES[scenario.routing], phase.traffic
    if isinstance(traffic, Flows):
        yield _routed(net, scenario, traffic, arc)
        progress(1.0)
        return
    members = traffic.members
    if policy.wide:
        if len(traffic) > MOST_WIDE:
            raise ParameterError(
                f"which of the {format_count(len(traffic))} flows cross a link is not told under {scenario.routing}: "
                f"choose fewer ranks, or another routing"
            )
        yield _routed(net, scenario, _pairs(members, members, traffic.pair_bytes), arc)
        progress(1.0)
        return
    blocks = list(_blocks(net, members, arc))
    for number, (sources, targets) in enumerate(blocks):
        sent = _pairs(sources, targets, traffic.pair_bytes)
        if len(sent):
            yield _routed(net, scenario, sent, arc)
        progress((number + 1) / len(blocks))


def _blocks(net: Network, members: Ints, arc: int) -> Iterator[tuple[Ints, Ints]]:
    """(sources, destinations) whose flows among all pairs of members may cross an arc, some at a time."""
    ends, switches, graph = net.ends, net.switches, net.graph
    sources, targets_of = members, {-1: members}
    leaf = ends.leaf[members, 0]
    block = np.full(len(members), -1, dtype=np.int64)
    if uniform.applies(net, members) and not switches.only.shape[1]:
        if graph.kind[graph.source[arc]] != SWITCH:
            sources = members[(ends.out[members, 0] == arc).any(axis=1)]
            block = block[: len(sources)]
        elif graph.kind[graph.target[arc]] != SWITCH:
            targets_of = {-1: members[(ends.in_[members, 0] == arc).any(axis=1)]}
        else:
            may = _leafs_across(net, arc)
            able = np.asarray(may.any(axis=1))[leaf]
            sources, block = members[able], leaf[able].astype(np.int64)
            targets_of = {int(one): members[may[one][leaf]] for one in np.unique(block)}
    for one in np.unique(block).tolist():
        senders, receivers = sources[block == one], targets_of[one]
        step = max(1, MOST_AT_ONCE // max(1, len(receivers)))
        for first in range(0, len(senders), step):
            yield senders[first : first + step], receivers


def _leafs_across(net: Network, arc: int) -> NDArray[np.bool_]:
    """(n_leafs, n_leafs) from which leaf to which a shortest way crosses an arc between switches."""
    switches, graph = net.switches, net.graph
    tail, head = int(graph.source[arc]) - switches.first, int(graph.target[arc]) - switches.first
    bundles = np.arange(switches.start[tail], switches.start[tail + 1])
    cost = int(switches.cost[bundles[switches.head[bundles] == head][0]])
    # Links lead both ways, so the way from a leaf is as long as the way to it.
    distance = switches.distance.astype(np.int64)
    whole = distance[:, switches.leafs].T
    across = distance[:, tail][:, None] + cost + distance[:, head][None, :]
    from_there, to_there = (distance[:, switch] >= 0 for switch in (tail, head))
    crosses: NDArray[np.bool_] = np.outer(from_there, to_there) & (across == whole)
    return crosses


def _pairs(sources: Ints, targets: Ints, pair_bytes: float) -> Flows:
    src, dst = np.repeat(sources, len(targets)), np.tile(targets, len(sources))
    differs = src != dst
    return flows(src[differs], dst[differs], pair_bytes)


def _routed(net: Network, scenario: Scenario, sent: Flows, arc: int) -> Part:
    policy = POLICIES[scenario.routing]
    paths = policy.route(net, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)
    spokesman = int(paths.stands_for[arc])
    entries = np.flatnonzero(paths.arcs == spokesman)
    flow = np.searchsorted(paths.start, entries, side="right") - 1
    weights = paths.weights[entries]
    if spokesman != arc and len(entries):
        # Flows use both in one proportion, which their bytes tell.
        weights = weights * (paths.bytes_on[arc] / paths.bytes_on[spokesman])
    hit, where = np.unique(flow, return_inverse=True)
    share = sums(where, weights, len(hit))
    real = share > NEGLIGIBLE
    hit, share = hit[real], share[real]
    return sent.src[hit], sent.dst[hit], share, sent.size_bytes[hit]


class _Collected:
    """Adds up crossings part by part, and keeps the largest."""

    def __init__(self, graph: Graph, ranks: Ints, top: int) -> None:
        self._graph = graph
        self._top = top
        self._rank_of = np.full(graph.n_endpoints, -1, dtype=np.int64)
        self._rank_of[ranks] = np.arange(len(ranks))
        self._kept: list[tuple[float, int, int, float, str]] = []
        self.bytes, self.flows = 0.0, 0
        self.pair_keys = np.empty(0, dtype=np.int64)
        self._pair_flows = np.empty(0, dtype=np.int64)
        self._pair_bytes: Floats = np.empty(0)
        self._targets: Ints = np.empty(0, dtype=np.int64)

    def add(self, phase: Phase, src: Ints, dst: Ints, share: Floats, size_bytes: Floats) -> None:
        moved = (0 if phase.is_fill else phase.repeat) * share * size_bytes
        self.bytes += float(moved.sum())
        self.flows += len(src)
        order = np.lexsort((self._rank_of[dst], self._rank_of[src], -np.round(moved, 3)))[: self._top]
        self._kept += [
            (float(moved[at]), int(src[at]), int(dst[at]), float(share[at]), phase.name) for at in order.tolist()
        ]
        self._kept = sorted(self._kept, key=lambda kept: -kept[0])[: self._top]
        device = self._graph.device.astype(np.int64)
        keys = device[src] * len(self._graph.device_ids) + device[dst]
        together = np.concatenate([self.pair_keys, keys])
        self.pair_keys, where = np.unique(together, return_inverse=True)
        n = len(self.pair_keys)
        counts = np.concatenate([self._pair_flows, np.ones(len(keys), dtype=np.int64)])
        self._pair_flows = np.bincount(where, counts, n).astype(np.int64)
        self._pair_bytes = sums(where, np.concatenate([self._pair_bytes, moved]), n)
        self._targets = np.unique(np.concatenate([self._targets, dst]))

    def crossings(self) -> tuple[Crossing, ...]:
        graph = self._graph
        return tuple(
            Crossing(
                name, int(self._rank_of[src]), int(self._rank_of[dst]), graph.vertex_name(src), graph.vertex_name(dst),
                graph.device_ids[graph.device[src]], graph.device_ids[graph.device[dst]], share, moved,
            )
            for moved, src, dst, share, name in self._kept
        )  # fmt: skip

    def pairs(self) -> tuple[PairOfServers, ...]:
        graph, n_devices = self._graph, len(self._graph.device_ids)
        order = np.lexsort((self.pair_keys, -np.round(self._pair_bytes, 3)))[: self._top]
        found = []
        for at in order.tolist():
            a, b = divmod(int(self.pair_keys[at]), n_devices)
            found.append(
                PairOfServers(
                    graph.device_names[a], graph.device_names[b], graph.device_ids[a], graph.device_ids[b],
                    int(self._pair_flows[at]), float(self._pair_bytes[at]),
                )
            )
        return tuple(found)

    def leafs(self, net: Network) -> Ints:
        """Leafs that the flows go to."""
        leafs = np.unique(net.ends.leaf[self._targets])
        return leafs[leafs >= 0].astype(np.int64)


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
                        graph.port_name(other), graph.device_name(int(graph.target[other])),
                        graph.port_name(other ^ 1), graph.link_ids[link], float(result.bytes[other]),
                        float(result.utilization_peak[other]),
                    )
                )
    return tuple(found)
