"""The page of the design names the families of its generated fabrics and their parameters."""

import pytest

from designer.analysis.summary import summarize
from designer.analysis.summary_text import summary_facts
from designer.panels.inspector.panel import InspectorPanel
from designer.regeneration import recipes


@pytest.fixture
def inspector(qtbot, session, appearance):
    panel = InspectorPanel(session, appearance)
    qtbot.addWidget(panel)
    panel.show()
    return panel


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("torus", ("4 x 4 x 4 torus (3 dimensions)", "torus links at", "Diameter: 6 hops")),
        ("dragonfly", ("Dragonfly, p = 2, a = 4, h = 2, g = 9", "1 global link between every two groups")),
    ],
)
def test_a_generated_fabric_is_named_with_its_parameters(inspector, session, qtbot, family, words):
    page, row = inspector.design_page, recipes.family_named(family)
    assert page.topology.isHidden()
    session.push(recipes.generated(session.design, row, row.parameters(), session.catalog))
    qtbot.waitUntil(lambda: not page.topology.isHidden(), timeout=60_000)
    said = page.topology.text() + "\n" + page.networks["compute"][1].text()
    assert all(one in said for one in words), said
    figures = dict(summary_facts(summarize(session.design), session.design))
    for title, name in (("Bisection", "bisection"), ("Cables and optics", "parts"), ("Power", "power")):
        assert f"{title}: {figures[name]}" in page.figures.text()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: page.topology.isHidden(), timeout=60_000)
    assert page.figures.isHidden()
