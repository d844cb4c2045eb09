"""The dialog of the best mapping on a real fabric in the real window."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.model.placed_jobs import whole
from designer.regeneration import recipes
from designer.topologies.fat_tree import FatTreeParameters


@pytest.fixture
def dialog(window, qtbot):
    session = window.session
    parameters = FatTreeParameters(servers=8, switch="generic-switch", oversubscription=4)
    session.push(recipes.generated(session.design, recipes.family_named("fat-tree"), parameters, session.catalog))
    servers = [server.id for server in session.design.servers()]
    for name, where in (("first", servers[:1]), ("spread", servers[1::2])):
        session.push(
            operations.add_job(session.design, name, size_bytes=2.0**26, collective="all-reduce", servers=whole(where))
        )
    window.docks.studies.jobs.choose(session.workbench.placed_jobs.jobs[1].id)
    window.actions_table.trigger("job.map")
    return window.dialogs["mapping"]


def test_a_mapping_is_searched_shown_and_taken_as_one_step(dialog, qtbot):
    session = dialog._session
    job = session.workbench.placed_jobs.jobs[1]
    assert dialog.job.value == job.id and not dialog.take_button.isEnabled()
    dialog.form.set_text("runs", "12")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.mapping is not None)
    mapping = dialog.mapping
    assert dialog.table.current == mapping.best and mapping.runs <= 12
    assert "alone on the fabric" in dialog.conclusion.text()
    qtbot.mouseClick(dialog.heat_button, Qt.MouseButton.LeftButton)
    assert session.workbench.simulation.heat.label == "spread, best mapping"
    qtbot.mouseClick(dialog.take_button, Qt.MouseButton.LeftButton)
    after = session.design.jobs[job.id]
    assert len(after.servers) == 4 and session.design.jobs[job.id] != job
    assert dialog.mapping is None, "the design has changed"
    session.undo_stack.undo()
    assert session.design.jobs[job.id] == job


def test_a_field_that_cannot_be_read_is_said_in_a_sentence(dialog, qtbot):
    dialog.form.set_text("runs", "many")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert "Runs" in dialog.refusal.text() and dialog.refusal.text().endswith(".")
    dialog.form.set_text("runs", "5")
    dialog.form.set_text("earlier", "1")
    dialog.form.set_text("leave", "2")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert dialog.refusal.text() == "2 jobs cannot leave of 1 that came before."
