"""The three small pictures of a conflict: what it is about in full, and as many neighbors as have room."""

import pytest

from designer.catalog.catalog import load
from designer.exchange.comparison.merge_pictures import NEIGHBORS_MOST, conflict_pictures
from designer.model import operations
from designer.model.design import Design
from designer.model.merging.merging import merge_versions, prepare
from designer.topologies.rail_optimized import RailOptimizedParameters, build


@pytest.fixture(scope="module")
def pod() -> Design:
    design = Design()
    design.apply(build(design, RailOptimizedParameters(servers=4, servers_per_su=4), load()))
    return design


def renamed(design: Design, name: str) -> Design:
    made = design.snapshot()
    made.apply(operations.rename(made, made.servers()[0].id, name))
    return made


def test_a_server_renamed_by_both_stands_with_some_of_its_leaf_switches_and_the_rest_is_counted(pod):
    versions, renumbered = prepare(pod, renamed(pod, "mine"), renamed(pod, "theirs"))
    (conflict,) = merge_versions(versions, renumbered, {}).conflicts
    pictures = conflict_pictures(versions, conflict)
    assert pictures is not None
    server = pod.servers()[0].id
    assert [one.design.devices[server].name for one in pictures] == [pod.servers()[0].name, "mine", "theirs"]
    assert all(len(one.design.devices) == 1 + NEIGHBORS_MOST for one in pictures)
    assert {one.n_left_out for one in pictures} == {8 - NEIGHBORS_MOST}


def test_neighbors_that_all_have_room_are_all_drawn(pod):
    design = pod.snapshot()
    few = [link.id for link in design.links_of(design.servers()[0].id)][2:]
    design.apply(operations.delete(design, few))
    versions, renumbered = prepare(design, renamed(design, "mine"), renamed(design, "theirs"))
    (conflict,) = merge_versions(versions, renumbered, {}).conflicts
    pictures = conflict_pictures(versions, conflict)
    assert pictures is not None and pictures[0].n_left_out == 0
    assert len(pictures[0].design.devices) == 3
