"""`place` on the command line."""

from pathlib import Path

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "fat-tree-16-2to1.fabric"
RUN = ("--collective", "all-reduce", "--size", "1MiB", "--ranks", "16", "--runs", "5")


def test_a_mapping_is_reported_and_written(fabric_designer, tmp_path):
    out = tmp_path / "mapped.fabric"
    stated = fabric_designer("place", EXAMPLE, *RUN, "--among", "all", "--job", "small", "-o", out)
    assert stated.code == 0 and "no other mapping is faster" in stated.out and "first free servers" in stated.out
    found = fabric_designer("simulate", out, "--design-jobs", "--format", "json").json
    assert [job["name"] for job in found["jobs"]] == ["training", "experts", "small"]
    again = fabric_designer("place", out, "--job", "small", "--runs", "3", "--among", "own", "--format", "json").json
    assert again["job"] == "small" and len(again["ranks"]) == 16 and again["bound_s"] <= again["time_s"]
    fabric_designer("place", EXAMPLE, *RUN, "--among", "all", "-o", out).assert_refused("mapped.fabric")


def test_what_cannot_be_searched_is_refused_in_one_sentence(fabric_designer):
    for arguments, words in (
        ((), ("--job", "--collective")),
        (("--collective", "all-reduce"), ("--size",)),
        (("--job", "nobody"), ("no job 'nobody'", "training")),
        (RUN, ("no server is free",)),
        ((*RUN, "--earlier", "1", "--leave", "2"), ("2 jobs cannot leave of 1",)),
    ):
        fabric_designer("place", EXAMPLE, *arguments).assert_refused(*words)
