"""Faults that are seeded in what was found are reported as exactly these, and nothing else is."""

import random
from dataclasses import replace

import pytest
from built import ACTS, NAMERS, Site, found_of

from designer.catalog.catalog import load
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.fault import EXTRA, MISSING, NOT_FOUND, NOT_PLANNED, WRONG_PORT, WRONG_SPEED
from designer.exchange.as_built.faults import compare_as_built
from designer.exchange.reading.found import FoundEnd, FoundLink, FoundNode
from designer.model.design import Design
from designer.topologies import rail_optimized

CASES = 300


@pytest.fixture(scope="module")
def pod():
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(
        switch="nvidia-qm9700", server="dgx-h100", servers=16, servers_per_su=8, reserve_leaf_ports=4
    )
    design.apply(rail_optimized.build(design, parameters, load()))
    return design


def reported(design, site, name):
    found = compare_as_built(design, site.found(name))
    return found, sorted((fault.kind, fault.link_id) for fault in found.faults)


@pytest.mark.parametrize("name", NAMERS, ids=lambda name: name.__name__)
def test_a_true_copy_has_no_differences(pod, name):
    found = compare_as_built(pod, found_of(pod, name))
    assert found.faults == () and found.notes == ()
    assert found.summary == f"{len(pod.links)} of {len(pod.links)} planned cables found as planned; no differences"


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("name", NAMERS, ids=lambda name: name.__name__)
def test_one_fault_of_each_kind_is_reported_as_just_that(pod, act, name):
    site = Site(pod, random.Random(f"{act}"))
    getattr(site, act)()
    assert site.expected and reported(pod, site, name)[1] == sorted(site.expected)


def random_case(pod, seed):
    dice = random.Random(seed)
    site = Site(pod, dice)
    for _ in range(dice.randint(1, 8)):
        getattr(site, dice.choice(ACTS))()
    return site, reported(pod, site, dice.choice(NAMERS))


@pytest.mark.parametrize("seed", range(20))
def test_random_faults_are_reported_as_exactly_these(pod, seed):
    site, (_, faults) = random_case(pod, seed)
    assert faults == sorted(site.expected)


@pytest.mark.slow
def test_hundreds_of_random_cases_are_reported_exactly(pod):
    wrong = [seed for seed in range(CASES) if (case := random_case(pod, seed))[1][1] != sorted(case[0].expected)]
    assert wrong == []


@pytest.mark.parametrize("seed", range(100, 110))
def test_a_design_as_built_has_no_difference_to_what_it_was_built_from(pod, seed):
    site, (found, _) = random_case(pod, seed)
    built, left_out = as_built_design(pod, found)
    again = compare_as_built(built, site.found(NAMERS[0]))
    assert left_out == () and {fault.kind for fault in again.faults} <= {NOT_FOUND, WRONG_SPEED}


def test_cables_between_devices_that_nobody_asked_are_not_missing(pod):
    """Of a leaf and a server alone, whose neighbors were listed."""
    whole = found_of(pod)
    names = ("leaf-su1-r1", "gpu-03")
    seen = tuple(link for link in whole.links if {link.a.node, link.b.node} & set(names))
    found = compare_as_built(pod, replace(whole, links=seen, reporters=names))
    assert found.faults == () and found.n_planned == len(seen)
    found = compare_as_built(pod, replace(whole, links=seen[1:], reporters=names))
    assert [fault.kind for fault in found.faults] == [MISSING]


def test_one_device_that_looked_around_says_nothing_of_cables_between_others(pod):
    whole = found_of(pod)
    seen = [link for link in whole.links if "leaf-su1-r1" in (link.a.node, link.b.node)]
    nodes = tuple(node for node in whole.nodes if any(node.name in (one.a.node, one.b.node) for one in seen[2:]))
    found = compare_as_built(pod, replace(whole, links=tuple(seen[2:]), nodes=nodes))
    assert [fault.kind for fault in found.faults] == [MISSING, MISSING] and found.n_planned == len(seen)


def test_a_node_without_a_known_name_is_taken_for_the_device_that_its_cables_are_of(pod):
    whole = found_of(pod)

    def named(end):
        return replace(end, node="S-0002c903") if end.node == "spine-01" else end

    links = tuple(replace(link, a=named(link.a), b=named(link.b)) for link in whole.links)
    nodes = tuple(replace(node, name="S-0002c903") if node.name == "spine-01" else node for node in whole.nodes)
    found = compare_as_built(pod, replace(whole, links=links, nodes=nodes))
    assert found.faults == () and found.notes == (
        "S-0002c903 is taken for spine-01 by its cables: no device is called so",
    )


def test_a_device_that_is_not_planned_is_listed_with_its_cable(pod):
    whole = found_of(pod)
    spine = next(one for one in pod.switches() if pod.free_ports(one.id) and one.role == "leaf")
    port = pod.free_ports(spine.id)[0].name
    link = FoundLink(FoundEnd("tap-7", "eth0"), FoundEnd(spine.name, port))
    found = compare_as_built(pod, replace(whole, links=(*whole.links, link), nodes=(*whole.nodes, FoundNode("tap-7"))))
    assert [(one.kind, one.name) for one in found.faults] == [
        (NOT_PLANNED, "tap-7"),
        (EXTRA, f"{spine.name} port {port}"),
    ]
    assert found.faults[1].found == "tap-7 port eth0"


def test_speeds_that_are_not_compared_are_no_faults(pod):
    site = Site(pod, random.Random(1))
    site.slow()
    assert compare_as_built(pod, site.found(NAMERS[0]), speeds=False).faults == ()


def test_a_port_by_a_foreign_name_is_not_the_one_that_another_name_is_known_for(pod):
    """Two servers call rail 1 enp3s0np0; on the third the cable is in a port that nobody knows."""
    whole = found_of(pod, NAMERS[2])
    links = tuple(
        replace(link, a=replace(link.a, port="enp500s0np0"))
        if link.a == FoundEnd("GPU-03.pod.example", "enp3s0np0")
        else link
        for link in whole.links
    )
    found = compare_as_built(pod, replace(whole, links=links))
    assert [(one.kind, one.name) for one in found.faults] == [(WRONG_PORT, "leaf-su1-r1 port 2/1")]
    assert found.notes == ("gpu-03 has no port enp500s0np0 in the design",)


def test_a_strange_device_on_one_port_is_not_taken_for_the_one_that_belongs_there(pod):
    site = Site(pod, random.Random(2))
    lost = pod.find("spine-02")
    for link in pod.links_of(lost.id):
        del site.links[link.id]
    far = pod.links_of(lost.id)[0]
    near = far.a if far.b.device_id == lost.id else far.b
    whole = site.found(NAMERS[0])
    tap = FoundLink(FoundEnd("tap-7", "1"), FoundEnd(pod.device(near.device_id).name, near.port))
    found = compare_as_built(pod, replace(whole, links=(*whole.links, tap), nodes=(*whole.nodes, FoundNode("tap-7"))))
    assert {one.name for one in found.faults if one.kind == NOT_FOUND} == {"spine-02"}
    assert {one.name for one in found.faults if one.kind == NOT_PLANNED} == {"tap-7"} and found.notes == ()
