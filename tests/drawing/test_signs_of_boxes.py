"""Signs on boxes: of those that open at a click, on a screen alone; of what has failed, and of what that cuts off."""

from dataclasses import replace

import numpy as np
import pytest

from designer.canvas.hits import Target
from designer.canvas.tooltips import tooltip_of
from designer.drawing.camera import Camera, Viewport, fitting
from designer.drawing.composition import Composition
from designer.drawing.heat import Heat
from designer.drawing.overlay import Overlay
from designer.drawing.parts.marks import failed
from designer.drawing.parts.primitives import Group, Lines, Rect
from designer.drawing.parts.ruler import EstimatedRuler
from designer.drawing.parts.sheet import Sheet
from designer.drawing.parts.stacks import stacks
from designer.drawing.theme import LIGHT
from designer.exchange.diagram_svg import svg_of
from designer.model import collapsing


@pytest.mark.parametrize("has_signs", [False, True])
def test_collapsed_boxes_bear_their_signs_on_a_screen_alone(has_signs, generated):
    design = generated("dragonfly", p=2, a=4, h=2)
    design.apply(collapsing.collapse(design, design.groups))
    composition = Composition(design)
    camera = fitting(composition.bounds, 1600.0, 1000.0)
    picture = composition.picture(LIGHT, composition.detail_at(camera.scale))
    view = Sheet.of_view(Viewport(camera, 1600.0, 1000.0), LIGHT, EstimatedRuler())
    drawn = [group for group in stacks(picture, replace(view, has_signs=has_signs)) if isinstance(group, Group)]
    crosses = [part for group in drawn for part in group.parts if isinstance(part, Lines) and len(part.xy) == 2]
    assert len(drawn) == 9 and len(crosses) == (9 if has_signs else 0)
    assert all(np.ptp(one.xy[0]) > 0 for one in crosses)


@pytest.fixture
def pods(generated):
    """Two pods of a fat-tree of 16 hosts, each pair of these on one edge switch."""
    return generated("k-ary-fat-tree", k=4)


def first_edge(design):
    """An edge switch, and the servers on it, which have no other."""
    edge = next(one.id for one in design.devices.values() if one.role == "leaf")
    near = [link for link in design.links.values() if edge in (link.a.device_id, link.b.device_id)]
    ends = {end.device_id for link in near for end in (link.a, link.b)}
    return edge, {one for one in ends if design.is_server(one)}


def test_what_a_failure_cuts_off_is_known_of_devices_and_links(pods):
    edge, servers = first_edge(pods)
    composition = Composition(pods)
    assert composition.cut_off_by(frozenset({edge})) == servers
    one = sorted(servers)[0]
    link = next(link.id for link in pods.links.values() if one in (link.a.device_id, link.b.device_id))
    assert composition.cut_off_by(frozenset({link})) == {one}
    assert composition.cut_off_by(frozenset({edge, *servers})) == frozenset(), "what has failed is not cut off as well"
    spine = next(one.id for one in pods.devices.values() if one.role == "core")
    assert composition.cut_off_by(frozenset({spine})) == frozenset()


def test_what_is_cut_off_is_gray_with_a_sign_and_what_has_failed_is_crossed_out_in_its_middle_from_afar(pods):
    edge, servers = first_edge(pods)
    composition = Composition(pods)
    sheet = Sheet(Camera(0.25), (-1e4, -1e4, 2e4, 2e4), LIGHT, EstimatedRuler())
    parts = list(failed(composition, sheet, [edge]))
    signs = [one for one in parts if isinstance(one, Group) and one.title == "Cut off"]
    gray = [one for one in parts if isinstance(one, Rect) and one.pen.colour == LIGHT.muted]
    assert len(signs) == len(gray) == len(servers)
    x, y, width, height = sheet.boxes(composition.boxes)[composition.projection.row_of[edge]].tolist()
    (cross,) = (one for one in parts if isinstance(one, Lines))
    assert cross.xy[0].reshape(2, 2).mean(axis=0).tolist() == pytest.approx([x + width / 2, y + height / 2])


def test_a_box_for_many_bears_the_sign_where_all_in_it_is_cut_off(pods):
    group = next(one for one in pods.groups.values() if pods.members(one.id))
    members = {one for one in pods.members(group.id) if one in pods.devices}
    out = frozenset(link.id for link in pods.links.values() if len({link.a.device_id, link.b.device_id} & members) == 1)
    pods.apply(collapsing.collapse(pods, [group.id]))
    composition = Composition(pods)
    sheet = Sheet(Camera(0.25), (-1e4, -1e4, 2e4, 2e4), LIGHT, EstimatedRuler())

    def signs(ids):
        return [one for one in failed(composition, sheet, ids) if isinstance(one, Group) and one.title == "Cut off"]

    assert composition.cut_off_by(out) == members
    assert len(signs(out)) == 1
    assert not signs(sorted(out)[1:])


def test_the_legend_and_the_tooltip_explain_the_sign(pods):
    edge, servers = first_edge(pods)
    heat = Heat(0, dict.fromkeys(pods.links, (0.2, 0.4)))
    assert ">cut off<" in svg_of(pods, heat=heat, overlay=Overlay(failed=frozenset({edge})))
    assert ">cut off<" not in svg_of(pods, heat=heat)
    target = Target(device_id=min(servers))
    assert "Cut off: " in tooltip_of(pods, target, None, "idle", is_cut_off=True)
    assert "Cut off" not in tooltip_of(pods, target, None, "idle")
