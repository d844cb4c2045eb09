"""Boxes that open at a click bear a sign on a screen, and none on paper."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.parts.primitives import Group, Lines
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.model import collapsing


@pytest.mark.parametrize("has_signs", [False, True])
def test_collapsed_boxes_bear_their_signs_on_a_screen_alone(has_signs, generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(collapsing.collapse(design, design.groups))
    composition = Composition(design)
    camera = fitting(composition.bounds, 1600.0, 1000.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    view = Sheet.of_view(Viewport(camera, 1600.0, 1000.0), LIGHT, EstimatedRuler())
    drawn = [group for group in stacks(picture, replace(view, has_signs=has_signs)) if isinstance(group, Group)]
    crosses = [part for group in drawn for part in group.parts if isinstance(part, Lines) and len(part.xy) == 2]
    assert len(drawn) == 9 and len(crosses) == (9 if has_signs else 0)
    assert all(np.ptp(one.xy[0]) > 0 for one in crosses)
