"""No drawn link runs through a box that it does not end at: families, sizes, racks and further networks."""

from itertools import pairwise

import numpy as np
import pytest

from designer.drawing.composition import Composition
from designer.drawing.folding.levels import Levels
from designer.drawing.level_of_detail import Detail, LinkDetail, detail_at
from designer.drawing.obstacles import Obstacles
from designer.model import operations
from designer.model.design import Design
from designer.placement.tiers import LARGE_SHEET
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters

QM, HOST = {"switch": "nvidia-qm9700", "server": "dgx-h100"}, {"switch": "generic-switch-32x400g"}
SIZES = {
    "fat-tree": [QM | {"servers": 4}, QM | {"servers": 64}, QM | {"servers": 512}],
    "rail-optimized": [{"servers": 2}, {"servers": 127}, {"servers": 1024}],
    "pgft": [
        {"children": (4, 2), "parents": (1, 2)},
        {"children": (8, 8), "parents": (2, 4)},
        {"children": (16, 16, 8), "parents": (1, 8, 8)},
    ],
    "k-ary-fat-tree": [{"k": 2}, {"k": 8}, {"k": 16}],
    "torus": [{"dims": (4,)}, {"dims": (4, 4, 4)}, {"dims": (16, 16, 8)}],
    "dragonfly": [{"p": 1, "a": 2, "h": 1}, {"p": 2, "a": 4, "h": 2}, {"p": 4, "a": 8, "h": 4}],
    "dragonfly-plus": [
        {"leafs": 2, "spines": 1, "p": 1, "h": 1},
        {"leafs": 4, "spines": 4, "p": 4, "h": 4},
        {"leafs": 6, "spines": 6, "p": 6, "h": 6},
    ],
    "hyperx": [{"dims": (3,), "p": 1}, {"dims": (4, 4), "p": 4}, {"dims": (6, 6, 6), "p": 4}],
    "scale-up": [
        {},
        {"servers": 9, "groups": 2, "cross_links": 36},
        {"servers": 9, "groups": 16, "upper_switches": 4},
    ],
    "slim-fly": [{"q": 3, "p": 1}, {"q": 5, "p": 3}, {"q": 13, "p": 4}],
    "jellyfish": [
        {"switches": 6, "degree": 3, "p": 1},
        {"switches": 30, "degree": 6, "p": 4},
        {"switches": 300, "degree": 12, "p": 4},
    ],
    "graph": [
        {"graph": "petersen", "arguments": "", "p": 2},
        {"graph": "grid", "arguments": "8,8", "p": 2},
        {"graph": "random-regular", "arguments": "6,300,1", "p": 3},
    ],
}
OTHERS = {
    "storage": {"storage_switch": "nvidia-qm9700"},
    "in-band": {"in_band_switch": "nvidia-sn5600"},
    "oob": {"oob_switch": "generic-switch-48x1g"},
}
OTHERS["all three"] = OTHERS["storage"] | OTHERS["in-band"] | OTHERS["oob"]
WITH_SERVERS = {
    "fat-tree": QM | {"servers": 32, "racks": "none"},
    "rail-optimized": {"servers": 96},
    "torus": {"dims": (4, 4), "node": "dgx-h100", "racks": "auto"},
    "dragonfly": {"p": 8, "a": 4, "h": 2, "server": "dgx-h100"},
    "dragonfly-plus": {"leafs": 4, "spines": 4, "p": 16, "h": 2, "server": "dgx-h100"},
    "hyperx": {"dims": (4, 4), "p": 16, "server": "dgx-h100", "racks": "none"},
    "slim-fly": {"q": 5, "p": 8, "server": "dgx-h100"},
    "jellyfish": {"switches": 20, "degree": 7, "p": 8, "server": "dgx-h100"},
    "graph": {"graph": "petersen", "arguments": "", "p": 16, "server": "dgx-h100"},
}


def through_boxes(design, *details):
    """How many lines run through a box at these details."""
    composition = Composition(design)
    obstacles = Obstacles(composition.centres, composition.projection.sizes)
    found = 0
    for links in details or (LinkDetail.TRUNKS, LinkDetail.BUNDLES, LinkDetail.SINGLES):
        xy = composition.lines(Detail(links)).xy
        found += int(obstacles.crossed(xy, np.full((len(xy), 2), -1)).sum())
    return found


@pytest.mark.parametrize("size", range(3), ids=["small", "medium", "large"])
@pytest.mark.parametrize("family", SIZES)
def test_no_family_draws_a_link_through_a_box_at_any_size(family, size, generated):
    assert through_boxes(generated(family, **SIZES[family][size])) == 0


def through_boxes_afar(composition, scale):
    """How many lines run through boxes of squares that they do not join, as the picture at that scale shows them."""
    seen = Levels(composition).at(scale)
    projection = seen.projection
    detail = detail_at(scale, len(projection.device_ids), len(seen.bundles.pairs), len(projection.link_ids))
    lines = seen.lines(detail)
    if detail.links is not LinkDetail.REGIONS:
        obstacles = Obstacles(seen.centres, projection.sizes)
        return int(obstacles.crossed(lines.xy, np.full((len(lines.xy), 2), -1)).sum())
    squares = np.floor(seen.centres / detail.region).astype(np.int64)
    _, region = np.unique(squares, axis=0, return_inverse=True)
    region = region.reshape(-1)
    obstacles = Obstacles(seen.centres, projection.sizes, region)
    return int(obstacles.crossed(lines.xy, region[projection.ends[lines.links[lines.starts]]]).sum())


@pytest.mark.parametrize("size", range(3), ids=["small", "medium", "large"])
@pytest.mark.parametrize("family", SIZES)
def test_nor_from_afar_whatever_is_gathered_and_folded(family, size, generated):
    composition = Composition(generated(family, **SIZES[family][size]))
    assert [through_boxes_afar(composition, scale) for scale in (0.25, 0.12, 0.06, 0.03)] == [0, 0, 0, 0]


def test_a_line_between_regions_that_would_meet_others_is_begun_at_both_ends(generated):
    composition = Composition(generated("rail-optimized", servers=1024))
    lines = composition.lines(Detail(LinkDetail.REGIONS, 176.0))
    composition.shift({composition.projection.device_ids[0]: (1.0, 0.0)})
    whole = composition.lines(Detail(LinkDetail.REGIONS, 176.0))
    assert len(lines.xy) > len(whole.xy)
    assert set(lines.links.tolist()) == set(whole.links.tolist())
    total = [float(np.hypot(*(one.xy[:, 2:] - one.xy[:, :2]).T).sum()) for one in (lines, whole)]
    assert total[0] < 0.95 * total[1]


def test_a_large_torus_is_drawn_link_by_link_from_afar(generated):
    composition = Composition(generated("torus", dims=(16, 16, 8)))
    afar, near = (composition.lines(Detail(*one)) for one in ((LinkDetail.REGIONS, 176.0), (LinkDetail.TRUNKS,)))
    assert (afar.xy == near.xy).all()


@pytest.mark.parametrize("others", OTHERS)
@pytest.mark.parametrize("family", WITH_SERVERS)
def test_nor_with_storage_and_management_networks_below_it(family, others, generated, catalog):
    design = generated(family, **WITH_SERVERS[family])
    chosen = dict.fromkeys(("storage_switch", "in_band_switch", "oob_switch"), "") | OTHERS[others]
    design.apply(networks.build(design, NetworkParameters(**chosen), catalog))
    assert through_boxes(design) == 0


def test_nor_by_hand_where_a_box_stands_between_two(catalog):
    design = Design()
    type_ = catalog.get("nvidia-qm9700")
    for x, y in ((0, 0), (260, 140), (520, 280), (-40, 140), (250, 240)):
        design.apply(operations.add_device(design, type_, float(x), float(y), catalog_types=catalog.types))
    first, *_, last = list(design.devices)[:3]
    design.apply(operations.connect_devices(design, first, last, 3))
    assert through_boxes(design) == 0
    assert len(Composition(design).link_path(0)) == 3


@pytest.mark.parametrize(
    ("family", "parameters"), [("rail-optimized", {"servers": 64}), ("fat-tree", QM | {"servers": 64})]
)
def test_every_tier_is_one_row_in_a_picture_that_fits_a_large_sheet(family, parameters, generated):
    design = generated(family, **parameters)
    rows: dict[str, set[float]] = {}
    for device in design.devices.values():
        rows.setdefault(device.role, set()).add(design.placements[device.id].y)
    assert {role: len(ys) for role, ys in rows.items()} == {"": 1, "leaf": 1, "spine": 1}
    xs = [place.x for place in design.placements.values()]
    assert 7000 < max(xs) - min(xs) < LARGE_SHEET


def test_servers_take_several_rows_in_wider_pictures_below_their_own_leaf_switches_alone(generated):
    design = generated("fat-tree", **HOST, servers=256)
    spans: dict[str, list[float]] = {}
    for link in design.links.values():
        server, leaf = sorted((link.a.device_id, link.b.device_id), key=design.is_switch)
        if design.is_server(server):
            spans.setdefault(leaf, []).append(design.placements[server].x)
    ordered = sorted((min(xs), max(xs)) for xs in spans.values())
    assert all(left[1] < right[0] for left, right in pairwise(ordered))
    assert len({place.y for one, place in design.placements.items() if design.is_server(one)}) > 1
