"""Uplinks as asked for: scheduled fabrics with speed-up, ratios such as 33:7, and pairs of leafs without spines."""

import pytest

from designer import api
from designer.analysis.new_designs import new_design
from designer.analysis.oversubscription import leafs
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.counted import failure_shares
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate

CATALOG = load()

SCHEDULED = RailOptimizedParameters(
    switch="arista-7700r4c-38pe",
    server="generic-server-8x1x800g",
    servers=36,
    spine_switch="arista-7720r4-128pe",
    uplinks=20,
)
"""18 ports of a leaf for servers and 20 for the fabric."""

PAIR = FatTreeParameters(
    switch="generic-switch-64x200g",
    server="generic-server-8x2x200g",
    servers=3,
    leafs_per_nic=2,
    tiers="1",
    inter_leaf_links=8,
)


def built(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


def test_a_scheduled_fabric_has_more_fabric_than_host_ports():
    counts = rail_optimized.counts(SCHEDULED, CATALOG)
    assert counts.switches == {"leaf": 16, "spine": 4}
    assert counts.links == {"server-leaf": 288, "leaf-spine": 16 * 20}
    assert [one.free for one in counts.ports] == [0, 4 * 128 - 320]
    assert counts.remark == "Leaf switches have 1.11 times as much capacity up as down."
    assert not validate(built(rail_optimized, SCHEDULED)).findings


def test_cells_sprayed_over_all_uplinks_leave_the_speed_up_free():
    design = built(rail_optimized, SCHEDULED)
    run = api.simulate(design, collective="all-to-all", size_bytes=2**30, routing="spray")
    loads = run.link_utilization()
    to_spines = [link.id for link in design.links.values() if design.devices[link.a.device_id].role == "leaf"]
    assert 0.5 < max(load for link_id in to_spines for load in loads[link_id]) <= 18 / 20 + 1e-6


def test_a_scheduled_fabric_with_a_two_stage_spine():
    parameters = FatTreeParameters(
        switch="arista-7700r4c-38pe",
        server="generic-server-8x1x800g",
        servers=36,
        spine_switch="arista-7720r4-128pe",
        uplinks=20,
        pod_size=9,
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.switches == {"leaf": 18, "spine": 8, "core": 3}
    assert counts.links == {"server-leaf": 288, "leaf-spine": 360, "spine-core": 360}
    assert not validate(built(fat_tree, parameters)).findings


def test_uplinks_set_a_ratio_that_the_design_is_held_to():
    # 33 cages split for 66 nodes and 7 whole ones up: 33:7.
    values = {
        "switch": "nvidia-qm8790",
        "server": "generic-host-100g",
        "servers": 66,
        "link_rate_gbps": 200.0,
        "uplinks": 7,
        "spines": 7,
    }
    family = next(one for one in FAMILIES if one.name == "fat-tree")
    design = new_design(family, values, CATALOG, "island", "none").design
    assert len(design.links) == 66 + 7
    assert leafs(design)[0].ratio == pytest.approx(33 / 7)
    assert not [one for one in validate(design).findings if one.code == "OVER-001"]


def test_a_pair_of_leafs_is_joined_without_spines():
    counts = fat_tree.counts(PAIR, CATALOG)
    assert counts.switches == {"leaf": 2}
    assert counts.links == {"server-leaf": 48, "leaf-leaf": 8}
    design = built(fat_tree, PAIR)
    assert not validate(design).findings
    for collective in ("all-reduce", "all-to-all"):
        assert api.simulate(design, collective=collective, size_bytes=2**26).time_s > 0


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: fat_tree.counts(FatTreeParameters(uplinks=64), CATALOG),
            "64 uplinks leave a QM9700 no port for servers: it has 64 of 400G",
        ),
        (
            lambda: rail_optimized.counts(RailOptimizedParameters(uplinks=40, servers_per_su=32), CATALOG),
            "32 servers per scalable unit need 32 ports down on each leaf; a QM9700 with 40 uplinks has 24",
        ),
        (
            lambda: rail_optimized.counts(RailOptimizedParameters(uplinks=4, rail_only=True), CATALOG),
            "uplinks is 4, and rail-only has no switches above its leaf switches",
        ),
        (
            lambda: fat_tree.counts(FatTreeParameters(uplinks=4, tiers="1", servers=2), CATALOG),
            "uplinks is 4, and one tier has no spines",
        ),
        (
            lambda: FatTreeParameters(tiers="1", inter_leaf_links=8),
            "set tiers 1, and 2 planes or 2 leaf switches per NIC",
        ),
    ],
)
def test_uplinks_that_cannot_be_are_refused(make, sentence):
    with pytest.raises(ParameterError, match=sentence):
        make()


def test_shares_lost_are_those_published_for_eight_planes():
    # One link of eight is 12 % of a NIC; one uplink of 256 at 100G 0.4 % of a leaf, one of 32 at 800G 3 %.
    planes = FatTreeParameters(
        switch="generic-switch-64x8x100g", server="generic-server-1x8x100g", servers=131072, planes=8
    )
    shares = dict(failure_shares(fat_tree.counts(planes, CATALOG)))
    assert shares == {"link of a NIC": 1 / 8, "uplink of a leaf switch": 1 / 256, "plane": 1 / 8}
    single = FatTreeParameters(switch="generic-switch-64x800g", server="generic-host-800g", servers=64)
    assert dict(failure_shares(fat_tree.counts(single, CATALOG))) == {"uplink of a leaf switch": 1 / 32}


def test_chassis_spines_are_counted_with_their_line_cards():
    parameters = FatTreeParameters(
        switch="generic-switch-64x800g", server="generic-host-800g", servers=1024, spine_switch="arista-7808r4"
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.switches == {"leaf": 32, "spine": 4}
    assert counts.line_cards == 4 * 8
    assert counts.ports[1].ports == 4 * 8 * 36
    design = built(fat_tree, parameters)
    spines = [one.id for one in design.devices.values() if one.role == "spine"]
    assert sum(len(design.modules_of(one)) for one in spines) == 32
