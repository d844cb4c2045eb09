"""Legends keep their corners while these are free of boxes and titles, and do not move while the view does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QFont

from designer.canvas.glyphs import Fonts
from designer.canvas.legends import HeatPlate, KeyPlate
from designer.canvas.pointer import Pointer
from designer.canvas.sight import Sight
from designer.drawing.camera import Camera
from designer.drawing.display_list import Key, Swatch
from designer.drawing.heat import Heat
from designer.drawing.parts.legend import MARGIN_PX
from designer.drawing.parts.picture import places_of_titles
from designer.drawing.theme import LIGHT
from designer.model.annotating import annotate
from designer.model.annotation import LEGEND

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTHING = np.empty((0, 4))
TOP_RIGHT, BOTTOM_RIGHT = np.array([(700.0, 0.0, 100.0, 100.0)]), np.array([(700.0, 500.0, 100.0, 100.0)])


def key(title):
    return (Key(title, (Swatch("#2563a8", "compute"), Swatch("#2e6b3f", "storage")), is_of_links=True),)


@pytest.fixture
def plate(session):
    return KeyPlate(session, HeatPlate(session))


@pytest.fixture
def sight(qapp):
    return Sight(Camera(1.0, 0.0, 0.0), 800, 600, LIGHT, QFont(), 1.0)


def test_a_legend_of_something_else_stays_where_it_stands_while_it_covers_nothing(plate, sight):
    fonts = Fonts(sight.font)
    plate.show(key("Links by network"))
    plate.settle(TOP_RIGHT, sight, fonts)
    assert plate.corner == (1, 1)
    plate.show(key("Links by rail"))
    plate.settle(NOTHING, sight, fonts)
    assert plate.corner == (1, 1), "the other corner is free too, but nothing is covered here"
    plate.look_again()
    plate.settle(BOTTOM_RIGHT, sight, fonts)
    assert plate.corner == (1, 0)


def test_a_legend_does_not_move_while_the_view_does(plate, sight):
    fonts = Fonts(sight.font)
    plate.show(key("Links by network"))
    plate.settle(NOTHING, sight, fonts)
    assert plate.corner == (1, 0)
    plate.look_again()
    plate.settle(TOP_RIGHT, replace(sight, moving=True), fonts)
    assert plate.corner == (1, 0)
    plate.settle(TOP_RIGHT, sight, fonts)
    assert plate.corner == (1, 1), "it moves when the view has come to rest"


def test_a_legend_of_colors_leaves_a_corner_with_a_title(plate, sight):
    fonts = Fonts(sight.font)
    plate.show(key("Links by network"))
    plate.settle(NOTHING, sight, fonts, lambda _: TOP_RIGHT)
    assert plate.corner == (1, 1)


FOOT = (20.0, 560.0, 100.0, 20.0)
"""A title at the left foot of the view, which a folded legend of heat covers too."""


@pytest.mark.parametrize(
    ("titles", "taken", "corner", "is_folded"),
    [
        ([], [], (0, 1), False),
        ([FOOT], [], (1, 1), False),
        ([FOOT], [(700.0, 500.0, 790.0, 590.0)], (0, 0), False),
        ([(20.0, 500.0, 760.0, 20.0), (20.0, 80.0, 760.0, 20.0)], [], (0, 1), True),
        ([FOOT, (20.0, 500.0, 760.0, 20.0), (20.0, 80.0, 760.0, 20.0)], [], (1, 1), True),
        ([(20.0, 20.0, 760.0, 560.0)], [], (0, 1), True),
    ],
    ids=["nothing", "title", "and a minimap", "folded at the foot", "folded elsewhere", "all over"],
)
def test_the_legend_of_heat_stands_in_the_first_corner_without_titles_and_folds_before_it_covers_one(
    session, sight, titles, taken, corner, is_folded
):
    heat = HeatPlate(session)
    places = np.array(titles).reshape(-1, 4)
    heat.settle(NOTHING, replace(sight, moving=True), Fonts(sight.font), lambda _: places, taken)
    assert heat.corner == (0, 1)
    heat.settle(NOTHING, sight, Fonts(sight.font), lambda _: places, taken)
    assert (heat.corner, heat.is_folded(sight)) == (corner, is_folded)
    left, top, right, bottom = heat.rect(sight.sheet(Fonts(sight.font)), sight)
    assert min(left, top, 800 - right, 600 - bottom) >= MARGIN_PX
    assert (left > 400, top > 300) == corner
    heat.make_room()
    assert (heat.corner, heat.is_folded(sight)) == ((0, 1), False)


def test_the_legend_of_colors_stands_off_that_of_heat_in_each_corner(session, sight):
    heat, fonts = HeatPlate(session), Fonts(sight.font)
    plate = KeyPlate(session, heat)
    plate.show(key("Links by network"))
    for corner in ((0, 0), (0, 1), (1, 0), (1, 1)):
        heat.corner = session.key_corner = corner
        _, top, _, bottom = plate.rect(sight, fonts)
        other = heat.rect(sight.sheet(fonts), sight)
        assert bottom <= other[1] or top >= other[3]


@pytest.mark.parametrize("size", [(690, 500), (950, 640)])
def test_the_legend_of_a_run_covers_no_title_of_a_superpod(session, view, qtbot, size):
    session.open(EXAMPLES / "superpod-h100-4su.fabric")
    view.resize(*size)
    view.zoom_to_fit()
    design = session.design
    session.workbench.heat_view.show_jobs(Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5))))
    view._come_to_rest()
    view.grab()
    fabric, sight = view.fabric, view.sight
    sheet = sight.sheet(fabric._fonts)
    x, y, end, low = fabric._legends.heat_plate.rect(sheet, sight)
    titles = places_of_titles(fabric.painted, sheet)
    assert len(titles) >= 5
    for left, top, across, down in (*titles.tolist(), *sheet.boxes(fabric.painted.boxes).tolist()):
        assert left >= end or left + across <= x or top >= low or top + down <= y
    assert fabric._legends.at(Pointer(0, 0, x + 5, y + 5), sight, fabric._fonts) is fabric._legends.heat_plate


def test_a_legend_on_the_canvas_takes_the_place_of_that_of_heat_and_gives_it_back(session, view, qtbot):
    session.open(EXAMPLES / "fat-tree-16-2to1.fabric")
    design, fabric = session.design, view.fabric
    session.workbench.heat_view.show_jobs(Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5)), label="mine"))
    view.zoom_to_fit()
    view.grab()
    at, shown = Fonts(QFont()), []
    fabric.heat_legend_changed.connect(lambda: shown.append(fabric.legend_shown))
    left, _, _, low = fabric.bounds()
    assert fabric.legend_shown and fabric._legends._heat_rect(view.sight, at) in fabric.taken_px(view.sight)

    session.push(annotate(design, LEGEND, (left, low + 60.0), (left + 400.0, low + 120.0)))
    view.grab()
    assert not fabric.legend_shown and shown == [False]
    assert fabric._legends._heat_rect(view.sight, at) not in fabric.taken_px(view.sight)
    assert fabric.painted.legend.label == "mine" and not fabric._legends.has_heat

    session.show_annotations(False)
    assert shown == [False, True]
    session.show_annotations(True)
    session.undo_stack.undo()
    assert fabric.legend_shown and shown == [False, True, False, True]


def test_a_legend_on_the_canvas_says_while_a_run_is_computed(session, view, qtbot):
    session.open(EXAMPLES / "fat-tree-16-2to1.fabric")
    design, fabric = session.design, view.fabric
    left, _, _, low = fabric.bounds()
    session.push(annotate(design, LEGEND, (left, low + 60.0), (left + 400.0, low + 120.0)))
    session.workbench.heat_view.show_jobs(Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5))))
    view.grab()
    before = fabric.painted.legend
    fabric.session.workbench.heat_view._jobs = None  # as while another is computed: the last one is still drawn
    view.update()
    view.grab()
    assert before.note != "computing …" and fabric.painted.legend.note == "computing …"
