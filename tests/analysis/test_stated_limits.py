"""What a fabric was asked to be is what its design is checked against, from the first time and again."""

from dataclasses import replace

import pytest

from designer.analysis.new_designs import addition, new_design
from designer.analysis.regenerating import regenerated
from designer.analysis.stated_limits import limits_sentence
from designer.catalog.catalog import load
from designer.model.policies import set_limits, set_policy
from designer.model.policy import DEFAULT, Policy
from designer.regeneration.recipes import family_named, parameters_of
from designer.topologies.network_parameters import NetworkParameters

CATALOG = load()
FAMILY = family_named("rail-optimized")
VALUES = {"servers": 16, "servers_per_su": 8, "oversubscription": 2.0}


def group_of(design):
    return next(group for group in design.groups.values() if group.recipe is not None)


def again(design, **values):
    group = group_of(design)
    return regenerated(design, group.id, replace(parameters_of(group), **values), CATALOG)


@pytest.fixture
def design():
    return new_design(FAMILY, VALUES, CATALOG, "", "none").design


@pytest.mark.parametrize("ratio", [1.0, 4.0])
def test_a_regenerated_fabric_is_held_to_what_it_is_asked_to_be_now(design, ratio):
    design.apply(again(design, oversubscription=ratio).edit)
    assert design.policy.leaf_oversubscription == ratio
    straight = new_design(FAMILY, VALUES | {"oversubscription": ratio}, CATALOG, "", "none").design
    assert design.policy == straight.policy


def test_the_same_parameters_change_no_limit(design):
    design.apply(set_limits(design, leaf_oversubscription=3.0))
    assert not again(design).edit


def test_a_limit_set_by_hand_is_raised_and_never_lowered(design):
    design.apply(set_limits(design, leaf_oversubscription=3.0))
    design.apply(again(design, oversubscription=1.0).edit)
    assert design.policy.leaf_oversubscription == 3.0
    design.apply(again(design, oversubscription=4.0).edit)
    assert design.policy.leaf_oversubscription == 4.0


def test_a_policy_with_a_name_is_left_alone(design):
    design.apply(set_policy(design, Policy(name="Acme 2027", leaf_oversubscription=2.0)))
    design.apply(again(design, oversubscription=4.0).edit)
    assert design.policy.leaf_oversubscription == 2.0


def test_a_second_fabric_keeps_the_limit_of_the_first(design):
    values = FAMILY.parameters(servers=8, servers_per_su=8)
    design.apply(addition(design, FAMILY, values, NetworkParameters(), CATALOG, "none").edit)
    assert design.policy.leaf_oversubscription == 2.0
    design.apply(again(design, oversubscription=1.0).edit)
    assert design.policy.leaf_oversubscription == 2.0, "two fabrics: neither alone says what the limit is"


def test_what_a_generated_fabric_changes_of_the_policy_is_said():
    both = replace(DEFAULT, leaf_oversubscription=2.0, spine_oversubscription=1.5)
    assert limits_sentence(DEFAULT, DEFAULT) == ""
    assert limits_sentence(DEFAULT, both) == (
        "The policy now allows an oversubscription of 2:1 at leaf switches and 1.5:1 at spine switches."
    )
