"""The failures panel on a real session: sweeps in a worker, rows marked as failed, compared with the healthy run."""

import csv
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from designer.panels.simulation.failures import FailuresPanel
from designer.panels.simulation.simulation_summary import SimulationSummary
from designer.panels.widgets.cut_texts import AIR_PX
from designer.panels.widgets.fitting import Scrolled
from designer.regeneration import recipes
from designer.topologies.fat_tree import FatTreeParameters
from designer.topologies.rail_optimized import RailOptimizedParameters


@pytest.fixture
def panel(session, appearance, qtbot):
    family = recipes.family_named("fat-tree")
    parameters = FatTreeParameters(switch="generic-switch-6x400g", server="generic-host", servers=9)
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    panel = FailuresPanel(session, appearance)
    panel.resize(1300, 360)
    qtbot.addWidget(panel)
    panel.show()
    return panel


@pytest.fixture
def swept(panel, session, qtbot):
    panel.controls.show_kind("switch")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    return panel


def row_of(panel, start):
    return next(row for row in panel.table.rows if row.failed.name.startswith(start))


@pytest.mark.parametrize(("size_bytes", "hangs"), [(2**20, True), (2**36, False)])
def test_a_sweep_of_small_buffers_says_that_it_hangs_on_assumed_latencies(panel, session, qtbot, size_bytes, hangs):
    session.workbench.simulation.scenario = replace(session.workbench.simulation.scenario, size_bytes=size_bytes)
    panel.controls.show_kind("switch")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    assert panel.summary.text().endswith("; depends on assumed latencies") == hangs
    assert panel.summary.toolTip().startswith("Depends on assumed latencies (NIC 600 ns, ") == hangs


def test_it_teaches_while_there_is_nothing_then_lists_the_worst_first(panel, session, qtbot):
    assert panel.empty.isVisible()
    panel.controls.run.click()
    assert panel.controls.run.text() == "Cancel"
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    assert not panel.empty.isVisible() and panel.controls.run.text() == "Run"
    assert len(panel.table.rows) == len(session.design.links)
    cut_off = [row.slowdown is None for row in panel.table.rows]
    assert cut_off == sorted(cut_off, reverse=True) and sum(cut_off) == 9  # the link of each host
    slowdowns = [row.slowdown for row in panel.table.rows[9:]]
    assert slowdowns == sorted(slowdowns, reverse=True)
    assert "slowdown of the others: median" in panel.summary.text() and "99th percentile" in panel.summary.text()


def test_a_clicked_row_is_taken_as_failed_and_compared_with_the_healthy_run(swept, session, qtbot):
    spine = row_of(swept, "spine")
    gone = []
    swept.going.connect(gone.append)
    swept.take(spine)
    assert session.failed == spine.failed.ids and gone == [spine.failed.ids]
    qtbot.waitUntil(lambda: swept.compared.failure_impact is not None)
    failure_impact = swept.compared.failure_impact
    assert failure_impact.after.time_s == pytest.approx(spine.time_s)
    assert failure_impact.slowdown == pytest.approx(spine.slowdown) and failure_impact.lost_ranks == 0
    assert swept.compared.cells["Ranks", 2].text() == "none lost"
    assert swept.compared.isVisible()
    swept.compared.restore.click()
    assert session.failed == frozenset()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=60_000)
    assert swept.compared.failure_impact is None and not swept.compared.isVisible()


def test_rows_are_taken_by_mouse_and_by_enter(swept, session, qtbot):
    table = swept.table
    first, second = (table.model().index(row, 0) for row in (0, 1))
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(second).center())
    assert session.failed == swept.table.rows[1].failed.ids
    table.setCurrentIndex(first)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert session.failed == swept.table.rows[0].failed.ids
    qtbot.waitUntil(lambda: swept.compared.failure_impact is not None)


def test_ranks_behind_a_failed_leaf_are_left_out_of_the_run_too(swept, session, qtbot):
    leaf = row_of(swept, "leaf")
    swept.take(leaf)
    qtbot.waitUntil(lambda: swept.compared.failure_impact is not None)
    assert leaf.lost_ranks == 3
    assert (
        session.workbench.simulation.current_result.model.ranks_lost == 3
        and session.workbench.simulation.current_result.ranks == 6
    )
    assert session.workbench.simulation.current_result.time_s == pytest.approx(leaf.time_s)
    assert swept.compared.cells["Ranks", 2].text() == "3 lost"
    assert (
        len(session.workbench.simulation.result_scenario.ranks) == 6
    )  # what looks into the result goes by the ranks left


def test_random_failures_need_a_rate_and_say_so_in_place(panel, session, qtbot):
    panel.controls.show_way("monte-carlo")
    panel.run()
    assert panel.controls.state.text().startswith("Give a failure rate for at least one kind")
    panel.controls.rates["link"].setText("often")
    panel.run()
    assert "Links: 'often' is not a share: write it like" in panel.controls.state.text()
    panel.controls.rates["link"].setText("5 %")
    for samples, stated in (
        ("99999999999", "Samples: the number of samples should be 1 to 100,000, not 99,999,999,999."),
        ("0", "Samples: the number of samples should be 1 to 100,000, not 0."),
        ("many", "Samples: 'many' is not a whole number."),
    ):
        panel.controls.samples.setText(samples)
        panel.run()
        assert panel.controls.state.text() == stated and panel.controls.samples.property("refused")
    panel.controls.samples.setText("30")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    assert session.workbench.failures.sweep.n_tried == 30 and panel.summary.text().count("30 tried") == 1
    assert session.workbench.failures.request.rates == (("link", 0.05),)


def test_the_table_is_sorted_by_a_click_and_goes_out_as_csv(swept, session, tmp_path):
    swept.table.sortByColumn(3, swept.table.header().sortIndicatorOrder().DescendingOrder)
    first = swept.table.model().index(0, 3).data()
    assert first == "3"
    wanted = []
    swept.saving.connect(lambda title, suffix, write: wanted.append((title, suffix, write)))
    swept.buttons["CSV…"].click()
    ((title, suffix, write),) = wanted
    assert (title, suffix) == ("Failures as CSV", ".csv")
    write(tmp_path / "failures.csv")
    with (tmp_path / "failures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["failed"] for row in rows] == [row.failed.name for row in session.workbench.failures.sweep.outcomes]
    assert rows[0]["slowdown"] == "" and rows[0]["ranks lost"] == "3"
    assert float(rows[-1]["slowdown"]) == pytest.approx(session.workbench.failures.sweep.outcomes[-1].slowdown)


def test_an_edit_makes_the_sweep_stale_and_another_design_takes_it_away(swept, session, qtbot):
    from designer.model import operations

    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert session.workbench.failures.state == "stale"
    assert "Out of date" in swept.controls.state.text() and not swept.table.isEnabled()
    session.new()
    assert session.workbench.failures.sweep is None and swept.empty.isVisible()


@pytest.mark.parametrize("height", [190, 230, 600])
@pytest.mark.parametrize("way", ["single", "monte-carlo"])
def test_run_stands_right_below_the_form_and_is_in_sight_whatever_stands_beside(swept, session, qtbot, height, way):
    leaf = row_of(swept, "leaf")
    swept.take(leaf)
    qtbot.waitUntil(lambda: swept.compared.failure_impact is not None)
    swept.controls.show_way(way)
    dock = Scrolled(swept)  # as in the window
    qtbot.addWidget(dock)
    dock.resize(1100, height)
    dock.show()
    assert swept.compared.isVisible() and not dock.verticalScrollBar().isVisible()
    run, controls = swept.controls.run, swept.controls
    top = run.mapTo(controls, run.rect().topLeft()).y()
    assert top + run.height() <= controls.height() <= height
    last = controls.kind if way == "single" else controls.samples
    under = last.mapTo(controls, last.rect().bottomLeft()).y()
    assert under < top and (way != "single" or top - under <= 24)
    controls.say("Computed in 2 s. Click a row to mark it as failed.")
    assert run.mapTo(controls, run.rect().topLeft()).y() == top or height < 200
    dock.takeWidget()


def test_a_running_sweep_can_be_cancelled(panel, session, qtbot):
    panel.run()
    panel.controls.run.click()
    assert session.workbench.failures.state == "idle" and panel.controls.run.text() == "Run"


def test_lost_ranks_have_no_slowdown_in_the_table_nor_beside_the_healthy_run(swept, session, qtbot):
    leaf = row_of(swept, "leaf")
    assert swept.table.rows[0] is leaf and swept.table.texts(0)[1] == "–"
    assert "3 lose ranks, 3 ranks at most; slowdown of the others: median" in swept.summary.text()
    swept.take(leaf)
    qtbot.waitUntil(lambda: swept.compared.failure_impact is not None)
    assert (swept.compared.cells["Time", 2].text(), swept.compared.cells["busbw, GB/s", 2].text()) == ("–", "–")
    assert swept.compared.stated.text().startswith("3 of 9 ranks are lost.") and swept.compared.stated.isVisible()


def test_pairs_are_below_each_other_and_both_can_be_read(panel, session, qtbot):
    panel.controls.show_way("pairs")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    first = panel.table.rows[0].failed
    assert panel.table.texts(0)[0] == "\n".join(first.parts)
    metrics = panel.table.fontMetrics()
    assert panel.table.columnWidth(0) > max(metrics.horizontalAdvance(part) for part in first.parts)
    assert panel.table.rect_of(0).height() >= 2 * metrics.lineSpacing() + AIR_PX


def test_while_another_sweep_runs_the_stale_one_stays_grey_and_keeps_its_name(swept, session, qtbot):
    from designer.model import operations

    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    title = swept.summary.text()
    session.set_failed(frozenset([next(iter(session.design.switches())).id]))
    swept.run()
    assert session.workbench.failures.state == "running" and not swept.table.isEnabled()
    assert swept.summary.text() == title and session.workbench.failures.base == frozenset()
    session.workbench.failures.cancel()
    assert session.workbench.failures.state == "stale" and not swept.table.isEnabled()


def test_a_kind_the_design_has_none_of_is_said_in_place(panel, session, qtbot):
    panel.controls.show_kind("plane")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "failed", timeout=60_000)
    assert "no planes in this design" in panel.controls.state.text()


def test_what_is_drawn_together_is_told_on_two_lines_with_a_count(panel, session, qtbot):
    panel.controls.show_way("monte-carlo")
    panel.controls.rates["switch"].setText("100 %")
    panel.controls.samples.setText("7")
    panel.run()
    qtbot.waitUntil(lambda: session.workbench.failures.state == "current", timeout=60_000)
    first, second = panel.table.texts(0)[0].split("\n")
    assert first == "7 × leaf-01" and second == "leaf-02 and 4 more"
    assert panel.table.texts(0)[1] == "stuck" and panel.table.texts(0)[3] == "9"
    assert "leaf-03" in panel.table.index_of(0).data(Qt.ItemDataRole.ToolTipRole)


def test_without_a_sweep_the_last_healthy_run_is_compared_with(panel, session, qtbot):
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=60_000)
    assert not panel.compared.isVisible()
    spine = next(switch.id for switch in session.design.switches() if switch.role == "spine")
    session.mark_as_failed(frozenset([spine]), "Fail spine")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: panel.compared.failure_impact is not None)

    assert panel.compared.isVisible() and panel.empty.isVisible()
    assert panel.compared.failure_impact.before is session.workbench.simulation.healthy
    panel.compared.restore.click()
    assert session.failed == frozenset()


def test_the_healthy_run_is_computed_when_it_is_asked_for(panel, session, appearance, qtbot):
    summary = SimulationSummary(session)
    qtbot.addWidget(summary)
    spine = next(switch.id for switch in session.design.switches() if switch.role == "spine")
    session.mark_as_failed(frozenset([spine]), "Fail spine")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=60_000)
    assert session.workbench.simulation.healthy is None and "Compare" in summary.compare_runs.text()
    with qtbot.waitSignal(summary.compare_wanted):
        summary.compare_runs.linkActivated.emit("compare")
    qtbot.waitUntil(lambda: panel.compared.failure_impact is not None, timeout=60_000)

    assert panel.compared.failure_impact.before.graph.failed == frozenset()
    assert session.failed == {spine} and session.workbench.simulation.state == "current"


def test_the_servers_that_suffer_are_named_and_selected(session, appearance, qtbot):
    family = recipes.family_named("rail-optimized")
    parameters = RailOptimizedParameters(switch="nvidia-qm9700", server="dgx-h100", servers=6, servers_per_su=3)
    session.push(recipes.generated(session.design, family, parameters, session.catalog))
    panel = FailuresPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1300, 360)
    panel.show()
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=60_000)
    leaf = next(switch.id for switch in session.design.switches() if switch.role == "leaf")
    session.mark_as_failed(frozenset([leaf]), "Fail leaf")
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: panel.compared.failure_impact is not None, timeout=60_000)

    assert panel.compared.affected.text().startswith("3 GPUs in 3 servers lost the link of their NIC")
    assert panel.compared.hot_title.text() == "No other link became hot or saturated."
    assert "2 flows share" in panel.compared.held_back.text()
    gone = []
    panel.going.connect(gone.append)
    panel.compared.affected.linkActivated.emit("servers")
    assert gone == [frozenset(panel.compared.failure_impact.affected_servers.servers)] and len(gone[0]) == 3
