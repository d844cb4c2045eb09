"""Ports by role and rate, with and without a link; planes that are alike; NICs that fan out."""

from collections import Counter

import pytest
from click.testing import CliRunner

from designer.catalog.catalog import load
from designer.cli.generate import command
from designer.model.design import Design
from designer.topologies import dragonfly, fat_tree, rail_optimized
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.sizing import PortCount
from designer.validation.engine import validate

CATALOG = load()

SPLIT = FatTreeParameters(
    switch="generic-switch-64x2x400g", server="generic-server-8x1x400g", servers=32, link_rate_gbps=800.0
)
"""32 cages of 2 x 400G down and 32 of 800G up, on one switch."""


def test_one_leaf_per_rack_and_rail_leaves_28_of_64_ports_free():
    parameters = RailOptimizedParameters(
        switch="nvidia-qm9700", server="generic-server-4x1x400g", servers=144, servers_per_su=144, leafs_per_rail=8
    )
    leafs, spines = rail_optimized.counts(parameters, CATALOG).ports
    assert leafs == PortCount("leaf", 400, ports=32 * 64, linked=32 * 36)
    assert leafs.free == 32 * 28
    assert spines == PortCount("spine", 400, ports=9 * 64, linked=9 * 64)


def test_ports_are_counted_at_each_speed_of_a_switch():
    assert fat_tree.counts(SPLIT, CATALOG).ports == (
        PortCount("leaf", 400, 4 * 64, 4 * 64),
        PortCount("leaf", 800, 4 * 32, 4 * 32),
        PortCount("spine", 800, 2 * 64, 2 * 64),
    )
    design = Design()
    design.apply(fat_tree.build(design, SPLIT, CATALOG))
    assert not validate(design).findings


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (fat_tree, SPLIT),
        (fat_tree, FatTreeParameters(servers=91, oversubscription=3.0)),
        (rail_optimized, RailOptimizedParameters(server="generic-server-4x2x200g", switch="generic-switch-32x4x200g")),
        (dragonfly, DragonflyParameters(p=2, a=4, h=2, groups=5)),
    ],
)
def test_counted_ports_are_those_that_are_built(family, parameters):
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    ports, linked = Counter(), Counter()
    for one in design.switches():
        ports.update((one.role, port.rate_gbps) for port in design.ports(one.id))
    for link in design.links.values():
        for end in (link.a, link.b):
            if not design.is_server(end.device_id):
                linked[design.devices[end.device_id].role, design.port(end).rate_gbps] += 1
    counted = family.counts(parameters, CATALOG).ports
    assert {(one.role, one.rate_gbps): one.ports for one in counted} == ports
    assert {(one.role, one.rate_gbps): one.linked for one in counted if one.linked} == linked


@pytest.mark.parametrize(("ports", "rate"), [(1, 800), (2, 400), (4, 200), (8, 100)])
def test_one_cage_of_800g_goes_to_as_many_planes_as_it_has_ports(ports, rate):
    parameters = FatTreeParameters(
        switch="generic-switch-64x8x100g", server=f"generic-server-1x{ports}x{rate}g", servers=64, planes=ports
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.planes == ports
    assert counts.links["server-leaf"] == 64 * ports
    assert counts.fan_outs == (64 if ports > 1 else 0)
    assert {one.rate_gbps for one in counts.ports} == {rate}


def test_two_ports_on_one_leaf_are_no_fan_out():
    twin = {"switch": "generic-switch-64x200g", "server": "generic-server-4x2x200g", "servers": 4}
    assert fat_tree.counts(FatTreeParameters(**twin), CATALOG).fan_outs == 0
    assert fat_tree.counts(FatTreeParameters(**twin, planes=4, plane_by="nic"), CATALOG).fan_outs == 0
    assert fat_tree.counts(FatTreeParameters(**twin, leafs_per_nic=2), CATALOG).fan_outs == 16
    assert fat_tree.counts(FatTreeParameters(**twin, planes=2, only_plane=1), CATALOG).fan_outs == 0


def test_the_command_line_counts_ports_and_one_plane_of_several():
    asked = "fat-tree --switch generic-switch-64x8x100g --server generic-server-1x8x100g --servers 131072 --planes 8"
    said = CliRunner().invoke(command, [*asked.split(), "--counts"]).output
    assert "2,097,152  ports of leaf switches at 100G\n" in said
    assert "131,072  NICs whose ports go to several switches\n" in said
    assert (
        "Each of the 8 planes has 512 leaf switches, 256 spine switches; links: 131,072 server-leaf, "
        "131,072 leaf-spine." in said
    )
    said = CliRunner().invoke(command, ["fat-tree", "--server", "dgx-h100", "--servers", "3", "--counts"]).output
    assert "40  ports of leaf switches at 400G without a link\n" in said
    assert "planes has" not in said
