"""`simulate --job`: several jobs from options and from files."""

import json

import pytest

from designer.units import format_size

A = "name=a,traffic=shift:2,ranks=0-1,4-5,size=100M"
B = "name=b,traffic=shift:2,ranks=2-3,6-7,size=100M"


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    """Four leafs of four hosts with two uplinks each."""
    from designer.cli.main import run

    path = tmp_path_factory.mktemp("designs") / "narrow.fabric"
    assert run(["generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", str(path)]) == 0
    return path


def test_each_job_has_a_row_with_its_time_alone_together_and_the_slowdown(fabric_designer, narrow):
    stated = fabric_designer("simulate", narrow, "--job", A, "--job", B, "--latency", "none")

    assert (stated.code, stated.err) == (0, "")
    for words in (
        "2 jobs on",
        "alone  slowdown",
        "shares links with",
        "2.00  b",
        "2.00  a",
        "bottleneck of a\n",
        "2 flows of a and 2 flows of b share 400 Gb/s; together they could use 800 Gb/s",
        "a 100 MB, b 100 MB",
        "jobs that loop",
    ):
        assert words in stated.out, stated.out


@pytest.mark.parametrize("ranks", ["0-2,5", "[0-2,5]", "0-2+5", "[0,1,2,5]"])
def test_a_job_takes_a_list_of_ranks_in_each_way_that_the_help_names(fabric_designer, narrow, ranks):
    found = fabric_designer(
        "simulate",
        narrow,
        "--job",
        f"name=a,ranks={ranks},traffic=shift:1,size=1MiB",
        "--links",
        "all",
        "--format",
        "json",
    ).json
    (job,) = found["jobs"]
    senders = {row["from"] for row in found["links"] if row["bytes"] and row["from"].startswith("host")}
    assert job["ranks"] == 4 and senders == {"host-01", "host-02", "host-03", "host-06"}
    stated = " ".join(fabric_designer("simulate", "--help").out.split())
    assert "Ranks may be a list, as ranks=0-7,16,18-20 or ranks=[0-7,16,18-20] or ranks=0-7+16+18-20." in stated


def test_a_job_whose_ranks_are_no_list_is_told_how_to_write_one(fabric_designer, narrow):
    refused = fabric_designer("simulate", narrow, "--job", "name=a,ranks=0-2;5,traffic=shift:1,size=1MiB")
    assert refused.code == 2 and "a list is written ranks=0-7,16,18-20 or ranks=[0-7,16,18-20]" in refused.err


def test_bytes_are_shown_in_the_units_in_which_each_job_was_given_its_size(fabric_designer, narrow):
    binary = "name=b,traffic=shift:2,ranks=2-3,6-7,size=64MiB"
    stated = fabric_designer("simulate", narrow, "--job", A, "--job", binary, "--latency", "none").out
    assert "a 100 MB, b 64 MiB" in stated
    alone = fabric_designer("simulate", narrow, "--traffic", "shift:2", "--size", "100MB").out
    assert "MiB" not in alone and "GiB" not in alone and "100 MB" in alone


def test_the_help_names_the_chunk_that_is_used(fabric_designer, narrow):
    stated = " ".join(fabric_designer("simulate", "--help").out.split())
    model = fabric_designer(
        "simulate", narrow, "--collective", "broadcast", "--algorithm", "chain", "--size", "1GiB", "--format", "json"
    ).json["model"]
    assert f"pass on at a time; if left out, {format_size(model['pipelined_in_chunks_of_bytes'])}," in stated


def test_json_has_per_job_figures_and_bytes_of_links_by_job(fabric_designer, narrow):
    found = fabric_designer(
        "simulate", narrow, "--job", A, "--job", B, "--latency", "none", "--links", "top:1", "--format", "json"
    ).json

    assert set(found) == {"model", "time_s", "jobs", "links", "wall_s"}
    one, other = found["jobs"]
    assert (one["name"], one["ranks"], one["shares_links_with"]) == ("a", 4, ["b"])
    assert one["slowdown"] == pytest.approx(2) and one["time_s"] == pytest.approx(2 * one["alone"]["time_s"])
    assert other["bottlenecks"][0]["why"].count(" of a and ") == 1
    assert set(found["links"][0]["bytes_by_job"]) == {"a", "b"}


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_jobs_come_from_a_file_as_from_options(fabric_designer, narrow, tmp_path, ending):
    rows = [
        {"name": "a", "traffic": "shift:2", "ranks": "0-1,4-5", "size": "100M"},
        {"name": "b", "traffic": "shift:2", "ranks": [2, 3, "6-7"], "size": 100000000, "loop": True},
    ]
    path = tmp_path / f"jobs.{ending}"
    text = json.dumps({"jobs": rows}) if ending == "json" else "\n".join(f"- {json.dumps(row)}" for row in rows)
    path.write_text(text, encoding="utf-8")

    filed = fabric_designer("simulate", narrow, "--jobs", path, "--format", "json").json
    typed = fabric_designer("simulate", narrow, "--job", A, "--job", B, "--format", "json").json

    filed.pop("wall_s"), typed.pop("wall_s")
    assert filed == typed


def test_options_count_for_jobs_that_do_not_say_otherwise(fabric_designer, narrow):
    found = fabric_designer(
        "simulate",
        narrow,
        "--collective",
        "all-reduce",
        "--size",
        "1M",
        "--order",
        "random",
        "--job",
        "ranks=0-7",
        "--job",
        "name=x,ranks=8-15,size=2M",
        "--job",
        "name=y,traffic=incast:3,ranks=5",
        "--format",
        "json",
    ).json

    named = [(job["name"], job["traffic"], job["size_bytes"]) for job in found["jobs"]]
    assert named == [
        ("job 1", "all-reduce, ring", 10**6),
        ("x", "all-reduce, ring", 2 * 10**6),
        ("y", "incast:3", 10**6),
    ]


@pytest.mark.parametrize("order", ["design", "rail", "topology", "random"])
def test_every_rank_order_works_with_a_list_of_ranks(fabric_designer, narrow, order):
    found = fabric_designer(
        "simulate",
        narrow,
        "--collective",
        "all-reduce",
        "--size",
        "1M",
        "--ranks",
        "9,3,0-2,12",
        "--order",
        order,
        "--seed",
        "4",
        "--format",
        "json",
    ).json

    assert found["ranks"] == 6 and found["model"]["rank_order"] == order


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--job", "name=a,collective=all-reduce,algorithm=bucket:4by4,size=1M"), ("job a, algorithm", "'4by4'")),
        (("--job", "train"), ("'train' is no job", "name=NAME")),
        (("--job", "name=a,ranks=0-3,ranks=4-7,size=1M"), ("ranks twice",)),
        (("--job", "name=a,colour=red,size=1M,traffic=shift:1"), ("job a", "'colour'", "collective")),
        (("--job", "name=a,traffic=shift:1"), ("job a needs a size",)),
        (("--job", "name=a,size=1M"), ("job a", "either a collective or a traffic pattern")),
        (("--job", "name=a,size=1M,traffic=shift:1,ranks=0-99"), ("there is no GPU 16",)),
        (("--job", "name=a,size=1M,traffic=shift:1,start=soon"), ("job a, start", "'soon' is not a time")),
        (("--job", "name=a,size=1M,traffic=shift:1,loop=maybe"), ("job a, loop", "'maybe'")),
        (("--job", A, "--job", A), ("two jobs are called a",)),
        (("--job", A, "--sweep", "single-link"), ("--sweep",)),
        (("--jobs", "/no/such.yaml"), ("such.yaml",)),
    ],
)
def test_jobs_that_make_no_sense_are_refused_in_one_sentence(fabric_designer, narrow, arguments, words):
    fabric_designer("simulate", narrow, *arguments).assert_refused(*words)


def test_a_file_without_jobs_is_refused(fabric_designer, narrow, tmp_path):
    (tmp_path / "none.yaml").write_text("colour: red\n", encoding="utf-8")
    fabric_designer("simulate", narrow, "--jobs", tmp_path / "none.yaml").assert_refused("none.yaml holds no jobs")


def test_bucket_takes_dimensions_and_chains_a_chunk(fabric_designer, narrow):
    arguments = ("simulate", narrow, "--size", "16MiB", "--format", "json")
    bucket = fabric_designer(*arguments, "--collective", "all-reduce", "--algorithm", "bucket:4x4").json
    chain = fabric_designer(*arguments, "--collective", "broadcast", "--chunk", "256KiB").json

    assert bucket["model"]["dimensions"] == "4x4"
    assert (chain["model"]["pipelined_in_chunks_of_bytes"], chain["model"]["chunks_of_a_channel"]) == (2**18, 64)
    fabric_designer(
        "simulate", narrow, "--size", "1M", "--collective", "all-reduce", "--algorithm", "bucket:4x"
    ).assert_refused("'4x' are no dimensions")
