"""A search that begins with an open design: it can be read, and tries what the design is made of."""

from dataclasses import replace
from pathlib import Path

import pytest

from designer import api
from designer.errors import ParameterError
from designer.exploring.from_design import search_text
from designer.exploring.spec_text import search_in
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.storage import document

EXAMPLES = Path(__file__).parents[2] / "examples"


def search_of(design):
    return search_in(search_text(design), "search", Path())


def values_of(choice):
    return dict(choice.values)


def test_a_generated_design_is_searched_by_its_family_its_parameters_and_its_jobs():
    design = document.load(EXAMPLES / "fat-tree-16-2to1.fabric")
    search = search_of(design)
    assert search.gpus == (128, 128) and [one.family for one in search.choices] == ["fat-tree"]
    tried = values_of(search.choices[0])
    assert tried["oversubscription"] == ("2", "1", "3") and tried["switch"] == ("generic-switch-48x400g",)
    assert tried["server"] == ("dgx-h100",) and "servers" not in tried
    assert [one.run.collective for one in search.workloads] == [one.collective for one in design.jobs.values()]


def test_a_design_without_jobs_is_searched_for_the_usual_traffic():
    search = search_of(document.load(EXAMPLES / "superpod-h100-4su.fabric"))
    assert [one.name for one in search.workloads] == ["gradients", "experts"]
    assert values_of(search.choices[0])["servers_per_su"] == ("32",)


@pytest.mark.parametrize("family", ["k-ary-fat-tree", "dragonfly", "torus", "pgft", "hyperx", "slim-fly", "jellyfish"])
def test_the_search_of_every_family_can_be_read(family):
    search = search_of(api.generate(family))
    assert [one.family for one in search.choices] == [family]


def test_a_design_drawn_by_hand_is_searched_by_its_servers_and_leaf_switches():
    design = api.generate("fat-tree", servers=8, switch="nvidia-qm9700", server="dgx-h100", name='By "hand"')
    design.apply(
        Edit("drawn", tuple(Change(one, replace(one, recipe=None)) for one in design.groups.values() if one.recipe))
    )
    search = search_of(design)
    assert search.name == 'Alternatives to By "hand"' and search.gpus == (64, 64)
    assert [one.family for one in search.choices] == ["rail-optimized", "fat-tree"]
    for choice in search.choices:
        tried = values_of(choice)
        assert (tried["server"], tried["switch"]) == (("dgx-h100",), ("nvidia-qm9700",))


def test_a_fabric_of_a_family_that_the_program_lacks_is_searched_as_one_drawn_by_hand():
    design = api.generate("fat-tree", servers=8, switch="nvidia-qm9700", server="dgx-h100")
    made = [one for one in design.groups.values() if one.recipe]
    lost = (Change(one, replace(one, recipe=replace(one.recipe, family="acme-star"))) for one in made)
    design.apply(Edit("lost", tuple(lost)))
    assert [one.family for one in search_of(design).choices] == ["rail-optimized", "fat-tree"]


def test_a_design_without_gpus_says_why_there_is_no_search():
    with pytest.raises(ParameterError, match="no GPUs"):
        search_text(Design())
