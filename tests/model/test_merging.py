"""Two versions of a design merged over the one that both grew from: by record and field."""

from dataclasses import fields, replace

import pytest

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import TABLE_OF, End, Module, Recipe
from designer.model.merging.merging import merge
from designer.model.merging.references import ID_FIELDS, rewritten
from designer.model.policy import Policy
from designer.storage.document import encode

CATALOG = load()
SWITCH, SERVER, RACK = CATALOG.get("nvidia-qm9700"), CATALOG.get("dgx-h100"), CATALOG.get("rack-42u")


def add(design, name, type_=SWITCH, role="leaf"):
    made = operations.add_device(design, type_, 0, 0, catalog_types=CATALOG.types, role=role, name=name)
    design.apply(made)
    return design.find(name).id


def connect(design, a, b, port_a, port_b):
    ids = design.find(a).id, design.find(b).id
    names = [list(design.port_map(one)) for one in ids]
    design.apply(operations.connect(design, End(ids[0], names[0][port_a]), End(ids[1], names[1][port_b])))
    return list(design.links)[-1]


@pytest.fixture(scope="module")
def base():
    design = Design()
    for name in ("leaf-1", "leaf-2", "spine-1"):
        add(design, name)
    add(design, "gpu-1", SERVER, "")
    design.apply(operations.add_rack(design, RACK, 0, 0, "rack-1"))
    connect(design, "leaf-1", "spine-1", 0, 0)
    connect(design, "leaf-2", "spine-1", 0, 1)
    return design


@pytest.fixture
def three(base):
    return base, base.snapshot(), base.snapshot()


def change(design, table, one, **values):
    record = getattr(design, table)[one]
    design.apply(Edit("", (Change(record, replace(record, **values)),)))


def places(found):
    return [one.place for one in found.conflicts]


def test_fields_of_one_device_that_each_side_changed_are_both_taken(three):
    _base, ours, theirs = three
    change(ours, "devices", "d1", name="leaf-A", tags=("mine",), fields=(("asset", "1"),))
    change(theirs, "devices", "d1", rail=3, tags=("yours",), fields=(("owner", "Kim"),))
    found = merge(*three)
    made = found.made.devices["d1"]
    assert not found.conflicts
    assert (made.name, made.rail, made.tags) == ("leaf-A", 3, ("mine", "yours"))
    assert dict(made.fields) == {"asset": "1", "owner": "Kim"}
    assert found.edit.label == "Merge a Colleague's Changes"


def test_words_that_one_side_took_out_stay_out_and_new_ones_of_both_come_in(base):
    design = base.snapshot()
    change(design, "devices", "d1", tags=("old", "kept"))
    ours, theirs = design.snapshot(), design.snapshot()
    change(ours, "devices", "d1", tags=("old", "kept", "mine"))
    change(theirs, "devices", "d1", tags=("kept", "yours"))
    assert merge(design, ours, theirs).made.devices["d1"].tags == ("kept", "mine", "yours")


def test_the_edit_is_undone_free_and_the_sides_stay_as_they_are(three):
    _base, ours, theirs = three
    change(theirs, "devices", "d1", name="leaf-B")
    before = encode(ours)
    found = merge(*three)
    assert encode(ours) == before
    ours.apply(found.edit)
    assert encode(ours) == encode(found.made) != before
    ours.apply(found.edit.inverted())
    assert encode(ours) == before


def test_what_both_changed_alike_is_taken_once_and_differently_is_a_conflict(three):
    _base, ours, theirs = three
    change(ours, "devices", "d1", name="leaf-A", rail=1)
    change(theirs, "devices", "d1", name="leaf-B", rail=1)
    found = merge(*three)
    assert places(found) == ["devices/d1/name"] == [one.place for one in found.open]
    assert found.made.devices["d1"].name == "leaf-A" and not found.edit
    taken = merge(*three, choices={"devices/d1/name": "theirs"})
    assert taken.made.devices["d1"].name == "leaf-B"
    assert not taken.open and taken.conflicts[0].taken == "theirs"
    assert merge(*three, prefer="theirs").made.devices["d1"].name == "leaf-B"


def test_a_link_that_both_rewired_is_a_conflict_whichever_end_is_called_a(three):
    _base, ours, theirs = three
    link = ours.links["l1"]
    change(ours, "links", "l1", a=link.b, b=link.a)
    change(theirs, "links", "l1", a=End("d1", list(ours.port_map("d1"))[9]), label="x")
    found = merge(*three)
    assert not found.conflicts and found.made.links["l1"].a.port == list(ours.port_map("d1"))[9]
    ports = list(ours.port_map("d1"))
    change(ours, "links", "l1", a=End("d1", ports[5]), b=link.b)
    change(theirs, "links", "l1", a=End("d1", ports[6]), b=link.b)
    found = merge(*three)
    assert places(found) == ["links/l1/ends"]
    assert found.made.links["l1"].a.port == ports[5] and found.made.links["l1"].label == "x"
    assert merge(*three, prefer="theirs").made.links["l1"].a.port == ports[6]


def test_different_things_under_one_new_id_are_renumbered_with_all_that_refers_to_them(three):
    _base, ours, theirs = three
    add(ours, "leaf-3")
    add(theirs, "leaf-3", CATALOG.get("nvidia-qm9790"))
    connect(ours, "leaf-3", "spine-1", 0, 5)
    connect(theirs, "leaf-3", "spine-1", 0, 6)
    theirs.apply(annotate(theirs, "note", (0, 0), (9, 9), text="new", pinned_to="d5"))
    found = merge(*three)
    made = found.made
    assert not found.conflicts
    assert [(one.what, one.before, one.after) for one in found.renumbered] == [
        ("id", "d5", "d6"),
        ("id", "l3", "l4"),
        ("name", "leaf-3", "leaf-4"),
    ]
    assert (made.devices["d5"].name, made.devices["d6"].name) == ("leaf-3", "leaf-4")
    assert made.devices["d6"].type_id == "nvidia-qm9790" and "d6" in made.placements
    assert made.links["l4"].a.device_id == "d6" and made.links["l3"].a.device_id == "d5"
    assert next(iter(made.annotations.values())).pinned_to == "d6"


def test_what_both_added_alike_is_there_once(three):
    _base, ours, theirs = three
    for side in (ours, theirs):
        add(side, "leaf-3")
        connect(side, "leaf-3", "spine-1", 0, 5)
    connect(ours, "leaf-3", "spine-1", 1, 7)
    connect(theirs, "leaf-3", "spine-1", 2, 8)
    found = merge(*three)
    assert not found.conflicts
    assert len(found.made.devices) == 5 and len(found.made.links) == 5
    assert [one.before for one in found.renumbered] == ["l4"]


def test_a_link_that_both_made_under_other_ids_is_one_link(three):
    _base, ours, theirs = three
    connect(ours, "leaf-1", "leaf-2", 3, 3)
    connect(ours, "leaf-1", "leaf-2", 4, 4)
    connect(theirs, "leaf-1", "leaf-2", 4, 4)
    change(theirs, "links", "l3", length_m=2.0, length_source="typed")
    found = merge(*three)
    assert len(found.made.links) == 4
    assert places(found) == ["links/l4/length"]


def test_a_port_that_both_took_is_a_conflict_and_never_has_two_links(three):
    _base, ours, theirs = three
    connect(ours, "leaf-1", "leaf-2", 3, 3)
    connect(theirs, "leaf-1", "gpu-1", 3, 0)
    found = merge(*three)
    assert [(one.kind, one.unit) for one in found.conflicts] == [("taken", "port")]
    assert set(found.conflicts[0].keys) == {("links", "l3"), ("links", "l4")}
    assert set(found.made.links) == {"l1", "l2", "l3"}
    assert set(merge(*three, prefer="theirs").made.links) == {"l1", "l2", "l4"}


def test_links_that_clash_in_a_chain_are_one_conflict(three):
    _base, ours, theirs = three
    for number in range(3):
        connect(ours, "leaf-1", "leaf-2", 3 + number, 3 + number)
        connect(theirs, "leaf-1", "leaf-2", 3 + number, 4 + number)
    found = merge(*three)
    assert len(found.conflicts) == 1 and len(found.conflicts[0].keys) == 6
    assert len(found.made.links) == 5 == len(merge(*three, prefer="theirs").made.links)


def test_a_rack_unit_that_both_took_is_a_conflict(three):
    _base, ours, theirs = three
    ours.apply(operations.mount(ours, "d1", "r1", 4))
    theirs.apply(operations.mount(theirs, "d2", "r1", 4))
    found = merge(*three)
    assert [(one.kind, one.unit) for one in found.conflicts] == [("taken", "rack unit")]
    assert found.made.mounted("r1") == ["d1"]
    assert merge(*three, prefer="theirs").made.mounted("r1") == ["d2"]


def test_a_slot_that_both_took_is_a_conflict(base):
    bare = base.snapshot()
    slot = bare.modules_of("d4")[0].slot
    bare.apply(operations.remove_modules(bare, [bare.modules_of("d4")[0].id]))
    ours, theirs = bare.snapshot(), bare.snapshot()
    ours.apply(operations.install_module(ours, "d4", CATALOG.get("connectx-7-ndr"), slot))
    nic = CATALOG.get("connectx-6-hdr")
    (one,) = theirs.new_ids("modules", 1)
    theirs.apply(Edit("", (Change(None, nic), Change(None, Module(one, "d4", slot, nic.id)))))
    found = merge(bare, ours, theirs)
    assert ("taken", "slot") in [(one.kind, one.unit) for one in found.conflicts]
    slots = [one.slot for one in merge(bare, ours, theirs, prefer="theirs").made.modules_of("d4")]
    assert len(slots) == len(set(slots)) == len(ours.modules_of("d4"))


def test_a_device_that_one_deleted_and_the_other_changed_is_a_conflict(three):
    _base, ours, theirs = three
    ours.apply(operations.delete(ours, ["d1"]))
    change(theirs, "devices", "d1", name="kept")
    found = merge(*three)
    assert places(found) == ["devices/d1/deleted"] and found.conflicts[0].deleted_by == "ours"
    assert "d1" not in found.made.devices
    back = merge(*three, prefer="theirs").made
    assert back.devices["d1"].name == "kept" and "l1" in back.links and "d1" in back.placements
    other_way = merge(three[0], theirs, ours)
    assert other_way.conflicts[0].deleted_by == "theirs" and "l1" in other_way.made.links


def test_a_link_to_a_device_that_the_other_deleted_is_a_conflict_of_the_device(three):
    _base, ours, theirs = three
    ours.apply(operations.delete(ours, ["d1"]))
    connect(theirs, "leaf-1", "leaf-2", 7, 7)
    found = merge(*three)
    assert places(found) == ["devices/d1/deleted"]
    assert ("links", "l3") in found.conflicts[0].keys
    assert set(found.made.links) == {"l2"}
    assert set(merge(*three, prefer="theirs").made.links) == {"l1", "l2", "l3"}


def test_a_deleted_link_whose_port_was_given_to_another_stays_out_whoever_keeps_it(three):
    """Theirs keeps l1 by typing a length; on ours its port on leaf-1 has another link, which is ours to keep."""
    _base, ours, theirs = three
    ours.apply(operations.delete(ours, ["l1"]))
    connect(ours, "leaf-1", "leaf-2", 0, 5)
    change(theirs, "links", "l1", length_m=3.0, length_source="typed")
    assert places(merge(*three)) == ["links/l1/deleted"]
    found = merge(*three, {"links/l1/deleted": "theirs"})
    assert [one.unit for one in found.open] == ["port"]
    assert "l1" not in found.made.links and set(found.made.links) == {"l2", "l3"}
    assert all(len(ids) == 1 for one in found.made.devices for ids in found.made.used_ports(one).values())


def test_where_boxes_stand_and_calculated_lengths_are_no_conflicts(three):
    _base, ours, theirs = three
    ours.apply(operations.move(ours, {"d1": (5.0, 5.0)}))
    theirs.apply(operations.move(theirs, {"d1": (9.0, 9.0), "d2": (1.0, 1.0)}))
    change(ours, "links", "l1", length_m=3.0, length_source="routed")
    change(theirs, "links", "l1", length_m=4.0, length_source="routed")
    found = merge(*three)
    assert not found.conflicts
    assert found.made.placements["d1"].x == 5.0 and found.made.placements["d2"].x == 1.0
    change(theirs, "links", "l1", length_m=4.0, length_source="typed")
    assert places(merge(*three)) == ["links/l1/length"]


def test_a_deleted_device_that_was_only_moved_or_cabled_by_the_program_stays_deleted(three):
    _base, ours, theirs = three
    ours.apply(operations.delete(ours, ["d1"]))
    theirs.apply(operations.move(theirs, {"d1": (9.0, 9.0)}))
    change(theirs, "links", "l1", length_m=4.0, length_source="routed", cable=7)
    found = merge(*three)
    assert not found.conflicts and "d1" not in found.made.devices


def test_numbers_of_cables_given_anew_to_different_cables_stay_unique(three):
    _base, ours, theirs = three
    for side, one in ((ours, "l1"), (theirs, "l2")):
        change(side, "links", one, cable=1)
        side.apply(Edit("", (Change(side.settings, replace(side.settings, last_cable=1)),)))
    found = merge(*three)
    assert not found.conflicts
    assert [found.made.links[one].cable for one in ("l1", "l2")] == [1, 2]
    assert found.made.settings.last_cable == 2
    assert [(one.what, one.before, one.after) for one in found.renumbered] == [("cable number", "1", "2")]
    change(theirs, "links", "l1", cable=2)
    assert places(merge(*three)) == ["links/l1/cable"]


def test_groups_that_would_contain_each_other_are_a_conflict(base):
    design = base.snapshot()
    design.apply(operations.group(design, ["d1"], "one"))
    design.apply(operations.group(design, ["d2"], "two"))
    ours, theirs = design.snapshot(), design.snapshot()
    change(ours, "groups", "g1", parent_id="g2")
    change(theirs, "groups", "g2", parent_id="g1")
    found = merge(design, ours, theirs)
    assert places(found) == ["groups/g1/nested"]
    assert found.made.groups["g1"].parent_id == "g2"
    assert merge(design, ours, theirs, prefer="theirs").made.groups["g2"].parent_id == "g1"


def test_groups_of_one_name_in_different_groups_are_two(base):
    design, ours, theirs = base, base.snapshot(), base.snapshot()
    for side, device, outer in ((ours, "d1", "west"), (theirs, "d2", "east")):
        side.apply(operations.group(side, [device], "pod"))
        side.apply(operations.group(side, ["g1"], outer))
    found = merge(design, ours, theirs)
    made = found.made

    def path(device):
        inner = made.groups[made.devices[device].group_id]
        return inner.name, made.groups[inner.parent_id].name

    assert not found.conflicts
    assert path("d1") == ("pod", "west") and path("d2")[1] == "east"
    assert made.devices["d1"].group_id != made.devices["d2"].group_id


def test_a_group_that_both_made_and_one_collapsed_is_one_group(base):
    design, ours, theirs = base, base.snapshot(), base.snapshot()
    for side in (ours, theirs):
        side.apply(operations.group(side, ["d1", "d2"], "pod"))
    change(theirs, "groups", "g1", is_collapsed=True)
    found = merge(design, ours, theirs)
    assert list(found.made.groups) == ["g1"] and not found.renumbered


def test_links_at_ports_that_the_other_side_took_away_are_a_conflict(three):
    _base, ours, theirs = three
    ours.apply(operations.set_type(ours, "d2", CATALOG.get("nvidia-qm8790"), catalog_types=CATALOG.types))
    link = connect(theirs, "leaf-2", "leaf-1", 60, 60)
    found = merge(*three)
    assert "devices/d2/equipment" in places(found)
    assert link not in found.made.links
    back = merge(*three, prefer="theirs").made
    assert back.devices["d2"].type_id == SWITCH.id and link in back.links


def test_policies_are_merged_limit_by_limit(three):
    _base, ours, theirs = three
    for side, values in ((ours, {"spare_ports": 2}), (theirs, {"diameter_hops": 3})):
        side.apply(Edit("", (Change(side.settings, replace(side.settings, policy=Policy(**values))),)))
    found = merge(*three)
    assert not found.conflicts
    assert (found.made.policy.spare_ports, found.made.policy.diameter_hops) == (2, 3)


def test_a_type_that_one_side_removed_stays_where_the_other_uses_it(base):
    design = base.snapshot()
    design.apply(Edit("", (Change(None, CATALOG.get("nvidia-sn5600")),)))
    ours, theirs = design.snapshot(), design.snapshot()
    ours.apply(Edit("", (Change(CATALOG.get("nvidia-sn5600"), None),)))
    add(theirs, "leaf-9", CATALOG.get("nvidia-sn5600"))
    found = merge(design, ours, theirs)
    assert not found.conflicts and "nvidia-sn5600" in found.made.types


def test_types_of_different_facts_under_one_new_id_are_both_kept(three):
    _base, ours, theirs = three
    mine = replace(SWITCH, id="own", power_max_w=1.0)
    for side, type_ in ((ours, mine), (theirs, replace(mine, power_max_w=2.0))):
        side.apply(Edit("", (Change(None, type_),)))
        change(side, "devices", "d1" if side is ours else "d2", type_id="own")
    made = merge(*three).made
    assert (made.devices["d1"].type_id, made.devices["d2"].type_id) == ("own", "own-2")
    assert made.types["own-2"].power_max_w == 2.0


@pytest.mark.parametrize("has_it", ["ours", "theirs"])
def test_a_new_id_of_a_type_is_one_that_no_other_type_has(three, has_it):
    _base, ours, theirs = three
    mine = replace(SWITCH, id="own", power_max_w=1.0)
    third = ours if has_it == "ours" else theirs
    third.apply(Edit("", (Change(None, replace(mine, id="own-2", power_max_w=3.0)),)))
    for side, type_ in ((ours, mine), (theirs, replace(mine, power_max_w=2.0))):
        side.apply(Edit("", (Change(None, type_),)))
        change(side, "devices", "d1" if side is ours else "d2", type_id="own")
    change(third, "devices", "d3", type_id="own-2")
    made = merge(*three).made
    watts = {one: made.types[made.devices[one].type_id].power_max_w for one in ("d1", "d2", "d3")}
    assert watts == {"d1": 1.0, "d2": 2.0, "d3": 3.0}


def test_a_name_that_both_gave_to_the_same_two_things_stays(three):
    _base, ours, theirs = three
    for side in (ours, theirs):
        for one in ("d1", "d2"):
            change(side, "devices", one, name="twice")
    found = merge(*three)
    assert not found.renumbered and not found.conflicts and not found.edit
    change(theirs, "devices", "d3", name="twice")
    assert not merge(*three).renumbered


def test_recipes_follow_new_ids_without_spelling_out_what_they_claim(three):
    group = operations.group(three[1], ["d1"], "fabric").changes[0].after
    recipe = Recipe("fat-tree", devices=("d1-999999999999999999",), links=("l1-4", "l7"))
    made = rewritten(replace(group, recipe=recipe), {"d3": "d8", "l4": "l5", "l7": "l6"})
    assert made.recipe.devices == ("d1-2", "d8", "d4-999999999999999999")
    assert made.recipe.links == ("l1-3", "l5-6")
    assert rewritten(made, {"l2": "odd", "l3": "l9"}).recipe.links == ("l1", "l9", "l5-6")


@pytest.mark.parametrize("kind", list(TABLE_OF), ids=lambda kind: kind.__name__)
def test_every_field_that_names_another_record_follows_new_ids(kind):
    named = {one.name for one in fields(kind) if one.name.endswith("_id")}
    assert named <= set(ID_FIELDS.get(kind, ()))
