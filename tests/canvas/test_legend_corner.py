"""The legend of colors keeps its corner while that is free of the drawing, and does not move while the view does."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QFont

from designer.canvas.glyphs import Fonts
from designer.canvas.legends import HeatPlate, KeyPlate
from designer.canvas.sight import Sight
from designer.drawing.camera import Camera
from designer.drawing.display_list import Key, Swatch
from designer.drawing.theme import LIGHT

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
