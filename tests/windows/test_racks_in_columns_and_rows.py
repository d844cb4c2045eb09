"""Array and Set Spacing arrange racks where the floor plan is in front, with the bar and the preview of the canvas."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from designer.model import operations
from designer.model.equipping import mount
from designer.placement import floor
from designer.storage import document
from designer.windows.commands.transform_commands import TIDY


@pytest.fixture
def row(window, catalog):
    """Two racks side by side on the floor, a server in each; both are selected, and the floor plan is in front."""
    session, design = window.session, window.session.design
    for number in range(2):
        session.push(operations.add_rack(design, catalog.get("rack-42u"), 300.0 * number, 0, f"A0{number + 1}"))
        session.push(
            operations.add_device(design, catalog.get("dgx-h100"), 300.0 * number, 300.0, catalog_types=catalog.types)
        )
    racks, servers = list(design.racks), list(design.devices)
    for rack_id, server in zip(racks, servers, strict=True):
        session.push(mount(design, server, rack_id, 1))
    session.push(floor.place_racks(design, {racks[0]: (0.0, 0.0), racks[1]: (0.6, 0.0)}))
    window.views.show_view(window.views.floor)
    session.select(racks)
    return racks


def fields(bar):
    return {name: held.findChild(QLineEdit, "editor") for name, held in bar._fields.items()}


def places(window):
    return [floor.place_of(rack) for rack in window.session.design.racks.values()]


def test_an_array_of_racks_is_outlined_on_the_floor_and_undone_in_one_step(window, row, qtbot):
    session, bar, plan = window.session, window.construction, window.views.floor.floor
    before, camera = document.encode(session.design), window.views.floor.camera
    window.actions_table.trigger("arrange.array")
    assert window.views.current is window.views.floor and bar.title.text() == "Array"
    typed = fields(bar)
    assert [typed[one].text() for one in ("columns", "rows", "gap_x", "gap_y")] == ["4", "1", "0.0", "1.2"]
    typed["columns"].setText("2")
    typed["rows"].setText("2")
    typed["gap_x"].setText("0.6")
    typed["name"].setText("B01")
    bar.refresh()
    new = {(1.8, 0.0), (2.4, 0.0), (0.0, 2.4), (0.6, 2.4), (1.8, 2.4), (2.4, 2.4)}
    assert set(plan._previewed) == new and document.encode(session.design) == before
    assert "Named B01 to B08." in bar.text.text()
    assert window.views.floor.box_px(row[0]).left() >= 0
    bar.accept()
    assert set(places(window)) == new | {(0.0, 0.0), (0.6, 0.0)} and not bar.isVisible()
    assert not plan._previewed and len(session.selected.racks) == 8
    assert sorted(rack.name for rack in session.design.racks.values()) == [f"B0{number}" for number in range(1, 9)]
    assert len(session.design.devices) == 8
    session.undo_stack.undo()
    assert document.encode(session.design) == before
    window.views.floor.move_camera(camera)


def test_racks_are_spaced_in_meters_on_the_floor(window, row):
    session, bar, plan = window.session, window.construction, window.views.floor.floor
    drawn = dict(session.design.placements)
    window.actions_table.trigger("arrange.spacing")
    fields(bar)["gap"].setText("1.2")
    bar.refresh()
    assert plan._previewed == ((1.8, 0.0),)
    bar.accept()
    assert places(window) == [(0.0, 0.0), (1.8, 0.0)] and dict(session.design.placements) == drawn
    session.undo_stack.undo()
    assert places(window) == [(0.0, 0.0), (0.6, 0.0)]


def test_what_the_floor_cannot_hold_is_refused_with_the_reason(window, row):
    bar, before = window.construction, places(window)
    session = window.session
    session.push(operations.add_rack(session.design, window.desk.catalog.get("rack-42u"), 0, 900.0, "C01"))
    other = list(session.design.racks)[-1]
    session.push(floor.place_racks(session.design, {other: (1.2, 0.0)}))
    session.select(row)
    window.actions_table.trigger("arrange.array")
    assert "would stand on the same floor" in bar.text.text() and not bar.do_button.isEnabled()
    assert not window.views.floor.floor._previewed
    assert places(window)[:2] == before


def test_esc_or_another_view_ends_the_preview_on_the_floor(window, row, qtbot):
    bar, view = window.construction, window.views.floor
    view.zoom_to_fit()
    camera = view.camera
    window.actions_table.trigger("arrange.array")
    fields(bar)["rows"].setText("9")
    bar.refresh()
    assert len(view.floor._previewed) == 70 and view.camera != camera
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert not bar.isVisible() and not view.floor._previewed and view.camera == camera
    window.actions_table.trigger("arrange.array")
    window.views.show_canvas()
    assert not bar.isVisible() and not view.floor._previewed
    window.actions_table.trigger("arrange.array")
    assert window.views.current is window.views.canvas and not view.floor._previewed


@pytest.mark.own_window
def test_another_construction_elsewhere_takes_the_place_of_that_on_the_floor(window, row):
    bar, view = window.construction, window.views.floor
    window.actions_table.trigger("view.all_views")
    window.views.show_view(view)
    window.actions_table.trigger("arrange.array")
    assert view.floor._previewed and view.isVisible()
    bar.open(TIDY)
    assert view.isVisible() and not view.floor._previewed
    assert bar.shown == "arrange.tidy" and window.views.current is window.views.canvas


@pytest.mark.own_window
def test_the_keyboard_goes_back_to_the_floor(window, row, qtbot):
    bar, view = window.construction, window.views.floor
    window.actions_table.trigger("view.all_views")
    window.views.show_view(view)
    window.actions_table.trigger("arrange.array")
    assert bar.isAncestorOf(window.focusWidget())
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert window.focusWidget() is view


def test_without_a_rack_on_the_floor_an_array_is_off_there(window, row):
    window.session.push(floor.place_racks(window.session.design, dict.fromkeys(row)))  # they wait for a place
    for action_id, reason in (("arrange.array", "Select a device"), ("arrange.spacing", "Select two")):
        rows = window.actions_table.rows[action_id]
        assert not rows.enabled(window.desk) and rows.reason_on(window.desk).startswith(reason)
