"""GPUs whose NIC has no cable, or failed, are named with the NICs their traffic leaves over."""

import pytest

from designer.catalog.catalog import load
from designer.cli.simulate_text import report
from designer.graph.building.build import build
from designer.model.design import Design
from designer.model.edit import Edit, removed
from designer.model.entities import End
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.tables.columns import as_json
from designer.topologies import rail_optimized
from designer.topologies.rail_optimized import RailOptimizedParameters


@pytest.fixture
def design() -> Design:
    made = Design()
    made.apply(rail_optimized.build(made, RailOptimizedParameters(servers=4), load()))
    return made


def pull(design, server, *ports):
    ids = [design.links_at(End(design.find(server).id, port))[0] for port in ports]
    design.apply(Edit("pull", removed([design.links[one] for one in ids])))


SCENARIO = Scenario(collective="all-reduce", size_bytes=2**20)


def test_a_whole_fabric_has_no_notice(design):
    result = simulate(build(design), SCENARIO)
    assert result.notices == () and "notices" not in result.as_dict()
    assert not result.model.gpus_without_nic


def test_gpus_of_uncabled_nics_are_named_with_the_nics_they_use_instead(design):
    pull(design, "gpu-02", "rail1", "rail3")
    result = simulate(build(design), SCENARIO)
    assert as_json(result.model.gpus_without_nic) == {
        "count": 2,
        "leave_over": ["gpu-02: GPU 0 over rail2, GPU 2 over rail4"],
    }
    which = "(gpu-02: GPU 0 over rail2, GPU 2 over rail4)"
    sentence = f"2 GPUs have no NIC in service of their own and send over those of other GPUs {which}"
    assert result.notices == (sentence,)
    assert result.as_dict()["notices"] == [sentence]
    text = report(design, SCENARIO, result, 0)
    assert f"note   {sentence}" in text
    assert "leave over: gpu-02: GPU 0 over rail2, GPU 2 over rail4" in text


def test_servers_that_lack_the_same_nics_share_a_line(design):
    for server in ("gpu-01", "gpu-03", "gpu-04"):
        pull(design, server, "rail5")
    pull(design, "gpu-02", "rail8")
    result = simulate(build(design), SCENARIO)
    assert as_json(result.model.gpus_without_nic) == {
        "count": 4,
        "leave_over": ["gpu-01 and 2 more servers: GPU 4 over rail4", "gpu-02: GPU 7 over rail7"],
    }


def test_long_lists_are_cut_and_the_rest_counted():
    design = Design()
    design.apply(rail_optimized.build(design, RailOptimizedParameters(servers=10), load()))
    for number in range(1, 11):
        # Every server lacks other NICs than the ones before it.
        ports = [f"rail{rail}" for rail in range(1, 8) if (number >> (rail - 1)) & 1]
        pull(design, f"gpu-{number:02d}", *ports)
    lines = simulate(build(design), SCENARIO).model.gpus_without_nic.leave_over
    assert len(lines) == 9
    assert lines[-1] == "and 2 more servers"
