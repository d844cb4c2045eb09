"""Floor plan and elevation say what they do not show, as it is in no rack, and lead to mounting it."""

import pytest

from designer.model import operations
from designer.model.equipping import mount
from designer.windows.shell.floor_bar import in_no_rack


@pytest.fixture
def window(window, catalog):
    """Two servers and a switch, in no rack."""
    session = window.session
    for x, type_id in ((0, "dgx-h100"), (300, "dgx-h100"), (600, "nvidia-qm9700")):
        session.push(operations.add_device(session.design, catalog.get(type_id), x, 0, catalog_types=catalog.types))
    return window


def seen(window, qtbot, view):
    window.actions_table.trigger(f"view.{view}")
    note = window.in_no_rack[["floor", "elevation"].index(view)]
    qtbot.waitUntil(note.isVisible)
    return note


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_a_view_of_racks_counts_what_is_in_none(window, qtbot, view):
    note = seen(window, qtbot, view)
    assert note.text.text() == "All 2 servers and 1 switch are in no rack"
    assert window.views.current.rect().contains(note.geometry())


def test_what_is_in_no_rack_is_selected_by_a_click(window, qtbot):
    seen(window, qtbot, "floor").select.click()
    assert window.session.selection == frozenset(window.session.design.devices)


def test_what_is_in_no_rack_is_mounted_from_there_whatever_is_selected(window, qtbot):
    note = seen(window, qtbot, "elevation")
    window.session.select([next(iter(window.session.design.devices))])
    note.put.click()
    qtbot.waitUntil(window.construction.isVisible)
    assert "moves 3 devices" in window.construction.text.text()
    window.construction.do_button.click()
    window.actions_table.trigger("view.elevation")
    qtbot.waitUntil(note.isHidden)
    assert in_no_rack(window.session.design) == ()


def test_the_note_follows_edits_and_undo(window, qtbot, catalog):
    note, session = seen(window, qtbot, "floor"), window.session
    session.push(operations.add_rack(session.design, catalog.get("rack-42u"), 0, 0))
    (rack,) = session.design.racks
    switch = session.design.switches()[0]
    session.push(mount(session.design, switch.id, rack, 40))
    qtbot.waitUntil(lambda: note.text.text() == "2 servers are in no rack")
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: note.text.text() == "All 2 servers and 1 switch are in no rack")
