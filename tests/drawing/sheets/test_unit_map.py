"""A fabric of many groups on paper: one page of all groups and their links, and one page for each of them."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from reading import texts, words

from designer.analysis.cable_numbers import cable_name
from designer.analysis.tiers import switch_word
from designer.catalog.catalog import load
from designer.drawing.parts.primitives import Lines, Rect
from designer.drawing.sheets.pages import pages
from designer.drawing.sheets.rest_map import kinds_of, rest_map
from designer.drawing.sheets.rest_map import parts_of as parts_of_rest
from designer.drawing.sheets.topology import units
from designer.drawing.sheets.unit_layout import on_both_sides, under_servers
from designer.drawing.sheets.unit_links import unit_links
from designer.drawing.sheets.unit_map import unit_map
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.networks import network_of_link
from designer.model.port_labels import port_label
from designer.regeneration import recipes
from designer.regeneration.recipes import family_named
from designer.storage import document
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def cabled(design):
    """The design with a number for each of its cables."""
    changes = [Change(one, replace(one, cable=n)) for n, one in enumerate(design.links.values(), start=1)]
    design.apply(Edit("Number", tuple(changes)))
    return design


@pytest.fixture(scope="module")
def grouped():
    return {}


@pytest.fixture
def dragonfly(grouped, generated):
    if not grouped:
        grouped["design"] = cabled(generated("dragonfly", p=2, a=8, h=4))
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
    assert words(book[0], "notes")[-3:-1] == [
        "528 links between 33 groups: 1 link between each of the 528 pairs.",
        "Each group: 16 hosts, 8 routers.",
    ]


def test_cables_between_groups_are_found_from_either_group_with_the_pages_of_both_ends(dragonfly):
    design, _ = dragonfly
    book = pages(design, which=("index", "overview", "switches"))
    listed = [page for page in book if page.title.startswith("Cables between groups")]
    rows = [one.text for page in listed for one in texts([layer(page, "pairs")]) if not one.bold]
    found = {(*rows[at : at + 5],) for at in range(0, len(rows), 5)}
    of = {one.id: one.name for one in units(design)}
    page_of = {end: number for number, page in enumerate(book, 1) for end in ends_on(design, page)}
    expected = set()
    for link in design.links.values():
        for end, far in ((link.a, link.b), (link.b, link.a)):
            one, other = (of.get(design.device(x.device_id).group_id) for x in (end, far))
            if one != other and one and other:
                expected.add((one, other, cable_name(link.cable), str(page_of[end]), str(page_of[far])))
    assert found == expected
    assert len(found) == 2 * 528
    assert f"Cables between groups: from page {listed[0].number} on" in words(book[listed[0].number - 2], "notes")
    assert listed[0].title in words(book[0], "index")


def test_cables_without_a_number_are_no_cables_between_groups(generated):
    made = generated("dragonfly", p=2, a=8, h=4)
    book = pages(made, which=("overview",))
    assert [page.title for page in book] == ["Topology"]
    assert not [one for one in words(book[0], "notes") if one.startswith("Cables between groups")]


def ends_on(design, page):
    """The ends of links of switches whose pages they are."""
    if page.section != "switches":
        return []
    named = {one.name: one.id for one in design.switches()}
    ids = {named[mark] for mark in page.marks}
    return [end for link in design.links.values() for end in (link.a, link.b) if end.device_id in ids]


def test_of_very_many_pairs_those_of_one_group_are_drawn_to_be_followed(generated):
    made = generated("dragonfly", p=1, a=8, h=6, groups=49)
    (page, *_) = pages(made, which=("overview",))
    every, own = (one for one in layer(page, "links").parts if isinstance(one, Lines))
    assert (len(every.xy), len(own.xy)) == (49 * 48 // 2, 48)
    assert every.pen.width < own.pen.width
    assert "The links of Group 1 are drawn darker as an example." in words(page, "notes")


def test_pages_say_that_global_links_crowd_on_few_routers():
    made, family = Design(), family_named("dragonfly")
    given = family.parameters(p=1, a=4, h=4, groups=9, links_per_pair=1)
    made.apply(recipes.generated(made, family, given, load()))
    index, overview, *_ = pages(made, which=("index", "overview"))
    note = (
        "Note: Only 2 of the 4 routers of a group have global links in the relative arrangement; in the even one 4 "
        "have."
    )
    assert note in " ".join(words(index, "heading"))
    assert note in " ".join(words(overview, "notes"))
    assert any(one.startswith("Dragonfly, p = 1, a = 4, h = 4, g = 9") for one in words(index, "heading"))


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
    assert note in words(page, "notes")


def test_a_fabric_with_a_switch_in_no_group_has_no_map_of_groups(dragonfly):
    design, _ = dragonfly
    assert unit_map(design, units(design)) is not None
    assert unit_map(design, units(design)[1:]) is None
    assert unit_map(design, units(design)[:2]) is None


def test_each_group_of_linked_switches_has_a_page_that_names_all_its_devices_and_one_of_its_links(dragonfly):
    design, book = dragonfly
    titles = [f"Topology: {one.name}{more}" for one in units(design) for more in ("", ", links by port")]
    of_groups = [page for page in book if page.section == "units"]
    assert [page.title for page in of_groups] == titles
    for page, unit in zip(of_groups[::2], units(design), strict=True):
        inside = {one.name for one in design.devices.values() if one.group_id == unit.id}
        assert inside <= set(words(page, "boxes"))


def test_each_network_has_a_page_of_topology_with_its_own_lines_and_legend(generated, catalog):
    made = generated("fat-tree", servers=16)
    (page,) = pages(made, which=("overview",))
    assert words(page, "legend") == ["server", "leaf", "spine"]
    made.apply(networks.build(made, NetworkParameters(oob_switch="generic-switch-48x1g"), catalog))
    compute, managing = pages(made, which=("overview",))
    assert [compute.title, managing.title] == ["Topology: compute network", "Topology: out-of-band management network"]
    assert words(compute, "legend") == ["server", "leaf", "spine"]
    assert "Out-of-band management (links)" in words(managing, "legend")
    assert "spine" not in words(managing, "legend")
    named = {one.name for one in made.switches() if one.network == "oob"}
    assert named
    assert not named & set(words(compute, "boxes"))
    managed = sum(network_of_link(made, one) == "oob" for one in made.links.values()) - 16
    book = pages(made, which=("overview", "switches"))
    assert words(book[1], "notes")[-1] == f"{managed} links to switches of other networks: by port from page 3 on"


def test_switches_of_a_network_stand_below_the_servers_on_its_page_and_nothing_moves_in_the_design(generated, catalog):
    made = generated("fat-tree", servers=16)
    made.apply(networks.build(made, NetworkParameters(oob_switch="generic-switch-48x1g"), catalog))
    before = dict(made.placements)
    laid = under_servers(made, "oob")
    lowest = max(laid.placements[one.id].y for one in laid.servers())
    for one in laid.switches():
        if one.network == "oob":
            assert laid.placements[one.id].y > lowest
        else:
            assert laid.placements[one.id] == before[one.id]
    assert dict(made.placements) == before


def test_two_tiers_without_servers_stand_in_three_rows_and_other_units_stay(generated):
    made = generated("fat-tree", servers=64)
    assert on_both_sides(made.snapshot()) is None
    made.apply(operations.delete(made, [one.id for one in made.servers()]))
    laid = on_both_sides(made.snapshot())
    rows = {
        one.role: {laid.placements[other.id].y for other in laid.switches() if other.role == one.role}
        for one in laid.switches()
    }
    few, many = sorted(rows.values(), key=len)
    assert (len(few), len(many)) == (1, 2)
    assert min(many) < next(iter(few)) < max(many)


@pytest.fixture(scope="module")
def superpod():
    return document.load(EXAMPLES / "superpod-h100-4su.fabric")


def test_spines_in_no_unit_are_called_what_they_are_and_drawn_with_lines_to_every_unit(superpod):
    book = pages(superpod, which=("units", "switches"))
    page = next(one for one in book if one.title == "Topology: Compute spines")
    spines = [one for one in superpod.switches() if one.role == "spine"]
    (lines,) = layer(page, "links").parts
    assert len(lines.xy) == len(spines) * 4
    written = words(page, "boxes")
    assert {one.name for one in spines} <= set(written)
    first = {one.title: one.number for one in book}
    for unit in units(superpod):
        place = next(
            n
            for n, (a, b) in enumerate(itertools.pairwise(written))
            if a == "256 links, 16 each" and b == f"page {first[f'Topology: {unit.name}']}"
        )
        assert place
    assert words(page, "notes") == ["1,024 links; each line stands for those of a device to a unit."]


def test_a_row_of_devices_too_long_for_a_page_is_drawn_in_parts_that_keep_every_link(superpod):
    names = {one.id: one.name for one in units(superpod)}
    ids = [one.id for one in superpod.switches() if one.role == "spine"]
    whole = rest_map(superpod, "Spines", ids, names)
    parts = parts_of_rest(whole, superpod, (0.0, 0.0, 250.0, 400.0))
    assert len(parts) > 1
    assert [one for part in parts for one in part.device_ids] == ids
    assert sum(sum(part.links.values()) for part in parts) == sum(whole.links.values()) == 1024
    for part in parts:
        assert {place for place, _ in part.links} == set(range(len(part.device_ids)))
    assert parts_of_rest(whole, superpod, (0.0, 0.0, 60.0, 400.0)) == []


def test_devices_of_no_unit_are_grouped_by_what_they_are(superpod):
    found = kinds_of(superpod, superpod.devices)
    assert {title: len(ids) for title, ids in found.items()} == {
        "Compute leaf switches": 32,
        "Compute spines": 16,
        "Servers": 127,
    }


def test_the_page_of_a_group_says_how_its_routers_are_linked_and_on_which_page_that_is_by_port(dragonfly):
    _, book = dragonfly
    page = next(page for page in book if page.title == "Topology: Group 1")
    after = page.number + 1
    assert words(page, "notes") == [
        f"Every router of Group 1 is linked to every other: 28 links, 1 per pair. Ports and cables: page {after}",
        f"32 links to 32 routers outside of Group 1. Ports, cables, far ends and their pages: page {after}",
    ]


def fields(design, page):
    """The matrix of a page, read by place: (router, router) to what the field says."""
    written = list(texts([layer(page, "matrix")]))
    heads = {round(one.x): one.text for one in written if one.bold and one.text.startswith("router-")}
    rows = {one.y: one.text for one in written if not one.bold and one.text.startswith("router-")}
    return {(rows[one.y], heads[round(one.x)]): one.text for one in written if one.y in rows and round(one.x) in heads}


def test_the_matrix_of_a_group_has_port_and_cable_of_every_link_among_its_routers(dragonfly):
    design, book = dragonfly
    found = fields(design, next(page for page in book if page.title == "Topology: Group 1, links by port"))
    unit = units(design)[0]
    inside = {one.id for one in design.switches() if one.group_id == unit.id}
    among = [one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= inside]
    assert len(among) == 28
    for link in among:
        for end, far in ((link.a, link.b), (link.b, link.a)):
            pair = design.device(end.device_id).name, design.device(far.device_id).name
            assert found[pair] == f"{port_label(design, end)} {cable_name(link.cable)}"


def test_links_out_of_a_group_are_listed_from_port_to_port_with_cable_and_page_of_the_far_end(generated):
    design = cabled(generated("dragonfly", p=1, a=4, h=1))
    book = pages(design)
    first = {name: page.number for page in book for name in page.marks}
    unit = units(design)[0]
    page = next(one for one in book if one.title == f"Topology: {unit.name}, links by port")
    rows = " ".join(words(page, "links-by-port"))
    inside = {one.id for one in design.switches() if one.group_id == unit.id}
    leading = [one for one in design.links.values() if (one.a.device_id in inside) != (one.b.device_id in inside)]
    leading = [one for one in leading if design.is_switch(one.a.device_id) and design.is_switch(one.b.device_id)]
    assert leading
    for link in leading:
        end, far = (link.a, link.b) if link.a.device_id in inside else (link.b, link.a)
        own, other = design.device(end.device_id).name, design.device(far.device_id).name
        cells = own, port_label(design, end), cable_name(link.cable), other, port_label(design, far)
        assert f"{' '.join(cells)} {first[other]}" in rows


def test_a_group_that_lacks_a_link_says_how_many_it_has(generated):
    design = generated("dragonfly", p=1, a=4, h=1)
    unit = units(design)[0]
    inside = [one.id for one in design.devices.values() if one.group_id == unit.id]
    assert unit_links(design, unit.name, inside).sentence.endswith("6 links, 1 per pair")
    among = unit_links(design, unit.name, inside).inside
    design.apply(Edit("Move", (Change(among[0][2], None),)))
    assert unit_links(design, unit.name, inside).sentence == "5 links between 4 routers of Group 1"


def test_a_group_whose_switches_have_other_roles_says_switches(generated):
    design = generated("dragonfly", p=1, a=4, h=1)
    assert switch_word(design) == "router"
    one = next(iter(design.switches()))
    design.apply(Edit("Rename", (Change(one, replace(one, role="spine")),)))
    assert switch_word(design) == "switch"
    assert switch_word(design, ()) == "switch"
