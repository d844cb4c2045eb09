"""From afar a finding is a dot on its box, which leaves the number of a box for many to be read."""

import numpy as np
import pytest

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.parts.marks import DOT, badges
from designer.drawing.parts.primitives import Circle, Group, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.validation.findings import Severity

GROUPS = 175
RULER = EstimatedRuler()


@pytest.fixture
def whole(generated):
    return Composition(generated("dragonfly", p=1, a=14, h=13, groups=GROUPS))


def numbers_of(parts, at=(0.0, 0.0)):
    """Left, top, right and bottom of each number that is written."""
    for part in parts:
        if isinstance(part, Group):
            yield from numbers_of(part.parts, (at[0] + part.at[0], at[1] + part.at[1]) if part.at else at)
        elif isinstance(part, Text) and part.text.isdecimal():
            width, x = RULER.width(part.text, part.size, part.bold), at[0] + part.x
            left = x - width / 2 if part.anchor == "middle" else x
            ascent = RULER.ascent(part.size, part.bold)
            yield left, at[1] + part.y - 0.8 * ascent, left + width, at[1] + part.y


@pytest.mark.parametrize(
    ("width", "height", "most_at_an_edge"), [(1400.0, 840.0, 0), (960.0, 540.0, 2), (620.0, 370.0, 8)]
)
def test_dots_of_all_groups_cover_no_number(width, height, most_at_an_edge, whole):
    camera = fitting(whole.bounds, width, height)
    composition = Levels(whole).at(camera.scale)
    sheet = Sheet.of_view(Viewport(camera, width, height), LIGHT, RULER)
    detail = composition.detail_at(camera.scale)
    picture = composition.picture(LIGHT, detail)
    worst = dict.fromkeys((one.id for one in whole.projection.groups), Severity.WARNING)
    marks = list(badges(composition, sheet, detail, worst))
    assert len(worst) == len(marks) == GROUPS and all(isinstance(one.parts[0], Circle) for one in marks)
    numbers, dots = np.array(list(numbers_of(stacks(picture, sheet)))), np.array([one.at for one in marks])
    assert len(numbers) >= GROUPS // 10
    x, y = dots[:, None, 0], dots[:, None, 1]
    off = np.hypot(
        np.maximum(np.maximum(numbers[:, 0] - x, x - numbers[:, 2]), 0.0),
        np.maximum(np.maximum(numbers[:, 1] - y, y - numbers[:, 3]), 0.0),
    )
    assert off.min() > 0.0 and np.count_nonzero(off.min(axis=1) < DOT) <= most_at_an_edge
    boxes = sheet.boxes(composition.boxes[[composition.projection.row_of[one] for one in worst]])
    ends = np.abs(dots[:, :1] - np.stack((boxes[:, 0], boxes[:, 0] + boxes[:, 2]), axis=1)).min(axis=1)
    assert (ends < 2.1 * DOT).all()  # each at an end of its own
