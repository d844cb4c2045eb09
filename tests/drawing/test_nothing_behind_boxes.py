"""No link is drawn through a box it does not end at: over families and sizes, counted in the exported SVG."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.catalog.catalog import load
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.obstacles import Obstacles
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.model.design import Design
from designer.topologies import networks
from designer.topologies.families import FAMILIES
from designer.topologies.network_parameters import NetworkParameters

SVG = "{http://www.w3.org/2000/svg}"
INSET = 1.0

FABRICS = {
    "fat-tree of 32 DGX H100": ("fat-tree", {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 32}),
    "fat-tree of 64 hosts": (
        "fat-tree",
        {"switch": "generic-switch-32x400g", "server": "generic-host", "servers": 64},
    ),
    "three tiers, two planes": ("fat-tree", {"servers": 128, "switch": "generic-switch-32x400g", "planes": 2}),
    "NVL72": ("fat-tree", {"switch": "nvidia-qm9700", "server": "gb200-nvl72", "servers": 8}),
    "NVL72 by rail": ("rail-optimized", {"switch": "nvidia-qm9700", "server": "gb200-nvl72", "servers": 8, "rails": 4}),
    "SuperPOD of eight units": ("rail-optimized", {"switch": "nvidia-qm9700", "server": "dgx-h100", "servers": 256}),
    "spines by rail": ("rail-optimized", {"switch": "nvidia-qm9700", "server": "dgx-b200", "servers": 512}),
    "rail-only": ("rail-optimized", {"servers": 64, "rail_only": True}),
    "k = 16": ("k-ary-fat-tree", {"k": 16}),
    "hosts on two leafs": ("pgft", {"children": (8, 8), "parents": (2, 4)}),
    "a star": ("pgft", {"children": (40,), "parents": (2,)}),
    "five levels": ("pgft", {"children": (2,) * 5, "parents": (1, 2, 2, 2, 2)}),
    "a small dragonfly": ("dragonfly", {"p": 2, "a": 4, "h": 2}),
    "33 groups of eight": ("dragonfly", {"p": 4, "a": 8, "h": 4}),
    "74 groups": ("dragonfly", {"p": 1, "a": 8, "h": 10, "groups": 74}),
    "one group": ("dragonfly", {"p": 3, "a": 12, "h": 2, "groups": 1}),
    "a dragonfly+": ("dragonfly-plus", {"leafs": 4, "spines": 4, "p": 4, "h": 4}),
    "a torus": ("torus", {"dims": (16, 16)}),
    "a cube": ("torus", {"dims": (8, 8, 8)}),
    "four dimensions": ("torus", {"dims": (3, 4, 2, 5)}),
    "a ring": ("torus", {"dims": (24,)}),
    "a ring of a prime": ("torus", {"dims": (13,)}),
    "a mesh": ("torus", {"dims": (5, 7), "mesh": True}),
    "a HyperX": ("hyperx", {}),
    "a HyperX of three dimensions": ("hyperx", {"dims": (4, 3, 3), "widths": (1, 2, 1), "p": 2}),
    "a complete graph": ("hyperx", {"dims": (12,)}),
    "one rack of scale-up": ("scale-up", {}),
    "scale-up of two levels": ("scale-up", {"servers": 2, "switches": 3, "groups": 8, "upper_switches": 2}),
    "two racks of scale-up": ("scale-up", {"servers": 9, "groups": 2, "cross_links": 36}),
    "a mesh of eight GPUs": ("scale-up", {"server": "generic-server-1x7x512g", "servers": 8, "switches": 0}),
    "a Slim Fly": ("slim-fly", {}),
    "a Slim Fly of 162 routers": ("slim-fly", {"q": 9, "p": 2}),
    "a Jellyfish": ("jellyfish", {}),
    "a Jellyfish of 60 routers": ("jellyfish", {"switches": 60, "degree": 9, "p": 1}),
    "any graph": ("graph", {}),
    "Petersen's graph": ("graph", {"graph": "petersen", "arguments": "", "p": 3}),
    "a wheel": ("graph", {"graph": "wheel", "arguments": "12"}),
}


def through_boxes(lines, boxes):
    """How many lines run through the inside of a box, left, top, right, bottom: cut box by box."""
    start, along = lines[:, :2].T.copy(), (lines[:, 2:] - lines[:, :2]).T.copy()  # by rows: many times faster
    found = np.zeros(len(lines), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for left, top, right, bottom in boxes:
            low, high = np.array([[left], [top]]) + INSET, np.array([[right], [bottom]]) - INSET
            near = np.minimum((low - start) / along, (high - start) / along)
            far = np.maximum((low - start) / along, (high - start) / along)
            still, within = along == 0, (start > low) & (start < high)
            near = np.where(still, np.where(within, 0.0, 2.0), near).max(axis=0).clip(0)
            far = np.where(still, np.where(within, 1.0, -1.0), far).min(axis=0).clip(None, 1)
            found |= near < far
    return int(found.sum())


def of_svg(text):
    """Straight lines of links and corners of boxes, as an SVG has them."""
    lines, boxes = [], []
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        name = group.get("id", "")
        if name == "links":
            for path in group.iter(f"{SVG}path"):
                for x, y, kind, by in re.findall(r"M([-\d.]+) ([-\d.]+)([hvl])([-\d. ]+)", path.get("d")):
                    numbers = [float(number) for number in by.split()]
                    dx, dy = {"h": (numbers[0], 0.0), "v": (0.0, numbers[0]), "l": tuple(numbers)}[kind]
                    lines.append((float(x), float(y), float(x) + dx, float(y) + dy))
        elif name.startswith("boxes-"):
            for box in group.findall(f"{SVG}g"):
                x, y = map(float, re.findall(r"[-\d.]+", box.get("transform")))
                rect = box.find(f"{SVG}rect")
                boxes.append((x, y, x + float(rect.get("width")), y + float(rect.get("height"))))
    return np.array(lines).reshape(-1, 4), np.array(boxes).reshape(-1, 4)


def corners(composition):
    boxes = composition.boxes.copy()
    boxes[:, 2:] += boxes[:, :2]
    return boxes


@pytest.mark.parametrize("name", FABRICS)
def test_no_link_is_drawn_through_a_box_in_the_exported_svg(name, generated):
    family, parameters = FABRICS[name]
    lines, boxes = of_svg(svg_of(generated(family, **parameters), size=None))
    assert len(lines) > 10
    assert len(boxes) > 7
    assert through_boxes(lines, boxes) == 0


@pytest.mark.parametrize("links", [LinkDetail.BUNDLES, LinkDetail.SINGLES])
@pytest.mark.parametrize("name", ["fat-tree of 32 DGX H100", "NVL72", "hosts on two leafs", "a dragonfly+", "a cube"])
def test_nor_is_one_near_by_on_the_screen(name, links, generated):
    family, parameters = FABRICS[name]
    composition = Composition(generated(family, **parameters))
    assert through_boxes(composition.lines(Detail(links)).xy, corners(composition)) == 0


@pytest.mark.parametrize("servers", [127, 256])
def test_nor_a_link_of_storage_and_management_networks_below_the_servers(servers, generated, catalog):
    design = generated("rail-optimized", switch="nvidia-qm9700", server="dgx-h100", servers=servers)
    others = NetworkParameters(
        storage_switch="nvidia-qm9700", in_band_switch="nvidia-sn5600", oob_switch="generic-switch-48x1g"
    )
    design.apply(networks.build(design, others, catalog))
    lines, boxes = of_svg(svg_of(design, size=None))
    assert through_boxes(lines, boxes) == 0


PARAMETERS = st.one_of(
    st.tuples(
        st.just("fat-tree"),
        st.fixed_dictionaries(
            {
                "servers": st.integers(1, 90),
                "server": st.sampled_from(["dgx-h100", "generic-host"]),
                "switch": st.sampled_from(["generic-switch-32x400g", "nvidia-qm9700"]),
            }
        ),
    ),
    st.tuples(
        st.just("rail-optimized"),
        st.fixed_dictionaries(
            {
                "servers": st.integers(2, 90),
                "servers_per_su": st.sampled_from([None, 7, 16]),
            }
        ),
    ),
    st.tuples(st.just("k-ary-fat-tree"), st.fixed_dictionaries({"k": st.sampled_from([2, 4, 6, 8, 10])})),
    st.tuples(
        st.just("pgft"),
        st.integers(1, 4).flatmap(
            lambda levels: st.fixed_dictionaries(
                {
                    "children": st.tuples(*[st.integers(1, 5)] * levels),
                    "parents": st.tuples(*[st.integers(1, 3)] * levels),
                }
            )
        ),
    ),
    st.tuples(
        st.just("dragonfly"),
        st.fixed_dictionaries(
            {
                "p": st.integers(1, 5),
                "a": st.integers(2, 7),
                "h": st.integers(1, 3),
            }
        ),
    ),
    st.tuples(
        st.just("dragonfly-plus"),
        st.fixed_dictionaries(
            {
                "leafs": st.integers(1, 5),
                "spines": st.integers(1, 4),
                "p": st.integers(1, 5),
                "h": st.integers(1, 3),
            }
        ),
    ),
    st.tuples(
        st.just("torus"),
        st.fixed_dictionaries(
            {
                "dims": st.lists(st.integers(2, 7), min_size=1, max_size=3).map(tuple),
                "mesh": st.booleans(),
            }
        ),
    ),
    st.tuples(
        st.just("hyperx"),
        st.fixed_dictionaries(
            {
                "dims": st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple),
                "p": st.integers(1, 6),
            }
        ),
    ),
    st.tuples(
        st.just("slim-fly"),
        st.fixed_dictionaries(
            {
                "q": st.sampled_from([3, 4, 5]),
                "p": st.integers(1, 5),
            }
        ),
    ),
    st.tuples(
        st.just("jellyfish"),
        st.fixed_dictionaries(
            {
                "switches": st.integers(4, 15).map(lambda half: 2 * half),
                "degree": st.integers(5, 7),
                "p": st.integers(1, 5),
                "seed": st.integers(0, 99),
            }
        ),
    ),
    st.tuples(
        st.just("graph"),
        st.fixed_dictionaries(
            {
                "graph": st.just("random-regular"),
                "arguments": st.sampled_from(["3,8,0", "4,15,1", "5,30,2", "3,40,3"]),
                "p": st.integers(1, 4),
            }
        ),
    ),
)
CATALOG = load()


@settings(max_examples=60, deadline=None)
@given(PARAMETERS)
def test_no_family_of_any_size_draws_a_link_through_a_box(chosen):
    name, parameters = chosen
    family = next(row for row in FAMILIES if row.name == name)
    design = Design()
    design.apply(family.build(design, family.parameters(**parameters), CATALOG))
    composition = Composition(design)
    for links in (LinkDetail.TRUNKS, LinkDetail.BUNDLES):
        assert through_boxes(composition.lines(Detail(links)).xy, corners(composition)) == 0, links


def test_a_row_of_switches_joined_each_to_each_has_no_two_links_on_each_other(catalog):
    design = Design()
    type_ = catalog.get("nvidia-qm9700")
    for number in range(6):
        design.apply(operations.add_device(design, type_, 200.0 * number, 0.0, catalog_types=catalog.types))
    ids = list(design.devices)
    for number, one in enumerate(ids):
        for other in ids[number + 1 :]:
            design.apply(operations.connect_devices(design, one, other))
    xy = Composition(design).lines(Detail(LinkDetail.BUNDLES)).xy
    flat = xy[xy[:, 1] == xy[:, 3]]
    assert len(flat) == 15
    for number, (x1, y, x2, _) in enumerate(flat):
        for other_x1, other_y, other_x2, _ in flat[:number]:
            apart = max(x1, x2) <= min(other_x1, other_x2) or max(other_x1, other_x2) <= min(x1, x2)
            assert apart or abs(y - other_y) > 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from((120, 120, 500, 5000)))
def test_lines_through_boxes_are_found_as_by_trying_every_box(seed, highest):
    random = np.random.default_rng(seed)
    centres, sizes = random.uniform(-400, 400, (30, 2)).round(), random.uniform(10, 120, (30, 2)).round()
    centres[:, 1], sizes[:, 1] = centres[:, 1] * highest / 120, random.uniform(10, highest, 30).round()
    xy = random.uniform(-500, 500, (40, 4)).round()
    xy[:, 1::2] *= highest / 120
    xy[:8, 3] = xy[:8, 1]  # flat
    xy[8:16, 2] = xy[8:16, 0]  # upright
    found = Obstacles(centres, sizes).crossed(xy, np.full((40, 2), -1))
    boxes = np.hstack((centres - sizes / 2, centres + sizes / 2))
    expected = [through_boxes(line[None], boxes) == 1 for line in xy]
    assert found.tolist() == expected
