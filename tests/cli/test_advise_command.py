"""advise: what would make a run faster, as text and JSON."""

import pytest

from designer.cli.main import run


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """16 hosts under two-to-one leaf switches."""
    path = tmp_path_factory.mktemp("designs") / "small.fabric"
    arguments = "--switch generic-switch-8x400g --server generic-host --servers 16 --oversubscription 3 --racks none"
    assert run(["generate", "fat-tree", *arguments.split(), "-o", str(path)]) == 0
    return path


def test_the_text_ranks_what_helps_and_names_what_was_tried(fabric_designer, small_file):
    stated = fabric_designer("advise", small_file, "--traffic", "all-to-all", "--size", "1M", "--routing", "ecmp")
    assert (stated.code, stated.err) == (0, "")
    for words in (
        "changes that were tried would help",
        "Spray instead of ECMP",
        "tried without gain",
        "cannot be tried",
    ):
        assert words in stated.out, words


def test_the_json_gains_are_those_of_simulate(fabric_designer, small_file):
    asked = ("--traffic", "all-to-all", "--size", "1M", "--format", "json")
    advice = fabric_designer("advise", small_file, *asked, "--routing", "ecmp").json
    row = next(row for row in advice["rows"] if row["title"] == "Spray instead of ECMP")
    before = fabric_designer("simulate", small_file, *asked, "--routing", "ecmp").json["time_s"]
    after = fabric_designer("simulate", small_file, *asked, "--routing", "spray").json["time_s"]
    assert advice["time_s"] == before and row["time_s"] == after
    assert row["gain"] == pytest.approx(1 - after / before)
    assert row["kind"] == "routing" and "→" in row["sentence"]
    assert set(advice) == {"time_s", "summary", "rows", "tried", "refused", "not_tried"}


def test_a_budget_of_nothing_tries_one_and_names_the_rest(fabric_designer, small_file):
    arguments = ("--traffic", "all-to-all", "--size", "1M", "--budget", "0", "--format", "json")
    found = fabric_designer("advise", small_file, *arguments).json
    assert len(found["tried"]) + len(found["refused"]) == 1 and len(found["not_tried"]) > 3


def test_it_takes_one_traffic_and_its_size(fabric_designer, small_file):
    fabric_designer("advise", small_file, "--size", "1M").assert_refused("either --collective or --traffic")
    fabric_designer("advise", small_file, "--traffic", "shift:1").assert_refused("--size")
