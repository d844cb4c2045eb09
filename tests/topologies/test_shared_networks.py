"""Networks on the switches of another, north-south as a network of its own, and an out-of-band switch per rack."""

from collections import Counter
from dataclasses import replace

import pytest

from designer.analysis import oversubscription
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.drawing.projection import Projection
from designer.errors import EditError, ParameterError
from designer.graph.building.build import build
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.hardware.modules import Slot
from designer.model.networks import (
    COMPUTE,
    IN_BAND,
    NETWORKS,
    NORTH_SOUTH,
    OUT_OF_BAND,
    STORAGE,
    network_of_link,
    network_of_switch,
    networks_of_switch,
    serves,
)
from designer.storage import document
from designer.topologies import networks, rail_optimized
from designer.topologies.network_parameters import NetworkParameters
from designer.validation.engine import validate


def pod(catalog, servers=31, server="dgx-b200"):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        servers=servers, servers_per_su=32, server=server, reserve_leaf_ports=4 if servers % 32 else 0
    )
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def added(catalog, design, **wanted):
    design.apply(networks.build(design, NetworkParameters(**wanted), catalog))
    return design


@pytest.fixture(scope="module")
def converged(catalog):
    """Storage and in-band on the same leafs under spines."""
    return added(catalog, pod(catalog, 96), storage_switch="nvidia-sn5600", in_band_on=STORAGE)


def test_two_networks_on_the_same_switches_are_counted_once_each(converged):
    found = summarize(converged).networks
    storage, in_band = found[STORAGE], found[IN_BAND]
    switches = [one for one in converged.switches() if one.network == STORAGE]
    assert {one.carries for one in switches} == {(IN_BAND,)}
    assert storage.switches == dict(Counter(one.role for one in switches))
    assert storage.links["server-leaf"] == in_band.links["server-leaf"] == 2 * 96
    # The uplinks are those of the network whose the switches are.
    assert storage.links["leaf-spine"] > 0 and "leaf-spine" not in in_band.links
    assert in_band.switches == {} and in_band.shared == {STORAGE: len(switches)}
    assert validate(converged).findings == ()


def test_each_server_is_on_two_switches_in_each_of_its_networks(converged):
    for network in (STORAGE, IN_BAND):
        for server in converged.servers():
            links = [one for one in converged.links_of(server.id) if network_of_link(converged, one) == network]
            ends = {end.device_id for link in links for end in (link.a, link.b)} - {server.id}
            assert len(ends) == 2, (network, server.name)


def test_traffic_of_either_network_takes_the_shared_uplinks(converged):
    uplinks = {
        link.id
        for link in converged.links.values()
        if converged.is_switch(link.a.device_id)
        and converged.is_switch(link.b.device_id)
        and network_of_link(converged, link) == STORAGE
    }
    for network in (STORAGE, IN_BAND):
        assert uplinks and uplinks < set(build(converged, network=network).link_ids)
    assert uplinks.isdisjoint(build(converged).link_ids)


def test_oversubscription_counts_the_links_of_all_networks_on_a_switch(converged):
    by_network = [oversubscription.switches(survey(converged, one)) for one in (STORAGE, IN_BAND)]
    assert by_network[0] == by_network[1]
    leafs = [one for one in by_network[0] if one.role == "leaf"]
    assert sum(one.down_links for one in leafs) == 4 * 96
    # None of them is in the compute network.
    assert not {one.device_id for one in leafs} & {
        one.device_id for one in oversubscription.switches(survey(converged))
    }


def test_a_link_between_networks_that_share_no_switch_is_still_found(converged):
    design = converged.snapshot()
    for switch in [one for one in design.switches() if one.carries]:
        design.apply(operations.share_switches(design, [switch.id], []))
    joined = [one for one in validate(design).findings if one.code == "NET-001"]
    assert sum(getattr(one, "count", 1) for one in joined) == 2 * 96
    assert "in-band management network" in joined[0].message and "storage network" in joined[0].message
    # What does not belong on a switch takes none of its capacity there.
    rows = [one for one in oversubscription.switches(survey(design, STORAGE)) if one.role == "leaf"]
    assert sum(one.down_links for one in rows) == 2 * 96
    design.apply(operations.share_switches(design, [one.id for one in design.switches() if one.network], [IN_BAND]))
    assert document.encode(design) == document.encode(converged)


def test_a_layer_shows_shared_switches_with_its_own_links_alone(converged):
    drawn = Projection(converged, hidden=frozenset({COMPUTE, STORAGE}))
    shown = {network_of_link(converged, converged.links[one]) for one in drawn.link_ids}
    switches = {one for one in drawn.device_ids if converged.is_switch(one)}
    assert switches == {one.id for one in converged.switches() if IN_BAND in networks_of_switch(one)}
    to_servers = [one for one in drawn.link_ids if not converged.is_switch(converged.links[one].a.device_id)]
    assert {network_of_link(converged, converged.links[one]) for one in to_servers} == {IN_BAND}
    assert STORAGE in shown  # the uplinks, which it takes too
    hidden = Projection(converged, hidden=frozenset({STORAGE, IN_BAND}))
    assert switches.isdisjoint(hidden.device_ids)


def test_a_network_comes_onto_the_free_ports_of_compute_leafs(catalog):
    design = added(catalog, pod(catalog, 8), in_band_on=COMPUTE)
    links = [one for one in design.links.values() if network_of_link(design, one) == IN_BAND]
    assert len(links) == 16
    # Leafs and spines of the fabric carry it now, and are still of the compute network.
    carrying = [one for one in design.switches() if one.carries == (IN_BAND,)]
    assert {network_of_switch(one) for one in carrying} == {COMPUTE}
    assert Counter(one.role for one in carrying) == {"leaf": 8, "spine": 4}
    assert summarize(design).switches == {"leaf": 8, "spine": 4}
    assert summarize(design).links["server-leaf"] == 64
    assert validate(design).findings == ()


def test_servers_join_the_leafs_that_they_are_on_and_not_emptier_ones_elsewhere(catalog):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=24, servers_per_su=16, server="dgx-b200")
    design.apply(rail_optimized.build(design, parameters, catalog))
    added(catalog, design, in_band_on=COMPUTE)
    for link in design.links.values():
        if network_of_link(design, link) == IN_BAND:
            assert design.device(link.a.device_id).unit == design.device(link.b.device_id).unit


def test_a_link_by_which_a_switch_is_managed_carries_no_other_network(converged):
    design = converged.snapshot()
    leaf, other = [one.id for one in design.switches() if one.carries][:2]
    ends = End(leaf, design.management_ports(leaf)[0].name), End(other, design.ports(other)[0].name)
    link = Link("l999999", *ends)
    design.apply(Edit("x", (Change(None, link),)))
    assert [one for one in NETWORKS if serves(design, link, one)] == [OUT_OF_BAND]


def test_full_compute_leafs_are_refused_with_the_ports_they_have(catalog):
    with pytest.raises(ParameterError, match="compute network have 4 ports left and 62 are needed: leave ports"):
        networks.build(pod(catalog), NetworkParameters(in_band_on=COMPUTE), catalog)


def test_servers_that_came_later_join_the_switches_that_are_shared(catalog):
    design = pod(catalog, 8)
    some = [one.id for one in design.servers()][:5]
    wanted = NetworkParameters(storage_switch="nvidia-sn5600", in_band_on=STORAGE)
    design.apply(networks.build(design, wanted, catalog, some))
    n_switches = len(design.switches())
    edit = networks.build(design, wanted, catalog)
    design.apply(edit)
    assert edit.label == "Extend 2 networks"
    assert len(design.switches()) == n_switches
    found = summarize(design).networks
    assert found[IN_BAND].servers == found[STORAGE].servers == 8
    assert validate(design).findings == ()


def test_a_front_end_carries_storage_and_in_band_beside_links_of_its_own(catalog):
    """North-south has switches and NICs of its own; its leafs take the other two as well."""
    design = pod(catalog, 8)
    type_ = design.types["dgx-b200"]
    north = Slot("slot4", purpose="north-south", form_factor="QSFP112")
    design.apply(Edit("x", (Change(type_, replace(type_, slots=(*type_.slots, north))),)))
    added(
        catalog,
        design,
        north_south_switch="nvidia-sn5600",
        north_south_nic="bluefield-3-dpu-2p",
        storage_on=NORTH_SOUTH,
        in_band_on=NORTH_SOUTH,
        north_south_edge_ports=3,
        in_band_core_ports=2,
    )
    found = summarize(design).networks
    assert {one: found[one].links for one in (NORTH_SOUTH, STORAGE, IN_BAND)} == {
        NORTH_SOUTH: {"server-leaf": 16},
        STORAGE: {"server-leaf": 16},
        IN_BAND: {"server-leaf": 16},
    }
    leafs = [one for one in design.switches() if one.network == NORTH_SOUTH]
    assert {one.carries for one in leafs} == {(STORAGE, IN_BAND)}
    assert {Counter(what for _, what in one.reserved_for)["the edge"] for one in leafs} == {3}
    assert {Counter(what for _, what in one.reserved_for)["the core"] for one in leafs} == {2}
    assert {one.code for one in validate(design).findings} == {"DOC-004"}, "its DGX has a slot more than the catalog's"


def test_servers_need_no_ports_of_a_network_that_only_carries_others(catalog):
    wanted = {"north_south_switch": "nvidia-sn5600", "storage_on": NORTH_SOUTH}
    design = added(catalog, pod(catalog, 8), **wanted)
    assert summarize(design).networks[STORAGE].shared == {NORTH_SOUTH: 2}
    with pytest.raises(ParameterError, match="no north-south port is stated"):
        networks.build(pod(catalog, 8), NetworkParameters(north_south_switch="nvidia-sn5600"), catalog)


def test_the_ratio_of_north_south_makes_its_spines(catalog):
    wide = added(
        catalog,
        pod(catalog, 96),
        north_south_switch="nvidia-sn5600",
        storage_on=NORTH_SOUTH,
        in_band_on=NORTH_SOUTH,
        north_south_leafs=4,
        north_south_spines=2,
        north_south_oversubscription=3.0,
    )
    found = summarize(wide).networks[NORTH_SOUTH]
    assert found.switches == {"leaf": 4, "spine": 2}
    assert 2.0 < found.oversubscription["leaf"] <= 3.0


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (
            {"in_band_on": STORAGE},
            "there is no storage network whose switches the in-band management network can be on",
        ),
        (
            {"storage_switch": "nvidia-sn5600", "in_band_on": STORAGE, "in_band_switch": "nvidia-sn5600"},
            "leave out its own switches",
        ),
        (
            {"storage_switch": "nvidia-sn5600", "in_band_on": STORAGE, "in_band_leafs": 2},
            "leave out its own number of leaf switches",
        ),
        ({"storage_on": NORTH_SOUTH, "in_band_on": STORAGE}, "which is itself on switches of another"),
        ({"in_band_on": COMPUTE, "in_band_core_ports": 2}, "are kept on new switches alone"),
        (
            {"oob_switch": "nvidia-sn2201", "oob_per_rack": True, "oob_leafs": 4},
            "counted by rack: leave out their number",
        ),
    ],
)
def test_what_cannot_be_shared_is_refused_with_the_way_out(catalog, wanted, sentence):
    with pytest.raises(ParameterError, match=sentence):
        networks.build(pod(catalog, 8), NetworkParameters(**wanted), catalog)


def test_ports_of_two_speeds_do_not_share_one_type_of_switch(catalog):
    with pytest.raises(ParameterError, match="storage and in-band management ports run at 400G and 100G"):
        networks.build(
            pod(catalog, 8, "dgx-h100"),
            NetworkParameters(storage_switch="nvidia-sn5600", in_band_on=STORAGE),
            catalog,
        )


def test_sharing_is_set_and_taken_back_by_hand(converged):
    design = converged.snapshot()
    switch = next(one for one in design.switches() if one.carries)
    design.apply(operations.set_network(design, [switch.id], IN_BAND))
    assert networks_of_switch(design.device(switch.id)) == (IN_BAND,)
    edit = operations.share_switches(design, [switch.id], [STORAGE, IN_BAND])
    design.apply(edit)
    assert networks_of_switch(design.device(switch.id)) == (IN_BAND, STORAGE)
    assert edit.label == f"Carry storage and in-band management on {switch.name}"
    with pytest.raises(ParameterError, match="no network 'disk'"):
        operations.share_switches(design, [switch.id], ["disk"])
    with pytest.raises(EditError, match="is a server"):
        operations.share_switches(design, [design.servers()[0].id], [STORAGE])


# -- a switch per rack ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_rack(catalog):
    return added(catalog, pod(catalog), storage_switch="nvidia-sn5600", oob_switch="nvidia-sn2201", oob_per_rack=True)


def rack_of(design, device_id):
    return design.placements[device_id].rack_id


def test_each_rack_has_an_out_of_band_switch_that_takes_what_stands_in_it(by_rack):
    leafs = [one for one in by_rack.switches() if one.network == OUT_OF_BAND and one.role == "leaf"]
    racks = {rack_of(by_rack, one.id) for one in [*by_rack.servers(), *by_rack.switches()] if one not in leafs}
    spines = {rack_of(by_rack, one.id) for one in by_rack.switches() if one.network == OUT_OF_BAND} - racks
    assert Counter(rack_of(by_rack, one.id) for one in leafs) == dict.fromkeys(racks - spines - spine_racks(by_rack), 1)
    for link in by_rack.links.values():
        ends = [end.device_id for end in (link.a, link.b)]
        if network_of_link(by_rack, link) == OUT_OF_BAND and not set(ends) & set(spine_ids(by_rack)):
            assert rack_of(by_rack, ends[0]) == rack_of(by_rack, ends[1])
    assert validate(by_rack).findings == ()


def spine_ids(design):
    return [one.id for one in design.switches() if one.network == OUT_OF_BAND and one.role == "spine"]


def spine_racks(design):
    return {rack_of(design, one) for one in spine_ids(design)}


def test_the_switches_of_racks_join_the_aggregation_by_their_uplinks(by_rack):
    found = summarize(by_rack).networks[OUT_OF_BAND]
    # 31 servers, four a rack; 12 fabric switches and two of storage with a management port each, in racks of switches.
    assert found.links == {"server-leaf": 31, "switch-leaf": 14, "leaf-spine": found.switches["leaf"]}
    assert found.switches["leaf"] > 8 and found.switches["spine"] == 1


def test_a_rack_with_more_than_a_switch_takes_has_several(catalog):
    design = added(catalog, pod(catalog, 8), oob_switch="nvidia-sn2201", oob_per_rack=True, oob_device_ports=44)
    sizes = Counter()
    for one in design.switches():
        if one.network == OUT_OF_BAND and one.role == "leaf":
            sizes[rack_of(design, one.id)] += 1
            # 48 ports of which 44 are kept and one leads up.
            assert 0 < len(list(design.links_of(one.id))) <= 4
    assert max(sizes.values()) > 1


def test_nothing_in_racks_has_no_switch_per_rack(catalog):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=8, server="dgx-b200", racks="none")
    design.apply(rail_optimized.build(design, parameters, catalog))
    with pytest.raises(ParameterError, match="nothing stands in a rack"):
        added(catalog, design, oob_switch="nvidia-sn2201", oob_per_rack=True)
