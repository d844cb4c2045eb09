"""Every path that the traffic between two places takes under a routing, with the share of the traffic on each."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from designer.errors import GraphError, ParameterError
from designer.graph.arrays import SWITCH, Graph
from designer.model.design import Design
from designer.routing import adaptive, valiant
from designer.routing.given import SPLIT
from designer.routing.legs import Legs, legs
from designer.routing.network import Network
from designer.routing.paths import Commodities, commodities
from designer.routing.planes import plane_pick
from designer.routing.policies import Policy, policy_named
from designer.routing.ways import MINIMAL, Way, Ways
from designer.simulation.paths.describe import Describe
from designer.simulation.paths.place import Place
from designer.simulation.paths.places import PathEnd, path_end
from designer.simulation.paths.rows import SHARE_DIGITS, FlowPath, PathsBetween
from designer.simulation.paths.sent import Sent, detoured, might_be_sent, sent_between
from designer.simulation.prepared import prepared
from designer.simulation.result import Result
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Flows

Progress = Callable[[float], None]
Floats = NDArray[np.float64]

MOST_LISTED = 100
"""Paths that are listed where nothing else is asked for."""
MOST_FOLLOWED = 20_000
"""Paths that are followed one by one; the rest is not counted, but its links are known all the same."""

Hops = tuple[tuple[int, ...], ...]
"""Arcs hop by hop; of parallel links all."""


@dataclass(slots=True)
class _Taken:
    """What is known of one path so far."""

    source: int
    target: int
    via: int
    count: int
    bytes: float = 0.0


@dataclass(slots=True)
class _Collected:
    """Paths by their hops and ends, and the bytes on every arc."""

    on_arc: Floats
    taken: dict[tuple[int, int, Hops], _Taken] = field(default_factory=dict)
    is_complete: bool = True
    passing: set[tuple[int, int]] = field(default_factory=set)
    """GPUs at the ends of the flows whose paths were cut off."""

    def add(self, hops: Hops, ends: tuple[int, int], via: int, count: int, moved: float) -> None:
        key = (*ends, hops)
        if key not in self.taken:
            if len(self.taken) >= MOST_FOLLOWED:
                self.is_complete = False
                return
            self.taken[key] = _Taken(*ends, via, count)
        self.taken[key].bytes += moved


def paths_between(
    design: Design,
    graph: Graph,
    scenario: Scenario,
    places: tuple[Place, Place],
    result: Result | None = None,
    top: int | None = MOST_LISTED,
    progress: Progress | None = None,
    *,
    is_run: bool = True,
) -> PathsBetween:
    """The paths of the scenario's traffic from the first place to the second, on the graph of a design.

    Where it sends nothing there, and where nothing `is_run`, those of one flow for each GPU. Loads are those of
    `result`, which is of this graph. `top` None lists all. Raises ParameterError for places where no traffic ends,
    GraphError where no path leads from one to the other.
    """
    report = progress if progress is not None else _ignore
    policy = policy_named(scenario.routing)
    net = prepared(graph, scenario)
    a, b = (path_end(design, net, place) for place in places)
    ends, is_cut = _cut_ends(a, b)
    sent = sent_between(net, scenario, a, b) if is_run else []
    if is_cut and sum(len(one.flows) for one in sent) > MOST_FOLLOWED:
        sent = []
    is_of_run = bool(sent)
    sent = sent or [might_be_sent(net, a, b)]
    found = _Collected(np.zeros(graph.n_arcs))
    for number, one in enumerate(sent):
        report(number / len(sent))
        add = _add_split if policy.detoured is not None else _add_whole
        add(net, scenario, policy, one, ends, found)
    report(1.0)
    total = sum(float(one.flows.size_bytes.sum()) for one in sent)
    if is_cut:
        total = _count_cut(found, a, b, policy)
    shown = _across(graph, found, a.link, b.link)
    describe = Describe(design, net, found.on_arc / total, result)
    rows = sorted(shown, key=lambda key: -round(found.taken[key].bytes / total, SHARE_DIGITS))
    arcs = _lit_arcs(graph, found, rows, a, b)
    return PathsBetween(
        source=a.name,
        target=b.name,
        routing=scenario.routing,
        flows=len(found.passing) if is_cut else len({key for one in sent for key in _flow_keys(one)}),
        is_of_run=is_of_run,
        n_groups=len(rows),
        n_paths=sum(found.taken[key].count for key in rows),
        is_complete=found.is_complete,
        paths=tuple(_row(describe, found.taken[key], key[2], total) for key in rows[:top]),
        links=tuple(sorted({graph.link_ids[link] for link in graph.link[arcs].tolist()})),
        devices=_devices(graph, arcs, a, b),
        note=_note(
            policy, scenario if is_run else None, is_of_run, a, b, sum(found.taken[key].bytes for key in rows) / total
        ),
    )


def _cut_ends(a: PathEnd, b: PathEnd) -> tuple[tuple[PathEnd, PathEnd], bool]:
    """The ends, and whether paths are cut off at a switch without GPUs; leaf switches are then cut at alike.

    Raises ParameterError where both are such switches.
    """
    if a.passed is None and b.passed is None:
        return (a, b), False
    if a.passed is not None and b.passed is not None:
        raise ParameterError(
            f"{a.name} and {b.name} only pass traffic on: choose a GPU, server, port or leaf switch for one of them"
        )
    first, last = (replace(end, leaf=None, passed=end.cut) for end in (a, b))
    return (first, last), True


def _count_cut(found: _Collected, a: PathEnd, b: PathEnd, policy: Policy) -> float:
    """The bytes on the paths that were cut off, which alone are put on the arcs. Raises GraphError without any."""
    if not found.taken:
        raise GraphError(f"{policy.name} routing sends nothing between {a.name} and {b.name}")
    found.on_arc[:] = 0.0
    for (_, _, hops), taken in found.taken.items():
        for hop in hops:
            found.on_arc[list(hop)] += taken.bytes / len(hop)
    return sum(taken.bytes for taken in found.taken.values())


def _ignore(_share: float) -> None:
    pass


def _flow_keys(sent: Sent) -> Iterator[tuple[int, int, int]]:
    return zip(sent.flows.src.tolist(), sent.flows.dst.tolist(), sent.flows.channel.tolist(), strict=True)


def _note(policy: Policy, run: Scenario | None, is_of_run: bool, a: PathEnd, b: PathEnd, listed: float) -> str:
    """What a reader has to know of the paths, of the traffic of a run where there is one; "" where nothing."""
    notes = []
    if not is_of_run:
        each = "from" if a.passed is None else "to"
        whom = f"one flow {each} each GPU for each leaf switch" if a.passed is not None or b.passed is not None else ""
        whom = whom or ("one flow" if len(a.gpus) == len(b.gpus) == 1 else "one flow for each GPU")
        if run is not None:
            notes.append(f"The traffic ({run.title}) sends nothing from {a.name} to {b.name}.")
        notes.append(f"These are the paths that {whom} would take.")
        if policy.by_load:
            notes.append("Shares depend on the load: these are of this traffic alone.")
    if listed < 1 - 1e-9 and (a.link is not None or b.link is not None):
        notes.append(f"{100 * listed:.3g} % of the traffic between the two devices goes this way.")
    return " ".join(notes)


def _across(graph: Graph, found: _Collected, *links: int | None) -> list[tuple[int, int, Hops]]:
    """The paths over all of these links."""
    wanted = [link for link in links if link is not None]
    return [
        key
        for key in found.taken
        if all(any(int(graph.link[arc]) == link for hop in key[2] for arc in hop) for link in wanted)
    ]


def _lit_arcs(
    graph: Graph, found: _Collected, rows: list[tuple[int, int, Hops]], a: PathEnd, b: PathEnd
) -> NDArray[np.int64]:
    """The arcs of links on the paths: of all of them where not only those over one link are meant."""
    lit = np.zeros(graph.n_arcs, np.bool_)
    if a.link is None and b.link is None:
        lit = found.on_arc > 0
        if a.leaf is not None:
            lit &= graph.kind[graph.source] == SWITCH
        if b.leaf is not None:
            lit &= graph.kind[graph.target] == SWITCH
    else:
        lit[[arc for _, _, hops in rows for hop in hops for arc in hop]] = True
    return np.flatnonzero(lit & (graph.link >= 0))


def _devices(graph: Graph, arcs: NDArray[np.int64], a: PathEnd, b: PathEnd) -> tuple[str, ...]:
    """Ids of the devices that the arcs join, and of both ends."""
    leafs = [end.cut for end in (a, b) if end.cut is not None]
    gpus = [end.gpus for end in (a, b) if end.cut is None]
    vertices = np.concatenate([graph.source[arcs], graph.target[arcs], *gpus, leafs]).astype(np.int64)
    return tuple(graph.device_ids[number] for number in np.unique(graph.device[vertices]).tolist())


def _row(describe: Describe, taken: _Taken, hops: Hops, total: float) -> FlowPath:
    return FlowPath(
        describe.vertex(taken.source),
        describe.vertex(taken.target),
        "" if taken.via == MINIMAL else describe.region(taken.via),
        taken.bytes / total,
        taken.count,
        describe.hops(hops),
    )


# -- policies that put a whole flow on one path -------------------------------------------------------------------


def _add_whole(
    net: Network, scenario: Scenario, policy: Policy, sent: Sent, ends: tuple[PathEnd, PathEnd], found: _Collected
) -> None:
    """Each flow by the arcs that the policy gives it; where a plug-in splits flows, by all ways over these."""
    of = sent.flows
    paths = policy.route(net, of.src, of.dst, of.size_bytes, of.channel, scenario.seed)
    found.on_arc += paths.bytes_on
    for flow in range(len(of)):
        row = slice(int(paths.start[flow]), int(paths.start[flow + 1]))
        weights = dict(zip(paths.arcs[row].tolist(), paths.weights[row].tolist(), strict=True))
        src, dst, moved = int(of.src[flow]), int(of.dst[flow]), float(of.size_bytes[flow])
        for arcs, share in _walks(net.graph, src, weights):
            _add_cut(net.graph, found, ends, (src, dst), tuple((arc,) for arc in arcs), MINIMAL, 1, share * moved)


def _walks(graph: Graph, source: int, weights: dict[int, float]) -> Iterator[tuple[tuple[int, ...], float]]:
    """(arcs in order, share) of the ways from a source over weighted arcs, split at each vertex by their weights."""
    leaving: dict[int, list[int]] = {}
    for arc in weights:
        leaving.setdefault(int(graph.source[arc]), []).append(arc)
    under_way: list[tuple[int, tuple[int, ...], float]] = [(source, (), 1.0)]
    while under_way:
        vertex, arcs, share = under_way.pop()
        onward = [arc for arc in leaving.get(vertex, ()) if arc not in arcs]
        if not onward:
            yield arcs, share
        total = sum(weights[arc] for arc in onward)
        for arc in reversed(onward):
            under_way.append((int(graph.target[arc]), (*arcs, arc), share * weights[arc] / total))


def _add_cut(
    graph: Graph,
    found: _Collected,
    ends: tuple[PathEnd, PathEnd],
    gpus: tuple[int, int],
    hops: Hops,
    via: int,
    count: int,
    moved: float,
) -> None:
    """Add a path, cut off at the leaf switches that stand for their GPUs; nothing where it passes them by."""
    a, b = ends
    source, target = gpus
    if a.cut is not None:
        begins = [at for at, hop in enumerate(hops) if int(graph.source[hop[0]]) == a.cut]
        if not begins:
            return
        hops, source = hops[begins[0 if a.passed is None else -1] :], a.cut
    if b.cut is not None:
        arrives = [at for at, hop in enumerate(hops) if int(graph.target[hop[0]]) == b.cut]
        if not arrives:
            return
        hops, target = hops[: arrives[-1 if b.passed is None else 0] + 1], b.cut
    if a.passed is not None or b.passed is not None:
        found.passing.add(gpus)
        count = math.prod(map(len, hops))
    found.add(hops, (source, target), via, count, moved)


# -- policies that split a flow over ways of known shares ---------------------------------------------------------


def _add_split(
    net: Network, scenario: Scenario, policy: Policy, sent: Sent, ends: tuple[PathEnd, PathEnd], found: _Collected
) -> None:
    """Each leg of each flow by all ways between its leafs."""
    of = sent.flows
    between = legs(net, of.src, of.dst, plane_pick(net, of.channel, scenario.seed, SPLIT))
    sets = commodities(net, between)
    away = detoured(net, scenario, policy, sent, between, sets)
    mixed = adaptive.mixed(net, sets, away)
    found.on_arc += valiant.paths_along(net, between, of.size_bytes, sets, mixed).bytes_on
    ways, arcs_of = _ways_of(net, sets, away), _arcs_of_bundles(net)
    for trip, moved in _trips(net, of, between, sets, ends).items():
        for way in ways(trip.commodity):
            hops = (*trip.out, *(arcs_of(bundle) for bundle in way.bundles), *trip.in_)
            gpus, share = (trip.source, trip.target), way.share * moved
            if ends[0].passed is None and ends[1].passed is None:
                found.add(hops, gpus, way.via, way.count, share)
            else:
                _add_cut(net.graph, found, ends, gpus, hops, way.via, way.count, share)
        if not found.is_complete:
            return


class _Trip(NamedTuple):
    """What flows that are split alike have in common: the ends, and the hops onto the fabric and off it."""

    source: int
    target: int
    out: Hops
    in_: Hops
    commodity: int


def _trips(
    net: Network, of: Flows, between: Legs, sets: Commodities, ends: tuple[PathEnd, PathEnd]
) -> dict[_Trip, float]:
    """The bytes of each trip; a leaf switch that stands for its GPUs is where it begins or ends."""
    a, b = ends
    vertex_of = np.append(net.switches.leafs + net.switches.first, -1)  # the last one answers for no leaf
    columns = (between.flow, between.share, vertex_of[between.from_leaf], vertex_of[between.to_leaf], sets.of_leg)
    trips: dict[_Trip, float] = {}
    for leg, (flow, share, first, last, commodity) in enumerate(zip(*(one.tolist() for one in columns), strict=True)):
        if (a.leaf is not None and first != a.leaf) or (b.leaf is not None and last != b.leaf):
            continue
        out, in_ = (tuple((arc,) for arc in side[leg].tolist() if arc >= 0) for side in (between.out, between.in_))
        trip = _Trip(
            int(of.src[flow]) if a.leaf is None else a.leaf,
            int(of.dst[flow]) if b.leaf is None else b.leaf,
            out if a.leaf is None else (),
            in_ if b.leaf is None else (),
            commodity,
        )
        trips[trip] = trips.get(trip, 0.0) + share * float(of.size_bytes[flow])
    return trips


def _ways_of(net: Network, sets: Commodities, away: Floats) -> Callable[[int], tuple[Way, ...]]:
    """By commodity its ways, at most one more than are followed; of none, the one without a link between switches."""
    ways = Ways(net)
    known: dict[int, tuple[Way, ...]] = {-1: (Way((), 1.0, MINIMAL, 1),)}

    def of(commodity: int) -> tuple[Way, ...]:
        if commodity not in known:
            from_leaf, to_leaf = int(sets.from_leaf[commodity]), int(sets.to_leaf[commodity])
            every = ways.between(from_leaf, to_leaf, float(away[commodity]))
            known[commodity] = tuple(islice(every, MOST_FOLLOWED + 1))
        return known[commodity]

    return of


def _arcs_of_bundles(net: Network) -> Callable[[int], tuple[int, ...]]:
    switches, known = net.switches, {}

    def of(bundle: int) -> tuple[int, ...]:
        if bundle not in known:
            row = slice(int(switches.arc_start[bundle]), int(switches.arc_start[bundle + 1]))
            known[bundle] = tuple(switches.arcs[row].tolist())
        found: tuple[int, ...] = known[bundle]
        return found

    return of
