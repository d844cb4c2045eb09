"""Designs that the literature warns of are refused with the reason, when they are drawn and when they are generated."""

import pytest

from designer.catalog.catalog import load
from designer.errors import DesignerError, NoFreePortError
from designer.model.design import Design
from designer.model.entities import End, Link
from designer.topologies import fat_tree
from designer.validation.engine import validate

NODES = 20


@pytest.fixture
def crowded(bare):
    """20 nodes with two links each on a switch of 40 ports, which 8 uplinks shall leave."""
    bare.add("nvidia-qm8700", "leaf", "spine")
    bare.add("dgx-a100", *(f"node-{number}" for number in range(1, NODES + 1)))
    for number in range(1, NODES + 1):
        bare.join(f"node-{number}", "leaf", 2)
    return bare


def test_20_dual_uplinked_nodes_leave_no_port_for_8_uplinks_on_40_ports(crowded):
    with pytest.raises(NoFreePortError, match=r"^leaf has no free 200G port left \(40 of 40 used\)$"):
        crowded.join("leaf", "spine", 8)
    assert len(crowded.design.links) == 2 * NODES


def test_a_file_with_8_uplinks_more_than_40_ports_take_is_found_by_count(crowded):
    design = crowded.design
    leaf, spine = crowded.id("leaf"), crowded.id("spine")
    crowded.put(
        *(
            Link(link_id, End(leaf, low.name), End(spine, high.name))
            for link_id, low, high in zip(
                design.new_ids("links", 8), design.ports(leaf), design.ports(spine), strict=False
            )
        )
    )
    (found,) = [one for one in validate(design).findings if one.code == "PORT-005"]
    assert found.message == "leaf: 48 links, 40 ports"
    assert (found.value, found.limit) == (48, 40)


def test_a_port_for_management_is_no_room_for_a_link_of_the_fabric(crowded):
    """The switch has 41 ports with that for its management: one link too many is already found."""
    design = crowded.design
    leaf, spine = crowded.id("leaf"), crowded.id("spine")
    assert len(design.port_map(leaf)) == 41
    crowded.put(Link(design.new_ids("links", 1)[0], End(leaf, "1"), End(spine, "1")))
    (found,) = [one for one in validate(design).findings if one.code == "PORT-005"]
    assert found.message == "leaf: 41 links, 40 ports"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"spines": 2}, "2 spines have 128 ports for 512 links: 8 spines at least are needed"),
        ({"servers_per_leaf": 32}, "32 servers per leaf switch need 256 ports down"),
        ({"tiers": "1"}, "one tier has one leaf switch per plane, which ends at 8 servers; 64 were asked for"),
    ],
    ids=["two leafs and two spines", "two leafs", "no spine"],
)
def test_four_switches_of_64_ports_do_not_join_512_gpus_without_blocking(more, reason):
    design = Design()
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-64x400g", server="dgx-h100", servers=64, **more)
    with pytest.raises(DesignerError, match=reason):
        fat_tree.build(design, parameters, load())


def test_eight_spines_join_512_gpus_without_blocking():
    design = Design()
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-64x400g", server="dgx-h100", servers=64, spines=8)
    design.apply(fat_tree.build(design, parameters, load()))
    assert len(design.switches()) == 16 + 8
    assert not [one for one in validate(design).findings if one.code in {"OVER-001", "PORT-005"}]
