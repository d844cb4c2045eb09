"""Boxes that are all joined to each other read so at every size: as arches, or as one bus that says how many."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from drawn_texts import texts

from designer.drawing import meshes, trunks
from designer.drawing.camera import Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.level_of_detail import Detail, LinkDetail
from designer.drawing.parts.picture import layers
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.theme import LIGHT, SERVER
from designer.model import operations
from designer.model.colour_keys import STRAIGHT
from designer.model.design import Design
from designer.model.edit import Change, Edit
from designer.model.entities import DRAGONFLY_GROUP

AFAR, NEAR = Detail(LinkDetail.REGIONS, region=80.0), Detail(LinkDetail.TRUNKS)
MESHES = {
    "dragonfly": {"p": 2, "a": 16, "h": 1, "groups": 3},
    "hyperx": {"dims": (4, 5), "p": 2},
    "graph": {"graph": "complete", "arguments": "14", "p": 1},
}


def between_routers(composition):
    """Rows of the links that join two of three routers or more in a row or column, of one group where there are any."""
    projection, centres, found = composition.projection, composition.centres.round(), []
    routers = centres[projection.kinds != SERVER]
    devices = [composition.design.devices[one] for one in projection.device_ids]
    for row, (a, b) in enumerate(projection.ends.tolist()):
        shared = (centres[a] == centres[b]) & ((routers == centres[a]).sum(axis=0) > 2)
        inline = shared.any()
        if {devices[a].role, devices[b].role} == {"router"} and inline and devices[a].group_id == devices[b].group_id:
            found.append(row)
    return found


def along_boxes(composition, lines, held):
    """How many of the lines that hold any of the links run level or upright through the middle of a router."""
    chosen = np.zeros(len(composition.projection.link_ids), np.bool_)
    chosen[held] = True
    ends = np.unique(composition.projection.ends[held])
    centres, found = composition.centres[ends], 0
    for x1, y1, x2, y2 in lines.xy[lines.holding(chosen)]:
        x, y = centres.T
        on_row = (np.abs(y - y1) < 1) & (np.abs(y - y2) < 1) & (x >= min(x1, x2) - 1) & (x <= max(x1, x2) + 1)
        on_column = (np.abs(x - x1) < 1) & (np.abs(x - x2) < 1) & (y >= min(y1, y2) - 1) & (y <= max(y1, y2) + 1)
        found += int(max(on_row.sum(), on_column.sum()) > 1)
    return found


@pytest.mark.parametrize("family", MESHES)
def test_from_afar_no_line_leads_from_neighbor_to_neighbor_of_a_full_mesh(family, generated):
    composition = Composition(generated(family, **MESHES[family]))
    held = between_routers(composition)
    assert held
    lines = composition.lines(AFAR)
    assert along_boxes(composition, lines, held) == 0
    assert set(held) <= set(lines.links.tolist())  # and all of them are drawn


def test_each_piece_of_a_bus_stands_for_the_links_that_pass_it_and_each_stub_for_those_of_its_router(generated):
    composition = Composition(generated("dragonfly", **MESHES["dragonfly"]))
    (bus, *_), lines = composition.gatherer.buses(NEAR).titles, composition.lines(NEAR)
    level = bus.line[1]
    x1, y1, x2, y2 = lines.xy.T
    along = np.flatnonzero((y1 == level) & (y2 == level) & (x1 >= bus.line[0]) & (x2 <= bus.line[2]))
    assert lines.counts[along[np.argsort(x1[along])]].tolist() == [n * (16 - n) for n in range(1, 16)]
    stubs = np.flatnonzero((y2 == level) & (y1 != level) & (x1 == x2) & (x1 >= bus.line[0]) & (x1 <= bus.line[2]))
    assert lines.counts[stubs].tolist() == [15] * 16
    loads = np.full((len(composition.projection.link_ids), 2), 0.1)
    loads[lines.links[lines.starts[along[0]]]] = 0.9
    hot = lines.utilization(loads)[0] > 0.5
    assert hot[along].any() and not hot[along].all()


def test_few_routers_are_joined_by_arches_from_near_and_by_a_bus_from_afar(generated):
    composition = Composition(generated("dragonfly", p=2, a=4, h=2))
    assert composition.gatherer.buses(NEAR).titles == ()
    assert along_boxes(composition, composition.lines(NEAR), []) == 0
    assert len(composition.gatherer.buses(AFAR).titles) == 9


@pytest.mark.parametrize("links", [LinkDetail.CROWDS, LinkDetail.BUNDLES])
def test_a_crowd_of_routers_keeps_its_bus_from_near(generated, links):
    """The arches of 24 routers are 276 lines: a bar behind the row."""
    crowd, few = (Composition(generated("dragonfly", p=1, a=a, h=1, groups=3)) for a in (24, 23))
    detail = Detail(links)
    assert [one.text for one in crowd.gatherer.buses(detail).titles] == ["24 routers, all to all"] * 3
    assert set(crowd.lines(detail).links.tolist()) == set(range(len(crowd.projection.link_ids)))
    n_single = len(Composition(few.design).lines(detail).xy)
    assert not few.gatherer.buses(detail).titles and n_single > len(crowd.lines(detail).xy)
    assert crowd.gatherer.buses(Detail(LinkDetail.SINGLES)) is None


def test_two_routers_are_joined_by_a_line(generated):
    composition = Composition(generated("dragonfly", p=1, a=2, h=1))
    assert composition.gatherer.buses(AFAR).titles == ()


def test_rows_of_a_ring_are_no_full_mesh(generated):
    composition = Composition(generated("dragonfly-plus", leafs=4, spines=4, p=4, h=2))
    assert composition.gatherer.buses(AFAR).titles == ()
    assert Composition(generated("torus", dims=(6, 6))).gatherer.buses(AFAR).titles == ()


def test_a_router_dragged_off_its_row_leaves_the_bus_and_keeps_its_links(generated):
    design = generated("dragonfly", **MESHES["dragonfly"])
    composition = Composition(design)
    router = next(one for one in design.devices.values() if one.role == "router")
    composition.shift({router.id: (0.0, 300.0)})
    assert sorted(one.text for one in composition.gatherer.buses(NEAR).titles) == [
        "15 routers, all to all",
        "16 routers, all to all",
        "16 routers, all to all",
    ]
    assert set(range(len(design.links))) == set(composition.lines(NEAR).links.tolist())
    composition.shift({})
    assert [one.text for one in composition.gatherer.buses(NEAR).titles] == ["16 routers, all to all"] * 3


def test_the_bus_of_very_many_routers_is_one_piece_that_stands_for_all_links(generated, monkeypatch):
    monkeypatch.setattr(meshes, "MOST_IN_PIECES", 15)
    composition = Composition(generated("dragonfly", **MESHES["dragonfly"]))
    lines = composition.lines(NEAR)
    assert np.count_nonzero(lines.counts == 16 * 15 // 2) == 3


def test_boxes_that_stand_for_several_devices_are_no_mesh(generated):
    design = generated("dragonfly", **MESHES["dragonfly"])
    for group in tuple(design.groups.values()):
        design.apply(Edit("Collapse", (Change(group, replace(group, is_collapsed=True, kind="group")),)))
    composition = Composition(design)
    assert composition.projection.n_own == 0
    assert composition.gatherer.buses(AFAR).titles == ()


def linked_in_a_row(catalog, *pairs):
    """Switches beside each other, linked in these pairs of their places."""
    design, type_ = Design(), catalog.get("nvidia-qm9700")
    for number in range(1 + max(map(max, pairs))):
        design.apply(operations.add_device(design, type_, number * 200.0, 0.0, catalog_types=catalog.types))
    ids = list(design.devices)
    for a, b in pairs:
        design.apply(operations.connect_devices(design, ids[a], ids[b]))
    return design, ids


def test_of_boxes_that_are_not_all_joined_those_are_a_mesh_that_are(catalog):
    design, _ = linked_in_a_row(catalog, (0, 1), (0, 2), (1, 2), (0, 3), (1, 3))
    (mesh,) = Composition(design).gatherer.meshes
    assert len(mesh.rows) == 3 and len(mesh.bundles) == 3
    assert Composition(linked_in_a_row(catalog, (0, 1), (1, 2), (2, 3))[0]).gatherer.meshes == []


@pytest.mark.parametrize("kind", ["", DRAGONFLY_GROUP])
@pytest.mark.parametrize("is_collapsed", [False, True])
def test_boxes_of_several_router_groups_or_of_several_devices_are_no_mesh(catalog, kind, is_collapsed):
    design, ids = linked_in_a_row(catalog, *combinations(range(6), 2))
    for pair in (ids[:2], ids[2:4], ids[4:]):
        design.apply(operations.group(design, pair, "group"))
    for group in tuple(design.groups.values()):
        changed = replace(group, is_collapsed=is_collapsed, kind=kind or group.kind)
        design.apply(Edit("Collapse", (Change(group, changed),)))
    assert len(Composition(design).gatherer.meshes) == (not kind and not is_collapsed)


def test_straight_lines_have_no_buses(generated):
    design = generated("dragonfly", **MESHES["dragonfly"])
    design.apply(operations.set_settings(design, link_lines=STRAIGHT))
    composition = Composition(design)
    assert composition.gatherer.buses(AFAR) is None and composition.gatherer.lines(NEAR) == []


def test_the_picture_says_that_all_are_joined_where_that_has_room(generated):
    composition = Composition(generated("dragonfly", **MESHES["dragonfly"]))
    for width, count in ((1600.0, 3), (200.0, 0)):
        view = Viewport(fitting(composition.bounds, width, width), width, width)
        sheet = Sheet.of_view(view, LIGHT, EstimatedRuler())
        written = [
            one for one in texts(layers(composition.picture(LIGHT, AFAR), sheet)) if "routers, all to all" in one
        ]
        assert written == ["16 routers, all to all"] * count
    left, top, _, _ = composition.gatherer.buses(AFAR).titles[0].line
    x, y = sheet.camera.to_view(left, top)
    beginning = replace(sheet, area=(x - 30.0, y - 30.0, 60.0, 60.0))
    assert "16 routers, all to all" not in texts(layers(composition.picture(LIGHT, AFAR), beginning))


def test_of_very_many_buses_that_say_the_same_a_few_do(generated):
    composition = Composition(generated("hyperx", dims=(14, 5), p=1))
    view = Viewport(fitting(composition.bounds, 3000.0, 3000.0), 3000.0, 3000.0)
    sheet = Sheet.of_view(view, LIGHT, EstimatedRuler())
    written = [one for one in texts(layers(composition.picture(LIGHT, AFAR), sheet)) if "all to all" in one]
    assert sorted(written) == ["14 routers, all to all"] * 5 + ["5 routers, all to all"] * 3


def test_the_legend_says_of_groups_that_are_full_meshes_that_all_are_joined(generated):
    def shown(design):
        picture = Composition(design).picture(LIGHT, AFAR)
        return [one.text for key in picture.coloured.keys for one in key.swatches]

    design = generated("dragonfly", **MESHES["dragonfly"])
    assert "Within a group, all to all" in shown(design)
    roles = {one.id: one.role for one in design.devices.values()}
    local = next(
        one
        for one in design.links.values()
        if {roles[one.a.device_id], roles[one.b.device_id]} == {"router"}
        and design.devices[one.a.device_id].group_id == design.devices[one.b.device_id].group_id
    )
    design.apply(operations.delete(design, [local.id]))
    assert "Within a group" in shown(design)
    assert "Within a group" in shown(generated("dragonfly", p=1, a=2, h=1)), "a line says it"
    assert "Within a group" in shown(generated("dragonfly-plus", leafs=4, spines=4, p=4, h=2))


def test_of_very_many_servers_none_hangs_on_a_trunk_from_afar(generated, monkeypatch):
    monkeypatch.setattr(trunks, "MOST_AFAR", 79)
    composition = Composition(generated("dragonfly", p=16, a=4, h=1, groups=5))
    lines = composition.lines(AFAR)
    slanted = (np.abs(lines.xy[:, :2] - lines.xy[:, 2:]) > 1e-6).all(axis=1)
    assert (slanted & lines.of_server).any()


def test_from_afar_servers_hang_on_trunks_below_their_router_and_above_it(generated):
    composition = Composition(generated("dragonfly", p=16, a=4, h=1, groups=5))
    lines, servers = composition.lines(AFAR), composition.projection.kinds == SERVER
    of_servers = lines.xy[lines.of_server]
    assert (np.abs(of_servers[:, :2] - of_servers[:, 2:]) < 1e-6).any(axis=1).all()  # none slants
    above, below = set(), set()
    for row in np.flatnonzero(servers[composition.projection.ends].any(axis=1)).tolist():
        a, b = composition.projection.ends[row]
        server, router = (a, b) if servers[a] else (b, a)
        (above if composition.centres[server, 1] < composition.centres[router, 1] else below).add(row)
    assert above and below
    assert above | below <= set(lines.links[np.repeat(lines.of_server, lines.counts)].tolist())
