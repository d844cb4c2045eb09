"""Legends and the minimap lie over nothing that is shown whole, and fold by themselves where there is little room."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from designer.canvas import fabric_picture
from designer.canvas.framing import CLEAR_PX, CRAMPED_PX, clear_of, fitted, is_covered, with_room
from designer.canvas.matrix.view import MatrixView
from designer.canvas.pointer import pointer_at
from designer.drawing.camera import MOST_FIT_SCALE, Camera, fit_margin, fitting
from designer.drawing.heat import Heat
from designer.drawing.matrix.parts import CELL
from designer.drawing.parts.keys import TITLE_LINE
from designer.drawing.parts.legend import HEIGHT_PX
from designer.model import operations
from designer.session.preferences import Preferences
from designer.topologies import rail_optimized
from designer.topologies.families import FAMILIES
from designer.windows.shell.minimap import MARK_PX, SIZE, Minimap

LEFT = Qt.MouseButton.LeftButton
ROOMY, CRAMPED = (1000, 700), (460, 330)
BOUNDS = (0.0, 0.0, 4000.0, 900.0), (0.0, 0.0, 700.0, 3000.0), (-50.0, 20.0, 900.0, 800.0)


@pytest.fixture
def heated(view, session, catalog):
    """A fabric with loads, its devices colored by rail."""
    parameters = rail_optimized.RailOptimizedParameters(servers=8, servers_per_su=4)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    session.attempt(lambda: operations.set_settings(session.design, color_devices_by="rail"))
    loads = dict.fromkeys(session.design.links, (0.5, 0.5))
    session.workbench.heat_view.show_jobs(Heat(session.design.revision, loads))
    view.grab()
    return view


@pytest.fixture
def minimap(heated, tmp_path):
    minimap = Minimap(heated, Preferences(tmp_path / "window.ini"))
    minimap.show()
    return minimap


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("view", [(1000, 700), (500, 640), (900, 360)])
def test_the_whole_is_as_large_as_fits_between_plates(bounds, view):
    (width, height) = view
    taken = [(14.0, height - 60.0, 200.0, height - 14.0), (width - 190.0, 14.0, width - 14.0, 90.0)]
    camera = fitted(bounds, width, height, taken)
    assert not is_covered(camera, bounds, taken)
    seen = camera.seen(width, height)
    assert seen[0] <= bounds[0] and seen[1] <= bounds[1] and bounds[2] <= seen[2] and bounds[3] <= seen[3]
    above = fitting(bounds, width, height - 60 - CLEAR_PX - 90 - CLEAR_PX, margin=fit_margin(width, height))
    assert camera.scale >= above.scale, "at the least as large as between the two"


def test_plates_that_cover_nothing_change_nothing_and_one_that_leaves_too_little_is_ignored():
    bounds = BOUNDS[0]
    whole = fitting(bounds, 1000, 700)
    assert fitted(bounds, 1000, 700, [(14.0, 600.0, 200.0, 686.0)]) == whole
    assert fitted(bounds, 1000, 700, [(20.0, 20.0, 980.0, 680.0)]) == whole


def test_a_plate_may_lie_in_a_corner_of_the_whole_where_nothing_is_drawn():
    bounds, plate = (0.0, 0.0, 900.0, 600.0), (820.0, 14.0, 986.0, 120.0)
    whole = fitting(bounds, 1000, 700)
    rows = np.array([(0.0, 250.0, 900.0, 290.0), (0.0, 560.0, 900.0, 600.0), (0.0, 0.0, 100.0, 40.0)])
    assert fitted(bounds, 1000, 700, [plate]).scale < 0.95 * whole.scale
    assert fitted(bounds, 1000, 700, [plate], lambda _: rows) == whole
    covered = np.vstack((rows, (850.0, 20.0, 890.0, 60.0)))
    smaller = fitted(bounds, 1000, 700, [plate], lambda _: covered)
    assert 0.8 * whole.scale < smaller.scale < whole.scale
    for box in covered.tolist():
        assert not is_covered(smaller, box, [plate])
    seen = smaller.seen(1000, 700)
    assert seen[0] <= 0 and seen[1] <= 0 and seen[2] >= 900 and seen[3] >= 600


def test_a_fabric_is_fitted_beside_titles_links_and_boxes_not_beside_its_outline(view, session, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=8, servers_per_su=4)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    fabric = view.fabric
    parts, boxes = fabric.parts_at(0.5), fabric.composition.boxes
    corners = {tuple(one) for one in np.hstack((boxes[:, :2], boxes[:, :2] + boxes[:, 2:])).tolist()}
    assert corners <= {tuple(one) for one in parts.tolist()}
    frames = [one for one in fabric.composition.containers if one.kind != "rack"]
    tops = [
        one.rect[1] for one in (*frames, *fabric.composition.tier_titles) if not getattr(one, "is_titled_below", False)
    ]
    feet = [one.rect[3] for one in frames if one.is_titled_below]
    assert len(tops) + len(feet) >= 2
    assert all((parts[:, 1] == top - 48.0).any() for top in tops)
    assert all((parts[:, 3] == foot + 48.0).any() for foot in feet)
    assert len(parts) > len(corners) + 12 * len(fabric.composition.bundles.pairs)


def test_what_one_goes_to_moves_the_shortest_way_and_shrinks_where_it_fits_nowhere():
    plate = (0.0, 500.0, 300.0, 700.0)
    camera = Camera(1.0, 0.0, 0.0)
    moved = clear_of(camera, (100.0, 450.0, 200.0, 550.0), 1000, 700, [plate])
    assert moved == camera.moved(0.0, -(550 - 500 + CLEAR_PX))
    shrunk = clear_of(camera, (100.0, 100.0, 900.0, 690.0), 1000, 700, [plate])
    assert shrunk.scale < 1.0 and not is_covered(shrunk, (100.0, 100.0, 900.0, 690.0), [plate])
    assert clear_of(camera, (400.0, 450.0, 500.0, 550.0), 1000, 700, [plate]) == camera


@pytest.mark.parametrize("size", [ROOMY, CRAMPED])
def test_everything_fitted_is_clear_of_every_plate_and_these_of_each_other(heated, minimap, size):
    heated.resize(*size)
    heated.zoom_to_fit()
    heated.grab()
    taken = heated.subject.taken_px(heated.sight)
    assert len(taken) == 3, "heat, colors and minimap"
    assert not any(meet(*pair) for pair in itertools.combinations(taken, 2))
    camera, bounds = heated.camera, heated.fabric.bounds()
    for left, top, right, bottom in heated.fabric.parts_at(camera.scale).tolist():
        drawn = *camera.to_view(left, top), *camera.to_view(right, bottom)
        assert not any(meet(drawn, one) for one in taken)
    assert camera.shows(bounds, *size)


def heights(view, minimap):
    fabric, sight = view.fabric, view.sight
    covered = len(sight.covered)
    heat, key = fabric.taken_px(sight)[covered:]
    return heat[3] - heat[1], key[3] - key[1], minimap.height()


def test_plates_fold_by_themselves_in_a_small_view_and_a_click_wins_from_then_on(heated, minimap):
    heated.resize(*ROOMY)
    heat, key, map_ = open_ = heights(heated, minimap)
    assert (heat, map_) == (HEIGHT_PX, SIZE.height()) and key > 2 * TITLE_LINE
    for size in (CRAMPED, (int(CRAMPED_PX[0]) - 1, 700), (1000, int(CRAMPED_PX[1]) - 1)):
        heated.resize(*size)
        assert heights(heated, minimap) == (TITLE_LINE, TITLE_LINE, MARK_PX)
    heated.resize(*CRAMPED)
    legend = heated.fabric.taken_px(heated.sight)[1]
    QTest.mouseClick(heated, LEFT, pos=QPoint(int(legend[0]) + 20, int(legend[1]) + 10))
    key_at = heated.fabric.taken_px(heated.sight)[2]
    QTest.mouseClick(heated, LEFT, pos=QPoint(int(key_at[0]) + 20, int(key_at[1]) + 10))
    QTest.mouseClick(minimap, LEFT, pos=QPoint(10, 10))
    assert heights(heated, minimap) == open_
    legend = heated.fabric.taken_px(heated.sight)[1]
    QTest.mouseClick(heated, LEFT, pos=QPoint(int(legend[0]) + 20, int(legend[1]) + 10))
    QTest.mouseClick(minimap, LEFT, pos=QPoint(SIZE.width() - 8, 8))
    heated.resize(*ROOMY)
    assert heights(heated, minimap) == (TITLE_LINE, key, MARK_PX)


def test_a_drag_of_the_legend_of_the_heat_does_not_fold_it(heated):
    legend = heated.fabric.taken_px(heated.sight)[0]
    start = QPoint(int(legend[0]) + 20, int(legend[1]) + 10)
    QTest.mousePress(heated, LEFT, pos=start)
    QTest.mouseMove(heated, start + QPoint(30, 10))
    QTest.mouseRelease(heated, LEFT, pos=start + QPoint(30, 10))
    assert heated.session.is_heat_key_folded is None


def test_a_view_that_shows_everything_makes_room_when_the_minimap_comes_and_one_that_was_moved_stays(
    heated, qtbot, tmp_path
):
    minimap = Minimap(heated, Preferences(tmp_path / "window.ini"))
    heated.resize(640, 400)
    heated.zoom_to_fit()
    before = heated.camera
    minimap.show()
    qtbot.waitUntil(lambda: heated.camera != before)
    minimap.hide()
    qtbot.waitUntil(lambda: heated.camera == before)
    heated.move_camera(heated.camera.moved(30, 0))
    moved = heated.camera
    minimap.show()
    qtbot.wait(20)
    assert heated.camera == moved


@pytest.fixture
def matrix(heated, qtbot):
    matrix = MatrixView(heated.session, heated.fabric)
    qtbot.addWidget(matrix)
    matrix.resize(*CRAMPED)
    matrix.show()
    qtbot.waitExposed(matrix)
    matrix.grab()
    matrix.zoom_to_fit()
    return matrix


@pytest.mark.parametrize("folded", [None, False, True])
@pytest.mark.parametrize("times", [1, 9])
def test_the_legend_of_a_matrix_lies_over_no_cell_and_no_heading(matrix, folded, times):
    matrix.session.is_heat_key_folded = folded
    matrix.zoom_to_fit()
    cells, sight = matrix.cells, matrix.sight
    rows, columns = cells.matrix.shape
    legend = cells._legend_rect(cells.shaded(sight.theme), sight)
    at = cells._layout(cells.shaded(sight.theme), sight)
    low = matrix.camera.to_view(columns * CELL, rows * CELL)[1]
    assert low < legend[1] or at.left > legend[2], "fitted, it is above the legend or beside it"
    assert cells.foot_px(sight) == 0.0
    matrix.zoom_by(times)
    if times == 1:
        return
    legend = cells._legend_rect(cells.shaded(sight.theme), sight)
    image = matrix.grab().toImage()
    y, ratio = legend[1] - 6, matrix.devicePixelRatioF()
    ground = matrix.theme.background
    strip = {image.pixelColor(int(x * ratio), int(y * ratio)).name() for x in range(0, matrix.width(), 3)}
    assert strip == {ground}
    at = QPoint(int(legend[0]) + 20, int(legend[1]) + 10)
    assert matrix.target_at(pointer_at(matrix.camera, at.toPointF())).ids == ()
    assert cells.plate_at(pointer_at(matrix.camera, at.toPointF()), sight) is not None
    beside = QPoint(matrix.width() - 8, int(legend[1]) + 10)
    assert matrix.target_at(pointer_at(matrix.camera, beside.toPointF())).ids == ()


def test_room_for_a_legend_to_come_is_kept_where_that_hardly_changes_the_view():
    now = Camera(2.0, 100.0, 50.0)
    lower, smaller, aside = Camera(2.0, 100.0, 90.0), Camera(1.8, 100.0, 50.0), Camera(2.0, 70.0, 50.0)
    assert with_room(now, lower) == lower
    assert with_room(now, smaller) == with_room(now, aside) == now


def test_texts_that_are_painted_again_over_chosen_links_stand_where_they_stood(view, session, catalog, monkeypatch):
    parameters = rail_optimized.RailOptimizedParameters(servers=8, servers_per_su=4)
    session.push(rail_optimized.build(session.design, parameters, catalog))
    session.attempt(lambda: operations.set_settings(session.design, color_devices_by="rail"))
    beneath, again = [], []

    def kept(found, of):
        def drawn(picture, sheet, **how):
            found.append(sheet)
            return of(picture, sheet, **how)

        return drawn

    monkeypatch.setattr(fabric_picture, "layers", kept(beneath, fabric_picture.layers))
    monkeypatch.setattr(fabric_picture, "over_links", kept(again, fabric_picture.over_links))
    session.select([next(iter(session.design.links))])
    view._come_to_rest()
    view.grab()
    assert beneath[-1].reserved  # by the legend of the colors
    assert again == [one for one in beneath if one.smooth][-1:]


@pytest.fixture
def whole(view, session, catalog, qtbot):
    """Groups around a middle, all shown at rest: the legend of a run would lie over those at the left foot."""
    row = next(one for one in FAMILIES if one.name == "dragonfly")
    session.push(row.build(session.design, row.parameters(p=4, a=8, h=4), catalog))
    view.zoom_to_fit()
    view._come_to_rest()
    view.grab()
    qtbot.wait(20)
    return view


def loaded(view):
    """Show loads as a run does."""
    design = view.session.design
    view.session.workbench.heat_view.show_jobs(Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5))))
    view._come_to_rest()
    view.grab()


def share_of_size(view):
    """How large everything is, in terms of its size with nothing over the view."""
    width, height = view.extent
    return (
        view.camera.scale
        / fitting(view.fabric.bounds(), width, height, MOST_FIT_SCALE, fit_margin(width, height)).scale
    )


def test_a_run_moves_nothing_and_its_legend_folds_where_it_would_lie_over_boxes(whole, qtbot):
    before, plate = whole.camera, whole.fabric._legends.heat_plate
    assert whole.shows_all and not plate.is_folded(whole.sight)
    loaded(whole)
    qtbot.wait(20)
    assert whole.camera == before and plate.is_folded(whole.sight)
    whole.zoom_to_fit()  # asked for, all is shown beside the open legend
    whole._come_to_rest()
    whole.grab()
    assert whole.camera != before and not plate.is_folded(whole.sight)
    whole.session.workbench.heat_view.show_jobs(None)
    whole.grab()
    beside = whole.camera
    qtbot.wait(20)
    assert whole.camera == beside


def test_the_legend_of_a_run_stays_open_where_it_covers_nothing(whole):
    whole.move_camera(whole.camera.moved(0.0, -200.0))
    loaded(whole)
    assert not whole.fabric._legends.heat_plate.is_folded(whole.sight)
    whole.move_camera(whole.camera.moved(0.0, 200.0))
    whole._come_to_rest()
    whole.grab()
    assert not whole.fabric._legends.heat_plate.is_folded(whole.sight), "it does not change as the view moves"


def test_a_view_that_becomes_smaller_moves_nothing_as_long_as_all_is_seen(whole):
    whole.move_camera(whole.camera.zoomed(0.5, 0.0, 0.0))
    whole._whole, before = whole.camera, whole.camera  # as in a window with much room at the right and below
    size = whole.width(), whole.height()
    whole.resize(size[0] - 100, size[1] - 100)
    assert whole.camera == before
    whole.resize(int(before.to_view(whole.fabric.bounds()[2], 0.0)[0]) + 10, size[1] - 100)
    assert whole.camera != before and whole.shows_all, "the legend of the colors would lie over it"
    whole.move_camera(before)
    whole._whole = before
    whole.resize(size[0] // 3, size[1] // 3)
    assert whole.camera != before and whole.shows_all


def test_a_view_that_becomes_larger_shows_all_as_large_as_it_can_be(whole):
    whole.move_camera(whole.camera.zoomed(0.5, 0.0, 0.0))
    whole._whole, before = whole.camera, whole.camera
    whole.resize(whole.width(), whole.height() + 50)
    assert whole.camera.scale > before.scale


def test_other_layers_keep_what_was_chosen_for_the_drawing(whole):
    whole.fabric.composition.kept["side"] = "left"
    whole.session.layers_changed.emit()
    assert whole.fabric.composition.kept == {"side": "left"}
    assert whole.fabric.seen_at(0.02) is not whole.fabric.composition
    assert whole.fabric.seen_at(0.02).kept == {"side": "left"}


def test_a_view_that_was_moved_stays_where_it_is_on_the_screen_when_its_edges_move(qtbot, whole):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 900)
    whole.setParent(window)
    whole.setGeometry(100, 0, 900, 700)
    window.show()
    whole.move_camera(whole.camera.moved(30.0, 10.0))
    device = next(iter(whole.session.design.devices))
    there = whole.mapTo(window, whole.box_px(device).center().toPoint())
    whole.setGeometry(300, 50, 700, 500)
    here = whole.mapTo(window, whole.box_px(device).center().toPoint())
    whole.setGeometry(100, 0, 900, 700)
    whole._whole = whole.camera = whole.camera.moved(60.0, 60.0).zoomed(0.3, 0.0, 0.0)
    before = whole.mapTo(window, whole.box_px(device).center().toPoint())
    whole.setGeometry(110, 10, 890, 690)
    after, is_whole = whole.mapTo(window, whole.box_px(device).center().toPoint()), whole.shows_all
    whole.setParent(None)
    assert (here - there).manhattanLength() <= 2
    assert (after - before).manhattanLength() <= 2 and is_whole, "also where all is shown, and still seen"


@pytest.mark.parametrize(
    "choice", [{"color_devices_by": "unit"}, {"color_links_by": "tier"}, {"color_links_by": "unit"}]
)
def test_other_colors_move_nothing_and_their_legend_folds_where_it_would_lie_over_boxes(whole, qtbot, choice):
    before, design = whole.camera, whole.session.design
    whole.session.attempt(lambda: operations.set_settings(design, **choice))
    whole.grab()
    qtbot.wait(20)
    whole.grab()
    assert whole.camera == before
    assert not covered_by_colors(whole)
    for corner in itertools.product((0, 1), repeat=2):
        whole.session.key_corner = corner
        whole.zoom_to_fit()  # asked for, all is shown beside the legend, which folds before that makes it small
        whole._come_to_rest()
        whole.grab()
        assert share_of_size(whole) > 0.9 and not covered_by_colors(whole)
    whole.session.is_key_folded = False
    whole.zoom_to_fit()  # a hand has opened it
    assert not whole.fabric.key_plate.is_folded(whole.sight) and not covered_by_colors(whole)


def test_colors_whose_legend_finds_no_free_corner_fold_it_until_a_hand_opens_it(whole):
    whole.session.attempt(lambda: operations.set_settings(whole.session.design, color_devices_by="unit"))
    whole.move_camera(whole.camera.zoomed(4.0, whole.width() / 2, whole.height() / 2))
    whole._come_to_rest()
    whole.grab()
    plate, (left, top, right, bottom) = whole.fabric.key_plate, whole.fabric.bounds()
    plate.look_again()
    plate.settle(np.array([(left, top, right - left, bottom - top)]), whole.sight, whole.fabric._fonts)
    assert plate.is_folded(whole.sight)
    whole.session.is_key_folded = False
    assert not plate.is_folded(whole.sight)


def test_a_design_that_is_opened_is_shown_beside_the_legend_of_its_colors(whole, qtbot, tmp_path):
    session = whole.session
    session.attempt(lambda: operations.set_settings(session.design, color_devices_by="unit"))
    session.save(tmp_path / "colored.fabric")
    session.new()
    whole.grab()
    session.open(tmp_path / "colored.fabric")
    whole._come_to_rest()
    whole.grab()
    qtbot.wait(20)
    whole._come_to_rest()
    whole.grab()
    assert share_of_size(whole) > 0.9 and not covered_by_colors(whole)
    fitted = whole.camera
    whole.zoom_to_fit()
    assert whole.camera == fitted


def covered_by_colors(view):
    """Whether the legend of colors lies over a box."""
    left, top, right, foot = view.fabric.key_plate.rect(view.sight, view.fabric._fonts)
    x, y, across, down = view.sight.sheet(view.fabric._fonts).boxes(view.fabric.seen.boxes).T
    return bool(((x < right) & (x + across > left) & (y < foot) & (y + down > top)).any())
