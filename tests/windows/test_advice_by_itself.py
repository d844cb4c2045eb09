"""What would help is tried by itself after a quick run: one line, and a click to try it."""

import pytest

from designer.model.edit import Edit, removed
from designer.session import advice as advice_module
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree
from designer.windows.application import follow_preferences
from designer.windows.dialogs.settings import SettingsDialog

pytestmark = pytest.mark.own_window

PATIENCE_MS = 60_000


@pytest.fixture
def session(window, catalog, monkeypatch):
    """16 hosts over 8-port switches; flows collide under ECMP."""
    monkeypatch.setattr(advice_module, "REST_MS", 0)
    monkeypatch.setattr(advice_module, "QUICK_S", 60.0)
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session = window.session
    session.workbench.advice._rest.setInterval(0)
    session.push(fat_tree.build(session.design, parameters, catalog))
    session.workbench.simulation.scenario = Scenario(collective="all-to-all", routing="ecmp", size_bytes=2**26)
    return session


def run(session, qtbot):
    simulation = session.workbench.simulation
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)


@pytest.fixture
def job(session, qtbot):
    job = session.workbench.advice
    job.let_by_itself(True)
    run(session, qtbot)
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    return job


def test_one_line_says_what_helps_most_and_a_click_tries_it(window, session, job, qtbot):
    panel = window.docks.simulation.advice
    assert not job.is_asked and job.best is job.helpful[0]
    assert panel.hint.text() == job.best.sentence and " → " in panel.hint.text()
    assert not panel.hint.isHidden() and panel.table.isHidden() and panel.summary.isHidden()
    assert not panel.ask.isHidden(), "all of it can still be asked for"
    best = job.best
    panel.try_it.click()
    assert session.workbench.simulation.scenario == best.scenario
    assert job.taken is best and panel.hint.isHidden()


def test_after_undo_of_what_was_tried_it_is_offered_again(window, session, job, qtbot):
    panel, design = window.docks.simulation.advice, session.design
    uplinks = [one for one in design.links.values() if all(map(design.is_switch, (one.a.device_id, one.b.device_id)))]
    session.push(Edit("Fewer uplinks", removed(uplinks[::2])))
    run(session, qtbot)
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    tip = next(one for one in job.helpful if one.edit is not None)
    session.push(job.take(tip))
    session.undo_stack.undo()
    run(session, qtbot)
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert panel.taken.isHidden() and not panel.hint.isHidden() and not panel.try_it.isHidden()


def test_asking_tries_all_of_it_and_lists_it(window, session, job, qtbot):
    panel = window.docks.simulation.advice
    panel.ask.click()
    assert job.is_asked and job.state == "running"
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert panel.hint.isHidden() and not panel.table.isHidden() and panel.ask.isHidden()
    assert not panel.try_it.isEnabled(), "nothing is chosen yet"


def test_an_edit_takes_the_line_away(window, session, job):
    session.push(Edit("Nothing", ()))
    session.workbench.simulation.scenario = Scenario(collective="all-reduce")
    assert job.state == "idle" and window.docks.simulation.advice.hint.isHidden()
    assert not window.docks.simulation.advice.try_it.isEnabled()


def test_nothing_is_tried_after_a_run_that_took_long_or_where_it_is_off(session, qtbot, monkeypatch):
    job = session.workbench.advice
    monkeypatch.setattr(advice_module, "QUICK_S", 0.0)
    job.let_by_itself(True)
    run(session, qtbot)
    job._run_by_itself()
    assert job.state == "idle"
    monkeypatch.setattr(advice_module, "QUICK_S", 60.0)
    job.let_by_itself(False)
    job._run_by_itself()
    assert job.state == "idle"


def test_no_more_is_begun_by_itself_than_its_own_budget_allows(session, qtbot, monkeypatch):
    monkeypatch.setattr(advice_module, "OWN_BUDGET_S", -1.0)
    job = session.workbench.advice
    job.let_by_itself(True)
    run(session, qtbot)
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert len(job.tips) == 1 and job.waiting > 0


def test_switching_it_off_takes_the_line_away(window, session, job):
    job.let_by_itself(False)
    assert job.state == "idle" and window.docks.simulation.advice.hint.isHidden()


def test_a_session_follows_the_settings(window, session):
    preferences = window.desk.preferences
    follow_preferences(session, preferences)
    assert session.workbench.advice.by_itself and session.workbench.simulation.reruns_after_failures
    preferences.advises = preferences.reruns_after_failures = False
    assert not session.workbench.advice.by_itself and not session.workbench.simulation.reruns_after_failures


def test_the_setting_is_remembered(window, qtbot):
    dialog = SettingsDialog(window.desk)
    qtbot.addWidget(dialog)
    assert dialog.advise.isChecked()
    with qtbot.waitSignal(window.desk.preferences.advises_changed):
        dialog.advise.setChecked(False)
    assert not window.desk.preferences.advises
    assert dialog.rerun.isChecked()
    with qtbot.waitSignal(window.desk.preferences.reruns_changed):
        dialog.rerun.setChecked(False)
    assert not window.desk.preferences.reruns_after_failures
    dialog.refresh()
    assert not dialog.advise.isChecked() and not dialog.rerun.isChecked()
