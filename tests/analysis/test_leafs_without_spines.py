"""Oversubscription of storage and management networks whose leaf switches are joined to each other, without spines."""

from dataclasses import replace

import pytest

from designer.analysis.oversubscription import ratios_after, switches
from designer.analysis.summary import summarize
from designer.analysis.survey import survey
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.networks import COMPUTE, STORAGE


class Storage:
    """A storage network: servers and switches by name, each link of 400G."""

    def __init__(self, catalog):
        self.catalog, self.design = catalog, Design()

    def add(self, type_id, *names, network=STORAGE):
        for name in names:
            type_, types = self.catalog.get(type_id), self.catalog.types
            edit = operations.add_device(self.design, type_, 0, 0, catalog_types=types, name=name)
            self.design.apply(edit)
            device = self.design.find(name)
            if self.design.is_switch(device.id):
                self.design.apply(Edit("", (Change(device, replace(device, network=network)),)))
            else:
                for slot in ("storage1", "storage2"):
                    nic = self.catalog.get("connectx-7-ndr-2p")
                    self.design.apply(operations.install_module(self.design, device.id, nic, slot))

    def join(self, *pairs, count=1):
        for a, b in pairs:
            ids = self.design.find(a).id, self.design.find(b).id
            self.design.apply(operations.connect_devices(self.design, *ids, count))

    def ratios(self, network=STORAGE):
        rows = switches(survey(self.design, network))
        return {self.design.device(row.device_id).name: row.ratio for row in rows}


@pytest.fixture
def storage(catalog):
    """Leaf a with two servers, leaf b with one."""
    made = Storage(catalog)
    made.add("dgx-h100", "gpu-1", "gpu-2", "gpu-3")
    made.add("nvidia-qm9700", "a", "b")
    made.join(("gpu-1", "a"), ("gpu-2", "a"), ("gpu-3", "b"))
    return made


def test_what_leafs_carry_to_each_other_is_their_way_out(storage):
    assert storage.ratios() == {"a": None, "b": None}
    storage.join(("a", "b"))
    assert storage.ratios() == {"a": 2.0, "b": 1.0}
    assert summarize(storage.design).networks[STORAGE].oversubscription == {"leaf": 2.0}
    storage.join(("a", "b"))
    assert storage.ratios() == {"a": 1.0, "b": 0.5}


def test_a_pair_that_every_server_is_linked_to_has_no_ratio(storage):
    """Nothing has to cross from one to the other; where one server is on a alone, its traffic has to."""
    storage.join(("a", "b"), ("gpu-1", "b"), ("gpu-3", "a"))
    assert storage.ratios() == {"a": 1.0, "b": None}
    storage.join(("gpu-2", "b"))
    assert storage.ratios() == {"a": None, "b": None}


def test_links_within_a_pair_are_no_way_to_others(storage):
    storage.join(("gpu-1", "b"), ("gpu-2", "b"), ("gpu-3", "a"), count=1)
    storage.join(("a", "b"), count=8)
    storage.add("dgx-h100", "gpu-4")
    storage.add("nvidia-qm9700", "c")
    storage.join(("gpu-4", "c"), ("a", "c"))
    assert storage.ratios() == {"a": 3.0, "b": None, "c": 1.0}


def test_leafs_with_uplinks_and_ports_that_are_kept_free_do_not_count(storage):
    storage.join(("a", "b"))
    switch = storage.design.find("a")
    (link,) = set(storage.design.links_of(switch.id)) & set(storage.design.links_of(storage.design.find("b").id))
    port = link.a.port if link.a.device_id == switch.id else link.b.port
    storage.design.apply(Edit("", (Change(switch, replace(switch, reserved_ports=(port,))),)))
    assert storage.ratios() == {"a": None, "b": None}
    storage.add("nvidia-qm9700", "spine")
    storage.join(("a", "b"), ("a", "spine"))
    assert storage.ratios() == {"a": 2.0, "b": 1.0, "spine": None}
    assert [row.across_gbps for row in switches(survey(storage.design, STORAGE))] == [0, 400, 0]


def test_the_ratios_that_an_edit_brings_are_stated_for_the_switches_that_it_joins(storage):
    first = storage.design.find("a").id, storage.design.find("b").id
    edit = operations.connect_devices(storage.design, *first)
    assert ratios_after(storage.design, edit) == "2:1 at a; 1:1 at b"
    storage.design.apply(edit)
    server = operations.connect_devices(storage.design, storage.design.find("gpu-1").id, first[0])
    assert ratios_after(storage.design, server) == ""


def test_leafs_of_the_compute_network_that_are_joined_have_no_ratio(storage):
    """Routers of tori and dragonflies are joined so, whose measure is another."""
    storage.add("nvidia-qm9700", "leaf-1", "leaf-2", network="")
    storage.join(("gpu-1", "leaf-1"), ("gpu-2", "leaf-2"), ("leaf-1", "leaf-2"))
    assert storage.ratios(COMPUTE) == {"leaf-1": None, "leaf-2": None}
