"""What links are coloured by: measures, phases and pinned runs; never a pinned run as if it were current."""

from collections.abc import Iterator

import numpy as np
import pytest

from designer.catalog.catalog import load
from designer.drawing.display_list import legend_of
from designer.model import operations
from designer.session.flows_on_link import Asked
from designer.session.session import Session
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized

PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def catalog():
    return load()


@pytest.fixture
def session(qtbot, catalog) -> Iterator[Session]:
    session = Session(catalog)
    parameters = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    yield session
    session.close()


@pytest.fixture
def run(session, qtbot):
    def go(**scenario):
        session.simulation.scenario = Scenario(**scenario)
        session.simulation.run()
        qtbot.waitUntil(lambda: session.simulation.state == "current", timeout=PATIENCE_MS)
        return session.result

    return go


def break_a_link(session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))


def test_measures_show_peak_mean_and_bytes(session, run):
    result = run(collective="all-reduce", algorithm="hierarchical")
    view, forth = session.heat_view, np.flatnonzero(result.graph.link[::2] >= 0) * 2
    assert session.shown_heat is session.heat
    view.show_measure("mean")
    assert list(session.shown_heat.utilization.values())[3][0] == pytest.approx(result.utilization_mean[forth[3]])
    view.show_measure("bytes")
    heat = session.shown_heat
    assert heat.busiest == pytest.approx(1.0)
    assert heat.full_bytes == pytest.approx(result.bytes[result.graph.link >= 0].max())
    assert session.heat.measure == "peak"


def test_a_phase_shows_its_own_loads(session, run):
    result = run(collective="all-reduce", algorithm="hierarchical")
    assert len(result.phase_peaks) == len(result.phases) == 3
    session.heat_view.show_phase(0)
    assert session.shown_heat.busiest == 0  # inside servers only: no link is used
    assert "phase 1 of 3: reduce-scatter in the server" in session.shown_heat.label
    assert legend_of(session.shown_heat).note == "scale-up domains are the bottleneck: 100 % busy"
    session.heat_view.show_phase(1)
    assert session.shown_heat.busiest == pytest.approx(session.heat.busiest, rel=1e-6)
    session.heat_view.show_phase(None)
    assert session.shown_heat is session.heat


def test_a_phase_that_is_no_more_shows_the_whole_run(session, run):
    run(collective="all-reduce", algorithm="hierarchical")
    session.heat_view.show_phase(2)
    run(collective="all-reduce")
    assert session.heat_view.phase is None
    assert session.shown_heat is session.heat


def test_pinned_runs_are_compared_with_the_first(session, run):
    run(collective="all-reduce", size_bytes=2**20)
    first = session.pins.pin()
    assert session.pins.pin() is None and session.pins.current_is_pinned
    run(collective="all-reduce", size_bytes=2**21)
    second = session.pins.pin()
    assert session.pins.runs == (first, second) and session.pins.baseline is first
    assert second.longer_than(first) == pytest.approx(second.result.time_s / first.result.time_s - 1)
    assert "->" in first.hottest and first.name == "all-reduce, ring, spray"
    session.pins.compare_with(second)
    session.pins.unpin(second)
    assert session.pins.baseline is first


def test_a_pinned_run_is_shown_as_such_and_never_as_current(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.pins.pin()
    break_a_link(session)
    assert session.shown_heat is None
    session.heat_view.show_pinned(pinned)
    assert session.shown_heat.label.startswith("Pinned run, of an earlier design")
    assert session.heat is None and session.result is None
    run(collective="all-reduce")
    assert session.heat_view.pinned is None
    assert session.shown_heat is session.heat


def test_an_edit_while_a_pinned_run_is_shown_changes_its_label(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    session.heat_view.show_pinned(session.pins.pin())
    assert session.shown_heat.label.startswith("Pinned run: ")
    break_a_link(session)
    assert "earlier design" in session.shown_heat.label


def test_unpinning_what_is_shown_and_another_design_show_the_current_again(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.pins.pin()
    session.heat_view.show_pinned(pinned)
    session.pins.unpin(pinned)
    assert session.heat_view.pinned is None
    session.pins.pin()
    session.new()
    assert session.pins.runs == () and session.shown_heat is None


def test_a_result_worked_out_elsewhere_is_neither_pinned_nor_asked_for_its_flows(session, run):
    result = run(collective="all-reduce")
    session.simulation.show(result, "gradients")
    assert session.pins.pin() is None
    session.flows_on_link.ask(Asked(next(iter(session.design.links)), False))
    assert session.flows_on_link.error is not None and not session.flows_on_link.running
