"""What devices are colored by holds in rack elevation and floor plan, with the legend of the canvas."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from test_room_views import Room, shown

from designer.canvas.framing import is_covered
from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.drawing.camera import fit_margin, fitting
from designer.drawing.theme import DARK, LIGHT
from designer.model import operations
from designer.model.annotating import annotate
from designer.placement import floor

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def room(session):
    return Room(session)


@pytest.fixture(params=[FloorView, ElevationView])
def view(qtbot, room, request):
    return shown(qtbot, request.param(room.session))


def legend_px(view):
    """Where the legend stands: what lies over the view, but for nothing else."""
    taken = view.room.taken_px(view.sight)
    return taken[-1] if taken else None


def colour_by(room, key):
    room.session.push(operations.set_settings(room.design, color_devices_by=key))


def colours_in(image, left, top, right, bottom):
    return {
        image.pixelColor(x, y).name()
        for x in range(round(left), round(right))
        for y in range(round(top), round(bottom))
    }


def test_a_choice_brings_the_colors_and_the_legend_and_undo_takes_both_away(view, room):
    view.grab()
    assert legend_px(view) is None
    colour_by(room, "role")
    image = view.grab().toImage()
    place = legend_px(view)
    stripe = view.room.classes(view.theme).look(room.server).stripe
    assert stripe in colours_in(image, *place), "the key of the colors"
    box = view.box_px(room.server) if isinstance(view, ElevationView) else view.box_px(room.one)
    assert stripe in colours_in(image, box.left(), box.top(), box.right(), box.bottom())
    room.session.undo_stack.undo()
    view.grab()
    assert legend_px(view) is None


def test_a_click_folds_the_legend_and_a_drag_takes_it_to_another_corner(view, room):
    colour_by(room, "role")
    view.grab()
    left, top, right, bottom = legend_px(view)
    at = view.rect().center()
    at.setX(round((left + right) / 2))
    at.setY(round(top + 8))
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    view.grab()
    folded = legend_px(view)
    assert folded[3] - folded[1] < bottom - top
    assert room.session.selection == frozenset(), "what lies below is not clicked"


def test_a_legend_among_the_annotations_takes_the_place_of_the_one_over_the_floor(qtbot, room):
    view = shown(qtbot, FloorView(room.session))
    colour_by(room, "role")
    view.grab()
    assert legend_px(view) is not None
    room.session.push(annotate(room.design, "legend", (0, 400), (300, 500), on_floor=True))
    view.grab()
    assert legend_px(view) is None
    room.session.show_annotations(False)
    view.grab()
    assert legend_px(view) is not None


def test_the_legend_stands_over_no_rack_where_all_is_fitted(view, room):
    racks = [room.rack(f"rack-{number}") for number in range(40)]
    places = {one: (0.6 * (number % 8), 3.0 + 2.4 * (number // 8)) for number, one in enumerate(racks)}
    room.session.push(floor.place_racks(room.design, places))
    colour_by(room, "role")
    view.zoom_to_fit()
    left, top, right, bottom = legend_px(view)
    for rack in (room.one, room.two, *racks):
        box = view.box_px(rack)
        assert right <= box.left() or left >= box.right() or bottom <= box.top() or top >= box.bottom()


def test_status_shows_at_once_what_is_marked_as_failed(view, room):
    colour_by(room, "status")
    painted = []
    view.room.changed.connect(lambda: painted.append(view.room.classes(LIGHT)))
    room.session.set_failed(frozenset({room.server}))
    look = painted[-1]
    assert look.looks[look.of[room.server]] != look.looks[look.of[room.leaf]]
    assert "Failed" in [one.text for key in look.keys for one in key.swatches]


def test_the_colors_follow_the_theme(view, room):
    colour_by(room, "role")
    assert view.room.classes(LIGHT).look(room.server) != view.room.classes(DARK).look(room.server)


def test_an_image_of_the_view_has_the_legend(view, room, tmp_path):
    view.render_png(tmp_path / "plain.png")
    colour_by(room, "role")
    view.grab()
    view.render_png(tmp_path / "coloured.png")
    left, top, right, bottom = (2 * one for one in legend_px(view))
    stripe = view.room.classes(view.theme).look(room.server).stripe
    images = [QImage(str(tmp_path / f"{name}.png")) for name in ("plain", "coloured")]
    assert [stripe in colours_in(image, left, top, right, bottom) for image in images] == [False, True]


@pytest.mark.parametrize("size", [(1400, 800), (900, 560), (690, 420)])
@pytest.mark.parametrize("kind", [ElevationView, FloorView])
def test_a_legend_takes_at_most_a_tenth_of_the_size_of_all_racks(kind, size, session, qtbot):
    """Else it folds to its title: of eight rails the open legend takes a quarter of a small view."""
    session.open(EXAMPLES / "superpod-h100-4su.fabric")
    session.push(operations.set_settings(session.design, color_devices_by="rail"))
    view = kind(session)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    qtbot.waitExposed(view)
    view.zoom_to_fit()
    view.grab()
    view.zoom_to_fit()
    bounds, extent = view.subject.bounds(), view.extent
    alone = fitting(bounds, *extent, view.subject.fit.most_scale, fit_margin(*extent))
    assert view.camera.scale >= 0.9 * alone.scale
    plate = view.subject._legends.key_plate
    place = plate.rect(view.sight, view.subject._fonts)
    assert not is_covered(view.camera, bounds, [place]) or plate.is_folded(view.sight)
