"""Random flows over random arcs, to their last ends, against progressive filling from scratch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from progressive_filling import finishes_from_scratch

from designer.routing.transport_kernels import Rows
from designer.simulation.flows import fluid, windows

AMOUNTS = st.integers(1, 40).map(float) | st.floats(0.5, 40.0)


@st.composite
def shared_arcs(draw):
    """(matrix (n_flows, n_arcs), capacity, size_bytes): arcs that many, few or just the same flows cross."""
    n_arcs, n_flows = draw(st.integers(1, 8)), draw(st.integers(1, 24))
    parts = st.sampled_from([0.0, 0.0, 1.0]) if draw(st.booleans()) else st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])
    matrix = np.array(draw(st.lists(parts, min_size=n_arcs * n_flows, max_size=n_arcs * n_flows)))
    matrix = matrix.reshape(n_flows, n_arcs)
    matrix[matrix.sum(axis=1) == 0.0, 0] = 1.0
    twins = draw(st.lists(st.integers(0, n_arcs - 1), max_size=3))
    matrix = np.concatenate((matrix, matrix[:, twins]), axis=1)
    capacity = np.array(draw(st.lists(AMOUNTS, min_size=matrix.shape[1], max_size=matrix.shape[1])))
    return matrix, capacity, np.array(draw(st.lists(AMOUNTS, min_size=n_flows, max_size=n_flows)))


def run(matrix, capacity, size_bytes, **options):
    flow, arc = np.nonzero(matrix)
    start = np.searchsorted(flow, np.arange(len(matrix) + 1))
    return fluid.run(start, arc.astype(np.int32), matrix[flow, arc], capacity, size_bytes, **options)


@given(shared_arcs(), st.booleans(), st.booleans())
def test_ends_and_peaks_are_those_of_rates_found_from_scratch_after_each_end(flows, by_twins, at_once):
    """Whether arcs with the same flows are taken for one or not, arc by arc or by all rates solved together."""
    matrix, capacity, size_bytes = flows
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fluid, "FEW", 0 if by_twins else 1_000)
        patch.setattr(fluid, "LEADS_FAR", 0.0 if at_once else 1e9)
        found = run(matrix, capacity, size_bytes)
    assert found.finish_s == pytest.approx(finishes_from_scratch(matrix, capacity, size_bytes), rel=1e-9)
    assert (found.limit >= 0).all() and (matrix[np.arange(len(matrix)), found.limit] > 0).all()
    assert found.peak == pytest.approx(run(matrix, capacity, size_bytes).peak, rel=1e-9)
    carried = found.peak[matrix.any(axis=0)]
    assert (carried > 0).all() and (carried <= 1 + 1e-9).all()
    assert found.peak[found.limit] == pytest.approx(1.0)


TOLERANCE = 1e-5


def by_windows(matrix, capacity, size_bytes, few=0, tolerance=TOLERANCE):
    flow, arc = np.nonzero(matrix)
    rows = Rows(np.searchsorted(flow, np.arange(len(matrix) + 1)), arc.astype(np.int32), matrix[flow, arc])
    return fluid.by_windows(rows, capacity, size_bytes, tolerance, few)


@given(shared_arcs(), st.sampled_from([0, 4]))
def test_flows_followed_over_short_windows_end_about_when_they_do(flows, few):
    matrix, capacity, size_bytes = flows
    exact, found = run(matrix, capacity, size_bytes), by_windows(matrix, capacity, size_bytes, few)
    assert found.finish_s == pytest.approx(exact.finish_s, rel=100 * TOLERANCE)
    assert found.first_rate == pytest.approx(exact.first_rate, rel=1e-12)
    assert (found.limit >= 0).all() and (matrix[np.arange(len(matrix)), found.limit] > 0).all()
    assert ((found.peak > 0) == (exact.peak > 0)).all() and (found.peak <= 1 + 1e-9).all()


@given(st.integers(1, 40).map(float), st.lists(AMOUNTS, min_size=1, max_size=60), st.sampled_from([1e-5, 1e-3, 1e-2]))
def test_on_one_arc_no_end_is_off_by_more_than_its_window(capacity, size_bytes, tolerance):
    """However many windows there were before: what flows have left at the end of each is exact."""
    matrix = np.ones((len(size_bytes), 1))
    exact = finishes_from_scratch(matrix, np.array([capacity]), np.array(size_bytes))
    found = by_windows(matrix, np.array([capacity]), np.array(size_bytes), tolerance=tolerance)
    assert found.finish_s == pytest.approx(exact, rel=windows.LONGEST * tolerance)
