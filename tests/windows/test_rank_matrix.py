"""What ranks send to each other in the matrix: after a run, on both sides, with the servers selected by a click."""

import numpy as np
import pytest

from designer.drawing.matrix.ranks import RankMatrix
from designer.simulation.scenario import Scenario
from designer.topologies import rail_optimized


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
