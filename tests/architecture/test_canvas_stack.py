"""The canvas has one stack of views and tools."""

ROOM = "designer.canvas"


def test_mouse_and_keys_are_handled_in_one_place(modules):
    """A view of something else is a subject on the same stage, not another widget that handles the same events."""
    handlers = {"mousePressEvent", "mouseMoveEvent", "wheelEvent", "keyPressEvent", "dropEvent", "contextMenuEvent"}
    places = {
        name: [one.name for one in modules if one.name.startswith(ROOM) and f"def {name}(" in one.source]
        for name in sorted(handlers)
    }
    assert {name for name, found in places.items() if len(found) != 1} == set()
