"""F5 while a field is being typed in: what stands there is run, or refused, never the value before it."""

import pytest
from PySide6.QtCore import Qt

from designer.topologies import fat_tree

pytestmark = pytest.mark.own_window

PATIENCE_MS = 60_000


@pytest.fixture
def session(window, catalog):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    window.session.push(fat_tree.build(window.session.design, parameters, catalog))
    window.docks.show("simulation")
    return window.session


def type_into(qtbot, field, text):
    field.line.setFocus()
    field.line.selectAll()
    qtbot.keyClicks(field.line, text)


def settled(qtbot, window, button):
    """Where a button stands in the window, once all of it is seen."""
    qtbot.waitUntil(lambda: button.visibleRegion().boundingRect() == button.rect())
    return button.mapTo(window, button.rect().topLeft())


def test_the_size_being_typed_is_what_is_run(window, session, qtbot):
    type_into(qtbot, window.docks.simulation.controls.fields["size_bytes"], "64MiB")
    window.actions_table.trigger("simulate.run")
    qtbot.waitUntil(lambda: session.workbench.simulation.current_result is not None, timeout=PATIENCE_MS)
    assert session.workbench.simulation.current_result.size_bytes == 64 * 2**20


def test_a_size_that_cannot_be_read_is_refused_and_nothing_is_run(window, session, qtbot):
    field = window.docks.simulation.controls.fields["size_bytes"]
    type_into(qtbot, field, "-5 bananas")
    for action in ("simulate.run", "simulate.live"):
        window.actions_table.trigger(action)
        assert session.workbench.simulation.state == "idle" and not session.workbench.simulation.live
        assert field.refusal.isVisible()
    qtbot.keyClick(field.line, Qt.Key.Key_Backspace)
    assert not field.refusal.isVisible()


def test_a_refused_field_that_is_folded_away_is_unfolded_and_nothing_is_run(window, session, qtbot):
    controls = window.docks.simulation.controls
    more = controls.fields["seed"].parentWidget().parentWidget()
    more.button.click()
    type_into(qtbot, controls.fields["seed"], "many")
    more.button.click()
    assert not controls.fields["seed"].isVisible()
    window.actions_table.trigger("simulate.run")
    assert session.workbench.simulation.state == "idle"
    assert controls.fields["seed"].refusal.isVisible() and window.focusWidget() is controls.fields["seed"].line
    qtbot.waitUntil(lambda: not controls.fields["seed"].refusal.visibleRegion().isEmpty())


def test_a_pattern_without_its_file_is_not_run_as_what_was_chosen_before(window, session, qtbot):
    controls = window.docks.simulation.controls
    row = controls.traffic.findText("Pairs from a file (pattern)")
    assert row >= 0, [controls.traffic.itemText(i) for i in range(controls.traffic.count())]
    controls.traffic.setCurrentIndex(row)
    controls.traffic.activated.emit(row)
    window.actions_table.trigger("simulate.run")
    assert session.workbench.simulation.state == "idle"
    assert controls.parameter.refusal.isVisible()


def test_the_button_of_a_study_stays_where_it_is_when_something_is_refused(window, session, qtbot):
    for action, study, run in (
        ("study.curve", lambda: window.docks.studies.curve, lambda: window.docks.studies.curve.run),
        ("failures.sweep", lambda: window.docks.failures, lambda: window.docks.failures.controls.run),
    ):
        window.actions_table.trigger(action)
        before = settled(qtbot, window, run())
        if study() is window.docks.failures:
            window.docks.failures.controls.show_way("monte-carlo")
            run().click()
            assert "failure rate" in window.docks.failures.controls.state.text()
        else:
            type_into(qtbot, study().sizes, "bananas")
            run().click()
            assert study().sizes.refusal.isVisible() and session.workbench.curves.state == "idle"
        assert settled(qtbot, window, run()) == before


def test_what_failures_refuse_is_forgotten_when_the_rate_is_typed_or_the_design_changes(window, session, qtbot):
    controls = window.docks.failures.controls
    window.actions_table.trigger("failures.sweep")
    controls.show_way("monte-carlo")
    controls.run.click()
    assert controls.state.text()
    qtbot.keyClicks(controls.rates["link"], "0.1")
    assert not controls.state.text()
    session.select(session.design.devices)
    window.actions_table.trigger("edit.delete")
    controls.show_way("single")
    controls.run.click()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "failed", timeout=PATIENCE_MS)
    window.actions_table.trigger("edit.undo")
    assert session.workbench.failures.state == "idle" and not controls.state.text()


def test_run_together_stays_in_sight_when_a_job_refuses_a_size(window, session, qtbot):
    session.workbench.placed_jobs.add([server.id for server in session.design.servers()][:4])
    window.actions_table.trigger("job.show")
    jobs = window.docks.studies.jobs
    before = settled(qtbot, window, jobs.run)
    type_into(qtbot, jobs.form.fields["size_bytes"], "bananas")
    assert not jobs.form.fields["size_bytes"].finish()
    assert settled(qtbot, window, jobs.run) == before
    assert not jobs.run.visibleRegion().isEmpty()


def test_the_memory_limit_of_the_settings_holds_for_the_next_run(window, session, qtbot):
    window.dialogs.show("settings")
    window.dialogs["settings"].memory.setValue(3)
    assert window.preferences.memory_limit_gb == 3
    assert session.workbench.simulation.scenario.memory_limit_bytes == 3e9
    window.preferences.memory_limit_changed.emit(1e-6)
    window.actions_table.trigger("simulate.run")
    qtbot.waitUntil(lambda: session.workbench.simulation.error is not None, timeout=PATIENCE_MS)
    assert "more than the limit of 1 kB: choose fewer ranks, or raise the limit" in session.workbench.simulation.error
