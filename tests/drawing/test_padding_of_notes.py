"""Words in a box keep clear of its frame, by as much more as their letters are larger."""

from dataclasses import replace
from itertools import pairwise

import pytest

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import detail_at
from designer.drawing.notes import title_rows
from designer.drawing.parts.annotations import annotations
from designer.drawing.parts.document import document_picture
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Group, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.words import PADDING
from designer.drawing.theme import LIGHT
from designer.model import annotating
from designer.model.annotating import annotate
from designer.model.annotation import TITLE_BLOCK
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.operations import set_settings


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


def block_of(customer, size=(360.0, 160.0), letters=13.0):
    design = Design()
    change = Change(design.settings, replace(design.settings, project="Hall 2", customer=customer, site="Lyon"))
    design.apply(Edit("Title", (change,)))
    design.apply(annotating.annotate(design, TITLE_BLOCK, (0.0, 0.0), size))
    design.apply(annotating.change_annotations(design, list(design.annotations), size=letters))
    composition = Composition(design)
    sheet = Sheet(Camera(), (-10.0, -10.0, 400.0, 400.0), LIGHT, EstimatedRuler())
    picture = composition.picture(LIGHT, detail_at(1.0, 1, 1, 1))
    return [part for group in annotations(picture, sheet, behind=False) for part in group.parts], sheet


def test_a_long_value_of_a_title_block_is_in_several_lines_and_none_is_cut():
    long = "National Institute for Weather and Climate Research, High Performance Computing Division"
    parts, sheet = block_of(long, (360.0, 90.0))
    texts = [part for part in parts if isinstance(part, Text)]
    assert not [one.text for one in texts if "…" in one.text]
    assert long in " ".join(one.text for one in texts)
    assert len({one.size for one in texts}) == 1 and texts[0].size >= 12
    (block,) = (part for part in parts if isinstance(part, Rect))
    assert 90.0 < block.height < 200.0, "the block grows, its letters stay"
    assert all(
        block.y < one.y < block.y + block.height and one.x + sheet.ruler.width(one.text, one.size) <= 360.0
        for one in texts
    )
    names = {one.text: one.y for one in texts}
    assert names["Project"] == names["Hall 2"] and names["Site"] == names["Lyon"]
    feet = sorted({one.y for one in texts})
    assert min(b - a for a, b in pairwise(feet)) >= texts[0].size, "no line over another"


def test_a_value_that_has_no_room_even_so_is_cut_in_its_row():
    parts, _ = block_of("word " * 2000)
    texts = [part.text for part in parts if isinstance(part, Text)]
    assert sum("…" in one for one in texts) == 1 and len(texts) == 8


def test_a_title_block_of_a_numbered_drawing_states_its_number_sheet_and_scale():
    design = Design()
    assert not {"Drawing number", "Sheet", "Scale"} & dict(title_rows(design)).keys()
    design.apply(set_settings(design, drawing_number="FD-1001"))
    rows = dict(title_rows(design))
    assert (rows["Drawing number"], rows["Sheet"], rows["Scale"]) == ("FD-1001", "1 of 1", "Not to scale")
