"""Loading the compiled kernels, or compiling them, before anybody waits for them."""

from collections.abc import Callable

from designer.graph.arrays import build
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Entity, Link, Module
from designer.model.hardware import CageGroup, NicType, PortMode, ServerType, Slot, SwitchType
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

SCENARIOS = (
    Scenario(collective="all-reduce"),
    Scenario(collective="all-to-all"),
    Scenario(collective="all-to-all", routing="destination"),
    Scenario(traffic="permutation:1", routing="ecmp"),
    Scenario(traffic="shift:4", routing="valiant"),
    Scenario(traffic="shift:4", routing="adaptive"),
    Scenario(traffic="incast:4+shift:1", congestion="head-of-line"),
)


def warm_up(progress: Callable[[float], None] | None = None) -> None:
    """Run every kernel once, on a fabric of two leafs that is oversubscribed so that none is passed over."""
    graph = build(_small_fabric())
    for number, scenario in enumerate(SCENARIOS):
        if progress is not None:
            progress(number / len(SCENARIOS))
        simulate(graph, scenario)


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
