"""A design in several parts: the run is refused, and one button runs it on the largest part."""

import pytest

from designer.model import operations
from designer.panels.simulation.panel import SimulationPanel

PATIENCE_MS = 60_000


@pytest.fixture
def panel(qtbot, session, catalog, appearance):
    """Three hosts on one switch and two on another."""
    names = ("a", "b", "c", "d", "e", "left", "right")
    for name in names:
        type_ = catalog.get("generic-host" if len(name) == 1 else "generic-switch-8x400g")
        session.push(operations.add_device(session.design, type_, 0, 0, catalog_types=catalog.types, name=name))
    for host, switch in zip("abcde", ("left", "left", "right", "right", "right"), strict=True):
        ends = session.design.find(host).id, session.design.find(switch).id
        session.push(operations.connect_devices(session.design, *ends, 1))
    panel = SimulationPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.run_wanted.connect(session.workbench.simulation.run)
    panel.show()
    return panel


def test_a_design_in_several_parts_is_run_on_the_largest_by_one_button(panel, session, qtbot):
    simulation, button = session.workbench.simulation, panel.controls.largest_part
    assert not button.isVisible()
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "failed", timeout=PATIENCE_MS)
    assert "the largest has 3 of 5 GPUs" in panel.controls.state.text() and button.isVisible()
    assert button.text() == "Run on the Largest Part"
    button.click()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=PATIENCE_MS)
    assert simulation.scenario.largest_part and simulation.current_result.ranks == 3
    assert not button.isVisible() and "2 servers are not connected" in panel.summary.notices.text()


def test_another_refusal_offers_no_largest_part(panel, session, qtbot):
    simulation = session.workbench.simulation
    panel.controls._change(ranks=17)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "failed", timeout=PATIENCE_MS)
    assert not panel.controls.largest_part.isVisible()
