"""Why a link is hot: from the list of hot links, from the canvas and by a key to the flows over it."""

import pytest

from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree

PATIENCE_MS = 60_000


@pytest.fixture
def simulated(window, catalog, qtbot):
    parameters = fat_tree.FatTreeParameters(switch="generic-switch-8x400g", server="generic-host", servers=16)
    session = window.session
    session.push(fat_tree.build(session.design, parameters, catalog))
    session.workbench.simulation.scenario = Scenario(traffic="shift:1", size_bytes=1e9)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.state == "current", timeout=PATIENCE_MS)
    return session


def parallel(session) -> list[str]:
    """The links of some leaf, to hosts that send and to spines that carry nothing of a shift by one or a little."""
    leaf = next(switch for switch in session.design.switches() if switch.role == "leaf")
    return [link.id for link in session.design.links_of(leaf.id)]


def test_the_why_button_leads_from_hot_links_to_the_flows(window, simulated, qtbot):
    window.docks.show("simulation")
    hot = window.docks.simulation.hot_links
    simulated.select([])
    hot.why.click()

    (link_id,) = simulated.selection
    assert max(simulated.workbench.simulation.heat.utilization[link_id]) == pytest.approx(
        simulated.workbench.simulation.heat.busiest
    )
    page = window.docks.inspector.link_page
    qtbot.waitUntil(lambda: page.flows.isVisible() and bool(page.flows.table.rows), timeout=PATIENCE_MS)


def test_of_a_bundle_the_hottest_link_is_asked_about(window, simulated, qtbot):
    links = parallel(simulated)
    simulated.select(links)
    assert window.actions_table.rows["simulate.why"].enabled(window.desk)

    window.actions_table.trigger("simulate.why")

    (link_id,) = simulated.selection
    loads = simulated.workbench.simulation.heat.utilization
    assert max(loads[link_id]) == max(max(loads[one]) for one in links)
    assert f"The hottest of {len(links)} links" in window.notice.text.text()
    menu = [action.objectName() for action in window.findChildren(type(window.actions_table["simulate.why"]))]
    assert "simulate.why" in menu


def test_nothing_is_offered_without_a_link_or_a_result(window, simulated):
    row = window.actions_table.rows["simulate.why"]
    simulated.select([next(iter(simulated.design.devices))])
    assert not row.enabled(window.desk)
    simulated.select(parallel(simulated))
    simulated.workbench.simulation.forget()
    assert not row.enabled(window.desk)
