"""Links of management networks: beside those of compute, round their own pod, and where they were after an edit."""

from dataclasses import replace

import numpy as np
import pytest

from designer.drawing.composition import Composition
from designer.drawing.management import crossings
from designer.model import operations
from designer.model.bending import bend_links
from designer.model.colour_keys import AUTOMATIC, RIGHT_ANGLES, STRAIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.networks import IN_BAND, OUT_OF_BAND


def test_lines_of_management_stay_beside_their_own_pod(catalog):
    design, switches = Design(), []
    for left in (0.0, 3000.0):
        for x, y in ((0, 0), (400, 0), (100, 250), (500, 250), (300, 250), (250, 600)):
            type_ = catalog.get("nvidia-sn2201" if y == 600 else "nvidia-qm9700")
            design.apply(edit := operations.add_device(design, type_, left + x, y, catalog_types=catalog.types))
            switches.append(next(c.after for c in edit.changes if c.after.id in design.devices))
    for first in (0, 6):
        *fabric, oob = switches[first : first + 6]
        design.apply(Edit("network", (Change(oob, replace(oob, network=OUT_OF_BAND)),)))
        for one in fabric:
            design.apply(operations.connect_devices(design, one.id, oob.id))
    composition = Composition(design)
    of_first = [composition.projection.row_of[one.id] for one in switches[:6]]
    own = np.isin(composition.bundles.pairs, of_first).any(axis=1)
    xy, of = composition.link_paths.xy, composition.link_paths.bundles
    assert own[of].any() and (~own)[of].any()
    assert xy[own[of]][:, ::2].max() < 1000.0


@pytest.fixture
def pod(catalog):
    """Two spines, four leaf switches, eight servers, and a management switch with links to all of them."""

    def make(x, y, network=OUT_OF_BAND, is_first=False):
        design = Design()

        def add(type_id, name, at):
            type_ = catalog.get(type_id)
            edit = operations.add_device(design, type_, *at, name=name, catalog_types=catalog.types)
            design.apply(edit)
            return next(one.after.id for one in edit.changes if one.after.id in design.devices)

        hubs = [add("nvidia-sn2201", "mgmt", (x, y))] if is_first else []
        spines = [add("nvidia-qm9700", f"spine-{one}", (300.0 + 240 * one, 0.0)) for one in range(2)]
        leafs = [add("nvidia-qm9700", f"leaf-{one}", (60.0 + 240 * one, 220.0)) for one in range(4)]
        servers = [add("dgx-h100", f"server-{one}", (-20.0 + 130 * one, 460.0)) for one in range(8)]
        hub = hubs[0] if hubs else add("nvidia-sn2201", "mgmt", (x, y))
        be_in(design, hub, OUT_OF_BAND)
        for one in servers:
            design.apply(operations.install_module(design, one, catalog.get("generic-nic-1g"), "bmc"))
        for one, other in ((leafs, spines), (servers, leafs)):
            for a in one:
                for b in other:
                    design.apply(operations.connect_devices(design, a, b))
        for one in (*spines, *leafs, *servers):
            design.apply(operations.connect_devices(design, one, hub))
        be_in(design, hub, network)
        return design, hub

    return make


def be_in(design, device_id, network):
    device = design.devices[device_id]
    design.apply(Edit("network", (Change(device, replace(device, network=network)),)))


def ways(composition, hub):
    """The lines of each bundle of management by the name of its device, and those of all others."""
    row, design = composition.projection.row_of[hub], composition.design
    found, others = {}, []
    for number, pair in enumerate(composition.bundles.pairs.tolist()):
        xy = composition.link_paths.of_bundle(number, composition.anchors)
        if row in pair:
            far = next(one for one in pair if one != row)
            found[design.devices[composition.projection.device_ids[far]].name] = xy
        else:
            others.append(xy)
    return found, np.concatenate(others)


PLACES = [(1150.0, 220.0), (420.0, 660.0), (900.0, 0.0), (-300.0, 220.0)]
"""Right of the leaf switches, below the servers, beside the spines, and left of all."""


@pytest.mark.parametrize("how", [AUTOMATIC, RIGHT_ANGLES])
@pytest.mark.parametrize("place", PLACES)
def test_links_of_management_cross_none_of_compute_but_along_the_row_of_leaf_switches(pod, place, how):
    design, hub = pod(*place)
    design.apply(operations.set_settings(design, link_lines=how))
    found, compute = ways(Composition(design), hub)
    crossed = {name: int(crossings(xy, compute).sum()) for name, xy in found.items()}
    assert {name for name, count in crossed.items() if count} <= {f"leaf-{one}" for one in range(4)}
    assert not over_boxes(Composition(design), found.values())


@pytest.mark.parametrize("is_first", [True, False])
def test_a_link_to_what_stands_right_above_its_switch_goes_round_all_between(pod, is_first):
    design, hub = pod(300.0, 660.0, is_first=is_first)
    found, _ = ways(Composition(design), hub)
    assert len(found["spine-0"]) > 1
    assert not over_boxes(Composition(design), [found["spine-0"]])


def over_boxes(composition, found):
    """How many lines along an axis run through a box."""
    xy, boxes = np.concatenate([*found]), composition.boxes
    xy = xy[(np.abs(xy[:, :2] - xy[:, 2:]) < 1e-6).any(axis=1)]
    low, high = np.minimum(xy[:, :2], xy[:, 2:]), np.maximum(xy[:, :2], xy[:, 2:])
    over = (low[:, None] < boxes[:, :2] + boxes[:, 2:] - 0.5) & (high[:, None] > boxes[:, :2] + 0.5)
    return int(over.all(axis=2).sum())


def test_links_of_management_go_another_way_where_a_device_stands_in_the_first(pod, catalog):
    design, hub = pod(*PLACES[0])
    x, y = design.placements[next(one.id for one in design.devices.values() if one.name == "server-6")].x, 500.0
    type_ = catalog.get("nvidia-qm9700")
    design.apply(operations.add_device(design, type_, x + 65.0, y, catalog_types=catalog.types))
    composition = Composition(design)
    found, _ = ways(composition, hub)
    assert not over_boxes(composition, found.values())
    assert len({len(xy) for name, xy in found.items() if name.startswith("server")}) == 1
    assert composition.managing is not None and composition.detours is None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("network", [OUT_OF_BAND, IN_BAND, ""])
def test_links_of_management_stay_where_they_are_when_a_device_is_nudged(pod, place, network):
    design, hub = pod(*place, network)
    before, _ = ways(Composition(design), hub)
    for name in ("leaf-1", "server-3", "spine-0", "mgmt"):
        one = next(one.id for one in design.devices.values() if one.name == name)
        at = design.placements[one]
        edit = operations.move(design, {one: (at.x + 9.0, at.y - 6.0)})
        design.apply(edit)
        after, _ = ways(Composition(design), hub)
        assert {key: len(xy) for key, xy in after.items()} == {key: len(xy) for key, xy in before.items()}
        for key, xy in after.items():
            assert np.abs(xy - before[key]).max() < 30.0, key
        design.apply(edit.inverted())


def test_links_of_management_are_straight_where_all_links_are_and_led_by_hand_where_they_are(pod):
    design, hub = pod(*PLACES[0])
    link = next(one for one in design.links.values() if hub in (one.a.device_id, one.b.device_id))
    design.apply(bend_links(design, [link.id], [(0.0, -200.0)], link.a.device_id))
    composition = Composition(design)
    assert [0.0, -200.0] in composition.link_path(composition.projection.link_row(link.id)).reshape(-1, 2).tolist()
    assert len(composition.managing.numbers) == 13
    design.apply(operations.set_settings(design, link_lines=STRAIGHT))
    assert Composition(design).managing is None
    found, _ = ways(Composition(design), hub)
    assert sorted(map(len, found.values())) == [1] * 13 + [2]


def test_crossings_are_counted_between_the_ends_of_both_lines():
    others = np.array([[0.0, -1.0, 0.0, 1.0], [5.0, 0.0, 5.0, 1.0], [20.0, -1.0, 20.0, 1.0]])
    assert crossings(np.array([[-1.0, 0.0, 10.0, 0.0], [-1.0, 0.5, 10.0, 0.5]]), others).tolist() == [1, 2]
    assert crossings(np.empty((0, 4)), others).tolist() == []
