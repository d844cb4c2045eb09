"""A fabric of many groups on paper: one page of all groups and their links, and one page for each of them."""

import re
from dataclasses import replace

import pytest
from reading import texts, words

from designer.drawing.parts.primitives import Lines, Rect
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.topology import units
from designer.drawing.sheets.unit_map import unit_map
from designer.model.edit import Change, Edit
from designer.topologies import networks


@pytest.fixture(scope="module")
def grouped():
    return {}


@pytest.fixture
def dragonfly(grouped, generated):
    if not grouped:
        grouped["design"] = generated("dragonfly", p=2, a=8, h=4)
        grouped["book"] = pages(grouped["design"], which=("overview", "units"))
    return grouped["design"], grouped["book"]


def layer(page, name):
    return next(group for group in page.layers() if group.id == name)


def test_the_overview_of_many_groups_names_each_once_with_its_page_and_no_box_lies_on_another(dragonfly):
    design, book = dragonfly
    first = {page.title: page.number for page in book}
    boxes = [one for one in layer(book[0], "boxes").parts if isinstance(one, Rect)]
    written = " ".join(one.text for one in texts([layer(book[0], "boxes")]))
    found = re.findall(r"(Group [0-9]+) page ([0-9]+)", written)
    assert found == [(one.name, str(first[f"Topology: {one.name}"])) for one in units(design)]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert abs(one.x - other.x) >= one.width or abs(one.y - other.y) >= one.height


def test_the_overview_of_many_groups_has_a_line_for_each_linked_pair_and_counts_links(dragonfly):
    _, book = dragonfly
    lines = [one for one in layer(book[0], "links").parts if isinstance(one, Lines)]
    assert [len(one.xy) for one in lines] == [528]
    assert words(book[0], "notes")[:2] == [
        "528 links between 33 groups: 1 link between each of the 528 pairs.",
        "Each group: 16 servers, 8 switches.",
    ]


def test_pairs_that_differ_in_links_have_lines_of_different_width_and_the_note_says_so(generated):
    made = generated("dragonfly", p=2, a=8, h=4)
    first, second, third = (
        {one.id for one in made.devices.values() if one.group_id == unit.id} for unit in units(made)[:3]
    )

    def between(some, others):
        return next(x for x in made.links.values() if x.a.device_id in some and x.b.device_id in others)

    freed, spare = between(first, second), between(second, third)
    made.apply(Edit("Cut", (Change(freed, None), Change(spare, None))))
    made.apply(Edit("Move", (Change(None, replace(freed, b=spare.b)),)))
    (page, *_) = pages(made, which=("overview",))
    lines = [one for one in layer(page, "links").parts if isinstance(one, Lines)]
    assert [len(one.xy) for one in lines] == [525, 1]
    assert lines[0].pen.width < lines[1].pen.width
    note = "527 links between 33 groups: 1 to 2 links between 526 of the 528 pairs; wider lines stand for more links."
    assert words(page, "notes")[0] == note


def test_a_fabric_with_a_switch_in_no_group_has_no_map_of_groups(dragonfly):
    design, _ = dragonfly
    assert unit_map(design, units(design)) is not None
    assert unit_map(design, units(design)[1:]) is None
    assert unit_map(design, units(design)[:2]) is None


def test_each_group_of_linked_switches_has_one_page_that_names_all_its_devices(dragonfly):
    design, book = dragonfly
    assert [page.title for page in book[1:]] == [f"Topology: {one.name}" for one in units(design)]
    for page, unit in zip(book[1:], units(design), strict=True):
        inside = {one.name for one in design.devices.values() if one.group_id == unit.id}
        assert inside <= set(words(page, "boxes"))


def test_the_page_of_the_topology_has_its_own_legend_of_boxes_and_networks(generated, catalog):
    made = generated("fat-tree", servers=16)
    (page, *_) = pages(made, which=("overview",))
    assert words(page, "legend") == ["server", "leaf", "spine"]
    made.apply(networks.build(made, networks.NetworkParameters(oob_switch="generic-switch-48x1g"), catalog))
    (page, *_) = pages(made, which=("overview",))
    assert words(page, "legend")[-2:] == ["Compute (links)", "Out-of-band management (links)"]
