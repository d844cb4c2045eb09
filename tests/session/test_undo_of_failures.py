"""Taking things as broken is a step of its own on the undo stack, and a result comes back with what it is of."""

from dataclasses import replace

import pytest

from designer.model import arranging, operations

PATIENCE_MS = 60_000


@pytest.fixture
def session(open_session):
    hardware = {"switch": "generic-switch-8x400g", "server": "generic-host"}
    return open_session("fat-tree", **hardware, servers=8, racks="none")


@pytest.fixture
def computed(session, qtbot):
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.current_result is not None, timeout=PATIENCE_MS)
    return session.workbench.simulation.current_result


def first_link(session) -> str:
    return next(iter(session.design.links))


def test_taking_as_broken_is_undone_by_itself_and_redone(session):
    link = first_link(session)
    session.mark_as_failed(frozenset([link]), "Fail it")
    devices = len(session.design.devices)
    session.undo_stack.undo()
    assert not session.failed and len(session.design.devices) == devices
    session.undo_stack.redo()
    assert session.failed == {link}
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert not session.design.devices


def test_failures_looked_at_one_after_the_other_are_one_step(session):
    before = session.undo_stack.count()
    for link in list(session.design.links)[:3]:
        session.mark_as_failed(frozenset([link]), f"Fail {link}", is_look=True)
    assert session.undo_stack.count() == before + 1
    assert session.undo_stack.undoText() == f"Fail {link}"
    session.undo_stack.undo()
    assert not session.failed


def test_what_was_broken_and_deleted_is_broken_again_after_undo(session):
    link = first_link(session)
    session.mark_as_failed(frozenset([link]), "Fail it")
    session.push(operations.delete(session.design, [link]))
    assert not session.failed
    session.undo_stack.undo()
    assert session.failed == {link}


def test_what_is_broken_does_not_make_a_saved_design_unsaved(session, tmp_path):
    session.save(tmp_path / "fabric.fabric")
    reported = []
    session.dirty_changed.connect(reported.append)
    session.mark_as_failed(frozenset([first_link(session)]), "Fail it")
    assert not session.dirty and not reported
    session.save()
    session.undo_stack.undo()
    session.push(operations.delete(session.design, [first_link(session)]))
    assert session.dirty and reported == [True]
    session.undo_stack.undo()
    assert not session.dirty and reported == [True, False]
    session.undo_stack.undo()
    assert session.dirty


def test_undo_brings_the_result_and_its_heat_back(session, computed):
    heat = session.workbench.simulation.heat
    session.push(operations.delete(session.design, [first_link(session)]))
    assert session.workbench.simulation.current_result is None and session.workbench.simulation.state == "stale"
    session.undo_stack.undo()
    assert session.workbench.simulation.current_result is computed and session.workbench.simulation.state == "current"
    assert (
        session.workbench.simulation.heat.utilization == heat.utilization
        and session.workbench.simulation.heat.revision == session.design.revision
    )
    session.undo_stack.redo()
    assert session.workbench.simulation.current_result is None


def test_restoring_what_is_broken_or_the_size_brings_the_result_back(session, computed):
    session.mark_as_failed(frozenset([first_link(session)]), "Fail it")
    assert session.workbench.simulation.current_result is None
    session.undo_stack.undo()
    assert session.workbench.simulation.current_result is computed
    usual = session.workbench.simulation.scenario
    session.workbench.simulation.scenario = replace(usual, size_bytes=64)
    assert session.workbench.simulation.current_result is None
    session.workbench.simulation.scenario = usual
    assert session.workbench.simulation.current_result is computed


def test_another_edit_after_an_undo_is_not_taken_for_the_one_that_was_computed(session, qtbot):
    one, other = list(session.design.links)[-2:]  # uplinks: no rank is cut off
    session.push(operations.delete(session.design, [one]))
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.current_result is not None, timeout=PATIENCE_MS)
    session.undo_stack.undo()
    session.push(operations.delete(session.design, [other]))
    assert session.workbench.simulation.current_result is None and session.workbench.simulation.state == "stale"


def test_moving_something_in_between_changes_nothing_of_it(session, computed):
    device = next(iter(session.design.devices))
    session.push(arranging.move(session.design, {device: (1.0, 2.0)}))
    assert session.workbench.simulation.current_result is computed
    session.push(operations.delete(session.design, [first_link(session)]))
    session.undo_stack.undo()
    assert session.workbench.simulation.current_result is computed
    session.undo_stack.undo()
    assert session.workbench.simulation.current_result is computed


def test_an_edit_during_a_run_cancels_it_and_says_so(session):
    session.workbench.simulation.run()
    session.push(operations.delete(session.design, [first_link(session)]))
    assert session.workbench.simulation.state == "idle" and session.workbench.simulation.was_cut_off


def test_undo_brings_a_sweep_and_curves_back_and_an_edit_meanwhile_cancels_them(session, qtbot):
    from designer.simulation.failures.request import SweepRequest

    sweep, curves = session.workbench.failures, session.workbench.curves
    scenario = session.workbench.simulation.scenario
    sweep.run(SweepRequest("single", "switch"))
    curves.run([scenario], (8, 1024))
    qtbot.waitUntil(lambda: sweep.state == curves.state == "current", timeout=PATIENCE_MS)
    session.push(operations.delete(session.design, [list(session.design.links)[-1]]))
    assert (sweep.state, curves.state, sweep.is_current) == ("stale", "stale", False)
    assert not sweep.was_cut_off
    session.undo_stack.undo()
    assert (sweep.state, curves.state, sweep.is_current) == ("current", "current", True)
    session.undo_stack.redo()
    sweep.run(SweepRequest("single", "switch"))
    curves.run([scenario], (8, 1024))
    session.push(operations.delete(session.design, [list(session.design.links)[-1]]))
    assert (sweep.state, curves.state) == ("stale", "stale") and sweep.was_cut_off and curves.was_cut_off
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert (sweep.state, curves.state) == ("current", "current") and not sweep.was_cut_off


def test_undo_brings_the_times_of_jobs_back(session, qtbot):
    jobs = session.workbench.placed_jobs
    jobs.add([server.id for server in session.design.servers()][:4])
    jobs.run()
    qtbot.waitUntil(lambda: jobs.state == "current", timeout=PATIENCE_MS)
    session.push(operations.delete(session.design, [list(session.design.links)[-1]]))
    assert jobs.state == "stale"
    session.undo_stack.undo()
    assert jobs.state == "current"
    usual = session.workbench.simulation.scenario
    session.workbench.simulation.scenario = replace(usual, routing="ecmp")
    assert jobs.state == "stale"
    session.workbench.simulation.scenario = usual
    assert jobs.state == "current"
