"""Blueprints: what is counted is what is built, and nothing too large is begun."""

import pytest

from designer.catalog.catalog import load
from designer.errors import DesignerError, ParameterError
from designer.model.design import Design
from designer.model.entities import DRAGONFLY_GROUP
from designer.topologies import dragonfly, dragonfly_plus, families, rail_optimized, torus
from designer.topologies.blueprint import Blueprint, Groups, Layer, Links, assemble, tally
from designer.topologies.dragonfly import DragonflyParameters
from designer.topologies.dragonfly_plus import DragonflyPlusParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.routers import router_hardware, server_layer, server_links
from designer.topologies.torus import TorusParameters

CATALOG = load()
HARDWARE = router_hardware(CATALOG.get, "generic-host", "generic-switch", 400.0, 1, 3)


def ring(count=4, announced=None, groups=None):
    routers = Layer(
        count,
        HARDWARE.router,
        lambda: HARDWARE.ports(1, 2),
        lambda number: f"r{number}",
        role="router",
        group=(lambda number: number % 2) if groups else None,
    )
    links = Links(
        "ring",
        count if announced is None else announced,
        1,
        1,
        lambda: ((number, 1, (number + 1) % count, 2) for number in range(count)),
    )
    row = [(0.0, 0.0)] * count
    return Blueprint(
        "Generate ring",
        (server_layer(HARDWARE, count), routers),
        (server_links(HARDWARE, count), links),
        lambda: (row, row),
        groups,
    )


@pytest.mark.parametrize("family", families.FAMILIES, ids=lambda family: family.name)
def test_every_family_builds_the_devices_links_and_nics_that_it_counts(family):
    design = Design()
    design.apply(family.build(design, family.parameters(), CATALOG))
    counts = family.counts(family.parameters(), CATALOG)
    assert len(design.servers()) == counts.servers
    assert len(design.switches()) == sum(counts.switches.values())
    assert len(design.links) == sum(counts.links.values())
    assert len(design.modules) == counts.nics
    assert len(design.racks) == counts.racks
    roles = [device.role for device in design.switches()]
    assert {role: roles.count(role) for role in roles} == dict(counts.switches)


def test_a_blueprint_is_counted_and_built_the_same():
    design = Design()
    design.apply(assemble(design, ring(), CATALOG.get))
    counts = tally(ring())
    assert (counts.servers, counts.endpoints, counts.nics) == (4, 4, 4)
    assert (counts.switches, counts.links) == ({"router": 4}, {"server-router": 4, "ring": 4})
    names = [f"{design.end_name(link.a)} {design.end_name(link.b)}" for link in design.links.values()]
    assert names[0].startswith("host-01 ") and names[0].endswith("r0 port 1"), names
    assert names[-1] == "r3 port 2 r0 port 3", names


def test_a_blueprint_may_be_assembled_twice():
    blueprint = ring()
    assert assemble(Design(), blueprint, CATALOG.get) == assemble(Design(), blueprint, CATALOG.get)


def test_links_that_are_not_as_many_as_announced_are_an_error():
    with pytest.raises(DesignerError, match="ring links: 5 were announced, 4 were made"):
        assemble(Design(), ring(announced=5), CATALOG.get)


def test_what_no_design_holds_is_counted_and_refused_before_it_is_begun():
    for blueprint, sentence in (
        (ring(count=200_000), "400,000 devices are more than a design holds: 250,000 devices"),
        (ring(announced=1_000_001 - 4), "1,000,001 links are more than a design holds: 1,000,000 links"),
    ):
        assert tally(blueprint).too_large.startswith(sentence)
        with pytest.raises(ParameterError, match=sentence):
            assemble(Design(), blueprint, CATALOG.get)
    assert tally(ring()).too_large == ""


def test_kinds_of_links_that_there_are_none_of_are_left_out():
    assert "ring" not in tally(ring(announced=0)).links


def test_devices_come_into_the_group_that_their_number_says():
    design = Design()
    design.apply(assemble(design, ring(groups=Groups(2, DRAGONFLY_GROUP)), CATALOG.get))
    groups = [design.groups[device.group_id].name for device in design.switches()]
    assert groups == ["Group 1", "Group 2", "Group 1", "Group 2"]


def test_groups_stand_in_racks_of_their_own_that_are_numbered_with_all_others_of_the_word():
    parameters = RailOptimizedParameters(servers=10, servers_per_su=5)
    design = Design()
    design.apply(rail_optimized.build(design, parameters, CATALOG))
    racks = [(rack.name, rack.group_id and design.groups[rack.group_id].name) for rack in design.racks.values()]
    assert racks == [
        *[(f"rack-0{number}", f"SU {(number + 1) // 2}") for number in range(1, 5)],
        ("net-01", "SU 1"),
        ("net-02", "SU 2"),
        ("net-03", None),
    ]
    assert rail_optimized.counts(parameters, CATALOG).racks == len(racks)


@pytest.mark.parametrize(
    ("family", "parameters", "expected"),
    [
        (
            dragonfly,
            DragonflyParameters(p=8, a=2, h=1, groups=2, switch="nvidia-qm9700", server="dgx-h100"),
            [("rack-01", "Group 1"), ("rack-02", "Group 2"), ("net-01", "Group 1"), ("net-02", "Group 2")],
        ),
        (
            dragonfly_plus,
            DragonflyPlusParameters(p=8, leafs=1, spines=2, h=1, groups=2, switch="nvidia-qm9700", server="dgx-h100"),
            [
                ("rack-01", "Group 1"),
                ("rack-02", "Group 2"),
                *[(f"net-0{number}", f"Group {2 - number % 2}") for number in range(1, 5)],
            ],
        ),
        (torus, TorusParameters(dims=(5,), node="dgx-h100"), [("rack-01", None), ("rack-02", None)]),
        (torus, TorusParameters(dims=(5,), node="dgx-h100", racks="none"), []),
        (torus, TorusParameters(dims=(5,), node="tpu-v4-chip"), []),
        (dragonfly, DragonflyParameters(p=8, groups=2, switch="nvidia-qm9700", server="dgx-h100", racks="none"), []),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_direct_networks_of_real_hardware_stand_in_racks_group_by_group(family, parameters, expected):
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    racks = [(rack.name, rack.group_id and design.groups[rack.group_id].name) for rack in design.racks.values()]
    assert racks == expected
    assert family.counts(parameters, CATALOG).racks == len(expected)
    for device_id, placement in design.placements.items():
        device = design.devices[device_id]
        rack = design.racks.get(placement.rack_id)
        assert rack is None or rack.group_id == device.group_id


def test_a_dragonfly_of_too_many_groups_is_refused_for_its_groups():
    with pytest.raises(ParameterError, match="100,000 groups need 99,999 global links each; a group has 8: 9 groups"):
        dragonfly.counts(DragonflyParameters(groups=100_000), CATALOG)
