"""Loading the compiled kernels, or compiling them, before anybody waits for them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from designer.catalog.catalog import load
from designer.errors import GraphError
from designer.exchange.infiniband.lft_kernels import read_section
from designer.graph.arrays import Graph
from designer.graph.building.build import build
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Entity, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.routing import valiant
from designer.routing.given import ForwardingTables
from designer.routing.network import network
from designer.routing.policies import DETOURED
from designer.routing.tables.forwarding import NO_LID, Forwarding
from designer.routing.transport_kernels import Rows
from designer.routing.ways import Ways
from designer.simulation.engine import plan_of, simulate
from designer.simulation.flows import fluid, fluid_kernels, uniform
from designer.simulation.flows.uniform_hosts import hosts_of
from designer.simulation.payload_rate import payload_rate
from designer.simulation.phase_results import MERGED
from designer.simulation.queues import fluid as queues_fluid
from designer.simulation.queues.crossings import routed_phase
from designer.simulation.queues.parameters import set_named
from designer.simulation.queues.stability import phase_margin_deg
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.topologies import dragonfly, torus

SCENARIOS = (
    Scenario(collective="all-reduce"),
    Scenario(collective="all-to-all"),
    Scenario(collective="all-to-all", routing="weighted-spray"),
    Scenario(collective="all-to-all", routing="destination"),
    Scenario(traffic="permutation:1", routing="ecmp"),
    Scenario(traffic="permutation:1", routing="ecmp", queue_pairs=2),
    Scenario(traffic="permutation:1", routing="packet-spray"),
    Scenario(traffic="shift:4", routing="valiant"),
    Scenario(traffic="shift:4", routing="adaptive"),
    Scenario(traffic="incast:4+shift:1", congestion="head-of-line"),
)
ON_A_TORUS = (Scenario(collective="all-to-all"), Scenario(traffic="shift:1", routing="dimension-order"))
ON_A_DRAGONFLY = (
    Scenario(collective="all-to-all"),
    Scenario(traffic="shift:2", routing="valiant"),
    Scenario(traffic="shift:2", routing="adaptive"),
    Scenario(traffic="shift:2", routing="ecmp"),
)


def warm_up(progress: Callable[[float], None] | None = None) -> None:
    """Run every kernel once: what most fabrics need first, then what direct networks and very many flows do."""
    steps = _steps()
    for number, step in enumerate(steps):
        if progress is not None:
            progress(number / len(steps))
        step()


def _steps() -> list[Callable[[], object]]:
    # Oversubscribed, so that no kernel is passed over.
    graph = build(_small_fabric())
    steps: list[Callable[[], object]] = [partial(simulate, graph, scenario) for scenario in SCENARIOS]
    for fabric, scenarios in ((_small_torus, ON_A_TORUS), (_small_dragonfly, ON_A_DRAGONFLY)):
        direct = build(fabric())
        steps += [partial(simulate, direct, scenario) for scenario in scenarios]
    on_graph = [partial(one, graph) for one in (_detoured, _at_lengths, _hashed, _by_tables, _way_by_way, _queue)]
    return [*steps, *on_graph, _averaged, _distinguished, _read]


def _queue(graph: Graph) -> None:
    """The bottlenecks of a scenario, a queue of two flows, and how far it is from swinging."""
    net, scenario = network(graph), Scenario(traffic="shift:1")
    (phase,) = plan_of(net, scenario, participants(net, scenario)).phases
    routed_phase(net, scenario, phase, payload_rate(graph, None).capacity)
    parameters = set_named("papers")
    constants, capacity = queues_fluid.control(parameters, parameters.thresholds[0]), 5e9
    queues_fluid.integrated(
        constants, queues_fluid.alike(2, capacity, 1e5), queues_fluid.without_pauses(2), capacity, 4e-6, 1e-4
    )
    phase_margin_deg(constants, capacity, 2, 4e-6)


def _detoured(graph: Graph) -> None:
    """Fills arcs as an all-to-all does that has too many flows to write them out, and asks what crosses one."""
    net = network(graph)
    uniform.run(net, np.arange(graph.n_endpoints), 1.0, DETOURED, graph.capacity_gbps)
    valiant.crossing(net, 0)


def _at_lengths(graph: Graph) -> None:
    """The longest latency as where cables have lengths of their own."""
    net = network(graph)
    uniform.sprayed_latency_ns(net, hosts_of(net, np.arange(graph.n_endpoints)))


def _hashed(graph: Graph) -> None:
    """The same of hashed flows, and of flows in pieces."""
    for n_pieces in (None, 2.0):
        uniform.hashed_loads(network(graph), np.arange(graph.n_endpoints), seed=0, n_pieces=n_pieces)


def _by_tables(graph: Graph) -> None:
    """The same of flows under forwarding tables, which lead nowhere here."""
    net = network(graph)
    row, column = np.full(net.switches.n_switches, -1), np.full(graph.n_endpoints, -1)
    next_arc = np.full((len(row), len(column)), NO_LID, dtype=np.int32)
    head = np.full(graph.n_arcs, -1, dtype=np.int32)
    given = Forwarding(ForwardingTables("", (), (), (), ()), next_arc, head, row, column, ())
    with suppress(GraphError):
        uniform.by_tables(replace(net, forwarding=given), hosts_of(net, np.arange(graph.n_endpoints)))


def _way_by_way(graph: Graph) -> None:
    """The paths between two leaf switches one by one."""
    list(Ways(network(graph)).between(0, 1, 0.0))


def _distinguished() -> None:
    """Tells arcs apart by their flows, as of very many flows."""
    fluid_kernels.signatures(Rows(np.arange(2), np.zeros(1, dtype=np.int32), np.ones(1)), 1)


def _read() -> None:
    """Reads a line of forwarding tables."""
    line = b"0x0001 001"
    ports, starts = np.zeros(2, dtype=np.uint8), np.zeros(2, dtype=np.int64)
    read_section(np.frombuffer(line, dtype=np.uint8), 0, len(line), ports, starts)


def _averaged() -> None:
    """Follows flows as very many are."""
    rows = Rows(np.arange(3), np.zeros(2, dtype=np.int32), np.ones(2))
    fluid.by_windows(rows, np.ones(1), np.array([1.0, 2.0]), MERGED, few=0)


def _small_torus() -> Design:
    design = Design()
    design.apply(torus.build(design, torus.TorusParameters((3, 3)), load()))
    return design


def _small_dragonfly() -> Design:
    design = Design()
    design.apply(dragonfly.build(design, dragonfly.DragonflyParameters(p=1, a=2, h=1), load()))
    return design


def _small_fabric() -> Design:
    nic = NicType("nic", "", "", (), 1, 100.0)
    host = ServerType("host", "", "", 1, slots=(Slot("nic1", gpu=0),))
    switch = SwitchType("switch", "", "", (), (CageGroup(4, ""),), (PortMode("", 1, 100.0),))
    devices = [Device(f"d{n}", f"d{n}", "host" if n <= 6 else "switch") for n in range(1, 10)]
    modules = [Module(f"m{n}", f"d{n}", "nic1", "nic") for n in range(1, 7)]
    links = [Link(f"l{n}", End(f"d{n}", "nic1"), End(f"d{7 + n % 2}", str((n + 1) // 2))) for n in range(1, 7)]
    links += [Link("l7", End("d7", "4"), End("d9", "1")), Link("l8", End("d8", "4"), End("d9", "2"))]
    entities: list[Entity] = [nic, host, switch, *devices, *modules, *links]
    return from_entities(entities)
