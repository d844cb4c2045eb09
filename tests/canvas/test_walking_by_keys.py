"""Alt with an arrow key goes from device to device: along links, else to the nearest that way."""

import pytest
from PySide6.QtCore import Qt

from designer.model import operations

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def tiers(hand, session):
    """Two leafs above two servers; each server is linked to the leaf that is farther away."""
    leafs = [hand.add("nvidia-qm9700", x, 0.0) for x in (0.0, 200.0)]
    servers = [hand.add("dgx-h100", x, 220.0) for x in (0.0, 200.0)]
    for leaf, server in zip(leafs, servers[::-1], strict=True):
        session.push(operations.connect_devices(session.design, server, leaf))
    hand.view.zoom_to_fit()
    return *leafs, *servers


def test_links_go_before_what_is_nearer(hand, session, tiers):
    a, b, left, right = tiers
    session.select([a])
    hand.key(Qt.Key.Key_Down, ALT)
    assert session.selection == {right}
    hand.key(Qt.Key.Key_Left, ALT)  # no link leads left: the nearest
    assert session.selection == {left}
    hand.key(Qt.Key.Key_Up, ALT)
    assert session.selection == {b}
    hand.key(Qt.Key.Key_Up, ALT)  # nothing there
    assert session.selection == {b}


def test_walking_moves_nothing_and_arrows_alone_still_do(hand, session, tiers):
    revision = session.design.revision
    session.select([tiers[0]])
    hand.key(Qt.Key.Key_Right, ALT)
    assert session.selection == {tiers[1]} and session.design.revision == revision
    hand.key(Qt.Key.Key_Right)
    assert session.design.placements[tiers[1]].x == 212.0


def test_from_nothing_the_walk_begins_in_the_middle_and_follows_into_view(hand, session, tiers):
    session.select([])
    hand.key(Qt.Key.Key_Left, ALT)
    assert len(session.selection) == 1
    session.select([tiers[0]])
    hand.view.move_camera(hand.view.camera.moved(-5000, 0))
    hand.key(Qt.Key.Key_Right, ALT)
    assert hand.view.rect().contains(hand.middle(tiers[1]))


def test_an_empty_design_has_nowhere_to_go(hand, session):
    hand.key(Qt.Key.Key_Left, ALT)
    assert not session.selection
