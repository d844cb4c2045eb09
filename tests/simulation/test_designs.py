"""A scenario on a design: failures, network and ranks are said once."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.errors import ParameterError, UnknownEntityError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.simulation.designs import graph_for, simulate_design
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree, networks
from designer.topologies.network_parameters import NetworkParameters

ALL_REDUCE = Scenario(collective="all-reduce", size_bytes=2**26)


@pytest.fixture(scope="module")
def design() -> Design:
    made, catalog = Design(), load()
    asked = fat_tree.FatTreeParameters("nvidia-qm9700", "dgx-h100", servers=16)
    made.apply(fat_tree.build(made, asked, catalog))
    storage = networks.build(made, NetworkParameters(storage_switch="nvidia-qm9700"), catalog)
    made.apply(storage)
    return made


def test_a_design_is_simulated_as_its_graph_is(design: Design) -> None:
    assert simulate_design(design, ALL_REDUCE).time_s == simulate(build(design), ALL_REDUCE).time_s


def test_what_has_failed_is_said_once(design: Design) -> None:
    spine = next(device.name for device in design.devices.values() if "spine" in device.name)
    scenario = replace(ALL_REDUCE, failed=(spine,), ranks=16)
    graph = build(design, failed=frozenset({spine}))
    assert simulate_design(design, scenario).time_s == simulate(graph, scenario).time_s
    assert simulate_design(design, scenario).model.failed == (spine,)


def test_ranks_count_the_design_s_gpus_where_a_server_has_failed(design: Design) -> None:
    first = next(device.name for device in design.devices.values() if design.is_server(device.id))
    scenario = replace(ALL_REDUCE, failed=(first,), ranks=tuple(range(8, 24)))
    graph, numbered = graph_for(design, scenario)
    assert graph.n_endpoints == 120 and numbered.ranks == tuple(range(16))
    assert simulate_design(design, scenario).ranks == 16
    with pytest.raises(ParameterError):
        simulate_design(design, replace(scenario, ranks=8))


def test_the_network_is_said_once(design: Design) -> None:
    result = simulate_design(design, replace(ALL_REDUCE, network="storage"))
    on_storage = simulate(build(design, network="storage"), replace(ALL_REDUCE, network="storage"))
    assert result.time_s == on_storage.time_s != simulate_design(design, ALL_REDUCE).time_s


def test_a_failure_of_nothing_in_the_design_is_refused(design: Design) -> None:
    with pytest.raises(UnknownEntityError, match="nothing-01"):
        simulate_design(design, replace(ALL_REDUCE, failed=("nothing-01",)))
