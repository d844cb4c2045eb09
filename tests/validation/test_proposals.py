"""What fixes of a finding change in all findings, and fixes of several findings about one switch joined."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.storage import document
from designer.validation import fixing
from designer.validation import proposals as proposals_module
from designer.validation.engine import validate
from designer.validation.findings import Finding, Severity
from designer.validation.fixing import fixed
from designer.validation.proposals import Proposal, proposals
from tests.validation.crossed_rails import crossed, servers_of


@pytest.fixture
def design(catalog):
    return crossed(catalog)


def of(design, code):
    """The first open finding of a rule."""
    return next(one for one in validate(design).open if one.code == code)


def faults(design):
    return [one for one in validate(design).open if one.severity is not Severity.INFO]


def test_the_fixes_of_crossed_rails_and_of_oversubscription_each_bring_something_new(design):
    """Else there is nothing to join."""
    for code, brings in (("OVER-001", "SPREAD-001"), ("RAIL-001", "OVER-001")):
        (own,) = (one for one in proposals(design, of(design, code)) if one.is_own)
        assert [one.code for one in own.adds] == [brings]


@pytest.mark.parametrize("code", ["OVER-001", "RAIL-001"])
def test_one_proposal_clears_both_findings_about_a_leaf(design, code):
    before = document.encode(design)
    best, own = proposals(design, of(design, code))
    assert document.encode(design) == before
    assert best.label == "Move the link at gpu-01 port rail1 to leaf-su1-r1 and add 1 uplink to leaf-su1-r1"
    assert (best.is_own, own.is_own) == (False, True)
    assert {one.code for one in best.clears} == {"OVER-001", "RAIL-001", "SPREAD-001"} and not best.adds
    design.apply(best.edit)
    assert faults(design) == []


def test_a_fix_that_brings_an_error_says_so_and_comes_last(design):
    *_, last = proposals(design, of(design, "RAIL-001"))
    assert last.n_errors_added == 1
    assert "Adds 1 error: leaf-su1-r1: 3.2 Tb/s down, 2.8 Tb/s up" in last.effect
    assert last.effect.startswith("Clears 1 error and 1 warning (OVER-001, RAIL-001)")


def test_a_fix_that_is_as_good_alone_stands_alone(design):
    """The even spread of the other leaf needs no other fix."""
    (only,) = proposals(design, of(design, "SPREAD-001"))
    assert only.is_own and only.effect == ""


def test_a_finding_without_a_fix_is_fixed_by_that_of_another_about_its_switch(design):
    """With all ports of the leaf taken no uplink can be added, but the link can go where it belongs."""
    leaf = design.find("leaf-su1-r2")
    full = replace(leaf, reserved_ports=tuple(port.name for port in design.free_ports(leaf.id)))
    design.apply(Edit("Reserve all ports", (Change(leaf, full),)))
    finding = of(design, "OVER-001")
    assert finding.fix is None
    (found,) = proposals(design, finding)
    assert not found.is_own and not found.adds and "OVER-001" in {one.code for one in found.clears}


def test_nothing_is_proposed_for_a_finding_that_the_design_no_longer_has(design):
    finding = of(design, "RAIL-001")
    design.apply(proposals(design, finding)[0].edit)
    assert proposals(design, finding) == ()


def test_a_finding_that_gets_worse_counts_as_added(design):
    """With one uplink less the leaf of rail 1 is oversubscribed already: the link that comes back makes that worse."""
    own = design.find("leaf-su1-r1").id
    there = servers_of(design)
    ups = [one for one in design.links_of(own) if not {one.a.device_id, one.b.device_id} & there]
    design.apply(operations.delete(design, [one.id for one in ups[:2]]))
    before = next(one for one in validate(design).open if one.code == "OVER-001" and own in one.subjects)
    (alone,) = (one for one in proposals(design, of(design, "RAIL-001")) if one.is_own)
    (worse,) = (one for one in alone.adds if one.code == "OVER-001")
    assert worse.subjects == before.subjects and worse.value > before.value


def test_fixing_all_clears_what_was_refused_alone(design):
    made = fixed(design)
    assert made.left == () and {code for code, _ in made.fixes} == {"RAIL-001", "SPREAD-001"}
    design.apply(made.edit)
    assert faults(design) == []


def test_fixing_two_rules_joins_fixes_of_which_the_second_is_there_after_the_first_alone(design):
    made = fixed(design, {"OVER-001", "RAIL-001"})
    assert made.left == () and [code for code, _ in made.fixes] == ["RAIL-001", "OVER-001"]


def test_fixing_two_rules_joins_nothing_that_brings_something_new(design, monkeypatch):
    monkeypatch.setattr(fixing, "proposals", _each_adding(of(design, "SPREAD-001")))
    assert {one.code for one in fixed(design, {"OVER-001", "RAIL-001"}).left} == {"OVER-001", "RAIL-001"}


def _each_adding(finding):
    """Proposals as they are made, but that each adds a finding."""
    return lambda *asked: tuple(replace(one, adds=(finding,)) for one in proposals(*asked))


def test_no_more_fixes_are_joined_than_can_be_read(design, monkeypatch):
    monkeypatch.setattr(proposals_module, "STEPS_MOST", 1)
    assert [one.is_own for one in proposals(design, of(design, "OVER-001"))] == [True]


def test_a_fix_that_cannot_be_applied_is_tried_once(design, monkeypatch):
    tried = []

    def refused(_now, finding, _progress):
        tried.append(finding.code)
        assert len(tried) < 10, "without end"

    monkeypatch.setattr(proposals_module, "_applied", refused)
    assert proposals(design, of(design, "OVER-001")) == ()
    assert sorted(tried) == ["OVER-001", "OVER-001", "RAIL-001", "RAIL-001"], "once in each of two orders"


def test_fixing_one_rule_applies_no_fix_of_another(design):
    made = fixed(design, {"RAIL-001"})
    assert made.fixes == () and [one.code for one in made.left] == ["RAIL-001"]


def test_findings_are_ranked_by_new_errors_then_by_what_they_clear():
    def proposal(clears=(), adds=()):
        return Proposal(Edit("x", ()), (), True, clears, adds)

    error, warning = (Finding("TEST-001", one, "x", ("d1",)) for one in (Severity.ERROR, Severity.WARNING))
    ordered = [
        proposal((error, warning)),
        proposal((error,)),
        proposal((warning,)),
        proposal((error, error), (warning,)),
        proposal((error, error), (error,)),
    ]
    mixed = [ordered[number] for number in (3, 1, 4, 0, 2)]
    assert sorted(mixed, key=lambda one: one.rank) == ordered


def test_other_cables_are_no_part_of_a_fix_that_moves_links(catalog):
    """A cable that is too short for a link on the wrong leaf needs no other one for where it will lead."""
    design = crossed(catalog, is_prepared=True)
    (alone,) = proposals(design, of(design, "MEDIA-002"))
    assert alone.is_own
    best = proposals(design, of(design, "OVER-001"))[0]
    assert "MEDIA-002" not in {one.finding.code for one in best.steps}
    assert "MEDIA-002" in {one.code for one in best.clears}
