"""The table of families: enough for a command line and a form, fast enough to follow typing."""

import dataclasses

import pytest

from designer.catalog.catalog import Catalog, load
from designer.fields import kinds
from designer.fields.field import fields_of
from designer.model.design import Design
from designer.topologies.families import FAMILIES, Family
from designer.topologies.rail_optimized import RailOptimizedParameters, build

KINDS = {"switch", "nic-mode", "server", "count", "ratio", "rate", "choice", "flag", "counts", "dims", "text"}


def test_families_go_by_the_names_of_the_command_line():
    assert [family.name for family in FAMILIES] == [
        "fat-tree",
        "rail-optimized",
        "pgft",
        "k-ary-fat-tree",
        "torus",
        "dragonfly",
        "dragonfly-plus",
        "hyperx",
        "slim-fly",
        "jellyfish",
        "scale-up",
        "graph",
    ]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_parameter_says_what_a_form_needs(family: Family):
    assert family.title and family.description.endswith(".")
    assert list(fields_of(family.parameters)) == [field.name for field in dataclasses.fields(family.parameters)]
    for field in fields_of(family.parameters).values():
        assert field.title and field.help.endswith("."), field.name
        assert bool(field.choices) == (field.kind is kinds.CHOICE), field.name
        assert field.default is not ..., field.name


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_defaults_build_what_they_count(family: Family, catalog: Catalog):
    design = Design()
    edit = family.build(design, family.parameters(), catalog)
    design.apply(edit)
    assert len(design.servers()) == family.counts(family.parameters(), catalog).servers
    assert edit.label.startswith("Generate ")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_undo_takes_a_generated_fabric_back_whole(family: Family, catalog: Catalog):
    design = Design()
    edit = family.build(design, family.parameters(), catalog)
    design.apply(edit)
    design.apply(edit.inverted())
    assert [entity.id for entity in design.entities()] == ["settings"]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_same_parameters_give_the_same_edit(family: Family, catalog: Catalog):
    assert family.build(Design(), family.parameters(), catalog) == family.build(Design(), family.parameters(), load())


def test_servers_come_first_so_that_ranks_follow_them(catalog: Catalog):
    design = Design()
    design.apply(build(design, RailOptimizedParameters(servers=127, servers_per_su=32), catalog))
    assert [server.name for server in design.servers()] == [f"gpu-{number:03d}" for number in range(1, 128)]
    assert design.servers()[0].id == "d1"
