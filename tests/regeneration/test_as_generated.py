"""What was changed by hand since a fabric was generated: the design compared with what its recipes give."""

from dataclasses import replace

import pytest

from designer.analysis.comparing import compare
from designer.analysis.new_designs import new_design
from designer.analysis.topology_text import topology_text
from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.exchange.comparison.against_files import compare_with, generated_source
from designer.model import operations, wiring
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, removed
from designer.model.entities import Link
from designer.regeneration.as_generated import as_generated
from designer.regeneration.recipes import family_named

CATALOG = load()


@pytest.fixture
def design():
    values = {"servers": 16, "servers_per_su": 8}
    return new_design(family_named("rail-optimized"), values, CATALOG, "", "lengths").design


def changed_by_hand(design):
    """A server more with a cable, a cable fewer, a name and a tag."""
    servers = list(design.servers())
    (new_id,) = design.new_ids("devices", 1)
    loaner = replace(servers[0], id=new_id, name="loaner-1", group_id=None)
    modules = [
        replace(one, id=id_, device_id=new_id)
        for one, id_ in zip(
            design.modules_of(servers[0].id),
            design.new_ids("modules", len(list(design.modules_of(servers[0].id)))),
            strict=True,
        )
    ]
    design.apply(Edit("Loaner", tuple(Change(None, one) for one in (loaner, *modules))))
    leaf = next(one for one in design.switches() if one.role == "leaf")
    design.apply(wiring.connect_devices(design, new_id, leaf.id))
    gone = next(iter(design.links_of(servers[3].id)))
    design.apply(Edit("Pull a cable", removed([gone])))
    design.apply(operations.rename(design, servers[5].id, "vip-server"))
    tagged = design.devices[servers[6].id]
    design.apply(Edit("Tag", (Change(tagged, replace(tagged, tags=("phase-2",))),)))
    return gone


def test_a_design_as_generated_does_not_differ_from_what_it_is(design):
    assert compare(design, as_generated(design, CATALOG)).differences == ()


def test_all_that_was_changed_by_hand_differs_and_nothing_else(design):
    gone = changed_by_hand(design)
    found = compare(design, as_generated(design, CATALOG))
    rows = {(row.change, row.kind, row.name) for row in found.differences if row.kind in ("device", "link")}
    assert ("removed", "device", "loaner-1") in rows
    assert sum(change == "removed" and kind == "link" for change, kind, _ in rows) == 1
    assert [row.id for row in found.differences if row.change == "added"] == [gone.id]
    assert {(row.change, row.before, row.after) for row in found.differences if row.kind == "device"} >= {
        ("renamed", "vip-server", "gpu-06"),
        ("changed", "phase-2", ""),
    }


def test_what_was_added_by_hand_is_called_added_and_what_was_removed_so(design):
    gone = changed_by_hand(design)
    found = compare_with(design, generated_source(design, CATALOG))
    assert found.names == ("as generated", design.name) and not found.alternatives
    assert "1 device added" in found.summary and "1 link removed" in found.summary
    rows = {(row.change, row.name, row.before, row.after) for row in found.rows if row.kind == "device"}
    assert ("added", "loaner-1") in {row[:2] for row in rows}
    assert ("renamed", "vip-server", "gpu-06", "vip-server") in rows
    assert [row.id for row in found.rows if row.change == "removed"] == [gone.id]


def test_a_link_laid_again_differs_by_the_cable_that_it_has_lost_and_parts_are_those_of_before(design):
    parts = links_with_parts(design)
    link = next(iter(design.links.values()))
    (new_id,) = design.new_ids("links", 1)
    design.apply(Edit("Lay again", (*removed([link]), *added([Link(new_id, link.a, link.b)]))))
    gone = next(iter(design.links_of([*design.servers()][3].id)))
    design.apply(Edit("Pull a cable", removed([gone])))
    source = generated_source(design, CATALOG)
    assert links_with_parts(source.other) == parts
    rows = {(row.change, row.what, row.before, row.after) for row in compare_with(design, source).rows}
    length = f"{link.length_m:g} m"
    assert {("changed", "length", length, ""), ("removed", "", "", "")} <= rows
    assert not any("source" in what for _, what, *_ in rows)


def links_with_parts(design):
    """Links by their ends, with length and medium."""
    return {frozenset((one.a, one.b)): (one.medium_id, one.length_m) for one in design.links.values()}


def test_however_much_was_changed_by_hand_it_stays_a_version_of_what_was_generated(design):
    design.apply(operations.delete(design, [*design.devices][4:]))
    found = compare_with(design, generated_source(design, CATALOG))
    assert not found.alternatives and not any(row.change == "added" for row in found.rows)


def test_links_that_were_all_led_elsewhere_by_hand_are_rewired(design):
    links = list(design.links.values())
    turned = zip(links, [*links[1:], links[0]], strict=True)
    design.apply(Edit("turn", tuple(Change(one, replace(one, b=other.b)) for one, other in turned)))
    found = compare_with(design, generated_source(design, CATALOG))
    assert not found.alternatives
    assert {row.change for row in found.rows if row.kind == "link"} & {"rewired", "miswired"}


def test_the_sentence_about_the_topology_says_that_something_was_linked_by_hand(design):
    """How many is for the comparison alone: there a link that was made again is the same."""
    assert "Changed by hand" not in topology_text(design).text
    changed_by_hand(design)
    assert topology_text(design).text.endswith("Changed by hand since it was generated.")


def test_nothing_generated_is_refused_with_a_sentence():
    with pytest.raises(ParameterError, match="Nothing in this design was generated"):
        as_generated(Design(), CATALOG)
