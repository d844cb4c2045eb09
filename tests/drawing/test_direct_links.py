"""Direct networks without a choice: dimensions of a torus or HyperX, local and global links of a dragonfly."""

import numpy as np
import pytest

from designer.drawing.colouring import Choice
from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.theme import DARK, LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import operations

SINGLES = Detail(LinkDetail.SINGLES)


def swatches(composition, theme=LIGHT):
    picture = composition.picture(theme, SINGLES)
    return {one.text: one.colour for key in picture.coloured.keys for one in key.swatches}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_dimension_of_a_torus_has_its_own_colour_and_the_legend_names_it(theme, generated):
    design = generated("torus", dims=(3, 4, 5))
    composition = Composition(design)
    shown = swatches(composition, theme)
    assert list(shown) == ["Dimension 1", "Dimension 2", "Dimension 3", "Other links"]
    assert len(set(shown.values())) == 4
    assert all(differing == code for differing, code in dimensions_drawn(composition, theme))


def dimensions_drawn(composition, theme=LIGHT):
    """Of each line between routers, the coordinate that differs in their names, and the class it is drawn in."""
    design, picture = composition.design, composition.picture(theme, SINGLES)
    names = [design.devices[one].name for one in composition.projection.device_ids]
    for start, code in zip(picture.lines.starts, picture.coloured.lines, strict=True):
        a, b = (names[row] for row in composition.projection.ends[picture.lines.links[start]])
        if a.startswith("router") and b.startswith("router"):
            differing = [one != other for one, other in zip(a.split("-")[1:], b.split("-")[1:], strict=True)]
            yield differing.index(True), code


@pytest.mark.parametrize(
    "parameters",
    [
        {"dims": (4, 4), "p": 2},
        {"dims": (2, 2)},
        {"dims": (2, 2, 2), "p": 1},
        {"dims": (3, 4, 5), "p": 3},
        {"dims": (3, 3), "widths": (1, 3)},
    ],
)
def test_each_dimension_of_a_hyperx_has_its_own_colour_and_the_legend_names_it(parameters, generated):
    composition = Composition(generated("hyperx", **parameters))
    titles = [f"Dimension {number + 1}" for number in range(len(parameters["dims"]))]
    assert list(swatches(composition)) == [*titles, "Other links"]
    drawn = list(dimensions_drawn(composition))
    assert {code for _, code in drawn} == set(range(len(titles)))
    assert all(differing == code for differing, code in drawn)


def test_a_hyperx_keeps_its_colours_when_a_few_links_are_moved(generated):
    design = generated("hyperx", dims=(4, 4), p=2)
    names = {one.name: one.id for one in design.devices.values()}
    freed = ({names["router-0-0"], names["router-1-0"]}, {names["router-1-1"], names["router-1-2"]})
    links = [one.id for one in design.links.values() if {one.a.device_id, one.b.device_id} in freed]
    design.apply(operations.delete(design, links))
    design.apply(operations.connect_devices(design, names["router-0-0"], names["router-1-1"]))
    composition = Composition(design)
    assert list(swatches(composition)) == ["Dimension 1", "Dimension 2", "Other links"]
    assert {(differing, code) for differing, code in dimensions_drawn(composition) if differing != code} == {(0, 2)}


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("hyperx", {"dims": (6,)}),
        ("jellyfish", {"switches": 20, "degree": 4}),
        ("graph", {"graph": "petersen", "arguments": ""}),
    ],
)
def test_other_direct_networks_have_no_dimensions(family, parameters, generated):
    assert swatches(Composition(generated(family, **parameters))) == {}


def test_global_links_of_a_dragonfly_are_wider_and_of_another_colour_than_local_ones(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    shown = swatches(composition)
    assert {"Within a group, all to all", "Between groups"} <= set(shown)
    widths = {stroke.width: len(stroke.xy) for stroke in composition.picture(LIGHT, SINGLES).strokes()}
    assert widths[max(widths)] >= 36  # one between each two of nine groups
    assert max(widths) == pytest.approx(1.5 * sorted(widths)[-2])
    far = composition.picture(LIGHT, Detail(LinkDetail.SINGLES, round_boxes=False))
    assert max(stroke.width for stroke in far.strokes()) == sorted(widths)[-2]


@pytest.mark.parametrize("choice", ["", "direction"])
def test_the_legend_is_titled_by_what_the_links_differ_in(choice, generated):
    for family, parameters, title in (
        ("torus", {"dims": (4, 4)}, "Links by dimension"),
        ("hyperx", {"dims": (4, 4)}, "Links by dimension"),
        ("dragonfly", {"p": 2, "a": 4, "h": 2}, "Links by group"),
        ("slim-fly", {"q": 3}, "Links by group"),
    ):
        composition = Composition(generated(family, **parameters))
        composition.colouring.choose(Choice(links=choice))
        assert [key.title for key in composition.picture(LIGHT, SINGLES).coloured.keys] == [title]


def test_the_exported_svg_has_the_colours_and_the_legend(generated):
    text = svg_of(generated("torus", dims=(4, 4)))
    assert "Dimension 1" in text
    assert swatches(Composition(generated("torus", dims=(4, 4))))["Dimension 2"] in text


def test_loads_take_the_place_of_the_colours(generated):
    composition = Composition(generated("torus", dims=(4, 4)))
    picture = composition.picture(LIGHT, SINGLES, Heat(0, {"l1": (0.5, 0.5)}))
    assert picture.coloured.lines is None


def test_a_torus_with_a_link_that_is_none_of_its_own_is_drawn_as_before(generated):
    design = generated("torus", dims=(4, 4), mesh=True)
    corners = [one.id for one in design.devices.values() if one.name in ("router-0-0", "router-0-1")]
    design.apply(operations.connect_devices(design, *corners))
    assert swatches(Composition(design)) == {}


def test_a_fat_tree_has_no_dimensions_even_when_asked(generated):
    composition = Composition(generated("fat-tree", servers=4))
    assert swatches(composition) == {}
    composition.colouring.choose(Choice("kind", "direction"))
    assert list(swatches(composition)) == ["All links"]
    assert np.all(composition.picture(LIGHT, SINGLES).coloured.lines == 0)
