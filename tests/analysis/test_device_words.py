"""What devices are called: hosts and nodes by their types, routers by their role, the same wherever counted."""

from dataclasses import replace

import pytest

from designer.analysis.fabric_names import fabric_name
from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.analysis.tiers import (
    counted_devices,
    device_word,
    server_word,
    servers_title,
    switch_word,
    switches_title,
)
from designer.drawing.composition import Composition
from designer.drawing.folding.stacks import ports_text
from designer.drawing.legend_keys import keys_on
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.theme import LIGHT
from designer.model import collapsing
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies.families import BUILT_IN

NODES = {"p": 2, "a": 4, "h": 2, "groups": 3, "other_groups": (("io", (1, 4, 2)),)}


@pytest.fixture(scope="module")
def make(catalog):
    def built(name, **values):
        family = next(one for one in BUILT_IN if one.name == name)
        design = Design()
        design.apply(family.build(design, family.parameters(**values), catalog))
        return design

    return built


@pytest.fixture(scope="module")
def mixed(make):
    """A dragonfly of 24 hosts, and 8 nodes without GPUs in a group of their own."""
    return make("dragonfly", kind_servers=(("io", "generic-node"),), **NODES)


def test_hosts_and_nodes_together_are_nodes_and_each_alone_what_it_is(mixed):
    hosts = [one.id for one in mixed.servers() if mixed.device_type(one.id).gpus]
    nodes = [one.id for one in mixed.servers() if one.id not in hosts]
    assert (len(hosts), len(nodes)) == (24, 8)
    assert (server_word(mixed), server_word(mixed, hosts), server_word(mixed, nodes)) == ("node", "host", "node")
    assert {device_word(mixed, one) for one in hosts} == {"host"}
    assert counted_devices(mixed) == ["32 nodes", "16 routers"]
    assert counted_devices(mixed, [*hosts, mixed.switches()[0].id]) == ["24 hosts", "1 router"]
    assert (servers_title(mixed), switches_title(mixed)) == ("Nodes", "Routers")


def test_servers_of_a_catalog_are_servers_and_tiers_are_switches(make):
    design = make("fat-tree", servers=16)
    assert counted_devices(design) == ["16 servers", f"{len(design.switches())} switches"]
    assert (servers_title(design), switches_title(design)) == ("Servers", "Switches")
    assert (server_word(Design()), switch_word(Design())) == ("server", "switch")


def test_one_switch_that_is_no_router_makes_all_of_them_switches(make):
    design = make("dragonfly", p=1, a=4, h=1)
    routers = [one.id for one in design.switches()]
    assert switch_word(design) == switch_word(design, routers) == "router"
    last = design.device(routers[-1])
    design.apply(Edit("Set role", (Change(last, replace(last, role="leaf")),)))
    assert switch_word(design) == switch_word(design, routers) == "switch"
    assert switch_word(design, routers[:-1]) == "router"


def test_boxes_legends_names_and_info_call_them_the_same(mixed, catalog):
    design = mixed.snapshot()
    design.apply(collapsing.collapse_all(design))
    composition = Composition(design)
    projection = composition.projection
    said = {projection.devices_at(row) for row in range(projection.n_own, len(projection.kinds))}
    assert said == {"8 hosts, 4 routers", "8 nodes, 4 routers"}
    boxes = range(projection.n_own, len(projection.kinds))
    assert all(ports_text(projection, row).endswith(" router ports used") for row in boxes)
    notes = {group.note for group in Composition(mixed).projection.groups}
    assert notes == said
    kinds = keys_on(Composition(mixed).picture(LIGHT, Detail(LinkDetail.BUNDLES)))[0]
    assert [one.text for one in kinds.swatches] == ["Node", "Router"]
    family = next(one for one in BUILT_IN if one.name == "dragonfly")
    assert fabric_name(mixed, family, family.parameters(**NODES)).endswith("32 nodes")
    facts = dict(summary_facts(summarize(mixed), mixed))
    assert facts["nodes"] == "32: 24 hosts and 8 without GPUs"
    assert facts["switches"] == "16 routers" and facts["diameter"].endswith("router to router")


def test_hosts_alone_are_an_endpoint_each_and_gpus_are_counted(make):
    hosts, gpus = make("dragonfly", p=1, a=4, h=1), make("fat-tree", servers=16)
    assert dict(summary_facts(summarize(hosts), hosts))["hosts"] == "20"
    assert dict(summary_facts(summarize(gpus), gpus))["servers"] == "16 with 128 GPUs"
