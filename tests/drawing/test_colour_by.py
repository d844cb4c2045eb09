"""Color by: each class has its color, the legend names those that are drawn, and any reader tells them apart."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from drawn_texts import texts
from hypothesis import given
from hypothesis import strategies as st

from designer.drawing.colour_by import (
    FREE_FROM,
    FREE_PORTS,
    MOST_LENGTHS,
    NETWORK_COLOURS,
    SEVERAL,
    STATES,
    Classes,
    ColourClass,
    Status,
    _by_length,
    _ranked,
    apart_from,
    device_classes,
    length_ends,
)
from designer.drawing.colouring import Choice
from designer.drawing.composition import Composition
from designer.drawing.display_list import Key, Swatch
from designer.drawing.heat import Heat
from designer.drawing.legend_keys import keys_on
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.link_rails import device_rails, link_rails
from designer.drawing.palette import PLAIN, RAMP, SIZE, colour_in, colours_of, steps
from designer.drawing.parts.keys import keys, plates, size_of
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.projection import Projection
from designer.drawing.theme import DARK, LIGHT, rgb
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.model.annotating import annotate
from designer.model.colour_keys import DEVICE_KEYS, LINK_KEYS
from designer.model.design import Design, from_entities
from designer.model.edit import Change, Edit, joined
from designer.model.entities import End
from designer.model.fragments import copy_fragment
from designer.model.looks import colour_devices
from designer.model.networks import NETWORKS, TITLES, network_of_link
from designer.validation.findings import Severity

SEEN_AS = {
    "everybody": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""Linear colors as the color-blind see them: Machado, Oliveira and Fernandes (2009), severity 1."""

SINGLES, BUNDLES = Detail(LinkDetail.SINGLES), Detail(LinkDetail.BUNDLES)


def oklab(linear):
    to_cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    to_lab = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ np.clip(linear, 0, 1))


def linear(colour):
    parts = np.array(rgb(colour)) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", SEEN_AS)
def test_any_two_classes_look_different_to_all_eyes(theme, eyes):
    seen = [oklab(np.array(SEEN_AS[eyes]) @ linear(colour)) for colour in colours_of(theme)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > 0.12


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_class_stands_out_from_its_paper(theme):
    paper, *colours = (float(linear(one) @ [0.2126, 0.7152, 0.0722]) for one in (theme.background, *colours_of(theme)))
    for colour in colours:
        low, high = sorted((paper, colour))
        assert (high + 0.05) / (low + 0.05) > 2.4


@pytest.fixture(scope="module")
def superpod():
    from pathlib import Path

    from designer.storage import document

    return document.load(Path(__file__).resolve().parents[2] / "examples" / "superpod-h100-4su.fabric")


@pytest.fixture
def composition(superpod):
    return Composition(superpod.snapshot())


def test_without_a_choice_a_fabric_of_one_network_looks_as_it_always_did(composition):
    coloured = composition.picture(LIGHT, BUNDLES).coloured
    assert coloured.boxes is None and coloured.lines is None and coloured.keys == ()


def test_by_rail_a_leaf_and_its_links_have_the_colour_of_their_rail(composition):
    composition.design.apply(
        operations.set_settings(composition.design, color_devices_by="rail", color_links_by="rail")
    )
    composition = Composition(composition.design)
    picture = composition.picture(LIGHT, SINGLES)
    (key,) = picture.coloured.keys
    assert key.title == "Devices and links by rail", "what is the same is said once"
    assert [one.text for one in key.swatches] == [*(f"Rail {n}" for n in range(1, 9)), "No rail"]
    colours = {one.text: one.colour for one in key.swatches}
    for row, device_id in enumerate(picture.device_ids):
        rail = composition.design.devices[device_id].rail
        stripe = picture.coloured.box_colours[picture.coloured.boxes[row]].stripe
        assert rail is None or stripe == colours[f"Rail {rail}"]
    drawn = {stroke.colour for stroke in picture.strokes()}
    assert len(drawn) == 8, "one color for each rail"


def _built(catalog, types, joined, stated):
    """Devices of these types by name, with so many links between two, and the rails of some stated."""
    design = Design()
    for name, type_id in types.items():
        spot = (0.0, 100.0 * len(design.devices))
        design.apply(operations.add_device(design, catalog.get(type_id), *spot, catalog_types=catalog.types, name=name))
    for a, b, count in joined:
        design.apply(operations.connect_devices(design, design.find(a).id, design.find(b).id, count))
    for name, rail in stated.items():
        was = design.find(name)
        design.apply(Edit("Rail", (Change(was, replace(was, rail=rail)),)))
    return design


def _rails(design):
    """The rail of each link, by the names of its ends and its port at the first."""
    found = zip(Projection(design).link_ids, link_rails(Projection(design)), strict=True)
    links = [(design.links[one], rail) for one, rail in found]
    return [(design.device(one.a.device_id).name, one.a.port, rail) for one, rail in links]


def test_the_rail_of_a_link_is_that_of_its_nic_and_of_an_uplink_those_of_its_leaf(catalog):
    leafs = ["several", "one", "none"]
    design = _built(
        catalog,
        {**dict.fromkeys((*leafs, "spine"), "nvidia-qm9700"), "gpu": "dgx-h100"},
        [("gpu", "several", 4), ("gpu", "one", 1), *((leaf, "spine", 1) for leaf in leafs)],
        {"several": 1, "none": 2},
    )
    rails = _rails(design)
    several = "Rails 1, 2, 3 and 4"
    expected = [*((f"rail{n}", several) for n in range(1, 5)), ("rail5", 5)]
    assert [(port, rail) for name, port, rail in rails if name == "gpu"] == expected
    assert {name: rail for name, _, rail in rails if name != "gpu"} == {"several": several, "one": 5, "none": several}


def test_links_of_a_server_without_gpus_are_on_the_rail_that_their_leaf_states(catalog):
    design = _built(catalog, {"leaf": "nvidia-qm9700"}, [], {"leaf": 3})
    dgx = catalog.get("dgx-h100")
    node = replace(dgx, id="store", gpus=0, slots=tuple(replace(slot, gpu=None) for slot in dgx.slots))
    design.apply(operations.add_device(design, node, 0.0, 300.0, catalog_types=catalog.types, name="store"))
    design.apply(operations.connect_devices(design, design.find("store").id, design.find("leaf").id, 2))
    assert [rail for _, _, rail in _rails(design)] == [3, 3]


def test_an_export_may_choose_otherwise_than_the_design(composition):
    composition.colouring.choose(Choice("type", "speed"))
    titles = [key.title for key in composition.picture(DARK, SINGLES).coloured.keys]
    assert titles == ["Devices by type", "Links by speed"]


@pytest.mark.parametrize("key", [word.name for word in DEVICE_KEYS])
def test_devices_can_be_coloured_by_every_key(composition, key):
    composition.colouring.choose(Choice(key, "network"))
    picture = composition.picture(LIGHT, BUNDLES)
    if key == "kind":
        assert picture.coloured.boxes is None
    else:
        (shown,) = picture.coloured.keys
        assert len(shown.swatches) == len(set(picture.coloured.boxes.tolist()))


@pytest.mark.parametrize("key", [word.name for word in LINK_KEYS if word.name != "network"])
def test_links_can_be_coloured_by_every_key(composition, key):
    composition.colouring.choose(Choice("kind", key))
    picture = composition.picture(LIGHT, SINGLES)
    (shown,) = picture.coloured.keys
    assert shown.is_of_links and len(shown.swatches) == len(set(picture.coloured.lines.tolist()))


def test_by_free_ports_reserved_ones_are_not_free_and_edits_are_followed(composition):
    design = composition.design
    switch = next(one for one in design.switches() if design.free_ports(one.id))
    composition.colouring.choose(Choice(devices="free"))

    def said(device_id):
        coloured = composition.picture(LIGHT, SINGLES).coloured
        code = int(coloured.boxes[composition.projection.row_of[device_id]])
        return FREE_PORTS[code].title

    n_free = len(design.free_ports(switch.id))
    expected = next(i for i in (3, 2, 1) if n_free >= FREE_FROM[i - 1])
    assert said(switch.id) == FREE_PORTS[expected].title
    free = tuple(port.name for port in design.free_ports(switch.id))
    design.apply(edit := Edit("Reserve", [Change(switch, replace(switch, reserved_ports=free))]))
    composition.follow(edit)
    assert said(switch.id) == "No free ports"


def test_heat_takes_the_place_of_the_colours_of_links_not_of_devices(composition):
    composition.colouring.choose(Choice("rail", "rail"))
    heat = Heat(0, {"l1": (0.5, 0.5)})
    picture = composition.picture(LIGHT, SINGLES, heat)
    assert [key.title for key in picture.coloured.keys] == ["Devices by rail"]
    assert picture.coloured.lines is None


def test_storage_and_management_links_differ_from_compute_without_a_choice(example):
    design = example("superpod-h100-4su")
    storage = next(one for one in design.devices.values() if one.role == "leaf")
    design.apply(Edit("Move", (Change(storage, replace(storage, network="storage")),)))
    composition = Composition(design)
    picture = composition.picture(LIGHT, SINGLES)
    (key,) = picture.coloured.keys
    assert key.title == "Links by network"
    shown = picture.coloured.lines
    for link_id, network in zip(composition.projection.link_ids, _networks(composition), strict=True):
        assert network == network_of_link(design, design.links[link_id])
    assert len({*shown.tolist()}) == 2


def _networks(composition):
    classes = composition.colouring._link_classes(())
    return [NETWORKS[code] for code in classes.codes.tolist()]


def test_a_line_for_links_of_several_classes_is_said_to_be_so(composition):
    composition.colouring.choose(Choice("kind", "rail"))
    picture = composition.picture(LIGHT, Detail(LinkDetail.TRUNKS))
    (key,) = picture.coloured.keys
    assert key.swatches[-1].text == "Several in one line"
    assert key.swatches[-1].colour not in {one.colour for one in key.swatches[:-1]} | {LIGHT.link}


def test_colours_follow_edits_and_undo(composition):
    composition.colouring.choose(Choice("own", "own"))
    device = composition.projection.device_ids[3]
    before = composition.picture(LIGHT, BUNDLES).coloured.boxes.copy()
    edit = colour_devices(composition.design, [device], "#c8321e")
    composition.design.apply(edit)
    composition.follow(edit)
    coloured = composition.picture(LIGHT, BUNDLES).coloured
    assert coloured.box_colours[coloured.boxes[3]].stripe == "#c8321e"
    back = edit.inverted()
    composition.design.apply(back)
    composition.follow(back)
    assert composition.picture(LIGHT, BUNDLES).coloured.boxes.tolist() == before.tolist()
    assert composition.design.settings.color_devices_by == "kind"


@pytest.mark.parametrize("by", ["kind", "role"])
def test_colors_that_devices_were_given_lie_over_what_others_are_colored_by(composition, by):
    composition.colouring.choose(Choice(by, "network"))
    before = composition.picture(LIGHT, BUNDLES)

    def stripes(picture):
        coloured = picture.coloured
        if coloured.boxes is None:
            return [LIGHT.boxes[kind].stripe for kind in picture.kinds.tolist()]
        return [coloured.box_colours[code].stripe for code in coloured.boxes.tolist()]

    ids = composition.projection.device_ids
    edit = joined(
        "",
        [
            colour_devices(composition.design, ids[:2], "#09a383"),
            colour_devices(composition.design, ids[2:3], "#123456"),
        ],
    )
    composition.design.apply(edit)
    composition.follow(edit)
    after = composition.picture(LIGHT, BUNDLES)
    assert stripes(after) == ["#09a383", "#09a383", "#123456", *stripes(before)[3:]]
    named = [one.text for key in after.coloured.keys if not key.is_of_links for one in key.swatches]
    assert named[-2:] == ["Teal", "#123456"] or named[-2:] == ["#123456", "Teal"]
    assert len(named) == 2 or by != "kind"
    assert composition.design.settings.color_devices_by == "kind"
    assert any(key.title == "Devices by kind" for key in keys_on(after)) == (by == "kind")
    composition.colouring.choose(Choice())
    composition.design.apply(edit.inverted())
    composition.follow(edit.inverted())


def test_by_status_the_worst_is_drawn(composition):
    composition.colouring.choose(Choice("status", "status"))
    leaf, link = composition.projection.device_ids[0], composition.projection.link_ids[0]
    worst = {leaf: Severity.ERROR, link: Severity.WARNING}
    composition.colouring.show_status(Status(worst, frozenset({composition.projection.link_ids[1]})))
    coloured = composition.picture(LIGHT, SINGLES).coloured
    assert coloured.boxes[0] == 2 and coloured.box_colours[2].stripe == LIGHT.error
    assert {1, 3} <= set(coloured.lines.tolist())
    assert [STATES[one].title for one in (1, 3)] == ["Warning", "Failed"]


@given(st.lists(st.none() | st.integers(1, 200), min_size=1, max_size=400))
def test_every_number_is_in_the_class_that_names_it(values):
    found = _ranked("Rail", list(values), lambda value: "No rail" if value is None else f"Rail {value}")
    assert len(found.classes) <= SIZE + 1
    for value, code in zip(values, found.codes.tolist(), strict=True):
        named: ColourClass = found.classes[code]
        numbers = [int(word) for word in named.title.split() if word.isdigit()]
        assert (value is None) == (named.colour == PLAIN)
        assert value is None or numbers[0] <= value <= numbers[-1]


def test_many_types_show_the_most_frequent_and_count_the_others():
    found = _ranked("Type", [name for n, name in enumerate("abcdefghijkl") for _ in range(20 - n)], str)
    assert [one.title for one in found.classes[:-1]] == [*"abcdefg", "5 others"]


def test_a_key_is_as_large_as_what_it_holds_and_folds_to_its_title(composition):
    composition.colouring.choose(Choice("rail", "tier"))
    shown, ruler = composition.picture(LIGHT, SINGLES).coloured.keys, EstimatedRuler()
    (wide, high), (_, low) = size_of(plates(shown, ruler)), size_of(plates(shown, ruler, folded=True))
    assert low < high / 4
    assert "Rail 3" in set(texts(keys(plates(shown, ruler), LIGHT, ruler)))
    folded = set(texts(keys(plates(shown, ruler, folded=True), LIGHT, ruler, folded=True)))
    assert folded == {"Devices by rail", "Links by tier"}
    assert size_of(plates(shown, ruler, across=True))[0] > wide


def test_the_title_of_a_key_is_not_cut():
    ruler, title = EstimatedRuler(), "Devices and links by difference"
    assert ruler.width(title, 11, True) > 194
    shown = (Key(title, (Swatch("#00aa88", "Added"),), is_of_links=False),)
    assert title in set(texts(keys(plates(shown, ruler), LIGHT, ruler)))


def test_a_legend_on_the_drawing_shows_kinds_and_replaces_the_one_beside_it(composition):
    design = composition.design
    design.apply(operations.set_settings(design, color_links_by="rail"))
    beside = Composition(design).picture(LIGHT, SINGLES)
    assert [key.title for key in beside.keys] == ["Links by rail"]
    design.apply(annotate(design, "legend", (0.0, -900.0), (400.0, -600.0)))
    composition = Composition(design)
    picture = composition.picture(LIGHT, SINGLES)
    assert picture.keys == ()
    kinds, links = keys_on(picture)
    assert [(one.text, one.colour) for one in kinds.swatches] == [
        (word, LIGHT.boxes[number].stripe) for number, word in enumerate(("Server", "Leaf", "Spine"))
    ]
    assert links.title == "Links by rail"
    composition.notes.are_shown = False
    assert composition.picture(LIGHT, SINGLES).keys == (links,), "a legend that is hidden shows nothing"
    composition.notes.are_shown = True
    composition.colouring.choose(Choice("rail", "network"))
    assert [key.title for key in keys_on(composition.picture(LIGHT, SINGLES))] == ["Devices by rail"]


def test_a_legend_on_the_drawing_shows_loads_while_links_are_colored_by_them(composition):
    design = composition.design
    design.apply(annotate(design, "legend", (0.0, -900.0), (400.0, -600.0)))
    heat = Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5)))
    *_, loads = keys_on(Composition(design).picture(LIGHT, SINGLES, heat))
    assert loads.title == "Links by load" and loads.is_of_links
    assert [one.text for one in loads.swatches] == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert len({one.colour for one in loads.swatches[:6]}) == 6
    assert "Links by load" not in {one.title for one in keys_on(Composition(design).picture(LIGHT, SINGLES))}


def test_a_diagram_with_a_legend_on_the_drawing_shows_it_once(composition):
    design = composition.design
    design.apply(operations.set_settings(design, color_devices_by="rail"))
    assert svg_of(design).count("Devices by rail") == 1
    design.apply(annotate(design, "legend", (0.0, -900.0), (400.0, -600.0)))
    assert svg_of(design).count("Devices by rail") == 1


def test_roles_are_listed_from_the_highest_tier_down_then_others_by_name():
    found = _ranked("Role", ["Leaf", "Border", "Server", "Spine", "Core", "Access", None], lambda one: str(one))
    assert [one.title for one in found.classes] == ["Core", "Spine", "Leaf", "Server", "Access", "Border", "None"]


def test_a_role_keeps_its_color_when_another_role_joins():
    def colours(*roles):
        return {one.title: one.colour for one in _ranked("Role", list(roles), str).classes if one.colour != PLAIN}

    few, more = colours("Leaf", "Server", "Spine"), colours("Leaf", "Server", "Spine", "Core", "Border", "Switch")
    assert few.items() <= more.items()
    assert len(set(more.values())) == 6
    every = colours("Leaf", "Spine", *(f"Role {number}" for number in range(SIZE - 2)))
    assert sorted(every.values()) == list(range(SIZE)), "each place in the palette once"
    assert colours("b", "a") == {"a": 0, "b": 1}


def test_lengths_are_in_bands_of_the_design_that_are_counted_and_none_is_empty():
    routed = [3.4] * 64 + [3.9] * 64 + [4.5] * 300 + [5.2] * 400 + [6.8] * 200 + [7.5] * 100 + [8.8] * 8 + [None] * 3
    classes = _by_length("Links by length", routed)
    assert [one.title for one in classes.classes] == [
        "Up to 4 m (128)",
        "4 to 5 m (300)",
        "5 to 6 m (400)",
        "6 to 7 m (200)",
        "7 to 8 m (100)",
        "8 to 10 m (8)",
        "Length not known (3)",
    ]
    assert classes.codes.tolist()[-3:] == [6, 6, 6]
    assert [one.title for one in _by_length("", [2.0, 5.0, 30.0]).classes][:3] == [
        "Up to 2 m (1)",
        "2 to 5 m (1)",
        "5 to 30 m (1)",
    ]
    assert [one.title for one in _by_length("", [None]).classes] == ["Length not known (1)"]
    assert [one.title for one in _by_length("", [1.0, 9e9]).classes][1] == "Over 1 m (1)"


@given(st.lists(st.floats(0.01, 5000.0), max_size=60))
def test_every_length_is_in_the_band_that_names_it(lengths):
    ends = length_ends(lengths)
    assert len(ends) <= MOST_LENGTHS and ends == sorted(set(ends))
    codes = _by_length("", lengths).codes.tolist()
    assert sorted(set(codes)) == list(range(len(ends)))
    for length, code in zip(lengths, codes, strict=True):
        assert (ends[code - 1] if code else 0.0) < length <= ends[code]


def test_bands_with_the_fewest_links_are_joined():
    lengths = [0.4, 1.0, 1.4, 2.0, *[3.0] * 50, *[10.0] * 50, *[30.0] * 50, *[100.0] * 50]
    assert length_ends(lengths) == [1.0, 2.0, 3.0, 10.0, 30.0, 100.0]
    few_are_far = [1.0, *[2.0] * 90, *[3.0] * 9, *[4.0] * 9, 10.0, 20.0, 30.0, 30.0]
    assert length_ends(few_are_far) == [1.0, 2.0, 3.0, 4.0, 20.0, 30.0]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_lines_of_several_classes_do_not_look_like_those_of_none(theme):
    several = colour_in(SEVERAL.colour, theme, theme.link)
    others = (theme.link, theme.server_link, theme.background)
    apart = [sum(abs(int(several[n : n + 2], 16) - int(one[n : n + 2], 16)) for n in (1, 3, 5)) for one in others]
    assert min(apart) > 200


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_longer_cables_stand_out_more_on_either_paper(theme):
    """One ramp, ordered by lightness, whose ends are far apart however few bands there are."""

    def away(colour):
        return abs(
            sum(
                weight * (one - two) for weight, one, two in zip((0.299, 0.587, 0.114), rgb(colour), paper, strict=True)
            )
        )

    paper = rgb(theme.background)
    for lengths in ([1.0, 9.0], [1.0, 3.0, 9.0, 40.0], [0.4, 0.9, 1.9, 4.5, 9.0, 90.0, 400.0]):
        classes = [one for one in _by_length("", lengths).classes if one.colour != PLAIN]
        drawn = [away(colour_in(one.colour, theme, "")) for one in classes]
        assert drawn == sorted(drawn) and min(b - a for a, b in pairwise(drawn)) > 12.0
        assert drawn[-1] > 150.0 and drawn[0] > 40.0
    assert [one.place for one in steps(1)] == [RAMP - 1]


@pytest.fixture
def sharing(catalog):
    """Four leaf switches, each with two of the eight rails of four servers, below one spine; and the ids of all."""
    design = Design()
    made = []
    for type_id, count, y in (("nvidia-qm9700", 5, 0.0), ("dgx-h100", 4, 300.0)):
        for number in range(count):
            edit = operations.add_device(design, catalog.get(type_id), 300.0 * number, y, catalog_types=catalog.types)
            design.apply(edit)
            made.append(next(one.after.id for one in edit.changes if one.after.id in design.devices))
    leafs, spine, servers = made[:4], made[4], made[5:]
    design.apply(operations.make_rails(design, servers, leafs))
    design.apply(operations.connect_evenly(design, leafs, [spine], 2))
    return design, leafs, spine, servers


def test_rails_that_share_leaf_switches_are_one_for_their_links_uplinks_and_switches(sharing):
    design, leafs, spine, _ = sharing
    projection = Projection(design)
    names = ["Rails 1 and 5", "Rails 2 and 6", "Rails 3 and 7", "Rails 4 and 8"]
    rails = dict(zip(projection.link_ids, link_rails(projection), strict=True))
    for leaf, name in zip(leafs, names, strict=True):
        own = design.links_of(leaf)
        assert len(own) == 10 and {rails[one.id] for one in own} == {name}
        assert device_rails(projection)[projection.row_of[leaf]] == name
    assert device_rails(projection)[projection.row_of[spine]] is None
    design.apply(operations.set_settings(design, color_links_by="rail", color_devices_by="rail"))
    composition = Composition(design)
    lines = composition.lines(BUNDLES)
    coloured = composition.coloured(LIGHT, lines, are_links_hot=False)
    (key,) = coloured.keys
    assert [one.text for one in key.swatches][:4] == names
    assert not any(one.text == "Several in one line" for one in key.swatches)


def test_where_no_other_leaf_switch_has_other_rails_each_link_keeps_that_of_its_nic(sharing):
    design, leafs, *_ = sharing
    design.apply(operations.delete(design, leafs[1:]))
    assert set(link_rails(Projection(design))) == {1, 5, None}


def test_leaf_switches_with_unequal_numbers_of_rails_keep_those_that_they_share(sharing):
    design, leafs, _, servers = sharing
    links = [one for one in design.links_of(leafs[0]) if servers[0] in (one.a.device_id, one.b.device_id)]
    projection = Projection(design)
    assert {link_rails(projection)[projection.link_row(one.id)] for one in links} == {"Rails 1 and 5"}
    fifth = [one.id for one in design.links_of(leafs[0]) if "rail5" in (one.a.port, one.b.port)]
    assert len(fifth) == 4
    design.apply(operations.delete(design, fifth))
    others = {"Rails 2 and 6", "Rails 3 and 7", "Rails 4 and 8"}
    assert set(link_rails(Projection(design))) == {1, *others}


def test_the_colors_of_rails_follow_their_numbers_where_only_some_share_leaf_switches(sharing):
    design, leafs, *_ = sharing
    fifth = [one.id for one in design.links_of(leafs[0]) if "rail5" in (one.a.port, one.b.port)]
    design.apply(operations.reconnect(design, fifth, leafs[0], leafs[1]))
    design.apply(operations.set_settings(design, color_devices_by="rail"))
    composition = Composition(design)
    (key,) = (
        one
        for one in composition.coloured(LIGHT, composition.lines(BUNDLES), are_links_hot=False).keys
        if "rail" in one.title
    )
    names = ["Rail 1", "Rails 2, 5 and 6", "Rails 3 and 7", "Rails 4 and 8"]
    assert [one.text for one in key.swatches][:4] == names


def keys_of(design, theme, **settings):
    design.apply(operations.set_settings(design, **settings))
    composition = Composition(design)
    return composition.coloured(theme, composition.lines(BUNDLES), are_links_hot=False).keys


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("links_by", ["speed", "tier", "network"])
def test_no_color_means_one_thing_for_devices_and_another_for_links(sharing, theme, links_by):
    design, leafs, _, _ = sharing
    design.apply(
        Edit("network", (Change(design.device(leafs[0]), replace(design.device(leafs[0]), network="storage")),))
    )
    devices, links = keys_of(design, theme, color_devices_by="role", color_links_by=links_by)
    assert not {one.colour for one in devices.swatches} & {one.colour for one in links.swatches}
    again = dict(zip(("devices", "links"), keys_of(design, theme, color_links_by=links_by), strict=True))
    assert again == {"devices": devices, "links": links}


def test_devices_and_links_by_the_same_share_their_colors(sharing):
    design, *_ = sharing
    (both,) = keys_of(design, LIGHT, color_devices_by="rail", color_links_by="rail")
    assert both.title == "Devices and links by rail"


def test_a_color_is_shared_only_where_the_palette_has_none_left():
    classes = tuple(ColourClass(str(place), place) for place in range(SIZE))
    found = Classes("Speed", np.arange(SIZE, dtype=np.int16), classes)
    assert apart_from(found, range(SIZE), {0, 1}) == found
    some = replace(found, classes=(*classes[:3], ColourClass("none", PLAIN), ColourClass("red", "error")))
    moved = apart_from(some, range(5), {0, 2, PLAIN, "error"})
    assert [one.colour for one in moved.classes] == [4, 1, 7, PLAIN, "error"]


def every_network(design, leafs):
    """Switches of all networks with links to others, and tags that are no more than the palette leaves."""
    network = dict(zip(leafs, NETWORKS[1:], strict=True))
    changes = [
        Change(one, replace(one, network=network.get(one.id, ""), tags=(f"t{number % 4}",)))
        for number, one in enumerate(design.devices.values())
    ]
    design.apply(Edit("", tuple(changes)))
    return design


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("devices_by", [key.name for key in DEVICE_KEYS if key.name != "own"])
def test_networks_keep_their_colors_whatever_devices_are_colored_by(sharing, theme, devices_by):
    design = every_network(*sharing[:2])
    (alone,) = keys_of(design, theme, color_devices_by="kind")
    assert len({one.colour for one in alone.swatches}) == len(alone.swatches) >= 4
    composition = Composition(design)
    composition.colouring.choose(Choice(devices_by, "network"))
    composition.colouring.show_status(Status({}, frozenset(list(design.devices)[:1])))
    coloured = composition.coloured(theme, composition.lines(BUNDLES), are_links_hot=False)
    kept = {one.text: one.colour for key in coloured.keys for one in key.swatches}
    assert kept.items() >= {one.text: one.colour for one in alone.swatches if one.text != "Compute"}.items()
    of_devices = {one.text: one.colour for key in coloured.keys if not key.is_of_links for one in key.swatches}
    shared = {one.colour for one in alone.swatches} & set(of_devices.values())
    named = {one.text for one in alone.swatches}
    assert not [text for text, colour in of_devices.items() if colour in shared and text not in named]


def test_classes_have_the_same_colors_whatever_the_other_side_is_colored_by(sharing):
    design, (leaf, *_), *_ = sharing
    names = [f"t{number}" for number in range(7)]
    tagged = [replace(one, tags=(name,)) for one, name in zip(design.devices.values(), names, strict=False)]
    tagged = [replace(one, network="storage") if one.id == leaf else one for one in tagged]
    design.apply(Edit("", tuple(Change(design.device(one.id), one) for one in tagged)))
    assert design.device(leaf).network == "storage"
    seen = set()
    for links_by in ("network", "speed", "status", "tier"):
        devices = keys_of(design, LIGHT, color_devices_by="tag", color_links_by=links_by)[0]
        seen.add(tuple((one.text, one.colour) for one in devices.swatches))
    assert len(seen) == 1
    storage = colour_in(NETWORK_COLOURS["storage"], LIGHT, "")
    assert storage not in {colour for _, colour in seen.pop()}, "seven classes have room off one network"


def test_cables_by_which_switches_are_managed_are_on_no_rail(sharing, catalog):
    design, leafs, *_ = sharing
    edit = operations.add_device(design, catalog.get("nvidia-sn2201"), 0.0, 600.0, catalog_types=catalog.types)
    design.apply(edit)
    oob = next(one.after.id for one in edit.changes if one.after.id in design.devices)
    for number, leaf in enumerate(leafs, 1):
        design.apply(operations.connect(design, End(leaf, "mgmt0"), End(oob, f"swp{number}")))
    projection = Projection(design)
    rails = dict(zip(projection.link_ids, link_rails(projection), strict=True))
    assert [rails[one.id] for one in design.links_of(oob)] == [None] * 4
    assert device_rails(projection)[projection.row_of[oob]] is None


def test_a_class_that_is_drawn_only_within_lines_of_several_is_explained_too(generated):
    design = generated("rail-optimized", servers=48, servers_per_su=24, server="dgx-h100", switch="nvidia-qm9700")
    links = list(design.links.values())
    longest = next(one for one in links if design.is_server(one.a.device_id) or design.is_server(one.b.device_id))
    changes = [Change(one, replace(one, length_m=8.0 if one is longest else 3.0)) for one in links]
    design.apply(Edit("Measure", tuple(changes)))
    composition = Composition(design)
    composition.colouring.choose(Choice("", "length"))
    picture = composition.picture(LIGHT, Detail(LinkDetail.TRUNKS))
    (key,) = (one for one in keys_on(picture) if one.is_of_links)
    assert [one.text for one in key.swatches] == [
        f"Up to 3 m ({len(links) - 1})",
        "3 to 8 m (1)",
        "Several in one line",
    ]


def test_networks_keep_their_colors_where_devices_need_the_whole_palette(sharing):
    design = every_network(*sharing[:2])
    tagged = [replace(one, tags=(f"t{number}",)) for number, one in enumerate(list(design.devices.values())[:SIZE])]
    design.apply(Edit("", tuple(Change(design.device(one.id), one) for one in tagged)))
    (alone,) = keys_of(design, LIGHT, color_devices_by="kind")
    devices, links = keys_of(design, LIGHT, color_devices_by="tag")
    assert {one.colour for one in devices.swatches} >= set(colours_of(LIGHT)), "there is no color left"
    assert links == alone


def test_roles_keep_their_colors_when_a_network_joins(sharing):
    design, leafs, spine, _ = sharing
    roles = dict.fromkeys(leafs, "leaf") | {spine: "spine"}
    design.apply(
        Edit(
            "", tuple(Change(design.device(one), replace(design.device(one), role=role)) for one, role in roles.items())
        )
    )

    def drawn():
        shown = keys_of(design, LIGHT, color_devices_by="role")[0].swatches
        return [(one.text, one.colour) for one in shown]

    before = drawn()
    assert [text for text, _ in before] == ["Spine", "Leaf", "Server"]
    every_network(design, leafs)
    assert drawn() == before


def test_the_network_of_links_that_only_their_ports_tell_keeps_its_color_too(sharing, catalog):
    design, *_ = sharing
    alone = operations.add_device(design, catalog.get("nvidia-qm9700"), 0.0, 600.0, catalog_types=catalog.types)
    design.apply(alone)
    tagged = [
        replace(one, tags=(f"t{number}",)) for number, one in enumerate(list(design.devices.values())[: SIZE - 1])
    ]
    lone = next(one.after for one in alone.changes if one.after.id in design.devices)
    changed = (*tagged, replace(lone, network="storage"))
    design.apply(Edit("", tuple(Change(design.device(one.id), one) for one in changed)))
    colouring, lines = Composition(design).colouring, Composition(design).lines(SINGLES)
    colouring.choose(Choice("tag", "network"))
    _, links = colouring.shown(LIGHT, lines, [0], are_links_hot=False).keys
    assert links.swatches[-1] == Swatch(colour_in(NETWORK_COLOURS["oob"], LIGHT, ""), TITLES["oob"])


@pytest.mark.parametrize("key", ["unit", "rail"])
def test_a_number_has_one_color_in_the_whole_design_and_in_a_part_of_it(generated, key):
    design = generated("rail-optimized", servers=48, servers_per_su=24, server="dgx-h100", switch="nvidia-qm9700")
    design.apply(operations.set_settings(design, color_links_by=key, color_devices_by=key))
    kept = [one.id for one in design.devices.values() if getattr(one, key) == 2 or one.unit == 2 == one.rail]
    part = from_entities(copy_fragment(design, kept).entities(), design.settings)
    whole, alone = (device_classes(Projection(one), key, "", Status()) for one in (design, part))
    second = [one for one in whole.classes if one.title.endswith(" 2")]
    assert len(second) == 1 and [one for one in alone.classes if one.title.endswith(" 2")] == second
