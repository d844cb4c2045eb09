"""What an edit does, in words with counts."""

from dataclasses import replace

import pytest

from designer.analysis.outlook import connections, outlook
from designer.model import operations
from designer.model.design import Design
from designer.model.edit import Change, Edit, added, joined, netted
from designer.model.entities import End, Link


@pytest.fixture
def design(catalog):
    made = Design()
    for x, (name, type_id) in enumerate((("a", "nvidia-qm9700"), ("b", "nvidia-qm9700"), ("gpu", "dgx-h100"))):
        made.apply(
            operations.add_device(made, catalog.get(type_id), 200.0 * x, 0, catalog_types=catalog.types, name=name)
        )
    made.apply(operations.connect_devices(made, made.find("a").id, made.find("b").id, 4))
    return made


def said(design, *edits):
    return outlook(design, joined("Do it", edits)).sentence


def changed(record, **values):
    return Edit("Change", (Change(record, replace(record, **values)),))


def test_links_that_come_go_move_and_change_are_counted_apart(design):
    first, second, third, fourth = design.links.values()
    moved = changed(second, b=End(second.b.device_id, "20/1"))
    cabled, noted = changed(third, length_m=3.0), changed(fourth, notes="spare")
    assert said(design, moved) == "Moves 1 link."
    assert said(design, operations.delete(design, [first.id]), moved, cabled, noted) == (
        "Removes 1 link, moves 1 link, changes 1 cable and 1 link."
    )


def test_devices_are_called_by_their_role_and_take_their_modules_with_them(design):
    assert said(design, operations.delete(design, [design.find("gpu").id])) == "Removes 1 server."
    assert said(design, changed(design.find("a"), name="c")) == "Renames 1 switch."
    module = next(iter(design.modules.values()))
    assert said(design, Edit("Remove", (Change(module, None),))) == "Removes 1 NIC."


def test_what_is_locked_or_sorted_in_with_its_links_goes_without_saying(design, catalog):
    place = next(iter(design.placements.values()))
    assert said(design, changed(place, locked=True)) == "Nothing to add: everything is there already."
    leaf = changed(design.find("a"), role="leaf")
    assert said(design, leaf) == "Changes 1 leaf switch."
    after = design.snapshot()
    after.apply(leaf)
    linked = operations.connect_devices(after, after.find("a").id, after.find("b").id)
    assert said(design, leaf, linked).startswith("Adds 1 link; ")


def test_moves_on_the_canvas_in_racks_and_turns_are_called_so(design, catalog):
    place = design.placements[design.find("a").id]
    assert said(design, changed(place, x=99.0)) == "Moves 1 device."
    assert said(design, changed(place, side="rear")) == "Flips 1 device."
    design.apply(operations.add_rack(design, catalog.racks()[0], 500.0, 0.0, "r-01"))
    rack = next(iter(design.racks))
    assert said(design, changed(design.placements[rack], x=9.0)) == "Moves 1 rack."


def test_an_edit_comes_to_what_it_ends_with(design):
    first = next(iter(design.links.values()))
    once, twice = replace(first, notes="once"), replace(first, notes="twice")
    edit = Edit("Note", (Change(first, once), Change(once, twice)))
    assert netted(edit).changes == (Change(first, twice),)
    back = Edit("Note", (Change(first, once), Change(once, first)))
    assert not netted(back)
    assert netted(Edit("Delete", (Change(first, None), Change(None, once)))).changes == (Change(first, once),)


def test_links_that_come_or_move_are_named_by_their_ports_up_to_three(design):
    gpu, a = design.find("gpu"), design.find("a")
    free = design.free_ports(a.id)
    nics = design.free_ports(gpu.id)
    news = [Link(f"n{n}", End(gpu.id, nics[n].name), End(a.id, free[n].name)) for n in range(5)]
    first = f"{nics[0].name} of gpu to port {free[0].name} of a"
    assert connections(design, Edit("Join", added(news[:1]))) == f"Connects {first}"
    second, third = (f"{nics[n].name} of gpu to port {free[n].name} of a" for n in (1, 2))
    assert connections(design, Edit("Join", added(news[:2]))) == f"Connects {first} and {second}"
    assert connections(design, Edit("Join", added(news))) == f"Connects {first}, {second}, {third} and 2 more"
    link = next(iter(design.links.values()))
    moved = Edit("Move", (Change(link, replace(link, b=End(link.b.device_id, "20/1"))),))
    assert connections(design, moved) == f"Connects port {link.a.port} of a to port 20/1 of b"
    assert connections(design, changed(link, notes="spare")) == ""
    assert connections(design, operations.delete(design, [link.id])) == ""
