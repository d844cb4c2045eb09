"""Fronts of switches: as many cages as the type has, ports in them used, free or reserved, on screen and on paper."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing.camera import Camera
from designer.drawing.composition import Composition
from designer.drawing.faceplates import _number
from designer.drawing.level_of_detail import detail_at
from designer.drawing.overlay import Overlay
from designer.drawing.parts.boxes import boxes, number_of
from designer.drawing.parts.faceplates import cage_numbers
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import operations
from designer.model.colour_keys import PORT_NUMBERS
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.looks import toggle_label
from designer.topologies import rail_optimized

BOX = np.array((100.0, 50.0, 120.0, 44.0))


@pytest.fixture
def pod(catalog):
    design = Design()
    parameters = rail_optimized.RailOptimizedParameters(servers=2, nics_per_server=4)
    design.apply(rail_optimized.build(design, parameters, catalog))
    return design


def one_of(catalog, type_id):
    design = Design()
    types = catalog.types
    design.apply(operations.add_device(design, types[type_id], 0.0, 0.0, catalog_types=types))
    (device_id,) = design.devices
    return design, device_id


def rows_of(places):
    return len({round(y, 6) for y in places[:, 1].tolist()})


@pytest.mark.parametrize(
    ("type_id", "n_cages", "n_rows"),
    [("nvidia-qm9700", 32, 2), ("nvidia-qm8700", 40, 2), ("nvidia-sn5600", 64, 4)],
)
def test_a_front_has_the_cages_of_the_type_inside_its_box(catalog, type_id, n_cages, n_rows):
    design, switch = one_of(catalog, type_id)
    front = Composition(design).fronts.faceplate(switch, BOX)
    n_management = len(design.management_ports(switch))
    assert len(front.cages) == n_cages + n_management
    assert rows_of(front.cages[:n_cages]) == n_rows
    assert len(front.free) == len(design.ports(switch)) + n_management and not len(front.used)
    left, top, width, height = BOX
    for places in (front.cages, front.free):
        assert (places[:, 0] >= left).all() and (places[:, 0] + places[:, 2] <= left + width).all()
        assert (places[:, 1] >= top).all() and (places[:, 1] + places[:, 3] <= top + height).all()


def test_every_port_lies_in_a_cage_and_none_on_another(catalog):
    design, switch = one_of(catalog, "nvidia-qm9700")
    front = Composition(design).fronts.faceplate(switch, BOX)
    x, y, width, height = front.free.T
    left, top, wide, tall = (front.cages[:, None, part] for part in range(4))
    inside = (left <= x) & (x + width <= left + wide) & (top <= y) & (y + height <= top + tall)
    assert (inside.sum(axis=0) == 1).all()
    assert len(np.unique(np.round(front.free[:, :2], 6), axis=0)) == len(front.free)


def test_ports_are_sorted_by_use(pod):
    leaf = next(one for one in pod.switches() if one.role == "leaf")
    free = pod.free_ports(leaf.id)[0].name
    pod.apply(Edit("Reserve", (Change(leaf, replace(leaf, reserved_ports=(free,))),)))
    front = Composition(pod).fronts.faceplate(leaf.id, BOX)
    n_used = len(pod.used_ports(leaf.id))
    total = len(pod.ports(leaf.id)) + len(pod.management_ports(leaf.id))
    assert (len(front.used), len(front.reserved), len(front.free)) == (n_used, 1, total - n_used - 1)


def test_cages_that_are_not_known_are_not_drawn_and_servers_have_no_front(catalog, pod):
    design, switch = one_of(catalog, "nvidia-qm9700")
    type_ = design.device_type(switch)
    plain = replace(type_, cages=(replace(type_.cages[0], form_factor=""),))
    design.apply(Edit("Forget", (Change(type_, plain),)))
    front = Composition(design).fronts.faceplate(switch, BOX)
    assert not len(front.cages) and len(front.free)
    assert Composition(pod).fronts.faceplate(pod.servers()[0].id, BOX) is None


def test_a_chassis_has_a_row_for_each_card(catalog):
    type_id = next(
        one.id
        for one in catalog.types.values()
        if getattr(one, "slots", ()) and getattr(one, "cages", ()) and all(group.slot for group in one.cages)
    )
    design, switch = one_of(catalog, type_id)
    front = Composition(design).fronts.faceplate(switch, BOX)
    n_cages = design.cage_count(switch)
    assert rows_of(front.cages[:n_cages]) == len(design.cards_of(switch))


def test_free_handles_stand_on_the_front_and_stay_when_others_are_used(pod):
    composition = Composition(pod)
    leaf = next(one.id for one in pod.switches() if one.role == "leaf")
    row = composition.projection.row_of[leaf]
    places = Composition(pod).fronts.port_places(leaf, composition.boxes[row])
    free = [handle for handle in composition.ports(row) if handle.link_id is None]
    assert free
    for handle in free:
        left, top, width, height = places[handle.name]
        assert (handle.x, handle.y) == pytest.approx((left + width / 2, top + height / 2))


def test_fronts_show_from_near_and_in_files_that_ask(pod):
    composition = Composition(pod)
    row = next(row for row, one in enumerate(composition.projection.device_ids) if pod.is_switch(one))
    assert detail_at(2.0, 10, 10, 10).faceplates and not detail_at(1.0, 10, 10, 10).faceplates
    assert composition.fronts.of_row(row, detail_at(2.0, 10, 10, 10)) is not None
    plain, shown = svg_of(pod), svg_of(pod, overlay=Overlay(faceplates=True))
    n_ports = sum(len(pod.ports(one.id)) for one in pod.switches())
    assert shown.count("<rect") - plain.count("<rect") > n_ports or len(shown) - len(plain) > 20 * n_ports
    assert svg_of(pod, overlay=Overlay(faceplates=True)) == shown


def written(design, device_id, scale):
    """What is written in the box of a device at a scale."""
    composition = Composition(design)
    x, y, width, height = composition.boxes[composition.projection.row_of[device_id]].tolist()
    sheet = Sheet(Camera(scale, x, y), (0.0, 0.0, width * scale, height * scale), LIGHT, EstimatedRuler())
    return set(texts(boxes(composition.picture(LIGHT, detail_at(scale, 10, 10, 10)), sheet)))


def test_cages_and_ends_of_links_bear_their_numbers_from_near_unless_those_are_hidden(pod):
    leaf = next(one for one in pod.switches() if one.role == "leaf").id
    numbers = {str(one) for one in range(1, pod.cage_count(leaf) + 1)} | set(map(number_of, pod.used_ports(leaf)))
    assert not numbers & written(pod, leaf, 1.6)
    assert numbers <= written(pod, leaf, 6.0)
    server = pod.servers()[0].id
    assert "1" in written(pod, server, 4.4)
    pod.apply(toggle_label(pod, PORT_NUMBERS))
    assert not numbers & (written(pod, leaf, 6.0) | written(pod, server, 4.4))


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["7/1", "7/2"], "7"),
        (["swp13s0", "swp13s3"], "13"),
        (["3/7/1", "3/7/2"], "7"),
        (["swp13", "swp14"], "13–14"),
        (["Ethernet9"], "9"),
        (["uplink"], ""),
    ],
)
def test_the_number_of_a_cage_is_that_in_the_names_of_its_ports(catalog, names, number):
    assert _number([re.findall(r"\d+", name) for name in names]) == number


def test_ports_leave_room_for_the_number_over_them_in_every_cage(catalog):
    design, switch = one_of(catalog, "nvidia-sn5600")
    front = Composition(design).fronts.faceplate(switch, BOX)
    left, top, wide, tall = (front.cages[:, None, part] for part in range(4))
    x, y = front.free[:, :2].T
    inside = (left <= x) & (x <= left + wide) & (top <= y) & (y <= top + tall)
    assert (inside.sum(axis=0) == 1).all()
    heads = ((y - top) / tall)[inside]
    assert heads.min() == pytest.approx(heads.max()) and heads.min() >= 0.39


@pytest.mark.parametrize("n_links", [1, 6, 16])
def test_handles_of_links_on_one_edge_keep_a_gap(catalog, n_links):
    """Four leaf switches below a spine: their links all end on its lower edge."""
    design, type_ = Design(), catalog.types["nvidia-qm9700"]
    names = ("spine", *(f"leaf-{number}" for number in range(4)))
    for number, name in enumerate(names):
        x, y = (0.0, 0.0) if number == 0 else (300.0 * (number - 2.5), 400.0)
        design.apply(operations.add_device(design, type_, x, y, catalog_types=catalog.types, name=name))
    spine, *leafs = (design.find(name).id for name in names)
    for leaf in leafs:
        design.apply(operations.connect_devices(design, leaf, spine, n_links))
    composition = Composition(design)
    ends = [one for one in composition.ports(composition.projection.box_of(spine)) if one.link_id]
    assert len(ends) == 4 * n_links
    for one, other in pairwise(sorted(ends, key=lambda port: port.x)):
        assert other.x - one.x > 1.2 * (one.size + other.size) / 2


@pytest.mark.parametrize("type_id", ["nvidia-qm9700", "nvidia-sn5600", "nvidia-sn2201", "generic-tomahawk5-64x800"])
def test_numbers_of_cages_stand_between_the_edge_of_their_cage_and_its_ports(catalog, type_id):
    design, device_id = one_of(catalog, type_id)
    front = Composition(design).fronts.faceplate(device_id, BOX)
    for scale in (3.0, 4.4, 6.0, 8.0, 12.0):
        drawn = list(cage_numbers(front, Camera(scale, 0.0, 0.0), LIGHT, EstimatedRuler()))
        for one, (_, top, _, height) in zip(drawn, (front.cages * scale).tolist(), strict=False):
            ports = top + 0.4 * height
            above, below = one.y - 0.76 * one.size - top, ports - one.y
            assert above >= 0.5 and below >= max(1.0, above + 0.9), "outlines are drawn around ports, not in them"
    assert len(drawn) == len(front.numbers)
