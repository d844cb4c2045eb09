"""One plane of several is counted, built and named as among all planes; fabrics too large are counted all the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.errors import ParameterError
from designer.model.design import Design
from designer.topologies import fat_tree, rail_optimized
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters
from designer.validation.engine import validate
from designer.validation.findings import Severity

CATALOG = load()


def built(family, parameters) -> Design:
    design = Design()
    design.apply(family.build(design, parameters, CATALOG))
    return design


def joined(design: Design, plane: int) -> set[tuple[str, str, str, str]]:
    """Every link of a plane by names and ports; spines and cores by their number within the plane."""
    names = {}
    for role in ("spine", "core"):
        of_plane = [one for one in design.devices.values() if one.role == role and one.plane == plane]
        names |= {one.id: f"{role} {number}" for number, one in enumerate(of_plane)}
    names |= {one.id: one.name for one in design.devices.values() if one.role == "leaf" and one.plane == plane}
    names |= {one.id: one.name for one in design.servers()}
    ends = ((link.a, link.b) for link in design.links.values())
    return {
        (names[a.device_id], a.port, names[b.device_id], b.port)
        for a, b in ends
        if a.device_id in names and b.device_id in names
    }


@st.composite
def fabrics(draw):
    planes = draw(st.sampled_from([2, 3, 4]))
    ports = planes * draw(st.integers(1, 2))
    shared = {
        "switch": f"generic-switch-{draw(st.sampled_from([8, 16, 24]))}x100g",
        "server": f"generic-server-{draw(st.sampled_from([1, 2]))}x{ports}x100g",
        "servers": draw(st.integers(1, 40)),
        "planes": planes,
    }
    if draw(st.booleans()):
        return fat_tree, FatTreeParameters(**shared)
    return rail_optimized, RailOptimizedParameters(**shared)


@given(fabrics(), st.data())
@settings(max_examples=40, deadline=None)
def test_one_plane_has_just_the_links_it_has_among_all(fabric, data):
    family, parameters = fabric
    plane = data.draw(st.integers(1, parameters.planes))
    try:
        whole = built(family, parameters)
    except ParameterError:
        return
    values = {name: getattr(parameters, name) for name in parameters.__dataclass_fields__}
    alone = type(parameters)(**values | {"only_plane": plane})
    design = built(family, alone)
    assert {one.plane for one in design.switches()} == {plane}
    assert joined(design, plane) == joined(whole, plane)
    assert len(design.links) == len(joined(whole, plane))
    counts = family.counts(alone, CATALOG)
    assert counts.links.get("server-leaf") == sum(a in {s.id for s in design.servers()} for a in sides(design))
    assert sum(counts.links.values()) == len(design.links)


def sides(design: Design) -> list[str]:
    return [link.a.device_id for link in design.links.values()]


def test_a_plane_says_what_all_planes_have():
    parameters = FatTreeParameters(
        switch="generic-switch-16x100g", server="generic-server-1x4x100g", servers=64, planes=4, only_plane=2
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.remark == "Plane 2 of 4; all planes have 32 leaf switches, 16 spines, 512 links."
    assert (counts.switches, counts.links) == ({"leaf": 8, "spine": 4}, {"server-leaf": 64, "leaf-spine": 64})
    errors = [one for one in validate(built(fat_tree, parameters)).findings if one.severity is Severity.ERROR]
    assert not errors


def test_a_plane_that_is_not_there_is_refused():
    with pytest.raises(ParameterError, match="only plane is 3, and there are 2 planes"):
        FatTreeParameters(planes=2, only_plane=3)
    with pytest.raises(ParameterError, match="only plane is 2, and there is one plane"):
        RailOptimizedParameters(only_plane=2)


def test_131072_gpus_in_eight_planes_are_counted_and_not_built():
    parameters = FatTreeParameters(
        switch="generic-switch-512x100g", server="generic-server-1x8x100g", servers=131_072, planes=8
    )
    counts = fat_tree.counts(parameters, CATALOG)
    assert counts.switches == {"leaf": 4096, "spine": 2048}
    assert sum(counts.links.values()) == 2_097_152
    assert counts.too_large == (
        "2,097,152 links are more than a design holds: 1,000,000 links; build one plane alone (only plane)"
    )
    with pytest.raises(ParameterError, match="2,097,152 links are more than a design holds"):
        fat_tree.build(Design(), parameters, CATALOG)


def test_a_slip_of_the_keyboard_is_not_counted():
    parameters = FatTreeParameters(switch="generic-switch-512x100g", servers=999_999_999)
    with pytest.raises(ParameterError):
        fat_tree.counts(parameters, CATALOG)
