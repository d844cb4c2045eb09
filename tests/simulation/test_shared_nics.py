"""GPUs without a NIC of their own, in servers without a scale-up domain: they share one, and its rate."""

import pytest

from designer.catalog.catalog import load
from designer.graph.arrays import GPU, NIC, Graph
from designer.graph.building.build import build
from designer.graph.building.templates import server_template
from designer.model.design import Design
from designer.model.hardware.modules import Slot
from designer.model.hardware.ports import Port
from designer.model.hardware.servers import ServerType
from designer.routing.network import network
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree
from designer.topologies.fat_tree import FatTreeParameters

CATALOG = load()
SECOND_OF_400G = 50e9
"""Bytes that a 400G port takes a second for."""


def pod(**fields) -> Graph:
    """Two servers of four GPUs on one switch of 400G ports."""
    design = Design()
    parameters = FatTreeParameters(
        server="generic-server-4x1x400g", servers=2, switch="generic-switch-64x400g", tiers="1", **fields
    )
    design.apply(fat_tree.build(design, parameters, CATALOG))
    return build(design)


@pytest.fixture(scope="module")
def own() -> Graph:
    return pod()


@pytest.fixture(scope="module")
def shared() -> Graph:
    return pod(nics_per_server=2)


def seconds(graph: Graph, **fields) -> float:
    return simulate(graph, Scenario(size_bytes=SECOND_OF_400G, efficiency=1.0, latency=False, **fields)).time_s


def test_four_gpus_share_two_nics_two_and_two(shared):
    joints = (shared.kind[shared.source] == GPU) & (shared.kind[shared.target] == NIC)
    found = [(int(gpu), int(nic)) for gpu, nic in zip(shared.source[joints], shared.target[joints], strict=True)]
    of_nic = {nic: [gpu for gpu, other in found if other == nic] for _, nic in found}
    assert list(of_nic.values()) == [[0, 3], [1, 2], [4, 7], [5, 6]]
    assert network(shared).ends.shares.all()
    assert not network(shared).ends.borrowed.any()


def test_with_nics_of_their_own_nothing_is_shared(own):
    assert not network(own).ends.shares.any()


def test_each_gpu_to_one_in_the_other_server_takes_twice_as_long(own, shared):
    """Two flows on each of the two NICs."""
    assert seconds(own, traffic="shift:4") == pytest.approx(1.0)
    assert seconds(shared, traffic="shift:4") == pytest.approx(2.0)


@pytest.mark.parametrize("exact", [False, True])
def test_an_all_to_all_crosses_a_shared_nic_for_all_but_the_gpus_that_share_it(own, shared, exact):
    """Each of two GPUs sends over the NIC to the six that are not on it; with NICs of their own each sends to seven."""
    assert seconds(own, traffic="all-to-all", exact=exact) == pytest.approx(7.0)
    assert seconds(shared, traffic="all-to-all", exact=exact) == pytest.approx(12.0)


@pytest.mark.parametrize("collective", ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"])
def test_collectives_run_and_take_longer(own, shared, collective):
    assert seconds(own, collective=collective) < seconds(shared, collective=collective)
    assert seconds(shared, collective=collective) <= 2 * seconds(own, collective=collective)


def test_gpus_on_one_nic_reach_each_other_without_a_link(shared):
    assert seconds(shared, traffic="shift:1", ranks=(0, 3)) == pytest.approx(0.0, abs=1e-9)


def test_a_result_says_how_many_gpus_share_a_nic(own, shared):
    scenario = Scenario(traffic="shift:4", size_bytes=1e6)
    assert "8 GPUs share a NIC with other GPUs of their server" in simulate(shared, scenario).model.notes
    assert not simulate(own, scenario).model.notes


def shared_by(slots: tuple[int | None, ...], gpus: int = 4) -> dict[int, list[int]]:
    """GPUs by port of a server whose NICs are at these GPUs."""
    type_ = ServerType("x", "X", "X", gpus, slots=tuple(Slot(f"s{n}", gpu) for n, gpu in enumerate(slots)))
    ports = tuple(
        Port(f"s{n}", 400.0, "", "", n + 1, 1, 1, ("ethernet",), gpu=gpu, slot=f"s{n}") for n, gpu in enumerate(slots)
    )
    joints = server_template(type_, ports, {}).joints
    return {number: sorted(gpu for gpu, port, _ in joints if port == number) for number in range(len(slots))}


def test_a_gpu_shares_the_nearest_nic_by_ratio_while_few_share_it():
    assert shared_by((0, 2)) == {0: [0, 1], 1: [2, 3]}
    assert shared_by((0, 4), 8) == {0: [0, 1, 2, 3], 1: [4, 5, 6, 7]}
    assert shared_by((0, 2, 4, 6), 8) == {0: [0, 1], 1: [2, 3], 2: [4, 5], 3: [6, 7]}
    assert shared_by((0,)) == {0: [0, 1, 2, 3]}
    assert shared_by((0, 0, 2)) == {0: [0, 1], 1: [0, 1], 2: [2, 3]}  # a GPU with two NICs lends both
    assert shared_by((None,)) == {0: [0, 1, 2, 3]}
    assert shared_by((0, 1, 2), 4) == {0: [0], 1: [1], 2: [2, 3]}
    assert shared_by(()) == {}


def test_more_nics_than_gpus_carry_more():
    graph = build(_hosts("generic-host-2x400g"))
    assert seconds(graph, traffic="shift:1", routing="spray") == pytest.approx(0.5)
    assert not network(graph).ends.shares.any()


def _hosts(server: str) -> Design:
    design = Design()
    parameters = FatTreeParameters(server=server, servers=4, switch="generic-switch-64x400g", tiers="1")
    design.apply(fat_tree.build(design, parameters, CATALOG))
    return design
