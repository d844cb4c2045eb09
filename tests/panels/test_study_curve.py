"""Bandwidth by size in the window: what is ticked is computed, drawn, listed and handed over."""

import csv
import re

import pytest
from PySide6.QtCore import Qt

from designer.drawing.theme import CURVE_COLOURS
from designer.model import operations
from designer.panels.studies.panel import StudiesPanel
from designer.panels.studies.plots import PAPER
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree

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
    assert len(items) == 8  # of each what is told without the start of a collective, and faint what is not
    assert len(computed.table.rows) == 31
    assert [column.title for column in computed.table.shown.columns] == ["Size", *titles]
    assert computed.table.texts(30)[0] == "8 GiB"


def test_times_too_short_to_be_told_without_a_start_are_faint_and_said(computed, session, appearance):
    (curve, *_) = session.workbench.curves.found
    telling = [point.is_telling for point in curve.points]
    assert telling[0] is False and telling[-1] is True and telling == sorted(telling)
    for at, is_telling in enumerate(telling):
        faint = computed.table.index_of(at, 1).data(Qt.ItemDataRole.ForegroundRole) == appearance.colour("muted")
        assert faint != is_telling
    assert "faint" in computed._reservations()[0].lower()
    assert "8.4 us by NCCL's cost model" in computed._reservations()[1]


def test_other_measures_show_other_numbers(computed):
    last = computed.table.texts(30)[1]
    computed._choose_measure("time")
    assert computed.table.texts(30)[1] != last


def test_curves_are_stale_after_an_edit_and_say_so(computed, session):
    session.push(operations.delete(session.design, [next(iter(session.design.links))]))
    assert session.workbench.curves.state == "stale"
    assert "Stale" in computed.state.text()


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


def test_the_axes_of_a_saved_drawing_have_the_scale_of_its_curves(computed, tmp_path):
    computed.plot.save(tmp_path / "curve.svg")
    text = (tmp_path / "curve.svg").read_text()
    assert "vector-effect" not in text  # what many readers do not know
    scales = {float(one) for one in re.findall(r"matrix\(([\d.]+),", text)}
    assert scales <= {0.0, 1.0}
    curve = re.search(rf'stroke="{CURVE_COLOURS[0]}"[^>]*>\s*<path[^>]* d="([^"]*)"', text)
    xs = [float(point[1:].split(",")[0]) for point in curve[1].split()]
    assert 0 < min(xs) < max(xs) < PAPER.width()
