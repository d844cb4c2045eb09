"""simulate: the JSON of the contract, the text, the options, and what is refused."""

import math

import pytest

from designer.analysis.survey import survey
from designer.cli.main import run
from designer.model import operations
from designer.model.design import Design
from designer.storage import document

KEYS = {
    "model",
    "ranks",
    "size_bytes",
    "time_s",
    "latency_s",
    "algbw_gbytes_per_s",
    "busbw_gbytes_per_s",
    "bottlenecks",
    "links",
    "phases",
    "wall_s",
}


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """16 generic hosts of 400G under four leafs and two spines: 2:1."""
    path = tmp_path_factory.mktemp("designs") / "small.fabric"
    assert run(["generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", str(path)]) == 0
    return path


def test_the_json_has_the_keys_of_the_contract(fabric_designer, superpod_file):
    arguments = ("--collective", "all-reduce", "--size", "1GiB", "--format", "json")
    stated = fabric_designer("simulate", superpod_file, *arguments)
    assert (stated.code, stated.err) == (0, "")
    found = stated.json
    assert set(found) == KEYS
    assert (found["ranks"], found["size_bytes"]) == (1016, 2**30)
    assert found["busbw_gbytes_per_s"] == pytest.approx(found["algbw_gbytes_per_s"] * 2 * 1015 / 1016)
    assert len(found["links"]) == 20
    for row in found["links"]:
        assert set(row) == {
            "from",
            "from_port",
            "to",
            "to_port",
            "capacity_gbps",
            "bytes",
            "utilization_mean",
            "utilization_peak",
        }
    for row in found["bottlenecks"]:
        assert set(row) == {"from", "to", "port", "utilization", "flows", "why"}
    for row in found["phases"]:
        assert set(row) == {"name", "repeat", "time_s"}
    assert math.fsum(row["repeat"] * row["time_s"] for row in found["phases"]) == pytest.approx(found["time_s"])


def test_traffic_tells_the_rates_of_its_flows(fabric_designer, small_file):
    arguments = ("--traffic", "shift:4", "--size", "50M", "--latency", "none", "--efficiency", "1", "--format", "json")
    found = fabric_designer("simulate", small_file, *arguments).json
    assert set(found) == {*KEYS, "flows"}
    assert found["algbw_gbytes_per_s"] is None and found["busbw_gbytes_per_s"] is None
    # Every host sends to the next leaf: four flows of each leaf share two uplinks of 400G, so each gets 200G.
    assert found["flows"]["count"] == 16
    assert found["flows"]["rate_min_gbps"] == pytest.approx(200)
    assert found["time_s"] == pytest.approx(50e6 * 8 / 200e9)


def test_all_links_are_listed_when_asked_for(fabric_designer, small_file):
    arguments = ("simulate", small_file, "--traffic", "shift:4", "--size", "1M", "--format", "json")
    n_links = len(document.load(small_file).links)
    assert len(fabric_designer(*arguments, "--links", "all").json["links"]) == 2 * n_links
    assert len(fabric_designer(*arguments, "--links", "top:3").json["links"]) == 3
    assert fabric_designer(*arguments, "--links", "top:0").json["links"] == []


def test_the_text_tells_time_tiers_reasons_links_and_assumptions(fabric_designer, superpod_file):
    stated = fabric_designer("simulate", superpod_file, "--collective", "all-reduce", "--size", "1GiB")
    assert (stated.code, stated.err) == (0, "")
    for words in (
        "all-reduce, ring on Rail-optimized, 4 SU, 127 servers",
        "busbw  3",
        "server to leaf",
        "spine to leaf",
        "bottleneck\n",
        "hottest links (20 of 4,080 directions)",
        "gpu-001 rail1",
        "100.0 %",
        "not modeled",
        "routing",
    ):
        assert words in stated.out, words


def test_what_is_assumed_of_latencies_comes_first_among_the_assumptions(fabric_designer, superpod_file):
    arguments = ("simulate", superpod_file, "--collective", "all-reduce", "--size", "1MiB", "--ranks", "16")
    stated = fabric_designer(*arguments).out
    assumed = stated.partition("\nassumed\n")[2].splitlines()
    assert assumed[0].strip().startswith("assumed latencies")
    assert "latency of NVLink 4 (127): 822 ns, assumed as for any scale-up domain, GPU to GPU (" in assumed[0]
    found = fabric_designer(*arguments, "--format", "json").json
    assert next(iter(found["model"])) == "assumed_latencies" and len(found["model"]["assumed_latencies"]) >= 2
    # Next to the time, and in JSON, that the start-up which is not counted would dominate it.
    note = "less than 84 µs: a start-up, 8.4 µs by NCCL's cost model, is not counted"
    assert found["time_note"] == note
    assert f"µs ({note})" in next(line for line in stated.splitlines() if line.startswith("time"))


@pytest.mark.parametrize("studied", [("--sweep", "single-switch"), ("--fail", "spine-01", "--compare")])
def test_comparisons_of_small_sizes_say_that_they_hang_on_assumed_latencies(fabric_designer, small_file, studied):
    arguments = ("simulate", small_file, "--collective", "all-reduce", *studied, "--size")
    assert "Depends on assumed latencies (" in fabric_designer(*arguments, "1MiB").out
    found = fabric_designer(*arguments, "1MiB", "--format", "json").json
    assert "Depends on assumed latencies (" in found["assumed_note"]
    assert "Depends on" not in fabric_designer(*arguments, "1TiB").out


def test_text_and_json_tell_the_same_of_every_choice(fabric_designer, small_file):
    for choice in (
        ("--collective", "all-gather"),
        ("--collective", "reduce-scatter", "--algorithm", "ring"),
        ("--collective", "all-to-all"),
        ("--traffic", "incast:4"),
        ("--traffic", "permutation:7"),
        ("--traffic", "all-to-all", "--routing", "destination"),
        ("--traffic", "bisection", "--routing", "ecmp"),
        ("--traffic", "broadcast", "--order", "random", "--seed", "3"),
        ("--traffic", "shift:1", "--ranks", "8", "--exact"),
        ("--collective", "all-reduce", "--channels", "1"),
    ):
        arguments = ("simulate", small_file, *choice, "--size", "8M")
        text, found = fabric_designer(*arguments), fabric_designer(*arguments, "--format", "json").json
        assert text.code == 0
        assert found["time_s"] > 0
        assert f"ranks  {found['ranks']}" in text.out


@pytest.mark.parametrize("kind", ["--jobs", "--design-jobs", "--ranks", "--traffic"])
def test_no_file_is_opened_that_another_file_names_and_none_is_quoted(fabric_designer, small_file, tmp_path, kind):
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2=1\n")
    size = ("--size", "1M")
    if kind == "--jobs":
        for fields in (
            f"ranks: {secret}, collective: all-reduce",
            f"traffic: 'pairs:{secret}'",
            f"traffic: 'shift:1+pairs:{secret}'",
            f"traffic: 'permutation:{secret}'",
        ):
            (tmp_path / "jobs.yaml").write_text(f"- {{name: a, size: 1M, {fields}}}\n")
            stated = fabric_designer("simulate", small_file, "--jobs", tmp_path / "jobs.yaml")
            stated.assert_refused("job a", "write ranks like" if "ranks" in fields else "only read where the command")
            assert "hunter2" not in stated.err
        return
    if kind == "--design-jobs":
        design = document.load(small_file)
        design.apply(operations.add_job(design, "a", traffic=f"pairs:{secret}", size_bytes=1000))
        document.save(design, tmp_path / "jobs.fabric")
        stated = fabric_designer("simulate", tmp_path / "jobs.fabric", "--design-jobs")
        stated.assert_refused("job a", "only read where the command line")
    elif kind == "--ranks":
        stated = fabric_designer("simulate", small_file, "--collective", "all-reduce", *size, "--ranks", secret)
        stated.assert_refused("secret.txt, line 1")
    else:
        stated = fabric_designer("simulate", small_file, "--traffic", f"pairs:{secret}", *size)
        stated.assert_refused("secret.txt")
    assert "hunter2" not in stated.err


def test_ranks_are_a_number_a_list_or_a_file(fabric_designer, small_file, tmp_path):
    arguments = ("simulate", small_file, "--traffic", "shift:1", "--size", "1M", "--format", "json", "--ranks")
    assert fabric_designer(*arguments, "6").json["ranks"] == 6
    assert fabric_designer(*arguments, "0,4,8-11").json["ranks"] == 6
    (tmp_path / "ranks.txt").write_text("0\n4\n8-11\n")
    listed = fabric_designer(*arguments, "0,4,8-11").json
    filed = fabric_designer(*arguments, tmp_path / "ranks.txt").json
    for found in (listed, filed):
        found.pop("wall_s")
    assert listed == filed


def test_a_failed_spine_and_a_failed_port_are_gone_from_the_links(fabric_designer, small_file):
    arguments = ("simulate", small_file, "--traffic", "shift:4", "--size", "1M", "--links", "all", "--format", "json")
    design = document.load(small_file)
    spine = next(device for device in design.switches() if device.role == "spine").name
    whole = fabric_designer(*arguments).json
    found = fabric_designer(*arguments, "--fail", spine).json
    assert spine in {row["to"] for row in whole["links"]}
    assert spine not in {row["to"] for row in found["links"]}
    assert found["time_s"] > 1.9 * whole["time_s"]
    leaf = next(device for device in design.switches() if device.role == "leaf")
    uplink = next(run.low.port for run in survey(design).runs if run.low.device_id == leaf.id)
    less = fabric_designer(*arguments, "--fail", f"{leaf.name}:{uplink}").json
    assert len(less["links"]) == len(whole["links"]) - 2
    assert f"{leaf.name}:{uplink}" in str(less["model"])


def test_the_same_question_has_the_same_answer(fabric_designer, small_file):
    arguments = ("--traffic", "permutation:3", "--size", "1M", "--routing", "ecmp", "--seed", "5", "--format", "json")
    one, two = (fabric_designer("simulate", small_file, *arguments).json for _ in range(2))
    one.pop("wall_s")
    two.pop("wall_s")
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--collective", "all-reduce", "--size", "banana"), ("--size", "'banana' is not a size")),
        (("--collective", "all-reduce"), ("--size",)),
        (("--size", "1M"), ("--collective or --traffic",)),
        (("--collective", "all-reduce", "--traffic", "shift:1", "--size", "1M"), ("either",)),
        (("--collective", "all-shrink", "--size", "1M"), ("all-shrink", "all-reduce")),
        (("--collective", "all-reduce", "--algorithm", "magic", "--size", "1M"), ("magic", "ring")),
        (("--traffic", "drizzle", "--size", "1M"), ("drizzle", "shift")),
        (("--traffic", "shift:x", "--size", "1M"), ("'x'",)),
        (("--traffic", "pairs:/no/such.csv", "--size", "1M"), ("/no/such.csv",)),
        (("--traffic", "shift:1", "--size", "1M", "--routing", "magic"), ("magic", "spray")),
        (("--traffic", "shift:1", "--size", "1M", "--order", "magic"), ("magic", "design")),
        (("--traffic", "shift:1", "--size", "1M", "--efficiency", "7"), ("not 7", "--efficiency")),
        (("--traffic", "shift:1", "--size", "1M", "--efficiency", "nan"), ("not nan", "--efficiency")),
        (("--traffic", "shift:1", "--size", "1M", "--latency", "some"), ("some",)),
        (("--traffic", "shift:1", "--size", "1M", "--links", "some"), ("'some'", "top:N")),
        (("--traffic", "shift:1", "--size", "1M", "--seed", "x"), ("'x'", "--seed")),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "99999"), ("99,999",)),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "0,9999"), ("GPU 9999",)),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "5-1"), ("'5-1'",)),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "no-such-file"), ("no-such-file",)),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "0-99999999999"), ("99999999999",)),
        (("--traffic", "shift:1", "--size", "1M", "--ranks", "/dev/zero"), ("/dev/zero",)),
        (("--traffic", "shift:1", "--size", "1M", "--fail", "leaf-99"), ("leaf-99",)),
        (("--traffic", "shift:1", "--size", "1M", "--channels", "0"), ("channels",)),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(fabric_designer, small_file, arguments, words):
    fabric_designer("simulate", small_file, *arguments).assert_refused(*words)


def test_a_design_without_endpoints_cannot_be_simulated(fabric_designer, tmp_path):
    document.save(Design(), tmp_path / "empty.fabric")
    fabric_designer(
        "simulate", tmp_path / "empty.fabric", "--collective", "all-reduce", "--size", "1M"
    ).assert_refused()


def test_servers_that_cannot_reach_each_other_are_named(fabric_designer, small_file):
    design = document.load(small_file)
    spines = [device.name for device in design.switches() if device.role == "spine"]
    failures = [word for name in spines for word in ("--fail", name)]
    stated = fabric_designer("simulate", small_file, "--traffic", "shift:4", "--size", "1M", *failures)
    stated.assert_refused("host")


def test_simulate_runs_where_pyside6_cannot_be_imported(process, small_file):
    stated = process(
        "simulate",
        small_file,
        "--collective",
        "all-reduce",
        "--size",
        "1M",
        "--format",
        "json",
        blocked=("PySide6", "shiboken6", "pyqtgraph"),
    )
    assert stated.code == 0, stated.err
    assert stated.json["time_s"] > 0


def test_congestion_that_spreads_names_hot_ports_pauses_and_victims(fabric_designer, small_file):
    traffic = ("--traffic", "incast:3+shift:1", "--size", "1M", "--congestion", "head-of-line")
    arguments = ("simulate", small_file, *traffic)
    found = fabric_designer(*arguments, "--format", "json").json["congestion"]
    assert set(found) == {
        "phase",
        "slowed_flows",
        "victim_flows",
        "hot_port_count",
        "reach",
        "hot_ports",
        "victims",
        "pauses",
    }
    assert set(found["victims"][0]) == {"from", "to", "rate_unpaused_gbps", "rate_gbps", "hot_port", "pauses"}
    assert set(found["pauses"][0]) == {"from", "from_port", "to", "to_port", "distance", "rate_gbps", "hot_port"}
    assert set(found["hot_ports"][0]) == {
        "from",
        "port",
        "to",
        "flows",
        "wanted_gbps",
        "carries_gbps",
        "paused",
        "victims",
    }
    text = fabric_designer(*arguments).out
    assert "victims, slowed by a port they do not use" in text and "leaf-01 1 -> host-01 nic1" in text
    quiet = fabric_designer(*arguments[:3], "shift:4", *arguments[4:]).out
    assert "  none\n" in quiet or "  nowhere: " in quiet
    fabric_designer(*arguments[:-1], "sometimes").assert_refused("there is no congestion 'sometimes'")


def test_ecmp_tells_which_ports_flows_collided_on(fabric_designer, small_file):
    arguments = ("simulate", small_file, "--traffic", "permutation:1", "--size", "1M", "--routing")
    (phase,) = fabric_designer(*arguments, "ecmp", "--format", "json").json["collisions"]
    assert phase["flows"] == 16 and phase["worst"]
    assert set(phase["worst"][0]) == {"switch", "flows", "lanes", "even", "most", "idle", "ports", "story"}
    assert "collisions of hashing" in fabric_designer(*arguments, "ecmp").out
    assert "collisions" not in fabric_designer(*arguments, "spray", "--format", "json").json


@pytest.mark.parametrize("more", [(), ("--job", "name=a,ranks=0-63,size=1M", "--job", "name=b,ranks=8-71,size=1M")])
def test_a_run_that_needs_more_memory_than_the_limit_is_refused_with_the_figure(fabric_designer, superpod_file, more):
    asked = ("simulate", superpod_file, "--traffic", "permutation:1", "--size", "1MB", *more)
    assert fabric_designer(*asked).code == 0
    refused = fabric_designer(*asked, "--memory-limit", "1kB")
    refused.assert_refused("kB of memory for", "more than the limit of 1 kB", "choose fewer ranks", "--memory-limit")


def test_a_job_on_the_last_server_runs_there_though_another_server_failed(fabric_designer, tmp_path):
    path = tmp_path / "four.fabric"
    assert fabric_designer("generate", "rail-optimized", "--server", "dgx-h100", "--servers", "4", "-o", path).code == 0
    asked = ("--size", "1GB", "--latency", "none", "--format", "json", "--fail", "gpu-01")
    jobs = fabric_designer("simulate", path, "--job", "name=b,collective=all-reduce,ranks=24-31", *asked)
    assert jobs.code == 0, jobs.err
    plain = fabric_designer("simulate", path, "--collective", "all-reduce", "--ranks", "8-15,16", *asked)
    assert plain.code == 0, plain.err
    compared = fabric_designer(
        "simulate", path, "--collective", "all-reduce", "--ranks", "8-15,16", *asked, "--compare"
    )
    assert plain.json["time_s"] == compared.json["after"]["time_s"]
    fabric_designer("simulate", path, "--collective", "all-reduce", "--ranks", "0-15", *asked).assert_refused("gpu-01")
