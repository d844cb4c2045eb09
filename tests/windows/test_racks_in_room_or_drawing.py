"""A rack stands in the room, and is drawn on the canvas where somebody asks for that: racking leaves the drawing."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from designer.model import operations
from designer.model.several import Wanted
from designer.placement import floor
from designer.placement.mounting import move_mounted
from designer.placement.rack_stacks import MOST_IN_COLUMN, racked
from designer.storage import document
from designer.windows.commands import adding

RACK = "rack-42u"


@pytest.fixture
def drawing(window, catalog):
    """Two servers and a switch that they are linked with, on the canvas."""
    session, design = window.session, window.session.design
    for number, type_id in enumerate(("nvidia-qm9700", "dgx-h100", "dgx-h100")):
        at = 200.0 * number, 300.0 * bool(number)
        session.push(operations.add_device(design, catalog.get(type_id), *at, catalog_types=catalog.types))
    leaf, *servers = design.devices
    for one in servers:
        session.push(operations.connect_devices(design, leaf, one))
    window.show()
    return servers


def add(window, count=1, name=""):
    window.session.placing.ask(Wanted(count, name))
    adding.add_type(window.desk, RACK)


def places(design, ids):
    return {one: (design.placements[one].x, design.placements[one].y) for one in ids}


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_enter_in_a_view_of_the_room_adds_racks_to_the_floor_and_not_to_the_drawing(window, drawing, view):
    design = window.session.design
    window.views.show_named(view)
    add(window, 4, "A01")
    assert [one.name for one in design.racks.values()] == ["A01", "A02", "A03", "A04"]
    assert [floor.place_of(one)[0] for one in design.racks.values()] == pytest.approx([0.0, 0.6, 1.2, 1.8])
    assert not design.racks.keys() & design.placements.keys()
    assert window.views.name == view and window.session.selection == design.racks.keys()
    assert all(window.views.current.shows(one) for one in design.racks)
    add(window)
    assert floor.place_of(list(design.racks.values())[-1]) == (2.4, 0.0), "the row goes on"


@pytest.mark.parametrize("view", ["canvas", "matrix"])
def test_enter_elsewhere_draws_the_rack_on_the_canvas_and_shows_it(window, drawing, view):
    design = window.session.design
    window.views.show_named(view)
    add(window)
    assert design.racks.keys() <= design.placements.keys()
    assert window.views.name == "canvas"


def test_racking_in_the_room_leaves_the_drawing_and_a_rack_drawn_empty_goes_from_it(window, drawing):
    session, design, (first, second) = window.session, window.session.design, drawing
    window.views.show_named("canvas")
    add(window, 2)
    one, other = design.racks
    stood = places(design, design.devices)
    session.push(racked(design, move_mounted(design, {first: (one, 1)})))
    session.push(racked(design, move_mounted(design, {second: (one, 9)})))
    assert places(design, design.devices) == stood
    assert one not in design.placements and other in design.placements
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert one in design.placements


def test_the_elevation_and_the_inspector_rack_by_the_same_rule(window, drawing):
    session, design, (first, second) = window.session, window.session.design, drawing
    add(window, 2)
    one, other = design.racks
    stood = places(design, design.devices)
    page = window.docks.inspector.device_page
    page.show_device(first)
    page._set_rack(one)
    assert design.placements[first].rack_id == one
    window.views.show_named("elevation")
    view = window.views.elevation
    view.zoom_to_fit()
    session.select([second])
    start, end = (view.box_px(entity_id).center().toPoint() for entity_id in (second, other))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, (start + end) / 2)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
    assert design.placements[second].rack_id == other
    assert places(design, design.devices) == stood and not {one, other} & design.placements.keys()


def test_what_comes_among_boxes_in_a_frame_is_stacked_with_them(window, drawing):
    session, design, (first, second) = window.session, window.session.design, drawing
    add(window)
    (rack,) = design.racks
    session.push(operations.move(design, {first: places(design, [rack])[rack]}))
    session.push(operations.mount(design, first, rack))
    session.push(racked(design, move_mounted(design, {second: (rack, 20)})))
    assert rack in design.placements and places(design, [second])[second][0] == places(design, [first])[first][0]


def test_what_goes_from_one_frame_to_another_is_drawn_there(window, drawing):
    session, design, first = window.session, window.session.design, drawing[0]
    add(window, 2)
    one, other = design.racks
    session.push(operations.mount(design, first, one))
    session.push(racked(design, move_mounted(design, {first: (other, 1)})))
    assert {one, other} <= design.placements.keys()
    assert places(design, [first])[first][0] == places(design, [other])[other][0]


def test_a_rack_is_taken_off_the_canvas_and_drawn_again_with_what_is_in_it(window, drawing, catalog):
    session, design = window.session, window.session.design
    window.views.show_named("floor")
    add(window, 2)
    one, other = design.racks
    for _ in range(MOST_IN_COLUMN + 1):
        qm9700 = catalog.get("nvidia-qm9700")
        session.push(operations.add_device(design, qm9700, 900.0, 0.0, catalog_types=catalog.types, rack_id=one))
    session.select([one, other])
    before = document.encode(design)
    assert not window.actions_table.rows["room.off_canvas"].enabled(window.desk)
    window.actions_table.trigger("room.on_canvas")
    assert window.views.name == "canvas" and {one, other} <= design.placements.keys()
    frames = {box.id: box.rect for box in window.views.canvas.fabric.composition.containers}
    boxes = [window.views.canvas.fabric.rect_of(device) for device in design.mounted(one)]
    left, top, right, bottom = frames[one]
    assert all(left < box[0] and top < box[1] and box[2] < right and box[3] < bottom for box in boxes)
    assert frames[other][0] >= right, "they stand side by side"
    drawn = places(design, design.devices)
    assert not window.actions_table.rows["room.on_canvas"].enabled(window.desk)
    window.actions_table.trigger("room.off_canvas")
    assert not {one, other} & design.placements.keys() and places(design, design.devices) == drawn
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert document.encode(design) == before
