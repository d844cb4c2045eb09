"""Collapsed groups under the hand: click, drag, double click, and why they are not connected."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from designer.model import collapsing, removing
from designer.model.design import Design
from designer.simulation.scenario import Scenario
from designer.topologies.families import FAMILIES


@pytest.fixture(scope="module")
def made(catalog):
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    design = Design()
    design.apply(row.build(design, row.parameters(k=4), catalog))
    return design


@pytest.fixture
def pod(hand, made):
    """The first pod of a small tree, collapsed."""
    hand.session.replace(made.snapshot(), None)
    pod = next(one.id for one in hand.design.groups.values() if one.kind == "pod")
    hand.session.push(collapsing.collapse(hand.design, [pod]))
    hand.view.zoom_to_fit()
    return pod


def test_a_click_selects_the_group_and_a_drag_moves_all_its_devices_in_one_step(hand, pod):
    members = [one for one in hand.design.members(pod) if one in hand.design.placements]
    before = {one: hand.design.placements[one] for one in members}
    hand.click(hand.middle(pod))
    assert hand.session.selection == {pod}
    start = hand.middle(pod)
    count = hand.session.undo_stack.count()
    hand.drag(start, start + hand.at(0, 0) - hand.at(-60, -30))
    assert hand.session.undo_stack.count() == count + 1
    moves = {(hand.design.placements[o].x - before[o].x, hand.design.placements[o].y - before[o].y) for o in members}
    assert len({(round(x, 6), round(y, 6)) for x, y in moves}) == 1
    assert moves != {(0.0, 0.0)}


def test_a_double_click_opens_the_box_and_undo_closes_it(hand, pod):
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, hand.middle(pod))
    assert not hand.design.groups[pod].is_collapsed
    hand.session.undo_stack.undo()
    assert hand.design.groups[pod].is_collapsed


def test_a_link_to_a_box_is_refused_with_what_to_do(hand, pod):
    leaf = next(
        d.id for d in hand.design.devices.values() if d.role == "leaf" and collapsing.box_of(hand.design, d.id) is None
    )
    hand.view.set_tool("connect")
    links = dict(hand.design.links)
    hand.drag(hand.middle(leaf), hand.middle(pod))
    assert hand.view.notes.shown is not None
    assert hand.view.notes.shown.text == "Pod 1 is collapsed: expand it, then connect its devices"
    hand.view.notes.drop()
    hand.press(hand.middle(pod))
    assert hand.view.notes.shown.text.startswith("Pod 1 is collapsed")
    assert dict(hand.design.links) == links


def test_the_status_bar_and_the_tooltip_say_what_is_in_a_box(hand, pod):
    fabric = hand.view.fabric
    QTest.mouseMove(hand.view, hand.middle(pod))
    assert fabric.sentence(hand.view.hovered) == "Pod 1: double-click opens it"
    tooltip = fabric.tooltip(hand.view.hovered)
    assert "4 hosts, 2 leaf switches, 2 spines" in tooltip
    assert "1 links" not in tooltip


def test_the_tooltip_of_a_box_says_the_loads_of_a_run_in_it_and_on_its_links(hand, pod, qtbot):
    simulation = hand.session.workbench.simulation
    simulation.scenario = Scenario(collective="all-to-all", size_bytes=1e6)
    simulation.run()
    qtbot.waitUntil(lambda: simulation.state == "current", timeout=90_000)
    hand.view.grab()
    QTest.mouseMove(hand.view, hand.middle(pod))
    tooltip = hand.view.fabric.tooltip(hand.view.hovered)
    assert "Inside" in tooltip and "up to 100 %" in tooltip
    assert "Its links" in tooltip
    hand.session.push(removing.delete(hand.design, [next(iter(hand.design.links))]))
    assert "Its links" not in hand.view.fabric.tooltip(hand.view.hovered), "of a design as it was"


def test_a_band_around_a_box_selects_its_group(hand, pod):
    x, y = hand.view.fabric.composition.centres[hand.view.fabric.composition.projection.box_of(pod)].tolist()
    assert pod in hand.view.fabric.within((x - 5, y - 5, x + 5, y + 5))


def test_finding_a_device_inside_goes_to_its_box(hand, pod):
    member = next(one for one in hand.design.members(pod) if one in hand.design.devices)
    assert hand.view.box_px(member) == hand.view.box_px(pod)


def test_collapsing_leaves_the_simulation_as_it_is(hand, pod):
    state = hand.session.fabric_state
    hand.session.push(collapsing.collapse_all(hand.design))
    assert hand.session.fabric_state == state
