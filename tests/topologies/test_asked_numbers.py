"""Numbers of spines, cores and leafs per pod that are asked for, not calculated."""

from collections import Counter
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import Catalog
from designer.errors import ParameterError
from designer.model.design import Design
from designer.regeneration import recipes
from designer.regeneration.regenerate import regenerate
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.equipment import leaf_spine_kit
from designer.topologies.families import FAMILIES
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.topologies.upper_tiers import Asked, UpperTiers, three_tiers
from designer.validation.engine import validate

TREE = FatTreeParameters(servers=64)  # 16 leaf switches of 32 uplinks under spines of 64 ports
RAILS = RailOptimizedParameters(servers=64, servers_per_su=8)


def built(family, parameters, catalog: Catalog) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, catalog))
    return design


def spread(design: Design, lower: str = "leaf", upper: str = "spine") -> Counter[int]:
    """How many pairs of leaf and spine have how many links."""
    roles = {one.id: one.role for one in design.devices.values()}
    pairs = Counter(
        (link.a.device_id, link.b.device_id)
        for link in design.links.values()
        if (roles[link.a.device_id], roles[link.b.device_id]) == (lower, upper)
    )
    return Counter(pairs.values())


def test_more_spines_than_the_fewest_spread_evenly(catalog):
    assert fat_tree.counts(TREE, catalog).switches == {"leaf": 16, "spine": 8}
    asked = replace(TREE, spines=16)
    assert fat_tree.counts(asked, catalog).switches == {"leaf": 16, "spine": 16}
    design = built(fat_tree, asked, catalog)
    assert spread(design) == {2: 16 * 16}
    assert not validate(design).findings


def test_leafs_that_are_not_full_get_links_up_for_an_even_spread(catalog):
    counts = rail_optimized.counts(RailOptimizedParameters(servers=48, spines=7), catalog)
    assert counts.switches == {"leaf": 16, "spine": 7}
    assert counts.links["leaf-spine"] == 16 * 28
    assert not counts.remark


def test_an_uneven_spread_is_built_remarked_upon_and_a_finding(catalog):
    asked = replace(TREE, spines=12)
    design = built(fat_tree, asked, catalog)
    assert spread(design) == {2: 16 * 4, 3: 16 * 8}
    assert fat_tree.counts(asked, catalog).remark == (
        "32 uplinks of a leaf spread unevenly over 12 spines: 3 links to 8 of them, 2 to each of the others."
    )
    findings = validate(design).findings
    assert [one.code for one in findings] == ["SPREAD-001"] * 16
    assert findings[0].message == "leaf-01: 2 to 3 uplinks to each of 12 spines, fewest to spine-09"


def test_uplinks_of_leafs_and_spines_may_be_uneven_in_three_tiers(catalog):
    asked = replace(TREE, pod_size=8, spines=18, cores=13)
    counts = fat_tree.counts(asked, catalog)
    assert counts.switches == {"leaf": 16, "spine": 18, "core": 13}
    assert counts.links == {"server-leaf": 512, "leaf-spine": 512, "spine-core": 18 * 29}
    assert counts.remark == (
        "32 uplinks of a leaf spread unevenly over 9 spines: 4 links to 5 of them, 3 to each of the others. "
        "29 uplinks of a spine spread unevenly over 13 cores: 3 links to 3 of them, 2 to each of the others."
    )
    design = built(fat_tree, asked, catalog)
    assert spread(design) == {3: 16 * 4, 4: 16 * 5}
    assert spread(design, "spine", "core") == {2: 18 * 10, 3: 18 * 3}
    findings = validate(design).findings
    assert [one.code for one in findings] == ["SPREAD-001"] * (16 + 18)
    assert findings[-1].message == "spine-18: 2 to 3 uplinks to each of 13 cores, fewest to core-03"


def test_an_even_spread_over_cores_is_preferred_in_as_many_groups_as_possible(catalog):
    kit = leaf_spine_kit(catalog.get, TREE)
    upper = three_tiers(1, 2, 8, range(32, 33), kit.spine, 64, Asked(1.0, 16, 16))
    assert (upper.spines_per_core_group, upper.cores_per_group, upper.spine_uplinks) == (1, 2, 32)
    assert not upper.uneven_cores
    # 32 links come out even over no 5 cores, and a spine can reach 5 of 40, not all of them.
    upper = three_tiers(1, 2, 8, range(32, 33), kit.spine, 64, Asked(1.0, 16, 40))
    assert (upper.spines_per_core_group, upper.cores_per_group, upper.uneven_cores) == (1, 5, 2)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 40), st.integers(1, 90), st.integers(1, 40))
def test_every_link_has_a_port_of_its_own_and_spines_share_the_links_alike(spines, uplinks, leafs):
    upper = UpperTiers(1, 1, leafs, spines, uplinks)
    links = [list(upper.leaf_links(leaf)) for leaf in range(leafs)]
    for of_leaf in links:
        each = Counter(spine for spine, _ in of_leaf)
        assert len(of_leaf) == uplinks
        assert {each[spine] for spine in range(spines)} <= {uplinks // spines, -(-uplinks // spines)}
        assert of_leaf == sorted(of_leaf)
    taken = Counter(spine for of_leaf in links for spine, _ in of_leaf)
    assert max(taken.values()) - min(taken[spine] for spine in range(spines)) <= 1
    for spine in range(spines):
        ports = [port for of_leaf in links for one, port in of_leaf if one == spine]
        assert ports == list(range(taken[spine]))


def test_pods_have_the_size_asked_for(catalog):
    asked = replace(TREE, pod_size=4)
    assert fat_tree.counts(asked, catalog).switches == {"leaf": 16, "spine": 16, "core": 8}
    design = built(fat_tree, asked, catalog)
    assert Counter(one.unit for one in design.devices.values() if one.role == "leaf") == {1: 4, 2: 4, 3: 4, 4: 4}
    assert not validate(design).findings


def test_cores_of_a_number_asked_for_make_three_tiers(catalog):
    counts = fat_tree.counts(replace(TREE, pod_size=8, cores=16), catalog)
    assert counts.switches == {"leaf": 16, "spine": 16, "core": 16}
    assert counts.links["spine-core"] == 512
    assert not validate(built(fat_tree, replace(TREE, pod_size=8, cores=16), catalog)).findings


def test_each_rail_has_pods_of_the_size_asked_for(catalog):
    asked = replace(RAILS, pod_size=4)
    design = built(rail_optimized, asked, catalog)
    counts = rail_optimized.counts(asked, catalog)
    assert counts.switches["leaf"] == 64
    # 8 units of 8 rails in pods of 4 leaf switches: 2 pods for each rail.
    spines = [one for one in design.devices.values() if one.role == "spine"]
    assert Counter(one.rail for one in spines) == dict.fromkeys(range(1, 9), len(spines) // 8)
    assert len(spines) // 8 % 2 == 0
    assert not validate(design).findings


@pytest.mark.parametrize(
    ("family", "parameters", "sentence"),
    [
        (fat_tree, replace(TREE, spines=5), "5 spines have 320 ports for 512 links: 8 spines at least are needed"),
        (fat_tree, replace(TREE, spines=40), "a leaf has 32 uplinks at most and cannot reach 40 spines"),
        (fat_tree, replace(TREE, spines=9, planes=2), "9 spines do not divide over 2 planes: 8 or 10 would do"),
        (
            fat_tree,
            replace(TREE, spines=2, planes=2),
            "1 spines in each plane have 64 ports for 256 links: 4 spines at least are needed",
        ),
        (fat_tree, replace(TREE, pod_size=8, spines=17), "17 spines do not divide over 2 pods: 16 or 18 would do"),
        (
            fat_tree,
            replace(TREE, pod_size=8, spines=8),
            "4 spines per pod have 128 ports down for 256 links: 8 spines at least are needed",
        ),
        (
            fat_tree,
            replace(TREE, pod_size=8, spines=80),
            "a leaf has 32 uplinks at most and cannot reach 40 spines per pod",
        ),
        (
            fat_tree,
            replace(TREE, pod_size=8, spines=16, cores=7),
            "7 cores have 448 ports for 512 links: 8 cores at least are needed",
        ),
        (
            fat_tree,
            replace(TREE, pod_size=8, spines=32, cores=82, planes=2, servers=128),
            "a spine has 32 uplinks at most and cannot reach 41 cores in each plane",
        ),
        (
            fat_tree,
            replace(TREE, pod_size=33),
            "33 leaf switches per pod cannot each have a link to every spine: a QM9700 has 32 ports down",
        ),
        (fat_tree, replace(TREE, tiers="2", cores=8), "cores is 8, and two tiers have no cores and no pods"),
        (fat_tree, replace(TREE, servers=4, tiers="1", spines=2), "spines is 2, and one tier has no spines"),
        (
            rail_optimized,
            replace(RAILS, rail_only=True, servers=8, pod_size=2),
            "pod size is 2, and rail-only has no switches above its leaf switches",
        ),
        (
            rail_optimized,
            replace(RAILS, spine_groups="common", pod_size=12),
            "a pod of 12 leaf switches would separate the 8 leaf switches that share servers: choose a multiple of 8",
        ),
    ],
)
def test_what_does_not_spread_is_refused_with_the_nearest_that_does(catalog, family, parameters, sentence):
    with pytest.raises(ParameterError) as caught:
        family.counts(parameters, catalog)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("name", ["spines", "cores", "pod_size"])
def test_numbers_below_one_are_refused(name):
    with pytest.raises(ParameterError, match="should be 1 or more, not"):
        replace(TREE, **{name: 0})


def test_one_leaf_gets_the_spines_asked_for(catalog):
    assert fat_tree.counts(replace(TREE, servers=2), catalog).switches == {"leaf": 1}
    assert fat_tree.counts(replace(TREE, servers=2, spines=2), catalog).switches == {"leaf": 1, "spine": 2}


@pytest.mark.parametrize("name", ["fat-tree", "rail-optimized"])
def test_a_recipe_keeps_the_numbers_and_another_number_regenerates(catalog, name):
    family = next(one for one in FAMILIES if one.name == name)
    parameters = family.parameters(servers=64, spines=16, nic_mode="")
    design = Design()
    design.apply(recipes.generated(design, family, parameters, catalog))
    group = next(one for one in design.groups.values() if one.recipe is not None)
    assert recipes.parameters_of(group) == parameters
    again = regenerate(design, group.id, replace(parameters, spines=32), catalog)
    design.apply(again.edit)
    assert not again.conflicts
    assert sum(one.role == "spine" for one in design.devices.values()) == 32
    assert {"spines", "cores", "pod_size", "nic_mode"} <= {field.name for field in fields(family.parameters)}


@pytest.mark.parametrize(("servers", "pods"), [(128, 2), (16, 2), (4, 1), (512, 4)])
def test_three_tiers_have_as_many_pods_as_cores_can_join_any(catalog, servers, pods):
    asked = fat_tree.FatTreeParameters(servers=servers, tiers="3")
    made = built(fat_tree, asked, catalog)
    assert sum(group.kind == "pod" for group in made.groups.values()) == pods
    assert ("one pod only" in fat_tree.counts(asked, catalog).remark) is (pods == 1)


def test_cores_over_one_pod_are_remarked_upon(catalog):
    asked = fat_tree.FatTreeParameters(servers=128, tiers="3", pod_size=32)
    assert fat_tree.counts(asked, catalog).remark == (
        "Cores connect the spines of one pod only, and add nothing yet: choose two tiers or smaller pods."
    )
    assert not fat_tree.counts(fat_tree.FatTreeParameters(servers=128), catalog).remark


def test_spines_asked_for_that_do_not_split_over_two_pods_are_one_pod(catalog):
    asked = fat_tree.FatTreeParameters(servers=64, tiers="3", spines=17)
    counts = fat_tree.counts(asked, catalog)
    assert counts.switches["spine"] == 17 and "one pod only" in counts.remark
