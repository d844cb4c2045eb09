"""What the floor plan writes at racks without a place lies over none of the others, however small the plan is."""

from dataclasses import replace

import pytest

from designer.catalog.catalog import load
from designer.drawing.camera import Camera
from designer.drawing.parts.floor import UNPLACED, floor_parts
from designer.drawing.parts.primitives import Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.topologies import rail_optimized


@pytest.fixture(scope="module")
def design():
    design = Design()
    design.apply(rail_optimized.build(design, rail_optimized.RailOptimizedParameters(servers=127), load()))
    last = [rack for rack in design.racks.values() if rack.x_m is not None][-3:]
    design.apply(Edit("Take off", tuple(Change("racks", one, replace(one, x_m=None, y_m=None)) for one in last)))
    return design


@pytest.mark.parametrize("scale", [0.03, 0.06, 0.1, 0.2, 0.5, 1.0])
def test_the_words_at_waiting_racks_lie_over_no_rack(design, scale):
    plan = floor_plan(design)
    sheet = Sheet(Camera(scale), (-9e4, -9e4, 2e5, 2e5), LIGHT, EstimatedRuler())
    (words,) = (one for one in floor_parts(plan, design, sheet) if isinstance(one, Text) and UNPLACED in one.text)
    top, foot = words.y - sheet.ruler.ascent(words.size), words.y + sheet.ruler.descent(words.size)
    end = words.x + sheet.ruler.width(words.text, words.size)
    for rack in plan.racks:
        x, y, width, height = sheet.seen(rack.rect)
        assert foot <= y or top >= y + height or x >= end or x + width <= words.x, rack.name
