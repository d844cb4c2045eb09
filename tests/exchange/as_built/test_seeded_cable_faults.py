"""Faults that are seeded in what was found are reported as exactly these, and nothing else is."""

import random

import pytest
from built import ACTS, NAMERS, Site, found_of

from designer.catalog.catalog import load
from designer.exchange.as_built.as_design import as_built_design
from designer.exchange.as_built.faults import NOT_FOUND, WRONG_SPEED, compare_as_built
from designer.model.design import Design
from designer.topologies import rail_optimized

CASES = 1000


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
def test_a_thousand_random_cases_are_reported_exactly(pod):
    wrong = [seed for seed in range(CASES) if (case := random_case(pod, seed))[1][1] != sorted(case[0].expected)]
    assert wrong == []


@pytest.mark.parametrize("seed", range(100, 110))
def test_a_design_as_built_has_no_difference_to_what_it_was_built_from(pod, seed):
    site, (found, _) = random_case(pod, seed)
    built, left_out = as_built_design(pod, found)
    again = compare_as_built(built, site.found(NAMERS[0]))
    assert left_out == () and {fault.kind for fault in again.faults} <= {NOT_FOUND, WRONG_SPEED}
