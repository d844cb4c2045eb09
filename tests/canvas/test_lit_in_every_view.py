"""One selection in all views: what is inside of a selected group or rack is lit in each that shows it."""

import itertools

import numpy as np
import pytest

from designer.canvas.matrix.view import MatrixView
from designer.canvas.room.elevation_view import ElevationView
from designer.canvas.room.floor_view import FloorView
from designer.drawing.camera import Camera
from designer.drawing.matrix.parts import headings
from designer.model.collapsing import collapse
from designer.regeneration import recipes
from designer.session.selected import with_inside
from designer.topologies import rail_optimized


@pytest.fixture
def pod(session, catalog):
    parameters = rail_optimized.RailOptimizedParameters(servers=16, servers_per_su=4)
    session.push(recipes.generated(session.design, recipes.family_named("rail-optimized"), parameters, catalog))
    return session.design


@pytest.fixture
def unit(pod):
    return next(one for one in pod.groups.values() if one.kind == "scalable unit")


def shown(view, qtbot):
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.zoom_to_fit()
    return view


def accented(view, entity_id):
    """Whether the color of what is selected shows at something of a view."""
    image, ratio = view.grab().toImage(), view.devicePixelRatioF()
    box, accent = view.box_px(entity_id).adjusted(-4, -4, 4, 4), view.theme.accent
    spots = (
        (int(x * ratio), int(y * ratio))
        for x in range(int(box.left()), int(box.right()) + 1)
        for y in range(int(box.top()), int(box.bottom()) + 1)
        if view.rect().contains(x, y)
    )
    return any(image.pixelColor(*spot).name() == accent for spot in spots)


def test_what_is_inside_is_found_at_any_depth_and_nothing_else(pod, unit):
    devices = {one.id for one in pod.devices.values() if one.group_id == unit.id}
    racks = {one.id for one in pod.racks.values() if one.group_id == unit.id}
    assert devices | racks | {unit.id} == with_inside(frozenset([unit.id]), pod)
    (fabric,) = (one for one in pod.groups.values() if one.kind == "fabric")
    assert set(pod.devices) <= with_inside(frozenset([fabric.id]), pod)
    rack = next(iter(racks))
    assert with_inside(frozenset([rack]), pod) == {rack, *pod.mounted(rack)}
    device = frozenset(list(devices)[:1])
    assert with_inside(device, pod) is device


@pytest.mark.parametrize("is_collapsed", [False, True])
@pytest.mark.parametrize("make", [ElevationView, FloorView])
def test_a_group_is_lit_by_its_members_in_the_room(session, pod, unit, qtbot, make, is_collapsed):
    if is_collapsed:
        session.push(collapse(pod, [unit.id]))
    room = shown(make(session), qtbot)
    inside = next(one for one in pod.devices.values() if one.group_id == unit.id)
    other = next(
        one
        for one in pod.devices.values()
        if one.group_id not in (unit.id, None) and pod.groups[one.group_id].kind == "scalable unit"
    )
    assert not accented(room, inside.id)
    session.select([unit.id])
    assert accented(room, inside.id)
    assert not accented(room, other.id)


@pytest.mark.parametrize("make", [ElevationView, FloorView])
def test_a_link_is_lit_by_its_ends_in_the_room(session, pod, qtbot, make):
    room = shown(make(session), qtbot)

    def rack_of(device_id):
        return pod.placements[device_id].rack_id

    link = next(one for one in pod.links.values() if rack_of(one.a.device_id) != rack_of(one.b.device_id))
    ends = {link.a.device_id, link.b.device_id}
    others = [one for one in pod.devices if rack_of(one) not in {None, *map(rack_of, ends)}]
    assert not any(accented(room, one) for one in ends)
    session.select([link.id])
    assert all(accented(room, one) for one in ends) and not accented(room, others[0])
    assert session.selected.lit == {link.id}  # on the canvas the link itself is lit


def test_a_rack_is_lit_by_its_devices_on_the_canvas(session, pod, view):
    view.zoom_to_fit()
    rack = next(one for one in pod.racks if pod.mounted(one) and one not in pod.placements)
    inside = pod.mounted(rack)[0]
    outside = next(one for one in pod.devices if one not in pod.mounted(rack) and pod.is_switch(one))
    assert not accented(view, inside)
    session.select([rack])
    assert accented(view, inside)
    assert not accented(view, outside)


def test_a_group_that_is_drawn_is_lit_alone(session, pod, unit, view):
    view.zoom_to_fit()
    session.select([unit.id])
    chosen = view.fabric._chosen.among(session.selected, view.fabric.composition)
    assert chosen == {unit.id}


def test_a_rack_is_lit_by_the_lines_of_its_devices_in_a_matrix(session, pod, view, qtbot):
    matrix = shown(MatrixView(session, view.fabric), qtbot)
    matrix.cells.choose("leaf", "spine")
    shape = matrix.cells.matrix
    leafs = shape.rows.members
    rack = next(one for one in pod.racks if any(pod.is_switch(device) for device in pod.mounted(one)))
    session.select([rack])
    expected = [bool(set(members) & set(pod.mounted(rack))) for members in leafs]
    assert any(expected)
    assert np.array_equal(matrix.cells._lit_now().rows, expected)


def test_names_brought_out_in_a_small_matrix_lie_over_no_other(session, pod, view, qtbot):
    matrix = shown(MatrixView(session, view.fabric), qtbot)
    matrix.cells.choose("leaf", "spine")
    session.select(matrix.cells.matrix.rows.members[number][0] for number in range(1, 12))
    matrix.move_camera(Camera(0.15, -900, -900))
    drawn = matrix.cells.shaded(matrix.theme)
    sheet, at = matrix.cells._sheet(matrix.sight), matrix.cells._layout(drawn, matrix.sight)
    names = set(drawn.matrix.rows.labels)
    written = [one for one in headings(drawn, at, sheet, matrix.cells._lit_now()) if getattr(one, "text", "") in names]
    assert any(one.colour == matrix.theme.accent for one in written)
    places = sorted(one.y for one in written)
    assert all(b - a >= written[0].size for a, b in itertools.pairwise(places))
