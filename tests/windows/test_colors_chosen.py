"""What colors tell is chosen in the View menu, remembered with the design, and explained by a legend that moves."""

import pytest
from PySide6.QtCore import QPoint, Qt

from designer.storage import document
from designer.topologies import rail_optimized


@pytest.fixture
def pod(window, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=4)
    window.session.push(rail_optimized.build(window.session.design, parameters, catalog))
    window.resize(1100, 700)
    window.show()
    return window.session.design


def plate_of(canvas):
    canvas.grab()
    (group,) = canvas.fabric.key_plate.parts(canvas.sight, canvas.fabric._fonts)
    return group.at


def test_colors_are_chosen_once_and_undone_like_any_edit(window, pod):
    actions, canvas = window.actions_table, window.views.canvas
    actions.trigger("color.links.rail")
    canvas.grab()
    assert pod.settings.color_links_by == "rail"
    assert actions["color.links.rail"].isChecked() and not actions["color.links.network"].isChecked()
    assert [key.title for key in canvas.fabric.key_plate._keys] == ["Links by rail"]
    actions.trigger("edit.undo")
    canvas.grab()
    assert pod.settings.color_links_by == "network"
    assert canvas.fabric.key_plate._keys == ()


def test_how_links_run_is_chosen_in_the_menu_and_in_the_inspector_and_undone_like_any_edit(window, pod):
    actions, canvas = window.actions_table, window.views.canvas
    straight = canvas.fabric.composition.link_paths.bent.any()
    actions.trigger("lines.orthogonal")
    assert pod.settings.link_lines == "orthogonal"
    assert actions["lines.orthogonal"].isChecked() and not actions["lines.automatic"].isChecked()
    assert not straight and canvas.fabric.composition.link_paths.bent.any()
    actions.trigger("edit.undo")
    assert pod.settings.link_lines == "automatic" and not canvas.fabric.composition.link_paths.bent.any()
    choice = window.docks.inspector.design_page.fields["link_lines"]
    choice.activated.emit([value for value, _ in choice._choices].index("straight"))
    assert pod.settings.link_lines == "straight"


def test_the_legend_is_dragged_to_another_corner_and_a_click_folds_it(window, pod, qtbot):
    canvas = window.views.canvas
    window.session.is_key_folded = False
    window.actions_table.trigger("color.devices.rail")
    left, top = plate_of(canvas)
    assert left > canvas.width() / 2 and top < canvas.height() / 2
    grip = QPoint(int(left) + 20, int(top) + 10)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=grip)
    qtbot.mouseMove(canvas, QPoint(60, canvas.height() - 150))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(60, canvas.height() - 150))
    moved_left, moved_top = plate_of(canvas)
    assert moved_left < left and moved_top > top
    assert window.session.key_corner == (0, 1)
    assert not window.session.selection
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(int(moved_left) + 20, int(moved_top) + 10))
    assert window.session.is_key_folded
    assert plate_of(canvas)[1] > moved_top, "folded, it stands at the foot"


def test_a_drag_of_the_legend_that_is_cancelled_puts_it_back(window, pod, qtbot):
    canvas = window.views.canvas
    window.actions_table.trigger("color.devices.rail")
    left, top = plate_of(canvas)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(int(left) + 20, int(top) + 10))
    qtbot.mouseMove(canvas, QPoint(60, 300))
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert plate_of(canvas) == (left, top)
    assert not canvas.gesture.active


def test_a_device_gets_a_color_of_its_own_and_others_keep_theirs(window, pod):
    leaf = next(one for one in pod.devices.values() if one.role == "leaf")
    window.session.select([leaf.id])
    window.actions_table.trigger("look.color")
    red = next(choice for choice in window.picker._choices if choice.text == "Red")
    red.run()
    assert pod.devices[leaf.id].colour == "#c8321e"
    assert pod.settings.color_devices_by == "kind"
    window.views.canvas.grab()
    (key,) = (one for one in window.views.canvas.fabric.key_plate._keys if not one.is_of_links)
    assert [(one.text, one.colour) for one in key.swatches] == [("Red", "#c8321e")]
    window.actions_table.trigger("edit.undo")
    assert pod.devices[leaf.id].colour == ""


def test_links_get_colors_and_styles_of_their_own_by_the_commands_of_devices_and_annotations(window, pod):
    session, trigger = window.session, window.actions_table.trigger
    leaf = next(one for one in pod.devices.values() if one.role == "leaf")
    links = [one.id for one in pod.links_of(leaf.id)][:3]
    before = document.encode(pod)

    def choose(command, text):
        trigger(command)
        next(choice for choice in window.picker._choices if choice.text == text).run()

    session.select([leaf.id, *links])
    choose("look.color", "Red")
    assert pod.devices[leaf.id].colour == "#c8321e" == pod.links[links[2]].line_colour
    trigger("edit.undo")
    assert document.encode(pod) == before, "one step"
    session.select(links)
    choose("look.color", "Red")
    trigger("style.new")
    window.picker.line.setText("Customer")
    window.picker._shown[0].run()
    session.select([other := next(one for one in pod.links if one not in links)])
    choose("style.apply", "Customer")
    trigger("style.select")
    assert session.selection == {other, *links}
    window.views.canvas.grab()
    (key,) = (one for one in window.views.canvas.fabric.key_plate._keys if one.is_of_links)
    assert "Customer" in [one.text for one in key.swatches]
    trigger("style.delete")
    assert not pod.annotation_styles and pod.links[other].line_colour == "#c8321e"


def test_colors_by_status_follow_what_is_marked_as_failed(window, pod):
    leaf = next(one for one in pod.devices.values() if one.role == "leaf")
    window.actions_table.trigger("color.devices.status")
    window.session.select([leaf.id])
    window.actions_table.trigger("simulate.fail")
    canvas = window.views.canvas
    canvas.grab()
    (key,) = (one for one in canvas.fabric.key_plate._keys if not one.is_of_links)
    assert "Failed" in [swatch.text for swatch in key.swatches]


@pytest.mark.parametrize("view", ["floor", "elevation"])
def test_a_color_of_devices_leaves_the_room_view_and_the_keyboard_where_they_are(window, pod, qtbot, view):
    views, trigger = window.views, window.actions_table.trigger
    trigger(f"view.{view}")
    shown = views.current
    qtbot.waitUntil(shown.hasFocus)
    trigger("color.devices.rail")
    assert pod.settings.color_devices_by == "rail"
    assert views.current is shown and shown.isVisible() and shown.hasFocus()
    trigger("view.matrix")
    trigger("color.devices.role")
    assert views.current is views.canvas, "the matrix has no colors of devices"


@pytest.mark.parametrize("command", ["color.links.rail", "lines.orthogonal"])
def test_a_command_that_leads_to_the_canvas_gives_it_the_keyboard_of_the_view_that_goes(window, pod, qtbot, command):
    views, trigger = window.views, window.actions_table.trigger
    trigger("view.elevation")
    qtbot.waitUntil(views.elevation.hasFocus)
    trigger(command)
    assert views.current is views.canvas
    qtbot.waitUntil(views.canvas.hasFocus)


def test_a_command_that_leads_to_the_canvas_leaves_the_keyboard_to_a_panel_that_has_it(window, pod, qtbot):
    trigger, search = window.actions_table.trigger, window.docks.palette.search
    trigger("view.elevation")
    search.setFocus()
    qtbot.waitUntil(search.hasFocus)
    trigger("color.links.rail")
    assert window.views.current is window.views.canvas and search.hasFocus()
