"""What stays, moves and is added from one size of a fabric to the next."""

import pytest
from click.testing import CliRunner

from designer.analysis.growth import Moves, growth, table
from designer.catalog.catalog import load
from designer.cli.generate import command
from designer.topologies import presets
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters

CATALOG = load()
LARGE = FatTreeParameters(switch="nvidia-sn5600", servers=16384)


def stages(family: str, *parameters):
    found = next(one for one in FAMILIES if one.name == family)
    return growth(found, [(one.servers, one) for one in parameters], CATALOG)


def racks(servers: int, **more) -> RailOptimizedParameters:
    shared = {"switch": "nvidia-qm9700", "server": "generic-server-4x1x400g", "servers_per_su": 144}
    return RailOptimizedParameters(**shared, leafs_per_rail=8, servers=servers, **more)


def test_half_the_uplinks_move_where_the_spines_double():
    first, second = stages("fat-tree", FatTreeParameters(servers=64), FatTreeParameters(servers=128))
    assert first.moves is None
    assert first.sentence == ""
    assert second.moves == (
        Moves("server-leaf", kept=512, moved=0, added=512, removed=0),
        # 16 leafs had 4 links to each of 8 spines, and have 2 to each of 16.
        Moves("leaf-spine", kept=256, moved=256, added=512, removed=0),
    )
    assert second.sentence == "of 512 leaf-spine links 256 move"
    assert [second.total(name) for name in ("kept", "moved", "added", "removed")] == [768, 256, 1024, 0]


def test_spines_of_rails_in_place_of_common_ones_are_a_layer_rebuilt():
    _, second = stages("rail-optimized", racks(144), racks(576, spines=96, pod_size=8))
    assert second.counts.switches == {"leaf": 128, "spine": 96, "core": 36}
    assert second.sentence == "of 576 leaf-spine links 576 move: this layer is rebuilt"
    assert Moves("server-leaf", 576, 0, 1728, 0) in second.moves


def test_a_fabric_with_its_last_spines_grows_without_a_move():
    of = presets.preset_named("dgx-superpod-h100-4su")
    sizes = [(n, presets.parameters_of(of, n)) for n in (3, 4)]
    _, last = growth(presets.family_of(of), sizes, CATALOG)
    assert last.sentence == ""
    assert [last.total(name) for name in ("kept", "moved", "added", "removed")] == [1528, 0, 512, 0]


def test_links_of_servers_that_go_away_are_removed():
    _, second = stages("fat-tree", FatTreeParameters(servers=8), FatTreeParameters(servers=6))
    assert second.sentence.startswith("of 64 server-leaf links ")
    assert "16 are removed" in second.sentence


def test_sizes_too_large_are_counted_only():
    small, large = stages("fat-tree", FatTreeParameters(switch="nvidia-sn5600"), LARGE)
    assert large.counts.servers == 16384
    assert large.moves is None
    assert "kept" not in [column.key for column in table((small, large)).columns]


def run(asked: str):
    return CliRunner().invoke(command, asked.split())


def test_the_command_line_lists_sizes_and_what_is_recabled():
    said = run("fat-tree --switch nvidia-qm9700 --server dgx-h100 --growth 64,128").output
    assert said.splitlines()[0].split("  ")[0] == "size"
    assert "From 64 to 128 servers: of 512 leaf-spine links 256 move." in said
    said = run("preset dgx-superpod-h100-4su --growth 3,4").output
    assert "From 3 to 4 scalable units: every link stays where it is." in said
    said = run("fat-tree --server dgx-h100 --switch nvidia-sn5600 --growth 64,16384").output
    assert "From 64 to 16,384 servers: too large to compare links." in said
    assert "From 3 to 5 groups: " in run("dragonfly --p 2 --a 4 --h 2 --growth 3,5").output


@pytest.mark.parametrize("sizes", ["x", "0", "1,,2", "1.5", "-4"])
def test_sizes_that_are_none_are_refused(sizes):
    assert (
        "should be whole numbers from 1 up, such as 1,2,4" in run(f"fat-tree --server dgx-h100 --growth={sizes}").output
    )


def test_families_without_a_number_to_grow_by_have_no_growth():
    assert "No such option" in run("torus --dims 4x4 --growth 2").output
