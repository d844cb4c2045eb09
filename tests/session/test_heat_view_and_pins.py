"""What links are colored by: measures, phases and pinned runs; never a pinned run as if it were current."""

from dataclasses import replace

import numpy as np
import pytest

from designer.analysis.cable_numbers import number_cables
from designer.drawing.load_legend import legend_of
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.model.operations import set_settings
from designer.session.flows_on_link import Asked
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session):
    return open_session("rail-optimized", servers=4, servers_per_su=2)


@pytest.fixture
def run(session, qtbot):
    def go(**scenario):
        session.workbench.simulation.scenario = Scenario(**scenario)
        session.workbench.simulation.run()
        qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
        return session.workbench.simulation.current_result

    return go


def break_a_link(session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))


def test_measures_show_peak_mean_and_bytes(session, run):
    result = run(collective="all-reduce", algorithm="hierarchical")
    view, forth = session.workbench.heat_view, np.flatnonzero(result.graph.link[::2] >= 0) * 2
    assert session.workbench.heat_view.heat is session.workbench.simulation.heat
    view.show_measure("mean")
    assert list(session.workbench.heat_view.heat.utilization.values())[3][0] == pytest.approx(
        result.utilization_mean[forth[3]]
    )
    view.show_measure("bytes")
    heat = session.workbench.heat_view.heat
    assert heat.busiest == pytest.approx(1.0)
    assert heat.full_bytes == pytest.approx(result.bytes[result.graph.link >= 0].max())
    assert session.workbench.simulation.heat.measure == "peak"


def test_a_phase_shows_its_own_loads(session, run):
    result = run(collective="all-reduce", algorithm="hierarchical")
    assert len(result.phase_peaks) == len(result.phases) == 3
    session.workbench.heat_view.show_phase(0)
    assert session.workbench.heat_view.heat.busiest == 0  # inside servers only: no link is used
    assert "phase 1 of 3: reduce-scatter in the server" in session.workbench.heat_view.heat.label
    assert legend_of(session.workbench.heat_view.heat).note == "scale-up domains are the bottleneck: 100 % busy"
    session.workbench.heat_view.show_phase(1)
    assert session.workbench.heat_view.heat.busiest == pytest.approx(
        session.workbench.simulation.heat.busiest, rel=1e-6
    )
    session.workbench.heat_view.show_phase(None)
    assert session.workbench.heat_view.heat is session.workbench.simulation.heat


def test_a_phase_that_is_no_more_shows_the_whole_run(session, run):
    run(collective="all-reduce", algorithm="hierarchical")
    session.workbench.heat_view.show_phase(2)
    run(collective="all-reduce")
    assert session.workbench.heat_view.phase is None
    assert session.workbench.heat_view.heat is session.workbench.simulation.heat


def test_pinned_runs_are_compared_with_the_first(session, run):
    run(collective="all-reduce", size_bytes=2**20)
    first = session.workbench.pins.pin()
    assert session.workbench.pins.pin() is None and session.workbench.pins.current_is_pinned
    assert first.design is not session.design and first.design.revision == first.revision == session.design.revision
    run(collective="all-reduce", size_bytes=2**21)
    second = session.workbench.pins.pin()
    assert session.workbench.pins.runs == (first, second) and session.workbench.pins.baseline is first
    assert second.longer_than(first) == pytest.approx(second.result.time_s / first.result.time_s - 1)
    assert "->" in first.hottest and first.name == "all-reduce, ring, spray"
    session.workbench.pins.set_baseline(second)
    session.workbench.pins.unpin(second)
    assert session.workbench.pins.baseline is first


def test_a_pinned_run_is_shown_as_such_and_never_as_current(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.workbench.pins.pin()
    break_a_link(session)
    assert session.workbench.heat_view.heat is None
    session.workbench.heat_view.show_pinned(pinned)
    assert session.workbench.heat_view.heat.label.startswith("Pinned run 1, of an earlier design")
    assert session.workbench.simulation.heat is None and session.workbench.simulation.current_result is None
    run(collective="all-reduce")
    assert session.workbench.heat_view.pinned is None
    assert session.workbench.heat_view.heat is session.workbench.simulation.heat


def test_what_a_pinned_run_did_not_have_is_named_and_not_taken_for_idle(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.workbench.pins.pin()
    leaf = next(iter(session.design.switches()))
    (new_id,) = session.design.new_ids("devices", 1)
    session.push(Edit("One more", (Change(None, replace(leaf, id=new_id, name="leaf-99")),)))
    session.workbench.heat_view.show_pinned(pinned)
    heat = session.workbench.heat_view.heat
    assert heat.absent == {new_id}
    assert legend_of(heat).note == "not in it, dashed: 1 switch"
    assert not pinned.heat.absent, "the run itself is as it was"
    break_a_link(session)
    assert legend_of(session.workbench.heat_view.heat).note == "not in it, dashed: 1 switch; no longer there: 1 link"


def test_an_edit_while_a_pinned_run_is_shown_changes_its_label(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    session.workbench.heat_view.show_pinned(session.workbench.pins.pin())
    assert session.workbench.heat_view.heat.label.startswith("Pinned run: ")
    break_a_link(session)
    assert "earlier design" in session.workbench.heat_view.heat.label


def test_unpinning_what_is_shown_and_another_design_show_the_current_again(session, run):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.workbench.pins.pin()
    session.workbench.heat_view.show_pinned(pinned)
    session.workbench.pins.unpin(pinned)
    assert session.workbench.heat_view.pinned is None
    session.workbench.pins.pin()
    session.new()
    assert session.workbench.pins.runs == () and session.workbench.heat_view.heat is None


def test_a_result_worked_out_elsewhere_is_neither_pinned_nor_asked_for_its_flows(session, run):
    result = run(collective="all-reduce")
    session.workbench.simulation.show(result, "gradients")
    assert session.workbench.pins.pin() is None
    session.workbench.flows_on_link.ask(Asked(next(iter(session.design.links)), False))
    assert session.workbench.flows_on_link.error is not None and not session.workbench.flows_on_link.running


def test_what_no_graph_is_made_of_leaves_runs_of_this_design(session, run):
    """Such as the revision of a hand-over package: cables get numbers, and nothing is routed another way."""
    run(collective="all-to-all", size_bytes=2**20)
    pinned, state = session.workbench.pins.pin(), session.fabric_state
    session.push(number_cables(session.design))
    assert all(link.cable for link in session.design.links.values())
    assert not session.workbench.heat_view.is_earlier(pinned) and session.fabric_state == state
    assert session.workbench.simulation.state == "current"
    link = next(iter(session.design.links.values()))
    session.push(Edit("Label", (Change(link, replace(link, label="x", notes="y", tags=("z",))),)))
    session.push(set_settings(session.design, project="Hall 3", author="A"))
    assert not session.workbench.heat_view.is_earlier(pinned)
    session.push(set_settings(session.design, default_cable_length_m=7.0))
    assert session.workbench.heat_view.is_earlier(pinned)


@pytest.mark.parametrize("changed", [{"length_m": 99.0}, {"medium_id": ""}])
def test_what_a_graph_is_made_of_makes_runs_of_an_earlier_design(session, run, changed):
    run(collective="all-to-all", size_bytes=2**20)
    pinned = session.workbench.pins.pin()
    link = next(iter(session.design.links.values()))
    after = replace(link, **changed)
    if after != link:
        session.push(Edit("Change", (Change(link, after),)))
        assert session.workbench.heat_view.is_earlier(pinned)
