"""Loads of the current run, saved from the real window."""

import pytest

from designer.regeneration import recipes
from designer.topologies.rail_optimized import RailOptimizedParameters


@pytest.fixture
def simulated(window, qtbot):
    session = window.session
    parameters = RailOptimizedParameters(servers=2, servers_per_su=2)
    session.push(recipes.generated(session.design, recipes.family_named("rail-optimized"), parameters, session.catalog))
    actions = window.actions_table
    assert not actions["simulate.save_loads"].isEnabled()
    actions.trigger("simulate.run")
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current")
    return window


def test_loads_are_written_as_the_suffix_says_and_into_runs(simulated, answers, tmp_path, qtbot):
    window = simulated
    for name in ("loads.csv", "loads.prom", "loads.parquet"):
        path = tmp_path / name
        answers.on_save.append(path)
        window.actions_table.trigger("simulate.save_loads")
        qtbot.waitUntil(path.exists)
        qtbot.waitUntil(lambda path=path: path.name in window.notice.text.text())
    assert (tmp_path / "loads.csv").read_text("utf-8").startswith("link,device,port")
    assert "fabric_designer_link_transmit_bytes" in (tmp_path / "loads.prom").read_text("utf-8")
    assert (tmp_path / "loads.parquet").read_bytes()[:4] == b"PAR1"
    answers.on_open.append(tmp_path / "runs")
    window.actions_table.trigger("simulate.add_to_runs")
    qtbot.waitUntil(lambda: list(tmp_path.glob("runs/*/events.out.tfevents.*")) != [])
    qtbot.waitUntil(lambda: "runs" in window.notice.text.text())


def test_a_folder_that_is_not_there_is_said_in_a_sentence(simulated, answers, tmp_path, qtbot):
    answers.on_save.append(tmp_path / "missing" / "loads.csv")
    simulated.actions_table.trigger("simulate.save_loads")
    qtbot.waitUntil(lambda: "loads.csv" in simulated.notice.text.text())
    assert simulated.notice.text.text().endswith(".")
