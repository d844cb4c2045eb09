"""Fixes applied one after another do no harm, say what is left, and can be cancelled."""

from dataclasses import replace

import pytest

from designer.errors import Cancelled
from designer.model import operations
from designer.model.entities import Placement, Rack
from designer.placement.cable_lengths import route, route_cables
from designer.validation import racks
from designer.validation.findings import Finding, Report, Severity
from designer.validation.fixing import fixed, is_worse


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
    assert is_worse(Report((chosen,), ()), Report(after, ()), chosen) is harm


def test_each_finding_that_is_left_stands_for_one_of_its_own():
    chosen, other = finding(3.0, ("d1", "d2"), limit=1.0), finding(3.0, ("d3",), limit=1.0)
    before = Report((chosen, other), ())
    assert not is_worse(before, Report((other,), ()), chosen)
    assert is_worse(before, Report((other, finding(2.0, ("d3",), limit=1.0)), ()), chosen)
    grown = finding(3.5, ("d3",), limit=1.0)
    assert is_worse(before, Report((grown,), ()), chosen)


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
