"""How links run is the design's to say: straight, at right angles, or straight and round what is in their way."""

import random

import numpy as np
import pytest

from designer.drawing.bends import small_bends
from designer.drawing.composition import Composition
from designer.drawing.detours import CLEAR_SHARE
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.obstacles import INSET, Obstacles
from designer.drawing.standing_off import standing_off
from designer.errors import ParameterError
from designer.model import collapsing, operations
from designer.model.colour_keys import RIGHT_ANGLES, STRAIGHT
from designer.model.design import Design
from designer.storage import document
from designer.topologies import networks
from designer.topologies.network_parameters import NetworkParameters

BUNDLES, TRUNKS, SINGLES = (Detail(links=one) for one in (LinkDetail.BUNDLES, LinkDetail.TRUNKS, LinkDetail.SINGLES))


@pytest.fixture
def pods(generated):
    """Two units of 8 leaf switches and 32 servers below 8 spines, each tier in a row."""
    return generated("rail-optimized", servers=64, server="dgx-h100", switch="nvidia-qm9700", racks="none")


def device(design, name):
    return next(one.id for one in design.devices.values() if one.name == name)


def move(design, name, dx, dy):
    place = design.placements[device(design, name)]
    return operations.move(design, {place.id: (place.x + dx, place.y + dy)})


def is_upright(xy):
    """Which lines, (n, 4), run along the picture or across it."""
    return (np.abs(xy[:, :2] - xy[:, 2:]) < 1e-6).any(axis=1)


@pytest.mark.parametrize(
    ("name", "dx", "dy"), [("leaf-su1-r2", 60, -30), ("leaf-su1-r1", 0, 200), ("spine-02", -100, 200)]
)
def test_no_link_bends_when_one_device_leaves_its_row(pods, name, dx, dy):
    composition = Composition(pods)
    assert composition.detours is None
    edit = move(pods, name, dx, dy)
    pods.apply(edit)
    composition.follow(edit)
    assert composition.detours is None
    assert not composition.link_paths.bent.any()


def test_the_links_of_all_others_still_run_round_what_is_in_their_way(pods):
    pods.apply(operations.move(pods, {device(pods, f"spine-0{one}"): (600.0 * one, 2500.0) for one in range(1, 9)}))
    composition = Composition(pods)
    assert composition.detours is not None, "all spines stand in a row, below everything else"


@pytest.fixture
def obstructed(pods, catalog):
    """The same with a server in the middle of the links between leaf switches and spines, as one drawn by hand."""
    spine, leaf = (pods.placements[device(pods, name)] for name in ("spine-05", "leaf-su1-r8"))
    at = (spine.x + leaf.x) / 2, (spine.y + leaf.y) / 2
    pods.apply(operations.add_device(pods, catalog.get("dgx-h100"), *at, catalog_types=catalog.types))
    return pods


def test_links_bend_next_to_the_single_box_in_their_way_and_lie_nowhere_on_each_other(obstructed):
    composition = Composition(obstructed)
    assert composition.detours is not None
    row = len(composition.boxes) - 1
    box, lines, bundles = composition.boxes[row], composition.detours.xy, composition.detours.bundles
    assert (
        not Obstacles(composition.centres, composition.projection.sizes)
        .crossed(lines, composition.bundles.pairs[bundles])
        .any()
    )
    ends = composition.anchors.bundles
    for number in set(bundles.tolist()):
        own = lines[bundles == number]
        assert (own[0, :2] == ends[number, :2]).all() and (own[-1, 2:] == ends[number, 2:]).all()
        inner = own[1:, :2]
        beyond = np.maximum(box[:2] - inner, inner - box[:2] - box[2:]).max(axis=1)
        assert len(inner) in (1, 2) and beyond.max() < 60, "all corners are at the box"
    assert len({(*line,) for line in lines.round(3).tolist()}) == len(lines), "none lies on another"


@pytest.mark.parametrize(("width", "bends"), [(40.0, True), (900.0, False)])
def test_no_link_is_led_far_off_its_way_by_a_bend_round_a_wide_box(width, bends):
    obstacles = Obstacles(np.array([(0.0, 0.0)]), np.array([(width, 20.0)]))
    ways = list(small_bends(obstacles, np.array([(-5.0, -300.0, 5.0, 300.0)]), np.array([(-1, -2)])))
    assert any(chosen[0] for chosen, _ in ways) == bends


@pytest.mark.parametrize(
    ("places", "off"),
    [
        ([(0, 0), (100, 0), (200, 0), (250, 40)], [3]),
        ([(0, 0), (100, 0), (130, 40)], [2]),
        ([(0, 0), (100, 0), (200, 0), (250, 40), (350, 40)], []),
        ([(0, 0), (100, 0), (200, 0), (100, 40)], []),
        ([(50, 0), (0, 50), (100, 50), (50, 100), (20, 20)], []),
        ([(0, 0), (100, 0), (200, 0), (0, 40), (100, 40), (200, 40), (300, 80)], []),
        ([(0, 0), (100, 0), (200, 0), (0, 40), (100, 40), (200, 40), (310, 80)], [6]),
        ([(0, 0), (100, 0), (200, 0), (0, 40), (100, 40), (200, 40), (300, 90)], [6]),
        ([(0, 0), (50, 40)], []),
        ([], []),
    ],
    ids=[
        "one",
        "one of three",
        "two in a row",
        "in a column",
        "around a middle",
        "on the grid",
        "beside a column of the grid",
        "between rows of the grid",
        "a pair",
        "none",
    ],
)
def test_a_box_stands_off_where_it_is_in_line_with_no_other_of_a_tier_in_rows(places, off):
    found = standing_off(np.zeros(len(places), np.int64), np.array(places, np.float64).reshape(-1, 2))
    assert np.flatnonzero(found).tolist() == off


def test_the_servers_of_a_unit_stay_on_their_trunks_when_one_leaf_switch_is_moved(pods):
    before = len(Composition(pods).lines(TRUNKS).xy)
    pods.apply(move(pods, "leaf-su1-r2", 60, -30))
    composition = Composition(pods)
    lines = composition.lines(TRUNKS)
    own = composition.chosen_links(frozenset(one.id for one in pods.links_of(device(pods, "leaf-su1-r2"))))
    n_own = np.count_nonzero(np.unique(composition.bundles.of_link[own]))
    assert before < len(lines.xy) <= before + n_own
    for one in (3, 4):
        pods.apply(move(pods, f"leaf-su1-r{one}", 0, -30))
    assert len(Composition(pods).lines(TRUNKS).xy) > before + 3 * n_own, "with most off the row nothing is gathered"


def test_straight_lines_have_no_corner_at_any_detail(pods):
    pods.apply(move(pods, "leaf-su1-r1", 0, 200))
    pods.apply(operations.set_settings(pods, link_lines=STRAIGHT))
    composition = Composition(pods)
    assert not composition.link_paths.bent.any()
    assert len(composition.lines(TRUNKS).xy) == len(composition.bundles.pairs)


def test_a_link_along_a_row_is_straight_too_where_the_design_says_so(generated):
    torus = generated("torus", dims=(4, 4))
    assert Composition(torus).link_paths.bent.any()
    torus.apply(operations.set_settings(torus, link_lines=STRAIGHT))
    assert not Composition(torus).link_paths.bent.any()


@pytest.mark.parametrize("moved", [(), ("leaf-su1-r2", 60, -30), ("leaf-su1-r1", 0, 200), ("spine-02", -100, 200)])
@pytest.mark.parametrize("detail", [BUNDLES, TRUNKS, SINGLES], ids=["bundles", "trunks", "singles"])
def test_at_right_angles_every_line_is_upright_or_level(pods, moved, detail):
    if moved:
        pods.apply(move(pods, *moved))
    pods.apply(operations.set_settings(pods, link_lines=RIGHT_ANGLES))
    composition = Composition(pods)
    lines = composition.lines(detail)
    assert is_upright(lines.xy).all()
    assert set(lines.links.tolist()) == set(range(len(pods.links)))


def test_at_right_angles_each_bundle_joins_its_boxes_and_one_line_of_it_carries_the_count(pods):
    pods.apply(operations.set_settings(pods, link_lines=RIGHT_ANGLES))
    composition = Composition(pods)
    paths, bundles = composition.link_paths, composition.bundles
    for number in range(0, len(bundles.pairs), 37):
        xy = paths.xy[paths.bundles == number] if paths.bent[number] else composition.anchors.bundles[[number]]
        assert (xy[1:, :2] == xy[:-1, 2:]).all()
        assert (np.concatenate((xy[0, :2], xy[-1, 2:])) == composition.anchors.bundles[number]).all()
        assert not paths.bent[number] or np.count_nonzero(paths.direct[paths.bundles == number]) == 1


def test_at_right_angles_links_of_two_spines_run_on_levels_of_their_own_clear_of_boxes(pods):
    pods.apply(operations.set_settings(pods, link_lines=RIGHT_ANGLES))
    composition = Composition(pods)
    spines = [composition.projection.row_of[device(pods, f"spine-0{one}")] for one in range(1, 9)]
    levels = []
    for spine in spines:
        of = np.flatnonzero((composition.bundles.pairs == spine).any(axis=1))
        xy = composition.link_paths.xy[np.isin(composition.link_paths.bundles, of)]
        levels.append(set(xy[np.abs(xy[:, 0] - xy[:, 2]) > 1e-6, 1].round(3).tolist()))
    assert all(len(own) == 1 for own in levels)
    assert len(set.union(*levels)) == len(spines)
    paths = composition.link_paths
    own = composition.bundles.pairs[paths.bundles]
    assert not Obstacles(composition.centres, composition.projection.sizes).crossed(paths.xy, own).any()


def drawn_by_hand(seed, catalog):
    """Fourteen switches in places with gaps of 12 units and more, and links between any."""
    chance, design, spots = random.Random(seed), Design(), []
    while len(spots) < 14:
        x, y = chance.randrange(-50, 50) * 16, chance.randrange(-30, 30) * 12
        if all(abs(x - a) >= 128 or abs(y - b) >= 60 for a, b in spots):
            spots.append((x, y))
    places = [(float(x), float(y)) for x, y in spots]
    design.apply(operations.add_devices(design, catalog.get("nvidia-qm9700"), places, catalog_types=catalog.types))
    for _ in range(18):
        design.apply(operations.connect_devices(design, *chance.sample(list(design.devices), 2), 1))
    design.apply(operations.set_settings(design, link_lines=RIGHT_ANGLES))
    return design


def lines_at_boxes(composition, beside):
    """How many lines come nearer than that to a box that they do not end at."""
    obstacles = Obstacles(composition.centres, composition.projection.sizes + 2 * (beside + INSET))
    found = 0
    for detail in (BUNDLES, SINGLES):
        lines = composition.lines(detail)
        ends = composition.projection.ends[lines.links[lines.starts]]
        found += np.count_nonzero(obstacles.crossed(lines.xy, ends))
    return found


def test_at_right_angles_no_line_runs_through_or_along_a_box_it_does_not_end_at(catalog):
    found = [lines_at_boxes(Composition(drawn_by_hand(seed, catalog)), beside=2.0) for seed in range(3)]
    assert found == [0, 0, 0]


@pytest.mark.parametrize("family", ["dragonfly", "dragonfly-plus"])
def test_at_right_angles_nor_does_a_single_link_of_several_between_two_boxes(family, generated, catalog):
    size = {"p": 16, "server": "dgx-h100"}
    sizes = {"dragonfly": {"p": 8, "a": 4, "h": 2}, "dragonfly-plus": {"leafs": 4, "spines": 4, "h": 2}}
    design = generated(family, **(size | sizes[family]))
    further = {
        "storage_switch": "nvidia-qm9700",
        "in_band_switch": "nvidia-sn5600",
        "oob_switch": "generic-switch-48x1g",
    }
    design.apply(networks.build(design, NetworkParameters(**further), catalog))
    design.apply(operations.set_settings(design, link_lines=RIGHT_ANGLES))
    assert lines_at_boxes(Composition(design), beside=-INSET) == 0


def test_an_edit_of_it_is_drawn_at_once_and_undone(pods):
    composition = Composition(pods)
    straight = composition.lines(BUNDLES).xy
    edit = operations.set_settings(pods, link_lines=RIGHT_ANGLES)
    pods.apply(edit)
    composition.follow(edit)
    assert is_upright(composition.lines(BUNDLES).xy).all()
    pods.apply(edit.inverted())
    composition.follow(edit.inverted())
    assert (composition.lines(BUNDLES).xy == straight).all()


def test_it_is_saved_with_the_design_and_no_other_word_is_taken(pods):
    pods.apply(operations.set_settings(pods, link_lines=RIGHT_ANGLES))
    assert document.decode(document.encode(pods)).settings.link_lines == RIGHT_ANGLES
    with pytest.raises(ParameterError, match="orthogonal"):
        operations.set_settings(pods, link_lines="curved")


def test_a_bundle_whose_line_is_free_keeps_to_it_where_only_its_outer_links_meet_a_box(generated, catalog):
    design = generated("rail-optimized", switch="nvidia-qm9700", server="dgx-h100", servers=64)
    units = sorted(one.id for one in design.groups.values() if one.name.startswith("SU "))
    design.apply(collapsing.collapse(design, units))
    spine = max((one for one in design.devices.values() if one.role == "spine"), key=lambda one: one.name)

    def bundle_of(composition):
        pair = sorted(composition.projection.row_of[one] for one in (spine.id, units[0]))
        number = composition.bundles.pairs.tolist().index(pair)
        return number, composition.anchors.bundles[number]

    x1, y1, x2, y2 = bundle_of(Composition(design))[1].tolist()
    place = {"x": (x1 + x2) / 2 - 130.0, "y": (y1 + y2) / 2}
    design.apply(operations.add_device(design, catalog.get("nvidia-qm9700"), **place, catalog_types=catalog.types))

    composition = Composition(design)
    (number, straight), paths = bundle_of(composition), composition.link_paths
    links = np.flatnonzero(composition.bundles.of_link == number)
    own = np.repeat(composition.bundles.pairs[[number]], len(links), axis=0)
    obstacles = Obstacles(composition.centres, composition.projection.sizes)
    assert obstacles.crossed(composition.anchors.links[links], own).any()
    assert not obstacles.crossed(straight[None], own[:1]).any()
    assert paths.xy[paths.bundles == number].tolist() == [straight.tolist()]
    assert all(composition.link_path(link).tolist() == [straight.tolist()] for link in links.tolist())


def test_a_line_along_a_collapsed_unit_keeps_a_share_of_its_height_off(generated):
    design = generated("rail-optimized", servers=72, servers_per_su=24, server="dgx-h100", switch="nvidia-qm9700")
    units = sorted(one.id for one in design.groups.values() if one.name.startswith("SU "))
    first, last = (next(one.id for one in design.devices.values() if one.group_id == unit) for unit in units[::2])
    step = design.placements[first].x - design.placements[last].x
    for one in [one for one in design.devices.values() if one.group_id == units[2]]:
        design.apply(move(design, one.name, step, -600))  # between SU 1 and the spines: all lines of SU 1 run round it
    design.apply(collapsing.collapse(design, units))
    composition = Composition(design)
    row = composition.projection.row_of[units[0]]
    _, top, wide, tall = composition.boxes[row].tolist()
    round_it = np.flatnonzero((composition.bundles.pairs == row).any(axis=1) & composition.link_paths.bent)
    xy = composition.link_paths.xy[np.isin(composition.link_paths.bundles, round_it)]
    along = xy[(xy[:, 1] == xy[:, 3]) & (xy[:, 1] < top) & (xy[:, 1] > top - tall)]
    assert len(along) > 3 and np.ptp(along[:, ::2], axis=1).max() > wide / 3
    assert (top - along[:, 1]).min() == pytest.approx(CLEAR_SHARE * tall) and CLEAR_SHARE * tall > 30.0
