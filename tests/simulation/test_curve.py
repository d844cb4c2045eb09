"""Bandwidth by size: each point is what a simulation of that size alone finds."""

from dataclasses import replace

import pytest

from designer.errors import Cancelled, ParameterError
from designer.graph.building.build import build
from designer.simulation import catalogue
from designer.simulation.curve import curves, sizes_from, variants
from designer.simulation.engine import simulate
from designer.simulation.scenario import Scenario

SIZES = (8, 4096, 3_000_000, 2**33)


@pytest.fixture(scope="module")
def small(generate):
    """Two scalable units of two DGX H100: latencies inside servers, on rails and over spines."""
    return build(generate("rail-optimized", servers=4, servers_per_su=2))


@pytest.mark.parametrize("collective", [row.name for row in catalogue.COLLECTIVES])
def test_every_point_is_what_a_run_of_that_size_finds(small, collective):
    row = catalogue.collective(collective)
    algorithms = [name for name in row.algorithms if name != "bucket"]
    asked = variants(Scenario(collective=collective, seed=3), algorithms, ["spray", "ecmp"])

    found = curves(small, asked, SIZES)

    assert [curve.scenario for curve in found] == asked
    for curve in found:
        for point in curve.points:
            alone = simulate(small, replace(curve.scenario, size_bytes=point.size_bytes))
            assert point.time_s == pytest.approx(alone.time_s, rel=1e-9)
            assert point.busbw_gbytes_per_s == pytest.approx(alone.busbw_gbytes_per_s, rel=1e-9)


def test_small_buffers_take_the_latency_and_large_ones_the_bandwidth(small):
    (curve,) = curves(small, [Scenario(collective="all-reduce")], sizes_from("8:8GiB"))

    assert len(curve.points) == 31
    assert curve.points[0].time_s == pytest.approx(curve.latency_s, rel=1e-3)
    assert curve.latency_s > 0
    busbw = [point.busbw_gbytes_per_s for point in curve.points]
    assert busbw == sorted(busbw)
    half, whole = (point.time_s - curve.latency_s for point in curve.points[-2:])
    assert whole == pytest.approx(2 * half, rel=1e-9)  # what is not latency grows with the bytes
    assert [point.count for point in curve.points[:3]] == [2, 4, 8]


def test_a_ring_follows_its_closed_form(two_to_one):
    scenario = Scenario(collective="all-reduce", efficiency=1.0, latency=False)
    (curve,) = curves(two_to_one, [scenario], (1_000, 1_000_000))
    for point in curve.points:
        assert point.time_s == pytest.approx(2 * 63 / 64 * point.size_bytes / 50e9)


def test_chunks_stop_growing_where_the_pipeline_cuts_the_buffer(small):
    scenario = Scenario(collective="broadcast", algorithm="chain", channels=1)
    (whole,) = curves(small, [scenario], (2**20, 2**30))
    (upper,) = curves(small, [scenario], (2**28, 2**30))
    assert whole.points[-1].time_s == pytest.approx(upper.points[-1].time_s)


def test_the_count_of_a_gather_is_of_one_ranks_part(small):
    (curve,) = curves(small, [Scenario(collective="all-gather")], (2**20,))
    assert curve.points[0].count == 2**20 // 4 // 32


def test_sizes_without_an_element_per_rank_are_left_out_as_there_is_nothing_to_send(small):
    asked = Scenario(collective="all-to-all")
    (curve,) = curves(small, [asked], sizes_from("8:1KiB"))
    assert [(point.size_bytes, point.count) for point in curve.points] == [(128, 1), (256, 2), (512, 4), (1024, 8)]
    with pytest.raises(ParameterError, match="all-to-all among 32 ranks has a whole element of each from 128 B on"):
        curves(small, [asked], (8, 64))
    with pytest.raises(ParameterError, match="from 4 B on: choose larger sizes"):
        curves(small, [Scenario(collective="all-reduce")], (2,))


def test_a_library_has_no_sizes_without_an_element_per_rank_either(generate):
    design = generate("rail-optimized", servers=4, servers_per_su=2)
    asked = Scenario(collective="all-to-all", model="nccl")
    (curve,) = curves(build(design), [asked], (64, 128, 2**20), design=design)
    assert [point.size_bytes for point in curve.points] == [128, 2**20]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("8:64", (8, 16, 32, 64)), ("1M:4M", (10**6, 2 * 10**6, 4 * 10**6)), ("8:100:3", (8, 24, 72)), ("5:5", (5,))],
)
def test_sizes_are_read_as_nccl_tests_takes_them(text, expected):
    assert sizes_from(text) == expected


def test_a_thousand_sizes_are_computed_and_one_more_is_refused():
    factor = 1.02
    assert len(sizes_from(f"1000000:{1e6 * factor**999.5:.0f}:{factor}")) == 1000
    with pytest.raises(ParameterError, match="are 1,001 sizes: at most 1,000 are computed"):
        sizes_from(f"1000000:{1e6 * factor**1000.5:.0f}:{factor}")


@pytest.mark.parametrize("text", ["8", "8:", "8:4", "8:16:1", "8:16:x", "8:16:2:2", "1:8E:1.001", "8:16:inf"])
def test_sizes_that_make_none_are_refused_in_a_sentence(text):
    with pytest.raises(ParameterError):
        sizes_from(text)


def test_patterns_of_flows_have_no_curve(small):
    with pytest.raises(ParameterError, match="for collectives"):
        curves(small, [Scenario(traffic="shift:1")], (8,))


def test_a_curve_is_cancelled_from_its_progress(small):
    seen = []

    def stop(share):
        seen.append(share)
        if share >= 0.5:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        curves(small, variants(Scenario(collective="all-reduce"), ["ring", "direct"]), (8,), stop)
    assert seen == sorted(seen)
    assert any(0 < share < 0.5 for share in seen)  # within the only phase of the first
