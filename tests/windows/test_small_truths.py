"""Small things the window must not say wrongly: what was used, what the links show, what there is to simulate."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from designer.topologies import fat_tree

pytestmark = pytest.mark.own_window

PATIENCE_MS = 60_000


@pytest.fixture
def session(window, catalog):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none"
    )
    window.session.push(fat_tree.build(window.session.design, parameters, catalog))
    return window.session


def test_undoing_a_deletion_is_no_use_of_a_type(window, session):
    switch = session.design.switches()[0]
    session.select([switch.id])
    window.actions_table.trigger("edit.delete")
    window.actions_table.trigger("edit.undo")
    assert switch.id in session.design.devices
    assert window.preferences.recent_types == []


def test_live_waits_on_a_design_that_is_emptied(window, session, qtbot):
    window.actions_table.trigger("simulate.live")
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    session.select(session.design.devices)
    window.actions_table.trigger("edit.delete")
    assert session.workbench.simulation.state == "stale" and session.workbench.simulation.live
    assert window.docks.simulation.controls.state.text() == "Nothing to simulate: no links are drawn."
    window.actions_table.trigger("edit.undo")
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)


def test_the_simulation_panel_says_when_the_links_show_jobs(window, session, qtbot):
    window.docks.show("simulation")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    session.workbench.placed_jobs.add([server.id for server in session.design.servers()][:4])
    session.workbench.placed_jobs.run()
    qtbot.waitUntil(lambda: session.workbench.placed_jobs.state == "current", timeout=PATIENCE_MS)
    reported = window.docks.simulation.heat_choice.note
    assert reported.isVisible() and "figures below" in reported.text()
    assert reported.text().startswith("Link colors show jobs run together: job 1.")
    window.docks.simulation.heat_choice.back.click()
    assert not reported.isVisible()


def test_grid_and_snapping_are_switched_in_the_view_menu_and_remembered(window, make_window):
    for action in ("grid.show", "grid.snap", "grid.neighbours", "grid.spacing_96"):
        window.actions_table.trigger(action)
    chosen = window.session.drafting.now
    assert (chosen.grid_shown, chosen.to_grid, chosen.to_neighbours, chosen.spacing) == (False, True, False, 96)
    assert window.actions_table["grid.snap"].isChecked() and not window.actions_table["grid.show"].isChecked()
    assert window.preferences.text("canvas/drafting")
    window.preferences.flush()
    assert make_window().session.drafting.now == chosen


@pytest.mark.parametrize("name", ["merge", "settings", "generate"])
def test_after_a_dialog_the_keyboard_is_on_the_canvas_or_in_the_list_that_had_it(window, name):
    palette, canvas = window.docks.palette, window.views.canvas
    for held, after in ((palette.search, canvas), (window.findChild(QTabBar), canvas), (palette.tree, palette.tree)):
        held.setFocus()
        window.dialogs.show(name)
        window.dialogs[name].close()
        assert window.focusWidget() is after


def test_a_click_on_a_bar_leaves_the_keyboard_on_the_canvas(window, qtbot):
    window.views.canvas.setFocus()
    bar = window.recovery
    assert bar.later_button.focusPolicy() is Qt.FocusPolicy.TabFocus
    bar.show()
    qtbot.mouseClick(bar.later_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible() and window.focusWidget() is window.views.canvas
