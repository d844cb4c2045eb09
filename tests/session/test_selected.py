"""The selection by kind is that of the design as it stands."""

import pytest

from designer.catalog.catalog import load
from designer.model import operations
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
    session.close()


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
