"""The selection by kind is that of the design as it stands."""

from dataclasses import replace

import pytest
from disposal import dispose_of

from designer.catalog.catalog import load
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.regeneration import recipes
from designer.session.session import Session
from designer.topologies.rail_optimized import RailOptimizedParameters

CATALOG = load()


@pytest.fixture
def session(qtbot) -> Session:
    session = Session(CATALOG)
    family = recipes.family_named("rail-optimized")
    session.push(
        recipes.generated(session.design, family, RailOptimizedParameters(servers=8, servers_per_su=4), CATALOG)
    )
    yield session
    dispose_of(session)


def test_all_that_is_selected_is_told_apart(session):
    design = session.design
    session.select([*design.devices, *design.links, *design.racks, *design.groups, "nothing"])
    chosen = session.selected
    assert chosen.devices == frozenset(design.devices)
    assert chosen.links == frozenset(design.links)
    assert chosen.racks == frozenset(design.racks) and chosen.groups == frozenset(design.groups)
    assert chosen.servers == {one.id for one in design.servers()}
    assert chosen.switches == {one.id for one in design.switches()}
    assert chosen.placed == {one for one in session.selection if one in design.placements}
    assert chosen.mounted == {one for one in design.devices if design.placements[one].rack_id is not None}
    assert chosen.groups_around == {one.group_id for one in design.devices.values() if one.group_id} | {
        one.group_id for one in design.racks.values() if one.group_id
    }


def test_it_follows_selection_edits_and_other_designs(session):
    server = session.design.servers()[0].id
    session.select([server])
    assert session.selected is session.selected
    group = next(iter(session.selected.groups_of_devices))
    session.push(operations.ungroup(session.design, group))
    assert group not in session.selected.groups_of_devices
    session.push(operations.delete(session.design, [server]))
    assert not session.selected.devices
    session.new()
    assert not session.selected.servers and session.selected.design is session.design


def test_a_part_of_what_is_selected_is_told_apart_as_all_of_it_is(session):
    design = session.design
    racked = sorted(one for one in design.devices if design.placements[one].rack_id is not None)
    for ids in (racked[:1], racked, [*racked[:-1], *design.links], [*design.devices]):
        session.select(ids)
        chosen = session.selected
        assert chosen.mounted == {one for one in ids if one in racked}
        groups = {design.devices[one].group_id for one in chosen.devices} - {None}
        assert chosen.groups_of_devices == groups
        planes = {design.devices[one].plane for one in chosen.devices}
        assert chosen.is_in_plane == (planes > {None})


def test_links_alone_are_known_from_links_with_something_else(session):
    links, server = list(session.design.links), session.design.servers()[0].id
    for ids, alone in ((links, True), (links[:2], True), ([*links, server], False), ([server], False)):
        session.select(ids)
        assert session.selected.are_links == alone


def test_whole_tables_are_selected_as_they_are_and_unknown_ids_passed_over(session):
    design = session.design
    whole = frozenset((*design.devices, *design.links))
    for ids in (whole, whole | {"nothing"}, [*whole, "nothing"]):
        session.select([])
        session.select(ids)
        assert session.selection == whole
        assert session.selected.switches == {one.id for one in design.switches()}
    session.select([*design.devices, "nothing"])
    assert session.selection == frozenset(design.devices)
    planes = {one.plane for one in design.devices.values()}
    assert session.selected.is_in_plane is (planes != {None})
    device = next(iter(design.switches()))
    session.push(Edit("Plane", (Change(device, replace(device, plane=2)),)))
    session.select([*design.devices])
    assert session.selected.is_in_plane
    session.select([device.id])
    assert session.selected.is_in_plane
