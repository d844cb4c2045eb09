"""The canvas has one stack of views and tools: no module needs another that needs it, no class does everything."""

from pathlib import Path

import figures
import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOM = "designer.canvas"
MOST_METHODS = 30


@pytest.fixture(scope="module")
def modules():
    return figures.modules_of(ROOT)


def test_no_module_of_the_canvas_is_in_a_cycle_even_for_typing_or_inside_functions(modules):
    graph = figures.imports(modules)
    cycles = [sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1]
    assert len(graph) > 400
    assert [group for group in cycles if any(name.startswith(ROOM) for name in group)] == []


def test_no_class_of_the_canvas_has_more_methods_than_one_reads_through(modules):
    counts = dict(row for one in modules if one.name.startswith(ROOM) for row in figures.methods_in(one))
    assert "canvas.stage_view.StageView" in counts
    assert {name: n for name, n in counts.items() if n > MOST_METHODS} == {}


def test_mouse_and_keys_are_handled_in_one_place(modules):
    """A view of something else is a subject on the same stage, not another widget that handles the same events."""
    handlers = {"mousePressEvent", "mouseMoveEvent", "wheelEvent", "keyPressEvent", "dropEvent", "contextMenuEvent"}
    places = {
        name: [one.name for one in modules if one.name.startswith(ROOM) and f"def {name}(" in one.source]
        for name in sorted(handlers)
    }
    assert {name for name, found in places.items() if len(found) != 1} == set()
