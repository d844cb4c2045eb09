"""Paths dim devices and links alone: title block, notes and zones belong to the sheet and keep their colors."""

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.composition import Composition
from designer.drawing.overlay import NO_OVERLAY, Overlay
from designer.drawing.parts.annotations import _unveiled
from designer.drawing.parts.document import document
from designer.drawing.parts.lit import DIMMED
from designer.drawing.parts.primitives import Group, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.theme import LIGHT, rgb
from designer.model.annotating import annotate, change_annotations, send_to_back
from designer.model.annotation import NO_FILL, NOTE, TEXT, TITLE_BLOCK, ZONE

OVER_FREE_GROUND, UNDER_A_BOX = "Free", "Under"
SHADE = "#ffe0a0"


@pytest.fixture
def sheet(generated):
    """Two servers' fabric with a note, a title block, a zone around a box, and two texts that are sent to the back."""
    design = generated("rail-optimized", servers=8)
    left, top, _, bottom = Composition(design).fabric_bounds
    box = Composition(design).rect_of(design.servers()[0].id)
    below = (left, bottom + 60.0), (left + 200.0, bottom + 120.0)
    design.apply(annotate(design, NOTE, (left, top - 200.0), (left + 150.0, top - 120.0), text="Agreed"))
    design.apply(annotate(design, TITLE_BLOCK, (left + 300.0, bottom + 60.0), (left + 600.0, bottom + 160.0)))
    design.apply(annotate(design, ZONE, (box[0] - 9, box[1] - 40), (box[2] + 9, box[3] + 9), text="Hall B", fill=SHADE))
    for words, (start, end) in ((OVER_FREE_GROUND, below), (UNDER_A_BOX, (box[:2], box[2:]))):
        edit = annotate(design, TEXT, start, end, text=words)
        design.apply(edit)
        design.apply(send_to_back(design, [edit.changes[0].after.id]))
    return design


def drawn(design, overlay):
    layers = document(design, LIGHT, None, frozenset(), overlay, EstimatedRuler()).layers
    return [one._replace(parts=tuple(one.parts)) for one in layers]


def lit(design):
    first, second, *_ = design.servers()
    links = frozenset(link.id for one in (first, second) for link in design.links_of(one.id))
    return Overlay(lit_links=links, lit_ends=(first.id, second.id))


def said(groups):
    return list(texts(groups))


def test_annotations_are_drawn_over_the_veil_and_each_word_once(sheet):
    layers = drawn(sheet, lit(sheet))
    names = [one.id for one in layers]
    under, over = layers[: names.index("dimmed")], layers[names.index("dimmed") :]
    for words in ("Agreed", "Design", "Hall B", OVER_FREE_GROUND):
        assert words in said(over) and words not in said(under)
    assert names.count("annotations") == names.count("zone-titles") == 1
    assert names.index("lit-ends") < names.index("zone-titles") < names.index("annotations")
    assert names.index("dimmed") < names.index("lit-zones") < names.index("lit-links")


def test_what_lies_under_a_box_is_dimmed_with_the_fabric(sheet):
    layers = drawn(sheet, lit(sheet))
    names = [one.id for one in layers]
    at = names.index("dimmed")
    assert UNDER_A_BOX in said(layers[:at]) and UNDER_A_BOX not in said(layers[at:])


def test_without_paths_the_layers_are_as_they_were(sheet):
    names = [one.id for one in drawn(sheet, NO_OVERLAY)]
    assert names.index("zone-titles") < names.index("boxes") < names.index("annotations")
    assert {"dimmed", "lit-zones"}.isdisjoint(names)


def over(ink, below):
    return [one * ink.alpha + two * (1 - ink.alpha) for one, two in zip(rgb(ink.colour), below, strict=True)]


@pytest.mark.parametrize("background", ["#ffffff", "#16181d"])
@pytest.mark.parametrize("colour", ["#e8f0fe", SHADE, "#ffffff", "#000000", "#1b4f9c", "#16181d"])
def test_an_area_gets_its_color_back_through_the_thinnest_ink(colour, background):
    ink = _unveiled(colour, background, DIMMED)
    veiled = [one * (1 - DIMMED) + two * DIMMED for one, two in zip(rgb(colour), rgb(background), strict=True)]
    assert np.allclose(over(ink, veiled), rgb(colour), atol=1.5)
    assert (ink.alpha < 0.01) == (colour == background)
    if ink.alpha > 0.01:
        assert set(rgb(ink.colour)) & {0, 255}, "a thinner ink could not be bright or dark enough"


def zone(layers, name):
    (group,) = (one for one in layers if one.id == name)
    parts = [part for one in group.parts for part in (one.parts if isinstance(one, Group) else (one,))]
    return next(part for part in parts if isinstance(part, Rect))


def test_a_zone_over_the_veil_is_where_it_was_and_lets_what_is_dimmed_show(sheet):
    layers = drawn(sheet, lit(sheet))
    before, again = zone(layers, "zones"), zone(layers, "lit-zones")
    assert before[:4] == again[:4] and before.pen == again.pen and before.ink.colour == SHADE
    assert 0.0 < again.ink.alpha < 0.5
    one = next(one for one in sheet.annotations.values() if one.kind == ZONE)
    sheet.apply(change_annotations(sheet, [one.id], fill=NO_FILL))
    assert zone(drawn(sheet, lit(sheet)), "lit-zones").ink is None
