"""What ranks send to each other in the matrix: after a run, on both sides, with the servers selected by a click."""

import numpy as np
import pytest

from designer.drawing.matrix.ranks import RankMatrix
from designer.exchange.diagram_options import DiagramOptions
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized
from designer.windows.export.as_shown import as_shown
from designer.windows.shell.matrix_bar import ORDER, MatrixBar


@pytest.fixture
def pod(window, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=4)
    window.session.push(rail_optimized.build(window.session.design, parameters, catalog))
    window.resize(1100, 700)
    window.show()
    window.actions_table.trigger("view.matrix")
    return window.session.design


def test_ranks_need_a_run_and_stand_on_both_sides(window, pod, qtbot):
    cells, simulation = window.views.matrix.cells, window.session.workbench.simulation
    cells.choose("rank", cells.chosen[1])
    assert cells.chosen == ("rank", "rank")
    assert cells.matrix is None
    window.views.matrix.grab()
    simulation.scenario = Scenario(collective="all-to-all", size_bytes=2.0**20)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    matrix = cells.matrix
    assert isinstance(matrix, RankMatrix) and matrix.shape == (32, 32)
    assert np.count_nonzero(matrix.sent) == 32 * 31
    assert cells.matrix is matrix, "it is kept"
    drawn = cells.shaded(window.views.matrix.theme)
    assert drawn.text(0, 0) == ("", "") and drawn.text(0, 1)[0] == "32 KiB"
    window.views.matrix.grab()
    assert "32 ranks × 32 ranks, 992 pairs that send" in window.views.matrix_bar.caption.text()
    cells.step(1, 0)
    cells.step(9, 0)
    assert window.session.selection == {pod.servers()[0].id, pod.servers()[1].id}
    cells.choose("rank", "leaf")
    assert "rank" not in cells.chosen and cells.chosen[1] == "leaf"


def test_another_run_shows_its_own_traffic(window, pod, qtbot):
    cells, simulation = window.views.matrix.cells, window.session.workbench.simulation
    cells.choose("rank", "rank")
    for collective, n_pairs in (("all-to-all", 32 * 31), ("broadcast", None)):
        simulation.scenario = Scenario(collective=collective, size_bytes=2.0**20)
        simulation.run()
        qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
        found = np.count_nonzero(cells.matrix.sent)
        assert found == n_pairs if n_pairs else found < 32 * 31


@pytest.mark.own_window
def test_the_order_of_rows_is_chosen_in_the_bar_and_remembered(window, pod, qtbot):
    bar, cells = window.views.matrix_bar, window.views.matrix.cells
    cells.choose("rank", "rank")
    simulation = window.session.workbench.simulation
    simulation.scenario = Scenario(collective="all-reduce", size_bytes=2.0**20)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=60_000)
    usual = cells.matrix
    bar.order.setCurrentText("By rail")
    bar.order.activated.emit(bar.order.currentIndex())
    by_rail = cells.matrix
    gpus = [label.rpartition(":")[2] for label in by_rail.rows.labels]
    assert gpus == sorted(gpus) and len(gpus) == 32
    places = [usual.rows.labels.index(label) for label in by_rail.rows.labels]
    assert np.array_equal(by_rail.sent, usual.sent[np.ix_(places, places)])
    assert by_rail.rows.members == tuple(usual.rows.members[place] for place in places)
    cells.choose("leaf", "server")
    rails = [pod.devices[one].rail for (one,) in cells.matrix.rows.members]
    assert rails == sorted(rails)
    assert as_shown(window.desk, DiagramOptions)["order"] == "rail"
    again = MatrixBar(window.views.matrix, window.preferences)
    assert again.order.value == "rail" and cells.order == "rail"
    window.preferences.set_text(ORDER, "no such order")
    cells.put_in_order("design")
    again = MatrixBar(window.views.matrix, window.preferences)
    assert again.order.value == cells.order == "design"
