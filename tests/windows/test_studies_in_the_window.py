"""Studies in the main window: opened by their commands, their files written where the user says."""

import pytest

from designer.session import kept_pins
from designer.topologies import fat_tree

pytestmark = pytest.mark.own_window

PATIENCE_MS = 60_000


@pytest.fixture
def fabric(window, catalog):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    window.session.push(fat_tree.build(window.session.design, parameters, catalog))
    return window.session


def test_the_curve_is_opened_run_and_saved(window, fabric, answers, tmp_path, qtbot):
    window.actions_table.trigger("study.curve")
    assert window.docks.shown("studies")
    study = window.docks.studies.curve
    study.run.click()
    qtbot.waitUntil(lambda: fabric.workbench.curves.state == "current", timeout=PATIENCE_MS)
    answers.on_save = [tmp_path / "curve.csv", None, tmp_path / "missing" / "curve.svg"]
    study.buttons["CSV…"].click()
    assert (tmp_path / "curve.csv").read_text().startswith("collective,algorithm")
    study.buttons["PNG…"].click()
    study.buttons["SVG…"].click()
    assert "was not written" in window.notice.text.text()


def test_each_study_has_its_command_and_colours_are_a_choice(window, fabric, qtbot):
    for name, study in (("study.runs", "runs"), ("study.timeline", "timeline"), ("study.tiers", "tiers")):
        window.actions_table.trigger(name)
        assert window.docks.studies.tabs.currentWidget() is getattr(window.docks.studies, study)
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    window.actions_table.trigger("study.pin")
    assert len(fabric.workbench.pins.runs) == 1
    window.actions_table.trigger("heat.bytes")
    assert window.actions_table["heat.bytes"].isChecked()
    assert window.views.canvas.fabric.heat.measure == "bytes"


@pytest.mark.parametrize(
    ("is_kept", "said"),
    [(True, "Pinned. Simulate > Compare Runs"), (False, "Run 1 is pinned until the design is closed")],
)
def test_pin_run_says_how_long_the_run_is_there(window, fabric, qtbot, monkeypatch, is_kept, said):
    monkeypatch.setattr(kept_pins, "can_be_kept", lambda _run: is_kept)
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    window.actions_table.trigger("study.pin")
    assert window.notice.text.text().startswith(said)


def test_the_panel_leads_from_a_result_to_its_studies(window, fabric, qtbot):
    window.docks.show("simulation")
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    for action_id, button in window.docks.simulation.study_buttons.items():
        button.click()
        assert window.docks.shown("studies")
        assert window.docks.studies.tabs.currentWidget() is getattr(
            window.docks.studies, action_id.removeprefix("study.")
        )


def test_in_a_lower_window_run_stays_in_sight(window, qtbot):
    window.resize(1440, 900)
    window.docks.show("studies")
    run = window.docks.studies.curve.run
    qtbot.waitUntil(lambda: run.isVisible() and run.visibleRegion().boundingRect() == run.rect())


def test_a_study_that_fits_the_window_is_not_scrolled_sideways(window, fabric, qtbot):
    window.resize(1280, 800)
    fabric.workbench.simulation.run()
    qtbot.waitUntil(lambda: fabric.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    window.docks.show("simulation")
    for name in ("study.timeline", "study.tiers", "study.runs", "job.show"):
        window.actions_table.trigger(name)
        study = window.docks.studies.tabs.currentWidget()
        qtbot.waitUntil(lambda study=study: study.visibleRegion().boundingRect().width() == study.width())


def test_the_view_menu_puts_the_studies_away_again(window, fabric, qtbot):
    window.docks.show("studies")
    qtbot.waitUntil(lambda: window.docks.studies.visibleRegion().boundingRect().height() > 100)
    assert window.docks.shown("studies") and not window.docks.shown("findings")
    window.docks.toggle("studies")
    assert not window.docks.shown("studies")
