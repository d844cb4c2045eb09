"""Simulation of a real fabric from a session: live results, and no stale one ever shown as current."""

import threading

import pytest

from designer.model import operations
from designer.session import simulation
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session):
    """Four leafs with four hosts each under two spines."""
    hardware = {"switch": "generic-switch-8x400g", "server": "generic-host"}
    return open_session("fat-tree", **hardware, servers=16, racks="none")


def uplink(session) -> str:
    design = session.design
    return next(
        i
        for i, link in design.links.items()
        if design.is_switch(link.a.device_id) and design.is_switch(link.b.device_id)
    )


def run(session, qtbot):
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state != "running", timeout=PATIENCE_MS)
    assert session.workbench.simulation.state == "current", session.workbench.simulation.error


def test_a_run_ends_in_a_current_result_with_heat_for_every_link(session, qtbot):
    assert session.workbench.simulation.heat is None
    run(session, qtbot)
    assert session.workbench.simulation.current_result is not None
    assert session.workbench.simulation.current_result.busbw_gbytes_per_s > 0
    assert session.workbench.simulation.heat.revision == session.design.revision
    assert session.workbench.simulation.heat.utilization.keys() == session.design.links.keys()


def test_an_edit_makes_the_heat_go_at_once_and_the_result_stale(session, qtbot):
    run(session, qtbot)
    seen = []
    session.workbench.simulation.state_changed.connect(lambda: seen.append(session.workbench.simulation.heat))
    session.push(operations.delete(session.design, [uplink(session)]))
    assert seen == [None]
    assert session.workbench.simulation.state == "stale"
    assert session.workbench.simulation.current_result is None
    assert session.workbench.simulation.result is not None


def test_with_live_each_edit_is_followed_by_a_new_result_and_undo_by_the_old_one(session, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="all-to-all", size_bytes=1_000_000)
    session.workbench.simulation.live = True
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    before = dict(session.workbench.simulation.heat.utilization)
    link = uplink(session)
    session.push(operations.delete(session.design, [link]))
    assert session.workbench.simulation.heat is None
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    after = dict(session.workbench.simulation.heat.utilization)
    assert link not in after
    assert after != {i: pair for i, pair in before.items() if i != link}
    session.undo_stack.undo()
    assert session.workbench.simulation.heat is None
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    assert dict(session.workbench.simulation.heat.utilization) == before


def test_with_live_the_first_edit_is_computed_at_once_and_those_right_after_it_together(session, qtbot, monkeypatch):
    run(session, qtbot)
    session.workbench.simulation.live = True
    started = []
    real = session.jobs.run

    def counted(lane, *work):
        started.append(lane)
        real(lane, *work)

    monkeypatch.setattr(session.jobs, "run", counted)
    monkeypatch.setattr(simulation, "DEBOUNCE_MS", 60_000)
    session.workbench.simulation._began_s = float("-inf")
    for number in range(3):
        session.push(operations.delete(session.design, [uplink(session)]))
        assert started.count("simulation") == 1, number
    assert session.workbench.simulation.is_waiting
    session.workbench.simulation.start_in(0)
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    assert started.count("simulation") == 2
    assert session.workbench.simulation.heat.utilization.keys() == session.design.links.keys()


def test_an_edit_of_links_does_not_have_the_whole_design_read_again(session, qtbot, monkeypatch):
    run(session, qtbot)
    monkeypatch.setattr("designer.graph.building.edited.build", lambda *_args, **_choices: pytest.fail("was rebuilt"))
    session.workbench.simulation.live = True
    link = uplink(session)
    session.push(operations.delete(session.design, [link]))
    qtbot.waitUntil(lambda: session.workbench.simulation.state != "running", timeout=PATIENCE_MS)
    assert link not in session.workbench.simulation.heat.utilization
    session.set_failed(frozenset({uplink(session)}))
    qtbot.waitUntil(lambda: session.workbench.simulation.state != "running", timeout=PATIENCE_MS)
    assert session.workbench.simulation.state == "current"


def test_peaks_that_are_not_known_are_shown_as_the_means_they_are(session, qtbot, monkeypatch):
    session.workbench.simulation.scenario = Scenario(collective="all-to-all", routing="ecmp", size_bytes=2**20)
    run(session, qtbot)
    assert (
        session.workbench.simulation.heat.measure == "peak"
        and session.workbench.simulation.current_result.are_peaks_known
    )
    assert session.workbench.simulation.heat.label == "all-to-all, direct · ecmp, 1 MiB"
    from designer.simulation import phase_results

    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 10)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
    assert (
        session.workbench.simulation.heat.measure == "mean"
        and not session.workbench.simulation.current_result.are_peaks_known
    )


def test_a_result_says_what_it_changed_against_the_one_before_of_the_same_scenario(session, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="shift:4", size_bytes=1e9)
    run(session, qtbot)
    assert session.workbench.simulation.compare_runs is None
    healthy = session.workbench.simulation.current_result
    spine = next(device.id for device in session.design.switches() if device.role == "spine")
    session.mark_as_failed(frozenset({spine}), "Fail")
    run(session, qtbot)
    stated = session.workbench.simulation.compare_runs
    assert " failed: " in stated.words and " ms (+" in stated.words
    assert session.workbench.simulation.healthy is healthy
    run(session, qtbot)  # the same again: still what the failure did
    assert session.workbench.simulation.compare_runs == stated
    session.workbench.simulation.scenario = Scenario(traffic="shift:8", size_bytes=1e9)
    assert session.workbench.simulation.healthy is None, "it is of other traffic"
    run(session, qtbot)
    assert session.workbench.simulation.compare_runs is None


def test_moving_a_device_keeps_the_result_current_as_traffic_knows_no_places(session, qtbot):
    run(session, qtbot)
    device = next(iter(session.design.devices))
    session.push(operations.move(session.design, {device: (5000.0, 5000.0)}))
    assert session.workbench.simulation.state == "current"
    assert session.workbench.simulation.heat.revision == session.design.revision


def test_a_result_of_a_design_that_changed_meanwhile_is_dropped(session, qtbot, monkeypatch):
    run(session, qtbot)
    entered, gate = threading.Event(), threading.Event()
    from designer.session import engine

    real = engine.up_to_date

    def slow(*asked):
        entered.set()
        gate.wait(10)
        return real(*asked)

    monkeypatch.setattr(engine, "up_to_date", slow)
    session.workbench.simulation.run()
    qtbot.waitUntil(entered.is_set)
    session.push(operations.delete(session.design, [uplink(session)]))
    assert session.workbench.simulation.state == "stale"
    gate.set()
    qtbot.wait(200)
    assert session.workbench.simulation.state == "stale"
    assert session.workbench.simulation.heat is None


def test_taking_a_spine_as_broken_changes_the_heat_and_not_the_design(session, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="all-to-all", size_bytes=1_000_000)
    run(session, qtbot)
    whole = max(map(max, session.workbench.simulation.heat.utilization.values()))
    time_s = session.workbench.simulation.current_result.time_s
    spine = next(device.id for device in session.design.switches() if device.role == "spine")
    revision = session.design.revision
    session.set_failed(frozenset((spine,)))
    assert session.workbench.simulation.heat is None
    run(session, qtbot)
    assert session.design.revision == revision
    assert session.workbench.simulation.current_result.time_s > time_s * 1.5
    dead = {link.id for link in session.design.links_of(spine)}
    assert dead.isdisjoint(session.workbench.simulation.heat.utilization)
    assert whole > 0


def test_what_is_deleted_is_no_longer_taken_as_broken(session):
    link = uplink(session)
    session.set_failed(frozenset((link,)))
    session.push(operations.delete(session.design, [link]))
    assert session.failed == frozenset()


def test_cancelling_switches_live_off_and_leaves_no_heat(session, qtbot):
    session.workbench.simulation.live = True
    session.workbench.simulation.cancel()
    assert session.workbench.simulation.state == "idle"
    assert not session.workbench.simulation.live
    qtbot.wait(100)
    assert session.workbench.simulation.heat is None


def test_a_scenario_that_cannot_be_run_fails_with_a_sentence(session, qtbot):
    session.workbench.simulation.scenario = Scenario(collective="all-reduce", ranks=100_000)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "failed", timeout=PATIENCE_MS)
    assert session.workbench.simulation.error
    assert "Traceback" not in session.workbench.simulation.error
    assert session.workbench.simulation.heat is None


def test_another_design_forgets_result_failures_and_heat(session, qtbot):
    run(session, qtbot)
    session.set_failed(frozenset((uplink(session),)))
    session.new()
    assert session.workbench.simulation.state == "idle"
    assert session.workbench.simulation.result is None
    assert session.failed == frozenset()


def test_validation_follows_each_edit_and_says_when_it_is_out_of_date(session, qtbot):
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=PATIENCE_MS)
    before = session.workbench.validation.report
    a, b = session.design.switches()[:2]
    session.push(operations.rename(session.design, a.id, b.name))
    assert not session.workbench.validation.is_current
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=PATIENCE_MS)
    assert len(session.workbench.validation.report.findings) > len(before.findings)
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.workbench.validation.is_current, timeout=PATIENCE_MS)
    assert session.workbench.validation.report == before
