"""Two versions of a design compared: each difference once, with its name, and nothing that is only layout."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.comparing import KINDS, compare
from designer.analysis.counterparts.titles import title_of
from designer.model import annotating, bookmarking, furnishing, operations, removing
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF
from designer.model.fixture import COLUMN
from designer.model.policy import Policy
from designer.placement import floor
from designer.placement.row_order import issued_names, rename_row


@pytest.fixture
def pod(drawing):
    drawing.add("nvidia-qm9700", "spine-01")
    drawing.add("nvidia-qm9700", "leaf-01", "leaf-02")
    drawing.join("leaf-01", "spine-01", 2)
    design = drawing.design
    design.apply(annotating.annotate(design, "text", (0, 0), (100, 20), text="Pod 1"))
    design.apply(
        annotating.annotate(design, "note", (0, 50), (100, 90), text="mind the step", pinned_to=drawing.id("leaf-01"))
    )
    return design


def rows(before, after):
    return [dataclasses.astuple(one)[:6] for one in compare(before, after).differences]


def changed(pod, *edits):
    after = pod.snapshot()
    for edit in edits:
        after.apply(edit(after))
    return after


def test_equal_designs_have_no_differences(pod):
    found = compare(pod, pod.snapshot())
    assert (found.differences, found.summary) == ((), "no differences")


def test_a_renamed_row_is_listed_for_its_racks_and_a_letter_that_is_only_kept_is_not(pod, catalog):
    pod.apply(operations.add_rack(pod, catalog.get("rack-42u"), 0, 0, "rack-1"))
    (rack,) = pod.racks
    pod.apply(floor.place_racks(pod, {rack: (0.0, 0.0)}))
    kept = changed(pod, issued_names)
    assert kept.racks[rack].row == "A" and rows(pod, kept) == []
    named = changed(kept, lambda d: rename_row(d, rack, "North"))
    assert rows(pod, named) == [("rack", "rack-1", "changed", "row", "A", "North")]


def test_added_removed_moved_and_changed_annotations_are_named_by_their_words(pod):
    text, note = sorted(pod.annotations)
    after = changed(
        pod,
        lambda d: annotating.annotate(d, "arrow", (0, 0), (50, 0)),
        lambda d: operations.move(d, {text: (300.0, 10.0)}),
        lambda d: annotating.change_annotations(d, [text], text="Pod 7", colour="#ff0000"),
        lambda d: removing.delete(d, [note]),
    )
    assert rows(pod, after) == [
        ("annotation", "Pod 7", "moved", "place", "50, 10", "300, 10"),
        ("annotation", "Pod 7", "changed", "text", "Pod 1", "Pod 7"),
        ("annotation", "Pod 7", "changed", "color", "", "#ff0000"),
        ("annotation", "mind the step", "removed", "", "", ""),
        ("annotation", "Arrow", "added", "", "", ""),
    ]
    assert compare(pod, after).summary == (
        "1 annotation moved, 1 annotation changed, 1 annotation removed, 1 annotation added"
    )


def test_a_note_that_went_along_with_its_device_did_not_move(pod):
    leaf, (_text, note) = pod.find("leaf-01").id, sorted(pod.annotations)
    at = pod.placements
    along = {one: (at[one].x + 40, at[one].y) for one in (leaf, note)}
    assert rows(pod, changed(pod, lambda d: operations.move(d, along))) == []
    alone = {note: (at[note].x + 40, at[note].y)}
    assert [row[1:3] for row in rows(pod, changed(pod, lambda d: operations.move(d, alone)))] == [
        ("mind the step", "moved")
    ]


def test_an_annotation_that_was_resized_says_its_sizes(pod):
    note = pod.annotations[sorted(pod.annotations)[0]]
    after = changed(pod, lambda d: Edit("", (Change(note, dataclasses.replace(note, dx=120.0)),)))
    assert rows(pod, after) == [("annotation", "Pod 1", "resized", "size", "100 x 20", "120 x 20")]


def test_devices_and_links_are_compared_by_id(pod):
    link = next(iter(pod.links.values()))
    leaf_2 = pod.find("leaf-02").id
    after = changed(
        pod,
        lambda d: operations.rename(d, link.a.device_id, "leaf-A"),
        lambda d: Edit("", (Change(link, dataclasses.replace(link, a=dataclasses.replace(link.a, device_id=leaf_2))),)),
    )
    found = rows(pod, after)
    assert ("device", "leaf-A", "renamed", "name", "leaf-01", "leaf-A") in found
    (rewired,) = (row for row in found if row[0] == "link")
    assert rewired[2:4] == ("rewired", "ends")
    assert (rewired[4], rewired[5]) == (title_of(pod, link), title_of(after, after.links[link.id]))
    assert "leaf-01" in rewired[4] and "leaf-02" in rewired[5]


def test_a_removed_device_takes_its_links_along_and_has_the_name_it_had(pod):
    after = changed(pod, lambda d: removing.delete(d, [d.find("spine-01").id]))
    assert compare(pod, after).summary == "1 device removed, 2 links removed"
    assert all("spine-01" in row[1] for row in rows(pod, after))
    assert compare(after, pod).summary == "1 device added, 2 links added"


def test_where_devices_are_on_the_canvas_is_no_difference(pod):
    assert rows(pod, changed(pod, lambda d: operations.move(d, {d.find("leaf-02").id: (999.0, 5.0)}))) == []


def test_an_annotation_that_was_only_locked_did_not_move(pod):
    text = sorted(pod.annotations)[0]
    assert rows(pod, changed(pod, lambda d: operations.lock(d, [text], locked=True))) == []


def test_what_is_in_another_rack_unit_moved(superpod):
    device_id = superpod.find("leaf-su1-r1").id
    before = superpod.placements[device_id]
    after = changed(superpod, lambda d: operations.mount(d, device_id, None))
    rack = superpod.racks[before.rack_id].name
    assert rows(superpod, after) == [
        ("device", "leaf-su1-r1", "moved", "rack unit", f"{rack} unit {before.unit}", "no rack")
    ]


def test_fixtures_and_bookmarks_are_compared_like_any_other_record(pod):
    before = changed(pod, lambda d: furnishing.add_fixture(d, COLUMN, (0, 0, 1, 1)))
    after = changed(
        before,
        lambda d: furnishing.move_fixtures(d, list(d.fixtures), 2, 0),
        lambda d: bookmarking.add_bookmark(d, "Start"),
    )
    assert rows(before, after) == [
        ("fixture", "column-1", "moved", "place", "0.5, 0.5 m", "2.5, 0.5 m"),
        ("bookmark", "Start", "added", "", "", ""),
    ]


def test_every_table_has_a_kind():
    assert set(KINDS) == set(TABLE_OF.values()) - {"placements"}


@pytest.fixture(scope="module")
def small(generate):
    return generate("rail-optimized", servers=4)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["rename", "delete", "mount", "text"]), max_size=5), st.integers(0, 99))
def test_both_ways_as_many_things_differ(small, verbs, pick):
    """Whatever was edited, no difference is lost or made up."""
    after = small.snapshot()
    for number, verb in enumerate(verbs):
        device_id = sorted(after.devices)[(pick + number) % len(after.devices)]
        if verb == "rename":
            after.apply(operations.rename(after, device_id, f"other-{number}"))
        elif verb == "delete":
            after.apply(removing.delete(after, [device_id]))
        elif verb == "mount":
            after.apply(operations.mount(after, device_id, None))
        else:
            after.apply(annotating.annotate(after, "text", (0, 0), (9, 9), text=str(number)))
    there, back = compare(small, after), compare(after, small)
    assert len(there.differences) == len(back.differences)
    assert bool(there.differences) or not set(verbs) - {"mount"}


def test_what_a_changed_policy_and_the_servers_of_a_job_were_is_stated(pod):
    def limits(design):
        policy = Policy(spare_ports=3)
        return Edit("limit", (Change(design.settings, dataclasses.replace(design.settings, policy=policy)),))

    ((_, _, what, was, now),) = [row[-5:] for row in rows(pod, changed(pod, limits)) if "policy" in row]
    assert (what, was, now) == ("policy", "", "spare ports 3")


def test_changed_fields_of_the_design_are_counted_as_the_list_shows_them(pod):
    settings_of = pod.settings
    once = changed(pod, lambda _: Edit("", (Change(settings_of, dataclasses.replace(settings_of, site="Hall B")),)))
    assert compare(pod, once).summary == "design changed"
    more = dataclasses.replace(settings_of, name="Other", site="Hall B", customer="Nordwind")
    twice = changed(pod, lambda _: Edit("", (Change(settings_of, more),)))
    assert compare(pod, twice).summary == "design renamed, 2 fields of the design changed"
