"""Spreading congestion in the panel and over the heat: victims to go to, hatched cables, the hot switch outlined."""

import pytest
from PySide6.QtGui import QFont, QImage, QPainter

from designer.canvas.glyphs import Fonts
from designer.canvas.painting import paint
from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.overlay import reach_of
from designer.drawing.parts.marks import pauses
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import themed
from designer.panels.simulation.panel import SimulationPanel
from designer.simulation.scenario import Scenario
from designer.topologies import fat_tree

PATIENCE_MS = 60_000
INCAST = Scenario(traffic="incast:6+shift:1", size_bytes=1e9, routing="destination", congestion="head-of-line")


@pytest.fixture
def panel(qtbot, session, catalog, appearance):
    parameters = fat_tree.FatTreeParameters(
        switch="generic-switch-8x400g", server="generic-host", servers=16, racks="none"
    )
    session.push(fat_tree.build(session.design, parameters, catalog))
    panel = SimulationPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.resize(370, 1000)
    panel.show()
    return panel


def run(session, qtbot, scenario):
    session.workbench.simulation.scenario = scenario
    session.workbench.simulation.run()
    qtbot.waitUntil(lambda: session.workbench.simulation.heat is not None, timeout=PATIENCE_MS)
    return session.workbench.simulation.current_result.congestion


def test_victims_are_listed_while_current_and_lead_to_the_cables_they_wait_for(panel, session, qtbot):
    found = run(session, qtbot, INCAST)

    victims = panel.victims
    assert victims.isVisible() and len(victims.table.rows) == found.n_victims > 0
    assert "leaf-01" in victims.words.text() and "flows are slowed" in victims.words.text()
    gone = []
    panel.going.connect(gone.append)
    victims.table.chosen.emit(victims.table.rows[0])
    assert gone == [frozenset(place.link_id for place in found.victims[0].pauses)]
    session.workbench.simulation.scenario = Scenario(collective="all-reduce")
    assert victims.isHidden()


def test_without_the_option_there_is_nothing_of_it_to_see(panel, session, qtbot):
    assert run(session, qtbot, Scenario(traffic="incast:6+shift:1", size_bytes=1e9)) is None
    assert panel.victims.isHidden()


def test_traffic_beside_a_pattern_and_congestion_are_fields_of_the_form(panel, session, qtbot):
    controls = panel.controls
    spreads = controls.fields["congestion"]
    session.workbench.simulation.scenario = Scenario(traffic="incast:6", size_bytes=1e9)
    assert controls._set_second("shift:1") is None
    assert session.workbench.simulation.scenario.traffic == "incast:6+shift:1"
    assert controls.beside.line.text() == "shift:1"
    assert panel.controls.parameter.line.text() == "6"
    assert panel.controls._set_parameter("4") is None
    assert session.workbench.simulation.scenario.traffic == "incast:4+shift:1"
    assert controls._set_second("rubbish:;").startswith("there is no traffic pattern 'rubbish'")
    spreads.activated.emit(spreads.findText("Spreads (head of line)"))
    assert session.workbench.simulation.scenario.congestion == "head-of-line"
    assert controls._set_second("") is None
    assert session.workbench.simulation.scenario.traffic == "incast:4"
    session.workbench.simulation.scenario = Scenario(collective="all-reduce")
    assert not controls.beside.isEnabled()


def test_paused_cables_are_hatched_and_the_hot_switch_outlined(panel, session, qtbot):
    found = run(session, qtbot, INCAST)
    reach = reach_of(found, session.design)
    assert reach is not None
    assert [session.design.device(one).name for one in reach.hot] == ["leaf-01"]
    links = [link for distance in reach.by_distance for link in distance]
    assert len(set(links)) == len(links) == len({pause.place.link_id for pause in found.pauses})

    composition = Composition(session.design)
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    blank = QImage(image)
    painter = QPainter(image)
    fonts = Fonts(QFont())
    sheet = Sheet.of_view(Viewport(Camera(), 600, 400), themed("light"), fonts)
    paint(painter, pauses(composition, sheet, Detail(LinkDetail.TRUNKS), reach), fonts)
    painter.end()
    assert image != blank
    assert reach_of(None, session.design) is None


def test_pauses_are_those_of_the_current_result_not_of_a_pinned_run(panel, session, qtbot):
    run(session, qtbot, INCAST)
    assert session.workbench.heat_view.of_current
    session.workbench.pins.pin()
    session.workbench.heat_view.show_pinned(session.workbench.pins.runs[0])
    assert not session.workbench.heat_view.of_current
    session.workbench.heat_view.show_measure("mean")
    assert session.workbench.heat_view.of_current
