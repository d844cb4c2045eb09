"""simulate --through: the flows over a link, as text and JSON."""

import pytest

from designer.cli.main import run


@pytest.fixture(scope="module")
def small_file(tmp_path_factory):
    """16 generic hosts of 400G under four leafs and two spines: 2:1."""
    path = tmp_path_factory.mktemp("designs") / "small.fabric"
    assert run(["generate", "pgft", "--children", "4,4", "--parents", "1,2", "-o", str(path)]) == 0
    return path


def test_the_text_names_flows_servers_and_idle_lanes(fabric_designer, small_file):
    arguments = ("--traffic", "shift:4", "--size", "1M", "--routing", "ecmp", "--through", "leaf-01:5")
    stated = fabric_designer("simulate", small_file, *arguments)
    assert (stated.code, stated.err) == (0, "")
    expected = "shift:4, ecmp: leaf-01 5 -> spine-01", "The hash chose it from", "by server", "host-0", "other lanes"
    for words in expected:
        assert words in stated.out, words


def test_the_json_counts_all_and_lists_the_largest(fabric_designer, small_file):
    arguments = ("--traffic", "all-to-all", "--size", "1M", "--links", "top:3", "--format", "json")
    found = fabric_designer("simulate", small_file, *arguments, "--through", "leaf-01:5").json
    assert found["flows"] == 4 * 12 and len(found["crossings"]) == 3
    assert found["bytes"] == pytest.approx(4 * 12 * 1e6 / 2)
    assert set(found["crossings"][0]) == {"phase", "rank", "to_rank", "from", "to", "share", "bytes"}
    assert len(found["lanes"]) == 1


def test_a_sweep_is_no_single_run_to_look_at(fabric_designer, small_file):
    arguments = ("--traffic", "shift:1", "--size", "1M", "--through", "leaf-01:5", "--sweep", "single-link")
    stated = fabric_designer("simulate", small_file, *arguments)
    assert stated.code == 2 and "one run" in stated.err


def test_a_link_that_is_not_there_is_refused_in_a_sentence(fabric_designer, small_file):
    stated = fabric_designer("simulate", small_file, "--traffic", "shift:1", "--size", "1M", "--through", "leaf-9:1")
    assert stated.code == 2
    assert "nothing is called 'leaf-9'" in stated.err
