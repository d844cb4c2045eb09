"""Where it is hot is counted and marked at every distance, and never for links that are full by design."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing import link_ends
from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.counts import CountPlaces, Taken, corners_of
from designer.drawing.display_list import LEAST_HOT_WIDTH, Beacon, Picture
from designer.drawing.geometry import distances
from designer.drawing.heat import BUCKETS, Heat, bucket_colours, hex_of
from designer.drawing.hot_spots import MOST_MARKED, demand_text, foremost, spot_text
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.link_ends import ends_text
from designer.drawing.load_legend import legend_of
from designer.drawing.parts import links as parts_of_links
from designer.drawing.parts.hot_boxes import beacons
from designer.drawing.parts.keys import FOLD_ROOM, MARK_PX
from designer.drawing.parts.legend import HEIGHT_PX, INSET_PX, KEYS_TOP_PX, SIZE, WIDTH_PX, legend, size_of_legend
from designer.drawing.parts.links import HALO_PX, LED_PX, MOST_WIDE, counts, links
from designer.drawing.parts.primitives import Group, Ink, Lines, Path, Rect, Text
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.standing import standing
from designer.drawing.theme import DARK, LIGHT
from designer.model import collapsing, operations


@pytest.fixture
def composition(example):
    return Composition(example("fat-tree-16-2to1"))


@pytest.fixture
def example_heat(composition):
    """Two of four links of a bundle are hot, one of them wanted eight times."""
    bundles = composition.bundles
    bundle = int(np.flatnonzero(bundles.counts >= 4)[0])
    rows = np.flatnonzero(bundles.of_link == bundle)
    ids = [composition.projection.link_ids[row] for row in rows]
    idle = dict.fromkeys(composition.projection.link_ids, (0.0, 0.0))
    loads = idle | {ids[0]: (1.0, 0.0), ids[1]: (0.0, 0.9), ids[2]: (0.5, 0.5), ids[3]: (0.0, 1.0)}
    return Heat(0, loads, congested={ids[0]: (8.0, 0.0)}), len(rows)


def sheet_of(composition, scale=3.0, smooth=True):
    left, top, right, bottom = composition.bounds
    camera = Camera(scale, left, top)
    return Sheet.of_view(
        Viewport(camera, (right - left) * scale, (bottom - top) * scale), LIGHT, EstimatedRuler(), smooth=smooth
    )


def marks(parts):
    """How many marks of what is beyond the scale there are."""
    return sum(marks(part.parts) if isinstance(part, Group) else isinstance(part, Path) for part in parts)


def test_a_bundle_says_how_many_of_its_links_are_hot_and_how_much_is_wanted(composition, example_heat, monkeypatch):
    heat, n_links = example_heat
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    found = list(texts(counts(picture, sheet_of(composition))))
    assert [text for text in found if "hot" in text] == [f"2 of {n_links} hot, demand 8.0×"]
    assert any(" × 400G" in text for text in found)
    # From afar, where other counts are left out, and not while the picture moves.
    far = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), heat)
    ends, said = texts(counts(far, sheet_of(composition)))
    assert (ends, said) == ("gpu-01 – leaf-01", f"2 of {n_links} hot, demand 8.0×")
    assert not list(counts(far, sheet_of(composition, smooth=False)))
    # On a short line what it is marked for alone, where so many are marked that none is named.
    monkeypatch.setattr(parts_of_links, "MOST_NAMED", 0)
    assert list(texts(counts(far, sheet_of(composition, 1.2)))) == ["demand 8.0×"]


@pytest.mark.parametrize("beside", [140.0, 8000.0])
def test_a_plate_names_the_ends_of_its_worst_link_where_only_the_figures_fit_on_the_line(example, example_heat, beside):
    """It stands beside the line, with a leader; where there is no room at all, the mark alone is there."""
    design = example("fat-tree-16-2to1")
    server = next(one.id for one in design.devices.values() if one.name == "gpu-01")
    design.apply(operations.rename(design, server, "training-hall-7-gpu-01"))
    composition = Composition(design)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), example_heat[0])
    sheet = sheet_of(composition, 2.5)
    row = int(np.flatnonzero(picture.hot_lines.marked)[0])
    x, y = sheet.camera.points_to_view(picture.lines.xy[row : row + 1]).reshape(2, 2).mean(axis=0).tolist()
    gap = (x - beside, y + 9.0, 2 * beside, 4000.0), (x - beside, y - 4009.0, 2 * beside, 4000.0)  # one row of text
    found = list(texts(counts(picture, replace(sheet, reserved=gap))))
    assert found[:1] == ([] if beside > 1000.0 else ["training-hall-7-gpu-01 – leaf-01"])


def test_the_mark_is_on_its_own_line_next_to_the_plate(composition, example_heat):
    """Where lines are close, a plate reaches over its neighbors: the mark says whose it is."""
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), example_heat[0])
    sheet = sheet_of(composition)
    marked = int(np.flatnonzero(picture.hot_lines.marked)[0])
    line = sheet.camera.points_to_view(picture.lines.xy[marked : marked + 1])
    (plate,) = [
        part.parts[0] for part in counts(picture, sheet) if isinstance(part, Group) and isinstance(part.parts[0], Rect)
    ]
    ((x, y),) = [part.at for part in counts(picture, sheet) if isinstance(part, Group) and marks([part])]
    assert distances(line, x, y)[0] < 1e-6
    beyond = max(
        abs(x - plate.x - plate.width / 2) - plate.width / 2, abs(y - plate.y - plate.height / 2) - plate.height / 2
    )
    assert beyond == pytest.approx(MARK_PX)


def test_lines_between_regions_count_their_hot_links_too(composition, example_heat):
    heat, _ = example_heat
    picture = composition.picture(LIGHT, Detail(LinkDetail.REGIONS, region=120.0, counts=False), heat)
    _, text = texts(counts(picture, sheet_of(composition)))
    assert text.startswith("2 of ")


def test_lines_are_thinner_where_texts_are_smaller_but_hot_ones_keep_their_width(composition, example_heat):
    """Paper is read closer than a screen. A picture that is enlarged keeps its lines."""
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), example_heat[0])
    screen = sheet_of(composition)

    def widths(zoom):
        return [one.pen.width for one in links(picture, replace(screen, zoom=zoom)) if isinstance(one, Lines)]

    on_screen = widths(1.0)
    assert min(on_screen) < LEAST_HOT_WIDTH <= max(on_screen)
    assert widths(0.6) == [one if one >= LEAST_HOT_WIDTH else pytest.approx(0.6 * one) for one in on_screen]
    assert widths(4.0) == on_screen


@pytest.fixture
def full_uplinks(generated):
    """Leaf switches whose uplinks are all hot; of one a link is wanted 7.9 times."""
    composition = Composition(generated("pgft", children=(8, 8), parents=(1, 2), parallel=(1, 4)))
    design = composition.design

    def of_switches(link_id):
        link = design.links[link_id]
        return all(design.devices[end.device_id].role in ("leaf", "spine") for end in (link.a, link.b))

    uplinks = [one for one in composition.projection.link_ids if of_switches(one)]
    loads = {one: (0.95 if one in uplinks else 0.3, 0.0) for one in composition.projection.link_ids}
    return composition, Heat(0, loads | {uplinks[0]: (1.0, 0.0)}, congested={uplinks[0]: (7.9, 0.0)}), uplinks


def test_where_a_line_is_marked_the_others_do_not_say_how_many_are_hot(full_uplinks):
    composition, heat, _ = full_uplinks
    for detail in (Detail(LinkDetail.BUNDLES), Detail(LinkDetail.BUNDLES, counts=False)):
        found = list(texts(counts(composition.picture(LIGHT, detail, heat), sheet_of(composition))))
        assert [one for one in found if "hot" in one] == ["4 of 4 hot, demand 7.9×"]
        assert "leaf-01 – spine-01" in found and not any("400G" in one for one in found)


def test_a_marked_line_lies_on_a_wider_one(full_uplinks):
    composition, heat, _ = full_uplinks
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    for smooth in (True, False):
        wide = [one for one in links(picture, sheet_of(composition, smooth=smooth)) if one.pen.width == HALO_PX]
        assert [len(one.xy) for one in wide] == [1]


def test_ends_that_differ_are_named_by_their_box_or_not_at_all(full_uplinks):
    composition, _, uplinks = full_uplinks
    projection = composition.projection
    rows = np.array([projection.link_row(one) for one in uplinks])
    assert ends_text(projection, rows[:1]) == "leaf-01 – spine-01"
    assert ends_text(projection, rows) == "" == ends_text(projection, rows[:0])


def test_a_switch_that_all_links_share_is_named_before_the_box_they_lead_to(full_uplinks, monkeypatch):
    composition, _, uplinks = full_uplinks
    design = composition.design
    design.apply(collapsing.collapse_role(design, [one.id for one in design.devices.values() if one.role == "spine"]))
    projection = Composition(design).projection
    leaf = design.links[uplinks[0]].a.device_id
    rows = np.array([projection.link_row(one) for one in uplinks if design.links[one].a.device_id == leaf])
    assert ends_text(projection, rows) == "leaf-01 – 2 spines"
    every = np.array([projection.link_row(one) for one in uplinks])
    assert ends_text(projection, every) == ""
    monkeypatch.setattr(link_ends, "MOST_LOOKED_AT", 0)
    assert ends_text(projection, rows) == "leaf-01 – 2 spines"


def test_links_full_by_design_are_no_hot_spots(composition, example_heat):
    heat, _ = example_heat
    by_design = Heat(0, heat.utilization, congested={})
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), by_design)
    (text,) = texts(counts(picture, sheet_of(composition)))
    assert text.startswith("1 of ")
    assert not any(key.marked for key in picture.legend.keys)
    assert marks(counts(picture, sheet_of(composition))) == 0


def test_a_congested_link_bears_the_mark_that_the_legend_shows_on_one_of_its_lines(composition, example_heat):
    heat, _ = example_heat
    for detail in (Detail(LinkDetail.TRUNKS), Detail(LinkDetail.BUNDLES), Detail(LinkDetail.SINGLES)):
        picture = composition.picture(LIGHT, detail, heat)
        assert marks(counts(picture, sheet_of(composition))) == 1
        assert [key.text for key in picture.legend.keys if key.marked] == ["highest demand"]
    keys = legend_of(heat, are_marked=True).keys
    assert [key.text for key in keys if key.marked] == ["highest demand"] and keys[-2].text == "congested"
    assert not any(key.marked for key in legend_of(heat).keys)
    assert not any(key.marked for key in legend_of(Heat(0, heat.utilization), are_marked=True).keys)


def test_the_legend_has_room_for_every_key_of_a_drawing(example_heat):
    heat, _ = example_heat
    every = ["idle", "full by design", "congested", "highest demand", "paused"]
    written = list(_flat(legend(legend_of(heat, are_marked=True).with_pauses(), LIGHT, EstimatedRuler())))
    assert [one.text for one in written][-5:] == every
    lines = sorted({one.y for one in written})
    assert all(low - high >= SIZE for high, low in pairwise(lines)) and lines[-1] < HEIGHT_PX - 2
    assert all(one.x + EstimatedRuler().width(one.text, SIZE) <= WIDTH_PX - INSET_PX for one in written[-5:])
    assert written[-2].x == written[-5].x and written[-2].y > written[-5].y


def test_one_row_of_keys_leaves_the_legend_as_it_is(example_heat):
    heat, _ = example_heat
    shown = legend_of(heat)
    keys = [one.y for one in _flat(legend(shown, LIGHT, EstimatedRuler()))][-len(shown.keys) :]
    assert keys == [KEYS_TOP_PX + 3.5] * 3
    none = [one.y for one in _flat(legend(replace(shown, keys=()), LIGHT, EstimatedRuler()))]
    assert none == [one.y for one in _flat(legend(shown, LIGHT, EstimatedRuler()))][: -len(keys)]


def test_a_legend_of_too_many_keys_leaves_out_the_first(example_heat):
    heat, _ = example_heat
    shown = legend_of(heat, are_marked=True)
    shown = replace(shown, keys=(*shown.keys, *shown.keys[1:]))
    written = [one.text for one in _flat(legend(shown, LIGHT, EstimatedRuler()))]
    assert "idle" not in written and written[-1] == "highest demand"


def _flat(parts):
    for part in parts:
        if isinstance(part, Group):
            yield from _flat(part.parts)
        elif isinstance(part, Text):
            yield part


def test_of_very_many_congested_links_the_most_wanted_are_marked(generated):
    composition = Composition(generated("pgft", children=(16, 16), parents=(1, 8)))
    ids = composition.projection.link_ids
    wanted = {one: (2.0 + number, 0.0) for number, one in enumerate(ids)}
    heat = Heat(0, dict.fromkeys(ids, (1.0, 0.0)), congested=wanted)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    marked = np.flatnonzero(picture.hot_lines.marked)
    assert len(marked) <= MOST_MARKED < len(ids)
    least = picture.hot_lines.held_by(marked)[1].min()
    assert np.count_nonzero(np.array([2.0 + n for n in range(len(ids))]) > least) < MOST_MARKED


def test_links_wanted_little_are_not_marked_at_random_beside_those_wanted_most(generated):
    composition = Composition(generated("pgft", children=(16, 16), parents=(1, 8)))
    ids = composition.projection.link_ids
    wanted = {one: (8.0 if number < 4 else 1.1, 0.0) for number, one in enumerate(ids[: 2 * MOST_MARKED])}
    heat = Heat(0, dict.fromkeys(ids, (1.0, 0.0)), congested=wanted)
    hot = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat).hot_lines
    assert set(hot.held_by(np.flatnonzero(hot.marked))[1].tolist()) == {8.0}
    few = Heat(0, dict.fromkeys(ids, (1.0, 0.0)), congested=dict(list(wanted.items())[:MOST_MARKED]))
    hot = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), few).hot_lines
    assert set(hot.held_by(np.flatnonzero(hot.marked))[1].tolist()) == {8.0, 1.1}


def test_where_very_many_links_are_equally_hot_none_is_marked_or_counted(generated):
    composition = Composition(generated("pgft", children=(16, 16), parents=(1, 8)))
    ids = composition.projection.link_ids
    even = Heat(0, dict.fromkeys(ids, (1.0, 0.0)), congested=dict.fromkeys(ids, (2.0, 0.0)))
    for heat in (even, Heat(0, dict.fromkeys(ids, (0.9, 0.0)))):
        picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
        assert picture.hot_lines is None and picture.beacons(0.01) == ()
        assert not any(key.marked for key in picture.legend.keys)
        counted = [part for part in counts(picture, sheet_of(composition)) if " hot" in str(part)]
        assert len(counted) == 2, "the notes of two pairs of tiers, each of all links at once"
    few = dict.fromkeys(ids[:MOST_MARKED], (2.0, 0.0))
    heat = Heat(0, dict.fromkeys(ids, (1.0, 0.0)), congested=few)
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    assert picture.hot_lines is not None and picture.hot_lines.marked.any()


def test_beacons_say_how_many_links_are_hot_there(composition, example_heat):
    heat, _ = example_heat
    picture = composition.picture(LIGHT, Detail(LinkDetail.REGIONS, region=5000.0), heat)
    assert list(texts(beacons(picture, sheet_of(composition, 0.01)))) == ["2 hot, demand 8.0×"]


def test_hot_lines_stay_two_pixels_wide_while_very_many_move(generated):
    composition = Composition(generated("pgft", children=(32, 256), parents=(1, 16)))
    heat = Heat(0, dict.fromkeys(composition.projection.link_ids, (0.9, 0.0)))
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    one, other = (part for part in links(picture, sheet_of(composition, smooth=False)) if isinstance(part, Lines))
    assert len(one.xy) == len(other.xy) > MOST_WIDE
    apart = np.abs(one.xy - other.xy)
    assert (apart.sum(axis=1) == LEAST_HOT_WIDTH).all()  # one pixel at either end, across the line


def test_a_demand_is_a_multiple_and_nothing_where_it_is_not_known():
    assert [demand_text(value) for value in (0.0, 1.0, 1.3, 9.96, 1023.7)] == [
        "",
        "",
        "demand 1.3×",
        "demand 10.0×",
        "demand 1,024×",
    ]
    assert spot_text(3, 8, 0.0) == "3 of 8 hot"
    assert spot_text(1, 1, 8.0) == "demand 8.0×"
    assert spot_text(0, 8, 0.0) == ""


@given(
    st.lists(st.tuples(st.sampled_from((0.0, 1.0, 2.0)), st.sampled_from((0.5, 0.8, 2.0))), max_size=40),
    st.integers(1, 12),
)
def test_the_foremost_are_those_that_sorting_all_would_put_first(pairs, most):
    first, then = np.array(pairs, float).reshape(-1, 2).T
    rows = np.arange(len(pairs))[::2]
    by_sorting = rows[np.lexsort((-then[rows], -first[rows]))][:most]
    assert foremost(rows, first, then, most).tolist() == by_sorting.tolist()


def test_what_is_said_of_a_marked_line_stands_on_a_plate_with_a_border(composition, example_heat):
    heat, _ = example_heat
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), heat)
    (plate,) = (
        part.parts[0]
        for part in counts(picture, sheet_of(composition))
        if isinstance(part, Group) and isinstance(part.parts[0], Rect)
    )
    assert (plate.ink.colour, plate.ink.alpha, plate.pen.colour) == (LIGHT.plate, 1.0, LIGHT.plate_border)


def test_labels_of_hot_links_stand_clear_of_each_other_sideways_and_down(example, monkeypatch):
    composition = Composition(example("superpod-h100-4su"))
    picture = composition.picture(LIGHT, composition.detail_at(0.05))
    sheet = Sheet.of_view(Viewport(Camera(1.0, 0.0, 0.0), 2000.0, 900.0), LIGHT, EstimatedRuler())
    for x, y, n_texts in ((100.0, 0.0, 1), (600.0, 0.0, 2), (100.0, 19.0, 1), (100.0, 60.0, 2)):
        places = tuple(Beacon(50.0 + dx, 50.0 + dy, 3, 1.5, 0) for dx, dy in ((0.0, 0.0), (x, y)))
        monkeypatch.setattr(Picture, "beacons", lambda _self, _scale, found=places: found)
        groups = list(beacons(picture, sheet))
        assert sum(any(isinstance(part, Text) for part in one.parts) for one in groups) == n_texts
        assert len(groups) == 2 + n_texts


def test_texts_of_hot_lines_keep_clear_of_what_lies_over_the_drawing(composition, example_heat):
    heat, _ = example_heat
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    sheet = sheet_of(composition)
    assert any("hot" in one for one in texts(counts(picture, sheet)))
    covered = replace(sheet, reserved=((0.0, 0.0, 1e6, 1e6),))
    assert not list(texts(counts(composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat), covered)))


def test_of_many_links_wanted_about_as_much_one_plate_speaks_for_all(generated):
    composition = Composition(generated("pgft", children=(16, 16), parents=(1, 8)))
    ids = composition.projection.link_ids[-2 * MOST_MARKED :]
    wanted = {one: (2.0 - 0.001 * number, 0.0) for number, one in enumerate(ids)}
    heat = Heat(
        0, dict.fromkeys(composition.projection.link_ids, (0.3, 0.0)) | dict.fromkeys(ids, (1.0, 0.0)), congested=wanted
    )
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES, counts=False), heat)
    sheet = sheet_of(composition)
    ends, text = texts(counts(picture, sheet))
    assert text == f"demand 2.0×; {len(ids) - 1} more like it"
    assert ends == ends_text(composition.projection, np.array([composition.projection.link_row(ids[0])]))
    parts = [part for part in counts(picture, sheet) if isinstance(part, Group)]
    (plate,) = [part.parts[0] for part in parts if isinstance(part.parts[0], Rect)]
    spots = [part.at for part in parts if isinstance(part.parts[0], Path)]
    assert len(spots) > 1
    for x, y in spots:
        assert not (plate.x < x < plate.x + plate.width and plate.y < y < plate.y + plate.height), "clear of marks"


@pytest.mark.parametrize("measure", ["peak", "mean", "bytes"])
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_folded_legend_keeps_its_scale_with_both_ends_in_its_line(measure, theme):
    heat = Heat(0, {"l1": (0.9, 0.2)}, "ring", measure, full_bytes=123e9)
    shown, ruler = legend_of(heat), EstimatedRuler()
    parts = list(legend(shown, theme, ruler, folded=True))
    high = size_of_legend(folded=True)[1]
    title, first, last = [one for one in parts if isinstance(one, Text)]
    assert "…" not in title.text and shown.title.startswith(title.text)
    assert (first.text, last.text) == (shown.stops[0].text, shown.stops[-1].text)
    bar = [one for one in parts if isinstance(one, Rect) and one.ink in {Ink(hex_of(c)) for c in bucket_colours(theme)}]
    assert len(bar) == BUCKETS and all(one.y > 0 and one.y + one.height < high for one in bar)
    left, right = bar[0].x, bar[-1].x + bar[-1].width
    edge = title.x + ruler.width(title.text, title.size, title.bold)
    assert edge < first.x < first.x + ruler.width(first.text, first.size) < left < right < last.x
    assert last.x + ruler.width(last.text, last.size) <= WIDTH_PX - INSET_PX - FOLD_ROOM


def test_the_legend_says_what_came_of_the_run_as_far_as_there_is_room(example_heat):
    texts_of = ("57.19 ms, 138 GB/s busbw; failed: spine-01", "57.19 ms, 138 GB/s busbw; 1 failed")
    shown = legend_of(replace(example_heat[0], label="all-to-all", outcome=texts_of))
    ruler = EstimatedRuler()
    written = [one.text for one in _flat(legend(shown, LIGHT, ruler))]
    room = WIDTH_PX - 2 * INSET_PX
    assert next(one for one in texts_of if ruler.width(one, SIZE) <= room) in written
    long = replace(shown, outcome=("x" * 200, texts_of[1]))
    assert texts_of[1] in [one.text for one in _flat(legend(long, LIGHT, ruler))]


@pytest.mark.parametrize("measure", ["peak", "mean"])
def test_a_legend_with_all_classes_writes_its_title_and_counts_uncut(measure):
    ids = [f"l{number}" for number in range(1, 1000)]
    loads = {one: (1.0, 0.0) if number < 900 else (0.9, 0.0) for number, one in enumerate(ids)}
    congested = {
        one: (2.0, 0.0) if number < 25 else (-0.47, 0.0) if number < 460 else (0.0, 0.0)
        for number, one in enumerate(ids[:900])
    }
    heat = Heat(0, loads, "all-reduce, ring · spray, 1 GiB", measure, congested=congested)
    shown = legend_of(heat, are_marked=True)
    assert shown.note == "124 hot links (25 congested), 440 full by design, 435 full at times"
    ruler = EstimatedRuler()
    written = [part.text for part in legend(shown, LIGHT, ruler, folded=False) if isinstance(part, Text)]
    assert not any("…" in one for one in written), written
    assert any("25 congested" in one and "full" in one for one in written)
    assert {"full by design", "congested", "full at times", "highest demand"} <= {*written}


def test_a_short_piece_of_a_shared_line_has_its_mark_where_few_are_marked(generated, monkeypatch):
    composition = Composition(generated("rail-optimized", servers=32, servers_per_su=16))
    design = composition.design
    link = next(one for one in design.links.values() if any(map(design.is_server, (one.a.device_id, one.b.device_id))))
    idle = dict.fromkeys(composition.projection.link_ids, (0.0, 0.0))
    heat = Heat(0, idle | {link.id: (1.0, 0.0)}, congested={link.id: (16.0, 0.0)})
    picture = composition.picture(LIGHT, replace(composition.detail_at(0.2), counts=False), heat)
    (marked,) = np.flatnonzero(picture.hot_lines.marked).tolist()
    x1, y1, x2, y2 = picture.lines.xy[marked].tolist()
    assert not picture.lines.direct[marked], "it runs along a line that many links share"
    sheet = sheet_of(composition, 9.0 / np.hypot(x2 - x1, y2 - y1))
    assert marks(counts(picture, sheet)) == 1
    monkeypatch.setattr(parts_of_links, "MOST_NAMED", 0)
    assert marks(counts(picture, sheet)) == 0


@pytest.fixture
def incast(generated):
    """Sixteen flows to one server of a unit, seen so small that no line has room for a word; and the sheet."""
    composition = Composition(generated("rail-optimized", servers=64, servers_per_su=32))
    design = composition.design
    link = next(one for one in design.links.values() if any(map(design.is_server, (one.a.device_id, one.b.device_id))))
    idle = dict.fromkeys(composition.projection.link_ids, (0.0, 0.0))
    heat = Heat(0, idle | {link.id: (1.0, 0.0)}, congested={link.id: (16.0, 0.0)})
    picture = composition.picture(LIGHT, composition.detail_at(0.11), heat)
    left, top, right, bottom = composition.bounds
    camera = fitting((left, top - 400.0, right, bottom + 400.0), 900.0, 600.0)
    return picture, Sheet.of_view(Viewport(camera, 900.0, 600.0), LIGHT, EstimatedRuler())


def plate_and_leader(picture, sheet):
    """The plate that says the demand, and the line that leads there."""
    parts = list(counts(picture, sheet))
    plates = [one.parts[0] for one in parts if isinstance(one, Group) and "16×" in "".join(texts((one,)))]
    leaders = [one.xy[0] for one in parts if isinstance(one, Lines)]
    return (plates or [None])[0], (leaders or [None])[0]


def test_the_demand_of_a_line_without_room_stands_next_to_it_with_a_leader(incast):
    picture, sheet = incast
    plate, leader = plate_and_leader(picture, sheet)
    (marked,) = np.flatnonzero(picture.hot_lines.marked).tolist()
    middle = sheet.camera.points_to_view(picture.lines.xy[[marked]]).reshape(2, 2).mean(axis=0)
    assert leader[:2] == pytest.approx(middle)
    x, y = leader[2:]
    assert plate.x - 0.01 <= x <= plate.x + plate.width + 0.01 and plate.y - 0.01 <= y <= plate.y + plate.height + 0.01
    assert np.hypot(*(leader[2:] - leader[:2])) <= max(max(LED_PX)) + 20.0
    assert standing(picture, sheet).is_free(plate.x, plate.y, plate.width, plate.height)
    assert marks(counts(picture, sheet)) == 1


def test_that_plate_goes_elsewhere_or_is_left_out_where_something_lies_over_the_drawing(incast):
    picture, sheet = incast
    plate, _ = plate_and_leader(picture, sheet)
    taken = (plate.x, plate.y, plate.width, plate.height)
    moved, _ = plate_and_leader(picture, replace(sheet, reserved=(taken,)))
    assert Taken(corners_of(np.array([taken]))).is_free(moved.x, moved.y, moved.width, moved.height)
    assert plate_and_leader(picture, replace(sheet, reserved=((0.0, 0.0, 900.0, 600.0),))) == (None, None)


def test_what_a_beacon_marks_and_names_is_not_named_twice(incast):
    picture, sheet = incast
    assert not picture.beacons(sheet.scale) and plate_and_leader(picture, sheet)[0] is not None
    far = replace(sheet, camera=sheet.camera.zoomed(0.2, 450.0, 300.0))
    assert len(picture.beacons(far.scale)) == 1
    assert plate_and_leader(picture, far) == (None, None) and marks(counts(picture, far)) == 0


def test_a_leader_strikes_no_text_through_where_another_way_is_free():
    line, area = np.array([[50.0, 50.0, 50.0, 52.0]]), (0.0, 0.0, 100.0, 100.0)
    places = CountPlaces(line, Taken(np.array([[40.0, 60.0, 60.0, 70.0]])), area)
    leaders = np.array([[50.0, 50.0, 50.0, 90.0], [50.0, 50.0, 90.0, 50.0], [50.0, 50.0, 50.0, 10.0]])
    assert places.are_struck(leaders).tolist() == [True, False, False]


def test_a_line_of_many_pairs_names_its_worst_link_after_what_it_counts(full_uplinks):
    composition, heat, _ = full_uplinks
    design = composition.design
    design.apply(collapsing.collapse_role(design, [one.id for one in design.devices.values() if one.role == "spine"]))
    closed = Composition(design)
    found = list(texts(counts(closed.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat), sheet_of(closed))))
    counted = next(one for one in found if "hot" in one)
    assert counted == "8 of 8 hot, demand 7.9×" and found[found.index(counted) + 1] == "worst: leaf-01 – spine-01"
    assert "leaf-01 – spine-01" not in found
