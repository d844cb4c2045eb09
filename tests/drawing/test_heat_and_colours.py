"""Hotter is wider and further along the scale; texts and lines stand out from what they are drawn on."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing.bundles import NO_HEAT, buckets_of
from designer.drawing.calm import CALMEST_FROM
from designer.drawing.composition import Composition
from designer.drawing.display_list import IDLE_WIDTH, idle_colour
from designer.drawing.heat import (
    BUCKETS,
    CONGESTED,
    FULL_AT_TIMES,
    FULL_AT_TIMES_COLOUR,
    FULL_BY_DESIGN_COLOUR,
    HOT_FROM,
    LEGEND_STOPS,
    SATURATED,
    Heat,
    are_hot,
    bucket_colours,
    bucket_of,
    hex_of,
    percent,
)
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.load_legend import legend_of
from designer.drawing.text import elided, width_of
from designer.drawing.theme import DARK, KINDS, LIGHT, SERVER, mixed, rgb, themed
from designer.errors import ParameterError
from designer.model.job_colours import JOB_COLOURS

loads = st.floats(0, 1.5, allow_nan=False)
colours = st.tuples(*[st.integers(0, 255)] * 3).map(hex_of)


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio as WCAG 2.2 defines it, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@given(loads, loads)
def test_more_load_never_has_a_cooler_colour(one, other):
    low, high = sorted((one, other))
    assert 0 <= bucket_of(low) <= bucket_of(high) < BUCKETS


@given(st.lists(loads, max_size=20))
def test_many_loads_get_the_colours_that_each_alone_would(values):
    assert buckets_of(np.array(values, float)).tolist() == [bucket_of(value) for value in values]


@given(
    st.lists(
        loads | st.sampled_from((0.8, 0.81, SATURATED, np.nextafter(SATURATED, 0), 0.9949, 1.0, CONGESTED)), max_size=20
    )
)
def test_links_are_hot_in_the_buckets_over_80_percent_but_not_where_they_are_full_alone(values):
    buckets = [bucket_of(value) for value in values]
    hot = [
        bucket >= HOT_FROM and (bucket < BUCKETS - 1 or value >= CONGESTED) and value != FULL_AT_TIMES
        for bucket, value in zip(buckets, values, strict=True)
    ]
    assert are_hot(np.array(values, float)).tolist() == hot


def test_a_link_is_hot_over_80_percent_in_every_count_and_colour():
    """Four flows that get a fifth of a link each leave it at 80 %, however they add up."""
    at_80, over = [0.8, sum([0.2] * 4), float(np.nextafter(0.8, 1)), 0.79, 0.775], [0.801, 0.9]
    assert not are_hot(np.array(at_80)).any() and max(map(bucket_of, at_80)) < HOT_FROM
    assert are_hot(np.array(over)).all() and min(map(bucket_of, over)) >= HOT_FROM
    heat = Heat(0, {f"l{number}": (load, 0.0) for number, load in enumerate((*at_80, *over))}, congested={})
    assert heat.busy == heat.n_hot == len(heat.hottest) == len(over)
    assert legend_of(heat).note == "2 links over 80 %"
    assert bucket_of(0.9949) == BUCKETS - 2


def test_the_congested_links_of_a_legend_are_among_its_hot_ones():
    loads = {"a": (1.0, 0.1), "b": (0.2, 1.0), "c": (0.9, 0.0), "d": (0.8, 0.0)}
    assert legend_of(Heat(0, loads, congested={"b": (0.0, 2.0)})).note == "2 hot links (1 congested), 1 full by design"
    both = Heat(0, {"a": (1.0, 0.0), "b": (1.0, 0.0)}, congested={"a": (2.0, 0.0), "b": (2.0, 0.0)})
    assert legend_of(both).note == "2 hot links (all congested)"


def test_only_a_full_link_has_the_last_colour_and_an_unknown_one_has_none():
    assert bucket_of(SATURATED) == bucket_of(1.0) == bucket_of(7.0) == BUCKETS - 1
    assert bucket_of(np.nextafter(SATURATED, 0)) == BUCKETS - 2
    assert bucket_of(-0.2) == bucket_of(0.0) == 0
    assert buckets_of(np.array([NO_HEAT, 0.0])).tolist() == [-1, 0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_colours_of_the_scale_all_differ_and_neighbours_are_close(theme):
    assert len(set(bucket_colours(theme))) == BUCKETS == len(bucket_colours(theme))
    for one, other in pairwise(bucket_colours(theme)[:-1]):
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 40


@pytest.mark.parametrize("both_ways", [False, True])
def test_hotter_links_are_drawn_later_and_wider(example, both_ways):
    design = example("superpod-h100-4su")
    loads = {one: (number / (len(design.links) - 1), 0.0) for number, one in enumerate(design.links)}
    picture = Composition(design).picture(LIGHT, Detail(LinkDetail.BUNDLES, both_ways=both_ways), Heat(0, loads))
    idle, *strokes = picture.strokes()
    assert idle.colour == idle_colour(LIGHT)
    hexes = [hex_of(colour) for colour in bucket_colours(LIGHT)]
    buckets = [hexes.index(stroke.colour) for stroke in strokes]
    assert buckets[0] == 0
    assert buckets == sorted(set(buckets))
    assert buckets[-1] >= BUCKETS - 2
    assert all(one.width < other.width for one, other in pairwise([idle, *strokes]))
    twice = int(picture.lines.direct.sum()) if both_ways else 0
    assert sum(len(stroke.xy) for stroke in (idle, *strokes)) == len(picture.lines.xy) + twice


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_of_very_many_links_hot_ones_are_two_pixels_wide_and_idle_ones_thin_and_grey(generated, theme):
    design = generated("rail-optimized", servers=128)
    hot, *idle = design.links
    loads = dict.fromkeys(idle, (0.0, 0.0)) | {hot: (0.81, 0.2), idle[0]: (0.0, 0.4)}
    picture = Composition(design).picture(theme, Detail(LinkDetail.BUNDLES), Heat(0, loads))
    assert len(picture.lines.xy) > CALMEST_FROM
    first, *_, last = picture.strokes()
    assert len(first.xy) > 0.9 * len(picture.lines.xy)
    assert first.width < 1
    assert max(rgb(first.colour)) - min(rgb(first.colour)) < 24
    assert last.width >= 2
    assert last.colour == hex_of(bucket_colours(theme)[bucket_of(0.81)])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_of_very_many_links_those_with_next_to_nothing_are_thin_but_not_faint(generated, theme):
    design = generated("rail-optimized", servers=128)
    picture = Composition(design).picture(
        theme, Detail(LinkDetail.BUNDLES), Heat(0, dict.fromkeys(design.links, (0.03, 0.0)))
    )
    assert len(picture.lines.xy) > CALMEST_FROM
    (stroke,) = picture.strokes()
    assert contrast(rgb(stroke.colour), rgb(theme.background)) >= 3.0
    assert IDLE_WIDTH < stroke.width < 0.6


@pytest.mark.parametrize(
    ("utilization", "congested", "keys"),
    [
        ({"l1": (0.5, 0.2)}, {}, []),
        ({"l1": (0.5, 0.2), "l2": (0.0, 0.0)}, {}, ["idle"]),
        ({"l1": (1.0, 0.2)}, {}, ["full by design"]),
        ({"l1": (1.0, 0.2)}, {"l1": (2.0, 0.0)}, ["congested"]),
        ({"l1": (1.0, 0.2)}, {"l1": (-0.6, 0.0)}, ["full at times"]),
        ({"l1": (1.0, 0.2)}, None, ["saturated"]),
        ({"l1": (0.5, 0.2)}, None, []),
    ],
)
def test_the_legend_has_samples_of_what_is_drawn_alone(utilization, congested, keys):
    heat = Heat(0, utilization, congested=congested)
    assert [key.text for key in legend_of(heat).keys] == keys


def test_links_full_by_design_and_congested_ones_have_colours_and_words_of_their_own(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    by_design, congested = composition.projection.link_ids[0], composition.projection.link_ids[-1]
    heat = Heat(0, {by_design: (1.0, 0.1), congested: (0.2, 1.0)}, congested={congested: (0.0, 1.0)})
    picture = composition.picture(LIGHT, Detail(LinkDetail.BUNDLES), heat)
    full, worst = list(picture.strokes())[-2:]
    assert full.colour == hex_of(FULL_BY_DESIGN_COLOUR)
    assert worst.colour == hex_of(bucket_colours(LIGHT)[-1])
    np.testing.assert_array_equal(worst.xy, course_of(composition, congested))
    legend = legend_of(heat)
    assert legend.note == "1 hot link (congested), 1 full by design"
    assert [(key.text, key.colour_in(LIGHT)) for key in legend.keys] == [
        ("full by design", full.colour),
        ("congested", worst.colour),
    ]
    unknown = legend_of(Heat(0, dict(heat.utilization)))
    assert [key.text for key in unknown.keys] == ["saturated"]


def test_a_trunk_has_the_heat_of_what_each_piece_carries(example):
    composition = Composition(example("superpod-h100-4su"))
    detail = Detail(LinkDetail.TRUNKS)
    lines = composition.lines(detail)
    kinds, ends = composition.projection.kinds, composition.projection.ends
    servers = np.flatnonzero((kinds[ends] == SERVER).any(axis=1))
    row = int(servers[0])
    picture = composition.picture(LIGHT, detail, Heat(0, {composition.projection.link_ids[row]: (1.0, 0.0)}))
    hot = lines.xy[np.maximum(*picture.loads_of()) >= 1]
    leaf = int(max(ends[row], key=lambda box: kinds[box] != SERVER))
    server = int(min(ends[row], key=lambda box: kinds[box] != SERVER))
    xs = composition.centres[[leaf, server], 0]
    assert len(hot) >= 3
    assert hot[:, [0, 2]].min() >= xs.min() - 70
    assert hot[:, [0, 2]].max() <= xs.max() + 70


# Linear RGB as the color-blind see it: G. Machado, M. Oliveira, L. Fernandes (2009), severity 1.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
LEAST_DISTANCE = {"normal": 0.12, "protanopia": 0.075, "deuteranopia": 0.075}
"""In OKLab (B. Ottosson, 2020), where 0.02 is just noticed."""


def oklab(colour, sight):
    parts = np.array(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    ) @ np.clip(SIGHTS[sight] @ linear, 0, 1)
    return np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    ) @ np.cbrt(cones)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_no_colour_of_a_job_is_taken_for_heat(sight, theme):
    heat = [oklab(colour, sight) for colour in (*bucket_colours(theme), FULL_BY_DESIGN_COLOUR, FULL_AT_TIMES_COLOUR)]
    for name, colour in JOB_COLOURS:
        nearest = min(float(np.linalg.norm(oklab(rgb(colour), sight) - one)) for one in heat)
        assert nearest >= LEAST_DISTANCE[sight], name


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_full_by_design_full_at_times_congested_and_idle_are_no_shades_of_each_other(sight, theme):
    colours = [FULL_BY_DESIGN_COLOUR, FULL_AT_TIMES_COLOUR, bucket_colours(theme)[-1], rgb(idle_colour(theme))]
    seen = [oklab(colour, sight) for colour in colours]
    for number, one in enumerate(seen):
        for other in seen[:number]:
            assert float(np.linalg.norm(one - other)) >= LEAST_DISTANCE[sight]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_saturated_is_no_shade_of_what_is_nearly_so(sight, theme):
    *scale, full = (oklab(colour, sight) for colour in bucket_colours(theme))
    for of in (full, oklab(FULL_AT_TIMES_COLOUR, sight)):
        assert min(float(np.linalg.norm(of - one)) for one in scale) >= LEAST_DISTANCE[sight]


def course_of(composition, link_id):
    """The lines of the bundle that a link is in."""
    bundle = composition.bundles.of_link[composition.projection.link_row(link_id)]
    if composition.link_paths.bent[bundle]:
        return composition.link_paths.xy[composition.link_paths.bundles == bundle]
    return composition.anchors.bundles[[bundle]]


def test_a_line_has_the_colour_of_its_busiest_link_and_one_without_heat_has_none(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    hot, warm = composition.projection.link_ids[0], composition.projection.link_ids[-1]
    picture = composition.picture(DARK, Detail(LinkDetail.BUNDLES), Heat(0, {hot: (0.1, 1.0), warm: (0.5, 0.2)}))
    drawn = {stroke.colour: stroke for stroke in picture.strokes()}
    assert len(drawn) == 3
    for link_id, load in ((hot, 1.0), (warm, 0.5)):
        line = drawn[hex_of(bucket_colours(DARK)[bucket_of(load)])].xy
        np.testing.assert_array_equal(line, course_of(composition, link_id))
    rest = max(drawn.values(), key=lambda stroke: len(stroke.xy))
    assert len(rest.xy) == len(picture.lines.xy) - sum(len(course_of(composition, one)) for one in (hot, warm))
    assert rest.colour not in {hex_of(colour) for colour in bucket_colours(DARK)}


def test_the_legend_says_how_many_links_are_full_or_how_busy_the_busiest_is():
    assert legend_of(Heat(0, {})).note == "no link carries traffic"
    assert legend_of(Heat(0, {"l1": (0.2, 0.771)}, "ring")).note == "busiest link 77 %"
    three = Heat(0, {"l1": (0.2, 0.87), "l2": (0.81, 1.0), "l3": (0.8, 0.1)})
    assert legend_of(three).note == "2 links over 80 %, 1 saturated"
    assert legend_of(Heat(0, {"l1": (0.2, 1.0)})).note == "1 link saturated"
    full = legend_of(Heat(0, {f"l{number}": (0.999, 0.0) for number in range(1200)}, "ring"))
    assert (full.label, full.note) == ("ring", "1,200 links saturated")
    assert [stop.utilization for stop in LEGEND_STOPS] == sorted(stop.utilization for stop in LEGEND_STOPS)


@given(st.floats(0, 1, allow_nan=False))
def test_a_percentage_never_says_nothing_of_something_or_full_of_less(load):
    text = percent(load)
    assert text.endswith(" %")
    if load < SATURATED:
        assert text != "100 %"
    if load >= 0.0005:
        assert text not in ("0 %", "0.0 %")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_stand_out_from_every_paper_they_are_written_on(theme):
    papers = [theme.background, theme.group_fill, theme.rack_fill, theme.plate, *(box.fill for box in theme.boxes)]
    for paper in papers:
        assert contrast(rgb(theme.text), rgb(paper)) >= 7
        assert contrast(rgb(theme.muted), rgb(paper)) >= 4.5
    for colour in (theme.error, theme.warning, theme.info):
        assert contrast(rgb(theme.on_finding), rgb(colour)) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_links_of_any_heat_stand_out_from_the_paper_and_switches_from_servers(theme):
    for colour in (
        *bucket_colours(theme),
        FULL_BY_DESIGN_COLOUR,
        FULL_AT_TIMES_COLOUR,
        rgb(theme.link),
        rgb(idle_colour(theme)),
    ):
        assert contrast(colour, rgb(theme.background)) >= 3.0
    assert contrast(rgb(theme.link), rgb(theme.background)) > contrast(rgb(theme.server_link), rgb(theme.background))
    assert len({box.stripe for box in theme.boxes}) == len({box.fill for box in theme.boxes}) == len(KINDS)


def test_links_with_little_traffic_stay_quiet_on_either_paper():
    """A few per cent on thousands of links must not be brighter than what is hot; nor than on the other paper."""
    for theme in (LIGHT, DARK):
        quiet, hot = (contrast(bucket_colours(theme)[bucket_of(load)], rgb(theme.background)) for load in (0.04, 0.9))
        assert quiet <= 3.2 and hot >= 1.2 * quiet


def test_a_theme_is_chosen_by_name_or_given_and_an_unknown_one_is_refused():
    assert themed("dark") is themed(DARK) is DARK
    assert DARK.is_dark
    assert not themed("light").is_dark
    with pytest.raises(ParameterError, match="choose light or dark"):
        themed("sepia")


@given(colours, colours, st.floats(0, 1))
def test_a_mixed_colour_lies_between_its_two(one, other, share):
    assert mixed(one, other, 1.0) == one
    assert mixed(one, other, 0.0) == other
    for part, low, high in zip(rgb(mixed(one, other, share)), rgb(one), rgb(other), strict=True):
        assert min(low, high) <= part <= max(low, high)


@given(st.text(max_size=40), st.floats(0, 200), st.floats(6, 20), st.booleans())
def test_a_shortened_text_fits_and_begins_as_the_whole_one_does(text, width, size, bold):
    short = elided(text, width, size, bold)
    assert short == "" or width_of(short, size, bold) <= width + 1e-6
    assert short in (text, "") or (short.endswith("…") and text.startswith(short[:-1]))
    if width_of(text, size, bold) <= width:
        assert short == text


def test_a_heat_of_bytes_is_told_in_bytes():
    heat = Heat(0, {"l1": (0.5, 1.0)}, measure="bytes", full_bytes=3 * 2**30)
    assert (heat.text_of(0.5), heat.text_of(1.0)) == ("1.5 GiB", "3 GiB")
    legend = legend_of(heat)
    assert legend.title == "Bytes over links, busier direction"
    assert [stop.text for stop in legend.stops] == ["0", "1.5 GiB", "3 GiB"]
    assert legend.note == "busiest link 3 GiB"
    narrow = legend_of(Heat(0, {"l1": (0.5, 1.0)}, measure="bytes", full_bytes=1.2 * 2**30))
    assert [stop.text for stop in narrow.stops] == ["0", "0.6 GiB", "1.2 GiB"]


def test_each_direction_has_a_line_from_where_its_traffic_comes(example):
    design = example("fat-tree-16-2to1")
    composition = Composition(design)
    link_id = composition.projection.link_ids[0]
    heat = Heat(0, {link_id: (0.3, 1.0)})
    picture = composition.picture(LIGHT, Detail(LinkDetail.SINGLES, both_ways=True), heat)
    shown = np.arange(len(picture.lines.xy))
    by_colour = {stroke.colour: stroke for stroke in picture.directions(1.0, shown)}
    forth, back = (by_colour[hex_of(bucket_colours(LIGHT)[bucket_of(load)])] for load in (0.3, 1.0))
    assert len(forth.xy) == len(back.xy) == 1
    (one,), (other,) = forth.xy, back.xy
    assert np.allclose(one[:2] - one[2:], other[2:] - other[:2])
    assert not np.allclose(one[:2], other[2:])  # beside each other
    idle = composition.picture(LIGHT, Detail(LinkDetail.SINGLES, both_ways=True), Heat(0, {link_id: (0.0, 1.0)}))
    assert len(list(idle.directions(1.0, shown))) == 1
    far = composition.picture(LIGHT, Detail(LinkDetail.SINGLES), heat)
    assert not list(far.directions(1.0, shown))


def beacons(design, heat, scale):
    """The places of the beacons of a picture at that scale."""
    composition = Composition(design)
    detail = Detail(LinkDetail.REGIONS, region=2_000.0)
    found = composition.picture(themed("light"), detail, heat).beacons(scale)
    return composition, np.array([(one.x, one.y) for one in found]).reshape(-1, 2)


def test_a_congested_link_that_is_not_drawn_from_afar_has_a_beacon_and_a_long_one_has_none(generated):
    design = generated("pgft", children=(8, 8, 8), parents=(1, 8, 8))
    links = list(design.links.values())
    servers = {server.id for server in design.servers()}
    access = next(link for link in links if servers & {link.a.device_id, link.b.device_id})
    idle = {link.id: (0.0, 0.0) for link in links}
    heat = Heat(0, idle | {access.id: (1.0, 0.2)}, congested={access.id: (1.0, 0.0)})
    composition, found = beacons(design, heat, 0.03)
    ends = [design.placements[end.device_id] for end in (access.a, access.b)]
    assert found.tolist() == [[sum(p.x for p in ends) / 2, sum(p.y for p in ends) / 2]]
    # Near enough the link itself is seen.
    assert len(beacons(design, heat, 5.0)[1]) == 0
    # Links that NICs fill, cool links and bytes carried have none.
    full = Heat(0, idle | {access.id: (1.0, 0.2)}, congested={})
    assert len(beacons(design, full, 0.03)[1]) == 0
    assert len(beacons(design, Heat(0, idle | {access.id: (0.7, 0.2)}), 0.03)[1]) == 0
    assert len(beacons(design, Heat(0, idle | {access.id: (0.9, 0.2)}), 0.03)[1]) == 1
    assert len(beacons(design, Heat(0, idle | {access.id: (1.0, 0.2)}, measure="bytes"), 0.03)[1]) == 0
    assert composition.bounds is not None


def test_beacons_of_neighbours_are_one_and_of_very_many_links_only_some(generated):
    design = generated("pgft", children=(16, 16), parents=(1, 8))
    loads = np.linspace(0.82, 1.0, len(design.links)).tolist()
    heat = Heat(0, {link_id: (load, load) for link_id, load in zip(design.links, loads, strict=True)})
    _, found = beacons(design, heat, 0.01)
    assert 1 <= len(found) <= 40
    cells = np.floor(found * 0.01 / 14.0)
    assert len(np.unique(cells, axis=0)) == len(found)
