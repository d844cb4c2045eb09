"""Findings kept edit by edit are those of a full check, whatever is edited, undone, redone, generated or reopened."""

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.tiers import tier_of
from designer.storage import document
from designer.validation.part import Part
from designer.validation.rule import registered
from designer.validation.scope import READABLE

sys.path.insert(0, str(Path(__file__).parent))

from random_edits import Story, run

SEQUENCES = 60
"""10,000 take half an hour: tests/benchmarks/kept_findings.py."""


@settings(max_examples=40)
@given(random=st.randoms(use_true_random=False))
def test_kept_findings_are_those_of_a_full_check(catalog, random):
    story = Story(random, catalog)
    for _ in range(6):
        story.step()
        story.check()


@pytest.fixture(scope="module")
def faults():
    """A fabric that is cabled, racked and grouped, with a fault of every kind."""
    return document.load(Path(__file__).parents[2] / "examples" / "faults.fabric")


@pytest.mark.parametrize(("seed", "steps"), [(24, 1), (2, 2), (9, 4)])
def test_kept_findings_of_a_large_design_are_those_of_a_full_check(catalog, faults, seed, steps):
    """Seeds whose last edit places all racks, deletes one, and makes a unit a dragonfly group."""
    assert run(seed, catalog, steps, faults) == steps


@pytest.mark.slow
def test_many_long_sequences_of_edits(catalog):
    followed = [run(seed, catalog) for seed in range(SEQUENCES)]
    assert sum(followed) > 5 * SEQUENCES


class WithoutSurvey(Part):
    """All of a design as a part of it."""

    @property
    def survey(self):
        raise AssertionError("a rule of local scope surveys the whole design")


def test_rules_of_local_scope_state_all_of_the_parts_they_are_handed(catalog):
    local = [rule for rule in registered() if rule.scope.is_local]
    n_stated = 0
    for seed in range(25):
        design = Story(Random(seed), catalog).design
        part = WithoutSurvey(design, tier_of(design))
        part.parts = {*design.devices, *design.links, *design.racks, *design.groups}
        for rule in local:
            for stated in rule.check(part, rule):
                n_stated += 1
                assert part.at in part.parts, f"{rule.code} states {stated} of no part"
    assert n_stated > 100


def test_each_rule_says_which_tables_it_reads():
    for rule in registered():
        assert rule.reads and set(rule.reads) <= set(READABLE), rule.code
