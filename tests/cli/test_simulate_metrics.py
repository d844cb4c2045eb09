"""`simulate` for other programs, on the command line."""

from pathlib import Path

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "fat-tree-16-2to1.fabric"
RUN = ("simulate", EXAMPLE, "--collective", "all-reduce", "--size", "1MiB", "--ranks", "16")


def test_text_formats_are_printed_and_every_format_written(fabric_designer, tmp_path):
    printed = fabric_designer(*RUN, "--format", "prometheus").out
    assert printed.startswith("# HELP fabric_designer_run_time_seconds")
    assert len(fabric_designer(*RUN, "--format", "csv").out.splitlines()) == 1 + 2 * 192
    assert len(fabric_designer(*RUN, "--format", "csv", "--links", "top:3").out.splitlines()) == 4
    for format_ in ("csv", "prometheus", "parquet"):
        path = tmp_path / format_
        assert fabric_designer(*RUN, "--format", format_, "-o", path).code == 0 and path.stat().st_size
        fabric_designer(*RUN, "--format", format_, "-o", path).assert_refused("exists already")
    assert (tmp_path / "prometheus").read_text("utf-8") == printed


def test_runs_and_curves_go_into_a_folder_of_runs(fabric_designer, tmp_path):
    first = fabric_designer(*RUN, "--tensorboard", tmp_path / "runs")
    assert "busbw" in first.out and "wrote" in first.err
    fabric_designer(*RUN, "--tensorboard", tmp_path / "runs").assert_refused("exists already")
    sizes = ("simulate", EXAMPLE, "--collective", "all-reduce", "--ranks", "16", "--sizes", "1KiB:1MiB:32")
    assert fabric_designer(*sizes, "--tensorboard", tmp_path / "runs").code == 0
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "Fat-tree-of-16-servers-at-2-1-all-reduce-ring-spray-1-MiB",
        "Fat-tree-of-16-servers-at-2-1-all-reduce-ring-spray-by-size",
    ]


def test_what_is_not_one_run_is_refused_in_one_sentence(fabric_designer, tmp_path):
    for arguments, words in (
        (("--format", "parquet"), ("Parquet is no text", "-o NAME.parquet")),
        (("-o", tmp_path / "a.csv"), ("-o goes with --format csv",)),
        (("--format", "csv", "--sweep", "single-link"), ("--format csv writes one run", "--sweep")),
        (("--tensorboard", tmp_path, "--through", "leaf-01:1"), ("--tensorboard writes one run", "--through")),
    ):
        fabric_designer(*RUN, *arguments).assert_refused(*words)
