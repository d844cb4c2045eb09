"""Scenarios: what is refused, and which rank sends to which."""

import subprocess
import sys

import numpy as np
import pytest

from designer.errors import FileFormatError, GraphError, ParameterError
from designer.graph.building.build import build
from designer.model.design import Design
from designer.routing.network import network
from designer.simulation import catalogue
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.collectives import plan_function
from designer.simulation.traffic.patterns import pattern_phases
from designer.simulation.traffic.phases import Flows
from designer.simulation.traffic.ranks import participants
from designer.simulation.traffic.rings import ring_flows


def sent(traffic: str, n: int, servers=None, **fields) -> list[tuple[int, int, float]]:
    servers = np.arange(n) if servers is None else np.array(servers)
    (phase,) = pattern_phases(Scenario(traffic=traffic, **fields), np.arange(n), servers)
    assert isinstance(phase.traffic, Flows)
    columns = (phase.traffic.src, phase.traffic.dst, phase.traffic.size_bytes)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "either a collective or a traffic pattern"),
        ({"collective": "all-reduce", "traffic": "shift:1"}, "either a collective or a traffic pattern"),
        ({"collective": "all-reduse"}, "no collective 'all-reduse'"),
        ({"collective": "all-to-all", "algorithm": "ring"}, "no algorithm of all-to-all 'ring'"),
        ({"traffic": "shift:1", "algorithm": "ring"}, "takes no algorithm"),
        ({"traffic": "shift"}, "needs its distance"),
        ({"traffic": "shift:x"}, "should be a whole number"),
        ({"traffic": "bisection:3"}, "takes no parameter"),
        ({"traffic": "storm"}, "no traffic pattern 'storm'"),
        ({"collective": "all-reduce", "routing": "magic"}, "no routing 'magic'"),
        ({"collective": "all-reduce", "order": "best"}, "no rank order 'best'"),
        ({"collective": "all-reduce", "size_bytes": 0}, "size should be above 0"),
        ({"collective": "all-reduce", "size_bytes": 2**63}, "size should be above 0 and below 8 EiB"),
        ({"collective": "all-reduce", "algorithm": "bucket", "dims": (4, 0)}, "dimensions are for the bucket"),
        ({"collective": "all-reduce", "algorithm": "ring", "dims": (4, 4)}, "dimensions are for the bucket"),
        ({"collective": "all-reduce", "chunk_bytes": 0}, "a chunk should be at least 1 B"),
        ({"collective": "all-reduce", "chunk_bytes": 2**63}, "a chunk should be at least 1 B"),
        ({"collective": "all-reduce", "efficiency": 0}, "efficiency should be"),
        ({"collective": "all-reduce", "efficiency": 1.5}, "efficiency should be"),
        ({"collective": "all-reduce", "channels": 0}, "number of channels"),
        ({"collective": "all-reduce", "ranks": 0}, "number of ranks"),
    ],
)
def test_a_scenario_that_makes_no_sense_is_refused_in_a_sentence(fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        Scenario(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"size_bytes": 2**63 - 1024},
        {"size_bytes": 1},
        {"efficiency": 1.0},
        {"channels": 1},
        {"chunk_bytes": 1},
        {"ranks": 1},
        {"algorithm": "bucket", "dims": (1, 1)},
        {"chunk_bytes": 2**63 - 1024},
    ],
)
def test_the_last_figures_that_make_sense_are_taken(fields):
    scenario = Scenario(collective="all-reduce", **fields)
    assert {name: getattr(scenario, name) for name in fields} == fields


def test_shift_goes_round_and_a_rank_sends_nothing_to_itself():
    assert sent("shift:3", 4, size_bytes=7) == [(0, 3, 7.0), (1, 0, 7.0), (2, 1, 7.0), (3, 2, 7.0)]
    assert sent("shift:-1", 3, size_bytes=7) == [(0, 2, 7.0), (1, 0, 7.0), (2, 1, 7.0)]
    with pytest.raises(ParameterError, match="sends nothing"):
        sent("shift:4", 4)


def test_incast_comes_from_evenly_spread_ranks():
    assert [src for src, _, _ in sent("incast:3", 64)] == [16, 32, 48]
    assert [(src, dst) for src, dst, _ in sent("incast:1", 64)] == [(32, 0)]
    assert len(sent("incast:3", 4)) == 3
    for none_or_all in ("incast:0", "incast:4"):
        with pytest.raises(ParameterError, match="needs 1 to 3 senders"):
            sent(none_or_all, 4)


def test_an_incast_on_a_server_is_received_by_its_ranks_in_turn_and_by_none_from_itself():
    pairs = [(src, dst) for src, dst, _ in sent("server-incast:5", 12, servers=[0, 0, 1, 0, 1, 1, 2, 2, 0, 3, 3, 3])]
    assert pairs == [(2, 0), (4, 1), (6, 3), (8, 0), (10, 0)]
    assert [src for src, _ in pairs] == [src for src, _, _ in sent("incast:5", 12)]
    assert sent("server-incast:5", 12) == sent("incast:5", 12)
    with pytest.raises(ParameterError, match="server-incast:4 needs 1 to 3 senders"):
        sent("server-incast:4", 4)
    with pytest.raises(ParameterError, match="the senders of server-incast should be a whole number"):
        Scenario(traffic="server-incast:x")


def test_a_permutation_is_one_to_one_without_fixed_points_and_repeatable():
    first, again, other = sent("permutation:5", 100), sent("permutation:5", 100), sent("permutation:6", 100)
    assert first == again != other
    assert sorted(dst for _, dst, _ in first) == list(range(100))
    assert all(src != dst for src, dst, _ in first)


def test_bisection_pairs_ranks_half_of_all_away():
    assert [(a, b) for a, b, _ in sent("bisection", 5)] == [(0, 2), (1, 3), (2, 0), (3, 1)]


def test_pairs_come_from_a_file(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst,bytes\n0,1,100\n\n1,2,2.5e3\n", encoding="utf-8")
    assert sent(f"pairs:{path}", 3) == [(0, 1, 100.0), (1, 2, 2500.0)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0,1\n", "line 1 is not source rank, destination rank, bytes"),
        ("0,9,10\n", "line 1 names rank 9"),
        ("0,1,10\n1,1,10\n", "line 2 sends from rank 1 to itself"),
        ("0,1,-3\n", "should send more than 0 bytes"),
        ("", "holds no flows"),
        ("a,b,c\n", "holds no flows"),
        ("0 1 1000\n1,2,1000\n", "line 1 is not source rank, destination rank, bytes with commas between"),
        ("src,1,100\n1,2,1000\n", "line 1 is not source rank"),
    ],
)
def test_a_file_of_pairs_that_cannot_be_read_is_refused_by_line(tmp_path, text, sentence):
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=sentence):
        sent(f"pairs:{path}", 3)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path):
    with pytest.raises(FileFormatError, match=r"none\.csv cannot be read"):
        sent(f"pairs:{tmp_path / 'none.csv'}", 3)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, list(range(16))),
        ({"ranks": 3}, [0, 1, 2]),
        ({"ranks": (9, 1, 4)}, [9, 1, 4]),
        ({"order": "rail"}, [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]),
        ({"order": "topology"}, [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]),
    ],
)
def test_ranks_are_chosen_and_ordered(generate, fields, expected):
    net = network(build(generate("rail-optimized", servers=2)))
    assert participants(net, Scenario(collective="all-reduce", **fields)).tolist() == expected


def test_a_random_order_is_the_seeds(generate):
    net = network(build(generate("rail-optimized", servers=2)))
    orders = [participants(net, Scenario(collective="all-reduce", order="random", seed=s)).tolist() for s in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == list(range(16))


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        (17, "17 ranks were asked for, the design has 16 GPUs"),
        ((0, 16), "there is no GPU 16"),
        ((0, 0), "listed twice"),
        (1, "at least two ranks"),
    ],
)
def test_ranks_there_are_not_are_refused(generate, ranks, sentence):
    net = network(build(generate("rail-optimized", servers=2)))
    with pytest.raises(ParameterError, match=sentence):
        participants(net, Scenario(collective="all-reduce", ranks=ranks))


def test_a_design_without_gpus_has_nothing_to_simulate():
    with pytest.raises(GraphError, match="fewer than two GPUs"):
        simulate(build(Design()), Scenario(collective="all-reduce"))


@pytest.mark.parametrize("servers", [1, 2, 5, 32])
def test_every_channels_ring_passes_every_rank_once_and_keeps_to_its_rails(generate, servers):
    graph = build(generate("rail-optimized", servers=servers, servers_per_su=32))
    ranks = np.arange(graph.n_endpoints)

    step, channels = ring_flows(network(graph), ranks, 8.0, None)

    assert channels == 8
    for channel in range(channels):
        rows = step.channel == channel
        following = dict(zip(step.src[rows].tolist(), step.dst[rows].tolist(), strict=True))
        at, seen = 0, []
        for _ in ranks:
            seen.append(at)
            at = following[at]
        assert at == 0 and sorted(seen) == ranks.tolist()
    between = graph.device[step.src] != graph.device[step.dst]
    if servers > 1:
        assert (np.bincount(step.src[between]) == 1).all() and (np.bincount(step.dst[between]) == 1).all()
        rails_change = graph.local[step.src[between]] != graph.local[step.dst[between]]
        # With an odd number of servers the ring closes between two that are entered alike.
        assert np.count_nonzero(rails_change) == (0 if servers % 2 == 0 else channels)


def test_hierarchical_needs_even_servers_and_names_two_that_are_not(superpod_graph):
    scenario = Scenario(collective="all-reduce", algorithm="hierarchical", ranks=12)
    with pytest.raises(GraphError, match="gpu-001 has 8 and gpu-002 has 4"):
        simulate(superpod_graph, scenario)


def test_an_all_to_all_of_many_ranks_beside_other_traffic_is_refused_before_its_flows_are_made():
    with pytest.raises(ParameterError, match="possible only for few ranks, not for 2,001"):
        sent("all-to-all+shift:1", 2001)


def test_an_algorithm_that_there_is_not_is_refused():
    with pytest.raises(ParameterError, match="there is no algorithm 'parcel' of all-reduce"):
        plan_function("all-reduce", "parcel")


def test_the_tables_fit_together():
    algorithms = {row.name for row in catalogue.ALGORITHMS}
    for row in catalogue.COLLECTIVES:
        assert row.algorithms and set(row.algorithms) <= algorithms
        assert 0 < row.busbw_factor(2) <= 1 and row.busbw_factor(1000) < 2
    for row in catalogue.PATTERNS:
        assert bool(row.parameter) >= bool(row.default)
        if row.name != "pairs":
            Scenario(traffic=f"{row.name}:{row.default}" if row.parameter else row.name)
    for row in catalogue.routings_alone():
        Scenario(collective="all-reduce", routing=row.name)


def test_scenario_and_catalogue_load_no_solver():
    code = (
        "import sys, designer.simulation.scenario, designer.simulation.catalogue;"
        "print([m for m in ('numpy', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
