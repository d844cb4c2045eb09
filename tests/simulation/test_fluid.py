"""Flows that share arcs: the highest load is kept, and ends that are close together are merged only where allowed."""

import numpy as np
import pytest

from designer.routing.transport_kernels import Rows
from designer.simulation.explain import pressure_kernels
from designer.simulation.flows import fluid


def run(rows, capacity, size_bytes, **options):
    start = np.cumsum([0, *map(len, rows)])
    arcs = np.array([arc for row in rows for arc in row], dtype=np.int32)
    return fluid.run(
        start, arcs, np.ones(len(arcs)), np.array(capacity, dtype=float), np.array(size_bytes, dtype=float), **options
    )


def test_the_peak_of_an_arc_is_its_highest_load_whenever_it_was():
    """Arc 0 is full until the first flow ends, then carries 4 of 10; arc 2 carries more once it has."""
    found = run([[0], [0, 1], [0, 2]], [10.0, 4.0, 100.0], [3.0, 40.0, 50.0])
    # 10 over three flows is 3.33 each; then the second gets 4 (arc 1) and the third 6.
    assert found.peak == pytest.approx([1.0, 1.0, 0.06], rel=1e-9)
    # Full until the first flow ends; the second is then held back by arc 1 alone and leaves half of arc 0 free.
    half = run([[0], [0, 1], [1]], [10.0, 10.0], [10.0, 30.0, 30.0])
    assert half.finish_s == pytest.approx([2.0, 6.0, 6.0], rel=1e-9)
    assert half.peak == pytest.approx([1.0, 1.0], rel=1e-9)
    alone = run([[0], [0, 1]], [10.0, 4.0], [6.0, 40.0])
    assert alone.peak == pytest.approx([1.0, 1.0], rel=1e-9)
    assert alone.last_rate.tolist() == [6.0, 4.0]


def test_ends_closer_than_the_tolerance_are_merged_and_exactly_none_are():
    rows, capacity = [[0], [0, 1], [1]], [10.0, 10.0]
    sizes = [10.0, 10.004, 30.0]
    exact, merged = run(rows, capacity, sizes), run(rows, capacity, sizes, tolerance=1e-3)
    assert merged.n_solves < exact.n_solves
    # 5 + 5 on arc 0 till 2 s; the second has 0.004 left and its arc 1 gives it 5 still; the third then has all of it.
    assert exact.finish_s == pytest.approx([2.0, 2.0008, 4.0004], rel=1e-12)


def test_rates_are_solved_once_at_the_start_and_once_at_each_moment_at_which_flows_end():
    # A third of 6 each until 1.5 s; half each for the 2 and 5 that are left; all of it for the last 3.
    found = run([[0]] * 3, [6.0], [3.0, 5.0, 8.0])
    assert found.finish_s == pytest.approx([1.5, 1.5 + 2 / 3, 1.5 + 2 / 3 + 3 / 6], rel=1e-12)
    assert found.n_solves == 1 + 3
    assert run([[0]] * 4, [6.0], [3.0] * 4).n_solves == 1 + 1
    assert run([[0]] * 3, [6.0], [3.0, 5.0, 8.0], only_rates=True).n_solves == 1


def test_an_arc_that_carries_no_share_of_any_flow_limits_none():
    """As the detour of an adaptively routed flow that goes the direct way alone: half of it fills an arc of 10."""
    start, arcs, weights = np.array([0, 2]), np.array([0, 1], dtype=np.int32), np.array([0.0, 0.5])
    wish = pressure_kernels.wishes(Rows(start, arcs, weights), np.array([True, True]), np.array([10.0, 10.0]))
    assert wish.tolist() == [20.0]


def test_of_arcs_with_the_same_flows_the_one_named_at_first_stays_named(monkeypatch):
    rows, capacity, sizes = [[0, 1], [2, 3], [4, 5], [6, 7]], [10.0] * 8, [10.0] * 4
    by_arc = run(rows, capacity, sizes).limit.tolist()
    monkeypatch.setattr(fluid, "FEW", 0)
    assert run(rows, capacity, sizes).limit.tolist() == by_arc
    assert any(arc % 2 for arc in by_arc), "the second of two, somewhere: else nothing is tested"


@pytest.mark.parametrize("few", [0, 5_000])
def test_arcs_that_nothing_limits_hold_nobody_back_and_rows_may_be_turned_in_threads_or_stay(few, monkeypatch):
    """Flows cross arcs without a limit before, between and behind others; arcs with the same flows are one or not."""
    monkeypatch.setattr(fluid, "FEW", few)
    random = np.random.default_rng(7)
    rows = [[int(arc) for arc in random.choice(20, 4, replace=False)] for _ in range(50)]
    sizes, capacity = random.lognormal(0.0, 1.0, 50), np.where(np.arange(20) < 5, np.inf, 1.0 + np.arange(20) % 3)
    found = run(rows, capacity, sizes)
    without = run([[arc for arc in row if arc >= 5] for row in rows], capacity, sizes)
    assert np.isfinite(found.finish_s).all() and (found.limit >= 5).all()
    monkeypatch.setattr(fluid, "WORTH_A_THREAD", 1)
    in_threads = run(rows, capacity, sizes)
    monkeypatch.setattr(fluid, "NEARLY_ALL", 0.0)
    as_they_are = run(rows, capacity, sizes)
    for other in (without, in_threads, as_they_are):
        for name in ("finish_s", "first_rate", "last_rate", "limit", "peak"):
            assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-12), name


def test_windows_of_time_leave_arcs_out_that_hold_nobody_back(monkeypatch):
    """Arcs 0 to 4 are without a limit, 5 and 6 have the same flows."""
    random = np.random.default_rng(3)
    rows = [[*random.choice(5, 2, replace=False), 5, 6, random.integers(7, 12)] for _ in range(60)]
    arcs, start = np.array(rows, dtype=np.int32).ravel(), np.arange(0, 301, 5)
    capacity, sizes = np.array([np.inf] * 5 + [20.0, 10.0] + [4.0] * 5), random.lognormal(0.0, 1.0, 60)
    monkeypatch.setattr(fluid, "FEW", 0)
    found = fluid.by_windows(Rows(start, arcs, np.ones(300)), capacity, sizes, 1e-3, 10)
    assert found.peak[5:7] == pytest.approx([0.5, 1.0], rel=1e-12)
    monkeypatch.setattr(fluid, "NEARLY_ALL", 0.0)
    other = fluid.by_windows(Rows(start, arcs, np.ones(300)), capacity, sizes, 1e-3, 10)
    for name in ("finish_s", "first_rate", "last_rate", "limit", "peak"):
        assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-12), name
