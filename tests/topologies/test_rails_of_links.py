"""Cables of servers are on the rails of their leaf switches: in presets, and in families with rails of every kind."""

import pytest

from designer.model.design import Design
from designer.model.link_rails import LinkRails
from designer.topologies.presets import Preset, family_of, parameters_of, presets

RAILED = [one for one in presets() if one.family == "rail-optimized"]
LARGE = 2_000
"""Servers."""


def rails_below(design):
    """By leaf switch that states a rail, its rails and those of the cables of servers on it."""
    known = LinkRails(design, list(design.links.values()))
    found = {}
    for link, rails in zip(design.links.values(), known.of_links(), strict=True):
        ends = sorted((link.a.device_id, link.b.device_id), key=design.is_switch)
        if not design.is_switch(ends[0]) and design.device(ends[1]).rail is not None:
            found.setdefault(ends[1], (set(known.of_device(ends[1])), set()))[1].update(rails)
    return found


def stated(design):
    return {one.rail for one in design.devices.values() if one.rail is not None}


def size(preset: Preset) -> int:
    return parameters_of(preset).servers


@pytest.mark.parametrize("preset", [one for one in RAILED if size(one) < LARGE], ids=lambda preset: preset.id)
def test_cables_of_servers_in_presets_are_on_the_rails_of_their_leaf_switches(preset, catalog):
    design = Design()
    design.apply(family_of(preset).build(design, parameters_of(preset), catalog))
    found = rails_below(design)
    assert found and [one for one in found.values() if one[0] != one[1]] == []
    if not LinkRails(design, list(design.links.values())).classes:
        assert set().union(*(links for _, links in found.values())) == stated(design)


@pytest.mark.parametrize(
    ("rails", "family", "given"),
    [
        (4, "scale-up", {"nic_switch": "nvidia-qm9700", "groups": 2}),
        (4, "rail-optimized", {"server": "gb200-nvl72", "servers": 8}),
        (8, "rail-optimized", {"server": "gb200-nvl72", "servers": 8, "rails": 8}),
        (72, "rail-optimized", {"server": "gb200-nvl72", "servers": 8, "rails": 72, "rail_only": True}),
        (8, "rail-optimized", {"server": "dgx-h100", "servers": 16}),
        (3, "rail-optimized", {"server": "generic-server-8x3x100g", "switch": "generic-switch-128x100g", "rails": 3}),
    ],
)
def test_cables_of_servers_are_on_as_many_rails_as_a_family_builds(rails, family, given, generate):
    design = generate(family, **given)
    found = rails_below(design)
    assert all(own == links for own, links in found.values())
    assert set().union(*(links for _, links in found.values())) == stated(design) == set(range(1, rails + 1))
