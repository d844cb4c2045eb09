"""Two designs merged where nobody knows what both grew from: every difference of content is a conflict."""

from dataclasses import replace

import pytest

from designer.analysis.merge_report import report_of
from designer.catalog.catalog import load
from designer.exchange.revisions import RevisionOptions, record
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.merging.merging import merge
from designer.storage.document import encode

CATALOG = load()
SWITCH, SERVER = CATALOG.get("nvidia-qm9700"), CATALOG.get("dgx-h100")


def add(design, name, type_=SWITCH, role="leaf"):
    design.apply(operations.add_device(design, type_, 0, 0, catalog_types=CATALOG.types, role=role, name=name))
    return design.find(name).id


def change(design, table, one, **values):
    before = getattr(design, table)[one]
    design.apply(Edit("", (Change(before, replace(before, **values)),)))


def names(design):
    return {one.name for one in design.devices.values()}


@pytest.fixture
def start():
    """A: what both colleagues started from, without saying so anywhere."""
    design = Design()
    for name in ("leaf-1", "leaf-2", "spine-1"):
        add(design, name)
    design.apply(operations.connect_devices(design, "d1", "d3", 2))
    return design


@pytest.fixture
def two(start):
    return start, start.snapshot(), start.snapshot()


def test_what_only_ours_has_is_never_dropped_silently(two):
    """B is A with a change of mine, C is A with one of the colleague's: with B as the base mine would be undone."""
    _start, ours, theirs = two
    add(ours, "leaf-mine")
    change(ours, "devices", "d1", name="renamed-by-me", tags=("mine",))
    ours.apply(operations.delete(ours, ["d2"]))
    add(theirs, "leaf-theirs")
    silently = merge(ours, ours, theirs)
    assert not silently.conflicts and "leaf-mine" not in names(silently.made)  # what such a base does

    found = merge(None, ours, theirs)
    assert names(found.made) == names(ours) and found.made.devices["d1"].tags == ("mine",)
    assert not found.edit
    assert {one.place for one in found.open} == {
        *("devices/d1/name", "devices/d1/tags", "devices/d2/deleted", "devices/d4/name")
    }


def test_conflicts_say_which_side_has_what_and_that_the_base_is_unknown(two):
    _start, ours, theirs = two
    ours.apply(operations.delete(ours, ["d2"]))
    change(ours, "devices", "d1", name="leaf-A", tags=("mine",))
    add(theirs, "gpu-1", SERVER, "")
    theirs.apply(operations.connect_devices(theirs, "d2", "d4", 1))
    rows = {row.place: row for row in report_of(merge(None, ours, theirs)).conflicts}
    name, tags, added = rows["devices/d1/name"], rows["devices/d1/tags"], rows["devices/d2/deleted"]
    assert (name.conflict, name.base, name.ours, name.theirs) == ("different", "unknown", "leaf-A", "leaf-1")
    assert (tags.what, tags.base, tags.ours, tags.theirs) == ("tags", "unknown", "mine", "none")
    assert (added.conflict, added.base, added.ours) == ("only in theirs", "unknown", "not there")
    assert added.theirs.startswith("leaf-2, gpu-1")
    assert len(rows) == 3  # with a device go its NICs, links and place: one decision


def test_all_of_theirs_or_all_of_ours_can_be_taken(two):
    _start, ours, theirs = two
    add(ours, "leaf-mine")
    ours.apply(operations.connect_devices(ours, "d2", "d4", 2))
    change(theirs, "devices", "d1", tags=("yours",))
    theirs.apply(operations.delete(theirs, ["d2"]))
    assert encode(merge(None, ours, theirs, prefer="ours").made) == encode(ours)
    taken = merge(None, ours, theirs, prefer="theirs").made
    assert names(taken) == names(theirs) and taken.devices["d1"].tags == ("yours",)
    assert set(taken.links) == set(theirs.links)


def test_what_both_have_alike_and_how_it_is_shown_is_no_conflict(two):
    _start, ours, theirs = two
    theirs.apply(operations.move(theirs, {"d1": (400.0, 300.0)}))
    found = merge(None, ours, theirs)
    assert not found.conflicts and not found.edit


def test_the_same_cable_under_two_ids_is_one_link(two):
    _start, ours, theirs = two
    ours.apply(operations.connect_devices(ours, "d2", "d3", 2))
    ours.apply(operations.delete(ours, ["l3"]))
    theirs.apply(operations.connect_devices(theirs, "d1", "d2", 1))
    theirs.apply(operations.delete(theirs, ["l3"]))
    theirs.apply(operations.connect(theirs, ours.links["l4"].a, ours.links["l4"].b))
    assert ours.links.keys() == theirs.links.keys()  # by chance the same id: nothing to find a twin for
    theirs.apply(operations.delete(theirs, ["l4"]))
    theirs.apply(operations.connect(theirs, ours.links["l4"].a, ours.links["l4"].b))
    assert "l5" in theirs.links and "l5" not in ours.links
    found = merge(None, ours, theirs)
    assert set(found.made.links) == set(ours.links)
    assert all(one.unit == "cable" for one in found.conflicts)


def test_names_and_numbers_of_cables_that_both_gave_are_counted_up_in_theirs(two):
    _start, ours, theirs = two
    add(ours, "leaf-9")
    add(theirs, "leaf-8")
    add(theirs, "leaf-9")
    found = merge(None, ours, theirs, prefer="theirs")
    assert [(one.what, one.before) for one in found.renumbered] == [("name", "leaf-9")]
    assert sorted(one.name for one in found.made.devices.values()) == sorted(
        ("leaf-1", "leaf-2", "spine-1", "leaf-8", found.renumbered[0].after)
    )


def test_types_and_revisions_of_either_side_are_kept(two):
    _start, ours, theirs = two
    ours.apply(record(ours, RevisionOptions(revision="A", date="2026-11-20")))
    add(theirs, "gpu-1", SERVER, "")
    theirs.apply(record(theirs, RevisionOptions(revision="A", date="2026-11-21")))
    found = merge(None, ours, theirs)
    assert SERVER.id in found.made.types and [one.date for one in found.made.revisions.values()] == [
        "2026-11-20",
        "2026-11-21",
    ]
    assert [one.place for one in found.conflicts] == ["devices/d4/deleted"]
    assert SERVER.id in merge(None, theirs, ours).made.types


def test_a_port_that_each_side_gave_to_another_link_is_settled_before_both_are_there(two):
    _start, ours, theirs = two
    ours.apply(operations.connect_devices(ours, "d2", "d3", 1))
    theirs.apply(operations.connect_devices(theirs, "d2", "d1", 1))
    theirs.apply(operations.connect_devices(theirs, "d2", "d1", 1))
    made = merge(None, ours, theirs, prefer="theirs").made
    ends = [end for link in made.links.values() for end in (link.a, link.b)]
    assert len(ends) == len(set(ends)) and set(made.links) == set(theirs.links)
