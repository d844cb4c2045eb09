"""`simulate --sweep` on the command line."""

import json
from pathlib import Path

SMALL = Path(__file__).parent.parent.parent / "examples" / "fat-tree-16-2to1.fabric"
ALL_REDUCE = ("--collective", "all-reduce", "--size", "1G")


def test_a_sweep_prints_its_worst_outcomes(fabric_designer):
    stated = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--sweep", "single-link", "--links", "top:3")
    assert stated.code == 0
    assert "slowdown: 50 % within" in stated.out and "hottest link then" in stated.out
    assert "more: --links all" in stated.out


def test_a_sweep_as_json_has_every_outcome(fabric_designer):
    found = json.loads(
        fabric_designer(
            "simulate", SMALL, *ALL_REDUCE, "--sweep", "single-switch", "--links", "all", "--format", "json"
        ).out
    )
    assert found["tried"] == len(found["outcomes"]) > 2 and found["exact"]
    assert found["outcomes"][0]["slowdown"] is None or found["outcomes"][0]["slowdown"] >= 1
    again = json.loads(
        fabric_designer(
            "simulate",
            SMALL,
            *ALL_REDUCE,
            "--sweep",
            "monte-carlo:20",
            "--failure-rate",
            "link=0.05",
            "--seed",
            "3",
            "--format",
            "json",
        ).out
    )
    assert again["tried"] == 20 and again["slowdown"]["p99"] is not None


def test_sweeps_that_make_no_sense_are_refused(fabric_designer):
    for arguments, words in (
        (("--sweep", "twice-link"), ("twice-link", "single-KIND")),
        (("--sweep", "monte-carlo:many"), ("many",)),
        (("--sweep", "monte-carlo:5"), ("--failure-rate",)),
        (("--sweep", "monte-carlo:5", "--failure-rate", "cat=1"), ("cat",)),
        (("--sweep", "monte-carlo:5", "--failure-rate", "link=often"), ("link=often",)),
        (("--sweep", "single-link", "--failure-rate", "link=0.1"), ("monte-carlo",)),
        (("--failure-rate", "link=0.1"), ("--sweep",)),
    ):
        fabric_designer("simulate", SMALL, *ALL_REDUCE, *arguments).assert_refused(*words)


def test_a_failure_is_told_beside_the_healthy_fabric(fabric_designer):
    stated = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--fail", "spine-01", "--compare")
    assert stated.code == 0
    assert "all-reduce, ring without spine-01" in stated.out
    for words in ("healthy", "failed", "change", "busbw", "none lost"):
        assert words in stated.out
    found = fabric_designer(
        "simulate", SMALL, *ALL_REDUCE, "--fail", "gpu-01", "--compare", "--format", "json", "--links", "top:3"
    ).json
    assert found["failed"] == ["gpu-01"] and found["lost_ranks"] == 8
    assert found["slowdown"] is None and found["busbw_change"] is None
    fabric_designer("simulate", SMALL, *ALL_REDUCE, "--compare").assert_refused("--compare goes with --fail")


def test_lost_ranks_are_told_instead_of_a_speed_up(fabric_designer):
    stated = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--fail", "gpu-01", "--compare")
    assert "8 of 128 ranks are lost." in stated.out and "x\n" not in stated.out
    swept = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--sweep", "single-server", "--links", "top:3")
    assert "ranks lost: by 16 of 16, at most 8 of 128 ranks" in swept.out and "slowdown:" not in swept.out


def test_pairs_of_the_worst_have_no_median_and_random_failures_a_count(fabric_designer):
    pairs = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--sweep", "pairs-link", "--links", "top:3")
    assert "slowdown: worst" in pairs.out and "within" not in pairs.out
    drawn = fabric_designer(
        "simulate", SMALL, *ALL_REDUCE, "--sweep", "monte-carlo:10", "--failure-rate", "switch=1", "--format", "json"
    ).json
    assert drawn["tried"] == 10 and [row["count"] for row in drawn["outcomes"]] == [10]


def test_a_sweep_over_nothing_is_refused(fabric_designer):
    refused = fabric_designer("simulate", SMALL, *ALL_REDUCE, "--sweep", "single-plane")
    refused.assert_refused("no planes in this design")
