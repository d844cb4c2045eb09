"""Recipes: every family's parameters come back from the file as they were, and the group holds the whole fabric."""

from dataclasses import fields, replace

import pytest

from designer.errors import ParameterError
from designer.model import id_runs, operations
from designer.model.entities import FABRIC, Recipe
from designer.regeneration import recipes
from designer.storage import document
from designer.topologies.families import FAMILIES
from designer.topologies.rail_optimized import RailOptimizedParameters

SMALL = RailOptimizedParameters(servers=15, servers_per_su=8)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_parameters_of_every_family_come_back_from_its_recipe(family):
    parameters = family.parameters()
    group = recipes.Group("g1", "Fabric", FABRIC, None, Recipe(family.name, recipes.written(parameters)))
    assert recipes.parameters_of(group) == parameters


def test_parameters_of_every_kind_come_back_from_the_file(generate):
    parameters = replace(
        SMALL, oversubscription=1.5, rail_only=False, link_rate_gbps=400.0, rails=4, nics_per_server=None, racks="none"
    )
    design, group_id = generate("rail-optimized", parameters)
    again = document.decode(document.encode(design))
    assert recipes.parameters_of(again.groups[group_id]) == parameters
    assert {field.name for field in fields(parameters)} > dict(again.groups[group_id].recipe.parameters).keys()


def test_a_generated_fabric_lies_in_one_group_with_its_units_inside(generate):
    design, group_id = generate("rail-optimized", SMALL)
    group = design.groups[group_id]
    assert (group.name, group.kind, group.parent_id) == ("Rail-optimized", FABRIC, None)
    assert {one.parent_id for one in design.groups.values() if one.id != group_id} == {group_id}
    assert all(device.group_id for device in design.devices.values())
    assert all(rack.group_id for rack in design.racks.values())
    assert id_runs.spelled(group.recipe.devices, 1000) == list(design.devices)
    assert id_runs.spelled(group.recipe.links, 10_000) == list(design.links)


def test_a_second_fabric_beside_the_first_knows_what_went_before_its_names(generate):
    design, first = generate("rail-optimized", SMALL)
    design, second = generate("rail-optimized", SMALL, design)
    assert design.groups[first].recipe.prefixes == ("", "", "")
    assert design.groups[second].recipe.prefixes == ("2-", "2-", "2-")
    assert design.groups[second].name == "Rail-optimized-2"


def test_a_copy_of_a_generated_group_has_no_recipe_since_its_records_are_others(generate):
    design, group_id = generate("rail-optimized", SMALL)
    edit = operations.duplicate(design, [group_id], 0, 5000)
    design.apply(edit)
    copies = [c.after for c in edit.changes if getattr(c.after, "kind", "") == FABRIC]
    assert [copy.recipe for copy in copies] == [None]
    assert design.groups[group_id].recipe is not None


def test_runs_of_ids_are_short_and_are_read_back():
    ids = ["d1", "d2", "d3", "d7", "d9", "d10"]
    assert id_runs.runs(ids) == ("d1-3", "d7", "d9-10")
    assert id_runs.spelled(id_runs.runs(ids), 6) == ids


@pytest.mark.parametrize("run", ["", "d", "1-2", "d1-2-3", "d1,2", "D1"])
def test_a_run_that_names_nothing_is_refused(run):
    with pytest.raises(ParameterError, match="the recipe cannot be read"):
        id_runs.spelled([run], 10)


def test_a_run_of_endless_length_is_refused_before_it_is_spelled_out():
    with pytest.raises(ParameterError, match="more records than its parameters make"):
        id_runs.spelled(["d1-999999999999999999"], 10)


def test_a_recipe_from_before_units_were_fitted_to_the_servers_makes_full_units():
    written = tuple(one for one in recipes.written(RailOptimizedParameters(servers=15)) if one[0] != "full_units")
    group = recipes.Group("g1", "Fabric", FABRIC, None, Recipe("rail-optimized", written))
    assert recipes.parameters_of(group) == RailOptimizedParameters(servers=15, full_units=True)
