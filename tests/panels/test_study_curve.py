"""Bandwidth by size in the window: what is ticked is computed, drawn, listed and handed over."""

import csv
import re
from dataclasses import replace

import pyqtgraph
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QImage

from designer.drawing.theme import CURVE_COLOURS
from designer.model import operations
from designer.model.edit import Change, Edit
from designer.panels.studies.curve_drawing import RUNS
from designer.panels.studies.panel import StudiesPanel
from designer.panels.studies.plots import HEADING_PX, PAPER, PNG_SCALE
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree
from designer.topologies.families import FAMILIES
from designer.units import format_change

PATIENCE_MS = 60_000


@pytest.fixture
def study(qtbot, session, catalog, appearance):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = StudiesPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(1000, 360)
    panel.show()
    yield panel.curve  # noqa: PT022  (holds on to the panel)


@pytest.fixture
def computed(study, session, qtbot):
    study.algorithms.tick(["ring", "direct"])
    study.routings.tick(["spray", "ecmp"])
    study.run.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    return study


def test_before_the_first_run_it_says_what_to_do(study):
    assert study.empty.isVisible()
    assert study.run.isEnabled()
    study.algorithms.tick([])
    assert not study.run.isEnabled()


def test_what_is_ticked_is_computed_drawn_and_listed(computed, session):
    titles = [curve.title for curve in session.workbench.curves.found]
    assert titles == ["ring, spray", "ring, ecmp", "direct, spray", "direct, ecmp"]
    items = computed.plot.widget.getPlotItem().listDataItems()
    assert [item.name() for item in items if item.name()] == titles
    assert len(items) == 8  # of each what is stated without the start of a collective, and faint what is not
    assert len(computed.table.rows) == 31
    assert [column.title for column in computed.table.shown.columns] == ["Size", *titles]
    assert computed.table.texts(30)[0] == "8 GiB"


def test_runs_on_machines_in_use_are_a_band_with_their_median(qtbot, session, catalog, appearance):
    """On 4 nodes of CSCS Alps the worst run took 1.7 times as long as the best."""
    family = next(one for one in FAMILIES if one.name == "rail-optimized")
    parameters = family.parameters(server="alps-gh200-node", servers=4, switch="generic-switch-64x200g")
    session.push(family.build(session.design, parameters, catalog))
    panel = StudiesPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.show()
    study = panel.curve
    study.models.tick(["nccl"])
    study.routings.tick(["spray"])
    study.run.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    item = study.plot.widget.getPlotItem()
    (band,) = (one for one in item.items if isinstance(one, pyqtgraph.FillBetweenItem))
    best, worst = (curve.getData()[1] for curve in band.curves)
    (median,) = (one.getData()[1] for one in item.listDataItems() if one.name() == RUNS)
    assert best == pytest.approx([point.busbw_gbytes_per_s for point in session.workbench.curves.found[0].points])
    assert (worst < median).all() and (median < best).all()
    assert best / worst == pytest.approx(1.68, abs=0.01)


def test_times_too_short_to_be_told_without_a_start_are_faint_and_said(computed, session, appearance):
    (curve, *_) = session.workbench.curves.found
    telling = [point.is_telling for point in curve.points]
    assert telling[0] is False and telling[-1] is True and telling == sorted(telling)
    for at, is_telling in enumerate(telling):
        faint = computed.table.index_of(at, 1).data(Qt.ItemDataRole.ForegroundRole) == appearance.colour("muted")
        assert faint != is_telling
    assert "faint" in computed._reservations()[0].lower()
    assert "8.4 µs by NCCL's cost model" in computed._reservations()[1]


def test_other_measures_show_other_numbers(computed):
    last = computed.table.texts(30)[1]
    computed._choose_measure("time")
    assert computed.table.texts(30)[1] != last


def test_curves_are_stale_after_an_edit_and_say_so(computed, session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert session.workbench.curves.state == "stale"
    assert "Out of date" in computed.state.text()


def test_latency_that_is_assumed_is_said_beside_the_curves(computed):
    assert computed.state.isVisibleTo(computed)
    assert "Latencies are in part assumed: NIC 600 ns, Ethernet switch 700 ns, cable 10 m." in computed.state.text()


def test_algorithms_offered_are_those_of_the_collective(study, session):
    session.workbench.simulation.scenario = Scenario(collective="all-gather")
    assert list(study.algorithms.boxes) == [
        "ring",
        "hierarchical",
        "hierarchical-pipelined",
        "recursive",
        "direct",
        "bucket",
    ]
    assert study.algorithms.ticked == ["ring"]


def test_an_algorithm_that_does_not_fit_is_left_out_with_its_reason(study, session, qtbot):
    study.algorithms.tick(["ring", "bucket"])
    study.run.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    assert [curve.scenario.algorithm for curve in session.workbench.curves.found] == ["ring"]
    assert "bucket" in study.state.text()


def test_a_run_is_cancelled(study, session):
    study.run.click()
    assert study.run.text() == "Cancel"
    study.run.click()
    assert session.workbench.curves.state == "idle"


def test_sizes_that_make_none_are_refused_in_place(study, qtbot):
    study.sizes.line.setText("8")
    study.sizes.finish()
    assert study.sizes.refusal.text()
    assert study.sizes_text == "8:8GiB"


def test_table_and_plot_are_saved(computed, tmp_path, qtbot):
    for name, suffix in (("CSV…", ".csv"), ("SVG…", ".svg"), ("PNG…", ".png")):
        with qtbot.waitSignal(computed.saving) as caught:
            computed.buttons[name].click()
        _, asked, write = caught.args
        assert asked == suffix
        write(tmp_path / f"curve{suffix}")
    rows = list(csv.DictReader((tmp_path / "curve.csv").read_text().splitlines()))
    assert len(rows) == 4 * 31
    assert {row["algorithm"] for row in rows} == {"ring", "direct"}
    assert float(rows[0]["busbw (GB/s)"]) >= 0
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    curve = computed._job.found[0]
    assert computed.plot.heading.startswith(f"All-reduce, {curve.ranks} ranks")
    image = QImage(str(tmp_path / "curve.png"))
    assert image.height() == PNG_SCALE * (PAPER.height() + HEADING_PX)
    strip = image.copy(0, 0, image.width(), PNG_SCALE * HEADING_PX)
    colours = {strip.pixel(x, y) for x in range(strip.width() // 2) for y in range(strip.height())}
    assert len(colours) > 2, "what it is of stands above"


def test_a_curve_of_a_fabric_with_failures_states_them_on_screen_and_in_every_file(study, session, qtbot, tmp_path):
    design = session.design
    design_name = "A fabric whose name alone is wider than the line above a plot, " * 3
    session.push(Edit("name", (Change(design.settings, replace(design.settings, name=design_name)),)))
    spine = next(one for one in design.switches() if one.role == "spine")
    session.set_failed(frozenset((spine.id,)))
    study.run.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    stated = f"failed: {spine.name}"
    qtbot.waitUntil(lambda: study.failed.isVisible() and study.failed.text() == stated)
    with qtbot.waitSignal(study.saving) as caught:
        study.buttons["CSV…"].click()
    caught.args[2](tmp_path / "curve.csv")
    assert {row["failed"] for row in csv.DictReader((tmp_path / "curve.csv").read_text().splitlines())} == {spine.name}
    study.plot.save(tmp_path / "curve.svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "curve.svg").read_text())
    (line,) = [text.strip() for text in texts if "All-reduce" in text]
    assert line.endswith(f"…; {stated}"), "the name is cut off, and what has failed is not"
    font = study.plot.font()
    font.setBold(True)
    assert QFontMetricsF(font).horizontalAdvance(line) <= PAPER.width() - HEADING_PX
    session.set_failed(frozenset())
    study.run.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    assert study.failed.text() == study.plot.note == ""
    assert "failed" not in study.results().headings


def test_another_collective_takes_its_own_algorithm_and_the_same_keeps_what_is_ticked(study, session):
    session.workbench.simulation.scenario = Scenario(collective="all-to-all")
    assert study.algorithms.ticked == ["direct"]
    study._choose_collective("all-reduce")
    assert study.algorithms.ticked == ["ring"] and [one.algorithm for one in study._wanted("ideal")] == ["ring"]
    study.algorithms.tick(["ring", "direct"])
    study._choose_collective("all-reduce")
    assert study.algorithms.ticked == ["ring", "direct"]


def test_the_axes_of_a_saved_drawing_have_the_scale_of_its_curves(computed, tmp_path):
    computed.plot.save(tmp_path / "curve.svg")
    text = (tmp_path / "curve.svg").read_text()
    assert "vector-effect" not in text  # what many readers do not know
    scales = {float(one) for one in re.findall(r"matrix\(([\d.]+),", text)}
    assert scales <= {0.0, 1.0}
    curve = re.search(rf'stroke="{CURVE_COLOURS[0]}"[^>]*>\s*<path[^>]* d="([^"]*)"', text)
    xs = [float(point[1:].split(",")[0]) for point in curve[1].split()]
    assert 0 < min(xs) < max(xs) < PAPER.width()


@pytest.fixture
def logged(study, session, tmp_path, qtbot):
    """Measurements at 90 % of the predicted busbw, of which the largest size ran twice, over two curves."""
    rows = [(2**20, 100.0, 10.5, 19.6), (2**32, 200_000.0, 21.5, 40.3), (2**32, 250_000.0, 17.2, 32.2)]
    table = "".join(
        f"{size:12d} {size // 4:12d} float sum -1 {time_us:9.2f} {algbw:7.2f} {busbw:7.2f} 0\n"
        for size, time_us, algbw, busbw in rows
    )
    log = tmp_path / "run.log"
    log.write_text(
        "# fabric-designer part: whole\n# Collective test starting: all_reduce_perf\n"
        "# size count type redop root time algbw busbw #wrong\n" + table
    )
    study.algorithms.tick(["ring", "direct"])
    study.show_measured((log,))
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    return study


def test_measured_points_lie_over_the_curves_with_residuals_in_the_table(logged):
    items = logged.plot.widget.getPlotItem().listDataItems()
    dots = [item for item in items if item.opts["symbol"] is not None]
    assert [item.name() for item in dots] == ["measured: Whole fabric"]
    assert list(dots[0].getData()[0]) == [20.0, 32.0]
    titles = [column.title for column in logged.table.shown.columns]
    assert titles[3:] == ["Measured", "Residual, ring", "Residual, direct"]
    at = next(place for place, row in enumerate(logged.table.rows) if row.size_bytes == 2**32)
    cells = logged.table.texts(at)
    assert cells[3] == "40.30"
    ring = float(cells[1].replace(",", ""))
    assert cells[4] == format_change(40.3 / ring - 1)
    assert logged.table.texts(at - 1)[3] == ""
    logged._choose_measure("time")
    assert logged.table.texts(at)[3] == "200,000"
    assert logged.logs.text() == "run.log"


def test_measurements_are_removed_and_logs_of_no_use_are_refused(logged, session, tmp_path, qtbot):
    logged.forget_logs.click()
    qtbot.waitUntil(lambda: session.workbench.curves.state == "current", timeout=PATIENCE_MS)
    assert len(logged.table.shown.columns) == 3
    assert not logged.forget_logs.isVisibleTo(logged)
    log = tmp_path / "other.log"
    log.write_text("nothing")
    logged.show_measured((log,))
    qtbot.waitUntil(lambda: session.workbench.curves.state == "failed", timeout=PATIENCE_MS)
    assert "other.log holds no measurement" in logged.state.text()
    with qtbot.waitSignal(logged.logs_wanted):
        logged.import_logs.click()


def test_what_is_said_below_run_is_in_sight_and_leaves_the_button_whole(study, qtbot):
    """The text comes and goes while the study is in sight, in a low panel too."""
    study.window().resize(1000, 260)
    column, state = study._left, study.state
    line = state.fontMetrics().height()
    for text in ("Out of date: the design or the settings have changed since the run. Run again.", "word " * 90):
        column.say("")
        qtbot.waitUntil(lambda: not state.visibleRegion().boundingRect().height())
        column.say(text)
        qtbot.waitUntil(lambda: state.visibleRegion().boundingRect().height() >= 2 * line)
        qtbot.waitUntil(lambda: state.height() >= state.heightForWidth(state.width()))  # it scrolls and is not cut
        assert column.run.height() >= column.run.sizeHint().height()


def test_the_column_of_a_study_is_wider_for_larger_letters(study, qtbot, appearance):
    before = study.run.width()
    appearance.set_text_size(16)
    try:
        qtbot.waitUntil(lambda: study.run.width() > 1.2 * before)
    finally:
        appearance.set_text_size(0)
    qtbot.waitUntil(lambda: study.run.width() == before)
