"""Storage and management networks under validation: kept apart, and each whole."""

from dataclasses import replace

import pytest

from designer.analysis.oversubscription import ratios_after
from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.graph.arrays import SWITCH
from designer.graph.building.build import build
from designer.model import operations, policies
from designer.model.edit import Change, Edit
from designer.model.entities import Device, End, Link, Module
from designer.model.hardware.modules import NicType, Slot
from designer.model.hardware.ports import CageGroup, PortMode
from designer.model.hardware.servers import ServerType
from designer.model.hardware.switches import SwitchType
from designer.model.networks import IN_BAND, OUT_OF_BAND, PURPOSE_OF, STORAGE, network_of_link, networks_of
from designer.tables.columns import as_json
from designer.validation.engine import validate
from designer.validation.fixing import fixed


@pytest.fixture
def cluster(bare, catalog):
    """Four servers on one leaf and, three of them, on one storage switch."""
    fabric = bare
    fabric.add("dgx-h100", "gpu-1", "gpu-2", "gpu-3", "gpu-4")
    fabric.add("nvidia-qm9700", "leaf", "store")
    design = fabric.design
    put_in(fabric, "store", STORAGE)
    for name in ("gpu-1", "gpu-2", "gpu-3", "gpu-4"):
        fabric.join(name, "leaf", 8)
        for slot in ("storage1", "storage2"):
            nic = catalog.get("connectx-7-ndr-2p")
            design.apply(operations.install_module(design, fabric.id(name), nic, slot))
    for name in ("gpu-1", "gpu-2", "gpu-3"):
        fabric.join(name, "store", 4)
    return fabric


def put_in(fabric, name, network):
    switch = fabric.design.device(fabric.id(name))
    fabric.design.apply(Edit("network", (Change(switch, replace(switch, network=network)),)))


def messages(design, code):
    return [finding.message for finding in validate(design).findings if finding.code == code]


def unchecked(design, code):
    return [entry.reason for entry in validate(design).not_checked if entry.code == code]


def test_a_server_meets_a_storage_switch_with_its_storage_nics(cluster):
    design = cluster.design
    ports = {design.port(link.a).purpose for link in design.links_of(cluster.id("store"))}
    assert ports == {"storage"}
    assert {network_of_link(design, link) for link in design.links_of(cluster.id("store"))} == {STORAGE}
    assert networks_of(design) == ["compute", "storage"]


def test_the_figures_of_the_fabric_leave_the_storage_network_out(cluster):
    summary = summarize(cluster.design)
    assert summary.switches == {"leaf": 1}
    assert summary.links == {"server-leaf": 32}
    assert summary.nics == 32
    assert summary.components == 1
    assert summary.parts.links == 44
    (storage,) = summary.networks.values()
    assert (storage.servers, storage.switches, storage.links) == (3, {"leaf": 1}, {"server-leaf": 12})
    assert as_json(summary)["networks"]["storage"]["servers"] == 3


def test_who_is_left_out_of_a_network_is_told(cluster):
    assert messages(cluster.design, "NET-002") == ["gpu-4 has no link in the storage network; 3 other servers have one"]
    assert not messages(cluster.design, "REACH-001")


def test_servers_and_switches_left_out_alike_are_one_finding_each(cluster):
    for number in (5, 6, 7, 8):
        cluster.add("dgx-h100", f"gpu-{number}")
    (finding,) = (one for one in validate(cluster.design).findings if one.code == "NET-002" and one.aspect == STORAGE)
    names = "gpu-4, gpu-5, gpu-6 and 2 more"
    assert finding.message == f"5 servers ({names}) have no link in the storage network; 3 other servers have one"
    assert len(finding.subjects) == 5


def test_a_switch_that_is_left_out_of_the_out_of_band_network_is_told(cluster):
    cluster.add("nvidia-sn2201", "oob")
    cluster.add("generic-switch", "plain")
    put_in(cluster, "oob", OUT_OF_BAND)
    left_out = messages(cluster.design, "NET-002")
    cluster.join("leaf", "oob")
    (message,) = set(messages(cluster.design, "NET-002")) - set(left_out)
    assert message == "store has no link at mgmt0, its management port; 1 other switch has one"
    cluster.join("store", "oob")
    assert messages(cluster.design, "NET-002") == left_out


def test_switches_left_out_of_the_out_of_band_network_are_one_finding(cluster):
    cluster.add("nvidia-sn2201", "oob")
    put_in(cluster, "oob", OUT_OF_BAND)
    cluster.add("nvidia-qm9700", "leaf-8", "leaf-9")
    cluster.join("leaf", "oob")
    left_out = [one for one in validate(cluster.design).findings if one.code == "NET-002" and one.aspect == "managed"]
    (compute,) = (one for one in left_out if cluster.id("leaf-8") in one.subjects)
    assert compute.message == (
        "2 switches (leaf-8, leaf-9) have no link at mgmt0, their management port; 1 other switch has one"
    )


def test_a_network_in_pieces_is_told(cluster):
    cluster.add("nvidia-qm9700", "island")
    put_in(cluster, "island", STORAGE)
    cluster.join("gpu-4", "island")
    (message,) = messages(cluster.design, "NET-003")
    assert message == "gpu-4 cannot reach gpu-1 and 2 more servers over the storage network: it reaches 0 of 3"


def test_the_servers_of_a_piece_are_one_finding_whose_fix_joins_the_pieces(cluster, catalog):
    design = cluster.design
    cluster.add("nvidia-qm9700", "island")
    cluster.add("dgx-h100", "gpu-5")
    nic = catalog.get("connectx-7-ndr-2p")
    design.apply(operations.install_module(design, cluster.id("gpu-5"), nic, "storage1"))
    put_in(cluster, "island", STORAGE)
    for name in ("gpu-4", "gpu-5"):
        cluster.join(name, "island")
    (found,) = [finding for finding in validate(design).findings if finding.code == "NET-003"]
    whom = "gpu-1 and 2 more servers over the storage network"
    assert found.message == f"2 servers (gpu-4, gpu-5) cannot reach {whom}: each reaches 1 of 4"
    assert found.subjects == (cluster.id("gpu-4"), cluster.id("gpu-5"))
    design.apply(found.fix)
    assert messages(design, "NET-003") == []


def test_pieces_are_joined_by_two_links_over_as_many_switches_as_there_are(cluster):
    design = cluster.design
    cluster.add("nvidia-qm9700", "island")
    put_in(cluster, "island", STORAGE)
    cluster.join("gpu-4", "island")
    fabric = links_of_the_fix(cluster)
    assert fabric == [("island", "store"), ("island", "store")]
    cluster.add("nvidia-qm9700", "store-2")
    put_in(cluster, "store-2", STORAGE)
    cluster.join("store", "store-2", 2)
    assert links_of_the_fix(cluster) == [("island", "store"), ("island", "store-2")]
    for name in ("store", "store-2"):
        switch = cluster.device(name)
        free = [port.name for port in design.free_ports(switch.id)]
        cluster.change(switch, replace(switch, reserved_ports=tuple(free[name == "store" :])))
    assert links_of_the_fix(cluster) == [("island", "store")]


def links_of_the_fix(cluster):
    (found,) = [finding for finding in validate(cluster.design).findings if finding.code == "NET-003"]
    links = [change.after for change in found.fix.changes]
    name = {one.id: one.name for one in cluster.design.devices.values()}
    return sorted(tuple(sorted((name[link.a.device_id], name[link.b.device_id]))) for link in links)


def test_pieces_of_an_out_of_band_network_are_joined_by_one_link_unless_the_policy_wants_a_second_path(bare):
    bare.put(NicType("bmc", "Acme", "BMC", ("ethernet",), 1, 1.0))
    bare.put(ServerType("srv", "Acme", "Box", 1, slots=(Slot("bmc", purpose=PURPOSE_OF[OUT_OF_BAND]),)))
    bare.put(SwitchType("tor", "Acme", "S", ("ethernet",), (CageGroup(4, ""),), (PortMode("1G", 1, 1.0),)))
    for number in (1, 2):
        bare.put(Device(f"s{number}", f"gpu-{number}", "srv"), Module(f"m{number}", f"s{number}", "bmc", "bmc"))
        bare.put(Device(f"t{number}", f"oob-{number}", "tor", network=OUT_OF_BAND))
        bare.put(Link(f"l{number}", End(f"s{number}", "bmc"), End(f"t{number}", "1")))
    assert links_of_the_fix(bare) == [("oob-1", "oob-2")]
    bare.design.apply(policies.set_limits(bare.design, second_path=(OUT_OF_BAND,)))
    assert links_of_the_fix(bare) == [("oob-1", "oob-2")] * 2


def test_a_link_between_two_networks_is_told_with_a_fix(cluster):
    design = cluster.design
    leaf, store = cluster.id("leaf"), cluster.id("store")
    design.apply(operations.connect_devices(design, leaf, store))
    (found,) = [finding for finding in validate(design).findings if finding.code == "NET-001"]
    assert found.message == "leaf is of the compute network, store of the storage network"
    design.apply(found.fix)
    assert not messages(design, "NET-001")


def test_a_management_link_joins_no_two_networks(cluster):
    cluster.add("nvidia-sn2201", "tor")
    put_in(cluster, "tor", OUT_OF_BAND)
    cluster.join("leaf", "tor")
    cluster.join("store", "tor")
    assert messages(cluster.design, "NET-001") == []
    assert networks_of(cluster.design) == ["compute", "storage", "oob"]


def test_the_graph_holds_one_network(cluster):
    design = cluster.design
    compute, storage = build(design), build(design, network=STORAGE)
    assert len(compute.link_ids) == 32
    assert len(storage.link_ids) == 12
    for graph, name in ((compute, "leaf"), (storage, "store")):
        (switch,) = graph.vertices_of(SWITCH)
        assert graph.device_name(switch) == name
        assert graph.n_endpoints == 32
    assert not build(design, network=IN_BAND).link_ids
    assert not build(design, network=OUT_OF_BAND).link_ids


def test_switches_with_the_old_roles_are_in_their_networks(bare):
    bare.add("generic-switch", "filer", "tor", "leaf")
    for name, role in (("filer", "storage"), ("tor", "management"), ("leaf", "leaf")):
        switch = bare.design.device(bare.id(name))
        bare.design.apply(Edit("role", (Change(switch, replace(switch, role=role)),)))
    assert networks_of(bare.design) == ["compute", "storage", "oob"]


def test_figures_of_the_fabric_are_called_so_beside_those_of_other_networks(cluster):
    names = [name for name, _ in summary_facts(summarize(cluster.design), cluster.design)]
    assert {"compute NICs", "compute switches", "compute links", "compute bisection", "storage"} <= set(names)
    cluster.design.apply(operations.delete(cluster.design, [cluster.id("store")]))
    names = [name for name, _ in summary_facts(summarize(cluster.design), cluster.design)]
    assert {"NICs", "switches", "links", "bisection"} <= set(names)


@pytest.fixture
def managed(bare):
    """Two management switches of 48 x 1G and 4 x 100G, with three servers each and no link between the two."""
    for side in ("a", "b"):
        bare.add("nvidia-sn2201", f"oob-{side}")
        put_in(bare, f"oob-{side}", OUT_OF_BAND)
        bare.add("dgx-h100", *(f"gpu-{side}{number}" for number in (1, 2, 3)))
        for number in (1, 2, 3):
            server, bmc = bare.id(f"gpu-{side}{number}"), bare.catalog.get("generic-nic-1g")
            bare.design.apply(operations.install_module(bare.design, server, bmc, "bmc"))
            bare.join(f"gpu-{side}{number}", f"oob-{side}")
    return bare


def fix_of(fabric, code, aspect):
    (found,) = [one for one in validate(fabric.design).findings if (one.code, one.aspect) == (code, aspect)]
    return found.fix


def test_pieces_are_joined_at_the_fastest_ports_that_are_free(managed):
    design = managed.design
    fix = fix_of(managed, "NET-003", OUT_OF_BAND)
    (change,) = fix.changes
    assert [design.port(end).rate_gbps for end in (change.after.a, change.after.b)] == [100, 100]
    assert change.after.medium_id == "" and ratios_after(design, fix) == "0.03:1 at oob-a, oob-b"
    switch = managed.device("oob-a")
    managed.change(switch, replace(switch, reserved_ports=tuple(f"swp{number}" for number in range(49, 53))))
    (change,) = fix_of(managed, "NET-003", OUT_OF_BAND).changes
    assert [design.port(end).rate_gbps for end in (change.after.a, change.after.b)] == [1, 1]


def test_links_of_fixes_take_cables_of_the_catalog_where_no_cable_of_the_design_fits(managed, catalog):
    """Else a fix would raise that a cable is missing, and not be applied with others."""
    design = managed.design
    copper = catalog.get("gen-cat6")
    managed.put(copper)
    managed.change(design.settings, replace(design.settings, default_cable_length_m=5.0))
    for link in list(design.links.values()):
        managed.change(link, replace(link, length_m=5.0, length_source="rule"))
    (change,) = fix_of(managed, "NET-003", OUT_OF_BAND).changes
    assert (change.after.medium_id, change.after.length_m) == ("", 5.0), "no cable was chosen yet"
    for link in list(design.links.values()):
        managed.change(link, replace(link, medium_id=copper.id, medium_source="picked"))
    medium, link = (change.after for change in fix_of(managed, "NET-003", OUT_OF_BAND).changes)
    assert medium == catalog.get(link.medium_id) and medium.link_gbps == 100
    made = fixed(design, {"NET-003"})
    assert (made.n_fixed, made.left) == (1, ())
    managed.put(medium)
    (change,) = fix_of(managed, "NET-003", OUT_OF_BAND).changes
    assert change.after.medium_id == medium.id


def test_the_same_servers_apart_in_two_networks_are_two_findings_and_both_are_fixed(managed, catalog):
    """A waiver of one does not accept the other."""
    design = managed.design
    for side in ("a", "b"):
        managed.add("nvidia-qm9700", f"store-{side}")
        put_in(managed, f"store-{side}", STORAGE)
        for number in (1, 2, 3):
            server, nic = managed.id(f"gpu-{side}{number}"), catalog.get("connectx-7-ndr-2p")
            design.apply(operations.install_module(design, server, nic, "storage1"))
            managed.join(f"gpu-{side}{number}", f"store-{side}")
    found = [one for one in validate(design).findings if one.code == "NET-003"]
    assert {one.aspect for one in found} == {STORAGE, OUT_OF_BAND} and len({one.subjects for one in found}) == 1
    made = fixed(design, {"NET-003"})
    assert ratios_after(design, made.edit) == "1.5:1 at store-a, store-b; 0.03:1 at oob-a, oob-b"
    design.apply(made.edit)
    assert messages(design, "NET-003") == []
    assert messages(design, "OVER-003") == []
    assert unchecked(design, "OVER-003") == [
        "the policy has no limit for the oversubscription of the storage network, which is up to 1.5:1"
    ]
    assert unchecked(design, "OVER-005") == [], "at 0.03:1 nothing waits"
    design.apply(policies.set_limits(design, storage_oversubscription=1.0))
    assert unchecked(design, "OVER-003") == []
    assert messages(design, "OVER-003") == [
        f"store-{side}: 1.2 Tb/s down, 800 Gb/s to other leaf switches and no uplink: 1.5:1, limit 1:1"
        for side in ("a", "b")
    ]
