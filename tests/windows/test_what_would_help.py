"""What Would Help?: changes that were run, previewed on the links, and made with a click that can be taken back."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from designer.drawing.load_legend import legend_of
from designer.model.edit import Edit, removed
from designer.session import advice as advice_module
from designer.simulation.designs import simulate_design
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree
from designer.units import format_time

PATIENCE_MS = 60_000
EXAMPLES = Path(__file__).parents[2] / "examples"


def wait_for_run(session, qtbot):
    simulation = session.workbench.simulation
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    return simulation.current_result


@pytest.fixture
def session(window, catalog, qtbot):
    """16 hosts over 8-port switches; flows collide under ECMP, and every other uplink is not there yet."""
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session = window.session
    session.push(fat_tree.build(session.design, parameters, catalog))
    design = session.design
    uplinks = [one for one in design.links.values() if all(map(design.is_switch, (one.a.device_id, one.b.device_id)))]
    session.push(Edit("Fewer uplinks", removed(uplinks[::2])))
    session.workbench.simulation.scenario = Scenario(collective="all-to-all", routing="ecmp", size_bytes=2**26)
    session.workbench.simulation.run()
    wait_for_run(session, qtbot)
    return session


@pytest.fixture
def job(window, session, qtbot):
    window.actions_table.trigger("simulate.advise")
    job = session.workbench.advice
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    return job


def tip_of(job, words):
    return next(tip for tip in job.helpful if words in tip.title)


def take(window, tip):
    panel = window.docks.simulation.advice
    click(panel, tip)
    assert panel.try_it.isEnabled() and panel._chosen is tip
    panel.try_it.click()


def place_of(panel, tip):
    table = panel.table
    return table.visualRect(table.model().index(table.rows.index(tip), 0)).center()


def click(panel, tip, keys=Qt.KeyboardModifier.NoModifier):
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, keys, place_of(panel, tip))


def test_what_helps_is_listed_by_gain_each_as_a_plain_run_of_it_says(window, session, job):
    before = session.workbench.simulation.current_result
    panel = window.docks.simulation.advice
    assert panel.table.rows == job.helpful and len(job.helpful) >= 2
    assert [tip.gain for tip in job.helpful] == sorted((tip.gain for tip in job.helpful), reverse=True)
    for tip in job.helpful:
        design = session.design.snapshot()
        if tip.edit is not None:
            design.apply(tip.edit)
        after = simulate_design(design, replace(tip.scenario, failed=tuple(sorted(tip.failed))))
        assert tip.gain == pytest.approx(1 - after.time_s / before.time_s)
    assert "changes that were tried would help" in panel.summary.text()


def test_another_routing_is_taken_over_and_taken_back(window, session, job, qtbot):
    tip = tip_of(job, "Spray")
    before = session.workbench.simulation.current_result.time_s
    take(window, tip)
    result = wait_for_run(session, qtbot)
    assert session.workbench.simulation.scenario.routing == "spray"
    assert result.time_s == pytest.approx(before * (1 - tip.gain))
    panel = window.docks.simulation.advice
    assert not panel.go_back.isHidden() and tip.sentence in panel.taken.text()
    panel.go_back.click()
    assert wait_for_run(session, qtbot).time_s == pytest.approx(before)
    assert session.workbench.simulation.scenario.routing == "ecmp" and panel.go_back.isHidden()


def test_uplinks_are_one_edit_that_undo_takes_back(window, session, job, qtbot):
    tip = tip_of(job, "One more link")
    links, before = len(session.design.links), session.workbench.simulation.current_result.time_s
    take(window, tip)
    result = wait_for_run(session, qtbot)
    assert len(session.design.links) == links + len(tip.edit.changes)
    assert not session.selection, "what is selected would hide the new loads"
    assert tip.adds == f"{len(tip.edit.changes)} links" and tip.adds in window.notice.text.text()
    assert result.time_s == pytest.approx(before * (1 - tip.gain), rel=1e-3)
    panel = window.docks.simulation.advice
    stated = f"Tried: {tip.sentence}."
    assert panel.taken.text() == stated and not panel.taken.isHidden()
    session.undo_stack.undo()
    assert len(session.design.links) == links
    assert panel.taken.isHidden(), "it is not so any more"
    session.workbench.simulation.run()
    wait_for_run(session, qtbot)
    assert panel.taken.isHidden()
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert tip_of(job, "One more link").gain_text == tip.gain_text and not panel.try_it.isHidden()
    session.undo_stack.redo()
    assert not panel.taken.isHidden() and panel.taken.text() == stated
    spine = next(one.id for one in session.design.switches() if one.role == "spine")
    session.mark_as_failed(frozenset({spine}), "Fail")
    assert not panel.taken.isHidden(), "another failure takes nothing of it back"


def test_a_repair_is_a_step_to_undo(window, session, qtbot):
    spine = next(one for one in session.design.switches() if one.role == "spine")
    session.mark_as_failed(frozenset((spine.id,)), "Fail spine")
    session.workbench.simulation.run()
    wait_for_run(session, qtbot)
    job = session.workbench.advice
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    take(window, tip_of(job, "repaired"))
    assert session.failed == frozenset()
    panel = window.docks.simulation.advice
    assert not panel.taken.isHidden()
    session.undo_stack.undo()
    assert session.failed == {spine.id} and panel.taken.isHidden()
    session.undo_stack.redo()
    assert not session.failed and not panel.taken.isHidden()


def settled_place(table, window):
    """Where the table stands once the layouts that wait for it are made."""
    QApplication.processEvents()
    return table.mapTo(window, table.rect().topLeft())


def test_a_row_under_the_pointer_is_previewed_until_it_leaves(window, session, job):
    panel, view = window.docks.simulation.advice, session.workbench.heat_view
    own = view.heat
    at = settled_place(panel.table, window)
    panel._enter(panel.table.model().index(0, 0))
    assert settled_place(panel.table, window) == at, "no row moves away under the pointer"
    assert view.heat is job.helpful[0].heat and view.shows_preview and not view.of_current
    assert view.heat.label == f"Preview: {job.helpful[0].title}"
    assert window.views.canvas.fabric.heat is view.heat
    now = session.workbench.simulation.current_result.time_s
    both = f"{format_time(now)} now, {format_time(now * (1 - job.helpful[0].gain))} with this"
    assert legend_of(view.heat).outcome == (both,)
    assert panel.previewed.text() == f"Preview: {job.helpful[0].title}; {both}." and not panel.previewed.isHidden()
    summary = window.docks.simulation.summary
    assert (summary.figures["Time"].text(), summary.units["Time"].text()) == (format_time(now), "now")
    QApplication.sendEvent(panel.table.viewport(), QEvent(QEvent.Type.Leave))
    assert view.heat is own and not view.shows_preview
    assert panel.previewed.isHidden() and not summary.units["Time"].text()
    assert settled_place(panel.table, window) == at, "nor back"


def test_a_chosen_row_keeps_its_preview_and_a_run_ends_it(window, session, job, qtbot):
    panel, view = window.docks.simulation.advice, session.workbench.heat_view
    click(panel, job.helpful[0])
    QApplication.sendEvent(panel.table.viewport(), QEvent(QEvent.Type.Leave))
    assert view.shows_preview
    session.workbench.simulation.scenario = Scenario(collective="all-reduce")
    assert not view.shows_preview and job.state == "idle" and job.tips == ()
    assert not panel.table.isVisible() and not panel.try_it.isEnabled()


def test_a_double_click_keeps_the_preview_and_a_click_on_its_row_ends_it(window, session, job):
    panel, view, tip = window.docks.simulation.advice, session.workbench.heat_view, job.helpful[0]
    own = view.heat
    assert not panel.end.isEnabled() and not panel.end.isHidden()
    panel._enter(panel.table.model().index(0, 0))
    assert view.shows_preview and not panel.end.isEnabled(), "the pointer has only to leave"
    QTest.mouseDClick(
        panel.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place_of(panel, tip)
    )
    assert view.shows_preview and panel.end.isEnabled()
    for keys in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        click(panel, tip, keys)
        ended(panel, view, own)
        click(panel, tip)
        assert view.heat is tip.heat and panel.try_it.isEnabled()
    other = job.helpful[1]
    click(panel, other)
    assert view.heat is other.heat and panel._chosen is other


def ended(panel, view, own):
    """Links show what they carry, nothing is selected, and the pointer leaving the list brings nothing back."""
    QApplication.sendEvent(panel.table.viewport(), QEvent(QEvent.Type.Leave))
    assert view.heat is own and not view.shows_preview
    assert not panel.table.selectedIndexes() and not panel.try_it.isEnabled() and not panel.end.isEnabled()


def test_a_preview_ends_by_esc_a_button_a_click_elsewhere_and_in_a_presentation(window, session, job):
    panel, view, tip = window.docks.simulation.advice, session.workbench.heat_view, job.helpful[0]
    own, canvas, left = view.heat, window.views.canvas, Qt.MouseButton.LeftButton
    device = canvas.box_px(next(iter(session.design.devices))).center().toPoint()
    ways = (
        lambda: QTest.keyClick(panel.table, Qt.Key.Key_Escape),
        lambda: QTest.keyClick(canvas, Qt.Key.Key_Escape),
        panel.end.click,
        lambda: QTest.mouseClick(canvas, left, pos=device),
        lambda: QTest.mouseClick(canvas, left, pos=QPoint(canvas.width() // 2, 3)),
        lambda: click_below_rows(panel.table),
        lambda: window.actions_table.trigger("view.presentation"),
    )
    for end in ways:
        click(panel, tip)
        assert view.heat is tip.heat
        end()
        ended(panel, view, own)


def click_below_rows(table):
    table.setFixedHeight(table.height() + 40)
    QApplication.processEvents()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(9, table.viewport().height() - 3))


def test_panning_keeps_the_preview(window, session, job):
    view, canvas, tip = session.workbench.heat_view, window.views.canvas, job.helpful[0]
    click(window.docks.simulation.advice, tip)
    middle = canvas.rect().center()
    QTest.mousePress(canvas, Qt.MouseButton.MiddleButton, pos=middle)
    QTest.mouseMove(canvas, middle + QPoint(40, 0))
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, pos=middle + QPoint(40, 0))
    assert view.shows_preview


def test_known_tips_are_not_computed_again_and_go_with_their_result(session, job, qtbot):
    tips = job.tips
    job.run()
    assert job.tips is tips and job.state == "done"
    session.undo_stack.undo()
    assert job.state == "idle" and job.tips == ()


def test_trying_can_be_cancelled_and_what_was_found_stays(window, session, qtbot):
    job, panel = session.workbench.advice, window.docks.simulation.advice
    panel.ask.click()
    assert job.state == "running" and not panel.cancel.isHidden() and panel.ask.isHidden()
    qtbot.waitUntil(lambda: len(job.tips) >= 1, timeout=PATIENCE_MS)
    total = len(job.tips) + 1 + len(job._left)
    panel.cancel.click()
    assert job.state == "done" and job.waiting > 0
    assert "more were not tried" in panel.summary.text()
    job.waiting = 1
    assert job.summary.endswith(". 1 more was not tried")
    job.waiting, found = 2, job.tips
    assert not panel.rest.isHidden()
    panel.rest.click()
    assert job.state == "running" and job.tips == found
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    titles = [tip.title for tip in job.tips]
    assert job.waiting == 0 and panel.rest.isHidden() and len(set(titles)) == len(titles)
    assert len(titles) == total, "that which was cancelled is tried as well"


def test_nothing_is_concluded_while_changes_wait(session, qtbot, monkeypatch):
    monkeypatch.setattr(advice_module, "BUDGET_S", -1.0)
    simulation, job = session.workbench.simulation, session.workbench.advice
    simulation.scenario = Scenario(traffic="incast:12", size_bytes=2**20)
    simulation.run()
    wait_for_run(session, qtbot)
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert job.summary.startswith("The change that was tried would not help by more than 1 %. Tried: ")
    assert "sets the pace" not in job.summary
    job.try_rest()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert "sets the pace" in job.summary and job.waiting == 0


def test_an_incast_is_limited_by_the_link_of_its_receiver_and_the_panel_says_so(window, session, qtbot):
    session.workbench.simulation.scenario = Scenario(traffic="incast:12", size_bytes=2**20)
    session.workbench.simulation.run()
    wait_for_run(session, qtbot)
    window.actions_table.trigger("simulate.advise")
    job = session.workbench.advice
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    (link,) = {one.link_id for one in session.workbench.simulation.current_result.bottlenecks}
    ends = session.design.links[link]
    receiver = next(one.device_id for one in (ends.a, ends.b) if session.design.is_server(one.device_id))
    name = session.design.device(receiver).name
    assert job.summary.startswith(
        f"Nothing tried would help by more than 1 %: the 400 Gb/s link of {name}, its only one, sets the pace, "
        "and no change of the fabric helps. Tried: "
    )


def test_an_incast_is_spread_over_the_gpus_of_its_server_by_one_click_and_back(window, qtbot):
    session = window.session
    session.open(EXAMPLES / "fat-tree-16-2to1.fabric")
    session.workbench.simulation.scenario = incast = Scenario(traffic="incast:8", size_bytes=2**24)
    session.workbench.simulation.run()
    before, job = wait_for_run(session, qtbot).time_s, session.workbench.advice
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    tip = tip_of(job, "Incast spread over the 8 GPUs of gpu-01")
    take(window, tip)
    assert wait_for_run(session, qtbot).time_s == pytest.approx(before * (1 - tip.gain))
    assert session.workbench.simulation.scenario == replace(incast, traffic="server-incast:8")
    window.docks.simulation.advice.go_back.click()
    assert wait_for_run(session, qtbot).time_s == pytest.approx(before)
    assert session.workbench.simulation.scenario == incast


def test_nothing_is_begun_after_the_budget(session, qtbot, monkeypatch):
    monkeypatch.setattr(advice_module, "BUDGET_S", -1.0)
    job = session.workbench.advice
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert len(job.tips) == 1 and job.waiting > 3


def test_it_is_offered_for_a_current_result_alone(window, session):
    row = window.actions_table.rows["simulate.advise"]
    assert row.enabled(window.desk)
    session.workbench.simulation.scenario = Scenario(collective="all-reduce")
    assert not row.enabled(window.desk)
    assert not window.docks.simulation.advice.ask.isEnabled()


def test_the_oversubscription_of_a_generated_fabric_is_tried_in_the_window_too(window, qtbot):
    session = window.session
    session.open(EXAMPLES / "fat-tree-16-2to1.fabric")
    session.workbench.simulation.scenario = Scenario(collective="all-to-all", size_bytes=2**26)
    session.workbench.simulation.run()
    wait_for_run(session, qtbot)
    job = session.workbench.advice
    job.run()
    qtbot.waitUntil(lambda: job.state == "done", timeout=PATIENCE_MS)
    assert tip_of(job, "1:1 instead of 2:1").gain > 0.2


def test_no_preview_outlives_the_result_it_is_beside(session):
    view, simulation = session.workbench.heat_view, session.workbench.simulation
    view.show_preview(simulation.heat)
    simulation.scenario = Scenario(collective="all-reduce")
    assert not view.shows_preview and view.heat is None
