"""Which NIC a flow leaves by and arrives at, and what it crosses inside the servers."""

import numpy as np
import pytest

from designer.errors import GraphError, PartsError
from designer.graph.arrays import CROSSBAR, GPU, NIC, SWITCH, Graph
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.model.entities import End, Link
from designer.routing import destination, ecmp, spray
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

NO_CHANNEL = np.zeros(1, dtype=np.int64)


def path(graph: Graph, src: int, dst: int, policy=destination, channel: int = 0, seed: int = 0) -> list[str]:
    """The vertices a single-path flow passes, by name; NICs by port, crossbars by domain."""
    paths = policy.route(network(graph), np.array([src]), np.array([dst]), np.array([1.0]), np.array([channel]), seed)
    assert (graph.source[paths.arcs[1:]] == graph.target[paths.arcs[:-1]]).all(), "the arcs do not join up"
    assert (paths.weights == 1).all()
    vertices = [int(graph.source[paths.arcs[0]]), *(int(v) for v in graph.target[paths.arcs])]
    assert (vertices[0], vertices[-1]) == (src, dst)
    return [label(graph, v) for v in vertices]


def label(graph: Graph, vertex: int) -> str:
    kind, local = graph.kind[vertex], graph.local[vertex]
    name = graph.device_name(vertex)
    return {GPU: f"{name} gpu{local}", NIC: f"{name} nic{local}", CROSSBAR: f"{name} nvlink", SWITCH: name}[int(kind)]


def test_traffic_inside_a_server_takes_the_crossbar(generate):
    graph = build(generate("rail-optimized", servers=4))

    assert path(graph, 1, 6) == ["gpu-01 gpu1", "gpu-01 nvlink", "gpu-01 gpu6"]


def test_traffic_between_servers_leaves_and_arrives_by_the_gpus_own_nics(generate):
    graph = build(generate("rail-optimized", servers=4))

    assert path(graph, 2, 8 + 2) == ["gpu-01 gpu2", "gpu-01 nic2", "leaf-su1-r3", "gpu-02 nic2", "gpu-02 gpu2"]
    crossing = path(graph, 2, 8 + 5)
    assert crossing[:3] == ["gpu-01 gpu2", "gpu-01 nic2", "leaf-su1-r3"] and crossing[3].startswith("spine")
    assert crossing[4:] == ["leaf-su1-r6", "gpu-02 nic5", "gpu-02 gpu5"]


def test_on_a_rail_only_fabric_traffic_changes_rail_over_the_crossbar_of_the_sender(generate):
    graph = build(generate("rail-optimized", servers=4, rail_only=True))

    assert path(graph, 2, 8 + 5) == [
        "gpu-01 gpu2",
        "gpu-01 nvlink",
        "gpu-01 gpu5",
        "gpu-01 nic5",
        "leaf-su1-r6",
        "gpu-02 nic5",
        "gpu-02 gpu5",
    ]


def test_where_the_sender_cannot_change_rail_the_receiver_does(drawing):
    drawing.add("generic-host", "a")
    drawing.add("hgx-h100-oem", "box")
    drawing.add("generic-switch-4x400g", "left", "right")
    drawing.join("a", "left")
    drawing.wire("box", "rail1", "left", "2")
    drawing.wire("box", "rail2", "right", "1")
    graph = build(drawing.design)

    assert path(graph, 0, 2) == [
        "a gpu0",
        "a nic0",
        "left",
        "box nic0",
        "box gpu0",
        "box nvlink",
        "box gpu1",
    ]
    assert path(graph, 2, 0) == [
        "box gpu1",
        "box nvlink",
        "box gpu0",
        "box nic0",
        "left",
        "a nic0",
        "a gpu0",
    ]


def test_a_gpu_whose_nic_lost_its_link_borrows_a_neighbours(generate):
    design = generate("rail-optimized", servers=4)
    graph = build(design, failed=frozenset({"gpu-01:rail3"}))

    found = path(graph, 2, 8 + 2)

    assert found[:3] == ["gpu-01 gpu2", "gpu-01 nvlink", found[2]]
    assert found[3].startswith("gpu-01 nic") and found[3] != "gpu-01 nic2"
    assert path(graph, 8 + 2, 2)[-3:] == [found[2], "gpu-01 nvlink", "gpu-01 gpu2"]


@pytest.mark.parametrize("other", ["rail2", "rail5", "rail7", "rail8"])
def test_gpus_without_a_nic_each_take_another_of_those_left_the_nearest_first(generate, other):
    design = generate("rail-optimized", servers=2)
    ends = network(build(design, failed=frozenset({"gpu-01:rail1", f"gpu-01:{other}"}))).ends
    orphans = [gpu for gpu in range(8) if ends.borrowed[gpu]]
    nics = ends.nic[:8, 0].tolist()
    assert len(orphans) == 2 and nics[orphans[0]] != nics[orphans[1]]
    lenders = [next(g for g in range(8) if g not in orphans and nics[g] == nics[orphan]) for orphan in orphans]
    assert lenders[0] == (2 if other == "rail2" else 1)
    assert all(abs(orphan - lender) <= 2 for orphan, lender in zip(orphans, lenders, strict=True))


def test_hosts_joined_by_a_cable_need_no_switch(drawing):
    drawing.add("generic-host", "a", "b")
    drawing.join("a", "b")
    graph = build(drawing.design)

    for policy in (destination, ecmp, spray):
        assert path(graph, 0, 1, policy) == ["a gpu0", "a nic0", "b nic0", "b gpu0"]


def test_a_host_with_two_nics_sprays_over_both_and_else_takes_one_by_channel(drawing):
    drawing.add("generic-host-2x400g", "a", "b")
    drawing.add("generic-switch-4x400g", "left", "right")
    for host in ("a", "b"):
        drawing.join(host, "left")
        drawing.join(host, "right")
    graph = build(drawing.design)

    sprayed = spray.route(network(graph), np.array([0]), np.array([1]), np.array([8.0]), NO_CHANNEL, 0)

    assert [path(graph, 0, 1, channel=channel)[2] for channel in range(3)] == ["right", "left", "right"]
    assert {path(graph, 0, 1, ecmp, seed=seed)[2] for seed in range(20)} == {"left", "right"}
    assert set(sprayed.bytes_on[graph.link >= 0]) == {0.0, 4.0}
    assert np.count_nonzero(sprayed.bytes_on[graph.link >= 0]) == 4


def test_planes_that_are_not_joined_are_used_side_by_side_and_a_broken_one_is_avoided(drawing):
    drawing.add("generic-host-2x400g", "a", "b", "c")
    drawing.add("generic-switch-4x400g", "left", "right")
    for host in ("a", "b", "c"):
        drawing.join(host, "left")
        drawing.join(host, "right")
    graph = build(drawing.design, failed=frozenset({"b:nic1"}))

    assert [path(graph, 0, 1, channel=channel)[2] for channel in range(3)] == ["right"] * 3
    assert {path(graph, 0, 2, channel=channel)[2] for channel in range(3)} == {"left", "right"}


def test_ranks_that_cannot_reach_each_other_are_named(drawing):
    drawing.add("generic-host", "a", "b", "c")
    drawing.add("generic-switch-4x400g", "left", "right")
    drawing.join("a", "left")
    drawing.join("b", "right")
    graph = build(drawing.design)

    reason = "no links join 2 parts of the fabric, the largest has 1 of 2 GPUs: run on the largest part, or choose "
    reason += "ranks of one part"
    with pytest.raises(PartsError, match=f"^a cannot reach b: no links lead from the one to the other; {reason}$"):
        path(graph, 0, 1)
    with pytest.raises(GraphError, match=r"^a cannot reach c: c has no NIC with a link$"):
        path(graph, 0, 2)
    without = build(drawing.design, failed=frozenset({"right"}))
    with pytest.raises(GraphError, match=r"^a cannot reach b: b is left with no link \(right failed\)$"):
        path(without, 0, 1)


@pytest.fixture
def two_halves(catalog):
    """Four DGX H100, NICs 1 to 4 of each on one switch, 5 to 8 on another; the switches are not joined."""
    design = Design()
    for name, type_id in (("a", "nvidia-qm9700"), ("b", "nvidia-qm9700"), *((f"gpu-{n}", "dgx-h100") for n in "1234")):
        design.apply(operations.add_device(design, catalog.get(type_id), 0, 0, catalog_types=catalog.types, name=name))
    ids = {device.name: device.id for device in design.devices.values()}
    links, cages = [], {"a": 0, "b": 0}
    for server in "1234":
        for rail in range(1, 9):
            switch = "a" if rail <= 4 else "b"
            cages[switch] += 1
            port = f"{cages[switch]}/1"
            links.append(Link(f"l{len(links) + 1}", End(ids[f"gpu-{server}"], f"rail{rail}"), End(ids[switch], port)))
    design.apply(Edit("Join", added(links)))
    return design


def most_on_a_nic(graph: Graph, scenario: Scenario) -> tuple[float, float]:
    """The most and the least that any NIC sends or receives."""
    bytes_on = simulate(graph, scenario).bytes[graph.link >= 0]
    return float(bytes_on.max()), float(bytes_on.min())


def test_flows_between_halves_change_to_the_nic_in_the_place_of_the_receivers(two_halves):
    graph = build(two_halves)

    most, least = most_on_a_nic(graph, Scenario(collective="all-to-all"))
    assert most == pytest.approx(least)
    assert path(graph, 1, 14) == [
        "gpu-1 gpu1",
        "gpu-1 nvlink",
        "gpu-1 gpu6",
        "gpu-1 nic6",
        "b",
        "gpu-2 nic6",
        "gpu-2 gpu6",
    ]


def test_where_gpus_borrow_nics_their_flows_arrive_as_evenly_as_they_leave(two_halves):
    whole = simulate(build(two_halves), Scenario(collective="all-reduce", size_bytes=1e9, latency=False))
    lost = frozenset(
        link.id
        for link in two_halves.links.values()
        if link.a.port in ("rail1", "rail2", "rail3", "rail4") and two_halves.device(link.a.device_id).name == "gpu-1"
    )
    halved = simulate(build(two_halves, failed=lost), Scenario(collective="all-reduce", size_bytes=1e9, latency=False))
    assert halved.time_s == pytest.approx(2 * whole.time_s, rel=1e-3)
