"""What is said once of the links between two tiers stands off their lines, or is left out where it has no room."""

from pathlib import Path

import numpy as np
import pytest

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import n_crossed
from designer.drawing.parts.links import counts
from designer.drawing.parts.row_captions import titles_of
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.tier_notes import MOST_COVERED
from designer.drawing.theme import LIGHT
from designer.storage import document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"


@pytest.fixture(scope="module")
def composition():
    return Composition(document.load(EXAMPLE))


def noted(composition, camera, width, height):
    """The places of the notes in a view, with how many lines each covers, and what else is written there."""
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    sheet = Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())
    _ = list(counts(picture, sheet))
    lines = sheet.camera.points_to_view(picture.lines.xy)
    found = []
    for x, y, across, down in picture.note_places.values():
        spot = np.array([[x + across / 2, y + down / 2]])
        found.append(((x, y, across, down), int(n_crossed(lines, spot, across, down)[0])))
    return found, titles_of(picture, sheet)


def fitted(composition, width, height, room=60.0):
    return fitting(composition.bounds, width, height, most=1.2, margin=room)


@pytest.mark.parametrize(("width", "height"), [(1100, 700), (700, 450), (590, 380), (520, 340)])
def test_a_note_covers_no_line_in_a_view_of_everything(composition, width, height):
    ((place, n_covered),), titles = noted(composition, fitted(composition, width, height), width, height)
    assert n_covered == 0
    x, y, across, down = place
    assert x >= 0 and y >= 0 and x + across <= width and y + down <= height
    assert not [
        one
        for one in titles
        if one[0] < x + across and x < one[0] + one[2] and one[1] < y + down and y < one[1] + one[3]
    ]


@pytest.mark.parametrize(("width", "most"), [(590, MOST_COVERED), (400, 0)])
def test_a_note_without_room_off_the_lines_covers_few_or_is_left_out(composition, width, most):
    left, top, right, _ = composition.bounds
    scale = fitted(composition, width, 380).scale
    # the upper row at the upper edge, and nothing beside the lines
    found, _ = noted(composition, Camera(scale, left, top + 30.0), (right - left) * scale, 380)
    assert [covered for _, covered in found] == [] if not most else all(covered <= most for _, covered in found)


def test_from_near_where_lines_are_all_there_is_the_note_stands_among_them(composition):
    left, top, right, bottom = composition.bounds
    camera = Camera(1.0, (left + right) / 2 - 400, (top + bottom) / 2 - 600)
    found, _ = noted(composition, camera, 1400, 800)
    assert len(found) == 1 and found[0][1] > 0
