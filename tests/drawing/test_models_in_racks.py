"""What a device in a rack is called by its maker stands beside its name, below it where only that has room."""

import itertools

import pytest

from designer.drawing.camera import Camera, Viewport
from designer.drawing.parts.elevation import Marked, elevation_parts
from designer.drawing.parts.marks import BADGE
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler, line_height
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.elevation import UNIT, WIDTH, Box, Frame, Line
from designer.drawing.theme import LIGHT

MODEL = "HGX H100 8-GPU server"


def drawn(units, *, scale=1.0, faces=True, model=MODEL, signed=frozenset()):
    """The texts on a device of so many units, name first, and the box it is drawn as."""
    rect = (0.0, 0.0, WIDTH, units * UNIT)
    box = Box("d1", "gpu-001", model, 0, rect, faces, ())
    line = Line("Row A", 0.0, -70.0, (Frame("r1", "rack-01", "", False, units, rect, (box,)),))
    sheet = Sheet.of_view(Viewport(Camera(scale, -50, -200), 900, 900), LIGHT, EstimatedRuler())
    parts = flat(elevation_parts((line,), sheet, False, Marked(signed=signed)))
    device = list(next(one for one in parts if is_device(one)).parts)
    texts = sorted((one for one in device if isinstance(one, Text)), key=lambda one: one.text != "gpu-001")
    return texts, next(one for one in device if isinstance(one, Rect)), sheet.ruler


def is_device(one):
    return isinstance(one, Group) and one.title.startswith("gpu-001\n")


def flat(parts):
    for one in parts:
        yield one
        if isinstance(one, Group):
            yield from flat(one.parts)


def test_a_model_that_fits_beside_the_name_stands_there():
    (name, model), box, _ = drawn(8, model="DGX H100")
    assert (model.text, model.anchor) == ("DGX H100", "end") and abs(model.y - name.y) < 2
    (_, signed), _, _ = drawn(8, model="DGX H100", signed={"d1"})
    assert signed.x <= model.x - 2 * BADGE and box.x < signed.x


@pytest.mark.parametrize("scale", [0.45, 0.7, 1.0])
def test_a_model_that_does_not_is_written_in_full_below_in_the_box(scale):
    (name, *lines), box, ruler = drawn(8, scale=scale)
    assert " ".join(one.text for one in lines) == MODEL
    rows = [(name, True), *((one, False) for one in lines)]
    edges = [(one.y - ruler.ascent(one.size, bold), one.y + ruler.descent(one.size, bold)) for one, bold in rows]
    assert edges[0][0] >= box.y and edges[-1][1] <= box.y + box.height
    assert all(foot <= top + 0.5 for (_, foot), (top, _) in itertools.pairwise(edges))
    assert all(one.x + ruler.width(one.text, one.size) <= box.x + box.width for one in lines)
    assert abs((edges[0][0] + edges[-1][1]) / 2 - (box.y + box.height / 2)) < 1.5


def test_a_low_device_says_what_fits_beside_its_name():
    texts, box, ruler = drawn(1)
    assert line_height(ruler, texts[0].size, True) * 2 > box.height
    assert all(abs(one.y - texts[0].y) < 2 for one in texts)


def test_a_word_that_has_no_room_is_never_broken():
    (_, *lines), _, _ = drawn(8, scale=0.45, model="S" * 16)
    assert all(one.anchor == "end" and "…" in one.text for one in lines)


def test_a_device_from_behind_has_its_name_on_the_hatched_strip_alone():
    (name, *others), _, _ = drawn(8, faces=False)
    assert name.text == "gpu-001" and not others
