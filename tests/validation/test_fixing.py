"""Fixes applied one after another make nothing worse, say what is left, and can be cancelled."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.analysis.cable_numbers import number_cables
from designer.errors import Cancelled
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import Placement, Rack
from designer.placement.cable_lengths import route, route_cables
from designer.storage.document import load as load_design
from designer.validation import checked, fixing, racks
from designer.validation.engine import validate
from designer.validation.findings import Finding, Report, Severity
from designer.validation.fixing import fixed
from designer.validation.judging import TriedFix, is_worse
from designer.validation.known_tiers import KnownTiers
from designer.validation.live import Live

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def thin(fabric):
    """The fabric with four links of leaf-1 to spine-1 taken out: oversubscribed and uneven."""
    design = fabric.design
    ends = {fabric.id("leaf-1"), fabric.id("spine-1")}
    between = [link.id for link in design.links.values() if {link.a.device_id, link.b.device_id} == ends]
    design.apply(operations.delete(design, between[:4]))
    return fabric


def test_a_fix_that_trades_a_finding_for_another_about_the_same_things_is_refused(bare, monkeypatch):
    """The switch is moved from one unit of the server to the next one, instead of to a free unit."""
    bare.add("dgx-h100", "tall")
    bare.add("nvidia-qm9700", "inside")
    bare.put(bare.catalog.get("rack-42u"), Rack("r1", "A01", "rack-42u"), Placement("r1", 0, 0))
    for name, unit in (("tall", 1), ("inside", 3)):
        before = bare.design.placements[bare.id(name)]
        bare.change(before, replace(before, rack_id="r1", unit=unit))
    good = fixed(bare.design, {"RACK-001"})
    assert (len(good.fixes), good.left) == (1, ())
    monkeypatch.setattr(racks, "free_unit", lambda *_arguments: 4)
    bad = fixed(bare.design, {"RACK-001"})
    assert (bad.fixes, len(bad.left)) == ((), 1)


def tried(finding, near=()):
    return TriedFix(finding, Edit("fix", ()), frozenset(near))


def finding(value=None, subjects=("d1", "d2"), limit=None, severity=Severity.WARNING):
    return Finding("TEST-001", severity, f"{subjects}: {value}", subjects, value, limit)


@pytest.mark.parametrize(
    ("after", "harm"),
    [
        ((), False),
        ((finding(3.0, limit=1.0),), True),  # as before
        ((finding(2.0, limit=1.0),), False),  # less of it
        ((finding(4.0, limit=1.0),), True),  # more of it
        ((finding(3.0, ("d1",), limit=1.0),), False),  # about fewer things
        ((finding(3.0, ("d1",), limit=1.0), finding(3.0, ("d2",), limit=1.0)), True),  # two for one
        ((finding(3.0, ("d1", "d3"), limit=1.0),), True),  # about something else
        ((finding(9.0, ("d9",), limit=1.0, severity=Severity.INFO),), False),
    ],
)
def test_what_a_fix_leaves_has_to_be_less_than_what_it_was_for(after, harm):
    chosen = finding(3.0, limit=1.0)
    assert is_worse(Report((chosen,), ()), Report(after, ()), [tried(chosen)]) is harm


def test_each_finding_that_is_left_stands_for_one_of_its_own():
    chosen, other = finding(3.0, ("d1", "d2"), limit=1.0), finding(3.0, ("d3",), limit=1.0)
    before = Report((chosen, other), ())
    assert not is_worse(before, Report((other,), ()), [tried(chosen)])
    assert is_worse(before, Report((other, finding(2.0, ("d3",), limit=1.0)), ()), [tried(chosen)])
    grown = finding(3.5, ("d3",), limit=1.0)
    assert is_worse(before, Report((grown,), ()), [tried(chosen)])


def about(code, subjects, value=None, limit=None):
    return Finding(code, Severity.WARNING, f"{subjects}: {value}", subjects, value, limit)


def test_what_a_finding_hides_may_come_up_near_its_fix_and_nowhere_else():
    chosen, shown = about("PORT-003", ("l1", "d1", "d2")), about("MEDIA-008", ("l1", "l2"))
    assert not is_worse(Report((chosen,), ()), Report((shown,), ()), [tried(chosen, {"l2"})])
    assert is_worse(Report((chosen,), ()), Report((shown,), ()), [tried(chosen, {"l3"})])
    other = about("MEDIA-007", ("l1", "l2"))
    assert is_worse(Report((chosen,), ()), Report((other,), ()), [tried(chosen, {"l2"})])


def test_findings_may_become_one_that_is_less_bad_than_each_of_them():
    chosen, one, other = finding(9.0, ("d9",), 1.0), about("TEST-002", ("d1",), 2, 9), about("TEST-002", ("d2",), 3, 9)
    before = Report((chosen, one, other), ())
    assert not is_worse(before, Report((about("TEST-002", ("d1", "d2"), 5, 9),), ()), [tried(chosen)])
    assert is_worse(before, Report((about("TEST-002", ("d1", "d2"), 2, 9),), ()), [tried(chosen)])
    assert is_worse(before, Report((about("TEST-002", ("d1", "d2", "d3"), 5, 9),), ()), [tried(chosen)])
    assert is_worse(Report((chosen, one), ()), Report((about("TEST-002", ("d1", "d2"), 5, 9),), ()), [tried(chosen)])
    assert is_worse(before, Report((about("TEST-002", ("d1", "d2"), 5, 9),), ()), [tried(one)])


def test_what_was_refused_is_tried_again_when_others_are_fixed(fabric, monkeypatch):
    """Two names are used twice; the first fix is only fine once the second was applied."""
    for name, other in (("host-1", "host-2"), ("leaf-1", "leaf-2")):
        device = fabric.device(other)
        fabric.change(device, replace(device, name=name))
    tried = []

    def worse(before, after, fixes):
        tried.append([one.finding.message for one in fixes])
        return is_worse(before, after, fixes) or len(tried) <= 2

    monkeypatch.setattr(fixing, "is_worse", worse)
    done = fixed(fabric.design, {"NAME-001"})
    assert (len(done.fixes), done.left) == (2, ())
    (one, other), *alone = tried
    assert alone == [[one], [other], [one]]


def test_fix_all_sets_the_speeds_and_selects_the_cables_of_the_example_with_every_fault():
    design = load_design(EXAMPLES / "faults.fabric")
    done = fixed(design, {"PORT-003", "MEDIA-008"})
    assert [code for code, _ in done.fixes] == ["PORT-003", "MEDIA-008"]
    assert [one.fix for one in done.left] == [None]  # of cages at 200G, for which the catalog has no cable


def test_fixing_can_be_cancelled_before_the_first_fix_is_made(thin):
    heard = []

    def progress(share):
        heard.append(share)
        if len(heard) > 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        fixed(thin.design, None, progress)
    assert heard == [0.0] * 4


def test_cables_follow_a_device_that_a_fix_moves_and_typed_lengths_stay(bare):
    bare.add("dgx-h100", "low", "high")
    bare.add("nvidia-qm9700", "leaf")
    bare.join("low", "leaf", 2)
    bare.join("high", "leaf", 2)
    bare.put(bare.catalog.get("rack-42u"), Rack("r1", "A01", "rack-42u"), Placement("r1", 0, 0))
    for name, unit in (("low", 1), ("leaf", 30), ("high", 3)):
        before = bare.design.placements[bare.id(name)]
        bare.change(before, replace(before, rack_id="r1", unit=unit))
    bare.design.apply(route_cables(bare.design))
    routed, typed = bare.design.links_of(bare.id("high"))
    bare.change(typed, replace(typed, length_m=9.0, length_source="typed"))
    made = fixed(bare.design, {"RACK-001"})
    assert made.sentence == "1 of 1 findings fixed"
    bare.design.apply(made.edit)
    after = bare.design.links[routed.id]
    assert after.length_m == route(bare.design, after).length_m != routed.length_m
    assert bare.design.links[typed.id].length_m == 9.0


# -- batches --------------------------------------------------------------------------------------------------------


def cut(design, leaf, spine, count=1):
    """Take out links between two switches of the fabric."""
    ends = {leaf, spine}
    between = [link.id for link in design.links.values() if {link.a.device_id, link.b.device_id} == ends]
    design.apply(operations.delete(design, between[:count]))


@pytest.fixture
def two_thin(fabric):
    """Both leafs lack a link to spine-1, whose first free port both fixes name."""
    for leaf in ("leaf-1", "leaf-2"):
        cut(fabric.design, fabric.id(leaf), fabric.id("spine-1"))
    return fabric


@pytest.fixture
def checks(monkeypatch):
    """The rules that were checked over the whole design, each time."""
    made, original = [], checked.check_whole

    def counted(design, codes, progress):
        made.append(codes)
        return original(design, codes, progress)

    monkeypatch.setattr(checked, "check_whole", counted)
    return made


def test_fixes_that_have_nothing_to_do_with_each_other_are_checked_once(two_thin, checks):
    design = two_thin.design
    offered = [one.fix for one in validate(design).findings if one.code == "OVER-001"]
    assert len(offered) == 2
    assert offered[0].changes[0].after.b == offered[1].changes[0].after.b  # the same port of the spine
    done = fixed(design)
    assert (len(checks), len(done.fixes), done.left) == (1, 2, ())
    design.apply(done.edit)
    assert validate(design).findings == ()


def test_fixes_of_one_device_wait_for_each_other(two_thin, checks):
    """Of leaf-1 both that it is oversubscribed and that it is uneven is found: one of the two fixes does for both."""
    done = fixed(two_thin.design, {"OVER-001", "SPREAD-001"})
    assert [code for code, _ in done.fixes] == ["OVER-001", "OVER-001"]
    assert done.n_fixed == 4


def test_a_second_fix_waits_where_the_ports_of_the_first_were_the_last(two_thin):
    spine = two_thin.device("spine-1")
    free = [port.name for port in two_thin.design.free_ports(spine.id)]
    two_thin.change(spine, replace(spine, reserved_ports=tuple(free[1:])))
    done = fixed(two_thin.design, {"OVER-001"})
    assert (len(done.fixes), [one.fix for one in done.left]) == (1, [None])


def test_only_what_fixes_touch_is_checked_where_the_findings_are_known(two_thin, monkeypatch):
    live = Live(two_thin.design)
    there = live.report(two_thin.design)
    plain = fixed(two_thin.design)
    monkeypatch.setattr(fixing, "Live", None)
    assert fixed(two_thin.design, live=live.snapshot()) == plain
    assert live.report(two_thin.design) == there


def test_findings_of_another_revision_are_found_again(two_thin):
    live = Live(two_thin.design)
    cut(two_thin.design, two_thin.id("leaf-1"), two_thin.id("spine-2"))
    assert fixed(two_thin.design, live=live) == fixed(two_thin.design)


def test_known_tiers_that_were_copied_go_on_by_themselves(fabric):
    known = KnownTiers(fabric.design)
    before, copied = dict(known.tier), known.copy()
    spine = fabric.device("spine-1")
    edit = Edit("be a core", (Change(spine, replace(spine, role="core")),))
    fabric.design.apply(edit)
    assert copied.follow(fabric.design, edit)
    assert known.tier == before != copied.tier


def test_cables_that_fixes_add_are_numbered_where_the_design_numbers_its_cables(thin):
    unnumbered = fixed(thin.design)
    there = set(thin.design.links)
    numbered = thin.design.snapshot()
    numbered.apply(number_cables(numbered))
    for design, made in ((thin.design, unnumbered), (numbered, fixed(numbered))):
        after = design.snapshot()
        after.apply(made.edit)
        added = [link for one, link in after.links.items() if one not in there]
        assert added
        if design is numbered:
            cables = [link.cable for link in after.links.values()]
            assert all(cables) and len(set(cables)) == len(cables)
            assert all(link == after.links[link.id] for link in numbered.links.values())
        else:
            assert not any(link.cable for link in added)
