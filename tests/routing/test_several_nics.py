"""GPUs with several NICs: a flow uses those in service evenly, plane by plane."""

import numpy as np
import pytest

from designer.errors import GraphError
from designer.graph.arrays import NIC, Graph
from designer.graph.building.build import build
from designer.model.design import Design, from_entities
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ScaleUp, ServerType
from designer.model.hardware.switches import SwitchType
from designer.routing import destination, spray
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

NIC_GBPS = 400.0


def boxes(n_nics: int, *, planes: bool, gpus: int = 2) -> Design:
    """Three boxes of GPUs with n NICs each, joined by NVLink; NIC k on switch k, or all of them on one switch."""
    slots = tuple(Slot(f"g{gpu}n{nic}", gpu=gpu) for gpu in range(gpus) for nic in range(n_nics))
    entities = [
        NicType("nic", "", "", (), 1, NIC_GBPS),
        SwitchType("sw", "", "", (), (CageGroup(64, ""),), (PortMode("", 1, NIC_GBPS),)),
        ServerType("box", "", "", gpus, slots=slots, scale_up=ScaleUp("NVLink", 1000.0)),
        *(Device(f"s{nic}", f"plane-{nic}", "sw") for nic in range(n_nics if planes else 1)),
        *(Device(f"b{box}", f"box-{box}", "box") for box in range(3)),
    ]
    used = 0
    for box in range(3):
        for place, slot in enumerate(slots):
            used += 1
            switch = f"s{place % n_nics}" if planes else "s0"
            entities.append(Module(f"m{used}", f"b{box}", slot.name, "nic"))
            entities.append(Link(f"l{used}", End(f"b{box}", slot.name), End(switch, str(used))))
    return from_entities(entities)


def shares(graph: Graph, src: int, dst: int) -> tuple[dict[str, float], dict[str, float]]:
    """What share of a sprayed flow leaves by, and arrives at, each NIC port that it uses."""
    found = spray.route(
        network(graph), np.array([src]), np.array([dst]), np.array([1.0]), np.zeros(1, dtype=np.int64), 0
    )
    sides: tuple[dict[str, float], dict[str, float]] = {}, {}
    for arc in np.flatnonzero((graph.link >= 0) & (found.bytes_on > 0)).tolist():
        leaves = graph.kind[graph.source[arc]] == NIC
        nic = int(graph.source[arc] if leaves else graph.target[arc])
        port = graph.link_ports[graph.link[arc]][0]
        sides[0 if leaves else 1][f"{graph.device_name(nic)}:{port}"] = float(found.bytes_on[arc])
    assert len(np.unique(found.arcs)) == len(found.arcs), "an arc is in the row twice"
    return sides


@pytest.mark.parametrize("planes", [False, True])
def test_a_dead_nic_costs_its_share_and_never_uses_a_neighbours(planes):
    design = boxes(3, planes=planes)
    for dead in range(3):
        graph = build(design, failed=frozenset({f"box-0:g0n{dead}"}))
        left = [nic for nic in range(3) if nic != dead]

        out, in_ = shares(graph, 0, 2)

        assert out == pytest.approx({f"box-0:g0n{nic}": 1 / 2 for nic in left})
        arrives = dict.fromkeys(left, 1 / 2) if planes else dict.fromkeys(range(3), 1 / 3)
        assert in_ == pytest.approx({f"box-1:g0n{nic}": share for nic, share in arrives.items()})
        whole, short = (
            simulate(g, Scenario(traffic="shift:2", size_bytes=1e9, latency=False)) for g in (build(design), graph)
        )
        assert short.time_s == pytest.approx(1.5 * whole.time_s)
        assert short.utilization_peak.max() <= 1 + 1e-9


def test_planes_dead_at_either_end_leave_those_that_are_whole_at_both():
    graph = build(boxes(3, planes=True), failed=frozenset({"box-0:g0n0", "box-1:g0n1"}))

    assert shares(graph, 0, 2) == ({"box-0:g0n2": pytest.approx(1)}, {"box-1:g0n2": pytest.approx(1)})
    assert shares(graph, 0, 4)[0] == pytest.approx({"box-0:g0n1": 1 / 2, "box-0:g0n2": 1 / 2})


def test_only_where_no_plane_is_whole_a_flow_goes_by_all_nics_of_a_neighbour_that_reach():
    graph = build(boxes(3, planes=True), failed=frozenset({"box-0:g0n0", "box-1:g0n1", "box-1:g0n2"}))

    assert shares(graph, 0, 2) == ({"box-0:g1n0": pytest.approx(1)}, {"box-1:g0n0": pytest.approx(1)})
    dead = build(boxes(3, planes=True), failed=frozenset({"box-0:g0n0", "box-0:g0n1", "box-0:g0n2"}))
    assert shares(dead, 0, 2)[0] == pytest.approx({f"box-0:g1n{nic}": 1 / 3 for nic in range(3)})


def test_single_paths_take_the_nics_left_in_turn_and_arrive_at_that_of_the_same_number():
    graph = build(boxes(4, planes=False), failed=frozenset({"box-1:g0n1"}))

    def ports(channel: int, src: int, dst: int) -> list[str]:
        paths = destination.route(
            network(graph), np.array([src]), np.array([dst]), np.array([1.0]), np.array([channel]), 0
        )
        return [graph.link_ports[graph.link[arc]][0] for arc in paths.arcs if graph.link[arc] >= 0]

    taken = [ports(channel, 0, 2) for channel in range(12)]

    assert sorted({out for out, _ in taken}) == ["g0n0", "g0n1", "g0n2", "g0n3"]
    assert all(out == in_ for out, in_ in taken if out != "g0n1")
    assert {in_ for out, in_ in taken if out == "g0n1"} == {"g0n0", "g0n2", "g0n3"}
    back = [ports(channel, 2, 0) for channel in range(12)]
    assert {in_ for _, in_ in back} == {"g0n0", "g0n1", "g0n2", "g0n3"}


def test_cables_to_a_port_that_leads_elsewhere_join_nobody():
    design = boxes(1, planes=False, gpus=1)
    to_box_0 = [Link(f"l{box + 1}", End(f"b{box}", "g0n0"), End("b0", "g0n0")) for box in (1, 2)]
    others = [entity for entity in design.entities() if entity.id not in ("l2", "l3", design.settings.id)]
    graph = build(from_entities([*others, *to_box_0]))

    with pytest.raises(
        GraphError,
        match=r"^box-1 cannot reach box-2: no links lead from the one to the other(; no links join 2 parts .*)?$",
    ):
        shares(graph, 1, 2)
