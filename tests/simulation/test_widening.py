"""Wider links of generated networks of routers are tried where they set the pace, as far as ports allow."""

from dataclasses import replace

import pytest

from designer.graph.building.build import build
from designer.model.design import Design
from designer.regeneration.recipes import generated
from designer.simulation.advice.advise import Situation, remedies, tried
from designer.simulation.designs import simulate_design
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.topologies.families import FAMILIES
from designer.validation.judging import new_error

RING = Scenario(collective="all-reduce", algorithm="ring", size_bytes=2**26)
SMALL = {"p": 8, "a": 4, "h": 2, "groups": 4, "switch": "nvidia-qm9700", "server": "dgx-h100"}


@pytest.fixture
def generate(catalog):
    """A generated fabric with its recipe."""

    def make(family_name, **parameters):
        family, design = FAMILIES.named(family_name), Design()
        design.apply(generated(design, family, family.parameters(**parameters), catalog))
        return design

    return make


def widened(design, catalog, scenario=RING):
    """(the situation, its trials of wider links by title)."""
    graph = build(design)
    now = Situation(design, scenario, frozenset(), graph, simulate(graph, scenario), catalog, new_error)
    trials = [tried(now, one) for one in remedies(now) if one.kind == "width"]
    return now, {trial.remedy.title: trial for trial in trials}


def test_the_shared_local_links_of_a_dragonfly_are_tried_wider_and_say_what_they_add(generate, catalog):
    now, trials = widened(generate("dragonfly", **SMALL), catalog)
    two, four = (trials[f"{n} links between every two routers of a group instead of 1"] for n in (2, 4))
    assert (two.adds, four.adds) == ("24 links", "72 links")
    assert four.gain >= two.gain > 0.3
    for trial, n in ((two, 2), (four, 4)):
        plain = generate("dragonfly", **SMALL, group_dims=(4,), group_widths=(n,))
        assert trial.result.time_s == pytest.approx(simulate_design(plain, RING).time_s, rel=1e-6)
        assert trial.result.ranks == now.result.ranks


def test_no_more_links_are_tried_than_routers_have_ports_for(generate, catalog):
    """A router of 32 ports with 8 hosts, 3 local and 2 global links has 19 free: for 2 and 4 links, not with p = 24."""
    few = SMALL | {"switch": "generic-switch-32x400g"}
    assert len(widened(generate("dragonfly", **few), catalog)[1]) == 2
    full = few | {"p": 24, "a": 4, "h": 2}
    _, trials = widened(generate("dragonfly", **full), catalog)
    assert list(trials) == ["2 links between every two routers of a group instead of 1"]


def test_the_global_links_of_a_dragonfly_are_tried_where_they_set_the_pace_between_as_many_groups(generate, catalog):
    shift = replace(RING, collective=None, algorithm=None, traffic="shift:32", size_bytes=1e6)
    now, trials = widened(generate("dragonfly", **SMALL, links_per_pair=1), catalog, shift)
    trial = trials["4 global links of every router instead of 2"]
    assert trial.gain > 0.3 and trial.result.ranks == now.result.ranks
    assert trial.adds == "6 links"  # two of each of six pairs of groups
    assert not any("of a group" in title for title in trials)


def test_as_many_groups_stay_where_more_global_links_would_allow_more(generate, catalog):
    shift = replace(RING, collective=None, algorithm=None, traffic="shift:16", size_bytes=1e6)
    now, trials = widened(generate("dragonfly", **SMALL | {"a": 2, "h": 1, "groups": None}), catalog, shift)
    assert now.result.ranks == 3 * 16
    assert {trials[f"{n} global links of every router instead of 1"].result.ranks for n in (2, 4)} == {48}


def test_leaf_spine_links_of_a_dragonfly_plus_and_lines_of_a_hyperx_are_tried(generate, catalog):
    plus = generate("dragonfly-plus", leafs=2, spines=2, p=16, h=2, groups=3, switch="nvidia-qm9700", server="dgx-h100")
    _, trials = widened(plus, catalog, replace(RING, collective="all-to-all", algorithm=None, size_bytes=1e6))
    assert any("links per leaf and spine instead of" in title or "global links" in title for title in trials)
    cube = generate("hyperx", dims=(4, 2), p=8, switch="nvidia-qm9700", server="dgx-h100")
    _, trials = widened(cube, catalog)
    assert "2 links between every two routers of a line along dimension 1 instead of 1" in trials
    assert "4 links between every two routers of a line along dimension 2 instead of 1" in trials
    assert max(trial.gain for trial in trials.values() if trial.gain is not None) > 0.1


def test_nothing_is_widened_where_nics_set_the_pace(generate, catalog):
    wide = generate("dragonfly", **SMALL, group_dims=(4,), group_widths=(8,))
    scenario = replace(RING, ranks=8, collective="all-reduce")
    assert not widened(wide, catalog, scenario)[1]
