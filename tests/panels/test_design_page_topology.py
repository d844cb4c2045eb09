"""The page of the design names the families of its generated fabrics and their parameters."""

from pathlib import Path

import pytest

from designer.analysis.summary_text import figures
from designer.model.design import Design
from designer.panels.inspector.panel import InspectorPanel
from designer.regeneration import recipes
from designer.storage import document
from designer.topologies import fat_tree

EXAMPLES = Path(__file__).parents[2] / "examples"


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
    assert page.figures.text() == "\n".join(figures(session.design))
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: page.topology.isHidden(), timeout=60_000)
    assert page.figures.isHidden()


def test_figures_are_stated_in_plain_words_with_units(catalog):
    def generated(**values):
        design = Design()
        parameters = fat_tree.FatTreeParameters(switch="generic-switch-8x400g", server="generic-host", **values)
        design.apply(recipes.generated(design, recipes.family_named("fat-tree"), parameters, catalog))
        return design

    bare = generated(servers=8, racks="none")
    assert figures(bare) == (
        "Bisection bandwidth: 1.6 Tb/s",
        "Diameter: 2 hops from switch to switch",
        "Cables: 16 (no fiber)",
        "Cages in use: 32",
        "No link has a cable selected yet, and each counts as one cable.",
        "Built with optics, they would add 16 fiber cables and 32 transceivers.",
        "Power: not known for any device",
    )
    pod = figures(document.load(EXAMPLES / "superpod-h100-4su.fabric"))
    assert "Cables: 2,040 (all fiber)" in pod
    assert "Transceivers: 2,044 (1,536 in switches, 508 in servers)" in pod
    assert pod[-1] == "Power of optics is not included."
