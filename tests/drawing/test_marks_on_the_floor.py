"""What is selected on the floor plan, or wrong, is seen even where a rack stands in a column."""

from pathlib import Path

import pytest

from designer.drawing.camera import Camera
from designer.drawing.parts.elevation import Marked
from designer.drawing.parts.floor import floor_parts
from designer.drawing.parts.primitives import Group, Part, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.room.floor_plan import floor_plan
from designer.drawing.theme import LIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.fixture import COLUMN, Fixture
from designer.storage import document

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def design():
    """Racks on the floor, the first of them in a column."""
    made = document.load(EXAMPLES / "superpod-h100-4su.fabric")
    rack = next(one for one in made.racks.values() if one.name == "rack-01")
    assert rack.x_m is not None and rack.y_m is not None
    made.apply(Edit("Column", (Change(None, Fixture("f1", COLUMN, x_m=rack.x_m, y_m=rack.y_m)),)))
    return made


def drawn(design: Design, marked: Marked) -> list[Part]:
    sheet = Sheet(Camera(1.0), (-9e4, -9e4, 2e5, 2e5), LIGHT, EstimatedRuler())
    return list(floor_parts(floor_plan(design), design, sheet, marked))


def outlines(parts: list[Part]) -> list[tuple[int, str]]:
    """Places among the parts, and colors, of dashed outlines."""
    return [
        (number, one.pen.colour)
        for number, one in enumerate(parts)
        if isinstance(one, Rect) and one.ink is None and one.pen is not None and one.pen.dash
    ]


@pytest.mark.parametrize(
    ("marked", "colour"),
    [
        (Marked(wrong={"f1"}), LIGHT.error),
        (Marked(selected={"f1"}), LIGHT.accent),
        (Marked(selected={"f1"}, wrong={"f1"}), LIGHT.accent),
    ],
)
def test_a_marked_column_has_an_outline_over_the_rack_in_it(design, marked, colour):
    parts = drawn(design, marked)
    ((place, found),) = outlines(parts)
    racks = [number for number, one in enumerate(parts) if isinstance(one, Group) and one.title.startswith("rack")]
    assert found == colour and place > max(racks)


def test_a_column_without_a_mark_has_none(design):
    assert outlines(drawn(design, Marked())) == []


def test_a_rack_that_is_wrong_and_selected_shows_both(design):
    rack = next(one for one in design.racks.values() if one.name == "rack-01")

    def colours(marked: Marked) -> list[str]:
        (group,) = (one for one in drawn(design, marked) if isinstance(one, Group) and one.title == "rack-01")
        return [one.pen.colour for one in group.parts if isinstance(one, Rect) and one.pen is not None]

    assert colours(Marked(wrong={rack.id})) == [LIGHT.error]
    assert colours(Marked(selected={rack.id})) == [LIGHT.accent]
    assert colours(Marked(selected={rack.id}, wrong={rack.id})) == [LIGHT.accent, LIGHT.error]
