"""Storage servers drawn by hand: generic ones of the catalog, and own types without GPUs."""

from dataclasses import replace

import pytest

from designer.analysis import connectivity
from designer.analysis.selecting.finder import Finder
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.catalog import own_types
from designer.catalog.catalog import load
from designer.drawing.captions import caption_of
from designer.errors import CatalogError, NoFreePortError
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.hardware.modules import Slot
from designer.model.hardware.ports import STORAGE_PURPOSE
from designer.model.hardware.servers import ServerType
from designer.validation.engine import validate


@pytest.fixture
def shared(pen):
    """Two hosts on a leaf switch, and a storage server on a switch of the storage network."""
    leaf, filer = pen.add("generic-switch", "leaf-1", role="leaf"), pen.add("generic-switch", "filer", 300)
    hosts = [pen.add("generic-host", f"host-{number}", 100 * number, 200) for number in (1, 2)]
    storage = pen.add("generic-storage", None, 300, 200)
    pen.do(operations.set_network(pen.design, [filer], "storage"))
    for host in hosts:
        pen.join(host, leaf)
    pen.join(storage, filer, 2)
    return leaf, filer, hosts, storage


def test_a_storage_server_is_named_and_drawn_as_one_and_joins_a_storage_switch(design, shared):
    *_, filer, _, storage = shared
    device = design.device(storage)
    assert (device.name, device.role) == ("storage-01", "storage")
    assert caption_of(design, device).kind == "storage"
    assert len(design.links_of(storage)) == 2 == len(design.links_of(filer))
    assert summarize(design).networks["storage"].servers == 1


def test_it_is_no_endpoint_of_the_compute_network(design, shared):
    *_, hosts, storage = shared
    surveyed = survey(design)
    assert [one.id for one in surveyed.hosts] == hosts
    assert [one.id for one in surveyed.servers] == [*hosts, storage]
    assert not connectivity.cut_off(surveyed)
    summary = summarize(design)
    assert (summary.endpoints, summary.components, summary.bisection.gbps) == (2, 1, 400.0)
    codes = {finding.code for finding in validate(design).findings}
    assert not codes & {"REACH-001", "REACH-002", "NIC-003", "NIC-004"}


def test_a_link_from_its_storage_port_to_a_host_is_none_of_the_compute_network(pen, design, shared):
    _, _, hosts, _ = shared
    spare, other = pen.add("generic-host", "host-3", 600), pen.add("generic-storage", None, 500)
    pen.wire(spare, "nic1", other, "storage1")
    surveyed = survey(design)
    assert {end for run in surveyed.own_runs for end in (run.low.device_id, run.high.device_id)} == {
        *hosts,
        shared[0],
    }
    assert [one.device_id for one in connectivity.cut_off(surveyed)] == [spare]


def test_a_network_that_a_server_has_no_slot_for_is_refused_with_the_way_out(pen, design, shared):
    leaf, filer, hosts, _ = shared
    other = pen.add("generic-storage", "stor", 500)
    with pytest.raises(NoFreePortError) as refused:
        operations.connect_devices(design, other, leaf)
    assert str(refused.value) == (
        "stor has no fabric NIC and no slot for one: choose another server, or put leaf-1 in the storage network"
    )
    assert operations.connectable(design, hosts[0], filer) == (
        "host-1 has no storage NIC and no slot for one: choose another server, or put filer in the compute network"
    )


def test_a_compute_switch_that_also_carries_storage_takes_its_storage_ports(pen, design, shared):
    leaf, *_ = shared
    other = pen.add("generic-storage", "stor", 500)
    pen.do(operations.share_switches(design, [leaf], ["storage"]))
    pen.join(other, leaf, 2)
    assert {link.a.port for link in design.links_of(other)} == {"storage1", "storage2"}


def test_it_is_found_by_its_role(design, shared):
    assert list(Finder(design).find("role:storage kind:server").ids) == [shared[3]]


def test_own_types_may_have_no_gpus_but_no_slot_for_one_then(tmp_path, catalog):
    plain = replace(catalog.types["generic-storage"], id="my-filer", model="Filer")
    own_types.save(plain, tmp_path)
    assert load(own_folder=tmp_path).types["my-filer"].gpus == 0
    host = replace(catalog.types["generic-host"], id="my-host", gpus=0)
    with pytest.raises(CatalogError, match="the server has no GPUs: leave gpu out of the slot"):
        own_types.save(host, tmp_path)


@pytest.mark.parametrize("type_id", ["generic-storage", "generic-storage-4x200g"])
def test_generic_storage_servers_state_their_ports(catalog, type_id):
    type_ = catalog.get(type_id)
    ports = [slot for slot in type_.slots if slot.purpose == "storage"]
    assert (type_.is_storage, type_.gpus, len(ports)) == (True, 0, 4 if "4x" in type_id else 2)
    assert catalog.get(ports[0].nic_type_id).rate_gbps == (200.0 if "200g" in type_id else 400.0)


def test_by_its_role_a_server_with_a_compute_port_too_serves_storage_alone(pen, design, shared):
    """Until that port has a link; a server with GPUs is an endpoint whatever its role."""
    leaf, filer, hosts, _ = shared
    disks = Slot("disks", purpose=STORAGE_PURPOSE, nic_type_id="generic-nic")
    type_ = ServerType("box", "Acme", "Box", 0, slots=(Slot("fabric", nic_type_id="generic-nic"), disks))
    pen.do(operations.add_device(design, type_, 600, 0, catalog_types={**pen.catalog.types, type_.id: type_}))
    box = design.servers()[-1].id
    pen.wire(box, "disks", filer, design.free_ports(filer)[0].name)

    def give(one, role):
        pen.do(Edit("Set role", (Change(design.device(one), replace(design.device(one), role=role)),)))

    give(box, "")
    assert [one.id for one in survey(design).hosts] == [*hosts, box]
    assert "REACH-001" in {finding.code for finding in validate(design).findings}
    give(box, "storage")
    assert [one.id for one in survey(design).hosts] == hosts
    assert "REACH-001" not in {finding.code for finding in validate(design).findings}
    spare = pen.add("generic-host", "host-3", 700)
    give(spare, "storage")
    assert [one.id for one in survey(design).hosts] == [*hosts, spare]
    pen.wire(box, "fabric", leaf, design.free_ports(leaf)[0].name)
    assert [one.id for one in survey(design).hosts] == [*hosts, box, spare]
