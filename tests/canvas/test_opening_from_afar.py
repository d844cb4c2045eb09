"""Boxes that are closed because they are far away open at their plus, by a double click, and by a command."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest

from designer.canvas.pointer import pointer_at
from designer.drawing.heat import Heat
from designer.model import collapsing
from designer.model.design import Design
from designer.topologies.families import FAMILIES


@pytest.fixture(scope="module")
def made(catalog):
    """432 hosts in 12 pods: fitted into a view each pod is closed."""
    row = next(one for one in FAMILIES if one.name == "k-ary-fat-tree")
    design = Design()
    parameters = row.parameters(k=12)
    design.apply(row.build(design, parameters, catalog))
    return design


@pytest.fixture
def pod(hand, made):
    hand.session.replace(made.snapshot(), None)
    hand.view.zoom_to_fit()
    pod = next(one.id for one in hand.design.groups.values() if one.kind == "pod")
    assert is_closed(hand, pod)
    return pod


def drawn(hand):
    return hand.view.fabric.seen_at(hand.view.camera.scale)


def is_closed(hand, pod):
    return pod in drawn(hand).projection.row_of


def sign_of(hand, pod):
    """A pixel of the plus in its box, as the eye finds it: from the right."""
    composition = drawn(hand)
    x, y, width, height = composition.boxes[composition.projection.row_of[pod]].tolist()
    left, top = hand.view.camera.to_view(x, y)
    right, bottom = hand.view.camera.to_view(x + width, y + height)
    for at_x in range(int(right), int(left), -2):
        for at_y in range(int(top), int(bottom) + 1, 2):
            found = hand.view.target_at(pointer_at(hand.view.camera, QPointF(at_x, at_y)))
            if found.sign:
                assert found.ids == (pod,)
                return QPoint(at_x - 2, at_y + 1)
    raise AssertionError("no plus")


def middle_of_box(hand, pod):
    composition = drawn(hand)
    at = composition.centres[composition.projection.row_of[pod]].tolist()
    return QPointF(*hand.view.camera.to_view(*at)).toPoint()


def double_click_on(hand, at):
    """The event that a window gets in place of the second of two presses."""
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    where = QPointF(at), QPointF(hand.view.mapToGlobal(at))
    return QMouseEvent(QEvent.Type.MouseButtonDblClick, *where, left, left, keys)


def test_a_click_on_the_plus_goes_to_where_the_box_opens(hand, pod):
    hand.click(sign_of(hand, pod))
    assert not hand.session.selection and not is_closed(hand, pod)
    assert not hand.design.groups[pod].is_collapsed and hand.session.undo_stack.count() == 0
    before = hand.view.camera
    second = double_click_on(hand, hand.middle(next(iter(hand.design.members(pod)))))
    hand.view.mouseDoubleClickEvent(second)
    assert hand.view.camera == before, "the second of two clicks there opens nothing else"
    hand.click(QPoint(5, 5))
    hand.view.mouseDoubleClickEvent(second)
    assert hand.view.camera != before


def test_a_click_on_the_plus_leaves_selected_what_was_and_a_drag_of_it_moves_the_box(hand, pod):
    core = next(one.id for one in hand.design.devices.values() if one.role == "core")
    hand.session.select({core})
    plus, before = sign_of(hand, pod), hand.design.placements[core]
    hand.drag(plus, plus + QPoint(0, 60))
    assert hand.session.selection == {pod} and is_closed(hand, pod)
    assert hand.session.undo_stack.count() == 1 and hand.design.placements[core] == before
    hand.session.undo_stack.undo()
    hand.session.select({core})
    hand.click(plus)
    assert hand.session.selection == {core} and not is_closed(hand, pod)


def test_a_click_beside_the_plus_selects_alone_and_a_double_click_opens(hand, pod):
    at, before = middle_of_box(hand, pod), hand.view.camera
    hand.click(at)
    assert hand.view.camera == before and is_closed(hand, pod)
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert not is_closed(hand, pod)


def test_the_devices_of_a_role_in_one_box_open_too(hand, pod):
    assert is_closed(hand, pod)
    projection = drawn(hand).projection
    number = next(number for number, fold in enumerate(projection.folds) if fold.key.role == "core")
    cores = projection.ids_at(projection.n_own + number)
    hand.view.zoom_onto(cores)
    assert drawn(hand).projection.box_of(cores[0]) != drawn(hand).projection.box_of(cores[-1])
    while not drawn(hand).projection.is_single(drawn(hand).projection.box_of(cores[0])):
        before = drawn(hand).projection.ids_at(drawn(hand).projection.box_of(cores[0]))
        hand.view.zoom_onto(before)
        assert drawn(hand).projection.ids_at(drawn(hand).projection.box_of(cores[0])) != before


def test_the_plus_of_a_collapsed_box_expands_it_in_one_step(hand, pod):
    hand.session.push(collapsing.collapse(hand.design, [pod]))
    hand.click(sign_of(hand, pod))
    assert not hand.design.groups[pod].is_collapsed
    hand.session.undo_stack.undo()
    assert hand.design.groups[pod].is_collapsed


def test_the_plus_keeps_what_would_help_previewed_and_a_click_beside_it_ends_that(hand, pod):
    view, design = hand.session.workbench.heat_view, hand.design
    view.show_preview(Heat(design.revision, dict.fromkeys(design.links, (0.5, 0.5))))
    beside = middle_of_box(hand, pod)
    hand.click(sign_of(hand, pod))
    assert view.shows_preview and not is_closed(hand, pod)
    hand.click(beside)
    assert not view.shows_preview


def test_bundles_in_sight_are_counted_again_once_a_core_has_failed(hand, pod):
    core = next(one.id for one in hand.design.devices.values() if one.role == "core")

    def said():
        hand.view.grab()
        fabric = hand.view.fabric
        return {
            text
            for row in range(len(fabric.painted.lines.xy))
            for text in fabric.painted.link_texts(row_of(fabric, row))
        }

    def row_of(fabric, row):
        lines = fabric.painted.lines
        return lines.links[lines.starts[row] : lines.starts[row] + lines.counts[row]]

    before, generation = said(), hand.view.fabric.composition.generation
    assert not [one for one in before if " of " in one]
    hand.session.mark_as_failed(frozenset((core,)), "Core")
    assert [one for one in said() if " of " in one] and hand.view.fabric.composition.generation > generation
    hand.session.undo_stack.undo()
    assert said() == before
