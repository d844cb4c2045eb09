"""Fat-trees of two tiers: filling, oversubscription, spines, generic types."""

from collections import Counter
from dataclasses import replace

import pytest

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.topologies.fat_tree import FatTreeParameters, build, counts
from designer.topologies.sizing import LeafBudget, divisors, even_spread


def built(catalog: Catalog, **fields: object) -> Design:
    design = Design()
    design.apply(build(design, FatTreeParameters(**fields), catalog))
    return design


def leafs_of(design: Design, server_name: str) -> set[str]:
    links = design.links_of(design.find(server_name).id)
    return {design.device(link.b.device_id).name for link in links}


def test_servers_fill_leaf_after_leaf_with_all_their_nics(catalog):
    design = built(catalog, servers=9)
    assert leafs_of(design, "gpu-01") == leafs_of(design, "gpu-04") == {"leaf-01"}
    assert leafs_of(design, "gpu-05") == leafs_of(design, "gpu-08") == {"leaf-02"}
    assert leafs_of(design, "gpu-09") == {"leaf-03"}


def test_a_server_with_more_nics_than_a_leaf_has_ports_spreads_over_leafs(catalog):
    fields = {"switch": "generic-switch-8x400g", "server": "generic-host", "nics_per_server": 6}
    design = built(catalog, servers=3, **fields)
    assert leafs_of(design, "host-01") == {"leaf-01", "leaf-02"}
    assert leafs_of(design, "host-02") == {"leaf-02", "leaf-03"}
    assert leafs_of(design, "host-03") == {"leaf-04", "leaf-05"}
    assert counts(FatTreeParameters(servers=3, **fields), catalog).switches["leaf"] == 6


def test_a_two_to_one_leaf_has_twice_the_capacity_down(catalog):
    design = built(catalog, switch="generic-switch-48x400g", servers=16, oversubscription=2.0)
    roles = Counter(device.role for device in design.devices.values())
    assert roles == {"": 16, "leaf": 4, "spine": 2}
    for leaf in [device for device in design.devices.values() if device.role == "leaf"]:
        above = [link for link in design.links_of(leaf.id) if link.a.device_id == leaf.id]
        assert (len(design.used_ports(leaf.id)), len(above)) == (48, 16)


def test_a_leaf_that_servers_cannot_fill_keeps_the_ratio_asked_for(catalog):
    """42 of 64 ports could go down at 2:1; five servers of 8 NICs use 40, and 20 uplinks carry that at 2:1."""
    design = built(catalog, servers=16, oversubscription=2.0)
    leaf = design.find("leaf-01")
    up = [link for link in design.links_of(leaf.id) if link.a.device_id == leaf.id]
    assert (len(design.used_ports(leaf.id)) - len(up), len(up)) == (40, 20)


def test_one_leaf_alone_has_no_spine(catalog):
    design = built(catalog, server="generic-host", servers=20)
    assert Counter(device.role for device in design.devices.values()) == {"": 20, "leaf": 1}


def test_two_tiers_asked_for_are_two_tiers(catalog):
    assert counts(FatTreeParameters(server="generic-host", servers=20, tiers="2"), catalog).switches == {
        "leaf": 1,
        "spine": 1,
    }


def test_generic_hosts_take_the_rate_of_a_real_switch(catalog):
    design = built(catalog, switch="nvidia-qm8790", server="generic-host", servers=4)
    assert {port.rate_gbps for port in design.ports(design.find("host-01").id)} == {200}


def test_generic_hardware_takes_the_link_rate(catalog):
    design = built(catalog, switch="generic-switch", server="generic-host", servers=40, link_rate_gbps=100.0)
    rates = {port.rate_gbps for device_id in design.devices for port in design.ports(device_id)}
    assert rates == {100}
    assert {"generic-switch-64x100g", "generic-host-100g", "generic-nic-100g"} == set(design.types) - {"rack-42u"}


def test_hardware_of_unknown_height_stands_in_no_rack(catalog):
    design = built(catalog, switch="nvidia-qm9700", server="generic-host", servers=40)
    mounted = {design.device(p.id).role for p in design.placements.values() if p.rack_id is not None}
    assert mounted == {"leaf", "spine"}


def test_four_high_servers_stand_in_a_rack_that_is_high_enough(catalog):
    high = replace(catalog.types["dgx-h100"], id="high-server", rack_units=12)
    with_high = replace(catalog, types={**catalog.types, high.id: high})
    design = built(with_high, server=high.id, servers=8)
    racks = [rack for rack in design.racks.values() if rack.name.startswith("rack-")]
    assert [(rack.name, rack.type_id) for rack in racks] == [("rack-01", "rack-48u"), ("rack-02", "rack-48u")]
    assert counts(FatTreeParameters(server=high.id, servers=8), with_high).racks == len(design.racks)


def test_every_switch_of_three_tiers_is_in_its_plane(catalog):
    fields = {"switch": "generic-switch-8x400g", "server": "generic-host", "nics_per_server": 2, "planes": 2}
    design = built(catalog, servers=32, tiers="3", **fields)
    for role in ("leaf", "spine", "core"):
        planes = Counter(switch.plane for switch in design.switches() if switch.role == role)
        assert set(planes) == {1, 2}, role
        assert planes[1] == planes[2], role
    ends = [(design.device(link.a.device_id), design.device(link.b.device_id)) for link in design.links.values()]
    assert all(a.plane == b.plane for a, b in ends if a.role)


def test_fewer_nics_a_server_are_installed_and_cabled(catalog):
    design = built(catalog, servers=8, nics_per_server=4)
    assert Counter(module.device_id for module in design.modules.values()) == dict.fromkeys(
        [device.id for device in design.servers()], 4
    )
    assert counts(FatTreeParameters(servers=8, nics_per_server=4), catalog).nics == 32


def test_reserved_ports_stand_on_the_leaf_with_room(catalog):
    design = built(catalog, servers=7, reserve_leaf_ports=3)
    assert [len(device.reserved_ports) for device in design.devices.values() if device.role == "leaf"] == [0, 3]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"servers": 1500, "tiers": "2"},
            "1,500 x DGX H100 needs 12,000 ports; a two-tier fabric of QM9700 .* ends at 2,048",
        ),
        (
            {"servers": 9000},
            "9,000 x DGX H100 needs 72,000 ports; a three-tier fabric of QM9700 .* ends at 65,536 endpoint",
        ),
        (
            {"servers": 33, "tiers": "1"},
            "one tier has one leaf switch per plane, which ends at 8 servers; 33 were asked for",
        ),
        ({"planes": 3}, "8 fabric ports of DGX H100 do not spread evenly over 3 planes"),
        ({"switch": "generic-switch-1x400g"}, "a Switch 1 x 400G at 1:1 has no port for servers"),
        (
            {"server": "generic-host", "switch": "generic-switch-99999x1g", "servers": 10**9},
            "are more than a design holds: 250,000 devices, 1,000,000 links",
        ),
        ({"server": "generic-host", "nics_per_server": 1000}, "a generic host has 256 NICs at most, not 1,000"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_numbers(catalog, fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        counts(FatTreeParameters(**fields), catalog)
    with pytest.raises(ParameterError, match=sentence):
        build(Design(), FatTreeParameters(**fields), catalog)


def test_tiers_are_one_of_the_choices():
    with pytest.raises(ParameterError, match="tiers should be auto, 1, 2 or 3, not '4'"):
        FatTreeParameters(tiers="4")


@pytest.mark.parametrize(
    ("uplinks", "leafs", "radix", "spines"),
    [(32, 8, 64, 4), (32, 24, 64, 16), (32, 32, 64, 16), (32, 64, 64, 32), (20, 32, 40, 20), (1, 40, 40, 1)],
)
def test_spines_are_the_fewest_that_spread_evenly(uplinks, leafs, radix, spines):
    """24 leaf switches of 32 uplinks would fit on 12 spines of radix 64, but 12 does not divide 32."""
    assert even_spread(uplinks, leafs, radix) == spines


def test_more_leafs_than_spine_ports_cannot_be_spread():
    with pytest.raises(
        ParameterError, match="65 leaf switches cannot each have a link to every spine: a spine has 64 ports"
    ):
        even_spread(32, 65, 64)


def test_divisors_are_all_there_in_order():
    assert [divisors(number) for number in (1, 7, 32, 36)] == [
        [1],
        [1, 7],
        [1, 2, 4, 8, 16, 32],
        [1, 2, 3, 4, 6, 9, 12, 18, 36],
    ]


def test_a_leaf_with_two_rates_shares_out_whole_cages(catalog):
    sn5600 = catalog.get("nvidia-sn5600")
    modes = {mode.rate_gbps: mode for mode in sn5600.modes}
    budget = LeafBudget(sn5600, modes[200], modes[800])
    assert budget.most_down(1.0) == 32 * 4
    assert budget.uplinks(32 * 4, 1.0) == 32
    assert budget.uplinks(100, 1.0) == 25
    down, up = budget.port_names(25)
    assert (len(down), up[0], up[-1]) == (39 * 4, "swp40", "swp64")
