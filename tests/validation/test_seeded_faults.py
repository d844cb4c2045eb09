"""Faults of every kind, put into designs of every family at random: each is found, and its fix makes nothing worse.

An injector takes a clean design and a source of chance, and returns the changes that make the fault, or None where the
design has no place for it. Every rule has one.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from clean_designs import DESIGNS, SMALL_RAILS, clean
from example_faults import AT_ONE_PLACE
from fabric_faults import AT_RANDOM
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from injecting import under
from limit_faults import AT_A_LIMIT

from designer.model.edit import Edit
from designer.storage import document
from designer.validation.checked import completed
from designer.validation.engine import RULES, validate
from designer.validation.findings import Severity
from designer.validation.fixing import fixed

EXAMPLES = Path(__file__).parents[2] / "examples"
HIDDEN = {one.code: {*one.hides} for one in RULES}
"""By rule, what its fix may bring up."""
LAST = {one.code for one in RULES if one.is_last}
"""Rules that look at what the others found."""


def worse(report):
    """How many errors and warnings of each rule are open."""
    counted = (Severity.ERROR, Severity.WARNING)
    return Counter(one.code for one in report.open if one.severity in counted)


def codes_of(report):
    return {one.code for one in report.findings}


def broken(code, name, random):
    """The design of that name with a fault of that kind; None where it has no place."""
    design = clean(name).snapshot()
    if code in AT_A_LIMIT:
        limited = AT_A_LIMIT[code](design, random)
        if limited is None:
            return None
        limits, fault = limited
        design.apply(Edit("limit", (under(design, **limits),)))
        if code in codes_of(validate(design, codes=checked(code))):
            return None
        changes = fault(design)
    else:
        changes = (AT_RANDOM | AT_ONE_PLACE)[code](design, random)
    if not changes:
        return None
    design.apply(Edit("fault", tuple(changes)))
    return design


def checked(code):
    """The rules to check to see what that rule finds: itself, or all where it looks at what others found."""
    return None if code in LAST else {code}


def is_found(code, report, name):
    """The first findings of the rule in the report; there are some."""
    found = [one for one in report.open if one.code == code]
    assert found, f"{code} is not found in {name}"
    return found[:2]


def fixes_make_nothing_worse(code, design, name, found, before=None):
    """The fix of each finding removes it and brings up nothing but what it may; `before` is the report of all rules."""
    with_fix = [finding for finding in found if finding.fix is not None]
    if with_fix and before is None:
        before = validate(design)
    for finding in with_fix:
        tried = design.snapshot()
        tried.apply(completed(design, finding.fix))
        after = validate(tried)
        same = [(one.code, one.subjects, one.message) for one in after.open]
        assert (finding.code, finding.subjects, finding.message) not in same
        came = set(worse(after) - worse(before)) - HIDDEN[code]
        assert not came, f"{finding.fix.label} in {name}: {came}"


def has_place(code, name, random):
    """False where the design has no place for the fault; else it is found among all findings, and its fix is tried."""
    design = broken(code, name, random)
    if design is None:
        return False
    report = validate(design)
    found = is_found(code, report, name)
    assert code in LAST or is_found(code, validate(design, codes={code}), name) == found
    fixes_make_nothing_worse(code, design, name, found, report)
    return True


def seeded(code, data):
    random = Random(data.draw(st.integers(0, 2**32 - 1), label="seed"))
    everywhere = (SMALL_RAILS,) if code in AT_ONE_PLACE else tuple(DESIGNS)
    names = data.draw(st.permutations(everywhere), label="designs")
    assert any(has_place(code, name, random) for name in names), f"no place for {code}"


CODES = sorted(AT_RANDOM | AT_A_LIMIT | AT_ONE_PLACE)


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=1, derandomize=True, database=None, phases=(Phase.generate,))
@given(data=st.data())
def test_a_seeded_fault_is_found_and_its_fix_makes_nothing_worse(code, data):
    seeded(code, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("code", sorted(AT_RANDOM | AT_A_LIMIT))
def test_seeded_faults_are_found_in_every_design(code, name):
    design = broken(code, name, Random(f"{code} in {name}"))  # at another place in each design
    if design is not None:
        report = validate(design, codes=checked(code))
        fixes_make_nothing_worse(code, design, name, is_found(code, report, name), report if code in LAST else None)


def left_to_fix(seed):
    """What can be fixed in a clean design with one to three faults once all is fixed that can be, by rule."""
    random = Random(seed)
    name = random.choice([one for one in DESIGNS if one != "example of four units"])
    design, codes = clean(name).snapshot(), []
    for code in random.choices(sorted(AT_RANDOM), k=random.choice((1, 2, 3))):
        changes = AT_RANDOM[code](design, random)
        if changes:
            design.apply(Edit(code, tuple(changes)))
            codes.append(code)
    done = fixed(design)
    design.apply(done.edit)
    report = validate(design)
    assert report.open == done.left
    return name, codes, [one.code for one in report.open if one.fix is not None]


@pytest.mark.parametrize("seed", range(5))
def test_all_fixes_applied_one_after_another_end_in_nothing_that_can_be_fixed(seed):
    name, codes, left = left_to_fix(seed)
    assert not left, (name, codes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 100))
def test_all_fixes_of_many_faults_end_in_nothing_that_can_be_fixed(seed):
    name, codes, left = left_to_fix(seed)
    assert not left, (name, codes)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_all_fixes_of_a_fault_of_every_rule_in_one_design_end_in_nothing_that_can_be_fixed(name):
    random, design = Random(name), clean(name).snapshot()
    for code in random.sample(sorted(AT_RANDOM), k=len(AT_RANDOM)):
        changes = AT_RANDOM[code](design, random)
        if changes:
            design.apply(Edit(code, tuple(changes)))
    design.apply(fixed(design).edit)
    assert [one.code for one in validate(design).open if one.fix is not None] == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.fabric")), ids=lambda path: path.stem)
def test_all_fixes_of_an_example_end_in_nothing_that_can_be_fixed(path):
    design = document.load(path)
    done = fixed(design)
    assert not [one.code for one in done.left if one.fix is not None]
    design.apply(done.edit)
    assert validate(design).open == done.left


def test_every_rule_has_an_injector():
    assert [one.code for one in RULES] == CODES
