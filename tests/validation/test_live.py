"""Findings kept edit by edit: what an edit touches far from where it is made."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.entities import FABRIC, Placement, Rack
from designer.model.fixture import TRAY, Fixture
from designer.storage import document
from designer.validation import live as live_module
from designer.validation.engine import validate
from designer.validation.live import Live, check_whole
from designer.validation.touched import touched_by

FAULTS = Path(__file__).parents[2] / "examples" / "faults.fabric"


@pytest.fixture(scope="module")
def faults():
    """The example with a fault of every kind. Not to be changed: take a snapshot."""
    return document.load(FAULTS)


def followed(live, design, *changes):
    """The report after an edit, without rules about the whole; the edit is followed."""
    edit = Edit("edit", changes)
    design.apply(edit)
    assert live.follow(design, edit)
    live.take(check_whole(design, live.pending))
    report = live.report(design)
    assert report == validate(design)
    return report


def swap(before, **values):
    return Change(before, replace(before, **values))


def racked(fabric):
    """A rack with two devices on one unit."""
    fabric.put(fabric.catalog.get("rack-42u"), Rack("r1", "A01", "rack-42u", x_m=0.0, y_m=0.0))
    for name in ("leaf-1", "leaf-2"):
        before = fabric.design.placements[fabric.id(name)]
        fabric.change(before, replace(before, rack_id="r1", unit=3))
    return fabric.design


def test_a_fix_that_puts_a_device_elsewhere_follows_what_is_moved_on_the_canvas(fabric):
    design = racked(fabric)
    live = Live(design)
    overlap = next(one for one in live.report(design).open if one.code == "RACK-001")
    placement = design.placements[overlap.subjects[0]]
    report = followed(live, design, swap(placement, x=77.0))
    design.apply(next(one for one in report.open if one.code == "RACK-001").fix)


def test_moving_what_no_fix_is_about_leaves_nothing_pending(fabric):
    design = fabric.design
    live = Live(design)
    edit = Edit("move", (swap(design.placements[fabric.id("host-1")], x=77.0),))
    design.apply(edit)
    assert live.follow(design, edit) and not live.pending


def test_a_tray_changes_every_route(fabric):
    design = racked(fabric)
    live = Live(design)
    tray = Edit("tray", (Change(None, Fixture("f1", TRAY, points_m=((0.0, 0.0), (9.0, 0.0)))),))
    design.apply(tray)
    assert not live.follow(design, tray)


def test_what_shares_a_cage_with_a_link_is_looked_at_where_its_ports_change(fabric):
    fabric.add("dgx-h100", "host-5", "host-6")
    for host in ("host-5", "host-6"):
        fabric.join(host, "leaf-1")
    design = fabric.design
    (link,), (mate,) = (design.links_of(fabric.id(host)) for host in ("host-5", "host-6"))
    assert design.port(link.b).cage == design.port(mate.b).cage
    edit = Edit("mode", (swap(design.device(fabric.id("host-5")), cage_modes=((1, "nonsense"),)),))
    design.apply(edit)
    touched = touched_by(design, edit)
    assert touched.links == {link.id, mate.id} and fabric.id("leaf-1") in touched.devices


def test_an_edit_of_very_much_is_left_to_a_full_check(fabric, monkeypatch):
    monkeypatch.setattr(live_module, "MOST_PARTS", 5)
    design = fabric.design
    live = Live(design)
    edit = operations.rename(design, fabric.id("spine-1"), "other")
    design.apply(edit)
    assert live.follow(design, edit)
    retyped = Edit("mode", (swap(design.device(fabric.id("other")), role="core"),))
    design.apply(retyped)
    assert not live.follow(design, retyped)


def test_an_edit_that_was_not_followed_ends_it(fabric):
    design = fabric.design
    live = Live(design)
    for name in ("one", "two"):
        edit = operations.rename(design, fabric.id("spine-1") if name == "one" else fabric.id("leaf-1"), name)
        design.apply(edit)
    assert not live.follow(design, edit)


def test_a_rule_that_reads_none_of_what_changed_is_not_pending(fabric):
    design = fabric.design
    fabric.put(fabric.catalog.get("rack-42u"))
    live = Live(design)
    edit = Edit("rack", (Change(None, Rack("r1", "A01", "rack-42u")), Change(None, Placement("r1", 0.0, 0.0))))
    design.apply(edit)
    assert live.follow(design, edit)
    assert "RACK-003" in live.pending and not live.pending & {"REACH-001", "TIER-001", "JOB-001"}


def fixes_of(report, code):
    return [one.fix for one in report.findings if one.code == code]


def test_a_fix_that_carries_routed_lengths_follows_the_racks(faults):
    design = faults.snapshot()
    live = Live(design)
    before = fixes_of(live.report(design), "RAIL-001")
    (rack,) = (one for one in design.racks.values() if one.name == "rack-02")
    report = followed(live, design, *operations.delete(design, [rack.id]).changes)
    assert fixes_of(report, "RAIL-001") != before


def test_switches_of_a_group_that_is_no_dragonfly_any_more_are_part_of_the_tree(faults):
    design = faults.snapshot()
    live = Live(design)
    (group,) = (one for one in design.groups.values() if one.name == "Trial group 1")
    edit = Edit("kind", (swap(group, kind=FABRIC),))
    design.apply(edit)
    assert live.follow(design, edit)
    assert live.pending >= {"TIER-002", "TIER-003", "TIER-004", "TORUS-001", "TORUS-002"}
    live.take(check_whole(design, live.pending))
    assert live.report(design) == validate(design)
