"""A link selected while a result is current: whose load it is, and the lanes left idle."""

import re

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.panels.inspector.panel import InspectorPanel
from designer.simulation.scenario import Scenario
from designer.storage import document
from designer.topologies import fat_tree

PATIENCE_MS = 60_000


@pytest.fixture
def inspector(qtbot, session, catalog, appearance):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = InspectorPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(370, 900)
    panel.show()
    session.workbench.simulation.scenario = Scenario(traffic="permutation:1", routing="ecmp", size_bytes=1e6)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    return panel


@pytest.fixture
def flows(inspector, session, qtbot):
    """The flows over an uplink that more than one flow was hashed to."""
    return busiest_uplink(inspector, session, qtbot)


def busiest_uplink(inspector, session, qtbot):
    design, heat = session.design, session.workbench.simulation.heat
    uplinks = [link for link in design.links.values() if design.device(link.a.device_id).role == "leaf"]
    link = max(
        uplinks or design.links.values(),
        key=lambda link: session.workbench.simulation.current_result.bytes[
            2
            * list(session.workbench.simulation.current_result.graph.link[::2]).index(
                session.workbench.simulation.current_result.graph.link_ids.index(link.id)
            )
        ],
    )
    assert heat.utilization[link.id]
    session.select([link.id])
    qtbot.waitUntil(lambda: session.workbench.flows_on_link.found is not None, timeout=PATIENCE_MS)
    return inspector.link_page.flows


def test_a_selected_link_shows_whose_load_it_is(flows, session):
    found = session.workbench.flows_on_link.found
    assert flows.isVisible()
    assert found.flows > 0
    assert len(flows.table.rows) == len(found.pairs)
    assert flows.table.texts(0)[0] == f"{found.pairs[0].source} → {found.pairs[0].target}"
    assert "The hash chose it from" in flows.story.text()


def click_first(flows, qtbot):
    rect = flows.table.rect_of(0)
    qtbot.mouseClick(flows.table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


@pytest.mark.parametrize("view", ["flows", "pairs"])
def test_clicking_a_flow_lights_its_path_and_the_list_stays(flows, session, qtbot, view):
    flows._choose_view(view)
    selection, rows = session.selection, len(flows.table.rows)
    found = session.workbench.flows_on_link.found
    first = (found.crossings if view == "flows" else found.pairs)[0]
    with qtbot.waitSignal(
        session.workbench.flows_on_link.path_changed, check_params_cb=lambda: bool(session.workbench.flows_on_link.path)
    ):
        click_first(flows, qtbot)
    assert session.selection == selection
    assert flows.isVisible() and len(flows.table.rows) == rows
    assert set(selection) < session.workbench.flows_on_link.path
    links = [session.design.links[one] for one in session.workbench.flows_on_link.path]
    touched = [end.device_id for link in links for end in (link.a, link.b)]
    ends = [device for device in touched if touched.count(device) == 1]
    assert sorted(ends) == sorted((first.source_id, first.target_id))


def test_a_flow_between_devices_whose_ids_have_spaces_is_lit_too(inspector, session, qtbot):
    written = re.sub(rb'"d(\d+)"', rb'"d \1"', document.encode(session.design))
    session.replace(document.decode(written, "ids with spaces"), None, unsaved=True)
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    flows = busiest_uplink(inspector, session, qtbot)
    with qtbot.waitSignal(
        session.workbench.flows_on_link.path_changed, check_params_cb=lambda: bool(session.workbench.flows_on_link.path)
    ):
        click_first(flows, qtbot)
    first = session.workbench.flows_on_link.found.pairs[0]
    assert " " in first.source_id
    assert session.workbench.flows_on_link.lit[:2] == (first.source_id, first.target_id)


def test_the_path_goes_out_with_the_selection_and_with_the_result(flows, session, qtbot):
    with qtbot.waitSignal(
        session.workbench.flows_on_link.path_changed, check_params_cb=lambda: bool(session.workbench.flows_on_link.path)
    ):
        click_first(flows, qtbot)
    session.select([])
    assert session.workbench.flows_on_link.lit is None
    assert not session.workbench.flows_on_link.path


def test_lanes_are_listed_idle_ones_first(flows, session):
    flows._choose_view("lanes")
    loads = [flows.table.texts(n)[1] for n in range(len(flows.table.rows))]
    assert len(loads) == len(session.workbench.flows_on_link.found.lanes)
    assert loads.count("idle") == len(session.workbench.flows_on_link.found.idle)
    assert loads[: loads.count("idle")] == ["idle"] * loads.count("idle")


def test_the_other_direction_is_a_click_away(flows, session, qtbot):
    before = session.workbench.flows_on_link.found.name
    other = next(button for button in flows.directions if not button.isChecked())
    other.click()
    qtbot.waitUntil(lambda: session.workbench.flows_on_link.found is not None, timeout=PATIENCE_MS)
    assert session.workbench.flows_on_link.found.name != before


def test_every_list_can_be_copied(flows, qapp):
    for view, column in (("pairs", "flows"), ("flows", "to rank"), ("lanes", "peak utilization")):
        flows._choose_view(view)
        flows.copy.click()
        head, *rows = qapp.clipboard().text().splitlines()
        assert column in head.split("\t")
        assert len(rows) == len(flows.table.rows)


def test_after_an_edit_nothing_is_claimed(flows, inspector, session):
    other = next(link for link in session.design.links if link not in session.selection)
    session.push(operations.delete(session.design, [other]))
    inspector.refresh()
    assert session.workbench.flows_on_link.found is None
    assert not flows.isVisible()
    assert inspector.link_page.no_load.isVisible()
