"""Twin-port cages that are half used."""

from dataclasses import replace

import pytest

from designer.model.edit import Change, Edit, removed
from designer.validation.engine import validate


def found(design):
    return [one for one in validate(design).findings if one.code == "PORT-009"]


@pytest.fixture
def pair(bare):
    """A leaf with four links to a spine, in two cages."""
    bare.add("nvidia-qm9700", "leaf", "spine")
    bare.join("leaf", "spine", 4)
    return bare


def links(fabric):
    return sorted(fabric.design.links.values(), key=lambda link: link.id)


def test_full_cages_and_a_single_half_are_as_they_should_be(pair):
    assert found(pair.design) == []
    pair.design.apply(Edit("cut", removed(links(pair)[:1])))
    assert found(pair.design) == []


def test_two_halves_are_found_at_both_ends_and_put_into_one_cage(pair):
    one, _, other, _ = links(pair)
    pair.design.apply(Edit("cut", removed([one, other])))
    findings = found(pair.design)
    assert [finding.message for finding in findings] == [
        "leaf: 2 cages with one of two ports used, all to spine: cages 1, 2",
        "spine: 2 cages with one of two ports used, all to leaf: cages 1, 2",
    ]
    assert findings[0].severity == "info" and (findings[0].value, findings[0].limit) == (2, 0)
    assert findings[0].fix.label == "Move 1 link of leaf into half-used cages"
    pair.design.apply(findings[0].fix)
    (left,) = found(pair.design)
    pair.design.apply(left.fix)
    assert validate(pair.design).findings == ()


def test_a_reserved_port_fills_its_cage_and_a_chosen_cable_stays(pair):
    one, kept, other, _ = links(pair)
    pair.design.apply(Edit("cut", removed([one, other])))
    cable = pair.catalog.get("dac-ndr-twin")
    after = [replace(link, medium_id=cable.id, medium_source="typed") for link in links(pair)]
    changes = [Change(link, new) for link, new in zip(links(pair), after, strict=True)]
    pair.design.apply(Edit("cable", (Change(None, cable), *changes)))
    assert [finding.fix for finding in found(pair.design)] == [None, None]
    for name in ("leaf", "spine"):
        device = pair.device(name)
        end = one.a if one.a.device_id == device.id else one.b
        pair.change(device, replace(device, reserved_ports=(end.port,)))
    assert found(pair.design) == []
    assert kept.id in pair.design.links


def test_links_to_different_switches_keep_their_modules(bare):
    bare.add("nvidia-qm9700", "leaf", "spine-1", "spine-2")
    bare.join("leaf", "spine-1")
    bare.join("leaf", "spine-2", 2)
    assert found(bare.design) == []
