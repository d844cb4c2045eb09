"""What follows from other parameters of a generated fabric: numbers of its cables, and the name of its design."""

from dataclasses import replace

import pytest

from designer.analysis.new_designs import new_design
from designer.analysis.regenerating import regenerated
from designer.catalog.catalog import load
from designer.model import operations
from designer.model.edit import Change, Edit, removed
from designer.regeneration.recipes import family_named, parameters_of

CATALOG = load()
FAMILY = family_named("rail-optimized")
VALUES = {"servers": 16, "servers_per_su": 8, "oversubscription": 2.0}


def again(design, **values):
    group = next(group for group in design.groups.values() if group.recipe is not None)
    return regenerated(design, group.id, replace(parameters_of(group), **values), CATALOG).edit


@pytest.fixture
def design():
    return new_design(FAMILY, VALUES, CATALOG, "", "lengths").design


def test_a_generated_name_follows_the_parameters_in_the_same_step(design):
    assert design.settings.name == "Rail-optimized, 2:1, 2 SU, 16 servers"
    edit = again(design, oversubscription=1.0)
    design.apply(edit)
    assert design.settings.name == "Rail-optimized, 2 SU, 16 servers"
    design.apply(edit.inverted())
    assert design.settings.name == "Rail-optimized, 2:1, 2 SU, 16 servers"


def test_a_generated_name_follows_although_devices_came_by_hand_since(design):
    server = next(iter(design.servers()))
    (new_id,) = design.new_ids("devices", 1)
    design.apply(Edit("By hand", (Change(None, replace(server, id=new_id, name="loaner-1")),)))
    design.apply(again(design, oversubscription=1.0))
    assert design.settings.name == "Rail-optimized, 2 SU, 17 servers"


@pytest.mark.parametrize("name", ["Plant 4", "Rail-optimized, 2:1, plant 4"])
def test_a_name_that_somebody_gave_stays(design, name):
    design.apply(operations.set_settings(design, name=name))
    design.apply(again(design, oversubscription=1.0))
    assert design.settings.name == name


def test_new_cables_are_numbered_on_where_the_design_numbers_its_cables(design):
    before = dict(design.links)
    last = max(link.cable for link in before.values())
    design.apply(again(design, oversubscription=1.0))
    new = sorted(link.cable for link in design.links.values() if link.id not in before)
    assert new and new == list(range(last + 1, last + 1 + len(new)))
    assert design.settings.last_cable == new[-1]
    assert all(link.cable == before[link.id].cable for link in design.links.values() if link.id in before)


def test_new_cables_have_no_number_where_no_cable_has_one(design):
    design.apply(Edit("No numbers", tuple(Change(one, replace(one, cable=0)) for one in design.links.values())))
    design.apply(again(design, oversubscription=1.0))
    assert not any(link.cable for link in design.links.values())


def test_a_cable_that_lost_its_number_by_hand_gets_none_when_others_come(design):
    link = next(iter(design.links.values()))
    design.apply(Edit("No number", (Change(link, replace(link, cable=0)),)))
    spare = [one for one in design.links.values() if one.id != link.id][-1:]
    design.apply(Edit("Fewer", removed(spare)))
    design.apply(again(design, oversubscription=1.0))
    assert design.links[link.id].cable == 0
