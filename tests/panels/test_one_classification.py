"""A load is of one class wherever it is shown; means are called means; what a first result needs stands next to it."""

from html import escape

import numpy as np
import pytest
from PySide6.QtGui import QColor

from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.cli.simulate_text import report
from designer.drawing.display_list import (
    CONGESTED_CLASS,
    FULL_AT_TIMES_CLASS,
    FULL_BY_DESIGN,
    class_of,
    classes_of,
    colour_of_class,
    width_of_class,
)
from designer.drawing.heat import (
    CONGESTED,
    FULL_AT_TIMES,
    HOT_FROM,
    SATURATED,
    Heat,
    are_hot,
    bucket_colours,
    hex_of,
)
from designer.drawing.load_legend import legend_of
from designer.drawing.theme import LIGHT, rgb
from designer.panels.simulation import hot_links
from designer.panels.simulation.heat_choice import HeatChoice
from designer.panels.simulation.hot_links import HotLinks
from designer.panels.simulation.simulation_summary import SimulationSummary
from designer.panels.studies.histogram import BINS, LoadHistogram, classed, count_ticks, counted
from designer.panels.studies.study_tiers import TierStudy
from designer.panels.studies.study_timeline import TimelineStudy
from designer.panels.widgets.appearance import DARK_CHROME, LIGHT_CHROME
from designer.panels.widgets.cut_texts import ENDS
from designer.panels.widgets.labels import linked_label
from designer.simulation import phase_results
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree, rail_optimized

PATIENCE_MS = 60_000


@pytest.fixture
def go(session, qtbot):
    def go(**scenario):
        session.workbench.simulation.scenario = Scenario(**scenario)
        session.workbench.simulation.run()
        qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
        return session.workbench.simulation.current_result

    return go


@pytest.fixture
def run(session, catalog, go):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=8, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    return go


def test_the_histogram_has_the_colours_of_the_drawing(run, session, qtbot, appearance):
    shown = LoadHistogram(session, appearance)
    qtbot.addWidget(shown)
    run(collective="all-reduce")
    classes, counts = np.unique(classes_of(session.workbench.simulation.heat.drawn.busier), return_counts=True)
    drawn = dict(zip(classes.tolist(), counts.tolist(), strict=True))
    assert drawn[FULL_BY_DESIGN] == 8 and CONGESTED_CLASS not in drawn
    last = {colour: count for number, colour, count in shown.pieces if number == BINS - 1 and count}
    assert last == {FULL_BY_DESIGN: 8}
    assert sum(count for *_, count in shown.pieces) == len(session.design.links)
    both = classed(np.array([CONGESTED, 1.0, 1.0, 0.97, 0.02]))
    assert both[-3:] == [
        (BINS - 1, FULL_AT_TIMES_CLASS, 0),
        (BINS - 1, FULL_BY_DESIGN, 2),
        (BINS - 1, CONGESTED_CLASS, 1),
    ]
    assert [count for *_, count in both[:BINS]] == [1, *[0] * (BINS - 2), 1]


def test_the_histogram_writes_the_greatest_count_and_all_percents_beside_the_titles_of_its_axes(
    session, appearance, qtbot
):
    shown = LoadHistogram(session, appearance)
    qtbot.addWidget(shown)
    shown.resize(330, 150)
    shown._show(Heat(0, {f"l{number}": (1.0, 0.0) for number in range(12_345)}, congested={}))
    left, bottom = (shown._plot.getAxis(side) for side in ("left", "bottom"))
    assert left._tickLevels == [[(0, "0"), (5000, "5,000"), (12345, "12,345")]]
    room = left.fixedWidth - left.label.boundingRect().height()
    assert room > shown.fontMetrics().horizontalAdvance("12,345")
    assert bottom._tickLevels[0][-1] == (100, "100") and shown._plot.viewRange()[0][1] > 105


@pytest.mark.parametrize(("most", "ticks"), [(1, [0, 1]), (7, [0, 2, 4, 7]), (131_072, [0, 50_000, 100_000, 131_072])])
def test_counts_at_an_axis_are_round_up_to_the_greatest(most, ticks):
    assert count_ticks(most) == ticks


def test_links_full_at_times_are_at_their_peak_in_the_histogram_and_off_the_scale_everywhere(
    session, catalog, go, qtbot, appearance
):
    """Of 2:1, all NICs are full at some moment: no bar stands at their mean, in no color of a load of the middle."""
    parameters = rail_optimized.RailOptimizedParameters(servers=8, servers_per_su=4, oversubscription=2)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    shown = LoadHistogram(session, appearance)
    qtbot.addWidget(shown)
    go(traffic="all-to-all", size_bytes=1e6)
    heat = session.workbench.simulation.heat
    n = heat.n_full_at_times
    assert n > 0 and (BINS - 1, FULL_AT_TIMES_CLASS, n) in shown.pieces
    assert sum(count for number, _, count in shown.pieces if number == BINS - 1) == shown.counts[-1]
    peaks = heat.loads.busier
    assert [sum(count for number, _, count in shown.pieces if number == one) for one in range(BINS)] == counted(peaks)
    at_times = heat.drawn.busier == FULL_AT_TIMES
    assert (peaks[at_times] >= SATURATED).all() and not are_hot(heat.drawn.busier[at_times]).any()
    assert set(classes_of(heat.drawn.busier[at_times])) == {class_of(FULL_AT_TIMES)} == {FULL_AT_TIMES_CLASS}
    colour = colour_of_class(FULL_AT_TIMES_CLASS, LIGHT)
    assert colour not in {hex_of(one) for one in bucket_colours(LIGHT)}
    assert width_of_class(FULL_AT_TIMES_CLASS, 1.0) < width_of_class(HOT_FROM, 1.0)
    keys = {key.text: key.number for key in legend_of(heat).keys}
    assert keys["full at times"] == FULL_AT_TIMES_CLASS


def test_phases_and_means_and_jobs_class_their_links_like_the_run(run, session, qtbot, appearance):
    study = TimelineStudy(session, appearance)
    qtbot.addWidget(study)
    run(collective="all-reduce", latency=False)
    view = session.workbench.heat_view
    assert (session.workbench.heat_view.heat.saturated, session.workbench.heat_view.heat.n_congested) == (8, 0)
    assert study.bars._loads == [1.0]  # full by design, as the links are
    view.show_phase(0)
    assert (session.workbench.heat_view.heat.saturated, session.workbench.heat_view.heat.n_congested) == (8, 0)
    view.show_measure("mean")
    assert (session.workbench.heat_view.heat.saturated, session.workbench.heat_view.heat.n_congested) == (8, 0)
    session.workbench.placed_jobs.add([server.id for server in session.design.servers()])
    session.workbench.placed_jobs.run()
    qtbot.waitUntil(lambda: session.workbench.placed_jobs.state == "current", timeout=PATIENCE_MS)
    assert view.shows_jobs and legend_of(session.workbench.heat_view.heat).note == "8 full by design"
    has_idle = session.workbench.heat_view.heat.n_idle > 0
    shown = [key.text for key in legend_of(session.workbench.heat_view.heat).keys]
    assert shown == [*(["idle"] if has_idle else []), "full by design"]


def test_jobs_that_share_links_have_them_congested(run, session, qtbot):
    run(collective="all-reduce", latency=False)
    servers = [server.id for server in session.design.servers()]
    for own in (servers, servers):
        session.workbench.placed_jobs.add(own)
    session.workbench.placed_jobs.run()
    qtbot.waitUntil(lambda: session.workbench.placed_jobs.state == "current", timeout=PATIENCE_MS)
    assert session.workbench.heat_view.heat.n_congested == session.workbench.heat_view.heat.saturated == 8


def headings(table):
    return [column.title for column in table.shown.columns]


def test_where_only_means_are_known_selector_and_table_say_so(run, session, qtbot, appearance, monkeypatch):
    choice, table = HeatChoice(session), HotLinks(session, appearance)
    qtbot.addWidget(choice)
    qtbot.addWidget(table)
    run(collective="all-to-all", routing="ecmp")
    assert choice.measure.value == "peak"
    assert headings(table.table) == ["Link, in its busier direction", "Peak", "Mean"]
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 10)
    run(collective="all-to-all", routing="ecmp", seed=1)
    assert not session.workbench.simulation.current_result.are_peaks_known
    assert choice.measure.value == session.workbench.heat_view.measure == "mean"
    assert choice.measure.currentText() == "Mean utilization over the run"
    assert choice.measure.itemText(0) == "Peak utilization (not known: too many flows to follow one by one)"
    assert not choice.measure.model().item(0).isEnabled()
    assert headings(table.table) == ["Link, in its busier direction", "Mean"]


def words_of(session, table):
    """What the load of a link is called in the legend, in the tip of Hot links, and in the note at a link."""
    heat, row = session.workbench.heat_view.heat, table.table.rows[0]
    link = session.design.links[row.link_id]
    note = tooltip_of(session.design, Target(link_ids=(link.id,)), heat, "current")
    return legend_of(heat).title, hot_links._tip(row, ENDS), note


def test_legend_hot_links_and_the_note_at_a_link_call_a_load_by_the_same_word(
    run, session, qtbot, appearance, monkeypatch
):
    table = HotLinks(session, appearance)
    qtbot.addWidget(table)
    run(collective="all-reduce", algorithm="hierarchical")
    assert session.workbench.heat_view.measure == "peak", "as the link that sets the pace is full in it"
    title, tip, note = words_of(session, table)
    assert title.startswith("Peak utilization") and ": peak 100 %, mean " in tip and "peak 100 %" in note
    session.workbench.heat_view.show_measure("mean")
    title, _, note = words_of(session, table)
    assert title.startswith("Mean utilization") and "mean " in note and "peak" not in note
    session.workbench.heat_view.show_measure("bytes")
    title, _, note = words_of(session, table)
    assert title.startswith("Bytes") and "peak" not in note and "mean" not in note
    monkeypatch.setattr(phase_results, "MOST_FOLLOWED", 10)
    run(collective="all-to-all", routing="ecmp", seed=1)
    session.workbench.heat_view.show_measure("peak")
    title, tip, note = words_of(session, table)
    assert title.startswith("Mean utilization") and ": mean " in tip and "peak" not in tip + note


def test_what_of_a_first_result_is_latency_stands_next_to_it(run, session, qtbot):
    summary = SimulationSummary(session)
    qtbot.addWidget(summary)
    summary.resize(300, 400)
    summary.show()
    run(collective="all-reduce", size_bytes=2**20)
    assert session.workbench.simulation.compare_runs is None and summary.latency.isVisible()
    assert summary.latency.text() == session.workbench.simulation.current_result.assumed_note
    assert "latency is " in summary.latency.text() and "Depends on assumed latencies (" in summary.latency.text()
    run(collective="all-reduce", size_bytes=2**20, latency=False)
    assert not summary.latency.isVisible()
    spine = next(device.id for device in session.design.switches() if device.role == "spine")
    run(collective="all-reduce", size_bytes=2**20)
    session.mark_as_failed(frozenset({spine}), "Fail")
    run(collective="all-reduce", size_bytes=2**20)
    assert (
        session.workbench.simulation.current_result.assumed_note in session.workbench.simulation.compare_runs.words
    )  # said once
    assert not summary.latency.isVisible()


def test_no_room_is_kept_below_the_words_of_a_result(run, session, qtbot):
    summary = SimulationSummary(session)
    qtbot.addWidget(summary)
    summary.resize(300, 400)
    summary.show()
    run(collective="all-reduce", latency=False)
    used = sum(part.sizeHint().height() for part in (summary.why, summary.note))
    assert summary.words.minimumHeight() == 0 and summary.words.heightForWidth(300) <= used + 40


@pytest.mark.parametrize("chrome", [LIGHT_CHROME, DARK_CHROME], ids=["light", "dark"])
def test_texts_and_links_in_them_can_be_read_on_every_ground(chrome):
    for ink in ("text", "muted", "accent", "error", "warning", "info", "good"):
        for paper in ("base", "window", "raised"):
            assert contrast(getattr(chrome, ink), getattr(chrome, paper)) >= 4.5, (ink, paper)


def test_a_link_in_a_text_takes_the_colour_of_a_look_that_is_chosen_later(qtbot, appearance):
    shown = linked_label(lambda _link: None)
    qtbot.addWidget(shown)
    shown.setText('<a href="x">████████████</a>')
    shown.resize(200, 40)
    shown.show()
    for look, chrome in (("light", LIGHT_CHROME), ("dark", DARK_CHROME), ("light", LIGHT_CHROME)):
        appearance.choice = look
        image = shown.grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(200) for y in range(40)}
        assert QColor(chrome.accent).name() in seen, look


def test_the_colours_of_classes_differ():
    assert colour_of_class(FULL_BY_DESIGN, LIGHT) != colour_of_class(CONGESTED_CLASS, LIGHT)


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it."""

    def luminance(colour: str) -> float:
        parts = [part / 255 for part in rgb(colour)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_where_only_means_are_known_tiers_have_one_utilization_in_panel_and_command_line(
    run, session, qtbot, appearance, monkeypatch
):
    study = TierStudy(session, appearance)
    qtbot.addWidget(study)
    study.show()
    results = {}
    for known, most in ((True, 10**9), (False, 10)):
        monkeypatch.setattr(phase_results, "MOST_FOLLOWED", most)
        run(collective="all-to-all", routing="ecmp", seed=int(known))
        qtbot.waitUntil(lambda: session.workbench.tiers.tiers is not None, timeout=PATIENCE_MS)
        results[known] = result = session.workbench.simulation.current_result
        assert result.are_peaks_known is known
        about_peaks = ["Peak", "Over 80 %", "Saturated"]
        titles = headings(study.table)
        assert [title for title in titles if title in about_peaks] == (about_peaks if known else [])
        assert {"Tier", "Links", "Mean", "Bytes"} < set(titles) | {""}
        assert ("peak utilization" in study.results().headings) is known
        axis = study.plot.widget.getPlotItem().getAxis("left").labelText
        assert axis.startswith("peak" if known else "mean")
    for known, result in results.items():
        text = report(session.design, session.workbench.simulation.scenario, result, 5)
        tiers, links = (text.partition(start)[2].splitlines()[1] for start in ("load by tier", "hottest links"))
        assert ("peak" in tiers, "over 80 %" in tiers, "peak" in links) == (known, known, known)
        assert "mean" in tiers and "mean" in links


def test_after_a_leaf_failure_each_sentence_has_a_line_and_lost_nics_are_stated_once(go, session, catalog, qtbot):
    parameters = rail_optimized.RailOptimizedParameters(servers=4, servers_per_su=2)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    summary = SimulationSummary(session)
    qtbot.addWidget(summary)
    summary.show()
    go(collective="all-reduce", size_bytes=2**20)
    leaf = next(device.id for device in session.design.switches() if device.role == "leaf")
    session.mark_as_failed(frozenset({leaf}), "Fail")
    go(collective="all-reduce", size_bytes=2**20)
    found = session.workbench.simulation.compare_runs
    lines = found.words.split("\n")
    assert len(lines) > 1 and all(line.endswith(".") for line in lines)
    assert escape(found.words).replace("\n", "<br>") in summary.compare_runs.text()
    notices = session.workbench.simulation.current_result.notices
    assert found.borrowing and any("have no NIC" in one for one in notices)
    assert "have no NIC" not in summary.notices.text() and "lost the link of their NIC" in summary.compare_runs.text()
    go(collective="all-reduce", size_bytes=2**21)
    assert "have no NIC" in summary.notices.text()
