"""Simulate > Routing from OpenSM: a dump is chosen, the run goes by its tables, and what does not fit is said."""

import pytest
from PySide6.QtCore import Qt

from designer.exchange.diagram_options import DiagramOptions
from designer.exchange.infiniband.subnet import subnet
from designer.simulation import scenario_text
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree
from designer.windows.export.as_shown import as_shown

PATIENCE_MS = 60_000


@pytest.fixture
def session(window, catalog):
    """Eight servers on leaf switches with spines above."""
    session = window.session
    parameters = fat_tree.FatTreeParameters(switch="nvidia-qm9700", server="dgx-h100", servers=8, racks="none")
    session.push(fat_tree.build(session.design, parameters, catalog))
    session.workbench.simulation.scenario = Scenario(traffic="shift:8", size_bytes=1e9)
    return session


@pytest.fixture
def dump(session, tmp_path):
    """Tables that send everything up by one port."""
    nodes = subnet(session.design).nodes
    lines = []
    for number, node in enumerate(nodes):
        if not node.is_switch:
            continue
        lines.append(f"Unicast lids [0-{len(nodes)}] of switch Lid {number + 1} guid 0x{number:016x} ('{node.name}'):")
        ups = [wire.port for wire in node.wires if nodes[wire.peer].is_switch]
        beyond = {far.peer: wire.port for wire in node.wires for far in nodes[wire.peer].wires}
        own = {wire.peer: wire.port for wire in node.wires}
        for goal, other in enumerate(nodes):
            if not other.is_switch:
                port = own.get(goal) or (beyond[goal] if len(ups) == len(node.wires) else ups[0])
                lines.append(f"0x{goal + 1:04x} {port:03d} # Channel Adapter portguid 0x{goal:016x}: '{other.name}'")
    folder = tmp_path / "ftree"
    folder.mkdir()
    path = folder / "opensm-lfts.dump"
    path.write_text("\n".join(lines))
    return path


def read(session, qtbot):
    simulation = session.workbench.simulation
    qtbot.waitUntil(lambda: simulation.scenario.tables is not None, timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: simulation.state in ("current", "failed"), timeout=PATIENCE_MS)
    return simulation


def test_a_dump_that_is_chosen_becomes_the_routing_and_is_run(window, session, dump, answers, qtbot):
    answers.on_open = [dump]
    window.actions_table.trigger("simulate.tables")
    simulation = read(session, qtbot)
    assert simulation.state == "current", simulation.error
    assert simulation.scenario.goes_by_tables and simulation.result.model.routing == "tables of ftree/opensm-lfts.dump"
    controls = window.docks.simulation.controls
    assert controls.fields["routing"].currentText() == "Tables of OpenSM"
    assert controls.tables.isVisible() and controls.tables.text.text() == "ftree/opensm-lfts.dump"
    assert "1 switches" not in controls.tables.text.toolTip() and str(dump) in controls.tables.text.toolTip()
    shown = as_shown(window.desk, DiagramOptions)
    assert (shown["routing"], shown["tables"]) == ("tables", str(dump))
    assert scenario_text.written(simulation.scenario) == ()  # a bookmark keeps no path


def test_choosing_the_routing_without_tables_asks_for_them(window, session, dump, answers, qtbot):
    controls = window.docks.simulation.controls
    window.docks.show("simulation")
    routing = controls.fields["routing"]
    answers.on_open = [None]
    routing.activated.emit(routing.findText("Tables of OpenSM", Qt.MatchFlag.MatchExactly))
    assert answers.asked == ["Routing from OpenSM: choose opensm-lfts.dump"]
    assert session.workbench.simulation.scenario.routing == "spray" and routing.currentText() == "Spray"
    assert not controls.tables.isVisible()
    answers.on_open = [dump]
    routing.activated.emit(routing.findText("Tables of OpenSM", Qt.MatchFlag.MatchExactly))
    simulation = read(session, qtbot)
    routing.activated.emit(routing.findText("ECMP", Qt.MatchFlag.MatchExactly))
    assert simulation.scenario.routing == "ecmp" and not controls.tables.isVisible()
    routing.activated.emit(routing.findText("Tables of OpenSM", Qt.MatchFlag.MatchExactly))
    assert simulation.scenario.goes_by_tables and len(answers.asked) == 2  # they are kept


def test_other_tables_are_chosen_by_the_button(window, session, dump, answers, qtbot):
    answers.on_open = [dump]
    window.actions_table.trigger("simulate.tables")
    before = read(session, qtbot).scenario.tables
    answers.on_open = [dump]
    qtbot.mouseClick(window.docks.simulation.controls.tables.choose, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.workbench.simulation.scenario.tables is not before, timeout=PATIENCE_MS)


def test_a_file_that_is_no_dump_changes_nothing(window, session, answers, tmp_path, qtbot):
    wrong = tmp_path / "other.txt"
    wrong.write_text("<b>no</b>")
    answers.on_open = [wrong]
    window.actions_table.trigger("simulate.tables")
    qtbot.waitUntil(lambda: "other.txt has no forwarding tables" in window.notice.text.text(), timeout=PATIENCE_MS)
    assert session.workbench.simulation.scenario.routing == "spray"


def test_a_link_that_fails_under_the_tables_is_named_in_the_panel(window, session, dump, answers, qtbot):
    answers.on_open = [dump]
    session.workbench.simulation.scenario = Scenario(traffic="shift:32", size_bytes=1e9)
    window.actions_table.trigger("simulate.tables")
    simulation = read(session, qtbot)
    assert simulation.state == "current", simulation.error
    design = session.design
    used = next(
        link
        for link in design.links.values()
        if not any(design.is_server(end.device_id) for end in (link.a, link.b))
        and max(simulation.heat.utilization[link.id]) > 0
    )
    session.mark_as_failed(frozenset([used.id]), "Mark as failed")
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "failed", timeout=PATIENCE_MS)
    said = window.docks.simulation.controls.state.text()
    assert "the link there is down: run OpenSM again on the fabric without it" in said
