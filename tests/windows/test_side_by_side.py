"""Views side by side and breadcrumbs, by mouse and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from designer.analysis.trail import MOST_NAMED, trail
from designer.model import collapsing, operations
from designer.model.annotating import annotate
from designer.storage import document
from designer.windows.shell import pane_layout
from designer.windows.shell.crumbs import MOST_STEP_PX
from designer.windows.shell.pane_grid import LAYOUT
from designer.windows.shell.pane_layout import ALL_FOUR, SECOND, PaneLayout
from designer.windows.shell.views import Views

pytestmark = pytest.mark.own_window


@pytest.fixture
def pod(window):
    window.session.replace(document.load("examples/superpod-h100-4su.fabric"), None)
    return window


@pytest.fixture(scope="module")
def design():
    return document.load("examples/superpod-h100-4su.fabric")


def group(design, name):
    return next(one.id for one in design.groups.values() if one.name == name)


def titles(steps):
    return [step.title for step in steps]


def click(qtbot, view, entity_id):
    spot = view.box_px(entity_id).center().toPoint()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot)


# -- the layout ---------------------------------------------------------------------------------------------------


def test_layouts_split_swap_close_and_are_read_back():
    layout = PaneLayout().split_right("canvas", "matrix").split_down("canvas", "floor")
    assert layout.columns == (("canvas", "floor"), ("matrix",))
    assert layout.missing == ("elevation", SECOND)
    assert layout.with_view("floor", "elevation").columns == (("canvas", "elevation"), ("matrix",))
    assert layout.with_view("floor", "matrix").columns == (("canvas", "matrix"), ("floor",))
    assert layout.without("matrix").columns == (("canvas", "floor"),)
    assert PaneLayout().without("canvas") == PaneLayout()
    assert pane_layout.read(str(layout)) == layout


@pytest.mark.parametrize("text", ["", "canvas,canvas", "sky", "canvas||matrix", "canvas|sky", "|"])
def test_a_layout_that_cannot_be_is_the_canvas_alone(text):
    assert pane_layout.read(text) == PaneLayout()


# -- trails -------------------------------------------------------------------------------------------------------


def test_a_device_is_in_its_groups_and_rack_and_in_its_room_row_and_rack(design):
    gpu = design.find("gpu-040").id
    assert titles(trail(design, [gpu])) == ["DGX SuperPOD H100, 4 SU", "Rail-optimized", "SU 2", "rack-10", "gpu-040"]
    assert titles(trail(design, [gpu], in_room=True)) == ["Room", "Row B", "rack-10", "gpu-040"]
    rack = design.placements[gpu].rack_id
    assert titles(trail(design, [rack], in_room=True)) == ["Room", "Row B", "rack-10"]


def test_several_things_share_what_all_of_them_are_in(design):
    one, near, far = (design.find(name).id for name in ("gpu-040", "gpu-041", "gpu-070"))
    assert titles(trail(design, [one, near]))[-2:] == ["SU 2", "2 devices selected"]
    assert titles(trail(design, [one, far]))[-2:] == ["Rail-optimized", "2 devices selected"]
    everything = list(design.links)
    assert titles(trail(design, everything)) == ["DGX SuperPOD H100, 4 SU", "Rail-optimized", "2,040 links selected"]
    very_many = frozenset(map(str, range(MOST_NAMED + 1)))
    assert trail(design, very_many)[-1].ids is very_many, "not written out again"


def test_annotations_are_named_by_their_words_or_by_what_they_are(design):
    design.apply(annotate(design, "zone", (0.0, 0.0), (90.0, 90.0), text="Storage"))
    design.apply(annotate(design, "legend", (0.0, 0.0), (90.0, 90.0)))
    assert [trail(design, [one])[-1].title for one in design.annotations] == ["Storage", "Legend"]


def test_links_modules_groups_and_nothing_have_trails(design):
    gpu = design.find("gpu-040").id
    link = next(one.id for one in design.links.values() if gpu in (one.a.device_id, one.b.device_id))
    assert titles(trail(design, [link]))[2] == "SU 2"
    assert "gpu-040" in trail(design, [link])[-1].title
    module = design.modules_of(gpu)[0].id
    assert titles(trail(design, [module]))[-2:] == ["gpu-040", "rail1"]
    assert titles(trail(design, [group(design, "SU 3")])) == ["DGX SuperPOD H100, 4 SU", "Rail-optimized", "SU 3"]
    assert titles(trail(design, [])) == ["DGX SuperPOD H100, 4 SU"]


# -- panes in the window ------------------------------------------------------------------------------------------


def test_splitting_shows_another_view_and_closing_takes_it_away(pod, qtbot):
    views = pod.views
    qtbot.keyClick(pod, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert str(views.layout_shown) == "canvas|matrix"
    assert views.current is views.matrix
    assert views.canvas.isVisible()
    assert views.matrix.isVisible()
    assert views.canvas.width() < pod.width() / 2
    pod.actions_table.trigger("view.split_down")
    assert str(views.layout_shown) == "canvas|matrix,floor"
    qtbot.mouseClick(views.panes["matrix"].buttons["close"], Qt.MouseButton.LeftButton)
    assert str(views.layout_shown) == "canvas|floor"
    assert not views.matrix.isVisible()
    pod.actions_table.trigger("view.one_view")
    assert views.layout_shown.names == (views.name,)


def test_a_click_makes_a_pane_current_and_commands_are_about_it(pod, qtbot):
    views = pod.views
    pod.actions_table.trigger("view.all_views")
    assert views.layout_shown == ALL_FOUR
    qtbot.mouseClick(views.floor, Qt.MouseButton.LeftButton, pos=views.floor.rect().bottomRight() / 1.1)
    assert views.name == "floor"
    assert views.panes["floor"].bar.property("mark") == "active"
    assert not views.panes["canvas"].bar.property("mark")
    before, canvas = views.floor.camera, views.canvas.camera
    pod.actions_table.trigger("view.zoom_in")
    assert views.floor.camera.scale > before.scale
    assert views.canvas.camera == canvas
    pod.actions_table.trigger("view.canvas")
    assert views.layout_shown == ALL_FOUR
    assert views.name == "canvas"


def test_a_view_that_is_not_seen_takes_the_place_of_the_current_one(pod):
    views = pod.views
    pod.actions_table.trigger("view.split_right")
    pod.actions_table.trigger("view.elevation")
    assert str(views.layout_shown) == "canvas|elevation"
    menu = views.panes["canvas"].views_menu()
    next(action for action in menu.actions() if action.text() == "Rack elevation").trigger()
    assert str(views.layout_shown) == "elevation|canvas"


def test_what_is_selected_in_one_pane_comes_into_sight_in_the_others_at_their_scale(pod, qtbot):
    views, session = pod.views, pod.session
    pod.actions_table.trigger("view.split_right")
    views.show_named("elevation")
    views.show_named("canvas")
    views.canvas.zoom_to_fit()
    rack = session.design.racks[session.design.placements[session.design.find("gpu-127").id].rack_id].id
    views.elevation.zoom_onto([next(iter(session.design.racks))])
    scale = views.elevation.camera.scale
    other, kept = session.design.find("gpu-127").id, views.canvas.camera
    click(qtbot, views.canvas, other)
    assert session.selection == {other}
    box = views.elevation.box_px(other)
    assert views.elevation.rect().contains(box.center().toPoint())
    assert views.elevation.camera.scale == scale
    assert views.canvas.camera == kept
    assert views.elevation.shows(rack)


def test_the_panes_and_their_sizes_are_there_in_the_next_window(pod, make_window):
    pod.actions_table.trigger("view.split_right")
    grid = pod.views.grid
    grid._splitters[0].setSizes([300, 900])
    grid._keep_sizes()
    pod.preferences.flush()
    other = make_window()
    other.show()
    other.views.show_canvas()
    assert other.views.layout_shown == pod.views.layout_shown
    left, right = other.views.grid._splitters[0].sizes()
    assert left * 2 < right


# -- breadcrumbs in the window ------------------------------------------------------------------------------------


def crumbs(pod, qtbot):
    pod.views.whereabouts.refresh()
    return pod.views.panes[pod.views.name].crumbs


def press(qtbot, row, title):
    button = next(b for b in row._buttons if b.text() == title and not b.isHidden())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_click_on_a_step_selects_it_and_fills_the_view_with_it(pod, qtbot):
    design, canvas = pod.session.design, pod.views.canvas
    pod.views.go_to(frozenset((design.find("gpu-040").id,)))
    row = crumbs(pod, qtbot)
    assert row.shown[-3:] == ["SU 2", "rack-10", "gpu-040"]
    press(qtbot, row, "SU 2")
    assert pod.session.selection == {group(design, "SU 2")}
    box = canvas.box_px(group(design, "SU 2"))
    assert canvas.rect().contains(box.toRect())
    press(qtbot, crumbs(pod, qtbot), "DGX SuperPOD H100, 4 SU")
    assert not pod.session.selection
    assert canvas.shows_all


def test_a_box_that_was_opened_and_zoomed_to_is_where_one_is(pod, qtbot):
    session, su = pod.session, group(pod.session.design, "SU 3")
    session.push(collapsing.collapse_all(session.design))
    session.push(collapsing.expand(session.design, [su]))
    pod.views.canvas.zoom_onto([su])
    session.select(())
    assert crumbs(pod, qtbot).shown[-1] == "SU 3"
    pod.actions_table.trigger("view.zoom_fit")
    assert crumbs(pod, qtbot).shown == ["DGX SuperPOD H100, 4 SU"]


def test_shift_return_goes_up_step_by_step(pod, qtbot):
    design = pod.session.design
    pod.views.go_to(frozenset((design.find("gpu-040").id,)))
    seen = []
    for _ in range(5):
        pod.views.canvas.setFocus()
        qtbot.keyClick(pod.views.canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        seen.append([design.entity(one).name for one in pod.session.selection])
    assert seen == [["rack-10"], ["SU 2"], ["Rail-optimized"], [], []]
    assert "Nothing contains" in pod.notice.text.text()


def test_steps_that_do_not_fit_are_behind_the_dots(pod, qtbot):
    design = pod.session.design
    pod.session.select([design.find("gpu-040").id])
    row = crumbs(pod, qtbot)
    row.resize(150, row.height())
    assert row.shown[-1] == "gpu-040"
    assert not row.more.isHidden()
    menu = row.more_menu()
    next(action for action in menu.actions() if action.text() == "SU 2").trigger()
    assert pod.session.selection == {group(design, "SU 2")}
    row.resize(2000, row.height())
    assert row.more.isHidden()


def test_a_step_that_is_too_wide_keeps_its_number(pod, qtbot):
    pod.session.select([pod.session.design.find("gpu-040").id])
    row = crumbs(pod, qtbot)
    shown = set()
    for width in range(row._width(row.steps[-1]) // 2, row._width(row.steps[-1])):
        row.resize(width + 20, row.height())
        shown.add(row._buttons[-1].text())
    assert shown >= {"…040", "040"}


@pytest.mark.parametrize("name", ["gpu-040", "gpu-b", "gateway of hall west", "a-long-name-of-a-device-07"])
def test_a_step_never_loses_its_end_first(pod, qtbot, name):
    device = pod.session.design.find("gpu-040").id
    pod.session.attempt(lambda: operations.rename(pod.session.design, device, name))
    pod.session.select([device])
    row = crumbs(pod, qtbot)
    for width in range(20, row._width(row.steps[-1]) + 40):
        row.resize(width, row.height())
        shown = row._buttons[-1].text()
        assert shown in ("", "…") or shown[-1] == name[-1], shown


def test_no_step_is_cut_where_all_have_room(pod, qtbot):
    session = pod.session
    session.push(operations.set_settings(session.design, name="Training cluster of the second hall, issue for review"))
    session.select([session.design.find("gpu-040").id])
    row = crumbs(pod, qtbot)
    row.resize(2000, row.height())
    assert row._width(row.steps[0]) > MOST_STEP_PX
    assert row.shown == [step.title for step in row.steps]
    row.resize(row._width(row.steps[0]) + row._width(row.steps[-1]), row.height())
    assert row.shown != [step.title for step in row.steps]


def test_breadcrumbs_can_be_left_out_and_stay_out(pod, make_window):
    bar = pod.views.panes["canvas"].bar
    assert not bar.isHidden()
    pod.actions_table.trigger("view.breadcrumbs")
    assert bar.isHidden()
    pod.preferences.flush()
    assert make_window().views.panes["canvas"].bar.isHidden()
    pod.actions_table.trigger("view.split_right")
    assert not bar.isHidden()


def test_a_design_that_is_opened_beside_a_matrix_has_its_rows_and_columns_offered(window):
    window.actions_table.trigger("view.split_right")
    bar = window.views.matrix_bar
    assert not bar.rows.isEnabled()
    window.session.replace(document.load("examples/superpod-h100-4su.fabric"), None)
    assert bar.rows.isEnabled()
    assert (bar.rows.currentText(), bar.columns.currentText()) == ("Spines", "Leaf switches")


def test_tools_of_the_floor_that_do_not_fit_are_in_a_menu(pod, qtbot):
    pod.actions_table.trigger("view.floor")
    bar = pod.views.floor.findChild(QWidget, "floor-bar")
    assert bar.more.isHidden()
    pod.actions_table.trigger("view.all_views")
    bar._view.resize(200, 200)
    fit = [button for button in bar._buttons if not button.isHidden()]
    assert not bar.more.isHidden()
    assert len(fit) + len(bar.more_menu().actions()) == len(bar._buttons)
    assert all(button.geometry().right() <= 200 for button in fit)


# -- the canvas twice ---------------------------------------------------------------------------------------------


@pytest.fixture
def twice(pod, qtbot):
    """The pod with a second canvas to the right of the first."""
    assert SECOND not in pod.views.named  # made when it is wanted, not before
    pod.actions_table.trigger("view.second_canvas")
    return pod


def test_a_second_canvas_begins_where_the_first_looks_and_has_its_own_camera(pod, qtbot):
    first = pod.views.canvas
    first.zoom_onto([group(pod.session.design, "SU 2")])
    pod.actions_table.trigger("view.second_canvas")
    second = pod.views.named[SECOND]
    assert str(pod.views.layout_shown) == "canvas|canvas-2" and pod.views.current is second
    middle = second.camera.to_canvas(second.width() / 2, second.height() / 2)
    left, top, right, bottom = first.fabric.rect_of(group(pod.session.design, "SU 2"))
    assert left < middle[0] < right and top < middle[1] < bottom
    kept = first.camera
    pod.actions_table.trigger("view.zoom_in")
    assert first.camera == kept and second.camera.scale > 0
    assert pod.views.panes[SECOND].choice.text() == "Second canvas"


def test_both_canvases_show_one_design_and_one_selection(twice, qtbot):
    views, session = twice.views, twice.session
    first, second = views.canvases
    gpu = session.design.find("gpu-040").id
    session.select([gpu])
    assert second.box_px(gpu) is not None and first.box_px(gpu) is not None
    twice.actions_table.trigger("edit.delete")
    assert gpu not in second.fabric.composition.projection.row_of
    assert gpu not in first.fabric.composition.projection.row_of
    session.undo_stack.undo()
    assert gpu in second.fabric.composition.projection.row_of


def test_commands_tools_and_bookmarks_are_about_the_canvas_at_work(twice, qtbot):
    views = twice.views
    first, second = views.canvases
    assert views.canvas is second and views.name == "canvas"
    views.choose_tool("pan")
    assert first.tool == second.tool == "pan"
    views.choose_tool("select")
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=first.rect().bottomLeft() + QPoint(5, -5))
    assert views.canvas is first and views.pane == "canvas"
    views.show_named("floor")
    assert views.name == "floor" and str(views.layout_shown) == "floor|canvas-2"
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton, pos=second.rect().bottomLeft() + QPoint(5, -5))
    views.show_named("canvas")  # as bookmarks do
    assert views.current is second


def test_a_preview_shows_on_both_and_leaves_both(twice, qtbot):
    first, second = twice.views.canvases
    gpu = twice.session.design.find("gpu-040").id
    places = [canvas.box_px(gpu) for canvas in (first, second)]
    twice.session.select([])
    twice.actions_table.trigger("arrange.tidy")
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=first.rect().bottomLeft() + QPoint(5, -5))
    assert [canvas.box_px(gpu) != place for canvas, place in zip((first, second), places, strict=True)] == [True, True]
    twice.construction.close_bar()
    assert [canvas.box_px(gpu) for canvas in (first, second)] == places


def test_closing_leaves_one_and_the_second_may_stand_alone(twice):
    views = twice.views
    second = views.named[SECOND]
    twice.actions_table.trigger("view.one_view")
    assert str(views.layout_shown) == SECOND and views.current is second
    twice.actions_table.trigger("view.canvas")
    assert views.current is second  # it is a canvas
    twice.actions_table.trigger("view.all_views")
    assert views.layout_shown == ALL_FOUR


def test_a_layout_with_two_canvases_is_read_back():
    layout = PaneLayout((("canvas", "canvas-2"), ("matrix",)))
    assert pane_layout.read(str(layout)) == layout


def test_a_window_begins_with_the_two_canvases_that_the_last_one_had(qtbot, pod):
    pod.preferences.set_text(LAYOUT, "canvas-2|matrix")
    views = Views(pod.session, pod.appearance, pod.preferences)
    qtbot.addWidget(views)
    assert views.pane == SECOND and views.current is views.canvases.second
    assert len(tuple(views.canvases)) == 2
