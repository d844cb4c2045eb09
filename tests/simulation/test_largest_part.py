"""A design in several parts that no links join: refused as a whole, and run on the largest part where that is asked."""

import pytest

from designer.cli.main import DONE, run
from designer.errors import ParameterError, PartsError
from designer.model import operations
from designer.model.design import Design
from designer.simulation.designs import simulate_design
from designer.simulation.scenario import Scenario
from designer.storage import document

WHOLE = Scenario(collective="all-to-all", size_bytes=2**20)
LARGEST = Scenario(collective="all-to-all", size_bytes=2**20, largest_part=True)


@pytest.fixture
def in_parts(catalog):
    """Two hosts on one switch, three on another, and one on none."""
    design = Design()
    for name in ("a", "b", "c", "d", "e", "apart", "left", "right"):
        type_ = catalog.get("generic-host" if len(name) == 1 or name == "apart" else "generic-switch-8x400g")
        design.apply(operations.add_device(design, type_, 0, 0, catalog_types=catalog.types, name=name))
    for host, switch in zip("abcde", ("left", "left", "right", "right", "right"), strict=True):
        design.apply(operations.connect_devices(design, design.find(host).id, design.find(switch).id, 1))
    return design


def test_the_whole_is_refused_with_the_size_of_the_largest_part(in_parts):
    with pytest.raises(PartsError, match="2 parts of the fabric, the largest has 3 of 5 GPUs: run on the largest part"):
        simulate_design(in_parts, WHOLE)


def test_the_largest_part_is_run_by_itself_and_the_servers_of_the_others_are_named(in_parts):
    result = simulate_design(in_parts, LARGEST)
    assert result.ranks == 3
    assert result.model.servers_left_out == ("a", "b", "apart")
    assert result.notices == ("3 servers are not connected to the others and are left out: a, b, apart",)


def test_of_ranks_that_are_chosen_those_of_the_part_that_has_most_of_them_are_run(in_parts):
    result = simulate_design(in_parts, Scenario(collective="all-to-all", ranks=(4, 0, 1), largest_part=True))
    assert result.ranks == 2 and result.model.servers_left_out == ("e",)
    assert simulate_design(in_parts, Scenario(collective="all-to-all", ranks=2, largest_part=True)).ranks == 2


def test_a_design_in_one_part_is_run_as_a_whole(generate):
    design = generate("fat-tree", switch="generic-switch-8x400g", server="generic-host", servers=8)
    result = simulate_design(design, LARGEST)
    assert result.ranks == 8 and not result.notices


def test_a_file_of_flows_names_gpus_by_numbers_and_is_refused(in_parts, tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text("0,1,100\n")
    with pytest.raises(ParameterError, match="a file of flows names GPUs by their numbers"):
        simulate_design(in_parts, Scenario(traffic=f"pairs:{path}", largest_part=True))


def test_the_command_line_has_it_under_the_same_words(in_parts, tmp_path, capsys):
    path = tmp_path / "parts.fabric"
    document.save(in_parts, path)
    asked = ["simulate", str(path), "--collective", "all-to-all", "--size", "1MiB"]
    assert run(asked) != DONE and "run on the largest part" in capsys.readouterr().err
    assert run([*asked, "--largest-part"]) == DONE
    assert "ranks  3" in capsys.readouterr().out
