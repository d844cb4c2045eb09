"""The bottlenecks of a scenario, and the flows that meet at each as the equations take them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from designer.errors import ParameterError
from designer.graph.arrays import INFINIBAND, SWITCH, Graph
from designer.model.design import Design
from designer.model.hardware.ports import NVLINK
from designer.model.hardware.switches import SwitchType
from designer.model.infiniband import INFINIBAND as INFINIBAND_NAME
from designer.model.networks import COMPUTE, network_of_switch
from designer.routing.network import Network
from designer.routing.paths import Paths
from designer.routing.policies import policy_named
from designer.simulation.explain.pressure import ENOUGH, wishes
from designer.simulation.memory import require_room
from designer.simulation.phase_results import MOST_FOLLOWED, written_out
from designer.simulation.queues.arriving_kernels import Ends, arriving
from designer.simulation.queues.fluid_kernels import Senders
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import Flows, Phase
from designer.units import SECONDS_PER_NS, format_count

Floats = NDArray[np.float64]
DIGITS = 9
ETHERNET = "ethernet"
CREDITS = (
    "InfiniBand, which sends by credits: DCQCN and PFC are for Ethernet, so choose a design with Ethernet switches"
)


@dataclass(frozen=True, slots=True, eq=False)
class RoutedPhase:
    """A phase with the paths of its flows, every arc in the rows, and what comes to each arc past those before it."""

    phase: Phase
    sent: Flows
    paths: Paths
    comes: Floats  # (n_entries of the rows,) bytes/s
    demand: Floats  # (n_arcs,) what comes over capacity
    capacity: Floats  # (n_arcs,) bytes/s

    def overloaded(self, graph: Graph) -> NDArray[np.int64]:
        """Links that switches send by and that more comes to than they carry."""
        is_port = (graph.link >= 0) & (graph.kind[graph.source] == SWITCH)
        found: NDArray[np.int64] = np.flatnonzero(is_port & (self.demand > ENOUGH) & (self.paths.bytes_on > 0))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Flows at one bottleneck: alike ones as classes, with the ingress ports that they come by."""

    senders: Senders
    ports: NDArray[np.int64]  # (m,) arcs into the switch; of parallel ones the first stands for all
    n_parallel: NDArray[np.int64]  # (m,)
    n_feeding: NDArray[np.int64]  # (m,) ingress ports of the switch upstream; 0 where a NIC sends
    n_flows: int
    latency_s: float  # mean of the paths, one way


def routed_phase(net: Network, scenario: Scenario, phase: Phase, capacity: Floats) -> RoutedPhase:
    """The phase routed. Raises ParameterError for more flows than can be followed one by one."""
    if len(phase.traffic) > MOST_FOLLOWED:
        raise ParameterError(
            f"queues are followed flow by flow, for up to {format_count(MOST_FOLLOWED)} flows; these ranks send "
            f"{format_count(len(phase.traffic))} at once: choose fewer ranks"
        )
    traffic = phase.traffic
    sent = traffic if isinstance(traffic, Flows) else written_out(traffic, 0, len(traffic.members))
    policy = policy_named(scenario.routing)
    route = policy.in_full or policy.route
    require_room(net, sent, route, scenario)
    paths = route(net, sent.src, sent.dst, sent.size_bytes, sent.channel, scenario.seed)
    wish = wishes(net.graph, paths, capacity)
    ends = Ends(net.graph.source, net.graph.target, net.graph.n_vertices)
    comes, total = arriving(paths.rows, ends, wish, capacity)
    demand = np.where(np.isfinite(capacity), total / capacity, 0.0)[paths.stands_for]
    return RoutedPhase(phase, sent, paths, comes, demand, capacity)


def crossing(graph: Graph, routed: RoutedPhase, arc: int) -> Crossing:
    """The flows over an arc by classes: alike where ingress ports, shares, rates and sizes are."""
    paths = routed.paths
    spokesman = int(paths.stands_for[arc])
    switch = graph.source[spokesman]
    entries = np.flatnonzero(paths.arcs == spokesman)
    crossing_flows = np.searchsorted(paths.start, entries, side="right") - 1
    classes: Counter[tuple[tuple[tuple[int, float], ...], float, float]] = Counter()
    feeding: dict[int, set[int]] = {}
    latency_s = 0.0
    for flow, entry in zip(crossing_flows.tolist(), entries.tolist(), strict=True):
        row = slice(paths.start[flow], paths.start[flow + 1])
        arcs, weights = paths.arcs[row], paths.weights[row]
        into = np.flatnonzero(graph.target[arcs] == switch)
        shares = weights[into] / weights[into].sum()
        ports = tuple(zip(arcs[into].tolist(), np.round(shares, DIGITS).tolist(), strict=True))
        for port, _share in ports:
            upstream = graph.source[port]
            if graph.kind[upstream] == SWITCH:
                feeding.setdefault(port, set()).update(arcs[graph.target[arcs] == upstream].tolist())
        cap, size = routed.comes[entry], paths.weights[entry] * routed.sent.size_bytes[flow]
        classes[ports, _rounded(cap), _rounded(size)] += 1
        latency_s += paths.latency_ns[flow] * SECONDS_PER_NS
    return _crossing(graph, routed, classes, feeding, latency_s / max(1, len(entries)))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _crossing(
    graph: Graph,
    routed: RoutedPhase,
    classes: Counter[tuple[tuple[tuple[int, float], ...], float, float]],
    feeding: dict[int, set[int]],
    latency_s: float,
) -> Crossing:
    keys = sorted(classes)
    arcs = sorted({port for ports, _cap, _size in keys for port, _share in ports})
    number = {arc: place for place, arc in enumerate(arcs)}
    lengths = [len(ports) for ports, _cap, _size in keys]
    senders = Senders(
        np.array([float(classes[key]) for key in keys]),
        np.array([cap for _ports, cap, _size in keys]),
        np.array([size for _ports, _cap, size in keys]),
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array([number[port] for ports, _cap, _size in keys for port, _share in ports], dtype=np.int64),
        np.array([share for ports, _cap, _size in keys for _port, share in ports]),
    )
    return Crossing(
        senders,
        np.array(arcs, dtype=np.int64),
        np.array([_parallel(graph, routed.paths, arc) for arc in arcs], dtype=np.int64),
        np.array([len(feeding.get(arc, ())) for arc in arcs], dtype=np.int64),
        sum(classes.values()),
        latency_s,
    )


def _parallel(graph: Graph, paths: Paths, arc: int) -> int:
    """How many arcs between the same two ends an arc in the rows stands for."""
    same = graph.out_arcs[graph.out_start[graph.source[arc]] : graph.out_start[graph.source[arc] + 1]]
    is_like = (paths.stands_for[same] == arc) & (graph.target[same] == graph.target[arc])
    return max(1, int(np.count_nonzero(is_like)))


def infiniband_only(design: Design) -> str:
    """Why no link of a design can have such queues, whatever its traffic; "" where one may."""
    kinds = {design.types[one.type_id] for one in design.switches() if network_of_switch(one) == COMPUTE}
    spoken = set[str]()
    for type_ in kinds:
        if isinstance(type_, SwitchType):
            spoken.update(type_.protocols, *(mode.protocols for mode in type_.modes))
            spoken.update([ETHERNET] if type_.slots else ())  # its line cards say what they speak
    return f"The switches of this design are {CREDITS}." if spoken - {NVLINK} == {INFINIBAND_NAME} else ""


def without_infiniband(graph: Graph, arcs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The arcs that may be Ethernet. Raises ParameterError where none of several may."""
    found: NDArray[np.int64] = arcs[graph.protocol[arcs] != INFINIBAND]
    if len(arcs) and not len(found):
        raise ParameterError(
            f"{graph.device_name(int(graph.source[arcs[0]]))} and the other overloaded switches are {CREDITS}"
        )
    return found


def worst_first(routed: list[RoutedPhase], graph: Graph) -> Iterator[tuple[int, int]]:
    """(number of the phase, arc) of every overloaded arc in the phase that wants most of it, the worst first."""
    best: dict[int, tuple[float, int]] = {}
    for number, one in enumerate(routed):
        for arc in one.overloaded(graph).tolist():
            demand = round(float(one.demand[arc]), DIGITS)
            if arc not in best or demand > best[arc][0]:
                best[arc] = demand, number
    for arc in sorted(best, key=lambda arc: (-best[arc][0], arc)):
        yield best[arc][1], arc
