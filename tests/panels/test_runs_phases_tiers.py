"""Runs side by side, the timeline of phases, loads by tier: the tabs of the studies on a real fabric."""

import pytest
from pinning import restate, runs_of, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QLineEdit

from designer.drawing.theme import CURVE_COLOURS
from designer.model import operations
from designer.panels.simulation.panel import SimulationPanel
from designer.panels.studies.panel import StudiesPanel
from designer.panels.studies.plots import Plot
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized

PATIENCE_MS = 60_000


@pytest.fixture
def studies(qtbot, session, catalog, appearance):
    parameters = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    panel = StudiesPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1000, 360)
    panel.show()
    return panel


@pytest.fixture
def run(studies, session, qtbot):
    def go(**scenario):
        session.workbench.simulation.scenario = Scenario(**scenario)
        session.workbench.simulation.run()
        qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
        return session.workbench.simulation.current_result

    return go


def texts(table, row):
    return table.texts(row)


def click(qtbot, table, row):
    rect = table.rect_of(row)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def test_pinned_runs_stand_below_the_current_one_with_the_difference(studies, session, run, qtbot):
    runs = studies.runs
    studies.show_study(runs)
    assert runs.empty.isVisible()
    run(collective="all-reduce", size_bytes=2**20)
    runs.bar.buttons["Pin"].click()
    assert not runs.bar.buttons["Pin"].isEnabled()
    run(collective="all-reduce", size_bytes=2**20, routing="ecmp", latency=False)
    assert [texts(runs.table, row)[0] for row in (0, 1)] == [
        "Now: all-reduce, ring, ecmp",
        "1: all-reduce, ring, spray",
    ]
    assert texts(runs.table, 0)[7].endswith(" %") and texts(runs.table, 1)[7] == "baseline"
    click(qtbot, runs.table, 1)
    assert session.workbench.heat_view.pinned is session.workbench.pins.runs[0]
    assert runs.note.whole_text.startswith("The links show run 1.")
    assert runs.note.text().startswith("The links show"), "with all the room that the buttons leave"
    click(qtbot, runs.table, 0)
    assert session.workbench.heat_view.pinned is None


def test_the_selected_run_becomes_the_baseline_where_it_is_none_yet(studies, session, run, qtbot):
    runs = studies.runs
    studies.show_study(runs)
    button = runs.bar.buttons["Set as Baseline"]
    assert not button.isEnabled()
    for routing in ("spray", "ecmp"):
        run(collective="all-reduce", size_bytes=2**20, routing=routing)
        runs.bar.buttons["Pin"].click()
    first, second = session.workbench.pins.runs
    click(qtbot, runs.table, runs.table.rows.index(first))
    assert not button.isEnabled(), "it is the baseline"
    click(qtbot, runs.table, runs.table.rows.index(second))
    assert button.isEnabled()
    button.click()
    assert session.workbench.pins.baseline is second and not button.isEnabled()


def typed_into(qtbot, table, text):
    """Type the text into the field that is open in the table."""
    field = next(one for one in table.viewport().findChildren(QLineEdit) if one.isVisible())
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_pinned_run_is_renamed_in_the_table_and_stays_the_baseline_and_the_run_shown(studies, session, run, qtbot):
    runs, pins, view = studies.runs, session.workbench.pins, session.workbench.heat_view
    studies.show_study(runs)
    button = runs.bar.buttons["Rename"]
    run(collective="all-reduce")
    assert not button.isEnabled(), "the current run has no name of its own"
    pins.pin()
    click(qtbot, runs.table, 0)
    button.click()
    typed_into(qtbot, runs.table, " Two  spines ")
    qtbot.waitUntil(lambda: texts(runs.table, 0)[0] == "1: Two spines")
    assert pins.baseline is view.pinned is pins.runs[0] and view.heat.label == "Pinned run: Two spines"
    assert runs.results().values[0][:3] == [1, "Two spines", "all-reduce, ring"]
    qtbot.keyClick(runs.table, Qt.Key.Key_F2)
    typed_into(qtbot, runs.table, "")
    qtbot.waitUntil(lambda: texts(runs.table, 0)[0] == "1: all-reduce, ring, spray")


def test_the_current_run_cannot_be_renamed(studies, session, run, qtbot):
    runs = studies.runs
    studies.show_study(runs)
    run(collective="all-reduce")
    click(qtbot, runs.table, 0)
    qtbot.keyClick(runs.table, Qt.Key.Key_F2)
    assert runs.table.viewport().findChild(QLineEdit) is None


def test_another_collective_has_no_difference_to_the_baseline(studies, session, run):
    runs = studies.runs
    studies.show_study(runs)
    run(collective="all-reduce")
    first = session.workbench.pins.pin()
    run(collective="all-to-all")
    assert texts(runs.table, 0)[7] == "other traffic"
    assert session.workbench.pins.current.longer_than(first) is None


def test_a_run_of_an_earlier_design_says_so_and_can_be_forgotten(studies, session, run, qtbot):
    runs = studies.runs
    studies.show_study(runs)
    run(collective="all-reduce")
    session.workbench.pins.pin()
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert texts(runs.table, 0)[0].startswith("1, of an earlier design: ")
    click(qtbot, runs.table, 0)
    runs.bar.buttons["Unpin"].click()
    assert not runs.table.rows
    assert session.workbench.heat_view.heat is None


def test_the_note_counts_kept_runs_that_are_awaited_and_those_that_cannot_be_shown(
    studies, session, run, qtbot, tmp_path
):
    studies.show_study(studies.runs)
    for collective in ("all-reduce", "all-gather"):
        run(collective=collective)
        session.workbench.pins.pin()
    session.save(tmp_path / "pod.fabric")
    settle(session, qtbot)
    restate(session.path, run=[["no such setting", "1"]])
    session.open(session.path)
    assert studies.runs.note.whole_text == "Computing 2 pinned runs again…"
    assert len(runs_of(session, qtbot)) == 1
    assert studies.runs.note.whole_text.startswith("1 pinned run cannot be shown again.")


def test_colors_do_not_make_a_pinned_run_one_of_an_earlier_design(studies, session, run):
    studies.show_study(studies.runs)
    run(collective="all-reduce")
    pinned = session.workbench.pins.pin()
    session.workbench.heat_view.show_pinned(pinned)
    session.push(operations.set_settings(session.design, color_devices_by="rail"))
    assert session.design.revision > pinned.revision
    assert texts(studies.runs.table, 0)[0].startswith("1: ")
    assert session.workbench.heat_view.heat.label.startswith("Pinned run: ")


def test_the_buttons_of_the_runs_stay_in_a_narrow_panel(studies, session, run, qtbot):
    runs = studies.runs
    studies.show_study(runs)
    run(collective="all-reduce")
    session.workbench.heat_view.show_pinned(session.workbench.pins.pin())
    runs.note.set_text("Depends on assumed latencies: " * 10)
    runs.bar.setMinimumWidth(0)
    assert runs.bar.minimumSizeHint().width() < 500


def test_runs_are_handed_over_with_their_numbers(studies, session, run):
    run(collective="all-reduce")
    session.workbench.pins.pin()
    table = studies.runs.results()
    assert len(table.rows) == 1 and len(table.values[0]) == len(table.headings)
    assert table.values[0][:4] == [1, "", "all-reduce, ring", "spray"]


def test_phases_are_bars_and_the_playhead_colours_the_links(studies, session, run, qtbot):
    timeline = studies.timeline
    studies.show_study(timeline)
    assert timeline.empty.isVisible()
    run(collective="all-reduce", algorithm="hierarchical")
    assert [texts(timeline.table, row)[0] for row in range(3)] == [
        "reduce-scatter in the server",
        "all-reduce along the rails",
        "all-gather in the server",
    ]
    on_links_and_in_servers = [texts(timeline.table, row)[-2:] for row in range(3)]
    assert on_links_and_in_servers == [["0.0 %", "100.0 %"], ["100.0 %", "0.0 %"], ["0.0 %", "100.0 %"]]
    assert timeline.results().values[0][-2:] == [0.0, pytest.approx(1.0)]
    bars = timeline.bars
    middle = round((bars._edges[1] + bars._edges[2]) / 2)
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(middle, 25))
    assert session.workbench.heat_view.phase == 1
    assert session.workbench.heat_view.heat.busiest == pytest.approx(1.0)
    qtbot.keyClick(bars, Qt.Key.Key_Home)
    assert session.workbench.heat_view.phase == 0 and session.workbench.heat_view.heat.busiest == 0
    timeline.bar.buttons["Whole run"].click()
    assert session.workbench.heat_view.phase is None
    click(qtbot, timeline.table, 2)
    assert session.workbench.heat_view.phase == 2


def test_playing_goes_through_the_phases_and_stops_at_the_last(studies, session, run, qtbot):
    timeline = studies.timeline
    run(collective="all-reduce", algorithm="hierarchical")
    timeline._timer.setInterval(1)
    timeline.bar.buttons["Play"].click()
    assert timeline.bar.buttons["Play"].text() == "Stop"
    qtbot.waitUntil(lambda: timeline.bar.buttons["Play"].text() == "Play", timeout=PATIENCE_MS)
    assert session.workbench.heat_view.phase == 2


def test_short_phases_stay_wide_enough_to_be_hit(studies, session, run):
    run(collective="all-reduce", algorithm="halving-doubling", size_bytes=2**34)
    studies.show_study(studies.timeline)
    bars = studies.timeline.bars
    widths = [right - left for left, right in zip(bars._edges, bars._edges[1:], strict=False)]
    assert len(widths) == 10 and min(widths) >= 5
    assert bars._edges[-1] == pytest.approx(bars.width() - 12)


def test_tiers_are_worked_out_when_looked_at(studies, session, run, qtbot):
    tiers = studies.tiers
    run(collective="all-reduce")
    assert session.workbench.tiers.tiers is None
    studies.show_study(tiers)
    qtbot.waitUntil(lambda: session.workbench.tiers.tiers is not None, timeout=PATIENCE_MS)
    assert texts(tiers.table, 0)[:3] == ["server to leaf", "32", "100.0 %"]
    assert len(tiers.plot.widget.getPlotItem().listDataItems()) == 4
    tiers._choose("histogram")
    assert len(tiers.plot.widget.getPlotItem().listDataItems()) == 4
    assert tiers.results().values[0][1] == 32
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert tiers.empty.isVisible()


def test_the_panel_says_when_the_links_show_something_else(studies, session, run, appearance, qtbot):
    panel = SimulationPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(370, 900)
    panel.show()
    run(collective="all-reduce", algorithm="hierarchical")
    choice = panel.heat_choice
    assert not choice.note.isVisible()
    session.workbench.heat_view.show_phase(0)
    assert "phase 1 of 3" in choice.note.text()
    choice.back.click()
    assert session.workbench.heat_view.phase is None and not choice.note.isVisible()
    choice.pin.click()
    assert len(session.workbench.pins.runs) == 1 and not choice.pin.isEnabled()
    choice.measure.setCurrentIndex(2)
    choice.measure.activated.emit(2)
    assert session.workbench.heat_view.heat.measure == "bytes"


def scene_rect(item):
    return item.mapRectToScene(item.boundingRect())


def test_the_legend_stands_above_the_plot_in_the_rows_it_needs(qtbot, appearance):
    plot = Plot(appearance)
    qtbot.addWidget(plot)
    item = plot.make("size of the buffer", "busbw, GB/s").getPlotItem()
    pens = [QPen(QColor(colour)) for colour in CURVE_COLOURS]
    plot.show_legend([(pen, f"double-binary-tree, {number}") for number, pen in enumerate(pens)])
    plot.show()
    heights = []
    for width, left_out in ((700, 0), (260, 0)):
        plot.resize(width, 300)
        qtbot.waitUntil(lambda width=width: plot.widget.width() == width)
        qtbot.waitUntil(lambda: scene_rect(plot.legend).bottom() <= scene_rect(item.getViewBox()).top())
        assert scene_rect(plot.legend).right() <= width
        assert plot.legend.n_left_out == left_out
        heights.append(plot.legend.boundingRect().height())
    assert heights[0] < heights[1]
    plot.show_legend([(pen, f"{name}, routing {number}") for name in range(8) for number, pen in enumerate(pens)])
    assert plot.legend.n_left_out > 0
    assert plot.legend.boundingRect().height() < 150
    assert not plot.grab().toImage().isNull()
