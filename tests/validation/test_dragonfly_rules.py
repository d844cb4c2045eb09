"""Rules about dragonflies: each breaks by one link, and does not by one link less."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.topologies import dragonfly
from designer.validation.dragonflies import _effect
from designer.validation.engine import validate


def made(**sizes):
    design = Design()
    design.apply(dragonfly.build(design, dragonfly.DragonflyParameters(**sizes), load()))
    return design


@pytest.fixture(scope="module")
def balanced():
    """9 groups of 4 routers, every two joined by one link. Not to be changed: take a snapshot."""
    return made(p=2, a=4, h=2)


@pytest.fixture(scope="module")
def doubled():
    """3 groups of 4 routers, every two joined by four links. Not to be changed."""
    return made(p=2, a=4, h=2, groups=3, arrangement="even")


def codes(design):
    return [finding.code for finding in validate(design).findings]


def only(design, code):
    findings = [finding for finding in validate(design).findings if finding.code == code]
    assert len(findings) == 1, [finding.message for finding in findings]
    return findings[0]


def links_between(design, a, b, switches=True):
    """Links between routers of two groups, by name of the groups."""
    found = []
    for link in design.links.values():
        ends = [design.device(end.device_id) for end in (link.a, link.b)]
        groups = sorted(design.groups[one.group_id].name for one in ends)
        if groups == sorted((a, b)) and all(design.is_switch(one.id) for one in ends):
            found.append(link)
    return found


def cut(design, links):
    design.apply(Edit("cut", removed(links)))
    return design


def assert_fixed(design, finding):
    before = set(codes(design))
    design.apply(finding.fix)
    after = validate(design).findings
    assert (finding.code, finding.message) not in {(one.code, one.message) for one in after}
    assert {one.code for one in after} <= before - {finding.code} | {"DFLY-004"}


def test_a_dragonfly_as_published_is_clean(balanced, doubled):
    assert codes(balanced) == []
    assert codes(doubled) == []


def test_two_groups_without_a_global_link_are_found_and_joined(balanced):
    design = cut(balanced.snapshot(), links_between(balanced, "Group 2", "Group 5"))
    finding = only(design, "DFLY-001")
    assert finding.message == "Group 2 has no global link to Group 5"
    assert (finding.value, finding.limit) == (7, 8)
    assert [design.groups[one].name for one in finding.subjects] == ["Group 2", "Group 5"]
    assert finding.fix.label == "Join Group 2 and Group 5"
    assert_fixed(design, finding)


def test_a_group_without_any_global_link_is_one_finding(balanced):
    every = [link for other in range(2, 10) for link in links_between(balanced, "Group 1", f"Group {other}")]
    finding = only(cut(balanced.snapshot(), every), "DFLY-001")
    assert finding.message == "Group 1 has no global link to Group 2, Group 3, Group 4 and 5 more"
    assert len(finding.fix.changes) == 8


def test_no_link_between_groups_is_offered_where_ports_are_used_up(balanced):
    design = balanced.snapshot()
    (gone,) = links_between(design, "Group 2", "Group 5")
    router = design.device(gone.a.device_id)
    cut(design, [gone])
    design.apply(Edit("keep", (Change(router, replace(router, reserved_ports=(gone.a.port,))),)))
    assert only(design, "DFLY-001").fix is None


def test_a_missing_local_link_is_found_and_added(balanced):
    design = balanced.snapshot()
    gone = links_between(design, "Group 3", "Group 3")[0]
    cut(design, [gone])
    finding = only(design, "DFLY-002")
    assert finding.message == "Group 3: router-g3-1 is linked to 2 of 3 routers of the group, not to router-g3-2"
    assert (finding.value, finding.limit) == (2, 3)
    assert_fixed(design, finding)


def test_a_missing_local_link_of_a_lattice_is_found_without_a_fix():
    design = made(p=2, a=6, h=2, groups=3, group_dims=(3, 2), arrangement="even")
    assert "DFLY-002" not in codes(design)
    cut(design, links_between(design, "Group 1", "Group 1")[:1])
    finding = only(design, "DFLY-002")
    assert (finding.value, finding.limit, finding.fix) == (2, 3, None)


@pytest.mark.parametrize(("fewer", "is_found"), [(1, False), (2, True)])
def test_pairs_of_groups_may_differ_by_one_link_unless_that_is_half(doubled, fewer, is_found):
    design = cut(doubled.snapshot(), links_between(doubled, "Group 1", "Group 2")[:fewer])
    found = [one for one in validate(design).findings if one.code == "DFLY-003" and one.aspect == "pairs"]
    assert bool(found) == is_found
    if is_found:
        assert found[0].message == "2 to 4 global links per pair of groups, fewest between Group 1 and Group 2"
        assert (found[0].value, found[0].limit) == (2, 4)
        assert_fixed(design, found[0])


def test_one_link_for_one_pair_and_two_for_others_is_uneven():
    design = made(p=2, a=4, h=1, groups=3, arrangement="even")
    assert "DFLY-003" not in codes(design)
    cut(design, links_between(design, "Group 1", "Group 2")[:1])
    assert only(design, "DFLY-003").value == 1


def test_crowded_routers_are_one_finding_and_its_fix_moves_links():
    design = made(p=2, a=4, h=4, groups=7, links_per_pair=1)
    finding = only(design, "DFLY-003")
    assert finding.message == "Group 1 and 6 more groups: 0 to 4 global links per router; 2 of 4 routers have none"
    assert (finding.value, finding.limit) == (4, 1)
    assert {type(change.before) for change in finding.fix.changes} == {type(next(iter(design.links.values())))}
    n_links = len(design.links)
    assert_fixed(design, finding)
    assert len(design.links) == n_links
    assert "DFLY-003" not in codes(made(p=2, a=4, h=4, groups=7, links_per_pair=1, arrangement="even"))


def test_balance_is_that_of_the_paper():
    assert codes(made(p=3, a=6, h=3, groups=4, arrangement="even")) == []
    finding = only(made(p=4, a=4, h=2, groups=9), "DFLY-004")
    assert finding.message == (
        "9 groups: a = 4, p = 4, h = 2; balanced is a = 2p = 2h. Global links carry 50 % of what the hosts send."
    )
    assert finding.severity == "info"


def test_what_switches_have_on_average_is_said_to_be_a_mean():
    finding = only(made(p=4, a=4, h=2, groups=8, arrangement="even"), "DFLY-004")
    assert finding.message.startswith("8 groups: a = 4, p = 4, h = 1.75 on average; balanced is a = 2p = 2h.")


def test_groups_that_are_left_out_are_not_claimed_to_be_counted():
    design = made(p=4, a=4, h=2, groups=9)
    router = next(one for one in design.switches() if design.groups[one.group_id].name == "Group 3")
    design.apply(operations.delete(design, [router.id]))
    (finding,) = (one for one in validate(design).findings if one.code == "DFLY-004")
    assert finding.message.startswith("8 of 9 groups, those that are alike: a = 4, p = 4, h = ")


def test_what_limits_an_unbalanced_dragonfly():
    assert _effect(8, 2, 4) == "Hosts fill before local or global links."
    assert _effect(4, 4, 4) == "Local links fill before global ones."
    assert _effect(8, 4, 3) == "Global links carry 75 % of what the hosts send."
