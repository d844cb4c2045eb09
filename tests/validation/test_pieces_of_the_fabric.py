"""A fabric in pieces that only servers join: found, unless each piece is a rail or a plane by design."""

from dataclasses import replace

import pytest

from designer.model import operations
from designer.topologies.families import FAMILIES
from designer.validation.engine import validate

CODE = "REACH-002"


def found(design):
    return [finding for finding in validate(design).findings if finding.code == CODE]


@pytest.fixture
def halves(bare):
    """Two DGX H100 with half of their NICs on either of two leafs, which a spine joins."""
    bare.add("dgx-h100", "gpu-1", "gpu-2")
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2", "spine-1", "spare")
    for leaf in ("leaf-1", "leaf-2"):
        bare.join("gpu-1", leaf, 4)
        bare.join("gpu-2", leaf, 4)
        bare.join(leaf, "spine-1", 8)
    return bare


def cut(fabric, spine="spine-1"):
    fabric.design.apply(operations.delete(fabric.design, [fabric.id(spine)]))


def test_leafs_that_only_servers_join_are_found_once(halves):
    assert found(halves.design) == []
    cut(halves)
    (finding,) = found(halves.design)
    assert finding.message == "The fabric is in 2 pieces that only servers join (2 servers): leaf-1; leaf-2"
    assert (finding.value, finding.limit) == (2, 1)
    assert set(finding.subjects) == {halves.id("leaf-1"), halves.id("leaf-2")}


@pytest.mark.parametrize("stated", ["rail", "plane"])
def test_pieces_whose_leafs_state_rails_or_planes_of_their_own_are_by_design(halves, stated):
    cut(halves)
    for number, name in enumerate(("leaf-1", "leaf-2"), start=1):
        before = halves.device(name)
        halves.change(before, replace(before, **{stated: number}))
    assert found(halves.design) == []
    before = halves.device("leaf-2")
    halves.change(before, replace(before, **{stated: 1}))
    assert len(found(halves.design)) == 1


def test_rails_within_planes_are_pieces_by_design(bare):
    bare.add("dgx-h100", "gpu-1", "gpu-2")
    names = [f"leaf-{rail}-{plane}" for rail in (1, 2) for plane in (1, 2)]
    bare.add("nvidia-qm9700", *names)
    for name in names:
        bare.join("gpu-1", name, 2)
        bare.join("gpu-2", name, 2)
    for name in names:
        before, (_, rail, plane) = bare.device(name), name.split("-")
        bare.change(before, replace(before, rail=int(rail), plane=int(plane)))
    link = bare.design.links_of(bare.id("gpu-2"))[0]
    bare.design.apply(operations.delete(bare.design, [link.id]))  # so that not every GPU is in every piece
    assert found(bare.design) == []
    before = bare.device(names[3])
    bare.change(before, replace(before, plane=1))
    assert len(found(bare.design)) == 1


def test_a_leaf_for_each_gpu_is_a_rail_and_two_for_every_gpu_are_planes(bare):
    bare.add("dgx-h100", "gpu-1", "gpu-2")
    bare.add("nvidia-qm9700", *(f"leaf-{number}" for number in range(8)))
    for number in range(8):
        bare.join("gpu-1", f"leaf-{number}")
        bare.join("gpu-2", f"leaf-{number}")
    assert found(bare.design) == []
    link = bare.design.links_of(bare.id("gpu-2"))[0]
    bare.design.apply(operations.delete(bare.design, [link.id]))
    bare.join("gpu-2", "leaf-7")
    assert len(found(bare.design)) == 1  # GPU 0 of the second server is on the rail of GPU 7


def test_no_family_builds_a_fabric_in_pieces_by_mistake(catalog):
    from designer.model.design import Design

    for family in FAMILIES:
        design = Design()
        design.apply(family.build(design, family.parameters(), catalog))
        assert found(design) == [], family.name
