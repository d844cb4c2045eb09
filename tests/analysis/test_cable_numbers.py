"""Numbers of cables: given once, never moved, shared by the links of one cable."""

from dataclasses import replace

import pytest

from designer.analysis.cable_numbers import cable_name, number_cables
from designer.analysis.new_designs import new_design
from designer.catalog.catalog import load
from designer.exchange.cable_plan import cable_rows
from designer.model.edit import Change, Edit
from designer.model.fragments import duplicate
from designer.model.naming import natural
from designer.model.removing import delete
from designer.model.wiring import connect
from designer.topologies.families import FAMILIES

FAMILY = next(one for one in FAMILIES if one.name == "rail-optimized")


@pytest.fixture(scope="module")
def made():
    return new_design(FAMILY, {"servers": 8, "servers_per_su": 4}, load(), "pod", "auto").design


@pytest.fixture
def design(made):
    return made.snapshot()


def numbers(design):
    return {link.id: link.cable for link in design.links.values()}


def test_generated_cables_are_numbered_from_1_in_the_order_of_the_plan(design):
    names = [f"C{number:04d}" for number in range(1, len(design.links) + 1)]
    ordered = [cable_name(design.links[one].cable) for one in in_plan_order(design)]
    assert list(dict.fromkeys(ordered)) == names[: len(set(ordered))]
    assert design.settings.last_cable == len(set(ordered))
    assert not number_cables(design)


def in_plan_order(design):
    by_ends = {}
    for link in design.links.values():
        for one in (link.a, link.b):
            by_ends[design.device(one.device_id).name, one.port] = link.id
    return [by_ends[row.a_device, row.a_port_id] for row in cable_rows(design)]


def test_numbers_stay_when_racks_are_renamed_and_links_come_and_go(design):
    first = min(design.links, key=natural)
    gone = design.links[first]
    kept = {one: number for one, number in numbers(design).items() if number != gone.cable}
    highest = max(kept.values())
    design.apply(delete(design, [first]))
    rack = next(iter(design.racks.values()))
    design.apply(Edit("Rename", (Change(rack, replace(rack, name="Z99")),)))
    design.apply(connect(design, gone.a, gone.b))
    design.apply(number_cables(design))
    after = numbers(design)
    assert {one: after[one] for one in kept} == kept
    new = [number for one, number in after.items() if one not in kept]
    assert all(number == gone.cable or number > highest for number in new)
    assert highest + 1 in new, "a number that a removed cable had is not given again"


def test_a_copy_has_cables_of_its_own(design):
    rack = next(iter(design.racks))
    members = [one for one in design.placements if design.placements[one].rack_id == rack]
    before = set(design.links)
    design.apply(duplicate(design, members, 5000.0, 0.0))
    assert {design.links[one].cable for one in design.links.keys() - before} <= {0}
    design.apply(number_cables(design))
    given = {}
    for link in design.links.values():
        given.setdefault(link.cable, []).append(link.id)
    assert 0 not in given


def test_links_of_one_cable_share_a_number_and_pieces_that_were_split_do_not(design):
    for link in list(design.links.values()):
        design.apply(Edit("One number", (Change(link, replace(link, cable=7)),)))
    design.apply(number_cables(design))
    found = numbers(design)
    assert len(set(found.values())) == len({row.cable_id for row in cable_rows(design)})
    assert 7 in found.values()
    assert min(found.values()) == 7, "the others get numbers that none ever had"


def test_an_unnumbered_cable_has_no_name():
    assert (cable_name(0), cable_name(12), cable_name(123456)) == ("", "C0012", "C123456")
