"""Rail-optimized fabrics: rails, scalable units, reserved ports, places."""

from collections import Counter
from dataclasses import replace

import pytest

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError, UnknownEntityError
from designer.model.design import Design
from designer.model.edit import Edit, added
from designer.topologies.rail_optimized import RailOptimizedParameters, build, counts


def built(catalog: Catalog, **fields: object) -> Design:
    design = Design()
    design.apply(build(design, RailOptimizedParameters(**fields), catalog))
    return design


@pytest.fixture(scope="module")
def superpod(catalog: Catalog) -> Design:
    return built(catalog, servers=127, servers_per_su=32, reserve_leaf_ports=4)


def test_the_superpod_of_four_scalable_units_has_the_published_counts(superpod):
    roles = Counter(device.role for device in superpod.devices.values())
    assert roles == {"": 127, "leaf": 32, "spine": 16}
    assert len(superpod.links) == 127 * 8 + 1024


def test_devices_have_the_names_people_look_for(superpod):
    names = [device.name for device in superpod.devices.values()]
    assert names[:2] == ["gpu-001", "gpu-002"]
    assert names[127:129] == ["leaf-su1-r1", "leaf-su1-r2"]
    assert names[-2:] == ["spine-15", "spine-16"]
    assert len(set(names)) == len(names)


def test_nic_i_of_every_server_is_on_leaf_i_of_its_unit(superpod):
    for link in superpod.links.values():
        if superpod.is_server(link.a.device_id):
            server, leaf = superpod.device(link.a.device_id), superpod.device(link.b.device_id)
            assert link.a.port == f"rail{leaf.rail}"
            assert (leaf.unit, leaf.group_id) == (server.unit, server.group_id)


def test_every_leaf_has_as_many_links_to_every_spine(superpod):
    pairs = Counter(
        (link.a.device_id, link.b.device_id)
        for link in superpod.links.values()
        if superpod.device(link.b.device_id).role == "spine"
    )
    assert len(pairs) == 32 * 16
    assert set(pairs.values()) == {2}


def test_ports_go_down_first_and_up_last_in_order(superpod):
    leaf = superpod.find("leaf-su2-r3")
    neighbours = []
    for port in superpod.ports(leaf.id):
        (link_id,) = superpod.used_ports(leaf.id)[port.name]
        link = superpod.links[link_id]
        other = link.a if link.b.device_id == leaf.id else link.b
        neighbours.append(superpod.device(other.device_id).name)
    assert neighbours[:32] == [f"gpu-{number:03d}" for number in range(33, 65)]
    assert neighbours[32:] == [f"spine-{1 + number // 2:02d}" for number in range(32)]


def test_ports_for_ufm_are_kept_on_the_unit_that_lacks_a_server(superpod):
    reserved = {d.name: d.reserved_ports for d in superpod.devices.values() if d.reserved_ports}
    assert reserved == {f"leaf-su4-r{rail}": ("16/2",) for rail in (1, 2, 3, 4)}
    for name, ports in reserved.items():
        assert ports[0] not in superpod.used_ports(superpod.find(name).id)
    free = [port.name for port in superpod.free_ports(superpod.find("leaf-su4-r5").id)]
    assert free == ["16/2"]
    assert superpod.free_ports(superpod.find("leaf-su4-r1").id) == []


def test_a_full_fabric_has_no_port_to_reserve(catalog):
    with pytest.raises(ParameterError, match="cannot be reserved: with 128 servers, 0 are free in the whole"):
        built(catalog, servers=128, reserve_leaf_ports=4)


def test_reserved_ports_go_round_the_leafs_when_there_are_many(catalog):
    design = built(catalog, servers=30, servers_per_su=32, reserve_leaf_ports=12)
    numbers = [len(device.reserved_ports) for device in design.devices.values() if device.role == "leaf"]
    assert numbers == [2, 2, 2, 2, 1, 1, 1, 1]


def test_scalable_units_are_groups_of_servers_and_leafs(superpod):
    groups = list(superpod.groups.values())
    assert [(group.name, group.kind) for group in groups] == [(f"SU {n}", "scalable unit") for n in (1, 2, 3, 4)]
    members = [m for m in superpod.members(groups[3].id) if m in superpod.devices]
    assert len(members) == 31 + 8


def test_four_servers_stand_in_a_rack_and_leafs_at_the_top_of_another(superpod):
    placement = superpod.placements[superpod.find("gpu-006").id]
    assert (superpod.racks[placement.rack_id].name, placement.unit) == ("rack-02", 9)
    placement = superpod.placements[superpod.find("leaf-su1-r2").id]
    assert (superpod.racks[placement.rack_id].name, placement.unit) == ("net-01", 41)
    per_rack = Counter(p.rack_id for p in superpod.placements.values() if superpod.is_server(p.id))
    assert max(per_rack.values()) == 4


def test_without_racks_nothing_is_mounted(catalog):
    design = built(catalog, servers=8, racks="none")
    assert not design.racks
    assert all(placement.rack_id is None for placement in design.placements.values())


def test_rail_only_has_a_leaf_a_rail_and_no_spine(catalog):
    design = built(catalog, servers=64, rail_only=True)
    assert Counter(d.role for d in design.devices.values()) == {"": 64, "leaf": 8}
    assert len(design.links) == 512


def test_two_nics_a_rail_share_a_leaf(catalog):
    design = built(catalog, servers=16, rails=4)
    ports_of = {}
    for link in design.links.values():
        if design.is_server(link.a.device_id):
            ports_of.setdefault(design.device(link.b.device_id).name, set()).add(link.a.port)
    assert ports_of["leaf-su1-r1"] == {"rail1", "rail5"}


@pytest.mark.parametrize(("switch", "most"), [("nvidia-sn5600", 24), ("nvidia-qm9700", 48)])
def test_more_oversubscription_never_takes_more_switches(catalog, switch, most):
    """Uplinks of a prime number spread evenly over as many spines alone: a leaf then has some more."""
    for ratio in (1.0, 1.5, 2.0, 2.5, 3.0, 4.0):
        found = counts(RailOptimizedParameters(switch=switch, servers=128, oversubscription=ratio), catalog)
        assert sum(found.switches.values()) <= most
        most = sum(found.switches.values())


def test_a_leaf_with_more_uplinks_than_asked_for_has_its_servers_and_reserved_ports(catalog):
    design = built(catalog, switch="nvidia-sn5600", servers=128, oversubscription=2.0, reserve_leaf_ports=32)
    assert Counter(d.role for d in design.devices.values()) == {"": 128, "leaf": 16, "spine": 4}
    assert sum(len(device.reserved_ports) for device in design.devices.values()) == 32
    assert len(design.links) == 128 * 8 + 16 * 32


@pytest.mark.parametrize(
    ("switch", "servers", "ratio", "leafs", "most"),
    [("nvidia-sn5600", 254, 2.0, 32, 8), ("nvidia-sn5600", 85, 2.0, 16, 8), ("nvidia-qm9700", 89, 2.5, 24, 11)],
)
def test_units_full_of_servers_become_one_more_where_that_saves_switches(catalog, switch, servers, ratio, leafs, most):
    found = counts(RailOptimizedParameters(switch=switch, servers=servers, oversubscription=ratio), catalog)
    assert found.switches["leaf"] == leafs
    assert found.switches["spine"] <= most


@pytest.mark.parametrize(
    ("fields", "leafs", "spines"),
    [
        ({"servers": 2}, 8, 1),
        ({"servers": 8}, 8, 1),
        ({"servers": 8, "switch": "nvidia-q3400-ra", "server": "gb200-nvl72", "rails": 72}, 72, 2),
    ],
)
def test_links_up_are_for_the_servers_there_are(catalog, fields, leafs, spines):
    found = counts(RailOptimizedParameters(**fields), catalog)
    assert found.switches == {"leaf": leafs, "spine": spines}
    assert found.links["leaf-spine"] == found.links["server-leaf"]
    assert "grow into" not in found.remark


def test_leafs_that_are_all_but_empty_are_told_of(catalog):
    fields = {"servers": 8, "switch": "nvidia-q3400-ra", "server": "gb200-nvl72", "racks": "none"}
    found = counts(RailOptimizedParameters(**fields, rails=72), catalog)
    assert found.remark == "Each leaf switch has 16 of 288 ports in use: fewer rails would need fewer leaf switches."
    assert not counts(RailOptimizedParameters(**fields), catalog).remark


@pytest.mark.parametrize(
    ("servers", "switches"),
    [
        (1, {"leaf": 4, "spine": 2}),
        (8, {"leaf": 32, "spine": 9}),
        (32, {"leaf": 128, "spine": 72, "core": 36}),
    ],
)
def test_a_rack_of_trays_has_the_rails_of_one_tray_by_default(catalog, servers, switches):
    """As published for DGX SuperPOD GB200: one leaf for each rack and rail."""
    found = counts(RailOptimizedParameters(server="gb200-nvl72", servers=servers), catalog)
    assert found.switches == switches
    assert found.links["server-leaf"] == found.links["leaf-spine"] == 72 * servers


def test_a_unit_that_is_one_rack_is_called_a_rack_in_groups_and_names(generate):
    racks = generate("rail-optimized", server="gb200-nvl72", servers=2, racks="none")
    assert [group.name for group in racks.groups.values() if group.kind == "scalable unit"] == ["Rack 1", "Rack 2"]
    assert racks.find("leaf-rack1-r1") is not None
    units = generate("rail-optimized", servers=2, servers_per_su=1)
    assert [group.name for group in units.groups.values() if group.kind == "scalable unit"] == ["SU 1", "SU 2"]


def test_units_share_the_servers_out_evenly(catalog):
    design = built(catalog, servers=33)
    assert Counter(server.unit for server in design.servers()) == {1: 17, 2: 16}


@pytest.mark.parametrize("fields", [{"servers_per_su": 32}, {"full_units": True}])
def test_units_are_built_out_where_that_is_asked_for_and_it_is_told(catalog, fields):
    found = counts(RailOptimizedParameters(servers=40, **fields), catalog)
    assert found.links["leaf-spine"] == 16 * 32
    assert found.remark == "SU 2 has 8 of 32 servers; its uplinks are built for all 32 to leave room for growth."


def test_servers_a_unit_that_are_asked_for_stay(catalog):
    fields = {"switch": "nvidia-sn5600", "servers": 170, "servers_per_su": 85, "oversubscription": 2.0}
    assert len(built(catalog, **fields, racks="none").links) == 170 * 8 + 16 * 43


def test_spectrum_leafs_run_at_the_rate_of_the_nics(catalog):
    design = built(catalog, switch="nvidia-sn5600", servers=64)
    leaf = design.find("leaf-su1-r1")
    assert (leaf.port_mode, leaf.cage_modes) == ("128x400G", ())
    assert {port.rate_gbps for port in design.ports(leaf.id)} == {400}


def test_uplinks_of_another_rate_take_the_last_cages(catalog):
    design = built(catalog, switch="nvidia-sn5600", servers=64, link_rate_gbps=800.0)
    leaf, spine = design.find("leaf-su1-r1"), design.find("spine-01")
    assert leaf.cage_modes == tuple((cage, "64x800G") for cage in range(33, 65))
    assert spine.port_mode == ""
    assert len(design.used_ports(leaf.id)) == 64 + 32
    for link in design.links.values():
        assert design.port(link.a).rate_gbps == design.port(link.b).rate_gbps


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"servers": 257, "tiers": "2"}, "257 x DGX H100 needs 2,056 ports; .* ends at 2,048 endpoint ports .256 ser"),
        ({"servers_per_su": 40}, "40 servers per scalable unit need 40 ports down on each leaf; .* at 1:1 has 32"),
        ({"rails": 3}, "8 NICs of DGX H100 do not spread evenly over 3 rails"),
        ({"nics_per_server": 9}, "9 NICs per server were requested; DGX H100 is delivered with 8"),
        ({"switch": "nvidia-qm8790"}, "ports of DGX H100 run at 400G; QM8790 has ports of 200G, 100G"),
        ({"spine_switch": "nvidia-sn5600"}, "SN5600 speaks Ethernet, QM9700 InfiniBand"),
        ({"link_rate_gbps": 800.0}, "uplinks run at 800G; QM9700 has ports of 400G, 200G"),
        ({"server": "dgx-a100"}, "QM9700 needs lanes of 100G .*, DGX A100 .640 GB. has lanes of 50G at most"),
        ({"switch": "dgx-h100"}, "DGX H100 is not a switch"),
        ({"server": "nvidia-qm9700"}, "QM9700 is not a server"),
        (
            {"servers": 65, "rail_only": True},
            "65 servers per scalable unit need 65 ports down .* without uplinks has 64",
        ),
        ({"servers": 40, "servers_per_su": 32, "rail_only": True}, "40 servers do not fit in one scalable unit of 32"),
        ({"oversubscription": 1e-9}, "need 1 ports down on each leaf; .* has 0"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_numbers(catalog, fields, sentence):
    with pytest.raises(ParameterError, match=sentence):
        counts(RailOptimizedParameters(**fields), catalog)


@pytest.mark.parametrize(
    "fields",
    [
        {"servers": 0},
        {"servers": 1.5},
        {"servers_per_su": 0},
        {"rails": -1},
        {"oversubscription": float("nan")},
        {"oversubscription": 0},
        {"reserve_leaf_ports": -1},
        {"link_rate_gbps": float("inf")},
        {"racks": "yes"},
        {"nics_per_server": 0},
    ],
)
def test_parameters_that_make_no_sense_are_refused(fields):
    with pytest.raises(ParameterError):
        RailOptimizedParameters(**fields)


def test_an_unknown_switch_is_refused_with_a_suggestion(catalog):
    with pytest.raises(UnknownEntityError, match=r"did you mean .*nvidia-qm9700"):
        counts(RailOptimizedParameters(switch="qm9700"), catalog)


def test_a_second_fabric_gets_names_and_room_of_its_own(catalog):
    design = built(catalog, servers=4)
    right = max(placement.x for placement in design.placements.values())
    before = set(design.devices)
    design.apply(build(design, RailOptimizedParameters(servers=4), catalog))
    names = [device.name for device in design.devices.values()]
    assert len(set(names)) == len(names)
    assert "2-leaf-su1-r1" in names
    assert {group.name for group in design.groups.values()} == {"SU 1", "2-SU 1"}
    assert all(placement.x > right + 120 for placement in design.placements.values() if placement.id not in before)


def test_a_generic_type_that_the_design_has_changed_is_not_built_with_silently(catalog):
    design = Design()
    own = replace(catalog.get("generic-host-400g"), gpus=2)
    nic = catalog.get("generic-nic-400g")
    design.apply(Edit("Own figures", added([own, nic])))
    with pytest.raises(ParameterError, match="the design has figures of its own for Host 400G"):
        build(design, RailOptimizedParameters(server="generic-host", servers=4), catalog)


def test_types_of_the_design_go_before_those_of_the_catalog(catalog):
    design = Design()
    own = replace(catalog.get("nvidia-qm9700"), power_max_w=1.0)
    design.apply(Edit("Own figures", added([own])))
    design.apply(build(design, RailOptimizedParameters(servers=4), catalog))
    assert design.types["nvidia-qm9700"] is own
