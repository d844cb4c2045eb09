"""What a run changed against the one before, in words."""

import pytest

from designer.graph.arrays import build
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario
from designer.simulation.since import since

SHIFT = Scenario(traffic="shift:8", size_bytes=1e9)


@pytest.fixture
def four_spines(generate):
    """64 hosts under 8 leafs, 8 uplinks each to 4 spines: room for all."""
    return generate("pgft", children=(8, 8), parents=(1, 4), parallel=(1, 2))


def spine_links(design):
    spines = [device.id for device in design.switches() if device.role == "spine"]
    return [design.links_of(spine) for spine in spines]


def test_the_same_again_is_as_long_as_before(four_spines):
    result = simulate(build(four_spines), SHIFT)
    assert since(result, result) == "As long as before."


def test_a_failed_spine_makes_it_longer_and_fills_links_that_were_not_full(four_spines):
    whole = simulate(build(four_spines), SHIFT)
    lame = simulate(build(four_spines, failed=frozenset({spine_links(four_spines)[0][0].b.device_id})), SHIFT)
    assert lame.time_s > whole.time_s * 1.3
    before = f"It was {whole.time_s * 1e3:.3g} ms before: "
    assert since(whole, lame).startswith(before + "33 % longer now.")
    assert ": 25 % shorter now." in since(lame, whole)


def test_links_full_now_and_then_are_counted_in_either_direction(four_spines):
    one, other = (simulate(build(four_spines), Scenario(traffic=t, size_bytes=1e9)) for t in ("incast:9", "shift:8"))
    full, was = (result.link_utilization() for result in (other, one))
    newly = sum(max(full[link]) >= 0.995 > max(was[link]) for link in full)
    eased = sum(max(was[link]) >= 0.995 > max(full[link]) for link in full)
    words = since(one, other)
    assert f"{newly} links are saturated that were not" in words
    assert (f"{eased} links are no longer saturated" in words) == (eased > 1)


def test_other_ranks_are_said_and_not_compared(four_spines):
    whole = simulate(build(four_spines), SHIFT)
    fewer = simulate(build(four_spines), Scenario(traffic="shift:8", size_bytes=1e9, ranks=tuple(range(32))))
    assert " before, with 64 ranks." in since(whole, fewer)
    assert "longer now" not in since(whole, fewer) and "shorter now" not in since(whole, fewer)
