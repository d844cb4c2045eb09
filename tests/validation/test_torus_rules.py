"""Rules about tori: rings closed, at the right place, all lines of a dimension alike."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.model.design import Design
from designer.model.edit import Change, Edit, removed
from designer.topologies import hyperx, slim_fly, torus
from designer.validation.engine import validate


def made(**values):
    design = Design()
    design.apply(torus.build(design, torus.TorusParameters(**values), load()))
    return design


def found(design, code):
    return [one for one in validate(design).findings if one.code == code]


def links(design, dimension):
    """Links along a dimension, by the place of their ports."""
    own = []
    for link in design.links.values():
        if all(design.is_switch(end.device_id) for end in (link.a, link.b)):
            names = [port.name for port in design.ports(link.a.device_id)]
            if names.index(link.a.port) // 2 == dimension:
                own.append(link)
    return own


@pytest.fixture(scope="module")
def four_by_four():
    return made(dims=(4, 4))


@pytest.mark.parametrize(
    "values", [{"dims": (4, 4)}, {"dims": (3, 2, 4)}, {"dims": (4, 4), "mesh": True}, {"dims": (4, 8), "twisted": True}]
)
def test_tori_and_meshes_as_generated_are_clean(values):
    design = made(**values)
    assert [one for one in validate(design).findings if one.code.startswith("TORUS")] == []


def test_other_networks_of_routers_are_no_tori():
    for family, parameters in ((hyperx, hyperx.HyperXParameters()), (slim_fly, slim_fly.SlimFlyParameters())):
        design = Design()
        design.apply(family.build(design, parameters, load()))
        assert [one for one in validate(design).findings if one.code.startswith("TORUS")] == []


def test_an_open_line_among_rings_is_closed_by_its_fix(four_by_four):
    design = four_by_four.snapshot()
    gone = links(design, 0)[1]
    design.apply(Edit("cut", removed([gone])))
    (finding,) = found(design, "TORUS-001")
    assert finding.message.endswith(" along dimension 1 is not closed; it has 4 of 4 routers")
    assert {gone.a.device_id, gone.b.device_id} == set(finding.subjects)
    design.apply(finding.fix)
    assert validate(design).findings == ()
    (again,) = (one for one in design.links.values() if one.id not in four_by_four.links or one.id == gone.id)
    assert {again.a, again.b} == {gone.a, gone.b}


def test_a_ring_closed_at_the_wrong_place(four_by_four):
    """One link of a row leads past a router, which is left over."""
    design = four_by_four.snapshot()
    onward = {link.a.device_id: link for link in links(design, 0)}
    first = links(design, 0)[0]
    skipped = onward[first.b.device_id]
    shortcut = replace(first, b=skipped.b)
    design.apply(Edit("past", (Change(skipped, None), Change(first, shortcut))))
    messages = [one.message for one in found(design, "TORUS-001")]
    assert len(messages) == 1
    assert "has 3 routers, others have 4: it is closed at the wrong place" in messages[0]
    assert found(design, "TORUS-001")[0].fix is None


def test_an_open_mesh_is_no_torus_and_its_lines_are_of_one_length():
    design = made(dims=(4, 4), mesh=True)
    gone = links(design, 1)[0]
    design.apply(Edit("cut", removed([gone])))
    assert found(design, "TORUS-001") == []
    (finding,) = found(design, "TORUS-002")
    assert finding.message.startswith("Dimension 2: 1 line of another length than 4 routers: ")
    assert (finding.value, finding.limit) == (3, 4)


def test_a_slower_link_makes_a_dimension_unequal(four_by_four):
    design = four_by_four.snapshot()
    link = links(design, 1)[0]
    type_ = design.device_type(link.a.device_id)
    slow = replace(type_, id="slow-router", modes=tuple(replace(mode, rate_gbps=200) for mode in type_.modes))
    router = design.device(link.a.device_id)
    design.apply(Edit("slow", (Change(None, slow), Change(router, replace(router, type_id=slow.id)))))
    messages = [one.message for one in found(design, "TORUS-002")]
    assert len(messages) == 2
    assert messages[0].startswith("Dimension 1: 2 links at 200G, the others at 400G: ")
