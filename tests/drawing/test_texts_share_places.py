"""Texts of all layers share one list of places: titles, notes, counts, plates, badges, and what is drawn later."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import Taken
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import LinkDetail, detail_at
from designer.drawing.lit import lit_over, lit_picture
from designer.drawing.parts.annotations import zone_titled_at, zone_titles
from designer.drawing.parts.frames import title_corners
from designer.drawing.parts.hot_boxes import hot_boxes
from designer.drawing.parts.links import counts
from designer.drawing.parts.lit import lit_names
from designer.drawing.parts.marks import BADGE, badges, failed
from designer.drawing.parts.picture import layers
from designer.drawing.parts.primitives import Group, Lines, Rect, Text
from designer.drawing.parts.row_captions import (
    COUNTS,
    RowCaption,
    _captions,
    everything_written,
    placed_titles,
    row_captions,
    taken_before,
    titles_of,
)
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import over_drawing, standing
from designer.drawing.theme import LIGHT
from designer.model import annotating, collapsing
from designer.model.annotation import CALLOUT, NOTE, ZONE
from designer.validation.findings import Severity


def seen(composition, width=1500.0, height=900.0, heat=None):
    camera = fitting(composition.bounds, width, height)
    sizes = len(composition.boxes), len(composition.bundles.pairs), len(composition.projection.link_ids)
    picture = composition.picture(LIGHT, detail_at(camera.scale, *sizes), heat)
    return picture, Sheet.of_view(Viewport(camera, width, height), LIGHT, EstimatedRuler())


def plates(parts, at=(0.0, 0.0)):
    """Left, top, width and height of the plates of texts."""
    for part in parts:
        if isinstance(part, Group):
            yield from plates(part.parts, (at[0] + part.at[0], at[1] + part.at[1]))
        elif isinstance(part, Rect):
            yield part.x + at[0], part.y + at[1], part.width, part.height


def meet(one, other):
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def noted(design, sheet, place, kind=CALLOUT, by=0.0):
    """Put an annotation over a place of the sheet, that much wider and higher."""
    left, top, width, height = place
    x, y = sheet.camera.to_canvas(left + width / 2, top + height / 2)
    size = (width + by) / sheet.scale, (height + by) / sheet.scale
    design.apply(
        annotating.annotate(design, kind, (x - size[0] / 2, y - size[1] / 2), (x + size[0] / 2, y + size[1] / 2))
    )


def test_a_list_of_places_says_what_is_free_and_takes_and_gives_back():
    taken = Taken(np.array([[0.0, 0.0, 10.0, 10.0]]))
    own = taken.copy()
    assert own.is_free(10.0, 0.0, 5.0, 5.0) and own.is_free(0.0, 10.0, 5.0, 5.0), "what touches is free"
    assert not own.is_free(9.0, 9.0, 5.0, 5.0)
    own.take(20.0, 0.0, 5.0, 5.0)
    assert not own.is_free(21.0, 1.0, 1.0, 1.0) and taken.is_free(21.0, 1.0, 1.0, 1.0)
    assert own.ends_in(6.0, 2.0) == [10.0] and own.ends_in(4.0, 2.0) == [10.0, 25.0]
    own.give_back(1)
    assert len(own) == 1 and own.is_free(21.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("kind", [CALLOUT, NOTE])
def test_the_title_of_a_tier_stands_after_an_annotation_in_its_place(example, kind):
    design = example("superpod-h100-4su")
    picture, sheet = seen(Composition(design))
    (before,) = placed_titles(picture, sheet)
    noted(design, sheet, (*before.place[:2], 120.0, before.height), kind)
    picture = Composition(design).picture(LIGHT, picture.detail)
    (after,) = placed_titles(picture, sheet)
    assert (after.text, after.note) == (before.text, before.note) and after.x > before.x + 120.0
    assert after.y == before.y
    assert all(not meet(after.place, sheet.seen(one.rect)) for one in picture.notes)


def test_a_title_under_a_zone_stays_and_one_under_a_plan_wide_note_is_left_out(example):
    design = example("superpod-h100-4su")
    picture, sheet = seen(Composition(design))
    (before,) = placed_titles(picture, sheet)
    noted(design, sheet, before.place, ZONE)
    assert placed_titles(Composition(design).picture(LIGHT, picture.detail), sheet) == [before]
    noted(design, sheet, (0.0, before.y, 1500.0, before.height), NOTE)
    assert placed_titles(Composition(design).picture(LIGHT, picture.detail), sheet) == []


def test_a_line_below_a_row_keeps_clear_of_a_callout(generated):
    design = generated("k-ary-fat-tree", k=8)
    design.apply(collapsing.collapse(design, [one.id for one in design.groups.values() if one.kind != "fabric"]))
    picture, sheet = seen(Composition(design), 900.0, 500.0)
    (before,) = row_captions(picture, sheet)
    noted(design, sheet, before.place)
    picture = Composition(design).picture(LIGHT, picture.detail)
    assert all(
        not meet(one.place, sheet.seen(note.rect)) for one in row_captions(picture, sheet) for note in picture.notes
    )


def test_texts_keep_clear_of_what_is_drawn_over_the_picture_later(example):
    picture, sheet = seen(Composition(example("superpod-h100-4su")))
    before = list(plates(counts(picture, sheet)))
    assert before
    later = replace(sheet, reserved=(before[0],))
    after = list(plates(counts(picture, later)))
    assert after and not any(meet(one, before[0]) for one in after)
    (title,) = placed_titles(picture, sheet)
    (moved,) = placed_titles(picture, replace(sheet, reserved=((*title.place[:2], 5.0, 5.0),)))
    assert moved.x > title.x


def test_the_lists_of_two_sheets_and_of_two_drawings_are_apart(example):
    picture, sheet = seen(Composition(example("superpod-h100-4su")))
    first, again = list(plates(counts(picture, sheet))), list(plates(counts(picture, sheet)))
    assert first == again, "drawn twice it is the same"
    assert standing(picture, sheet) is not standing(picture, sheet)
    assert over_drawing(picture, sheet) is over_drawing(picture, sheet)


def test_names_of_what_is_lit_stand_off_titles_of_tiers_and_groups(generated):
    design = generated("rail-optimized", servers=128)
    composition = Composition(design)
    picture, sheet = seen(composition, 700.0, 400.0)
    servers = sorted(one.id for one in design.servers())
    ends = servers[0], servers[-1]
    lit = lit_over(composition, [link.id for one in ends for link in design.links_of(one)], ends)
    bright = lit_picture(composition, picture, None, lit)
    found = list(plates(lit_names(composition, bright, sheet, lit)))
    titles = titles_of(bright, sheet)
    assert found and titles and bright.containers == picture.containers
    assert not [(one, title) for one in found for title in titles if meet(one, title)]
    moved = list(plates(lit_names(composition, bright, replace(sheet, reserved=(found[0],)), lit)))
    assert moved and not [one for one in moved if meet(one, found[0])]


def test_a_title_keeps_clear_of_the_line_below_the_row_above(example):
    picture, sheet = seen(Composition(example("superpod-h100-4su")))
    (before,) = placed_titles(picture, sheet)
    line = RowCaption("SU 1 to SU 8", *before.place)
    picture._placed.clear()
    picture._placed[_captions] = sheet, [line]
    assert row_captions(picture, sheet) == [line] and placed_titles(picture, sheet) == []


def test_plates_of_hot_boxes_stand_off_texts_on_links_and_what_is_drawn_later(generated):
    design = generated("k-ary-fat-tree", k=4)
    design.apply(collapsing.collapse_all(design))
    pod = next(one for one in design.groups.values() if one.kind == "pod")
    link = next(
        one for one in design.links.values() if {one.a.device_id, one.b.device_id} <= set(design.members(pod.id))
    )
    idle = dict.fromkeys(design.links, (0.0, 0.0))
    heat = Heat(0, idle | {link.id: (0.2, 1.0)}, congested={link.id: (0.0, 8191.0)})
    picture, sheet = seen(Composition(design), heat=heat)
    *_, plate = plates(hot_boxes(picture, sheet))
    later = replace(sheet, reserved=(plate,))
    *_, other = plates(hot_boxes(picture, later))
    assert not meet(other, plate) and other[2:] == plate[2:]
    taken_before(COUNTS, picture, sheet).take(*plate)
    *_, third = plates(hot_boxes(picture, sheet))
    assert third == other, "what counts have taken is taken"
    picture, sheet = seen(Composition(design), heat=heat)
    drawn = {one.id: one for one in layers(picture, sheet)}
    taken_before(COUNTS, picture, sheet).take(*plate)
    assert third in plates(drawn["hottest"].parts), "also where layers are listed before they are drawn"


@pytest.mark.parametrize("width", [1500.0, 2600.0])
def test_a_badge_that_would_lie_over_a_title_is_at_the_foot_of_its_box(example, width):
    composition = Composition(example("superpod-h100-4su"))
    picture, sheet = seen(composition, width)
    titles = titles_of(picture, sheet)
    assert titles
    spines = {one.id: Severity.ERROR for one in composition.design.switches() if one.role == "spine"}
    detail = replace(picture.detail, names=True)
    reach = BADGE

    def over(found):
        return [
            one.at
            for one in found
            for title in titles
            if meet((one.at[0] - reach, one.at[1] - reach, 2 * reach, 2 * reach), title)
        ]

    assert over(badges(composition, sheet, detail, spines)), "there is something to keep clear of"
    assert not over(badges(composition, sheet, detail, spines, titles=titles))
    found = list(badges(composition, sheet, detail, spines, titles=titles))
    assert len(found) == len(spines) and len({round(one.at[1], 3) for one in found}) == 1, "one row, one side"


def test_badges_of_links_keep_off_titles_texts_and_each_other(example):
    composition = Composition(example("faults"))
    picture, sheet = seen(composition)
    detail = replace(picture.detail, names=True)
    list(counts(picture, sheet))
    worst = dict.fromkeys([*composition.design.links][::4], Severity.WARNING)
    found = [
        one.at
        for one in badges(composition, sheet, detail, worst, standing=partial(everything_written, picture, sheet))
    ]
    before = [one.at for one in badges(composition, sheet, detail, worst)]
    texts = everything_written(picture, sheet)

    def over_texts(places):
        return int(texts.are_covered(np.array(places), 2 * BADGE, 2 * BADGE).sum())

    def over_others(places):
        apart = np.abs(np.array(places)[:, None] - np.array(places)[None]).max(axis=2)
        return int(np.count_nonzero(apart < 2 * BADGE) - len(places))

    assert len(found) == len(before) > 20
    assert over_texts(found) < over_texts(before) / 2
    assert over_others(before) == 0


def test_a_line_has_one_badge_that_counts_its_links_with_findings_and_is_as_severe_as_the_worst(generated):
    composition = Composition(generated("rail-optimized", servers=48, server="dgx-h100", switch="nvidia-qm9700"))
    picture, sheet = seen(composition)
    bundles, link_ids = composition.bundles, composition.projection.link_ids
    number = int(np.flatnonzero(bundles.counts > 3)[0])
    links = [link_ids[row] for row in np.flatnonzero(bundles.of_link == number).tolist()]
    for n_links, said in ((1, "!"), (3, "3")):
        worst = dict.fromkeys(links[:n_links], Severity.WARNING) | {links[0]: Severity.ERROR}
        (badge,) = badges(composition, sheet, replace(picture.detail, links=LinkDetail.BUNDLES), worst)
        assert badge.title == "error" and [one.text for one in badge.parts if isinstance(one, Text)] == [said]


def test_the_cross_of_a_failed_box_leaves_its_name_in_sight(example):
    composition = Composition(example("superpod-h100-4su"))
    design = composition.design
    for scale in (0.5, 2.0):
        sheet = replace(seen(composition)[1], camera=Camera(scale))
        for one in (next(iter(design.servers())), next(iter(design.switches()))):
            x, y, width, _ = sheet.boxes(composition.boxes)[composition.projection.row_of[one.id]].tolist()
            (cross,) = (part for part in failed(composition, sheet, [one.id]) if isinstance(part, Lines))
            left, top, right, bottom = cross.xy[0].tolist()
            on_corner = abs((left + right) / 2 - x - width) < 1 and abs((top + bottom) / 2 - y) < 1
            assert on_corner or left > x + 0.8 * width


def test_badges_of_another_row_stay_above_where_one_row_has_its_own_at_its_feet(example):
    composition = Composition(example("superpod-h100-4su"))
    picture, sheet = seen(composition)
    worst = {one.id: Severity.ERROR for one in composition.design.switches()}
    row = next(one for one in composition.design.switches() if one.role == "spine").id
    left, top, width, _ = sheet.boxes(composition.boxes)[composition.projection.row_of[row]].tolist()
    detail = replace(picture.detail, names=True)
    without = [one.at for one in badges(composition, sheet, detail, worst)]
    over = [(left - 20.0, top - 20.0, width + 40.0, 24.0)]
    moved = [one.at for one in badges(composition, sheet, detail, worst, titles=over)]
    heights = {round(y, 3) for (_, y), other in zip(without, moved, strict=True) if other[1] != y}
    assert len(heights) == 1 and len({y for _, y in without}) > 1
    assert [other[1] for (_, y), other in zip(without, moved, strict=True) if round(y, 3) not in heights] == [
        y for _, y in without if round(y, 3) not in heights
    ]


def zoned(example, kind_of_place):
    """A zone whose upper edge lies over the spines, or that stands free above them."""
    design = example("superpod-h100-4su")
    picture, sheet = seen(Composition(design))
    boxes = sheet.boxes(picture.boxes)
    left, top = boxes[:, :2].min(axis=0).tolist()
    right = float((boxes[:, 0] + boxes[:, 2]).max())
    place = (left, top - 2.0, right - left, 60.0) if kind_of_place == "over" else (left, top - 200.0, 300.0, 100.0)
    noted(design, sheet, place, ZONE)
    design.apply(annotating.change_annotations(design, list(design.annotations), text="Phase 2", size=40.0))
    return Composition(design).picture(LIGHT, picture.detail), sheet


@pytest.mark.parametrize("kind_of_place", ["over", "free"])
def test_the_title_of_a_zone_is_read_over_links_and_beside_boxes(example, kind_of_place):
    picture, sheet = zoned(example, kind_of_place)
    (plate,) = plates(zone_titles(picture, sheet))
    assert not any(meet(plate, tuple(box)) for box in sheet.boxes(picture.boxes).tolist())
    drawn = {group.id: list(texts([group])) for group in layers(picture, sheet)}
    order = list(drawn)
    assert drawn["zone-titles"] == ["Phase 2"] and not drawn["zones"]
    assert order.index("links") < order.index("zone-titles") < order.index("boxes")
    left, top, _, _ = sheet.seen(picture.notes[0].rect)
    assert plate[0] >= left and (kind_of_place == "over" or top < plate[1] < top + 20.0)
    assert not any(meet(plate, one) for one in plates(counts(picture, sheet)))
    assert not taken_before(COUNTS, picture, sheet).is_free(*plate)


@pytest.mark.parametrize("kind_of_place", ["over", "free"])
def test_the_words_of_a_zone_are_found_where_they_are_written(example, kind_of_place):
    picture, sheet = zoned(example, kind_of_place)
    (plate,) = plates(zone_titles(picture, sheet))
    left, top, width, height = plate
    (zone,) = picture.notes
    assert zone_titled_at(picture, sheet, left + width / 2, top + height / 2) == zone.note.id
    for x, y in ((left - 2, top + 2), (left + 2, top - 2), (left + width + 2, top + 2), (left + 2, top + height + 2)):
        assert zone_titled_at(picture, sheet, x, y) is None


def test_what_is_written_over_a_drawing_without_zones_has_no_layer_for_them(example):
    picture, sheet = seen(Composition(example("superpod-h100-4su")))
    assert "zone-titles" not in [group.id for group in layers(picture, sheet)]


def test_titles_of_groups_on_a_circle_stand_clear_of_the_frames_next_to_theirs(generated):
    picture, sheet = seen(Composition(generated("dragonfly", p=2, a=4, h=2)), 700.0, 480.0)
    frames = [sheet.seen(one.rect) for one in picture.containers]
    names = [one.title for one in picture.containers]
    found = title_corners(picture, sheet).tolist()
    assert len(found) == len(frames) == 9
    for title, name in zip(found, names, strict=True):
        over = [other for other, frame in zip(names, frames, strict=True) if meet(title, frame)]
        assert not over, (name, over)


def test_what_shows_of_badges_is_the_same_however_much_there_is_beside(example):
    composition = Composition(example("superpod-h100-4su"))
    picture, whole = seen(composition, 2600.0)
    worst = dict.fromkeys(composition.design.devices, Severity.ERROR)
    titles = titles_of(picture, whole)
    detail = replace(picture.detail, names=True)
    every = [one.at for one in badges(composition, whole, detail, worst, titles=titles)]
    left, top = np.median(np.array(every), axis=0).tolist()
    part = replace(whole, area=(left, top, 300.0, 200.0))
    shown = [one.at for one in badges(composition, part, detail, worst, titles=titles)]
    assert shown == [one for one in every if part.contains(*one)]
    assert 0 < len(shown) < len(every) / 2


def test_badges_of_boxes_alone_do_not_ask_what_stands_on_the_sheet(example):
    composition, asked = Composition(example("faults")), []
    picture, sheet = seen(composition)
    detail = replace(picture.detail, names=True)

    def standing():
        asked.append(True)
        return everything_written(picture, sheet)

    for ids in (composition.design.devices, composition.design.links):
        assert not asked
        assert list(badges(composition, sheet, detail, dict.fromkeys(ids, Severity.ERROR), standing=standing))
    assert asked == [True]
