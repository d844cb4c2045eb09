"""Which GPUs take part, as people write it, and the orders they are numbered in."""

import numpy as np
import pytest

from designer.errors import ParameterError
from designer.routing.network import network
from designer.simulation.jobs.job import Job
from designer.simulation.jobs.job_text import fields_in, fields_of, job_fields, job_from
from designer.simulation.scenario import Scenario
from designer.simulation.traffic.ranks import participants
from designer.simulation.traffic.texts import parse_ranks, ranks_text, read_ranks


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("", None),
        ("All", None),
        ("64", 64),
        ("0-3, 16,24-25", (0, 1, 2, 3, 16, 24, 25)),
        ("7,5,3", (7, 5, 3)),
        ("0 - 2", (0, 1, 2)),
        ("5-5", (5,)),
    ],
)
def test_ranks_are_a_number_or_a_list_with_ranges(text, ranks):
    assert parse_ranks(text) == ranks
    assert parse_ranks(ranks_text(ranks)) == ranks


def test_ranks_come_from_a_file_of_lines_or_commas(tmp_path):
    path = tmp_path / "hosts.txt"
    path.write_text("3\n1, 2\n\n8-9\n")
    assert read_ranks(str(path)) == (3, 1, 2, 8, 9)
    assert read_ranks("0-3, 16") == (0, 1, 2, 3, 16)
    assert read_ranks("all") is None
    with pytest.raises(ParameterError, match="write ranks like"):
        parse_ranks(str(path))


def test_a_file_that_is_no_list_of_ranks_is_named_by_its_line_and_never_quoted(tmp_path):
    path = tmp_path / "hosts.txt"
    for text in ("0-3\nSECRET=hunter2\n", "0-3\n99999999999\n", "0-3\n7-1\n", "0\n1\x00SECRET\n"):
        path.write_text(text)
        with pytest.raises(ParameterError, match=r"^hosts\.txt, line 2 is not a list of ranks like 0-7,16,18-20$"):
            read_ranks(str(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ParameterError, match="no readable file of them"):
        read_ranks(str(path))
    path.write_text("\n")
    with pytest.raises(ParameterError, match="holds no ranks"):
        read_ranks(str(path))


@pytest.mark.parametrize("text", ["5-1", "a", "1,,b", "no-such-file", "0-99999999999", "\0"])
def test_what_is_no_list_of_ranks_is_refused(text):
    with pytest.raises(ParameterError):
        parse_ranks(text)


def ordered(graph, order, ranks=None, seed=0):
    scenario = Scenario(collective="all-reduce", order=order, ranks=ranks, seed=seed)
    return participants(network(graph), scenario).tolist()


def test_design_order_keeps_a_list_as_it_was_given(superpod_graph):
    assert ordered(superpod_graph, "design", (9, 3, 40, 0)) == [9, 3, 40, 0]
    assert ordered(superpod_graph, "design", 5) == [0, 1, 2, 3, 4]


def test_rail_order_goes_through_the_servers_rail_by_rail(superpod_graph):
    assert ordered(superpod_graph, "rail", 24) == [server * 8 + gpu for gpu in range(8) for server in range(3)]


def test_topology_order_goes_leaf_by_leaf(superpod_graph, two_to_one):
    leafs = network(superpod_graph).ends.leaf[ordered(superpod_graph, "topology"), 0]
    assert np.count_nonzero(np.diff(leafs)) == len(np.unique(leafs)) - 1
    assert ordered(two_to_one, "topology", (63, 8, 0, 9, 1)) == [0, 1, 8, 9, 63]


def test_random_order_is_by_the_seed(two_to_one):
    one, again, other = (ordered(two_to_one, "random", 32, seed) for seed in (1, 1, 2))
    assert one == again != other
    assert sorted(one) == sorted(other) == list(range(32))


def test_a_job_reads_back_as_it_was_written():
    jobs = [
        Job("train", Scenario(collective="all-reduce", algorithm="hierarchical", ranks=(0, 1, 2, 9), size_bytes=2**20)),
        Job("x", Scenario(traffic="incast:4", ranks=8, order="random"), start_s=0.002, loop=False),
        Job("y", Scenario(collective="all-reduce", in_network_reduction=True, channels=2)),
        Job("z", Scenario(collective="all-reduce", algorithm="bucket", dims=(4, 4), ranks=16)),
        Job("c", Scenario(collective="broadcast", algorithm="chain", chunk_bytes=2**18)),
    ]
    for job in jobs:
        written = job_fields(job)
        assert job_from(written, 1, {}) == job
        text = ",".join(f"{name}={value}" for name, value in written.items())
        assert job_from(fields_of(text), 1, {}) == job


def test_jobs_that_name_more_ranks_than_any_design_has_are_refused_before_they_are_spelled(tmp_path):
    path = tmp_path / "jobs.yaml"
    row = "- {name: a, collective: all-reduce, size: 1M, ranks: 0-1999999}\n"
    path.write_text(row * 2)
    assert len(fields_in(path)) == 2
    path.write_text(row * 2 + "- {name: b, collective: all-reduce, size: 1M, ranks: 0 - 1}\n")
    with pytest.raises(ParameterError, match=r"^jobs\.yaml: its jobs name more than 4,000,000 ranks in all"):
        fields_in(path)
