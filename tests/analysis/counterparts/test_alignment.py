"""Designs whose ids differ are compared as well as versions of one: by name, then by structure."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.analysis.comparing import compare
from designer.analysis.counterparts.alignment import align
from designer.model import annotating, operations, removing
from designer.model.edit import Change, Edit
from designer.model.entities import End, Link
from designer.model.renumbering import renumbered

TABLES = ("devices", "links", "racks", "groups", "modules", "annotations")


@pytest.fixture(scope="module")
def small(generate):
    return generate("rail-optimized", servers=16, servers_per_su=8, reserve_leaf_ports=4)


def drawn_anew(design, seed=0, names=None):
    """The design under shuffled ids, as if somebody had drawn it in another order, and under other names."""
    dice, ids = random.Random(seed), {}
    for table in TABLES:
        olds = list(getattr(design, table))
        ids[table] = dict(zip(olds, dice.sample(olds, len(olds)), strict=True))
    made = renumbered(design, ids)
    if names is not None:
        change(made, *((one, replace(one, name=names(one.name))) for one in made.devices.values()))
    return made


def change(design, *pairs):
    design.apply(Edit("change", tuple(Change(before, after) for before, after in pairs)))


def joined(design, *names):
    """Links between two devices."""
    ids = {design.find(name).id for name in names}
    return [one for one in design.links.values() if {one.a.device_id, one.b.device_id} == ids]


def test_a_design_drawn_in_another_order_is_the_same(small):
    found = compare(small, drawn_anew(small))
    assert found.summary == "no differences"
    assert found.alignment.summary.endswith("by name")


def test_names_spelled_otherwise_are_the_same_devices(small):
    found = compare(small, drawn_anew(small, names=lambda name: name.upper().replace("-0", "_")))
    assert found.summary == f"{len(small.devices)} devices renamed"


def test_a_design_without_a_common_name_is_matched_by_its_cables(small):
    names = {one.name: f"box {number}" for number, one in enumerate(small.devices.values())}
    found = compare(small, drawn_anew(small, names=names.get))
    assert found.summary == f"{len(small.devices)} devices renamed"
    assert found.alignment.summary == f"{len(small.devices)} devices matched by structure"


def test_few_renamed_devices_are_found_by_what_they_are_cabled_to(small):
    other = drawn_anew(small, names=lambda name: f"new {name}x" if name in ("gpu-03", "leaf-su1-r2") else name)
    assert compare(small, other).summary == "2 devices renamed"


def test_a_rename_of_everything_in_one_design_is_known_by_ids(small):
    later = small.snapshot()
    change(later, *((one, replace(one, name=f"q{number}")) for number, one in enumerate(later.devices.values())))
    aligned = align(small, later)
    assert aligned.design is later and aligned.by_id == len(small.devices)


def test_names_that_changed_places_in_one_design_are_renames(small):
    """Not cables that were moved: ids are of one design, and the cables say the same."""
    later = small.snapshot()
    one, other = later.find("leaf-su1-r1"), later.find("leaf-su1-r2")
    change(later, (one, replace(one, name=other.name)), (other, replace(other, name=one.name)))
    assert compare(small, later).summary == "2 devices renamed"


def test_a_new_device_under_an_id_that_was_freed_is_not_the_old_one(small):
    later = small.snapshot()
    spine = small.find("spine-01")
    last = max(later.devices, key=lambda one: (len(one), one))
    later.apply(removing.delete(later, [last]))
    change(later, (None, replace(spine, id=last, name="storage", type_id=small.servers()[0].type_id)))
    removed, added = [one for one in compare(small, later).differences if one.kind == "device"]
    assert {removed.change, added.change} == {"removed", "added"} and "storage" in (removed.name, added.name)


def test_two_links_that_exchanged_ends_are_miswired_and_one_on_a_free_port_is_rewired(small):
    later = small.snapshot()
    one, other = joined(later, "gpu-01", "leaf-su1-r1")[0], joined(later, "gpu-02", "leaf-su1-r1")[0]
    change(later, (one, replace(one, b=other.b)), (other, replace(other, b=one.b)))
    moved = joined(later, "gpu-03", "leaf-su1-r1")[0]
    free = later.free_ports(moved.b.device_id)[-1].name
    change(later, (moved, replace(moved, b=End(moved.b.device_id, free))))
    found = compare(small, drawn_anew(later))
    assert found.summary == "2 links miswired, 1 link rewired"
    assert [row.change for row in found.differences] == ["miswired", "miswired", "rewired"]


def test_a_link_drawn_again_between_the_same_ports_is_the_same(small):
    later = small.snapshot()
    link = joined(later, "gpu-01", "leaf-su1-r1")[0]
    change(later, (link, None))
    change(later, (None, replace(link, id=later.new_ids("links", 1)[0], a=link.b, b=link.a)))
    assert compare(small, later).summary == "no differences"


def test_all_that_refers_to_a_record_follows_its_new_id(small):
    design = small.snapshot()
    leaf = design.find("leaf-su1-r1").id
    design.apply(annotating.annotate(design, "note", (0, 0), (9, 9), text="here", pinned_to=leaf))
    other = drawn_anew(design, 7)
    (note,) = other.annotations.values()
    assert other.devices[note.pinned_to].name == "leaf-su1-r1"
    assert compare(design, other).summary == "no differences"


VERBS = ("rename", "delete", "mount", "unlink", "link")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 99)), max_size=4), st.integers(0, 9))
def test_what_was_edited_is_found_whatever_the_ids_are(small, edits, seed):
    later = small.snapshot()
    for number, (verb, pick) in enumerate(edits):
        device_id = sorted(later.devices)[pick % len(later.devices)]
        if verb == "rename":
            later.apply(operations.rename(later, device_id, f"other-{number}"))
        elif verb == "delete":
            later.apply(removing.delete(later, [device_id]))
        elif verb == "mount":
            later.apply(operations.mount(later, device_id, None))
        elif verb == "unlink" and later.links_of(device_id):
            change(later, (later.links_of(device_id)[0], None))
        elif verb == "link":
            ends = [End(one.id, port.name) for one in later.switches() for port in later.free_ports(one.id)[:1]]
            change(later, (None, Link(later.new_ids("links", 1)[0], *ends[:2])))
    by_ids, by_others = compare(small, later), compare(small, drawn_anew(later, seed))
    assert by_others.counts == by_ids.counts


def test_a_new_switch_on_few_ports_of_a_removed_one_is_another(small):
    later = small.snapshot()
    spine = later.find("spine-02")
    ports = [(link.a if link.b.device_id == spine.id else link.b) for link in later.links_of(spine.id)]
    later.apply(removing.delete(later, [spine.id]))
    monitor = replace(spine, id="d900", name="monitor", role="")
    links = (Link(f"l{900 + n}", end, End("d900", f"1/{n}")) for n, end in enumerate(ports[:2], start=1))
    change(later, (None, monitor), *((None, link) for link in links))
    devices = [one for one in compare(small, drawn_anew(later)).differences if one.kind == "device"]
    assert {(one.change, one.name) for one in devices} == {("removed", "spine-02"), ("added", "monitor")}


def test_an_id_that_another_cable_took_over_is_not_that_cable(small):
    later = small.snapshot()
    last = max(later.links, key=lambda one: (len(one), one))
    gone = later.links[last]
    change(later, (gone, None))
    ends = [End(one.id, later.free_ports(one.id)[-1].name) for one in later.switches() if later.free_ports(one.id)]
    others = [end for end in ends if end.device_id not in (gone.a.device_id, gone.b.device_id)]
    change(later, (None, Link(last, *others[:2])))
    assert compare(small, later).summary == "1 link removed, 1 link added"


def test_another_type_under_an_id_that_was_freed_is_another_switch(small, catalog):
    later = small.snapshot()
    spine = later.find("spine-02")
    later.apply(removing.delete(later, [spine.id]))
    type_ = catalog.get("nvidia-sn5600")
    change(later, (None, type_))
    change(later, (None, replace(spine, name="border", type_id=type_.id, port_mode="")))
    devices = [one for one in compare(small, later).differences if one.kind == "device"]
    assert {(one.change, one.name) for one in devices} == {("removed", "spine-02"), ("added", "border")}


def test_an_id_says_nothing_where_most_ids_mean_other_things(drawing):
    drawing.add("nvidia-qm9700", "a", "b", "c", "same", "only here")
    names = {"a": "b", "b": "c", "c": "a", "same": "same", "only here": "only there"}
    later = drawing.design.snapshot()
    change(later, *((one, replace(one, name=names[one.name])) for one in later.devices.values()))
    found = [(one.change, one.name) for one in compare(drawing.design, later).differences]
    assert found == [("removed", "only here"), ("added", "only there")]
