"""Corners of the families: many NICs, several speeds, breakouts, TPU nodes."""

from dataclasses import replace

import pytest

from designer.analysis.summary import summarize
from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model import operations
from designer.model.design import Design
from designer.model.hardware.modules import Slot
from designer.model.hardware.switches import SwitchType
from designer.topologies import fat_tree, rail_optimized, torus
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate


def built(family, parameters, catalog):
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def unexpected(design):
    """Findings but that of a spine which is alone: it is where so few are asked for."""
    alone = len([one for one in design.switches() if one.role == "spine"]) == 1
    return [one for one in validate(design).findings if not (alone and one.code == "SPOF-002")]


@pytest.mark.parametrize("nics", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("family", [fat_tree, rail_optimized], ids=["fat-tree", "rail-optimized"])
def test_servers_have_1_to_32_nics(catalog, family, nics):
    kind = FatTreeParameters if family is fat_tree else RailOptimizedParameters
    parameters = kind(
        switch="generic-switch-64x100g", server="generic-host", link_rate_gbps=100.0, nics_per_server=nics, servers=64
    )
    design = built(family, parameters, catalog)
    assert not unexpected(design)
    summary = summarize(design)
    assert (summary.nics, summary.links["server-leaf"]) == (64 * nics, 64 * nics)
    assert {len(design.links_of(server.id)) for server in design.servers()} == {nics}
    if family is rail_optimized:
        assert {leaf.rail for leaf in design.switches() if leaf.role == "leaf"} == set(range(1, nics + 1))


@pytest.fixture
def mixed(catalog):
    """A catalog with a server whose NICs run at 400G and, two of them, at 100G."""
    like = catalog.get("generic-server-8x1x400g")
    slots = (*like.slots, *(Slot(f"slow{n}", gpu=n, nic_type_id="generic-nic-100g") for n in range(2)))
    own = replace(like, id="mixed", model="Mixed", slots=slots)
    nics = (catalog.get("generic-nic-400g"), catalog.get("generic-nic-100g"))
    return Catalog({**catalog.types, own.id: own, **{nic.id: nic for nic in nics}}, catalog.sources)


def test_of_nics_of_several_speeds_those_of_one_are_chosen(mixed):
    with pytest.raises(ParameterError, match=r"Mixed run at different rates \(100G and 400G\): choose the NICs of one"):
        rail_optimized.counts(RailOptimizedParameters(server="mixed", servers=8), mixed)
    fast = rail_optimized.counts(RailOptimizedParameters(server="mixed", servers=8, nic_rate_gbps=400.0), mixed)
    assert fast.links["server-leaf"] == 64
    slow = RailOptimizedParameters(
        server="mixed", servers=8, nic_rate_gbps=100.0, switch="generic-switch-64x100g", servers_per_su=8
    )
    assert rail_optimized.counts(slow, mixed).links["server-leaf"] == 16
    with pytest.raises(ParameterError, match="run at 100G and 400G, none at 200G"):
        rail_optimized.counts(replace(slow, nic_rate_gbps=200.0), mixed)


@pytest.mark.parametrize(("nic_rate_gbps", "lanes"), [(400.0, 2), (200.0, 4)])
def test_cages_of_800g_are_broken_out_below_and_whole_above(catalog, nic_rate_gbps, lanes):
    """SN5600: 64 cages of 800G, split to 2 x 400G or 4 x 200G towards the servers."""
    parameters = RailOptimizedParameters(
        switch="nvidia-sn5600",
        server=f"generic-server-8x1x{nic_rate_gbps:g}g",
        servers=32 * lanes,
        link_rate_gbps=800.0,
    )
    design = built(rail_optimized, parameters, catalog)
    assert not unexpected(design)
    leaf = next(switch for switch in design.switches() if switch.role == "leaf")
    used = [design.port_map(leaf.id)[name] for name in design.used_ports(leaf.id)]
    assert {(port.rate_gbps, port.ports_per_cage) for port in used} == {(nic_rate_gbps, lanes), (800.0, 1)}
    down = [port for port in used if port.ports_per_cage == lanes]
    assert len({port.cage for port in down}) == len(down) // lanes
    assert summarize(design).oversubscription["leaf"] == 1.0


def test_full_units_are_built_and_the_ports_of_missing_servers_stay_free(catalog):
    parameters = RailOptimizedParameters(servers=61, servers_per_su=32)
    design = built(rail_optimized, parameters, catalog)
    assert summarize(design).switches["leaf"] == 16
    free = [len(design.free_ports(switch.id)) for switch in design.switches() if switch.role == "leaf"]
    assert free == [0] * 8 + [3] * 8


def test_a_tpu_pod_is_a_torus_of_chips(catalog):
    """TPU v4: 4x4x4 chips a rack, six links of 400 Gb/s a chip, 192 W; `torus` of the published reference designs."""
    parameters = torus.TorusParameters(dims=(8, 8, 8), node="tpu-v4-chip")
    design = built(torus, parameters, catalog)
    summary = summarize(design)
    assert summary.endpoints == 512
    assert summary.links["torus"] == 3 * 512
    assert summary.diameter_hops == 12
    assert summary.bisection.exact
    assert summary.bisection.gbps == 2 * 512 / 8 * 400
    assert summary.power.max_w == 512 * 192
    assert not unexpected(design)


def test_a_chassis_serves_as_a_spine(catalog):
    parameters = FatTreeParameters(
        switch="nvidia-sn5600",
        spine_switch="arista-7808r4",
        server="generic-server-8x1x400g",
        servers=64,
        link_rate_gbps=800.0,
    )
    design = Design()
    design.apply(fat_tree.build(design, parameters, catalog))
    spine = next(one for one in design.devices.values() if one.role == "spine")
    assert fat_tree.counts(parameters, catalog).switches == {"leaf": 8, "spine": 1}
    assert list(design.used_ports(spine.id))[:2] == ["Ethernet3/1/1", "Ethernet3/2/1"]
    assert len(design.used_ports(spine.id)) == 256
    assert [one.slot for one in design.modules_of(spine.id)] == [str(slot) for slot in range(3, 11)]
    assert fat_tree.counts(parameters, catalog).nics == 512, "line cards are no NICs"
    assert design.placements[spine.id].rack_id is not None
    assert not unexpected(design)


def test_a_chassis_is_a_leaf_of_rails_drawn_by_hand_too(catalog):
    design = Design()
    for _ in range(2):
        design.apply(operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types))
    servers = [one.id for one in design.servers()]
    leaf = catalog.get("arista-7804r3")
    design.apply(operations.make_rails(design, servers, leaf_type=leaf, catalog_types=catalog.types))
    assert len(design.switches()) == 8
    assert {len(design.modules_of(one.id)) for one in design.switches()} == {4}
    assert len(design.links) == 16


def test_a_chassis_without_line_cards_builds_nothing(catalog):
    empty = SwitchType("acme-c8", "Acme", "C8", ("ethernet",), (), (), slots=(Slot("1"), Slot("2")))
    design = Design()
    design.apply(operations.add_device(design, empty, 0, 0, catalog_types={}))
    with pytest.raises(ParameterError, match="C8 is delivered without line cards"):
        fat_tree.build(design, FatTreeParameters(switch="acme-c8", servers=4), catalog)
    with pytest.raises(ParameterError, match="a C8 is delivered without line cards"):
        design.apply(operations.add_device(design, catalog.get("dgx-h100"), 0, 0, catalog_types=catalog.types))
        operations.make_rails(design, [one.id for one in design.servers()], leaf_type=empty)
