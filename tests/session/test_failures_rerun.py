"""A result when something fails or is repaired: it is repeated where that is quick, else kept as old."""

from dataclasses import replace

import pytest

from designer.session import simulation as simulation_job
from designer.session.heat_view import OUT_OF_DATE
from designer.simulation.scenario import Scenario

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session):
    """Two units of three servers with a leaf switch for each of eight rails."""
    return open_session("rail-optimized", servers=6, servers_per_su=3)


@pytest.fixture
def run(session, qtbot):
    simulation = session.workbench.simulation
    simulation.scenario = Scenario(collective="all-reduce", size_bytes=2**30)
    simulation.reruns_after_failures = True
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    simulation.wall_s, simulation.start_up_s = 0.02, 0.0
    return simulation


def leaf(session):
    return next(switch for switch in session.design.switches() if switch.role == "leaf")


def fail(session, *ids):
    session.mark_as_failed(frozenset(ids), "Fail")


def settled(run, qtbot):
    qtbot.waitUntil(lambda: run.state != "running", timeout=PATIENCE_MS)


def test_a_quick_run_is_repeated_after_a_failure_and_its_undo_and_says_what_is_lost(session, run, qtbot):
    healthy, one = run.result.time_s, leaf(session)
    fail(session, one.id)
    settled(run, qtbot)
    assert run.state == "current" and run.result.time_s > 1.5 * healthy
    words = run.compare_runs.words
    assert words.startswith(f"{one.name} failed: 3 NICs without a link, ") and " between switches lost, " in words
    assert " ms (+" in words and "It was" not in words
    run.wall_s = 0.02
    session.undo_stack.undo()
    settled(run, qtbot)
    assert run.state == "current" and run.result.time_s == healthy
    words = run.compare_runs.words
    assert words.startswith(f"{one.name} repaired: 3 NICs linked again, ") and " ms (−" in words


def test_a_long_run_is_not_repeated_and_its_heat_stays_marked_as_old(session, run, qtbot):
    run.wall_s = simulation_job.RERUN_S + 0.1
    loads, one = dict(run.heat.utilization), leaf(session)
    fail(session, one.id)
    assert run.state == "stale" and run.heat is None
    shown = session.workbench.heat_view.heat
    for link in session.design.links_of(one.id):
        del loads[link.id]
    assert shown.utilization == loads and len(loads) < len(session.design.links)
    assert shown.label.startswith(f"{OUT_OF_DATE}: ") and shown.age
    session.undo_stack.undo()
    assert run.state == "current" and session.workbench.heat_view.heat.label == run.heat.label


def test_loading_and_compiling_of_a_first_run_do_not_count(session, run, qtbot):
    run.wall_s, run.start_up_s = simulation_job.RERUN_S + 60.0, 59.9
    fail(session, leaf(session).id)
    assert run.state == "stale"
    session.undo_stack.undo()
    run.start_up_s = 60.0
    fail(session, leaf(session).id)
    assert run.state == "running"
    settled(run, qtbot)


@pytest.mark.parametrize("what", ["link", "NIC", "no longer there"])
def test_what_leads_nowhere_has_no_old_heat(session, run, what):
    run.reruns_after_failures = False
    server = next(iter(session.design.servers()))
    link, *_ = session.design.links_of(server.id)
    nics = {one.slot: one.id for one in session.design.modules.values() if one.device_id == server.id}
    end = link.a if link.a.device_id == server.id else link.b
    failed = {"link": link.id, "NIC": nics.get(end.port), "no longer there": "l999999"}[what]
    fail(session, failed)
    shown = session.workbench.heat_view.heat
    assert run.state == "stale" and shown.label.startswith(OUT_OF_DATE)
    assert shown.utilization.keys() == session.design.links.keys() - ({link.id} if what != "no longer there" else set())


def test_congestion_of_what_has_failed_is_gone_from_the_old_heat_too(session, run):
    run.reruns_after_failures = False
    one = leaf(session)
    run.value = run.value._replace(heat=replace(run.value.heat, congested=dict.fromkeys(session.design.links, (2, 2))))
    fail(session, one.id)
    heat = session.workbench.heat_view.heat
    assert heat.congested.keys() == heat.utilization.keys() and len(heat.congested) < len(session.design.links)


@pytest.mark.parametrize("measure", ["mean", "bytes"])
def test_the_old_heat_is_of_the_measure_that_was_chosen(session, run, measure):
    run.reruns_after_failures = False
    view = session.workbench.heat_view
    view.show_measure(measure)
    fail(session, leaf(session).id)
    assert run.state == "stale" and view.heat.measure == view.measure == measure
    view.show_measure("peak")
    assert view.heat.measure == view.measure == "peak" and view.heat.label.startswith(OUT_OF_DATE)


def test_peaks_that_are_not_known_are_not_offered_for_the_old_heat(session, run):
    run.reruns_after_failures = False
    view, known = session.workbench.heat_view, run.value
    result = replace(known.result, are_peaks_known=False)
    run.put(known._replace(result=result, heat=replace(known.heat, measure="mean")))
    fail(session, leaf(session).id)
    assert run.state == "stale" and not view.are_peaks_known and view.heat.measure == view.measure == "mean"


def test_it_is_not_repeated_where_the_choice_is_off(session, run):
    run.reruns_after_failures = False
    fail(session, leaf(session).id)
    assert run.state == "stale" and session.workbench.heat_view.heat is not None


def test_a_result_of_another_scenario_is_neither_repeated_nor_shown(session, run):
    run.scenario = Scenario(collective="all-gather", size_bytes=2**30)
    fail(session, leaf(session).id)
    assert run.state == "stale" and session.workbench.heat_view.heat is None


def test_ranks_that_are_cut_off_are_named_with_their_server(session, run, qtbot):
    server = next(iter(session.design.servers()))
    fail(session, server.id)
    settled(run, qtbot)
    assert run.result.notices[0] == f"8 of 48 ranks are cut off: 0-7 ({server.name})"
    assert run.compare_runs.words.startswith(f"{server.name} failed: 8 ranks fewer, ")
    assert "with 40 ranks" in run.compare_runs.words and "%" not in run.compare_runs.words.split(".")[0]


def test_traffic_that_cannot_run_without_them_names_them(session, run, qtbot):
    run.scenario = Scenario(traffic="incast:47", size_bytes=2**20)
    run.run()
    settled(run, qtbot)
    server, run.wall_s = next(iter(session.design.servers())), 0.02
    fail(session, server.id)
    settled(run, qtbot)
    assert run.state == "failed" and run.error.startswith(f"8 of 48 ranks are cut off: 0-7 ({server.name}): ")
    assert session.workbench.heat_view.heat is None
    session.undo_stack.undo()
    assert run.state == "current"


def test_without_any_switch_it_says_that_no_ranks_reach_each_other(session, run, qtbot):
    run.scenario = Scenario(traffic="shift:1", ranks=(0, 8, 16, 24), size_bytes=2**20)
    run.run()
    settled(run, qtbot)
    run.wall_s = 0.02
    fail(session, *(device.id for device in session.design.switches()))
    settled(run, qtbot)
    assert run.state == "failed" and "no two of the 4 ranks reach each other" in run.error


def test_a_failed_cable_is_named_by_its_ends(session, run, qtbot):
    design = session.design
    link = next(
        one
        for one in design.links.values()
        if not {*map(design.is_server, (one.a.device_id, one.b.device_id))} - {False}
    )
    fail(session, link.id)
    settled(run, qtbot)
    words = run.compare_runs.words
    assert words.startswith(f"Link {design.end_name(link.a)} to {design.end_name(link.b)} failed")
    assert ": 1 link between switches lost, " in words


def test_the_same_run_once_more_is_not_called_old(session, run, qtbot):
    run.run()
    assert run.state == "running" and session.workbench.heat_view.heat is None
    settled(run, qtbot)
