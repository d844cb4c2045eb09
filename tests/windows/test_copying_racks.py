"""A rack is copied with what stands in it by every way that copies, in every view, and comes to the floor beside it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from designer.drawing.room.floor_plan import PER_M
from designer.model import operations
from designer.model.entities import order_key
from designer.placement import floor
from designer.storage import document
from tests.windows.floor_by_hand import px

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
VIEWS = ("canvas", "floor", "elevation", "matrix")


@pytest.fixture
def row(window, catalog):
    """Racks A01 and A02 side by side on the floor, with a server and a switch that are linked in the first."""
    session, design = window.session, window.session.design
    for name in ("A01", "A02"):
        session.push(operations.add_rack(design, catalog.get("rack-42u"), 0.0, 0.0, name))
    first, second = design.racks
    session.push(floor.place_racks(design, {first: (0.0, 0.0), second: (0.6, 0.0)}))
    for number, type_id in enumerate(("dgx-h100", "nvidia-qm9700")):
        session.push(operations.add_device(design, catalog.get(type_id), 0, 90 * number, catalog_types=catalog.types))
    server, leaf = design.devices
    session.push(operations.connect_devices(design, server, leaf))
    for one in (server, leaf):
        session.push(operations.mount(design, one, first))
    window.resize(1100, 700)
    window.show()
    return first, second


def the_copy(window, before):
    (new,) = sorted(window.session.design.racks.keys() - before, key=order_key)
    return new


def held_in(design, rack_id):
    return sorted((design.device(one).type_id, design.placements[one].unit) for one in design.mounted(rack_id))


def press(window, *actions):
    for one in actions:
        assert window.actions_table.rows[one].enabled(window.desk)
        window.actions_table.trigger(one)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("actions", [("edit.duplicate",), ("room.copy_rack",), ("edit.copy", "edit.paste_in_place")])
def test_every_command_that_copies_takes_a_rack_with_its_content_and_stands_it_in_the_row(window, row, view, actions):
    design, session = window.session.design, window.session
    window.views.show_named(view)
    session.select([row[0]])
    before, n_links = document.encode(design), len(design.links)
    press(window, *actions)
    copy = the_copy(window, set(row))
    assert design.racks[copy].name == "A03"
    assert floor.place_of(design.racks[copy]) == (1.2, 0.0), "the first free place to the right"
    assert held_in(design, copy) == held_in(design, row[0])
    assert len(design.links) == n_links + 1
    session.undo_stack.undo()
    assert document.encode(design) == before


def test_the_copy_is_selected_and_the_next_stands_beside_it(window, row):
    session, design = window.session, window.session.design
    window.views.show_named("floor")
    session.select([row[1]])
    press(window, "edit.duplicate")
    assert session.selection == {the_copy(window, set(row))}
    press(window, "edit.duplicate")
    assert sorted(floor.place_of(one)[0] for one in design.racks.values()) == [0.0, 0.6, 1.2, 1.8]


def drag(view, start, end, keys):
    QTest.mousePress(view, LEFT, keys, start)
    for share in range(1, 5):
        QTest.mouseMove(view, start + (end - start) * share / 4)
        view.repaint()
    QTest.mouseRelease(view, LEFT, keys, end)


def test_dragged_with_control_over_the_floor_a_copy_stands_where_it_is_let_go(window, row):
    session, design = window.session, window.session.design
    window.views.show_named("floor")
    view = window.views.floor
    view.zoom_to_fit()
    session.select([])
    drag(view, px(view, 0.0, 0.0), px(view, 0.0, -1.8), CONTROL)
    copy = the_copy(window, set(row))
    assert floor.place_of(design.racks[copy]) == pytest.approx((0.0, -1.8), abs=0.06)
    assert floor.place_of(design.racks[row[0]]) == (0.0, 0.0)
    assert held_in(design, copy) == held_in(design, row[0]) and session.selection == {copy}
    assert session.undo_stack.undoText().startswith("Duplicate")


def test_what_was_cut_is_pasted_around_the_pointer_on_the_floor(window, row):
    session, design = window.session, window.session.design
    window.views.show_named("floor")
    view = window.views.floor
    view.zoom_to_fit()
    session.select(row)
    held = held_in(design, row[0])
    press(window, "edit.cut")
    assert not design.racks and not design.devices
    QTest.mouseMove(view, view.rect().center())
    QTest.mouseMove(view, view.rect().center() + QPoint(60, 40))
    at = view.pointer_spot()
    press(window, "edit.paste")
    first, second = sorted(design.racks, key=order_key)
    middle = [sum(ones) / 2 for ones in zip(*map(floor.place_of, map(design.racks.get, (first, second))), strict=True)]
    assert middle == pytest.approx([at[0] / PER_M, at[1] / PER_M], abs=0.06)
    assert held_in(design, first) == held


def test_devices_dragged_with_control_in_the_elevation_are_copied_into_the_units(window, row):
    session, design = window.session, window.session.design
    window.views.show_named("elevation")
    view = window.views.elevation
    view.zoom_to_fit()
    server = next(one for one in design.devices if design.is_server(one))
    frame = next(frame for frame in view.racks.frames if frame.rack_id == row[1])
    unit = design.placements[server].unit
    session.select([])
    drag(
        view,
        view.box_px(server).center().toPoint(),
        view.sight.px(frame.rect_of_units(20, 1)).center().toPoint(),
        CONTROL,
    )
    (copy,) = (one for one in design.mounted(row[1]) if one in design.devices)
    assert design.placements[copy].unit <= 20 < design.placements[copy].unit + 8
    assert (design.placements[server].rack_id, design.placements[server].unit) == (row[0], unit)
    taken = view.sight.px(frame.rect_of_units(design.placements[copy].unit, 1)).center().toPoint()
    said = []
    session.message.connect(said.append)
    drag(view, view.box_px(server).center().toPoint(), taken, CONTROL)
    assert len(design.devices) == 3 and "is taken by" in said[0]
