"""Where many links are hot their lines stay lines, and the note of two tiers says how many are, and the worst."""

from pathlib import Path

import numpy as np
import pytest

from designer.drawing.calm import MOST_HEAT_COVER, heat_width
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.display_list import LEAST_HOT_WIDTH, colour_of_class
from designer.drawing.heat import Heat, bucket_of
from designer.drawing.parts.links import counts
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.storage import document

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric"
HOT = 0.97


@pytest.fixture(scope="module")
def composition():
    return Composition(document.load(EXAMPLE))


def between_switches(design):
    servers = {one.id for one in design.servers()}
    return [one.id for one in design.links.values() if not {one.a.device_id, one.b.device_id} & servers]


def heat_of(composition, hot, load=HOT, rest=0.3, congested=None):
    design = composition.design
    loads = {one: (load if one in hot else rest,) * 2 for one in design.links}
    return Heat(design.revision, loads, "a pattern", congested=congested)


def seen(composition, heat, width=800, height=500):
    composition.show_loads(heat)
    camera = fitting(composition.bounds, width, height, most=1.2, margin=40.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale), heat)
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())


def texts(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from texts(part.parts)
        elif isinstance(part, Text):
            yield part.text


def hot_stroke(picture, scale, load=HOT):
    (found,) = (one for one in picture.strokes(scale) if one.colour == colour_of_class(bucket_of(load), LIGHT))
    return found


def test_hundreds_of_hot_lines_do_not_cover_what_they_cross(composition):
    picture, sheet = seen(composition, heat_of(composition, set(between_switches(composition.design))))
    stroke = hot_stroke(picture, sheet.scale)
    assert len(stroke.xy) == 512 and stroke.width < LEAST_HOT_WIDTH
    corners = stroke.xy.reshape(-1, 2)
    area = np.prod(corners.max(axis=0) - corners.min(axis=0)) * sheet.scale
    length = np.hypot(*(stroke.xy[:, 2:] - stroke.xy[:, :2]).T).sum()
    assert length * stroke.width / area < 1.5 * MOST_HEAT_COVER


def test_they_do_not_either_where_links_to_servers_are_as_hot(composition):
    links = composition.design.links
    to_server = sorted(links.keys() - set(between_switches(composition.design)))[0]
    picture, sheet = seen(composition, heat_of(composition, {*between_switches(composition.design), to_server}))
    hot = [one for one in picture.strokes(sheet.scale) if one.colour == colour_of_class(bucket_of(HOT), LIGHT)]
    assert len(hot) == 2 and len(hot[1].xy) == 512
    assert hot[0].width >= LEAST_HOT_WIDTH > hot[1].width


def test_from_near_the_same_lines_are_as_wide_as_ever(composition):
    picture, _ = seen(composition, heat_of(composition, set(between_switches(composition.design))))
    assert hot_stroke(picture, 1.2).width >= LEAST_HOT_WIDTH


def test_a_few_hot_lines_among_many_are_as_wide_as_ever(composition):
    picture, sheet = seen(composition, heat_of(composition, set(between_switches(composition.design)[:40])))
    stroke = hot_stroke(picture, sheet.scale)
    assert 0 < len(stroke.xy) <= 40 and stroke.width >= LEAST_HOT_WIDTH


def test_the_note_says_how_many_are_hot_and_the_worst_where_none_stands_out(composition):
    links = between_switches(composition.design)
    picture, sheet = seen(composition, heat_of(composition, set(links)))
    assert picture.hot_lines is None, "all are equal"
    assert "Leaf to spine: 2 × 400G per pair; 1,024 of 1,024 hot, up to 97 %" in list(texts(counts(picture, sheet)))
    picture, sheet = seen(composition, heat_of(composition, set(links[:800])))
    assert "Leaf to spine: 2 × 400G per pair; 800 of 1,024 hot, up to 97 %" in list(texts(counts(picture, sheet)))


def test_the_note_says_the_demand_where_links_are_congested(composition):
    links = between_switches(composition.design)
    wanted = dict.fromkeys(links, (1.8, 0.0))
    picture, sheet = seen(composition, heat_of(composition, set(links), 1.0, congested=wanted))
    assert "Leaf to spine: 2 × 400G per pair; 1,024 of 1,024 hot, demand 1.8×" in list(texts(counts(picture, sheet)))


def test_a_note_without_hot_links_says_nothing_of_them(composition):
    picture, sheet = seen(composition, heat_of(composition, set()))
    assert "Leaf to spine: 2 × 400G per pair" in list(texts(counts(picture, sheet)))


def test_lines_behind_each_other_in_a_row_and_a_few_anywhere_are_as_wide_as_ever():
    row = np.array([[10.0 * number, 0.0, 10.0 * number + 9.0, 0.0] for number in range(100)])
    assert heat_width(row) * 0.15 > LEAST_HOT_WIDTH
    assert heat_width(np.tile([[0.0, 0.0, 1.0, 1.0]], (20, 1))) == np.inf
    assert heat_width(np.tile([[0.0, 0.0, 1.0, 1.0]], (200, 1))) < 0.1
