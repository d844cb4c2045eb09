"""Storage and management networks added to servers that stand there."""

import math
from collections import Counter

import pytest

from designer.analysis.summary import summarize
from designer.analysis.topology_text import topology_text
from designer.errors import ParameterError
from designer.fields.field import fields_of
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Edit
from designer.model.networks import IN_BAND, OUT_OF_BAND, STORAGE, network_of_link, network_of_switch
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.storage import document
from designer.topologies import networks, rail_optimized, torus
from designer.topologies.network_parameters import NetworkParameters
from designer.validation.engine import validate


def pod(catalog, servers=31, server="dgx-h100"):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        servers=servers, servers_per_su=32, server=server, reserve_leaf_ports=4 if servers % 32 else 0
    )
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def test_all_three_networks_of_a_superpod_are_whole_and_apart(catalog):
    design = pod(catalog, 127)
    fabric = summarize(design)
    before = document.encode(design)
    edit = networks.build(
        design,
        NetworkParameters(
            storage_switch="nvidia-qm9700", in_band_switch="nvidia-sn4700", oob_switch="generic-switch-48x1g"
        ),
        catalog,
    )
    design.apply(edit)
    assert edit.label == "Add 3 networks"
    assert validate(design).findings == ()
    after = summarize(design)
    for same in ("switches", "links", "oversubscription", "bisection", "diameter_hops", "nics", "components"):
        assert getattr(after, same) == getattr(fabric, same), same
    # What a server is stated to draw includes all NICs it is stated to have.
    servers_w = 127 * 10_200
    assert after.power.max_w - fabric.power.max_w < servers_w * 0.05
    assert not any("nic" in one or "connectx" in one for one in after.power.unknown_max)
    # Controllers and management ports take copper patch cables where no cable is chosen.
    assert after.parts.copper_without_medium == 206
    assert after.parts.cables - after.parts.fibres == 206
    storage, in_band, oob = (after.networks[one] for one in (STORAGE, IN_BAND, OUT_OF_BAND))
    # DGX H100: two storage NICs of two ports, two ports of 100G in slot 3, one controller.
    assert storage.links == {"server-leaf": 4 * 127, "leaf-spine": 512}
    assert storage.switches == {"leaf": 16, "spine": 8}
    assert storage.oversubscription == {"leaf": 1.0}
    assert (in_band.switches, in_band.links) == ({"leaf": 2}, {"server-leaf": 2 * 127})
    # 48 switches of the fabric, 24 of storage and 2 in-band ones are managed over it, of 47 ports a leaf.
    assert oob.switches == {"leaf": 5, "spine": 1}
    assert oob.links == {"server-leaf": 127, "switch-leaf": 48 + 24 + 2, "leaf-spine": 5}
    design.apply(edit.inverted())
    assert document.encode(design) == before


def test_racks_of_the_switches_of_a_network_keep_units_free_as_well(catalog, monkeypatch):
    monkeypatch.setattr(networks, "FREE_UNITS", 41)
    design = pod(catalog)
    before = set(design.racks)
    design.apply(networks.build(design, NetworkParameters(storage_switch="nvidia-qm9700"), catalog))
    switches = [one for one in design.switches() if network_of_switch(one) == STORAGE]
    added = [design.placements[one.id].rack_id for one in switches]
    assert len(switches) > 1 and len(set(added)) == len(switches), "one unit of each rack may be taken"
    assert before.isdisjoint(added)


def test_a_server_is_on_two_switches_of_a_network(catalog):
    design = pod(catalog)
    design.apply(networks.build(design, NetworkParameters(storage_switch="nvidia-qm9700"), catalog))
    for server in design.servers():
        ends = [
            link.b.device_id if link.a.device_id == server.id else link.a.device_id
            for link in design.links_of(server.id)
            if network_of_link(design, link) == STORAGE
        ]
        assert len(ends) == 4
        assert len(set(ends)) == 2


def test_servers_that_came_later_are_added_and_the_others_stay(catalog):
    design = pod(catalog, 32)
    parameters = NetworkParameters(storage_switch="nvidia-qm9700")
    first = design.servers()[:20]
    design.apply(networks.build(design, parameters, catalog, [server.id for server in first]))
    links = set(design.links)
    design.apply(networks.build(design, parameters, catalog))
    assert links <= set(design.links)
    assert summarize(design).networks[STORAGE].servers == 32
    assert summarize(design).networks[STORAGE].switches == {"leaf": 2}
    assert validate(design).findings == ()
    with pytest.raises(ParameterError, match="every server that can be is in the storage network already"):
        networks.build(design, parameters, catalog)


def test_a_network_that_is_full_says_how_it_gets_larger(catalog):
    design = Design()
    family = recipes.family_named("rail-optimized")
    parameters = rail_optimized.RailOptimizedParameters(servers=32)
    design.apply(recipes.generated(design, family, parameters, catalog))
    storage = NetworkParameters(storage_switch="nvidia-qm9700")
    design.apply(networks.build(design, storage, catalog))
    (fabric,) = (group.id for group in design.groups.values() if group.recipe is not None)
    grown = regenerate(design, fabric, rail_optimized.RailOptimizedParameters(servers=64), catalog)
    assert not grown.conflicts
    design.apply(grown.edit)
    assert summarize(design).networks[STORAGE].servers == 32
    with pytest.raises(ParameterError, match="have 0 ports left and 128 are needed: delete its switches"):
        networks.build(design, storage, catalog)
    switches = [device.id for device in design.devices.values() if device.network == STORAGE]
    design.apply(operations.delete(design, switches))
    design.apply(networks.build(design, storage, catalog))
    assert summarize(design).networks[STORAGE].servers == 64
    assert validate(design).findings == ()


def test_oversubscription_makes_fewer_spines(catalog):
    design = pod(catalog, 127)
    parameters = NetworkParameters(storage_switch="nvidia-qm9700", storage_oversubscription=3.0)
    design.apply(networks.build(design, parameters, catalog))
    storage = summarize(design).networks[STORAGE]
    assert storage.oversubscription["leaf"] <= 3.0
    assert storage.switches["spine"] < 8


def test_storage_spines_are_the_fewest_that_spread_evenly(catalog):
    """22 uplinks of each of 10 leaf switches would take 11 spines; 24 take 4."""
    design = pod(catalog, 100)
    parameters = NetworkParameters(storage_switch="nvidia-qm9700", storage_oversubscription=2.0)
    design.apply(networks.build(design, parameters, catalog))
    storage = summarize(design).networks[STORAGE]
    assert (storage.switches["leaf"], storage.switches["spine"]) == (10, 4)


def test_a_leaf_more_that_saves_many_storage_spines_is_taken(catalog):
    """Leafs nearly full at 1.5:1 would take 13 spines for 8 leafs."""
    design = pod(catalog, 74)
    parameters = NetworkParameters(storage_switch="nvidia-qm9700", storage_oversubscription=1.5)
    design.apply(networks.build(design, parameters, catalog))
    storage = summarize(design).networks[STORAGE]
    assert storage.switches["spine"] <= 8
    assert storage.oversubscription["leaf"] <= 1.5
    assert not [one for one in validate(design).findings if one.code.startswith("NET")]


@pytest.mark.parametrize(
    ("server", "parameters", "sentence"),
    [
        ("hgx-h100-oem", {"oob_switch": "generic-switch-48x1g"}, "no out-of-band management port is stated for HGX"),
        ("hgx-h100-oem", {"storage_switch": "nvidia-qm9700"}, "no storage port is stated for HGX H100"),
        ("dgx-h100", {"oob_switch": "nvidia-qm9700"}, "ports of DGX H100 run at 1G"),
        ("dgx-h100", {"storage_switch": "dgx-h100"}, "DGX H100 is not a switch"),
        ("dgx-h200", {"storage_switch": "dgx-h100"}, "DGX H100 is not a switch"),
        ("dgx-h100", {}, "choose the switches of one network at least"),
    ],
)
def test_what_no_source_states_is_refused_with_the_reason(catalog, server, parameters, sentence):
    design = pod(catalog, 4, server)
    with pytest.raises(ParameterError, match=sentence):
        networks.build(design, NetworkParameters(**parameters), catalog)


def test_generic_hosts_have_no_storage_port(catalog):
    design = Design()
    design.apply(torus.build(design, torus.TorusParameters(dims=(3, 3)), catalog))
    with pytest.raises(ParameterError, match="no storage port is stated for"):
        networks.build(design, NetworkParameters(storage_switch="nvidia-qm9700"), catalog)
    with pytest.raises(ParameterError, match="there is no server"):
        networks.build(Design(), NetworkParameters(storage_switch="nvidia-qm9700"), catalog)


def managing(design):
    return {link.a: link.b for link in design.links.values() if link.a.port in ("mgmt0", "eth0")}


def test_switches_join_the_out_of_band_network_by_their_management_ports(catalog):
    design = pod(catalog)
    parameters = NetworkParameters(storage_switch="nvidia-qm9700", oob_switch="nvidia-sn2201")
    design.apply(networks.build(design, parameters, catalog))
    managed = managing(design)
    others = {switch.id for switch in design.switches() if switch.network != OUT_OF_BAND}
    assert {end.device_id for end in managed} == others
    assert len({design.device(end.device_id).network for end in managed}) == 2, "of storage and of compute"
    assert {design.device(end.device_id).network for end in managed.values()} == {OUT_OF_BAND}
    assert len(set(managed.values())) == len(managed)
    assert summarize(design).networks[OUT_OF_BAND].links["switch-leaf"] == len(others)
    assert validate(design).findings == ()


def test_switches_that_came_later_join_the_out_of_band_network_too(catalog):
    design = pod(catalog)
    oob = NetworkParameters(oob_switch="nvidia-sn2201", oob_device_ports=9)
    design.apply(networks.build(design, oob, catalog))
    first = managing(design)
    edit = networks.build(
        design, NetworkParameters(storage_switch="nvidia-qm9700", oob_switch="nvidia-sn2201"), catalog
    )
    assert edit.label == "Add 2 networks"
    design.apply(edit)
    managed = managing(design)
    assert first.items() <= managed.items()
    assert {end.device_id for end in managed} == {one.id for one in design.switches() if one.network != OUT_OF_BAND}
    with pytest.raises(ParameterError, match="every server that can be is in the out-of-band management network"):
        networks.build(design, oob, catalog)


def test_uplinks_of_out_of_band_switches_are_no_ports_left_for_servers(catalog):
    design = pod(catalog)
    oob = NetworkParameters(oob_switch="nvidia-sn2201", oob_leafs=1, oob_device_ports=12)
    design.apply(networks.build(design, oob, catalog, [one.id for one in design.servers()][:30]))
    (leaf,) = (one for one in design.switches() if one.network == OUT_OF_BAND)
    n_left = sum(port.rate_gbps == 1 for port in design.free_ports(leaf.id))
    assert n_left == len(design.free_ports(leaf.id)) - 4
    with pytest.raises(ParameterError, match=f"network have {n_left} ports left and "):
        networks.build(design, NetworkParameters(oob_switch="nvidia-sn2201"), catalog)


def test_networks_for_some_servers_leave_switches_alone(catalog):
    design = pod(catalog)
    some = [server.id for server in design.servers()[:4]]
    design.apply(networks.build(design, NetworkParameters(oob_switch="nvidia-sn2201"), catalog, some))
    assert managing(design) == {}


def test_ports_of_leafs_are_kept_for_what_the_design_does_not_show(catalog):
    design = pod(catalog, 127)
    parameters = NetworkParameters(
        storage_switch="nvidia-qm9700",
        in_band_switch="nvidia-sn4600c",
        oob_switch="nvidia-sn2201",
        storage_server_ports=4,
        in_band_core_ports=2,
        oob_device_ports=12,
    )
    design.apply(networks.build(design, parameters, catalog))
    kept = {STORAGE: ("storage servers", 4), IN_BAND: ("the core", 2), OUT_OF_BAND: ("other devices", 12)}
    for switch in design.switches():
        purpose, count = kept.get(switch.network, ("", 0)) if switch.role == "leaf" else ("", 0)
        if switch.network:
            assert [what for _, what in switch.reserved_for] == [purpose] * count
            assert tuple(name for name, _ in switch.reserved_for) == switch.reserved_ports
            assert not set(switch.reserved_ports) & set(design.used_ports(switch.id))
            ports = design.port_map(switch.id)
            rates = {ports[name].rate_gbps for name in (*switch.reserved_ports, *design.used_ports(switch.id))}
            if switch.network == OUT_OF_BAND:
                assert rates == ({1.0, 100.0} if switch.role == "leaf" else {100.0}), "uplinks at 100G"
    assert validate(design).findings == ()
    assert summarize(design).networks[STORAGE].oversubscription["leaf"] <= 1.0
    with pytest.raises(ParameterError, match=r"0 ports left .* kept, .*: choose .* more ports .* keep fewer"):
        networks.build(
            pod(catalog), NetworkParameters(oob_switch="nvidia-sn2201", oob_uplinks=1, oob_device_ports=47), catalog
        )


def test_ports_of_a_leaf_are_kept_for_several_things_each(catalog):
    design = pod(catalog, 32)
    parameters = NetworkParameters(
        storage_switch="nvidia-qm9700",
        in_band_switch="nvidia-sn4600c",
        storage_manager_ports=2,
        in_band_core_ports=2,
        in_band_edge_ports=1,
        in_band_support_ports=7,
        in_band_storage_ports=3,
    )
    design.apply(networks.build(design, parameters, catalog))
    leafs = [one for one in design.switches() if one.network and one.role == "leaf"]
    kept = {one.network: Counter(what for _, what in one.reserved_for) for one in leafs}
    assert kept[STORAGE] == {"fabric managers": 2}
    assert kept[IN_BAND] == {"the core": 2, "the edge": 1, "support servers": 7, "storage servers": 3}
    assert validate(design).findings == ()


@pytest.mark.parametrize(("written", "ratio"), [("33:7", 33 / 7), ("2:3", 2 / 3), ("4:1", 4.0)])
def test_a_network_keeps_any_ratio_below_or_above_one(catalog, written, ratio):
    design = pod(catalog, 255)
    parameters = NetworkParameters(
        storage_switch="nvidia-qm9700",
        storage_oversubscription=fields_of(NetworkParameters)["storage_oversubscription"].read(written),
    )
    design.apply(networks.build(design, parameters, catalog))
    found = summarize(design).networks[STORAGE].oversubscription["leaf"]
    assert found <= ratio + 1e-9
    assert found > ratio / 2


def asked(catalog, **numbers):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=127, servers_per_su=32, server="dgx-b200", racks="none")
    design.apply(rail_optimized.build(design, parameters, catalog))
    design.apply(networks.build(design, NetworkParameters(**numbers), catalog))
    return design, Counter((network_of_switch(one), one.role) for one in design.switches())


def test_numbers_of_leafs_and_spines_can_be_asked_for(catalog):
    design, switches = asked(catalog, oob_switch="nvidia-sn2201", oob_leafs=16, oob_uplinks=2, oob_spines=2)
    assert (switches[OUT_OF_BAND, "leaf"], switches[OUT_OF_BAND, "spine"]) == (16, 2)
    leafs = [one for one in design.switches() if one.network == OUT_OF_BAND and one.role == "leaf"]
    assert max(design.n_used_ports(one.id) for one in leafs) <= math.ceil(200 / 16) + 2
    _, switches = asked(catalog, storage_switch="nvidia-qm9700", storage_leafs=10)
    assert switches[STORAGE, "leaf"] == 10
    _, switches = asked(catalog, storage_switch="nvidia-qm9700", storage_leafs=8, storage_spines=8)
    assert (switches[STORAGE, "leaf"], switches[STORAGE, "spine"]) == (8, 8)


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"storage_leafs": 7}, "should be an even number up to 254, as every server is on two, not 7"),
        ({"storage_leafs": 4}, "the storage network needs 8 leaf switches of QM9700 at least, not 4"),
        (
            {"storage_leafs": 8, "storage_spines": 3},
            "32 uplinks of 8 leaf switches of the storage network do not spread evenly over 3 spines of 64 ports: "
            "choose 4 or 8 or 16 or 32 of them$",
        ),
    ],
)
def test_numbers_of_switches_that_do_not_do_are_refused(numbers, sentence, catalog):
    with pytest.raises(ParameterError, match=sentence):
        asked(catalog, storage_switch="nvidia-qm9700", **numbers)


def uplinks_of(design):
    """The links between out-of-band switches: how many there are at each rate, and the types of the spines."""
    found, types = Counter(), set()
    for link in design.links.values():
        ends = [design.device(end.device_id) for end in (link.a, link.b)]
        if all(one.network == OUT_OF_BAND and design.is_switch(one.id) for one in ends):
            found[tuple({design.port(end).rate_gbps for end in (link.a, link.b)})] += 1
            types |= {one.type_id for one in ends if one.role == "spine"}
    return found, types


@pytest.mark.parametrize(
    ("wanted", "rate_gbps", "spine"),
    [
        ({"oob_leafs": 4}, 100.0, "nvidia-sn2201"),  # four ports of 100G on the one spine
        ({"oob_leafs": 5}, 1.0, "nvidia-sn2201"),  # and no fifth
        ({"oob_leafs": 5, "in_band_switch": "nvidia-sn4600c"}, 100.0, "nvidia-sn4600c"),
        ({"oob_leafs": 5, "oob_spine_switch": "nvidia-sn4600c"}, 100.0, "nvidia-sn4600c"),
        ({"oob_leafs": 3, "oob_spine_switch": "nvidia-sn4600c", "oob_uplinks": 2}, 100.0, "nvidia-sn4600c"),
        ({"oob_per_rack": True, "oob_spine_switch": "nvidia-sn4600c"}, 100.0, "nvidia-sn4600c"),
    ],
)
def test_out_of_band_switches_rise_over_their_fastest_ports(catalog, wanted, rate_gbps, spine):
    design = pod(catalog, 64)
    parameters = NetworkParameters(oob_switch="nvidia-sn2201", **wanted)
    edit = networks.build(design, parameters, catalog)
    said = networks.slow_uplinks(design, edit)
    design.apply(edit)
    assert bool(said) == (rate_gbps == 1.0) == ("run at 1G" in said and "100G" in said)
    found, types = uplinks_of(design)
    leafs = [one for one in design.switches() if one.network == OUT_OF_BAND and one.role == "leaf"]
    assert found == {(rate_gbps,): len(leafs) * parameters.oob_uplinks}
    assert types == {spine}
    used = [end for link in design.links.values() for end in (link.a, link.b)]
    assert len(used) == len(set(used))


def test_uplinks_of_switches_without_a_faster_port_are_said_to_stay_as_slow(catalog):
    design = pod(catalog, 64)
    edit = networks.build(design, NetworkParameters(oob_switch="generic-switch-48x1g"), catalog)
    said = networks.slow_uplinks(design, edit)
    assert said.startswith("Uplinks of the out-of-band switches run at 1G, as links of devices do: ")
    assert said.endswith("has no faster port. Choose an out-of-band switch with faster ports for uplinks.")
    design.apply(edit)
    assert networks.slow_uplinks(design) == said
    assert said in topology_text(design).cautions


def test_of_a_design_only_slow_uplinks_that_an_edit_adds_are_said_of_it(catalog):
    design = pod(catalog, 64)
    assert not topology_text(design).cautions
    design.apply(networks.build(design, NetworkParameters(oob_switch="generic-switch-48x1g"), catalog))
    assert networks.slow_uplinks(design, Edit("Nothing", ())) == ""


def test_ports_of_their_own_for_uplinks_leave_all_others_to_devices(catalog):
    """48 at 1G, where one of them was an uplink before."""
    design = pod(catalog, 64)
    design.apply(
        networks.build(
            design, NetworkParameters(oob_switch="nvidia-sn2201", oob_spine_switch="nvidia-sn4600c"), catalog
        )
    )
    first = next(one for one in design.switches() if one.network == OUT_OF_BAND and one.role == "leaf")
    ports = design.port_map(first.id)
    assert sum(ports[one].rate_gbps == 1.0 for one in design.used_ports(first.id)) == 48


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"oob_spine_switch": "nvidia-qm9700"}, "uplink ports of 100G"),
        ({"oob_spine_switch": "nvidia-sn4600c", "oob_uplinks": 5}, "4 ports for uplinks"),
        ({"oob_spine_switch": "nvidia-sn2201", "oob_leafs": 5}, "a spine has 4 ports"),
    ],
)
def test_a_spine_that_does_not_do_is_refused_with_the_reason(catalog, wanted, said):
    design = pod(catalog, 64)
    with pytest.raises(ParameterError, match=said):
        networks.build(design, NetworkParameters(oob_switch="nvidia-sn2201", **wanted), catalog)
