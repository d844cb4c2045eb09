"""paths: every path between two places, as text and JSON."""

import pytest

from designer.cli.main import run


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """16 generic hosts of 400G under four leafs and two spines: 2:1."""
    path = tmp_path_factory.mktemp("designs") / "small.fabric"
    assert run(["generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", str(path)]) == 0
    return path


def test_the_text_lists_paths_and_their_hops(fabric_designer, small_file):
    stated = fabric_designer("paths", small_file, "host-01", "host-05", "--paths", "top:1")
    assert (stated.code, stated.err) == (0, "")
    for words in (
        "host-01 to host-05, spray",
        "1 flow, 2 paths; the first is listed",
        "that one flow would take",
        "50.00 %",
    ):
        assert words in stated.out, words
    assert "leaf-01 5" in stated.out and "hops of each path" in stated.out and "spine-02" not in stated.out


def test_the_json_has_shares_that_sum_to_one_and_loads_of_the_run(fabric_designer, small_file):
    arguments = ("--traffic", "shift:4", "--routing", "spray", "--size", "1M", "--format", "json")
    found = fabric_designer("paths", small_file, "host-01", "host-05", *arguments).json
    assert found["in_run"] is True and found["paths_count"] == 2 and found["complete"] is True
    assert sum(path["share"] for path in found["paths"]) == pytest.approx(1)
    hops = found["paths"][0]["hops"]
    assert [hop["to"] for hop in hops] == ["leaf-01", "spine-01", "leaf-02", "host-05"]
    assert hops[1]["utilization"] == pytest.approx(1) and hops[1]["share"] == pytest.approx(0.5)
    assert set(hops[0]) == {
        *("from", "port", "to", "to_port", "links", "share", "capacity_gbps", "utilization", "latency_ns")
    }


def test_a_failed_spine_is_on_no_path(fabric_designer, small_file):
    arguments = ("--fail", "spine-01", "--format", "json")
    found = fabric_designer("paths", small_file, "host-01", "host-05", *arguments).json
    assert [hop["to"] for path in found["paths"] for hop in path["hops"]] == [
        "leaf-01",
        "spine-02",
        "leaf-02",
        "host-05",
    ]
    assert found["paths"][0]["hops"][0]["utilization"] is None


@pytest.mark.parametrize(
    ("a", "b", "more", "words"),
    [
        ("spine-01", "spine-02", (), "only pass traffic on"),
        ("host-01", "host-99", (), "nothing is called 'host-99'"),
        ("host-01", "host-01", (), "same place"),
        ("host-01", "host-02", ("--collective", "all-reduce", "--traffic", "shift:1"), "either"),
        ("host-01", "host-02", ("--paths", "some"), "top:N"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(fabric_designer, small_file, a, b, more, words):
    fabric_designer("paths", small_file, a, b, *more).assert_refused(words)
