"""Rules about how traffic spreads: paths between leafs, parallel links, bisection."""

from dataclasses import replace

import pytest

from designer.model import policies
from designer.model.edit import Change, Edit, removed
from designer.validation.engine import validate


def found(design, code):
    return [one for one in validate(design).findings if one.code == code]


@pytest.fixture
def block(bare):
    """Three leafs with eight hosts' ports each and four links to each of two spines."""
    bare.add("nvidia-qm9700", "leaf-1", "leaf-2", "leaf-3", "spine-1", "spine-2")
    bare.add("dgx-h100", "host-1", "host-2", "host-3")
    for number in (1, 2, 3):
        bare.join(f"host-{number}", f"leaf-{number}", 8)
        for spine in ("spine-1", "spine-2"):
            bare.join(f"leaf-{number}", spine, 4)
    return bare


def links(fabric, a, b):
    ids = {fabric.id(a), fabric.id(b)}
    return [one for one in fabric.design.links.values() if {one.a.device_id, one.b.device_id} == ids]


def test_a_leaf_with_fewer_paths_than_its_like(block):
    assert validate(block.design).findings == ()
    for leaf in ("leaf-1", "leaf-2"):
        for spine in ("spine-1", "spine-2"):
            block.join(leaf, spine, 4)
    (finding,) = found(block.design, "SPREAD-002")
    assert finding.message == (
        "leaf-3: 64 shortest paths to each other leaf of the block; 2 leaf switches like it have 128"
    )
    assert (finding.value, finding.limit, finding.subjects) == (8, 16, (block.id("leaf-3"),))


def test_a_leaf_with_fewer_servers_may_have_fewer_uplinks(block):
    for leaf in ("leaf-1", "leaf-2"):
        for spine in ("spine-1", "spine-2"):
            block.join(leaf, spine, 4)
    block.design.apply(Edit("cut", removed(links(block, "host-3", "leaf-3")[:4])))
    assert found(block.design, "SPREAD-002") == []


def test_uneven_or_oversubscribed_leafs_are_left_to_other_rules(block):
    block.design.apply(Edit("cut", removed(links(block, "leaf-3", "spine-1")[:1])))
    assert found(block.design, "SPREAD-002") == []
    block.design.apply(Edit("cut", removed(links(block, "leaf-3", "spine-2")[:1])))
    assert found(block.design, "SPREAD-002") == []
    assert len(found(block.design, "OVER-001")) == 1


def test_parallel_links_of_two_rates(block):
    design = block.design
    for name in ("leaf-1", "spine-1"):
        switch = block.device(name)
        block.change(switch, replace(switch, cage_modes=((32, "128x200G"),)))
    assert found(design, "SPREAD-003") == []
    link = links(block, "leaf-1", "spine-1")[0]
    slow = next(one for one in design.ports(block.id("leaf-1")) if one.cage == 32).name
    ends = (replace(link.a, port=slow), replace(link.b, port=slow))
    design.apply(Edit("slow", (Change(link, replace(link, a=ends[0], b=ends[1])),)))
    (finding,) = found(design, "SPREAD-003")
    assert finding.message == "leaf-1 to spine-1: parallel links at 200G and 400G"
    assert (finding.value, finding.limit, finding.subjects) == (200, 400, (link.id,))


@pytest.mark.parametrize(("share", "is_found"), [(1.0, True), (0.51, True), (0.5, False)])
def test_bisection_below_the_policy(fabric, share, is_found):
    """Two hosts of 3.2 Tb/s on each side of a cut that carries half of what they send."""
    for leaf in ("leaf-1", "leaf-2"):
        for spine in ("spine-1", "spine-2"):
            fabric.design.apply(Edit("cut", removed(links(fabric, leaf, spine)[:4])))
    assert found(fabric.design, "BISECT-001") == []
    fabric.design.apply(policies.set_limits(fabric.design, bisection_share=share))
    findings = found(fabric.design, "BISECT-001")
    assert bool(findings) == is_found
    if is_found:
        assert findings[0].message == (
            "3.2 Tb/s between two halves of the servers, 50 % of the 6.4 Tb/s that one half sends; "
            f"limit {100 * share:.0f} %. One half is host-1, host-2"
        )
        assert findings[0].subjects == (fabric.id("host-1"), fabric.id("host-2"))


def test_the_bisection_of_nothing_is_not_checked(bare):
    bare.design.apply(policies.set_limits(bare.design, bisection_share=1.0))
    assert [one.reason for one in validate(bare.design).not_checked if one.code == "BISECT-001"] == [
        "needs at least two servers with links"
    ]
