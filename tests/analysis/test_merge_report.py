"""A merge in words: what each version has, and how many conflicts are left."""

from dataclasses import replace

import pytest

from designer.analysis.merge_report import report_of
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.merging.merging import merge

CATALOG = load()


@pytest.fixture
def three():
    base = Design()
    for name in ("leaf-1", "leaf-2", "leaf-3"):
        type_ = CATALOG.get("nvidia-qm9700")
        base.apply(operations.add_device(base, type_, 0, 0, catalog_types=CATALOG.types, role="leaf", name=name))
    base.apply(operations.add_rack(base, CATALOG.get("rack-42u"), 0, 0, "rack-1"))
    base.apply(operations.connect_devices(base, "d1", "d2", 1))
    return base, base.snapshot(), base.snapshot()


def change(design, table, one, **values):
    record = getattr(design, table)[one]
    design.apply(Edit("", (Change(record, replace(record, **values)),)))


def row(found):
    (only,) = report_of(found).conflicts
    return only.kind, only.name, only.conflict, only.what, only.base, only.ours, only.theirs


def test_a_length_has_its_unit_and_its_source(three):
    _base, ours, theirs = three
    change(ours, "links", "l1", length_m=3.0, length_source="typed")
    change(theirs, "links", "l1", length_m=4.5, length_source="typed")
    name = "leaf-1 port 1/1 to leaf-2 port 1/1"
    expected = ("link", name, "changed by both", "length", "not set", "3 m, typed", "4.5 m, typed")
    assert row(merge(*three)) == expected


def test_a_rack_unit_that_both_took_names_both_devices(three):
    _base, ours, theirs = three
    ours.apply(operations.mount(ours, "d1", "r1", 4))
    theirs.apply(operations.mount(theirs, "d2", "r1", 4))
    kind, name, conflict, _what, _base_text, mine, others = row(merge(*three))
    assert (kind, name, conflict) == ("device", "leaf-1", "rack unit taken by both")
    assert "leaf-1 in rack-1 unit 4" in mine and "leaf-2 in rack-1 unit 4" in others


def test_a_deleted_device_says_what_the_other_side_did(three):
    _base, ours, theirs = three
    ours.apply(operations.delete(ours, ["d2"]))
    change(theirs, "devices", "d2", name="kept", rail=1)
    assert row(merge(*three)) == (
        "device",
        "kept",
        "deleted and changed",
        "",
        "leaf-2",
        "deleted",
        "name, rail changed",
    )


def test_entries_and_groups_are_named_by_what_people_call_them(three):
    _base, ours, theirs = three
    change(ours, "devices", "d1", fields=(("asset", "1"),))
    change(theirs, "devices", "d1", fields=(("asset", "2"),))
    assert row(merge(*three))[3:] == ("field asset", "none", "1", "2")


def test_ports_that_went_under_links_of_the_other_side_name_type_and_links(three):
    _base, ours, theirs = three
    ours.apply(operations.set_type(ours, "d3", CATALOG.get("nvidia-qm8790"), catalog_types=CATALOG.types))
    theirs.apply(operations.connect_devices(theirs, "d3", "d1", 1))
    _kind, name, conflict, what, before, mine, others = row(merge(*three))
    assert (name, conflict, what) == ("leaf-3", "ports used and changed", "ports")
    assert (before, mine) == ("QM9700", "QM8790") and others.startswith("QM9700, leaf-3 port 1/1 to leaf-1")


def test_the_summary_counts_what_comes_in_what_is_open_and_what_was_counted_up(three):
    _base, ours, theirs = three
    change(ours, "devices", "d1", name="A")
    change(theirs, "devices", "d1", name="B")
    change(theirs, "devices", "d2", rail=1)
    assert report_of(merge(*three)).summary == "1 device changed; 1 conflict"
    decided = report_of(merge(*three, prefer="ours"))
    assert decided.summary == "1 device changed; 1 conflict, decided" and not decided.open
    change(ours, "devices", "d3", name="same")
    change(theirs, "devices", "d2", name="same")
    found = report_of(merge(*three))
    assert found.summary.endswith("1 conflict; 1 new name")
    assert [(one.name, one.before, one.after) for one in found.renumbered] == [("same-2", "same", "same-2")]
