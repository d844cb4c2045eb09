"""simulate --sizes: the table of nccl-tests, its JSON, and what is refused."""

import pytest


@pytest.fixture
def sizes(fabric_designer, superpod_file):
    def run(*arguments):
        return fabric_designer("simulate", superpod_file, *arguments)

    return run


def test_the_table_has_the_columns_of_nccl_tests(sizes):
    stated = sizes("--collective", "all-reduce", "--sizes", "8:8GiB")
    assert (stated.code, stated.err) == (0, "")
    lines = stated.out.splitlines()
    assert lines[0].startswith("# all-reduce, ring, spray, on ")
    assert lines[1].split() == ["size", "count", "time", "algbw", "busbw"]
    assert lines[2].split() == ["(B)", "(elements)", "(us)", "(GB/s)", "(GB/s)"]
    rows = [line.split() for line in lines[3:-1]]
    assert len(rows) == 31
    assert rows[0][:2] == ["8", "2"] and rows[-1][0] == str(2**33)
    assert float(rows[-1][4]) > float(rows[10][4])
    assert lines[-1].startswith("# Avg bus bandwidth")


def test_the_table_states_what_has_failed(sizes):
    given = ("--collective", "all-reduce", "--sizes", "1M:1G")
    lines = sizes(*given, "--fail", "spine-01").out.splitlines()
    assert lines[1] == "# failed: spine-01" and "failed" not in sizes(*given).out


def test_several_algorithms_and_routings_give_a_curve_each(sizes):
    found = sizes(
        "--collective",
        "all-reduce",
        "--algorithm",
        "ring,hierarchical",
        "--routing",
        "spray,ecmp",
        "--sizes",
        "1M:1G:10",
        "--format",
        "json",
    ).json
    asked = [(curve["algorithm"], curve["routing"]) for curve in found["curves"]]
    assert asked == [("ring", "spray"), ("ring", "ecmp"), ("hierarchical", "spray"), ("hierarchical", "ecmp")]
    for curve in found["curves"]:
        assert curve["ranks"] == 1016
        assert [point["size_bytes"] for point in curve["points"]] == [10**6, 10**7, 10**8, 10**9]
        assert set(curve["points"][0]) == {
            "size_bytes",
            "count",
            "time_s",
            "algbw_gbytes_per_s",
            "busbw_gbytes_per_s",
        }


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--collective", "all-reduce"), "either --size or --sizes"),
        (("--collective", "all-reduce", "--size", "1M", "--sizes", "8:16"), "either --size or --sizes"),
        (("--collective", "all-reduce", "--sizes", "16:8"), "end below"),
        (("--traffic", "shift:1", "--sizes", "8:16"), "--sizes goes with --collective"),
        (("--collective", "all-reduce", "--algorithm", "ring,loop", "--sizes", "8:16"), "loop"),
    ],
)
def test_what_makes_no_curve_is_refused_in_one_sentence(sizes, arguments, says):
    stated = sizes(*arguments)
    assert stated.code == 2
    assert says in stated.err
    assert len(stated.err.strip().splitlines()) == 1


def test_the_table_says_what_small_sizes_are_worth_where_latency_is_assumed(sizes, fabric_designer, tmp_path):
    torus = tmp_path / "torus.fabric"
    assert fabric_designer("generate", "torus", "--dims", "4x4", "-o", torus).code == 0
    arguments = ("--collective", "all-reduce", "--sizes", "8:1MiB:64")
    on_torus = fabric_designer("simulate", torus, *arguments).out
    assert "µs, in part assumed: NIC 600 ns, Ethernet switch 700 ns, cable 10 m" in on_torus
    left_out = fabric_designer("simulate", torus, *arguments, "--latency", "none", "--format", "json").json
    assert left_out["curves"][0]["latency_told"] == "latency left out: small sizes mean nothing"
    assert "ms, in part assumed: scale-up domain 822 ns, NIC 600 ns" in sizes(*arguments).out
