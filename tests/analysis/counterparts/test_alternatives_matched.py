"""Links of alternatives are those between the same devices, whatever ports and numbers a generator gave them."""

from collections import Counter
from dataclasses import replace

import pytest

from designer.analysis.alternatives import FEW
from designer.analysis.comparing import compare, swapped
from designer.analysis.new_designs import new_design
from designer.drawing.palette import PLAIN
from designer.exchange.comparison.marking import both, marked_changes
from designer.model.edit import Change, Edit
from designer.regeneration.recipes import family_named

NAMES = ("ours", "theirs")


@pytest.fixture(scope="module")
def made(catalog):
    """Fabrics of 2 and 4 units of 16 servers, with racks, cable numbers and lengths, by units and oversubscription."""
    family, switch = family_named("rail-optimized"), "generic-switch-32x400g"

    def build(units, oversubscription):
        values = {"servers": 16 * units, "servers_per_su": 16, "oversubscription": oversubscription, "switch": switch}
        return new_design(family, values, catalog, f"{units} units, {oversubscription}:1", "auto").design

    return {(units, ratio): build(units, ratio) for units in (2, 4) for ratio in (1, 2, 4)}


def joined(design):
    """How many links join each two devices, by their names."""
    name = {one.id: one.name for one in design.devices.values()}
    return Counter(frozenset((name[one.a.device_id], name[one.b.device_id])) for one in design.links.values())


CASES = [((2, 2), (2, 1)), ((4, 2), (4, 1)), ((2, 1), (4, 2)), ((4, 1), (2, 2)), ((4, 1), (4, 2)), ((2, 4), (2, 2))]


@pytest.mark.parametrize(("ours", "theirs"), CASES)
def test_what_only_one_has_are_the_links_that_the_other_has_fewer_of_between_two_devices(made, ours, theirs):
    before, after = made[ours], made[theirs]
    found = compare(before, after)
    assert found.alternatives
    changes = Counter(row.change for row in found.differences if row.kind == "link")
    gone, new = joined(before) - joined(after), joined(after) - joined(before)
    assert changes == Counter({"removed": gone.total(), "added": new.total()})
    aligned = found.alignment.design
    named = {
        verb: Counter(
            frozenset(of.devices[end.device_id].name for end in (of.links[row.id].a, of.links[row.id].b))
            for row in found.differences
            if row.kind == "link" and row.change == verb
        )
        for verb, of in (("removed", before), ("added", aligned))
    }
    assert (named["removed"], named["added"]) == (gone, new)


@pytest.mark.parametrize(("ours", "theirs"), CASES)
def test_swapped_the_same_links_are_only_in_the_other_one(made, ours, theirs):
    before = made[ours]
    found = compare(before, made[theirs])
    back = swapped(found, before)
    turned = {"added": "removed", "removed": "added"}
    assert {(row.id, turned.get(row.change, row.change)) for row in found.differences} == {
        (row.id, row.change) for row in back.differences
    }


def test_the_drawing_colors_the_links_that_only_one_has_and_no_other(made):
    before, after = made[4, 2], made[4, 1]
    found = compare(before, after)
    marked = marked_changes(before, found, NAMES)
    whole = both(before, marked)
    new = [one for one in whole.links if one not in before.links]
    assert joined(whole) == joined(before) | joined(after)
    classes = marked.marks.classes
    assert {classes[marked.marks.of[one]].title for one in new} == {"Only in theirs"}
    assert all(classes[marked.marks.of.get(one, 0)].colour == PLAIN for one in before.links)
    assert "Links differ" not in {one.title for one in classes}


def test_ports_numbers_and_calculated_lengths_are_no_difference_and_what_was_typed_is(made):
    before, after = made[4, 2], made[4, 1].snapshot()
    found = compare(before, after)
    pairs = [(one, found.alignment.design.links.get(one.id)) for one in before.links.values()]
    shared = [(was, now) for was, now in pairs if now is not None]
    assert any(was.cable != now.cable for was, now in shared) and any(was.a != now.a for was, now in shared)
    assert not any(row.kind == "link" and row.change == "changed" for row in found.differences)
    ids = {now: was for was, now in found.alignment.ids["links"].items()}
    link = after.links[ids.get(shared[0][0].id, shared[0][0].id)]
    typed = replace(link, length_m=77.0, length_source="typed", label="A7")
    after.apply(Edit("type", (Change(link, typed),)))
    said = [(row.change, row.what) for row in compare(before, after).differences if row.kind == "link" and row.what]
    assert said == [("changed", "length"), ("changed", "label")]


def test_alternatives_whose_servers_alone_are_cabled_alike_are_found_by_the_links_between_switches(made):
    """At 4:1, 256 of 320 links lead to servers: more than three quarters of all links join the same ports."""
    ours, theirs = made[2, 4], made[2, 2]
    assert "links between switches join the same switches in both" in compare(ours, theirs).alternatives
    few = ours.snapshot()
    between = [one for one in few.links.values() if all(few.is_switch(end.device_id) for end in (one.a, one.b))]
    one = between[0]
    other = next(
        link for link in between if link.a.device_id == one.a.device_id and link.b.device_id != one.b.device_id
    )
    few.apply(Edit("swap", (Change(one, replace(one, b=other.b)), Change(other, replace(other, b=one.b)))))
    found = compare(ours, few)
    assert found.alternatives == "" and {row.change for row in found.differences} == {"miswired"}
    assert FEW > 2
