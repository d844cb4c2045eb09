"""Generators run NICs in the mode that the leaf's ports meet, and refuse what no NIC does."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.topologies import fat_tree, networks, rail_optimized
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.network_parameters import NetworkParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate


def built(family, parameters, catalog: Catalog) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def modes_of(design: Design) -> set[str]:
    return {design.nic_type(one.id).mode(one.port_mode).name for one in design.modules.values()}


@pytest.mark.parametrize(
    ("switch", "planes", "mode", "links"),
    [("nvidia-sn5600", 2, "2x400G", 512), ("nvidia-sn5600", 1, "2x400G", 512), ("nvidia-q3400-ra", 1, "1x800G", 256)],
)
def test_nics_run_in_the_mode_that_the_switch_speaks(catalog, switch, planes, mode, links):
    parameters = RailOptimizedParameters(server="dgx-b300", switch=switch, servers=32, planes=planes)
    design = built(rail_optimized, parameters, catalog)
    assert modes_of(design) == {mode}
    assert rail_optimized.counts(parameters, catalog).links["server-leaf"] == links
    assert not validate(design).findings


def test_both_ports_of_a_nic_are_on_the_same_rail_in_each_plane(catalog):
    design = built(
        rail_optimized,
        RailOptimizedParameters(server="dgx-b300", switch="nvidia-sn5600", servers=32, planes=2),
        catalog,
    )
    server = design.servers()[0].id
    ends = {
        port: design.device(link.b.device_id if link.a.device_id == server else link.a.device_id)
        for link in design.links_of(server)
        for port in [link.a.port if link.a.device_id == server else link.b.port]
    }
    for rail in range(1, 9):
        pair = [ends[f"rail{rail}/{port}"] for port in (1, 2)]
        assert [(leaf.rail, leaf.plane) for leaf in pair] == [(rail, 1), (rail, 2)]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"nic_mode": "1x800G"}, "SN5600 speaks Ethernet, DGX B300 with NICs in 1x800G InfiniBand"),
        ({"nic_rate_gbps": 800.0}, "SN5600 speaks Ethernet, DGX B300 with NICs in 1x800G InfiniBand"),
        ({"nic_mode": "1x400G"}, "the fabric NICs of DGX B300 have no mode 1x400G: they have 1x800G or 2x400G"),
        (
            {"nic_mode": "1x800G", "nic_rate_gbps": 400.0},
            "the fabric NICs of DGX B300 have no mode 1x800G at 400G: they have 1x800G or 2x400G",
        ),
        ({"nic_rate_gbps": 200.0}, "the fabric NICs of DGX B300 run at 400G and 800G, none at 200G"),
        (
            {"switch": "nvidia-qm9700"},
            "the fabric NICs of DGX B300 run as 1x800G (800G InfiniBand), 2x400G (400G Ethernet); "
            "QM9700 has ports of 400G InfiniBand, 200G InfiniBand",
        ),
    ],
)
def test_what_no_nic_does_is_refused_in_one_sentence(catalog, values, sentence):
    parameters = FatTreeParameters(**{"server": "dgx-b300", "switch": "nvidia-sn5600", "servers": 8, **values})
    with pytest.raises(ParameterError) as caught:
        fat_tree.counts(parameters, catalog)
    assert str(caught.value) == sentence


def test_a_mode_asked_for_is_taken_where_a_generic_switch_would_take_either(catalog):
    values = {"server": "dgx-b300", "switch": "generic-switch", "servers": 8}
    assert modes_of(built(fat_tree, FatTreeParameters(**values), catalog)) == {"1x800G"}
    assert modes_of(built(fat_tree, FatTreeParameters(**values, nic_mode="2x400G"), catalog)) == {"2x400G"}


def test_a_network_runs_its_nics_in_the_mode_its_switch_speaks(catalog):
    server = catalog.get("dgx-b300")
    slots = tuple(
        replace(slot, network_nic_type_id="connectx-8-xdr") if slot.purpose == "storage" else slot
        for slot in server.slots
    )
    own = replace(catalog, types={**catalog.types, "own": replace(server, id="own", slots=slots)})
    design = built(fat_tree, FatTreeParameters(server="own", switch="nvidia-q3400-ra", servers=4), own)
    design.apply(networks.build(design, NetworkParameters(storage_switch="nvidia-sn5600"), own))
    stored = [one for one in design.modules.values() if one.slot.startswith("storage")]
    assert {one.port_mode for one in stored} == {"2x400G"}
    assert {one.port_mode for one in design.modules.values() if one not in stored} == {""}
    assert not [one for one in validate(design).findings if one.code.startswith("PORT")]


def test_a_mode_set_by_hand_survives_regeneration(catalog):
    family = next(one for one in FAMILIES if one.name == "fat-tree")
    design = Design()
    parameters = FatTreeParameters(server="dgx-b300", switch="nvidia-q3400-ra", servers=8)
    design.apply(recipes.generated(design, family, parameters, catalog))
    last = list(design.modules)[-8:]
    design.apply(operations.set_nic_mode(design, [one.id for one in list(design.modules.values())[-8:]], "2x400G"))
    group = next(one for one in design.groups.values() if one.recipe is not None)
    again = replace(parameters, switch="generic-switch-32x800g")
    result = regenerate(design, group.id, again, catalog)
    design.apply(result.edit)
    assert {design.modules[one].port_mode for one in last} == {"2x400G"}
    assert not [one for one in validate(design).findings if one.code == "PORT-001"]
