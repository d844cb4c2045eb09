"""Every command and key that moves things moves those that the view in front shows, or is off there and says why."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations
from designer.model.bookmark import CANVAS, ELEVATION, FLOOR, MATRIX, VIEWS
from designer.model.entities import Placement, Rack
from designer.model.fixture import Fixture
from designer.model.furnishing import add_fixture
from designer.placement import floor
from designer.storage import document
from designer.windows.commands.menu_rows import MENUS

FIRST, LAST = "arrange.tidy", "arrange.lock"
MOVED_IN = {CANVAS: Placement, FLOOR: (Rack, Fixture)}


def arranging():
    """The ids of the menu Arrange from Tidy to Lock Place, those of its submenus too."""
    entries = dict(MENUS)["&Arrange"]
    between = entries[entries.index(FIRST) : entries.index(LAST) + 1]
    found = [one for entry in between for one in (entry[1] if isinstance(entry, tuple) else (entry,))]
    return [one for one in found if one is not None]


@pytest.fixture
def hall(window, catalog):
    """Three racks with a server in each and three servers in none, all of them out of line; a wall; all selected."""
    session, design = window.session, window.session.design
    for number in range(6):
        at = 190.0 * number, 37.0 * number * number
        session.push(operations.add_device(design, catalog.get("dgx-h100"), *at, catalog_types=catalog.types))
    for number in range(3):
        at = 190.0 * number, 900.0 + 41.0 * number * number
        session.push(operations.add_rack(design, catalog.get("rack-42u"), *at, f"rack-{number}"))
    devices, racks = list(design.devices), list(design.racks)
    for device, rack in zip(devices, racks, strict=False):
        session.push(operations.mount(design, device, rack))
    places = {one: (n * n * 1.1, 10.0 + 2.0 * n * n) for n, one in enumerate(racks)}
    session.push(floor.place_racks(design, places))
    session.push(add_fixture(design, "wall", (20.0, 20.0, 24.0, 20.3)))
    session.select([*devices, *racks, *design.fixtures])
    window.show()
    return devices


def done_by(window, action_id):
    """The changes that the command makes; None where it is off and says why."""
    session, bar, edits = window.session, window.construction, []
    before = document.encode(session.design)
    session.changed.connect(edits.append)
    row = window.actions_table.rows[action_id]
    window.actions_table.trigger(action_id)
    if bar.isVisible():
        bar.accept()
    session.changed.disconnect(edits.append)
    if row.enabled(window.desk):
        return [change for edit in edits for change in edit.changes]
    assert document.encode(session.design) == before and row.reason_on(window.desk), action_id
    assert not window.actions_table[action_id].isEnabled(), action_id
    assert row.reason_on(window.desk) in window.actions_table[action_id].toolTip(), action_id
    return None


@pytest.mark.parametrize("view", VIEWS)
def test_a_command_moves_what_the_view_in_front_shows_or_is_off_and_says_why(window, hall, qtbot, view):
    session, stack = window.session, window.session.undo_stack
    selected, laid_out = session.selection, stack.index()
    for action_id in arranging():
        session.select(hall[3:5] if action_id == "arrange.swap" else selected)
        window.views.show_named(view)
        changes = done_by(window, action_id)
        if changes is not None:
            assert changes and view in MOVED_IN, f"{action_id} is enabled where nothing is seen to move"
            moved = [change.before for change in changes if change.before is not None]
            assert all(isinstance(one, MOVED_IN[view]) for one in moved), action_id
        while stack.index() > laid_out:
            stack.undo()


@pytest.mark.parametrize("view", VIEWS)
def test_arrow_keys_move_what_the_view_in_front_shows(window, hall, qtbot, view):
    session, design, edits = window.session, window.session.design, []
    window.views.show_named(view)
    places = dict(design.placements)
    racks = dict(design.racks)
    session.changed.connect(edits.append)
    qtbot.keyClick(window.views.current, Qt.Key.Key_Up)
    moved = {one for one, place in design.placements.items() if (place.x, place.y) != (places[one].x, places[one].y)}
    assert bool(edits) == (view != MATRIX)
    if view == CANVAS:
        assert moved.issuperset(hall) and racks == design.racks
    if view == FLOOR:
        assert not moved and all(racks[one].y_m != design.racks[one].y_m for one in racks)
    if view == ELEVATION:
        assert not moved.intersection(hall[3:]) and racks == design.racks
        assert all(places[one].unit != design.placements[one].unit for one in hall[:3])


def test_align_in_the_elevation_leaves_the_drawing_alone_and_says_what_to_show(window, hall):
    window.views.show_view(window.views.elevation)
    row = window.actions_table.rows["align.left"]
    assert row.reason_on(window.desk) == "Show the canvas or the floor plan first: this command arranges it."
    window.views.show_canvas()
    window.session.select([])
    assert row.reason_on(window.desk) == row.reason == "Select two devices or racks or more."
