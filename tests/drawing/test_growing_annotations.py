"""Annotations are as large as what they hold: legends as their keys, notes as their words, in every drawing."""

from dataclasses import replace
from itertools import pairwise

import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport
from designer.drawing.composition import Composition
from designer.drawing.display_list import Key, Swatch
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.overlay import Overlay, PauseReach
from designer.drawing.parts.annotations import annotations
from designer.drawing.parts.document import SLIDE, document
from designer.drawing.parts.keys import keys, plates
from designer.drawing.parts.primitives import Group, Path, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.words import ROW_SHARE
from designer.drawing.theme import LIGHT
from designer.model import operations
from designer.model.annotating import annotate, change_annotations, resize
from designer.model.design import Design
from designer.placement.metrics import usual_scale

LONG = "Uplinks full: no spare port on any leaf until the second pod of the hall is bought and cabled"


def placed(parts, at=(0.0, 0.0), zoom=1.0):
    """Left, top, right and bottom of the rectangles of a drawing."""
    for part in parts:
        if isinstance(part, Group):
            yield from placed(part.parts, (at[0] + part.at[0] * zoom, at[1] + part.at[1] * zoom), zoom * part.zoom)
        elif isinstance(part, Rect):
            x, y = at[0] + part.x * zoom, at[1] + part.y * zoom
            yield x, y, x + part.width * zoom, y + part.height * zoom


def pens(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from pens(part.parts)
        elif isinstance(part, Rect | Path) and part.pen is not None:
            yield part.pen.width


def drawn(composition, scale, heat=None):
    sheet = Sheet.of_view(Viewport(Camera(scale, -20.0, -20.0), 9000.0, 9000.0), LIGHT, EstimatedRuler())
    picture = composition.picture(LIGHT, Detail(LinkDetail.SINGLES), heat)
    return tuple(annotations(picture, sheet, behind=False)), sheet


@pytest.fixture
def with_legend(example):
    """A pod whose devices and links are colored, with a legend in a frame that has room for one of its keys."""
    design = example("faults")
    design.apply(operations.set_settings(design, color_devices_by="role", color_links_by="speed"))
    low = Composition(design).bounds[3]
    design.apply(annotate(design, "legend", (0.0, low + 100.0), (400.0, low + 150.0)))
    return design


@pytest.mark.parametrize("is_hot", [False, True])
@pytest.mark.parametrize("scale", [0.3, 1.0, 2.0])
def test_a_legend_is_as_high_as_all_of_its_keys_and_the_drawing_reaches_so_far(with_legend, scale, is_hot):
    heat = heat_of(with_legend) if is_hot else None
    composition = Composition(with_legend)
    composition.show_loads(heat)
    (note,) = composition.notes.drawn
    assert len(composition.legend_keys) >= 2 and note.rect[3] - note.rect[1] > 50.0
    assert composition.bounds[3] == note.rect[3] and composition.rect_of(note.note.id) == note.rect
    parts, sheet = drawn(composition, scale, heat)
    left, top, width, height = sheet.seen(note.rect)
    for x1, y1, x2, y2 in placed(parts):
        assert left - 1 <= x1 and x2 <= left + width + 1 and top - 1 <= y1 and y2 <= top + height + 1


class NarrowRuler(EstimatedRuler):
    """Of fonts that are narrower than estimated, as nearly all are."""

    def width(self, text, size, bold=False):
        return 0.7 * super().width(text, size, bold)


def heat_of(design):
    return Heat(0, dict.fromkeys(list(design.links)[:9], (0.2, 0.9)))


def test_a_legend_stays_in_its_box_in_narrow_fonts(with_legend):
    composition = Composition(with_legend)
    sheet = Sheet.of_view(Viewport(Camera(1.0, -20.0, -20.0), 9000.0, 9000.0), LIGHT, NarrowRuler())
    picture = composition.picture(LIGHT, Detail(LinkDetail.SINGLES))
    (note,) = composition.notes.drawn
    _, top, _, height = sheet.seen(note.rect)
    assert max(low for *_, low in placed(annotations(picture, sheet, behind=False))) <= top + height + 1


def test_a_picture_of_loads_has_a_higher_legend(with_legend):
    composition = Composition(with_legend)
    before = composition.bounds[3]
    picture = composition.picture(LIGHT, Detail(LinkDetail.SINGLES), heat_of(with_legend))
    assert before < composition.bounds[3] == picture.notes[0].rect[3]


@pytest.mark.parametrize("is_hot", [False, True])
@pytest.mark.parametrize("size", [None, SLIDE])
def test_documents_have_room_for_all_of_a_legend(with_legend, size, is_hot):
    heat = heat_of(with_legend) if is_hot else None
    made = document(with_legend, LIGHT.name, heat, frozenset(), Overlay(legend=False), EstimatedRuler(), size)
    _, top, _, height = made.area
    (layer,) = (one for one in made.layers if isinstance(one, Group) and one.id == "annotations")
    found = list(placed([layer]))
    assert len(found) > 4 and max(bottom for *_, bottom in found) <= top + height


def test_a_legend_follows_what_is_colored(with_legend):
    composition = Composition(with_legend)
    before = composition.bounds[3]
    edit = operations.set_settings(with_legend, color_links_by="network", color_devices_by="kind")
    with_legend.apply(edit)
    composition.follow(edit)
    assert composition.bounds[3] == Composition(with_legend).bounds[3] != before


@pytest.mark.parametrize("scale", [0.35, 0.43, 0.5, 0.77, 1.0, 1.3, 2.6])
@pytest.mark.parametrize("kind", ["note", "callout", "comment", "text"])
def test_a_box_grows_downwards_until_none_of_its_words_is_cut(kind, scale):
    design = Design()
    design.apply(annotate(design, kind, (0.0, 0.0), (150.0, 24.0), text=" ".join([LONG] * 3), size=13.0))
    composition = Composition(design)
    (note,) = composition.notes.drawn
    assert note.rect[:3] == (0.0, 0.0, 150.0) and note.rect[3] > 100.0
    parts, sheet = drawn(composition, scale)
    said = " ".join(texts(parts))
    assert LONG in said and "…" not in said
    lines = [one for group in parts for one in group.parts if isinstance(one, Text)]
    assert all(one.y <= sheet.seen(note.rect)[1] + sheet.seen(note.rect)[3] for one in lines)


def test_a_hand_makes_a_note_narrower_and_it_is_higher_again():
    design = Design()
    design.apply(annotate(design, "note", (0.0, 0.0), (300.0, 60.0), text=LONG))
    (one,) = design.annotations
    first = Composition(design).notes.drawn[0].rect
    design.apply(resize(design, one, (0.0, 0.0), (150.0, 40.0)))
    second = Composition(design).notes.drawn[0].rect
    assert second[2] == 150.0 and second[3] > first[3] > 60.0
    design.apply(change_annotations(design, [one], text="Full"))
    assert Composition(design).notes.drawn[0].rect == (0.0, 0.0, 150.0, 40.0)


def test_the_leader_of_a_callout_that_grew_begins_below_it():
    design = Design()
    design.apply(annotate(design, "callout", (0.0, 0.0), (150.0, 24.0), text=LONG))
    (note,) = Composition(design).notes.drawn
    assert note.leader is not None and note.leader[1][1] == pytest.approx(note.rect[3] + 32.0)


def test_annotations_are_made_for_the_drawing_and_not_for_the_zoom():
    assert usual_scale(None) == usual_scale((0.0, 0.0, 500.0, 300.0)) == 1.0
    assert usual_scale((0.0, 0.0, 4000.0, 300.0)) == pytest.approx(3.0)
    assert usual_scale((0.0, 0.0, 400.0, 5000.0)) == pytest.approx(6.0)


@pytest.mark.parametrize("scale", [0.1, 1.0, 4.0, 30.0])
@pytest.mark.parametrize("kind", ["note", "callout", "title-block", "arrow", "line"])
def test_lines_are_a_few_pixels_wide_at_most_unless_a_hand_made_them_wider(kind, scale):
    design = Design()
    design.apply(annotate(design, kind, (0.0, 0.0), (150.0, 84.0), line_width=2.5))
    (one,) = design.annotations
    assert 0.0 < max(pens(drawn(Composition(design), scale)[0])) <= 4.0
    design.apply(change_annotations(design, [one], line_width=12.0))
    assert max(pens(drawn(Composition(design), scale)[0])) == pytest.approx(min(12.0, 12.0 * scale))


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.0])
def test_a_title_block_grows_with_a_long_value_and_its_letters_stay_as_large(scale):
    design = Design()
    design.apply(annotate(design, "title-block", (0.0, 0.0), (320.0, 110.0)))
    design.apply(operations.set_settings(design, project="Hall", customer="Lab", site="Kista"))
    composition = Composition(design)
    before, letters = composition.notes.drawn[0].rect, min(one.size for one in written(drawn(composition, scale)[0]))
    edit = operations.set_settings(design, project=LONG, customer=LONG)
    design.apply(edit)
    composition.follow(edit)
    (block,) = composition.notes.drawn
    parts, sheet = drawn(composition, scale)
    assert block.rect[:3] == before[:3] and block.rect[3] > before[3] + 40.0
    assert composition.bounds[3] == block.rect[3]
    lines, (_, top, _, height) = written(parts), sheet.seen(block.rect)
    assert min(one.size for one in lines) >= letters - 1, "in whole pixels"
    assert LONG in " ".join(one.text for one in lines) and "…" not in "".join(one.text for one in lines)
    assert top < min(one.y for one in lines) < max(one.y for one in lines) <= top + height


def written(parts):
    return [one for group in parts for one in group.parts if isinstance(one, Text)]


@pytest.mark.parametrize("size", [13.0, 29.0])
def test_a_title_block_has_a_row_for_each_value_at_its_size_of_letters_however_low_it_was_drawn(size):
    design = Design()
    design.apply(annotate(design, "title-block", (0.0, 0.0), (900.0, 30.0), size=size))
    design.apply(operations.set_settings(design, project="Hall", customer="Lab", site="Kista", author="N. Architect"))
    design.apply(operations.set_settings(design, drawing_number="FD-0001"))
    composition = Composition(design)
    (block,) = composition.notes.drawn
    assert block.rect[3] == pytest.approx(8 * size / ROW_SHARE)
    assert {one.size for one in written(drawn(composition, 1.0)[0])} == {size}


def test_a_title_block_that_was_drawn_higher_than_its_rows_stays_as_high():
    design = Design()
    design.apply(annotate(design, "title-block", (0.0, 0.0), (320.0, 300.0)))
    assert Composition(design).notes.drawn[0].rect == pytest.approx((0.0, 0.0, 320.0, 300.0))


def test_a_title_block_grows_with_the_name_of_the_file_which_no_edit_changes():
    design = Design()
    design.apply(annotate(design, "title-block", (0.0, 0.0), (320.0, 60.0)))
    composition = Composition(design)
    assert composition.notes.drawn[0].rect[3] == 60.0
    design.file_stem = LONG
    assert composition.notes.drawn[0].rect[3] > 60.0


RUN = {
    "label": "all-to-all, direct · spray, 1 GiB",
    "outcome": ("45.23 ms, 23.73 GB/s busbw; failed: spine-01", "45 ms"),
}


def test_a_legend_says_what_run_its_loads_are_of_and_what_came_of_it(with_legend):
    heat = replace(heat_of(with_legend), **RUN)
    parts, _ = drawn(Composition(with_legend), 2.0, heat)
    said = list(texts(parts))
    lines = " ".join(said)
    for words in ("Peak utilization, busier direction", RUN["label"], RUN["outcome"][0], "9 links over 80 %"):
        assert words in lines
    assert "45 ms" not in lines
    assert not any(line.endswith((" 1", "45.23", "23.73")) for line in said), "no number is parted from its unit"


@pytest.mark.parametrize("size", [SLIDE, None])
def test_a_page_with_a_legend_on_it_has_no_other(with_legend, size):
    heat, links = heat_of(with_legend), sorted(with_legend.links)
    servers = with_legend.servers()
    alone = next(one.id for one in servers if with_legend.links_of(one.id))
    cut_off = frozenset(link.id for link in with_legend.links_of(alone))
    overlay = Overlay(failed=cut_off, pauses=PauseReach((tuple(links[:3]),), ()))

    def ids_and_words(shown):
        page = document(with_legend, LIGHT, heat, frozenset(), shown, EstimatedRuler(), size)
        groups = [one._replace(parts=tuple(one.parts)) for one in page.layers]
        return {one.id for one in groups if one.parts}, list(texts(groups))

    ids, words = ids_and_words(overlay)
    assert {"legend", "colors"}.isdisjoint(ids)
    assert {"Paused", "Cut off"} <= set(words)
    ids, words = ids_and_words(replace(overlay, annotations=False))
    assert "legend" in ids and {"paused", "cut off"} <= set(words)


def test_what_a_key_says_stands_in_its_plate_over_the_swatches_with_units_next_to_their_numbers():
    said = ("all-to-all, direct · spray, 1 GiB",), ("much, " * 40, "1,984 congested, 2,048 full at times")
    key = Key("Links by load", (Swatch("#000000", "0 %"), Swatch("#ffffff", "100 %")), is_of_links=True, said=said)
    ruler = EstimatedRuler()
    (placed_key,) = placed_keys = plates((key,), ruler)
    (plate,) = keys(placed_keys, LIGHT, ruler)
    written = [part for part in plate.parts if isinstance(part, Text)]
    assert [one.text for one in written] == [
        "Links by load",
        "all-to-all, direct ·",
        "spray, 1 GiB",
        "1,984 congested,",
        "2,048 full at times",
        "0 %",
        "100 %",
    ]
    feet = [one.y for one in written]
    assert all(low - high >= 10.0 for high, low in pairwise(feet)) and feet[-1] < placed_key.height - 3.0
    assert plates((key,), ruler, folded=True)[0].height < 30.0


@pytest.mark.parametrize("scale", [0.6, 0.8, 1.0, 1.3, 2.0])
@pytest.mark.parametrize("width", [130.0, 180.0, 400.0])
def test_a_comment_says_in_full_who_wrote_it_and_when(width, scale):
    design = Design()
    said = {"text": "Check door clearance", "author": "N. Architect", "date": "2026-11-29"}
    design.apply(annotate(design, "comment", (0.0, 0.0), (width, 20.0), **said))
    parts, _ = drawn(Composition(design), scale)
    written = [part for whole in parts for part in whole.parts if isinstance(part, Text)]
    foot = [one.text for one in written if "Check" not in one.text and "clearance" not in one.text]
    assert sorted(" · ".join(foot).split(" · ")) == ["2026-11-29", "N. Architect", "Open"]
    places = sorted((one.y, one.size) for one in written)
    assert all(low - size > high - 1 for (high, _), (low, size) in pairwise(places)), "no line covers another"
