"""Flows that no path over the fabric can take: counted, named, and said first; servers without a link are left out."""

import numpy as np
import pytest

from designer.cli.simulate_text import report
from designer.errors import GraphError
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation.designs import simulate_design
from designer.simulation.engine import simulate
from designer.simulation.explain.compare_runs import compare_runs
from designer.simulation.failures.impact import failure_impact
from designer.simulation.failures.survivors import with_failures
from designer.simulation.flows.relays import NAMED, Relays, relays
from designer.simulation.jobs.job_flows import written_out
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.phases import AllPairs, Phase
from designer.tables.columns import as_json

ALL_TO_ALL = Scenario(collective="all-to-all", routing="ecmp")


@pytest.fixture
def drawn(catalog) -> Design:
    """Four DGX H100, half of the NICs of each on either leaf; leaf-1 has no link to spine-A."""
    design = Design()

    def add(type_id, *names):
        for name in names:
            type_, types = catalog.get(type_id), catalog.types
            design.apply(operations.add_device(design, type_, 0, 0, catalog_types=types, name=name))

    def join(a, b, count):
        design.apply(operations.connect_devices(design, design.find(a).id, design.find(b).id, count))

    servers = [f"gpu-{number}" for number in range(1, 5)]
    add("dgx-h100", *servers)
    add("nvidia-qm9700", "leaf-1", "leaf-2", "spine-A", "spine-B")
    for server in servers:
        join(server, "leaf-1", 4)
        join(server, "leaf-2", 4)
    join("leaf-1", "spine-B", 8)
    join("leaf-2", "spine-B", 8)
    join("leaf-2", "spine-A", 8)
    return design


SENTENCE = (
    "No path leads between leaf-1 and leaf-2. 384 of 768 flows (of 32 GPUs in 4 servers) are relayed inside a server, "
    "over its scale-up domain, to a NIC on the other side"
)


def test_flows_between_leafs_that_nothing_joins_are_said_first_with_their_count(drawn):
    whole = simulate_design(drawn, ALL_TO_ALL)
    assert whole.relays is None and whole.notices == () and not whole.model.relayed_flows
    cut = simulate(build(drawn, failed=frozenset({"spine-B"})), ALL_TO_ALL)
    assert cut.notices[0] == cut.as_dict()["notices"][0] == SENTENCE
    assert as_json(cut.model.relayed_flows) == {
        "flows": 384,
        "of_flows": 768,
        "gpus": 32,
        "servers": 4,
        "pieces": [["leaf-1"], ["leaf-2"]],
    }
    assert f"note   {SENTENCE}" in report(drawn, ALL_TO_ALL, cut, 0)
    assert failure_impact(whole, cut).notices == (f"{SENTENCE}.",)


def test_a_run_that_is_faster_with_less_of_a_fabric_says_why(drawn):
    """Hashed onto eight links the flows collide; relayed in the servers they leave them out."""
    whole, cut = simulate_design(drawn, ALL_TO_ALL), simulate(build(drawn, failed=frozenset({"spine-B"})), ALL_TO_ALL)
    why = "Flows relayed inside servers no longer load the links between these switches."
    assert cut.time_s < 0.7 * whole.time_s
    assert f"33 % shorter now.\n{why}" in compare_runs(whole, cut).words
    assert why not in compare_runs(cut, whole).words and why not in compare_runs(cut, cut).words
    # It is the collisions that cost the time: sprayed, the fabric as drawn is as fast as relaying.
    sprayed = simulate_design(drawn, Scenario(collective="all-to-all", routing="spray"))
    assert sprayed.time_s == pytest.approx(cut.time_s, rel=1e-3)


def test_an_all_to_all_is_counted_as_its_flows_are_one_by_one(drawn):
    net = network(build(drawn, failed=frozenset({"spine-B", "gpu-3:rail2"})))
    traffic = AllPairs(np.arange(3, 29), 1e6)
    counted = relays(net, [Phase("", 1, traffic)])
    assert counted is not None and counted.flows > 0
    assert counted == relays(net, [Phase("", 1, written_out(Phase("", 1, traffic)))])


def test_rings_on_rails_that_nothing_joins_relay_nothing(generate):
    design = generate("rail-optimized", servers=4)
    spines = frozenset(switch.id for switch in design.switches() if switch.role == "spine")
    graph = build(design, failed=spines)
    assert simulate(graph, Scenario(collective="all-reduce")).relays is None
    relayed = simulate(graph, Scenario(collective="all-to-all")).relays
    assert relayed is not None and relayed.flows == relayed.of * 7 // 8
    assert "and 5 more." in relayed.sentence


@pytest.mark.parametrize(("leafs", "ends_with"), [(NAMED, f"leaf-{NAMED}."), (NAMED + 1, " and 1 more.")])
def test_as_many_leaf_switches_are_named_as_there_is_room_for_and_the_rest_is_counted(leafs, ends_with):
    piece = tuple(f"leaf-{number}" for number in range(1, leafs + 1))
    stated = Relays(1, 2, 2, 1, (piece, ("other",))).sentence
    assert stated.startswith(f"No path leads between these parts of the fabric: {', '.join(piece[:NAMED])}")
    assert f"{ends_with[:-1]}; other" in stated


# -- servers without any link -----------------------------------------------------------------------------------------


@pytest.fixture
def with_two_more(drawn, catalog) -> Design:
    for name in ("new-1", "new-2"):
        type_, types = catalog.get("dgx-h100"), catalog.types
        drawn.apply(operations.add_device(drawn, type_, 0, 0, catalog_types=types, name=name))
    return drawn


def test_servers_that_are_not_connected_are_left_out_of_all_gpus_and_named(with_two_more):
    result = simulate_design(with_two_more, ALL_TO_ALL)
    assert result.ranks == 32
    stated = "2 servers are not connected to the others and are left out: new-1, new-2"
    assert result.notices == (stated,) and stated in report(with_two_more, ALL_TO_ALL, result, 0)
    assert result.as_dict()["model"]["servers_left_out"] == ["new-1", "new-2"]
    graph, scenario, lost = with_failures(with_two_more, frozenset({"gpu-1"}), ALL_TO_ALL)
    assert (len(lost), simulate(graph, scenario).ranks) == (8, 24)


def test_ranks_that_are_asked_for_are_refused_where_they_are_not_connected(with_two_more):
    with pytest.raises(GraphError, match="cannot reach new-1 GPU 0: new-1 GPU 0 has no NIC with a link"):
        simulate_design(with_two_more, Scenario(collective="all-to-all", ranks=48))


def test_a_server_that_a_failure_cuts_off_is_not_left_out_without_a_word(with_two_more, catalog):
    ports = tuple(f"gpu-2:rail{number}" for number in range(1, 9))
    with pytest.raises(GraphError, match="gpu-2 GPU 0 is left with no link"):
        simulate_design(with_two_more, Scenario(collective="all-to-all", failed=ports))
    alone = Design()
    type_ = catalog.get("dgx-h100")
    alone.apply(operations.add_device(alone, type_, 0, 0, catalog_types=catalog.types, name="one"))
    assert simulate_design(alone, Scenario(collective="all-reduce")).ranks == 8


def test_flows_of_a_file_keep_the_numbers_of_all_gpus(with_two_more, tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text("0,40,1000\n", encoding="utf-8")
    with pytest.raises(GraphError, match="cannot reach new-2 GPU 0"):
        simulate_design(with_two_more, Scenario(traffic=f"pairs:{path}"))
    path.write_text("0,31,1000\n", encoding="utf-8")
    result = simulate_design(with_two_more, Scenario(traffic=f"pairs:{path}"))
    assert result.ranks == 48 and not result.model.servers_left_out
