"""Loads tier by tier: every link in one tier, and in each direction by itself."""

import numpy as np
import pytest

from designer.graph.building.build import build
from designer.simulation.engine import simulate
from designer.simulation.explain.tiers import tier_loads
from designer.simulation.scenario import Scenario


def test_an_oversubscribed_tier_is_full_and_the_one_below_it_half(generate):
    design = generate("pgft", children=(8, 8), parents=(1, 4))
    result = simulate(build(design), Scenario(traffic="shift:8", size_bytes=1e6))

    found = {tier.title: tier for tier in tier_loads(design, result)}

    assert list(found) == ["host to leaf", "leaf to host", "leaf to spine", "spine to leaf"] or list(found) == [
        "server to leaf",
        "leaf to server",
        "leaf to spine",
        "spine to leaf",
    ]
    up, edge = found["leaf to spine"], next(iter(found.values()))
    assert (up.count, up.saturated, up.busy) == (32, 32, 1.0)
    assert (edge.count, edge.saturated, edge.busy) == (64, 0, 0.0)
    assert edge.most == pytest.approx(0.5)
    assert up.bytes == edge.bytes == pytest.approx(64e6)


@pytest.mark.parametrize(
    ("family", "parameters", "titles"),
    [
        ("torus", {"dims": (4, 3)}, {"torus"}),
        ("dragonfly", {"p": 2, "a": 4, "h": 2}, {"local, in a group", "global, between groups"}),
    ],
)
def test_links_between_routers_are_one_tier_in_both_directions(generate, family, parameters, titles):
    design = generate(family, **parameters)
    result = simulate(build(design), Scenario(traffic="all-to-all", size_bytes=1e6))
    found = tier_loads(design, result)
    assert titles <= {tier.title for tier in found}
    arcs = np.flatnonzero(result.graph.link >= 0)
    assert sum(tier.count for tier in found) == len(arcs)
    assert sum(tier.bytes for tier in found) == pytest.approx(result.bytes[arcs].sum())
