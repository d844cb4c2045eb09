"""Words in a box keep clear of its frame, by as much more as their letters are larger."""

import pytest

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.parts.annotations import PADDING
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.picture import document_picture
from designer.drawing.theme import LIGHT
from designer.model.annotating import annotate
from designer.model.design import Design


def words(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from words(part.parts)
        elif isinstance(part, Text):
            yield part


@pytest.mark.parametrize("kind", ["note", "callout", "zone", "comment"])
@pytest.mark.parametrize(("size", "padding"), [(8.0, PADDING), (13.0, PADDING), (52.0, 4 * PADDING)])
def test_words_are_as_far_from_the_frame_as_their_letters_are_large(kind, size, padding):
    design = Design()
    design.apply(annotate(design, kind, (0.0, 0.0), (900.0, 600.0), text="Here", size=size))
    picture = document_picture(Composition(design), LIGHT, None)
    sheet = Sheet(Camera(), (-50.0, -50.0, 1000.0, 700.0), LIGHT, EstimatedRuler())
    (text,) = (one for one in words(layers(picture, sheet)) if one.text == "Here")
    assert text.x == pytest.approx(padding)
